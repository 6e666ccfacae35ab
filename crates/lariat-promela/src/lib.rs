//! The Promela front end of Lariat: text to IR.

pub mod ast;
mod front_end;
mod lexer;
mod lower;
mod parser;
mod preprocess;
mod pretty;
mod syntax;
mod token;

pub use front_end::Promela;
pub use lariat_front::decode;
pub use lower::{LowerOptions, Lowered, Names, lower};
pub use preprocess::{Define, DiskLoader, Limits, Loader};
pub use syntax::{Environment, Parse, ParseOptions, parse, parse_expression, parse_part};
