//! What the tests of several crates share.
//!
//! - [`files`], [`header`] and [`property`]: model files and the facts in their first lines;
//! - [`harness`]: one named test for each model;
//! - [`promela`] and [`dve`]: random programs as text;
//! - [`ir`]: models of the intermediate language, made by hand or at random, and a check of what their steps touch;
//! - [`prng`] and [`parallel`]: what the generators and the runner need.

pub mod dve;
pub mod files;
pub mod harness;
pub mod header;
pub mod ir;
pub mod parallel;
pub mod prng;
pub mod promela;
pub mod property;

/// The number in an environment variable, for tests that can make more or other cases than they do by default.
///
/// # Panics
///
/// If the variable has a value that is not a number: a wish must not be ignored.
pub fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{variable} must be a number, not `{text}`")),
        Err(_) => default,
    }
}

/// The seed of random cases: that in `LARIAT_SEED`, or 1. It is printed, so that a failure can be repeated.
pub fn seed() -> u64 {
    let seed = number("LARIAT_SEED", 1);
    println!("LARIAT_SEED={seed}");
    seed
}
