//! Merges states as long as the negation does not notice.
//!
//! Whichever states are merged, every run stays a run: the automaton can only accept more than
//! before. So a merger is right if and only if the result accepts nothing that the automaton of the
//! negated formula accepts, and that is an emptiness check of a small product. All quotients by
//! simulations are special cases, and there are more. The price is a product for each pair of
//! states.
//!
//! Most pairs are ruled out by a look at single states. When a state has been reached together with
//! some states of the negation, the other state must have no word in common with these; otherwise a
//! run could come to the one, go on from the other, and be wrong. Two bit sets for each state
//! decide that.
//!
//! Mergers are monotone: a pair that cannot be merged by itself cannot be merged together with
//! others. So the pairs that can are computed once, and then put together greedily in several
//! orders, because one merger can forbid another.

use super::product::{Move, Referee};
use super::simulation::Work;
use super::{Automaton, Edge};

/// Merges states of an automaton whose complement is the language of `negation`; whether there were
/// any that could be merged.
pub(crate) fn merge(
    automaton: &mut Automaton,
    negation: &Automaton,
    state_based: bool,
    work: &mut Work,
) -> bool {
    if automaton.states.len() < 2 || automaton.sets + negation.sets > 64 {
        return false;
    }
    let referee = Referee::new(automaton, negation);
    let graph = referee.graph(&automaton.states);
    let Some(contexts) = referee.contexts(&graph, &automaton.initial, work) else {
        return false;
    };
    let mut merging = Merging {
        referee,
        graph: &graph,
        initial: &automaton.initial,
        state_based,
        work,
    };
    let count = automaton.states.len();
    let mut pairs = Vec::new();
    for p in 0..count {
        for q in 0..p {
            if contexts.may_continue(p, q) && contexts.may_continue(q, p) {
                pairs.push((q as u32, p as u32));
            }
        }
    }
    let best = match merging.are_cheap(&pairs, count) {
        Some(true) => merging.best_of_many(pairs, count),
        _ => merging.greedy(&pairs, count),
    };
    apply(automaton, &best, state_based);
    best != identity(count)
}

/// The orders of pairs that are tried.
const ATTEMPTS: u32 = 8;

fn identity(count: usize) -> Vec<u32> {
    (0..count as u32).collect()
}

/// The pairs in one of several orders.
fn reorder(pairs: &[(u32, u32)], attempt: u32) -> Vec<(u32, u32)> {
    let mut order = pairs.to_vec();
    match attempt {
        0 => {}
        1 => order.reverse(),
        2 => order.sort_by_key(|&(q, p)| (p - q, q)),
        _ => order.sort_by_key(|&(q, p)| {
            let key = (q.wrapping_mul(0x9e37_79b9) ^ p.wrapping_mul(0x85eb_ca6b)) ^ attempt;
            key.wrapping_mul(0xc2b2_ae35) ^ (key.wrapping_mul(0x27d4_eb2f) >> 15)
        }),
    }
    order
}

struct Merging<'a> {
    referee: Referee,
    graph: &'a [Vec<Move>],
    initial: &'a [u32],
    state_based: bool,
    work: &'a mut Work,
}

impl Merging<'_> {
    /// Whether there is enough work to check each pair by itself, with some to spare.
    fn are_cheap(&mut self, pairs: &[(u32, u32)], count: usize) -> Option<bool> {
        let before = self.work.0;
        self.is_right(&identity(count))?;
        let price = (before - self.work.0) * pairs.len() as u64;
        Some(price < before / 4)
    }

    /// The fewest classes of several attempts with the pairs that can be merged by themselves.
    fn best_of_many(&mut self, mut pairs: Vec<(u32, u32)>, count: usize) -> Vec<u32> {
        pairs.retain(|&(q, p)| {
            let mut classes = identity(count);
            classes[p as usize] = q;
            self.is_right(&classes) == Some(true)
        });
        let number = |classes: &Vec<u32>| (0..count).filter(|&s| classes[s] as usize == s).count();
        let mut best = identity(count);
        if pairs.is_empty() {
            return best;
        }
        for attempt in 0..ATTEMPTS {
            let classes = self.greedy(&reorder(&pairs, attempt), count);
            if number(&classes) < number(&best) {
                best = classes;
            }
        }
        best
    }

    /// Merges pairs, one after the other, each if it is right together with those before; gives the
    /// first state of each state's class.
    fn greedy(&mut self, pairs: &[(u32, u32)], count: usize) -> Vec<u32> {
        let mut classes = identity(count);
        for &(q, p) in pairs {
            let (a, b) = (classes[q as usize], classes[p as usize]);
            if a == b {
                continue;
            }
            let mut merged = classes.clone();
            for class in &mut merged {
                if *class == a.max(b) {
                    *class = a.min(b);
                }
            }
            match self.is_right(&merged) {
                Some(true) => classes = merged,
                Some(false) => {}
                None => break,
            }
        }
        classes
    }

    /// Whether the automaton with merged states still accepts nothing of the negation.
    fn is_right(&mut self, classes: &[u32]) -> Option<bool> {
        let mut graph: Vec<Vec<Move>> = vec![Vec::new(); self.graph.len()];
        for (s, moves) in self.graph.iter().enumerate() {
            let merged = &mut graph[classes[s] as usize];
            merged.extend(moves.iter().map(|m| Move {
                target: classes[m.target as usize],
                ..*m
            }));
        }
        if self.state_based {
            for moves in &mut graph {
                let marks = moves.iter().fold(0, |all, m| all | m.marks);
                moves.iter_mut().for_each(|m| m.marks = marks);
            }
        }
        let initial: Vec<u32> = self.initial.iter().map(|&s| classes[s as usize]).collect();
        self.work
            .take(graph.iter().map(|moves| moves.len() as u64 + 1).sum());
        self.referee.is_disjoint(&graph, &initial, self.work)
    }
}

/// Merges each state into the first of its class. The others stay behind, without edges.
fn apply(automaton: &mut Automaton, classes: &[u32], state_based: bool) {
    let mut states: Vec<Vec<Edge>> = vec![Vec::new(); automaton.states.len()];
    for (s, edges) in automaton.states.iter().enumerate() {
        let merged = &mut states[classes[s] as usize];
        merged.extend(edges.iter().map(|e| Edge {
            target: classes[e.target as usize],
            ..*e
        }));
    }
    if state_based {
        for edges in &mut states {
            let marks = edges.iter().fold(0, |all, e| all | e.marks);
            edges.iter_mut().for_each(|e| e.marks = marks);
        }
    }
    automaton.states = states;
    for s in &mut automaton.initial {
        *s = classes[*s as usize];
    }
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
    automaton.unite_edges();
}
