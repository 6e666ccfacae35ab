//! What compiled code works on, and what it calls.
//!
//! Compiled functions share a [`Context`]: where the next target goes, what the present state looks
//! like, the message on offer. The functions that they call ([`helpers`]) do what is rare or what is
//! a loop over processes; everything that is still more unusual is a step of the interpreter.
//!
//! A function returns how many edges it has added, or [`BAIL`] if the state must be expanded by the
//! interpreter from the beginning, or (only the function of a chain) [`CONTINUE`] if the process has
//! made a step in place and keeps control. A function that draws returns how many steps there are, or,
//! if the one that is wanted was among them and is taken, [`CONTINUE`] or [`ENDED`].
//!
//! All `unsafe` code of the crate that touches memory is in this module. It rests on these facts:
//!
//! - A context is always the beginning of a [`Runtime`] in a box.
//! - While compiled code runs, no Rust reference to the runtime is alive: it is only reached through
//!   the pointer.
//! - A state that is copied has at least [`SLACK`] words of memory, and where it goes there are as
//!   many, because states are copied in pieces of that size.
//! - The function of a location is called only for a process that stands there, with the offset of
//!   its block in the state that it is given.
#![allow(unsafe_code)]

mod helpers;

use std::mem::{offset_of, size_of};
use std::slice;
use std::sync::Arc;

use lariat_graph::product::Propositions;
use lariat_graph::{DRAWN, Edge, Expansion};
use lariat_ir::fault::FaultKind;
use lariat_ir::interpret::{Observed, Patience, Step};
use lariat_ir::space::{MAX_DRAWN_STEPS, ModelSpace};
use lariat_ir::state::State;
use lariat_stats::Dice;

use crate::facts::{CHANNEL, COUNT_MASK, TYPE_SHIFT};
use crate::fair::Fair;
use crate::machine::Code;

pub(crate) use helpers::{Helper, slow_function};

/// The state must be expanded by the interpreter.
pub(crate) const BAIL: i32 = -1;
/// The process has made a step and keeps control.
pub(crate) const CONTINUE: i32 = -2;
/// The step that was wanted is taken, and the edge has ended.
pub(crate) const ENDED: i32 = -3;
/// The chain that was drawn is too long.
const GAVE_UP: i32 = -4;

/// The number of a step that nobody wants: steps are only counted.
const NOBODY: u32 = u32::MAX;

/// The words of a piece in which states are copied, and the memory that is left free behind targets.
const SLACK: usize = 8;
/// The most fields of a message that is handed over in a context.
pub(crate) const MAX_FIELDS: usize = 16;
/// After so many steps a sequence is watched for repetition.
pub(crate) const PATIENT_STEPS: u32 = 64;
/// A new buffer has room for so many words, unless a state has more.
const FIRST_WORDS: usize = 1 << 14;
/// The most choices on the way along a chain.
const MAX_LEVELS: usize = 100;
/// Patience is looked at once in so many steps.
const STOP_INTERVAL: u32 = 4096;

/// A function of a location.
pub(crate) type StepFn = unsafe extern "C" fn(*mut Context, *mut u32, u64, u32) -> i32;
/// A function that evaluates a condition.
pub(crate) type ConditionFn = unsafe extern "C" fn(*mut Context, *const u32) -> i32;

/// What compiled code reads and writes besides states.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// Where the next target begins, and the last place at which one can.
    cursor: *mut u32,
    limit: *mut u32,
    /// Where the next edge goes, and where their memory ends.
    edges: *mut Edge,
    edges_end: *mut Edge,
    /// Where the first target of the buffer begins.
    words: *mut u32,
    /// The bytes of the present state, and where the last piece that is copied begins.
    width: u64,
    last_piece: u64,
    /// Byte offsets of the channels of the present state.
    channels: *const u32,
    /// For each process type, which locations were reached.
    reached: *const *mut bool,
    /// Steps inside edges.
    internal_steps: u64,
    label: u32,
    process_count: u32,
    channel_count: u32,
    /// Whether the step is one that only a timeout allows.
    timeout: u32,
    /// The number of the step that is wanted, for functions that draw.
    wanted: u32,
    /// The dice, if an edge is drawn.
    dice: *mut Dice,
    offer: Offer,
    /// The fields of a message that is sent.
    message: [i32; MAX_FIELDS],
}

/// A message that waits for a partner.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Offer {
    /// Byte offsets of the sender and of its location, and what that is after the step.
    sender_frame: u64,
    sender_count: u64,
    sender_header: u32,
    sender: u32,
    transition: u32,
    /// Whether the sender has something to do after its message was taken.
    finishes: u32,
    channel: u32,
    values: [i32; MAX_FIELDS],
}

/// Where the fields of a context are, for compiled code.
pub(crate) mod field {
    use super::*;

    const OFFER: usize = offset_of!(Context, offer);
    pub(crate) const CURSOR: i32 = offset_of!(Context, cursor) as i32;
    pub(crate) const LIMIT: i32 = offset_of!(Context, limit) as i32;
    pub(crate) const EDGES: i32 = offset_of!(Context, edges) as i32;
    pub(crate) const EDGES_END: i32 = offset_of!(Context, edges_end) as i32;
    pub(crate) const WORDS: i32 = offset_of!(Context, words) as i32;
    pub(crate) const WIDTH: i32 = offset_of!(Context, width) as i32;
    pub(crate) const LAST_PIECE: i32 = offset_of!(Context, last_piece) as i32;
    pub(crate) const INTERNAL_STEPS: i32 = offset_of!(Context, internal_steps) as i32;
    pub(crate) const CHANNELS: i32 = offset_of!(Context, channels) as i32;
    pub(crate) const REACHED: i32 = offset_of!(Context, reached) as i32;
    pub(crate) const LABEL: i32 = offset_of!(Context, label) as i32;
    pub(crate) const PROCESS_COUNT: i32 = offset_of!(Context, process_count) as i32;
    pub(crate) const CHANNEL_COUNT: i32 = offset_of!(Context, channel_count) as i32;
    pub(crate) const TIMEOUT: i32 = offset_of!(Context, timeout) as i32;
    pub(crate) const WANTED: i32 = offset_of!(Context, wanted) as i32;
    pub(crate) const DICE: i32 = offset_of!(Context, dice) as i32;
    pub(crate) const SENDER_COUNT: i32 = (OFFER + offset_of!(Offer, sender_count)) as i32;
    pub(crate) const SENDER_HEADER: i32 = (OFFER + offset_of!(Offer, sender_header)) as i32;
    pub(crate) const SENDER_FINISHES: i32 = (OFFER + offset_of!(Offer, finishes)) as i32;
    pub(crate) const OFFER_CHANNEL: i32 = (OFFER + offset_of!(Offer, channel)) as i32;
    pub(crate) const OFFER_VALUES: i32 = (OFFER + offset_of!(Offer, values)) as i32;
    pub(crate) const MESSAGE: i32 = offset_of!(Context, message) as i32;
    pub(crate) const EDGE_END: i32 = offset_of!(Edge, end) as i32;
    pub(crate) const EDGE_LABEL: i32 = offset_of!(Edge, label) as i32;
    pub(crate) const EDGE_SIZE: i64 = size_of::<Edge>() as i64;
}

/// A state with a choice on the way along a chain.
#[derive(Debug, Default)]
struct Level {
    pid: u32,
    len: usize,
    words: Vec<u32>,
}

/// A process that can move.
#[derive(Clone, Copy, Debug)]
struct Movable {
    /// The function of its location.
    function: StepFn,
    pid: u32,
    /// How many steps it can take.
    count: u32,
}

/// An edge that is being drawn.
#[derive(Debug, Default)]
struct Draw {
    /// The processes that can move.
    movable: Vec<Movable>,
    /// Who keeps control: byte offset in the state, and number.
    frame: u64,
    pid: u32,
    /// The steps since the last choice.
    steps: u32,
    /// The state before a step that is not taken in place.
    before: Vec<u32>,
}

/// Everything that an expansion needs, for one thread.
#[repr(C)]
pub(crate) struct Runtime<'m> {
    context: Context,
    code: Arc<Code<'m>>,
    /// The specification, which expands what compiled code does not.
    pub(crate) inner: ModelSpace<'m>,
    /// The buffer of the present expansion.
    out: *mut Expansion,
    /// Where the memory for targets ends.
    end: *mut u32,
    /// A copy of the present state, if it is too short to be copied in pieces.
    short: [u32; SLACK],
    /// The state that conditions are asked about, and whether it is the present one.
    observed: Vec<u32>,
    is_prepared: bool,
    /// Byte offsets of the processes and channels of the present state.
    processes: Vec<u32>,
    channels: Vec<u32>,
    /// The words of the state for which they were found, and the blocks that it had: their offset
    /// and the part of their header that tells the type.
    scanned: usize,
    blocks: Vec<(u32, u32)>,
    levels: Vec<Level>,
    depth: usize,
    /// How many chains are being followed, one inside another.
    chains: usize,
    draw: Draw,
    reached: Vec<Vec<bool>>,
    rows: Vec<*mut bool>,
    remembered: Vec<u32>,
    inside_remembered: Vec<u32>,
    // For steps of the interpreter.
    state: State,
    steps: Vec<Step>,
    seen: Observed,
    pub(crate) memory: usize,
    pub(crate) patience: Patience,
    pub(crate) fair: Fair,
}

// SAFETY: the pointers of a context point into the runtime's own vectors, or into the buffer of an
// expansion, which is only used while the expansion lasts.
unsafe impl Send for Runtime<'_> {}

impl<'m> Runtime<'m> {
    pub(crate) fn new(code: Arc<Code<'m>>, inner: ModelSpace<'m>) -> Box<Self> {
        let mut runtime = Box::new(Runtime {
            context: Context {
                cursor: std::ptr::null_mut(),
                limit: std::ptr::null_mut(),
                edges: std::ptr::null_mut(),
                edges_end: std::ptr::null_mut(),
                words: std::ptr::null_mut(),
                width: 0,
                last_piece: 0,
                internal_steps: 0,
                channels: std::ptr::null(),
                reached: std::ptr::null(),
                label: 0,
                process_count: 0,
                channel_count: 0,
                timeout: 0,
                wanted: NOBODY,
                dice: std::ptr::null_mut(),
                offer: Offer::default(),
                message: [0; MAX_FIELDS],
            },
            code,
            inner,
            out: std::ptr::null_mut(),
            end: std::ptr::null_mut(),
            short: [0; SLACK],
            observed: Vec::new(),
            is_prepared: false,
            processes: Vec::new(),
            channels: Vec::new(),
            scanned: usize::MAX,
            blocks: Vec::new(),
            levels: Vec::new(),
            depth: 0,
            chains: 0,
            draw: Draw::default(),
            rows: Vec::new(),
            reached: Vec::new(),
            remembered: Vec::new(),
            inside_remembered: Vec::new(),
            state: State::default(),
            steps: Vec::new(),
            seen: Observed::default(),
            memory: 1 << 30,
            patience: Patience::default(),
            fair: Fair::default(),
        });
        let reached = runtime.inner.reached().to_vec();
        runtime.set_reached(reached);
        runtime
    }

    pub(crate) fn reached(&self) -> &[Vec<bool>] {
        &self.reached
    }

    /// Puts other notes about what was reached in the place of the present ones.
    pub(crate) fn set_reached(&mut self, reached: Vec<Vec<bool>>) {
        self.reached = reached;
        // Vectors keep their memory where it is, and nobody makes these longer.
        let rows = self.reached.iter_mut().map(|row| row.as_mut_ptr());
        self.rows = rows.collect();
        self.context.reached = self.rows.as_ptr();
    }

    /// Adds what the interpreter has reached.
    pub(crate) fn take_reached(&mut self) {
        for (ours, theirs) in self.reached.iter_mut().zip(self.inner.reached()) {
            for (our, their) in ours.iter_mut().zip(theirs) {
                *our |= their;
            }
        }
    }

    pub(crate) fn code(&self) -> &Arc<Code<'m>> {
        &self.code
    }

    /// Adds all edges of a state to `out`. Nothing is added, and the answer is no, if the interpreter
    /// has to do it.
    pub(crate) fn expand(&mut self, state: &[u32], out: &mut Expansion) -> bool {
        let mark = out.mark();
        let source = self.begin(state, out);
        let runtime: *mut Self = self;
        // SAFETY: `begin` has made all pointers of the context valid, `state` and `out` outlive the
        // calls, `self` is not used while they last, and nobody writes to the source.
        let count = unsafe { helpers::run_all(runtime, source.cast_mut()) };
        self.out = std::ptr::null_mut();
        self.depth = 0;
        self.chains = 0;
        self.steps.clear();
        if count <= 0 {
            out.rewind(mark);
            return false;
        }
        self.keep_written(out);
        true
    }

    /// Draws an edge of a state and adds it to `out`. Nothing is added, and the answer is no, if the
    /// interpreter has to do it; then the dice are of no use any more.
    pub(crate) fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) -> bool {
        let mark = out.mark();
        let source = self.begin(state, out);
        self.context.label = DRAWN;
        self.context.dice = dice;
        let runtime: *mut Self = self;
        // SAFETY: as in `expand`; the dice outlive the calls, too.
        let result = unsafe { helpers::draw_edge(runtime, source.cast_mut()) };
        self.context.dice = std::ptr::null_mut();
        self.out = std::ptr::null_mut();
        self.chains = 0;
        let too_long = self.context.internal_steps > MAX_DRAWN_STEPS;
        match result {
            ENDED if !too_long => self.keep_written(out),
            ENDED | GAVE_UP => {
                out.rewind(mark);
                out.set_incomplete();
            }
            _ => {
                out.rewind(mark);
                return false;
            }
        }
        true
    }

    /// Makes what compiled code has written part of `out`.
    fn keep_written(&mut self, out: &mut Expansion) {
        let parts = out.parts();
        // SAFETY: compiled code has written all words and edges up to its pointers, which point into
        // these vectors, within their capacity.
        unsafe {
            let words = self.context.cursor.offset_from(parts.words.as_ptr()) as usize;
            parts.words.set_len(words);
            let edges = self.context.edges.offset_from(parts.edges.as_ptr()) as usize;
            parts.edges.set_len(edges);
        }
        out.fill_marks();
        out.count_internal_steps(self.context.internal_steps);
    }

    /// Makes a state the one that conditions are asked about.
    pub(crate) fn look(&mut self, state: &[u32]) {
        self.observed.clear();
        self.observed.extend_from_slice(state);
        self.is_prepared = false;
    }

    /// Whether a condition holds in the state that was looked at last; nothing if the interpreter has
    /// to say.
    pub(crate) fn holds(&mut self, condition: ConditionFn) -> Option<bool> {
        if !self.is_prepared {
            let facts = self.code.facts();
            let least = match facts.placed {
                Some((_, words)) => words,
                None => facts.model.globals.words(),
            };
            if self.observed.len() < least {
                return None;
            }
            let observed = std::mem::take(&mut self.observed);
            self.take_source(&observed);
            self.observed = observed;
            self.is_prepared = true;
        }
        self.ask(self.observed.as_ptr(), condition)
    }

    /// Whether all conditions certainly hold in a state.
    pub(crate) fn all_hold(&mut self, state: &[u32], conditions: &[Option<ConditionFn>]) -> bool {
        if conditions.is_empty() {
            return true;
        }
        let source = self.take_source(state);
        let mut conditions = conditions.iter();
        conditions.all(|c| c.and_then(|c| self.ask(source, c)) == Some(true))
    }

    /// Whether a condition holds in the present state.
    fn ask(&mut self, state: *const u32, condition: ConditionFn) -> Option<bool> {
        let runtime: *mut Self = self;
        // SAFETY: the function was compiled for conditions of this model. It only reads the state, and
        // the tables of the context are those of the state.
        match unsafe { condition(runtime.cast(), state) } {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Makes the interpreter look at the same state.
    pub(crate) fn look_with_interpreter(&mut self) {
        self.inner.look(&self.observed);
    }

    /// Whether a process stands at an accept label in the state that was expanded last.
    pub(crate) fn is_accepting(&self, state: &[u32]) -> bool {
        let mut processes = 0..self.processes.len();
        processes.any(|pid| {
            self.code
                .is_accepting(self.location_at(state.as_ptr(), pid))
        })
    }

    /// Makes a state the present one and returns where it can be read.
    fn take_source(&mut self, state: &[u32]) -> *const u32 {
        self.is_prepared = false;
        self.context.width = state.len() as u64 * 4;
        if !self.is_like_before(state) {
            self.scan(state);
            self.point();
        }
        if state.len() >= SLACK {
            return state.as_ptr();
        }
        // A few words, for which a loop is quicker than a call.
        for (index, word) in self.short.iter_mut().enumerate() {
            *word = state.get(index).copied().unwrap_or(0);
        }
        self.short.as_ptr()
    }

    /// Whether a state has the same processes and channels as the one before it.
    fn is_like_before(&self, state: &[u32]) -> bool {
        if self.scanned != state.len() {
            return false;
        }
        let same = |(at, ty): &(u32, u32)| state[*at as usize] >> TYPE_SHIFT == *ty;
        // If nothing is ever created, the length says it all.
        !self.code.facts().creates || self.blocks.iter().all(same)
    }

    fn begin(&mut self, state: &[u32], out: &mut Expansion) -> *const u32 {
        let source = self.take_source(state);
        self.context.label = 0;
        self.context.internal_steps = 0;
        self.fair.begin();
        self.out = out;
        self.reserve(out);
        source
    }

    /// Finds the processes and channels of a state.
    fn scan(&mut self, words: &[u32]) {
        let facts = self.code.facts();
        self.processes.clear();
        self.channels.clear();
        self.blocks.clear();
        self.scanned = words.len();
        if let Some((placed, _)) = &facts.placed {
            self.processes.extend(placed.iter().map(|p| p.at));
            self.channels.extend(facts.fixed.iter().map(|c| c.0));
            return;
        }
        let mut at = facts.model.globals.words();
        while let Some(&header) = words.get(at) {
            self.blocks.push((at as u32, header >> TYPE_SHIFT));
            let ty = ((header & !CHANNEL) >> TYPE_SHIFT) as usize;
            if header & CHANNEL != 0 {
                self.channels.push(at as u32 * 4);
                at += facts.channel_words[ty] as usize;
            } else {
                self.processes.push(at as u32 * 4);
                at += facts.process_words[ty] as usize;
            }
        }
    }

    fn point(&mut self) {
        self.context.channels = self.channels.as_ptr();
        self.context.process_count = self.processes.len() as u32;
        self.context.channel_count = self.channels.len() as u32;
    }

    /// Makes room for more targets and points the context at it. All that was written so far counts
    /// as part of the vectors.
    fn reserve(&mut self, out: &mut Expansion) {
        let width = self.context.width as usize / 4 + SLACK;
        let parts = out.parts();
        // For many small targets, or for a large one.
        let room = (32 * width).min(FIRST_WORDS).max(width);
        parts.words.reserve(parts.words.len().max(room));
        parts.edges.reserve(parts.edges.len().max(32));
        let words = parts.words.as_mut_ptr();
        let edges = parts.edges.as_mut_ptr();
        // SAFETY: both stay within the capacity of their vector, which was just reserved.
        unsafe {
            self.context.cursor = words.add(parts.words.len());
            self.end = words.add(parts.words.capacity());
            self.context.edges = edges.add(parts.edges.len());
            self.context.edges_end = edges.add(parts.edges.capacity());
        }
        self.context.words = words;
        self.set_width(self.context.width as usize / 4);
    }

    /// The present state has so many words; a target must have room for as many.
    fn set_width(&mut self, words: usize) {
        self.context.width = words as u64 * 4;
        self.context.last_piece = (words.max(SLACK) - SLACK) as u64 * 4;
        self.context.limit = self.end.wrapping_sub(words + SLACK);
    }

    /// Edges that were added in this expansion.
    fn edge_count(&self) -> usize {
        self.context.label as usize
    }

    fn words_at(&self, state: *const u32) -> &[u32] {
        // SAFETY: compiled code hands out only addresses of states of the present width.
        unsafe { slice::from_raw_parts(state, self.context.width as usize / 4) }
    }

    /// Ends an edge whose target is at the cursor.
    fn finish_edge(&mut self, width: usize) {
        let context = &mut self.context;
        // SAFETY: room for the target and the edge was reserved before it was written.
        unsafe {
            context.cursor = context.cursor.add(width);
            let end = context.cursor.offset_from(context.words) as usize;
            let label = context.label;
            context.edges.write(Edge { end, label });
            context.edges = context.edges.add(1);
        }
        context.label += 1;
    }

    fn forget_hidden(&mut self) {
        for &(word, mask, value) in &self.code.facts().hidden {
            // SAFETY: the target at the cursor is a state, and hidden variables are global.
            unsafe {
                let word = self.context.cursor.add(word as usize);
                *word = (*word & !mask) | value;
            }
        }
    }

    /// The number of the location at which a process of a state stands.
    fn location_at(&self, state: *const u32, pid: usize) -> usize {
        let facts = self.code.facts();
        if let Some((placed, _)) = &facts.placed {
            // SAFETY: there are as many processes in the tables as in the layout, and each has its
            // location in the state.
            return unsafe {
                let process = placed.get_unchecked(pid);
                let count = state.cast::<u8>().add(process.count as usize);
                let location = match facts.count_bits {
                    8 => u32::from(*count),
                    16 => u32::from(count.cast::<u16>().read_unaligned()),
                    _ => count.cast::<u32>().read_unaligned(),
                };
                (process.base + location) as usize
            };
        }
        // SAFETY: the table has the byte offset of the process in the state.
        let header = unsafe { *state.byte_add(*self.processes.get_unchecked(pid) as usize) };
        // SAFETY: the header of a process has one of the types of the model.
        let base = unsafe { *facts.bases.get_unchecked((header >> TYPE_SHIFT) as usize) };
        (base + (header & COUNT_MASK)) as usize
    }

    fn is_restless(&self) -> bool {
        self.patience.is_over()
    }

    /// Whether a sequence that has made so many steps repeats itself, or nobody wants to wait for its
    /// end (R. P. Brent's cycle finding, 1980).
    fn must_stop(&self, steps: u32, state: *const u32, remembered: &mut Vec<u32>) -> bool {
        let words = self.words_at(state);
        if steps.is_power_of_two() {
            remembered.clear();
            remembered.extend_from_slice(words);
            return false;
        }
        remembered == words || steps.is_multiple_of(STOP_INTERVAL) && self.is_restless()
    }
}

impl Runtime<'_> {
    /// Executes a step on `state`, a copy of what is at `source`. Returns who keeps control, or
    /// nothing if something is to be said about it.
    fn interpret(&mut self, source: *const u32, step: Step) -> Option<Option<u32>> {
        let mut state = std::mem::take(&mut self.state);
        state.load(self.code.facts().model, self.words_at(source));
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
