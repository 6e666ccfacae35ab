//! The tree store and the bitstate store under random schedules.
//!
//! The files of the store are compiled once more, with locks and atomics that let a scheduler decide, at every
//! access, which thread continues (the tool `shuttle`; its random scheduler follows Burckhardt, Kothari, Musuvathi
//! and Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010). Threads
//! insert the same states while the tables are so small that they grow often; each state has to be new to exactly one
//! thread, and no colour may be lost.
//!
//! Memory from the system cannot hold such atomics, so vectors replace it.

#![allow(dead_code, unused_imports)]

#[path = "../src/bitstate.rs"]
mod bitstate;
#[path = "../src/differences.rs"]
mod differences;
#[path = "../src/fold.rs"]
mod fold;

mod hash {
    pub(crate) use lariat_store::hash_state;
}

mod sync {
    pub(crate) use shuttle::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
    pub(crate) use shuttle::sync::{Arc, Mutex, MutexGuard};
}

mod memory {
    pub(crate) use lariat_store::{Account, Full, Memory};
}

mod set {
    pub(crate) use lariat_store::{
        Archive, Demands, Exactness, MAX_COLOUR_BITS, Refused, Seen, Settled, StateRef, StoreInfo,
    };
}

mod prefetch {
    pub(crate) fn prefetch(_: usize) {}
}

mod pages {
    use lariat_store::{Account, Full, Memory};
    use std::sync::Arc;

    /// A vector in the role of a region of memory.
    #[derive(Debug)]
    pub(crate) struct Region<T>(Arc<(Vec<T>, Option<Account>)>);

    impl<T> Clone for Region<T> {
        fn clone(&self) -> Self {
            Region(Arc::clone(&self.0))
        }
    }

    impl<T> Default for Region<T> {
        fn default() -> Self {
            Region(Arc::new((Vec::new(), None)))
        }
    }

    impl<T: Default> Region<T> {
        pub fn new(memory: &Memory, len: usize) -> Result<Self, Full> {
            let mut account = memory.account();
            account.take((len * size_of::<T>()) as u64)?;
            Ok(Region(Arc::new((vector(len), Some(account)))))
        }

        pub fn reserve(len: usize, _huge: bool) -> Result<Self, Full> {
            Ok(Region(Arc::new((vector(len), None))))
        }

        pub fn step(&self, _huge: bool) -> usize {
            self.0.0.len()
        }

        pub fn address(&self) -> usize {
            0
        }

        pub fn resident(&self) -> u64 {
            (self.0.0.len() * size_of::<T>()) as u64
        }
    }

    fn vector<T: Default>(len: usize) -> Vec<T> {
        (0..len).map(|_| T::default()).collect()
    }

    impl<T> std::ops::Deref for Region<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0.0
        }
    }
}

#[path = "../src/tree"]
mod tree {
    mod big_reader_lock;
    mod cache;
    mod contexts;
    mod encoder;
    mod index;
    mod keys;
    mod narrow;
    mod nodes;
    mod order;
    mod quotient;
    mod roots;
    mod shape;
    mod store;
    mod widths;

    pub use store::TreeStore;
}

use bitstate::BitstateStore;
use lariat_store::{Archive, Demands, Memory, Refused, Seen, Settled, StateRef};
use std::collections::HashMap;
use std::sync::Arc;
use tree::TreeStore;

fn store(max_states: u64) -> Arc<TreeStore> {
    Arc::new(TreeStore::new(Demands {
        memory: Memory::new(None),
        colour_bits: 2,
        max_states,
    }))
}

/// A few states, of two widths, that share many of their parts.
fn states() -> impl Iterator<Item = Vec<u32>> {
    (0..14u32).map(|i| match i % 3 {
        0 => vec![i, 1, 2, 3, i],
        _ => vec![i, 1, 2],
    })
}

/// Two threads insert the same states, in different orders, and colour them.
fn same_states() {
    let store = store(u64::MAX);
    let threads: Vec<_> = (0..2u8)
        .map(|thread| {
            let store = Arc::clone(&store);
            shuttle::thread::spawn(move || {
                let mut worker = store.worker();
                let mut mine: Vec<Vec<u32>> = states().collect();
                if thread == 1 {
                    mine.rotate_left(5);
                }
                let mut out: Vec<Settled> = Vec::new();
                for batch in mine.chunks(3) {
                    for state in batch {
                        store.offer(&mut worker, state);
                    }
                    store.settle(&mut worker, &mut out).expect("no limit");
                }
                for settled in &out {
                    let before = store.recolour(&mut worker, settled.state, 0, 1 << thread);
                    assert_eq!(before & (1 << thread), 0);
                }
                mine.into_iter().zip(out).collect::<Vec<_>>()
            })
        })
        .collect();
    let mut references: HashMap<Vec<u32>, StateRef> = HashMap::new();
    let mut new = 0;
    for thread in threads {
        for (state, settled) in thread.join().expect("no panic") {
            new += usize::from(settled.is_new);
            let reference = *references.entry(state).or_insert(settled.state);
            assert_eq!(reference, settled.state);
        }
    }
    assert_eq!(new, references.len());
    assert_eq!(store.len(), new as u64);
    let mut worker = store.worker();
    for (state, reference) in references {
        assert_eq!(store.load(&mut worker, reference), state);
        assert_eq!(store.colour(&mut worker, reference), 3);
    }
}

/// Two threads insert the same few states in the same order, so that they collide at the same entries.
fn same_order() {
    let store = store(u64::MAX);
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let store = Arc::clone(&store);
            shuttle::thread::spawn(move || {
                let mut worker = store.worker();
                let mut out: Vec<Settled> = Vec::new();
                for i in 0..5u32 {
                    store.offer(&mut worker, &[i, 1, 2]);
                }
                store.settle(&mut worker, &mut out).expect("no limit");
                out
            })
        })
        .collect();
    let mut found = threads
        .into_iter()
        .map(|thread| thread.join().expect("no panic"));
    let (one, other) = (found.next().unwrap(), found.next().unwrap());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one.state, other.state);
        assert!(one.is_new ^ other.is_new);
    }
    assert_eq!(store.len(), 5);
}

/// Threads that fill a store to its limit of states insert exactly so many.
fn limited_states() {
    const MAX: u64 = 9;
    let store = store(MAX);
    let threads: Vec<_> = (0..2u32)
        .map(|thread| {
            let store = Arc::clone(&store);
            shuttle::thread::spawn(move || {
                let mut worker = store.worker();
                let mut out: Vec<Settled> = Vec::new();
                let mut refused = false;
                for i in 0..8 {
                    store.offer(&mut worker, &[i, thread]);
                    match store.settle(&mut worker, &mut out) {
                        Ok(()) => assert!(!refused),
                        Err(error) => {
                            assert_eq!(error, Refused::States);
                            refused = true;
                        }
                    }
                }
                out.iter().filter(|settled| settled.is_new).count() as u64
            })
        })
        .collect();
    let new: u64 = threads
        .into_iter()
        .map(|thread| thread.join().expect("no panic"))
        .sum();
    assert_eq!((new, store.len()), (MAX, MAX));
}

/// Two threads insert the same states into a table of bits: each state is new to one of them at least, what is counted is never less than what
/// is set, and in the end it is the same.
fn same_bits() {
    const STATES: usize = 5;
    let store = Arc::new(BitstateStore::with_table(
        Demands {
            memory: Memory::new(None),
            colour_bits: 0,
            max_states: u64::MAX,
        },
        1 << 10,
        2,
        1,
    ));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let store = Arc::clone(&store);
            shuttle::thread::spawn(move || {
                let mut worker = store.worker();
                let mut out: Vec<Settled> = Vec::new();
                for i in 0..STATES as u32 {
                    store.offer(&mut worker, &[i, 1, 2]);
                    if i % 2 == 0 {
                        store.settle(&mut worker, &mut out).expect("no limit");
                        // First what is set, then what is counted.
                        let set = store.set_bits();
                        assert!(store.fill().ones >= set);
                    }
                }
                out
            })
        })
        .collect();
    let mut found = threads
        .into_iter()
        .map(|thread| thread.join().expect("no panic"));
    let (one, other) = (found.next().unwrap(), found.next().unwrap());
    assert_eq!((one.len(), other.len()), (STATES, STATES));
    let mut new = 0;
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one.state, other.state);
        assert!(one.is_new || other.is_new);
        new += u64::from(one.is_new) + u64::from(other.is_new);
    }
    let fill = store.fill();
    assert_eq!((fill.states, fill.ones), (new, store.set_bits()));
    assert!(fill.sum.is_finite());
}

/// Threads that fill a table of bits to its limit of states do not exceed it.
fn limited_bits() {
    const MAX: u64 = 3;
    let store = Arc::new(BitstateStore::with_table(
        Demands {
            memory: Memory::new(None),
            colour_bits: 1,
            max_states: MAX,
        },
        1 << 10,
        2,
        1,
    ));
    let threads: Vec<_> = (0..2u32)
        .map(|thread| {
            let store = Arc::clone(&store);
            shuttle::thread::spawn(move || {
                let enter = |i: &u32| {
                    let (state, _) = store.reference(&[*i, thread]);
                    store.enter(state, 1).is_ok()
                };
                (0..3u32).filter(enter).count() as u64
            })
        })
        .collect();
    let entered: u64 = threads
        .into_iter()
        .map(|thread| thread.join().expect("no panic"))
        .sum();
    assert_eq!((entered, store.len()), (MAX, MAX));
    assert_eq!(store.fill().ones, store.set_bits());
}

fn main() {
    // A failing test prints its schedule, with which it can be repeated.
    shuttle::check_random(same_states, 150);
    shuttle::check_pct(same_states, 150, 3);
    shuttle::check_random(limited_states, 150);
    shuttle::check_pct(limited_states, 150, 3);
    shuttle::check_random(same_order, 1000);
    shuttle::check_pct(same_order, 1000, 3);
    shuttle::check_random(same_bits, 1000);
    shuttle::check_pct(same_bits, 1000, 3);
    shuttle::check_random(limited_bits, 300);
    println!("4900 schedules");
}
