//! The index of the nodes: from a row to the number of the node that has it.
//!
//! A slot has 32 bits: as many as the numbers need at present for a number (plus one; zero is a free slot), and the
//! rest for a part of the hash, the tag, which avoids most lookups of wrong numbers. Slots come in lines of 16, the
//! size of a cache line, and a lookup goes from line to line until it finds the row or a free slot. The index is
//! divided into shards by the hash; each grows by itself, so that only a small part exists twice at any time.
//!
//! # Why it is correct with several threads
//!
//! Shards are replaced only while no thread works with them (see the module `big_reader_lock`); in between, a slot
//! changes once, from free to its final value, by a compare-and-swap. All threads that look for a row visit the same
//! slots in the same order and stop at the first free one. So two threads that insert the same row try the same slot;
//! one succeeds, and the other finds the row there. The swap has release ordering and the loads have acquire
//! ordering, because a number leads to a row that was written before.

use super::encoder::{Row, hash_row};
use super::nodes::Nodes;
use crate::memory::{Full, Memory};
use crate::pages::Region;
use crate::prefetch::prefetch;
use crate::set::Refused;
use crate::sync::{Arc, AtomicU32, AtomicU64, Ordering};
use std::ops::Range;

/// The index has `2^SHARD_BITS` shards.
pub(crate) const SHARD_BITS: u32 = 3;
const SLOTS: usize = 16;
type Line = [AtomicU32; SLOTS];

/// The shard of a hash.
#[inline(always)]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

/// Why a row cannot be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The shard has to grow, or its slots must hold larger numbers.
    Shard,
    /// No numbers are left, or no memory for their nodes.
    Refused(Refused),
}

/// One shard of the index; clones are the same shard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shard {
    lines: Region<Line>,
    number_bits: u32,
    /// How many slots may be used before the shard should grow.
    room: u64,
    used: Arc<AtomicU64>,
    /// How often this shard has been replaced.
    pub version: u64,
}

impl Shard {
    /// The number of the node with this row; a new one from `fresh` if there is none.
    pub fn intern(
        &self,
        nodes: &Nodes,
        hash: u64,
        row: &Row,
        fresh: &mut Range<u32>,
    ) -> Result<u32, Obstacle> {
        let count = self.lines.len();
        let mut index = self.home(hash);
        let tag = self.tag(hash);
        for _ in 0..count {
            for slot in &self.lines[index] {
                let mut value = slot.load(Ordering::Acquire);
                if value == 0 {
                    let number = self.prepare(nodes, row, fresh)?;
                    let new = tag | (number + 1);
                    // Acquire on failure: the row of the number that is there will be read.
                    match slot.compare_exchange(0, new, Ordering::Release, Ordering::Acquire) {
                        Ok(_) => {
                            fresh.start += 1;
                            self.used.fetch_add(1, Ordering::Relaxed);
                            return Ok(number);
                        }
                        Err(other) => value = other,
                    }
                }
                if value & self.tag_mask() == tag {
                    let number = (value & !self.tag_mask()) - 1;
                    if nodes.row(number) == *row {
                        return Ok(number);
                    }
                }
            }
            index = if index + 1 < count { index + 1 } else { 0 };
        }
        Err(Obstacle::Shard)
    }

    /// Prefetches the line of a hash.
    #[inline(always)]
    pub fn announce(&self, hash: u64) {
        prefetch(self.lines.address() + self.home(hash) * size_of::<Line>());
    }

    /// Prefetches the node that the line of a hash probably names.
    #[inline(always)]
    pub fn announce_node(&self, nodes: &Nodes, hash: u64) {
        let Some(line) = self.lines.get(self.home(hash)) else {
            return;
        };
        let tag = self.tag(hash);
        let values = line.iter().map(|slot| slot.load(Ordering::Relaxed));
        let mut likely = values.filter(|value| value & self.tag_mask() == tag && *value != 0);
        if let Some(value) = likely.next() {
            nodes.announce((value & !self.tag_mask()).wrapping_sub(1));
        }
    }

    /// Writes the row to the first number of `fresh`, which is not published yet.
    fn prepare(&self, nodes: &Nodes, row: &Row, fresh: &mut Range<u32>) -> Result<u32, Obstacle> {
        if self.used.load(Ordering::Relaxed) >= self.room {
            return Err(Obstacle::Shard);
        }
        if fresh.start == fresh.end {
            *fresh = nodes.hand_out().map_err(Obstacle::Refused)?;
        }
        if !fits(fresh.start, self.number_bits) {
            return Err(Obstacle::Shard);
        }
        nodes.write(fresh.start, row);
        Ok(fresh.start)
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        home(hash, self.lines.len())
    }

    /// The bits of a slot that are not its number.
    #[inline(always)]
    fn tag_mask(&self) -> u32 {
        u32::MAX.checked_shl(self.number_bits).unwrap_or(0)
    }

    #[inline(always)]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & self.tag_mask()
    }

    /// A shard to replace this one, with space for more and for larger numbers. No thread may work with this one.
    pub fn grown(&self, nodes: &Nodes, memory: &Memory) -> Result<Shard, Full> {
        let count = self.lines.len();
        let tight = memory.is_tight();
        let wanted = match count {
            0 => 1,
            1..64 => 2 * count,
            _ if tight => count + count / 8,
            _ => count + count / 2,
        };
        let smallest = (count + count.div_ceil(16)).max(1);
        self.resized(nodes, memory, wanted)
            .or_else(|Full| self.resized(nodes, memory, smallest.min(wanted)))
            .or_else(|Full| self.filled_further(nodes))
    }

    /// The same shard with a higher limit for its fill, if that is possible.
    fn filled_further(&self, nodes: &Nodes) -> Result<Shard, Full> {
        let slots = (self.lines.len() * SLOTS) as u64;
        let room = slots * 9 / 10;
        let used = self.used.load(Ordering::Relaxed);
        if room <= self.room || used >= room || !fits(nodes.len() as u32, self.number_bits) {
            return Err(Full);
        }
        Ok(Shard {
            room,
            version: self.version + 1,
            ..self.clone()
        })
    }

    fn resized(&self, nodes: &Nodes, memory: &Memory, count: usize) -> Result<Shard, Full> {
        let shard = Shard {
            lines: Region::new(memory, count)?,
            number_bits: number_bits(nodes.len()),
            room: ((count * SLOTS) as u64 * 3 / 4).max(1),
            used: Arc::new(AtomicU64::new(0)),
            version: self.version + 1,
        };
        let used = self.numbers().map(|number| {
            shard.put(hash_row(&nodes.row(number)), number);
        });
        let used = used.count() as u64;
        shard.used.store(used, Ordering::Relaxed);
        Ok(shard)
    }

    /// All numbers in this shard.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        let slots = self.lines.iter().flatten();
        let values = slots.map(|slot| slot.load(Ordering::Relaxed));
        let mask = !self.tag_mask();
        values
            .filter(|&value| value != 0)
            .map(move |value| (value & mask) - 1)
    }

    /// Empties the shard; requires exclusive access.
    pub fn clear(&self) {
        for slot in self.lines.iter().flatten() {
            slot.store(0, Ordering::Relaxed);
        }
        self.used.store(0, Ordering::Relaxed);
    }

    /// Inserts a number again that was in the shard before it was emptied.
    pub fn put_back(&self, hash: u64, number: u32) {
        self.put(hash, number);
        self.used.fetch_add(1, Ordering::Relaxed);
    }

    /// Inserts a number into a shard that is not full; requires exclusive access.
    fn put(&self, hash: u64, number: u32) {
        let count = self.lines.len();
        let mut index = self.home(hash);
        for _ in 0..count {
            for slot in &self.lines[index] {
                if slot.load(Ordering::Relaxed) == 0 {
                    slot.store(self.tag(hash) | (number + 1), Ordering::Relaxed);
                    return;
                }
            }
            index = if index + 1 < count { index + 1 } else { 0 };
        }
    }

    /// The bytes of this shard.
    #[cfg(test)]
    pub fn bytes(&self) -> u64 {
        self.lines.resident()
    }
}

/// The first line of a hash. The bits of the shard are cut off.
#[inline(always)]
fn home(hash: u64, lines: usize) -> usize {
    ((u128::from(hash << SHARD_BITS) * lines as u128) >> 64) as usize
}

/// Whether a slot with `bits` bits for numbers can hold `number + 1`.
#[inline(always)]
fn fits(number: u32, number_bits: u32) -> bool {
    (u64::from(number) + 1) >> number_bits == 0
}

/// The number of bits for numbers in a store that has `count` nodes and grows.
fn number_bits(count: u64) -> u32 {
    let soon = count + count / 4 + 128;
    (u64::BITS - soon.leading_zeros()).min(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(memory: &Memory, values: impl Iterator<Item = u64>) -> Vec<(Row, u32)> {
        let nodes = Nodes::new(memory);
        let mut shard = Shard::default();
        let mut fresh = 0..0;
        let mut known = Vec::new();
        'values: for value in values {
            let row = [0, value, 5, 0];
            let number = loop {
                match shard.intern(&nodes, hash_row(&row), &row, &mut fresh) {
                    Ok(number) => break number,
                    Err(Obstacle::Refused(_)) => break 'values,
                    Err(Obstacle::Shard) => match shard.grown(&nodes, memory) {
                        Ok(grown) => shard = grown,
                        Err(Full) => break 'values,
                    },
                }
            };
            known.push((row, number));
            assert_eq!(memory.held(), nodes.bytes() + shard.bytes());
        }
        for &(row, number) in &known {
            assert_eq!(nodes.row(number), row);
            let again = shard.intern(&nodes, hash_row(&row), &row, &mut fresh);
            assert_eq!(again, Ok(number));
        }
        known
    }

    #[test]
    fn equal_rows_have_equal_numbers() {
        let memory = Memory::new(None);
        let known = fill(&memory, (0..300_000u64).map(|i| (i % 100_000) << 20));
        let numbers: std::collections::HashSet<u32> = known.iter().map(|known| known.1).collect();
        assert_eq!(numbers.len(), 100_000);
    }

    #[test]
    fn the_limit_holds_and_is_used() {
        for limit in [0, 1000, 3000, 10_000, 100_000, 2_000_000] {
            let memory = Memory::new(Some(limit));
            let known = fill(&memory, 0..);
            assert!(memory.peak() <= limit);
            let bytes = limit as f64 / known.len().max(1) as f64;
            assert!(
                limit < 2_000_000 || bytes < 50.0,
                "{bytes} bytes a node of {limit}"
            );
        }
    }
}
