//! Lists of states in about a dozen bytes for each, with the edges that led to them.
//!
//! A list is written once and read from the beginning, or from one of its blocks. An entry has what differs from the one before: as the states of a list are
//! found one after the other, this is little.

use crate::toolkit::column::Column;
use crate::toolkit::parents::{Bytes, Discovery};
use lariat_store::{Full, Memory};

/// An edge to a state that a list has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    /// Where the edge starts.
    pub source: Discovery,
    pub label: u32,
    /// The start of the path to it.
    pub seed: u64,
}

/// A list of hits with the words of the states.
pub(super) struct Hits {
    bytes: Bytes,
    /// The position of each block.
    blocks: Column<u64>,
    len: u64,
    last: Last,
}

/// What an entry is compared with: the one before in its block.
struct Last {
    source: u64,
    seed: u64,
    words: Vec<u32>,
}

const FIRST: Last = Last {
    source: 0,
    seed: 0,
    words: Vec::new(),
};

/// The entries of a block.
pub(super) const BLOCK: u64 = 64;

// Flags beside a label, and how far the source is from the one before, if that is little.
const SAME_SEED: u64 = 1;
const SAME_WIDTH: u64 = 2;
const NEAR_SHIFT: u32 = 2;
const FAR: u64 = 3;
const LABEL_SHIFT: u32 = 4;

/// Words are compared in groups; a byte of a group tells in which pairs something differs, and a byte of a pair which bytes.
const GROUP: usize = 16;
const PAIR: usize = 2;

/// Small for numbers near zero, of both signs.
fn folded(difference: u64) -> u64 {
    difference << 1 ^ ((difference as i64) >> 63) as u64
}

fn unfolded(number: u64) -> u64 {
    number >> 1 ^ (number & 1).wrapping_neg()
}

/// Two words as bytes, the second of which may be missing.
fn pair(words: &[u32]) -> u64 {
    let word = |index: usize| u64::from(words.get(index).copied().unwrap_or(0));
    word(0) | word(1) << 32
}

impl Hits {
    pub fn new(memory: &Memory) -> Self {
        Hits {
            bytes: Bytes::new(memory),
            blocks: Column::new(memory),
            len: 0,
            last: FIRST,
        }
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn push(&mut self, hit: Hit, words: &[u32]) -> Result<(), Full> {
        if self.len.is_multiple_of(BLOCK) {
            self.blocks.push(self.bytes.len())?;
            self.last.source = 0;
            self.last.seed = 0;
            self.last.words.clear();
        }
        let source = hit.source.to_bits();
        let (old_source, old_seed) = (self.last.source, self.last.seed);
        let mut flags = 0;
        if hit.seed == old_seed {
            flags |= SAME_SEED;
        }
        if words.len() == self.last.words.len() {
            flags |= SAME_WIDTH;
        }
        let distance = source.wrapping_sub(old_source);
        let near = distance.min(FAR) << NEAR_SHIFT;
        let label = u64::from(hit.label) << LABEL_SHIFT;
        self.bytes.push_number(label | near | flags)?;
        if distance >= FAR {
            self.bytes.push_number(folded(distance))?;
        }
        if flags & SAME_SEED == 0 {
            self.bytes
                .push_number(folded(hit.seed.wrapping_sub(old_seed)))?;
        }
        if flags & SAME_WIDTH == 0 {
            self.bytes.push_number(words.len() as u64)?;
            self.last.words.resize(words.len(), 0);
        }
        for at in (0..words.len()).step_by(GROUP) {
            self.push_group(at, words)?;
        }
        self.last.source = source;
        self.last.seed = hit.seed;
        self.last.words.copy_from_slice(words);
        self.len += 1;
        Ok(())
    }

    fn push_group(&mut self, at: usize, words: &[u32]) -> Result<(), Full> {
        let end = (at + GROUP).min(words.len());
        let new = words[at..end].chunks(PAIR).map(pair);
        let old = self.last.words[at..end].chunks(PAIR).map(pair);
        let mut differences = [0u64; GROUP / PAIR];
        let mut changed = 0u8;
        for (index, (new, old)) in new.zip(old).enumerate() {
            differences[index] = new ^ old;
            changed |= u8::from(new != old) << index;
        }
        self.bytes.push(changed)?;
        for difference in differences.into_iter().filter(|d| *d != 0) {
            let bytes = difference.to_le_bytes();
            let bits = bytes.iter().enumerate();
            let mask = bits.fold(0, |mask, (bit, byte)| mask | u8::from(*byte != 0) << bit);
            self.bytes.push(mask)?;
            for byte in bytes.into_iter().filter(|byte| *byte != 0) {
                self.bytes.push(byte)?;
            }
        }
        Ok(())
    }

    /// Reads the list from an entry on.
    pub fn read_from(&self, index: u64) -> HitReader<'_> {
        let block = index / BLOCK;
        let mut reader = HitReader {
            hits: self,
            next: block * BLOCK,
            position: 0,
            last: FIRST,
        };
        while reader.next < index && reader.next().is_some() {}
        reader
    }

    /// One entry, without its words.
    pub fn get(&self, index: u64) -> Option<Hit> {
        self.read_from(index).next()
    }
}

/// Reads a list.
pub(super) struct HitReader<'h> {
    hits: &'h Hits,
    next: u64,
    position: u64,
    last: Last,
}

impl HitReader<'_> {
    /// The number of the next entry.
    pub fn number(&self) -> u64 {
        self.next
    }

    /// The next entry; [`Self::words`] are then its words.
    pub fn next(&mut self) -> Option<Hit> {
        if self.next >= self.hits.len {
            return None;
        }
        if self.next.is_multiple_of(BLOCK) {
            self.position = self.hits.blocks.get(self.next / BLOCK);
            self.last.source = 0;
            self.last.seed = 0;
            self.last.words.clear();
        }
        let bytes = &self.hits.bytes;
        let label = bytes.next_number(&mut self.position);
        let distance = match label >> NEAR_SHIFT & FAR {
            FAR => unfolded(bytes.next_number(&mut self.position)),
            near => near,
        };
        let source = self.last.source.wrapping_add(distance);
        if label & SAME_SEED == 0 {
            let seed = unfolded(bytes.next_number(&mut self.position));
            self.last.seed = self.last.seed.wrapping_add(seed);
        }
        if label & SAME_WIDTH == 0 {
            let width = bytes.next_number(&mut self.position) as usize;
            self.last.words.resize(width, 0);
        }
        for at in (0..self.last.words.len()).step_by(GROUP) {
            self.read_group(at);
        }
        self.last.source = source;
        self.next += 1;
        Some(Hit {
            source: Discovery::from_bits(source),
            label: (label >> LABEL_SHIFT) as u32,
            seed: self.last.seed,
        })
    }

    fn read_group(&mut self, at: usize) {
        let bytes = &self.hits.bytes;
        let end = (at + GROUP).min(self.last.words.len());
        let changed = bytes.next(&mut self.position);
        for (index, words) in self.last.words[at..end].chunks_mut(PAIR).enumerate() {
            if changed >> index & 1 == 0 {
                continue;
            }
            let mask = bytes.next(&mut self.position);
            let mut difference = [0; 8];
            for (bit, byte) in difference.iter_mut().enumerate() {
                if mask >> bit & 1 == 1 {
                    *byte = bytes.next(&mut self.position);
                }
            }
            let difference = u64::from_le_bytes(difference);
            for (word, part) in words.iter_mut().zip([difference, difference >> 32]) {
                *word ^= part as u32;
            }
        }
    }

    /// The words of the last entry that was read.
    pub fn words(&self) -> &[u32] {
        &self.last.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    /// What is written is read back, from any entry on.
    #[test]
    fn hits_are_read_back() {
        for number in 0..20 {
            let mut rng = stream(1, "hits", number);
            let memory = Memory::new(None);
            let mut hits = Hits::new(&memory);
            let mut expected = Vec::new();
            let mut words: Vec<u32> = vec![0; rng.index(40)];
            let mut hit = Hit {
                source: Discovery::new(0, 0),
                label: 0,
                seed: u64::MAX,
            };
            for _ in 0..1000 {
                if rng.index(50) == 0 {
                    words.resize(rng.index(40), 7);
                }
                for _ in 0..rng.index(5).min(words.len()) {
                    let at = rng.index(words.len());
                    words[at] ^= 1 << rng.index(32);
                }
                match rng.index(10) {
                    0 => hit.seed = rng.next_u64(),
                    1 => hit.source = Discovery::new(rng.index(7), rng.below(1 << 40)),
                    2 => hit.label = rng.next_u64() as u32,
                    _ => hit.source = hit.source.offset(rng.index(3)),
                }
                hits.push(hit, &words).unwrap();
                expected.push((hit, words.clone()));
            }
            for start in [0, 1, 63, 64, 65, 500, 999, 1000] {
                let mut reader = hits.read_from(start);
                for (index, (hit, words)) in expected.iter().enumerate().skip(start as usize) {
                    assert_eq!(reader.number(), index as u64);
                    assert_eq!(reader.next(), Some(*hit));
                    assert_eq!(reader.words(), words);
                }
                assert_eq!(reader.next(), None);
            }
        }
    }

    #[test]
    fn a_limit_is_respected() {
        for limit in (0..300_000).step_by(9973) {
            let memory = Memory::new(Some(limit));
            let mut hits = Hits::new(&memory);
            let hit = Hit {
                source: Discovery::new(0, 5),
                label: 1,
                seed: 2,
            };
            while hits.push(hit, &[1, 2, 3]).is_ok() {
                assert!(memory.peak() <= limit);
            }
        }
    }
}
