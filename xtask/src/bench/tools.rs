//! Both tools, prepared for measurements on a model.

use super::models::Model;
use crate::facts::{Counts, Outcome};
use crate::lariat::{self, Limits};
use crate::measure::Usage;
use crate::pan::{self, Translated};
use crate::process::TemporaryDirectory;
use crate::spin::{self, Settings};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// SPIN's memory limit in megabytes, and Lariat's.
const MEMORY: (u32, &str) = (12_000, "12G");

/// Whether the tools merge equivalent states, as they do by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reductions {
    /// All states, the same in both tools.
    Off,
    /// Statement merging and dead variables, each tool in its way.
    On,
}

/// How SPIN stores states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Uncompressed.
    Plain,
    /// Exact compression.
    Collapse,
    /// Hash compaction, which may miss states.
    HashCompact,
}

impl Storage {
    fn flags(self) -> Vec<&'static str> {
        let mut flags = vec!["-DSAFETY", "-DNOCLAIM"];
        match self {
            Storage::Plain => {}
            Storage::Collapse => flags.push("-DCOLLAPSE"),
            Storage::HashCompact => flags.push("-DHC4"),
        }
        flags
    }
}

/// A complete search: its counts and its resource usage.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// What it counted.
    pub counts: Counts,
    /// What it used.
    pub usage: Usage,
}

/// The tools.
pub struct Tools {
    /// The binary of Lariat.
    pub lariat: PathBuf,
    time: Duration,
    /// An empty model, for the memory of the programs themselves.
    empty: TemporaryDirectory,
}

impl Tools {
    /// The tools with a time limit for each step.
    pub fn new(lariat: PathBuf, time: Duration) -> Result<Tools, String> {
        let problem = |error: std::io::Error| format!("no directory for temporary files: {error}");
        let empty = TemporaryDirectory::new().map_err(problem)?;
        std::fs::write(empty.path().join("empty.pml"), "init { skip }\n").map_err(problem)?;
        Ok(Tools {
            lariat,
            time,
            empty,
        })
    }

    /// Translates a model with SPIN.
    pub fn translate(&self, model: &Model, reductions: Reductions) -> Result<Spin, String> {
        let settings = self.settings(model, reductions);
        let flags: &[&str] = match reductions {
            Reductions::Off => &pan::PLAIN,
            Reductions::On => &[],
        };
        match pan::translate_with(flags, &model.path, &model.options, settings) {
            Ok(Ok(translated)) => Ok(Spin { translated }),
            Ok(Err(Outcome::Rejected(reason) | Outcome::Failed(reason))) => Err(reason),
            Ok(Err(_)) => Err("spin -a did not end".into()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Sizes of tables and stacks for a user who knows the size of the model: without reductions a table with a slot
    /// for each state; else the default table. The stack is as deep as necessary.
    fn settings(&self, model: &Model, reductions: Reductions) -> Settings {
        let depth = model.depth + model.depth / 50 + 100;
        let (depth, table) = match reductions {
            Reductions::Off => (depth, model.states.max(1 << 10).next_power_of_two().ilog2()),
            Reductions::On => (depth.max(10_000), 24),
        };
        Settings {
            time: self.time,
            depth,
            table,
            memory: MEMORY.0,
            optimise: "-O3",
            small: false,
            vector: model.vector.next_multiple_of(1024).max(1024),
            measured: true,
        }
    }

    /// Runs Lariat on a model, for all safety errors, or for its property.
    pub fn lariat(
        &self,
        model: &Model,
        reductions: Reductions,
        workers: u64,
    ) -> Result<Lariat, String> {
        let mut options = model.options.clone();
        match &model.property {
            Some(property) => options.extend(["--ltl", property].map(str::to_owned)),
            None => options.extend(["--safety", "--all-errors"].map(str::to_owned)),
        }
        options.push("--no-trail".to_owned());
        options.push(format!("--workers={workers}"));
        if reductions == Reductions::Off {
            options.extend(["--no-merge", "--no-dead"].map(str::to_owned));
        }
        let limits = Limits {
            time: self.time,
            memory: MEMORY.1,
        };
        let measured = lariat::measure(&self.lariat, &model.path, &options, limits)
            .map_err(|error| error.to_string())?;
        Ok(Lariat {
            run: Run {
                counts: complete(measured.answer.outcome)?,
                usage: measured.usage,
            },
            search: measured.search,
        })
    }

    /// The usage of both tools on an empty model: SPIN, Lariat.
    pub fn footprints(&self) -> Result<(Usage, Usage), String> {
        let lariat = self.lariat(&self.empty_model(), Reductions::Off, 1)?;
        let mut spin = self.translate(&self.empty_model(), Reductions::Off)?;
        Ok((spin.search(Storage::Plain)?.usage, lariat.run.usage))
    }

    /// The usage of Lariat on an empty model.
    pub fn footprint(&self) -> Result<Usage, String> {
        let lariat = self.lariat(&self.empty_model(), Reductions::Off, 1)?;
        Ok(lariat.run.usage)
    }

    fn empty_model(&self) -> Model {
        Model {
            kind: super::models::Kind::Safety,
            path: self.empty.path().join("empty.pml"),
            options: Vec::new(),
            property: None,
            states: 2,
            depth: 100,
            vector: 1,
        }
    }
}

/// A measured run of Lariat.
#[derive(Clone, Debug)]
pub struct Lariat {
    /// What it counted and used.
    pub run: Run,
    /// The search that it chose.
    pub search: String,
}

/// A model that SPIN has translated.
pub struct Spin {
    translated: Translated,
}

impl Spin {
    /// What translating and compiling used.
    pub fn compiling(&mut self, storage: Storage) -> Result<Usage, String> {
        let verifier = self.translated.verifier(&storage.flags());
        let verifier = verifier.map_err(|error| error.to_string())??;
        let translating = self.translated.usage.unwrap_or_default();
        Ok(translating.then(verifier.usage.unwrap_or_default()))
    }

    /// Runs the verifier, for all errors.
    pub fn search(&mut self, storage: Storage) -> Result<Run, String> {
        let searched = self.translated.search(&storage.flags(), &["-c0".into()]);
        let output = searched.map_err(|error| error.to_string())??;
        Ok(Run {
            counts: complete(spin::outcome(&output))?,
            usage: output.usage.unwrap_or_default(),
        })
    }
}

/// The counts of a complete search; an error for any other result.
fn complete(outcome: Outcome) -> Result<Counts, String> {
    match outcome {
        Outcome::Complete(counts) => Ok(counts),
        Outcome::Cut(_, reason) => Err(format!("incomplete: {reason}")),
        Outcome::Rejected(reason) => Err(format!("rejected: {reason}")),
        Outcome::Failed(reason) => Err(format!("failed: {reason}")),
    }
}

/// The difference between the counts of SPIN and of Lariat, if there is one.
pub fn difference(spin: Counts, lariat: Counts) -> Option<String> {
    let facts = [
        ("errors", spin.errors, lariat.errors),
        ("states", spin.states, lariat.states),
        ("transitions", spin.transitions, lariat.transitions),
    ];
    let different = facts.iter().find(|(_, a, b)| !equal_to_spin(*a, *b))?;
    let (what, ours, theirs) = (different.0, different.2, different.1);
    Some(format!("{what} differ: SPIN {theirs}, Lariat {ours}"))
}

/// Whether a number is the one that SPIN printed. It prints eight digits.
fn equal_to_spin(spin: u64, number: u64) -> bool {
    let places = spin.checked_ilog10().unwrap_or(0).saturating_sub(7);
    spin.abs_diff(number) < 10u64.pow(places)
}

/// An error message if a model does not exist.
pub fn missing(path: &Path) -> Option<String> {
    (!path.exists()).then(|| format!("{} is not there", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(errors: u64, states: u64, transitions: u64) -> Counts {
        Counts {
            errors,
            states,
            transitions,
        }
    }

    #[test]
    fn differences_are_named() {
        assert_eq!(difference(counts(0, 10, 20), counts(0, 10, 20)), None);
        let text = difference(counts(0, 10, 20), counts(0, 11, 20)).unwrap();
        assert_eq!(text, "states differ: SPIN 10, Lariat 11");
        assert!(difference(counts(1, 10, 20), counts(0, 10, 20)).is_some());
    }

    #[test]
    fn spin_prints_eight_digits() {
        assert!(equal_to_spin(99_999_999, 99_999_999));
        assert!(!equal_to_spin(99_999_999, 99_999_998));
        assert!(equal_to_spin(123_456_790, 123_456_789));
        assert!(!equal_to_spin(123_456_790, 123_456_779));
        assert!(equal_to_spin(1_234_567_900, 1_234_567_851));
        assert!(equal_to_spin(0, 0));
        assert!(!equal_to_spin(0, 1));
    }

    #[test]
    fn only_complete_searches_count() {
        let c = counts(0, 1, 2);
        assert_eq!(complete(Outcome::Complete(c)), Ok(c));
        assert!(complete(Outcome::Cut(Some(c), "depth limit".into())).is_err());
        assert!(complete(Outcome::Failed("signal".into())).is_err());
    }
}
