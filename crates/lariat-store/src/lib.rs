//! Sets of visited states.
//!
//! A search spends most of its memory on the states it has seen, and a good part of its time on
//! asking whether it has seen one. Each store here answers that question with a different bargain
//! between memory, time and certainty; [`FlatStore`] is the plain one: exact, and every state is
//! kept as it is.
//!
//! All memory of a search is drawn from one [`Memory`], which knows the limit. Nothing in this
//! crate takes a byte that the limit does not allow, not even for the moment in which a table is
//! copied into a larger one; a store that cannot grow says [`Insert::Full`] and stays intact.

#[macro_use]
mod registry;
mod arena;
mod differences;
mod flat;
mod fold;
mod hash;
mod memory;
mod pages;
mod prefetch;
mod set;
mod sync;
mod table;

stores!(modules);

pub use arena::Arena;
pub use flat::{FlatStore, Insert, Link};
pub use flat_set::FlatWorker;
pub use hash::hash_words;
pub use memory::{Account, Full, Memory};
pub use registry::StoreId;
pub use set::{
    Archive, Demands, Exactness, Forgetful, MAX_COLOUR_BITS, Refused, Seen, Settled, StateRef,
    StoreInfo,
};
pub use tree::{ForgetfulTree, TreeWorker};
