//! Graphs that are given state by state, for tests and small experiments.
//!
//! States are numbered from 0. As a [`StateSpace`], a state is its number followed by padding words;
//! [`ExplicitGraph::set_padding`] sets how many, so that stores get states of different widths.

use crate::{Acceptance, AcceptingGraph, Draw, Expansion, Fault, StateSpace};
use lariat_stats::Rng;

/// A graph in memory: adjacency lists, initial states and faults. Parallel edges, loops and unreachable states are
/// allowed.
#[derive(Clone, Debug, Default)]
pub struct ExplicitGraph {
    states: Vec<State>,
    initial: Vec<u32>,
    padding: u32,
    scratch: Vec<u32>,
}

/// A state of an [`ExplicitGraph`].
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The outgoing edges.
    pub edges: Vec<Edge>,
    /// The codes of the faults of the state itself.
    pub faults: Vec<u32>,
}

/// An edge of an [`ExplicitGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The target; `None` for a step that fails and has no successor.
    pub target: Option<u32>,
    /// The label. The edges of a state should have different labels, or paths are ambiguous.
    pub label: u32,
    /// The code of the fault on this edge.
    pub fault: Option<u32>,
}

/// The parameters of a random graph; see [`ExplicitGraph::random`].
#[derive(Clone, Debug)]
pub struct RandomGraph {
    /// The number of states.
    pub states: u32,
    /// The number of edges.
    pub edges: u32,
    /// The number of initial states, drawn independently.
    pub initial: u32,
    /// The probability that a state, or an edge, has a fault.
    pub fault_probability: f64,
    /// Fault codes are drawn below this number.
    pub fault_codes: u32,
    /// See [`ExplicitGraph::set_padding`].
    pub padding: u32,
}

impl ExplicitGraph {
    /// A graph with `states` states and no edges.
    pub fn new(states: u32) -> Self {
        ExplicitGraph {
            states: vec![State::default(); states as usize],
            ..Self::default()
        }
    }

    /// Makes a state initial; a state may be added several times.
    pub fn add_initial(&mut self, state: u32) {
        self.initial.push(state);
    }

    /// Adds an edge without a fault.
    ///
    /// # Panics
    ///
    /// If `from` is not a state.
    pub fn add_edge(&mut self, from: u32, to: u32, label: u32) {
        self.states[from as usize].edges.push(Edge {
            target: Some(to),
            label,
            fault: None,
        });
    }

    /// Pads the states with 0 to `padding` words, in turn.
    pub fn set_padding(&mut self, padding: u32) {
        self.padding = padding;
    }

    /// All states.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// All states, mutable.
    pub fn states_mut(&mut self) -> &mut [State] {
        &mut self.states
    }

    /// The initial states.
    pub fn initial_states(&self) -> &[u32] {
        &self.initial
    }

    /// A directed graph with edges between random states.
    pub fn random(shape: &RandomGraph, rng: &mut Rng) -> Self {
        let mut graph = Self::new(shape.states);
        graph.padding = shape.padding;
        if shape.states == 0 {
            return graph;
        }
        let fault = |rng: &mut Rng| {
            let code = rng.below(u64::from(shape.fault_codes)) as u32;
            rng.chance(shape.fault_probability).then_some(code)
        };
        let state = |rng: &mut Rng| rng.below(u64::from(shape.states)) as u32;
        for _ in 0..shape.initial {
            graph.initial.push(state(rng));
        }
        for _ in 0..shape.edges {
            let edges = &mut graph.states[state(rng) as usize].edges;
            let fault = fault(rng);
            let leads_nowhere = fault.is_some() && rng.chance(0.5);
            edges.push(Edge {
                target: (!leads_nowhere).then(|| state(rng)),
                // Labels that differ within a state and are not simply the index.
                label: 3 + 7 * edges.len() as u32,
                fault,
            });
        }
        for state in &mut graph.states {
            state.faults.extend(fault(rng));
            state.faults.extend(fault(rng));
        }
        graph
    }

    /// A tree in which every inner state has `branching` successors.
    pub fn tree(branching: u32, depth: u32) -> Self {
        let mut graph = Self::new(1);
        graph.add_initial(0);
        let mut level = 0..1;
        for _ in 0..depth {
            for parent in level.clone() {
                for label in 0..branching {
                    let child = graph.states.len() as u32;
                    graph.states.push(State::default());
                    graph.add_edge(parent, child, label);
                }
            }
            level = level.end..graph.states.len() as u32;
        }
        graph
    }

    /// A grid in which every state leads to the right (label 0) and down (label 1). A corner is the initial state;
    /// states are numbered row by row.
    ///
    /// # Panics
    ///
    /// If there are more than `u32::MAX` states.
    pub fn grid(width: u32, height: u32) -> Self {
        let states = width.checked_mul(height).expect("too many states");
        let mut graph = Self::new(states);
        if states > 0 {
            graph.add_initial(0);
        }
        for y in 0..height {
            for x in 0..width {
                let state = y * width + x;
                if x + 1 < width {
                    graph.add_edge(state, state + 1, 0);
                }
                if y + 1 < height {
                    graph.add_edge(state, state + width, 1);
                }
            }
        }
        graph
    }

    fn push_state(&mut self, state: u32, label: u32, marks: &[u64], out: &mut Expansion) {
        let padding = state % self.padding.saturating_add(1);
        self.scratch.clear();
        self.scratch.push(state);
        self.scratch.extend((0..padding).map(|i| state & i));
        out.push_marked(&self.scratch, label, marks);
    }

    /// Expands a state; `marks` gives the marks of its edges by index.
    fn expand<'a>(
        &mut self,
        words: &[u32],
        marks: impl Fn(usize) -> &'a [u64],
        out: &mut Expansion,
    ) {
        let Some(&number) = words.first() else { return };
        let Some(state) = self.states.get_mut(number as usize) else {
            return;
        };
        for &code in &state.faults {
            out.push_fault(Fault { code, label: None });
        }
        let edges = std::mem::take(&mut state.edges);
        for (index, edge) in edges.iter().enumerate() {
            if let Some(code) = edge.fault {
                let label = Some(edge.label);
                out.push_fault(Fault { code, label });
            }
            if let Some(target) = edge.target {
                self.push_state(target, edge.label, marks(index), out);
            }
        }
        self.states[number as usize].edges = edges;
    }
}

impl StateSpace for ExplicitGraph {
    fn initial(&mut self, out: &mut Expansion) {
        for index in 0..self.initial.len() {
            self.push_state(self.initial[index], index as u32, &[], out);
        }
    }

    /// Words that are not a state of this graph have no successors.
    fn successors(&mut self, words: &[u32], out: &mut Expansion) {
        self.expand(words, |_| &[], out);
    }
}

/// An [`ExplicitGraph`] with marks on its edges and an acceptance condition.
#[derive(Clone, Debug, Default)]
pub struct ExplicitAcceptingGraph {
    graph: ExplicitGraph,
    acceptance: Acceptance,
    /// For each state the marks of its edges, concatenated.
    marks: Vec<Vec<u64>>,
}

impl ExplicitAcceptingGraph {
    /// A graph with `states` states and no edges.
    pub fn new(states: u32, acceptance: Acceptance) -> Self {
        Self::without_marks(ExplicitGraph::new(states), acceptance)
    }

    /// The edges and initial states of `graph`, without any marks yet.
    pub fn without_marks(graph: ExplicitGraph, acceptance: Acceptance) -> Self {
        let none = |state: &State| vec![0; state.edges.len() * acceptance.words()];
        ExplicitAcceptingGraph {
            marks: graph.states.iter().map(none).collect(),
            graph,
            acceptance,
        }
    }

    /// A random graph; each bit of the marks of each edge is set with the given probability.
    pub fn random(
        shape: &RandomGraph,
        acceptance: Acceptance,
        mark_probability: f64,
        rng: &mut Rng,
    ) -> Self {
        let mut graph = Self::without_marks(ExplicitGraph::random(shape, rng), acceptance);
        for state in 0..graph.marks.len() {
            for edge in 0..graph.graph.states[state].edges.len() {
                for bit in 0..acceptance.bits() {
                    if rng.chance(mark_probability) {
                        graph.add_mark(state as u32, edge, bit);
                    }
                }
            }
        }
        graph
    }

    /// The graph without its marks.
    pub fn graph(&self) -> &ExplicitGraph {
        &self.graph
    }

    /// The marks of an edge of a state.
    ///
    /// # Panics
    ///
    /// If there is no such edge.
    pub fn marks(&self, state: u32, edge: usize) -> &[u64] {
        edge_marks(&self.marks[state as usize], self.acceptance.words(), edge)
    }

    /// Makes a state initial; a state may be added several times.
    pub fn add_initial(&mut self, state: u32) {
        self.graph.add_initial(state);
    }

    /// Adds an edge whose marks have these bits.
    ///
    /// # Panics
    ///
    /// If `from` is not a state, or a bit is not one of the acceptance condition.
    pub fn add_edge(&mut self, from: u32, to: u32, label: u32, bits: &[usize]) {
        self.graph.add_edge(from, to, label);
        let edges = self.graph.states[from as usize].edges.len();
        self.marks[from as usize].resize(edges * self.acceptance.words(), 0);
        for &bit in bits {
            self.add_mark(from, edges - 1, bit);
        }
    }

    /// Sets a bit in the marks of an edge of a state.
    ///
    /// # Panics
    ///
    /// If there is no such edge, or no such bit.
    pub fn add_mark(&mut self, state: u32, edge: usize, bit: usize) {
        assert!(bit < self.acceptance.bits());
        let word = edge * self.acceptance.words() + bit / 64;
        self.marks[state as usize][word] |= 1 << (bit % 64);
    }

    /// Gives a state a fault.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn add_fault(&mut self, state: u32, code: u32) {
        self.graph.states[state as usize].faults.push(code);
    }
}

fn edge_marks(marks: &[u64], words: usize, edge: usize) -> &[u64] {
    &marks[edge * words..][..words]
}

impl StateSpace for ExplicitAcceptingGraph {
    fn initial(&mut self, out: &mut Expansion) {
        self.graph.initial(out);
    }

    fn successors(&mut self, words: &[u32], out: &mut Expansion) {
        let Some(marks) = words.first().and_then(|&n| self.marks.get(n as usize)) else {
            return;
        };
        let count = self.acceptance.words();
        let marks = |edge| edge_marks(marks, count, edge);
        self.graph.expand(words, marks, out);
    }
}

impl AcceptingGraph for ExplicitAcceptingGraph {
    fn acceptance(&self) -> Acceptance {
        self.acceptance
    }
}

impl Draw for ExplicitAcceptingGraph {}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    fn successors(graph: &mut ExplicitGraph, state: &[u32]) -> Expansion {
        let mut out = Expansion::new();
        graph.successors(state, &mut out);
        out
    }

    #[test]
    fn a_tree_has_all_its_levels() {
        let graph = ExplicitGraph::tree(3, 4);
        assert_eq!(graph.states().len(), 1 + 3 + 9 + 27 + 81);
        let leaves = graph.states().iter().filter(|s| s.edges.is_empty());
        assert_eq!(leaves.count(), 81);
    }

    #[test]
    fn a_grid_leads_right_and_down() {
        let mut grid = ExplicitGraph::grid(3, 2);
        let out = successors(&mut grid, &[1]);
        let edges: Vec<_> = out.edges().collect();
        assert_eq!(edges, [(&[2][..], 0), (&[4][..], 1)]);
        assert!(successors(&mut grid, &[5]).is_empty());
        assert_eq!(ExplicitGraph::grid(0, 7).initial_states(), []);
    }

    #[test]
    fn padding_varies_the_width() {
        let mut graph = ExplicitGraph::new(4);
        (0..4).for_each(|state| graph.add_edge(0, state, state));
        graph.set_padding(2);
        let out = successors(&mut graph, &[0]);
        let widths: Vec<_> = out.edges().map(|(state, _)| state.len()).collect();
        assert_eq!(widths, [1, 2, 3, 1]);
    }

    #[test]
    fn faults_are_reported_with_their_edges() {
        let mut graph = ExplicitGraph::new(1);
        graph.states_mut()[0].faults.push(7);
        graph.states_mut()[0].edges.push(Edge {
            target: None,
            label: 5,
            fault: Some(8),
        });
        let out = successors(&mut graph, &[0]);
        assert!(out.is_empty());
        let seen: Vec<_> = out.faults().iter().map(|f| (f.code, f.label)).collect();
        assert_eq!(seen, [(7, None), (8, Some(5))]);
    }

    #[test]
    fn invalid_states_have_no_successors() {
        let mut graph = ExplicitGraph::tree(2, 2);
        assert!(successors(&mut graph, &[]).is_empty());
        assert!(successors(&mut graph, &[99]).is_empty());
    }

    #[test]
    fn equal_seeds_give_equal_graphs() {
        let shape = RandomGraph {
            states: 10,
            edges: 30,
            initial: 2,
            fault_probability: 0.2,
            fault_codes: 4,
            padding: 3,
        };
        let make = |n| {
            format!(
                "{:?}",
                ExplicitGraph::random(&shape, &mut stream(1, "graph", n))
            )
        };
        assert_eq!(make(0), make(0));
        assert_ne!(make(0), make(1));
    }

    #[test]
    fn marks_are_reported_with_their_edges() {
        let acceptance = Acceptance { sets: 70, pairs: 1 };
        let mut graph = ExplicitAcceptingGraph::new(2, acceptance);
        graph.add_initial(0);
        graph.add_edge(0, 1, 4, &[0, 69]);
        graph.add_edge(0, 0, 5, &[]);
        graph.add_edge(0, 0, 6, &[acceptance.grant_bit(0)]);
        let mut out = Expansion::with_marks(acceptance.words());
        graph.initial(&mut out);
        assert_eq!(out.marks(0), [0, 0]);
        out.clear();
        graph.successors(&[0], &mut out);
        assert_eq!(out.edge(0), (&[1][..], 4));
        assert_eq!(out.marks(0), [1, 1 << 5]);
        assert_eq!(out.marks(1), [0, 0]);
        assert_eq!(out.marks(2), graph.marks(0, 2));
        assert_eq!(out.marks(2), [0, 1 << 7]);
    }
}
