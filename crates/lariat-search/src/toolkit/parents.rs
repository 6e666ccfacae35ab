//! The parents of the states of a breadth-first search, in little more than a byte for each.
//!
//! Each worker numbers the states that it was the first to find: 0, 1, 2 and so on; worker and number are the
//! [`Discovery`] of a state. A worker keeps a log with an entry for each of them. An entry contains the label of the
//! edge that led to the state; the source of that edge is encoded only as far as necessary. A worker expands states
//! mostly in the order of their discovery, so an entry tells whether the parent is the same as before, or the next
//! state, or how many states without children lie between them; only when the worker continues with other states does
//! it log a discovery. Most entries take one byte, and a gap one more.
//!
//! Finding the parent of a state requires reading from the beginning. So for every 1024 entries there is a block
//! start with the position in the log and the parent there. When all workers have stopped, a path is read backwards:
//! the block with the entry of the state is decoded, which gives the label and the parent, and so on. The states
//! themselves are not needed for that.

use crate::toolkit::column::Column;
use crate::toolkit::outcome::Path;
use lariat_store::{Account, Full, Memory};

/// A state, by the worker that found it first, and its number among the states that this worker found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Discovery(u64);

const NUMBER_BITS: u32 = 48;

impl Discovery {
    /// The parent of the initial states.
    pub const ROOT: Discovery = Discovery(u64::MAX);

    /// The largest number of workers.
    pub const MAX_WORKERS: usize = (1 << (u64::BITS - NUMBER_BITS)) - 1;

    /// A discovery. A worker finds fewer than 2^48 states.
    pub fn new(worker: usize, number: u64) -> Self {
        Discovery((worker as u64) << NUMBER_BITS | number)
    }

    /// The discovery as a number.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The discovery with this number.
    pub fn from_bits(bits: u64) -> Self {
        Discovery(bits)
    }

    fn worker(self) -> usize {
        (self.0 >> NUMBER_BITS) as usize
    }

    fn number(self) -> u64 {
        self.0 & ((1 << NUMBER_BITS) - 1)
    }

    /// The discovery so many states later.
    pub fn offset(self, states: usize) -> Self {
        Discovery(self.0 + states as u64)
    }
}

/// The log of one worker.
pub(crate) struct ParentLog {
    worker: usize,
    log: Bytes,
    /// One for every [`BLOCK`] entries.
    starts: Column<BlockStart>,
    born: u64,
    /// The parent of the last entry.
    parent: Discovery,
}

/// The start of a block of the log.
#[derive(Clone, Copy)]
struct BlockStart {
    position: u64,
    /// The parent of the previous entry.
    parent: Discovery,
}

const BLOCK: u64 = 1024;

// The first byte of an entry. Its offset in one of these ranges is a parameter.

/// The same parent as the previous entry: the label.
const SAME: u8 = 0;
/// The same, but the label has a further byte.
const SAME_LONG: u8 = 80;
/// The next state as the parent: the label.
const NEXT: u8 = 96;
/// The same, but the label has a further byte.
const NEXT_LONG: u8 = 192;
/// So many states have no child.
const SKIP: u8 = 208;
/// More of them; a number follows.
const SKIP_MANY: u8 = 248;
/// The same parent; the label follows as a number.
const SAME_ANY: u8 = 249;
/// The next state as the parent; the label follows as a number.
const NEXT_ANY: u8 = 250;
/// A discovery follows that replaces the parent of the previous entry.
const GO_TO: u8 = 251;

impl ParentLog {
    /// An empty log.
    pub fn new(worker: usize, memory: &Memory) -> Self {
        ParentLog {
            worker,
            log: Bytes::new(memory),
            starts: Column::new(memory),
            born: 0,
            parent: Discovery::ROOT,
        }
    }

    /// The number of entries.
    pub fn len(&self) -> u64 {
        self.born
    }

    /// The discovery of the next new state.
    pub fn next_discovery(&self) -> Discovery {
        Discovery::new(self.worker, self.born)
    }

    /// Logs that the edge with this label led from `parent`, or [`Discovery::ROOT`], to a new state.
    #[inline]
    pub fn push(&mut self, parent: Discovery, label: u32) -> Result<(), Full> {
        if self.born.is_multiple_of(BLOCK) {
            self.starts.push(BlockStart {
                position: self.log.len(),
                parent: self.parent,
            })?;
        }
        match parent.0.checked_sub(self.parent.0) {
            Some(0) => self.entry(SAME, label)?,
            Some(1) => self.entry(NEXT, label)?,
            Some(gap) if gap < 1 << 32 => {
                self.skip(gap - 1)?;
                self.entry(NEXT, label)?;
            }
            _ => {
                self.log.push(GO_TO)?;
                self.log.push_number(parent.worker() as u64)?;
                self.log.push_number(parent.number())?;
                self.entry(SAME, label)?;
            }
        }
        self.parent = parent;
        self.born += 1;
        Ok(())
    }

    /// Adds an entry of one of the two kinds.
    #[inline]
    fn entry(&mut self, kind: u8, label: u32) -> Result<(), Full> {
        let (long, any) = match kind {
            SAME => (SAME_LONG, SAME_ANY),
            _ => (NEXT_LONG, NEXT_ANY),
        };
        let short = u32::from(long - kind);
        if label < short {
            return self.log.push(kind + label as u8);
        }
        let rest = label - short;
        if rest < 16 << 8 {
            self.log.push(long + (rest >> 8) as u8)?;
            return self.log.push(rest as u8);
        }
        self.log.push(any)?;
        self.log.push_number(u64::from(label))
    }

    fn skip(&mut self, states: u64) -> Result<(), Full> {
        if states <= u64::from(SKIP_MANY - SKIP) {
            return self.log.push(SKIP + (states - 1) as u8);
        }
        self.log.push(SKIP_MANY)?;
        self.log.push_number(states)
    }

    /// The parents and labels of the entries of a block.
    fn read_block(&self, block: u64) -> Vec<(Discovery, u32)> {
        let BlockStart {
            mut position,
            mut parent,
        } = self.starts.get(block);
        let count = (self.born - block * BLOCK).min(BLOCK) as usize;
        let mut parent_log = Vec::with_capacity(count);
        let long = |high: u8, low: u8| u32::from(high) << 8 | u32::from(low);
        while parent_log.len() < count {
            let first = self.log.next(&mut position);
            let label = match first {
                SAME..SAME_LONG => u32::from(first - SAME),
                SAME_LONG..NEXT => {
                    let low = self.log.next(&mut position);
                    u32::from(SAME_LONG - SAME) + long(first - SAME_LONG, low)
                }
                NEXT..NEXT_LONG => u32::from(first - NEXT),
                NEXT_LONG..SKIP => {
                    let low = self.log.next(&mut position);
                    u32::from(NEXT_LONG - NEXT) + long(first - NEXT_LONG, low)
                }
                SKIP..SKIP_MANY => {
                    parent.0 += u64::from(first - SKIP) + 1;
                    continue;
                }
                SKIP_MANY => {
                    parent.0 += self.log.next_number(&mut position);
                    continue;
                }
                SAME_ANY | NEXT_ANY => self.log.next_number(&mut position) as u32,
                _ => {
                    let worker = self.log.next_number(&mut position);
                    parent = Discovery::new(worker as usize, self.log.next_number(&mut position));
                    continue;
                }
            };
            if (NEXT..SKIP).contains(&first) || first == NEXT_ANY {
                parent.0 += 1;
            }
            parent_log.push((parent, label));
        }
        parent_log
    }
}

/// Reads paths from the logs of all workers.
pub(crate) struct ParentLogs<'a> {
    /// By worker.
    parent_log: Vec<&'a ParentLog>,
    /// The discovery at which the last decoded block starts.
    start: Discovery,
    block: Vec<(Discovery, u32)>,
}

impl<'a> ParentLogs<'a> {
    /// The logs in the order of the workers.
    pub fn new(parent_log: impl Iterator<Item = &'a ParentLog>) -> Self {
        ParentLogs {
            parent_log: parent_log.collect(),
            start: Discovery::ROOT,
            block: Vec::new(),
        }
    }

    /// The path to a state, and then along `label`.
    pub fn path(&mut self, mut discovery: Discovery, label: Option<u32>) -> Path {
        let mut labels: Vec<u32> = label.into_iter().collect();
        let mut initial = None;
        while discovery != Discovery::ROOT {
            let (parent, label) = self.entry(discovery);
            match parent {
                Discovery::ROOT => initial = Some(label),
                _ => labels.push(label),
            }
            discovery = parent;
        }
        labels.reverse();
        Path { initial, labels }
    }

    fn entry(&mut self, discovery: Discovery) -> (Discovery, u32) {
        let block = discovery.number() / BLOCK;
        let start = Discovery::new(discovery.worker(), block * BLOCK);
        if self.start != start {
            self.block = self.parent_log[discovery.worker()].read_block(block);
            self.start = start;
        }
        self.block[(discovery.number() % BLOCK) as usize]
    }
}

/// A growing sequence of bytes whose large parts never move.
pub(crate) struct Bytes {
    account: Account,
    /// All but the last one are full.
    chunks: Vec<Vec<u8>>,
}

const CHUNK: usize = 1 << 16;
/// The capacity of the first chunk at the beginning.
const FIRST_CAPACITY: usize = 64;

impl Bytes {
    pub fn new(memory: &Memory) -> Self {
        Bytes {
            account: memory.account(),
            chunks: Vec::new(),
        }
    }

    pub fn len(&self) -> u64 {
        let last = self.chunks.last().map_or(CHUNK, Vec::len);
        (self.chunks.len() * CHUNK + last - CHUNK) as u64
    }

    #[inline]
    pub fn push(&mut self, byte: u8) -> Result<(), Full> {
        if let Some(last) = self.chunks.last_mut()
            && last.len() < last.capacity()
        {
            last.push(byte);
            return Ok(());
        }
        self.grow()?;
        self.push_slowly(byte);
        Ok(())
    }

    #[cold]
    fn push_slowly(&mut self, byte: u8) {
        if let Some(last) = self.chunks.last_mut() {
            last.push(byte);
        }
    }

    /// Reserves memory for a byte.
    #[cold]
    fn grow(&mut self) -> Result<(), Full> {
        if let Some(last) = self.chunks.last_mut()
            && last.len() < CHUNK
        {
            let wanted = (2 * last.capacity()).clamp(FIRST_CAPACITY, CHUNK);
            let needed = last.len() + 1;
            return self.account.grow_at_best(last, needed, wanted);
        }
        self.account.grow_for_push(&mut self.chunks)?;
        let wanted = match self.chunks.len() {
            0 => FIRST_CAPACITY,
            _ => CHUNK,
        };
        let mut chunk = Vec::new();
        self.account.grow_at_best(&mut chunk, 1, wanted)?;
        self.chunks.push(chunk);
        Ok(())
    }

    /// A number in groups of 7 bits, the low ones first.
    pub fn push_number(&mut self, mut number: u64) -> Result<(), Full> {
        while number >= 1 << 7 {
            self.push(number as u8 | 1 << 7)?;
            number >>= 7;
        }
        self.push(number as u8)
    }

    /// The byte at a position, which is advanced.
    pub fn next(&self, position: &mut u64) -> u8 {
        let index = *position as usize;
        *position += 1;
        self.chunks[index / CHUNK][index % CHUNK]
    }

    pub fn next_number(&self, position: &mut u64) -> u64 {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.next(position);
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 1 << 7 {
                break;
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    /// Logged entries are read back, for any labels and any order of parents.
    #[test]
    fn logged_parents_are_read_back() {
        for number in 0..20 {
            let mut rng = stream(1, "parent_log", number);
            let memory = Memory::new(None);
            let mut parent_log = ParentLog::new(3, &memory);
            let mut expected = Vec::new();
            let mut parent = Discovery::ROOT;
            for _ in 0..10_000 {
                let gap = [50, 5000][rng.index(2)];
                parent = match rng.index(8) {
                    0..3 => parent,
                    _ if parent == Discovery::ROOT => Discovery::new(2, 5),
                    3..6 => parent.offset(1),
                    6 => parent.offset(rng.below(gap) as usize),
                    _ => Discovery::new(rng.index(Discovery::MAX_WORKERS), rng.below(1 << 40)),
                };
                let bits = [3, 7, 12, 13, 32][rng.index(5)];
                let label = rng.below(1 << bits) as u32;
                parent_log.push(parent, label).unwrap();
                expected.push((parent, label));
            }
            let blocks =
                (0..parent_log.len().div_ceil(BLOCK)).map(|block| parent_log.read_block(block));
            let read: Vec<_> = blocks.flatten().collect();
            assert_eq!(read, expected, "number {number}");
        }
    }

    /// An entry with a small label and the same or the next parent takes one byte.
    #[test]
    fn an_entry_takes_one_byte() {
        const ENTRIES: u64 = 1_000_000;
        let memory = Memory::new(None);
        let mut parent_log = ParentLog::new(0, &memory);
        parent_log.push(Discovery::ROOT, 0).unwrap();
        let mut parent = 0;
        for entry in 0..ENTRIES {
            parent += [0, 1, 1, 2][entry as usize % 4];
            parent_log
                .push(Discovery::new(0, parent), entry as u32 % 80)
                .unwrap();
        }
        let bytes = memory.held() as f64 / ENTRIES as f64;
        assert!(bytes < 1.4, "{bytes}");
        drop(parent_log);
        assert_eq!(memory.held(), 0);
    }

    #[test]
    fn a_limit_is_respected() {
        for limit in (0..300_000).step_by(9973) {
            let memory = Memory::new(Some(limit));
            let mut parent_log = ParentLog::new(0, &memory);
            while parent_log.push(Discovery::ROOT, 7).is_ok() {
                assert!(memory.peak() <= limit);
            }
            let labels =
                (0..parent_log.len().div_ceil(BLOCK)).flat_map(|b| parent_log.read_block(b));
            let count = labels
                .filter(|&entry| entry == (Discovery::ROOT, 7))
                .count();
            assert_eq!(count as u64, parent_log.len(), "{limit}");
        }
    }
}
