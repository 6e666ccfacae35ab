//! Warnings about what is allowed but suspicious.

use lariat_ir::diagnostic::{Diagnostic, Severity};
use lariat_ir::expr::Expr;
use lariat_ir::model::Action;

use super::Lowering;

impl Lowering<'_> {
    pub(super) fn warn(&mut self) {
        if self
            .diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
        {
            return;
        }
        self.warn_of_unread_variables();
        for index in 0..self.model.processes.len() {
            self.warn_of_unreachable_code(index);
            self.warn_of_blocking_d_steps(index);
        }
    }

    fn warn_of_unread_variables(&mut self) {
        // A variable of an automaton or a formula is used, even if the model does not read it.
        if !self.model.properties.is_empty() {
            return;
        }
        for id in 0..self.variables.len() {
            let variable = &self.variables[id];
            if variable.warn && !variable.read {
                let (span, name) = (variable.span, variable.name.clone());
                self.report(
                    Diagnostic::warning(span, format!("variable `{name}` is never read")).help(
                        "it still makes the states larger; `show` or a leading `_` silences this",
                    ),
                );
            }
        }
    }

    /// Statements to which no path of control leads.
    fn warn_of_unreachable_code(&mut self, index: usize) {
        let process = &self.model.processes[index];
        let mut reached = vec![false; process.locations.len()];
        let mut open = vec![process.initial];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut reached[at as usize], true) {
                continue;
            }
            for &t in &process.locations[at as usize].transitions {
                open.push(process.transitions[t as usize].target);
                if let Action::Indivisible { entry } = process.transitions[t as usize].action {
                    open.push(entry);
                }
            }
        }
        // One warning for the first statement of an unreachable stretch is enough.
        let mut spans = Vec::new();
        let mut quiet = false;
        for (location, reached) in process.locations.iter().zip(reached) {
            match &location.statement {
                Some(statement) if !reached => {
                    if !quiet && statement.text != "-end-" {
                        spans.push(statement.span);
                    }
                    quiet = true;
                }
                Some(_) => quiet = false,
                None => {}
            }
        }
        for span in spans {
            self.report(Diagnostic::warning(
                span,
                "this statement can never be reached",
            ));
        }
    }

    /// Selections inside a `d_step` that have neither `else` nor an option that is always open.
    fn warn_of_blocking_d_steps(&mut self, index: usize) {
        let process = &self.model.processes[index];
        let entries: Vec<u32> = process
            .transitions
            .iter()
            .filter_map(|t| match t.action {
                Action::Indivisible { entry } => Some(entry),
                _ => None,
            })
            .collect();
        let mut spans = Vec::new();
        for (id, location) in process.locations.iter().enumerate() {
            let first = entries.contains(&(id as u32));
            if !location.inside || first || location.transitions.len() < 2 {
                continue;
            }
            let open = |t: &u32| match &process.transitions[*t as usize].action {
                Action::Else => true,
                Action::Guarded { condition, .. } => {
                    matches!(condition, Expr::Const(value) if *value != 0)
                }
                _ => false,
            };
            if !location.transitions.iter().any(open) {
                let first = location.transitions[0] as usize;
                spans.push(process.transitions[first].statement.span);
            }
        }
        spans.dedup();
        for span in spans {
            self.report(
                Diagnostic::warning(span, "no option may be executable here, inside `d_step`")
                    .help("a `d_step` that blocks is an error at run time; add an `else`"),
            );
        }
    }
}
