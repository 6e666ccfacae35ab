//! Clients of a register, each of which writes and then reads, and a history that must be linearizable.
//!
//! The servers are the first actors. The network delivers a message once, in any order. A message without an effect
//! is not delivered.

use lariat::Encode;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

pub type Id = u8;
/// The value of a register; zero is the initial one.
pub type Value = u8;
pub type Request = u8;

/// A server of the register.
pub trait Server: Clone + Debug + Eq + Hash + Encode + Send + Sync + 'static {
    type Message: Clone + Debug + Ord + Hash + Encode + Send + Sync + 'static;

    fn new(id: Id) -> Self;

    /// The effect of a message on the server, which sends messages; `None` if the server does not change.
    fn receive(
        &self,
        me: Id,
        servers: u8,
        from: Id,
        message: &Message<Self::Message>,
        out: &mut Vec<(Id, Message<Self::Message>)>,
    ) -> Option<Self>;
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Encode)]
pub enum Message<M> {
    Internal(M),
    Put(Request, Value),
    Get(Request),
    PutOk(Request),
    GetOk(Request, Value),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Encode)]
pub struct Envelope<M> {
    pub from: Id,
    pub to: Id,
    pub message: Message<M>,
}

/// Servers with their clients.
#[derive(Clone)]
pub struct System<S> {
    servers: u8,
    clients: u8,
    server: PhantomData<fn() -> S>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct State<S: Server> {
    servers: Vec<S>,
    clients: Vec<Client>,
    network: BTreeMap<Envelope<S::Message>, u8>,
    history: Vec<History>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
struct Client {
    awaiting: Option<Request>,
    operations: u8,
}

/// The history of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Encode)]
struct History {
    completed: Vec<Operation>,
    in_flight: Option<Operation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
struct Operation {
    /// How many operations of each client were complete when this one began.
    before: Vec<u8>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
enum Kind {
    Write(Value),
    /// With the value that was read, once it is complete.
    Read(Option<Value>),
}

impl<S: Server> System<S> {
    pub fn new(servers: u8, clients: usize) -> Self {
        System {
            servers,
            clients: clients as u8,
            server: PhantomData,
        }
    }

    fn initial(&self) -> State<S> {
        let mut state = State {
            servers: (0..self.servers).map(S::new).collect(),
            clients: Vec::new(),
            network: BTreeMap::new(),
            history: vec![History::default(); usize::from(self.clients)],
        };
        for client in 0..self.clients {
            let id = self.servers + client;
            state.clients.push(Client {
                awaiting: Some(id),
                operations: 1,
            });
            self.send(
                &mut state,
                id,
                id % self.servers,
                Message::Put(id, client + 1),
            );
        }
        state
    }

    fn send(&self, state: &mut State<S>, from: Id, to: Id, message: Message<S::Message>) {
        let kind = match message {
            Message::Put(_, value) => Some(Kind::Write(value)),
            Message::Get(_) => Some(Kind::Read(None)),
            _ => None,
        };
        if let Some(kind) = kind {
            let client = usize::from(from - self.servers);
            let completed = |(other, history): (usize, &History)| match other == client {
                true => 0,
                false => history.completed.len() as u8,
            };
            let before = state.history.iter().enumerate().map(completed).collect();
            state.history[client].in_flight = Some(Operation { before, kind });
        }
        *state
            .network
            .entry(Envelope { from, to, message })
            .or_default() += 1;
    }

    fn deliver(&self, state: &State<S>, envelope: &Envelope<S::Message>) -> Option<State<S>> {
        let Envelope { from, to, message } = envelope;
        let mut out = Vec::new();
        let mut next = match to.checked_sub(self.servers) {
            None => {
                let server = &state.servers[usize::from(*to)];
                let changed = server.receive(*to, self.servers, *from, message, &mut out);
                if changed.is_none() && out.is_empty() {
                    return None;
                }
                let mut next = state.clone();
                if let Some(server) = changed {
                    next.servers[usize::from(*to)] = server;
                }
                next
            }
            Some(client) => self.answer(state, client, message, &mut out)?,
        };
        match next.network.get_mut(envelope) {
            Some(1) | None => drop(next.network.remove(envelope)),
            Some(count) => *count -= 1,
        }
        for (receiver, message) in out {
            self.send(&mut next, *to, receiver, message);
        }
        Some(next)
    }

    /// A client gets a response.
    fn answer(
        &self,
        state: &State<S>,
        number: u8,
        message: &Message<S::Message>,
        out: &mut Vec<(Id, Message<S::Message>)>,
    ) -> Option<State<S>> {
        let client = &state.clients[usize::from(number)];
        let (request, read) = match message {
            Message::PutOk(request) => (*request, None),
            Message::GetOk(request, value) => (*request, Some(*value)),
            _ => return None,
        };
        if client.awaiting != Some(request) {
            return None;
        }
        let mut next = state.clone();
        let history = &mut next.history[usize::from(number)];
        if let Some(mut operation) = history.in_flight.take() {
            if read.is_some() {
                operation.kind = Kind::Read(read);
            }
            history.completed.push(operation);
        }
        let id = self.servers + number;
        let operations = client.operations;
        let awaiting = read.is_none().then(|| (operations + 1) * id);
        if let Some(request) = awaiting {
            out.push(((id + operations) % self.servers, Message::Get(request)));
        }
        next.clients[usize::from(number)] = Client {
            awaiting,
            operations: operations + 1,
        };
        Some(next)
    }
}

impl<S: Server> State<S> {
    /// Whether the history is linearizable.
    fn is_linearizable(&self) -> bool {
        let mut position = [0u8; 8];
        self.explain(&mut position, 0, 0)
    }

    /// The same, after so many operations of each client.
    fn explain(&self, position: &mut [u8; 8], flown: u8, value: Value) -> bool {
        let is_done = |(client, history): (usize, &History)| {
            usize::from(position[client]) >= history.completed.len()
        };
        if self.history.iter().enumerate().all(is_done) {
            return true;
        }
        for (client, history) in self.history.iter().enumerate() {
            let completed = history.completed.get(usize::from(position[client]));
            let is_flying = completed.is_none();
            let is_used = flown >> client & 1 == 1;
            let in_flight = history.in_flight.as_ref().filter(|_| !is_used);
            let Some(operation) = completed.or(in_flight) else {
                continue;
            };
            let mut before = operation.before.iter().zip(position.iter());
            if before.any(|(least, now)| now < least) {
                continue;
            }
            let next_value = match operation.kind {
                Kind::Write(value) => value,
                Kind::Read(Some(read)) if read != value => continue,
                Kind::Read(_) => value,
            };
            let next_flown = flown | u8::from(is_flying) << client;
            position[client] += u8::from(!is_flying);
            let is_explained = self.explain(position, next_flown, next_value);
            position[client] -= u8::from(!is_flying);
            if is_explained {
                return true;
            }
        }
        false
    }

    fn is_value_chosen(&self) -> bool {
        let is_chosen = |e: &Envelope<S::Message>| matches!(e.message, Message::GetOk(_, 1..));
        self.network.keys().any(is_chosen)
    }
}

impl<S: Server> lariat::Model for System<S> {
    type State = State<S>;
    type Action = Envelope<S::Message>;

    fn init(&self) -> Vec<State<S>> {
        vec![self.initial()]
    }

    fn actions(&self, state: &State<S>, actions: &mut Vec<Self::Action>) {
        actions.extend(state.network.keys().cloned());
    }

    fn next(&self, state: &State<S>, action: &Self::Action) -> Option<State<S>> {
        self.deliver(state, action)
    }
}

impl<S: Server> stateright::Model for System<S> {
    type State = State<S>;
    type Action = Envelope<S::Message>;

    fn init_states(&self) -> Vec<State<S>> {
        vec![self.initial()]
    }

    fn actions(&self, state: &State<S>, actions: &mut Vec<Self::Action>) {
        actions.extend(state.network.keys().cloned());
    }

    fn next_state(&self, state: &State<S>, action: Self::Action) -> Option<State<S>> {
        self.deliver(state, &action)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        use stateright::Property;
        vec![
            Property::always("linearizable", |_, state: &State<S>| {
                state.is_linearizable()
            }),
            Property::sometimes("value chosen", |_, state: &State<S>| {
                state.is_value_chosen()
            }),
        ]
    }
}

impl<S: Server> crate::Both for System<S> {
    fn with_properties(checker: lariat::Checker<Self>) -> lariat::Checker<Self> {
        checker
            .always("linearizable", |_, state| state.is_linearizable())
            .reachable("value chosen", |_, state| state.is_value_chosen())
    }
}
