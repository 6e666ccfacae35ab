//! The tree of a breadth-first search over numbered places.
//!
//! One tree serves many searches, one after the other: each place remembers which search saw it
//! last, so that nothing has to be cleaned up in between.

use crate::toolkit::budget::Stop;
use crate::toolkit::column::Column;
use lariat_store::Memory;
use std::ops::Range;

/// Which places a search has reached, and how.
pub(crate) struct Tree {
    nodes: Column<Node>,
    search: u32,
    /// The places in the order in which they were reached.
    queue: Column<u32>,
    /// The first place in the queue that was not handed out yet.
    next: u64,
    /// The depth of the places that are reached now.
    depth: u32,
}

#[derive(Clone, Copy)]
struct Node {
    /// The search that reached the place last.
    search: u32,
    depth: u32,
    link: Link,
}

/// How a place was reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// The place from which it was reached.
    pub before: u32,
    /// By which edge, as its position among those of its source.
    pub edge: u32,
}

impl Link {
    /// The link of the root.
    const NONE: Link = Link {
        before: u32::MAX,
        edge: u32::MAX,
    };
}

impl Tree {
    /// For places with numbers below `places`.
    pub fn new(places: u64, memory: &Memory) -> Result<Self, Stop> {
        let unseen = Node {
            search: 0,
            depth: 0,
            link: Link::NONE,
        };
        Ok(Tree {
            nodes: Column::filled(memory, places, unseen)?,
            search: 0,
            queue: Column::new(memory),
            next: 0,
            depth: 0,
        })
    }

    /// Starts a new search.
    pub fn begin(&mut self, root: u32) -> Result<(), Stop> {
        self.search = self.search.checked_add(1).ok_or(Stop::Memory)?;
        self.queue.truncate(0);
        self.next = 0;
        self.depth = 0;
        self.reach(root, Link::NONE)
    }

    /// The number of this search.
    pub fn search(&self) -> u32 {
        self.search
    }

    /// Positions of the places that were reached since the last call, for [`place`](Self::place).
    /// What is reached from now on is one deeper.
    pub fn next_level(&mut self) -> Range<u64> {
        let level = self.next..self.queue.len();
        self.next = level.end;
        self.depth = self.depth.saturating_add(1);
        level
    }

    /// How many places the next level has up to now.
    pub fn waiting(&self) -> u64 {
        self.queue.len() - self.next
    }

    pub fn place(&self, position: u64) -> u32 {
        self.queue.get(position)
    }

    /// The depth of the places that are reached now.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Reaches a place, if it was not reached before.
    pub fn reach(&mut self, place: u32, link: Link) -> Result<(), Stop> {
        if self.depth_of(place).is_none() {
            let node = Node {
                search: self.search,
                depth: self.depth,
                link,
            };
            self.nodes.set(place, node);
            self.queue.push(place)?;
        }
        Ok(())
    }

    /// The depth at which this search reached a place.
    pub fn depth_of(&self, place: u32) -> Option<u32> {
        let node = self.nodes.get(place);
        (node.search == self.search).then_some(node.depth)
    }

    /// How a place was reached; `None` for the root.
    pub fn link(&self, place: u32) -> Option<Link> {
        let link = self.nodes.get(place).link;
        (link != Link::NONE).then_some(link)
    }
}
