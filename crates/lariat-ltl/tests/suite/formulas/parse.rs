//! Formulas from text: precedences, spellings, atoms, messages.

use lariat_ltl::parse::{MAX_NODES, Parsed};
use lariat_ltl::{Formula, Formulas, Node, parse, parse_with_atoms, print};

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

/// Letters that are operators elsewhere are names where no operand follows them.
#[test]
fn operator_letters_are_names_where_they_cannot_be_operators() {
    for letter in ["G", "F", "X", "U", "V", "W", "R", "M"] {
        let atom = format!("s == {letter}");
        for text in [
            format!("[](s == {letter} -> <>p)"),
            format!("[](s == \"{letter}\" -> <>p)"),
            format!("G(\"s == {letter}\" -> F p)"),
        ] {
            let mut formulas = Formulas::new();
            let parsed = full(&mut formulas, &text);
            assert_eq!(parsed.atoms[0].name, atom, "{text}");
            assert_eq!(parsed.atoms[0].text, atom, "{text}");
            let printed = print::spin(&formulas, parsed.formula);
            let again = full(&mut formulas, &printed);
            assert_eq!(again.formula, parsed.formula, "{printed}");
        }
        for (text, name) in [
            (format!("[] {letter}"), letter.to_string()),
            (format!("<>(p && {letter})"), letter.to_string()),
            (format!("[]({letter} > 1)"), format!("{letter} > 1")),
            (format!("[](a[{letter}] > 1)"), format!("a[{letter}] > 1")),
            (format!("{letter} U p"), letter.to_string()),
        ] {
            let mut formulas = Formulas::new();
            let parsed = full(&mut formulas, &text);
            let names: Vec<&str> = parsed.atoms.iter().map(|a| a.name.as_str()).collect();
            assert!(names.contains(&name.as_str()), "{text}: {names:?}");
        }
    }
    assert_eq!(read("G F p"), read("[]<>p"));
    assert_eq!(read("X U p"), read("\"X\" U p"));
    assert_eq!(read("G U"), read("[]\"U\""));
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
        ("U b", "U", "expected a formula, found `U`", "\"U\""),
        ("a U U b", "U", "expected a formula, found `U`", "\"U\""),
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
