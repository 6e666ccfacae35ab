//! `bench storing`: the cost of removing states.
//!
//! After Brim, Černá and Nečesal, "Randomization helps in LTL model checking" (2001), who store a state with a fixed
//! probability. Three questions: does a search with `--store sample:auto` respect its budget, with the correct
//! verdict, and not take longer than with the best fixed probability whose table is as small; the same with bounded
//! memory; and how far does the memory decrease if the search may take ten times as long.
//!
//! CPU time of the whole process is compared, which other programs affect less than wall-clock time.

mod budget;
mod least;
mod plot;
mod run;
mod subjects;
mod sweep;

use super::machine;
use super::report::Report;
use super::statistics;
use crate::lariat;
use crate::options::Arguments;
use run::{Outcome, Runner};
use std::path::{Path, PathBuf};
use subjects::Subject;

/// The extent of the measurement.
pub struct Setting {
    /// Runs that differ in their seeds only.
    pub seeds: u64,
}

/// Runs the command; `Ok(true)` if every verdict was correct and every budget respected.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    let quick = arguments.flag("--quick");
    let seeds = arguments.number("--seeds")?.unwrap_or(3).max(1);
    let filter = arguments.value("--filter")?.unwrap_or_default();
    let part = arguments.value("--part")?;
    if let Some(other) = part.as_deref()
        && !["tables", "memory", "least"].contains(&other)
    {
        return Err(format!("--part tables, memory or least, not `{other}`"));
    }
    let out = arguments.value("--out")?.map(PathBuf::from);
    if let Some(unknown) = arguments.rest()?.first() {
        return Err(format!("bench storing: unexpected `{unknown}`"));
    }
    let wants = |name: &str| part.as_deref().is_none_or(|part| part == name);
    let setting = Setting {
        seeds: if quick { 1 } else { seeds },
    };
    let select = |subjects: &[Subject]| -> Vec<Subject> {
        let wanted =
            |subject: &&Subject| subject.name.contains(&filter) && (!quick || subject.quick);
        subjects.iter().filter(wanted).copied().collect()
    };
    let runner = Runner::new(lariat::binary()?)?;
    let mut report = Report::new(machine::description(runner.lariat()));
    if wants("tables") {
        let swept = sweep::measure(&runner, &select(&subjects::SWEPT), &setting, &mut report);
        write(out.as_deref(), "storing.svg", &plot::svg(&swept))?;
    }
    if wants("memory") {
        budget::measure(&runner, &select(&subjects::BOUNDED), &setting, &mut report);
    }
    if wants("least") {
        least::measure(&runner, &select(&subjects::LEAST), &mut report);
    }
    print!("{}", report.text());
    write(out.as_deref(), "storing.tables.md", &report.markdown())?;
    Ok(report.failures.is_empty())
}

/// Writes a file, if a folder was named.
fn write(directory: Option<&Path>, name: &str, text: &str) -> Result<(), String> {
    let Some(directory) = directory else {
        return Ok(());
    };
    let path = directory.join(name);
    std::fs::create_dir_all(directory)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// The median of something over runs.
fn median(runs: &[Outcome], of: impl Fn(&Outcome) -> f64) -> f64 {
    statistics::median(runs.iter().map(of).collect())
}

/// A factor, or that it is larger than it may be.
fn times(factor: Option<f64>, most: f64) -> String {
    factor.map_or_else(|| format!("> {most}"), |factor| format!("{factor:.2}"))
}
