//! The output of a benchmark: tables as aligned text and as Markdown, and the progress.

use std::fmt::Write as _;
use std::io::IsTerminal;

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its title.
    pub title: String,
    /// How it was measured.
    pub explanation: String,
    /// The heads of the columns. The first column is text, the others are numbers.
    pub columns: Vec<&'static str>,
    /// The rows: as many cells as there are columns.
    pub rows: Vec<Vec<String>>,
    /// The conclusions.
    pub notes: Vec<String>,
}

impl Table {
    /// One without rows.
    pub fn new(title: &str, explanation: &str, columns: &[&'static str]) -> Table {
        Table {
            title: title.to_owned(),
            explanation: explanation.to_owned(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn widths(&self) -> Vec<usize> {
        let width = |text: &str| text.chars().count();
        let of_column = |(column, head): (usize, &&str)| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells
                .map(|cell| width(cell))
                .max()
                .unwrap_or(0)
                .max(width(head))
        };
        self.columns.iter().enumerate().map(of_column).collect()
    }

    fn text(&self) -> String {
        let widths = self.widths();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::new();
            for (column, (cell, &width)) in cells.zip(&widths).enumerate() {
                let _ = match column {
                    0 => write!(line, "{cell:<width$}"),
                    _ => write!(line, "  {cell:>width$}"),
                };
            }
            line.trim_end().to_owned() + "\n"
        };
        let mut text = format!("{}\n{}\n", self.title, wrapped(&self.explanation));
        text += &line(&mut self.columns.iter().copied());
        for row in &self.rows {
            text += &line(&mut row.iter().map(String::as_str));
        }
        text.push('\n');
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        text
    }

    fn markdown(&self) -> String {
        let mut text = format!("## {}\n\n{}\n\n", self.title, self.explanation);
        let _ = writeln!(text, "| {} |", self.columns.join(" | "));
        let _ = writeln!(
            text,
            "|---|{}",
            "---:|".repeat(self.columns.len().saturating_sub(1))
        );
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text.push('\n');
        for note in &self.notes {
            let _ = writeln!(text, "- {note}");
        }
        text
    }
}

/// The report of a benchmark.
#[derive(Clone, Debug, Default)]
pub struct Report {
    machine: Vec<(String, String)>,
    /// The tables.
    pub tables: Vec<Table>,
    /// Failures: differences between the tools, and runs that failed.
    pub failures: Vec<String>,
}

impl Report {
    /// One without tables, for this machine.
    pub fn new(machine: Vec<(String, String)>) -> Report {
        Report {
            machine,
            ..Report::default()
        }
    }

    /// For terminals.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (what, value) in &self.machine {
            let _ = writeln!(text, "{what:<10}{value}");
        }
        for table in &self.tables {
            let _ = write!(text, "\n{}", table.text());
        }
        if !self.failures.is_empty() {
            text += "\nFAILED\n";
        }
        for failure in &self.failures {
            let _ = writeln!(text, "{failure}");
        }
        text
    }

    /// For documents.
    pub fn markdown(&self) -> String {
        let mut text = String::from("# Benchmark\n\n");
        for (what, value) in &self.machine {
            let _ = writeln!(text, "- {what}: {value}");
        }
        for table in &self.tables {
            let _ = write!(text, "\n{}", table.markdown());
        }
        if !self.failures.is_empty() {
            text += "\n## Failed\n\n";
        }
        for failure in &self.failures {
            let _ = writeln!(text, "- {failure}");
        }
        text
    }
}

/// Prints the progress of a benchmark on standard error.
pub struct Progress {
    total: usize,
    done: usize,
    terminal: bool,
}

impl Progress {
    /// For so many models.
    pub fn new(total: usize) -> Progress {
        Progress {
            total,
            done: 0,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    /// A step begins; on terminals only.
    pub fn step(&self, model: &str, what: &str) {
        if self.terminal {
            eprint!("\r\x1b[K[{}/{}] {model}: {what}", self.done + 1, self.total);
        }
    }

    /// A model is done.
    pub fn done(&mut self, model: &str, what: &str) {
        self.done += 1;
        let start = if self.terminal { "\r\x1b[K" } else { "" };
        eprintln!("{start}[{}/{}] {model}: {what}", self.done, self.total);
    }
}

/// Text in lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 100 {
            lines.push('\n');
            width = 0;
        }
        if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines += word;
        width += length;
    }
    lines + "\n"
}

/// A number with separators between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes as mebibytes.
pub fn mebibytes(bytes: f64) -> String {
    format!("{:.0}", bytes / f64::from(1 << 20))
}

/// Seconds with an adequate number of digits.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{s:.3}"),
        s if s < 100.0 => format!("{s:.2}"),
        s => format!("{s:.0}"),
    }
}

/// Something per second, in millions.
pub fn millions(number: f64) -> String {
    format!("{:.2}", number / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("Title", "How.", &["model", "states"]);
        table.rows.push(vec!["a".into(), "1,234".into()]);
        table.rows.push(vec!["longer".into(), "5".into()]);
        table.notes.push("note".into());
        table
    }

    #[test]
    fn text_is_aligned() {
        let expected = "Title\nHow.\n\nmodel   states\na        1,234\nlonger       5\n\nnote\n";
        assert_eq!(table().text(), expected);
    }

    #[test]
    fn markdown_has_as_many_columns() {
        let expected = "## Title\n\nHow.\n\n| model | states |\n|---|---:|\n| a | 1,234 |\n| longer | 5 |\n\n- note\n";
        assert_eq!(table().markdown(), expected);
    }

    #[test]
    fn failures_are_shown() {
        let mut report = Report::new(vec![("CPU".into(), "fast".into())]);
        assert!(!report.text().contains("FAILED"));
        report.failures.push("model: different".into());
        assert!(report.text().ends_with("FAILED\nmodel: different\n"));
        assert!(report.markdown().contains("- CPU: fast\n"));
    }

    #[test]
    fn long_texts_are_wrapped() {
        let text = wrapped(&"word ".repeat(50));
        assert!(text.lines().all(|line| line.len() <= 100));
        assert_eq!(text.lines().count(), 3);
        assert_eq!(text.split_whitespace().count(), 50);
    }

    #[test]
    fn numbers() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(seconds(0.0123), "0.012");
        assert_eq!(seconds(12.345), "12.35");
        assert_eq!(seconds(123.4), "123");
        assert_eq!(mebibytes(3e6), "3");
        assert_eq!(millions(2_345_678.0), "2.35");
    }
}
