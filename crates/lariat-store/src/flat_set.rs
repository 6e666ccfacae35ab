//! The flat store as an [`Archive`]: every state is stored word for word, behind one lock.
//!
//! This is the set for tests and for small models. With one lock it is simple enough to be the reference for the
//! other stores; threads wait for each other. The number of a state in the [`FlatStore`] is its reference. Colours
//! are stored separately, one byte per state, if the search uses any.

use crate::arena::Arena;
use crate::flat::{FlatStore, Insert};
use crate::memory::{Account, Full, Memory};
use crate::set::{
    Archive, Demands, Exactness, MAX_COLOUR_BITS, Refused, Seen, Settled, StateRef, StoreInfo,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An exact set of states that are stored word for word, behind a lock.
///
/// ```
/// use lariat_store::{Demands, FlatSet, Memory, Archive, Seen};
///
/// let set = FlatSet::new(Demands {
///     memory: Memory::new(Some(1 << 20)),
///     colour_bits: 2,
///     max_states: u64::MAX,
/// });
/// let mut worker = set.worker();
/// let mut settled = Vec::new();
/// set.offer(&mut worker, &[1, 2]);
/// set.offer(&mut worker, &[1, 2]);
/// set.settle(&mut worker, &mut settled).unwrap();
/// assert!(settled[0].is_new && !settled[1].is_new);
/// assert_eq!(set.load(&mut worker, settled[0].state), [1, 2]);
/// ```
#[derive(Debug)]
pub struct FlatSet {
    memory: Memory,
    shared: Mutex<Shared>,
}

#[derive(Debug)]
struct Shared {
    store: FlatStore,
    colours: Colours,
}

/// The buffers of a thread that works with a [`FlatSet`].
#[derive(Debug)]
pub struct FlatWorker {
    account: Account,
    /// The last loaded state.
    loaded: Vec<u32>,
    /// The words of all offers, concatenated.
    words: Vec<u32>,
    /// The ends of the offers in `words`.
    ends: Vec<usize>,
}

impl FlatWorker {
    /// Charges the present size of the buffers, which hold at most a batch of states.
    fn charge(&mut self) {
        let words = self.loaded.capacity() + self.words.capacity();
        let bytes = words * size_of::<u32>() + self.ends.capacity() * size_of::<usize>();
        self.account.set(bytes as u64);
    }
}

impl FlatSet {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        // A poisoned lock: the set is intact, because no panic can happen between two changes that belong together.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen for FlatSet {
    const INFO: StoreInfo = StoreInfo {
        name: "flat",
        summary: "not compressed",
        exactness: Exactness::Exact,
        state_bytes: 25,
    };
    type Worker = FlatWorker;

    fn worker(&self) -> FlatWorker {
        FlatWorker {
            account: self.memory.account(),
            loaded: Vec::new(),
            words: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn offer(&self, worker: &mut FlatWorker, state: &[u32]) {
        worker.words.extend_from_slice(state);
        worker.ends.push(worker.words.len());
        worker.charge();
    }

    fn settle(&self, worker: &mut FlatWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        let mut shared = self.shared();
        let mut start = 0;
        let result = worker.ends.iter().try_for_each(|&end| {
            out.push(shared.insert(&worker.words[start..end])?);
            start = end;
            Ok(())
        });
        drop(shared);
        worker.words.clear();
        worker.ends.clear();
        result
    }

    fn colour(&self, _: &mut FlatWorker, state: StateRef) -> u8 {
        self.shared().colours.get(number(state))
    }

    fn recolour(&self, _: &mut FlatWorker, state: StateRef, clear: u8, set: u8) -> u8 {
        self.shared().colours.change(number(state), clear, set)
    }

    #[inline(always)]
    fn words<'w>(&self, worker: &'w mut FlatWorker, state: StateRef, _: &'w [u32]) -> &'w [u32] {
        self.load(worker, state)
    }

    fn len(&self) -> u64 {
        u64::from(self.shared().store.len())
    }
}

impl Archive for FlatSet {
    fn new(demands: Demands) -> Self {
        let mut store = FlatStore::new(&demands.memory);
        store.limit_states(demands.max_states);
        let shared = Shared {
            store,
            colours: Colours::new(&demands.memory, demands.colour_bits),
        };
        FlatSet {
            memory: demands.memory,
            shared: Mutex::new(shared),
        }
    }

    fn load<'w>(&self, worker: &'w mut FlatWorker, state: StateRef) -> &'w [u32] {
        worker.loaded.clear();
        let shared = self.shared();
        worker
            .loaded
            .extend_from_slice(shared.store.get(number(state)));
        drop(shared);
        worker.charge();
        &worker.loaded
    }

    fn slots(&self, _: &mut FlatWorker) -> u64 {
        self.len()
    }

    fn slots_of(
        &self,
        _: &mut FlatWorker,
        states: impl Iterator<Item = StateRef>,
        out: &mut Vec<u64>,
    ) {
        out.extend(states.map(StateRef::number));
    }
}

/// The number of a state in the flat store; a reference of another store gives a number that is absent.
fn number(state: StateRef) -> u32 {
    u32::try_from(state.number()).unwrap_or(u32::MAX)
}

impl Shared {
    fn insert(&mut self, state: &[u32]) -> Result<Settled, Refused> {
        let (number, is_new) = match self.insert_with_room_for_colour(state) {
            Insert::New(number) => (number, true),
            Insert::Known(number) => (number, false),
            Insert::Full if self.store.has_all_states() => return Err(Refused::States),
            Insert::Full => return Err(Refused::Memory),
        };
        if is_new {
            self.colours.push();
        }
        Ok(Settled {
            state: StateRef::new(u64::from(number)),
            is_new,
            colour: self.colours.get(number),
        })
    }

    /// Adds a state only if its colour fits as well.
    fn insert_with_room_for_colour(&mut self, state: &[u32]) -> Insert {
        match self.colours.reserve() {
            Ok(()) => self.store.insert(state),
            Err(Full) => self.store.find(state).map_or(Insert::Full, Insert::Known),
        }
    }
}

/// The colours of all states, by their numbers.
#[derive(Debug)]
struct Colours {
    account: Account,
    /// The mask of the colour bits.
    mask: u8,
    cells: Arena<u8, 14>,
}

impl Colours {
    fn new(memory: &Memory, bits: u32) -> Self {
        Colours {
            account: memory.account(),
            mask: (1u8 << bits.min(MAX_COLOUR_BITS)) - 1,
            cells: Arena::new(),
        }
    }

    /// Reserves memory for the colour of one more state.
    fn reserve(&mut self) -> Result<(), Full> {
        if self.mask != 0 {
            self.cells.open(&mut self.account, 1)?;
        }
        Ok(())
    }

    /// Adds the colour of a new state, for which memory is reserved.
    fn push(&mut self) {
        if self.mask != 0 {
            self.cells.extend(&[0]);
        }
    }

    fn get(&self, number: u32) -> u8 {
        if self.mask == 0 {
            return 0;
        }
        *self.cells.get(u64::from(number))
    }

    fn change(&mut self, number: u32, clear: u8, set: u8) -> u8 {
        if self.mask == 0 {
            return 0;
        }
        let cell = self.cells.get_mut(u64::from(number));
        let before = *cell;
        *cell = (before & !clear | set) & self.mask;
        before
    }
}
