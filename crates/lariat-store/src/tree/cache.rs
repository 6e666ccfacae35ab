//! A small memory of recent nodes in front of the index: pairs and their numbers.
//!
//! Each thread has its own, so it needs no locks, and most lookups end here: successors change the
//! same few parts of a state again and again. It is direct-mapped: each pair has one place and drives
//! out what was there. It grows while it is too small and the memory limit allows.

use crate::memory::{Account, Memory};

const FIRST_BITS: u32 = 6;
const MOST_BITS: u32 = 14;
#[derive(Clone, Copy, Debug)]
struct Entry {
    pair: u64,
    number: u32,
}

/// What the empty places hold: a pair that does not belong there. Zero belongs to the first place,
/// one does not.
fn empty(place: usize) -> Entry {
    let pair = u64::from(place == 0);
    Entry { pair, number: 0 }
}

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
    fn place(&self, pair: u64) -> usize {
        (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// The number of the node with this pair, if it is here.
    #[inline(always)]
    pub fn get(&self, pair: u64) -> Option<u32> {
        let entry = self.entries.get(self.place(pair))?;
        (entry.pair == pair).then_some(entry.number)
    }

    /// Remembers a node that was not here.
    pub fn put(&mut self, pair: u64, number: u32) {
        self.misses += 1;
        if self.misses > 2 * self.entries.len() && self.shift > 64 - MOST_BITS {
            self.grow();
        }
        let place = self.place(pair);
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Entry { pair, number };
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
        larger.extend((0..len).map(empty));
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
        assert_eq!(cache.get(0), None);
        let mut hits = 0;
        for i in 0..200_000u64 {
            let pair = i % 3000 * 77;
            match cache.get(pair) {
                Some(number) => {
                    assert_eq!(u64::from(number), pair);
                    hits += 1;
                }
                None => cache.put(pair, pair as u32),
            }
        }
        assert!(hits > 150_000, "{hits}");
        assert_eq!(memory.held(), (cache.entries.capacity() * 16) as u64);
    }

    #[test]
    fn without_memory_it_is_small() {
        let memory = Memory::new(Some(3000));
        let mut cache = Cache::new(&memory);
        for i in 0..10_000 {
            cache.put(i, i as u32);
        }
        assert!(memory.peak() <= 3000);
        assert_eq!(cache.get(9999), Some(9999));
    }
}
