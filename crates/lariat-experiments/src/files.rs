//! Results as files: CSV for spreadsheets, JSON with every sample, and a plot.

use std::io;
use std::path::Path;

use serde::Serialize;

use super::quantity::Bound;
use super::{Experiment, Measured, Place, Sample, SimulatedRow, Simulation, plot};
use lariat_report::files::write_whole;

/// Writes all files of an experiment.
pub(super) fn write(
    folder: &Path,
    experiment: &Experiment,
    all: &[Measured],
    simulated: Option<&(&Simulation, Vec<SimulatedRow>)>,
) -> io::Result<()> {
    let name = experiment.name;
    if let Some((simulation, rows)) = simulated {
        let text = simulated_csv(simulation, rows);
        write_whole(&folder.join(format!("{name}-simulation.csv")), &text)?;
    }
    write_whole(&folder.join(format!("{name}.csv")), &csv(all))?;
    write_whole(
        &folder.join(format!("{name}.json")),
        &json(experiment, all)?,
    )?;
    match plot::svg(experiment, all) {
        Some(svg) => write_whole(&folder.join(format!("{name}.svg")), &svg),
        None => Ok(()),
    }
}

/// A line for each number: its position, the paper's value, the measured value.
fn csv(all: &[Measured]) -> String {
    let mut out = String::from("table,block,row,quantity,paper,mean,deviation,samples,bound\n");
    for measured in all {
        let table = measured.table;
        for (index, row) in table.rows.iter().enumerate() {
            for (column, &quantity) in table.columns.iter().enumerate() {
                let paper = row.paper.get(column).copied().flatten();
                let cell = measured.cell(index, quantity);
                let number = |n: Option<f64>| n.map_or(String::new(), |n| n.to_string());
                let fields = [
                    match table.place {
                        Place::Table(number) => number.to_string(),
                        figure => figure.to_string(),
                    },
                    quoted(row.block),
                    quoted(&row.label),
                    quantity.title().to_string(),
                    number(paper),
                    number(cell.map(|c| c.mean)),
                    number(cell.and_then(|c| c.deviation)),
                    measured.samples[index].len().to_string(),
                    cell.map_or("", |c| bound(c.bound)).to_string(),
                ];
                out.push_str(&fields.join(","));
                out.push('\n');
            }
        }
    }
    out
}

/// A line for each row of a simulation.
fn simulated_csv(simulation: &Simulation, rows: &[SimulatedRow]) -> String {
    let mut out = format!("block,row,{}\n", simulation.columns.join(","));
    for row in rows {
        let names = [quoted(row.block), quoted(row.label)];
        let fields: Vec<&str> = names.iter().chain(&row.cells).map(String::as_str).collect();
        out.push_str(&fields.join(","));
        out.push('\n');
    }
    out
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::AtLeast => "at least",
        Bound::AtMost => "at most",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    experiment: &'a str,
    title: &'a str,
    source: &'a str,
    tables: Vec<TableReport<'a>>,
}

#[derive(Serialize)]
struct TableReport<'a> {
    #[serde(skip_serializing_if = "is_table")]
    kind: &'static str,
    number: u32,
    title: &'a str,
    rows: Vec<RowReport<'a>>,
}

#[derive(Serialize)]
struct RowReport<'a> {
    block: &'a str,
    label: &'a str,
    config: String,
    cells: Vec<CellReport>,
    samples: &'a [Sample],
}

#[derive(Serialize)]
struct CellReport {
    quantity: &'static str,
    paper: Option<f64>,
    mean: Option<f64>,
    deviation: Option<f64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    bound: &'static str,
}

fn is_table(kind: &str) -> bool {
    kind == "table"
}

fn json(experiment: &Experiment, all: &[Measured]) -> io::Result<String> {
    let tables = all.iter().map(|measured| {
        let table = measured.table;
        let rows = table.rows.iter().enumerate().map(|(index, row)| RowReport {
            block: row.block,
            label: &row.label,
            config: row.config.to_string(),
            cells: cells(measured, index),
            samples: &measured.samples[index],
        });
        TableReport {
            kind: table.place.kind(),
            number: table.place.number(),
            title: &table.title,
            rows: rows.collect(),
        }
    });
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        experiment: experiment.name,
        title: experiment.title,
        source: experiment.source,
        tables: tables.collect(),
    };
    let text = serde_json::to_string_pretty(&report).map_err(io::Error::other)?;
    Ok(text + "\n")
}

fn cells(measured: &Measured, index: usize) -> Vec<CellReport> {
    let row = &measured.table.rows[index];
    let columns = measured.table.columns.iter().enumerate();
    columns
        .map(|(column, &quantity)| {
            let cell = measured.cell(index, quantity);
            CellReport {
                quantity: quantity.title(),
                paper: row.paper.get(column).copied().flatten(),
                mean: cell.map(|c| c.mean),
                deviation: cell.and_then(|c| c.deviation),
                bound: cell.map_or("", |c| bound(c.bound)),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Ending, all};
    use super::*;

    fn sample() -> Sample {
        Sample {
            ending: Ending::Holds,
            runs: 1,
            states: 10,
            peak: 12,
            transitions: 30,
            expansions: 11,
            memory: 99,
            seconds: 0.1,
            walked: None,
            cpu: None,
        }
    }

    #[test]
    fn all_numbers_are_in_the_files() {
        let experiment = &all(false)[0];
        let table = &experiment.tables[0];
        let samples = vec![vec![sample()]; table.rows.len()];
        let measured = [Measured { table, samples }];
        let csv = csv(&measured);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 1 + table.rows.len() * table.columns.len());
        assert!(lines.iter().all(|l| l.matches(',').count() >= 8), "{csv}");
        let json: serde_json::Value =
            serde_json::from_str(&json(experiment, &measured).unwrap()).unwrap();
        let row = &json["tables"][0]["rows"][0];
        assert_eq!(row["samples"][0]["peak"], 12);
        assert_eq!(row["cells"][0]["paper"], 17068.0);
    }

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
