//! What every [`Archive`] must do, compared with the collections of the standard library.

use lariat_stats::{Rng, stream};
use lariat_store::{
    Archive, Demands, Forgetful, ForgetfulTree, Memory, Refused, Seen, Settled, StateRef, StoreId,
    with_store,
};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

fn demands(limit: Option<u64>, colour_bits: u32, max_states: u64) -> Demands {
    Demands {
        memory: Memory::new(limit),
        colour_bits,
        max_states,
    }
}

/// A state of a small universe, so that most of them repeat.
fn random_state(rng: &mut Rng) -> Vec<u32> {
    const VALUES: [u32; 5] = [0, 1, 2, u32::MAX, 1 << 31];
    let width = [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 25, 33][rng.below(12) as usize];
    let mut state: Vec<u32> = (0..width).map(|i| i * 3).collect();
    for _ in 0..rng.below(4) {
        if let Some(last) = width.checked_sub(1) {
            let at = rng.below(u64::from(last) + 1) as usize;
            state[at] = VALUES[rng.below(5) as usize];
        }
    }
    state
}

/// Offers and loads in a random order; every result is compared with a map.
fn random_batches<S: Archive>(seed: u64, colour_bits: u32, rounds: usize) {
    let set = S::new(demands(None, colour_bits, u64::MAX));
    let mut worker = set.worker();
    let mut known: HashMap<Vec<u32>, (StateRef, u8)> = HashMap::new();
    let mut refs: Vec<(StateRef, Vec<u32>)> = Vec::new();
    let mut rng = stream(seed, "state sets", 0);
    let mask = ((1u32 << colour_bits) - 1) as u8;
    let mut out: Vec<Settled> = Vec::new();
    for _ in 0..rounds {
        if !refs.is_empty() {
            let (state, words) = &refs[rng.below(refs.len() as u64) as usize];
            assert_eq!(set.load(&mut worker, *state), words, "seed {seed}");
            let clear = rng.below(16) as u8 & mask;
            let add = rng.below(16) as u8 & mask;
            let (_, colour) = known.get_mut(words).unwrap();
            assert_eq!(set.colour(&mut worker, *state), *colour, "seed {seed}");
            let before = set.recolour(&mut worker, *state, clear, add);
            assert_eq!(before, *colour, "seed {seed}");
            *colour = *colour & !clear | add;
        }
        let batch: Vec<Vec<u32>> = (0..rng.below(20)).map(|_| random_state(&mut rng)).collect();
        for state in &batch {
            set.offer(&mut worker, state);
        }
        out.clear();
        set.settle(&mut worker, &mut out).unwrap();
        assert_eq!(out.len(), batch.len());
        for (state, settled) in batch.into_iter().zip(&out) {
            assert_ne!(settled.state, StateRef::NONE);
            match known.get(&state) {
                Some(&(reference, colour)) => {
                    assert_eq!((settled.state, settled.is_new), (reference, false));
                    assert_eq!(settled.colour, colour, "seed {seed}");
                }
                None => {
                    assert!(settled.is_new, "seed {seed}: {state:?}");
                    assert_eq!(settled.colour, 0);
                    known.insert(state.clone(), (settled.state, 0));
                    refs.push((settled.state, state));
                }
            }
        }
        assert_eq!(set.len(), known.len() as u64);
    }
    let distinct: HashSet<StateRef> = refs.iter().map(|(state, _)| *state).collect();
    assert_eq!(distinct.len(), refs.len(), "seed {seed}");
    for (reference, words) in &refs {
        assert_eq!(set.load(&mut worker, *reference), words, "seed {seed}");
        assert_eq!(set.colour(&mut worker, *reference), known[words].1);
    }
}

/// For any memory limit: it holds, and accepted states stay.
fn limits_hold<S: Archive>(limits: impl Iterator<Item = u64>, buffers: u64) {
    for limit in limits {
        let demands = demands(Some(limit), 2, u64::MAX);
        let memory = demands.memory.clone();
        let set = S::new(demands);
        let mut worker = set.worker();
        let mut out = Vec::new();
        let mut accepted: Vec<(StateRef, u32)> = Vec::new();
        for i in 0..40_000u32 {
            set.offer(&mut worker, &[i, i / 3, 7, i % 5, 1]);
            out.clear();
            match set.settle(&mut worker, &mut out) {
                Ok(()) => {
                    accepted.push((out[0].state, i));
                    set.recolour(&mut worker, out[0].state, 0, (i % 4) as u8);
                }
                Err(refused) => assert_eq!(refused, Refused::Memory),
            }
        }
        assert_eq!(set.len(), accepted.len() as u64);
        for &(state, i) in &accepted {
            assert_eq!(set.load(&mut worker, state), [i, i / 3, 7, i % 5, 1]);
            assert_eq!(set.colour(&mut worker, state), (i % 4) as u8);
        }
        // The buffers of the worker are small and charged after the fact.
        assert!(
            memory.peak() <= limit + buffers,
            "{limit}: {}",
            memory.peak()
        );
        drop((set, worker));
        assert_eq!(memory.held(), 0, "limit {limit}");
    }
}

/// The limit of states is exact; a refused batch drops the remaining offers.
fn states_are_limited<S: Archive>() {
    for max in [0u64, 1, 5, 1000] {
        let set = S::new(demands(None, 0, max));
        let mut worker = set.worker();
        let mut out = Vec::new();
        for i in 0..max as u32 {
            set.offer(&mut worker, &[i]);
        }
        set.settle(&mut worker, &mut out).unwrap();
        assert_eq!(set.len(), max);
        out.clear();
        let known = u32::from(max > 0);
        for i in [0, u32::MAX, 0].into_iter().skip(1 - known as usize) {
            set.offer(&mut worker, &[i]);
        }
        assert_eq!(set.settle(&mut worker, &mut out), Err(Refused::States));
        assert_eq!(out.len() as u32, known);
        assert_eq!(set.len(), max);
        out.clear();
        set.settle(&mut worker, &mut out).unwrap();
        assert!(out.is_empty(), "refused offers are dropped");
    }
}

/// Several threads offer the same states: each state is new to exactly one of them, has one reference, and counts its
/// visits in its colour without losing one.
fn threads_agree<S: Archive>(threads: usize, states: u32, seed: u64) {
    let set = S::new(demands(None, 4, u64::MAX));
    let union: Mutex<HashMap<StateRef, u32>> = Mutex::new(HashMap::new());
    let new_states = Mutex::new(0u64);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (set, union, new_states) = (&set, &union, &new_states);
            scope.spawn(move || {
                let mut worker = set.worker();
                let mut order: Vec<u32> = (0..states).collect();
                // All threads use similar orders, so that they collide.
                for chunk in order.chunks_mut(64) {
                    stream(seed, "order", thread as u64).shuffle(chunk);
                }
                let mut out = Vec::new();
                let mut mine: Vec<(StateRef, u32)> = Vec::new();
                let mut new = 0;
                for batch in order.chunks(17) {
                    for &i in batch {
                        set.offer(&mut worker, &wide(i));
                    }
                    out.clear();
                    set.settle(&mut worker, &mut out).unwrap();
                    for (&i, settled) in batch.iter().zip(&out) {
                        mine.push((settled.state, i));
                        new += u64::from(settled.is_new);
                        let bit = 1 << thread;
                        let before = set.recolour(&mut worker, settled.state, 0, bit);
                        assert_eq!(before & bit, 0, "seed {seed}: state {i}");
                    }
                }
                *new_states.lock().unwrap() += new;
                let mut union = union.lock().unwrap();
                for (state, i) in mine {
                    assert_eq!(*union.entry(state).or_insert(i), i, "seed {seed}");
                }
            });
        }
    });
    assert_eq!(*new_states.lock().unwrap(), u64::from(states));
    assert_eq!(set.len(), u64::from(states));
    let union = union.into_inner().unwrap();
    assert_eq!(union.len(), states as usize);
    let mut worker = set.worker();
    for (&state, &i) in &union {
        assert_eq!(set.load(&mut worker, state), wide(i), "seed {seed}");
        let all = ((1u32 << threads) - 1) as u8;
        assert_eq!(set.colour(&mut worker, state), all, "seed {seed}");
    }
}

fn wide(i: u32) -> Vec<u32> {
    let mut state = vec![9; 11 + (i % 3) as usize];
    state[0] = i & 255;
    state[4] = i >> 8;
    state[10] = i % 7;
    state
}

/// Threads that fill a set up to its limit of states insert exactly so many.
fn threads_respect_the_limit_of_states<S: Archive>(max: u64) {
    let set = S::new(demands(None, 1, max));
    let new_states = Mutex::new(0u64);
    std::thread::scope(|scope| {
        for thread in 0..3u32 {
            let (set, new_states) = (&set, &new_states);
            scope.spawn(move || {
                let mut worker = set.worker();
                let mut out = Vec::new();
                let mut refused = false;
                for i in (0..).take_while(|_| true) {
                    set.offer(&mut worker, &[i, thread & 1, 5]);
                    set.offer(&mut worker, &[i, 2, 5]);
                    if let Err(error) = set.settle(&mut worker, &mut out) {
                        assert_eq!(error, Refused::States);
                        refused = true;
                    }
                    assert!(set.len() <= max);
                    if refused && out.len() > 100_000 || i > max as u32 {
                        break;
                    }
                }
                assert!(refused);
                *new_states.lock().unwrap() += out.iter().filter(|s| s.is_new).count() as u64;
            });
        }
    });
    assert_eq!((*new_states.lock().unwrap(), set.len()), (max, max));
}

/// Threads that fill the memory stay within the limit, and no accepted state is lost.
fn threads_respect_the_memory_limit<S: Archive>(limit: u64) {
    let demands = demands(Some(limit), 1, u64::MAX);
    let memory = demands.memory.clone();
    let set = S::new(demands);
    std::thread::scope(|scope| {
        for thread in 0..3u32 {
            let set = &set;
            scope.spawn(move || {
                let mut worker = set.worker();
                let mut out = Vec::new();
                let mut mine = Vec::new();
                let mut i = 0;
                loop {
                    let state = [i, thread, 5, i / 9];
                    set.offer(&mut worker, &state);
                    if set.settle(&mut worker, &mut out) == Err(Refused::Memory) {
                        break;
                    }
                    mine.push((out[out.len() - 1].state, state));
                    i += 1;
                }
                assert!(out.iter().all(|settled| settled.is_new));
                for (state, words) in &mine {
                    assert_eq!(set.load(&mut worker, *state), words);
                    set.offer(&mut worker, words);
                }
                out.clear();
                set.settle(&mut worker, &mut out).unwrap();
                for (settled, (state, _)) in out.iter().zip(&mine) {
                    assert_eq!((settled.state, settled.is_new), (*state, false));
                }
            });
        }
    });
    assert!(memory.held() > limit / 2);
    // Besides the store there are only the buffers of the workers, for all their offers.
    drop(set);
    assert_eq!(memory.held(), 0);
}

/// Runs a test with every registered store.
macro_rules! every_store {
    ($test:ident($($argument:expr),*)) => {
        for &id in StoreId::ALL {
            with_store!(id, Store => $test::<Store>($($argument),*))
        }
    };
}

#[test]
fn stores_answer_like_a_map() {
    for seed in 0..8 {
        every_store!(random_batches(seed, (seed % 5) as u32, 3000));
    }
}

#[test]
fn stores_keep_to_the_memory() {
    every_store!(limits_hold(small_limits(), 3 * 4096));
    every_store!(limits_hold(large_limits(), 4096));
}

#[test]
fn stores_keep_to_the_number_of_states() {
    every_store!(states_are_limited());
    every_store!(threads_respect_the_limit_of_states(5000));
}

#[test]
fn stores_are_shared_by_threads() {
    for seed in 0..2 {
        for threads in 2..=4 {
            every_store!(threads_agree(threads, 40_000, seed));
        }
    }
}

#[test]
fn threads_share_the_memory() {
    every_store!(threads_respect_the_memory_limit(2_000_000));
}

fn small_limits() -> impl Iterator<Item = u64> {
    let fine = (0..20).map(|n| n * 1500);
    fine.chain((8..15).map(|n| (1 << n) + 77))
}

fn large_limits() -> impl Iterator<Item = u64> {
    (15..23).map(|n| (1 << n) + 77)
}

/// Requires exclusive access.
mod forgetful {
    use super::*;

    #[test]
    fn answers_like_a_map() {
        for seed in 0..8 {
            random_batches::<ForgetfulTree>(seed, (seed % 5) as u32, 3000);
        }
    }

    #[test]
    fn respects_the_memory_limit() {
        limits_hold::<ForgetfulTree>(large_limits(), 4096);
    }

    #[test]
    fn respects_the_limit_of_states() {
        states_are_limited::<ForgetfulTree>();
    }

    /// States with parts that repeat and parts that do not.
    fn state(number: u64, width: usize) -> Vec<u32> {
        let mut rng = stream(1, "states to forget", number);
        let mut state = vec![0; width];
        for _ in 0..3 {
            state[rng.index(width)] = rng.below(40) as u32;
        }
        state[width - 1] = number as u32;
        state
    }

    /// States are inserted and removed in all ways; the result agrees with a map, and references that are in use stay
    /// valid.
    #[test]
    fn removals_agree_with_a_map() {
        for seed in 0..12 {
            let mut rng = stream(seed, "forgetting", 0);
            let width = [3, 12, 16, 17, 60][rng.index(5)];
            let universe = [300, 3000, 30_000][rng.index(3)];
            let memory = Memory::new(None);
            let set = ForgetfulTree::new(Demands {
                memory: memory.clone(),
                colour_bits: 3,
                max_states: u64::MAX,
            });
            let mut worker = set.worker();
            // By number: the reference and the colour.
            let mut known: HashMap<u64, (StateRef, u8)> = HashMap::new();
            let mut by_ref: HashMap<StateRef, u64> = HashMap::new();
            let mut out = Vec::new();
            for step in 0..6000 {
                let number = rng.below(universe);
                let words = state(number, width);
                set.offer(&mut worker, &words);
                out.clear();
                set.query(&mut worker, &mut out).unwrap();
                let Settled {
                    state: reference,
                    is_new,
                    colour,
                } = out[0];
                let expected = known.get(&number).map(|&(_, colour)| colour);
                assert_eq!(
                    (is_new, colour),
                    (expected.is_none(), expected.unwrap_or(0))
                );
                assert_eq!(set.load(&mut worker, reference), words, "seed {seed}");
                match rng.below(100) {
                    0..70 if is_new => {
                        let colour = rng.below(8) as u8;
                        set.insert(&mut worker, reference, colour).unwrap();
                        known.insert(number, (reference, colour));
                        by_ref.insert(reference, number);
                    }
                    0..80 => {
                        assert_eq!(set.remove(&mut worker, reference), expected);
                        known.remove(&number);
                    }
                    80..90 => {
                        let paint = rng.below(8) as u8;
                        let before = set.recolour(&mut worker, reference, 7, paint);
                        assert_eq!(before, expected.unwrap_or(0));
                        if let Some(known) = known.get_mut(&number) {
                            known.1 = paint;
                        }
                    }
                    90..97 => {
                        let worth = |colour: u8| (colour != 1).then_some(colour);
                        let before = set.len();
                        let colour = set.evict(&mut worker, reference, rng.next_u64(), worth);
                        assert_ne!(colour, Some(1), "seed {seed}");
                        assert_eq!(set.len() + u64::from(colour.is_some()), before);
                        forget_the_lost(&set, &mut worker, &mut known);
                    }
                    97 if step % 7 == 0 => {
                        let worth = |colour: u8| (colour != 1).then_some(0);
                        let mut lost = 0;
                        let before = (set.len(), memory.held());
                        let random = || rng.next_u64();
                        if set.shrink(&mut worker, random, worth, |_| lost += 1) {
                            assert!(memory.held() < before.1, "seed {seed}");
                        }
                        assert_eq!(set.len() + lost, before.0);
                        forget_the_lost(&set, &mut worker, &mut known);
                    }
                    98 if step % 5 == 0 => {
                        // An absent state may still be in use.
                        set.collect(&mut worker, std::iter::once(reference))
                            .unwrap();
                        assert_eq!(set.load(&mut worker, reference), words);
                        by_ref.retain(|_, number| known.contains_key(number));
                    }
                    _ => {}
                }
                assert_eq!(set.len(), known.len() as u64, "seed {seed}, step {step}");
            }
            for (&number, &(reference, colour)) in &known {
                assert_eq!(set.load(&mut worker, reference), state(number, width));
                assert_eq!(set.colour(&mut worker, reference), colour);
                assert_eq!(by_ref.get(&reference), Some(&number));
            }
        }
    }

    fn forget_the_lost(
        set: &ForgetfulTree,
        worker: &mut <ForgetfulTree as Seen>::Worker,
        known: &mut HashMap<u64, (StateRef, u8)>,
    ) {
        let numbers: Vec<u64> = known.keys().copied().collect();
        for number in numbers {
            let width = set.load(worker, known[&number].0).len();
            set.offer(worker, &state(number, width));
            let mut out = Vec::new();
            set.query(worker, &mut out).unwrap();
            if out[0].is_new {
                known.remove(&number);
            }
        }
    }

    /// A stream of states of which a few are kept needs bounded memory.
    #[test]
    fn removed_states_free_memory() {
        let memory = Memory::new(None);
        let set = ForgetfulTree::new(Demands {
            memory: memory.clone(),
            colour_bits: 2,
            max_states: u64::MAX,
        });
        let mut worker = set.worker();
        let mut out = Vec::new();
        let mut early = 0;
        for number in 0..200_000u64 {
            // All nodes of a state are its own.
            let words: Vec<u32> = (0..24).map(|i| (number * 31 + i) as u32).collect();
            set.offer(&mut worker, &words);
            out.clear();
            set.query(&mut worker, &mut out).unwrap();
            set.insert(&mut worker, out[0].state, 1).unwrap();
            if set.len() > 1000 {
                set.evict(
                    &mut worker,
                    out[0].state,
                    number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                    |_| Some(0),
                );
            }
            if number % 2000 == 0 {
                set.collect(&mut worker, std::iter::empty()).unwrap();
            }
            if number == 20_000 {
                early = memory.held();
            }
        }
        assert!(
            memory.held() <= early + early / 10,
            "{} {early}",
            memory.held()
        );
    }
}
