//! `bench`: speed and memory, compared with SPIN, with several workers, and with earlier versions.
//!
//! Rules for fair figures: both tools search the same states, which is checked; each model is run by both tools in
//! turn, several rounds, and the medians are shown; CPU time and peak memory are those that the system counts for the
//! whole process; a model on which a tool fails is a failure of the benchmark and is not omitted.

mod counts;
mod engine;
mod machine;
mod memory;
mod models;
pub mod report;
mod stateright;
mod statistics;
mod storing;
mod tools;
mod user;
mod walks;
mod workers;

use crate::options::Arguments;
use crate::{lariat, spin};
use models::{Kind, Model};
use report::{Progress, Report};
use std::path::PathBuf;
use std::time::Duration;
use tools::Tools;

/// The largest number of states of the quick models.
const QUICK: u64 = 1_000_000;

/// Runs the command; `Ok(true)` if nothing failed.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    match arguments.word().as_deref() {
        Some("spin") => against_spin(arguments),
        Some("workers") => with_workers(arguments),
        Some("memory") => memory_of_large(arguments),
        Some("counts") => counts::command(arguments),
        Some("stateright") => stateright::command(arguments),
        Some("storing") => storing::command(arguments),
        Some("walks") => random_walks(arguments),
        Some(other) => Err(format!("bench: cannot measure `{other}`; see `xtask help`")),
        None => Err(
            "bench: name what to measure: spin, workers, memory, counts, stateright, storing or walks".into(),
        ),
    }
}

/// The options that all measurements share.
struct Common {
    quick: bool,
    filter: Option<String>,
    rounds: usize,
    report: Option<String>,
    time: Duration,
    directory: PathBuf,
}

impl Common {
    fn take(arguments: &mut Arguments) -> Result<Common, String> {
        let quick = arguments.flag("--quick");
        let filter = arguments.value("--filter")?;
        let rounds = arguments.number("--rounds")?.unwrap_or(3).max(1) as usize;
        let report = arguments.value("--report")?;
        let time = Duration::from_secs(arguments.number("--timeout")?.unwrap_or(900));
        let rest = arguments.rest()?;
        let [directory] = &rest[..] else {
            return Err("bench: name the folder with the models".into());
        };
        Ok(Common {
            quick,
            filter,
            rounds,
            report,
            time,
            directory: directory.into(),
        })
    }

    /// The models to be measured, small ones first.
    fn models(&self, kind: Kind) -> Result<Vec<Model>, String> {
        let wanted = |model: &Model| {
            let text = self.filter.as_deref().unwrap_or("");
            model.kind == kind
                && (!self.quick || model.states < QUICK)
                && (model.name().contains(text) || model.path.to_string_lossy().contains(text))
        };
        let mut models = models::built_in(&self.directory)?;
        models.retain(wanted);
        models.sort_by_key(|model| model.states);
        Ok(models)
    }

    fn tools(&self) -> Result<Tools, String> {
        Tools::new(lariat::binary()?, self.time)
    }

    /// Prints the report and writes it to the file that was asked for; whether nothing failed.
    fn finish(&self, report: &Report) -> Result<bool, String> {
        print!("{}", report.text());
        if let Some(path) = &self.report {
            std::fs::write(path, report.markdown()).map_err(|error| format!("{path}: {error}"))?;
        }
        Ok(report.failures.is_empty())
    }
}

fn against_spin(arguments: &mut Arguments) -> Result<bool, String> {
    let (with_engine, with_user) = match arguments.value("--table")?.as_deref() {
        None => (true, true),
        Some("engine") => (true, false),
        Some("user") => (false, true),
        Some(other) => return Err(format!("--table engine or user, not `{other}`")),
    };
    let common = Common::take(arguments)?;
    spin::version()?;
    let (models, tools) = (common.models(Kind::Safety)?, common.tools()?);
    let mut report = Report::new(machine::description(&tools.lariat));
    let mut progress =
        Progress::new(models.len() * (usize::from(with_engine) + usize::from(with_user)));
    if with_engine {
        engine::measure(&tools, &models, common.rounds, &mut progress, &mut report);
    }
    if with_user {
        user::measure(&tools, &models, common.rounds, &mut progress, &mut report);
    }
    common.finish(&report)
}

fn with_workers(arguments: &mut Arguments) -> Result<bool, String> {
    let workers = arguments.number("--workers")?.unwrap_or(2).max(2);
    let common = Common::take(arguments)?;
    let tools = common.tools()?;
    let mut models = common.models(Kind::Safety)?;
    models.extend(common.models(Kind::Ltl)?);
    models.retain(|model| model.states >= workers::SMALLEST || common.filter.is_some());
    let mut report = Report::new(machine::description(&tools.lariat));
    let mut progress = Progress::new(models.len());
    workers::measure(
        &tools,
        &models,
        workers,
        common.rounds,
        &mut progress,
        &mut report,
    );
    common.finish(&report)
}

fn random_walks(arguments: &mut Arguments) -> Result<bool, String> {
    let rounds = arguments.number("--rounds")?.unwrap_or(3).max(1) as usize;
    let path = arguments.value("--report")?;
    if let Some(word) = arguments.rest()?.first() {
        return Err(format!("bench walks: unexpected `{word}`"));
    }
    spin::version()?;
    let mut report = Report::new(machine::description(&lariat::binary()?));
    let mut progress = Progress::new(walks::subjects());
    walks::measure(rounds, &mut progress, &mut report)?;
    print!("{}", report.text());
    if let Some(path) = path {
        std::fs::write(&path, report.markdown()).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(report.failures.is_empty())
}

fn memory_of_large(arguments: &mut Arguments) -> Result<bool, String> {
    let common = Common::take(arguments)?;
    let tools = common.tools()?;
    let mut models = common.models(Kind::Safety)?;
    models.extend(common.models(Kind::Ltl)?);
    models.retain(|model| model.states >= memory::SMALLEST || common.filter.is_some());
    let mut report = Report::new(machine::description(&tools.lariat));
    let mut progress = Progress::new(models.len());
    memory::measure(&tools, &models, &mut progress, &mut report);
    common.finish(&report)
}
