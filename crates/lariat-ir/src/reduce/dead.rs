//! Dead variables: what will not be asked for again is cleared.
//!
//! A variable is *needed* at a location if on some way from there its value decides something that
//! can be noticed: a guard, a message, a shared variable, an assertion, an error at run time. A
//! variable that only feeds variables that are not needed is not needed either (*faint* variables, also
//! called strong liveness: R. Giegerich, U. Möncke, R. Wilhelm, *Invariance of approximative
//! semantics with respect to program transformations*, 1981). Two states that differ only in what is not
//! needed are bisimilar, step by step, so it is exact for every property to clear it (P. de la Cámara,
//! M. Gallardo, P. Merino, *Abstract matching for software model checking*, SPIN 2006; M. Bozga,
//! J.-C. Fernandez, L. Ghirvu, *State space reduction based on live variables analysis*, SAS 1999).
//!
//! The analysis goes backwards over the locations of each process type, in terms of the scalars
//! of its variables ([`super::cells`]). Where it must take care:
//!
//! - Variables that others refer to, or the property, are needed everywhere. Global variables and
//!   channels are always taken to be needed.
//! - Writing to an element whose index is not known does not make the others dead.
//! - An index that may be out of range and a divisor that may be zero are needed even if the result
//!   is not.
//! - An argument is needed if the parameter is, where the new process begins.

use super::Visible;
use super::cells::Cells;
use super::needs::{Backwards, Piece, Reader};
use super::shared::Shared;
use crate::access::Set;
use crate::model::{Action, LocationId, Model, ProcessId, ProcessType};

/// The bits that are cleared at each location of a process type, as in [`Location::dead`].
///
/// [`Location::dead`]: crate::model::Location::dead
pub type Masks = Vec<Vec<(u32, u32)>>;

/// Marks what is dead at each location. What is clear already, because it was dead before the last
/// step, is left out.
pub fn mark(model: &mut Model, visible: &Visible) {
    let masks = analyse(model, visible, Body::remaining);
    for (process, masks) in model.processes.iter_mut().zip(masks) {
        for (location, masks) in process.locations.iter_mut().zip(masks) {
            location.dead = masks;
        }
    }
}

/// All that is dead at each location of each process type.
pub fn masks(model: &Model, visible: &Visible) -> Vec<Masks> {
    analyse(model, visible, |body, process, _| {
        let all: Set = (0..process.frame.variables.len())
            .flat_map(|v| body.cells.of_variable(v))
            .collect();
        vec![all; process.locations.len()]
    })
}

/// Finds what is dead among the cells that `asked` names for each location.
fn analyse(
    model: &Model,
    visible: &Visible,
    asked: impl Fn(&Body, &ProcessType, &Needed) -> Vec<Set>,
) -> Vec<Masks> {
    let shared = Shared::new(model, visible);
    let bodies: Vec<Option<Body>> = model
        .processes
        .iter()
        .enumerate()
        .map(|(own, process)| Body::new(model, own, process, &shared))
        .collect();
    let solution = solve(&model.processes, &bodies);
    let masks = |own: usize| {
        let process = &model.processes[own];
        match (&bodies[own], &solution[own]) {
            (Some(body), Some(needed)) => {
                body.masks(process, needed, &asked(body, process, needed))
            }
            _ => vec![Vec::new(); process.locations.len()],
        }
    };
    (0..model.processes.len()).map(masks).collect()
}

/// What the transitions of one process type do, looking backwards.
#[derive(Debug)]
struct Body {
    cells: Cells,
    /// Needed everywhere.
    always: Set,
    transitions: Vec<Backwards>,
    /// What happens when an instance is created.
    init: Backwards,
    /// For each transition, where a process can be afterwards.
    targets: Vec<Vec<LocationId>>,
}

/// What is needed of one process type.
#[derive(Clone, Debug)]
struct Needed {
    /// At each location.
    at: Vec<Set>,
    /// Of each parameter.
    parameters: Vec<bool>,
}

/// Finds what is needed: in each process type by itself, and again as long as more parameters turn out
/// to be needed.
fn solve(processes: &[ProcessType], bodies: &[Option<Body>]) -> Vec<Option<Needed>> {
    let mut solution: Vec<Option<Needed>> = processes
        .iter()
        .zip(bodies)
        .map(|(process, body)| {
            body.is_some().then(|| Needed {
                at: vec![Set::default(); process.locations.len()],
                parameters: vec![false; process.parameters.len()],
            })
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (own, body) in bodies.iter().enumerate() {
            let (Some(body), Some(before)) = (body, &solution[own]) else {
                continue;
            };
            let mut needed = before.clone();
            body.solve(&processes[own], &mut needed.at, &solution);
            let mut entry = needed.at[processes[own].initial as usize].clone();
            body.before(&body.init, &solution, &mut entry);
            for (place, needed) in processes[own].parameters.iter().zip(&mut needed.parameters) {
                if !*needed && body.cells.reach(place).meets(&entry) {
                    *needed = true;
                    changed = true;
                }
            }
            solution[own] = Some(needed);
        }
    }
    solution
}

impl Body {
    fn new(model: &Model, own: ProcessId, process: &ProcessType, shared: &Shared) -> Option<Self> {
        let cells = Cells::new(&model.records, &process.frame)?;
        let reader = Reader {
            own,
            cells: &cells,
            shared,
        };
        let mut transitions: Vec<Backwards> = process
            .transitions
            .iter()
            .map(|t| reader.action(&t.action))
            .collect();
        let mut targets = Vec::new();
        for index in 0..transitions.len() {
            let (after, writes) = afterwards(process, index, &transitions);
            targets.push(after);
            transitions[index].writes.union(&writes);
        }
        let mut always: Set = (0..process.frame.variables.len())
            .filter(|&v| shared.variable(own, v))
            .flat_map(|v| cells.of_variable(v))
            .collect();
        if let Some(provided) = &process.provided {
            always.union(&reader.reads(provided));
        }
        Some(Body {
            always,
            init: reader.effects(&process.init),
            transitions,
            targets,
            cells,
        })
    }

    /// The smallest solution above `needed`, by a work list.
    fn solve(&self, process: &ProcessType, needed: &mut [Set], all: &[Option<Needed>]) {
        let count = process.locations.len();
        let mut sources = vec![Vec::new(); count];
        for (at, location) in process.locations.iter().enumerate() {
            for &index in &location.transitions {
                for &target in &self.targets[index as usize] {
                    sources[target as usize].push(at);
                }
            }
        }
        let mut todo: Vec<usize> = (0..count).collect();
        let mut waits = vec![true; count];
        while let Some(at) = todo.pop() {
            waits[at] = false;
            let mut here = self.always.clone();
            for &index in &process.locations[at].transitions {
                let mut after = Set::default();
                for &target in &self.targets[index as usize] {
                    after.union(&needed[target as usize]);
                }
                self.before(&self.transitions[index as usize], all, &mut after);
                here.union(&after);
            }
            if needed[at].union(&here) {
                for &source in &sources[at] {
                    if !std::mem::replace(&mut waits[source], true) {
                        todo.push(source);
                    }
                }
            }
        }
    }

    /// Turns what is needed after a transition into what is needed before it.
    fn before(&self, transition: &Backwards, all: &[Option<Needed>], needed: &mut Set) {
        for piece in &transition.pieces {
            match piece {
                Piece::Need(set) => {
                    needed.union(set);
                }
                Piece::Kill(cell) => needed.remove(*cell),
                Piece::Assign(cell, operands) => {
                    if needed.contains(*cell) {
                        needed.remove(*cell);
                        needed.union(operands);
                    }
                }
                Piece::AssignSome(cells, operands) => {
                    if needed.meets(cells) {
                        needed.union(operands);
                    }
                }
                Piece::Pass(process, parameter, operands) => {
                    let is_needed = all[*process]
                        .as_ref()
                        .is_none_or(|n| n.parameters.get(*parameter) == Some(&true));
                    if is_needed {
                        needed.union(operands);
                    }
                }
            }
        }
        needed.union(&self.always);
    }

    /// What may not be clear when a process comes to each location: what was needed before the last
    /// step, or written by it.
    fn remaining(&self, process: &ProcessType, needed: &Needed) -> Vec<Set> {
        let mut remaining = vec![Set::default(); process.locations.len()];
        let initial = &mut remaining[process.initial as usize];
        initial.union(&self.init.writes);
        for place in &process.parameters {
            initial.union(&self.cells.of_variable(place.variable).collect());
        }
        for (at, location) in process.locations.iter().enumerate() {
            for &index in &location.transitions {
                let target = process.transitions[index as usize].target as usize;
                remaining[target].union(&needed.at[at]);
                remaining[target].union(&self.transitions[index as usize].writes);
            }
        }
        remaining
    }

    /// The bits of the cells that are asked for and not needed.
    fn masks(&self, process: &ProcessType, needed: &Needed, asked: &[Set]) -> Masks {
        let mask = |at: usize| {
            let mut masks: Vec<(u32, u32)> = Vec::new();
            if process.locations[at].inside {
                return masks;
            }
            for cell in asked[at].iter().filter(|&c| !needed.at[at].contains(c)) {
                let (word, bits) = self.cells.mask(cell);
                match masks.last_mut() {
                    Some((last, mask)) if *last == word => *mask |= bits,
                    _ => masks.push((word, bits)),
                }
            }
            masks
        };
        (0..process.locations.len()).map(mask).collect()
    }
}

/// Where a process can be after a transition, and the cells that are written on the way if it is an
/// indivisible sequence.
fn afterwards(
    process: &ProcessType,
    index: usize,
    transitions: &[Backwards],
) -> (Vec<LocationId>, Set) {
    let transition = &process.transitions[index];
    let mut writes = Set::default();
    let entry = match transition.action {
        Action::Indivisible { entry } => entry,
        Action::Terminate => return (Vec::new(), writes),
        _ => return (vec![transition.target], writes),
    };
    let mut leads_elsewhere = false;
    let mut seen = vec![false; process.locations.len()];
    let mut todo = vec![entry];
    while let Some(at) = todo.pop() {
        let location = &process.locations[at as usize];
        if !location.inside {
            leads_elsewhere |= at != transition.target;
            continue;
        }
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        for &index in &location.transitions {
            writes.union(&transitions[index as usize].writes);
            let inner = &process.transitions[index as usize];
            if let Action::Indivisible { entry } = inner.action {
                leads_elsewhere = true;
                todo.push(entry);
            }
            todo.push(inner.target);
        }
    }
    let mut targets = vec![entry];
    if leads_elsewhere {
        targets.push(transition.target);
    }
    (targets, writes)
}
