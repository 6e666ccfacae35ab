//! A Rust model as a system that can be checked.

mod executor;
mod graph;
mod marks;
mod replay;

use std::sync::OnceLock;

use lariat_check::outcome::{CheckError, FaultText};
use lariat_check::replay_budget::ReplayBudget;
use lariat_check::system::{
    Audience, Exec, Halted, Job, ReplayError, Seen, System, Target, View, ViewRequest,
};
use lariat_check::trace::Trace;
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::space::Fairness;

use crate::model::{Condition, Model};
use executor::{ErasedGraph, Graph};
use graph::TypedGraph;
pub(crate) use replay::Run;

/// A condition that is checked in every reachable state.
pub(crate) struct Check<M: Model> {
    pub name: String,
    pub kind: CheckKind,
    pub condition: Condition<M>,
}

/// When a state is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckKind {
    /// Where the condition does not hold.
    Always,
    /// Where the condition holds: that is what is looked for.
    Reachable,
    /// Where no action is possible and the condition does not hold.
    DeadlockFree,
}

impl<M: Model> Check<M> {
    /// Whether a state is reported.
    #[inline]
    fn reports(&self, model: &M, state: &M::State, is_end: bool) -> bool {
        match self.kind {
            CheckKind::Always => !self.condition.holds(model, state),
            CheckKind::Reachable => self.condition.holds(model, state),
            CheckKind::DeadlockFree => is_end && !self.condition.holds(model, state),
        }
    }

    /// The fault by which a search knows the check with this number.
    pub(crate) fn fault(&self, number: usize) -> Fault {
        let kind = match self.kind {
            CheckKind::DeadlockFree => FaultKind::InvalidEndState,
            _ => FaultKind::Invariant,
        };
        Fault {
            kind,
            origin: number as u32,
        }
    }
}

/// A model with its conditions, without its types. Searches are made for this, so that they are compiled once and
/// not for every model; a call through it is one for a whole expansion.
pub(crate) trait Erased: Sync {
    /// The graph of the model.
    fn graph<'a>(&'a self, wanted: &'a Wanted) -> Box<dyn ErasedGraph + 'a>;

    /// The name of a check.
    fn check_name(&self, check: usize) -> Option<&str>;

    /// Executes steps at whose end a check must report the state.
    fn replay_fault(
        &self,
        steps: &[Step],
        check: usize,
        budget: &mut ReplayBudget,
    ) -> Result<Trace, Halted>;

    /// Executes steps and shows every state.
    fn observe(
        &self,
        conditions: &[usize],
        steps: &[Step],
        audience: &mut dyn Audience,
    ) -> Result<(), Halted>;
}

/// What a search wants to know about states.
pub(crate) enum Wanted {
    /// Which of them are reported by checks, which are given by their numbers.
    Faults {
        checks: Vec<usize>,
        /// By each of them, not only by the first.
        all: bool,
    },
    /// What a property of runs asks.
    Runs {
        /// The numbers of its conditions.
        conditions: Vec<usize>,
        /// A state without actions is followed by itself.
        stutter: bool,
        fairness: Fairness,
    },
}

/// A model with its conditions.
pub(crate) struct Typed<'m, M: Model> {
    pub model: &'m M,
    pub checks: Vec<Check<M>>,
    /// The conditions of properties of runs.
    pub conditions: Vec<Condition<M>>,
    /// What is wrong with the model itself, if a search has noticed that.
    pub problem: OnceLock<String>,
}

impl<M: Model> Erased for Typed<'_, M> {
    fn graph<'a>(&'a self, wanted: &'a Wanted) -> Box<dyn ErasedGraph + 'a> {
        Box::new(TypedGraph::new(self, wanted))
    }

    fn check_name(&self, check: usize) -> Option<&str> {
        self.checks.get(check).map(|check| check.name.as_str())
    }

    fn replay_fault(
        &self,
        steps: &[Step],
        check: usize,
        budget: &mut ReplayBudget,
    ) -> Result<Trace, Halted> {
        let check = self.checks.get(check);
        let check = check.ok_or_else(|| ReplayError("an unknown check".into()))?;
        replay::fault(self.model, steps, check, budget)
    }

    fn observe(
        &self,
        conditions: &[usize],
        steps: &[Step],
        audience: &mut dyn Audience,
    ) -> Result<(), Halted> {
        let conditions: Vec<&Condition<M>> = conditions
            .iter()
            .filter_map(|&number| self.conditions.get(number))
            .collect();
        replay::observe(self.model, &conditions, steps, audience)
    }
}

/// A model as a system.
pub(crate) struct RustSystem<'m>(pub &'m dyn Erased);

/// A model, arranged for one property.
pub(crate) struct RustView<'s> {
    model: &'s dyn Erased,
    wanted: Wanted,
}

impl System for RustSystem<'_> {
    /// The number of a condition.
    type Condition = usize;
    /// The numbers of checks.
    type Checks = Vec<usize>;
    type Step = Step;
    type View<'s>
        = RustView<'s>
    where
        Self: 's;

    fn view<'s>(&'s self, request: &ViewRequest<'_, Self>) -> RustView<'s> {
        let wanted = match request.target {
            Target::Faults { checks, all } => Wanted::Faults {
                checks: checks.clone(),
                all,
            },
            Target::Runs {
                property,
                conditions,
                fairness,
                ..
            } => Wanted::Runs {
                conditions: conditions.to_vec(),
                stutter: property.watches().0,
                fairness,
            },
        };
        RustView {
            model: self.0,
            wanted,
        }
    }

    fn replay_fault(
        &self,
        steps: &[Step],
        fault: Fault,
        _: Option<&Vec<usize>>,
        budget: &mut ReplayBudget,
    ) -> Result<Trace, Halted> {
        self.0.replay_fault(steps, fault.origin as usize, budget)
    }

    fn observe(
        &self,
        conditions: &[usize],
        steps: &[Step],
        _: Seen<'_>,
        audience: &mut dyn Audience,
    ) -> Result<(), Halted> {
        self.0.observe(conditions, steps, audience)
    }

    fn fault_text(&self, fault: Fault, _: Option<&Vec<usize>>) -> FaultText {
        let words = fault.kind.words();
        FaultText {
            kind: fault.kind.slug(),
            message: match self.0.check_name(fault.origin as usize) {
                Some(name) => format!("{words}: {name}"),
                None => words.into(),
            },
            statement: None,
        }
    }
}

impl View for RustView<'_> {
    type Step = Step;
    type Reference<'v>
        = Graph<'v>
    where
        Self: 'v;

    fn with_executor<J: Job>(&self, _: Option<Exec>, job: J) -> Result<J::Output, CheckError> {
        let mut graph = self.reference();
        if let Wanted::Faults { all: true, .. } = &self.wanted {
            graph.report_once();
        }
        Ok(job.run(graph))
    }

    fn reference(&self) -> Graph<'_> {
        Graph::new(self.model.graph(&self.wanted))
    }
}

/// A step of a run, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The run begins in this one of the initial states.
    Begin(u32),
    /// This one of the actions of the state.
    Action(u32),
}

/// How many actors fairness looks after.
fn fair_actors<M: Model>(model: &M, fairness: Fairness) -> usize {
    match fairness {
        Fairness::None => 0,
        _ => model.actors(),
    }
}
