//! A worker's access to the graph and to the store, for searches that expand one state at a time.

use crate::toolkit::budget::Stop;
use crate::toolkit::counters::Counters;
use crate::toolkit::faults::Origin;
use crate::toolkit::omitting::Omitting;
use lariat_graph::{Expansion, StateSpace};
use lariat_store::{
    Account, Archive, Forgetful, Memory, Refused, Seen, Settled, StateRef, hash_words,
};

/// Expands states and looks up their successors.
pub(crate) struct Explorer<'s, S, T: Seen> {
    space: &'s mut S,
    store: &'s T,
    worker: T::Worker,
    expansion: Expansion,
    settled: Vec<Settled>,
    slots: Vec<u64>,
    memory: Memory,
    /// The account of `settled`.
    account: Account,
}

/// The number of successors that are offered before they are settled.
const MOST_OFFERS: usize = 1024;

impl<'s, S: StateSpace, T: Seen> Explorer<'s, S, T> {
    /// For a graph whose edges have so many words of marks.
    pub fn new(space: &'s mut S, store: &'s T, memory: &Memory, mark_words: usize) -> Self {
        Explorer {
            space,
            store,
            worker: store.worker(),
            expansion: Expansion::with_marks(mark_words),
            settled: Vec::new(),
            slots: Vec::new(),
            memory: memory.clone(),
            account: memory.account(),
        }
    }

    /// Expands the state with these words; `None` gives the initial states.
    pub fn expand_words(&mut self, words: Option<&[u32]>) {
        self.expansion.clear();
        match words {
            None => self.space.initial(&mut self.expansion),
            Some(words) => self.space.successors(words, &mut self.expansion),
        }
    }

    /// The store.
    pub fn store(&self) -> &'s T {
        self.store
    }

    /// Prefetches a state that will be expanded soon.
    pub fn announce(&self, state: StateRef) {
        self.store.announce(state);
    }

    /// Inserts the successors of the last expansion into the store, and counts them.
    pub fn settle<W: Origin>(&mut self, counters: &mut Counters<W>) -> Result<(), Stop> {
        let result = self.settle_from(0);
        counters.settled(&self.settled);
        result
    }

    /// Looks up the successors from an index on, without counting them: for a state that was expanded before.
    pub fn settle_from(&mut self, first: usize) -> Result<(), Stop> {
        self.hand_in(first, T::settle)
    }

    /// Offers the successors from an index on, and settles them with `settle`.
    #[inline(always)]
    fn hand_in(
        &mut self,
        first: usize,
        treat: impl Fn(&T, &mut T::Worker, &mut Vec<Settled>) -> Result<(), Refused>,
    ) -> Result<(), Stop> {
        self.settled.clear();
        let wanted = self.expansion.len().saturating_sub(first);
        self.account.grow(&mut self.settled, wanted)?;
        for (index, (target, _)) in self.expansion.edges().enumerate().skip(first) {
            self.store.offer(&mut self.worker, target);
            if index % MOST_OFFERS == MOST_OFFERS - 1 {
                treat(self.store, &mut self.worker, &mut self.settled)?;
            }
        }
        treat(self.store, &mut self.worker, &mut self.settled)?;
        // The store charges its buffers even beyond the limit.
        match self.memory.is_overdrawn() {
            true => Err(Stop::Memory),
            false => Ok(()),
        }
    }

    /// The last expansion.
    pub fn expansion(&self) -> &Expansion {
        &self.expansion
    }

    /// The results for its successors.
    pub fn settled(&self) -> &[Settled] {
        &self.settled
    }

    /// The number of states in the store.
    pub fn states(&self) -> u64 {
        self.store.len()
    }

    /// The colour of a state.
    pub fn colour(&mut self, state: StateRef) -> u8 {
        self.store.colour(&mut self.worker, state)
    }

    /// Changes the colour of a state, and returns the old one.
    pub fn recolour(&mut self, state: StateRef, clear: u8, set: u8) -> u8 {
        self.store.recolour(&mut self.worker, state, clear, set)
    }
}

impl<S: StateSpace, T: Omitting> Explorer<'_, S, T> {
    /// See [`Omitting::enter`].
    pub fn enter(&mut self, state: StateRef, colour: u8) -> Result<bool, Refused> {
        self.store.enter(&mut self.worker, state, colour)
    }
}

impl<S: StateSpace, T: Archive> Explorer<'_, S, T> {
    /// Expands a state; [`StateRef::NONE`] gives the initial states.
    pub fn expand(&mut self, state: StateRef) {
        self.expansion.clear();
        if state == StateRef::NONE {
            self.space.initial(&mut self.expansion);
        } else {
            let words = self.store.load(&mut self.worker, state);
            self.space.successors(words, &mut self.expansion);
        }
    }

    /// The slots of the successors that were settled last.
    pub fn slots_of_settled(&mut self) -> Result<&[u64], Stop> {
        self.slots.clear();
        self.account.grow(&mut self.slots, self.settled.len())?;
        let states = self.settled.iter().map(|settled| settled.state);
        self.store
            .slots_of(&mut self.worker, states, &mut self.slots);
        Ok(&self.slots)
    }

    /// The slot and the reference of a successor, when [`slots_of_settled`](Self::slots_of_settled) was called.
    pub fn target(&self, edge: usize) -> (u64, StateRef) {
        (self.slots[edge], self.settled[edge].state)
    }

    /// The slot of a state. It takes the place of those of the successors.
    pub fn slot(&mut self, state: StateRef) -> u64 {
        self.slots.clear();
        let states = std::iter::once(state);
        self.store
            .slots_of(&mut self.worker, states, &mut self.slots);
        self.slots[0]
    }
}

impl<S: StateSpace, T: Forgetful> Explorer<'_, S, T> {
    /// Looks up the successors from an index on, without inserting them.
    pub fn look_from(&mut self, first: usize) -> Result<(), Stop> {
        self.hand_in(first, T::query)
    }

    /// The hash of the words of a state.
    pub fn hash(&mut self, state: StateRef) -> u64 {
        hash_words(self.store.load(&mut self.worker, state))
    }

    /// See [`Forgetful::insert`].
    pub fn insert(&mut self, state: StateRef, colour: u8) -> Result<(), Refused> {
        self.store.insert(&mut self.worker, state, colour)
    }

    /// See [`Forgetful::remove`].
    pub fn remove(&mut self, state: StateRef) -> Option<u8> {
        self.store.remove(&mut self.worker, state)
    }

    /// See [`Forgetful::evict`].
    pub fn evict(
        &mut self,
        near: StateRef,
        random: u64,
        worth: impl Fn(u8) -> Option<u8>,
    ) -> Option<u8> {
        self.store.evict(&mut self.worker, near, random, worth)
    }

    /// See [`Forgetful::shrink`].
    pub fn shrink(
        &mut self,
        random: impl FnMut() -> u64,
        worth: impl Fn(u8) -> Option<u8>,
        evicted: impl FnMut(u8),
    ) -> bool {
        self.store.shrink(&mut self.worker, random, worth, evicted)
    }

    /// See [`Forgetful::collect`]. Without memory for it, it has no effect.
    pub fn collect(&mut self, in_use: impl Iterator<Item = StateRef>) -> u64 {
        let freed = self.store.collect(&mut self.worker, in_use);
        freed.unwrap_or(0)
    }

    /// See [`Forgetful::nodes`].
    pub fn nodes(&self) -> u64 {
        self.store.nodes()
    }

    /// See [`Forgetful::spare_nodes`].
    pub fn spare_nodes(&self) -> u64 {
        self.store.spare_nodes()
    }

    /// See [`Forgetful::node_bytes`].
    pub fn node_bytes(&self) -> u64 {
        self.store.node_bytes()
    }

    /// See [`Forgetful::table_bytes`].
    pub fn table_bytes(&mut self) -> u64 {
        self.store.table_bytes(&mut self.worker)
    }
}
