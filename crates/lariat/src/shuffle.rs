//! The same graph with its edges in another order.
//!
//! A search that is cut short, or that goes depth first, finds different errors when it looks at
//! the successors of a state in a different order. The order is drawn from the seed and the state,
//! so the graph stays the same however often and whenever a state is expanded.

use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};
use lariat_stats::stream;
use lariat_store::hash_words;

/// A state space whose edges are shuffled.
#[derive(Clone)]
pub struct Shuffled<S> {
    inner: S,
    seed: u64,
    ordered: Expansion,
    order: Vec<usize>,
}

impl<S> Shuffled<S> {
    /// Shuffles the edges of `inner`.
    pub fn new(inner: S, seed: u64) -> Self {
        Shuffled {
            inner,
            seed,
            ordered: Expansion::new(),
            order: Vec::new(),
        }
    }

    /// The graph in its own order.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S: StateSpace> StateSpace for Shuffled<S> {
    fn initial(&mut self, out: &mut Expansion) {
        self.inner.initial(out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.ordered.set_mark_words(out.mark_words());
        self.inner.successors(state, &mut self.ordered);
        self.order.clear();
        self.order.extend(0..self.ordered.len());
        stream(self.seed, "order of successors", hash_words(state)).shuffle(&mut self.order);
        for &edge in &self.order {
            let (target, label) = self.ordered.edge(edge);
            out.push_marked(target, label, self.ordered.marks(edge));
        }
        for fault in self.ordered.faults() {
            out.push_fault(*fault);
        }
        out.count_internal_steps(self.ordered.internal_steps());
        if self.ordered.is_incomplete() {
            out.set_incomplete();
        }
    }
}

impl<S: AcceptingGraph> AcceptingGraph for Shuffled<S> {
    fn acceptance(&self) -> Acceptance {
        self.inner.acceptance()
    }
}
