//! The waiting time of a user: from the model's text to the verdict, with each tool's defaults except partial order
//! reduction.

use super::models::Model;
use super::report::{Progress, Report, Table, mebibytes, seconds, thousands};
use super::statistics::{Ratios, Rounds, time_ratio};
use super::tools::{Reductions, Run, Storage, Tools, missing};
use crate::facts::Counts;

/// Smaller models are checked almost instantly.
const SMALL: u64 = 100_000;

const EXPLANATION: &str = "Each tool with its defaults, but without partial order reduction (`-DNOREDUCE`), all errors, one worker. Seconds of SPIN \
    are those of `spin -a`, `gcc -O3 -DSAFETY` and `pan` together, of pan those of `pan` alone; states are those that are stored; \
    peak memory in MiB (of the largest of the three programs).";

const STORAGES: &str = "The same models with SPIN's own compression: CPU seconds of `pan` alone, and its peak memory in MiB. COLLAPSE is exact, as \
    Lariat is; HC4 is not: it may miss states. Lariat's seconds are those of the whole check. One round.";

/// One model, measured.
#[derive(Default)]
struct Row {
    spin_counts: Option<Counts>,
    lariat_counts: Option<Counts>,
    /// Translating, compiling and searching.
    spin: Rounds,
    /// Searching alone.
    pan: Rounds,
    lariat: Rounds,
    collapse: Option<Result<Run, String>>,
    compact: Option<Result<Run, String>>,
}

/// Measures all models and adds two tables to the report.
pub fn measure(
    tools: &Tools,
    models: &[Model],
    rounds: usize,
    progress: &mut Progress,
    report: &mut Report,
) {
    let columns = [
        "model",
        "SPIN states",
        "Lariat states",
        "SPIN CPU s",
        "pan CPU s",
        "Lariat CPU s",
        "ratio",
        "SPIN s",
        "Lariat s",
        "ratio",
        "SPIN MiB",
        "Lariat MiB",
    ];
    let mut table = Table::new("User", EXPLANATION, &columns);
    let columns = [
        "model",
        "plain s",
        "MiB",
        "COLLAPSE s",
        "MiB",
        "HC4 s",
        "MiB",
        "HC4 states lost",
        "Lariat s",
        "MiB",
    ];
    let mut storages = Table::new("SPIN's compression", STORAGES, &columns);
    let mut summary = Summary::new();
    for model in models {
        let name = model.name();
        let row = match measure_one(tools, model, rounds, progress) {
            Ok(row) => row,
            Err(reason) => {
                progress.done(&name, &reason);
                report.failures.push(format!("user, {name}: {reason}"));
                continue;
            }
        };
        report.failures.extend(row.problems(&name));
        summary.add(&name, &row);
        let (cpu, wall) = row.ratios();
        progress.done(&name, &format!("CPU time {cpu:.2}, wall time {wall:.2}"));
        table.rows.push(row.cells(model));
        storages.rows.push(row.storage_cells(model));
    }
    table.notes.extend(summary.notes());
    report.tables.extend([table, storages]);
}

fn measure_one(
    tools: &Tools,
    model: &Model,
    rounds: usize,
    progress: &Progress,
) -> Result<Row, String> {
    if let Some(missing) = missing(&model.path) {
        return Err(missing);
    }
    let name = model.name();
    let mut row = Row::default();
    for round in 1..=rounds {
        progress.step(&name, &format!("user, round {round} of {rounds}, SPIN"));
        let mut verifier = tools.translate(model, Reductions::On)?;
        let compiling = verifier.compiling(Storage::Plain)?;
        let pan = verifier
            .search(Storage::Plain)
            .map_err(|reason| format!("SPIN: {reason}"))?;
        progress.step(&name, &format!("user, round {round} of {rounds}, Lariat"));
        let lariat = tools.lariat(model, Reductions::On, 1);
        let lariat = lariat.map_err(|reason| format!("Lariat: {reason}"))?.run;
        row.spin_counts = Some(pan.counts);
        row.lariat_counts = Some(lariat.counts);
        row.spin.0.push(compiling.then(pan.usage));
        row.pan.0.push(pan.usage);
        row.lariat.0.push(lariat.usage);
        if round == 1 {
            progress.step(&name, "SPIN with COLLAPSE");
            row.collapse = Some(verifier.search(Storage::Collapse));
            progress.step(&name, "SPIN with HC4");
            row.compact = Some(verifier.search(Storage::HashCompact));
        }
    }
    Ok(row)
}

impl Row {
    /// States stored: SPIN, Lariat.
    fn states(&self) -> (u64, u64) {
        let states = |counts: Option<Counts>| counts.map_or(0, |counts| counts.states);
        (states(self.spin_counts), states(self.lariat_counts))
    }

    /// How many times less CPU time and wall time Lariat takes.
    fn ratios(&self) -> (f64, f64) {
        (
            time_ratio(self.spin.cpu(), self.lariat.cpu()),
            time_ratio(self.spin.wall(), self.lariat.wall()),
        )
    }

    /// Errors of the comparison: other verdicts, or more states than SPIN stores.
    fn problems(&self, name: &str) -> Vec<String> {
        let violated = |counts: Option<Counts>| counts.is_some_and(|counts| counts.errors > 0);
        let mut problems = Vec::new();
        if violated(self.spin_counts) != violated(self.lariat_counts) {
            problems.push(format!("user, {name}: only one tool finds errors"));
        }
        let (spin, lariat) = self.states();
        if lariat > spin {
            problems.push(format!("user, {name}: {lariat} states, SPIN {spin}"));
        }
        problems
    }

    fn cells(&self, model: &Model) -> Vec<String> {
        let (states, ratios) = (self.states(), self.ratios());
        vec![
            model.name(),
            thousands(states.0),
            thousands(states.1),
            seconds(self.spin.cpu()),
            seconds(self.pan.cpu()),
            seconds(self.lariat.cpu()),
            format!("{:.2}", ratios.0),
            seconds(self.spin.wall()),
            seconds(self.lariat.wall()),
            format!("{:.2}", ratios.1),
            mebibytes(self.spin.rss()),
            mebibytes(self.lariat.rss()),
        ]
    }

    fn storage_cells(&self, model: &Model) -> Vec<String> {
        let mut cells = vec![
            model.name(),
            seconds(self.pan.cpu()),
            mebibytes(self.pan.rss()),
        ];
        for run in [&self.collapse, &self.compact] {
            match run {
                Some(Ok(run)) => {
                    cells.push(seconds(run.usage.cpu.as_secs_f64()));
                    cells.push(mebibytes(run.usage.rss as f64));
                }
                Some(Err(reason)) => cells.extend([reason.clone(), "-".into()]),
                None => cells.extend(["-".into(), "-".into()]),
            }
        }
        let lost = match &self.compact {
            Some(Ok(run)) => thousands(self.states().0.saturating_sub(run.counts.states)),
            _ => "-".into(),
        };
        cells.push(lost);
        cells.extend([seconds(self.lariat.cpu()), mebibytes(self.lariat.rss())]);
        cells
    }
}

/// The ratios over all models.
struct Summary {
    cpu: Ratios,
    wall: Ratios,
    pan: Ratios,
    states: Ratios,
    small_cpu: Ratios,
    small_wall: Ratios,
}

impl Summary {
    fn new() -> Summary {
        Summary {
            cpu: Ratios::new("CPU seconds to the verdict, SPIN over Lariat"),
            wall: Ratios::new("seconds on the clock to the verdict, SPIN over Lariat"),
            pan: Ratios::new("CPU seconds of pan alone, compiled already, over Lariat's"),
            states: Ratios::new("states stored, SPIN over Lariat"),
            small_cpu: Ratios::new("below 100,000 states: CPU seconds to the verdict"),
            small_wall: Ratios::new("below 100,000 states: seconds on the clock to the verdict"),
        }
    }

    fn add(&mut self, name: &str, row: &Row) {
        let (cpu, wall) = row.ratios();
        let states = row.states();
        self.cpu.add(name, cpu);
        self.wall.add(name, wall);
        self.pan
            .add(name, time_ratio(row.pan.cpu(), row.lariat.cpu()));
        self.states
            .add(name, states.0 as f64 / states.1.max(1) as f64);
        if states.0 < SMALL {
            self.small_cpu.add(name, cpu);
            self.small_wall.add(name, wall);
        }
    }

    fn notes(&self) -> Vec<String> {
        let all = [
            &self.cpu,
            &self.wall,
            &self.pan,
            &self.states,
            &self.small_cpu,
            &self.small_wall,
        ];
        let measured = all.into_iter().filter(|ratios| !ratios.is_empty());
        measured.map(Ratios::to_string).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(spin: (u64, u64), lariat: (u64, u64)) -> Row {
        let counts = |(errors, states)| {
            Some(Counts {
                errors,
                states,
                transitions: 0,
            })
        };
        Row {
            spin_counts: counts(spin),
            lariat_counts: counts(lariat),
            ..Row::default()
        }
    }

    #[test]
    fn fewer_states_are_fine_and_more_are_not() {
        assert!(row((0, 10), (0, 10)).problems("m").is_empty());
        assert!(row((3, 10), (1, 9)).problems("m").is_empty());
        assert_eq!(row((0, 10), (0, 11)).problems("m").len(), 1);
        assert_eq!(row((1, 10), (0, 10)).problems("m").len(), 1);
    }
}
