//! The data of compiled code, and the functions that it calls.
//!
//! Compiled functions share a [`Context`]: the position of the next target, the tables of the present state, the
//! message on offer. The functions that they call ([`helpers`]) handle what is rare and loops over processes; the
//! interpreter takes the steps that are not compiled.
//!
//! A function returns the number of edges that it has added, or [`BAIL`] if the interpreter must expand the state
//! from the beginning, or (only the function of an atomic sequence) [`CONTINUE`] if the process has taken a step in
//! place and keeps control. A function that draws returns the number of enabled steps, or, if the wanted step was
//! among them and is taken, [`CONTINUE`] or [`ENDED`].
//!
//! All `unsafe` code of the crate that touches memory is in this module. It relies on these invariants, which the
//! comments cite by name:
//!
//! - **context**: a pointer to a context points to the first field of a [`Runtime`], which has the C layout, and was
//!   made from a pointer to the whole runtime. So it can be cast back. `expand`, `draw` and `evaluate` make it;
//!   compiled code and helpers pass it on.
//! - **exclusive**: while compiled code runs, the runtime is accessed through that pointer alone. `expand`, `draw`
//!   and `evaluate` do not use `self` during the call, and helpers keep no reference to the runtime over a call of
//!   compiled code.
//! - **state**: a state that is given to compiled code is accepted by the model's
//!   [`Validator`](lariat_ir::valid::Validator), has the present width, and has its processes and channels at the
//!   offsets in the tables; only that locations are reachable is not certain. `enter` establishes it for the state
//!   that is expanded and returns `None` for other words; every step preserves it, since the functions of unreachable
//!   locations refuse; `follow` sets the tables to those of a state with other blocks, and restores them.
//! - **location**: the function of a location is called only for a process at this location, with the offset of its
//!   block in the state. Its caller has read the location with `location_at`.
//! - **slack**: a state that is copied has at least [`SLACK`] words of memory, since states are copied in pieces of
//!   that size. `enter`, `branch` and `draw_next` ensure it.
//! - **room**: before a target is written, there is memory for a state of the present width and [`SLACK`] words more
//!   at the cursor, and for one edge at the pointer to edges: compiled code (`Emitter::new_target`) and `take_alone`
//!   compare the pointers with their limits, and call `grow`.
//! - **written**: all words before the cursor and all edges before the pointer to edges are
//!   initialised, and both pointers point into the vectors of the present buffer.
//!
//! A panic must not leave a function that compiled code calls: it cannot unwind through compiled frames. Helpers
//! catch it ([`helpers`]), the expansion ends, and `expand` or `draw` resumes it.
#![allow(unsafe_code)]

mod buffer;
mod conditions;
mod context;
mod helpers;
mod present;

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::Arc;

use lariat_graph::{DRAWN, Expansion, Savepoint, WIDE};
use lariat_ir::fault::FaultKind;
use lariat_ir::interpret::{Cancel, Observed as Seen, Step};
use lariat_ir::space::{MAX_DRAWN_STEPS, ModelSpace};
use lariat_ir::state::State;
use lariat_ir::valid::Limited;
use lariat_stats::Dice;

use conditions::Observed;
use context::{Offer, Raw};
use present::LocationField;

use crate::fair::Fair;
use crate::machine::Code;

pub(crate) use context::{Context, field};
pub(crate) use helpers::{Helper, NO_FUNCTION, slow_function};

/// The state must be expanded by the interpreter.
pub(crate) const BAIL: i32 = -1;
/// The process has taken a step and keeps control.
pub(crate) const CONTINUE: i32 = -2;
/// The wanted step is taken, and the edge has ended.
pub(crate) const ENDED: i32 = -3;
/// The drawn atomic sequence is too long.
const GAVE_UP: i32 = -4;

/// A step number that no step has: steps are only counted.
const NO_STEP: u32 = u32::MAX;

/// The number of words in which states are copied, and of the words that are left free behind targets.
const SLACK: usize = 8;
/// The largest number of fields of a message in a context.
pub(crate) const MAX_FIELDS: usize = 16;
/// The number of steps after which an atomic or indivisible sequence is checked for repetition.
pub(crate) const UNCHECKED_STEPS: u32 = 64;
/// The capacity of a new buffer in words, unless a state has more.
const FIRST_WORDS: usize = 1 << 14;
/// The largest number of nested choices in an atomic sequence.
const MAX_LEVELS: usize = 100;
/// The largest nesting of atomic sequences: each takes some of the stack.
const MAX_SEQUENCES: usize = 200;
/// The number of steps between two checks of the cancellation.
const STOP_INTERVAL: u32 = 4096;

/// A function of a location.
pub(crate) type StepFn = unsafe extern "C" fn(*mut Context, *mut u32, u64, u32) -> i32;
/// A function that evaluates a condition.
pub(crate) type ConditionFn = unsafe extern "C" fn(*mut Context, *const u32) -> i32;

/// A state with a choice inside an atomic sequence.
#[derive(Debug, Default)]
struct Level {
    pid: u32,
    len: usize,
    words: Vec<u32>,
}

/// A process with enabled steps.
#[derive(Clone, Copy, Debug)]
struct Movable {
    /// The function of its location.
    function: StepFn,
    pid: u32,
    /// The number of its enabled steps.
    count: u32,
}

/// An edge that is being drawn.
#[derive(Debug, Default)]
struct Draw {
    /// The processes with enabled steps.
    movable: Vec<Movable>,
    /// The process that keeps control: its byte offset in the state, and its number.
    frame: u64,
    pid: u32,
    /// The steps since the last choice.
    steps: u32,
    /// The state before a step that is not taken in place.
    before: Vec<u32>,
}

/// The result for a state that compiled code was to expand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Its edges were added.
    Done,
    /// No edge was added; the interpreter has to expand it.
    Left,
    /// It is not a state of the model.
    NoState,
}

/// All data of expansions, for one thread.
#[repr(C)]
pub(crate) struct Runtime<'m> {
    context: Context,
    code: Arc<Code<'m>>,
    /// The reference state space, which expands the states that compiled code does not.
    pub(crate) inner: ModelSpace<'m>,
    /// The invariants, and the atoms of a property; `None` for one that the interpreter evaluates. They are functions
    /// of `code`.
    invariants: Vec<Option<ConditionFn>>,
    atoms: Vec<Option<ConditionFn>>,
    /// The buffer of the present expansion.
    out: Raw<Expansion>,
    /// The end of the memory for targets.
    end: Raw<u32>,
    /// A copy of the present state, if it is too short to be copied in pieces.
    short: [u32; SLACK],
    /// The state in which conditions are evaluated.
    observed: Vec<u32>,
    observation: Observed,
    /// Whether to record that a process is at an accept label, and whether one is in the last expanded state.
    pub(crate) records_accepting: bool,
    pub(crate) is_accepting: bool,
    /// Byte offsets of the processes and channels of the present state.
    processes: Vec<u32>,
    channels: Vec<u32>,
    /// The words of the state of these tables.
    scanned: usize,
    /// The validity conditions of all states with the same blocks: of locations, and others.
    location_fields: Vec<LocationField>,
    conditions: Vec<Limited>,
    /// For each process of the last entered state, the number of its location.
    locations: Vec<u32>,
    levels: Vec<Level>,
    depth: usize,
    /// The nesting of atomic sequences.
    sequences: usize,
    draw: Draw,
    reached: Vec<Vec<bool>>,
    rows: Vec<Raw<bool>>,
    remembered: Vec<u32>,
    indivisible_remembered: Vec<u32>,
    // For steps of the interpreter.
    state: State,
    steps: Vec<Step>,
    seen: Seen,
    /// The panic of a helper.
    panic: Option<Box<dyn Any + Send>>,
    pub(crate) memory: usize,
    pub(crate) cancel: Cancel,
    pub(crate) fair: Fair,
}

/// No state has so many words.
const NOTHING_SCANNED: usize = usize::MAX;

impl<'m> Runtime<'m> {
    pub(crate) fn new(code: Arc<Code<'m>>, inner: ModelSpace<'m>) -> Box<Self> {
        let invariants = (inner.checks().invariants.iter())
            .map(|invariant| code.condition(&invariant.condition))
            .collect();
        let mut runtime = Box::new(Runtime {
            context: Context {
                cursor: Raw::NULL,
                limit: Raw::NULL,
                edges: Raw::NULL,
                edges_end: Raw::NULL,
                words: Raw::NULL,
                width: 0,
                last_piece: 0,
                internal_steps: 0,
                channels: Raw::NULL,
                reached: Raw::NULL,
                label: 0,
                process_count: 0,
                channel_count: 0,
                timeout: 0,
                wanted: NO_STEP,
                dice: Raw::NULL,
                offer: Offer::default(),
                message: [0; MAX_FIELDS],
            },
            code,
            inner,
            invariants,
            atoms: Vec::new(),
            out: Raw::NULL,
            end: Raw::NULL,
            short: [0; SLACK],
            observed: Vec::new(),
            observation: Observed::NoState,
            records_accepting: false,
            is_accepting: false,
            processes: Vec::new(),
            channels: Vec::new(),
            scanned: NOTHING_SCANNED,
            location_fields: Vec::new(),
            conditions: Vec::new(),
            locations: Vec::new(),
            levels: Vec::new(),
            depth: 0,
            sequences: 0,
            draw: Draw::default(),
            rows: Vec::new(),
            reached: Vec::new(),
            remembered: Vec::new(),
            indivisible_remembered: Vec::new(),
            state: State::default(),
            steps: Vec::new(),
            seen: Seen::default(),
            panic: None,
            memory: 1 << 30,
            cancel: Cancel::default(),
            fair: Fair::default(),
        });
        let reached = runtime.inner.reached().to_vec();
        runtime.set_reached(reached);
        runtime
    }

    /// A runtime for another thread, with the same code.
    pub(crate) fn twin(&self) -> Box<Self> {
        let mut twin = Runtime::new(Arc::clone(&self.code), self.inner.clone());
        twin.set_reached(self.reached.clone());
        twin.invariants.clone_from(&self.invariants);
        twin.atoms.clone_from(&self.atoms);
        twin.set_state(&self.observed);
        twin.records_accepting = self.records_accepting;
        twin.memory = self.memory;
        twin.cancel = self.cancel.clone();
        twin.fair = self.fair.clone();
        twin
    }

    pub(crate) fn reached(&self) -> &[Vec<bool>] {
        &self.reached
    }

    /// Replaces the sets of reached locations. There must be one for each process type, with an element for each
    /// location.
    fn set_reached(&mut self, reached: Vec<Vec<bool>>) {
        self.reached = reached;
        self.point_at_reached();
    }

    /// Makes the context point at the sets of reached locations. A vector does not move its memory unless it grows,
    /// and these do not.
    fn point_at_reached(&mut self) {
        let rows = self.reached.iter_mut().map(|row| Raw(row.as_mut_ptr()));
        self.rows = rows.collect();
        self.context.reached = Raw(self.rows.as_mut_ptr());
    }

    /// Adds the locations that the interpreter has reached.
    pub(crate) fn add_reached(&mut self) {
        for (ours, theirs) in self.reached.iter_mut().zip(self.inner.reached()) {
            for (our, their) in ours.iter_mut().zip(theirs) {
                *our |= their;
            }
        }
    }

    pub(crate) fn code(&self) -> &Arc<Code<'m>> {
        &self.code
    }

    /// Adds all edges of a state to `out`.
    pub(crate) fn expand(&mut self, state: &[u32], out: &mut Expansion) -> Outcome {
        let Some(source) = self.enter(state) else {
            return Outcome::NoState;
        };
        // SAFETY: `source` comes from `enter`, and `state` outlives the call.
        if !unsafe { self.begin(source, out) } {
            return Outcome::Left;
        }
        let savepoint = out.savepoint();
        self.out = Raw(out);
        let runtime: *mut Self = self;
        // SAFETY: context, exclusive: `runtime` was made from `self`, which is not used during the
        // call. State: `source` comes from `enter`, and nothing is written to it. Written: `begin` has
        // pointed the context at `out`, which is not used during the call either.
        let count = unsafe { helpers::run_all(runtime, source.cast_mut()) };
        self.resume_panic(out, savepoint);
        if count <= 0 {
            out.rewind(savepoint);
            return Outcome::Left;
        }
        // SAFETY: the expansion has ended, and `out` is its buffer.
        unsafe { self.keep_written(out) };
        if state.len() >= WIDE {
            out.set_scratch(self.scratch_bytes());
        }
        Outcome::Done
    }

    /// The bytes of the states that it keeps for itself.
    #[cold]
    fn scratch_bytes(&self) -> usize {
        let levels = self.levels.iter().map(|level| level.words.capacity());
        let words = levels.sum::<usize>()
            + self.observed.capacity()
            + self.draw.before.capacity()
            + self.remembered.capacity()
            + self.indivisible_remembered.capacity();
        words * size_of::<u32>() + self.state.memory_bytes() + self.inner.scratch_bytes()
    }

    /// Draws an edge of a state and adds it to `out`. If the interpreter has to do it, the dice have been used and
    /// must be restored.
    pub(crate) fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) -> Outcome {
        let Some(source) = self.enter(state) else {
            return Outcome::NoState;
        };
        // SAFETY: as in `expand`.
        if !unsafe { self.begin(source, out) } {
            return Outcome::Left;
        }
        let savepoint = out.savepoint();
        self.context.label = DRAWN;
        self.context.dice = Raw(dice);
        self.out = Raw(out);
        let runtime: *mut Self = self;
        // SAFETY: as in `expand`; the dice are not used during the call either.
        let result = unsafe { helpers::draw_edge(runtime, source.cast_mut()) };
        self.context.dice = Raw::NULL;
        self.resume_panic(out, savepoint);
        let too_long = self.context.internal_steps > MAX_DRAWN_STEPS;
        match result {
            // SAFETY: as in `expand`.
            ENDED if !too_long => unsafe { self.keep_written(out) },
            ENDED | GAVE_UP => {
                out.rewind(savepoint);
                out.set_incomplete();
            }
            _ => {
                out.rewind(savepoint);
                return Outcome::Left;
            }
        }
        Outcome::Done
    }

    /// Resumes the panic of a helper, if there was one.
    fn resume_panic(&mut self, out: &mut Expansion, savepoint: Savepoint) {
        self.out = Raw::NULL;
        if let Some(panic) = self.panic.take() {
            out.rewind(savepoint);
            // The tables may be those of another state.
            self.scanned = NOTHING_SCANNED;
            resume_unwind(panic);
        }
    }

    /// Prepares an expansion of the present state; returns whether all invariants certainly hold in it.
    ///
    /// # Safety
    ///
    /// `source` comes from [`enter`](Self::enter), and the state still exists.
    unsafe fn begin(&mut self, source: *const u32, out: &mut Expansion) -> bool {
        for index in 0..self.invariants.len() {
            let holds = match self.invariants[index] {
                // SAFETY: guaranteed by the caller; the condition is a function of `self.code`.
                Some(condition) => unsafe { self.evaluate(source, condition) },
                None => None,
            };
            if holds != Some(true) {
                return false;
            }
        }
        if self.records_accepting {
            let mut locations = self.locations.iter();
            self.is_accepting =
                locations.any(|location| self.code.is_accepting(*location as usize));
        }
        self.context.label = 0;
        self.context.internal_steps = 0;
        self.context.dice = Raw::NULL;
        self.depth = 0;
        self.sequences = 0;
        self.steps.clear();
        self.fair.begin();
        self.reserve(out);
        true
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_over()
    }

    /// Whether a sequence of `steps` steps has returned to a state, or is cancelled (R. P. Brent's cycle detection,
    /// 1980).
    fn must_stop(&self, steps: u32, words: &[u32], remembered: &mut Vec<u32>) -> bool {
        if steps.is_power_of_two() {
            remembered.clear();
            remembered.extend_from_slice(words);
            return false;
        }
        remembered == words || steps.is_multiple_of(STOP_INTERVAL) && self.is_cancelled()
    }
}

impl Runtime<'_> {
    /// Executes a step on `state`, a copy of the words of the present state. Returns the process that keeps control,
    /// or `None` if the step has a fault.
    fn interpret(&mut self, words: &[u32], step: Step) -> Option<Option<u32>> {
        let mut state = std::mem::take(&mut self.state);
        state.load(self.code.facts().model, words);
        let before = state.process_count();
        let interpreter = self.inner.interpreter();
        let result = interpreter.execute(&mut state, step, &mut self.seen);
        let assertions = self.code.facts().assertions;
        let told = |kind| assertions || kind != FaultKind::Assertion;
        let complaint = self.seen.faults.iter().any(|fault| told(fault.kind));
        self.seen.faults.clear();
        self.state = state;
        let control = result.ok().filter(|_| !complaint)?;
        let count = self.state.process_count();
        let partner = step.partner.map(|(pid, _)| pid as usize);
        let moved = [Some(step.pid as usize), partner].into_iter().flatten();
        for pid in moved.filter(|&pid| pid < count).chain(before..count) {
            let location = self.state.location(pid) as usize;
            self.reached[self.state.process_type(pid)][location] = true;
        }
        Some(control)
    }
}

#[cfg(test)]
mod tests;
