//! Progress reports of a running search.

use crate::toolkit::outcome::Statistics;
use crate::walks::monte_carlo::Tally;

/// Receives the progress of a search.
///
/// Called at most every 100 ms. `()` observes nothing.
pub trait Observer {
    /// Reports the progress.
    fn progress(&mut self, progress: &Progress);
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The counts so far.
    pub statistics: Statistics,
    /// The depth of the state that is expanded next: the level in a breadth-first search, the
    /// height of the stack in a depth-first search.
    pub depth: u64,
    /// In a breadth-first search, how many states are stored and not expanded yet.
    pub queue: Option<u64>,
    /// For a search that removes states.
    pub table: Option<Table>,
    /// For random walks.
    pub walks: Option<Tally>,
}

/// The table of a search that removes states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Table {
    /// The states in it.
    pub states: u64,
    /// The number of different states that were visited, estimated.
    pub distinct: u64,
    /// If it is full: an estimate of the largest model that can be searched with it, in states.
    pub feasible: Option<f64>,
}

impl Observer for () {
    fn progress(&mut self, _: &Progress) {}
}

impl<F: FnMut(&Progress)> Observer for F {
    fn progress(&mut self, progress: &Progress) {
        self(progress);
    }
}
