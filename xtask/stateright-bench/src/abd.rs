//! A replicated register with majorities, after Attiya, Bar-Noy and Dolev, "Sharing memory robustly in
//! message-passing systems", JACM 42(1), 1995.

use crate::register::{self, Id, Message, Request, Value};
use lariat::Encode;
use std::collections::{BTreeMap, BTreeSet};

/// A logical clock, with the server that set it.
type Stamp = (u8, Id);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Encode)]
pub enum Internal {
    Query(Request),
    AckQuery(Request, Stamp, Value),
    Record(Request, Stamp, Value),
    AckRecord(Request),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct Server {
    stamp: Stamp,
    value: Value,
    phase: Option<Phase>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
struct Phase {
    request: Request,
    client: Id,
    progress: Progress,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
enum Progress {
    Querying {
        write: Option<Value>,
        answers: BTreeMap<Id, (Stamp, Value)>,
    },
    Recording {
        read: Option<Value>,
        acknowledged: BTreeSet<Id>,
    },
}

type Out = Vec<(Id, Message<Internal>)>;

fn broadcast(me: Id, servers: u8, message: Internal, out: &mut Out) {
    for other in (0..servers).filter(|&other| other != me) {
        out.push((other, Message::Internal(message.clone())));
    }
}

impl Server {
    fn begin(
        &self,
        me: Id,
        servers: u8,
        client: Id,
        request: Request,
        write: Option<Value>,
        out: &mut Out,
    ) -> Option<Self> {
        if self.phase.is_some() {
            return None;
        }
        broadcast(me, servers, Internal::Query(request), out);
        let answers = BTreeMap::from([(me, (self.stamp, self.value))]);
        Some(Server {
            phase: Some(Phase {
                request,
                client,
                progress: Progress::Querying { write, answers },
            }),
            ..self.clone()
        })
    }

    fn record(&mut self, stamp: Stamp, value: Value) {
        if stamp > self.stamp {
            (self.stamp, self.value) = (stamp, value);
        }
    }

    fn answered(
        &self,
        me: Id,
        servers: u8,
        from: Id,
        expected: Request,
        answer: (Stamp, Value),
        out: &mut Out,
    ) -> Option<Self> {
        let mut next = self.clone();
        let phase = next.phase.as_mut()?;
        let Progress::Querying { write, answers } = &mut phase.progress else {
            return None;
        };
        if phase.request != expected {
            return None;
        }
        answers.insert(from, answer);
        if answers.len() == usize::from(servers) / 2 + 1 {
            let (latest, known) = *answers.values().max_by_key(|(stamp, _)| *stamp)?;
            let (stamp, value, read) = match *write {
                Some(value) => ((latest.0 + 1, me), value, None),
                None => (latest, known, Some(known)),
            };
            phase.progress = Progress::Recording {
                read,
                acknowledged: BTreeSet::from([me]),
            };
            broadcast(me, servers, Internal::Record(expected, stamp, value), out);
            next.record(stamp, value);
        }
        Some(next)
    }

    fn acknowledged(
        &self,
        servers: u8,
        from: Id,
        expected: Request,
        out: &mut Out,
    ) -> Option<Self> {
        let mut next = self.clone();
        let phase = next.phase.as_mut()?;
        let Progress::Recording { read, acknowledged } = &mut phase.progress else {
            return None;
        };
        if phase.request != expected || !acknowledged.insert(from) {
            return None;
        }
        if acknowledged.len() == usize::from(servers) / 2 + 1 {
            let answer = match *read {
                Some(value) => Message::GetOk(expected, value),
                None => Message::PutOk(expected),
            };
            out.push((phase.client, answer));
            next.phase = None;
        }
        Some(next)
    }
}

impl register::Server for Server {
    type Message = Internal;

    fn new(id: Id) -> Self {
        Server {
            stamp: (0, id),
            value: 0,
            phase: None,
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
        match *message {
            Message::Put(request, value) => {
                self.begin(me, servers, from, request, Some(value), out)
            }
            Message::Get(request) => self.begin(me, servers, from, request, None, out),
            Message::Internal(Internal::Query(request)) => {
                let answer = Internal::AckQuery(request, self.stamp, self.value);
                out.push((from, Message::Internal(answer)));
                None
            }
            Message::Internal(Internal::AckQuery(request, stamp, value)) => {
                self.answered(me, servers, from, request, (stamp, value), out)
            }
            Message::Internal(Internal::Record(request, stamp, value)) => {
                out.push((from, Message::Internal(Internal::AckRecord(request))));
                let mut next = self.clone();
                next.record(stamp, value);
                Some(next)
            }
            Message::Internal(Internal::AckRecord(request)) => {
                self.acknowledged(servers, from, request, out)
            }
            _ => None,
        }
    }
}
