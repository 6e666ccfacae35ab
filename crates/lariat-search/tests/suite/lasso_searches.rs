//! The searches for accepted cycles that are tested, with every store and several workers.

use crate::Recorder;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};
use lariat_search::{LassoOutcome, Options, Progress, Sampling, StoreKind, StoringRule};
use lariat_search::{nested_depth_first, nested_dfs_rest, scc_search, shortest_lasso};
use lariat_stats::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A search for accepted cycles under test.
pub struct LassoSearch {
    pub name: &'static str,
    pub store: StoreKind,
    /// Each of them gets a graph of its own.
    pub workers: usize,
    /// Whether it can deal with a condition.
    pub knows: fn(Acceptance) -> bool,
    run: for<'b> fn(&mut [AnyAccepting], &Options, &mut Recorder<'b>) -> LassoOutcome,
}

const fn nested(name: &'static str, store: StoreKind, workers: usize) -> LassoSearch {
    LassoSearch {
        name,
        store,
        workers,
        knows: |acceptance| acceptance.sets <= 1 && acceptance.pairs == 0,
        run: |graphs, options, observer| nested_depth_first(graphs, options, false, observer),
    }
}

/// A nested search that forgets states by a rule.
const fn forgetful(name: &'static str, rule: StoringRule) -> LassoSearch {
    nested(name, StoreKind::Sample(Sampling { rule, seed: 1 }), 1)
}

const fn components(name: &'static str, store: StoreKind, workers: usize) -> LassoSearch {
    LassoSearch {
        name,
        store,
        workers,
        knows: |_| true,
        run: |graphs, options, observer| scc_search(graphs, options, observer),
    }
}

pub const LASSO_SEARCHES: &[LassoSearch] = &[
    nested("nested_depth_first, flat", StoreKind::Flat, 1),
    nested("nested_depth_first, tree", StoreKind::Tree, 1),
    nested("nested_depth_first, flat, 2 workers", StoreKind::Flat, 2),
    nested("nested_depth_first, tree, 2 workers", StoreKind::Tree, 2),
    nested("nested_depth_first, tree, 3 workers", StoreKind::Tree, 3),
    components("scc_search, flat", StoreKind::Flat, 1),
    components("scc_search, tree", StoreKind::Tree, 1),
    components("scc_search, flat, 2 workers", StoreKind::Flat, 2),
    components("scc_search, tree, 2 workers", StoreKind::Tree, 2),
    components("scc_search, tree, 3 workers", StoreKind::Tree, 3),
    LassoSearch {
        name: "shortest_lasso",
        store: StoreKind::Flat,
        workers: 1,
        knows: |_| true,
        run: |graphs, options, observer| {
            let found = shortest_lasso(&mut graphs[0], options, None, observer);
            LassoOutcome {
                stop: found.stop,
                statistics: found.statistics,
                faults: found.faults,
                lasso: found.lasso,
            }
        },
    },
];

/// Those that forget states; they visit some again.
pub const FORGETFUL_SEARCHES: &[LassoSearch] = &[
    forgetful("nested_depth_first, dynamic", StoringRule::Dynamic(0.5)),
    forgetful("nested_depth_first, static", StoringRule::Static(0.9)),
    forgetful("nested_depth_first, auto", StoringRule::Auto),
    LassoSearch {
        run: |graphs, options, observer| {
            let rule = StoringRule::Dynamic(0.5);
            let sampling = Sampling { rule, seed: 1 };
            nested_dfs_rest(&mut graphs[0], sampling, options, observer)
        },
        ..forgetful("nested_dfs_rest", StoringRule::Dynamic(0.5))
    },
];

/// All of them.
pub fn all_searches() -> impl Iterator<Item = &'static LassoSearch> {
    LASSO_SEARCHES.iter().chain(FORGETFUL_SEARCHES)
}

impl LassoSearch {
    pub fn run(&self, graph: &dyn CopyableGraph, options: &Options) -> LassoOutcome {
        self.run_observed(graph, options, &mut |_| ())
    }

    pub fn run_observed(
        &self,
        graph: &dyn CopyableGraph,
        options: &Options,
        observe: &mut dyn FnMut(&Progress),
    ) -> LassoOutcome {
        let mut graphs = copies(graph, self.workers);
        let options = Options {
            store: self.store,
            ..options.clone()
        };
        (self.run)(&mut graphs, &options, &mut Recorder(observe))
    }
}

/// A graph for each worker.
pub fn copies(graph: &dyn CopyableGraph, workers: usize) -> Vec<AnyAccepting> {
    let unrest = |worker| Unrest {
        arrived: Arc::new(AtomicUsize::new(0)),
        workers,
        rng: Rng::new(worker),
        patience: 1000,
    };
    let mut graphs: Vec<AnyAccepting> = (0..workers as u64)
        .map(|worker| AnyAccepting(graph.copy(), (workers > 1).then(|| unrest(worker))))
        .collect();
    let arrived = Arc::new(AtomicUsize::new(0));
    for unrest in graphs.iter_mut().filter_map(|graph| graph.1.as_mut()) {
        unrest.arrived = arrived.clone();
    }
    graphs
}

/// A graph of which each worker gets a copy.
pub trait CopyableGraph: AcceptingGraph + Send {
    fn copy(&self) -> Box<dyn CopyableGraph>;
}

impl<G: AcceptingGraph + Clone + Send + 'static> CopyableGraph for G {
    fn copy(&self) -> Box<dyn CopyableGraph> {
        Box::new(self.clone())
    }
}

/// Any accepting graph behind one type. Among several workers, it sees to it that they begin at the
/// same time and overtake each other now and then.
pub struct AnyAccepting(Box<dyn CopyableGraph>, Option<Unrest>);

struct Unrest {
    arrived: Arc<AtomicUsize>,
    workers: usize,
    rng: Rng,
    patience: u32,
}

impl Unrest {
    /// Waits for the other workers, but not for long: some may never come.
    fn start(&mut self) {
        self.arrived.fetch_add(1, Ordering::Relaxed);
        let start = Instant::now();
        while self.arrived.load(Ordering::Relaxed) < self.workers
            && start.elapsed() < Duration::from_micros(300)
        {
            std::hint::spin_loop();
        }
    }

    /// Loses some time, at the beginning of a search.
    fn stir(&mut self) {
        if self.patience == 0 {
            return;
        }
        self.patience -= 1;
        match self.rng.below(8) {
            0 => std::thread::yield_now(),
            1 => (0..self.rng.below(100)).for_each(|_| std::hint::spin_loop()),
            _ => {}
        }
    }
}

impl StateSpace for AnyAccepting {
    fn initial(&mut self, out: &mut Expansion) {
        self.1.iter_mut().for_each(Unrest::start);
        self.0.initial(out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.1.iter_mut().for_each(Unrest::stir);
        self.0.successors(state, out);
    }
}

impl AcceptingGraph for AnyAccepting {
    fn acceptance(&self) -> Acceptance {
        self.0.acceptance()
    }
}
