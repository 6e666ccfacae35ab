//! Checking a property of runs: the choice of the search, the search, and the replay of what it
//! finds.
//!
//! The strength of the property automaton decides how hard the search is. If the automaton is
//! terminal, it is enough to reach a state from which everything is accepted, and a breadth-first
//! search finds the shortest way there. If it is weak, any cycle in an accepting part will do, and
//! one depth-first search suffices. Otherwise a nested depth-first search runs on the automaton with
//! one acceptance set, or a search of strongly connected components on the one with several, whichever
//! has fewer states. If states are to be forgotten, it is always a nested one. Fairness is a matter of acceptance sets, and so of components.

mod by_walks;
mod confirm;
mod plan;

pub use confirm::replay_suspect;

use lariat_graph::AcceptingGraph;
use lariat_graph::product::Product;
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::Patience;
use lariat_ir::model::Model;
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace};
use lariat_ltl::automaton::{Limits, Strength, TooLarge};
use lariat_report::outcome::{
    AutomatonRef, Guarantee, ModelRef, PropertyResult, RunOptions, StoppedBy, Tool, Verdict,
    Violation,
};
use lariat_report::trail::{FORMAT, Trail, TrailClaim, TrailViolation};
use lariat_search::{
    Budget, FaultPolicy, LassoOutcome, Observer, Options, Statistics, Stop, breadth_first,
    nested_depth_first, nested_dfs_rest, scc_search,
};

pub use crate::check::CheckError;
use crate::check::{self, patience, stopped_by};
use crate::engine::{self, Engine, Executor, Job};
use crate::load::Loaded;
use crate::property::{Question, Watch};
use crate::reduction::seen_by_question;
use crate::replay::Replayed;
use crate::shuffle::Shuffled;
use crate::walks::Walks;
use plan::Plan;

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
    /// Nested depth-first search that forgets states, as it was published.
    ReSt,
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
    /// Make random walks in place of a search.
    pub walks: Option<Walks>,
    /// What drives the search.
    pub engine: Engine,
    /// What the search may spend.
    pub budget: Budget,
}

/// The result of checking a property.
#[derive(Clone, Debug)]
pub struct PropertyChecked {
    /// The result.
    pub result: PropertyResult,
    /// The counterexamples: none, one, or as many as random walks were to find.
    pub counterexamples: Vec<Counterexample>,
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

/// A property that is being checked.
struct Case<'a> {
    /// The model.
    model: &'a Model,
    /// What is searched instead: the model, reduced for the question.
    reduced: &'a Model,
    question: &'a Question,
    options: &'a LivenessOptions,
    plan: Plan,
    watch: Watch,
}

/// Searches for a run that violates a property.
pub fn check_property(
    loaded: &Loaded,
    question: &Question,
    options: &LivenessOptions,
    observer: &mut impl Observer,
) -> Result<PropertyChecked, CheckError> {
    let patience = patience(&options.budget);
    let (plan, watch) = match plan::plan(question, options, &limits(options, &patience)) {
        Ok(plan) => plan,
        Err(TooLarge::Time) => return Ok(gave_up(question, options, StoppedBy::Time)),
        Err(TooLarge::Stopped) => return Ok(gave_up(question, options, StoppedBy::Interrupt)),
        Err(error) => return Err(CheckError::TooLarge(error)),
    };
    let visible = seen_by_question(question, options.fairness);
    let case = Case {
        model: loaded.model(),
        reduced: &options.engine.reduced(loaded.model(), &visible),
        question,
        options,
        plan,
        watch,
    };
    if let Some(walks) = &options.walks {
        return case.by_walks(walks, patience, observer);
    }
    let search = PropertySearch {
        case: &case,
        patience,
        observer: &mut *observer,
    };
    let exec = options.engine.exec;
    let outcome = engine::with_executor(exec, case.reduced, Case::checks(), search)?;
    // The budget was for the search. What it has found is replayed whatever the clock says.
    let mut space = ModelSpace::new(case.reduced, Case::checks());
    space.limit_memory(usize::MAX);
    let mut product = case.product(space);
    let (found, shortest) = case.counterexample(&mut product, &outcome, observer)?;
    Ok(PropertyChecked {
        result: case.result(&outcome, found.as_ref(), shortest),
        counterexamples: found.into_iter().collect(),
    })
}

/// The search for a violation, for any executor.
struct PropertySearch<'a, 'c, O> {
    case: &'a Case<'c>,
    patience: Patience,
    observer: &'a mut O,
}

impl<'m, O: Observer> Job<'m> for PropertySearch<'_, '_, O> {
    type Output = Result<LassoOutcome, CheckError>;

    fn run<E: Executor + 'm>(self, mut executor: E) -> Self::Output {
        let PropertySearch {
            case,
            patience,
            observer,
        } = self;
        let options = case.options;
        executor.stop_on(patience);
        engine::limit_expansions(&mut executor, &options.budget);
        let mut products = vec![case.product(executor); options.engine.workers.max(1)];
        let outcome = match options.seed {
            Some(seed) => {
                let shuffle = |product| Shuffled::new(product, seed);
                let mut shuffled: Vec<_> = products.into_iter().map(shuffle).collect();
                let outcome = case.search(&mut shuffled, observer);
                products = shuffled.into_iter().map(Shuffled::into_inner).collect();
                outcome
            }
            None => case.search(&mut products, observer),
        };
        let difference = |product: &mut Product<E>| product.system_mut().difference();
        match products.iter_mut().find_map(difference) {
            Some(difference) => Err(CheckError::Executors(difference)),
            None => Ok(outcome),
        }
    }
}

/// What the translation of a formula may spend.
fn limits(options: &LivenessOptions, patience: &Patience) -> Limits {
    let mut limits = Limits {
        stop: patience.stop.clone(),
        deadline: patience.deadline,
        ..Limits::default()
    };
    if let Some(memory) = options.budget.memory {
        let affordable = engine::expansion_share(memory) / BYTES_PER_DECISION;
        limits.decisions = limits.decisions.min(affordable);
    }
    limits
}

fn search_options(engine: &Engine, budget: &Budget) -> Options {
    Options {
        budget: budget.clone(),
        faults: FaultPolicy::StopAtFirst,
        store: engine.store,
    }
}

impl<'a> Case<'a> {
    /// Nothing is complained of but violations of the property.
    fn checks() -> Checks {
        Checks {
            end_states: false,
            assertions: false,
            invariants: Vec::new(),
        }
    }

    /// The product of the model and the automaton of what must not happen.
    fn product<E: Executor>(&self, mut executor: E) -> Product<E> {
        let liveness = Liveness {
            stutter: self.watch.stutter,
            accept_labels: self.watch.accept_labels,
            fairness: self.options.fairness,
        };
        executor.watch(liveness, self.question.atoms.clone());
        Product::new(
            executor,
            self.watch.automaton.clone(),
            self.watch.signals.clone(),
            self.watch.accept_labels,
        )
    }

    /// Searches with one worker and, if that takes long, with all of them.
    fn search<G: AcceptingGraph + Send>(
        &self,
        graphs: &mut [G],
        observer: &mut impl Observer,
    ) -> LassoOutcome {
        let Engine { alone, .. } = self.options.engine;
        let mut options = search_options(&self.options.engine, &self.options.budget);
        let limit = options.budget.states;
        if graphs.len() > 1 && limit.is_none_or(|states| states > alone) {
            options.budget.states = Some(alone);
            let outcome = self.search_with(&mut graphs[..1], &options, observer);
            if outcome.stop != Stop::States {
                return outcome;
            }
            options.budget.states = limit;
        }
        self.search_with(graphs, &options, observer)
    }

    fn search_with<G: AcceptingGraph + Send>(
        &self,
        graphs: &mut [G],
        options: &Options,
        observer: &mut impl Observer,
    ) -> LassoOutcome {
        match self.plan {
            Plan::Reachability => {
                let outcome = breadth_first(graphs, options, observer);
                LassoOutcome {
                    stop: outcome.stop,
                    statistics: outcome.statistics,
                    faults: outcome.faults,
                    lasso: None,
                }
            }
            Plan::Nested { weak } => nested_depth_first(graphs, options, weak, observer),
            Plan::Components => scc_search(graphs, options, observer),
            Plan::ReSt(sampling) => nested_dfs_rest(&mut graphs[0], sampling, options, observer),
            // Walks are no search; see `by_walks`.
            Plan::Walks => nested_depth_first(graphs, options, false, observer),
        }
    }

    fn result(
        &self,
        outcome: &LassoOutcome,
        found: Option<&Counterexample>,
        shortest: bool,
    ) -> PropertyResult {
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
        let violation = found.map(|found| violation(self.question, found));
        PropertyResult {
            search: self.plan.word().into(),
            automaton: Some(self.automaton()),
            verdict,
            guarantee,
            errors: u64::from(violation.is_some()),
            violations: violation.into_iter().collect(),
            ..about(self.question, self.options, &outcome.statistics)
        }
    }

    fn automaton(&self) -> AutomatonRef {
        let size = self.watch.automaton.statistics();
        let signals = self.watch.signals.iter().any(Option::is_some);
        let strength = match self.watch.automaton.strength() {
            Strength::Empty if signals => "terminal",
            Strength::Empty => "empty",
            Strength::Terminal => "terminal",
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        };
        AutomatonRef {
            states: size.states as u64,
            edges: size.edges as u64,
            sets: u64::from(size.sets),
            strength: strength.into(),
        }
    }
}

/// A result with what was asked and measured, but without a verdict.
fn about(
    question: &Question,
    options: &LivenessOptions,
    statistics: &Statistics,
) -> PropertyResult {
    PropertyResult {
        property: question.title(),
        kind: question.kind.word().into(),
        fairness: options.fairness.word().into(),
        storing: check::storing(options.engine.store, statistics),
        ..check::measured(statistics)
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
            verdict: Verdict::Exhausted,
            guarantee: Guarantee::PartialCoverage {
                stopped_by: by,
                complete_depth: None,
            },
            ..about(question, options, &Statistics::default())
        },
        counterexamples: Vec::new(),
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
            fairness: fairness.word().into(),
            atoms: question.atoms.iter().map(|a| a.text.clone()).collect(),
            values: found.values.clone(),
        }),
    }
}
