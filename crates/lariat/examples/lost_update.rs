//! A lost update: threads increment a shared counter without a lock, and with one.
//!
//! `cargo run --release --example lost_update`

use lariat::{Checker, Encode, Fairness, Model, Outcome};

/// Threads that increment a counter once.
#[derive(Clone, Copy)]
struct Increments {
    threads: usize,
    with_lock: bool,
}

#[derive(Clone, Debug, Encode)]
struct State {
    counter: u8,
    /// Who holds the lock.
    lock: Option<usize>,
    threads: Vec<Thread>,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode)]
enum Thread {
    Starts,
    Locked,
    /// The thread has read this value.
    Read(u8),
    Written,
    Done,
}

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Lock(usize),
    Read(usize),
    Write(usize),
    Unlock(usize),
}

impl Model for Increments {
    type State = State;
    type Action = Action;

    fn init(&self) -> Vec<State> {
        vec![State {
            counter: 0,
            lock: None,
            threads: vec![Thread::Starts; self.threads],
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (number, thread) in state.threads.iter().enumerate() {
            actions.extend(match thread {
                Thread::Starts if self.with_lock => Some(Action::Lock(number)),
                Thread::Starts | Thread::Locked => Some(Action::Read(number)),
                Thread::Read(_) => Some(Action::Write(number)),
                Thread::Written => Some(Action::Unlock(number)),
                Thread::Done => None,
            });
        }
    }

    fn next(&self, state: &State, action: &Action) -> Option<State> {
        let mut next = state.clone();
        match *action {
            Action::Lock(thread) => {
                if state.lock.is_some() {
                    return None;
                }
                next.lock = Some(thread);
                next.threads[thread] = Thread::Locked;
            }
            Action::Read(thread) => next.threads[thread] = Thread::Read(state.counter),
            Action::Write(thread) => {
                let Thread::Read(value) = state.threads[thread] else {
                    return None;
                };
                next.counter = value + 1;
                next.threads[thread] = match self.with_lock {
                    true => Thread::Written,
                    false => Thread::Done,
                };
            }
            Action::Unlock(thread) => {
                next.lock = None;
                next.threads[thread] = Thread::Done;
            }
        }
        Some(next)
    }

    fn actors(&self) -> usize {
        self.threads
    }

    fn actor(&self, action: &Action) -> Option<usize> {
        let (Action::Lock(thread)
        | Action::Read(thread)
        | Action::Write(thread)
        | Action::Unlock(thread)) = *action;
        Some(thread)
    }
}

fn are_done(state: &State) -> bool {
    state.threads.iter().all(|thread| *thread == Thread::Done)
}

/// Checks that no update is lost.
fn check(model: Increments) -> Result<Outcome<Increments>, lariat::Error> {
    Checker::new(model)
        .always("no update is lost", |model, state| {
            !are_done(state) || usize::from(state.counter) == model.threads
        })
        .deadlock_free("no deadlock", |_, state| are_done(state))
        .eventually("all threads are done", |_, state| are_done(state))
        .fair(Fairness::Weak)
        .run()
}

fn main() -> Result<(), lariat::Error> {
    let mut model = Increments {
        threads: 2,
        with_lock: false,
    };
    println!("without a lock\n{}", check(model)?);
    model.with_lock = true;
    println!("with a lock\n{}", check(model)?);
    Ok(())
}

#[test]
fn the_lock_is_needed() {
    let model = |with_lock| Increments {
        threads: 3,
        with_lock,
    };
    check(model(true)).unwrap().assert_holds();
    let outcome = check(model(false)).unwrap();
    let path = outcome.assert_violated("no update is lost");
    assert!(path.states.last().unwrap().counter < 3);
    assert!(outcome.holds("no deadlock") && outcome.holds("all threads are done"));
}
