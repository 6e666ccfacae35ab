//! The Hanoi format: what is written can be read, what is read means the right thing, and garbage
//! is answered with an error.

use lariat_ltl::automaton::Letter;
use lariat_ltl::{Automaton, Formulas, Limits, buchi, hoa, never, parse, tgba};
use lariat_stats::stream;

const FORMULAS: [&str; 9] = [
    "true",
    "false",
    "[]p",
    "<>p -> (q U r)",
    "[]<>p && []<>q",
    "[](p -> <>q)",
    "[]<>p <-> []<>q",
    "(p W q) || X X (r M p)",
    "([]<>p || <>[]q) && ([]<>q || <>[]r)",
];

fn automata() -> Vec<Automaton> {
    let mut all = Vec::new();
    for text in FORMULAS {
        let mut formulas = Formulas::new();
        let f = parse(&mut formulas, text).unwrap();
        all.push(tgba(&mut formulas, f, &Limits::default()).unwrap());
        all.push(buchi(&mut formulas, f, &Limits::default()).unwrap());
    }
    all
}

#[test]
fn written_automata_can_be_read() {
    for automaton in automata() {
        let text = hoa::print(&automaton, Some("a \"name\" with \\"));
        let again = hoa::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(again.statistics(), automaton.statistics(), "{text}");
        assert_eq!(again.is_state_based(), automaton.is_state_based());
        assert_eq!(again.strength(), automaton.strength());
        assert_eq!(hoa::print(&again, Some("a \"name\" with \\")), text);
        let mut rng = stream(1, "hoa words", 0);
        for _ in 0..200 {
            let mut letters = |n: u64| -> Vec<Letter> {
                let mut letter = || (0..3).filter(|_| rng.chance(0.5)).collect();
                let letters = [letter(), letter(), letter()];
                letters
                    .into_iter()
                    .take(1 + rng.index(n as usize))
                    .collect()
            };
            let (prefix, cycle) = (letters(3), letters(3));
            // Atoms that are not used are left out, so the others may have new numbers.
            let renumber = |word: &[Letter]| -> Vec<Letter> {
                let number =
                    |name: &String| automaton.atoms.iter().position(|a| a == name).unwrap();
                let holds =
                    |l: &Letter, a: u32| l.contains(number(&again.atoms[a as usize]) as u32);
                let atoms = 0..again.atoms.len() as u32;
                let letter = |l: &Letter| atoms.clone().filter(|&a| holds(l, a)).collect();
                word.iter().map(letter).collect()
            };
            assert_eq!(
                automaton.accepts(&prefix, &cycle),
                again.accepts(&renumber(&prefix), &renumber(&cycle)),
            );
        }
    }
}

fn accepts(automaton: &Automaton, prefix: &[&[u8]], cycle: &[&[u8]]) -> bool {
    let letter = |l: &&[u8]| {
        (0..l.len() as u32)
            .filter(|&a| l[a as usize] == 1)
            .collect()
    };
    let word = |letters: &[&[u8]]| -> Vec<Letter> { letters.iter().map(letter).collect() };
    automaton.accepts(&word(prefix), &word(cycle))
}

#[test]
fn states_edges_aliases_and_several_starts() {
    let text = r#"
HOA: v1 /* a comment /* in a comment */ */
name: "two ways"
States: 3
Start: 0
Start: 2
AP: 2 "a" "b"
Alias: @both 0&1
Alias: @none !(0 | 1)
acc-name: Buchi
Acceptance: 2 (Inf(1))
properties: state-acc
--BODY--
State: 0 "first" {1}
[@both] 0
State: [@none | !0 & 1] 2
1
State: 1 {0 1}
[t] 1
--END--
"#;
    let automaton = hoa::parse(text).unwrap();
    assert_eq!(automaton.sets, 1);
    assert!(automaton.is_state_based());
    assert!(accepts(&automaton, &[], &[&[1, 1]]));
    assert!(!accepts(&automaton, &[], &[&[1, 0]]));
    assert!(accepts(&automaton, &[&[0, 1]], &[&[1, 0]]));
    assert!(accepts(&automaton, &[&[0, 0]], &[&[1, 0]]));
}

#[test]
fn letters_without_labels() {
    let text = "HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- \
                State: 0 0 1 State: 1 {0} 0 1 --END--";
    let automaton = hoa::parse(text).unwrap();
    assert!(automaton.is_deterministic() && automaton.is_complete());
    assert!(accepts(&automaton, &[], &[&[0], &[1]]));
    assert!(!accepts(&automaton, &[&[1]], &[&[0]]));
}

#[test]
fn constant_acceptance() {
    let body = "--BODY-- State: 0 [t] 0 --END--";
    let all = hoa::parse(&format!("HOA: v1 Start: 0 Acceptance: 0 t {body}")).unwrap();
    assert!(accepts(&all, &[], &[&[]]));
    let none = hoa::parse(&format!("HOA: v1 Start: 0 Acceptance: 0 f {body}")).unwrap();
    assert!(!accepts(&none, &[], &[&[]]));
}

#[test]
fn what_is_not_supported_is_refused() {
    let cases = [
        ("Acceptance: 1 Fin(0)", "", "Büchi"),
        ("Acceptance: 2 Inf(0)|Inf(1)", "", "Büchi"),
        ("Acceptance: 1 Inf(!0)", "", "Büchi"),
        ("Acceptance: 1 Inf(1)", "", "no acceptance set 1"),
        ("Acceptance: 0 t Magic: 1", "", "Magic"),
        ("Acceptance: 0 t Start: 0&1", "", "alternation"),
        ("Acceptance: 0 t", "State: 0 [0] 0", "no atomic proposition"),
        ("Acceptance: 0 t", "State: 0 [t] 1", "not defined"),
        ("Acceptance: 0 t", "State: 0 State: 0", "second state"),
        ("Acceptance: 0 t", "State: 0 [t] 0&0", "alternation"),
        ("Acceptance: 0 t", "State: 0 [(t] 0", "`)`"),
        ("Acceptance: 0 t", "State: 0 [@x] 0", "alias"),
        ("", "", "no acceptance"),
        ("States: 99999999999 Acceptance: 0 t", "", "more than"),
        ("Acceptance: 0 t", "State: 0 [t] 99999999", "beyond"),
        ("Acceptance: 0 t", "--ABORT--", "aborted"),
    ];
    for (header, body, expected) in cases {
        let text = format!("HOA: v1\n{header}\n--BODY--\n{body}\n--END--");
        let error = hoa::parse(&text).unwrap_err();
        assert!(error.message.contains(expected), "{text}: {error}");
    }
    let error = hoa::parse("HOA: v1\n  Fin: 0").unwrap_err();
    assert_eq!((error.line, error.column, error.offset), (2, 3, 10));
}

/// Texts that were damaged in all kinds of ways.
#[test]
fn garbage_is_survived() {
    let seed = 1;
    println!("seed {seed}");
    let texts: Vec<String> = automata().iter().map(|a| hoa::print(a, None)).collect();
    for round in 0..3_000 {
        let mut rng = stream(seed, "garbage", round);
        let mut bytes = texts[rng.index(texts.len())].clone().into_bytes();
        for _ in 0..1 + rng.below(5) {
            let at = rng.index(bytes.len());
            match rng.below(4) {
                0 => bytes[at] = rng.below(128) as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b"[](){}!&|@\"0179 :/*-"[rng.index(20)]),
            }
        }
        if let Ok(text) = String::from_utf8(bytes)
            && let Ok(automaton) = hoa::parse(&text)
        {
            let _ = automaton.strength();
            let _ = hoa::print(&automaton, None);
            let _ = never::print(&automaton, None);
        }
    }
    for character in ["(", "!", "[", "{", "/*", "@", "\"", "&"] {
        let text = format!(
            "HOA: v1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [{}",
            character.repeat(200_000)
        );
        assert!(hoa::parse(&text).is_err());
    }
}

#[test]
fn never_claims_name_their_states() {
    let mut formulas = Formulas::new();
    let f = parse(&mut formulas, "!([](p -> <>q))").unwrap();
    let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
    let text = never::print(&automaton, Some("![](p -> <>q)"));
    assert!(
        text.starts_with("never { /* ![](p -> <>q) */\nT0_init:\n  if\n"),
        "{text}"
    );
    assert!(text.contains("goto accept_S"), "{text}");
    let f = parse(&mut formulas, "<>(x > 1)").unwrap();
    let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
    let text = never::print(&automaton, None);
    assert!(text.contains(":: ((x > 1)) -> goto accept_all"), "{text}");
    assert!(text.ends_with("accept_all:\n  skip\n}\n"), "{text}");
}
