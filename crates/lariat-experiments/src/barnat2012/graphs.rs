//! The algorithm as printed in the paper, and the one that Lariat uses, on small random graphs with a random collision relation.
//!
//! Both are written here once more, without threads and stores, over a graph and the class of each state: states of a class have the same fingerprint.
//! The search of Lariat is `owcty_compact.rs` of `lariat-search`; its tests run that one on random graphs.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use lariat_stats::{Rng, stream};

use crate::SimulatedRow;

pub(super) const COLUMNS: &[&str] = &[
    "violated",
    "missed",
    "missed in %",
    "false",
    "rounds",
    "most rounds",
    "expansions",
];

/// A graph; state 0 is initial.
struct Graph {
    successors: Vec<Vec<usize>>,
    accepting: Vec<bool>,
}

/// The kinds of collisions.
#[derive(Clone, Copy)]
enum Collisions {
    None,
    Pairs,
    Random,
}

const COLLISIONS: [(Collisions, &str); 3] = [
    (Collisions::None, "no collisions"),
    (Collisions::Pairs, "one or two pairs of states collide"),
    (Collisions::Random, "random classes"),
];

/// The end of the printed algorithm.
#[derive(Clone, Copy, PartialEq)]
enum Verification {
    /// A seed is compared with each state that is taken from the queue, of which it is the first.
    Printed,
    /// A seed is compared with the target of each edge.
    EdgeTest,
}

#[derive(Clone, Copy)]
enum Algorithm {
    Paper(Verification),
    Chains,
}

const ALGORITHMS: [(Algorithm, &str); 3] = [
    (Algorithm::Paper(Verification::Printed), "as printed"),
    (
        Algorithm::Paper(Verification::EdgeTest),
        "printed, edge test",
    ),
    (Algorithm::Chains, "chains of seeds (Lariat)"),
];

/// What an algorithm did on a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ran {
    violated: bool,
    rounds: u64,
    expansions: u64,
}

#[derive(Default)]
struct Tally {
    missed: u64,
    wrong: u64,
    rounds: u64,
    most_rounds: u64,
    expansions: u64,
}

/// Runs all algorithms on `cases` graphs for each kind of collisions.
pub(super) fn run(seed: u64, cases: u64, stop: &AtomicBool) -> Option<Vec<SimulatedRow>> {
    let mut rows = Vec::new();
    for (collisions, block) in COLLISIONS {
        let mut tallies = ALGORITHMS.map(|_| Tally::default());
        let mut violated = 0;
        for case in 0..cases {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut rng = stream(seed, block, case);
            let graph = Graph::random(&mut rng);
            let classes = classes(&mut rng, collisions, graph.accepting.len());
            let truth = graph.has_accepting_cycle();
            violated += u64::from(truth);
            for (tally, (algorithm, _)) in tallies.iter_mut().zip(ALGORITHMS) {
                tally.add(algorithm.run(&graph, &classes), truth);
            }
        }
        for (tally, (_, label)) in tallies.iter().zip(ALGORITHMS) {
            rows.push(SimulatedRow {
                block,
                label,
                cells: tally.cells(cases, violated),
            });
        }
    }
    Some(rows)
}

impl Tally {
    fn add(&mut self, ran: Ran, truth: bool) {
        self.missed += u64::from(truth && !ran.violated);
        self.wrong += u64::from(ran.violated && !truth);
        self.rounds += ran.rounds;
        self.most_rounds = self.most_rounds.max(ran.rounds);
        self.expansions += ran.expansions;
    }

    fn cells(&self, cases: u64, violated: u64) -> Vec<String> {
        let mean = |sum: u64| format!("{:.2}", sum as f64 / cases.max(1) as f64);
        let percent = 100.0 * self.missed as f64 / violated.max(1) as f64;
        vec![
            violated.to_string(),
            self.missed.to_string(),
            format!("{percent:.2}"),
            self.wrong.to_string(),
            mean(self.rounds),
            self.most_rounds.to_string(),
            mean(self.expansions),
        ]
    }
}

impl Algorithm {
    fn run(self, graph: &Graph, classes: &[usize]) -> Ran {
        match self {
            Algorithm::Paper(verification) => paper(graph, classes, verification),
            Algorithm::Chains => chains(graph, classes),
        }
    }
}

fn pick(rng: &mut Rng, below: usize) -> usize {
    rng.below(below as u64) as usize
}

impl Graph {
    /// 2 to 10 states: any graph, nearly acyclic, or chains with diamonds.
    fn random(rng: &mut Rng) -> Self {
        let states = 2 + pick(rng, 9);
        let n = states as f64;
        let kind = pick(rng, 4);
        let degree = [0.7, 1.0, 1.4, 2.0, 2.8][pick(rng, 5)];
        let share = [0.15, 0.3, 0.6, 1.0][pick(rng, 4)];
        let probability = |from: usize, to: usize| match kind {
            0 | 1 => degree / n,
            2 if to > from => 2.0 * degree / n,
            2 => 0.05,
            _ if to == from + 1 => 0.9,
            _ if to > from => 0.25,
            _ => 0.03,
        };
        let successors = (0..states).map(|from| {
            let targets = (0..states).filter(|&to| rng.chance(probability(from, to).min(1.0)));
            targets.collect()
        });
        let successors = successors.collect();
        let accepting = (0..states).map(|_| rng.chance(share)).collect();
        Graph {
            successors,
            accepting,
        }
    }

    /// The states that can be reached from a state with at least one step.
    fn reached(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.accepting.len()];
        let mut waiting = vec![from];
        while let Some(state) = waiting.pop() {
            for &next in &self.successors[state] {
                if !std::mem::replace(&mut seen[next], true) {
                    waiting.push(next);
                }
            }
        }
        seen
    }

    fn has_accepting_cycle(&self) -> bool {
        let mut reachable = self.reached(0);
        reachable[0] = true;
        let states = 0..self.accepting.len();
        states
            .filter(|&a| reachable[a] && self.accepting[a])
            .any(|a| self.reached(a)[a])
    }
}

fn classes(rng: &mut Rng, collisions: Collisions, states: usize) -> Vec<usize> {
    let mut classes: Vec<usize> = (0..states).collect();
    match collisions {
        Collisions::None => {}
        Collisions::Pairs => {
            for _ in 0..1 + pick(rng, 2) {
                let (kept, merged) = (classes[pick(rng, states)], classes[pick(rng, states)]);
                for class in classes.iter_mut().filter(|class| **class == merged) {
                    *class = kept;
                }
            }
        }
        Collisions::Random => {
            let most = 1 + pick(rng, states);
            classes.fill_with(|| pick(rng, most));
        }
    }
    classes
}

/// Algorithms 2 and 3 of the paper.
fn paper(graph: &Graph, classes: &[usize], verification: Verification) -> Ran {
    let states = classes.len();
    let mut ran = Ran::default();
    let mut set = vec![false; states];
    let mut accepting = Vec::new();
    let mut queue = VecDeque::from([0]);
    while let Some(state) = queue.pop_front() {
        if std::mem::replace(&mut set[classes[state]], true) {
            continue;
        }
        ran.expansions += 1;
        queue.extend(&graph.successors[state]);
        if graph.accepting[state] {
            accepting.push(state);
        }
    }
    loop {
        let old = set.iter().filter(|x| **x).count();
        let mut predecessors = vec![0i64; states];
        queue.extend(accepting.drain(..).filter(|&a| set[classes[a]]));
        set.fill(false);
        while let Some(state) = queue.pop_front() {
            if std::mem::replace(&mut set[classes[state]], true) {
                continue;
            }
            ran.expansions += 1;
            for &next in &graph.successors[state] {
                predecessors[classes[next]] += 1;
                queue.push_back(next);
                if graph.accepting[next] {
                    accepting.push(next);
                }
            }
        }
        queue.extend(accepting.iter().copied().filter(|&a| set[classes[a]]));
        while let Some(state) = queue.pop_front() {
            let class = classes[state];
            if predecessors[class] != 0 || !set[class] {
                continue;
            }
            set[class] = false;
            for &next in &graph.successors[state] {
                predecessors[classes[next]] -= 1;
                queue.push_back(next);
            }
        }
        ran.rounds += 1;
        if set.iter().filter(|x| **x).count() >= old {
            break;
        }
    }
    ran.violated = verified(graph, classes, &accepting, verification);
    ran
}

/// The last phase of the printed algorithm: one set of visited states for all seeds.
fn verified(
    graph: &Graph,
    classes: &[usize],
    accepting: &[usize],
    verification: Verification,
) -> bool {
    let mut set = vec![false; classes.len()];
    for &seed in accepting {
        let mut queue = VecDeque::from([seed]);
        while let Some(state) = queue.pop_front() {
            if std::mem::replace(&mut set[classes[state]], true) {
                continue;
            }
            if verification == Verification::Printed && state == seed {
                return true;
            }
            for &next in &graph.successors[state] {
                if verification == Verification::EdgeTest && next == seed {
                    return true;
                }
                queue.push_back(next);
            }
        }
    }
    false
}

/// A state that waits, with the accepting state from which its path comes.
type Item = (usize, Option<usize>);

/// Chains of seeds: each state in a queue carries the start of its path.
fn chains(graph: &Graph, classes: &[usize]) -> Ran {
    let states = classes.len();
    let mut ran = Ran::default();
    let found = |ran: Ran| Ran {
        violated: true,
        ..ran
    };
    let mut set = vec![false; states];
    let mut starts = Vec::new();
    let mut queue: VecDeque<Item> = VecDeque::from([(0, None)]);
    while let Some((state, carried)) = queue.pop_front() {
        if std::mem::replace(&mut set[classes[state]], true) {
            continue;
        }
        ran.expansions += 1;
        let mut carried = carried;
        if graph.accepting[state] {
            starts.push(state);
            carried = carried.or(Some(state));
        }
        for &next in &graph.successors[state] {
            if carried == Some(next) || (next == state && graph.accepting[state]) {
                return found(ran);
            }
            queue.push_back((next, carried));
        }
    }
    // For each accepting state the start of a path to it.
    let mut seeds: Vec<Option<usize>> = vec![None; states];
    while !starts.is_empty() {
        ran.rounds += 1;
        let mut round = Round::new(states);
        let hits = round.reach(graph, classes, &starts, &mut ran.expansions);
        round.eliminate(graph, classes, &starts);
        for &(hit, seed) in &hits {
            seeds[hit] = Some(seed);
        }
        if returns(&seeds) {
            return found(ran);
        }
        let left = hits.iter().map(|&(hit, _)| hit);
        starts = left.filter(|&hit| round.set[classes[hit]]).collect();
    }
    ran
}

/// The entries of the classes in a round.
struct Round {
    set: Vec<bool>,
    /// The state of the class that was visited.
    visited: Vec<Option<usize>>,
    predecessors: Vec<u64>,
}

impl Round {
    fn new(states: usize) -> Self {
        Round {
            set: vec![false; states],
            visited: vec![None; states],
            predecessors: vec![0; states],
        }
    }

    /// Counts an edge to a state of the class. Whether the state is visited now.
    fn count(&mut self, class: usize, state: usize) -> bool {
        let is_new = self.visited[class].is_none();
        self.visited[class].get_or_insert(state);
        self.set[class] = true;
        self.predecessors[class] += 1;
        is_new
    }

    /// Subtracts an edge to a state of the class. Whether the state is removed now, which only the visited one can be.
    fn subtract(&mut self, class: usize, state: usize) -> bool {
        if !self.set[class] {
            return false;
        }
        self.predecessors[class] = self.predecessors[class].saturating_sub(1);
        self.set[class] = self.predecessors[class] > 0 || self.visited[class] != Some(state);
        !self.set[class]
    }

    /// Visits what can be reached from the starts. The accepting states to which edges lead, with the starts of the paths.
    fn reach(
        &mut self,
        graph: &Graph,
        classes: &[usize],
        starts: &[usize],
        expansions: &mut u64,
    ) -> Vec<(usize, usize)> {
        let mut hits = Vec::new();
        let mut is_hit = vec![false; classes.len()];
        let mut queue = VecDeque::new();
        for &start in starts {
            if self.count(classes[start], start) {
                queue.push_back((start, start));
            }
        }
        while let Some((state, seed)) = queue.pop_front() {
            *expansions += 1;
            for &next in &graph.successors[state] {
                let class = classes[next];
                if graph.accepting[next] && !std::mem::replace(&mut is_hit[class], true) {
                    hits.push((next, seed));
                }
                if self.count(class, next) {
                    queue.push_back((next, seed));
                }
            }
        }
        hits
    }

    /// Removes what no edge enters.
    fn eliminate(&mut self, graph: &Graph, classes: &[usize], starts: &[usize]) {
        let mut queue: VecDeque<usize> = starts.iter().copied().collect();
        while let Some(state) = queue.pop_front() {
            if self.subtract(classes[state], state) {
                queue.extend(&graph.successors[state]);
            }
        }
    }
}

/// Whether a chain from a state to its seed, to the seed of this, and so on returns.
fn returns(seeds: &[Option<usize>]) -> bool {
    (0..seeds.len()).any(|first| {
        let mut state = first;
        for _ in 0..seeds.len() {
            match seeds[state] {
                Some(seed) if seed == first => return true,
                Some(seed) => state = seed,
                None => return false,
            }
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(successors: &[&[usize]]) -> Graph {
        Graph {
            successors: successors.iter().map(|next| next.to_vec()).collect(),
            accepting: vec![true; successors.len()],
        }
    }

    fn run_all(graph: &Graph) -> [bool; 3] {
        let classes: Vec<usize> = (0..graph.accepting.len()).collect();
        ALGORITHMS.map(|(algorithm, _)| algorithm.run(graph, &classes).violated)
    }

    /// The smallest graphs on which the printed algorithm is wrong, without any collision.
    #[test]
    fn the_printed_algorithm_is_wrong_without_collisions() {
        // The edge test misses a cycle, as nothing was eliminated and the first seed has visited all of it.
        assert_eq!(run_all(&graph(&[&[1], &[2], &[2]])), [true, false, true]);
        // There is no cycle.
        assert_eq!(run_all(&graph(&[&[1], &[2], &[]])), [true, false, false]);
    }

    #[test]
    fn chains_report_no_violation_that_does_not_exist() {
        let rows = run(3, 3_000, &AtomicBool::new(false)).unwrap();
        assert_eq!(rows.len(), 9);
        for row in rows.iter().filter(|row| row.label.starts_with("chains")) {
            assert_eq!(row.cells[3], "0", "{row:?}");
            if row.block == "no collisions" {
                assert_eq!(row.cells[1], "0", "{row:?}");
            }
        }
        let printed = &rows[0];
        assert_ne!(printed.cells[3], "0", "{printed:?}");
        let repaired = &rows[1];
        assert_eq!(repaired.cells[3], "0", "{repaired:?}");
        assert_ne!(repaired.cells[1], "0", "{repaired:?}");
    }

    #[test]
    fn a_simulation_can_be_stopped() {
        assert_eq!(run(1, 10, &AtomicBool::new(true)), None);
    }
}
