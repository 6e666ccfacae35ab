//! The special functions that the bounds are made of: logarithms of the gamma and beta functions,
//! and the distribution functions of the gamma and beta laws with the inverse of the latter.
//!
//! Everything is computed from the saddle-point form of Loader ("Fast and accurate computation of
//! binomial probabilities", 2000): a density is the exponential of minus a deviance, and the
//! deviance is computed without subtracting large numbers. A difference of three values of
//! `ln_gamma` would lose all digits for a billion walks. Both tails are computed in logarithms, the
//! smaller one directly and the larger one as its complement.
//!
//! Outside their domain the functions return NaN.

mod beta;
mod gamma;

pub use beta::{
    inverse_regularised_beta, inverse_regularised_beta_upper, ln_beta, regularised_beta,
    regularised_beta_upper,
};
pub(crate) use beta::{ln_beta_kernel, logistic};
pub use gamma::{ln_gamma, regularised_gamma, regularised_gamma_upper};

/// A limit for the terms of continued fractions and series: they need about the square root of their parameter, and
/// parameters above [`SADDLE`] never reach them.
const MOST_TERMS: u32 = 3_000_000;

/// From this size on, the saddle-point approximation of a tail is as exact as the rest: its
/// relative error is about the reciprocal.
const SADDLE: f64 = 1e10;

/// The logarithms of the lower and of the upper tail of a distribution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LnTails {
    pub lower: f64,
    pub upper: f64,
}

impl LnTails {
    const AT_START: LnTails = LnTails {
        lower: f64::NEG_INFINITY,
        upper: 0.0,
    };
    const INVALID: LnTails = LnTails {
        lower: f64::NAN,
        upper: f64::NAN,
    };

    /// Both tails if the logarithm of the lower one is known.
    fn from_lower(lower: f64) -> Self {
        let lower = lower.min(0.0);
        LnTails {
            lower,
            upper: ln_complement(lower),
        }
    }

    fn swap(self) -> Self {
        LnTails {
            lower: self.upper,
            upper: self.lower,
        }
    }
}

/// `ln(1 - e^x)` for `x <= 0`.
fn ln_complement(x: f64) -> f64 {
    if x > -std::f64::consts::LN_2 {
        (-x.exp_m1()).ln()
    } else {
        (-x.exp()).ln_1p()
    }
}

/// `-ln(1 - w) - w`, without cancellation for small `w`; infinite from 1 on.
///
/// With `r = w / (2 - w)`, the logarithm is twice the inverse hyperbolic tangent of `r`, and its
/// first term minus `w` is `w r`.
pub(crate) fn ln_excess(w: f64) -> f64 {
    if w >= 1.0 {
        return f64::INFINITY;
    }
    if w.abs() > 0.2 {
        return -(-w).ln_1p() - w;
    }
    let r = w / (2.0 - w);
    let square = r * r;
    let mut power = 2.0 * r * square;
    let mut sum = w * r;
    // The powers of the square, at most 1/64, are below the last digit after nine terms.
    for odd in (3..21).step_by(2) {
        sum += power / f64::from(odd);
        power *= square;
    }
    sum
}

/// `count ln(count / mean) - difference`, where `difference` is `count - mean`: the decrease of the log-likelihood
/// when the mean is not the observed count.
fn deviance(count: f64, mean: f64, difference: f64) -> f64 {
    let share = difference / count;
    if share.abs() <= 0.2 {
        count * ln_excess(share)
    } else {
        count * (count / mean).ln() - difference
    }
}

/// The tails of a law whose density is the normal one in `r` times a smooth factor that is
/// `1 - r * correction`: integration by parts of Temme ("The asymptotic expansion of the incomplete
/// gamma functions", 1979), to first order.
fn saddle_tails(r: f64, correction: f64) -> LnTails {
    let ln_density = -0.5 * r * r - 0.5 * (2.0 * std::f64::consts::PI).ln();
    let ln_normal = gamma::ln_tails(0.5, 0.5 * r * r).upper - std::f64::consts::LN_2;
    let mills = (ln_normal - ln_density).exp();
    if r < 0.0 {
        LnTails::from_lower(ln_density + (mills + correction).ln())
    } else {
        LnTails::from_lower(ln_density + (mills - correction).ln()).swap()
    }
}

#[cfg(test)]
mod tests;
