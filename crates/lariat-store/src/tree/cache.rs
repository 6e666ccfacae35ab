//! A small cache of recent nodes in front of the index: their rows and their numbers.
//!
//! Each thread has its own, so it needs no locks, and most lookups end here, because successors change the same few
//! parts of a state again and again. It is direct-mapped: each row has one entry and replaces the previous one. It
//! grows while it is too small and the memory limit allows.

use super::encoder::{Row, hash_row};
use crate::memory::{Account, Memory};
use crate::prefetch::prefetch;

const FIRST_BITS: u32 = 6;
const MOST_BITS: u32 = 14;
/// The cache takes at most this part of the memory limit.
const SHARE: u64 = 32;
#[derive(Clone, Copy, Debug)]
struct Entry {
    row: Row,
    number: u32,
}

/// The number in an empty entry: no node has it.
const EMPTY: Entry = Entry {
    row: [0; 4],
    number: u32::MAX,
};

/// The cache.
#[derive(Debug)]
pub(crate) struct Cache {
    account: Account,
    entries: Vec<Entry>,
    misses: usize,
    /// The largest number of entries.
    most: usize,
}

impl Cache {
    pub fn new(memory: &Memory) -> Self {
        let share = memory.limit() / SHARE / size_of::<Entry>() as u64;
        Cache {
            account: memory.account(),
            entries: Vec::new(),
            misses: 0,
            most: share.clamp(1 << FIRST_BITS, 1 << MOST_BITS) as usize,
        }
    }

    /// The index of a hash; the number of entries is a power of two.
    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        hash as usize & self.entries.len().wrapping_sub(1)
    }

    /// Prefetches the entry of a hash.
    #[inline(always)]
    pub fn announce(&self, hash: u64) {
        if let Some(entry) = self.entries.get(self.place(hash)) {
            prefetch((&raw const *entry).addr());
        }
    }

    /// The number of the node with this row, if it is cached.
    #[inline(always)]
    pub fn get(&self, hash: u64, row: &Row) -> Option<u32> {
        let entry = self.entries.get(self.place(hash))?;
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| entry.row[k] ^ row[k]);
        ((a | b) | (c | d) == 0 && entry.number != EMPTY.number).then_some(entry.number)
    }

    /// Adds a node that is not cached.
    pub fn put(&mut self, hash: u64, row: &Row, number: u32) {
        self.misses += 1;
        if self.misses > self.entries.len() / 2 && self.entries.len() < self.most {
            self.grow();
        }
        let place = self.place(hash);
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Entry { row: *row, number };
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Doubles the cache, unless memory is scarce.
    #[cold]
    fn grow(&mut self) {
        self.misses = 0;
        let len = (2 * self.entries.len()).max(1 << FIRST_BITS);
        if len > self.most {
            return;
        }
        let mut larger = Vec::new();
        if self.account.grow(&mut larger, len).is_err() {
            return;
        }
        larger.resize(len, EMPTY);
        let old = std::mem::replace(&mut self.entries, larger);
        for entry in old.iter().filter(|entry| entry.number != EMPTY.number) {
            let place = self.place(hash_row(&entry.row));
            self.entries[place] = *entry;
        }
        self.account.discard(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_numbers_are_correct() {
        let memory = Memory::new(None);
        let mut cache = Cache::new(&memory);
        assert_eq!(cache.get(0, &[0; 4]), None);
        let mut hits = 0;
        for i in 0..200_000u64 {
            let value = i % 3000 * 77;
            let row = [value, 1, value, 2];
            let hash = hash_row(&row);
            match cache.get(hash, &row) {
                Some(number) => {
                    assert_eq!(u64::from(number), value);
                    hits += 1;
                }
                None => cache.put(hash, &row, value as u32),
            }
        }
        assert!(hits > 140_000, "{hits}");
        let bytes = cache.entries.capacity() * size_of::<Entry>();
        assert_eq!(memory.held(), bytes as u64);
    }

    #[test]
    fn the_cache_is_small_without_memory() {
        let memory = Memory::new(Some(40_000));
        let mut cache = Cache::new(&memory);
        let row = |i: u32| [u64::from(i), 0, 0, 0];
        for i in 0..10_000 {
            cache.put(hash_row(&row(i)), &row(i), i);
        }
        assert!(memory.peak() <= 40_000);
        let last = row(9999);
        assert_eq!(cache.get(hash_row(&last), &last), Some(9999));
    }
}
