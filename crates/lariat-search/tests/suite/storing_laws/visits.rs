//! How often a state is visited, and when it is stored.

use super::graphs::{fan, long_fan};
use super::{ALL, SEED, Search, assert_near, bernstein, wald};
use lariat_search::{StoringRule, VISITS};
use lariat_stats::stream;

/// The number of edges of the root of a fan. It fits into the window of the stack, so that the root is expanded once.
const EDGES: u32 = 40_000;

/// After k arrivals a state is in the table with probability 1 - (1 - P)^k.
#[test]
fn a_state_stays_the_more_likely_the_more_edges_lead_to_it() {
    for (arrivals, p) in [
        (1, 0.5),
        (2, 0.1),
        (2, 0.5),
        (3, 0.25),
        (5, 0.01),
        (5, 0.2),
        (8, 0.05),
        (10, 0.9),
    ] {
        let leaves = EDGES / arrivals;
        let mut rng = stream(SEED, "fan", arrivals.into());
        let mut graph = fan(leaves, arrivals, &mut rng);
        for search in ALL {
            let context = format!("{search:?}, {arrivals} arrivals, P = {p}");
            let storing = search.storing(&mut graph, StoringRule::Dynamic(p), SEED);
            let absent = (1.0 - p).powi(arrivals as i32);
            let tolerance = 1.0 + bernstein(1.0, f64::from(leaves) * absent * (1.0 - absent));
            let expected = f64::from(leaves) * (1.0 - absent);
            // The root may be stored or not.
            assert_near(storing.states_at_end as f64, expected, tolerance, &context);
        }
    }
}

/// The same if the arrivals are from different states. A nested search that reaches a state that is not in the table
/// is one more arrival, unless it is as published.
#[test]
fn arrivals_of_nested_searches_count_as_well() {
    for (arrivals, p) in [(1, 0.5), (2, 0.2), (3, 0.3), (4, 0.1), (6, 0.02)] {
        for accepting in [false, true] {
            let leaves = EDGES / arrivals;
            let mut graph = long_fan(leaves, arrivals, accepting);
            for search in ALL {
                let context =
                    format!("{search:?}, {arrivals} arrivals, P = {p}, accepting: {accepting}");
                let storing = search.storing(&mut graph, StoringRule::Dynamic(p), SEED);
                let twice = accepting && search == Search::Nested;
                let all_arrivals = if twice { 2 * arrivals } else { arrivals };
                let absent = (1.0 - p).powi(all_arrivals as i32);
                // The root and the states between are reached once.
                let once = f64::from(1 + leaves * arrivals);
                let leaves = f64::from(leaves);
                let variance = once * p * (1.0 - p) + leaves * absent * (1.0 - absent);
                let expected = once * p + leaves * (1.0 - absent);
                let tolerance = bernstein(1.0, variance);
                assert_near(storing.states_at_end as f64, expected, tolerance, &context);
            }
        }
    }
}

/// The probability that a state with so many incoming edges is visited 1, 2, ... times: it is stored at the i-th
/// visit with probability (1 - P)^(i-1) P.
fn visit_law(arrivals: u32, p: f64) -> Vec<f64> {
    let is_visited = |i: u32| (1.0 - p).powi(i as i32 - 1);
    (1..=arrivals)
        .map(|i| match i == arrivals {
            true => is_visited(i),
            false => is_visited(i) * p,
        })
        .collect()
}

#[test]
fn a_state_is_visited_until_it_is_stored() {
    // Few enough for all visits to be counted.
    let (most, runs) = (4_000, 8);
    for (arrivals, p) in [(1, 0.5), (2, 0.3), (4, 0.5), (8, 0.1), (15, 0.3), (40, 0.1)] {
        let leaves = most.min(EDGES / arrivals);
        let mut rng = stream(SEED, "visits", arrivals.into());
        let mut graph = fan(leaves, arrivals, &mut rng);
        for search in ALL {
            let context = format!("{search:?}, {arrivals} arrivals, P = {p}");
            let (mut visits, mut times) = (0, [0; VISITS]);
            for seed in 0..runs {
                let storing = search.storing(&mut graph, StoringRule::Dynamic(p), seed);
                assert!(storing.exact, "{context}");
                // The root is visited once.
                visits += storing.expansions - 1;
                times[0] -= 1;
                for (sum, more) in times.iter_mut().zip(storing.visits) {
                    *sum += more as i64;
                }
            }
            let states = runs as f64 * f64::from(leaves);
            let law = visit_law(arrivals, p);
            for (i, &chance) in law.iter().enumerate().take(VISITS - 1) {
                let tolerance = bernstein(1.0, states * chance * (1.0 - chance));
                let context = format!("{context}, {} visits", i + 1);
                assert_near(times[i] as f64, states * chance, tolerance, &context);
            }
            let moment = |power: i32| -> f64 {
                let term = |(i, chance): (usize, &f64)| chance * ((i + 1) as f64).powi(power);
                law.iter().enumerate().map(term).sum()
            };
            let (mean, variance) = (moment(1), moment(2) - moment(1).powi(2));
            let formula = (1.0 - (1.0 - p).powi(arrivals as i32)) / p;
            assert_near(mean, formula, 1e-9, &context);
            let tolerance = bernstein(f64::from(arrivals), states * variance);
            assert_near(visits as f64, states * formula, tolerance, &context);
        }
    }
}

/// In the limit, 1 / P visits: each state is stored, so P times the visits is the number of states.
#[test]
fn a_state_to_which_very_many_edges_lead_is_visited_once_for_each_coin() {
    let runs = 40;
    for p in [0.02, 0.1, 0.5] {
        // So many that a state is missed with a probability below (1 - P)^(40 / P) < 10^-17.
        let arrivals = (40.0 / p) as u32;
        let leaves = EDGES / arrivals;
        let mut graph = fan(leaves, arrivals, &mut stream(SEED, "many arrivals", 0));
        for search in ALL {
            let visits = |seed| {
                let storing = search.storing(&mut graph, StoringRule::Dynamic(p), seed);
                storing.expansions - 1
            };
            let visits: u64 = (0..runs).map(visits).sum();
            let states = (runs * u64::from(leaves)) as f64;
            let context = format!("{search:?}, P = {p}");
            assert_near(p * visits as f64, states, wald(1.0, visits, p), &context);
        }
    }
}
