//! The mean of values between 0 and 1 to a known relative error.
//!
//! Dagum, Karp, Luby and Ross, "An optimal algorithm for Monte Carlo estimation", SIAM Journal on
//! Computing 29(5), 2000. For values that are 0 or 1, the stopping rule takes a number of them that is within a
//! constant factor of the optimum, though [`Gbas`](crate::Gbas) takes about a third of it. The optimal algorithm
//! estimates the variance first, which pays off where it is small. Neither ends if the mean is 0: a caller needs a
//! limit.

use crate::is_proper;

/// Draws until the sum of the values reaches a threshold. The mean is the threshold divided by
/// their number.
///
/// With `Y = 4 (e - 2) ln(2 / delta) / epsilon^2` the threshold is `1 + (1 + epsilon) Y`.
#[derive(Clone, Debug)]
pub struct StoppingRule {
    threshold: f64,
    sum: f64,
    draws: u64,
}

impl StoppingRule {
    /// A rule whose estimate is off by more than the factor `epsilon` with probability at most
    /// `delta`. `None` unless both are between 0 and 1.
    pub fn new(epsilon: f64, delta: f64) -> Option<Self> {
        (is_proper(epsilon) && is_proper(delta)).then(|| StoppingRule {
            threshold: 1.0 + (1.0 + epsilon) * upsilon(epsilon, delta),
            sum: 0.0,
            draws: 0,
        })
    }

    /// Adds a value; returns the estimate once it is complete. Values outside of the unit interval are replaced by
    /// its nearest end, and NaN by 0. Once the estimate is complete, further values do not change it.
    pub fn add(&mut self, value: f64) -> Option<f64> {
        if self.sum < self.threshold {
            self.sum += unit(value);
            self.draws += 1;
        }
        self.estimate()
    }

    /// The estimate, once the threshold is reached.
    pub fn estimate(&self) -> Option<f64> {
        (self.sum >= self.threshold).then(|| self.threshold / self.draws as f64)
    }

    /// The number of values so far.
    pub fn draws(&self) -> u64 {
        self.draws
    }
}

/// `4 (e - 2) ln(2 / delta) / epsilon^2`: the number of values of mean 1 that suffices by the inequality that the
/// paper generalises.
fn upsilon(epsilon: f64, delta: f64) -> f64 {
    4.0 * (std::f64::consts::E - 2.0) * (2.0 / delta).ln() / (epsilon * epsilon)
}

fn unit(value: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(0.0, 1.0)
    }
}

/// The algorithm AA of the paper, in three steps that each take new values: a rough mean by the stopping rule, then
/// the variance from pairs, then the mean of as many values as the two require.
///
/// ```
/// use lariat_stats::{OptimalApproximation, stream};
///
/// let mut algorithm = OptimalApproximation::new(0.1, 0.05).unwrap();
/// let mut values = stream(1, "example", 0);
/// let estimate = loop {
///     if let Some(estimate) = algorithm.add(0.2 + 0.1 * values.unit()) {
///         break estimate;
///     }
/// };
/// assert!((estimate / 0.25 - 1.0).abs() <= 0.1);
/// ```
#[derive(Clone, Debug)]
pub struct OptimalApproximation {
    epsilon: f64,
    upsilon: f64,
    draws: u64,
    step: Step,
}

#[derive(Clone, Debug)]
enum Step {
    Rough(StoppingRule),
    Variance {
        mean: f64,
        pairs: u64,
        done: u64,
        sum: f64,
        first: Option<f64>,
    },
    Mean {
        values: u64,
        done: u64,
        sum: f64,
    },
}

impl OptimalApproximation {
    /// An algorithm whose estimate is off by more than the factor `epsilon` with probability at
    /// most `delta`. `None` unless both are between 0 and 1.
    pub fn new(epsilon: f64, delta: f64) -> Option<Self> {
        let rough = StoppingRule::new(epsilon.sqrt().min(0.5), delta / 3.0)?;
        if !(is_proper(epsilon) && is_proper(delta)) {
            return None;
        }
        let root = epsilon.sqrt();
        let confidence = 1.0 + 1.5f64.ln() / (2.0 / delta).ln();
        let factor = 2.0 * (1.0 + root) * (1.0 + 2.0 * root) * confidence;
        Some(OptimalApproximation {
            epsilon,
            upsilon: factor * upsilon(epsilon, delta),
            draws: 0,
            step: Step::Rough(rough),
        })
    }

    /// Adds a value; returns the estimate once it is complete. Values outside of the unit interval are replaced by
    /// its nearest end, and NaN by 0. Once the estimate is complete, further values do not change it.
    pub fn add(&mut self, value: f64) -> Option<f64> {
        if self.estimate().is_none() {
            self.draws += 1;
            self.advance(unit(value));
        }
        self.estimate()
    }

    fn advance(&mut self, value: f64) {
        match &mut self.step {
            Step::Rough(rule) => {
                if let Some(mean) = rule.add(value) {
                    self.step = Step::Variance {
                        mean,
                        pairs: (self.upsilon * self.epsilon / mean).ceil() as u64,
                        done: 0,
                        sum: 0.0,
                        first: None,
                    };
                }
            }
            Step::Variance {
                mean,
                pairs,
                done,
                sum,
                first,
            } => {
                let Some(other) = first.take() else {
                    *first = Some(value);
                    return;
                };
                *sum += (value - other) * (value - other) / 2.0;
                *done += 1;
                if *done >= *pairs {
                    let variance = (*sum / *done as f64).max(self.epsilon * *mean);
                    self.step = Step::Mean {
                        values: (self.upsilon * variance / (*mean * *mean)).ceil() as u64,
                        done: 0,
                        sum: 0.0,
                    };
                }
            }
            Step::Mean { done, sum, .. } => {
                *sum += value;
                *done += 1;
            }
        }
    }

    /// The estimate, once the last step is complete.
    pub fn estimate(&self) -> Option<f64> {
        match self.step {
            Step::Mean { values, done, sum } if done >= values => Some(sum / done as f64),
            _ => None,
        }
    }

    /// The number of values so far.
    pub fn draws(&self) -> u64 {
        self.draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_exact() {
        let mut rule = StoppingRule::new(0.1, 0.05).unwrap();
        let mut algorithm = OptimalApproximation::new(0.1, 0.05).unwrap();
        // 4 (e - 2) ln 40 / 0.01 is 1059.8622, and 1 + 1.1 times it is 1166.8484.
        let estimate = (0..).find_map(|_| rule.add(1.0)).unwrap();
        assert_eq!(rule.draws(), 1167);
        assert!((estimate * 1167.0 - 1166.8484).abs() < 1e-3, "{estimate}");
        assert_eq!(rule.add(0.3), Some(estimate));
        let mean = (0..).find_map(|_| algorithm.add(0.5)).unwrap();
        assert_eq!(mean, 0.5);
        let draws = algorithm.draws();
        assert_eq!((algorithm.add(1.0), algorithm.draws()), (Some(0.5), draws));
    }

    #[test]
    fn odd_input() {
        for (epsilon, delta) in [
            (0.0, 0.1),
            (1.0, 0.1),
            (f64::NAN, 0.1),
            (0.1, 0.0),
            (0.1, 1.0),
        ] {
            assert!(StoppingRule::new(epsilon, delta).is_none());
            assert!(OptimalApproximation::new(epsilon, delta).is_none());
        }
        let mut rule = StoppingRule::new(0.5, 0.5).unwrap();
        let needed = (0..)
            .find_map(|_| rule.add(7.0).map(|_| ()))
            .map(|()| rule.draws());
        let mut again = StoppingRule::new(0.5, 0.5).unwrap();
        for value in [f64::NAN, -1.0, 0.0] {
            assert_eq!(again.add(value), None);
        }
        (0..).find_map(|_| again.add(1.0));
        assert_eq!(needed, Some(again.draws() - 3));
        // Numbers that do not fit into an integer are never reached.
        let mut long = OptimalApproximation::new(1e-15, 0.1).unwrap();
        (0..1000).for_each(|_| assert_eq!(long.add(1.0), None));
    }
}
