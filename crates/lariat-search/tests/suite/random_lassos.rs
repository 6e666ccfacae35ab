//! Random lassos compared with exact probabilities, computed by enumerating every lasso of small graphs.
//!
//! All comparisons of a test together fail by chance with a probability below 10^-9: each frequency must be
//! within a bound that Bernstein's inequality gives for its share of that.

use std::ops::ControlFlow;

use lariat_graph::explicit::{ExplicitAcceptingGraph, RandomGraph};
use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace};
use lariat_search::{
    Budget, Ending, LassoSampling, Tally, Uniform, Walk, WalkOptions, random_lassos, record,
};
use lariat_stats::{Rng, stream};

const BUCHI: Acceptance = Acceptance { sets: 1, pairs: 0 };

/// The probabilities that the plain random lasso, the one that is uniform over states, and the multi-lasso find a
/// violation.
#[derive(Clone, Copy, Debug, Default)]
struct Exact {
    transitions: f64,
    states: f64,
    multi: f64,
    /// The mean of the weights of multi-lassos.
    weighted: f64,
}

/// Every path of distinct states, by recursion over the definition.
struct Oracle<'g> {
    graph: &'g mut ExplicitAcceptingGraph,
    path: Vec<u32>,
    /// For each edge of the path, whether it is accepting.
    accepting: Vec<bool>,
}

/// An edge of the oracle.
#[derive(Clone, Copy, PartialEq)]
struct Step {
    target: Option<u32>,
    accepting: bool,
}

impl Oracle<'_> {
    fn exact(graph: &mut ExplicitAcceptingGraph) -> Exact {
        let initial = graph.graph().initial_states().to_vec();
        let mut sum = Exact::default();
        for state in &initial {
            let mut oracle = Oracle {
                graph,
                path: vec![*state],
                accepting: Vec::new(),
            };
            let one = oracle.onwards();
            let share = 1.0 / initial.len() as f64;
            sum.transitions += share * one.transitions;
            sum.states += share * one.states;
            sum.multi += share * one.multi;
            sum.weighted += share * one.weighted;
        }
        sum
    }

    /// The steps from the last state; a target of `None` is a fault.
    fn steps(&self) -> Vec<Step> {
        let last = self.path[self.path.len() - 1];
        let edges = &self.graph.graph().states()[last as usize].edges;
        let step = |(index, edge): (usize, &lariat_graph::explicit::Edge)| Step {
            target: edge.target.filter(|_| edge.fault.is_none()),
            accepting: self.graph.marks(last, index)[0] & 1 == 1,
        };
        edges.iter().enumerate().map(step).collect()
    }

    fn onwards(&mut self) -> Exact {
        let last = self.path[self.path.len() - 1];
        if !self.graph.graph().states()[last as usize].faults.is_empty() {
            return Exact {
                transitions: 1.0,
                states: 1.0,
                multi: 1.0,
                weighted: 1.0,
            };
        }
        let steps = self.steps();
        let results: Vec<Exact> = steps.iter().map(|&step| self.follow(step)).collect();
        let closes = |step: &Step| self.closes(*step);
        let is_open = |step: &Step| step.target.is_none() || closes(step) != Some(false);
        let open = steps.iter().filter(|s| is_open(s)).count();
        let mut sum = Exact::default();
        for (step, one) in steps.iter().zip(&results) {
            sum.transitions += one.transitions / steps.len() as f64;
            if is_open(step) {
                sum.multi += one.multi / open as f64;
                sum.weighted += one.weighted / open as f64 * (open as f64 / steps.len() as f64);
            }
        }
        // Of edges to the same state, an accepting one is taken if there is one.
        let mut targets: Vec<usize> = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let same = targets
                .iter()
                .position(|&i| step.target.is_some() && steps[i].target == step.target);
            match same {
                Some(at) if steps[targets[at]].accepting => {}
                Some(at) => targets[at] = index,
                None => targets.push(index),
            }
        }
        for &index in &targets {
            sum.states += results[index].states / targets.len() as f64;
        }
        sum
    }

    /// Whether a step closes a lasso, and if so, an accepting one.
    fn closes(&self, step: Step) -> Option<bool> {
        let back = self.path.iter().position(|&s| Some(s) == step.target)?;
        Some(self.accepting[back..].contains(&true) || step.accepting)
    }

    fn follow(&mut self, step: Step) -> Exact {
        let certain = |value: f64| Exact {
            transitions: value,
            states: value,
            multi: value,
            weighted: value,
        };
        let Some(target) = step.target else {
            return certain(1.0);
        };
        if let Some(accepts) = self.closes(step) {
            return certain(f64::from(u8::from(accepts)));
        }
        self.path.push(target);
        self.accepting.push(step.accepting);
        let result = self.onwards();
        self.path.pop();
        self.accepting.pop();
        result
    }
}

/// The share of violations of so many walks, and the mean and the mean square of the values.
fn sampled(
    graph: &ExplicitAcceptingGraph,
    options: &WalkOptions,
    walks: u64,
    workers: usize,
) -> (f64, f64, f64, Tally) {
    let mut graphs = vec![graph.clone(); workers];
    let (mut sum, mut squares) = (0.0, 0.0);
    let fold = |number: u64, walk: &Walk| {
        sum += walk.value;
        squares += walk.value * walk.value;
        match number + 1 < walks {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let outcome = random_lassos(&mut graphs, options, &Budget::default(), fold, &mut ());
    let n = walks as f64;
    let share = outcome.tally.violations as f64 / n;
    assert_eq!(outcome.tally.walks, walks);
    (share, sum / n, squares / n, outcome.tally)
}

/// The distance that a mean of values in [0, bound] with this mean and variance exceeds with a probability below 2
/// exp(-confidence), by Bernstein's inequality.
fn slack(variance: f64, bound: f64, walks: u64, confidence: f64) -> f64 {
    let n = walks as f64;
    let third = bound * confidence / (3.0 * n);
    third + (third * third + 2.0 * variance * confidence / n).sqrt()
}

fn assert_near(measured: f64, exact: f64, walks: u64, tests: f64, what: &str) {
    // 2 exp(-c) * tests < 1e-9.
    let confidence = (2.0 * tests / 1e-9).ln();
    let distance = slack(exact * (1.0 - exact), 1.0, walks, confidence) + 1e-12;
    assert!(
        (measured - exact).abs() <= distance,
        "{what}: measured {measured}, exact {exact}, allowed {distance}"
    );
}

fn random_graph(rng: &mut Rng, faults: bool) -> ExplicitAcceptingGraph {
    let states = 1 + rng.below(6) as u32;
    let shape = RandomGraph {
        states,
        edges: rng.below(3 * u64::from(states) + 1) as u32,
        initial: 1 + rng.below(2) as u32,
        fault_probability: if faults && rng.chance(0.3) { 0.1 } else { 0.0 },
        fault_codes: 3,
        padding: rng.below(3) as u32,
    };
    let marks = *rng.choose(&[0.1, 0.3, 0.6]).unwrap_or(&0.3);
    ExplicitAcceptingGraph::random(&shape, BUCHI, marks, rng)
}

/// The paper's first figure: 1 -> 1, 2; 2 -> 3, 4; 3 -> 1, 4; 4 -> 4; 3 is accepting.
fn figure_1() -> ExplicitAcceptingGraph {
    let mut graph = ExplicitAcceptingGraph::new(4, BUCHI);
    graph.add_initial(0);
    let edges = [(0, 0), (0, 1), (1, 2), (1, 3), (2, 0), (2, 3), (3, 3)];
    for (label, (from, to)) in edges.into_iter().enumerate() {
        let accepting: &[usize] = if from == 2 { &[0] } else { &[] };
        graph.add_edge(from, to, label as u32, accepting);
    }
    graph
}

/// The paper's second figure: a path in which each state but the last has edges to the next state and back to the
/// first; the last is accepting and leads back to the first.
fn figure_2(n: u32) -> ExplicitAcceptingGraph {
    let mut graph = ExplicitAcceptingGraph::new(n + 1, BUCHI);
    graph.add_initial(0);
    for state in 0..n {
        graph.add_edge(state, 0, 0, &[]);
        graph.add_edge(state, state + 1, 1, &[]);
    }
    graph.add_edge(n, n, 0, &[0]);
    graph
}

fn options(seed: u64) -> WalkOptions {
    WalkOptions {
        seed,
        ..WalkOptions::default()
    }
}

#[test]
fn figures_of_the_paper() {
    let walks = 200_000;
    let exact = Oracle::exact(&mut figure_1());
    assert_eq!((exact.transitions, exact.multi), (0.125, 0.25));
    let (share, ..) = sampled(&figure_1(), &options(1), walks, 1);
    assert_near(share, 0.125, walks, 10.0, "figure 1");
    let multi = WalkOptions {
        sampling: LassoSampling::MultiLasso,
        ..options(2)
    };
    let (share, mean, ..) = sampled(&figure_1(), &multi, walks, 1);
    assert_near(share, 0.25, walks, 10.0, "figure 1, multi-lasso");
    assert_near(mean, 0.125, walks, 10.0, "figure 1, weights");
    for n in [1, 2, 5, 10, 20] {
        let exact = Oracle::exact(&mut figure_2(n.min(12)));
        assert_eq!(exact.transitions, 0.5f64.powi(n.min(12) as i32));
        assert_eq!(exact.multi, 1.0);
        let (share, ..) = sampled(&figure_2(n), &options(3), walks, 1);
        assert_near(share, 0.5f64.powi(n as i32), walks, 10.0, "figure 2");
        let (share, mean, ..) = sampled(&figure_2(n), &multi, 1000, 1);
        assert_eq!(share, 1.0, "figure 2, multi-lasso");
        assert!((mean - 0.5f64.powi(n as i32)).abs() < 1e-12);
    }
}

/// Frequencies of all kinds of walks on many graphs. Values are in [0, 1], but for biased walks, whose values are in
/// [0, 2]; their variance is at most the bound times the mean.
#[test]
fn frequencies_are_those_of_the_definition() {
    const GRAPHS: u64 = 2000;
    const WALKS: u64 = 2000;
    let tests = 12.0 * GRAPHS as f64;
    let confidence = (2.0 * tests / 1e-9f64).ln();
    let mut squares = 0.0;
    let mut compared = 0u32;
    for number in 0..GRAPHS {
        let mut rng = stream(number, "random lassos", 0);
        let mut graph = random_graph(&mut rng, true);
        let exact = Oracle::exact(&mut graph);
        let plain = options(rng.next_u64());
        let check = |options: WalkOptions, wanted: f64, what: &str| {
            let (share, mean, _, tally) = sampled(&graph, &options, WALKS, 1);
            assert_eq!(tally.cut, 0);
            assert_near(
                share,
                wanted,
                WALKS,
                tests,
                &format!("{what}, graph {number}"),
            );
            (share, mean)
        };
        let (share, _) = check(plain, exact.transitions, "lasso");
        let variance = exact.transitions * (1.0 - exact.transitions) / WALKS as f64;
        if variance > 1e-9 {
            squares += (share - exact.transitions).powi(2) / variance;
            compared += 1;
        }
        // The same walks without cached edges: the same lassos.
        let again = WalkOptions {
            remember: false,
            ..plain
        };
        let (.., tally) = sampled(&graph, &plain, WALKS, 1);
        assert_eq!(sampled(&graph, &again, WALKS, 1).3, tally);
        // The same walks without a table: the same lassos.
        let nivasch = WalkOptions {
            table_states: 1,
            ..plain
        };
        assert_eq!(check(nivasch, exact.transitions, "Nivasch").0, share);
        let whole = WalkOptions {
            uniform: Uniform::Transitions,
            ..plain
        };
        check(whole, exact.transitions, "transitions");
        let states = WalkOptions {
            uniform: Uniform::States,
            ..plain
        };
        check(states, exact.states, "states");
        let multi = WalkOptions {
            sampling: LassoSampling::MultiLasso,
            ..plain
        };
        let (_, mean) = check(multi, exact.multi, "multi-lasso");
        assert!(exact.multi >= exact.transitions - 1e-12);
        assert!((exact.weighted - exact.transitions).abs() < 1e-12);
        assert_near(
            mean,
            exact.transitions,
            WALKS,
            tests,
            "weights of multi-lassos",
        );
        assert_eq!(exact.transitions > 0.0, exact.multi > 0.0);
        for sampling in [LassoSampling::Biased(1.0), LassoSampling::Splitting(3)] {
            let bound = if sampling == LassoSampling::Biased(1.0) {
                2.0
            } else {
                1.0
            };
            let options = WalkOptions { sampling, ..plain };
            let mut guided = Guided(graph.clone(), number);
            let walks = walks(&mut guided, &options, WALKS);
            let sum: f64 = walks.iter().map(|walk| walk.value).sum();
            let mean = sum / WALKS as f64;
            let distance = slack(bound * exact.transitions, bound, WALKS, confidence) + 1e-12;
            assert!(
                (mean - exact.transitions).abs() <= distance,
                "{sampling:?}, graph {number}: {mean} instead of {}",
                exact.transitions
            );
        }
    }
    // The mean of z^2 is 1 with a standard error of about sqrt(2 / compared), so this is 7 of them.
    let mean = squares / f64::from(compared);
    let allowed = 7.0 * (2.0 / f64::from(compared)).sqrt();
    assert!(
        compared > 500 && (mean - 1.0).abs() < allowed,
        "{mean} over {compared}"
    );
}

/// The first walks through a graph.
fn walks(graph: &mut Guided, options: &WalkOptions, number: u64) -> Vec<Walk> {
    let mut walks = Vec::new();
    let fold = |n: u64, walk: &Walk| {
        walks.push(*walk);
        match n + 1 < number {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let graphs = std::slice::from_mut(graph);
    random_lassos(graphs, options, &Budget::default(), fold, &mut ());
    walks
}

/// A graph in which states have distances, some of which are wrong.
struct Guided(ExplicitAcceptingGraph, u64);

impl StateSpace for Guided {
    fn initial(&mut self, out: &mut Expansion) {
        self.0.initial(out);
    }
    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.0.successors(state, out);
    }
}

impl AcceptingGraph for Guided {
    fn acceptance(&self) -> Acceptance {
        self.0.acceptance()
    }
}

impl Draw for Guided {
    fn distance(&self, state: &[u32]) -> u32 {
        (stream(self.1, "distance", state[0].into()).next_u64() % 4) as u32
    }
}

/// The probability of an accepting lasso is positive if and only if there is an accepted run.
#[test]
fn a_lasso_is_accepting_exactly_if_there_is_an_accepted_run() {
    for number in 0..40_000 {
        let mut rng = stream(number, "emptiness", 0);
        let mut graph = random_graph(&mut rng, false);
        let exact = Oracle::exact(&mut graph);
        let searched = lariat_search::scc_search(&mut [graph], &Default::default(), &mut ());
        assert_eq!(
            exact.transitions > 0.0,
            searched.lasso.is_some(),
            "graph {number}"
        );
    }
}

/// A repeated walk is the same, its labels lead to its states, and its cycle closes.
#[test]
fn recorded_walks_can_be_followed() {
    let kinds = [
        LassoSampling::Lasso,
        LassoSampling::MultiLasso,
        LassoSampling::Biased(0.7),
        LassoSampling::Splitting(2),
    ];
    for number in 0..3000 {
        let mut rng = stream(number, "recorded", 0);
        let graph = random_graph(&mut rng, true);
        let sampling = *rng.choose(&kinds).unwrap_or(&LassoSampling::Lasso);
        let options = WalkOptions {
            sampling,
            table_states: *rng.choose(&[1, 3, 1 << 17]).unwrap_or(&1),
            ..options(rng.next_u64())
        };
        let mut guided = Guided(graph, number);
        let walks = walks(&mut guided, &options, 5);
        for (walk_number, walk) in walks.iter().enumerate() {
            let recorded = record(&mut guided, &options, walk_number as u64).unwrap();
            assert_eq!(
                recorded.walk.ending, walk.ending,
                "graph {number}, walk {walk_number}"
            );
            if sampling == LassoSampling::Splitting(2) && !walk.is_violation() {
                continue;
            }
            follow(&mut guided, &recorded);
        }
    }
}

/// Follows the labels of a walk and checks its end.
fn follow(graph: &mut Guided, recorded: &lariat_search::Recorded) {
    let Some(initial) = recorded.initial else {
        return;
    };
    let mut out = Expansion::with_marks(1);
    graph.initial(&mut out);
    let mut states = vec![out.edge(initial as usize).0.to_vec()];
    let mut marks = Vec::new();
    for &label in &recorded.labels {
        out.clear();
        graph.successors(&states[states.len() - 1], &mut out);
        let Some(index) = out.edges().position(|(_, other)| other == label) else {
            assert!(matches!(recorded.walk.ending, Ending::Fault(_)));
            return;
        };
        marks.push(out.marks(index)[0] & 1 == 1);
        states.push(out.edge(index).0.to_vec());
    }
    if let Some(back) = recorded.back {
        assert_eq!(states[back], states[states.len() - 1]);
        let accepting = marks[back..].contains(&true);
        assert_eq!(accepting, recorded.walk.ending == Ending::Accepting);
    } else {
        assert!(!matches!(
            recorded.walk.ending,
            Ending::Accepting | Ending::Rejecting
        ));
    }
}

/// A ring so large that walks are long.
fn ring(states: u32) -> ExplicitAcceptingGraph {
    let mut graph = ExplicitAcceptingGraph::new(states, BUCHI);
    graph.add_initial(0);
    for state in 0..states {
        graph.add_edge(state, (state + 1) % states, 0, &[]);
    }
    graph
}

/// The number of workers does not change the result.
#[test]
fn the_number_of_workers_does_not_matter() {
    for number in 0..60 {
        let mut rng = stream(number, "workers", 0);
        let graph = random_graph(&mut rng, true);
        let options = options(number);
        let walks = 1 + rng.below(3000);
        let values = |workers| {
            let (share, mean, squares, tally) = sampled(&graph, &options, walks, workers);
            (share, mean, squares, tally)
        };
        let alone = values(1);
        for workers in [2, 3, 5] {
            assert_eq!(values(workers), alone);
        }
    }
}

#[test]
fn long_walks_need_no_table() {
    let graph = ring(400_000);
    let (share, _, _, tally) = sampled(&graph, &options(1), 2, 1);
    assert_eq!((share, tally.rejecting), (0.0, 2));
    // Nivasch's stack may need one more round.
    assert!(tally.longest >= 400_000 && tally.longest <= 2 * 400_000 + (1 << 17));
}

#[test]
fn walks_are_cut() {
    for sampling in [
        LassoSampling::Lasso,
        LassoSampling::MultiLasso,
        LassoSampling::Splitting(2),
    ] {
        let cut = WalkOptions {
            sampling,
            max_length: 100,
            ..options(1)
        };
        let (_, _, _, tally) = sampled(&ring(1000), &cut, 10, 1);
        assert_eq!((tally.cut, tally.steps), (10, 1000));
        // Without a table, lassos within the limit are never cut.
        let hurried = WalkOptions {
            table_states: 10,
            max_length: 1000,
            ..cut
        };
        if sampling == LassoSampling::Lasso {
            assert_eq!(sampled(&ring(1000), &hurried, 10, 1).3.rejecting, 10);
            assert_eq!(sampled(&ring(3000), &hurried, 10, 1).3.cut, 10);
        }
        let just_enough = WalkOptions {
            max_length: 1000,
            ..cut
        };
        assert_eq!(sampled(&ring(1000), &just_enough, 10, 1).3.rejecting, 10);
    }
}

/// A multi-lasso needs its table; if that takes too much memory, the walk is cut. A plain walk continues without.
#[test]
fn memory_is_respected() {
    let budget = Budget {
        memory: Some(100_000),
        ..Budget::default()
    };
    for (sampling, cut) in [(LassoSampling::MultiLasso, 3), (LassoSampling::Lasso, 0)] {
        let options = WalkOptions {
            sampling,
            ..options(1)
        };
        let fold = |n: u64, _: &Walk| {
            if n < 2 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let outcome = random_lassos(&mut [ring(20_000)], &options, &budget, fold, &mut ());
        assert_eq!((outcome.tally.walks, outcome.tally.cut), (3, cut));
        assert!(outcome.memory_bytes <= 100_000, "{}", outcome.memory_bytes);
    }
}

/// When the time ends, unfinished walks do not count, and neither do those behind them.
#[test]
fn an_interrupted_walk_does_not_count() {
    let budget = Budget::default();
    budget
        .stop
        .store(true, std::sync::atomic::Ordering::Relaxed);
    for workers in [1, 3] {
        let mut graphs = vec![ring(1_000_000); workers];
        let fold = |_: u64, _: &Walk| ControlFlow::Continue(());
        let outcome = random_lassos(&mut graphs, &options(1), &budget, fold, &mut ());
        assert_eq!(outcome.stop, lariat_search::Stop::Interrupted);
        assert_eq!(outcome.tally.walks, 0);
    }
}
