//! Depth-first search.
//!
//! The search continues with the first successor that was not visited yet, and backtracks if there is none.
//! Successors are stored as soon as their parent is expanded; the colour of a state tells whether it was visited, so
//! that states are visited in depth-first order. The search is not recursive: its stack (`stack.rs`) takes 16 bytes
//! for each state on the current path, from the same memory as the store. The edges taken from the states on the
//! stack are the path to the current state.

use crate::cycles::compact_ndfs;
use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::retention::{CYAN, Forgetful, KeepAll, Retention, WHITE};
use crate::toolkit::stack::{Next, Stack};
use crate::toolkit::stores::StoreClass;
use crate::toolkit::workers::Workers;
use lariat_graph::Draw;
use lariat_graph::{Fault, StateSpace};
use lariat_store::{Archive, ForgetfulTree, Settled, StateRef};

/// Depth-first search.
pub struct Dfs;

impl Search for Dfs {
    const INFO: SearchInfo = SearchInfo {
        name: "dfs",
        summary: "depth first: deep errors early, and stores that forget states",
        faults: true,
        cycles: Cycles::None,
        stores: StoreClass::ALL,
        workers: WorkerUse::One,
        order: VisitOrder::DepthFirst,
        queue: false,
        shortest_paths: false,
        counts_faults: true,
        misses: Misses::States,
    };

    fn run<G: Draw + Send, O: Observer>(
        graphs: &mut [G],
        options: &Options,
        observer: &mut O,
    ) -> SearchOutcome {
        depth_first(&mut graphs[0], options, observer)
    }
}

/// Visits all reachable states, the successors of a state before its siblings.
pub fn depth_first<S: StateSpace + Send, O: Observer>(
    space: &mut S,
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    if let Some(outcome) = compact_ndfs::search(space, options, None, observer) {
        return outcome;
    }
    let pool = Workers::new(options, 1);
    if let Some(sampling) = options.store.forgetting() {
        let retention = Forgetful::new(sampling, &pool);
        return search::<S, ForgetfulTree, _, O>(space, &pool, retention, observer);
    }
    lariat_store::with_store!(options.store.keeping(), Store => search::<S, Store, _, O>(space, &pool, KeepAll, observer))
}

fn search<S: StateSpace + Send, T: Archive, K: Retention<T>, O: Observer>(
    space: &mut S,
    pool: &Workers,
    retention: K,
    observer: &mut O,
) -> SearchOutcome {
    // Positions on the stack are not needed if states stay in the table.
    let colour_bits = if K::FORGETS { K::COLOUR_BITS } else { 1 };
    let mut store: T = pool.store(colour_bits, space);
    retention.prepare(&mut store);
    let mut search = DepthFirst {
        explorer: Explorer::new(space, &store, pool.memory(), 0),
        retention,
        stack: Stack::new(pool.memory(), 0),
        no_stack: Stack::new(pool.memory(), 0),
    };
    let members = std::slice::from_mut(&mut search);
    let (totals, _) = pool.run(members, observer, DepthFirst::explore);
    let mut outcome = totals.outcome(pool, |path| path);
    outcome.statistics.storing = search.retention.storing(store.len());
    outcome
}

struct DepthFirst<'s, S, T: Archive, K> {
    explorer: Explorer<'s, S, T>,
    retention: K,
    stack: Stack,
    /// There is no nested search.
    no_stack: Stack,
}

impl<S: StateSpace, T: Archive, K: Retention<T>> DepthFirst<'_, S, T, K> {
    fn explore(&mut self, counters: &mut Counters<Path>) -> Result<(), Stop> {
        counters.checkpoint(0, None)?;
        self.enter(StateRef::NONE, counters)?;
        while self.stack.height() > 0 {
            match self.stack.next() {
                Next::Edge(target) => {
                    // A state that stays in the table is looked up and coloured at once.
                    let colour = match K::FORGETS {
                        true => self.explorer.colour(target),
                        false => self.explorer.recolour(target, 0, CYAN),
                    };
                    if colour == WHITE {
                        self.visit(target, counters)?;
                    }
                }
                Next::Exhausted => self.back(),
                Next::Forgotten { state, first } => self.remember(state, first, counters)?,
            }
        }
        Ok(())
    }

    /// Enters a white state.
    fn visit(&mut self, state: StateRef, counters: &mut Counters<Path>) -> Result<(), Stop> {
        let height = self.stack.height();
        counters.reached_depth(height);
        counters.checkpoint(height, None)?;
        if K::FORGETS {
            let stacks = [&self.stack, &self.no_stack];
            self.retention
                .enter(&mut self.explorer, state, stacks, counters)?;
        }
        self.enter(state, counters)
    }

    /// Leaves the top state.
    fn back(&mut self) {
        let left = self.stack.pop();
        if let Some(state) = left.filter(|&state| K::FORGETS && state != StateRef::NONE) {
            self.retention.leave(&mut self.explorer, state);
            self.retention.dismiss(&mut self.explorer, state);
        }
    }

    /// Expands a state and puts it on the stack.
    fn enter(&mut self, state: StateRef, counters: &mut Counters<Path>) -> Result<(), Stop> {
        self.explorer.expand(state);
        let path = |fault: &Fault| self.stack.path(fault.label);
        counters.expanded(self.explorer.expansion(), path, |_, _| false)?;
        let stacks = [&self.stack, &self.no_stack];
        self.retention
            .settle(&mut self.explorer, stacks, counters)?;
        self.stack.push(state)?;
        self.push_edges(0)
    }

    /// Expands the top state again, whose edges from an index on were dropped from the stack.
    fn remember(
        &mut self,
        state: StateRef,
        first: usize,
        counters: &mut Counters<Path>,
    ) -> Result<(), Stop> {
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())?;
        let stacks = [&self.stack, &self.no_stack];
        self.retention
            .settle_again(&mut self.explorer, stacks, first)?;
        self.push_edges(first)
    }

    fn push_edges(&mut self, first: usize) -> Result<(), Stop> {
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        let is_open = |_: usize, settled: &Settled| settled.colour == WHITE;
        self.stack.push_edges(expansion, first, settled, is_open)?;
        Ok(())
    }
}
