//! Special cases of faults.

use crate::SEARCHES;
use crate::spaces::{BrokenFromTheStart, Counter};
use lariat_graph::explicit::{Edge, ExplicitGraph};
use lariat_search::{Budget, FaultPolicy, Options, Path, Stop, VisitOrder};

fn collect() -> Options {
    Options {
        faults: FaultPolicy::Collect,
        ..Options::default()
    }
}

#[test]
fn a_fault_before_the_first_state_has_no_initial_state() {
    for search in SEARCHES.iter() {
        let outcome = search.run(&BrokenFromTheStart, &collect());
        assert_eq!(outcome.stop, Stop::Complete, "{}", search.name);
        assert_eq!(outcome.faults.len(), 1);
        assert_eq!(outcome.faults[0].occurrences, 2);
        let path = Path {
            initial: None,
            labels: vec![],
        };
        assert_eq!(outcome.faults[0].path, path);
        let outcome = search.run(&BrokenFromTheStart, &Options::default());
        assert_eq!(outcome.stop, Stop::Fault);
        assert_eq!(outcome.statistics.transitions(), 0);
    }
}

/// The first state of a level has the fault on an edge, the second in itself: the path of the
/// second is shorter, though it is found later.
#[test]
fn breadth_first_prefers_the_shorter_of_two_paths_on_a_level() {
    let mut graph = ExplicitGraph::new(2);
    graph.add_initial(0);
    graph.add_initial(1);
    graph.states_mut()[0].edges.push(Edge {
        target: None,
        label: 9,
        fault: Some(1),
    });
    graph.states_mut()[1].faults.push(1);
    for search in SEARCHES.iter() {
        let outcome = search.run(&graph, &collect());
        let path = &outcome.faults[0].path;
        let expected = match search.order {
            VisitOrder::BreadthFirst => (Some(1), vec![]),
            VisitOrder::DepthFirst => (Some(0), vec![9]),
            VisitOrder::Other => continue,
        };
        assert_eq!(
            (path.initial, path.labels.clone()),
            expected,
            "{}",
            search.name
        );
    }
}

#[test]
fn faults_survive_the_end_of_the_budget() {
    let mut graph = ExplicitGraph::grid(50, 50);
    graph.states_mut()[1].faults.push(4);
    for search in SEARCHES.iter() {
        let budget = Budget {
            states: Some(100),
            ..Budget::default()
        };
        let outcome = search.run(
            &graph,
            &Options {
                budget,
                ..collect()
            },
        );
        assert_eq!(outcome.stop, Stop::States, "{}", search.name);
        assert_eq!(outcome.faults.len(), 1, "{}", search.name);
        assert_eq!(outcome.faults[0].path.labels, [0]);
    }
}

#[test]
fn internal_steps_are_summed() {
    for search in SEARCHES.iter() {
        let outcome = search.run(&Counter { end: 10 }, &Options::default());
        assert_eq!(outcome.statistics.internal_steps, 20, "{}", search.name);
    }
}
