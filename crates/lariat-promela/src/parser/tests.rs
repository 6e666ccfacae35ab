//! Tests of the parser: small texts, shown as fully bracketed trees.

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::source::SourceMap;

use crate::ast::*;
use crate::{ParseOptions, parse, parse_expression, parse_part};

fn program(text: &str) -> (Program, Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::default();
    let result = parse(
        &mut sources,
        &ParseOptions::default(),
        "m.pml",
        text.to_string(),
    );
    (result.program, result.diagnostics, sources)
}

/// The statements of a process with this body, which must be right.
fn body(text: &str) -> String {
    let (program, diagnostics, _) = program(&format!("proctype Q() {{ skip }} init {{ {text}\n}}"));
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    match program.units.last() {
        Some(Unit::Init(init)) => block(&init.body),
        _ => panic!("no init"),
    }
}

/// The messages about a process with this body, with line numbers.
fn complaints(text: &str) -> Vec<String> {
    let (_, diagnostics, sources) = program(&format!("init {{ {text}\n}}"));
    diagnostics
        .iter()
        .map(|d| format!("{}: {}", sources.position(d.span).line, d.message))
        .collect()
}

fn first_help(text: &str) -> String {
    let (_, diagnostics, _) = program(&format!("init {{ {text}\n}}"));
    let help = diagnostics.first().and_then(|d| d.help.clone());
    help.unwrap_or_default()
}

fn formula(text: &str) -> String {
    let (program, diagnostics, _) = program(&format!("proctype P() {{ skip }} ltl f {{ {text} }}"));
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    match &program.units[1] {
        Unit::Ltl(ltl) => expr(&ltl.formula),
        _ => panic!("no formula"),
    }
}

fn block(block: &Block) -> String {
    let steps: Vec<String> = block.steps.iter().map(step).collect();
    steps.join("; ")
}

fn step(step: &Step) -> String {
    match step {
        Step::Stmt(s) => stmt(s),
        Step::Decl(d) => {
            let names: Vec<&str> = d.vars.iter().map(|v| v.name.name.as_str()).collect();
            format!("{:?} {}", d.visibility, names.join(","))
        }
        Step::Exclusive { send, channels, .. } => {
            let channels: Vec<String> = channels.iter().map(var).collect();
            format!("{} {}", if *send { "xs" } else { "xr" }, channels.join(","))
        }
    }
}

fn stmt(stmt_: &Stmt) -> String {
    let mut text: String = stmt_
        .labels
        .iter()
        .map(|l| format!("{}: ", l.name))
        .collect();
    let options = |blocks: &[Block]| {
        let all: Vec<String> = blocks.iter().map(|b| format!(":: {}", block(b))).collect();
        all.join(" ")
    };
    text += &match &stmt_.kind {
        StmtKind::Expr(e) => expr(e),
        StmtKind::Assign(v, e) => format!("{} = {}", var(v), expr(e)),
        StmtKind::Send {
            channel,
            sorted,
            args,
        } => {
            let operator = if *sorted { "!!" } else { "!" };
            format!("{}{operator}{}", var(channel), exprs(args))
        }
        StmtKind::Receive {
            channel,
            random,
            peek,
            args,
        } => {
            let operator = if *random { "??" } else { "?" };
            let args = recv(args);
            let args = if *peek { format!("<{args}>") } else { args };
            format!("{}{operator}{args}", var(channel))
        }
        StmtKind::Assert(e) => format!("assert {}", expr(e)),
        StmtKind::Printf { format, args } => format!("printf {format:?} {}", exprs(args)),
        StmtKind::Printm(e) => format!("printm {}", expr(e)),
        StmtKind::If(o) => format!("if {} fi", options(o)),
        StmtKind::Do(o) => format!("do {} od", options(o)),
        StmtKind::Else => "else".to_string(),
        StmtKind::Break => "break".to_string(),
        StmtKind::Goto(l) => format!("goto {}", l.name),
        StmtKind::Block(b) => format!("{{ {} }}", block(b)),
        StmtKind::Atomic(b) => format!("atomic {{ {} }}", block(b)),
        StmtKind::DStep(b) => format!("d_step {{ {} }}", block(b)),
        StmtKind::Unless(a, b) => format!("({} unless {})", stmt(a), stmt(b)),
        StmtKind::ForRange {
            var: v,
            from,
            to,
            body,
        } => format!(
            "for {}={}..{} {{ {} }}",
            var(v),
            expr(from),
            expr(to),
            block(body)
        ),
        StmtKind::ForIn {
            var: v,
            collection,
            body,
        } => format!(
            "for {} in {} {{ {} }}",
            var(v),
            var(collection),
            block(body)
        ),
        StmtKind::Select { var: v, from, to } => {
            format!("select {}={}..{}", var(v), expr(from), expr(to))
        }
        StmtKind::SetPriority(a, b) => format!("set_priority {},{}", expr(a), expr(b)),
        StmtKind::Error => "ERROR".to_string(),
    };
    text
}

fn exprs(all: &[Expr]) -> String {
    let all: Vec<String> = all.iter().map(expr).collect();
    all.join(",")
}

fn recv(args: &[RecvArg]) -> String {
    let args: Vec<String> = args
        .iter()
        .map(|a| match a {
            RecvArg::Var(v) => var(v),
            RecvArg::Eval(e, _) => format!("eval {}", expr(e)),
            RecvArg::Const(e) => format!("const {}", expr(e)),
        })
        .collect();
    args.join(",")
}

fn var(v: &VarRef) -> String {
    let parts: Vec<String> = v
        .parts
        .iter()
        .map(|p| match &p.index {
            Some(i) => format!("{}[{}]", p.name.name, expr(i)),
            None => p.name.name.clone(),
        })
        .collect();
    parts.join(".")
}

fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Var(v) => var(v),
        ExprKind::Unary(op, e) => format!("({op:?} {})", expr(e)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", expr(a), expr(b)),
        ExprKind::Cond(c, a, b) => format!("({} ? {} : {})", expr(c), expr(a), expr(b)),
        ExprKind::Run {
            name,
            args,
            priority,
        } => {
            let priority = priority
                .as_ref()
                .map_or(String::new(), |p| format!("@{}", expr(p)));
            format!("run {}({}){priority}", name.name, exprs(args))
        }
        ExprKind::Channel(test, c) => format!("{test:?}({})", var(c)),
        ExprKind::Poll {
            channel,
            random,
            args,
        } => {
            let operator = if *random { "??" } else { "?" };
            format!("{}{operator}[{}]", var(channel), recv(args))
        }
        ExprKind::Timeout => "timeout".to_string(),
        ExprKind::NonProgress => "np_".to_string(),
        ExprKind::Enabled(e) => format!("enabled({})", expr(e)),
        ExprKind::PcValue(e) => format!("pc_value({})", expr(e)),
        ExprKind::GetPriority(e) => format!("get_priority({})", expr(e)),
        ExprKind::RemoteLabel {
            proctype,
            pid,
            label,
        } => {
            let pid = pid
                .as_ref()
                .map_or(String::new(), |p| format!("[{}]", expr(p)));
            format!("{}{pid}@{}", proctype.name, label.name)
        }
        ExprKind::RemoteVar {
            proctype,
            pid,
            var: v,
        } => {
            let pid = pid
                .as_ref()
                .map_or(String::new(), |p| format!("[{}]", expr(p)));
            format!("{}{pid}:{}", proctype.name, var(v))
        }
        ExprKind::Error => "ERROR".to_string(),
    }
}

#[test]
fn precedences() {
    assert_eq!(body("a + b * c - d"), "((a Add (b Mul c)) Sub d)");
    assert_eq!(body("a || b && c == d"), "(a Or (b And (c Eq d)))");
    assert_eq!(
        body("a | b ^ c & d == e"),
        "(a BitOr (b BitXor (c BitAnd (d Eq e))))"
    );
    assert_eq!(
        body("a == b < c << d + e"),
        "(a Eq (b Lt (c Shl (d Add e))))"
    );
    assert_eq!(body("!a == b"), "((Not a) Eq b)");
    assert_eq!(body("-a * ~b"), "((Minus a) Mul (Complement b))");
    assert_eq!(body("a - b - c"), "((a Sub b) Sub c)");
    assert_eq!(body("!!a"), "(Not (Not a))");
    assert_eq!(
        body("x = (a > b -> a : b + 1)"),
        "x = ((a Gt b) ? a : (b Add 1))"
    );
}

#[test]
fn formulas() {
    assert_eq!(
        formula("[] p -> <> q"),
        "((Always p) Implies (Eventually q))"
    );
    assert_eq!(
        formula("[] (p -> <> q)"),
        "(Always (p Implies (Eventually q)))"
    );
    assert_eq!(formula("a -> b -> c"), "((a Implies b) Implies c)");
    assert_eq!(formula("a U b U c"), "((a Until b) Until c)");
    assert_eq!(formula("a && b U c || d"), "((a And (b Until c)) Or d)");
    assert_eq!(formula("x == 1 U !y"), "((x Eq 1) Until (Not y))");
    assert_eq!(formula("[] x == 1"), "(Always (x Eq 1))");
    assert_eq!(
        formula("[]<>p <-> !q"),
        "((Always (Eventually p)) Equivalent (Not q))"
    );
    assert_eq!(
        formula("always p implies eventually q"),
        formula("[]p -> <>q")
    );
    assert_eq!(formula("p W q V r"), "((p WeakUntil q) Release r)");
    assert_eq!(formula("X X p && next q"), "((Next (Next p)) And (Next q))");
    assert_eq!(formula("X == 1 && (U > 2)"), "((X Eq 1) And (U Gt 2))");
    assert_eq!(
        formula("[] (P[1]@done && P:x > P[0]:y[2])"),
        "(Always (P[1]@done And (P:x Gt P[0]:y[2])))"
    );
    assert_eq!(formula("(a -> b : c) == 2"), "((a ? b : c) Eq 2)");
    assert_eq!(formula("len(q) < a[i]\n;"), "(Len(q) Lt a[i])");
}

#[test]
fn statements() {
    assert_eq!(
        body("x++; a[i].f--; skip"),
        "x = (x Add 1); a[i].f = (a[i].f Sub 1); 1"
    );
    assert_eq!(body("c!m(a,b+1); d!!1,2"), "c!m,a,(b Add 1); d!!1,2");
    assert_eq!(
        body("c?m(x,_); c??eval(_pid),-1"),
        "c?m,x,_; c??eval _pid,const (Minus 1)"
    );
    assert_eq!(body("c?<x,y>; c??<x>; c?(x,y)"), "c?<x,y>; c??<x>; c?x,y");
    assert_eq!(
        body("c?[m,1] && !d??[x]"),
        "(c?[m,const 1] And (Not d??[x]))"
    );
    assert_eq!(body("L: M: x = 1; E:"), "L: M: x = 1; E: 1");
    assert_eq!(
        body("if :: a -> b :: else -> x = 1 fi"),
        "if :: a; b :: else; x = 1 fi"
    );
    assert_eq!(
        body("do :: break od unless { timeout }"),
        "(do :: break od unless { timeout })"
    );
    assert_eq!(
        body("for (i : 0 .. N-1) { skip }"),
        "for i=0..(N Sub 1) { 1 }"
    );
    assert_eq!(body("for (a[i] in b.c); { skip }"), "for a[i] in b.c { 1 }");
    assert_eq!(body("select (x : 1..3)"), "select x=1..3");
    assert_eq!(
        body("atomic { run Q(1,c) priority 3; x = run Q() }"),
        "atomic { run Q(1,c)@3; x = run Q() }"
    );
    assert_eq!(
        body("assert(x); assert x == 1; printm(m)"),
        "assert x; assert (x Eq 1); printm m"
    );
    assert_eq!(body("printf(\"%d\\n\", x, 'a')"), "printf \"%d\\\\n\" x,97");
    assert_eq!(
        body("xr a, b[1]; xs c; hidden byte x, y = 2"),
        "xr a,b[1]; xs c; Hidden x,y"
    );
    assert_eq!(
        body("set_priority(0, get_priority(_pid))"),
        "set_priority 0,get_priority(_pid)"
    );
    assert_eq!(
        body("d_step { enabled(1); pc_value(0) == 2; np_ }"),
        "d_step { enabled(1); (pc_value(0) Eq 2); np_ }"
    );
    assert_eq!(
        body("(nfull(c) && empty(d)) || !full(c)"),
        "((NotFull(c) And Empty(d)) Or (Not Full(c)))"
    );
}

#[test]
fn newlines_separate_unless_the_line_goes_on() {
    assert_eq!(body("x = 1\ny = 2\n"), "x = 1; y = 2");
    assert_eq!(
        body("(a)\n&& (b)\n|| c -> x = 1"),
        "((a And b) Or c); x = 1"
    );
    assert_eq!(
        body("x = a\n+ b\n- c\n* 2"),
        "x = ((a Add b) Sub (c Mul 2))"
    );
    assert_eq!(body("(a)\n!b\n(c)"), "a; (Not b); c");
    assert_eq!(body("c\n!b"), "c!b");
    assert_eq!(body("c\n?x"), "c?x");
    assert_eq!(body("c!m\n(a == b)"), "c!m; (a Eq b)");
    assert_eq!(body("c?m\n(a == b)"), "c?m; (a Eq b)");
    assert_eq!(body("c!m,\nn\n,o"), "c!m,n,o");
    assert_eq!(
        body("if\n:: a\n-> b\n:: else\n   c\nfi\nx"),
        "if :: a; b :: else; c fi; x"
    );
    assert_eq!(body("{ a }\nunless\n{ b }"), "({ a } unless { b })");
    assert_eq!(
        body("{ a } { b } x; do :: else x; od y"),
        "{ a }; { b }; x; do :: else; x od; y"
    );
    assert_eq!(body("a;; b -> ; c; -> }; init { d"), "d");
    assert_eq!(body("L:\n x\nM:\n\n y"), "L: x; M: y");
}

#[test]
fn units() {
    let text = "mtype = { a b, c }; mtype:s = { d; }\nbyte x\nint y = 3, z[2] = {1, 2}\n\
        typedef T { byte f; bit g[2]\n chan c }\nunsigned u : 5 = 3;\n\
        chan q = [2] of { mtype, T, mtype:s, byte }; T t; show pid p; local mtype:s m = d;\n\
        active [2] D_proctype P(byte a, b; chan c) priority 3 provided (x > 0) { skip }\n\
        active proctype R() { skip } never { skip } never n { skip } trace { q!a } notrace { q?b }\n\
        ltl { true } inline f() { skip } init priority 2 { f() }";
    let (program, diagnostics, _) = program(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(program.units.len(), 18);
    let Some(Unit::Proctype(p)) = program.units.get(10) else {
        panic!("{:?}", program.units[10]);
    };
    assert!(p.deterministic && p.priority.is_some() && p.provided.is_some());
    assert_eq!((p.params.len(), p.params[0].vars.len()), (2, 2));
    assert!(matches!(&p.active, Some(Some(_))));
}

#[test]
fn inlines_are_put_in_place() {
    let (program, diagnostics, sources) = program(
        "init { f(x, a[1] + 2)\n r = g(3) }\ninline f(v, w) { byte t; g2(v, w); L: v = w }\n\
         inline g2(v, u) { v = v * u }\ninline g(n) { if :: n > 1 -> return n + 1 :: else fi }",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let Unit::Init(init) = &program.units[0] else {
        panic!()
    };
    assert_eq!(
        block(&init.body),
        "{ Normal t; { x = ((x Mul a[1]) Add 2) }; L: x = (a[1] Add 2) }; \
         { if :: (3 Gt 1); r = (3 Add 1) :: else fi }"
    );
    let Step::Stmt(call) = &init.body.steps[0] else {
        panic!()
    };
    assert_eq!(sources.text(call.span), "f(x, a[1] + 2)");
    let StmtKind::Block(b) = &call.kind else {
        panic!()
    };
    let Step::Stmt(inner) = &b.steps[1] else {
        panic!()
    };
    assert_eq!(sources.text(inner.span), "g2(v, w)");
    let expansion = sources.expansion(inner.span.expansion);
    assert_eq!(expansion.map(|e| e.name.as_str()), Some("f"));
}

#[test]
fn wrong_calls() {
    let say = |text: &str| {
        let (_, diagnostics, _) = program(text);
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        diagnostics[0].clone()
    };
    let wrong = say("inline f(a, b) { a = b } init { f(1) }");
    assert_eq!(
        wrong.message,
        "inline `f` has 2 parameters, but the call has 1 argument"
    );
    let wrong = say("inline fetch(a) { a = 1 } init { fecth(x); x = 1 }");
    assert_eq!(wrong.message, "unknown inline `fecth`");
    assert_eq!(wrong.help.as_deref(), Some("did you mean `fetch`?"));
    let wrong = say("inline f() { g() } inline g() { f() } init { f() }");
    assert_eq!(wrong.message, "inline `f` calls itself");
    assert!(wrong.help.unwrap_or_default().contains("`f` -> `g` -> `f`"));
    let wrong = say("inline f() { skip } init { x = 1 + f() }");
    assert!(
        wrong
            .help
            .unwrap_or_default()
            .contains("only as a statement")
    );
    let wrong = say("inline f() { return 1 } init { f() }");
    assert!(wrong.message.contains("returns a value"));
    let wrong = say("proctype P() { skip } init { P() }");
    assert!(wrong.help.unwrap_or_default().contains("run P"));
}

#[test]
fn mistakes_get_one_message_and_advice() {
    let one = |text: &str, message: &str, help: &str| {
        let all = complaints(text);
        assert_eq!(all, [message], "{text}");
        let advice = first_help(text);
        assert!(advice.contains(help), "{text}: {advice}");
    };
    one(
        "if :: (x = 1) -> skip fi",
        "1: expected an operator or `)`, found `=`",
        "`==`",
    );
    one(
        "if x == 1 -> skip fi",
        "1: expected `::` behind `if`, found `x`",
        "if ::",
    );
    one(
        "if (x) { y = 1 } else { y = 2 } fi; z = 1",
        "1: expected `::` behind `if`, found `(`",
        "if ::",
    );
    one(
        "if :: x -> skip",
        "2: expected `fi` to close `if`, found `}`",
        "",
    );
    one(
        "do :: x -> skip fi; y = 1",
        "1: expected `od` to close `do`, found `fi`",
        "",
    );
    one(
        "if :: do :: x fi; y = 1",
        "1: expected `od` to close `do`, found `fi`",
        "",
    );
    one(
        "for (i = 0; i < 3; i++) { skip }\nx = 1",
        "1: this is not a loop of Promela",
        "for (i :",
    );
    one(
        "while (x < 3) { x++ }\ny = 1",
        "1: unknown inline `while`",
        "do ::",
    );
    one(
        "x == 1 and y",
        "1: expected an operator or `;`, found `and`",
        "`&&`",
    );
    one(
        "return 5",
        "1: `return` can be used only in an inline that is called as `x = f(...)`",
        "break",
    );
    one(
        "x = 3 y = 4; z = 5",
        "1: expected an operator or `;`, found `y`",
        "",
    );
    one(
        "L: byte x; skip",
        "1: label `L` stands before a declaration",
        "skip",
    );
    one("x = ;\ny = 2", "1: expected an expression, found `;`", "");
    one("shrt x = 1; y = 2", "1: there is no type `shrt`", "`short`");
    one(
        "c_code { x = 1; }; y = 2",
        "1: embedded C code is not supported, and this is a `c_code`",
        "",
    );
    one("fi; x = 1", "1: unexpected `fi`", "no open `if`");
    one("[] x", "1: expected a statement, found `[`", "");
    one(
        "x = a ? b : c",
        "1: expected an operator or `;`, found `?`",
        "->",
    );
    one("x = 12ab", "1: `12ab` is not a number", "");
    one(
        "x = 99999999999999999999",
        "1: `99999999999999999999` does not fit into 64 bits",
        "",
    );
}

#[test]
fn several_errors_are_found_in_one_run() {
    let all = complaints("x = ;\ny = 1;\nz = );\nif :: + fi;\ngoto 3;\nw = 2");
    let lines: Vec<&str> = all.iter().map(|c| &c[..1]).collect();
    assert_eq!(lines, ["1", "3", "4", "5"], "{all:?}");
    let many = complaints(&"x = ;\n".repeat(100));
    assert_eq!(many.len(), lariat_ir::diagnostic::MAX_ERRORS + 1);
}

#[test]
fn a_missing_brace_is_reported_once() {
    let (program, diagnostics, sources) = program(
        "proctype P() { if :: x -> { y = 1 fi }\nproctype Q() { skip }\ninit { do :: skip od",
    );
    let lines: Vec<u32> = diagnostics
        .iter()
        .map(|d| sources.position(d.span).line)
        .collect();
    assert_eq!(lines, [1, 3], "{diagnostics:?}");
    assert_eq!(program.units.len(), 3);
    assert!(diagnostics.iter().all(|d| d.severity == Severity::Error));
}

#[test]
fn expressions_apart_from_the_model_know_its_macros() {
    let mut sources = SourceMap::default();
    let text =
        "#define N 3\n#define both(a,b) ((a) && (b))\nbyte x; active proctype P() { L: skip }";
    let model = parse(
        &mut sources,
        &ParseOptions::default(),
        "m.pml",
        text.to_string(),
    );
    let parsed = parse_expression(
        &mut sources,
        &model.environment,
        "--invariant",
        "both(x < N, P[0]:y)",
    );
    assert_eq!(
        parsed.map(|e| expr(&e)).ok().as_deref(),
        Some("((x Lt 3) And P[0]:y)")
    );
    let parsed = parse_part(
        &mut sources,
        &model.environment,
        "--formula",
        "[] P@L",
        3..6,
    );
    assert_eq!(parsed.map(|e| expr(&e)).ok().as_deref(), Some("P@L"));
    let quoted = parse_expression(&mut sources, &model.environment, "e", "x == \"M\"");
    assert_eq!(quoted.map(|e| expr(&e)).ok().as_deref(), Some("(x Eq M)"));
    for wrong in ["x <", "x y", "", "[] x", "x = 1", "\"s\"", "#if 1\nx"] {
        let result = parse_expression(&mut sources, &model.environment, "e", wrong);
        assert_eq!(result.err().map(|d| d.len()), Some(1), "{wrong}");
    }
}
