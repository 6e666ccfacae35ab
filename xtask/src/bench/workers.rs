//! Several workers compared with one, by wall-clock time: only meaningful on an otherwise idle machine.

use super::models::Model;
use super::report::{Progress, Report, Table, mebibytes, seconds, thousands};
use super::statistics::{Ratios, Rounds, time_ratio};
use super::tools::{Reductions, Tools, missing};

/// With fewer states a search is too short to be divided.
pub const SMALLEST: u64 = 500_000;

/// One model, measured.
struct Row {
    states: u64,
    search: (String, String),
    one: Rounds,
    several: Rounds,
}

/// Measures all models and adds a table to the report.
pub fn measure(
    tools: &Tools,
    models: &[Model],
    workers: u64,
    rounds: usize,
    progress: &mut Progress,
    report: &mut Report,
) {
    let explanation = format!(
        "Seconds on the clock with one worker and with {workers}, all states, complete searches for errors of safety or for a \
         formula; CPU seconds and peak memory in MiB of both."
    );
    let columns = [
        "model",
        "states",
        "search",
        "1: s",
        "several: s",
        "ratio",
        "1: CPU s",
        "several: CPU s",
        "1: MiB",
        "several: MiB",
    ];
    let mut table = Table::new("Workers", &explanation, &columns);
    let mut safety = Ratios::new(format!(
        "errors of safety, speed of {workers} workers over one"
    ));
    let mut formulas = Ratios::new(format!("formulas, speed of {workers} workers over one"));
    for model in models {
        let name = model.name();
        match measure_one(tools, model, workers, rounds, progress) {
            Ok(row) => {
                let ratio = time_ratio(row.one.wall(), row.several.wall());
                let ratios = if model.property.is_some() {
                    &mut formulas
                } else {
                    &mut safety
                };
                ratios.add(&name, ratio);
                progress.done(&name, &format!("{ratio:.2}"));
                table.rows.push(row.cells(&name, ratio));
            }
            Err(reason) => {
                progress.done(&name, &reason);
                report.failures.push(format!("workers, {name}: {reason}"));
            }
        }
    }
    table
        .notes
        .extend([safety.to_string(), formulas.to_string()]);
    report.tables.push(table);
}

fn measure_one(
    tools: &Tools,
    model: &Model,
    workers: u64,
    rounds: usize,
    progress: &Progress,
) -> Result<Row, String> {
    if let Some(missing) = missing(&model.path) {
        return Err(missing);
    }
    let name = model.name();
    let mut row: Option<Row> = None;
    for round in 1..=rounds {
        progress.step(&name, &format!("round {round} of {rounds}, one worker"));
        let one = tools.lariat(model, Reductions::Off, 1)?;
        progress.step(
            &name,
            &format!("round {round} of {rounds}, {workers} workers"),
        );
        let several = tools.lariat(model, Reductions::Off, workers)?;
        let (a, b) = (one.run.counts, several.run.counts);
        // The part of a product that a nested search visits depends on the order, if there is a violation.
        if a != b && (model.property.is_none() || (a.errors > 0) != (b.errors > 0)) {
            return Err(format!("one worker: {a}; {workers}: {b}"));
        }
        let row = row.get_or_insert_with(|| Row {
            states: a.states,
            search: (one.search, several.search),
            one: Rounds::default(),
            several: Rounds::default(),
        });
        row.one.0.push(one.run.usage);
        row.several.0.push(several.run.usage);
    }
    row.ok_or_else(|| "no rounds".into())
}

impl Row {
    fn cells(&self, name: &str, ratio: f64) -> Vec<String> {
        let search = if self.search.0 == self.search.1 {
            self.search.0.clone()
        } else {
            format!("{}, {}", self.search.0, self.search.1)
        };
        vec![
            name.to_owned(),
            thousands(self.states),
            search,
            seconds(self.one.wall()),
            seconds(self.several.wall()),
            format!("{ratio:.2}"),
            seconds(self.one.cpu()),
            seconds(self.several.cpu()),
            mebibytes(self.one.rss()),
            mebibytes(self.several.rss()),
        ]
    }
}
