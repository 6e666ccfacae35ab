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

mod eval;
mod execute;
mod steps;
mod together;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::fault::Fault;
use crate::model::{Model, ProcessType, Transition};
use crate::state::State;

/// A step of one process, of two that meet, or of all (see [`Interpreter::joint`]).
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
    /// What was printed, if output is collected.
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

    fn without_offer(self) -> Self {
        Scene {
            offer: None,
            ..self
        }
    }
}

/// Whether to go on is asked once in so many steps of a long sequence.
pub(crate) const STOP_INTERVAL: u64 = 4096;

/// When long work is cancelled: by Ctrl-C, by the time limit, or by another worker.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    /// Set when the work is cancelled.
    pub stop: Arc<AtomicBool>,
    /// The time at which it is cancelled.
    pub deadline: Option<Instant>,
}

impl Cancel {
    /// Whether the work is cancelled.
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
    has_committed: bool,
    /// Words of the state with the bits of hidden variables and their initial values.
    hidden: Vec<(usize, u32, u32)>,
    /// When it is cancelled, long steps end with [`crate::fault::FaultKind::Interrupted`].
    pub(crate) cancel: Cancel,
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
            has_committed: model.has_committed(),
            hidden: Vec::new(),
            cancel: Cancel::default(),
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

    /// Gives hidden variables their initial values again, when no process has control any more.
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
            self.assign(
                &mut state,
                None,
                &monitor.place,
                monitor.value(monitor.initial),
            )
            .map_err(blame)?;
        }
        for channel in &self.model.fixed_channels {
            state.push_channel(self.model, channel.ty);
        }
        self.apply(&mut state, None, false, &self.model.init, 0, seen)?;
        for start in &self.model.start {
            self.spawn(&mut state, start.process, &[], start.priority, seen)?;
        }
        Ok(state)
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
