//! The random decision whether a state stays in the table when the search leaves it.

use crate::toolkit::storing::{RandomizedStoring, StoringRule};
use lariat_stats::{Rng, stream};

/// Decides whether a state stays when it is left.
pub(crate) struct Coin {
    rule: StoringRule,
    /// The part of the hashes whose states are stored, if a hash decides.
    threshold: u64,
    /// The salt of the hash, so that it is independent of the hashes of the store.
    salt: u64,
    coins: Rng,
}

impl Coin {
    pub fn new(sampling: RandomizedStoring) -> Self {
        let threshold = match sampling.rule {
            StoringRule::Static(p) => (p * (1u64 << 53) as f64) as u64,
            _ => 0,
        };
        Coin {
            rule: sampling.rule,
            threshold,
            salt: stream(sampling.seed, "static storing", 0).next_u64() | 1,
            coins: stream(sampling.seed, "dynamic storing", 0),
        }
    }

    /// Whether a state with this hash stays when it is left.
    pub fn stays(&mut self, hash: u64) -> bool {
        match self.rule {
            StoringRule::Dynamic(p) => self.coins.chance(p),
            StoringRule::Static(_) => mixed(hash, self.salt) >> 11 < self.threshold,
            StoringRule::Auto | StoringRule::Cache(_) => true,
        }
    }
}

/// A hash that is independent of the one it is computed from.
pub(super) fn mixed(hash: u64, salt: u64) -> u64 {
    let product = u128::from(hash ^ salt) * u128::from(salt.rotate_left(32) | 1);
    let folded = (product >> 64) as u64 ^ product as u64;
    folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ folded >> 29
}
