//! The property process: an automaton of the runs that must not happen.
//!
//! It moves once before each step of the system, and its guards look at the state before that step;
//! so it is what Promela calls a never claim. A guard is taken apart into its conjuncts, so that
//! the code that works with the automaton sees which conditions exclude each other - unless one of them
//! might fail and is protected by one before it, as in `i < 3 && x[i] == 0`.

use std::collections::HashMap;

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::Expr;
use lariat_ir::property::{Atom, Claim, ClaimEdge, ClaimState, Literal, Property, PropertyKind};
use lariat_ir::source::Span;

use super::{Lowering, fold};
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::pretty::expression_text;

/// The conditions of a property, and their numbers by their texts.
#[derive(Default)]
struct Atoms {
    list: Vec<Atom>,
    numbers: HashMap<String, u32>,
}

impl Lowering {
    /// Adds the property; `index` is that of its names.
    pub(super) fn lower_property(&mut self, index: usize, process: &ast::Process) {
        self.refuse(process);
        self.scope = Some(index);
        let mut claim = Claim {
            states: vec![ClaimState::default(); process.states.len()],
            initial: 0,
            accept_labels: false,
        };
        for (state, name) in claim.states.iter_mut().zip(&process.states) {
            state.line = self.model.sources.location(name.span).line;
        }
        if let Some(init) = &process.init
            && let Some(state) = self.state(index, init)
        {
            claim.initial = state;
        }
        for name in &process.accept {
            if let Some(state) = self.state(index, name) {
                claim.states[state as usize].accept = true;
            }
        }
        let mut atoms = Atoms::default();
        for transition in &process.transitions {
            let source = self.state(index, &transition.source);
            let target = self.state(index, &transition.target);
            let guard = self.literals(&transition.guards, &mut atoms);
            if let (Some(source), Some(target), Some(guard)) = (source, target, guard) {
                let line = self.model.sources.location(transition.span).line;
                let state = &mut claim.states[source as usize];
                if state.edges.is_empty() {
                    state.line = line;
                }
                state.edges.push(ClaimEdge {
                    guard,
                    target: Ok(target),
                });
            }
        }
        self.scope = None;
        self.model.properties.push(Property {
            name: process.name.name.clone(),
            kind: PropertyKind::Claim(claim),
            atoms: atoms.list,
            span: process.span,
        });
    }

    /// A property only watches.
    fn refuse(&mut self, process: &ast::Process) {
        let mut refuse = |span: Span, what: &str, help: &str| {
            let message = format!("a property process cannot {what}");
            self.sink
                .report(Diagnostic::error(span, message).help(help));
        };
        if let Some(variable) = process.variables.iter().find(|v| !v.constant) {
            refuse(
                variable.name.span,
                "have variables",
                "let another process keep the variable, or use more states",
            );
        }
        let sync = process.transitions.iter().find_map(|t| t.sync.as_ref());
        if let Some(sync) = sync {
            refuse(
                sync.span,
                "have a `sync`",
                "it only watches; look at states and variables in its guards",
            );
        }
        let effect = process.transitions.iter().find_map(|t| t.effects.first());
        if let Some(effect) = effect {
            refuse(
                effect.span,
                "have an `effect`",
                "it only watches; use more states to remember what has happened",
            );
        }
        if let Some(state) = process.commit.first() {
            refuse(state.span, "have committed states", "remove `commit`");
        }
        if let Some(assertion) = process.assertions.first() {
            refuse(
                assertion.span,
                "have assertions",
                "add them to the process whose states they speak of",
            );
        }
    }

    /// Guards as literals; `None` if they can never hold together.
    fn literals(&mut self, guards: &[ast::Expr], atoms: &mut Atoms) -> Option<Vec<Literal>> {
        let mut parts = Vec::new();
        for guard in guards {
            conjuncts(guard, &mut parts);
        }
        let mut literals: Vec<(String, Expr, bool)> = Vec::new();
        for part in parts {
            let (part, positive) = strip_negations(part);
            literals.push((expression_text(part), self.expr(part), positive));
        }
        if literals.len() > 1 && !literals.iter().all(|(_, e, _)| fold::is_total(e)) {
            let texts: Vec<String> = guards.iter().map(expression_text).collect();
            let conditions = guards.iter().map(|e| self.expr(e)).collect();
            literals = vec![(texts.join(", "), fold::all(conditions), true)];
        }
        let mut guard: Vec<Literal> = Vec::new();
        let mut seen: HashMap<u32, bool> = HashMap::new();
        for (text, condition, positive) in literals {
            if let Expr::Const(value) = condition {
                if (value != 0) != positive {
                    return None;
                }
                continue;
            }
            let literal = Literal {
                atom: atoms.number(text, condition),
                positive,
            };
            match seen.insert(literal.atom, positive) {
                None => guard.push(literal),
                Some(before) if before != positive => return None,
                Some(_) => {}
            }
        }
        Some(guard)
    }
}

impl Atoms {
    /// The number of the atom with this text.
    fn number(&mut self, text: String, condition: Expr) -> u32 {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let number = self.list.len() as u32;
        self.numbers.insert(text.clone(), number);
        self.list.push(Atom { text, condition });
        number
    }
}

/// The parts of `a && b && c`, in order.
fn conjuncts<'e>(e: &'e ast::Expr, parts: &mut Vec<&'e ast::Expr>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            conjuncts(a, parts);
            conjuncts(b, parts);
        }
        _ => parts.push(e),
    }
}

fn strip_negations(mut e: &ast::Expr) -> (&ast::Expr, bool) {
    let mut positive = true;
    while let ExprKind::Unary(UnaryOp::Not, inner) = &e.kind {
        e = inner;
        positive = !positive;
    }
    (e, positive)
}
