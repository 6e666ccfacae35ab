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
use crate::observer::Observer;
use crate::outcome::{Path, SearchOutcome};
use crate::stack::{Next, Stack};
use lariat_graph::{Fault, StateSpace};
use lariat_store::{Settled, StateRef, StateSet};

/// Visits all reachable states, the successors of a state before its siblings.
pub fn depth_first<S: StateSpace + Send, O: Observer>(
    space: &mut S,
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    with_store!(options.store, Store => search::<S, Store, O>(space, options, observer))
}

fn search<S: StateSpace + Send, T: StateSet, O: Observer>(
    space: &mut S,
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let crew = Crew::new(options, 1);
    let store: T = crew.store(VISITED.count_ones(), space);
    let mut search = DepthFirst {
        explorer: Explorer::new(space, &store, crew.memory(), 0),
        stack: Stack::new(crew.memory(), 0),
    };
    let members = std::slice::from_mut(&mut search);
    let (ledger, _) = crew.work(members, observer, DepthFirst::explore);
    ledger.outcome(&crew, |path| path)
}

/// The colour of a state that was visited; others were only seen.
const VISITED: u8 = 1;

struct DepthFirst<'s, S, T: StateSet> {
    explorer: Explorer<'s, S, T>,
    stack: Stack,
}

impl<S: StateSpace, T: StateSet> DepthFirst<'_, S, T> {
    fn explore(&mut self, books: &mut Books<Path>) -> Result<(), Stop> {
        books.checkpoint(0, None)?;
        self.enter(StateRef::NONE, books)?;
        while self.stack.height() > 0 {
            match self.stack.next() {
                Next::Edge(target) => {
                    let colour = self.explorer.recolour(target, 0, VISITED);
                    if colour & VISITED == 0 {
                        let height = self.stack.height();
                        books.reached_depth(height);
                        books.checkpoint(height, None)?;
                        self.enter(target, books)?;
                    }
                }
                Next::Exhausted => {
                    self.stack.pop();
                }
                Next::Forgotten { state, first } => self.remember(state, first, books)?,
            }
        }
        Ok(())
    }

    /// Expands a state and puts it on the stack.
    fn enter(&mut self, state: StateRef, books: &mut Books<Path>) -> Result<(), Stop> {
        self.explorer.expand(state);
        let path = |fault: &Fault| self.stack.path(fault.label);
        books.expanded(self.explorer.expansion(), path, |_, _| false)?;
        self.explorer.settle(books)?;
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
        self.explorer.settle_from(first)?;
        self.push_edges(first)
    }

    fn push_edges(&mut self, first: usize) -> Result<(), Stop> {
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        let is_open = |_: usize, settled: &Settled| settled.colour & VISITED == 0;
        self.stack.push_edges(expansion, first, settled, is_open)?;
        Ok(())
    }
}
