//! One suite for all searches: a new search gets all tests by one line in [`SEARCHES`].

mod budgets;
mod faults;
mod lasso_budgets;
mod lasso_oracle;
mod lassos;
mod oracle;
mod random_graphs;
mod shortest_lassos;
mod spaces;

use lariat_graph::{Acceptance, AcceptingGraph};
use lariat_search::{LassoOutcome, Options, Progress, SearchOutcome, StoreKind};
use lariat_search::{breadth_first, depth_first, nested_depth_first, scc_search, shortest_lasso};
use spaces::{AnyAccepting, AnySpace, Copyable};

/// A search under test.
struct Search {
    name: &'static str,
    order: Order,
    store: StoreKind,
    /// Each of them gets a space of its own.
    workers: usize,
    run: for<'b> fn(&mut [AnySpace], &Options, &mut Recorder<'b>) -> SearchOutcome,
}

/// The order in which a search visits states, which decides what else may be expected of it.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    BreadthFirst,
    DepthFirst,
}

const fn breadth(name: &'static str, store: StoreKind, workers: usize) -> Search {
    Search {
        name,
        order: Order::BreadthFirst,
        store,
        workers,
        run: |spaces, options, observer| breadth_first(spaces, options, observer),
    }
}

const fn depth(name: &'static str, store: StoreKind) -> Search {
    Search {
        name,
        order: Order::DepthFirst,
        store,
        workers: 1,
        run: |spaces, options, observer| depth_first(&mut spaces[0], options, observer),
    }
}

const SEARCHES: &[Search] = &[
    breadth("breadth_first, flat", StoreKind::Flat, 1),
    breadth("breadth_first, flat, 2 workers", StoreKind::Flat, 2),
    breadth("breadth_first, tree", StoreKind::Tree, 1),
    breadth("breadth_first, tree, 2 workers", StoreKind::Tree, 2),
    breadth("breadth_first, tree, 3 workers", StoreKind::Tree, 3),
    depth("depth_first, flat", StoreKind::Flat),
    depth("depth_first, tree", StoreKind::Tree),
];

/// A search for accepted cycles under test.
struct LassoSearch {
    name: &'static str,
    /// Whether it can deal with a condition.
    knows: fn(Acceptance) -> bool,
    run: for<'a, 'b> fn(&mut AnyAccepting<'a>, &Options, &mut Recorder<'b>) -> LassoOutcome,
}

const LASSO_SEARCHES: &[LassoSearch] = &[
    LassoSearch {
        name: "nested_depth_first",
        knows: |acceptance| acceptance.sets <= 1 && acceptance.pairs == 0,
        run: |graph, options, observer| nested_depth_first(graph, options, false, observer),
    },
    LassoSearch {
        name: "scc_search",
        knows: |_| true,
        run: |graph, options, observer| scc_search(graph, options, observer),
    },
    LassoSearch {
        name: "shortest_lasso",
        knows: |_| true,
        run: |graph, options, observer| {
            let found = shortest_lasso(graph, options, None, observer);
            LassoOutcome {
                stop: found.stop,
                statistics: found.statistics,
                faults: found.faults,
                lasso: found.lasso,
            }
        },
    },
];

impl LassoSearch {
    fn run(&self, graph: &mut dyn AcceptingGraph, options: &Options) -> LassoOutcome {
        self.run_observed(graph, options, &mut |_| ())
    }

    fn run_observed(
        &self,
        graph: &mut dyn AcceptingGraph,
        options: &Options,
        observe: &mut dyn FnMut(&Progress),
    ) -> LassoOutcome {
        (self.run)(&mut AnyAccepting(graph), options, &mut Recorder(observe))
    }
}

/// An observer that does what a test wants.
struct Recorder<'a>(&'a mut dyn FnMut(&Progress));

impl lariat_search::Observer for Recorder<'_> {
    fn progress(&mut self, progress: &Progress) {
        (self.0)(progress);
    }
}

impl Search {
    fn run(&self, space: &dyn Copyable, options: &Options) -> SearchOutcome {
        self.run_observed(space, options, &mut |_| ())
    }

    fn run_observed(
        &self,
        space: &dyn Copyable,
        options: &Options,
        observe: &mut dyn FnMut(&Progress),
    ) -> SearchOutcome {
        let copy = |_| AnySpace(space.copy());
        let mut spaces: Vec<AnySpace> = (0..self.workers).map(copy).collect();
        let options = Options {
            store: self.store,
            ..options.clone()
        };
        (self.run)(&mut spaces, &options, &mut Recorder(observe))
    }
}
