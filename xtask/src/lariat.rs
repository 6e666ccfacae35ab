//! Lariat as the tool under test.

use crate::facts::{Answer, Counts, Outcome};
use crate::finding::Finding;
use crate::measure::Usage;
use crate::process::{self, Ended, Output, TemporaryDirectory};
use lariat_testkit::property::Check;
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

/// The time and memory limits of Lariat.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Its time limit; it is killed a little later.
    pub time: Duration,
    /// Its memory limit.
    pub memory: &'static str,
}

/// Searches a model for errors of safety, all of them.
pub fn check(
    binary: &Path,
    model: &Path,
    options: &[String],
    limits: Limits,
) -> io::Result<Answer> {
    let all = ["--safety".to_owned(), "--all-errors".to_owned()];
    let directory = TemporaryDirectory::new()?;
    let options = options.iter().chain(&all);
    let output = run(binary, model, options, limits, directory.path())?;
    Ok(match ended(&output) {
        Ok(status) => read_answer(status, &output.stdout, &output.stderr),
        Err(failure) => Outcome::Failed(failure).into(),
    })
}

/// The result of a measured run of Lariat.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its answer.
    pub answer: Answer,
    /// The search that it chose.
    pub search: String,
    /// What it used.
    pub usage: Usage,
}

/// Runs one check, of safety unless the options say something else, and measures it.
pub fn measure(
    binary: &Path,
    model: &Path,
    options: &[String],
    limits: Limits,
) -> io::Result<Measured> {
    let directory = TemporaryDirectory::new()?;
    let (program, arguments, time) = command(binary, model, options.iter(), limits)?;
    let output = process::run_measured(program, &arguments, directory.path(), time)?;
    let answer = match ended(&output) {
        Ok(status) => read_answer(status, &output.stdout, &output.stderr),
        Err(failure) => Outcome::Failed(failure).into(),
    };
    let result = results(&output.stdout).and_then(|all| all.into_iter().next());
    let search = result.and_then(|result| result["search"].as_str().map(str::to_owned));
    Ok(Measured {
        answer,
        search: search.unwrap_or_default(),
        usage: output.usage.unwrap_or_default(),
    })
}

/// Runs one check and returns the entries of its report; the error says why there are none.
pub fn entries(
    binary: &Path,
    model: &Path,
    options: &[String],
    limits: Limits,
) -> Result<Vec<Value>, String> {
    let failed = |error: io::Error| error.to_string();
    let directory = TemporaryDirectory::new().map_err(failed)?;
    let (program, arguments, time) =
        command(binary, model, options.iter(), limits).map_err(failed)?;
    let output = process::run(program, &arguments, directory.path(), time).map_err(failed)?;
    match ended(&output)? {
        2 => Err(diagnostic(&output.stderr)),
        status => results(&output.stdout)
            .ok_or_else(|| failure(status, "no JSON on standard output", &output.stderr)),
    }
}

/// Makes one liveness check.
pub fn check_liveness(
    binary: &Path,
    model: &Path,
    options: &[String],
    check: &Check,
    limits: Limits,
) -> io::Result<Finding> {
    let directory = TemporaryDirectory::new()?;
    let arguments = check.arguments_for(model);
    let options = options.iter().chain(&arguments);
    let output = run(binary, model, options, limits, directory.path())?;
    let trail = |name: &str| std::fs::read_to_string(directory.path().join(name)).ok();
    Ok(match ended(&output) {
        Ok(status) => {
            let name = check.result();
            read_finding(
                status,
                &output.stdout,
                &output.stderr,
                name.as_deref(),
                trail,
            )
        }
        Err(failure) => Finding::Failed(failure),
    })
}

/// Every state is counted, as in SPIN with `-o1 -o2 -o3`; several models are checked at a time.
const COMPARABLE: [&str; 4] = ["--no-merge", "--no-dead", "--workers", "1"];

/// The end of a violating run that continues without steps of the model.
pub const STUTTERING: &str = "stuttering";

/// The end of a violating run that repeats one step for ever.
pub const ONE_STEP_CYCLE: &str = "one-step cycle";

fn run<'a>(
    binary: &Path,
    model: &Path,
    options: impl Iterator<Item = &'a String>,
    limits: Limits,
    directory: &Path,
) -> io::Result<Output> {
    let (program, mut arguments, time) = command(binary, model, options, limits)?;
    arguments.extend(COMPARABLE.map(str::to_owned));
    process::run(program, &arguments, directory, time)
}

/// The program, its arguments, and when to kill it.
fn command<'a, 'b>(
    binary: &'b Path,
    model: &Path,
    options: impl Iterator<Item = &'a String>,
    limits: Limits,
) -> io::Result<(&'b Path, Vec<String>, Duration)> {
    let model = std::path::absolute(model)?;
    let mut arguments = vec!["check".to_owned(), model.to_string_lossy().into_owned()];
    arguments.extend(options.cloned());
    let seconds = format!("{}s", limits.time.as_secs().max(1));
    let fixed = ["--json", "--memory", limits.memory, "--time", &seconds];
    arguments.extend(fixed.map(str::to_owned));
    Ok((binary, arguments, limits.time + Duration::from_secs(20)))
}

/// The exit status; the error is about a run that did not end by itself, or that panicked.
fn ended(output: &Output) -> Result<i32, String> {
    match output.ended {
        Ended::Signal(signal) => Err(format!("ended by signal {signal}")),
        Ended::TimeLimit => Err("did not stop at its time limit".into()),
        Ended::Exit(status) if output.stderr.contains("panicked at") => {
            Err(failure(status, "panic", &output.stderr))
        }
        Ended::Exit(status) if output.stderr.contains("a defect of Lariat") => {
            Err(failure(status, "defect", &output.stderr))
        }
        Ended::Exit(status) => Ok(status),
    }
}

/// A failure in one line.
fn failure(status: i32, why: &str, stderr: &str) -> String {
    let mut lines = stderr.lines();
    let line = lines.find(|line| !line.trim().is_empty()).unwrap_or("");
    format!("exit status {status}, {why}: {line}")
}

/// The entries of a report, one for each property.
fn results(stdout: &str) -> Option<Vec<Value>> {
    let report: Value = serde_json::from_str(stdout).ok()?;
    report["results"].as_array().cloned()
}

/// Parses the answer to the liveness check with this name, or to the only one of a run. Trails are read by their
/// names.
fn read_finding(
    status: i32,
    stdout: &str,
    stderr: &str,
    name: Option<&str>,
    trail: impl Fn(&str) -> Option<String>,
) -> Finding {
    if status == 2 {
        return Finding::Rejected(diagnostic(stderr));
    }
    let failed = |why: &str| Finding::Failed(failure(status, why, stderr));
    let Some(results) = results(stdout) else {
        return failed("no JSON on standard output");
    };
    let named = |result: &&Value| name.is_none_or(|name| result["property"] == name);
    let wanted: Vec<&Value> = results.iter().filter(named).collect();
    let [result] = wanted[..] else {
        return failed("not one such result in the JSON report");
    };
    // The exit status is about all results.
    let status = if results.len() == 1 {
        Some(status)
    } else {
        None
    };
    let how = || {
        let trail = result["trail"].as_str().and_then(trail);
        let kind = match trail.and_then(|trail| steps_in_cycle(&trail)) {
            Some(0) => Some(STUTTERING),
            Some(1) => Some(ONE_STEP_CYCLE),
            _ => result["violations"][0]["kind"].as_str(),
        };
        kind.unwrap_or("").to_owned()
    };
    match (result["verdict"].as_str(), status) {
        (Some("holds"), None | Some(0)) => Finding::Holds {
            states: result["states_stored"].as_u64(),
        },
        (Some("violated"), None | Some(1)) => match how() {
            error if error == "runtime error" => Finding::Broken(error),
            how => Finding::Violated(how),
        },
        (Some(verdict @ ("no violation found" | "exhausted")), None | Some(3 | 4)) => {
            Finding::Cut(verdict.to_owned())
        }
        _ => failed("verdict and exit status do not fit"),
    }
}

/// Combines exit status and JSON; if they contradict each other, Lariat has failed.
fn read_answer(status: i32, stdout: &str, stderr: &str) -> Answer {
    let failed = |why: &str| Answer::from(Outcome::Failed(failure(status, why, stderr)));
    if status == 2 {
        return Outcome::Rejected(diagnostic(stderr)).into();
    }
    let Some(results) = results(stdout) else {
        return failed("no JSON on standard output");
    };
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

/// The number of steps in the cycle of a trail, if it has one.
fn steps_in_cycle(trail: &str) -> Option<u64> {
    let trail: Value = serde_json::from_str(trail).ok()?;
    let steps = trail["steps"].as_array()?.len() as u64;
    steps.checked_sub(trail["loop_start"].as_u64()?)
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
        let failed = |text: &str| matches!(read_answer(0, text, "").outcome, Outcome::Failed(_));
        assert!(failed(&report("holds", 2)));
        assert!(failed(""));
        let panic = Output {
            ended: Ended::Exit(101),
            stdout: String::new(),
            stderr: "thread 'main' panicked at src/main.rs".into(),
            usage: None,
        };
        assert!(ended(&panic).unwrap_err().contains("panic"));
    }

    #[test]
    fn rejections_carry_the_diagnostic() {
        let answer = read_answer(2, "", "\nerror: `x` is not declared\n --> m.pml:1:3\n");
        assert_eq!(
            answer.outcome,
            Outcome::Rejected("error: `x` is not declared".into())
        );
    }

    #[test]
    fn findings_of_liveness_checks() {
        let report = |results: &str| format!(r#"{{ "results": [ {results} ] }}"#);
        let holds = r#"{ "verdict": "holds", "states_stored": 7, "violations": [] }"#;
        let violated = r#"{ "verdict": "violated", "violations": [ { "kind": "cycle" } ] }"#;
        let read =
            |status, results: &str| read_finding(status, &report(results), "", None, |_| None);
        assert_eq!(read(0, holds), Finding::Holds { states: Some(7) });
        assert_eq!(read(1, violated), Finding::Violated("cycle".into()));
        let cut = read(4, r#"{ "verdict": "exhausted" }"#);
        assert_eq!(cut, Finding::Cut("exhausted".into()));
        let two = report(
            r#"{ "property": "never a", "verdict": "violated" }, { "property": "never b", "verdict": "holds" }"#,
        );
        let second = read_finding(1, &two, "", Some("never b"), |_| None);
        assert_eq!(second, Finding::Holds { states: None });
        let text = report(r#"{ "verdict": "violated", "trail": "t" }"#);
        let ended = |steps: &str| format!(r#"{{ "steps": [{steps}], "loop_start": 1 }}"#);
        let with_trail = |steps| read_finding(1, &text, "", None, |_| Some(ended(steps)));
        assert_eq!(with_trail("7"), Finding::Violated(STUTTERING.into()));
        assert_eq!(with_trail("7, 8"), Finding::Violated(ONE_STEP_CYCLE.into()));
        assert_eq!(with_trail("7, 8, 9"), Finding::Violated(String::new()));
        let failed = |finding| matches!(finding, Finding::Failed(_));
        assert!(failed(read(0, violated)), "status and verdict differ");
        assert!(failed(read(0, &format!("{holds}, {holds}"))));
        assert!(failed(read(0, "")));
        let rejected = read_finding(2, "", "error: no claim\n", None, |_| None);
        assert_eq!(rejected, Finding::Rejected("error: no claim".into()));
    }
}
