//! Random walks: graphs of any size, in the memory of one walk.

pub mod monte_carlo;
pub mod sequential_test;
