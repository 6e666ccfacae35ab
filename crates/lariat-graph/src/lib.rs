//! The interface between state spaces and searches.
//!
//! A [`StateSpace`] is a directed graph that is generated on demand: it has initial states and computes the
//! successors of a state. States are slices of `u32` words; their width may differ from state to state, because a
//! model may create processes. An edge carries a label, a number by which the state space finds the same step again
//! when a counterexample is replayed.
//!
//! While it expands a state, the space may find an error: an assertion that fails, a deadlock. It reports the error
//! as a [`Fault`]; the search decides what follows from it.
//!
//! An [`AcceptingGraph`] also defines which of its infinite runs are accepted: its edges carry marks, and its
//! [`Acceptance`] tells which marks a run must contain infinitely often.
//!
//! Operations that only some searches need are in an extension trait: [`Draw`] for random walks. A wrapper of a graph
//! implements it as well, or the compiler refuses the search.
//!
//! Everything that an expansion yields goes into one reusable buffer, [`Expansion`], so that no
//! transition costs an allocation.

mod acceptance;
mod draw;
pub mod explicit;
pub mod product;

pub use acceptance::{Acceptance, AcceptingGraph};
pub use draw::{DRAWN, Draw};

/// A graph whose states are generated on demand.
pub trait StateSpace {
    /// Puts the initial states into `out`, which the callee does not clear.
    fn initial(&mut self, out: &mut Expansion);

    /// Puts the successors of `state`, and the faults found in its expansion, into `out`, which the callee does not
    /// clear. The same state always gives the same edges in the same order. Words that are not a state of the graph
    /// have no edges, and their expansion is [incomplete](Expansion::set_incomplete) unless the graph defines
    /// otherwise.
    fn successors(&mut self, state: &[u32], out: &mut Expansion);
}

/// An error that was found while a state was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The kind of error, as a number that the state space can explain: equal codes are the same error (for example
    /// the same assertion) at different states.
    pub code: u32,
    /// The label of the edge on which it happened, or `None` for a fault of the state itself. The edge need not have
    /// a target: a step that fails may have no successor.
    pub label: Option<u32>,
}

/// The result of an expansion: edges with their target states, and faults.
///
/// A buffer made with [`with_marks`](Self::with_marks) has room for acceptance marks on each edge;
/// any other drops the marks that it is given.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    words: Vec<u32>,
    edges: Vec<Edge>,
    /// `mark_words` for each edge.
    marks: Vec<u64>,
    mark_words: usize,
    faults: Vec<Fault>,
    internal_steps: u64,
    incomplete: bool,
    /// The bytes that the graph holds besides this buffer.
    scratch: usize,
}

/// Graphs report the bytes that they hold besides the buffer of an expansion ([`Expansion::set_scratch`]) for states of
/// at least so many words. For others they are few.
pub const WIDE: usize = 1024;

/// An edge in the buffer: the end of its target, and its label. The target begins where that of the previous edge
/// ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Edge {
    /// The number of words up to the end of the target.
    pub end: usize,
    /// The label.
    pub label: u32,
}

/// The vectors behind an [`Expansion`], for code that writes targets in place. The targets of the
/// edges follow one another in `words` without gaps.
#[derive(Debug)]
pub struct Parts<'a> {
    /// The words of all targets.
    pub words: &'a mut Vec<u32>,
    /// The edges.
    pub edges: &'a mut Vec<Edge>,
}

/// A length to which an [`Expansion`] can be truncated.
#[derive(Clone, Copy, Debug)]
pub struct Savepoint {
    words: usize,
    edges: usize,
    faults: usize,
    internal_steps: u64,
}

impl Expansion {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty buffer with `words` words of marks for each edge; see [`Acceptance::words`].
    pub fn with_marks(words: usize) -> Self {
        Expansion {
            mark_words: words,
            ..Self::default()
        }
    }

    /// The words of marks that each edge has.
    pub fn mark_words(&self) -> usize {
        self.mark_words
    }

    /// Empties the buffer and changes the number of words of marks of each edge: for a wrapper that fills a buffer of
    /// its own from the wrapped graph.
    pub fn set_mark_words(&mut self, words: usize) {
        self.clear();
        self.mark_words = words;
    }

    /// Empties the buffer and keeps its memory.
    #[inline]
    pub fn clear(&mut self) {
        self.words.clear();
        self.edges.clear();
        self.marks.clear();
        self.faults.clear();
        self.internal_steps = 0;
        self.incomplete = false;
    }

    /// Adds an edge to `target`, without any marks.
    #[inline]
    pub fn push(&mut self, target: &[u32], label: u32) {
        self.push_marked(target, label, &[]);
    }

    /// Adds an edge with marks to `target`. Words of marks that are not given are zero; words beyond the buffer's
    /// width of marks are dropped.
    #[inline]
    pub fn push_marked(&mut self, target: &[u32], label: u32, marks: &[u64]) {
        self.words.extend_from_slice(target);
        self.edges.push(Edge {
            end: self.words.len(),
            label,
        });
        if self.mark_words > 0 {
            let given = marks.len().min(self.mark_words);
            self.marks.extend_from_slice(&marks[..given]);
            self.marks.resize(self.edges.len() * self.mark_words, 0);
        }
    }

    /// The vectors to which edges can be added in place; [`fill_marks`](Self::fill_marks) has to
    /// follow.
    #[inline]
    pub fn parts(&mut self) -> Parts<'_> {
        Parts {
            words: &mut self.words,
            edges: &mut self.edges,
        }
    }

    /// Gives the edges that were added in place marks that are all zero.
    #[inline]
    pub fn fill_marks(&mut self) {
        self.marks.resize(self.edges.len() * self.mark_words, 0);
    }

    /// The marks of an edge, mutable; an empty slice if this buffer stores none.
    pub fn marks_mut(&mut self, index: usize) -> &mut [u64] {
        &mut self.marks[index * self.mark_words..][..self.mark_words]
    }

    /// Adds a fault.
    pub fn push_fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Counts steps inside an edge, whose intermediate states no search sees, for example those of an atomic
    /// sequence.
    pub fn count_internal_steps(&mut self, steps: u64) {
        self.internal_steps += steps;
    }

    /// Records that the state may have more edges than were added: the search was cancelled, the edges need too much
    /// memory, or the words are not a state of the graph. A search that sees this flag cannot be complete.
    pub fn set_incomplete(&mut self) {
        self.incomplete = true;
    }

    /// Whether edges are missing.
    #[inline]
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// The present length, for [`rewind`](Self::rewind).
    pub fn savepoint(&self) -> Savepoint {
        Savepoint {
            words: self.words.len(),
            edges: self.edges.len(),
            faults: self.faults.len(),
            internal_steps: self.internal_steps,
        }
    }

    /// Removes everything that was added after `savepoint`.
    pub fn rewind(&mut self, savepoint: Savepoint) {
        self.words.truncate(savepoint.words);
        self.edges.truncate(savepoint.edges);
        self.marks.truncate(savepoint.edges * self.mark_words);
        self.faults.truncate(savepoint.faults);
        self.internal_steps = savepoint.internal_steps;
    }

    /// Adds a word to the target of the last edge, and gives the edge another label and a first word of marks: a
    /// product turns an edge of its system into its own edge this way.
    #[inline]
    pub(crate) fn extend_last(&mut self, word: u32, label: u32, marks: u64) {
        let Some(edge) = self.edges.last_mut() else {
            return;
        };
        self.words.push(word);
        edge.end += 1;
        edge.label = label;
        if self.mark_words > 0 {
            let last = self.marks.len() - self.mark_words;
            self.marks[last] = marks;
        }
    }

    /// Changes the labels of the faults from index `from` on.
    #[inline]
    pub(crate) fn relabel_faults(&mut self, from: usize, change: impl Fn(u32) -> u32) {
        for fault in &mut self.faults[from..] {
            fault.label = fault.label.map(&change);
        }
    }

    /// The number of steps to choose from: edges, and faults on edges without a target.
    pub fn choices(&self) -> usize {
        self.edges.len() + self.labels_without_target().count()
    }

    /// The labels of edges without a target, each of them once.
    fn labels_without_target(&self) -> impl Iterator<Item = u32> {
        let label = |i: usize| self.faults[i].label;
        (0..self.faults.len()).filter_map(move |i| {
            let lost = label(i)?;
            let is_first = (0..i).all(|j| label(j) != Some(lost));
            let leads_nowhere = || self.edges.iter().all(|edge| edge.label != lost);
            (is_first && leads_nowhere()).then_some(lost)
        })
    }

    /// Removes all steps but one, given by its index among [`choices`](Self::choices), with the faults of the others.
    /// If there is no such step, no edge remains.
    pub fn keep(&mut self, choice: usize) {
        let label = match self.edges.get(choice) {
            Some(edge) => Some(edge.label),
            None => self
                .labels_without_target()
                .nth(choice - self.edges.len().min(choice)),
        };
        if !self.faults.is_empty() {
            self.faults
                .retain(|f| f.label.is_none() || f.label == label);
        }
        if choice >= self.edges.len() {
            self.words.clear();
            self.edges.clear();
            self.marks.clear();
            return;
        }
        let start = choice.checked_sub(1).map_or(0, |i| self.edges[i].end);
        let Edge { end, label } = self.edges[choice];
        self.words.copy_within(start..end, 0);
        self.words.truncate(end - start);
        self.edges.truncate(1);
        self.edges[0] = Edge {
            end: end - start,
            label,
        };
        let marks = choice * self.mark_words;
        self.marks.copy_within(marks..marks + self.mark_words, 0);
        self.marks.truncate(self.mark_words);
    }

    /// The number of edges.
    #[inline]
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no edge.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Target and label of an edge.
    #[inline]
    pub fn edge(&self, index: usize) -> (&[u32], u32) {
        let start = index.checked_sub(1).map_or(0, |i| self.edges[i].end);
        let Edge { end, label } = self.edges[index];
        (&self.words[start..end], label)
    }

    /// The marks of an edge; an empty slice if this buffer stores none.
    #[inline]
    pub fn marks(&self, index: usize) -> &[u64] {
        &self.marks[index * self.mark_words..][..self.mark_words]
    }

    /// All edges in order.
    #[inline]
    pub fn edges(&self) -> impl Iterator<Item = (&[u32], u32)> {
        let mut start = 0;
        self.edges.iter().map(move |edge| {
            let target = &self.words[start..edge.end];
            start = edge.end;
            (target, edge.label)
        })
    }

    /// All faults in order.
    #[inline]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The number of internal steps that were counted.
    #[inline]
    pub fn internal_steps(&self) -> u64 {
        self.internal_steps
    }

    /// Reports the bytes that the graph holds besides this buffer: copies of states, for the most part.
    pub fn set_scratch(&mut self, bytes: usize) {
        self.scratch = bytes;
    }

    /// The bytes of the buffer itself.
    #[inline]
    pub fn buffer_bytes(&self) -> usize {
        self.words.capacity() * 4
            + self.edges.capacity() * size_of::<Edge>()
            + self.marks.capacity() * size_of::<u64>()
            + self.faults.capacity() * size_of::<Fault>()
    }

    /// The bytes of the buffer and of the graph that filled it.
    #[inline]
    pub fn memory_bytes(&self) -> usize {
        self.buffer_bytes() + self.scratch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_with_their_edges() {
        let mut out = Expansion::with_marks(2);
        out.push_marked(&[1], 0, &[5, 6]);
        out.push(&[2, 3], 1);
        let savepoint = out.savepoint();
        out.push_marked(&[], 2, &[7]);
        assert_eq!(out.marks(0), [5, 6]);
        assert_eq!(out.marks(1), [0, 0]);
        assert_eq!(out.marks(2), [7, 0]);
        out.rewind(savepoint);
        out.push_marked(&[4], 3, &[8, 9, 10]);
        assert_eq!(out.edge(2), (&[4][..], 3));
        assert_eq!(out.marks(2), [8, 9]);
        out.clear();
        out.push_marked(&[4], 3, &[1, 2]);
        assert_eq!(out.marks(0), [1, 2]);
    }

    #[test]
    fn edges_can_be_added_in_place() {
        let mut out = Expansion::with_marks(1);
        out.push_marked(&[1, 2], 0, &[5]);
        let parts = out.parts();
        parts.words.extend([3, 4, 5]);
        parts.edges.push(Edge { end: 5, label: 7 });
        out.fill_marks();
        out.marks_mut(1)[0] |= 6;
        assert_eq!(out.edge(1), (&[3, 4, 5][..], 7));
        assert_eq!((out.marks(0), out.marks(1)), (&[5][..], &[6][..]));
    }

    #[test]
    fn one_step_is_kept_with_its_faults() {
        let fault = |code, label| Fault { code, label };
        let make = || {
            let mut out = Expansion::with_marks(1);
            out.push_marked(&[1, 2], 0, &[5]);
            out.push_marked(&[3], 4, &[6]);
            for (code, label) in [(10, None), (11, Some(4)), (12, Some(9)), (13, Some(9))] {
                out.push_fault(fault(code, label));
            }
            assert_eq!(out.choices(), 3);
            out
        };
        let mut out = make();
        out.keep(1);
        assert_eq!(
            (out.len(), out.edge(0), out.marks(0)),
            (1, (&[3][..], 4), &[6][..])
        );
        assert_eq!(out.faults(), [fault(10, None), fault(11, Some(4))]);
        let mut out = make();
        out.keep(2);
        assert!(out.is_empty());
        let lost = Some(9);
        assert_eq!(
            out.faults(),
            [fault(10, None), fault(12, lost), fault(13, lost)]
        );
        out.clear();
        out.keep(0);
        assert_eq!((out.len(), out.choices()), (0, 0));
    }

    #[test]
    fn a_plain_buffer_drops_marks() {
        let mut out = Expansion::new();
        out.push_marked(&[1], 0, &[5, 6]);
        assert_eq!(out.marks(0), []);
        assert_eq!(out.edge(0), (&[1][..], 0));
        out.set_mark_words(1);
        assert!(out.is_empty());
        out.push_marked(&[1], 0, &[5, 6]);
        assert_eq!(out.marks(0), [5]);
    }
}
