//! Whether two automata accept a common word.
//!
//! The product is built on the fly and searched with Couvreur's algorithm ("On-the-fly verification
//! of linear temporal logic", FM 1999): a depth-first search that keeps the marks of each open
//! component and stops as soon as one has them all.

use super::degeneralise::degeneralise;
use super::labels::Map;
use super::scc::tarjan;
use super::simulation::Work;
use super::{Automaton, Edge, Label, Labels};
use std::collections::HashMap;

/// Whether no word is accepted by both. Atoms with the same name are the same.
pub fn are_disjoint(a: &Automaton, b: &Automaton) -> bool {
    let mut atoms = a.atoms.clone();
    let mut number = |name: &String| {
        let found = atoms.iter().position(|n| n == name);
        found.unwrap_or_else(|| {
            atoms.push(name.clone());
            atoms.len() - 1
        }) as u32
    };
    let numbers: Vec<u32> = b.atoms.iter().map(&mut number).collect();
    let mut labels = Labels::new();
    let mut known = HashMap::new();
    let mut b = match a.sets + b.sets > 64 {
        true => degeneralise(b),
        false => b.clone(),
    };
    for edge in b.states.iter_mut().flatten() {
        edge.label = labels.copy_renamed(&b.labels, edge.label, &numbers, &mut known);
    }
    b.labels = labels;
    let mut a = match a.sets + b.sets > 64 {
        true => degeneralise(a),
        false => a.clone(),
    };
    let mut referee = Referee::new(&mut a, &b);
    let graph = referee.graph(&a.states);
    referee.is_disjoint(&graph, &a.initial, &mut Work(u64::MAX)) == Some(true)
}

/// Compares automata, which differ in their edges but not in their labels, with one opponent.
pub(crate) struct Referee {
    opponent: Vec<Vec<Move>>,
    initial: Vec<u32>,
    /// The marks of all sets of both.
    all: u64,
    numbers: Map<Label, u32>,
    /// For each label of ours, which of the opponent's it meets.
    meets: Vec<Vec<bool>>,
    order: Vec<u32>,
}

/// An edge with the number of its label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub label: u32,
    pub target: u32,
    pub marks: u64,
}

const NEW: u32 = 0;
const CLOSED: u32 = u32::MAX;

impl Referee {
    /// A referee for automata with the labels of `own`. Atoms have the same numbers, and both
    /// together have at most 64 sets.
    pub(crate) fn new(own: &mut Automaton, opponent: &Automaton) -> Self {
        let mut known = HashMap::new();
        let mut theirs: Map<Label, u32> = Map::default();
        let mut their_labels = Vec::new();
        let shift = own.sets;
        let moves = |edge: &Edge| {
            let label = own.labels.copy(&opponent.labels, edge.label, &mut known);
            let number = *theirs.entry(label).or_insert_with(|| {
                their_labels.push(label);
                their_labels.len() as u32 - 1
            });
            Move {
                label: number,
                target: edge.target,
                marks: if shift < 64 { edge.marks << shift } else { 0 },
            }
        };
        let mut moves = moves;
        let row = |edges: &Vec<Edge>| edges.iter().map(&mut moves).collect();
        let opponent_moves: Vec<Vec<Move>> = opponent.states.iter().map(row).collect();
        let mut numbers: Map<Label, u32> = Map::default();
        let mut meets = Vec::new();
        for edge in own.states.iter().flatten() {
            numbers.entry(edge.label).or_insert_with(|| {
                let labels = &mut own.labels;
                let row = their_labels.iter().map(|&l| labels.meets(edge.label, l));
                meets.push(row.collect());
                meets.len() as u32 - 1
            });
        }
        let sets = own.sets + opponent.sets;
        Referee {
            opponent: opponent_moves,
            initial: opponent.initial.clone(),
            all: if sets == 0 {
                0
            } else {
                u64::MAX >> (64 - sets.min(64))
            },
            numbers,
            meets,
            order: Vec::new(),
        }
    }

    /// Edges with numbers in place of labels.
    pub(crate) fn graph(&self, states: &[Vec<Edge>]) -> Vec<Vec<Move>> {
        let moves = |e: &Edge| Move {
            label: self.numbers[&e.label],
            target: e.target,
            marks: e.marks,
        };
        states
            .iter()
            .map(|edges| edges.iter().map(moves).collect())
            .collect()
    }

    /// Whether a graph accepts nothing that the opponent accepts; nothing if there is not enough
    /// work to find out.
    pub(crate) fn is_disjoint(
        &mut self,
        graph: &[Vec<Move>],
        initial: &[u32],
        work: &mut Work,
    ) -> Option<bool> {
        let width = self.opponent.len();
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.resize(graph.len() * width, NEW);
        let roots: Vec<(u32, u32)> = initial
            .iter()
            .flat_map(|&a| self.initial.iter().map(move |&b| (a, b)))
            .collect();
        let mut search = Search {
            referee: self,
            graph,
            width,
            order,
            visited: 0,
            stack: Vec::new(),
            components: Vec::new(),
            open: Vec::new(),
            work,
        };
        let mut result = Some(true);
        for (a, b) in roots {
            result = search.from(a, b);
            if result != Some(true) {
                break;
            }
        }
        let order = search.order;
        self.order = order;
        result
    }
}

/// What a referee knows about single states.
pub(crate) struct Contexts {
    /// For each state, the opponent's states that can be reached together with it, as bits.
    reached: Vec<Vec<u64>>,
    /// For each state, the opponent's states that accept a word in common with it, as bits.
    shared: Vec<Vec<u64>>,
}

impl Contexts {
    /// Whether a run may leave through `q` when it has come to `p`, once.
    pub(crate) fn may_continue(&self, p: usize, q: usize) -> bool {
        let mut words = self.reached[p].iter().zip(&self.shared[q]);
        words.all(|(reached, shared)| reached & shared == 0)
    }
}

impl Referee {
    /// What is known about single states of a graph.
    pub(crate) fn contexts(
        &self,
        graph: &[Vec<Move>],
        initial: &[u32],
        work: &mut Work,
    ) -> Option<Contexts> {
        let width = self.opponent.len();
        let mut product: Vec<Vec<(u32, u64)>> = Vec::with_capacity(graph.len() * width);
        for moves in graph {
            for partners in &self.opponent {
                if !work.take((moves.len() * partners.len()) as u64) {
                    return None;
                }
                let mut edges = Vec::new();
                for a in moves {
                    let meets = &self.meets[a.label as usize];
                    for b in partners.iter().filter(|b| meets[b.label as usize]) {
                        let target = a.target * width as u32 + b.target;
                        edges.push((target, a.marks | b.marks));
                    }
                }
                product.push(edges);
            }
        }
        let starts = initial
            .iter()
            .flat_map(|&a| self.initial.iter().map(move |&b| a * width as u32 + b));
        let reached = reach(&product, starts.collect());
        let shared = accepted_from(&product, self.all);
        let bits = |nodes: &Vec<bool>| {
            let row = |row: &[bool]| {
                let mut bits = vec![0u64; width.div_ceil(64)];
                for (k, _) in row.iter().enumerate().filter(|(_, set)| **set) {
                    bits[k / 64] |= 1 << (k % 64);
                }
                bits
            };
            nodes.chunks(width).map(row).collect()
        };
        Some(Contexts {
            reached: bits(&reached),
            shared: bits(&shared),
        })
    }
}

/// The nodes that can be reached.
fn reach(graph: &[Vec<(u32, u64)>], mut stack: Vec<u32>) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut reached[node as usize], true) {
            stack.extend(graph[node as usize].iter().map(|edge| edge.0));
        }
    }
    reached
}

/// The nodes from which a cycle with all marks can be reached.
fn accepted_from(graph: &[Vec<(u32, u64)>], all: u64) -> Vec<bool> {
    let roots: Vec<u32> = (0..graph.len() as u32).collect();
    let successor = |node: u32, k: usize| Some(graph[node as usize].get(k)?.0);
    let (component, count) = tarjan(graph.len(), &roots, successor);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for &node in &roots {
        members[component[node as usize] as usize].push(node);
    }
    // Edges lead to smaller components, which are decided before.
    let mut accepted = vec![false; count];
    for (c, nodes) in members.iter().enumerate() {
        let (mut cyclic, mut marks) = (false, 0);
        for &(target, edge) in nodes.iter().flat_map(|&node| &graph[node as usize]) {
            match component[target as usize] as usize {
                inside if inside == c => {
                    cyclic = true;
                    marks |= edge;
                }
                other => accepted[c] |= accepted[other],
            }
        }
        accepted[c] |= cyclic && marks & all == all;
    }
    component.iter().map(|&c| accepted[c as usize]).collect()
}

/// A node on the search stack: the states, and the next pair of edges to look at.
struct Frame {
    own: u32,
    other: u32,
    edge: usize,
    partner: usize,
}

struct Search<'a> {
    referee: &'a Referee,
    graph: &'a [Vec<Move>],
    width: usize,
    /// When a node was visited, from 1 on; [`CLOSED`] when its component is done.
    order: Vec<u32>,
    visited: u32,
    stack: Vec<Frame>,
    /// The open components: the order of the first node, the marks inside, the marks of the edge
    /// that led to it.
    components: Vec<(u32, u64, u64)>,
    open: Vec<usize>,
    work: &'a mut Work,
}

impl Search<'_> {
    fn from(&mut self, own: u32, other: u32) -> Option<bool> {
        if self.order[self.node(own, other)] == NEW {
            self.enter(own, other, 0);
        }
        while let Some(frame) = self.stack.last_mut() {
            let edges = &self.graph[frame.own as usize];
            let partners = &self.referee.opponent[frame.other as usize];
            if frame.edge >= edges.len() || partners.is_empty() {
                self.leave();
                continue;
            }
            let (edge, partner) = (edges[frame.edge], partners[frame.partner]);
            frame.partner += 1;
            if frame.partner == partners.len() {
                frame.partner = 0;
                frame.edge += 1;
            }
            if !self.work.take(1) {
                return None;
            }
            if !self.referee.meets[edge.label as usize][partner.label as usize] {
                continue;
            }
            let marks = edge.marks | partner.marks;
            match self.order[self.node(edge.target, partner.target)] {
                NEW => self.enter(edge.target, partner.target, marks),
                CLOSED => {}
                order => {
                    if self.close_cycle(order, marks) {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }

    fn node(&self, own: u32, other: u32) -> usize {
        own as usize * self.width + other as usize
    }

    fn enter(&mut self, own: u32, other: u32, marks: u64) {
        self.visited += 1;
        let node = self.node(own, other);
        self.order[node] = self.visited;
        self.components.push((self.visited, 0, marks));
        self.open.push(node);
        self.stack.push(Frame {
            own,
            other,
            edge: 0,
            partner: 0,
        });
    }

    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        let order = self.order[self.node(frame.own, frame.other)];
        if self.components.last().is_some_and(|c| c.0 == order) {
            self.components.pop();
            while let Some(node) = self.open.pop() {
                let last = self.order[node] == order;
                self.order[node] = CLOSED;
                if last {
                    break;
                }
            }
        }
    }

    /// Unites the components on a cycle back to a node; whether the result has all marks.
    fn close_cycle(&mut self, order: u32, marks: u64) -> bool {
        let mut marks = marks;
        while let Some(&mut (first, inside, before)) = self.components.last_mut() {
            if first <= order {
                break;
            }
            marks |= inside | before;
            self.components.pop();
        }
        match self.components.last_mut() {
            Some(component) => {
                component.1 |= marks;
                component.1 & self.referee.all == self.referee.all
            }
            None => false,
        }
    }
}
