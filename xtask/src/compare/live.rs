//! The liveness checks of a model, by both tools.

use super::line::Line;
use super::{Task, Tools};
use crate::claims::Survey;
use crate::corpus::Corpus;
use crate::finding::{Finding, judge};
use crate::judge::Judgement;
use crate::lariat;
use crate::liveness::Spin;
use crate::process::TemporaryDirectory;
use crate::property::{Check, Expectation, Fairness, Property};
use std::path::Path;

/// What Lariat says about a check.
struct Lariat {
    /// Its answer.
    finding: Finding,
    /// Its answer with the automaton and the search of SPIN, which must visit as many states.
    counted: Option<Finding>,
}

impl Tools {
    /// One line for each check.
    pub fn compare_liveness(&self, task: &Task, corpus: &Corpus) -> Vec<Line> {
        let mut spin = Spin::new(
            &task.model,
            &task.options,
            self.settings,
            self.cache.as_ref(),
        );
        match &task.expectations {
            Some(expectations) => {
                let lines = expectations.iter().map(|expectation| {
                    self.compare_check(
                        task,
                        &expectation.check,
                        Some(expectation),
                        &mut spin,
                        corpus,
                    )
                });
                lines.collect()
            }
            None => {
                let checks = all_checks(&spin.survey());
                let lines = checks
                    .iter()
                    .map(|check| self.compare_check(task, check, None, &mut spin, corpus));
                lines.collect()
            }
        }
    }

    fn compare_check(
        &self,
        task: &Task,
        check: &Check,
        expectation: Option<&Expectation>,
        spin: &mut Spin,
        corpus: &Corpus,
    ) -> Line {
        let name = format!("{} {check}", task.name());
        let options: Vec<String> = task
            .options
            .iter()
            .cloned()
            .chain(check.arguments())
            .collect();
        if let Some(reason) = corpus.skipped(&task.model, &options) {
            return Line::new("skipped", &name, reason);
        }
        let answer = spin.check(check);
        let Some(binary) = &self.lariat else {
            return Line::new(status(&answer), &name, answer);
        };
        let survey = spin.survey();
        let lariat = self
            .ask_lariat(binary, task, check, &answer, &survey)
            .unwrap_or_else(|error| Lariat {
                finding: Finding::Failed(error.to_string()),
                counted: None,
            });
        let both = format!("spin: {answer} | lariat: {lariat}");
        if let Some(what) = expectation.and_then(|expected| lariat.contradicts(expected)) {
            return Line::new("DIFFERENT", &name, format!("{what}; {both}"));
        }
        let without_spin = expectation.and_then(|expected| expected.without_spin.as_ref());
        match (lariat.judge(&answer), without_spin) {
            (Judgement::Equal, None) => Line::new("equal", &name, lariat),
            (Judgement::Equal | Judgement::BothReject, Some(_)) => {
                let what = "the header says that SPIN differs, but it does not";
                Line::new("DIFFERENT", &name, format!("{what}; {both}"))
            }
            (Judgement::BothReject, None) => {
                Line::new("rejected", &name, format!("by both; {both}"))
            }
            (_, Some(reason)) => Line::new("explained", &name, format!("{reason}; {both}")),
            (Judgement::NotComparable(_), None) => Line::new("open", &name, both),
            (Judgement::Different(kind), None) => {
                let explanation = corpus.explanation(&task.model, &options);
                Line::different(&name, kind, &both, explanation, corpus)
            }
        }
    }

    fn ask_lariat(
        &self,
        binary: &Path,
        task: &Task,
        check: &Check,
        spin: &Finding,
        survey: &Survey,
    ) -> std::io::Result<Lariat> {
        let ask = |arguments: &[String]| {
            lariat::check_liveness(binary, &task.model, &task.options, arguments, self.limits)
        };
        let finding = ask(&check.arguments_for(&task.model))?;
        let counted = match counting(check, spin, survey) {
            None => None,
            Some(Counting::SameCheck) => {
                let same = Check::new(check.property.clone(), Fairness::None);
                let arguments = same.arguments_for(&task.model);
                Some(ask(
                    &[arguments, NESTED.map(str::to_owned).to_vec()].concat()
                )?)
            }
            Some(Counting::Claim(text)) => {
                let directory = TemporaryDirectory::new()?;
                let file = directory.path().join("claim.pml");
                std::fs::write(&file, text)?;
                let claim = Property::NeverFile(file.to_string_lossy().into_owned());
                let arguments = Check::new(claim, Fairness::None).arguments();
                Some(ask(
                    &[arguments, NESTED.map(str::to_owned).to_vec()].concat()
                )?)
            }
        };
        Ok(Lariat { finding, counted })
    }
}

/// The search that is as SPIN's.
const NESTED: [&str; 2] = ["--search", "ndfs"];

/// How to make Lariat visit the states that SPIN visits.
enum Counting<'a> {
    /// By the check itself: there is only one automaton for it.
    SameCheck,
    /// By the claim that SPIN made of a formula.
    Claim(&'a str),
}

/// The way to compare states, if they can be compared: after a full search, without the copies for fairness.
/// SPIN's claims for formulas are of no use beside accept labels of processes, which count for never claims.
fn counting<'a>(check: &Check, spin: &Finding, survey: &'a Survey) -> Option<Counting<'a>> {
    if !matches!(spin, Finding::Holds { states: Some(_) }) {
        return None;
    }
    match &check.property {
        _ if check.same_automaton() => Some(Counting::SameCheck),
        Property::Ltl(name) if check.fairness == Fairness::None && !survey.offers.accept => {
            Some(Counting::Claim(survey.claims.get(name)?))
        }
        _ => None,
    }
}

/// Every check that a model offers, without and with weak fairness.
fn all_checks(survey: &Survey) -> Vec<Check> {
    let properties = survey.offers.properties().into_iter();
    let both = [Fairness::None, Fairness::Weak];
    properties
        .flat_map(|property| both.map(|fairness| Check::new(property.clone(), fairness)))
        .collect()
}

/// A word for a line about SPIN alone.
fn status(finding: &Finding) -> &'static str {
    match finding {
        Finding::Holds { .. } => "holds",
        Finding::Violated(_) => "violated",
        Finding::Cut(_) | Finding::Impossible(_) => "open",
        Finding::Rejected(_) => "rejected",
        Finding::Failed(_) => "FAILED",
    }
}

impl Lariat {
    fn judge(&self, spin: &Finding) -> Judgement {
        // The states of the answer itself are those of another search.
        let verdict = match &self.finding {
            Finding::Holds { .. } => &Finding::Holds { states: None },
            other => other,
        };
        match (judge(spin, verdict), &self.counted) {
            (Judgement::Equal, Some(counted)) => judge(spin, counted),
            (judgement, _) => judgement,
        }
    }

    /// In what the header is wrong.
    fn contradicts(&self, expected: &Expectation) -> Option<&'static str> {
        let counted = match &self.counted {
            Some(Finding::Holds { states }) => *states,
            _ => None,
        };
        if self
            .finding
            .holds()
            .is_some_and(|holds| holds != expected.holds)
        {
            Some("the header has another verdict")
        } else if counted.is_some()
            && expected
                .states
                .is_some_and(|states| counted != Some(states))
        {
            Some("the header has another number of states")
        } else {
            None
        }
    }
}

impl std::fmt::Display for Lariat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.finding, &self.counted) {
            (Finding::Holds { .. }, Some(counted)) => write!(f, "{counted}"),
            (Finding::Holds { .. }, None) => write!(f, "holds"),
            (finding, _) => write!(f, "{finding}"),
        }
    }
}
