//! Statements and expressions as text in one line, for trails and lists.

use std::fmt::Write;

use lariat_ir::source::SourceMap;

use crate::ast::{
    BinaryOp, ChannelTest, Expr, ExprKind, Initializer, RecvArg, StmtKind, UnaryOp, VarRef,
};
use crate::lower::Kind;

/// Prints with the help of the source: how a constant was written is found there.
#[derive(Clone, Copy)]
pub(crate) struct Pretty<'a>(pub &'a SourceMap);

impl Pretty<'_> {
    /// The text of an element of the control structure.
    pub(crate) fn element(self, kind: &Kind) -> String {
        match kind {
            Kind::Statement(kind) => self.statement(kind),
            Kind::Declare(decl, index) => {
                let var = &decl.vars[*index];
                let name = &var.name.name;
                match &var.init {
                    Some(Initializer::Expr(e)) => format!("{name} = {}", self.expression(e)),
                    Some(_) => format!("{name} = {{...}}"),
                    None => format!("{name} = 0"),
                }
            }
            Kind::Else => "else".into(),
            Kind::Goto(_) => "break".into(),
            Kind::Join => "(join)".into(),
            Kind::Exit => "break".into(),
            Kind::Choice => "selection".into(),
            Kind::Unless => "unless".into(),
            Kind::Atomic(_) => "atomic".into(),
            Kind::Block(_) => "block".into(),
            Kind::DStep(_) => "d_step".into(),
            Kind::End => "-end-".into(),
        }
    }

    /// The text of a statement.
    pub(crate) fn statement(self, kind: &StmtKind) -> String {
        match kind {
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Int(1) => "skip".into(),
                ExprKind::Binary(..) => format!("({})", self.expression(e)),
                _ => self.expression(e),
            },
            StmtKind::Assign(var, e) => match increment(var, e) {
                Some(op) => format!("{}{op}", self.reference(var)),
                None => format!("{} = {}", self.reference(var), self.expression(e)),
            },
            StmtKind::Send {
                channel,
                sorted,
                args,
            } => format!(
                "{}{}{}",
                self.reference(channel),
                if *sorted { "!!" } else { "!" },
                self.list(args)
            ),
            StmtKind::Receive {
                channel,
                random,
                peek,
                args,
            } => {
                let op = if *random { "??" } else { "?" };
                let args = self.patterns(args);
                let args = if *peek { format!("<{args}>") } else { args };
                format!("{}{op}{args}", self.reference(channel))
            }
            StmtKind::Assert(e) => format!("assert({})", self.expression(e)),
            StmtKind::Printf { format, args } if args.is_empty() => format!("printf(\"{format}\")"),
            StmtKind::Printf { format, args } => {
                format!("printf(\"{format}\",{})", self.list(args))
            }
            StmtKind::Printm(e) => format!("printm({})", self.expression(e)),
            StmtKind::SetPriority(p, k) => format!(
                "set_priority({},{})",
                self.expression(p),
                self.expression(k)
            ),
            StmtKind::If(_) => "if".into(),
            StmtKind::Do(_) => "do".into(),
            StmtKind::Else => "else".into(),
            StmtKind::Break => "break".into(),
            StmtKind::Goto(label) => format!("goto {}", label.name),
            StmtKind::Block(_) => "{...}".into(),
            StmtKind::Atomic(_) => "atomic".into(),
            StmtKind::DStep(_) => "d_step".into(),
            StmtKind::Unless(..) => "unless".into(),
            StmtKind::ForRange { .. } | StmtKind::ForIn { .. } => "for".into(),
            StmtKind::Select { .. } => "select".into(),
            StmtKind::Error => "?".into(),
        }
    }

    fn list(self, args: &[Expr]) -> String {
        let parts: Vec<String> = args.iter().map(|e| self.expression(e)).collect();
        parts.join(",")
    }

    fn patterns(self, args: &[RecvArg]) -> String {
        let parts: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                RecvArg::Var(var) => self.reference(var),
                RecvArg::Eval(e, _) => format!("eval({})", self.expression(e)),
                RecvArg::Const(e) => self.expression(e),
            })
            .collect();
        parts.join(",")
    }

    fn reference(self, var: &VarRef) -> String {
        let mut text = String::new();
        for (i, part) in var.parts.iter().enumerate() {
            if i > 0 {
                text.push('.');
            }
            text.push_str(&part.name.name);
            if let Some(index) = &part.index {
                let _ = write!(text, "[{}]", self.expression(index));
            }
        }
        text
    }

    /// The text of an expression.
    pub(crate) fn expression(self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Int(value) => match self.0.text(e.span) {
                word @ ("true" | "false") => word.into(),
                quoted if quoted.starts_with('\'') => quoted.into(),
                _ => value.to_string(),
            },
            ExprKind::Var(var) => self.reference(var),
            ExprKind::Unary(op, a) => {
                let op = match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Minus => "-",
                    UnaryOp::Complement => "~",
                    UnaryOp::Always => "[] ",
                    UnaryOp::Eventually => "<> ",
                    UnaryOp::Next => "X ",
                };
                format!("{op}{}", self.operand(a))
            }
            ExprKind::Binary(op, a, b) => {
                format!("{}{}{}", self.operand(a), operator(*op), self.operand(b))
            }
            ExprKind::Cond(c, a, b) => format!(
                "({} -> {} : {})",
                self.expression(c),
                self.expression(a),
                self.expression(b)
            ),
            ExprKind::Run { name, args, .. } => format!("run {}({})", name.name, self.list(args)),
            ExprKind::Channel(test, channel) => {
                let name = match test {
                    ChannelTest::Len => "len",
                    ChannelTest::Full => "full",
                    ChannelTest::NotFull => "nfull",
                    ChannelTest::Empty => "empty",
                    ChannelTest::NotEmpty => "nempty",
                };
                format!("{name}({})", self.reference(channel))
            }
            ExprKind::Poll {
                channel,
                random,
                args,
            } => format!(
                "{}{}[{}]",
                self.reference(channel),
                if *random { "??" } else { "?" },
                self.patterns(args)
            ),
            ExprKind::Timeout => "timeout".into(),
            ExprKind::NonProgress => "np_".into(),
            ExprKind::Enabled(p) => format!("enabled({})", self.expression(p)),
            ExprKind::PcValue(p) => format!("pc_value({})", self.expression(p)),
            ExprKind::GetPriority(p) => format!("get_priority({})", self.expression(p)),
            ExprKind::RemoteLabel {
                proctype,
                pid,
                label,
            } => match pid {
                Some(pid) => format!("{}[{}]@{}", proctype.name, self.expression(pid), label.name),
                None => format!("{}@{}", proctype.name, label.name),
            },
            ExprKind::RemoteVar { proctype, pid, var } => match pid {
                Some(pid) => format!(
                    "{}[{}]:{}",
                    proctype.name,
                    self.expression(pid),
                    self.reference(var)
                ),
                None => format!("{}:{}", proctype.name, self.reference(var)),
            },
            ExprKind::Error => "?".into(),
        }
    }

    fn operand(self, e: &Expr) -> String {
        match e.kind {
            ExprKind::Binary(..) => format!("({})", self.expression(e)),
            _ => self.expression(e),
        }
    }
}

/// `++` or `--`, if an assignment is one.
fn increment(var: &VarRef, e: &Expr) -> Option<&'static str> {
    let ExprKind::Binary(op, a, b) = &e.kind else {
        return None;
    };
    let ExprKind::Var(other) = &a.kind else {
        return None;
    };
    // Only if it was written so: then the variable stands in the text once.
    if other.span != var.span || !matches!(b.kind, ExprKind::Int(1)) {
        return None;
    }
    match op {
        BinaryOp::Add => Some("++"),
        BinaryOp::Sub => Some("--"),
        _ => None,
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => " < ",
        BinaryOp::Le => " <= ",
        BinaryOp::Gt => " > ",
        BinaryOp::Ge => " >= ",
        BinaryOp::Eq => " == ",
        BinaryOp::Ne => " != ",
        BinaryOp::And => " && ",
        BinaryOp::Or => " || ",
        BinaryOp::Until => " U ",
        BinaryOp::WeakUntil => " W ",
        BinaryOp::Release => " V ",
        BinaryOp::Implies => " -> ",
        BinaryOp::Equivalent => " <-> ",
    }
}
