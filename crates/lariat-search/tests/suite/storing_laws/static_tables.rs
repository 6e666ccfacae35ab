//! Static storing: a hash of the state decides.

use super::graphs::{Recorder, samples};
use super::{ALL, ONE_SET, SEED, Search, assert_near, bernstein};
use lariat_graph::explicit::{ExplicitAcceptingGraph, ExplicitGraph};
use lariat_search::StoringRule;
use lariat_stats::{Rng, stream};
use std::collections::HashSet;

/// Which of the states below `states` stay in the table. One state leads to all of them, and then to another one that
/// leads to all of them again: the states that are visited then were not in the table.
fn probed(states: u32, degree: f64, rule: StoringRule, seed: u64, rng: &mut Rng) -> HashSet<u32> {
    let mut graph = ExplicitAcceptingGraph::new(states + 2, ONE_SET);
    let (start, probe) = (states, states + 1);
    graph.add_initial(start);
    let mut order: Vec<u32> = (0..states).collect();
    for from in [start, probe] {
        rng.shuffle(&mut order);
        for (label, &to) in order.iter().enumerate() {
            graph.add_edge(from, to, label as u32, &[]);
        }
    }
    graph.add_edge(start, probe, states, &[]);
    for label in 0..(degree * f64::from(states)) as u32 {
        let from = rng.below(states.into()) as u32;
        let to = rng.below(states.into()) as u32;
        graph.add_edge(from, to, label, &[]);
    }
    let mut recorder = Recorder::new(graph);
    let storing = Search::DepthFirst.storing(&mut recorder, rule, seed);
    let visited = recorder.states;
    let end = visited.iter().position(|&state| state == probe).unwrap();
    let absent: HashSet<u32> = visited[end + 1..].iter().copied().collect();
    let stored: HashSet<u32> = (0..states)
        .filter(|state| !absent.contains(state))
        .collect();
    if matches!(rule, StoringRule::Static(_)) {
        // The two others may be stored or not; none of them is visited again.
        let others = storing.states_at_end - stored.len() as u64;
        assert!(others <= 2, "{rule}, seed {seed}, degree {degree}");
    }
    stored
}

/// Static storing: the set of stored states at the end depends on the seed alone; not on edges, on their order, or on
/// the number of visits.
#[test]
fn a_static_table_depends_on_the_seed_alone() {
    let states = 200;
    for p in [0.3, 0.5, 0.8] {
        let rule = StoringRule::Static(p);
        let mut different = HashSet::new();
        for seed in 0..20 {
            let mut rng = stream(SEED, "probes", seed);
            let stored = probed(states, 0.0, rule, seed, &mut rng);
            for degree in [0.0, 0.5, 1.0, 1.2, 1.2, 1.2] {
                let again = probed(states, degree, rule, seed, &mut rng);
                assert_eq!(stored, again, "{rule}, seed {seed}, degree {degree}");
            }
            let mut stored: Vec<u32> = stored.into_iter().collect();
            stored.sort_unstable();
            different.insert(stored);
        }
        // Two seeds give the same of 200 states with probability (P^2 + (1 - P)^2)^200, below 10^-33.
        assert_eq!(different.len(), 20, "{rule}");
    }
    // Coins are tossed in the order of visits, so they depend on it; with the same bound.
    let rule = StoringRule::Dynamic(0.5);
    let mut rng = stream(SEED, "probes with coins", 0);
    let stored = probed(states, 0.0, rule, SEED, &mut rng);
    assert_ne!(stored, probed(states, 1.0, rule, SEED, &mut rng));
}

/// All searches store the same states, also nested searches.
#[test]
fn a_static_table_is_the_same_for_all_searches() {
    for (name, mut graph) in samples() {
        let reachable = Search::DepthFirst.run(&mut graph, StoringRule::Static(1.0), 0);
        for seed in 0..10 {
            let rule = StoringRule::Static(0.85);
            let sizes = ALL.map(|search| search.storing(&mut graph, rule, seed).states_at_end);
            let context = format!("{name}, seed {seed}: {sizes:?}");
            assert!(sizes.iter().all(|&size| size == sizes[0]), "{context}");
            assert!(sizes[0] <= reachable.states_stored, "{context}");
        }
    }
}

/// Their number is Binomial(S, P), over seeds: different states decide independently.
#[test]
fn a_static_table_has_a_binomial_size() {
    let runs = 2_000;
    for (number, p) in [0.25, 0.5, 0.75, 0.97].into_iter().enumerate() {
        let mut rng = stream(SEED, "binomial", number as u64);
        // A path, whose states are visited once in any case.
        let states = 300;
        let mut graph = ExplicitGraph::grid(states, 1);
        graph.set_padding(rng.below(4) as u32);
        let mut graph = ExplicitAcceptingGraph::without_marks(graph, ONE_SET);
        let mean = f64::from(states) * p;
        let variance = mean * (1.0 - p);
        let (mut sum, mut squares) = (0.0, 0.0);
        for seed in 0..runs {
            let storing = ALL[seed % 3].storing(&mut graph, StoringRule::Static(p), seed as u64);
            assert_eq!(storing.expansions, u64::from(states));
            sum += storing.states_at_end as f64;
            squares += (storing.states_at_end as f64 - mean).powi(2) / variance;
        }
        let runs = runs as f64;
        assert_near(
            sum,
            runs * mean,
            bernstein(1.0, runs * variance),
            &format!("P = {p}"),
        );
        // With P = 1/2, the normalised squares have mean 1, fourth moments below 3, and their exponential moments are
        // at most those of a normal variable. So by Chernoff's bound their sum is too large by 30 % with probability
        // exp(-runs (0.3 - ln 1.3) / 2) < 10^-16, and too small with probability exp(-runs 0.3^2 / 6) = 10^-13.
        if p == 0.5 {
            assert_near(squares, runs, 0.3 * runs, "squares");
        }
    }
}
