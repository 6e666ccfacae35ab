//! Lariat as the tool under test: model in, facts out.

use crate::facts::{Answer, Counts, Outcome};
use crate::process::{self, Ended, TemporaryDirectory};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The binary to test: `LARIAT_BIN`, or a release build made now.
pub fn binary() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("LARIAT_BIN") {
        return std::path::absolute(path).map_err(|error| error.to_string());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let workspace = workspace();
    let mut build = Command::new(cargo);
    build
        .args(["build", "--release", "--quiet", "-p", "lariat"])
        .current_dir(&workspace);
    let status = build
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !status.success() {
        return Err("lariat does not build (set LARIAT_BIN to use another binary)".into());
    }
    Ok(target_directory().join("release").join("lariat"))
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Where cargo puts what it builds.
pub fn target_directory() -> PathBuf {
    let configured = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    workspace().join(configured.unwrap_or_else(|| "target".into()))
}

/// Runs Lariat on a model. It gets its own time limit, and a little more before it is killed.
pub fn check(
    binary: &Path,
    model: &Path,
    options: &[String],
    time: Duration,
    memory: &str,
) -> io::Result<Answer> {
    let directory = TemporaryDirectory::new()?;
    let model = std::path::absolute(model)?;
    let mut arguments = vec!["check".to_owned(), model.to_string_lossy().into_owned()];
    arguments.extend(options.iter().cloned());
    let seconds = format!("{}s", time.as_secs().max(1));
    arguments.extend(
        [
            "--json",
            "--all-errors",
            "--memory",
            memory,
            "--time",
            &seconds,
        ]
        .map(str::to_owned),
    );
    let output = process::run(
        binary,
        &arguments,
        directory.path(),
        time + Duration::from_secs(20),
    )?;
    Ok(match output.ended {
        Ended::Signal(signal) => Outcome::Failed(format!("died of signal {signal}")).into(),
        Ended::TimeLimit => Outcome::Failed("did not stop at its time limit".into()).into(),
        Ended::Exit(status) => read_answer(status, &output.stdout, &output.stderr),
    })
}

/// Puts exit status and JSON together; where they contradict each other, Lariat has failed.
fn read_answer(status: i32, stdout: &str, stderr: &str) -> Answer {
    let failed = |why: &str| {
        let line = stderr
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("");
        Answer::from(Outcome::Failed(format!(
            "exit status {status}, {why}: {line}"
        )))
    };
    if stderr.contains("panicked at") {
        return failed("panic");
    }
    if status == 2 {
        return Outcome::Rejected(diagnostic(stderr)).into();
    }
    let Ok(report) = serde_json::from_str::<Value>(stdout) else {
        return failed("no JSON on standard output");
    };
    let results = report["results"].as_array().map_or(&[][..], Vec::as_slice);
    let Some(result) = results
        .iter()
        .find(|r| r["property"] == "safety")
        .or(results.first())
    else {
        return failed("no results in the JSON report");
    };
    let number = |key: &str| result[key].as_u64();
    let counts = match (
        number("errors"),
        number("states_stored"),
        number("transitions"),
    ) {
        (Some(errors), Some(states), Some(transitions)) => Some(Counts {
            errors,
            states,
            transitions,
        }),
        _ => None,
    };
    let interrupted = status == 4 || result["complete"] == false;
    match (result["verdict"].as_str(), counts) {
        (Some("holds"), Some(counts)) if counts.errors == 0 && !interrupted => {
            Outcome::Complete(counts).into()
        }
        (Some("violated"), Some(counts)) if counts.errors > 0 && !interrupted => {
            Outcome::Complete(counts).into()
        }
        (Some("violated"), Some(counts)) if counts.errors > 0 => {
            Outcome::Cut(Some(counts), "interrupted".into()).into()
        }
        (Some(verdict @ ("no violation found" | "exhausted")), counts) => {
            Outcome::Cut(counts, verdict.to_owned()).into()
        }
        _ => failed("verdict and counts do not fit"),
    }
}

/// The error message among the diagnostics, on one line.
fn diagnostic(stderr: &str) -> String {
    let error = stderr.lines().find(|line| line.contains("error"));
    let line = error.or_else(|| stderr.lines().find(|line| !line.trim().is_empty()));
    line.unwrap_or("exit status 2 without a message")
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdict: &str, errors: u64) -> String {
        format!(
            r#"{{ "tool": "lariat", "results": [ {{ "property": "p", "verdict": "holds", "errors": 0, "states_stored": 1,
               "transitions": 1 }}, {{ "property": "safety", "verdict": "{verdict}", "errors": {errors},
               "states_stored": 10, "states_matched": 2, "transitions": 12 }} ] }}"#
        )
    }

    #[test]
    fn verdicts_become_outcomes() {
        let counts = |errors| Counts {
            errors,
            states: 10,
            transitions: 12,
        };
        let outcome = |status, text: &str| read_answer(status, text, "").outcome;
        assert_eq!(
            outcome(0, &report("holds", 0)),
            Outcome::Complete(counts(0))
        );
        assert_eq!(
            outcome(1, &report("violated", 3)),
            Outcome::Complete(counts(3))
        );
        assert_eq!(
            outcome(4, &report("exhausted", 0)),
            Outcome::Cut(Some(counts(0)), "exhausted".into())
        );
    }

    #[test]
    fn contradictions_and_panics_are_failures() {
        let failed = |status, text: &str, err: &str| {
            matches!(read_answer(status, text, err).outcome, Outcome::Failed(_))
        };
        assert!(failed(0, &report("holds", 2), ""));
        assert!(failed(0, "", ""));
        assert!(failed(101, "", "thread 'main' panicked at src/main.rs"));
    }

    #[test]
    fn rejections_carry_the_diagnostic() {
        let answer = read_answer(2, "", "\nerror: `x` is not declared\n --> m.pml:1:3\n");
        assert_eq!(
            answer.outcome,
            Outcome::Rejected("error: `x` is not declared".into())
        );
    }
}
