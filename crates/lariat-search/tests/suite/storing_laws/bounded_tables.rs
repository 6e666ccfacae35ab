//! Tables of a fixed size, and the seed.

use super::graphs::{components, digraph, mark};
use super::{SEED, Search, options};
use crate::lassos::for_graphs;
use lariat_graph::explicit::ExplicitAcceptingGraph;
use lariat_search::{
    Budget, RandomizedStoring, SearchOutcome, Stop, StoringRule, nested_depth_first,
    nested_dfs_rest, replay_lasso,
};
use lariat_stats::stream;
use std::time::Duration;

/// A graph of some thousand states, and whether it has an accepted cycle. Those of even numbers have none.
fn medium_graph(number: u64) -> (ExplicitAcceptingGraph, bool) {
    let mut rng = stream(SEED, "medium graphs", number);
    let states = 1_000 + rng.below(2_000) as u32;
    let degree = 1.5 + rng.unit();
    let graph = digraph(states, degree, &mut rng);
    let on_cycles = number % 2 == 1;
    let chance = if on_cycles { 0.002 } else { 0.3 };
    let graph = mark(graph, chance, on_cycles, &mut rng);
    let accepts = has_accepted_cycle(&graph);
    (graph, accepts)
}

fn has_accepted_cycle(graph: &ExplicitAcceptingGraph) -> bool {
    let (states, component) = (graph.graph().states(), components(graph.graph()));
    let mut is_reached = vec![false; states.len()];
    let mut waiting = graph.graph().initial_states().to_vec();
    while let Some(from) = waiting.pop() {
        if std::mem::replace(&mut is_reached[from as usize], true) {
            continue;
        }
        for (index, edge) in states[from as usize].edges.iter().enumerate() {
            let Some(to) = edge.target else { continue };
            let is_inside = component[from as usize] == component[to as usize];
            if is_inside && graph.marks(from, index)[0] == 1 {
                return true;
            }
            waiting.push(to);
        }
    }
    false
}

/// A search with a table of so many states.
fn bounded(graph: &ExplicitAcceptingGraph, is_auto: bool, room: u64, seed: u64) -> SearchOutcome {
    let mut options = match is_auto {
        true => options(StoringRule::Auto, seed),
        false => options(StoringRule::Cache(room), seed),
    };
    if is_auto {
        options.budget = Budget {
            states: Some(room),
            ..Budget::default()
        };
    }
    nested_depth_first(&mut [graph.clone()], &options, false, &mut ())
}

/// Tables respect their size, and the result is correct if the search ends.
#[test]
fn bounded_tables_are_bounded_and_correct() {
    let answers = std::sync::atomic::AtomicU32::new(0);
    for_graphs(24, |number| {
        let (mut graph, accepts) = medium_graph(number);
        let all = options(StoringRule::Dynamic(1.0), 0);
        let all = nested_depth_first(&mut [graph.clone()], &all, false, &mut ());
        let reached = all.statistics.storing.unwrap().peak_states;
        assert_eq!(all.lasso.is_some(), accepts, "graph {number}");
        for percent in [40, 50, 60, 70, 80, 90, 100, 110] {
            for is_auto in [false, true] {
                let room = reached * percent / 100;
                let context = format!("graph {number}, {percent} %, auto: {is_auto}");
                let outcome = bounded(&graph, is_auto, room, number);
                let storing = outcome.statistics.storing.unwrap();
                assert!(storing.peak_states <= room, "{context}");
                assert!(storing.states_at_end <= storing.peak_states, "{context}");
                let answer = match outcome.stop {
                    Stop::Complete => Some(false),
                    Stop::Fault => Some(true),
                    Stop::States | Stop::Thrashing => None,
                    other => panic!("{context}: {other:?}"),
                };
                assert_eq!(outcome.lasso.is_some(), answer == Some(true), "{context}");
                assert!(answer.is_none_or(|answer| answer == accepts), "{context}");
                assert!(answer.is_some() || percent < 100, "{context}");
                if let Some(lasso) = &outcome.lasso {
                    let states = replay_lasso(&mut graph, lasso);
                    assert!(states.is_ok(), "{context}: {states:?}");
                }
                answers.fetch_add(
                    answer.is_some().into(),
                    std::sync::atomic::Ordering::Relaxed,
                );
            }
        }
    });
    let answers = answers.into_inner();
    println!("{answers} answers of {}", 24 * 16);
    assert!(answers > 24 * 16 / 2, "{answers}");
}

/// A table with the replacement by worth does better than one with random replacement. There is no law for that, and
/// so no bound on the probability of a failure: on these 40 graphs with three tables each, the sum of visits is
/// smaller by 15 %, and the mean logarithm of the ratio is -0.10 with a deviation of 0.19 in a single pair.
#[test]
fn replacement_by_worth_needs_fewer_visits() {
    let ratios = std::sync::Mutex::new(Vec::new());
    let ends = [false, true].map(|_| std::sync::atomic::AtomicU32::new(0));
    for_graphs(40, |number| {
        // Without accepted cycles, so that everything is visited.
        let (graph, _) = medium_graph(2 * number);
        let all = Search::Nested.storing(&mut graph.clone(), StoringRule::Dynamic(1.0), 0);
        for percent in [60, 70, 80] {
            let room = all.peak_states * percent / 100;
            let outcomes = [false, true].map(|auto| bounded(&graph, auto, room, number));
            for (outcome, count) in outcomes.iter().zip(&ends) {
                let is_complete = outcome.stop == Stop::Complete;
                count.fetch_add(is_complete.into(), std::sync::atomic::Ordering::Relaxed);
            }
            if outcomes
                .iter()
                .all(|outcome| outcome.stop == Stop::Complete)
            {
                let visits = outcomes.map(|outcome| outcome.statistics.storing.unwrap().expansions);
                ratios
                    .lock()
                    .unwrap()
                    .push((visits[1] as f64, visits[0] as f64));
            }
        }
    });
    let ratios = ratios.into_inner().unwrap();
    let [cache, auto] = ends.map(|count| count.into_inner());
    let logs: Vec<f64> = ratios
        .iter()
        .map(|(auto, cache)| (auto / cache).ln())
        .collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let square = |log: &f64| (log - mean).powi(2);
    let deviation = (logs.iter().map(square).sum::<f64>() / logs.len() as f64).sqrt();
    let sum = |all: Vec<f64>| all.iter().sum::<f64>();
    let (of_auto, of_cache) = ratios.into_iter().unzip();
    let (of_auto, of_cache) = (sum(of_auto), sum(of_cache));
    println!(
        "{} pairs; {auto} ends of auto, {cache} of cache; {of_auto} visits of auto, {of_cache} of \
         cache; log ratio {mean} +- {deviation}",
        logs.len()
    );
    assert!(logs.len() > 60, "{} pairs", logs.len());
    assert!(auto >= cache, "{auto} ends instead of {cache}");
    assert!(of_auto < of_cache, "{of_auto} visits instead of {of_cache}");
}

/// The whole outcome, without the elapsed time; and without the memory, as the compression of a store depends on the
/// time for its sample.
fn timeless(mut outcome: SearchOutcome) -> SearchOutcome {
    outcome.statistics.elapsed = Duration::ZERO;
    outcome.statistics.memory_bytes = 0;
    outcome
}

/// Everything random is determined by the seed.
#[test]
fn the_same_seed_gives_the_same_outcome() {
    for number in 0..6 {
        let (graph, _) = medium_graph(number);
        let run = |rule: StoringRule, published: bool, seed: u64| {
            let mut options = options(rule, seed);
            let mut graph = graph.clone();
            if rule == StoringRule::Auto {
                options.budget.states = Some(1_000);
            }
            timeless(match published {
                true => nested_dfs_rest(
                    &mut graph,
                    RandomizedStoring { rule, seed },
                    &options,
                    &mut (),
                ),
                false => nested_depth_first(&mut [graph], &options, false, &mut ()),
            })
        };
        for (rule, published) in [
            (StoringRule::Dynamic(0.5), false),
            (StoringRule::Dynamic(0.5), true),
            (StoringRule::Static(0.9), false),
            (StoringRule::Static(0.9), true),
            (StoringRule::Cache(1_000), false),
            (StoringRule::Auto, false),
        ] {
            let context = format!("{rule}, published: {published}, graph {number}");
            let outcomes: Vec<_> = (0..4).map(|seed| run(rule, published, seed)).collect();
            for (seed, outcome) in outcomes.iter().enumerate() {
                assert_eq!(outcome, &run(rule, published, seed as u64), "{context}");
            }
            // A search that finds a cycle early, or has memory for all states, may toss no coin.
            let storing = outcomes[0].statistics.storing.unwrap();
            if storing.deletions + storing.evictions > 100 {
                let is_other = |outcome: &SearchOutcome| outcome != &outcomes[0];
                assert!(outcomes.iter().any(is_other), "{context}");
            }
        }
    }
}
