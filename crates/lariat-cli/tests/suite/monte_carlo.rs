//! `--search monte-carlo` and `estimate` on the command line.

use crate::support::{Folder, root};
use serde_json::{Value, json};

/// A folder with the small models for random lassos and the chains.
fn folder() -> Folder {
    let folder = Folder::new();
    for (from, endings) in [
        ("models/promela/montecarlo", "pml"),
        ("models/chain", "tra lab"),
    ] {
        for entry in std::fs::read_dir(root().join(from)).unwrap() {
            let path = entry.unwrap().path();
            let ending = path
                .extension()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if endings.split(' ').any(|e| e == ending) {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                folder.write(&name, std::fs::read(&path).unwrap());
            }
        }
    }
    folder
}

/// The result for the only property, without what is measured by the clock.
fn result(folder: &Folder, line: &str) -> Value {
    let mut result = folder.run(line).json()["results"][0].clone();
    for key in [
        "elapsed_seconds",
        "memory_bytes",
        "bytes_per_state",
        "workers",
        "exec",
        "interpreted_locations",
    ] {
        result[key] = json!(0);
    }
    result["sampling"]["steps_per_second"] = json!(0);
    result
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

#[test]
fn walks_without_a_violation_are_no_proof() {
    let folder = folder();
    let ran = folder.run("check examples/peterson.pml --search monte-carlo");
    ran.exits_with(3).prints(&[
        "safety no violation found",
        "not a proof: 4,603 random lassos were drawn, and none of them violates it",
        "with a probability of 0.001 or more",
        "would be at most 0.01",
        "every possible step is equally likely, also inside atomic sequences",
        "4,603: 0 violating, 4,603 not; lasso, seed 1",
    ]);
    let ran = folder.run(
        "check examples/philosophers_fair.pml --search monte-carlo --epsilon 0.05 --delta 0.1 --sampling multi-lasso",
    );
    ran.exits_with(3).prints(&[
        "ltl no_deadlock no violation found",
        "ltl no_starvation no violation found",
        "45 random lassos",
        "every possible transition is equally likely",
        "multi-lasso, seed 1",
    ]);
}

#[test]
fn violations_of_walks_are_replayed() {
    let folder = folder();
    let line =
        "check examples/philosophers_rounds.pml --ltl no_deadlock --search monte-carlo --seed 3";
    folder.run(line).exits_with(1).prints(&[
        "ltl no_deadlock violated",
        "counterexample, replayed step by step",
        "written to philosophers_rounds.trail.json",
    ]);
    let ran = folder.run("replay philosophers_rounds.trail.json");
    ran.exits_with(1).prints(&["violates"]);
    let line = "check examples/needham_schroeder.pml --ltl safe --search monte-carlo --no-trail";
    let long = result(&folder, &format!("{line} --json"));
    let short = result(&folder, &format!("{line} --json --shortest"));
    assert_eq!(long["sampling"], short["sampling"]);
    assert_eq!(short["guarantee"]["shortest"], json!(true));
    let steps = |result: &Value| number(&result["violations"][0]["steps"]);
    assert!(steps(&short) <= steps(&long));
    // An error of a step, deep in choices.
    let ran = folder.run("check deep_assertion.pml --search monte-carlo --walks 1e5 --no-trail");
    ran.exits_with(1).prints(&["assertion"]);
}

/// The same seed gives the same answer for any number of workers and any executor.
#[test]
fn workers_and_executors_change_nothing() {
    let folder = folder();
    for what in [
        "check examples/philosophers_rounds.pml -DN=8 --ltl no_deadlock --max-errors 7",
        "check examples/needham_schroeder.pml --ltl safe",
        "check nondeterministic_claim.pml --ltl steps_again --epsilon 0.01",
        "check select_inputs.pml --ltl in_range --epsilon 0.01 --uniform states",
        "check deep_assertion.pml --safety --max-errors 3",
    ] {
        let line = format!("{what} --search monte-carlo --json --no-trail --seed 9");
        let alone = result(&folder, &format!("{line} --workers 1"));
        for more in [
            "--workers 2",
            "--workers 5",
            "--exec interp",
            "--exec both --workers 3",
        ] {
            assert_eq!(
                result(&folder, &format!("{line} {more}")),
                alone,
                "{what} {more}"
            );
        }
        let other = result(&folder, &line.replace("--seed 9", "--seed 10"));
        assert_ne!(other["sampling"], alone["sampling"]);
    }
    let line = "estimate four_states.pml --acceptance --json --no-trail";
    let alone = result(&folder, &format!("{line} --workers 1"));
    assert_eq!(result(&folder, &format!("{line} --workers 3")), alone);
    let line = "estimate gambler.tra --labels gambler.lab --formula <>rich --json";
    let alone = result(&folder, &format!("{line} --workers 1"));
    assert_eq!(result(&folder, &format!("{line} --workers 3")), alone);
}

/// Whatever ends the walks, the claim is that of the walks that were made.
#[test]
fn a_time_limit_ends_with_a_bound() {
    let folder = folder();
    let line = "check examples/peterson.pml --search monte-carlo --time 300ms --json --delta 0.05";
    let ran = folder.run(line).exits_with(3).json();
    let guarantee = &ran["results"][0]["guarantee"];
    assert_eq!(guarantee["kind"], "hypothesis_test");
    assert_eq!(guarantee["stopped_by"], "time");
    let walks = number(&guarantee["walks"]);
    let expected = 1.0 - 0.05f64.powf(1.0 / walks);
    assert!(walks > 10.0 && (number(&guarantee["epsilon"]) / expected - 1.0).abs() < 1e-9);
    // A limit on the number of walks is a plan.
    let line = "check examples/peterson.pml --search monte-carlo --walks 50 --json";
    let ran = folder.run(line).exits_with(3).json();
    assert_eq!(ran["results"][0]["guarantee"]["stopped_by"], Value::Null);
    // Not a single walk: nothing can be said.
    let line = "check examples/philosophers_fair.pml -DN=200 --ltl no_deadlock --search monte-carlo --time 20ms --max-length 1e9";
    folder
        .run(line)
        .exits_with(4)
        .prints(&["exhausted", "no walk was completed", "--max-length"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_a_bound() {
    use std::process::Command;
    let folder = folder();
    let line = "check examples/peterson.pml --search monte-carlo --epsilon 1e-12";
    let args: Vec<&str> = line.split_whitespace().collect();
    let child = folder.command(&args).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let ran = crate::support::Ran::new(child.wait_with_output().unwrap());
    ran.exits_with(3).prints(&[
        "no violation found",
        "no more were drawn because it was interrupted",
        "of 4,605,",
    ]);
}

#[test]
fn cut_walks_are_unknown() {
    let folder = folder();
    let line =
        "check examples/peterson.pml --search monte-carlo --max-length 5 --epsilon 0.1 --json";
    let result = folder.run(line).exits_with(3).json()["results"][0].clone();
    let guarantee = &result["guarantee"];
    assert_eq!(guarantee["unknown"], result["sampling"]["cut"]);
    assert_eq!(guarantee["walks"], result["sampling"]["walks"]);
    // All of them were cut: nothing is ruled out.
    assert_eq!(number(&guarantee["unknown"]), number(&guarantee["walks"]));
    assert_eq!(number(&guarantee["epsilon"]), 1.0);
    let text = folder.run("check examples/peterson.pml --search monte-carlo --max-length 20");
    text.exits_with(3)
        .prints(&["were cut", "are counted as violations", "--max-length"]);
    // What is known of walks that are too long: their first steps.
    let line = "check examples/too_big.pml --search monte-carlo --max-length 1000 --walks 300";
    folder
        .run(line)
        .exits_with(3)
        .prints(&["violated it in fewer than 1,000 steps with a probability of 0.01523 or more"]);
}

/// A violation after exactly as many steps as the limit is not seen, and no claim speaks of it.
#[test]
fn a_claim_about_first_steps_leaves_out_the_last_one() {
    let folder = Folder::new();
    folder.write(
        "five.dve",
        "byte n; process P { state a; init a; trans a -> a { guard n < 9; effect n = n + 1; }; } system async;",
    );
    let line = "check five.dve --no-deadlock --invariant n!=5 --no-trail --search monte-carlo";
    let six = folder.run(&format!("{line} --max-length 6"));
    six.exits_with(1);
    let five = folder.run(&format!("{line} --max-length 5"));
    five.exits_with(3)
        .prints(&["violated it in fewer than 5 steps with a probability of"]);
}

/// Probabilities that are known by hand.
#[test]
fn estimates_are_near() {
    let folder = folder();
    for (what, expected) in [
        ("four_states.pml --acceptance", 0.125),
        ("four_states.pml --acceptance --method optimal", 0.125),
        ("four_states.pml --acceptance --sampling multi-lasso", 0.125),
        ("four_states.pml --acceptance --sampling splitting:3", 0.125),
        ("four_states.pml --acceptance --sampling biased", 0.125),
        ("chain_back.pml --acceptance -DN=6", 1.0 / 64.0),
        (
            "chain_back.pml --acceptance -DN=9 --sampling multi-lasso",
            1.0 / 512.0,
        ),
        ("deep_assertion.pml --safety -DN=7", 1.0 / 128.0),
        (
            "examples/needham_schroeder.pml --ltl safe -DCLEVER",
            1.0 / 32.0,
        ),
        ("die.tra --labels die.lab --formula <>six", 5.0 / 6.0),
        (
            "gambler.tra --labels gambler.lab --formula <>rich",
            1.0 - 80.0 / 665.0,
        ),
        (
            "adversary.tra --labels adversary.lab --formula <>[]!last",
            1.0,
        ),
        ("election.tra --labels election.lab --formula <>leader", 0.0),
    ] {
        let line = format!("estimate {what} --no-trail --json --epsilon 0.2 --delta 1e-6");
        let line = match what.contains(".tra") {
            true => line.replace(" --no-trail", ""),
            false => line,
        };
        let ran = folder.run(&format!("{line} --walks 20000"));
        let ran = if expected == 0.0 {
            ran.exits_with(3)
        } else {
            folder.run(&line).exits_with(0)
        };
        let estimate = ran.json()["results"][0]["sampling"]["estimate"].clone();
        let (low, high) = (
            number(&estimate["interval"][0]),
            number(&estimate["interval"][1]),
        );
        assert!((low..=high).contains(&expected), "{what}: {low} to {high}");
        if expected > 0.0 {
            let value = number(&estimate["value"]);
            assert!((value / expected - 1.0).abs() <= 0.2, "{what}: {value}");
        } else {
            assert_eq!(estimate["value"], Value::Null);
        }
    }
}

#[test]
fn several_errors_can_be_asked_for() {
    let folder = folder();
    let line = "check examples/philosophers_rounds.pml --ltl no_deadlock --search monte-carlo --max-errors 5 --json";
    let result = folder.run(line).exits_with(1).json()["results"][0].clone();
    assert_eq!(number(&result["sampling"]["violations"]), 5.0);
    let trails = result["violations"].as_array().unwrap();
    assert!(!trails.is_empty() && trails.len() <= 5);
    for violation in trails {
        let file = violation["trail"].as_str().unwrap();
        folder.run(&format!("replay {file}")).exits_with(1);
    }
}

/// Fewer violations than were allowed still rule out that they are frequent: here one in 96.
#[test]
fn few_errors_rule_out_many() {
    let folder = folder();
    let line = "check examples/needham_schroeder.pml --ltl safe --search monte-carlo --no-trail --json --epsilon 0.05 --max-errors 50";
    let result = folder.run(line).exits_with(1).json()["results"][0].clone();
    let bound = number(&result["sampling"]["ruled_out"]);
    let found = number(&result["sampling"]["violations"]);
    assert!(
        (1.0..50.0).contains(&found) && bound > 1.0 / 96.0 && bound < 0.05,
        "{bound}"
    );
    let line = line.replace("--json ", "");
    folder
        .run(&line)
        .exits_with(1)
        .prints(&["with a probability below 0.0"]);
}

/// The memory of many walks is that of the longest.
#[test]
fn memory_does_not_grow_with_the_number_of_walks() {
    let folder = folder();
    let bytes = |walks: &str| {
        let line = format!(
            "check examples/peterson.pml --search monte-carlo --workers 1 --json --walks {walks}"
        );
        number(&folder.run(&line).exits_with(3).json()["results"][0]["memory_bytes"])
    };
    let (few, many) = (bytes("1e3"), bytes("1e5"));
    assert!(many <= 2.0 * few && many < 10_000.0, "{few}, {many}");
}

#[test]
fn a_chain_is_checked() {
    let folder = folder();
    let line = "check gambler.tra --labels gambler.lab --formula <>rich --search monte-carlo";
    folder.run(line).exits_with(1).prints(&[
        "ltl <>rich violated",
        "-- the loop starts here --",
        "ruined",
    ]);
    let line = "check election.tra --labels election.lab --formula <>leader --search monte-carlo";
    folder.run(line).exits_with(3).prints(&[
        "random runs were drawn",
        "with the probabilities of the chain",
    ]);
}

/// What is wrong is said, and what to do about it.
#[test]
fn wrong_parameters_get_a_message() {
    let folder = folder();
    folder.write("short.tra", "2 3\n0 0 0.5\n0 1 0.4\n1 1 1\n");
    folder.write("bad.lab", "0=\"init\"\n77: 0\n");
    let walks = "check examples/peterson.pml --search monte-carlo";
    for (line, words) in [
        (format!("{walks} --epsilon 0"), "above 0 and below 1"),
        (format!("{walks} --epsilon 1"), "above 0 and below 1"),
        (format!("{walks} --epsilon -0.1"), "above 0 and below 1"),
        (format!("{walks} --delta 0"), "above 0 and below 1"),
        (format!("{walks} --delta 2"), "above 0 and below 1"),
        (format!("{walks} --delta nan"), "above 0 and below 1"),
        (format!("{walks} --max-length 0"), "a whole number above 0"),
        (format!("{walks} --walks many"), "a whole number above 0"),
        (format!("{walks} --sampling best"), "multi-lasso"),
        (format!("{walks} --max-errors 0"), "0 is not in 1.."),
        (
            format!("{walks} --fair weak"),
            "--fair is about properties of infinite runs",
        ),
        (
            format!("{walks} --store flat"),
            "random walks store no states",
        ),
        (format!("{walks} --runs 3"), "--walks"),
        (format!("{walks} --all-errors"), "--max-errors"),
        (
            format!("{walks} --sampling multi-lasso --uniform states"),
            "whole transitions",
        ),
        (format!("{walks} --formula []("), "expected a formula"),
        (format!("{walks} --formula EFx"), "not"),
        (format!("{walks} --labels die.lab"), "ends with .tra"),
        (
            "check examples/peterson.pml --epsilon 0.1".into(),
            "--search monte-carlo",
        ),
        (
            "check examples/peterson.pml --walks 10".into(),
            "--search monte-carlo",
        ),
        (
            "estimate examples/peterson.pml --formula <>false --sampling biased --method gbas"
                .into(),
            "optimal",
        ),
        (
            "check short.tra --formula <>x --search monte-carlo".into(),
            "sum to 0.9",
        ),
        (
            "check die.tra --labels bad.lab --formula <>x --search monte-carlo".into(),
            "bad.lab",
        ),
        (
            "check die.tra --labels die.lab --formula <>sx --search monte-carlo".into(),
            "`six`",
        ),
        (
            "check die.tra --labels die.lab --search monte-carlo".into(),
            "--formula",
        ),
        (
            "check die.tra --labels die.lab --formula <>six".into(),
            "--search monte-carlo",
        ),
        (
            "check die.tra --formula <>six --search monte-carlo --ltl x".into(),
            "--ltl has no meaning",
        ),
        (
            "check none.tra --formula <>six --search monte-carlo".into(),
            "cannot read none.tra",
        ),
    ] {
        folder.run(&line).exits_with(2).complains_of(&[words]);
    }
}
