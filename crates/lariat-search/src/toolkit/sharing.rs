//! Functions for several workers that search the same graph, each with its own stack.

use crate::toolkit::budget::{FaultPolicy, Options};
use crate::toolkit::counters::Counters;
use crate::toolkit::faults::Origin;
use crate::toolkit::outcome::SearchOutcome;
use crate::toolkit::positions::hash;
use lariat_store::{Settled, StateRef};

/// The first edge that a worker takes at a state with so many edges. It differs between workers, so that they do not
/// follow each other.
pub(crate) fn first_edge(state: StateRef, worker: usize, edges: usize) -> usize {
    if worker == 0 || edges == 0 {
        return 0;
    }
    let order = hash(state).wrapping_mul(2 * worker as u64 + 1);
    (order >> 32) as usize % edges
}

/// How edges are counted if several workers expand a state: the first worker at a state counts its edges, but the
/// worker that stored a new state counts that state.
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

    /// The number of states that this worker has stored while it expanded states that other workers had expanded
    /// first, minus corrections: the edges to them count as matched there, and must not.
    pub fn ahead(&self) -> u64 {
        self.ahead
    }
}

/// A search that ends at the first fault returns either a fault or a lasso, although two workers may have found both
/// at the same time.
pub(crate) fn one_answer(options: &Options, mut outcome: SearchOutcome) -> SearchOutcome {
    if options.faults == FaultPolicy::StopAtFirst && !outcome.faults.is_empty() {
        outcome.lasso = None;
    }
    outcome
}
