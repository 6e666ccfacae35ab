//! A few states of a graph, for a store to learn from before the search begins.
//!
//! How well a store can compress depends on which parts of a state change together. The first states
//! of a breadth-first search show that well enough, and cost a few milliseconds.

use crate::crew::Crew;
use lariat_graph::{Expansion, StateSpace};
use lariat_store::StateSet;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// How many states are looked at.
const STATES: usize = 2000;
/// How many words they may have together.
const WORDS: usize = 1 << 18;
/// How long that may take: a step can be as long as a model wants.
const TIME: Duration = Duration::from_millis(20);
/// With less memory, or fewer states allowed, every byte and every step is for the search.
const LEAST_MEMORY: u64 = 64 << 20;
const LEAST_STATES: u64 = 100_000;

impl Crew<'_> {
    /// A store for this crew that has seen a few states of the graph.
    pub fn store<T: StateSet>(&self, colour_bits: u32, space: &mut impl StateSpace) -> T {
        let mut store = T::new(self.demands(colour_bits));
        let budget = &self.options().budget;
        let is_small = budget.memory.is_some_and(|memory| memory < LEAST_MEMORY)
            || budget.states.is_some_and(|states| states < LEAST_STATES);
        if T::LEARNS && !is_small {
            store.learn(&sample(space));
        }
        store
    }
}

/// The first states that a breadth-first search meets.
fn sample(space: &mut impl StateSpace) -> Vec<Vec<u32>> {
    let mut states: Vec<Vec<u32>> = Vec::new();
    let mut known: HashSet<Vec<u32>> = HashSet::new();
    let mut words = 0;
    let start = Instant::now();
    let mut out = Expansion::new();
    space.initial(&mut out);
    let mut next = 0;
    loop {
        for (target, _) in out.edges() {
            if states.len() < STATES && words < WORDS && !known.contains(target) {
                words += target.len();
                known.insert(target.to_vec());
                states.push(target.to_vec());
            }
        }
        let is_enough = states.len() == STATES
            || words >= WORDS
            || start.elapsed() >= TIME
            || out.is_incomplete();
        let Some(state) = states.get(next).filter(|_| !is_enough) else {
            return states;
        };
        next += 1;
        out.clear();
        space.successors(state, &mut out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_graph::explicit::ExplicitGraph;
    use lariat_store::{FlatSet, TreeStore};

    /// The store for everything has to be shown samples, and the other one needs none.
    #[test]
    fn the_tree_learns() {
        const { assert!(TreeStore::LEARNS && !FlatSet::LEARNS) }
    }

    #[test]
    fn a_sample_is_the_beginning() {
        let small = sample(&mut ExplicitGraph::grid(3, 4));
        assert!(small.len() <= 12);
        let large = sample(&mut ExplicitGraph::grid(100, 100));
        assert!(large.len() > 2 && large.len() <= STATES);
        let different: HashSet<_> = large.iter().collect();
        assert_eq!(different.len(), large.len());
    }
}
