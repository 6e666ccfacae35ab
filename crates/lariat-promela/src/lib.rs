//! The Promela front end of Lariat: text to IR.

pub mod ast;
