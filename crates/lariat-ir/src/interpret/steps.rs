//! Which steps are possible in a state.

use super::{Interpreter, Offer, Scene, Step};
use crate::fault::FaultKind;
use crate::model::{Action, LocationId, Pattern, ProcessType, Transition};
use crate::state::State;

/// Whether a transition can be taken.
pub(super) enum Readiness {
    No,
    Yes,
    /// If a receiver accepts the message.
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

impl Interpreter<'_> {
    /// Appends the steps that are possible in `state`: those of the process `only`, if one is
    /// given, else those of all processes and, if there is none, those that a timeout allows.
    pub fn steps(&self, state: &State, only: Option<u32>, out: &mut Vec<Step>) {
        if self.model.synchronous {
            return self.joint_steps(state, out);
        }
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

    /// Whether some process can move without a timeout.
    pub(super) fn can_move(&self, state: &State) -> bool {
        let mut steps = Vec::new();
        if self.model.synchronous {
            self.joint_steps(state, &mut steps);
            return !steps.is_empty();
        }
        (0..state.process_count()).any(|pid| {
            self.process_steps(state, pid, false, &mut steps);
            !steps.is_empty()
        })
    }

    pub(super) fn process_steps(
        &self,
        state: &State,
        pid: usize,
        timeout: bool,
        out: &mut Vec<Step>,
    ) {
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
    pub(super) fn ready_transitions(
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
    pub(super) fn push_meetings(
        &self,
        scene: Scene,
        offer: &Offer,
        step: Step,
        out: &mut Vec<Step>,
    ) -> bool {
        let before = out.len();
        for partner in (0..scene.state.process_count()).filter(|&p| Some(p) != scene.pid) {
            let scene = Scene {
                pid: Some(partner),
                offer: Some(offer),
                ..scene
            };
            if !self.is_provided(scene, partner) || !self.may_commit(scene.state, partner) {
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

    pub(super) fn is_provided(&self, scene: Scene, pid: usize) -> bool {
        let process = &self.model.processes[scene.state.process_type(pid)];
        process
            .provided
            .as_ref()
            .is_none_or(|e| self.eval(scene.of_process(pid), e).is_ok_and(|v| v != 0))
    }

    /// Whether the process is allowed to move by its `provided` clause, by committed locations and
    /// by priorities.
    pub(super) fn may_move(&self, scene: Scene, pid: usize) -> bool {
        if !self.is_provided(scene, pid) || !self.may_commit(scene.state, pid) {
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

    /// Whether no other process is committed, or this one is as well.
    fn may_commit(&self, state: &State, pid: usize) -> bool {
        let committed = |pid: usize| {
            let process = &self.model.processes[state.process_type(pid)];
            process.locations[state.location(pid) as usize].committed
        };
        !self.has_committed || committed(pid) || !(0..state.process_count()).any(committed)
    }

    /// Whether some transition of the process can be taken; `else` counts as one that can.
    pub(super) fn is_enabled(&self, scene: Scene, pid: usize) -> bool {
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

    pub(super) fn readiness(
        &self,
        scene: Scene,
        process: &ProcessType,
        transition: &Transition,
    ) -> Result<Readiness, FaultKind> {
        match &transition.action {
            Action::Receive {
                condition,
                channel,
                pattern,
                anywhere,
                peek,
                ..
            } => {
                let channel = match (self.channel(scene, channel), scene.offer) {
                    (Ok(channel), Some(offer)) if channel == offer.channel => channel,
                    // Not the channel of the offer. Errors show in a step of their own.
                    (_, Some(_)) => return Ok(Readiness::No),
                    (channel, None) => channel?,
                };
                let capacity = self.channel_type(scene.state, channel).capacity;
                let never = capacity == 0 && scene.offer.is_none() && !*peek;
                if never || self.eval(scene.without_offer(), condition)? == 0 {
                    return Ok(Readiness::No);
                }
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
                condition,
                channel,
                values,
                lossy,
                ..
            } => {
                if self.eval(scene, condition)? == 0 {
                    return Ok(Readiness::No);
                }
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
    pub(super) fn find_message(
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

    pub(super) fn matches(
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
}
