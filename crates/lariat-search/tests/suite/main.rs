//! One suite for all searches: a new search gets all tests by its line in the registry.

mod bitstate;
mod budgets;
mod compact;
mod compact_stacks;
mod faults;
mod lasso_budgets;
mod lasso_oracle;
mod lasso_searches;
mod lassos;
mod omissions;
mod oracle;
mod random_graphs;
mod random_lassos;
mod rounds;
mod shortest_lassos;
mod spaces;
mod storing;
mod storing_laws;

use lariat_search::{
    Options, Progress, SearchId, SearchOutcome, StoreClass, StoreId, StoreKind, VisitOrder,
    WorkerUse,
};
use spaces::{AnySpace, Copyable};
use std::sync::LazyLock;

/// A search for faults under test.
struct Search {
    name: String,
    id: SearchId,
    order: VisitOrder,
    store: StoreKind,
    /// The number of workers; each gets a copy of the space.
    workers: usize,
}

/// A registered search with every store that keeps all states and several numbers of workers, if it can use them.
fn variants(id: SearchId) -> impl Iterator<Item = (String, StoreKind, usize)> {
    let most = move |store: StoreId| match id.info().workers {
        WorkerUse::One => 1,
        _ if store == StoreId::default() => 3,
        _ => 2,
    };
    let keeps = id.info().stores.contains(&StoreClass::Keeping);
    let stores = StoreId::ALL.iter().filter(move |_| keeps);
    stores.flat_map(move |&store| {
        (1..=most(store)).map(move |workers| {
            let mut name = format!("{}, {}", id.name(), store.info().name);
            if workers > 1 {
                name += &format!(", {workers} workers");
            }
            (name, StoreKind::Keep(store), workers)
        })
    })
}

/// All registered searches for faults.
static SEARCHES: LazyLock<Vec<Search>> = LazyLock::new(|| {
    let for_faults = SearchId::ALL.iter().filter(|id| id.info().faults);
    let all = for_faults.flat_map(|&id| variants(id).map(move |variant| (id, variant)));
    let search = |(id, (name, store, workers)): (SearchId, (String, StoreKind, usize))| Search {
        name,
        id,
        order: id.info().order,
        store,
        workers,
    };
    all.map(search).collect()
});

/// An observer with a function of the test.
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
        self.id.run(&mut spaces, &options, &mut Recorder(observe))
    }
}

/// The bytes that a store takes for a small state.
fn bytes_per_state(store: StoreKind) -> u64 {
    match store {
        StoreKind::Keep(id) => id.info().state_bytes,
        _ => StoreId::default().info().state_bytes,
    }
}
