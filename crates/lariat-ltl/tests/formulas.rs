//! Formulas: text, meaning, rewriting and classes.

use lariat_ltl::classify::{Class, class, classes, is_next_free, stutter_free_form};
use lariat_ltl::lasso::{Letter, Word, holds, values};
use lariat_ltl::parse::{MAX_NODES, Parsed};
use lariat_ltl::random::{Operators, formula as random_formula, word as random_word};
use lariat_ltl::simplify::{for_spin, nnf, simplify};
use lariat_ltl::{Formula, Formulas, Node, parse, parse_with_atoms, print};
use lariat_stats::stream;

/// A formula with all parentheses and the names of the nodes.
fn shape(formulas: &Formulas, f: Formula) -> String {
    let node = formulas.node(f);
    let mut parts: Vec<String> = node.parts().iter().map(|&p| shape(formulas, p)).collect();
    if matches!(node, Node::And(_) | Node::Or(_)) {
        parts.sort();
    }
    let sign = match node {
        Node::True => return "true".to_string(),
        Node::False => return "false".to_string(),
        Node::Atom(number) => return format!("{{{}}}", formulas.atoms()[*number as usize]),
        Node::Not(_) => "!",
        Node::Next(_) => "X",
        Node::Eventually(_) => "F",
        Node::Always(_) => "G",
        Node::And(_) => "&",
        Node::Or(_) => "|",
        Node::Implies(..) => "->",
        Node::Equiv(..) => "<->",
        Node::Xor(..) => "^",
        Node::Until(..) => "U",
        Node::Release(..) => "R",
        Node::WeakUntil(..) => "W",
        Node::StrongRelease(..) => "M",
    };
    match &parts[..] {
        [a] => format!("{sign}{a}"),
        _ => format!("({})", parts.join(&format!(" {sign} "))),
    }
}

fn read(text: &str) -> String {
    let mut formulas = Formulas::new();
    match parse(&mut formulas, text) {
        Ok(f) => shape(&formulas, f),
        Err(error) => panic!("{}", error.render(text)),
    }
}

fn full(formulas: &mut Formulas, text: &str) -> Parsed {
    parse_with_atoms(formulas, text).unwrap_or_else(|error| panic!("{}", error.render(text)))
}

/// The text under the carets, the message and the help.
fn refused(text: &str) -> (String, String, String) {
    let mut formulas = Formulas::new();
    let error = match parse(&mut formulas, text) {
        Ok(f) => panic!("{text} was read as {}", shape(&formulas, f)),
        Err(error) => error,
    };
    assert!(error.render(text).contains('^'));
    let marked = text[error.span].to_string();
    (marked, error.message, error.help.unwrap_or_default())
}

#[test]
fn precedences_agree_with_ltl_blocks() {
    assert_eq!(read("[] p -> <> q"), "(G{p} -> F{q})");
    assert_eq!(read("[] (p -> <> q)"), "G({p} -> F{q})");
    assert_eq!(read("a -> b -> c"), "(({a} -> {b}) -> {c})");
    assert_eq!(read("a <-> b -> c"), "(({a} <-> {b}) -> {c})");
    assert_eq!(read("a U b U c"), "(({a} U {b}) U {c})");
    assert_eq!(read("a && b U c || d"), "((({b} U {c}) & {a}) | {d})");
    assert_eq!(read("x == 1 U !y"), "({x == 1} U !{y})");
    assert_eq!(read("[] x == 1"), "G{x == 1}");
    assert_eq!(read("! [] x == 1"), "!G{x == 1}");
    assert_eq!(read("[]<>p <-> !q"), "(GF{p} <-> !{q})");
    assert_eq!(read("always p implies eventually q"), "(G{p} -> F{q})");
    assert_eq!(read("p W q V r"), "(({p} W {q}) R {r})");
    assert_eq!(read("X X p && next q"), "(XX{p} & X{q})");
    assert_eq!(
        read("[] (P[1]@done && P:x > P[0]:y[2])"),
        "G({P:x > P[0]:y[2]} & {P[1]@done})"
    );
    assert_eq!(read("(a -> b : c) == 2"), "{(a -> b : c) == 2}");
    assert_eq!(read("len(q) < a[i]\n"), "{len(q) < a[i]}");
    assert_eq!(read("a xor b || c"), "({a} ^ ({b} | {c}))");
    assert_eq!(read("a || b xor c -> d"), "((({a} | {b}) ^ {c}) -> {d})");
    assert_eq!(read("a M b R c"), "(({a} M {b}) R {c})");
    assert_eq!(read("a stronguntil b weakuntil c"), "(({a} U {b}) W {c})");
    assert_eq!(read("a U []b U c"), "(({a} U G{b}) U {c})");
    assert_eq!(read("![]a && b"), "(!G{a} & {b})");
    assert_eq!(
        read("a && b && (c && d) && e"),
        "({a} & {b} & {c} & {d} & {e})"
    );
}

#[test]
fn both_syntaxes_and_other_spellings() {
    let same = [
        "G(p -> F q)",
        "[](p -> <>q)",
        "[ ] (p => < > q)",
        "always (p implies eventually q)",
        "G(p --> (F(q)))",
        "□(p → ◇q)",
        "  [](p/* what is asked */->\n\t<>q)  ",
        "Gp&&0 || G(p->Fq)",
    ];
    for text in same {
        assert_eq!(read(text), "G({p} -> F{q})", "{text}");
    }
    assert_eq!(read("GFa & FGb | XXXp12"), "((FG{b} & GF{a}) | XXX{p12})");
    assert_eq!(read("!p1 <-> Xp1"), "(!{p1} <-> X{p1})");
    assert_eq!(read("a <=> b <--> c"), "(({a} <-> {b}) <-> {c})");
    assert_eq!(read("~a ^ b"), "(!{a} ^ {b})");
    assert_eq!(read("¬a ∧ b ∨ c ⊕ ⊥"), "(((!{a} & {b}) | {c}) ^ false)");
    assert_eq!(read("not a /\\ b \\/ 1"), "true");
    assert_eq!(read("tt U ff"), "(true U false)");
    assert_eq!(read("1 U true"), "(true U true)");
    assert_eq!(read("!!a"), "{a}");
    assert_eq!(read("((((a))))"), "{a}");
    assert_eq!(
        read("Foo && Granted[1] && Xyz == 2"),
        "({Foo} & {Granted[1]} & {Xyz == 2})"
    );
}

#[test]
fn atoms_are_the_longest_expressions() {
    assert_eq!(read("(a + b) * 2 == c U d"), "({(a + b) * 2 == c} U {d})");
    assert_eq!(read("a[i] & 6"), "{a[i] & 6}");
    assert_eq!(read("a+1|b"), "{a + 1 | b}");
    assert_eq!(read("b | a+1"), "{b | a + 1}");
    assert_eq!(read("x == 3 | y[2] + 1 W a"), "({x == 3 | y[2] + 1} W {a})");
    assert_eq!(read("x | y + 1 == 3"), "({x} | {y + 1 == 3})");
    assert_eq!(read("x | -y"), "{x | -y}");
    assert_eq!(read("(a & b) == c && d"), "({(a & b) == c} & {d})");
    assert_eq!(read("(a && b) == !c"), "{(a && b) == !c}");
    assert_eq!(read("(a & 1) != 0 U b"), "({(a & 1) != 0} U {b})");
    assert_eq!(read("a & b"), "({a} & {b})");
    assert_eq!(read("a & b U c"), "(({b} U {c}) & {a})");
    assert_eq!(read("x == 3 & y U z"), "(({y} U {z}) & {x == 3})");
    assert_eq!(read("x == 1 & y U z"), "(({y} U {z}) & {x == 1})");
    assert_eq!(read("!x == 1"), "{!x == 1}");
    assert_eq!(read("~x == 1"), "{~x == 1}");
    assert_eq!(read("!(x == 1)"), "!{x == 1}");
    assert_eq!(read("-x*-1<~2"), "{-x * -1 < ~2}");
    assert_eq!(read("x<-1"), "{x < -1}");
    assert_eq!(read("x<->y"), "({x} <-> {y})");
    assert_eq!(
        read("q?[m,eval(x),3] && !p.c[2]??[ack]"),
        "(!{p.c[2]??[ack]} & {q?[m, eval(x), 3]})"
    );
    assert_eq!(
        read("nempty(q) -> enabled(1)"),
        "({nempty(q)} -> {enabled(1)})"
    );
    assert_eq!(read("a.b[i+1].c >> 2 << x"), "{a.b[i + 1].c >> 2 << x}");
    assert_eq!(read("P[i]:v.f[2] == P@L"), "{P[i]:v.f[2] == P@L}");
    assert_eq!(
        read("x == 'a' || x == '\\n'"),
        "({x == '\\n'} | {x == 'a'})"
    );
    assert_eq!(
        read("(x > y -> x : y) > 3 -> z"),
        "({(x > y -> x : y) > 3} -> {z})"
    );
    assert_eq!(read("x == 0x1F"), "{x == 0x1F}");
    assert_eq!(read("5"), "{5}");
    assert_eq!(
        read("np_ && timeout && _pid"),
        "({_pid} & {np_} & {timeout})"
    );
    // The name does not depend on the spaces or on quotes.
    assert_eq!(
        read("x==1 && (x  == /* one */ 1) && \"x == 1\""),
        "{x == 1}"
    );
    assert_eq!(read("\"G\" U \"a && b\""), "({G} U {a && b})");
    assert_eq!(read("\"say \\\"\\\\\\\"\""), "{say \"\\\"}");
}

#[test]
fn atoms_have_places() {
    let mut formulas = Formulas::new();
    let text = "[] (x>1 -> <> \"y  == 2\") && (x > 1 U (a & b) == 3)";
    let parsed = full(&mut formulas, text);
    let atoms: Vec<(&str, &str, &str)> = parsed
        .atoms
        .iter()
        .map(|a| (a.name.as_str(), a.text.as_str(), &text[a.span.clone()]))
        .collect();
    assert_eq!(
        atoms,
        [
            ("x > 1", "x>1", "x>1"),
            ("y == 2", "y  == 2", "\"y  == 2\""),
            ("(a & b) == 3", "(a & b) == 3", "(a & b) == 3"),
        ]
    );
    // `a` and `b` are part of an atom, not atoms.
    assert_eq!(formulas.atoms().len(), 3);
    assert!(parsed.warnings.is_empty());
    let parsed = full(&mut formulas, "G Fready && Fork[1]@x");
    assert_eq!(parsed.warnings.len(), 1);
    assert!(parsed.warnings[0].message.contains("write `F ready`"));
}

#[test]
fn messages() {
    let table = [
        ("", "", "expected a formula, found the end", "for example"),
        ("a &&", "", "expected a formula, found the end", ""),
        (
            "a && && b",
            "&&",
            "expected a formula, found `&&`",
            "both sides",
        ),
        (
            "[] (p = 1)",
            "=",
            "expected an operator or `)`, found `=`",
            "write `==`",
        ),
        (
            "a AND b",
            "AND",
            "expected an operator, found `AND`",
            "write `&&`",
        ),
        (
            "a or b",
            "or",
            "expected an operator, found `or`",
            "write `||`",
        ),
        ("NOT a", "a", "expected an operator, found `a`", "write `!`"),
        ("NOT(a)", "NOT", "not a function", "write `!`"),
        (
            "(a && (b)",
            "(",
            "not closed: expected `)`, found the end",
            "",
        ),
        ("a)", ")", "closes no parenthesis", "remove"),
        ("()", ")", "expected a formula, found `)`", ""),
        (
            "a b",
            "b",
            "expected an operator, found `b`",
            "put an operator",
        ),
        (
            "a - > b",
            ">",
            "expected a formula, found `>`",
            "`->` without a space",
        ),
        (
            "a < -> b",
            "->",
            "expected a formula, found `->`",
            "`<->` without",
        ),
        ("a <> b", "<>", "expected an operator, found `<>`", "`!=`"),
        ("a [] b", "[]", "expected an operator, found `[]`", "index"),
        ("U > 2", "U", "expected a formula, found `U`", "\"U\""),
        ("X == 1", "==", "expected a formula, found `==`", "quotes"),
        ("a u b", "u", "expected an operator, found `u`", "`U`"),
        ("g a", "a", "expected an operator, found `a`", "capital"),
        ("foo(a)", "foo", "`foo` is not a function", "`len`"),
        ("q?m", "m", "expected `[`, found `m`", "`q?[m]`"),
        ("q!m", "!", "expected an operator, found `!`", "send"),
        (
            "[] a == [] b",
            "[] b",
            "a temporal formula has no value",
            "`<->`",
        ),
        (
            "(a U b) + 1",
            "(a U b)",
            "a temporal formula has no value",
            "",
        ),
        (
            "-(a -> b)",
            "(a -> b)",
            "cannot be part of an expression",
            "",
        ),
        ("flags & 1", "&", "bits or for truth values", "(a & 1) != 0"),
        ("P : x", ":", "expected an operator, found `:`", "no space"),
        ("a[i", "[", "not closed", ""),
        (
            "a[i)",
            "[",
            "this `[` is not closed: expected `]`, found `)`",
            "",
        ),
        ("len()", ")", "expected an expression, found `)`", ""),
        ("a[<>b]", "<>", "cannot be used inside an atom", ""),
        ("a[b U c]", "U", "cannot be used inside an atom", ""),
        ("a.3", "3", "expected the name of a field, found `3`", ""),
        ("P@1", "1", "expected the name of a label, found `1`", ""),
        ("2x", "2x", "neither a number nor a name", "\"2x\""),
        ("\"abc", "\"", "does not end", ""),
        ("\"\"", "\"\"", "empty quotes", ""),
        ("a /* b", "/*", "does not end", "`*/`"),
        ("{a}", "{", "cannot contain `{`", "parentheses"),
        ("x ≠ 1", "≠", "cannot contain `≠`", "`!=`"),
        ("größe", "ö", "cannot contain `ö`", "quotes"),
        ("[] a;", ";", "cannot contain `;`", "leave it out"),
        ("'ab'", "'", "one character", "double quotes"),
        ("(a => b : c) == 1", "=>", "expected `->`, found `=>`", ""),
    ];
    for (text, marked, message, help) in table {
        let error = refused(text);
        assert_eq!(marked, error.0, "{text}: {error:?}");
        assert!(error.1.contains(message), "{text}: {error:?}");
        assert!(error.2.contains(help), "{text}: {error:?}");
    }
    let mut formulas = Formulas::new();
    let long = format!("{}(a\n&& b", "x && ".repeat(1000));
    let error = parse(&mut formulas, &long).unwrap_err();
    let shown = error.render(&long);
    assert!(
        shown.lines().all(|line| line.chars().count() < 200),
        "{shown}"
    );
    assert!(shown.contains("| ...") && shown.contains("(a\n"), "{shown}");
}

#[test]
fn large_formulas() {
    let mut formulas = Formulas::new();
    let n = 150_000;
    let deep = format!("{}p{}", "!(X(".repeat(n / 2), "))".repeat(n / 2));
    let f = parse(&mut formulas, &deep).unwrap();
    assert_eq!(formulas.size(f), n as u64 + 1);
    let wide = ["(a U b)"; 10].join(" && ") + &" && c U d".repeat(1000);
    assert!(parse(&mut formulas, &wide).is_ok());
    let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
    for sign in [" && ", " || ", " U ", " -> "] {
        let f = parse(&mut formulas, &names.join(sign)).unwrap();
        assert_eq!(formulas.size(f), 2 * n as u64 - 1);
        assert_eq!(formulas.atoms_of(f).len(), n);
        let text = print::spin(&formulas, f);
        assert_eq!(parse(&mut formulas, &text).unwrap(), f);
    }
    // A conjunction that grows by one at each level must not be copied at each level.
    let text = format!(
        "{}a{}",
        "(false || (b && ".repeat(100_000),
        "))".repeat(100_000)
    );
    assert!(parse(&mut formulas, &text).is_ok());
    let text = format!("{}a{}", "!!(b && ".repeat(100_000), ")".repeat(100_000));
    assert!(parse(&mut formulas, &text).is_ok());
    let long = "X ".repeat(MAX_NODES) + "a";
    let error = parse(&mut formulas, &long).unwrap_err();
    assert!(error.message.contains("more than 1000000"), "{error}");
    let text = format!("{}a", "(".repeat(1_000_000));
    assert!(parse(&mut formulas, &text).is_err());
    let text = format!("a{}b{}", "[a".repeat(1_000_000), "]".repeat(1_000_000));
    assert!(parse(&mut formulas, &text).is_ok());
}

#[test]
fn printed_formulas_are_read_back() {
    let seed = 0x5eed_0001;
    println!("seed {seed}");
    let names = [
        "p0",
        "x > 1",
        "G",
        "Xa",
        "say \"\\n\"",
        "1",
        "2",
        "x + 1",
        "-x",
        "P[1]@cs",
        "a && b",
        "(c -> a : b)",
        "!x == 1",
        "Fork",
        "xor",
    ];
    for i in 0..20_000 {
        let mut formulas = Formulas::new();
        for name in names {
            formulas.atom(name);
        }
        let mut rng = stream(seed, "print", i);
        let mut below = |n: u32| rng.below(u64::from(n)) as u32;
        let size = 1 + below(25);
        let f = random_formula(&mut formulas, size, 3, Operators::All, &mut below);
        // Other names for the atoms.
        let numbers: Vec<u32> = (0..3).map(|_| below(names.len() as u32)).collect();
        let f = rename(&mut formulas, f, &numbers);
        for text in [print::spin(&formulas, f), print::spot(&formulas, f)] {
            let again = parse(&mut formulas, &text);
            assert_eq!(again, Ok(f), "{text} number {i}");
        }
    }
}

/// The formula with the atoms named `p0`, `p1`, ... replaced by those with the numbers given.
fn rename(formulas: &mut Formulas, f: Formula, numbers: &[u32]) -> Formula {
    let mut map: Vec<Formula> = Vec::new();
    for number in 0..formulas.atoms().len() as u32 {
        map.push(formulas.atom_number(number));
    }
    for (i, &number) in numbers.iter().enumerate() {
        let name = format!("p{i}");
        if let Some(from) = formulas.atoms().iter().position(|a| *a == name) {
            map[from] = formulas.atom_number(number);
        }
    }
    replace_atoms(formulas, f, &map)
}

#[test]
fn names_are_stable() {
    let mut formulas = Formulas::new();
    for text in [
        "a+b*c==-1",
        "q??[ m , 1 ]",
        "( a->b : c )>0",
        "a[ b [ 1 ] ] . c",
        "! x==1",
        "P:x",
    ] {
        let f = parse(&mut formulas, text).unwrap();
        let once = print::spin(&formulas, f);
        assert_eq!(parse(&mut formulas, &once), Ok(f), "{text} {once}");
    }
    let f = parse(&mut formulas, "<> (-x < 1) && !(y == 2) && X q?[m]").unwrap();
    assert_eq!(
        print::spin(&formulas, f),
        "<>(-x < 1) && !(y == 2) && X q?[m]"
    );
    assert_eq!(
        print::spot(&formulas, f),
        "F \"-x < 1\" & !\"y == 2\" & X \"q?[m]\""
    );
}

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
fn replace_atoms(formulas: &mut Formulas, f: Formula, map: &[Formula]) -> Formula {
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
