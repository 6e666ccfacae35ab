//! The automaton of a process.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{Binary, Expr, Unary};
use lariat_ir::model::{Action, Effect, Pattern, Statement, Transition};
use lariat_ir::property::Invariant;

use super::{Lowering, fold};
use crate::ast::{self, Ident, Message, Mode};
use crate::pretty::{expression_text, transition_text};

impl Lowering {
    /// Fills the process type of a process; `index` is that of its names.
    pub(super) fn lower_process(&mut self, index: usize, process: &ast::Process, mode: Mode) {
        let Some(number) = self.names.processes[index].number else {
            return;
        };
        self.scope = Some(index);
        self.own = true;
        if let Some(init) = &process.init
            && let Some(state) = self.state(index, init)
        {
            self.model.processes[number].initial = state;
        }
        for name in &process.accept {
            if let Some(state) = self.state(index, name) {
                self.model.processes[number].locations[state as usize].accept = true;
            }
        }
        self.commit(index, number, &process.commit, mode);
        for transition in &process.transitions {
            self.transition(index, number, transition, mode);
        }
        self.own = false;
        self.assertions(index, number, process);
        self.scope = None;
    }

    fn commit(&mut self, index: usize, number: usize, states: &[Ident], mode: Mode) {
        if let (Some(first), Mode::Sync) = (states.first(), mode) {
            let message =
                "`commit` has no meaning in a synchronous system, in which all processes move";
            self.report(Diagnostic::warning(first.span, message));
        }
        for name in states {
            if let Some(state) = self.state(index, name) {
                let location = &mut self.model.processes[number].locations[state as usize];
                location.committed = mode == Mode::Async;
            }
        }
    }

    fn transition(&mut self, index: usize, number: usize, t: &ast::Transition, mode: Mode) {
        // The source of a shorthand is looked at where it is written.
        let source = self.state(index, &t.source);
        let target = self.state(index, &t.target);
        let action = self.action(t, mode);
        let (Some(source), Some(target)) = (source, target) else {
            return;
        };
        let statement = Statement {
            span: t.span,
            text: transition_text(t),
        };
        let process = &mut self.model.processes[number];
        let location = &mut process.locations[source as usize];
        location.transitions.push(process.transitions.len() as u32);
        if location.statement.is_none() {
            location.statement = Some(Statement {
                span: t.source.span,
                text: format!("state {}", t.source.name),
            });
        }
        process.transitions.push(Transition {
            action,
            target,
            atomic: false,
            merged: false,
            rank: 0,
            statement,
        });
    }

    fn action(&mut self, t: &ast::Transition, mode: Mode) -> Action {
        let errors = self.sink.errors;
        let guards: Vec<Expr> = t.guards.iter().map(|e| self.expr(e)).collect();
        if self.sink.errors == errors {
            self.warn_of_false_guards(t, &guards);
        }
        let condition = fold::all(guards);
        let communication = t.sync.as_ref().map(|sync| {
            if mode == Mode::Sync {
                self.report_once(
                    Diagnostic::error(
                        sync.span,
                        "the transitions of a synchronous system cannot use channels",
                    )
                    .help("let the processes share variables, or write `system async;`"),
                );
            }
            (sync, self.used_channel(sync))
        });
        let channel = |number: Option<usize>| Expr::Const(number.map_or(0, |n| n as i32 + 1));
        match communication {
            None => Action::Guarded {
                condition,
                effects: self.effects(t),
            },
            Some((sync, number)) => match &sync.message {
                Message::Send(values) => Action::Send {
                    condition,
                    channel: channel(number),
                    values: self.sent_values(number, values),
                    sorted: false,
                    lossy: false,
                    effects: self.effects(t),
                },
                Message::Receive(places) => Action::Receive {
                    condition,
                    channel: channel(number),
                    pattern: places
                        .iter()
                        .map(|place| self.assignable(place).map_or(Pattern::Any, Pattern::Store))
                        .collect(),
                    anywhere: false,
                    peek: false,
                    effects: self.effects(t),
                },
            },
        }
    }

    fn sent_values(&mut self, channel: Option<usize>, values: &[ast::Expr]) -> Vec<Expr> {
        let fields = channel.and_then(|c| self.names.channels[c].fields.clone());
        let fields = fields.unwrap_or_default();
        let mut lowered = Vec::new();
        for (position, e) in values.iter().enumerate() {
            let value = self.expr(e);
            if let Some(ty) = fields.get(position) {
                self.warn_of_range(e, &value, *ty);
            }
            lowered.push(value);
        }
        lowered
    }

    fn effects(&mut self, t: &ast::Transition) -> Vec<Effect> {
        let mut effects = Vec::new();
        for assignment in &t.effects {
            let value = self.expr(&assignment.value);
            if let Some(ty) = self.type_of(&assignment.target) {
                self.warn_of_range(&assignment.value, &value, ty);
            }
            if let Some(place) = self.assignable(&assignment.target) {
                effects.push(Effect::Assign(place, value));
            }
        }
        effects
    }

    /// `assert q: e` must hold in every state of the system in which the process is in `q`.
    fn assertions(&mut self, index: usize, number: usize, process: &ast::Process) {
        for assertion in &process.assertions {
            let state = self.state(index, &assertion.state);
            let condition = self.expr(&assertion.condition);
            let Some(location) = state else { continue };
            let elsewhere = fold::unary(
                Unary::Not,
                Expr::At {
                    process: number,
                    pid: Some(Box::new(Expr::Const(number as i32))),
                    location,
                },
            );
            self.model.invariants.push(Invariant {
                text: format!(
                    "{}.{}: {}",
                    process.name.name,
                    assertion.state.name,
                    expression_text(&assertion.condition)
                ),
                condition: fold::binary(Binary::Or, elsewhere, condition),
                span: Some(assertion.span),
            });
        }
    }
}
