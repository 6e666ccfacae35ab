//! The gamma Bernoulli approximation scheme: a frequency to a known relative error.
//!
//! Huber, "A Bernoulli mean estimate with known relative error distribution", Random Structures and
//! Algorithms 50(2), 2017. Let an exponential time of mean 1 pass before each walk. The walks with
//! an error are then a Poisson process whose rate is the probability `p` of an error, so the time
//! `T` until the `k`-th of them is a gamma variable of shape `k` divided by `p`. The estimate
//! `(k - 1) / T` is unbiased, and its relative error has a distribution that does not depend on
//! `p`: the smallest `k` that keeps it within `epsilon` can be computed beforehand, and the
//! probability of a miss is what was asked for, not just a bound on it.

use crate::least::least;
use crate::special::{regularised_gamma, regularised_gamma_upper};
use crate::{is_proper, stream};

/// An upper limit for the number of successes; beyond 2^53, floating-point numbers do not distinguish neighbouring
/// integers.
const MOST_SUCCESSES: u64 = 1 << 53;

/// An estimator of a probability, one walk at a time.
///
/// ```
/// use lariat_stats::{Gbas, stream};
///
/// let mut estimator = Gbas::new(0.1, 0.05).unwrap();
/// assert_eq!(estimator.successes_needed(), 385);
/// let mut walks = stream(1, "example", 0);
/// for index in 0.. {
///     if let Some(estimate) = estimator.add(walks.chance(0.2), 1, index) {
///         assert!((estimate / 0.2 - 1.0).abs() <= 0.1);
///         break;
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Gbas {
    needed: u64,
    successes: u64,
    draws: u64,
    time: f64,
}

impl Gbas {
    /// An estimator whose relative error is above `epsilon` with probability at most `delta`.
    ///
    /// `None` unless both are between 0 and 1, and if more than 2^53 successes would be needed.
    pub fn new(epsilon: f64, delta: f64) -> Option<Self> {
        if !(is_proper(epsilon) && is_proper(delta)) {
            return None;
        }
        Some(Gbas {
            needed: successes_needed(epsilon, delta)?,
            successes: 0,
            draws: 0,
            time: 0.0,
        })
    }

    /// Adds the walk with number `index`, a success or not; returns the estimate once it is complete.
    ///
    /// The exponential time of a walk is a function of `seed` and `index`. So the estimate does not depend on the
    /// number of workers if the walks are added in the order of their numbers. Once the estimate is complete, further
    /// walks do not change it.
    pub fn add(&mut self, success: bool, seed: u64, index: u64) -> Option<f64> {
        if self.successes < self.needed {
            self.time -= (-stream(seed, "gbas", index).unit()).ln_1p();
            self.draws += 1;
            self.successes += u64::from(success);
        }
        self.estimate()
    }

    /// The estimate, once there are enough successes.
    pub fn estimate(&self) -> Option<f64> {
        (self.successes >= self.needed).then(|| (self.needed as f64 - 1.0) / self.time)
    }

    /// The number of successes that are needed.
    pub fn successes_needed(&self) -> u64 {
        self.needed
    }

    /// The number of successes so far.
    pub fn successes(&self) -> u64 {
        self.successes
    }

    /// The number of walks so far.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// The expected number of walks if each is a success with probability `p`; infinite if `p` is not positive.
    pub fn expected_draws(&self, p: f64) -> f64 {
        if p > 0.0 {
            self.needed as f64 / p.min(1.0)
        } else {
            f64::INFINITY
        }
    }
}

/// The least number of successes for which the relative error is above `epsilon` with probability
/// at most `delta`.
fn successes_needed(epsilon: f64, delta: f64) -> Option<u64> {
    least(2, MOST_SUCCESSES, |k| miss(epsilon, k as f64) <= delta)
}

/// The probability that `(k - 1) / G` is not within `epsilon` of 1, where `G` is a gamma variable of
/// shape `k`.
fn miss(epsilon: f64, k: f64) -> f64 {
    regularised_gamma(k, (k - 1.0) / (1.0 + epsilon))
        + regularised_gamma_upper(k, (k - 1.0) / (1.0 - epsilon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_successes() {
        let needed = |epsilon, delta| Gbas::new(epsilon, delta).unwrap().successes_needed();
        assert_eq!(needed(0.1, 0.05), 385);
        // About z^2 / epsilon^2 for the normal quantile z.
        let fine = needed(1e-4, 0.05) as f64;
        assert!(
            (fine * 1e-8 / 1.959_964f64.powi(2) - 1.0).abs() < 1e-4,
            "{fine}"
        );
        for (epsilon, delta) in [
            (0.0, 0.1),
            (1.0, 0.1),
            (0.1, 0.0),
            (0.1, f64::NAN),
            (1e-15, 0.1),
        ] {
            assert!(Gbas::new(epsilon, delta).is_none());
        }
    }

    /// The binary search is correct because the probability of a miss decreases in the number of successes.
    #[test]
    fn misses_decrease() {
        for epsilon in [0.02, 0.1, 0.3, 0.6, 0.9, 0.99] {
            let misses = (1..3000).map(|k| miss(epsilon, f64::from(k)));
            let steps = misses.clone().zip(misses.skip(1));
            assert!(
                steps.into_iter().all(|(less, more)| more <= less + 1e-14),
                "{epsilon}"
            );
        }
    }

    #[test]
    fn a_complete_estimate_does_not_change() {
        let mut estimator = Gbas::new(0.5, 0.2).unwrap();
        let needed = estimator.successes_needed();
        assert_eq!(estimator.expected_draws(0.5), 2.0 * needed as f64);
        assert_eq!(estimator.expected_draws(0.0), f64::INFINITY);
        let estimates: Vec<_> = (0..needed + 5)
            .map(|index| estimator.add(true, 3, index))
            .collect();
        assert_eq!((estimator.draws(), estimator.successes()), (needed, needed));
        let last = needed as usize - 1;
        assert!(estimates[..last].iter().all(Option::is_none));
        assert!(
            estimates[last..]
                .iter()
                .all(|&estimate| estimate == estimates[last])
        );
    }
}
