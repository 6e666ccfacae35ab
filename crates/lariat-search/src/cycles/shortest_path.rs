//! Shortest paths through the states that a search has visited.

use crate::toolkit::budget::Stop;
use crate::toolkit::column::Column;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::state_list::StateList;
use lariat_graph::{AcceptingGraph, Expansion};
use lariat_store::{Archive, Full, Memory, StateRef};
use std::ops::Range;

/// A shortest path through visited states, whose colour is not zero, to one that `is_goal`: its labels, the index of
/// the initial state first, and that state. Visits `limit` states at most. `tick` is called for each expansion. It
/// takes 22 to 26 bytes for each state that it visits.
pub(crate) fn shortest_path<G: AcceptingGraph, T: Archive>(
    explorer: &mut Explorer<G, T>,
    memory: &Memory,
    limit: u32,
    is_goal: impl Fn(StateRef) -> bool,
    mut tick: impl FnMut(&Expansion) -> Result<(), Stop>,
) -> Result<Option<(Vec<u32>, StateRef)>, Stop> {
    let mut tree = Tree::new(memory);
    let mut parent = StateRef::NONE;
    let mut next = 0;
    loop {
        explorer.expand(parent);
        tick(explorer.expansion())?;
        let mut first = 0;
        while let Some(edges) = look_up(explorer, &mut first)? {
            for (target, edge) in explorer.settled().iter().zip(edges) {
                let label = match parent {
                    StateRef::NONE => edge as u32,
                    _ => explorer.expansion().edge(edge).1,
                };
                if target.colour == 0 || !tree.reach(target.state, next, label)? {
                    continue;
                }
                if is_goal(target.state) {
                    return Ok(Some((tree.labels(), target.state)));
                }
            }
        }
        if next == tree.states.len() || next == limit {
            return Ok(None);
        }
        parent = tree.states.get(next);
        next += 1;
    }
}

/// Looks up the targets of the last expansion from an edge on: the edges whose results are known then, and the first
/// edge of the next call. A state that the store refuses was not visited. New states may be stored by this, which are
/// not counted.
pub(crate) fn look_up<G: AcceptingGraph, T: Archive>(
    explorer: &mut Explorer<G, T>,
    first: &mut usize,
) -> Result<Option<Range<usize>>, Stop> {
    let start = *first;
    if start >= explorer.expansion().len() {
        return Ok(None);
    }
    let refused = match explorer.settle_from(start) {
        Ok(()) => 0,
        Err(Stop::States) => 1,
        Err(stop) => return Err(stop),
    };
    let end = start + explorer.settled().len();
    *first = end + refused;
    Ok(Some(start..end))
}

/// The tree of a breadth-first search.
struct Tree {
    states: StateList,
    /// For each state the number of its parent, counted from 1, or 0 if it is initial; and the label.
    links: Column<[u32; 2]>,
}

impl Tree {
    fn new(memory: &Memory) -> Self {
        Tree {
            states: StateList::new(memory),
            links: Column::new(memory),
        }
    }

    /// Whether the state was reached for the first time.
    fn reach(&mut self, state: StateRef, parent: u32, label: u32) -> Result<bool, Full> {
        let is_new = self.states.insert(state)?;
        if is_new {
            self.links.push([parent, label])?;
        }
        Ok(is_new)
    }

    /// The labels of the path to the last reached state.
    fn labels(&self) -> Vec<u32> {
        let mut labels = Vec::new();
        let mut number = self.states.len();
        while let Some(index) = number.checked_sub(1) {
            let [parent, label] = self.links.get(index);
            labels.push(label);
            number = parent;
        }
        labels.reverse();
        labels
    }
}
