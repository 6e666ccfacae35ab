//! Checks an [`AccessTable`] against what the interpreter does, by brute force.
//!
//! Every step from some hundred states is executed, and three things are checked. What has changed
//! must be in the write set. A resource that is neither in the guard's nor in the effects' read set is
//! given another value, and the step must do what it did before. And two steps that are said to be
//! independent are executed in both orders.
//!
//! What a bit of the state belongs to is found out here anew, from the frames, without help of the
//! table.

use std::collections::HashSet;

use lariat_ir::access::{Access, AccessTable, End, Move, Resource};
use lariat_ir::fault::Fault;
use lariat_ir::interpret::{Interpreter, Observed, Step};
use lariat_ir::model::Model;
use lariat_ir::state::State;
use lariat_ir::types::{Frame, Meaning, Scalar, Type};
use lariat_stats::Rng;

/// What was checked.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Steps that were executed.
    pub steps: usize,
    /// Steps that were executed again with a changed resource.
    pub perturbed: usize,
    /// Pairs of steps of different processes that were possible in one state.
    pub pairs: usize,
    /// Those that commute in that state.
    pub commuting: usize,
    /// Those that the table calls independent.
    pub independent: usize,
}

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.steps += other.steps;
        self.perturbed += other.perturbed;
        self.pairs += other.pairs;
        self.commuting += other.commuting;
        self.independent += other.independent;
    }
}

/// Something in a particular state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Global(usize),
    Location(usize),
    Local(usize, usize),
    /// A channel, and at which end it is different, if that can be said.
    Channel(usize, Option<End>),
    /// Processes and channels come and go.
    Table,
}

/// What comes out of a step.
#[derive(Debug, PartialEq)]
struct Outcome {
    state: State,
    control: Option<u32>,
    fault: Option<Fault>,
    seen: Vec<Fault>,
}

/// Checks the table of a model on up to `limit` states; `name` is for messages.
pub fn check(model: &Model, name: &str, rng: &mut Rng, limit: usize) -> Tally {
    let mut checker = Checker {
        model,
        name,
        table: AccessTable::new(model),
        interpreter: Interpreter::new(model),
        rng,
        tally: Tally::default(),
    };
    checker.check_numbering();
    checker.explore(limit);
    checker.tally
}

struct Checker<'a> {
    model: &'a Model,
    name: &'a str,
    table: AccessTable,
    interpreter: Interpreter<'a>,
    rng: &'a mut Rng,
    tally: Tally,
}

impl Checker<'_> {
    fn check_numbering(&self) {
        for number in 0..self.table.resources() {
            assert_eq!(self.table.number(self.table.resource(number)), number);
        }
    }

    fn explore(&mut self, limit: usize) {
        let Ok(initial) = self.interpreter.initial(&mut Observed::default()) else {
            return;
        };
        let mut found = vec![(initial, None)];
        let mut known: HashSet<(Vec<u32>, Option<u32>)> = HashSet::new();
        let mut next = 0;
        while next < found.len().min(limit) {
            let (mut state, mut control) = found[next].clone();
            next += 1;
            let mut steps = self.steps(&state, control);
            if steps.is_empty() && control.is_some() {
                self.interpreter.forget(&mut state);
                control = None;
                steps = self.steps(&state, control);
            }
            for &step in &steps {
                let outcome = self.execute(&state, step);
                self.tally.steps += 1;
                self.check_step(&state, control, step, &outcome);
                if outcome.fault.is_none()
                    && known.insert((outcome.state.words().to_vec(), outcome.control))
                {
                    found.push((outcome.state, outcome.control));
                }
            }
            if control.is_none() {
                self.check_pairs(&state, &steps);
            }
        }
    }

    fn steps(&self, state: &State, only: Option<u32>) -> Vec<Step> {
        let mut steps = Vec::new();
        self.interpreter.steps(state, only, &mut steps);
        steps
    }

    fn execute(&self, state: &State, step: Step) -> Outcome {
        let mut state = state.clone();
        let mut seen = Observed::default();
        let result = self.interpreter.execute(&mut state, step, &mut seen);
        Outcome {
            state,
            control: result.ok().flatten(),
            fault: result.err(),
            seen: seen.faults,
        }
    }

    fn check_step(&mut self, state: &State, control: Option<u32>, step: Step, outcome: &Outcome) {
        let access = self.table.of_move(Move::of(state, step));
        self.check_writes(state, step, &access, outcome);
        for _ in 0..4 {
            self.perturb_variable(state, control, step, &access, outcome);
        }
        self.perturb_location(state, control, step, &access, outcome);
        self.perturb_channel(state, control, step, &access, outcome);
        // One more process.
        let mut changed = state.clone();
        changed.push_process(self.model, self.rng.index(self.model.processes.len()));
        let frame = state.words().len() + 1;
        changed.words_mut()[frame..].fill(0x0101_0101);
        self.compare(
            state,
            changed,
            control,
            step,
            &access,
            Thing::Table,
            outcome,
        );
    }

    fn check_writes(&self, before: &State, step: Step, access: &Access, outcome: &Outcome) {
        if outcome.fault.is_some() {
            return;
        }
        for thing in self.differences(before, &outcome.state) {
            let names = self.names(before, step, thing);
            let written = |r: &Resource| access.writes.contains(self.table.number(*r));
            assert!(
                names.iter().any(written),
                "{}: {step:?} changes {thing:?}, which is not in its write set",
                self.name
            );
        }
    }

    /// By which resources a step may mean a thing.
    fn names(&self, state: &State, step: Step, thing: Thing) -> Vec<Resource> {
        let moves = |pid: usize| {
            step.pid == pid as u32 || step.partner.is_some_and(|(p, _)| p == pid as u32)
        };
        match thing {
            Thing::Global(variable) => vec![Resource::Global(variable)],
            Thing::Location(pid) => {
                let ty = state.process_type(pid);
                let mut names = vec![Resource::RemoteLocation(ty)];
                names.extend(moves(pid).then_some(Resource::Location(ty)));
                names
            }
            Thing::Local(pid, variable) => {
                let ty = state.process_type(pid);
                let mut names = vec![Resource::Remote(ty, variable)];
                names.extend(moves(pid).then_some(Resource::Local(ty, variable)));
                names
            }
            Thing::Channel(channel, end) => {
                let channel = self.table.channel(channel);
                let ends = end.map_or(vec![End::Send, End::Receive], |end| vec![end]);
                ends.into_iter()
                    .map(|end| Resource::Channel(channel, end))
                    .collect()
            }
            Thing::Table => vec![Resource::Table],
        }
    }

    fn differences(&self, a: &State, b: &State) -> Vec<Thing> {
        let mut things = Vec::new();
        for variable in 0..self.model.globals.variables.len() {
            if self.bits(a, &self.model.globals, 0, variable)
                != self.bits(b, &self.model.globals, 0, variable)
            {
                things.push(Thing::Global(variable));
            }
        }
        let common = a.process_count().min(b.process_count());
        for pid in 0..common {
            assert_eq!(a.process_type(pid), b.process_type(pid));
            if a.location(pid) != b.location(pid) {
                things.push(Thing::Location(pid));
            }
            let frame = &self.model.processes[a.process_type(pid)].frame;
            for variable in 0..frame.variables.len() {
                if self.bits(a, frame, a.frame_bit(pid), variable)
                    != self.bits(b, frame, b.frame_bit(pid), variable)
                {
                    things.push(Thing::Local(pid, variable));
                }
            }
        }
        if a.process_count() != b.process_count() || a.channel_count() != b.channel_count() {
            things.push(Thing::Table);
        }
        for channel in 0..a.channel_count().min(b.channel_count()) {
            let (old, new) = (self.messages(a, channel), self.messages(b, channel));
            if old != new {
                let end = if new.starts_with(&old) {
                    Some(End::Send)
                } else if old.ends_with(&new) {
                    Some(End::Receive)
                } else {
                    None
                };
                things.push(Thing::Channel(channel, end));
            }
        }
        // What is left is the order in which processes and channels were created.
        if things.is_empty() && a.words() != b.words() {
            things.push(Thing::Table);
        }
        things
    }

    fn bits(&self, state: &State, frame: &Frame, base: u32, variable: usize) -> Vec<bool> {
        let variable = &frame.variables[variable];
        let size = self.model.records.size(&variable.ty).unwrap().0;
        let first = base + variable.offset;
        (first..first + size)
            .map(|bit| state.words()[(bit / 32) as usize] >> (bit % 32) & 1 != 0)
            .collect()
    }

    fn messages(&self, state: &State, channel: usize) -> Vec<Vec<i32>> {
        let ty = &self.model.channels[state.channel_type(channel)];
        (0..state.channel_length(channel))
            .map(|slot| {
                (0..ty.fields.len())
                    .map(|f| state.field(channel, ty, slot, f))
                    .collect()
            })
            .collect()
    }

    // Reads.

    fn perturb_variable(
        &mut self,
        state: &State,
        control: Option<u32>,
        step: Step,
        access: &Access,
        outcome: &Outcome,
    ) {
        // A random variable: a global one or that of some process.
        let owner = self.rng.index(state.process_count() + 1);
        let pid = owner.checked_sub(1);
        let (frame, base) = match pid {
            None => (&self.model.globals, 0),
            Some(pid) => (
                &self.model.processes[state.process_type(pid)].frame,
                state.frame_bit(pid),
            ),
        };
        if frame.variables.is_empty() {
            return;
        }
        let variable = self.rng.index(frame.variables.len());
        let thing = match pid {
            None => Thing::Global(variable),
            Some(pid) => Thing::Local(pid, variable),
        };
        let mut scalars = Vec::new();
        let declared = &frame.variables[variable];
        self.scalars(&declared.ty, base + declared.offset, &mut scalars);
        let Some(&(scalar, bit)) = self.rng.choose(&scalars) else {
            return;
        };
        // A variable that is said to hold one channel for ever must not be given another.
        if scalar.meaning == Meaning::Channel {
            return;
        }
        let mut changed = state.clone();
        let value = self.rng.next_u32() as i32 >> self.rng.below(32);
        scalar.store(changed.words_mut(), bit, value);
        self.compare(state, changed, control, step, access, thing, outcome);
    }

    fn scalars(&self, ty: &Type, bit: u32, out: &mut Vec<(Scalar, u32)>) {
        match ty {
            Type::Scalar(scalar) => out.push((*scalar, bit)),
            Type::Array(element, length) => {
                let stride = self.model.records.size(element).unwrap().0;
                for index in 0..(*length).min(64) {
                    self.scalars(element, bit + index * stride, out);
                }
            }
            Type::Record(record) => {
                for field in &self.model.records.0[*record].fields {
                    self.scalars(&field.ty, bit + field.offset, out);
                }
            }
        }
    }

    fn perturb_location(
        &mut self,
        state: &State,
        control: Option<u32>,
        step: Step,
        access: &Access,
        outcome: &Outcome,
    ) {
        let pid = self.rng.index(state.process_count());
        let locations = &self.model.processes[state.process_type(pid)].locations;
        let location = self.rng.index(locations.len());
        if locations[location].inside {
            return;
        }
        let mut changed = state.clone();
        changed.set_location(pid, location as u32);
        let thing = Thing::Location(pid);
        self.compare(state, changed, control, step, access, thing, outcome);
    }

    fn perturb_channel(
        &mut self,
        state: &State,
        control: Option<u32>,
        step: Step,
        access: &Access,
        outcome: &Outcome,
    ) {
        if state.channel_count() == 0 {
            return;
        }
        let channel = self.rng.index(state.channel_count());
        let ty = &self.model.channels[state.channel_type(channel)];
        let length = state.channel_length(channel);
        let mut changed = state.clone();
        let end = if self.rng.chance(0.5) {
            if length == ty.capacity as usize {
                return;
            }
            let values: Vec<i32> = ty.fields.iter().map(|_| self.rng.below(4) as i32).collect();
            changed.insert_message(channel, ty, length, &values);
            End::Send
        } else {
            if length == 0 {
                return;
            }
            changed.remove_message(channel, ty, 0);
            End::Receive
        };
        let thing = Thing::Channel(channel, Some(end));
        self.compare(state, changed, control, step, access, thing, outcome);
    }

    /// If the step does not read `thing`, it must do in `changed`, where only that is different,
    /// what it did in `state`.
    #[allow(clippy::too_many_arguments)]
    fn compare(
        &mut self,
        state: &State,
        changed: State,
        control: Option<u32>,
        step: Step,
        access: &Access,
        thing: Thing,
        outcome: &Outcome,
    ) {
        let names = self.names(state, step, thing);
        let reads = |r: &Resource| {
            let number = self.table.number(*r);
            access.reads.contains(number) || access.guard_reads.contains(number)
        };
        if changed == *state || names.iter().any(reads) {
            return;
        }
        self.tally.perturbed += 1;
        let name = self.name;
        let only = control.or((!step.timeout).then_some(step.pid));
        assert!(
            self.steps(&changed, only).contains(&step),
            "{name}: {step:?} depends on {thing:?} to be possible, which is not in its read sets"
        );
        let other = self.execute(&changed, step);
        self.check_writes(&changed, step, access, &other);
        assert_eq!(
            (other.control, other.fault, &other.seen),
            (outcome.control, outcome.fault, &outcome.seen),
            "{name}: {step:?} goes another way with another {thing:?}"
        );
        if outcome.fault.is_some() {
            return;
        }
        for difference in self.differences(&outcome.state, &other.state) {
            let same = match (difference, thing) {
                (Thing::Channel(a, _), Thing::Channel(b, _)) => a == b,
                (a, b) => a == b,
            };
            assert!(
                same,
                "{name}: {step:?} makes another {difference:?} of another {thing:?}"
            );
        }
    }

    // Independence.

    fn check_pairs(&mut self, state: &State, steps: &[Step]) {
        for (index, &a) in steps.iter().enumerate() {
            for &b in &steps[index + 1..] {
                let pids = |s: Step| [Some(s.pid), s.partner.map(|(p, _)| p)];
                let shared = pids(a)
                    .iter()
                    .flatten()
                    .any(|p| pids(b).contains(&Some(*p)));
                if shared {
                    continue;
                }
                self.tally.pairs += 1;
                let commutes = self.commutes(state, a, b);
                self.tally.commuting += usize::from(commutes.is_ok());
                let (x, y) = (Move::of(state, a), Move::of(state, b));
                assert_eq!(self.table.independent(x, y), self.table.independent(y, x));
                if self.table.independent(x, y) {
                    self.tally.independent += 1;
                    if let Err(why) = commutes {
                        panic!("{}: {a:?} and {b:?} are not independent: {why}", self.name);
                    }
                }
            }
        }
    }

    fn commutes(&self, state: &State, a: Step, b: Step) -> Result<(), String> {
        let (first, second) = (self.execute(state, a), self.execute(state, b));
        let ab = self.follow(first, b, &self.execute(state, b))?;
        let ba = self.follow(second, a, &self.execute(state, a))?;
        match (ab, ba) {
            (Some(ab), Some(ba)) if ab.words() != ba.words() => {
                Err(format!("{:?} differ", self.differences(&ab, &ba)))
            }
            _ => Ok(()),
        }
    }

    /// Takes `step` after another, which must be no different from `alone`.
    fn follow(&self, first: Outcome, step: Step, alone: &Outcome) -> Result<Option<State>, String> {
        if first.fault.is_some() {
            return Ok(None);
        }
        let mut state = first.state;
        self.interpreter.forget(&mut state);
        if !self.steps(&state, Some(step.pid)).contains(&step) {
            return Err(format!("{step:?} is disabled"));
        }
        let second = self.execute(&state, step);
        if (second.fault, &second.seen) != (alone.fault, &alone.seen) {
            return Err(format!("{step:?} has other faults"));
        }
        if second.fault.is_some() {
            return Ok(None);
        }
        let mut state = second.state;
        self.interpreter.forget(&mut state);
        Ok(Some(state))
    }
}
