//! The columns of a table, and how they are computed from samples.

use super::{Ending, Measured, Order, Row, Sample, Search, Walked};

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// States in the table at the end.
    States,
    /// The largest number of states in the table.
    Peak,
    /// The relative reduction of that, compared with the states of the base row.
    Saving,
    /// Transitions, including those of nested searches.
    Transitions,
    /// Transitions, relative to those of the base row.
    Overhead,
    /// States, relative to those of the base row.
    Share,
    /// Megabytes.
    Memory,
    /// Kilobytes, for small amounts.
    Kilobytes,
    /// The number of repetitions.
    Runs,
    /// The number of repetitions that found an error.
    Successes,
    /// The number of searches until one found an error.
    Restarts,
    /// Seconds.
    Time,
    /// Seconds for a hundred random lassos.
    Hundred,
    /// The number of random lassos.
    Walks,
    /// The number of random lassos, relative to the square of the size of the row.
    WalksPerSquare,
    /// The steps of a random lasso on average.
    MeanLength,
    /// The steps of the longest one.
    Longest,
    /// The steps of the counterexample.
    Counterexample,
    /// Seconds of all cores together.
    Cpu,
    /// Those, relative to the base row.
    Slowdown,
    /// The difference of the memory from that of the base row, relative to it.
    Change,
    /// Bytes for a state.
    PerState,
    /// States, relative to those of the base row, in many digits.
    Coverage,
    /// Whether a violation was found: 1 or 0.
    Verdict,
    /// The number of threads.
    Workers,
}

/// The value of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, if there are several samples.
    pub deviation: Option<f64>,
    /// On which side of it the true value is, if searches reached a limit.
    pub bound: Bound,
}

/// The relation of a number to the value without limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Equal.
    Exact,
    /// The value is larger.
    AtLeast,
    /// The value is smaller.
    AtMost,
}

impl Quantity {
    /// The heading of its column.
    pub fn title(self) -> &'static str {
        match self {
            Quantity::States => "states",
            Quantity::Peak => "peak",
            Quantity::Saving => "saving",
            Quantity::Transitions => "transitions",
            Quantity::Overhead => "overhead",
            Quantity::Share => "share",
            Quantity::Memory => "memory",
            Quantity::Kilobytes => "kB",
            Quantity::Runs => "runs",
            Quantity::Successes => "found",
            Quantity::Restarts => "restarts",
            Quantity::Time => "time",
            Quantity::Hundred => "time/100",
            Quantity::Walks => "N",
            Quantity::WalksPerSquare => "N/mr^2",
            Quantity::MeanLength => "avl",
            Quantity::Longest => "mxl",
            Quantity::Counterexample => "cxl",
            Quantity::Cpu => "cpu",
            Quantity::Slowdown => "slower",
            Quantity::Change => "change",
            Quantity::PerState => "B/state",
            Quantity::Coverage => "coverage",
            Quantity::Verdict => "verdict",
            Quantity::Workers => "workers",
        }
    }

    /// A longer name, for the axis of a plot.
    pub fn axis(self) -> &'static str {
        match self {
            Quantity::States => "states in the table at the end",
            Quantity::Peak => "most states in the table",
            Quantity::Saving => "saving: part of the states beyond the peak of the table",
            Quantity::Transitions => "transitions",
            Quantity::Overhead => "overhead: transitions, relative to the plain search",
            Quantity::Share => "states, relative to the fixed order",
            Quantity::Memory => "memory in MB",
            Quantity::Kilobytes => "memory in kB",
            Quantity::Runs => "runs",
            Quantity::Successes => "runs that found an error",
            Quantity::Restarts => "restarts",
            Quantity::Time => "seconds",
            Quantity::Hundred => "seconds for 100 random lassos",
            Quantity::Walks => "random lassos",
            Quantity::WalksPerSquare => "random lassos, relative to the square of the size",
            Quantity::MeanLength => "steps of a random lasso",
            Quantity::Longest => "steps of the longest random lasso",
            Quantity::Counterexample => "steps of the counterexample",
            Quantity::Cpu => "seconds of all cores",
            Quantity::Slowdown => "seconds of all cores, relative to the base",
            Quantity::Change => "difference of the memory, relative to the base",
            Quantity::PerState => "bytes for a state",
            Quantity::Coverage => "states, relative to the base",
            Quantity::Verdict => "violation found",
            Quantity::Workers => "workers",
        }
    }

    /// A number of this quantity as text.
    pub fn format(self, number: f64) -> String {
        match self {
            Quantity::Saving | Quantity::Share => format!("{:.1} %", 100.0 * number),
            Quantity::Change => format!("{:+.0} %", 100.0 * number),
            Quantity::Coverage => format!("{:.3} %", 100.0 * number),
            Quantity::Verdict if number > 0.0 => "violated".into(),
            Quantity::Verdict => "none".into(),
            Quantity::Overhead | Quantity::WalksPerSquare | Quantity::Slowdown => {
                format!("{number:.2}")
            }
            Quantity::Time | Quantity::Hundred | Quantity::Cpu => time(number),
            Quantity::Memory if number >= 1e6 => format!("{:.1} TB", number / 1e6),
            Quantity::Memory if number >= 1e3 => format!("{:.1} GB", number / 1e3),
            Quantity::Memory => format!("{number:.1} MB"),
            Quantity::Restarts | Quantity::MeanLength | Quantity::Counterexample => {
                format!("{number:.1}")
            }
            _ => format!("{number:.0}"),
        }
    }

    /// The comparison of a number with that of a paper as text.
    pub fn compare(self, paper: f64, here: f64) -> Option<String> {
        match self {
            Quantity::Runs | Quantity::Successes | Quantity::Verdict | Quantity::Workers => None,
            Quantity::Change | Quantity::Coverage => None,
            Quantity::Saving | Quantity::Share => {
                let points = 100.0 * (here - paper);
                (points != 0.0).then(|| format!("{points:+.1}"))
            }
            Quantity::Time | Quantity::Hundred | Quantity::Cpu if here > 0.0 && here < paper => {
                Some(format!("/ {:.0}", paper / here))
            }
            _ if paper > 0.0 => Some(format!("x {:.2}", here / paper)),
            _ => None,
        }
    }

    /// Whether it grows during a search, falls, or neither.
    fn bound(self) -> Bound {
        match self {
            Quantity::Saving => Bound::AtMost,
            Quantity::Runs | Quantity::Successes | Quantity::Workers => Bound::Exact,
            _ => Bound::AtLeast,
        }
    }

    /// Its value in a sample, given the row and the means of its base row.
    fn of(self, sample: &Sample, row: &Row, base: Option<Base>) -> Option<f64> {
        if let (Quantity::Workers, Search::Owcty { workers, .. }) = (self, row.config.search) {
            return Some(workers as f64);
        }
        if let Some(walked) = &sample.walked {
            return self.of_walks(sample, walked, row.size);
        }
        let divided =
            |number: u64, by: Option<f64>| by.filter(|b| *b > 0.0).map(|b| number as f64 / b);
        let base_states = base.map(|b| b.states);
        Some(match self {
            Quantity::States => sample.states as f64,
            Quantity::Peak => sample.peak as f64,
            Quantity::Saving => 1.0 - divided(sample.peak, base_states)?,
            Quantity::Transitions => sample.transitions as f64,
            Quantity::Overhead => divided(sample.transitions, base.map(|b| b.transitions))?,
            Quantity::Share => divided(sample.states, base_states)?,
            Quantity::Memory => sample.memory as f64 / 1e6,
            Quantity::Kilobytes => sample.memory as f64 / 1e3,
            Quantity::Restarts => sample.runs as f64,
            Quantity::Time => sample.seconds,
            Quantity::Cpu => sample.cpu?,
            Quantity::Slowdown => sample.cpu? / base?.cpu.filter(|cpu| *cpu > 0.0)?,
            Quantity::Change => divided(sample.memory, base.map(|b| b.memory))? - 1.0,
            Quantity::PerState => divided(sample.memory, Some(sample.states as f64))?,
            Quantity::Coverage => divided(sample.states, base_states)?,
            Quantity::Verdict => f64::from(u8::from(sample.ending == Ending::Violated)),
            _ => return None,
        })
    }

    /// Whether other programs on the machine can only increase it.
    fn is_disturbed(self) -> bool {
        matches!(self, Quantity::Time | Quantity::Cpu | Quantity::Slowdown)
    }

    /// Its value in a sample of random lassos, which have no table.
    fn of_walks(self, sample: &Sample, walked: &Walked, size: Option<f64>) -> Option<f64> {
        let walks = walked.walks.max(1) as f64;
        Some(match self {
            Quantity::Memory => sample.memory as f64 / 1e6,
            Quantity::Kilobytes => sample.memory as f64 / 1e3,
            Quantity::Time => sample.seconds,
            Quantity::Hundred => 100.0 * sample.seconds / walks,
            Quantity::Walks => walks,
            Quantity::WalksPerSquare => walks / size?.powi(2),
            Quantity::MeanLength => walked.mean_length,
            Quantity::Longest => walked.longest as f64,
            Quantity::Counterexample => walked.counterexample? as f64,
            _ => return None,
        })
    }
}

/// Seconds with two or three significant digits; from a minute on, as a clock shows them.
fn time(seconds: f64) -> String {
    if seconds < 59.95 {
        let digits = match seconds {
            s if s >= 9.995 => 1,
            s if s >= 0.0995 || s <= 0.0 => 2,
            s => (1.0 - s.log10().floor()).min(6.0) as usize,
        };
        return format!("{seconds:.digits$}");
    }
    let whole = seconds.round() as u64;
    let (minutes, rest) = (whole / 60, whole % 60);
    match minutes {
        0..60 => format!("{minutes}:{rest:02}"),
        _ => format!("{}:{:02}:{rest:02}", minutes / 60, minutes % 60),
    }
}

/// The row with which others are compared.
#[derive(Clone, Copy)]
struct Base {
    states: f64,
    transitions: f64,
    memory: f64,
    cpu: Option<f64>,
}

impl Measured<'_> {
    /// The value of a quantity in a row.
    pub fn cell(&self, row: usize, quantity: Quantity) -> Option<Cell> {
        let samples = self.samples.get(row)?;
        let found = samples.iter().filter(|s| s.ending == Ending::Violated);
        let count = match quantity {
            Quantity::Runs => Some(samples.len()),
            Quantity::Successes => Some(found.clone().count()),
            _ => None,
        };
        if let Some(count) = count {
            return Some(Cell {
                mean: count as f64,
                deviation: None,
                bound: Bound::Exact,
            });
        }
        let about = &self.table.rows[row];
        let Row {
            config,
            only_successes,
            ..
        } = about;
        if quantity == Quantity::Restarts && !matches!(config.order, Order::Restarts(_)) {
            return None;
        }
        let counted: Vec<&Sample> = match only_successes {
            true => found.collect(),
            false => samples.iter().collect(),
        };
        let base = self.base(row);
        let values: Option<Vec<f64>> = counted
            .iter()
            .map(|s| quantity.of(s, about, base))
            .collect();
        let values = values.filter(|v| !v.is_empty())?;
        let least = values.iter().copied().min_by(f64::total_cmp);
        let (mean, deviation) = match self.table.least_times && quantity.is_disturbed() {
            true => (least?, None),
            false => moments(&values),
        };
        let deviation = deviation.filter(|_| !self.table.least_times);
        let cut = counted.iter().any(|s| s.ending.is_cut());
        Some(Cell {
            mean,
            deviation,
            bound: if cut { quantity.bound() } else { Bound::Exact },
        })
    }

    /// The means of the base row, if they are known.
    fn base(&self, row: usize) -> Option<Base> {
        let base = (0..=row).rev().find(|&r| self.table.rows[r].is_base)?;
        let samples = self.samples.get(base)?;
        if samples.is_empty() || samples.iter().any(|s| s.ending.is_cut()) {
            return None;
        }
        let mean = |of: fn(&Sample) -> u64| {
            samples.iter().map(|s| of(s) as f64).sum::<f64>() / samples.len() as f64
        };
        Some(Base {
            states: mean(|s| s.states),
            transitions: mean(|s| s.transitions),
            memory: mean(|s| s.memory),
            cpu: samples.iter().filter_map(|s| s.cpu).min_by(f64::total_cmp),
        })
    }
}

/// The mean, and the standard deviation of several numbers.
fn moments(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (
        mean,
        (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Place, Table, all};
    use super::*;

    pub(in super::super) fn sample(ending: Ending, states: u64) -> Sample {
        Sample {
            ending,
            runs: 1,
            states,
            peak: states,
            transitions: 4 * states,
            expansions: states,
            memory: 1_500_000,
            seconds: 0.5,
            walked: None,
            cpu: None,
        }
    }

    fn table(only_successes: bool) -> Table {
        let row = all(true)[0].tables[0].rows[0].clone();
        let row = |is_base| Row {
            is_base,
            only_successes,
            ..row.clone()
        };
        Table {
            place: Place::Table(1),
            title: String::new(),
            columns: Vec::new(),
            rows: vec![row(true), row(false)],
            notes: Vec::new(),
            least_times: false,
        }
    }

    #[test]
    fn rows_are_compared_with_their_base() {
        let table = table(false);
        let samples = |n: &[u64]| n.iter().map(|&n| sample(Ending::Holds, n)).collect();
        let measured = Measured {
            table: &table,
            samples: vec![samples(&[1000]), samples(&[600, 800])],
        };
        let mean = |quantity| measured.cell(1, quantity).unwrap().mean;
        assert_eq!(mean(Quantity::Peak), 700.0);
        assert!((mean(Quantity::Saving) - 0.3).abs() < 1e-12);
        assert!((mean(Quantity::Overhead) - 0.7).abs() < 1e-12);
        let deviation = measured.cell(1, Quantity::States).unwrap().deviation;
        assert!((deviation.unwrap() - 141.42).abs() < 0.01);
        assert_eq!(measured.cell(0, Quantity::States).unwrap().deviation, None);
        assert_eq!(mean(Quantity::Memory), 1.5);
        assert_eq!(measured.cell(1, Quantity::Restarts), None);
    }

    #[test]
    fn large_amounts_of_memory_have_large_units() {
        let numbers = [0.25, 205.0, 2800.0, 6.7e6].map(|n| Quantity::Memory.format(n));
        assert_eq!(numbers, ["0.2 MB", "205.0 MB", "2.8 GB", "6.7 TB"]);
    }

    #[test]
    fn times_are_shown_as_on_a_clock() {
        let small = [0.0, 0.00046, 0.0213, 1.625, 35.4].map(time);
        assert_eq!(small, ["0.00", "0.00046", "0.021", "1.62", "35.4"]);
        assert_eq!([193.0, 68_520.0].map(time), ["3:13", "19:02:00"]);
        let faster = Quantity::Time.compare(100.0, 0.5);
        assert_eq!(faster.as_deref(), Some("/ 200"));
    }

    #[test]
    fn random_lassos_have_lengths_and_no_states() {
        let mut table = table(false);
        table.rows[0].size = Some(4.0);
        let walked = Walked {
            walks: 80,
            mean_length: 7.5,
            longest: 30,
            counterexample: None,
        };
        let mut sample = sample(Ending::NotFound, 0);
        sample.walked = Some(walked);
        let measured = Measured {
            table: &table,
            samples: vec![vec![sample], Vec::new()],
        };
        let mean = |quantity| measured.cell(0, quantity).map(|cell| cell.mean);
        assert_eq!(mean(Quantity::Walks), Some(80.0));
        assert_eq!(mean(Quantity::WalksPerSquare), Some(5.0));
        assert_eq!(mean(Quantity::Hundred), Some(0.625));
        assert_eq!(mean(Quantity::Longest), Some(30.0));
        assert_eq!(mean(Quantity::Counterexample), None);
        assert_eq!(mean(Quantity::States), None);
    }

    #[test]
    fn a_search_that_was_stopped_gives_a_bound() {
        let table = table(false);
        let measured = Measured {
            table: &table,
            samples: vec![
                vec![sample(Ending::Holds, 1000)],
                vec![sample(Ending::Transitions, 900)],
            ],
        };
        let bound = |quantity| measured.cell(1, quantity).unwrap().bound;
        assert_eq!(bound(Quantity::Overhead), Bound::AtLeast);
        assert_eq!(bound(Quantity::Saving), Bound::AtMost);
        assert_eq!(
            measured.cell(0, Quantity::Saving).unwrap().bound,
            Bound::Exact
        );
    }

    #[test]
    fn means_of_successes_ignore_the_others() {
        let table = table(true);
        let measured = Measured {
            table: &table,
            samples: vec![
                vec![sample(Ending::Memory, 5), sample(Ending::Violated, 40)],
                vec![sample(Ending::Memory, 5)],
            ],
        };
        let cell = measured.cell(0, Quantity::States).unwrap();
        assert_eq!((cell.mean, cell.bound), (40.0, Bound::Exact));
        assert_eq!(measured.cell(0, Quantity::Runs).unwrap().mean, 2.0);
        assert_eq!(measured.cell(0, Quantity::Successes).unwrap().mean, 1.0);
        assert_eq!(measured.cell(1, Quantity::States), None);
    }
}
