//! SPIN as the reference for safety.
//!
//! The model is checked with plain semantics, by which Lariat defines its counts: no partial order reduction, no
//! statement merging, no data-flow optimisations, every error counted, safety only (claims are compiled out, so that
//! the states are those of the system alone).

use crate::facts::{Answer, Counts, Outcome};
use crate::pan::{self, Translated, first_line};
use crate::process::{Ended, Output};
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
    /// Whether compiling is most of the time: then it is done by `tcc`, if that is installed, and paths are short at first.
    pub small: bool,
    /// The longest state that `pan` can hold, in bytes.
    pub vector: u32,
    /// Whether to measure what the programs use.
    pub measured: bool,
}

impl Settings {
    /// For models of others: up to some ten million states.
    pub fn for_models(time: Duration) -> Settings {
        Settings {
            time,
            depth: 2_000_000,
            table: 22,
            memory: 6000,
            optimise: "-O1",
            small: false,
            vector: 16384,
            measured: false,
        }
    }

    /// For models of our own: compiling is most of the time.
    pub fn for_small_models(time: Duration) -> Settings {
        Settings {
            table: 18,
            optimise: "-O0",
            small: true,
            ..Settings::for_models(time)
        }
    }

    /// For many tiny programs: compiling is most of the time.
    pub fn for_random_programs() -> Settings {
        Settings {
            depth: 200_000,
            table: 16,
            memory: 1000,
            ..Settings::for_small_models(Duration::from_secs(20))
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

/// Searches a model for errors of safety, all of them. Options are those of SPIN's front end (`-D`, `-U`, `-m`).
pub fn check(model: &Path, options: &[String], settings: Settings) -> io::Result<Answer> {
    match pan::translate(model, options, settings)? {
        Ok(mut translated) => safety(&mut translated),
        Err(outcome) => Ok(outcome.into()),
    }
}

/// The same for a model that is translated already.
fn safety(translated: &mut Translated) -> io::Result<Answer> {
    let complaint = translated.complaint.clone();
    let outcome = match translated.search(&["-DSAFETY", "-DNOCLAIM"], &["-c0".into()])? {
        Err(reason) => Outcome::Failed(reason),
        Ok(searched) => outcome(&searched),
    };
    Ok(Answer { outcome, complaint })
}

/// The result in the output of `pan`, given its exit.
pub fn outcome(searched: &Output) -> Outcome {
    match (parse_summary(&searched.stdout), searched.ended) {
        (_, Ended::Signal(signal)) => Outcome::Failed(format!("pan was ended by signal {signal}")),
        (Some(Outcome::Cut(counts, _)), Ended::TimeLimit) => {
            Outcome::Cut(counts, TIME_LIMIT.into())
        }
        (Some(outcome), _) => outcome,
        (None, Ended::TimeLimit) => Outcome::Cut(None, TIME_LIMIT.into()),
        (None, Ended::Exit(status)) => Outcome::Failed(first_line(&searched.stdout, status)),
    }
}

/// The reason given for searches cut by the time limit.
pub const TIME_LIMIT: &str = "time limit";

/// Parses the summary of `pan`; `None` if there is none.
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
    } else if text.contains(pan::TOO_LONG) {
        "depth limit".to_owned()
    } else if text.lines().any(|line| line == "Interrupted") {
        "interrupted".to_owned()
    } else if text.contains("Search not completed") {
        // A fatal run-time error. It counts as an error, which is correct for errors of the model, such as a blocked
        // d_step, but not for SPIN's own limits.
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
}
