//! Any text can be read as a formula or is refused with a message that points into it; a formula
//! that is printed and read again is the same; rewriting keeps the models and stays small.
//!
//! Run with `cargo +nightly fuzz run ltl`. The first byte chooses the word on which the formula and
//! its simplification are compared.

#![no_main]

use lariat_ltl::lasso::{Letter, Word, holds};
use lariat_ltl::simplify::{nnf, simplify};
use lariat_ltl::{Formulas, classify, parse_with_atoms, print};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (choice, rest) = data.split_first().unwrap_or((&0, &[]));
    let text = String::from_utf8_lossy(rest);
    let mut formulas = Formulas::new();
    let parsed = match parse_with_atoms(&mut formulas, &text) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!(text.get(error.span.clone()).is_some());
            assert!(error.render(&text).contains('^'));
            return;
        }
    };
    for atom in &parsed.atoms {
        assert!(text.get(atom.span.clone()).is_some());
        assert_eq!(formulas.atoms()[atom.number as usize], atom.name);
    }
    let f = parsed.formula;
    for text in [print::spin(&formulas, f), print::spot(&formulas, f)] {
        let again = parse_with_atoms(&mut formulas, &text).expect("what is printed can be read");
        assert_eq!(again.formula, f, "{text}");
    }
    let normal = nnf(&mut formulas, f);
    let simple = simplify(&mut formulas, f);
    let sizes = [normal, simple].map(|g| formulas.subformulas(g).len());
    assert!(sizes[1] <= 3 * sizes[0] + 10, "{sizes:?}");
    let _ = classify::class(&formulas, simple);
    let word = word(*choice, formulas.atoms().len() as u32);
    assert_eq!(holds(&formulas, f, &word), holds(&formulas, simple, &word));
});

/// One of 256 words with up to two letters before a cycle of one to three.
fn word(choice: u8, atoms: u32) -> Word {
    let mut state = u32::from(choice).wrapping_mul(0x9e37_79b9) | 1;
    let mut letters = |count: u8| -> Vec<Letter> {
        let mut letter = || {
            (0..atoms)
                .filter(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 31 == 1
                })
                .collect()
        };
        (0..count).map(|_| letter()).collect()
    };
    Word {
        prefix: letters(choice % 3),
        cycle: letters(1 + choice / 3 % 3),
    }
}
