//! Experiments of papers, to be repeated.
//!
//! An [`Experiment`] is a list of tables as they were printed: each [`Row`] has the numbers of the paper and says
//! how to get them here, as a [`Config`]: a model, a property, a search and its limits. Running it collects
//! [`Sample`]s, one for each repetition; what is shown are their means and deviations, beside the paper.
//! Nothing here knows what a paper is about. To add one, write a file like `brim2001.rs` and name it in
//! [`all`].
//!
//! With a folder for its results, an experiment can be interrupted: every sample is written to a journal as
//! soon as it is there, and is not measured again by the same version of the program.

mod brim2001;
mod config;
mod files;
mod grosu2005;
mod journal;
mod measure;
mod plot;
mod quantity;
mod sample;
mod text;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lariat_search::Progress;
use lariat_stats::stream;

pub use config::{Claim, Config, Expected, Lassos, Limits, Model, Order, Search};
pub use quantity::{Cell, Quantity};
pub use sample::{Ending, Sample, Walked};
pub use text::{heading, table_text};

use journal::Journal;
use measure::Prepared;

/// After so many repetitions that were stopped, a row has no more of them.
const MOST_STOPPED: usize = 2;

/// An experiment of a paper.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is about, in a line.
    pub title: &'static str,
    /// The paper.
    pub source: &'static str,
    /// Its tables.
    pub tables: Vec<Table>,
    /// What is drawn, if anything: one quantity over another.
    pub plot: Option<Plot>,
}

/// A table of a paper.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its number in the paper.
    pub number: u32,
    /// What it shows.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Quantity>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What has to be known to read it.
    pub notes: Vec<String>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The heading under which it stands.
    pub block: &'static str,
    /// What it is called.
    pub label: String,
    /// What the paper has in each column; may be shorter than the columns.
    pub paper: Vec<Option<f64>>,
    /// How to get the numbers.
    pub config: Config,
    /// How often.
    pub repetitions: u32,
    /// Whether the rows below, up to the next one of this kind, are compared with this one.
    pub is_base: bool,
    /// Whether only repetitions that found an error count for the means.
    pub only_successes: bool,
    /// How large the model is, for quantities that are relative to that.
    pub size: Option<f64>,
}

/// What is drawn: a picture for each table that has both quantities.
#[derive(Clone, Copy, Debug)]
pub struct Plot {
    /// To the right, with a logarithmic scale.
    pub x: Quantity,
    /// Upwards.
    pub y: Quantity,
}

/// What is run.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The numbers of the tables; all if there are none.
    pub tables: Vec<u32>,
    /// Where the results go.
    pub out: Option<PathBuf>,
    /// Everything random comes from this number.
    pub seed: u64,
    /// How often each row is repeated, where it is; otherwise as often as the paper does.
    pub repetitions: Option<u32>,
    /// Somebody may set this at any time, and the experiment ends soon.
    pub stop: Arc<AtomicBool>,
}

/// The samples of each row of a table.
#[derive(Clone, Debug)]
pub struct Measured<'e> {
    /// The table.
    pub table: &'e Table,
    /// For each row, what was measured.
    pub samples: Vec<Vec<Sample>>,
}

/// Why an experiment could not be finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Somebody has stopped it.
    Interrupted,
    /// Something is wrong; in words.
    Message(String),
}

/// Somebody who wants to know how an experiment gets on.
pub trait Watcher {
    /// A search is running; `what` says for which row.
    fn progress(&mut self, what: &str, progress: &Progress);
    /// A table is complete.
    fn table(&mut self, measured: &Measured);
}

/// All experiments; with `quick`, small ones that show that everything works, in seconds.
pub fn all(quick: bool) -> Vec<Experiment> {
    vec![brim2001::experiment(quick), grosu2005::experiment(quick)]
}

/// Runs the tables that were asked for.
pub fn run<'e>(
    experiment: &'e Experiment,
    settings: &Settings,
    watcher: &mut impl Watcher,
) -> Result<Vec<Measured<'e>>, Failure> {
    for number in &settings.tables {
        if !experiment.tables.iter().any(|t| t.number == *number) {
            let name = experiment.name;
            return Err(Failure::Message(format!("{name} has no table {number}")));
        }
    }
    let mut journal = match &settings.out {
        Some(folder) => Journal::open(folder, experiment.name).map_err(|error| {
            Failure::Message(format!("cannot use {}: {error}", folder.display()))
        })?,
        None => Journal::in_memory(),
    };
    let mut all = Vec::new();
    for table in &experiment.tables {
        if !settings.tables.is_empty() && !settings.tables.contains(&table.number) {
            continue;
        }
        let mut samples = Vec::new();
        for row in &table.rows {
            samples.push(run_row(table, row, settings, &mut journal, watcher)?);
        }
        let measured = Measured { table, samples };
        watcher.table(&measured);
        all.push(measured);
    }
    if let Some(folder) = &settings.out {
        files::write(folder, experiment, &all)
            .map_err(|e| Failure::Message(format!("cannot write to {}: {e}", folder.display())))?;
    }
    Ok(all)
}

fn run_row(
    table: &Table,
    row: &Row,
    settings: &Settings,
    journal: &mut Journal,
    watcher: &mut impl Watcher,
) -> Result<Vec<Sample>, Failure> {
    let repetitions = match settings.repetitions {
        Some(n) if row.repetitions > 1 => n.max(1),
        _ => row.repetitions,
    };
    let prepared = Prepared::new(&row.config).map_err(Failure::Message)?;
    let key = prepared.key();
    let mut samples: Vec<Sample> = Vec::new();
    for repetition in 0..repetitions {
        if settings.stop.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
        let stopped = samples.iter().filter(|s| s.ending.is_cut()).count();
        if stopped >= MOST_STOPPED && !row.only_successes {
            break;
        }
        let seed = stream(settings.seed, &key, repetition.into()).next_u64();
        let sample = match journal.find(&key, seed) {
            Some(sample) => sample,
            None => {
                let what = format!(
                    "table {}, {}{}, {} of {repetitions}",
                    table.number,
                    block_prefix(row.block),
                    row.label,
                    repetition + 1
                );
                let mut show = |p: &Progress| watcher.progress(&what, p);
                let sample = prepared.measure(seed, &settings.stop, &mut show)?;
                let kept = journal.keep(&key, seed, &sample);
                kept.map_err(|e| Failure::Message(format!("cannot write the journal: {e}")))?;
                sample
            }
        };
        samples.push(sample);
    }
    Ok(samples)
}

fn block_prefix(block: &str) -> String {
    match block {
        "" => String::new(),
        block => format!("{block}: "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    pub(super) struct Silent(usize);

    impl Watcher for Silent {
        fn progress(&mut self, _: &str, _: &Progress) {}
        fn table(&mut self, _: &Measured) {
            self.0 += 1;
        }
    }

    /// A table of an experiment, carried out.
    pub(super) fn measured(experiment: &Experiment, table: u32) -> Measured<'_> {
        let settings = Settings {
            tables: vec![table],
            seed: 1,
            ..Settings::default()
        };
        run(experiment, &settings, &mut Silent::default())
            .unwrap()
            .remove(0)
    }

    fn folder(name: &str) -> PathBuf {
        let name = format!("lariat-experiment-{name}-{}", std::process::id());
        std::env::temp_dir().join(name)
    }

    #[test]
    fn an_unknown_table_is_refused() {
        let experiment = &all(true)[0];
        let settings = Settings {
            tables: vec![99],
            ..Settings::default()
        };
        let failure = run(experiment, &settings, &mut Silent::default()).unwrap_err();
        assert!(matches!(failure, Failure::Message(m) if m.contains("99")));
    }

    #[test]
    fn what_is_in_the_journal_is_not_measured_again() {
        let folder = folder("resume");
        let experiment = &all(true)[0];
        let settings = Settings {
            tables: vec![5],
            out: Some(folder.clone()),
            seed: 3,
            ..Settings::default()
        };
        let mut watcher = Silent::default();
        let first = run(experiment, &settings, &mut watcher).unwrap();
        let second = run(experiment, &settings, &mut watcher).unwrap();
        // Times differ between two measurements, so these samples are the same ones.
        assert_eq!(first[0].samples, second[0].samples);
        assert_eq!(watcher.0, 2);
        for file in ["brim2001.jsonl", "brim2001.csv", "brim2001.json"] {
            assert!(folder.join(file).exists(), "{file}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_seed_gives_the_same_numbers_again() {
        let experiment = &all(true)[0];
        let numbers = |seed| {
            let settings = Settings {
                tables: vec![2],
                seed,
                ..Settings::default()
            };
            let all = run(experiment, &settings, &mut Silent::default()).unwrap();
            let samples = all[0].samples.iter().flatten();
            samples.map(|s| (s.peak, s.transitions)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(5), numbers(5));
        assert_ne!(numbers(5), numbers(6));
    }

    #[test]
    fn an_experiment_can_be_stopped() {
        let settings = Settings::default();
        settings.stop.store(true, Ordering::Relaxed);
        let failure = run(&all(true)[0], &settings, &mut Silent::default()).unwrap_err();
        assert_eq!(failure, Failure::Interrupted);
    }
}
