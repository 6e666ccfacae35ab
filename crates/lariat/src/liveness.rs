//! Checking a property of runs: the choice of the search, the search, and the replay of what it
//! finds.
//!
//! The strength of the property automaton decides how hard the search is. If the automaton is
//! terminal, it is enough to reach a state from which everything is accepted, and a breadth-first
//! search finds the shortest way there. If it is weak, any cycle in an accepting part will do, and
//! one depth-first search suffices. Otherwise a nested depth-first search runs on the automaton with
//! one acceptance set, or a search of strongly connected components on the one with several, whichever
//! has fewer states. Fairness is a matter of acceptance sets, and so of components.

use std::time::{Duration, Instant};

use lariat_graph::product::{Product, SYSTEM_LABEL};
use lariat_graph::{AcceptingGraph, Expansion, StateSpace};
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::{Patience, Step};
use lariat_ir::model::Model;
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace, STUTTER};
use lariat_ltl::automaton::{Limits, Strength, TooLarge};
use lariat_report::outcome::{
    AutomatonRef, Guarantee, ModelRef, PropertyResult, RunOptions, StoppedBy, Tool, Verdict,
    Violation,
};
use lariat_report::trail::{FORMAT, Trail, TrailClaim, TrailViolation};
use lariat_search::{
    Budget, FaultPolicy, FoundFault, Lasso, LassoOutcome, Observer, Options, Statistics,
    breadth_first, nested_depth_first, scc_search, shorten, shortest_lasso,
};

use crate::check::{self, EXPANSION_SHARE, stopped_by};
use crate::lasso::{self, End, Suspect, Witness};
use crate::load::Loaded;
use crate::property::{Question, Watch};
use crate::replay::{self, ReplayError, Replayed};
use crate::shuffle::Shuffled;

/// What a decision in the labels of an automaton takes, about.
const BYTES_PER_DECISION: usize = 64;

/// How runs are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By the strength of the automaton.
    #[default]
    Auto,
    /// Nested depth-first search.
    Nested,
    /// Strongly connected components.
    Components,
}

/// How a property is checked.
#[derive(Clone, Debug, Default)]
pub struct LivenessOptions {
    /// The search.
    pub method: Method,
    /// Which runs count.
    pub fairness: Fairness,
    /// Look for a shortest counterexample.
    pub shortest: bool,
    /// Look at successors in an order that is drawn from this seed.
    pub seed: Option<u64>,
    /// What the search may spend.
    pub budget: Budget,
}

/// The result of checking a property.
#[derive(Clone, Debug)]
pub struct PropertyChecked {
    /// The result.
    pub result: PropertyResult,
    /// The counterexample, if there is one.
    pub counterexample: Option<Counterexample>,
}

/// A replayed counterexample to a property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The run.
    pub replayed: Replayed,
    /// Where its cycle starts.
    pub loop_start: Option<usize>,
    /// Which atoms of the property hold at the beginning.
    pub values: String,
    /// The fault at its end, if it is finite.
    pub fault: Option<Fault>,
}

/// Why a property could not be checked.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// What was found could not be replayed: a defect of Lariat.
    Replay(ReplayError),
    /// The property has no automaton of a reasonable size.
    TooLarge(TooLarge),
}

impl From<ReplayError> for CheckError {
    fn from(error: ReplayError) -> Self {
        CheckError::Replay(error)
    }
}

/// The search that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    Reachability,
    Nested { weak: bool },
    Components,
}

impl Plan {
    fn word(self) -> &'static str {
        match self {
            Plan::Reachability => "bfs",
            Plan::Nested { .. } => "ndfs",
            Plan::Components => "scc",
        }
    }
}

/// Searches for a run that violates a property.
pub fn check_property(
    loaded: &Loaded,
    question: &Question,
    options: &LivenessOptions,
    observer: &mut impl Observer,
) -> Result<PropertyChecked, CheckError> {
    let deadline = options
        .budget
        .time
        .and_then(|t| Instant::now().checked_add(t));
    let mut limits = Limits {
        stop: options.budget.stop.clone(),
        deadline,
        ..Limits::default()
    };
    if let Some(memory) = options.budget.memory {
        let affordable = (memory / EXPANSION_SHARE) as usize / BYTES_PER_DECISION;
        limits.decisions = limits.decisions.min(affordable);
    }
    let (plan, watch) = match plan(question, options, &limits) {
        Ok(plan) => plan,
        Err(TooLarge::Time) => return Ok(gave_up(question, options, StoppedBy::Time)),
        Err(TooLarge::Stopped) => return Ok(gave_up(question, options, StoppedBy::Interrupt)),
        Err(error) => return Err(CheckError::TooLarge(error)),
    };
    let mut product = product(loaded.model(), question, &watch, options.fairness);
    product.system_mut().stop_on(Patience {
        stop: options.budget.stop.clone(),
        deadline,
    });
    if let Some(memory) = options.budget.memory {
        product
            .system_mut()
            .limit_memory((memory / EXPANSION_SHARE) as usize);
    }
    let outcome = match options.seed {
        Some(seed) => search(
            &mut Shuffled::new(&mut product, seed),
            plan,
            options,
            observer,
        ),
        None => search(&mut product, plan, options, observer),
    };
    // The budget was for the search. What it has found is replayed whatever the clock says.
    product.system_mut().stop_on(Patience::default());
    product.system_mut().limit_memory(usize::MAX);
    let (found, shortest) = counterexample(
        &mut product,
        loaded.model(),
        question,
        &watch,
        options,
        plan,
        &outcome,
        observer,
    )?;
    Ok(PropertyChecked {
        result: result(
            question,
            options,
            plan,
            &watch,
            &outcome,
            found.as_ref(),
            shortest,
        ),
        counterexample: found,
    })
}

/// Chooses the search, and makes the automaton for it.
fn plan(
    question: &Question,
    options: &LivenessOptions,
    limits: &Limits,
) -> Result<(Plan, Watch), TooLarge> {
    if options.fairness != Fairness::None || options.method == Method::Components {
        let watch = question.watch(true, limits)?;
        // A finite run that settles the matter can always be continued in a fair way.
        let plan = match watch.automaton.strength() {
            Strength::Terminal
                if is_settled_by_signals(&watch) && options.method == Method::Auto =>
            {
                Plan::Reachability
            }
            _ => Plan::Components,
        };
        return Ok((plan, watch));
    }
    let watch = question.watch(false, limits)?;
    let strength = watch.automaton.strength();
    let weak = strength <= Strength::Weak && !watch.accept_labels;
    let nested = Plan::Nested { weak };
    if options.method == Method::Nested {
        return Ok((nested, watch));
    }
    match strength {
        Strength::Empty | Strength::Terminal if is_settled_by_signals(&watch) => {
            Ok((Plan::Reachability, watch))
        }
        Strength::Strong => {
            let general = question.watch(true, limits)?;
            if general.automaton.states.len() < watch.automaton.states.len() {
                Ok((Plan::Components, general))
            } else {
                Ok((nested, watch))
            }
        }
        _ => Ok((nested, watch)),
    }
}

/// Whether nothing but a signal can make a run accepted.
fn is_settled_by_signals(watch: &Watch) -> bool {
    let mut rest = watch.automaton.clone();
    for (edges, signal) in rest.states.iter_mut().zip(&watch.signals) {
        if signal.is_some() {
            edges.clear();
        }
    }
    !watch.accept_labels && rest.strength() == Strength::Empty
}

/// The product of the model and the automaton of what must not happen.
pub fn product<'m>(
    model: &'m Model,
    question: &Question,
    watch: &Watch,
    fairness: Fairness,
) -> Product<ModelSpace<'m>> {
    let checks = Checks {
        end_states: false,
        assertions: false,
        invariants: Vec::new(),
    };
    let mut space = ModelSpace::new(model, checks);
    let liveness = Liveness {
        stutter: watch.stutter,
        accept_labels: watch.accept_labels,
        fairness,
    };
    space.watch(liveness, question.atoms.clone());
    Product::new(
        space,
        watch.automaton.clone(),
        watch.signals.clone(),
        watch.accept_labels,
    )
}

fn search(
    graph: &mut impl AcceptingGraph,
    plan: Plan,
    options: &LivenessOptions,
    observer: &mut impl Observer,
) -> LassoOutcome {
    let options = search_options(&options.budget);
    match plan {
        Plan::Reachability => {
            let outcome = breadth_first(graph, &options, observer);
            LassoOutcome {
                stop: outcome.stop,
                statistics: outcome.statistics,
                faults: outcome.faults,
                lasso: None,
            }
        }
        Plan::Nested { weak } => nested_depth_first(graph, &options, weak, observer),
        Plan::Components => scc_search(graph, &options, observer),
    }
}

fn search_options(budget: &Budget) -> Options {
    Options {
        budget: budget.clone(),
        faults: FaultPolicy::StopAtFirst,
    }
}

/// Replays what was found. The second part of the answer tells whether nothing shorter exists.
#[allow(clippy::too_many_arguments)]
fn counterexample(
    product: &mut Product<ModelSpace>,
    model: &Model,
    question: &Question,
    watch: &Watch,
    options: &LivenessOptions,
    plan: Plan,
    outcome: &LassoOutcome,
    observer: &mut impl Observer,
) -> Result<(Option<Counterexample>, bool), CheckError> {
    if let Some(found) = outcome.faults.first() {
        let shortest = plan == Plan::Reachability;
        let counterexample =
            confirm_fault(product, model, question, watch, options.fairness, found)?;
        return Ok((Some(counterexample), shortest));
    }
    let Some(lasso) = &outcome.lasso else {
        return Ok((None, false));
    };
    let mut lasso = shorten(product, lasso);
    let mut proven = false;
    if options.shortest {
        let mut budget = options.budget.clone();
        let left = |time: Duration| time.saturating_sub(outcome.statistics.elapsed);
        budget.time = budget.time.map(left);
        let bound = Some(lasso.length());
        let shortest = shortest_lasso(product, &search_options(&budget), bound, observer);
        proven = shortest.proven;
        lasso = shortest.lasso.unwrap_or(lasso);
    }
    let suspect = suspect_lasso(product, &lasso)?;
    let suspect = lasso::tighten(model, question, watch, options.fairness, suspect)?;
    let witness = lasso::replay(model, question, watch, options.fairness, &suspect)?;
    Ok((Some(witness.into()), proven))
}

impl From<Witness> for Counterexample {
    fn from(witness: Witness) -> Self {
        Counterexample {
            replayed: witness.steps.into(),
            loop_start: witness.loop_start,
            values: witness.values,
            fault: None,
        }
    }
}

/// Replays the way to a fault: one of the property, or one of the model.
fn confirm_fault(
    product: &mut Product<ModelSpace>,
    model: &Model,
    question: &Question,
    watch: &Watch,
    fairness: Fairness,
    found: &FoundFault,
) -> Result<Counterexample, CheckError> {
    let fault = Fault::from_code(found.code);
    let steps = match found.path.initial {
        Some(initial) => steps(product, initial, &found.path.labels)?.0,
        None => Vec::new(),
    };
    if fault.kind.is_of_property() {
        let suspect = Suspect {
            steps,
            end: End::Settled(fault),
        };
        let witness = lasso::replay(model, question, watch, fairness, &suspect)?;
        return Ok(Counterexample {
            fault: Some(fault),
            ..witness.into()
        });
    }
    Ok(Counterexample {
        replayed: replay::replay(model, &steps, fault, &[])?,
        loop_start: None,
        values: String::new(),
        fault: Some(fault),
    })
}

/// Replays a run from a trail.
pub fn replay_suspect(
    model: &Model,
    question: &Question,
    fairness: Fairness,
    suspect: &Suspect,
) -> Result<Counterexample, CheckError> {
    if let End::Settled(fault) = suspect.end
        && !fault.kind.is_of_property()
    {
        return Ok(Counterexample {
            replayed: replay::replay(model, &suspect.steps, fault, &[])?,
            loop_start: None,
            values: String::new(),
            fault: Some(fault),
        });
    }
    let limits = Limits::default();
    let watch = question
        .watch(false, &limits)
        .map_err(CheckError::TooLarge)?;
    Ok(lasso::replay(model, question, &watch, fairness, suspect)?.into())
}

/// The run behind a lasso of the product.
fn suspect_lasso(product: &mut Product<ModelSpace>, lasso: &Lasso) -> Result<Suspect, ReplayError> {
    let labels: Vec<u32> = lasso.prefix.iter().chain(&lasso.cycle).copied().collect();
    let (steps, lengths) = steps(product, lasso.initial, &labels)?;
    Ok(Suspect {
        end: End::Loop(lengths[lasso.prefix.len()]),
        steps,
    })
}

/// The steps along the labels of a path of the product, and how many of them there are before each
/// label and at the end.
fn steps(
    product: &mut Product<ModelSpace>,
    initial: u32,
    labels: &[u32],
) -> Result<(Vec<Step>, Vec<usize>), ReplayError> {
    let missing = || ReplayError("the path is not in the product".into());
    let mut out = Expansion::new();
    product.initial(&mut out);
    if initial as usize >= out.len() {
        return Err(missing());
    }
    let mut state = out.edge(initial as usize).0.to_vec();
    let mut steps = Vec::new();
    let mut lengths = vec![0];
    for &label in labels {
        let system = state[..state.len() - 1].to_vec();
        let (label, target) = if label & SYSTEM_LABEL != 0 {
            (label & !SYSTEM_LABEL, Vec::new())
        } else {
            product.resolve(&state, label).ok_or_else(missing)?
        };
        if label != STUTTER {
            let chain = product.system_mut().chain(&system, label);
            steps.extend(chain.ok_or_else(missing)?);
        }
        lengths.push(steps.len());
        state = target;
    }
    Ok((steps, lengths))
}

fn result(
    question: &Question,
    options: &LivenessOptions,
    plan: Plan,
    watch: &Watch,
    outcome: &LassoOutcome,
    found: Option<&Counterexample>,
    shortest: bool,
) -> PropertyResult {
    let size = watch.automaton.statistics();
    let strength = match watch.automaton.strength() {
        Strength::Empty if watch.signals.iter().any(Option::is_some) => "terminal",
        Strength::Empty => "empty",
        Strength::Terminal => "terminal",
        Strength::Weak => "weak",
        Strength::Strong => "strong",
    };
    let (verdict, guarantee) = match (found, stopped_by(outcome.stop)) {
        (Some(_), _) => (
            Verdict::Violated,
            Guarantee::ReplayedCounterexample {
                shortest,
                complete: false,
            },
        ),
        (None, None) => (Verdict::Holds, Guarantee::Proof),
        (None, Some(stopped_by)) => (
            Verdict::Exhausted,
            Guarantee::PartialCoverage {
                stopped_by,
                complete_depth: None,
            },
        ),
    };
    let violations: Vec<Violation> = found
        .map(|found| violation(question, found))
        .into_iter()
        .collect();
    PropertyResult {
        property: question.title(),
        kind: question.kind.word().into(),
        search: plan.word().into(),
        fairness: fairness_word(options.fairness).into(),
        automaton: Some(AutomatonRef {
            states: size.states as u64,
            edges: size.edges as u64,
            sets: u64::from(size.sets),
            strength: strength.into(),
        }),
        verdict,
        guarantee,
        errors: violations.len() as u64,
        violations,
        ..check::measured(&outcome.statistics)
    }
}

fn violation(question: &Question, found: &Counterexample) -> Violation {
    let kind = found.fault.map_or("lasso", |fault| fault.kind.slug());
    let message = match found.fault {
        Some(fault) if fault.kind == FaultKind::BadPrefix => {
            format!("{}, however the run goes on", question.complaint())
        }
        Some(fault) => fault.kind.words().to_string(),
        None => question.complaint(),
    };
    Violation {
        kind: kind.into(),
        message,
        statement: None,
        occurrences: 1,
        steps: found.replayed.steps.len() as u64,
        trail: None,
    }
}

/// The result of a property whose automaton was not made in time.
fn gave_up(question: &Question, options: &LivenessOptions, by: StoppedBy) -> PropertyChecked {
    PropertyChecked {
        result: PropertyResult {
            property: question.title(),
            kind: question.kind.word().into(),
            fairness: fairness_word(options.fairness).into(),
            verdict: Verdict::Exhausted,
            guarantee: Guarantee::PartialCoverage {
                stopped_by: by,
                complete_depth: None,
            },
            ..check::measured(&Statistics::default())
        },
        counterexample: None,
    }
}

/// A counterexample as it is written to a file.
pub fn property_trail(
    model: ModelRef,
    options: RunOptions,
    question: &Question,
    fairness: Fairness,
    violation: &Violation,
    found: &Counterexample,
) -> Trail {
    let code = found.fault.map_or(0, Fault::code);
    Trail {
        violation: TrailViolation {
            kind: violation.kind.clone(),
            message: violation.message.clone(),
            waiting: found.replayed.waiting.clone(),
            code,
        },
        format: FORMAT,
        tool: Tool::default(),
        model,
        options,
        property: question.title(),
        steps: found.replayed.steps.clone(),
        loop_start: found.loop_start,
        claim: Some(TrailClaim {
            kind: question.kind.word().into(),
            name: question.name.clone(),
            text: question.text.clone(),
            fairness: fairness_word(fairness).into(),
            atoms: question.atoms.iter().map(|a| a.text.clone()).collect(),
            values: found.values.clone(),
        }),
    }
}

/// The word for a kind of fairness.
pub fn fairness_word(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::None => "none",
        Fairness::Weak => "weak",
        Fairness::Strong => "strong",
    }
}
