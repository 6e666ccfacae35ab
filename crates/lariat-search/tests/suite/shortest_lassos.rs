//! The shortest lasso is the shortest, and a shortened one is not longer.

use crate::lasso_oracle::{LassoOracle, check_lasso};
use crate::lasso_searches::LASSO_SEARCHES;
use crate::lassos::{SEED, collect, for_graphs, is_turn, random_graph};
use lariat_graph::explicit::ExplicitAcceptingGraph;
use lariat_graph::{Acceptance, AcceptingGraph};
use lariat_search::{Lasso, Options, Stop, shorten, shortest_lasso};
use lariat_stats::stream;
use std::time::{Duration, Instant};

const GRAPHS: u64 = 40_000;

#[test]
fn the_shortest_lasso_is_the_shortest() {
    for_graphs(GRAPHS, |number| {
        let mut graph = random_graph(number);
        if graph.acceptance().pairs > 0 {
            return;
        }
        let context = format!("graph {number} of seed {SEED}");
        let shortest = LassoOracle::new(&graph).shortest();
        let found = shortest_lasso(&mut graph, &collect(), None, &mut ());
        assert!(found.proven, "{context}");
        let length = found.lasso.as_ref().map(Lasso::length);
        assert_eq!(length, shortest, "{context}");
        let Some(length) = length else { return };
        for (bound, expected) in [
            (0, None),
            (length - 1, None),
            (length, Some(length)),
            (length + 1, Some(length)),
        ] {
            let found = shortest_lasso(&mut graph, &collect(), Some(bound), &mut ());
            assert!(found.proven, "{context}");
            let length = found.lasso.as_ref().map(Lasso::length);
            assert_eq!(length, expected, "{context}");
            let stop = expected.map_or(Stop::Complete, |_| Stop::Fault);
            assert_eq!(found.stop, stop, "{context}");
        }
    });
}

/// Rings with few chords and many sets, each on few edges: the cycles go round several times.
#[test]
fn the_shortest_of_long_lassos_is_found() {
    for_graphs(6_000, |number| {
        let mut rng = stream(SEED, "rings", number);
        let (states, sets) = (2 + rng.below(14) as u32, rng.below(8) as u32);
        let mut graph = ExplicitAcceptingGraph::new(states, Acceptance { sets, pairs: 0 });
        graph.add_initial(rng.below(u64::from(states)) as u32);
        for label in 0..states + rng.below(5) as u32 {
            let from = label % states;
            let to = match label < states {
                true => (from + 1) % states,
                false => rng.below(u64::from(states)) as u32,
            };
            let marks = 1.5 / f64::from(states);
            let bits: Vec<usize> = (0..sets as usize).filter(|_| rng.chance(marks)).collect();
            graph.add_edge(from, to, label, &bits);
        }
        let context = format!("ring {number} of seed {SEED}");
        let shortest = LassoOracle::new(&graph).shortest();
        let found = shortest_lasso(&mut graph, &collect(), None, &mut ());
        assert!(found.proven, "{context}");
        let length = found.lasso.as_ref().map(Lasso::length);
        assert_eq!(length, shortest, "{context}");
        if let Some(lasso) = &found.lasso {
            check_lasso(&graph, lasso, &context);
        }
    });
}

/// With pairs only a lasso is guaranteed, and `is_proven` must be true.
#[test]
fn lassos_with_pairs_are_not_proven_to_be_the_shortest() {
    for_graphs(GRAPHS, |number| {
        let mut graph = random_graph(number);
        if graph.acceptance().pairs == 0 {
            return;
        }
        let context = format!("graph {number} of seed {SEED}");
        let truth = LassoOracle::new(&graph);
        let found = shortest_lasso(&mut graph, &collect(), None, &mut ());
        assert_eq!(found.lasso.is_some(), truth.accepts, "{context}");
        if let Some(lasso) = &found.lasso {
            check_lasso(&graph, lasso, &context);
            let again = shortest_lasso(&mut graph, &collect(), Some(lasso.length()), &mut ());
            assert!(again.lasso.is_some() || !again.proven, "{context}");
            assert!(
                again
                    .lasso
                    .is_none_or(|other| other.length() <= lasso.length())
            );
            if found.proven {
                let bound = Some(lasso.length() - 1);
                let shorter = shortest_lasso(&mut graph, &collect(), bound, &mut ());
                assert_eq!(shorter.lasso, None, "{context}");
            }
        } else {
            assert!(found.proven, "{context}");
        }
    });
}

#[test]
fn a_shortened_lasso_is_valid_and_not_longer() {
    for_graphs(GRAPHS, |number| {
        let mut graph = random_graph(number);
        let shortest = match graph.acceptance().pairs {
            0 => LassoOracle::new(&graph).shortest(),
            _ => None,
        };
        for search in LASSO_SEARCHES.iter() {
            if !search.knows(graph.acceptance()) || !is_turn(search, number) {
                continue;
            }
            let context = format!("{} on graph {number} of seed {SEED}", search.name);
            let Some(lasso) = search.run(&graph, &collect()).lasso else {
                return;
            };
            // A lasso that goes round three times can always be shortened.
            let long = Lasso {
                cycle: lasso.cycle.repeat(3),
                ..lasso.clone()
            };
            for original in [&lasso, &long] {
                let short = shorten(&mut graph, original);
                check_lasso(&graph, &short, &context);
                assert!(short.length() <= original.length(), "{context}");
                assert!(shortest.is_none_or(|least| least <= short.length()));
                if graph.acceptance().pairs == 0 {
                    assert!(short.length() <= lasso.length(), "{context}");
                    assert_eq!(shorten(&mut graph, &short).length(), short.length());
                }
            }
        }
    });
}

#[test]
fn an_invalid_lasso_is_not_changed() {
    let mut graph = ring(5, Acceptance { sets: 1, pairs: 0 });
    for (initial, prefix, cycle) in [
        (0, vec![], vec![]),
        (1, vec![], vec![0; 5]),
        (0, vec![1], vec![0; 5]),
        (0, vec![], vec![0; 4]),
    ] {
        let lasso = Lasso {
            initial,
            prefix,
            cycle,
        };
        assert_eq!(shorten(&mut graph, &lasso), lasso);
    }
}

/// States in a ring; the edge back to the first one has all sets, and the others none.
pub fn ring(states: u32, acceptance: Acceptance) -> ExplicitAcceptingGraph {
    let mut graph = ExplicitAcceptingGraph::new(states, acceptance);
    graph.add_initial(0);
    for state in 1..states {
        graph.add_edge(state - 1, state, 0, &[]);
    }
    let all: Vec<usize> = (0..acceptance.sets as usize).collect();
    graph.add_edge(states - 1, 0, 0, &all);
    graph
}

/// Each state of a large ring could be the start of its only cycle.
#[test]
fn a_large_ring_is_not_traversed_from_each_state() {
    for sets in [0, 1, 3, 100] {
        let start = Instant::now();
        let acceptance = Acceptance { sets, pairs: 0 };
        let mut graph = ring(200_000, acceptance);
        let found = shortest_lasso(&mut graph, &Options::default(), None, &mut ());
        let lasso = found.lasso.unwrap();
        assert_eq!((lasso.prefix.len(), lasso.cycle.len()), (0, 200_000));
        assert_eq!(found.proven, sets <= 12);
        assert_eq!(shorten(&mut graph, &lasso), lasso);
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}

/// A near lasso is found without exploring distant states.
#[test]
fn a_near_lasso_needs_no_far_states() {
    let acceptance = Acceptance { sets: 2, pairs: 0 };
    let mut graph = ring(300_000, acceptance);
    graph.add_edge(7, 3, 1, &[0, 1]);
    let found = shortest_lasso(&mut graph, &Options::default(), None, &mut ());
    assert!(found.proven);
    assert_eq!(found.lasso.unwrap().length(), 8);
    assert!(found.statistics.states_stored < 1000);
}
