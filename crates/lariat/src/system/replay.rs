//! Executing runs again, from an initial state, with the model alone.

use lariat_check::replay_budget::ReplayBudget;
use lariat_check::system::{Audience, Halted, ObservedState, ReplayError};
use lariat_check::trace::{Trace, TraceStep};

use super::{Check, Step};
use crate::changes::{changes, fields};
use crate::encode::encode;
use crate::model::{Condition, Model};
use crate::outcome::Path;

/// The actor of actions that have none. It moves in every state, so that no cycle is unfair to it.
const NO_ACTOR: u32 = u32::MAX;

/// A run of a model, executed one step at a time.
pub(crate) struct Run<'m, M: Model> {
    model: &'m M,
    state: M::State,
    text: String,
}

/// A step that was executed: for people, and with the action and the state that it was executed in.
struct Executed<M: Model> {
    record: TraceStep,
    action: M::Action,
    state: M::State,
}

impl<'m, M: Model> Run<'m, M> {
    /// A run at its beginning, with the record of that.
    fn begin(model: &'m M, step: Option<&Step>) -> Result<(Self, TraceStep), ReplayError> {
        let Some(Step::Begin(index)) = step else {
            return Err(ReplayError("the run has no beginning".into()));
        };
        let state = model.init().into_iter().nth(*index as usize);
        let state = state.ok_or_else(|| ReplayError("the initial state is not there".into()))?;
        let text = format!("{state:?}");
        let record = TraceStep {
            transition: *index,
            statement: "begin".into(),
            changes: fields(&text),
            ..TraceStep::default()
        };
        Ok((Run { model, state, text }, record))
    }

    /// The actions that are possible.
    fn possible(&self) -> impl Iterator<Item = M::Action> {
        let mut actions = Vec::new();
        self.model.actions(&self.state, &mut actions);
        let is_possible = |action: &M::Action| self.model.next(&self.state, action).is_some();
        actions.into_iter().filter(is_possible)
    }

    fn is_end(&self) -> bool {
        self.possible().next().is_none()
    }

    /// Executes a step.
    fn execute(&mut self, number: usize, step: &Step) -> Result<Executed<M>, ReplayError> {
        let impossible = || ReplayError(format!("step {number} is not possible"));
        let Step::Action(index) = step else {
            return Err(impossible());
        };
        let mut actions = Vec::new();
        self.model.actions(&self.state, &mut actions);
        let action = actions
            .into_iter()
            .nth(*index as usize)
            .ok_or_else(impossible)?;
        let next = self
            .model
            .next(&self.state, &action)
            .ok_or_else(impossible)?;
        let text = format!("{next:?}");
        let record = TraceStep {
            pid: self
                .model
                .actor(&action)
                .map_or(NO_ACTOR, |actor| actor as u32),
            transition: *index,
            statement: format!("{action:?}"),
            changes: changes(&self.text, &text),
            ..TraceStep::default()
        };
        self.text = text;
        let state = std::mem::replace(&mut self.state, next);
        Ok(Executed {
            record,
            action,
            state,
        })
    }

    /// The state as a property sees it, behind so many steps.
    fn look(&self, conditions: &[&Condition<M>], step: usize) -> ObservedState {
        let holds = |condition: &&Condition<M>| Some(condition.holds(self.model, &self.state));
        let actor = |action: M::Action| self.model.actor(&action);
        ObservedState {
            step,
            words: encode(&self.state),
            values: conditions.iter().map(holds).collect(),
            enabled: self
                .possible()
                .map(|action| actor(action).map_or(NO_ACTOR, |actor| actor as u32))
                .collect(),
            movers: vec![NO_ACTOR],
            accepting: false,
        }
    }

    /// The states and actions of a run that was replayed before.
    pub(crate) fn path(model: &'m M, trace: &Trace) -> Option<Path<M::State, M::Action>> {
        let (first, rest) = trace.steps.split_first()?;
        let (mut run, _) = Run::begin(model, Some(&Step::Begin(first.transition))).ok()?;
        let (mut states, mut actions) = (Vec::new(), Vec::new());
        for (number, step) in rest.iter().enumerate() {
            let executed = run.execute(number, &Step::Action(step.transition)).ok()?;
            states.push(executed.state);
            actions.push(executed.action);
        }
        states.push(run.state);
        Some(Path {
            states,
            actions,
            // The first step of a trace is that which enters the initial state.
            loop_start: trace.loop_start.map(|step| step.saturating_sub(1)),
        })
    }
}

/// Executes steps at whose end a check must report the state.
pub(super) fn fault<M: Model>(
    model: &M,
    steps: &[Step],
    check: &Check<M>,
    budget: &mut ReplayBudget,
) -> Result<Trace, Halted> {
    let (mut run, record) = Run::begin(model, steps.first())?;
    let mut trace = Trace::default();
    budget.push_step(&mut trace, record)?;
    for (number, step) in steps.iter().enumerate().skip(1) {
        budget.step(run.text.len())?;
        budget.push_step(&mut trace, run.execute(number, step)?.record)?;
    }
    match check.reports(model, &run.state, run.is_end()) {
        true => Ok(trace),
        false => Err(ReplayError("the last state is not as it was found".into()).into()),
    }
}

/// Executes steps and shows every state.
pub(super) fn observe<M: Model>(
    model: &M,
    conditions: &[&Condition<M>],
    steps: &[Step],
    audience: &mut dyn Audience,
) -> Result<(), Halted> {
    let (mut run, record) = Run::begin(model, steps.first())?;
    let show = |record: TraceStep, audience: &mut dyn Audience| match audience.wants_steps() {
        true => audience.step(record),
        false => Ok(()),
    };
    let mut last = run.look(conditions, 1);
    show(record, audience)?;
    for (number, step) in steps.iter().enumerate().skip(1) {
        audience.budget().step(run.text.len())?;
        let executed = run.execute(number, step)?;
        last.movers.push(executed.record.pid);
        show(executed.record, audience)?;
        audience.state(&last)?;
        last = run.look(conditions, number + 1);
    }
    audience.state(&last)
}
