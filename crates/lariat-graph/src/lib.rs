//! The contract between what makes states and what searches them.
//!
//! A [`StateSpace`] is a directed graph on demand: it has initial states and can tell the
//! successors of a state. States are slices of `u32` words; their width may differ from state to
//! state, because a model may create processes. An edge carries a label, a number by which the
//! state space finds the same step again when a counterexample is replayed.
//!
//! While it expands a state, the space may notice that something is wrong there: an assertion that
//! fails, a state that nobody can leave. It reports that as a [`Fault`]; what to do about it is up
//! to the search.
//!
//! Everything that an expansion yields goes into one reusable buffer, [`Expansion`], so that no
//! transition costs an allocation.

pub mod explicit;

/// A graph whose states are made on demand.
pub trait StateSpace {
    /// Puts the initial states into `out`, which the callee does not clear.
    fn initial(&mut self, out: &mut Expansion);

    /// Puts the successors of `state`, and the faults seen on the way, into `out`, which the
    /// callee does not clear. The same state always gives the same edges in the same order.
    fn successors(&mut self, state: &[u32], out: &mut Expansion);
}

/// Something wrong that was seen while a state was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What is wrong, as a number that the state space can explain: equal codes are the same
    /// complaint (the same assertion, say) seen at different states.
    pub code: u32,
    /// The label of the edge on which it happened, or `None` if the state itself is at fault. The
    /// edge need not lead anywhere: a step that goes wrong may have no successor.
    pub label: Option<u32>,
}

/// What an expansion yields: edges with their target states, and faults.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    words: Vec<u32>,
    edges: Vec<(usize, u32)>,
    faults: Vec<Fault>,
    internal_steps: u64,
    incomplete: bool,
}

/// A point to which an [`Expansion`] can go back.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
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

    /// Empties the buffer and keeps its memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.edges.clear();
        self.faults.clear();
        self.internal_steps = 0;
        self.incomplete = false;
    }

    /// Adds an edge to `target`.
    pub fn push(&mut self, target: &[u32], label: u32) {
        self.words.extend_from_slice(target);
        self.edges.push((self.words.len(), label));
    }

    /// Adds a fault.
    pub fn push_fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Counts steps inside an edge that lead through states that no search sees (those of an
    /// atomic chain, say).
    pub fn count_internal_steps(&mut self, steps: u64) {
        self.internal_steps += steps;
    }

    /// Says that the state has more edges than were added, because somebody asked to stop or
    /// because they would take too much memory. A search that sees this cannot be complete.
    pub fn set_incomplete(&mut self) {
        self.incomplete = true;
    }

    /// Whether edges are missing.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// The present contents, to come back to.
    pub fn mark(&self) -> Mark {
        Mark {
            words: self.words.len(),
            edges: self.edges.len(),
            faults: self.faults.len(),
            internal_steps: self.internal_steps,
        }
    }

    /// Takes back everything that was added after `mark`.
    pub fn rewind(&mut self, mark: Mark) {
        self.words.truncate(mark.words);
        self.edges.truncate(mark.edges);
        self.faults.truncate(mark.faults);
        self.internal_steps = mark.internal_steps;
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no edge.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Target and label of an edge.
    pub fn edge(&self, index: usize) -> (&[u32], u32) {
        let start = index.checked_sub(1).map_or(0, |i| self.edges[i].0);
        let (end, label) = self.edges[index];
        (&self.words[start..end], label)
    }

    /// All edges in order.
    pub fn edges(&self) -> impl Iterator<Item = (&[u32], u32)> {
        (0..self.len()).map(|i| self.edge(i))
    }

    /// All faults in order.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// How many internal steps were counted.
    pub fn internal_steps(&self) -> u64 {
        self.internal_steps
    }

    /// The bytes that the buffer holds.
    pub fn memory_bytes(&self) -> usize {
        self.words.capacity() * 4
            + self.edges.capacity() * size_of::<(usize, u32)>()
            + self.faults.capacity() * size_of::<Fault>()
    }
}
