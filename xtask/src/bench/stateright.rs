//! `bench stateright`: Lariat as a library compared with Stateright, on the same models in Rust.
//!
//! The models are in `xtask/stateright-bench`, a separate package, which is built here and nowhere else. Each run is
//! a process; the tools alternate, and medians are shown. Both must find the same number of states.

use super::report::{Report, Table};
use super::statistics::median;
use crate::lariat::{target_directory, workspace};
use crate::options::Arguments;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The models with their sizes and, where it is published with Stateright, the number of their states.
const MODELS: &[(&str, u64, Option<u64>)] = &[
    ("2pc", 3, Some(288)),
    ("2pc", 5, Some(8_832)),
    ("2pc", 8, None),
    ("paxos", 2, Some(16_668)),
    ("paxos", 3, None),
    ("register", 2, Some(544)),
    ("register", 3, None),
];

/// Models that take seconds.
const LARGE: &[(&str, u64)] = &[("2pc", 8), ("paxos", 3)];

const TOOLS: [&str; 2] = ["lariat", "stateright"];

/// The result of a run.
#[derive(Clone, Copy)]
struct Run {
    states: u64,
    seconds: f64,
    /// Processor time.
    cpu: f64,
    mebibytes: f64,
}

/// Runs the command; `Ok(true)` if both tools find the same numbers of states.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    let rounds = arguments.number("--rounds")?.unwrap_or(3).max(1);
    let quick = arguments.flag("--quick");
    arguments.rest()?;
    let program = build()?;
    let mut agree = true;
    let columns = [
        "model",
        "states",
        "threads",
        "seconds",
        "ratio",
        "CPU seconds",
        "MiB",
    ];
    let explanation = format!(
        "Lariat / Stateright, medians of {rounds} runs; ratio: of the CPU seconds, where these can be told apart."
    );
    let mut table = Table::new("Lariat and Stateright", &explanation, &columns);
    for &(model, size, published) in MODELS {
        if quick && LARGE.contains(&(model, size)) {
            continue;
        }
        for threads in [1, 2] {
            let [ours, theirs] = measure(&program, model, size, threads, rounds)?;
            agree &= ours.states == theirs.states;
            agree &= published.is_none_or(|states| states == ours.states);
            table.rows.push(vec![
                format!("{model} {size}"),
                ours.states.to_string(),
                threads.to_string(),
                pair(ours.seconds, theirs.seconds, 3),
                ratio(ours.cpu, theirs.cpu),
                pair(ours.cpu, theirs.cpu, 2),
                pair(ours.mebibytes, theirs.mebibytes, 0),
            ]);
        }
    }
    let mut report = Report::new(Vec::new());
    report.tables.push(table);
    if !agree {
        let why = "the tools do not agree about the states, or not with what is published";
        report.failures.push(why.into());
    }
    print!("{}", report.text());
    Ok(agree)
}

/// Lariat's processor time over Stateright's. The kernel counts hundredths of a second, so short runs have none.
fn ratio(ours: f64, theirs: f64) -> String {
    match ours.min(theirs) < 0.1 {
        true => "-".into(),
        false => format!("{:.2}", ours / theirs),
    }
}

/// The figures of both tools, Lariat first.
fn pair(ours: f64, theirs: f64, digits: usize) -> String {
    format!("{ours:.digits$} / {theirs:.digits$}")
}

fn build() -> Result<PathBuf, String> {
    let manifest = workspace().join("xtask/stateright-bench/Cargo.toml");
    let target = target_directory().join("stateright-bench");
    let status = Command::new("cargo")
        .args(["build", "--release", "--locked", "--manifest-path"])
        .arg(&manifest)
        .arg("--target-dir")
        .arg(&target)
        .status();
    match status {
        Ok(status) if status.success() => Ok(target.join("release/stateright-bench")),
        _ => Err(format!("{} cannot be built", manifest.display())),
    }
}

/// The medians of both tools.
fn measure(
    program: &Path,
    model: &str,
    size: u64,
    threads: u64,
    rounds: u64,
) -> Result<[Run; 2], String> {
    let mut runs = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (tool, runs) in TOOLS.into_iter().zip(&mut runs) {
            runs.push(run(program, tool, model, size, threads)?);
        }
    }
    Ok(runs.map(|runs| Run {
        states: runs[0].states,
        seconds: median(runs.iter().map(|run| run.seconds).collect()),
        cpu: median(runs.iter().map(|run| run.cpu).collect()),
        mebibytes: median(runs.iter().map(|run| run.mebibytes).collect()),
    }))
}

fn run(program: &Path, tool: &str, model: &str, size: u64, threads: u64) -> Result<Run, String> {
    let output = Command::new(program)
        .args([tool, model, &size.to_string(), &threads.to_string()])
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let number = |name: &str| -> Option<f64> {
        let mut words = text.split_whitespace().skip_while(|word| *word != name);
        words.nth(1)?.parse().ok()
    };
    let found = ["states", "seconds", "cpu", "peak-kib"].map(number);
    match (output.status.success(), found) {
        (true, [Some(states), Some(seconds), Some(cpu), Some(kibibytes)]) => Ok(Run {
            states: states as u64,
            seconds,
            cpu,
            mebibytes: kibibytes / 1024.0,
        }),
        _ => Err(format!("{tool} fails on {model} {size}: {text}")),
    }
}
