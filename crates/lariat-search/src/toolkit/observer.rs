//! Watching a search while it runs.

use crate::toolkit::outcome::Statistics;
use crate::walks::monte_carlo::Tally;

/// Somebody who wants to know how a search gets on.
///
/// Only called every now and then: not more often than every 100 ms. `()` observes nothing.
pub trait Observer {
    /// Tells how far the search is.
    fn progress(&mut self, progress: &Progress);
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What was counted up to now.
    pub statistics: Statistics,
    /// The depth of the state that is expanded next: the level in a breadth-first search, the
    /// height of the stack in a depth-first search.
    pub depth: u64,
    /// In a breadth-first search, how many states are stored and not expanded yet.
    pub queue: Option<u64>,
    /// In a search that forgets states.
    pub table: Option<Table>,
    /// In a search that draws random walks.
    pub walks: Option<Tally>,
}

/// The table of a search that forgets states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Table {
    /// The states in it.
    pub states: u64,
    /// The different states that were visited, about.
    pub distinct: u64,
    /// If it is full: the most states that a model may have to be searched with it, about.
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
