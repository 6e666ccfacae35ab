//! Merges states and removes edges by direct simulation, forwards and backwards.
//!
//! A state `r` simulates `q` if for every edge of `q` and every letter on it `r` has an edge with at
//! least the same marks to a state that simulates the target. States that simulate each other are
//! merged, and an edge is removed where the same state has a better one (Etessami and Holzmann,
//! "Optimizing Büchi automata", CONCUR 2000; Somenzi and Bloem, "Efficient Büchi automata from LTL
//! formulae", CAV 2000). The same on the reversed automaton, where initial states can only be
//! matched by initial states, merges and removes more; so both alternate until nothing changes
//! (Babiak et al., "Compositional approach to suspension and other improvements to LTL
//! translation", SPIN 2013). Clemente and Mayr ("Efficient reduction of nondeterministic automata
//! with application to language inclusion testing", LMCS 15(1), 2019) prove that each step by
//! itself keeps the language.
//!
//! The relation is kept as a bit matrix. Automata of formulas are small, and the plain computation
//! is fast on them; [`Work`] stops it on large ones.

use super::labels::{Labels, Map};
use super::trim::{Add, Fill, canonical_marks, maximal_marks, minimal_marks, trim};
use super::{Automaton, Edge, Label};

/// Steps that may still be spent on an automaton.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work(pub u64);

impl Work {
    /// Does something with at most `limit` of these steps.
    pub(crate) fn at_most<T>(&mut self, limit: u64, job: impl FnOnce(&mut Work) -> T) -> T {
        let mut part = Work(limit.min(self.0));
        let before = part.0;
        let result = job(&mut part);
        self.0 -= before - part.0;
        result
    }

    /// Takes steps; `false` if there were not enough.
    pub(crate) fn take(&mut self, steps: u64) -> bool {
        let enough = self.0 >= steps;
        self.0 = self.0.saturating_sub(steps);
        enough
    }
}

/// Simulation both ways until the automaton stops to shrink.
pub(crate) fn reduce(automaton: &mut Automaton, state_based: bool, work: &mut Work) {
    let mut best = usize::MAX;
    trim(automaton);
    loop {
        let edges = automaton.statistics().edges as u64;
        if edges * edges / 4 > work.0 {
            break;
        }
        for fill in [Fill::Everything, Fill::Nothing] {
            choose_marks(automaton, fill, state_based);
            forwards(automaton, work);
            trim(automaton);
            choose_marks(automaton, fill, state_based);
            backwards(automaton, state_based, work);
            trim(automaton);
        }
        let statistics = automaton.statistics();
        let size = statistics.states * 1_000_000 + statistics.edges;
        if size >= best || work.0 == 0 {
            break;
        }
        best = size;
    }
    canonical_marks(automaton, Fill::Nothing, state_based);
}

/// Chooses marks among those that mean the same: as many as possible, or as few.
fn choose_marks(automaton: &mut Automaton, fill: Fill, state_based: bool) {
    canonical_marks(automaton, fill, state_based);
    match fill {
        Fill::Everything => maximal_marks(automaton, Add::All, state_based),
        Fill::Nothing => minimal_marks(automaton, state_based),
    }
}

/// A relation between states, a row of bits for each: those that simulate it.
struct Relation {
    width: usize,
    bits: Vec<u64>,
}

impl Relation {
    fn full(states: usize) -> Self {
        let width = states.div_ceil(64);
        Relation {
            width,
            bits: vec![u64::MAX; width * states],
        }
    }

    /// Whether `r` simulates `q`.
    fn has(&self, q: usize, r: usize) -> bool {
        self.bits[q * self.width + r / 64] >> (r % 64) & 1 == 1
    }

    fn remove(&mut self, q: usize, r: usize) {
        self.bits[q * self.width + r / 64] &= !(1 << (r % 64));
    }

    /// For each state the first of those that simulate it and are simulated by it.
    fn representatives(&self, states: usize) -> Vec<u32> {
        let equal = |q: usize, r: usize| self.has(q, r) && self.has(r, q);
        let first = |q: usize| (0..q).find(|&r| equal(q, r)).unwrap_or(q) as u32;
        (0..states).map(first).collect()
    }
}

/// How two labels relate, by numbers in place of labels, each pair computed when it is needed.
struct Overlaps {
    labels: Vec<Label>,
    table: Vec<u8>,
}

/// What an operation on labels costs, compared with a look at a pair of edges.
const OPERATION: u64 = 30;

const DISJOINT: u8 = 1;
const OVERLAP: u8 = 2;
const IMPLIED: u8 = 3;

impl Overlaps {
    /// Whether the letters of the first are all letters of the second, or some, or none.
    fn get(&mut self, a: u32, b: u32, labels: &mut Labels, work: &mut Work) -> u8 {
        let at = a as usize * self.labels.len() + b as usize;
        if self.table[at] == 0 {
            work.take(OPERATION);
            let (a, b) = (self.labels[a as usize], self.labels[b as usize]);
            self.table[at] = if !labels.meets(a, b) {
                DISJOINT
            } else if labels.implies(a, b) {
                IMPLIED
            } else {
                OVERLAP
            };
        }
        self.table[at]
    }
}

/// The edges of an automaton with numbers in place of labels.
struct Numbered {
    edges: Vec<Vec<(u32, Edge)>>,
    overlaps: Overlaps,
}

impl Numbered {
    /// Nothing if there are too many labels.
    fn new(states: &[Vec<Edge>]) -> Option<Self> {
        let mut numbers: Map<Label, u32> = Map::default();
        let mut labels = Vec::new();
        let mut number = |e: &Edge| {
            let number = *numbers.entry(e.label).or_insert_with(|| {
                labels.push(e.label);
                labels.len() as u32 - 1
            });
            (number, *e)
        };
        let row = |edges: &Vec<Edge>| edges.iter().map(&mut number).collect();
        let edges = states.iter().map(row).collect();
        if labels.len() > 4096 {
            return None;
        }
        let table = vec![0; labels.len() * labels.len()];
        Some(Numbered {
            edges,
            overlaps: Overlaps { labels, table },
        })
    }

    /// Whether every edge of `q` is matched, letter by letter, by edges of `r`.
    fn matches(
        &mut self,
        q: usize,
        r: usize,
        relation: &Relation,
        labels: &mut Labels,
        work: &mut Work,
    ) -> bool {
        let Numbered { edges, overlaps } = self;
        let better = |e: &Edge, f: &Edge| {
            e.marks & !f.marks == 0 && relation.has(e.target as usize, f.target as usize)
        };
        edges[q].iter().all(|(a, e)| {
            let mut rest = e.label;
            for (b, f) in edges[r].iter().filter(|(_, f)| better(e, f)) {
                match overlaps.get(*a, *b, labels, work) {
                    IMPLIED => return true,
                    OVERLAP => {
                        work.take(OPERATION);
                        rest = labels.minus(rest, f.label);
                    }
                    _ => {}
                }
                if rest == Label::FALSE {
                    return true;
                }
            }
            false
        })
    }
}

/// The largest direct simulation within what `allowed` permits; nothing if it takes too long. The
/// pairs are visited in the given order of states; it is best if targets come first.
fn simulation(
    states: &[Vec<Edge>],
    order: &[usize],
    labels: &mut Labels,
    allowed: impl Fn(usize, usize) -> bool,
    work: &mut Work,
) -> Option<Relation> {
    let count = states.len();
    let mut numbered = Numbered::new(states)?;
    // The first round compares many edges with many edges, and their labels.
    let edges = states.iter().map(Vec::len).sum::<usize>() as u64;
    let overlaps = numbered.overlaps.table.len() as u64;
    let price = (count * count) as u64 + edges * edges / 4 + overlaps * OPERATION / 4;
    if price > work.0 || !work.take((count * count) as u64) {
        return None;
    }
    let mut relation = Relation::full(count);
    for q in 0..count {
        for r in 0..count {
            if !allowed(q, r) {
                relation.remove(q, r);
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &q in order {
            for &r in order {
                if q == r || !relation.has(q, r) {
                    continue;
                }
                if !work.take(1 + (states[q].len() * states[r].len()) as u64) {
                    return None;
                }
                if !numbered.matches(q, r, &relation, labels, work) {
                    relation.remove(q, r);
                    changed = true;
                }
            }
        }
    }
    (!labels.is_full()).then_some(relation)
}

/// Removes letters from edges of one state where another of its edges is better.
fn prune(edges: &mut Vec<Edge>, relation: &Relation, labels: &mut Labels) {
    let all = edges.clone();
    for edge in edges.iter_mut() {
        for other in &all {
            let different = (edge.target, edge.marks) != (other.target, other.marks);
            let better = edge.marks & !other.marks == 0
                && relation.has(edge.target as usize, other.target as usize);
            if different && better {
                edge.label = labels.minus(edge.label, other.label);
            }
        }
    }
    edges.retain(|e| e.label != Label::FALSE);
}

/// Which states simulate which.
fn simulation_forwards(automaton: &mut Automaton, work: &mut Work) -> Option<Relation> {
    // States are numbered in the order in which they were found.
    let order: Vec<usize> = (0..automaton.states.len()).rev().collect();
    simulation(
        &automaton.states,
        &order,
        &mut automaton.labels,
        |_, _| true,
        work,
    )
}

/// Which states simulate which on the reversed automaton.
fn simulation_backwards(
    automaton: &mut Automaton,
    state_based: bool,
    work: &mut Work,
) -> Option<Relation> {
    let count = automaton.states.len();
    let mut initial = vec![false; count];
    for &s in &automaton.initial {
        initial[s as usize] = true;
    }
    // With acceptance on states only states that agree about it may be merged.
    let own: Vec<u64> = (0..count as u32)
        .map(|s| match state_based {
            true => automaton.edges(s).first().map_or(0, |e| e.marks),
            false => 0,
        })
        .collect();
    let allowed = |q: usize, r: usize| (!initial[q] || initial[r]) && own[q] & !own[r] == 0;
    let reversed = reverse(&automaton.states);
    let order: Vec<usize> = (0..count).collect();
    simulation(&reversed, &order, &mut automaton.labels, allowed, work)
}

/// Merges states and removes edges by simulation. State-based automata stay so.
fn forwards(automaton: &mut Automaton, work: &mut Work) {
    let Some(relation) = simulation_forwards(automaton, work) else {
        return;
    };
    let first = relation.representatives(automaton.states.len());
    merge_targets(&mut automaton.states, &first);
    for s in &mut automaton.initial {
        *s = first[*s as usize];
    }
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
    automaton.unite_edges();
    for edges in &mut automaton.states {
        prune(edges, &relation, &mut automaton.labels);
    }
}

/// Lets edges lead to representatives, and drops the edges of the other states.
fn merge_targets(states: &mut [Vec<Edge>], first: &[u32]) {
    for (s, edges) in states.iter_mut().enumerate() {
        if first[s] as usize != s {
            edges.clear();
        }
        for edge in edges {
            edge.target = first[edge.target as usize];
        }
    }
}

/// As [`forwards`], on the reversed automaton.
fn backwards(automaton: &mut Automaton, state_based: bool, work: &mut Work) {
    let Some(relation) = simulation_backwards(automaton, state_based, work) else {
        return;
    };
    let first = relation.representatives(automaton.states.len());
    automaton.states = reverse(&automaton.states);
    merge_targets(&mut automaton.states, &first);
    automaton.unite_edges();
    for edges in &mut automaton.states {
        prune(edges, &relation, &mut automaton.labels);
    }
    automaton.states = reverse(&automaton.states);
    for s in &mut automaton.initial {
        *s = first[*s as usize];
    }
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
}

/// The edges the other way round.
fn reverse(states: &[Vec<Edge>]) -> Vec<Vec<Edge>> {
    let mut reversed = vec![Vec::new(); states.len()];
    for (s, edges) in states.iter().enumerate() {
        for edge in edges {
            reversed[edge.target as usize].push(Edge {
                target: s as u32,
                ..*edge
            });
        }
    }
    reversed
}
