//! What can go wrong in a run, and how a fault travels through a search as a number.

use lariat_graph::Fault as GraphFault;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FaultKind {
    /// An invalid end state: no process can move, and not all are at a valid end.
    InvalidEndState = 0,
    /// An assertion does not hold.
    Assertion = 1,
    /// An index is outside its array.
    IndexOutOfRange = 2,
    /// A division by zero.
    DivisionByZero = 3,
    /// A channel variable that does not hold a channel is used.
    NoSuchChannel = 4,
    /// A message does not have as many fields as its channel.
    MessageShape = 5,
    /// A statement inside an indivisible sequence cannot be executed.
    BlockedInside = 6,
    /// An indivisible sequence would have to wait for a partner.
    RendezvousInside = 7,
    /// An indivisible or atomic sequence goes round for ever.
    EndlessSequence = 8,
    /// A message event that the trace assertion does not allow.
    TraceMismatch = 9,
    /// The contents of a channel without a buffer are asked for.
    PollRendezvous = 10,
    /// A priority outside 1 to 255.
    BadPriority = 11,
    /// There are too many processes or channels, or the state is too large.
    StateTooLarge = 12,
    /// A process declared as deterministic has more than one enabled transition.
    Nondeterminism = 13,
    /// The trace assertion is not at its end although the model is.
    TraceIncomplete = 14,
    /// An invariant does not hold.
    Invariant = 15,
    /// Nothing is wrong: the execution of a long step was cut short.
    Interrupted = 16,
    /// A claim came to its end; the origin is its line.
    ClaimEnd = 17,
    /// An assertion of a claim does not hold; the origin is its line.
    ClaimAssertion = 18,
    /// However the run goes on, it violates the property.
    BadPrefix = 19,
    /// An atom of the property, whose number is the origin, has no value.
    AtomUndefined = 20,
    /// A value does not fit where it is stored.
    ValueOutOfRange = 21,
    /// Two processes assign to the same variable in one step in which all move.
    WriteConflict = 22,
}

/// The bits of a code that tell the kind.
const KIND_BITS: u32 = 5;

const KINDS: [FaultKind; 23] = [
    FaultKind::InvalidEndState,
    FaultKind::Assertion,
    FaultKind::IndexOutOfRange,
    FaultKind::DivisionByZero,
    FaultKind::NoSuchChannel,
    FaultKind::MessageShape,
    FaultKind::BlockedInside,
    FaultKind::RendezvousInside,
    FaultKind::EndlessSequence,
    FaultKind::TraceMismatch,
    FaultKind::PollRendezvous,
    FaultKind::BadPriority,
    FaultKind::StateTooLarge,
    FaultKind::Nondeterminism,
    FaultKind::TraceIncomplete,
    FaultKind::Invariant,
    FaultKind::Interrupted,
    FaultKind::ClaimEnd,
    FaultKind::ClaimAssertion,
    FaultKind::BadPrefix,
    FaultKind::AtomUndefined,
    FaultKind::ValueOutOfRange,
    FaultKind::WriteConflict,
];

impl FaultKind {
    /// A few words for a summary.
    pub fn words(self) -> &'static str {
        match self {
            FaultKind::InvalidEndState => "invalid end state",
            FaultKind::Assertion => "assertion violated",
            FaultKind::IndexOutOfRange => "array index out of range",
            FaultKind::DivisionByZero => "division by zero",
            FaultKind::NoSuchChannel => "use of a channel that was not created",
            FaultKind::MessageShape => "wrong number of message fields",
            FaultKind::BlockedInside => "statement blocks inside d_step",
            FaultKind::RendezvousInside => "rendezvous send inside d_step",
            FaultKind::EndlessSequence => "atomic or d_step sequence never ends",
            FaultKind::TraceMismatch => "message event violates the trace assertion",
            FaultKind::PollRendezvous => "contents of a rendezvous channel tested",
            FaultKind::BadPriority => "priority outside 1..255",
            FaultKind::StateTooLarge => "state too large",
            FaultKind::Nondeterminism => "choice in a deterministic process",
            FaultKind::TraceIncomplete => "trace assertion not completed",
            FaultKind::Invariant => "invariant violated",
            FaultKind::Interrupted => "interrupted",
            FaultKind::ClaimEnd => "the never claim reached its end",
            FaultKind::ClaimAssertion => "assertion of the never claim violated",
            FaultKind::BadPrefix => "the property is violated, however the run goes on",
            FaultKind::AtomUndefined => "an expression of the property has no value",
            FaultKind::ValueOutOfRange => "value out of range",
            FaultKind::WriteConflict => "two processes assign to one variable in the same step",
        }
    }

    /// Whether it is the property that is at fault, not the model.
    pub fn is_of_property(self) -> bool {
        matches!(
            self,
            FaultKind::ClaimEnd
                | FaultKind::ClaimAssertion
                | FaultKind::BadPrefix
                | FaultKind::AtomUndefined
        )
    }

    /// One word for machines.
    pub fn slug(self) -> &'static str {
        match self {
            FaultKind::InvalidEndState => "invalid end state",
            FaultKind::Assertion => "assertion",
            FaultKind::TraceMismatch | FaultKind::TraceIncomplete => "trace",
            FaultKind::Invariant => "invariant",
            FaultKind::ClaimEnd | FaultKind::ClaimAssertion => "never claim",
            FaultKind::BadPrefix => "bad prefix",
            _ => "runtime error",
        }
    }
}

/// A fault with the place it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The transition at fault, as numbered by [`crate::interpret::Interpreter`], or the number of the
    /// invariant; zero for a state without successors.
    pub origin: u32,
}

impl Fault {
    /// The number by which a search knows it.
    pub fn code(self) -> u32 {
        (self.origin << KIND_BITS) | self.kind as u32
    }

    /// The fault with this number.
    pub fn from_code(code: u32) -> Self {
        let kind = (code & ((1 << KIND_BITS) - 1)) as usize;
        Fault {
            // Codes from a file may be anything.
            kind: KINDS.get(kind).copied().unwrap_or(FaultKind::Interrupted),
            origin: code >> KIND_BITS,
        }
    }

    /// The fault as a search sees it.
    pub fn on_edge(self, label: Option<u32>) -> GraphFault {
        GraphFault {
            code: self.code(),
            label,
        }
    }
}
