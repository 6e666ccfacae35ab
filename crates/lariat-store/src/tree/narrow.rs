//! Narrow states: the assignment of their words to the halves of the root.
//!
//! A state of a few words has no tree below the root: both halves are leaves, and the compression depends only on
//! which words are in which half. So the words are assigned one by one: an assignment is improved by moving or
//! exchanging words as long as a sample of states has fewer different halves after that. Such a state is not compared
//! word by word: the rows of its halves are computed and compared with those of the context.

use super::encoder::Row;
use super::order::different;
use super::shape::{NOWHERE, UNIT};
use crate::fold::fold;

/// The widest states that are arranged this way.
pub(crate) const MOST: usize = 16;
/// An improvement takes a fraction of a millisecond, and few are needed.
const ROUNDS: usize = 12;

/// Which words of a state each half has, and in which order.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement {
    halves: [Half; 2],
    /// The units of a half.
    units: usize,
}

/// The words of one half.
#[derive(Clone, Debug, Default)]
struct Half {
    from: [u8; MOST / 2],
    len: usize,
}

impl Half {
    /// The row of this half of a state.
    #[inline(always)]
    fn row(&self, state: &[u32]) -> Row {
        // In registers: reading in large pieces what was just written in small ones is slow.
        let word = |slot: usize| match slot < self.len {
            true => state
                .get(usize::from(self.from[slot]))
                .copied()
                .map_or(0, u64::from),
            false => 0,
        };
        let pair = |slot: usize| word(slot) | word(slot + 1) << 32;
        if self.len <= UNIT {
            return [pair(0), pair(2), 0, 0];
        }
        [pair(0), pair(2), pair(4), pair(6)]
    }

    /// Writes the words of a row to their positions in a state.
    #[inline(always)]
    fn restore(&self, row: &Row, state: &mut [u32]) {
        for (slot, &from) in self.from.iter().take(self.len).enumerate() {
            if let Some(word) = state.get_mut(usize::from(from)) {
                *word = (row[(slot / 2) & 3] >> (slot % 2 * 32)) as u32;
            }
        }
    }
}

impl Arrangement {
    /// The arrangement of states of this width, if they are narrow. `order` gives the word at each position, or
    /// [`NOWHERE`].
    pub fn new(width: usize, order: &[u32]) -> Option<Self> {
        if width > MOST {
            return None;
        }
        let place = padded(width) / 2;
        let half = |words: &[u32]| {
            let mut half = Half::default();
            for &word in words.iter().filter(|&&word| (word as usize) < width) {
                half.from[half.len] = word as u8;
                half.len += 1;
            }
            half
        };
        let (left, right) = order.split_at(place.min(order.len()));
        Some(Arrangement {
            halves: [half(left), half(right)],
            units: place / UNIT,
        })
    }

    /// The order of the units of an arranged state.
    pub fn order(&self) -> Vec<u32> {
        (0..2 * self.units as u32).collect()
    }

    /// The rows of both halves of a state.
    #[inline(always)]
    pub fn rows(&self, state: &[u32]) -> [Row; 2] {
        [self.halves[0].row(state), self.halves[1].row(state)]
    }

    /// The inverse of [`rows`](Self::rows), for one half.
    #[inline(always)]
    pub fn restore(&self, half: usize, row: &Row, state: &mut [u32]) {
        self.halves[half & 1].restore(row, state);
    }
}

/// The number of words of an arranged state.
fn padded(width: usize) -> usize {
    if width <= 2 * UNIT { 2 * UNIT } else { MOST }
}

/// The order without samples: the first words in one half, the others in the other.
pub(crate) fn usual(width: usize) -> Vec<u32> {
    let left = (1u32 << width.div_ceil(2)) - 1;
    order(width, left)
}

/// The order for a split: the words whose bit is set are in the left half.
fn order(width: usize, left: u32) -> Vec<u32> {
    let half = padded(width) / 2;
    let mut order = Vec::new();
    for side in [left, !left] {
        let words = (0..width as u32).filter(|word| side >> word & 1 == 1);
        let start = order.len();
        order.extend(words);
        order.resize(start + half, NOWHERE);
    }
    order
}

/// The best order for states like these, which all have the same width.
pub(crate) fn learned(width: usize, samples: &[&[u32]]) -> Vec<u32> {
    let values: Vec<Vec<u64>> = (0..width)
        .map(|word| {
            samples
                .iter()
                .map(|state| mixed(word, state[word]))
                .collect()
        })
        .collect();
    let half = padded(width) / 2;
    let fits = |left: u32| {
        let count = left.count_ones() as usize;
        count <= half && width - count <= half
    };
    let mut left = (1u32 << width.div_ceil(2)) - 1;
    let mut least = halves(&values, left);
    for _ in 0..ROUNDS {
        let better = neighbours(width, left)
            .filter(|&split| fits(split))
            .map(|split| (halves(&values, split), split))
            .min();
        match better {
            Some((count, split)) if count < least => (least, left) = (count, split),
            _ => break,
        }
    }
    order(width, left)
}

fn mixed(word: usize, value: u32) -> u64 {
    fold(
        u64::from(value) ^ 0x9e37_79b9_7f4a_7c15,
        word as u64 ^ 0xd6e8_feb8_6659_fd93,
    )
}

/// Splits that differ in one word, or by an exchange of two.
fn neighbours(width: usize, left: u32) -> impl Iterator<Item = u32> {
    let width = width as u32;
    (0..width).flat_map(move |a| {
        (a..width).filter_map(move |b| {
            let sides = (left >> a & 1, left >> b & 1);
            let changed = 1 << a | 1 << b;
            (a == b || sides.0 != sides.1).then_some(left ^ changed)
        })
    })
}

/// An estimate of the number of different halves of the samples.
fn halves(values: &[Vec<u64>], left: u32) -> u64 {
    let samples = values.first().map_or(0, Vec::len);
    let mut sides = [vec![0u64; samples], vec![0u64; samples]];
    for (word, values) in values.iter().enumerate() {
        let side = &mut sides[usize::from(left >> word & 1 == 0)];
        for (sum, value) in side.iter_mut().zip(values) {
            *sum = sum.wrapping_add(*value);
        }
    }
    sides.iter().map(|side| different(side)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    #[test]
    fn arranged_states_are_restored() {
        for width in 0..=MOST {
            let mut rng = stream(width as u64, "narrow", 0);
            let samples: Vec<Vec<u32>> = (0..50)
                .map(|_| (0..width).map(|_| rng.below(3) as u32).collect())
                .collect();
            let samples: Vec<&[u32]> = samples.iter().map(Vec::as_slice).collect();
            for order in [usual(width), learned(width, &samples)] {
                let arrangement = Arrangement::new(width, &order).unwrap();
                for state in &samples {
                    let rows = arrangement.rows(state);
                    let mut restored = vec![7; width];
                    (0..2).for_each(|half| arrangement.restore(half, &rows[half], &mut restored));
                    assert_eq!(&restored, state);
                }
            }
        }
    }

    /// Two words that are always equal belong to the same half.
    #[test]
    fn words_that_change_together_share_a_half() {
        let samples: Vec<Vec<u32>> = (0..400u32)
            .map(|n| vec![n % 20, n / 20, n % 20, n / 20])
            .collect();
        let samples: Vec<&[u32]> = samples.iter().map(Vec::as_slice).collect();
        let order = learned(4, &samples);
        let left: Vec<u32> = order[..4]
            .iter()
            .copied()
            .filter(|w| *w != NOWHERE)
            .collect();
        assert!(left == [0, 2] || left == [1, 3], "{order:?}");
    }
}
