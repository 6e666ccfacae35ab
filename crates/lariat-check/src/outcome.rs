//! The result of a check: a verdict with its evidence.
//!
//! The evidence is part of the verdict, and only this crate can construct it: a [`Proof`] comes from a search that
//! was complete and exact, a [`Violation`] from a replay. So no caller can turn an incomplete search into `holds`, or
//! a path that was not replayed into `violated`.

use std::time::Duration;

use lariat_ir::fault::Fault;
use lariat_ir::space::Fairness;
use lariat_ir::well_formed::Malformed;
use lariat_ltl::automaton::{Strength, TooLarge};
use lariat_search::{SearchId, SearchOutcome, Statistics, Stop, StoreKind, WalkConclusion, Walked};
use serde::{Deserialize, Serialize};

use crate::omission::OmissionClaim;
use crate::system::{Exec, Halted, ReplayError};
use crate::trace::Trace;

/// The result for one property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The name of the property.
    pub property: PropertyName,
    /// The verdict.
    pub verdict: Verdict,
    /// What ran.
    pub ran: Ran,
    /// The counts.
    pub statistics: Statistics,
    /// The result of random walks, if these were made.
    pub walks: Option<Walked>,
    /// The automaton of the violating runs, unless the property is safety.
    pub automaton: Option<AutomatonSize>,
    /// The fairness.
    pub fairness: Fairness,
    /// The searches, if there were several.
    pub runs: Option<RunsMade>,
    /// Statements that were never reached; empty unless the search was complete.
    pub unreached: Vec<StatementRef>,
}

/// The name of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyName {
    /// Its title, as in `ltl answered`.
    pub title: String,
    /// Its kind: `safety`, `ltl`, `never`, `hoa`, `acceptance` or `non-progress`.
    pub kind: &'static str,
}

/// The verdict about a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No run violates it.
    Holds(Proof),
    /// A run that violates it was replayed.
    Violated(Violations),
    /// No violation was found, which is no proof; the evidence says how much it means.
    NoViolationFound(Evidence),
    /// The search ended early.
    Exhausted(Coverage),
}

impl Verdict {
    /// Its name.
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

/// What it means that no violation was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evidence {
    /// Random walks have found none.
    Walks(WalkConclusion),
    /// A complete search has found none, and it may have omitted states.
    Search(OmissionClaim),
}

/// Why a property holds. Only a complete and exact search makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof(ProofKind);

/// The kinds of proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// Every reachable state was visited, and states were distinguished exactly.
    EveryStateVisited,
    /// The automaton of the violations accepts no word: no run of any model violates the property.
    NoRunCanViolate,
}

impl Proof {
    /// The proof of a search, if it is complete and exact.
    pub(crate) fn by_search(outcome: &SearchOutcome) -> Option<Proof> {
        outcome
            .is_exhaustive()
            .then_some(Proof(ProofKind::EveryStateVisited))
    }

    /// The proof of an automaton of violations that accepts nothing, of this strength.
    pub(crate) fn by_automaton(automaton: &AutomatonSize) -> Option<Proof> {
        automaton
            .accepts_nothing
            .then_some(Proof(ProofKind::NoRunCanViolate))
    }

    /// The kind of proof.
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
    /// The number of errors.
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
    /// Its text.
    pub text: FaultText,
    /// The fault at the end of the run, if it is finite.
    pub fault: Option<Fault>,
    /// The number of occurrences.
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

/// The text of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultText {
    /// The kind: `assertion`, `invalid end state`, `lasso` and so on.
    pub kind: &'static str,
    /// The message, in a line.
    pub message: String,
    /// The failing statement, if it is one.
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

/// The coverage of a search that ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Why it ended.
    pub stopped_by: Stop,
    /// All states up to this many steps from an initial state were visited and expanded, if the search went level by
    /// level.
    pub complete_depth: Option<u64>,
    /// Whether something was found that violates the property, it seems: the budget ended before it was replayed.
    pub unreplayed: bool,
}

/// What ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The method.
    pub method: Method,
    /// The number of workers.
    pub workers: usize,
    /// The executor; `None` if no states were generated.
    pub executor: Option<&'static str>,
    /// If two executors were compared: the number of locations that are not compiled, so that nothing is compared
    /// there.
    pub interpreted_locations: Option<u64>,
    /// The seed of all random choices, if there were any.
    pub seed: Option<u64>,
}

/// How a verdict was reached.
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
    /// Its strength: how hard it is to find the runs that it accepts.
    pub strength: Strength,
    /// Whether it accepts nothing.
    pub accepts_nothing: bool,
}

/// Several searches with different seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunsMade {
    /// The seed of the first one; each further one adds 1.
    pub seed: u64,
    /// The number of searches.
    pub made: u64,
    /// The number of those that found a violation.
    pub successes: u64,
    /// The seed of the search with this outcome.
    pub best_seed: u64,
    /// The states that each of them stored.
    pub states: Vec<u64>,
}

/// Why a property could not be checked.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// A counterexample could not be replayed: a defect of Lariat.
    Replay(ReplayError),
    /// The budget ended before what was found was replayed.
    Unreplayed(Stop),
    /// Two executors differ: a defect of Lariat.
    Executors(String),
    /// The chosen executor does not support the model.
    CannotCompile(Exec, String),
    /// The model, or a condition on its states, is malformed.
    Malformed(Malformed),
    /// The property has no automaton of a reasonable size.
    TooLarge(TooLarge),
    /// Waiting states could not be written to disk or read from it.
    Disk(String),
    /// The runs of a Markov chain cannot be decided.
    Chain(String),
}

impl From<Halted> for CheckError {
    fn from(halted: Halted) -> Self {
        match halted {
            Halted::Failed(error) => CheckError::Replay(error),
            Halted::Budget(stop) => CheckError::Unreplayed(stop),
            Halted::Enough => CheckError::Replay(ReplayError("it was ended".into())),
        }
    }
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
            CheckError::Unreplayed(_) => {
                f.write_str("an error was found, but the budget ended before it was replayed")
            }
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
            CheckError::Disk(why) => write!(
                f,
                "the search ended because of the disk for waiting states: {why}; name a directory on another disk with --spill"
            ),
            CheckError::Chain(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for CheckError {}

impl Outcome {
    /// The duration of the search.
    pub fn elapsed(&self) -> Duration {
        self.statistics.elapsed
    }
}
