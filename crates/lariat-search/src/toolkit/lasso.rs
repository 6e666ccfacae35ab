//! Infinite runs, given as a path and a cycle.
//!
//! If a finite graph has an accepted run, it has one of this form. A search returns only the labels of its edges;
//! [`replay_lasso`] follows them in the graph and so checks the result independently of the search.

use lariat_graph::{AcceptingGraph, Expansion};
use std::fmt;

/// A run that follows a path from an initial state and then a cycle for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lasso {
    /// Its initial state, as an index of the initial states in the order of the graph.
    pub initial: u32,
    /// The labels of the edges from there to the cycle.
    pub prefix: Vec<u32>,
    /// The labels of the edges of the cycle; at least one.
    pub cycle: Vec<u32>,
}

impl Lasso {
    /// The number of edges.
    pub fn length(&self) -> u64 {
        self.prefix.len() as u64 + self.cycle.len() as u64
    }
}

/// Why a lasso is not an accepted run of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LassoError {
    /// There is no such initial state.
    NoInitial,
    /// No edge has the label at this position; positions in the cycle follow those in the prefix.
    NoEdge(usize),
    /// The cycle has no edge.
    EmptyCycle,
    /// The cycle does not return to its first state.
    OpenCycle,
    /// The marks on the cycle do not satisfy the acceptance.
    NotAccepted,
}

impl fmt::Display for LassoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LassoError::NoInitial => write!(f, "there is no such initial state"),
            LassoError::NoEdge(position) => write!(f, "there is no edge for step {position}"),
            LassoError::EmptyCycle => write!(f, "the cycle is empty"),
            LassoError::OpenCycle => write!(f, "the cycle does not close"),
            LassoError::NotAccepted => write!(f, "the cycle is not accepted"),
        }
    }
}

impl std::error::Error for LassoError {}

/// Follows a lasso through a graph and checks that it is an accepted run. Returns its states: the initial one, and
/// the target of each edge. The last one is the first state of the cycle.
pub fn replay_lasso<G: AcceptingGraph>(
    graph: &mut G,
    lasso: &Lasso,
) -> Result<Vec<Vec<u32>>, LassoError> {
    if lasso.cycle.is_empty() {
        return Err(LassoError::EmptyCycle);
    }
    let acceptance = graph.acceptance();
    let mut seen = vec![0; acceptance.words()];
    let mut out = Expansion::with_marks(acceptance.words());
    graph.initial(&mut out);
    let index = lasso.initial as usize;
    if index >= out.len() {
        return Err(LassoError::NoInitial);
    }
    let mut state = out.edge(index).0.to_vec();
    let mut states = Vec::with_capacity(lasso.prefix.len() + lasso.cycle.len() + 1);
    for (position, &label) in lasso.prefix.iter().chain(&lasso.cycle).enumerate() {
        out.clear();
        graph.successors(&state, &mut out);
        let edge = out.edges().position(|(_, other)| other == label);
        let edge = edge.ok_or(LassoError::NoEdge(position))?;
        if position >= lasso.prefix.len() {
            unite(&mut seen, out.marks(edge));
        }
        states.push(std::mem::replace(&mut state, out.edge(edge).0.to_vec()));
    }
    if states[lasso.prefix.len()] != state {
        return Err(LassoError::OpenCycle);
    }
    states.push(state);
    if !acceptance.accepts(&seen) {
        return Err(LassoError::NotAccepted);
    }
    Ok(states)
}

/// Adds `marks` to `seen`.
pub(crate) fn unite(seen: &mut [u64], marks: &[u64]) {
    for (word, more) in seen.iter_mut().zip(marks) {
        *word |= more;
    }
}
