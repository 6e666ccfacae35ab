//! The mean of weighted walks and its standard error, in one pass.
//!
//! Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4(3), 1962: the
//! squares are taken about the current mean, so that no large numbers are subtracted. Two samples are merged as in
//! Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.

/// The number, mean and variance of values.
///
/// ```
/// let mut moments = lariat_stats::Moments::default();
/// for weight in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
///     moments.add(weight);
/// }
/// assert_eq!((moments.mean(), moments.variance()), (5.0, 32.0 / 7.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a value. A value that is not finite makes the mean NaN or infinite.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// Adds all values of another sample. The result depends on the order only by rounding.
    pub fn merge(&mut self, other: &Moments) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = *other;
            return;
        }
        let count = self.count.saturating_add(other.count);
        let share = other.count as f64 / count as f64;
        let difference = other.mean - self.mean;
        self.squares += other.squares + difference * difference * share * self.count as f64;
        self.mean += difference * share;
        self.count = count;
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 if there is none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The sum of the squared differences from the mean.
    pub fn squares(&self) -> f64 {
        self.squares
    }

    /// The unbiased estimate of the variance; 0 for less than two values.
    pub fn variance(&self) -> f64 {
        if self.count < 2 {
            0.0
        } else {
            self.squares / (self.count - 1) as f64
        }
    }

    /// The standard error of the mean. It is meaningless for fewer than two values, and too small as long as rare
    /// large values have not occurred.
    pub fn standard_error(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.variance() / self.count as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream;

    /// Far from zero, where a sum of squares would have no digit left.
    #[test]
    fn large_values_do_not_cancel() {
        let mut moments = Moments::default();
        for value in [4.0, 7.0, 13.0, 16.0] {
            moments.add(1e9 + value);
        }
        assert_eq!((moments.mean(), moments.variance()), (1e9 + 10.0, 30.0));
        assert_eq!(moments.standard_error(), Some(7.5f64.sqrt()));
    }

    #[test]
    fn merged_samples_are_one() {
        let mut rng = stream(1, "moments", 0);
        let values: Vec<f64> = (0..1000).map(|_| rng.unit() * 3.0 - 1.0).collect();
        let of = |values: &[f64]| {
            let mut moments = Moments::default();
            values.iter().for_each(|&value| moments.add(value));
            moments
        };
        let all = of(&values);
        for split in [0, 1, 300, 1000] {
            let mut merged = of(&values[..split]);
            merged.merge(&of(&values[split..]));
            assert_eq!(merged.count(), all.count());
            assert!((merged.mean() - all.mean()).abs() < 1e-13);
            assert!((merged.squares() / all.squares() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn few_values() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.variance()), (0.0, 0.0));
        moments.add(3.0);
        assert_eq!((moments.mean(), moments.variance()), (3.0, 0.0));
        assert_eq!(moments.standard_error(), None);
    }
}
