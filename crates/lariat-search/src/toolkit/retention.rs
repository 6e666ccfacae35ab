//! Which states a depth-first search keeps in its table.
//!
//! A search calls its *retention* when it looks up states, when it enters a state and when it leaves it. [`KeepAll`]
//! is the usual search: visited states stay. [`Forgetful`] implements randomized storing (Brim, Černá and Nečesal,
//! "Randomization helps in LTL model checking", 2001) and state-space caching (Godefroid, Holzmann and Pirottin,
//! "State-space caching revisited", 1995).
//!
//! # Why it is correct to remove states
//!
//! A state that is not in the table counts as never visited: it is *white* again. States on a stack are always in the
//! table, so paths are simple and the search terminates. It does everything that a search without a table would do. A
//! nested search needs two changes: a red search must pass through white states, which may be removed blue ones; and
//! it need not follow an accepting edge to a white state, because such an edge has had a red search of its own. Any
//! state that is on no stack may be removed at any time. All of this is tested on small graphs against an oracle.
//!
//! # Which states are removed
//!
//! *Dynamic*: each time a state is left, a coin decides. *Static*: a hash of the state decides. *Bounded* tables keep
//! everything until they are full. Then an insertion replaces a random state, or one of lowest worth
//! (`key_states.rs`).

mod coin;
mod forgetful;
mod full_table;
mod key_states;

pub(crate) use coin::Coin;
pub(crate) use forgetful::Forgetful;

use crate::toolkit::budget::Stop;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::outcome::Path;
use crate::toolkit::stack::Stack;
use crate::toolkit::storing::Storing;
use lariat_graph::StateSpace;
use lariat_store::{Archive, StateRef};

// The colours of states.
pub(crate) const WHITE: u8 = 0;
pub(crate) const CYAN: u8 = 1;
pub(crate) const BLUE: u8 = 2;
pub(crate) const RED: u8 = 3;

/// The table of a search.
pub(crate) trait Retention<T: Archive>: Sized + Send {
    /// Whether states are ever removed.
    const FORGETS: bool;
    /// The number of colour bits, for the colours of a nested search.
    const COLOUR_BITS: u32;

    /// The colour of a state from the colour bits of the store.
    fn seen(colour: u8) -> u8;

    /// Arranges the empty table.
    fn prepare(&self, store: &mut T) {
        let _ = store;
    }

    /// Looks up the successors of the last expansion, and counts the edges.
    fn settle<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        counters: &mut Counters<Path>,
    ) -> Result<(), Stop>;

    /// The same for successors from an index on, of a state that was expanded before.
    fn settle_again<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop>;

    /// The same for a nested search.
    fn settle_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop> {
        self.settle_again(explorer, stacks, first)
    }

    /// A white state becomes cyan. It is pushed onto the first of these stacks, which are all stacks of the search.
    fn enter<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
        counters: &mut Counters<Path>,
    ) -> Result<(), Stop>;

    /// The last entered cyan state becomes blue.
    fn leave<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef);

    /// The state that was left last is not needed any more; it may be removed.
    fn dismiss<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef);

    /// A blue state, or a white one if states are removed, becomes red and is pushed onto the second of these stacks.
    fn enter_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
    ) -> Result<(), Stop>;

    /// The last entered red state is on no stack any more.
    fn leave_red<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef);

    /// The statistics.
    fn storing(&self, states: u64) -> Option<Storing>;
}

/// All states stay.
pub(crate) struct KeepAll;

impl<T: Archive> Retention<T> for KeepAll {
    const FORGETS: bool = false;
    const COLOUR_BITS: u32 = 2;

    #[inline(always)]
    fn seen(colour: u8) -> u8 {
        colour
    }

    #[inline(always)]
    fn settle<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        _: [&Stack; 2],
        counters: &mut Counters<Path>,
    ) -> Result<(), Stop> {
        explorer.settle(counters)
    }

    #[inline(always)]
    fn settle_again<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        _: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop> {
        explorer.settle_from(first)
    }

    #[inline(always)]
    fn enter<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        _: [&Stack; 2],
        _: &mut Counters<Path>,
    ) -> Result<(), Stop> {
        explorer.recolour(state, 0, CYAN);
        Ok(())
    }

    #[inline(always)]
    fn leave<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef) {
        explorer.recolour(state, CYAN, BLUE);
    }

    #[inline(always)]
    fn dismiss<S: StateSpace>(&mut self, _: &mut Explorer<S, T>, _: StateRef) {}

    #[inline(always)]
    fn enter_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        _: [&Stack; 2],
    ) -> Result<(), Stop> {
        explorer.recolour(state, 0, RED);
        Ok(())
    }

    #[inline(always)]
    fn leave_red<S: StateSpace>(&mut self, _: &mut Explorer<S, T>, _: StateRef) {}

    fn storing(&self, _: u64) -> Option<Storing> {
        None
    }
}
