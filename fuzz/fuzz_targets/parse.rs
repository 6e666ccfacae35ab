//! Any text can be parsed without a panic, and every message points into a file.
//!
//! Run with `cargo +nightly fuzz run parse`; the models in `models/` make a good corpus.

#![no_main]

use std::path::Path;

use lariat_front::decode;
use lariat_ir::source::SourceMap;
use lariat_promela::{ParseOptions, parse, parse_expression};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let options = ParseOptions {
        loader: Box::new(|_: &Path| Err(std::io::ErrorKind::NotFound.into())),
        ..ParseOptions::default()
    };
    let mut sources = SourceMap::default();
    let text = decode(data.to_vec());
    let result = parse(&mut sources, &options, "fuzz.pml", text.clone());
    for diagnostic in &result.diagnostics {
        assert!(!diagnostic.message.is_empty());
        assert!(sources.position(diagnostic.span).line > 0);
    }
    if text.len() < 1000 {
        let _ = parse_expression(&mut sources, &result.environment, "formula", &text);
    }
});
