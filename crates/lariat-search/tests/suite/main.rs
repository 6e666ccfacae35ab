//! One suite for all searches: a new search gets all tests by one line in [`SEARCHES`].

mod budgets;
mod faults;
mod lasso_budgets;
mod lasso_oracle;
mod lasso_searches;
mod lassos;
mod oracle;
mod random_graphs;
mod random_lassos;
mod shortest_lassos;
mod spaces;
mod storing;
mod storing_laws;

use lariat_search::{Options, Progress, SearchOutcome, StoreKind};
use lariat_search::{breadth_first, depth_first};
use spaces::{AnySpace, Copyable};

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
