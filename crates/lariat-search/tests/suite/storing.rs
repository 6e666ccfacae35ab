//! Searches that remove states are correct, and their counts are consistent.

use crate::lasso_oracle::{LassoOracle, check_lasso};
use crate::lassos::for_graphs;
use crate::oracle::{Oracle, fault_at_end};
use lariat_graph::explicit::{ExplicitAcceptingGraph, ExplicitGraph, RandomGraph};
use lariat_graph::{Acceptance, AcceptingGraph};
use lariat_search::{
    FaultPolicy, Options, RandomizedStoring, SearchOutcome, Stop, StoreKind, StoringRule,
    depth_first, nested_depth_first, nested_dfs_rest,
};
use lariat_stats::{Rng, stream};

const SEED: u64 = 1;
const GRAPHS: u64 = 300_000;

fn sampled(rule: StoringRule, seed: u64) -> Options {
    Options {
        store: StoreKind::Forget(RandomizedStoring { rule, seed }),
        faults: FaultPolicy::Collect,
        ..Options::default()
    }
}

fn random_rule(rng: &mut Rng) -> StoringRule {
    let probability = [0.0, 0.03, 0.2, 0.5, 0.8, 1.0][rng.index(6)];
    match rng.below(4) {
        0 | 1 => StoringRule::Dynamic(probability),
        2 => StoringRule::Static(probability),
        _ => StoringRule::Cache(1 + rng.below(12)),
    }
}

fn random_graph(number: u64, rng: &mut Rng) -> ExplicitAcceptingGraph {
    let states = 1 + rng.below(9) as u32;
    let shape = RandomGraph {
        states,
        edges: rng.below(1 + 2 * u64::from(states)) as u32,
        initial: 1 + rng.below(2) as u32,
        fault_probability: 0.0,
        fault_codes: 1,
        padding: rng.below(3) as u32,
    };
    let acceptance = Acceptance {
        sets: u32::from(!number.is_multiple_of(16)),
        pairs: 0,
    };
    let marks = [0.05, 0.2, 0.5][rng.index(3)];
    let graph = ExplicitAcceptingGraph::random(&shape, acceptance, marks, rng);
    // Half of them as in the literature: all edges of a state are marked, or none.
    if number.is_multiple_of(2) {
        graph
    } else {
        of_states(&graph, rng, marks)
    }
}

/// The same graph, with marks on whole states.
fn of_states(graph: &ExplicitAcceptingGraph, rng: &mut Rng, chance: f64) -> ExplicitAcceptingGraph {
    let states = graph.graph().states();
    let mut copy = ExplicitAcceptingGraph::new(states.len() as u32, graph.acceptance());
    for &initial in graph.graph().initial_states() {
        copy.add_initial(initial);
    }
    for (from, state) in states.iter().enumerate() {
        let sets: &[usize] = if rng.chance(chance) { &[0] } else { &[] };
        for edge in &state.edges {
            if let Some(target) = edge.target {
                let sets = if graph.acceptance().sets == 0 {
                    &[]
                } else {
                    sets
                };
                copy.add_edge(from as u32, target, edge.label, sets);
            }
        }
    }
    copy
}

/// The verdict is that of the oracle, lassos are accepted runs, and the counts are possible.
fn check(
    graph: &ExplicitAcceptingGraph,
    truth: &LassoOracle,
    outcome: &SearchOutcome,
    context: &str,
) {
    if outcome.stop == Stop::States {
        // Only a cache that is filled by the stack may give up.
        assert!(context.contains("Cache"), "{context}");
        return;
    }
    assert_eq!(outcome.lasso.is_some(), truth.accepts, "{context}");
    let storing = outcome.statistics.storing.unwrap();
    assert!(storing.exact, "{context}");
    assert!(storing.states_at_end <= storing.peak_states, "{context}");
    assert!(
        storing.peak_states <= u64::from(truth.reachable),
        "{context}"
    );
    match &outcome.lasso {
        Some(lasso) => check_lasso(graph, lasso, context),
        None => {
            assert_eq!(outcome.stop, Stop::Complete, "{context}");
            assert_eq!(storing.distinct as u32, truth.reachable, "{context}");
        }
    }
}

#[test]
fn forgetful_searches_agree_with_the_oracle() {
    for_graphs(GRAPHS, |number| {
        let mut rng = stream(SEED, "storing", number);
        let mut graph = random_graph(number, &mut rng);
        let truth = LassoOracle::new(&graph);
        let rule = random_rule(&mut rng);
        let options = sampled(rule, number);
        let context = format!("{rule:?} on graph {number} of seed {SEED}");
        let outcome = nested_depth_first(&mut [graph.clone()], &options, false, &mut ());
        check(&graph, &truth, &outcome, &context);
        if let StoringRule::Cache(states) = rule {
            let storing = outcome.statistics.storing.unwrap();
            assert!(storing.peak_states <= states, "{context}");
            return;
        }
        let sampling = RandomizedStoring { rule, seed: number };
        let outcome = nested_dfs_rest(&mut graph, sampling, &options, &mut ());
        check(
            &graph,
            &truth,
            &outcome,
            &format!("as published, {context}"),
        );
    });
}

#[test]
fn forgetful_depth_first_search_visits_all_states() {
    for_graphs(GRAPHS / 3, |number| {
        let mut rng = stream(SEED, "storing, without cycles", number);
        let states = 1 + rng.below(10) as u32;
        let shape = RandomGraph {
            states,
            edges: rng.below(1 + 2 * u64::from(states)) as u32,
            initial: 1 + rng.below(2) as u32,
            fault_probability: [0.0, 0.1][rng.index(2)],
            fault_codes: 4,
            padding: rng.below(3) as u32,
        };
        let mut graph = ExplicitGraph::random(&shape, &mut rng);
        let truth = Oracle::new(&graph);
        let rule = random_rule(&mut rng);
        let context = format!("{rule:?} on graph {number} of seed {SEED}");
        let outcome = depth_first(&mut graph, &sampled(rule, number), &mut ());
        if matches!(rule, StoringRule::Cache(_)) && outcome.stop == Stop::States {
            return;
        }
        assert_eq!(outcome.stop, Stop::Complete, "{context}");
        let storing = outcome.statistics.storing.unwrap();
        assert_eq!(storing.distinct as usize, truth.distance.len(), "{context}");
        let mut seen: Vec<u32> = outcome.faults.iter().map(|fault| fault.code).collect();
        seen.sort_unstable();
        assert_eq!(
            seen,
            truth.faults.keys().copied().collect::<Vec<_>>(),
            "{context}"
        );
        for fault in &outcome.faults {
            let at_end = fault_at_end(&graph, &fault.path, fault.code);
            assert!(at_end.is_some(), "{context}: {:?}", fault.path);
        }
    });
}
