//! Removes states whose part another state can play.
//!
//! Let `q` simulate `p`, and let all edges to `p` lead to `q` instead. Nothing is lost: where a run
//! of the old automaton comes to a state, the new one can be in a state that simulates it. Something
//! may be gained, but that can be found out, as for mergers: the product with the automaton of the
//! negation must stay empty. The same works backwards: if every way to `p` has its like that leads
//! to `q`, then `q` can take over the edges that leave `p`.
//!
//! A merger of the two would do both at once and may gain too much where one of them does not. The
//! idea to change an automaton by one pair and then to verify the result is that of Gurumurthy,
//! Bloem and Somenzi ("Fair simulation minimization", CAV 2002).

use super::product::{Contexts, Move, Referee};
use super::simulation::{Relation, Work, choose_marks, simulation_backwards, simulation_forwards};
use super::trim::Fill;
use super::{Automaton, Edge};

/// Removes one state, if there is one whose part another can play. `negation` accepts the
/// complement.
pub(crate) fn redirect(
    automaton: &mut Automaton,
    negation: &Automaton,
    state_based: bool,
    work: &mut Work,
) -> bool {
    if automaton.states.len() < 2 || automaton.sets + negation.sets > 64 {
        return false;
    }
    // Which states simulate which depends on marks that mean nothing.
    for fill in [Fill::Everything, Fill::Nothing] {
        choose_marks(automaton, fill, state_based);
        let mut referee = Referee::new(automaton, negation);
        let graph = referee.graph(&automaton.states);
        let Some(contexts) = referee.contexts(&graph, &automaton.initial, work) else {
            return false;
        };
        for way in [Way::Forwards, Way::Backwards] {
            let relation = match way {
                Way::Forwards => simulation_forwards(automaton, work),
                Way::Backwards => simulation_backwards(automaton, state_based, work),
            };
            let Some(relation) = relation else { continue };
            for change in changes(way, &relation, &contexts, automaton.states.len()) {
                let initial = change.initial(&automaton.initial);
                let changed = change.moves(&graph, state_based);
                match referee.is_disjoint(&changed, &initial, work) {
                    Some(true) => {
                        change.apply(automaton, state_based);
                        return true;
                    }
                    Some(false) => {}
                    None => return false,
                }
            }
        }
    }
    false
}

/// Which edges of a state another one takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Those that lead to it.
    Forwards,
    /// Those that leave it.
    Backwards,
}

/// The state `to` plays the part of the state `from`.
#[derive(Clone, Copy, Debug)]
struct Change {
    way: Way,
    from: u32,
    to: u32,
}

/// The changes that lose nothing and do not gain anything at once.
fn changes(way: Way, relation: &Relation, contexts: &Contexts, count: usize) -> Vec<Change> {
    let mut changes = Vec::new();
    for from in 0..count {
        for to in 0..count {
            let right = match way {
                Way::Forwards => contexts.may_continue(from, to),
                Way::Backwards => contexts.may_continue(to, from),
            };
            if from != to && right && relation.has(from, to) {
                let (from, to) = (from as u32, to as u32);
                changes.push(Change { way, from, to });
            }
        }
    }
    changes
}

impl Change {
    fn initial(&self, initial: &[u32]) -> Vec<u32> {
        let replace = |&s: &u32| if s == self.from { self.to } else { s };
        initial.iter().map(replace).collect()
    }

    /// The edges of the changed automaton.
    fn moves(&self, graph: &[Vec<Move>], state_based: bool) -> Vec<Vec<Move>> {
        let mut changed = graph.to_vec();
        let own = std::mem::take(&mut changed[self.from as usize]);
        match self.way {
            Way::Forwards => {
                for edge in changed.iter_mut().flatten() {
                    edge.target = if edge.target == self.from { self.to } else { edge.target };
                }
            }
            Way::Backwards => {
                for edges in &mut changed {
                    edges.retain(|e| e.target != self.from);
                }
                let marks = graph[self.to as usize].first().map(|e| e.marks);
                let taken = own.into_iter().filter(|e| e.target != self.from);
                changed[self.to as usize].extend(taken.map(|e| Move {
                    marks: marks.filter(|_| state_based).unwrap_or(e.marks),
                    ..e
                }));
            }
        }
        changed
    }

    /// Changes the automaton; the state stays behind, without edges.
    fn apply(&self, automaton: &mut Automaton, state_based: bool) {
        automaton.initial = self.initial(&automaton.initial);
        automaton.initial.sort_unstable();
        automaton.initial.dedup();
        let own = std::mem::take(&mut automaton.states[self.from as usize]);
        match self.way {
            Way::Forwards => {
                for edge in automaton.states.iter_mut().flatten() {
                    edge.target = if edge.target == self.from { self.to } else { edge.target };
                }
            }
            Way::Backwards => {
                for edges in &mut automaton.states {
                    edges.retain(|e| e.target != self.from);
                }
                let edges = &mut automaton.states[self.to as usize];
                let marks = edges.first().map(|e| e.marks);
                let taken = own.into_iter().filter(|e| e.target != self.from);
                edges.extend(taken.map(|e| Edge {
                    marks: marks.filter(|_| state_based).unwrap_or(e.marks),
                    ..e
                }));
            }
        }
        automaton.unite_edges();
    }
}
