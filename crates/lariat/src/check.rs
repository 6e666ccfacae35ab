//! Checking a model: the search, the replay of what it finds, and the report.

pub(crate) mod by_walks;

use std::path::Path as FilePath;
use std::time::Instant;

use lariat_graph::StateSpace;
use lariat_ir::describe::process_name;
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::Patience;
use lariat_ir::model::Model;
use lariat_ir::property::Invariant;
use lariat_ir::space::{Checks, ModelSpace};
use lariat_ltl::automaton::TooLarge;
use lariat_report::outcome::{
    Guarantee, ModelRef, PropertyResult, Report, RunOptions, StatementRef, StoppedBy,
    StoringResult, Tool, Verdict, Violation,
};
use lariat_report::trail::{FORMAT, Trail, TrailViolation};
use lariat_search::{
    Budget, FaultPolicy, FoundFault, Observer, Options, SearchOutcome, Statistics, Stop, StoreKind,
    breadth_first, depth_first,
};

use crate::engine::{self, Engine, Executor, Job};
use crate::load::Loaded;
use crate::reduction::seen_by_checks;
use crate::replay::{self, ReplayError, Replayed};
use crate::shuffle::Shuffled;
use crate::walks::Walks;

/// The order in which states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// Level by level: counterexamples are shortest.
    #[default]
    Breadth,
    /// Deep first.
    Depth,
}

/// What is checked, and how.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The order of the search.
    pub order: SearchOrder,
    /// What counts as an error.
    pub checks: Checks,
    /// Go on after the first error.
    pub all_errors: bool,
    /// Look at successors in an order that is drawn from this seed.
    pub seed: Option<u64>,
    /// Make random walks in place of a search.
    pub walks: Option<Walks>,
    /// What drives the search.
    pub engine: Engine,
    /// What the search may spend.
    pub budget: Budget,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            order: SearchOrder::Breadth,
            checks: Checks::default(),
            all_errors: false,
            seed: None,
            walks: None,
            engine: Engine::default(),
            budget: Budget::default(),
        }
    }
}

/// The result of a check, before any file is written.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The result.
    pub result: PropertyResult,
    /// The trails, one per violation of the result, in the same order.
    pub trails: Vec<Replayed>,
    /// The faults behind the violations, in the same order.
    pub faults: Vec<Fault>,
}

/// Why something could not be checked.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// What was found could not be replayed: a defect of Lariat.
    Replay(ReplayError),
    /// Machine code and interpreter do not agree: a defect of Lariat.
    Executors(String),
    /// The property has no automaton of a reasonable size.
    TooLarge(TooLarge),
}

impl From<ReplayError> for CheckError {
    fn from(error: ReplayError) -> Self {
        CheckError::Replay(error)
    }
}

/// Searches the state space for errors. What is found is replayed before it is reported; should a
/// replay fail, that is a defect of Lariat and the error says so.
pub fn check(
    loaded: &Loaded,
    options: &CheckOptions,
    observer: &mut impl Observer,
) -> Result<Checked, CheckError> {
    let checks = all_checks(loaded.model(), &options.checks);
    let visible = seen_by_checks(&checks, options.all_errors);
    let model = &*options.engine.reduced(loaded.model(), &visible);
    if let Some(walks) = &options.walks {
        return by_walks::check(loaded, model, checks, options, walks, observer);
    }
    let search = SafetySearch { options, observer };
    let (outcome, reached) =
        engine::with_executor(options.engine.exec, model, checks.clone(), search)?;
    let unreached = if outcome.stop == Stop::Complete {
        unreached(model, &reached)
    } else {
        Vec::new()
    };
    // The budget was for the search. What it has found is replayed whatever the clock says.
    let mut space = ModelSpace::new(model, checks.clone());
    space.limit_memory(usize::MAX);
    let mut violations = Vec::new();
    let mut trails = Vec::new();
    let mut faults = Vec::new();
    for found in &outcome.faults {
        let fault = Fault::from_code(found.code);
        let steps = replay::steps_of_path(&mut space, &found.path)?;
        // What people see are the values of the model itself, not of the reduced one.
        let trail = replay::replay(loaded.model(), &steps, fault, &checks.invariants)?;
        violations.push(violation(&space, found, fault, &trail));
        trails.push(trail);
        faults.push(fault);
    }
    Ok(Checked {
        result: result(&outcome, options, violations, unreached),
        trails,
        faults,
    })
}

/// What is looked out for: the assertions of the model about its states come before the invariants of
/// the user.
pub fn all_checks(model: &Model, checks: &Checks) -> Checks {
    let mut checks = checks.clone();
    if checks.assertions {
        let own = model.invariants.iter().cloned();
        checks.invariants = own.chain(checks.invariants).collect();
    }
    checks
}

/// The search for errors, for any executor. It also tells which locations were reached.
struct SafetySearch<'a, O> {
    options: &'a CheckOptions,
    observer: &'a mut O,
}

impl<'m, O: Observer> Job<'m> for SafetySearch<'_, O> {
    type Output = Result<(SearchOutcome, Vec<Vec<bool>>), CheckError>;

    fn run<E: Executor + 'm>(self, mut executor: E) -> Self::Output {
        let SafetySearch { options, observer } = self;
        executor.stop_on(patience(&options.budget));
        engine::limit_expansions(&mut executor, &options.budget);
        let workers = match options.order {
            SearchOrder::Breadth => options.engine.workers.max(1),
            SearchOrder::Depth => 1,
        };
        let mut spaces = vec![executor; workers];
        let outcome = match options.seed {
            Some(seed) => {
                let shuffle = |space| Shuffled::new(space, seed);
                let mut shuffled: Vec<_> = spaces.into_iter().map(shuffle).collect();
                let outcome = search(&mut shuffled, options, observer);
                spaces = shuffled.into_iter().map(Shuffled::into_inner).collect();
                outcome
            }
            None => search(&mut spaces, options, observer),
        };
        match spaces.iter().find_map(E::difference) {
            Some(difference) => Err(CheckError::Executors(difference)),
            None => Ok((
                outcome,
                engine::reached_by_any(spaces.iter().map(E::reached)),
            )),
        }
    }
}

/// How long the making of a state may take.
pub(crate) fn patience(budget: &Budget) -> Patience {
    Patience {
        stop: budget.stop.clone(),
        deadline: budget.time.and_then(|t| Instant::now().checked_add(t)),
    }
}

fn search<S: StateSpace + Send>(
    spaces: &mut [S],
    options: &CheckOptions,
    observer: &mut impl Observer,
) -> SearchOutcome {
    let search_options = Options {
        budget: options.budget.clone(),
        faults: if options.all_errors {
            FaultPolicy::Collect
        } else {
            FaultPolicy::StopAtFirst
        },
        store: options.engine.store,
    };
    match options.order {
        SearchOrder::Breadth => breadth_first(spaces, &search_options, observer),
        SearchOrder::Depth => depth_first(&mut spaces[0], &search_options, observer),
    }
}

fn violation(space: &ModelSpace, found: &FoundFault, fault: Fault, trail: &Replayed) -> Violation {
    let invariants = &space.checks().invariants;
    let statement = replay::fault_statement(space.interpreter(), fault);
    Violation {
        kind: match is_assertion(fault, invariants) {
            true => FaultKind::Assertion.slug().into(),
            false => fault.kind.slug().into(),
        },
        message: message(fault, statement.as_ref(), invariants),
        statement,
        occurrences: found.occurrences,
        steps: trail.steps.len() as u64,
        trail: None,
    }
}

/// Whether an invariant that does not hold is one that stands in the model.
fn is_assertion(fault: Fault, invariants: &[Invariant]) -> bool {
    let invariant = invariants.get(fault.origin as usize);
    fault.kind == FaultKind::Invariant && invariant.is_some_and(|i| i.span.is_some())
}

/// What went wrong, in words.
pub fn message(fault: Fault, statement: Option<&StatementRef>, invariants: &[Invariant]) -> String {
    let words = match is_assertion(fault, invariants) {
        true => FaultKind::Assertion.words(),
        false => fault.kind.words(),
    };
    match (fault.kind, statement) {
        (FaultKind::Invariant, _) => match invariants.get(fault.origin as usize) {
            Some(invariant) => format!("{words}: {}", invariant.text),
            None => words.into(),
        },
        (_, Some(statement)) => format!("{words}: {}", statement.text),
        (_, None) => words.into(),
    }
}

fn result(
    outcome: &SearchOutcome,
    options: &CheckOptions,
    violations: Vec<Violation>,
    unreached: Vec<StatementRef>,
) -> PropertyResult {
    let complete = outcome.stop == Stop::Complete;
    let breadth = options.order == SearchOrder::Breadth;
    let (verdict, guarantee) = match (violations.is_empty(), stopped_by(outcome.stop)) {
        (false, _) => (
            Verdict::Violated,
            Guarantee::ReplayedCounterexample {
                shortest: breadth,
                complete,
            },
        ),
        (true, None) => (Verdict::Holds, Guarantee::Proof),
        (true, Some(stopped_by)) => (
            Verdict::Exhausted,
            Guarantee::PartialCoverage {
                stopped_by,
                // The last level may be incomplete and the one before it not fully expanded; the
                // first level is no step away from the start.
                complete_depth: outcome
                    .statistics
                    .max_depth
                    .checked_sub(3)
                    .filter(|_| breadth),
            },
        ),
    };
    PropertyResult {
        search: if breadth { "bfs" } else { "dfs" }.into(),
        verdict,
        guarantee,
        errors: violations.iter().map(|v| v.occurrences).sum(),
        violations,
        unreached,
        storing: storing(options.engine.store, &outcome.statistics),
        ..measured(&outcome.statistics)
    }
}

/// What ended a search, if it was cut short.
pub(crate) fn stopped_by(stop: Stop) -> Option<StoppedBy> {
    match stop {
        Stop::Complete | Stop::Fault => None,
        Stop::Memory => Some(StoppedBy::Memory),
        Stop::Time => Some(StoppedBy::Time),
        Stop::States => Some(StoppedBy::States),
        Stop::Thrashing => Some(StoppedBy::Thrashing),
        Stop::Interrupted => Some(StoppedBy::Interrupt),
    }
}

/// A result with nothing but what was measured.
pub(crate) fn measured(statistics: &Statistics) -> PropertyResult {
    let seconds = statistics.elapsed.as_secs_f64();
    let per = |amount: f64, by: f64| if by > 0.0 { amount / by } else { 0.0 };
    PropertyResult {
        property: "safety".into(),
        kind: "safety".into(),
        search: String::new(),
        fairness: "none".into(),
        automaton: None,
        verdict: Verdict::Exhausted,
        guarantee: Guarantee::Proof,
        errors: 0,
        violations: Vec::new(),
        states_stored: statistics.states_stored,
        states_matched: statistics.states_matched,
        transitions: statistics.transitions(),
        atomic_steps: statistics.internal_steps,
        max_depth: statistics.max_depth,
        memory_bytes: statistics.memory_bytes,
        bytes_per_state: per(
            statistics.memory_bytes as f64,
            statistics
                .storing
                .map_or(statistics.states_stored, |storing| storing.peak_states) as f64,
        ),
        elapsed_seconds: seconds,
        states_per_second: per(statistics.states_stored as f64, seconds),
        storing: None,
        sampling: None,
        runs: None,
        unreached: Vec::new(),
        trail: None,
    }
}

/// What a search that forgets states has to tell.
pub(crate) fn storing(store: StoreKind, statistics: &Statistics) -> Option<StoringResult> {
    let (StoreKind::Sample(sampling), Some(storing)) = (store, statistics.storing) else {
        return None;
    };
    Some(StoringResult {
        rule: sampling.rule.to_string(),
        seed: sampling.seed,
        states_at_end: storing.states_at_end,
        peak_states: storing.peak_states,
        distinct_states: storing.distinct as u64,
        distinct_is_exact: storing.exact,
        saving: storing.saving(),
        overhead: storing.overhead(),
        visitation_factor: storing.visitation,
        visits: storing.expansions,
        nested_transitions: storing.nested_transitions,
        deletions: storing.deletions,
        evictions: storing.evictions,
        visits_histogram: storing.visits.to_vec(),
        feasible_states: storing
            .forecast
            .map(|forecast| forecast.feasible)
            .filter(|feasible| feasible.is_finite()),
        visits_per_new_state: storing.forecast.map(|forecast| forecast.work),
    })
}

/// The statements that control never reached.
fn unreached(model: &Model, reached: &[Vec<bool>]) -> Vec<StatementRef> {
    let mut statements = Vec::new();
    for (process, reached) in model.processes.iter().zip(reached) {
        for (location, reached) in process.locations.iter().zip(reached) {
            if let (Some(statement), false) = (&location.statement, reached) {
                let place = model.sources.location(statement.span);
                statements.push(StatementRef {
                    process: process_name(&process.name).to_string(),
                    file: place.file.to_string(),
                    line: place.line,
                    text: statement.text.clone(),
                });
            }
        }
    }
    statements.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    statements
}

/// The trail of a violation as it is written to a file.
pub fn trail(
    model: ModelRef,
    options: RunOptions,
    property: &str,
    violation: &Violation,
    fault: Fault,
    replayed: &Replayed,
) -> Trail {
    Trail {
        format: FORMAT,
        tool: Tool::default(),
        model,
        options,
        property: property.into(),
        violation: TrailViolation {
            kind: violation.kind.clone(),
            message: violation.message.clone(),
            waiting: replayed.waiting.clone(),
            code: fault.code(),
        },
        steps: replayed.steps.clone(),
        loop_start: None,
        claim: None,
    }
}

/// The report of a run.
pub fn report(
    loaded: &Loaded,
    options: RunOptions,
    seed: Option<u64>,
    results: Vec<PropertyResult>,
    unchecked: Vec<String>,
) -> Report {
    Report {
        tool: Tool::default(),
        model: loaded.reference(),
        options,
        seed,
        results,
        unchecked,
    }
}

/// Writes a file so that nobody ever sees a part of it: under another name first.
pub fn write_whole(path: &FilePath, text: &str) -> std::io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".part");
    let partial = std::path::PathBuf::from(partial);
    std::fs::write(&partial, text)?;
    std::fs::rename(&partial, path)
}
