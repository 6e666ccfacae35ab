//! What is asked: a system, properties, wishes and a budget.

use lariat_ir::space::Fairness;
use lariat_search::{Budget, Estimator, LassoSampling, SearchId, StoreKind, Uniform};

use crate::repeat::Restarts;
use crate::run_property::RunProperty;
use crate::system::{Exec, System};

/// Something to be checked.
pub struct Task<'a, S: System> {
    /// What is checked.
    pub system: &'a S,
    /// The properties, each of which gets an outcome.
    pub properties: Vec<Property<S>>,
    /// How it is checked, as far as that matters to the user.
    pub wishes: Wishes,
    /// What all of it may cost together.
    pub budget: Budget,
}

/// A property of a system.
pub enum Property<S: System> {
    /// No state and no step is wrong.
    Safety(S::Checks),
    /// No run violates a property; its conditions are in the order of its atoms.
    Runs(RunProperty, Vec<S::Condition>),
}

impl<S: System> Property<S> {
    /// What it is called in a report.
    pub fn title(&self) -> String {
        match self {
            Property::Safety(_) => "safety".into(),
            Property::Runs(property, _) => property.title(),
        }
    }
}

/// What users may wish for. Whatever is left out is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wishes {
    /// To check, or to estimate how likely a violation is.
    pub aim: Aim,
    /// The search.
    pub search: Option<SearchId>,
    /// How states are kept.
    pub store: Option<StoreKind>,
    /// The number of threads.
    pub workers: Option<usize>,
    /// What executes the model.
    pub exec: Option<Exec>,
    /// The order in which successors are visited.
    pub order: Option<Order>,
    /// What everything random is drawn from.
    pub seed: Option<u64>,
    /// How many searches are made, with seeds from `seed` on.
    pub runs: Option<u64>,
    /// Cut searches short, and begin again.
    pub restarts: Option<Restarts>,
    /// Look for a shortest lasso.
    pub shortest: bool,
    /// Go on after the first error, and count all of them.
    pub all_errors: bool,
    /// Which runs count.
    pub fairness: Option<Fairness>,
    /// Deadlocks are no errors.
    pub no_deadlock: bool,
    /// Failing assertions are no errors.
    pub no_assert: bool,
    /// Do not merge statements that only their process can notice.
    pub no_merge: bool,
    /// Keep the values of variables that are not read again.
    pub no_dead: bool,
    /// The kind of random walks.
    pub sampling: Option<LassoSampling>,
    /// What is equally likely in random walks.
    pub uniform: Option<Uniform>,
    /// Walks with more steps are cut.
    pub max_length: Option<u64>,
    /// The most walks.
    pub walks: Option<u64>,
    /// The probability to rule out, or the relative error of an estimate.
    pub epsilon: Option<f64>,
    /// The probability of a wrong answer.
    pub delta: Option<f64>,
    /// Walks end with so many violations.
    pub max_errors: Option<u64>,
    /// The way to estimate a probability.
    pub method: Option<Estimator>,
    /// A search for infinite runs begins with one worker and calls the others if it is not done after so
    /// many states: small models get the same counterexample each time, and no thread is started for them.
    pub alone: Option<u64>,
}

/// What a task is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// To find a violation, or to show that there is none.
    #[default]
    Check,
    /// To estimate the probability that a random lasso is a violation.
    Estimate,
}

/// The order in which the successors of a state are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That of the model.
    Model,
    /// A random one.
    Random,
}
