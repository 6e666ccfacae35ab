//! The shortest cycle from a state that contains all acceptance sets.
//!
//! Two breadth-first searches grow towards each other: one forwards from the state, one backwards to it. Their nodes
//! are pairs of a state and the sets that occurred on the path from, or to, the start. Where both meet and have all
//! sets together, there is a cycle. When the forward search has finished the depth `a` and the backward search the
//! depth `b`, all cycles of up to `a + b` edges were found: each has a node that is at most `a`, and at least one,
//! edges behind the start and at most `b` before it, or at most `b` and at least one before it and at most `a` behind
//! it. Two searches of half the depth visit much less than one of the whole depth.
//!
//! With `k` sets there are `2^k` nodes for each state, so this is for few sets only.

use crate::cycles::bfs_tree::{Link, Tree};
use crate::cycles::components::{Component, Components};
use crate::cycles::fragment::Fragment;
use crate::toolkit::budget::Stop;
use crate::toolkit::column::Column;
use lariat_graph::Acceptance;
use lariat_store::Memory;

/// Finds shortest cycles in a fragment.
pub(crate) struct CycleFinder<'a> {
    fragment: &'a Fragment,
    sets: u32,
    /// For each state of the fragment its index in `states`, if it is there.
    index: Column<u32>,
    /// The states that may be on a cycle.
    states: Column<u32>,
    incoming: Incoming,
    forward: Side,
    backward: Side,
}

/// One of the two searches. The number of a node is the index of its state, followed by a bit for each set.
struct Side {
    tree: Tree,
    /// For each of [`CycleFinder::states`] the last search that visited it, with any sets.
    seen: Column<u32>,
}

/// The incoming edges of each state.
struct Incoming {
    /// For each of [`CycleFinder::states`] the start of its edges, and at the end their number.
    starts: Column<u64>,
    /// The source, as an index of [`CycleFinder::states`], and the position among its edges.
    edges: Column<[u32; 2]>,
}

/// Two nodes at which the searches meet, and the edge between them if there is one.
#[derive(Clone, Copy)]
struct Meeting {
    length: u64,
    /// The last node of the forward search.
    forward: u32,
    /// The edge from it.
    edge: u64,
    /// The first node of the backward search.
    backward: u32,
}

const NOWHERE: u32 = u32::MAX;

impl<'a> CycleFinder<'a> {
    /// The largest number of supported sets.
    pub const MAX_SETS: u32 = 12;

    /// For cycles inside of `components`. `Ok(None)` if the acceptance is not supported, or if there are more than
    /// `max_nodes` nodes.
    pub fn new(
        fragment: &'a Fragment,
        acceptance: Acceptance,
        components: &Components,
        max_nodes: u64,
        memory: &Memory,
    ) -> Result<Option<Self>, Stop> {
        let sets = acceptance.sets;
        if acceptance.pairs > 0 || sets > Self::MAX_SETS {
            return Ok(None);
        }
        let mut index = Column::new(memory);
        let mut states = Column::new(memory);
        for state in 0..fragment.len() {
            if components.of(state).is_some() {
                index.push(states.len() as u32)?;
                states.push(state)?;
            } else {
                index.push(NOWHERE)?;
            }
        }
        let nodes = states.len() << sets;
        if nodes > max_nodes.min(u64::from(u32::MAX)) {
            return Ok(None);
        }
        Ok(Some(CycleFinder {
            fragment,
            sets,
            incoming: Incoming::new(fragment, &index, &states, memory)?,
            forward: Side::new(states.len(), nodes, memory)?,
            backward: Side::new(states.len(), nodes, memory)?,
            index,
            states,
        }))
    }

    /// A shortest accepted cycle from a state of a component, if it has at most `longest` edges.
    pub fn shortest_cycle(
        &mut self,
        components: &Components,
        component: Component,
        start: u32,
        longest: u64,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<Option<Vec<u64>>, Stop> {
        let start = self.index.get(start) << self.sets;
        self.forward.begin(start, self.sets)?;
        self.backward.begin(start, self.sets)?;
        let mut best: Option<Meeting> = None;
        loop {
            let finished = self.forward.depth() + self.backward.depth();
            let (ahead, behind) = (self.forward.tree.waiting(), self.backward.tree.waiting());
            // If one search has visited all nodes, every cycle was found; otherwise those were that are not longer
            // than `finished`, and the others are longer.
            if best.is_some_and(|best| best.length <= finished + 1)
                || finished >= longest
                || ahead == 0
                || behind == 0
            {
                let best = best.filter(|best| best.length <= longest);
                return Ok(best.map(|best| self.cycle(best)));
            }
            let is_inside = |state| components.contains(component, state);
            if ahead <= behind {
                self.go_forward(is_inside, &mut best, tick)?;
            } else {
                self.go_backward(is_inside, &mut best, tick)?;
            }
        }
    }

    /// Extends the forward search by one level.
    fn go_forward(
        &mut self,
        is_inside: impl Fn(u32) -> bool,
        best: &mut Option<Meeting>,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for position in self.forward.tree.next_level() {
            let node = self.forward.tree.node(position);
            tick()?;
            for (edge, offset) in self.fragment.edges_of(self.state(node)).zip(0..) {
                let target = self.fragment.edge(edge).target;
                if !is_inside(target) {
                    continue;
                }
                let sets = node & self.all() | self.sets_of(edge);
                let reached = self.index.get(target) << self.sets | sets;
                if let Some((backward, depth)) = self.meets(&self.backward, reached) {
                    let meeting = Meeting {
                        length: self.forward.depth() + u64::from(depth),
                        forward: node,
                        edge,
                        backward,
                    };
                    meeting.improve(best);
                }
                let link = Link {
                    before: node,
                    edge: offset,
                };
                self.forward.reach(reached, self.sets, link)?;
            }
        }
        Ok(())
    }

    /// Extends the backward search by one level.
    fn go_backward(
        &mut self,
        is_inside: impl Fn(u32) -> bool,
        best: &mut Option<Meeting>,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for position in self.backward.tree.next_level() {
            let node = self.backward.tree.node(position);
            tick()?;
            for entry in self.incoming.edges_to(node >> self.sets) {
                let [source, offset] = self.incoming.edges.get(entry);
                let state = self.states.get(source);
                if !is_inside(state) {
                    continue;
                }
                let edge = self.fragment.edges_of(state).start + u64::from(offset);
                let sets = node & self.all() | self.sets_of(edge);
                let reached = source << self.sets | sets;
                if let Some((forward, depth)) = self.meets(&self.forward, reached) {
                    let meeting = Meeting {
                        length: self.backward.depth() + u64::from(depth),
                        forward,
                        edge,
                        backward: node,
                    };
                    meeting.improve(best);
                }
                let link = Link {
                    before: node,
                    edge: offset,
                };
                self.backward.reach(reached, self.sets, link)?;
            }
        }
        Ok(())
    }

    /// The nearest node of a side that has the same state as `node` and at least the sets that `node` lacks, and its
    /// depth.
    fn meets(&self, side: &Side, node: u32) -> Option<(u32, u32)> {
        if !side.has_seen(node >> self.sets) {
            return None;
        }
        let lacking = !node & self.all();
        let state = node & !self.all();
        // All supersets of the lacking sets, by counting through the others.
        let mut nearest: Option<(u32, u32)> = None;
        let mut others = node & self.all();
        loop {
            let other = state | lacking | others;
            if let Some(depth) = side.tree.depth_of(other)
                && nearest.is_none_or(|(_, least)| depth < least)
            {
                nearest = Some((other, depth));
            }
            if others == 0 {
                return nearest;
            }
            others = (others - 1) & node & self.all();
        }
    }

    fn all(&self) -> u32 {
        (1 << self.sets) - 1
    }

    fn state(&self, node: u32) -> u32 {
        self.states.get(node >> self.sets)
    }

    fn sets_of(&self, edge: u64) -> u32 {
        self.fragment.first_marks(edge) as u32 & self.all()
    }

    /// The edges of the cycle of a meeting.
    fn cycle(&self, meeting: Meeting) -> Vec<u64> {
        let mut edges = Vec::new();
        let mut node = meeting.forward;
        while let Some(link) = self.forward.tree.link(node) {
            edges
                .push(self.fragment.edges_of(self.state(link.before)).start + u64::from(link.edge));
            node = link.before;
        }
        edges.reverse();
        edges.push(meeting.edge);
        let mut node = meeting.backward;
        while let Some(link) = self.backward.tree.link(node) {
            edges.push(self.fragment.edges_of(self.state(node)).start + u64::from(link.edge));
            node = link.before;
        }
        edges
    }
}

impl Side {
    fn new(states: u64, nodes: u64, memory: &Memory) -> Result<Self, Stop> {
        Ok(Side {
            tree: Tree::new(nodes, memory)?,
            seen: Column::filled(memory, states, 0)?,
        })
    }

    fn begin(&mut self, start: u32, sets: u32) -> Result<(), Stop> {
        self.tree.begin(start)?;
        self.seen.set(start >> sets, self.tree.search());
        Ok(())
    }

    fn reach(&mut self, node: u32, sets: u32, link: Link) -> Result<(), Stop> {
        self.seen.set(node >> sets, self.tree.search());
        self.tree.reach(node, link)
    }

    fn has_seen(&self, index: u32) -> bool {
        self.seen.get(index) == self.tree.search()
    }

    fn depth(&self) -> u64 {
        u64::from(self.tree.depth())
    }
}

impl Meeting {
    /// Replaces the best one if it is shorter.
    fn improve(self, best: &mut Option<Meeting>) {
        if best.is_none_or(|best| self.length < best.length) {
            *best = Some(self);
        }
    }
}

impl Incoming {
    fn new(
        fragment: &Fragment,
        index: &Column<u32>,
        states: &Column<u32>,
        memory: &Memory,
    ) -> Result<Self, Stop> {
        let target_of = |edge| {
            let target = fragment.edge(edge).target;
            let is_there = u64::from(target) < index.len();
            is_there
                .then(|| index.get(target))
                .filter(|&i| i != NOWHERE)
        };
        // Counting sort: first the number of edges of each target, shifted by one, so that filling in the edges moves
        // the borders to their final positions.
        let mut starts = Column::filled(memory, states.len() + 2, 0u64)?;
        let mut count = 0;
        for source in 0..states.len() {
            for target in fragment.edges_of(states.get(source)).filter_map(target_of) {
                *starts.get_mut(target + 2) += 1;
                count += 1;
            }
        }
        for node in 2..starts.len() {
            let before = starts.get(node - 1);
            *starts.get_mut(node) += before;
        }
        let mut edges = Column::filled(memory, count, [0; 2])?;
        for source in 0..states.len() {
            for (edge, offset) in fragment.edges_of(states.get(source)).zip(0..) {
                if let Some(target) = target_of(edge) {
                    let node = starts.get_mut(target + 1);
                    edges.set(*node, [source as u32, offset]);
                    *node += 1;
                }
            }
        }
        Ok(Incoming { starts, edges })
    }

    /// The entries of `edges` for a state, given as an index of [`CycleFinder::states`].
    fn edges_to(&self, index: u32) -> std::ops::Range<u64> {
        self.starts.get(index)..self.starts.get(index + 1)
    }
}
