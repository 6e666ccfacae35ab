//! The automaton of a process, from its control structure.

use lariat_ir::expr::{Binary, Expr};
use lariat_ir::model::{Action, Location, ProcessType, Select, Statement, Transition};
use lariat_ir::source::Span;
use lariat_ir::state::MAX_COUNT;
use lariat_ir::types::{Frame, Type};

use super::flow::Kind;
use super::stmt::always;
use super::{Body, Lowering};
use crate::ast::{ExprKind, StmtKind, Unit};
use crate::pretty::Pretty;

/// A process type without anything.
pub(super) fn empty(name: String, span: Span) -> ProcessType {
    ProcessType {
        name,
        frame: Frame::default(),
        parameters: Vec::new(),
        init: Vec::new(),
        priority: None,
        provided: None,
        deterministic: false,
        locations: Vec::new(),
        transitions: Vec::new(),
        initial: 0,
        span,
    }
}

impl<'a> Lowering<'a> {
    pub(super) fn lower_process(&mut self, index: usize) {
        self.current = Some(index);
        let body = &self.bodies[index];
        let (unit, parameters) = (body.unit, body.parameters.clone());
        for id in parameters {
            let whole = self.whole(id);
            if matches!(whole.ty, Type::Record(_)) && has_array(self, &whole.ty) {
                let span = self.variables[id].span;
                self.error(span, "a record with an array cannot be a parameter");
            }
            let places = whole.scalars(&self.model.records, 1 << 16);
            self.model.processes[index].parameters.extend(places);
        }
        if let Unit::Proctype(proctype) = unit {
            self.model.processes[index].deterministic = proctype.deterministic;
            if let Some(provided) = &proctype.provided {
                self.scope = self.bodies[index].scope.clone();
                self.model.processes[index].provided = Some(self.condition(provided));
            }
        }
        self.lower_elements(index);
        self.current = None;
    }

    /// Makes one transition per element; remote references may add elements to other processes.
    pub(super) fn lower_elements(&mut self, index: usize) {
        let mut element = 0;
        while element < self.bodies[index].flow.elements.len() {
            let flow = &self.bodies[index].flow;
            let e = &flow.elements[element];
            let (kind, span) = (e.kind.clone(), e.span);
            self.scope = e.scope.clone();
            let entry = match kind {
                Kind::DStep(sequence) => flow.entry(sequence) as u32,
                _ => 0,
            };
            let text = match flow.jump_name(element) {
                Some(label) => format!("goto {label}"),
                None => Pretty(&self.model.sources).element(&kind),
            };
            let action = self.action(&kind, entry, span);
            self.bodies[index].steps.push(Transition {
                action,
                target: 0,
                atomic: false,
                merged: false,
                rank: 0,
                statement: Statement { span, text },
            });
            element += 1;
        }
        if self.bodies[index].flow.elements.len() >= MAX_COUNT {
            let span = self.bodies[index].span;
            self.error(span, "the proctype has too many statements");
        }
    }

    /// Connects the elements to an automaton: each is a location, with the transitions of the
    /// elements whose statements can be executed there.
    pub(super) fn connect(&mut self, index: usize) {
        let Body { flow, steps, .. } = &mut self.bodies[index];
        // A remote reference may have put a `skip` before a jump after the process was lowered.
        for element in &flow.elements[steps.len()..] {
            steps.push(Transition {
                action: always(Vec::new()),
                target: 0,
                atomic: false,
                merged: false,
                rank: 0,
                statement: Statement {
                    span: element.span,
                    text: Pretty(&self.model.sources).element(&element.kind),
                },
            });
        }
        let process = &mut self.model.processes[index];
        process.initial = flow.start() as u32;
        for (id, element) in flow.elements.iter().enumerate() {
            let is = |prefix: &str| element.labels.iter().any(|l| l.starts_with(prefix));
            let mut location = Location {
                transitions: Vec::new(),
                number: id as u32,
                labels: element.labels.clone(),
                end: is("end") || matches!(element.kind, Kind::End),
                accept: is("accept"),
                progress: is("progress"),
                inside: element.inside,
                committed: false,
                dead: Vec::new(),
                select: None,
                statement: is_listed(&element.kind)
                    .filter(|_| !element.first && !element.inside && id > 0)
                    .map(|()| steps[id].statement.clone()),
            };
            for edge in if id > 0 {
                flow.transitions(id)
            } else {
                Vec::new()
            } {
                location.transitions.push(process.transitions.len() as u32);
                process.transitions.push(Transition {
                    target: flow.target(edge.element).unwrap_or(0) as u32,
                    atomic: flow.elements[edge.element].atomic,
                    merged: false,
                    rank: edge.rank,
                    ..steps[edge.element].clone()
                });
            }
            process.locations.push(location);
        }
        for select in &flow.selects {
            let edges = flow.transitions(select.head);
            let location = &mut process.locations[select.head];
            let find = |element| {
                let place = edges.iter().position(|e| e.element == element)?;
                location.transitions.get(place).copied()
            };
            let (leave, round) = (find(select.leave), find(select.round));
            location.select = leave
                .zip(round)
                .and_then(|(leave, round)| select_of(leave, round, &process.transitions))
                .map(Box::new);
        }
    }
}

/// The loop of a `select`, if its numbers can be told from the condition to go round. With a `run` in
/// the range they cannot.
fn select_of(leave: u32, round: u32, transitions: &[Transition]) -> Option<Select> {
    match &transitions[round as usize].action {
        Action::Guarded {
            condition: Expr::Binary(Binary::Less, value, last),
            effects,
        } if effects.is_empty() => Some(Select {
            leave,
            round,
            value: (**value).clone(),
            last: (**last).clone(),
        }),
        _ => None,
    }
}

/// Whether an element is worth a line in the list of what was never reached.
fn is_listed(kind: &Kind) -> Option<()> {
    let listed = match kind {
        Kind::Statement(statement) => {
            !matches!(statement.as_ref(), StmtKind::Expr(e) if matches!(e.kind, ExprKind::Int(1)))
        }
        Kind::Declare(..) | Kind::Choice | Kind::Atomic(_) | Kind::DStep(_) | Kind::End => true,
        Kind::Block(_) | Kind::Else | Kind::Goto(_) | Kind::Join | Kind::Exit | Kind::Unless => {
            false
        }
    };
    listed.then_some(())
}

fn has_array(lowering: &Lowering, ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => false,
        Type::Array(..) => true,
        Type::Record(record) => lowering.model.records.0[*record]
            .fields
            .iter()
            .any(|f| has_array(lowering, &f.ty)),
    }
}
