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
//! All `unsafe` code of the crate that touches memory is in this module. It rests on these invariants,
//! by whose names the comments call them:
//!
//! - **context**: a pointer to a context points to the first field of a [`Runtime`], which is laid out
//!   as in C, and was made from a pointer to the whole runtime. So it can be cast back. `expand`,
//!   `draw` and `ask` make it; compiled code and helpers hand it on.
//! - **exclusive**: while compiled code runs, the runtime is reached through that pointer alone.
//!   `expand`, `draw` and `ask` do not use `self` during the call, and helpers keep no reference to the
//!   runtime over a call of compiled code.
//! - **state**: what is given to compiled code as a state is accepted by the model's
//!   [`Validator`](lariat_ir::valid::Validator), has the present width, and has its processes and
//!   channels where the tables say; only that locations are reachable is not certain. `enter`
//!   establishes it for the state that is expanded and returns nothing for other words; every step
//!   preserves it, since the functions of locations that are not reachable refuse; `follow` makes the tables those of a state with
//!   other blocks, and puts them back.
//! - **stands**: the function of a location is called only for a process that stands there, with the
//!   offset of its block in the state. Who calls it has read the location with `location_at`.
//! - **slack**: a state that is copied has at least [`SLACK`] words of memory, since states are copied
//!   in pieces of that size. `enter`, `branch` and `draw_next` see to it.
//! - **room**: at the cursor there is memory for a state of the present width and [`SLACK`] words more,
//!   and at the pointer to edges for one edge, before a target is written: compiled code
//!   (`Emitter::new_target`) and `take_alone` compare the pointers with their limits, and call `grow`.
//! - **written**: all words before the cursor and all edges before the pointer to edges are
//!   initialised, and both pointers point into the vectors of the present buffer.
//!
//! A panic must not leave a function that compiled code calls: there is no way through its frames.
//! Helpers catch it ([`helpers`]), the expansion comes to its end, and `expand` or `draw` resumes it.
#![allow(unsafe_code)]

mod helpers;

use std::any::Any;
use std::mem::{offset_of, size_of};
use std::panic::resume_unwind;
use std::slice;
use std::sync::Arc;

use lariat_graph::product::Propositions;
use lariat_graph::{DRAWN, Edge, Expansion, Savepoint};
use lariat_ir::fault::FaultKind;
use lariat_ir::interpret::{Cancel, Observed as Seen, Step};
use lariat_ir::property::Atom;
use lariat_ir::space::{MAX_DRAWN_STEPS, ModelSpace};
use lariat_ir::state::{CHANNEL, COUNT_MASK, State, TYPE_SHIFT};
use lariat_ir::valid::Limited;
use lariat_stats::Dice;

use crate::fair::Fair;
use crate::machine::Code;

pub(crate) use helpers::{Helper, NO_FUNCTION, slow_function};

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
/// The most chains that are followed one inside another: each takes some of the stack.
const MAX_CHAINS: usize = 200;
/// Cancel is looked at once in so many steps.
const STOP_INTERVAL: u32 = 4096;

/// A function of a location.
pub(crate) type StepFn = unsafe extern "C" fn(*mut Context, *mut u32, u64, u32) -> i32;
/// A function that evaluates a condition.
pub(crate) type ConditionFn = unsafe extern "C" fn(*mut Context, *const u32) -> i32;

/// A pointer that a runtime keeps.
///
/// Pointers to a buffer, an edge or the dice are followed only during the call that has set them;
/// the others point to memory of vectors that the runtime owns.
#[repr(transparent)]
#[derive(Debug)]
struct Raw<T>(*mut T);

// SAFETY: a runtime that moves to another thread takes the vectors that it owns with it. What the other
// pointers pointed to in an earlier call is not followed again: each call sets them first. What they
// point to during a call is borrowed by the thread that makes it.
unsafe impl<T: Send> Send for Raw<T> {}

impl<T> Raw<T> {
    const NULL: Self = Raw(std::ptr::null_mut());
}

/// What compiled code reads and writes besides states.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// Where the next target begins, and the last place at which one can.
    cursor: Raw<u32>,
    limit: Raw<u32>,
    /// Where the next edge goes, and where their memory ends.
    edges: Raw<Edge>,
    edges_end: Raw<Edge>,
    /// Where the first target of the buffer begins.
    words: Raw<u32>,
    /// The bytes of the present state, and where the last piece that is copied begins.
    width: u64,
    last_piece: u64,
    /// Byte offsets of the channels of the present state.
    channels: Raw<u32>,
    /// For each process type, which locations were reached.
    reached: Raw<Raw<bool>>,
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
    dice: Raw<Dice>,
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

/// Where a process stands in all states with the same blocks.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// The byte at which the location is found, or the header.
    byte: u32,
    /// What is there if the location is zero.
    tag: u32,
    /// How many locations there are.
    limit: u32,
    /// The number of the first of them.
    base: u32,
}

/// What became of a state that compiled code was asked to expand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Its edges were added.
    Done,
    /// Nothing was added; the interpreter has to do it.
    Left,
    /// It is not a state of the model.
    NoState,
}

/// The state that conditions are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Observed {
    /// It was not looked at yet.
    Unknown,
    /// It is the present one: the tables of the runtime are its tables.
    Present,
    /// It is not a state of the model.
    NoState,
}

/// Everything that an expansion needs, for one thread.
#[repr(C)]
pub(crate) struct Runtime<'m> {
    context: Context,
    code: Arc<Code<'m>>,
    /// The specification, which expands what compiled code does not.
    pub(crate) inner: ModelSpace<'m>,
    /// The invariants, and the conditions of a property; nothing for one that the interpreter evaluates.
    /// They are functions of `code`.
    invariants: Vec<Option<ConditionFn>>,
    atoms: Vec<Option<ConditionFn>>,
    /// The buffer of the present expansion.
    out: Raw<Expansion>,
    /// Where the memory for targets ends.
    end: Raw<u32>,
    /// A copy of the present state, if it is too short to be copied in pieces.
    short: [u32; SLACK],
    /// The state that conditions are asked about.
    observed: Vec<u32>,
    observation: Observed,
    /// Whether it is noted that a process stands at an accept label, and whether one does in the
    /// state that was expanded last.
    pub(crate) notes_accepting: bool,
    pub(crate) is_accepting: bool,
    /// Byte offsets of the processes and channels of the present state.
    processes: Vec<u32>,
    channels: Vec<u32>,
    /// The words of the state for which they were found.
    scanned: usize,
    /// What is true of all states with the same blocks: of processes, and of anything else.
    standings: Vec<Standing>,
    conditions: Vec<Limited>,
    /// For each process of the state that was entered last, the number of its location.
    locations: Vec<u32>,
    levels: Vec<Level>,
    depth: usize,
    /// How many chains are being followed, one inside another.
    chains: usize,
    draw: Draw,
    reached: Vec<Vec<bool>>,
    rows: Vec<Raw<bool>>,
    remembered: Vec<u32>,
    inside_remembered: Vec<u32>,
    // For steps of the interpreter.
    state: State,
    steps: Vec<Step>,
    seen: Seen,
    /// What a helper has panicked with.
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
                wanted: NOBODY,
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
            notes_accepting: false,
            is_accepting: false,
            processes: Vec::new(),
            channels: Vec::new(),
            scanned: NOTHING_SCANNED,
            standings: Vec::new(),
            conditions: Vec::new(),
            locations: Vec::new(),
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
        twin.notes_accepting = self.notes_accepting;
        twin.memory = self.memory;
        twin.cancel = self.cancel.clone();
        twin.fair = self.fair.clone();
        twin
    }

    pub(crate) fn reached(&self) -> &[Vec<bool>] {
        &self.reached
    }

    /// Puts other notes about what was reached in the place of the present ones. There must be one for
    /// each location of each process type.
    fn set_reached(&mut self, reached: Vec<Vec<bool>>) {
        self.reached = reached;
        self.point_at_reached();
    }

    /// Makes the context point at the notes about what was reached. A vector keeps its memory where it
    /// is, and these never become longer.
    fn point_at_reached(&mut self) {
        let rows = self.reached.iter_mut().map(|row| Raw(row.as_mut_ptr()));
        self.rows = rows.collect();
        self.context.reached = Raw(self.rows.as_mut_ptr());
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

    /// Compiles the conditions of a property.
    pub(crate) fn set_atoms(&mut self, atoms: &[Atom]) {
        let compile = |atom: &Atom| match atom.condition.asks_for_timeout() {
            true => None,
            false => self.code.condition(&atom.condition),
        };
        self.atoms = atoms.iter().map(compile).collect();
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
        Outcome::Done
    }

    /// Draws an edge of a state and adds it to `out`. If the interpreter has to do it, the dice are of no
    /// use any more.
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

    /// Goes on with the panic of a helper, if there was one.
    fn resume_panic(&mut self, out: &mut Expansion, savepoint: Savepoint) {
        self.out = Raw::NULL;
        if let Some(panic) = self.panic.take() {
            out.rewind(savepoint);
            // The tables may be those of another state.
            self.scanned = NOTHING_SCANNED;
            resume_unwind(panic);
        }
    }

    /// Makes what compiled code has written part of `out`.
    ///
    /// # Safety
    ///
    /// `out` is the buffer of the expansion that was made last, and was not used since.
    unsafe fn keep_written(&mut self, out: &mut Expansion) {
        // SAFETY: as the caller says.
        unsafe { self.set_lengths(out) };
        out.fill_marks();
        out.count_internal_steps(self.context.internal_steps);
    }

    /// Makes all words and edges that were written part of the vectors of `out`.
    ///
    /// # Safety
    ///
    /// `out` is the buffer that the context points at.
    unsafe fn set_lengths(&self, out: &mut Expansion) {
        let parts = out.parts();
        // SAFETY: written: both pointers point into these vectors, within their capacity, and what is
        // before them is initialised.
        unsafe {
            let words = self.context.cursor.0.offset_from(parts.words.as_ptr()) as usize;
            parts.words.set_len(words);
            let edges = self.context.edges.0.offset_from(parts.edges.as_ptr()) as usize;
            parts.edges.set_len(edges);
        }
    }

    /// Makes a state the one that conditions are asked about.
    pub(crate) fn set_state(&mut self, state: &[u32]) {
        self.observed.clear();
        self.observed.extend_from_slice(state);
        self.observation = Observed::Unknown;
    }

    /// Whether a condition of the property holds in the state that was looked at last; nothing if the
    /// interpreter has to say.
    pub(crate) fn holds(&mut self, atom: usize) -> Option<bool> {
        let condition = (*self.atoms.get(atom)?)?;
        if self.observation == Observed::Unknown {
            let observed = std::mem::take(&mut self.observed);
            let is_state = self.inner.validator().accepts(&observed);
            self.observation = match is_state.then(|| self.enter(&observed)) {
                Some(Some(_)) => Observed::Present,
                _ => Observed::NoState,
            };
            self.observed = observed;
        }
        if self.observation == Observed::NoState {
            return None;
        }
        // SAFETY: state: `enter` has accepted these words, and the tables are still theirs, because it
        // would have set `observation` back for others. Compiled conditions do not copy states, so
        // there need not be slack. The condition is a function of `self.code`.
        unsafe { self.ask(self.observed.as_ptr(), condition) }
    }

    /// Whether a condition holds in the present state.
    ///
    /// # Safety
    ///
    /// `state` is the present state, and the condition a function of `self.code`.
    unsafe fn ask(&mut self, state: *const u32, condition: ConditionFn) -> Option<bool> {
        let runtime: *mut Self = self;
        // SAFETY: context, exclusive: `runtime` was made from `self`, which is not used during the call.
        // State: as the caller says.
        let answer = unsafe { condition(runtime.cast(), state) };
        if let Some(panic) = self.panic.take() {
            resume_unwind(panic);
        }
        match answer {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Makes the interpreter look at the same state.
    pub(crate) fn look_with_interpreter(&mut self) {
        self.inner.set_state(&self.observed);
    }

    /// Makes a state the present one and returns where it can be read; nothing if it is not a state.
    fn enter(&mut self, state: &[u32]) -> Option<*const u32> {
        self.observation = Observed::Unknown;
        if self.scanned != state.len() || !self.is_like_before(state) {
            self.scanned = NOTHING_SCANNED;
            let validator = self.inner.validator();
            if !validator.conditions(state, &mut self.conditions) {
                return None;
            }
            self.scan(state);
            self.point();
            self.find_standings(state);
            self.scanned = state.len();
            // Certain now; the numbers of the locations are noted.
            self.is_like_before(state);
        }
        self.context.width = state.len() as u64 * 4;
        if state.len() >= SLACK {
            return Some(state.as_ptr());
        }
        // A few words, for which a loop is quicker than a call.
        for (index, word) in self.short.iter_mut().enumerate() {
            *word = state.get(index).copied().unwrap_or(0);
        }
        Some(self.short.as_ptr())
    }

    /// Whether a state, which has as many words as the one before it, has the same blocks, and all its
    /// locations and lengths are below their limits; the locations are noted. Whether they are reachable
    /// is left to the functions of those that are not, which refuse: then the interpreter is asked, and
    /// does not accept the state.
    #[inline]
    fn is_like_before(&mut self, state: &[u32]) -> bool {
        let start = state.as_ptr().cast::<u8>();
        // SAFETY: `note_locations` reads at bytes where states of this width have a location of so many
        // bits, or a header.
        let stand = unsafe {
            match self.code.facts().count_bits {
                8 => self.note_locations(|byte| u32::from(*start.add(byte))),
                16 => self
                    .note_locations(|byte| start.add(byte).cast::<u16>().read_unaligned().into()),
                _ => self.note_locations(|byte| start.add(byte).cast::<u32>().read_unaligned()),
            }
        };
        stand && self.conditions.iter().all(|length| length.holds(state))
    }

    /// Notes where all processes stand; answers whether these are locations of their types. What stands at
    /// a byte of the state is read with `read`.
    #[inline(always)]
    fn note_locations(&mut self, read: impl Fn(usize) -> u32) -> bool {
        for (process, location) in self.standings.iter().zip(&mut self.locations) {
            let number = read(process.byte as usize).wrapping_sub(process.tag);
            if number >= process.limit {
                return false;
            }
            *location = process.base + number;
        }
        true
    }

    /// Finds out where the processes of a state stand, whose tables are made.
    fn find_standings(&mut self, state: &[u32]) {
        let facts = self.code.facts();
        let limit = |ty: usize| facts.model.processes[ty].locations.len() as u32;
        self.standings.clear();
        match &facts.placed {
            Some((placed, _)) => self.standings.extend(placed.iter().map(|process| Standing {
                byte: process.count,
                tag: 0,
                limit: limit(process.ty),
                base: process.base,
            })),
            None => self.standings.extend(self.processes.iter().map(|&byte| {
                let tag = state[byte as usize / 4] & !COUNT_MASK;
                let ty = (tag >> TYPE_SHIFT) as usize;
                Standing {
                    byte,
                    tag,
                    limit: limit(ty),
                    base: facts.bases[ty],
                }
            })),
        }
        self.locations.clear();
        self.locations.resize(self.standings.len(), 0);
    }

    /// Prepares an expansion of the present state; answers whether all invariants certainly hold in it.
    ///
    /// # Safety
    ///
    /// `source` comes from [`enter`](Self::enter), and the state is still there.
    unsafe fn begin(&mut self, source: *const u32, out: &mut Expansion) -> bool {
        for index in 0..self.invariants.len() {
            let holds = match self.invariants[index] {
                // SAFETY: as the caller says; the condition is a function of `self.code`.
                Some(condition) => unsafe { self.ask(source, condition) },
                None => None,
            };
            if holds != Some(true) {
                return false;
            }
        }
        if self.notes_accepting {
            let mut locations = self.locations.iter();
            self.is_accepting =
                locations.any(|location| self.code.is_accepting(*location as usize));
        }
        self.context.label = 0;
        self.context.internal_steps = 0;
        self.context.dice = Raw::NULL;
        self.depth = 0;
        self.chains = 0;
        self.steps.clear();
        self.fair.begin();
        self.reserve(out);
        true
    }

    /// Finds the processes and channels of a state.
    fn scan(&mut self, words: &[u32]) {
        let facts = self.code.facts();
        self.processes.clear();
        self.channels.clear();
        if let Some((placed, _)) = &facts.placed {
            self.processes.extend(placed.iter().map(|p| p.at));
            self.channels.extend(facts.fixed.iter().map(|c| c.0));
            return;
        }
        let mut at = facts.model.globals.words();
        while let Some(&header) = words.get(at) {
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
        self.context.channels = Raw(self.channels.as_mut_ptr());
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
        let (len, capacity) = (parts.words.len(), parts.words.capacity());
        let words = parts.words.as_mut_ptr();
        // SAFETY: a vector has memory for as many words as its capacity, and its length is not more.
        let (cursor, end) = unsafe { (words.add(len), words.add(capacity)) };
        let (len, capacity) = (parts.edges.len(), parts.edges.capacity());
        let edges = parts.edges.as_mut_ptr();
        // SAFETY: as above.
        let (next, edges_end) = unsafe { (edges.add(len), edges.add(capacity)) };
        self.context.words = Raw(words);
        self.context.cursor = Raw(cursor);
        self.end = Raw(end);
        self.context.edges = Raw(next);
        self.context.edges_end = Raw(edges_end);
        self.set_width(self.context.width as usize / 4);
    }

    /// The present state has so many words; a target must have room for as many.
    fn set_width(&mut self, words: usize) {
        self.context.width = words as u64 * 4;
        self.context.last_piece = (words.max(SLACK) - SLACK) as u64 * 4;
        self.context.limit = Raw(self.end.0.wrapping_sub(words + SLACK));
    }

    /// Whether there is no room for another target or edge.
    fn is_full(&self) -> bool {
        self.context.cursor.0 > self.context.limit.0
            || self.context.edges.0 >= self.context.edges_end.0
    }

    /// Edges that were added in this expansion.
    fn edge_count(&self) -> usize {
        self.context.label as usize
    }

    /// The words of a state.
    ///
    /// # Safety
    ///
    /// There is a state of the present width, which is not written as long as the words are used.
    unsafe fn words_at<'a>(&self, state: *const u32) -> &'a [u32] {
        // SAFETY: as the caller says.
        unsafe { slice::from_raw_parts(state, self.context.width as usize / 4) }
    }

    /// Ends an edge whose target is at the cursor.
    ///
    /// # Safety
    ///
    /// At the cursor so many words are written, and there was room for them and for an edge.
    unsafe fn finish_edge(&mut self, width: usize) {
        let context = &mut self.context;
        let label = context.label;
        // SAFETY: room: the words lie in the memory of the vector, so the pointer behind them does.
        context.cursor.0 = unsafe { context.cursor.0.add(width) };
        // SAFETY: written: the cursor points into the vector that begins at `words`.
        let end = unsafe { context.cursor.0.offset_from(context.words.0) } as usize;
        // SAFETY: room: there is memory for an edge, which begins at a multiple of its size.
        unsafe { context.edges.0.write(Edge { end, label }) };
        // SAFETY: as above.
        context.edges.0 = unsafe { context.edges.0.add(1) };
        context.label = label.wrapping_add(1);
    }

    /// Gives the hidden variables of the target at the cursor their initial values.
    ///
    /// # Safety
    ///
    /// There is a state at the cursor.
    unsafe fn forget_hidden(&mut self) {
        for &(word, mask, value) in &self.code.facts().hidden {
            // SAFETY: hidden variables are global, and every state begins with these.
            let word = unsafe { &mut *self.context.cursor.0.add(word as usize) };
            *word = (*word & !mask) | value;
        }
    }

    /// The number of the location at which a process of a state stands. It is less than
    /// [`Facts::locations`](crate::facts::Facts::locations).
    ///
    /// # Safety
    ///
    /// The tables of the runtime are those of the state, and the process is one of them.
    #[inline]
    unsafe fn location_at(&self, state: *const u32, pid: usize) -> usize {
        let facts = self.code.facts();
        debug_assert!(pid < self.processes.len());
        if let Some((placed, _)) = &facts.placed {
            // SAFETY: in a layout the table of processes has one entry for each that is placed.
            let process = unsafe { placed.get_unchecked(pid) };
            // SAFETY: state: a layout has the bytes of each location inside its words.
            let location = unsafe {
                let count = state.cast::<u8>().add(process.count as usize);
                match facts.count_bits {
                    8 => u32::from(*count),
                    16 => u32::from(count.cast::<u16>().read_unaligned()),
                    _ => count.cast::<u32>().read_unaligned(),
                }
            };
            return (process.base + location) as usize;
        }
        // SAFETY: the caller says that there is such a process.
        let at = unsafe { *self.processes.get_unchecked(pid) };
        // SAFETY: state: the table has the byte offsets of headers in the state, multiples of four.
        let header = unsafe { *state.byte_add(at as usize) };
        // SAFETY: state: a process has a type of the model, and there is a base for each of them.
        let base = unsafe { *facts.bases.get_unchecked((header >> TYPE_SHIFT) as usize) };
        (base + (header & COUNT_MASK)) as usize
    }

    fn is_restless(&self) -> bool {
        self.cancel.is_over()
    }

    /// Whether a sequence that has made so many steps repeats itself, or is cancelled (R. P. Brent's
    /// cycle finding, 1980).
    fn must_stop(&self, steps: u32, words: &[u32], remembered: &mut Vec<u32>) -> bool {
        if steps.is_power_of_two() {
            remembered.clear();
            remembered.extend_from_slice(words);
            return false;
        }
        remembered == words || steps.is_multiple_of(STOP_INTERVAL) && self.is_restless()
    }
}

impl Runtime<'_> {
    /// Executes a step on `state`, a copy of the words of the present state. Returns who keeps control,
    /// or nothing if something is to be said about it.
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
