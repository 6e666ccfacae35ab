//! The comparison of two answers.

use crate::facts::{Answer, Outcome};

/// The relation of two answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Both searches are complete and agree.
    Equal,
    /// Neither accepts the model.
    BothReject,
    /// One side has no comparable answer, for this reason.
    NotComparable(String),
    /// They contradict each other.
    Different(Kind),
}

/// The kind of the difference; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lariat failed.
    Failure,
    /// One accepts the model, the other does not.
    Acceptance,
    /// One finds errors, the other does not.
    Verdict,
    /// Both find errors, but not as many.
    Errors,
    /// Numbers of states or transitions.
    Counts,
}

impl Kind {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Failure => "failure",
            Kind::Acceptance => "acceptance",
            Kind::Verdict => "verdict",
            Kind::Errors => "number of errors",
            Kind::Counts => "counts",
        }
    }
}

/// Compares. An incomplete search can only be contradicted by its errors.
pub fn judge(spin: &Answer, lariat: &Answer) -> Judgement {
    use Outcome::{Complete, Cut, Failed, Rejected};
    let different = Judgement::Different;
    match (&spin.outcome, &lariat.outcome) {
        (_, Failed(_)) => different(Kind::Failure),
        (Failed(_), _) => Judgement::NotComparable("SPIN fails".into()),
        (Rejected(_), Rejected(_)) => Judgement::BothReject,
        // SPIN prints an error and continues where another tool may refuse.
        (_, Rejected(_)) if has_serious_complaint(spin) => Judgement::BothReject,
        (Rejected(_), _) | (_, Rejected(_)) => different(Kind::Acceptance),
        (Complete(s), Complete(l)) => {
            if (s.errors == 0) != (l.errors == 0) {
                different(Kind::Verdict)
            } else if s.errors != l.errors {
                different(Kind::Errors)
            } else if s != l {
                different(Kind::Counts)
            } else {
                Judgement::Equal
            }
        }
        (Complete(all), Cut(Some(part), _)) | (Cut(Some(part), _), Complete(all))
            if all.errors == 0 && part.errors > 0 =>
        {
            different(Kind::Verdict)
        }
        (Cut(_, reason), _) => {
            Judgement::NotComparable(format!("SPIN's search is incomplete: {reason}"))
        }
        (_, Cut(_, reason)) => {
            Judgement::NotComparable(format!("Lariat's search is incomplete: {reason}"))
        }
    }
}

/// Whether SPIN printed an error other than the warning about `else` beside channel operations, which is valid.
fn has_serious_complaint(spin: &Answer) -> bool {
    spin.complaint
        .as_ref()
        .is_some_and(|complaint| !complaint.starts_with("dubious use of 'else'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Counts;

    fn complete(errors: u64, states: u64) -> Answer {
        Outcome::Complete(Counts {
            errors,
            states,
            transitions: 9,
        })
        .into()
    }

    fn cut(errors: u64) -> Answer {
        Outcome::Cut(
            Some(Counts {
                errors,
                states: 2,
                transitions: 2,
            }),
            "time limit".into(),
        )
        .into()
    }

    #[test]
    fn complete_searches_must_agree_in_everything() {
        assert_eq!(judge(&complete(0, 5), &complete(0, 5)), Judgement::Equal);
        assert_eq!(
            judge(&complete(0, 5), &complete(1, 5)),
            Judgement::Different(Kind::Verdict)
        );
        assert_eq!(
            judge(&complete(2, 5), &complete(1, 5)),
            Judgement::Different(Kind::Errors)
        );
        assert_eq!(
            judge(&complete(2, 5), &complete(2, 6)),
            Judgement::Different(Kind::Counts)
        );
    }

    #[test]
    fn cut_searches_contradict_only_by_errors() {
        assert!(matches!(
            judge(&cut(0), &complete(3, 5)),
            Judgement::NotComparable(_)
        ));
        assert!(matches!(
            judge(&cut(1), &complete(3, 5)),
            Judgement::NotComparable(_)
        ));
        assert_eq!(
            judge(&cut(1), &complete(0, 5)),
            Judgement::Different(Kind::Verdict)
        );
        assert_eq!(
            judge(&complete(0, 5), &cut(1)),
            Judgement::Different(Kind::Verdict)
        );
    }

    #[test]
    fn rejections_and_failures() {
        let rejected = || Answer::from(Outcome::Rejected("no".into()));
        let failed = || Answer::from(Outcome::Failed("signal 11".into()));
        assert_eq!(judge(&rejected(), &rejected()), Judgement::BothReject);
        assert_eq!(
            judge(&rejected(), &complete(0, 1)),
            Judgement::Different(Kind::Acceptance)
        );
        assert_eq!(
            judge(&complete(0, 1), &failed()),
            Judgement::Different(Kind::Failure)
        );
        assert!(matches!(
            judge(&failed(), &rejected()),
            Judgement::NotComparable(_)
        ));

        let complaining = |text: &str| Answer {
            complaint: Some(text.into()),
            ..complete(0, 1)
        };
        assert_eq!(
            judge(&complaining("label a redeclared"), &rejected()),
            Judgement::BothReject
        );
        let dubious = complaining("dubious use of 'else' combined with i/o,");
        assert_eq!(
            judge(&dubious, &rejected()),
            Judgement::Different(Kind::Acceptance)
        );
    }
}
