//! States in a search tree of the standard library, behind a lock, as an example of a store.

use crate::memory::{Account, Memory};
use crate::set::{
    Archive, Demands, Exactness, MAX_COLOUR_BITS, Refused, Seen, Settled, StateRef, StoreInfo,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An exact set of states in a search tree.
pub struct BTreeSet {
    memory: Memory,
    shared: Mutex<Shared>,
    colours: u8,
    max_states: u64,
}

struct Shared {
    account: Account,
    numbers: BTreeMap<Arc<[u32]>, u64>,
    states: Vec<(Arc<[u32]>, u8)>,
}

/// The buffers of a thread that works with a [`BTreeSet`].
pub struct BTreeWorker {
    account: Account,
    loaded: Vec<u32>,
    offers: Vec<Vec<u32>>,
}

impl BTreeWorker {
    /// Charges the present size of the buffers.
    fn book(&mut self) {
        let words: usize = self.offers.iter().map(Vec::capacity).sum();
        let bytes = (self.loaded.capacity() + words) * 4 + self.offers.capacity() * 24;
        self.account.set(bytes as u64);
    }
}

/// The bytes of a state besides its words: its entries in the tree and in the list, with spare capacity, and two
/// counts.
const ENTRY: u64 = 144;

impl BTreeSet {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, shared: &mut Shared, state: &[u32]) -> Result<Settled, Refused> {
        let known = shared.numbers.get(state).copied();
        let number = match known {
            Some(number) => number,
            None => {
                let number = shared.states.len() as u64;
                if number >= self.max_states {
                    return Err(Refused::States);
                }
                let bytes = ENTRY + 4 * state.len() as u64;
                shared.account.take(bytes).map_err(|_| Refused::Memory)?;
                let words: Arc<[u32]> = state.into();
                shared.numbers.insert(words.clone(), number);
                shared.states.push((words, 0));
                number
            }
        };
        Ok(Settled {
            state: StateRef::new(number),
            is_new: known.is_none(),
            colour: shared.states[number as usize].1,
        })
    }
}

impl Seen for BTreeSet {
    const INFO: StoreInfo = StoreInfo {
        name: "btree",
        summary: "a search tree",
        exactness: Exactness::Exact,
        state_bytes: ENTRY + 8,
    };
    type Worker = BTreeWorker;

    fn new(demands: Demands) -> Self {
        BTreeSet {
            shared: Mutex::new(Shared {
                account: demands.memory.account(),
                numbers: BTreeMap::new(),
                states: Vec::new(),
            }),
            memory: demands.memory,
            colours: (1 << demands.colour_bits.min(MAX_COLOUR_BITS)) - 1,
            max_states: demands.max_states,
        }
    }

    fn worker(&self) -> BTreeWorker {
        BTreeWorker {
            account: self.memory.account(),
            loaded: Vec::new(),
            offers: Vec::new(),
        }
    }

    fn offer(&self, worker: &mut BTreeWorker, state: &[u32]) {
        worker.offers.push(state.to_vec());
        worker.book();
    }

    fn settle(&self, worker: &mut BTreeWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        let mut shared = self.shared();
        let mut offers = worker.offers.drain(..);
        offers.try_for_each(|state| {
            out.push(self.insert(&mut shared, &state)?);
            Ok(())
        })
    }

    fn colour(&self, _: &mut BTreeWorker, state: StateRef) -> u8 {
        self.shared().states[state.number() as usize].1
    }

    fn recolour(&self, _: &mut BTreeWorker, state: StateRef, clear: u8, set: u8) -> u8 {
        let colour = &mut self.shared().states[state.number() as usize].1;
        let before = *colour;
        *colour = (before & !clear | set) & self.colours;
        before
    }

    fn len(&self) -> u64 {
        self.shared().states.len() as u64
    }
}

impl Archive for BTreeSet {
    fn load<'w>(&self, worker: &'w mut BTreeWorker, state: StateRef) -> &'w [u32] {
        worker.loaded.clear();
        let words = self.shared().states[state.number() as usize].0.clone();
        worker.loaded.extend_from_slice(&words);
        worker.book();
        &worker.loaded
    }

    fn slots(&self, _: &mut BTreeWorker) -> u64 {
        self.len()
    }

    fn slots_of(
        &self,
        _: &mut BTreeWorker,
        states: impl Iterator<Item = StateRef>,
        out: &mut Vec<u64>,
    ) {
        out.extend(states.map(StateRef::number));
    }
}
