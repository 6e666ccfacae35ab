//! The gamma function and the gamma law.

use super::{LnTails, MOST_TERMS, SADDLE, deviance, saddle_tails};

/// Half of the logarithm of two pi.
const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;

/// The difference of the logarithm of the gamma function and Stirling's formula `(z - 1/2) ln z - z + ln(2 pi) / 2`.
///
/// From 16 on, seven terms of the asymptotic series (Abramowitz and Stegun 6.1.41) are exact to the
/// last digit. Below, `Gamma(z + 1) = z Gamma(z)` gives the difference of two neighbours.
pub(super) fn stirling_remainder(z: f64) -> f64 {
    let mut shifted = z;
    let mut sum = 0.0;
    while shifted < 16.0 {
        sum += (shifted + 0.5) * shifted.recip().ln_1p() - 1.0;
        shifted += 1.0;
    }
    const SERIES: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let square = (shifted * shifted).recip();
    let series = SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c);
    sum + series / shifted
}

/// The logarithm of the gamma function of a positive number; its error is that of the last digit
/// of `z ln z`.
///
/// ```
/// let factorial = lariat_stats::special::ln_gamma(11.0).exp();
/// assert!((factorial - 3_628_800.0).abs() < 1e-6);
/// ```
pub fn ln_gamma(z: f64) -> f64 {
    if !(z > 0.0 && z < f64::INFINITY) {
        return f64::NAN;
    }
    (z - 0.5) * z.ln() - z + HALF_LN_TWO_PI + stirling_remainder(z)
}

/// The probability that a gamma variable of the given shape and scale 1 is at most `x`: the
/// regularised incomplete gamma function `P(shape, x)`.
pub fn regularised_gamma(shape: f64, x: f64) -> f64 {
    ln_tails(shape, x).lower.exp()
}

/// The probability that it is above `x`: the regularised incomplete gamma function `Q(shape, x)`,
/// which is exact where `P` is nearly 1.
pub fn regularised_gamma_upper(shape: f64, x: f64) -> f64 {
    ln_tails(shape, x).upper.exp()
}

/// Both tails of the gamma law.
pub(super) fn ln_tails(shape: f64, x: f64) -> LnTails {
    let valid = shape > 0.0 && shape < f64::INFINITY && x >= 0.0;
    if !valid {
        return LnTails::INVALID;
    }
    if x == 0.0 {
        return LnTails::AT_START;
    }
    if x == f64::INFINITY {
        return LnTails::AT_START.swap();
    }
    let loss = deviance(shape, x, shape - x);
    if shape > SADDLE {
        return saddle(shape, x, loss);
    }
    // The logarithm of x^shape e^-x / Gamma(shape).
    let ln_kernel = 0.5 * shape.ln() - HALF_LN_TWO_PI - stirling_remainder(shape) - loss;
    if x < shape + 1.0 {
        LnTails::from_lower(ln_kernel + lower_series(shape, x).ln())
    } else {
        LnTails::from_lower(ln_kernel + upper_fraction(shape, x).ln()).swap()
    }
}

fn saddle(shape: f64, x: f64, loss: f64) -> LnTails {
    let root = shape.sqrt();
    let r = (2.0 * loss).sqrt().copysign(x - shape);
    let correction = if r.abs() < 1.0 {
        1.0 / (3.0 * root)
    } else {
        1.0 / r - root / (x - shape)
    };
    saddle_tails(r, correction)
}

/// `P` without its kernel: 1/a + x/(a (a+1)) + ... (Abramowitz and Stegun 6.5.29).
fn lower_series(shape: f64, x: f64) -> f64 {
    let mut term = shape.recip();
    let mut sum = term;
    let mut divisor = shape;
    for _ in 0..MOST_TERMS {
        divisor += 1.0;
        term *= x / divisor;
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
}

/// `Q` without its kernel: Legendre's continued fraction (Abramowitz and Stegun 6.5.31), by the
/// method of Lentz.
fn upper_fraction(shape: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - shape;
    let mut c = f64::MAX;
    let mut d = b.recip();
    let mut value = d;
    for term in 1..MOST_TERMS {
        let i = f64::from(term);
        let a = -i * (i - shape);
        b += 2.0;
        d = (a * d + b).recip();
        c = b + a / c;
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}
