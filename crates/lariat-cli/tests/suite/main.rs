//! The library and the command line as a whole. One program, because each has to be linked with all of it.

mod access;
mod api;
mod automata;
mod check;
mod cli;
mod cli_properties;
mod common;
mod docs;
mod experiment;
mod fairness;
mod liveness;
mod models;
mod monte_carlo;
mod options;
mod product;
mod reduce;
mod reduce_random;
mod schema;
mod stopping;
mod storing;
mod support;
mod trails;
