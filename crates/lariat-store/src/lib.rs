//! Sets of visited states.
//!
//! A search spends most of its memory on visited states, and a good part of its time on looking them up. The stores
//! differ in memory, time and exactness; [`FlatStore`] is the simplest: exact and not compressed.
//!
//! All memory of a search is charged to one [`Memory`], which has the limit. No allocation in this crate exceeds the
//! limit, not even while a table is copied into a larger one; a store that cannot grow returns [`Insert::Full`] and
//! stays intact.

#[macro_use]
mod registry;
mod arena;
mod bitstate;
mod compact;
mod differences;
mod flat;
mod fold;
pub mod frontier;
mod hash;
mod memory;
mod pages;
mod prefetch;
mod set;
mod slot_column;
mod sync;
mod table;

stores!(modules);

pub use arena::Arena;
pub use bitstate::{BitstateStore, BitstateWorker, Fill, PROBES};
pub use compact::{CompactStore, CompactWorker, FINGERPRINT_BITS};
pub use flat::{FlatStore, Insert, Link};
pub use flat_set::FlatWorker;
pub use hash::{StateHash, hash_state, hash_words};
pub use memory::{Account, Full, Memory};
pub use registry::StoreId;
pub use set::{
    Archive, Demands, Exactness, Forgetful, MAX_COLOUR_BITS, Refused, Seen, Settled, StateRef,
    StoreInfo,
};
pub use slot_column::{SlotColumn, WideSlotColumn};
pub use tree::{ForgetfulTree, TreeWorker};
