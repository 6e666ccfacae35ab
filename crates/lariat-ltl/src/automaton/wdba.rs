//! Minimal deterministic weak automata, for the formulas that have one: obligations, which are the
//! boolean combinations of safety and guarantee.
//!
//! The subset construction is deterministic, and for an obligation it becomes an automaton for the
//! formula once it is decided which of its components accept: one cycle of a component decides for
//! all (Dax, Eisinger and Klaedtke, "Mechanizing the powerset construction for restricted classes
//! of ω-automata", ATVA 2007). Such an automaton has a unique minimal form, found by the
//! minimisation of finite automata after the states on no cycle have been given the right
//! acceptance (Löding, "Efficient minimization of deterministic weak ω-automata", Information
//! Processing Letters 79(3), 2001).
//!
//! Whether the formula is an obligation need not be known before: the result is compared with the
//! automata of the formula and of its negation, and given up if it is different.

use super::labels::Map;
use super::product::Referee;
use super::scc::Components;
use super::simulation::Work;
use super::trim::trim;
use super::{Automaton, Edge, Label, Labels, Letter};
use std::collections::HashMap;

/// The minimal deterministic weak automaton for the language of `automaton`, with the empty state
/// left out; nothing if there is none or if it takes too much work. `negation` accepts the
/// complement.
pub(crate) fn minimal(
    automaton: &Automaton,
    negation: &Automaton,
    work: &mut Work,
) -> Option<Automaton> {
    let mut complete = subsets(automaton, work)?;
    let accepting = decide(automaton, &complete, work)?;
    let classes = minimise(&complete.automaton, &accepting, work)?;
    let mut minimal = quotient(&mut complete.automaton, &accepting, &classes);
    is_empty_product(&mut minimal, negation, work)?;
    let mut complement = minimal.clone();
    for edge in complement.states.iter_mut().flatten() {
        edge.marks ^= 1;
    }
    is_empty_product(&mut complement, automaton, work)?;
    trim(&mut minimal);
    Some(super::degeneralise::with_one_set(minimal))
}

fn is_empty_product(a: &mut Automaton, b: &Automaton, work: &mut Work) -> Option<()> {
    if a.sets + b.sets > 64 {
        return None;
    }
    let mut referee = Referee::new(a, b);
    let graph = referee.graph(&a.states);
    (referee.is_disjoint(&graph, &a.initial, work)?).then_some(())
}

/// A complete deterministic automaton and the set of states behind each of its states.
struct Subsets {
    automaton: Automaton,
    sets: Vec<Vec<u32>>,
}

/// The subset construction.
fn subsets(source: &Automaton, work: &mut Work) -> Option<Subsets> {
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut labels = source.labels.clone();
    let mut initial = source.initial.clone();
    initial.sort_unstable();
    let mut sets = vec![initial.clone()];
    numbers.insert(initial, 0);
    let mut states = Vec::new();
    while states.len() < sets.len() {
        let mut pieces: Vec<(Label, Vec<u32>)> = vec![(Label::TRUE, Vec::new())];
        // Edges to the same state together, so that letters are split as little as possible.
        let mut targets: Map<u32, Label> = Map::default();
        for &s in &sets[states.len()] {
            for edge in source.edges(s) {
                let label = targets.entry(edge.target).or_insert(Label::FALSE);
                *label = labels.or(*label, edge.label);
            }
        }
        let mut targets: Vec<(u32, Label)> = targets.into_iter().collect();
        targets.sort_unstable();
        for (target, label) in targets {
            if !work.take(20 * pieces.len() as u64) {
                return None;
            }
            let mut split = Vec::with_capacity(2 * pieces.len());
            for (letters, set) in pieces {
                let inside = labels.and(letters, label);
                let outside = labels.minus(letters, label);
                if inside != Label::FALSE {
                    let mut more = set.clone();
                    more.push(target);
                    split.push((inside, more));
                }
                if outside != Label::FALSE {
                    split.push((outside, set));
                }
            }
            pieces = split;
        }
        let mut edges = Vec::new();
        for (label, set) in pieces {
            let fresh = sets.len() as u32;
            let target = *numbers.entry(set.clone()).or_insert(fresh);
            if target == fresh {
                work.take(10 * set.len() as u64);
                sets.push(set);
            }
            edges.push(Edge {
                target,
                marks: 0,
                label,
            });
        }
        states.push(edges);
        if work.0 == 0 || labels.is_full() {
            return None;
        }
    }
    let automaton = Automaton {
        atoms: source.atoms.clone(),
        labels,
        states,
        initial: vec![0],
        sets: 1,
    };
    Some(Subsets { automaton, sets })
}

/// Which states of the subset construction are accepting, with the acceptance of transient states
/// chosen such that the minimisation is unique.
fn decide(source: &Automaton, subsets: &Subsets, work: &mut Work) -> Option<Vec<bool>> {
    let complete = &subsets.automaton;
    let components = Components::of(complete);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); components.count()];
    for (s, &c) in components.component.iter().enumerate() {
        members[c as usize].push(s as u32);
    }
    let mut from = source.clone();
    // The colour of a component: even for accepting ones, and at least those behind it.
    let mut colours = vec![0u32; components.count()];
    for (c, states) in members.iter().enumerate() {
        let behind = states
            .iter()
            .flat_map(|&s| complete.edges(s))
            .map(|e| components.component[e.target as usize] as usize)
            .filter(|&target| target != c)
            .map(|target| colours[target])
            .max()
            .unwrap_or(0);
        colours[c] = match components.cyclic[c] {
            false => behind,
            true => {
                let (start, cycle) = cycle(complete, &components, states)?;
                let size = cycle.len() * source.states.len();
                if !work.take(size as u64 * 4) {
                    return None;
                }
                from.initial.clone_from(&subsets.sets[start as usize]);
                match from.accepts(&[], &cycle) {
                    true => behind.next_multiple_of(2),
                    false => behind | 1,
                }
            }
        };
    }
    let accepting = |&c: &u32| colours[c as usize].is_multiple_of(2);
    Some(components.component.iter().map(accepting).collect())
}

/// A state of a component and the letters of a shortest cycle back to it.
fn cycle(
    automaton: &Automaton,
    components: &Components,
    states: &[u32],
) -> Option<(u32, Vec<Letter>)> {
    let start = *states.first()?;
    let mut reached: Map<u32, (u32, Label)> = Map::default();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(s) = queue.pop_front() {
        for edge in automaton.edges(s) {
            if !components.inside(start, edge.target) || reached.contains_key(&edge.target) {
                continue;
            }
            reached.insert(edge.target, (s, edge.label));
            queue.push_back(edge.target);
        }
    }
    let mut letters: Vec<Letter> = Vec::new();
    let mut at = start;
    loop {
        let &(before, label) = reached.get(&at)?;
        let values = automaton.labels.letter(label)?.into_iter();
        letters.push(
            values
                .filter(|&(_, value)| value)
                .map(|(atom, _)| atom)
                .collect(),
        );
        at = before;
        if at == start {
            break;
        }
    }
    letters.reverse();
    Some((start, letters))
}

/// The class of each state: the coarsest partition that agrees with acceptance and edges (Moore).
fn minimise(automaton: &Automaton, accepting: &[bool], work: &mut Work) -> Option<Vec<u32>> {
    let mut classes: Vec<u32> = accepting.iter().map(|&a| u32::from(a)).collect();
    let mut count = 0;
    let mut labels = automaton.labels.clone();
    loop {
        let mut numbers: HashMap<(u32, Vec<(u32, Label)>), u32> = HashMap::new();
        let mut refined = Vec::with_capacity(classes.len());
        for (s, edges) in automaton.states.iter().enumerate() {
            if !work.take(10 * edges.len() as u64) {
                return None;
            }
            let edges = edges.iter().map(|e| (classes[e.target as usize], e.label));
            let signature = by_target(edges, &mut labels);
            let fresh = numbers.len() as u32;
            refined.push(*numbers.entry((classes[s], signature)).or_insert(fresh));
        }
        classes = refined;
        if numbers.len() == count {
            return (!labels.is_full()).then_some(classes);
        }
        count = numbers.len();
    }
}

/// Edges sorted by target, with one label for each.
fn by_target(edges: impl Iterator<Item = (u32, Label)>, labels: &mut Labels) -> Vec<(u32, Label)> {
    let mut edges: Vec<(u32, Label)> = edges.collect();
    edges.sort_unstable();
    edges.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 = labels.or(first.1, later.1);
        }
        same
    });
    edges
}

/// The automaton of classes.
fn quotient(automaton: &mut Automaton, accepting: &[bool], classes: &[u32]) -> Automaton {
    let count = classes.iter().max().map_or(0, |&c| c as usize + 1);
    let mut states: Vec<Vec<Edge>> = vec![Vec::new(); count];
    for (s, edges) in automaton.states.iter().enumerate() {
        let state = &mut states[classes[s] as usize];
        if !state.is_empty() {
            continue;
        }
        let edges = edges.iter().map(|e| (classes[e.target as usize], e.label));
        let marks = u64::from(accepting[s]);
        let edge = |(target, label)| Edge {
            target,
            marks,
            label,
        };
        *state = by_target(edges, &mut automaton.labels)
            .into_iter()
            .map(edge)
            .collect();
    }
    Automaton {
        atoms: automaton.atoms.clone(),
        labels: automaton.labels.clone(),
        states,
        initial: automaton
            .initial
            .iter()
            .map(|&s| classes[s as usize])
            .collect(),
        sets: 1,
    }
}
