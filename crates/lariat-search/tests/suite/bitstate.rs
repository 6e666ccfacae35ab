//! Searches over bits of states: a huge table changes no answer, and a tiny one only hides violations.

use crate::lasso_oracle::{LassoOracle, check_lasso};
use crate::lassos::{collect, for_graphs, random_graph};
use crate::oracle::{Oracle, fault_at_end};
use lariat_graph::explicit::ExplicitAcceptingGraph;
use lariat_graph::{Acceptance, AcceptingGraph};
use lariat_search::{
    Bitstate, Budget, Distinction, Exactness, Options, SearchId, SearchOutcome, Stop, StoreKind,
    replay_lasso,
};

const GRAPHS: u64 = 60_000;

/// A table in which the few states of the graphs do not meet.
const HUGE: u64 = 1 << 22;

fn bitstate(number: u64, bits: u64) -> StoreKind {
    StoreKind::Bitstate(Bitstate {
        probes: 1 + (number % 16) as u32,
        bits: Some(bits),
        seed: number,
    })
}

fn run(
    id: SearchId,
    graph: &ExplicitAcceptingGraph,
    store: StoreKind,
    workers: usize,
    options: Options,
) -> SearchOutcome {
    let options = Options { store, ..options };
    let outcome = id.run(&mut vec![graph.clone(); workers], &options, &mut ());
    assert_eq!(outcome.exactness, Exactness::MayOmit);
    let omission = outcome.statistics.omission.expect("the figures");
    assert_eq!(omission.states, outcome.statistics.states_stored);
    let Distinction::Bloom { bits, ones, .. } = omission.distinction else {
        panic!("{omission:?}");
    };
    assert!(ones <= bits);
    outcome
}

fn is_known(graph: &ExplicitAcceptingGraph) -> bool {
    let Acceptance { sets, pairs } = graph.acceptance();
    sets <= 1 && pairs == 0
}

/// Starting threads takes longer than a small search.
fn workers(number: u64) -> usize {
    match number % 40 {
        0 => 1 + (number / 40 % 4) as usize,
        _ => 1,
    }
}

#[test]
fn a_huge_table_agrees_with_the_oracle() {
    for_graphs(GRAPHS / 10, |number| {
        let mut graph = random_graph(number);
        let oracle = Oracle::new(graph.graph());
        // With one bit for each state, states meet too often.
        let store = bitstate(number % 14 + 2, HUGE);
        let reachable = oracle.distance.len() as u64;
        for id in [SearchId::Bfs, SearchId::Dfs] {
            let found = run(id, &graph, store, 1, collect());
            let context = format!("{}, graph {number}", id.name());
            assert_eq!(found.stop, Stop::Complete, "{context}");
            assert_eq!(found.statistics.states_stored, reachable, "{context}");
            assert_eq!(
                found.statistics.transitions(),
                oracle.transitions,
                "{context}"
            );
            assert_eq!(found.faults.len(), oracle.faults.len(), "{context}");
            for fault in &found.faults {
                assert_eq!(fault.occurrences, oracle.faults[&fault.code].0);
                assert!(fault_at_end(graph.graph(), &fault.path, fault.code).is_some());
            }
        }
        if !is_known(&graph) {
            return;
        }
        let truth = LassoOracle::new(&graph);
        let found = run(SearchId::Ndfs, &graph, store, 1, collect());
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
fn a_tiny_table_reports_only_violations() {
    for_graphs(GRAPHS, |number| {
        let mut graph = random_graph(number);
        let oracle = Oracle::new(graph.graph());
        let store = bitstate(number / 3, 64 << (number % 4));
        for (id, workers) in [(SearchId::Bfs, workers(number)), (SearchId::Dfs, 1)] {
            let found = run(id, &graph, store, workers, collect());
            assert_eq!(found.stop, Stop::Complete, "graph {number}");
            let stored = found.statistics.states_stored;
            // Workers that reach a state at the same time may both visit it.
            assert!(workers > 1 || stored <= oracle.distance.len() as u64);
            for fault in &found.faults {
                assert!(fault_at_end(graph.graph(), &fault.path, fault.code).is_some());
            }
        }
        if !is_known(&graph) {
            return;
        }
        let found = run(SearchId::Ndfs, &graph, store, 1, collect());
        match &found.lasso {
            Some(lasso) => {
                assert!(LassoOracle::new(&graph).accepts, "graph {number}");
                replay_lasso(&mut graph, lasso).unwrap();
            }
            None => assert_eq!(found.stop, Stop::Complete, "graph {number}"),
        }
    });
}

/// With any limit of states or of memory, the search ends and reports it.
#[test]
fn limits_are_reported() {
    for_graphs(1000, |number| {
        let graph = random_graph(number);
        let reachable = Oracle::new(graph.graph()).distance.len() as u64;
        for id in [SearchId::Bfs, SearchId::Dfs, SearchId::Ndfs] {
            if id == SearchId::Ndfs && !is_known(&graph) {
                continue;
            }
            let run = |budget: Budget, bits: Option<u64>| {
                let store = StoreKind::Bitstate(Bitstate {
                    probes: 3,
                    bits,
                    seed: 1,
                });
                let options = Options {
                    budget,
                    ..collect()
                };
                run(id, &graph, store, 1, options)
            };
            for limit in 0..reachable {
                let budget = Budget {
                    states: Some(limit),
                    ..Budget::default()
                };
                let found = run(budget, Some(HUGE));
                assert!(found.statistics.states_stored <= limit, "graph {number}");
                assert!(found.lasso.is_some() || found.stop == Stop::States);
            }
            let limit = 1000 + 197 * (number % 64);
            let budget = Budget {
                memory: Some(limit),
                ..Budget::default()
            };
            let found = run(budget, None);
            let stops = [Stop::Complete, Stop::Memory];
            assert!(found.lasso.is_some() || stops.contains(&found.stop));
        }
    });
}
