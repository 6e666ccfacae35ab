//! Models of the intermediate representation, compiled to machine code in process.
//!
//! [`CompiledSpace`] is the same state space as [`lariat_ir::space::ModelSpace`], edge by edge, but its steps are
//! machine code made by Cranelift. Rare constructs and errors are left to the interpreter: a state is expanded either
//! by compiled code alone or by the interpreter alone, and compiled code may bail out at any point. So the two can
//! differ only if compiled code is wrong about the common constructs; [`Lockstep`] compares them.

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
