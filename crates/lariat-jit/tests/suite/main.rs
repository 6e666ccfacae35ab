//! Compiled code against the interpreter.

mod common;
mod models;
mod random;
mod threads;
