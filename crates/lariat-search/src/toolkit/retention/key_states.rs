//! Which states of a full table are worth keeping.
//!
//! A full table can do better than to replace states at random. What does it cost to come to a state
//! again when it is forgotten? One visit, and as much again for each successor that was forgotten as well.
//! So each state on the stack adds up what its successors will cost, roughly, and if that reaches a threshold when
//! the search leaves it, it becomes a *key*, which goes last, and costs its own predecessors nothing. Such
//! a table has keys so close to each other that a search which comes to a forgotten state is soon back among known ones.
//! The threshold rises when keys have to go too often. In models where states are hardly ever met again
//! after a while, it is better to let old ones go; so there are no keys while nothing is visited twice.
//!
//! The rule was chosen among about a hundred variants in simulated searches, and then compared with others on graphs of other
//! sizes and seeds. What it does on models is measured by `xtask bench storing`; see `docs/experiments/storing.md`.

use super::{BLUE, CYAN, RED};

/// The bits of a colour as a search knows it: white, cyan, blue or red.
pub(super) const COLOUR: u8 = 3;
/// Above them, for states on no stack: whether it is a key.
pub(super) const KEY: u8 = 4;
/// A red state on the stack of a nested search, which must not go; no cyan state is a key.
pub(super) const PINNED_RED: u8 = CYAN | KEY;
pub(super) const ALL_BITS: u8 = 7;

/// What a state of this colour is worth; `None` if it is on a stack.
pub(super) fn worth(colour: u8) -> Option<u8> {
    match colour & COLOUR {
        BLUE | RED => Some(colour & KEY),
        _ => None,
    }
}

/// Which states become keys.
pub(super) struct Keys {
    /// The cost from which on a state is one.
    pub threshold: f64,
    /// Evictions since the threshold was last looked at, and how many of them were keys.
    evictions: u64,
    evicted_keys: u64,
}

impl Keys {
    /// A key went too often if it was one of so many.
    const OFTEN: f64 = 0.03;
    const FIRST: f64 = 4.0;
    const MOST: f64 = 64.0;
    const FACTOR: f64 = 1.25;
    /// What a successor costs that is in the table but may go.
    const UNSURE: u8 = 2;

    /// Notes that a state with this colour went, from a table of this size.
    pub fn evicted(&mut self, colour: u8, table: u64) {
        self.evictions += 1;
        self.evicted_keys += u64::from(colour & KEY != 0);
        if self.evictions > table / 8 {
            if self.evicted_keys as f64 > Self::OFTEN * self.evictions as f64 {
                self.threshold = (self.threshold * Self::FACTOR).min(Self::MOST);
            }
            (self.evictions, self.evicted_keys) = (0, 0);
        }
    }
}

impl Default for Keys {
    fn default() -> Self {
        Keys {
            threshold: Self::FIRST,
            evictions: 0,
            evicted_keys: 0,
        }
    }
}

/// What an edge to a state of this colour adds to the cost of the state from which it comes.
pub(super) fn cost_of(colour: u8) -> u8 {
    match worth(colour) {
        Some(0) => Keys::UNSURE,
        _ => 0,
    }
}
