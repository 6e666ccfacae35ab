//! The syntax tree of a Promela model, after preprocessing and after the expansion of inlines.
//!
//! The tree follows the text closely: names are not resolved, nothing is lowered. Inlines are
//! expanded by the parser, token by token as SPIN does, so a call appears here as a [`Stmt`] with
//! the braces of the inline's body.

use lariat_ir::source::Span;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its parts, in the order of the text.
    pub units: Vec<Unit>,
}

/// A part of a model.
#[derive(Clone, Debug)]
pub enum Unit {
    /// `proctype` in all its forms.
    Proctype(Proctype),
    /// `init { ... }`
    Init(Init),
    /// `never name { ... }`
    Never(Claim),
    /// `trace { ... }` or `notrace { ... }`
    Trace(Trace),
    /// `ltl name { formula }`
    Ltl(Ltl),
    /// Global variables.
    Decl(Decl),
    /// `mtype = { a, b }` or `mtype:sub = { a, b }`
    Mtype(MtypeDecl),
    /// `typedef T { ... }`
    Typedef(Typedef),
}

/// `active [N] proctype P(params) priority K provided (e) { ... }`
#[derive(Clone, Debug)]
pub struct Proctype {
    /// The name.
    pub name: Ident,
    /// From `proctype` to the end of the head.
    pub span: Span,
    /// `D_proctype`
    pub deterministic: bool,
    /// The number of instances at the start: `Some(None)` for plain `active`.
    pub active: Option<Option<Expr>>,
    /// The parameters, one declaration per type.
    pub params: Vec<Decl>,
    /// `priority K`
    pub priority: Option<Expr>,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// `init priority K { ... }`
#[derive(Clone, Debug)]
pub struct Init {
    /// The word `init`.
    pub span: Span,
    /// `priority K`
    pub priority: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// A never claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The name, if it has one.
    pub name: Option<Ident>,
    /// The word `never`.
    pub span: Span,
    /// The body.
    pub body: Block,
}

/// A trace assertion.
#[derive(Clone, Debug)]
pub struct Trace {
    /// `notrace`
    pub negated: bool,
    /// The word `trace` or `notrace`.
    pub span: Span,
    /// The body.
    pub body: Block,
}

/// An `ltl` block. The formula is an [`Expr`] in which the temporal operators may occur.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// The name, if it has one.
    pub name: Option<Ident>,
    /// The word `ltl`.
    pub span: Span,
    /// The formula.
    pub formula: Expr,
}

/// A declaration of symbolic constants.
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    /// The word `mtype`.
    pub span: Span,
    /// The set, as in `mtype:colour`.
    pub subtype: Option<Ident>,
    /// The names, in the order of the text.
    pub names: Vec<Ident>,
}

/// A record type.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// The name.
    pub name: Ident,
    /// The fields, one declaration per type.
    pub fields: Vec<Decl>,
}

/// What `hidden`, `show` and `local` say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Visibility {
    /// Nothing.
    #[default]
    Normal,
    /// `hidden`
    Hidden,
    /// `show`
    Show,
    /// `local`
    Local,
}

/// Declared variables of one type.
#[derive(Clone, Debug)]
pub struct Decl {
    /// From the first word to the last variable.
    pub span: Span,
    /// `hidden`, `show`, `local`.
    pub visibility: Visibility,
    /// The type.
    pub ty: TypeName,
    /// The variables.
    pub vars: Vec<VarDecl>,
}

/// The name of a type.
#[derive(Clone, Debug)]
pub enum TypeName {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; the width stands with each variable.
    Unsigned,
    /// `chan`
    Chan,
    /// `mtype` or `mtype:sub`
    Mtype(Option<Ident>),
    /// A `typedef`.
    User(Ident),
}

/// One declared variable.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// The name.
    pub name: Ident,
    /// `: n`, the width of an `unsigned`.
    pub width: Option<Expr>,
    /// `[n]`
    pub array: Option<Expr>,
    /// The initial value.
    pub init: Option<Initializer>,
}

/// An initial value.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= e`
    Expr(Expr),
    /// `= { e, e, ... }`
    List(Vec<Expr>, Span),
    /// `= [n] of { t, t, ... }`
    Channel {
        /// The capacity.
        capacity: Expr,
        /// The types of the message's fields.
        fields: Vec<TypeName>,
        /// The whole.
        span: Span,
    },
}

/// Statements between braces: one scope.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements and declarations, in order.
    pub steps: Vec<Step>,
    /// From brace to brace.
    pub span: Span,
}

/// What can stand between two separators.
#[derive(Clone, Debug)]
pub enum Step {
    /// A statement.
    Stmt(Stmt),
    /// Variables.
    Decl(Decl),
    /// `xr c, d` or `xs c, d`
    Exclusive {
        /// `xs`
        send: bool,
        /// The channels.
        channels: Vec<VarRef>,
        /// The whole.
        span: Span,
    },
}

/// A statement with the labels before it.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The labels, outermost first.
    pub labels: Vec<Ident>,
    /// What it does.
    pub kind: StmtKind,
    /// The statement without its labels.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A condition to wait for; also `skip` (the constant 1), `timeout`, `run P()`.
    Expr(Expr),
    /// `x = e`, `x++` and `x--` (as `x = x + 1`, `x = x - 1`).
    Assign(VarRef, Expr),
    /// `c!a,b` and `c!!a,b`; `c!m(a,b)` is the same as `c!m,a,b`.
    Send {
        /// The channel.
        channel: VarRef,
        /// `!!`
        sorted: bool,
        /// The message.
        args: Vec<Expr>,
    },
    /// `c?a,b`, `c??a,b`, `c?<a,b>`, `c??<a,b>`.
    Receive {
        /// The channel.
        channel: VarRef,
        /// `??`
        random: bool,
        /// `?<...>`: the message stays.
        peek: bool,
        /// What the message must look like and where it goes.
        args: Vec<RecvArg>,
    },
    /// `assert(e)`
    Assert(Expr),
    /// `printf("...", e, e)`
    Printf {
        /// The text between the quotes, escapes not yet replaced.
        format: String,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `printm(e)`
    Printm(Expr),
    /// `if :: ... fi`
    If(Vec<Block>),
    /// `do :: ... od`
    Do(Vec<Block>),
    /// `else`
    Else,
    /// `break`
    Break,
    /// `goto L`
    Goto(Ident),
    /// `{ ... }`, also an expanded inline.
    Block(Block),
    /// `atomic { ... }`
    Atomic(Block),
    /// `d_step { ... }`
    DStep(Block),
    /// `main unless escape`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `for (x : a .. b) { ... }`
    ForRange {
        /// The variable.
        var: VarRef,
        /// The first value.
        from: Expr,
        /// The last value.
        to: Expr,
        /// The body.
        body: Block,
    },
    /// `for (x in a) { ... }`
    ForIn {
        /// The variable.
        var: VarRef,
        /// The array or channel.
        collection: VarRef,
        /// The body.
        body: Block,
    },
    /// `select (x : a .. b)`
    Select {
        /// The variable.
        var: VarRef,
        /// The least value.
        from: Expr,
        /// The greatest value.
        to: Expr,
    },
    /// `set_priority(p, k)`
    SetPriority(Expr, Expr),
    /// Stands for what could not be parsed; an error has been reported.
    Error,
}

/// An argument of a receive or a poll.
#[derive(Clone, Debug)]
pub enum RecvArg {
    /// A variable, or `_`.
    Var(VarRef),
    /// `eval(e)`
    Eval(Expr, Span),
    /// A constant, possibly an mtype name or negative.
    Const(Expr),
}

/// `a[i].b.c[j]`
#[derive(Clone, Debug)]
pub struct VarRef {
    /// The variable, then its fields; never empty.
    pub parts: Vec<RefPart>,
    /// The whole.
    pub span: Span,
}

/// One part of a reference.
#[derive(Clone, Debug)]
pub struct RefPart {
    /// The name.
    pub name: Ident,
    /// The index.
    pub index: Option<Box<Expr>>,
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `[]`, `always`
    Always,
    /// `<>`, `eventually`
    Eventually,
    /// `X`, `next`
    Next,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    /// `U`, `until`, `stronguntil`
    Until,
    /// `W`, `weakuntil`
    WeakUntil,
    /// `V`, `release`
    Release,
    /// `->`, `implies` in a formula
    Implies,
    /// `<->`, `equivalent` in a formula
    Equivalent,
}

/// `full`, `empty` and their negations, and `len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ChannelTest {
    Len,
    Full,
    NotFull,
    Empty,
    NotEmpty,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a character, `true`, `false`, `skip`.
    Int(i64),
    /// A variable, an mtype name, or one of `_ _pid _nr_pr _last _priority`.
    Var(VarRef),
    /// `op e`
    Unary(UnaryOp, Box<Expr>),
    /// `e op e`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(args) priority K`
    Run {
        /// The proctype.
        name: Ident,
        /// The arguments.
        args: Vec<Expr>,
        /// `priority K`
        priority: Option<Box<Expr>>,
    },
    /// `len(c)`, `full(c)`, ...
    Channel(ChannelTest, VarRef),
    /// `c?[a,b]` and `c??[a,b]`
    Poll {
        /// The channel.
        channel: VarRef,
        /// `??`
        random: bool,
        /// The pattern.
        args: Vec<RecvArg>,
    },
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(e)`
    Enabled(Box<Expr>),
    /// `pc_value(e)`
    PcValue(Box<Expr>),
    /// `get_priority(e)`
    GetPriority(Box<Expr>),
    /// `P[e]@label` and `P@label`
    RemoteLabel {
        /// The proctype.
        proctype: Ident,
        /// Which instance.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `P[e]:x` and `P:x`, possibly with an index.
    RemoteVar {
        /// The proctype.
        proctype: Ident,
        /// Which instance.
        pid: Option<Box<Expr>>,
        /// The variable.
        var: VarRef,
    },
    /// Stands for what could not be parsed; an error has been reported.
    Error,
}
