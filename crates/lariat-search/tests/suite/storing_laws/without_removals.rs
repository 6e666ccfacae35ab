//! Searches that remove nothing are those on which they are based.

use super::graphs::{Recorder, long_fan, small_graph};
use super::{ALL, ONE_SET, SEED};
use crate::lassos::for_graphs;
use lariat_graph::explicit::{ExplicitAcceptingGraph, ExplicitGraph};
use lariat_search::{
    FaultPolicy, Lasso, Options, RandomizedStoring, SearchOutcome, Stop, StoreId, StoreKind,
    StoringRule, nested_depth_first, nested_dfs_rest, replay_lasso,
};
use lariat_stats::{Rng, stream};
use std::collections::HashSet;

#[test]
fn coins_with_probability_0_and_1_are_deterministic() {
    let mut graph = long_fan(20, 5, true);
    for search in ALL {
        for rule in [StoringRule::Dynamic, StoringRule::Static] {
            for seed in 0..300 {
                let context = format!("{search:?}, {}, seed {seed}", rule(0.0));
                let none = search.storing(&mut graph, rule(0.0), seed);
                // All 1 + 100 states that are reached once, and leaves at each of their arrivals.
                assert_eq!(none.expansions, 201, "{context}");
                assert_eq!(none.states_at_end, 0, "{context}");
                // No more than the longest path.
                assert_eq!(none.peak_states, 3, "{context}");
                let all = search.storing(&mut graph, rule(1.0), seed);
                assert_eq!((all.expansions, all.states_at_end), (121, 121), "{context}");
                assert_eq!((all.deletions, all.nested_expansions), (0, 0), "{context}");
            }
        }
    }
}

/// A nested search, and the states whose successors it has computed.
fn recorded(
    graph: &ExplicitAcceptingGraph,
    options: &Options,
    weak: bool,
) -> (SearchOutcome, Vec<u32>) {
    let mut recorders = [Recorder::new(graph.clone())];
    let outcome = nested_depth_first(&mut recorders, options, weak, &mut ());
    let [recorder] = recorders;
    (outcome, recorder.states)
}

/// A search that removes nothing is the plain one, step for step.
#[test]
fn a_search_without_removals_is_the_plain_search() {
    let rules = [
        StoringRule::Dynamic(1.0),
        StoringRule::Static(1.0),
        StoringRule::Auto,
        StoringRule::Cache(1_000),
    ];
    for_graphs(20_000, |number| {
        let graph = small_graph(number, if number % 4 == 3 { 0.05 } else { 0.0 });
        let policy = match number % 8 {
            7 => FaultPolicy::StopAtFirst,
            _ => FaultPolicy::Collect,
        };
        // A false guarantee makes a search miss cycles, but both of them in the same way.
        let weak = number % 5 == 4;
        let with = |store| Options {
            store,
            faults: policy,
            ..Options::default()
        };
        let (plain, steps) = recorded(&graph, &with(StoreKind::Keep(StoreId::Tree)), weak);
        for rule in rules {
            let context = format!("{rule}, graph {number} of seed {SEED}");
            let sampling = RandomizedStoring { rule, seed: number };
            let (outcome, same) = recorded(&graph, &with(StoreKind::Forget(sampling)), weak);
            assert_eq!(steps, same, "{context}");
            assert_eq!(plain.lasso, outcome.lasso, "{context}");
            assert_eq!(plain.stop, outcome.stop, "{context}");
            assert_eq!(plain.faults, outcome.faults, "{context}");
            let (before, after) = (plain.statistics, outcome.statistics);
            assert_eq!(before.transitions(), after.transitions(), "{context}");
            assert_eq!(before.max_depth, after.max_depth, "{context}");
            let storing = after.storing.unwrap();
            assert_eq!(storing.nested_expansions, 0, "{context}");
            assert_eq!(storing.deletions + storing.evictions, 0, "{context}");
            if plain.stop == Stop::Complete {
                // Before the end, the plain search has stored states that it has not visited yet.
                assert_eq!(before.states_stored, after.states_stored, "{context}");
                assert_eq!(before.states_stored, storing.states_at_end, "{context}");
            }
        }
    });
}

/// The two searches of Courcoubetis, Vardi, Wolper and Yannakakis (1992), literally; and as in figure 2 of the paper
/// without removals.
struct Cvwy<'a> {
    graph: &'a ExplicitAcceptingGraph,
    /// Whether a nested search skips accepting states that the first has not visited (line x), and removes the others
    /// of this kind when it leaves them.
    figure_2: bool,
    first: HashSet<u32>,
    nested: HashSet<u32>,
    seed: u32,
    transitions: u64,
    nested_transitions: u64,
    path: Vec<u32>,
    cycle: Vec<u32>,
    lasso: Option<Lasso>,
}

impl<'a> Cvwy<'a> {
    fn search(graph: &'a ExplicitAcceptingGraph, figure_2: bool) -> Self {
        let mut search = Cvwy {
            graph,
            figure_2,
            first: HashSet::new(),
            nested: HashSet::new(),
            seed: 0,
            transitions: 0,
            nested_transitions: 0,
            path: Vec::new(),
            cycle: Vec::new(),
            lasso: None,
        };
        for (initial, &state) in graph.graph().initial_states().iter().enumerate() {
            search.transitions += 1;
            if !search.first.contains(&state) && search.dfs(state) {
                search.lasso = Some(Lasso {
                    initial: initial as u32,
                    prefix: search.path.clone(),
                    cycle: search.cycle.clone(),
                });
                break;
            }
        }
        search
    }

    fn edges(&self, state: u32) -> Vec<(u32, u32)> {
        let edges = &self.graph.graph().states()[state as usize].edges;
        let edge = |edge: &lariat_graph::explicit::Edge| Some((edge.target?, edge.label));
        edges.iter().filter_map(edge).collect()
    }

    fn is_accepting(&self, state: u32) -> bool {
        !self.edges(state).is_empty() && self.graph.marks(state, 0)[0] == 1
    }

    fn dfs(&mut self, state: u32) -> bool {
        self.first.insert(state);
        for (target, label) in self.edges(state) {
            self.transitions += 1;
            if !self.first.contains(&target) {
                self.path.push(label);
                if self.dfs(target) {
                    return true;
                }
                self.path.pop();
            }
        }
        self.seed = state;
        self.is_accepting(state) && self.ndfs(state)
    }

    fn ndfs(&mut self, state: u32) -> bool {
        let is_absent = !self.first.contains(&state);
        if self.figure_2 && is_absent && self.is_accepting(state) {
            return false;
        }
        self.nested.insert(state);
        for (target, label) in self.edges(state) {
            self.nested_transitions += 1;
            self.cycle.push(label);
            let is_found = match self.nested.contains(&target) {
                true => target == self.seed,
                false => self.ndfs(target),
            };
            if is_found {
                return true;
            }
            self.cycle.pop();
        }
        if self.figure_2 && is_absent {
            self.nested.remove(&state);
        }
        false
    }
}

/// Marks all edges of a state, or none.
fn with_marks_on_states(
    graph: &ExplicitGraph,
    chance: f64,
    rng: &mut Rng,
) -> ExplicitAcceptingGraph {
    let mut marked = ExplicitAcceptingGraph::without_marks(graph.clone(), ONE_SET);
    for (from, state) in graph.states().iter().enumerate() {
        if rng.chance(chance) {
            (0..state.edges.len()).for_each(|edge| marked.add_mark(from as u32, edge, 0));
        }
    }
    marked
}

/// With P = 1, the search as published is the search on which it is based. Line x makes a difference only if the
/// nested search reaches states that the first has not visited; then there is a cycle, and the first search is at the
/// same seed when it is found, but the cycle may be a different one.
#[test]
fn the_published_search_without_removals_is_its_base() {
    let other_cycles = std::sync::atomic::AtomicU32::new(0);
    for_graphs(20_000, |number| {
        let mut rng = stream(SEED, "marks on states", number);
        let chance = [0.1, 0.3, 0.6][rng.index(3)];
        let mut graph = with_marks_on_states(small_graph(number, 0.0).graph(), chance, &mut rng);
        let context = format!("graph {number} of seed {SEED}");
        let (figure_1, figure_2) = (Cvwy::search(&graph, false), Cvwy::search(&graph, true));
        for rule in [StoringRule::Dynamic(1.0), StoringRule::Static(1.0)] {
            let sampling = RandomizedStoring { rule, seed: number };
            let outcome =
                nested_dfs_rest(&mut graph.clone(), sampling, &Options::default(), &mut ());
            let storing = outcome.statistics.storing.unwrap();
            let transitions = outcome.statistics.transitions();
            assert_eq!(outcome.lasso, figure_2.lasso, "{context}");
            assert_eq!(transitions, figure_2.transitions, "{context}");
            assert_eq!(
                storing.nested_transitions, figure_2.nested_transitions,
                "{context}"
            );
            assert_eq!(storing.expansions, figure_2.first.len() as u64, "{context}");
            assert_eq!(transitions, figure_1.transitions, "{context}");
        }
        match (&figure_1.lasso, &figure_2.lasso) {
            (None, None) => {
                assert_eq!(
                    figure_1.nested_transitions, figure_2.nested_transitions,
                    "{context}"
                );
            }
            (Some(one), Some(other)) => {
                assert_eq!(
                    (one.initial, &one.prefix),
                    (other.initial, &other.prefix),
                    "{context}"
                );
                if one != other {
                    other_cycles.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
                replay_lasso(&mut graph, one).unwrap_or_else(|error| panic!("{context}: {error}"));
                replay_lasso(&mut graph, other)
                    .unwrap_or_else(|error| panic!("{context}: {error}"));
            }
            (one, other) => panic!("{context}: {one:?} and {other:?}"),
        }
    });
    let other_cycles = other_cycles.into_inner();
    println!("another cycle in {other_cycles} graphs");
    assert!((1..400).contains(&other_cycles), "{other_cycles} of 20000");
}
