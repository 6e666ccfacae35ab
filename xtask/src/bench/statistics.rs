//! Medians, means of ratios, and their runs.

use crate::measure::Usage;
use std::fmt;
use std::time::Duration;

/// The median of some numbers; 0 of none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        n if n % 2 == 1 => numbers[half],
        _ => (numbers[half - 1] + numbers[half]) / 2.0,
    }
}

/// The geometric mean: that of a ratio and of its inverse are inverse. `None` of none.
pub fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for ratio in ratios {
        sum += ratio.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// The usage of the rounds of one program on one model.
#[derive(Clone, Debug, Default)]
pub struct Rounds(pub Vec<Usage>);

impl Rounds {
    /// The median CPU time, in seconds.
    pub fn cpu(&self) -> f64 {
        self.median(|usage| usage.cpu.as_secs_f64())
    }

    /// The median time on the clock, in seconds.
    pub fn wall(&self) -> f64 {
        self.median(|usage| usage.wall.as_secs_f64())
    }

    /// The median peak memory, in bytes.
    pub fn rss(&self) -> f64 {
        self.median(|usage| usage.rss as f64)
    }

    fn median(&self, of: impl Fn(&Usage) -> f64) -> f64 {
        median(self.0.iter().map(of).collect())
    }
}

/// `numerator / denominator` for times, which may be too short to be measured.
pub fn time_ratio(numerator: f64, denominator: f64) -> f64 {
    let shortest = Duration::from_micros(100).as_secs_f64();
    numerator.max(shortest) / denominator.max(shortest)
}

/// Named ratios: one for each model.
#[derive(Clone, Debug)]
pub struct Ratios {
    what: String,
    ratios: Vec<(String, f64)>,
}

impl Ratios {
    /// None yet.
    pub fn new(what: impl Into<String>) -> Ratios {
        Ratios {
            what: what.into(),
            ratios: Vec::new(),
        }
    }

    /// Adds the one of a model.
    pub fn add(&mut self, model: &str, ratio: f64) {
        self.ratios.push((model.to_owned(), ratio));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ratios.is_empty()
    }
}

impl fmt::Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lowest = self.ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        let mean = geometric_mean(self.ratios.iter().map(|(_, ratio)| *ratio));
        let (Some((model, lowest)), Some(mean)) = (lowest, mean) else {
            return write!(f, "{}: not measured", self.what);
        };
        let number = self.ratios.len();
        write!(
            f,
            "{}: geometric mean {mean:.2}, lowest {lowest:.2} ({model}), {number} models",
            self.what
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), 0.0);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn geometric_means() {
        assert_eq!(geometric_mean([]), None);
        let mean = geometric_mean([2.0, 8.0]).unwrap();
        assert!((mean - 4.0).abs() < 1e-12);
        let inverse = geometric_mean([0.5, 0.125]).unwrap();
        assert!((mean * inverse - 1.0).abs() < 1e-12);
    }

    #[test]
    fn times_that_are_too_short() {
        assert_eq!(time_ratio(0.0, 0.0), 1.0);
        assert_eq!(time_ratio(3.0, 1.5), 2.0);
    }

    #[test]
    fn summaries_name_the_worst_model() {
        let mut ratios = Ratios::new("speed");
        assert_eq!(ratios.to_string(), "speed: not measured");
        ratios.add("a", 9.0);
        ratios.add("b", 1.0);
        assert_eq!(
            ratios.to_string(),
            "speed: geometric mean 3.00, lowest 1.00 (b), 2 models"
        );
    }
}
