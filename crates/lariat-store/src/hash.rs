//! The hash of a state: a fixed function of its words.
//!
//! The owner of a state in a distributed search, the bits of a bitstate search and the meaning of a checkpoint need
//! the same value on every machine and in every version; the common fast hashes for hash maps do not promise that.
//! Those that promise it read bytes; states are words, and this crate does not cast one into the other. So this is
//! the inner loop of wyhash, rapidhash and foldhash, on words: each step multiplies two 64-bit numbers, folds the
//! 128-bit product, and feeds it into the next step. Two such sequences are interleaved, because one would wait for
//! the multiplier. The tests measure how evenly the values of typical states are distributed.

use crate::fold::fold;

/// Odd constants with balanced bits (the digits of pi).
const SECRET: [u64; 4] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7345,
    0xa409_3822_299f_31d1,
    0x082e_fa98_ec4e_6c89,
];

/// The hash of a state. The same words give the same value on every machine and in every version.
pub fn hash_words(words: &[u32]) -> u64 {
    let mut left = SECRET[0] ^ (words.len() as u64).wrapping_mul(SECRET[2]);
    let mut right = SECRET[1];
    let mut chunks = words.chunks_exact(8);
    for chunk in &mut chunks {
        left = step(left, SECRET[2], pair(chunk, 0), pair(chunk, 2));
        right = step(right, SECRET[3], pair(chunk, 4), pair(chunk, 6));
    }
    let rest = chunks.remainder();
    // Missing words count as zeros; the length, which is in `left`, distinguishes them.
    if !rest.is_empty() {
        left = step(left, SECRET[2], pair(rest, 0), pair(rest, 2));
    }
    if rest.len() > 4 {
        right = step(right, SECRET[3], pair(rest, 4), pair(rest, 6));
    }
    fold(left ^ SECRET[3], right ^ SECRET[2])
}

/// A hash of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateHash {
    /// Half of it.
    pub first: u64,
    /// The other half, independent of the first.
    pub second: u64,
}

/// The hash of a state by the function with this seed. The same words give the same value on every machine and in every
/// version; different seeds give independent values, for what a test can see.
///
/// As in [`hash_words`], with two sequences over all words: in one, the words of a pair are multiplied with each other, in the
/// other with those of the next pair, and the secrets of each follow from the seed.
#[inline]
pub fn hash_state(words: &[u32], seed: u64) -> StateHash {
    let secret = |n: usize| fold(seed ^ SECRET[n], SECRET[(n + 1) % 4] ^ seed.rotate_left(32));
    let secrets = [secret(0), secret(1), secret(2), secret(3)];
    let length = (words.len() as u64).wrapping_mul(SECRET[2]);
    let (mut left, mut right) = (secrets[0] ^ length, secrets[1] ^ length);
    let mut chunks = words.chunks_exact(4);
    for chunk in &mut chunks {
        let (a, b) = (pair(chunk, 0), pair(chunk, 2));
        left = fold(a ^ secrets[2], b ^ left);
        right = fold(b ^ secrets[3], a ^ right);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        let (a, b) = (pair(rest, 0), pair(rest, 2));
        left = fold(a ^ secrets[2], b ^ left);
        right = fold(b ^ secrets[3], a ^ right);
    }
    StateHash {
        first: fold(left ^ secrets[3], right ^ secrets[0]),
        second: fold(right ^ secrets[2], left.rotate_left(17) ^ secrets[1]),
    }
}

fn step(state: u64, secret: u64, a: u64, b: u64) -> u64 {
    fold(a ^ secret, b ^ state)
}

/// The words at `index` and behind it as one number.
fn pair(words: &[u32], index: usize) -> u64 {
    let word = |i: usize| words.get(i).copied().map_or(0, u64::from);
    word(index) | word(index + 1) << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Changing these values breaks every checkpoint and every recorded bitstate run.
    #[test]
    fn values_are_stable() {
        let words: Vec<u32> = (1..=20).collect();
        let values = [0, 1, 4, 5, 8, 20].map(|n| hash_words(&words[..n]));
        assert_eq!(values, STABLE);
    }
    const STABLE: [u64; 6] = [
        14629320657608029556,
        14791370780177689145,
        7617832049956838675,
        655988749417548100,
        17131025642371301488,
        10916448959565412309,
    ];

    #[test]
    fn seeded_values_are_stable() {
        let words: Vec<u32> = (1..=9).collect();
        let value = hash_state(&words, 5);
        assert_eq!(value, hash_state(&words, 5));
        assert_ne!(value, hash_state(&words, 6));
        assert_eq!([value.first, value.second], SEEDED);
    }
    const SEEDED: [u64; 2] = [7625897607759202673, 4907565863476813989];

    /// With few of its bits, the function of each seed spreads states as evenly as chance does, and different seeds do so
    /// independently: the pairs of states that collide are as many as expected, and other ones for each seed.
    #[test]
    fn seeds_choose_independent_functions() {
        const BITS: u32 = 24;
        for (name, family) in families() {
            let count = family.len() as f64;
            let expected = count * count / 2.0 / f64::from(1u32 << BITS);
            let mut before: HashSet<(usize, u64)> = HashSet::new();
            let (mut total, mut again) = (0.0, 0);
            for seed in 0..8u64 {
                for half in 0..2 {
                    let mut seen = std::collections::HashMap::new();
                    let mut now = HashSet::new();
                    for (number, state) in family.iter().enumerate() {
                        let hash = hash_state(state, seed);
                        let value = [hash.first, hash.second][half] >> (64 - BITS);
                        if let Some(other) = seen.insert(value, number) {
                            now.insert((other, number as u64));
                        }
                    }
                    total += now.len() as f64;
                    again += now.intersection(&before).count();
                    before = now;
                }
            }
            let mean = 16.0 * expected;
            assert!(
                (total - mean).abs() < 6.0 * mean.sqrt() + 1.0,
                "{name}: {total} of {mean}"
            );
            assert!(
                again <= 1,
                "{name}: the same {again} collisions with two functions"
            );
        }
    }

    /// Typical states of models: few bits differ, and in regular ways.
    fn families() -> Vec<(&'static str, Vec<Vec<u32>>)> {
        const N: u32 = 1 << 16;
        let each = |make: &dyn Fn(u32) -> Vec<u32>| (0..N).map(make).collect();
        vec![
            ("counter", each(&|i| vec![i])),
            (
                "counter in the last of 8",
                each(&|i| vec![1, 2, 3, 4, 5, 6, 7, i]),
            ),
            (
                "counter in the first of 9",
                each(&|i| vec![i, 0, 0, 0, 0, 0, 0, 0, 0]),
            ),
            ("high bits", each(&|i| vec![i << 16, 0])),
            ("multiples", each(&|i| vec![i * 4096, i])),
            ("grid", each(&|i| vec![i & 255, 0, i >> 8])),
            (
                "bits over 16 words",
                each(&|i| (0..16).map(|k| i >> k & 1).collect()),
            ),
            ("equal words", each(&|i| vec![i; 6])),
            ("widths of zeros", (0..4096).map(|n| vec![0; n]).collect()),
        ]
    }

    #[test]
    fn structured_states_do_not_collide() {
        let mut seen = HashSet::new();
        let mut states = HashSet::new();
        for (_, family) in families() {
            for state in family {
                assert_eq!(seen.insert(hash_words(&state)), states.insert(state));
            }
        }
    }

    /// Every window of 12 bits, used as a bucket number, has to spread each family evenly: the
    /// chi-squared statistic stays within six standard deviations of its mean.
    #[test]
    fn structured_states_spread_evenly() {
        for (name, family) in families() {
            for shift in (0..=52).step_by(4) {
                let mut counts = vec![0u32; 4096];
                for state in &family {
                    counts[(hash_words(state) >> shift) as usize & 4095] += 1;
                }
                let expected = family.len() as f64 / 4096.0;
                let square = |&c: &u32| (f64::from(c) - expected).powi(2) / expected;
                let statistic: f64 = counts.iter().map(square).sum();
                let distance = (statistic - 4095.0) / (2.0 * 4095.0f64).sqrt();
                assert!(distance.abs() < 6.0, "{name}, bit {shift}: {distance}");
            }
        }
    }

    /// Each bit of a state flips each bit of the hash about half of the time.
    #[test]
    fn every_bit_matters() {
        for width in [1, 3, 4, 7, 8, 13] {
            let rounds = 512;
            let mut flips = vec![[0u32; 64]; width * 32];
            for round in 0..rounds {
                let base = |k: u32| (round * 977 + k).wrapping_mul(0x9e37_79b9);
                let mut state: Vec<u32> = (0..width as u32).map(base).collect();
                let before = hash_words(&state);
                for (bit, counts) in flips.iter_mut().enumerate() {
                    state[bit / 32] ^= 1 << (bit % 32);
                    let changed = before ^ hash_words(&state);
                    state[bit / 32] ^= 1 << (bit % 32);
                    for (k, count) in counts.iter_mut().enumerate() {
                        *count += (changed >> k & 1) as u32;
                    }
                }
            }
            for counts in &flips {
                for &count in counts {
                    // Mean 256, standard deviation 11.3: seven deviations.
                    assert!((177..=335).contains(&count), "width {width}: {count}");
                }
            }
        }
    }
}
