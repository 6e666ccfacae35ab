//! Two-phase commit: a transaction manager asks its resource managers to prepare, and decides.
//!
//! After J. Gray and L. Lamport, "Consensus on transaction commit", ACM TODS 31(1), 2006. Messages are never lost and
//! may be read again, so the network is the set of all messages that were sent. A resource manager may abort on its own
//! as long as it has not prepared.
//!
//! `cargo run --release --example two_phase_commit`
//!
//! `xtask bench stateright` measures the same model with Stateright, which is why the states are hashable and some things visible in their crate.

use lariat::{Checker, Encode, Fairness, Model, Outcome};
use std::collections::BTreeSet;

/// The transaction with this many resource managers.
pub(crate) struct TwoPhaseCommit {
    pub(crate) participants: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub(crate) struct State {
    managers: Vec<Manager>,
    coordinator: Coordinator,
    /// Which resource managers the transaction manager knows to be prepared.
    prepared: BTreeSet<usize>,
    messages: BTreeSet<Message>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
pub(crate) enum Manager {
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
pub(crate) enum Action {
    /// The transaction manager reads that a resource manager is prepared.
    CountPrepared(usize),
    Commit,
    Abort,
    /// A resource manager prepares, or decides to abort.
    Prepare(usize),
    ChooseToAbort(usize),
    /// A resource manager does what was decided.
    ObeyCommit(usize),
    ObeyAbort(usize),
}

impl Model for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn init(&self) -> Vec<State> {
        vec![State {
            managers: vec![Manager::Working; self.participants],
            coordinator: Coordinator::Collecting,
            prepared: BTreeSet::new(),
            messages: BTreeSet::new(),
        }]
    }

    fn actions(&self, _: &State, actions: &mut Vec<Action>) {
        actions.extend([Action::Commit, Action::Abort]);
        for manager in 0..self.participants {
            actions.extend([
                Action::CountPrepared(manager),
                Action::Prepare(manager),
                Action::ChooseToAbort(manager),
                Action::ObeyCommit(manager),
                Action::ObeyAbort(manager),
            ]);
        }
    }

    fn next(&self, state: &State, action: &Action) -> Option<State> {
        let is_collecting = state.coordinator == Coordinator::Collecting;
        let is_working = |manager: usize| state.managers[manager] == Manager::Working;
        let is_obedient = |manager: usize, message, done| {
            state.messages.contains(&message) && state.managers[manager] != done
        };
        let is_possible = match *action {
            Action::CountPrepared(manager) => {
                let message = Message::Prepared(manager);
                is_collecting
                    && !state.prepared.contains(&manager)
                    && state.messages.contains(&message)
            }
            Action::Commit => is_collecting && state.prepared.len() == self.participants,
            Action::Abort => is_collecting,
            Action::Prepare(manager) | Action::ChooseToAbort(manager) => is_working(manager),
            Action::ObeyCommit(manager) => {
                is_obedient(manager, Message::Commit, Manager::Committed)
            }
            Action::ObeyAbort(manager) => is_obedient(manager, Message::Abort, Manager::Aborted),
        };
        is_possible.then(|| perform(state.clone(), *action))
    }

    fn actors(&self) -> usize {
        self.participants + 1
    }

    /// The transaction manager comes after the resource managers.
    fn actor(&self, action: &Action) -> Option<usize> {
        Some(match *action {
            Action::CountPrepared(_) | Action::Commit | Action::Abort => self.participants,
            Action::Prepare(manager) | Action::ChooseToAbort(manager) => manager,
            Action::ObeyCommit(manager) | Action::ObeyAbort(manager) => manager,
        })
    }
}

fn perform(mut state: State, action: Action) -> State {
    match action {
        Action::CountPrepared(manager) => {
            state.prepared.insert(manager);
        }
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
        Action::ChooseToAbort(manager) | Action::ObeyAbort(manager) => {
            state.managers[manager] = Manager::Aborted;
        }
        Action::ObeyCommit(manager) => state.managers[manager] = Manager::Committed,
    }
    state
}

impl State {
    /// Whether no resource manager has committed while another has aborted.
    pub(crate) fn is_consistent(&self) -> bool {
        let has = |manager| self.managers.contains(&manager);
        !(has(Manager::Committed) && has(Manager::Aborted))
    }

    /// Whether all resource managers are in this state.
    pub(crate) fn all(&self, manager: Manager) -> bool {
        self.managers.iter().all(|other| *other == manager)
    }

    fn is_decided(&self) -> bool {
        let is_done = |m: &Manager| matches!(m, Manager::Committed | Manager::Aborted);
        self.managers.iter().all(is_done)
    }
}

/// Checks the protocol.
fn check(participants: usize) -> Result<Outcome<TwoPhaseCommit>, lariat::Error> {
    Checker::new(TwoPhaseCommit { participants })
        .always("no split decision", |_, state| state.is_consistent())
        .reachable("all commit", |_, state| state.all(Manager::Committed))
        .reachable("all abort", |_, state| state.all(Manager::Aborted))
        .eventually("decided", |_, state| state.is_decided())
        .fair(Fairness::Weak)
        .run()
}

fn main() -> Result<(), lariat::Error> {
    let outcome = check(3)?;
    println!("{outcome}");
    outcome.assert_holds();
    Ok(())
}

#[test]
fn the_protocol_is_safe_and_live() {
    let outcome = check(3).unwrap();
    outcome.assert_holds();
    assert_eq!(outcome.path("all commit").unwrap().actions.len(), 10);
}
