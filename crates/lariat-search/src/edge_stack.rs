//! The stack of a depth-first search that has numbered the targets of its edges.
//!
//! Successors are stored, and so numbered, as soon as their parent is expanded; whether a state
//! was visited yet is up to the search, which keeps a colour for each number. So the stack needs
//! only 8 bytes, and the marks, for an edge that waits, however wide states are, and nothing for
//! an edge that was taken. Expanding a state again for its next edge would need even less, but
//! expanding is what a search spends most of its time on.

use crate::budget::Stop;
use crate::column::Column;
use crate::observer::Observer;
use crate::outcome::Path;
use crate::run::{Origin, Run};
use lariat_graph::Expansion;
use lariat_store::{FlatStore, Full, Memory};

/// The states on the current path, each with the edges that were not taken yet.
///
/// The lowest frame stands for the choice of an initial state; the labels of its edges are their
/// indices.
pub(crate) struct EdgeStack {
    frames: Column<Frame>,
    /// Target and label; the next to be taken is the last one.
    edges: Column<[u32; 2]>,
    /// As many words for each edge as `taken` has.
    marks: Column<u64>,
    /// The marks of the edge that was taken last.
    taken: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Frame {
    /// Where its edges start.
    first: u64,
    state: u32,
    /// The label of the edge that was taken last.
    label: u32,
}

/// The state of the lowest frame.
pub(crate) const NO_STATE: u32 = u32::MAX;

impl EdgeStack {
    /// An empty stack whose edges have so many words of marks.
    pub fn new(memory: &Memory, words: usize) -> Self {
        EdgeStack {
            frames: Column::new(memory),
            edges: Column::new(memory),
            marks: Column::new(memory),
            taken: vec![0; words],
        }
    }

    /// The number of frames. As the lowest one is no state, this is also the number of states on
    /// the path when the target of the edge that was taken last is counted.
    pub fn height(&self) -> u64 {
        self.frames.len()
    }

    /// Puts a state on top, without edges yet.
    pub fn push(&mut self, state: u32) -> Result<(), Full> {
        self.frames.push(Frame {
            first: self.edges.len(),
            state,
            label: 0,
        })
    }

    /// Gives the top state an edge. The one that is added last is taken first.
    pub fn push_edge(&mut self, target: u32, label: u32, marks: &[u64]) -> Result<(), Full> {
        for index in 0..self.taken.len() {
            self.marks.push(marks.get(index).copied().unwrap_or(0))?;
        }
        self.edges.push([target, label])
    }

    /// Puts a state with the edges of its expansion on top, their targets stored and numbered. A
    /// target that is new gets a zero in the column that tells what is known about states.
    pub fn push_expansion<O: Observer, W: Origin>(
        &mut self,
        state: u32,
        expansion: &Expansion,
        store: &mut FlatStore,
        known: &mut Column<u32>,
        run: &mut Run<O, W>,
    ) -> Result<(), Stop> {
        self.push(state)?;
        for index in (0..expansion.len()).rev() {
            let (target, label) = expansion.edge(index);
            let insert = store.insert(target);
            let (target, is_new) = run.numbered(insert, store)?;
            if is_new {
                known.push(0)?;
            }
            let (label, marks) = match state {
                NO_STATE => (index as u32, &[][..]),
                _ => (label, expansion.marks(index)),
            };
            self.push_edge(target, label, marks)?;
        }
        Ok(())
    }

    /// Takes the next edge of the top state and returns its target.
    pub fn next_edge(&mut self) -> Option<u32> {
        let top = self.frames.len().checked_sub(1)?;
        let frame = self.frames.get_mut(top);
        if self.edges.len() == frame.first {
            return None;
        }
        let [target, label] = self.edges.pop()?;
        frame.label = label;
        for word in self.taken.iter_mut().rev() {
            *word = self.marks.pop().unwrap_or(0);
        }
        Some(target)
    }

    /// The marks of the edge that was taken last.
    pub fn taken_marks(&self) -> &[u64] {
        &self.taken
    }

    /// The top state.
    pub fn top(&self) -> Option<u32> {
        self.frames.last().map(|frame| frame.state)
    }

    /// The frame of a state on the path.
    pub fn position(&self, state: u32) -> Option<u64> {
        let mut frames = 0..self.height();
        frames.rfind(|&index| self.frames.get(index).state == state)
    }

    /// Removes the top state, which has no edges left, and returns it.
    pub fn pop(&mut self) -> Option<u32> {
        self.frames.pop().map(|frame| frame.state)
    }

    pub fn clear(&mut self) {
        self.frames.truncate(0);
        self.edges.truncate(0);
        self.marks.truncate(0);
    }

    /// The labels of the edges taken in a range of frames.
    pub fn labels(&self, frames: std::ops::Range<u64>) -> impl Iterator<Item = u32> {
        frames.map(|index| self.frames.get(index).label)
    }

    /// The path along the edges taken, and then along `label`.
    pub fn path(&self, label: Option<u32>) -> Path {
        let mut taken = self.labels(0..self.height());
        let initial = taken.next();
        Path {
            initial,
            labels: taken.chain(label).collect(),
        }
    }
}
