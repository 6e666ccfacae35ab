//! One liveness check by both tools.

use crate::claims::Survey;
use crate::finding::{Finding, judge};
use crate::judge::{Judgement, Kind};
use crate::lariat::{self, Limits};
use crate::liveness::Spin;
use crate::process::TemporaryDirectory;
use lariat_testkit::property::{Check, Fairness, Property};
use std::fmt;
use std::io;
use std::path::Path;

/// The model for Lariat, and its options.
#[derive(Clone, Copy)]
pub struct Lariat<'a> {
    /// The program.
    pub binary: &'a Path,
    /// The model.
    pub model: &'a Path,
    /// Options for reading the model.
    pub options: &'a [String],
    /// The limits.
    pub limits: Limits,
}

/// The answers of both tools.
pub struct Both {
    /// SPIN's answer.
    pub spin: Finding,
    /// Lariat's answer.
    pub lariat: Finding,
    /// Lariat's answer with the automaton and the search of SPIN, which must visit as many states.
    pub counted: Option<Finding>,
    /// The judgement.
    pub judgement: Judgement,
}

/// Asks both tools, and Lariat once more where the states can be compared.
pub fn compare(check: &Check, spin: &mut Spin, lariat: Lariat) -> Both {
    let answer = spin.check(check);
    let failed = |error: io::Error| Finding::Failed(error.to_string());
    let verdict = lariat.ask(check).unwrap_or_else(failed);
    let counted = counting(check, &answer, &spin.survey())
        .map(|way| lariat.count(check, way).unwrap_or_else(failed));
    // The states in the report are those of another search.
    let without_states = match &verdict {
        Finding::Holds { .. } => &Finding::Holds { states: None },
        other => other,
    };
    let judgement = match (judge(&answer, without_states), &counted) {
        (Judgement::Equal, Some(counted)) => match judge(&answer, counted) {
            Judgement::Different(Kind::Counts) if spin.product(check) == *counted => {
                Judgement::Equal
            }
            judgement => judgement,
        },
        (judgement, _) => judgement,
    };
    Both {
        spin: answer,
        lariat: verdict,
        counted,
        judgement,
    }
}

/// How Lariat can visit the states that SPIN visits.
enum Counting {
    /// With the check itself: there is only one automaton for it.
    SameCheck,
    /// With the claim that SPIN made of a formula.
    Claim(String),
}

/// How to compare states, if they can be compared: after a full search, without the copies for fairness. SPIN's
/// claims for formulas cannot be used with accept labels of processes, which count for never claims.
fn counting(check: &Check, spin: &Finding, survey: &Survey) -> Option<Counting> {
    spin.states()?;
    match &check.property {
        _ if check.same_automaton() => Some(Counting::SameCheck),
        Property::Ltl(name) if check.fairness == Fairness::None && !survey.offers.accept => {
            Some(Counting::Claim(survey.claims.get(name)?.clone()))
        }
        _ => None,
    }
}

impl Lariat<'_> {
    fn ask(&self, check: &Check) -> io::Result<Finding> {
        lariat::check_liveness(self.binary, self.model, self.options, check, self.limits)
    }

    /// The answer of the search that corresponds to SPIN's.
    fn count(&self, check: &Check, way: Counting) -> io::Result<Finding> {
        let directory = TemporaryDirectory::new()?;
        let property = match way {
            Counting::SameCheck => check.property.clone(),
            Counting::Claim(text) => {
                let file = directory.path().join("claim.pml");
                std::fs::write(&file, text)?;
                Property::NeverFile(file.to_string_lossy().into_owned())
            }
        };
        let check = Check {
            property,
            fairness: Fairness::None,
            further: ["--search", "ndfs"].map(str::to_owned).to_vec(),
        };
        self.ask(&check)
    }
}

impl Both {
    /// The defect of SPIN that explains a difference, if it is a known one: fair runs that it misses.
    pub fn known_defect(&self, check: &Check) -> Option<&'static str> {
        let Finding::Violated(how) = &self.lariat else {
            return None;
        };
        if check.fairness != Fairness::Weak || self.spin.holds() != Some(true) {
            return None;
        }
        match how.as_str() {
            lariat::STUTTERING => Some("SPIN's weak fairness misses runs that end, which are fair"),
            lariat::ONE_STEP_CYCLE if check.property == Property::Acceptance => Some(
                "SPIN's weak fairness misses cycles of one step while another process is blocked",
            ),
            _ => None,
        }
    }
}

impl fmt::Display for Both {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "spin: {} | lariat: ", self.spin)?;
        match (&self.lariat, &self.counted) {
            (Finding::Holds { .. }, Some(counted)) => write!(f, "{counted}"),
            (Finding::Holds { .. }, None) => write!(f, "holds"),
            (finding, _) => write!(f, "{finding}"),
        }
    }
}
