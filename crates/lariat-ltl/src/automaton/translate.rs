//! From a formula in negation normal form to a generalised Büchi automaton.
//!
//! The construction is Couvreur's ("On-the-fly verification of linear temporal logic", FM 1999) with
//! what Duret-Lutz added ("LTL translation improvements in Spot 1.0", International Journal on
//! Critical Computer-Based Systems 5(1/2), 2014). A state is a formula: the conjunction of what
//! must hold from there on. Its edges come from one boolean function over three kinds of variables:
//! atoms, which are the letter; *next* variables, each a formula that must hold from the next state
//! on; and *promises*, each a formula whose fulfilment this step puts off. With `r` for the
//! function of a formula:
//!
//! ```text
//! r(X f)   = next(f)
//! r(f U g) = r(g) or (promise(g) and r(f) and next(f U g))
//! r(f R g) = r(g) and (r(f) or next(f R g))
//! r(G f)   = r'(f) and next(G f)
//! ```
//!
//! A run is accepted if no promise is put off for ever: each promise is an acceptance set, the steps
//! that do not make it. Under `G` the obligations come back by themselves, and `r'` leaves out to
//! carry them along: `r'(F g) = r(g) or promise(g)`, so that `GF g` has one state.
//!
//! The function is split by letters: all letters that leave the same function of the other variables
//! go together. That function is monotone, so its irredundant cover is unique, the smallest sets of
//! next formulas that will do. Atoms come first in the order of variables, and the split is a walk
//! over the upper part of the diagram; letters are never enumerated. Formulas with the same function
//! are the same state.

use super::labels::Map;
use super::scc::Components;
use super::trim::trim;
use super::{Automaton, Edge, Label, Labels, Limits, TooLarge};
use crate::formula::{Formula, Formulas, Node};
use crate::simplify::simplify;
use std::collections::{HashMap, HashSet};

/// A rewriting of the formula of a state.
pub(crate) type Rewrite = fn(&mut Formulas, Formula) -> Formula;

/// The automaton of a formula in negation normal form.
pub(crate) fn translate(
    formulas: &mut Formulas,
    f: Formula,
    limits: &Limits,
) -> Result<Automaton, TooLarge> {
    let mut translation = Translation::new(formulas, None, HashSet::new(), limits);
    translation.run(f)
}

/// As [`translate`], where the formula of each new state is rewritten first; nothing if that does
/// not work out.
///
/// A promise is known by the formula that was promised. If formulas were rewritten again and again,
/// a run could put off one thing under changing names. So no formula is rewritten on a cycle: if
/// that has happened, the translation is repeated without.
pub(crate) fn translate_rewriting(
    formulas: &mut Formulas,
    f: Formula,
    rewrite: Rewrite,
    limits: &Limits,
) -> Result<Option<Automaton>, TooLarge> {
    let mut kept = HashSet::new();
    let mut reductions = HashMap::new();
    for _ in 0..ATTEMPTS {
        let mut translation = Translation::new(formulas, Some(rewrite), kept, limits);
        translation.reductions = reductions;
        let automaton = translation.run(f)?;
        let components = Components::of(&automaton);
        let rewritten = std::mem::take(&mut translation.rewritten);
        kept = std::mem::take(&mut translation.kept);
        reductions = std::mem::take(&mut translation.reductions);
        let before = kept.len();
        for (from, f, to) in rewritten {
            if components.inside(from, to) {
                kept.insert(f);
            }
        }
        if kept.len() == before {
            return Ok(Some(automaton));
        }
    }
    Ok(None)
}

/// The automaton of a disjunction from those of its parts: a new initial state has the edges of all
/// the old ones. Nothing if the formula is no disjunction.
///
/// The function of a disjunction of many temporal formulas distinguishes all letters for which
/// different parts can go on. Here each part is by itself.
pub(crate) fn translate_parts(
    formulas: &mut Formulas,
    f: Formula,
    limits: &Limits,
) -> Result<Option<Automaton>, TooLarge> {
    let Some(parts) = disjuncts(formulas, f) else {
        return Ok(None);
    };
    let mut union = Automaton::empty(formulas.atoms().to_vec());
    let mut edges = Vec::new();
    for &part in &parts {
        let mut automaton = translate(formulas, part, limits)?;
        trim(&mut automaton);
        // A part with fewer sets has the marks of the others everywhere.
        let all = automaton.all_marks();
        let shift = union.states.len() as u32;
        let mut known = HashMap::new();
        for state in &mut automaton.states {
            for edge in state {
                let from = &automaton.labels;
                edge.label = union.labels.copy(from, edge.label, &mut known);
                edge.target += shift;
                edge.marks |= !all;
            }
        }
        for &s in &automaton.initial {
            edges.extend_from_slice(automaton.edges(s));
        }
        union.sets = union.sets.max(automaton.sets);
        union.states.append(&mut automaton.states);
        if union.states.len() > limits.states {
            return Err(TooLarge::States(limits.states));
        }
        if union.labels.is_full() {
            return Err(TooLarge::Decisions(limits.decisions));
        }
    }
    union.states[0] = edges;
    let all = union.all_marks();
    for edge in union.states.iter_mut().flatten() {
        edge.marks &= all;
    }
    union.unite_edges();
    Ok(Some(union))
}

/// The parts of a disjunction, which can also be under an `F`, or spread over the operands of a
/// conjunction: `(a || b) && (c || d)` has four.
fn disjuncts(formulas: &mut Formulas, f: Formula) -> Option<Vec<Formula>> {
    match *formulas.node(f) {
        Node::Or(ref parts) => Some(parts.to_vec()),
        Node::Eventually(g) => match formulas.node(g) {
            Node::Or(parts) => {
                let parts = parts.to_vec();
                Some(parts.into_iter().map(|g| formulas.eventually(g)).collect())
            }
            _ => None,
        },
        Node::And(ref parts) => {
            let parts = parts.to_vec();
            let mut products = vec![Formula::TRUE];
            for part in parts {
                let choices: Vec<Formula> = match formulas.node(part) {
                    Node::Or(choices) => choices.to_vec(),
                    _ => vec![part],
                };
                if products.len().saturating_mul(choices.len()) > PRODUCTS {
                    return None;
                }
                let mut longer = Vec::with_capacity(products.len() * choices.len());
                for &product in &products {
                    longer.extend(choices.iter().map(|&c| formulas.and([product, c])));
                }
                products = longer;
            }
            if products.len() == 1 {
                return None;
            }
            Some(
                products
                    .into_iter()
                    .map(|p| simplify(formulas, p))
                    .collect(),
            )
        }
        _ => None,
    }
}

/// The parts of a disjunction that a conjunction may have when it is multiplied out.
const PRODUCTS: usize = 256;

/// Translations with rewriting before it is given up.
const ATTEMPTS: u32 = 8;

/// The edges that there may be for each state that there may be.
const EDGES: usize = 10;

/// What a variable beyond the atoms stands for.
#[derive(Clone, Copy)]
enum Meaning {
    Next(Formula),
    Promise(u32),
}

struct Translation<'a> {
    formulas: &'a mut Formulas,
    labels: Labels,
    /// The first variable that is not an atom.
    border: u32,
    /// The function of each formula, and of its form under `G`.
    functions: HashMap<(Formula, bool), Label>,
    next: HashMap<Formula, Label>,
    promises: HashMap<Formula, Label>,
    meanings: Vec<Meaning>,
    /// The function of each state.
    states: Vec<Label>,
    /// The edges so far.
    count: usize,
    numbers: Map<Label, u32>,
    known: HashMap<Formula, u32>,
    rewrite: Option<Rewrite>,
    /// What formulas are rewritten to.
    reductions: HashMap<Formula, Formula>,
    /// Formulas that are not rewritten.
    kept: HashSet<Formula>,
    /// What has been rewritten: the state before, the formula, its state.
    rewritten: Vec<(u32, Formula, u32)>,
    limits: &'a Limits,
}

impl<'a> Translation<'a> {
    fn new(
        formulas: &'a mut Formulas,
        rewrite: Option<Rewrite>,
        kept: HashSet<Formula>,
        limits: &'a Limits,
    ) -> Self {
        Translation {
            border: formulas.atoms().len() as u32,
            formulas,
            labels: Labels::with_limit(limits.decisions),
            functions: HashMap::new(),
            next: HashMap::new(),
            promises: HashMap::new(),
            meanings: Vec::new(),
            states: Vec::new(),
            count: 0,
            numbers: Map::default(),
            known: HashMap::new(),
            rewrite,
            reductions: HashMap::new(),
            kept,
            rewritten: Vec::new(),
            limits,
        }
    }

    /// All states and edges.
    fn run(&mut self, f: Formula) -> Result<Automaton, TooLarge> {
        let initial = self.state(f)?;
        let mut states: Vec<Vec<Edge>> = Vec::new();
        while states.len() < self.states.len() {
            let edges = self.edges(states.len() as u32)?;
            self.count += edges.len();
            states.push(edges);
        }
        let mut automaton = Automaton {
            atoms: self.formulas.atoms().to_vec(),
            labels: std::mem::take(&mut self.labels),
            states,
            initial: vec![initial],
            sets: self.promises.len() as u32,
        };
        let all = automaton.all_marks();
        for edge in automaton.states.iter_mut().flatten() {
            edge.marks = all & !edge.marks;
        }
        automaton.unite_edges();
        match automaton.labels.is_full() {
            true => Err(TooLarge::Decisions(self.limits.decisions)),
            false => Ok(automaton.compact()),
        }
    }

    /// The state of a formula.
    fn state(&mut self, f: Formula) -> Result<u32, TooLarge> {
        if let Some(&state) = self.known.get(&f) {
            return Ok(state);
        }
        let reduced = self.reduced(f);
        let function = self.function(reduced)?;
        let fresh = self.states.len() as u32;
        let state = *self.numbers.entry(function).or_insert(fresh);
        if state == fresh {
            if self.states.len() >= self.limits.states {
                return Err(TooLarge::States(self.limits.states));
            }
            self.states.push(function);
        }
        self.known.insert(f, state);
        Ok(state)
    }

    /// A formula after rewriting.
    fn reduced(&mut self, f: Formula) -> Formula {
        match self.rewrite {
            Some(rewrite) if !self.kept.contains(&f) => {
                let formulas = &mut *self.formulas;
                *self
                    .reductions
                    .entry(f)
                    .or_insert_with(|| rewrite(formulas, f))
            }
            _ => f,
        }
    }

    /// The edges of a state; in place of their marks, the promises that they make.
    fn edges(&mut self, from: u32) -> Result<Vec<Edge>, TooLarge> {
        self.limits.check()?;
        let function = self.states[from as usize];
        let room = self.limits.states.saturating_mul(EDGES);
        let mut edges = Vec::new();
        for (letters, rest) in self.labels.residuals(function, self.border) {
            if self.count + edges.len() > room {
                return Err(TooLarge::Edges(room));
            }
            // Each product is a set of promises and a state.
            let cubes = self.labels.cover(rest, room);
            self.check_room()?;
            for cube in cubes.ok_or(TooLarge::Edges(room))? {
                let mut parts = Vec::new();
                let mut promises = 0;
                for (variable, _) in cube {
                    match self.meanings[(variable - self.border) as usize] {
                        Meaning::Next(f) => parts.push(f),
                        Meaning::Promise(set) => promises |= 1 << set,
                    }
                }
                let f = self.formulas.and(parts);
                if f == Formula::FALSE {
                    continue;
                }
                let target = self.state(f)?;
                if self.rewrite.is_some() && self.reduced(f) != f {
                    self.rewritten.push((from, f, target));
                }
                edges.push(Edge {
                    label: letters,
                    target,
                    marks: promises,
                });
            }
        }
        self.check_room()?;
        Ok(edges)
    }

    fn check_room(&self) -> Result<(), TooLarge> {
        if self.border as usize + self.meanings.len() >= Labels::VARIABLES as usize {
            return Err(TooLarge::Variables);
        }
        match self.labels.is_full() {
            true => Err(TooLarge::Decisions(self.limits.decisions)),
            false => Ok(()),
        }
    }

    /// The function of a formula. Its parts come first, from a stack of our own.
    fn function(&mut self, f: Formula) -> Result<Label, TooLarge> {
        let mut stack = vec![(f, false)];
        while let Some(&(f, recurring)) = stack.last() {
            if self.functions.contains_key(&(f, recurring)) {
                stack.pop();
                continue;
            }
            let missing = |part: &(Formula, bool)| !self.functions.contains_key(part);
            let parts = parts(self.formulas, f, recurring);
            let before = stack.len();
            stack.extend(parts.into_iter().filter(missing));
            if stack.len() > before {
                continue;
            }
            self.limits.check()?;
            let function = self.combine(f, recurring)?;
            self.functions.insert((f, recurring), function);
            self.check_room()?;
            stack.pop();
        }
        Ok(self.functions[&(f, false)])
    }

    /// The function of a formula from those of its parts.
    fn combine(&mut self, f: Formula, recurring: bool) -> Result<Label, TooLarge> {
        let node = self.formulas.node(f).clone();
        let part = |g: Formula| self.functions[&(g, false)];
        Ok(match node {
            Node::True => Label::TRUE,
            Node::False => Label::FALSE,
            Node::Atom(atom) => self.labels.literal(atom, true),
            Node::Not(g) => {
                let g = part(g);
                self.labels.not(g)
            }
            Node::And(gs) => {
                // Backwards, because later parts tend to have later variables.
                let mut all = Label::TRUE;
                for &g in gs.iter().rev() {
                    let g = self.functions[&(g, recurring)];
                    all = self.labels.and(all, g);
                }
                all
            }
            Node::Or(gs) => {
                let mut any = Label::FALSE;
                for &g in gs.iter().rev() {
                    let g = self.functions[&(g, false)];
                    any = self.labels.or(any, g);
                }
                any
            }
            Node::Next(g) => self.next(g),
            Node::Always(g) => {
                let now = self.functions[&(g, true)];
                let later = if recurring { Label::TRUE } else { self.next(f) };
                self.labels.and(now, later)
            }
            Node::Eventually(g) => {
                let now = part(g);
                let later = self.later(f, g, recurring)?;
                self.labels.or(now, later)
            }
            Node::Until(a, b) => {
                let (a, now) = (part(a), part(b));
                let later = self.later(f, b, recurring)?;
                let later = self.labels.and(a, later);
                self.labels.or(now, later)
            }
            Node::StrongRelease(a, b) => {
                let (now, b) = (part(a), part(b));
                let later = self.later(f, a, recurring)?;
                let either = self.labels.or(now, later);
                self.labels.and(b, either)
            }
            Node::Release(a, b) => {
                let (a, b) = (part(a), part(b));
                let later = if recurring { Label::TRUE } else { self.next(f) };
                let either = self.labels.or(a, later);
                self.labels.and(b, either)
            }
            Node::WeakUntil(a, b) => {
                let (a, b) = (part(a), part(b));
                let later = if recurring { Label::TRUE } else { self.next(f) };
                let later = self.labels.and(a, later);
                self.labels.or(b, later)
            }
            // Not in negation normal form.
            Node::Implies(a, b) => {
                let (a, b) = (part(a), part(b));
                let not = self.labels.not(a);
                self.labels.or(not, b)
            }
            Node::Equiv(a, b) | Node::Xor(a, b) => {
                let (a, b) = (part(a), part(b));
                let (more, less) = (self.labels.minus(a, b), self.labels.minus(b, a));
                let different = self.labels.or(more, less);
                match node {
                    Node::Xor(..) => different,
                    _ => self.labels.not(different),
                }
            }
        })
    }

    /// `f` holds later, and with it `goal`, which is put off.
    fn later(&mut self, f: Formula, goal: Formula, recurring: bool) -> Result<Label, TooLarge> {
        let promise = self.promise(goal)?;
        if recurring {
            return Ok(promise);
        }
        let next = self.next(f);
        Ok(self.labels.and(promise, next))
    }

    /// The function that requires a formula from the next state on: its conjuncts, one by one.
    fn next(&mut self, f: Formula) -> Label {
        let parts: Vec<Formula> = match self.formulas.node(f) {
            Node::True => return Label::TRUE,
            Node::False => return Label::FALSE,
            Node::And(parts) => parts.to_vec(),
            _ => vec![f],
        };
        let mut all = Label::TRUE;
        for part in parts {
            let variable = match self.next.get(&part) {
                Some(&variable) => variable,
                None => {
                    let variable = self.fresh(Meaning::Next(part));
                    self.next.insert(part, variable);
                    variable
                }
            };
            all = self.labels.and(all, variable);
        }
        all
    }

    fn promise(&mut self, goal: Formula) -> Result<Label, TooLarge> {
        if let Some(&promise) = self.promises.get(&goal) {
            return Ok(promise);
        }
        let set = self.promises.len() as u32;
        if set >= 64 {
            return Err(TooLarge::Sets);
        }
        let promise = self.fresh(Meaning::Promise(set));
        self.promises.insert(goal, promise);
        Ok(promise)
    }

    fn fresh(&mut self, meaning: Meaning) -> Label {
        let variable = self.border + self.meanings.len() as u32;
        self.meanings.push(meaning);
        self.labels.literal(variable, true)
    }
}

/// The functions that the function of a formula is made of.
fn parts(formulas: &Formulas, f: Formula, recurring: bool) -> Vec<(Formula, bool)> {
    match *formulas.node(f) {
        Node::True | Node::False | Node::Atom(_) | Node::Next(_) => Vec::new(),
        Node::And(ref gs) => gs.iter().map(|&g| (g, recurring)).collect(),
        Node::Or(ref gs) => gs.iter().map(|&g| (g, false)).collect(),
        Node::Always(g) => vec![(g, true)],
        Node::Not(g) | Node::Eventually(g) => vec![(g, false)],
        Node::Implies(a, b)
        | Node::Equiv(a, b)
        | Node::Xor(a, b)
        | Node::Until(a, b)
        | Node::Release(a, b)
        | Node::WeakUntil(a, b)
        | Node::StrongRelease(a, b) => vec![(a, false), (b, false)],
    }
}
