//! Options that have no effect in a combination are refused; what was not checked is listed.

use serde_json::json;

use crate::support::Folder;

const MODEL: &str = "byte x; ltl small { [](x < 3) } ltl grows { <>(x == 2) }
active proctype P() { x = 1; x = 2; assert(x == 2) }";

#[test]
fn an_invariant_is_checked_beside_a_formula() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    let line = [
        "check",
        "m.pml",
        "--formula",
        "[](x <= 2)",
        "--invariant",
        "x < 1",
        "--no-trail",
    ];
    let ran = folder.run_args(&line).exits_with(1);
    ran.prints(&[
        "safety violated",
        "invariant violated: x < 1",
        "ltl [](x <= 2) holds",
    ]);
    let line = [
        "estimate",
        "m.pml",
        "--formula",
        "[](x <= 2)",
        "--invariant",
        "x < 1",
        "--no-trail",
    ];
    folder
        .run_args(&line)
        .exits_with(3)
        .prints(&["safety violated"]);
}

#[test]
fn what_is_not_checked_is_listed() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    let report = folder
        .run("check m.pml --ltl small --json")
        .exits_with(0)
        .json();
    let expected = json!(["assertions and deadlocks (--safety)", "ltl grows"]);
    assert_eq!(report["unchecked"], expected);
    let report = folder.run("check m.pml --json").exits_with(0).json();
    assert_eq!(report["unchecked"], json!([]));
}

#[test]
fn options_without_an_effect_are_refused() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    for (args, words) in [
        (
            "--ltl small --all-errors",
            "--all-errors is about errors of states",
        ),
        (
            "--ltl small --no-assert",
            "--no-assert is about errors of states",
        ),
        (
            "--ltl small --no-deadlock",
            "--no-deadlock is about errors of states",
        ),
        (
            "--safety --shortest",
            "--shortest is about properties of infinite runs",
        ),
        (
            "--safety --search monte-carlo --shortest",
            "--shortest is about properties",
        ),
        (
            "--ltl small --fair strong --shortest",
            "--shortest: shortest lasso",
        ),
        (
            "--ltl small --fair strong --workers 2",
            "searched by one worker",
        ),
        ("--seed 3 --order model", "nothing is drawn at random"),
        (
            "--confirm 3",
            "--store tree is exact, and one search suffices",
        ),
        (
            "--confirm 3 --store sample:auto",
            "--store sample:auto is exact",
        ),
        (
            "--confirm 3 --search monte-carlo",
            "--confirm: random walks store no states",
        ),
        ("--confirm 0", "invalid value '0'"),
        (
            "--ltl small --store compact:40 --fair strong",
            "--store compact:40: strong fairness needs a search of components",
        ),
        (
            "--ltl small --store compact:40 --shortest",
            "--store compact:40: a shortest counterexample needs all states",
        ),
        (
            "--ltl small --search scc --store compact:40",
            "--search scc does not support --store compact:40",
        ),
        (
            "--safety --search ndfs",
            "for errors of states and steps choose bfs, dfs",
        ),
        ("--method gbas", "unexpected argument"),
    ] {
        let ran = folder.run(&format!("check m.pml {args}")).exits_with(2);
        ran.complains_of(&[words]);
    }
    let ran = folder
        .run("estimate m.pml --ltl small --fair weak")
        .exits_with(2);
    ran.complains_of(&["a random lasso is too short to decide"]);
}

/// What ran is told, not what was asked for.
#[test]
fn reports_tell_what_ran() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    let result = |line: &str| folder.run(&format!("{line} --json")).json()["results"][0].clone();
    let safety = result("check m.pml --safety --workers 2");
    let facts = |r: &serde_json::Value| json!([r["search"], r["store"], r["workers"], r["exec"]]);
    assert_eq!(facts(&safety), json!(["bfs", "tree", 2, "jit"]));
    let dfs = result("check m.pml --safety --search dfs --exec interp --store flat");
    assert_eq!(facts(&dfs), json!(["dfs", "flat", 1, "interp"]));
    let walks = result("check m.pml --safety --search monte-carlo --workers 1 --exec both");
    assert_eq!(facts(&walks), json!(["monte-carlo", null, 1, "both"]));
    folder.write("c.tra", "2 3\n0 0 0.5\n0 1 0.5\n1 1 1\n");
    folder.write("c.lab", "0=\"done\"\n1: 0\n");
    let chain =
        result("check c.tra --labels c.lab --formula <>done --search monte-carlo --workers 1");
    assert_eq!(facts(&chain), json!(["monte-carlo", null, 1, null]));
}

/// A formula that no run can violate needs no search, and the answer says so.
#[test]
fn a_formula_that_is_always_true_is_proved_as_such() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    let line = ["check", "m.pml", "--formula", "[]((x == 1) -> <>(1 == 1))"];
    let ran = folder.run_args(&line).exits_with(0);
    let ran = ran.prints(&["proof: no run can violate this property"]);
    let ran = ran.complains_of(&["`1 == 1` is true in every state"]);
    assert!(
        !ran.stdout.contains("every reachable state"),
        "{}",
        ran.stdout
    );
}

/// Walks with states that are larger than the memory end soon, and inside it.
#[test]
fn walks_with_wide_states_stay_inside_their_budget() {
    let folder = Folder::new();
    let text = "int arr[1000000]; int i;
        active [2] proctype P() { do :: arr[i] = arr[i] + 1; i = (i + 1) % 1000000 od }";
    folder.write("wide.pml", text);
    let line = "check wide.pml --safety --search monte-carlo --memory 64M --time 1s --json";
    let result = folder.run(line).json()["results"][0].clone();
    let bytes = result["memory_bytes"].as_u64().unwrap();
    assert!(bytes <= 64 << 20, "{bytes}");
}

/// `--never` with a file does not take the place of `--never` without one.
#[test]
fn claims_of_the_model_and_of_files_are_checked_together() {
    let folder = Folder::new();
    folder.write(
        "m.pml",
        "byte x; active proctype P() { x = 1 } never one { do :: x == 0 od }",
    );
    folder.write("claim.pml", "never two { do :: x == 1 -> break od }");
    folder.write("none.pml", "/* nothing */");
    let titles = |line: &str| -> Vec<String> {
        let report = folder.run(&format!("check m.pml --json {line}")).json();
        let results = report["results"].as_array().unwrap().iter();
        let title = |result: &serde_json::Value| result["property"].as_str().unwrap().into();
        results.map(title).collect()
    };
    assert_eq!(titles("--never"), ["never one"]);
    assert_eq!(titles("-N claim.pml"), ["never two"]);
    assert_eq!(
        titles("-N claim.pml --never --safety"),
        ["safety", "never one", "never two"]
    );
    folder
        .run("check m.pml -N claim.pml -N none.pml")
        .exits_with(2)
        .complains_of(&["none.pml has no never claim"]);
    folder
        .run("check m.pml -N missing.pml")
        .exits_with(2)
        .complains_of(&["--never: there is no file missing.pml"]);
}

/// Options of other commands that would have no effect.
#[test]
fn other_commands_refuse_options_without_an_effect() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    folder.write("c.tra", "1 1\n0 0 1\n");
    for (line, words) in [
        ("experiment --out folder", "<NAME>"),
        ("experiment --quick", "<NAME>"),
        ("experiment --seed 3", "<NAME>"),
        ("experiment --table 1", "<NAME>"),
        ("experiment --figure 3", "<NAME>"),
        ("experiment --models folder", "<NAME>"),
        ("experiment --repetitions 3", "<NAME>"),
        ("experiment grosu2005 --table 99", "no table 99"),
        ("simulate m.pml -i --seed 3", "cannot be used with"),
        ("simulate m.pml -i --steps 3", "cannot be used with"),
        (
            "simulate m.pml --trail t.json --steps 3",
            "cannot be used with",
        ),
        (
            "simulate m.pml --trail t.json --seed 3",
            "cannot be used with",
        ),
        ("simulate c.tra", "a Markov chain has no processes"),
        ("parse c.tra", "a Markov chain has no processes"),
        ("show c.tra", "a Markov chain has no processes"),
        ("parse m.pml --wrap", "--wrap is an option for DVE"),
        ("ltl []p --tgba", "--tgba goes with --hoa or --dot"),
        ("ltl []p --tgba --never", "cannot be used with"),
        ("ltl []p --tgba --stats", "cannot be used with"),
        ("ltl []p --hoa --dot", "cannot be used with"),
    ] {
        let ran = folder.run(line).exits_with(2).complains_of(&[words]);
        assert!(ran.stdout.is_empty(), "{line}: {}", ran.stdout);
    }
}

/// `--exec both` compares from the first state on, and says where there is nothing to compare.
#[test]
fn comparing_executors_tells_what_was_compared() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    let provided = "byte x; active proctype P() provided (x < 2) { do :: x = 1 - x od }";
    folder.write("provided.pml", provided);
    let interpreted = |line: &str| {
        let result = folder.run(&format!("{line} --json")).json()["results"][0].clone();
        result["interpreted_locations"].clone()
    };
    assert_eq!(interpreted("check m.pml --safety --exec both"), json!(0));
    assert_eq!(interpreted("check provided.pml --exec both"), json!(1));
    assert_eq!(interpreted("check provided.pml"), json!(null));
    folder
        .run("check provided.pml --exec both")
        .exits_with(0)
        .prints(&["nothing was compared at 1 location: there is no machine code for it"]);
}
