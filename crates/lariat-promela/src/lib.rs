//! The Promela front end of Lariat: text to IR.

pub mod ast;
mod lexer;
mod lower;
mod parser;
mod preprocess;
mod pretty;
mod syntax;
mod token;

pub use lower::{LowerOptions, Lowered, Names, lower};
pub use preprocess::{Define, DiskLoader, Limits, Loader, decode};
pub use syntax::{Environment, Parse, ParseOptions, parse, parse_expression, parse_part};
