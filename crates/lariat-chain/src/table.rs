//! A hash table from pairs of numbers to numbers that is emptied in constant time.
//!
//! A walk may take ten steps or ten million, and the next one starts with an empty table. Each entry has the number
//! of the round in which it was written; entries of other rounds count as empty.

/// A table that keeps its memory when it is emptied.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    round: u32,
    used: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: (u32, u32),
    round: u32,
    value: u32,
}

/// Entries of a new table, a power of two.
const SMALLEST: usize = 64;

impl Table {
    pub fn new() -> Self {
        Table {
            entries: vec![Entry::default(); SMALLEST],
            round: 1,
            used: 0,
        }
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        self.used = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.entries.fill(Entry::default());
            self.round = 1;
        }
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.used
    }

    /// The value of a key.
    #[inline]
    pub fn get(&self, key: (u32, u32)) -> Option<u32> {
        let entry = self.entries[self.slot(key)];
        (entry.round == self.round).then_some(entry.value)
    }

    /// The value of a key; `None` if it had none, and then it gets the new one.
    #[inline]
    pub fn get_or_insert(&mut self, key: (u32, u32), value: u32) -> Option<u32> {
        let slot = self.slot(key);
        if self.entries[slot].round == self.round {
            return Some(self.entries[slot].value);
        }
        self.entries[slot] = Entry {
            key,
            round: self.round,
            value,
        };
        self.used += 1;
        if self.used * 2 > self.entries.len() {
            self.grow();
        }
        None
    }

    /// Gives a key a value, whether it has one or not.
    pub fn set(&mut self, key: (u32, u32), value: u32) {
        if self.get_or_insert(key, value).is_some() {
            let slot = self.slot(key);
            self.entries[slot].value = value;
        }
    }

    /// The entry of a key, or the empty one for it. At most half of the entries are in use.
    #[inline]
    fn slot(&self, key: (u32, u32)) -> usize {
        let mask = self.entries.len() - 1;
        let mut slot = hash(key) as usize & mask;
        loop {
            let entry = &self.entries[slot];
            if entry.round != self.round || entry.key == key {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Entry::default(); self.entries.len() * 2];
        let before = std::mem::replace(&mut self.entries, larger);
        for entry in before.into_iter().filter(|e| e.round == self.round) {
            let slot = self.slot(entry.key);
            self.entries[slot] = entry;
        }
    }
}

/// A multiplicative hash, with its high half folded in.
#[inline]
fn hash((a, b): (u32, u32)) -> u64 {
    let key = u64::from(a) << 32 | u64::from(b);
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_table_is_a_map_in_every_round() {
        let mut table = Table::new();
        table.round = u32::MAX - 3;
        let mut rng = lariat_stats::stream(1, "table", 0);
        for _ in 0..10 {
            let mut map = HashMap::new();
            for value in 0..3000 {
                let key = (rng.below(50) as u32, rng.below(50) as u32);
                let before = map.get(&key).copied();
                assert_eq!(table.get(key), before);
                assert_eq!(table.get_or_insert(key, value), before);
                map.entry(key).or_insert(value);
            }
            table.clear();
            assert_eq!(table.get((1, 1)), None);
        }
        assert!(table.entries.len() <= 8192);
    }
}
