//! The intermediate language: processes as control-flow automata over packed variables.
//!
//! A [`Model`] is what every front end produces and every executor runs. It knows nothing of any
//! source language. A process is an instance of a [`ProcessType`]: a set of locations, each with an
//! ordered list of transitions. A transition is a guarded [`Action`] that is executed in one step.
//!
//! Two orders matter in the list of a location. Transitions with the same [`Transition::rank`]
//! compete as equals; those of a higher rank (they come first) pre-empt the lower ones, which is how
//! `unless` works. And [`Action::Else`] is enabled only if nothing before it in the list is.

use std::sync::Arc;

use crate::expr::{Expr, Place};
use crate::layout::Layout;
use crate::property::{Invariant, Property};
use crate::source::{SourceMap, Span};
use crate::types::{Frame, Records, Scalar};

/// Index of a process type in [`Model::processes`].
pub type ProcessId = usize;
/// Index of a location in [`ProcessType::locations`].
pub type LocationId = u32;
/// Index of a channel type in [`Model::channels`].
pub type ChannelId = usize;

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Where it came from.
    pub sources: SourceMap,
    /// Record types.
    pub records: Records,
    /// Names of the values of each enumeration; entry `i` names the value `i + 1`.
    pub enumerations: Vec<Enumeration>,
    /// Global variables.
    pub globals: Frame,
    /// Indices of global variables that are no part of a state: they keep a value only as long as
    /// one process has control, and then go back to their initial value.
    pub hidden: Vec<usize>,
    /// The channels that every state has, before those that are created.
    pub fixed_channels: Vec<FixedChannel>,
    /// What happens before the first process starts.
    pub init: Vec<Effect>,
    /// The processes that exist in the initial state, in the order of their numbers.
    pub start: Vec<Start>,
    /// Process types.
    pub processes: Vec<ProcessType>,
    /// Channel types.
    pub channels: Vec<ChannelType>,
    /// The global variable that holds the number of the process that moved last, if the model asks.
    pub last: Option<Place>,
    /// Whether only the enabled processes of the highest priority may move.
    pub priorities: bool,
    /// An automaton that watches all messages, if there is one.
    pub monitor: Option<Monitor>,
    /// Every process moves in every step, instead of one.
    pub synchronous: bool,
    /// Conditions that must hold in every state.
    pub invariants: Vec<Invariant>,
    /// Properties that were found in the text and are not part of the model's behaviour.
    pub properties: Vec<Property>,
    /// Where things lie in a state, if that is the same in all states.
    pub layout: Option<Arc<Layout>>,
}

/// A channel that every state has.
#[derive(Clone, Debug)]
pub struct FixedChannel {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ChannelId,
}

/// A set of named values.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    /// The name of the set.
    pub name: String,
    /// The names; entry `i` names the value `i + 1`.
    pub values: Vec<String>,
}

/// A process of the initial state.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Its type.
    pub process: ProcessId,
    /// Its priority.
    pub priority: u8,
}

/// A kind of process.
#[derive(Clone, Debug)]
pub struct ProcessType {
    /// The name.
    pub name: String,
    /// Parameters first, then the other local variables.
    pub frame: Frame,
    /// The places of the parameters.
    pub parameters: Vec<Place>,
    /// What happens when an instance is created, after its parameters are set.
    pub init: Vec<Effect>,
    /// The local variable that holds the priority, if the model has priorities.
    pub priority: Option<Place>,
    /// An instance can move only while this holds.
    pub provided: Option<Expr>,
    /// Whether an instance must never have more than one enabled transition.
    pub deterministic: bool,
    /// The locations.
    pub locations: Vec<Location>,
    /// All transitions; locations refer to them.
    pub transitions: Vec<Transition>,
    /// Where an instance starts.
    pub initial: LocationId,
    /// Where it is declared.
    pub span: Span,
}

/// A point of control.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// Indices into [`ProcessType::transitions`], in order of preference.
    pub transitions: Vec<u32>,
    /// The number that the source language gives to it.
    pub number: u32,
    /// The labels of the source that stand here.
    pub labels: Vec<String>,
    /// A process may rest here for ever.
    pub end: bool,
    /// Runs that visit it infinitely often are accepted.
    pub accept: bool,
    /// Visiting it is progress.
    pub progress: bool,
    /// It lies inside an indivisible step: no state of a search rests here.
    pub inside: bool,
    /// While a process stands here, only processes at such locations may move.
    pub committed: bool,
    /// Values that are never read again once a process is here: words of its frame, and
    /// which of their bits are cleared. See [`crate::reduce`].
    pub dead: Vec<(u32, u32)>,
    /// Two of its transitions are a loop that chooses a number.
    pub select: Option<Box<Select>>,
    /// The statement that stands here, if it should be listed when it is never reached.
    pub statement: Option<Statement>,
}

/// A loop that chooses a number: it counts up until it is left, and each number on the way can be the
/// one that is chosen.
///
/// This says nothing about what is possible, only how likely it is when steps are drawn. If going round
/// and leaving were equally likely, half of all draws would choose the first number; a draw that knows of
/// the loop makes all numbers equally likely (see [`crate::space`]).
#[derive(Clone, Debug)]
pub struct Select {
    /// The transition that leaves the loop, as an index into [`ProcessType::transitions`].
    pub leave: u32,
    /// The transition that goes round, at the end of which the number is one more.
    pub round: u32,
    /// The number that leaving now would choose.
    pub value: Expr,
    /// The last number that can be chosen. Going round is possible as long as the present one is less.
    pub last: Expr,
}

/// A statement of the source, for people.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where it stands.
    pub span: Span,
    /// Its text in one line.
    pub text: String,
}

/// A step that a process can take.
#[derive(Clone, Debug)]
pub struct Transition {
    /// What it does.
    pub action: Action,
    /// Where the process is afterwards.
    pub target: LocationId,
    /// The process keeps control after this step: no other process moves before its next one, unless it
    /// is blocked there.
    pub atomic: bool,
    /// The process keeps control after this step as if it were atomic, because what it does next
    /// concerns no other process. See [`crate::reduce`].
    pub merged: bool,
    /// See the top of this file.
    pub rank: u32,
    /// The statement in the source.
    pub statement: Statement,
}

/// A guarded action.
#[derive(Clone, Debug)]
pub enum Action {
    /// Enabled if the condition holds; the effects happen in order.
    Guarded {
        /// The condition.
        condition: Expr,
        /// The effects.
        effects: Vec<Effect>,
    },
    /// Appends a message to a channel. Enabled if the condition holds and there is room or, if the
    /// channel has no buffer, if another process can take the message in the same step. Then the
    /// effects happen, those of the receiver of a message without a buffer before those of its sender.
    Send {
        /// The condition.
        condition: Expr,
        /// The channel.
        channel: Expr,
        /// The fields of the message.
        values: Vec<Expr>,
        /// Put it before the first message that is greater.
        sorted: bool,
        /// If the channel is full the message is lost instead of waiting.
        lossy: bool,
        /// What happens afterwards, in order.
        effects: Vec<Effect>,
    },
    /// Takes a message from a channel. Enabled if the condition holds and a message that matches the
    /// pattern is there. Then the effects happen.
    Receive {
        /// The condition.
        condition: Expr,
        /// The channel.
        channel: Expr,
        /// What the fields must be, and where they go.
        pattern: Vec<Pattern>,
        /// Take the first message that matches, not only the oldest.
        anywhere: bool,
        /// Leave the message in the channel.
        peek: bool,
        /// What happens afterwards, in order.
        effects: Vec<Effect>,
    },
    /// Enabled if no transition before it in its location's list is.
    Else,
    /// A deterministic program that is executed in one step: from `entry`, always the first enabled
    /// transition, until a location that is not [`Location::inside`]. Enabled if its first step is.
    Indivisible {
        /// Where it starts.
        entry: LocationId,
    },
    /// The process ends. Enabled if no younger process is left. Its channels end with it.
    Terminate,
}

/// What a field of a message must be, or where it goes.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Anything; it is thrown away.
    Any,
    /// This value.
    Equal(Expr),
    /// Anything; it is stored.
    Store(Place),
}

/// A change of the state, or something to be seen.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Stores a value, cut to the width of the place.
    Assign(Place, Expr),
    /// Creates a channel and stores its number.
    CreateChannel(Place, ChannelId),
    /// Creates a process.
    Spawn {
        /// Only if this holds.
        when: Option<Expr>,
        /// Its type.
        process: ProcessId,
        /// Its parameters.
        arguments: Vec<Expr>,
        /// Its priority.
        priority: u8,
    },
    /// Gives a process a priority; nothing happens if there is no such process.
    SetPriority {
        /// The number of the process.
        pid: Expr,
        /// From 1 to 255.
        priority: Expr,
    },
    /// Reports an error if the condition does not hold.
    Assert(Expr),
    /// Prints.
    Print(Vec<Piece>),
}

/// A piece of printed text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text as it is.
    Text(String),
    /// A value.
    Value(Expr, Style),
}

/// How a value is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `%d`
    Decimal,
    /// `%u`
    Unsigned,
    /// `%x`
    Hexadecimal,
    /// `%o`
    Octal,
    /// `%c`
    Character,
    /// The name in an enumeration.
    Name(u32),
}

/// A kind of channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// How many messages it holds; none means that sender and receiver meet.
    pub capacity: u32,
    /// The fields of a message.
    pub fields: Vec<Scalar>,
    /// Bit offset of each field in a message.
    pub offsets: Vec<u32>,
    /// Bits from one message to the next.
    pub stride: u32,
}

impl ChannelType {
    /// A channel type with its layout. A message of up to 32 bits takes a power of two, so that no
    /// field straddles a word; a longer one takes whole words.
    pub fn new(capacity: u32, fields: Vec<Scalar>) -> Self {
        let mut bits = 0u32;
        let offsets = fields
            .iter()
            .map(|field| {
                let offset = bits.next_multiple_of(field.storage_bits());
                bits = offset + field.storage_bits();
                offset
            })
            .collect();
        let stride = if bits <= 32 {
            bits.next_power_of_two()
        } else {
            bits.next_multiple_of(32)
        };
        ChannelType {
            capacity,
            fields,
            offsets,
            stride,
        }
    }

    /// The words that the messages take in a state.
    pub fn words(&self) -> usize {
        (u64::from(self.capacity) * u64::from(self.stride)).div_ceil(32) as usize
    }
}

/// An automaton that watches the messages of some channels. It runs along with the model: each
/// message event on a watched channel must be the event of a transition of its current location.
///
/// A nondeterministic automaton is determinised on the fly by the subset construction: its variable
/// holds the set of the locations that it can be in.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// The automaton's own locations.
    pub locations: Vec<MonitorLocation>,
    /// Where it starts.
    pub initial: u32,
    /// The global variable that holds its location, or the set of its locations.
    pub place: Place,
    /// Whether the variable holds a set: bit `n` stands for location `n`. There are then at most
    /// [`MAX_SET`](Monitor::MAX_SET) locations.
    pub set: bool,
    /// The global channel variables that it watches: sends and receives.
    pub watched: Vec<(Direction, Place)>,
    /// Reaching the end is the error; a message that does not fit switches the monitor off.
    pub negated: bool,
}

impl Monitor {
    /// The largest number of locations of a monitor whose variable holds a set.
    pub const MAX_SET: usize = 31;

    /// The value of the variable that stands for one location.
    pub fn value(&self, location: u32) -> i32 {
        match self.set {
            true => 1i32.wrapping_shl(location),
            false => location as i32,
        }
    }

    /// The locations that a value of the variable stands for.
    pub fn current(&self, value: i32) -> impl Iterator<Item = &MonitorLocation> {
        let set = self.set;
        let (first, count) = match usize::try_from(value) {
            Ok(at) if !set => (at, 1),
            _ => (0, self.locations.len()),
        };
        let all = self.locations.iter().enumerate().skip(first).take(count);
        all.filter(move |(n, _)| !set || value >> n & 1 == 1)
            .map(|(_, location)| location)
    }
}

/// Sending or receiving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A message goes into a channel.
    Send,
    /// A message is taken out.
    Receive,
}

/// A point of control of a monitor.
#[derive(Clone, Debug, Default)]
pub struct MonitorLocation {
    /// What may happen here.
    pub events: Vec<MonitorEvent>,
    /// The automaton may rest here when the model has come to its end.
    pub end: bool,
    /// The closing brace.
    pub last: bool,
}

/// A message event that a monitor can follow.
#[derive(Clone, Debug)]
pub struct MonitorEvent {
    /// Sending or receiving.
    pub direction: Direction,
    /// The channel variable.
    pub channel: Place,
    /// What the fields must be.
    pub pattern: Vec<Pattern>,
    /// Where the monitor goes.
    pub target: u32,
}

impl Model {
    /// The name of a value of an enumeration, or the number itself.
    pub fn value_name(&self, enumeration: u32, value: i32) -> String {
        self.enumerations
            .get(enumeration as usize)
            .and_then(|e| e.values.get(usize::try_from(value).ok()?.checked_sub(1)?))
            .cloned()
            .unwrap_or_else(|| value.to_string())
    }

    /// Whether a process has an accept label.
    pub fn has_accept_labels(&self) -> bool {
        let mut locations = self.processes.iter().flat_map(|p| &p.locations);
        locations.any(|l| l.accept)
    }

    /// Whether a process has a progress label.
    pub fn has_progress_labels(&self) -> bool {
        let mut locations = self.processes.iter().flat_map(|p| &p.locations);
        locations.any(|l| l.progress)
    }

    /// Whether a process can stand where only processes that stand likewise may move.
    pub fn has_committed(&self) -> bool {
        let mut locations = self.processes.iter().flat_map(|p| &p.locations);
        locations.any(|l| l.committed)
    }

    /// Whether a process can create another.
    pub fn creates_processes(&self) -> bool {
        let spawns = |e: &Effect| matches!(e, Effect::Spawn { .. });
        self.processes.iter().any(|p| {
            let mut actions = p.transitions.iter().map(|t| &t.action);
            p.init.iter().any(spawns) || actions.any(|a| a.effects().iter().any(spawns))
        })
    }

    /// Calls `visit` for every expression of the model.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        self.init.iter().for_each(|e| e.walk(visit));
        for process in &self.processes {
            process.init.iter().for_each(|e| e.walk(visit));
            process.provided.iter().for_each(|e| e.walk(visit));
            process
                .transitions
                .iter()
                .for_each(|t| t.action.walk(visit));
        }
    }

    /// Whether some expression asks for a timeout.
    pub fn uses_timeout(&self) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= matches!(e, Expr::Timeout));
        found
    }
}

impl Action {
    /// Calls `visit` for every expression of the action.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            Action::Send {
                channel, values, ..
            } => {
                channel.walk(visit);
                values.iter().for_each(|e| e.walk(visit));
            }
            Action::Receive {
                channel, pattern, ..
            } => {
                channel.walk(visit);
                pattern.iter().for_each(|p| p.walk(visit));
            }
            _ => {}
        }
        self.condition().iter().for_each(|e| e.walk(visit));
        self.effects().iter().for_each(|e| e.walk(visit));
    }

    /// The condition that must hold, beside what the action itself needs.
    pub fn condition(&self) -> Option<&Expr> {
        match self {
            Action::Guarded { condition, .. }
            | Action::Send { condition, .. }
            | Action::Receive { condition, .. } => Some(condition),
            Action::Else | Action::Indivisible { .. } | Action::Terminate => None,
        }
    }

    /// What happens, beside what the action itself does and after it.
    pub fn effects(&self) -> &[Effect] {
        match self {
            Action::Guarded { effects, .. }
            | Action::Send { effects, .. }
            | Action::Receive { effects, .. } => effects,
            Action::Else | Action::Indivisible { .. } | Action::Terminate => &[],
        }
    }
}

impl Effect {
    /// Calls `visit` for every expression of the effect.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            Effect::Assign(place, value) => {
                place.walk(visit);
                value.walk(visit);
            }
            Effect::CreateChannel(place, _) => place.walk(visit),
            Effect::Spawn {
                when, arguments, ..
            } => {
                when.iter().for_each(|e| e.walk(visit));
                arguments.iter().for_each(|e| e.walk(visit));
            }
            Effect::SetPriority { pid, priority } => {
                pid.walk(visit);
                priority.walk(visit);
            }
            Effect::Assert(e) => e.walk(visit),
            Effect::Print(pieces) => pieces.iter().for_each(|p| {
                if let Piece::Value(e, _) = p {
                    e.walk(visit);
                }
            }),
        }
    }
}
