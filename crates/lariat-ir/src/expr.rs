//! Expressions without side effects, and places that can be assigned to.
//!
//! All arithmetic is that of 32-bit integers that wrap around, as in C on every machine in use.

use crate::model::{LocationId, Pattern, ProcessId};
use crate::types::Scalar;

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// The value of a variable.
    Load(Place),
    /// `op e`
    Unary(Unary, Box<Expr>),
    /// `e op e`
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if a then b else c`
    Cond(Box<[Expr; 3]>),
    /// Something about a channel.
    Channel(ChannelQuery, Box<Expr>),
    /// Whether a matching message could be received.
    Poll {
        /// The channel.
        channel: Box<Expr>,
        /// What the fields must be.
        pattern: Vec<Pattern>,
        /// Any message will do, not only the oldest.
        anywhere: bool,
    },
    /// The number of the process that evaluates it.
    Pid,
    /// How many processes there are.
    ProcessCount,
    /// Whether no process could move if this were false.
    Timeout,
    /// Whether no process stands at a progress label.
    NonProgress,
    /// Whether the process with this number can move.
    Enabled(Box<Expr>),
    /// The number of the location of the process with this number.
    LocationNumber(Box<Expr>),
    /// The priority of the process with this number.
    Priority(Box<Expr>),
    /// Whether a process stands at a location.
    At {
        /// The type that it must have.
        process: ProcessId,
        /// Its number; without one, the first process of that type.
        pid: Option<Box<Expr>>,
        /// The location.
        location: LocationId,
    },
}

/// A variable, or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// Whose variable it is.
    pub owner: Owner,
    /// Its index in the owner's frame.
    pub variable: usize,
    /// Bit offset in the frame, before any index is added.
    pub offset: u32,
    /// The indices, outermost first.
    pub indices: Vec<Index>,
    /// The type of what is found there.
    pub scalar: Scalar,
}

/// Whose variable a place is.
#[derive(Clone, Debug)]
pub enum Owner {
    /// Visible to all processes.
    Global,
    /// That of the process that evaluates.
    Local,
    /// That of another process. If there is none, its variables read as zero.
    Remote {
        /// The type that it must have.
        process: ProcessId,
        /// Its number; without one, the first process of that type.
        pid: Option<Box<Expr>>,
    },
}

/// An index into an array.
#[derive(Clone, Debug)]
pub struct Index {
    /// The index, from zero.
    pub value: Expr,
    /// The length of the array.
    pub length: u32,
    /// Bits from one element to the next.
    pub stride: u32,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// One if the operand is zero, else zero.
    Not,
    /// Minus.
    Negate,
    /// All bits flipped.
    Complement,
}

/// Operators with two operands. `And` and `Or` do not look at the second if the first decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// What can be asked of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelQuery {
    /// The number of messages in it.
    Length,
    /// Whether no message fits.
    Full,
    /// Whether a message fits.
    NotFull,
    /// Whether it has no message.
    Empty,
    /// Whether it has a message.
    NotEmpty,
}

impl Expr {
    /// The constant true.
    pub const TRUE: Expr = Expr::Const(1);

    /// The value, if it is the same in every state because no variable is read.
    pub fn constant(&self) -> Option<i32> {
        match self {
            Expr::Const(value) => Some(*value),
            Expr::Unary(op, a) => Some(op.apply(a.constant()?)),
            Expr::Binary(op, a, b) => op.apply(a.constant()?, b.constant()?),
            _ => None,
        }
    }

    /// The negation.
    pub fn negate(self) -> Expr {
        Expr::Unary(Unary::Not, Box::new(self))
    }

    /// `self op other`
    pub fn binary(self, op: Binary, other: Expr) -> Expr {
        Expr::Binary(op, Box::new(self), Box::new(other))
    }

    /// Whether a timeout is asked for anywhere in it.
    pub fn asks_for_timeout(&self) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= matches!(e, Expr::Timeout));
        found
    }

    /// Calls `visit` for this expression and everything below it.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Const(_) | Expr::Pid | Expr::ProcessCount | Expr::Timeout | Expr::NonProgress => {
            }
            Expr::Load(place) => place.walk(visit),
            Expr::Unary(_, e)
            | Expr::Channel(_, e)
            | Expr::Enabled(e)
            | Expr::LocationNumber(e)
            | Expr::Priority(e) => e.walk(visit),
            Expr::Binary(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::Cond(parts) => parts.iter().for_each(|e| e.walk(visit)),
            Expr::Poll {
                channel, pattern, ..
            } => {
                channel.walk(visit);
                pattern.iter().for_each(|p| p.walk(visit));
            }
            Expr::At { pid, .. } => {
                if let Some(pid) = pid {
                    pid.walk(visit);
                }
            }
        }
    }
}

impl Place {
    /// Calls `visit` for every expression inside the place.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        if let Owner::Remote { pid: Some(pid), .. } = &self.owner {
            pid.walk(visit);
        }
        self.indices.iter().for_each(|i| i.value.walk(visit));
    }
}

impl Pattern {
    /// Calls `visit` for every expression inside the pattern.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            Pattern::Any => {}
            Pattern::Equal(e) => e.walk(visit),
            Pattern::Store(place) => place.walk(visit),
        }
    }
}

impl Unary {
    /// Applies the operator.
    pub fn apply(self, a: i32) -> i32 {
        match self {
            Unary::Not => i32::from(a == 0),
            Unary::Negate => a.wrapping_neg(),
            Unary::Complement => !a,
        }
    }
}

impl Binary {
    /// Whether its value is always zero or one.
    pub fn is_truth(self) -> bool {
        matches!(
            self,
            Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
                | Binary::Equal
                | Binary::NotEqual
                | Binary::And
                | Binary::Or
        )
    }

    /// Applies the operator; `None` for a division by zero. Shift counts are taken modulo 32.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            Binary::Add => a.wrapping_add(b),
            Binary::Subtract => a.wrapping_sub(b),
            Binary::Multiply => a.wrapping_mul(b),
            Binary::Divide if b == 0 => return None,
            Binary::Divide => a.wrapping_div(b),
            Binary::Remainder if b == 0 => return None,
            Binary::Remainder => a.wrapping_rem(b),
            Binary::BitAnd => a & b,
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            Binary::ShiftLeft => a.wrapping_shl(b as u32),
            Binary::ShiftRight => a.wrapping_shr(b as u32),
            Binary::Less => i32::from(a < b),
            Binary::LessEqual => i32::from(a <= b),
            Binary::Greater => i32::from(a > b),
            Binary::GreaterEqual => i32::from(a >= b),
            Binary::Equal => i32::from(a == b),
            Binary::NotEqual => i32::from(a != b),
            Binary::And => i32::from(a != 0 && b != 0),
            Binary::Or => i32::from(a != 0 || b != 0),
        })
    }
}
