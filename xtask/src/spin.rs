//! SPIN as the reference: model in, facts out.
//!
//! The model is checked with plain semantics, which are the ones Lariat defines its counts by: no partial order
//! reduction, no statement merging, no data-flow optimisations, every error counted, safety only (claims are
//! compiled out, so that the states are those of the system alone).
//!
//! Whether SPIN accepts a model takes some care: it prints "Error:" for complaints after which it goes on and
//! exits with 0, it leaves a `pan.c` behind after some fatal errors, and it can crash on invalid input. Accepted
//! means: exit status 0, a `pan.c`, and no syntax error among the complaints.

use crate::facts::{Answer, Counts, Outcome};
use crate::process::{self, Ended, TemporaryDirectory};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Limits and sizes of a SPIN run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Time for each of translating, compiling and searching.
    pub time: Duration,
    /// The `-m` of `pan`: the longest path followed. It costs 48 bytes each, at once.
    pub depth: u32,
    /// The `-w` of `pan`: log2 of the number of slots of the hash table.
    pub table: u32,
    /// `pan`'s memory limit in megabytes.
    pub memory: u32,
    /// The optimisation level of the C compiler.
    pub optimise: &'static str,
}

impl Settings {
    /// For models that people wrote: up to some ten million states.
    pub fn for_models(time: Duration) -> Settings {
        Settings {
            time,
            depth: 2_000_000,
            table: 22,
            memory: 6000,
            optimise: "-O1",
        }
    }

    /// For models of our own: compiling is most of the time.
    pub fn for_small_models(time: Duration) -> Settings {
        Settings {
            table: 18,
            optimise: "-O0",
            ..Settings::for_models(time)
        }
    }

    /// For many tiny programs: compiling is most of the time.
    pub fn for_random_programs() -> Settings {
        Settings {
            time: Duration::from_secs(5),
            depth: 200_000,
            table: 16,
            memory: 1000,
            optimise: "-O0",
        }
    }
}

/// The version line of the installed SPIN, or why SPIN cannot be used.
pub fn version() -> Result<String, String> {
    let missing =
        |tool: &str| format!("`{tool}` is needed for comparisons with SPIN and was not found");
    Command::new("gcc")
        .arg("--version")
        .output()
        .map_err(|_| missing("gcc"))?;
    let output = Command::new("spin")
        .arg("-V")
        .output()
        .map_err(|_| missing("spin"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs SPIN on a model with options for its front end (`-D`, `-U`, `-m`).
pub fn check(model: &Path, options: &[String], settings: Settings) -> io::Result<Answer> {
    let directory = TemporaryDirectory::new()?;
    let model = std::path::absolute(model)?;
    let mut arguments: Vec<String> = ["-a", "-o1", "-o2", "-o3"].map(String::from).to_vec();
    arguments.extend(options.iter().cloned());
    arguments.push(model.to_string_lossy().into_owned());
    let translated = process::run("spin", &arguments, directory.path(), settings.time)?;
    let text = format!("{}\n{}", translated.stdout, translated.stderr);
    let complaint = complaint(&text);
    match translated.ended {
        Ended::Signal(signal) => {
            return Ok(Outcome::Failed(format!("spin -a died of signal {signal}")).into());
        }
        Ended::TimeLimit => {
            return Ok(Outcome::Failed("spin -a reached the time limit".into()).into());
        }
        Ended::Exit(0)
            if directory.path().join("pan.c").exists() && !text.contains("Error: syntax error") => {
        }
        Ended::Exit(status) => {
            let message = complaint.unwrap_or_else(|| first_line(&text, status));
            return Ok(Outcome::Rejected(message).into());
        }
    }

    let memory = format!("-DMEMLIM={}", settings.memory);
    let flags = [
        settings.optimise,
        "-w",
        "-DSAFETY",
        "-DNOREDUCE",
        "-DNOCLAIM",
        "-DVECTORSZ=16384",
        &memory,
    ];
    let compile = flags.into_iter().chain(["-o", "pan", "pan.c"]);
    let compiled = process::run("gcc", compile, directory.path(), settings.time)?;
    if compiled.ended != Ended::Exit(0) {
        let reason = compiled
            .stderr
            .lines()
            .find(|line| line.contains("error"))
            .unwrap_or("gcc failed");
        return Ok(Answer {
            outcome: Outcome::Failed(format!("gcc: {}", reason.trim())),
            complaint,
        });
    }

    let search = [
        "-c0".into(),
        "-n".into(),
        format!("-m{}", settings.depth),
        format!("-w{}", settings.table),
    ];
    let searched = process::run("./pan", &search, directory.path(), settings.time)?;
    let outcome = match (parse_summary(&searched.stdout), searched.ended) {
        (_, Ended::Signal(signal)) => Outcome::Failed(format!("pan died of signal {signal}")),
        (Some(Outcome::Cut(counts, _)), Ended::TimeLimit) => {
            Outcome::Cut(counts, TIME_LIMIT.into())
        }
        (Some(outcome), _) => outcome,
        (None, Ended::TimeLimit) => Outcome::Cut(None, TIME_LIMIT.into()),
        (None, Ended::Exit(status)) => Outcome::Failed(first_line(&searched.stdout, status)),
    };
    Ok(Answer { outcome, complaint })
}

/// The reason given for searches cut by the time limit.
pub const TIME_LIMIT: &str = "time limit";

/// The first error message of `spin -a`, without the file's name; one about `else` only if there is no other.
fn complaint(text: &str) -> Option<String> {
    let errors = text
        .lines()
        .filter(|line| line.starts_with("spin:") && line.contains("Error: "));
    let line = errors.min_by_key(|line| line.contains("dubious use of 'else'"))?;
    let (_, message) = line.split_once("Error: ")?;
    Some(message.replace('\t', " ").trim().to_owned())
}

/// Something to show when there is no error message.
fn first_line(text: &str, status: i32) -> String {
    let lines = || {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("ltl "))
    };
    // The preprocessor's own message says more than "preprocessing failed".
    let line = lines()
        .find(|line| line.contains("error: "))
        .or_else(|| lines().next());
    line.map_or_else(|| format!("exit status {status}"), str::to_owned)
}

/// Reads what `pan` prints at its end. Nothing if there is no summary.
pub fn parse_summary(text: &str) -> Option<Outcome> {
    let errors_line = text
        .lines()
        .find(|line| line.starts_with("State-vector ") && line.contains("errors: "))?;
    let errors = errors_line.rsplit("errors: ").next()?.trim().parse().ok()?;
    let mut counts = Counts {
        errors,
        states: number_before(text, " states, stored")?,
        transitions: number_before(text, " transitions (=")?,
    };
    let last_error = text
        .lines()
        .rev()
        .find(|line| line.starts_with("pan:") && line.contains("(at depth"));
    let reason = if text.contains("reached -DMEMLIM bound") || text.contains("out of memory") {
        "memory limit".to_owned()
    } else if text.contains("error: max search depth too small") {
        "depth limit".to_owned()
    } else if text.lines().any(|line| line == "Interrupted") {
        "interrupted".to_owned()
    } else if text.contains("Search not completed") {
        // A fatal run-time error. It is counted as an error, which is right for errors of the model, such as a
        // blocked d_step, but not for SPIN's own limits.
        let message = last_error.and_then(|line| line.splitn(3, ':').nth(2));
        let message = message.unwrap_or("search not completed").trim();
        if ["too many ", "VECTORSZ", "aborting"]
            .iter()
            .any(|limit| message.contains(limit))
        {
            counts.errors = counts.errors.saturating_sub(1);
        }
        message.to_owned()
    } else {
        return Some(Outcome::Complete(counts));
    };
    Some(Outcome::Cut(Some(counts), reason))
}

/// The number before `unit` on its line. `pan` prints large ones like `1.2345679e+08`, which loses digits.
fn number_before(text: &str, unit: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains(unit))?;
    let number: f64 = line.split(unit).next()?.trim().parse().ok()?;
    Some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIOLATED: &str = include_str!("../captured/violated.txt");
    const DEPTH: &str = include_str!("../captured/depth-limit.txt");
    const MEMORY: &str = include_str!("../captured/memory-limit.txt");
    const INTERRUPTED: &str = include_str!("../captured/interrupted.txt");
    const PROCESSES: &str = include_str!("../captured/too-many-processes.txt");

    fn counts(errors: u64, states: u64, transitions: u64) -> Counts {
        Counts {
            errors,
            states,
            transitions,
        }
    }

    #[test]
    fn a_complete_search_with_errors() {
        assert_eq!(
            parse_summary(VIOLATED),
            Some(Outcome::Complete(counts(1226, 7248, 12091)))
        );
    }

    #[test]
    fn searches_that_were_cut_short() {
        let cut = |c, reason: &str| Some(Outcome::Cut(Some(c), reason.to_owned()));
        assert_eq!(
            parse_summary(DEPTH),
            cut(counts(20, 79, 157), "depth limit")
        );
        assert_eq!(parse_summary(MEMORY), cut(counts(0, 0, 0), "memory limit"));
        assert_eq!(
            parse_summary(INTERRUPTED),
            cut(counts(0, 969090, 969090), "interrupted")
        );
    }

    #[test]
    fn reaching_a_limit_of_spin_is_no_violation_but_other_fatal_errors_are() {
        let expected = Outcome::Cut(
            Some(counts(0, 509, 509)),
            "too many processes (at depth 508)".into(),
        );
        assert_eq!(parse_summary(PROCESSES), Some(expected));
        let blocked = PROCESSES.replace("too many processes", "block in d_step seq");
        let expected = Outcome::Cut(
            Some(counts(1, 509, 509)),
            "block in d_step seq (at depth 508)".into(),
        );
        assert_eq!(parse_summary(&blocked), Some(expected));
    }

    #[test]
    fn large_and_visited_counts() {
        let text = "State-vector 60 byte, depth reached 99, errors: 0\n1.2345679e+08 states, stored (7 visited)\n\
                    3 states, matched\n 2e+08 transitions (= stored+matched)\n";
        assert_eq!(
            parse_summary(text),
            Some(Outcome::Complete(counts(0, 123456790, 200000000)))
        );
    }

    #[test]
    fn no_summary() {
        assert_eq!(parse_summary("Segmentation fault\n"), None);
    }

    #[test]
    fn messages_of_the_front_end() {
        let text =
            "ltl a: <> (x)\nspin: m.pml:1, Error: undeclared variable: y\tsaw 'operator: ='\n";
        assert_eq!(
            complaint(text).as_deref(),
            Some("undeclared variable: y saw 'operator: ='")
        );
        assert_eq!(complaint("ltl a: <> (x)\n"), None);
        let two = "spin: m.pml:1, Error: dubious use of 'else' combined with i/o\nspin: m.pml:2, Error: type error\n";
        assert_eq!(complaint(two).as_deref(), Some("type error"));
        assert_eq!(first_line("\nltl a: x\n", 1), "exit status 1");
        assert_eq!(
            first_line("spin: preprocessing failed\n", 1),
            "spin: preprocessing failed"
        );
    }
}
