//! What a number of random walks proves about the probability of an error.
//!
//! After Grosu and Smolka, "Monte Carlo model checking", TACAS 2005: if errors had a probability of
//! at least `epsilon`, then `n` clean walks would have had a probability of at most
//! `(1 - epsilon)^n`. When this is at most `delta`, the hypothesis is rejected at that level. It is
//! a statement about the walks, not a probability of correctness.
//!
//! With errors or unknown outcomes among the walks, the same reasoning gives the bounds of Clopper
//! and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
//! Biometrika 26(4), 1934.

use crate::is_proper;
use crate::least::least;
use crate::special::{
    inverse_regularised_beta, inverse_regularised_beta_upper, regularised_beta_upper,
};

/// The least number of walks that, all clean, reject an error probability of `epsilon` or more at
/// level `delta`: the smallest `M` with `M ln(1 - epsilon) <= ln(delta)`.
///
/// The loop that is printed in the paper draws the integer part of the real solution, one walk
/// less, and so errs too often: for 0.5 and 0.1 with probability 0.125.
///
/// `None` unless both are between 0 and 1 and the number fits.
///
/// ```
/// assert_eq!(lariat_stats::samples_needed(1.8e-3, 0.1), Some(1279));
/// ```
pub fn samples_needed(epsilon: f64, delta: f64) -> Option<u64> {
    if !(is_proper(epsilon) && is_proper(delta)) {
        return None;
    }
    let (per_walk, target) = ((-epsilon).ln_1p(), delta.ln());
    // Both logarithms are rounded, as are the arguments. Without a tolerance of a few units in the last place,
    // equality would be missed, for example for one half and its powers.
    let suffices = |walks: u64| walks as f64 * per_walk <= target * (1.0 - 4.0 * f64::EPSILON);
    let quotient = (target / per_walk).ceil();
    if quotient >= u64::MAX as f64 {
        return None;
    }
    // The quotient is rounded, so its neighbours are tried as well.
    let guess = quotient as u64;
    (guess.saturating_sub(1).max(1)..=guess.saturating_add(1)).find(|&walks| suffices(walks))
}

/// The error probability that `n` clean walks reject at level `delta`: `1 - delta^(1/n)`.
///
/// The walks may be stopped at any time, for any reason that depends on the walks so far: no error after more walks
/// is the smaller event, so the bound is wrong at some time only if it is wrong at the first time when it is below
/// the true probability.
///
/// 1 without walks, and for a `delta` that is not positive; 0 for a `delta` of 1 or more.
pub fn epsilon_after(n: u64, delta: f64) -> f64 {
    if n == 0 || delta.is_nan() || delta <= 0.0 {
        return 1.0;
    }
    (-(delta.ln() / n as f64).exp_m1()).max(0.0)
}

/// The probability of at most `k` successes in `n` trials of probability `p`; `p` is taken to the
/// nearest probability, and NaN gives NaN.
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    if k >= n {
        return 1.0;
    }
    regularised_beta_upper(k as f64 + 1.0, (n - k) as f64, p.clamp(0.0, 1.0))
}

/// The error probability that is rejected at level `delta` by at most `k` errors in a fixed number
/// of `n` walks, one-sided: the `p` for which so few have probability `delta`.
///
/// For walks whose outcome is unknown, such as walks that were cut, `k` has to count them: counting them as clean
/// would claim what was not observed.
///
/// 1 if `k` is `n` or more. For no errors it is [`epsilon_after`], and only then may the walks be
/// stopped at any time.
///
/// ```
/// use lariat_stats::{epsilon_after, upper_bound};
/// assert_eq!(upper_bound(0, 500, 0.05), epsilon_after(500, 0.05));
/// assert!(upper_bound(10, 500, 0.05) > 0.03);
/// ```
pub fn upper_bound(k: u64, n: u64, delta: f64) -> f64 {
    if k >= n || delta.is_nan() || delta <= 0.0 {
        return 1.0;
    }
    if k == 0 {
        return epsilon_after(n, delta);
    }
    // At most k successes: a beta variable with these parameters is above p.
    inverse_regularised_beta_upper(k as f64 + 1.0, (n - k) as f64, delta)
}

/// The other side of [`upper_bound`]: the `p` for which at least `k` errors in `n` walks have
/// probability `delta`. 0 if `k` is 0; `k` above `n` counts as `n`.
pub fn lower_bound(k: u64, n: u64, delta: f64) -> f64 {
    let k = k.min(n);
    if k == 0 || delta.is_nan() || delta <= 0.0 {
        return 0.0;
    }
    if k == n {
        // The mirror image of the case without errors.
        return (delta.ln() / n as f64).exp().min(1.0);
    }
    inverse_regularised_beta(k as f64, (n - k) as f64 + 1.0, delta)
}

/// The interval of Clopper and Pearson for `k` errors in a fixed number of `n` walks: it misses
/// the true probability with at most `delta`, half of it on each side.
///
/// The interval must not be read repeatedly while the walks go on: the probability that it is wrong at some time
/// tends to 1. For that there is [`ConfidenceSequence`](crate::ConfidenceSequence).
pub fn clopper_pearson(k: u64, n: u64, delta: f64) -> (f64, f64) {
    (
        lower_bound(k, n, delta / 2.0),
        upper_bound(k, n, delta / 2.0),
    )
}

/// The least number of walks that, with fewer than `errors` errors among them, reject an error
/// probability of `epsilon` or more at level `delta`.
///
/// The plan stops at error number `errors`, or accepts after this many walks. It is for systems in which rare errors
/// are known, and for collecting several errors in one search. For one error it is [`samples_needed`]. The waiting
/// time is negative binomial; the number is the least `n` for which fewer than `errors` successes in `n` trials have
/// a probability of at most `delta`.
///
/// `None` without an error to wait for, unless `epsilon` and `delta` are between 0 and 1, and if
/// the number does not fit.
pub fn samples_with_errors(epsilon: f64, delta: f64, errors: u64) -> Option<u64> {
    let first = samples_needed(epsilon, delta)?;
    if errors <= 1 {
        return (errors == 1).then_some(first);
    }
    least(first.max(errors), u64::MAX, |walks| {
        binomial_cdf(errors - 1, walks, epsilon) <= delta
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::regularised_beta;

    #[test]
    fn walks_that_are_needed() {
        let needed = |epsilon: f64, delta: f64| samples_needed(epsilon, delta).unwrap();
        // Equality is enough: two walks at one half have a chance of a quarter.
        for exponent in 1..=60 {
            assert_eq!(needed(0.5, 0.5f64.powi(exponent)), exponent as u64);
        }
        assert_eq!(needed(0.125, 0.1), 18);
        assert_eq!(needed(1.83e-3, 0.1), 1258);
        // About ln(1/delta)/epsilon, also where 1 - epsilon is hardly different from 1.
        let many = needed(1e-15, 0.1) as f64;
        assert!((many * 1e-15 / std::f64::consts::LN_10 - 1.0).abs() < 1e-14);
        assert_eq!(needed(1.0 - 1e-16, 1e-300), 19);
        for (epsilon, delta) in [
            (0.0, 0.1),
            (1.0, 0.1),
            (-1.0, 0.1),
            (f64::NAN, 0.1),
            (0.1, 0.0),
            (0.1, 1.0),
            (0.1, f64::NAN),
            (1e-30, 0.1),
        ] {
            assert_eq!(samples_needed(epsilon, delta), None);
        }
    }

    #[test]
    fn one_walk_less_is_not_enough() {
        for epsilon in [0.9, 0.3, 0.01, 1e-5, 1e-9, 1e-13] {
            for delta in [0.9, 0.5, 0.1, 1e-3, 1e-12] {
                let walks = samples_needed(epsilon, delta).unwrap();
                assert!(epsilon_after(walks, delta) <= epsilon * (1.0 + 1e-15));
                assert!(epsilon_after(walks - 1, delta) > epsilon * (1.0 - 1e-15));
            }
        }
    }

    #[test]
    fn margins_of_clean_walks() {
        assert_eq!(epsilon_after(0, 0.1), 1.0);
        assert!((epsilon_after(1, 0.1) - 0.9).abs() < 1e-15);
        let tiny = epsilon_after(1_000_000_000_000_000, 0.1);
        assert!((tiny * 1e15 / std::f64::consts::LN_10 - 1.0).abs() < 1e-14);
        let odd = [0.0, -1.0, f64::NAN, 1.0, 2.0].map(|delta| epsilon_after(5, delta));
        assert_eq!(odd, [1.0, 1.0, 1.0, 0.0, 0.0]);
    }

    /// Published limits of Clopper and Pearson at 95 %: for one error in 10 walks 0.0025 and
    /// 0.4450, for 5 in 10 0.1871 and 0.8129.
    #[test]
    fn known_intervals() {
        for (k, n, lower, upper) in [(1, 10, 0.0025, 0.4450), (5, 10, 0.1871, 0.8129)] {
            let (from, to) = clopper_pearson(k, n, 0.05);
            assert!((from - lower).abs() < 5e-5 && (to - upper).abs() < 5e-5);
        }
        assert_eq!(clopper_pearson(0, 0, 0.05), (0.0, 1.0));
        assert_eq!(clopper_pearson(7, 7, 0.05).1, 1.0);
        assert_eq!(clopper_pearson(3, 7, f64::NAN), (0.0, 1.0));
        assert_eq!(clopper_pearson(9, 7, 0.05), clopper_pearson(7, 7, 0.05));
    }

    #[test]
    fn bounds_are_where_the_tail_is_delta() {
        for n in [2, 10, 1000, 1_000_000, 1_000_000_000_000] {
            for k in [1, 5, 100, n / 3, n - 1] {
                if k == 0 || k >= n {
                    continue;
                }
                for delta in [0.5, 0.05, 1e-9] {
                    let tolerance = |bound: f64| {
                        let condition = 1e3 + (n as f64).sqrt() * 100.0;
                        // Close to 1 the bound itself is rounded.
                        delta * 1e-14 * (condition + (n - k) as f64 / (1.0 - bound))
                    };
                    let upper = upper_bound(k, n, delta);
                    let below = (binomial_cdf(k, n, upper) - delta).abs();
                    assert!(below < tolerance(upper), "{k} {n} {delta} {below}");
                    let lower = lower_bound(k, n, delta);
                    let (k, rest) = (k as f64, (n - k) as f64 + 1.0);
                    let above = (regularised_beta(k, rest, lower) - delta).abs();
                    assert!(above < tolerance(lower), "{k} {n} {delta} {above}");
                }
            }
        }
        // With an unknown walk the bound continues that of clean walks.
        assert!(upper_bound(1, 100, 0.1) > upper_bound(0, 100, 0.1));
        assert_eq!(upper_bound(5, 5, 0.1), 1.0);
    }

    /// Exact sums of binomial probabilities.
    #[test]
    fn binomial_sums() {
        assert!((binomial_cdf(1, 3, 0.5) - 0.5).abs() < 1e-15);
        assert!((binomial_cdf(2, 4, 0.25) - 243.0 / 256.0).abs() < 1e-15);
        assert_eq!(
            (binomial_cdf(4, 4, 0.2), binomial_cdf(0, 0, 0.2)),
            (1.0, 1.0)
        );
        assert_eq!(
            (binomial_cdf(1, 4, -3.0), binomial_cdf(1, 4, 3.0)),
            (1.0, 0.0)
        );
        assert!(binomial_cdf(1, 4, f64::NAN).is_nan());
    }

    #[test]
    fn plans_with_errors() {
        let plan = |epsilon, delta| {
            [1, 2, 3, 5, 10, 20].map(|errors| samples_with_errors(epsilon, delta, errors).unwrap())
        };
        assert_eq!(plan(1.8e-3, 0.1), [1279, 2160, 2956, 4439, 7890, 14387]);
        assert_eq!(plan(0.01, 0.05), [299, 473, 628, 913, 1568, 2784]);
        assert_eq!(samples_with_errors(0.1, 0.1, 0), None);
        assert_eq!(samples_with_errors(0.0, 0.1, 3), None);
        assert_eq!(samples_with_errors(1e-15, 0.1, u64::MAX), None);
        let rare = samples_with_errors(1e-15, 0.1, 2).unwrap() as f64;
        // The sum of two exponentials is above 3.8897 with probability 0.1.
        assert!((rare * 1e-15 - 3.889_720_169_867_429).abs() < 1e-9);
    }
}
