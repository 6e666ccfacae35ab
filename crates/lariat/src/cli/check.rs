//! `lariat check`

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::ArgMatches;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lariat::check::{CheckOptions, Checked, SearchOrder, check, report, trail, write_whole};
use lariat::load::Loaded;
use lariat::system::default_memory;
use lariat_ir::space::Checks;
use lariat_report::outcome::RunOptions;
use lariat_report::text::{self, number};
use lariat_report::trail::Trail;
use lariat_search::{Budget, Progress};

use super::args::{self, Common};

/// The most counterexamples that are written to files.
const MAX_TRAILS: usize = 20;

pub fn run(matches: &ArgMatches) -> u8 {
    let common = Common::new(matches);
    let mut loaded = match super::load_model(&common) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let options = match check_options(matches, &mut loaded) {
        Ok(options) => options,
        Err(code) => return code,
    };
    stop_on_interrupt(options.budget.stop.clone());
    let mut bar = SearchBar::new(options.budget.time, options.budget.memory);
    let result = check(&loaded, &options, &mut |p: &Progress| bar.show(p));
    bar.clear();
    let mut checked = match result {
        Ok(checked) => checked,
        Err(error) => {
            return super::fail(&format!(
                "an error was found but could not be replayed ({}); this is a defect of Lariat, please report it",
                error.0
            ));
        }
    };
    let run_options = run_options(&common, &options);
    let trails = trails(&loaded, &run_options, &checked);
    if !matches.get_flag("no-trail") {
        let base = match matches.get_one::<PathBuf>("trail") {
            Some(path) => path.clone(),
            None => default_trail(&common.file),
        };
        // The verdict is worth more than the file.
        if let Err(message) = write_trails(&base, &trails, &mut checked) {
            super::fail(&message);
        }
    }
    let report = report(&loaded, run_options, options.seed, vec![checked.result]);
    if matches.get_flag("json") {
        let json = serde_json::to_string_pretty(&report).unwrap_or_default();
        super::print(&format!("{json}\n"));
    } else {
        super::print(&text::summary(&report, super::style()));
        if let Some(first) = trails.first() {
            let table = text::trail_table(first, super::style(), true);
            super::print(&format!("\n{table}"));
        }
        if let Some(file) = report.results.iter().find_map(|r| r.trail.as_ref()) {
            super::print(&format!(
                "\n  written to {file}; see also: lariat replay {file}\n"
            ));
        }
    }
    report.exit_code()
}

fn check_options(matches: &ArgMatches, loaded: &mut Loaded) -> Result<CheckOptions, u8> {
    let mut invariants = Vec::new();
    for text in matches.get_many::<String>("invariant").unwrap_or_default() {
        match loaded.invariant(text) {
            Ok(invariant) => invariants.push(invariant),
            Err(error) => return Err(super::print_load_error(&error)),
        }
    }
    Ok(CheckOptions {
        order: match matches.get_one::<String>("search").map(String::as_str) {
            Some("dfs") => SearchOrder::Depth,
            _ => SearchOrder::Breadth,
        },
        checks: Checks {
            end_states: !matches.get_flag("no-deadlock"),
            assertions: !matches.get_flag("no-assert"),
            invariants,
        },
        all_errors: matches.get_flag("all-errors"),
        seed: matches.get_one("seed").copied(),
        budget: Budget {
            memory: matches.get_one("memory").copied().or_else(default_memory),
            time: matches.get_one("time").copied(),
            states: matches.get_one("max-states").copied(),
            stop: Arc::default(),
        },
    })
}

fn run_options(common: &Common, options: &CheckOptions) -> RunOptions {
    RunOptions {
        search: match options.order {
            SearchOrder::Breadth => "bfs".into(),
            SearchOrder::Depth => "dfs".into(),
        },
        deadlock: options.checks.end_states,
        assertions: options.checks.assertions,
        invariants: options
            .checks
            .invariants
            .iter()
            .map(|i| i.text.clone())
            .collect(),
        all_errors: options.all_errors,
        memory_limit: options.budget.memory,
        time_limit: options.budget.time.map(|t| t.as_secs_f64()),
        state_limit: options.budget.states,
        ..args::run_options(&common.load)
    }
}

fn trails(loaded: &Loaded, options: &RunOptions, checked: &Checked) -> Vec<Trail> {
    checked
        .result
        .violations
        .iter()
        .zip(&checked.faults)
        .zip(&checked.trails)
        .map(|((violation, fault), replayed)| {
            trail(
                loaded.reference(),
                options.clone(),
                &checked.result.property,
                violation,
                *fault,
                replayed,
            )
        })
        .collect()
}

/// `m.trail.json` in the current folder for a model `m.pml`.
fn default_trail(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or(model.as_os_str());
    let mut name = stem.to_owned();
    name.push(".trail.json");
    PathBuf::from(name)
}

/// Writes the trails: the first to `base`, the others with a number in their names.
fn write_trails(base: &Path, trails: &[Trail], checked: &mut Checked) -> Result<(), String> {
    for (index, trail) in trails.iter().enumerate().take(MAX_TRAILS) {
        let path = match index {
            0 => base.to_path_buf(),
            n => numbered(base, n + 1),
        };
        let json = serde_json::to_string_pretty(trail).unwrap_or_default();
        write_whole(&path, &json).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        let name = path.display().to_string();
        if index == 0 {
            checked.result.trail = Some(name.clone());
        }
        checked.result.violations[index].trail = Some(name);
    }
    Ok(())
}

/// `m.2.trail.json` for `m.trail.json`.
fn numbered(base: &Path, number: usize) -> PathBuf {
    let name = base
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let (stem, rest) = name.split_once('.').unwrap_or((&name, "json"));
    base.with_file_name(format!("{stem}.{number}.{rest}"))
}

/// The first Ctrl-C ends the search, the second the program.
fn stop_on_interrupt(stop: Arc<AtomicBool>) {
    // Without a handler Ctrl-C just ends the program; nothing is lost by that.
    let _ = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Progress on a terminal; nothing otherwise.
struct SearchBar {
    bar: Option<ProgressBar>,
    time: Option<Duration>,
    memory: Option<u64>,
}

impl SearchBar {
    fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        SearchBar { bar, time, memory }
    }

    fn show(&mut self, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        let statistics = &progress.statistics;
        let seconds = statistics.elapsed.as_secs_f64();
        let rate = statistics.states_stored as f64 / seconds.max(1e-9);
        let mut message = format!(
            "{} states, {}/s, depth {}, {}",
            number(statistics.states_stored),
            number(rate as u64),
            number(progress.depth),
            text::bytes(statistics.memory_bytes),
        );
        if let Some(limit) = self.memory {
            let share = 100.0 * statistics.memory_bytes as f64 / limit as f64;
            message.push_str(&format!(" ({share:.0}%)"));
        }
        if let Some(queue) = progress.queue {
            message.push_str(&format!(", {} to expand", number(queue)));
        }
        match self.time {
            Some(limit) => {
                let left = limit.saturating_sub(statistics.elapsed).as_secs();
                message.push_str(&format!(", {left} s left"));
            }
            None => message.push_str(&format!(", {seconds:.0} s")),
        }
        bar.set_message(message);
        bar.tick();
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            // After Ctrl-C the terminal has put `^C` behind the line, and it stays.
            super::print_error("\r\x1b[2K");
        }
    }
}
