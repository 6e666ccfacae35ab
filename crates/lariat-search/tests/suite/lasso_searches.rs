//! The tested searches for accepted cycles, with every store and several workers.

use crate::{Recorder, variants};
use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace};
use lariat_search::{
    Cycles, Exactness, Options, Progress, RandomizedStoring, SearchId, SearchOutcome, StoreId,
    StoreKind, StoringRule, VisitOrder, shortest_lasso,
};
use lariat_stats::Rng;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// A search for accepted cycles under test.
pub struct LassoSearch {
    pub name: String,
    pub store: StoreKind,
    /// The number of workers; each gets a copy of the graph.
    pub workers: usize,
    /// `None` is the search for shortest lassos, which is not registered.
    id: Option<SearchId>,
}

/// All registered searches that keep all states.
pub static LASSO_SEARCHES: LazyLock<Vec<LassoSearch>> = LazyLock::new(|| {
    let mut all = vec![LassoSearch {
        name: "shortest_lasso".into(),
        store: StoreKind::Keep(StoreId::Flat),
        workers: 1,
        id: None,
    }];
    for &id in SearchId::ALL {
        if id.info().cycles > Cycles::None {
            all.extend(variants(id).map(|(name, store, workers)| LassoSearch {
                name,
                store,
                workers,
                id: Some(id),
            }));
        }
    }
    all
});

/// Those that remove states; they revisit some.
static FORGETFUL_SEARCHES: LazyLock<Vec<LassoSearch>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for &id in SearchId::ALL {
        for rule in [
            StoringRule::Dynamic(0.5),
            StoringRule::Static(0.9),
            StoringRule::Auto,
        ] {
            let store = StoreKind::Forget(RandomizedStoring { rule, seed: 1 });
            if id.info().cycles > Cycles::None && id.info().stores.contains(&store.class()) {
                all.push(LassoSearch {
                    name: format!("{}, {store}", id.name()),
                    store,
                    workers: 1,
                    id: Some(id),
                });
            }
        }
    }
    all
});

/// All of them.
pub fn all_searches() -> impl Iterator<Item = &'static LassoSearch> {
    LASSO_SEARCHES.iter().chain(FORGETFUL_SEARCHES.iter())
}

impl LassoSearch {
    /// Whether it supports an acceptance condition.
    pub fn knows(&self, acceptance: Acceptance) -> bool {
        let needed = match acceptance {
            Acceptance { pairs: 1.., .. } => Cycles::Pairs,
            Acceptance { sets: 0 | 1, .. } => Cycles::OneSet,
            _ => Cycles::Sets,
        };
        self.id.is_none_or(|id| id.info().cycles >= needed)
    }

    /// Whether a cycle can be closed by a stack, and not only by rounds over all states.
    pub fn has_stack(&self) -> bool {
        let order = self.id.map(|id| id.info().order);
        order != Some(VisitOrder::BreadthFirst)
    }

    pub fn run(&self, graph: &dyn CopyableGraph, options: &Options) -> SearchOutcome {
        self.run_observed(graph, options, &mut |_| ())
    }

    pub fn run_observed(
        &self,
        graph: &dyn CopyableGraph,
        options: &Options,
        observe: &mut dyn FnMut(&Progress),
    ) -> SearchOutcome {
        let mut graphs = copies(graph, self.workers);
        let options = Options {
            store: self.store,
            ..options.clone()
        };
        let mut observer = Recorder(observe);
        if let Some(id) = self.id {
            return id.run(&mut graphs, &options, &mut observer);
        }
        let found = shortest_lasso(&mut graphs[0], &options, None, &mut observer);
        SearchOutcome {
            stop: found.stop,
            statistics: found.statistics,
            faults: found.faults,
            lasso: found.lasso,
            exactness: Exactness::Exact,
            walks: None,
        }
    }
}

/// A graph for each worker.
pub fn copies(graph: &dyn CopyableGraph, workers: usize) -> Vec<AnyAccepting> {
    let unrest = |worker| Unrest {
        arrived: Arc::new(AtomicUsize::new(0)),
        workers,
        rng: Rng::new(worker),
        disturbances: 1000,
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

/// Any accepting graph behind one type. It makes several workers start at the same time and delays some of them at
/// random.
pub struct AnyAccepting(Box<dyn CopyableGraph>, Option<Unrest>);

struct Unrest {
    arrived: Arc<AtomicUsize>,
    workers: usize,
    rng: Rng,
    disturbances: u32,
}

impl Unrest {
    /// Waits for the other workers, but not for long: some may never start.
    fn start(&mut self) {
        self.arrived.fetch_add(1, Ordering::Relaxed);
        let start = Instant::now();
        while self.arrived.load(Ordering::Relaxed) < self.workers
            && start.elapsed() < Duration::from_micros(300)
        {
            std::hint::spin_loop();
        }
    }

    /// Delays the worker, at the beginning of a search.
    fn stir(&mut self) {
        if self.disturbances == 0 {
            return;
        }
        self.disturbances -= 1;
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

impl Draw for AnyAccepting {}
