//! Seeded random streams, estimators, and what may be concluded from samples.
//!
//! One seed determines everything that is random in a search. Every consumer draws from its own stream,
//! [`stream`]`(seed, purpose, counter)`, so that adding a consumer, or a worker, does not change the numbers of the
//! others. The values are part of the interface: the same seed gives the same numbers on every machine and in every
//! version. For this reason the generator and the sampling are not taken from a library, which may change them.
//!
//! Each bound has its formula and source. `epsilon` is a margin, `delta` the probability with which a statement may
//! be wrong:
//!
//! | question | answer |
//! |---|---|
//! | how many clean walks show that errors are rarer than `epsilon`? | [`samples_needed`] |
//! | what do so many clean walks show, stopped at any time? | [`epsilon_after`] |
//! | and if some walks were cut, or had errors, for a fixed number of walks? | [`upper_bound`], [`clopper_pearson`] |
//! | how many walks if some errors may be found? | [`samples_with_errors`] |
//! | how frequent are errors, to a relative `epsilon`? | [`Gbas`] |
//! | the same, for walks with weights | [`OptimalApproximation`], [`StoppingRule`] |
//! | what may a search that stores hashes have omitted? | [`Omission`] |
//! | between which limits, watched at all times? | [`ConfidenceSequence`], [`BettingSequence`] for weights |

mod approximation;
mod betting;
mod confidence_sequence;
mod distinct;
mod gbas;
mod hypothesis;
mod least;
mod moments;
mod omission;
mod rng;
pub mod special;

pub use approximation::{OptimalApproximation, StoppingRule};
pub use betting::BettingSequence;
pub use confidence_sequence::ConfidenceSequence;
pub use distinct::DistinctSample;
pub use gbas::Gbas;
pub use hypothesis::{
    binomial_cdf, clopper_pearson, epsilon_after, lower_bound, samples_needed, samples_with_errors,
    upper_bound,
};
pub use moments::Moments;
pub use omission::{Distinction, EntrySize, Omission, fingerprint_bits};
pub use rng::{Dice, Rng, stream};

/// Whether a number is strictly between 0 and 1, as margins and probabilities of error have to be.
fn is_proper(probability: f64) -> bool {
    probability > 0.0 && probability < 1.0
}
