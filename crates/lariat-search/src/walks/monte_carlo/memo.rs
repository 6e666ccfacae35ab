//! A cache of the edges of small graphs.
//!
//! Millions of random lassos through a graph of a few thousand states visit the same states again and again. So
//! states get numbers, and the edges of a state are computed once: a step is then a draw and two loads from memory,
//! and a stamp beside a state tells whether it is on the walk already. The dice of a state are the same, and so are
//! the lassos.
//!
//! A state whose edges are not equally likely, or that has a fault, is expanded by the graph at each visit. If there
//! are more states than [`MAX_STATES`], the graph is not small, and the cache is dropped.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use lariat_graph::{Draw, Expansion};
use lariat_stats::Dice;
use lariat_store::hash_words;

use super::{Uniform, dice};

/// The largest number of cached states: fewer than a walk with a table may have.
pub(super) const MAX_STATES: usize = 1 << 16;
/// The largest number of cached words of states, and of edges.
const MAX_WORDS: usize = 1 << 21;
const MAX_EDGES: usize = 1 << 19;
/// States with more edges are not cached.
const MAX_DEGREE: usize = 1 << 10;

/// The rows of a state whose edges are not cached yet, and of one that the graph expands each time.
const UNKNOWN: u16 = 0;
const LEFT: u16 = u16::MAX;

/// The bit of an edge that is accepting; the rest is its target.
const ACCEPTING: u32 = 1 << 31;

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct Memo {
    nodes: Vec<Node>,
    edges: Vec<u32>,
    words: Vec<u32>,
    /// The end of each state in `words`.
    ends: Vec<usize>,
    /// The first state with a hash; states with the same hash follow by `twins`.
    numbers: HashMap<u64, u32>,
    twins: HashMap<u32, u32>,
    epoch: u32,
    /// The numbers of the first initial states.
    initial: Vec<u32>,
}

/// A state.
#[derive(Clone, Copy, Debug)]
struct Node {
    hash: u64,
    /// Its first edge. Edges are in rows of so many columns: first a row is drawn, then a column.
    first: u32,
    rows: u16,
    columns: u16,
    /// The last walk that visited it, and the steps of that walk before it.
    epoch: u32,
    position: u32,
}

/// There are too many states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Full;

/// The result of a visit of a state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Visited {
    /// The walk was here before, after so many steps.
    Back(u64),
    /// The drawn edge: its target, and whether it is accepting.
    Edge(u32, bool),
    /// The graph has to expand it.
    Left,
}

impl Memo {
    /// Starts a walk in the initial state with an index, and returns its number.
    #[inline]
    pub(super) fn begin(&mut self, index: usize, initial: &Expansion) -> Result<u32, Full> {
        if self.epoch == u32::MAX {
            self.nodes.iter_mut().for_each(|node| node.epoch = 0);
            self.epoch = 0;
        }
        self.epoch += 1;
        while self.initial.len() <= index {
            let number = self.number(initial.edge(self.initial.len()).0)?;
            self.initial.push(number);
        }
        Ok(self.initial[index])
    }

    /// The number of a state.
    pub(super) fn number(&mut self, state: &[u32]) -> Result<u32, Full> {
        let hash = hash_words(state);
        let next = self.nodes.len() as u32;
        let mut slot = match self.numbers.entry(hash) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(next);
                None
            }
        };
        while let Some(number) = slot {
            if self.state(number) == state {
                return Ok(number);
            }
            slot = match self.twins.entry(number) {
                Entry::Occupied(entry) => Some(*entry.get()),
                Entry::Vacant(entry) => {
                    entry.insert(next);
                    None
                }
            };
        }
        if self.nodes.len() >= MAX_STATES || self.words.len() + state.len() > MAX_WORDS {
            return Err(Full);
        }
        self.words.extend_from_slice(state);
        self.ends.push(self.words.len());
        self.nodes.push(Node {
            hash,
            first: 0,
            rows: UNKNOWN,
            columns: 0,
            epoch: 0,
            position: 0,
        });
        Ok(next)
    }

    /// The words of a state.
    pub(super) fn state(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start..self.ends[number]]
    }

    /// A walk with a key visits a state after so many steps.
    #[inline(always)]
    pub(super) fn visit(&mut self, number: u32, steps: u64, key: u64) -> Visited {
        let node = &mut self.nodes[number as usize];
        if node.epoch == self.epoch {
            return Visited::Back(node.position.into());
        }
        node.epoch = self.epoch;
        node.position = steps as u32;
        if node.rows == UNKNOWN || node.rows == LEFT {
            return Visited::Left;
        }
        let mut dice = dice(key, node.hash);
        let row = dice.index(node.rows.into());
        let column = dice.index(node.columns.into());
        let index = node.first as usize + row * usize::from(node.columns) + column;
        let edge = self.edges[index];
        Visited::Edge(edge & !ACCEPTING, edge & ACCEPTING != 0)
    }

    /// The dice of a state.
    pub(super) fn dice(&self, number: u32, key: u64) -> Dice {
        dice(key, self.nodes[number as usize].hash)
    }

    /// Whether the edges of a state are not cached yet.
    pub(super) fn is_unknown(&self, number: u32) -> bool {
        self.nodes[number as usize].rows == UNKNOWN
    }

    /// Expands a state, and caches its edges if they are equally likely and it has no faults.
    pub(super) fn learn<G: Draw>(
        &mut self,
        number: u32,
        graph: &mut G,
        uniform: Uniform,
        out: &mut Expansion,
        is_accepting: impl Fn(&Expansion, usize) -> bool,
    ) -> Result<(), Full> {
        let state = self.state(number).to_vec();
        out.clear();
        let (rows, columns) = match uniform {
            Uniform::Steps => graph.equal_edges(&state, out).unwrap_or((0, 0)),
            _ => {
                graph.successors(&state, out);
                (1, out.len())
            }
        };
        let is_plain = out.faults().is_empty() && !out.is_incomplete() && !out.is_empty();
        let is_small = out.len() <= MAX_DEGREE && self.edges.len() + out.len() <= MAX_EDGES;
        if !is_plain || !is_small || rows * columns != out.len() {
            self.nodes[number as usize].rows = LEFT;
            return Ok(());
        }
        let first = self.edges.len() as u32;
        for index in 0..out.len() {
            let target = self.number(out.edge(index).0)?;
            let accepting = match is_accepting(out, index) {
                true => ACCEPTING,
                false => 0,
            };
            self.edges.push(target | accepting);
        }
        let node = &mut self.nodes[number as usize];
        node.first = first;
        node.rows = rows as u16;
        node.columns = columns as u16;
        Ok(())
    }

    /// The bytes that it takes, approximately.
    pub(super) fn memory_bytes(&self) -> u64 {
        let map = self.numbers.capacity() * (size_of::<(u64, u32)>() + 1);
        let bytes = self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * 4
            + self.words.capacity() * 4
            + self.ends.capacity() * size_of::<usize>();
        (bytes + map) as u64
    }
}
