//! Trace assertions: an automaton over message events.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{Expr, Place};
use lariat_ir::model::{Direction, Monitor, MonitorEvent, MonitorLocation, Pattern};
use lariat_ir::source::Span;
use lariat_ir::types::Scalar;

use super::Lowering;
use super::expr::is_name;
use super::flow::{Flow, FlowBuilder, Kind};
use super::scope::Scope;
use crate::ast::{self, RecvArg, StmtKind, Unit, VarRef};

impl<'a> Lowering<'a> {
    pub(super) fn lower_monitor(&mut self) {
        let traces: Vec<_> = self
            .program
            .units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Trace(trace) => Some(trace),
                _ => None,
            })
            .collect();
        let Some(&trace) = traces.first() else { return };
        if let Some(second) = traces.get(1) {
            self.report(
                Diagnostic::error(second.span, "a model can have only one trace assertion")
                    .related(trace.span, "the first is here"),
            );
        }
        self.current = None;
        self.scope = Scope::default();
        let flow = FlowBuilder::build(self, &trace.body, Scope::default(), true);
        let mut watched: Vec<(Direction, Place)> = Vec::new();
        let mut locations = Vec::new();
        for (id, element) in flow.elements.iter().enumerate() {
            let mut events = Vec::new();
            if id > 0 {
                self.events(&flow, id, &mut Vec::new(), &mut events);
            }
            let last = matches!(element.kind, Kind::End);
            let end = last || element.labels.iter().any(|l| l.starts_with("end"));
            locations.push(MonitorLocation { events, end, last });
        }
        for event in locations.iter().flat_map(|l| &l.events) {
            let known = |(direction, place): &(Direction, Place)| {
                *direction == event.direction
                    && place.offset == event.channel.offset
                    && place.indices.is_empty()
                    && event.channel.indices.is_empty()
            };
            if !watched.iter().any(known) {
                watched.push((event.direction, event.channel.clone()));
            }
        }
        let Some(place) = self.internal_global("_trace", Scalar::unsigned(16)) else {
            return;
        };
        self.model.monitor = Some(Monitor {
            locations,
            initial: flow.start() as u32,
            place,
            watched,
            negated: trace.negated,
        });
    }

    /// The events that are possible at an element; what is no event is passed through.
    fn events(
        &mut self,
        flow: &Flow<'a>,
        at: usize,
        passed: &mut Vec<usize>,
        out: &mut Vec<MonitorEvent>,
    ) {
        if passed.contains(&at) {
            return;
        }
        passed.push(at);
        for edge in flow.transitions(at) {
            let element = &flow.elements[edge.element];
            let target = flow.target(edge.element).unwrap_or(0);
            self.scope = element.scope.clone();
            let event = match &element.kind {
                Kind::Statement(statement) => match statement.as_ref() {
                    StmtKind::Send { channel, args, .. } => {
                        let pattern = args.iter().map(|arg| self.sent_pattern(arg)).collect();
                        self.event(Direction::Send, channel, pattern, target)
                    }
                    StmtKind::Receive { channel, args, .. } => {
                        let pattern = args.iter().map(|arg| self.event_pattern(arg)).collect();
                        self.event(Direction::Receive, channel, pattern, target)
                    }
                    StmtKind::Expr(_) => {
                        self.events(flow, target, passed, out);
                        None
                    }
                    _ => {
                        self.not_an_event(element.span);
                        None
                    }
                },
                Kind::End => None,
                Kind::Goto(_) | Kind::Join | Kind::Exit => {
                    self.events(flow, target, passed, out);
                    None
                }
                _ => {
                    self.not_an_event(element.span);
                    None
                }
            };
            out.extend(event);
        }
    }

    fn event(
        &mut self,
        direction: Direction,
        channel: &VarRef,
        pattern: Vec<Pattern>,
        target: usize,
    ) -> Option<MonitorEvent> {
        match self.channel(channel) {
            Expr::Load(channel) => Some(MonitorEvent {
                direction,
                channel,
                pattern,
                target: target as u32,
            }),
            _ => None,
        }
    }

    /// Only constants are compared with what is sent.
    fn sent_pattern(&mut self, arg: &ast::Expr) -> Pattern {
        match &arg.kind {
            ast::ExprKind::Var(var) if is_name(var, "_") => Pattern::Any,
            _ => match self.condition(arg) {
                value @ Expr::Const(_) => Pattern::Equal(value),
                _ => Pattern::Any,
            },
        }
    }

    fn event_pattern(&mut self, arg: &RecvArg) -> Pattern {
        match self.patterns(std::slice::from_ref(arg)).pop() {
            Some(Pattern::Equal(e)) => Pattern::Equal(e),
            _ => Pattern::Any,
        }
    }

    fn not_an_event(&mut self, span: Span) {
        let message = "only send and receive statements can stand in a trace assertion";
        if !self.diagnostics.iter().any(|d| d.span == span) {
            self.error(span, message);
        }
    }
}
