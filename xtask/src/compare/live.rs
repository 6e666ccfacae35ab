//! The liveness checks of a model: those of its header, or all of its properties.

use super::line::Line;
use super::{Task, Tools};
use crate::both::{self, Both, Lariat};
use crate::corpus::Corpus;
use crate::finding::Finding;
use crate::judge::Judgement;
use crate::liveness::Spin;
use lariat_testkit::property::{Check, Expectation};

impl Tools {
    /// One line for each check.
    pub fn compare_liveness(&self, task: &Task, corpus: &Corpus) -> Vec<Line> {
        let cache = self.cache.as_ref();
        let mut spin = Spin::new(&task.model, &task.options, self.settings, cache);
        let checks: Vec<(Check, Option<&Expectation>)> = match &task.expectations {
            Some(lines) => lines.iter().map(|e| (e.check.clone(), Some(e))).collect(),
            None => {
                let offered = spin.survey().offers.checks().into_iter();
                offered.map(|check| (check, None)).collect()
            }
        };
        let lines = checks.iter();
        lines
            .map(|(check, expected)| self.compare_check(task, check, *expected, &mut spin, corpus))
            .collect()
    }

    fn compare_check(
        &self,
        task: &Task,
        check: &Check,
        expected: Option<&Expectation>,
        spin: &mut Spin,
        corpus: &Corpus,
    ) -> Line {
        let name = format!("{} {check}", task.name());
        let options = [task.options.clone(), check.arguments()].concat();
        if let Some(reason) = corpus.skipped(&task.model, &options) {
            return Line::new("skipped", &name, reason);
        }
        let Some(binary) = &self.lariat else {
            let answer = spin.check(check);
            return Line::new(status(&answer), &name, answer);
        };
        let lariat = Lariat {
            binary,
            model: &task.model,
            options: &task.options,
            limits: self.limits,
        };
        let both = both::compare(check, spin, lariat);
        if let Some(what) = expected.and_then(|expected| contradiction(&both, expected)) {
            return Line::new("DIFFERENT", &name, format!("{what}; {both}"));
        }
        let without_spin = expected.and_then(|expected| expected.without_spin.as_ref());
        match (&both.judgement, without_spin) {
            (Judgement::Equal, None) => {
                let counted = both.counted.as_ref();
                Line::new("equal", &name, counted.unwrap_or(&both.lariat))
            }
            (Judgement::BothReject, None) => {
                Line::new("rejected", &name, format!("by both; {both}"))
            }
            (Judgement::Equal | Judgement::BothReject, Some(_)) => {
                let what = "the header says that SPIN differs, but it does not";
                Line::new("DIFFERENT", &name, format!("{what}; {both}"))
            }
            (_, Some(reason)) => Line::new("explained", &name, format!("{reason}; {both}")),
            (Judgement::NotComparable(_), None) => Line::new("open", &name, both),
            (Judgement::Different(kind), None) => {
                if expected.is_none()
                    && let Some(defect) = both.known_defect(check)
                {
                    return Line::new("explained", &name, format!("{defect}; {both}"));
                }
                let explanation = corpus.explanation(&task.model, &options);
                Line::different(&name, *kind, &both.to_string(), explanation, corpus)
            }
        }
    }
}

/// The error in the header.
fn contradiction(both: &Both, expected: &Expectation) -> Option<&'static str> {
    let counted = both.counted.as_ref().and_then(Finding::states);
    let holds = both.lariat.holds();
    if holds.is_some_and(|holds| holds != expected.holds) {
        Some("the header has another verdict")
    } else if counted.is_some() && expected.states.is_some() && counted != expected.states {
        Some("the header has another number of states")
    } else {
        None
    }
}

/// The word for a line about SPIN alone.
fn status(finding: &Finding) -> &'static str {
    match finding {
        Finding::Holds { .. } => "holds",
        Finding::Violated(_) => "violated",
        Finding::Cut(_) | Finding::Broken(_) | Finding::Impossible(_) => "open",
        Finding::Rejected(_) => "rejected",
        Finding::Failed(_) => "FAILED",
    }
}
