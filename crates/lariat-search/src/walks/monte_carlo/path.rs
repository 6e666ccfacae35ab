//! The states of a walk, with a hash table that is emptied in constant time.
//!
//! A walk is often a few dozen states long and sometimes a hundred thousand. The table starts small with each walk,
//! so that short walks stay in the fastest cache, and doubles as the walk grows. An entry has the number of the
//! *epoch* in which it was written; starting a new epoch empties the table. Only when the epochs run out, it is
//! cleared.
//!
//! States are removed from a path only in the reverse order, so a slot can simply be freed: no probe for an older
//! state passed it.

use lariat_store::hash_words;

/// The slots of the table at the start of a walk.
const FIRST_SLOTS: usize = 128;
/// A path with more memory than this frees it if walks get short again.
const LARGE: usize = 1 << 20;

/// A slot: 16 bits of the epoch, 16 bits of the hash, 32 bits of the number of a state.
type Slot = u64;

/// The states of a walk.
#[derive(Debug, Default)]
pub(super) struct Path {
    slots: Vec<Slot>,
    mask: usize,
    epoch: u64,
    words: Vec<u32>,
    /// The end of each state in `words`, and its hash.
    ends: Vec<(usize, u64)>,
}

impl Path {
    /// Empties the path. `room` is the number of states of the longest recent walk.
    pub(super) fn clear(&mut self, room: usize) {
        if self.slots.len() > LARGE && room < self.slots.len() / 16 {
            *self = Path::default();
        }
        self.words.clear();
        self.ends.clear();
        self.shape(FIRST_SLOTS);
    }

    /// The number of states.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A state by its number.
    #[inline]
    pub(super) fn state(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |i| self.ends[i].0);
        &self.words[start..self.ends[number].0]
    }

    /// The state at the end; there must be one.
    #[inline]
    pub(super) fn last(&self) -> (&[u32], u64) {
        let number = self.ends.len() - 1;
        (self.state(number), self.ends[number].1)
    }

    /// The number of a state, if it is on the path.
    #[inline]
    pub(super) fn find(&self, state: &[u32]) -> Option<usize> {
        self.probe(state, hash_words(state)).ok()
    }

    /// Adds a state at the end; its number, if it is on the path already.
    #[inline]
    pub(super) fn push(&mut self, state: &[u32]) -> Option<usize> {
        let hash = hash_words(state);
        match self.probe(state, hash) {
            Ok(number) => Some(number),
            Err(slot) => {
                self.slots[slot] = self.entry(hash, self.ends.len());
                self.words.extend_from_slice(state);
                self.ends.push((self.words.len(), hash));
                if self.ends.len() * 2 > self.mask {
                    self.shape((self.mask + 1) * 2);
                }
                None
            }
        }
    }

    /// Removes states until `len` are left.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.ends.len() > len {
            let number = self.ends.len() - 1;
            let (_, hash) = self.ends[number];
            let entry = self.entry(hash, number);
            let mut slot = hash as usize & self.mask;
            while self.slots[slot] != entry {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = 0;
            self.ends.pop();
        }
        let end = self.ends.last().map_or(0, |&(end, _)| end);
        self.words.truncate(end);
    }

    /// The number of a state, or its slot.
    #[inline]
    fn probe(&self, state: &[u32], hash: u64) -> Result<usize, usize> {
        let tag = self.tag(hash);
        let mut slot = hash as usize & self.mask;
        loop {
            let entry = self.slots[slot];
            if entry >> 48 != self.epoch {
                return Err(slot);
            }
            let number = entry as u32 as usize;
            if entry >> 32 == tag && self.state(number) == state {
                return Ok(number);
            }
            slot = (slot + 1) & self.mask;
        }
    }

    /// The upper half of an entry.
    #[inline]
    fn tag(&self, hash: u64) -> u64 {
        self.epoch << 16 | hash >> 48
    }

    #[inline]
    fn entry(&self, hash: u64, number: usize) -> Slot {
        self.tag(hash) << 32 | number as u64
    }

    /// Makes an empty table with so many slots, a power of two, and inserts the states of the path.
    fn shape(&mut self, slots: usize) {
        self.epoch += 1;
        if self.epoch > 0xffff {
            self.slots.fill(0);
            self.epoch = 1;
        }
        if self.slots.len() < slots {
            self.slots.resize(slots, 0);
        }
        self.mask = slots - 1;
        for number in 0..self.ends.len() {
            let (_, hash) = self.ends[number];
            let mut slot = hash as usize & self.mask;
            while self.slots[slot] >> 48 == self.epoch {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = self.entry(hash, number);
        }
    }

    /// The bytes of the states of the path.
    pub(super) fn used_bytes(&self) -> u64 {
        let entry = size_of::<(usize, u64)>();
        let bytes =
            (self.mask + 1) * size_of::<Slot>() + self.words.len() * 4 + self.ends.len() * entry;
        bytes as u64
    }

    /// The bytes that the path holds.
    pub(super) fn memory_bytes(&self) -> u64 {
        let entry = size_of::<(usize, u64)>();
        let bytes = self.slots.capacity() * size_of::<Slot>()
            + self.words.capacity() * 4
            + self.ends.capacity() * entry;
        bytes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;
    use std::collections::HashMap;

    /// Pushes, look-ups and truncations against a map, over many epochs.
    #[test]
    fn the_path_is_a_stack_and_a_map() {
        let mut path = Path::default();
        for walk in 0..70_000u64 {
            let mut rng = stream(walk, "path", 0);
            path.clear(0);
            let mut map: HashMap<Vec<u32>, usize> = HashMap::new();
            let mut list: Vec<Vec<u32>> = Vec::new();
            let steps = if walk % 1000 == 0 { 5000 } else { 6 };
            let values = steps * 2;
            for _ in 0..steps {
                let width = 1 + rng.index(3);
                let state: Vec<u32> = (0..width).map(|_| rng.below(values) as u32).collect();
                assert_eq!(path.find(&state), map.get(&state).copied());
                let found = path.push(&state);
                assert_eq!(found, map.get(&state).copied());
                if found.is_none() {
                    map.insert(state.clone(), list.len());
                    list.push(state);
                }
                if rng.chance(0.05) {
                    let len = rng.index(list.len() + 1);
                    path.truncate(len);
                    list.drain(len..).for_each(|state| {
                        map.remove(&state);
                    });
                }
                assert_eq!(path.len(), list.len());
            }
            for (number, state) in list.iter().enumerate() {
                assert_eq!(path.state(number), state);
            }
        }
    }

    #[test]
    fn memory_is_freed() {
        let mut path = Path::default();
        path.clear(0);
        (0..1_000_000).for_each(|i| assert_eq!(path.push(&[i]), None));
        let large = path.memory_bytes();
        path.clear(1_000_000);
        assert_eq!(path.memory_bytes(), large);
        path.clear(100);
        assert!(path.memory_bytes() < large / 100);
    }
}
