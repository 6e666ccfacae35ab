//! The compressed store: states as trees of shared parts; exact.
//!
//! A state is divided into pieces of eight words; equal pieces get the same number. Up to eight of those numbers
//! together get a number again, and so on, until a pair is left: the root. The states of a model resemble each other,
//! so nearly all nodes below the root of a new state are stored already, and a new state costs little more than its
//! root (Blom, Lisser, van de Pol and Weber, "A database approach to distributed state space generation", 2007;
//! Laarman, van de Pol and Weber, "Parallel recursive state compression for free", SPIN 2011).
//!
//! The root pair, with a few bits for the width, *is* the reference of a state. It can be decoded without any table
//! of states. So the table of roots is only a set of roots with their colours; its entries may move when it grows,
//! and store only the part of the root that does not follow from their place: 4 bytes in most cases.
//!
//! The parts:
//!
//! - `shape` and `order`: the tree over a state of some width; `narrow`: the same for few words;
//! - `encoder` and `contexts`: from states to root pairs and back, relative to a known state;
//! - `nodes` and `index`: the nodes below the root, by number, and by content; `cache` in front of them;
//! - `quotient`, `roots` and `keys`: the stored part of a root, the table of roots, and how threads share it;
//! - `widths`: small numbers for widths;
//! - `big_reader_lock`: how threads share the tables while these grow;
//! - `store`: the complete store; `forgetful`: the same for searches that remove states.
//!
//! When to use another store: `FlatSet` is simpler and suffices for small models.

mod big_reader_lock;
mod cache;
mod contexts;
mod encoder;
mod forgetful;
mod index;
mod keys;
mod narrow;
mod nodes;
mod order;
mod quotient;
mod roots;
mod shape;
mod store;
mod widths;

pub use forgetful::ForgetfulTree;
pub(crate) use keys::{Keys, NO_SLOT, Offers};
pub(crate) use quotient::Extent;
pub use store::{TreeStore, TreeWorker};

#[cfg(test)]
mod tests;
