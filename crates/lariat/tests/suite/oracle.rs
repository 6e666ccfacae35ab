//! What is true of a small graph, found in the most direct way.

use lariat::{Fairness, Model, Proposition};
use lariat_ltl::automaton::{Automaton, Limits, tgba};
use lariat_ltl::{Formula, Formulas};
use lariat_stats::Rng;
use std::collections::BTreeSet;

/// A model that is written down state by state.
#[derive(Clone, Debug)]
pub struct Table {
    pub initial: Vec<u16>,
    /// For each state its actions: who acts, and where that leads.
    pub edges: Vec<Vec<(Option<usize>, Option<u16>)>>,
    /// For each state which of the propositions hold.
    pub labels: Vec<u32>,
    pub actors: usize,
}

/// The names of the propositions.
pub const NAMES: [&str; 3] = ["p0", "p1", "p2"];

/// The marks of an edge of the product: from, to, the actor and the marks of the automaton.
type ProductEdge = (usize, usize, Option<usize>, u64);

impl Table {
    pub fn random(rng: &mut Rng) -> Self {
        let states = 1 + rng.below(8);
        let target = |rng: &mut Rng| rng.below(states) as u16;
        let actors = 1 + rng.index(3);
        let edge = |rng: &mut Rng| {
            let actor = rng.chance(0.8).then(|| rng.index(actors));
            (actor, rng.chance(0.9).then(|| target(rng)))
        };
        Table {
            initial: (0..=rng.below(2)).map(|_| target(rng)).collect(),
            edges: (0..states)
                .map(|_| (0..rng.below(4)).map(|_| edge(rng)).collect())
                .collect(),
            labels: (0..states).map(|_| rng.below(8) as u32).collect(),
            actors,
        }
    }

    pub fn holds(&self, state: u16, atom: usize) -> bool {
        self.labels[usize::from(state)] >> atom & 1 == 1
    }

    /// The edges that lead somewhere; a state that has none is followed by itself.
    fn moves(&self, state: u16) -> Vec<(Option<usize>, u16)> {
        let all = self.edges[usize::from(state)].iter();
        let moves: Vec<_> = all
            .filter_map(|&(actor, target)| Some((actor, target?)))
            .collect();
        match moves.is_empty() {
            true => vec![(None, state)],
            false => moves,
        }
    }

    pub fn is_end(&self, state: u16) -> bool {
        let mut edges = self.edges[usize::from(state)].iter();
        edges.all(|(_, target)| target.is_none())
    }

    pub fn reachable(&self) -> BTreeSet<u16> {
        let mut seen: BTreeSet<u16> = self.initial.iter().copied().collect();
        let mut todo: Vec<u16> = seen.iter().copied().collect();
        while let Some(state) = todo.pop() {
            for (_, target) in self.moves(state) {
                if seen.insert(target) {
                    todo.push(target);
                }
            }
        }
        seen
    }

    /// Whether all fair runs satisfy a formula.
    pub fn satisfies(&self, formulas: &Formulas, formula: Formula, fairness: Fairness) -> bool {
        let mut formulas = formulas.clone();
        let negated = formulas.not(formula);
        let automaton = tgba(&mut formulas, negated, &Limits::default()).unwrap();
        let product = Product::new(self, &automaton, fairness);
        !product.has_fair_cycle(&(0..product.nodes.len()).collect())
    }
}

impl Model for Table {
    type State = u16;
    /// The number of an edge, and a hundred times the number of its actor, from one on.
    type Action = usize;

    fn init(&self) -> Vec<u16> {
        self.initial.clone()
    }

    fn actions(&self, state: &u16, actions: &mut Vec<usize>) {
        let edges = self.edges[usize::from(*state)].iter().enumerate();
        actions.extend(edges.map(|(i, (actor, _))| actor.map_or(0, |a| a + 1) * 100 + i));
    }

    fn next(&self, state: &u16, action: &usize) -> Option<u16> {
        self.edges[usize::from(*state)][action % 100].1
    }

    fn actors(&self) -> usize {
        self.actors
    }

    fn actor(&self, action: &usize) -> Option<usize> {
        (action / 100).checked_sub(1)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        let named = |(atom, name): (usize, &&'static str)| {
            Proposition::new(*name, move |table: &Table, state| table.holds(*state, atom))
        };
        NAMES.iter().enumerate().map(named).collect()
    }
}

/// The product of a table and an automaton, with all its edges.
struct Product<'a> {
    table: &'a Table,
    automaton: &'a Automaton,
    fairness: Fairness,
    nodes: Vec<(u16, u32)>,
    edges: Vec<ProductEdge>,
}

impl<'a> Product<'a> {
    fn new(table: &'a Table, automaton: &'a Automaton, fairness: Fairness) -> Self {
        let mut product = Product {
            table,
            automaton,
            fairness,
            nodes: Vec::new(),
            edges: Vec::new(),
        };
        for &state in &table.initial {
            for &q in &automaton.initial {
                product.number((state, q));
            }
        }
        let mut next = 0;
        while let Some(&(state, q)) = product.nodes.get(next) {
            for edge in automaton.edges(q) {
                let value = |atom: u32| {
                    let name = &automaton.atoms[atom as usize];
                    let index = NAMES.iter().position(|other| other == name).unwrap();
                    Ok::<_, ()>(table.holds(state, index))
                };
                if automaton.labels.eval(edge.label, value) == Ok(true) {
                    for (actor, target) in table.moves(state) {
                        let to = product.number((target, edge.target));
                        product.edges.push((next, to, actor, edge.marks));
                    }
                }
            }
            next += 1;
        }
        product
    }

    fn number(&mut self, node: (u16, u32)) -> usize {
        let known = self.nodes.iter().position(|other| *other == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    fn reach(&self, from: usize, within: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            for &(a, b, _, _) in &self.edges {
                if a == node && within.contains(&b) && seen.insert(b) {
                    todo.push(b);
                }
            }
        }
        seen
    }

    fn is_enabled(&self, node: usize, actor: usize) -> bool {
        let moves = self.table.moves(self.nodes[node].0);
        moves.iter().any(|(other, _)| *other == Some(actor))
    }

    /// Whether there is an accepting and fair cycle within some nodes.
    fn has_fair_cycle(&self, within: &BTreeSet<usize>) -> bool {
        let mut left = within.clone();
        while let Some(node) = left.pop_first() {
            let component: BTreeSet<usize> = self
                .reach(node, within)
                .into_iter()
                .filter(|&other| self.reach(other, within).contains(&node))
                .collect();
            left.retain(|node| !component.contains(node));
            if !component.is_empty() && self.has_fair_cycle_through(&component) {
                return true;
            }
        }
        false
    }

    /// Whether there is such a cycle in a strongly connected component.
    fn has_fair_cycle_through(&self, component: &BTreeSet<usize>) -> bool {
        let inside =
            |edge: &&ProductEdge| component.contains(&edge.0) && component.contains(&edge.1);
        let edges: Vec<&ProductEdge> = self.edges.iter().filter(inside).collect();
        let marks = edges.iter().fold(0, |all, edge| all | edge.3);
        let all = self.automaton.all_marks();
        if marks & all != all {
            return false;
        }
        for actor in 0..self.table.actors {
            if edges.iter().any(|edge| edge.2 == Some(actor)) {
                continue;
            }
            let is_enabled = |node: &usize| self.is_enabled(*node, actor);
            match self.fairness {
                Fairness::Weak if component.iter().all(is_enabled) => return false,
                Fairness::Strong if component.iter().any(is_enabled) => {
                    let rest = component.iter().copied().filter(|node| !is_enabled(node));
                    return self.has_fair_cycle(&rest.collect());
                }
                _ => {}
            }
        }
        true
    }
}
