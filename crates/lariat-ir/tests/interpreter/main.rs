//! The meaning of the IR, one construct at a time, on models made by hand.

#[path = "../support/mod.rs"]
mod support;

mod channels;
mod choice;
mod indivisible;
mod monitor;
mod numbers;
mod processes;
mod rendezvous;
mod values;
