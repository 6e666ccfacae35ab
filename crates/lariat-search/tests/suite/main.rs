//! One suite for all searches: a new search gets all tests by one line in [`SEARCHES`].

mod budgets;
mod faults;
mod oracle;
mod random_graphs;
mod spaces;

use lariat_search::{Options, Progress, SearchOutcome, breadth_first, depth_first};
use spaces::AnySpace;

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
