//! Depth-first search.
//!
//! Goes from each state to its first successor that is new, and back when there is none. A state
//! is stored when it is visited, not when it is seen, so that states are visited in the true
//! depth-first order. The search is not recursive: it has a stack of its own, which holds the
//! successors of every state on the current path, and which draws on the same memory as the store.
//! The edges taken from the states on the stack are the path to the current state.

use crate::budget::{Options, Stop};
use crate::observer::Observer;
use crate::outcome::{Path, SearchOutcome};
use crate::run::{self, Run};
use lariat_graph::{Expansion, Fault, StateSpace};
use lariat_store::{Account, Arena, FlatStore, Full, Memory};

/// Visits all reachable states, the successors of a state before its siblings.
pub fn depth_first<S: StateSpace, O: Observer>(
    space: &mut S,
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let run = Run::new(options, observer);
    let mut store = FlatStore::new(run.memory());
    run.limit_states(&mut store);
    let mut search = DepthFirst {
        space,
        store,
        stack: Stack::new(run.memory()),
        run,
        expansion: Expansion::new(),
    };
    let result = search.explore();
    search.run.finish(result, |path| path)
}

struct DepthFirst<'a, S, O> {
    space: &'a mut S,
    store: FlatStore,
    stack: Stack,
    run: Run<'a, O, Path>,
    expansion: Expansion,
}

impl run::Origin for Path {
    fn heap_bytes(&self) -> usize {
        self.labels.capacity() * size_of::<u32>()
    }
}

impl<S: StateSpace, O: Observer> DepthFirst<'_, S, O> {
    fn explore(&mut self) -> Result<(), Stop> {
        self.run.checkpoint(0, None)?;
        self.space.initial(&mut self.expansion);
        self.enter()?;
        while !self.stack.is_empty() {
            let Some(state) = self.stack.next_edge() else {
                self.stack.pop();
                continue;
            };
            let insert = self.store.insert(state);
            if let Some(id) = self.run.inserted(insert, &self.store)? {
                self.run.reached_depth(self.stack.height());
                self.run.checkpoint(self.stack.height(), None)?;
                self.expansion.clear();
                let state = self.store.get(id);
                self.space.successors(state, &mut self.expansion);
                self.enter()?;
            }
        }
        Ok(())
    }

    /// Books an expansion and puts its edges on the stack.
    fn enter(&mut self) -> Result<(), Stop> {
        let path = |fault: &Fault| self.stack.path(fault.label);
        self.run.expanded(&self.expansion, path, |_, _| false)?;
        self.stack
            .push(&self.expansion)
            .map_err(|Full| Stop::Memory)
    }
}

/// The successors of the states on the current path.
///
/// The lowest frame holds the initial states, with their indices as labels: choosing one of them
/// is the first step of every path.
struct Stack {
    account: Account,
    /// For each edge of a frame: its label, the width of its target, the words of the target.
    words: Arena<u32, 16>,
    frames: Arena<Frame, 12>,
}

#[derive(Clone, Copy)]
struct Frame {
    /// The position of its first edge.
    start: u64,
    /// The words of all its edges.
    len: u32,
    /// How many of these words belong to edges that were taken.
    taken: u32,
    /// The label of the edge that was taken last.
    label: u32,
}

impl Stack {
    fn new(memory: &Memory) -> Self {
        Stack {
            account: memory.account(),
            words: Arena::new(),
            frames: Arena::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.frames.end() == 0
    }

    /// The number of frames: that of the states on the current path, up to the target of the edge
    /// that was taken last.
    fn height(&self) -> u64 {
        self.frames.end()
    }

    /// Puts a frame with the edges of an expansion on top.
    fn push(&mut self, expansion: &Expansion) -> Result<(), Full> {
        let len = expansion.edges().map(|(target, _)| 2 + target.len()).sum();
        let is_root = self.is_empty();
        let frame = Frame {
            len: u32::try_from(len).map_err(|_| Full)?,
            start: self.words.open(&mut self.account, len)?,
            taken: 0,
            label: 0,
        };
        self.frames.open(&mut self.account, 1)?;
        self.frames.extend(&[frame]);
        for (index, (target, label)) in expansion.edges().enumerate() {
            let label = if is_root { index as u32 } else { label };
            self.words.extend(&[label, target.len() as u32]);
            self.words.extend(target);
        }
        Ok(())
    }

    /// Takes the next edge of the top frame and returns its target.
    fn next_edge(&mut self) -> Option<&[u32]> {
        let frame = self.frames.get_mut(self.frames.end().checked_sub(1)?);
        if frame.taken == frame.len {
            return None;
        }
        let words = self.words.slice(frame.start, frame.len as usize);
        let edge = &words[frame.taken as usize..];
        frame.label = edge[0];
        frame.taken += 2 + edge[1];
        Some(&edge[2..2 + edge[1] as usize])
    }

    fn pop(&mut self) {
        if let Some(top) = self.frames.end().checked_sub(1) {
            let start = self.frames.get(top).start;
            self.frames.truncate(&mut self.account, top);
            self.words.truncate(&mut self.account, start);
        }
    }

    /// The path along the edges taken, and then along `label`.
    fn path(&self, label: Option<u32>) -> Path {
        let mut taken = (0..self.frames.end()).map(|i| self.frames.get(i).label);
        let initial = taken.next();
        Path {
            initial,
            labels: taken.chain(label).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stack needs memory for its height, not for everything that was ever on it.
    #[test]
    fn popping_makes_room() {
        let memory = Memory::new(None);
        let mut stack = Stack::new(&memory);
        let mut expansion = Expansion::new();
        expansion.push(&[7; 100], 4);
        expansion.push(&[], 5);
        for _ in 0..10_000 {
            stack.push(&expansion).unwrap();
            stack.push(&expansion).unwrap();
            assert_eq!(stack.next_edge(), Some(&[7; 100][..]));
            assert_eq!(stack.next_edge(), Some(&[][..]));
            assert_eq!(stack.next_edge(), None);
            stack.pop();
            stack.pop();
        }
        assert!(stack.is_empty());
        assert!(memory.peak() < 5000, "{}", memory.peak());
    }
}
