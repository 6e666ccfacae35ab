//! The sums over a search: coins, stored states and transitions.

use super::graphs::samples;
use super::{ALL, SEED, Search, assert_near, wald};
use lariat_search::StoringRule;

/// Wald's identity: E[states at the end] = P E[tosses]: each state in the table was stored by a coin, and stays.
#[test]
fn the_size_of_the_table_follows_walds_identity() {
    for (name, mut graph) in samples() {
        for p in [0.03, 0.1, 0.3, 0.5, 0.8] {
            for search in ALL {
                let context = format!("{search:?}, P = {p}, {name}");
                let (mut tosses, mut stay) = (0, 0);
                for seed in 0..if p < 0.1 { 8 } else { 20 } {
                    let storing = search.storing(&mut graph, StoringRule::Dynamic(p), seed);
                    tosses += search.tosses(&storing);
                    stay += storing.states_at_end;
                    let nested = search == Search::Nested;
                    if search != Search::Published || storing.nested_expansions == 0 {
                        let came = search.tosses(&storing);
                        assert_eq!(came - storing.deletions, storing.states_at_end, "{context}");
                    }
                    assert!(
                        nested || search == Search::Published || storing.nested_expansions == 0
                    );
                }
                let tolerance = wald(1.0, tosses, p);
                assert_near(stay as f64, p * tosses as f64, tolerance, &context);
            }
        }
    }
}

/// E[transitions] <= T / P, where T is the number of transitions without removals: with the edges of states as
/// weights, P times the transitions is the sum over the stored states, up to a martingale; and each state is stored
/// once.
#[test]
fn transitions_are_bounded() {
    for (name, mut graph) in samples() {
        let edges = |state: &lariat_graph::explicit::State| state.edges.len();
        let most = graph.graph().states().iter().map(edges).max().unwrap_or(0) as f64;
        for search in ALL {
            let plain = search.run(&mut graph, StoringRule::Dynamic(1.0), SEED);
            for p in [0.05, 0.2, 0.5, 0.9] {
                let context = format!("{search:?}, P = {p}, {name}");
                let (runs, mut transitions, mut visits) = (10, 0, 0);
                for seed in 100..100 + runs {
                    let statistics = search.run(&mut graph, StoringRule::Dynamic(p), seed);
                    transitions += statistics.transitions();
                    visits += statistics.states_stored;
                    assert!(statistics.transitions() >= plain.transitions(), "{context}");
                }
                let bound = (runs * plain.transitions()) as f64 + wald(most, visits, p);
                assert!(p * transitions as f64 <= bound, "{context}");
            }
        }
    }
}
