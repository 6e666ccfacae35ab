//! Hash compaction: of each state only a fingerprint is stored.
//!
//! From Wolper and Leroy, "Reliable hashing without collision detection" (CAV 1993), and Stern and Dill, "Improved probabilistic
//! verification by hash compaction" (CHARME 1995). Two states with the same fingerprint are taken for one, so that the second is never
//! visited. A fingerprint is some bits of a hash of all words, by a function that a seed chooses; a state that is
//! met for the first time is taken for one of `n` others with a probability of at most `n / 2^bits`, if the seed does not
//! depend on the model.
//!
//! The fingerprint is the reference of the state, and the key in the same table in which the tree store keeps its roots
//! (`tree/keys.rs`). The table stores only the part of a key that does not follow from its place, so an entry takes
//! 4 bytes up to about 24 bits more than the number of lines has, and 8 bytes beyond that.

use crate::hash::{StateHash, hash_state};
use crate::memory::Account;
use crate::set::{Demands, Exactness, Refused, Seen, Settled, StateRef, StoreInfo};
use crate::tree::{Extent, Keys, NO_SLOT, Offers};

/// The largest number of bits of a fingerprint, and the smallest.
pub const FINGERPRINT_BITS: std::ops::RangeInclusive<u32> = 4..=64;

/// A set of fingerprints of states that several threads share.
///
/// ```
/// use lariat_store::{CompactStore, Demands, Memory, Seen};
///
/// let demands = Demands { memory: Memory::new(None), colour_bits: 0, max_states: u64::MAX };
/// let store = CompactStore::with_fingerprints(demands, 40, 7);
/// let mut worker = store.worker();
/// let mut settled = Vec::new();
/// store.offer(&mut worker, &[1, 2, 3]);
/// store.offer(&mut worker, &[1, 2, 3]);
/// store.settle(&mut worker, &mut settled).unwrap();
/// assert!(settled[0].is_new && !settled[1].is_new);
/// ```
#[derive(Debug)]
pub struct CompactStore {
    keys: Keys,
    extent: Extent,
    bits: u32,
    seed: u64,
    account: Account,
}

/// The buffers of a thread that works with a [`CompactStore`].
#[derive(Debug)]
pub struct CompactWorker {
    account: Account,
    offers: Offers,
}

impl CompactStore {
    /// An empty store of fingerprints with so many bits, by the hash function with this seed.
    ///
    /// # Panics
    ///
    /// If the bits are not in [`FINGERPRINT_BITS`].
    pub fn with_fingerprints(demands: Demands, bits: u32, seed: u64) -> Self {
        assert!(FINGERPRINT_BITS.contains(&bits), "bits of a fingerprint");
        let mut account = demands.memory.account();
        account.set((size_of::<Self>() + Keys::view_bytes()) as u64);
        CompactStore {
            keys: Keys::new(demands).filled_more(),
            extent: Extent::of_bits(bits),
            bits,
            seed,
            account,
        }
    }

    /// The sizes of an entry of the table: its bytes, and the bits of the fingerprint that are stored in it at least, so that the others have to
    /// follow from its place. The rest is for the distance from that place and for colours.
    pub const ENTRIES: [(u32, u32); 2] = [(4, 24), (8, 56)];

    /// The number of bits of a fingerprint.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The reference of a state, whether it is stored or not; and bits of its hash that do not depend on that.
    #[inline]
    pub fn reference(&self, state: &[u32]) -> (StateRef, u64) {
        let StateHash { first, second } = hash_state(state, self.seed);
        (StateRef::new(self.key(first)), second)
    }

    /// The number of slots; see [`Archive::slots`](crate::Archive::slots).
    pub fn slots(&self, worker: &mut CompactWorker) -> u64 {
        self.keys.slots(&worker.offers)
    }

    /// Appends the slots of states, as [`Archive::slots_of`](crate::Archive::slots_of) does; [`CompactStore::NO_SLOT`] for one
    /// that is absent.
    pub fn slots_of(
        &self,
        worker: &mut CompactWorker,
        states: impl Iterator<Item = StateRef>,
        out: &mut Vec<u64>,
    ) {
        self.keys.slots_of(&worker.offers, states, out);
    }

    /// The slot of a state that is absent.
    pub const NO_SLOT: u64 = NO_SLOT;

    /// The bytes that do not depend on the number of states.
    pub fn constant_bytes(&self) -> u64 {
        self.account.held()
    }

    #[inline(always)]
    fn key(&self, hash: u64) -> u64 {
        let fingerprint = hash >> (u64::BITS - self.bits);
        let key = self.extent.key(fingerprint);
        // The number of no state is not a key: two fingerprints of 2^64 are one.
        key.min(u64::MAX - 1)
    }
}

impl Seen for CompactStore {
    const INFO: StoreInfo = StoreInfo {
        name: "compact",
        summary: "fingerprints instead of states",
        exactness: Exactness::MayOmit,
        state_bytes: 25,
    };
    type Worker = CompactWorker;

    const GIVES_WORDS: bool = false;

    fn worker(&self) -> CompactWorker {
        let mut worker = CompactWorker {
            account: self.keys.memory.account(),
            offers: self.keys.offers(),
        };
        worker.charge();
        worker
    }

    #[inline]
    fn offer(&self, worker: &mut CompactWorker, state: &[u32]) {
        let hash = hash_state(state, self.seed).first;
        worker.offers.push(self.key(hash));
    }

    fn settle(&self, worker: &mut CompactWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        worker.charge();
        self.keys.settle(&mut worker.offers, |_| self.extent, out)
    }

    fn colour(&self, worker: &mut CompactWorker, state: StateRef) -> u8 {
        self.keys.colour(&worker.offers, state)
    }

    fn recolour(&self, worker: &mut CompactWorker, state: StateRef, clear: u8, set: u8) -> u8 {
        self.keys.recolour(&worker.offers, state, clear, set)
    }

    #[inline(always)]
    fn words<'w>(&self, _: &'w mut CompactWorker, _: StateRef, kept: &'w [u32]) -> &'w [u32] {
        kept
    }

    fn len(&self) -> u64 {
        self.keys.len()
    }
}

impl CompactWorker {
    /// Charges the present size of the buffers.
    fn charge(&mut self) {
        let bytes = size_of::<Self>() + Keys::view_bytes() + self.offers.bytes();
        self.account.set(bytes as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;
    use std::collections::HashSet;

    fn store(bits: u32, seed: u64, colour_bits: u32) -> CompactStore {
        let demands = Demands {
            memory: Memory::new(None),
            colour_bits,
            max_states: u64::MAX,
        };
        CompactStore::with_fingerprints(demands, bits, seed)
    }

    /// The table is a set of fingerprints: a state is new exactly if its fingerprint is, for any number of bits, with colours.
    #[test]
    fn a_state_is_new_if_its_fingerprint_is() {
        for bits in FINGERPRINT_BITS {
            let store = store(bits, 3, 2);
            let mut worker = store.worker();
            let mut known = HashSet::new();
            let mut settled = Vec::new();
            for round in 0..40u32 {
                settled.clear();
                let states: Vec<[u32; 3]> = (0..50).map(|i| [i * 7, round % 30, i & 3]).collect();
                for state in &states {
                    store.offer(&mut worker, state);
                }
                store.settle(&mut worker, &mut settled).unwrap();
                for (state, settled) in states.iter().zip(&settled) {
                    let (reference, _) = store.reference(state);
                    assert_eq!(settled.state, reference);
                    assert_eq!(settled.is_new, known.insert(reference), "{bits} bits");
                }
            }
            assert_eq!(store.len(), known.len() as u64);
            let mut slots = Vec::new();
            store.slots_of(&mut worker, known.iter().copied(), &mut slots);
            let different: HashSet<u64> = slots.iter().copied().collect();
            assert_eq!(different.len(), known.len());
            assert!(slots.iter().all(|&slot| slot < store.slots(&mut worker)));
            if bits == 64 {
                let (absent, _) = store.reference(&[9, 9, 9, 9]);
                slots.clear();
                store.slots_of(&mut worker, [absent].into_iter(), &mut slots);
                assert_eq!(slots, [CompactStore::NO_SLOT]);
            }
        }
    }

    /// States collide as often as random fingerprints do, for any seed.
    #[test]
    fn fingerprints_are_spread_evenly() {
        const STATES: u32 = 4096;
        for seed in 0..20 {
            let store = store(20, seed, 0);
            let references = (0..STATES).map(|i| store.reference(&[i & 63, 1, i >> 6]).0);
            let different: HashSet<StateRef> = references.collect();
            let lost = STATES as usize - different.len();
            // 8 on average; more than 25 has a probability of 10^-6.
            assert!(lost <= 25, "seed {seed}: {lost} lost");
        }
    }

    /// Above a million states an entry takes 4 bytes, and most entries are used.
    #[test]
    fn memory_of_a_state() {
        let store = store(40, 1, 0);
        let mut worker = store.worker();
        let mut settled = Vec::new();
        const STATES: u32 = 3_000_000;
        for i in 0..STATES {
            store.offer(&mut worker, &[i]);
            if i % 64 == 63 {
                store.settle(&mut worker, &mut settled).unwrap();
                settled.clear();
            }
        }
        let bytes = store.keys.memory.held() as f64 / f64::from(STATES);
        assert!(bytes < 5.8, "{bytes}");
    }
}
