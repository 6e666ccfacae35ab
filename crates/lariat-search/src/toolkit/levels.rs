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

use crate::toolkit::budget::Stop;
use crate::toolkit::parents::Discovery;
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
}

struct Queue<I> {
    /// The number of the present level; the initial states are level 1.
    level: u64,
    present: VecDeque<Chunk<I>>,
    /// The number of states in `present`.
    waiting: u64,
    next: VecDeque<Chunk<I>>,
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

impl<I: Copy> Chunk<I> {
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

/// States of one level for one worker to expand.
pub(crate) struct Piece<I> {
    /// Their level.
    pub level: u64,
    chunk: Chunk<I>,
}

impl<I: Copy> Piece<I> {
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

impl<I: Copy> NextLevel<I> {
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
    fn hand_over(&mut self, all: bool, list: &mut VecDeque<Chunk<I>>) {
        list.extend(self.full.drain(..));
        if all && !self.open.states.is_empty() {
            let chunk = self.empty_chunk();
            list.push_back(std::mem::replace(&mut self.open, chunk));
        }
    }
}

impl<I: Copy> Levels<I> {
    /// An empty queue for so many workers, the first of which has [`Piece::initial`].
    pub fn new(workers: usize) -> Self {
        Levels {
            workers: workers as u64,
            queue: Mutex::new(Queue {
                level: 0,
                present: VecDeque::new(),
                waiting: 0,
                next: VecDeque::new(),
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
        next_level.hand_over(queue.present.is_empty(), &mut queue.next);
        if let Some(piece) = done {
            next_level.recycle(piece.chunk);
            queue.busy -= 1;
        }
        loop {
            if queue.closed {
                return Ok(None);
            }
            if queue.present.is_empty() && queue.busy == 0 {
                self.begin_level(&mut queue);
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
            next_level.hand_over(true, &mut queue.next);
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

    /// Puts states into the first level, before any worker takes a piece.
    pub fn add(&self, states: &mut NextLevel<I>) {
        states.hand_over(true, &mut self.queue().next);
    }

    /// Ends the search for all workers.
    pub fn close(&self) {
        self.queue().closed = true;
        self.changed.notify_all();
    }

    fn begin_level(&self, queue: &mut Queue<I>) {
        std::mem::swap(&mut queue.present, &mut queue.next);
        queue.waiting = queue.present.iter().map(|c| c.waiting() as u64).sum();
        queue.level += 1;
        queue.closed = queue.present.is_empty();
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
pub(crate) struct Closing<'l, I: Copy>(pub &'l Levels<I>);

impl<I: Copy> Drop for Closing<'_, I> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl<I: Copy> Queue<I> {
    /// Takes at most so many states from the first chunk, and makes the worker busy.
    fn take(&mut self, most: usize, next_level: &mut NextLevel<I>) -> Result<Chunk<I>, Full> {
        let Some(first) = self.present.front_mut() else {
            return Err(Full);
        };
        let waiting = first.waiting();
        let piece = if waiting <= most {
            self.present.pop_front().ok_or(Full)?
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
