//! Cycles through an accepting component.
//!
//! From a state, the shortest way to an edge that has one of the marks that are still missing,
//! from there to the next, and so on, and at the end the shortest way back: the cycle satisfies
//! the acceptance by construction, and is short in most cases though not the shortest (which is a
//! hard problem if there are many sets: Clarke, Grumberg, McMillan and Zhao, "Efficient generation
//! of counterexamples and witnesses in symbolic model checking", DAC 1995).
//!
//! What is missing is an edge of each set, and a grant for each request that the cycle makes. So
//! a way may add to what is missing; but only a grant can be added, and each only once.

use crate::cycles::bfs_tree::{Link, Tree};
use crate::cycles::components::{Component, Components};
use crate::cycles::fragment::Fragment;
use crate::toolkit::budget::Stop;
use lariat_graph::Acceptance;
use lariat_store::Memory;

/// Finds ways through a fragment by breadth-first search.
pub(crate) struct Walker<'a> {
    fragment: &'a Fragment,
    acceptance: Acceptance,
    /// Its places are the states.
    tree: Tree,
}

impl<'a> Walker<'a> {
    pub fn new(
        fragment: &'a Fragment,
        acceptance: Acceptance,
        memory: &Memory,
    ) -> Result<Self, Stop> {
        Ok(Walker {
            fragment,
            acceptance,
            tree: Tree::new(u64::from(fragment.len()), memory)?,
        })
    }

    /// A cycle from `start`, a state of an accepting component, that satisfies the acceptance: its
    /// edges. `None` if it would have more than `longest` edges.
    pub fn accepted_cycle(
        &mut self,
        components: &Components,
        component: Component,
        start: u32,
        longest: u64,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<Option<Vec<u64>>, Stop> {
        let fragment = self.fragment;
        let excluded = components.excluded(component);
        let may_use = |edge, target| {
            components.contains(component, target) && !fragment.has_mark_of(edge, excluded)
        };
        let mut cycle: Vec<u64> = Vec::new();
        let mut marks = vec![0; self.acceptance.words()];
        let mut at = start;
        loop {
            let missing = missing(self.acceptance, &marks);
            let is_complete = missing.iter().all(|&word| word == 0);
            if is_complete && at == start && !cycle.is_empty() {
                return Ok(Some(cycle));
            }
            let arrives = |edge, target| match is_complete {
                true => target == start,
                false => fragment.has_mark_of(edge, &missing),
            };
            let longest = longest - cycle.len() as u64;
            let Some(way) = self.shortest(at, longest, may_use, arrives, tick)? else {
                return Ok(None);
            };
            for &edge in &way {
                fragment.unite_marks(edge, &mut marks);
                at = fragment.edge(edge).target;
            }
            cycle.extend(way);
        }
    }

    /// The shortest way from a state into a component; no edge if it is inside.
    pub fn way_into(
        &mut self,
        components: &Components,
        component: Component,
        from: u32,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<Option<Vec<u64>>, Stop> {
        if components.contains(component, from) {
            return Ok(Some(Vec::new()));
        }
        let is_inside = |_, target| components.contains(component, target);
        self.shortest(from, u64::MAX, |_, _| true, is_inside, tick)
    }

    /// A way from a state along edges that may be used, with the fewest edges up to one that
    /// arrives, at least one and at most `longest`. Both are asked with an edge and its target.
    fn shortest(
        &mut self,
        from: u32,
        longest: u64,
        may_use: impl Fn(u64, u32) -> bool,
        arrives: impl Fn(u64, u32) -> bool,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<Option<Vec<u64>>, Stop> {
        self.tree.begin(from)?;
        while self.tree.waiting() > 0 && u64::from(self.tree.depth()) < longest {
            for position in self.tree.next_level() {
                let state = self.tree.place(position);
                tick()?;
                for (edge, offset) in self.fragment.edges_of(state).zip(0..) {
                    let target = self.fragment.edge(edge).target;
                    if !may_use(edge, target) {
                        continue;
                    }
                    if arrives(edge, target) {
                        return Ok(Some(self.back(state, edge)));
                    }
                    let link = Link {
                        before: state,
                        edge: offset,
                    };
                    self.tree.reach(target, link)?;
                }
            }
        }
        Ok(None)
    }

    /// The edges to a state, and then `last`.
    fn back(&self, mut state: u32, last: u64) -> Vec<u64> {
        let mut way = vec![last];
        while let Some(link) = self.tree.link(state) {
            way.push(self.fragment.edges_of(link.before).start + u64::from(link.edge));
            state = link.before;
        }
        way.reverse();
        way
    }
}

/// What a cycle with these marks lacks: sets, and grants for its requests.
fn missing(acceptance: Acceptance, marks: &[u64]) -> Vec<u64> {
    let mut missing = vec![0; marks.len()];
    let sets = (0..acceptance.sets).map(|set| acceptance.set_bit(set));
    let grants = acceptance.open_pairs(marks);
    for bit in sets.chain(grants.map(|pair| acceptance.grant_bit(pair))) {
        missing[bit / 64] |= (1 << (bit % 64)) & !marks[bit / 64];
    }
    missing
}
