//! What several workers need who search the same graph, each with a stack of its own.

use crate::toolkit::budget::{FaultPolicy, Options};
use crate::toolkit::counters::Counters;
use crate::toolkit::faults::Origin;
use crate::toolkit::outcome::SearchOutcome;
use crate::toolkit::positions::hash;
use lariat_store::{Settled, StateRef};

/// The edge with which a worker begins at a state with so many edges. Each worker but the first
/// begins somewhere else, so that they do not follow each other.
pub(crate) fn first_edge(state: StateRef, worker: usize, edges: usize) -> usize {
    if worker == 0 || edges == 0 {
        return 0;
    }
    let order = hash(state).wrapping_mul(2 * worker as u64 + 1);
    (order >> 32) as usize % edges
}

/// How the edges of states are counted that several workers expand: those of a state by the worker
/// that comes there first, but a new state by whoever has stored it.
#[derive(Default)]
pub(crate) struct Counted {
    ahead: u64,
}

impl Counted {
    /// Counts the edges of a state, or some of them.
    pub fn settled<W: Origin>(
        &mut self,
        settled: &[Settled],
        is_first: bool,
        counters: &mut Counters<W>,
    ) {
        let stored = settled.iter().filter(|state| state.is_new).count() as u64;
        let edges = match is_first {
            true => settled.len() as u64,
            false => 0,
        };
        self.ahead += stored;
        let known = edges.min(self.ahead);
        self.ahead -= known;
        counters.count(stored, edges - known);
    }

    /// How many states this worker has stored while it expanded states to which others had come
    /// first, less what was put right since: the edges to them count as matched there, and must not.
    pub fn ahead(&self) -> u64 {
        self.ahead
    }
}

/// A search that ends at the first fault has found either a fault or a lasso, although two workers
/// may have found both at the same time.
pub(crate) fn one_answer(options: &Options, mut outcome: SearchOutcome) -> SearchOutcome {
    if options.faults == FaultPolicy::StopAtFirst && !outcome.faults.is_empty() {
        outcome.lasso = None;
    }
    outcome
}
