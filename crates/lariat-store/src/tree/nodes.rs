//! The nodes of all trees: eight words, or the numbers of up to eight other nodes.
//!
//! The content of a node is its *row*; whether it is words or node numbers follows from the node's position in the
//! tree. A node never moves: the array consists of chunks, each as large as all earlier ones, which take address
//! space when they are begun and memory as they fill up. So a number stays valid and can be followed without a lock.
//!
//! # Why a reader sees the row that was written
//!
//! A thread writes the row of a new number, with plain stores, before it publishes the number by a compare-and-swap
//! with release ordering in the index. A thread that gets the number from the index loads it with acquire ordering,
//! and so reads the row that was written before. A thread that gets the number from another thread, inside a
//! reference, gets it by an operation that synchronises the two threads. A number that is not published is known to
//! one thread only.

use super::encoder::Row;
use crate::memory::{Account, Full, Memory};
use crate::pages::Region;
use crate::prefetch::prefetch;
use crate::set::Refused;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use std::ops::Range;
use std::sync::{OnceLock, PoisonError};

/// The first chunk has `2^FIRST_BITS` nodes.
const FIRST_BITS: u32 = 8;
/// All chunks together hold nearly all 32-bit numbers.
const CHUNKS: usize = 32 - FIRST_BITS as usize;
/// The number of numbers that a thread reserves at once. A divisor of the sizes of all chunks.
const BLOCK: u64 = 64;
/// With less memory than this, no huge pages are used.
const LEAST_FOR_HUGE: u64 = 256 << 20;
const END: u64 = (1 << 32) - (1 << FIRST_BITS);

/// All nodes.
#[derive(Debug)]
pub(crate) struct Nodes {
    memory: Memory,
    chunks: [OnceLock<Region<[AtomicU64; 4]>>; CHUNKS],
    fresh: Mutex<Fresh>,
    /// How many numbers have been reserved, for readers without the lock.
    handed_out: AtomicU64,
}

/// The numbers that are free.
#[derive(Debug)]
struct Fresh {
    account: Account,
    next: u64,
    /// The memory of nodes below this number is charged.
    charged: u64,
    /// Numbers that were reserved and are free again.
    unused: Option<NodesInUse>,
}

/// The set of nodes that are in use, for the garbage collection.
#[derive(Debug)]
pub(crate) struct NodesInUse {
    _account: Account,
    words: Vec<u64>,
    /// The number of nodes.
    len: u64,
    /// Words before this one contain no free node.
    first: usize,
    /// The number of nodes that are not in use, once the set is complete.
    free: u64,
}

impl NodesInUse {
    /// Adds a node.
    #[inline]
    pub fn add(&mut self, number: u32) {
        if let Some(word) = self.words.get_mut(number as usize / 64) {
            *word |= 1 << (number % 64);
        }
    }

    /// The number of nodes in the set.
    pub fn count(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// The nodes in the set.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let bits = |(index, &word): (usize, &u64)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| (index * 64 + bit) as u32)
        };
        self.words.iter().enumerate().flat_map(bits)
    }

    /// Some neighbouring nodes that are not in use; adds them to the set.
    fn take_gap(&mut self) -> Option<Range<u32>> {
        while let Some(word) = self.words.get_mut(self.first) {
            let start = word.trailing_ones();
            let end = match start {
                64 => 64,
                _ => start + (*word >> start).trailing_zeros().min(64 - start),
            };
            let base = self.first as u64 * 64;
            let gap = base + u64::from(start)..(base + u64::from(end)).min(self.len);
            if gap.is_empty() {
                self.first += 1;
                continue;
            }
            (start..end).for_each(|bit| *word |= 1 << bit);
            self.free = self.free.saturating_sub(gap.end - gap.start);
            return Some(gap.start as u32..gap.end as u32);
        }
        None
    }
}

/// The chunk of a number and its index there.
#[inline(always)]
fn place(number: u32) -> (usize, usize) {
    let shifted = u64::from(number) + (1 << FIRST_BITS);
    let bit = 63 - shifted.leading_zeros();
    ((bit - FIRST_BITS) as usize, (shifted ^ (1 << bit)) as usize)
}

impl Nodes {
    pub fn new(memory: &Memory) -> Self {
        Nodes {
            memory: memory.clone(),
            chunks: [const { OnceLock::new() }; CHUNKS],
            fresh: Mutex::new(Fresh {
                account: memory.account(),
                next: 0,
                charged: 0,
                unused: None,
            }),
            handed_out: AtomicU64::new(0),
        }
    }

    /// The row of a node; zeros if there is no such node.
    #[inline(always)]
    pub fn row(&self, number: u32) -> Row {
        match self.node(number) {
            Some(node) => node.each_ref().map(|half| half.load(Ordering::Relaxed)),
            None => [0; 4],
        }
    }

    #[inline(always)]
    fn node(&self, number: u32) -> Option<&[AtomicU64; 4]> {
        let (chunk, offset) = place(number);
        self.chunks[chunk].get().and_then(|chunk| chunk.get(offset))
    }

    /// Prefetches a node.
    #[inline(always)]
    pub fn announce(&self, number: u32) {
        if let Some(node) = self.node(number) {
            prefetch((&raw const *node).addr());
        }
    }

    /// Writes the row of a number that this thread has reserved and not published yet.
    pub fn write(&self, number: u32, row: &Row) {
        if let Some(node) = self.node(number) {
            for (half, value) in node.iter().zip(row) {
                half.store(*value, Ordering::Relaxed);
            }
        }
    }

    /// Reserves numbers for the new nodes of one thread.
    pub fn hand_out(&self) -> Result<Range<u32>, Refused> {
        let mut fresh = self.fresh();
        if let Some(gap) = fresh.unused.as_mut().and_then(NodesInUse::take_gap) {
            return Ok(gap);
        }
        fresh.unused = None;
        let start = fresh.next;
        let end = start + BLOCK;
        if end > END {
            return Err(Refused::States);
        }
        self.charge(&mut fresh, end)
            .map_err(|Full| Refused::Memory)?;
        fresh.next = end;
        self.handed_out.store(end, Ordering::Relaxed);
        Ok(start as u32..end as u32)
    }

    /// Charges the memory of all nodes below `end`, which is at most a block beyond the nodes charged so far.
    fn charge(&self, fresh: &mut Fresh, end: u64) -> Result<(), Full> {
        if end <= fresh.charged {
            return Ok(());
        }
        // Where memory is scarce, pieces of megabytes are too large.
        let huge = self.memory.limit() >= LEAST_FOR_HUGE;
        let (index, offset) = place(fresh.charged as u32);
        let chunk = match self.chunks[index].get() {
            Some(chunk) => chunk,
            None => {
                let chunk = Region::reserve(1 << (FIRST_BITS as usize + index), huge)?;
                self.chunks[index].get_or_init(|| chunk)
            }
        };
        let step = chunk.step(huge).min(chunk.len() - offset);
        fresh.account.take((step * size_of::<Row>()) as u64)?;
        fresh.charged += step as u64;
        Ok(())
    }

    /// The empty set of nodes in use.
    pub fn none_in_use(&self) -> Result<NodesInUse, Refused> {
        let mut account = self.memory.account();
        let mut words = Vec::new();
        let len = self.len();
        let count = len.div_ceil(64) as usize;
        account
            .grow(&mut words, count)
            .map_err(|Full| Refused::Memory)?;
        words.resize(count, 0);
        Ok(NodesInUse {
            _account: account,
            words,
            len,
            first: 0,
            free: 0,
        })
    }

    /// Makes the numbers of all nodes that are not in use free. No thread may hold a number that it has reserved and
    /// not used.
    pub fn reclaim(&self, mut used: NodesInUse) {
        used.free = used.len - used.count();
        self.fresh().unused = Some(used);
    }

    /// The number of free numbers.
    pub fn spare(&self) -> u64 {
        self.fresh().unused.as_ref().map_or(0, |used| used.free)
    }

    fn fresh(&self) -> MutexGuard<'_, Fresh> {
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of numbers that have been reserved.
    pub fn len(&self) -> u64 {
        self.handed_out.load(Ordering::Relaxed)
    }

    /// The bytes that are charged.
    pub fn bytes(&self) -> u64 {
        self.fresh().account.held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_numbers_have_different_rows() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(255), (0, 255));
        assert_eq!(place(256), (1, 0));
        assert_eq!(place(767), (1, 511));
        assert_eq!(place(768), (2, 0));
        assert_eq!(place(END as u32 - 1), (CHUNKS - 1, (1 << 31) - 1));
    }

    #[test]
    fn nodes_stay_where_they_are() {
        let memory = Memory::new(Some(5_000_000));
        let nodes = Nodes::new(&memory);
        let row = |number: u32| [1, number.into(), 2, (!number).into()];
        let mut count = 0u32;
        while let Ok(block) = nodes.hand_out() {
            assert_eq!(block.start, count);
            for number in block.clone() {
                nodes.write(number, &row(number));
            }
            count = block.end;
        }
        assert!(count > 100_000, "{count}");
        for number in 0..count {
            assert_eq!(nodes.row(number), row(number));
        }
        assert_eq!(memory.held(), nodes.bytes());
        assert!(memory.peak() <= 5_000_000);
    }
}
