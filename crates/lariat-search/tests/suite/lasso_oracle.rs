//! The accepted runs of an explicit accepting graph, computed naively. States are bits of a word, so there are at
//! most 16.

use lariat_graph::explicit::ExplicitAcceptingGraph;
use lariat_graph::{Acceptance, AcceptingGraph};
use lariat_search::Lasso;
use std::collections::BTreeSet;

#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    marks: u64,
}

pub struct LassoOracle {
    /// The reachable states.
    pub reachable: u32,
    /// Whether there is an accepted run.
    pub accepts: bool,
    acceptance: Acceptance,
    edges: Vec<Edge>,
    initial: Vec<u32>,
}

impl LassoOracle {
    pub fn new(graph: &ExplicitAcceptingGraph) -> Self {
        let mut edges = Vec::new();
        for (from, state) in graph.graph().states().iter().enumerate() {
            for (index, edge) in state.edges.iter().enumerate() {
                if let Some(to) = edge.target {
                    let from = from as u32;
                    let marks = graph.marks(from, index).first().copied().unwrap_or(0);
                    edges.push(Edge { from, to, marks });
                }
            }
        }
        let mut oracle = LassoOracle {
            reachable: 0,
            accepts: false,
            acceptance: graph.acceptance(),
            edges,
            initial: graph.graph().initial_states().to_vec(),
        };
        let states = oracle.reachable_states();
        oracle.reachable = states.count_ones();
        oracle.accepts = oracle.accepts_from(states);
        oracle
    }

    fn reachable_states(&self) -> u16 {
        let closure = closure(&self.edges);
        let reach = |&state: &u32| 1 << state | closure[state as usize];
        self.initial.iter().map(reach).fold(0, |a, b| a | b)
    }

    /// Guesses the pairs whose requests occur infinitely often. A run with no other requests, all sets, and grants
    /// for the guessed pairs is accepted; and each accepted run is of this kind.
    fn accepts_from(&self, reachable: u16) -> bool {
        let acceptance = self.acceptance;
        (0..1u64 << acceptance.pairs).any(|guess| {
            let pairs = (1u64 << acceptance.pairs) - 1;
            let forbidden = (pairs & !guess) << acceptance.sets;
            let sets = (1u64 << acceptance.sets) - 1;
            let wanted = sets | guess << (acceptance.sets + acceptance.pairs);
            let is_used =
                |edge: &&Edge| reachable >> edge.from & 1 == 1 && edge.marks & forbidden == 0;
            let edges: Vec<Edge> = self.edges.iter().filter(is_used).copied().collect();
            let closure = closure(&edges);
            (0..16).any(|state| {
                let is_mutual = |other: u32| {
                    closure[state] >> other & 1 == 1 && closure[other as usize] >> state & 1 == 1
                };
                let inside = edges
                    .iter()
                    .filter(|e| is_mutual(e.from) && is_mutual(e.to));
                is_mutual(state as u32)
                    && wanted & !inside.map(|edge| edge.marks).fold(0, |a, b| a | b) == 0
            })
        })
    }

    /// The fewest edges of a lasso. Only for graphs without pairs.
    pub fn shortest(&self) -> Option<u64> {
        let mut shortest = None;
        let mut level: BTreeSet<u32> = self.initial.iter().copied().collect();
        let mut seen = BTreeSet::new();
        for distance in 0.. {
            level.retain(|&state| seen.insert(state));
            if level.is_empty() {
                break;
            }
            for &start in &level {
                if let Some(cycle) = self.shortest_cycle(start) {
                    let length = distance + cycle;
                    shortest = Some(shortest.map_or(length, |other: u64| other.min(length)));
                }
            }
            let next = self.edges.iter().filter(|edge| level.contains(&edge.from));
            level = next.map(|edge| edge.to).collect();
        }
        shortest
    }

    fn shortest_cycle(&self, start: u32) -> Option<u64> {
        let sets = (1u64 << self.acceptance.sets) - 1;
        let mut level = BTreeSet::from([(start, 0)]);
        let mut seen = BTreeSet::new();
        for length in 1.. {
            let mut next = BTreeSet::new();
            for &(state, marks) in &level {
                for edge in self.edges.iter().filter(|edge| edge.from == state) {
                    next.insert((edge.to, marks | edge.marks & sets));
                }
            }
            if next.contains(&(start, sets)) {
                return Some(length);
            }
            next.retain(|&place| seen.insert(place));
            if next.is_empty() {
                break;
            }
            level = next;
        }
        None
    }
}

/// For each state the states that are reachable by at least one edge.
fn closure(edges: &[Edge]) -> [u16; 16] {
    let mut closure = [0; 16];
    for edge in edges {
        closure[edge.from as usize] |= 1 << edge.to;
    }
    for middle in 0..16 {
        for from in 0..16 {
            if closure[from] >> middle & 1 == 1 {
                closure[from] |= closure[middle];
            }
        }
    }
    closure
}

/// Checks that a lasso is an accepted run of a graph.
pub fn check_lasso(graph: &ExplicitAcceptingGraph, lasso: &Lasso, context: &str) {
    let initial = graph.graph().initial_states().get(lasso.initial as usize);
    let mut state = *initial.unwrap_or_else(|| panic!("{context}: no initial state"));
    let mut step = |label: u32, marks: &mut Vec<u64>| {
        let edges = &graph.graph().states()[state as usize].edges;
        let index = edges.iter().position(|edge| edge.label == label);
        let index = index.unwrap_or_else(|| panic!("{context}: no edge in {lasso:?}"));
        for (word, more) in marks.iter_mut().zip(graph.marks(state, index)) {
            *word |= more;
        }
        state = edges[index]
            .target
            .unwrap_or_else(|| panic!("{context}: an edge to nowhere"));
        state
    };
    let mut marks = vec![0; graph.acceptance().words()];
    let mut start = *initial.unwrap_or(&0);
    for &label in &lasso.prefix {
        start = step(label, &mut marks);
    }
    let mut marks = vec![0; graph.acceptance().words()];
    let mut end = None;
    for &label in &lasso.cycle {
        end = Some(step(label, &mut marks));
    }
    assert_eq!(end, Some(start), "{context}: {lasso:?} is open");
    assert!(
        graph.acceptance().accepts(&marks),
        "{context}: {lasso:?} is not accepted"
    );
}
