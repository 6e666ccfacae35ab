//! The synchronous product of a state space and a property automaton, generated on demand.
//!
//! A state is a state of the system followed by one word, the state of the automaton. An edge of the automaton whose
//! label holds in the system's state, together with any edge of the system, is an edge of the product. A proposition
//! is evaluated only if a label contains it, and at most once for each expanded state; the system is expanded only if
//! an edge of the automaton is enabled.
//!
//! Entering some states of an automaton decides the run: every continuation is accepted, or a never claim has reached
//! its end. Such a state has an *entry fault*. Instead of an edge to it, the product reports that fault for the state
//! in which the automaton could enter it.

use lariat_ltl::automaton::scc::Components;
use lariat_ltl::automaton::{Automaton, Edge, Letter};
use lariat_stats::Dice;

use crate::{Acceptance, AcceptingGraph, DRAWN, Draw, Expansion, Fault, StateSpace, WIDE};

/// A state space whose states can be asked for the values of propositions.
pub trait Propositions {
    /// Makes `state` the state in which [`holds`](Self::holds) evaluates.
    fn set_state(&mut self, state: &[u32]);

    /// Whether an atom holds in that state; the code of a fault if its evaluation fails.
    fn holds(&mut self, atom: u32) -> Result<bool, u32>;
}

/// The product of a system and an automaton.
#[derive(Clone, Debug)]
pub struct Product<S> {
    system: S,
    automaton: Automaton,
    /// For each state of the automaton, the code of its entry fault.
    entry_faults: Vec<Option<u32>>,
    /// How many of the first acceptance sets the system and the automaton have in common.
    shared: u32,
    /// For each state of the automaton, its distance in edges to an accepting component.
    distances: Vec<u32>,
    /// Whether edges of the system have marks.
    has_marks: bool,
    /// Whether the automaton is nondeterministic, so that a run of it can miss acceptance.
    chooses: bool,
    values: Valuation,
    enabled: Vec<usize>,
    edges: Expansion,
    target: Vec<u32>,
    marks: Vec<u64>,
}

impl<S: AcceptingGraph + Propositions> Product<S> {
    /// The product. With `share`, the first set of the system and the first set of the automaton are one set: an edge
    /// is in it if it is in either.
    pub fn new(
        system: S,
        automaton: Automaton,
        entry_faults: Vec<Option<u32>>,
        share: bool,
    ) -> Self {
        let shared = u32::from(share && automaton.sets > 0 && system.acceptance().sets > 0);
        let edges = Expansion::with_marks(system.acceptance().words());
        Product {
            values: Valuation::new(automaton.atoms.len()),
            distances: distances(&automaton, &entry_faults),
            has_marks: system.acceptance() != Acceptance::default(),
            chooses: !automaton.is_deterministic(),
            system,
            automaton,
            entry_faults,
            shared,
            enabled: Vec::new(),
            edges,
            target: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// The system, mutable.
    pub fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }

    /// The label of the system's edge in the product's edge of `state` with label `label`, and its target.
    pub fn resolve(&mut self, state: &[u32], label: u32) -> Option<(u32, Vec<u32>)> {
        let (_, q) = split(state)?;
        self.expand(state, &mut Expansion::new());
        if self.edges.is_empty() {
            return None;
        }
        let (position, index) = (
            label as usize / self.edges.len(),
            label as usize % self.edges.len(),
        );
        let edge = self.automaton.edges(q)[*self.enabled.get(position)?];
        let (target, system_label) = self.edges.edge(index);
        let mut whole = target.to_vec();
        whole.push(edge.target);
        Some((system_label, whole))
    }

    /// Determines which edges of the automaton are enabled in a state, and expands the system if one is.
    fn expand(&mut self, state: &[u32], out: &mut Expansion) {
        self.enable(state, out);
        if let (Some((system, _)), false) = (split(state), self.enabled.is_empty()) {
            self.system.successors(system, &mut self.edges);
        }
    }

    /// Determines which edges of the automaton are enabled in a state.
    fn enable(&mut self, state: &[u32], out: &mut Expansion) {
        self.enabled.clear();
        self.edges.clear();
        let known = |q: u32| (q as usize) < self.automaton.states.len();
        let Some((system, q)) = split(state).filter(|(_, q)| known(*q)) else {
            out.set_incomplete();
            return;
        };
        self.values.forget();
        self.system.set_state(system);
        for (index, edge) in self.automaton.edges(q).iter().enumerate() {
            let value = |atom| self.values.get(atom, || self.system.holds(atom));
            match self.automaton.labels.eval(edge.label, value) {
                Ok(false) => {}
                Ok(true) => match self.entry_faults.get(edge.target as usize) {
                    Some(Some(code)) => out.push_fault(Fault {
                        code: *code,
                        label: None,
                    }),
                    _ => self.enabled.push(index),
                },
                Err(code) => out.push_fault(Fault { code, label: None }),
            }
        }
    }

    /// Draws an edge of the automaton among those that are enabled in a state; `None` if none is.
    fn draw_edge(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) -> Option<Edge> {
        self.enable(state, out);
        let position = dice.index(self.enabled.len());
        let index = *self.enabled.get(position)?;
        Some(self.automaton.edges(split(state)?.1)[index])
    }

    /// The target of the edge of the automaton that these dice draw in `state`; the dice are left as the system
    /// receives them.
    pub fn resolve_draw(&mut self, state: &[u32], dice: &mut Dice) -> Option<u32> {
        let edge = self.draw_edge(state, dice, &mut Expansion::new())?;
        Some(edge.target)
    }

    /// Adds all pairs of an enabled edge of the automaton and an edge of the system.
    fn push_all(&mut self, state: &[u32], out: &mut Expansion) {
        copy_faults(&self.edges, out);
        let Some((_, q)) = split(state) else { return };
        let mut label = 0;
        for position in 0..self.enabled.len() {
            let edge = self.automaton.edges(q)[self.enabled[position]];
            for index in 0..self.edges.len() {
                self.push(edge, index, label, out);
                label += 1;
            }
        }
    }

    /// Adds the product's edge of an edge of the automaton and one of the system.
    fn push(&mut self, edge: Edge, index: usize, label: u32, out: &mut Expansion) {
        self.combine(edge.marks, index);
        self.target.clear();
        self.target.extend_from_slice(self.edges.edge(index).0);
        self.target.push(edge.target);
        out.push_marked(&self.target, label, &self.marks);
    }

    /// Computes the marks of the product's edge of an edge of the automaton and one of the system.
    fn combine(&mut self, automaton: u64, edge: usize) {
        let shift = self.automaton.sets - self.shared;
        self.marks.clear();
        self.marks.push(automaton);
        for (index, &word) in self.edges.marks(edge).iter().enumerate() {
            let bit = index as u32 * 64 + shift;
            or_word(&mut self.marks, bit, word);
        }
    }
}

/// The distance in edges of each state of an automaton to an accepting component or to a state with an entry fault.
fn distances(automaton: &Automaton, entry_faults: &[Option<u32>]) -> Vec<u32> {
    let components = Components::of(automaton);
    let has_entry_fault = |q: u32| entry_faults.get(q as usize).is_some_and(Option::is_some);
    let states = 0..automaton.states.len() as u32;
    let is_goal = |q: u32| has_entry_fault(q) || components.accepting_state(q);
    let mut distances: Vec<u32> = states
        .map(|q| if is_goal(q) { 0 } else { u32::MAX })
        .collect();
    // Automata are small: iterate until no distance decreases.
    let mut changed = true;
    while changed {
        changed = false;
        for q in 0..distances.len() {
            let next = automaton.edges(q as u32).iter();
            let least = next.map(|edge| distances[edge.target as usize]).min();
            let distance = least.unwrap_or(u32::MAX).saturating_add(1);
            if distance < distances[q] {
                distances[q] = distance;
                changed = true;
            }
        }
    }
    // States that reach no accepting component get a number larger than all distances.
    let largest = automaton.states.len() as u32;
    distances.iter().map(|&d| d.min(largest)).collect()
}

/// Adds the bits of `word` at position `bit` to a row of words.
fn or_word(row: &mut Vec<u64>, bit: u32, word: u64) {
    let (index, offset) = ((bit / 64) as usize, bit % 64);
    if row.len() < index + 2 {
        row.resize(index + 2, 0);
    }
    row[index] |= word << offset;
    if offset > 0 {
        row[index + 1] |= word >> (64 - offset);
    }
}

/// The system's part of a state, and the automaton's.
fn split(state: &[u32]) -> Option<(&[u32], u32)> {
    let (q, system) = state.split_last()?;
    Some((system, *q))
}

impl<S: AcceptingGraph + Propositions> StateSpace for Product<S> {
    fn initial(&mut self, out: &mut Expansion) {
        self.edges.clear();
        self.system.initial(&mut self.edges);
        copy_faults(&self.edges, out);
        for (system, _) in self.edges.edges() {
            for &q in &self.automaton.initial {
                self.target.clear();
                self.target.extend_from_slice(system);
                self.target.push(q);
                out.push(&self.target, 0);
            }
        }
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.expand(state, out);
        self.push_all(state, out);
        if state.len() >= WIDE {
            out.set_scratch(self.edges.memory_bytes() + self.target.capacity() * size_of::<u32>());
        }
    }
}

/// Copies the faults and flags of the system's expansion. A fault on an edge of the system has that edge's label with
/// the highest bit set, because the product numbers its edges differently.
fn copy_faults(from: &Expansion, to: &mut Expansion) {
    for fault in from.faults() {
        to.push_fault(Fault {
            code: fault.code,
            label: fault.label.map(|l| l | SYSTEM_LABEL),
        });
    }
    to.count_internal_steps(from.internal_steps());
    if from.is_incomplete() {
        to.set_incomplete();
    }
}

/// The bit that distinguishes a label of the system in a fault from a label of the product.
pub const SYSTEM_LABEL: u32 = 1 << 31;

impl<S: AcceptingGraph + Propositions> AcceptingGraph for Product<S> {
    fn acceptance(&self) -> Acceptance {
        let system = self.system.acceptance();
        Acceptance {
            sets: self.automaton.sets + system.sets - self.shared,
            pairs: system.pairs,
        }
    }
}

impl<S: Draw + Propositions> Draw for Product<S> {
    fn equal_edges(&mut self, state: &[u32], out: &mut Expansion) -> Option<(usize, usize)> {
        self.enable(state, out);
        let (system, _) = split(state)?;
        let (1, columns) = self.system.equal_edges(system, &mut self.edges)? else {
            return None;
        };
        self.push_all(state, out);
        Some((self.enabled.len(), columns))
    }

    /// The automaton moves first. Its enabled edges depend on the state alone, so the automaton and the system draw
    /// independently.
    fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        let Some(edge) = self.draw_edge(state, dice, out) else {
            return;
        };
        let Some((system, _)) = split(state) else {
            return;
        };
        if !self.has_marks {
            // The edge of the system becomes the edge of the product in place.
            let faults = out.faults().len();
            self.system.draw(system, dice, out);
            out.relabel_faults(faults, |label| label | SYSTEM_LABEL);
            out.extend_last(edge.target, DRAWN, edge.marks);
            return;
        }
        self.system.draw(system, dice, &mut self.edges);
        copy_faults(&self.edges, out);
        if !self.edges.is_empty() {
            self.push(edge, 0, DRAWN, out);
        }
    }

    fn distance(&self, state: &[u32]) -> u32 {
        let q = split(state).map_or(0, |(_, q)| q as usize);
        self.distances.get(q).copied().unwrap_or(0)
    }

    /// Evaluates the word of the lasso with all runs of the automaton.
    fn is_accepted_by_other_run(&mut self, states: &[&[u32]], back: usize) -> bool {
        if !self.chooses || self.has_marks {
            return false;
        }
        let mut letters = Vec::with_capacity(states.len());
        for state in states {
            let Some((system, _)) = split(state) else {
                return false;
            };
            self.system.set_state(system);
            let mut letter = Letter::new();
            for atom in 0..self.automaton.atoms.len() as u32 {
                match self.system.holds(atom) {
                    Ok(true) => letter.insert(atom),
                    Ok(false) => {}
                    Err(_) => return false,
                }
            }
            letters.push(letter);
        }
        let (prefix, cycle) = letters.split_at(back.min(letters.len()));
        self.automaton.accepts(prefix, cycle)
    }
}

/// The values of the atoms in one state that have been evaluated.
#[derive(Clone, Debug)]
struct Valuation {
    known: Vec<u64>,
    values: Vec<u64>,
}

impl Valuation {
    fn new(atoms: usize) -> Self {
        let words = atoms.div_ceil(64);
        Valuation {
            known: vec![0; words],
            values: vec![0; words],
        }
    }

    fn forget(&mut self) {
        self.known.fill(0);
    }

    fn get(&mut self, atom: u32, find: impl FnOnce() -> Result<bool, u32>) -> Result<bool, u32> {
        let (word, bit) = ((atom / 64) as usize, 1u64 << (atom % 64));
        if self.known[word] & bit != 0 {
            return Ok(self.values[word] & bit != 0);
        }
        let value = find()?;
        self.known[word] |= bit;
        if value {
            self.values[word] |= bit;
        } else {
            self.values[word] &= !bit;
        }
        Ok(value)
    }
}
