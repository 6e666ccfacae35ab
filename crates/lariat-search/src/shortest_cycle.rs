//! The shortest cycle from a state that sees all acceptance sets.
//!
//! A breadth-first search whose places are pairs of a state and the sets that were seen on the way
//! to it. With `k` sets there are `2^k` places for each state, so this is for few sets only.

use crate::budget::Stop;
use crate::column::Column;
use crate::components::{Component, Components};
use crate::fragment::Fragment;
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
    /// For each place the search that saw it last, the place before it, and the edge to it. The
    /// number of a place is the index of its state, and behind that a bit for each set.
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

const NOWHERE: u32 = u32::MAX;

impl<'a> CycleFinder<'a> {
    /// The most sets that this is made for.
    pub const MAX_SETS: u32 = 12;

    /// For cycles inside of `components`. `Ok(None)` if the acceptance is not of the right kind,
    /// or if there are more than `max_places` places.
    pub fn new(
        fragment: &'a Fragment,
        acceptance: Acceptance,
        components: &Components,
        max_places: u64,
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
        let places = states.len() << sets;
        if places > max_places.min(u64::from(u32::MAX)) {
            return Ok(None);
        }
        let unseen = Seen {
            edge: 0,
            before: 0,
            search: 0,
        };
        Ok(Some(CycleFinder {
            fragment,
            sets,
            index,
            states,
            seen: Column::filled(memory, places, unseen)?,
            searches: 0,
            queue: Column::new(memory),
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
        let all = (1u32 << self.sets) - 1;
        let goal = self.place(start, all);
        self.searches = self.searches.checked_add(1).ok_or(Stop::Memory)?;
        self.queue.truncate(0);
        self.reach(self.place(start, 0), NOWHERE, 0)?;
        let (mut next, mut level_end, mut length) = (0, 1, 1);
        while next < self.queue.len() && length <= longest {
            let place = self.queue.get(next);
            let (state, sets) = (self.states.get(place >> self.sets), place & all);
            tick()?;
            for edge in self.fragment.edges_of(state) {
                let target = self.fragment.edge(edge).target;
                if !components.contains(component, target) {
                    continue;
                }
                let sets = sets | self.fragment.first_marks(edge) as u32 & all;
                let reached = self.place(target, sets);
                if reached == goal {
                    return Ok(Some(self.back(place, edge)));
                }
                self.reach(reached, place, edge)?;
            }
            next += 1;
            if next == level_end {
                level_end = self.queue.len();
                length += 1;
            }
        }
        Ok(None)
    }

    fn place(&self, state: u32, sets: u32) -> u32 {
        self.index.get(state) << self.sets | sets
    }

    fn reach(&mut self, place: u32, before: u32, edge: u64) -> Result<(), Stop> {
        let search = self.searches;
        if self.seen.get(place).search != search {
            let seen = Seen {
                edge,
                before,
                search,
            };
            self.seen.set(place, seen);
            self.queue.push(place)?;
        }
        Ok(())
    }

    /// The edges up to `place`, and then `last`.
    fn back(&self, place: u32, last: u64) -> Vec<u64> {
        let mut edges = vec![last];
        let mut seen = self.seen.get(place);
        while seen.before != NOWHERE {
            edges.push(seen.edge);
            seen = self.seen.get(seen.before);
        }
        edges.reverse();
        edges
    }
}
