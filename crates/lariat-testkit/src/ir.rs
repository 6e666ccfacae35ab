//! Models of the intermediate language, made by hand.

pub mod random;
pub mod touch;

use lariat_graph::{Expansion, StateSpace};
use lariat_ir::expr::{Binary, Expr, Index, Owner, Place};
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::{Interpreter, Observed, Step};
use lariat_ir::model::{
    Action, ChannelType, Effect, Location, Model, Pattern, ProcessType, Start, Statement,
    Transition,
};
use lariat_ir::source::Span;
use lariat_ir::space::{Checks, ModelSpace};
use lariat_ir::state::State;
use lariat_ir::types::{Frame, Meaning, Records, Scalar, Type};

/// The type of variables that hold channels.
pub const CHANNEL: Scalar = Scalar {
    bits: 16,
    signed: false,
    meaning: Meaning::Channel,
    checked: false,
};

/// An unsigned byte.
pub const BYTE: Scalar = Scalar::unsigned(8);

/// A model with nothing in it.
pub fn model() -> Model {
    Model::default()
}

fn add(frame: &mut Frame, name: &str, owner: Owner, scalar: Scalar) -> Place {
    let ty = Type::Scalar(scalar);
    let variable = frame.add(&Records::default(), name, ty, false).unwrap();
    Place {
        owner,
        variable,
        offset: frame.variables[variable].offset,
        indices: Vec::new(),
        scalar,
    }
}

/// Adds a global variable.
pub fn global(model: &mut Model, name: &str, scalar: Scalar) -> Place {
    add(&mut model.globals, name, Owner::Global, scalar)
}

/// Adds a global array; the place still needs an index, see [`at`].
pub fn global_array(model: &mut Model, name: &str, scalar: Scalar, length: u32) -> Place {
    let ty = Type::Array(Box::new(Type::Scalar(scalar)), length);
    let frame = &mut model.globals;
    let variable = frame.add(&Records::default(), name, ty, false).unwrap();
    Place {
        owner: Owner::Global,
        variable,
        offset: frame.variables[variable].offset,
        indices: vec![Index {
            value: num(0),
            length,
            stride: scalar.storage_bits(),
        }],
        scalar,
    }
}

/// An element of an array.
pub fn at(array: &Place, index: Expr) -> Place {
    let mut place = array.clone();
    place.indices[0].value = index;
    place
}

/// Adds a type of channels.
pub fn channel_type(model: &mut Model, capacity: u32, fields: &[Scalar]) -> usize {
    model
        .channels
        .push(ChannelType::new(capacity, fields.to_vec()));
    model.channels.len() - 1
}

/// Adds a global variable with a channel that is there from the beginning.
pub fn channel(model: &mut Model, name: &str, capacity: u32, fields: &[Scalar]) -> Expr {
    let ty = channel_type(model, capacity, fields);
    let place = global(model, name, CHANNEL);
    model.init.push(Effect::CreateChannel(place.clone(), ty));
    Expr::Load(place)
}

/// Adds a process type without locations.
pub fn process(model: &mut Model, name: &str) -> usize {
    model.processes.push(ProcessType {
        name: name.into(),
        frame: Frame::default(),
        parameters: Vec::new(),
        init: Vec::new(),
        priority: None,
        provided: None,
        deterministic: false,
        locations: vec![Location::default()],
        transitions: Vec::new(),
        initial: 0,
        span: Span::default(),
    });
    model.processes.len() - 1
}

/// Adds a process type, one of which exists at the beginning.
pub fn active(model: &mut Model, name: &str) -> usize {
    let process = process(model, name);
    start(model, process, 1);
    process
}

/// Lets one more process exist at the beginning.
pub fn start(model: &mut Model, process: usize, priority: u8) {
    model.start.push(Start { process, priority });
}

/// Adds a local variable.
pub fn local(model: &mut Model, process: usize, name: &str, scalar: Scalar) -> Place {
    add(
        &mut model.processes[process].frame,
        name,
        Owner::Local,
        scalar,
    )
}

/// The same variable, seen by others.
pub fn remote(place: &Place, process: usize, pid: Option<Expr>) -> Place {
    Place {
        owner: Owner::Remote {
            process,
            pid: pid.map(Box::new),
        },
        ..place.clone()
    }
}

/// Adds a transition; locations come into being as they are mentioned.
pub fn go(model: &mut Model, process: usize, from: u32, action: Action, to: u32) -> usize {
    let process = &mut model.processes[process];
    let most = from.max(to) as usize;
    while process.locations.len() <= most {
        let number = process.locations.len() as u32;
        process.locations.push(Location {
            number,
            ..Location::default()
        });
    }
    let index = process.transitions.len();
    process.locations[from as usize]
        .transitions
        .push(index as u32);
    process.transitions.push(Transition {
        action,
        target: to,
        atomic: false,
        merged: false,
        rank: 0,
        statement: Statement {
            span: Span::default(),
            text: format!("{from} -> {to}"),
        },
    });
    index
}

/// Like [`go`], and the process keeps control.
pub fn keep(model: &mut Model, process: usize, from: u32, action: Action, to: u32) -> usize {
    let index = go(model, process, from, action, to);
    model.processes[process].transitions[index].atomic = true;
    index
}

/// Like [`go`], with a rank.
pub fn ranked(
    model: &mut Model,
    process: usize,
    from: u32,
    action: Action,
    to: u32,
    rank: u32,
) -> usize {
    let index = go(model, process, from, action, to);
    model.processes[process].transitions[index].rank = rank;
    index
}

/// Says that locations lie inside an indivisible sequence.
pub fn inside(model: &mut Model, process: usize, locations: &[u32]) {
    for &location in locations {
        model.processes[process].locations[location as usize].inside = true;
    }
}

/// Says that a process may rest at a location.
pub fn end(model: &mut Model, process: usize, location: u32) {
    model.processes[process].locations[location as usize].end = true;
}

/// A constant.
pub fn num(value: i32) -> Expr {
    Expr::Const(value)
}

/// The value of a variable.
pub fn get(place: &Place) -> Expr {
    Expr::Load(place.clone())
}

/// `a == b`
pub fn equal(a: Expr, b: Expr) -> Expr {
    a.binary(Binary::Equal, b)
}

/// `a + b`
pub fn plus(a: Expr, b: Expr) -> Expr {
    a.binary(Binary::Add, b)
}

/// `a < b`
pub fn less(a: Expr, b: Expr) -> Expr {
    a.binary(Binary::Less, b)
}

/// A condition.
pub fn when(condition: Expr) -> Action {
    guarded(condition, Vec::new())
}

/// A condition and effects.
pub fn guarded(condition: Expr, effects: Vec<Effect>) -> Action {
    Action::Guarded { condition, effects }
}

/// Effects without a condition.
pub fn act(effects: Vec<Effect>) -> Action {
    guarded(Expr::TRUE, effects)
}

/// `place = value`
pub fn set(place: &Place, value: Expr) -> Action {
    act(vec![Effect::Assign(place.clone(), value)])
}

/// `place = place + 1`
pub fn increment(place: &Place) -> Action {
    set(place, plus(get(place), num(1)))
}

/// `run process(arguments)`
pub fn run(process: usize, arguments: Vec<Expr>) -> Effect {
    Effect::Spawn {
        when: None,
        process,
        arguments,
        priority: 1,
    }
}

/// `channel ! values`
pub fn send(channel: &Expr, values: Vec<Expr>) -> Action {
    Action::Send {
        condition: Expr::TRUE,
        channel: channel.clone(),
        values,
        sorted: false,
        lossy: false,
        effects: Vec::new(),
    }
}

/// `channel ? pattern`
pub fn receive(channel: &Expr, pattern: Vec<Pattern>) -> Action {
    Action::Receive {
        condition: Expr::TRUE,
        channel: channel.clone(),
        pattern,
        anywhere: false,
        peek: false,
        effects: Vec::new(),
    }
}

/// A pattern that stores a field.
pub fn into(place: &Place) -> Pattern {
    Pattern::Store(place.clone())
}

/// A model at work: a state and the process that has control.
pub struct Machine<'m> {
    /// The interpreter.
    pub interpreter: Interpreter<'m>,
    /// The state.
    pub state: State,
    /// Who has control.
    pub control: Option<u32>,
    /// What was seen.
    pub seen: Observed,
}

impl<'m> Machine<'m> {
    /// The model in its initial state.
    pub fn new(model: &'m Model) -> Self {
        let interpreter = Interpreter::new(model);
        let mut seen = Observed::default();
        let state = interpreter.initial(&mut seen).unwrap();
        Machine {
            interpreter,
            state,
            control: None,
            seen,
        }
    }

    /// The steps that are possible now.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        self.interpreter
            .steps(&self.state, self.control, &mut steps);
        steps
    }

    /// Process and transition of the steps that are possible now.
    pub fn enabled(&self) -> Vec<(u32, u32)> {
        let steps = self.steps();
        steps.iter().map(|s| (s.pid, s.transition)).collect()
    }

    /// Takes the step number `choice` of those that are possible.
    pub fn take(&mut self, choice: usize) -> Result<(), FaultKind> {
        let step = self.steps()[choice];
        let result = self
            .interpreter
            .execute(&mut self.state, step, &mut self.seen);
        self.control = result.map_err(|fault| fault.kind)?;
        Ok(())
    }

    /// Takes steps as long as there is exactly one; returns how many.
    pub fn run(&mut self) -> usize {
        let mut taken = 0;
        while self.steps().len() == 1 && taken < 10_000 {
            self.take(0).unwrap();
            taken += 1;
        }
        taken
    }

    /// The value of a global variable.
    pub fn value(&self, place: &Place) -> i32 {
        self.interpreter
            .eval_global(&self.state, &get(place))
            .unwrap()
    }

    /// The values of a local variable of a process.
    pub fn local(&self, pid: usize, place: &Place) -> i32 {
        let bit = self.state.frame_bit(pid) + place.offset;
        place.scalar.load(self.state.words(), bit)
    }

    /// The first field of each message in a channel.
    pub fn messages(&self, channel: usize) -> Vec<i32> {
        let ty = &self.interpreter.model().channels[self.state.channel_type(channel)];
        (0..self.state.channel_length(channel))
            .map(|slot| self.state.field(channel, ty, slot, 0))
            .collect()
    }

    /// The kinds of the faults after which the run went on.
    pub fn faults(&self) -> Vec<FaultKind> {
        self.seen.faults.iter().map(|f| f.kind).collect()
    }
}

/// All states of a model up to a limit, found breadth first, with their expansions.
pub fn explore(model: &Model, checks: Checks, limit: usize) -> Vec<(Vec<u32>, Expansion)> {
    let mut space = ModelSpace::new(model, checks);
    let mut out = Expansion::new();
    space.initial(&mut out);
    let mut found: Vec<Vec<u32>> = out.edges().map(|(words, _)| words.to_vec()).collect();
    let mut states = Vec::new();
    while states.len() < found.len().min(limit) {
        let words = found[states.len()].clone();
        let mut out = Expansion::new();
        space.successors(&words, &mut out);
        for (target, _) in out.edges() {
            if !found.iter().any(|f| f == target) {
                found.push(target.to_vec());
            }
        }
        states.push((words, out));
    }
    states
}

/// The faults of all states, with the labels of their edges.
pub fn faults(states: &[(Vec<u32>, Expansion)]) -> Vec<(FaultKind, Option<u32>)> {
    let faults = states.iter().flat_map(|(_, out)| out.faults());
    faults
        .map(|f| (Fault::from_code(f.code).kind, f.label))
        .collect()
}

/// Executes the steps of a chain, each of which must be possible for the process in control.
pub fn replay(interpreter: &Interpreter, words: &[u32], chain: &[Step]) -> Result<Vec<u32>, Fault> {
    let mut state = State::default();
    state.load(interpreter.model(), words);
    let mut control = None;
    for &step in chain {
        let mut possible = Vec::new();
        interpreter.steps(&state, control, &mut possible);
        assert!(possible.contains(&step), "a step that is not possible");
        control = interpreter.execute(&mut state, step, &mut Observed::default())?;
    }
    if control.is_some() {
        let mut possible = Vec::new();
        interpreter.steps(&state, control, &mut possible);
        assert!(possible.is_empty(), "the chain is not at its end");
        interpreter.forget(&mut state);
    }
    Ok(state.words().to_vec())
}
