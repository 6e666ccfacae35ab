//! Two-phase commit, after Gray and Lamport, "Consensus on transaction commit", ACM TODS 31(1), 2006.

use lariat::Encode;
use std::collections::BTreeSet;

#[derive(Clone)]
pub struct TwoPhase {
    pub managers: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct State {
    managers: Vec<Manager>,
    coordinator: Coordinator,
    prepared: Vec<bool>,
    messages: BTreeSet<Message>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
enum Manager {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
enum Coordinator {
    Collecting,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Encode)]
enum Message {
    Prepared(usize),
    Commit,
    Abort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Count(usize),
    Commit,
    Abort,
    Prepare(usize),
    Refuse(usize),
    ObeyCommit(usize),
    ObeyAbort(usize),
}

impl TwoPhase {
    fn initial(&self) -> State {
        State {
            managers: vec![Manager::Working; self.managers],
            coordinator: Coordinator::Collecting,
            prepared: vec![false; self.managers],
            messages: BTreeSet::new(),
        }
    }

    fn possible(&self, state: &State, actions: &mut Vec<Action>) {
        let is_collecting = state.coordinator == Coordinator::Collecting;
        if is_collecting {
            actions.push(Action::Abort);
            if state.prepared.iter().all(|prepared| *prepared) {
                actions.push(Action::Commit);
            }
        }
        let commits = state.messages.contains(&Message::Commit);
        let aborts = state.messages.contains(&Message::Abort);
        for manager in 0..self.managers {
            if is_collecting && state.messages.contains(&Message::Prepared(manager)) {
                actions.push(Action::Count(manager));
            }
            if state.managers[manager] == Manager::Working {
                actions.extend([Action::Prepare(manager), Action::Refuse(manager)]);
            }
            if commits {
                actions.push(Action::ObeyCommit(manager));
            }
            if aborts {
                actions.push(Action::ObeyAbort(manager));
            }
        }
    }

    fn perform(&self, state: &State, action: Action) -> State {
        let mut state = state.clone();
        match action {
            Action::Count(manager) => state.prepared[manager] = true,
            Action::Commit => {
                state.coordinator = Coordinator::Committed;
                state.messages.insert(Message::Commit);
            }
            Action::Abort => {
                state.coordinator = Coordinator::Aborted;
                state.messages.insert(Message::Abort);
            }
            Action::Prepare(manager) => {
                state.managers[manager] = Manager::Prepared;
                state.messages.insert(Message::Prepared(manager));
            }
            Action::Refuse(manager) | Action::ObeyAbort(manager) => {
                state.managers[manager] = Manager::Aborted;
            }
            Action::ObeyCommit(manager) => state.managers[manager] = Manager::Committed,
        }
        state
    }
}

impl State {
    fn is_consistent(&self) -> bool {
        let has = |manager| self.managers.contains(&manager);
        !(has(Manager::Committed) && has(Manager::Aborted))
    }

    fn is_all(&self, manager: Manager) -> bool {
        self.managers.iter().all(|other| *other == manager)
    }
}

impl lariat::Model for TwoPhase {
    type State = State;
    type Action = Action;

    fn init(&self) -> Vec<State> {
        vec![self.initial()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.possible(state, actions);
    }

    fn next(&self, state: &State, action: &Action) -> Option<State> {
        Some(self.perform(state, *action))
    }
}

impl stateright::Model for TwoPhase {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![self.initial()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.possible(state, actions);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        Some(self.perform(state, action))
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        use stateright::Property;
        vec![
            Property::always("consistent", |_, state: &State| state.is_consistent()),
            Property::sometimes("commit", |_, state: &State| {
                state.is_all(Manager::Committed)
            }),
            Property::sometimes("abort", |_, state: &State| state.is_all(Manager::Aborted)),
        ]
    }
}

impl crate::Both for TwoPhase {
    fn with_properties(checker: lariat::Checker<Self>) -> lariat::Checker<Self> {
        checker
            .always("consistent", |_, state| state.is_consistent())
            .reachable("commit", |_, state| state.is_all(Manager::Committed))
            .reachable("abort", |_, state| state.is_all(Manager::Aborted))
    }
}
