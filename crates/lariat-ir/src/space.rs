//! The state space of a model: steps of the interpreter, with atomic sequences folded into edges.
//!
//! Inside an atomic sequence only one process moves, and no search needs to see the states in
//! between. An edge is therefore a whole sequence: one step, and then further steps of the process
//! that keeps control, until it gives control up or is blocked. The edges of a state are numbered
//! in the order in which a depth-first walk over its sequences ends them; the number is the label by
//! which [`ModelSpace::steps_of_edge`] finds the steps of an edge again.
//!
//! Normally the sequences are walked as a tree: two ways through an atomic sequence are two edges, even
//! if they meet in between, and that is how SPIN counts. A sequence with a loop can have endlessly
//! many ways. As soon as a sequence comes back to a state in which it had a choice, the walk starts
//! again as a search of the graph of such states, in which each of them is expanded once.
//!
//! Any words may be given as a state. If they are not one ([`crate::valid`]), they have no edges and
//! no faults, and what they yield is incomplete: a search that meets them cannot be complete, and
//! does not take them for a state in which nothing can move. Conditions are undefined there.

mod draw;
mod marks;

pub use draw::MAX_DRAWN_STEPS;
pub use marks::{FAIR_PROCESSES, Fairness, Liveness};

use std::collections::{HashMap, HashSet};

use lariat_graph::product::Propositions;
use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace, WIDE};
use lariat_stats::Dice;

use crate::expr::Expr;
use crate::fault::{Fault, FaultKind};
use crate::interpret::{Cancel, CycleWatch, Interpreter, Observed, STOP_INTERVAL, Step};
use crate::model::Model;
use crate::property::{Atom, Invariant};
use crate::state::State;
use crate::valid::Validator;
use marks::Marks;

/// The most memory that a single expansion may take, by default: 1 GiB.
const DEFAULT_MEMORY: usize = 1 << 30;

/// What the state space looks out for.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Report invalid end states: no process can move, and not all are at a valid end.
    pub end_states: bool,
    /// Complain of assertions that fail.
    pub assertions: bool,
    /// Complain of states in which one of these does not hold.
    pub invariants: Vec<Invariant>,
}

impl Default for Checks {
    fn default() -> Self {
        Checks {
            end_states: true,
            assertions: true,
            invariants: Vec::new(),
        }
    }
}

/// A condition of a property, and whether it asks for a timeout.
#[derive(Clone, Debug)]
struct Condition {
    expr: Expr,
    asks_for_timeout: bool,
}

impl From<Atom> for Condition {
    fn from(atom: Atom) -> Self {
        Condition {
            asks_for_timeout: atom.condition.asks_for_timeout(),
            expr: atom.condition,
        }
    }
}

/// The label of the edge from a state in which no process can move to itself.
pub const STUTTER: u32 = (1 << 31) - 1;

/// The state space of a model.
#[derive(Clone, Debug)]
pub struct ModelSpace<'m> {
    interpreter: Interpreter<'m>,
    validator: Validator,
    checks: Checks,
    marks: Marks,
    /// For how many processes fairness has marks, if the model can create more than it starts with.
    fair_processes: usize,
    /// What a property asks of a state, and the state that it asks about, if there is one.
    atoms: Vec<Condition>,
    observed: State,
    is_observed: bool,
    /// The most bytes that a single expansion may take.
    memory: usize,
    /// For each process type, which locations control has reached.
    reached: Vec<Vec<bool>>,
    // Memory that expansions use again and again.
    current: State,
    levels: Vec<Level>,
    steps: Vec<Step>,
    seen: Observed,
    /// How many levels of the present sequence have a state with this hash.
    on_way: HashMap<u64, u32>,
    /// States with a choice that were met in the present walk, with the process that has control.
    visited: HashSet<Visited>,
}

/// A state with several steps to choose from, on the way along a sequence.
#[derive(Clone, Debug, Default)]
struct Level {
    state: State,
    /// Which of `ModelSpace::steps` there are to choose from, and which comes next.
    first: usize,
    next: usize,
    end: usize,
    /// How many steps led here.
    path: usize,
    /// The words of this level's state and of those before it.
    words: usize,
    /// A hash of the state.
    hash: u64,
    /// The processes that have moved on the way.
    movers: Vec<u64>,
}

/// A state with a choice in the middle of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Visited {
    /// The process that has control.
    control: u32,
    words: Box<[u32]>,
    /// The processes that have moved on the way, if that matters.
    movers: Box<[u64]>,
}

/// A walk over all sequences of a state.
struct Walk<'a> {
    out: &'a mut Expansion,
    /// The number of the edge that comes next.
    label: u32,
    /// The label whose steps are wanted; then `path` holds the steps so far.
    wanted: Option<u32>,
    path: Vec<Step>,
    watch: CycleWatch,
    steps: u64,
    /// The number of the first edge that begins with the present step of the source.
    first_label: u32,
    /// A sequence with that step that only came back to where it was: its last transition and its
    /// steps.
    fruitless: Option<(u32, Vec<Step>)>,
}

impl Walk<'_> {
    fn fault(&mut self, fault: Fault) {
        self.out.push_fault(fault.on_edge(Some(self.label)));
    }

    /// Complains if all sequences that begin with the same step go round for ever; answers whether
    /// this was the wanted edge.
    fn end_fruitless(&mut self) -> bool {
        let Some((origin, path)) = self.fruitless.take() else {
            return false;
        };
        self.fault(Fault {
            kind: FaultKind::EndlessSequence,
            origin,
        });
        self.path = path;
        self.end_edge()
    }

    /// Ends an edge; answers whether it was the wanted one.
    fn end_edge(&mut self) -> bool {
        self.label += 1;
        self.wanted == Some(self.label - 1)
    }
}

/// How the sequences of a state are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Every way is an edge of its own.
    Tree,
    /// A state in which there is a choice is expanded only once.
    Graph,
}

/// A sequence has come back to a state in which it had a choice.
struct Cyclic;

/// What happened to a sequence that was followed as long as there was no choice.
enum Followed {
    /// An edge ended.
    EdgeEnded,
    /// There are several ways to go on; a level was opened.
    Branched,
    /// It led to a state in which there was a choice before.
    Returned,
    /// It takes too much memory, or the search is cancelled.
    GaveUp,
}

/// What a step has led to.
enum Taken {
    /// The process that keeps control, if one does.
    Control(Option<u32>),
    /// A fault that is the end of the run.
    Failed,
    /// The search is cancelled, or a process moves for which fairness has no marks.
    GaveUp,
}

impl<'m> ModelSpace<'m> {
    /// The state space of `model`, watched by `checks`.
    pub fn new(model: &'m Model, checks: Checks) -> Self {
        ModelSpace {
            interpreter: Interpreter::new(model),
            validator: Validator::new(model),
            checks,
            marks: Marks::default(),
            fair_processes: FAIR_PROCESSES,
            atoms: Vec::new(),
            observed: State::default(),
            is_observed: false,
            memory: DEFAULT_MEMORY,
            reached: model
                .processes
                .iter()
                .map(|p| vec![false; p.locations.len()])
                .collect(),
            current: State::default(),
            levels: Vec::new(),
            steps: Vec::new(),
            seen: Observed::default(),
            on_way: HashMap::new(),
            visited: HashSet::new(),
        }
    }

    /// Sets for how many processes fairness has marks, if the model can create more than it starts with; to be called
    /// before [`watch`](Self::watch). What a state yields in which another one can move is incomplete.
    pub fn fair_processes(&mut self, processes: usize) {
        self.fair_processes = processes;
    }

    /// Whether a state was met in which a process can move that has no marks.
    pub fn lacks_marks(&self) -> bool {
        self.marks.lacks()
    }

    /// Prepares it for a search for infinite runs, judged by a property with these atoms.
    pub fn watch(&mut self, liveness: Liveness, atoms: Vec<Atom>) {
        self.marks = Marks::new(liveness, self.interpreter.model(), self.fair_processes);
        self.atoms = atoms.into_iter().map(Condition::from).collect();
    }

    /// Cuts long expansions short when the search is cancelled; what they yield then is incomplete.
    pub fn stop_on(&mut self, cancel: Cancel) {
        self.interpreter.cancel = cancel;
    }

    /// Limits the memory that a single expansion may take.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.memory = bytes;
    }

    /// The memory that an expansion takes: states on the way, and those met before.
    fn memory_bytes(&self, depth: usize) -> usize {
        let visited = self.visited.len() * (self.current.words().len() * 4 + 64);
        self.levels[depth].words * 4 + visited
    }

    /// The bytes of the states that it keeps for itself.
    pub fn scratch_bytes(&self) -> usize {
        let levels = self.levels.iter().map(|level| level.state.memory_bytes());
        self.current.memory_bytes() + self.observed.memory_bytes() + levels.sum::<usize>()
    }

    /// The interpreter behind it.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }

    /// What tells the states of the model from other words.
    pub fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Whether words are a state; if not, what they yield is incomplete.
    fn admits(&self, words: &[u32], out: &mut Expansion) -> bool {
        let is_state = self.validator.accepts(words);
        if !is_state {
            out.set_incomplete();
        }
        is_state
    }

    /// What it looks out for.
    pub fn checks(&self) -> &Checks {
        &self.checks
    }

    /// For each process type, which locations control has reached in all expansions so far.
    pub fn reached(&self) -> &[Vec<bool>] {
        &self.reached
    }

    /// The steps of the edge of `state` with a label. The label of a fault without a target gives
    /// the steps up to and including the one at fault.
    pub fn steps_of_edge(&mut self, state: &[u32], label: u32) -> Option<Vec<Step>> {
        let mut out = Expansion::new();
        if !self.admits(state, &mut out) {
            return None;
        }
        // Labels depend on the mode, and only a whole walk tells which it is.
        let mode = self.expand(state, &mut out);
        out.clear();
        self.walk(state, mode, Some(label), &mut out).ok()?
    }

    /// Puts all edges of a state into `out` and returns how they were found.
    fn expand(&mut self, words: &[u32], out: &mut Expansion) -> Mode {
        let savepoint = out.savepoint();
        match self.walk(words, Mode::Tree, None, out) {
            Ok(_) => Mode::Tree,
            Err(Cyclic) => {
                out.rewind(savepoint);
                let _ = self.walk(words, Mode::Graph, None, out);
                Mode::Graph
            }
        }
    }

    /// Walks over all sequences of a state, depth first. Returns the steps of the wanted edge.
    fn walk(
        &mut self,
        words: &[u32],
        mode: Mode,
        wanted: Option<u32>,
        out: &mut Expansion,
    ) -> Result<Option<Vec<Step>>, Cyclic> {
        let mut walk = Walk {
            out,
            label: 0,
            wanted,
            path: Vec::new(),
            watch: CycleWatch::default(),
            steps: 0,
            first_label: 0,
            fruitless: None,
        };
        self.current.load(self.interpreter.model(), words);
        self.steps.clear();
        self.interpreter.steps(&self.current, None, &mut self.steps);
        if self.steps.is_empty() && self.checks.end_states {
            self.check_end_state(walk.out);
        }
        self.marks
            .leave(&self.interpreter, &self.current, &self.steps);
        if self.steps.is_empty() && self.marks.stutters() {
            walk.out.push_marked(words, STUTTER, self.marks.of_edge());
        }
        let mut depth = 0;
        self.open_level(depth, 0, 0);
        loop {
            if depth == 0 && walk.end_fruitless() {
                return Ok(Some(walk.path));
            }
            let level = &mut self.levels[depth];
            if level.next == level.end {
                let Some(up) = depth.checked_sub(1) else {
                    return Ok(None);
                };
                self.leave_level(depth);
                depth = up;
                self.steps.truncate(self.levels[depth].end);
                continue;
            }
            let choice = level.next;
            level.next += 1;
            if depth == 0 {
                walk.first_label = walk.label;
                self.visited.clear();
            }
            walk.path.truncate(level.path);
            walk.watch = CycleWatch::default();
            self.current.copy_from(&level.state);
            self.marks.movers.clone_from(&level.movers);
            let first = level.first;
            if let Some(fault) = self.nondeterminism(first, choice) {
                walk.fault(fault);
            }
            match self.follow(self.steps[choice], depth, mode, &mut walk) {
                Followed::EdgeEnded => {
                    walk.fruitless = None;
                    if walk.end_edge() {
                        return Ok(Some(walk.path));
                    }
                }
                Followed::Branched => depth += 1,
                Followed::Returned if mode == Mode::Tree => return Err(Cyclic),
                Followed::Returned => {
                    // Remembered until an edge shows that there is a way out.
                    if walk.label == walk.first_label {
                        let origin = self.origin(self.steps[choice]);
                        walk.fruitless.get_or_insert((origin, walk.path.clone()));
                    }
                }
                Followed::GaveUp => {
                    walk.out.set_incomplete();
                    return Ok(None);
                }
            }
        }
    }

    /// Follows a sequence from `self.current`, beginning with `step`, until it ends or branches.
    fn follow(&mut self, mut step: Step, depth: usize, mode: Mode, walk: &mut Walk) -> Followed {
        loop {
            if walk.wanted.is_some() {
                walk.path.push(step);
            }
            walk.steps += 1;
            if walk.steps.is_multiple_of(STOP_INTERVAL) && self.interpreter.cancel.is_over()
                || self.memory_bytes(depth) + walk.out.buffer_bytes() > self.memory
            {
                return Followed::GaveUp;
            }
            let control = match self.take(step, walk.label, walk.out) {
                Taken::Control(control) => control,
                Taken::Failed => return Followed::EdgeEnded,
                Taken::GaveUp => return Followed::GaveUp,
            };
            let Some(pid) = control else {
                walk.out
                    .push_marked(self.current.words(), walk.label, self.marks.of_edge());
                return Followed::EdgeEnded;
            };
            walk.out.count_internal_steps(1);
            if walk.watch.is_endless(self.current.words()) {
                walk.fault(Fault {
                    kind: FaultKind::EndlessSequence,
                    origin: self.origin(step),
                });
                return Followed::EdgeEnded;
            }
            let before = self.steps.len();
            self.interpreter
                .steps(&self.current, Some(pid), &mut self.steps);
            match self.steps.len() - before {
                // It is blocked: control is lost, and the sequence ends here.
                0 => {
                    self.interpreter.forget(&mut self.current);
                    walk.out
                        .push_marked(self.current.words(), walk.label, self.marks.of_edge());
                    return Followed::EdgeEnded;
                }
                1 => step = self.steps.remove(before),
                _ => {
                    let was_here = match mode {
                        Mode::Tree => self.is_on_way(depth, pid),
                        Mode::Graph => !self.visited.insert(Visited {
                            control: pid,
                            words: self.current.words().into(),
                            movers: self.marks.movers.as_slice().into(),
                        }),
                    };
                    if was_here {
                        self.steps.truncate(before);
                        return Followed::Returned;
                    }
                    self.open_level(depth + 1, before, walk.path.len());
                    return Followed::Branched;
                }
            }
        }
    }

    /// Executes a step of `self.current`; faults go to the edge with this label.
    fn take(&mut self, step: Step, label: u32, out: &mut Expansion) -> Taken {
        if !self.marks.moves(step) {
            return Taken::GaveUp;
        }
        let processes = self.current.process_count();
        let result = self
            .interpreter
            .execute(&mut self.current, step, &mut self.seen);
        for fault in self.seen.faults.drain(..) {
            if self.checks.assertions || fault.kind != FaultKind::Assertion {
                out.push_fault(fault.on_edge(Some(label)));
            }
        }
        match result {
            Ok(control) => {
                self.mark_reached(step, processes);
                Taken::Control(control)
            }
            Err(fault) if fault.kind == FaultKind::Interrupted => Taken::GaveUp,
            Err(fault) => {
                out.push_fault(fault.on_edge(Some(label)));
                Taken::Failed
            }
        }
    }

    /// Whether the sequence has had a choice in the present state before.
    fn is_on_way(&self, depth: usize, pid: u32) -> bool {
        let hash = hash(self.current.words());
        let candidate = self.on_way.get(&hash).is_some_and(|count| *count > 0);
        candidate
            && self.levels[1..=depth].iter().any(|level| {
                level.hash == hash
                    && self.steps[level.first].pid == pid
                    && level.state.words() == self.current.words()
            })
    }

    /// Makes `self.current` the level `depth`, whose steps begin at `first`.
    fn open_level(&mut self, depth: usize, first: usize, path: usize) {
        if self.levels.len() == depth {
            self.levels.push(Level::default());
        }
        let below = depth.checked_sub(1).map_or(0, |d| self.levels[d].words);
        let level = &mut self.levels[depth];
        level.state.copy_from(&self.current);
        // Only levels inside a sequence are compared.
        level.hash = if depth > 0 {
            hash(self.current.words())
        } else {
            0
        };
        level.words = below + self.current.words().len();
        level.first = first;
        level.next = first;
        level.end = self.steps.len();
        level.path = path;
        level.movers.clone_from(&self.marks.movers);
        // Only levels inside a sequence are compared.
        if depth == 0 {
            self.on_way.clear();
        } else {
            level.hash = hash(self.current.words());
            *self.on_way.entry(level.hash).or_default() += 1;
        }
    }

    fn leave_level(&mut self, depth: usize) {
        let hash = self.levels[depth].hash;
        match self.on_way.get_mut(&hash) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                self.on_way.remove(&hash);
            }
        }
    }

    /// The number of the transition of a step, as seen from the state after it.
    fn origin(&self, step: Step) -> u32 {
        let (pid, transition) = step.partner.unwrap_or((step.pid, step.transition));
        if (pid as usize) < self.current.process_count() {
            let process = self.current.process_type(pid as usize);
            self.interpreter.transition_number(process, transition)
        } else {
            0
        }
    }

    fn check_end_state(&self, out: &mut Expansion) {
        if self.current.process_count() == 0 {
            return;
        }
        let complaint = if !self.interpreter.is_valid_end(&self.current) {
            FaultKind::InvalidEndState
        } else if !self.interpreter.is_monitor_at_rest(&self.current) {
            FaultKind::TraceIncomplete
        } else {
            return;
        };
        out.push_fault(
            Fault {
                kind: complaint,
                origin: 0,
            }
            .on_edge(None),
        );
    }

    /// The complaint if a process that must be deterministic has a second choice. Which partner it
    /// meets is not its own choice.
    fn nondeterminism(&self, first: usize, choice: usize) -> Option<Fault> {
        let step = self.steps[choice];
        let before = self.steps[first..choice].last()?;
        if before.pid != step.pid || before.transition == step.transition {
            return None;
        }
        let process = self.current.process_type(step.pid as usize);
        let must = self.interpreter.model().processes[process].deterministic;
        must.then(|| Fault {
            kind: FaultKind::Nondeterminism,
            origin: self.interpreter.transition_number(process, step.transition),
        })
    }

    fn check_invariants(&mut self, words: &[u32], out: &mut Expansion) {
        if self.checks.invariants.is_empty() {
            return;
        }
        self.current.load(self.interpreter.model(), words);
        for (number, invariant) in self.checks.invariants.iter().enumerate() {
            let holds = self
                .interpreter
                .eval_global(&self.current, &invariant.condition)
                .is_ok_and(|value| value != 0);
            if !holds {
                let fault = Fault {
                    kind: FaultKind::Invariant,
                    origin: number as u32,
                };
                out.push_fault(fault.on_edge(None));
            }
        }
    }

    /// Notes where a step has led: its processes, and those that are new since there were `before`.
    fn mark_reached(&mut self, step: Step, before: usize) {
        let count = self.current.process_count();
        let partner = step.partner.map(|(pid, _)| pid as usize);
        // If all move together, they are like new.
        let before = match self.interpreter.model().synchronous {
            true => 0,
            false => before,
        };
        let moved = [Some(step.pid as usize), partner].into_iter().flatten();
        for pid in moved.filter(|&pid| pid < count).chain(before..count) {
            let location = self.current.location(pid) as usize;
            self.reached[self.current.process_type(pid)][location] = true;
        }
    }
}

/// A quick hash by which most different states are told apart.
fn hash(words: &[u32]) -> u64 {
    words.iter().fold(words.len() as u64, |hash, word| {
        (hash ^ u64::from(*word))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}

impl StateSpace for ModelSpace<'_> {
    fn initial(&mut self, out: &mut Expansion) {
        match self.interpreter.initial(&mut self.seen) {
            Ok(state) => {
                for pid in 0..state.process_count() {
                    self.reached[state.process_type(pid)][state.location(pid) as usize] = true;
                }
                out.push(state.words(), 0);
            }
            Err(fault) => out.push_fault(fault.on_edge(None)),
        }
        self.seen.faults.clear();
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        if self.admits(state, out) {
            self.check_invariants(state, out);
            self.expand(state, out);
            if state.len() >= WIDE {
                out.set_scratch(self.scratch_bytes());
            }
        }
    }
}

impl AcceptingGraph for ModelSpace<'_> {
    fn acceptance(&self) -> Acceptance {
        self.marks.acceptance()
    }
}

impl Draw for ModelSpace<'_> {
    fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        if self.admits(state, out) {
            self.check_invariants(state, out);
            self.draw_edge(state, dice, out, None);
        }
    }

    fn equal_edges(&mut self, state: &[u32], out: &mut Expansion) -> Option<(usize, usize)> {
        if !self.admits(state, out) {
            return None;
        }
        self.check_invariants(state, out);
        Some((1, self.list_edges(state, out)?))
    }
}

impl Propositions for ModelSpace<'_> {
    fn set_state(&mut self, state: &[u32]) {
        self.is_observed = self.validator.accepts(state);
        if self.is_observed {
            self.observed.load(self.interpreter.model(), state);
        }
    }

    fn holds(&mut self, atom: u32) -> Result<bool, u32> {
        let undefined = || {
            let kind = FaultKind::AtomUndefined;
            Fault { kind, origin: atom }.code()
        };
        let condition = self.atoms.get(atom as usize).ok_or_else(undefined)?;
        if !self.is_observed {
            return Err(undefined());
        }
        self.interpreter
            .eval_asking(&self.observed, &condition.expr, condition.asks_for_timeout)
            .map(|value| value != 0)
            .map_err(|_| undefined())
    }
}
