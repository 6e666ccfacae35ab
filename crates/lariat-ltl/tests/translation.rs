//! Automata against a direct evaluation of formulas on words that repeat.
//!
//! Each test prints its seed; `LARIAT_SEED` sets another.

use lariat_ltl::automaton::{Automaton, Letter, Limits, buchi, tgba};
use lariat_ltl::{Formula, Formulas, Node};
use lariat_stats::{Rng, stream};
use std::collections::HashMap;

fn seed() -> u64 {
    let given = std::env::var("LARIAT_SEED").ok();
    let seed = given.and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("LARIAT_SEED={seed}");
    seed
}

/// A random formula with `size` operators and atoms over `atoms` atoms.
fn random_formula(formulas: &mut Formulas, rng: &mut Rng, atoms: u64, size: u64) -> Formula {
    if size <= 1 {
        let name = format!("p{}", rng.below(atoms));
        let atom = formulas.atom(&name);
        return match rng.below(20) {
            0 => Formula::TRUE,
            1 => Formula::FALSE,
            2..8 => formulas.not(atom),
            _ => atom,
        };
    }
    if size == 2 || rng.chance(0.35) {
        let f = random_formula(formulas, rng, atoms, size - 1);
        return match rng.below(7) {
            0 => formulas.not(f),
            1 | 2 => formulas.next(f),
            3 | 4 => formulas.eventually(f),
            _ => formulas.always(f),
        };
    }
    let left = 1 + rng.below(size - 2);
    let a = random_formula(formulas, rng, atoms, left);
    let b = random_formula(formulas, rng, atoms, size - 1 - left);
    match rng.below(12) {
        0 | 1 => formulas.and([a, b]),
        2 | 3 => formulas.or([a, b]),
        4 => formulas.implies(a, b),
        5 => formulas.equiv(a, b),
        6 => formulas.xor(a, b),
        7 | 8 => formulas.until(a, b),
        9 => formulas.release(a, b),
        10 => formulas.weak_until(a, b),
        _ => formulas.strong_release(a, b),
    }
}

struct Word {
    prefix: Vec<Letter>,
    cycle: Vec<Letter>,
}

fn random_word(rng: &mut Rng, atoms: usize) -> Word {
    let mut letters = |n| -> Vec<Letter> {
        let mut letter = || (0..atoms).map(|_| rng.chance(0.5)).collect();
        (0..n).map(|_| letter()).collect()
    };
    let lengths = letters(2);
    let length = |bits: &Letter| bits.iter().take(2).filter(|b| **b).count();
    let (prefix, cycle) = (length(&lengths[0]), 1 + length(&lengths[1]));
    Word {
        prefix: letters(prefix),
        cycle: letters(cycle),
    }
}

/// Whether a formula holds at each position of a word, by the definition of the operators: the
/// positions are walked as often as needed to come around.
fn evaluate(formulas: &Formulas, f: Formula, word: &Word) -> bool {
    let length = word.prefix.len() + word.cycle.len();
    let next = |at: usize| if at + 1 < length { at + 1 } else { word.prefix.len() };
    let letter = |at: usize| match word.prefix.get(at) {
        Some(letter) => letter,
        None => &word.cycle[at - word.prefix.len()],
    };
    let mut values: HashMap<Formula, Vec<bool>> = HashMap::new();
    for g in formulas.subformulas(f) {
        let node = formulas.node(g).clone();
        let at = |g: Formula, i: usize| values[&g][i];
        // From a position, the first of the following ones at which something is decided.
        let decide = |i: usize, otherwise: bool, step: &dyn Fn(usize) -> Option<bool>| {
            let mut i = i;
            for _ in 0..2 * length {
                if let Some(decided) = step(i) {
                    return decided;
                }
                i = next(i);
            }
            otherwise
        };
        let value = |i: usize| match &node {
            Node::True => true,
            Node::False => false,
            Node::Atom(a) => letter(i).get(*a as usize).copied().unwrap_or(false),
            Node::Not(g) => !at(*g, i),
            Node::And(gs) => gs.iter().all(|&g| at(g, i)),
            Node::Or(gs) => gs.iter().any(|&g| at(g, i)),
            Node::Implies(a, b) => !at(*a, i) || at(*b, i),
            Node::Equiv(a, b) => at(*a, i) == at(*b, i),
            Node::Xor(a, b) => at(*a, i) != at(*b, i),
            Node::Next(g) => at(*g, next(i)),
            Node::Eventually(g) => decide(i, false, &|j| at(*g, j).then_some(true)),
            Node::Always(g) => decide(i, true, &|j| (!at(*g, j)).then_some(false)),
            Node::Until(a, b) | Node::WeakUntil(a, b) => {
                decide(i, matches!(node, Node::WeakUntil(..)), &|j| match (at(*a, j), at(*b, j)) {
                    (_, true) => Some(true),
                    (false, false) => Some(false),
                    (true, false) => None,
                })
            }
            Node::Release(a, b) | Node::StrongRelease(a, b) => {
                decide(i, matches!(node, Node::Release(..)), &|j| match (at(*a, j), at(*b, j)) {
                    (_, false) => Some(false),
                    (true, true) => Some(true),
                    (false, true) => None,
                })
            }
        };
        let row: Vec<bool> = (0..length).map(value).collect();
        values.insert(g, row);
    }
    values[&f][0]
}

fn limits() -> Limits {
    Limits::default()
}

fn accepts(automaton: &Automaton, word: &Word) -> bool {
    automaton.accepts(&word.prefix, &word.cycle)
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    let seed = seed();
    for round in 0..2_000 {
        let mut rng = stream(seed, "translation", round);
        let mut formulas = Formulas::new();
        let atoms = 1 + rng.below(4);
        for a in 0..atoms {
            formulas.atom(&format!("p{a}"));
        }
        let size = 2 + rng.below(14);
        let f = random_formula(&mut formulas, &mut rng, atoms, size);
        let generalised = tgba(&mut formulas, f, &limits()).unwrap();
        let state_based = buchi(&mut formulas, f, &limits()).unwrap();
        assert!(state_based.is_state_based() && state_based.sets == 1);
        for _ in 0..50 {
            let word = random_word(&mut rng, atoms as usize);
            let expected = evaluate(&formulas, f, &word);
            let show = || format!("round {round}: {:?} {:?}", word.prefix, word.cycle);
            assert_eq!(accepts(&generalised, &word), expected, "tgba, {}", show());
            assert_eq!(accepts(&state_based, &word), expected, "buchi, {}", show());
        }
    }
}
