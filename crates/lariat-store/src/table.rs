//! An open-addressing table from hashes to numbers, made to grow in small steps.
//!
//! A slot is 64 bits: 32 bits of the hash, the tag, and a number below `u32::MAX`. Slots come in
//! lines of eight, the size of a cache line, and a lookup goes from line to line (linear probing)
//! until it finds a free slot, as in Laarman, van de Pol and Weber, "Boosting multi-core
//! reachability performance with shared hash tables", FMCAD 2010.
//!
//! A table that doubles needs three times its size meanwhile, and leaves half of its slots empty afterwards. This one
//! is divided into 64 shards by bits of the hash; each shard grows by itself, by half, so that only one small part
//! exists twice. The home line of a tag is `tag * lines / 2^32` (Lemire's reduction), which allows any number of
//! lines and preserves the order of the tags: growing reads the old shard and writes the new one from front to back,
//! and needs only the tags. The shards are sized so that they do not all grow at the same time. Near the memory limit
//! the shards grow by an eighth only, so that none takes memory that the others need soon, and when that fails they
//! fill up further than usual.

use crate::memory::{Account, Full};

/// The table: several numbers may have the same hash; the caller decides which one matches.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Empty until the first insertion, then `SHARDS`.
    shards: Vec<Shard>,
}

const SHARDS: usize = 64;
const SLOTS: usize = 8;

/// A larger shard grows staggered; see [`Shard::staggered`].
const STAGGER_LINES: usize = 64;

/// One cache line of slots. Slots are filled in order; a free slot ends every probe.
#[repr(align(64))]
#[derive(Clone, Copy, Debug)]
struct Line([u64; SLOTS]);

const FREE: u64 = 0;
const EMPTY_LINE: Line = Line([FREE; SLOTS]);

fn slot(tag: u32, number: u32) -> u64 {
    u64::from(tag) << 32 | (u64::from(number) + 1)
}

fn slot_tag(slot: u64) -> u32 {
    (slot >> 32) as u32
}

/// The number in a slot that is not free.
fn slot_number(slot: u64) -> u32 {
    (slot as u32).wrapping_sub(1)
}

/// The parts of a hash: the shard from the upper bits, the tag from the lower ones.
fn parts(hash: u64) -> (usize, u32) {
    ((hash >> 58) as usize, hash as u32)
}

impl Table {
    /// The number with this hash for which `matches` holds.
    pub fn find(&self, hash: u64, mut matches: impl FnMut(u32) -> bool) -> Option<u32> {
        let (shard, tag) = parts(hash);
        let lines = &self.shards.get(shard)?.lines;
        let mut index = home(tag, lines.len());
        // At least one slot of a shard that has lines is free, which ends this loop.
        while let Some(line) = lines.get(index) {
            for &slot in &line.0 {
                if slot == FREE {
                    return None;
                }
                if slot_tag(slot) == tag && matches(slot_number(slot)) {
                    return Some(slot_number(slot));
                }
            }
            index = next_line(index, lines.len());
        }
        None
    }

    /// Reserves a slot for one more number with this hash.
    pub fn reserve(&mut self, account: &mut Account, hash: u64) -> Result<(), Full> {
        if self.shards.is_empty() {
            account.grow(&mut self.shards, SHARDS)?;
            self.shards.resize_with(SHARDS, Shard::default);
        }
        let (shard, _) = parts(hash);
        self.shards[shard].reserve(account, shard)
    }

    /// Adds a number, below `u32::MAX`, for which a slot is reserved.
    pub fn insert(&mut self, hash: u64, number: u32) {
        let (shard, tag) = parts(hash);
        self.shards[shard].insert(slot(tag, number));
    }

    /// The bytes held, counted again; for tests of the accounting.
    #[cfg(test)]
    pub(crate) fn audit(&self) -> u64 {
        let lines: usize = self.shards.iter().map(|s| s.lines.capacity()).sum();
        (lines * size_of::<Line>() + self.shards.capacity() * size_of::<Shard>()) as u64
    }
}

#[derive(Debug, Default)]
struct Shard {
    lines: Vec<Line>,
    used: usize,
}

impl Shard {
    fn reserve(&mut self, account: &mut Account, number: usize) -> Result<(), Full> {
        let slots = self.lines.len() * SLOTS;
        // From 4/5 on, probes get long; at 9/10 they are still acceptable.
        if (self.used + 1) * 5 <= slots * 4 {
            return Ok(());
        }
        let lines = if account.is_tight() {
            self.larger_by(8)
        } else {
            self.staggered(self.larger_by(2), number)
        };
        if self.grow(account, lines).is_ok() || (self.used + 1) * 10 <= slots * 9 {
            Ok(())
        } else {
            Err(Full)
        }
    }

    /// The number of lines after a growth by one part of `parts`.
    fn larger_by(&self, parts: usize) -> usize {
        self.lines.len() + self.lines.len().div_ceil(parts).max(1)
    }

    /// Gives shard k of 64 an extra share of k/64 of a growth step. As all shards grow by the same factor and fill
    /// equally fast, their growth stays spread out.
    fn staggered(&self, lines: usize, number: usize) -> usize {
        if self.lines.len() < STAGGER_LINES && lines >= STAGGER_LINES {
            STAGGER_LINES + STAGGER_LINES / 2 * number / SHARDS
        } else {
            lines
        }
    }

    fn grow(&mut self, account: &mut Account, lines: usize) -> Result<(), Full> {
        let mut larger = Vec::new();
        account.grow(&mut larger, lines)?;
        larger.resize(lines, EMPTY_LINE);
        let old = std::mem::replace(&mut self.lines, larger);
        self.used = 0;
        for line in &old {
            for &slot in line.0.iter().take_while(|&&slot| slot != FREE) {
                self.insert(slot);
            }
        }
        account.discard(old);
        Ok(())
    }

    fn insert(&mut self, new: u64) {
        let count = self.lines.len();
        let mut index = home(slot_tag(new), count);
        while let Some(line) = self.lines.get_mut(index) {
            if let Some(slot) = line.0.iter_mut().find(|slot| **slot == FREE) {
                *slot = new;
                self.used += 1;
                return;
            }
            index = next_line(index, count);
        }
    }
}

fn home(tag: u32, lines: usize) -> usize {
    ((u128::from(tag) * lines as u128) >> 32) as usize
}

fn next_line(index: usize, lines: usize) -> usize {
    if index + 1 < lines { index + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::hash_words;
    use crate::memory::Memory;

    #[test]
    fn equal_hashes_are_kept_apart() {
        let memory = Memory::new(None);
        let mut account = memory.account();
        let mut table = Table::default();
        for number in 0..1000 {
            assert_eq!(table.find(77, |n| n == number), None);
            table.reserve(&mut account, 77).unwrap();
            table.insert(77, number);
        }
        for number in 0..1000 {
            assert_eq!(table.find(77, |n| n == number), Some(number));
        }
        assert_eq!(account.held(), table.audit());
    }

    #[test]
    fn the_largest_number_is_found() {
        let memory = Memory::new(None);
        let mut account = memory.account();
        let mut table = Table::default();
        table.reserve(&mut account, u64::MAX).unwrap();
        table.insert(u64::MAX, u32::MAX - 1);
        assert_eq!(table.find(u64::MAX, |_| true), Some(u32::MAX - 1));
        assert_eq!(table.find(u64::MAX - 1, |_| true), None);
    }

    /// Memory per entry stays in a narrow band, because the shards grow at different times.
    #[test]
    fn growth_is_smooth() {
        let memory = Memory::new(None);
        let mut account = memory.account();
        let mut table = Table::default();
        for number in 0..400_000u32 {
            let hash = hash_words(&[number]);
            table.reserve(&mut account, hash).unwrap();
            table.insert(hash, number);
            if number > 60_000 && number % 1000 == 0 {
                let bytes = account.held() as f64 / f64::from(number);
                assert!((10.0..=14.0).contains(&bytes), "{number}: {bytes}");
            }
        }
        assert!(memory.peak() < account.held() * 105 / 100);
    }

    /// At the limit the table is filled to nine tenths before it refuses.
    #[test]
    fn the_limit_is_used_well() {
        for (limit, least) in [(40_000, 0.65), (400_000, 0.75), (3_000_000, 0.8)] {
            let memory = Memory::new(Some(limit));
            let mut account = memory.account();
            let mut table = Table::default();
            let mut number = 0;
            while table.reserve(&mut account, hash_words(&[number])).is_ok() {
                table.insert(hash_words(&[number]), number);
                number += 1;
            }
            assert!(memory.peak() <= limit);
            let used = f64::from(number) * 8.0 / limit as f64;
            assert!(used > least, "{used} of {limit}");
            for n in 0..number {
                assert_eq!(table.find(hash_words(&[n]), |m| m == n), Some(n));
            }
        }
    }
}
