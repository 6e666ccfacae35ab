//! Waiting states on disk.

use crate::support::{Folder, Ran};
use serde_json::Value;

/// 2^17 states, of which up to 48,620 wait; with a property that holds, and one that does not.
const CUBE: &str = "bool a[17];
ltl ends { <>(a[0] && a[16]) }
ltl stays { []<>!a[0] }
active [17] proctype P() { a[_pid] = 1 }";

/// So little memory that waiting states do not fit into their part.
const LITTLE: &str = "--memory 4M --no-deadlock";

/// A folder with the model, and an empty folder for what waits.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("cube.pml", CUBE);
    std::fs::create_dir(folder.path("disk")).unwrap();
    folder
}

/// The report of a run, and what must not depend on the place of waiting states.
fn facts(ran: &Ran) -> (Value, Value) {
    let report = ran.json();
    let result = &report["results"][0];
    let names = [
        "verdict",
        "states_stored",
        "states_matched",
        "max_depth",
        "errors",
    ];
    let facts = names.iter().map(|name| result[*name].clone()).collect();
    (result.clone(), facts)
}

/// Nothing may be left in the folder for what waits.
#[track_caller]
fn is_empty(folder: &Folder) {
    let entries = std::fs::read_dir(folder.path("disk")).unwrap();
    assert_eq!(entries.count(), 0);
}

#[test]
fn counts_and_verdicts_are_the_same() {
    let folder = folder();
    for (property, search, workers) in [
        ("--safety", "bfs", 1),
        ("--safety", "bfs", 2),
        ("--ltl ends", "owcty", 1),
        ("--ltl ends", "owcty", 2),
        ("--ltl stays", "owcty", 2),
    ] {
        let line = format!(
            "check cube.pml {property} {LITTLE} --search {search} --workers {workers} --json --no-trail"
        );
        let line = match property {
            "--safety" => line,
            _ => line.replace(" --no-deadlock", "").replace("4M", "16M"),
        };
        let (plain, expected) = facts(&folder.run(&line));
        assert!(plain["spill"].is_null());
        let ran = folder.run(&format!("{line} --spill disk"));
        let (spilled, found) = facts(&ran);
        assert_eq!(spilled["verdict"], plain["verdict"], "{line}");
        if plain["verdict"] == "holds" {
            assert_eq!(found, expected, "{line}");
        }
        let spill = &spilled["spill"];
        let written = spill["bytes_written"].as_u64().unwrap();
        let peak = spill["peak_bytes"].as_u64().unwrap();
        assert!(peak <= written, "{line}");
        if property == "--safety" {
            assert!(peak > 10_000, "{line}: {spill}");
        }
        is_empty(&folder);
    }
}

#[test]
fn the_limit_on_the_disk_ends_the_search() {
    let folder = folder();
    let line = format!("check cube.pml --safety {LITTLE} --spill disk:10K");
    folder.run(&line).exits_with(4).prints(&[
        "exhausted",
        "the limit on waiting states on disk was reached",
        "to get further: a larger SIZE in --spill DIR:SIZE",
    ]);
    is_empty(&folder);
    let report = folder.run(&format!("{line} --json")).json();
    assert_eq!(report["results"][0]["guarantee"]["stopped_by"], "disk");
}

/// A small file system in memory is full. Only the superuser can mount one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_search() {
    let folder = folder();
    let disk = folder.path("disk");
    let mount = |command: &str, args: &[&str]| {
        let mut command = std::process::Command::new(command);
        let command = command.args(args).arg(&disk);
        command.output().is_ok_and(|output| output.status.success())
    };
    if !mount("mount", &["-t", "tmpfs", "-o", "size=16k", "tmpfs"]) {
        eprintln!("not tested: no file system can be mounted");
        return;
    }
    let ran = folder.run(&format!("check cube.pml --safety {LITTLE} --spill disk"));
    assert!(mount("umount", &[]));
    ran.exits_with(4).prints(&[
        "exhausted",
        "the disk for waiting states is full",
        "to get further: --spill with a directory on a larger disk",
    ]);
}

#[test]
fn a_search_without_a_queue_is_refused() {
    let folder = folder();
    for (line, words) in [
        (
            "--safety --search dfs",
            "--search dfs has no queue of waiting states; leave --spill out, or choose bfs",
        ),
        (
            "--ltl ends --search ndfs",
            "--search ndfs has no queue of waiting states",
        ),
        (
            "--ltl ends --search scc",
            "--search scc has no queue of waiting states",
        ),
        (
            "--safety --search monte-carlo",
            "random walks have no queue of waiting states",
        ),
        ("--ltl ends --fair strong", "leave --spill out"),
        ("--safety --store sample:auto", "leave --spill out"),
    ] {
        folder
            .run(&format!("check cube.pml {line} --spill disk"))
            .exits_with(2)
            .complains_of(&[words]);
    }
    // A search with a queue is chosen.
    let report = folder
        .run("check cube.pml --ltl ends --max-states 50 --json --spill disk")
        .json();
    assert_eq!(report["results"][0]["search"], "owcty");
}

#[test]
fn a_wrong_directory_or_size_is_refused() {
    let folder = folder();
    folder.write("file", "");
    for (value, words) in [
        ("missing", "there is no such directory; create it"),
        ("missing:1G", "there is no such directory; create it"),
        ("file", "is not a directory; name one"),
        ("disk:much", "write a number with K, M, G or T"),
        ("disk:", "write a number with K, M, G or T"),
    ] {
        folder
            .run(&format!("check cube.pml --spill {value}"))
            .exits_with(2)
            .complains_of(&[words]);
    }
    std::fs::create_dir(folder.path("a:b")).unwrap();
    folder
        .run("check examples/peterson.pml --spill a:b")
        .exits_with(0);
    folder
        .run("check examples/peterson.pml --spill a:b:1M")
        .exits_with(0);
}

/// However a run ends, nothing is left in the directory.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_after_a_kill() {
    let folder = folder();
    folder.write(
        "endless.pml",
        "int a[20]; active [20] proctype P() { do :: a[_pid]++ od }",
    );
    for (signal, code) in [("-9", None), ("-2", Some(4))] {
        let args = [
            "check",
            "endless.pml",
            "--memory",
            "200M",
            "--spill",
            "disk",
            "--no-trail",
        ];
        let mut child = folder.command(&args).spawn().unwrap();
        let files = format!("/proc/{}/fd", child.id());
        // It has something on disk.
        let is_written = || {
            let entries = std::fs::read_dir(&files).into_iter().flatten().flatten();
            let mut paths = entries.filter_map(|entry| {
                let name = std::fs::read_link(entry.path()).ok()?;
                let is_spill = name.to_string_lossy().contains(".spill (deleted)");
                is_spill.then(|| std::fs::metadata(entry.path()).map_or(0, |data| data.len()))
            });
            paths.any(|length| length > 0)
        };
        while !is_written() {
            assert!(child.try_wait().unwrap().is_none(), "it ended early");
            std::thread::yield_now();
        }
        let mut kill = std::process::Command::new("kill");
        let kill = kill.args([signal.to_string(), child.id().to_string()]);
        assert!(kill.status().unwrap().success());
        assert_eq!(child.wait_with_output().unwrap().status.code(), code);
        is_empty(&folder);
    }
}
