//! A sample of states of a graph, from which a store chooses its encoding before the search.
//!
//! The compression of a store depends on which parts of a state change together. The first states of a breadth-first
//! search show that well enough, and cost a few milliseconds.

use crate::toolkit::workers::Workers;
use lariat_graph::{Expansion, StateSpace};
use lariat_store::{Archive, FlatStore, Insert, Memory};
use std::time::{Duration, Instant};

/// The number of states of the sample.
const STATES: usize = 2000;
/// The largest number of words of the sample.
const WORDS: usize = 1 << 18;
/// The time limit: a step can take any time. Usually a few milliseconds suffice; a limit near that would make the
/// encoding, and so the memory, depend on chance.
const TIME: Duration = Duration::from_millis(250);
/// With less memory, or a lower limit of states, no sample is taken.
const LEAST_MEMORY: u64 = 1 << 20;
const LEAST_STATES: u64 = 100_000;
/// The part of the memory that the sample may take before the search.
const SHARE: u64 = 32;

impl Workers<'_> {
    /// A store for these workers that has learned from a sample of the graph.
    pub fn store<T: Archive>(&self, colour_bits: u32, space: &mut impl StateSpace) -> T {
        let mut store: T = self.new_store(colour_bits);
        let budget = &self.options().budget;
        let is_small = budget.memory.is_some_and(|memory| memory < LEAST_MEMORY)
            || budget.states.is_some_and(|states| states < LEAST_STATES);
        if T::LEARNS && !is_small {
            let words = budget
                .memory
                .map_or(WORDS as u64, |memory| memory / SHARE / 4);
            store.learn(&sample(space, WORDS.min(words as usize)));
        }
        store
    }
}

/// The first states of a breadth-first search, with at most about so many words.
fn sample(space: &mut impl StateSpace, most_words: usize) -> Vec<Vec<u32>> {
    let start = Instant::now();
    let mut known = FlatStore::new(&Memory::new(None));
    let mut state = Vec::new();
    let mut words = 0;
    let mut out = Expansion::new();
    space.initial(&mut out);
    for next in 0.. {
        for (target, _) in out.edges() {
            let is_room = (known.len() as usize) < STATES && words < most_words;
            if is_room && matches!(known.insert(target), Insert::New(_)) {
                words += target.len();
            }
        }
        let is_enough = known.len() as usize == STATES
            || words >= most_words
            || start.elapsed() >= TIME
            || out.is_incomplete();
        if is_enough || next == known.len() {
            break;
        }
        state.clear();
        state.extend_from_slice(known.get(next));
        out.clear();
        space.successors(&state, &mut out);
    }
    (0..known.len()).map(|id| known.get(id).to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_graph::explicit::ExplicitGraph;
    use lariat_store::{Archive, FlatSet, TreeStore};
    use std::collections::HashSet;

    /// The tree store gets a sample, and the flat store needs none.
    #[test]
    fn the_tree_learns() {
        const { assert!(TreeStore::LEARNS && !FlatSet::LEARNS) }
    }

    #[test]
    fn a_sample_is_the_first_states() {
        let small = sample(&mut ExplicitGraph::grid(3, 4), WORDS);
        assert!(small.len() <= 12);
        let large = sample(&mut ExplicitGraph::grid(100, 100), WORDS);
        assert!(sample(&mut ExplicitGraph::grid(100, 100), 50).len() <= 50);
        assert!(large.len() > 2 && large.len() <= STATES);
        let different: HashSet<_> = large.iter().collect();
        assert_eq!(different.len(), large.len());
    }
}
