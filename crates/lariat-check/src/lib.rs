//! From a task to an outcome.
//!
//! A [`Task`](task::Task) is a system, properties, options ([`Wishes`](task::Wishes)) and a budget.
//! [`Plan::new`](plan::Plan::new) decides whether it is legal and chooses what the user left open; [`check`] executes
//! the plan: it searches, replays counterexamples, and returns an [`Outcome`](outcome::Outcome) for each property,
//! whose verdict contains its evidence.

mod available_memory;
pub mod chain;
mod confirm;
mod follow;
pub mod lasso_replay;
pub mod model;
pub mod omission;
pub mod outcome;
pub mod plan;
pub mod properties;
pub mod refusal;
pub mod repeat;
pub mod replay_budget;
mod run;
pub mod run_property;
pub mod spill;
pub mod system;
pub mod task;
pub mod trace;

pub use available_memory::default_memory;
pub use run::{Failure, TaskObserver, check};
