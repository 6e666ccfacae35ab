//! Counting distinct elements and their multiplicities in bounded memory.
//!
//! Adaptive sampling (Wegman 1984; Flajolet, "On adaptive sampling", Computing 43, 1990): keep the hashes that start
//! with `l` zero bits, and increase `l` when there are too many of them. The hashes that remain are a sample that
//! contains every distinct element with the same probability, whatever its multiplicity. With `m` of them left, `m
//! 2^l` is an unbiased estimate of the number of distinct elements. As long as `l` is 0, the sample is complete and
//! the number exact.
//!
//! Its standard error is 1.20 divided by the square root of the capacity: 1.9 %.

use std::collections::HashMap;

/// The largest number of hashes in the sample.
const CAPACITY: usize = 4096;

/// A sample of distinct elements with their multiplicities.
///
/// ```
/// use lariat_stats::{DistinctSample, stream};
///
/// let mut sample = DistinctSample::default();
/// let mut rng = stream(1, "hashes", 0);
/// for _ in 0..1000 {
///     let hash = rng.next_u64();
///     sample.add(hash);
///     sample.add(hash);
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
    /// Adds an element with this hash.
    #[inline]
    pub fn add(&mut self, hash: u64) {
        if hash.leading_zeros() >= self.zeros {
            self.keep(hash);
        }
    }

    fn keep(&mut self, hash: u64) {
        let times = self.times.entry(hash).or_insert(0);
        *times = times.saturating_add(1);
        while self.times.len() > CAPACITY {
            self.zeros += 1;
            let zeros = self.zeros;
            self.times.retain(|hash, _| hash.leading_zeros() >= zeros);
        }
    }

    /// The number of distinct elements, estimated unless [`is_exact`](Self::is_exact).
    pub fn distinct(&self) -> u64 {
        (self.times.len() as u64) << self.zeros
    }

    /// Whether [`distinct`](Self::distinct) is exact.
    pub fn is_exact(&self) -> bool {
        self.zeros == 0
    }

    /// How many elements of the sample were added once, twice and so on; the last number counts all larger
    /// multiplicities.
    pub fn histogram<const N: usize>(&self) -> [u64; N] {
        let mut histogram = [0; N];
        for &times in self.times.values() {
            let index = (times as usize - 1).min(N - 1);
            histogram[index] += 1;
        }
        histogram
    }

    /// The bytes that the sample takes, approximately.
    pub fn memory_bytes(&self) -> usize {
        self.times.capacity() * (size_of::<(u64, u32)>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream;

    /// The mean and the spread of many estimates are as computed.
    ///
    /// The mean of 400 estimates has a standard error of 0.1 %; with a bound of seven of them, this
    /// fails by chance with a probability below 10^-11.
    #[test]
    fn estimates_are_unbiased() {
        const RUNS: u64 = 400;
        const ELEMENTS: u64 = 30_000;
        let mut sum = 0.0;
        let mut squares = 0.0;
        for run in 0..RUNS {
            let mut rng = stream(1, "distinct", run);
            let mut sample = DistinctSample::default();
            (0..ELEMENTS).for_each(|_| sample.add(rng.next_u64()));
            let estimate = sample.distinct() as f64 / ELEMENTS as f64;
            sum += estimate;
            squares += (estimate - 1.0).powi(2);
        }
        let mean = sum / RUNS as f64;
        let deviation = (squares / RUNS as f64).sqrt();
        assert!((mean - 1.0).abs() < 0.007, "{mean}");
        assert!((0.012..0.026).contains(&deviation), "{deviation}");
    }

    /// The multiplicity of an element does not change its probability to be in the sample.
    #[test]
    fn the_histogram_of_the_sample_is_that_of_all_elements() {
        let mut rng = stream(1, "histogram", 0);
        let mut sample = DistinctSample::default();
        for _ in 0..100_000 {
            let hash = rng.next_u64();
            let times = if rng.chance(0.25) { 9 } else { 1 };
            (0..times).for_each(|_| sample.add(hash));
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
