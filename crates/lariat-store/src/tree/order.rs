//! In which order the leaves of a state are put into its tree.
//!
//! A tree compresses well if both halves of its root, and of the nodes below, take few values: then
//! nearly every state is a new pair of halves that are known. If one half holds all that changes, it is new
//! whenever the state is, and the tree keeps that half twice. In the order in which a model declares
//! things that happens easily: first all channels, then all processes. So the leaves are dealt out
//! anew. Which way is best differs from model to model; a few ways are tried on a sample of states, and
//! the one with the fewest different nodes wins.

use super::shape::{self, FAN, first_share};
use crate::fold::fold;

/// Samples beyond this number are not looked at.
const MOST_SAMPLES: usize = 2048;
/// Wider states are not worth the time.
const MOST_LEAVES: usize = 1024;

/// The leaves in the order in which a tree without samples has them: groups of two, dealt to the left and
/// the right half in turn, so that what lies together in a state does not all go to one side.
pub(crate) fn usual(leaves: usize) -> Vec<u32> {
    dealt(leaves, 2)
}

/// The best order for states like these, which all have the same width.
pub(crate) fn learned(samples: &[&[u32]]) -> Vec<u32> {
    let leaves = samples
        .first()
        .map_or(0, |state| shape::leaves(state.len()));
    let samples = &samples[..samples.len().min(MOST_SAMPLES)];
    if leaves <= 2 || leaves > MOST_LEAVES || samples.len() < 2 {
        return usual(leaves);
    }
    let values = leaf_values(samples, leaves);
    let best = candidates(leaves)
        .into_iter()
        .map(|order| (nodes(&values, &order), order))
        .min_by_key(|(nodes, _)| *nodes);
    best.map_or_else(|| usual(leaves), |(_, order)| order)
}

/// The orders that are tried.
fn candidates(leaves: usize) -> Vec<Vec<u32>> {
    let mut orders: Vec<Vec<u32>> = vec![(0..leaves as u32).collect()];
    for group in [1, 2, 3, 4, 6, 8] {
        orders.push(dealt(leaves, group));
    }
    // Everything moved on, so that the halves meet elsewhere.
    for part in 1..8 {
        let mut order: Vec<u32> = (0..leaves as u32).collect();
        order.rotate_left(leaves * part / 8);
        orders.push(order);
    }
    for group in [1, 2] {
        let mut order = Vec::new();
        deal_all(&(0..leaves as u32).collect::<Vec<_>>(), group, &mut order);
        orders.push(order);
    }
    orders.sort_unstable();
    orders.dedup();
    orders
}

/// How many leaves the left half of a tree has.
fn left_half(leaves: usize) -> usize {
    first_share(leaves, 2)
}

/// Groups of leaves dealt to the two halves in turn, in proportion to the sizes of the halves.
fn dealt(leaves: usize, group: usize) -> Vec<u32> {
    let all: Vec<u32> = (0..leaves as u32).collect();
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
        for &leaf in part {
            // The half that is behind its share gets the next group.
            let goes_left = if leaf == part[0] || right.is_empty() {
                left.len() * (all.len() - room) <= right.len() * room
            } else {
                left.last() > right.last()
            };
            let goes_left = left.len() < room && (goes_left || right.len() >= all.len() - room);
            if goes_left {
                left.push(leaf);
            } else {
                right.push(leaf);
            }
        }
    }
    (left, right)
}

/// Deals leaves to the halves, and those of each half to its halves, and so on.
fn deal_all(all: &[u32], group: usize, order: &mut Vec<u32>) {
    if all.len() <= 2 {
        order.extend(all);
        return;
    }
    let (left, right) = deal(all, group);
    deal_all(&left, group, order);
    deal_all(&right, group, order);
}

/// Hashes of all leaves: for each leaf those of all samples.
fn leaf_values(samples: &[&[u32]], leaves: usize) -> Vec<Vec<u64>> {
    let value = |state: &[u32], leaf: usize| {
        let word = |at: usize| state.get(FAN * leaf + at).copied().map_or(0, u64::from);
        let low = word(0) | word(1) << 32;
        let high = word(2) | word(3) << 32;
        fold(low ^ 0x9e37_79b9_7f4a_7c15, high ^ 0xd6e8_feb8_6659_fd93)
    };
    (0..leaves)
        .map(|leaf| samples.iter().map(|state| value(state, leaf)).collect())
        .collect()
}

/// How many different nodes the samples have above the leaves, in this order. An estimate: they are
/// counted by the bits that hashes set.
fn nodes(values: &[Vec<u64>], order: &[u32]) -> u64 {
    let mut total = 0;
    let (left, right) = order.split_at(left_half(order.len()));
    for half in [left, right] {
        node(values, half, &mut total);
    }
    total
}

/// Hashes of the node over some leaves, as a tree has it, for all samples.
fn node(values: &[Vec<u64>], order: &[u32], total: &mut u64) -> Vec<u64> {
    if let [leaf] = order {
        return values[*leaf as usize].clone();
    }
    let mut rest = order;
    let mut joined = vec![0u64; values.first().map_or(0, Vec::len)];
    let count = order.len().min(FAN);
    for index in 0..count {
        let (part, others) = rest.split_at(first_share(rest.len(), count - index));
        for (all, one) in joined.iter_mut().zip(node(values, part, total)) {
            *all = fold(*all ^ 0x243f_6a88_85a3_08d3, one ^ all.rotate_left(23));
        }
        rest = others;
    }
    *total += different(&joined);
    joined
}

/// About how many different numbers there are.
fn different(hashes: &[u64]) -> u64 {
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
        for leaves in (0..70).chain([255, 256, 1000]) {
            for mut order in candidates(leaves).into_iter().chain([usual(leaves)]) {
                order.sort_unstable();
                let all: Vec<u32> = (0..leaves as u32).collect();
                assert_eq!(order, all, "{leaves} leaves");
            }
        }
    }

    /// If everything that changes lies in one half, an order is found that divides it.
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
        let values = leaf_values(&samples, 32);
        let order = learned(&samples);
        let identity: Vec<u32> = (0..32).collect();
        assert!(nodes(&values, &order) <= nodes(&values, &identity));
        let changing = |leaf: &&u32| **leaf >= 16 && leaf.is_multiple_of(2);
        let left = order[..16].iter().filter(changing).count();
        assert!((3..=5).contains(&left), "{left} of 8");
    }
}
