//! Any text can be read as DVE without a panic, and every message points into it. A condition that is
//! printed is the same when it is read again. What is a system can be lowered and checked within a small
//! budget, and what is found can be replayed.
//!
//! Run with `cargo +nightly fuzz run dve`; the models in `models/dve` make a good corpus.

#![no_main]

use lariat::{LANGUAGES, LoadOptions};
use lariat_dve::{expression_text, parse, parse_part};
use lariat_fuzz::check_briefly;
use lariat_ir::source::SourceMap;
use libfuzzer_sys::fuzz_target;

/// Parentheses are added when a condition is printed, and cannot be nested as deeply as one likes.
const LONGEST_CONDITION: usize = 190;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).into_owned();
    let mut sources = SourceMap::default();
    let result = parse(&mut sources, "fuzz.dve", text.clone());
    for diagnostic in &result.diagnostics {
        assert!(!diagnostic.message.is_empty());
        assert!(sources.position(diagnostic.span).line > 0);
    }
    if text.len() < LONGEST_CONDITION {
        round_trip(&text);
    }
    if let Ok(model) = LANGUAGES.load_text("fuzz.dve", text, &LoadOptions::default()) {
        check_briefly(&model);
    }
});

fn round_trip(text: &str) {
    let read = |text: &str| {
        let mut sources = SourceMap::default();
        let expression = parse_part(&mut sources, "condition", text, 0..text.len());
        expression.map(|e| expression_text(&e))
    };
    if let Ok(printed) = read(text) {
        assert_eq!(
            read(&printed).expect("what is printed can be read"),
            printed
        );
    }
}
