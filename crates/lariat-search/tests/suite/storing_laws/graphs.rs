//! Graphs for these tests.

use super::{ONE_SET, SEED};
use lariat_graph::explicit::{ExplicitAcceptingGraph, ExplicitGraph, RandomGraph};
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};
use lariat_stats::{Rng, stream};

/// A root with `arrivals` edges to each of `leaves`, in random order, some of them accepting.
pub fn fan(leaves: u32, arrivals: u32, rng: &mut Rng) -> ExplicitAcceptingGraph {
    let mut graph = ExplicitAcceptingGraph::new(leaves + 1, ONE_SET);
    graph.add_initial(0);
    let mut targets: Vec<u32> = (0..leaves * arrivals).map(|i| 1 + i % leaves).collect();
    rng.shuffle(&mut targets);
    for (label, target) in targets.into_iter().enumerate() {
        let bits: &[usize] = if rng.chance(0.3) { &[0] } else { &[] };
        graph.add_edge(0, target, label as u32, bits);
    }
    graph
}

/// The same with a state on each of these edges; the edges to these states are accepting, or not.
pub fn long_fan(leaves: u32, arrivals: u32, accepting: bool) -> ExplicitAcceptingGraph {
    let between = leaves * arrivals;
    let mut graph = ExplicitAcceptingGraph::new(1 + leaves + between, ONE_SET);
    graph.add_initial(0);
    let bits: &[usize] = if accepting { &[0] } else { &[] };
    for i in 0..between {
        let state = 1 + leaves + i;
        graph.add_edge(0, state, i, bits);
        graph.add_edge(state, 1 + i % leaves, 0, &[]);
    }
    graph
}

/// For each state the number of its strongly connected component, by Kosaraju's algorithm.
pub fn components(graph: &ExplicitGraph) -> Vec<u32> {
    let count = graph.states().len();
    let mut ahead = vec![Vec::new(); count];
    let mut back = vec![Vec::new(); count];
    for (from, state) in graph.states().iter().enumerate() {
        for to in state.edges.iter().filter_map(|edge| edge.target) {
            ahead[from].push(to as usize);
            back[to as usize].push(from);
        }
    }
    let mut order = Vec::new();
    let mut is_seen = vec![false; count];
    for start in 0..count {
        let mut stack = vec![(start, 0)];
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        while let Some((state, next)) = stack.pop() {
            match ahead[state].get(next) {
                None => order.push(state),
                Some(&to) => {
                    stack.push((state, next + 1));
                    if !std::mem::replace(&mut is_seen[to], true) {
                        stack.push((to, 0));
                    }
                }
            }
        }
    }
    let mut component = vec![u32::MAX; count];
    for (number, &start) in order.iter().rev().enumerate() {
        let mut stack = vec![start];
        while let Some(state) = stack.pop() {
            if component[state] == u32::MAX {
                component[state] = number as u32;
                stack.extend(&back[state]);
            }
        }
    }
    component
}

/// Marks edges of a graph: any of them, or only those that are on no cycle.
pub fn mark(
    graph: ExplicitGraph,
    chance: f64,
    on_cycles: bool,
    rng: &mut Rng,
) -> ExplicitAcceptingGraph {
    let component = components(&graph);
    let mut marked = ExplicitAcceptingGraph::without_marks(graph.clone(), ONE_SET);
    for (from, state) in graph.states().iter().enumerate() {
        for (index, edge) in state.edges.iter().enumerate() {
            let Some(to) = edge.target else { continue };
            let is_free = on_cycles || component[from] != component[to as usize];
            if rng.chance(chance) && is_free {
                marked.add_mark(from as u32, index, 0);
            }
        }
    }
    marked
}

/// A random graph with so many edges for each state, and an initial state with about ten successors.
pub fn digraph(states: u32, degree: f64, rng: &mut Rng) -> ExplicitGraph {
    let shape = RandomGraph {
        states,
        edges: (degree * f64::from(states)) as u32,
        initial: 0,
        fault_probability: 0.0,
        fault_codes: 1,
        padding: rng.below(4) as u32,
    };
    let mut graph = ExplicitGraph::random(&shape, rng);
    graph.add_initial(0);
    for label in 0..10 {
        let target = rng.below(states.into()) as u32;
        graph.add_edge(0, target, 1_000 + label);
    }
    graph
}

/// The graphs for the laws of sums. None has an accepted cycle.
pub fn samples() -> Vec<(String, ExplicitAcceptingGraph)> {
    let mut graphs = Vec::new();
    for (width, height) in [(1, 200), (3, 60), (15, 15)] {
        let grid = ExplicitGraph::grid(width, height);
        for chance in [0.0, 0.2] {
            let mut rng = stream(SEED, "grid", width.into());
            let name = format!("grid {width} x {height} with {chance} of the edges marked");
            graphs.push((name, mark(grid.clone(), chance, false, &mut rng)));
        }
    }
    for (number, degree) in [1.5, 2.0, 3.0, 4.0].into_iter().enumerate() {
        let mut rng = stream(SEED, "digraph", number as u64);
        let graph = digraph(200, degree, &mut rng);
        let name = format!("digraph of degree {degree}");
        graphs.push((name, mark(graph, 0.7, false, &mut rng)));
        // Forward edges only: many accepting edges, and none on a cycle.
        let mut graph = digraph(100, degree, &mut rng);
        for (from, state) in graph.states_mut().iter_mut().enumerate() {
            for edge in &mut state.edges {
                let far = 1 + edge.target.unwrap_or(0) % 20;
                edge.target = Some(from as u32 + far).filter(|&to| to < 100);
            }
            state.edges.retain(|edge| edge.target.is_some());
        }
        let name = format!("acyclic graph of degree {degree}");
        graphs.push((name, mark(graph, 0.2, false, &mut rng)));
    }
    graphs
}

/// Records the states whose successors a search computes.
pub struct Recorder<G> {
    pub graph: G,
    pub states: Vec<u32>,
}

impl<G> Recorder<G> {
    pub fn new(graph: G) -> Self {
        Recorder {
            graph,
            states: Vec::new(),
        }
    }
}

impl<G: StateSpace> StateSpace for Recorder<G> {
    /// A store may have expanded some states for its sample before the search.
    fn initial(&mut self, out: &mut Expansion) {
        self.states.clear();
        self.graph.initial(out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.states.push(state[0]);
        self.graph.successors(state, out);
    }
}

impl<G: AcceptingGraph> AcceptingGraph for Recorder<G> {
    fn acceptance(&self) -> Acceptance {
        self.graph.acceptance()
    }
}

pub fn small_graph(number: u64, fault_probability: f64) -> ExplicitAcceptingGraph {
    let mut rng = stream(SEED, "small graphs", number);
    let states = 1 + rng.below(14) as u32;
    let shape = RandomGraph {
        states,
        edges: rng.below(1 + 3 * u64::from(states)) as u32,
        initial: rng.below(4) as u32,
        fault_probability,
        fault_codes: 4,
        padding: rng.below(4) as u32,
    };
    let acceptance = Acceptance {
        sets: u32::from(!number.is_multiple_of(16)),
        pairs: 0,
    };
    let marks = [0.02, 0.1, 0.3, 0.6][rng.index(4)];
    ExplicitAcceptingGraph::random(&shape, acceptance, marks, &mut rng)
}
