//! The answer of a tool to one liveness check, and the comparison of two such answers.

use crate::cache::Cached;
use crate::facts::Outcome;
use crate::judge::{Judgement, Kind};
use crate::spin::TIME_LIMIT;
use serde_json::{Value, json};
use std::fmt;

/// An answer to a liveness check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A full search found no violation. The states of the product, if the tool prints them.
    Holds {
        /// Different pairs of a state of the model and a state of the claim.
        states: Option<u64>,
    },
    /// There is a violating run; its end, such as `acceptance cycle`.
    Violated(String),
    /// The search ended early, for this reason.
    Cut(String),
    /// The search ended at an error of the model itself, such as a wrong index.
    Broken(String),
    /// The tool does not support such a check.
    Impossible(String),
    /// The tool does not accept the model or the property.
    Rejected(String),
    /// The tool itself failed.
    Failed(String),
}

impl From<Outcome> for Finding {
    /// For outcomes that are not about the property.
    fn from(outcome: Outcome) -> Finding {
        match outcome {
            Outcome::Complete(_) => Finding::Failed("no verdict".into()),
            Outcome::Cut(_, reason) => Finding::Cut(reason),
            Outcome::Rejected(message) => Finding::Rejected(message),
            Outcome::Failed(message) => Finding::Failed(message),
        }
    }
}

impl Finding {
    /// The states of the product, if the property holds and they are known.
    pub fn states(&self) -> Option<u64> {
        match self {
            Finding::Holds { states } => *states,
            _ => None,
        }
    }

    /// Whether the property holds, if that is known.
    pub fn holds(&self) -> Option<bool> {
        match self {
            Finding::Holds { .. } => Some(true),
            Finding::Violated(_) => Some(false),
            _ => None,
        }
    }
}

impl Cached for Finding {
    fn to_json(&self) -> Value {
        let (kind, message) = match self {
            Finding::Holds { states } => return json!({ "kind": "holds", "states": states }),
            Finding::Violated(how) => ("violated", how),
            Finding::Cut(reason) => ("cut", reason),
            Finding::Broken(error) => ("broken", error),
            Finding::Impossible(reason) => ("impossible", reason),
            Finding::Rejected(message) => ("rejected", message),
            Finding::Failed(message) => ("failed", message),
        };
        json!({ "kind": kind, "message": message })
    }

    fn from_json(value: &Value) -> Option<Finding> {
        let message = || value["message"].as_str().map(str::to_owned);
        Some(match value["kind"].as_str()? {
            "holds" => Finding::Holds {
                states: value["states"].as_u64(),
            },
            "violated" => Finding::Violated(message()?),
            "cut" => Finding::Cut(message()?),
            "broken" => Finding::Broken(message()?),
            "impossible" => Finding::Impossible(message()?),
            "rejected" => Finding::Rejected(message()?),
            "failed" => Finding::Failed(message()?),
            _ => return None,
        })
    }

    fn cut_by_time(&self) -> bool {
        match self {
            Finding::Cut(reason) => reason == TIME_LIMIT,
            Finding::Failed(reason) => reason.contains(TIME_LIMIT),
            _ => false,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Holds { states: None } => write!(f, "holds"),
            Finding::Holds {
                states: Some(states),
            } => write!(f, "holds, {states} states"),
            Finding::Violated(how) if how.is_empty() => write!(f, "violated"),
            Finding::Violated(how) => write!(f, "violated ({how})"),
            Finding::Cut(reason) => write!(f, "incomplete ({reason})"),
            Finding::Broken(error) => write!(f, "error of the model: {error}"),
            Finding::Impossible(reason) => write!(f, "impossible: {reason}"),
            Finding::Rejected(message) => write!(f, "rejected: {message}"),
            Finding::Failed(message) => write!(f, "failed: {message}"),
        }
    }
}

/// Compares the answers of SPIN and Lariat. States count only where both print them.
pub fn judge(spin: &Finding, lariat: &Finding) -> Judgement {
    use Finding::{Broken, Cut, Failed, Holds, Impossible, Rejected, Violated};
    match (spin, lariat) {
        (_, Failed(_)) => Judgement::Different(Kind::Failure),
        (Failed(_) | Impossible(_), _) => Judgement::NotComparable(format!("SPIN: {spin}")),
        (Rejected(_), Rejected(_)) => Judgement::BothReject,
        (Rejected(_), _) | (_, Rejected(_)) => Judgement::Different(Kind::Acceptance),
        (Cut(_), _) => Judgement::NotComparable(format!("SPIN: {spin}")),
        (_, Cut(_) | Impossible(_)) => Judgement::NotComparable(format!("Lariat: {lariat}")),
        (Broken(_), Broken(_)) => Judgement::Equal,
        // Which error is found first depends on the order of the search.
        (Broken(_), Violated(_)) | (Violated(_), Broken(_)) => {
            Judgement::NotComparable("one of the searches ended at an error of the model".into())
        }
        _ if spin.holds() != lariat.holds() => Judgement::Different(Kind::Verdict),
        (Holds { states: Some(s) }, Holds { states: Some(l) }) if s != l => {
            Judgement::Different(Kind::Counts)
        }
        _ => Judgement::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOLDS: Finding = Finding::Holds { states: None };

    fn states(number: u64) -> Finding {
        Finding::Holds {
            states: Some(number),
        }
    }

    #[test]
    fn findings_are_read_back_from_the_cache() {
        for finding in [
            HOLDS,
            states(7),
            Finding::Violated("acceptance cycle".into()),
            Finding::Cut("memory".into()),
            Finding::Broken("index".into()),
            Finding::Impossible("strong fairness".into()),
            Finding::Rejected("no".into()),
            Finding::Failed("signal 11".into()),
        ] {
            assert_eq!(Finding::from_json(&finding.to_json()), Some(finding));
        }
        assert_eq!(Finding::from_json(&json!({ "kind": "violated" })), None);
    }

    #[test]
    fn verdicts_and_states_are_compared() {
        let violated = Finding::Violated("end".into());
        assert_eq!(judge(&HOLDS, &states(3)), Judgement::Equal);
        assert_eq!(judge(&states(3), &states(3)), Judgement::Equal);
        let different = Judgement::Different;
        assert_eq!(judge(&states(3), &states(4)), different(Kind::Counts));
        assert_eq!(judge(&HOLDS, &violated), different(Kind::Verdict));
        assert_eq!(
            judge(&violated, &Finding::Violated("cycle".into())),
            Judgement::Equal
        );
    }

    #[test]
    fn errors_of_the_model() {
        let broken = Finding::Broken("index".into());
        let violated = Finding::Violated("cycle".into());
        let different = Judgement::Different(Kind::Verdict);
        assert_eq!(judge(&broken, &broken), Judgement::Equal);
        assert_eq!(judge(&broken, &HOLDS), different);
        assert_eq!(judge(&HOLDS, &broken), different);
        let open = |judgement| matches!(judgement, Judgement::NotComparable(_));
        assert!(open(judge(&broken, &violated)) && open(judge(&violated, &broken)));
    }

    #[test]
    fn what_cannot_be_compared() {
        let cut = Finding::Cut("time".into());
        let rejected = Finding::Rejected("no".into());
        let failed = Finding::Failed("signal 11".into());
        assert!(matches!(judge(&cut, &HOLDS), Judgement::NotComparable(_)));
        assert!(matches!(judge(&HOLDS, &cut), Judgement::NotComparable(_)));
        assert!(matches!(
            judge(&failed, &HOLDS),
            Judgement::NotComparable(_)
        ));
        assert_eq!(judge(&HOLDS, &failed), Judgement::Different(Kind::Failure));
        assert_eq!(judge(&rejected, &rejected), Judgement::BothReject);
        assert_eq!(
            judge(&rejected, &HOLDS),
            Judgement::Different(Kind::Acceptance)
        );
    }
}
