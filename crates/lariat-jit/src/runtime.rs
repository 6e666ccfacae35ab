//! What compiled code works on, and what it calls.
//!
//! Compiled functions share a [`Context`]: where the next target goes, what the present state looks
//! like, the message on offer. The functions here that they call do what is rare or what is a loop
//! over processes; everything that is still more unusual is a step of the interpreter.
//!
//! A function returns how many edges it has added, or [`BAIL`] if the state must be expanded by the
//! interpreter from the beginning, or (only the function of a chain) [`CONTINUE`] if the process has
//! made a step in place and keeps control.
//!
//! All `unsafe` code of the crate that touches memory is in this file. It rests on these facts:
//! a context is always the beginning of a [`Runtime`] in a box; while compiled code runs, no Rust
//! reference to the runtime is alive, since it is only reached through the pointer; a state that is
//! copied has at least [`SLACK`] words of memory, and where it goes there are as many, because states
//! are copied in pieces of that size; and functions are called with the addresses of process blocks in the state that they are given.
#![allow(unsafe_code)]

use std::mem::{offset_of, size_of};
use std::slice;
use std::sync::Arc;

use lariat_graph::{Edge, Expansion};
use lariat_ir::fault::FaultKind;
use lariat_ir::interpret::{Observed, Patience, Step};
use lariat_ir::model::ChannelType;
use lariat_ir::space::ModelSpace;
use lariat_ir::state::State;

use crate::emit::Kind;
use crate::facts::{CHANNEL, COUNT_MASK, TYPE_SHIFT};
use crate::machine::Code;

/// The state must be expanded by the interpreter.
pub(crate) const BAIL: i32 = -1;
/// The process has made a step and keeps control.
pub(crate) const CONTINUE: i32 = -2;

/// The words of a piece in which states are copied, and the memory that is left free behind targets.
const SLACK: usize = 8;
/// The most fields of a message that is handed over in a context.
pub(crate) const MAX_FIELDS: usize = 16;
/// After so many steps a sequence is watched for repetition.
pub(crate) const PATIENT_STEPS: u32 = 64;
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
    /// Word offsets of the channels of the present state.
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
    offer: Offer,
    /// The fields of a message that is sent.
    message: [i32; MAX_FIELDS],
}

/// A message that waits for a partner.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Offer {
    /// Byte offset of the sender, and its header after the step.
    sender_frame: u64,
    sender_header: u32,
    sender: u32,
    transition: u32,
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
    pub(crate) const SENDER_FRAME: i32 = (OFFER + offset_of!(Offer, sender_frame)) as i32;
    pub(crate) const SENDER_HEADER: i32 = (OFFER + offset_of!(Offer, sender_header)) as i32;
    pub(crate) const OFFER_CHANNEL: i32 = (OFFER + offset_of!(Offer, channel)) as i32;
    pub(crate) const OFFER_VALUES: i32 = (OFFER + offset_of!(Offer, values)) as i32;
    pub(crate) const MESSAGE: i32 = offset_of!(Context, message) as i32;
    pub(crate) const EDGE_END: i32 = offset_of!(Edge, end) as i32;
    pub(crate) const EDGE_LABEL: i32 = offset_of!(Edge, label) as i32;
    pub(crate) const EDGE_SIZE: i64 = size_of::<Edge>() as i64;
}

/// The functions that compiled code calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    Chain,
    ChainOfReceiver,
    Branch,
    Meet,
    Grow,
    SlowStep,
    SlowReceive,
    FindProcess,
    NonProgress,
    InsideWatch,
    RemoveMessage,
    ClearSender,
    InsertMessage,
}

impl Helper {
    pub(crate) fn address(self) -> usize {
        match self {
            Helper::Chain => chain as *const () as usize,
            Helper::ChainOfReceiver => chain_of_receiver as *const () as usize,
            Helper::Branch => branch as *const () as usize,
            Helper::Meet => meet as *const () as usize,
            Helper::Grow => grow as *const () as usize,
            Helper::SlowStep => slow_step as *const () as usize,
            Helper::SlowReceive => slow_receive as *const () as usize,
            Helper::FindProcess => find_process as *const () as usize,
            Helper::NonProgress => non_progress as *const () as usize,
            Helper::InsideWatch => inside_watch as *const () as usize,
            Helper::RemoveMessage => remove_message as *const () as usize,
            Helper::InsertMessage => insert_message as *const () as usize,
            Helper::ClearSender => clear_sender as *const () as usize,
        }
    }
}

/// The function of a location for which there is no code.
pub(crate) fn slow_function(kind: Kind) -> StepFn {
    match kind {
        Kind::Expand => slow_expand,
        Kind::Chain => branch,
        Kind::Offer => refuse,
    }
}

/// A state with a choice on the way along a chain.
#[derive(Debug, Default)]
struct Level {
    pid: u32,
    len: usize,
    words: Vec<u32>,
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
    short: Vec<u32>,
    /// Word offsets of the processes and channels of the present state.
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

/// Who moves on which edge, and who can, if fairness asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fair {
    /// How many processes are looked after; none if nobody asks.
    pub(crate) processes: usize,
    movers: Vec<u64>,
    pub(crate) enabled: Vec<u64>,
    /// For stretches of edges, their end and who moved on them.
    pub(crate) stretches: Vec<(usize, Box<[u64]>)>,
}

impl Fair {
    pub(crate) fn new(processes: usize) -> Self {
        Fair {
            processes,
            movers: vec![0; processes.div_ceil(64)],
            enabled: vec![0; processes.div_ceil(64)],
            stretches: Vec::new(),
        }
    }

    fn begin(&mut self) {
        self.enabled.fill(0);
        self.stretches.clear();
    }

    /// Ends the stretch of edges on which the same processes moved.
    fn flush(&mut self, edges: usize) {
        let before = self.stretches.last().map_or(0, |(end, _)| *end);
        if self.processes > 0 && edges > before {
            let movers = self.movers.as_slice().into();
            self.stretches.push((edges, movers));
        }
    }

    fn set(row: &mut [u64], pid: usize, on: bool) -> bool {
        let Some(word) = row.get_mut(pid / 64) else {
            return false;
        };
        let bit = 1 << (pid % 64);
        let before = *word & bit != 0;
        *word = if on { *word | bit } else { *word & !bit };
        before
    }
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
                offer: Offer::default(),
                message: [0; MAX_FIELDS],
            },
            code,
            inner,
            out: std::ptr::null_mut(),
            end: std::ptr::null_mut(),
            short: Vec::new(),
            processes: Vec::new(),
            channels: Vec::new(),
            scanned: usize::MAX,
            blocks: Vec::new(),
            levels: Vec::new(),
            depth: 0,
            chains: 0,
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
        let count = unsafe { run_all(runtime, source.cast_mut()) };
        let used = self.context.cursor;
        self.out = std::ptr::null_mut();
        self.depth = 0;
        self.chains = 0;
        if count <= 0 {
            out.rewind(mark);
            return false;
        }
        let parts = out.parts();
        // SAFETY: compiled code has written all words and edges up to its pointers, which point into
        // these vectors, within their capacity.
        unsafe {
            let words = used.offset_from(parts.words.as_ptr()) as usize;
            parts.words.set_len(words);
            let edges = self.context.edges.offset_from(parts.edges.as_ptr()) as usize;
            parts.edges.set_len(edges);
        }
        out.fill_marks();
        out.count_internal_steps(self.context.internal_steps);
        true
    }

    /// Whether a condition holds in a state; nothing if the interpreter has to say.
    pub(crate) fn holds(&mut self, state: &[u32], condition: ConditionFn) -> Option<bool> {
        let source = self.take_source(state);
        let runtime: *mut Self = self;
        // SAFETY: the function was compiled for conditions of this model, and only reads the state.
        let answer = unsafe { condition(runtime.cast(), source) };
        match answer {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Makes a state the present one and returns where it can be read.
    fn take_source(&mut self, state: &[u32]) -> *const u32 {
        self.context.width = state.len() as u64 * 4;
        if !self.is_like_before(state) {
            self.scan(state);
            self.point();
        }
        if state.len() >= SLACK {
            return state.as_ptr();
        }
        self.short.clear();
        self.short.extend_from_slice(state);
        self.short.resize(SLACK, 0);
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
        let mut at = facts.model.globals.words();
        while let Some(&header) = words.get(at) {
            self.blocks.push((at as u32, header >> TYPE_SHIFT));
            let ty = ((header & !CHANNEL) >> TYPE_SHIFT) as usize;
            if header & CHANNEL != 0 {
                self.channels.push(at as u32);
                at += facts.channel_words[ty] as usize;
            } else {
                self.processes.push(at as u32);
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
        parts.words.reserve(parts.words.len().max(32 * width));
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
    fn location_at(&self, state: *const u32, frame: u64) -> usize {
        // SAFETY: `frame` is the byte offset of a process in the state.
        let header = unsafe { *state.add(frame as usize / 4) };
        // SAFETY: the header of a process has one of the types of the model.
        let base =
            unsafe { *(self.code.facts().bases).get_unchecked((header >> TYPE_SHIFT) as usize) };
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

/// Runs all processes of the present state, and again with a timeout if none can move.
///
/// # Safety
///
/// The runtime must have been prepared for an expansion.
unsafe fn run_all(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: see above; no reference outlives a statement.
    unsafe {
        let count = run_processes(runtime, source, 0);
        if count == 0 && (*runtime).code.facts().uses_timeout {
            return run_processes(runtime, source, 1);
        }
        count
    }
}

unsafe fn run_processes(runtime: *mut Runtime, source: *mut u32, timeout: u32) -> i32 {
    // SAFETY: as for `run_all`. The tables of processes and the source do not change: what changes
    // them inside a call puts them back.
    unsafe {
        let mut total = 0;
        for pid in 0..(*runtime).processes.len() {
            let at = *(*runtime).processes.as_ptr().add(pid) as usize;
            let location = (*runtime).location_at(source, at as u64 * 4);
            let function = (*runtime).code.function(Kind::Expand, location);
            (*runtime).context.timeout = timeout;
            if (*runtime).fair.processes > 0 {
                (*runtime).fair.movers.fill(0);
                Fair::set(&mut (*runtime).fair.movers, pid, true);
            }
            let count = function(runtime.cast(), source, at as u64 * 4, pid as u32);
            if count < 0 {
                return BAIL;
            }
            if (*runtime).fair.processes > 0 && count > 0 {
                if pid >= (*runtime).fair.processes {
                    return BAIL;
                }
                let edges = (*runtime).edge_count();
                (*runtime).fair.flush(edges);
                Fair::set(&mut (*runtime).fair.enabled, pid, true);
            }
            total += count;
        }
        total
    }
}

/// Follows a chain: the process in the target at the cursor has made a step and keeps control.
unsafe extern "C" fn chain(context: *mut Context, frame: u64, pid: u32) -> i32 {
    // SAFETY: the context is the beginning of a runtime. Functions of locations are only called with
    // the process that they were compiled for.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let timeout = (*context).timeout;
        (*context).timeout = 0;
        (*runtime).chains += 1;
        let mut steps = 1;
        let result = loop {
            (*context).internal_steps += 1;
            let state = (*context).cursor;
            if steps >= PATIENT_STEPS {
                let mut remembered = std::mem::take(&mut (*runtime).remembered);
                let stop = (*runtime).must_stop(steps, state, &mut remembered);
                (*runtime).remembered = remembered;
                if stop {
                    break BAIL;
                }
            }
            let location = (*runtime).location_at(state, frame);
            let function = (*runtime).code.function(Kind::Chain, location);
            match function(context, state, frame, pid) {
                CONTINUE => steps += 1,
                result => break result,
            }
        };
        (*runtime).chains -= 1;
        (*context).timeout = timeout;
        result
    }
}

/// The same for the receiver of an offer, which others may still take: the chain can make new ones.
unsafe extern "C" fn chain_of_receiver(context: *mut Context, frame: u64, pid: u32) -> i32 {
    // SAFETY: as for `chain`.
    unsafe {
        let offer = (*context).offer;
        let result = chain(context, frame, pid);
        (*context).offer = offer;
        result
    }
}

/// A chain has a choice in the target at the cursor: all its steps get copies. If there is none
/// after all, the chain ends.
unsafe extern "C" fn branch(context: *mut Context, state: *mut u32, frame: u64, pid: u32) -> i32 {
    // SAFETY: as for `chain`. The words of a level stay where they are until it is left.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let words = (*runtime).words_at(state);
        let depth = (*runtime).depth;
        let levels = &(&(*runtime).levels)[..depth];
        let returns = levels
            .iter()
            .any(|level| level.pid == pid && &level.words[..level.len] == words);
        // The interpreter knows what to do about a chain with a cycle.
        if returns || depth >= MAX_LEVELS {
            return BAIL;
        }
        let len = words.len();
        if (*runtime).levels.len() == depth {
            (*runtime).levels.push(Level::default());
        }
        let level = &mut (&mut (*runtime).levels)[depth];
        level.pid = pid;
        level.len = len;
        level.words.clear();
        level.words.extend_from_slice(words);
        level.words.resize(len.max(SLACK), 0);
        let source = level.words.as_mut_ptr();
        (*runtime).depth += 1;
        let location = (*runtime).location_at(source, frame);
        let function = (*runtime).code.function(Kind::Expand, location);
        let count = function(context, source, frame, pid);
        (*runtime).depth -= 1;
        if count == 0 {
            let target = (*context).cursor;
            std::ptr::copy_nonoverlapping(source, target, len);
            (*runtime).forget_hidden();
            (*runtime).finish_edge(len);
            return 1;
        }
        count
    }
}

/// Offers a message to all other processes; how many edges their receives make.
unsafe extern "C" fn meet(
    context: *mut Context,
    source: *mut u32,
    frame: u64,
    pid: u32,
    header: u32,
    transition: u32,
) -> i32 {
    // SAFETY: as for `chain`.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let offer = &mut (*context).offer;
        offer.sender_frame = frame;
        offer.sender_header = header;
        offer.sender = pid;
        offer.transition = transition;
        let mut total = 0;
        for partner in 0..(*runtime).processes.len() {
            let at = (&(*runtime).processes)[partner] as u64 * 4;
            if partner as u32 == pid {
                continue;
            }
            let location = (*runtime).location_at(source, at);
            if !(*runtime).code.accepts(location) {
                continue;
            }
            let function = (*runtime).code.function(Kind::Offer, location);
            let count = with_partner(runtime, partner, || {
                function(context, source, at, partner as u32)
            });
            if count < 0 {
                return BAIL;
            }
            total += count;
        }
        if total > 0 {
            let (ty, location) = (header >> TYPE_SHIFT, header & COUNT_MASK);
            let reached = &mut (*runtime).reached;
            reached[ty as usize][location as usize] = true;
        }
        total
    }
}

/// Adds the edges of a meeting and notes who moves on them.
unsafe fn with_partner(runtime: *mut Runtime, partner: usize, edges: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the runtime is alive, and no reference to it while `edges` runs.
    unsafe {
        if (*runtime).fair.processes == 0 {
            return edges();
        }
        let before = (*runtime).edge_count();
        (*runtime).fair.flush(before);
        let moved = Fair::set(&mut (*runtime).fair.movers, partner, true);
        let count = edges();
        let after = (*runtime).edge_count();
        (*runtime).fair.flush(after);
        Fair::set(&mut (*runtime).fair.movers, partner, moved);
        if count > 0 {
            if partner >= (*runtime).fair.processes {
                return BAIL;
            }
            if (*runtime).chains == 0 {
                Fair::set(&mut (*runtime).fair.enabled, partner, true);
            }
        }
        count
    }
}

/// Makes room for more edges.
unsafe extern "C" fn grow(context: *mut Context) -> i32 {
    // SAFETY: `out` is the buffer of the present expansion. What was written up to the pointers of
    // the context is within its capacity.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let out = &mut *(*runtime).out;
        let parts = out.parts();
        let words = (*context).cursor.offset_from(parts.words.as_ptr()) as usize;
        parts.words.set_len(words);
        let edges = (*context).edges.offset_from(parts.edges.as_ptr()) as usize;
        parts.edges.set_len(edges);
        if out.memory_bytes() > (*runtime).memory / 4 || (*runtime).is_restless() {
            return BAIL;
        }
        (*runtime).reserve(out);
        0
    }
}

/// All steps of a process, taken by the interpreter.
unsafe extern "C" fn slow_expand(
    context: *mut Context,
    source: *mut u32,
    _frame: u64,
    pid: u32,
) -> i32 {
    // SAFETY: as for `chain`.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        if (*context).timeout != 0 {
            return BAIL;
        }
        let first = {
            let this = &mut *runtime;
            let mut state = std::mem::take(&mut this.state);
            state.load(this.code.facts().model, this.words_at(source));
            let first = this.steps.len();
            let interpreter = this.inner.interpreter();
            interpreter.steps(&state, Some(pid), &mut this.steps);
            let model = this.code.facts().model;
            let deterministic = model.processes[state.process_type(pid as usize)].deterministic;
            this.state = state;
            let differs = |pair: &[Step]| pair[0].transition != pair[1].transition;
            if deterministic && this.steps[first..].windows(2).any(differs) {
                return BAIL;
            }
            first
        };
        let end = (*runtime).steps.len();
        let mut total = 0;
        for index in first..end {
            let step = (&(*runtime).steps)[index];
            let count = take_step(runtime, source, step);
            if count < 0 {
                return BAIL;
            }
            total += count;
        }
        (*runtime).steps.truncate(first);
        total
    }
}

/// A receive that there is no code for.
unsafe extern "C" fn refuse(_: *mut Context, _: *mut u32, _: u64, _: u32) -> i32 {
    BAIL
}

/// A step of one process, taken by the interpreter.
unsafe extern "C" fn slow_step(
    context: *mut Context,
    source: *mut u32,
    pid: u32,
    transition: u32,
    timeout: u32,
) -> i32 {
    let step = Step {
        pid,
        transition,
        partner: None,
        timeout: timeout != 0,
    };
    // SAFETY: the context is the beginning of a runtime.
    unsafe { take_step(context.cast(), source, step) }
}

/// A receive from the present offer, taken by the interpreter. Its caller has noted who moves.
unsafe extern "C" fn slow_receive(
    context: *mut Context,
    source: *mut u32,
    partner: u32,
    transition: u32,
) -> i32 {
    // SAFETY: the context is the beginning of a runtime.
    unsafe {
        let offer = (*context).offer;
        let step = Step {
            pid: offer.sender,
            transition: offer.transition,
            partner: Some((partner, transition)),
            timeout: (*context).timeout != 0,
        };
        take_alone(context.cast(), source, step)
    }
}

unsafe fn take_step(runtime: *mut Runtime, source: *mut u32, step: Step) -> i32 {
    // SAFETY: the runtime is alive, and `source` a state of the present width.
    unsafe {
        match step.partner {
            None => take_alone(runtime, source, step),
            Some((partner, _)) => with_partner(runtime, partner as usize, || {
                take_alone(runtime, source, step)
            }),
        }
    }
}

/// Takes a step with the interpreter, and goes on with the chain that it begins.
unsafe fn take_alone(runtime: *mut Runtime, source: *mut u32, step: Step) -> i32 {
    // SAFETY: as for `chain`. References to the runtime end before compiled code is called.
    unsafe {
        let control = {
            let this = &mut *runtime;
            let Some(control) = this.interpret(source, step) else {
                return BAIL;
            };
            let width = this.context.width as usize / 4;
            this.set_width(this.state.words().len());
            let full = this.context.cursor > this.context.limit
                || this.context.edges >= this.context.edges_end;
            if full && grow((&raw mut *this).cast()) < 0 {
                return BAIL;
            }
            this.set_width(width);
            control
        };
        let len = (*runtime).state.words().len();
        let target = (*runtime).context.cursor;
        let words = (*runtime).state.words().as_ptr();
        std::ptr::copy_nonoverlapping(words, target, len);
        let Some(pid) = control else {
            (*runtime).finish_edge(len);
            return 1;
        };
        follow(runtime, pid, len)
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

/// Goes on with a chain in a target at the cursor whose processes and channels may be others than
/// those of the present state.
unsafe fn follow(runtime: *mut Runtime, pid: u32, len: usize) -> i32 {
    // SAFETY: as for `chain`; the tables are put back before anybody else looks at them.
    unsafe {
        let (processes, channels, width, frame) = {
            let this = &mut *runtime;
            let processes = std::mem::take(&mut this.processes);
            let channels = std::mem::take(&mut this.channels);
            let width = this.context.width as usize / 4;
            this.set_width(len);
            let words = slice::from_raw_parts(this.context.cursor.cast_const(), len);
            this.scan(words);
            this.point();
            let frame = this.processes[pid as usize] as u64 * 4;
            (processes, channels, width, frame)
        };
        let count = chain_of_receiver(runtime.cast(), frame, pid);
        let this = &mut *runtime;
        this.processes = processes;
        this.channels = channels;
        // The blocks are those of another state.
        this.scanned = usize::MAX;
        this.set_width(width);
        this.point();
        count
    }
}

/// Byte offset of a process in a state, or a negative number if there is no such process of that
/// type. Without a number it is the first of its type.
unsafe extern "C" fn find_process(
    context: *mut Context,
    state: *const u32,
    ty: u32,
    pid: i64,
) -> i64 {
    // SAFETY: the offsets are those of processes in the state.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let processes = &(*runtime).processes;
        let is_typed = |at: &&u32| *state.add(**at as usize) >> TYPE_SHIFT == ty;
        let found = match usize::try_from(pid) {
            Ok(pid) => processes.get(pid).filter(is_typed),
            Err(_) if pid == i64::MIN => processes.iter().find(is_typed),
            Err(_) => None,
        };
        found.map_or(-1, |at| i64::from(*at) * 4)
    }
}

/// Whether no process stands at a progress label.
unsafe extern "C" fn non_progress(context: *mut Context, state: *const u32) -> i32 {
    // SAFETY: the offsets are those of processes in the state.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let model = (*runtime).code.facts().model;
        let processes = &(*runtime).processes;
        let progress = processes.iter().any(|at| {
            let header = *state.add(*at as usize);
            let process = &model.processes[(header >> TYPE_SHIFT) as usize];
            process.locations[(header & COUNT_MASK) as usize].progress
        });
        i32::from(!progress)
    }
}

/// Clears what the sender of the present offer will not ask for again.
unsafe extern "C" fn clear_sender(context: *mut Context, state: *mut u32) {
    // SAFETY: the offer says where the sender is in the state, and of what type it is.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let offer = &(*context).offer;
        let header = offer.sender_header;
        let process = &(*runtime).code.facts().model.processes[(header >> TYPE_SHIFT) as usize];
        let frame = state.add(offer.sender_frame as usize / 4 + 1);
        for (word, mask) in &process.locations[(header & COUNT_MASK) as usize].dead {
            *frame.add(*word as usize) &= !mask;
        }
    }
}

/// Whether an indivisible sequence may go on.
unsafe extern "C" fn inside_watch(context: *mut Context, state: *const u32, steps: u32) -> i32 {
    // SAFETY: the context is the beginning of a runtime.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let mut remembered = std::mem::take(&mut (*runtime).inside_remembered);
        let stop = (*runtime).must_stop(steps, state, &mut remembered);
        (*runtime).inside_remembered = remembered;
        if stop { BAIL } else { 0 }
    }
}

/// Puts a message with the fields in the context into a channel, before the first that is greater.
unsafe extern "C" fn insert_message(context: *mut Context, header: *mut u32, ty: u32) {
    // SAFETY: there is a channel of this type at the header, with room for one more message.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let facts = (*runtime).code.facts();
        let words = facts.channel_words[ty as usize] as usize;
        let channel = slice::from_raw_parts_mut(header, words);
        insert_sorted(
            channel,
            &facts.model.channels[ty as usize],
            &(*context).message,
        );
    }
}

fn insert_sorted(channel: &mut [u32], ty: &ChannelType, message: &[i32]) {
    let Some((header, buffer)) = channel.split_first_mut() else {
        return;
    };
    let length = *header & COUNT_MASK;
    let fields = || ty.fields.iter().zip(&ty.offsets).zip(message);
    let greater = |slot: u32, buffer: &[u32]| {
        let there =
            fields().map(|((field, offset), _)| field.load(buffer, slot * ty.stride + offset));
        fields().map(|(_, value)| *value).lt(there)
    };
    let slot = (0..length).find(|&slot| greater(slot, buffer));
    let slot = slot.unwrap_or(length);
    for to in (slot..length).rev() {
        for ((field, offset), _) in fields() {
            let value = field.load(buffer, to * ty.stride + offset);
            field.store(buffer, (to + 1) * ty.stride + offset, value);
        }
    }
    for ((field, offset), value) in fields() {
        field.store(buffer, slot * ty.stride + offset, *value);
    }
    *header += 1;
}

/// Takes a message out of a buffer: those behind it move up, and the last slot becomes zero.
unsafe extern "C" fn remove_message(
    _: *mut Context,
    buffer: *mut u32,
    words: u32,
    stride: u32,
    slot: u32,
) {
    // SAFETY: the buffer of a channel has so many words.
    let buffer = unsafe { slice::from_raw_parts_mut(buffer, words as usize) };
    remove_bits(buffer, slot * stride, stride);
}

/// Takes `count` bits out of a row of words; those above move down, and zeros follow.
fn remove_bits(row: &mut [u32], bit: u32, count: u32) {
    let (skip, shift) = ((count / 32) as usize, count % 32);
    let first = (bit / 32) as usize;
    let kept = (1u32 << (bit % 32)) - 1;
    for index in first..row.len() {
        let word = |i: usize| row.get(i).copied().unwrap_or(0);
        let low = u64::from(word(index + skip)) | u64::from(word(index + skip + 1)) << 32;
        let moved = (low >> shift) as u32;
        row[index] = match index == first {
            true => row[index] & kept | moved & !kept,
            false => moved,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_taken_out_anywhere() {
        for stride in [1, 2, 8, 16, 32, 64, 96] {
            let slots = 160 / stride;
            for slot in 0..slots {
                let bits = |row: &[u32]| -> Vec<bool> {
                    (0..160).map(|b| row[b / 32] >> (b % 32) & 1 == 1).collect()
                };
                let mut row = [
                    0x1234_5678,
                    0x9abc_def1,
                    0xdead_beef,
                    0x0bad_cafe,
                    0xf00d_1234,
                ];
                let mut expected = bits(&row);
                expected.drain((slot * stride) as usize..((slot + 1) * stride) as usize);
                expected.resize(160, false);
                remove_bits(&mut row, slot * stride, stride);
                assert_eq!(bits(&row), expected, "stride {stride}, slot {slot}");
            }
        }
    }
}
