//! What each transition reads and writes.
//!
//! Partial order reduction, the analysis of dead variables and incremental hashing all ask the same
//! question: what can this step look at, and what can it change? An [`AccessTable`] answers it for
//! every transition of a model, once and for all states, in terms of [`Resource`]s. It errs on one
//! side only: a resource that is missing is certainly not touched, one that is there may be.
//!
//! Three decisions make the answer useful rather than merely safe:
//!
//! - A process has its own variables and location, and others can get at them only by remote
//!   reference. *Own* and *remote* access to a variable are therefore two resources, so that two
//!   processes of one type are not taken to disturb each other.
//! - A channel has two ends, as if it were two counters, of messages sent and of messages received.
//!   A plain send moves one, a plain receive the other; a step that asks for the length, sends in order
//!   or receives out of order looks at both. So a send and a receive that are both possible commute
//!   (G. J. Holzmann, D. Peled, *An improvement in formal verification*, FORTE 1994).
//! - What decides whether a transition *can be taken* is kept apart from what a step that can be taken
//!   *depends on*. The guard of a plain send reads the other end too, because that is where room
//!   comes from; but no process at the other end can take the room away again.

mod aliases;
mod set;

use crate::expr::{Expr, Owner, Place};
use crate::interpret::Step;
use crate::model::{
    Action, Direction, Effect, LocationId, Model, Pattern, Piece, ProcessId, ProcessType,
    Transition,
};
use crate::state::State;
use aliases::{Aliases, frame_of};
pub use set::Set;

/// Something that steps can have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// A global variable. The number of the process that moved last, the location of the monitor
    /// and hidden variables are among them.
    Global(usize),
    /// One end of a channel.
    Channel(Channel, End),
    /// Which processes and channels exist, and in what order they were created.
    Table,
    /// Where the process itself stands.
    Location(ProcessId),
    /// A variable of the process itself. Its priority is one of them.
    Local(ProcessId, usize),
    /// Where some process of that type stands.
    RemoteLocation(ProcessId),
    /// A variable of some process of that type.
    Remote(ProcessId, usize),
}

/// A channel, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// The channel with this number. It is there from the beginning and never ends.
    Fixed(usize),
    /// One of those that are created later.
    Dynamic,
}

/// An end of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Where messages go in.
    Send,
    /// Where they come out.
    Receive,
}

/// What a transition touches, as sets of resource numbers.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Whether the transition can be taken is decided by these. A rendezvous counts for both of
    /// its halves: it can be taken if the other half can.
    pub guard_reads: Set,
    /// Once it can be taken, these decide what it does, and whether it stays possible. Where the
    /// guard reads more than this, no step of another process that does not write one of `reads` can
    /// make it false.
    pub reads: Set,
    /// These may be changed.
    pub writes: Set,
}

impl Access {
    fn union(&mut self, other: &Access) {
        self.guard_reads.union(&other.guard_reads);
        self.reads.union(&other.reads);
        self.writes.union(&other.writes);
    }
}

/// A step as seen by the table: which transition of which type, not of which process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The type of the process that moves, and its transition.
    pub own: (ProcessId, u32),
    /// Those of the receiver of a rendezvous.
    pub partner: Option<(ProcessId, u32)>,
}

impl Move {
    /// The move that a step makes in `state`.
    pub fn of(state: &State, step: Step) -> Self {
        let typed = |(pid, index): (u32, u32)| (state.process_type(pid as usize), index);
        Move {
            own: typed((step.pid, step.transition)),
            partner: step.partner.map(typed),
        }
    }
}

/// What every transition of a model touches.
#[derive(Debug)]
pub struct AccessTable {
    numbering: Numbering,
    /// By process type and transition.
    accesses: Vec<Vec<Access>>,
    /// The hidden variables.
    hidden: Set,
}

impl AccessTable {
    /// Finds out what the transitions of `model` touch.
    pub fn new(model: &Model) -> Self {
        let aliases = Aliases::new(model);
        let numbering = Numbering::new(model, aliases.classes());
        let hidden = model
            .hidden
            .iter()
            .map(|&v| numbering.number(Resource::Global(v)))
            .collect();
        let accesses = Builder::new(model, &aliases, &numbering).build();
        AccessTable {
            numbering,
            accesses,
            hidden,
        }
    }

    /// How many resources there are. They are numbered from zero.
    pub fn resources(&self) -> usize {
        self.numbering.total
    }

    /// The number of a resource.
    pub fn number(&self, resource: Resource) -> usize {
        self.numbering.number(resource)
    }

    /// The resource with a number.
    pub fn resource(&self, number: usize) -> Resource {
        self.numbering.resource(number)
    }

    /// What the channel with this number is called here.
    pub fn channel(&self, number: usize) -> Channel {
        self.numbering.channel(number)
    }

    /// What a transition touches. If it is one half of a rendezvous, what the other half does is
    /// not part of it; see [`AccessTable::of_move`].
    pub fn of_transition(&self, process: ProcessId, transition: u32) -> &Access {
        &self.accesses[process][transition as usize]
    }

    /// What a step touches: a transition, or the two of a rendezvous.
    pub fn of_move(&self, step: Move) -> Access {
        let mut access = self.of_transition(step.own.0, step.own.1).clone();
        if let Some((process, transition)) = step.partner {
            access.union(self.of_transition(process, transition));
        }
        access
    }

    /// Whether two steps *of different processes* certainly do not get in each other's way: in each
    /// state in which both are possible, each is still possible after the other, and both orders
    /// lead to the same state. Neither does one see a fault that it would not see alone.
    ///
    /// This is about single steps. A process that keeps control after its step
    /// ([`Transition::atomic`]) lets no other process move, which is for the caller to consider: an atomic
    /// sequence is independent of a step if all its steps are. Hidden variables have their initial
    /// values whenever the processes may take turns, so they make nothing dependent.
    pub fn independent(&self, a: Move, b: Move) -> bool {
        let (a, b) = (self.of_move(a), self.of_move(b));
        !self.disturbs(&a.writes, &b.reads)
            && !self.disturbs(&a.writes, &b.writes)
            && !self.disturbs(&b.writes, &a.reads)
    }

    /// Whether something that one process writes is touched by another.
    fn disturbs(&self, writes: &Set, touched: &Set) -> bool {
        let mut writes = writes.clone();
        self.hidden.iter().for_each(|h| writes.remove(h));
        let (public_writes, public) = (
            self.numbering.public(&writes),
            self.numbering.public(touched),
        );
        self.numbering.outside(&writes).meets(&public)
            || public_writes.meets(&self.numbering.outside(touched))
    }
}

/// The numbers of the resources: globals, ends of channels, the table, and then for each process
/// type what it owns and the same seen from outside.
#[derive(Debug)]
struct Numbering {
    globals: usize,
    classes: usize,
    /// For each process type, its first number and how many it owns.
    processes: Vec<(usize, usize)>,
    total: usize,
}

impl Numbering {
    fn new(model: &Model, classes: usize) -> Self {
        let globals = model.globals.variables.len();
        let mut total = globals + 2 * classes + 1;
        let processes = model
            .processes
            .iter()
            .map(|process| {
                let (first, owned) = (total, 1 + process.frame.variables.len());
                total += 2 * owned;
                (first, owned)
            })
            .collect();
        Numbering {
            globals,
            classes,
            processes,
            total,
        }
    }

    fn number(&self, resource: Resource) -> usize {
        match resource {
            Resource::Global(variable) => variable,
            Resource::Channel(Channel::Fixed(number), end) => self.end(number, end),
            Resource::Channel(Channel::Dynamic, end) => self.end(self.classes - 1, end),
            Resource::Table => self.globals + 2 * self.classes,
            Resource::Location(process) => self.processes[process].0,
            Resource::Local(process, variable) => self.processes[process].0 + 1 + variable,
            Resource::RemoteLocation(process) => {
                let (first, owned) = self.processes[process];
                first + owned
            }
            Resource::Remote(process, variable) => {
                let (first, owned) = self.processes[process];
                first + owned + 1 + variable
            }
        }
    }

    fn end(&self, class: usize, end: End) -> usize {
        self.globals + 2 * class + usize::from(end == End::Receive)
    }

    fn channel(&self, class: usize) -> Channel {
        if class < self.classes - 1 {
            Channel::Fixed(class)
        } else {
            Channel::Dynamic
        }
    }

    fn resource(&self, number: usize) -> Resource {
        let Some(process) = self
            .processes
            .partition_point(|&(first, _)| first <= number)
            .checked_sub(1)
        else {
            return match number.checked_sub(self.globals) {
                None => Resource::Global(number),
                Some(end) if end == 2 * self.classes => Resource::Table,
                Some(end) => {
                    let side = if end % 2 == 0 {
                        End::Send
                    } else {
                        End::Receive
                    };
                    Resource::Channel(self.channel(end / 2), side)
                }
            };
        };
        let (first, owned) = self.processes[process];
        match number - first {
            0 => Resource::Location(process),
            n if n < owned => Resource::Local(process, n - 1),
            n if n == owned => Resource::RemoteLocation(process),
            n => Resource::Remote(process, n - owned - 1),
        }
    }

    /// How many numbers to go on from an own variable to the same one seen from outside.
    fn distance(&self, number: usize) -> Option<usize> {
        let process = self
            .processes
            .partition_point(|&(first, _)| first <= number)
            .checked_sub(1)?;
        let (first, owned) = self.processes[process];
        (number < first + owned).then_some(owned)
    }

    /// What a process touches, as another process sees it.
    fn outside(&self, set: &Set) -> Set {
        let seen = |n| n + self.distance(n).unwrap_or(0);
        set.iter().map(seen).collect()
    }

    /// What a process touches, without what it owns.
    fn public(&self, set: &Set) -> Set {
        set.iter().filter(|&n| self.distance(n).is_none()).collect()
    }
}

/// Finds the accesses. A draft is what an action does by itself; the transitions beside it, the
/// clauses of its process and the partners that it may have are added afterwards.
struct Builder<'a> {
    model: &'a Model,
    aliases: &'a Aliases<'a>,
    numbering: &'a Numbering,
    drafts: Vec<Vec<Access>>,
    /// What the `provided` clause of each process type reads.
    provided: Vec<Set>,
    senders: Vec<Party>,
    receivers: Vec<Party>,
}

/// The part of a process type in rendezvous.
struct Party {
    /// The channels.
    classes: Set,
    /// What decides whether it takes part, as others see it.
    guards: Set,
}

impl<'a> Builder<'a> {
    fn new(model: &'a Model, aliases: &'a Aliases<'a>, numbering: &'a Numbering) -> Self {
        Builder {
            model,
            aliases,
            numbering,
            drafts: Vec::new(),
            provided: Vec::new(),
            senders: Vec::new(),
            receivers: Vec::new(),
        }
    }

    fn build(mut self) -> Vec<Vec<Access>> {
        let model = self.model;
        for (own, process) in processes_of(model) {
            let mut provided = Set::default();
            if let Some(e) = &process.provided {
                self.reads(Some(own), e, &mut provided);
            }
            self.provided.push(provided);
            let drafts = process.transitions.iter().map(|t| self.draft(own, t));
            self.drafts.push(drafts.collect());
        }
        for (own, process) in processes_of(model) {
            for (index, transition) in process.transitions.iter().enumerate() {
                if let Action::Indivisible { entry } = transition.action {
                    let region = self.region(own, process, entry);
                    self.drafts[own][index].union(&region);
                }
            }
        }
        self.senders = self.parties(Direction::Send);
        self.receivers = self.parties(Direction::Receive);
        processes_of(model)
            .map(|(own, process)| self.finish(own, process))
            .collect()
    }

    fn number(&self, resource: Resource) -> usize {
        self.numbering.number(resource)
    }

    fn everything(&self) -> Set {
        Set::below(self.numbering.total)
    }

    // What actions do by themselves.

    fn draft(&self, own: ProcessId, transition: &Transition) -> Access {
        let mut access = Access::default();
        let location = self.number(Resource::Location(own));
        access.guard_reads.insert(location);
        access.reads.insert(location);
        access.writes.insert(location);
        match &transition.action {
            Action::Guarded { .. } => {}
            Action::Send {
                channel,
                values,
                sorted,
                lossy,
                ..
            } => {
                self.reads(Some(own), channel, &mut access.guard_reads);
                // A partner looks at the values before it accepts them.
                for value in values {
                    self.reads(Some(own), value, &mut access.guard_reads);
                }
                let classes = self.guard_channel(own, channel, &mut access);
                let both = *sorted || *lossy;
                let ends = if both {
                    &[End::Send, End::Receive][..]
                } else {
                    &[End::Send]
                };
                self.ends(&classes, ends, &mut access.reads);
                let ends = if *sorted { ends } else { &[End::Send] };
                self.ends(&classes, ends, &mut access.writes);
                self.watch(Direction::Send, &classes, &mut access);
            }
            Action::Receive {
                channel,
                pattern,
                anywhere,
                peek,
                ..
            } => {
                self.reads(Some(own), channel, &mut access.guard_reads);
                for field in pattern {
                    if let Pattern::Equal(e) = field {
                        self.reads(Some(own), e, &mut access.guard_reads);
                    }
                }
                let classes = self.guard_channel(own, channel, &mut access);
                let ends = if *anywhere {
                    &[End::Send, End::Receive][..]
                } else {
                    &[End::Receive]
                };
                self.ends(&classes, ends, &mut access.reads);
                if !*peek {
                    self.ends(&classes, ends, &mut access.writes);
                    self.watch(Direction::Receive, &classes, &mut access);
                }
                for field in pattern {
                    if let Pattern::Store(place) = field {
                        self.store(Some(own), place, &mut access);
                    }
                }
            }
            Action::Else | Action::Indivisible { .. } => {}
            Action::Terminate => {
                let table = self.number(Resource::Table);
                access.guard_reads.insert(table);
                access.reads.insert(table);
                self.change_table(&mut access);
            }
        }
        if let Some(condition) = transition.action.condition() {
            self.reads(Some(own), condition, &mut access.guard_reads);
            self.reads(Some(own), condition, &mut access.reads);
        }
        for effect in transition.action.effects() {
            self.effect(Some(own), effect, &mut access);
        }
        if let Some(last) = &self.model.last {
            self.store(None, last, &mut access);
        }
        // A process that loses control forgets what is hidden; a process may also lose it by ending.
        let may_end = matches!(
            transition.action,
            Action::Terminate | Action::Indivisible { .. }
        );
        if !transition.atomic || may_end {
            for &variable in &self.model.hidden {
                access
                    .writes
                    .insert(self.number(Resource::Global(variable)));
            }
        }
        access
    }

    /// Completes the guard of a send or receive, whose expressions are read already: both ends
    /// decide whether it is enabled. Returns what the channel can be.
    fn guard_channel(&self, own: ProcessId, channel: &Expr, access: &mut Access) -> Set {
        access.reads.union(&access.guard_reads);
        let classes = self.aliases.channels(Some(own), channel);
        let both = [End::Send, End::Receive];
        self.ends(&classes, &both, &mut access.guard_reads);
        classes
    }

    fn effect(&self, own: Option<ProcessId>, effect: &Effect, access: &mut Access) {
        match effect {
            Effect::Assign(place, value) => {
                self.reads(own, value, &mut access.reads);
                self.store(own, place, access);
            }
            Effect::CreateChannel(place, _) => {
                self.change_table(access);
                self.store(own, place, access);
            }
            Effect::Spawn {
                when,
                process,
                arguments,
                ..
            } => {
                for e in when.iter().chain(arguments) {
                    self.reads(own, e, &mut access.reads);
                }
                self.spawn(*process, access);
            }
            Effect::SetPriority { pid, priority } => {
                self.reads(own, pid, &mut access.reads);
                self.reads(own, priority, &mut access.reads);
                self.priorities(own, pid, &mut access.writes);
                access.reads.insert(self.number(Resource::Table));
            }
            Effect::Assert(e) => self.reads(own, e, &mut access.reads),
            Effect::Print(pieces) => {
                for piece in pieces {
                    if let Piece::Value(e, _) = piece {
                        self.reads(own, e, &mut access.reads);
                    }
                }
            }
        }
    }

    /// A new process gets its variables from outside.
    fn spawn(&self, process: ProcessId, access: &mut Access) {
        let ty = &self.model.processes[process];
        let mut inside = Access::default();
        let table = self.number(Resource::Table);
        inside.reads.insert(table);
        inside.writes.insert(table);
        for place in ty.parameters.iter().chain(&ty.priority) {
            self.store(Some(process), place, &mut inside);
        }
        for effect in &ty.init {
            // One that creates another of its kind has no end; let it be the last.
            match effect {
                Effect::Spawn { .. } => {
                    inside.reads = self.everything();
                    inside.writes = self.everything();
                }
                _ => self.effect(Some(process), effect, &mut inside),
            }
        }
        access.reads.union(&self.numbering.outside(&inside.reads));
        access.writes.union(&self.numbering.outside(&inside.writes));
    }

    /// Channels begin or end. The blocks of a state are a stack, so their order is changed as well.
    fn change_table(&self, access: &mut Access) {
        let table = self.number(Resource::Table);
        access.reads.insert(table);
        access.writes.insert(table);
        for end in [End::Send, End::Receive] {
            access
                .writes
                .insert(self.number(Resource::Channel(Channel::Dynamic, end)));
        }
    }

    fn store(&self, own: Option<ProcessId>, place: &Place, access: &mut Access) {
        place.walk(&mut |e| self.node(own, e, &mut access.reads));
        self.variable(own, place, &mut access.reads, &mut access.writes);
    }

    /// Adds a variable to `found`, and what is needed to find it to `reads`.
    fn variable(&self, own: Option<ProcessId>, place: &Place, reads: &mut Set, found: &mut Set) {
        match (&place.owner, frame_of(place, own)) {
            (Owner::Global, _) => found.insert(self.number(Resource::Global(place.variable))),
            (Owner::Local, Some(process)) => {
                found.insert(self.number(Resource::Local(process, place.variable)));
            }
            (Owner::Remote { .. }, Some(process)) => {
                reads.insert(self.number(Resource::Table));
                found.insert(self.number(Resource::Remote(process, place.variable)));
            }
            (_, None) => {}
        }
    }

    /// Adds what the value of an expression depends on.
    fn reads(&self, own: Option<ProcessId>, e: &Expr, out: &mut Set) {
        e.walk(&mut |e| self.node(own, e, out));
    }

    /// Adds what one node of an expression depends on, without its operands.
    fn node(&self, own: Option<ProcessId>, e: &Expr, out: &mut Set) {
        match e {
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(_) | Expr::Pid => {}
            Expr::Load(place) => {
                let mut found = Set::default();
                self.variable(own, place, out, &mut found);
                out.union(&found);
            }
            Expr::Channel(_, channel) | Expr::Poll { channel, .. } => {
                let classes = self.aliases.channels(own, channel);
                self.ends(&classes, &[End::Send, End::Receive], out);
            }
            Expr::ProcessCount => out.insert(self.number(Resource::Table)),
            // They ask for the guards of all processes, and those may ask for anything.
            Expr::Timeout | Expr::Enabled(_) => {
                out.union(&self.everything());
            }
            Expr::NonProgress => self.locations(out),
            Expr::LocationNumber(pid) => match (&**pid, own) {
                (Expr::Pid, Some(own)) => out.insert(self.number(Resource::Location(own))),
                _ => self.locations(out),
            },
            Expr::Priority(pid) => {
                out.insert(self.number(Resource::Table));
                self.priorities(own, pid, out);
            }
            Expr::At { process, .. } => {
                out.insert(self.number(Resource::Table));
                out.insert(self.number(Resource::RemoteLocation(*process)));
            }
        }
    }

    fn locations(&self, out: &mut Set) {
        out.insert(self.number(Resource::Table));
        for process in 0..self.model.processes.len() {
            out.insert(self.number(Resource::RemoteLocation(process)));
        }
    }

    /// The variable with the priority of the process `pid`.
    fn priorities(&self, own: Option<ProcessId>, pid: &Expr, out: &mut Set) {
        for (process, ty) in processes_of(self.model) {
            let Some(place) = &ty.priority else { continue };
            match (pid, own) {
                (Expr::Pid, Some(own)) if own == process => {
                    out.insert(self.number(Resource::Local(process, place.variable)));
                }
                (Expr::Pid, Some(_)) => {}
                _ => out.insert(self.number(Resource::Remote(process, place.variable))),
            }
        }
    }

    /// Ends of channels. A channel that never has a message in it has none, and a dynamic one
    /// must in any case be there.
    fn ends(&self, classes: &Set, ends: &[End], out: &mut Set) {
        for class in classes.iter().filter(|&c| !self.aliases.is_unbuffered(c)) {
            for &end in ends {
                out.insert(self.numbering.end(class, end));
            }
        }
    }

    /// What the monitor does when it sees a message in one of the channels.
    fn watch(&self, direction: Direction, classes: &Set, access: &mut Access) {
        let Some(monitor) = &self.model.monitor else {
            return;
        };
        let load = |place: &Place, access: &mut Access| {
            place.walk(&mut |e| self.node(None, e, &mut access.reads));
            let mut found = Set::default();
            self.variable(None, place, &mut access.reads, &mut found);
            access.reads.union(&found);
        };
        let mut watched = false;
        for (_, place) in monitor.watched.iter().filter(|(d, _)| *d == direction) {
            load(place, access);
            let held = self.aliases.channels(None, &Expr::Load(place.clone()));
            watched |= held.meets(classes);
        }
        if !watched {
            return;
        }
        load(&monitor.place, access);
        self.store(None, &monitor.place, access);
        for event in monitor.locations.iter().flat_map(|l| &l.events) {
            load(&event.channel, access);
            for field in &event.pattern {
                field.walk(&mut |e| self.node(None, e, &mut access.reads));
            }
        }
    }

    /// What an indivisible sequence does: all that can happen from its entry on. Whether it can
    /// be taken is decided at the entry. If there is a choice there, what decides the choice is
    /// read by the step as well; and so are all guards further on.
    fn region(&self, own: ProcessId, process: &ProcessType, entry: LocationId) -> Access {
        let doors = doors(process, entry);
        let mut access = Access::default();
        let mut seen = Set::default();
        let mut todo = vec![entry];
        let mut has_choice = doors.iter().count() > 1;
        while let Some(at) = todo.pop() {
            let location = &process.locations[at as usize];
            if !location.inside || seen.contains(at as usize) {
                continue;
            }
            seen.insert(at as usize);
            let at_door = doors.contains(at as usize);
            has_choice |= at_door && location.transitions.len() > 1;
            for &index in &location.transitions {
                let draft = &self.drafts[own][index as usize];
                let guards = if at_door {
                    &mut access.guard_reads
                } else {
                    &mut access.reads
                };
                guards.union(&draft.guard_reads);
                access.reads.union(&draft.reads);
                access.writes.union(&draft.writes);
                let transition = &process.transitions[index as usize];
                let next = match transition.action {
                    Action::Indivisible { entry } => entry,
                    _ => transition.target,
                };
                has_choice |= doors.contains(next as usize);
                todo.push(next);
            }
        }
        if has_choice {
            access.reads.union(&access.guard_reads);
        }
        access
    }

    // What is beside and around an action.

    /// Adds to the drafts of a process type what decides whether they can be taken.
    fn finish(&self, own: ProcessId, process: &ProcessType) -> Vec<Access> {
        let mut accesses = self.drafts[own].clone();
        if self.model.priorities || self.model.synchronous || self.model.has_committed() {
            // A process of a higher priority that can move stands in the way, or one that is
            // committed, or they all move together.
            for access in &mut accesses {
                access.guard_reads = self.everything();
                access.reads = self.everything();
            }
            return accesses;
        }
        for (index, access) in accesses.iter_mut().enumerate() {
            access.guard_reads.union(&self.provided[own]);
            access.reads.union(&self.provided[own]);
            access.guard_reads.union(&self.meeting(own, index));
        }
        for location in &process.locations {
            for (position, &index) in location.transitions.iter().enumerate() {
                let transition = &process.transitions[index as usize];
                for &before in &location.transitions[..position] {
                    let higher = process.transitions[before as usize].rank > transition.rank;
                    if higher || matches!(transition.action, Action::Else) {
                        // If that one becomes possible this one is no longer.
                        let mut guard = self.drafts[own][before as usize].guard_reads.clone();
                        guard.union(&self.meeting(own, before as usize));
                        let access = &mut accesses[index as usize];
                        access.guard_reads.union(&guard);
                        access.reads.union(&guard);
                    }
                }
            }
        }
        accesses
    }

    /// What decides whether a partner is there for the other half of a rendezvous.
    fn meeting(&self, own: ProcessId, index: usize) -> Set {
        let mut set = Set::default();
        for (direction, others) in [
            (Direction::Send, &self.receivers),
            (Direction::Receive, &self.senders),
        ] {
            let classes = self.rendezvous(own, index, direction);
            for other in others.iter().filter(|o| o.classes.meets(&classes)) {
                set.union(&other.guards);
            }
        }
        set
    }

    /// For each process type, how it takes part in rendezvous as a sender or as a receiver.
    fn parties(&self, direction: Direction) -> Vec<Party> {
        let parties = processes_of(self.model).map(|(own, process)| {
            let mut classes = Set::default();
            let mut guards = self.provided[own].clone();
            guards.insert(self.number(Resource::Location(own)));
            for index in 0..process.transitions.len() {
                let half = self.rendezvous(own, index, direction);
                if half.iter().next().is_some() {
                    classes.union(&half);
                    guards.union(&self.drafts[own][index].guard_reads);
                }
            }
            let mut guards = self.numbering.outside(&guards);
            guards.insert(self.number(Resource::Table));
            Party { classes, guards }
        });
        parties.collect()
    }

    /// The channels on which a transition can be one half of a rendezvous.
    fn rendezvous(&self, own: ProcessId, index: usize, direction: Direction) -> Set {
        let process = &self.model.processes[own];
        let half = |action: &Action| match (action, direction) {
            (Action::Send { channel, .. }, Direction::Send)
            | (Action::Receive { channel, .. }, Direction::Receive) => {
                self.aliases.channels(Some(own), channel)
            }
            _ => Set::default(),
        };
        let mut classes = Set::default();
        match process.transitions[index].action {
            Action::Indivisible { entry } => {
                for door in doors(process, entry).iter() {
                    for &index in &process.locations[door].transitions {
                        classes.union(&half(&process.transitions[index as usize].action));
                    }
                }
            }
            _ => classes = half(&process.transitions[index].action),
        }
        classes
            .iter()
            .filter(|&class| self.aliases.may_be_rendezvous(class))
            .collect()
    }
}

fn processes_of(model: &Model) -> impl Iterator<Item = (ProcessId, &ProcessType)> {
    model.processes.iter().enumerate()
}

/// The locations whose transitions decide whether an indivisible sequence can be taken: its entry,
/// and the entries of those that may stand there in turn.
fn doors(process: &ProcessType, entry: LocationId) -> Set {
    let mut doors = Set::default();
    let mut todo = vec![entry];
    while let Some(at) = todo.pop() {
        if doors.contains(at as usize) {
            continue;
        }
        doors.insert(at as usize);
        for &index in &process.locations[at as usize].transitions {
            if let Action::Indivisible { entry } = process.transitions[index as usize].action {
                todo.push(entry);
            }
        }
    }
    doors
}
