//! Warnings about what is allowed but suspicious.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::expr::Expr;

use super::{Lowering, Users};
use crate::ast::{self, System};

impl Lowering {
    /// Warnings about the whole, if there was no error.
    pub(super) fn warn(&mut self, system: &System) {
        if self.sink.errors > 0 {
            return;
        }
        self.warn_of_lonely_channels();
        for (index, process) in system.processes.iter().enumerate() {
            self.warn_of_unreachable_states(index, process);
        }
    }

    /// Channels that are not used, or only in one direction.
    fn warn_of_lonely_channels(&mut self) {
        for index in 0..self.names.channels.len() {
            let channel = &self.names.channels[index];
            let span = channel.name.span;
            let name = &channel.name.name;
            let (message, help) = match (channel.senders, channel.receivers) {
                (Users::None, Users::None) => (format!("channel `{name}` is never used"), None),
                (_, Users::None) => (
                    format!("messages of channel `{name}` are sent but never received"),
                    (channel.capacity == 0).then_some("so they can never be sent either"),
                ),
                (Users::None, _) => (
                    format!("messages of channel `{name}` are received but never sent"),
                    Some("so transitions that wait for them are never taken"),
                ),
                (Users::One(a), Users::One(b)) if a == b && channel.capacity == 0 => (
                    format!(
                        "only process `{}` sends and receives on channel `{name}`",
                        self.names.processes[a].name.name
                    ),
                    Some("a process cannot meet itself, so these transitions are never taken"),
                ),
                _ => continue,
            };
            let mut diagnostic = Diagnostic::warning(span, message);
            diagnostic.help = help.map(str::to_string);
            self.report(diagnostic);
        }
    }

    /// States to which no transitions lead, whatever their guards say.
    fn warn_of_unreachable_states(&mut self, index: usize, process: &ast::Process) {
        let Some((initial, targets)) = self.graph(index, process) else {
            return;
        };
        let mut reached = vec![false; process.states.len()];
        let mut open = vec![initial];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at as usize], true) {
                open.extend(&targets[at as usize]);
            }
        }
        let mut lost = process.states.iter().zip(reached).filter(|(_, r)| !r);
        let Some((first, _)) = lost.next() else {
            return;
        };
        let more: Vec<_> = lost.map(|(state, _)| state).collect();
        let message = match more.len() {
            0 => format!(
                "state `{}` of process `{}` can never be reached",
                first.name, process.name.name
            ),
            n => format!(
                "state `{}` of process `{}` can never be reached, nor {n} more",
                first.name, process.name.name
            ),
        };
        let mut diagnostic = Diagnostic::warning(first.span, message);
        for state in more.iter().take(3) {
            diagnostic = diagnostic.related(state.span, "nor this one");
        }
        self.report(diagnostic);
    }

    /// The initial state and the targets of all states.
    fn graph(&self, index: usize, process: &ast::Process) -> Option<(u32, Vec<Vec<u32>>)> {
        let states = &self.names.processes[index].states;
        let mut targets = vec![Vec::new(); process.states.len()];
        for t in &process.transitions {
            let (source, target) = (states.get(&t.source.name)?, states.get(&t.target.name)?);
            targets[*source as usize].push(*target);
        }
        let init = process.init.as_ref()?;
        Some((*states.get(&init.name)?, targets))
    }

    /// Guards that can never hold.
    pub(super) fn warn_of_false_guards(&mut self, t: &ast::Transition, guards: &[Expr]) {
        for (e, guard) in t.guards.iter().zip(guards) {
            // A literal `false` is deliberate.
            let plain = matches!(e.kind, ast::ExprKind::Bool(_) | ast::ExprKind::Number(_));
            if matches!(guard, Expr::Const(0)) && !plain {
                let message = "this guard never holds";
                self.report(Diagnostic::warning(e.span, message));
            }
        }
    }
}
