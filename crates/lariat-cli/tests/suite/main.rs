//! The library and the command line as a whole. One program, because each has to be linked with all of it; the tests of
//! the model files are in `../models`.

mod automata;
mod bitstate;
mod budget;
mod check;
mod cli;
mod cli_properties;
mod compact_stacks;
mod docs;
mod experiment;
mod fairness;
mod messages;
mod monte_carlo;
mod options;
mod pairs;
mod product;
mod schema;
mod shortest;
mod spill;
mod stopping;
mod storing;
mod support;
mod terminal;
mod trails;

#[path = "../support/api.rs"]
mod api;
