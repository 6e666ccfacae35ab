//! Which states of a full table are worth keeping.
//!
//! A full table can do better than replacing states at random. The cost of revisiting a removed state is one visit,
//! and as much again for each successor that was removed as well. So each state on the stack adds up an estimate of
//! the costs of its successors. If the sum reaches a threshold when the search leaves the state, it becomes a *key*,
//! which is replaced last, and costs its own predecessors nothing. In such a table keys are so close to each other
//! that a search that reaches a removed state soon reaches known ones. The threshold rises when keys have to be
//! replaced too often. In models where states are hardly ever revisited after a while, it is better to replace old
//! ones; so there are no keys while no state is visited twice.
//!
//! The rule was chosen among about a hundred variants in simulated searches, and then compared with others on graphs
//! of other sizes and seeds. Its effect on models is measured by `xtask bench storing`; see
//! `docs/experiments/storing.md`.

use super::{BLUE, CYAN, RED};

/// The colour bits of a search: white, cyan, blue or red.
pub(super) const COLOUR: u8 = 3;
/// Above them, for states on no stack: whether it is a key.
pub(super) const KEY: u8 = 4;
/// A red state on the stack of a nested search, which must not be replaced; no cyan state is a key.
pub(super) const PINNED_RED: u8 = CYAN | KEY;
pub(super) const ALL_BITS: u8 = 7;

/// The worth of a state of this colour; `None` if it is on a stack.
pub(super) fn worth(colour: u8) -> Option<u8> {
    match colour & COLOUR {
        BLUE | RED => Some(colour & KEY),
        _ => None,
    }
}

/// Which states become keys.
pub(super) struct Keys {
    /// The cost from which on a state is a key.
    pub threshold: f64,
    /// Evictions since the last change of the threshold, and how many of them were keys.
    evictions: u64,
    evicted_keys: u64,
}

impl Keys {
    /// Keys are replaced too often if they are more than one of so many evictions.
    const OFTEN: f64 = 0.03;
    const FIRST: f64 = 4.0;
    const MOST: f64 = 64.0;
    const FACTOR: f64 = 1.25;
    /// The cost of a successor that is in the table but may be replaced.
    const UNSURE: u8 = 2;

    /// Records that a state with this colour was evicted, from a table of this size.
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

/// The cost that an edge to a state of this colour adds to its source.
pub(super) fn cost_of(colour: u8) -> u8 {
    match worth(colour) {
        Some(0) => Keys::UNSURE,
        _ => 0,
    }
}
