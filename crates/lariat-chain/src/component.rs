//! Whether a state of the product lies in a bottom strongly connected component.
//!
//! The rows of a chain can be listed, so this need not be guessed from a walk. A depth-first search
//! from the state answers it: a state lies in a bottom component exactly if everything that can be
//! reached from it leads back to it. The search keeps the components of its path (Gabow, "Path-based
//! depth-first search for strong and biconnected components", Information Processing Letters 74,
//! 2000) and ends as soon as one is complete: if that is not the one of the state itself, the state
//! will be left for good. If it is, the component is what the search has seen, and no edge leads out
//! of it, also none that is so unlikely that a walk would hardly ever take it.
//!
//! The component may be large and the state not in it, so a search has a budget.

use crate::product::{Product, Visit};
use crate::table::Table;
use lariat_ltl::automaton::determinise::Refused;

/// A search, whose memory is used again. After [`Answer::Bottom`] it holds the component.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// From states of the product to their numbers.
    pub table: Table,
    /// The states that were seen; the first is the one that was asked about.
    pub seen: Vec<Visit>,
    /// The path: states with the index of the next edge.
    path: Vec<(u32, u32)>,
    /// The first states of the components on the path.
    starts: Vec<u32>,
}

/// What a search found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The state is in a bottom component.
    Bottom,
    /// It is not.
    Transient,
    /// The budget was too small to know.
    Unknown,
}

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub edges: u64,
    pub states: usize,
}

impl Search {
    pub fn new() -> Self {
        Search {
            table: Table::new(),
            seen: Vec::new(),
            path: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Asks about a state, given with the state of the automaton before it. Also gives the edges that
    /// were looked at.
    pub fn ask(
        &mut self,
        product: &mut Product,
        (state, automaton): (u32, u32),
        budget: Budget,
    ) -> Result<(Answer, u64), Refused> {
        self.table.clear();
        self.seen.clear();
        self.path.clear();
        self.starts.clear();
        self.push(product, (state, automaton))?;
        let mut edges = 0;
        while let Some(&(number, index)) = self.path.last() {
            let visit = self.seen[number as usize];
            let Some(&target) = product.chain.targets(visit.state).get(index as usize) else {
                if !self.leave(number) {
                    return Ok((Answer::Transient, edges));
                }
                continue;
            };
            if edges >= budget.edges || self.seen.len() >= budget.states {
                return Ok((Answer::Unknown, edges));
            }
            edges += 1;
            if let Some(top) = self.path.last_mut() {
                top.1 += 1;
            }
            // From a state of the automaton that is final nothing leads back.
            if product.verdict(visit.next).is_some() {
                return Ok((Answer::Transient, edges));
            }
            match self.table.get((target, visit.next)) {
                Some(known) => self.merge(known),
                None => self.push(product, (target, visit.next))?,
            }
        }
        Ok((Answer::Bottom, edges))
    }

    fn push(&mut self, product: &mut Product, key: (u32, u32)) -> Result<(), Refused> {
        let number = self.seen.len() as u32;
        self.table.get_or_insert(key, number);
        self.seen.push(product.visit(key.0, key.1, number)?);
        self.path.push((number, 0));
        self.starts.push(number);
        Ok(())
    }

    /// An edge leads to a state that was seen: all components since then are one.
    fn merge(&mut self, known: u32) {
        while self.starts.last().is_some_and(|&start| start > known) {
            self.starts.pop();
        }
    }

    /// Leaves a state whose edges were all looked at; `false` if that completes a component other
    /// than that of the first state.
    fn leave(&mut self, number: u32) -> bool {
        self.path.pop();
        number == 0 || self.starts.last() != Some(&number)
    }
}
