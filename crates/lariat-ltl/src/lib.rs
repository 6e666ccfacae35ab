//! LTL formulas and the automata that accept their models.

pub mod automaton;
pub mod formula;
pub mod lasso;
pub mod parse;
pub mod print;
pub mod random;

pub use formula::{Formula, Formulas, Node};
pub use parse::{ParseError, parse, parse_with_atoms};
