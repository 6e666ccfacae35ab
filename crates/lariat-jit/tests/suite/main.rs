//! Compiled code against the interpreter.

mod common;
mod draw;
mod made;
mod models;
mod random;
mod threads;

#[path = "../../../lariat-ir/tests/support/mod.rs"]
mod support;
