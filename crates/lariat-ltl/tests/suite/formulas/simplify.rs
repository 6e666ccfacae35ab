//! Rewriting keeps the models of a formula.

use lariat_ltl::lasso::{Letter, Word, holds};
use lariat_ltl::random::{Operators, formula as random_formula, word as random_word};
use lariat_ltl::simplify::{for_spin, nnf, simplify};
use lariat_ltl::{Formula, Formulas, Node, parse, print};
use lariat_stats::stream;

/// A reading of a formula that shows when another one has other models.
fn assert_same_models(
    formulas: &Formulas,
    f: Formula,
    g: Formula,
    words: u32,
    below: &mut impl FnMut(u32) -> u32,
    what: &str,
) {
    for _ in 0..words {
        let word = random_word(3, 4, below);
        assert_eq!(
            holds(formulas, f, &word),
            holds(formulas, g, &word),
            "{what}: {} became {} and differs on {word:?}",
            print::spin(formulas, f),
            print::spin(formulas, g),
        );
    }
}

/// All words over the atoms 0 and 1 with at most two letters before a cycle of one or two.
fn small_words() -> Vec<Word> {
    let letters: Vec<Letter> = (0..4u32)
        .map(|bits| (0..2).filter(|atom| bits >> atom & 1 == 1).collect())
        .collect();
    let mut sequences: Vec<Vec<Letter>> = vec![Vec::new()];
    for a in &letters {
        sequences.push(vec![a.clone()]);
        for b in &letters {
            sequences.push(vec![a.clone(), b.clone()]);
        }
    }
    let mut words = Vec::new();
    for prefix in &sequences {
        for cycle in sequences.iter().filter(|c| !c.is_empty()) {
            words.push(Word {
                prefix: prefix.clone(),
                cycle: cycle.clone(),
            });
        }
    }
    words
}

#[test]
fn simplified_formulas_have_the_same_models() {
    let seed = 0x5eed_0003;
    println!("seed {seed}");
    let words = small_words();
    let (mut before, mut after) = (0, 0);
    for i in 0..20_000 {
        let mut rng = stream(seed, "simplify", i);
        let mut below = |n: u32| rng.below(u64::from(n)) as u32;
        let mut formulas = Formulas::new();
        for p in ["p0", "p1", "p2"] {
            formulas.atom(p);
        }
        let size = 2 + below(16);
        let atoms = 1 + below(3);
        let f = random_formula(&mut formulas, size, atoms, Operators::All, &mut below);
        let g = nnf(&mut formulas, f);
        assert_same_models(&formulas, f, g, 5, &mut below, "nnf");
        let core = for_spin(&mut formulas, f);
        assert_same_models(&formulas, f, core, 5, &mut below, "for_spin");
        let h = simplify(&mut formulas, f);
        assert_same_models(&formulas, f, h, 20, &mut below, "simplify");
        if i % 20 == 0 {
            assert_same_on(&formulas, f, h, &words);
        }
        let text = print::spin(&formulas, f);
        assert_eq!(simplify(&mut formulas, h), h, "{text}");
        let sizes = [g, h].map(|f| formulas.subformulas(f).len());
        assert!(sizes[1] <= 3 * sizes[0] + 10, "{text}");
        before += formulas.size(g);
        after += formulas.size(h);
    }
    println!("size {before} before, {after} after");
    assert!(after * 10 < before * 6);
}

fn assert_same_on(formulas: &Formulas, f: Formula, g: Formula, words: &[Word]) {
    for word in words {
        assert_eq!(
            holds(formulas, f, word),
            holds(formulas, g, word),
            "{} became {} and differs on {word:?}",
            print::spin(formulas, f),
            print::spin(formulas, g),
        );
    }
}

#[test]
fn every_rule_applies() {
    let table = [
        // The laws of each operator.
        ("X X true || F false || G false", "true"),
        ("F F a", "<>a"),
        ("0 U a", "a"),
        ("a U 0", "false"),
        ("1 U a", "<>a"),
        ("a W 0", "[]a"),
        ("1 W a", "true"),
        ("a U a", "a"),
        ("0 R a", "[]a"),
        ("1 R a", "a"),
        ("a M 1", "<>a"),
        ("0 M a", "false"),
        ("F X a", "X<>a"),
        ("G X a", "X[]a"),
        ("F(a U b)", "<>b"),
        ("G(a R b)", "[]b"),
        ("F(a M b)", "<>(a && b)"),
        ("G(a W b)", "[](a || b)"),
        ("F(a W b)", "<>b || <>[]a"),
        ("F(a R b)", "<>(a && b) || <>[]b"),
        ("G(a U b)", "[](a || b) && []<>b"),
        ("(X a) U (X b)", "X(a U b)"),
        ("(X a) U b", "b || X(b M a)"),
        ("(X a) W b", "b || X(b V a)"),
        ("(X a) R b", "b && X(b W a)"),
        ("a U (b || G a)", "a W b"),
        ("a W (b || G a)", "a W b"),
        ("a U G a", "[]a"),
        ("a R (b && F a)", "a M b"),
        ("a U (a && b)", "b M a"),
        ("a W (a && b)", "b V a"),
        ("a R (a || b)", "b W a"),
        // Eventual and universal formulas.
        ("X G F a", "[]<>a"),
        ("X(b && F G a)", "<>[]a && Xb"),
        ("a U F b", "<>b"),
        ("a R G b", "[]b"),
        ("a W F b", "<>b || []a"),
        ("G a W b", "b || []a"),
        ("F a M b", "b && <>a"),
        ("a M G b", "<>a && []b"),
        ("a U (b || F c)", "<>c || (a U b)"),
        ("a R (b && G c)", "[]c && (a V b)"),
        ("a U (b && G F c)", "[]<>c && (a U b)"),
        ("F(a && G F b)", "<>a && []<>b"),
        ("G(a || G F b)", "[]a || []<>b"),
        ("F(a || F b || G c)", "<>(a || b) || <>[]c"),
        ("F G(a || F b || G c)", "<>[]a || <>[]c || []<>b"),
        ("G F(a && F b && G c)", "<>[]c && []<>a && []<>b"),
        // Joined parts.
        ("G F a || G F b", "[]<>(a || b)"),
        ("F G a && F G b", "<>[](a && b)"),
        ("G a && G b", "[](a && b)"),
        ("F a || F b", "<>(a || b)"),
        ("X a && X b", "X(a && b)"),
        ("(a U b) || (a U c)", "a U (b || c)"),
        ("(a U b) || (a W c)", "a W (b || c)"),
        ("(a U c) && (b U c)", "(a && b) U c"),
        ("(a R b) && (a R c)", "a V (b && c)"),
        ("(a M b) || (c R b)", "(a || c) V b"),
        ("G a || (a U b)", "a W b"),
        ("G b || (a M b)", "a V b"),
        ("F b && (a W b)", "a U b"),
        ("a || X F a", "<>a"),
        ("a && X G a", "[]a"),
        ("b || (a && X(a U b))", "a U b"),
        ("b && (a || X(a R b))", "a V b"),
        // Implications.
        ("a && F a", "a"),
        ("G a || X a", "Xa"),
        ("a U b && F b", "a U b"),
        ("G !a && F a", "false"),
        ("(!a R !b) || (a U b)", "true"),
        ("(a && b) U a", "a"),
        ("!a U a", "<>a"),
        ("!a W a", "true"),
        ("(a && b) U (a U c)", "a U c"),
        ("a U ((a && b) U c)", "a U c"),
        ("(a && b) U (a W c)", "a W c"),
        ("a W ((a && b) U c)", "a W c"),
        ("a U (b || ((a && c) U d))", "a U (b || d)"),
        ("(a U b) U (a || c)", "b U (a || c)"),
        ("(a U b) U b", "a U b"),
        ("(a W b) W (b || c)", "c || (a W b)"),
        ("(a || b) U b", "a U b"),
        ("(a || (b && c)) W b", "a W b"),
        ("(a && !b) U b", "a U b"),
        ("a U (b || (c && G b))", "a U b"),
        ("a || (!a && b)", "a || b"),
        ("a && (!a || X b)", "a && Xb"),
        ("(a && b) || (a && !b)", "a"),
        (
            "(a && b) || (!b && a && c) || d",
            "d || (a && b) || (a && c)",
        ),
    ];
    let words = small_words();
    let mut formulas = Formulas::new();
    let atoms = ["a", "b", "c", "d"].map(|name| formulas.atom(name));
    let mut wrong = Vec::new();
    for (text, expected) in table {
        let f = parse(&mut formulas, text).unwrap();
        let g = simplify(&mut formulas, f);
        let found = print::spin(&formulas, g);
        if parse(&mut formulas, expected) != Ok(g) {
            wrong.push(format!("{text}: expected {expected}, found {found}"));
        }
        // All ways to have only two atoms, which the words have.
        for i in 0..16 {
            let map: Vec<Formula> = (0..4).map(|k| atoms[i >> k & 1]).collect();
            let [left, right] = [f, g].map(|h| replace_atoms(&mut formulas, h, &map));
            assert_same_on(&formulas, left, right, &words);
        }
        let not_f = formulas.not(f);
        let not_g = simplify(&mut formulas, not_f);
        assert_same_on(&formulas, not_f, not_g, &words);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The formula with other formulas for the atoms.
pub fn replace_atoms(formulas: &mut Formulas, f: Formula, map: &[Formula]) -> Formula {
    let mut new = std::collections::HashMap::new();
    for g in formulas.subformulas(f) {
        let replaced = match formulas.node(g).clone() {
            Node::Atom(number) => map[number as usize],
            node => {
                let parts: Vec<Formula> = node.parts().iter().map(|p| new[p]).collect();
                formulas.with_parts(g, &parts)
            }
        };
        new.insert(g, replaced);
    }
    new[&f]
}
