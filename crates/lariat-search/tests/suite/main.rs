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
use lariat_search::{LassoOutcome, Options, Progress, SearchOutcome};
use lariat_search::{breadth_first, depth_first, nested_depth_first, scc_search, shortest_lasso};
use spaces::{AnyAccepting, AnySpace};

/// A search under test.
struct Search {
    name: &'static str,
    order: Order,
    run: for<'a, 'b> fn(&mut AnySpace<'a>, &Options, &mut Recorder<'b>) -> SearchOutcome,
}

/// The order in which a search visits states, which decides what else may be expected of it.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    BreadthFirst,
    DepthFirst,
}

const SEARCHES: &[Search] = &[
    Search {
        name: "breadth_first",
        order: Order::BreadthFirst,
        run: |space, options, observer| breadth_first(space, options, observer),
    },
    Search {
        name: "depth_first",
        order: Order::DepthFirst,
        run: |space, options, observer| depth_first(space, options, observer),
    },
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
    fn run(&self, space: &mut dyn lariat_graph::StateSpace, options: &Options) -> SearchOutcome {
        self.run_observed(space, options, &mut |_| ())
    }

    fn run_observed(
        &self,
        space: &mut dyn lariat_graph::StateSpace,
        options: &Options,
        observe: &mut dyn FnMut(&Progress),
    ) -> SearchOutcome {
        (self.run)(&mut AnySpace(space), options, &mut Recorder(observe))
    }
}
