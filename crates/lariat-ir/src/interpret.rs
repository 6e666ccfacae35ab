//! The reference interpreter: the meaning of the IR, one step at a time.
//!
//! It is written to be read. It works on the packed state directly, evaluates expressions by
//! walking them, and answers two questions: which steps are possible in a state, and what does a
//! step do. Everything else (searches, simulation, replay of trails, other executors) is built on
//! or judged by these two answers.
//!
//! A rendezvous is one step of two processes: the sender makes an [`Offer`], and each receive
//! statement that accepts it gives one step. While an offer is on the table nothing but a matching
//! receive is enabled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::expr::{Binary, ChannelQuery, Expr, Owner, Place};
use crate::fault::{Fault, FaultKind};
use crate::model::{
    Action, ChannelType, Direction, Effect, LocationId, Model, Pattern, Piece, ProcessType, Style,
    Transition,
};
use crate::state::{MAX_WORDS, State};

/// A step of one process, or of two that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The process that moves.
    pub pid: u32,
    /// The transition that it takes, as an index into its type's list.
    pub transition: u32,
    /// The receiver of a rendezvous and its transition.
    pub partner: Option<(u32, u32)>,
    /// Whether the step was only possible because nothing else was.
    pub timeout: bool,
}

/// What is seen while steps are executed.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Faults after which the run went on.
    pub faults: Vec<Fault>,
    /// What was printed, if anybody listens.
    pub output: Option<String>,
}

/// A message that waits to be taken in the same step.
#[derive(Clone, Debug)]
struct Offer {
    channel: usize,
    values: Vec<i32>,
}

/// The circumstances under which an expression is evaluated.
#[derive(Clone, Copy)]
struct Scene<'a> {
    state: &'a State,
    pid: Option<usize>,
    timeout: bool,
    offer: Option<&'a Offer>,
    /// How many `enabled()` are being evaluated.
    nesting: u32,
}

impl<'a> Scene<'a> {
    fn of_process(self, pid: usize) -> Self {
        Scene {
            pid: Some(pid),
            ..self
        }
    }
}

/// Whether a transition can be taken.
enum Readiness {
    No,
    Yes,
    /// If somebody accepts the message.
    WithPartner(Offer),
}

impl Readiness {
    fn when(condition: bool) -> Self {
        if condition {
            Readiness::Yes
        } else {
            Readiness::No
        }
    }
}

/// `enabled()` inside the guards that `enabled()` looks at is followed this far.
const MAX_NESTING: u32 = 4;
/// Whether to go on is asked once in so many steps of a long sequence.
pub(crate) const STOP_INTERVAL: u64 = 4096;

/// How long somebody is prepared to wait.
#[derive(Clone, Debug, Default)]
pub struct Patience {
    /// Set when it is over.
    pub stop: Arc<AtomicBool>,
    /// When it is over.
    pub deadline: Option<Instant>,
}

impl Patience {
    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

/// Runs a model.
#[derive(Clone, Debug)]
pub struct Interpreter<'m> {
    model: &'m Model,
    /// The first number of the transitions of each process type.
    bases: Vec<u32>,
    uses_timeout: bool,
    /// Words of the state with the bits of hidden variables and their initial values.
    hidden: Vec<(usize, u32, u32)>,
    /// When it is over, long steps end with [`FaultKind::Interrupted`].
    pub(crate) patience: Patience,
}

impl<'m> Interpreter<'m> {
    /// An interpreter for a model.
    pub fn new(model: &'m Model) -> Self {
        let mut next = 1;
        let bases = model
            .processes
            .iter()
            .map(|p| {
                let base = next;
                next += p.transitions.len() as u32;
                base
            })
            .collect();
        let mut interpreter = Interpreter {
            model,
            bases,
            uses_timeout: model.uses_timeout(),
            hidden: Vec::new(),
            patience: Patience::default(),
        };
        interpreter.hidden = interpreter.hidden_bits();
        interpreter
    }

    fn hidden_bits(&self) -> Vec<(usize, u32, u32)> {
        if self.model.hidden.is_empty() {
            return Vec::new();
        }
        let Ok(state) = self.initial(&mut Observed::default()) else {
            return Vec::new();
        };
        let mut masks = vec![0u32; self.model.globals.words()];
        for &index in &self.model.hidden {
            let variable = &self.model.globals.variables[index];
            let size = self.model.records.size(&variable.ty).map_or(0, |s| s.0);
            for bit in variable.offset..variable.offset + size {
                masks[(bit / 32) as usize] |= 1 << (bit % 32);
            }
        }
        let entry = |(word, mask): (usize, u32)| (word, mask, state.words()[word] & mask);
        let masks = masks.into_iter().enumerate();
        masks.filter(|(_, mask)| *mask != 0).map(entry).collect()
    }

    /// Gives hidden variables their initial values again, when nobody has control any more.
    pub fn forget(&self, state: &mut State) {
        for (word, mask, value) in &self.hidden {
            let word = &mut state.words_mut()[*word];
            *word = (*word & !mask) | value;
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The number of a transition by which faults refer to it.
    pub fn transition_number(&self, process: usize, transition: u32) -> u32 {
        self.bases[process] + transition
    }

    /// The process type and transition behind a number.
    pub fn transition(&self, number: u32) -> Option<(&'m ProcessType, &'m Transition)> {
        let process = self
            .bases
            .partition_point(|&b| b <= number)
            .checked_sub(1)?;
        let process_type = &self.model.processes[process];
        let index = (number - self.bases[process]) as usize;
        Some((process_type, process_type.transitions.get(index)?))
    }

    /// The initial state.
    pub fn initial(&self, seen: &mut Observed) -> Result<State, Fault> {
        let mut state = State::empty(self.model);
        let blame = |kind| Fault { kind, origin: 0 };
        if let Some(monitor) = &self.model.monitor {
            self.assign(&mut state, None, &monitor.place, monitor.initial as i32)
                .map_err(blame)?;
        }
        self.apply(&mut state, None, false, &self.model.init, 0, seen)?;
        for start in &self.model.start {
            self.spawn(&mut state, start.process, &[], start.priority, seen)?;
        }
        Ok(state)
    }

    // Which steps are possible.

    /// Appends the steps that are possible in `state`: those of the process `only`, if one is
    /// given, else those of all processes and, if there is none, those that a timeout allows.
    pub fn steps(&self, state: &State, only: Option<u32>, out: &mut Vec<Step>) {
        let before = out.len();
        match only {
            Some(pid) => self.process_steps(state, pid as usize, false, out),
            None => {
                for pid in 0..state.process_count() {
                    self.process_steps(state, pid, false, out);
                }
                if out.len() == before && self.uses_timeout {
                    for pid in 0..state.process_count() {
                        self.process_steps(state, pid, true, out);
                    }
                }
            }
        }
    }

    fn process_steps(&self, state: &State, pid: usize, timeout: bool, out: &mut Vec<Step>) {
        let scene = Scene {
            state,
            pid: Some(pid),
            timeout,
            offer: None,
            nesting: 0,
        };
        if !self.may_move(scene, pid) {
            return;
        }
        let process = &self.model.processes[state.process_type(pid)];
        let at = state.location(pid);
        self.ready_transitions(scene, process, at, |transition, readiness| {
            let step = Step {
                pid: pid as u32,
                transition,
                partner: None,
                timeout,
            };
            match readiness {
                Readiness::No => false,
                Readiness::Yes => {
                    out.push(step);
                    true
                }
                Readiness::WithPartner(offer) => self.push_meetings(scene, &offer, step, out),
            }
        });
    }

    /// Goes through the transitions of a location with regard to rank and `else`. `take` is told
    /// how ready each is and answers whether it can be taken after all.
    fn ready_transitions(
        &self,
        scene: Scene,
        process: &ProcessType,
        at: LocationId,
        mut take: impl FnMut(u32, Readiness) -> bool,
    ) {
        let mut taken_rank = None;
        for &index in &process.locations[at as usize].transitions {
            let transition = &process.transitions[index as usize];
            if taken_rank.is_some_and(|rank| rank > transition.rank) {
                break;
            }
            let readiness = match transition.action {
                Action::Else => Readiness::when(taken_rank.is_none() && scene.offer.is_none()),
                // An error while the guard is evaluated shows when the step is executed.
                _ => self
                    .readiness(scene, process, transition)
                    .unwrap_or(Readiness::Yes),
            };
            if take(index, readiness) {
                taken_rank = Some(transition.rank);
            }
        }
    }

    /// Appends one step per receive statement that accepts the offer.
    fn push_meetings(&self, scene: Scene, offer: &Offer, step: Step, out: &mut Vec<Step>) -> bool {
        let before = out.len();
        for partner in (0..scene.state.process_count()).filter(|&p| Some(p) != scene.pid) {
            let scene = Scene {
                pid: Some(partner),
                offer: Some(offer),
                ..scene
            };
            if !self.is_provided(scene, partner) {
                continue;
            }
            let process = &self.model.processes[scene.state.process_type(partner)];
            let at = scene.state.location(partner);
            self.ready_transitions(scene, process, at, |transition, readiness| {
                let accepts = !matches!(readiness, Readiness::No);
                if accepts {
                    out.push(Step {
                        partner: Some((partner as u32, transition)),
                        ..step
                    });
                }
                accepts
            });
        }
        out.len() > before
    }

    fn is_provided(&self, scene: Scene, pid: usize) -> bool {
        let process = &self.model.processes[scene.state.process_type(pid)];
        process
            .provided
            .as_ref()
            .is_none_or(|e| self.eval(scene.of_process(pid), e).is_ok_and(|v| v != 0))
    }

    /// Whether the process is allowed to move by its `provided` clause and by priorities.
    fn may_move(&self, scene: Scene, pid: usize) -> bool {
        if !self.is_provided(scene, pid) {
            return false;
        }
        if !self.model.priorities {
            return true;
        }
        let own = self.priority(scene.state, pid);
        !(0..scene.state.process_count()).any(|other| {
            other != pid
                && self.priority(scene.state, other) > own
                && self.is_provided(scene, other)
                && self.is_enabled(scene, other)
        })
    }

    /// Whether some transition of the process can be taken; `else` counts as one that can.
    fn is_enabled(&self, scene: Scene, pid: usize) -> bool {
        if scene.nesting >= MAX_NESTING {
            return false;
        }
        let scene = Scene {
            pid: Some(pid),
            offer: None,
            nesting: scene.nesting + 1,
            ..scene
        };
        let process = &self.model.processes[scene.state.process_type(pid)];
        let at = scene.state.location(pid);
        let mut enabled = false;
        let mut meetings = Vec::new();
        self.ready_transitions(scene, process, at, |transition, readiness| {
            let ready = match readiness {
                Readiness::No => false,
                Readiness::Yes => true,
                Readiness::WithPartner(offer) => {
                    let step = Step {
                        pid: pid as u32,
                        transition,
                        partner: None,
                        timeout: scene.timeout,
                    };
                    self.push_meetings(scene, &offer, step, &mut meetings)
                }
            };
            enabled |= ready;
            ready
        });
        enabled
    }

    fn readiness(
        &self,
        scene: Scene,
        process: &ProcessType,
        transition: &Transition,
    ) -> Result<Readiness, FaultKind> {
        match &transition.action {
            Action::Receive {
                channel,
                pattern,
                anywhere,
                peek,
            } => {
                let channel = match self.channel(scene, channel) {
                    // Not the channel of the offer. The error shows in a step of its own.
                    Err(_) if scene.offer.is_some() => return Ok(Readiness::No),
                    channel => channel?,
                };
                let found = self.find_message(scene, channel, pattern, *anywhere, *peek)?;
                Ok(Readiness::when(found.is_some()))
            }
            Action::Indivisible { entry } => {
                let mut ready = false;
                self.ready_transitions(scene, process, *entry, |_, readiness| {
                    let this = !matches!(readiness, Readiness::No);
                    ready |= this;
                    this
                });
                Ok(Readiness::when(ready))
            }
            _ if scene.offer.is_some() => Ok(Readiness::No),
            Action::Guarded { condition, .. } => {
                Ok(Readiness::when(self.eval(scene, condition)? != 0))
            }
            Action::Send {
                channel,
                values,
                lossy,
                ..
            } => {
                let channel = self.channel(scene, channel)?;
                let ty = self.channel_type(scene.state, channel);
                if ty.capacity == 0 {
                    let values = self.message(scene, values, ty)?;
                    return Ok(Readiness::WithPartner(Offer { channel, values }));
                }
                let room = scene.state.channel_length(channel) < ty.capacity as usize;
                Ok(Readiness::when(room || *lossy))
            }
            // Decided by its neighbours; alone it is enabled.
            Action::Else => Ok(Readiness::Yes),
            Action::Terminate => Ok(Readiness::when(
                scene.pid.map(|p| p + 1) == Some(scene.state.process_count()),
            )),
        }
    }

    /// The slot of the message that a receive would take. An offer counts as slot zero.
    fn find_message(
        &self,
        scene: Scene,
        channel: usize,
        pattern: &[Pattern],
        anywhere: bool,
        peek: bool,
    ) -> Result<Option<usize>, FaultKind> {
        let ty = self.channel_type(scene.state, channel);
        if let Some(offer) = scene.offer {
            let accepts = offer.channel == channel
                && !peek
                && self.matches(scene, pattern, |field| offer.values.get(field).copied())?;
            return Ok(accepts.then_some(0));
        }
        if ty.capacity == 0 {
            return if peek {
                Err(FaultKind::PollRendezvous)
            } else {
                Ok(None)
            };
        }
        let length = scene.state.channel_length(channel);
        for slot in 0..if anywhere { length } else { length.min(1) } {
            let field = |f| (f < ty.fields.len()).then(|| scene.state.field(channel, ty, slot, f));
            if self.matches(scene, pattern, field)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    fn matches(
        &self,
        scene: Scene,
        pattern: &[Pattern],
        field: impl Fn(usize) -> Option<i32>,
    ) -> Result<bool, FaultKind> {
        for (index, pattern) in pattern.iter().enumerate() {
            if let Pattern::Equal(expected) = pattern {
                let expected = self.eval(scene, expected)?;
                if field(index).is_some_and(|value| value != expected) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    // What a step does.

    /// Executes a step that is possible in `state`. Returns the process that keeps control, if one
    /// does. After an error the state is of no use.
    pub fn execute(
        &self,
        state: &mut State,
        step: Step,
        seen: &mut Observed,
    ) -> Result<Option<u32>, Fault> {
        // Who has control afterwards: in a rendezvous, the receiver.
        let (pid, index) = step.partner.unwrap_or((step.pid, step.transition));
        let process = state.process_type(pid as usize);
        let atomic = self.model.processes[process].transitions[index as usize].atomic;
        match step.partner {
            None => self.perform(state, pid as usize, index, step.timeout, None, seen)?,
            Some(_) => self.meet(state, step, pid as usize, index, seen)?,
        }
        if let Some(last) = &self.model.last {
            let origin = self.transition_number(process, index);
            self.assign(state, None, last, pid as i32)
                .map_err(|kind| Fault { kind, origin })?;
        }
        // A process that has come to its end has nothing to keep control for.
        let keeps_control = atomic && (pid as usize) < state.process_count();
        if !keeps_control {
            self.forget(state);
        }
        Ok(keeps_control.then_some(pid))
    }

    /// A rendezvous: the send and the receive together.
    fn meet(
        &self,
        state: &mut State,
        step: Step,
        partner: usize,
        receive: u32,
        seen: &mut Observed,
    ) -> Result<(), Fault> {
        let sender = step.pid as usize;
        let sender_type = state.process_type(sender);
        let send = &self.model.processes[sender_type].transitions[step.transition as usize];
        let origin = self.transition_number(sender_type, step.transition);
        let blame = |kind| Fault { kind, origin };
        let Action::Send {
            channel, values, ..
        } = &send.action
        else {
            return Err(blame(FaultKind::RendezvousInside));
        };
        let scene = scene(state, Some(sender), step.timeout);
        let channel = self.channel(scene, channel).map_err(blame)?;
        let ty = self.channel_type(state, channel);
        if values.len() != ty.fields.len() {
            seen.faults.push(blame(FaultKind::MessageShape));
        }
        let values = self.message(scene, values, ty).map_err(blame)?;
        self.watch(state, Direction::Send, channel, &values, origin, seen)?;
        state.set_location(sender, send.target);
        let offer = Offer { channel, values };
        self.perform(state, partner, receive, step.timeout, Some(&offer), seen)
    }

    /// Takes a transition of one process.
    fn perform(
        &self,
        state: &mut State,
        pid: usize,
        index: u32,
        timeout: bool,
        offer: Option<&Offer>,
        seen: &mut Observed,
    ) -> Result<(), Fault> {
        let process_id = state.process_type(pid);
        let process = &self.model.processes[process_id];
        let transition = &process.transitions[index as usize];
        let origin = self.transition_number(process_id, index);
        let blame = |kind| Fault { kind, origin };
        let scene = scene(state, Some(pid), timeout);
        match &transition.action {
            Action::Guarded { condition, effects } => {
                self.eval(scene, condition).map_err(blame)?;
                self.apply(state, Some(pid), timeout, effects, origin, seen)?;
            }
            Action::Send {
                channel,
                values,
                sorted,
                ..
            } => {
                let channel = self.channel(scene, channel).map_err(blame)?;
                let ty = self.channel_type(state, channel);
                if ty.capacity == 0 {
                    return Err(blame(FaultKind::RendezvousInside));
                }
                if values.len() != ty.fields.len() {
                    seen.faults.push(blame(FaultKind::MessageShape));
                }
                let raw = self.raw_message(scene, values).map_err(blame)?;
                // A full channel means that the message is lost.
                if state.channel_length(channel) < ty.capacity as usize {
                    let slot = if *sorted {
                        sorted_slot(state, channel, ty, &raw)
                    } else {
                        state.channel_length(channel)
                    };
                    state.insert_message(channel, ty, slot, &raw);
                    let values: Vec<i32> = (0..ty.fields.len())
                        .map(|f| state.field(channel, ty, slot, f))
                        .collect();
                    self.watch(state, Direction::Send, channel, &values, origin, seen)?;
                }
            }
            Action::Receive {
                channel,
                pattern,
                anywhere,
                peek,
            } => {
                let receiving = Scene { offer, ..scene };
                let channel = self.channel(scene, channel).map_err(blame)?;
                let slot = self
                    .find_message(receiving, channel, pattern, *anywhere, *peek)
                    .map_err(blame)?
                    .ok_or(blame(FaultKind::BlockedInside))?;
                let ty = self.channel_type(state, channel);
                if pattern.len() != ty.fields.len() {
                    seen.faults.push(blame(FaultKind::MessageShape));
                }
                let values: Vec<i32> = match offer {
                    Some(offer) => offer.values.clone(),
                    None => (0..ty.fields.len())
                        .map(|f| state.field(channel, ty, slot, f))
                        .collect(),
                };
                if !*peek {
                    self.watch(state, Direction::Receive, channel, &values, origin, seen)?;
                }
                for (field, pattern) in pattern.iter().enumerate() {
                    if let Pattern::Store(place) = pattern {
                        let value = values.get(field).copied().unwrap_or(0);
                        self.assign(state, Some(pid), place, value).map_err(blame)?;
                    }
                }
                if offer.is_none() && !*peek {
                    state.remove_message(channel, ty, slot);
                }
            }
            Action::Else => {}
            Action::Indivisible { entry } => {
                self.run_inside(state, pid, *entry, timeout, offer, origin, seen)?;
                if state.process_count() <= pid {
                    return Ok(());
                }
            }
            Action::Terminate => {
                state.pop_process();
                return Ok(());
            }
        }
        state.set_location(pid, transition.target);
        Ok(())
    }

    /// Executes an indivisible sequence, to the location behind it or to the end of the process.
    #[allow(clippy::too_many_arguments)]
    fn run_inside(
        &self,
        state: &mut State,
        pid: usize,
        entry: LocationId,
        timeout: bool,
        mut offer: Option<&Offer>,
        origin: u32,
        seen: &mut Observed,
    ) -> Result<(), Fault> {
        let process = &self.model.processes[state.process_type(pid)];
        let mut watch = CycleWatch::default();
        let mut at = entry;
        while process.locations[at as usize].inside {
            let scene = Scene {
                offer,
                ..scene(state, Some(pid), timeout)
            };
            let mut chosen = None;
            self.ready_transitions(scene, process, at, |index, readiness| {
                let ready = !matches!(readiness, Readiness::No);
                if ready && chosen.is_none() {
                    chosen = Some(index);
                }
                ready
            });
            let index = chosen.ok_or(Fault {
                kind: FaultKind::BlockedInside,
                origin,
            })?;
            state.set_location(pid, at);
            self.perform(state, pid, index, timeout, offer, seen)?;
            if pid >= state.process_count() {
                return Ok(());
            }
            at = state.location(pid);
            offer = None;
            let blame = |kind| Err(Fault { kind, origin });
            if watch.is_endless(state.words()) {
                return blame(FaultKind::EndlessSequence);
            }
            if watch.steps().is_multiple_of(STOP_INTERVAL) && self.patience.is_over() {
                return blame(FaultKind::Interrupted);
            }
        }
        state.set_location(pid, at);
        Ok(())
    }

    fn apply(
        &self,
        state: &mut State,
        pid: Option<usize>,
        timeout: bool,
        effects: &[Effect],
        origin: u32,
        seen: &mut Observed,
    ) -> Result<(), Fault> {
        let blame = |kind| Fault { kind, origin };
        for effect in effects {
            let scene = scene(state, pid, timeout);
            match effect {
                Effect::Assign(place, value) => {
                    let value = self.eval(scene, value).map_err(blame)?;
                    self.assign(state, pid, place, value).map_err(blame)?;
                }
                Effect::CreateChannel(place, ty) => {
                    let channel = state.push_channel(self.model, *ty);
                    check_size(state).map_err(blame)?;
                    self.assign(state, pid, place, channel as i32 + 1)
                        .map_err(blame)?;
                }
                Effect::Spawn {
                    when,
                    process,
                    arguments,
                    priority,
                } => {
                    let wanted = match when {
                        Some(e) => self.eval(scene, e).map_err(blame)? != 0,
                        None => true,
                    };
                    if wanted {
                        let arguments = self.raw_message(scene, arguments).map_err(blame)?;
                        self.spawn(state, *process, &arguments, *priority, seen)
                            .map_err(|fault| blame(fault.kind))?;
                    }
                }
                Effect::SetPriority { pid, priority } => {
                    let pid = self.eval(scene, pid).map_err(blame)?;
                    let priority = self.eval(scene, priority).map_err(blame)?;
                    self.set_priority(state, pid, priority).map_err(blame)?;
                }
                Effect::Assert(condition) => {
                    if self.eval(scene, condition).map_err(blame)? == 0 {
                        seen.faults.push(blame(FaultKind::Assertion));
                    }
                }
                Effect::Print(pieces) => {
                    // A search and a replay with open ears must see the same faults.
                    let output = seen.output.as_mut();
                    self.print(scene, pieces, output).map_err(blame)?;
                }
            }
        }
        Ok(())
    }

    fn spawn(
        &self,
        state: &mut State,
        process: usize,
        arguments: &[i32],
        priority: u8,
        seen: &mut Observed,
    ) -> Result<(), Fault> {
        let blame = |kind| Fault { kind, origin: 0 };
        let ty = &self.model.processes[process];
        let pid = state.push_process(self.model, process);
        check_size(state).map_err(blame)?;
        for (place, value) in ty.parameters.iter().zip(arguments) {
            self.assign(state, Some(pid), place, *value)
                .map_err(blame)?;
        }
        if let Some(place) = &ty.priority {
            self.assign(state, Some(pid), place, i32::from(priority))
                .map_err(blame)?;
        }
        self.apply(state, Some(pid), false, &ty.init, 0, seen)
    }

    fn assign(
        &self,
        state: &mut State,
        pid: Option<usize>,
        place: &Place,
        value: i32,
    ) -> Result<(), FaultKind> {
        if let Some(bit) = self.locate(scene(state, pid, false), place)? {
            place.scalar.store(state.words_mut(), bit, value);
        }
        Ok(())
    }

    fn priority(&self, state: &State, pid: usize) -> i32 {
        self.model.processes[state.process_type(pid)]
            .priority
            .as_ref()
            .map_or(1, |place| {
                place
                    .scalar
                    .load(state.words(), state.frame_bit(pid) + place.offset)
            })
    }

    fn set_priority(&self, state: &mut State, pid: i32, priority: i32) -> Result<(), FaultKind> {
        let Some(pid) = existing(state, pid) else {
            return Ok(());
        };
        if !(1..=255).contains(&priority) {
            return Err(FaultKind::BadPriority);
        }
        match &self.model.processes[state.process_type(pid)].priority {
            Some(place) => self.assign(state, Some(pid), place, priority),
            None => Ok(()),
        }
    }

    /// Lets the monitor follow a message event.
    fn watch(
        &self,
        state: &mut State,
        direction: Direction,
        channel: usize,
        values: &[i32],
        origin: u32,
        seen: &mut Observed,
    ) -> Result<(), Fault> {
        let Some(monitor) = &self.model.monitor else {
            return Ok(());
        };
        let blame = |kind| Fault { kind, origin };
        let scene = scene(state, None, false);
        let is_channel = |place: &Place| {
            Ok(self.load(scene, place)? == channel as i32 + 1) as Result<_, FaultKind>
        };
        let mut watched = false;
        for (watched_direction, place) in &monitor.watched {
            watched |= *watched_direction == direction && is_channel(place).map_err(blame)?;
        }
        if !watched {
            return Ok(());
        }
        let at = self.load(scene, &monitor.place).map_err(blame)? as usize;
        let mut target = None;
        for event in &monitor.locations[at].events {
            if event.direction == direction
                && is_channel(&event.channel).map_err(blame)?
                && self
                    .matches(scene, &event.pattern, |f| values.get(f).copied())
                    .map_err(blame)?
            {
                target = Some(event.target);
                break;
            }
        }
        let last = monitor.locations.iter().position(|l| l.last).unwrap_or(0) as u32;
        let next = match (target, monitor.negated) {
            (Some(target), _) => target,
            (None, true) => last,
            (None, false) => {
                seen.faults.push(blame(FaultKind::TraceMismatch));
                return Ok(());
            }
        };
        if monitor.negated && target == Some(last) {
            seen.faults.push(blame(FaultKind::TraceMismatch));
        }
        self.assign(state, None, &monitor.place, next as i32)
            .map_err(blame)
    }

    // Values.

    /// The value of an expression for nobody in particular, as an invariant is evaluated.
    pub fn eval_global(&self, state: &State, e: &Expr) -> Result<i32, FaultKind> {
        self.eval(scene(state, None, false), e)
    }

    fn eval(&self, scene: Scene, e: &Expr) -> Result<i32, FaultKind> {
        match e {
            Expr::Const(value) => Ok(*value),
            Expr::Load(place) => self.load(scene, place),
            Expr::Unary(op, a) => Ok(op.apply(self.eval(scene, a)?)),
            Expr::Binary(Binary::And, a, b) => Ok(i32::from(
                self.eval(scene, a)? != 0 && self.eval(scene, b)? != 0,
            )),
            Expr::Binary(Binary::Or, a, b) => Ok(i32::from(
                self.eval(scene, a)? != 0 || self.eval(scene, b)? != 0,
            )),
            Expr::Binary(op, a, b) => op
                .apply(self.eval(scene, a)?, self.eval(scene, b)?)
                .ok_or(FaultKind::DivisionByZero),
            Expr::Cond(parts) => {
                let [condition, yes, no] = &**parts;
                if self.eval(scene, condition)? != 0 {
                    self.eval(scene, yes)
                } else {
                    self.eval(scene, no)
                }
            }
            Expr::Channel(query, channel) => {
                let channel = self.channel(scene, channel)?;
                let length = scene.state.channel_length(channel);
                let capacity = self.channel_type(scene.state, channel).capacity as usize;
                let full = capacity > 0 && length == capacity;
                Ok(match query {
                    ChannelQuery::Length => length as i32,
                    ChannelQuery::Full => i32::from(full),
                    ChannelQuery::NotFull => i32::from(!full),
                    ChannelQuery::Empty => i32::from(length == 0),
                    ChannelQuery::NotEmpty => i32::from(length > 0),
                })
            }
            Expr::Poll {
                channel,
                pattern,
                anywhere,
            } => {
                let scene = Scene {
                    offer: None,
                    ..scene
                };
                let channel = self.channel(scene, channel)?;
                let found = self.find_message(scene, channel, pattern, *anywhere, true)?;
                Ok(i32::from(found.is_some()))
            }
            Expr::Pid => Ok(scene.pid.map_or(0, |p| p as i32)),
            Expr::ProcessCount => Ok(scene.state.process_count() as i32),
            Expr::Timeout => Ok(i32::from(scene.timeout)),
            Expr::NonProgress => Ok(i32::from(!self.is_progress(scene.state))),
            Expr::Enabled(pid) => {
                let pid = self.eval(scene, pid)?;
                Ok(existing(scene.state, pid)
                    .map_or(0, |pid| i32::from(self.is_enabled(scene, pid))))
            }
            Expr::LocationNumber(pid) => {
                let pid = self.eval(scene, pid)?;
                Ok(existing(scene.state, pid).map_or(0, |pid| {
                    let process = &self.model.processes[scene.state.process_type(pid)];
                    process.locations[scene.state.location(pid) as usize].number as i32
                }))
            }
            Expr::Priority(pid) => {
                let pid = self.eval(scene, pid)?;
                Ok(existing(scene.state, pid).map_or(0, |pid| self.priority(scene.state, pid)))
            }
            Expr::At {
                process,
                pid,
                location,
            } => Ok(self
                .remote(scene, *process, pid.as_deref())?
                .map_or(0, |pid| i32::from(scene.state.location(pid) == *location))),
        }
    }

    fn load(&self, scene: Scene, place: &Place) -> Result<i32, FaultKind> {
        Ok(self
            .locate(scene, place)?
            .map_or(0, |bit| place.scalar.load(scene.state.words(), bit)))
    }

    /// Where a place is in the state, or `None` if its owner does not exist.
    fn locate(&self, scene: Scene, place: &Place) -> Result<Option<u32>, FaultKind> {
        let base = match &place.owner {
            Owner::Global => 0,
            Owner::Local => match scene.pid {
                Some(pid) => scene.state.frame_bit(pid),
                None => return Ok(None),
            },
            Owner::Remote { process, pid } => {
                match self.remote(scene, *process, pid.as_deref())? {
                    Some(pid) => scene.state.frame_bit(pid),
                    None => return Ok(None),
                }
            }
        };
        let mut bit = base + place.offset;
        for index in &place.indices {
            let value = self.eval(scene, &index.value)?;
            if value < 0 || value as u32 >= index.length {
                return Err(FaultKind::IndexOutOfRange);
            }
            bit += value as u32 * index.stride;
        }
        Ok(Some(bit))
    }

    /// The process that a remote reference speaks of, if it exists.
    fn remote(
        &self,
        scene: Scene,
        process: usize,
        pid: Option<&Expr>,
    ) -> Result<Option<usize>, FaultKind> {
        let state = scene.state;
        let found = match pid {
            Some(pid) => existing(state, self.eval(scene, pid)?),
            None => (0..state.process_count()).find(|&p| state.process_type(p) == process),
        };
        Ok(found.filter(|&p| state.process_type(p) == process))
    }

    fn channel(&self, scene: Scene, e: &Expr) -> Result<usize, FaultKind> {
        let value = self.eval(scene, e)?;
        usize::try_from(value)
            .ok()
            .and_then(|v| v.checked_sub(1))
            .filter(|&c| c < scene.state.channel_count())
            .ok_or(FaultKind::NoSuchChannel)
    }

    fn channel_type(&self, state: &State, channel: usize) -> &'m ChannelType {
        &self.model.channels[state.channel_type(channel)]
    }

    /// The fields of a message as they are sent.
    fn raw_message(&self, scene: Scene, values: &[Expr]) -> Result<Vec<i32>, FaultKind> {
        values.iter().map(|e| self.eval(scene, e)).collect()
    }

    /// The fields of a message as the channel holds them.
    fn message(
        &self,
        scene: Scene,
        values: &[Expr],
        ty: &ChannelType,
    ) -> Result<Vec<i32>, FaultKind> {
        let raw = self.raw_message(scene, values)?;
        Ok(ty
            .fields
            .iter()
            .enumerate()
            .map(|(i, field)| field.truncate(raw.get(i).copied().unwrap_or(0)))
            .collect())
    }

    fn is_progress(&self, state: &State) -> bool {
        (0..state.process_count()).any(|pid| {
            self.model.processes[state.process_type(pid)].locations[state.location(pid) as usize]
                .progress
        })
    }

    /// Whether every process stands where it may rest for ever.
    pub fn is_valid_end(&self, state: &State) -> bool {
        (0..state.process_count()).all(|pid| {
            self.model.processes[state.process_type(pid)].locations[state.location(pid) as usize]
                .end
        })
    }

    /// Whether the monitor, if there is one, may rest where it is.
    pub fn is_monitor_at_rest(&self, state: &State) -> bool {
        self.model.monitor.as_ref().is_none_or(|monitor| {
            monitor.negated
                || self
                    .load(scene(state, None, false), &monitor.place)
                    .is_ok_and(|at| monitor.locations[at as usize].end)
        })
    }

    /// Evaluates what is printed; the text is made only if there is a place for it.
    fn print(
        &self,
        scene: Scene,
        pieces: &[Piece],
        mut output: Option<&mut String>,
    ) -> Result<(), FaultKind> {
        for piece in pieces {
            match piece {
                Piece::Text(t) => {
                    if let Some(text) = &mut output {
                        text.push_str(t);
                    }
                }
                Piece::Value(e, style) => {
                    let value = self.eval(scene, e)?;
                    let Some(text) = &mut output else { continue };
                    match style {
                        Style::Decimal => text.push_str(&value.to_string()),
                        Style::Unsigned => text.push_str(&(value as u32).to_string()),
                        Style::Hexadecimal => text.push_str(&format!("{value:x}")),
                        Style::Octal => text.push_str(&format!("{value:o}")),
                        Style::Character => text.push(value as u8 as char),
                        Style::Name(set) => text.push_str(&self.model.value_name(*set, value)),
                    }
                }
            }
        }
        Ok(())
    }
}

fn scene(state: &State, pid: Option<usize>, timeout: bool) -> Scene<'_> {
    Scene {
        state,
        pid,
        timeout,
        offer: None,
        nesting: 0,
    }
}

fn existing(state: &State, pid: i32) -> Option<usize> {
    usize::try_from(pid)
        .ok()
        .filter(|&p| p < state.process_count())
}

fn check_size(state: &State) -> Result<(), FaultKind> {
    if state.words().len() > MAX_WORDS || state.channel_count() >= usize::from(u16::MAX) {
        Err(FaultKind::StateTooLarge)
    } else {
        Ok(())
    }
}

/// Before which message a sorted send puts its message: the first that is greater, field by field.
fn sorted_slot(state: &State, channel: usize, ty: &ChannelType, values: &[i32]) -> usize {
    let length = state.channel_length(channel);
    (0..length)
        .find(|&slot| {
            let existing = (0..ty.fields.len()).map(|f| state.field(channel, ty, slot, f));
            let new = (0..ty.fields.len()).map(|f| values.get(f).copied().unwrap_or(0));
            new.lt(existing)
        })
        .unwrap_or(length)
}

/// Notices that a deterministic run repeats itself (R. P. Brent's cycle finding, 1980): a state is
/// remembered at every power of two and compared with all that follow.
#[derive(Debug, Default)]
pub(crate) struct CycleWatch {
    steps: u64,
    remembered: Vec<u32>,
}

impl CycleWatch {
    /// Tells whether the state after the next step was seen before.
    pub(crate) fn is_endless(&mut self, words: &[u32]) -> bool {
        self.steps += 1;
        if self.steps < 64 {
            return false;
        }
        if self.steps.is_power_of_two() {
            self.remembered.clear();
            self.remembered.extend_from_slice(words);
            return false;
        }
        self.remembered == words
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }
}
