//! SPIN as the reference for liveness.
//!
//! Every check is a search for cycles (`pan -a`, or `-l` for cycles without progress) in the same plain semantics as
//! for safety, up to the first error. Not every error is an answer: those of the model itself (for example a wrong
//! index) come before any cycle and only end the search. Some checks need changes in SPIN's C code; they are
//! explained in [`crate::patch`].
//!
//! `pan` stores a pair of states (of the model, of the claim) whenever the claim is about to move, and prints their
//! number as `states, stored`; `visited` counts those of the second search, or of the copies for fairness, again.
//! There is one exception: where the model has no step left and only the claim moves, the pair of the first such move
//! of the claim is not stored. [`Spin::product`] counts it, too.

use crate::cache::{Cache, Key};
use crate::claims::{Offers, Survey};
use crate::facts::Outcome;
use crate::finding::Finding;
use crate::pan::{self, Translated};
use crate::patch;
use crate::process::{Output, TemporaryDirectory};
use crate::spin::{self, Settings};
use lariat_testkit::property::{Check, Fairness, Property};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// The version of the questions in the cache. Another number invalidates the answers; for when [`patch`] changes.
const QUESTIONS: &str = "liveness 2";

/// A model for SPIN. It is translated when the first answer is needed that is not in the cache.
pub struct Spin<'a> {
    model: &'a Path,
    options: &'a [String],
    settings: Settings,
    cache: Option<&'a Cache>,
    session: Option<Result<Session, Finding>>,
}

impl<'a> Spin<'a> {
    /// Asks nothing yet.
    pub fn new(
        model: &'a Path,
        options: &'a [String],
        settings: Settings,
        cache: Option<&'a Cache>,
    ) -> Spin<'a> {
        Spin {
            model,
            options,
            settings,
            cache,
            session: None,
        }
    }

    /// The properties of the model; `None` if SPIN does not accept it.
    pub fn survey(&mut self) -> Survey {
        let key = self.key("survey");
        if let Some(survey) = self.cache.and_then(|cache| cache.get(&key)) {
            return survey;
        }
        let survey = match self.session() {
            Ok(session) => Survey::of(&session.translated),
            Err(_) => Survey::default(),
        };
        if let Some(cache) = self.cache {
            cache.put(&key, &survey);
        }
        survey
    }

    /// SPIN's answer to a check.
    pub fn check(&mut self, check: &Check) -> Finding {
        self.remember("check", check, |session| session.check(check))
    }

    /// The states of the product of the model and a claim that holds: all pairs, also those that SPIN does not store.
    pub fn product(&mut self, check: &Check) -> Finding {
        let property = &check.property;
        self.remember("product", check, |session| session.product(property))
    }

    /// The answer to a question from the cache, or else of SPIN.
    fn remember(
        &mut self,
        question: &str,
        check: &Check,
        ask: impl FnOnce(&mut Session) -> io::Result<Finding>,
    ) -> Finding {
        let mut question = format!("{question} {check}");
        if let Property::NeverFile(file) = &check.property {
            // The contents of the file are part of the key.
            let _ = write!(question, "\n{:?}", std::fs::read(self.beside(file)).ok());
        }
        let key = self.key(&question);
        if let Some(finding) = self.cache.and_then(|cache| cache.get(&key)) {
            return finding;
        }
        let finding = self
            .with_session(check, ask)
            .unwrap_or_else(|error| Finding::Failed(error.to_string()));
        if let Some(cache) = self.cache {
            cache.put(&key, &finding);
        }
        finding
    }

    fn key(&self, part: &str) -> Key<'a> {
        let key = Key::new(self.model, self.options, self.settings);
        key.with(&format!("{QUESTIONS}: {part}"))
    }

    fn beside(&self, file: &str) -> PathBuf {
        self.model.with_file_name(file)
    }

    fn session(&mut self) -> Result<&mut Session, Finding> {
        let (model, options, settings) = (self.model, self.options, self.settings);
        let session = self
            .session
            .get_or_insert_with(|| Session::open(model, options, settings));
        session.as_mut().map_err(|finding| finding.clone())
    }

    /// Asks SPIN about the model, together with the property of the check if that is not in the model.
    fn with_session(
        &mut self,
        check: &Check,
        ask: impl FnOnce(&mut Session) -> io::Result<Finding>,
    ) -> io::Result<Finding> {
        let impossible = |reason: &str| Ok(Finding::Impossible(reason.into()));
        if check.fairness == Fairness::Strong {
            return impossible("SPIN knows no strong fairness");
        }
        let added = match &check.property {
            Property::Hoa(_) => return impossible("SPIN does not read HOA"),
            Property::Formula(formula) => format!("ltl xtask_formula {{ {formula} }}\n"),
            Property::NeverFile(file) => {
                let file = std::path::absolute(self.beside(file))?;
                format!("#include \"{}\"\n", file.display())
            }
            _ => return self.session().map_or_else(Ok, ask),
        };
        // A file that includes both replaces the model.
        let directory = TemporaryDirectory::new()?;
        let both = directory.path().join("model.pml");
        let model = std::path::absolute(self.model)?;
        std::fs::write(&both, format!("#include \"{}\"\n{added}", model.display()))?;
        Session::open(&both, self.options, self.settings)
            .as_mut()
            .map_or_else(|finding| Ok(finding.clone()), ask)
    }
}

/// A model that SPIN has translated, with the changes that the checks need.
struct Session {
    translated: Translated,
    offers: Offers,
}

impl Session {
    fn open(model: &Path, options: &[String], settings: Settings) -> Result<Session, Finding> {
        let failed = |error: io::Error| Finding::Failed(error.to_string());
        let translated = match pan::translate(model, options, settings).map_err(failed)? {
            Ok(translated) => translated,
            Err(Outcome::Rejected(message)) if message.contains("saw 'X'") => {
                let reason = "this build of SPIN does not know the operator X";
                return Err(Finding::Impossible(reason.into()));
            }
            Err(outcome) => return Err(outcome.into()),
        };
        let offers = Offers::of(&translated);
        patch::apply(&translated, &offers).map_err(failed)?;
        Ok(Session { translated, offers })
    }

    fn check(&mut self, check: &Check) -> io::Result<Finding> {
        let mut arguments = vec!["-E".to_owned()];
        let mut flags: Vec<&str> = Vec::new();
        match &check.property {
            Property::NonProgress => {
                // This claim replaces all others.
                flags.push("-DNP");
                arguments.push("-l".into());
            }
            Property::Acceptance => {
                flags.push("-DNOCLAIM");
                arguments.push("-a".into());
            }
            property => {
                let Some(claim) = self.offers.claim(property) else {
                    return Ok(Finding::Rejected("there is no such claim".into()));
                };
                if matches!(property, Property::Ltl(_) | Property::Formula(_)) {
                    flags.push(patch::HIDE_ACCEPT_LABELS);
                }
                arguments.extend(["-a".into(), "-N".into(), claim.to_owned()]);
            }
        }
        if check.fairness == Fairness::None {
            return self.search(&flags, &arguments);
        }
        arguments.push("-f".into());
        let finding = self.search(&flags, &arguments)?;
        if !matches!(&finding, Finding::Failed(reason) if reason.contains("NFAIR")) {
            return Ok(finding);
        }
        // Memory for the counters of as many processes as possible.
        flags.push("-DNFAIR=65");
        self.search(&flags, &arguments)
    }

    fn product(&mut self, property: &Property) -> io::Result<Finding> {
        let Some(claim) = self.offers.claim(property) else {
            return Ok(Finding::Rejected("there is no such claim".into()));
        };
        // Without a search for cycles, for which more would have to be stored.
        let arguments = ["-E".to_owned(), "-N".to_owned(), claim.to_owned()];
        self.search(&[patch::STORE_FIRST_STUTTER], &arguments)
    }

    fn search(&mut self, flags: &[&str], arguments: &[String]) -> io::Result<Finding> {
        Ok(match self.translated.search(flags, arguments)? {
            Ok(searched) => finding(&searched),
            Err(reason) => Finding::Failed(reason),
        })
    }
}

/// The finding in the output of `pan`.
fn finding(searched: &Output) -> Finding {
    let outcome = spin::outcome(searched);
    if let Some(error) = first_error(&searched.stdout) {
        return if is_violation(&error) {
            Finding::Violated(error)
        } else {
            Finding::Broken(error)
        };
    }
    match outcome {
        Outcome::Complete(counts) if counts.errors == 0 => Finding::Holds {
            states: Some(counts.states),
        },
        other => other.into(),
    }
}

/// The first error of a search, without the depth.
fn first_error(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("pan:1: "))?;
    let message = line.strip_prefix("pan:1: ")?;
    Some(message.split(" (at depth").next()?.trim().to_owned())
}

/// Whether an error is a violation of the property. Of the assertions only those of claims are left.
fn is_violation(error: &str) -> bool {
    let in_claim =
        error.starts_with("assertion violated") && !error.contains("invalid array index");
    let others = [
        "acceptance cycle",
        "non-progress cycle",
        "accept stutter",
        "end state in claim reached",
    ];
    in_claim || others.contains(&error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Ended;

    fn output(stdout: &str) -> Finding {
        finding(&Output {
            ended: Ended::Exit(0),
            stdout: stdout.to_owned(),
            stderr: String::new(),
            usage: None,
        })
    }

    const SUMMARY: &str = "State-vector 28 byte, depth reached 5, errors: 0\n\
        7 states, stored (10 visited)\n 5 states, matched\n 15 transitions (= visited+matched)\n";

    #[test]
    fn errors_are_distinguished() {
        assert_eq!(output(SUMMARY), Finding::Holds { states: Some(7) });
        let with = |error: &str| {
            let summary = SUMMARY.replace("errors: 0", "errors: 1");
            output(&format!(
                "pan:1: {error} (at depth 2)\nWarning: Search not completed\n{summary}"
            ))
        };
        for error in ["acceptance cycle", "assertion violated  !( !((n<3)))"] {
            assert_eq!(with(error), Finding::Violated(error.into()));
        }
        for error in [
            "assertion violated - invalid array index",
            "block in d_step seq",
        ] {
            assert_eq!(with(error), Finding::Broken(error.into()));
        }
    }

    /// The semantics of SPIN that the comparison relies on. Skipped where SPIN is not installed.
    #[test]
    fn spin_answers() {
        if spin::version().is_err() {
            return;
        }
        let directory = TemporaryDirectory::new().unwrap();
        let model = directory.path().join("m.pml");
        let text = "bool x; byte n; active proctype P() { assert(n > 7); do :: x = !x; progress: n = 0 od }\n\
            active proctype Q() { end: do :: n < 2 -> accept: n++ :: n == 2 -> n = 1 od }\n\
            ltl always { [](n < 4) } ltl again { []<>x }\n\
            never { do :: n == 9 -> break :: else od }\n";
        std::fs::write(&model, text).unwrap();
        std::fs::write(
            directory.path().join("c.pml"),
            "never c { do :: n == 2 -> break :: else od }",
        )
        .unwrap();
        let blocking = "never d { !x; !x; x; x; x; n == 9 }";
        std::fs::write(directory.path().join("d.pml"), blocking).unwrap();
        let settings = Settings::for_random_programs();
        let mut spin = Spin::new(&model, &[], settings, None);
        let survey = spin.survey();
        assert_eq!(survey.offers.properties().len(), 5);
        assert!(survey.claims["again"].contains("accept"));
        let mut verdict = |check: &str| spin.check(&Check::parse(check).unwrap()).holds();
        assert_eq!(verdict("--ltl always"), Some(true));
        assert_eq!(verdict("--ltl again"), Some(false));
        assert_eq!(verdict("--ltl again --fair weak"), Some(true));
        assert_eq!(verdict("--ltl other"), None);
        // Accept labels of processes count beside a never claim.
        assert_eq!(verdict("--never"), Some(false));
        assert_eq!(verdict("--never d.pml"), Some(true));
        assert_eq!(verdict("--never c.pml"), Some(false));
        assert_eq!(verdict("--formula '[]<>(n == 0)'"), Some(false));
        assert_eq!(verdict("--formula '[](n < 3)'"), Some(true));
        assert_eq!(verdict("--acceptance"), Some(false));
        assert_eq!(verdict("--non-progress"), Some(false));
        assert_eq!(verdict("--non-progress --fair weak"), Some(true));
        assert_eq!(verdict("--ltl again --fair strong"), None);
    }

    #[test]
    fn claims_before_processes() {
        if spin::version().is_err() {
            return;
        }
        let directory = TemporaryDirectory::new().unwrap();
        let model = directory.path().join("m.pml");
        let text = "byte x; ltl p { []<>(x == 0) } never a { do :: x != 3 :: x == 3 -> break od }\n\
            active proctype P() { do :: x = (x + 1) % 4 od } never b { do :: x != 4 :: x == 4 -> break od }\n";
        std::fs::write(&model, text).unwrap();
        let settings = Settings::for_random_programs();
        let mut spin = Spin::new(&model, &[], settings, None);
        let mut verdict = |check: &str| spin.check(&Check::parse(check).unwrap()).holds();
        assert_eq!(verdict("--ltl p"), Some(true));
        assert_eq!(verdict("--never a"), Some(false));
        assert_eq!(verdict("--never b"), Some(true));
    }

    #[test]
    fn pairs_that_spin_does_not_store() {
        if spin::version().is_err() {
            return;
        }
        let directory = TemporaryDirectory::new().unwrap();
        let model = directory.path().join("m.pml");
        let text =
            "bit x; active proctype P() { x = 1; x == 0 } never { x == 0; skip; x == 0; skip }\n";
        std::fs::write(&model, text).unwrap();
        let settings = Settings::for_random_programs();
        let mut spin = Spin::new(&model, &[], settings, None);
        let check = Check::parse("--never").unwrap();
        let states = |number| Finding::Holds {
            states: Some(number),
        };
        assert_eq!(spin.check(&check), states(2));
        assert_eq!(spin.product(&check), states(3));
    }
}
