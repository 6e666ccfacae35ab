//! A part of a graph as an explicit list of edges.
//!
//! To construct a lasso from the result of a search, a part of the graph is traversed many times. In a fragment,
//! states are numbers from 0 on, and edges are a list.

use crate::toolkit::column::Column;
use lariat_store::{Full, Memory};
use std::ops::Range;

/// States and the edges between them.
pub(crate) struct Fragment {
    words: usize,
    /// The start of the edges of each state.
    starts: Column<u64>,
    edges: Column<FragmentEdge>,
    /// `words` for each edge.
    marks: Column<u64>,
}

/// An edge of a [`Fragment`].
#[derive(Clone, Copy)]
pub(crate) struct FragmentEdge {
    pub target: u32,
    pub label: u32,
}

impl Fragment {
    /// An empty fragment whose edges have so many words of marks.
    pub fn new(memory: &Memory, words: usize) -> Self {
        Fragment {
            words,
            starts: Column::new(memory),
            edges: Column::new(memory),
            marks: Column::new(memory),
        }
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// The number of states.
    pub fn len(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Adds a state; the edges that are added next are its own.
    pub fn push_state(&mut self) -> Result<(), Full> {
        self.starts.push(self.edges.len())
    }

    /// Adds an edge to the last added state. The target may be added later, or never: then it is a state whose edges
    /// must not be read.
    pub fn push_edge(&mut self, target: u32, label: u32, marks: &[u64]) -> Result<(), Full> {
        for &word in &marks[..self.words] {
            self.marks.push(word)?;
        }
        self.edges.push(FragmentEdge { target, label })
    }

    /// The indices of the edges that leave a state.
    pub fn edges_of(&self, state: u32) -> Range<u64> {
        let next = u64::from(state) + 1;
        let end = match next < self.starts.len() {
            true => self.starts.get(next),
            false => self.edges.len(),
        };
        self.starts.get(state)..end
    }

    pub fn edge(&self, edge: u64) -> FragmentEdge {
        self.edges.get(edge)
    }

    /// Adds the marks of an edge to `seen`.
    pub fn unite_marks(&self, edge: u64, seen: &mut [u64]) {
        let start = edge * self.words as u64;
        for (word, index) in seen.iter_mut().zip(start..) {
            *word |= self.marks.get(index);
        }
    }

    /// The first word of the marks of an edge.
    pub fn first_marks(&self, edge: u64) -> u64 {
        match self.words {
            0 => 0,
            words => self.marks.get(edge * words as u64),
        }
    }

    /// Whether an edge has one of these marks.
    pub fn has_mark_of(&self, edge: u64, marks: &[u64]) -> bool {
        let start = edge * self.words as u64;
        let mut words = marks.iter().zip(start..);
        words.any(|(&word, index)| word != 0 && word & self.marks.get(index) != 0)
    }
}
