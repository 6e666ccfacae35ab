//! Formulas and never claims become properties of the model.
//!
//! A formula is cut at its boolean and temporal operators; what is left below them are the atoms. A
//! never claim goes through the same construction as a process, so that its states have SPIN's
//! numbers, and is then turned into an automaton: all that it executes before the model moves again
//! is one edge.

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::expr::{Expr as Condition, Unary};
use lariat_ir::model::{Action, Effect, LocationId, Model, ProcessType, Transition};
use lariat_ir::property::{Atom, Claim, ClaimEdge, ClaimState, Literal, Property, PropertyKind};
use lariat_ir::source::Span;
use lariat_ir::text::text;
use lariat_ltl::{Formula, Formulas};

use super::flow::FlowBuilder;
use super::process::empty;
use super::scope::Scope;
use super::{Body, Lowering};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp, Unit};
use crate::pretty::Pretty;

/// A property that is not finished before all processes are.
pub(super) enum Draft<'a> {
    Ready(Property),
    Claim {
        name: String,
        body: Body<'a>,
        process: ProcessType,
    },
}

impl<'a> Lowering<'a> {
    /// Lowers what properties say; this may add elements to the processes that they speak of.
    pub(super) fn draft_properties(&mut self) -> Vec<Draft<'a>> {
        let mut drafts = Vec::new();
        let mut unnamed = [0; 2];
        for unit in &self.program.units {
            let (claim, name, span) = match unit {
                Unit::Never(claim) => (true, &claim.name, claim.span),
                Unit::Ltl(ltl) => (false, &ltl.name, ltl.span),
                _ => continue,
            };
            let counter = &mut unnamed[usize::from(claim)];
            let name = match name {
                Some(name) => name.name.clone(),
                None => {
                    *counter += 1;
                    let kind = if claim { "never" } else { "ltl" };
                    format!("{kind}_{}", *counter - 1)
                }
            };
            if drafts.iter().any(|d| draft_name(d) == name) {
                let message = format!("there are two properties with the name `{name}`");
                self.report(Diagnostic::error(span, message));
            }
            drafts.push(match unit {
                Unit::Ltl(ltl) => self.draft_formula(name, &ltl.formula, span),
                _ => self.draft_claim(name, unit, span),
            });
        }
        drafts
    }

    fn draft_formula(&mut self, name: String, e: &Expr, span: Span) -> Draft<'a> {
        self.scope = Scope::default();
        let mut formulas = Formulas::new();
        let mut atoms = Vec::new();
        let formula = self.formula(e, &mut formulas, &mut atoms);
        Draft::Ready(Property {
            name,
            kind: PropertyKind::Formula { formulas, formula },
            atoms,
            span,
        })
    }

    fn formula(&mut self, e: &Expr, formulas: &mut Formulas, atoms: &mut Vec<Atom>) -> Formula {
        match &e.kind {
            ExprKind::Unary(
                op @ (UnaryOp::Not | UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next),
                a,
            ) => {
                let a = self.formula(a, formulas, atoms);
                match op {
                    UnaryOp::Always => formulas.always(a),
                    UnaryOp::Eventually => formulas.eventually(a),
                    UnaryOp::Next => formulas.next(a),
                    _ => formulas.not(a),
                }
            }
            ExprKind::Binary(op, a, b)
                if is_connective(*op) || is_bitwise(*op) && is_temporal(e) =>
            {
                let a = self.formula(a, formulas, atoms);
                let b = self.formula(b, formulas, atoms);
                match op {
                    BinaryOp::Until => formulas.until(a, b),
                    BinaryOp::WeakUntil => formulas.weak_until(a, b),
                    BinaryOp::Release => formulas.release(a, b),
                    BinaryOp::Implies => formulas.implies(a, b),
                    BinaryOp::Equivalent => formulas.equiv(a, b),
                    BinaryOp::And | BinaryOp::BitAnd => formulas.and([a, b]),
                    _ => formulas.or([a, b]),
                }
            }
            _ => match self.condition(e) {
                Condition::Const(value) => {
                    self.warn_of_constant(e, value != 0);
                    match value {
                        0 => Formula::FALSE,
                        _ => Formula::TRUE,
                    }
                }
                condition => {
                    let text = Pretty(&self.model.sources).expression(e);
                    let atom = number_of(atoms, text, condition);
                    formulas.atom(&atoms[atom as usize].text)
                }
            },
        }
    }

    /// Warns of a condition of a formula that reads no variable, unless it is a plain number or a truth value.
    fn warn_of_constant(&mut self, e: &Expr, value: bool) {
        // A name that is not declared has no value, which is no reason for a second message.
        if self
            .diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
        {
            return;
        }
        let text = Pretty(&self.model.sources).expression(e);
        if !text.contains(|c: char| c.is_ascii_alphabetic())
            || matches!(text.as_str(), "true" | "false")
        {
            return;
        }
        let message = format!("`{text}` is {value} in every state, because it reads no variable");
        let help = "compare a variable with it, if that is what is meant";
        self.report(Diagnostic::warning(e.span, message).help(help));
    }

    fn draft_claim(&mut self, name: String, unit: &'a Unit, span: Span) -> Draft<'a> {
        let Unit::Never(claim) = unit else {
            return unsupported(name, span, "it is not a never claim");
        };
        let index = self.bodies.len();
        let variables = self.variables.len();
        self.model.processes.push(empty(name.clone(), span));
        self.current = Some(index);
        let flow = FlowBuilder::build(self, &claim.body, Scope::default(), false);
        self.bodies.push(Body {
            name: name.clone(),
            unit,
            span,
            flow,
            steps: Vec::new(),
            parameters: Vec::new(),
            scope: Scope::default(),
        });
        self.lower_elements(index);
        self.current = None;
        self.variables.truncate(variables);
        match (self.bodies.pop(), self.model.processes.pop()) {
            (Some(body), Some(process)) => Draft::Claim {
                name,
                body,
                process,
            },
            _ => unsupported(name, span, "it has no body"),
        }
    }

    /// Completes the properties, when all processes are known.
    pub(super) fn finish_properties(&mut self, drafts: Vec<Draft<'a>>) {
        for draft in drafts {
            let property = match draft {
                Draft::Ready(property) => property,
                Draft::Claim {
                    name,
                    body,
                    process,
                } => self.finish_claim(name, body, process),
            };
            self.model.properties.push(property);
        }
    }

    fn finish_claim(&mut self, name: String, body: Body<'a>, process: ProcessType) -> Property {
        let span = body.span;
        let index = self.bodies.len();
        self.bodies.push(body);
        self.model.processes.push(process);
        self.connect(index);
        self.bodies.pop();
        let Some(process) = self.model.processes.pop() else {
            return Property {
                name,
                kind: PropertyKind::Claim(Claim::default()),
                atoms: Vec::new(),
                span,
            };
        };
        let mut builder = ClaimBuilder {
            process: &process,
            model: &self.model,
            atoms: Vec::new(),
        };
        let kind = match builder.claim() {
            Ok(claim) => PropertyKind::Claim(claim),
            Err(why) => PropertyKind::Unsupported(why),
        };
        Property {
            name,
            kind,
            atoms: builder.atoms,
            span,
        }
    }
}

fn unsupported<'a>(name: String, span: Span, why: &str) -> Draft<'a> {
    Draft::Ready(Property {
        name,
        kind: PropertyKind::Unsupported(why.into()),
        atoms: Vec::new(),
        span,
    })
}

fn draft_name<'d>(draft: &'d Draft) -> &'d str {
    match draft {
        Draft::Ready(property) => &property.name,
        Draft::Claim { name, .. } => name,
    }
}

/// The number of the atom with this text.
fn number_of(atoms: &mut Vec<Atom>, text: String, condition: Condition) -> u32 {
    let known = atoms.iter().position(|a| a.text == text);
    known.unwrap_or_else(|| {
        atoms.push(Atom { text, condition });
        atoms.len() - 1
    }) as u32
}

fn is_connective(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Until
            | BinaryOp::WeakUntil
            | BinaryOp::Release
            | BinaryOp::Implies
            | BinaryOp::Equivalent
    )
}

/// Below a temporal operator these can only mean `&&` and `||`.
fn is_bitwise(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr)
}

/// Whether a temporal operator occurs in an expression.
fn is_temporal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Unary(op, a) => {
            matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next) || is_temporal(a)
        }
        ExprKind::Binary(op, a, b) => {
            is_connective(*op) && !matches!(op, BinaryOp::And | BinaryOp::Or)
                || is_temporal(a)
                || is_temporal(b)
        }
        _ => false,
    }
}

/// More statements than this in a row, while the model waits, are taken for a loop.
const MAX_PATH: usize = 1000;
/// More edges than this are not made.
const MAX_EDGES: usize = 1 << 16;

/// Turns the process of a claim into an automaton.
struct ClaimBuilder<'p> {
    process: &'p ProcessType,
    model: &'p Model,
    atoms: Vec<Atom>,
}

/// The statements that a claim has executed since the model moved.
#[derive(Clone)]
struct ClaimPath {
    at: LocationId,
    guard: Vec<Literal>,
    length: usize,
}

impl ClaimBuilder<'_> {
    fn claim(&mut self) -> Result<Claim, String> {
        if !self.process.frame.variables.is_empty() {
            return Err("it has variables of its own; let a process keep them".into());
        }
        let mut states = Vec::new();
        for (id, location) in self.process.locations.iter().enumerate() {
            let statement = location.transitions.first();
            let line = statement.map_or(0, |&t| self.line(t));
            let reachable = !location.inside && !location.end;
            states.push(ClaimState {
                accept: location.accept,
                end: location.end,
                edges: if reachable {
                    self.edges(id as LocationId)?
                } else {
                    Vec::new()
                },
                line,
            });
        }
        Ok(Claim {
            states,
            initial: self.process.initial,
            accept_labels: true,
        })
    }

    fn transition(&self, index: u32) -> &Transition {
        &self.process.transitions[index as usize]
    }

    fn line(&self, index: u32) -> u32 {
        let span = self.transition(index).statement.span;
        self.model.sources.location(span).line
    }

    /// All that the claim can do in a location before the model moves.
    fn edges(&mut self, from: LocationId) -> Result<Vec<ClaimEdge>, String> {
        let mut edges = Vec::new();
        let mut open = vec![ClaimPath {
            at: from,
            guard: Vec::new(),
            length: 0,
        }];
        while let Some(path) = open.pop() {
            if path.length > MAX_PATH || edges.len() + open.len() > MAX_EDGES {
                return Err("a sequence of its statements is too long, or never ends".into());
            }
            let location = &self.process.locations[path.at as usize];
            // The last is put on the pile first, so that edges come in the order of the text.
            for position in (0..location.transitions.len()).rev() {
                let others: Vec<u32> = location.transitions[..position]
                    .iter()
                    .chain(&location.transitions[position + 1..])
                    .copied()
                    .collect();
                let index = location.transitions[position];
                self.extend(&path, index, &others, &mut open, &mut edges)?;
            }
        }
        // Chains that ended were collected from the last to the first.
        edges.reverse();
        Ok(edges)
    }

    /// Follows one transition from the end of a path.
    fn extend(
        &mut self,
        path: &ClaimPath,
        index: u32,
        others: &[u32],
        open: &mut Vec<ClaimPath>,
        edges: &mut Vec<ClaimEdge>,
    ) -> Result<(), String> {
        let transition = self.transition(index).clone();
        let mut path = ClaimPath {
            at: transition.target,
            guard: path.guard.clone(),
            length: path.length + 1,
        };
        match &transition.action {
            Action::Guarded { condition, effects } => {
                if !self.require(&mut path.guard, condition, true) {
                    return Ok(());
                }
                for effect in effects {
                    match effect {
                        Effect::Print(_) => {}
                        Effect::Assert(e) => {
                            let mut fails = path.guard.clone();
                            if self.require(&mut fails, e, false) {
                                edges.push(ClaimEdge {
                                    guard: fails,
                                    target: Err(self.line(index)),
                                });
                            }
                            if !self.require(&mut path.guard, e, true) {
                                return Ok(());
                            }
                        }
                        _ => return Err(self.side_effect(index)),
                    }
                }
            }
            Action::Else => {
                for &other in others {
                    for condition in self.conditions(other)? {
                        if !self.require(&mut path.guard, &condition, false) {
                            return Ok(());
                        }
                    }
                }
            }
            Action::Indivisible { entry } => path.at = *entry,
            Action::Terminate => return Ok(()),
            Action::Send { .. } | Action::Receive { .. } => return Err(self.side_effect(index)),
        }
        let inside = self.process.locations[path.at as usize].inside;
        if transition.atomic || inside {
            open.push(path);
        } else {
            edges.push(ClaimEdge {
                guard: path.guard,
                target: Ok(path.at),
            });
        }
        Ok(())
    }

    /// What makes a transition executable: one of these.
    fn conditions(&self, index: u32) -> Result<Vec<Condition>, String> {
        match &self.transition(index).action {
            Action::Guarded { condition, .. } => Ok(vec![condition.clone()]),
            Action::Indivisible { entry } => {
                let first = &self.process.locations[*entry as usize].transitions;
                let mut all = Vec::new();
                for &index in first {
                    match &self.transition(index).action {
                        Action::Guarded { condition, .. } => all.push(condition.clone()),
                        _ => all.push(Condition::TRUE),
                    }
                }
                Ok(all)
            }
            Action::Else | Action::Terminate => Ok(Vec::new()),
            Action::Send { .. } | Action::Receive { .. } => Err(self.side_effect(index)),
        }
    }

    fn side_effect(&self, index: u32) -> String {
        let statement = &self.transition(index).statement;
        format!(
            "a never claim must not change the state, and `{}` does",
            statement.text
        )
    }

    /// Adds a condition to a guard; answers whether both can hold.
    fn require(&mut self, guard: &mut Vec<Literal>, condition: &Condition, positive: bool) -> bool {
        let (condition, positive) = strip_negations(condition, positive);
        if let Condition::Const(value) = condition {
            return (*value != 0) == positive;
        }
        let text = text(self.model, condition);
        let literal = Literal {
            atom: number_of(&mut self.atoms, text, condition.clone()),
            positive,
        };
        let opposite = Literal {
            positive: !positive,
            ..literal
        };
        if guard.contains(&opposite) {
            return false;
        }
        if !guard.contains(&literal) {
            guard.push(literal);
        }
        true
    }
}

fn strip_negations(mut condition: &Condition, mut positive: bool) -> (&Condition, bool) {
    while let Condition::Unary(Unary::Not, inner) = condition {
        condition = inner;
        positive = !positive;
    }
    (condition, positive)
}
