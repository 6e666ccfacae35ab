//! Formulas, and automata that are made from them or read from files.

mod determinise;
mod formulas;
mod hoa;
mod translation;
