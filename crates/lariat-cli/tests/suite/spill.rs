//! Waiting states on disk.

use crate::support::{Folder, Ran};
use serde_json::Value;

/// A tree whose last level, which has 2^16 values of `x`, waits at the end; with a property that holds, and one that does not.
const NARROW: &str = "int x = 1;
ltl ends { <>(x >= 65536) }
ltl stays { []<>(x < 1000) }
active proctype P() {
  do
  :: x < 65536 -> x = 2 * x
  :: x < 65536 -> x = 2 * x + 1
  :: else -> break
  od
}";

/// The same with states of 200 bytes more.
fn wide() -> String {
    let declared = NARROW.replacen("int x = 1;", "int x = 1; int kept[50];", 1);
    let [even, odd] = ["x = 2 * x\n", "x = 2 * x + 1\n"];
    let kept = |step: &str| format!("{}; kept[x % 50] = x\n", step.trim());
    declared.replace(even, &kept(even)).replace(odd, &kept(odd))
}

/// A search whose waiting states need twenty times the memory that they have.
const FULL_QUEUE: &str = "check wide.pml --safety --no-deadlock --search bfs --store compact:40 --memory 12M --workers 1 --no-trail";

/// A folder with the model, and an empty folder for what waits.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("narrow.pml", NARROW);
    folder.write("wide.pml", wide());
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
    for (model, line, memory) in [
        ("narrow", "--ltl ends --search owcty", "14M"),
        ("narrow", "--ltl ends --search map", "18M"),
        ("narrow", "--ltl stays --search owcty", "30M"),
        ("narrow", "--ltl stays --search map", "30M"),
        ("wide", "--safety --search bfs --store compact:40", "12M"),
    ] {
        for workers in 1..=2 {
            let line =
                format!("check {model}.pml {line} --workers {workers} --json --no-trail --memory");
            let (plain, expected) = facts(&folder.run(&format!("{line} 1G")));
            assert!(plain["spill"].is_null());
            let ran = folder.run(&format!("{line} {memory} --spill disk"));
            let (spilled, found) = facts(&ran);
            assert_eq!(spilled["verdict"], plain["verdict"], "{line}: {ran:?}");
            if plain["verdict"] != "violated" {
                assert_eq!(found, expected, "{line}");
                let spill = &spilled["spill"];
                let written = spill["bytes_written"].as_u64().unwrap();
                let peak = spill["peak_bytes"].as_u64().unwrap();
                assert!(10_000 < peak && peak <= written, "{line}: {spill}");
            }
            is_empty(&folder);
        }
    }
}

#[test]
fn the_disk_decides_whether_a_search_completes() {
    let folder = folder();
    folder
        .run(FULL_QUEUE)
        .exits_with(4)
        .prints(&["exhausted", "the memory limit was reached"]);
    folder
        .run(&format!("{FULL_QUEUE} --spill disk"))
        .exits_with(3)
        .prints(&[
            "no violation found",
            "524,283 stored",
            "  disk     15.1 MiB written, at most 15.0 MiB at a time\n",
        ]);
    is_empty(&folder);
}

#[test]
fn the_limit_on_the_disk_ends_the_search() {
    let folder = folder();
    let line = format!("{FULL_QUEUE} --spill disk:1M");
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
    if !mount("mount", &["-t", "tmpfs", "-o", "size=1m", "tmpfs"]) {
        eprintln!("not tested: no file system can be mounted");
        return;
    }
    let ran = folder.run(&format!("{FULL_QUEUE} --spill disk"));
    assert!(mount("umount", &[]));
    ran.exits_with(4).prints(&[
        "exhausted",
        "the disk for waiting states is full",
        "to get further: --spill with a directory on a larger disk",
    ]);
}

/// The system refuses to write more: a limit on the size of a file, whose signal is ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_write_error_is_an_error() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_lariat");
    let line = format!("trap '' XFSZ; ulimit -f 1000; exec {program} {FULL_QUEUE} --spill disk");
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &line]).current_dir(folder.path(""));
    Ran::new(output.output().unwrap())
        .exits_with(2)
        .complains_of(&[
            "the search ended because of the disk for waiting states: File too large",
            "name a directory on another disk with --spill",
        ]);
    is_empty(&folder);
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
            .run(&format!("check narrow.pml {line} --spill disk"))
            .exits_with(2)
            .complains_of(&[words]);
    }
    // A search with a queue is chosen.
    let report = folder
        .run("check narrow.pml --ltl ends --max-states 50 --json --spill disk")
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
            .run(&format!("check narrow.pml --spill {value}"))
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
