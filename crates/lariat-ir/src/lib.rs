//! The intermediate language of Lariat and its reference interpreter.
//!
//! A front end turns a source text into a [`model::Model`]; [`interpret::Interpreter`] runs it one
//! step at a time and is the judge of every other executor and of every counterexample;
//! [`space::ModelSpace`] makes the state space of a model out of the interpreter's steps.

pub mod access;
pub mod describe;
pub mod diagnostic;
pub mod expr;
pub mod fault;
pub mod interpret;
pub mod layout;
pub mod model;
pub mod operators;
pub mod property;
pub mod reduce;
pub mod source;
pub mod space;
pub mod state;
pub mod text;
pub mod types;
pub mod valid;
pub mod well_formed;
