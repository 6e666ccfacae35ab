//! OWCTY and maximal accepting predecessors on graphs on which printed versions fail.

use crate::lasso_oracle::{LassoOracle, check_lasso};
use crate::lassos::collect;
use lariat_graph::Acceptance;
use lariat_graph::explicit::ExplicitAcceptingGraph;
use lariat_search::{Compaction, Options, SearchId, SearchOutcome, Stop, StoreKind};

/// A search with a store and a number of workers.
#[derive(Clone, Copy)]
struct Variant {
    id: SearchId,
    store: StoreKind,
    workers: usize,
}

/// The searches, with one to four workers.
fn searches() -> impl Iterator<Item = Variant> {
    let compaction = Compaction {
        bits: Some(64),
        seed: 1,
    };
    let kinds = [
        (SearchId::Owcty, StoreKind::default()),
        (SearchId::Owcty, StoreKind::Compact(compaction)),
        (SearchId::Map, StoreKind::default()),
    ];
    let each = |(id, store)| (1..=4).map(move |workers| Variant { id, store, workers });
    kinds.into_iter().flat_map(each)
}

/// A graph from state 0 on in which every edge is accepting.
fn graph(states: u32, edges: &[(u32, u32)]) -> ExplicitAcceptingGraph {
    let acceptance = Acceptance { sets: 1, pairs: 0 };
    let mut graph = ExplicitAcceptingGraph::new(states, acceptance);
    graph.add_initial(0);
    for (label, &(from, to)) in edges.iter().enumerate() {
        graph.add_edge(from, to, label as u32, &[0]);
    }
    graph
}

fn run(search: Variant, graph: &ExplicitAcceptingGraph) -> SearchOutcome {
    let mut graphs = vec![graph.clone(); search.workers];
    let options = Options {
        store: search.store,
        ..collect()
    };
    search.id.run(&mut graphs, &options, &mut ())
}

/// A state that is queued twice for elimination must be removed once: otherwise the cycle at the end is missed. Early
/// detection carries state 0, which is not on it.
#[test]
fn a_state_is_removed_once() {
    for edges in [
        [(0, 2), (2, 1), (1, 3), (3, 1)],
        [(0, 1), (1, 2), (2, 3), (3, 2)],
    ] {
        for search in searches() {
            let graph = graph(4, &edges);
            let outcome = run(search, &graph);
            let lasso = outcome.lasso.expect("there is a cycle");
            check_lasso(&graph, &lasso, "four states");
        }
    }
}

/// Diamonds one behind the other: states that have many paths to them are expanded a few times, not once for each path.
#[test]
fn a_ladder_of_diamonds() {
    const DIAMONDS: u32 = 12;
    let mut edges = Vec::new();
    for first in (0..DIAMONDS).map(|diamond| 3 * diamond) {
        edges.extend([(first, first + 1), (first, first + 2)]);
        edges.extend([(first + 1, first + 3), (first + 2, first + 3)]);
    }
    let ladder = graph(3 * DIAMONDS + 1, &edges);
    for search in searches() {
        let outcome = run(search, &ladder);
        assert_eq!((outcome.stop, outcome.lasso), (Stop::Complete, None));
        let states = u64::from(3 * DIAMONDS + 1);
        assert_eq!(outcome.statistics.states_stored, states);
        assert_eq!(outcome.statistics.transitions(), edges.len() as u64 + 1);
    }
    edges.push((3 * DIAMONDS, 2));
    let closed = graph(3 * DIAMONDS + 1, &edges);
    for search in searches() {
        let lasso = run(search, &closed).lasso.expect("there is a cycle");
        check_lasso(&closed, &lasso, "closed ladder");
    }
}

/// A long path of accepting edges before a cycle without any: each round removes nothing but by elimination.
#[test]
fn an_accepting_path_into_a_cycle() {
    let acceptance = Acceptance { sets: 1, pairs: 0 };
    let mut graph = ExplicitAcceptingGraph::new(12, acceptance);
    graph.add_initial(0);
    (0..10).for_each(|state| graph.add_edge(state, state + 1, 0, &[0]));
    graph.add_edge(10, 11, 0, &[]);
    graph.add_edge(11, 10, 0, &[]);
    assert!(!LassoOracle::new(&graph).accepts);
    for search in searches() {
        let outcome = run(search, &graph);
        assert_eq!((outcome.stop, outcome.lasso), (Stop::Complete, None));
    }
}
