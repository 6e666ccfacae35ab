//! Searches with a few bits of each state, on the command line.

use crate::support::Folder;
use serde_json::{Value, json};

const MODEL: &str = "byte x; byte y;
ltl small { [](x < 100) } ltl returns { []<>(x == 2) }
active proctype P() { do :: x = (x + 1) % 3; assert(x < 3) od }
active proctype Q() { do :: y = (y + 1) % 40 od }";

fn result(folder: &Folder, line: &str, code: i32) -> Value {
    let line = format!("check {line} --no-trail --json");
    folder.run(&line).exits_with(code).json()["results"][0].clone()
}

#[test]
fn searches_for_states_bound_what_they_may_have_missed() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    let ran = folder.run("check m.pml --safety --store bitstate --memory 64M --seed 5");
    ran.exits_with(3).prints(&[
        "safety no violation found",
        "not a proof: 240 states were visited (seed 5), distinguished by 3 bits in a table of 32.0 MiB, 0.0 % full",
        "the probability that any state was omitted is at most ",
    ]);
    for (store, search) in [
        ("bitstate:1", "bfs"),
        ("bitstate:3", "dfs"),
        ("bitstate:16", "dfs"),
    ] {
        let line = format!("m.pml --safety --search {search} --store {store} --memory 64M");
        let found = result(&folder, &line, 3);
        let facts = json!([found["verdict"], found["search"], found["states_stored"]]);
        assert_eq!(facts, json!(["no violation found", search, 240]), "{line}");
        let guarantee = &found["guarantee"];
        let distinction = &guarantee["distinction"];
        assert_eq!(distinction["kind"], "bloom");
        assert_eq!(distinction["bits"], 8 * (32u64 << 20));
        let probes = distinction["probes"].as_u64().unwrap();
        assert_eq!(store, format!("bitstate:{probes}"));
        // Two states rarely have a bit in common.
        let ones = distinction["ones"].as_u64().unwrap();
        assert!((240 * probes - 3..=240 * probes).contains(&ones), "{line}");
        assert!(guarantee["any"].as_f64().unwrap() < 2e-4, "{line}");
        let missed = &guarantee["missed_state"];
        assert!(missed["probability"].as_f64().unwrap() < 2e-3, "{line}");
    }
    let line = "m.pml --safety --store bitstate --workers 2 --invariant x!=2";
    let found = result(&folder, line, 1);
    assert_eq!(found["verdict"], "violated");
    let line = "m.pml --safety --store bitstate --confirm 2";
    assert_eq!(result(&folder, line, 3)["guarantee"]["searches"], 2);
}

#[test]
fn searches_for_runs_have_no_bound_for_a_given_lasso() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    let line = "--ltl small --search ndfs --store bitstate:4 --seed 5";
    let ran = folder.run(&format!("check m.pml {line}"));
    ran.exits_with(3).prints(&[
        "ltl small no violation found",
        "no bound is known for a given counterexample",
        "search ndfs",
    ]);
    let guarantee = result(&folder, &format!("m.pml {line}"), 3)["guarantee"].clone();
    let missed = json!([guarantee["missed_state"], guarantee["missed_lasso"]]);
    assert_eq!(missed, json!([null, null]));
    for search in ["", "--search ndfs"] {
        let line = format!("check m.pml --ltl returns {search} --store bitstate --no-trail");
        let ran = folder.run(&line).exits_with(1);
        ran.prints(&["counterexample, replayed step by step", "search ndfs"]);
    }
}

#[test]
fn what_a_table_of_bits_cannot_do_is_refused() {
    let folder = Folder::new();
    folder.write("m.pml", MODEL);
    for (line, words) in [
        ("--safety --search dfs --workers 2", "has one worker"),
        ("--ltl small --search ndfs --workers 2", "has one worker"),
        ("--ltl small --workers 2", "has one worker"),
        (
            "--ltl small --fair weak",
            "weak fairness is searched with --store compact:40; leave --fair out",
        ),
        (
            "--ltl small --fair strong",
            "--store bitstate:3: fairness needs several acceptance sets",
        ),
        (
            "--ltl small --shortest",
            "--store bitstate:3: a shortest counterexample needs all states",
        ),
        (
            "--ltl small --search owcty",
            "--search owcty does not support --store bitstate:3, only tree, flat, compact:BITS or compact:auto; choose one of these stores, or --search bfs, dfs or ndfs",
        ),
        (
            "--ltl small --search map",
            "--search map does not support --store bitstate:3",
        ),
        (
            "--ltl small --search scc",
            "--search scc does not support --store bitstate:3",
        ),
        (
            "--ltl small --spill .",
            "--store bitstate:3: properties of runs are searched depth first, without a queue; leave --spill out",
        ),
        (
            "--safety --search monte-carlo",
            "random walks store no states",
        ),
    ] {
        let ran = folder.run(&format!("check m.pml {line} --store bitstate"));
        ran.exits_with(2).complains_of(&[words]);
    }
    for probes in ["0", "17", "99", "x", "-1", ""] {
        let ran = folder.run(&format!("check m.pml --safety --store bitstate:{probes}"));
        let words = format!("'{probes}' is not a number of bits of a state between 1 and 16");
        ran.exits_with(2).complains_of(&[&words]);
    }
}

/// The table and all that waits are within the memory; the table never grows.
#[test]
fn the_memory_is_not_exceeded() {
    let folder = Folder::new();
    let model =
        "int a[2000]; short i; active proctype P() { do :: i < 30000 -> a[i % 2000] = i; i++ od }";
    folder.write("wide.pml", model);
    for line in [
        "--safety --no-deadlock --search dfs",
        "--formula [](i<30001) --search ndfs",
    ] {
        let line = format!("wide.pml {line} --store bitstate --memory 20M");
        let found = result(&folder, &line, 4);
        assert_eq!(found["guarantee"]["stopped_by"], "memory", "{line}");
        assert!(
            found["memory_bytes"].as_u64().unwrap() <= 20 << 20,
            "{found}"
        );
    }
    // A queue of one state: half of the memory suffices for any number of states.
    let line = "wide.pml --safety --no-deadlock --search bfs --store bitstate --memory 8M";
    let found = result(&folder, line, 3);
    assert_eq!(found["guarantee"]["distinction"]["bits"], 8 * (4u64 << 20));
    assert!(found["memory_bytes"].as_u64().unwrap() <= 8 << 20);
}
