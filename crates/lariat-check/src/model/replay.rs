//! Replaying runs with the reference interpreter.
//!
//! This is the only source of trails, and of the verdict `violated`: the run that leads to an error is executed
//! again, step by step, and the error must occur at its end.

use lariat_graph::{Expansion, StateSpace};
use lariat_ir::describe::{self, Item, changes, describe};
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::{Interpreter, Observed, Step};
use lariat_ir::model::{Model, Statement};
use lariat_ir::property::Invariant;
use lariat_ir::reduce::{self, Options, Visible};
use lariat_ir::space::{Checks, ModelSpace};
use lariat_ir::state::State;

use crate::outcome::StatementRef;
use crate::replay_budget::ReplayBudget;
use crate::system::{Halted, ReplayError};
use crate::trace::{Trace, TracePartner, TraceStep};

/// The steps that a trace claims to be possible.
pub fn steps_of_trace(steps: &[TraceStep]) -> Vec<Step> {
    let step = |s: &TraceStep| Step {
        pid: s.pid,
        transition: s.transition,
        partner: s.partner.as_ref().map(|p| (p.pid, p.transition)),
        timeout: s.timeout,
    };
    steps.iter().map(step).collect()
}

/// A run of a model, executed one step at a time.
pub struct Runner<'m> {
    interpreter: Interpreter<'m>,
    state: State,
    /// The state before the last step that was described.
    before: State,
    /// The process that has control.
    control: Option<u32>,
}

/// The result of a step of a [`Runner`].
#[derive(Clone, Debug)]
pub struct Ran {
    /// The step, for text and files.
    pub step: TraceStep,
    /// Its faults.
    pub faults: Vec<Fault>,
    /// Whether the run cannot continue.
    pub stopped: bool,
}

impl<'m> Runner<'m> {
    /// A run in its initial state.
    pub fn new(model: &'m Model) -> Result<Self, Fault> {
        let interpreter = Interpreter::new(model);
        let state = interpreter.initial(&mut Observed::default())?;
        Ok(Runner {
            interpreter,
            state,
            before: State::default(),
            control: None,
        })
    }

    /// Its present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The interpreter.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }

    /// Names and values of all variables.
    pub fn items(&self) -> Vec<Item> {
        describe(self.interpreter.model(), &self.state)
    }

    /// The process that has control, if there is one.
    pub fn control(&self) -> Option<u32> {
        self.control
    }

    /// Returns to an earlier point of the run.
    pub fn restore(&mut self, state: State, control: Option<u32>) {
        self.state = state;
        self.control = control;
    }

    /// The enabled steps.
    pub fn choices(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        self.interpreter
            .steps(&self.state, self.control, &mut steps);
        steps
    }

    /// Executes a step.
    pub fn run(&mut self, step: Step) -> Ran {
        let model = self.interpreter.model();
        let mut seen = Observed {
            output: Some(String::new()),
            ..Observed::default()
        };
        let mut record = self.record(step);
        self.before.copy_from(&self.state);
        let result = self.execute(step, &mut seen);
        let mut faults = std::mem::take(&mut seen.faults);
        record.output = seen.output.unwrap_or_default();
        match result {
            Ok(()) => {
                record.changes = changes(model, &self.before, &self.state)
                    .into_iter()
                    .map(|i| (i.name, i.value))
                    .collect();
                record.atomic = self.control.is_some();
            }
            Err(fault) => faults.push(fault),
        }
        Ran {
            step: record,
            faults,
            stopped: result.is_err(),
        }
    }

    /// Executes a step of which nothing is to be told; answers whether the run cannot go on.
    pub fn advance(&mut self, step: Step) -> bool {
        self.execute(step, &mut Observed::default()).is_err()
    }

    fn execute(&mut self, step: Step, seen: &mut Observed) -> Result<(), Fault> {
        self.control = self.interpreter.execute(&mut self.state, step, seen)?;
        if self.control.is_some() && self.choices().is_empty() {
            // It is blocked, and so loses control.
            self.control = None;
            self.interpreter.forget(&mut self.state);
        }
        Ok(())
    }

    /// A step before its execution, for text and files.
    pub fn record(&self, step: Step) -> TraceStep {
        let model = self.interpreter.model();
        if model.synchronous {
            return self.record_joint(step);
        }
        let (own, partner) = describe::statements(model, &self.state, step);
        let place = |statement: &Statement| {
            let location = model.sources.location(statement.span);
            (location.file.to_string(), location.line)
        };
        let name = |pid: u32| {
            let process = self.state.process_type(pid as usize);
            describe::process_name(&model.processes[process].name).to_string()
        };
        let (file, line) = place(own);
        TraceStep {
            pid: step.pid,
            process: name(step.pid),
            transition: step.transition,
            file,
            line,
            statement: own.text.clone(),
            partner: step.partner.zip(partner).map(|((pid, transition), s)| {
                let (file, line) = place(s);
                TracePartner {
                    pid,
                    process: name(pid),
                    transition,
                    file,
                    line,
                    statement: s.text.clone(),
                }
            }),
            timeout: step.timeout,
            atomic: false,
            output: String::new(),
            changes: Vec::new(),
            values: String::new(),
        }
    }

    /// A step of all processes.
    fn record_joint(&self, step: Step) -> TraceStep {
        let model = self.interpreter.model();
        let transitions = self.interpreter.joint(&self.state, step.transition);
        let mut texts = Vec::new();
        let mut place = (String::new(), 0);
        for (pid, index) in transitions.unwrap_or_default().into_iter().enumerate() {
            let process = &model.processes[self.state.process_type(pid)];
            let statement = &process.transitions[index as usize].statement;
            texts.push(format!("{}: {}", process.name, statement.text));
            if pid == 0 {
                let location = model.sources.location(statement.span);
                place = (location.file.to_string(), location.line);
            }
        }
        TraceStep {
            pid: step.pid,
            process: "all".into(),
            transition: step.transition,
            file: place.0,
            line: place.1,
            statement: texts.join("; "),
            partner: None,
            timeout: false,
            atomic: false,
            output: String::new(),
            changes: Vec::new(),
            values: String::new(),
        }
    }

    /// Whether a process takes the transition of a fault and has an alternative.
    fn is_choice(&self, step: Step, fault: Fault) -> bool {
        let process = self.state.process_type(step.pid as usize);
        let number = self.interpreter.transition_number(process, step.transition);
        let is_other = |c: &Step| c.pid == step.pid && c.transition != step.transition;
        number == fault.origin && self.choices().iter().any(is_other)
    }

    /// What the processes that are not at a valid end state wait for.
    pub fn waiting(&self) -> Vec<String> {
        let model = self.interpreter.model();
        let waiting = |pid: usize| {
            let process = &model.processes[self.state.process_type(pid)];
            let location = &process.locations[self.state.location(pid) as usize];
            if location.end {
                return None;
            }
            let name = describe::process_name(&process.name);
            let statements: Vec<String> = location
                .transitions
                .iter()
                .map(|&t| {
                    let statement = &process.transitions[t as usize].statement;
                    let line = model.sources.location(statement.span).line;
                    format!("{} (line {line})", statement.text)
                })
                .collect();
            Some(match statements.is_empty() {
                true => format!("{name}[{pid}] has no statement left"),
                false => format!("{name}[{pid}] waits for {}", statements.join(" or ")),
            })
        };
        (0..self.state.process_count())
            .filter_map(waiting)
            .collect()
    }

    /// Whether the state has a fault (not one of a step).
    pub fn has_state_fault(&self, fault: Fault, invariants: &[Invariant]) -> bool {
        let stuck = || self.control.is_none() && self.choices().is_empty();
        match fault.kind {
            FaultKind::InvalidEndState => stuck() && !self.interpreter.is_valid_end(&self.state),
            FaultKind::TraceIncomplete => {
                stuck() && !self.interpreter.is_monitor_at_rest(&self.state)
            }
            FaultKind::Invariant => invariants.get(fault.origin as usize).is_some_and(|i| {
                !self
                    .interpreter
                    .eval_global(&self.state, &i.condition)
                    .is_ok_and(|value| value != 0)
            }),
            _ => false,
        }
    }
}

/// Replays `steps`; `fault` must occur at their end.
pub fn replay(
    model: &Model,
    steps: &[Step],
    fault: Fault,
    invariants: &[Invariant],
    budget: &mut ReplayBudget,
) -> Result<Trace, Halted> {
    let mut runner = match Runner::new(model) {
        Ok(runner) => runner,
        Err(found) if found == fault && steps.is_empty() => return Ok(Trace::default()),
        Err(found) => {
            let words = found.kind.words();
            return Err(ReplayError(format!("the model cannot start: {words}")).into());
        }
    };
    let mut trace = Trace::default();
    let mut chain_start = runner.state.clone();
    for (number, step) in steps.iter().enumerate() {
        budget.step(runner.state.words().len())?;
        let choices = runner.choices();
        if !choices.contains(step) {
            return Err(ReplayError(format!("step {} is not possible", number + 1)).into());
        }
        if runner.control.is_none() {
            chain_start.copy_from(&runner.state);
        }
        let is_choice = fault.kind == FaultKind::Nondeterminism && runner.is_choice(*step, fault);
        let ran = runner.run(*step);
        let found = is_choice || ran.faults.contains(&fault);
        budget.push_step(&mut trace, ran.step)?;
        if found {
            return Ok(trace);
        }
        if ran.stopped {
            let message = format!("the run ends at step {} for another reason", number + 1);
            return Err(ReplayError(message).into());
        }
    }
    let endless = fault.kind == FaultKind::EndlessSequence
        && !trace.steps.is_empty()
        && goes_round(model, &chain_start, fault);
    if runner.has_state_fault(fault, invariants) || endless {
        if fault.kind == FaultKind::InvalidEndState {
            trace.waiting = runner.waiting();
        }
        return Ok(trace);
    }
    let message = format!("the error does not occur: {}", fault.kind.words());
    Err(ReplayError(message).into())
}

/// Whether an atomic sequence that begins in `state` never ends. Dead variables are ignored: they could delay the
/// repetition for very long.
fn goes_round(model: &Model, state: &State, fault: Fault) -> bool {
    let mut out = Expansion::new();
    let options = Options {
        merge: false,
        dead: true,
    };
    let model = &reduce::reduced(model, options, &Visible::default());
    ModelSpace::new(model, Checks::default()).successors(state.words(), &mut out);
    out.faults().iter().any(|f| f.code == fault.code())
}

/// The statement of a fault, if it has one.
pub fn fault_statement(interpreter: &Interpreter, fault: Fault) -> Option<StatementRef> {
    if matches!(
        fault.kind,
        FaultKind::Invariant | FaultKind::InvalidEndState
    ) {
        return None;
    }
    let (process, transition) = interpreter.transition(fault.origin)?;
    let model = interpreter.model();
    let location = model.sources.location(transition.statement.span);
    Some(StatementRef {
        process: describe::process_name(&process.name).to_string(),
        file: location.file.to_string(),
        line: location.line,
        text: transition.statement.text.clone(),
    })
}
