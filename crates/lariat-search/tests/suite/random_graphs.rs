//! Every search agrees with the oracle on many small random graphs.

use crate::oracle::{Oracle, fault_at_end};
use crate::{SEARCHES, Search};
use lariat_graph::explicit::{ExplicitGraph, RandomGraph};
use lariat_search::{FaultPolicy, Options, SearchOutcome, Stop, StoreId, StoreKind, VisitOrder};
use lariat_stats::stream;
use std::collections::BTreeMap;

const GRAPHS: u64 = 200_000;

fn random_graph(number: u64) -> ExplicitGraph {
    let mut rng = stream(1, "random graphs", number);
    let states = rng.below(13) as u32;
    let shape = RandomGraph {
        states,
        edges: rng.below(1 + 3 * u64::from(states)) as u32,
        initial: rng.below(4) as u32,
        fault_probability: [0.0, 0.02, 0.1, 0.4][rng.index(4)],
        fault_codes: 4,
        padding: rng.below(4) as u32,
    };
    ExplicitGraph::random(&shape, &mut rng)
}

/// The part of the small graphs that a search gets: starting threads takes longer than the search.
fn one_in(search: &Search) -> u64 {
    match (search.workers, search.store) {
        (1, StoreKind::Keep(StoreId::Flat)) => 1,
        (1, StoreKind::Keep(StoreId::Tree)) => 4,
        _ => 40,
    }
}

#[test]
fn searches_agree_with_the_oracle() {
    std::thread::scope(|scope| {
        for part in 0..2 {
            scope.spawn(move || {
                for number in (part..GRAPHS).step_by(2) {
                    let mut graph = random_graph(number);
                    let oracle = Oracle::new(&graph);
                    for search in SEARCHES.iter() {
                        if number / 2 % one_in(search) != 0 {
                            continue;
                        }
                        let context = format!("{} on graph {number}", search.name);
                        check_collecting(search, &mut graph, &oracle, &context);
                        check_first_fault(search, &mut graph, &oracle, &context);
                    }
                }
            });
        }
    });
}

/// Graphs with levels that are large enough for several workers.
#[test]
fn searches_agree_with_the_oracle_on_wide_graphs() {
    for number in 0..12 {
        let mut rng = stream(1, "wide graphs", number);
        let shape = RandomGraph {
            states: 20_000,
            edges: [25_000, 40_000, 80_000][rng.index(3)],
            initial: 1 + rng.below(1000) as u32,
            fault_probability: [0.0, 0.0002, 0.05][rng.index(3)],
            fault_codes: 4,
            padding: rng.below(4) as u32,
        };
        let mut graph = ExplicitGraph::random(&shape, &mut rng);
        let oracle = Oracle::new(&graph);
        for search in SEARCHES.iter() {
            let context = format!("{} on wide graph {number}", search.name);
            check_collecting(search, &mut graph, &oracle, &context);
            check_first_fault(search, &mut graph, &oracle, &context);
        }
    }
}

fn check_collecting(search: &Search, graph: &mut ExplicitGraph, oracle: &Oracle, context: &str) {
    if !search.id.info().counts_faults {
        return;
    }
    let options = Options {
        faults: FaultPolicy::Collect,
        ..Options::default()
    };
    let outcome = search.run(graph, &options);
    assert_eq!(outcome.stop, Stop::Complete, "{context}");
    check_counts(search, &outcome, oracle, context);

    let occurrences = outcome
        .faults
        .iter()
        .map(|fault| (fault.code, fault.occurrences));
    let expected = oracle
        .faults
        .iter()
        .map(|(&code, &(count, _))| (code, count));
    let occurrences: BTreeMap<_, _> = occurrences.collect();
    assert_eq!(occurrences, expected.collect(), "{context}");
    assert_eq!(outcome.faults.len(), oracle.faults.len(), "{context}");

    for fault in &outcome.faults {
        let at_end = fault_at_end(graph, &fault.path, fault.code);
        assert!(at_end.is_some(), "{context}: {:?}", fault.path);
        if search.id.info().shortest_paths {
            let length = fault.path.labels.len() as u64;
            assert_eq!(length, oracle.faults[&fault.code].1, "{context}");
        }
    }
}

fn check_counts(search: &Search, outcome: &SearchOutcome, oracle: &Oracle, context: &str) {
    let statistics = &outcome.statistics;
    let reachable = oracle.distance.len() as u64;
    assert_eq!(statistics.states_stored, reachable, "{context}");
    assert_eq!(statistics.transitions(), oracle.transitions, "{context}");
    let matched = oracle.transitions - reachable;
    assert_eq!(statistics.states_matched, matched, "{context}");
    let depth = match search.order {
        VisitOrder::BreadthFirst => oracle.levels(),
        VisitOrder::DepthFirst => oracle.depth_first_height,
        VisitOrder::Other => return,
    };
    assert_eq!(statistics.max_depth, depth, "{context}");
}

fn check_first_fault(search: &Search, graph: &mut ExplicitGraph, oracle: &Oracle, context: &str) {
    let outcome = search.run(graph, &Options::default());
    let [fault] = &outcome.faults[..] else {
        assert_eq!(outcome.stop, Stop::Complete, "{context}");
        assert_eq!(
            (outcome.faults.len(), oracle.faults.len()),
            (0, 0),
            "{context}"
        );
        return check_counts(search, &outcome, oracle, context);
    };
    assert_eq!(outcome.stop, Stop::Fault, "{context}");
    assert_eq!(fault.occurrences, 1, "{context}");
    let at_end = fault_at_end(graph, &fault.path, fault.code);
    assert!(at_end.is_some(), "{context}: {:?}", fault.path);
    if search.id.info().shortest_paths {
        assert_eq!(at_end, oracle.nearest_fault, "{context}");
    }
}
