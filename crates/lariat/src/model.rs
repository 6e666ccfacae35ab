//! What a user writes: a model.

use std::fmt::Debug;
use std::sync::Arc;

use crate::encode::Encode;

/// A system of states and actions, as a plain Rust type.
///
/// A run begins in one of the states of [`init`](Model::init) and takes actions for which [`next`](Model::next) has a
/// state. A run that comes to a state without such an action stays there for ever, so every run is infinite, and formulas
/// have a meaning for it.
///
/// All methods must be functions of their arguments: a search, a replay and the workers of a parallel search call them
/// again and rely on equal answers in equal order.
///
/// ```
/// use lariat::{Checker, Model};
///
/// /// A counter that goes round.
/// struct Counter {
///     modulus: u8,
/// }
///
/// impl Model for Counter {
///     type State = u8;
///     type Action = &'static str;
///
///     fn init(&self) -> Vec<u8> {
///         vec![0]
///     }
///
///     fn actions(&self, _: &u8, actions: &mut Vec<&'static str>) {
///         actions.push("tick");
///     }
///
///     fn next(&self, state: &u8, _: &&'static str) -> Option<u8> {
///         Some((state + 1) % self.modulus)
///     }
/// }
///
/// let outcome = Checker::new(Counter { modulus: 5 })
///     .always("below the modulus", |model, state| *state < model.modulus)
///     .run()?;
/// outcome.assert_holds();
/// # Ok::<(), lariat::Error>(())
/// ```
pub trait Model: Sync {
    /// A state. Derive [`Encode`] and `Debug` for it.
    type State: Encode + Debug + Send;
    /// What leads from one state to another.
    type Action: Debug + Send;

    /// The states in which a run can begin.
    fn init(&self) -> Vec<Self::State>;

    /// Appends the actions of a state. Some of them may turn out to be impossible, see [`next`](Model::next).
    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// The state that an action leads to; nothing if the action is not possible.
    fn next(&self, state: &Self::State, action: &Self::Action) -> Option<Self::State>;

    /// The number of actors that fairness looks after: processes, threads, servers.
    fn actors(&self) -> usize {
        0
    }

    /// Which actor performs an action, a number below [`actors`](Model::actors). An action of none (the loss of a message,
    /// say) is never demanded by fairness.
    fn actor(&self, action: &Self::Action) -> Option<usize> {
        let _ = action;
        None
    }

    /// Conditions that formulas can name.
    fn propositions(&self) -> Vec<Proposition<Self>>
    where
        Self: Sized,
    {
        Vec::new()
    }
}

/// A named condition on the states of a model.
pub struct Proposition<M: Model> {
    pub(crate) name: String,
    pub(crate) condition: Condition<M>,
}

impl<M: Model> Proposition<M> {
    /// A condition with its name.
    pub fn new(
        name: impl Into<String>,
        condition: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        Proposition {
            name: name.into(),
            condition: Condition::new(condition),
        }
    }
}

impl<M: Model> Clone for Proposition<M> {
    fn clone(&self) -> Self {
        Proposition {
            name: self.name.clone(),
            condition: self.condition.clone(),
        }
    }
}

/// A function from states to truth values.
type Predicate<M> = dyn Fn(&M, &<M as Model>::State) -> bool + Send + Sync;

/// A condition on the states of a model.
pub(crate) struct Condition<M: Model>(Arc<Predicate<M>>);

impl<M: Model> Condition<M> {
    pub(crate) fn new(condition: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static) -> Self {
        Condition(Arc::new(condition))
    }

    #[inline]
    pub(crate) fn holds(&self, model: &M, state: &M::State) -> bool {
        (self.0)(model, state)
    }
}

impl<M: Model> Clone for Condition<M> {
    fn clone(&self) -> Self {
        Condition(Arc::clone(&self.0))
    }
}
