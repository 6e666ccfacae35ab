//! What a check comes to: a verdict with its evidence.
//!
//! The evidence is part of the verdict, and only this crate can make it: [`Proof`] comes from a search that was complete
//! and exact, [`Violation`] from a replay. So no caller can turn an incomplete search into `holds`, or a path
//! that was not replayed into `violated`.

use std::time::Duration;

use lariat_ir::fault::Fault;
use lariat_ir::space::Fairness;
use lariat_ir::well_formed::Malformed;
use lariat_ltl::automaton::{Strength, TooLarge};
use lariat_search::{Claim, SearchId, SearchOutcome, Statistics, Stop, StoreKind, Walked};
use serde::{Deserialize, Serialize};

use crate::system::{Exec, ReplayError};
use crate::trace::Trace;

/// The answer about one property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the property is called.
    pub property: PropertyName,
    /// What can be said, and how far it can be trusted.
    pub verdict: Verdict,
    /// What was done.
    pub ran: Ran,
    /// What was counted.
    pub statistics: Statistics,
    /// What random walks have come to, if these were made.
    pub walks: Option<Walked>,
    /// The automaton of the runs that must not happen, unless the property is safety.
    pub automaton: Option<AutomatonSize>,
    /// Which runs count.
    pub fairness: Fairness,
    /// The searches that were made, if there were several.
    pub runs: Option<RunsMade>,
    /// Statements that were never reached; empty unless the search was complete.
    pub unreached: Vec<StatementRef>,
}

/// What a property is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyName {
    /// Its title, as in `ltl answered`.
    pub title: String,
    /// Its kind: `safety`, `ltl`, `never`, `hoa`, `acceptance` or `non-progress`.
    pub kind: &'static str,
}

/// What can be said about a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No run violates it.
    Holds(Proof),
    /// A run that violates it was replayed.
    Violated(Violations),
    /// Nothing was found, and the claim says how much that means.
    NoViolationFound(Claim),
    /// The search ended before anything could be said.
    Exhausted(Coverage),
}

impl Verdict {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::NoViolationFound(_) => "no violation found",
            Verdict::Exhausted(_) => "exhausted",
        }
    }

    /// The replayed violations, if there are any.
    pub fn violations(&self) -> &[Violation] {
        match self {
            Verdict::Violated(violations) => &violations.list,
            _ => &[],
        }
    }
}

/// Why a property holds. Only a complete and exact search makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof(ProofKind);

/// The kinds of proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// Every reachable state was visited, and states were told apart exactly.
    EveryStateVisited,
    /// The automaton of the violations accepts no word: the property is true of every run of every model.
    NoRunCanViolate,
}

impl Proof {
    /// The proof that a search is, if it is one.
    pub(crate) fn by_search(outcome: &SearchOutcome) -> Option<Proof> {
        outcome
            .is_exhaustive()
            .then_some(Proof(ProofKind::EveryStateVisited))
    }

    /// The proof for an automaton of violations that accepts nothing, of this strength.
    pub(crate) fn by_automaton(automaton: &AutomatonSize) -> Option<Proof> {
        automaton
            .accepts_nothing
            .then_some(Proof(ProofKind::NoRunCanViolate))
    }

    /// What kind of proof it is.
    pub fn kind(&self) -> ProofKind {
        self.0
    }
}

/// Replayed violations; at least one.
#[derive(Clone, Debug)]
pub struct Violations {
    list: Vec<Violation>,
    /// Whether no shorter one exists: for an error of a step, none that ends with an error of a step; for
    /// an error of a state, none at all. An atomic sequence counts as one step, and so do merged statements. For a property of
    /// runs: whether the product with the property automaton has no shorter one.
    pub shortest: bool,
    /// Whether all reachable states were visited, so that the count of errors is complete.
    pub complete: bool,
    /// How often anything went wrong.
    pub errors: u64,
}

impl Violations {
    /// Violations, unless there is none.
    pub(crate) fn new(
        list: Vec<Violation>,
        shortest: bool,
        complete: bool,
        errors: u64,
    ) -> Option<Self> {
        (!list.is_empty()).then_some(Violations {
            list,
            shortest,
            complete,
            errors,
        })
    }

    /// The violations, one for each kind and place.
    pub fn list(&self) -> &[Violation] {
        &self.list
    }
}

/// A violation that was replayed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What went wrong.
    pub text: FaultText,
    /// The fault at the end of the run, if it is finite.
    pub fault: Option<Fault>,
    /// In how many ways it was seen.
    pub occurrences: u64,
    trace: Trace,
}

impl Violation {
    /// A violation with the run that was replayed.
    pub(crate) fn replayed(
        trace: Trace,
        text: FaultText,
        fault: Option<Fault>,
        occurrences: u64,
    ) -> Self {
        Violation {
            text,
            fault,
            occurrences,
            trace,
        }
    }

    /// The run.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }
}

/// What went wrong, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultText {
    /// The kind: `assertion`, `invalid end state`, `lasso` and so on.
    pub kind: &'static str,
    /// What went wrong, in a line.
    pub message: String,
    /// The statement at fault, if it is one.
    pub statement: Option<StatementRef>,
}

/// A statement of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementRef {
    /// The process type.
    pub process: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The text.
    pub text: String,
}

/// How far a search came that was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// What ended it.
    pub stopped_by: Stop,
    /// All states up to this many steps from the start were visited and expanded, if the search went
    /// level by level.
    pub complete_depth: Option<u64>,
}

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The method.
    pub method: Method,
    /// How many workers there were.
    pub workers: usize,
    /// What made the states; nothing if none were made.
    pub executor: Option<&'static str>,
    /// If two executors were compared: how many locations have no machine code, so that there was nothing to compare.
    pub interpreted_locations: Option<u64>,
    /// Everything random was drawn from this number, if anything was.
    pub seed: Option<u64>,
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// A search, with a store; random walks have none.
    Search(SearchId, Option<StoreKind>),
    /// Random runs of a Markov chain.
    ChainRuns,
    /// No search was needed, or none could be started.
    None,
}

impl Method {
    /// The name of the search.
    pub fn name(self) -> &'static str {
        match self {
            Method::Search(search, _) => search.name(),
            Method::ChainRuns => SearchId::MonteCarlo.name(),
            Method::None => "none",
        }
    }
}

/// The size of a property automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonSize {
    /// Its states.
    pub states: u64,
    /// Its edges.
    pub edges: u64,
    /// Its acceptance sets.
    pub sets: u64,
    /// How hard it is to find the runs that it accepts.
    pub strength: Strength,
    /// Whether it accepts nothing at all.
    pub accepts_nothing: bool,
}

/// Several searches with different seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunsMade {
    /// The seed of the first one; that of the next is one more.
    pub seed: u64,
    /// How many were made.
    pub made: u64,
    /// How many of them found a violation.
    pub successes: u64,
    /// The seed of the one whose outcome this is.
    pub best_seed: u64,
    /// The states that each of them stored.
    pub states: Vec<u64>,
}

/// Why something could not be checked.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// What was found could not be replayed: a defect of Lariat.
    Replay(ReplayError),
    /// Two executors do not agree: a defect of Lariat.
    Executors(String),
    /// The executor that was asked for cannot execute the model.
    CannotCompile(Exec, String),
    /// The model, or a condition on its states, is malformed.
    Malformed(Malformed),
    /// The property has no automaton of a reasonable size.
    TooLarge(TooLarge),
    /// The runs of a Markov chain cannot be decided.
    Chain(String),
}

impl From<ReplayError> for CheckError {
    fn from(error: ReplayError) -> Self {
        CheckError::Replay(error)
    }
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const DEFECT: &str = "this is a defect of Lariat, please report it";
        match self {
            CheckError::Replay(error) => write!(
                f,
                "an error was found but could not be replayed ({}); {DEFECT}",
                error.0
            ),
            CheckError::Executors(difference) => {
                write!(
                    f,
                    "machine code and interpreter differ; {DEFECT}\n{difference}"
                )
            }
            CheckError::Malformed(error) => write!(f, "{error}"),
            CheckError::CannotCompile(exec, why) => write!(
                f,
                "--exec {}: there is no machine code for this model: {why}; leave --exec out, or choose interp",
                exec.name()
            ),
            CheckError::TooLarge(why) => write!(f, "{why}"),
            CheckError::Chain(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for CheckError {}

impl Outcome {
    /// The time that the search took.
    pub fn elapsed(&self) -> Duration {
        self.statistics.elapsed
    }
}
