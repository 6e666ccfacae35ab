//! Expressions and places.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{Binary, Expr, Index, Owner, Place, Unary};
use lariat_ir::source::Span;

use super::{Global, Lowering, fold};
use crate::ast::{self, BinaryOp, ExprKind, Ident, UnaryOp};
use crate::token::shorten;

impl Lowering {
    /// An expression. After an error it is some constant.
    pub(super) fn expr(&mut self, e: &ast::Expr) -> Expr {
        match &e.kind {
            ExprKind::Number(value) => Expr::Const(*value),
            ExprKind::Bool(value) => Expr::Const(i32::from(*value)),
            ExprKind::Var(place) => match self.variable(&place.name) {
                Some(variable) => self.load(variable, place),
                None => Expr::Const(0),
            },
            ExprKind::At { process, state } => self.at(process, state),
            ExprKind::Remote { process, var } => match self.remote(process, &var.name) {
                Some(variable) => self.load(variable, var),
                None => Expr::Const(0),
            },
            ExprKind::Unary(op, a) => {
                let op = match op {
                    UnaryOp::Not => Unary::Not,
                    UnaryOp::Minus => Unary::Negate,
                    UnaryOp::Complement => Unary::Complement,
                };
                fold::unary(op, self.expr(a))
            }
            ExprKind::Binary(op, a, b) => {
                let left = self.expr(a);
                let right = self.expr(b);
                self.binary(*op, left, right, b.span)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let op = match op {
            BinaryOp::Imply => {
                return fold::binary(Binary::Or, fold::unary(Unary::Not, left), right);
            }
            BinaryOp::Or => Binary::Or,
            BinaryOp::And => Binary::And,
            BinaryOp::BitOr => Binary::BitOr,
            BinaryOp::BitAnd => Binary::BitAnd,
            BinaryOp::BitXor => Binary::BitXor,
            BinaryOp::Equal => Binary::Equal,
            BinaryOp::NotEqual => Binary::NotEqual,
            BinaryOp::Less => Binary::Less,
            BinaryOp::LessEqual => Binary::LessEqual,
            BinaryOp::Greater => Binary::Greater,
            BinaryOp::GreaterEqual => Binary::GreaterEqual,
            BinaryOp::ShiftLeft => Binary::ShiftLeft,
            BinaryOp::ShiftRight => Binary::ShiftRight,
            BinaryOp::Add => Binary::Add,
            BinaryOp::Subtract => Binary::Subtract,
            BinaryOp::Multiply => Binary::Multiply,
            BinaryOp::Divide => Binary::Divide,
            BinaryOp::Remainder => Binary::Remainder,
        };
        if matches!(op, Binary::Divide | Binary::Remainder) && matches!(right, Expr::Const(0)) {
            self.complain(span, "division by zero".into(), "");
        }
        fold::binary(op, left, right)
    }

    /// An error if the value is needed now; a warning if it may never be.
    fn complain(&mut self, span: Span, message: String, help: &str) {
        let mut diagnostic = if self.initials {
            Diagnostic::error(span, message)
        } else {
            Diagnostic::warning(span, message)
        };
        diagnostic.help = Some(help.to_string()).filter(|h| !h.is_empty());
        self.report(diagnostic);
    }

    /// `P.q`
    fn at(&mut self, process: &Ident, state: &Ident) -> Expr {
        let Some((index, number)) = self.other(process) else {
            return Expr::Const(0);
        };
        match self.state(index, state) {
            Some(location) => Expr::At {
                process: number,
                pid: Some(Box::new(Expr::Const(number as i32))),
                location,
            },
            None => Expr::Const(0),
        }
    }

    /// A process that an expression looks into: its index and its number.
    fn other(&mut self, name: &Ident) -> Option<(usize, usize)> {
        if self.initials {
            let message = "an initial value cannot depend on a process";
            self.error(name.span, message);
            return None;
        }
        let index = self.process(name)?;
        let number = self.names.processes[index].number;
        if number.is_none() {
            let message = format!(
                "`{}` is the property; no expression can refer to it",
                name.name
            );
            self.error(name.span, message);
        }
        number.map(|number| (index, number))
    }

    /// The variable of another process.
    fn remote(&mut self, process: &Ident, name: &Ident) -> Option<usize> {
        let (index, _) = self.other(process)?;
        let owner = &self.names.processes[index];
        if let Some(&variable) = owner.variables.get(&name.name) {
            return Some(variable);
        }
        let message = format!(
            "process `{}` has no variable `{}`",
            owner.name.name,
            shorten(&name.name)
        );
        let help = match self.names.globals.get(&name.name) {
            _ if owner.states.contains_key(&name.name) => Some(format!(
                "`{}` is a state; whether the process is in it is written `{}.{}`",
                name.name, process.name, name.name
            )),
            Some(Global::Variable(_)) => Some(format!(
                "`{}` is global; write just `{}`",
                name.name, name.name
            )),
            _ => None,
        };
        let known = owner.variables.keys().cloned().collect();
        self.unknown(message, name, known, help);
        None
    }

    /// The variable that a name means, if it means one.
    pub(super) fn visible(&self, name: &str) -> Option<usize> {
        let process = self.scope.map(|p| &self.names.processes[p]);
        if let Some(&variable) = process.and_then(|p| p.variables.get(name)) {
            return Some(variable);
        }
        match self.names.globals.get(name) {
            Some(Global::Variable(variable)) => Some(*variable),
            _ => None,
        }
    }

    /// The variable that a name means.
    pub(super) fn variable(&mut self, name: &Ident) -> Option<usize> {
        if let Some(variable) = self.visible(&name.name) {
            return Some(variable);
        }
        let help = match self.names.globals.get(&name.name) {
            Some(Global::Process(_)) => Some(format!(
                "`{0}` is a process; write `{0}.state` or `{0}->variable`",
                name.name
            )),
            Some(Global::Channel(_)) => Some(format!(
                "`{}` is a channel; it can be used only behind `sync`",
                name.name
            )),
            _ => self.elsewhere(&name.name),
        };
        let mut names: Vec<&str> = Vec::new();
        if let Some(process) = self.scope {
            let own = &self.names.processes[process];
            names.extend(own.variables.keys().map(String::as_str));
        }
        let globals = self.names.globals.iter();
        names.extend(globals.filter_map(|(name, global)| match global {
            Global::Variable(_) => Some(name.as_str()),
            _ => None,
        }));
        let known = names.into_iter().map(str::to_string).collect();
        let message = format!("variable `{}` is not declared", shorten(&name.name));
        self.unknown(message, name, known, help);
        None
    }

    /// What a name means inside some process.
    fn elsewhere(&self, name: &str) -> Option<String> {
        let own = self.scope.map(|p| &self.names.processes[p]);
        let owners = own.into_iter().chain(&self.names.processes);
        for owner in owners.filter(|p| p.number.is_some()) {
            let process = &owner.name.name;
            if owner.states.contains_key(name) {
                return Some(format!(
                    "whether process `{process}` is in its state `{name}` is written `{process}.{name}`"
                ));
            }
            if owner.variables.contains_key(name) {
                return Some(format!(
                    "the variable `{name}` of process `{process}` is written `{process}->{name}`"
                ));
            }
        }
        None
    }

    /// The value of a variable, a constant, or an element of an array.
    fn load(&mut self, variable: usize, place: &ast::Place) -> Expr {
        let Some(index) = self.index(variable, place) else {
            return Expr::Const(0);
        };
        let declared = &self.names.variables[variable];
        if declared.constant || self.initials {
            let element = match &index {
                None => Some(0),
                Some(Index {
                    value: Expr::Const(value),
                    length,
                    ..
                }) => usize::try_from(*value)
                    .ok()
                    .filter(|v| *v < *length as usize),
                Some(_) => None,
            };
            if let Some(element) = element {
                return Expr::Const(declared.initial.get(element).copied().unwrap_or(0));
            }
        }
        if self.initials {
            // Reported where the index was looked at, or where the value is needed.
            return index.map_or(Expr::Const(0), |i| i.value);
        }
        self.place(variable, index, place.span)
            .map_or(Expr::Const(0), Expr::Load)
    }

    /// The place that is assigned to.
    pub(super) fn assignable(&mut self, place: &ast::Place) -> Option<Place> {
        let variable = self.variable(&place.name)?;
        let declared = &self.names.variables[variable];
        if declared.constant {
            let first = declared.name.span;
            let message = format!("`{}` is a constant and cannot change", place.name.name);
            self.report(
                Diagnostic::error(place.span, message)
                    .related(first, "declared here")
                    .help("remove `const` from the declaration"),
            );
            return None;
        }
        let index = self.index(variable, place)?;
        self.place(variable, index, place.span)
    }

    /// The index of a reference; `None` after an error.
    fn index(&mut self, variable: usize, place: &ast::Place) -> Option<Option<Index>> {
        let declared = &self.names.variables[variable];
        let name = place.name.name.clone();
        let (first, stride) = (declared.name.span, self.scalar(declared.ty).storage_bits());
        let (message, span) = match (&place.index, declared.length) {
            (None, None) => return Some(None),
            (Some(index), Some(length)) => {
                let value = self.index_value(index, length, &name);
                return Some(Some(Index {
                    value,
                    length,
                    stride,
                }));
            }
            (None, Some(length)) => {
                // DiVinE reads this as the first element, and some known systems have it.
                let message = format!("`{name}` is an array and is used without an index");
                let diagnostic = Diagnostic::warning(place.span, message)
                    .related(first, "declared here")
                    .help(format!("this is read as `{name}[0]`"));
                self.report(diagnostic);
                return Some(Some(Index {
                    value: Expr::Const(0),
                    length,
                    stride,
                }));
            }
            (Some(index), None) => (format!("`{name}` is not an array"), index.span),
        };
        self.report(Diagnostic::error(span, message).related(first, "declared here"));
        None
    }

    fn index_value(&mut self, index: &ast::Expr, length: u32, name: &str) -> Expr {
        let value = self.expr(index);
        if let Expr::Const(value) = value
            && u32::try_from(value).is_ok_and(|v| v >= length) | (value < 0)
        {
            let message = format!(
                "index {value} is outside of `{name}`, whose indices are 0 to {}",
                length - 1
            );
            self.complain(index.span, message, "");
        }
        value
    }

    /// Where a variable is found.
    fn place(&mut self, variable: usize, index: Option<Index>, span: Span) -> Option<Place> {
        let declared = &self.names.variables[variable];
        let place = match declared.place {
            Some(place) => Some(place),
            None if self.frozen => {
                let name = &declared.name.name;
                let message = format!(
                    "the constant array `{name}` can have only constant indices here, as in the system"
                );
                self.error(span, message);
                None
            }
            None => self.give_place(variable),
        };
        let (slot, offset) = place?;
        let declared = &self.names.variables[variable];
        let number = declared.owner.map(|p| (p, self.names.processes[p].number));
        let owner = match number {
            None | Some((_, None)) => Owner::Global,
            Some((process, Some(_))) if self.own && self.scope == Some(process) => Owner::Local,
            Some((_, Some(number))) => Owner::Remote {
                process: number,
                pid: Some(Box::new(Expr::Const(number as i32))),
            },
        };
        Some(Place {
            owner,
            variable: slot,
            offset,
            indices: index.into_iter().collect(),
            scalar: self.scalar(declared.ty),
        })
    }

    /// Warns of a value that does not fit where it goes.
    pub(super) fn warn_of_range(&mut self, e: &ast::Expr, value: &Expr, ty: ast::NumberType) {
        let (least, greatest) = ty.range();
        if let Expr::Const(value) = value
            && (*value < least || *value > greatest)
        {
            let message = format!(
                "{value} is not a value of type `{}`, whose values are {least} to {greatest}",
                ty.word()
            );
            self.complain(e.span, message, "this is an error when it is executed");
        }
    }

    /// The type of a place that is assigned to; nothing is reported.
    pub(super) fn type_of(&self, place: &ast::Place) -> Option<ast::NumberType> {
        let variable = self.visible(&place.name.name)?;
        Some(self.names.variables[variable].ty)
    }
}
