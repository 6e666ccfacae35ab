//! Search algorithms over state spaces, one file each, named as in the literature.
//!
//! Every search is a function of a [`StateSpace`](lariat_graph::StateSpace), the
//! [`Options`] and an [`Observer`], and returns a [`SearchOutcome`]. It knows nothing about where
//! states come from. Whatever ends it, it returns everything it has found: [`Stop`] tells how far
//! it came.
//!
//! | search | good at | costs |
//! |---|---|---|
//! | [`breadth_first`] | shortest paths; several workers | 8 bytes a waiting state; 1 to 2 bytes a state for paths |
//! | [`depth_first`] | deep errors, early | 16 bytes a state on the stack |
//!
//! For the accepted infinite runs of an [`AcceptingGraph`](lariat_graph::AcceptingGraph) there are
//! others, which return a [`LassoOutcome`]:
//!
//! | search | good at | costs |
//! |---|---|---|
//! | [`nested_depth_first`] | one acceptance set; several workers | 2 or 3 bits a state, 16 to 26 bytes a state on a stack; expands states up to twice |
//! | [`nested_dfs_rest`] | repeating published experiments | as published |
//! | [`scc_search`] | any acceptance; several workers, without pairs | 2 bits a state, 15 to 80 bytes a state of an incomplete component; the found component again |
//! | [`random_lassos`] | graphs of any size: says how unlikely a violation is, or finds it | one walk |
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

mod bfs;
mod bfs_tree;
mod births;
mod budget;
mod cndfs;
mod column;
mod component_lasso;
mod components;
mod crew;
mod cycle;
mod dfs;
mod explorer;
mod faults;
mod fragment;
mod keeper;
mod lasso;
mod levels;
mod live_sets;
mod monte_carlo;
mod ndfs;
mod nested_dfs_rest;
mod observer;
mod outcome;
mod pacer;
mod positions;
mod sample;
mod scc;
mod sharing;
mod shortest_cycle;
mod shortest_lasso;
mod stack;
mod state_list;
mod storing;
mod ufscc;
mod ways;

pub use bfs::breadth_first;
pub use budget::{Budget, Clock, FaultPolicy, Options, Stop, StoreKind};
pub use dfs::depth_first;
pub use lasso::{Lasso, LassoError, LassoOutcome, replay_lasso};
pub use monte_carlo::{
    Ending, LassoSampling, Recorded, Sampled, Sampler, Tally, Uniform, Walk, WalkOptions, Walker,
    random_lassos, record, sample_in_order,
};
pub use ndfs::nested_depth_first;
pub use nested_dfs_rest::nested_dfs_rest;
pub use observer::{Observer, Progress, Table};
pub use outcome::{FoundFault, Path, SearchOutcome, Statistics};
pub use scc::scc_search;
pub use shortest_lasso::{ShortestLasso, shorten, shortest_lasso};
pub use storing::{Forecast, Sampling, Storing, StoringRule, VISITS};
