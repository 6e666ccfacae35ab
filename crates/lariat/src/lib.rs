//! Lariat: an explicit-state model checker.
//!
//! This crate ties the others together: it reads a model, searches its state space within a
//! budget, replays what it finds, and says how far its answer can be trusted.
//!
//! ```
//! use lariat::check::{CheckOptions, check};
//! use lariat::load::{LoadOptions, load_text};
//! use lariat_report::outcome::Verdict;
//!
//! let text = "byte x; active proctype P() { x = 1; assert(x == 1) }";
//! let model = load_text("small.pml", text.into(), &LoadOptions::default()).unwrap();
//! let checked = check(&model, &CheckOptions::default(), &mut ()).unwrap();
//! assert_eq!(checked.result.verdict, Verdict::Holds);
//! assert_eq!(checked.result.states_stored, 4);
//! ```

pub mod chain;
pub mod check;
pub mod dot;
pub mod engine;
pub mod experiment;
pub mod lasso;
pub mod liveness;
pub mod load;
pub mod property;
pub mod reduction;
pub mod replay;
pub mod runs;
mod shuffle;
pub mod system;
pub mod walks;
