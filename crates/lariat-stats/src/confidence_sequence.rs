//! Confidence sequences: limits of a probability that hold at all times together.
//!
//! Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of
//! Mathematical Statistics 41(5), 1970. If each walk is a success with probability `p`, then the likelihood of the
//! walks under a mixture of probabilities divided by that under `p` is a martingale of mean 1. By Ville's inequality
//! the probability that it ever reaches `1 / delta` is at most `delta`. So the set of `p` for which it is below may
//! be read after every walk, and the walks may be stopped when that set is narrow enough. With a beta mixture the
//! ratio has a closed form.

use crate::is_proper;
use crate::special::{ln_beta, ln_beta_kernel, logistic};

/// An interval for a probability after every walk; the probability that any of these intervals misses it is at most
/// `delta`.
///
/// After `n` walks with `S` successes, the interval is all `p` with `B(a + S, b + n - S) / (B(a, b) p^S (1 - p)^(n -
/// S)) < 1 / delta`. It is not intersected with earlier intervals: it is never empty, and depends only on the two
/// numbers, not on the order of the walks. The mixture (1, 1) suits all probabilities, (0.5, 50) is narrower for
/// those around 0.01.
///
/// ```
/// let mut sequence = lariat_stats::ConfidenceSequence::new(1.0, 1.0, 0.05).unwrap();
/// sequence.add_many(20, 1000);
/// let (lower, upper) = sequence.interval();
/// assert!((lower - 0.0073258).abs() < 1e-7 && (upper - 0.0421491).abs() < 1e-7);
/// ```
#[derive(Clone, Debug)]
pub struct ConfidenceSequence {
    a: f64,
    b: f64,
    ln_prior: f64,
    limit: f64,
    successes: u64,
    draws: u64,
}

impl ConfidenceSequence {
    /// A sequence with the mixture `a`, `b`. `None` unless these are positive and finite, and
    /// `delta` is between 0 and 1.
    pub fn new(a: f64, b: f64, delta: f64) -> Option<Self> {
        let ln_prior = ln_beta(a, b);
        (is_proper(delta) && ln_prior.is_finite()).then(|| ConfidenceSequence {
            a,
            b,
            ln_prior,
            limit: -delta.ln(),
            successes: 0,
            draws: 0,
        })
    }

    /// Adds a walk, a success or not.
    pub fn add(&mut self, success: bool) {
        self.add_many(u64::from(success), 1);
    }

    /// Adds `draws` walks with `successes` successes; more successes than walks count as all of them.
    pub fn add_many(&mut self, successes: u64, draws: u64) {
        self.successes = self.successes.saturating_add(successes.min(draws));
        self.draws = self.draws.saturating_add(draws);
    }

    /// The number of successes.
    pub fn successes(&self) -> u64 {
        self.successes
    }

    /// The number of walks.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// The logarithm of the martingale for `p = x = 1 - y`, both positive.
    ///
    /// The powers and the first beta function are the kernel of a beta law up to the factor `x^a y^b`. So no large
    /// numbers are subtracted.
    fn ln_ratio(&self, x: f64, y: f64) -> f64 {
        let successes = self.successes as f64;
        let failures = (self.draws - self.successes) as f64;
        let kernel = ln_beta_kernel(self.a + successes, self.b + failures, x, y);
        self.a * x.ln() + self.b * y.ln() - self.ln_prior - kernel
    }

    /// Whether a probability is in the interval.
    pub fn contains(&self, p: f64) -> bool {
        if is_proper(p) {
            return self.ln_ratio(p, 1.0 - p) < self.limit;
        }
        (p == 0.0 && self.successes == 0) || (p == 1.0 && self.successes == self.draws)
    }

    /// The limits of the interval.
    pub fn interval(&self) -> (f64, f64) {
        let failures = self.draws - self.successes;
        let lower = if self.successes == 0 {
            0.0
        } else {
            // The lower limit for successes is the complement of the upper one for failures.
            logistic(self.upper_logit(failures, |t| self.ln_ratio_at(-t))).1
        };
        let upper = if failures == 0 {
            1.0
        } else {
            logistic(self.upper_logit(self.successes, |t| self.ln_ratio_at(t))).0
        };
        (lower, upper)
    }

    fn ln_ratio_at(&self, t: f64) -> f64 {
        let (x, y) = logistic(t);
        self.ln_ratio(x.max(f64::MIN_POSITIVE), y.max(f64::MIN_POSITIVE))
    }

    /// The logit above the frequency `count / draws` at which the ratio reaches the limit.
    ///
    /// In the logit `t` the logarithm of the ratio is convex, with the slope `draws x - count`. So Newton's method
    /// passes the solution in one step, and then approaches it from the right.
    fn upper_logit(&self, count: u64, ln_ratio: impl Fn(f64) -> f64) -> f64 {
        let (n, count) = (self.draws as f64, count as f64);
        // One deviation above the frequency, where the slope is about the deviation.
        let mut t = if count > 0.0 {
            (count / (n - count)).ln() + (count * (1.0 - count / n)).sqrt().recip()
        } else {
            -n.ln()
        };
        for round in 0..200 {
            let (x, y) = logistic(t);
            let slope = (n - count) * x - count * y;
            let step = (self.limit - ln_ratio(t)) / slope;
            // On the right of the solution, only rounding reverses the direction.
            let turned = round > 1 && step >= 0.0;
            if !step.is_finite() || turned {
                break;
            }
            t += step;
            if step.abs() <= 1e-16 * t.abs() {
                break;
            }
        }
        t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(successes: u64, draws: u64) -> (f64, f64) {
        let mut sequence = ConfidenceSequence::new(1.0, 1.0, 0.05).unwrap();
        sequence.add_many(successes, draws);
        sequence.interval()
    }

    /// Both ends are where the ratio is 1 / delta, for few and for very many walks.
    #[test]
    fn the_ratio_at_both_ends_is_one_over_delta() {
        for (a, b) in [(1.0, 1.0), (0.5, 50.0), (0.5, 0.5), (3.0, 0.1)] {
            for draws in [1, 2, 3, 10, 1000, 1_000_000, 1_000_000_000_000] {
                for successes in [0, 1, 2, draws / 3, draws / 2, draws - 1, draws] {
                    let successes = successes.min(draws);
                    let mut sequence = ConfidenceSequence::new(a, b, 0.05).unwrap();
                    sequence.add_many(successes, draws);
                    let (lower, upper) = sequence.interval();
                    let frequency = successes as f64 / draws as f64;
                    let what = format!("{a} {b} {successes}/{draws}: {lower} {upper}");
                    assert!(0.0 <= lower && lower <= frequency, "{what}");
                    assert!(frequency <= upper && upper <= 1.0, "{what}");
                    for end in [lower, upper] {
                        if is_proper(end) && 1.0 - end > 1e-6 {
                            let ratio = sequence.ln_ratio(end, 1.0 - end);
                            assert!((ratio - 20.0f64.ln()).abs() < 1e-6, "{what} {ratio}");
                        }
                    }
                    assert_eq!(lower == 0.0, successes == 0, "{what}");
                    assert!(
                        (upper == 1.0) == (successes == draws) || upper > 0.999,
                        "{what}"
                    );
                }
            }
        }
    }

    /// Without successes, `(1 - p)^n = delta / (n + 1)` for the uniform mixture.
    #[test]
    fn clean_walks() {
        for n in [1, 50, 1_000_000, 1_000_000_000_000_000] {
            let expected = -((0.05f64.ln() - (n as f64).ln_1p()) / n as f64).exp_m1();
            let (lower, upper) = interval(0, n);
            assert_eq!(lower, 0.0);
            assert!(
                (upper / expected - 1.0).abs() < 1e-12,
                "{n} {upper} {expected}"
            );
            let (mirrored, one) = interval(n, n);
            assert!((1.0 - mirrored - upper).abs() < 1e-12 && one == 1.0);
        }
        assert_eq!(interval(0, 0), (0.0, 1.0));
    }

    #[test]
    fn more_walks_narrow_the_interval() {
        let mut width = 1.0;
        for exponent in 1..15 {
            let draws = 10u64.pow(exponent);
            let (lower, upper) = interval(draws / 10, draws);
            assert!(upper - lower < width);
            width = upper - lower;
        }
        assert!(width < 1e-6);
    }

    #[test]
    fn odd_input() {
        for (a, b, delta) in [
            (0.0, 1.0, 0.1),
            (1.0, -1.0, 0.1),
            (f64::NAN, 1.0, 0.1),
            (f64::INFINITY, 1.0, 0.1),
            (1.0, 1.0, 0.0),
            (1.0, 1.0, 1.0),
        ] {
            assert!(ConfidenceSequence::new(a, b, delta).is_none());
        }
        let mut sequence = ConfidenceSequence::new(1.0, 1.0, 0.05).unwrap();
        assert!(sequence.contains(0.0) && sequence.contains(1.0) && !sequence.contains(f64::NAN));
        sequence.add(true);
        sequence.add_many(9, 3);
        assert_eq!((sequence.successes(), sequence.draws()), (4, 4));
        assert!(!sequence.contains(0.0) && sequence.contains(1.0) && !sequence.contains(2.0));
    }
}
