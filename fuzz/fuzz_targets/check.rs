//! Any text that is a model can be checked within a small budget, and what is found can be replayed.
//!
//! Run with `cargo +nightly fuzz run check`; the models in `models/` make a good corpus.

#![no_main]

use std::time::Duration;

use lariat::check::{CheckOptions, check};
use lariat::load::{LoadOptions, load_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = lariat_promela::decode(data.to_vec());
    // Files of this machine are no part of the input.
    if text.contains("include") {
        return;
    }
    let Ok(model) = load_text("fuzz.pml", text, &LoadOptions::default()) else {
        return;
    };
    let mut options = CheckOptions {
        all_errors: true,
        ..CheckOptions::default()
    };
    options.budget.states = Some(500);
    options.budget.memory = Some(64 << 20);
    options.budget.time = Some(Duration::from_secs(1));
    check(&model, &options, &mut ()).expect("every error replays");
});
