//! Nested depth-first search by several workers.
//!
//! The search is CNDFS (Evangelista, Laarman, Petrucci and van de Pol, "Improved multi-core nested depth-first
//! search", ATVA 2012), with marks on edges instead of states. Each worker runs its own blue search, in a different
//! order, and skips states that another worker has finished. Workers share three bits of each state: *seen* (a worker
//! has visited it), *blue* (a worker has left it) and *red*. The states on its stack, its *cyan* states, are known to
//! the worker alone.
//!
//! A worker at `s` handles each edge `e` to `t`:
//!
//! 1. If `t` is cyan for it, the stack closes a cycle, which is checked as in `ndfs.rs`. Otherwise, if `t` is not
//!    blue, it visits `t` and returns.
//! 2. If `e` is accepting, and `t` neither cyan for it nor red, it starts a red search at `t`. This collects the set
//!    `R` of all states that are reachable from `t` without passing red ones; if it reaches a cyan state of its own,
//!    there is a cycle. Then it *waits* until the targets of all accepting edges that leave `R` are red, and makes
//!    `R` red.
//!
//! When all edges are done, it makes `s` blue and leaves it.
//!
//! *Red is closed.* Call the moment after the waiting the commitment of `R`, and everything in a committed set
//! committed. An edge from `R` leads into `R` or to a red state, so the successors of committed states are committed,
//! and red states are.
//!
//! *No accepted cycle is missed.* Suppose that all workers terminate. Every reachable state was made blue by a worker
//! that has done step 2 for each of its edges; so the target of each accepting edge is red. Suppose there are
//! accepting edges that lie on cycles. Among the commitments of their targets, consider the first: that of `R` by a
//! worker `p`. It contains the target `y` of such an edge from `x`. A path leads from `y` back to `x`, so `x` is
//! committed, too: not before, since then `y` would have been; so `x` is in `R`. It is not cyan for `p`, or `p` would
//! have found a cycle; so this is not the seed edge, and `p` has waited until `y` was red. Hence `y` was committed
//! before, which contradicts the choice.
//!
//! *No worker waits for ever.* All successors of a blue state are blue or cyan for some worker: that was true when it
//! became blue, and states become blue before they stop being cyan. Let worker `i` wait with the seed edge from `s_i`
//! to `t_i`, for the target `y` of an edge from `x`. If `x` were blue, the worker that made it blue would have done
//! step 2, and `y` would be red. Since `t_i` is blue and leads to `x`, there is a path from `t_i` to a state that is
//! cyan for another worker `j`, and from there to `s_j`, where `j` is working. If `j` waits, too, and so on, the
//! workers wait cyclically, and there is a cycle through all their seed edges. The red searches have missed it only
//! if it has a red state. But then everything on it is committed, and so is everything that is reachable from it:
//! also `y`, which becomes red when its commitment is carried out.
//!
//! *Weak graphs* need no red search, as with one worker: on any cycle, let `s` be the first state that is made blue,
//! by `p`, and `t` the next one. When `p` had done the edge from `s` to `t`, `t` was not blue, as `s` is the first;
//! so it was cyan for `p`, and `p` has seen this edge close a cycle. The edge is accepting if the component is.
//!
//! The proof needs no memory ordering beyond causality: a bit that is seen was set before, and a bit that is not seen
//! yet leads to more work or to more waiting.
//!
//! A worker that finds its top state made blue by another worker leaves it at once; the work for it need not be
//! repeated.
//!
//! A state takes three bits in the store. Each worker needs 16 bytes for a state on its stack and 6 to 10 for its
//! position; and 14 to 18 for each state of `R`, in the worst case all states reachable from an accepting edge, but
//! only until the red search is over.

use crate::cycles::ndfs::{Rules, is_accepting, lasso};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::positions::Positions;
use crate::toolkit::sharing::{Counted, first_edge, one_answer};
use crate::toolkit::stack::{Next, Stack};
use crate::toolkit::state_list::StateList;
use crate::toolkit::workers::Workers;
use lariat_graph::{AcceptingGraph, Fault};
use lariat_store::{Archive, Memory, Settled, StateRef};

/// Searches for an accepted cycle with a worker for each graph.
pub(crate) fn search<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    rules: Rules,
    observer: &mut O,
) -> SearchOutcome {
    let pool = Workers::new(options, graphs.len());
    let store: T = pool.store(3, &mut graphs[0]);
    let worker = |(number, graph)| Worker::new(graph, &store, rules, number, pool.memory());
    let mut members: Vec<_> = graphs.iter_mut().enumerate().map(worker).collect();
    let explore = |worker: &mut Worker<G, T>, counters: &mut Counters<Path>| {
        let found = worker.explore(counters)?;
        if found.is_some() {
            counters.pool().halt(Stop::Fault);
        }
        Ok(found)
    };
    let (mut totals, results) = pool.run(&mut members, observer, explore);
    let ahead = members.iter().map(|worker| worker.counted.ahead()).sum();
    totals.take_back_matched(ahead);
    let lasso = results.into_iter().flatten().flatten().next();
    one_answer(options, totals.lasso_outcome(&pool, Ok(lasso), |path| path))
}

struct Worker<'a, G, T: Archive> {
    explorer: Explorer<'a, G, T>,
    /// Its states are cyan.
    stack: Stack,
    /// Their positions.
    positions: Positions,
    /// The frames to which an accepting edge leads.
    accepting: Column<u32>,
    red_stack: Stack,
    /// The states of the red search.
    red: StateList,
    /// The states that have to be red before those are.
    awaited: Column<StateRef>,
    /// The edges of the top state that lead to cyan states, while they are explored.
    closing: Vec<usize>,
    counted: Counted,
    rules: Rules,
    number: usize,
}

// The bits of a colour.
const SEEN: u8 = 1;
const BLUE: u8 = 2;
const RED: u8 = 4;

impl<'a, G: AcceptingGraph, T: Archive> Worker<'a, G, T> {
    fn new(graph: &'a mut G, store: &'a T, rules: Rules, number: usize, memory: &Memory) -> Self {
        Worker {
            explorer: Explorer::new(graph, store, memory, rules.words),
            stack: Stack::new(memory, rules.words),
            positions: Positions::new(memory),
            accepting: Column::new(memory),
            red_stack: Stack::new(memory, 0),
            red: StateList::new(memory),
            awaited: Column::new(memory),
            closing: Vec::new(),
            counted: Counted::default(),
            rules,
            number,
        }
    }

    fn explore(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        counters.checkpoint(0, None)?;
        // The initial states have no parent state that could count them.
        let mut found = self.enter(StateRef::NONE, self.number == 0, counters)?;
        while found.is_none() {
            found = match self.stack.next() {
                Next::Edge(target) => self.follow(target, counters)?,
                Next::Forgotten { state, .. } => self.enter_again(state, counters)?,
                Next::Exhausted if self.stack.height() == 1 => return Ok(None),
                Next::Exhausted => self.back(counters)?,
            };
        }
        Ok(found)
    }

    /// The last edge that was taken leads to `target`, which is not cyan: cyan states were cyan when the edge was
    /// pushed.
    fn follow(
        &mut self,
        target: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        let is_initial = self.stack.height() == 1;
        let accepting = !is_initial && is_accepting(self.stack.taken_marks());
        let colour = self.explorer.recolour(target, 0, SEEN);
        if colour & BLUE != 0 {
            return match accepting {
                true => self.red_search(target, counters),
                false => Ok(None),
            };
        }
        let is_first = colour & SEEN == 0;
        if !is_first && self.is_done() {
            return self.back(counters);
        }
        self.visit(target, is_first, accepting, counters)
    }

    /// Whether another worker has made the top state blue.
    fn is_done(&mut self) -> bool {
        let top = self.stack.top().filter(|&top| top != StateRef::NONE);
        top.is_some_and(|top| self.explorer.colour(top) & BLUE != 0)
    }

    /// Leaves the top state.
    fn back(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        let Some(state) = self.stack.pop() else {
            return Ok(None);
        };
        self.positions.pop(state);
        self.explorer.recolour(state, 0, BLUE);
        let position = self.stack.height();
        if u64::from(self.last_accepting()) == position {
            self.accepting.pop();
            return self.red_search(state, counters);
        }
        Ok(None)
    }

    /// The topmost frame to which an accepting edge leads; or 0, which is none, as the first frame is not a state.
    /// Only maintained if a red search may be needed.
    fn last_accepting(&self) -> u32 {
        self.accepting.last().unwrap_or(0)
    }

    /// Visits a state that is neither cyan nor blue.
    fn visit(
        &mut self,
        state: StateRef,
        is_first: bool,
        accepting: bool,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        let height = self.stack.height();
        counters.reached_depth(height);
        counters.checkpoint(height, None)?;
        if accepting && self.rules.nested {
            let position = u32::try_from(height).map_err(|_| Stop::States)?;
            self.accepting.push(position)?;
        }
        self.enter(state, is_first, counters)
    }

    /// Expands a state and pushes it onto the stack.
    fn enter(
        &mut self,
        state: StateRef,
        is_first: bool,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        self.explorer.expand(state);
        let expansion = self.explorer.expansion();
        if is_first {
            let stack = &self.stack;
            let path = |fault: &Fault| stack.path(fault.label);
            counters.expanded(expansion, path, |_, _| false)?;
        } else {
            counters.expanded_again(expansion)?;
        }
        self.stack.push(state)?;
        let stack = &self.stack;
        let at = |at| stack.state(u64::from(at));
        self.positions.push(state, at)?;
        self.settle(is_first, counters)?;
        self.hand_in(state)
    }

    /// Expands the top state again, because its edges were dropped.
    fn enter_again(
        &mut self,
        state: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        counters.checkpoint(self.stack.height(), None)?;
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())?;
        self.settle(false, counters)?;
        self.hand_in(state)
    }

    /// Settles the targets of the last expansion. Only the first expansion of a state counts, but the worker that
    /// stored a new state counts it.
    fn settle(&mut self, is_first: bool, counters: &mut Counters<Path>) -> Result<(), Stop> {
        let result = self.explorer.settle_from(0);
        self.counted
            .settled(self.explorer.settled(), is_first, counters);
        result
    }

    /// Explores the edges of the top state, whose targets were just settled, and pushes those that have to be
    /// followed. An edge that was done before leads to a state that is blue, and red if the edge is accepting.
    fn hand_in(&mut self, state: StateRef) -> Result<Option<Lasso>, Stop> {
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        self.closing.clear();
        for (index, target) in settled.iter().enumerate() {
            let Some(position) = self.position(target) else {
                continue;
            };
            self.closing.push(index);
            let accepting = self.rules.all_accept || is_accepting(expansion.marks(index));
            if accepting || position < self.last_accepting() {
                self.stack
                    .push_edges(expansion, index, &[*target], |_, _| true)?;
                self.stack.next();
                return Ok(lasso(&self.stack, u64::from(position), &[]));
            }
        }
        let closing = &self.closing;
        let nested = self.rules.nested && state != StateRef::NONE;
        let keep = |index: usize, target: &Settled| {
            let is_red = target.colour & RED != 0;
            let waits = match target.colour & BLUE {
                0 => true,
                _ => nested && !is_red && is_accepting(expansion.marks(index)),
            };
            waits && (closing.is_empty() || closing.binary_search(&index).is_err())
        };
        // Workers begin with different edges.
        let middle = first_edge(state, self.number, settled.len());
        let (left, right) = settled.split_at(middle);
        self.stack.push_edges(expansion, 0, left, keep)?;
        self.stack.push_edges(expansion, middle, right, keep)?;
        Ok(None)
    }

    /// The position of a state on the stack.
    fn position(&self, target: &Settled) -> Option<u32> {
        if target.colour & SEEN == 0 {
            return None;
        }
        let at = |at| self.stack.state(u64::from(at));
        self.positions.find(target.state, at)
    }

    /// Searches for a path from a state, the target of the last accepting edge, to a cyan one.
    fn red_search(
        &mut self,
        start: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        if !self.rules.nested || self.explorer.colour(start) & RED != 0 {
            return Ok(None);
        }
        let mut found = self.visit_red(start, counters)?;
        while found.is_none() && self.red_stack.height() > 0 {
            found = match self.red_stack.next() {
                Next::Edge(target) if self.is_new_red(target) => {
                    self.visit_red(target, counters)?
                }
                Next::Edge(_) => None,
                Next::Forgotten { state, first } => self.hand_in_red(state, first, counters)?,
                Next::Exhausted => {
                    self.red_stack.pop();
                    None
                }
            };
        }
        if let Some(position) = found {
            let back: Vec<u32> = self.red_stack.labels(0..self.red_stack.height()).collect();
            return Ok(lasso(&self.stack, u64::from(position), &back));
        }
        self.wait(counters)?;
        while let Some(state) = self.red.pop() {
            self.explorer.recolour(state, 0, RED);
        }
        Ok(None)
    }

    fn is_new_red(&mut self, state: StateRef) -> bool {
        self.red.find(state).is_none() && self.explorer.colour(state) & RED == 0
    }

    fn visit_red(
        &mut self,
        state: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<u32>, Stop> {
        self.red.push(state)?;
        self.red_stack.push(state)?;
        self.hand_in_red(state, 0, counters)
    }

    /// Expands the top of the red stack and explores its edges from an index on. If one leads to a cyan state, it is
    /// taken, and the position of that state is returned.
    fn hand_in_red(
        &mut self,
        state: StateRef,
        first: usize,
        counters: &mut Counters<Path>,
    ) -> Result<Option<u32>, Stop> {
        counters.checkpoint(self.stack.height(), None)?;
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())?;
        let result = self.explorer.settle_from(first);
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        self.counted.settled(settled, false, counters);
        result?;
        for (target, index) in settled.iter().zip(first..) {
            if let Some(position) = self.position(target) {
                self.red_stack
                    .push_edges(expansion, index, &[*target], |_, _| true)?;
                self.red_stack.next();
                return Ok(Some(position));
            }
            let is_red = target.colour & RED != 0;
            if !is_red && is_accepting(expansion.marks(index)) {
                self.awaited.push(target.state)?;
            }
        }
        let red = &self.red;
        self.red_stack
            .push_edges(expansion, first, settled, |_, target| {
                target.colour & RED == 0 && red.find(target.state).is_none()
            })?;
        Ok(None)
    }

    /// Waits until the required states are red.
    fn wait(&mut self, counters: &mut Counters<Path>) -> Result<(), Stop> {
        while let Some(state) = self.awaited.last() {
            if self.explorer.colour(state) & RED != 0 {
                self.awaited.pop();
            } else {
                counters.idle(self.stack.height(), None)?;
                std::thread::yield_now();
            }
        }
        Ok(())
    }
}
