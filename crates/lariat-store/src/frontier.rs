//! What waits to be expanded, on disk.
//!
//! A search that has more waiting states than memory for them writes some as *blocks* ([`block`]) into files without
//! a name in a directory of the user's choice ([`Spill`]), and reads each of them back when its turn comes.

pub mod block;
mod spill;

pub use block::Damage;
pub use spill::{Blocks, Buffer, Spill, SpillError, Storage};
