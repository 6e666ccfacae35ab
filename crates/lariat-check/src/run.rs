//! Executes a task: for each property a search, the replay of its result, and the outcome.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lariat_graph::Draw;
use lariat_graph::product::Product;
use lariat_ir::fault::Fault;
use lariat_ir::interpret::Cancel;
use lariat_ir::space::{FAIR_PROCESSES, Fairness};
use lariat_ir::well_formed::Malformed;
use lariat_ltl::automaton::{Limits, TooLarge};
use lariat_search::{
    Budget, Exactness, FaultPolicy, Observer, Options, Path, Progress, Recorded, SearchOutcome,
    Shuffled, Spill, Statistics, Stop, VisitOrder, record_within,
};

use crate::confirm::left;
use crate::follow::{Follow, Labels, Plain};
use crate::omission::OmissionClaim;
use crate::outcome::{
    AutomatonSize, CheckError, Coverage, Evidence, Method, Outcome, Proof, PropertyName, Ran,
    Verdict, Violation, Violations,
};
use crate::plan::{Choice, Plan};
use crate::refusal::Refusal;
use crate::repeat::repeat;
use crate::replay_budget::{ReplayBudget, replay_time};
use crate::run_property::{PropertyAutomaton, RunProperty, Source};
use crate::system::{Executor, Job, ReplayError, System, Target, View, ViewRequest};
use crate::task::{Property, Task};

/// See [`Wishes::alone`](crate::task::Wishes::alone).
const ALONE: u64 = 10_000;
/// The part of the memory that a single expansion may take.
const EXPANSION_SHARE: u64 = 8;
/// If there are more processes than fairness has marks for, there will be marks for so many times as many.
const MORE_PROCESSES: usize = 4;
/// The bytes of a decision in the labels of an automaton, approximately.
const BYTES_PER_DECISION: usize = 64;
/// The least limit of decisions: automata of ordinary formulas are far below it.
const LEAST_DECISIONS: usize = 10_000;

/// Receives the progress of a task.
pub trait TaskObserver {
    /// Reports the progress of the check of a property, and its time limit.
    fn progress(&mut self, property: &str, time: Option<Duration>, progress: &Progress);

    /// Reports an outcome, while other properties are still being checked.
    fn outcome(&mut self, outcome: &Outcome) {
        let _ = outcome;
    }
}

impl TaskObserver for () {
    fn progress(&mut self, _: &str, _: Option<Duration>, _: &Progress) {}
}

/// Why a task failed.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The options contradict each other, or would have no effect.
    Refused(Refusal),
    /// The model cannot be executed.
    Malformed(Malformed),
    /// A property could not be checked.
    Failed {
        /// Its title.
        property: String,
        /// Why.
        error: CheckError,
    },
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Refused(refusal) => write!(f, "{refusal}"),
            Failure::Malformed(error) => write!(f, "{error}"),
            Failure::Failed { property, error } => write!(f, "{property}: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

/// Checks the properties of a task, one after the other. The time of the budget is for all of them together; each
/// gets the same share of the remaining time.
pub fn check<S: System>(
    task: &Task<'_, S>,
    observer: &mut dyn TaskObserver,
) -> Result<Vec<Outcome>, Failure> {
    let plan = Plan::new(task)?;
    let started = Instant::now();
    let mut outcomes = Vec::new();
    for (index, property) in task.properties.iter().enumerate() {
        let shares = (task.properties.len() - index) as u32;
        let mut budget = plan.budget.clone();
        budget.time = budget
            .time
            .map(|time| time.saturating_sub(started.elapsed()) / shares);
        let title = property.title();
        let time = budget.time;
        let case = Case {
            system: task.system,
            property,
            plan: &plan,
        };
        if budget.stop.load(Ordering::Relaxed) {
            outcomes.push(case.not_started());
            continue;
        }
        let outcome = repeat(plan.runs.as_ref(), &budget, |seed, budget| {
            let show = &mut |progress: &Progress| observer.progress(&title, time, progress);
            case.check(seed, &budget, show)
        });
        let outcome = outcome.map_err(|error| Failure::Failed {
            property: property.title(),
            error,
        })?;
        observer.outcome(&outcome);
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// The cancellation of long work by a budget that starts now.
pub(crate) fn cancel(budget: &Budget) -> Cancel {
    Cancel {
        stop: budget.stop.clone(),
        deadline: budget.time.and_then(|t| Instant::now().checked_add(t)),
    }
}

/// The limits of the translation of a formula.
pub(crate) fn limits(budget: &Budget) -> Limits {
    let Cancel { stop, deadline } = cancel(budget);
    let mut limits = Limits {
        stop,
        deadline,
        ..Limits::default()
    };
    if let Some(memory) = budget.memory {
        let affordable = (memory / EXPANSION_SHARE) as usize / BYTES_PER_DECISION;
        limits.decisions = limits.decisions.min(affordable.max(LEAST_DECISIONS));
    }
    limits
}

/// A property during its check.
struct Case<'a, S: System> {
    system: &'a S,
    property: &'a Property<S>,
    plan: &'a Plan,
}

/// The result of a search, before it is replayed.
pub(crate) struct Found {
    pub outcome: SearchOutcome,
    /// The walks to be replayed, if walks were made.
    pub recorded: Vec<Recorded>,
    /// What kept one of the walks from being made again.
    pub unrecorded: Option<Stop>,
    reached: Vec<Vec<bool>>,
    executor: &'static str,
    interpreted_locations: Option<u64>,
    lacks_marks: bool,
}

impl<S: System> Case<'_, S> {
    fn name(&self) -> PropertyName {
        PropertyName {
            title: self.property.title(),
            kind: match self.property {
                Property::Safety(_) => "safety",
                Property::Runs(property, _) => property.kind.word(),
            },
        }
    }

    /// The outcome of a property that was not started.
    fn not_started(&self) -> Outcome {
        without_search(
            self.name(),
            self.plan.fairness,
            gave_up(Stop::Interrupted),
            None,
        )
    }

    fn check(
        &self,
        seed: Option<u64>,
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> Result<Outcome, CheckError> {
        match self.property {
            Property::Safety(checks) => self.check_safety(checks, seed, budget, observer),
            Property::Runs(property, conditions) => {
                let runs = RunCase {
                    system: self.system,
                    property,
                    conditions,
                    plan: self.plan,
                };
                runs.check(seed, budget, observer)
            }
        }
    }

    fn check_safety(
        &self,
        checks: &S::Checks,
        seed: Option<u64>,
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> Result<Outcome, CheckError> {
        let choice = seeded(self.plan.for_safety(), seed);
        let all = self.plan.wishes().all_errors;
        let target = Target::Faults { checks, all };
        let view = self.system.view(&self.plan.view(target));
        let job = SearchJob {
            choice: &choice,
            automaton: None,
            order_seed: self.plan.order_seed.map(|order| seed.unwrap_or(order)),
            budget,
            all_errors: all,
            alone: ALONE,
            observer,
        };
        let found = view.with_executor(self.plan.wishes().exec, job)??;
        let mut reference = view.reference();
        // What was found is expanded again, with a budget of its own.
        reference.limit_memory(usize::MAX);
        let replays = &mut ReplayBudget::new(budget, left(budget, &found));
        let replayed = self.safety_violations(checks, &found, Plain(reference), replays)?;
        let unreached = match found.outcome.is_exhaustive() {
            true => self.system.unreached(&found.reached),
            false => Vec::new(),
        };
        let name = self.name();
        let shortest = choice.search.info().shortest_paths;
        Ok(Outcome {
            unreached,
            ..outcome(name, self.plan, &choice, found, replayed, shortest, None)
        })
    }

    /// Replays the faults that were found, one for each kind and place.
    fn safety_violations<G: Follow<Step = S::Step>>(
        &self,
        checks: &S::Checks,
        found: &Found,
        mut graph: G,
        replays: &mut ReplayBudget,
    ) -> Result<Replayed, CheckError> {
        let mut list: Vec<Violation> = Vec::new();
        for (fault, occurrences, path) in found.faults()? {
            if list.iter().any(|violation| violation.fault == Some(fault)) {
                continue;
            }
            let mut replay = |path: &Labels| {
                let steps = graph.follow(path, 0, replays)?.0;
                let trace = self
                    .system
                    .replay_fault(&steps, fault, Some(checks), replays);
                replays.discard(steps);
                Ok::<_, CheckError>(trace?)
            };
            let trace = match replay(&path) {
                Err(CheckError::Unreplayed(stop)) => {
                    let cut = Some(stop);
                    return Ok(Replayed { list, cut });
                }
                trace => trace?,
            };
            let text = self.system.fault_text(fault, Some(checks));
            list.push(Violation::replayed(trace, text, Some(fault), occurrences));
        }
        let cut = found.unrecorded;
        Ok(Replayed { list, cut })
    }
}

/// What was replayed, and what ended the replays before everything was.
pub(crate) struct Replayed {
    pub list: Vec<Violation>,
    pub cut: Option<Stop>,
}

impl Found {
    /// The faults that were found, how often, and the ways to them.
    fn faults(&self) -> Result<Vec<(Fault, u64, Labels<'_>)>, ReplayError> {
        let mut list = Vec::new();
        for fault in &self.outcome.faults {
            let Path { initial, labels } = &fault.path;
            let path = Labels {
                initial: *initial,
                labels,
                walk: None,
            };
            list.push((Fault::from_code(fault.code), fault.occurrences, path));
        }
        for walk in &self.recorded {
            let lariat_search::Ending::Fault(code) = walk.walk.ending else {
                return Err(ReplayError("a walk does not find its error again".into()));
            };
            let path = Labels {
                initial: walk.initial,
                labels: &walk.labels,
                walk: Some(walk),
            };
            let counts = self.outcome.walks.iter().flat_map(|walks| &walks.faults);
            let times = counts.filter(|(other, _)| *other == code).map(|(_, n)| *n);
            list.push((Fault::from_code(code), times.sum(), path));
        }
        Ok(list)
    }
}

/// A choice with another seed for random decisions, if there is one.
fn seeded(mut choice: Choice, seed: Option<u64>) -> Choice {
    if let Some(seed) = seed {
        choice.store = choice.store.seeded(seed);
    }
    choice
}

/// A property of runs during its check.
pub(crate) struct RunCase<'a, S: System> {
    pub system: &'a S,
    pub property: &'a RunProperty,
    pub conditions: &'a [S::Condition],
    pub plan: &'a Plan,
}

impl<S: System> RunCase<'_, S> {
    fn name(&self) -> PropertyName {
        PropertyName {
            title: self.property.title(),
            kind: self.property.kind.word(),
        }
    }

    fn check(
        &self,
        seed: Option<u64>,
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> Result<Outcome, CheckError> {
        let started = Instant::now();
        let (choice, automaton) = match self.plan.for_runs(self.property, &limits(budget)) {
            Ok((choice, automaton)) => (seeded(choice, seed), automaton),
            Err(TooLarge::Time) => return Ok(self.without_search(gave_up(Stop::Time), None)),
            Err(TooLarge::Stopped) => {
                return Ok(self.without_search(gave_up(Stop::Interrupted), None));
            }
            Err(error) => return Err(CheckError::TooLarge(error)),
        };
        let size = automaton.size();
        // The number of states that a given automaton visits is a fact that other tools count, too.
        let is_formula = matches!(self.property.source, Source::Formula { .. });
        if let (Some(proof), true) = (Proof::by_automaton(&size), is_formula) {
            return Ok(self.without_search(Verdict::Holds(proof), Some(size)));
        }
        // The translation has used some of the time.
        let mut budget = budget.clone();
        budget.time = budget
            .time
            .map(|time| time.saturating_sub(started.elapsed()));
        let mut fair_processes = FAIR_PROCESSES;
        let mut spent = Duration::ZERO;
        let (found, (list, shortest)) = loop {
            let target = Target::Runs {
                property: self.property,
                conditions: self.conditions,
                fairness: self.plan.fairness,
                fair_processes,
            };
            let view = self.system.view(&self.plan.view(target));
            let job = SearchJob {
                choice: &choice,
                automaton: Some(&automaton),
                order_seed: self.plan.order_seed.map(|order| seed.unwrap_or(order)),
                budget: &budget,
                all_errors: false,
                alone: self.plan.wishes().alone.unwrap_or(ALONE),
                observer: &mut *observer,
            };
            let mut found = view.with_executor(self.plan.wishes().exec, job)??;
            if found.lacks_marks {
                // There are more processes than fairness has marks for: the search begins again with more.
                let elapsed = found.outcome.statistics.elapsed;
                spent += elapsed;
                budget.time = budget.time.map(|time| time.saturating_sub(elapsed));
                fair_processes *= MORE_PROCESSES;
                continue;
            }
            let mut reference = view.reference();
            reference.limit_memory(usize::MAX);
            let confirmed =
                self.confirm(reference, &choice, &automaton, &found, &budget, observer)?;
            found.outcome.statistics.elapsed += spent;
            break (found, confirmed);
        };
        Ok(outcome(
            self.name(),
            self.plan,
            &choice,
            found,
            list,
            shortest,
            Some(size),
        ))
    }

    fn without_search(&self, verdict: Verdict, automaton: Option<AutomatonSize>) -> Outcome {
        without_search(self.name(), self.plan.fairness, verdict, automaton)
    }
}

/// An outcome without a search.
fn without_search(
    property: PropertyName,
    fairness: Fairness,
    verdict: Verdict,
    automaton: Option<AutomatonSize>,
) -> Outcome {
    Outcome {
        property,
        verdict,
        ran: Ran {
            method: Method::None,
            workers: 0,
            executor: None,
            interpreted_locations: None,
            seed: None,
        },
        statistics: Statistics::default(),
        walks: None,
        automaton,
        fairness,
        runs: None,
        unreached: Vec::new(),
    }
}

fn gave_up(stopped_by: Stop) -> Verdict {
    Verdict::Exhausted(Coverage {
        stopped_by,
        complete_depth: None,
        unreplayed: false,
    })
}

impl Plan {
    /// The property for which a view is made.
    fn view<'a, S: System>(&self, target: Target<'a, S>) -> ViewRequest<'a, S> {
        ViewRequest {
            target,
            merge: !self.wishes().no_merge,
            dead: !self.wishes().no_dead,
        }
    }
}

/// Combines an outcome: the verdict follows from the replayed violations and from what ran.
fn outcome(
    property: PropertyName,
    plan: &Plan,
    choice: &Choice,
    found: Found,
    replayed: Replayed,
    shortest: bool,
    automaton: Option<AutomatonSize>,
) -> Outcome {
    let Found {
        outcome,
        executor,
        interpreted_locations,
        ..
    } = found;
    let Replayed { list, cut } = replayed;
    // A search that may omit states may omit a shorter counterexample, or another error.
    let is_exact = outcome.exactness == Exactness::Exact;
    let complete =
        is_exact && outcome.stop == Stop::Complete && outcome.walks.is_none() && cut.is_none();
    let errors = match &outcome.walks {
        Some(walks) => walks.sampled.tally.violations,
        None => list.iter().map(|violation| violation.occurrences).sum(),
    };
    let is_safety = automaton.is_none();
    let by_levels = choice.search.info().order == VisitOrder::BreadthFirst;
    let verdict = match Violations::new(list, shortest && is_exact, complete && is_safety, errors) {
        Some(violations) => Verdict::Violated(violations),
        None if cut.is_some() => Verdict::Exhausted(Coverage {
            stopped_by: cut.unwrap_or(Stop::Interrupted),
            complete_depth: None,
            unreplayed: true,
        }),
        None => match (automaton.as_ref().and_then(Proof::by_automaton), complete) {
            (Some(proof), true) => Verdict::Holds(proof),
            _ => verdict_without_violation(&outcome, choice, is_safety && by_levels && is_exact),
        },
    };
    Outcome {
        property,
        verdict,
        ran: Ran {
            method: Method::Search(
                choice.search,
                (!choice.search.info().stores.is_empty()).then_some(choice.store),
            ),
            workers: choice.workers,
            executor: Some(executor),
            interpreted_locations,
            seed: plan.seed(),
        },
        statistics: outcome.statistics,
        walks: outcome.walks,
        automaton,
        fairness: match is_safety {
            true => Fairness::None,
            false => plan.fairness,
        },
        runs: None,
        unreached: Vec::new(),
    }
}

fn verdict_without_violation(
    outcome: &SearchOutcome,
    choice: &Choice,
    level_by_level: bool,
) -> Verdict {
    if let Some(proof) = Proof::by_search(outcome) {
        return Verdict::Holds(proof);
    }
    if let Some(claim) = outcome.walks.as_ref().and_then(|walks| walks.claim) {
        return Verdict::NoViolationFound(Evidence::Walks(claim));
    }
    let seed = choice.store.seed().unwrap_or_default();
    if let Some(claim) = OmissionClaim::by_search(outcome, choice.search, seed) {
        return Verdict::NoViolationFound(Evidence::Search(claim));
    }
    let depth = outcome.statistics.max_depth;
    Verdict::Exhausted(Coverage {
        stopped_by: match (outcome.stop, &outcome.walks) {
            // No walk was completed.
            (Stop::Complete, Some(_)) => Stop::Interrupted,
            (stop, _) => stop,
        },
        // The last level may be incomplete and the one before it not fully expanded; the first level is zero steps
        // away from the start.
        complete_depth: depth.checked_sub(3).filter(|_| level_by_level),
        unreplayed: false,
    })
}

/// A search with any executor.
struct SearchJob<'a, O> {
    choice: &'a Choice,
    /// The automaton of the violations, if runs are searched for.
    automaton: Option<&'a PropertyAutomaton>,
    order_seed: Option<u64>,
    budget: &'a Budget,
    all_errors: bool,
    /// The number of states that one worker visits before the others are started.
    alone: u64,
    observer: &'a mut O,
}

impl<O: Observer> Job for SearchJob<'_, O> {
    type Output = Result<Found, CheckError>;

    fn run<E: Executor>(self, mut executor: E) -> Result<Found, CheckError> {
        executor.stop_on(cancel(self.budget));
        if let Some(memory) = self.budget.memory {
            executor.limit_memory((memory / EXPANSION_SHARE) as usize);
        }
        match self.automaton {
            None => self.search(executor, |executor| executor),
            Some(automaton) => self.search(product(executor, automaton), Product::system_mut),
        }
    }
}

/// The product of a system and the automaton of the violations.
pub(crate) fn product<E: Executor>(executor: E, automaton: &PropertyAutomaton) -> Product<E> {
    Product::new(
        executor,
        automaton.automaton.clone(),
        automaton.entry_faults.clone(),
        automaton.accept_labels,
    )
}

impl<O: Observer> SearchJob<'_, O> {
    fn search<G: Draw + Clone + Send, E: Executor>(
        mut self,
        graph: G,
        executor: impl Fn(&mut G) -> &mut E,
    ) -> Result<Found, CheckError> {
        let mut graphs = vec![Shuffled::new(graph, self.order_seed); self.choice.workers];
        let outcome = self.search_graphs(&mut graphs);
        if outcome.stop == Stop::DiskError {
            let failure = self.budget.spill.as_ref().and_then(Spill::failure);
            let why = failure.map_or_else(String::new, ToString::to_string);
            return Err(CheckError::Disk(why));
        }
        for graph in &mut graphs {
            if let Some(difference) = executor(graph.inner_mut()).difference() {
                return Err(CheckError::Executors(difference));
            }
        }
        let reached = graphs
            .iter_mut()
            .map(|graph| executor(graph.inner_mut()).reached().to_vec());
        let reached = reached_by_any(reached);
        let executor_name = executor(graphs[0].inner_mut()).name();
        // Workers share the machine code.
        let interpreted_locations = executor(graphs[0].inner_mut()).interpreted_locations();
        let lacks_marks = graphs
            .iter_mut()
            .any(|graph| executor(graph.inner_mut()).lacks_marks());
        let mut found = Found {
            outcome,
            recorded: Vec::new(),
            unrecorded: None,
            reached,
            executor: executor_name,
            interpreted_locations,
            lacks_marks,
        };
        self.record(&mut graphs[0], &mut found, executor);
        Ok(found)
    }

    /// Makes the walks again that have found something, as far as the budget allows.
    fn record<G: Draw + Clone, E: Executor>(
        &self,
        graph: &mut Shuffled<G>,
        found: &mut Found,
        executor: impl Fn(&mut G) -> &mut E,
    ) {
        let Some(walks) = &found.outcome.walks else {
            return;
        };
        let budget = replay_time(self.budget, left(self.budget, found));
        executor(graph.inner_mut()).stop_on(cancel(&budget));
        let (started, options) = (Instant::now(), &self.choice.walks.options);
        for &number in &walks.found {
            let mut budget = budget.clone();
            let left = |time: Duration| time.saturating_sub(started.elapsed());
            budget.time = budget.time.map(left);
            match record_within(graph, options, number, &budget) {
                Some(walk) => found.recorded.push(walk),
                None => {
                    let interrupted = budget.stop.load(Ordering::Relaxed);
                    found.unrecorded = Some(match interrupted {
                        true => Stop::Interrupted,
                        false => Stop::Time,
                    });
                    break;
                }
            }
        }
    }

    /// Searches; for infinite runs with one worker first and, if that takes long, with all of them.
    fn search_graphs<G: Draw + Send>(&mut self, graphs: &mut [G]) -> SearchOutcome {
        let search = self.choice.search;
        let mut options = self.options();
        let limit = options.budget.states;
        let is_search = self.automaton.is_some() && !search.info().stores.is_empty();
        if is_search
            && self.alone > 0
            && graphs.len() > 1
            && limit.is_none_or(|states| states > self.alone)
        {
            options.budget.states = Some(self.alone);
            let outcome = search.run(&mut graphs[..1], &options, self.observer);
            if outcome.stop != Stop::States {
                return outcome;
            }
            options.budget.states = limit;
            return self.search_again(graphs, options, outcome.statistics.elapsed);
        }
        search.run(graphs, &options, self.observer)
    }

    /// Searches with all workers, when a search by one of them has taken some of the time.
    fn search_again<G: Draw + Send>(
        &mut self,
        graphs: &mut [G],
        mut options: Options,
        spent: Duration,
    ) -> SearchOutcome {
        let time = &mut options.budget.time;
        *time = time.map(|time| time.saturating_sub(spent));
        let mut outcome = self.choice.search.run(graphs, &options, self.observer);
        outcome.statistics.elapsed += spent;
        outcome
    }

    fn options(&self) -> Options {
        Options {
            budget: self.budget.clone(),
            faults: match self.all_errors {
                true => FaultPolicy::Collect,
                false => FaultPolicy::StopAtFirst,
            },
            store: self.choice.store,
            weak: self.choice.weak,
            walks: self.choice.walks,
        }
    }
}

/// For each process type, the locations that one of these executors has reached.
fn reached_by_any(all: impl Iterator<Item = Vec<Vec<bool>>>) -> Vec<Vec<bool>> {
    all.reduce(|mut all, reached| {
        for (all, reached) in all.iter_mut().flatten().zip(reached.iter().flatten()) {
            *all |= reached;
        }
        all
    })
    .unwrap_or_default()
}
