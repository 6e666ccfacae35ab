//! Repeats experiments of papers.
//!
//! An [`Experiment`] is a list of tables as printed: each [`Row`] has the numbers of the paper and a [`Config`] for
//! measuring them here: a model, a property, a search and its limits. Running it collects [`Sample`]s, one for each
//! repetition; it shows their means and deviations, beside the paper. This module is independent of the papers. To
//! add one, write a file like `brim2001.rs` and add it to [`all`].
//!
//! With a folder for its results, an experiment can be interrupted: every sample is written to a journal as soon as
//! it is measured, and is not measured again by the same version of the program.

mod barnat2012;
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

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lariat_search::Progress;
use lariat_stats::stream;

pub use config::{Config, Expected, Lassos, Limits, Model, Order, RowProperty, Search};
pub use quantity::{Cell, Quantity};
pub use sample::{Ending, Sample, Walked};
pub use text::{heading, simulation_text, table_text};

use journal::Journal;
use measure::Prepared;

/// After so many stopped repetitions, a row is not repeated further.
const MOST_STOPPED: usize = 2;

/// An experiment of a paper.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The paper.
    pub source: &'static str,
    /// Its tables and figures.
    pub tables: Vec<Table>,
    /// Whether the models are not part of the program.
    pub needs_models: bool,
    /// What is simulated, if anything is.
    pub simulation: Option<Simulation>,
    /// The plot, if there is one: one quantity over another.
    pub plot: Option<Plot>,
}

/// Where a table is in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The table with this number.
    Table(u32),
    /// The figure with this number.
    Figure(u32),
}

impl Place {
    fn kind(self) -> &'static str {
        match self {
            Place::Table(_) => "table",
            Place::Figure(_) => "figure",
        }
    }

    fn number(self) -> u32 {
        match self {
            Place::Table(number) | Place::Figure(number) => number,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Table(number) => write!(f, "Table {number}"),
            Place::Figure(number) => write!(f, "Figure {number}"),
        }
    }
}

/// A table of what a program computes that checks no model.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Its place.
    pub place: Place,
    /// Its title.
    pub title: &'static str,
    /// The headings of its columns.
    pub columns: &'static [&'static str],
    /// The number of cases.
    pub cases: u64,
    /// Computes the rows from a seed and the number of cases; nothing if it was stopped.
    pub run: fn(u64, u64, &AtomicBool) -> Option<Vec<SimulatedRow>>,
    /// Notes for its readers.
    pub notes: Vec<String>,
}

/// A row of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedRow {
    /// Its heading.
    pub block: &'static str,
    /// Its label.
    pub label: &'static str,
    /// Its numbers.
    pub cells: Vec<String>,
}

/// A table of a paper.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its place in the paper.
    pub place: Place,
    /// Its title.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Quantity>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// Notes for its readers.
    pub notes: Vec<String>,
    /// Whether times are the least of all repetitions, because other programs disturb them, and not the mean.
    pub least_times: bool,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its heading.
    pub block: &'static str,
    /// Its label.
    pub label: String,
    /// The paper's numbers, one for each column; may be shorter than the columns.
    pub paper: Vec<Option<f64>>,
    /// How to measure the numbers.
    pub config: Config,
    /// The number of repetitions.
    pub repetitions: u32,
    /// Whether the rows below, up to the next one of this kind, are compared with this one.
    pub is_base: bool,
    /// Whether only repetitions that found an error count for the means.
    pub only_successes: bool,
    /// The size of the model, for quantities that are relative to it.
    pub size: Option<f64>,
}

/// A plot: a panel for each table that has both quantities.
#[derive(Clone, Copy, Debug)]
pub struct Plot {
    /// Horizontal, with a logarithmic scale.
    pub x: Quantity,
    /// Vertical.
    pub y: Quantity,
}

/// The settings of a measurement.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The selected tables and figures; all if empty.
    pub places: Vec<Place>,
    /// The folder with the models that are not part of the program.
    pub models: Option<PathBuf>,
    /// The folder for the results.
    pub out: Option<PathBuf>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of repetitions of each repeated row; the default is that of the paper.
    pub repetitions: Option<u32>,
    /// Set by another thread to cancel the experiment.
    pub stop: Arc<AtomicBool>,
}

/// The samples of each row of a table.
#[derive(Clone, Debug)]
pub struct Measured<'e> {
    /// The table.
    pub table: &'e Table,
    /// For each row, its samples.
    pub samples: Vec<Vec<Sample>>,
}

/// Why an experiment could not be finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The experiment was cancelled.
    Interrupted,
    /// An error message.
    Message(String),
}

/// Receives the progress of an experiment.
pub trait ExperimentObserver {
    /// A search is running; `what` names its row.
    fn progress(&mut self, what: &str, progress: &Progress);
    /// A table is complete.
    fn table(&mut self, measured: &Measured);
    /// A simulation is complete.
    fn simulated(&mut self, simulation: &Simulation, rows: &[SimulatedRow]);
}

/// All experiments; with `quick`, small ones that take seconds.
pub fn all(quick: bool) -> Vec<Experiment> {
    vec![
        brim2001::experiment(quick),
        grosu2005::experiment(quick),
        barnat2012::experiment(quick),
    ]
}

/// Runs the selected tables.
pub fn run<'e>(
    experiment: &'e Experiment,
    settings: &Settings,
    observer: &mut impl ExperimentObserver,
) -> Result<Vec<Measured<'e>>, Failure> {
    settings.check(experiment).map_err(Failure::Message)?;
    let mut journal = match &settings.out {
        Some(folder) => Journal::open(folder, experiment.name).map_err(|error| {
            Failure::Message(format!("cannot use {}: {error}", folder.display()))
        })?,
        None => Journal::in_memory(),
    };
    let mut all = Vec::new();
    for table in &experiment.tables {
        if !settings.selects(table.place) {
            continue;
        }
        let mut samples = Vec::new();
        for row in &table.rows {
            samples.push(run_row(table, row, settings, &mut journal, observer)?);
        }
        let measured = Measured { table, samples };
        observer.table(&measured);
        all.push(measured);
    }
    let simulation = experiment.simulation.as_ref();
    let simulation = simulation.filter(|simulation| settings.selects(simulation.place));
    let mut simulated = None;
    if let Some(simulation) = simulation {
        let rows = (simulation.run)(settings.seed, simulation.cases, &settings.stop);
        let rows = rows.ok_or(Failure::Interrupted)?;
        observer.simulated(simulation, &rows);
        simulated = Some((simulation, rows));
    }
    if let Some(folder) = &settings.out {
        files::write(folder, experiment, &all, simulated.as_ref())
            .map_err(|e| Failure::Message(format!("cannot write to {}: {e}", folder.display())))?;
    }
    Ok(all)
}

impl Settings {
    fn selects(&self, place: Place) -> bool {
        self.places.is_empty() || self.places.contains(&place)
    }

    /// What does not fit the experiment.
    fn check(&self, experiment: &Experiment) -> Result<(), String> {
        let name = experiment.name;
        let tables = experiment.tables.iter().map(|table| table.place);
        let simulated = experiment.simulation.iter().map(|s| s.place);
        let places: Vec<Place> = tables.chain(simulated).collect();
        if let Some(place) = self.places.iter().find(|place| !places.contains(place)) {
            let (kind, number) = (place.kind(), place.number());
            return Err(format!("{name} has no {kind} {number}"));
        }
        let mut tables = experiment.tables.iter();
        let needs_models = experiment.needs_models && tables.any(|table| self.selects(table.place));
        match (needs_models, &self.models) {
            (true, None) => Err(format!(
                "the models of {name} are not part of the program; `--models DIR` says where they are"
            )),
            (false, Some(_)) => {
                Err("`--models`: all models of this are part of the program".into())
            }
            _ => Ok(()),
        }
    }
}

fn run_row(
    table: &Table,
    row: &Row,
    settings: &Settings,
    journal: &mut Journal,
    observer: &mut impl ExperimentObserver,
) -> Result<Vec<Sample>, Failure> {
    let repetitions = match settings.repetitions {
        Some(n) if row.repetitions > 1 => n.max(1),
        _ => row.repetitions,
    };
    let prepared =
        Prepared::new(&row.config, settings.models.as_deref()).map_err(Failure::Message)?;
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
                    "{} {}, {}{}, {} of {repetitions}",
                    table.place.kind(),
                    table.place.number(),
                    block_prefix(row.block),
                    row.label,
                    repetition + 1
                );
                let mut show = |p: &Progress| observer.progress(&what, p);
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

    impl ExperimentObserver for Silent {
        fn progress(&mut self, _: &str, _: &Progress) {}
        fn table(&mut self, _: &Measured) {
            self.0 += 1;
        }
        fn simulated(&mut self, _: &Simulation, _: &[SimulatedRow]) {
            self.0 += 1;
        }
    }

    /// A table of an experiment, measured.
    pub(super) fn measured(experiment: &Experiment, table: u32) -> Measured<'_> {
        let settings = Settings {
            places: vec![Place::Table(table)],
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
            places: vec![Place::Table(99)],
            ..Settings::default()
        };
        let failure = run(experiment, &settings, &mut Silent::default()).unwrap_err();
        assert!(matches!(failure, Failure::Message(m) if m.contains("99")));
    }

    #[test]
    fn samples_of_the_journal_are_not_measured_again() {
        let folder = folder("resume");
        let experiment = &all(true)[0];
        let settings = Settings {
            places: vec![Place::Table(5)],
            out: Some(folder.clone()),
            seed: 3,
            ..Settings::default()
        };
        let mut observer = Silent::default();
        let first = run(experiment, &settings, &mut observer).unwrap();
        let second = run(experiment, &settings, &mut observer).unwrap();
        // Times differ between two measurements, so equal times mean the same samples.
        assert_eq!(first[0].samples, second[0].samples);
        assert_eq!(observer.0, 2);
        for file in ["brim2001.jsonl", "brim2001.csv", "brim2001.json"] {
            assert!(folder.join(file).exists(), "{file}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn equal_seeds_give_equal_numbers() {
        let experiment = &all(true)[0];
        let numbers = |seed| {
            let settings = Settings {
                places: vec![Place::Table(2)],
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
