//! A stack of states with their words, for stores that do not give the words of a state.
//!
//! A state on it takes 24 bytes and its words. The words of the targets of waiting edges are not kept: the search
//! expands the top state again when it has returned to it and follows another edge.

use crate::toolkit::column::Column;
use crate::toolkit::stack::Stack;
use lariat_store::{Full, Memory, StateRef};
use std::ops::Range;

/// The states on the current path, with their words.
pub(crate) struct WordStack {
    /// The frames and the waiting edges. The reference in a frame is any key of the state.
    pub frames: Stack,
    /// For each frame the end of its words.
    ends: Column<u64>,
    words: Column<u32>,
}

impl WordStack {
    /// An empty stack whose edges have so many words of marks.
    pub fn new(memory: &Memory, mark_words: usize) -> Self {
        WordStack {
            frames: Stack::new(memory, mark_words),
            ends: Column::new(memory),
            words: Column::new(memory),
        }
    }

    /// The number of frames.
    pub fn height(&self) -> u64 {
        self.frames.height()
    }

    /// Pushes a state, without edges yet.
    pub fn push(&mut self, key: StateRef, words: &[u32]) -> Result<(), Full> {
        for &word in words {
            self.words.push(word)?;
        }
        self.ends.push(self.words.len())?;
        self.frames.push(key)
    }

    /// Removes the top state and returns its key.
    pub fn pop(&mut self) -> Option<StateRef> {
        self.ends.pop();
        self.words.truncate(self.ends.last().unwrap_or(0));
        self.frames.pop()
    }

    /// Copies the words of the top state.
    pub fn read_top(&self, out: &mut Vec<u32>) {
        out.clear();
        if let Some(top) = self.height().checked_sub(1) {
            out.extend(self.range(top).map(|index| self.words.get(index)));
        }
    }

    /// Whether the state of a frame has these words.
    pub fn has(&self, frame: u64, words: &[u32]) -> bool {
        let range = self.range(frame);
        range.end - range.start == words.len() as u64
            && range
                .zip(words)
                .all(|(index, &word)| self.words.get(index) == word)
    }

    /// Empties the stack.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.ends.truncate(0);
        self.words.truncate(0);
    }

    fn range(&self, frame: u64) -> Range<u64> {
        let start = frame.checked_sub(1).map_or(0, |below| self.ends.get(below));
        start..self.ends.get(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    #[test]
    fn a_stack_gives_the_words_back() {
        let memory = Memory::new(None);
        let mut rng = stream(1, "stacks of words", 0);
        let mut stack = WordStack::new(&memory, 0);
        let mut model: Vec<Vec<u32>> = Vec::new();
        let mut words = Vec::new();
        for step in 0..50_000u64 {
            if rng.chance(if step % 10_000 < 6000 { 0.7 } else { 0.2 }) {
                let state: Vec<u32> = (0..rng.below(9)).map(|_| rng.below(3) as u32).collect();
                stack.push(StateRef::new(step), &state).unwrap();
                model.push(state);
            } else {
                assert_eq!(stack.pop().is_some(), model.pop().is_some());
            }
            assert_eq!(stack.height(), model.len() as u64);
            stack.read_top(&mut words);
            assert_eq!(&words, model.last().unwrap_or(&Vec::new()));
            if !model.is_empty() {
                let (a, b) = (rng.index(model.len()), rng.index(model.len()));
                assert_eq!(stack.has(a as u64, &model[b]), model[a] == model[b]);
            }
        }
        drop(stack);
        assert_eq!(memory.held(), 0);
    }
}
