//! The truth of formulas on words that repeat.

use lariat_ltl::lasso::{Letter, Word, holds, values};
use lariat_ltl::random::{Operators, formula as random_formula, word as random_word};
use lariat_ltl::{Formula, Formulas, Node, parse, print};
use lariat_stats::stream;

#[test]
fn truth_on_lassos() {
    let mut formulas = Formulas::new();
    formulas.atom("a");
    formulas.atom("b");
    // The word as a string: letters of one moment, a bar before the cycle.
    let word = |text: &str| -> Word {
        let (prefix, cycle) = text.split_once('|').unwrap();
        let letters = |part: &str| -> Vec<Letter> {
            part.split_whitespace()
                .map(|l| {
                    l.bytes()
                        .filter(|b| *b != b'-')
                        .map(|b| u32::from(b - b'a'))
                        .collect()
                })
                .collect()
        };
        Word {
            prefix: letters(prefix),
            cycle: letters(cycle),
        }
    };
    let table = [
        ("a U b", "a a b | -", true),
        ("a U b", "a - b | -", false),
        ("a U b", "| a", false),
        ("a W b", "| a", true),
        ("a U b", "| a a ab", true),
        ("b R a", "a a ab | -", true),
        ("b R a", "a a b | -", false),
        ("b R a", "| a", true),
        ("b M a", "| a", false),
        ("b M a", "a ab | -", true),
        ("G F a", "| - - a", true),
        ("F G a", "b | - - a", false),
        ("F G a", "- - | a", true),
        ("X X X a", "- - | - a", true),
        ("X X X a", "- - | a -", false),
        ("X X a", "- | - a", true),
        ("F b", "| a", false),
        ("G a", "a a - | a", false),
        ("true U b", "- - | - - b", true),
    ];
    for (text, lasso, expected) in table {
        let f = parse(&mut formulas, text).unwrap();
        assert_eq!(
            holds(&formulas, f, &word(lasso)),
            expected,
            "{text} on {lasso}"
        );
    }
    let f = parse(&mut formulas, "a U b").unwrap();
    let table = values(&formulas, f, &word("a - a | a ab - a"));
    assert_eq!(
        table.row(f).unwrap(),
        [false, false, true, true, true, false, true]
    );
    assert_eq!(table.at(f, 7), None);
    assert_eq!(table.at(Formula::TRUE, 0), None);
    // Any number of atoms, and a word without letters.
    let many = parse(&mut formulas, &format!("F p{}", "9".repeat(3))).unwrap();
    assert!(!holds(&formulas, many, &Word::default()));
    let mut letter: Letter = [3, 64, 1000].into_iter().collect();
    assert_eq!(letter.iter().collect::<Vec<_>>(), [3, 64, 1000]);
    letter.remove(1000);
    assert_eq!(letter, [64, 3].into_iter().collect());
}

/// The truth at a position by the definition of the operators, with quantifiers over positions:
/// within `prefix + 2 * cycle` positions from any one all that can happen has happened.
fn naive(formulas: &Formulas, f: Formula, word: &Word, i: usize) -> bool {
    let n = word.positions() + word.cycle.len();
    let at = |g: Formula, j: usize| {
        let mut position = i;
        for _ in 0..j {
            position = word.successor(position);
        }
        naive(formulas, g, word, position)
    };
    let until = |a: Formula, b: Formula| (0..=n).any(|j| at(b, j) && (0..j).all(|k| at(a, k)));
    let always = |a: Formula| (0..=n).all(|j| at(a, j));
    match *formulas.node(f) {
        Node::True => true,
        Node::False => false,
        Node::Atom(atom) => word.atom(i, atom),
        Node::Not(a) => !at(a, 0),
        Node::And(ref parts) => parts.iter().all(|&p| at(p, 0)),
        Node::Or(ref parts) => parts.iter().any(|&p| at(p, 0)),
        Node::Implies(a, b) => !at(a, 0) || at(b, 0),
        Node::Equiv(a, b) => at(a, 0) == at(b, 0),
        Node::Xor(a, b) => at(a, 0) != at(b, 0),
        Node::Next(a) => at(a, 1),
        Node::Eventually(a) => (0..=n).any(|j| at(a, j)),
        Node::Always(a) => always(a),
        Node::Until(a, b) => until(a, b),
        Node::WeakUntil(a, b) => until(a, b) || always(a),
        // `b` at every position before which `a` never held.
        Node::Release(a, b) => (0..=n).all(|j| at(b, j) || (0..j).any(|k| at(a, k))),
        Node::StrongRelease(a, b) => (0..=n).any(|j| at(a, j) && (0..=j).all(|k| at(b, k))),
    }
}

#[test]
fn evaluation_agrees_with_the_definition() {
    let seed = 0x5eed_0002;
    println!("seed {seed}");
    let mut formulas = Formulas::new();
    for i in 0..30_000 {
        let mut rng = stream(seed, "naive", i);
        let mut below = |n: u32| rng.below(u64::from(n)) as u32;
        let size = 1 + below(7);
        let f = random_formula(&mut formulas, size, 2, Operators::All, &mut below);
        let word = random_word(2, 3, &mut below);
        let table = values(&formulas, f, &word);
        for position in 0..word.positions() {
            let expected = naive(&formulas, f, &word, position);
            let text = print::spin(&formulas, f);
            assert_eq!(
                table.at(f, position),
                Some(expected),
                "{text} on {word:?}, number {i}"
            );
        }
    }
}
