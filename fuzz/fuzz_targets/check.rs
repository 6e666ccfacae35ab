//! Any text that is a model can be checked within a small budget, and what is found can be replayed.
//!
//! Run with `cargo +nightly fuzz run check`; the models in `models/` make a good corpus.

#![no_main]

use lariat::{LANGUAGES, LoadOptions};
use lariat_fuzz::check_briefly;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = lariat_front::decode(data.to_vec());
    // Files of this machine are no part of the input.
    if text.contains("include") {
        return;
    }
    if let Ok(model) = LANGUAGES.load_text("fuzz.pml", text, &LoadOptions::default()) {
        check_briefly(&model);
    }
});
