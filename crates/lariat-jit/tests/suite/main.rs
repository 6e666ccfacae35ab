//! Compiled code compared with the interpreter.

mod common;
mod draw;
mod made;
mod malformed;
mod models;
mod random;
mod states;
mod threads;

#[path = "../support/states.rs"]
mod any_states;
#[path = "../../../lariat-ir/tests/support/mod.rs"]
mod support;
