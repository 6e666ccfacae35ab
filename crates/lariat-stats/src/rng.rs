//! The generator xoshiro256**, its seeding with SplitMix64, and unbiased sampling on top.
//!
//! xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", TOMS 47(4),
//! 2021) has 256 bits of state, a period of 2^256 - 1 and passes the known batteries of tests.
//! SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
//! 2014) turns a seed into its state, as its authors recommend. Bounded numbers follow Lemire,
//! "Fast random integer generation in an interval", TOMACS 29(1), 2019: one multiplication, and a
//! division only in the rare case that decides about a rejection.

/// A random generator with a fixed sequence for every seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

/// The stream number `counter` of those that serve one `purpose` under one `seed`.
///
/// ```
/// let mut first = lariat_stats::stream(7, "walk", 0);
/// let mut again = lariat_stats::stream(7, "walk", 0);
/// let mut other = lariat_stats::stream(7, "walk", 1);
/// assert_eq!(first.next_u64(), again.next_u64());
/// assert_ne!(first.next_u64(), other.next_u64());
/// ```
pub fn stream(seed: u64, purpose: &str, counter: u64) -> Rng {
    // Each part passes through the finaliser before the next is added, so that neighbouring seeds and counters give
    // unrelated states.
    let mut key = finalise(seed.wrapping_add(GOLDEN));
    for byte in purpose.bytes() {
        key = finalise(key ^ u64::from(byte)).wrapping_add(GOLDEN);
    }
    Rng::new(finalise(key ^ purpose.len() as u64) ^ finalise(counter.wrapping_add(GOLDEN)))
}

impl Rng {
    /// The generator that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        let mut split_mix = SplitMix64(seed);
        Rng {
            state: std::array::from_fn(|_| split_mix.next()),
        }
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number below `bound`, all equally likely; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            // The first 2^64 mod bound values of the low half would favour some results.
            let excess = bound.wrapping_neg() % bound;
            while (product as u64) < excess {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// An index of a collection of `len` elements; 0 if there is none.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// A number in [0, 1), a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// `true` with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of `items`, all equally likely.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.index(items.len()))
    }

    /// Puts `items` into a random order, all equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

/// A generator for the few draws of one key, for example the choice of a successor: the sequence of SplitMix64 that
/// starts at the key. Its construction is free.
///
/// ```
/// use lariat_stats::Dice;
///
/// let mut dice = Dice::new(7);
/// let drawn = [dice.below(6), dice.below(6)];
/// let mut again = Dice::new(7);
/// assert_eq!(drawn, [again.below(6), again.below(6)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice(SplitMix64);

impl Dice {
    /// The sequence of a key. Keys need not be random.
    #[inline]
    pub fn new(key: u64) -> Self {
        Dice(SplitMix64(key))
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `bound`, all equally likely; for a bound of 1, no number is drawn.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound <= 1 {
            return 0;
        }
        let mut product = u128::from(self.0.next()) * u128::from(bound);
        if (product as u64) < bound {
            // As in `Rng::below`.
            let excess = bound.wrapping_neg() % bound;
            while (product as u64) < excess {
                product = u128::from(self.0.next()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// An index of a collection of `len` elements; 0 if there is none.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// A number in [0, 1), a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Clone, Debug, PartialEq, Eq)]
struct SplitMix64(u64);

impl SplitMix64 {
    #[inline]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        finalise(self.0)
    }
}

/// A bijection of 64 bits in which every input bit reaches every output bit (Stafford's mix 13).
#[inline]
pub(crate) fn finalise(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vector that rand_xoshiro publishes, made with the authors' C code.
    #[test]
    fn xoshiro_matches_the_reference() {
        let mut rng = Rng {
            state: [1, 2, 3, 4],
        };
        let expected = [
            11520,
            0,
            1509978240,
            1215971899390074240,
            1216172134540287360,
            607988272756665600,
            16172922978634559625,
            8476171486693032832,
            10595114339597558777,
            2904607092377533576,
        ];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
    }

    /// The vector for seed 1234567, as found on Rosetta Code.
    #[test]
    fn split_mix_matches_the_reference() {
        let mut split_mix = SplitMix64(1234567);
        let expected = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        assert_eq!(expected.map(|_| split_mix.next()), expected);
    }

    /// Changing these values breaks every recorded seed.
    #[test]
    fn values_are_stable() {
        let mut rng = stream(1, "walk", 2);
        let drawn = [rng.next_u64(), rng.below(1000), rng.below(1 << 40)];
        assert_eq!(drawn, STABLE);
    }
    const STABLE: [u64; 3] = [14481481746069277710, 32, 167622419592];

    #[test]
    fn streams_differ_in_every_part() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..20 {
            for purpose in ["", "a", "b", "ab", "ba", "\0"] {
                for counter in 0..20 {
                    assert!(seen.insert(stream(seed, purpose, counter).next_u64()));
                }
            }
        }
    }

    /// The chi-squared statistic of uniform counts.
    fn chi_squared(counts: &[u64]) -> f64 {
        let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        let square = |&c: &u64| (c as f64 - expected).powi(2) / expected;
        counts.iter().map(square).sum()
    }

    /// With k - 1 degrees of freedom the statistic has mean k - 1 and variance 2 (k - 1); five standard deviations
    /// are not exceeded by chance, and the seeds are fixed.
    fn assert_uniform(counts: &[u64], what: &str) {
        let freedom = (counts.len() - 1) as f64;
        let statistic = chi_squared(counts);
        let distance = (statistic - freedom) / (2.0 * freedom).sqrt();
        assert!(distance.abs() < 5.0, "{what}: {distance} deviations");
    }

    #[test]
    fn bounded_numbers_are_uniform() {
        for bound in [2u64, 3, 7, 10, 64, 100, 257] {
            let mut rng = stream(bound, "uniform", 0);
            let mut counts = vec![0; bound as usize];
            for _ in 0..bound * 2000 {
                counts[rng.below(bound) as usize] += 1;
            }
            assert_uniform(&counts, "below");
        }
    }

    #[test]
    fn dice_are_uniform() {
        for bound in [2u64, 3, 7, 10, 64, 100, 257] {
            let mut counts = vec![0; bound as usize];
            // Neighbouring keys, and the second draw of each.
            for key in 0..bound * 1000 {
                let mut dice = Dice::new(key);
                counts[dice.index(bound as usize)] += 1;
                counts[dice.index(bound as usize)] += 1;
            }
            assert_uniform(&counts, "dice");
        }
        let mut dice = Dice::new(5);
        assert_eq!((dice.below(0), dice.below(1)), (0, 0));
        assert_eq!(dice, Dice::new(5), "a bound of 1 draws no number");
    }

    /// A bound of 3/4 of the range makes the bias of a plain multiplication visible: it would
    /// give a third of the results twice the weight of the others.
    #[test]
    fn large_bounds_are_not_biased() {
        let bound = 3u64 << 62;
        let mut rng = stream(3, "large", 0);
        let mut residues = [0; 3];
        for _ in 0..60_000 {
            residues[(rng.below(bound) % 3) as usize] += 1;
        }
        assert_uniform(&residues, "residues of a large bound");
    }

    #[test]
    fn bits_are_balanced() {
        let mut rng = stream(9, "bits", 0);
        let mut ones = [0u64; 64];
        for _ in 0..100_000 {
            let word = rng.next_u64();
            for (bit, count) in ones.iter_mut().enumerate() {
                *count += word >> bit & 1;
            }
        }
        for count in ones {
            assert_uniform(&[count, 100_000 - count], "bit");
        }
    }

    #[test]
    fn shuffles_are_uniform() {
        let mut rng = stream(5, "shuffle", 0);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            rng.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        assert_uniform(&counts.into_values().collect::<Vec<_>>(), "permutations");
    }

    #[test]
    fn edge_cases() {
        let mut rng = Rng::new(0);
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
        assert_eq!(rng.choose::<u8>(&[]), None);
        assert_eq!(rng.choose(&[8]), Some(&8));
        rng.shuffle::<u8>(&mut []);
        assert!(!rng.chance(0.0) && rng.chance(1.0));
    }
}
