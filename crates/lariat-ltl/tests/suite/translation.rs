//! Automata against a direct evaluation of formulas on words that repeat.
//!
//! Each test prints its seed; `LARIAT_SEED` sets another.

use lariat_ltl::automaton::{Letter, product::are_disjoint};
use lariat_ltl::lasso::Word;
use lariat_ltl::random::{Operators, formula, word};
use lariat_ltl::{
    Automaton, Edge, Formula, Formulas, Label, Limits, Node, Strength, TooLarge, buchi,
    degeneralise, minimal_dfa, parse, tgba,
};
use lariat_stats::{Rng, stream};
use lariat_testkit::seed;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

fn random_word(rng: &mut Rng, atoms: u32) -> Word {
    word(atoms, 4, &mut |n| rng.below(n.into()) as u32)
}

/// Whether a formula holds at each position of a word, by the definition of the operators: the
/// positions are walked as often as needed to come around.
fn evaluate(formulas: &Formulas, f: Formula, word: &Word) -> bool {
    let length = word.prefix.len() + word.cycle.len();
    let next = |at: usize| {
        if at + 1 < length {
            at + 1
        } else {
            word.prefix.len()
        }
    };
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
            Node::Atom(a) => letter(i).contains(*a),
            Node::Not(g) => !at(*g, i),
            Node::And(gs) => gs.iter().all(|&g| at(g, i)),
            Node::Or(gs) => gs.iter().any(|&g| at(g, i)),
            Node::Implies(a, b) => !at(*a, i) || at(*b, i),
            Node::Equiv(a, b) => at(*a, i) == at(*b, i),
            Node::Xor(a, b) => at(*a, i) != at(*b, i),
            Node::Next(g) => at(*g, next(i)),
            Node::Eventually(g) => decide(i, false, &|j| at(*g, j).then_some(true)),
            Node::Always(g) => decide(i, true, &|j| (!at(*g, j)).then_some(false)),
            Node::Until(a, b) | Node::WeakUntil(a, b) => decide(
                i,
                matches!(node, Node::WeakUntil(..)),
                &|j| match (at(*a, j), at(*b, j)) {
                    (_, true) => Some(true),
                    (false, false) => Some(false),
                    (true, false) => None,
                },
            ),
            Node::Release(a, b) | Node::StrongRelease(a, b) => decide(
                i,
                matches!(node, Node::Release(..)),
                &|j| match (at(*a, j), at(*b, j)) {
                    (_, false) => Some(false),
                    (true, true) => Some(true),
                    (false, true) => None,
                },
            ),
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

/// A formula with its arena, in which the atoms p0, p1, ... have the numbers 0, 1, ...
fn arena(rng: &mut Rng, largest: u32) -> (Formulas, Formula, u32) {
    let mut formulas = Formulas::new();
    let mut below = |n: u32| rng.below(n.into()) as u32;
    let atoms = 1 + below(4);
    for a in 0..atoms {
        formulas.atom(&format!("p{a}"));
    }
    let size = 2 + below(largest - 1);
    let f = formula(&mut formulas, size, atoms, Operators::All, &mut below);
    (formulas, f, atoms)
}

/// 100,000 pairs of a formula and a word.
#[test]
fn automata_accept_what_satisfies_the_formula() {
    let seed = seed();
    for round in 0..4_000 {
        let mut rng = stream(seed, "translation", round);
        let (mut formulas, f, atoms) = arena(&mut rng, 16);
        let generalised = tgba(&mut formulas, f, &limits()).unwrap();
        let state_based = buchi(&mut formulas, f, &limits()).unwrap();
        assert!(state_based.is_state_based() && state_based.sets == 1);
        for _ in 0..25 {
            let word = random_word(&mut rng, atoms);
            let expected = evaluate(&formulas, f, &word);
            let show = || format!("round {round}: {:?} {:?}", word.prefix, word.cycle);
            assert_eq!(accepts(&generalised, &word), expected, "tgba, {}", show());
            assert_eq!(accepts(&state_based, &word), expected, "buchi, {}", show());
        }
    }
}

/// No word is accepted for a formula and for its negation, and each for one of them.
#[test]
fn a_formula_and_its_negation_share_no_word() {
    let seed = seed();
    for round in 0..2_000 {
        let mut rng = stream(seed, "negation", round);
        let (mut formulas, f, atoms) = arena(&mut rng, 14);
        let negated = formulas.not(f);
        let automata = [f, negated].map(|f| {
            let generalised = tgba(&mut formulas, f, &limits()).unwrap();
            [generalised, buchi(&mut formulas, f, &limits()).unwrap()]
        });
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            assert!(
                are_disjoint(&automata[0][a], &automata[1][b]),
                "round {round}"
            );
        }
        for _ in 0..100 {
            let word = random_word(&mut rng, atoms);
            for kind in 0..2 {
                let accepted = automata.each_ref().map(|a| accepts(&a[kind], &word));
                assert_ne!(accepted[0], accepted[1], "round {round}");
            }
        }
    }
}

/// Automata with several sets, taken as they come, survive the degeneralisation.
#[test]
fn degeneralisation_keeps_the_language() {
    let seed = seed();
    for round in 0..500 {
        let mut rng = stream(seed, "degeneralise", round);
        let automaton = random_automaton(&mut rng);
        let state_based = degeneralise(&automaton);
        assert!(state_based.is_state_based() && state_based.sets == 1);
        for _ in 0..40 {
            let word = random_word(&mut rng, 2);
            let expected = accepts(&automaton, &word);
            assert_eq!(accepts(&state_based, &word), expected, "round {round}");
        }
    }
}

fn random_automaton(rng: &mut Rng) -> Automaton {
    let mut automaton = Automaton::empty(vec!["a".into(), "b".into()]);
    let count = 1 + rng.below(8);
    automaton.sets = rng.below(5) as u32;
    automaton.states = vec![Vec::new(); count as usize];
    automaton.initial = (0..1 + rng.below(2))
        .map(|_| rng.below(count) as u32)
        .collect();
    for s in 0..count as usize {
        for _ in 0..rng.below(5) {
            let mut label = Label::TRUE;
            for atom in 0..2 {
                if rng.chance(0.5) {
                    let literal = automaton.labels.literal(atom, rng.chance(0.5));
                    label = automaton.labels.and(label, literal);
                }
            }
            let marks = rng.next_u64() & rng.next_u64() & automaton.all_marks();
            automaton.states[s].push(Edge {
                target: rng.below(count) as u32,
                marks,
                label,
            });
        }
    }
    automaton
}

/// The minimal deterministic automaton of an obligation accepts the same, and other formulas have
/// none.
#[test]
fn minimal_automata_are_deterministic() {
    let seed = seed();
    let mut found = 0;
    for round in 0..500 {
        let mut rng = stream(seed, "minimal", round);
        let (mut formulas, f, atoms) = arena(&mut rng, 12);
        let Some(minimal) = minimal_dfa(&mut formulas, f, &limits()).unwrap() else {
            continue;
        };
        found += 1;
        assert!(minimal.is_deterministic() && minimal.is_state_based());
        assert!(minimal.strength() <= Strength::Weak);
        for _ in 0..20 {
            let word = random_word(&mut rng, atoms);
            assert_eq!(
                accepts(&minimal, &word),
                evaluate(&formulas, f, &word),
                "round {round}"
            );
        }
    }
    assert!(found > 200);
    for text in ["[]<>p", "<>[]p", "[](p -> <>q)"] {
        let mut formulas = Formulas::new();
        let f = parse(&mut formulas, text).unwrap();
        assert!(minimal_dfa(&mut formulas, f, &limits()).unwrap().is_none());
    }
}

/// The sizes and strengths of automata that are known to be the smallest.
#[test]
fn well_known_sizes() {
    let cases = [
        ("true", 1, Strength::Terminal),
        ("false", 1, Strength::Empty),
        ("p", 2, Strength::Terminal),
        ("[]p", 1, Strength::Weak),
        ("<>p", 2, Strength::Terminal),
        ("[]<>p", 2, Strength::Strong),
        ("<>[]p", 2, Strength::Weak),
        ("p U q", 2, Strength::Terminal),
        ("[](p -> <>q)", 2, Strength::Strong),
        ("!([](p -> <>q))", 2, Strength::Weak),
        ("[]<>p && []<>q", 3, Strength::Strong),
        ("[]<>p || []<>q", 2, Strength::Strong),
        ("<>p && <>q && <>r", 8, Strength::Terminal),
        ("(p U q) U r", 4, Strength::Terminal),
    ];
    for (text, states, strength) in cases {
        let mut formulas = Formulas::new();
        let f = parse(&mut formulas, text).unwrap();
        let automaton = buchi(&mut formulas, f, &limits()).unwrap();
        assert!(
            automaton.states.len() <= states,
            "{text}: {}",
            automaton.states.len()
        );
        assert_eq!(automaton.strength(), strength, "{text}");
    }
}

/// Conjunctions and disjunctions over many atoms: letters must not be enumerated.
#[test]
fn many_atoms_are_no_problem() {
    let seed = seed();
    for round in 0..10 {
        let mut rng = stream(seed, "many atoms", round);
        let mut formulas = Formulas::new();
        let f = wide_formula(&mut formulas, &mut rng);
        let begin = Instant::now();
        let automaton = buchi(&mut formulas, f, &limits()).unwrap();
        println!("{} states, {:?}", automaton.states.len(), begin.elapsed());
        assert!(begin.elapsed() < Duration::from_secs(20), "round {round}");
    }
}

/// The negation of a long specification: its parts are translated one by one.
#[test]
fn long_disjunctions_are_no_problem() {
    let mut formulas = Formulas::new();
    let text: Vec<String> = (0..50).map(|k| format!("[](p{k} -> <>q{k})")).collect();
    let f = parse(&mut formulas, &format!("!({})", text.join(" && "))).unwrap();
    let automaton = buchi(&mut formulas, f, &limits()).unwrap();
    assert!(automaton.states.len() <= 51, "{}", automaton.states.len());
    // The request with number 7 has no answer.
    let asked: Letter = (0..100)
        .filter(|k| formulas.atoms()[*k as usize] == "p7")
        .collect();
    let quiet = Letter::new();
    assert!(automaton.accepts(&[asked], std::slice::from_ref(&quiet)));
    assert!(!automaton.accepts(&[], &[quiet]));
}

/// `G(many -> F many) && (G many || F many && ...)` over 20 atoms.
fn wide_formula(formulas: &mut Formulas, rng: &mut Rng) -> Formula {
    let mut clause = |formulas: &mut Formulas, all: bool| {
        let literals: Vec<Formula> = (0..3 + rng.below(5))
            .map(|_| {
                let atom = formulas.atom(&format!("p{}", rng.below(20)));
                if rng.chance(0.4) {
                    formulas.not(atom)
                } else {
                    atom
                }
            })
            .collect();
        if all {
            formulas.and(literals)
        } else {
            formulas.or(literals)
        }
    };
    let mut parts = Vec::new();
    for _ in 0..2 {
        let (request, answer) = (clause(formulas, true), clause(formulas, false));
        let later = formulas.eventually(answer);
        let responds = formulas.implies(request, later);
        parts.push(formulas.always(responds));
    }
    let (safe, goal) = (clause(formulas, false), clause(formulas, true));
    let safe = formulas.always(safe);
    let goal = formulas.eventually(goal);
    parts.push(formulas.or([safe, goal]));
    formulas.and(parts)
}

/// A translation ends when it is told to.
#[test]
fn limits_are_kept() {
    let mut formulas = Formulas::new();
    let text: Vec<String> = (0..6).map(|k| format!("<>(p{k} && X <> q{k})")).collect();
    let f = parse(&mut formulas, &text.join(" && ")).unwrap();
    let few = Limits {
        states: 100,
        ..limits()
    };
    assert_eq!(
        buchi(&mut formulas, f, &few).unwrap_err(),
        TooLarge::Edges(1000)
    );
    let chain = parse(&mut formulas, &format!("{}p", "X ".repeat(200))).unwrap();
    assert_eq!(
        buchi(&mut formulas, chain, &few).unwrap_err(),
        TooLarge::States(100)
    );
    let past = Limits {
        deadline: Some(Instant::now()),
        ..limits()
    };
    assert_eq!(buchi(&mut formulas, f, &past).unwrap_err(), TooLarge::Time);
    let stopped = limits();
    stopped.stop.store(true, Ordering::Relaxed);
    assert_eq!(
        buchi(&mut formulas, f, &stopped).unwrap_err(),
        TooLarge::Stopped
    );
    let small = Limits {
        decisions: 100,
        ..limits()
    };
    assert_eq!(
        tgba(&mut formulas, f, &small).unwrap_err(),
        TooLarge::Decisions(100)
    );
}

/// A choice among persistent formulas in each of two conditions: its automaton has one state for each
/// pair of choices, and the complement two parts.
#[test]
fn choices_of_persistent_formulas_stay_small() {
    let all = |name: &str| {
        let parts: Vec<String> = (0..8).map(|i| format!("[]{name}{i}")).collect();
        parts.join(" || ")
    };
    let text = format!("<>(({}) && ({}))", all("a"), all("b"));
    let started = Instant::now();
    let mut formulas = Formulas::new();
    let f = parse(&mut formulas, &text).unwrap();
    let violations = buchi(&mut formulas, f, &Limits::default()).unwrap();
    assert!(violations.states.len() <= 70, "{}", violations.states.len());
    let not = formulas.not(f);
    let property = buchi(&mut formulas, not, &Limits::default()).unwrap();
    assert!(property.states.len() <= 30, "{}", property.states.len());
    let general = tgba(&mut formulas, not, &Limits::default()).unwrap();
    assert!(general.states.len() <= 3, "{}", general.states.len());
    assert!(are_disjoint(&violations, &general));
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// A negated comparison has parentheses.
#[test]
fn graphs_have_labels_that_can_be_read() {
    let mut formulas = Formulas::new();
    let f = parse(&mut formulas, "[](p && !(x > 3))").unwrap();
    let automaton = buchi(&mut formulas, f, &Limits::default()).unwrap();
    let text = lariat_ltl::automaton::dot::print(&automaton);
    assert!(text.contains("p && !(x > 3)"), "{text}");
}
