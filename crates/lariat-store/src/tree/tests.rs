//! Tests of the store's internals; what every store must do is tested in `tests/suite/state_sets.rs`.

use super::store::{Interner, TreeStore, TreeWorker};
use super::widths::ESCAPE;
use crate::memory::Memory;
use crate::set::{Archive, Demands, Refused, Seen, Settled, StateRef};

fn store(limit: Option<u64>, max_states: u64) -> TreeStore {
    TreeStore::new(Demands {
        memory: Memory::new(limit),
        colour_bits: 2,
        max_states,
    })
}

fn insert(store: &TreeStore, worker: &mut TreeWorker, state: &[u32]) -> Result<Settled, Refused> {
    let mut out = Vec::new();
    store.offer(worker, state);
    store.settle(worker, &mut out)?;
    Ok(out[0])
}

/// The accounts agree with the memory held.
#[test]
fn accounts_are_exact() {
    for limit in [30_000, 100_000, 1_000_000, 20_000_000] {
        let store = store(Some(limit), u64::MAX);
        let mut worker = store.worker();
        for i in 0..400_000u32 {
            let state = [i & 15, i >> 4 & 15, 5, i >> 8 & 31, 7, i >> 13, 8, 9, i & 1];
            if insert(&store, &mut worker, &state).is_err() {
                break;
            }
        }
        assert!(store.keys.memory.peak() <= limit);
        drop(worker);
        assert_eq!(store.keys.memory.held(), store.audit(), "limit {limit}");
    }
}

/// States of different widths are different, also beyond the widths that have a class.
#[test]
fn many_widths_are_kept_apart() {
    let store = store(None, u64::MAX);
    let mut worker = store.worker();
    let mut known = Vec::new();
    for round in 0..2u32 {
        for width in (0..700).chain([2047, 2048, 2049, 5000]) {
            for value in [0, u32::MAX] {
                let settled = insert(&store, &mut worker, &vec![value; width]).unwrap();
                let is_new = round == 0 && (width > 0 || value == 0);
                assert_eq!(settled.is_new, is_new, "width {width}");
                known.push((settled.state, width, value));
            }
        }
    }
    for (state, width, value) in known {
        assert_eq!(store.load(&mut worker, state), vec![value; width]);
        assert_eq!(store.recolour(&mut worker, state, 1, 2) & 1, 0);
        assert_eq!(store.colour(&mut worker, state), 2);
    }
}

/// References whose numbers have more than 28 bits use the escape class.
#[test]
fn large_numbers_escape() {
    let store = store(None, u64::MAX);
    let mut worker = store.worker();
    let state: Vec<u32> = (0..25).collect();
    let settled = insert(&store, &mut worker, &state).unwrap();
    let (width, [left, right]) = store.open(settled.state.number());
    let mut interner = Interner {
        store: &store,
        numbers: &mut worker.numbers,
    };
    let key = interner.escaped_key(width, left, right);
    assert_eq!(key >> 56, u64::from(ESCAPE));
    assert_eq!(store.open(key), (width, [left, right]));
    assert_eq!(store.load(&mut worker, StateRef::new(key)), state);
}

/// Counters in a wide state cost little more than their roots.
#[test]
fn states_are_compressed() {
    let store = store(None, u64::MAX);
    let mut worker = store.worker();
    let count = 500_000u32;
    let mut state = vec![3; 25];
    for i in 0..count {
        state[2] = i & 63;
        state[9] = i >> 6 & 63;
        state[20] = i >> 12;
        assert!(insert(&store, &mut worker, &state).unwrap().is_new);
    }
    let bytes = store.keys.memory.held() as f64 / f64::from(count);
    assert!(bytes < 10.0, "{bytes} bytes a state");
}
