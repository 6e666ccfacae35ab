//! The order in which the units of a state are put into its tree.
//!
//! A tree compresses well if both halves of its root, and of the nodes below, take few values: then nearly every
//! state is a new pair of known halves. If one half holds everything that changes, that half is new whenever the
//! state is, and the tree stores it twice. The order in which a model declares its variables often has this effect:
//! first all channels, then all processes. So the units are permuted. Which permutation is best differs from model to
//! model; a few are tried on a sample of states, and the one with the fewest different nodes is used.

use super::narrow;
use super::shape::{self, NOWHERE, Shape, UNIT, first_share};
use crate::fold::fold;

/// The largest number of samples that are used.
const MOST_SAMPLES: usize = 2048;
/// Wider states are not permuted: it would take too long.
const MOST_UNITS: usize = 1024;

/// The order of the units of states of one width without samples: groups of two, assigned to the left and the right
/// half in turn, so that neighbouring words of a state are not all in one half. For a narrow state it is the order of
/// its words.
pub(crate) fn usual(width: usize) -> Vec<u32> {
    match width <= narrow::MOST {
        true => narrow::usual(width),
        false => dealt(shape::units(width), 2),
    }
}

/// The best order for states like these, which all have the same width.
pub(crate) fn learned(samples: &[&[u32]]) -> Vec<u32> {
    let units = samples.first().map_or(0, |state| shape::units(state.len()));
    let samples = &samples[..samples.len().min(MOST_SAMPLES)];
    if let Some(width) = samples.first().map(|state| state.len())
        && width <= narrow::MOST
    {
        return narrow::learned(width, samples);
    }
    if units <= 2 || units > MOST_UNITS || samples.len() < 2 {
        return dealt(units, 2);
    }
    let values = unit_values(samples, units);
    let best = candidates(units)
        .into_iter()
        .map(|order| (nodes(&values, &order), order))
        .min_by_key(|(nodes, _)| *nodes);
    best.map_or_else(|| dealt(units, 2), |(_, order)| order)
}

/// The orders that are tried.
fn candidates(units: usize) -> Vec<Vec<u32>> {
    let mut orders: Vec<Vec<u32>> = vec![(0..units as u32).collect()];
    for group in [1, 2, 3, 4, 6, 8] {
        orders.push(dealt(units, group));
    }
    // All units rotated, so that the halves have another border.
    for part in 1..8 {
        let mut order: Vec<u32> = (0..units as u32).collect();
        order.rotate_left(units * part / 8);
        orders.push(order);
    }
    for group in [1, 2] {
        let mut order = Vec::new();
        deal_all(&(0..units as u32).collect::<Vec<_>>(), group, &mut order);
        orders.push(order);
    }
    orders.sort_unstable();
    orders.dedup();
    orders
}

/// The number of units in the left half of a tree.
fn left_half(units: usize) -> usize {
    first_share(units, 2)
}

/// Groups of units assigned to the two halves in turn, in proportion to the sizes of the halves.
fn dealt(units: usize, group: usize) -> Vec<u32> {
    let all: Vec<u32> = (0..units as u32).collect();
    let (mut left, right) = deal(&all, group);
    left.extend(right);
    left
}

fn deal(all: &[u32], group: usize) -> (Vec<u32>, Vec<u32>) {
    if all.len() <= 1 {
        return (all.to_vec(), Vec::new());
    }
    let room = left_half(all.len()).min(all.len() - 1);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for part in all.chunks(group) {
        for &unit in part {
            // The half with the smaller part of its share gets the next group.
            let goes_left = if unit == part[0] || right.is_empty() {
                left.len() * (all.len() - room) <= right.len() * room
            } else {
                left.last() > right.last()
            };
            let goes_left = left.len() < room && (goes_left || right.len() >= all.len() - room);
            if goes_left {
                left.push(unit);
            } else {
                right.push(unit);
            }
        }
    }
    (left, right)
}

/// Assigns units to the halves, and those of each half to its halves, recursively.
fn deal_all(all: &[u32], group: usize, order: &mut Vec<u32>) {
    if all.len() <= 2 {
        order.extend(all);
        return;
    }
    let (left, right) = deal(all, group);
    deal_all(&left, group, order);
    deal_all(&right, group, order);
}

/// Hashes of all units: for each unit those of all samples.
fn unit_values(samples: &[&[u32]], units: usize) -> Vec<Vec<u64>> {
    let value = |state: &[u32], unit: usize| {
        let word = |at: usize| state.get(UNIT * unit + at).copied().map_or(0, u64::from);
        let low = word(0) | word(1) << 32;
        let high = word(2) | word(3) << 32;
        fold(low ^ 0x9e37_79b9_7f4a_7c15, high ^ 0xd6e8_feb8_6659_fd93)
    };
    (0..units)
        .map(|unit| samples.iter().map(|state| value(state, unit)).collect())
        .collect()
}

/// The number of different nodes of the samples in this order, without nodes of one unit, which are the same in every
/// order. An estimate: it counts the bits that hashes set.
fn nodes(values: &[Vec<u64>], order: &[u32]) -> u64 {
    let shape = Shape::new(order);
    let samples = values.first().map_or(0, Vec::len);
    let mut total = 0;
    let mut all: Vec<Vec<u64>> = Vec::new();
    for leaf in shape.leaves() {
        let [first, second] = leaf.units;
        let mut hashes = values[first as usize].clone();
        if second != NOWHERE {
            join(&mut hashes, &values[second as usize]);
            total += different(&hashes);
        }
        all.push(hashes);
    }
    for parts in shape.parts() {
        let mut hashes = vec![0; samples];
        for part in parts.clone() {
            join(&mut hashes, &all[part as usize]);
        }
        total += different(&hashes);
        all.push(hashes);
    }
    total
}

/// Combines hashes with one more part.
fn join(hashes: &mut [u64], part: &[u64]) {
    for (all, one) in hashes.iter_mut().zip(part) {
        *all = fold(*all ^ 0x243f_6a88_85a3_08d3, one ^ all.rotate_left(23));
    }
}

/// An estimate of the number of different hashes.
pub(super) fn different(hashes: &[u64]) -> u64 {
    const BITS: usize = 16 * MOST_SAMPLES;
    let mut bits = [0u64; BITS / 64];
    for hash in hashes {
        let bit = (hash >> 32) as usize % BITS;
        bits[bit / 64] |= 1 << (bit % 64);
    }
    bits.iter().map(|word| u64::from(word.count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    #[test]
    fn orders_are_permutations() {
        for units in (0..70).chain([255, 256, 1000]) {
            for mut order in candidates(units).into_iter().chain([dealt(units, 2)]) {
                order.sort_unstable();
                let all: Vec<u32> = (0..units as u32).collect();
                assert_eq!(order, all, "{units} units");
            }
        }
    }

    /// If all changes lie in one half, an order is found that divides them.
    #[test]
    fn changes_are_divided() {
        let mut rng = stream(3, "order", 0);
        let states: Vec<Vec<u32>> = (0..1000)
            .map(|_| {
                let mut word = |i: u32| match i >= 64 && i.is_multiple_of(8) {
                    true => rng.below(3) as u32,
                    false => 7,
                };
                (0..128).map(&mut word).collect()
            })
            .collect();
        let samples: Vec<&[u32]> = states.iter().map(Vec::as_slice).collect();
        let values = unit_values(&samples, 32);
        let order = learned(&samples);
        let identity: Vec<u32> = (0..32).collect();
        assert!(nodes(&values, &order) <= nodes(&values, &identity));
        let changing = |unit: &&u32| **unit >= 16 && unit.is_multiple_of(2);
        let left = order[..16].iter().filter(changing).count();
        assert!((3..=5).contains(&left), "{left} of 8");
    }
}
