//! What a transition makes needed, looking backwards.

use super::cells::{Cells, Reach};
use super::ranges::{fits, is_inside, is_safe_divisor, is_safe_place};
use super::shared::Shared;
use crate::access::Set;
use crate::expr::{Binary, Expr, Owner, Place};
use crate::model::{self, Action, Effect, Pattern, ProcessId};

/// What a part of a transition does to the set of needed cells, looking backwards.
#[derive(Debug)]
pub(super) enum Piece {
    /// These are needed.
    Need(Set),
    /// The cell gets a value that does not come from a variable of the process.
    Kill(usize),
    /// The cell gets a value: these are needed if it is.
    Assign(usize, Set),
    /// One of the cells gets a value, and it is not known which: these are needed if one of them is.
    AssignSome(Set, Set),
    /// A parameter of a new process gets a value: these are needed if it is.
    Pass(ProcessId, usize, Set),
}

/// A transition as its pieces, the last one first.
#[derive(Debug, Default)]
pub(super) struct Backwards {
    pub(super) pieces: Vec<Piece>,
    /// The cells that may be written.
    pub(super) writes: Set,
}

/// Reads the transitions of a process type.
pub(super) struct Reader<'a> {
    pub(super) own: ProcessId,
    pub(super) cells: &'a Cells,
    pub(super) shared: &'a Shared,
}

impl Reader<'_> {
    /// An action. What an indivisible sequence does is found at its locations.
    pub(super) fn action(&self, action: &Action) -> Backwards {
        let mut out = self.effects(action.effects());
        let mut needed = Set::default();
        if let Some(condition) = action.condition() {
            needed.union(&self.reads(condition));
        }
        match action {
            Action::Send {
                channel, values, ..
            } => {
                needed.union(&self.reads(channel));
                for value in values {
                    needed.union(&self.reads(value));
                }
            }
            Action::Receive {
                channel, pattern, ..
            } => {
                needed.union(&self.reads(channel));
                for field in pattern.iter().rev() {
                    match field {
                        Pattern::Any => {}
                        Pattern::Equal(e) => {
                            needed.union(&self.reads(e));
                        }
                        Pattern::Store(place) => self.store(place, &mut out),
                    }
                }
            }
            _ => {}
        }
        // Conditions and messages are looked at before anything is stored.
        out.pieces.push(Piece::Need(needed));
        out
    }

    /// Effects that happen one after the other.
    pub(super) fn effects(&self, effects: &[Effect]) -> Backwards {
        let mut out = Backwards::default();
        for effect in effects.iter().rev() {
            self.effect(effect, &mut out);
        }
        out
    }

    fn effect(&self, effect: &Effect, out: &mut Backwards) {
        let needed = match effect {
            Effect::Assign(place, value) => {
                self.assign(place, value, out);
                return;
            }
            Effect::CreateChannel(place, _) => {
                self.store(place, out);
                return;
            }
            Effect::Spawn {
                when,
                process,
                arguments,
                ..
            } => {
                let mut needed = Set::default();
                if let Some(e) = when {
                    needed.union(&self.reads(e));
                }
                for (number, argument) in arguments.iter().enumerate() {
                    let operands = self.reads(argument);
                    out.pieces.push(Piece::Pass(*process, number, operands));
                    needed.union(&self.errors(argument));
                }
                needed
            }
            Effect::SetPriority { pid, priority } => {
                let mut needed = self.reads(pid);
                needed.union(&self.reads(priority));
                needed
            }
            Effect::Assert(e) => self.reads(e),
            // What is printed is not looked at, unless it goes wrong.
            Effect::Print(pieces) => {
                let mut needed = Set::default();
                for piece in pieces {
                    if let model::Piece::Value(e, _) = piece {
                        needed.union(&self.errors(e));
                    }
                }
                needed
            }
        };
        out.pieces.push(Piece::Need(needed));
    }

    fn assign(&self, place: &Place, value: &Expr, out: &mut Backwards) {
        let mut always = self.errors(value);
        if !fits(value, place.scalar) {
            always.union(&self.reads(value));
        }
        always.union(&self.place_errors(place));
        let mut operands = self.reads(value);
        operands.union(&self.address(place));
        if self.is_own(place) {
            match self.cells.reach(place) {
                Reach::One(cell) => {
                    out.writes.insert(cell);
                    out.pieces.push(Piece::Assign(cell, operands));
                }
                Reach::Some(cells) => {
                    out.writes.union(&cells);
                    out.pieces.push(Piece::AssignSome(cells, operands));
                }
            }
        } else {
            always.union(&operands);
        }
        out.pieces.push(Piece::Need(always));
    }

    /// Stores something that comes from outside.
    fn store(&self, place: &Place, out: &mut Backwards) {
        if self.is_own(place) {
            match self.cells.reach(place) {
                Reach::One(cell) => {
                    out.writes.insert(cell);
                    out.pieces.push(Piece::Kill(cell));
                }
                Reach::Some(cells) => {
                    out.writes.union(&cells);
                    out.pieces
                        .push(Piece::AssignSome(cells, self.address(place)));
                }
            }
            out.pieces.push(Piece::Need(self.place_errors(place)));
        } else {
            out.pieces.push(Piece::Need(self.address(place)));
        }
    }

    /// Whether a place is in a variable of the process that no other process refers to.
    fn is_own(&self, place: &Place) -> bool {
        matches!(place.owner, Owner::Local) && !self.shared.variable(self.own, place.variable)
    }

    /// The cells that an expression reads.
    pub(super) fn reads(&self, e: &Expr) -> Set {
        let mut set = Set::default();
        e.walk(&mut |e| {
            if let Expr::Load(place) = e
                && matches!(place.owner, Owner::Local)
            {
                match self.cells.reach(place) {
                    Reach::One(cell) => set.insert(cell),
                    Reach::Some(cells) => {
                        set.union(&cells);
                    }
                }
            }
        });
        set
    }

    /// The cells that decide where a place is, and whether it is anywhere.
    fn address(&self, place: &Place) -> Set {
        let mut set = Set::default();
        place.walk(&mut |e| {
            set.union(&self.reads(e));
        });
        set
    }

    /// The cells that decide whether a place is anywhere.
    fn place_errors(&self, place: &Place) -> Set {
        let mut set = Set::default();
        if let Owner::Remote { pid: Some(pid), .. } = &place.owner {
            set.union(&self.reads(pid));
        }
        for index in &place.indices {
            if !is_inside(&index.value, index.length) {
                set.union(&self.reads(&index.value));
            }
            set.union(&self.errors(&index.value));
        }
        set
    }

    /// The cells that decide whether the evaluation of an expression goes wrong.
    fn errors(&self, e: &Expr) -> Set {
        let mut set = Set::default();
        if !can_fail(e) {
            return set;
        }
        match e {
            Expr::Load(place) => return self.place_errors(place),
            Expr::Unary(_, a) => return self.errors(a),
            Expr::Binary(Binary::And | Binary::Or, a, b) => {
                set.union(&self.errors(a));
                if can_fail(b) {
                    // Whether the second is evaluated is decided by the first.
                    set.union(&self.reads(a));
                    set.union(&self.errors(b));
                }
            }
            Expr::Binary(op, a, b) => {
                set.union(&self.errors(a));
                set.union(&self.errors(b));
                let divides = matches!(op, Binary::Divide | Binary::Remainder);
                if divides && !is_safe_divisor(b) {
                    set.union(&self.reads(b));
                }
            }
            Expr::Cond(parts) => {
                set.union(&self.errors(&parts[0]));
                if parts[1..].iter().any(can_fail) {
                    set.union(&self.reads(&parts[0]));
                    set.union(&self.errors(&parts[1]));
                    set.union(&self.errors(&parts[2]));
                }
            }
            _ => return self.reads(e),
        }
        set
    }
}

/// Whether the evaluation of an expression may end with an error.
fn can_fail(e: &Expr) -> bool {
    let mut can = false;
    e.walk(&mut |e| {
        can |= match e {
            Expr::Binary(Binary::Divide | Binary::Remainder, _, divisor) => {
                !is_safe_divisor(divisor)
            }
            Expr::Load(place) => !is_safe_place(place),
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cond(_)
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Timeout
            | Expr::NonProgress => false,
            Expr::Channel(..)
            | Expr::Poll { .. }
            | Expr::Enabled(_)
            | Expr::LocationNumber(_)
            | Expr::Priority(_)
            | Expr::At { .. } => true,
        };
    });
    can
}
