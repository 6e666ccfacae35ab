//! A small memory of recent nodes in front of the index: what they have and their numbers.
//!
//! Each thread has its own, so it needs no locks, and most lookups end here: successors change the
//! same few parts of a state again and again. It is direct-mapped: each quad has one place and drives
//! out what was there. It grows while it is too small and the memory limit allows.

use super::encoder::Quad;
use super::nodes::halves;
use crate::fold::fold;
use crate::memory::{Account, Memory};

const FIRST_BITS: u32 = 6;
const MOST_BITS: u32 = 14;
#[derive(Clone, Copy, Debug)]
struct Entry {
    quad: Quad,
    number: u32,
}

/// What the empty places hold: a quad that is no node's, because no node has this number as a part, and
/// if it is words, it is looked up in the index each time.
const EMPTY: Entry = Entry {
    quad: [u32::MAX; 4],
    number: 0,
};

/// The cache.
#[derive(Debug)]
pub(crate) struct Cache {
    account: Account,
    entries: Vec<Entry>,
    /// The upper bits of a product are the place; this many are cut off.
    shift: u32,
    misses: usize,
}

impl Cache {
    pub fn new(memory: &Memory) -> Self {
        Cache {
            account: memory.account(),
            entries: Vec::new(),
            shift: 64 - FIRST_BITS,
            misses: 0,
        }
    }

    #[inline(always)]
    fn place(&self, quad: Quad) -> usize {
        let (low, high) = halves(quad);
        let hash = fold(low ^ 0x9e37_79b9_7f4a_7c15, high ^ 0xd6e8_feb8_6659_fd93);
        (hash >> self.shift) as usize
    }

    /// The number of the node that has this, if it is here.
    #[inline(always)]
    pub fn get(&self, quad: Quad) -> Option<u32> {
        let entry = self.entries.get(self.place(quad))?;
        (entry.quad == quad && quad != EMPTY.quad).then_some(entry.number)
    }

    /// Remembers a node that was not here.
    pub fn put(&mut self, quad: Quad, number: u32) {
        self.misses += 1;
        if self.misses > 2 * self.entries.len() && self.shift > 64 - MOST_BITS {
            self.grow();
        }
        let place = self.place(quad);
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Entry { quad, number };
        }
    }

    /// Doubles the cache, which is empty then, unless memory is short.
    fn grow(&mut self) {
        self.misses = 0;
        let len = (2 * self.entries.len()).max(1 << FIRST_BITS);
        let mut larger = Vec::new();
        if self.account.grow(&mut larger, len).is_err() {
            return;
        }
        larger.resize(len, EMPTY);
        let old = std::mem::replace(&mut self.entries, larger);
        self.shift = 64 - len.trailing_zeros();
        self.account.discard(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_right() {
        let memory = Memory::new(None);
        let mut cache = Cache::new(&memory);
        assert_eq!(cache.get([0; 4]), None);
        let mut hits = 0;
        for i in 0..200_000u64 {
            let value = (i % 3000 * 77) as u32;
            let quad = [value, 1, value, 2];
            match cache.get(quad) {
                Some(number) => {
                    assert_eq!(number, value);
                    hits += 1;
                }
                None => cache.put(quad, value),
            }
        }
        assert!(hits > 140_000, "{hits}");
        assert_eq!(memory.held(), (cache.entries.capacity() * 20) as u64);
    }

    #[test]
    fn without_memory_it_is_small() {
        let memory = Memory::new(Some(3000));
        let mut cache = Cache::new(&memory);
        for i in 0..10_000u32 {
            cache.put([i, 0, 0, 0], i);
        }
        assert!(memory.peak() <= 3000);
        assert_eq!(cache.get([9999, 0, 0, 0]), Some(9999));
    }
}
