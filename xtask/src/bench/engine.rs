//! The engine alone: the same states and transitions in both tools, one worker.

use super::models::Model;
use super::report::{Progress, Report, Table, mebibytes, millions, thousands};
use super::statistics::{Ratios, Rounds, time_ratio};
use super::tools::{Reductions, Storage, Tools, difference, missing};
use crate::facts::Counts;
use crate::measure::Usage;

const EXPLANATION: &str = "All states in both tools (`spin -a -o1 -o2 -o3`, `--no-merge --no-dead`), all errors, one worker; \
    verifiers compiled with `gcc -O3 -DSAFETY -DNOREDUCE -DNOCLAIM` (not counted), with a hash table that has a slot for each state and the least \
    stack that is enough. Millions of transitions per CPU second of the whole process, start and exit included; peak memory in MiB; \
    bytes a state are peak memory, less that of a model with nothing in it, over states.";

/// For fewer states, the memory of the programs themselves dominates.
const COUNTABLE: u64 = 100_000;

/// One model, measured.
struct Row {
    counts: Counts,
    spin: Rounds,
    lariat: Rounds,
}

/// Measures all models and adds a table to the report.
pub fn measure(
    tools: &Tools,
    models: &[Model],
    rounds: usize,
    progress: &mut Progress,
    report: &mut Report,
) {
    let columns = [
        "model",
        "states",
        "transitions",
        "vector",
        "SPIN M/s",
        "Lariat M/s",
        "ratio",
        "SPIN MiB",
        "Lariat MiB",
        "SPIN B/state",
        "Lariat B/state",
        "ratio",
    ];
    let mut table = Table::new("Engine", EXPLANATION, &columns);
    let footprints = tools.footprints().unwrap_or_else(|reason| {
        report
            .failures
            .push(format!("engine, empty model: {reason}"));
        (Usage::default(), Usage::default())
    });
    let mut speed = Ratios::new("transitions per CPU second, Lariat over SPIN");
    let mut memory = Ratios::new("bytes a state, SPIN over Lariat, from 100,000 states on");
    for model in models {
        let name = model.name();
        match measure_one(tools, model, rounds, progress) {
            Ok(row) => {
                let ratios = row.ratios(footprints);
                speed.add(&name, ratios.0);
                if row.counts.states >= COUNTABLE {
                    memory.add(&name, ratios.1);
                }
                progress.done(
                    &name,
                    &format!("speed {:.2}, memory {:.2}", ratios.0, ratios.1),
                );
                table.rows.push(row.cells(model, footprints));
            }
            Err(reason) => {
                progress.done(&name, &reason);
                report.failures.push(format!("engine, {name}: {reason}"));
            }
        }
    }
    table.notes.extend([speed.to_string(), memory.to_string()]);
    table.notes.push(format!(
        "an empty model: SPIN {} MiB, Lariat {} MiB",
        mebibytes(footprints.0.rss as f64),
        mebibytes(footprints.1.rss as f64)
    ));
    report.tables.push(table);
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
    progress.step(&name, "compiling SPIN's verifier");
    let mut verifier = tools.translate(model, Reductions::Off)?;
    verifier.compiling(Storage::Plain)?;
    let mut row: Option<Row> = None;
    for round in 1..=rounds {
        progress.step(&name, &format!("engine, round {round} of {rounds}, SPIN"));
        let spin = verifier
            .search(Storage::Plain)
            .map_err(|reason| format!("SPIN: {reason}"))?;
        progress.step(&name, &format!("engine, round {round} of {rounds}, Lariat"));
        let lariat = tools.lariat(model, Reductions::Off, 1);
        let lariat = lariat.map_err(|reason| format!("Lariat: {reason}"))?.run;
        if let Some(difference) = difference(spin.counts, lariat.counts) {
            return Err(difference);
        }
        if lariat.counts.states != model.states {
            let states = lariat.counts.states;
            return Err(format!(
                "{states} states, not {} as in models.txt",
                model.states
            ));
        }
        let row = row.get_or_insert_with(|| Row {
            counts: lariat.counts,
            spin: Rounds::default(),
            lariat: Rounds::default(),
        });
        row.spin.0.push(spin.usage);
        row.lariat.0.push(lariat.usage);
    }
    row.ok_or_else(|| "no rounds".into())
}

impl Row {
    /// Transitions per CPU second: SPIN, Lariat.
    fn speeds(&self) -> (f64, f64) {
        let transitions = self.counts.transitions as f64;
        let speed = |rounds: &Rounds| transitions * time_ratio(1.0, rounds.cpu());
        (speed(&self.spin), speed(&self.lariat))
    }

    /// Bytes a state: SPIN, Lariat.
    fn sizes(&self, footprints: (Usage, Usage)) -> (f64, f64) {
        let size = |rounds: &Rounds, empty: Usage| {
            (rounds.rss() - empty.rss as f64).max(0.0) / self.counts.states as f64
        };
        (
            size(&self.spin, footprints.0),
            size(&self.lariat, footprints.1),
        )
    }

    /// How many times faster and smaller Lariat is.
    fn ratios(&self, footprints: (Usage, Usage)) -> (f64, f64) {
        let (speeds, sizes) = (self.speeds(), self.sizes(footprints));
        (speeds.1 / speeds.0, sizes.0.max(0.1) / sizes.1.max(0.1))
    }

    fn cells(&self, model: &Model, footprints: (Usage, Usage)) -> Vec<String> {
        let (speeds, sizes, ratios) = (
            self.speeds(),
            self.sizes(footprints),
            self.ratios(footprints),
        );
        vec![
            model.name(),
            thousands(self.counts.states),
            thousands(self.counts.transitions),
            model.vector.to_string(),
            millions(speeds.0),
            millions(speeds.1),
            format!("{:.2}", ratios.0),
            mebibytes(self.spin.rss()),
            mebibytes(self.lariat.rss()),
            format!("{:.1}", sizes.0),
            format!("{:.1}", sizes.1),
            format!("{:.2}", ratios.1),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn ratios_of_a_row() {
        let usage = |cpu: u64, rss: u64| {
            let cpu = Duration::from_secs(cpu);
            Rounds(vec![Usage {
                cpu,
                wall: cpu,
                rss,
            }])
        };
        let row = Row {
            counts: Counts {
                errors: 0,
                states: 100,
                transitions: 600,
            },
            spin: usage(3, 10_500),
            lariat: usage(1, 1_200),
        };
        let empty = |rss| Usage {
            rss,
            ..Usage::default()
        };
        let footprints = (empty(500), empty(200));
        assert_eq!(row.speeds(), (200.0, 600.0));
        assert_eq!(row.sizes(footprints), (100.0, 10.0));
        assert_eq!(row.ratios(footprints), (3.0, 10.0));
    }
}
