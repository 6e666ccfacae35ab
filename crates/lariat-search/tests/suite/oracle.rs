//! The facts about an explicit graph, computed naively: no code is shared with the searches.

use lariat_graph::explicit::ExplicitGraph;
use lariat_search::Path;
use std::collections::{BTreeMap, BTreeSet};

pub struct Oracle {
    /// For each reachable state, the fewest edges from an initial state.
    pub distance: BTreeMap<u32, u64>,
    /// Edges into reachable states, counting one into each initial state.
    pub transitions: u64,
    /// For each fault code its number of occurrences, and the fewest edges of a path to it.
    pub faults: BTreeMap<u32, (u64, u64)>,
    /// The fewest edges to a state with any fault.
    pub nearest_fault: Option<u64>,
    /// The largest number of states of a depth-first path.
    pub depth_first_height: u64,
}

impl Oracle {
    pub fn new(graph: &ExplicitGraph) -> Self {
        let distance = distances(graph);
        let mut oracle = Oracle {
            transitions: graph.initial_states().len() as u64,
            faults: BTreeMap::new(),
            nearest_fault: None,
            depth_first_height: depth_first_height(graph),
            distance,
        };
        for (&number, &distance) in &oracle.distance {
            let state = &graph.states()[number as usize];
            let targets = state.edges.iter().filter(|edge| edge.target.is_some());
            oracle.transitions += targets.count() as u64;
            let own = state.faults.iter().map(|&code| (code, distance));
            let on_edges = state.edges.iter().filter_map(|edge| edge.fault);
            for (code, length) in own.chain(on_edges.map(|code| (code, distance + 1))) {
                let entry = oracle.faults.entry(code).or_insert((0, length));
                *entry = (entry.0 + 1, entry.1.min(length));
                let nearest = oracle.nearest_fault.unwrap_or(distance);
                oracle.nearest_fault = Some(nearest.min(distance));
            }
        }
        oracle
    }

    pub fn levels(&self) -> u64 {
        self.distance
            .values()
            .max()
            .map_or(0, |&longest| longest + 1)
    }
}

fn targets(graph: &ExplicitGraph, state: u32) -> impl Iterator<Item = u32> {
    let edges = &graph.states()[state as usize].edges;
    edges.iter().filter_map(|edge| edge.target)
}

fn distances(graph: &ExplicitGraph) -> BTreeMap<u32, u64> {
    let mut distances = BTreeMap::new();
    let mut level: BTreeSet<u32> = graph.initial_states().iter().copied().collect();
    for distance in 0.. {
        level.retain(|state| !distances.contains_key(state));
        if level.is_empty() {
            break;
        }
        distances.extend(level.iter().map(|&state| (state, distance)));
        level = level.iter().flat_map(|&s| targets(graph, s)).collect();
    }
    distances
}

fn depth_first_height(graph: &ExplicitGraph) -> u64 {
    fn visit(graph: &ExplicitGraph, state: u32, seen: &mut BTreeSet<u32>) -> u64 {
        if !seen.insert(state) {
            return 0;
        }
        let below = targets(graph, state).map(|target| visit(graph, target, seen));
        1 + below.max().unwrap_or(0)
    }
    let mut seen = BTreeSet::new();
    let roots = graph.initial_states().iter();
    roots
        .map(|&root| visit(graph, root, &mut seen))
        .max()
        .unwrap_or(0)
}

/// The state at the end of the labels from an initial state.
fn walk(graph: &ExplicitGraph, initial: u32, labels: &[u32]) -> Option<u32> {
    let mut state = *graph.initial_states().get(initial as usize)?;
    for &label in labels {
        let edges = &graph.states()[state as usize].edges;
        state = edges.iter().find(|edge| edge.label == label)?.target?;
    }
    Some(state)
}

/// The distance from its start of the state at which `path` has a fault with this code; `None` if the path does not
/// exist or does not end with such a fault. If both the last edge and its target have the fault, it is that of the
/// edge.
pub fn fault_at_end(graph: &ExplicitGraph, path: &Path, code: u32) -> Option<u64> {
    let length = path.labels.len() as u64;
    if has_fault_on_last_edge(graph, path, code) == Some(true) {
        return Some(length - 1);
    }
    let end = walk(graph, path.initial?, &path.labels)?;
    let faults = &graph.states()[end as usize].faults;
    faults.contains(&code).then_some(length)
}

fn has_fault_on_last_edge(graph: &ExplicitGraph, path: &Path, code: u32) -> Option<bool> {
    let (last, before) = path.labels.split_last()?;
    let state = walk(graph, path.initial?, before)?;
    let mut edges = graph.states()[state as usize].edges.iter();
    Some(edges.any(|edge| edge.label == *last && edge.fault == Some(code)))
}
