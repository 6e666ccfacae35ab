//! The same graph with its edges in another order.
//!
//! A depth-first search, or one that reaches its budget, finds different errors if it takes the successors of a state
//! in a different order. The order is drawn from the seed and the state, so a state has the same order in every
//! expansion.

use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace};
use lariat_stats::{Dice, stream};
use lariat_store::hash_words;

/// A graph whose edges are shuffled, if there is a seed.
#[derive(Clone)]
pub struct Shuffled<S> {
    inner: S,
    seed: Option<u64>,
    ordered: Expansion,
    order: Vec<usize>,
}

impl<S> Shuffled<S> {
    /// Shuffles the edges of `inner`; without a seed, they stay in their order.
    pub fn new(inner: S, seed: Option<u64>) -> Self {
        Shuffled {
            inner,
            seed,
            ordered: Expansion::new(),
            order: Vec::new(),
        }
    }

    /// The graph in its own order, mutable.
    pub fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }
}

impl<S: StateSpace> Shuffled<S> {
    #[cold]
    fn shuffle(&mut self, seed: u64, state: &[u32], out: &mut Expansion) {
        self.ordered.set_mark_words(out.mark_words());
        self.inner.successors(state, &mut self.ordered);
        self.order.clear();
        self.order.extend(0..self.ordered.len());
        stream(seed, "order of successors", hash_words(state)).shuffle(&mut self.order);
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
        out.set_scratch(self.ordered.memory_bytes());
    }
}

impl<S: StateSpace> StateSpace for Shuffled<S> {
    fn initial(&mut self, out: &mut Expansion) {
        self.inner.initial(out);
    }

    #[inline]
    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        match self.seed {
            None => self.inner.successors(state, out),
            Some(seed) => self.shuffle(seed, state, out),
        }
    }
}

impl<S: AcceptingGraph> AcceptingGraph for Shuffled<S> {
    fn acceptance(&self) -> Acceptance {
        self.inner.acceptance()
    }
}

/// Draws do not depend on the order of the edges.
impl<S: Draw> Draw for Shuffled<S> {
    fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        self.inner.draw(state, dice, out);
    }

    fn equal_edges(&mut self, state: &[u32], out: &mut Expansion) -> Option<(usize, usize)> {
        self.inner.equal_edges(state, out)
    }

    fn distance(&self, state: &[u32]) -> u32 {
        self.inner.distance(state)
    }

    fn is_accepted_by_other_run(&mut self, states: &[&[u32]], back: usize) -> bool {
        self.inner.is_accepted_by_other_run(states, back)
    }
}
