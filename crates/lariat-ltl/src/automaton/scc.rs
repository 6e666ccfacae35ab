//! Strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", SIAM
//! Journal on Computing 1(2), 1972), without recursion.

use super::{Automaton, Label, Strength};

/// The components of the reachable part of an automaton.
///
/// They are numbered backwards: an edge never leads to a component with a greater number.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each state; [`Components::UNREACHABLE`] for a state that no run visits.
    pub component: Vec<u32>,
    /// The marks of the edges inside of each component, together.
    pub marks: Vec<u64>,
    /// Whether a component has edges inside.
    pub cyclic: Vec<bool>,
    /// The marks that an accepting component has.
    all: u64,
}

impl Components {
    /// In place of a component's number.
    pub const UNREACHABLE: u32 = u32::MAX;

    /// The components of an automaton.
    pub fn of(automaton: &Automaton) -> Self {
        let edges = |s: u32, k: usize| Some(automaton.edges(s).get(k)?.target);
        let (component, count) = tarjan(automaton.states.len(), &automaton.initial, edges);
        let mut components = Components {
            component,
            marks: vec![0; count],
            cyclic: vec![false; count],
            all: automaton.all_marks(),
        };
        for (state, edges) in automaton.states.iter().enumerate() {
            for edge in edges {
                if components.inside(state as u32, edge.target) {
                    let c = components.component[state] as usize;
                    components.marks[c] |= edge.marks;
                    components.cyclic[c] = true;
                }
            }
        }
        components
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.marks.len()
    }

    /// Whether an edge between two states stays in one component.
    pub fn inside(&self, from: u32, to: u32) -> bool {
        let component = self.component[from as usize];
        component == self.component[to as usize] && component != Self::UNREACHABLE
    }

    /// Whether some run that stays in the component is accepted.
    pub fn is_accepting(&self, component: u32) -> bool {
        let c = component as usize;
        component != Self::UNREACHABLE && self.cyclic[c] && self.marks[c] == self.all
    }

    /// Whether a state is in an accepting component.
    pub fn accepting_state(&self, state: u32) -> bool {
        self.is_accepting(self.component[state as usize])
    }

    /// The strength of each component.
    pub fn strengths(&self, automaton: &Automaton) -> Vec<Strength> {
        let mut states = vec![Vec::new(); self.count()];
        for (state, &component) in self.component.iter().enumerate() {
            if component != Self::UNREACHABLE {
                states[component as usize].push(state as u32);
            }
        }
        let strength = |(c, states): (usize, &Vec<u32>)| {
            if !self.is_accepting(c as u32) {
                Strength::Empty
            } else if self.has_rejected_cycle(automaton, states) {
                Strength::Strong
            } else if self.is_closed_under_letters(automaton, states) {
                Strength::Terminal
            } else {
                Strength::Weak
            }
        };
        states.iter().enumerate().map(strength).collect()
    }

    /// Whether some cycle of the component misses a set: one that avoids the edges of that set.
    fn has_rejected_cycle(&self, automaton: &Automaton, states: &[u32]) -> bool {
        (0..automaton.sets).any(|set| {
            let avoids = |s: u32| {
                let edges = automaton.edges(s).iter();
                edges.filter(move |e| e.marks >> set & 1 == 0 && self.inside(s, e.target))
            };
            let mut number = vec![u32::MAX; automaton.states.len()];
            for (k, &s) in states.iter().enumerate() {
                number[s as usize] = k as u32;
            }
            let graph: Vec<Vec<(u32, u64)>> = states
                .iter()
                .map(|&s| avoids(s).map(|e| (number[e.target as usize], 0)).collect())
                .collect();
            let roots: Vec<u32> = (0..states.len() as u32).collect();
            has_accepted_cycle(&graph, &roots, 0)
        })
    }

    /// Whether every state of the component has an edge inside for every letter.
    fn is_closed_under_letters(&self, automaton: &Automaton, states: &[u32]) -> bool {
        let mut labels = automaton.labels.clone();
        states.iter().all(|&s| {
            let inside = automaton
                .edges(s)
                .iter()
                .filter(|e| self.inside(s, e.target));
            let any = inside.fold(Label::FALSE, |any, e| labels.or(any, e.label));
            any == Label::TRUE
        })
    }
}

/// Whether a graph with marks on its edges has a cycle with all of them that can be reached from
/// the roots.
pub fn has_accepted_cycle(graph: &[Vec<(u32, u64)>], roots: &[u32], all: u64) -> bool {
    let edge = |s: u32, k: usize| Some(graph[s as usize].get(k)?.0);
    let (component, count) = tarjan(graph.len(), roots, edge);
    let mut marks = vec![0; count];
    let mut cyclic = vec![false; count];
    for (s, edges) in graph.iter().enumerate() {
        for &(t, m) in edges {
            if component[s] == component[t as usize] && component[s] != Components::UNREACHABLE {
                marks[component[s] as usize] |= m;
                cyclic[component[s] as usize] = true;
            }
        }
    }
    (0..count).any(|c| cyclic[c] && marks[c] & all == all)
}

/// The component of each node that can be reached from the roots, and the number of components.
/// `successor` gives the k-th successor of a node.
pub fn tarjan(
    nodes: usize,
    roots: &[u32],
    successor: impl Fn(u32, usize) -> Option<u32>,
) -> (Vec<u32>, usize) {
    const NEW: u32 = u32::MAX;
    let mut component = vec![Components::UNREACHABLE; nodes];
    let mut order = vec![NEW; nodes];
    let mut low = vec![0; nodes];
    let mut open: Vec<u32> = Vec::new();
    let mut stack: Vec<(u32, usize)> = Vec::new();
    let mut visited = 0;
    let mut count = 0;
    for &root in roots {
        if order[root as usize] != NEW {
            continue;
        }
        stack.push((root, 0));
        while let Some(&mut (node, ref mut next)) = stack.last_mut() {
            let n = node as usize;
            if *next == 0 && order[n] == NEW {
                order[n] = visited;
                low[n] = visited;
                visited += 1;
                open.push(node);
            }
            let k = *next;
            *next += 1;
            if let Some(target) = successor(node, k) {
                let t = target as usize;
                if order[t] == NEW {
                    stack.push((target, 0));
                } else if component[t] == Components::UNREACHABLE {
                    low[n] = low[n].min(order[t]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                let p = parent as usize;
                low[p] = low[p].min(low[n]);
            }
            if low[n] == order[n] {
                while let Some(member) = open.pop() {
                    component[member as usize] = count as u32;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    (component, count)
}
