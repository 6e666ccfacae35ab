//! Single-decree Paxos behind a register: the value that was chosen is what is read.

use crate::register::{self, Id, Message, Request, Value};
use lariat::Encode;
use std::collections::{BTreeMap, BTreeSet};

type Ballot = (u8, Id);
/// The request, the client, and the value.
type Proposal = (Request, Id, Value);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Encode)]
pub enum Internal {
    Prepare(Ballot),
    Prepared(Ballot, Option<(Ballot, Proposal)>),
    Accept(Ballot, Proposal),
    Accepted(Ballot),
    Decided(Ballot, Proposal),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct Server {
    ballot: Ballot,
    proposal: Option<Proposal>,
    prepares: BTreeMap<Id, Option<(Ballot, Proposal)>>,
    accepts: BTreeSet<Id>,
    accepted: Option<(Ballot, Proposal)>,
    is_decided: bool,
}

type Out = Vec<(Id, Message<Internal>)>;

fn broadcast(me: Id, servers: u8, message: Internal, out: &mut Out) {
    for other in (0..servers).filter(|&other| other != me) {
        out.push((other, Message::Internal(message.clone())));
    }
}

impl register::Server for Server {
    type Message = Internal;

    fn new(_: Id) -> Self {
        Server {
            ballot: (0, 0),
            proposal: None,
            prepares: BTreeMap::new(),
            accepts: BTreeSet::new(),
            accepted: None,
            is_decided: false,
        }
    }

    fn receive(
        &self,
        me: Id,
        servers: u8,
        from: Id,
        message: &Message<Internal>,
        out: &mut Out,
    ) -> Option<Self> {
        let majority = usize::from(servers) / 2 + 1;
        if self.is_decided {
            if let (Message::Get(request), Some((_, (_, _, value)))) = (message, self.accepted) {
                out.push((from, Message::GetOk(*request, value)));
            }
            return None;
        }
        let mut next = self.clone();
        match message {
            Message::Put(request, value) if self.proposal.is_none() => {
                next.proposal = Some((*request, from, *value));
                next.ballot = (self.ballot.0 + 1, me);
                next.prepares = BTreeMap::from([(me, self.accepted)]);
                next.accepts.clear();
                broadcast(me, servers, Internal::Prepare(next.ballot), out);
            }
            Message::Internal(internal) => match internal {
                Internal::Prepare(ballot) if self.ballot < *ballot => {
                    next.ballot = *ballot;
                    let answer = Internal::Prepared(*ballot, self.accepted);
                    out.push((from, Message::Internal(answer)));
                }
                Internal::Prepared(ballot, accepted) if *ballot == self.ballot => {
                    next.prepares.insert(from, *accepted);
                    if next.prepares.len() == majority {
                        let latest = next.prepares.values().max().copied().flatten();
                        let proposal = latest.map(|(_, proposal)| proposal).or(self.proposal)?;
                        next.proposal = Some(proposal);
                        next.accepted = Some((*ballot, proposal));
                        next.accepts.insert(me);
                        broadcast(me, servers, Internal::Accept(*ballot, proposal), out);
                    }
                }
                Internal::Accept(ballot, proposal) if self.ballot <= *ballot => {
                    next.ballot = *ballot;
                    next.accepted = Some((*ballot, *proposal));
                    out.push((from, Message::Internal(Internal::Accepted(*ballot))));
                }
                Internal::Accepted(ballot) if *ballot == self.ballot => {
                    next.accepts.insert(from);
                    if next.accepts.len() == majority {
                        next.is_decided = true;
                        let proposal = self.proposal?;
                        broadcast(me, servers, Internal::Decided(*ballot, proposal), out);
                        out.push((proposal.1, Message::PutOk(proposal.0)));
                    }
                }
                Internal::Decided(ballot, proposal) => {
                    next.ballot = *ballot;
                    next.accepted = Some((*ballot, *proposal));
                    next.is_decided = true;
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(next)
    }
}
