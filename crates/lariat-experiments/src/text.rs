//! Tables as text, for a terminal.

use std::fmt::Write;

use super::quantity::{Bound, Cell};
use super::{Experiment, Measured, Quantity, Row, SimulatedRow, Simulation, block_prefix};

/// The heading of the tables.
pub fn heading(experiment: &Experiment) -> String {
    format!("{}\n{}\n", experiment.title, experiment.source)
}

/// A table: for each row the numbers of the paper, the measured ones, and their comparison.
pub fn table_text(measured: &Measured) -> String {
    let table = measured.table;
    let mut out = format!("\n{}. {}\n\n", table.place, table.title);
    let titles = table
        .columns
        .iter()
        .map(|c| (c.title().into(), String::new()));
    let mut lines = vec![Line::Cells(String::new(), "", titles.collect())];
    let mut block = "";
    for (index, row) in table.rows.iter().enumerate() {
        if row.block != block {
            block = row.block;
            lines.push(Line::Block(block));
        }
        push_row(measured, index, row, &mut lines);
    }
    align(&lines, &mut out);
    let cut = measured.samples.iter().flatten().any(|s| s.ending.is_cut());
    if !table.notes.is_empty() || cut {
        out.push('\n');
    }
    for note in &table.notes {
        let _ = writeln!(out, "  {note}");
    }
    out.push_str(&stopped(measured));
    out
}

/// A simulation as a table.
pub fn simulation_text(simulation: &Simulation, rows: &[SimulatedRow]) -> String {
    let mut out = format!("\n{}. {}\n\n", simulation.place, simulation.title);
    let cell = |text: &str| (text.to_string(), String::new());
    let titles = simulation.columns.iter().map(|title| cell(title));
    let mut lines = vec![Line::Cells(String::new(), "", titles.collect())];
    let mut block = "";
    for row in rows {
        if row.block != block {
            block = row.block;
            lines.push(Line::Block(block));
        }
        let cells = row.cells.iter().map(|text| cell(text));
        lines.push(Line::Cells(row.label.into(), "", cells.collect()));
    }
    align(&lines, &mut out);
    out.push('\n');
    for note in &simulation.notes {
        let _ = writeln!(out, "  {note}");
    }
    out
}

/// A line of a table: a heading, or a label, a source and two parts of each number.
enum Line {
    Block(&'static str),
    Cells(String, &'static str, Vec<(String, String)>),
}

fn push_row(measured: &Measured, index: usize, row: &Row, lines: &mut Vec<Line>) {
    let columns = &measured.table.columns;
    let cells: Vec<Option<Cell>> = columns.iter().map(|&c| measured.cell(index, c)).collect();
    let paper = |column: usize| row.paper.get(column).copied().flatten();
    let mut label = row.label.clone();
    if (0..columns.len()).any(|c| paper(c).is_some()) {
        let numbers = columns.iter().enumerate();
        let numbers = numbers.map(|(c, quantity)| match paper(c) {
            Some(number) => (quantity.format(number), String::new()),
            None => ("-".into(), String::new()),
        });
        let label = std::mem::take(&mut label);
        lines.push(Line::Cells(label, "paper", numbers.collect()));
    }
    let here = columns
        .iter()
        .zip(&cells)
        .map(|(q, cell)| number(*q, *cell));
    lines.push(Line::Cells(label, "here", here.collect()));
    let compared: Vec<Option<String>> = (0..columns.len())
        .map(|c| {
            let cell = cells[c].filter(|cell| cell.bound == Bound::Exact)?;
            columns[c].compare(paper(c)?, cell.mean)
        })
        .collect();
    if compared.iter().any(Option::is_some) {
        let compared = compared.into_iter();
        let compared = compared.map(|c| (c.unwrap_or_default(), String::new()));
        lines.push(Line::Cells(String::new(), "ratio", compared.collect()));
    }
}

/// A measured number and its deviation.
fn number(quantity: Quantity, cell: Option<Cell>) -> (String, String) {
    let Some(cell) = cell else {
        return ("-".into(), String::new());
    };
    let sign = match cell.bound {
        Bound::Exact => "",
        Bound::AtLeast => "> ",
        Bound::AtMost => "< ",
    };
    let deviation = cell.deviation.map(|d| quantity.format(d));
    (
        format!("{sign}{}", quantity.format(cell.mean)),
        deviation.map_or(String::new(), |d| {
            format!(" ± {}", d.trim_end_matches(" %"))
        }),
    )
}

/// Aligns the parts of each column.
fn align(lines: &[Line], out: &mut String) {
    let mut labels = 0;
    let mut sources = 0;
    let mut widths: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        if let Line::Cells(label, source, cells) = line {
            labels = labels.max(label.chars().count());
            sources = sources.max(source.len());
            widths.resize(widths.len().max(cells.len()), (0, 0));
            for (width, (number, deviation)) in widths.iter_mut().zip(cells) {
                width.0 = width.0.max(number.chars().count());
                width.1 = width.1.max(deviation.chars().count());
            }
        }
    }
    for line in lines {
        let mut text = String::from("  ");
        match line {
            Line::Block(block) => text.push_str(block),
            Line::Cells(label, source, cells) => {
                let _ = write!(text, "{label:<labels$}  {source:<sources$}");
                for ((number, deviation), width) in cells.iter().zip(&widths) {
                    let _ = write!(text, "  {number:>0$}{deviation:<1$}", width.0, width.1);
                }
            }
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
}

/// The rows that reached a limit, for each limit.
fn stopped(measured: &Measured) -> String {
    let mut limits: Vec<(&str, Vec<String>)> = Vec::new();
    for (row, samples) in measured.table.rows.iter().zip(&measured.samples) {
        let cut: Vec<_> = samples.iter().filter(|s| s.ending.is_cut()).collect();
        let Some(first) = cut.first() else { continue };
        let count = match (samples.len(), cut.len()) {
            (1, _) => String::new(),
            (all, cut) => format!(" ({cut} of {all})"),
        };
        let name = format!("{}{}{count}", block_prefix(row.block), row.label);
        let word = first.ending.word();
        match limits.iter_mut().find(|(limit, _)| *limit == word) {
            Some((_, names)) => names.push(name),
            None => limits.push((word, vec![name])),
        }
    }
    let sentence = |(limit, names): &(&str, Vec<String>)| {
        format!("  stopped by the limit on {limit}: {}\n", names.join("; "))
    };
    limits.iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Ending, Sample};
    use super::super::{all, run};
    use super::*;

    #[test]
    fn a_table_shows_paper_and_measurement() {
        let experiment = &all(false)[0];
        let table = &experiment.tables[1];
        let sample = |ending, states, transitions| Sample {
            ending,
            runs: 1,
            states,
            peak: states,
            transitions,
            expansions: states,
            memory: 1 << 20,
            seconds: 1.0,
            walked: None,
            cpu: None,
        };
        let mut samples = vec![vec![sample(Ending::Holds, 4000, 20_000)]];
        samples.push(vec![
            sample(Ending::Holds, 3200, 30_000),
            sample(Ending::Holds, 3400, 34_000),
        ]);
        samples.resize(
            table.rows.len(),
            vec![sample(Ending::Transitions, 1000, 9_000_000)],
        );
        let text = table_text(&Measured { table, samples });
        for part in [
            "paper    3727",
            "3300 ± 141",
            "17.5 % ± 3.5",
            "1.60 ± 0.14",
            "x 0.87",
            "> 450.00",
            "< 75.0 %",
            "by the limit on transitions: dynamic strategy: P = 0.10; ",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        assert!(text.lines().all(|line| line.len() == line.trim_end().len()));
    }

    #[test]
    fn a_stopped_row_shows_the_number_of_stopped_searches() {
        let experiment = &all(true)[0];
        struct Silent;
        impl super::super::ExperimentObserver for Silent {
            fn progress(&mut self, _: &str, _: &lariat_search::Progress) {}
            fn table(&mut self, _: &Measured) {}
            fn simulated(
                &mut self,
                _: &super::super::Simulation,
                _: &[super::super::SimulatedRow],
            ) {
            }
        }
        let settings = super::super::Settings {
            places: vec![super::super::Place::Table(4)],
            ..Default::default()
        };
        let measured = run(experiment, &settings, &mut Silent).unwrap();
        let text = table_text(&measured[0]);
        assert!(
            text.contains("by the limit on memory: fixed order: N = 8"),
            "{text}"
        );
    }
}
