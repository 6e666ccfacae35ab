//! A list of states with a lookup.

use crate::toolkit::column::Column;
use crate::toolkit::positions::Positions;
use lariat_store::{Full, Memory, StateRef};

/// A list of different states that grows and shrinks at the end. It costs 8 bytes a state, and 6 to 10 for the
/// lookup.
pub(crate) struct StateList {
    states: Column<StateRef>,
    positions: Positions,
}

impl StateList {
    pub fn new(memory: &Memory) -> Self {
        StateList {
            states: Column::new(memory),
            positions: Positions::new(memory),
        }
    }

    pub fn len(&self) -> u32 {
        self.positions.len()
    }

    pub fn get(&self, position: u32) -> StateRef {
        self.states.get(position)
    }

    pub fn find(&self, state: StateRef) -> Option<u32> {
        self.positions.find(state, |at| self.states.get(at))
    }

    /// Adds a state that is absent.
    pub fn push(&mut self, state: StateRef) -> Result<(), Full> {
        self.states.push(state)?;
        let states = &self.states;
        let pushed = self.positions.push(state, |at| states.get(at));
        if pushed.is_err() {
            self.states.pop();
        }
        pushed
    }

    /// Adds a state if it is absent; returns whether it was.
    pub fn insert(&mut self, state: StateRef) -> Result<bool, Full> {
        let is_new = self.find(state).is_none();
        if is_new {
            self.push(state)?;
        }
        Ok(is_new)
    }

    /// Removes the last state.
    pub fn pop(&mut self) -> Option<StateRef> {
        let state = self.states.pop()?;
        self.positions.pop(state);
        Some(state)
    }
}
