//! The interface between searches and stores.
//!
//! A store is a set of states that any number of threads fill at the same time. Each thread has a *worker*: its
//! buffers and caches. States are inserted in batches: a thread loads a state, computes its successors, *offers* each
//! of them, possibly goes on with the next state, and then *settles* all offers at once. Between an offer and its
//! settlement, the store prefetches the memory of the lookup; and as successors resemble their predecessor, an offer
//! is encoded relative to the last loaded state.
//!
//! A stored state is identified by a [`StateRef`], which does not change when the store grows, and has a few *colour*
//! bits for the search.

use crate::memory::Memory;

/// A stored state, in 8 bytes for stacks and queues. It is valid as long as its store exists, or
/// until a [`Forgetful`] one collects its parts; and only for that store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateRef(u64);

impl StateRef {
    /// No state.
    pub const NONE: StateRef = StateRef(u64::MAX);

    /// The reference with this number, which must not be `u64::MAX`; for stores.
    pub const fn new(number: u64) -> Self {
        StateRef(number)
    }

    /// The number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// The result for an offered state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The state.
    pub state: StateRef,
    /// Whether the state was absent before. Of several threads that offer the same state at the same time, exactly
    /// one gets `true`; with a [`BitstateStore`](crate::BitstateStore) at least one.
    pub is_new: bool,
    /// Its colour at that moment; zero for a new state.
    pub colour: u8,
}

/// Why a store refuses a state. It is intact, and contains everything that was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The memory limit does not allow the store to grow.
    Memory,
    /// The store has reached its limit of states.
    States,
}

/// The requirements of a search.
#[derive(Clone, Debug)]
pub struct Demands {
    /// The memory that the store draws on.
    pub memory: Memory,
    /// The number of colour bits of each state: 0 to [`MAX_COLOUR_BITS`].
    pub colour_bits: u32,
    /// The limit of states.
    pub max_states: u64,
}

/// The largest number of colour bits.
pub const MAX_COLOUR_BITS: u32 = 4;

/// Whether a store can identify different states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// States are distinguished by all their words.
    Exact,
    /// Different states may be identified, so that some are never visited. Such a search is not a proof.
    MayOmit,
}

/// The declaration of a store, from which help texts and refusals are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its advantage, in a few words.
    pub summary: &'static str,
    /// Whether it can identify different states.
    pub exactness: Exactness,
    /// The most bytes that it takes for a state of one or two words, when memory is short.
    pub state_bytes: u64,
}

/// A set of states that several threads share: answers whether a state is new, and has a colour for each.
pub trait Seen: Sized + Send + Sync {
    /// The declaration.
    const INFO: StoreInfo;

    /// The buffers and caches of a thread.
    type Worker: Send;

    /// Whether it gives the words of a state back: whether it is an [`Archive`]. Otherwise stacks and queues have to keep
    /// the words.
    const GIVES_WORDS: bool = true;

    /// A worker for one thread.
    fn worker(&self) -> Self::Worker;

    /// Adds a state to the batch, to be settled later. It costs least if it resembles the last loaded state, but may
    /// be any state.
    fn offer(&self, worker: &mut Self::Worker, state: &[u32]);

    /// Inserts all states that this worker has offered, and appends the results to `out`, in the order of the offers.
    /// On an error, `out` has the results of the offers before the one that did not fit; the later offers are
    /// dropped.
    fn settle(&self, worker: &mut Self::Worker, out: &mut Vec<Settled>) -> Result<(), Refused>;

    /// The colour of a stored state.
    fn colour(&self, worker: &mut Self::Worker, state: StateRef) -> u8;

    /// Clears the bits `clear` of the colour of a stored state and sets the bits `set`, atomically, and returns the
    /// colour before.
    fn recolour(&self, worker: &mut Self::Worker, state: StateRef, clear: u8, set: u8) -> u8;

    /// The words of a stored state: those that a stack or a queue has kept for it, unless the store
    /// [gives words](Self::GIVES_WORDS), which then loads them as [`Archive::load`] does.
    fn words<'w>(
        &self,
        worker: &'w mut Self::Worker,
        state: StateRef,
        kept: &'w [u32],
    ) -> &'w [u32];

    /// Prefetches a state whose words will be asked for soon.
    #[inline(always)]
    fn announce(&self, state: StateRef) {
        let _ = state;
    }

    /// The number of states. While other threads insert, it may lag behind.
    fn len(&self) -> u64;

    /// Whether there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A set that returns a state for its reference, so that stacks and queues hold references only.
pub trait Archive: Seen {
    /// Whether [`learn`](Self::learn) has an effect.
    const LEARNS: bool = false;

    /// An empty store.
    fn new(demands: Demands) -> Self;

    /// Gives the empty store a sample of states, to choose an encoding for similar ones. It has no effect on a store
    /// that has states, or without samples.
    fn learn(&mut self, samples: &[Vec<u32>]) {
        let _ = samples;
    }

    /// The words of a stored state. The next offers are encoded relative to it.
    fn load<'w>(&self, worker: &'w mut Self::Worker, state: StateRef) -> &'w [u32];

    /// The number of slots, for columns with a cell for each state ([`SlotColumn`](crate::SlotColumn)). It stays the same
    /// as long as no state is added.
    fn slots(&self, worker: &mut Self::Worker) -> u64;

    /// Appends to `out` the slots of stored states: no two states have the same, and they stay the same as long as no
    /// state is added.
    fn slots_of(
        &self,
        worker: &mut Self::Worker,
        states: impl Iterator<Item = StateRef>,
        out: &mut Vec<u64>,
    );
}

/// A set from which states can be removed. One thread works with it.
///
/// A reference is valid for [`load`](Archive::load) and [`insert`](Self::insert) whether its state is in the set or
/// not, until [`collect`](Self::collect). The colour of an absent state is zero.
pub trait Forgetful: Archive {
    /// Forbids growth that leaves fewer than so many bytes of memory to others.
    fn leave_to_others(&mut self, bytes: u64);

    /// Looks up all states that this worker has offered, without inserting them: appends their references to `out`,
    /// and whether they would be new. On an error, `out` has the first results.
    fn query(&self, worker: &mut Self::Worker, out: &mut Vec<Settled>) -> Result<(), Refused>;

    /// Inserts a state with a colour, unless it is present.
    fn insert(&self, worker: &mut Self::Worker, state: StateRef, colour: u8)
    -> Result<(), Refused>;

    /// Removes a state, and returns its colour if it was present.
    fn remove(&self, worker: &mut Self::Worker, state: StateRef) -> Option<u8>;

    /// Removes some state to make space for the state `near`, and returns its colour. Among a few states that
    /// `random` chooses, it is one with the lowest worth by its colour; `worth` is `None` for states that must stay,
    /// and zero for those that may be removed at once. Returns `None` if all have to stay.
    fn evict(
        &self,
        worker: &mut Self::Worker,
        near: StateRef,
        random: u64,
        worth: impl Fn(u8) -> Option<u8>,
    ) -> Option<u8>;

    /// Frees memory: halves the largest part of the set, and removes states until the rest fits, as
    /// [`evict`](Self::evict) does; calls `evicted` with the colour of each. Returns whether that was possible.
    fn shrink(
        &self,
        worker: &mut Self::Worker,
        random: impl FnMut() -> u64,
        worth: impl Fn(u8) -> Option<u8>,
        evicted: impl FnMut(u8),
    ) -> bool;

    /// Frees everything that neither the states in the set nor the references `in_use` need. All other references
    /// become invalid. Returns the number of freed parts.
    fn collect(
        &self,
        worker: &mut Self::Worker,
        in_use: impl Iterator<Item = StateRef>,
    ) -> Result<u64, Refused>;

    /// The number of parts of states, including free ones.
    fn nodes(&self) -> u64;

    /// The number of free parts.
    fn spare_nodes(&self) -> u64;

    /// The bytes of these parts, used or free.
    fn node_bytes(&self) -> u64;

    /// The bytes of the table of states.
    fn table_bytes(&self, worker: &mut Self::Worker) -> u64;
}
