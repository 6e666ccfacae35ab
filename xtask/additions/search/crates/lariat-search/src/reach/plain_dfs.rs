//! Plain depth-first search, as an example of a search.

use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::stack::{Next, Stack};
use crate::toolkit::stores::StoreClass;
use crate::toolkit::workers::Workers;
use lariat_graph::{Draw, Fault, StateSpace};
use lariat_store::{Archive, Settled, StateRef};

/// Plain depth-first search.
pub struct PlainDfs;

/// The colour of visited states.
const VISITED: u8 = 1;

impl Search for PlainDfs {
    const INFO: SearchInfo = SearchInfo {
        name: "plain-dfs",
        summary: "depth first, with nothing around it",
        faults: true,
        cycles: Cycles::None,
        stores: &[StoreClass::Keeping],
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
        let pool = Workers::new(options, 1);
        lariat_store::with_store!(options.store.keeping(), Store => search::<G, Store, O>(&mut graphs[0], &pool, observer))
    }
}

fn search<S: StateSpace + Send, T: Archive, O: Observer>(
    space: &mut S,
    pool: &Workers,
    observer: &mut O,
) -> SearchOutcome {
    let store: T = pool.store(1, space);
    let explorer = Explorer::new(space, &store, pool.memory(), 0);
    let stack = Stack::new(pool.memory(), 0);
    let mut members = [PlainDepthFirst { explorer, stack }];
    let (totals, _) = pool.run(&mut members, observer, PlainDepthFirst::explore);
    totals.outcome(pool, |path| path)
}

struct PlainDepthFirst<'s, S, T: Archive> {
    explorer: Explorer<'s, S, T>,
    stack: Stack,
}

impl<S: StateSpace, T: Archive> PlainDepthFirst<'_, S, T> {
    fn explore(&mut self, counters: &mut Counters<Path>) -> Result<(), Stop> {
        counters.checkpoint(0, None)?;
        self.enter(StateRef::NONE, counters)?;
        while self.stack.height() > 0 {
            match self.stack.next() {
                Next::Edge(target) if self.explorer.recolour(target, 0, VISITED) == 0 => {
                    let height = self.stack.height();
                    counters.reached_depth(height);
                    counters.checkpoint(height, None)?;
                    self.enter(target, counters)?;
                }
                Next::Edge(_) => {}
                Next::Exhausted => {
                    self.stack.pop();
                }
                Next::Forgotten { state, first } => {
                    self.explorer.expand(state);
                    counters.expanded_again(self.explorer.expansion())?;
                    self.explorer.settle_from(first)?;
                    self.push_edges(first)?;
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, state: StateRef, counters: &mut Counters<Path>) -> Result<(), Stop> {
        self.explorer.expand(state);
        let path = |fault: &Fault| self.stack.path(fault.label);
        counters.expanded(self.explorer.expansion(), path, |_, _| false)?;
        self.explorer.settle(counters)?;
        self.stack.push(state)?;
        self.push_edges(0)
    }

    fn push_edges(&mut self, first: usize) -> Result<(), Stop> {
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        let is_open = |_: usize, settled: &Settled| settled.colour == 0;
        self.stack.push_edges(expansion, first, settled, is_open)?;
        Ok(())
    }
}
