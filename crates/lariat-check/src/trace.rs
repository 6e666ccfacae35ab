//! Runs, for text and files.

use serde::{Deserialize, Serialize};

/// A run that was replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// If the run is infinite: the step, from zero, to which it returns after the last. If that is
    /// the number of steps, the run stays in its last state for ever.
    pub loop_start: Option<usize>,
    /// The values of the atoms of the property in the initial state, one character each: `1` or `0`, `?` for no
    /// value.
    pub values: String,
    /// In a deadlock: what each process waits for.
    pub waiting: Vec<String>,
}

/// One step. A replay uses only `pid`, `transition`, `partner` and `timeout`; the rest is for readers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// The process that moves.
    pub pid: u32,
    /// Its name.
    pub process: String,
    /// Its transition.
    pub transition: u32,
    /// The file of the statement.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its text.
    pub statement: String,
    /// The receiver of a rendezvous.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub partner: Option<TracePartner>,
    /// Whether only a timeout enabled the step.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub timeout: bool,
    /// Whether the next step is part of the same atomic sequence.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub atomic: bool,
    /// The output of the step.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub output: String,
    /// The variables that changed, with their new values.
    pub changes: Vec<(String, String)>,
    /// The values of the atoms afterwards; empty inside an atomic sequence.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub values: String,
}

impl TraceStep {
    /// The bytes that it holds besides its own, with what an allocation costs.
    pub(crate) fn heap_bytes(&self) -> usize {
        let text = |text: &String| match text.capacity() {
            0 => 0,
            bytes => bytes.max(16).next_multiple_of(16) + 8,
        };
        let partner = self.partner.iter();
        let partner = partner.map(|p| text(&p.process) + text(&p.file) + text(&p.statement));
        let changes = self.changes.iter();
        let changes = changes.map(|(name, value)| text(name) + text(value));
        text(&self.process)
            + text(&self.file)
            + text(&self.statement)
            + text(&self.output)
            + text(&self.values)
            + partner.sum::<usize>()
            + self.changes.capacity() * size_of::<(String, String)>()
            + changes.sum::<usize>()
    }

    /// The statement, that of the partner, and whether only a timeout enabled it.
    pub fn statements(&self) -> String {
        let mut text = self.statement.clone();
        if let Some(partner) = &self.partner {
            // Where statements contain arrows, another sign separates them.
            let sign = if text.contains("->") { "/" } else { "->" };
            text.push_str(&format!(" {sign} {}", partner.statement));
        }
        if self.timeout {
            text.push_str(" (timeout)");
        }
        text
    }
}

/// The receiver of a rendezvous.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracePartner {
    /// The process.
    pub pid: u32,
    /// Its name.
    pub process: String,
    /// Its transition.
    pub transition: u32,
    /// The file of the statement.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its text.
    pub statement: String,
}
