//! The meaning of the IR, one construct at a time, on models made by hand.

mod channels;
mod choice;
mod indivisible;
mod monitor;
mod numbers;
mod processes;
mod rendezvous;
mod values;
