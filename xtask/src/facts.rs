//! The answer of a tool about a model, in the terms of both tools.

use crate::cache::Cached;
use crate::spin::TIME_LIMIT;
use serde_json::{Value, json};
use std::fmt;

/// The counts of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Violations: failed assertions, invalid end states and the like.
    pub errors: u64,
    /// Distinct states stored.
    pub states: u64,
    /// Transitions executed.
    pub transitions: u64,
}

/// The outcome of a tool on a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The model was searched to the end.
    Complete(Counts),
    /// The search ended early, for the reason given, after these counts (if it printed them).
    Cut(Option<Counts>, String),
    /// The tool does not accept the model.
    Rejected(String),
    /// The tool failed: it crashed, or its generated C code does not compile.
    Failed(String),
}

/// A tool's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The outcome.
    pub outcome: Outcome,
    /// An error message of a tool that nevertheless accepts the model (SPIN has such).
    pub complaint: Option<String>,
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Answer {
        Answer {
            outcome,
            complaint: None,
        }
    }
}

impl Answer {
    /// The counts, of a complete or of a cut search.
    pub fn counts(&self) -> Option<Counts> {
        match &self.outcome {
            Outcome::Complete(counts) => Some(*counts),
            Outcome::Cut(counts, _) => *counts,
            Outcome::Rejected(_) | Outcome::Failed(_) => None,
        }
    }
}

impl Cached for Answer {
    fn to_json(&self) -> Value {
        let (kind, message) = match &self.outcome {
            Outcome::Complete(_) => ("complete", ""),
            Outcome::Cut(_, reason) => ("cut", reason.as_str()),
            Outcome::Rejected(message) => ("rejected", message.as_str()),
            Outcome::Failed(message) => ("failed", message.as_str()),
        };
        let counts = self.counts().map(|c| [c.errors, c.states, c.transitions]);
        json!({ "kind": kind, "message": message, "counts": counts, "complaint": self.complaint })
    }

    fn from_json(value: &Value) -> Option<Answer> {
        let counts = || {
            let list = value["counts"].as_array()?;
            let number = |i: usize| list.get(i)?.as_u64();
            Some(Counts {
                errors: number(0)?,
                states: number(1)?,
                transitions: number(2)?,
            })
        };
        let message = value["message"].as_str()?.to_owned();
        let outcome = match value["kind"].as_str()? {
            "complete" => Outcome::Complete(counts()?),
            "cut" => Outcome::Cut(counts(), message),
            "rejected" => Outcome::Rejected(message),
            "failed" => Outcome::Failed(message),
            _ => return None,
        };
        Some(Answer {
            outcome,
            complaint: value["complaint"].as_str().map(str::to_owned),
        })
    }

    fn cut_by_time(&self) -> bool {
        match &self.outcome {
            Outcome::Cut(_, reason) => reason == TIME_LIMIT,
            Outcome::Failed(reason) => reason.contains(TIME_LIMIT),
            Outcome::Complete(_) | Outcome::Rejected(_) => false,
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.errors {
            0 => write!(f, "holds")?,
            1 => write!(f, "1 error")?,
            n => write!(f, "{n} errors")?,
        }
        write!(
            f,
            ", {} states, {} transitions",
            self.states, self.transitions
        )
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Outcome::Complete(counts) => write!(f, "{counts}")?,
            Outcome::Cut(Some(counts), reason) => write!(f, "incomplete ({reason}): {counts}")?,
            Outcome::Cut(None, reason) => write!(f, "incomplete ({reason})")?,
            Outcome::Rejected(message) => write!(f, "rejected: {message}")?,
            Outcome::Failed(message) => write!(f, "failed: {message}")?,
        }
        match &self.complaint {
            Some(complaint) => write!(f, " [complains: {complaint}]"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_back_from_the_cache() {
        let counts = Counts {
            errors: 1,
            states: 20,
            transitions: 300,
        };
        for outcome in [
            Outcome::Complete(counts),
            Outcome::Cut(Some(counts), "time limit".into()),
            Outcome::Cut(None, "memory".into()),
            Outcome::Rejected("syntax error".into()),
            Outcome::Failed("signal 11".into()),
        ] {
            let answer = Answer {
                outcome,
                complaint: Some("dubious".into()),
            };
            assert_eq!(Answer::from_json(&answer.to_json()), Some(answer));
        }
        assert_eq!(
            Answer::from_json(&json!({ "kind": "complete", "message": "" })),
            None
        );
    }
}
