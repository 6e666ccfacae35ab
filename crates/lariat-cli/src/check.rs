//! `lariat check` and `lariat estimate`

use std::time::Duration;

use clap::ArgMatches;
use lariat_check::TaskObserver;
use lariat_check::model::{ModelSystem, check_model};
use lariat_check::outcome::{Outcome, Verdict};
use lariat_check::task::{Property, Task};
use lariat_front::Loaded;
use lariat_report::report::{ModelRef, Report, RunOptions, Tool};
use lariat_report::trail::Trail;
use lariat_report::trail_text::trail_table;
use lariat_report::{result, text};
use lariat_search::Progress;

use crate::args::{self, Common};
use crate::progress::SearchBar;
use crate::select::Selection;
use crate::trails::TrailFiles;
use crate::{chain, wishes};

/// The largest number of counterexamples of one property that are written to files.
const MAX_TRAILS: usize = 20;

pub fn run(matches: &ArgMatches) -> u8 {
    match carry_out(matches) {
        Ok(code) | Err(code) => code,
    }
}

fn carry_out(matches: &ArgMatches) -> Result<u8, u8> {
    let common = Common::new(matches);
    if chain::is_chain(&common.file) {
        return chain::run(matches, &common.file);
    }
    if args::is_given(matches, "labels") {
        return Err(crate::fail(
            "--labels belong to a Markov chain, a file that ends with .tra",
        ));
    }
    let trails = TrailFiles::new(matches, &common.file).map_err(|message| crate::fail(&message))?;
    let mut loaded = crate::load_model(&common)?;
    let selection = Selection::new(matches, &common, &mut loaded)?;
    let budget = wishes::budget(matches);
    let wishes = wishes::wishes(matches);
    let options = RunOptions::new(&common.load, &wishes, &budget, &selection.invariants);
    let task = Task {
        system: &ModelSystem(loaded.model()),
        properties: selection.properties(),
        wishes,
        budget,
    };
    let mut bar = SearchBar::new(task.budget.memory);
    let outcomes = check_model(&task, &mut bar);
    bar.clear();
    let outcomes = outcomes.map_err(|failure| crate::fail(&failure.to_string()))?;
    let run = Run {
        model: model_ref(&loaded),
        options,
        unchecked: selection.unchecked,
    };
    let properties: Vec<_> = task.properties.iter().map(run_property).collect();
    run.report(&outcomes, &properties, trails, matches.get_flag("json"));
    Ok(exit_code(matches, &outcomes))
}

/// The name of a model in reports.
pub fn model_ref(loaded: &Loaded) -> ModelRef {
    ModelRef {
        file: loaded.file.clone(),
        hash: loaded.hash.clone(),
    }
}

type RunProperty<'a> = Option<&'a lariat_check::run_property::RunProperty>;

/// The property of runs, if it is one.
fn run_property<'a>(property: &'a Property<ModelSystem<'_>>) -> RunProperty<'a> {
    match property {
        Property::Safety(_) => None,
        Property::Runs(property, _) => Some(property),
    }
}

/// The contents of reports besides outcomes.
pub struct Run {
    /// The model.
    pub model: ModelRef,
    /// The options of the user.
    pub options: RunOptions,
    /// Properties of the model that are not checked.
    pub unchecked: Vec<String>,
}

impl Run {
    /// Writes trails, and prints the report.
    fn report(
        &self,
        outcomes: &[Outcome],
        properties: &[RunProperty<'_>],
        mut files: TrailFiles,
        json: bool,
    ) {
        let mut names = Vec::new();
        for (index, (outcome, property)) in outcomes.iter().zip(properties).enumerate() {
            let violations = outcome.verdict.violations().iter().take(MAX_TRAILS);
            let trail = |violation| {
                let (model, options) = (self.model.clone(), self.options.clone());
                Trail::new(model, options, outcome, violation, *property)
            };
            let trails: Vec<Trail> = violations.map(trail).collect();
            // The verdict is printed even if the file cannot be written.
            let written = files.write(&trails).unwrap_or_else(|message| {
                crate::fail(&message);
                Vec::new()
            });
            if !json {
                if index > 0 {
                    crate::print("\n");
                }
                crate::print(&text::summary(&self.model.file, outcome, crate::style()));
                print_trail(trails.first(), &written);
            }
            names.push(written);
        }
        match json {
            true => crate::print(&self.json(outcomes, &names)),
            false => crate::print(&text::unchecked(&self.unchecked, crate::style())),
        }
    }

    /// The report as JSON; `trails` are the files of the violations of each outcome.
    pub fn json(&self, outcomes: &[Outcome], trails: &[Vec<String>]) -> String {
        let results = outcomes.iter().zip(trails);
        let report = Report {
            tool: Tool::default(),
            model: self.model.clone(),
            options: self.options.clone(),
            seed: outcomes.iter().find_map(|outcome| outcome.ran.seed),
            results: results
                .map(|(outcome, trails)| result(outcome, trails))
                .collect(),
            unchecked: self.unchecked.clone(),
        };
        let json = serde_json::to_string_pretty(&report).unwrap_or_default();
        format!("{json}\n")
    }
}

/// Prints the first counterexample of a property, and the files of all of them.
fn print_trail(trail: Option<&Trail>, files: &[String]) {
    if let Some(trail) = trail {
        let table = trail_table(trail, crate::style(), true);
        crate::print(&format!("\n{table}"));
    }
    for (index, file) in files.iter().enumerate() {
        crate::print_lines(&match index {
            0 => format!("\n  written to {file}; see also: lariat replay {file}\n"),
            _ => format!("  another counterexample: lariat replay {file}\n"),
        });
    }
}

/// The exit code: that of the worst verdict.
pub fn exit_code(matches: &ArgMatches, outcomes: &[Outcome]) -> u8 {
    let code = |outcome: &Outcome| match (args::is_estimate(matches), &outcome.verdict) {
        (false, verdict) => verdict_code(verdict),
        // An estimate succeeds for any probability.
        (true, _) if has_estimate(outcome) => 0,
        (true, verdict @ Verdict::NoViolationFound(_)) => verdict_code(verdict),
        (true, _) => EXHAUSTED,
    };
    let codes: Vec<u8> = outcomes.iter().map(code).collect();
    let by_weight = [1, EXHAUSTED, 3];
    by_weight
        .into_iter()
        .find(|code| codes.contains(code))
        .unwrap_or(0)
}

/// The exit code of a search that ended early.
const EXHAUSTED: u8 = 4;

fn verdict_code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Holds(_) => 0,
        Verdict::Violated(_) => 1,
        Verdict::NoViolationFound(_) => 3,
        Verdict::Exhausted(_) => EXHAUSTED,
    }
}

fn has_estimate(outcome: &Outcome) -> bool {
    let walks = outcome.walks.as_ref();
    let estimate = walks.and_then(|walks| walks.estimate);
    estimate.is_some_and(|estimate| estimate.value.is_some())
}

impl TaskObserver for SearchBar {
    fn progress(&mut self, property: &str, time: Option<Duration>, progress: &Progress) {
        self.show(property, time, progress);
    }
}
