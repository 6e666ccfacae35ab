//! Statement merging: a process goes on at once where its next steps concern no other process.
//!
//! A location is *quiet* if all that can happen there is local: its transitions read and write nothing
//! but variables of the process that others do not refer to, and no property can tell whether the process
//! stands there or has gone on. A process that comes to a quiet location keeps control, so that the
//! states in which others move while it stands there are not made. In the words of partial order
//! reduction, the transitions of a quiet location are an ample set in every state (D. Peled, *All from
//! one, one for all: on model checking using representatives*, CAV 1993): other processes can neither
//! enable nor disable them nor be disturbed by them, and no condition of the property is changed by
//! them. The states at which a search stops are expanded fully, and every sequence of merged steps is
//! finite, so nothing is put off for ever. That keeps deadlocks, failed assertions and all
//! properties that are invariant under stuttering. SPIN does the same for sequences without a choice
//! (G. J. Holzmann, *The engineering of a model checker: the Gnu i-protocol case study revisited*,
//! SPIN 1999); here a choice is passed as well, if it is local.
//!
//! What needs care:
//!
//! - A quiet step that begins an atomic sequence takes the whole sequence with it, so all of that must
//!   be quiet.
//! - `else`, and what an `unless` interrupts, beside a send without a buffer is possible only
//!   while no receiver is ready. Where such a statement exists, the locations of the receivers are
//!   not quiet.
//! - Fairness asks whether a process can move. That is the same before and after a quiet step of another
//!   one, unless the two could meet, or wait for a timeout; then nothing is merged.
//! - An error at run time ends a run. What others might have done before a quiet step goes wrong is
//!   not seen, and neither is the state before it. Where more is asked than whether there is an error,
//!   steps that can go wrong are not quiet.
//! - The sequences of a state are walked as a tree, so choices are passed only as long as there
//!   are few ways.

use super::Visible;
use super::ranges::{fits, is_safe_divisor, is_safe_place};
use super::shared::Shared;
use crate::access::{AccessTable, Resource};
use crate::expr::{Binary, Expr, Owner, Place};
use crate::model::{Action, Effect, LocationId, Model, Piece, ProcessId, ProcessType};

/// No more ways than this lead on from a location that is passed.
const MAX_WAYS: usize = 16;

/// Marks the transitions after which a process may keep control.
pub fn mark(model: &mut Model, visible: &Visible) {
    if !allows_merging(model, visible) {
        return;
    }
    let shared = Shared::new(model, visible);
    for (own, watched) in watched_types(model).into_iter().enumerate() {
        if watched || model.processes[own].provided.is_some() {
            continue;
        }
        let judge = Judge {
            own,
            process: &model.processes[own],
            shared: &shared,
            visible,
        };
        let quiet = judge.quiet_locations();
        for index in merged_transitions(judge.process, &quiet) {
            model.processes[own].transitions[index].merged = true;
        }
    }
}

/// Whether the single steps of the model can be observed.
fn allows_merging(model: &Model, visible: &Visible) -> bool {
    if visible.steps || model.priorities || model.last.is_some() {
        return false;
    }
    if model.synchronous || model.has_committed() {
        return false;
    }
    let meets = model.channels.iter().any(|c| c.capacity == 0);
    if visible.fairness && (meets || model.uses_timeout()) {
        return false;
    }
    let mut allows = true;
    model.walk(&mut |e| {
        allows &= !matches!(
            e,
            Expr::Enabled(_) | Expr::LocationNumber(_) | Expr::NonProgress | Expr::Priority(_)
        );
    });
    allows
}

/// For each process type, whether a transition is possible only while no process of the type is ready
/// to receive a message that has no buffer.
fn watched_types(model: &Model) -> Vec<bool> {
    let mut watched = vec![false; model.processes.len()];
    if model.channels.iter().all(|c| c.capacity > 0) {
        return watched;
    }
    let table = AccessTable::new(model);
    for (own, process) in model.processes.iter().enumerate() {
        for location in &process.locations {
            let mut highest = None;
            for &index in &location.transitions {
                let transition = &process.transitions[index as usize];
                let interrupted = highest.is_some_and(|rank| rank > transition.rank);
                highest = highest.max(Some(transition.rank));
                if !interrupted && !matches!(transition.action, Action::Else) {
                    continue;
                }
                let reads = &table.of_transition(own, index).reads;
                for (other, watched) in watched.iter_mut().enumerate() {
                    *watched |= reads.contains(table.number(Resource::RemoteLocation(other)));
                }
            }
        }
    }
    watched
}

/// Decides which locations of a process type are quiet.
struct Judge<'a> {
    own: ProcessId,
    process: &'a ProcessType,
    shared: &'a Shared,
    visible: &'a Visible,
}

impl Judge<'_> {
    /// Which locations are quiet: all their transitions are local and lead to nothing that is seen,
    /// and an atomic one leads to a quiet location.
    fn quiet_locations(&self) -> Vec<bool> {
        let process = self.process;
        let count = process.locations.len();
        let mut quiet = vec![false; count];
        // How many atomic transitions do not lead to a quiet location yet.
        let mut open = vec![0; count];
        let mut waiting: Vec<Vec<LocationId>> = vec![Vec::new(); count];
        let mut todo = Vec::new();
        for (at, open) in open.iter_mut().enumerate() {
            if !self.is_candidate(at as LocationId) {
                continue;
            }
            for &index in &process.locations[at].transitions {
                let transition = &process.transitions[index as usize];
                if transition.atomic {
                    *open += 1;
                    waiting[transition.target as usize].push(at as LocationId);
                }
            }
            if *open == 0 {
                todo.push(at);
            }
        }
        while let Some(at) = todo.pop() {
            quiet[at] = true;
            for &before in &waiting[at] {
                let before = before as usize;
                open[before] -= 1;
                if open[before] == 0 {
                    todo.push(before);
                }
            }
        }
        quiet
    }

    fn is_candidate(&self, at: LocationId) -> bool {
        let location = &self.process.locations[at as usize];
        let mut transitions = location
            .transitions
            .iter()
            .map(|&index| &self.process.transitions[index as usize]);
        !location.inside
            && !location.transitions.is_empty()
            && !self.is_seen(at)
            && (location.transitions.len() == 1 || !self.process.deterministic)
            && transitions.all(|t| !self.is_seen(t.target) && self.is_local(&t.action))
    }

    /// Whether it makes a difference to others that the process stands here.
    fn is_seen(&self, at: LocationId) -> bool {
        let location = &self.process.locations[at as usize];
        self.shared.location(self.own, at)
            || self.visible.accept && location.accept
            || self.visible.progress && location.progress
    }

    fn is_local(&self, action: &Action) -> bool {
        match action {
            Action::Guarded { condition, effects } => {
                self.is_own(condition) && effects.iter().all(|e| self.is_local_effect(e))
            }
            Action::Else => true,
            Action::Indivisible { entry } => {
                // It may be blocked inside, which is an error.
                !self.visible.all_errors && self.is_local_region(*entry)
            }
            Action::Send { .. } | Action::Receive { .. } | Action::Terminate => false,
        }
    }

    /// Whether all that can happen in an indivisible sequence is local.
    fn is_local_region(&self, entry: LocationId) -> bool {
        let process = self.process;
        let mut seen = vec![false; process.locations.len()];
        let mut todo = vec![entry];
        while let Some(at) = todo.pop() {
            let location = &process.locations[at as usize];
            if !location.inside || std::mem::replace(&mut seen[at as usize], true) {
                continue;
            }
            for &index in &location.transitions {
                let transition = &process.transitions[index as usize];
                match &transition.action {
                    Action::Indivisible { entry } => todo.push(*entry),
                    action if self.is_local(action) => {}
                    _ => return false,
                }
                todo.push(transition.target);
            }
        }
        true
    }

    fn is_local_effect(&self, effect: &Effect) -> bool {
        match effect {
            Effect::Assign(place, value) => {
                let is_safe = !self.visible.all_errors || fits(value, place.scalar);
                is_safe && self.is_own_place(place) && self.is_own(value)
            }
            Effect::Assert(e) => self.is_own(e),
            Effect::Print(pieces) => pieces.iter().all(|piece| match piece {
                Piece::Text(_) => true,
                Piece::Value(e, _) => self.is_own(e),
            }),
            Effect::CreateChannel(..) | Effect::Spawn { .. } | Effect::SetPriority { .. } => false,
        }
    }

    /// Whether an expression depends on the process alone.
    fn is_own(&self, e: &Expr) -> bool {
        let mut own = true;
        e.walk(&mut |e| {
            own &= match e {
                Expr::Const(_) | Expr::Unary(..) | Expr::Cond(_) | Expr::Pid => true,
                Expr::Binary(Binary::Divide | Binary::Remainder, _, divisor) => {
                    !self.visible.all_errors || is_safe_divisor(divisor)
                }
                Expr::Binary(..) => true,
                // Its indices are visited as well.
                Expr::Load(place) => self.is_own_variable(place),
                _ => false,
            }
        });
        own
    }

    fn is_own_place(&self, place: &Place) -> bool {
        self.is_own_variable(place) && place.indices.iter().all(|i| self.is_own(&i.value))
    }

    /// Whether a place is in a variable of the process that no other process refers to.
    fn is_own_variable(&self, place: &Place) -> bool {
        matches!(place.owner, Owner::Local)
            && !self.shared.variable(self.own, place.variable)
            && (!self.visible.all_errors || is_safe_place(place))
    }
}

/// The transitions to quiet locations that can be marked so that no sequence goes round.
fn merged_transitions(process: &ProcessType, quiet: &[bool]) -> Vec<usize> {
    let order = order(process, quiet);
    let mut sources: Vec<Vec<LocationId>> = vec![Vec::new(); process.transitions.len()];
    for (at, location) in process.locations.iter().enumerate() {
        for &index in &location.transitions {
            sources[index as usize].push(at as LocationId);
        }
    }
    let mut ranks = vec![0; process.locations.len()];
    for (number, &at) in order.iter().enumerate() {
        ranks[at as usize] = number;
    }
    // Whether a transition leads from one quiet location to another, and back in the order.
    let goes_back = |index: usize| {
        let target = process.transitions[index].target as usize;
        sources[index]
            .iter()
            .any(|&at| quiet[at as usize] && ranks[at as usize] >= ranks[target])
    };
    // An atomic transition that goes back cannot be taken back. That is rare; then only transitions from
    // elsewhere are marked.
    let is_tangled = (0..process.transitions.len()).any(|index| {
        let transition = &process.transitions[index];
        transition.atomic && quiet[transition.target as usize] && goes_back(index)
    });
    let mut merged = vec![false; process.transitions.len()];
    let mut ways = vec![1; process.locations.len()];
    for &at in order.iter().rev() {
        if !is_tangled {
            for &index in &process.locations[at as usize].transitions {
                let index = index as usize;
                let target = process.transitions[index].target as usize;
                merged[index] = can_be_marked(process, index)
                    && quiet[target]
                    && !goes_back(index)
                    && ways[target] <= MAX_WAYS;
            }
        }
        ways[at as usize] = ways_from(process, at, &merged, &ways);
    }
    for (index, transition) in process.transitions.iter().enumerate() {
        let target = transition.target as usize;
        let from_elsewhere = sources[index].iter().all(|&at| {
            let location = &process.locations[at as usize];
            !quiet[at as usize] && !location.inside
        });
        merged[index] |= can_be_marked(process, index)
            && from_elsewhere
            && quiet[target]
            && ways[target] <= MAX_WAYS;
    }
    (0..merged.len()).filter(|&i| merged[i]).collect()
}

fn can_be_marked(process: &ProcessType, index: usize) -> bool {
    let transition = &process.transitions[index];
    !transition.atomic && !matches!(transition.action, Action::Terminate)
}

/// How many sequences go on from a quiet location at most.
fn ways_from(process: &ProcessType, at: LocationId, merged: &[bool], ways: &[usize]) -> usize {
    let (mut most, mut otherwise) = (0usize, 0);
    for &index in &process.locations[at as usize].transitions {
        let transition = &process.transitions[index as usize];
        let goes_on = transition.atomic || merged[index as usize];
        let count = if goes_on {
            ways[transition.target as usize]
        } else {
            1
        };
        match transition.action {
            Action::Else => otherwise = count,
            _ => most = most.saturating_add(count),
        }
    }
    most.max(otherwise)
}

/// The quiet locations in the reverse order in which a depth-first walk over them leaves them: a
/// transition that goes back in this order closes a cycle.
fn order(process: &ProcessType, quiet: &[bool]) -> Vec<LocationId> {
    let mut order = Vec::new();
    let mut seen = vec![false; quiet.len()];
    let first = std::iter::once(process.initial);
    for start in first.chain(0..quiet.len() as LocationId) {
        if !quiet[start as usize] || seen[start as usize] {
            continue;
        }
        seen[start as usize] = true;
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let transitions = &process.locations[*at as usize].transitions;
            let Some(&index) = transitions.get(*next) else {
                order.push(*at);
                path.pop();
                continue;
            };
            *next += 1;
            let target = process.transitions[index as usize].target;
            if quiet[target as usize] && !seen[target as usize] {
                seen[target as usize] = true;
                path.push((target, 0));
            }
        }
    }
    order.reverse();
    order
}
