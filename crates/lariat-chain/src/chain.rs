//! A discrete-time Markov chain in compact arrays.

use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace};
use lariat_stats::Dice;
use std::sync::Arc;

/// A finite Markov chain: states numbered from 0, and for each a row of successors with their
/// probabilities, which sum to 1. Clones share their memory.
///
/// A transition takes 12.5 bytes. Cumulative probabilities are stored at every sixteenth transition, so a draw finds
/// its block by bisection and then scans at most sixteen transitions. A draw has 53 random bits: a transition with a
/// probability below 2⁻⁵³ may never be drawn.
#[derive(Clone, Debug)]
pub struct Chain(Arc<Parts>);

/// The data of a chain.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub rows: Rows,
    pub labelling: Labelling,
}

/// The transitions, sorted by source and target.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The start of the row of each state, and at the end the number of transitions.
    pub offsets: Vec<u32>,
    pub targets: Vec<u32>,
    pub probabilities: Vec<f64>,
    /// For each multiple of [`BLOCK`]: the sum of the probabilities from the start of its row up to there.
    pub sums: Vec<f64>,
}

/// The labels of the states.
#[derive(Debug, Default)]
pub(crate) struct Labelling {
    pub names: Vec<String>,
    /// For each state the number of its set of labels. Many states have equal sets, and each set is stored once.
    /// Empty if there are no labels at all.
    pub sets_of_states: Vec<u32>,
    /// The sets, ascending; the first is empty.
    pub sets: Vec<Box<[u32]>>,
    pub initial: Vec<u32>,
}

/// The distance of stored cumulative probabilities.
pub(crate) const BLOCK: usize = 16;

impl Rows {
    /// Computes the cumulative probabilities of complete rows.
    pub fn add_up(&mut self) {
        self.sums = Vec::with_capacity(self.probabilities.len() / BLOCK + 1);
        for row in self.offsets.windows(2) {
            let mut sum = 0.0;
            for edge in row[0] as usize..row[1] as usize {
                if edge % BLOCK == 0 {
                    self.sums.push(sum);
                }
                sum += self.probabilities[edge];
            }
        }
    }

    /// The range of the transitions of a state; empty if there is no such state.
    #[inline]
    fn range(&self, state: u32) -> std::ops::Range<usize> {
        match self.offsets.get(state as usize..state as usize + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }
}

impl Chain {
    pub(crate) fn new(parts: Parts) -> Self {
        Chain(Arc::new(parts))
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.0.rows.offsets.len().saturating_sub(1)
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.0.rows.targets.len()
    }

    /// The initial states, all equally likely.
    pub fn initial_states(&self) -> &[u32] {
        &self.0.labelling.initial
    }

    /// The successors of a state, ascending.
    #[inline]
    pub fn targets(&self, state: u32) -> &[u32] {
        let rows = &self.0.rows;
        &rows.targets[rows.range(state)]
    }

    /// The probabilities of the successors of a state, in the order of [`targets`](Self::targets).
    /// They are positive and sum to 1, up to rounding.
    #[inline]
    pub fn probabilities(&self, state: u32) -> &[f64] {
        let rows = &self.0.rows;
        &rows.probabilities[rows.range(state)]
    }

    /// The least probability of a transition; 1 if there is none.
    pub fn smallest_probability(&self) -> f64 {
        self.0
            .rows
            .probabilities
            .iter()
            .copied()
            .fold(1.0, f64::min)
    }

    /// The index of the successor that a number in [0, 1) selects: the interval of each successor is as long as its
    /// probability. 0 if there is none.
    #[inline]
    pub fn choose(&self, state: u32, unit: f64) -> usize {
        let rows = &self.0.rows;
        let row = rows.range(state);
        let (mut edge, mut rest) = (row.start, unit);
        let sums = row.start / BLOCK + 1..row.end.saturating_sub(1) / BLOCK + 1;
        if let Some(sums) = rows.sums.get(sums) {
            let passed = sums.partition_point(|&sum| sum <= unit);
            if passed > 0 {
                edge = (row.start / BLOCK + passed) * BLOCK;
                rest -= sums[passed - 1];
            }
        }
        while edge + 1 < row.end && rest >= rows.probabilities[edge] {
            rest -= rows.probabilities[edge];
            edge += 1;
        }
        edge - row.start
    }

    /// The names of the labels, by number.
    pub fn labels(&self) -> &[String] {
        &self.0.labelling.names
    }

    /// The number of a label.
    pub fn label(&self, name: &str) -> Option<u32> {
        let position = self.labels().iter().position(|label| label == name);
        position.map(|number| number as u32)
    }

    /// The labels of a state, ascending.
    pub fn labels_of(&self, state: u32) -> &[u32] {
        let sets = self.label_sets();
        sets.get(self.label_set(state) as usize)
            .map_or(&[], |set| set)
    }

    /// The different sets of labels of states.
    pub fn label_sets(&self) -> &[Box<[u32]>] {
        &self.0.labelling.sets
    }

    /// The number of a state's set among [`label_sets`](Self::label_sets).
    #[inline]
    pub fn label_set(&self, state: u32) -> u32 {
        let sets = &self.0.labelling.sets_of_states;
        sets.get(state as usize).copied().unwrap_or(0)
    }

    /// The bytes that the chain holds.
    pub fn memory_bytes(&self) -> usize {
        let rows = &self.0.rows;
        let labelling = &self.0.labelling;
        let words = rows.offsets.capacity()
            + rows.targets.capacity()
            + labelling.sets_of_states.capacity()
            + labelling.initial.capacity();
        let sets: usize = labelling.sets.iter().map(|set| set.len() * 4 + 16).sum();
        words * 4 + (rows.probabilities.capacity() + rows.sums.capacity()) * 8 + sets
    }
}

/// A state is one word, its number. The label of an edge is its index in the row.
impl StateSpace for Chain {
    fn initial(&mut self, out: &mut Expansion) {
        for (label, &state) in self.initial_states().iter().enumerate() {
            out.push(&[state], label as u32);
        }
    }

    /// Words that are not a state have no successors.
    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        let Some(&state) = state.first() else { return };
        for (label, &target) in self.targets(state).iter().enumerate() {
            out.push(&[target], label as u32);
        }
    }
}

/// All runs are accepted.
impl AcceptingGraph for Chain {
    fn acceptance(&self) -> Acceptance {
        Acceptance::default()
    }
}

impl Draw for Chain {
    /// Draws by the probabilities of the chain.
    fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        let Some(&state) = state.first() else { return };
        let unit = match self.targets(state).len() {
            0 | 1 => 0.0,
            _ => dice.unit(),
        };
        let label = self.choose(state, unit);
        if let Some(&target) = self.targets(state).get(label) {
            out.push(&[target], label as u32);
        }
    }

    /// The edges have the probabilities of the chain, so they are not uniform.
    fn equal_edges(&mut self, _: &[u32], _: &mut Expansion) -> Option<(usize, usize)> {
        None
    }
}
