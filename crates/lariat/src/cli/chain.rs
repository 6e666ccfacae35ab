//! `lariat check` and `lariat estimate` for Markov chains.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use lariat::chain::{ChainChecked, LoadedChain, chain_property, check_chain, load_chain};
use lariat::system::default_memory;
use lariat_chain::{Chain, ChainLasso};
use lariat_report::outcome::{Report, RunOptions, Tool};
use lariat_report::text;
use lariat_search::{Budget, Progress};

use super::progress::SearchBar;
use super::{args, check, walk_args};

/// How many states of a long run are shown at each end.
const SHOWN: usize = 40;

/// Whether a file is a chain.
pub fn is_chain(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "tra")
}

/// Options that mean something for models of processes only.
const FOR_MODELS: [&str; 24] = [
    "language",
    "define",
    "undefine",
    "include",
    "lossy",
    "wrap",
    "safety",
    "ltl",
    "never",
    "hoa",
    "acceptance",
    "non-progress",
    "fair",
    "shortest",
    "invariant",
    "no-deadlock",
    "no-assert",
    "sampling",
    "uniform",
    "exec",
    "no-merge",
    "no-dead",
    "trail",
    "no-warnings",
];

/// Carries out the command.
pub fn run(matches: &ArgMatches, file: &Path) -> u8 {
    match checked(matches, file) {
        Ok(code) => code,
        Err(code) => code,
    }
}

fn checked(matches: &ArgMatches, file: &Path) -> Result<u8, u8> {
    let Some(walks) = walk_args::walks(matches)? else {
        return Err(super::fail(
            "a Markov chain is checked with random runs; add --search monte-carlo",
        ));
    };
    walk_args::refuse(matches)?;
    refuse(matches)?;
    let budget = Budget {
        memory: matches.get_one("memory").copied().or_else(default_memory),
        time: matches.get_one("time").copied(),
        ..Budget::default()
    };
    let labels = args::one::<PathBuf>(matches, "labels");
    let loaded = load_chain(file, labels.map(PathBuf::as_path), budget.memory)
        .map_err(|error| super::print_load_error(&error))?;
    let mut properties = Vec::new();
    for text in matches.get_many::<String>("formula").unwrap_or_default() {
        let property = chain_property(&loaded, text, &budget)
            .map_err(|error| super::print_load_error(&error))?;
        properties.push((text.clone(), Arc::new(property)));
    }
    check::stop_on_interrupt(budget.stop.clone());
    let workers = check::workers(matches);
    let mut bar = SearchBar::new(budget.time, budget.memory);
    let mut answers = Vec::new();
    let started = Instant::now();
    let mut left = properties.len() as u32;
    for (text, property) in properties {
        // The time is for all formulas together.
        let mut budget = budget.clone();
        let rest = |time: Duration| time.saturating_sub(started.elapsed()) / left;
        budget.time = budget.time.map(rest);
        left -= 1;
        bar.time = budget.time;
        bar.title = format!("{text}: ");
        let show = &mut |p: &Progress| bar.show(p);
        let answer = check_chain(&loaded, &text, property, &walks, workers, &budget, show);
        bar.clear();
        answers.push(answer.map_err(|message| super::fail(&message))?);
    }
    let report = report(matches, &loaded, &budget, workers, &answers);
    if matches.get_flag("json") {
        let json = serde_json::to_string_pretty(&report).unwrap_or_default();
        super::print(&format!("{json}\n"));
    } else {
        super::print(&text::summary(&report, super::style()));
        let first = answers.iter().find_map(|answer| answer.lasso.as_ref());
        if let Some(lasso) = first {
            super::print(&format!("\n{}", lasso_text(&loaded.chain, lasso)));
        }
    }
    Ok(check::exit_code(matches, &report))
}

/// Refuses what has no meaning for a chain, and what is missing.
fn refuse(matches: &ArgMatches) -> Result<(), u8> {
    for id in FOR_MODELS {
        if args::is_given(matches, id) {
            return Err(super::fail(&format!(
                "--{id} has no meaning for a Markov chain; --formula and --labels say what is asked"
            )));
        }
    }
    if !args::is_given(matches, "formula") {
        return Err(super::fail(
            "say what the runs of the chain should satisfy, with --formula, as 'F goal'",
        ));
    }
    Ok(())
}

fn report(
    matches: &ArgMatches,
    loaded: &LoadedChain,
    budget: &Budget,
    workers: usize,
    answers: &[ChainChecked],
) -> Report {
    Report {
        tool: Tool::default(),
        model: loaded.reference.clone(),
        options: RunOptions {
            search: "monte-carlo".into(),
            fairness: "none".into(),
            workers: workers as u64,
            store: "tree".into(),
            exec: "interp".into(),
            memory_limit: budget.memory,
            time_limit: budget.time.map(|time| time.as_secs_f64()),
            ..RunOptions::default()
        },
        seed: Some(check::seed(matches)),
        results: answers.iter().map(|answer| answer.result.clone()).collect(),
        unchecked: Vec::new(),
    }
}

/// A run as a table of its states.
fn lasso_text(chain: &Chain, lasso: &ChainLasso) -> String {
    let states: Vec<u32> = lasso.prefix.iter().chain(&lasso.cycle).copied().collect();
    let width = states
        .iter()
        .map(|s| s.to_string().len())
        .max()
        .unwrap_or(0)
        .max(5);
    let mut out = format!(" {:>5}  {:>width$}  labels\n", "step", "state");
    for (step, &state) in states.iter().enumerate() {
        let is_hidden = (SHOWN..states.len().saturating_sub(SHOWN)).contains(&step);
        if is_hidden {
            if step == SHOWN {
                let hidden = states.len() - 2 * SHOWN;
                out.push_str(&format!("  ... {hidden} states left out ...\n"));
            }
            continue;
        }
        if step == lasso.prefix.len() {
            out.push_str("  -- the loop starts here --\n");
        }
        let labels = chain.labels_of(state).iter();
        let names: Vec<&str> = labels
            .map(|&l| chain.labels()[l as usize].as_str())
            .collect();
        let line = format!(" {step:>5}  {state:>width$}  {}", names.join(", "));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push_str("  -- back to the start of the loop --\n");
    out
}
