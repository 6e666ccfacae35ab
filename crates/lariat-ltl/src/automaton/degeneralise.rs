//! From many acceptance sets to accepting states.
//!
//! The classical way takes a copy of the automaton for each set and goes to the next copy when it
//! has seen the set. Here it is done component by component (Babiak, Badie, Duret-Lutz, Křetínský
//! and Strejček, "Compositional approach to suspension and other improvements to LTL translation",
//! SPIN 2013): only accepting components are copied, only for the sets that matter in them, in the
//! order that suits them best. A step may pass several levels. Since levels mean nothing before a
//! component is entered, the entry can be at any of them; so of all copies of a component's states
//! only those in one final component of the copies are kept, the smallest one.

use super::scc::{Components, tarjan};
use super::trim::{Add, independent, maximal_marks, minimal_marks, trim};
use super::{Automaton, Edge};

/// A state-based automaton with one set for the same language.
pub fn degeneralise(automaton: &Automaton) -> Automaton {
    let all = degeneralisations(automaton);
    let best = all.into_iter().min_by_key(|a| a.states.len());
    best.unwrap_or_else(|| Automaton::empty(automaton.atoms.clone()))
}

/// Several state-based automata with one set for the same language.
pub(crate) fn degeneralisations(automaton: &Automaton) -> Vec<Automaton> {
    let mut source = automaton.clone();
    trim(&mut source);
    if source.sets <= 1 && source.is_state_based() {
        return vec![with_one_set(source)];
    }
    if source.statistics().edges > LARGE {
        return vec![by_levels(source)];
    }
    // Marks can be many or few for the same language; neither is always better.
    let [mut waits, mut many, mut few] = [(); 3].map(|()| source.clone());
    maximal_marks(&mut waits, Add::AfterWaits, false);
    maximal_marks(&mut many, Add::All, false);
    minimal_marks(&mut few, false);
    [waits, source, many, few].map(by_levels).into()
}

/// Automata with more edges are degeneralised in one way only.
const LARGE: usize = 10_000;

/// Copies of states at levels.
fn by_levels(source: Automaton) -> Automaton {
    let components = Components::of(&source);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); components.count()];
    for (s, &c) in components.component.iter().enumerate() {
        members[c as usize].push(s as u32);
    }
    // The new states, each a state of the source at a level, and those of each old state.
    let mut made = Vec::new();
    let mut copies: Vec<Vec<(u32, u32)>> = vec![Vec::new(); source.states.len()];
    let mut orders: Vec<Vec<u32>> = Vec::new();
    for (c, states) in members.iter().enumerate() {
        let mut levelled = match components.is_accepting(c as u32) {
            true => best_order(&source, &components, states),
            false => Levelled {
                order: vec![0],
                copies: states.iter().map(|&s| (s, 0)).collect(),
            },
        };
        levelled.copies.sort_unstable();
        for (s, level) in levelled.copies {
            copies[s as usize].push((level, made.len() as u32));
            made.push((s, level));
        }
        orders.push(levelled.order);
    }
    let mut states = Vec::new();
    for &(s, level) in &made {
        let c = components.component[s as usize] as usize;
        let accepting = components.is_accepting(c as u32);
        let marks = u64::from(accepting && level as usize == orders[c].len());
        let mut edges = Vec::new();
        for edge in source.edges(s) {
            let inside = components.inside(s, edge.target);
            let target = match inside && accepting {
                true => {
                    let reached = advance(level, edge.marks, &orders[c]);
                    let same = |copy: &&(u32, u32)| copy.0 == reached;
                    copies[edge.target as usize].iter().find(same)
                }
                false => copies[edge.target as usize].last(),
            };
            if let Some(&(_, target)) = target {
                edges.push(Edge {
                    target,
                    marks,
                    label: edge.label,
                });
            }
        }
        states.push(edges);
    }
    let first = |s: &u32| copies[*s as usize].last().map(|copy| copy.1);
    let initial = source.initial.iter().filter_map(first).collect();
    let mut result = Automaton {
        atoms: source.atoms,
        labels: source.labels,
        states,
        initial,
        sets: 1,
    };
    result.unite_edges();
    trim(&mut result);
    with_one_set(result)
}

/// An automaton with at most one set, on states, gets one if it has none.
pub(crate) fn with_one_set(mut automaton: Automaton) -> Automaton {
    if automaton.sets == 0 {
        automaton.sets = 1;
        for edge in automaton.states.iter_mut().flatten() {
            edge.marks = 1;
        }
    }
    automaton
}

/// The states of a component at the levels that are needed.
struct Levelled {
    /// The sets, in the order in which they are awaited.
    order: Vec<u32>,
    /// States with levels; at the level beyond the last set all have been seen.
    copies: Vec<(u32, u32)>,
}

/// The level after an edge with some marks.
fn advance(level: u32, marks: u64, order: &[u32]) -> u32 {
    let mut level = match level as usize == order.len() {
        true => 0,
        false => level as usize,
    };
    while level < order.len() && marks >> order[level] & 1 == 1 {
        level += 1;
    }
    level as u32
}

/// The order of sets with the fewest copies of states: all orders for few sets, some for more.
fn best_order(source: &Automaton, components: &Components, states: &[u32]) -> Levelled {
    let inside = |s: u32| {
        let edges = source.edges(s).iter();
        edges.filter(move |e| components.inside(s, e.target))
    };
    let mut marks: Vec<u64> = states
        .iter()
        .flat_map(|&s| inside(s).map(|e| e.marks))
        .collect();
    let sets = independent(&mut marks, source.sets);
    let mut number = vec![u32::MAX; source.states.len()];
    for (k, &s) in states.iter().enumerate() {
        number[s as usize] = k as u32;
    }
    let graph: Vec<Vec<(u32, u64)>> = states
        .iter()
        .map(|&s| {
            inside(s)
                .map(|e| (number[e.target as usize], e.marks))
                .collect()
        })
        .collect();
    let edges: usize = graph.iter().map(Vec::len).sum();
    let tries = (400_000 / ((edges + 1) * (sets.len() + 1))).clamp(1, 120);
    let levelled = |order: Vec<u32>| Levelled {
        copies: final_copies(&graph, &order),
        order,
    };
    let candidates = orders(&sets, tries).into_iter().map(levelled);
    let mut best = candidates
        .min_by_key(|l| l.copies.len())
        .unwrap_or(Levelled {
            order: Vec::new(),
            copies: Vec::new(),
        });
    for copy in &mut best.copies {
        copy.0 = states[copy.0 as usize];
    }
    best
}

/// Up to `limit` orders of the sets.
fn orders(sets: &[u32], limit: usize) -> Vec<Vec<u32>> {
    // Each order is the previous one's successor in the lexicographic order.
    let mut order = sets.to_vec();
    let mut all = vec![order.clone()];
    while all.len() < limit {
        let Some(pivot) = (1..order.len()).rev().find(|&k| order[k - 1] < order[k]) else {
            break;
        };
        let swap = (pivot..order.len())
            .rev()
            .find(|&k| order[k] > order[pivot - 1]);
        order.swap(pivot - 1, swap.unwrap_or(pivot));
        order[pivot..].reverse();
        all.push(order.clone());
    }
    all
}

/// The smallest final component of the graph of nodes at levels.
///
/// Every path of the component can be followed at every level, so a final component has each node
/// at some level.
fn final_copies(graph: &[Vec<(u32, u64)>], order: &[u32]) -> Vec<(u32, u32)> {
    let levels = order.len() as u32 + 1;
    let split = |copy: u32| (copy / levels, copy % levels);
    let successor = |copy: u32, k: usize| {
        let (node, level) = split(copy);
        let &(target, marks) = graph[node as usize].get(k)?;
        Some(target * levels + advance(level, marks, order))
    };
    let copies = graph.len() as u32 * levels;
    let roots: Vec<u32> = (0..copies).collect();
    let (component, count) = tarjan(copies as usize, &roots, successor);
    let mut is_final = vec![true; count];
    let mut size = vec![0u32; count];
    for copy in 0..copies {
        let c = component[copy as usize];
        size[c as usize] += 1;
        let edges = (0..).map_while(|k| successor(copy, k));
        for target in edges {
            is_final[c as usize] &= component[target as usize] == c;
        }
    }
    let best = (0..count).filter(|&c| is_final[c]).min_by_key(|&c| size[c]);
    let kept = |copy: &u32| Some(component[*copy as usize] as usize) == best;
    (0..copies).filter(kept).map(split).collect()
}
