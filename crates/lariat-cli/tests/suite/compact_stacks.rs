//! Depth-first searches with stores of fingerprints, on the command line.

use crate::support::Folder;
use serde_json::{Value, json};

const MODEL: &str = "byte x; byte y;
ltl small { [](x < 100) } ltl returns { []<>(x == 2) }
active proctype P() { do :: x = (x + 1) % 3; assert(x < 3) od }
active proctype Q() { do :: y = (y + 1) % 40 od }";

const DVE: &str = "byte x; process P { state a; init a; trans a -> a { effect x = (x + 1) % 7; }; } system async;";

fn result(folder: &Folder, line: &str, code: i32) -> Value {
    let line = format!("check {line} --no-trail --json");
    folder.run(&line).exits_with(code).json()["results"][0].clone()
}

#[test]
fn depth_first_search_bounds_what_it_may_have_missed() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    folder.write("m.dve", DVE);
    let ran = folder.run("check m.pml --safety --search dfs --store compact:40 --seed 5");
    ran.exits_with(3).prints(&[
        "safety no violation found",
        "not a proof: 240 states were visited (seed 5), distinguished by 40-bit fingerprints",
        "the probability that any state was omitted is at most 2.63e-8",
    ]);
    for (line, states) in [
        ("m.pml --safety --search dfs --store compact:64", 240),
        ("m.pml --safety --search dfs --store compact:auto", 240),
        ("m.dve --safety --search dfs --store compact:32", 7),
    ] {
        let found = result(&folder, line, 3);
        let facts = json!([found["verdict"], found["search"], found["states_stored"]]);
        assert_eq!(
            facts,
            json!(["no violation found", "dfs", states]),
            "{line}"
        );
        let guarantee = &found["guarantee"];
        assert!(guarantee["any"].as_f64().unwrap() < 1e-6, "{line}");
        let missed = &guarantee["missed_state"];
        assert!(missed["probability"].as_f64().unwrap() < 1e-6, "{line}");
        assert_eq!(guarantee["missed_lasso"], Value::Null, "{line}");
    }
    let line = "m.pml --safety --search dfs --store compact:40 --invariant x!=2";
    let found = result(&folder, line, 1);
    assert_eq!(found["guarantee"]["shortest"], false);
}

#[test]
fn nested_depth_first_search_has_no_bound_for_a_given_lasso() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    let line = "--ltl small --search ndfs --store compact:40 --seed 5";
    let ran = folder.run(&format!("check m.pml {line}"));
    ran.exits_with(3).prints(&[
        "ltl small no violation found",
        "the probability that any state was omitted is at most 2.63e-8",
        "no bound is known for a given counterexample",
        "search ndfs",
    ]);
    let guarantee = result(&folder, &format!("m.pml {line}"), 3)["guarantee"].clone();
    assert!(guarantee["any"].as_f64().unwrap() < 1e-6);
    let missed = json!([guarantee["missed_state"], guarantee["missed_lasso"]]);
    assert_eq!(missed, json!([null, null]));
    for store in ["compact:40", "compact:auto", "compact:32"] {
        let line = format!("check m.pml --ltl returns --search ndfs --store {store} --no-trail");
        let ran = folder.run(&line).exits_with(1);
        ran.prints(&["counterexample, replayed step by step", "search ndfs"]);
    }
}

#[test]
fn what_needs_states_is_refused() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    for (line, words) in [
        ("--safety --search dfs --workers 2", "has one worker"),
        ("--ltl small --search ndfs --workers 2", "has one worker"),
        (
            "--ltl small --search ndfs --fair weak",
            "--search ndfs does not support --fair weak",
        ),
        (
            "--ltl small --search ndfs --shortest",
            "a shortest counterexample needs all states",
        ),
    ] {
        let ran = folder.run(&format!("check m.pml {line} --store compact:40"));
        ran.exits_with(2).complains_of(&[words]);
    }
}

/// The words of the states on the stack are a part of the memory.
#[test]
fn a_deep_stack_of_wide_states_is_within_the_memory() {
    let folder = Folder::new();
    let model =
        "int a[2000]; short i; active proctype P() { do :: i < 30000 -> a[i % 2000] = i; i++ od }";
    folder.write("wide.pml", model);
    for line in [
        "--safety --no-deadlock --search dfs",
        "--formula [](i<30001) --search ndfs",
    ] {
        let line = format!("wide.pml {line} --store compact:40 --memory 20M");
        let found = result(&folder, &line, 4);
        assert_eq!(found["guarantee"]["stopped_by"], "memory", "{line}");
        assert!(
            found["memory_bytes"].as_u64().unwrap() <= 20 << 20,
            "{found}"
        );
    }
}
