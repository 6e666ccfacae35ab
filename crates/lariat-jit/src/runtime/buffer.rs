//! The buffer of edges that compiled code writes to.
#![allow(unsafe_code)]

use lariat_graph::{Edge, Expansion};

use super::context::Raw;
use super::{FIRST_WORDS, Runtime, SLACK};

impl Runtime<'_> {
    /// Adds the edges that compiled code has written to `out`.
    ///
    /// # Safety
    ///
    /// `out` is the buffer of the last expansion, and was not used since.
    pub(super) unsafe fn keep_written(&mut self, out: &mut Expansion) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.set_lengths(out) };
        out.fill_marks();
        out.count_internal_steps(self.context.internal_steps);
    }

    /// Sets the lengths of the vectors of `out` to the written words and edges.
    ///
    /// # Safety
    ///
    /// `out` is the buffer that the context points at.
    pub(super) unsafe fn set_lengths(&self, out: &mut Expansion) {
        let parts = out.parts();
        // SAFETY: written: both pointers point into these vectors, within their capacity, and everything before them
        // is initialised.
        unsafe {
            let words = self.context.cursor.0.offset_from(parts.words.as_ptr()) as usize;
            parts.words.set_len(words);
            let edges = self.context.edges.0.offset_from(parts.edges.as_ptr()) as usize;
            parts.edges.set_len(edges);
        }
    }

    /// Reserves memory for more targets and points the context at it. Everything that was written must be part of the
    /// vectors.
    pub(super) fn reserve(&mut self, out: &mut Expansion) {
        let width = self.context.width as usize / 4 + SLACK;
        let parts = out.parts();
        // For many small targets, or for a large one.
        let room = (32 * width).min(FIRST_WORDS).max(width);
        parts.words.reserve(parts.words.len().max(room));
        parts.edges.reserve(parts.edges.len().max(32));
        let (len, capacity) = (parts.words.len(), parts.words.capacity());
        let words = parts.words.as_mut_ptr();
        // SAFETY: a vector has memory for as many words as its capacity, and its length is not more.
        let (cursor, end) = unsafe { (words.add(len), words.add(capacity)) };
        let (len, capacity) = (parts.edges.len(), parts.edges.capacity());
        let edges = parts.edges.as_mut_ptr();
        // SAFETY: as above.
        let (next, edges_end) = unsafe { (edges.add(len), edges.add(capacity)) };
        self.context.words = Raw(words);
        self.context.cursor = Raw(cursor);
        self.end = Raw(end);
        self.context.edges = Raw(next);
        self.context.edges_end = Raw(edges_end);
        self.set_width(self.context.width as usize / 4);
    }

    /// Sets the width of the present state, and of the room that a target needs.
    pub(super) fn set_width(&mut self, words: usize) {
        self.context.width = words as u64 * 4;
        self.context.last_piece = (words.max(SLACK) - SLACK) as u64 * 4;
        self.context.limit = Raw(self.end.0.wrapping_sub(words + SLACK));
    }

    /// Whether there is no room for another target or edge.
    pub(super) fn is_full(&self) -> bool {
        self.context.cursor.0 > self.context.limit.0
            || self.context.edges.0 >= self.context.edges_end.0
    }

    /// The number of edges that were added in this expansion.
    pub(super) fn edge_count(&self) -> usize {
        self.context.label as usize
    }

    /// Ends an edge whose target is at the cursor.
    ///
    /// # Safety
    ///
    /// At the cursor `width` words are written, and there was room for them and for an edge.
    pub(super) unsafe fn finish_edge(&mut self, width: usize) {
        let context = &mut self.context;
        let label = context.label;
        // SAFETY: room: the words lie in the memory of the vector, so the pointer behind them does.
        context.cursor.0 = unsafe { context.cursor.0.add(width) };
        // SAFETY: written: the cursor points into the vector that begins at `words`.
        let end = unsafe { context.cursor.0.offset_from(context.words.0) } as usize;
        // SAFETY: room: there is memory for an edge, which begins at a multiple of its size.
        unsafe { context.edges.0.write(Edge { end, label }) };
        // SAFETY: as above.
        context.edges.0 = unsafe { context.edges.0.add(1) };
        context.label = label.wrapping_add(1);
    }

    /// Gives the hidden variables of the target at the cursor their initial values.
    ///
    /// # Safety
    ///
    /// There is a state at the cursor.
    pub(super) unsafe fn forget_hidden(&mut self) {
        for &(word, mask, value) in &self.code.facts().hidden {
            // SAFETY: hidden variables are global, and every state begins with the globals.
            let word = unsafe { &mut *self.context.cursor.0.add(word as usize) };
            *word = (*word & !mask) | value;
        }
    }
}
