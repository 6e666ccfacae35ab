//! Expressions and references.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{Binary, ChannelQuery, Expr, Index, Owner, Place, Unary};
use lariat_ir::model::{Effect, Pattern};
use lariat_ir::source::Span;
use lariat_ir::types::{Meaning, Scalar, Type};

use super::decl::{literal, loses_bits};
use super::scope::Scope;
use super::{Lowering, Variable, shown};
use crate::ast::{self, BinaryOp, ChannelTest, ExprKind, Ident, RecvArg, UnaryOp, VarRef};

/// The most scalars that a record in a message may have.
const MAX_FIELDS: usize = 1 << 16;

/// What a reference means: a place that need not be a scalar.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub owner: Owner,
    pub variable: usize,
    pub offset: u32,
    pub indices: Vec<Index>,
    pub ty: Type,
}

impl<'a> Lowering<'a> {
    /// An expression in which no `run` may occur.
    pub(super) fn condition(&mut self, e: &ast::Expr) -> Expr {
        let mut runs = Vec::new();
        let result = self.expr(e, Expr::Const(0), &mut runs);
        if !runs.is_empty() {
            self.error(e.span, "`run` cannot be used here").help =
                Some("start the process in a statement of its own".into());
        }
        result
    }

    /// An expression that may start a process. `pid` is what `run` yields.
    pub(super) fn expr_with_run(
        &mut self,
        e: &ast::Expr,
        pid: Expr,
        runs: &mut Vec<Effect>,
    ) -> Expr {
        let result = self.expr(e, pid, runs);
        if runs.len() > 1 {
            self.error(e.span, "more than one `run` in one statement");
        }
        result
    }

    /// A value that is stored in a variable of a given type.
    pub(super) fn value_for(&mut self, e: &ast::Expr, scalar: Scalar) -> Expr {
        self.warn_of_truncation(e, scalar);
        self.condition(e)
    }

    pub(super) fn warn_of_truncation(&mut self, e: &ast::Expr, scalar: Scalar) {
        if let Some(value) = literal(e).filter(|v| loses_bits(*v, scalar)) {
            let cut = scalar.truncate(value as i32);
            self.report(
                Diagnostic::warning(e.span, format!("{value} does not fit and becomes {cut}"))
                    .label(format!(
                        "the variable has {} bit{}",
                        scalar.bits,
                        if scalar.bits == 1 { "" } else { "s" }
                    )),
            );
        }
    }

    fn expr(&mut self, e: &ast::Expr, pid: Expr, runs: &mut Vec<Effect>) -> Expr {
        // Under which condition a part is evaluated matters only to `run`.
        let when = contains_run(e).then_some(Expr::TRUE);
        self.expr_when(e, when, &pid, runs)
    }

    /// `when` is the condition under which the expression is evaluated at all, if it contains a
    /// `run`.
    fn expr_when(
        &mut self,
        e: &ast::Expr,
        when: Option<Expr>,
        pid: &Expr,
        runs: &mut Vec<Effect>,
    ) -> Expr {
        let boxed = Box::new;
        match &e.kind {
            ExprKind::Int(value) => Expr::Const(*value as i32),
            ExprKind::Var(var) => self.variable(var),
            ExprKind::Unary(op, a) => {
                let op = match op {
                    UnaryOp::Not => Unary::Not,
                    UnaryOp::Minus => Unary::Negate,
                    UnaryOp::Complement => Unary::Complement,
                    UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => {
                        self.temporal(e.span);
                        return Expr::Const(0);
                    }
                };
                Expr::Unary(op, boxed(self.expr_when(a, when, pid, runs)))
            }
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b, when, pid, runs),
            ExprKind::Cond(condition, yes, no) => {
                let condition = self.expr_when(condition, when.clone(), pid, runs);
                let yes_when = and(when.clone(), || condition.clone());
                let yes = self.expr_when(yes, yes_when, pid, runs);
                let no_when = and(when, || condition.clone().negate());
                let no = self.expr_when(no, no_when, pid, runs);
                Expr::Cond(Box::new([condition, yes, no]))
            }
            ExprKind::Run {
                name,
                args,
                priority,
            } => {
                if let Some(effect) = self.run_effect(name, args, priority.as_deref(), when) {
                    runs.push(effect);
                }
                pid.clone()
            }
            ExprKind::Channel(test, channel) => {
                let query = match test {
                    ChannelTest::Len => ChannelQuery::Length,
                    ChannelTest::Full => ChannelQuery::Full,
                    ChannelTest::NotFull => ChannelQuery::NotFull,
                    ChannelTest::Empty => ChannelQuery::Empty,
                    ChannelTest::NotEmpty => ChannelQuery::NotEmpty,
                };
                Expr::Channel(query, boxed(self.channel(channel)))
            }
            ExprKind::Poll {
                channel,
                random,
                args,
            } => Expr::Poll {
                channel: boxed(self.channel(channel)),
                pattern: self
                    .patterns(args)
                    .into_iter()
                    .map(|p| match p {
                        Pattern::Store(_) => Pattern::Any,
                        other => other,
                    })
                    .collect(),
                anywhere: *random,
            },
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => Expr::NonProgress,
            ExprKind::Enabled(p) => Expr::Enabled(boxed(self.condition(p))),
            ExprKind::PcValue(p) => Expr::LocationNumber(boxed(self.condition(p))),
            ExprKind::GetPriority(p) => {
                self.priorities = true;
                Expr::Priority(boxed(self.condition(p)))
            }
            ExprKind::RemoteLabel {
                proctype,
                pid,
                label,
            } => self.remote_label(proctype, pid.as_deref(), label),
            ExprKind::RemoteVar { proctype, pid, var } => {
                self.remote_variable(proctype, pid.as_deref(), var)
            }
            ExprKind::Error => Expr::Const(0),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn binary(
        &mut self,
        e: &ast::Expr,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        when: Option<Expr>,
        pid: &Expr,
        runs: &mut Vec<Effect>,
    ) -> Expr {
        let op = match op {
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Subtract,
            BinaryOp::Mul => Binary::Multiply,
            BinaryOp::Div => Binary::Divide,
            BinaryOp::Rem => Binary::Remainder,
            BinaryOp::BitAnd => Binary::BitAnd,
            BinaryOp::BitOr => Binary::BitOr,
            BinaryOp::BitXor => Binary::BitXor,
            BinaryOp::Shl => Binary::ShiftLeft,
            BinaryOp::Shr => Binary::ShiftRight,
            BinaryOp::Lt => Binary::Less,
            BinaryOp::Le => Binary::LessEqual,
            BinaryOp::Gt => Binary::Greater,
            BinaryOp::Ge => Binary::GreaterEqual,
            BinaryOp::Eq => Binary::Equal,
            BinaryOp::Ne => Binary::NotEqual,
            BinaryOp::And => Binary::And,
            BinaryOp::Or => Binary::Or,
            BinaryOp::Until
            | BinaryOp::WeakUntil
            | BinaryOp::Release
            | BinaryOp::Implies
            | BinaryOp::Equivalent => {
                self.temporal(e.span);
                return Expr::Const(0);
            }
        };
        if matches!(op, Binary::Divide | Binary::Remainder) && literal(b) == Some(0) {
            self.error(b.span, "division by zero");
        }
        let left = self.expr_when(a, when.clone(), pid, runs);
        let when = match op {
            Binary::And => and(when, || left.clone()),
            Binary::Or => and(when, || left.clone().negate()),
            _ => when,
        };
        let right = self.expr_when(b, when, pid, runs);
        left.binary(op, right)
    }

    fn temporal(&mut self, span: Span) {
        self.error(span, "temporal operators can only be used in `ltl` blocks");
    }

    fn run_effect(
        &mut self,
        name: &Ident,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
        when: Option<Expr>,
    ) -> Option<Effect> {
        let Some(&(process, _)) = self.known.get(&name.name) else {
            let names = self.known.keys().cloned().collect();
            self.unknown("proctype", name, names);
            return None;
        };
        let arguments: Vec<Expr> = args.iter().flat_map(|a| self.flat_values(a)).collect();
        let parameters: Vec<Scalar> = self.parameter_scalars(process);
        if arguments.len() != parameters.len() {
            let (given, expected) = (arguments.len(), parameters.len());
            let message = format!(
                "`{}` takes {expected} parameter{} but {given} {} given",
                name.name,
                if expected == 1 { "" } else { "s" },
                if given == 1 { "is" } else { "are" },
            );
            let span = args.iter().fold(name.span, |span, arg| span.to(arg.span));
            let declared = self.bodies.get(process).map(|b| b.span);
            let mut diagnostic = Diagnostic::error(span, message);
            if let Some(declared) = declared {
                diagnostic = diagnostic.related(declared, "declared here");
            }
            self.report(diagnostic);
        } else if args.len() == arguments.len() {
            for (arg, scalar) in args.iter().zip(parameters) {
                self.warn_of_truncation(arg, scalar);
            }
        }
        Some(Effect::Spawn {
            when: when.filter(|w| !matches!(w, Expr::Const(_))),
            process,
            arguments,
            priority: self.priority(priority),
        })
    }

    fn parameter_scalars(&self, process: usize) -> Vec<Scalar> {
        self.bodies.get(process).map_or_else(Vec::new, |body| {
            body.parameters
                .iter()
                .flat_map(|&id| self.whole(id).scalars(&self.model.records, MAX_FIELDS))
                .map(|place| place.scalar)
                .collect()
        })
    }

    /// The values of an argument; a record stands for all its fields.
    pub(super) fn flat_values(&mut self, e: &ast::Expr) -> Vec<Expr> {
        if let ExprKind::Var(var) = &e.kind
            && self.is_aggregate(var)
        {
            return self
                .resolve(var)
                .map(|r| r.scalars(&self.model.records, MAX_FIELDS))
                .unwrap_or_default()
                .into_iter()
                .map(Expr::Load)
                .collect();
        }
        vec![self.condition(e)]
    }

    fn is_aggregate(&self, var: &VarRef) -> bool {
        matches!(self.type_of(var, &self.scope), Some(Type::Record(_)))
    }

    /// What a receive or poll expects of each field.
    pub(super) fn patterns(&mut self, args: &[RecvArg]) -> Vec<Pattern> {
        args.iter()
            .flat_map(|arg| match arg {
                RecvArg::Eval(e, _) | RecvArg::Const(e) => {
                    vec![Pattern::Equal(self.condition(e))]
                }
                RecvArg::Var(var) if is_name(var, "_") => vec![Pattern::Any],
                RecvArg::Var(var) if self.is_constant(var) => {
                    vec![Pattern::Equal(self.variable(var))]
                }
                RecvArg::Var(var) if self.is_aggregate(var) => self
                    .resolve(var)
                    .map(|r| r.scalars(&self.model.records, MAX_FIELDS))
                    .unwrap_or_default()
                    .into_iter()
                    .map(Pattern::Store)
                    .collect(),
                // A variable that is not declared is still a field.
                RecvArg::Var(var) => {
                    vec![self.assignable(var).map_or(Pattern::Any, Pattern::Store)]
                }
            })
            .collect()
    }

    fn is_constant(&self, var: &VarRef) -> bool {
        var.parts.len() == 1
            && self.scope.find(&var.parts[0].name.name).is_none()
            && !self.globals.contains_key(&var.parts[0].name.name)
            && self.constants.contains_key(&var.parts[0].name.name)
    }

    /// The value of a variable, of a symbolic constant or of one of the predefined names.
    fn variable(&mut self, var: &VarRef) -> Expr {
        if let [part] = var.parts.as_slice() {
            let name = part.name.name.as_str();
            if self.is_constant(var) {
                return Expr::Const(self.constants[name].1);
            }
            match name {
                "_pid" => return Expr::Pid,
                "_nr_pr" => return Expr::ProcessCount,
                "_priority" => {
                    self.priorities = true;
                    return Expr::Priority(Box::new(Expr::Pid));
                }
                "_last" => {
                    if self.model.last.is_none() {
                        self.model.last = self.internal_global("_last", Scalar::unsigned(16));
                    }
                    return match &self.model.last {
                        Some(place) => Expr::Load(place.clone()),
                        None => Expr::Const(0),
                    };
                }
                "_" => {
                    self.error(var.span, "`_` can only be written to, not read");
                    return Expr::Const(0);
                }
                _ => {}
            }
        }
        match self.resolve(var) {
            Some(resolved) => self
                .scalar_place(resolved, var)
                .map_or(Expr::Const(0), Expr::Load),
            None => Expr::Const(0),
        }
    }

    fn scalar_place(&mut self, resolved: Resolved, var: &VarRef) -> Option<Place> {
        match &resolved.ty {
            Type::Scalar(scalar) => Some(resolved.place(*scalar)),
            Type::Array(..) => {
                let name = last_name(var);
                self.error(var.span, format!("`{name}` is an array and needs an index"));
                None
            }
            Type::Record(_) => {
                let name = last_name(var);
                self.error(
                    var.span,
                    format!("`{name}` is a record; name one of its fields"),
                );
                None
            }
        }
    }

    /// The place that is assigned to.
    pub(super) fn assignable(&mut self, var: &VarRef) -> Option<Place> {
        if let [part] = var.parts.as_slice() {
            let name = part.name.name.as_str();
            if self.is_constant(var) {
                self.error(var.span, format!("`{name}` is a constant"));
                return None;
            }
            if matches!(name, "_pid" | "_nr_pr" | "_last") {
                self.error(var.span, format!("`{name}` cannot be assigned to"));
                return None;
            }
        }
        let was_read = self
            .find_variable(var)
            .map(|id| (id, self.variables[id].read));
        let resolved = self.resolve(var)?;
        if let Some((id, read)) = was_read {
            self.variables[id].read = read;
        }
        self.scalar_place(resolved, var)
    }

    /// The channel in a channel variable.
    pub(super) fn channel(&mut self, var: &VarRef) -> Expr {
        let Some(resolved) = self.resolve_as(var, true) else {
            return Expr::Const(0);
        };
        match self.scalar_place(resolved, var) {
            Some(place) => {
                if place.scalar.meaning != Meaning::Channel {
                    self.error(var.span, format!("`{}` is not a channel", last_name(var)));
                }
                Expr::Load(place)
            }
            None => Expr::Const(0),
        }
    }

    /// Compares the number of fields in a statement with that of the channel, as far as the
    /// declaration of the variable tells.
    pub(super) fn check_shape(&mut self, var: &VarRef, given: usize) {
        let id = match var.parts.as_slice() {
            [_] => self.find_variable(var),
            _ => None,
        };
        let declared = id.and_then(|id| self.variables[id].channel);
        let fields = |ty: usize| self.model.channels[ty].fields.len();
        let most = (0..self.model.channels.len()).map(fields).max();
        let expected = match (declared, most) {
            (Some(ty), _) if fields(ty) != given => fields(ty),
            (None, Some(most)) if given > most => most,
            _ => return,
        };
        let name = last_name(var);
        let message = format!(
            "messages of `{name}` have {expected} field{}, not {given}",
            if expected == 1 { "" } else { "s" }
        );
        self.report(if given > expected {
            Diagnostic::error(var.span, message)
        } else {
            Diagnostic::warning(var.span, message)
        });
    }

    fn find_variable(&self, var: &VarRef) -> Option<usize> {
        let name = &var.parts.first()?.name.name;
        self.scope
            .find(name)
            .or_else(|| self.globals.get(name).copied())
    }

    /// What a reference means; problems are reported.
    pub(super) fn resolve(&mut self, var: &VarRef) -> Option<Resolved> {
        self.resolve_as(var, false)
    }

    /// What a reference means. A name that is not declared is compared with those of channels, or
    /// with those of all else.
    fn resolve_as(&mut self, var: &VarRef, channel: bool) -> Option<Resolved> {
        let first = var.parts.first()?;
        let Some(id) = self.find_variable(var) else {
            let fits = |name: &&str| {
                let id = self.scope.find(name).or(self.globals.get(*name).copied());
                id.is_some_and(|id| match &self.variables[id].ty {
                    Type::Record(_) => true,
                    ty => is_channel(ty) == channel,
                })
            };
            let variables = self.scope.names();
            let variables = variables.chain(self.globals.keys().map(String::as_str));
            let mut known: Vec<String> = variables.filter(fits).map(str::to_string).collect();
            if !channel {
                known.extend(self.constants.keys().cloned());
                known.extend(["true".to_string(), "false".to_string()]);
            }
            let help = self.elsewhere(var);
            let message = format!("variable `{}` is not declared", shown(&first.name));
            self.unknown_or(message, &first.name, known, help);
            return None;
        };
        self.variables[id].read = true;
        let whole = self.whole(id);
        self.follow(whole, var)
    }

    /// What to write for a variable of another process.
    fn elsewhere(&self, var: &VarRef) -> Option<String> {
        let first = &var.parts.first()?.name.name;
        let process = |name: &str| self.model.processes.iter().position(|p| p.name == name);
        if let (Some(_), Some(field)) = (process(first), var.parts.get(1)) {
            let field = &field.name.name;
            return Some(format!(
                "the variable of a process is written `{first}:{field}`"
            ));
        }
        let is_it = |v: &&Variable| v.name == *first && v.owner.is_some();
        let owner = self.variables.iter().find(is_it)?.owner?;
        let process = &self.model.processes.get(owner)?.name;
        Some(match self.current {
            Some(_) => format!(
                "`{first}` is declared inside `{process}`; declare it outside of the proctypes to share it"
            ),
            None => format!("the variable of a process is written `{process}:{first}`"),
        })
    }

    /// Applies the indices and fields of a reference to a variable.
    fn follow(&mut self, mut resolved: Resolved, var: &VarRef) -> Option<Resolved> {
        for (position, part) in var.parts.iter().enumerate() {
            if position > 0 {
                resolved = self.field(resolved, &part.name, var)?;
            }
            if let Some(index) = &part.index {
                let Type::Array(element, length) = resolved.ty.clone() else {
                    self.error(index.span, format!("`{}` is not an array", part.name.name));
                    return None;
                };
                if let Some(value) = literal(index)
                    && (value < 0 || value >= i64::from(length))
                {
                    let message = format!(
                        "index {value} is outside `{}`, whose indices are 0 to {}",
                        part.name.name,
                        length - 1
                    );
                    self.report(Diagnostic::warning(index.span, message));
                }
                let (stride, _) = self.model.records.size(&element).ok()?;
                let value = self.condition(index);
                resolved = resolved.index(value, length, stride, *element);
            }
        }
        Some(resolved)
    }

    fn field(&mut self, resolved: Resolved, name: &Ident, var: &VarRef) -> Option<Resolved> {
        match &resolved.ty {
            Type::Record(record) => {
                let record = &self.model.records.0[*record];
                match record.fields.iter().find(|f| f.name == name.name) {
                    Some(field) => Some(resolved.field(field)),
                    None => {
                        let fields = record.fields.iter().map(|f| f.name.clone()).collect();
                        let message =
                            format!("record `{}` has no field `{}`", record.name, shown(name));
                        self.unknown_part(message, name, fields);
                        None
                    }
                }
            }
            Type::Array(..) => {
                self.error(var.span, "an index is missing before the field");
                None
            }
            Type::Scalar(_) => {
                self.error(
                    name.span,
                    format!("`{}` is a field of something that is no record", name.name),
                );
                None
            }
        }
    }

    /// The type of a reference, if it has one; nothing is reported.
    pub(super) fn type_of(&self, var: &VarRef, scope: &Scope) -> Option<Type> {
        let name = &var.parts.first()?.name.name;
        let id = scope
            .find(name)
            .or_else(|| self.globals.get(name).copied())?;
        let mut ty = self.variables[id].ty.clone();
        for (position, part) in var.parts.iter().enumerate() {
            if position > 0 {
                let Type::Record(record) = ty else {
                    return None;
                };
                let fields = &self.model.records.0[record].fields;
                ty = fields.iter().find(|f| f.name == part.name.name)?.ty.clone();
            }
            if part.index.is_some() {
                let Type::Array(element, _) = ty else {
                    return None;
                };
                ty = *element;
            }
        }
        Some(ty)
    }

    fn remote_process(&mut self, name: &Ident) -> Option<usize> {
        let found = self.known.get(&name.name).map(|(process, _)| *process);
        if found.is_none() {
            let names = self.known.keys().cloned().collect();
            self.unknown("proctype", name, names);
        }
        found
    }

    fn remote_label(&mut self, proctype: &Ident, pid: Option<&ast::Expr>, label: &Ident) -> Expr {
        let Some(process) = self.remote_process(proctype) else {
            return Expr::Const(0);
        };
        let pid = pid.map(|e| Box::new(self.condition(e)));
        let found = match self.bodies.get_mut(process) {
            Some(body) => {
                let found = body.flow.labelled(&label.name);
                if let Some(element) = found {
                    body.flow.make_visible(element);
                }
                found.map(|e| e as u32)
            }
            None => self
                .known
                .get(&proctype.name)
                .and_then(|(_, labels)| labels.get(&label.name).copied()),
        };
        match found {
            Some(location) => Expr::At {
                process,
                pid,
                location,
            },
            None => {
                let names: Vec<String> = match self.bodies.get(process) {
                    Some(body) => body.flow.label_names().map(str::to_string).collect(),
                    None => self.known[&proctype.name].1.keys().cloned().collect(),
                };
                let message = format!(
                    "proctype `{}` has no label `{}`",
                    proctype.name,
                    shown(label)
                );
                let known = names.iter().map(|name| format!("`{name}`"));
                let known: Vec<String> = known.collect();
                let help = match known.is_empty() {
                    true => format!("`{}` has no labels", proctype.name),
                    false => format!("the labels of `{}` are {}", proctype.name, known.join(", ")),
                };
                self.unknown_or(message, label, names, Some(help));
                Expr::Const(0)
            }
        }
    }

    fn remote_variable(&mut self, proctype: &Ident, pid: Option<&ast::Expr>, var: &VarRef) -> Expr {
        let Some(process) = self.remote_process(proctype) else {
            return Expr::Const(0);
        };
        let Some(first) = var.parts.first() else {
            return Expr::Const(0);
        };
        let pid = pid.map(|e| Box::new(self.condition(e)));
        let local = |v: &super::Variable| v.owner == Some(process);
        let found = self
            .variables
            .iter()
            .position(|v| local(v) && v.name == first.name.name);
        let Some(id) = found else {
            let names = self
                .variables
                .iter()
                .filter(|v| local(v))
                .map(|v| v.name.clone())
                .collect();
            let message = format!(
                "proctype `{}` has no variable `{}`",
                proctype.name,
                shown(&first.name)
            );
            self.unknown_part(message, &first.name, names);
            return Expr::Const(0);
        };
        self.variables[id].read = true;
        let mut whole = self.whole(id);
        whole.owner = Owner::Remote { process, pid };
        match self.follow(whole, var) {
            Some(resolved) => self
                .scalar_place(resolved, var)
                .map_or(Expr::Const(0), Expr::Load),
            None => Expr::Const(0),
        }
    }

    /// A number that must be known before the model runs, within limits.
    pub(super) fn count(&mut self, e: &ast::Expr, what: &str, least: i64, most: i64) -> i64 {
        match self.constant_quietly(e) {
            None => {
                self.error(e.span, format!("{what} must be a constant"));
                least
            }
            Some(value) if value < least || value > most => {
                self.error(
                    e.span,
                    format!("{what} must be from {least} to {most}, not {value}"),
                );
                least
            }
            Some(value) => value,
        }
    }

    /// The value of a constant expression. A global variable counts as the value that it is
    /// declared with.
    pub(super) fn constant_quietly(&self, e: &ast::Expr) -> Option<i64> {
        match &e.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Var(var) if self.is_constant(var) => {
                Some(i64::from(self.constants[&var.parts[0].name.name].1))
            }
            ExprKind::Var(var) => match var.parts.as_slice() {
                [part] if part.index.is_none() => {
                    let id = *self.globals.get(&part.name.name)?;
                    self.variables[id].initial
                }
                _ => None,
            },
            ExprKind::Unary(UnaryOp::Minus, a) => self.constant_quietly(a)?.checked_neg(),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.constant_quietly(a)?, self.constant_quietly(b)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    BinaryOp::Mul => a.checked_mul(b),
                    BinaryOp::Div => a.checked_div(b),
                    BinaryOp::Rem => a.checked_rem(b),
                    BinaryOp::Shl => a.checked_shl(u32::try_from(b).ok()?),
                    BinaryOp::Shr => a.checked_shr(u32::try_from(b).ok()?),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn and(when: Option<Expr>, condition: impl FnOnce() -> Expr) -> Option<Expr> {
    when.map(|when| match when {
        Expr::Const(_) => condition(),
        _ => when.binary(Binary::And, condition()),
    })
}

fn contains_run(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Run { .. } => true,
        ExprKind::Unary(_, a) => contains_run(a),
        ExprKind::Binary(_, a, b) => contains_run(a) || contains_run(b),
        ExprKind::Cond(a, b, c) => contains_run(a) || contains_run(b) || contains_run(c),
        _ => false,
    }
}

pub(super) fn is_name(var: &VarRef, name: &str) -> bool {
    matches!(var.parts.as_slice(), [part] if part.name.name == name && part.index.is_none())
}

fn is_channel(ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) => scalar.meaning == Meaning::Channel,
        Type::Array(element, _) => is_channel(element),
        Type::Record(_) => false,
    }
}

fn last_name(var: &VarRef) -> String {
    var.parts
        .last()
        .map_or_else(String::new, |p| p.name.name.clone())
}
