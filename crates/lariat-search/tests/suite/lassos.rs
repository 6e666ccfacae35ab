//! Every search for accepted cycles agrees with the oracle on many small random graphs.

use crate::lasso_oracle::{LassoOracle, check_lasso};
use crate::lasso_searches::{LASSO_SEARCHES, LassoSearch, all_searches};
use crate::oracle::{Oracle, fault_at_end};
use lariat_graph::explicit::{ExplicitAcceptingGraph, RandomGraph};
use lariat_graph::{Acceptance, AcceptingGraph};
use lariat_search::{
    Budget, FaultPolicy, Lasso, LassoError, Options, SearchOutcome, Stop, StoreId, StoreKind,
    replay_lasso,
};
use lariat_stats::{Rng, stream};
use std::collections::BTreeMap;

pub const SEED: u64 = 1;
const GRAPHS: u64 = 200_000;

fn random_acceptance(rng: &mut Rng) -> Acceptance {
    match rng.below(3) {
        0 => Acceptance {
            sets: rng.below(2) as u32,
            pairs: 0,
        },
        1 => Acceptance {
            sets: rng.below(5) as u32,
            pairs: 0,
        },
        _ => Acceptance {
            sets: rng.below(3) as u32,
            pairs: rng.below(3) as u32,
        },
    }
}

pub fn random_graph(number: u64) -> ExplicitAcceptingGraph {
    let mut rng = stream(SEED, "random accepting graphs", number);
    let acceptance = random_acceptance(&mut rng);
    let states = rng.below(13) as u32;
    let shape = RandomGraph {
        states,
        edges: rng.below(1 + 3 * u64::from(states)) as u32,
        initial: rng.below(4) as u32,
        fault_probability: [0.0, 0.0, 0.02, 0.2][rng.index(4)],
        fault_codes: 4,
        padding: rng.below(4) as u32,
    };
    let mark_probability = [0.0, 0.05, 0.2, 0.5][rng.index(4)];
    ExplicitAcceptingGraph::random(&shape, acceptance, mark_probability, &mut rng)
}

pub fn collect() -> Options {
    Options {
        faults: FaultPolicy::Collect,
        ..Options::default()
    }
}

/// Runs a test for many graphs, on two threads.
pub fn for_graphs(count: u64, test: impl Fn(u64) + Sync) {
    std::thread::scope(|scope| {
        for part in 0..2 {
            let test = &test;
            scope.spawn(move || (part..count).step_by(2).for_each(test));
        }
    });
}

/// Starting threads takes longer than a small search, so several workers do not get every graph.
pub fn is_turn(search: &LassoSearch, number: u64) -> bool {
    match (search.workers, search.store) {
        (1, StoreKind::Keep(StoreId::Flat)) => true,
        (1, StoreKind::Keep(StoreId::Tree)) => number % 20 < 2,
        _ => number % 100 < 2,
    }
}

#[test]
fn searches_for_cycles_agree_with_the_oracle() {
    for_graphs(GRAPHS, |number| {
        let mut graph = random_graph(number);
        let truth = LassoOracle::new(&graph);
        for search in all_searches() {
            if search.knows(graph.acceptance()) && is_turn(search, number) {
                let context = format!("{} on graph {number} of seed {SEED}", search.name);
                let outcome = search.run(&graph, &collect());
                check(&mut graph, &truth, &outcome, &context);
                check_faults(search, &mut graph, &context);
            }
        }
    });
}

fn check(
    graph: &mut ExplicitAcceptingGraph,
    truth: &LassoOracle,
    outcome: &SearchOutcome,
    context: &str,
) {
    assert_eq!(outcome.lasso.is_some(), truth.accepts, "{context}");
    let storing = outcome.statistics.storing;
    let stored = match storing {
        Some(storing) => storing.distinct as u64,
        None => outcome.statistics.states_stored,
    };
    if let Some(lasso) = &outcome.lasso {
        assert_eq!(outcome.stop, Stop::Fault, "{context}");
        assert!(stored <= u64::from(truth.reachable), "{context}");
        check_lasso(graph, lasso, context);
        let states =
            replay_lasso(graph, lasso).unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(states.len() as u64, lasso.length() + 1, "{context}");
    } else {
        assert_eq!(outcome.stop, Stop::Complete, "{context}");
        assert_eq!(stored, u64::from(truth.reachable), "{context}");
        let oracle = Oracle::new(graph.graph());
        let transitions = outcome.statistics.transitions();
        if storing.is_some() {
            // Revisited states are counted again.
            assert!(transitions >= oracle.transitions, "{context}");
            let codes: Vec<u32> = outcome.faults.iter().map(|fault| fault.code).collect();
            let known = |code| oracle.faults.contains_key(code);
            assert!(codes.iter().all(known), "{context}");
            assert_eq!(codes.len(), oracle.faults.len(), "{context}");
            return;
        }
        assert_eq!(transitions, oracle.transitions, "{context}");
        let depth = outcome.statistics.max_depth;
        // Workers that share a component do not follow paths.
        let levels = match context.starts_with("scc,") && context.contains("workers") {
            true => u64::from(stored > 0),
            false => oracle.levels(),
        };
        assert!(levels <= depth && depth <= stored, "{context}");
        let seen = outcome.faults.iter().map(|f| (f.code, f.occurrences));
        let expected = oracle.faults.iter().map(|(&code, &(n, _))| (code, n));
        let seen: BTreeMap<_, _> = seen.collect();
        assert_eq!(seen, expected.collect(), "{context}");
    }
    for fault in &outcome.faults {
        let at_end = fault_at_end(graph.graph(), &fault.path, fault.code);
        assert!(at_end.is_some(), "{context}: {:?}", fault.path);
    }
}

/// A search that stops at the first fault has found one if and only if there is one.
fn check_faults(search: &LassoSearch, graph: &mut ExplicitAcceptingGraph, context: &str) {
    let outcome = search.run(&*graph, &Options::default());
    match &outcome.faults[..] {
        [] => assert!(
            outcome.lasso.is_some() || outcome.stop == Stop::Complete,
            "{context}"
        ),
        [fault] => {
            assert_eq!(
                (outcome.stop, &outcome.lasso),
                (Stop::Fault, &None),
                "{context}"
            );
            let at_end = fault_at_end(graph.graph(), &fault.path, fault.code);
            assert!(at_end.is_some(), "{context}: {:?}", fault.path);
        }
        more => panic!("{context}: {more:?}"),
    }
}

/// With any limit of states, a search either ends early and reports it, or is correct.
#[test]
fn searches_for_cycles_report_limits() {
    for_graphs(20_000, |number| {
        let mut graph = random_graph(number);
        let truth = LassoOracle::new(&graph);
        for search in LASSO_SEARCHES.iter() {
            if !search.knows(graph.acceptance()) || !is_turn(search, number) {
                continue;
            }
            let context = format!("{} on graph {number} of seed {SEED}", search.name);
            for limit in 0..=u64::from(truth.reachable) {
                let budget = Budget {
                    states: Some(limit),
                    ..Budget::default()
                };
                let outcome = search.run(
                    &graph,
                    &Options {
                        budget,
                        ..collect()
                    },
                );
                assert!(outcome.statistics.states_stored <= limit, "{context}");
                if limit == u64::from(truth.reachable) {
                    check(&mut graph, &truth, &outcome, &context);
                } else if let Some(lasso) = &outcome.lasso {
                    check_lasso(&graph, lasso, &context);
                } else {
                    assert_eq!(outcome.stop, Stop::States, "{context}");
                }
            }
        }
    });
}

/// The states of `graph` in components, each wholly accepting or wholly rejecting.
fn make_weak(graph: &ExplicitAcceptingGraph, rng: &mut Rng) -> ExplicitAcceptingGraph {
    let plain = graph.graph();
    let states = plain.states().len();
    let mut reaches = vec![vec![false; states]; states];
    for (from, state) in plain.states().iter().enumerate() {
        for target in state.edges.iter().filter_map(|edge| edge.target) {
            reaches[from][target as usize] = true;
        }
    }
    for middle in 0..states {
        for from in 0..states {
            for to in 0..states {
                reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
            }
        }
    }
    let acceptance = Acceptance { sets: 1, pairs: 0 };
    let mut weak = ExplicitAcceptingGraph::without_marks(plain.clone(), acceptance);
    let chosen: Vec<bool> = (0..states).map(|_| rng.chance(0.3)).collect();
    for (from, state) in plain.states().iter().enumerate() {
        for (index, edge) in state.edges.iter().enumerate() {
            let Some(to) = edge.target else { continue };
            // The smallest state decides for its component; edges between components are arbitrary.
            let component = (0..=from).find(|&s| s == from || reaches[s][from] && reaches[from][s]);
            let accepting = match reaches[to as usize][from] {
                true => component.is_some_and(|state| chosen[state]),
                false => rng.chance(0.5),
            };
            if accepting {
                weak.add_mark(from as u32, index, 0);
            }
        }
    }
    weak
}

#[test]
fn a_promise_that_a_graph_is_weak_changes_no_answer() {
    for_graphs(50_000, |number| {
        let mut rng = stream(SEED, "weak graphs", number);
        let mut graph = make_weak(&random_graph(number), &mut rng);
        let truth = LassoOracle::new(&graph);
        let weak = Options {
            weak: true,
            ..collect()
        };
        for search in all_searches().filter(|search| is_turn(search, number)) {
            let context = format!("{} on weak graph {number} of seed {SEED}", search.name);
            let outcome = search.run(&graph, &weak);
            check(&mut graph, &truth, &outcome, &context);
        }
    });
}

/// The cycle is on the stack as soon as its second edge is found; the rest need not be visited.
#[test]
fn a_cycle_on_the_stack_is_found_at_once() {
    let acceptance = Acceptance { sets: 1, pairs: 0 };
    for accepting in 0..3 {
        let mut graph = ExplicitAcceptingGraph::new(100, acceptance);
        graph.add_initial(0);
        graph.add_edge(0, 1, 0, &[]);
        for (edge, (from, to)) in [(1, 2), (2, 3), (3, 1)].into_iter().enumerate() {
            let bits: &[usize] = if edge == accepting { &[0] } else { &[] };
            graph.add_edge(from, to, 0, bits);
        }
        graph.add_edge(3, 4, 1, &[]);
        (4..99).for_each(|state| graph.add_edge(state, state + 1, 0, &[]));
        for search in LASSO_SEARCHES.iter().filter(|search| search.has_stack()) {
            let outcome = search.run(&graph, &collect());
            let lasso = outcome.lasso.unwrap_or_else(|| panic!("{}", search.name));
            assert_eq!(
                (lasso.prefix.len(), lasso.cycle.len()),
                (1, 3),
                "{}",
                search.name
            );
            if search.workers == 1 && search.name != "shortest_lasso" {
                assert_eq!(outcome.statistics.states_stored, 5, "{}", search.name);
            }
        }
    }
}

#[test]
fn a_replay_reports_errors() {
    let mut graph = ExplicitAcceptingGraph::new(2, Acceptance { sets: 1, pairs: 0 });
    graph.add_initial(1);
    graph.add_edge(1, 0, 7, &[0]);
    graph.add_edge(0, 1, 8, &[]);
    graph.add_edge(0, 0, 9, &[]);
    let mut replay = |initial, prefix: &[u32], cycle: &[u32]| {
        let lasso = Lasso {
            initial,
            prefix: prefix.to_vec(),
            cycle: cycle.to_vec(),
        };
        replay_lasso(&mut graph, &lasso)
    };
    let (one, zero) = (vec![1], vec![0]);
    assert_eq!(
        replay(0, &[7], &[9, 8, 7]),
        Ok(vec![one, zero.clone(), zero.clone(), vec![1], zero])
    );
    assert_eq!(replay(1, &[], &[7, 8]), Err(LassoError::NoInitial));
    assert_eq!(replay(0, &[7], &[8, 9]), Err(LassoError::NoEdge(2)));
    assert_eq!(replay(0, &[7], &[]), Err(LassoError::EmptyCycle));
    assert_eq!(replay(0, &[], &[7, 9]), Err(LassoError::OpenCycle));
    assert_eq!(replay(0, &[7], &[9]), Err(LassoError::NotAccepted));
}
