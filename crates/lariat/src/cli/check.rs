//! `lariat check`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::ArgMatches;
use lariat::check::{CheckError, CheckOptions, SearchOrder, check, report, trail, write_whole};
use lariat::engine::{Engine, Exec};
use lariat::liveness::{LivenessOptions, Method, check_property, property_trail};
use lariat::load::Loaded;
use lariat::property::Question;
use lariat::runs::{Restarts, Runs, repeat};
use lariat::system::default_memory;
use lariat_ir::space::{Checks, Fairness};
use lariat_report::outcome::{PropertyResult, Report, RunOptions, Verdict};
use lariat_report::text;
use lariat_report::trail::Trail;
use lariat_search::{Budget, Progress, Sampling, StoreKind};

use super::args::{self, Common};
use super::chain;
use super::progress::SearchBar;
use super::select::{self, Selection};
use super::walk_args;

/// Without a number, there are so many runs until one is not cut short: up to 128 times the unit.
const DEFAULT_RESTARTS: u64 = 256;
/// The most counterexamples of one property that are written to files.
const MAX_TRAILS: usize = 20;

pub fn run(matches: &ArgMatches) -> u8 {
    let common = Common::new(matches);
    if chain::is_chain(&common.file) {
        return chain::run(matches, &common.file);
    }
    if args::is_given(matches, "labels") {
        return super::fail("--labels belong to a Markov chain, a file that ends with .tra");
    }
    let mut loaded = match super::load_model(&common) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let mut options = match check_options(matches, &mut loaded) {
        Ok(options) => options,
        Err(code) => return code,
    };
    let walks = match walk_args::refuse(matches).and_then(|()| walk_args::walks(matches)) {
        Ok(walks) => walks,
        Err(code) => return code,
    };
    let runs = match runs(matches) {
        Ok(runs) => runs,
        Err(code) => return code,
    };
    let selection = match select::selection(matches, &common, &mut loaded) {
        Ok(selection) => selection,
        Err(code) => return code,
    };
    if let Err(code) = walk_args::refuse_led(matches, selection.safety) {
        return code;
    }
    options.walks = walks;
    stop_on_interrupt(options.budget.stop.clone());
    let liveness = liveness_options(matches, &options);
    let run = Run {
        loaded: &loaded,
        started: Instant::now(),
        json: matches.get_flag("json"),
        run_options: run_options(&common, matches, &options, &liveness),
        trail: trail_base(matches, &common.file),
        seed: (options.seed.is_some() || walks.is_some() || forgets(matches))
            .then(|| seed(matches)),
        runs,
        options,
        liveness,
    };
    let report = match run.all(&selection) {
        Ok(report) => report,
        Err(code) => return code,
    };
    exit_code(matches, &report)
}

/// The exit code of a report.
pub fn exit_code(matches: &ArgMatches, report: &Report) -> u8 {
    match walk_args::is_estimate(matches) {
        true => estimate_code(report),
        false => report.exit_code(),
    }
}

/// An estimate is what was asked for, whatever it is of.
fn estimate_code(report: &Report) -> u8 {
    let has_value = |result: &PropertyResult| {
        let sampling = result.sampling.as_ref();
        let estimate = sampling.and_then(|sampling| sampling.estimate.as_ref());
        estimate.is_some_and(|estimate| estimate.value.is_some())
    };
    let missing = report.results.iter().filter(|result| !has_value(result));
    let codes = missing.map(|result| match result.verdict {
        Verdict::NoViolationFound => Verdict::NoViolationFound.exit_code(),
        _ => Verdict::Exhausted.exit_code(),
    });
    codes.max().unwrap_or(0)
}

/// Everything that one call of the command needs.
struct Run<'a> {
    loaded: &'a Loaded,
    started: Instant,
    run_options: RunOptions,
    /// Where trails go, if anywhere.
    trail: Option<PathBuf>,
    /// Print JSON.
    json: bool,
    /// The seed, if anything is drawn at random.
    seed: Option<u64>,
    /// How many runs there are, if several.
    runs: Option<Runs>,
    options: CheckOptions,
    liveness: LivenessOptions,
}

/// The result for a property with its counterexamples.
type Answer = (PropertyResult, Vec<Trail>);

impl Run<'_> {
    /// Checks what was selected and reports it.
    fn all(&self, selection: &Selection) -> Result<Report, u8> {
        let mut bar = SearchBar::new(self.options.budget.time, self.options.budget.memory);
        let mut answers = Vec::new();
        // The time is for all properties together; each gets the same share of what is left.
        let mut shares = selection.questions.len() as u32 + u32::from(selection.safety);
        let mut share = || {
            let time = self.options.budget.time?;
            let left = time.saturating_sub(self.started.elapsed());
            shares = shares.saturating_sub(1);
            Some(left / (shares + 1))
        };
        if selection.safety {
            match self.safety(share(), &mut bar) {
                Ok(answer) => answers.push(answer),
                Err(code) => return Err(code),
            }
        }
        for question in &selection.questions {
            bar.title = format!("{}: ", question.title());
            match self.property(question, share(), &mut bar) {
                Ok(answer) => answers.push(answer),
                Err(code) => return Err(code),
            }
        }
        bar.clear();
        Ok(self.report(answers, &selection.unchecked))
    }

    /// Makes one search, or all runs.
    fn search(
        &self,
        time: Option<Duration>,
        mut search: impl FnMut(Option<u64>, Budget) -> Result<Answer, u8>,
    ) -> Result<Answer, u8> {
        let mut budget = self.options.budget.clone();
        budget.time = time;
        match &self.runs {
            None => search(None, budget),
            Some(runs) => repeat(runs, &budget, |seed, budget| search(Some(seed), budget)),
        }
    }

    fn safety(&self, time: Option<Duration>, bar: &mut SearchBar) -> Result<Answer, u8> {
        bar.time = time;
        self.search(time, |seed, budget| self.safety_once(seed, budget, bar))
    }

    fn safety_once(
        &self,
        seed: Option<u64>,
        budget: Budget,
        bar: &mut SearchBar,
    ) -> Result<Answer, u8> {
        let mut options = self.options.clone();
        options.budget = budget;
        if let Some(seed) = seed {
            options.seed = options.seed.map(|_| seed);
            options.engine.store = seeded(options.engine.store, seed);
        }
        let result = check(self.loaded, &options, &mut |p: &Progress| bar.show(p));
        let checked = result.map_err(|error| {
            bar.clear();
            complain("safety", &error)
        })?;
        let trails = checked
            .result
            .violations
            .iter()
            .zip(&checked.trails)
            .zip(&checked.faults)
            .take(MAX_TRAILS)
            .map(|((violation, replayed), fault)| {
                trail(
                    self.loaded.reference(),
                    self.run_options.clone(),
                    &checked.result.property,
                    violation,
                    *fault,
                    replayed,
                )
            })
            .collect();
        Ok((checked.result, trails))
    }

    fn property(
        &self,
        question: &Question,
        time: Option<Duration>,
        bar: &mut SearchBar,
    ) -> Result<Answer, u8> {
        bar.time = time;
        self.search(time, |seed, budget| {
            self.property_once(question, seed, budget, bar)
        })
    }

    fn property_once(
        &self,
        question: &Question,
        seed: Option<u64>,
        budget: Budget,
        bar: &mut SearchBar,
    ) -> Result<Answer, u8> {
        let mut options = self.liveness.clone();
        options.budget = budget;
        if let Some(seed) = seed {
            options.seed = options.seed.map(|_| seed);
            options.engine.store = seeded(options.engine.store, seed);
        }
        let show = &mut |p: &Progress| bar.show(p);
        let checked = check_property(self.loaded, question, &options, show).map_err(|error| {
            bar.clear();
            complain(&question.title(), &error)
        })?;
        let result = checked.result;
        let trails = checked
            .counterexamples
            .iter()
            .zip(&result.violations)
            .map(|(found, violation)| {
                property_trail(
                    self.loaded.reference(),
                    self.run_options.clone(),
                    question,
                    self.liveness.fairness,
                    violation,
                    found,
                )
            })
            .collect();
        Ok((result, trails))
    }

    fn report(&self, mut answers: Vec<Answer>, unchecked: &[String]) -> Report {
        let mut first = true;
        for (result, trails) in &mut answers {
            // The verdict is worth more than the file.
            if let Err(message) = self.write_trails(result, trails, first) {
                super::fail(&message);
            }
            first &= trails.is_empty();
        }
        let (results, trails): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
        let report = report(
            self.loaded,
            self.run_options.clone(),
            self.seed,
            results,
            unchecked.to_vec(),
        );
        if self.json {
            let json = serde_json::to_string_pretty(&report).unwrap_or_default();
            super::print(&format!("{json}\n"));
            return report;
        }
        super::print(&text::summary(&report, super::style()));
        if let Some(first) = trails.iter().flatten().next() {
            let table = text::trail_table(first, super::style(), true);
            super::print(&format!("\n{table}"));
        }
        let files = report.results.iter().filter_map(|r| r.trail.as_ref());
        for (index, file) in files.enumerate() {
            super::print(&match index {
                0 => format!("\n  written to {file}; see also: lariat replay {file}\n"),
                _ => format!("  another counterexample: lariat replay {file}\n"),
            });
        }
        report
    }

    /// Writes the trails of a property. If another property has got the file that the user chose,
    /// its name is put into the names of these.
    fn write_trails(
        &self,
        result: &mut PropertyResult,
        trails: &[Trail],
        first: bool,
    ) -> Result<(), String> {
        let Some(base) = &self.trail else {
            return Ok(());
        };
        let base = if first {
            base.clone()
        } else {
            with_part(base, &file_part(&result.property))
        };
        for (index, trail) in trails.iter().enumerate() {
            let path = match index {
                0 => base.clone(),
                n => with_part(&base, &(n + 1).to_string()),
            };
            let json = serde_json::to_string_pretty(trail).unwrap_or_default();
            write_whole(&path, &json)
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
            let name = path.display().to_string();
            if index == 0 {
                result.trail = Some(name.clone());
            }
            result.violations[index].trail = Some(name);
        }
        Ok(())
    }
}

/// Says why a property could not be checked.
pub fn complain(property: &str, error: &CheckError) -> u8 {
    const DEFECT: &str = "this is a defect of Lariat, please report it";
    super::fail(&match error {
        CheckError::Replay(error) => format!(
            "an error was found but could not be replayed ({}); {DEFECT}",
            error.0
        ),
        CheckError::Executors(difference) => {
            format!("machine code and interpreter differ; {DEFECT}\n{difference}")
        }
        CheckError::TooLarge(why) => format!("{property}: {why}"),
    })
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
        order: match args::one::<String>(matches, "search").map(String::as_str) {
            Some("dfs") => SearchOrder::Depth,
            _ if forgets(matches) => SearchOrder::Depth,
            _ => SearchOrder::Breadth,
        },
        checks: Checks {
            end_states: !matches.get_flag("no-deadlock"),
            assertions: !matches.get_flag("no-assert"),
            invariants,
        },
        all_errors: args::flag(matches, "all-errors"),
        walks: None,
        seed: is_order_random(matches).then_some(seed(matches)),
        engine: engine(matches, loaded)?,
        budget: Budget {
            memory: matches.get_one("memory").copied().or_else(default_memory),
            time: matches.get_one("time").copied(),
            states: args::one(matches, "max-states").copied(),
            stop: Arc::default(),
        },
    })
}

fn liveness_options(matches: &ArgMatches, options: &CheckOptions) -> LivenessOptions {
    LivenessOptions {
        method: match args::one::<String>(matches, "search").map(String::as_str) {
            Some("ndfs") => Method::Nested,
            Some("scc") => Method::Components,
            Some("rest") => Method::ReSt,
            _ => Method::Auto,
        },
        fairness: matches
            .get_one::<String>("fair")
            .and_then(|word| Fairness::from_word(word))
            .unwrap_or_default(),
        shortest: matches.get_flag("shortest"),
        seed: options.seed,
        walks: options.walks,
        engine: options.engine.clone(),
        budget: options.budget.clone(),
    }
}

fn engine(matches: &ArgMatches, loaded: &Loaded) -> Result<Engine, u8> {
    let word = |id: &str| args::word(matches, id);
    let mut exec = Exec::from_word(word("exec")).unwrap_or_default();
    if loaded.model().synchronous && exec != Exec::Interpreter {
        if exec == Exec::Both {
            return Err(super::fail(
                "--exec both: all processes of a synchronous system move together, which only the interpreter can do",
            ));
        }
        exec = Exec::Interpreter;
    }
    Ok(Engine {
        exec,
        store: seeded(store(matches), seed(matches)),
        workers: match word("search") == "dfs" || forgets(matches) {
            true => 1,
            false => workers(matches),
        },
        alone: Engine::default().alone,
        merge: !matches.get_flag("no-merge"),
        dead: !matches.get_flag("no-dead"),
    })
}

/// The threads that work together: one for each core, unless the user says otherwise.
pub fn workers(matches: &ArgMatches) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let given = args::one::<u16>(matches, "workers");
    given.map_or_else(cores, |&workers| usize::from(workers))
}

/// The seed of everything that is drawn at random.
pub fn seed(matches: &ArgMatches) -> u64 {
    matches.get_one("seed").copied().unwrap_or(1)
}

fn store(matches: &ArgMatches) -> StoreKind {
    args::one(matches, "store").copied().unwrap_or_default()
}

/// A store that draws from this seed, if it draws at all.
fn seeded(store: StoreKind, seed: u64) -> StoreKind {
    match store {
        StoreKind::Sample(sampling) => StoreKind::Sample(Sampling { seed, ..sampling }),
        other => other,
    }
}

/// Whether some states are forgotten.
fn forgets(matches: &ArgMatches) -> bool {
    matches!(store(matches), StoreKind::Sample(_))
}

/// Whether successors come in a random order. A seed that nothing else needs is for that.
fn is_order_random(matches: &ArgMatches) -> bool {
    match args::word(matches, "order") {
        "" => {
            let is_free = !forgets(matches) && !walk_args::are_wanted(matches);
            args::is_given(matches, "restarts") || args::is_given(matches, "seed") && is_free
        }
        order => order == "random",
    }
}

/// How many runs there are, if several.
fn runs(matches: &ArgMatches) -> Result<Option<Runs>, u8> {
    let restarts = args::one::<Restarts>(matches, "restarts").copied();
    let count = match (args::one::<u64>(matches, "runs").copied(), restarts) {
        (None, None) => return Ok(None),
        (Some(count), _) => count,
        (None, Some(_)) => DEFAULT_RESTARTS,
    };
    if !is_order_random(matches) && (restarts.is_some() || !forgets(matches)) {
        return Err(super::fail(
            "several runs in the same order would all be the same; add --order random",
        ));
    }
    Ok(Some(Runs {
        count,
        seed: seed(matches),
        restarts,
    }))
}

fn run_options(
    common: &Common,
    matches: &ArgMatches,
    options: &CheckOptions,
    liveness: &LivenessOptions,
) -> RunOptions {
    RunOptions {
        search: match walk_args::are_wanted(matches) {
            true => "monte-carlo".into(),
            false => args::word(matches, "search").into(),
        },
        deadlock: options.checks.end_states,
        assertions: options.checks.assertions,
        invariants: options
            .checks
            .invariants
            .iter()
            .map(|i| i.text.clone())
            .collect(),
        fairness: liveness.fairness.word().into(),
        shortest: liveness.shortest,
        all_errors: options.all_errors,
        workers: options.engine.workers as u64,
        store: options.engine.store.to_string(),
        exec: options.engine.exec.word().into(),
        merge: options.engine.merge,
        dead: options.engine.dead,
        memory_limit: options.budget.memory,
        time_limit: options.budget.time.map(|t| t.as_secs_f64()),
        state_limit: options.budget.states,
        ..args::run_options(&common.load)
    }
}

fn trail_base(matches: &ArgMatches, model: &Path) -> Option<PathBuf> {
    if matches.get_flag("no-trail") {
        return None;
    }
    let given = matches.get_one::<PathBuf>("trail").cloned();
    given.or_else(|| Some(default_trail(model)))
}

/// `m.trail.json` in the current folder for a model `m.pml`.
fn default_trail(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or(model.as_os_str());
    let mut name = stem.to_owned();
    name.push(".trail.json");
    PathBuf::from(name)
}

/// `m.2.trail.json` for `m.trail.json` and `2`.
fn with_part(base: &Path, part: &str) -> PathBuf {
    let name = base
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let (stem, rest) = match name.strip_suffix(".trail.json") {
        Some(stem) => (stem, "trail.json"),
        None => name.split_once('.').unwrap_or((&name, "json")),
    };
    base.with_file_name(format!("{stem}.{part}.{rest}"))
}

/// The title of a property as a part of a file name.
fn file_part(title: &str) -> String {
    let name = title.strip_prefix("ltl ").unwrap_or(title);
    let harmless = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    let part: String = name.chars().take(40).map(harmless).collect();
    part.trim_matches('-').to_string()
}

/// The first Ctrl-C ends the search, the second the program.
pub fn stop_on_interrupt(stop: Arc<AtomicBool>) {
    // Without a handler Ctrl-C just ends the program; nothing is lost by that.
    let _ = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}
