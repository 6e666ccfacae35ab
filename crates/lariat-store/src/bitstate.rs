//! Bitstate hashing: of each state only a few bits are stored, in a table whose size does not change.
//!
//! The table is a Bloom filter (Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 1970; Holzmann, "An analysis of bitstate
//! hashing", PSTV 1995). A state has `K` bits of the table, chosen by a hash; it is new if one of them is zero, and is inserted by setting
//! them all. A state of which all bits were set by others is omitted. A state that is met for the first time has this fate with the
//! probability `(share of ones)^K`, if the seed of the hash does not depend on the model.
//!
//! The reference of a state is a hash of 64 bits, from which its `K` places follow: two states with the same reference are one.
//!
//! *Colours.* A colour of a state is `K` further bits of the same table, chosen by the reference and the colour. Colours
//! are only added. If the search uses colours, they are all that is stored: a state without a colour takes no bits, settling only looks, and
//! [`BitstateStore::enter`] inserts. This halves the bits that are set by a depth-first search, which decides by the colour anyway.
//!
//! *Several threads.* Two threads that insert the same state at the same time may both set some of its bits: it is then new to both, and visited twice. It
//! is never known to both, because the bits that were zero are set by one of them.
//!
//! *What is counted.* The number of ones is never less than the ones in the table: what a batch may set is added before, and
//! what it has not set is taken away behind. So the probability that is added up for a state is never too small.

use crate::fold::fold;
use crate::hash::hash_state;
use crate::memory::{Account, Full, Memory};
use crate::pages::Region;
use crate::prefetch::prefetch;
use crate::set::{Demands, Exactness, Refused, Seen, Settled, StateRef, StoreInfo};
use crate::sync::{AtomicU64, Ordering};

/// The numbers of bits of a state.
pub const PROBES: std::ops::RangeInclusive<u32> = 1..=16;

/// The bits of a word of the table.
const WORD_BITS: u64 = u64::BITS as u64;

/// A Bloom filter that several threads share.
///
/// ```
/// use lariat_store::{BitstateStore, Demands, Memory, Seen};
///
/// let demands = Demands { memory: Memory::new(None), colour_bits: 0, max_states: u64::MAX };
/// let store = BitstateStore::with_table(demands, 1 << 20, 3, 7);
/// let mut worker = store.worker();
/// let mut settled = Vec::new();
/// store.offer(&mut worker, &[1, 2, 3]);
/// store.offer(&mut worker, &[1, 2, 3]);
/// store.settle(&mut worker, &mut settled).unwrap();
/// assert!(settled[0].is_new && !settled[1].is_new);
/// assert_eq!(store.fill().ones, 3);
/// ```
#[derive(Debug)]
pub struct BitstateStore {
    /// Empty if there is no memory for it.
    table: Region<AtomicU64>,
    /// The bits of the table.
    bits: u64,
    probes: u32,
    seed: u64,
    colour_bits: u32,
    max_states: u64,
    /// The states, and those that a batch may still add.
    states: AtomicU64,
    /// The ones, and those that a batch may still set.
    ones: AtomicU64,
    /// The sum of the probabilities of omission, as a floating-point number.
    sum: AtomicU64,
    memory: Memory,
    _account: Account,
}

/// How full a [`BitstateStore`] is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// The states that were inserted.
    pub states: u64,
    /// The bits of the table.
    pub bits: u64,
    /// Those that are set.
    pub ones: u64,
    /// How many bits belong to a state.
    pub probes: u32,
    /// The sum of `(ones/bits)^probes` over all insertions, each just before it.
    pub sum: f64,
}

/// The buffers of a thread that works with a [`BitstateStore`].
#[derive(Debug)]
pub struct BitstateWorker {
    account: Account,
    offers: Vec<StateRef>,
}

/// The bits that a batch has set.
#[derive(Default)]
struct Batch {
    states: u64,
    ones: u64,
    sum: f64,
}

impl BitstateStore {
    /// An empty store with a table of at least so many bits, of which each state has `probes`, by the hash function with this seed.
    /// Without memory for the table, the store refuses all states.
    ///
    /// # Panics
    ///
    /// If the probes are not in [`PROBES`].
    pub fn with_table(demands: Demands, bits: u64, probes: u32, seed: u64) -> Self {
        assert!(PROBES.contains(&probes), "bits of a state");
        let mut account = demands.memory.account();
        account.set(size_of::<Self>() as u64);
        let table = new_table(bits, &mut account).unwrap_or_default();
        BitstateStore {
            bits: table.len() as u64 * WORD_BITS,
            table,
            probes,
            seed,
            colour_bits: demands.colour_bits,
            max_states: demands.max_states,
            states: AtomicU64::new(0),
            ones: AtomicU64::new(0),
            sum: AtomicU64::new(0f64.to_bits()),
            memory: demands.memory,
            _account: account,
        }
    }

    /// How full it is. While other threads insert, states and ones may be too many.
    pub fn fill(&self) -> Fill {
        Fill {
            states: self.states.load(Ordering::Acquire),
            bits: self.bits,
            ones: self.ones.load(Ordering::Acquire),
            probes: self.probes,
            sum: f64::from_bits(self.sum.load(Ordering::Acquire)),
        }
    }

    /// The ones in the table, counted.
    #[cfg(test)]
    pub(crate) fn set_bits(&self) -> u64 {
        let words = self.table.iter();
        words
            .map(|word| u64::from(word.load(Ordering::Relaxed).count_ones()))
            .sum()
    }

    /// The reference of a state, whether it is stored or not; and bits of its hash that do not depend on that.
    #[inline]
    pub fn reference(&self, state: &[u32]) -> (StateRef, u64) {
        let hash = hash_state(state, self.seed);
        // The largest number is that of no state.
        (StateRef::new(hash.first.min(u64::MAX - 1)), hash.second)
    }

    /// Inserts a state with a colour that it does not have, and counts it, within the limit of states: for a search that uses
    /// colours, when it enters a state.
    pub fn enter(&self, state: StateRef, colour: u8) -> Result<(), Refused> {
        if self.claim(1) == 0 {
            return Err(Refused::States);
        }
        self.add_colours(state, colour);
        Ok(())
    }

    /// The places of a state in the table: a word, and a bit in it. `family` is zero for the state itself, and more for its colours.
    #[inline(always)]
    fn places(&self, state: StateRef, family: u32) -> impl Iterator<Item = (usize, u64)> {
        // The generator wyrand, from a different point for each state.
        const STEP: u64 = 0xa076_1d64_78bd_642f;
        const MASK: u64 = 0xe703_7ed1_a0b4_28db;
        let first = u64::from(family) * u64::from(*PROBES.end());
        let bits = u128::from(self.bits);
        (first..first + u64::from(self.probes)).map(move |number| {
            let point = state.number().wrapping_add((number + 1).wrapping_mul(STEP));
            let random = fold(point, point ^ MASK);
            let place = ((u128::from(random) * bits) >> u64::BITS) as u64;
            ((place / WORD_BITS) as usize, 1 << (place % WORD_BITS))
        })
    }

    /// Whether all bits are set.
    #[inline]
    fn has(&self, state: StateRef, family: u32) -> bool {
        // Acquire: whatever set a bit has been counted before.
        self.places(state, family)
            .all(|(word, bit)| self.table[word].load(Ordering::Acquire) & bit != 0)
    }

    /// Sets all bits; the number of those that were zero.
    #[inline]
    fn set(&self, state: StateRef, family: u32) -> u64 {
        let mut set = 0;
        for (word, bit) in self.places(state, family) {
            let before = self.table[word].fetch_or(bit, Ordering::AcqRel);
            set += u64::from(before & bit == 0);
        }
        set
    }

    /// Sets the bits of a state as a part of a batch that has reserved so many ones; whether one of them was zero.
    #[inline]
    fn insert(&self, state: StateRef, family: u32, reserved: u64, batch: &mut Batch) -> bool {
        let set = self.set(state, family);
        if set == 0 {
            return false;
        }
        // Other threads have reserved what they have set; of what this batch has reserved, it has set `batch.ones`.
        let others_and_own = self.ones.load(Ordering::Relaxed);
        let ones = others_and_own.saturating_sub(reserved - batch.ones);
        let share = (ones as f64 / self.bits as f64).min(1.0);
        batch.sum += share.powi(self.probes as i32);
        batch.ones += set;
        true
    }

    /// Adds up to so many states to the number of states; returns how many the limit allows.
    fn claim(&self, wanted: u64) -> u64 {
        let mut granted = 0;
        let _ = self
            .states
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |states| {
                granted = wanted.min(self.max_states.saturating_sub(states));
                Some(states + granted)
            });
        granted
    }

    /// Announces ones that a batch may set.
    fn reserve(&self, insertions: u64) -> u64 {
        let ones = insertions * u64::from(self.probes);
        self.ones.fetch_add(ones, Ordering::AcqRel);
        ones
    }

    /// Gives back what a batch has reserved and not used, and adds its probabilities.
    fn close(&self, reserved: u64, batch: &Batch) {
        self.ones.fetch_sub(reserved - batch.ones, Ordering::AcqRel);
        if batch.sum > 0.0 {
            let _ = self
                .sum
                .fetch_update(Ordering::AcqRel, Ordering::Acquire, |sum| {
                    Some((f64::from_bits(sum) + batch.sum).to_bits())
                });
        }
    }

    fn colour_of(&self, state: StateRef) -> u8 {
        let has = |colour: u32| u8::from(self.has(state, colour + 1)) << colour;
        (0..self.colour_bits).map(has).sum()
    }

    fn add_colours(&self, state: StateRef, colours: u8) {
        let reserved = self.reserve(u64::from(colours.count_ones()));
        let mut batch = Batch::default();
        for colour in (0..self.colour_bits).filter(|colour| colours >> colour & 1 != 0) {
            self.insert(state, colour + 1, reserved, &mut batch);
        }
        self.close(reserved, &batch);
    }

    /// Inserts offers as far as the limit of states allows.
    fn insert_all(&self, offers: &[StateRef], out: &mut Vec<Settled>) -> Result<(), Refused> {
        let granted = self.claim(offers.len() as u64);
        let reserved = self.reserve(offers.len() as u64);
        let mut batch = Batch::default();
        let mut result = Ok(());
        for &state in offers {
            if batch.states == granted && !self.has(state, 0) {
                result = Err(Refused::States);
                break;
            }
            let is_new = self.insert(state, 0, reserved, &mut batch);
            batch.states += u64::from(is_new);
            out.push(Settled {
                state,
                is_new,
                colour: 0,
            });
        }
        self.close(reserved, &batch);
        self.states
            .fetch_sub(granted - batch.states, Ordering::AcqRel);
        result
    }
}

/// A table of at least so many bits, wholly charged. It has small pages, because the system provides those that are touched only: with huge
/// ones a small search would touch all memory.
fn new_table(bits: u64, account: &mut Account) -> Result<Region<AtomicU64>, Full> {
    let words = usize::try_from(bits.div_ceil(WORD_BITS).max(1)).map_err(|_| Full)?;
    account.take((words as u64).saturating_mul(WORD_BITS / 8))?;
    Region::reserve(words, false)
}

impl Seen for BitstateStore {
    const INFO: StoreInfo = StoreInfo {
        name: "bitstate",
        summary: "a few bits of each state in a table of constant size",
        exactness: Exactness::MayOmit,
        state_bytes: 0,
    };
    type Worker = BitstateWorker;

    const GIVES_WORDS: bool = false;

    fn worker(&self) -> BitstateWorker {
        let mut worker = BitstateWorker {
            account: self.memory.account(),
            offers: Vec::new(),
        };
        worker.charge();
        worker
    }

    #[inline]
    fn offer(&self, worker: &mut BitstateWorker, state: &[u32]) {
        let (state, _) = self.reference(state);
        let family = u32::from(self.colour_bits > 0);
        for (word, _) in self.places(state, family) {
            prefetch(self.table.address() + word * size_of::<AtomicU64>());
        }
        worker.offers.push(state);
    }

    /// Inserts the offers; if there are colours, looks at them only.
    fn settle(&self, worker: &mut BitstateWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        worker.charge();
        let result = if self.table.is_empty() && !worker.offers.is_empty() {
            Err(Refused::Memory)
        } else if self.colour_bits == 0 {
            self.insert_all(&worker.offers, out)
        } else {
            out.extend(worker.offers.iter().map(|&state| Settled {
                state,
                is_new: false,
                colour: self.colour_of(state),
            }));
            Ok(())
        };
        worker.offers.clear();
        result
    }

    fn colour(&self, _: &mut BitstateWorker, state: StateRef) -> u8 {
        self.colour_of(state)
    }

    /// Adds colours. None is ever removed.
    fn recolour(&self, _: &mut BitstateWorker, state: StateRef, clear: u8, set: u8) -> u8 {
        debug_assert_eq!(clear, 0, "colours are only added");
        let before = self.colour_of(state);
        self.add_colours(state, set & !before);
        before
    }

    #[inline(always)]
    fn words<'w>(&self, _: &'w mut BitstateWorker, _: StateRef, kept: &'w [u32]) -> &'w [u32] {
        kept
    }

    fn len(&self) -> u64 {
        self.states.load(Ordering::Acquire)
    }
}

impl BitstateWorker {
    /// Charges the present size of the buffers.
    fn charge(&mut self) {
        let offers = self.offers.capacity() * size_of::<StateRef>();
        self.account.set((size_of::<Self>() + offers) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn store(bits: u64, probes: u32, colour_bits: u32, max_states: u64) -> BitstateStore {
        let demands = Demands {
            memory: Memory::new(None),
            colour_bits,
            max_states,
        };
        BitstateStore::with_table(demands, bits, probes, 3)
    }

    /// The places of the bits of a state.
    fn places(store: &BitstateStore, state: StateRef, family: u32) -> Vec<u64> {
        let places = store.places(state, family);
        places
            .map(|(word, bit)| word as u64 * WORD_BITS + u64::from(bit.trailing_zeros()))
            .collect()
    }

    fn settle(store: &BitstateStore, states: &[[u32; 2]]) -> (Vec<Settled>, Result<(), Refused>) {
        let mut worker = store.worker();
        let mut settled = Vec::new();
        for state in states {
            store.offer(&mut worker, state);
        }
        let result = store.settle(&mut worker, &mut settled);
        (settled, result)
    }

    /// A state is new exactly if one of its bits is not in a set of bits; the figures are those of that set.
    #[test]
    fn the_table_is_a_set_of_bits() {
        for probes in PROBES {
            for bits in [1, 64, 100, 1000, 1 << 20] {
                let store = store(bits, probes, 0, u64::MAX);
                let mut model: HashSet<u64> = HashSet::new();
                let (mut states, mut sum) = (0, 0.0);
                for round in 0..20 {
                    let offers: Vec<[u32; 2]> =
                        (0..30).map(|i| [i, (round * 7 + i) % 11]).collect();
                    let (settled, result) = settle(&store, &offers);
                    assert_eq!((result, settled.len()), (Ok(()), offers.len()));
                    for (offer, settled) in offers.iter().zip(settled) {
                        assert_eq!(settled.state, store.reference(offer).0);
                        let share = model.len() as f64 / store.bits as f64;
                        let before = model.len();
                        model.extend(places(&store, settled.state, 0));
                        let is_new = model.len() > before;
                        assert_eq!(settled.is_new, is_new, "{probes} of {bits} bits");
                        if is_new {
                            states += 1;
                            sum += share.powi(probes as i32);
                        }
                    }
                }
                let fill = store.fill();
                assert!(fill.bits >= bits && model.iter().all(|&place| place < fill.bits));
                assert_eq!((fill.states, fill.probes), (states, probes));
                assert_eq!(fill.ones, model.len() as u64);
                assert!((fill.sum - sum).abs() <= 1e-9 * sum, "{} {sum}", fill.sum);
                assert_eq!(store.set_bits(), fill.ones);
            }
        }
    }

    /// With colours, a state is stored by its first one; colours are only added.
    #[test]
    fn colours_are_bits_of_the_same_table() {
        let store = store(1 << 16, 3, 2, u64::MAX);
        let (settled, _) = settle(&store, &[[1, 2], [3, 4]]);
        assert!(settled.iter().all(|s| !s.is_new && s.colour == 0));
        assert_eq!((store.len(), store.fill().ones), (0, 0));
        let mut worker = store.worker();
        let state = settled[0].state;
        store.enter(state, 1).unwrap();
        assert_eq!((store.len(), store.fill().ones), (1, 3));
        assert_eq!(store.colour(&mut worker, state), 1);
        assert_eq!(store.recolour(&mut worker, state, 0, 2), 1);
        assert_eq!(store.recolour(&mut worker, state, 0, 3), 3);
        assert_eq!((store.len(), store.fill().ones), (1, 6));
        assert_eq!(store.colour(&mut worker, settled[1].state), 0);
        let (settled, _) = settle(&store, &[[1, 2], [3, 4]]);
        assert_eq!(settled.iter().map(|s| s.colour).collect::<Vec<_>>(), [3, 0]);
    }

    #[test]
    fn limits_are_kept() {
        let limited = store(1 << 16, 3, 0, 2);
        let (settled, result) = settle(&limited, &[[1, 2], [1, 2], [3, 4], [1, 2], [5, 6]]);
        assert_eq!((settled.len(), result), (4, Err(Refused::States)));
        assert_eq!((limited.len(), limited.fill().ones), (2, 6));
        let (_, result) = settle(&limited, &[[3, 4]]);
        assert_eq!(result, Ok(()));
        let limited = store(1 << 16, 3, 1, 1);
        let references = [[1, 2], [3, 4]].map(|state: [u32; 2]| limited.reference(&state).0);
        assert_eq!(limited.enter(references[0], 1), Ok(()));
        assert_eq!(limited.enter(references[1], 1), Err(Refused::States));
        assert_eq!((limited.len(), limited.fill().ones), (1, 3));
    }

    /// The table is charged; without memory for it, the store has no state.
    #[test]
    fn the_table_is_charged() {
        let memory = Memory::new(Some(100_000));
        let demands = |memory: &Memory| Demands {
            memory: memory.clone(),
            colour_bits: 0,
            max_states: u64::MAX,
        };
        let store = BitstateStore::with_table(demands(&memory), 8 * 65_536, 3, 1);
        assert!(
            (65_536..66_536).contains(&memory.held()),
            "{}",
            memory.held()
        );
        assert_eq!(settle(&store, &[[1, 2]]).1, Ok(()));
        let none = BitstateStore::with_table(demands(&memory), 8 * 65_536, 3, 1);
        assert_eq!(settle(&none, &[[1, 2]]).1, Err(Refused::Memory));
        drop((store, none));
        assert_eq!(memory.held(), 0);
        let store = BitstateStore::with_table(demands(&memory), u64::MAX, 3, 1);
        assert_eq!(settle(&store, &[[1, 2]]).1, Err(Refused::Memory));
    }

    /// The places of states are as even as chance makes them, for the states and for their colours, and independent of each other: the ones, and
    /// the states that are taken for others, are as many as expected.
    #[test]
    fn places_are_spread_evenly() {
        const STATES: u32 = 20_000;
        for probes in [1, 2, 3, 5, 16] {
            for family in 0..3 {
                let store = store(100_000, probes, 2, u64::MAX);
                let mut batch = Batch::default();
                let reserved = store.reserve(u64::from(STATES));
                let mut known = 0;
                for i in 0..STATES {
                    let (state, _) = store.reference(&[i & 63, 1, i >> 6]);
                    known += u32::from(!store.insert(state, family, reserved, &mut batch));
                }
                let bits = store.bits as f64;
                let offers = f64::from(STATES) * f64::from(probes);
                let zeros = bits * (-offers / bits).exp();
                let ones = batch.ones as f64;
                let difference = (bits - zeros - ones).abs();
                assert!(
                    difference < 6.0 * zeros.sqrt().max(1.0),
                    "{probes}: {ones}, {zeros}"
                );
                // The sum over new states is that over all, without the omitted ones.
                let expected: f64 = (0..STATES)
                    .map(|k| 1.0 - (-f64::from(k) * f64::from(probes) / bits).exp())
                    .map(|share| share.powi(probes as i32))
                    .sum();
                let deviation = (f64::from(known) - expected).abs();
                assert!(
                    deviation < 6.0 * expected.sqrt() + 6.0,
                    "{probes}: {known}, {expected}"
                );
            }
        }
    }

    /// Several threads: each state is new to one of them at least, and the figures are those of the table.
    #[test]
    fn threads_share_the_table() {
        const STATES: u32 = 20_000;
        let shared = store(1 << 22, 3, 0, u64::MAX);
        let insert = |start: u32| {
            let mut worker = shared.worker();
            let mut settled = Vec::new();
            for i in 0..STATES {
                shared.offer(&mut worker, &[(start + i) % STATES, 5]);
                if i % 16 == 15 {
                    shared.settle(&mut worker, &mut settled).unwrap();
                }
            }
            let new = settled.iter().filter(|settled| settled.is_new);
            new.map(|settled| settled.state).collect::<Vec<_>>()
        };
        let new: Vec<StateRef> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|n| scope.spawn(move || insert(n * 11)))
                .collect();
            threads
                .into_iter()
                .flat_map(|t| t.join().unwrap())
                .collect()
        });
        let fill = shared.fill();
        assert_eq!(fill.states, new.len() as u64);
        assert_eq!(shared.set_bits(), fill.ones);
        let alone = store(1 << 22, 3, 0, u64::MAX);
        for i in 0..STATES {
            settle(&alone, &[[i, 5]]).1.unwrap();
        }
        assert_eq!(alone.fill().ones, fill.ones);
        let different: HashSet<StateRef> = new.into_iter().collect();
        // A few of the states may be taken for others.
        assert!(different.len() as u32 + 3 >= STATES, "{}", different.len());
    }
}
