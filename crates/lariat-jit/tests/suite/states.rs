//! Both executors accept any words as a state.
//!
//! `LARIAT_STATES=n` sets the number of tested words, `LARIAT_STATES_SEED=n` the seed.

use lariat_graph::{Expansion, StateSpace};
use lariat_testkit::number;

use crate::any_states::{Executors, MODELS, ask, model};

#[test]
fn any_words_are_accepted() {
    let (count, seed) = (
        number("LARIAT_STATES", 160_000),
        number("LARIAT_STATES_SEED", 1),
    );
    println!("seed {seed}");
    for (ending, text) in MODELS {
        let each = count / MODELS.len() as u64;
        let model = model(ending, text).unwrap_or_else(|| panic!("not a model: {text}"));
        let accepted = ask(&model, text, each, seed);
        println!(
            "{accepted} of {each} are states: {}",
            text.lines().next().unwrap()
        );
        assert!(accepted * 20 > each && accepted * 20 < 19 * each);
    }
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
