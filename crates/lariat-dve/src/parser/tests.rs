//! The syntax: every construct, precedences, and what is said about mistakes.

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::source::SourceMap;

use super::MAX_NESTING;
use crate::ast::*;
use crate::{Parse, expression_text, parse, parse_part, transition_text};
use lariat_ir::operators::MAX_HEIGHT;

fn parsed(text: &str) -> (Parse, SourceMap) {
    let mut sources = SourceMap::default();
    (parse(&mut sources, "test.dve", text.to_string()), sources)
}

/// The tree of a text without mistakes.
fn system(text: &str) -> System {
    let (parse, sources) = parsed(text);
    assert!(
        !parse.has_errors(),
        "{}",
        shown(&sources, &parse.diagnostics)
    );
    parse.system
}

/// A process with these transitions, in a whole system.
fn with_transitions(transitions: &str) -> String {
    format!("process P {{ state q, r; init q; trans {transitions} }} system async;")
}

fn transitions(text: &str) -> Vec<String> {
    let system = system(&with_transitions(text));
    let transitions = system.processes[0].transitions.iter();
    transitions.map(transition_text).collect()
}

fn shown(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics
        .iter()
        .map(|d| {
            let at = sources.position(d.span);
            let help = d.help.as_ref().map_or(String::new(), |h| format!(" [{h}]"));
            format!("{}:{} {}{help}", at.line, at.column, d.message)
        })
        .collect();
    lines.join("\n")
}

/// What is said about a text.
fn said(text: &str) -> String {
    let (parse, sources) = parsed(text);
    shown(&sources, &parse.diagnostics)
}

/// Checks that exactly one thing is said, and that it contains these words.
fn complains(text: &str, words: &str) {
    let said = said(text);
    assert!(said.contains(words), "{text}\nsaid: {said}\nwords: {words}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

fn condition(text: &str) -> Expr {
    let mut sources = SourceMap::default();
    parse_part(&mut sources, "condition", text, 0..text.len())
        .unwrap_or_else(|d| panic!("{text}: {}", shown(&sources, &d)))
}

/// An expression with parentheses around every operator.
fn grouped(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, a) => format!("(not {})", grouped(a)),
        ExprKind::Unary(UnaryOp::Minus, a) => format!("(-{})", grouped(a)),
        ExprKind::Unary(UnaryOp::Complement, a) => format!("(~{})", grouped(a)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", grouped(a), op.text(), grouped(b)),
        _ => expression_text(e),
    }
}

#[test]
fn declarations() {
    let system = system(
        "const int n = 2, m = n + 1; byte x, y = 3; int a[n], b[2] = {1, -1};
         channel c, d; channel {byte, int} e[0], f[4];
         process P { byte x; state q; init q; } system async;",
    );
    let names: Vec<_> = system
        .variables
        .iter()
        .map(|v| v.name.name.as_str())
        .collect();
    assert_eq!(names, ["n", "m", "x", "y", "a", "b"]);
    assert!(system.variables[1].constant && !system.variables[2].constant);
    assert_eq!(system.variables[2].ty, NumberType::Byte);
    assert!(system.variables[4].length.is_some() && system.variables[4].init.is_none());
    assert!(matches!(&system.variables[5].init, Some(Initializer::List(v, _)) if v.len() == 2));
    let channels: Vec<_> = system
        .channels
        .iter()
        .map(|c| {
            (
                c.name.name.as_str(),
                c.fields.as_ref().map(Vec::len),
                c.capacity,
            )
        })
        .collect();
    let expected = [
        ("c", None, 0),
        ("d", None, 0),
        ("e", Some(2), 0),
        ("f", Some(2), 4),
    ];
    assert_eq!(channels, expected);
    assert_eq!(system.processes[0].variables.len(), 1);
}

#[test]
fn clauses_of_a_process_come_in_any_order() {
    let system = system(
        "process P { state a, b, c; accept b; init a; commit b, c;
           assert a: 1 < 2, b: true; accept buchi c; trans a -> b {}; }
         process N { state q; init q; accept q; }
         system sync property N;",
    );
    let process = &system.processes[0];
    let names = |list: &[Ident]| list.iter().map(|i| i.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&process.states), ["a", "b", "c"]);
    assert_eq!(names(&process.accept), ["b", "c"]);
    assert_eq!(names(&process.commit), ["b", "c"]);
    assert_eq!(process.init.as_ref().map(|i| i.name.as_str()), Some("a"));
    assert_eq!(process.assertions.len(), 2);
    assert_eq!(system.mode, Mode::Sync);
    assert_eq!(system.property.map(|p| p.name), Some("N".to_string()));
}

#[test]
fn transitions_with_all_their_parts() {
    let text = "q -> r { guard x == 0, y; sync c!{1, x}; effect x = 1, a[x] = 2; },
                -> q { }, r -> q { sync c?; } r -> r { sync d?a[1]; }, -> q { sync c?{x, y}; };";
    let expected = [
        "q -> r { guard x == 0, y; sync c!{1, x}; effect x = 1, a[x] = 2; }",
        "q -> q { }",
        "r -> q { sync c?; }",
        "r -> r { sync d?a[1]; }",
        "r -> q { sync c?{x, y}; }",
    ];
    assert_eq!(transitions(text), expected);
    // The last semicolon may be missing, and a comma may be too many.
    assert_eq!(transitions("q -> r {}, r -> q { sync c!-1; },").len(), 2);
    assert_eq!(transitions("").len(), 0);
    let system = system(&with_transitions("q -> r {}, -> q {};"));
    let shorthand: Vec<_> = system.processes[0]
        .transitions
        .iter()
        .map(|t| t.shorthand)
        .collect();
    assert_eq!(shorthand, [false, true]);
}

#[test]
fn a_transition_knows_where_it_stands() {
    let text = with_transitions("q -> r { guard 1; }, -> q { };");
    let (parse, sources) = parsed(&text);
    let spans: Vec<_> = parse.system.processes[0]
        .transitions
        .iter()
        .map(|t| sources.text(t.span))
        .collect();
    assert_eq!(spans, ["q -> r { guard 1; }", "-> q { }"]);
}

#[test]
fn precedences() {
    for (text, expected) in [
        ("a imply b imply c", "((a imply b) imply c)"),
        ("a || b imply c && d", "((a || b) imply (c && d))"),
        ("a && b || c", "((a && b) || c)"),
        ("a or b and c", "((a || b) && c)"),
        ("a && b | c", "(a && (b | c))"),
        ("a | b & c ^ d", "(((a | b) & c) ^ d)"),
        ("a & b == c", "(a & (b == c))"),
        ("a == b < c", "(a == (b < c))"),
        ("a < b == c <= d != e", "(((a < b) == (c <= d)) != e)"),
        ("a < b << c", "(a < (b << c))"),
        ("a << b + c >> d", "((a << (b + c)) >> d)"),
        ("a - b - c * d % e", "((a - b) - ((c * d) % e))"),
        ("not a == b", "((not a) == b)"),
        ("- a + ~ b * ! c", "((-a) + ((~b) * (not c)))"),
        ("- - 1", "(-(-1))"),
        ("P.q && Q->x[i + 1] > 2", "(P.q && (Q->x[i + 1] > 2))"),
        ("(a + b) * c", "((a + b) * c)"),
        ("true == not false", "(true == (not false))"),
    ] {
        assert_eq!(grouped(&condition(text)), expected, "{text}");
    }
}

#[test]
fn printed_expressions_mean_the_same() {
    for text in [
        "(a || b) && c",
        "a || (b && c)",
        "(a imply b) imply (c imply d)",
        "a - (b - c) - d",
        "(a & b) == c",
        "not (a && not not b)",
        "-(-(1)) + ~(-x)",
        "(a | b) & (c ^ d)",
        "(a < b) < (c == d)",
        "P.q == (Q->y[x[2]] << 1)",
    ] {
        let first = condition(text);
        let second = condition(&expression_text(&first));
        assert_eq!(grouped(&first), grouped(&second), "{text}");
        assert_eq!(expression_text(&first), expression_text(&second));
    }
    let text = expression_text(&condition("((a)||((b)))&&(c)"));
    assert_eq!(text, "(a || b) && c");
}

#[test]
fn comments_and_blanks() {
    let text = "\u{feff}/* a * b **/ byte x; // y\r\nprocess P{state q;init q;}\tsystem async;//";
    assert_eq!(system(text).variables.len(), 1);
    complains("byte x; /* no end", "1:9 this comment is never closed");
}

#[test]
fn surprising_readings_are_told() {
    let warn = |guard: &str| said(&with_transitions(&format!("q -> r {{ guard {guard}; }};")));
    let said = warn("a || b && c");
    assert!(said.contains("does not bind more tightly"), "{said}");
    assert!(said.contains("`(a || b) && ...`"), "{said}");
    let said = warn("not a == b");
    assert!(
        said.contains("`not` binds more tightly than `==`"),
        "{said}"
    );
    assert!(said.contains("`(not a) == ...`"), "{said}");
    for plain in [
        "a && b || c",
        "(a || b) && c",
        "a || (b && c)",
        "(not a) == b",
        "not (a == b)",
    ] {
        assert_eq!(warn(plain), "");
    }
    // One word about an expression is enough.
    assert_eq!(warn("a || b && c || d && e").lines().count(), 1);
    let (parse, _) = parsed(&with_transitions("q -> r { guard a or b and c; };"));
    assert_eq!(parse.diagnostics[0].severity, Severity::Warning);
}

#[test]
fn mistakes_in_declarations() {
    complains(
        "byte x\nprocess P { state q; init q; } system async;",
        "2:1 expected `;` or `,` after the variable, found the keyword `process`",
    );
    complains(
        "bool x; process P { state q; init q; } system async;",
        "the types are `byte` and `int`",
    );
    complains(
        "const x = 1; process P { state q; init q; } system async;",
        "expected the type `byte` or `int` after `const`, found `x`",
    );
    complains(
        "byte x = ; process P { state q; init q; } system async;",
        "expected an expression, found `;`",
    );
    complains(
        "byte init; process P { state q; init q; } system async;",
        "expected the name of a variable, found the keyword `init`",
    );
    complains(
        "channel c[2]; process P { state q; init q; } system async;",
        "channel `c` has a capacity but no types",
    );
    complains(
        "channel {byte} c; process P { state q; init q; } system async;",
        "channel `c` has types but no capacity",
    );
    complains(
        "channel {byte} c[x]; process P { state q; init q; } system async;",
        "expected a number, the capacity of the channel, found `x`",
    );
    complains(
        "byte a[2][3]; process P { state q; init q; } system async;",
        "expected `;` or `,` after the variable, found `[`",
    );
    complains(
        "byte x = 12ab; process P { state q; init q; } system async;",
        "`12ab` is not a number",
    );
    complains(
        "byte x = 9999999999; process P { state q; init q; } system async;",
        "`9999999999` is too large",
    );
    complains(
        "byte x = $; process P { state q; init q; } system async;",
        "1:10 unexpected character `$`",
    );
    complains(
        "#define N 3\nprocess P { state q; init q; } system async;",
        "DVE has no preprocessor",
    );
    complains(
        "proces P { state q; init q; } system async;",
        "did you mean `process`?",
    );
    complains(
        "dnl hello\nbyte x; process P { state q; init q; } system async;",
        "this is a template for m4",
    );
    complains(
        "define(N, `3')\nprocess P { state q; init q; } system async;",
        "1:1 this is a template for m4, not a DVE system [expand it first",
    );
}

#[test]
fn mistakes_around_the_last_line() {
    complains("", "there is no process in the text");
    complains("system async;", "the system has no process");
    complains(
        "process P { state q; init q; }",
        "`system async;`, is missing",
    );
    complains(
        "process P { state q; init q; } system;",
        "expected `async` or `sync` after `system`, found `;`",
    );
    complains(
        "process P { state q; init q; } system asnyc;",
        "did you mean `async`?",
    );
    complains(
        "process P { state q; init q; } system async",
        "expected `;` at the end of the line `system`",
    );
    complains(
        "process P { state q; init q; } system async; byte x;",
        "nothing can follow the line `system`",
    );
    complains(
        "process P { state q; init q; } system async property;",
        "expected the name of the property process",
    );
}

#[test]
fn mistakes_in_processes() {
    complains(
        "process { state q; init q; } system async;",
        "expected the name of the process, found `{`",
    );
    complains(
        "process P { state q; } system async;",
        "process `P` has no initial state [add `init q;` after the states]",
    );
    complains("process P { } system async;", "process `P` has no states");
    complains(
        "process P { state q; init q; init q; } system async;",
        "a process has only one initial state",
    );
    complains(
        "process P { state q; init q system async;",
        "expected `;` after the initial state",
    );
    complains(
        "process P { state q; init q; system async;",
        "expected `}` at the end of the process",
    );
    complains(
        "process P { stat q; init q; } system async;",
        "did you mean `state`?",
    );
    complains(
        "process P { byte x[2] = {1, }; state q; init q; } system async;",
        "expected an expression, found `}`",
    );
    complains(
        "process P { channel c; state q; init q; } system async;",
        "channels inside a process are not supported",
    );
    complains(
        "process P { state q; init q; accept muller q; } system async;",
        "acceptance of the kind `muller` is not supported",
    );
    complains(
        "process P { state q; init q; assert q 1; } system async;",
        "expected `:` after the state of the assertion",
    );
    complains(
        "process P { state q r; init q; } system async;",
        "expected `;` or `,` after the state, found `r`",
    );
}

#[test]
fn mistakes_in_transitions() {
    let complains = |text: &str, words: &str| complains(&with_transitions(text), words);
    complains(
        "q -> r { guard x == 1 }",
        "expected `;` after the guard, found `}`",
    );
    complains("q -> r { guard x = 1; }", "a comparison is written `==`");
    complains("q -> r { guard ; }", "expected an expression, found `;`");
    complains(
        "q -> r { guard (x; }",
        "expected an operator or `)`, found `;`",
    );
    complains("q -> r { guard f(x); }", "DVE has no functions");
    complains(
        "q -> r { effect x == 1; }",
        "expected `=` in the assignment, found `==`",
    );
    complains("q -> r { effect x++; }", "write the assignment in full");
    complains("q -> r { effect x += 1; }", "write the assignment in full");
    complains(
        "q -> r { effect x = 1 y = 2; }",
        "expected `;` after the effect, found `y`",
    );
    complains(
        "q -> r { effect Q->x = 1; }",
        "a process cannot change the variables of another",
    );
    complains(
        "q -> r { sync c?Q->x; }",
        "a process cannot change the variables of another",
    );
    complains(
        "q -> r { sync c; }",
        "expected `!` to send or `?` to receive, found `;`",
    );
    complains(
        "q -> r { sync c?1; }",
        "a received value must go into a variable",
    );
    complains("q -> r { sync c!{}; }", "expected an expression, found `}`");
    complains(
        "q -> r { effect x = 1; guard y; }",
        "`guard` must stand before `effect`",
    );
    complains(
        "q -> r { guard x; guard y; }",
        "a transition can have only one `guard` [several conditions are separated by `,`]",
    );
    complains("q -> r { gaurd x; }", "did you mean `guard`?");
    complains("q -> r { guard a[1][2]; }", "`a` can have only one index");
    complains("q -> { guard x; }", "expected the target state, found `{`");
    complains(
        "q { guard x; }",
        "expected `->` after the source state, found `{`",
    );
    complains("q -> r", "expected `{` after the target state");
    complains(
        "-> r {}",
        "the first transition must name the state from which it leads",
    );
    complains(
        "q -> r { guard x; , r -> q {}",
        "expected `}` at the end of the transition, found `,`",
    );
    complains("q -> r {}; r -> q {};", "transitions are separated by `,`");
    complains(
        "q => { r : 1, q : 2 } { guard x; }, r -> q {};",
        "probabilistic transitions are not supported",
    );
}

#[test]
fn several_mistakes_are_reported_in_one_go() {
    let text = "byte x = ;
process P { state q; init q;
trans q -> q { guard x =; effect x := 2; }, q -> { }, q -> q { effect x = 1 };
}
process Q { state; init q; trans q -> q { sync c ! ; } }
system async;";
    let said = said(text);
    let lines: Vec<&str> = said
        .lines()
        .map(|l| l.split(':').next().unwrap_or(""))
        .collect();
    assert_eq!(lines, ["1", "3", "3", "3", "3", "5"], "{said}");
}

#[test]
fn too_many_mistakes_are_cut_off() {
    let text = with_transitions(&"q -> r { guard; }, ".repeat(50));
    let said = said(&text);
    assert_eq!(said.lines().count(), 21);
    assert!(said.ends_with("stopped after 20 errors"), "{said}");
}

#[test]
fn nesting_and_length_are_bounded() {
    let guard = |e: &str| with_transitions(&format!("q -> r {{ guard {e}; }};"));
    let nested = |n: usize| format!("{}x{}", "(".repeat(n), ")".repeat(n));
    system(&guard(&nested(MAX_NESTING - 1)));
    complains(&guard(&nested(MAX_NESTING)), "nested too deeply");
    complains(&guard(&"not ".repeat(1_000_000)), "nested too deeply");
    complains(&guard(&"x[".repeat(1_000_000)), "nested too deeply");
    complains(
        &guard(&format!("x{}", "(".repeat(100))),
        "DVE has no functions",
    );
    for sign in [
        "+",
        "-",
        "*",
        "&&",
        "or",
        "|",
        "&",
        "^",
        "== 1 &&",
        "+ 1 <= y or",
    ] {
        let long = format!("x{}", format!(" {sign} x").repeat(50_000));
        assert_eq!(system(&guard(&long)).processes.len(), 1);
    }
    let divisions = |n: usize| format!("x{}", " / x".repeat(n));
    system(&guard(&divisions(MAX_HEIGHT - 1)));
    complains(&guard(&divisions(MAX_HEIGHT)), "more than 2000 operators");
    complains(&guard(&divisions(100_000)), "more than 2000 operators");
    let all = "a imply b || c | d == e < f << g + h * ";
    let deep = format!("{}x{}", format!("{all}(").repeat(180), ")".repeat(180));
    system(&guard(&deep));
}

#[test]
fn parts_of_other_texts() {
    let text = "[] (\"x == $1\") ; P.q";
    let mut sources = SourceMap::default();
    let e = parse_part(&mut sources, "formula", text, 17..20).map(|e| expression_text(&e));
    assert_eq!(e.ok().as_deref(), Some("P.q"));
    let quoted = parse_part(&mut sources, "formula", "x == \"M\"", 0..8);
    let quoted = quoted.map(|e| expression_text(&e));
    assert_eq!(quoted.ok().as_deref(), Some("x == M"));
    let wrong = parse_part(&mut sources, "formula", text, 5..12).unwrap_err();
    assert_eq!(shown(&sources, &wrong), "1:11 unexpected character `$`");
    let wrong = parse_part(&mut sources, "formula", "a b", 0..3).unwrap_err();
    assert_eq!(
        shown(&sources, &wrong),
        "1:3 expected an operator or the end, found `b`"
    );
    let wrong = parse_part(&mut sources, "formula", "x", 0..0).unwrap_err();
    assert_eq!(
        shown(&sources, &wrong),
        "1:1 expected an expression, found the end of the text"
    );
    assert!(parse_part(&mut sources, "formula", "ä", 1..9).is_err());
}
