//! What newcomers write, and what they are told: what is wrong, and what to write instead.

use crate::support::{Folder, Ran};

/// What is said about a text, with one line for each message. Lines of the terminal are no part of it.
fn told(ran: &Ran) -> String {
    ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(ran: Ran, what: &str, words: &[&str]) {
    let ran = ran.exits_with(2);
    let text = told(&ran);
    for word in words {
        assert!(
            text.contains(word),
            "{what}: `{word}` is not in\n{}",
            ran.stderr
        );
    }
}

#[test]
fn mistakes_in_promela() {
    let folder = Folder::new();
    for (body, words) in [
        ("while (x < 3) { x = x + 1 }", &["do :: condition"][..]),
        ("if (x == 0) { x = 1 }", &["if :: condition"]),
        ("for (int i = 0; i < 3; i++) { x++ }", &["for (i : 0 .. 9)"]),
        ("x = x++", &["statements of their own"]),
        ("x += 1", &["Promela has no `+=`", "write `x = x + ...`"]),
        ("x := 1", &["an assignment is written `x = 1`"]),
        ("x == 1 ? x = 2 : x = 3", &["(condition -> value : value)"]),
        ("x == 1 and x == 2", &["the operator is written `&&`"]),
        ("return x", &["to leave a loop use `break`"]),
        ("start Q()", &["a process is started with `run"]),
        ("Q()", &["a process is started with `run Q(...)`"]),
        ("c.send(1)", &["a message is sent with `c!value`"]),
        ("printf(\"x is \" + x)", &["printf(\"x = %d\\n\", x)"]),
        (
            "string s; x = 1",
            &["there is no type `string`", "the types are `bit`"],
        ),
        ("goto nowhere", &["label `nowhere` is not declared"]),
        (
            "z = 1",
            &["`z` is declared inside `Q`", "outside of the proctypes"],
        ),
        ("trun = 1", &["did you mean `turn`?"]),
        (
            "c?one,two",
            &[
                "variable `one` is not declared",
                "variable `two` is not declared",
            ],
        ),
        ("b = True", &["did you mean `true`?"]),
    ] {
        let model = format!(
            "int x, turn; bool b; chan c = [1] of {{ int, int }};
             proctype Q() {{ int z; z = turn; b = z }} active proctype P() {{ {body} }}"
        );
        folder.write("m.pml", model);
        says(folder.run("check m.pml"), body, words);
    }
    for (model, words) in [
        (
            "active proctype P { skip }",
            &["`proctype P() { ... }`"][..],
        ),
        (
            "void f() { skip } init { skip }",
            &["Promela has no functions"],
        ),
        ("chan c = [1] of int; init { c!1 }", &["in braces"]),
        (
            "int x; init { x = 1 } ltl p { G (x < 2) }",
            &["`G` is written `[]`"],
        ),
        (
            "import foo; init { skip }",
            &["there is no type `import`", "the types are"],
        ),
        ("int x, x; init { x = 1 }", &["is declared twice"]),
    ] {
        folder.write("m.pml", model);
        says(folder.run("check m.pml"), model, words);
    }
}

#[test]
fn mistakes_in_dve() {
    let folder = Folder::new();
    for (transition, words) in [
        (
            "a -> a { guard x = 0; }",
            &["a comparison is written `==`"][..],
        ),
        (
            "a -> b {}",
            &["process `P` has no state `b`", "known here: `a`"],
        ),
        ("a -> a { effect x++; }", &["`x = x + 1`"]),
        ("a -> a { effect x += 1; }", &["`x = x + 1`"]),
        (
            "a -> a { guard y == 0; }",
            &["variable `y` is not declared", "`x`"],
        ),
        (
            "a -> a { guard Q.b; }",
            &["process `Q` is not declared", "`P`"],
        ),
        ("a -> a { guard x == 0 }", &["expected `;` after the guard"]),
    ] {
        let model =
            format!("int x; process P {{ state a; init a; trans {transition}; }} system async;");
        folder.write("m.dve", model);
        says(folder.run("check m.dve"), transition, words);
    }
    for (model, words) in [
        ("process P { state a; init a; }", "system async;"),
        (
            "proces P { state a; init a; } system async;",
            "did you mean `process`?",
        ),
        ("process P { state a; } system async;", "add `init a;`"),
        (
            "bool x; process P { state a; init a; } system async;",
            "the types are `byte` and `int`",
        ),
    ] {
        folder.write("m.dve", model);
        says(folder.run("check m.dve"), model, &[words]);
    }
}

#[test]
fn mistakes_in_formulas() {
    let folder = Folder::new();
    let model = "byte x; bool busy;
        active proctype P() { byte own; own = x; here: busy = own; x = busy }";
    folder.write("m.pml", model);
    for (formula, words) in [
        ("AG (x < 3)", &["operator of CTL", "write `G`"][..]),
        ("EF (x == 3)", &["operator of CTL", "`!F ...`"]),
        ("AF busy", &["operator of CTL", "write `F`"]),
        ("[](x = 3)", &["write `==` to compare"]),
        ("[](x =< 3)", &["write `<=`"]),
        ("[](x ≤ 3)", &["write `<=`"]),
        ("[]busy and <>busy", &["write `&&`"]),
        ("[](x < 3", &["is not closed"]),
        ("{busy}", &["group with parentheses"]),
        ("", &["a formula is, for example"]),
        (
            "[](P.own < 3)",
            &["the variable of a process is written `P:own`"],
        ),
        (
            "[](own < 3)",
            &["the variable of a process is written `P:own`"],
        ),
        (
            "[]!P@foo",
            &[
                "proctype `P` has no label `foo`",
                "the labels of `P` are `here`",
            ],
        ),
        ("[]bsuy", &["did you mean `busy`?"]),
    ] {
        let ran = folder.run_args(&["check", "m.pml", "--formula", formula]);
        says(ran, formula, words);
    }
    for invariant in ["[](x < 3)", "G (x < 3)", "always x < 3", "x < 3 U busy"] {
        let ran = folder.run_args(&["check", "m.pml", "--invariant", invariant]);
        says(ran, invariant, &[&format!("use --formula '{invariant}'")]);
    }
    // A name may be one of these letters.
    folder.write("g.pml", "byte G; active proctype P() { G = 1 }");
    folder
        .run("check g.pml --invariant G<2 --no-warnings")
        .exits_with(0);
}

/// An error is not followed by warnings that it has caused.
#[test]
fn names_that_are_not_declared_are_not_called_constant() {
    let folder = Folder::new();
    folder.write(
        "m.pml",
        "byte x; active proctype P() { x = 1 } ltl l { []!P@foo && <>y }",
    );
    let ran = folder.run("check m.pml").exits_with(2);
    assert!(!ran.stderr.contains("in every state"), "{}", ran.stderr);
}

#[test]
fn mistakes_on_the_command_line() {
    let folder = Folder::new();
    folder.write(
        "m.pml",
        "byte x; active proctype P() { x = 1 } ltl small { [](x < 2) }",
    );
    for (line, words) in [
        ("chek m.pml", &["'check'"][..]),
        ("check", &["<MODEL>"]),
        ("m.pml", &["unrecognized subcommand"]),
        ("check m.pml --ltl smal", &["did you mean `small`?"]),
        ("check m.pml --serch dfs", &["'--search'"]),
        ("check m.pml --search sideways", &["bfs", "ndfs"]),
        ("check m.pml --memory 2X", &["200M or 4G"]),
        ("check m.pml --time soon", &["90s, 10m, 1h30m"]),
        ("check m.pml --workers 0", &["1.."]),
        ("check m.pml --fair very", &["weak, strong"]),
        ("check m.pml --store heap", &["there are tree, flat"]),
        ("check missing.pml", &["cannot read missing.pml"]),
        ("check m.txt", &["cannot read m.txt"]),
        ("replay m.pml", &["is not a trail"]),
    ] {
        says(folder.run(line), line, words);
    }
}

/// One thing is not called several, and a process that has nothing left to do waits for nothing.
#[test]
fn numbers_and_ends_are_told_in_plain_words() {
    let folder = Folder::new();
    let model = "process P { state a, b; init a; trans a -> b {}; } system async;";
    folder.write("m.dve", model);
    folder
        .run("parse m.dve")
        .exits_with(0)
        .prints(&["P: 2 locations, 1 transition, 1 at the start"]);
    let ran = folder.run("check m.dve --no-trail").exits_with(1);
    ran.prints(&["P[0] has no statement left"]);
}
