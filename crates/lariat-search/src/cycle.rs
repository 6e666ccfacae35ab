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

use crate::budget::Stop;
use crate::column::Column;
use crate::components::{Component, Components};
use crate::fragment::Fragment;
use lariat_graph::Acceptance;
use lariat_store::Memory;

/// Finds ways through a fragment by breadth-first search.
pub(crate) struct Walker<'a> {
    fragment: &'a Fragment,
    acceptance: Acceptance,
    /// For each state the search that saw it last, the state before it, and the edge to it.
    seen: Column<Seen>,
    searches: u32,
    queue: Column<u32>,
}

#[derive(Clone, Copy)]
struct Seen {
    edge: u64,
    before: u32,
    search: u32,
}

/// What a way has to end with.
enum Goal<'a> {
    /// An edge with one of these marks.
    Mark(&'a [u64]),
    /// An edge to this state.
    State(u32),
}

impl<'a> Walker<'a> {
    pub fn new(
        fragment: &'a Fragment,
        acceptance: Acceptance,
        memory: &Memory,
    ) -> Result<Self, Stop> {
        let unseen = Seen {
            edge: 0,
            before: 0,
            search: 0,
        };
        Ok(Walker {
            fragment,
            acceptance,
            seen: Column::filled(memory, u64::from(fragment.len()), unseen)?,
            searches: 0,
            queue: Column::new(memory),
        })
    }

    /// A cycle from `start`, a state of an accepting component, that satisfies the acceptance: its
    /// edges. `None` only if there is none with fewer than `bound` edges by this method.
    pub fn accepted_cycle(
        &mut self,
        components: &Components,
        component: Component,
        start: u32,
        bound: u64,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<Option<Vec<u64>>, Stop> {
        let mut cycle = Vec::new();
        let mut marks = vec![0; self.acceptance.words()];
        let mut at = start;
        loop {
            let missing = missing(self.acceptance, &marks);
            let goal = if missing.iter().any(|&word| word != 0) {
                Goal::Mark(&missing)
            } else if at != start || cycle.is_empty() {
                Goal::State(start)
            } else {
                return Ok(Some(cycle));
            };
            let length = cycle.len() as u64;
            if length + 1 >= bound {
                return Ok(None);
            }
            let within = (components, component);
            let Some(way) = self.way(within, at, &goal, bound - length, tick)? else {
                return Ok(None);
            };
            for &edge in &way {
                self.fragment.unite_marks(edge, &mut marks);
                at = self.fragment.edge(edge).target;
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

    /// The shortest way with at least one edge, and with fewer than `bound`, from a state to a
    /// goal inside a component.
    fn way(
        &mut self,
        (components, component): (&Components, Component),
        from: u32,
        goal: &Goal,
        bound: u64,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<Option<Vec<u64>>, Stop> {
        let fragment = self.fragment;
        let excluded = components.excluded(component);
        let may_use = |edge, target| {
            components.contains(component, target) && !fragment.has_mark_of(edge, excluded)
        };
        match *goal {
            Goal::Mark(marks) => {
                let has_mark = |edge, _| fragment.has_mark_of(edge, marks);
                self.shortest(from, bound, may_use, has_mark, tick)
            }
            Goal::State(goal) => {
                self.shortest(from, bound, may_use, |_, target| target == goal, tick)
            }
        }
    }

    /// A way from a state along edges that may be used, with the fewest edges up to one that
    /// arrives, and with fewer than `bound`. Both are asked with an edge and its target.
    fn shortest(
        &mut self,
        from: u32,
        bound: u64,
        may_use: impl Fn(u64, u32) -> bool,
        arrives: impl Fn(u64, u32) -> bool,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<Option<Vec<u64>>, Stop> {
        self.begin(from)?;
        let (mut next, mut level_end, mut level) = (0, 1, 1);
        while next < self.queue.len() {
            if next == level_end {
                level_end = self.queue.len();
                level += 1;
            }
            if level >= bound {
                break;
            }
            let state = self.queue.get(next);
            next += 1;
            tick()?;
            for edge in self.fragment.edges_of(state) {
                let target = self.fragment.edge(edge).target;
                if !may_use(edge, target) {
                    continue;
                }
                if arrives(edge, target) {
                    return Ok(Some(self.back(state, from, edge)));
                }
                self.reach(target, state, edge)?;
            }
        }
        Ok(None)
    }

    /// Starts a new search.
    fn begin(&mut self, from: u32) -> Result<(), Stop> {
        self.searches = self.searches.checked_add(1).ok_or(Stop::Memory)?;
        self.queue.truncate(0);
        self.reach(from, from, 0)
    }

    fn reach(&mut self, state: u32, before: u32, edge: u64) -> Result<(), Stop> {
        let search = self.searches;
        if self.seen.get(state).search != search {
            self.seen.set(
                state,
                Seen {
                    edge,
                    before,
                    search,
                },
            );
            self.queue.push(state)?;
        }
        Ok(())
    }

    /// The edges from `from` to `state`, and then `last`.
    fn back(&self, mut state: u32, from: u32, last: u64) -> Vec<u64> {
        let mut way = vec![last];
        while state != from {
            let seen = self.seen.get(state);
            way.push(seen.edge);
            state = seen.before;
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
