//! The intermediate language: the interpreter, state spaces, draws, reductions, read and write sets.

mod access;
mod describe;
mod draw;
mod interpreter;
mod reduce;
mod space;
