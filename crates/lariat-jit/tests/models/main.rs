//! Compiled code does what the interpreter does, on each model: one test for each.
//!
//! `LARIAT_JIT_MODELS=folder` is about other models, of which `LARIAT_JIT_LIMIT=n` states are expanded.

#![allow(dead_code, reason = "the suite uses the rest of what is shared")]

#[path = "../support/states.rs"]
mod any_states;
#[path = "../support/draws.rs"]
mod draws;
#[path = "../support/walks.rs"]
mod walks;

use std::path::PathBuf;
use std::process::ExitCode;

use draws::{Drawn, wander};
use lariat::LANGUAGES;
use lariat_ir::model::Model;
use lariat_ir::reduce::{Options, Visible, reduced};
use lariat_testkit::files::{self, ModelFile};
use lariat_testkit::harness::{self, Test, each};
use lariat_testkit::number;

/// So many states of a model are expanded, of the examples more.
const STATES: u64 = 400;
const STATES_OF_EXAMPLES: u64 = 4000;

/// So many edges are drawn in a row.
const EDGES: u64 = 200;

/// So many words are taken for states of a model.
const WORDS: u64 = 44;

fn main() -> ExitCode {
    let given = std::env::var_os("LARIAT_JIT_MODELS");
    let models = match &given {
        Some(folder) => files::models_below(&[PathBuf::from(folder)], &LANGUAGES),
        None => files::models(&LANGUAGES),
    };
    let accepted = || models.iter().filter(|model| !model.header.is_refused());
    let mut tests: Vec<Test> = each(accepted(), "compiled", compiled);
    tests.extend(each(accepted(), "draws", drawn));
    tests.extend(each(accepted(), "words", any_words));
    harness::main(tests)
}

/// Calls a test with the model, unless only the interpreter executes it.
fn with_model(
    file: &ModelFile,
    test: impl FnOnce(&Model) -> Result<(), String>,
) -> Result<(), String> {
    let loaded = file.load(&LANGUAGES)?;
    match loaded.model().synchronous {
        true => Ok(()),
        false => test(loaded.model()),
    }
}

/// Expands states with both, in every setting.
fn compiled(file: &ModelFile) -> Result<(), String> {
    with_model(file, |model| {
        let states = match file.name().starts_with("examples") {
            true => STATES_OF_EXAMPLES,
            false => STATES,
        };
        let limit = number("LARIAT_JIT_LIMIT", states) as usize;
        let reduced = reduced(model, Options::ALL, &Visible::default());
        for (number, (liveness, is_reduced)) in walks::settings().into_iter().enumerate() {
            let model = if is_reduced { &reduced } else { model };
            let walk = walks::walk(model, liveness, limit >> (2 * number.min(1)));
            walk.map_err(|difference| format!("{liveness:?}: {difference}"))?;
        }
        Ok(())
    })
}

/// Draws edges with both.
fn drawn(file: &ModelFile) -> Result<(), String> {
    with_model(file, |model| wander(model, EDGES, &mut Drawn::default()))
}

/// Gives any words as a state to both.
fn any_words(file: &ModelFile) -> Result<(), String> {
    let loaded = file.load(&LANGUAGES)?;
    let seed = number("LARIAT_STATES_SEED", 1);
    any_states::ask(loaded.model(), &file.name(), WORDS, seed);
    Ok(())
}
