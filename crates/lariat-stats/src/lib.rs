//! Seeded random streams, and statistics of what was seen.
//!
//! One seed decides everything that is random in a run. Every consumer draws from a stream of its
//! own, [`stream`]`(seed, purpose, counter)`, so that adding a consumer, or a worker, does not
//! change what the others see. The values are part of the interface: the same seed gives the same
//! numbers on every machine and in every version, which is why neither the generator nor the
//! sampling is taken from a library that may change them.

mod distinct;
mod rng;

pub use distinct::DistinctSample;
pub use rng::{Dice, Rng, stream};
