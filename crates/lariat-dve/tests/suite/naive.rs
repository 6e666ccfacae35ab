//! A naive interpreter of DVE, for tests: it walks the syntax tree, and a state is vectors of plain
//! numbers. It shares nothing with the lowering, nor with the interpreter of the IR, which it is
//! there to judge; names are looked up in the text again each time they are met.
//!
//! Systems are expected to be correct: what a front end must refuse makes it panic.

use lariat_dve::ast::{
    Assignment, BinaryOp, Expr, ExprKind, Initializer, Message, Mode, NumberType, Place, Process,
    System, Transition, UnaryOp, Variable,
};

/// A state of a system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The number of the state in which each process is.
    pub places: Vec<usize>,
    /// The values of the variables, in the order of [`Naive::variables`].
    pub values: Vec<Vec<i32>>,
    /// The messages in each channel.
    pub queues: Vec<Vec<Vec<i32>>>,
}

/// What goes wrong in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    Index,
    Division,
    Range,
    Conflict,
}

/// A step: the state after it, or what went wrong.
pub type Outcome = Result<State, Fault>;

/// A variable that is not a constant.
pub struct Slot<'s> {
    /// The process that it belongs to, if any.
    pub owner: Option<usize>,
    pub name: &'s str,
    pub ty: NumberType,
    /// Whether it has an index.
    pub is_array: bool,
    initial: Vec<i32>,
}

/// A constant with its values.
struct Constant<'s> {
    owner: Option<usize>,
    name: &'s str,
    values: Vec<i32>,
}

/// What a name stands for.
enum Named {
    Slot(usize),
    Constant(usize),
}

/// Runs a system.
pub struct Naive<'s> {
    system: &'s System,
    /// The processes without the one that is a property.
    pub processes: Vec<&'s Process>,
    pub variables: Vec<Slot<'s>>,
    constants: Vec<Constant<'s>>,
    /// Whether a value that does not fit is cut, instead of being a fault.
    wrap: bool,
}

impl<'s> Naive<'s> {
    pub fn new(system: &'s System, wrap: bool) -> Self {
        let property = system.property.as_ref().map(|p| p.name.as_str());
        let is_property = |p: &&Process| Some(p.name.name.as_str()) == property;
        let mut naive = Naive {
            system,
            processes: system
                .processes
                .iter()
                .filter(|p| !is_property(p))
                .collect(),
            variables: Vec::new(),
            constants: Vec::new(),
            wrap,
        };
        for variable in &system.variables {
            naive.declare(None, variable);
        }
        for number in 0..naive.processes.len() {
            for variable in &naive.processes[number].variables {
                naive.declare(Some(number), variable);
            }
        }
        naive
    }

    fn declare(&mut self, owner: Option<usize>, variable: &'s Variable) {
        let nowhere = self.nowhere();
        let fold = |e: &Expr| self.eval(&nowhere, owner, e).expect("a constant");
        let length = variable.length.as_ref().map_or(1, |e| fold(e) as usize);
        let mut initial: Vec<i32> = match &variable.init {
            None => Vec::new(),
            Some(Initializer::One(e)) => vec![fold(e)],
            Some(Initializer::List(list, _)) => list.iter().map(fold).collect(),
        };
        initial.resize(length, 0);
        let name = variable.name.name.as_str();
        if variable.constant {
            self.constants.push(Constant {
                owner,
                name,
                values: initial,
            });
        } else {
            self.variables.push(Slot {
                owner,
                name,
                ty: variable.ty,
                is_array: variable.length.is_some(),
                initial,
            });
        }
    }

    /// A state in which only constants have values.
    fn nowhere(&self) -> State {
        State {
            places: Vec::new(),
            values: Vec::new(),
            queues: Vec::new(),
        }
    }

    pub fn initial(&self) -> State {
        let start = |p: &&Process| state_number(p, &p.init.as_ref().expect("init").name);
        State {
            places: self.processes.iter().map(start).collect(),
            values: self.variables.iter().map(|v| v.initial.clone()).collect(),
            queues: vec![Vec::new(); self.system.channels.len()],
        }
    }

    /// How many assertions do not hold in a state.
    pub fn failed_assertions(&self, state: &State) -> usize {
        let mut failed = 0;
        for (number, process) in self.processes.iter().enumerate() {
            for assertion in &process.assertions {
                let here = state.places[number] == state_number(process, &assertion.state.name);
                let value = self.eval(state, Some(number), &assertion.condition);
                failed += usize::from(here && !value.is_ok_and(|v| v != 0));
            }
        }
        failed
    }

    /// All steps from a state. Guards see the state before the step. While its own effects are
    /// carried out a process still stands where it was, but in a rendezvous the sender has moved
    /// before the receiver does anything, and the receiver before the sender's effects.
    pub fn steps(&self, state: &State) -> Vec<Outcome> {
        match self.system.mode {
            Mode::Async => self.single_steps(state),
            Mode::Sync => self.common_steps(state),
        }
    }

    fn single_steps(&self, state: &State) -> Vec<Outcome> {
        let mut out = Vec::new();
        for pid in self.movable(state) {
            for transition in self.transitions(state, pid) {
                if self.waits_for_offer(transition) {
                    continue;
                }
                match self.is_enabled(state, pid, transition) {
                    Ok(false) => {}
                    Err(fault) => out.push(Err(fault)),
                    Ok(true) => self.take(state, pid, transition, &mut out),
                }
            }
        }
        out
    }

    /// The processes that may move: those in committed states, if there is one.
    fn movable(&self, state: &State) -> Vec<usize> {
        let is_committed = |&pid: &usize| {
            let process = self.processes[pid];
            let here = &process.states[state.places[pid]].name;
            process.commit.iter().any(|q| q.name == *here)
        };
        let all = 0..self.processes.len();
        let committed: Vec<usize> = all.clone().filter(is_committed).collect();
        if committed.is_empty() {
            all.collect()
        } else {
            committed
        }
    }

    fn transitions(&self, state: &State, pid: usize) -> impl Iterator<Item = &'s Transition> {
        let process = self.processes[pid];
        let here = &process.states[state.places[pid]].name;
        process
            .transitions
            .iter()
            .filter(move |t| t.source.name == *here)
    }

    fn is_enabled(&self, state: &State, pid: usize, t: &Transition) -> Result<bool, Fault> {
        for guard in &t.guards {
            if self.eval(state, Some(pid), guard)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a transition is the answer to an offer; only then are its guards looked at.
    fn waits_for_offer(&self, t: &Transition) -> bool {
        t.sync.as_ref().is_some_and(|sync| {
            let channel = &self.system.channels[self.channel(&sync.channel.name)];
            channel.capacity == 0 && matches!(sync.message, Message::Receive(_))
        })
    }

    /// Takes a transition whose guards hold, alone or with every possible partner.
    fn take(&self, state: &State, pid: usize, t: &Transition, out: &mut Vec<Outcome>) {
        let Some(sync) = &t.sync else {
            out.push(self.alone(state, pid, t));
            return;
        };
        let channel = self.channel(&sync.channel.name);
        let capacity = self.system.channels[channel].capacity as usize;
        match &sync.message {
            Message::Send(values) if capacity == 0 => {
                match self.message(state, pid, channel, values) {
                    Ok(message) => self.meet(state, pid, t, channel, &message, out),
                    Err(fault) => out.push(Err(fault)),
                }
            }
            Message::Send(values) => {
                if state.queues[channel].len() < capacity {
                    out.push(self.put(state, pid, t, channel, values));
                }
            }
            Message::Receive(places) => {
                if !state.queues[channel].is_empty() {
                    out.push(self.get(state, pid, t, channel, places));
                }
            }
        }
    }

    fn alone(&self, state: &State, pid: usize, t: &Transition) -> Outcome {
        let mut next = state.clone();
        self.apply(&mut next, pid, &t.effects)?;
        self.arrive(&mut next, pid, t);
        Ok(next)
    }

    fn put(
        &self,
        state: &State,
        pid: usize,
        t: &Transition,
        channel: usize,
        values: &[Expr],
    ) -> Outcome {
        let message = self.message(state, pid, channel, values)?;
        let mut next = state.clone();
        next.queues[channel].push(message);
        self.apply(&mut next, pid, &t.effects)?;
        self.arrive(&mut next, pid, t);
        Ok(next)
    }

    fn get(
        &self,
        state: &State,
        pid: usize,
        t: &Transition,
        channel: usize,
        places: &[Place],
    ) -> Outcome {
        let mut next = state.clone();
        let message = next.queues[channel].remove(0);
        self.receive(&mut next, pid, places, &message)?;
        self.apply(&mut next, pid, &t.effects)?;
        self.arrive(&mut next, pid, t);
        Ok(next)
    }

    /// The meetings of a sender with all receivers.
    fn meet(
        &self,
        state: &State,
        sender: usize,
        send: &Transition,
        channel: usize,
        message: &[i32],
        out: &mut Vec<Outcome>,
    ) {
        for receiver in self.movable(state) {
            for t in self.transitions(state, receiver) {
                let Some(sync) = t.sync.as_ref().filter(|_| receiver != sender) else {
                    continue;
                };
                let Message::Receive(places) = &sync.message else {
                    continue;
                };
                if self.channel(&sync.channel.name) != channel {
                    continue;
                }
                let step = || {
                    let mut next = state.clone();
                    self.arrive(&mut next, sender, send);
                    self.receive(&mut next, receiver, places, message)?;
                    self.apply(&mut next, receiver, &t.effects)?;
                    self.arrive(&mut next, receiver, t);
                    self.apply(&mut next, sender, &send.effects)?;
                    Ok(next)
                };
                match self.is_enabled(state, receiver, t) {
                    Ok(false) => {}
                    Ok(true) => out.push(step()),
                    Err(fault) => out.push(Err(fault)),
                }
            }
        }
    }

    /// All combinations of one transition of each process. A guard that has no value counts as one
    /// that holds; the step that takes its transition finds the fault.
    fn common_steps(&self, state: &State) -> Vec<Outcome> {
        let mut choices: Vec<Vec<&Transition>> = vec![Vec::new()];
        for pid in 0..self.processes.len() {
            let can = |t: &&'s Transition| self.is_enabled(state, pid, t).unwrap_or(true);
            let enabled: Vec<&Transition> = self.transitions(state, pid).filter(can).collect();
            let longer = |choice: &Vec<&'s Transition>| {
                let extend = |t: &&'s Transition| [choice.as_slice(), &[*t]].concat();
                enabled.iter().map(extend).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        choices.iter().map(|c| self.together(state, c)).collect()
    }

    /// All processes move, each on a copy of the state before the step; then what they have
    /// changed is put together.
    fn together(&self, state: &State, choice: &[&Transition]) -> Outcome {
        let mut next = state.clone();
        let mut written: Vec<(usize, usize)> = Vec::new();
        for (pid, t) in choice.iter().enumerate() {
            self.is_enabled(state, pid, t)?;
            let mut own = state.clone();
            self.apply(&mut own, pid, &t.effects)?;
            self.arrive(&mut next, pid, t);
            for effect in &t.effects {
                let Named::Slot(slot) = self.named(Some(pid), &effect.target.name.name) else {
                    unreachable!("no effect assigns to a constant");
                };
                if written.iter().any(|&(s, by)| s == slot && by != pid) {
                    return Err(Fault::Conflict);
                }
                written.push((slot, pid));
                next.values[slot].clone_from(&own.values[slot]);
            }
        }
        Ok(next)
    }

    fn arrive(&self, state: &mut State, pid: usize, t: &Transition) {
        state.places[pid] = state_number(self.processes[pid], &t.target.name);
    }

    fn apply(&self, state: &mut State, pid: usize, effects: &[Assignment]) -> Result<(), Fault> {
        for effect in effects {
            let value = self.eval(state, Some(pid), &effect.value)?;
            let (slot, index) = self.locate(state, Some(pid), &effect.target)?;
            self.store(state, slot, index, value)?;
        }
        Ok(())
    }

    fn receive(
        &self,
        state: &mut State,
        pid: usize,
        places: &[Place],
        message: &[i32],
    ) -> Result<(), Fault> {
        for (place, value) in places.iter().zip(message) {
            let (slot, index) = self.locate(state, Some(pid), place)?;
            self.store(state, slot, index, *value)?;
        }
        Ok(())
    }

    fn message(
        &self,
        state: &State,
        pid: usize,
        channel: usize,
        values: &[Expr],
    ) -> Result<Vec<i32>, Fault> {
        let fields = self.system.channels[channel].fields.as_ref();
        let mut message = Vec::new();
        for value in values {
            message.push(self.eval(state, Some(pid), value)?);
        }
        for (number, value) in message.iter_mut().enumerate() {
            if let Some(fields) = fields {
                *value = self.fit(fields[number], *value)?;
            }
        }
        Ok(message)
    }

    fn store(&self, state: &mut State, slot: usize, index: usize, v: i32) -> Result<(), Fault> {
        state.values[slot][index] = self.fit(self.variables[slot].ty, v)?;
        Ok(())
    }

    /// The value as a variable of a type takes it.
    fn fit(&self, ty: NumberType, value: i32) -> Result<i32, Fault> {
        let (least, count) = match ty {
            NumberType::Byte => (0, 256),
            NumberType::Int => (-32768, 65536),
        };
        let fits = least <= value && value < least + count;
        match (fits, self.wrap) {
            (true, _) => Ok(value),
            (false, true) => Ok(least + value.wrapping_sub(least).rem_euclid(count)),
            (false, false) => Err(Fault::Range),
        }
    }

    fn channel(&self, name: &str) -> usize {
        let mut channels = self.system.channels.iter();
        channels
            .position(|c| c.name.name == name)
            .expect("a channel")
    }

    fn process(&self, name: &str) -> usize {
        let mut processes = self.processes.iter();
        processes
            .position(|p| p.name.name == name)
            .expect("a process")
    }

    /// What a name stands for in a process: its own variables come before those of all.
    fn named(&self, owner: Option<usize>, name: &str) -> Named {
        for scope in [owner, None] {
            let slot = |v: &Slot| v.owner == scope && v.name == name;
            if let Some(slot) = self.variables.iter().position(slot) {
                return Named::Slot(slot);
            }
            let constant = |c: &Constant| c.owner == scope && c.name == name;
            if let Some(constant) = self.constants.iter().position(constant) {
                return Named::Constant(constant);
            }
        }
        panic!("no variable {name}")
    }

    fn locate(
        &self,
        state: &State,
        pid: Option<usize>,
        place: &Place,
    ) -> Result<(usize, usize), Fault> {
        let Named::Slot(slot) = self.named(pid, &place.name.name) else {
            panic!("assignment to the constant {}", place.name.name);
        };
        let length = state.values[slot].len();
        Ok((slot, self.index(state, pid, place, length)?))
    }

    fn index(
        &self,
        state: &State,
        pid: Option<usize>,
        place: &Place,
        length: usize,
    ) -> Result<usize, Fault> {
        let Some(index) = &place.index else {
            return Ok(0);
        };
        let index = self.eval(state, pid, index)?;
        let index = usize::try_from(index).map_err(|_| Fault::Index)?;
        if index < length {
            Ok(index)
        } else {
            Err(Fault::Index)
        }
    }

    /// The value of a variable of `owner` whose index is evaluated by `pid`.
    fn load(
        &self,
        state: &State,
        owner: Option<usize>,
        pid: Option<usize>,
        place: &Place,
    ) -> Result<i32, Fault> {
        let values = match self.named(owner, &place.name.name) {
            Named::Slot(slot) => &state.values[slot],
            Named::Constant(constant) => &self.constants[constant].values,
        };
        Ok(values[self.index(state, pid, place, values.len())?])
    }

    /// The value of an expression of a process, or of none.
    pub fn eval(&self, state: &State, pid: Option<usize>, e: &Expr) -> Result<i32, Fault> {
        match &e.kind {
            ExprKind::Number(n) => Ok(*n),
            ExprKind::Bool(b) => Ok(i32::from(*b)),
            ExprKind::Var(place) => self.load(state, pid, pid, place),
            ExprKind::At { process, state: q } => {
                let other = self.process(&process.name);
                let place = state_number(self.processes[other], &q.name);
                Ok(i32::from(state.places[other] == place))
            }
            ExprKind::Remote { process, var } => {
                self.load(state, Some(self.process(&process.name)), pid, var)
            }
            ExprKind::Unary(op, a) => {
                let a = i64::from(self.eval(state, pid, a)?);
                Ok(match op {
                    UnaryOp::Not => i32::from(a == 0),
                    UnaryOp::Minus => wrap(-a),
                    UnaryOp::Complement => wrap(-a - 1),
                })
            }
            ExprKind::Binary(op, a, b) => {
                let first = self.eval(state, pid, a)?;
                let second = || self.eval(state, pid, b);
                match op {
                    BinaryOp::And if first == 0 => Ok(0),
                    BinaryOp::Or if first != 0 => Ok(1),
                    BinaryOp::Imply if first == 0 => Ok(1),
                    _ => operate(*op, first, second()?),
                }
            }
        }
    }
}

/// The number of a state in the list of a process.
fn state_number(process: &Process, name: &str) -> usize {
    let mut states = process.states.iter();
    states.position(|q| q.name == name).expect("a state")
}

/// The number that is left of a larger one in 32 bits.
fn wrap(value: i64) -> i32 {
    let modulus = 1i64 << 32;
    let rest = value.rem_euclid(modulus);
    (if rest >= modulus / 2 {
        rest - modulus
    } else {
        rest
    }) as i32
}

/// An operator with two operands, worked out in wide numbers.
fn operate(op: BinaryOp, a: i32, b: i32) -> Result<i32, Fault> {
    let (x, y) = (i64::from(a), i64::from(b));
    let times = 1i64 << y.rem_euclid(32);
    let truth = |holds: bool| i64::from(holds);
    Ok(wrap(match op {
        BinaryOp::Imply => truth(x == 0 || y != 0),
        BinaryOp::Or => truth(x != 0 || y != 0),
        BinaryOp::And => truth(x != 0 && y != 0),
        BinaryOp::BitOr => x | y,
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitXor => x ^ y,
        BinaryOp::Equal => truth(x == y),
        BinaryOp::NotEqual => truth(x != y),
        BinaryOp::Less => truth(x < y),
        BinaryOp::LessEqual => truth(x <= y),
        BinaryOp::Greater => truth(x > y),
        BinaryOp::GreaterEqual => truth(x >= y),
        BinaryOp::ShiftLeft => x * times,
        BinaryOp::ShiftRight => x.div_euclid(times),
        BinaryOp::Add => x + y,
        BinaryOp::Subtract => x - y,
        BinaryOp::Multiply => x * y,
        BinaryOp::Divide | BinaryOp::Remainder if y == 0 => return Err(Fault::Division),
        BinaryOp::Divide => x / y,
        BinaryOp::Remainder => x % y,
    }))
}
