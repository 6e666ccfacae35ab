//! The beta function, the beta law and its quantiles.
//!
//! A point of the unit interval is given by its logit `t = ln(x / (1 - x))` where it is searched
//! for: both `x` and `1 - x` are then known to full precision. In `t` the beta law has the density
//! `x^a (1-x)^b / B(a,b)`, here called the kernel. It is log-concave, and so are both tails.

use super::gamma::stirling_remainder;
use super::{LnTails, MOST_TERMS, SADDLE, deviance, saddle_tails};

/// The logarithm of the beta function `Gamma(a) Gamma(b) / Gamma(a + b)`.
pub fn ln_beta(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // At the mean the deviance is 0, and the kernel is known.
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    let ln_powers = small * (small / sum).ln() - large * (small / large).ln_1p();
    ln_powers - ln_kernel_at_mean(a, b)
}

fn ln_kernel_at_mean(a: f64, b: f64) -> f64 {
    if !positive(a, b) {
        return f64::NAN;
    }
    let remainder = stirling_remainder(a + b) - stirling_remainder(a) - stirling_remainder(b);
    0.5 * (information(a, b) / (2.0 * std::f64::consts::PI)).ln() + remainder
}

fn positive(a: f64, b: f64) -> bool {
    a > 0.0 && b > 0.0 && a + b < f64::INFINITY
}

/// `a b / (a + b)`: the curvature of the deviance at the mean.
fn information(a: f64, b: f64) -> f64 {
    a.min(b) * (a.max(b) / (a + b))
}

/// The logarithm of `x^a y^b / B(a,b)`, where `y = 1 - x`.
pub(crate) fn ln_beta_kernel(a: f64, b: f64, x: f64, y: f64) -> f64 {
    ln_kernel_at_mean(a, b) - loss(a, b, x, y)
}

/// How much the kernel is below its value at the mean, in logarithms.
fn loss(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let difference = a * y - b * x;
    let sum = a + b;
    deviance(a, sum * x, difference) + deviance(b, sum * y, -difference)
}

/// The probability that a beta variable is at most `x`: the regularised incomplete beta function
/// `I_x(a, b)`. It is also the probability of at least `a` successes in `a + b - 1` trials.
///
/// ```
/// use lariat_stats::special::regularised_beta;
/// assert!((regularised_beta(2.0, 3.0, 0.4) - 0.5248).abs() < 1e-14);
/// ```
pub fn regularised_beta(a: f64, b: f64, x: f64) -> f64 {
    ln_tails(a, b, x, 1.0 - x).lower.exp()
}

/// The probability that it is above `x`: `1 - I_x(a, b)`, which is exact where `I` is nearly 1.
pub fn regularised_beta_upper(a: f64, b: f64, x: f64) -> f64 {
    ln_tails(a, b, x, 1.0 - x).upper.exp()
}

/// Both tails of the beta law at `x = 1 - y`.
fn ln_tails(a: f64, b: f64, x: f64, y: f64) -> LnTails {
    if !(positive(a, b) && x >= 0.0 && y >= 0.0) {
        return LnTails::INVALID;
    }
    if x == 0.0 {
        return LnTails::AT_START;
    }
    if y == 0.0 {
        return LnTails::AT_START.swap();
    }
    if information(a, b) > SADDLE {
        saddle(a, b, x, y)
    } else {
        by_fraction(a, b, x, y)
    }
}

pub(super) fn by_fraction(a: f64, b: f64, x: f64, y: f64) -> LnTails {
    let ln_kernel = ln_beta_kernel(a, b, x, y);
    if x < (a + 1.0) / (a + b + 2.0) {
        LnTails::from_lower(ln_kernel - fraction(a, b, x, y).ln())
    } else {
        LnTails::from_lower(ln_kernel - fraction(b, a, y, x).ln()).swap()
    }
}

fn saddle(a: f64, b: f64, x: f64, y: f64) -> LnTails {
    let root = information(a, b).sqrt();
    let gradient = b * x - a * y;
    let r = (2.0 * loss(a, b, x, y)).sqrt().copysign(gradient);
    let correction = if r.abs() < 1.0 {
        (b - a) / (a + b) / (3.0 * root)
    } else {
        1.0 / r - root / gradient
    };
    saddle_tails(r, correction)
}

/// The kernel divided by `I_x(a, b)`: the even part of the continued fraction 8.17.22 of the
/// Digital Library of Mathematical Functions, as in Didonato and Morris, "Algorithm 708", TOMS
/// 18(3), 1992, by the method of Lentz. Below the mean it is fast, and the first terms are all positive.
fn fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let difference = a * y - b * x + 1.0;
    let mut value = a * difference / (a + 1.0);
    let mut c = value;
    let mut d = 0.0;
    for term in 1..MOST_TERMS {
        let m = f64::from(term);
        let between = a + 2.0 * m - 1.0;
        let numerator =
            m * (a + m - 1.0) / between * ((a + b + m - 1.0) / between) * (b - m) * x * x;
        let denominator = m
            + m * (b - m) * x / between
            + (a + m) * (difference + m * (1.0 + y)) / (between + 2.0);
        d = (denominator + numerator * d).recip();
        c = denominator + numerator / c;
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The `x` below which a beta variable stays with the given probability: the inverse of
/// [`regularised_beta`]. Probabilities below 0 and above 1 count as 0 and 1.
pub fn inverse_regularised_beta(a: f64, b: f64, probability: f64) -> f64 {
    if probability > 0.5 {
        logistic(lower_quantile(b, a, 1.0 - probability)).1
    } else {
        logistic(lower_quantile(a, b, probability)).0
    }
}

/// The `x` above which a beta variable is with the given probability: the inverse of
/// [`regularised_beta_upper`].
pub fn inverse_regularised_beta_upper(a: f64, b: f64, probability: f64) -> f64 {
    if probability > 0.5 {
        logistic(lower_quantile(a, b, 1.0 - probability)).0
    } else {
        logistic(lower_quantile(b, a, probability)).1
    }
}

/// The logit of the quantile of a probability of at most one half.
///
/// The logarithm of the lower tail is concave in the logit. So Newton's method gets to the left of
/// the solution in at most one step, from where it only moves to the right.
fn lower_quantile(a: f64, b: f64, probability: f64) -> f64 {
    if !positive(a, b) || probability.is_nan() {
        return f64::NAN;
    }
    if probability <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let target = probability.ln();
    let mut t = (a / b).ln();
    for round in 0..200 {
        let (x, y) = logistic(t);
        if x == 0.0 {
            return t;
        }
        let lower = ln_tails(a, b, x, y).lower;
        let slope = (ln_beta_kernel(a, b, x, y) - lower).exp();
        let step = (target - lower) / slope;
        // Once on the left, only rounding makes it turn back.
        let turned = round > 1 && step <= 0.0;
        if !step.is_finite() || turned {
            return t;
        }
        t += step;
        if step.abs() <= 1e-16 * t.abs() {
            return t;
        }
    }
    t
}

/// The point with the logit `t`, and its complement.
pub(crate) fn logistic(t: f64) -> (f64, f64) {
    let small = (-t.abs()).exp();
    let (less, more) = (small / (1.0 + small), 1.0 / (1.0 + small));
    if t < 0.0 { (less, more) } else { (more, less) }
}
