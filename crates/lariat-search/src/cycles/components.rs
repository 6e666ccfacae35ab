//! The accepting components of a part of a graph.
//!
//! A strongly connected component has a cycle through all its edges, so it is accepted if the marks of its edges
//! satisfy the acceptance. If it has all the sets but requests without grants, no accepted cycle has an edge with
//! such a request. Without these edges the component divides into smaller ones, which are checked in the same way
//! (Emerson and Lei, "Modalities for model checking", Science of Computer Programming 8, 1987; Duret-Lutz, Poitrenaud
//! and Couvreur, "On-the-fly emptiness check of transition-based Streett automata", ATVA 2009). A removed request
//! stays removed, so this happens at most once for each pair between a component and its parts.
//!
//! The components are computed with Tarjan's algorithm ("Depth-first search and linear graph algorithms", SIAM J.
//! Comput. 1, 1972), without recursion.

use crate::cycles::fragment::Fragment;
use crate::toolkit::budget::Stop;
use crate::toolkit::column::Column;
use lariat_graph::Acceptance;
use lariat_store::Memory;
use std::ops::Range;

/// The accepting components of a fragment.
pub(crate) struct Components {
    /// The number of the part of each state, or 0.
    part: Column<u32>,
    /// In the order of their part numbers.
    accepting: Column<Component>,
    /// Sets of marks; the first one is empty.
    masks: Vec<Vec<u64>>,
}

/// An accepting component: states, and the edges between them that have none of some marks.
#[derive(Clone, Copy)]
pub(crate) struct Component {
    part: u32,
    /// An index of [`Components::masks`].
    mask: usize,
}

impl Components {
    pub fn is_empty(&self) -> bool {
        self.accepting.len() == 0
    }

    pub fn first(&self) -> Option<Component> {
        (self.accepting.len() > 0).then(|| self.accepting.get(0u64))
    }

    /// Whether a state belongs to a component.
    pub fn contains(&self, component: Component, state: u32) -> bool {
        u64::from(state) < self.part.len() && self.part.get(state) == component.part
    }

    /// The marks of the edges that do not belong to a component.
    pub fn excluded(&self, component: Component) -> &[u64] {
        &self.masks[component.mask]
    }

    /// The accepting component of a state.
    pub fn of(&self, state: u32) -> Option<Component> {
        let part = self.part.get(state);
        let (mut low, mut high) = (0, self.accepting.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.accepting.get(middle).part < part {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let found = (low < self.accepting.len()).then(|| self.accepting.get(low));
        found.filter(|component| component.part == part)
    }
}

/// Computes the accepting components among some states of a fragment. `tick` is called for each visited state.
pub(crate) fn accepting_components(
    fragment: &Fragment,
    acceptance: Acceptance,
    states: Range<u32>,
    memory: &Memory,
    tick: &mut dyn FnMut() -> Result<(), Stop>,
) -> Result<Components, Stop> {
    let mut tarjan = Tarjan::new(fragment, states, memory)?;
    let mut accepting = Column::new(memory);
    let mut masks = vec![vec![0; acceptance.words()]];
    let mut tasks = vec![Task {
        states: 0..tarjan.order.len(),
        mask: 0,
    }];
    while let Some(task) = tasks.pop() {
        tarjan.split(task.states, &masks[task.mask], tick)?;
        while let Some([start, end]) = tarjan.components.pop() {
            let state = tarjan.order.get(start);
            let marks = tarjan.marks(start..end, &masks[task.mask]);
            if !acceptance.has_all_sets(&marks) {
                continue;
            }
            let mut mask = masks[task.mask].clone();
            for pair in acceptance.open_pairs(&marks) {
                let bit = acceptance.request_bit(pair);
                mask[bit / 64] |= 1 << (bit % 64);
            }
            if mask == masks[task.mask] {
                accepting.push(Component {
                    part: tarjan.part.get(state),
                    mask: task.mask,
                })?;
            } else {
                tasks.push(Task {
                    states: start..end,
                    mask: masks.len(),
                });
                masks.push(mask);
            }
        }
    }
    Ok(Components {
        part: tarjan.part,
        accepting,
        masks,
    })
}

/// States to be divided into components, without the edges that have some marks.
struct Task {
    /// A range of [`Tarjan::order`].
    states: Range<u64>,
    mask: usize,
}

struct Tarjan<'a> {
    fragment: &'a Fragment,
    /// The states to explore; those of a part are consecutive.
    order: Column<u32>,
    part: Column<u32>,
    parts: u32,
    /// For each state: 0 if it was not visited, [`DONE`], or its index on `live`, counted from 1.
    number: Column<u32>,
    frames: Column<Frame>,
    /// States that were visited and whose component is not complete.
    live: Column<u32>,
    /// The numbers of those that may be the first of their component.
    roots: Column<u32>,
    /// The states of complete components.
    finished: Column<u32>,
    /// The components that have edges, as ranges of `order`; the one with the smallest part number is the last one.
    components: Column<[u64; 2]>,
}

#[derive(Clone, Copy)]
struct Frame {
    next_edge: u64,
    state: u32,
}

const DONE: u32 = u32::MAX;

impl<'a> Tarjan<'a> {
    fn new(fragment: &'a Fragment, states: Range<u32>, memory: &Memory) -> Result<Self, Stop> {
        let len = u64::from(fragment.len());
        let mut order = Column::new(memory);
        for state in states {
            order.push(state)?;
        }
        Ok(Tarjan {
            fragment,
            order,
            part: Column::filled(memory, len, 0)?,
            parts: 0,
            number: Column::filled(memory, len, 0)?,
            frames: Column::new(memory),
            live: Column::new(memory),
            roots: Column::new(memory),
            finished: Column::new(memory),
            components: Column::new(memory),
        })
    }

    /// Divides a range into components: reorders it, and makes each component that has an edge a part of its own.
    /// Edges with `excluded` marks do not count.
    fn split(
        &mut self,
        states: Range<u64>,
        excluded: &[u64],
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let part = self.new_part()?;
        for index in states.clone() {
            let state = self.order.get(index);
            self.part.set(state, part);
            self.number.set(state, 0);
        }
        for index in states.clone() {
            let root = self.order.get(index);
            if self.number.get(root) == 0 {
                self.visit(root)?;
                self.explore(states.start, part, excluded, tick)?;
            }
        }
        for (index, position) in states.zip(0u64..) {
            self.order.set(index, self.finished.get(position));
        }
        self.finished.truncate(0);
        for component in (0..self.components.len()).rev() {
            let part = self.new_part()?;
            let [start, end] = self.components.get(component);
            for index in start..end {
                self.part.set(self.order.get(index), part);
            }
        }
        Ok(())
    }

    fn new_part(&mut self) -> Result<u32, Stop> {
        self.parts = self.parts.checked_add(1).ok_or(Stop::States)?;
        Ok(self.parts)
    }

    /// Visits the states reachable from the top state within a part; the states of the part start at `offset`.
    fn explore(
        &mut self,
        offset: u64,
        part: u32,
        excluded: &[u64],
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        while let Some(top) = self.frames.len().checked_sub(1) {
            let Frame { next_edge, state } = self.frames.get(top);
            if next_edge == self.fragment.edges_of(state).end {
                tick()?;
                self.frames.pop();
                self.leave(state, offset, excluded)?;
                continue;
            }
            self.frames.get_mut(top).next_edge += 1;
            let target = self.fragment.edge(next_edge).target;
            if !self.belongs(target, part) || self.fragment.has_mark_of(next_edge, excluded) {
                continue;
            }
            match self.number.get(target) {
                0 => self.visit(target)?,
                DONE => {}
                number => {
                    while self.roots.last().is_some_and(|root| root > number) {
                        self.roots.pop();
                    }
                }
            }
        }
        Ok(())
    }

    fn belongs(&self, state: u32, part: u32) -> bool {
        u64::from(state) < self.part.len() && self.part.get(state) == part
    }

    fn visit(&mut self, state: u32) -> Result<(), Stop> {
        self.live.push(state)?;
        let number = self.live.len() as u32;
        self.number.set(state, number);
        self.roots.push(number)?;
        self.frames.push(Frame {
            next_edge: self.fragment.edges_of(state).start,
            state,
        })?;
        Ok(())
    }

    /// Leaves a state; if it is the root of its component, that is complete.
    fn leave(&mut self, state: u32, offset: u64, excluded: &[u64]) -> Result<(), Stop> {
        let number = self.number.get(state);
        if self.roots.last() != Some(number) {
            return Ok(());
        }
        self.roots.pop();
        let has_edges = self.live.len() > u64::from(number) || self.has_loop(state, excluded);
        let start = offset + self.finished.len();
        while self.live.len() >= u64::from(number) {
            let Some(member) = self.live.pop() else { break };
            self.number.set(member, DONE);
            self.finished.push(member)?;
        }
        if has_edges {
            let end = offset + self.finished.len();
            self.components.push([start, end])?;
        }
        Ok(())
    }

    fn has_loop(&self, state: u32, excluded: &[u64]) -> bool {
        let mut edges = self.fragment.edges_of(state);
        edges.any(|edge| {
            self.fragment.edge(edge).target == state && !self.fragment.has_mark_of(edge, excluded)
        })
    }

    /// The marks of the edges inside a component.
    fn marks(&self, states: Range<u64>, excluded: &[u64]) -> Vec<u64> {
        let part = self.part.get(self.order.get(states.start));
        let mut marks = vec![0; self.fragment.words()];
        for index in states {
            for edge in self.fragment.edges_of(self.order.get(index)) {
                if self.belongs(self.fragment.edge(edge).target, part)
                    && !self.fragment.has_mark_of(edge, excluded)
                {
                    self.fragment.unite_marks(edge, &mut marks);
                }
            }
        }
        marks
    }
}
