//! Random walks: graphs of any size, in the memory of one walk.

pub mod sequential_test;

searches!(modules walks);
