//! Evaluation of invariants and of the atoms of a property.
#![allow(unsafe_code)]

use std::panic::resume_unwind;

use lariat_graph::product::Propositions;
use lariat_ir::property::Atom;

use super::{ConditionFn, Runtime};

/// The state in which conditions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Observed {
    /// It was not examined yet.
    Unknown,
    /// It is the present one: the tables of the runtime are its tables.
    Present,
    /// It is not a state of the model.
    NoState,
}

impl Runtime<'_> {
    /// Compiles the conditions of a property.
    pub(crate) fn set_atoms(&mut self, atoms: &[Atom]) {
        let compile = |atom: &Atom| match atom.condition.asks_for_timeout() {
            true => None,
            false => self.code.condition(&atom.condition),
        };
        self.atoms = atoms.iter().map(compile).collect();
    }

    /// Sets the state in which conditions are evaluated.
    pub(crate) fn set_state(&mut self, state: &[u32]) {
        self.observed.clear();
        self.observed.extend_from_slice(state);
        self.observation = Observed::Unknown;
    }

    /// Whether an atom of the property holds in the state of `set_state`; `None` if the interpreter has to evaluate
    /// it.
    pub(crate) fn holds(&mut self, atom: usize) -> Option<bool> {
        let condition = (*self.atoms.get(atom)?)?;
        if self.observation == Observed::Unknown {
            let observed = std::mem::take(&mut self.observed);
            let is_state = self.inner.validator().accepts(&observed);
            self.observation = match is_state.then(|| self.enter(&observed)) {
                Some(Some(_)) => Observed::Present,
                _ => Observed::NoState,
            };
            self.observed = observed;
        }
        if self.observation == Observed::NoState {
            return None;
        }
        // SAFETY: state: `enter` has accepted these words, and the tables are still theirs, because it would have
        // reset `observation` for others. Compiled conditions do not copy states, so slack is not needed. The
        // condition is a function of `self.code`.
        unsafe { self.evaluate(self.observed.as_ptr(), condition) }
    }

    /// Whether a condition holds in the present state; `None` if compiled code cannot evaluate it.
    ///
    /// # Safety
    ///
    /// `state` is the present state, and the condition a function of `self.code`.
    pub(super) unsafe fn evaluate(
        &mut self,
        state: *const u32,
        condition: ConditionFn,
    ) -> Option<bool> {
        let runtime: *mut Self = self;
        // SAFETY: context, exclusive: `runtime` was made from `self`, which is not used during the call.
        // State: guaranteed by the caller.
        let answer = unsafe { condition(runtime.cast(), state) };
        if let Some(panic) = self.panic.take() {
            resume_unwind(panic);
        }
        match answer {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Sets the same state in the interpreter.
    pub(crate) fn set_state_of_interpreter(&mut self) {
        self.inner.set_state(&self.observed);
    }
}
