//! Lariat: an explicit-state model checker.
//!
//! This crate ties the others together: it reads a model, searches its state space within a
//! budget, replays what it finds, and says how far its answer can be trusted.

pub mod check;
pub mod load;
pub mod replay;
