//! Search for an accepting strongly connected component by several workers.
//!
//! This is UFSCC (Bloemen, Laarman and van de Pol, "Multi-core on-the-fly SCC decomposition", PPoPP 2016), used for
//! emptiness as in Bloemen and van de Pol, "Multi-core SCC-based LTL model checking", HVC 2016. Each worker searches
//! depth first, and all share the partial components: sets of strongly connected states are stored in `live_sets.rs`,
//! each with the workers that have visited it.
//!
//! - A worker that reaches a state of a set that it has not visited continues from there.
//! - If it has visited the set, the set is on its path, and an edge leads back to it: all sets on the path from there
//!   on are merged. If the union of the marks of their edges is accepted, the search has succeeded.
//! - When a worker has explored all edges of a state, the state is done, and the worker continues with another state
//!   of the same set that is not; so several workers share the work in one component, however large it is. Two of
//!   them may expand the same state, if they choose it at the same time. When all states of a set are done, it is a
//!   complete component and dead, and all workers leave it.
//!
//! *All marks are collected.* Let an edge from `s` to `t` be inside a component. One worker is the first to make `s`
//! done, and has explored this edge before. The set of `t` was not dead, as `s` belongs to the same component and was
//! not done. If the worker had continued from `t`, it would not have returned before the whole component was dead. So
//! it has visited the set of `t`, and has added the marks. A worker that finds all states of a set done checks its
//! marks once more.
//!
//! Two bits in the store tell whether a state was visited, and whether it is dead. Only live states need more; see
//! `live_sets.rs`. A state on the path of a worker costs 32 bytes and the marks of an edge.
//!
//! A state from which a worker continues in a set was not reached along its path, so its stack is not a path to a
//! found cycle. When all workers have stopped, one thread searches for a path, breadth first through the visited
//! states, with 22 to 26 bytes for each of them; without memory for that there is no counterexample, and the search
//! ends with [`Stop::Memory`].
//!
//! Pairs require refinement when a component is complete; `scc.rs` does that.

use crate::cycles::component_lasso::{FoundComponent, NOT_DETERMINISTIC};
use crate::cycles::live_sets::{Busy, ClaimResult, LiveSets, MAX_WORKERS};
use crate::cycles::shortest_path::shortest_path;
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::faults::Origin;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::sharing::{Counted, first_edge, one_answer};
use crate::toolkit::stack::{Next, Stack};
use crate::toolkit::state_list::StateList;
use crate::toolkit::workers::Workers;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion};
use lariat_store::{Archive, Memory, StateRef};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, TryLockError};

/// Searches for an accepted cycle with a worker for each graph. The acceptance has no pairs.
pub(crate) fn search<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let acceptance = graphs[0].acceptance();
    let pool = Workers::new(options, graphs.len().min(MAX_WORKERS));
    let store: T = pool.store(2, &mut graphs[0]);
    let shared = Shared::new(pool.memory(), acceptance.words());
    let worker = |(number, graph)| Worker::new(graph, &store, acceptance, number, pool.memory());
    let mut members: Vec<_> = graphs
        .iter_mut()
        .take(MAX_WORKERS)
        .enumerate()
        .map(worker)
        .collect();
    let explore = |worker: &mut Worker<G, T>, counters: &mut Counters<Seen>| {
        let found = worker.explore(&shared, counters)?;
        if found.is_some() {
            counters.pool().halt(Stop::Fault);
        }
        Ok(found)
    };
    let (mut totals, results) = pool.run(&mut members, observer, explore);
    let ahead = members.iter().map(|worker| worker.counted.ahead()).sum();
    totals.take_back_matched(ahead);
    members.truncate(1);
    let Some(first) = members.pop() else {
        return totals.lasso_outcome(&pool, Ok(None), |_| NOWHERE);
    };
    let mut explorer = first.explorer;
    let found = results.into_iter().flatten().flatten().next();
    let mut result = Ok(None);
    if let Some(state) = found {
        let stop = totals.stop;
        let mut counters = pool.reopen(&mut totals, observer);
        result = shared.lasso(state, &mut explorer, acceptance, &mut counters);
        totals = counters.close();
        totals.stop = stop;
    } else {
        drop(shared);
    }
    let mut is_lost = false;
    let outcome = totals.lasso_outcome(&pool, result, |seen| {
        let path = seen.path(&mut explorer, options, pool.memory());
        is_lost |= path.is_none();
        path.unwrap_or(NOWHERE)
    });
    match is_lost {
        true => without_lost(outcome),
        false => one_answer(options, outcome),
    }
}

/// A placeholder for a fault to which no path was found.
const NOWHERE: Path = Path {
    initial: Some(u32::MAX),
    labels: Vec::new(),
};

/// An outcome without the faults to which no path was found.
fn without_lost(mut outcome: SearchOutcome) -> SearchOutcome {
    outcome.faults.retain(|fault| fault.path != NOWHERE);
    if outcome.faults.is_empty() && outcome.lasso.is_none() {
        outcome.stop = Stop::Memory;
    }
    outcome
}

/// The position of a fault.
struct Seen {
    state: StateRef,
    label: Option<u32>,
}

impl Origin for Seen {
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Not known yet.
    fn length(&self) -> u64 {
        0
    }
}

impl Seen {
    /// A shortest path to it, if there is memory for the search.
    fn path<G: AcceptingGraph, T: Archive>(
        &self,
        explorer: &mut Explorer<G, T>,
        options: &Options,
        memory: &Memory,
    ) -> Option<Path> {
        if self.state == StateRef::NONE {
            return Some(Path {
                initial: None,
                labels: self.label.into_iter().collect(),
            });
        }
        let tick = |expansion: &Expansion| {
            let stopped = options.budget.stop.load(Ordering::Relaxed);
            match stopped || expansion.is_incomplete() || memory.is_overdrawn() {
                true => Err(Stop::Memory),
                false => Ok(()),
            }
        };
        let is_goal = |state| state == self.state;
        let path = shortest_path(explorer, memory, u32::MAX, is_goal, tick);
        let (path, _) = path.ok()??;
        let (&initial, labels) = path.split_first()?;
        Some(Path {
            initial: Some(initial),
            labels: labels.iter().copied().chain(self.label).collect(),
        })
    }
}

/// The data that the workers share besides the store.
struct Shared {
    sets: RwLock<LiveSets>,
    /// Whether all workers are to release the sets for a cleanup.
    wanted: AtomicBool,
}

impl Shared {
    fn new(memory: &Memory, words: usize) -> Self {
        Shared {
            sets: RwLock::new(LiveSets::new(memory, words)),
            wanted: AtomicBool::new(false),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, LiveSets> {
        self.sets.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A lasso into the accepting set of a state.
    fn lasso<G: AcceptingGraph, T: Archive>(
        self,
        state: StateRef,
        explorer: &mut Explorer<G, T>,
        acceptance: Acceptance,
        counters: &mut Counters<Seen>,
    ) -> Result<Option<Lasso>, Stop> {
        let sets = self
            .sets
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut states = StateList::new(counters.memory());
        let node = sets.find(state).ok_or(NOT_DETERMINISTIC)?;
        for state in sets.members(node) {
            states.push(state)?;
        }
        drop(sets);
        counters.ignore_time(true);
        let mut found_component = FoundComponent {
            explorer,
            acceptance,
            states: &states,
            first: 0,
            depth: 0,
        };
        let lasso = found_component.lasso(None, counters)?;
        lasso.ok_or(NOT_DETERMINISTIC).map(Some)
    }
}

struct Worker<'a, G, T: Archive> {
    explorer: Explorer<'a, G, T>,
    acceptance: Acceptance,
    number: usize,
    /// Each frame has the state that is explored now. It belongs to the same set as the state for which the frame was
    /// made.
    stack: Stack,
    roots: Roots,
    /// A node for the next new state.
    spare: Option<u32>,
    counted: Counted,
    /// The edges of the top state that have to be followed, while they are explored.
    waits: Vec<bool>,
    /// A buffer for marks.
    seen: Vec<u64>,
}

// The bits of a colour.
const SEEN: u8 = 1;
const DEAD: u8 = 2;

/// Why a worker releases the sets.
enum Step {
    /// For a cleanup.
    Pause,
    /// The set of this state is accepting.
    Found(StateRef),
    /// All states are dead.
    End,
}

impl<'a, G: AcceptingGraph, T: Archive> Worker<'a, G, T> {
    fn new(
        graph: &'a mut G,
        store: &'a T,
        acceptance: Acceptance,
        number: usize,
        memory: &Memory,
    ) -> Self {
        let words = acceptance.words();
        Worker {
            explorer: Explorer::new(graph, store, memory, words),
            acceptance,
            number,
            stack: Stack::new(memory, words),
            roots: Roots::new(memory, words),
            spare: None,
            counted: Counted::default(),
            waits: Vec::new(),
            seen: vec![0; words],
        }
    }

    /// A state of an accepting set, if there is one.
    fn explore(
        &mut self,
        shared: &Shared,
        counters: &mut Counters<Seen>,
    ) -> Result<Option<StateRef>, Stop> {
        counters.checkpoint(0, None)?;
        // The initial states have no parent state that could count them.
        self.enter(StateRef::NONE, self.number == 0, &shared.read(), counters)?;
        loop {
            let sets = shared.read();
            let step = self.work(&sets, shared, counters)?;
            drop(sets);
            match step {
                Step::Pause => self.clean_up(shared)?,
                Step::Found(state) => return Ok(Some(state)),
                Step::End => return Ok(None),
            }
        }
    }

    /// Cleans up the sets when no worker uses them, unless another worker does it. No worker waits for the write
    /// lock: one that got it late would stop workers that have resumed.
    fn clean_up(&mut self, shared: &Shared) -> Result<(), Stop> {
        while shared.wanted.load(Ordering::Relaxed) {
            let mut sets = match shared.sets.try_write() {
                Ok(sets) => sets,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    std::thread::yield_now();
                    continue;
                }
            };
            if shared.wanted.load(Ordering::Relaxed) {
                let bury = |state| {
                    self.explorer.recolour(state, 0, DEAD);
                };
                sets.clean_up(bury)?;
                shared.wanted.store(false, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Prepares a cleanup, which also provides spare nodes.
    fn pause(&mut self) -> Step {
        self.spare = None;
        Step::Pause
    }

    fn work(
        &mut self,
        sets: &LiveSets,
        shared: &Shared,
        counters: &mut Counters<Seen>,
    ) -> Result<Step, Stop> {
        loop {
            if shared.wanted.load(Ordering::Relaxed) {
                return Ok(self.pause());
            }
            self.spare = self.spare.or_else(|| sets.reserve());
            if self.spare.is_none() {
                shared.wanted.store(true, Ordering::Relaxed);
                return Ok(self.pause());
            }
            let found = match self.stack.next() {
                Next::Edge(target) => self.follow(target, sets, counters)?,
                Next::Forgotten { state, .. } => self.enter_again(state, sets, counters)?,
                Next::Exhausted if self.stack.height() == 1 => return Ok(Step::End),
                Next::Exhausted => self.back(sets, counters)?,
            };
            if let Some(state) = found {
                return Ok(Step::Found(state));
            }
        }
    }

    /// The last edge that was taken leads to `target`.
    fn follow(
        &mut self,
        target: StateRef,
        sets: &LiveSets,
        counters: &mut Counters<Seen>,
    ) -> Result<Option<StateRef>, Stop> {
        let colour = self.explorer.recolour(target, 0, SEEN);
        if colour & DEAD != 0 {
            return Ok(None);
        }
        let is_first = colour & SEEN == 0;
        let node = sets.find_or_insert(target, &mut self.spare);
        let node = node.ok_or(Stop::Memory)?;
        let claim = sets.claim(node, self.number);
        if claim == ClaimResult::New {
            return self.visit(target, node, is_first, sets, counters);
        }
        if is_first {
            // Another worker has added the state, but this worker has to count it.
            self.expand(target, true, counters)?;
        }
        match claim {
            ClaimResult::Found if self.stack.height() > 1 => {
                let accepts = self.merge(node, None, sets);
                Ok(accepts.then_some(target))
            }
            _ => Ok(None),
        }
    }

    /// Continues from a state of a set that this worker has not visited.
    fn visit(
        &mut self,
        target: StateRef,
        node: u32,
        is_first: bool,
        sets: &LiveSets,
        counters: &mut Counters<Seen>,
    ) -> Result<Option<StateRef>, Stop> {
        let height = self.stack.height();
        counters.reached_depth(height);
        self.roots.push(target, height, self.stack.taken_marks())?;
        if is_first || !sets.is_done(node) {
            return self.enter(target, is_first, sets, counters);
        }
        match self.busy(node, sets) {
            Busy::State(state) => self.enter(state, false, sets, counters),
            Busy::Accepting => Ok(Some(target)),
            Busy::Dead { .. } => {
                self.roots.pop();
                Ok(None)
            }
        }
    }

    fn busy(&mut self, node: u32, sets: &LiveSets) -> Busy {
        let acceptance = self.acceptance;
        sets.busy(node, &mut self.seen, |marks| acceptance.accepts(marks))
    }

    /// Expands a state and settles its successors. Only the first expansion of a state counts.
    fn expand(
        &mut self,
        state: StateRef,
        is_first: bool,
        counters: &mut Counters<Seen>,
    ) -> Result<(), Stop> {
        counters.checkpoint(self.stack.height(), None)?;
        self.explorer.expand(state);
        let expansion = self.explorer.expansion();
        match is_first {
            true => {
                let seen = |fault: &lariat_graph::Fault| Seen {
                    state,
                    label: fault.label,
                };
                counters.expanded(expansion, seen, |_, _| false)?;
            }
            false => counters.expanded_again(expansion)?,
        }
        let result = self.explorer.settle_from(0);
        self.counted
            .settled(self.explorer.settled(), is_first, counters);
        result
    }

    /// Expands a state and pushes it onto the stack.
    fn enter(
        &mut self,
        state: StateRef,
        is_first: bool,
        sets: &LiveSets,
        counters: &mut Counters<Seen>,
    ) -> Result<Option<StateRef>, Stop> {
        self.expand(state, is_first, counters)?;
        self.stack.push(state)?;
        self.hand_in(state, sets)
    }

    /// Expands the top state again, because its edges were dropped.
    fn enter_again(
        &mut self,
        state: StateRef,
        sets: &LiveSets,
        counters: &mut Counters<Seen>,
    ) -> Result<Option<StateRef>, Stop> {
        self.expand(state, false, counters)?;
        self.hand_in(state, sets)
    }

    /// Explores the edges of the top state, whose targets were just settled: merges along those to sets on the path,
    /// and pushes those that may have to be followed.
    fn hand_in(&mut self, state: StateRef, sets: &LiveSets) -> Result<Option<StateRef>, Stop> {
        self.waits.clear();
        for index in 0..self.explorer.settled().len() {
            let target = self.explorer.settled()[index];
            let node = match target.colour {
                0 => None,
                _ => sets.find(target.state),
            };
            let claim = match node {
                _ if target.colour & DEAD != 0 => ClaimResult::Dead,
                Some(node) => sets.state_of(node, self.number),
                None => ClaimResult::New,
            };
            self.waits.push(claim == ClaimResult::New);
            if let (ClaimResult::Found, Some(node)) = (claim, node)
                && state != StateRef::NONE
                && self.merge(node, Some(index), sets)
            {
                return Ok(Some(target.state));
            }
        }
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        let waits = &self.waits;
        let middle = first_edge(state, self.number, settled.len());
        let (left, right) = settled.split_at(middle);
        self.stack
            .push_edges(expansion, 0, left, |index, _| waits[index])?;
        self.stack
            .push_edges(expansion, middle, right, |index, _| waits[index])?;
        Ok(None)
    }

    /// An edge, that of the last expansion with this index or the last taken one, leads from the top state to a set
    /// on the path: merges all sets from there on. Returns whether the result is accepting.
    fn merge(&mut self, target: u32, edge: Option<usize>, sets: &LiveSets) -> bool {
        let top = self.stack.top().and_then(|top| sets.find(top));
        let Some(top) = top else { return false };
        while !sets.is_same(target, top) {
            let Some([upper, lower]) = self.roots.top_two() else {
                return false;
            };
            let (Some(upper), Some(lower)) = (sets.find(upper), sets.find(lower)) else {
                return false;
            };
            sets.join(upper, lower);
            sets.add_marks(lower, self.roots.top_marks(), &mut self.seen);
            self.roots.pop();
        }
        let marks = match edge {
            Some(edge) => self.explorer.expansion().marks(edge),
            None => self.stack.taken_marks(),
        };
        sets.add_marks(top, marks, &mut self.seen);
        self.acceptance.accepts(&self.seen)
    }

    /// Leaves the top state, all of whose edges were explored, for another one of its set, or backtracks.
    fn back(
        &mut self,
        sets: &LiveSets,
        counters: &mut Counters<Seen>,
    ) -> Result<Option<StateRef>, Stop> {
        let Some(state) = self.stack.top() else {
            return Ok(None);
        };
        let node = sets.find(state);
        let busy = match node {
            Some(node) => {
                sets.finish(node);
                self.busy(node, sets)
            }
            // It was removed, because it is dead.
            None => Busy::Dead { alone: false },
        };
        match busy {
            Busy::State(next) => {
                self.stack.pop();
                return self.enter(next, false, sets, counters);
            }
            Busy::Accepting => return Ok(Some(state)),
            Busy::Dead { alone } => {
                if let (true, Some(node)) = (alone, node) {
                    self.explorer.recolour(state, 0, DEAD);
                    sets.buried(node);
                }
            }
        }
        self.stack.pop();
        if self.roots.top_height() == Some(self.stack.height()) {
            self.roots.pop();
        }
        Ok(None)
    }
}

/// The sets on the path of a worker, each with a state in it.
struct Roots {
    states: Column<StateRef>,
    /// The frames in which these states were reached.
    heights: Column<u64>,
    /// The marks of the edges to them.
    marks: Column<u64>,
    words: usize,
    top: Vec<u64>,
}

impl Roots {
    fn new(memory: &Memory, words: usize) -> Self {
        Roots {
            states: Column::new(memory),
            heights: Column::new(memory),
            marks: Column::new(memory),
            words,
            top: vec![0; words],
        }
    }

    fn push(&mut self, state: StateRef, height: u64, marks: &[u64]) -> Result<(), Stop> {
        for &word in marks {
            self.marks.push(word)?;
        }
        self.heights.push(height)?;
        Ok(self.states.push(state)?)
    }

    fn pop(&mut self) {
        self.states.pop();
        self.heights.pop();
        let marks = self.states.len() * self.words as u64;
        self.marks.truncate(marks);
    }

    fn top_height(&self) -> Option<u64> {
        self.heights.last()
    }

    /// The states of the topmost two.
    fn top_two(&self) -> Option<[StateRef; 2]> {
        let below = self.states.len().checked_sub(2)?;
        Some([self.states.get(below + 1), self.states.get(below)])
    }

    /// The marks of the edge to the topmost.
    fn top_marks(&mut self) -> &[u64] {
        let start = self.marks.len() - self.words as u64;
        for (word, index) in self.top.iter_mut().zip(start..) {
            *word = self.marks.get(index);
        }
        &self.top
    }
}
