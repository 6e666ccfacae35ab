//! Which variables and locations of a process concern others.

use std::collections::HashSet;

use super::Visible;
use crate::expr::{Expr, Owner, Place};
use crate::model::{Action, Effect, LocationId, Model, Pattern, ProcessId};

/// What others can see of processes, or change in them.
#[derive(Debug)]
pub(super) struct Shared {
    /// For each process type, which of its variables.
    variables: Vec<Vec<bool>>,
    /// Locations that are asked for.
    locations: HashSet<(ProcessId, LocationId)>,
}

impl Shared {
    pub(super) fn new(model: &Model, visible: &Visible) -> Self {
        let mut shared = Shared {
            variables: model
                .processes
                .iter()
                .map(|p| vec![false; p.frame.variables.len()])
                .collect(),
            locations: visible.locations.clone(),
        };
        for &(process, variable) in &visible.variables {
            shared.variables[process][variable] = true;
        }
        for (own, process) in model.processes.iter().enumerate() {
            if let Some(place) = &process.priority {
                shared.variables[own][place.variable] = true;
            }
        }
        model.walk(&mut |e| match e {
            Expr::Load(place) => shared.touch(place),
            Expr::At {
                process, location, ..
            } => {
                shared.locations.insert((*process, *location));
            }
            _ => {}
        });
        walk_stores(model, &mut |place| shared.touch(place));
        shared
    }

    fn touch(&mut self, place: &Place) {
        if let Owner::Remote { process, .. } = place.owner {
            self.variables[process][place.variable] = true;
        }
    }

    /// Whether others look at a variable or change it.
    pub(super) fn variable(&self, process: ProcessId, variable: usize) -> bool {
        self.variables[process][variable]
    }

    /// Whether an expression asks if a process stands here.
    pub(super) fn location(&self, process: ProcessId, location: LocationId) -> bool {
        self.locations.contains(&(process, location))
    }
}

/// Calls `visit` for every place that is written to.
fn walk_stores(model: &Model, visit: &mut impl FnMut(&Place)) {
    let effect = |effect: &Effect, visit: &mut dyn FnMut(&Place)| match effect {
        Effect::Assign(place, _) | Effect::CreateChannel(place, _) => visit(place),
        Effect::Spawn { .. }
        | Effect::SetPriority { .. }
        | Effect::Assert(_)
        | Effect::Print(_) => {}
    };
    model.init.iter().for_each(|e| effect(e, visit));
    for process in &model.processes {
        process.init.iter().for_each(|e| effect(e, visit));
        for transition in &process.transitions {
            if let Action::Receive { pattern, .. } = &transition.action {
                for field in pattern {
                    if let Pattern::Store(place) = field {
                        visit(place);
                    }
                }
            }
            let effects = transition.action.effects().iter();
            effects.for_each(|e| effect(e, visit));
        }
    }
}
