//! One check with Lariat, with its counts and its resource usage.

use super::subjects::Subject;
use crate::process::{self, Ended, TemporaryDirectory};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lariat, and a directory for generated models.
pub struct Runner {
    lariat: PathBuf,
    directory: TemporaryDirectory,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The verdict, in Lariat's words.
    pub verdict: String,
    /// The states in the table at the end.
    pub states: u64,
    /// The longest stack.
    pub depth: u64,
    /// The peak of the memory of the search.
    pub memory: u64,
    /// CPU seconds of the whole process.
    pub cpu: f64,
    /// Seconds on the clock.
    pub wall: f64,
    /// The statistics of a search that removes states; zeros for others.
    pub storing: Storing,
}

/// The statistics of a search that removes states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Storing {
    /// The most states in the table.
    pub peak: u64,
    /// Visits of states by the first search.
    pub visits: u64,
    /// Edges that both searches explored.
    pub steps: u64,
    /// Edges per state.
    pub visitation: f64,
}

impl Outcome {
    /// Whether the search was complete.
    pub fn is_decided(&self) -> bool {
        matches!(self.verdict.as_str(), "holds" | "violated")
    }
}

impl Runner {
    /// For this program.
    pub fn new(lariat: PathBuf) -> Result<Runner, String> {
        let directory = TemporaryDirectory::new().map_err(|error| error.to_string())?;
        Ok(Runner { lariat, directory })
    }

    /// The program.
    pub fn lariat(&self) -> &Path {
        &self.lariat
    }

    /// The file of a model.
    pub fn path(&self, subject: &Subject) -> Result<PathBuf, String> {
        let path = subject.path(self.directory.path());
        path.map_err(|error| error.to_string())
    }

    /// Checks a model with one worker. The error is about a run without a result.
    pub fn run(
        &self,
        subject: &Subject,
        options: &[String],
        limit: Duration,
    ) -> Result<Outcome, String> {
        let path = self.path(subject)?;
        let mut arguments = vec!["check".to_owned(), path.to_string_lossy().into_owned()];
        arguments.extend(subject.options.iter().map(|&word| word.to_owned()));
        arguments.extend(subject.property.options());
        arguments.extend_from_slice(options);
        let fixed = ["--workers", "1", "--json", "--no-trail", "--no-warnings"];
        arguments.extend(fixed.map(str::to_owned));
        arguments.push(format!("--time={}s", limit.as_secs().max(1)));
        let shown = || format!("lariat {}", arguments.join(" "));
        let output = process::run_measured(
            &self.lariat,
            &arguments,
            self.directory.path(),
            limit + Duration::from_secs(20),
        );
        let output = output.map_err(|error| error.to_string())?;
        match output.ended {
            Ended::Exit(_) => {}
            ended => return Err(format!("{ended:?}: {}", shown())),
        }
        let outcome = read(&output.stdout).ok_or_else(|| {
            let first = output.stderr.lines().find(|line| !line.trim().is_empty());
            format!("{}: {}", first.unwrap_or("no report"), shown())
        })?;
        let usage = output.usage.unwrap_or_default();
        Ok(Outcome {
            cpu: usage.cpu.as_secs_f64(),
            wall: usage.wall.as_secs_f64(),
            ..outcome
        })
    }
}

/// Reads the report of a run with one result.
fn read(text: &str) -> Option<Outcome> {
    let report: Value = serde_json::from_str(text).ok()?;
    let [result] = &report["results"].as_array()?[..] else {
        return None;
    };
    let storing = &result["storing"];
    let steps = storing["nested_transitions"].as_u64().unwrap_or(0);
    Some(Outcome {
        verdict: result["verdict"].as_str()?.to_owned(),
        states: result["states_stored"].as_u64()?,
        depth: result["max_depth"].as_u64().unwrap_or(0),
        memory: result["memory_bytes"].as_u64()?,
        cpu: 0.0,
        wall: 0.0,
        storing: Storing {
            peak: storing["peak_states"].as_u64().unwrap_or(0),
            visits: storing["visits"].as_u64().unwrap_or(0),
            steps: steps + result["transitions"].as_u64()?,
            visitation: storing["visitation_factor"].as_f64().unwrap_or(0.0),
        },
    })
}

/// A plain search: all states are kept.
#[derive(Clone, Debug)]
pub struct Plain {
    /// Its result.
    pub outcome: Outcome,
    /// Edges of a state.
    pub visitation: f64,
    /// Edges that both searches look at.
    pub steps: u64,
}

impl Plain {
    /// Measures a model, in the median of so many rounds. `None` for a search that did not end.
    pub fn measure(
        runner: &Runner,
        subject: &Subject,
        options: &[String],
        rounds: u64,
    ) -> Result<Plain, String> {
        let with = |store: &str| {
            let store = ["--store".to_owned(), store.to_owned()];
            let all: Vec<String> = options.iter().cloned().chain(store).collect();
            let outcome = runner.run(subject, &all, Duration::from_secs(300))?;
            match outcome.is_decided() {
                true => Ok(outcome),
                false => Err(format!("{}: {}", subject.name, outcome.verdict)),
            }
        };
        let runs: Result<Vec<Outcome>, String> = (0..rounds).map(|_| with("tree")).collect();
        let runs = runs?;
        let counted = with("sample:auto")?.storing;
        let mut outcome = runs[0].clone();
        outcome.cpu = super::median(&runs, |run| run.cpu);
        outcome.wall = super::median(&runs, |run| run.wall);
        Ok(Plain {
            outcome,
            visitation: counted.visitation,
            steps: counted.steps,
        })
    }

    /// The states.
    pub fn states(&self) -> u64 {
        self.outcome.states
    }

    /// The part of the states that a search needs that stores arbitrary ones: 1 - 1/k.
    pub fn limit(&self) -> f64 {
        1.0 - 1.0 / self.visitation.max(1.0)
    }

    /// A multiple of its time, plus some seconds.
    pub fn times(&self, factor: f64, more: f64) -> Duration {
        Duration::from_secs_f64((self.outcome.wall * factor + more).ceil())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports() {
        let text = r#"{ "results": [ { "verdict": "holds", "states_stored": 10, "max_depth": 3, "memory_bytes": 99,
            "transitions": 30, "storing": { "peak_states": 7, "visits": 15, "nested_transitions": 5,
            "visitation_factor": 2.0 } } ] }"#;
        let outcome = read(text).unwrap();
        assert!(outcome.is_decided());
        assert_eq!((outcome.states, outcome.depth, outcome.memory), (10, 3, 99));
        let Storing {
            peak,
            visits,
            steps,
            visitation,
        } = outcome.storing;
        assert_eq!((peak, visits, steps, visitation), (7, 15, 35, 2.0));
        let plain = r#"{ "results": [ { "verdict": "exhausted", "states_stored": 1, "memory_bytes": 2,
            "transitions": 4, "storing": null } ] }"#;
        let outcome = read(plain).unwrap();
        assert!(!outcome.is_decided());
        assert_eq!((outcome.storing.peak, outcome.storing.steps), (0, 4));
        assert_eq!(read(""), None);
        assert_eq!(read(r#"{ "results": [] }"#), None);
    }
}
