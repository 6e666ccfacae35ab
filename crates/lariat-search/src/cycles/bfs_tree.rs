//! The tree of a breadth-first search over numbered nodes.
//!
//! One tree serves many searches, one after the other: each node stores the last search that reached it, so that
//! nothing has to be cleared in between.

use crate::toolkit::budget::Stop;
use crate::toolkit::column::Column;
use lariat_store::Memory;
use std::ops::Range;

/// The nodes that a search has reached, with their links.
pub(crate) struct Tree {
    nodes: Column<Node>,
    search: u32,
    /// The nodes in the order in which they were reached.
    queue: Column<u32>,
    /// The first node in the queue that was not returned yet.
    next: u64,
    /// The depth of the nodes that are reached now.
    depth: u32,
}

#[derive(Clone, Copy)]
struct Node {
    /// The last search that reached the node.
    search: u32,
    depth: u32,
    link: Link,
}

/// The edge by which a node was reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// The node from which it was reached.
    pub before: u32,
    /// The edge, as its position among those of its source.
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
    /// For nodes with numbers below `nodes`.
    pub fn new(nodes: u64, memory: &Memory) -> Result<Self, Stop> {
        let unseen = Node {
            search: 0,
            depth: 0,
            link: Link::NONE,
        };
        Ok(Tree {
            nodes: Column::filled(memory, nodes, unseen)?,
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

    /// Positions of the nodes that were reached since the last call, for [`node`](Self::node). Nodes that are reached
    /// from now on are one deeper.
    pub fn next_level(&mut self) -> Range<u64> {
        let level = self.next..self.queue.len();
        self.next = level.end;
        self.depth = self.depth.saturating_add(1);
        level
    }

    /// The number of nodes of the next level so far.
    pub fn waiting(&self) -> u64 {
        self.queue.len() - self.next
    }

    pub fn node(&self, position: u64) -> u32 {
        self.queue.get(position)
    }

    /// The depth of the nodes that are reached now.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Reaches a node, if it was not reached before.
    pub fn reach(&mut self, node: u32, link: Link) -> Result<(), Stop> {
        if self.depth_of(node).is_none() {
            let reached = Node {
                search: self.search,
                depth: self.depth,
                link,
            };
            self.nodes.set(node, reached);
            self.queue.push(node)?;
        }
        Ok(())
    }

    /// The depth at which this search reached a node.
    pub fn depth_of(&self, node: u32) -> Option<u32> {
        let node = self.nodes.get(node);
        (node.search == self.search).then_some(node.depth)
    }

    /// The link of a node; `None` for the root.
    pub fn link(&self, node: u32) -> Option<Link> {
        let link = self.nodes.get(node).link;
        (link != Link::NONE).then_some(link)
    }
}
