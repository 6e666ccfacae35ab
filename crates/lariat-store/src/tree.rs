//! The compressed store: states as trees of shared parts, still exact.
//!
//! A state is cut into pieces of eight words; equal ones get the same number. Up to eight of those numbers
//! together get a number again, and so on, until a pair is left: the root. The states of a model resemble
//! each other, so nearly everything below the root has been seen before, and a new state costs little
//! more than its root (Blom, Lisser, van de Pol and Weber, "A database approach to distributed state space
//! generation", 2007; Laarman, van de Pol and Weber, "Parallel recursive state compression for free",
//! SPIN 2011).
//!
//! The root pair, with a few bits for the width, *is* the reference of a state. It can be turned into
//! words without any table of states. So the table of roots only has to tell which roots there are, and
//! to hold their colours; its entries are free to move when it grows, and hold only that part of the
//! root which does not follow from their place: 4 bytes in most cases.
//!
//! The parts:
//!
//! - `shape` and `order`: the tree over a state of some width; `narrow`: if that is small;
//! - `encoder` and `contexts`: from states to root pairs and back, relative to a state that is known;
//! - `nodes` and `index`: the nodes below the root, by number, and by content; `cache` in front of them;
//! - `quotient` and `roots`: what is kept of a root, and the table of roots;
//! - `widths`: small numbers for widths;
//! - `gate`: how threads share the tables while these grow;
//! - `store`: all of it together; `forgetful`: the same for searches that take states away again.
//!
//! When to use another store: `FlatSet` is easier to understand and serves small models as well.

mod cache;
mod contexts;
mod encoder;
mod forgetful;
mod gate;
mod index;
mod narrow;
mod nodes;
mod order;
mod quotient;
mod roots;
mod shape;
mod store;
mod widths;

pub use forgetful::ForgetfulTree;
pub use store::{TreeStore, TreeWorker};

#[cfg(test)]
mod tests;
