//! Statements become actions.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{Binary, Expr};
use lariat_ir::model::{Action, Effect, Piece, Style};
use lariat_ir::source::Span;
use lariat_ir::types::Meaning;

use super::Lowering;
use super::expr::is_name;
use super::flow::Kind;
use crate::ast::{self, ExprKind, StmtKind, VarRef};

impl<'a> Lowering<'a> {
    /// The action of an element that is executed in one step.
    pub(super) fn action(&mut self, kind: &Kind<'a>, entry: u32, span: Span) -> Action {
        match kind {
            Kind::Statement(statement) => self.statement(statement, span),
            Kind::Declare(decl, index) => always(self.redeclare(decl, *index)),
            Kind::Else => Action::Else,
            Kind::End => Action::Terminate,
            Kind::DStep(_) => Action::Indivisible { entry },
            Kind::Goto(_)
            | Kind::Join
            | Kind::Exit
            | Kind::Choice
            | Kind::Unless
            | Kind::Atomic(_)
            | Kind::Block(_) => always(Vec::new()),
        }
    }

    fn statement(&mut self, statement: &StmtKind, span: Span) -> Action {
        match statement {
            StmtKind::Expr(e) => {
                let mut runs = Vec::new();
                let condition = self.expr_with_run(e, Expr::ProcessCount, &mut runs);
                Action::Guarded {
                    condition,
                    effects: runs,
                }
            }
            StmtKind::Assign(var, e) => self.assignment(var, e),
            StmtKind::Send {
                channel,
                sorted,
                args,
            } => {
                let values: Vec<Expr> = args.iter().flat_map(|a| self.flat_values(a)).collect();
                self.check_shape(channel, values.len());
                Action::Send {
                    condition: Expr::TRUE,
                    channel: self.channel(channel),
                    values,
                    sorted: *sorted,
                    lossy: self.options.lossy,
                    effects: Vec::new(),
                }
            }
            StmtKind::Receive {
                channel,
                random,
                peek,
                args,
            } => {
                if is_name(channel, "STDIN") {
                    self.report(
                        Diagnostic::warning(channel.span, "a model cannot read standard input")
                            .help(
                                "let the model choose its input, as with `select (c : 32 .. 126)`",
                            ),
                    );
                }
                let pattern = self.patterns(args);
                self.check_distinct(args);
                self.check_shape(channel, pattern.len());
                Action::Receive {
                    condition: Expr::TRUE,
                    channel: self.channel(channel),
                    pattern,
                    anywhere: *random,
                    peek: *peek,
                    effects: Vec::new(),
                }
            }
            StmtKind::Assert(e) => {
                let condition = self.condition(e);
                always(vec![Effect::Assert(condition)])
            }
            StmtKind::Printf { format, args } => {
                let pieces = self.print_pieces(format, args, span);
                always(vec![Effect::Print(pieces)])
            }
            StmtKind::Printm(e) => {
                let style = Style::Name(self.enumeration_of(e));
                let value = self.condition(e);
                always(vec![Effect::Print(vec![Piece::Value(value, style)])])
            }
            StmtKind::SetPriority(pid, priority) => {
                self.priorities = true;
                let pid = self.condition(pid);
                let priority = self.condition(priority);
                always(vec![Effect::SetPriority { pid, priority }])
            }
            // Control structure; the flow has taken it apart.
            _ => always(Vec::new()),
        }
    }

    fn assignment(&mut self, var: &VarRef, e: &ast::Expr) -> Action {
        let mut runs = Vec::new();
        if is_name(var, "_") {
            // The value is thrown away, but a process may be started for it.
            self.expr_with_run(e, Expr::ProcessCount, &mut runs);
            return always(runs);
        }
        if is_name(var, "_priority") {
            self.priorities = true;
            let priority = self.condition(e);
            return always(vec![Effect::SetPriority {
                pid: Expr::Pid,
                priority,
            }]);
        }
        // The new process is there when the value is assigned: it is the youngest.
        let youngest = Expr::ProcessCount.binary(Binary::Subtract, Expr::Const(1));
        let value = self.expr_with_run(e, youngest, &mut runs);
        let Some(place) = self.assignable(var) else {
            return always(Vec::new());
        };
        self.warn_of_truncation(e, place.scalar);
        runs.push(Effect::Assign(place, value));
        always(runs)
    }

    /// A variable can take only one field of a message.
    fn check_distinct(&mut self, args: &[ast::RecvArg]) {
        let name = |arg: &ast::RecvArg| match arg {
            ast::RecvArg::Var(var) => match var.parts.as_slice() {
                [part] if part.index.is_none() && part.name.name != "_" => {
                    Some((part.name.name.clone(), var.span))
                }
                _ => None,
            },
            _ => None,
        };
        let names: Vec<_> = args.iter().filter_map(name).collect();
        for (i, (name, span)) in names.iter().enumerate() {
            let is_variable = !self.constants.contains_key(name);
            if is_variable && names[..i].iter().any(|(other, _)| other == name) {
                self.error(
                    *span,
                    format!("`{name}` cannot take two fields of one message"),
                );
            }
        }
    }

    fn print_pieces(&mut self, format: &str, args: &[ast::Expr], span: Span) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut args = args.iter();
        let mut chars = format.chars();
        let mut missing = false;
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some(other) => text.push(other),
                    None => text.push('\\'),
                },
                '%' => {
                    let conversion = chars.next();
                    if conversion == Some('%') {
                        text.push('%');
                        continue;
                    }
                    let style = match conversion {
                        Some('d' | 'i' | 's') => Style::Decimal,
                        Some('u') => Style::Unsigned,
                        Some('x') => Style::Hexadecimal,
                        Some('o') => Style::Octal,
                        Some('c') => Style::Character,
                        Some('e') => Style::Name(0),
                        other => {
                            let other = other.map_or_else(String::new, String::from);
                            self.error(span, format!("unknown conversion `%{other}` in printf"))
                                .help = Some(
                                "the conversions are %d %u %x %o %c %e (name of an mtype value)"
                                    .into(),
                            );
                            return pieces;
                        }
                    };
                    let Some(arg) = args.next() else {
                        missing = true;
                        continue;
                    };
                    let style = match style {
                        Style::Name(_) => Style::Name(self.enumeration_of(arg)),
                        style => style,
                    };
                    if !text.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    let value = self.condition(arg);
                    pieces.push(Piece::Value(value, style));
                }
                c => text.push(c),
            }
        }
        if missing {
            let message = "printf has fewer arguments than conversions";
            self.report(
                Diagnostic::warning(span, message).help("nothing is printed for the others"),
            );
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces
    }

    /// The set of symbolic constants that a value belongs to.
    fn enumeration_of(&self, e: &ast::Expr) -> u32 {
        let ExprKind::Var(var) = &e.kind else {
            return 0;
        };
        match self.type_of(var, &self.scope) {
            Some(lariat_ir::types::Type::Scalar(scalar)) => match scalar.meaning {
                Meaning::Enumeration(set) => set,
                _ => 0,
            },
            _ => var
                .parts
                .first()
                .and_then(|p| self.constants.get(&p.name.name))
                .map_or(0, |(set, _)| *set),
        }
    }
}

/// A step that is always possible.
pub(super) fn always(effects: Vec<Effect>) -> Action {
    Action::Guarded {
        condition: Expr::TRUE,
        effects,
    }
}
