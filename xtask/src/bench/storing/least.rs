//! The same verdict in the least memory: the third part.

use super::run::{Outcome, Plain, Runner};
use super::subjects::{Subject, no_reductions};
use crate::bench::report::{Progress, Report, Table, seconds, thousands};
use crate::facts;
use crate::pan;
use crate::spin::{self, Settings};
use std::time::Duration;

/// Searches may take so many times as long as the plain one.
const LONGEST: f64 = 10.0;
/// Budgets are determined up to this part of them.
const PRECISION: f64 = 0.05;

const EXPLANATION: &str = "Safety, one worker, no reductions, so that all tools have the same states to find. sample:auto: the least \
    --memory with which it ends within 10 times the CPU time of the search that keeps all states in the compressed store; cache:N: \
    the least N; both to 5 percent, with one seed, and at most what that search takes. Memory is what the search counts itself: table, nodes and stacks. For SPIN it is \
    that of states and hash table, which has a slot for each state; its stack is not counted, and compiling is not timed.";

/// Measures all models; adds a table to the report.
pub fn measure(runner: &Runner, subjects: &[Subject], report: &mut Report) {
    let columns = [
        "model",
        "how",
        "states",
        "MB",
        "of tree",
        "CPU s",
        "guarantee",
    ];
    let mut table = Table::new(
        "The same verdict in the least memory",
        EXPLANATION,
        &columns,
    );
    let mut progress = Progress::new(subjects.len());
    for subject in subjects {
        progress.step(subject.name, "least memory");
        match methods(runner, subject) {
            Ok(methods) => {
                let tree = methods.first().map_or(0, |way| way.bytes);
                let rows = methods.iter().map(|way| way.row(subject.name, tree));
                table.rows.extend(rows);
                progress.done(subject.name, "measured");
            }
            Err(reason) => {
                progress.done(subject.name, &reason);
                report.failures.push(format!("{}: {reason}", subject.name));
            }
        }
    }
    report.tables.push(table);
}

/// A method to reach the verdict.
struct Method {
    how: String,
    states: u64,
    bytes: u64,
    cpu: f64,
    guarantee: String,
}

impl Method {
    /// A method that takes too long, or does not end, even with the memory of a search that keeps all states.
    fn none(how: &str) -> Method {
        Method {
            how: how.into(),
            states: 0,
            bytes: 0,
            cpu: 0.0,
            guarantee: "none: not within the memory of tree".into(),
        }
    }

    fn row(&self, model: &str, tree: u64) -> Vec<String> {
        let numbers = match self.states {
            0 => ["-"; 4].map(str::to_owned),
            states => [
                thousands(states),
                format!("{:.2}", self.bytes as f64 / 1e6),
                format!("{:.0} %", self.bytes as f64 / tree.max(1) as f64 * 100.0),
                seconds(self.cpu),
            ],
        };
        let mut row = vec![model.into(), self.how.clone()];
        row.extend(numbers);
        row.push(self.guarantee.clone());
        row
    }
}

fn methods(runner: &Runner, subject: &Subject) -> Result<Vec<Method>, String> {
    let plain = Plain::measure(runner, subject, &no_reductions(), 1)?;
    let tree = Method {
        how: "tree, all states".into(),
        states: plain.states(),
        bytes: plain.outcome.memory,
        cpu: plain.outcome.cpu,
        guarantee: "proof".into(),
    };
    let mut methods = vec![tree];
    let auto = least(plain.outcome.memory, |bytes| {
        let store = "--store=sample:auto".to_owned();
        forgetful(
            runner,
            subject,
            &plain,
            [store, format!("--memory={bytes}")],
        )
    })?;
    methods.push(match auto {
        Some((bytes, run)) => from(format!("sample:auto, {bytes} bytes"), run),
        None => Method::none("sample:auto"),
    });
    let cache = least(plain.states(), |states| {
        let store = format!("--store=cache:{states}");
        forgetful(runner, subject, &plain, [store, "--order=model".into()])
    })?;
    methods.push(match cache {
        Some((states, run)) => from(format!("cache:{states}"), run),
        None => Method::none("cache:N"),
    });
    for (how, flag) in [
        ("SPIN, all states", None),
        ("SPIN -DCOLLAPSE", Some("-DCOLLAPSE")),
        ("SPIN -DHC4", Some("-DHC4")),
    ] {
        methods.push(compiled(runner, subject, &plain, how, flag)?);
    }
    Ok(methods)
}

fn from(how: String, run: Outcome) -> Method {
    Method {
        how,
        states: run.storing.peak,
        bytes: run.memory,
        cpu: run.cpu,
        guarantee: "proof".into(),
    }
}

/// A run that ended with the verdict of the plain one, within the time limit.
fn forgetful(
    runner: &Runner,
    subject: &Subject,
    plain: &Plain,
    options: [String; 2],
) -> Result<Option<Outcome>, String> {
    let mut all = no_reductions();
    all.extend(options);
    all.push("--seed=1".into());
    // CPU time counts; other programs may use the processor as well.
    let run = runner.run(subject, &all, plain.times(1.5 * LONGEST, 1.0))?;
    let is_right = run.verdict == plain.outcome.verdict;
    if run.is_decided() && !is_right {
        return Err(format!("wrong verdict with {all:?}"));
    }
    let in_time = run.cpu <= LONGEST * plain.outcome.cpu;
    Ok((is_right && in_time).then_some(run))
}

/// The smallest number up to `most` that gives a result, if larger ones do as well, and its result.
fn least<T>(
    most: u64,
    mut with: impl FnMut(u64) -> Result<Option<T>, String>,
) -> Result<Option<(u64, T)>, String> {
    let Some(found) = with(most)? else {
        return Ok(None);
    };
    let (mut low, mut high) = (0, (most, found));
    while (high.0 - low) as f64 > PRECISION * high.0 as f64 && high.0 - low > 1 {
        let middle = low + (high.0 - low) / 2;
        match with(middle)? {
            Some(found) => high = (middle, found),
            None => low = middle,
        }
    }
    Ok(Some(high))
}

/// SPIN with a way to store states.
fn compiled(
    runner: &Runner,
    subject: &Subject,
    plain: &Plain,
    how: &str,
    flag: Option<&str>,
) -> Result<Method, String> {
    let depth = 4 * plain.outcome.depth + 10_000;
    let settings = Settings {
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        table: plain.states().next_power_of_two().ilog2(),
        vector: 1024,
        optimise: "-O2",
        measured: true,
        ..Settings::for_models(Duration::from_secs(300))
    };
    let failed = |error: std::io::Error| error.to_string();
    let options: Vec<String> = subject.options.iter().map(|&word| word.into()).collect();
    let path = runner.path(subject)?;
    let translated = pan::translate(&path, &options, settings).map_err(failed)?;
    let mut translated = translated.map_err(|outcome| format!("spin: {outcome:?}"))?;
    let flags: Vec<&str> = ["-DSAFETY", "-DNOCLAIM"].into_iter().chain(flag).collect();
    let output = translated
        .search(&flags, &["-c0".into()])
        .map_err(failed)??;
    let facts::Outcome::Complete(counts) = spin::outcome(&output) else {
        return Err(format!("{how} did not end"));
    };
    let bytes = memory(&output.stdout).ok_or("pan tells nothing about memory")?;
    let missed = plain.states().saturating_sub(counts.states);
    let guarantee = match flag {
        Some("-DHC4") => format!("inexact: {} states missed", thousands(missed)),
        _ => "proof".into(),
    };
    Ok(Method {
        how: how.into(),
        states: counts.states,
        bytes,
        cpu: output.usage.unwrap_or_default().cpu.as_secs_f64(),
        guarantee,
    })
}

/// The bytes that `pan` used for states and hash table; it prints megabytes of 2^20 bytes.
fn memory(text: &str) -> Option<u64> {
    let number = |what: &str| {
        let line = text.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let table = number("memory used for hash table")?;
    // Without compression, only the equivalent size is printed.
    let states = number("\tactual memory usage for states")
        .or_else(|| number("equivalent memory usage for states"))?;
    Some(((table + states) * f64::from(1 << 20)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_found_by_halving() {
        let mut calls = 0;
        let found = least(1000, |n| {
            calls += 1;
            Ok((n >= 333).then_some(n * 2))
        });
        let (n, twice) = found.unwrap().unwrap();
        assert!((333..351).contains(&n) && twice == 2 * n, "{n}");
        assert!(calls < 12);
        assert_eq!(least(10, |_| Ok(None::<u64>)), Ok(None));
        assert_eq!(least(1, |n| Ok(Some(n))), Ok(Some((1, 1))));
    }

    #[test]
    fn a_method_without_a_result_has_a_row() {
        let row = Method::none("cache:N").row("m", 10);
        assert_eq!(row[..6], ["m", "cache:N", "-", "-", "-", "-"]);
        assert!(row[6].starts_with("none"));
    }

    #[test]
    fn memory_of_pan() {
        let text = "   11.204\tequivalent memory usage for states (stored*(State-vector + overhead))\n    9.000\tactual memory \
                    usage for states (compression: 81.90%)\n    8.000\tmemory used for hash table (-w20)\n   21.660\ttotal actual memory usage\n";
        assert_eq!(memory(text), Some(17 << 20));
        assert_eq!(memory(""), None);
    }
}
