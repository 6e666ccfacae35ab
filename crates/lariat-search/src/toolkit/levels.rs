//! The queue of a breadth-first search with several workers.
//!
//! States wait in chunks. The chunks of the present level and those of the next one are two lists behind one lock. A
//! worker takes a *piece* of the present level, up to a chunk, expands it, and collects the new states in its own
//! chunks, its [`NextLevel`]; when it takes the next piece, it adds the full chunks to the list. So the lock is taken
//! once for hundreds of states.
//!
//! A piece is smaller near the end of a level, so that no worker has to wait long for the last one.
//!
//! *A level ends when all its states are expanded.* `busy` is the number of workers that have a piece. All changes
//! happen under the lock: a worker that takes a piece is counted at once, and it is no longer counted only after it
//! has added all states that it has found. If no states are left and no worker is busy, all states of the level were
//! expanded, and all their successors are in the other list: that becomes the present level, whose states are exactly
//! those whose distance is one more. If that is empty, too, the search is complete, and the queue is closed. The
//! first worker counts as busy from the beginning, with the initial states.
//!
//! *No worker waits for ever.* A worker sleeps only if no states are left and another worker is busy. The worker that
//! begins a level or closes the queue wakes the others. A worker that ends for any reason, a panic included, closes
//! the queue. A level with few states wakes no other worker: its states are expanded faster than a thread wakes up.
//! Should they take longer, the sleeping workers find them when they wake up by their timeout.
//!
//! *On disk.* With a [`DiskQueue`], a worker that adds chunks to the next level and finds that too much waits in memory, writes
//! the first ones of that level as a block. It counts as busy until they are written, so the level does not end. A worker that finds no chunk of the present level reads a
//! block of it, and counts as busy until it has added its chunks. Blocks are read in the order in which they were
//! written, and the blocks of a level are written after all of the level before, of which there are as many as were counted: so
//! a block is read in its level.

use crate::toolkit::budget::Stop;
use crate::toolkit::disk_queue::{DiskQueue, Packed, Packet};
use crate::toolkit::parents::Discovery;
use crate::toolkit::workers::Workers;
use lariat_store::frontier::Buffer;
use lariat_store::{Account, Full, Memory};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A chunk with so many words takes no more states: those of wide states are not all copied when a worker takes a part of it.
const CHUNK_WORDS: usize = 1 << 16;
/// The largest number of states in a chunk. It is small in tests, so that many chunks are passed on.
const CHUNK: usize = if cfg!(test) { 8 } else { 1024 };
/// The smallest number of states in a piece, if there are as many.
const SMALLEST_PIECE: usize = if cfg!(test) { 1 } else { 16 };
/// The number of states from which a level wakes other workers.
const WORTH_WAKING: u64 = if cfg!(test) { 2 } else { 256 };
/// The timeout of a sleeping worker.
const NAP: Duration = Duration::from_millis(20);

/// The states that wait, level by level.
pub(crate) struct Levels<I> {
    workers: u64,
    queue: Mutex<Queue<I>>,
    changed: Condvar,
    disk: Option<DiskQueue<Chunk<I>>>,
}

struct Queue<I> {
    /// The number of the present level; the initial states are level 1.
    level: u64,
    present: VecDeque<Chunk<I>>,
    /// The number of states of the present level that no worker has taken.
    waiting: u64,
    next: VecDeque<Chunk<I>>,
    /// The bytes of the chunks in `present` and in `next`.
    present_bytes: u64,
    next_bytes: u64,
    /// The blocks of the present level on disk that no worker has taken.
    present_blocks: u64,
    /// The blocks of the next level on disk, and the states in them.
    next_blocks: u64,
    next_in_blocks: u64,
    busy: u32,
    asleep: u32,
    closed: bool,
}

/// States that are consecutive in the log of their worker.
struct Chunk<I> {
    /// The discovery of the first state.
    first: Discovery,
    account: Account,
    states: Vec<I>,
    /// Their words one behind the other, and where those of each state end. Both are empty if the store gives the words of a state.
    words: Vec<u32>,
    ends: Vec<u32>,
    /// How many of the states were taken.
    taken: usize,
}

impl<I: Packed> Chunk<I> {
    fn new(memory: &Memory) -> Self {
        Chunk {
            first: Discovery::ROOT,
            account: memory.account(),
            states: Vec::new(),
            words: Vec::new(),
            ends: Vec::new(),
            taken: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.states.len() >= CHUNK || self.words.len() >= CHUNK_WORDS
    }

    /// The words of a state, if the queue has them.
    fn words_of(&self, index: usize) -> &[u32] {
        let Some(&end) = self.ends.get(index) else {
            return &[];
        };
        &self.words[self.words_before(index)..end as usize]
    }

    /// Where the words of a state begin.
    fn words_before(&self, index: usize) -> usize {
        index
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize)
    }

    fn waiting(&self) -> usize {
        self.states.len() - self.taken
    }

    fn is_contiguous(&self, discovery: Discovery) -> bool {
        self.first.offset(self.states.len()) == discovery
    }

    #[inline]
    fn push(&mut self, state: I, words: Option<&[u32]>) -> Result<(), Full> {
        if self.states.len() == self.states.capacity() {
            self.grow((2 * self.states.len()).max(SMALLEST_PIECE))?;
        }
        if let Some(words) = words {
            self.push_words(words)?;
        }
        self.states.push(state);
        Ok(())
    }

    fn push_words(&mut self, words: &[u32]) -> Result<(), Full> {
        let needed = self.words.len() + words.len();
        if needed > self.words.capacity() {
            let wanted = 2 * self.words.capacity();
            self.account.grow_at_best(&mut self.words, needed, wanted)?;
        }
        let end = u32::try_from(needed).map_err(|_| Full)?;
        self.account.grow_for_push(&mut self.ends)?;
        self.words.extend_from_slice(words);
        self.ends.push(end);
        Ok(())
    }

    /// Takes the words of so many states of another chunk, from one on.
    fn copy_words(&mut self, from: &Self, first: usize, count: usize) -> Result<(), Full> {
        for index in first..first + count {
            self.push_words(from.words_of(index))?;
        }
        Ok(())
    }

    /// Reserves memory for so many states, but at least for one more.
    #[cold]
    fn grow(&mut self, wanted: usize) -> Result<(), Full> {
        let needed = self.states.len() + 1;
        self.account
            .grow_at_best(&mut self.states, needed, wanted.min(CHUNK))
    }
}

/// A chunk of which no state was taken: the discovery of the first state; the numbers of states, of ends and of words; and these.
impl<I: Packed> Packet for Chunk<I> {
    fn pack(&self, out: &mut Buffer) -> Result<(), Full> {
        self.first.to_bits().pack(out)?;
        for length in [self.states.len(), self.ends.len(), self.words.len()] {
            (length as u32).pack(out)?;
        }
        self.states.iter().try_for_each(|state| state.pack(out))?;
        let numbers = self.ends.iter().chain(&self.words);
        numbers.into_iter().try_for_each(|number| number.pack(out))
    }

    fn unpack(bytes: &mut &[u8], memory: &Memory) -> Result<Option<Self>, Full> {
        let mut chunk = Chunk::new(memory);
        let Some(first) = u64::unpack(bytes) else {
            return Ok(None);
        };
        let mut length = || u32::unpack(bytes).map(|length| length as usize);
        let (Some(states), Some(ends), Some(words)) = (length(), length(), length()) else {
            return Ok(None);
        };
        let needed = [(states, I::BYTES), (ends, 4), (words, 4)];
        let needed = needed.map(|(count, each)| count.saturating_mul(each));
        if needed.into_iter().fold(0, usize::saturating_add) > bytes.len() {
            return Ok(None);
        }
        chunk.first = Discovery::from_bits(first);
        chunk.account.grow(&mut chunk.states, states)?;
        chunk.account.grow(&mut chunk.ends, ends)?;
        chunk.account.grow(&mut chunk.words, words)?;
        chunk
            .states
            .extend((0..states).map_while(|_| I::unpack(bytes)));
        chunk
            .ends
            .extend((0..ends).map_while(|_| u32::unpack(bytes)));
        chunk
            .words
            .extend((0..words).map_while(|_| u32::unpack(bytes)));
        Ok(Some(chunk))
    }
}

/// States of one level for one worker to expand.
pub(crate) struct Piece<I> {
    /// Their level.
    pub level: u64,
    chunk: Chunk<I>,
}

impl<I: Packed> Piece<I> {
    /// The piece of the first worker at the beginning: no states of level 0, whose successors are the initial states.
    pub fn initial(memory: &Memory) -> Self {
        Piece {
            level: 0,
            chunk: Chunk::new(memory),
        }
    }

    /// The states and their discoveries.
    pub fn states(&self) -> impl Iterator<Item = (Discovery, I)> {
        let first = self.chunk.first;
        let states = self.chunk.states.iter().enumerate();
        states
            .skip(self.chunk.taken)
            .map(move |(index, &state)| (first.offset(index), state))
    }

    /// The words of all states, in the same order; none for a state whose words the store gives.
    pub fn words(&self) -> impl Iterator<Item = &[u32]> {
        let indices = self.chunk.taken..self.chunk.states.len();
        indices.map(|index| self.chunk.words_of(index))
    }
}

/// The states that a worker has found and not passed on yet.
pub(crate) struct NextLevel<I> {
    memory: Memory,
    open: Chunk<I>,
    full: Vec<Chunk<I>>,
    /// Empty chunks.
    spare: Vec<Chunk<I>>,
}

/// The number of empty chunks that a worker keeps.
const SPARE_CHUNKS: usize = 2;

impl<I: Packed> NextLevel<I> {
    /// An empty one.
    pub fn new(memory: &Memory) -> Self {
        NextLevel {
            memory: memory.clone(),
            open: Chunk::new(memory),
            full: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Adds a new state with its discovery, and with its words, if the store does not give them.
    #[inline]
    pub fn push(
        &mut self,
        discovery: Discovery,
        state: I,
        words: Option<&[u32]>,
    ) -> Result<(), Full> {
        if self.open.is_full() || !self.open.is_contiguous(discovery) {
            self.begin(discovery);
        }
        self.open.push(state, words)
    }

    /// Begins a chunk.
    #[cold]
    fn begin(&mut self, discovery: Discovery) {
        if !self.open.states.is_empty() {
            let chunk = self.empty_chunk();
            self.full.push(std::mem::replace(&mut self.open, chunk));
        }
        self.open.first = discovery;
    }

    fn empty_chunk(&mut self) -> Chunk<I> {
        let spare = self.spare.pop();
        spare.unwrap_or_else(|| Chunk::new(&self.memory))
    }

    fn recycle(&mut self, mut chunk: Chunk<I>) {
        if self.spare.len() < SPARE_CHUNKS {
            chunk.states.clear();
            chunk.words.clear();
            chunk.ends.clear();
            chunk.taken = 0;
            chunk.first = Discovery::ROOT;
            self.spare.push(chunk);
        }
    }

    /// Passes on the full chunks, and with `all` also the rest.
    fn hand_over(&mut self, all: bool, queue: &mut Queue<I>) {
        for chunk in self.full.drain(..) {
            queue.add_next(chunk);
        }
        if all && !self.open.states.is_empty() {
            let chunk = self.empty_chunk();
            queue.add_next(std::mem::replace(&mut self.open, chunk));
        }
    }

    /// Whether there are full chunks.
    pub fn has_full_chunks(&self) -> bool {
        !self.full.is_empty()
    }
}

impl<I: Packed> Levels<I> {
    /// An empty queue for these workers, the first of which has [`Piece::initial`].
    pub fn new(pool: &Workers) -> Self {
        let disk = pool.spill();
        Levels {
            workers: pool.workers() as u64,
            disk: disk.map(|spill| DiskQueue::new(spill, pool.memory())),
            queue: Mutex::new(Queue {
                level: 0,
                present: VecDeque::new(),
                waiting: 0,
                next: VecDeque::new(),
                present_bytes: 0,
                next_bytes: 0,
                present_blocks: 0,
                next_blocks: 0,
                next_in_blocks: 0,
                busy: 1,
                asleep: 0,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// The next piece for a worker that has finished another one, or begins. Waits for the other workers if they may
    /// find states, and calls `tick` with the level from time to time meanwhile. `None` when the search is over.
    pub fn take(
        &self,
        done: Option<Piece<I>>,
        next_level: &mut NextLevel<I>,
        tick: &mut dyn FnMut(u64) -> Result<(), Stop>,
    ) -> Result<Option<Piece<I>>, Stop> {
        let mut queue = self.queue();
        next_level.hand_over(queue.is_level_taken(), &mut queue);
        if let Some(disk) = &self.disk {
            queue = self.write_excess(disk, queue)?;
        }
        if let Some(piece) = done {
            next_level.recycle(piece.chunk);
            queue.busy -= 1;
        }
        loop {
            if queue.closed {
                return Ok(None);
            }
            if queue.is_level_taken() && queue.busy == 0 {
                // Others may have taken the last states while this worker wrote to the disk.
                next_level.hand_over(true, &mut queue);
                self.begin_level(&mut queue);
                continue;
            }
            if let Some(disk) = &self.disk
                && queue.present.is_empty()
                && queue.present_blocks > 0
            {
                queue = self.read_block(disk, queue)?;
                continue;
            }
            if !queue.present.is_empty() {
                let most = self.piece_size(queue.waiting);
                let chunk = queue.take(most, next_level)?;
                return Ok(Some(Piece {
                    level: queue.level,
                    chunk,
                }));
            }
            next_level.hand_over(true, &mut queue);
            let level = queue.level;
            queue.asleep += 1;
            let (mut woken, timeout) = self
                .changed
                .wait_timeout(queue, NAP)
                .unwrap_or_else(PoisonError::into_inner);
            woken.asleep -= 1;
            if timeout.timed_out() {
                drop(woken);
                tick(level)?;
                woken = self.queue();
            }
            queue = woken;
        }
    }

    /// Puts states into the first level, before any worker takes a piece: the full chunks, and with `all` also the rest.
    pub fn add(&self, states: &mut NextLevel<I>, all: bool) -> Result<(), Stop> {
        let mut queue = self.queue();
        states.hand_over(all, &mut queue);
        if let Some(disk) = &self.disk {
            drop(self.write_excess(disk, queue)?);
        }
        Ok(())
    }

    /// Writes chunks of the next level to disk while too much waits in memory.
    fn write_excess<'l>(
        &'l self,
        disk: &DiskQueue<Chunk<I>>,
        mut queue: MutexGuard<'l, Queue<I>>,
    ) -> Result<MutexGuard<'l, Queue<I>>, Stop> {
        while queue.present_bytes + queue.next_bytes > disk.most()
            && queue.next_bytes >= disk.block()
        {
            let chunks = queue.take_next(disk.block());
            queue.busy += 1;
            drop(queue);
            disk.write(&chunks)?;
            let states: u64 = chunks.iter().map(|chunk| chunk.waiting() as u64).sum();
            drop(chunks);
            queue = self.queue();
            queue.busy -= 1;
            queue.next_blocks += 1;
            queue.next_in_blocks += states;
        }
        Ok(queue)
    }

    /// Reads a block of the present level from disk.
    fn read_block<'l>(
        &'l self,
        disk: &DiskQueue<Chunk<I>>,
        mut queue: MutexGuard<'l, Queue<I>>,
    ) -> Result<MutexGuard<'l, Queue<I>>, Stop> {
        queue.present_blocks -= 1;
        queue.busy += 1;
        drop(queue);
        let mut chunks = Vec::new();
        disk.take(|chunk| chunks.push(chunk))?;
        let mut queue = self.queue();
        queue.busy -= 1;
        for chunk in chunks {
            queue.present_bytes += chunk.account.held();
            queue.present.push_back(chunk);
        }
        if queue.asleep > 0 {
            self.changed.notify_all();
        }
        Ok(queue)
    }

    /// Ends the search for all workers.
    pub fn close(&self) {
        self.queue().closed = true;
        self.changed.notify_all();
    }

    fn begin_level(&self, queue: &mut Queue<I>) {
        std::mem::swap(&mut queue.present, &mut queue.next);
        std::mem::swap(&mut queue.present_bytes, &mut queue.next_bytes);
        let in_memory: u64 = queue.present.iter().map(|c| c.waiting() as u64).sum();
        queue.waiting = in_memory + std::mem::take(&mut queue.next_in_blocks);
        queue.present_blocks = std::mem::take(&mut queue.next_blocks);
        queue.level += 1;
        queue.closed = queue.is_level_taken();
        if queue.asleep > 0 && (queue.closed || queue.waiting >= WORTH_WAKING) {
            self.changed.notify_all();
        }
    }

    /// The number of states that a worker should take when so many wait.
    fn piece_size(&self, waiting: u64) -> usize {
        if self.workers == 1 {
            return CHUNK;
        }
        let share = waiting / (4 * self.workers);
        (share as usize).clamp(SMALLEST_PIECE, CHUNK)
    }

    /// A poisoned lock: no panic can happen in the middle of a change, so the queue is valid.
    fn queue(&self) -> MutexGuard<'_, Queue<I>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the queue when a worker ends, for any reason: then the search ends.
pub(crate) struct Closing<'l, I: Packed>(pub &'l Levels<I>);

impl<I: Packed> Drop for Closing<'_, I> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl<I: Packed> Queue<I> {
    /// Whether workers have taken all states of the present level.
    fn is_level_taken(&self) -> bool {
        self.present.is_empty() && self.present_blocks == 0
    }

    fn add_next(&mut self, chunk: Chunk<I>) {
        self.next_bytes += chunk.account.held();
        self.next.push_back(chunk);
    }

    /// Removes the first chunks of the next level: so many bytes, if there are as many.
    fn take_next(&mut self, bytes: u64) -> Vec<Chunk<I>> {
        let (mut chunks, mut taken) = (Vec::new(), 0);
        while taken < bytes
            && let Some(chunk) = self.next.pop_front()
        {
            taken += chunk.account.held();
            chunks.push(chunk);
        }
        self.next_bytes -= taken;
        chunks
    }

    /// Takes at most so many states from the first chunk, and makes the worker busy.
    fn take(&mut self, most: usize, next_level: &mut NextLevel<I>) -> Result<Chunk<I>, Full> {
        let Some(first) = self.present.front_mut() else {
            return Err(Full);
        };
        let waiting = first.waiting();
        let piece = if waiting <= most {
            let chunk = self.present.pop_front().ok_or(Full)?;
            self.present_bytes -= chunk.account.held();
            chunk
        } else {
            let mut piece = next_level.empty_chunk();
            piece.grow(most)?;
            let most = most.min(piece.states.capacity());
            let rest = first.taken;
            piece.first = first.first.offset(rest);
            piece
                .states
                .extend_from_slice(&first.states[rest..rest + most]);
            if !first.ends.is_empty() {
                piece.copy_words(first, rest, most)?;
            }
            first.taken += most;
            piece
        };
        self.waiting -= piece.waiting() as u64;
        self.busy += 1;
        Ok(piece)
    }
}
