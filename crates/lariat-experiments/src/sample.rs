//! Measurements.

use serde::{Deserialize, Serialize};

use lariat_check::outcome::{Outcome, Verdict};
use lariat_search::Stop;

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// How it ended.
    pub ending: Ending,
    /// The number of searches; the numbers below are sums over all of them, but the peak and the memory are those of
    /// the largest.
    pub runs: u64,
    /// States in the table at the end.
    pub states: u64,
    /// The largest number of states in the table.
    pub peak: u64,
    /// Transitions, including those of nested searches.
    pub transitions: u64,
    /// Visits of states, without those of nested searches.
    pub expansions: u64,
    /// Bytes.
    pub memory: u64,
    /// Time.
    pub seconds: f64,
    /// The time of all cores, where the system tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// The random lassos, if they were drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walked: Option<Walked>,
}

/// Statistics of random lassos.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walked {
    /// Their number.
    pub walks: u64,
    /// Their steps on average.
    pub mean_length: f64,
    /// The steps of the longest.
    pub longest: u64,
    /// The steps of the counterexample, if there is one; an atomic sequence is one step.
    pub counterexample: Option<u64>,
}

/// How a measurement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The property holds.
    Holds,
    /// An error was found, and replayed.
    Violated,
    /// No random lasso is a violation.
    NotFound,
    /// The memory limit was reached.
    Memory,
    /// The limit of transitions was reached.
    Transitions,
    /// The time limit was reached.
    Time,
    /// The limit of states was reached.
    States,
}

impl Ending {
    /// Whether the search reached a limit.
    pub fn is_cut(self) -> bool {
        !matches!(self, Ending::Holds | Ending::Violated | Ending::NotFound)
    }

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Ending::Holds => "holds",
            Ending::Violated => "violated",
            Ending::NotFound => "no violation found",
            Ending::Memory => "memory",
            Ending::Transitions => "transitions",
            Ending::Time => "time",
            Ending::States => "states",
        }
    }
}

/// How a check has ended.
pub(super) enum Answer {
    /// With a verdict, or at one of the limits.
    Ended(Ending),
    /// It was cancelled.
    Interrupted,
}

/// How a check has ended.
pub(super) fn answer(outcome: &Outcome) -> Answer {
    let stop = match &outcome.verdict {
        Verdict::Holds(_) => return Answer::Ended(Ending::Holds),
        Verdict::Violated(_) => return Answer::Ended(Ending::Violated),
        Verdict::Exhausted(coverage) => coverage.stopped_by,
        Verdict::NoViolationFound(_) => {
            let walks = outcome.walks.as_ref();
            walks.map_or(Stop::Complete, |walks| walks.sampled.stop)
        }
    };
    limit(stop)
}

/// The limit that ended a search without a violation; walks that were completed have found none.
fn limit(stop: Stop) -> Answer {
    Answer::Ended(match stop {
        Stop::Interrupted => return Answer::Interrupted,
        Stop::Memory | Stop::DiskFull | Stop::DiskLimit | Stop::DiskError => Ending::Memory,
        Stop::Time => Ending::Time,
        Stop::States | Stop::Thrashing => Ending::States,
        Stop::Complete | Stop::Fault => Ending::NotFound,
    })
}

impl Sample {
    /// The measurement of a check.
    pub(super) fn new(ending: Ending, outcome: &Outcome) -> Self {
        let statistics = &outcome.statistics;
        let storing = statistics.storing.as_ref();
        let nested = storing.map_or(0, |s| s.nested_transitions);
        Sample {
            ending,
            runs: 1,
            states: storing.map_or(statistics.states_stored, |s| s.states_at_end),
            peak: storing.map_or(statistics.states_stored, |s| s.peak_states),
            transitions: statistics.transitions() + nested,
            expansions: storing.map_or(statistics.states_stored, |s| s.expansions),
            memory: statistics.memory_bytes,
            seconds: statistics.elapsed.as_secs_f64(),
            cpu: None,
            walked: Walked::new(outcome),
        }
    }

    /// Adds a search to the earlier ones.
    pub(super) fn add(total: &mut Option<Sample>, sample: Sample) -> &mut Sample {
        let total = total.get_or_insert(Sample {
            ending: sample.ending,
            runs: 0,
            states: 0,
            peak: 0,
            transitions: 0,
            expansions: 0,
            memory: 0,
            seconds: 0.0,
            cpu: None,
            walked: None,
        });
        total.ending = sample.ending;
        total.runs += sample.runs;
        total.states += sample.states;
        total.peak = total.peak.max(sample.peak);
        total.transitions += sample.transitions;
        total.expansions += sample.expansions;
        total.memory = total.memory.max(sample.memory);
        total.seconds += sample.seconds;
        total.cpu = match (total.runs == sample.runs, total.cpu, sample.cpu) {
            (true, _, first) => first,
            (false, sum, next) => sum.zip(next).map(|(sum, next)| sum + next),
        };
        total
    }
}

impl Walked {
    fn new(outcome: &Outcome) -> Option<Self> {
        let tally = &outcome.walks.as_ref()?.sampled.tally;
        let first = outcome.verdict.violations().first();
        let length = first.map(|violation| {
            let steps = violation.trace().steps.iter();
            steps.filter(|step| !step.atomic).count() as u64
        });
        Some(Walked {
            walks: tally.walks,
            mean_length: tally.mean_length(),
            longest: tally.longest,
            counterexample: length,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample in the format before random lassos.
    #[test]
    fn old_samples_are_read_and_written_as_before() {
        let old = r#"{"ending":"holds","runs":1,"states":5,"peak":6,"transitions":7,"expansions":8,"memory":9,"seconds":0.5}"#;
        let sample: Sample = serde_json::from_str(old).unwrap();
        assert_eq!(sample.walked, None);
        assert_eq!(serde_json::to_string(&sample).unwrap(), old);
    }

    #[test]
    fn a_stopped_test_reports_its_limit() {
        let ending = |stop| match limit(stop) {
            Answer::Ended(ending) => Some(ending),
            Answer::Interrupted => None,
        };
        assert_eq!(ending(Stop::Complete), Some(Ending::NotFound));
        assert_eq!(ending(Stop::Time), Some(Ending::Time));
        assert_eq!(ending(Stop::Interrupted), None);
    }
}
