//! Any text that is a model can be checked within a small budget, and what is found can be replayed.
//!
//! Run with `cargo +nightly fuzz run check`; the models in `models/` make a good corpus.

#![no_main]

use std::time::Duration;

use lariat::check::{CheckError, CheckOptions, check};
use lariat::liveness::{LivenessOptions, check_property};
use lariat::load::{LoadOptions, load_text};
use lariat::property::Question;
use lariat_ir::space::Fairness;
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
    let mut questions: Vec<Question> = model.questions().flatten().collect();
    questions.push(Question::acceptance());
    questions.push(Question::non_progress());
    for question in &questions {
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let options = LivenessOptions {
                fairness,
                budget: options.budget.clone(),
                ..LivenessOptions::default()
            };
            match check_property(&model, question, &options, &mut ()) {
                Ok(_) | Err(CheckError::TooLarge(_)) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
    }
});
