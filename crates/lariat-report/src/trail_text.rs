//! A trail as text: a table of its steps, which adapts to the width of a terminal.

use std::fmt::Write;

use lariat_check::trace::TraceStep;

use crate::text::Style;
use crate::trail::Trail;
use crate::wrap::{cell, length, list_cell, longest_part, wrapped};

/// The number of steps at each end of a long trail that are shown, if it is shortened.
const CUT: usize = 60;
/// A column that has less room than this is not put beside others.
const NARROW: usize = 14;

/// A trail as a table. If `cut`, the middle of a long one is omitted.
pub fn trail_table(trail: &Trail, style: Style, cut: bool) -> String {
    let count = trail.steps.len();
    let left_out = match cut && count > 2 * CUT {
        true => CUT..count - CUT,
        false => count..count,
    };
    let shown: Vec<usize> = (0..count).filter(|i| !left_out.contains(i)).collect();
    let rows: Vec<Row> = (shown.iter())
        .map(|&index| Row::new(index, &trail.steps[index], trail))
        .collect();
    let atoms = trail.claim.as_ref().map_or(0, |claim| claim.atoms.len());
    let columns = Columns::new(&rows, atoms, style.width);
    let mut out = String::new();
    legend(trail, &mut out);
    let letters: String = (0..atoms).map(letter).collect();
    if let Some(head) = columns.head(&letters) {
        let _ = writeln!(out, "{}", style.bold(&head));
    }
    if let (Some(claim), true) = (&trail.claim, atoms > 0) {
        let values = columns.values(&claim.values);
        let _ = writeln!(out, " {:>5}{values}  (the initial state)", 0);
    }
    for (&index, row) in shown.iter().zip(&rows) {
        if !left_out.is_empty() && index == left_out.end {
            let _ = writeln!(out, "  ... {} steps left out ...", left_out.len());
        }
        if trail.loop_start == Some(index) {
            let _ = writeln!(out, "  {}", style.bold("-- the loop starts here --"));
        }
        for line in columns.lines(row) {
            let _ = writeln!(out, "{line}");
        }
        for printed in row.output.lines() {
            let _ = writeln!(out, " {:>5}  {}", "", style.dim(&format!("| {printed}")));
        }
    }
    if let Some(start) = trail.loop_start {
        let end = if start == count {
            "-- the run has ended: it stays in this state --"
        } else {
            "-- back to the start of the loop --"
        };
        let _ = writeln!(out, "  {}", style.bold(end));
    }
    let end = match trail.steps.len() {
        0 => format!("in the initial state: {}", trail.violation.message),
        _ => format!("then: {}", trail.violation.message),
    };
    let _ = writeln!(out, "  {}", style.paint("1;31", &end));
    for line in &trail.violation.waiting {
        let _ = writeln!(out, "    {line}");
    }
    wrapped(&out, style.width)
}

/// The widths of the columns.
struct Columns {
    atoms: usize,
    process: usize,
    place: usize,
    statement: usize,
    /// The width of the changes; nothing if they may have any.
    changes: Option<usize>,
    /// The width of the terminal, if that is too narrow for all columns: statement and changes have lines of their own.
    stacked: Option<usize>,
}

impl Columns {
    fn new(rows: &[Row], atoms: usize, terminal: Option<usize>) -> Self {
        let widest = |width: fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or(0);
        // A few long names do not push everything to the right, unless lines would be broken for that.
        let most = |usual: usize| terminal.map_or(usual, |_| usize::MAX);
        let mut columns = Columns {
            atoms,
            process: widest(|row| length(&row.process)).clamp(7, most(24)),
            place: widest(|row| length(&row.place)).clamp(4, most(32)),
            statement: widest(|row| length(&row.statement)).clamp(9, most(48)),
            changes: None,
            stacked: None,
        };
        if let Some(width) = terminal {
            let changes = widest(|row| length(&row.changes.join(", ")));
            let least = [
                widest(|row| longest_part(&row.statement)).max(NARROW),
                widest(|row| row.changes.iter().map(|c| length(c) + 1).max().unwrap_or(0))
                    .max(NARROW),
            ];
            columns.fit(width, changes, least);
        }
        columns
    }

    /// Divides what is left of a terminal among statements and changes, which need at least so much.
    fn fit(&mut self, width: usize, changes: usize, least: [usize; 2]) {
        let rest = width.saturating_sub(self.left() + 4);
        if rest < least[0] + least[1] {
            self.stacked = Some(width);
            return;
        }
        let wanted = self
            .statement
            .min((rest / 2).max(rest.saturating_sub(changes)));
        self.statement = wanted.clamp(least[0], rest - least[1]);
        self.changes = Some(rest - self.statement);
    }

    /// The names of the columns, if each has one; conditions are named by letters.
    fn head(&self, letters: &str) -> Option<String> {
        let row = Row {
            step: "step".into(),
            values: letters.into(),
            process: "process".into(),
            place: "line".into(),
            statement: "statement".into(),
            changes: vec!["changes".into()],
            output: String::new(),
        };
        match (self.stacked, self.atoms) {
            (None, _) => self.lines(&row).into_iter().next(),
            (Some(_), 0) => None,
            (Some(_), _) => Some(format!(" {:>5}{}", "step", self.values(letters))),
        }
    }

    /// The width of the columns before the statement.
    fn left(&self) -> usize {
        let values = self.values("").len();
        6 + values + 2 + self.process + 2 + self.place
    }

    /// The column with the values of conditions.
    fn values(&self, values: &str) -> String {
        match self.atoms {
            0 => String::new(),
            // Twice the width, as there is a space between two.
            n => format!("  {:w$}", spaced(values), w = 2 * n - 1),
        }
    }

    /// The lines of a row.
    fn lines(&self, row: &Row) -> Vec<String> {
        let values = self.values(&row.values);
        let left = format!(
            " {:>5}{values}  {:process$}  {:>place$}",
            row.step,
            row.process,
            row.place,
            process = self.process,
            place = self.place,
        );
        if let Some(width) = self.stacked {
            return self.stacked_lines(row, width);
        }
        let Some(changes) = self.changes else {
            let width = self.statement;
            let line = format!(
                "{left}  {:width$}  {}",
                row.statement,
                row.changes.join(", ")
            );
            return vec![line.trim_end().to_string()];
        };
        let statement = cell(&row.statement, self.statement);
        let changes = list_cell(&row.changes, changes);
        let line = |index: usize| {
            let text = |lines: &[String]| lines.get(index).cloned().unwrap_or_default();
            let left = match index {
                0 => left.clone(),
                _ => " ".repeat(self.left()),
            };
            let width = self.statement;
            let line = format!("{left}  {:width$}  {}", text(&statement), text(&changes));
            line.trim_end().to_string()
        };
        (0..statement.len().max(changes.len())).map(line).collect()
    }

    /// The lines of a row whose statement and changes are below it.
    fn stacked_lines(&self, row: &Row, width: usize) -> Vec<String> {
        const INDENT: usize = 8;
        const NOW: &str = "now ";
        let Row {
            step,
            process,
            place,
            ..
        } = row;
        let mut lines = vec![format!(
            " {step:>5}{}  {process}, line {place}",
            self.values(&row.values)
        )];
        let room = width.saturating_sub(INDENT);
        let statement = cell(&row.statement, room);
        lines.extend(statement.iter().map(|line| format!("{:INDENT$}{line}", "")));
        if !row.changes.is_empty() {
            let changes = list_cell(&row.changes, room.saturating_sub(NOW.len()));
            let labels = std::iter::once(NOW).chain(std::iter::repeat("    "));
            let line = |(label, line): (&str, &String)| format!("{:INDENT$}{label}{line}", "");
            lines.extend(labels.zip(&changes).map(line));
        }
        lines
    }
}

/// The conditions of the columns of a property.
fn legend(trail: &Trail, out: &mut String) {
    let Some(claim) = &trail.claim else { return };
    for (index, atom) in claim.atoms.iter().enumerate() {
        let _ = writeln!(out, "  {}: {atom}", letter(index));
    }
    if !claim.atoms.is_empty() {
        out.push('\n');
    }
}

/// The letter of a condition; from the 27th on they repeat.
fn letter(index: usize) -> char {
    (b'a' + (index % 26) as u8) as char
}

/// Characters with spaces between them.
fn spaced(text: &str) -> String {
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

struct Row {
    step: String,
    values: String,
    process: String,
    place: String,
    statement: String,
    changes: Vec<String>,
    output: String,
}

impl Row {
    fn new(index: usize, step: &TraceStep, trail: &Trail) -> Row {
        let place = |file: &str, line: u32| {
            if file == trail.model.file {
                line.to_string()
            } else {
                format!("{file}:{line}")
            }
        };
        let change = |(name, value): &(String, String)| format!("{name} = {value}");
        let mut row = Row {
            step: (index + 1).to_string(),
            values: step.values.clone(),
            process: format!("{}[{}]", step.process, step.pid),
            place: place(&step.file, step.line),
            statement: step.statements(),
            changes: step.changes.iter().map(change).collect(),
            output: step.output.clone(),
        };
        if let Some(partner) = &step.partner {
            let _ = write!(row.process, " -> {}[{}]", partner.process, partner.pid);
            let _ = write!(row.place, " -> {}", place(&partner.file, partner.line));
        }
        row
    }
}
