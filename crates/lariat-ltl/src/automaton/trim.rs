//! Removes what no accepted run needs: states that cannot be reached or from which nothing is
//! accepted, acceptance sets that follow from others, marks where they mean nothing.
//!
//! Marks matter only on edges inside of accepting components, since every accepted run stays in one
//! in the end. Elsewhere they can be chosen to suit the simulation that comes next ([`Fill`]).

use super::scc::{Components, tarjan};
use super::{Automaton, Edge};

/// The marks of edges that do not stay in a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// None.
    Nothing,
    /// Those of all sets.
    Everything,
}

/// Only the states that can be reached and from which something is accepted, and the initial ones.
pub(crate) fn useful_states(automaton: &mut Automaton) {
    let components = Components::of(automaton);
    let mut useful = vec![false; components.count()];
    // Edges lead to smaller numbers: the targets of a component are decided before it.
    let mut states: Vec<u32> = (0..automaton.states.len() as u32)
        .filter(|&s| components.component[s as usize] != Components::UNREACHABLE)
        .collect();
    states.sort_by_key(|&s| components.component[s as usize]);
    for &s in &states {
        let c = components.component[s as usize];
        let target = |e: &Edge| useful[components.component[e.target as usize] as usize];
        useful[c as usize] |= components.is_accepting(c) || automaton.edges(s).iter().any(target);
    }
    let keep = |s: u32| match components.component[s as usize] {
        Components::UNREACHABLE => false,
        c => useful[c as usize],
    };
    let kept: Vec<bool> = (0..automaton.states.len() as u32).map(keep).collect();
    keep_states(automaton, &kept);
}

/// Drops the states that are not to be kept, but never the last initial one.
fn keep_states(automaton: &mut Automaton, kept: &[bool]) {
    let mut number = vec![u32::MAX; automaton.states.len()];
    let any = automaton.initial.iter().any(|&s| kept[s as usize]);
    if !any {
        automaton.states = vec![Vec::new()];
        automaton.initial = vec![0];
        automaton.sets = 0;
        return;
    }
    let mut states = Vec::new();
    for (s, edges) in automaton.states.iter().enumerate() {
        if kept[s] {
            number[s] = states.len() as u32;
            states.push(edges.clone());
        }
    }
    for edges in &mut states {
        edges.retain(|e| kept[e.target as usize]);
        for edge in edges {
            edge.target = number[edge.target as usize];
        }
    }
    automaton.states = states;
    automaton.initial.retain(|&s| kept[s as usize]);
    for s in &mut automaton.initial {
        *s = number[*s as usize];
    }
}

/// Acceptance sets that follow from others inside of every accepting component are dropped: those
/// that have every edge, and those that have every edge of another.
pub(crate) fn useful_sets(automaton: &mut Automaton) {
    let components = Components::of(automaton);
    let mut marks: Vec<u64> = Vec::new();
    for (s, edges) in automaton.states.iter_mut().enumerate() {
        let accepting = components.accepting_state(s as u32);
        for edge in edges {
            if components.inside(s as u32, edge.target) {
                // Components without accepted runs stay so, whichever sets are dropped.
                edge.marks = if accepting { edge.marks } else { 0 };
                marks.push(edge.marks);
            }
        }
    }
    let needed = independent(&mut marks, automaton.sets);
    if needed.len() == automaton.sets as usize {
        return;
    }
    for edge in automaton.states.iter_mut().flatten() {
        edge.marks = gather(edge.marks, &needed);
    }
    automaton.sets = needed.len() as u32;
}

/// The sets that do not follow from others on edges with the given marks.
pub(crate) fn independent(marks: &mut Vec<u64>, sets: u32) -> Vec<u32> {
    marks.sort_unstable();
    marks.dedup();
    let mut needed: Vec<u32> = (0..sets).collect();
    for set in 0..sets {
        let everywhere = marks.iter().all(|m| m >> set & 1 == 1);
        let follows = needed.iter().any(|&other| {
            other != set
                && marks
                    .iter()
                    .all(|m| m >> other & 1 == 0 || m >> set & 1 == 1)
        });
        if everywhere || follows {
            needed.retain(|&s| s != set);
        }
    }
    needed
}

/// The marks of some sets, in a given order.
pub(crate) fn gather(marks: u64, sets: &[u32]) -> u64 {
    let bit = |(k, &set): (usize, &u32)| (marks >> set & 1) << k;
    sets.iter().enumerate().map(bit).sum()
}

/// Chooses the marks that mean nothing: none in components without accepted runs, `fill` on edges
/// between components. With `state_based` the edges that leave a state keep to agree.
pub(crate) fn canonical_marks(automaton: &mut Automaton, fill: Fill, state_based: bool) {
    let components = Components::of(automaton);
    let all = automaton.all_marks();
    let outside = match fill {
        Fill::Nothing => 0,
        Fill::Everything => all,
    };
    for (s, edges) in automaton.states.iter_mut().enumerate() {
        let c = components.component[s];
        if c == Components::UNREACHABLE {
            continue;
        }
        let accepting = components.is_accepting(c);
        let transient = !components.cyclic[c as usize];
        for edge in edges {
            let inside = components.component[edge.target as usize] == c;
            match (state_based, inside) {
                (true, _) if transient => edge.marks = outside,
                (true, _) if !accepting => edge.marks = 0,
                (true, _) => {}
                (false, true) if !accepting => edge.marks = 0,
                (false, true) => {}
                (false, false) => edge.marks = outside,
            }
        }
    }
}

/// The edges inside of components that do not have the mark of a set.
fn edges_without(automaton: &Automaton, components: &Components, set: u32) -> Vec<Vec<u32>> {
    let row = |(s, edges): (usize, &Vec<Edge>)| {
        let kept = |e: &&Edge| e.marks >> set & 1 == 0 && components.inside(s as u32, e.target);
        edges.iter().filter(kept).map(|e| e.target).collect()
    };
    automaton.states.iter().enumerate().map(row).collect()
}

/// Which marks are added inside of components where they change nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Add {
    /// All.
    All,
    /// All but those on edges from a state on no cycle without the mark to one on such a cycle: the
    /// mark comes when a wait is over, not when it begins.
    AfterWaits,
}

/// Adds marks inside of components where they change nothing: on edges that are on no cycle without
/// the mark; with `state_based`, on all edges of states on no such cycle.
pub(crate) fn maximal_marks(automaton: &mut Automaton, add: Add, state_based: bool) {
    let components = Components::of(automaton);
    let all: Vec<u32> = (0..automaton.states.len() as u32).collect();
    for set in 0..automaton.sets {
        let graph = edges_without(automaton, &components, set);
        let successor = |s: u32, k: usize| graph[s as usize].get(k).copied();
        let (part, count) = tarjan(graph.len(), &all, successor);
        let mut cyclic = vec![false; count];
        for (s, targets) in graph.iter().enumerate() {
            cyclic[part[s] as usize] |= targets.iter().any(|&t| part[t as usize] == part[s]);
        }
        let waits = |s: usize| cyclic[part[s] as usize];
        for (s, edges) in automaton.states.iter_mut().enumerate() {
            for edge in edges {
                let t = edge.target as usize;
                if state_based {
                    edge.marks |= u64::from(!waits(s)) << set;
                } else if components.inside(s as u32, edge.target) {
                    if add == Add::AfterWaits && !waits(s) && waits(t) {
                        edge.marks &= !(1 << set);
                    } else if part[s] != part[t] {
                        edge.marks |= 1 << set;
                    }
                }
            }
        }
    }
}

/// Removes marks inside of components as long as it changes nothing: while every cycle with the
/// edge (or state) has the mark elsewhere.
pub(crate) fn minimal_marks(automaton: &mut Automaton, state_based: bool) {
    let components = Components::of(automaton);
    for set in 0..automaton.sets {
        let mut graph = edges_without(automaton, &components, set);
        for s in 0..automaton.states.len() {
            let edges = automaton.states[s].clone();
            let marked = |e: &Edge| e.marks >> set & 1 == 1;
            let inside = |e: &Edge| components.inside(s as u32, e.target);
            let mut groups: Vec<Vec<usize>> = match state_based {
                true => vec![(0..edges.len()).collect()],
                false => (0..edges.len())
                    .filter(|&k| inside(&edges[k]))
                    .map(|k| vec![k])
                    .collect(),
            };
            groups.retain(|group| group.iter().any(|&k| marked(&edges[k])));
            for group in groups {
                let targets = group.iter().map(|&k| &edges[k]).filter(|e| inside(e));
                let targets: Vec<u32> = targets.map(|e| e.target).collect();
                if leads_to(&graph, &targets, s as u32) {
                    continue;
                }
                for k in group {
                    automaton.states[s][k].marks &= !(1 << set);
                }
                graph[s].extend(targets);
            }
        }
    }
}

/// Whether one of some nodes leads to a goal, or is it.
fn leads_to(graph: &[Vec<u32>], from: &[u32], goal: u32) -> bool {
    let mut seen = vec![false; graph.len()];
    let mut stack = from.to_vec();
    while let Some(s) = stack.pop() {
        if s == goal {
            return true;
        }
        if !std::mem::replace(&mut seen[s as usize], true) {
            stack.extend_from_slice(&graph[s as usize]);
        }
    }
    false
}

/// All of the above that keeps the automaton as it looks from outside.
pub(crate) fn trim(automaton: &mut Automaton) {
    useful_states(automaton);
    useful_sets(automaton);
}
