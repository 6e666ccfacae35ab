//! What a step does.

use super::steps::Readiness;
use super::{
    CycleWatch, Interpreter, Observed, Offer, STOP_INTERVAL, Scene, Step, existing, scene,
};
use crate::expr::Place;
use crate::fault::{Fault, FaultKind};
use crate::model::{Action, ChannelType, Direction, Effect, LocationId, Pattern};
use crate::state::{MAX_WORDS, State};

impl Interpreter<'_> {
    /// Executes a step that is possible in `state`. Returns the process that keeps control, if one
    /// does. After an error the state is of no use.
    pub fn execute(
        &self,
        state: &mut State,
        step: Step,
        seen: &mut Observed,
    ) -> Result<Option<u32>, Fault> {
        if self.model.synchronous {
            self.execute_joint(state, step.transition, seen)?;
            return Ok(None);
        }
        // Who has control afterwards: in a rendezvous, the receiver.
        let (pid, index) = step.partner.unwrap_or((step.pid, step.transition));
        let process = state.process_type(pid as usize);
        let transition = &self.model.processes[process].transitions[index as usize];
        match step.partner {
            None => self.perform(state, pid as usize, index, step.timeout, None, seen)?,
            Some(_) => {
                self.meet(state, step, pid as usize, index, seen)?;
                self.clear_dead(state, step.pid as usize);
            }
        }
        self.clear_dead(state, pid as usize);
        if let Some(last) = &self.model.last {
            let origin = self.transition_number(process, index);
            self.assign(state, None, last, pid as i32)
                .map_err(|kind| Fault { kind, origin })?;
        }
        // A process that has come to its end has nothing to keep control for.
        let exists = (pid as usize) < state.process_count();
        // What is hidden is forgotten where the source says so, whichever process goes on.
        if !(transition.atomic && exists) {
            self.forget(state);
        }
        let keeps_control = (transition.atomic || transition.merged) && exists;
        Ok(keeps_control.then_some(pid))
    }

    /// Clears what a process that has come to a location will not ask for again.
    pub(super) fn clear_dead(&self, state: &mut State, pid: usize) {
        if pid >= state.process_count() {
            return;
        }
        let process = &self.model.processes[state.process_type(pid)];
        let dead = &process.locations[state.location(pid) as usize].dead;
        let frame = state.frame_bit(pid);
        for (word, mask) in dead {
            state.clear_bits(frame + 32 * word, *mask);
        }
    }

    /// A rendezvous: the send and the receive together.
    pub(super) fn meet(
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
            condition,
            channel,
            values,
            effects,
            ..
        } = &send.action
        else {
            return Err(blame(FaultKind::RendezvousInside));
        };
        let scene = scene(state, Some(sender), step.timeout);
        self.eval(scene, condition).map_err(blame)?;
        let channel = self.channel(scene, channel).map_err(blame)?;
        let ty = self.channel_type(state, channel);
        if values.len() != ty.fields.len() {
            seen.faults.push(blame(FaultKind::MessageShape));
        }
        let values = self.message(scene, values, ty).map_err(blame)?;
        self.check_receiver(state, partner, receive, step.timeout)?;
        self.watch(state, Direction::Send, channel, &values, origin, seen)?;
        state.set_location(sender, send.target);
        let offer = Offer { channel, values };
        self.perform(state, partner, receive, step.timeout, Some(&offer), seen)?;
        self.apply(state, Some(sender), step.timeout, effects, origin, seen)
    }

    /// Complains if the condition of a receiver has no value before the step.
    fn check_receiver(
        &self,
        state: &State,
        pid: usize,
        index: u32,
        timeout: bool,
    ) -> Result<(), Fault> {
        let process = state.process_type(pid);
        let transition = &self.model.processes[process].transitions[index as usize];
        let origin = self.transition_number(process, index);
        match transition.action.condition() {
            Some(condition) => self.eval(scene(state, Some(pid), timeout), condition),
            None => Ok(0),
        }
        .map(|_| ())
        .map_err(|kind| Fault { kind, origin })
    }

    /// Takes a transition of one process. The condition of a receiver was looked at before its sender
    /// moved.
    pub(super) fn perform(
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
        if let Some(condition) = transition.action.condition().filter(|_| offer.is_none()) {
            self.eval(scene, condition).map_err(blame)?;
        }
        match &transition.action {
            Action::Guarded { .. } | Action::Else => {}
            Action::Send {
                channel,
                values,
                sorted,
                ..
            } => {
                let channel = self.channel(scene, channel).map_err(blame)?;
                let ty = self.channel_type(state, channel);
                let raw = self.raw_message(scene, values).map_err(blame)?;
                check_fields(ty, &raw).map_err(blame)?;
                if ty.capacity == 0 {
                    return Err(blame(FaultKind::RendezvousInside));
                }
                if values.len() != ty.fields.len() {
                    seen.faults.push(blame(FaultKind::MessageShape));
                }
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
                ..
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
        let effects = transition.action.effects();
        self.apply(state, Some(pid), timeout, effects, origin, seen)?;
        state.set_location(pid, transition.target);
        Ok(())
    }

    /// Executes an indivisible sequence, to the location behind it or to the end of the process.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn run_inside(
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
            if watch.steps().is_multiple_of(STOP_INTERVAL) && self.cancel.is_over() {
                return blame(FaultKind::Interrupted);
            }
        }
        state.set_location(pid, at);
        Ok(())
    }

    pub(super) fn apply(
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

    pub(super) fn spawn(
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
        self.apply(state, Some(pid), false, &ty.init, 0, seen)?;
        self.clear_dead(state, pid);
        Ok(())
    }

    pub(super) fn assign(
        &self,
        state: &mut State,
        pid: Option<usize>,
        place: &Place,
        value: i32,
    ) -> Result<(), FaultKind> {
        if let Some(bit) = self.locate(scene(state, pid, false), place)? {
            if place.scalar.refuses(value) {
                return Err(FaultKind::ValueOutOfRange);
            }
            place.scalar.store(state.words_mut(), bit, value);
        }
        Ok(())
    }

    pub(super) fn priority(&self, state: &State, pid: usize) -> i32 {
        self.model.processes[state.process_type(pid)]
            .priority
            .as_ref()
            .map_or(1, |place| {
                place
                    .scalar
                    .load(state.words(), state.frame_bit(pid) + place.offset)
            })
    }

    pub(super) fn set_priority(
        &self,
        state: &mut State,
        pid: i32,
        priority: i32,
    ) -> Result<(), FaultKind> {
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
    pub(super) fn watch(
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
        let at = self.load(scene, &monitor.place).map_err(blame)?;
        let last = monitor.locations.iter().position(|l| l.last).unwrap_or(0) as u32;
        let mut next = None;
        let mut ended = false;
        for event in monitor.current(at).flat_map(|l| &l.events) {
            if event.direction == direction
                && is_channel(&event.channel).map_err(blame)?
                && self
                    .matches(scene, &event.pattern, |f| values.get(f).copied())
                    .map_err(blame)?
            {
                ended |= event.target == last;
                next = Some(next.unwrap_or(0) | monitor.value(event.target));
                if !monitor.set {
                    break;
                }
            }
        }
        if monitor.negated && ended || !monitor.negated && next.is_none() {
            seen.faults.push(blame(FaultKind::TraceMismatch));
        }
        let next = match next {
            Some(next) => next,
            None if monitor.negated => monitor.value(last),
            None => return Ok(()),
        };
        self.assign(state, None, &monitor.place, next)
            .map_err(blame)
    }
}

/// Complains of values that do not fit into the fields of a message.
pub(super) fn check_fields(ty: &ChannelType, values: &[i32]) -> Result<(), FaultKind> {
    let mut fields = ty.fields.iter().zip(values);
    match fields.any(|(field, value)| field.refuses(*value)) {
        true => Err(FaultKind::ValueOutOfRange),
        false => Ok(()),
    }
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
