//! The DVE front end of Lariat: text to IR.
//!
//! DVE is the language of the model checker DiVinE: processes are automata whose transitions have
//! guards, effects, and messages that go through channels.

pub mod ast;
mod front_end;
mod lexer;
mod lower;
mod parser;
mod pretty;
mod syntax;
mod token;

pub use front_end::Dve;
pub use lower::{LowerOptions, Lowered, lower};
pub use pretty::{expression_text, transition_text};
pub use syntax::{Parse, parse, parse_part};
