//! Breadth-first search.
//!
//! The store numbers states in the order in which they are found, which is the order in which a
//! breadth-first search expands them. So the store is its own queue: a cursor moves over the
//! numbers, and everything behind it waits. Each state remembers from where it was reached first;
//! following these links back gives a path with as few edges as possible.
//!
//! A path ends at a state that is at fault, or with an edge that is. With
//! [`FaultPolicy::Collect`](crate::FaultPolicy::Collect) the path for each code has the fewest
//! edges of all, the edge at fault included. With
//! [`FaultPolicy::StopAtFirst`](crate::FaultPolicy::StopAtFirst) the search ends with the first
//! state at which anything is wrong, and no state nearer to the initial ones has a fault; an edge
//! at fault is one edge more.

use crate::budget::{Options, Stop};
use crate::observer::Observer;
use crate::outcome::{Path, SearchOutcome};
use crate::run::{self, Run};
use lariat_graph::{Expansion, Fault, StateSpace};
use lariat_store::{FlatStore, Link};

/// Visits all reachable states, those with fewer edges from an initial state first.
pub fn breadth_first<S: StateSpace, O: Observer>(
    space: &mut S,
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let run = Run::new(options, observer);
    let mut store = FlatStore::with_links(run.memory());
    run.limit_states(&mut store);
    let mut search = BreadthFirst {
        space,
        store,
        run,
        expansion: Expansion::new(),
    };
    let result = search.explore();
    let BreadthFirst { store, run, .. } = search;
    run.finish(result, |seen| path(&store, seen))
}

struct BreadthFirst<'a, S, O> {
    space: &'a mut S,
    store: FlatStore,
    run: Run<'a, O, Seen>,
    expansion: Expansion,
}

/// Where a fault was seen.
struct Seen {
    /// The state that was expanded, or [`Link::ROOT`] while the initial states were made.
    state: u32,
    /// Its level; the initial states are level 1.
    level: u64,
    /// The label of the fault.
    label: Option<u32>,
}

impl Seen {
    /// Grows with the number of edges on the path.
    fn length(&self) -> u64 {
        self.level + u64::from(self.label.is_some())
    }
}

impl run::Origin for Seen {
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl<S: StateSpace, O: Observer> BreadthFirst<'_, S, O> {
    fn explore(&mut self) -> Result<(), Stop> {
        self.run.checkpoint(0, Some(0))?;
        self.space.initial(&mut self.expansion);
        self.absorb(Link::ROOT, 0)?;

        let mut level = 0;
        let mut level_end = 0;
        let mut next = 0;
        while next < self.store.len() {
            if next == level_end {
                level += 1;
                level_end = self.store.len();
            }
            let queue = u64::from(self.store.len() - next);
            self.run.checkpoint(level, Some(queue))?;
            self.expansion.clear();
            let state = self.store.get(next);
            self.space.successors(state, &mut self.expansion);
            self.absorb(next, level)?;
            next += 1;
        }
        Ok(())
    }

    /// Books the expansion of the state `parent` on a level, and stores what is new in it.
    fn absorb(&mut self, parent: u32, level: u64) -> Result<(), Stop> {
        let seen = |fault: &Fault| Seen {
            state: parent,
            level,
            label: fault.label,
        };
        let is_shorter = |fault: &Fault, known: &Seen| seen(fault).length() < known.length();
        self.run.expanded(&self.expansion, seen, is_shorter)?;
        for (index, (target, label)) in self.expansion.edges().enumerate() {
            let label = match parent {
                Link::ROOT => index as u32,
                _ => label,
            };
            let insert = self.store.insert_linked(target, Link { parent, label });
            if self.run.inserted(insert, &self.store)?.is_some() {
                self.run.reached_depth(level + 1);
            }
        }
        Ok(())
    }
}

/// The path to a fault, read backwards along the links.
fn path(store: &FlatStore, seen: Seen) -> Path {
    let mut labels: Vec<u32> = seen.label.into_iter().collect();
    let mut initial = None;
    let mut state = seen.state;
    while state != Link::ROOT {
        let Some(link) = store.link(state) else { break };
        match link.parent {
            Link::ROOT => initial = Some(link.label),
            _ => labels.push(link.label),
        }
        state = link.parent;
    }
    labels.reverse();
    Path { initial, labels }
}
