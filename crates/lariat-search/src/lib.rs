//! Search algorithms over state spaces, one file each, named as in the literature.
//!
//! Every search is a function of a [`StateSpace`](lariat_graph::StateSpace), the
//! [`Options`] and an [`Observer`], and returns a [`SearchOutcome`]. It knows nothing about where
//! states come from. Whatever ends it, it returns everything it has found: [`Stop`] tells how far
//! it came.
//!
//! | search | good at | costs |
//! |---|---|---|
//! | [`breadth_first`] | shortest paths | 8 bytes a state for the links; no stack |
//! | [`depth_first`] | deep errors, early | the successors of all states on the stack |
//!
//! ```
//! use lariat_graph::explicit::ExplicitGraph;
//! use lariat_search::{Options, Stop, breadth_first};
//!
//! let mut grid = ExplicitGraph::grid(3, 4);
//! let outcome = breadth_first(&mut grid, &Options::default(), &mut ());
//! assert_eq!(outcome.stop, Stop::Complete);
//! assert_eq!(outcome.statistics.states_stored, 12);
//! ```

mod bfs;
mod budget;
mod dfs;
mod observer;
mod outcome;
mod run;

pub use bfs::breadth_first;
pub use budget::{Budget, Clock, FaultPolicy, Options, Stop};
pub use dfs::depth_first;
pub use observer::{Observer, Progress};
pub use outcome::{FoundFault, Path, SearchOutcome, Statistics};
