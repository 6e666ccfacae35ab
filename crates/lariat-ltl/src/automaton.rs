//! Büchi automata with boolean functions as labels.
//!
//! An [`Automaton`] is a generalised Büchi automaton with acceptance on its edges: each edge carries
//! the marks of some of at most 64 sets, and a run is accepted if it takes edges of every set for
//! ever. With no set at all every infinite run is accepted. An automaton with at most one set, in
//! which the edges that leave a state agree, is as good as one with accepting states
//! ([`Automaton::is_state_based`]).
//!
//! | file | what |
//! |---|---|
//! | `labels` | labels: decision diagrams over atoms |
//! | `accept` | whether a word is accepted |
//! | `scc` | strongly connected components and their strengths |
//! | `translate` | from a formula to an automaton |
//! | `trim` | removes what no accepted run needs |
//! | `simulation` | merges states and removes edges by direct simulation, both ways |
//! | `product` | products and their emptiness |
//! | `merge` | merges states as long as the negation does not notice |
//! | `wdba` | minimal deterministic weak automata |
//! | `degeneralise` | from many acceptance sets to accepting states |
//! | `determinise` | deterministic parity automata, made on demand |
//! | `smallest` | the order in which all this is tried |
//! | `hoa`, `dot`, `never` | formats |

mod accept;
mod degeneralise;
pub mod determinise;
pub mod dot;
pub mod hoa;
pub mod labels;
mod merge;
pub mod never;
pub mod product;
pub mod scc;
mod simulation;
mod smallest;
mod translate;
mod trim;
mod wdba;

pub use degeneralise::degeneralise;
pub use determinise::Determinised;
pub use labels::{Label, Labels};
pub use smallest::{buchi, minimal_dfa, tgba};

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub use crate::lasso::{Letter, Numbered};

/// A generalised Büchi automaton with acceptance on edges.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The names of the atoms. An automaton made from a formula has those of the formula's arena,
    /// with the same numbers.
    pub atoms: Vec<String>,
    /// The arena of the labels.
    pub labels: Labels,
    /// The edges that leave each state.
    pub states: Vec<Vec<Edge>>,
    /// The states in which runs begin. Automata made from formulas have exactly one.
    pub initial: Vec<u32>,
    /// The number of acceptance sets, at most 64.
    pub sets: u32,
}

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The state that it leads to.
    pub target: u32,
    /// The acceptance sets that it belongs to, a bit for each.
    pub marks: u64,
    /// The letters that it can be taken with.
    pub label: Label,
}

/// The size of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Its states.
    pub states: usize,
    /// Its edges.
    pub edges: usize,
    /// Its acceptance sets.
    pub sets: u32,
}

/// How hard it is to see that a run is accepted (Bloem, Ravi and Somenzi, "Efficient decision
/// procedures for model checking of linear time logic properties", CAV 1999).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// No run is accepted.
    Empty,
    /// An accepting component accepts everything from then on: reaching it is enough.
    Terminal,
    /// No component has both accepted and rejected cycles: any cycle in an accepting one will do.
    Weak,
    /// Some component has both.
    Strong,
}

impl Automaton {
    /// An automaton with one state and no edges, which accepts nothing.
    pub fn empty(atoms: Vec<String>) -> Self {
        Automaton {
            atoms,
            labels: Labels::new(),
            states: vec![Vec::new()],
            initial: vec![0],
            sets: 0,
        }
    }

    /// The edges that leave a state.
    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.states[state as usize]
    }

    /// The marks of all sets.
    pub fn all_marks(&self) -> u64 {
        match self.sets {
            0 => 0,
            sets => u64::MAX >> (64 - sets.min(64)),
        }
    }

    /// Its size.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            states: self.states.len(),
            edges: self.states.iter().map(Vec::len).sum(),
            sets: self.sets,
        }
    }

    /// Whether there is at most one set and the edges that leave a state agree about it.
    pub fn is_state_based(&self) -> bool {
        let agree = |edges: &Vec<Edge>| edges.windows(2).all(|w| w[0].marks == w[1].marks);
        self.sets <= 1 && self.states.iter().all(agree)
    }

    /// Whether a state is accepting, in an automaton that is state-based: all its edges have all
    /// marks. A state without edges is not accepting.
    pub fn is_accepting(&self, state: u32) -> bool {
        let all = self.all_marks();
        let edges = self.edges(state);
        !edges.is_empty() && edges.iter().all(|e| e.marks == all)
    }

    /// Whether there is at most one run for each word.
    pub fn is_deterministic(&self) -> bool {
        let mut labels = self.labels.clone();
        self.initial.len() <= 1
            && self.states.iter().all(|edges| {
                let mut taken = Label::FALSE;
                edges.iter().all(|e| {
                    let fresh = !labels.meets(taken, e.label);
                    taken = labels.or(taken, e.label);
                    fresh
                })
            })
    }

    /// Whether there is an initial state and every state has an edge for every letter.
    pub fn is_complete(&self) -> bool {
        let mut labels = self.labels.clone();
        !self.initial.is_empty()
            && self.states.iter().all(|edges| {
                let any = edges
                    .iter()
                    .fold(Label::FALSE, |any, e| labels.or(any, e.label));
                any == Label::TRUE
            })
    }

    /// The strongest of the strengths of its components.
    pub fn strength(&self) -> Strength {
        let components = scc::Components::of(self);
        let strengths = components.strengths(self);
        strengths.into_iter().max().unwrap_or(Strength::Empty)
    }

    /// Makes every state accepting that lies in a component without a rejected cycle. That changes
    /// nothing about what is accepted, and then such a component is accepting as a whole.
    pub fn saturate(&mut self) {
        let components = scc::Components::of(self);
        let strengths = components.strengths(self);
        let all = self.all_marks();
        for (edges, &component) in self.states.iter_mut().zip(&components.component) {
            let strength = strengths.get(component as usize).copied();
            if matches!(strength, Some(Strength::Weak | Strength::Terminal)) {
                edges.iter_mut().for_each(|edge| edge.marks |= all);
            }
        }
    }

    /// Whether the word that begins with `prefix` and then repeats `cycle` for ever is accepted. An
    /// empty cycle stands for one letter without atoms.
    pub fn accepts(&self, prefix: &[Letter], cycle: &[Letter]) -> bool {
        let silence = [Letter::new()];
        let cycle = if cycle.is_empty() { &silence } else { cycle };
        let letter = |at: usize| &cycle[at];
        accept::accepts(self, prefix.iter(), cycle.len(), letter)
    }

    /// The same for a word whose letters are told by their numbers: one of many letters, few of which differ. It takes
    /// [`acceptance_bytes`](Self::acceptance_bytes).
    pub fn accepts_numbered(&self, word: &Numbered<'_>) -> bool {
        let prefix = word.prefix.iter().map(|&number| word.letter(number));
        let letter = |at: usize| word.letter(word.cycle[at]);
        accept::accepts(self, prefix, word.cycle.len(), letter)
    }

    /// The bytes that it takes to decide about a word with a cycle of so many letters.
    pub fn acceptance_bytes(&self, cycle: usize) -> usize {
        accept::bytes(self, cycle)
    }

    /// The same automaton with a fresh arena that only has what the labels need.
    pub fn compact(&self) -> Automaton {
        let mut labels = Labels::new();
        let mut known = HashMap::new();
        let mut states = self.states.clone();
        for edge in states.iter_mut().flatten() {
            edge.label = labels.copy(&self.labels, edge.label, &mut known);
        }
        Automaton {
            atoms: self.atoms.clone(),
            labels,
            states,
            initial: self.initial.clone(),
            sets: self.sets,
        }
    }

    /// Unites the edges of a state that differ only in their labels, and drops those without
    /// letters.
    pub(crate) fn unite_edges(&mut self) {
        let labels = &mut self.labels;
        for edges in &mut self.states {
            edges.sort_unstable();
            edges.dedup_by(|later, first| {
                if (later.target, later.marks) != (first.target, first.marks) {
                    return false;
                }
                let either = labels.or(first.label, later.label);
                let room = !labels.is_full();
                first.label = if room { either } else { first.label };
                room
            });
            edges.retain(|e| e.label != Label::FALSE);
        }
    }
}

/// What a translation may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// States of any automaton on the way.
    pub states: usize,
    /// Decisions in any arena of labels, some 50 bytes each.
    pub decisions: usize,
    /// Set to end the work.
    pub stop: Arc<AtomicBool>,
    /// When to end the work.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            states: 100_000,
            decisions: 1 << 22,
            stop: Arc::default(),
            deadline: None,
        }
    }
}

impl Limits {
    /// An error if the work should end.
    pub(crate) fn check(&self) -> Result<(), TooLarge> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(TooLarge::Stopped);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(TooLarge::Time),
            _ => Ok(()),
        }
    }
}

/// Why a translation was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// More states than the limit.
    States(usize),
    /// More edges than the limit of states allows, ten for each.
    Edges(usize),
    /// More decisions in labels than the limit.
    Decisions(usize),
    /// More acceptance sets than an automaton can have.
    Sets,
    /// More atoms and temporal subformulas than labels can have variables.
    Variables,
    /// The time is over.
    Time,
    /// It was asked to stop.
    Stopped,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TooLarge::States(limit) => {
                write!(
                    f,
                    "the automaton of the formula has more than {limit} states"
                )
            }
            TooLarge::Edges(limit) => {
                write!(
                    f,
                    "the automaton of the formula has more than {limit} edges"
                )
            }
            TooLarge::Decisions(limit) => write!(
                f,
                "the labels of the formula's automaton need more than {limit} decisions"
            ),
            TooLarge::Sets => write!(
                f,
                "the automaton of the formula has more than 64 acceptance sets"
            ),
            TooLarge::Variables => write!(
                f,
                "the formula has more than {} atoms and temporal subformulas",
                Labels::VARIABLES
            ),
            TooLarge::Time => write!(f, "the translation of the formula takes too long"),
            TooLarge::Stopped => write!(f, "the translation of the formula was stopped"),
        }
    }
}

impl std::error::Error for TooLarge {}
