//! Counting distinct things, and how often each one comes, in little memory.
//!
//! Adaptive sampling (Wegman 1984; Flajolet, "On adaptive sampling", Computing 43, 1990): remember the hashes
//! that start with so many zero bits, and when there are too many of them, ask for one zero more. What is
//! left is a sample in which every distinct thing is with the same probability, however often it came. With
//! `m` of them left at `l` zeros, `m 2^l` is an unbiased estimate of their number. As long as no zeros are
//! asked for, everything is remembered and the number is exact.
//!
//! Its standard error is 1.20 divided by the square root of the capacity: 1.9 %.

use std::collections::HashMap;

/// The most hashes that are remembered.
const CAPACITY: usize = 4096;

/// A sample of distinct things with the number of times that each was met.
///
/// ```
/// use lariat_stats::{DistinctSample, stream};
///
/// let mut sample = DistinctSample::default();
/// let mut rng = stream(1, "hashes", 0);
/// for _ in 0..1000 {
///     let hash = rng.next_u64();
///     sample.meet(hash);
///     sample.meet(hash);
/// }
/// assert_eq!((sample.distinct(), sample.is_exact()), (1000, true));
/// assert_eq!(sample.histogram::<4>(), [0, 1000, 0, 0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct DistinctSample {
    times: HashMap<u64, u32>,
    zeros: u32,
}

impl DistinctSample {
    /// Something with this hash was met.
    #[inline]
    pub fn meet(&mut self, hash: u64) {
        if hash.leading_zeros() >= self.zeros {
            self.remember(hash);
        }
    }

    fn remember(&mut self, hash: u64) {
        let times = self.times.entry(hash).or_insert(0);
        *times = times.saturating_add(1);
        while self.times.len() > CAPACITY {
            self.zeros += 1;
            let zeros = self.zeros;
            self.times.retain(|hash, _| hash.leading_zeros() >= zeros);
        }
    }

    /// How many distinct things were met, about.
    pub fn distinct(&self) -> u64 {
        (self.times.len() as u64) << self.zeros
    }

    /// Whether that is no estimate.
    pub fn is_exact(&self) -> bool {
        self.zeros == 0
    }

    /// How many of the things in the sample were met once, twice and so on; the last number is for
    /// all that were met more often.
    pub fn histogram<const N: usize>(&self) -> [u64; N] {
        let mut histogram = [0; N];
        for &times in self.times.values() {
            let index = (times as usize - 1).min(N - 1);
            histogram[index] += 1;
        }
        histogram
    }

    /// The bytes that the sample takes, about.
    pub fn memory_bytes(&self) -> usize {
        self.times.capacity() * (size_of::<(u64, u32)>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream;

    /// The estimates of many samples: their mean is right, and so is their spread.
    ///
    /// The mean of 400 estimates has a standard error of 0.1 %; with a bound of seven of them, this
    /// fails by chance with a probability below 10^-11.
    #[test]
    fn estimates_are_unbiased() {
        const RUNS: u64 = 400;
        const THINGS: u64 = 30_000;
        let mut sum = 0.0;
        let mut squares = 0.0;
        for run in 0..RUNS {
            let mut rng = stream(1, "distinct", run);
            let mut sample = DistinctSample::default();
            (0..THINGS).for_each(|_| sample.meet(rng.next_u64()));
            let estimate = sample.distinct() as f64 / THINGS as f64;
            sum += estimate;
            squares += (estimate - 1.0).powi(2);
        }
        let mean = sum / RUNS as f64;
        let deviation = (squares / RUNS as f64).sqrt();
        assert!((mean - 1.0).abs() < 0.007, "{mean}");
        assert!((0.012..0.026).contains(&deviation), "{deviation}");
    }

    /// How often a thing comes does not change its chance to be in the sample.
    #[test]
    fn the_histogram_is_that_of_all() {
        let mut rng = stream(1, "histogram", 0);
        let mut sample = DistinctSample::default();
        for _ in 0..100_000 {
            let hash = rng.next_u64();
            let times = if rng.chance(0.25) { 9 } else { 1 };
            (0..times).for_each(|_| sample.meet(hash));
        }
        let [once, .., often] = sample.histogram::<5>();
        let share = often as f64 / (once + often) as f64;
        // At least 2000 in the sample: seven standard errors are 0.068.
        assert!(
            once + often > 1500 && (share - 0.25).abs() < 0.068,
            "{share}"
        );
        assert!(!sample.is_exact() && sample.memory_bytes() < 300_000);
    }
}
