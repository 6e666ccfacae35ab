//! Leader election in Raft: at most one leader in each term.
//!
//! After D. Ongaro and J. Ousterhout, "In search of an understandable consensus algorithm", USENIX ATC 2014, section 5.2.
//! Messages may be delayed, reordered, lost and duplicated: they stay in the network, and any of them may be
//! received at any time, or never. A server that forgets its vote when it restarts breaks the protocol, and the checker finds
//! how.
//!
//! `cargo run --release --example raft_election`

use lariat::{Checker, Encode, Model, Outcome};
use std::collections::BTreeSet;

/// An election among this many servers, in so many terms.
#[derive(Clone, Copy)]
struct Election {
    servers: usize,
    terms: u8,
    /// Whether a vote survives a restart, as it must.
    votes_are_durable: bool,
}

#[derive(Clone, Debug, Encode)]
struct State {
    servers: Vec<Server>,
    messages: BTreeSet<Message>,
    /// For each term that has any, the servers that were elected in it.
    elected: BTreeSet<(u8, usize)>,
    restarts: u8,
}

#[derive(Clone, Debug, Encode)]
struct Server {
    role: Role,
    term: u8,
    voted_for: Option<usize>,
    votes: BTreeSet<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode)]
enum Role {
    Follower,
    Candidate,
    Leader,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode)]
enum Message {
    RequestVote {
        term: u8,
        candidate: usize,
    },
    Vote {
        term: u8,
        candidate: usize,
        voter: usize,
    },
}

#[derive(Clone, Copy, Debug)]
enum Action {
    TimeOut(usize),
    Receive(usize, Message),
    Restart(usize),
}

impl Model for Election {
    type State = State;
    type Action = Action;

    fn init(&self) -> Vec<State> {
        let server = Server {
            role: Role::Follower,
            term: 0,
            voted_for: None,
            votes: BTreeSet::new(),
        };
        vec![State {
            servers: vec![server; self.servers],
            messages: BTreeSet::new(),
            elected: BTreeSet::new(),
            restarts: 0,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for server in 0..self.servers {
            actions.extend([Action::TimeOut(server), Action::Restart(server)]);
            let received = state.messages.iter();
            actions.extend(received.map(|message| Action::Receive(server, *message)));
        }
    }

    fn next(&self, state: &State, action: &Action) -> Option<State> {
        let mut next = state.clone();
        match *action {
            Action::TimeOut(server) => self.time_out(&mut next, server)?,
            Action::Receive(server, message) => self.receive(&mut next, server, message)?,
            Action::Restart(server) => self.restart(&mut next, server)?,
        }
        Some(next)
    }
}

impl Election {
    /// A server that hears nothing becomes a candidate in a new term.
    fn time_out(&self, state: &mut State, number: usize) -> Option<()> {
        let server = &mut state.servers[number];
        if server.role == Role::Leader || server.term == self.terms {
            return None;
        }
        server.role = Role::Candidate;
        server.term += 1;
        server.voted_for = Some(number);
        server.votes = BTreeSet::from([number]);
        state.messages.insert(Message::RequestVote {
            term: server.term,
            candidate: number,
        });
        Some(())
    }

    fn receive(&self, state: &mut State, number: usize, message: Message) -> Option<()> {
        let server = &mut state.servers[number];
        match message {
            Message::RequestVote { term, candidate } => {
                if candidate == number || term < server.term {
                    return None;
                }
                if term > server.term {
                    server.role = Role::Follower;
                    server.term = term;
                    server.voted_for = None;
                    server.votes.clear();
                }
                if server.voted_for.is_some() {
                    return None;
                }
                server.voted_for = Some(candidate);
                state.messages.insert(Message::Vote {
                    term,
                    candidate,
                    voter: number,
                });
            }
            Message::Vote {
                term,
                candidate,
                voter,
            } => {
                let is_meant = candidate == number && term == server.term;
                if !is_meant || server.role != Role::Candidate || !server.votes.insert(voter) {
                    return None;
                }
                if server.votes.len() > self.servers / 2 {
                    server.role = Role::Leader;
                    state.elected.insert((term, number));
                }
            }
        }
        Some(())
    }

    /// A server restarts, once in all.
    fn restart(&self, state: &mut State, number: usize) -> Option<()> {
        if state.restarts > 0 {
            return None;
        }
        state.restarts += 1;
        let server = &mut state.servers[number];
        server.role = Role::Follower;
        server.votes.clear();
        if !self.votes_are_durable {
            server.voted_for = None;
        }
        Some(())
    }
}

/// Checks the election.
fn check(model: Election) -> Result<Outcome<Election>, lariat::Error> {
    Checker::new(model)
        .always("one leader in a term", |_, state| {
            let mut terms = state.elected.iter().map(|(term, _)| term);
            terms.clone().count() == terms.by_ref().collect::<BTreeSet<_>>().len()
        })
        .reachable("a leader", |_, state| !state.elected.is_empty())
        .reachable("leaders in two terms", |_, state| {
            state.elected.iter().any(|(term, _)| *term == 2)
                && state.elected.iter().any(|(term, _)| *term == 1)
        })
        .run()
}

fn main() -> Result<(), lariat::Error> {
    let mut model = Election {
        servers: 3,
        terms: 2,
        votes_are_durable: true,
    };
    println!("votes survive a restart\n{}", check(model)?);
    model.votes_are_durable = false;
    println!("votes are forgotten\n{}", check(model)?);
    Ok(())
}

#[test]
fn votes_must_survive_a_restart() {
    let model = |votes_are_durable| Election {
        servers: 3,
        terms: 2,
        votes_are_durable,
    };
    check(model(true)).unwrap().assert_holds();
    let path = check(model(false))
        .unwrap()
        .assert_violated("one leader in a term");
    assert!(
        path.actions
            .iter()
            .any(|action| matches!(action, Action::Restart(_)))
    );
}
