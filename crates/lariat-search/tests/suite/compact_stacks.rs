//! Depth-first searches with fingerprints: wide ones change no answer, and narrow ones only hide violations.

use crate::compact::reachable;
use crate::lasso_oracle::{LassoOracle, check_lasso};
use crate::lassos::{collect, for_graphs, random_graph};
use crate::oracle::{Oracle, fault_at_end};
use lariat_graph::explicit::ExplicitAcceptingGraph;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};
use lariat_search::{
    Budget, Compaction, Exactness, Options, SearchId, SearchOutcome, Stop, StoreKind, replay_lasso,
};
use lariat_store::{CompactStore, Demands, Memory, StateRef};
use std::collections::{BTreeMap, BTreeSet};

const GRAPHS: u64 = 300_000;

const SEED: u64 = 1;

fn run(id: SearchId, graph: &ExplicitAcceptingGraph, bits: u32, options: Options) -> SearchOutcome {
    run_seeded(id, graph, bits, SEED, options)
}

fn run_seeded(
    id: SearchId,
    graph: &ExplicitAcceptingGraph,
    bits: u32,
    seed: u64,
    options: Options,
) -> SearchOutcome {
    let compaction = Compaction {
        bits: Some(bits),
        seed,
    };
    let options = Options {
        store: StoreKind::Compact(compaction),
        ..options
    };
    let outcome = id.run(&mut [graph.clone()], &options, &mut ());
    assert_eq!(outcome.exactness, Exactness::MayOmit);
    assert!(outcome.statistics.omission.is_some());
    outcome
}

fn is_known(graph: &ExplicitAcceptingGraph) -> bool {
    let Acceptance { sets, pairs } = graph.acceptance();
    sets <= 1 && pairs == 0
}

#[test]
fn wide_fingerprints_agree_with_the_oracle() {
    for_graphs(GRAPHS, |number| {
        let mut graph = random_graph(number);
        let oracle = Oracle::new(graph.graph());
        let found = run(SearchId::Dfs, &graph, 64, collect());
        assert_eq!(found.stop, Stop::Complete, "graph {number}");
        let statistics = found.statistics;
        let reachable = oracle.distance.len() as u64;
        assert_eq!(statistics.states_stored, reachable, "graph {number}");
        assert_eq!(statistics.transitions(), oracle.transitions);
        assert_eq!(statistics.max_depth, oracle.depth_first_height);
        assert_eq!(found.faults.len(), oracle.faults.len(), "graph {number}");
        for fault in &found.faults {
            assert_eq!(fault.occurrences, oracle.faults[&fault.code].0);
            assert!(fault_at_end(graph.graph(), &fault.path, fault.code).is_some());
        }
        if !is_known(&graph) {
            return;
        }
        let truth = LassoOracle::new(&graph);
        let found = run(SearchId::Ndfs, &graph, 64, collect());
        assert_eq!(found.lasso.is_some(), truth.accepts, "graph {number}");
        match &found.lasso {
            Some(lasso) => {
                check_lasso(&graph, lasso, &format!("graph {number}"));
                replay_lasso(&mut graph, lasso).unwrap();
            }
            None => {
                assert_eq!(found.stop, Stop::Complete, "graph {number}");
                assert_eq!(found.statistics.states_stored, reachable);
                assert_eq!(found.statistics.transitions(), oracle.transitions);
            }
        }
    });
}

#[test]
fn narrow_fingerprints_report_only_violations() {
    for_graphs(GRAPHS, |number| {
        let mut graph = random_graph(number);
        let oracle = Oracle::new(graph.graph());
        let bits = 4 + (number / 2 % 6) as u32;
        let found = run_seeded(SearchId::Dfs, &graph, bits, number, collect());
        assert_eq!(found.stop, Stop::Complete, "graph {number}");
        let stored = found.statistics.states_stored;
        assert!(stored <= oracle.distance.len() as u64);
        assert!(
            stored >= reached_alone(&mut graph, bits, number),
            "graph {number}"
        );
        for fault in &found.faults {
            assert!(fault_at_end(graph.graph(), &fault.path, fault.code).is_some());
        }
        if !is_known(&graph) {
            return;
        }
        let found = run_seeded(SearchId::Ndfs, &graph, bits, number, collect());
        match &found.lasso {
            Some(lasso) => {
                assert!(LassoOracle::new(&graph).accepts, "graph {number}");
                replay_lasso(&mut graph, lasso).unwrap();
            }
            None => assert_eq!(found.stop, Stop::Complete, "graph {number}"),
        }
    });
}

/// The number of states that are reached through states which have a fingerprint of their own: none of them may be missed.
fn reached_alone(graph: &mut ExplicitAcceptingGraph, bits: u32, seed: u64) -> u64 {
    let demands = Demands {
        memory: Memory::new(None),
        colour_bits: 0,
        max_states: u64::MAX,
    };
    let store = CompactStore::with_fingerprints(demands, bits, seed);
    let mut owners: BTreeMap<StateRef, u32> = BTreeMap::new();
    for state in reachable(graph) {
        *owners.entry(store.reference(&state).0).or_default() += 1;
    }
    let mut out = Expansion::new();
    graph.initial(&mut out);
    let targets = |out: &Expansion| -> Vec<Vec<u32>> {
        out.edges().map(|(target, _)| target.to_vec()).collect()
    };
    let mut open = targets(&out);
    let mut alone = BTreeSet::new();
    while let Some(state) = open.pop() {
        if owners[&store.reference(&state).0] > 1 || alone.contains(&state) {
            continue;
        }
        out.clear();
        graph.successors(&state, &mut out);
        open.extend(targets(&out));
        alone.insert(state);
    }
    alone.len() as u64
}

/// With any limit of states or of memory, the search ends and reports it.
#[test]
fn limits_are_reported() {
    for_graphs(4000, |number| {
        let graph = random_graph(number);
        let reachable = Oracle::new(graph.graph()).distance.len() as u64;
        for id in [SearchId::Dfs, SearchId::Ndfs] {
            if id == SearchId::Ndfs && !is_known(&graph) {
                continue;
            }
            for limit in 0..reachable {
                let budget = Budget {
                    states: Some(limit),
                    ..Budget::default()
                };
                let found = run(
                    id,
                    &graph,
                    64,
                    Options {
                        budget,
                        ..collect()
                    },
                );
                assert!(found.statistics.states_stored <= limit, "graph {number}");
                assert!(found.lasso.is_some() || found.stop == Stop::States);
            }
            let budget = Budget {
                memory: Some(1000 + 97 * (number % 64)),
                ..Budget::default()
            };
            let found = run(
                id,
                &graph,
                64,
                Options {
                    budget,
                    ..collect()
                },
            );
            let stops = [Stop::Complete, Stop::Memory];
            assert!(found.lasso.is_some() || stops.contains(&found.stop));
        }
    });
}
