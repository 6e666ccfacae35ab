//! The syntax tree of a DVE system.
//!
//! The tree follows the text closely: names are not resolved and nothing is evaluated. Only what is
//! left out in the text is filled in, so that code that walks the tree need not know about it: a
//! transition without a source has that of the transition before it.

use lariat_ir::source::Span;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Global variables and constants, in the order of the text.
    pub variables: Vec<Variable>,
    /// Channels, in the order of the text.
    pub channels: Vec<Channel>,
    /// Processes, in the order of the text; the property process, if there is one, is among them.
    pub processes: Vec<Process>,
    /// How the processes move.
    pub mode: Mode,
    /// `property P`: the name of the property process.
    pub property: Option<Ident>,
    /// The last line, `system async;` or `system sync;`.
    pub span: Span,
}

/// How the processes of a system move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// `system async`: one process at a time, or two that meet in a channel.
    #[default]
    Async,
    /// `system sync`: all at once.
    Sync,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    /// `byte`: 0 to 255.
    Byte,
    /// `int`: -32768 to 32767.
    Int,
}

impl NumberType {
    /// The smallest and the greatest value.
    pub fn range(self) -> (i32, i32) {
        match self {
            NumberType::Byte => (0, 255),
            NumberType::Int => (-32768, 32767),
        }
    }

    /// The word in the text.
    pub fn word(self) -> &'static str {
        match self {
            NumberType::Byte => "byte",
            NumberType::Int => "int",
        }
    }
}

/// A variable or a constant. `int a, b[2];` makes two of them.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name.
    pub name: Ident,
    /// `const`
    pub constant: bool,
    /// The type of the variable, or of each element.
    pub ty: NumberType,
    /// `[n]`: the length of an array.
    pub length: Option<Expr>,
    /// The initial value; without one it is zero. A variable in it stands for its own initial value.
    pub init: Option<Initializer>,
    /// From the name to the end of the initial value.
    pub span: Span,
}

/// An initial value.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= e`
    One(Expr),
    /// `= { e, e }`: the elements of an array; those that are missing are zero, and
    /// those for which there is no element do not count.
    List(Vec<Expr>, Span),
}

/// A channel. `channel a, b;` makes two of them.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The name.
    pub name: Ident,
    /// The types of the values in a message; `None` if the channel is declared without types.
    pub fields: Option<Vec<NumberType>>,
    /// How many messages it holds; zero if sender and receiver meet.
    pub capacity: u32,
    /// The name and the capacity.
    pub span: Span,
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// The name.
    pub name: Ident,
    /// Its variables and constants.
    pub variables: Vec<Variable>,
    /// Its states.
    pub states: Vec<Ident>,
    /// The state in which it starts; `None` only after an error.
    pub init: Option<Ident>,
    /// `accept`
    pub accept: Vec<Ident>,
    /// `commit`
    pub commit: Vec<Ident>,
    /// `assert`
    pub assertions: Vec<Assertion>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// `process P`
    pub span: Span,
}

/// `q: e` after `assert`: in the state `q` the condition must hold.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The state.
    pub state: Ident,
    /// The condition.
    pub condition: Expr,
    /// The whole.
    pub span: Span,
}

/// `p -> q { guard ...; sync ...; effect ...; }`
#[derive(Clone, Debug)]
pub struct Transition {
    /// The state from which it leads, even if the text leaves it out.
    pub source: Ident,
    /// Whether the text leaves out the source.
    pub shorthand: bool,
    /// The state to which it leads.
    pub target: Ident,
    /// Conditions that must hold, all of them.
    pub guards: Vec<Expr>,
    /// What it sends or receives.
    pub sync: Option<Communication>,
    /// Assignments, in order.
    pub effects: Vec<Assignment>,
    /// The whole.
    pub span: Span,
}

/// `sync c!e` or `sync c?x`
#[derive(Clone, Debug)]
pub struct Communication {
    /// The channel.
    pub channel: Ident,
    /// What happens with it.
    pub message: Message,
    /// The whole.
    pub span: Span,
}

/// What a transition does with a channel.
#[derive(Clone, Debug)]
pub enum Message {
    /// `c!`, `c!e` or `c!{e, e}`
    Send(Vec<Expr>),
    /// `c?`, `c?x` or `c?{x, y}`
    Receive(Vec<Place>),
}

impl Message {
    /// The number of values.
    pub fn arity(&self) -> usize {
        match self {
            Message::Send(values) => values.len(),
            Message::Receive(places) => places.len(),
        }
    }
}

/// `x = e` or `x[e] = e`
#[derive(Clone, Debug)]
pub struct Assignment {
    /// What is assigned to.
    pub target: Place,
    /// The value.
    pub value: Expr,
    /// The whole.
    pub span: Span,
}

/// `x` or `x[e]`: a variable, a constant, or an element of an array.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name.
    pub name: Ident,
    /// The index.
    pub index: Option<Box<Expr>>,
    /// The whole.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Number(i32),
    /// `true` is 1, `false` is 0.
    Bool(bool),
    /// `x` or `x[e]`
    Var(Place),
    /// `P.q`: whether the process P is in its state q.
    At {
        /// The process.
        process: Ident,
        /// The state.
        state: Ident,
    },
    /// `P->x` or `P->x[e]`: a variable of the process P. Names in the index mean what they mean
    /// outside of P.
    Remote {
        /// The process.
        process: Ident,
        /// Its variable.
        var: Place,
    },
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `not e`, `!e`
    Not,
    /// `-e`
    Minus,
    /// `~e`
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Imply,
    Or,
    And,
    BitOr,
    BitAnd,
    BitXor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl BinaryOp {
    /// How strongly it binds, from 1. Operators of one level associate to the left; `&&` and `||`
    /// are on the same level, and so are `|`, `&` and `^`.
    pub fn level(self) -> u8 {
        match self {
            BinaryOp::Imply => 1,
            BinaryOp::Or | BinaryOp::And => 2,
            BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::BitXor => 3,
            BinaryOp::Equal | BinaryOp::NotEqual => 4,
            BinaryOp::Less | BinaryOp::LessEqual => 5,
            BinaryOp::Greater | BinaryOp::GreaterEqual => 5,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 6,
            BinaryOp::Add | BinaryOp::Subtract => 7,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 8,
        }
    }

    /// The operator in the text.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Imply => "imply",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
        }
    }
}
