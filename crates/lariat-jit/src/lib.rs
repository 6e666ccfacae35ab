//! Models of the intermediate representation, compiled to machine code in process.
//!
//! [`CompiledSpace`] is the same state space as [`lariat_ir::space::ModelSpace`], edge by edge, but
//! its steps are machine code made by Cranelift. What is rare or wrong is left to the interpreter:
//! a state is expanded either by compiled code alone or by the interpreter alone, and compiled code
//! may give up at any point. So the two can only differ if compiled code is wrong about what is
//! ordinary, and [`Lockstep`] watches for that.

mod emit;
mod facts;
mod fair;
mod lockstep;
mod machine;
mod message;
mod runtime;
mod space;

pub use lockstep::Lockstep;
pub use machine::Unsupported;
pub use space::CompiledSpace;
