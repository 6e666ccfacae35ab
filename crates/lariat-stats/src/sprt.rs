//! The sequential probability ratio test: which of two probabilities is it?
//!
//! Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16(2),
//! 1945. While the ratio of the two likelihoods stays between two limits, one more walk is made.
//! Wald's customary limits `(1 - beta) / alpha` and `beta / (1 - alpha)` keep the sum of the two
//! probabilities of error, but one of them may be a little more than it should. The limits here are
//! `1 / alpha` and `beta`. They keep each one for itself, by Ville's inequality, for the price of a
//! few walks more.

use crate::is_proper;

/// What a test was decided for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The probability `p0`, or one that is farther from `p1`.
    Null,
    /// The probability `p1`, or one that is farther from `p0`.
    Alternative,
}

/// A test of the probability `p0` against `p1`, fed walk by walk.
///
/// In model checking, `p0` is a frequency of errors that is to be excluded, and `p1` one that is
/// tolerated. On a system without errors it takes more walks than
/// [`samples_needed`](crate::samples_needed).
///
/// ```
/// use lariat_stats::{Decision, Sprt};
///
/// let mut test = Sprt::new(0.01, 0.001, 0.05, 0.05).unwrap();
/// let clean = (1..).find(|_| test.add(false) == Some(Decision::Alternative));
/// assert_eq!(clean, Some(332));
/// ```
#[derive(Clone, Debug)]
pub struct Sprt {
    per_success: f64,
    per_failure: f64,
    accept: f64,
    reject: f64,
    successes: u64,
    draws: u64,
    decision: Option<Decision>,
}

impl Sprt {
    /// A test that decides for `p1` with probability at most `alpha` if it is `p0`, and for `p0`
    /// with probability at most `beta` if it is `p1`.
    ///
    /// `None` unless all are between 0 and 1 and the two probabilities differ.
    pub fn new(p0: f64, p1: f64, alpha: f64, beta: f64) -> Option<Self> {
        let valid = [p0, p1, alpha, beta].into_iter().all(is_proper) && p0 != p1;
        valid.then(|| Sprt {
            per_success: p1.ln() - p0.ln(),
            // The logarithm of (1 - p1) / (1 - p0).
            per_failure: ((p0 - p1) / (1.0 - p0)).ln_1p(),
            accept: -alpha.ln(),
            reject: beta.ln(),
            successes: 0,
            draws: 0,
            decision: None,
        })
    }

    /// A walk was a success or not; the decision if there is one. Nothing changes after it.
    pub fn add(&mut self, success: bool) -> Option<Decision> {
        if self.decision.is_none() {
            self.draws += 1;
            self.successes += u64::from(success);
            let ratio = self.ln_ratio();
            if ratio >= self.accept {
                self.decision = Some(Decision::Alternative);
            } else if ratio <= self.reject {
                self.decision = Some(Decision::Null);
            }
        }
        self.decision
    }

    /// The logarithm of the likelihood of `p1` divided by that of `p0`.
    pub fn ln_ratio(&self) -> f64 {
        let failures = self.draws - self.successes;
        self.successes as f64 * self.per_success + failures as f64 * self.per_failure
    }

    /// The decision, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// How many walks were used.
    pub fn draws(&self) -> u64 {
        self.draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions() {
        let mut test = Sprt::new(0.5, 0.25, 0.1, 0.1).unwrap();
        // Each success halves the ratio, and each failure makes it half as large again.
        let ratios: Vec<f64> = [true, false, false]
            .map(|success| {
                assert_eq!(test.add(success), None);
                test.ln_ratio().exp()
            })
            .into();
        for (ratio, expected) in ratios.into_iter().zip([0.5, 0.75, 1.125]) {
            assert!((ratio - expected).abs() < 1e-14);
        }
        assert_eq!((0..).find_map(|_| test.add(true)), Some(Decision::Null));
        assert_eq!((test.draws(), test.add(false)), (7, Some(Decision::Null)));
        assert_eq!((test.draws(), test.decision()), (7, Some(Decision::Null)));
    }

    #[test]
    fn odd_input() {
        assert!(Sprt::new(0.1, 0.1, 0.1, 0.1).is_none());
        for odd in [0.0, 1.0, -0.5, f64::NAN] {
            assert!(Sprt::new(odd, 0.1, 0.1, 0.1).is_none());
            assert!(Sprt::new(0.2, odd, 0.1, 0.1).is_none());
            assert!(Sprt::new(0.2, 0.1, odd, 0.1).is_none());
            assert!(Sprt::new(0.2, 0.1, 0.1, odd).is_none());
        }
    }
}
