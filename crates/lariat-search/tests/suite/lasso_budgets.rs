//! Every search for accepted cycles respects its budget and handles large graphs.

use crate::bytes_per_state;
use crate::lasso_oracle::check_lasso;
use crate::lasso_searches::{CopyableGraph, LASSO_SEARCHES, all_searches};
use crate::shortest_lassos::ring;
use crate::spaces::{Counter, ManyLoops, Unmarked, WideningTree};
use lariat_graph::Acceptance;
use lariat_graph::explicit::{ExplicitAcceptingGraph, ExplicitGraph, RandomGraph};
use lariat_search::{Budget, Options, SearchOutcome, Stop, StoreId, StoreKind, replay_lasso};
use lariat_stats::stream;
use std::sync::atomic::Ordering;
use std::time::Duration;

const ONE_SET: Acceptance = Acceptance { sets: 1, pairs: 0 };

fn with(budget: Budget) -> Options {
    Options {
        budget,
        ..Options::default()
    }
}

fn memory(limit: u64) -> Options {
    with(Budget {
        memory: Some(limit),
        ..Budget::default()
    })
}

fn endless() -> Unmarked<Counter> {
    Unmarked(Counter { end: u32::MAX }, ONE_SET)
}

fn grid(width: u32, height: u32) -> ExplicitAcceptingGraph {
    ExplicitAcceptingGraph::without_marks(ExplicitGraph::grid(width, height), ONE_SET)
}

/// A graph with many components.
fn large(number: u64, acceptance: Acceptance) -> ExplicitAcceptingGraph {
    let shape = RandomGraph {
        states: 5000,
        edges: 9000,
        initial: 2,
        fault_probability: 0.0,
        fault_codes: 1,
        padding: 9,
    };
    let mut rng = stream(1, "large accepting graphs", number);
    let mark_probability = [0.0, 0.0002, 0.02][rng.index(3)];
    ExplicitAcceptingGraph::random(&shape, acceptance, mark_probability, &mut rng)
}

#[test]
fn the_limit_of_states_is_exact() {
    for search in LASSO_SEARCHES.iter() {
        for limit in 0..50 {
            let budget = Budget {
                states: Some(limit),
                ..Budget::default()
            };
            let outcome = search.run(&grid(7, 6), &with(budget));
            let expected = match limit < 42 {
                true => Stop::States,
                false => Stop::Complete,
            };
            assert_eq!(outcome.stop, expected, "{}, {limit}", search.name);
            assert_eq!(outcome.statistics.states_stored, limit.min(42));
        }
    }
}

/// The bytes by which the buffers of a worker may exceed the limit, because they are charged afterwards: those of an
/// expansion, and those of the offers in the store.
const BUFFERS: u64 = 1 << 18;

#[test]
fn memory_is_never_exceeded() {
    for search in LASSO_SEARCHES.iter() {
        let mut stored = 0;
        for limit in [1_000, 3_000, 10_000, 100_000, 1_000_000, 3_000_000] {
            let spaces: [&dyn CopyableGraph; 2] = [&Unmarked(WideningTree, ONE_SET), &endless()];
            for space in spaces {
                let outcome = search.run(space, &memory(limit));
                assert_eq!(outcome.stop, Stop::Memory, "{}, {limit}", search.name);
                let peak = outcome.statistics.memory_bytes;
                let allowed = limit + BUFFERS * search.workers as u64;
                assert!(peak <= allowed, "{}: {peak} of {limit}", search.name);
            }
            let outcome = search.run(&endless(), &memory(limit));
            let more = outcome.statistics.states_stored;
            assert!(more >= stored || search.workers > 1, "{}", search.name);
            stored = more;
        }
        // Beside what the store takes: at most 60 bytes for a state, or half as much again while an array
        // grows; several workers have the state on several stacks.
        let bytes = (95 + bytes_per_state(search.store)) * search.workers as u64;
        assert!(stored > 3_000_000 / bytes, "{}: {stored}", search.name);
    }
}

/// For any limit, the result is correct or the search ends early.
#[test]
fn any_limit_on_memory_is_respected() {
    for number in 0..6 {
        let acceptance = [ONE_SET, Acceptance { sets: 3, pairs: 2 }][number as usize % 2];
        let graph = large(number, acceptance);
        for search in all_searches() {
            if !search.knows(acceptance) {
                continue;
            }
            let context = format!("{} on graph {number}", search.name);
            // With so little memory no sample is taken, as with the limits below.
            let mut free = search.run(&graph, &memory((1 << 20) - 1));
            let is_small = free.stop != Stop::Memory;
            if !is_small {
                free = search.run(&graph, &memory(60 << 20));
            }
            let enough = free.statistics.memory_bytes;
            let step = [7, 1][usize::from(search.store == StoreKind::Keep(StoreId::Flat))];
            for part in (1..=20).rev().step_by(step) {
                let limit = enough * part / 20;
                let outcome = search.run(&graph, &memory(limit));
                // The memory of several workers depends on the schedule.
                if part == 20 && search.workers == 1 && is_small {
                    assert_eq!(outcome.stop, free.stop, "{context}");
                }
                match &outcome.lasso {
                    Some(lasso) => check_lasso(&graph, lasso, &context),
                    None if outcome.stop == Stop::Complete => assert_eq!(free.lasso, None),
                    None if outcome.stop == Stop::Thrashing => assert!(context.contains("auto")),
                    None => assert_eq!(outcome.stop, Stop::Memory, "{context}, {limit}"),
                }
                let peak = outcome.statistics.memory_bytes;
                let allowed = limit + BUFFERS * search.workers as u64;
                assert!(peak <= allowed, "{context}: {peak} of {limit}");
            }
        }
    }
}

#[test]
fn a_huge_expansion_ends_the_search() {
    for search in LASSO_SEARCHES.iter() {
        let graph = Unmarked(ManyLoops, ONE_SET);
        let outcome = search.run(&graph, &memory(100_000));
        assert_eq!(outcome.stop, Stop::Memory, "{}", search.name);
        let outcome = search.run(&graph, &Options::default());
        assert_eq!(outcome.stop, Stop::Complete, "{}", search.name);
        assert_eq!(outcome.statistics.states_matched, 1_000_000);
    }
}

#[test]
fn time_is_limited() {
    for search in LASSO_SEARCHES.iter() {
        for limit in [Duration::ZERO, Duration::from_millis(60)] {
            let budget = Budget {
                time: Some(limit),
                ..Budget::default()
            };
            // If the limit had no effect, this would not end.
            let outcome = search.run(&endless(), &with(budget));
            assert_eq!(outcome.stop, Stop::Time, "{}", search.name);
            assert!(outcome.statistics.elapsed >= limit);
            if limit.is_zero() {
                assert_eq!(outcome.statistics.states_stored, 0, "{}", search.name);
            }
        }
    }
}

#[test]
fn the_stop_flag_ends_a_search() {
    for search in LASSO_SEARCHES.iter() {
        let options = Options::default();
        let stop = options.budget.stop.clone();
        let mut reports_after_stop = 0;
        let outcome = search.run_observed(&endless(), &options, &mut |progress| {
            let has_states = progress.statistics.states_stored > 0;
            let was_set = stop.fetch_or(has_states, Ordering::Relaxed);
            reports_after_stop += u64::from(was_set);
        });
        assert_eq!(outcome.stop, Stop::Interrupted, "{}", search.name);
        assert!(outcome.statistics.states_stored > 0);
        assert_eq!(reports_after_stop, 0, "{}", search.name);
        let outcome = search.run(&endless(), &options);
        assert_eq!(outcome.stop, Stop::Interrupted, "{}", search.name);
        assert_eq!(outcome.statistics.states_stored, 0);
    }
}

/// A path as long as the graph, with a cycle at its end.
#[test]
fn a_deep_graph_needs_no_deep_recursion() {
    for search in LASSO_SEARCHES.iter() {
        let length = [1_000_000, 100_000][usize::from(search.workers > 1)];
        let graph = Unmarked(Counter { end: length - 1 }, ONE_SET);
        let outcome = search.run(&graph, &Options::default());
        assert_eq!(outcome.stop, Stop::Complete, "{}", search.name);
        assert_eq!(outcome.statistics.states_stored, u64::from(length));
        assert_eq!(outcome.statistics.max_depth, u64::from(length));
        let graph = Unmarked(Counter { end: length }, Acceptance::default());
        let outcome = search.run(&graph, &Options::default());
        assert_eq!(outcome.stop, Stop::Complete, "{}", search.name);
    }
}

/// The only accepted cycle contains all states, and lies behind a long path.
#[test]
fn a_long_cycle_is_found() {
    for search in all_searches() {
        let mut graph = ring(100_000, ONE_SET);
        let outcome = search.run(&graph, &Options::default());
        let lasso = outcome.lasso.unwrap_or_else(|| panic!("{}", search.name));
        // A search that starts at an accepting state goes around twice.
        let length = lasso.prefix.len().max(lasso.cycle.len()) + 1;
        assert!((50_000..=100_001).contains(&length), "{}", search.name);
        assert!(replay_lasso(&mut graph, &lasso).is_ok(), "{}", search.name);
    }
}

#[test]
fn large_grids_have_no_cycles() {
    for search in LASSO_SEARCHES.iter() {
        let outcome = search.run(&grid(500, 400), &Options::default());
        assert_eq!(outcome.stop, Stop::Complete, "{}", search.name);
        assert_eq!(outcome.statistics.states_stored, 200_000);
        assert_eq!(outcome.statistics.transitions(), 1 + 499 * 400 + 500 * 399);
    }
}

/// On graphs that are too large for the oracle, the searches agree with each other.
#[test]
fn searches_agree_on_large_graphs() {
    for number in 0..40 {
        let sets = [0, 1, 2, 3, 1, 1, 70, 200][number as usize % 8];
        let pairs = [0, 0, 0, 2, 0, 0, 3, 40][number as usize % 8];
        let acceptance = Acceptance { sets, pairs };
        let graph = large(number, acceptance);
        let mut answers = Vec::new();
        for search in LASSO_SEARCHES.iter() {
            if search.knows(acceptance) {
                let SearchOutcome { stop, lasso, .. } = search.run(&graph, &Options::default());
                let context = format!("{} on graph {number}", search.name);
                assert_eq!(stop == Stop::Complete, lasso.is_none(), "{context}");
                lasso
                    .iter()
                    .for_each(|lasso| check_lasso(&graph, lasso, &context));
                answers.push(lasso.is_some());
            }
        }
        assert!(
            answers.windows(2).all(|pair| pair[0] == pair[1]),
            "graph {number}: {answers:?}"
        );
    }
}
