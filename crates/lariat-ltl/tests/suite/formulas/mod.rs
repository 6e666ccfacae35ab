//! Formulas: text, meaning, rewriting and classes.

mod classify;
mod lasso;
mod parse;
mod print;
mod simplify;
