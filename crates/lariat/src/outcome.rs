//! What a check comes to.

use std::fmt;

use lariat_check::outcome::{
    Coverage, Evidence, Method, Outcome as SearchOutcome, Verdict as SearchVerdict,
};
use lariat_check::trace::{Trace, TraceStep};
use lariat_ir::fault::Fault;
use lariat_search::{Exactness, Statistics, Stop};

use crate::checker::{Answer, Place};
use crate::model::Model;
use crate::system::{Check, CheckKind, Run};

/// The answers about all properties of a model.
///
/// ```
/// # struct Counter;
/// # impl lariat::Model for Counter {
/// #     type State = u8;
/// #     type Action = u8;
/// #     fn init(&self) -> Vec<u8> { vec![0] }
/// #     fn actions(&self, _: &u8, actions: &mut Vec<u8>) { actions.extend([1, 2]); }
/// #     fn next(&self, state: &u8, step: &u8) -> Option<u8> { Some((state + step) % 5) }
/// # }
/// use lariat::{Checker, Verdict};
///
/// // A counter up to 4 that is increased by one or two.
/// let outcome = Checker::new(Counter)
///     .always("never three", |_, count| *count != 3)
///     .reachable("four", |_, count| *count == 4)
///     .run()?;
/// assert!(!outcome.all_hold() && outcome.holds("four"));
/// let path = outcome.assert_violated("never three");
/// assert_eq!((path.states, path.actions), (vec![0, 1, 3], vec![1, 2]));
/// let four = outcome.property("four").unwrap();
/// assert!(matches!(four.verdict, Verdict::Holds));
/// assert!(outcome.to_string().contains("never three"));
/// # Ok::<(), lariat::Error>(())
/// ```
pub struct Outcome<M> {
    model: M,
    properties: Vec<PropertyOutcome>,
}

/// The answer about one property.
#[derive(Clone, Debug)]
pub struct PropertyOutcome {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// What can be said about it.
    pub verdict: Verdict,
    /// What was counted by the search that gave the answer, which other conditions may share.
    pub statistics: Statistics,
    trace: Option<Trace>,
    atoms: Vec<String>,
}

/// The kind of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PropertyKind {
    /// See [`Checker::always`](crate::Checker::always).
    Always,
    /// See [`Checker::reachable`](crate::Checker::reachable).
    Reachable,
    /// See [`Checker::deadlock_free`](crate::Checker::deadlock_free).
    DeadlockFree,
    /// See [`Checker::eventually`](crate::Checker::eventually).
    Eventually,
    /// See [`Checker::leads_to`](crate::Checker::leads_to).
    LeadsTo,
    /// See [`Checker::ltl`](crate::Checker::ltl).
    Ltl,
}

impl PropertyKind {
    pub(crate) fn of_check(kind: CheckKind) -> Self {
        match kind {
            CheckKind::Always => PropertyKind::Always,
            CheckKind::Reachable => PropertyKind::Reachable,
            CheckKind::DeadlockFree => PropertyKind::DeadlockFree,
        }
    }
}

/// What can be said about a property.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// It holds: every reachable state was visited; or, for `reachable`, a run that leads there was executed again.
    Holds,
    /// It does not hold: a run that violates it was executed again; or, for `reachable`, every reachable state was visited.
    Violated,
    /// Random walks, or a search that may have omitted states, have found nothing; the evidence says how much that
    /// means.
    NothingFound(Evidence),
    /// The search ended before anything could be said, for this reason if it is known.
    Exhausted(Option<Stop>),
}

/// A run with its states and actions.
#[derive(Clone, Debug)]
pub struct Path<S, A> {
    /// The states: one more than actions.
    pub states: Vec<S>,
    /// The actions between them.
    pub actions: Vec<A>,
    /// For an infinite run: the index of the state to which it returns after the last action. If that is the last state,
    /// the run stays there.
    pub loop_start: Option<usize>,
}

impl<M: Model> Outcome<M> {
    pub(crate) fn new(model: M, properties: Vec<PropertyOutcome>) -> Self {
        Outcome { model, properties }
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The answers, in the order in which the properties were given.
    pub fn properties(&self) -> &[PropertyOutcome] {
        &self.properties
    }

    /// The answer about the property with a name.
    pub fn property(&self, name: &str) -> Option<&PropertyOutcome> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }

    /// Whether the property with a name holds.
    pub fn holds(&self, name: &str) -> bool {
        self.property(name)
            .is_some_and(|property| property.verdict == Verdict::Holds)
    }

    /// Whether the property with a name is violated.
    pub fn is_violated(&self, name: &str) -> bool {
        self.property(name)
            .is_some_and(|property| property.verdict == Verdict::Violated)
    }

    /// Whether all properties hold.
    pub fn all_hold(&self) -> bool {
        self.properties
            .iter()
            .all(|property| property.verdict == Verdict::Holds)
    }

    /// The run that decides the property with a name, if there is one: the counterexample, or the way to the state that was
    /// to be reached.
    pub fn path(&self, name: &str) -> Option<Path<M::State, M::Action>> {
        let trace = self.property(name)?.trace()?;
        Run::path(&self.model, trace)
    }

    /// Asserts that all properties hold, for tests.
    ///
    /// # Panics
    ///
    /// If a property is violated or could not be decided. The message has the runs that were found.
    #[track_caller]
    pub fn assert_holds(&self) {
        assert!(self.all_hold(), "not all properties hold\n{self}");
    }

    /// Asserts that the property with a name is violated, for tests of models with a known error; answers the run.
    ///
    /// # Panics
    ///
    /// If it is not violated, or if there is no such property or no run.
    #[track_caller]
    pub fn assert_violated(&self, name: &str) -> Path<M::State, M::Action> {
        let path = self.path(name).filter(|_| self.is_violated(name));
        path.unwrap_or_else(|| panic!("{name:?} is not violated by a run\n{self}"))
    }
}

impl PropertyOutcome {
    /// The run that decides the property, in text: the counterexample, or the way to the state that was to be reached. Its
    /// first step enters the initial state.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }
}

/// The answers about all properties, from those of the searches.
pub(crate) fn property_outcomes<M: Model>(
    outcomes: &[SearchOutcome],
    answers: Vec<Answer>,
    checks: &[Check<M>],
) -> Vec<PropertyOutcome> {
    let property = |answer: Answer| {
        let (outcome, trace, verdict) = match answer.place {
            Place::Check { search, check } => {
                let outcome = &outcomes[search];
                let fault = checks[check].fault(check);
                let trace = trace_of(outcome, Some(fault));
                let verdict = check_verdict(outcome, checks[check].kind, trace.is_some());
                (outcome, trace, verdict)
            }
            Place::Run(number) => {
                let outcome = &outcomes[number];
                (
                    outcome,
                    trace_of(outcome, None),
                    run_verdict(&outcome.verdict),
                )
            }
        };
        PropertyOutcome {
            name: answer.name,
            kind: answer.kind,
            verdict,
            statistics: outcome.statistics,
            trace,
            atoms: answer.atoms,
        }
    };
    answers.into_iter().map(property).collect()
}

/// The first run that was found, with this fault if there is one.
fn trace_of(outcome: &SearchOutcome, fault: Option<Fault>) -> Option<Trace> {
    let mut found = outcome.verdict.violations().iter();
    let violation = found.find(|violation| fault.is_none() || violation.fault == fault)?;
    Some(violation.trace().clone())
}

/// The verdict about a condition, from the search that looked for states that are reported.
fn check_verdict(outcome: &SearchOutcome, kind: CheckKind, is_found: bool) -> Verdict {
    let (if_found, if_not) = match kind {
        CheckKind::Reachable => (Verdict::Holds, Verdict::Violated),
        _ => (Verdict::Violated, Verdict::Holds),
    };
    if is_found {
        return if_found;
    }
    match &outcome.verdict {
        SearchVerdict::Holds(_) => if_not,
        // Other conditions were reported, and this one never.
        SearchVerdict::Violated(others) if others.complete && is_exact(outcome.ran.method) => {
            if_not
        }
        SearchVerdict::Violated(_) => Verdict::Exhausted(None),
        SearchVerdict::NoViolationFound(evidence) => Verdict::NothingFound(*evidence),
        SearchVerdict::Exhausted(coverage) => exhausted(coverage),
    }
}

/// Whether a search with this method tells states apart exactly.
fn is_exact(method: Method) -> bool {
    match method {
        Method::Search(_, Some(store)) => store.exactness() == Exactness::Exact,
        _ => false,
    }
}

fn run_verdict(verdict: &SearchVerdict) -> Verdict {
    match verdict {
        SearchVerdict::Holds(_) => Verdict::Holds,
        SearchVerdict::Violated(_) => Verdict::Violated,
        SearchVerdict::NoViolationFound(evidence) => Verdict::NothingFound(*evidence),
        SearchVerdict::Exhausted(coverage) => exhausted(coverage),
    }
}

fn exhausted(coverage: &Coverage) -> Verdict {
    Verdict::Exhausted(Some(coverage.stopped_by))
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds => write!(f, "holds"),
            Verdict::Violated => write!(f, "violated"),
            Verdict::NothingFound(Evidence::Search(claim)) => write!(
                f,
                "nothing found by a search that omits a state with probability {:.1e} at most",
                claim.any
            ),
            Verdict::NothingFound(Evidence::Walks(claim)) => write!(
                f,
                "nothing found by random walks (probability below {} with confidence {})",
                claim.epsilon,
                1.0 - claim.delta
            ),
            Verdict::Exhausted(reason) => {
                let reason = match reason {
                    Some(Stop::Memory) => "the memory is used up",
                    Some(Stop::Time) => "the time is over",
                    Some(Stop::DiskFull) => "the disk is full",
                    Some(Stop::DiskLimit) => "the limit on the disk is reached",
                    Some(Stop::States) => "there are too many states",
                    _ => "the search was cut short",
                };
                write!(f, "not decided: {reason}")
            }
        }
    }
}

impl<M: Model> fmt::Display for Outcome<M> {
    /// A line for each property, and the runs that were found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for property in &self.properties {
            writeln!(f, "{property}")?;
        }
        Ok(())
    }
}

impl<M: Model> fmt::Debug for Outcome<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.properties).finish()
    }
}

impl fmt::Display for PropertyOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.verdict)?;
        match (&self.trace, self.kind, self.verdict) {
            (Some(trace), PropertyKind::Reachable, _) => {
                write!(f, " ({} states), reached by", self.statistics.states_stored)?;
                self.fmt_trace(trace, f)
            }
            (Some(trace), ..) => self.fmt_trace(trace, f),
            (None, PropertyKind::Reachable, Verdict::Violated) => {
                write!(
                    f,
                    " (not reached in {} states)",
                    self.statistics.states_stored
                )
            }
            (None, ..) => write!(f, " ({} states)", self.statistics.states_stored),
        }
    }
}

/// Changes that make a line longer than this have lines of their own.
const LONG_LINE: usize = 100;

impl PropertyOutcome {
    fn fmt_trace(&self, trace: &Trace, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = trace.steps.len().to_string().len();
        let is_violation = self.verdict == Verdict::Violated;
        for (number, step) in trace.steps.iter().enumerate() {
            if trace.loop_start == Some(number) && number > 0 {
                write!(f, "\n  {:width$}  these steps are repeated for ever:", "")?;
            }
            write!(f, "\n  {number:width$}  {}", step.statement)?;
            self.fmt_after(step, number, trace, f)?;
        }
        match trace.loop_start {
            Some(start) if start == trace.steps.len() => {
                write!(f, "\n  {:width$}  the run stays there for ever", "")
            }
            None if is_violation && self.kind == PropertyKind::DeadlockFree => {
                write!(f, "\n  {:width$}  no action is possible", "")
            }
            _ => Ok(()),
        }
    }

    /// What a step changed, and which atoms of the property hold behind it.
    fn fmt_after(
        &self,
        step: &TraceStep,
        number: usize,
        trace: &Trace,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let changes: Vec<String> = step
            .changes
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let line = changes.join(", ");
        let is_long = step.statement.len() + line.len() > LONG_LINE;
        match changes.is_empty() {
            true => {}
            false if is_long => changes
                .iter()
                .try_for_each(|change| write!(f, "\n       | {change}"))?,
            false => write!(f, "  | {line}")?,
        }
        let values = match number {
            0 => &trace.values,
            _ => &step.values,
        };
        let atoms = self.atoms.iter().zip(values.chars());
        let holding: Vec<&str> = atoms
            .filter(|(_, value)| *value == '1')
            .map(|(atom, _)| atom.as_str())
            .collect();
        match holding.is_empty() {
            true => Ok(()),
            false => write!(f, "  [{}]", holding.join(", ")),
        }
    }
}
