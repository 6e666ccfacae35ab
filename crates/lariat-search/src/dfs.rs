//! Depth-first search.
//!
//! Goes from each state to its first successor that was not visited yet, and back when there is
//! none. Successors are stored as soon as their parent is expanded; whether a state was visited is
//! told by its colour, so that states are visited in the true depth-first order. The search is not
//! recursive: it has a stack of its own (`stack.rs`), which takes 16 bytes for each state on the
//! current path and draws on the same memory as the store. The edges taken from the states on the
//! stack are the path to the current state.

use crate::budget::{Options, Stop, with_store};
use crate::crew::{Books, Crew};
use crate::explorer::Explorer;
use crate::keeper::{self, CYAN, Forgetful, KeepAll, Keeper, WHITE};
use crate::observer::Observer;
use crate::outcome::{Path, SearchOutcome};
use crate::stack::{Next, Stack};
use lariat_graph::{Fault, StateSpace};
use lariat_store::{ForgetfulTree, Settled, StateRef, StateSet};

/// Visits all reachable states, the successors of a state before its siblings.
pub fn depth_first<S: StateSpace + Send, O: Observer>(
    space: &mut S,
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let crew = Crew::new(options, 1);
    if let Some(sampling) = keeper::sampling(options) {
        let keeper = Forgetful::new(sampling, &crew);
        return search::<S, ForgetfulTree, _, O>(space, &crew, keeper, observer);
    }
    with_store!(options.store, Store => search::<S, Store, _, O>(space, &crew, KeepAll, observer))
}

fn search<S: StateSpace + Send, T: StateSet, K: Keeper<T>, O: Observer>(
    space: &mut S,
    crew: &Crew,
    keeper: K,
    observer: &mut O,
) -> SearchOutcome {
    // Nobody asks whether a state that stays in the table is still on the stack.
    let colour_bits = if K::FORGETS { K::COLOUR_BITS } else { 1 };
    let mut store: T = crew.store(colour_bits, space);
    keeper.prepare(&mut store);
    let mut search = DepthFirst {
        explorer: Explorer::new(space, &store, crew.memory(), 0),
        keeper,
        stack: Stack::new(crew.memory(), 0),
        no_stack: Stack::new(crew.memory(), 0),
    };
    let members = std::slice::from_mut(&mut search);
    let (ledger, _) = crew.work(members, observer, DepthFirst::explore);
    let mut outcome = ledger.outcome(crew, |path| path);
    outcome.statistics.storing = search.keeper.storing(store.len());
    outcome
}

struct DepthFirst<'s, S, T: StateSet, K> {
    explorer: Explorer<'s, S, T>,
    keeper: K,
    stack: Stack,
    /// There is no other search.
    no_stack: Stack,
}

impl<S: StateSpace, T: StateSet, K: Keeper<T>> DepthFirst<'_, S, T, K> {
    fn explore(&mut self, books: &mut Books<Path>) -> Result<(), Stop> {
        books.checkpoint(0, None)?;
        self.enter(StateRef::NONE, books)?;
        while self.stack.height() > 0 {
            match self.stack.next() {
                Next::Edge(target) => {
                    // What stays for ever is looked up and coloured at once.
                    let colour = match K::FORGETS {
                        true => self.explorer.colour(target),
                        false => self.explorer.recolour(target, 0, CYAN),
                    };
                    if colour == WHITE {
                        self.visit(target, books)?;
                    }
                }
                Next::Exhausted => self.back(),
                Next::Forgotten { state, first } => self.remember(state, first, books)?,
            }
        }
        Ok(())
    }

    /// Goes to a white state.
    fn visit(&mut self, state: StateRef, books: &mut Books<Path>) -> Result<(), Stop> {
        let height = self.stack.height();
        books.reached_depth(height);
        books.checkpoint(height, None)?;
        if K::FORGETS {
            let stacks = [&self.stack, &self.no_stack];
            self.keeper
                .enter(&mut self.explorer, state, stacks, books)?;
        }
        self.enter(state, books)
    }

    /// Leaves the top state.
    fn back(&mut self) {
        let left = self.stack.pop();
        if let Some(state) = left.filter(|&state| K::FORGETS && state != StateRef::NONE) {
            self.keeper.leave(&mut self.explorer, state);
            self.keeper.dismiss(&mut self.explorer, state);
        }
    }

    /// Expands a state and puts it on the stack.
    fn enter(&mut self, state: StateRef, books: &mut Books<Path>) -> Result<(), Stop> {
        self.explorer.expand(state);
        let path = |fault: &Fault| self.stack.path(fault.label);
        books.expanded(self.explorer.expansion(), path, |_, _| false)?;
        let stacks = [&self.stack, &self.no_stack];
        self.keeper.settle(&mut self.explorer, stacks, books)?;
        self.stack.push(state)?;
        self.push_edges(0)
    }

    /// Expands the top state again, whose edges from an index on were forgotten.
    fn remember(
        &mut self,
        state: StateRef,
        first: usize,
        books: &mut Books<Path>,
    ) -> Result<(), Stop> {
        self.explorer.expand(state);
        books.expanded_again(self.explorer.expansion())?;
        let stacks = [&self.stack, &self.no_stack];
        self.keeper
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
