//! Steps in which all processes move ([`Model::synchronous`]).
//!
//! A step is one transition of every process. Each process works on its own copy of the state before
//! the step, so that it sees what it has done itself and nothing of what the others do; then the copies
//! are put together. If some process cannot move, none can.
//!
//! The steps of a state are the combinations of what the processes can do. A [`Step`] has the number
//! of its combination in the place of a transition.
//!
//! [`Model::synchronous`]: crate::model::Model::synchronous

use super::steps::Readiness;
use super::{Interpreter, Observed, Step, scene};
use crate::expr::Owner;
use crate::fault::{Fault, FaultKind};
use crate::model::{Action, Effect};
use crate::state::State;

/// More combinations than this in one state are an error.
const MAX_COMBINATIONS: u64 = 1 << 20;

/// The number of a step that only says that there are too many.
const TOO_MANY: u32 = u32::MAX;

impl Interpreter<'_> {
    /// Appends the steps that all processes can take together.
    pub(super) fn joint_steps(&self, state: &State, out: &mut Vec<Step>) {
        let choices = self.joint_choices(state);
        let combinations = (choices.iter()).fold(1u64, |n, c| n.saturating_mul(c.len() as u64));
        let step = |transition| Step {
            pid: 0,
            transition,
            partner: None,
            timeout: false,
        };
        match combinations {
            0..=MAX_COMBINATIONS if state.process_count() > 0 => {
                out.extend((0..combinations as u32).map(step));
            }
            0..=MAX_COMBINATIONS => {}
            _ => out.push(step(TOO_MANY)),
        }
    }

    /// The transitions of a combination, one for each process.
    pub fn joint(&self, state: &State, combination: u32) -> Option<Vec<u32>> {
        let mut rest = combination as usize;
        let mut transitions = Vec::new();
        for choices in self.joint_choices(state) {
            transitions.push(*choices.get(rest % choices.len().max(1))?);
            rest /= choices.len();
        }
        (rest == 0).then_some(transitions)
    }

    /// What each process can do.
    fn joint_choices(&self, state: &State) -> Vec<Vec<u32>> {
        let of_process = |pid: usize| {
            let scene = scene(state, Some(pid), false);
            let process = &self.model.processes[state.process_type(pid)];
            let mut ready = Vec::new();
            if !self.may_move(scene, pid) {
                return ready;
            }
            self.ready_transitions(scene, process, state.location(pid), |index, readiness| {
                let is_ready = matches!(readiness, Readiness::Yes);
                if is_ready {
                    ready.push(index);
                }
                is_ready
            });
            ready
        };
        (0..state.process_count()).map(of_process).collect()
    }

    /// Executes a step of all processes.
    pub(super) fn execute_joint(
        &self,
        state: &mut State,
        combination: u32,
        seen: &mut Observed,
    ) -> Result<(), Fault> {
        let too_many = Fault {
            kind: FaultKind::StateTooLarge,
            origin: 0,
        };
        let transitions = self.joint(state, combination).ok_or(too_many)?;
        let before = state.clone();
        let mut assigned = vec![false; self.model.globals.variables.len()];
        for (pid, index) in transitions.into_iter().enumerate() {
            let ty = before.process_type(pid);
            let mut after = before.clone();
            self.perform(&mut after, pid, index, false, None, seen)?;
            self.clear_dead(&mut after, pid);
            let frame = &self.model.processes[ty].frame;
            state.copy_bits(&after, after.frame_bit(pid), frame.bits);
            state.set_location(pid, after.location(pid));
            let action = &self.model.processes[ty].transitions[index as usize].action;
            let conflict = Fault {
                kind: FaultKind::WriteConflict,
                origin: self.transition_number(ty, index),
            };
            let written = globals_written(action);
            for &variable in &written {
                if assigned[variable] {
                    return Err(conflict);
                }
                let variable = &self.model.globals.variables[variable];
                let bits = self.model.records.size(&variable.ty).map_or(0, |s| s.0);
                state.copy_bits(&after, variable.offset, bits);
            }
            written.iter().for_each(|&v| assigned[v] = true);
        }
        Ok(())
    }
}

/// The global variables that an action assigns to.
fn globals_written(action: &Action) -> Vec<usize> {
    let written = action.effects().iter().filter_map(|effect| match effect {
        Effect::Assign(place, _) if matches!(place.owner, Owner::Global) => Some(place.variable),
        _ => None,
    });
    written.collect()
}
