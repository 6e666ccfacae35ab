//! The exact store against the hash map of the standard library.

use lariat_stats::{Rng, stream};
use lariat_store::{FlatStore, Insert, Memory};
use std::collections::HashMap;

/// Offers states to both and compares every result, then all stored states.
fn compare(name: &str, states: impl Iterator<Item = Vec<u32>>) {
    let memory = Memory::new(None);
    let mut store = FlatStore::new(&memory);
    let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
    for state in states {
        let next = known.len() as u32;
        let expected = match known.get(&state) {
            Some(&id) => Insert::Known(id),
            None => Insert::New(next),
        };
        assert_eq!(store.insert(&state), expected, "{name}: {state:?}");
        known.entry(state).or_insert(next);
    }
    assert_eq!(store.len() as usize, known.len(), "{name}");
    for (state, &id) in &known {
        assert_eq!(store.get(id), state, "{name}");
        assert_eq!(store.find(state), Some(id), "{name}");
    }
    assert_eq!(memory.held(), store.memory_bytes());
}

fn random(count: usize, make: impl Fn(&mut Rng) -> Vec<u32>) -> impl Iterator<Item = Vec<u32>> {
    let mut rng = stream(count as u64, "store", 0);
    (0..count).map(move |_| make(&mut rng))
}

#[test]
fn random_states_of_all_widths() {
    let make = |rng: &mut Rng| {
        let width = rng.below(12);
        (0..width).map(|_| rng.below(4) as u32).collect()
    };
    compare("few values", random(600_000, make));
    let make = |rng: &mut Rng| {
        let width = rng.below(5);
        (0..width).map(|_| rng.next_u32()).collect()
    };
    compare("all values", random(400_000, make));
}

#[test]
fn regular_states() {
    compare("sequential", (0..400_000).map(|i| vec![i]));
    compare("sparse", (0..200_000).map(|i| vec![0, i << 12, 0, 0]));
    compare("high bits", (0..65_536).map(|i| vec![i << 16]));
    compare("each twice", (0..300_000).map(|i| vec![7, 7, i / 2]));
    let bits = |i: u32| (0..20).map(|bit| i >> bit & 1).collect();
    compare("one bit a word", (0..200_000).map(bits));
}

#[test]
fn prefixes_are_different_states() {
    compare("zeros", (0..3000).map(|n| vec![0; n % 1500]));
    let prefixes = |i: u32| vec![vec![], vec![i], vec![i, 0], vec![i, 0, 0], vec![0, i]];
    compare("prefixes", (0..50_000).flat_map(prefixes));
}

/// Records larger than the chunks of the arena (65,536 words), between small ones.
#[test]
fn very_wide_states() {
    let widths = [
        0, 65_535, 1, 65_536, 65_537, 2, 200_000, 0, 3, 131_072, 1, 65_536,
    ];
    let state = |i: u32| vec![i / 24; widths[i as usize % widths.len()]];
    compare("wide", (0..240).map(state));
}
