//! From an accepting component to a lasso.
//!
//! The states of the component are expanded again and stored as a fragment, and a cycle is made of short paths to all
//! required marks (`accepting_cycle.rs`). A breadth-first search over visited states leads to it if it is not far
//! away; otherwise, or if there is no budget left for that, the path of the search that has found it does. The
//! fragment takes memory, 16 bytes and the marks for an edge; without it no lasso can be returned.

use crate::cycles::accepting_cycle::PathFinder;
use crate::cycles::components::{Component, Components, accepting_components};
use crate::cycles::fragment::Fragment;
use crate::cycles::shortest_path::{look_up, shortest_path};
use crate::toolkit::budget::Stop;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::faults::Origin;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::state_list::StateList;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion};
use lariat_store::{Archive, StateRef};

/// A component in which a lasso is to be constructed.
pub(crate) struct FoundComponent<'s, 'a, G, T: Archive> {
    pub explorer: &'s mut Explorer<'a, G, T>,
    pub acceptance: Acceptance,
    /// Its states are those from `first` on. The colour of a visited state is not zero.
    pub states: &'s StateList,
    pub first: u32,
    /// The depth of the search, for the observer.
    pub depth: u64,
}

/// The largest number of states that the search for a short path visits.
const MAX_WAYS: u32 = 1 << 20;

/// Why the search ends if a state has other edges when it is expanded again: the graph is not deterministic.
pub(crate) const NOT_DETERMINISTIC: Stop = Stop::Interrupted;

impl<G: AcceptingGraph, T: Archive> FoundComponent<'_, '_, G, T> {
    /// An accepted lasso, if a part of the component is accepting. `path` leads to the first state, the index of the
    /// initial state first; without one, a path has to be found at any cost.
    pub fn lasso<W: Origin>(
        &mut self,
        path: Option<Vec<u32>>,
        counters: &mut Counters<W>,
    ) -> Result<Option<Lasso>, Stop> {
        let fragment = self.write_down(counters)?;
        let components = self.components(&fragment, counters)?;
        let Some(component) = components.first() else {
            return Ok(None);
        };
        counters.ignore_time(true);
        let lasso = self.lasso_into(path, &fragment, &components, component, counters)?;
        lasso.ok_or(NOT_DETERMINISTIC).map(Some)
    }

    /// The number of a state of the component, from 0 on.
    fn local(&self, state: StateRef) -> Option<u32> {
        self.states.find(state)?.checked_sub(self.first)
    }

    /// Expands the states of the component again and stores them as a fragment.
    fn write_down<W: Origin>(&mut self, counters: &mut Counters<W>) -> Result<Fragment, Stop> {
        let mut fragment = Fragment::new(counters.memory(), self.acceptance.words());
        for index in self.first..self.states.len() {
            self.expand(self.states.get(index), counters)?;
            fragment.push_state()?;
            let mut first = 0;
            while let Some(settled) = look_up(self.explorer, &mut first)? {
                let expansion = self.explorer.expansion();
                for (target, edge) in self.explorer.settled().iter().zip(settled) {
                    if let Some(target) = self.local(target.state) {
                        let (_, label) = expansion.edge(edge);
                        fragment.push_edge(target, label, expansion.marks(edge))?;
                    }
                }
            }
        }
        Ok(fragment)
    }

    fn expand<W: Origin>(
        &mut self,
        state: StateRef,
        counters: &mut Counters<W>,
    ) -> Result<(), Stop> {
        counters.checkpoint(self.depth, None)?;
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())
    }

    fn components<W: Origin>(
        &self,
        fragment: &Fragment,
        counters: &mut Counters<W>,
    ) -> Result<Components, Stop> {
        let memory = counters.memory();
        let tick = &mut || counters.checkpoint(self.depth, None);
        accepting_components(fragment, self.acceptance, 0..fragment.len(), memory, tick)
    }

    /// A lasso into an accepting component, if the graph is deterministic. `path` leads to the first state, and is
    /// used if no shorter one is found within the budget.
    fn lasso_into<W: Origin>(
        &mut self,
        path: Option<Vec<u32>>,
        fragment: &Fragment,
        components: &Components,
        component: Component,
        counters: &mut Counters<W>,
    ) -> Result<Option<Lasso>, Stop> {
        let is_inside = |state| components.contains(component, state);
        let shortest = match path {
            Some(_) => {
                counters.ignore_time(false);
                let shortest = self.shortest_path(MAX_WAYS, is_inside, counters);
                counters.ignore_time(true);
                shortest.unwrap_or(None)
            }
            None => self.shortest_path(u32::MAX, is_inside, counters)?,
        };
        let memory = counters.memory();
        let depth = self.depth;
        let tick = &mut || counters.checkpoint(depth, None);
        let mut path_finder = PathFinder::new(fragment, self.acceptance, memory)?;
        let (path, start) = match shortest {
            Some(found) => found,
            None => {
                let Some(path) = path else { return Ok(None) };
                let Some(edges) = path_finder.path_into(components, component, 0, tick)? else {
                    return Ok(None);
                };
                let start = edges.last().map_or(0, |&edge| fragment.edge(edge).target);
                let rest = edges.iter().map(|&edge| fragment.edge(edge).label);
                (path.into_iter().chain(rest).collect(), start)
            }
        };
        let cycle = path_finder.accepted_cycle(components, component, start, u64::MAX, tick)?;
        let Some((&initial, prefix)) = path.split_first() else {
            return Ok(None);
        };
        Ok(cycle.map(|edges| Lasso {
            initial,
            prefix: prefix.to_vec(),
            cycle: edges
                .iter()
                .map(|&edge| fragment.edge(edge).label)
                .collect(),
        }))
    }

    /// The shortest path to a state of the component that `is_goal`, if it is not too far away: its labels, and the
    /// number of that state.
    fn shortest_path<W: Origin>(
        &mut self,
        limit: u32,
        is_goal: impl Fn(u32) -> bool,
        counters: &mut Counters<W>,
    ) -> Result<Option<(Vec<u32>, u32)>, Stop> {
        let (states, first, depth) = (self.states, self.first, self.depth);
        let local = |state| states.find(state)?.checked_sub(first);
        let is_goal = |state| local(state).is_some_and(&is_goal);
        let memory = counters.memory();
        let tick = |expansion: &Expansion| {
            counters.checkpoint(depth, None)?;
            counters.expanded_again(expansion)
        };
        let found = shortest_path(self.explorer, memory, limit, is_goal, tick)?;
        Ok(found.and_then(|(path, state)| Some((path, local(state)?))))
    }
}
