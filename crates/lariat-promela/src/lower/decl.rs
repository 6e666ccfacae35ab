//! Declarations: types, records, variables and their initial values.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{Expr, Index, Owner, Place};
use lariat_ir::model::Effect;
use lariat_ir::source::{ExpansionKind, Span};
use lariat_ir::state::MAX_COUNT;
use lariat_ir::types::{Meaning, Scalar, Type};

use super::expr::Resolved;
use super::flow::Declare;
use super::scope::Scope;
use super::{Lowering, Variable};
use crate::ast::{self, Decl, Initializer, TypeName, Typedef, VarDecl, VarRef, Visibility};

/// The most assignments that one declaration may stand for.
const MAX_INITIALS: usize = 1 << 20;
/// The most elements of an array.
const MAX_ELEMENTS: i64 = 1 << 24;

impl<'a> Lowering<'a> {
    /// The element type that a declaration names, without arrays.
    fn base_type(&mut self, name: &TypeName, var: Option<&VarDecl>) -> Option<Type> {
        let number = |bits, signed, meaning| {
            Some(Type::Scalar(Scalar {
                bits,
                signed,
                meaning,
                checked: false,
            }))
        };
        if let (Some(width), false) = (
            var.and_then(|v| v.width.as_ref()),
            matches!(name, TypeName::Unsigned),
        ) {
            self.error(width.span, "only `unsigned` variables have a width");
        }
        match name {
            TypeName::Bit => number(1, false, Meaning::Number),
            TypeName::Bool => number(1, false, Meaning::Boolean),
            TypeName::Byte | TypeName::Pid => number(8, false, Meaning::Number),
            TypeName::Short => number(16, true, Meaning::Number),
            TypeName::Int => number(32, true, Meaning::Number),
            TypeName::Chan => number(16, false, Meaning::Channel),
            TypeName::Unsigned => {
                let width = match var {
                    Some(VarDecl {
                        width: Some(width), ..
                    }) => self.count(width, "the width of an `unsigned`", 1, 32),
                    Some(var) => {
                        self.error(var.name.span, "an `unsigned` variable needs a width")
                            .help = Some("write `unsigned x : 4` for four bits".into());
                        return None;
                    }
                    None => 32,
                };
                number(width as u8, false, Meaning::Number)
            }
            TypeName::Mtype(set) => {
                let set = match set {
                    None => 0,
                    Some(set) => match self.sets.get(&set.name) {
                        Some(&number) => number,
                        None => {
                            let sets = self.sets.keys().cloned().collect();
                            self.unknown("mtype", set, sets);
                            return None;
                        }
                    },
                };
                number(self.set_bits(set), false, Meaning::Enumeration(set))
            }
            TypeName::User(record) => match self.records.get(&record.name) {
                Some(&index) => Some(Type::Record(index)),
                None => {
                    let records = self.records.keys().cloned().collect();
                    self.unknown("type", record, records);
                    None
                }
            },
        }
    }

    /// The width of a variable for a set of symbolic constants: a byte, as long as that is enough.
    fn set_bits(&self, set: u32) -> u8 {
        let count = self.model.enumerations[set as usize].values.len();
        if count < 256 { 8 } else { 16 }
    }

    fn variable_type(&mut self, name: &TypeName, var: &VarDecl) -> Option<Type> {
        let base = self.base_type(name, Some(var))?;
        Some(match &var.array {
            None => base,
            Some(length) => {
                let length = self.count(length, "the length of an array", 1, MAX_ELEMENTS);
                Type::Array(Box::new(widen_bits(base)), length as u32)
            }
        })
    }

    pub(super) fn declare_record(&mut self, typedef: &'a Typedef) {
        let mut fields: Vec<(String, Type)> = Vec::new();
        let mut initials = Vec::new();
        for decl in &typedef.fields {
            for var in &decl.vars {
                let Some(ty) = self.variable_type(&decl.ty, var) else {
                    continue;
                };
                if fields.iter().any(|(name, _)| *name == var.name.name) {
                    self.error(
                        var.name.span,
                        format!("field `{}` is declared twice", var.name.name),
                    );
                }
                fields.push((var.name.name.clone(), ty));
                initials.push(var.init.as_ref());
            }
        }
        let name = &typedef.name;
        if self.records.contains_key(&name.name) {
            self.error(name.span, format!("type `{}` is declared twice", name.name));
            return;
        }
        match self.model.records.add(name.name.clone(), fields) {
            Ok(index) => {
                self.records.insert(name.name.clone(), index);
                self.field_initials.push(initials);
            }
            Err(_) => {
                self.error(name.span, format!("type `{}` is too large", name.name));
            }
        }
    }

    pub(super) fn declare_globals(&mut self, decl: &'a Decl) {
        for var in &decl.vars {
            let name = &var.name;
            if let Some(&other) = self.globals.get(&name.name) {
                let other = self.variables[other].span;
                let message = format!("variable `{}` is declared twice", name.name);
                self.report(
                    Diagnostic::error(name.span, message).related(other, "first declared here"),
                );
                continue;
            }
            if self.constants.contains_key(&name.name) {
                self.error(
                    name.span,
                    format!("`{}` is already a symbolic constant", name.name),
                );
            }
            let Some(id) = self.declare_variable(decl, var, None) else {
                continue;
            };
            self.globals.insert(name.name.clone(), id);
            if decl.visibility == Visibility::Hidden {
                self.model.hidden.push(self.variables[id].index);
            }
            let effects = self.initial_effects(id, var);
            self.note_channel(id, &effects);
            self.model.init.extend(effects);
        }
    }

    pub(super) fn declare_parameters(&mut self, decl: &'a Decl, scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        for var in &decl.vars {
            if var.array.is_some() {
                self.error(var.name.span, "an array cannot be a parameter");
            }
            if let Some(init) = &var.init {
                self.error(
                    initializer_span(init),
                    "a parameter cannot have an initial value",
                );
            }
            scope = self.declare_local(decl, var, &scope);
        }
        scope
    }

    fn declare_local(&mut self, decl: &'a Decl, var: &'a VarDecl, scope: &Scope) -> Scope {
        let name = &var.name;
        if let Some(other) = scope.find_in_block(&name.name) {
            let other = self.variables[other].span;
            let message = format!("variable `{}` is declared twice", name.name);
            self.report(
                Diagnostic::error(name.span, message).related(other, "first declared here"),
            );
        }
        match self.declare_variable(decl, var, self.current) {
            Some(id) => scope.declare(&name.name, id),
            None => scope.clone(),
        }
    }

    fn declare_variable(
        &mut self,
        decl: &Decl,
        var: &VarDecl,
        owner: Option<usize>,
    ) -> Option<usize> {
        let ty = self.variable_type(&decl.ty, var)?;
        let warn = decl.visibility == Visibility::Normal && !var.name.name.starts_with('_');
        let initial = match &var.init {
            Some(Initializer::Expr(e)) => self.constant_quietly(e),
            None => Some(0),
            _ => None,
        };
        self.add_variable(&var.name.name, ty, owner, var.name.span, initial, warn)
    }

    fn add_variable(
        &mut self,
        name: &str,
        ty: Type,
        owner: Option<usize>,
        span: Span,
        initial: Option<i64>,
        warn: bool,
    ) -> Option<usize> {
        let frame = match owner {
            None => &mut self.model.globals,
            Some(process) => &mut self.model.processes[process].frame,
        };
        match frame.add(
            &self.model.records,
            name,
            ty.clone(),
            !warn && name.starts_with('_'),
        ) {
            Ok(index) => {
                let offset = frame.variables[index].offset;
                self.variables.push(Variable {
                    name: name.to_string(),
                    ty,
                    owner,
                    index,
                    offset,
                    span,
                    initial,
                    channel: None,
                    read: false,
                    warn,
                });
                Some(self.variables.len() - 1)
            }
            Err(_) => {
                self.error(
                    span,
                    format!("variable `{name}` is too large for any state"),
                );
                None
            }
        }
    }

    /// A global variable that the front end needs for itself.
    pub(super) fn internal_global(&mut self, name: &str, scalar: Scalar) -> Option<Place> {
        let ty = Type::Scalar(scalar);
        let id = self.add_variable(name, ty, None, Span::default(), None, false)?;
        let variable = &self.variables[id];
        Some(Place {
            owner: Owner::Global,
            variable: variable.index,
            offset: variable.offset,
            indices: Vec::new(),
            scalar,
        })
    }

    /// The effects that give a variable its declared value when it is all zero.
    fn initial_effects(&mut self, id: usize, var: &'a VarDecl) -> Vec<Effect> {
        let mut effects = Vec::new();
        let whole = self.whole(id);
        self.initialize(&whole, var.init.as_ref(), &mut effects);
        if effects.len() > MAX_INITIALS {
            self.error(var.name.span, "the variable has too many initial values");
            effects.clear();
        }
        effects
    }

    /// Remembers the type of the channel that a variable is declared with.
    fn note_channel(&mut self, id: usize, effects: &[Effect]) {
        self.variables[id].channel = effects.iter().find_map(|effect| match effect {
            Effect::CreateChannel(_, ty) => Some(*ty),
            _ => None,
        });
    }

    fn initialize(
        &mut self,
        whole: &Resolved,
        init: Option<&'a Initializer>,
        effects: &mut Vec<Effect>,
    ) {
        if effects.len() > MAX_INITIALS {
            return;
        }
        match &whole.ty {
            Type::Array(_, length) => {
                if init.is_none() && !self.has_initials(&whole.ty) {
                    return;
                }
                for element in 0..*length {
                    let Some(part) = whole.element(&self.model.records, element) else {
                        return;
                    };
                    match init {
                        Some(Initializer::List(values, _)) => {
                            // The last value serves for all that follow.
                            let value = values.get(element as usize).or(values.last());
                            if let (Some(value), Type::Scalar(scalar)) = (value, &part.ty) {
                                let value = self.value_for(value, *scalar);
                                effects.push(Effect::Assign(part.place(*scalar), value));
                            }
                        }
                        _ => self.initialize(&part, init, effects),
                    }
                    if effects.len() > MAX_INITIALS {
                        return;
                    }
                }
            }
            Type::Record(record) => {
                let fields = self.model.records.0[*record].fields.clone();
                let initials = self
                    .field_initials
                    .get(*record)
                    .cloned()
                    .unwrap_or_default();
                for (field, init) in fields.iter().zip(initials) {
                    self.initialize(&whole.field(field), init, effects);
                }
            }
            Type::Scalar(scalar) => match init {
                None => {}
                Some(Initializer::Expr(e)) => {
                    let value = self.value_for(e, *scalar);
                    effects.push(Effect::Assign(whole.place(*scalar), value));
                }
                Some(Initializer::List(_, span)) => {
                    self.error(*span, "only an array can have a list of initial values");
                }
                Some(Initializer::Channel {
                    capacity,
                    fields,
                    span,
                }) => {
                    if scalar.meaning != Meaning::Channel {
                        self.error(*span, "only a `chan` variable can hold a channel");
                        return;
                    }
                    let capacity = self.count(
                        capacity,
                        "the capacity of a channel",
                        0,
                        MAX_COUNT as i64 - 1,
                    );
                    let fields = self.message_fields(fields);
                    let ty = self.channel_type(capacity as u32, fields, *span);
                    effects.push(Effect::CreateChannel(whole.place(*scalar), ty));
                }
            },
        }
    }

    fn has_initials(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(_) => false,
            Type::Array(element, _) => self.has_initials(element),
            Type::Record(record) => {
                let fields = &self.model.records.0[*record].fields;
                let initials = self.field_initials.get(*record);
                initials.is_some_and(|i| i.iter().any(Option::is_some))
                    || fields.iter().any(|f| self.has_initials(&f.ty))
            }
        }
    }

    /// The scalars that messages with these fields are made of.
    fn message_fields(&mut self, fields: &[TypeName]) -> Vec<Scalar> {
        let mut scalars = Vec::new();
        for field in fields {
            if let Some(ty) = self.base_type(field, None) {
                self.flatten(&ty, &mut scalars);
            }
        }
        if let [Scalar { bits: 1, .. }] = scalars.as_slice() {
            scalars[0].bits = 8;
        }
        scalars
    }

    fn flatten(&self, ty: &Type, out: &mut Vec<Scalar>) {
        match ty {
            Type::Scalar(scalar) => out.push(*scalar),
            Type::Array(element, length) => {
                for _ in 0..(*length).min(1 << 16) {
                    self.flatten(element, out);
                }
            }
            Type::Record(record) => {
                for field in &self.model.records.0[*record].fields {
                    self.flatten(&field.ty, out);
                }
            }
        }
    }

    /// The effects of a declaration in the middle of a body: the variable becomes new.
    pub(super) fn redeclare(&mut self, decl: &'a Decl, index: usize) -> Vec<Effect> {
        let var = &decl.vars[index];
        let Some(id) = self.scope.find(&var.name.name) else {
            return Vec::new();
        };
        if let Some(Initializer::Channel { span, .. }) = &var.init {
            self.error(*span, "a channel cannot be created in the middle of a body")
                .help = Some("move the declaration to the beginning of the proctype".into());
            return Vec::new();
        }
        let whole = self.whole(id);
        let mut effects = Vec::new();
        for part in whole.scalars(&self.model.records, MAX_INITIALS) {
            effects.push(Effect::Assign(part, Expr::Const(0)));
        }
        let initial = self.initial_effects(id, var);
        // A plain variable gets its value at once.
        if matches!(whole.ty, Type::Scalar(_)) && !initial.is_empty() {
            effects.clear();
        }
        effects.extend(initial);
        effects
    }

    /// A variable as a whole.
    pub(super) fn whole(&self, id: usize) -> Resolved {
        let variable = &self.variables[id];
        Resolved {
            owner: if variable.owner.is_some() {
                Owner::Local
            } else {
                Owner::Global
            },
            variable: variable.index,
            offset: variable.offset,
            indices: Vec::new(),
            ty: variable.ty.clone(),
        }
    }
}

impl Resolved {
    /// An element of an array, by a constant index.
    fn element(&self, records: &lariat_ir::types::Records, index: u32) -> Option<Resolved> {
        let Type::Array(element, _) = &self.ty else {
            return None;
        };
        let (stride, _) = records.size(element).ok()?;
        Some(Resolved {
            offset: self.offset + index * stride,
            ty: (**element).clone(),
            ..self.clone()
        })
    }

    /// A field of a record.
    pub(super) fn field(&self, field: &lariat_ir::types::Field) -> Resolved {
        Resolved {
            offset: self.offset + field.offset,
            ty: field.ty.clone(),
            ..self.clone()
        }
    }

    /// The place of a scalar.
    pub(super) fn place(&self, scalar: Scalar) -> Place {
        Place {
            owner: self.owner.clone(),
            variable: self.variable,
            offset: self.offset,
            indices: self.indices.clone(),
            scalar,
        }
    }

    /// All scalars inside, in order, but not many more than `limit`.
    pub(super) fn scalars(&self, records: &lariat_ir::types::Records, limit: usize) -> Vec<Place> {
        let mut places = Vec::new();
        self.collect_scalars(records, limit, &mut places);
        places
    }

    fn collect_scalars(
        &self,
        records: &lariat_ir::types::Records,
        limit: usize,
        places: &mut Vec<Place>,
    ) {
        if places.len() > limit {
            return;
        }
        match &self.ty {
            Type::Scalar(scalar) => places.push(self.place(*scalar)),
            Type::Array(_, length) => {
                for index in 0..*length {
                    if let (Some(part), true) =
                        (self.element(records, index), places.len() <= limit)
                    {
                        part.collect_scalars(records, limit, places);
                    } else {
                        break;
                    }
                }
            }
            Type::Record(record) => {
                for field in &records.0[*record].fields {
                    self.field(field).collect_scalars(records, limit, places);
                }
            }
        }
    }

    /// Adds an index.
    pub(super) fn index(
        mut self,
        value: Expr,
        length: u32,
        stride: u32,
        element: Type,
    ) -> Resolved {
        self.indices.push(Index {
            value,
            length,
            stride,
        });
        self.ty = element;
        self
    }
}

impl<'a> Declare<'a> for Lowering<'a> {
    fn declare(&mut self, decl: &'a Decl, scope: &Scope, at_start: bool) -> Scope {
        let mut scope = scope.clone();
        for var in &decl.vars {
            scope = self.declare_local(decl, var, &scope);
            let id = scope.find_in_block(&var.name.name);
            if let (true, Some(id), Some(process)) = (at_start, id, self.current) {
                // Initial values see what is declared before them.
                let outer = std::mem::replace(&mut self.scope, scope.clone());
                let effects = self.initial_effects(id, var);
                self.note_channel(id, &effects);
                self.scope = outer;
                self.model.processes[process].init.extend(effects);
            }
        }
        scope
    }

    fn declare_counter(&mut self, name: &str, scope: &Scope, span: Span) -> Scope {
        let ty = Type::Scalar(Scalar::unsigned(8));
        match self.add_variable(name, ty, self.current, span, None, false) {
            Some(id) => scope.declare(name, id),
            None => scope.clone(),
        }
    }

    fn is_channel(&self, var: &VarRef, scope: &Scope) -> bool {
        matches!(
            self.type_of(var, scope),
            Some(Type::Scalar(Scalar {
                meaning: Meaning::Channel,
                ..
            }))
        )
    }

    fn array_length(&self, var: &VarRef, scope: &Scope) -> Option<u32> {
        match self.type_of(var, scope)? {
            Type::Array(_, length) => Some(length),
            _ => None,
        }
    }

    fn is_in_inline(&self, span: Span) -> bool {
        let sources = &self.model.sources;
        std::iter::successors(sources.expansion(span.expansion), |e| {
            sources.expansion(e.call.expansion)
        })
        .any(|e| e.kind == ExpansionKind::Inline)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// The elements of an array of bits are bytes, as is a bit that is a message of its own: this is
/// how SPIN stores them, and a value such as 2 is kept.
fn widen_bits(ty: Type) -> Type {
    match ty {
        Type::Scalar(scalar) if scalar.bits == 1 => Type::Scalar(Scalar { bits: 8, ..scalar }),
        ty => ty,
    }
}

fn initializer_span(init: &Initializer) -> Span {
    match init {
        Initializer::Expr(e) => e.span,
        Initializer::List(_, span) | Initializer::Channel { span, .. } => *span,
    }
}

/// Whether a constant would lose bits in a variable of this type.
pub(super) fn loses_bits(value: i64, scalar: Scalar) -> bool {
    // Minus one is a common way to write "all bits".
    let all_bits = value == -1 && !scalar.signed;
    !all_bits && i64::from(scalar.truncate(value as i32)) != value
}

/// The value of an expression that is written as a number.
pub(super) fn literal(e: &ast::Expr) -> Option<i64> {
    match &e.kind {
        ast::ExprKind::Int(value) => Some(*value),
        ast::ExprKind::Unary(ast::UnaryOp::Minus, e) => literal(e).map(|v| -v),
        _ => None,
    }
}
