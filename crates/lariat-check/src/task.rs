//! The input of a check: a system, properties, options and a budget.

use lariat_ir::space::Fairness;
use lariat_search::{Budget, Estimator, LassoSampling, SearchId, StoreKind, Uniform};

use crate::repeat::Restarts;
use crate::run_property::RunProperty;
use crate::system::{Exec, System};

/// A task: a system and its properties.
pub struct Task<'a, S: System> {
    /// The system.
    pub system: &'a S,
    /// The properties, each of which gets an outcome.
    pub properties: Vec<Property<S>>,
    /// The options of the user.
    pub wishes: Wishes,
    /// The budget of all properties together.
    pub budget: Budget,
}

/// A property of a system.
pub enum Property<S: System> {
    /// No state and no step has an error.
    Safety(S::Checks),
    /// No run violates a property; its atoms are given in order.
    Runs(RunProperty, Vec<S::Condition>),
}

impl<S: System> Property<S> {
    /// Its title in a report.
    pub fn title(&self) -> String {
        match self {
            Property::Safety(_) => "safety".into(),
            Property::Runs(property, _) => property.title(),
        }
    }
}

/// The options of the user. The plan chooses those that are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wishes {
    /// To check, or to estimate the probability of a violation.
    pub aim: Aim,
    /// The search.
    pub search: Option<SearchId>,
    /// The store.
    pub store: Option<StoreKind>,
    /// The number of threads.
    pub workers: Option<usize>,
    /// The executor.
    pub exec: Option<Exec>,
    /// The order of successors.
    pub order: Option<Order>,
    /// The seed of all random choices.
    pub seed: Option<u64>,
    /// The number of searches, with seeds from `seed` on.
    pub runs: Option<u64>,
    /// The number of searches over hashes with different seeds, from `seed` on, until one finds a violation.
    pub confirm: Option<u64>,
    /// Restarts with limited searches.
    pub restarts: Option<Restarts>,
    /// Whether to search for a shortest lasso.
    pub shortest: bool,
    /// Whether to continue after the first error, and count all errors.
    pub all_errors: bool,
    /// The fairness.
    pub fairness: Option<Fairness>,
    /// Whether deadlocks are no errors.
    pub no_deadlock: bool,
    /// Whether failing assertions are no errors.
    pub no_assert: bool,
    /// Whether not to merge statements that are invisible to other processes.
    pub no_merge: bool,
    /// Whether to keep the values of dead variables.
    pub no_dead: bool,
    /// The kind of random walks.
    pub sampling: Option<LassoSampling>,
    /// What is equally likely in random walks.
    pub uniform: Option<Uniform>,
    /// Walks with more steps are cut.
    pub max_length: Option<u64>,
    /// The limit of walks.
    pub walks: Option<u64>,
    /// The probability to exclude, or the relative error of an estimate.
    pub epsilon: Option<f64>,
    /// The probability of a wrong result.
    pub delta: Option<f64>,
    /// Walks end after so many violations.
    pub max_errors: Option<u64>,
    /// The estimator of a probability.
    pub method: Option<Estimator>,
    /// The number of states after which a search for infinite runs with one worker starts the other workers: small
    /// models get the same counterexample each time, and no thread is started for them.
    pub alone: Option<u64>,
}

/// The goal of a task.
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
