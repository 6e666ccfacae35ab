//! A run that violates the formula, from a violating walk.
//!
//! A walk ends in a bottom component with some least priority. The states by which it first reached the state where
//! it ended are the prefix. A cycle in the component through a state with the least priority, back to the same state
//! of the product, is the rest. The automaton returns to its state as well, so the lasso violates the formula. It is
//! checked nevertheless, against the rows of the chain and the definition of the formula's operators.

use crate::chain::Chain;
use crate::product::Visit;
use crate::property::Property;
use crate::table::Table;
use crate::walk::{ChainSampler, End, Place};
use lariat_ltl::automaton::determinise::Refused;
use std::collections::{HashMap, VecDeque};
use std::fmt;

/// An infinite run: the states of the prefix once, then those of the cycle for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLasso {
    /// The states of the prefix, from an initial state on; may be empty.
    pub prefix: Vec<u32>,
    /// The states of the cycle, at least one.
    pub cycle: Vec<u32>,
}

/// Why there is no lasso.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LassoError {
    /// The deterministic automaton exceeded its limits.
    Automaton(Refused),
    /// The run is decided, but its cycle is longer than the limit of a walk.
    Memory,
    /// The constructed lasso does not violate the formula: a defect of this program.
    Defect,
}

impl fmt::Display for LassoError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LassoError::Automaton(error) => write!(f, "{error}"),
            LassoError::Memory => write!(f, "the run does not repeat within the memory allowed"),
            LassoError::Defect => write!(f, "the run does not violate the formula (a defect)"),
        }
    }
}

impl std::error::Error for LassoError {}

impl ChainLasso {
    /// Whether this is a run of the chain that violates the property, by definition.
    pub fn is_violation(&self, chain: &Chain, property: &Property) -> bool {
        let states = || self.prefix.iter().chain(&self.cycle);
        let Some((first, entry)) = states().next().zip(self.cycle.first()) else {
            return false;
        };
        let follows = states().skip(1).chain([entry]);
        let is_edge = |(from, to): (&u32, &u32)| chain.targets(*from).binary_search(to).is_ok();
        chain.initial_states().contains(first)
            && states().zip(follows).all(is_edge)
            && property.is_violated(chain, &self.prefix, &self.cycle)
    }
}

impl ChainSampler {
    /// Repeats the walk with a number, and makes a lasso from it that violates the property; `None` if the walk does
    /// not violate it, or if it was cut.
    pub fn lasso(
        &mut self,
        seed: u64,
        number: u64,
        max_length: u64,
    ) -> Result<Option<ChainLasso>, LassoError> {
        self.keeps_visits = true;
        let walk = self.take(seed, number, max_length);
        self.keeps_visits = false;
        let (result, place) = walk.map_err(LassoError::Automaton)?;
        if result.violates != Some(true) {
            return match result.end {
                End::Memory => Err(LassoError::Memory),
                _ => Ok(None),
            };
        }
        let lasso = match result.end {
            End::Component => self.in_component(place).map_err(LassoError::Automaton)?,
            _ => Some(self.decided(place)?),
        };
        let chain = &self.product.chain;
        let property = &self.product.property;
        let checked = lasso.filter(|lasso| lasso.is_violation(chain, property));
        checked.map(Some).ok_or(LassoError::Defect)
    }

    /// The states by which the walk first reached a visit, and its state.
    fn way_to(&self, visit: u32) -> Vec<u32> {
        let mut states = Vec::new();
        let mut at = visit;
        loop {
            let Visit { state, from, .. } = self.visits[at as usize];
            states.push(state);
            if from == at {
                break;
            }
            at = from;
        }
        states.reverse();
        states
    }

    fn in_component(&mut self, place: Place) -> Result<Option<ChainLasso>, Refused> {
        let Some(visit) = place.visit else {
            return Ok(None);
        };
        let mut prefix = self.way_to(visit);
        prefix.pop();
        let cycle = match place.candidate {
            None => {
                let (table, component) = self.reachable((place.state, place.automaton))?;
                self.cycle(&component, 0, |key| table.get(key))
            }
            Some(start) => {
                let number = |key| self.table.get(key)?.checked_sub(start);
                self.cycle(&self.visits[start as usize..], visit - start, number)
            }
        };
        Ok(cycle.map(|cycle| ChainLasso { prefix, cycle }))
    }

    /// The states of the product that are reachable from a state: its component if that is a bottom one.
    fn reachable(&mut self, key: (u32, u32)) -> Result<(Table, Vec<Visit>), Refused> {
        let mut table = Table::new();
        table.set(key, 0);
        let mut component = vec![self.product.visit(key.0, key.1, 0)?];
        let mut number = 0;
        while let Some(&visit) = component.get(number) {
            let chain = self.product.chain.clone();
            for &target in chain.targets(visit.state) {
                let key = (target, visit.next);
                let new = component.len() as u32;
                if table.get_or_insert(key, new).is_none() {
                    component.push(self.product.visit(key.0, key.1, number as u32)?);
                }
            }
            number += 1;
        }
        Ok((table, component))
    }

    /// A cycle from a state of a component through one with the least priority. `number` contains the states of the
    /// component.
    fn cycle(
        &self,
        component: &[Visit],
        first: u32,
        number: impl Fn((u32, u32)) -> Option<u32>,
    ) -> Option<Vec<u32>> {
        let least = component.iter().map(|v| v.priority).min()?;
        let has_least = |v: u32| component[v as usize].priority == least;
        let mut numbers = match has_least(first) {
            true => vec![first],
            false => self.way(component, first, has_least, &number)?,
        };
        let deepest = *numbers.last()?;
        numbers.extend(&self.way(component, deepest, |v| v == first, &number)?[1..]);
        numbers.pop();
        let state = |v: u32| component[v as usize].state;
        Some(numbers.into_iter().map(state).collect())
    }

    /// A shortest path of at least one edge inside a component to a state that satisfies a condition.
    fn way(
        &self,
        component: &[Visit],
        first: u32,
        is_wanted: impl Fn(u32) -> bool,
        number: impl Fn((u32, u32)) -> Option<u32>,
    ) -> Option<Vec<u32>> {
        let mut before = vec![u32::MAX; component.len()];
        let mut queue = VecDeque::from([first]);
        while let Some(from) = queue.pop_front() {
            let visit = component[from as usize];
            for &target in self.product.chain.targets(visit.state) {
                let Some(to) = number((target, visit.next)) else {
                    continue;
                };
                if is_wanted(to) {
                    let mut way = vec![to, from];
                    while let Some(&last) = way.last()
                        && last != first
                    {
                        way.push(before[last as usize]);
                    }
                    way.reverse();
                    return Some(way);
                }
                if before[to as usize] == u32::MAX && to != first {
                    before[to as usize] = from;
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// A lasso of a run that was decided before it entered a component: it continues with the likeliest steps until a
    /// state repeats.
    fn decided(&self, place: Place) -> Result<ChainLasso, LassoError> {
        let mut states = place.visit.map_or(Vec::new(), |visit| self.way_to(visit));
        let chain = &self.product.chain;
        let mut known = HashMap::new();
        let mut state = place.state;
        loop {
            if let Some(&start) = known.get(&state) {
                let cycle = states.split_off(start);
                return Ok(ChainLasso {
                    prefix: states,
                    cycle,
                });
            }
            if known.len() >= self.options.states {
                return Err(LassoError::Memory);
            }
            known.insert(state, states.len());
            states.push(state);
            let row = chain.probabilities(state).iter().zip(chain.targets(state));
            let likeliest = row.max_by(|a, b| a.0.total_cmp(b.0));
            state = likeliest.map_or(state, |(_, &target)| target);
        }
    }
}
