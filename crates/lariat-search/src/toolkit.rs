//! The parts of searches: workers and their counters, the budget, stacks, queues, paths back to the initial states,
//! and the outcome.

pub mod budget;
pub(crate) mod column;
pub(crate) mod counters;
pub(crate) mod disk_queue;
pub(crate) mod explorer;
pub(crate) mod faults;
pub mod lasso;
pub(crate) mod levels;
pub mod observer;
pub(crate) mod omitting;
pub mod outcome;
pub(crate) mod pacer;
pub(crate) mod parents;
pub(crate) mod positions;
pub(crate) mod retention;
pub(crate) mod sharing;
pub(crate) mod stack;
pub(crate) mod state_list;
pub(crate) mod store_sample;
pub mod stores;
pub mod storing;
pub(crate) mod word_stack;
pub(crate) mod workers;
