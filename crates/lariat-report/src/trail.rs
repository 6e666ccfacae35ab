//! Trails: runs of a model, written down so that they can be replayed.

use serde::{Deserialize, Serialize};

use crate::outcome::{ModelRef, RunOptions, Tool};
use lariat_ir::source::SourceMap;

/// The format that this version writes and reads.
pub const FORMAT: u32 = 1;

/// A run of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trail {
    /// The version of the format.
    pub format: u32,
    /// The program that wrote it.
    pub tool: Tool,
    /// The model that it belongs to.
    pub model: ModelRef,
    /// The options with which the model was read and checked.
    pub options: RunOptions,
    /// The property that it violates.
    pub property: String,
    /// What is wrong at its end.
    pub violation: TrailViolation,
    /// The steps.
    pub steps: Vec<TrailStep>,
    /// If the run is infinite: the step, from zero, to which it returns after the last. If that is
    /// the number of steps, the run stays in its last state for ever.
    pub loop_start: Option<usize>,
    /// What was claimed of infinite runs, if anything was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim: Option<TrailClaim>,
}

/// What the run violates, if it is not safety.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailClaim {
    /// `ltl`, `never`, `hoa`, `acceptance` or `non-progress`.
    pub kind: String,
    /// The name of the property, if it stands in the model.
    pub name: String,
    /// The text of the property, if it does not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// `none`, `weak` or `strong`.
    pub fairness: String,
    /// The conditions that the property speaks of.
    pub atoms: Vec<String>,
    /// Which of them hold at the beginning, one character each: `1` or `0`, `?` for no value.
    pub values: String,
}

/// What is wrong at the end of a trail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailViolation {
    /// The kind, as in the report.
    pub kind: String,
    /// What is wrong, in words.
    pub message: String,
    /// If nobody can move: what each process waits for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub waiting: Vec<String>,
    /// The fault as a number that the interpreter understands.
    pub code: u32,
}

/// One step. Only `pid`, `transition`, `partner` and `timeout` matter to a replay; the rest is for
/// people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailStep {
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
    pub partner: Option<TrailPartner>,
    /// Nothing else was possible.
    #[serde(skip_serializing_if = "is_false", default)]
    pub timeout: bool,
    /// The next step is part of the same atomic sequence.
    #[serde(skip_serializing_if = "is_false", default)]
    pub atomic: bool,
    /// What the step printed.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub output: String,
    /// The variables that changed, with their new values.
    pub changes: Vec<(String, String)>,
    /// Which conditions of the property hold afterwards; nothing inside an atomic sequence.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub values: String,
}

impl TrailStep {
    /// What is executed: the statement, that of the partner, and whether nothing else was possible.
    pub fn statements(&self) -> String {
        let mut text = self.statement.clone();
        if let Some(partner) = &self.partner {
            // Where statements have arrows of their own, another sign stands between them.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailPartner {
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

fn is_false(value: &bool) -> bool {
    !*value
}

/// A hash of the text of all files of a model, enough to notice that a model is not the one that a trail was made
/// for.
pub fn model_hash(sources: &SourceMap) -> String {
    let mut hash = TextHash::default();
    for (_, file) in sources.files() {
        hash.feed(&(file.text.len() as u64).to_le_bytes());
        hash.feed(file.text.as_bytes());
    }
    hash.to_string()
}

/// A hash of texts: FNV-1a with 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct TextHash(u128);

impl Default for TextHash {
    fn default() -> Self {
        TextHash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl TextHash {
    /// Adds some bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

impl std::fmt::Display for TextHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
