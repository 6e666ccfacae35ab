//! The product of a chain and a deterministic automaton, state by state.
//!
//! A state of the product is a state of the chain and the state of the automaton before it reads the labels there.
//! The automaton is deterministic, so the product is a Markov chain with the same probabilities. It reads the labels
//! of the source, so all edges from a state have the same priority, which is stored with the state.

use crate::chain::Chain;
use crate::property::Property;
use lariat_ltl::automaton::Determinised;
use lariat_ltl::automaton::determinise::{Bounds, Refused};
use std::sync::Arc;

/// A state of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    /// The state of the chain.
    pub state: u32,
    /// The state of the automaton in all successors.
    pub next: u32,
    /// The priority of all edges to successors.
    pub priority: u32,
    /// The number of the preceding visit; its own if it is the first.
    pub from: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub chain: Chain,
    pub property: Arc<Property>,
    parity: Determinised,
}

impl Product {
    pub fn new(chain: &Chain, property: Arc<Property>, bounds: Bounds) -> Result<Self, Refused> {
        let letters = property.letters().to_vec();
        let parity = Determinised::new(property.automaton().0, letters, bounds)?;
        Ok(Product {
            chain: chain.clone(),
            property,
            parity,
        })
    }

    /// The initial state of the automaton.
    pub fn start(&self) -> u32 {
        self.parity.initial()
    }

    /// Whether every continuation of a run that reaches this state of the automaton violates the formula.
    #[inline]
    pub fn verdict(&self, automaton: u32) -> Option<bool> {
        let accepts = self.parity.verdict(automaton)?;
        Some(accepts == self.property.automaton().1)
    }

    /// Whether a run violates the formula if this is the least priority that occurs infinitely often.
    pub fn violates(&self, priority: u32) -> bool {
        priority.is_multiple_of(2) == self.property.automaton().1
    }

    /// A state of the product, with its outgoing priority and the next state of the automaton.
    #[inline]
    pub fn visit(&mut self, state: u32, automaton: u32, from: u32) -> Result<Visit, Refused> {
        let set = self.chain.label_set(state) as usize;
        let letter = self.property.letter_numbers().get(set);
        let letter = letter.copied().unwrap_or(u32::MAX);
        let (next, priority) = self.parity.step(automaton, letter)?;
        Ok(Visit {
            state,
            next,
            priority,
            from,
        })
    }

    /// The number of states of the deterministic automaton that have been constructed.
    pub fn automaton_states(&self) -> usize {
        self.parity.states()
    }
}
