//! What is written to files, and what must not be.

use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::support::{Folder, Ran};

const COUNTER: &str = "int x; active proctype P() { do :: x < 3 -> x++ :: else -> break od }";

#[test]
fn a_trail_replaces_nothing_but_trails() {
    let folder = Folder::new();
    let check = "check examples/philosophers.pml --trail";
    let model = folder.read("examples/philosophers.pml");
    folder.write("notes.txt", "mine");
    symlink(folder.path("notes.txt"), folder.path("link.json")).unwrap();
    std::fs::create_dir(folder.path("folder")).unwrap();
    for (name, words) in [
        ("examples/philosophers.pml", "is not a trail"),
        ("notes.txt", "is not a trail"),
        ("link.json", "not a regular file"),
        ("folder", "not a regular file"),
        ("/dev/null", "not a regular file"),
    ] {
        let ran = folder.run(&format!("{check} {name}"));
        ran.exits_with(2).complains_of(&["--trail", words]);
    }
    assert_eq!(folder.read("examples/philosophers.pml"), model);
    assert_eq!(folder.read("notes.txt"), "mine");
    // A trail may be written again.
    for _ in 0..2 {
        folder.run(&format!("{check} t.json")).exits_with(1);
    }
    folder.run("replay t.json").exits_with(1);
}

#[test]
fn the_default_name_never_takes_the_place_of_another_file() {
    let folder = Folder::new();
    folder.write("philosophers.trail.json", "my own notes");
    folder
        .run("check examples/philosophers.pml")
        .exits_with(1)
        .prints(&["written to philosophers.2.trail.json"]);
    assert_eq!(folder.read("philosophers.trail.json"), "my own notes");
}

#[test]
fn models_of_the_same_name_have_trails_of_their_own() {
    let folder = Folder::new();
    let model = folder.read("examples/philosophers.pml");
    for place in ["a", "b"] {
        std::fs::create_dir(folder.path(place)).unwrap();
        folder.write(&format!("{place}/bank.pml"), &model);
        folder.run(&format!("check {place}/bank.pml")).exits_with(1);
    }
    for (name, place) in [
        ("bank.trail.json", "a/bank.pml"),
        ("bank.2.trail.json", "b/bank.pml"),
    ] {
        let trail: Value = serde_json::from_str(&folder.read(name)).unwrap();
        assert_eq!(trail["model"]["file"], place);
    }
}

/// Formulas that differ in operators only would have the same name.
#[test]
fn every_property_has_a_trail_of_its_own() {
    let folder = Folder::new();
    folder.write("m.pml", COUNTER);
    let formulas = ["[](x == 0)", "<>[](x == 0)", "[]<>[](x == 0)", "[](x != 0)"];
    let mut args = vec!["check", "m.pml", "--json"];
    for formula in &formulas {
        args.extend(["--formula", formula]);
    }
    let report = folder.run_args(&args).exits_with(1).json();
    let results = report["results"].as_array().unwrap();
    let mut files: Vec<&str> = results
        .iter()
        .map(|r| r["trail"].as_str().unwrap())
        .collect();
    assert_eq!(files.len(), formulas.len());
    for (file, formula) in files.iter().zip(formulas) {
        let trail: Value = serde_json::from_str(&folder.read(file)).unwrap();
        assert_eq!(trail["claim"]["text"], formula);
        folder.run(&format!("replay {file}")).exits_with(1);
    }
    files.sort_unstable();
    files.dedup();
    assert_eq!(files.len(), formulas.len());
}

/// Each counterexample stands below the property that it violates.
#[test]
fn counterexamples_stand_with_their_properties() {
    let folder = Folder::new();
    folder.write("m.pml", COUNTER);
    let line = [
        "check",
        "m.pml",
        "--formula",
        "[](x != 2)",
        "--formula",
        "<>(x == 3)",
    ];
    let ran = folder.run_args(&[&line[..], &["--formula", "[](x < 1)", "--no-trail"]].concat());
    let out = ran.exits_with(1).stdout;
    let place = |text: &str| {
        out.find(text)
            .unwrap_or_else(|| panic!("no {text} in {out}"))
    };
    assert!(place("then: the run violates [](x != 2)") < place("ltl <>(x == 3) holds"));
    assert!(place("ltl [](x < 1) violated") < place("then: the run violates [](x < 1)"));
}

#[test]
fn output_that_is_lost_is_an_error() {
    let folder = Folder::new();
    for line in [
        "check examples/peterson.pml",
        "check examples/peterson.pml --json",
        "ltl []p --hoa",
    ] {
        let args: Vec<&str> = line.split_whitespace().collect();
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = folder.command(&args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            stderr.contains("cannot write to standard output"),
            "{stderr}"
        );
    }
}

/// Runs in one folder at the same time do not disturb each other.
#[test]
fn runs_in_one_folder_do_not_share_files() {
    let folder = Folder::new();
    let args = ["check", "examples/philosophers.pml"];
    for _ in 0..20 {
        let children: Vec<_> = (0..4)
            .map(|_| folder.command(&args).spawn().unwrap())
            .collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), stderr.as_str()), (Some(1), ""));
        }
    }
    let entries = std::fs::read_dir(folder.path(".")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!names.into_iter().any(|name| name.ends_with(".part")));
}

/// What a trail says about itself is not believed: the message comes from the replay.
#[test]
fn the_message_of_an_edited_trail_is_not_shown() {
    let folder = Folder::new();
    let check = "check examples/philosophers.pml --trail t.json";
    folder.run(check).exits_with(1);
    let mut trail: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
    trail["violation"]["message"] = "all is well".into();
    trail["violation"]["waiting"] = serde_json::json!(["nobody waits"]);
    folder.write("t.json", trail.to_string());
    for line in [
        "replay t.json",
        "simulate examples/philosophers.pml --trail t.json",
    ] {
        let ran = folder
            .run(line)
            .exits_with(1)
            .prints(&["invalid end state"]);
        assert!(!ran.stdout.contains("all is well"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("nobody waits"), "{}", ran.stdout);
    }
}

/// The model beside a trail is the one that is meant, whatever else has its name.
#[test]
fn a_trail_is_replayed_with_the_model_beside_it() {
    let folder = Folder::new();
    let model = folder.read("examples/philosophers.pml");
    for place in ["there", "here"] {
        std::fs::create_dir(folder.path(place)).unwrap();
    }
    folder.write("there/bank.pml", &model);
    folder.write("here/bank.pml", "active proctype P() { skip }");
    let in_folder = |place: &str, line: &str| {
        let args: Vec<&str> = line.split_whitespace().collect();
        let mut command = folder.command(&args);
        Ran::new(command.current_dir(folder.path(place)).output().unwrap())
    };
    in_folder("there", "check bank.pml").exits_with(1);
    in_folder("here", "replay ../there/bank.trail.json")
        .exits_with(1)
        .prints(&["invalid end state"]);
}

/// A model that is named is the one that is taken, and no other in its place.
#[test]
fn the_model_of_a_replay_can_be_named() {
    let folder = Folder::new();
    let check = "check examples/philosophers.pml --trail t.json";
    folder.run(check).exits_with(1);
    folder
        .run("replay t.json --model examples/philosophers.pml")
        .exits_with(1);
    folder
        .run("replay t.json --model missing.pml")
        .exits_with(2)
        .complains_of(&["cannot read missing.pml"]);
    folder
        .run("replay t.json --model examples/peterson.pml")
        .exits_with(2)
        .complains_of(&["is not the model that the trail was written for"]);
}

/// A trail is followed with the macros for which it was written, also if the language is named.
#[test]
fn a_trail_is_followed_as_it_was_written() {
    let folder = Folder::new();
    folder.write(
        "m.pml",
        "byte x; active proctype P() { x = N; assert(x == 1) }",
    );
    folder.run("check m.pml -DN=2 --trail t.json").exits_with(1);
    for options in ["", "--language promela", "-DN=2"] {
        let line = format!("simulate m.pml --trail t.json {options}");
        folder.run(&line).exits_with(1).prints(&["x = 2"]);
    }
    folder
        .run("simulate m.pml --trail t.json -DN=3")
        .exits_with(2);
}

/// By hand one can go back from the end of a trail, step by step, to the beginning.
#[test]
fn a_trail_can_be_walked_back() {
    let folder = Folder::new();
    folder.write("m.pml", COUNTER);
    let check = "check m.pml --invariant x<2 --trail t.json";
    folder.run(check).exits_with(1);
    let steps = serde_json::from_str::<Value>(&folder.read("t.json")).unwrap()["steps"]
        .as_array()
        .unwrap()
        .len();
    let line = "simulate m.pml -i --trail t.json";
    let out = folder
        .run_with_input(line, &format!("s\n{}s\nb\nq\n", "b\n".repeat(steps)))
        .exits_with(0)
        .stdout;
    let place = |text: &str| {
        out.find(text)
            .unwrap_or_else(|| panic!("no `{text}` in {out}"))
    };
    assert!(place("  x = 2\n") < place("  x = 0\n"));
    assert!(place("  x = 0\n") < place("this is the beginning"));
}

/// The folder of a trail is looked at before the search, not after it.
#[test]
fn a_trail_needs_a_folder() {
    let folder = Folder::new();
    let ran = folder.run("check examples/philosophers.pml --trail nowhere/t.json");
    let ran = ran
        .exits_with(2)
        .complains_of(&["--trail", "there is no folder nowhere"]);
    assert!(ran.stdout.is_empty());
}
