//! Every search respects its budget and reports which limit was reached.

use crate::spaces::{Copyable, Counter, ManyLoops, WideningTree};
use crate::{SEARCHES, bytes_per_state};
use lariat_graph::explicit::{ExplicitGraph, RandomGraph};
use lariat_search::{Budget, Options, Stop};
use lariat_stats::stream;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn with(budget: Budget) -> Options {
    Options {
        budget,
        ..Options::default()
    }
}

fn endless() -> Counter {
    Counter { end: u32::MAX }
}

#[test]
fn the_limit_of_states_is_exact() {
    let graph = ExplicitGraph::grid(7, 6);
    for search in SEARCHES.iter() {
        for limit in 0..50 {
            let budget = Budget {
                states: Some(limit),
                ..Budget::default()
            };
            let outcome = search.run(&graph, &with(budget));
            let expected = if limit < 42 {
                Stop::States
            } else {
                Stop::Complete
            };
            assert_eq!(outcome.stop, expected, "{}, {limit}", search.name);
            assert_eq!(outcome.statistics.states_stored, limit.min(42));
        }
    }
}

/// The bytes by which the buffers of a worker may exceed the limit, because they are charged afterwards: those of an
/// expansion, and those of the offers in the store.
const BUFFERS: u64 = 1 << 14;

#[test]
fn memory_is_never_exceeded() {
    for search in SEARCHES.iter() {
        let mut stored = 0;
        for limit in [1_000, 3_000, 10_000, 100_000, 1_000_000, 3_000_000] {
            let budget = Budget {
                memory: Some(limit),
                ..Budget::default()
            };
            let spaces: [&dyn Copyable; 2] = [&endless(), &WideningTree];
            for space in spaces {
                let outcome = search.run(space, &with(budget.clone()));
                assert_eq!(outcome.stop, Stop::Memory, "{}, {limit}", search.name);
                let peak = outcome.statistics.memory_bytes;
                let allowed = limit + BUFFERS * search.workers as u64;
                assert!(peak <= allowed, "{}: {peak} of {limit}", search.name);
            }
            let outcome = search.run(&endless(), &with(budget));
            assert!(outcome.statistics.states_stored >= stored);
            stored = outcome.statistics.states_stored;
        }
        // Beside what the store takes: a byte for the colour of a state, 16 for its frame; and half as much again
        // while an array grows.
        let bytes = 45 + bytes_per_state(search.store);
        assert!(stored > 3_000_000 / bytes, "{}: {stored}", search.name);
    }
}

/// A state space may put more into the buffer than the limit allows; that ends the search.
#[test]
fn a_huge_expansion_ends_the_search() {
    for search in SEARCHES.iter() {
        let budget = Budget {
            memory: Some(100_000),
            ..Budget::default()
        };
        let outcome = search.run(&ManyLoops, &with(budget));
        assert_eq!(outcome.stop, Stop::Memory, "{}", search.name);
        let outcome = search.run(&ManyLoops, &Options::default());
        assert_eq!(outcome.stop, Stop::Complete, "{}", search.name);
        assert_eq!(outcome.statistics.states_matched, 1_000_000);
    }
}

/// The reported peak of the memory suffices, and a search with enough memory is not affected.
#[test]
fn the_reported_memory_suffices() {
    let shape = RandomGraph {
        states: 5000,
        edges: 20_000,
        initial: 1,
        fault_probability: 0.0,
        fault_codes: 1,
        padding: 9,
    };
    let graph = ExplicitGraph::random(&shape, &mut stream(1, "budget", 0));
    // The memory of several workers depends on the schedule.
    for search in SEARCHES.iter().filter(|search| search.workers == 1) {
        let free = search.run(&graph, &Options::default());
        assert_eq!(free.stop, Stop::Complete);
        let budget = Budget {
            memory: Some(free.statistics.memory_bytes),
            ..Budget::default()
        };
        let bound = search.run(&graph, &with(budget));
        assert_eq!(bound.stop, Stop::Complete, "{}", search.name);
        assert_eq!(
            bound.statistics.states_stored,
            free.statistics.states_stored
        );
    }
}

#[test]
fn time_is_limited() {
    for search in SEARCHES.iter() {
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
    for search in SEARCHES.iter() {
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

#[test]
fn progress_is_reported() {
    for search in SEARCHES.iter() {
        let budget = Budget {
            time: Some(Duration::from_millis(350)),
            ..Budget::default()
        };
        let mut reports = Vec::new();
        let outcome = search.run_observed(&endless(), &with(budget), &mut |progress| {
            reports.push(*progress);
        });
        let most = outcome.statistics.elapsed.as_millis() / 100;
        assert!(
            (1..=most).contains(&(reports.len() as u128)),
            "{}",
            search.name
        );
        for pair in reports.windows(2) {
            let (earlier, later) = (pair[0].statistics, pair[1].statistics);
            assert!(earlier.states_stored < later.states_stored);
            assert!(later.elapsed - earlier.elapsed >= Duration::from_millis(99));
        }
        for report in reports.iter().filter(|_| search.workers == 1) {
            assert_eq!(report.depth, report.statistics.states_stored);
            assert!(report.queue.is_none_or(|waiting| waiting == 1));
        }
    }
}

#[test]
fn a_deep_graph_needs_no_deep_recursion() {
    for search in SEARCHES.iter() {
        let outcome = search.run(&Counter { end: 499_999 }, &Options::default());
        assert_eq!(outcome.stop, Stop::Complete, "{}", search.name);
        assert_eq!(outcome.statistics.states_stored, 500_000);
        assert_eq!(outcome.statistics.max_depth, 500_000);
    }
}
