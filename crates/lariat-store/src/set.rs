//! What searches ask of a store.
//!
//! A store is a set of states that any number of threads fill at the same time. Each thread
//! has a *worker*: the buffers and caches that it needs. States travel in batches: a thread loads a
//! state, makes its successors, *offers* each of them, perhaps goes on with the next state, and then
//! *settles* all offers at once. Between an offer and its settlement the store has time to fetch the
//! memory that it will look at; and as successors resemble the state from which they come, an offer
//! is encoded relative to the state that was loaded last.
//!
//! A stored state is known by a [`StateRef`], which stays the same however much the store grows, and
//! has a few *colour* bits for the search.

use crate::memory::Memory;

/// A stored state, in as many bits as a stack or a queue should spend on it. It stays valid as long
/// as its store lives and means nothing to any other store.
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

/// What became of a state that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The state.
    pub state: StateRef,
    /// Whether it was not there before. Of several threads that offer the same state at the same
    /// time, exactly one is told so.
    pub is_new: bool,
    /// Its colour at that moment; that of a new state is zero.
    pub colour: u8,
}

/// Why a store takes no more states. It is intact, and everything that was settled is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The memory limit does not allow it to grow.
    Memory,
    /// It has as many states as it is allowed to have, or as it can number.
    States,
}

/// What a store is made for.
#[derive(Clone, Debug)]
pub struct Demands {
    /// Where it takes its memory from.
    pub memory: Memory,
    /// How many colour bits each state has: none to [`MAX_COLOUR_BITS`].
    pub colour_bits: u32,
    /// How many states it may hold.
    pub max_states: u64,
}

/// The most colour bits that can be asked for.
pub const MAX_COLOUR_BITS: u32 = 4;

/// Whether a store can take two different states for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// States are told apart by all their words.
    Exact,
    /// Different states may be taken for one, so that some are never visited. Such a search proves nothing.
    MayOmit,
}

/// What a store declares about itself. Help texts and refusals are made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreInfo {
    /// Its name, as users write it.
    pub name: &'static str,
    /// What it is good at, in a few words.
    pub summary: &'static str,
    /// Whether it can take two different states for one.
    pub exactness: Exactness,
}

/// A set of states that several threads share: answers whether a state is new, and keeps a colour for each.
pub trait Seen: Sized + Send + Sync {
    /// What this store is.
    const INFO: StoreInfo;

    /// What a thread needs to work with the store.
    type Worker: Send;

    /// Whether [`learn`](Self::learn) does anything.
    const LEARNS: bool = false;

    /// An empty store.
    fn new(demands: Demands) -> Self;

    /// Shows the empty store some states like those to come; the more typical they are, the better a
    /// store can arrange itself. Later, or without any, it does nothing.
    fn learn(&mut self, samples: &[Vec<u32>]) {
        let _ = samples;
    }

    /// A worker for one thread.
    fn worker(&self) -> Self::Worker;

    /// Hands a state in, to be settled later. It costs least if it resembles the state that was
    /// loaded last, but may be any state.
    fn offer(&self, worker: &mut Self::Worker, state: &[u32]);

    /// Puts all states that this worker has offered into the set, and appends to `out` what became of
    /// each, in the order of the offers. On an error, `out` tells of the first ones, all of which were
    /// offered before the one that did not fit; the others are forgotten.
    fn settle(&self, worker: &mut Self::Worker, out: &mut Vec<Settled>) -> Result<(), Refused>;

    /// The colour of a stored state.
    fn colour(&self, worker: &mut Self::Worker, state: StateRef) -> u8;

    /// Takes the bits `clear` away from the colour of a stored state, adds the bits `set`, in one
    /// indivisible step, and returns what the colour was before.
    fn recolour(&self, worker: &mut Self::Worker, state: StateRef, clear: u8, set: u8) -> u8;

    /// The number of states. While others insert, it may lag behind.
    fn len(&self) -> u64;

    /// Whether there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A set that gives a state back for its reference, so that stacks and queues hold references only.
pub trait Archive: Seen {
    /// The words of a stored state. What is offered next is encoded relative to it.
    fn load<'w>(&self, worker: &'w mut Self::Worker, state: StateRef) -> &'w [u32];

    /// Says that a state will be loaded soon.
    #[inline(always)]
    fn announce(&self, state: StateRef) {
        let _ = state;
    }
}

/// A set from which states can be taken away. One thread works with it.
///
/// A reference is good for [`load`](Archive::load) and [`insert`](Self::insert) whether its state is in
/// the set or not, until [`collect`](Self::collect) says otherwise. The colour of a state that is not there is zero.
pub trait Forgetful: Archive {
    /// Says that the set must not grow unless it leaves so many bytes of its memory to others.
    fn leave_to_others(&mut self, bytes: u64);

    /// Finds out about all states that this worker has offered, without putting any into the set:
    /// appends to `out` which they are, and whether they would be new. On an error, `out` tells of the first ones.
    fn look(&self, worker: &mut Self::Worker, out: &mut Vec<Settled>) -> Result<(), Refused>;

    /// Puts a state into the set, with a colour, unless it is there.
    fn insert(&self, worker: &mut Self::Worker, state: StateRef, colour: u8)
    -> Result<(), Refused>;

    /// Takes a state away, and returns its colour if it was there.
    fn remove(&self, worker: &mut Self::Worker, state: StateRef) -> Option<u8>;

    /// Takes away some state, so that there is room for the state `near`, and returns its colour. Of a
    /// few states that `random` chooses, it is one of those that are worth least by their colours;
    /// `worth` is `None` for those that must stay, and zero for those that are worth nothing. Returns `None` if all have to stay.
    fn evict(
        &self,
        worker: &mut Self::Worker,
        near: StateRef,
        random: u64,
        worth: impl Fn(u8) -> Option<u8>,
    ) -> Option<u8>;

    /// Gives memory back: makes the largest part of the set smaller, and takes states away until the rest
    /// fits, as [`evict`](Self::evict) does; each time `evicted` is told the colour. Returns whether that
    /// was possible.
    fn shrink(
        &self,
        worker: &mut Self::Worker,
        random: impl FnMut() -> u64,
        worth: impl Fn(u8) -> Option<u8>,
        evicted: impl FnMut(u8),
    ) -> bool;

    /// Frees everything that no state in the set, and none of `in_use`, needs. All other references
    /// are void. Returns how many parts were freed.
    fn collect(
        &self,
        worker: &mut Self::Worker,
        in_use: impl Iterator<Item = StateRef>,
    ) -> Result<u64, Refused>;

    /// How many parts there are of which states are made, those that are free included.
    fn nodes(&self) -> u64;

    /// For how many more parts there is room because others were freed.
    fn spare_nodes(&self) -> u64;

    /// The bytes of these parts, whether they are in use or free.
    fn node_bytes(&self) -> u64;

    /// The bytes of the table that tells which states there are.
    fn table_bytes(&self, worker: &mut Self::Worker) -> u64;
}
