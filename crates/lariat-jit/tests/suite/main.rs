//! Compiled code compared with the interpreter. The tests of the model files are in `../models`.

mod common;
mod draw;
mod made;
mod malformed;
mod random;
mod size;
mod states;
mod threads;

#[path = "../support/states.rs"]
mod any_states;
#[path = "../support/draws.rs"]
mod draws;
#[path = "../support/walks.rs"]
mod walks;
