//! Confidence sequences for the mean of weighted walks.
//!
//! Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of
//! the Royal Statistical Society B 86(1), 2024. A bet against the hypothesis that the mean is `m` multiplies a
//! capital of 1 by `1 + c (x / m - 1)` at each value `x`, where `c` is the share at stake. If the hypothesis is true,
//! the capital is a martingale, and the probability that it ever reaches `1 / delta` is at most `delta`. The mean of
//! the capitals of several shares is a martingale, too. The capital decreases in `m`, so all hypotheses below some
//! limit are rejected: this limit is the lower end of the interval. The upper end is the lower end for the distances
//! to the bound.
//!
//! To need constant memory and be exact in `m`, the product is bounded from below: for `y >= -1`,
//! `ln(1 + c y) >= c y + (ln(1 - c) + c) y^2` (Fan, Grama and Liu, "Exponential inequalities for martingales with
//! applications", Electronic Journal of Probability 20, 2015). The bound depends only on the number, the mean and the
//! variance of the values.

use crate::special::ln_excess;
use crate::{Moments, is_proper};

/// The number of shares: 15/16, 1/2, 1/4 and so on. The smallest ones are for means that are known to a part in a
/// billion.
const BETS: usize = 32;

/// An interval for the mean of values between 0 and a bound, after every value; the probability that any of these
/// intervals misses the mean is at most `delta`.
///
/// It is not intersected with earlier intervals, so that it depends on the order of the values only by rounding. Its
/// slack above the mean is at least about `bound ln(1 / delta) / n`: it is useful for small bounds, such as weights
/// of at most 1.
///
/// ```
/// let mut sequence = lariat_stats::BettingSequence::new(1.0, 0.05).unwrap();
/// for index in 0..10_000 {
///     sequence.add(if index % 10 == 0 { 0.5 } else { 0.0 });
/// }
/// let (lower, upper) = sequence.interval();
/// assert!(0.042 < lower && lower < 0.05 && 0.05 < upper && upper < 0.058);
/// ```
#[derive(Clone, Debug)]
pub struct BettingSequence {
    bound: f64,
    /// The logarithm of the capital at which a hypothesis is rejected, on each side.
    limit: f64,
    moments: Moments,
}

impl BettingSequence {
    /// A sequence for values between 0 and `bound`. `None` unless this is positive and finite, and
    /// `delta` is between 0 and 1.
    pub fn new(bound: f64, delta: f64) -> Option<Self> {
        let valid = bound > 0.0 && bound < f64::INFINITY && is_proper(delta);
        valid.then(|| BettingSequence {
            bound,
            limit: (2.0 / delta).ln(),
            moments: Moments::default(),
        })
    }

    /// Adds a value. Values outside of the range are replaced by its nearest end, and NaN by 0: the interval is then
    /// for the mean of the replaced values.
    pub fn add(&mut self, value: f64) {
        let value = if value.is_nan() { 0.0 } else { value };
        self.moments.add(value.clamp(0.0, self.bound));
    }

    /// The number, mean and variance of the values.
    pub fn moments(&self) -> &Moments {
        &self.moments
    }

    /// The limits of the interval.
    pub fn interval(&self) -> (f64, f64) {
        let (n, mean) = (self.moments.count() as f64, self.moments.mean());
        let squares = self.moments.squares().max(0.0);
        let scaled = |mean: f64| squares / (mean * mean);
        let lower = Capital::new(n, scaled(mean))
            .excess(self.limit)
            .map_or(0.0, |excess| mean / (1.0 + excess));
        let upper = Capital::new(n, scaled(self.bound - mean))
            .excess(self.limit)
            .map_or(self.bound, |excess| {
                (mean + self.bound * excess) / (1.0 + excess)
            });
        (lower.clamp(0.0, self.bound), upper.clamp(0.0, self.bound))
    }
}

/// The capital of all bets after `n` values whose squared differences from their mean, in units of the mean, sum up
/// to `spread`; a function of the excess `u`, where the hypothesis is the mean of the values divided by `1 + u`.
///
/// The values `y = x / m - 1` then have the sum `n u` and the sum of squares
/// `(1 + u)^2 spread + n u^2`.
struct Capital {
    n: f64,
    spread: f64,
    bets: [Bet; BETS],
}

/// A share, and its loss for each squared value.
#[derive(Clone, Copy)]
struct Bet {
    share: f64,
    loss: f64,
}

impl Capital {
    fn new(n: f64, spread: f64) -> Self {
        let bets = std::array::from_fn(|bet| {
            let share = if bet == 0 {
                0.9375
            } else {
                0.5f64.powi(bet as i32)
            };
            let loss = ln_excess(share);
            Bet { share, loss }
        });
        Capital { n, spread, bets }
    }

    /// The logarithm of the mean of the capitals.
    fn ln_mean(&self, u: f64) -> f64 {
        let squares = (1.0 + u).powi(2) * self.spread + self.n * u * u;
        let capitals = self
            .bets
            .map(|bet| bet.share * self.n * u - bet.loss * squares);
        let most = capitals.into_iter().fold(f64::MIN, f64::max);
        // Omitted bets do not matter: they would only increase the capital.
        let behind = capitals.into_iter().map(|capital| capital - most);
        let sum: f64 = behind.filter(|&gap| gap > -30.0).map(f64::exp).sum();
        most + (sum / BETS as f64).ln()
    }

    /// A positive excess at which the capital reaches the limit, the least one up to precision; `None` if no bet
    /// reaches it.
    ///
    /// The bound of the product is not monotonic in the excess, but the product is. So every hypothesis that the
    /// bound rejects is rejected by the product.
    fn excess(&self, limit: f64) -> Option<f64> {
        if !self.spread.is_finite() {
            return None;
        }
        // One bet alone, with its part of the mean, leads to a quadratic equation.
        let alone = limit + (BETS as f64).ln();
        let solutions = self
            .bets
            .iter()
            .filter_map(|bet| self.excess_of_bet(bet, alone));
        let mut enough = solutions.min_by(f64::total_cmp)?;
        let mut too_little = 0.0;
        // All bets together need less. Eight digits of the distance to the mean are enough.
        for _ in 0..27 {
            let middle = 0.5 * (too_little + enough);
            if self.ln_mean(middle) >= limit {
                enough = middle;
            } else {
                too_little = middle;
            }
        }
        Some(enough)
    }

    /// The least `u` with `share n u - loss ((1 + u)^2 spread + n u^2) >= limit`.
    fn excess_of_bet(&self, bet: &Bet, limit: f64) -> Option<f64> {
        let Bet { share, loss } = *bet;
        let quadratic = loss * (self.spread + self.n);
        let half_linear = 0.5 * share * self.n - loss * self.spread;
        let constant = loss * self.spread + limit;
        let discriminant = half_linear * half_linear - quadratic * constant;
        let solvable = half_linear > 0.0 && discriminant >= 0.0;
        // The smaller solution, without subtracting equal numbers.
        solvable.then(|| constant / (half_linear + discriminant.sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream;

    fn after(bound: f64, values: impl IntoIterator<Item = f64>) -> BettingSequence {
        let mut sequence = BettingSequence::new(bound, 0.05).unwrap();
        values.into_iter().for_each(|value| sequence.add(value));
        sequence
    }

    /// The bound from which the interval is computed is below the true capital, for every hypothesis and bet.
    #[test]
    fn the_bound_is_below_the_product() {
        let mut rng = stream(1, "betting", 0);
        let values: Vec<f64> = (0..200).map(|_| rng.unit().powi(3)).collect();
        let sequence = after(1.0, values.iter().copied());
        let (n, mean) = (200.0, sequence.moments.mean());
        let capital = Capital::new(n, sequence.moments.squares() / (mean * mean));
        for u in [0.01, 0.1, 0.3, 1.0, 5.0] {
            let claim = mean / (1.0 + u);
            let product = |share: f64| -> f64 {
                values
                    .iter()
                    .map(|x| 1.0 + share * (x / claim - 1.0))
                    .product()
            };
            let mixed = capital
                .bets
                .iter()
                .map(|bet| product(bet.share))
                .sum::<f64>()
                / BETS as f64;
            assert!(capital.ln_mean(u) <= mixed.ln() + 1e-9, "{u}");
        }
    }

    #[test]
    fn limits_are_around_the_mean() {
        let (lower, upper) = after(1.0, []).interval();
        assert_eq!((lower, upper), (0.0, 1.0));
        // Nothing but zeros: the slack is about ln(2 / delta) + ln(32 bets) over n.
        let (lower, upper) = after(1.0, [0.0; 10_000]).interval();
        assert!(
            lower == 0.0 && upper * 1e4 > 3.0 && upper * 1e4 < 8.0,
            "{upper}"
        );
        let (mirrored, full) = after(1.0, [1.0; 10_000]).interval();
        assert!(full == 1.0 && (1.0 - mirrored - upper).abs() < 1e-9);
        // A mean without spread, and the same in other units.
        let (lower, upper) = after(1.0, [0.25; 10_000]).interval();
        assert!(lower > 0.249 && lower < 0.25 && upper > 0.25 && upper < 0.251);
        let scaled = after(8.0, [2.0; 10_000]).interval();
        assert!((scaled.0 / 8.0 - lower).abs() < 1e-12 && (scaled.1 / 8.0 - upper).abs() < 1e-12);
    }

    /// For values that are 0 or 1, it is at most twice as wide as the sequence for these.
    #[test]
    fn width_for_frequencies() {
        for (every, n) in [(2, 10_000), (50, 100_000), (1000, 1_000_000)] {
            let values = (0..n).map(|index| f64::from(u8::from(index % every == 0)));
            let (lower, upper) = after(1.0, values).interval();
            let mut exact = crate::ConfidenceSequence::new(1.0, 1.0, 0.05).unwrap();
            exact.add_many(n / every, n);
            let (from, to) = exact.interval();
            let frequency = 1.0 / every as f64;
            assert!(lower < frequency && frequency < upper);
            assert!(
                upper - lower < 1.5 * (to - from),
                "{every}: {lower} {upper} {from} {to}"
            );
        }
    }

    #[test]
    fn odd_input() {
        for (bound, delta) in [
            (0.0, 0.1),
            (-1.0, 0.1),
            (f64::NAN, 0.1),
            (f64::INFINITY, 0.1),
            (1.0, 0.0),
            (1.0, f64::NAN),
        ] {
            assert!(BettingSequence::new(bound, delta).is_none());
        }
        let sequence = after(1.0, [f64::NAN, -3.0, 5.0, f64::INFINITY]);
        assert_eq!(sequence.moments().mean(), 0.5);
    }
}
