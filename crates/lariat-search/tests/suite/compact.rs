//! Searches over fingerprints: exact as long as no two states have the same one, and no violation is ever false.

use crate::lasso_oracle::{LassoOracle, check_lasso};
use crate::lassos::{SEED, collect, for_graphs, random_graph};
use lariat_graph::explicit::ExplicitAcceptingGraph;
use lariat_graph::{AcceptingGraph, Expansion, StateSpace};
use lariat_search::{
    Compaction, Options, SearchId, SearchOutcome, Stop, StoreKind, replay_lasso, scc_search,
};
use lariat_store::{CompactStore, Demands, Memory, StateRef};
use std::collections::{BTreeMap, BTreeSet};

const GRAPHS: u64 = 300_000;

fn compact(bits: u32, seed: u64) -> Options {
    Options {
        store: StoreKind::Compact(Compaction {
            bits: Some(bits),
            seed,
        }),
        ..collect()
    }
}

fn run(graph: &ExplicitAcceptingGraph, options: &Options, workers: usize) -> SearchOutcome {
    let mut graphs = vec![graph.clone(); workers];
    SearchId::Owcty.run(&mut graphs, options, &mut ())
}

/// Starting threads takes longer than a small search.
fn workers(number: u64) -> usize {
    match number % 40 {
        0 => 1 + (number / 40 % 4) as usize,
        _ => 1,
    }
}

#[test]
fn owcty_with_different_fingerprints_is_exact() {
    for_graphs(GRAPHS, |number| {
        let graph = random_graph(number);
        if graph.acceptance().pairs > 0 {
            return;
        }
        let context = format!("graph {number} of seed {SEED}");
        let outcome = run(&graph, &compact(64, number), workers(number));
        let truth = LassoOracle::new(&graph);
        assert_eq!(outcome.lasso.is_some(), truth.accepts, "{context}");
        let stop = match truth.accepts {
            true => Stop::Fault,
            false => Stop::Complete,
        };
        assert_eq!(outcome.stop, stop, "{context}");
        if let Some(lasso) = &outcome.lasso {
            check_lasso(&graph, lasso, &context);
        } else {
            let states = u64::from(truth.reachable);
            assert_eq!(outcome.statistics.states_stored, states, "{context}");
        }
    });
}

/// The words of all reachable states.
pub fn reachable(graph: &mut ExplicitAcceptingGraph) -> BTreeSet<Vec<u32>> {
    let mut out = Expansion::new();
    graph.initial(&mut out);
    let mut open: Vec<Vec<u32>> = out.edges().map(|(state, _)| state.to_vec()).collect();
    let mut known = BTreeSet::new();
    while let Some(state) = open.pop() {
        if known.contains(&state) {
            continue;
        }
        out.clear();
        graph.successors(&state, &mut out);
        open.extend(out.edges().map(|(target, _)| target.to_vec()));
        known.insert(state);
    }
    known
}

/// The words of the states of an accepted lasso.
fn states_of_a_lasso(graph: &mut ExplicitAcceptingGraph) -> Option<BTreeSet<Vec<u32>>> {
    let lasso = scc_search(&mut [graph.clone()], &collect(), &mut ()).lasso?;
    let states = replay_lasso(graph, &lasso).expect("the search is exact");
    Some(states.into_iter().collect())
}

/// With few bits many states are omitted. No violation is false, every search ends, and an accepted lasso whose states have
/// fingerprints of their own is found, or another one.
#[test]
fn owcty_with_equal_fingerprints_is_sound() {
    for_graphs(GRAPHS, |number| {
        let mut graph = random_graph(number);
        if graph.acceptance().pairs > 0 {
            return;
        }
        let bits = 4 + (number / 4 % 6) as u32;
        let context = format!("graph {number} of seed {SEED}, {bits} bits");
        let outcome = run(&graph, &compact(bits, number), workers(number));
        let truth = LassoOracle::new(&graph);
        if let Some(lasso) = &outcome.lasso {
            assert!(truth.accepts, "{context}");
            check_lasso(&graph, lasso, &context);
            return;
        }
        assert_eq!(outcome.stop, Stop::Complete, "{context}");
        let Some(lasso) = states_of_a_lasso(&mut graph) else {
            return;
        };
        let demands = Demands {
            memory: Memory::new(None),
            colour_bits: 0,
            max_states: u64::MAX,
        };
        let store = CompactStore::with_fingerprints(demands, bits, number);
        let mut owners: BTreeMap<StateRef, u32> = BTreeMap::new();
        for state in reachable(&mut graph) {
            *owners.entry(store.reference(&state).0).or_default() += 1;
        }
        let is_alone = |state: &Vec<u32>| owners[&store.reference(state).0] == 1;
        assert!(!lasso.iter().all(is_alone), "missed: {context}");
    });
}
