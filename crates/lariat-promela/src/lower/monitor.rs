//! Trace assertions: an automaton over message events.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::{Expr, Owner, Place};
use lariat_ir::model::{
    Action, Direction, Effect, Monitor, MonitorEvent, MonitorLocation, Pattern,
};
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
        for event in locations.iter().flat_map(|l: &MonitorLocation| &l.events) {
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
        let mut initial = flow.start() as u32;
        let set = self.is_nondeterministic(&locations);
        let mut scalar = Scalar::unsigned(16);
        if set {
            initial = keep_reachable(&mut locations, initial);
            if locations.len() > Monitor::MAX_SET {
                let message = format!(
                    "a message may fit two statements of this trace assertion, which then can have \
                     at most {} states, not {}",
                    Monitor::MAX_SET,
                    locations.len()
                );
                self.error(trace.span, message).help =
                    Some("let the first message of each option differ from the others".into());
                return;
            }
            scalar = Scalar::unsigned(locations.len().max(1) as u8);
        }
        let Some(place) = self.internal_global("_trace", scalar) else {
            return;
        };
        self.model.monitor = Some(Monitor {
            locations,
            initial,
            place,
            set,
            watched,
            negated: trace.negated,
        });
    }

    /// Whether some message could be the event of two transitions of a location that lead to
    /// different locations.
    fn is_nondeterministic(&self, locations: &[MonitorLocation]) -> bool {
        locations.iter().any(|location| {
            let events = &location.events;
            events.iter().enumerate().any(|(i, a)| {
                let mut others = events[..i].iter();
                others.any(|b| a.target != b.target && !self.are_disjoint(a, b))
            })
        })
    }

    /// Whether no message can be both events.
    fn are_disjoint(&self, a: &MonitorEvent, b: &MonitorEvent) -> bool {
        if a.direction != b.direction {
            return true;
        }
        let (p, q) = (&a.channel, &b.channel);
        if p.offset != q.offset {
            return self.is_own_channel(p) && self.is_own_channel(q);
        }
        let differ = |pair: (&Pattern, &Pattern)| match pair {
            (Pattern::Equal(Expr::Const(x)), Pattern::Equal(Expr::Const(y))) => x != y,
            _ => false,
        };
        a.pattern.iter().zip(&b.pattern).any(differ)
    }

    /// Whether a global variable always holds the channel that it is declared with, which no other
    /// such variable holds then.
    fn is_own_channel(&self, place: &Place) -> bool {
        let declared = |v: &super::Variable| {
            v.owner.is_none() && v.index == place.variable && v.channel.is_some()
        };
        let is_it = |p: &Place| matches!(p.owner, Owner::Global) && p.variable == place.variable;
        let stores = |action: &Action| {
            let assigned = action.effects().iter().any(|e| match e {
                Effect::Assign(p, _) | Effect::CreateChannel(p, _) => is_it(p),
                _ => false,
            });
            let received = match action {
                Action::Receive { pattern, .. } => pattern
                    .iter()
                    .any(|p| matches!(p, Pattern::Store(p) if is_it(p))),
                _ => false,
            };
            assigned || received
        };
        place.indices.is_empty()
            && self.variables.iter().any(declared)
            && !self
                .bodies
                .iter()
                .flat_map(|body| &body.steps)
                .any(|step| stores(&step.action))
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

/// Keeps the locations that can be reached, numbers them anew, and gives the number of the initial
/// one.
fn keep_reachable(locations: &mut Vec<MonitorLocation>, initial: u32) -> u32 {
    let mut reached = vec![false; locations.len()];
    let mut todo = vec![initial as usize];
    // Where a `notrace` goes when it is switched off.
    todo.extend(locations.iter().position(|l| l.last));
    while let Some(at) = todo.pop() {
        if at < reached.len() && !std::mem::replace(&mut reached[at], true) {
            todo.extend(locations[at].events.iter().map(|e| e.target as usize));
        }
    }
    let mut numbers = vec![0u32; locations.len()];
    let kept = numbers.iter_mut().zip(&reached).filter(|(_, r)| **r);
    for (number, (place, _)) in kept.enumerate() {
        *place = number as u32;
    }
    let mut keep = reached.iter();
    locations.retain(|_| keep.next().copied().unwrap_or(false));
    for event in locations.iter_mut().flat_map(|l| &mut l.events) {
        event.target = numbers.get(event.target as usize).copied().unwrap_or(0);
    }
    numbers.get(initial as usize).copied().unwrap_or(0)
}
