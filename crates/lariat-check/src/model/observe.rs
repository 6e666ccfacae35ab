//! The states of a run that a property observes.
//!
//! A search of a reduced model finds runs of the original one, which are executed here, so that trails contain real
//! values. But a cycle may return only to a state that differs in dead variables, and so the steps are executed with
//! the reduced model as well, to compare its states.

use lariat_ir::expr::Expr;
use lariat_ir::fault::Fault;
use lariat_ir::interpret::{Interpreter, Observed, Step};
use lariat_ir::model::Model;
use lariat_ir::state::State;

use super::replay::Runner;
use crate::system::{Audience, Halted, ObservedState, ReplayError};

/// A run of the model whose states are compared.
struct ReducedRun<'m> {
    interpreter: Interpreter<'m>,
    state: State,
    /// The process that has control.
    control: Option<u32>,
}

impl<'m> ReducedRun<'m> {
    fn new(model: &'m Model) -> Result<Self, Fault> {
        let interpreter = Interpreter::new(model);
        Ok(ReducedRun {
            state: interpreter.initial(&mut Observed::default())?,
            interpreter,
            control: None,
        })
    }

    fn run(&mut self, step: Step) -> Result<(), Fault> {
        let seen = &mut Observed::default();
        self.control = self.interpreter.execute(&mut self.state, step, seen)?;
        if self.control.is_some() {
            let mut steps = Vec::new();
            self.interpreter
                .steps(&self.state, self.control, &mut steps);
            if steps.is_empty() {
                // The process is blocked, and so loses control.
                self.control = None;
                self.interpreter.forget(&mut self.state);
            }
        }
        Ok(())
    }
}

/// Executes the steps and shows every state that a property can see. There is at least one.
pub(super) fn observe(
    model: &Model,
    view: &Model,
    conditions: &[Expr],
    steps: &[Step],
    audience: &mut dyn Audience,
) -> Result<(), Halted> {
    let cannot_start =
        |f: Fault| ReplayError(format!("the model cannot start: {}", f.kind.words()));
    let mut runner = Runner::new(model).map_err(cannot_start)?;
    let mut reduced = ReducedRun::new(view).map_err(cannot_start)?;
    let mut last = observe_state(&runner, &reduced, conditions, 0);
    for (number, step) in steps.iter().enumerate() {
        audience.budget().step(runner.state().words().len())?;
        if !runner.choices().contains(step) {
            return Err(ReplayError(format!("step {} is not possible", number + 1)).into());
        }
        last.movers.push(step.pid);
        last.movers.extend(step.partner.map(|(pid, _)| pid));
        let stopped = match audience.wants_steps() {
            true => {
                let ran = runner.run(*step);
                audience.step(ran.step)?;
                ran.stopped
            }
            false => runner.advance(*step),
        };
        if stopped || reduced.run(*step).is_err() {
            return Err(ReplayError(format!("the run ends at step {}", number + 1)).into());
        }
        if runner.control().is_none() && reduced.control.is_none() {
            audience.state(&last)?;
            last = observe_state(&runner, &reduced, conditions, number + 1);
        }
    }
    if last.step != steps.len() {
        return Err(ReplayError("the run ends inside an atomic sequence".into()).into());
    }
    audience.state(&last)
}

fn observe_state(
    runner: &Runner,
    reduced: &ReducedRun,
    conditions: &[Expr],
    step: usize,
) -> ObservedState {
    let state = runner.state();
    let interpreter = runner.interpreter();
    let value = |condition: &Expr| {
        let value = interpreter.eval_observed(state, condition);
        value.ok().map(|v| v != 0)
    };
    let choices = runner.choices();
    ObservedState {
        step,
        words: reduced.state.words().to_vec(),
        values: conditions.iter().map(value).collect(),
        enabled: choices
            .iter()
            .flat_map(|s| [Some(s.pid), s.partner.map(|(pid, _)| pid)])
            .flatten()
            .collect(),
        movers: Vec::new(),
        accepting: interpreter.is_accepting(state),
    }
}
