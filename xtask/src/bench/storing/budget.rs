//! Bounded memory: the second part.

use super::run::{Outcome, Plain, Runner};
use super::subjects::Subject;
use super::{Setting, median, sweep};
use crate::bench::report::{Progress, Report, Table, seconds, thousands};
use crate::bench::statistics::time_ratio;

/// Budgets, as parts of the memory of the plain search.
const BUDGETS: [f64; 4] = [0.95, 0.8, 0.65, 0.5];
/// Searches with less memory than this are left out.
const SMALLEST: u64 = 8_000_000;

const EXPLANATION: &str = "`--store sample:auto --memory M`, one worker. M is a part of the memory that the search takes which keeps \
    all states in the compressed store. Memory is what the search counts itself: table, nodes and stacks. Medians over seeds; the \
    memory is the largest. Times are CPU seconds.";

/// Measures all models; adds a table to the report.
pub fn measure(runner: &Runner, subjects: &[Subject], setting: &Setting, report: &mut Report) {
    let columns = [
        "model", "states", "k", "plain MB", "plain s", "M", "MB", "used/M", "verdict", "CPU s",
        "time",
    ];
    let mut table = Table::new("Bounded memory", EXPLANATION, &columns);
    let mut progress = Progress::new(subjects.len());
    let (mut all, mut over, mut open) = (0, 0, 0);
    for subject in subjects {
        progress.step(subject.name, "bounded memory");
        match budgets(runner, subject, setting.seeds) {
            Ok((plain, rows)) => {
                for Budget { part, bytes, runs } in rows {
                    let most = runs.iter().map(|run| run.memory).max().unwrap_or(0);
                    let decided = runs.iter().all(Outcome::is_decided);
                    let right = runs.iter().all(|run| run.verdict == plain.outcome.verdict);
                    all += 1;
                    if most > bytes {
                        over += 1;
                        let what = format!("{}: {most} bytes of {bytes}", subject.name);
                        report.failures.push(what);
                    }
                    open += usize::from(!decided);
                    if decided && !right {
                        let what = format!("{}: wrong verdict with {bytes} bytes", subject.name);
                        report.failures.push(what);
                    }
                    let cpu = median(&runs, |run| run.cpu);
                    let time = decided.then(|| time_ratio(cpu, plain.outcome.cpu));
                    table.rows.push(vec![
                        subject.name.into(),
                        thousands(plain.states()),
                        format!("{:.2}", plain.visitation),
                        format!("{:.1}", plain.outcome.memory as f64 / 1e6),
                        seconds(plain.outcome.cpu),
                        format!("{:.0} %", part * 100.0),
                        format!("{:.1}", bytes as f64 / 1e6),
                        format!("{:.3}", most as f64 / bytes as f64),
                        verdict(decided, right),
                        seconds(cpu),
                        time.map_or_else(|| "-".into(), |time| format!("{time:.2}")),
                    ]);
                }
                progress.done(subject.name, "measured");
            }
            Err(reason) => {
                progress.done(subject.name, &reason);
                report.failures.push(format!("{}: {reason}", subject.name));
            }
        }
    }
    table.notes.push(format!(
        "{all} budgets; more memory used than allowed: {over}; budgets with a run that did not end: {open}"
    ));
    report.tables.push(table);
}

/// In a word; a search that ended for lack of memory or time has none.
fn verdict(decided: bool, right: bool) -> String {
    let word = match (decided, right) {
        (true, true) => "right",
        (true, false) => "WRONG",
        (false, _) => "none",
    };
    word.into()
}

/// The runs with one budget.
struct Budget {
    part: f64,
    bytes: u64,
    runs: Vec<Outcome>,
}

fn budgets(runner: &Runner, subject: &Subject, seeds: u64) -> Result<(Plain, Vec<Budget>), String> {
    let plain = Plain::measure(runner, subject, &[], seeds)?;
    if plain.outcome.memory < SMALLEST {
        let bytes = thousands(plain.outcome.memory);
        return Err(format!("takes only {bytes} bytes"));
    }
    let mut budgets = Vec::new();
    for part in BUDGETS {
        let bytes = (plain.outcome.memory as f64 * part) as u64;
        let mut runs = Vec::new();
        for seed in 1..=seeds {
            let mut options = ["--store=sample:auto", "--order=model"]
                .map(str::to_owned)
                .to_vec();
            options.push(format!("--seed={seed}"));
            options.push(format!("--memory={bytes}"));
            let run = runner.run(subject, &options, sweep::limit(&plain))?;
            let is_decided = run.is_decided();
            runs.push(run);
            if !is_decided {
                break;
            }
        }
        budgets.push(Budget { part, bytes, runs });
    }
    Ok((plain, budgets))
}
