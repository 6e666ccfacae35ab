//! Any text can be read as an automaton: it is refused, or what is printed reads back as the same.
//!
//! Run with `cargo +nightly fuzz run hoa`.

#![no_main]

use lariat_ltl::automaton::{degeneralise, dot, hoa, never};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(automaton) = hoa::parse(text) else {
        return;
    };
    let printed = hoa::print(&automaton, Some("fuzz"));
    let again = hoa::parse(&printed).expect("what is printed can be read");
    assert_eq!(automaton.statistics(), again.statistics(), "{printed}");
    if automaton.states.len() < 100 {
        let buchi = degeneralise(&automaton);
        assert!(buchi.is_state_based());
        let _ = never::print(&buchi, None);
        let _ = dot::print(&automaton);
    }
});
