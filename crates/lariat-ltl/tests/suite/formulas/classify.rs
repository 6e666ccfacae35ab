//! Classes of formulas.

use lariat_ltl::classify::{Class, class, classes, is_next_free, stutter_free_form};
use lariat_ltl::lasso::{Letter, Word, holds};
use lariat_ltl::random::{Operators, formula as random_formula, word as random_word};
use lariat_ltl::{Formulas, parse, print};
use lariat_stats::stream;

#[test]
fn classes_of_known_formulas() {
    let table = [
        ("a && X(b || !X a)", Class::Bounded),
        ("true", Class::Bounded),
        ("G a", Class::Safety),
        ("a W b", Class::Safety),
        ("(a R b) W G c", Class::Safety),
        ("!F(a && X b)", Class::Safety),
        ("F a -> G !b", Class::Safety),
        ("F a", Class::Guarantee),
        ("a U F(b M c)", Class::Guarantee),
        ("G a -> F b", Class::Guarantee),
        ("G a || F b", Class::Obligation),
        ("G a <-> F b", Class::Obligation),
        ("G a U b", Class::Obligation),
        ("a W F b", Class::Obligation),
        ("G F a", Class::Recurrence),
        ("G(a -> F b)", Class::Recurrence),
        ("!F G a", Class::Recurrence),
        ("F G a", Class::Persistence),
        ("F G a && F b && G c", Class::Persistence),
        ("a U G b", Class::Persistence),
        ("G F a -> G F b", Class::Reactivity),
        ("G F a && F G b", Class::Reactivity),
        ("G F a <-> b", Class::Reactivity),
        ("G(F G a || F b)", Class::Reactivity),
    ];
    let mut formulas = Formulas::new();
    for (text, expected) in table {
        let f = parse(&mut formulas, text).unwrap();
        assert_eq!(class(&formulas, f), expected, "{text}");
        // Negation swaps the classes.
        let not = formulas.not(f);
        let opposite = match expected {
            Class::Safety => Class::Guarantee,
            Class::Guarantee => Class::Safety,
            Class::Recurrence => Class::Persistence,
            Class::Persistence => Class::Recurrence,
            same => same,
        };
        assert_eq!(class(&formulas, not), opposite, "!({text})");
    }
}

/// A word that starts with `prefix` and goes on at random.
fn extended(prefix: &[Letter], below: &mut impl FnMut(u32) -> u32) -> Word {
    let mut word = random_word(2, 3, below);
    word.prefix.splice(0..0, prefix.iter().cloned());
    word
}

#[test]
fn classes_are_sound() {
    // If all extensions of ever longer prefixes of a word are models of a safety formula, so is the
    // word. Sampled the other way round: a word that is no model of a safety formula has a prefix
    // that no model extends.
    let seed = 0x5eed_0004;
    println!("seed {seed}");
    let mut checked = 0;
    for i in 0..20_000 {
        let mut rng = stream(seed, "classes", i);
        let mut below = |n: u32| rng.below(u64::from(n)) as u32;
        let mut formulas = Formulas::new();
        formulas.atom("p0");
        formulas.atom("p1");
        let size = 2 + below(8);
        let f = random_formula(&mut formulas, size, 2, Operators::All, &mut below);
        let kinds = classes(&formulas, f);
        if !kinds.safety && !kinds.guarantee {
            continue;
        }
        let word = random_word(2, 3, &mut below);
        let truth = holds(&formulas, f, &word);
        if (truth && !kinds.guarantee) || (!truth && !kinds.safety) {
            continue;
        }
        checked += 1;
        // Long enough: the formula cannot count further.
        let prefix: Vec<Letter> = (0..60)
            .scan(0, |position, _| {
                let letter = word.letter(*position).cloned().unwrap_or_default();
                *position = word.successor(*position);
                Some(letter)
            })
            .collect();
        for _ in 0..10 {
            let other = extended(&prefix, &mut below);
            assert_eq!(
                holds(&formulas, f, &other),
                truth,
                "{} on {word:?}",
                print::spin(&formulas, f)
            );
        }
    }
    assert!(checked > 3_000, "{checked}");
}

/// The word without repeated letters, except for ever at the end.
fn without_stuttering(word: &Word) -> Word {
    let mut cycle = word.cycle.clone();
    cycle.dedup();
    if cycle.len() > 1 && cycle.first() == cycle.last() {
        cycle.pop();
    }
    let mut prefix = word.prefix.clone();
    prefix.dedup();
    while prefix.last().is_some() && prefix.last() == cycle.first() {
        prefix.pop();
    }
    Word { prefix, cycle }
}

#[test]
fn stutter_free_forms() {
    let seed = 0x5eed_0005;
    println!("seed {seed}");
    for i in 0..10_000 {
        let mut rng = stream(seed, "stutter", i);
        let mut below = |n: u32| rng.below(u64::from(n)) as u32;
        let mut formulas = Formulas::new();
        for p in ["p0", "p1", "p2"] {
            formulas.atom(p);
        }
        let size = 2 + below(8);
        let f = random_formula(&mut formulas, size, 3, Operators::All, &mut below);
        let g = stutter_free_form(&mut formulas, f);
        assert!(is_next_free(&formulas, g));
        for _ in 0..10 {
            let word = random_word(3, 5, &mut below);
            let destuttered = without_stuttering(&word);
            let text = print::spin(&formulas, f);
            // The letters may repeat in atoms that the formula does not mention.
            let mentioned = formulas.atoms_of(f);
            let project = |letters: &[Letter]| -> Vec<Letter> {
                let only = |l: &Letter| l.iter().filter(|a| mentioned.contains(a)).collect();
                letters.iter().map(only).collect()
            };
            let projected = without_stuttering(&Word {
                prefix: project(&destuttered.prefix),
                cycle: project(&destuttered.cycle),
            });
            let on_projection = holds(&formulas, g, &projected);
            assert_eq!(
                holds(&formulas, f, &projected),
                on_projection,
                "{text} {word:?}"
            );
            // The new formula does not see repetitions.
            assert_eq!(holds(&formulas, g, &word), on_projection, "{text} {word:?}");
        }
    }
}
