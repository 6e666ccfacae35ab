//! Properties of runs on the command line: which are checked, verdicts, lassos, wrong input.

use crate::support::Folder;
use serde_json::{Value, json};

const STARVATION: &str = "bool busy; byte x;
active proctype Worker() { do :: busy = true; busy = false od }
active proctype Idler() { do :: x = 1 - x od }
ltl works { []<> busy }
ltl idles { [] (x < 2) }
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("s.pml", STARVATION);
    folder
}

#[test]
fn every_property_of_the_model_gets_a_verdict() {
    let folder = folder();
    folder.run("check s.pml").exits_with(1).prints(&[
        "s.pml: safety holds",
        "s.pml: ltl works violated",
        "s.pml: ltl idles holds",
        "the loop starts here",
        "back to the start of the loop",
        "the run violates []<>busy",
    ]);
    let only = folder.run("check s.pml --ltl idles").exits_with(0);
    assert!(!only.stdout.contains("safety holds"), "{}", only.stdout);
    only.prints(&["not checked: assertions and deadlocks (--safety), ltl works"]);
    let only = folder.run("check s.pml --safety").exits_with(0);
    only.prints(&["not checked: ltl works, ltl idles"]);
}

#[test]
fn fairness_is_named_in_the_verdict() {
    let folder = folder();
    for kind in ["weak", "strong"] {
        let verdict = format!("ltl works holds under {kind} fairness");
        folder
            .run(&format!("check s.pml --ltl works --fair {kind}"))
            .exits_with(0)
            .prints(&[&verdict]);
    }
}

#[test]
fn searches_agree() {
    let folder = folder();
    for search in ["auto", "ndfs", "scc"] {
        for (formula, code) in [
            ("[]<>busy", 1),
            ("<>[]!busy", 1),
            ("x < 2 U x == 1", 1),
            ("[]x<2", 0),
            ("[](x == 1 -> (x == 1 W x == 0))", 0),
            ("G \"x < 2\" & G(x < 3)", 0),
        ] {
            let args = [
                "check",
                "s.pml",
                "--shortest",
                "--search",
                search,
                "--formula",
                formula,
            ];
            folder.run_args(&args).exits_with(code);
        }
    }
}

#[test]
fn claims_and_automata_come_from_files() {
    let folder = folder();
    folder.write(
        "c.never",
        "never { do :: true :: !busy -> break od; accept: do :: !busy od }",
    );
    folder
        .run("check s.pml --never c.never")
        .exits_with(1)
        .prints(&["never never_0 violated"]);
    folder.run("check s.pml --never s.pml").exits_with(2);
    folder.write("empty.never", "/* nothing */");
    folder
        .run("check s.pml --never empty.never")
        .exits_with(2)
        .complains_of(&["empty.never has no never claim"]);
    folder
        .run("check s.pml --never")
        .exits_with(2)
        .complains_of(&["s.pml has no never claim"]);
    let hoa = folder
        .run("ltl []<>busy --negate --hoa")
        .exits_with(0)
        .stdout;
    folder.write("a.hoa", hoa);
    folder
        .run("check s.pml --hoa a.hoa")
        .exits_with(1)
        .prints(&["hoa a.hoa violated"]);
    folder.write("bad.hoa", "HOA: v1\nStates: two\n");
    folder
        .run("check s.pml --hoa bad.hoa")
        .exits_with(2)
        .complains_of(&["bad.hoa:2"]);
    folder.write("name.hoa", "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"nobody\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n");
    folder
        .run("check s.pml --hoa name.hoa")
        .exits_with(2)
        .complains_of(&["`nobody` is not declared"]);
}

#[test]
fn wrong_properties_are_explained() {
    let folder = folder();
    for (args, words) in [
        ("--ltl work", "did you mean `works`?"),
        ("--formula []<>bussy", "did you mean `busy`?"),
        ("--formula []<>", "expected"),
        ("--formula [](x=1)", "`==`"),
        ("--acceptance", "no process of the model has a label"),
        ("--safety --fair weak", "--fair"),
        ("--safety --search ndfs", "--search"),
        ("--safety --search dfs --workers 2", "has one worker"),
        (
            "--ltl works --search bfs",
            "choose ndfs, scc, owcty, map, rest or monte-carlo",
        ),
        (
            "--ltl works --search ndfs --fair weak",
            "does not support --fair",
        ),
        ("--hoa missing.hoa", "cannot read missing.hoa"),
    ] {
        folder
            .run(&format!("check s.pml {args}"))
            .exits_with(2)
            .complains_of(&[words]);
    }
}

/// A formula whose automaton would be too large ends with a message, not with the machine.
#[test]
fn large_formulas_end_with_a_message() {
    let folder = folder();
    let wide: Vec<String> = (0..40).map(|i| format!("<>(p{i}&&X<>q{i})")).collect();
    let wide = wide.join("&&");
    folder
        .run(&format!("ltl {wide} --time 1s"))
        .exits_with(2)
        .complains_of(&["formula"]);
    let long = vec!["[](x==1-><>x==0)"; 2500].join("&&");
    folder
        .run(&format!("check s.pml --formula {long} --time 10s"))
        .exits_with(1);
    let deep = "!(".repeat(10_000) + "busy" + &")".repeat(10_000);
    folder
        .run(&format!("check s.pml --formula {deep}"))
        .exits_with(1);
}

#[test]
fn lassos_replay_and_wrong_ones_are_refused() {
    let folder = folder();
    folder.run("check s.pml --ltl works").exits_with(1);
    folder
        .run("replay s.trail.json")
        .exits_with(1)
        .prints(&["the loop starts here"]);
    folder
        .run("simulate s.pml --trail s.trail.json")
        .exits_with(1)
        .prints(&["end of the trail: the run violates []<>busy"]);
    let good: Value = serde_json::from_str(&folder.read("s.trail.json")).unwrap();
    let length = good["steps"].as_array().unwrap().len();
    for (pointer, value) in [
        ("/loop_start", json!(length)),
        ("/loop_start", json!(length + 7)),
        ("/loop_start", json!(null)),
        ("/steps", json!([])),
        ("/claim/name", json!("idles")),
        ("/claim/fairness", json!("weak")),
        ("/claim/fairness", json!("strong")),
        ("/claim/kind", json!("acceptance")),
        ("/claim/kind", json!("non-progress")),
        ("/claim/text", json!("[]<>!busy")),
    ] {
        let mut bad = good.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        bad.pointer_mut(parent).unwrap()[key] = value.clone();
        folder.write("bad.json", bad.to_string());
        let ran = folder.run("replay bad.json");
        // Without progress labels a run that goes on for ever makes no progress: that is no lie.
        let code = if value == "non-progress" { 1 } else { 2 };
        ran.exits_with(code);
    }
}

#[test]
fn several_counterexamples_have_several_files() {
    let folder = Folder::new();
    folder.write(
        "two.pml",
        "byte x; active proctype P() { do :: x = 1 - x od }
         ltl one { <>[](x == 1) } ltl two { <>[](x == 0) } ltl three { [](x == 0) }",
    );
    folder.run("check two.pml").exits_with(1).prints(&[
        "written to two.trail.json",
        "lariat replay two.two.trail.json",
        "lariat replay two.three.trail.json",
    ]);
    for file in [
        "two.trail.json",
        "two.two.trail.json",
        "two.three.trail.json",
    ] {
        folder.run(&format!("replay {file}")).exits_with(1);
    }
}

#[test]
fn json_has_a_result_per_property() {
    let folder = folder();
    let ran = folder.run("check s.pml --json --fair weak").exits_with(0);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let results = report["results"].as_array().unwrap();
    let facts: Vec<_> = results
        .iter()
        .map(|r| {
            (
                r["property"].as_str().unwrap(),
                r["verdict"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("safety", "holds"),
        ("ltl works", "holds"),
        ("ltl idles", "holds"),
    ];
    assert_eq!(facts, expected);
    assert_eq!(results[1]["fairness"], "weak");
    assert_eq!(results[1]["kind"], "ltl");
    assert!(results[1]["automaton"]["states"].as_u64().unwrap() > 0);
}

#[test]
fn formulas_are_described() {
    let folder = Folder::new();
    folder
        .run("ltl [](p-><>q)")
        .exits_with(0)
        .prints(&["recurrence", "2 states"]);
    folder
        .run("ltl []<>p --negate --never")
        .exits_with(0)
        .prints(&["never {", "accept_"]);
    folder
        .run("ltl []<>p --dot")
        .exits_with(0)
        .prints(&["digraph"]);
    folder
        .run("ltl []<>p --hoa --tgba")
        .exits_with(0)
        .prints(&["HOA: v1", "--END--"]);
    folder.run("ltl (p").exits_with(2).complains_of(&["^"]);
    folder.run("ltl []<>p --hoa --dot").exits_with(2);
}

/// That it is not known whether a formula is stutter invariant keeps nothing else from being told.
#[test]
fn what_is_too_large_is_left_out() {
    let folder = Folder::new();
    let formula = "[](p -> <>(q || r)) && []<>(s && X t)";
    folder.run_args(&["ltl", formula]).exits_with(0).prints(&[
        "stutter invariant  not known",
        "Büchi automaton    5 states",
    ]);
}
