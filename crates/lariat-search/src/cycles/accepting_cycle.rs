//! Cycles through an accepting component.
//!
//! From a state, the shortest path to an edge that has one of the missing marks, from there to the next, and so on,
//! and at the end the shortest path back: the cycle satisfies the acceptance by construction, and is short in most
//! cases though not the shortest (which is a hard problem if there are many sets: Clarke, Grumberg, McMillan and
//! Zhao, "Efficient generation of counterexamples and witnesses in symbolic model checking", DAC 1995).
//!
//! The missing marks are one for each set, and a grant for each request on the cycle. So a path may add missing
//! marks; but only grants can be added, and each only once.

use crate::cycles::bfs_tree::{Link, Tree};
use crate::cycles::components::{Component, Components};
use crate::cycles::fragment::Fragment;
use crate::toolkit::budget::Stop;
use lariat_graph::Acceptance;
use lariat_store::Memory;

/// Finds paths through a fragment by breadth-first search.
pub(crate) struct PathFinder<'a> {
    fragment: &'a Fragment,
    acceptance: Acceptance,
    /// Its nodes are the states.
    tree: Tree,
}

impl<'a> PathFinder<'a> {
    pub fn new(
        fragment: &'a Fragment,
        acceptance: Acceptance,
        memory: &Memory,
    ) -> Result<Self, Stop> {
        Ok(PathFinder {
            fragment,
            acceptance,
            tree: Tree::new(u64::from(fragment.len()), memory)?,
        })
    }

    /// A cycle from `start`, a state of an accepting component, that satisfies the acceptance: its edges. `None` if
    /// it would have more than `longest` edges.
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
            let Some(path) = self.shortest(at, longest, may_use, arrives, tick)? else {
                return Ok(None);
            };
            for &edge in &path {
                fragment.unite_marks(edge, &mut marks);
                at = fragment.edge(edge).target;
            }
            cycle.extend(path);
        }
    }

    /// The shortest path from a state into a component; empty if it is inside.
    pub fn path_into(
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

    /// A path from a state along allowed edges, with the fewest edges up to one that arrives, at least one and at
    /// most `longest`. Both predicates get an edge and its target.
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
                let state = self.tree.node(position);
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
        let mut path = vec![last];
        while let Some(link) = self.tree.link(state) {
            path.push(self.fragment.edges_of(link.before).start + u64::from(link.edge));
            state = link.before;
        }
        path.reverse();
        path
    }
}

/// The marks that a cycle with these marks lacks: sets, and grants for its requests.
fn missing(acceptance: Acceptance, marks: &[u64]) -> Vec<u64> {
    let mut missing = vec![0; marks.len()];
    let sets = (0..acceptance.sets).map(|set| acceptance.set_bit(set));
    let grants = acceptance.open_pairs(marks);
    for bit in sets.chain(grants.map(|pair| acceptance.grant_bit(pair))) {
        missing[bit / 64] |= (1 << (bit % 64)) & !marks[bit / 64];
    }
    missing
}
