//! LTL formulas and the automata that accept their models.

pub mod automaton;
pub mod classify;
pub mod formula;
pub mod lasso;
pub mod parse;
pub mod print;
pub mod random;
pub mod simplify;

pub use automaton::{
    Automaton, Edge, Label, Labels, Limits, Statistics, Strength, TooLarge, buchi, degeneralise,
    dot, hoa, minimal_dfa, never, tgba,
};
pub use formula::{Formula, Formulas, Node};
pub use parse::{ParseError, parse, parse_with_atoms};
