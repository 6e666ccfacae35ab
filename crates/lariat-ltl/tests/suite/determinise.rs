//! Deterministic parity automata against the automata they were made from, and against formulas.
//!
//! Each test prints its seed; `LARIAT_SEED` sets another.

use lariat_ltl::automaton::Letter;
use lariat_ltl::automaton::determinise::{Bounds, Determinised, Refused};
use lariat_ltl::lasso::{Word, holds};
use lariat_ltl::random::{Operators, formula, word};
use lariat_ltl::{Automaton, Edge, Formulas, Label, Labels, Limits, buchi, parse, tgba};
use lariat_stats::{Rng, stream};
use lariat_testkit::seed;
use std::collections::HashMap;

const ATOMS: u32 = 2;

/// All letters over some atoms: the bits of its number are the atoms of a letter.
fn letters(atoms: u32) -> Vec<Letter> {
    let letter = |bits: u32| (0..atoms).filter(|a| bits >> a & 1 == 1).collect();
    (0..1 << atoms).map(letter).collect()
}

fn number(letter: &Letter) -> u32 {
    letter.iter().map(|atom| 1 << atom).sum()
}

/// Whether a word is accepted: goes round the cycle until the state at its beginning is known, and
/// takes the least priority since then.
fn accepts(parity: &mut Determinised, word: &Word) -> bool {
    let mut state = parity.initial();
    for letter in &word.prefix {
        (state, _) = parity.step(state, number(letter)).unwrap();
    }
    let mut seen = HashMap::new();
    let mut least = Vec::new();
    loop {
        if let Some(&first) = seen.get(&state) {
            let best: &u32 = least[first..].iter().min().unwrap();
            assert!(*best <= parity.largest_priority());
            return best.is_multiple_of(2);
        }
        seen.insert(state, least.len());
        let mut round = u32::MAX;
        for letter in &word.cycle {
            let verdict = parity.verdict(state);
            let (next, priority) = parity.step(state, number(letter)).unwrap();
            assert!(verdict.is_none() || next == state, "a final state is final");
            (state, round) = (next, round.min(priority));
        }
        least.push(round);
    }
}

/// Formulas in which the atoms have the numbers of their names.
fn arena() -> Formulas {
    let mut formulas = Formulas::new();
    for atom in 0..ATOMS {
        formulas.atom(&format!("p{atom}"));
    }
    formulas
}

fn determinised(automaton: &Automaton) -> Determinised {
    Determinised::new(automaton, letters(ATOMS), Bounds::default()).unwrap()
}

fn random_automaton(rng: &mut Rng) -> Automaton {
    let states = 1 + rng.below(6);
    let density = 0.5 + 3.0 * rng.unit();
    let marked = rng.unit();
    let mut labels = Labels::new();
    let mut all = vec![Vec::new(); states as usize];
    for _ in 0..(density * states as f64) as u64 + 1 {
        let mut label = Label::FALSE;
        for cube in 0..4 {
            if rng.chance(0.4) {
                let literals = (0..ATOMS).map(|a| labels.literal(a, cube >> a & 1 == 1));
                let literals: Vec<Label> = literals.collect();
                let conjunction = literals.iter().fold(Label::TRUE, |c, &l| labels.and(c, l));
                label = labels.or(label, conjunction);
            }
        }
        let edge = Edge {
            target: rng.below(states) as u32,
            marks: u64::from(rng.chance(marked)),
            label,
        };
        all[rng.index(states as usize)].push(edge);
    }
    let sets = u32::from(rng.chance(0.9));
    if sets == 0 {
        all.iter_mut().flatten().for_each(|e| e.marks = 0);
    }
    Automaton {
        atoms: (0..ATOMS).map(|a| format!("p{a}")).collect(),
        labels,
        states: all,
        initial: (0..1 + rng.below(2))
            .map(|_| rng.below(states) as u32)
            .collect(),
        sets,
    }
}

#[test]
fn random_automata_keep_their_words() {
    let seed = seed();
    let (mut pairs, mut accepted, mut states) = (0, 0, 0);
    for n in 0..8_000 {
        let mut rng = stream(seed, "determinise automaton", n);
        let automaton = random_automaton(&mut rng);
        let mut parity = determinised(&automaton);
        for _ in 0..20 {
            let word = word(ATOMS, 5, &mut |bound| rng.below(u64::from(bound)) as u32);
            let expected = automaton.accepts(&word.prefix, &word.cycle);
            assert_eq!(
                accepts(&mut parity, &word),
                expected,
                "{n}: {word:?}\n{automaton:?}"
            );
            accepted += u32::from(expected);
            pairs += 1;
        }
        states = states.max(parity.states());
    }
    println!("{pairs} pairs, {accepted} accepted, at most {states} states");
    assert!(accepted > pairs / 10 && accepted < pairs * 9 / 10);
}

#[test]
fn random_formulas_keep_their_models() {
    let seed = seed();
    let (mut pairs, mut accepted, mut states) = (0, 0, 0);
    for n in 0..3_000 {
        let mut rng = stream(seed, "determinise formula", n);
        let mut below = |bound| rng.below(u64::from(bound)) as u32;
        let mut formulas = arena();
        let size = 3 + below(9);
        let f = formula(&mut formulas, size, ATOMS, Operators::All, &mut below);
        let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
        let mut parity = determinised(&automaton);
        for _ in 0..20 {
            let word = word(ATOMS, 5, &mut below);
            let expected = holds(&formulas, f, &word);
            assert_eq!(accepts(&mut parity, &word), expected, "{n}: {word:?}");
            accepted += u32::from(expected);
            pairs += 1;
        }
        states = states.max(parity.states());
    }
    println!("{pairs} pairs, {accepted} accepted, at most {states} states");
    assert!(accepted > pairs / 10 && accepted < pairs * 9 / 10);
}

/// All words with at most `prefix` letters and then a cycle of at most `cycle`.
fn all_words(prefix: u32, cycle: u32) -> Vec<Word> {
    let letters = letters(ATOMS);
    let of_length = |length: u32| -> Vec<Vec<Letter>> {
        let digit =
            |code: usize, at: u32| letters[code / letters.len().pow(at) % letters.len()].clone();
        let word = |code: usize| (0..length).map(|at| digit(code, at)).collect();
        (0..letters.len().pow(length)).map(word).collect()
    };
    let prefixes: Vec<_> = (0..=prefix).flat_map(of_length).collect();
    let cycles: Vec<_> = (1..=cycle).flat_map(of_length).collect();
    let pair = |p: &Vec<Letter>| {
        let prefix = p.clone();
        let word = move |cycle: &Vec<Letter>| Word {
            prefix: prefix.clone(),
            cycle: cycle.clone(),
        };
        cycles.iter().map(word).collect::<Vec<_>>()
    };
    prefixes.iter().flat_map(pair).collect()
}

/// Formulas whose automata cannot all be deterministic with a Büchi condition.
const FORMULAS: [&str; 14] = [
    "true",
    "false",
    "<>[]p0",
    "[]<>p0",
    "p0 U p1",
    "[](p0 -> <>p1)",
    "[]<>p0 -> []<>p1",
    "<>[]p0 || []<>p1",
    "([]<>p0 && <>[]p1) || <>(p0 && X [] !p1)",
    "[]<>p0 <-> []<>p1",
    "<>[](p0 -> X p1)",
    "[]<>(p0 && X X p1)",
    "[]((p0 U p1) || []p0)",
    "(<>[]p0 || []<>!p1) && (<>[]p1 || []<>!p0)",
];

#[test]
fn short_words_all_agree() {
    let words = all_words(1, 4);
    for text in FORMULAS {
        let mut formulas = arena();
        let f = parse(&mut formulas, text).unwrap();
        let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
        let mut parity = determinised(&automaton);
        for word in &words {
            let expected = holds(&formulas, f, word);
            assert_eq!(accepts(&mut parity, word), expected, "{text}: {word:?}");
        }
        let (before, after) = (automaton.states.len(), parity.states());
        println!("{text}: {before} states, {after} when deterministic");
    }
    let mut rng = stream(seed(), "determinise exhaustively", 0);
    for _ in 0..60 {
        let automaton = random_automaton(&mut rng);
        let mut parity = determinised(&automaton);
        for word in &words {
            let expected = automaton.accepts(&word.prefix, &word.cycle);
            assert_eq!(accepts(&mut parity, word), expected, "{word:?}");
        }
    }
}

#[test]
fn a_deterministic_automaton_stays_as_it_is() {
    let mut formulas = Formulas::new();
    let f = parse(&mut formulas, "[](p0 -> <>p1)").unwrap();
    let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
    assert!(automaton.is_deterministic());
    let mut parity = determinised(&automaton);
    for state in 0.. {
        if state as usize == parity.states() {
            break;
        }
        for letter in 0..4 {
            parity.step(state, letter).unwrap();
        }
    }
    // And the two states that are always there.
    assert_eq!(parity.states(), automaton.states.len() + 2);
}

#[test]
fn what_is_decided_is_known() {
    for (text, word, expected) in [
        ("<>p0", &[0, 0, 1][..], Some(true)),
        ("<>p0", &[0, 2, 0], None),
        ("[]p0", &[1, 1, 2], Some(false)),
        ("true", &[], Some(true)),
        ("false", &[], Some(false)),
        ("p0 U p1", &[1, 0], Some(false)),
        ("p0 U p1", &[1, 2], Some(true)),
    ] {
        let mut formulas = arena();
        let f = parse(&mut formulas, text).unwrap();
        let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
        let mut parity = determinised(&automaton);
        let mut state = parity.initial();
        for &letter in word {
            (state, _) = parity.step(state, letter).unwrap();
        }
        assert_eq!(parity.verdict(state), expected, "{text} {word:?}");
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let mut formulas = Formulas::new();
    let f = parse(&mut formulas, "[]<>p0 && []<>p1").unwrap();
    let general = tgba(&mut formulas, f, &Limits::default()).unwrap();
    let refused = Determinised::new(&general, letters(2), Bounds::default()).err();
    assert_eq!(refused, Some(Refused::Sets(2)));
    // Remembering the last five letters takes all of their combinations.
    let f = parse(&mut formulas, "<>[](p0 -> X X X X p1)").unwrap();
    let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
    let explore = |bounds: Bounds| -> Result<usize, Refused> {
        let mut parity = Determinised::new(&automaton, letters(2), bounds)?;
        let mut state = 0;
        while (state as usize) < parity.states() {
            for letter in 0..4 {
                parity.step(state, letter)?;
            }
            state += 1;
        }
        Ok(parity.states())
    };
    let all = explore(Bounds::default()).unwrap();
    println!("{all} states");
    let few = |states| Bounds {
        states,
        ..Bounds::default()
    };
    assert_eq!(explore(few(all)), Ok(all));
    assert_eq!(explore(few(all - 1)), Err(Refused::States(all - 1)));
    let small = Bounds {
        bytes: 2000,
        ..Bounds::default()
    };
    assert_eq!(explore(small), Err(Refused::Bytes(2000)));
    let mut parity = determinised(&automaton);
    assert_eq!(parity.step(7_000, 0), Err(Refused::Unknown));
    assert_eq!(parity.step(0, 4), Err(Refused::Unknown));
}
