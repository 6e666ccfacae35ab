//! Declarations: variables with their initial values, channels, processes with their states.

use std::collections::HashMap;

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{self as ir, Expr, Owner, Place};
use lariat_ir::model::{Effect, Location, ProcessType};
use lariat_ir::source::Span;
use lariat_ir::state::MAX_COUNT;
use lariat_ir::types::{Frame, Scalar, Type};

use super::{Channel, Global, Lowering, Process, Users, Variable};
use crate::ast::{self, Ident, Initializer, NumberType, System};

/// The most elements of an array.
const MAX_ELEMENTS: i32 = 1 << 24;

/// A type in the IR.
fn scalar(ty: NumberType) -> Scalar {
    match ty {
        NumberType::Byte => Scalar::unsigned(8).checked(),
        NumberType::Int => Scalar::signed(16).checked(),
    }
}

impl Lowering {
    /// What holds the numbers of a type.
    pub(super) fn scalar(&self, ty: NumberType) -> Scalar {
        Scalar {
            checked: !self.wrap,
            ..scalar(ty)
        }
    }

    /// Variables, channels, and the names of the processes.
    pub(super) fn declare_globals(&mut self, system: &System) {
        for variable in &system.variables {
            // A variable cannot be used in its own initial value.
            let index = self.names.variables.len();
            self.declare_variable(variable, None);
            self.declare_global(&variable.name, Global::Variable(index));
        }
        for channel in &system.channels {
            let index = self.names.channels.len();
            self.declare_global(&channel.name, Global::Channel(index));
            if channel.capacity as usize >= MAX_COUNT {
                let message = format!("a channel holds at most {} messages", MAX_COUNT - 1);
                self.error(channel.span, message);
            }
            self.names.channels.push(Channel {
                name: channel.name.clone(),
                fields: channel.fields.clone(),
                capacity: channel.capacity,
                arity: None,
                senders: Users::None,
                receivers: Users::None,
            });
        }
        let mut number = 0;
        for process in &system.processes {
            let index = self.names.processes.len();
            self.declare_global(&process.name, Global::Process(index));
            let property = system.property.as_ref();
            let is_property = property.is_some_and(|p| p.name == process.name.name);
            self.names.processes.push(Process {
                name: process.name.clone(),
                number: (!is_property).then_some(number),
                variables: HashMap::new(),
                states: HashMap::new(),
            });
            number += usize::from(!is_property);
        }
        if let Some(property) = &system.property {
            self.process(property);
        }
    }

    fn declare_global(&mut self, name: &Ident, global: Global) {
        match self.names.globals.get(&name.name) {
            None => {
                self.names.globals.insert(name.name.clone(), global);
            }
            Some(&first) => {
                let (span, _) = self.global(first);
                self.twice(name, span);
            }
        }
    }

    /// Where a global name is declared, and what it is.
    fn global(&self, global: Global) -> (Span, &'static str) {
        match global {
            Global::Variable(v) if self.names.variables[v].constant => {
                (self.names.variables[v].name.span, "constant")
            }
            Global::Variable(v) => (self.names.variables[v].name.span, "variable"),
            Global::Channel(c) => (self.names.channels[c].name.span, "channel"),
            Global::Process(p) => (self.names.processes[p].name.span, "process"),
        }
    }

    fn twice(&mut self, name: &Ident, first: Span) {
        let message = format!("`{}` is declared twice", name.name);
        self.report(Diagnostic::error(name.span, message).related(first, "first declared here"));
    }

    /// The variables and states of all processes.
    pub(super) fn declare_processes(&mut self, system: &System) {
        for (index, process) in system.processes.iter().enumerate() {
            if let Some(number) = self.names.processes[index].number {
                debug_assert_eq!(number, self.model.processes.len());
                self.model.processes.push(empty(process));
            }
            self.scope = Some(index);
            for variable in &process.variables {
                self.declare_local(index, variable);
            }
            self.scope = None;
            let mut places: HashMap<&str, Span> = HashMap::new();
            for (number, state) in process.states.iter().enumerate() {
                if let Some(&variable) = self.names.processes[index].variables.get(&state.name) {
                    self.twice(state, self.names.variables[variable].name.span);
                }
                if let Some(first) = places.insert(&state.name, state.span) {
                    self.twice(state, first);
                }
                let states = &mut self.names.processes[index].states;
                states.insert(state.name.clone(), number as u32);
            }
            if process.states.len() > MAX_COUNT {
                let message = format!("a process has at most {MAX_COUNT} states");
                self.error(process.span, message);
            }
        }
    }

    fn declare_local(&mut self, process: usize, variable: &ast::Variable) {
        let name = &variable.name;
        if let Some(&first) = self.names.processes[process].variables.get(&name.name) {
            self.twice(name, self.names.variables[first].name.span);
        } else if let Some(&global) = self.names.globals.get(&name.name) {
            let (span, what) = self.global(global);
            // DiVinE reads this, and some known systems have it.
            let message = format!("`{}` hides the global {what} of the same name", name.name);
            self.report(
                Diagnostic::warning(name.span, message)
                    .related(span, "declared here")
                    .help("inside this process the name means its own variable"),
            );
        }
        let index = self.names.variables.len();
        self.declare_variable(variable, Some(process));
        let variables = &mut self.names.processes[process].variables;
        variables.insert(name.name.clone(), index);
    }

    fn declare_variable(&mut self, variable: &ast::Variable, owner: Option<usize>) {
        let length = variable.length.as_ref().and_then(|e| self.length(e));
        let is_array = variable.length.is_some();
        let initial = self.initial_values(variable, length, is_array);
        let index = self.names.variables.len();
        self.names.variables.push(Variable {
            name: variable.name.clone(),
            ty: variable.ty,
            length: is_array.then_some(length.unwrap_or(1)),
            constant: variable.constant,
            initial,
            owner,
            place: None,
        });
        if !variable.constant {
            self.give_place(index);
        } else if variable.init.is_none() {
            let message = format!("constant `{}` has no value", variable.name.name);
            self.report(
                Diagnostic::error(variable.name.span, message)
                    .help(format!("write `{} = ...`", variable.name.name)),
            );
        }
    }

    /// The length of an array.
    fn length(&mut self, e: &ast::Expr) -> Option<u32> {
        let value = self.value(e, false, "the length of an array")?;
        if value < 1 {
            let message = format!("an array has at least one element, not {value}");
            self.error(e.span, message);
            return None;
        }
        if value > MAX_ELEMENTS {
            let message = format!("an array has at most {MAX_ELEMENTS} elements, not {value}");
            self.error(e.span, message);
            return None;
        }
        Some(value as u32)
    }

    fn initial_values(
        &mut self,
        variable: &ast::Variable,
        length: Option<u32>,
        is_array: bool,
    ) -> Vec<i32> {
        let name = &variable.name.name;
        match &variable.init {
            None => Vec::new(),
            Some(Initializer::One(e)) if is_array => {
                let message = format!("array `{name}` needs a list of initial values");
                self.report(
                    Diagnostic::error(e.span, message)
                        .help(format!("write `{name}[...] = {{value, value}}`")),
                );
                Vec::new()
            }
            Some(Initializer::One(e)) => vec![self.initial_value(e, variable)],
            Some(Initializer::List(_, span)) if !is_array => {
                let message = format!("`{name}` is not an array and has only one initial value");
                self.error(*span, message);
                Vec::new()
            }
            Some(Initializer::List(values, _)) => {
                let kept = self.within(variable, length, values);
                let kept = values[..kept].iter();
                kept.map(|e| self.initial_value(e, variable)).collect()
            }
        }
    }

    /// How many of the initial values of an array have an element to go to. DiVinE does not mind the
    /// others, and some known systems have them.
    fn within(
        &mut self,
        variable: &ast::Variable,
        length: Option<u32>,
        values: &[ast::Expr],
    ) -> usize {
        let length = length.map_or(values.len(), |l| l as usize);
        if let Some(extra) = values.get(length) {
            let message = format!(
                "`{}` has {length} element{}, but {} initial values",
                variable.name.name,
                if length == 1 { "" } else { "s" },
                values.len()
            );
            self.report(
                Diagnostic::warning(extra.span, message)
                    .related(variable.name.span, "declared here")
                    .help("the values from here on are ignored"),
            );
        }
        length.min(values.len())
    }

    fn initial_value(&mut self, e: &ast::Expr, variable: &ast::Variable) -> i32 {
        let Some(value) = self.value(e, true, "an initial value") else {
            return 0;
        };
        let (least, greatest) = variable.ty.range();
        if value < least || value > greatest {
            let message = format!(
                "{value} is not a value of type `{}`, whose values are {least} to {greatest}",
                variable.ty.word()
            );
            self.error(e.span, message);
        }
        value
    }

    /// The value of an expression that must be known in advance. Variables can stand for their
    /// initial values.
    fn value(&mut self, e: &ast::Expr, variables: bool, what: &str) -> Option<i32> {
        let before = self.sink.errors;
        let initials = std::mem::replace(&mut self.initials, true);
        let result = self.expr(e);
        self.initials = initials;
        let place = if variables { None } else { self.variable_in(e) };
        match (result, place) {
            _ if self.sink.errors > before => None,
            (Expr::Const(value), None) => Some(value),
            (_, place) => {
                let message = format!("{what} must be constant");
                self.report(
                    Diagnostic::error(place.unwrap_or(e.span), message)
                        .help("use numbers and names that are declared with `const`"),
                );
                None
            }
        }
    }

    /// A place in an expression at which a variable stands that is not a constant.
    fn variable_in(&self, e: &ast::Expr) -> Option<Span> {
        match &e.kind {
            ast::ExprKind::Number(_) | ast::ExprKind::Bool(_) => None,
            ast::ExprKind::At { .. } | ast::ExprKind::Remote { .. } => Some(e.span),
            ast::ExprKind::Var(place) => {
                let constant = self
                    .visible(&place.name.name)
                    .is_none_or(|v| self.names.variables[v].constant);
                let index = place.index.as_ref().and_then(|i| self.variable_in(i));
                if constant { index } else { Some(place.span) }
            }
            ast::ExprKind::Unary(_, a) => self.variable_in(a),
            ast::ExprKind::Binary(_, a, b) => self.variable_in(a).or_else(|| self.variable_in(b)),
        }
    }

    /// Gives a variable room in its frame.
    pub(super) fn give_place(&mut self, index: usize) -> Option<(usize, u32)> {
        let variable = &self.names.variables[index];
        let element = Type::Scalar(self.scalar(variable.ty));
        let ty = match variable.length {
            Some(length) => Type::Array(Box::new(element), length),
            None => element,
        };
        let number = variable.owner.and_then(|p| self.names.processes[p].number);
        let frame = match number {
            Some(number) => &mut self.model.processes[number].frame,
            None => &mut self.model.globals,
        };
        let name = variable.name.name.clone();
        let span = variable.name.span;
        match frame.add(&self.model.records, name.clone(), ty, false) {
            Ok(slot) => {
                let place = (slot, frame.variables[slot].offset);
                self.names.variables[index].place = Some(place);
                Some(place)
            }
            Err(_) => {
                let message = format!("variable `{name}` is too large for any state");
                self.error(span, message);
                None
            }
        }
    }

    /// The effects that give all variables their initial values.
    pub(super) fn initialize(&mut self) {
        for variable in &self.names.variables {
            let Some((slot, offset)) = variable.place else {
                continue;
            };
            let scalar = self.scalar(variable.ty);
            let number = variable.owner.and_then(|p| self.names.processes[p].number);
            let (owner, effects) = match number {
                Some(number) => (Owner::Local, &mut self.model.processes[number].init),
                None => (Owner::Global, &mut self.model.init),
            };
            for (element, &value) in variable.initial.iter().enumerate() {
                if value == 0 {
                    continue;
                }
                let index = variable.length.map(|length| ir::Index {
                    value: Expr::Const(element as i32),
                    length,
                    stride: scalar.storage_bits(),
                });
                let place = Place {
                    owner: owner.clone(),
                    variable: slot,
                    offset,
                    indices: index.into_iter().collect(),
                    scalar,
                };
                effects.push(Effect::Assign(place, Expr::Const(value)));
            }
        }
    }
}

/// A process type with its states, which lead nowhere yet.
fn empty(process: &ast::Process) -> ProcessType {
    let locations = process.states.iter().enumerate();
    ProcessType {
        name: process.name.name.clone(),
        frame: Frame::default(),
        parameters: Vec::new(),
        init: Vec::new(),
        priority: None,
        provided: None,
        deterministic: false,
        locations: locations
            .map(|(number, state)| Location {
                number: number as u32,
                labels: vec![state.name.clone()],
                ..Location::default()
            })
            .collect(),
        transitions: Vec::new(),
        initial: 0,
        span: process.span,
    }
}
