//! Any two texts can be read as the files of a chain without a panic and in little memory, and every
//! message points into one of them. What is a chain can be walked on, and a run that violates a formula
//! does so by definition.
//!
//! Run with `cargo +nightly fuzz run chain`; the files in `models/chain` make a good corpus. The first
//! line that is `%` divides the file of the transitions from that of the labels.

#![no_main]

use lariat_chain::{ChainSampler, Input, Options, Property, read};
use lariat_ir::source::SourceMap;
use lariat_ltl::Limits;
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use std::sync::Arc;

const DIVIDER: &[u8] = b"\n%\n";
const MEMORY: u64 = 1 << 24;

fuzz_target!(|data: &[u8]| {
    let divider = data.windows(DIVIDER.len()).position(|part| part == DIVIDER);
    let (transitions, labels) = match divider {
        Some(at) => (&data[..at], Some(&data[at + DIVIDER.len()..])),
        None => (data, None),
    };
    let mut sources = SourceMap::default();
    let mut first = Cursor::new(transitions);
    let mut second = Cursor::new(labels.unwrap_or_default());
    let transitions = Input {
        name: "fuzz.tra",
        source: &mut first,
    };
    let labels = labels.map(|_| Input {
        name: "fuzz.lab",
        source: &mut second,
    });
    let chain = match read(&mut sources, transitions, labels, MEMORY) {
        Ok(chain) => chain,
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty());
            for diagnostic in &diagnostics {
                assert!(!diagnostic.message.is_empty());
                assert!(sources.position(diagnostic.span).line > 0);
            }
            return;
        }
    };
    assert!(chain.memory_bytes() as u64 <= MEMORY);
    let Some(label) = chain.labels().last() else {
        return;
    };
    let formula = format!("F G \"{label}\"");
    let formula = ("formula", formula.as_str());
    let Ok(property) = Property::parse(&mut sources, &chain, formula, &Limits::default()) else {
        return;
    };
    let Ok(mut sampler) = ChainSampler::new(&chain, Arc::new(property), Options::default()) else {
        return;
    };
    for number in 0..3 {
        let _ = sampler.walk(1, number, 1000);
        sampler
            .lasso(1, number, 1000)
            .expect("a lasso violates the formula");
    }
});
