//! Any words can be given as a state, to the interpreter and to compiled code.
//!
//! The first byte chooses a model, the next one how the words are made: as they are, or as changes of a state that
//! the model reaches. The rest is words.
//!
//! Run with `cargo +nightly fuzz run states`.

#![no_main]
#![allow(dead_code)]

use std::sync::OnceLock;

use lariat_ir::model::Model;
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/lariat-jit/tests/support/states.rs"]
mod states;

use states::{Executors, MODELS, model};

/// The models, each with some states that it reaches.
fn models() -> &'static [(Model, Vec<Vec<u32>>)] {
    static ALL: OnceLock<Vec<(Model, Vec<Vec<u32>>)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let with_states = |(ending, text): (&str, &str)| {
            let model = model(ending, text).expect("a model");
            let states = Executors::new(&model, false).reachable(256);
            (model, states)
        };
        MODELS.into_iter().map(with_states).collect()
    })
}

fuzz_target!(|data: &[u8]| {
    let &[which, how, ref rest @ ..] = data else {
        return;
    };
    let (model, reachable) = &models()[which as usize % MODELS.len()];
    let given = rest
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes));
    let given: Vec<u32> = given.take(200).collect();
    let key = u64::from(given.first().copied().unwrap_or(0));
    let words = match reachable.get(how as usize / 2) {
        Some(state) if how % 2 == 1 => {
            let mut words = state.clone();
            // The first word says how many are added or taken away; then where something is changed, and what.
            let (change, places) = given.split_first().unwrap_or((&0, &[]));
            words.resize(
                (words.len() + *change as usize % 4).saturating_sub(*change as usize / 4 % 3),
                *change,
            );
            for pair in places.as_chunks::<2>().0 {
                if let Some(word) = words.get_mut(pair[0] as usize % state.len().max(1)) {
                    *word ^= pair[1];
                }
            }
            words
        }
        _ => given,
    };
    // Now and then new executors, and otherwise those that have seen other states before.
    thread_local! {
        static EXECUTORS: std::cell::RefCell<Vec<Option<Executors<'static>>>> =
            std::cell::RefCell::new((0..MODELS.len()).map(|_| None).collect());
    }
    EXECUTORS.with_borrow_mut(|all| {
        let slot = &mut all[which as usize % MODELS.len()];
        if which >= 250 {
            *slot = None;
        }
        let executors = slot.get_or_insert_with(|| Executors::new(model, which % 2 == 1));
        executors.ask(&words, key);
    });
});
