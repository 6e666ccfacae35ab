//! The lines of a comparison and their summary.

use crate::corpus::{Corpus, EntryKind};
use crate::judge::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write as _};
use std::path::PathBuf;

/// The result of a comparison: a word for the summary, the line, and the entry of the table that explains it.
pub struct Line {
    status: &'static str,
    text: String,
    entry: Option<usize>,
}

impl Line {
    /// A line about something.
    pub fn new(status: &'static str, name: &str, what: impl Display) -> Line {
        Line {
            status,
            text: format!("{name}  {what}"),
            entry: None,
        }
    }

    /// A line about a difference, which an entry of the table may explain.
    pub fn different(
        name: &str,
        kind: Kind,
        both: &str,
        explanation: Option<usize>,
        corpus: &Corpus,
    ) -> Line {
        match explanation {
            Some(entry) => {
                let reason = &corpus.entries[entry].reason;
                Line {
                    entry: explanation,
                    ..Line::new("explained", name, format!("{reason}; {both}"))
                }
            }
            None => Line::new("DIFFERENT", name, format!("{}; {both}", kind.name())),
        }
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<9} {}", self.status, self.text)
    }
}

/// The last lines, and whether the comparison succeeded. Entries of the table that explain nothing are named.
pub fn summarise(lines: &[Line], corpus: &Corpus, files: &[PathBuf]) -> (String, bool) {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines {
        *numbers.entry(line.status).or_default() += 1;
    }
    let used: BTreeSet<usize> = lines.iter().filter_map(|line| line.entry).collect();
    let mut text = String::new();
    for entry in corpus.about_nothing(files) {
        let _ = writeln!(
            text,
            "unused    corpus.txt has an entry for {}, which is not there",
            entry.suffix
        );
    }
    for (index, entry) in corpus.entries.iter().enumerate() {
        let visited = files.iter().any(|file| entry.matches(file));
        if entry.kind == EntryKind::Differs && visited && !used.contains(&index) {
            let _ = writeln!(
                text,
                "unused    corpus.txt explains a difference of {} that is not there",
                entry.suffix
            );
        }
    }
    let parts: Vec<String> = numbers
        .iter()
        .map(|(status, number)| format!("{number} {status}"))
        .collect();
    let _ = writeln!(text, "{} checks: {}", lines.len(), parts.join(", "));
    (text, !numbers.contains_key("DIFFERENT"))
}
