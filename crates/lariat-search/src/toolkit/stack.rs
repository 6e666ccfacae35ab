//! The stack of a depth-first search.
//!
//! A state on the stack takes 16 bytes: its reference, the label of the last edge that was taken from it, and the
//! number of its edges that are done. So a depth of 100 million costs 1.6 GB, whatever the width and the number of
//! edges of the states.
//!
//! Edges that are not taken yet are stored only for the states near the top: in the *window*. Most backtracking of a
//! depth-first search is short, and then the edges are still there. When the window is full, its lower half is
//! dropped. A search that backtracks to a state whose edges were dropped has to expand it again and to push the edges
//! that were not taken yet; as a graph gives the same edges in the same order each time, their number tells which
//! these are. Whether there are any is stored, so that long paths without a choice are never expanded twice.
//!
//! Before a state is dropped, half the window has been filled since the last time. So the amortised cost of expanding
//! again is at most one expansion for each edge that was pushed, and in practice almost nothing.

use crate::toolkit::column::Column;
use crate::toolkit::outcome::Path;
use lariat_graph::Expansion;
use lariat_store::{Account, Full, Memory, Settled, StateRef};
use std::ops::Range;

/// The states on the current path, and their edges that were not taken yet.
///
/// The lowest frame is the choice of an initial state: its state is [`StateRef::NONE`], and the labels of its edges
/// are their indices.
pub(crate) struct Stack {
    frames: Column<Frame>,
    window: Window,
    /// The marks of the last edge that was taken.
    taken: Vec<u64>,
}

/// A state on the path.
#[derive(Clone, Copy)]
struct Frame {
    state: StateRef,
    /// The label of the last edge that was taken.
    label: u32,
    /// The number of edges of the state that were taken or skipped, or [`EXHAUSTED`].
    progress: u32,
}

/// In [`Frame::progress`]: the edges were dropped, but none were left.
const EXHAUSTED: u32 = u32::MAX;

/// The next step of a search with a [`Stack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// An edge of the top state was taken; this is its target.
    Edge(StateRef),
    /// All edges of the top state were taken.
    Exhausted,
    /// The edges of the top state from the index `first` on were dropped. The search has to expand it again and to
    /// push them with [`Stack::push_edges`].
    Forgotten {
        /// The top state.
        state: StateRef,
        /// The first edge that was not taken.
        first: usize,
    },
}

impl Stack {
    /// An empty stack whose edges have so many words of marks.
    pub fn new(memory: &Memory, mark_words: usize) -> Self {
        Stack {
            frames: Column::new(memory),
            window: Window::new(memory, mark_words),
            taken: vec![0; mark_words],
        }
    }

    /// The number of frames. As the lowest one is not a state, this is also the number of states on the path
    /// including the target of the last edge.
    pub fn height(&self) -> u64 {
        self.frames.len()
    }

    /// Pushes a state, without edges yet.
    pub fn push(&mut self, state: StateRef) -> Result<(), Full> {
        self.make_room(0)?;
        self.frames.push(Frame {
            state,
            label: 0,
            progress: 0,
        })?;
        self.window.open();
        Ok(())
    }

    /// Pushes the edges of the top state, which has none in the window, from the index `first` on: those of
    /// `expansion`, whose targets were settled in this order. Edges for which `keep` returns false are skipped.
    pub fn push_edges(
        &mut self,
        expansion: &Expansion,
        first: usize,
        settled: &[Settled],
        keep: impl Fn(usize, &Settled) -> bool,
    ) -> Result<(), Full> {
        let Some(top) = self.frames.last() else {
            return Ok(());
        };
        if expansion.len() >= EXHAUSTED as usize {
            return Err(Full);
        }
        self.make_room(settled.len())?;
        if self.window.frames() == 0 {
            self.window.open();
        }
        for (offset, settled) in settled.iter().enumerate().rev() {
            let index = first + offset;
            if !keep(index, settled) {
                continue;
            }
            let label = match top.state {
                StateRef::NONE => index as u32,
                _ => expansion.edge(index).1,
            };
            let edge = Edge {
                target: settled.state,
                label,
                index: index as u32,
            };
            self.window.push(edge, expansion.marks(index));
        }
        Ok(())
    }

    /// Takes the next edge of the top state.
    #[inline]
    pub fn next(&mut self) -> Next {
        let Some(frame) = self.frames.last_mut() else {
            return Next::Exhausted;
        };
        if self.window.frames() == 0 {
            return match frame.progress {
                EXHAUSTED => Next::Exhausted,
                first => Next::Forgotten {
                    state: frame.state,
                    first: first as usize,
                },
            };
        }
        match self.window.pop_edge(&mut self.taken) {
            None => Next::Exhausted,
            Some(edge) => {
                frame.label = edge.label;
                frame.progress = edge.index + 1;
                Next::Edge(edge.target)
            }
        }
    }

    /// The number of the last edge that was taken, among the edges of the top state.
    pub fn taken_index(&self) -> usize {
        let taken = self.frames.last().map_or(0, |frame| frame.progress);
        taken.saturating_sub(1) as usize
    }

    /// The marks of the last edge that was taken.
    pub fn taken_marks(&self) -> &[u64] {
        &self.taken
    }

    /// The top state.
    pub fn top(&self) -> Option<StateRef> {
        self.frames.last().map(|frame| frame.state)
    }

    /// Removes the top state and returns it.
    pub fn pop(&mut self) -> Option<StateRef> {
        self.window.close();
        self.frames.pop().map(|frame| frame.state)
    }

    /// The state of a frame.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn state(&self, frame: u64) -> StateRef {
        self.frames.get(frame).state
    }

    /// The topmost frame of a state on the path.
    pub fn position(&self, state: StateRef) -> Option<u64> {
        let mut frames = 0..self.height();
        frames.rfind(|&index| self.frames.get(index).state == state)
    }

    /// The targets of all edges in the window.
    pub fn waiting(&self) -> impl Iterator<Item = StateRef> {
        self.window.edges.iter().map(|edge| edge.target)
    }

    /// Empties the stack.
    pub fn clear(&mut self) {
        self.frames.truncate(0);
        self.window.clear();
    }

    /// The labels of the edges taken in a range of frames.
    pub fn labels(&self, frames: Range<u64>) -> impl Iterator<Item = u32> {
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

    /// Reserves memory for a state, or for so many edges of the top state: drops the lowest states if the window has
    /// reached its size, or must not grow.
    #[inline]
    fn make_room(&mut self, edges: usize) -> Result<(), Full> {
        if self.window.has_room(edges) {
            return Ok(());
        }
        self.make_room_slowly(edges)
    }

    #[cold]
    fn make_room_slowly(&mut self, edges: usize) -> Result<(), Full> {
        let keep = usize::from(edges > 0);
        self.window.most_edges = self.window.most_edges.max(edges.saturating_mul(2));
        if self.window.is_full(edges) {
            self.forget(keep);
        }
        if self.window.reserve(edges).is_err() {
            self.forget(keep);
            self.window.reserve(edges)?;
        }
        Ok(())
    }

    /// Drops the edges of the lower half of the states in the window, but never those of the topmost `keep`.
    fn forget(&mut self, keep: usize) {
        let lowest = self.frames.len() - self.window.frames() as u64;
        let count = self.window.lower_half(keep);
        for frame in 0..count {
            if self.window.is_exhausted(frame) {
                self.frames.get_mut(lowest + frame as u64).progress = EXHAUSTED;
            }
        }
        self.window.forget(count);
    }
}

/// The edges of the topmost states of a stack that were not taken yet.
struct Window {
    account: Account,
    /// For each state the start of its edges.
    starts: Vec<u32>,
    /// The last one is the next to be taken.
    edges: Vec<Edge>,
    /// `mark_words` for each edge.
    marks: Vec<u64>,
    mark_words: usize,
    /// The largest number of edges: [`WINDOW`], or twice the number of edges of a single state, so that it is not
    /// dropped, and expanded again, for each of them.
    most_edges: usize,
}

/// An edge that is not taken yet.
#[derive(Clone, Copy)]
struct Edge {
    target: StateRef,
    label: u32,
    /// Its number among the edges of its state.
    index: u32,
}

/// The largest number of edges and of states of the window, unless a single state has more than half as many edges.
const WINDOW: usize = if cfg!(test) { 64 } else { 1 << 16 };

impl Window {
    fn new(memory: &Memory, mark_words: usize) -> Self {
        Window {
            account: memory.account(),
            starts: Vec::new(),
            edges: Vec::new(),
            marks: Vec::new(),
            mark_words,
            most_edges: WINDOW,
        }
    }

    /// The number of states.
    fn frames(&self) -> usize {
        self.starts.len()
    }

    /// Whether a state, or so many more edges, would exceed the size.
    fn is_full(&self, edges: usize) -> bool {
        self.starts.len() >= WINDOW || self.edges.len().saturating_add(edges) > self.most_edges
    }

    /// Whether memory is reserved for a state and for so many edges.
    #[inline]
    fn has_room(&self, edges: usize) -> bool {
        let free = self.edges.capacity() - self.edges.len();
        let free_words = self.marks.capacity() - self.marks.len();
        self.starts.len() < self.starts.capacity()
            && edges <= free
            && edges * self.mark_words <= free_words
            && !self.is_full(edges)
    }

    /// Reserves memory for a state and for so many edges.
    fn reserve(&mut self, edges: usize) -> Result<(), Full> {
        reserve(&mut self.account, &mut self.starts, 1)?;
        reserve(&mut self.account, &mut self.edges, edges)?;
        let words = edges.checked_mul(self.mark_words).ok_or(Full)?;
        reserve(&mut self.account, &mut self.marks, words)
    }

    /// Begins a state; memory for it is reserved.
    fn open(&mut self) {
        self.starts.push(self.edges.len() as u32);
    }

    /// Ends the topmost state, if there is any.
    fn close(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.edges.truncate(start as usize);
            self.marks.truncate(start as usize * self.mark_words);
        }
    }

    fn clear(&mut self) {
        self.starts.clear();
        self.edges.clear();
        self.marks.clear();
    }

    /// Adds an edge to the topmost state; memory for it is reserved.
    fn push(&mut self, edge: Edge, marks: &[u64]) {
        self.edges.push(edge);
        if self.mark_words > 0 {
            let given = marks.len().min(self.mark_words);
            self.marks.extend_from_slice(&marks[..given]);
            self.marks.resize(self.edges.len() * self.mark_words, 0);
        }
    }

    /// The next edge of the topmost state, and its marks.
    fn pop_edge(&mut self, marks: &mut [u64]) -> Option<Edge> {
        let &start = self.starts.last()?;
        if self.edges.len() == start as usize {
            return None;
        }
        let edge = self.edges.pop()?;
        if self.mark_words > 0 {
            let rest = self.edges.len() * self.mark_words;
            marks.copy_from_slice(&self.marks[rest..]);
            self.marks.truncate(rest);
        }
        Some(edge)
    }

    /// The number of lowest states that have to be dropped so that at most half the states and half the edges remain,
    /// or the topmost `keep` states.
    fn lower_half(&self, keep: usize) -> usize {
        let most = self.frames().saturating_sub(keep);
        let first = self.frames().div_ceil(2).min(most);
        let half = self.edges.len().div_ceil(2);
        let enough = |&count: &usize| count == most || self.starts[count] as usize >= half;
        (first..=most).find(enough).unwrap_or(most)
    }

    /// Whether all edges of a state are taken; counted from the lowest.
    fn is_exhausted(&self, frame: usize) -> bool {
        let next = self.starts.get(frame + 1);
        next.map_or(self.edges.len(), |&start| start as usize) == self.starts[frame] as usize
    }

    /// Drops the lowest states.
    fn forget(&mut self, count: usize) {
        let next = self.starts.get(count);
        let edges = next.map_or(self.edges.len(), |&start| start as usize);
        self.edges.drain(..edges);
        self.marks.drain(..edges * self.mark_words);
        self.starts.drain(..count);
        for start in &mut self.starts {
            *start -= edges as u32;
        }
    }
}

/// Reserves memory for `more` elements, and for as many again where the limit allows.
fn reserve<T>(account: &mut Account, vec: &mut Vec<T>, more: usize) -> Result<(), Full> {
    let needed = vec.len().checked_add(more).ok_or(Full)?;
    if needed <= vec.capacity() {
        return Ok(());
    }
    account.grow_at_best(vec, needed, 2 * needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    fn settled(number: u64) -> Settled {
        Settled {
            state: StateRef::new(number),
            is_new: true,
            colour: 0,
        }
    }

    /// The edges of a state in the tests: labels and targets depend on its number alone.
    fn expand(state: u64, expansion: &mut Expansion) -> Vec<Settled> {
        expansion.clear();
        let mut rng = stream(1, "edges", state);
        let edges = [0, 1, 1, 1, 2, 3, 30][rng.index(7)];
        (0..edges)
            .map(|index| {
                expansion.push_marked(&[], (3 + 7 * index) as u32, &[state ^ index]);
                settled(rng.below(1 << 40))
            })
            .collect()
    }

    /// A reference stack that keeps all edges.
    #[derive(Default)]
    struct Model(Vec<(StateRef, Vec<Waiting>, u32)>);

    /// Target, label and marks.
    type Waiting = (StateRef, u32, u64);

    impl Model {
        fn push(&mut self, state: StateRef, expansion: &Expansion, settled: &[Settled]) {
            let edge = |index: usize| {
                let label = expansion.edge(index).1;
                (settled[index].state, label, expansion.marks(index)[0])
            };
            self.0
                .push((state, (0..settled.len()).rev().map(edge).collect(), 0));
        }

        fn next(&mut self) -> Option<(StateRef, u64)> {
            let (_, edges, taken) = self.0.last_mut().unwrap();
            let (target, label, marks) = edges.pop()?;
            *taken = label;
            Some((target, marks))
        }
    }

    /// Random walks that go far up and down agree with the reference stack.
    #[test]
    fn dropped_edges_are_restored() {
        let memory = Memory::new(None);
        for walk in 0..40 {
            let mut rng = stream(1, "walks", walk);
            let mut expansion = Expansion::with_marks(1);
            let mut stack = Stack::new(&memory, 1);
            let mut model = Model::default();
            let mut forgotten = 0;
            let mut up = 0.5;
            for step in 0..20_000 {
                if step % 500 == 0 {
                    up = [0.2, 0.5, 0.95][rng.index(3)];
                }
                if model.0.is_empty() || rng.chance(up) {
                    let number = rng.below(1 << 40);
                    let targets = expand(number, &mut expansion);
                    stack.push(StateRef::new(number)).unwrap();
                    stack
                        .push_edges(&expansion, 0, &targets, |_, _| true)
                        .unwrap();
                    model.push(StateRef::new(number), &expansion, &targets);
                }
                let mut next = stack.next();
                if let Next::Forgotten { state, first } = next {
                    let targets = expand(state.number(), &mut expansion);
                    stack
                        .push_edges(&expansion, first, &targets[first..], |_, _| true)
                        .unwrap();
                    forgotten += 1;
                    next = stack.next();
                }
                let expected = model.next();
                match (next, expected) {
                    (Next::Edge(target), Some((expected, marks))) => {
                        assert_eq!((target, stack.taken_marks()), (expected, &[marks][..]));
                    }
                    (Next::Exhausted, None) => {
                        let popped = model.0.pop().map(|(state, _, _)| state);
                        assert_eq!(stack.pop(), popped, "walk {walk}, step {step}");
                    }
                    _ => panic!("walk {walk}, step {step}: {next:?}, {expected:?}"),
                }
                assert_eq!(stack.height(), model.0.len() as u64);
            }
            assert!(forgotten > 0, "walk {walk}");
            let labels: Vec<u32> = stack.labels(0..stack.height()).collect();
            let expected: Vec<u32> = model.0.iter().map(|(_, _, label)| *label).collect();
            assert_eq!(labels, expected, "walk {walk}");
        }
        assert_eq!(memory.held(), 0);
    }

    /// 16 bytes for a state with any number of edges, and no second expansion where there is no choice.
    #[test]
    fn depth_is_cheap() {
        const DEPTH: u64 = 1_000_000;
        let memory = Memory::new(None);
        let mut expansion = Expansion::with_marks(1);
        (0..3).for_each(|label| expansion.push_marked(&[7; 50], label, &[1]));
        let targets = [settled(1), settled(2), settled(3)];
        let mut stack = Stack::new(&memory, 1);
        for state in 0..DEPTH {
            stack.push(StateRef::new(state)).unwrap();
            let edges = if state % 2 == 0 { 3 } else { 1 };
            stack
                .push_edges(&expansion, 0, &targets[..edges], |_, _| true)
                .unwrap();
            assert_eq!(stack.next(), Next::Edge(StateRef::new(1)));
        }
        let bytes = memory.peak() as f64 / DEPTH as f64;
        assert!(bytes < 16.5, "{bytes}");
        for state in (0..DEPTH).rev() {
            let next = stack.next();
            if state % 2 == 1 {
                assert_eq!(next, Next::Exhausted);
            } else if let Next::Forgotten { first, .. } = next {
                assert_eq!(first, 1);
                stack
                    .push_edges(&expansion, first, &targets[first..], |_, _| true)
                    .unwrap();
                assert_eq!(stack.next(), Next::Edge(StateRef::new(2)));
            } else {
                assert_eq!(next, Next::Edge(StateRef::new(2)));
            }
            assert_eq!(stack.pop(), Some(StateRef::new(state)));
        }
    }

    /// The memory of the stack depends on its height, not on everything that was ever on it.
    #[test]
    fn popping_makes_room() {
        let memory = Memory::new(None);
        let mut stack = Stack::new(&memory, 0);
        let mut expansion = Expansion::new();
        (0..2).for_each(|label| expansion.push(&[], label));
        let targets = [settled(1), settled(2)];
        for _ in 0..10_000 {
            for _ in 0..2 {
                stack.push(StateRef::new(5)).unwrap();
                stack
                    .push_edges(&expansion, 0, &targets, |_, _| true)
                    .unwrap();
            }
            assert_eq!(stack.next(), Next::Edge(StateRef::new(1)));
            assert_eq!(stack.next(), Next::Edge(StateRef::new(2)));
            assert_eq!(stack.next(), Next::Exhausted);
            stack.pop();
            stack.pop();
        }
        assert_eq!(stack.height(), 0);
        assert!(memory.peak() < 5000, "{}", memory.peak());
    }

    /// A state with very many edges is not expanded again for each of them.
    #[test]
    fn a_state_with_many_edges_is_not_dropped_repeatedly() {
        let memory = Memory::new(None);
        let mut stack = Stack::new(&memory, 0);
        let many = 100 * WINDOW;
        let mut expansion = Expansion::new();
        (0..many).for_each(|label| expansion.push(&[], label as u32));
        let targets: Vec<Settled> = (0..many as u64).map(settled).collect();
        stack.push(StateRef::new(1)).unwrap();
        stack
            .push_edges(&expansion, 0, &targets, |_, _| true)
            .unwrap();
        for child in 0..many as u64 {
            assert_eq!(stack.next(), Next::Edge(StateRef::new(child)));
            stack.push(StateRef::new(child)).unwrap();
            assert_eq!(stack.next(), Next::Exhausted);
            stack.pop();
        }
        assert_eq!(stack.next(), Next::Exhausted);
    }

    /// Where the limit does not allow the window to grow, a smaller one is used.
    #[test]
    fn a_tight_limit_makes_the_window_smaller() {
        for limit in (2000..8000).step_by(50) {
            let memory = Memory::new(Some(limit));
            let mut stack = Stack::new(&memory, 1);
            let mut expansion = Expansion::with_marks(1);
            (0..3).for_each(|label| expansion.push(&[], label));
            let targets = [settled(1), settled(2), settled(3)];
            let mut height = 0;
            while stack.push(StateRef::new(5)).is_ok()
                && stack
                    .push_edges(&expansion, 0, &targets, |_, _| true)
                    .is_ok()
            {
                assert_eq!(stack.next(), Next::Edge(StateRef::new(1)));
                height += 1;
                assert!(memory.peak() <= limit);
            }
            assert!(height * 64 + 1500 >= limit, "{height} at {limit}");
        }
    }
}
