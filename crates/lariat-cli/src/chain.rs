//! `lariat check` and `lariat estimate` for Markov chains.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ArgMatches;
use lariat_check::chain::{ChainTask, chain_property, check_chain, load_chain, plan};
use lariat_check::trace::Trace;
use lariat_front::LoadOptions;
use lariat_report::report::{ModelRef, RunOptions};
use lariat_report::text;

use crate::check::Run;
use crate::progress::SearchBar;
use crate::{args, check, wishes};

/// The number of states of a long run that are shown at each end.
const SHOWN: usize = 40;

/// Whether a file is a chain.
pub fn is_chain(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "tra")
}

/// Refuses a chain where a model with processes is needed.
pub fn refuse_as_model(file: &Path) -> Result<(), u8> {
    match is_chain(file) {
        false => Ok(()),
        true => Err(crate::fail(
            "a Markov chain has no processes to show; `lariat check` and `lariat estimate` read it",
        )),
    }
}

/// Options for reading a model, choosing its properties, or writing its trails.
const FOR_MODELS: [&str; 11] = [
    "language",
    "safety",
    "ltl",
    "never",
    "hoa",
    "acceptance",
    "non-progress",
    "invariant",
    "trail",
    "no-trail",
    "no-warnings",
];

/// Runs the command.
pub fn run(matches: &ArgMatches, file: &Path) -> Result<u8, u8> {
    refuse(matches)?;
    let budget = wishes::budget(matches);
    let wishes = wishes::wishes(matches);
    plan(&wishes, &budget).map_err(|refusal| crate::fail(&refusal.to_string()))?;
    if !args::is_given(matches, "formula") {
        return Err(crate::fail(
            "say what the runs of the chain should satisfy, with --formula, for example 'F goal'",
        ));
    }
    let labels = args::one::<PathBuf>(matches, "labels");
    let chain = load_chain(file, labels.map(PathBuf::as_path), budget.memory)
        .map_err(|error| crate::print_load_error(&error))?;
    let mut formulas = Vec::new();
    for text in matches.get_many::<String>("formula").unwrap_or_default() {
        let property = chain_property(&chain, text, &budget)
            .map_err(|error| crate::print_load_error(&error))?;
        formulas.push((text.clone(), Arc::new(property)));
    }
    let run = Run {
        model: ModelRef {
            file: chain.file.clone(),
            hash: chain.hash.clone(),
        },
        options: RunOptions::new(&LoadOptions::default(), &wishes, &budget, &[]),
        unchecked: Vec::new(),
    };
    let task = ChainTask {
        chain: &chain,
        formulas,
        wishes,
        budget,
    };
    let mut bar = SearchBar::new(task.budget.memory);
    let outcomes = check_chain(&task, &mut bar);
    bar.clear();
    let outcomes = outcomes.map_err(|failure| crate::fail(&failure.to_string()))?;
    if matches.get_flag("json") {
        crate::print(&run.json(&outcomes, &vec![Vec::new(); outcomes.len()]));
        return Ok(check::exit_code(matches, &outcomes));
    }
    for (index, outcome) in outcomes.iter().enumerate() {
        if index > 0 {
            crate::print("\n");
        }
        crate::print(&text::summary(&run.model.file, outcome, crate::style()));
        if let Some(violation) = outcome.verdict.violations().first() {
            crate::print(&format!("\n{}", run_text(violation.trace())));
        }
    }
    Ok(check::exit_code(matches, &outcomes))
}

/// Refuses options that a chain does not support.
fn refuse(matches: &ArgMatches) -> Result<(), u8> {
    let of_languages = args::language_options().map(|option| option.name);
    for id in FOR_MODELS.into_iter().chain(of_languages) {
        if args::is_given(matches, id) {
            return Err(crate::fail(&format!(
                "--{id} has no meaning for a Markov chain; --formula and --labels say what is asked"
            )));
        }
    }
    Ok(())
}

/// A run as a table of its states.
fn run_text(trace: &Trace) -> String {
    let states = &trace.steps;
    let widths = states.iter().map(|step| step.transition.to_string().len());
    let width = widths.max().unwrap_or(0).max(5);
    let mut out = format!(" {:>5}  {:>width$}  labels\n", "step", "state");
    for (number, step) in states.iter().enumerate() {
        let is_hidden = (SHOWN..states.len().saturating_sub(SHOWN)).contains(&number);
        if is_hidden {
            if number == SHOWN {
                let hidden = states.len() - 2 * SHOWN;
                out.push_str(&format!("  ... {hidden} states left out ...\n"));
            }
            continue;
        }
        if trace.loop_start == Some(number) {
            out.push_str("  -- the loop starts here --\n");
        }
        let line = format!(
            " {number:>5}  {:>width$}  {}",
            step.transition, step.statement
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push_str("  -- back to the start of the loop --\n");
    out
}
