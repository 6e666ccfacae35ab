//! The command line as users and scripts meet it: exit codes, messages, wrong files, limits.

use std::io::{BufRead, BufReader};

use crate::check::every_search;
use crate::support::{Folder, Ran};
use serde_json::{Value, json};

#[test]
fn exit_codes_tell_the_verdict() {
    let folder = Folder::new();
    folder.run("check examples/peterson.pml").exits_with(0);
    folder.run("check examples/farmer.pml").exits_with(1);
    folder
        .run("check examples/too_big.pml --max-states 100")
        .exits_with(4);
    folder.write("wrong.pml", "active proctype P( { }");
    folder.run("check wrong.pml").exits_with(2);
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new();
    folder.run("--help").exits_with(0).prints(&["check"]);
    folder.run("check --help").exits_with(0).prints(&["MODEL"]);
    let version = env!("CARGO_PKG_VERSION");
    folder.run("--version").exits_with(0).prints(&[version]);
}

#[test]
fn synchronous_systems_are_for_the_interpreter() {
    let folder = Folder::new();
    let text = "process P { state q; init q; trans q -> q {}; } system sync;";
    folder.write("together.dve", text);
    let report = folder.run("check together.dve --json").exits_with(0).json();
    assert_eq!(report["results"][0]["exec"], json!("interp"));
    for exec in ["jit", "both"] {
        folder
            .run(&format!("check together.dve --exec {exec}"))
            .exits_with(2)
            .complains_of(&["--exec", exec, "no machine code", "choose interp"]);
    }
}

#[test]
fn wrong_command_lines_are_refused() {
    let folder = Folder::new();
    for line in [
        "",
        "chek examples/peterson.pml",
        "check",
        "check examples/peterson.pml --unknown",
        "check examples/peterson.pml --search sideways",
        "check examples/peterson.pml --memory much",
        "check examples/peterson.pml --memory 0",
        "check examples/peterson.pml --time soon",
        "check examples/peterson.pml --max-states -1",
        "check examples/peterson.pml --no-trail --trail t.json",
        "simulate examples/peterson.pml -i --seed 1",
        "replay",
    ] {
        let ran = folder.run(line).exits_with(2);
        assert!(!ran.stderr.is_empty(), "{line}");
        assert!(ran.stdout.is_empty(), "{line}");
    }
    folder
        .run("check examples/peterson.pml --serch dfs")
        .complains_of(&["--serch", "--search"]);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    for command in ["check", "simulate", "parse", "show", "replay"] {
        for file in ["missing.pml", "examples"] {
            folder
                .run(&format!("{command} {file}"))
                .exits_with(2)
                .complains_of(&["cannot read", file]);
        }
    }
}

#[test]
fn garbage_is_not_a_model() {
    let folder = Folder::new();
    let mut noise: Vec<u8> = (0..20_000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    folder.write("noise.pml", &noise);
    noise[0] = 0xff;
    folder.write("noise2.pml", &noise);
    folder.write("zeros.pml", [0; 1000]);
    folder.write("deep.pml", "init { x = ".to_string() + &"(".repeat(100_000));
    folder.write("braces.pml", "init ".to_string() + &"{".repeat(100_000));
    folder.write("string.pml", "init { printf(\"");
    folder.write("comment.pml", "init { /* ");
    for model in [
        "noise", "noise2", "zeros", "deep", "braces", "string", "comment",
    ] {
        let ran = folder.run(&format!("check {model}.pml")).exits_with(2);
        assert!(ran.stderr.contains("error"), "{model}");
    }
}

/// A model without processes is refused.
#[test]
fn an_empty_model_is_refused() {
    let folder = Folder::new();
    folder.write("empty.pml", "");
    for command in ["check", "simulate", "parse", "show"] {
        let ran = folder.run(&format!("{command} empty.pml")).exits_with(2);
        let message = "error: the model has no process to start with\n  \
            help: add `init { ... }` or write `active` before a proctype\n";
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", message));
    }
}

#[test]
fn json_is_one_object_and_nothing_else() {
    let folder = Folder::new();
    for (line, code) in [
        ("examples/peterson.pml", 0),
        ("examples/philosophers.pml", 1),
        ("examples/too_big.pml --max-states 50", 4),
    ] {
        let ran = folder.run(&format!("check --json {line}")).exits_with(code);
        assert!(ran.stdout.starts_with('{') && ran.stdout.ends_with("}\n"));
        assert!(ran.stderr.is_empty(), "{}", ran.stderr);
        ran.json();
    }
    let ran = folder.run("check --json missing.pml").exits_with(2);
    assert!(ran.stdout.is_empty());
}

#[test]
fn warnings_do_not_mix_with_json() {
    let folder = Folder::new();
    folder.write("unread.pml", "byte x; active proctype P() { x = 1 }");
    let ran = folder.run("check --json unread.pml").exits_with(0);
    ran.json();
    let ran = ran.complains_of(&["warning", "x"]);
    let quiet = folder.run("check --json --no-warnings unread.pml");
    assert!(quiet.stderr.is_empty() && !ran.stderr.is_empty());
}

/// As with `| head -1`: a closed pipe is not an error.
#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new();
    for (line, code) in [
        ("check examples/farmer.pml", 1),
        ("check examples/farmer.pml --json", 1),
        ("simulate examples/peterson.pml --steps 3000", 0),
        ("show examples/peterson.pml", 0),
        ("--help", 0),
    ] {
        let args: Vec<_> = line.split_whitespace().collect();
        let mut child = folder.command(&args).spawn().unwrap();
        let mut first = String::new();
        let mut reader = BufReader::with_capacity(64, child.stdout.take().unwrap());
        reader.read_line(&mut first).unwrap();
        drop(reader);
        let ran = Ran::new(child.wait_with_output().unwrap()).exits_with(code);
        assert!(!first.is_empty() && ran.stderr.is_empty(), "{line}");
    }
}

fn result(ran: &Ran) -> Value {
    ran.json()["results"][0].clone()
}

#[test]
fn memory_limits_are_kept() {
    let folder = Folder::new();
    for search in every_search().iter().map(|id| id.name()) {
        for (text, bytes) in [("2M", 2 << 20), ("700k", 700 << 10), ("0.5MiB", 1 << 19)] {
            let ran = folder.run(&format!(
                "check examples/too_big.pml --json --search {search} --memory {text}"
            ));
            let result = result(&ran.exits_with(4));
            assert_eq!(result["verdict"], "exhausted");
            assert_eq!(result["guarantee"]["stopped_by"], "memory");
            let used = result["memory_bytes"].as_u64().unwrap();
            assert!(used <= bytes, "{search}: {used} of {bytes} bytes");
            assert!(result["states_stored"].as_u64().unwrap() > 100);
        }
    }
}

/// Limits that are too small for any search: no panic, and no verdict `holds`.
#[test]
fn absurd_limits_are_answered() {
    let folder = Folder::new();
    for limit in ["--memory 1", "--memory 100", "--max-states 0", "--time 0s"] {
        for search in every_search().iter().map(|id| id.name()) {
            let line = format!("check examples/too_big.pml --json --search {search} {limit}");
            let result = result(&folder.run(&line).exits_with(4));
            assert_eq!(result["verdict"], "exhausted");
        }
    }
}

#[test]
fn time_limits_end_a_search() {
    let folder = Folder::new();
    let ran = folder.run("check examples/too_big.pml --json --time 1s --memory 500M");
    let result = result(&ran.exits_with(4));
    assert_eq!(result["guarantee"]["kind"], "partial_coverage");
    let why = result["guarantee"]["stopped_by"].as_str().unwrap();
    assert!(["time", "memory"].contains(&why), "{why}");
    let ran = folder.run("check examples/too_big.pml --json --time 50ms");
    assert_eq!(
        self::result(&ran.exits_with(4))["guarantee"]["stopped_by"],
        "time"
    );
}

#[test]
fn state_limits_are_exact() {
    let folder = Folder::new();
    for search in every_search().iter().map(|id| id.name()) {
        let ran = folder.run(&format!(
            "check examples/too_big.pml --json --max-states 1234 --search {search}"
        ));
        let result = result(&ran.exits_with(4));
        assert_eq!(result["states_stored"], 1234);
        assert_eq!(result["guarantee"]["stopped_by"], "states");
    }
    // Just enough is enough.
    folder
        .run("check examples/peterson.pml --max-states 38")
        .exits_with(0);
    folder
        .run("check examples/peterson.pml --max-states 37")
        .exits_with(4);
}

#[test]
fn invariants_hold_or_not_or_are_misspelt() {
    let folder = Folder::new();
    let check = |invariant: &str| {
        folder.run_args(&[
            "check",
            "examples/readers_writers.pml",
            "--invariant",
            invariant,
        ])
    };
    check("writing <= 1").exits_with(0).prints(&["holds"]);
    check("writing + reading <= 1")
        .exits_with(1)
        .prints(&["invariant violated: writing + reading <= 1", "reading = 2"]);
    folder
        .run("replay readers_writers.trail.json")
        .exits_with(1)
        .prints(&["invariant violated"]);
    check("writin <= 1")
        .exits_with(2)
        .complains_of(&["writin", "did you mean `writing`"]);
    for nonsense in ["", "writing <=", "writing = 1", "1 +", ")", "x; y"] {
        check(nonsense).exits_with(2).complains_of(&["error"]);
    }
    check("false")
        .exits_with(1)
        .prints(&["in the initial state"]);
}

#[test]
fn several_invariants_are_told_apart() {
    let folder = Folder::new();
    let ran = folder.run_args(&[
        "check",
        "examples/readers_writers.pml",
        "--json",
        "--all-errors",
        "--invariant",
        "writing <= 1",
        "--invariant",
        "reading <= 2",
        "--invariant",
        "reading <= 1",
    ]);
    let result = result(&ran.exits_with(1));
    let messages: Vec<_> = result["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        messages,
        [
            "invariant violated: reading <= 1",
            "invariant violated: reading <= 2"
        ]
    );
}

#[test]
fn macros_come_from_the_command_line() {
    let folder = Folder::new();
    folder.write(
        "macro.pml",
        "#ifndef N\n#define N 3\n#endif\nactive proctype P() { assert(N == 3) }",
    );
    folder.run("check macro.pml").exits_with(0);
    folder.run("check macro.pml -DN=4").exits_with(1);
    folder.run("check macro.pml -D N=3").exits_with(0);
    folder.run("check macro.pml -DN=4 -UN").exits_with(0);
    folder.run("check macro.pml -UN -DN=4").exits_with(1);
    // A trail knows with which macros its model was read.
    folder
        .run("replay macro.trail.json")
        .exits_with(1)
        .prints(&["assert(4 == 3)"]);
}

#[test]
fn included_files_are_found() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("parts")).unwrap();
    folder.write("parts/part.h", "#define LIMIT 3\n");
    folder.write(
        "main.pml",
        "#include \"part.h\"\nactive proctype P() { assert(LIMIT == 3) }",
    );
    folder.run("check main.pml -I parts").exits_with(0);
    folder.run("check main.pml -Iparts").exits_with(0);
    folder
        .run("check main.pml")
        .exits_with(2)
        .complains_of(&["part.h"]);
}

#[test]
fn what_counts_as_an_error_can_be_chosen() {
    let folder = Folder::new();
    folder
        .run("check examples/philosophers.pml --no-deadlock")
        .exits_with(0);
    folder
        .run("check examples/farmer.pml --no-assert")
        .exits_with(0);
    folder
        .run("check examples/philosophers.pml --no-assert")
        .exits_with(1);
    folder
        .run("check examples/farmer.pml --no-deadlock")
        .exits_with(1);
}

#[test]
fn messages_to_full_channels_can_be_lost() {
    let folder = Folder::new();
    folder.write(
        "full.pml",
        "chan c = [1] of { byte }; active proctype P() { c!1; c!2 }",
    );
    folder.run("check full.pml").exits_with(1);
    folder.run("check full.pml -m").exits_with(0);
    folder.run("check full.pml --lossy").exits_with(0);
}

#[test]
fn a_seed_decides_a_simulation() {
    let folder = Folder::new();
    let run = |seed: u32| {
        let line = format!("simulate examples/alternating_bit.pml --steps 60 --seed {seed}");
        folder.run(&line).exits_with(0).stdout
    };
    assert_eq!(run(7), run(7));
    assert!((8..20).any(|seed| run(seed).lines().skip(1).ne(run(7).lines().skip(1))));
    // The seed that was chosen is printed and gives the same run again.
    let chosen = folder.run("simulate examples/alternating_bit.pml --steps 60");
    let seed = chosen.stdout.lines().next().unwrap();
    let seed = seed.strip_prefix("seed ").unwrap().parse().unwrap();
    assert_eq!(run(seed), chosen.stdout);
    let report = folder.run("check examples/peterson.pml --json --seed 5");
    assert_eq!(report.json()["seed"], 5);
}

#[test]
fn a_simulation_says_how_it_ended() {
    let folder = Folder::new();
    folder.write("end.pml", "active proctype P() { printf(\"hello\\n\") }");
    folder
        .run("simulate end.pml")
        .exits_with(0)
        .prints(&["| hello", "end: every process"]);
    let quiet = folder.run("simulate end.pml --quiet").exits_with(0);
    assert_eq!(quiet.stdout, "hello\n");
    folder.write("stuck.pml", "active proctype P() { false }");
    folder
        .run("simulate stuck.pml")
        .exits_with(1)
        .prints(&["invalid end state", "P[0] waits for"]);
    folder.write("bad.pml", "active proctype P() { assert(false) }");
    folder
        .run("simulate bad.pml")
        .exits_with(1)
        .prints(&["assertion violated"]);
    folder
        .run("simulate examples/peterson.pml --steps 3")
        .exits_with(0)
        .prints(&["stopped after 3 steps"]);
}

#[test]
fn a_simulation_by_hand_goes_forward_and_back() {
    let folder = Folder::new();
    let ran = folder
        .run_with_input(
            "simulate -i examples/peterson.pml",
            "s\n1\n2\ns\nback\nstate\n99\nnonsense\nh\nb\nb\nq\n",
        )
        .exits_with(0)
        .prints(&[
            "inside = 0",
            "user[0] line",
            "wants[0] = true",
            "choose a number from the list",
            "show all variables",
            "this is the beginning",
        ]);
    // After going back, the second `state` shows one process less in its critical section.
    let shown: Vec<_> = ran.stdout.matches("wants[1] = true").collect();
    assert_eq!(shown.len(), 2, "{}", ran.stdout);
    // The end of the input is an end, too.
    folder
        .run_with_input("simulate -i examples/peterson.pml", "1\n")
        .exits_with(0);
}

#[test]
fn a_trail_replays_and_can_be_followed() {
    let folder = Folder::new();
    folder
        .run("check examples/farmer.pml --trail river.json")
        .exits_with(1)
        .prints(&["river.json"]);
    assert!(!folder.exists("farmer.trail.json"));
    folder
        .run("replay river.json")
        .exits_with(1)
        .prints(&["takes the wolf", "then: assertion violated"]);
    folder
        .run("simulate examples/farmer.pml --trail river.json")
        .exits_with(1)
        .prints(&["takes the wolf", "end of the trail"]);
    folder
        .run_with_input("simulate examples/farmer.pml --trail river.json -i", "q\n")
        .prints(&["takes the wolf", "> "]);
    // The model may have moved.
    std::fs::rename(folder.path("examples/farmer.pml"), folder.path("f.pml")).unwrap();
    folder
        .run("replay river.json")
        .exits_with(2)
        .complains_of(&["cannot read"]);
    folder.run("replay river.json --model f.pml").exits_with(1);
}

#[test]
fn every_error_has_its_trail() {
    let folder = Folder::new();
    folder.write(
        "two.pml",
        "byte x; active proctype P() { if :: x = 1 :: x = 2 fi; assert(x != 1); assert(x != 2) }",
    );
    let ran = folder.run("check two.pml --all-errors --json");
    let result = result(&ran.exits_with(1));
    assert_eq!(result["errors"], 2);
    assert_eq!(result["guarantee"]["complete"], true);
    for violation in result["violations"].as_array().unwrap() {
        let file = violation["trail"].as_str().unwrap();
        folder
            .run(&format!("replay {file}"))
            .exits_with(1)
            .prints(&[violation["message"].as_str().unwrap()]);
    }
}

#[test]
fn no_trail_means_no_file() {
    let folder = Folder::new();
    folder
        .run("check examples/farmer.pml --no-trail")
        .exits_with(1);
    assert!(!folder.exists("farmer.trail.json"));
    folder
        .run("check examples/farmer.pml --trail /proc/t.json")
        .exits_with(1)
        .prints(&["safety violated"])
        .complains_of(&["cannot write"]);
}

#[test]
fn files_that_are_no_trails_are_refused() {
    let folder = Folder::new();
    folder.run("check examples/philosophers.pml").exits_with(1);
    let good = folder.read("philosophers.trail.json");
    let mut cases: Vec<Vec<u8>> = [1, 2, 4, 10]
        .map(|part| good.as_bytes()[..good.len() - good.len() / part].to_vec())
        .to_vec();
    cases.push(good.as_bytes()[..good.len() - 1].to_vec());
    for text in ["", "null", "[]", "{}", "7", "\"trail\"", "{\"format\": 1}"] {
        cases.push(text.into());
    }
    cases.push("[".repeat(200_000).into());
    cases.push(vec![0xff; 100]);
    cases.push(vec![0; 100]);
    cases.push(good.replace("\"format\": 2", "\"format\": 99").into());
    for case in cases {
        folder.write("bad.json", &case);
        for command in [
            "replay bad.json",
            "simulate examples/philosophers.pml --trail bad.json",
        ] {
            folder
                .run(command)
                .exits_with(2)
                .complains_of(&["error: ", "bad.json"]);
        }
    }
}

#[test]
fn wrong_trails_are_refused() {
    let folder = Folder::new();
    folder.run("check examples/philosophers.pml").exits_with(1);
    let good: Value = serde_json::from_str(&folder.read("philosophers.trail.json")).unwrap();
    let lies = [
        ("/steps/0/pid", json!(1)),
        ("/steps/0/pid", json!(4_000_000_000u32)),
        ("/steps/0/transition", json!(4_000_000_000u32)),
        ("/steps/0/timeout", json!(true)),
        (
            "/steps/0/partner",
            json!({"pid": 9, "process": "", "transition": 9, "file": "", "line": 1, "statement": ""}),
        ),
        ("/steps", json!([])),
        ("/violation/code", json!(1)),
        ("/violation/code", json!(15)),
        ("/violation/code", json!(u32::MAX)),
    ];
    for (pointer, value) in lies {
        let mut bad = good.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        bad.pointer_mut(parent).unwrap()[key] = value.clone();
        folder.write("bad.json", bad.to_string());
        folder
            .run("replay bad.json")
            .exits_with(2)
            .complains_of(&["does not replay"]);
    }
}

#[test]
fn a_trail_belongs_to_its_model() {
    let folder = Folder::new();
    folder.run("check examples/philosophers.pml").exits_with(1);
    folder
        .run("simulate examples/farmer.pml --trail philosophers.trail.json")
        .exits_with(2)
        .complains_of(&["is not the model that the trail was written for"]);
    let text = folder.read("examples/philosophers.pml");
    folder.write("examples/philosophers.pml", text + "\n/* edited */\n");
    for command in [
        "replay philosophers.trail.json",
        "simulate examples/philosophers.pml --trail philosophers.trail.json",
    ] {
        folder
            .run(command)
            .exits_with(2)
            .complains_of(&["is not the model that the trail was written for"]);
    }
}

#[test]
fn models_are_described() {
    let folder = Folder::new();
    folder
        .run("parse examples/scheduler.pml")
        .exits_with(0)
        .prints(&["no errors", "Job jobs[3]", "worker:"]);
    folder
        .run("show examples/buffer_bug.pml")
        .exits_with(0)
        .prints(&["digraph", "producer", "count++"]);
}
