//! Markov chains: their format, probabilities, and hostile texts.

mod format;
mod hostile;
mod probability;
mod support;
