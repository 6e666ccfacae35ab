//! Search algorithms over state spaces, one file each, named as in the literature.
//!
//! Every search is a function of a [`StateSpace`](lariat_graph::StateSpace), the [`Options`] and an [`Observer`], and
//! returns a [`SearchOutcome`]. It does not depend on how states are generated. A search that ends early returns
//! everything it has found: [`Stop`] is the reason.
//!
//! | search | advantage | costs |
//! |---|---|---|
//! | [`breadth_first`] | shortest paths; several workers | 8 bytes a waiting state; 1 to 2 bytes a state for paths |
//! | [`depth_first`] | deep errors, early | 16 bytes a state on the stack |
//!
//! For the accepted infinite runs of an [`AcceptingGraph`](lariat_graph::AcceptingGraph) there are other searches:
//!
//! | search | advantage | costs |
//! |---|---|---|
//! | [`nested_depth_first`] | one acceptance set; several workers | 2 or 3 bits a state, 16 to 26 bytes a state on a stack; expands states up to twice |
//! | [`one_way_catch_them_young`] | several workers without a depth-first order; several sets | 4 bytes a slot of the store, 1 or 2 for a parent, 8 to 24 for a state with marked edges; expands states several times |
//! | [`maximal_accepting_predecessors`] | several workers without a depth-first order; one set | 8 bytes a slot of the store, 1 or 2 for a parent, 8 to 24 for a state with marked edges; expands states many times |
//! | [`nested_dfs_rest`] | repeating published experiments | as published |
//! | [`scc_search`] | any acceptance; several workers, without pairs | 2 bits a state, 15 to 80 bytes a state of an incomplete component; the found component again |
//! | [`random_lassos`] | graphs of any size: finds a violation, or bounds its probability | one walk |
//! | [`shortest_lasso`] | the shortest counterexample, in small graphs | all edges up to its length; much time |
//!
//! ```
//! use lariat_graph::explicit::ExplicitGraph;
//! use lariat_search::{Options, Stop, breadth_first};
//!
//! let grid = ExplicitGraph::grid(3, 4);
//! let outcome = breadth_first(&mut [grid], &Options::default(), &mut ());
//! assert_eq!(outcome.stop, Stop::Complete);
//! assert_eq!(outcome.statistics.states_stored, 12);
//! ```
//!
//! ```
//! use lariat_graph::Acceptance;
//! use lariat_graph::explicit::ExplicitAcceptingGraph;
//! use lariat_search::{Options, scc_search};
//!
//! let mut graph = ExplicitAcceptingGraph::new(3, Acceptance { sets: 1, pairs: 0 });
//! graph.add_initial(0);
//! graph.add_edge(0, 1, 10, &[]);
//! graph.add_edge(1, 2, 11, &[0]); // the only edge of the set
//! graph.add_edge(2, 1, 12, &[]);
//! let lasso = scc_search(&mut [graph], &Options::default(), &mut ()).lasso.unwrap();
//! assert_eq!((lasso.prefix, lasso.cycle), (vec![10], vec![11, 12]));
//! ```

#[macro_use]
pub mod registry;
pub mod cycles;
pub mod reach;
mod shuffled;
pub mod toolkit;
pub mod walks;

pub use cycles::map::maximal_accepting_predecessors;
pub use cycles::ndfs::nested_depth_first;
pub use cycles::nested_dfs_rest::nested_dfs_rest;
pub use cycles::owcty::one_way_catch_them_young;
pub use cycles::scc::scc_search;
pub use cycles::shortest_lasso::{ShortestLasso, shorten, shortest_lasso};
pub use lariat_stats::{Distinction, Omission};
pub use lariat_store::frontier::{Spill, SpillError};
pub use lariat_store::{Exactness, StoreId};
pub use reach::bfs::breadth_first;
pub use reach::dfs::depth_first;
pub use registry::{Cycles, Misses, Search, SearchId, SearchInfo, VisitOrder, WorkerUse};
pub use shuffled::Shuffled;
pub use toolkit::budget::{Budget, Clock, FaultPolicy, Options, Stop};
pub use toolkit::lasso::{Lasso, LassoError, replay_lasso};
pub use toolkit::observer::{Observer, Progress, Table};
pub use toolkit::outcome::{FoundFault, Path, SearchOutcome, Spilled, Statistics};
pub use toolkit::stores::{Bitstate, Compaction, StoreClass, StoreKind};
pub use toolkit::storing::{Forecast, RandomizedStoring, Storing, StoringRule, VISITS};
pub use walks::monte_carlo::{
    Ending, LassoSampling, Recorded, Sampled, Sampler, Tally, Uniform, Walk, WalkOptions, Walker,
    random_lassos, record, record_within, sample_in_order,
};
pub use walks::sequential_test::{
    DEFAULT_DELTA, DEFAULT_EPSILON, DEFAULT_LENGTH, Estimated, Estimator, Goal, SamplingName,
    SequentialTest, WalkConclusion, WalkTask, Walked,
};
