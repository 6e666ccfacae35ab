//! What is said when a search ends early: by a signal, by a limit, before it began.

use crate::support::{Folder, Ran};

/// Searches that never end, and properties whose turn comes after the first of them.
const ENDLESS: &str = "int x, y;
ltl often { []<>(x == y) }
ltl large { <>(x > 100000000) }
active proctype P() { do :: x++ :: y++ od }";

/// Waits until a process handles a signal, and sends it.
#[cfg(target_os = "linux")]
fn send_when_handled(process: u32, number: u32) {
    let status = format!("/proc/{process}/status");
    loop {
        let text = std::fs::read_to_string(&status).unwrap();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        if caught >> (number - 1) & 1 == 1 {
            break;
        }
        std::thread::yield_now();
    }
    let mut kill = std::process::Command::new("kill");
    let kill = kill.args([format!("-{number}"), process.to_string()]);
    assert!(kill.status().unwrap().success());
}

/// A signal ends the search and not the program: there is a summary, and properties whose turn did not come say so.
#[cfg(target_os = "linux")]
#[test]
fn signals_end_with_a_summary() {
    const INTERRUPT: u32 = 2;
    const TERMINATE: u32 = 15;
    let folder = Folder::new();
    folder.write("endless.pml", ENDLESS);
    for signal in [INTERRUPT, TERMINATE] {
        let child = folder.command(&["check", "endless.pml"]).spawn().unwrap();
        send_when_handled(child.id(), signal);
        let ran = Ran::new(child.wait_with_output().unwrap()).exits_with(4);
        let blocks: Vec<&str> = ran.stdout.split("\n\nendless.pml: ").collect();
        assert_eq!(blocks.len(), 3, "{}", ran.stdout);
        assert!(blocks[0].contains("interrupted"), "{}", blocks[0]);
        for (block, name) in blocks[1..].iter().zip(["often", "large"]) {
            assert_eq!(
                block.trim_end(),
                format!(
                    "ltl {name} exhausted\n  not a proof: it was interrupted before the search began"
                )
            );
        }
    }
}

/// After a limit, there is advice, and nothing in it is refused.
#[test]
fn advice_can_be_followed() {
    let folder = Folder::new();
    folder.write("endless.pml", ENDLESS);
    for (line, advice, next) in [
        (
            "--safety --max-states 10",
            "more --max-states, or --search monte-carlo",
            "--safety --search monte-carlo --walks 1 --max-length 10",
        ),
        (
            "--safety --memory 100K",
            "more --memory, --store sample:auto, or --search monte-carlo",
            "--safety --store sample:auto --memory 100K --time 0s",
        ),
        (
            "--ltl large --time 0s",
            "more --time, or --search monte-carlo",
            "--ltl large --search monte-carlo --walks 1 --max-length 10",
        ),
        (
            "--ltl large --fair weak --max-states 10",
            "more --max-states, or --search monte-carlo without --fair",
            "--ltl large --search monte-carlo --walks 1 --max-length 10",
        ),
        (
            "--safety --store sample:dynamic:0.5 --max-states 10",
            "more --max-states, or --search monte-carlo",
            "--safety --search monte-carlo --walks 1 --max-length 10",
        ),
    ] {
        folder
            .run(&format!("check endless.pml {line}"))
            .exits_with(4)
            .prints(&[&format!("to get further: {advice}\n")]);
        let ran = folder.run(&format!("check endless.pml {next} --no-trail"));
        ran.exits_with(if next.contains("--time 0s") { 4 } else { 3 });
    }
}

/// A search that has stored nothing has no averages, and no complete depth.
#[test]
fn an_empty_search_has_no_averages() {
    let folder = Folder::new();
    folder.write("endless.pml", ENDLESS);
    let ran = folder.run("check endless.pml --safety --time 0s");
    let out = ran.exits_with(4).stdout;
    for words in ["bytes a state", "states a second", "no error within"] {
        assert!(!out.contains(words), "{out}");
    }
}

/// However little memory there is, that is the reason why a search ends, and not an error.
#[test]
fn little_memory_is_not_an_error() {
    let folder = Folder::new();
    folder.write("endless.pml", ENDLESS);
    for memory in ["1", "1K", "5K", "10K", "20K", "29K"] {
        for property in ["--safety", "--ltl often", "--ltl large --fair weak"] {
            let line = format!("check endless.pml {property} --memory {memory}");
            folder
                .run(&line)
                .exits_with(4)
                .prints(&["the memory limit was reached"]);
        }
    }
}
