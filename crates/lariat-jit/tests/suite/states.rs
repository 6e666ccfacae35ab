//! Both executors accept any words as a state.
//!
//! `LARIAT_STATES=n` sets the number of tested words, `LARIAT_STATES_SEED=n` the seed.

use std::path::Path;

use lariat_graph::{Expansion, StateSpace};
use lariat_stats::stream;

use crate::any_states::{Executors, MODELS, model, words};
use crate::common::files_ending;

fn number(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Tests so many words; returns how many of them were states.
fn ask(ending: &str, text: &str, count: u64, seed: u64) -> Option<u64> {
    let model = model(ending, text)?;
    let mut accepted = 0;
    for fair in [false, true] {
        let mut executors = Executors::new(&model, fair);
        let states = executors.reachable(400);
        let mut rng = stream(seed, text, u64::from(fair));
        for _ in 0..count.div_ceil(2) {
            let words = words(&states, &mut rng);
            accepted += u64::from(executors.ask(&words, rng.next_u64()));
        }
    }
    Some(accepted)
}

#[test]
fn any_words_are_accepted() {
    let (count, seed) = (
        number("LARIAT_STATES", 160_000),
        number("LARIAT_STATES_SEED", 1),
    );
    println!("seed {seed}");
    for (ending, text) in MODELS {
        let each = count / MODELS.len() as u64;
        let accepted = ask(ending, text, each, seed);
        let accepted = accepted.unwrap_or_else(|| panic!("not a model: {text}"));
        println!(
            "{accepted} of {each} are states: {}",
            text.lines().next().unwrap()
        );
        assert!(accepted * 20 > each && accepted * 20 < 19 * each);
    }
}

#[test]
fn any_words_are_accepted_by_any_model() {
    let (count, seed) = (
        number("LARIAT_STATES", 160_000) / 4,
        number("LARIAT_STATES_SEED", 1),
    );
    println!("seed {seed}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = files_ending(&root, &["pml", "dve"]);
    let each = count.div_ceil(files.len() as u64);
    let (mut models, mut accepted) = (0, 0);
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let ending = file.extension().unwrap().to_str().unwrap();
        if let Some(states) = ask(ending, &text, each, seed) {
            models += 1;
            accepted += states;
        }
    }
    println!("{models} models, {each} words each, {accepted} states");
    assert!(models > 100);
}

#[test]
fn executors_agree_on_reachable_states() {
    for (ending, text) in MODELS {
        let model = model(ending, text).unwrap();
        let mut executors = Executors::new(&model, true);
        let states = executors.reachable(400);
        assert!(states.len() > 20, "{} states: {text}", states.len());
        let Some(mut both) = executors.side_by_side() else {
            continue;
        };
        let mut out = Expansion::with_marks(8);
        for state in &states {
            out.clear();
            both.successors(state, &mut out);
            assert_eq!(both.difference(), None, "{text}");
        }
    }
}

#[test]
fn interpreted_atomic_sequences_do_not_overflow_the_stack() {
    let text = "byte x; active proctype P() { do :: atomic { do :: x = pc_value(0) od } od }";
    let model = model("pml", text).unwrap();
    let mut executors = Executors::new(&model, false);
    let states = executors.reachable(10);
    for state in &states {
        assert!(executors.ask(state, 1));
    }
}
