//! Two-phase commit: the example of the library, for both tools.

#[allow(dead_code)]
#[path = "../../../crates/lariat/examples/two_phase_commit.rs"]
mod example;

pub(crate) use example::TwoPhaseCommit;
use example::{Action, Manager, State};

impl stateright::Model for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        lariat::Model::init(self)
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        lariat::Model::actions(self, state, actions);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        lariat::Model::next(self, state, &action)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        use stateright::Property;
        vec![
            Property::always("consistent", |_, state: &State| state.is_consistent()),
            Property::sometimes("commit", |_, state: &State| state.all(Manager::Committed)),
            Property::sometimes("abort", |_, state: &State| state.all(Manager::Aborted)),
        ]
    }
}

impl crate::Both for TwoPhaseCommit {
    fn with_properties(checker: lariat::Checker<Self>) -> lariat::Checker<Self> {
        checker
            .always("consistent", |_, state| state.is_consistent())
            .reachable("commit", |_, state| state.all(Manager::Committed))
            .reachable("abort", |_, state| state.all(Manager::Aborted))
    }
}
