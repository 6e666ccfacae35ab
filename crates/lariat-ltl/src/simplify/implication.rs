//! Implications that follow from the syntax of two formulas.
//!
//! The rules are those of Somenzi and Bloem (CAV 2000) with those for eventual and universal
//! formulas. They are sound and not complete. Results are remembered; depth and number of steps are
//! bounded, and what cannot be decided within the bounds counts as not implied.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::Traits;
use crate::formula::{Formula, Formulas, Node};

/// How deep implications are followed into the formulas.
const DEPTH: u32 = 40;
/// Steps for one question.
const STEPS: u32 = 2_000;

/// What is known about implications.
pub(super) struct Implications {
    known: HashMap<(Formula, Formula), bool, BuildHasherDefault<PairHasher>>,
    /// Steps that are left for all questions together.
    budget: u64,
    /// Steps that are left for this question.
    steps: u32,
}

impl Implications {
    pub(super) fn new(size: u64) -> Self {
        Implications {
            known: HashMap::default(),
            budget: size.saturating_mul(4).saturating_add(2_000_000),
            steps: 0,
        }
    }

    /// Whether `a` implies `b`; `traits` has an entry for both and all their parts.
    pub(super) fn holds(
        &mut self,
        formulas: &Formulas,
        traits: &[Traits],
        a: Formula,
        b: Formula,
    ) -> bool {
        self.steps = STEPS.min(u32::try_from(self.budget).unwrap_or(STEPS));
        let before = self.steps;
        let search = Search { formulas, traits };
        let result = search.implies(self, a, b, DEPTH);
        self.budget -= u64::from(before - self.steps);
        result
    }
}

/// A fast hash of two numbers of formulas, which an input cannot choose freely.
#[derive(Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        // Multiplication by 2^64 / golden ratio, with the high bits brought down.
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

struct Search<'a> {
    formulas: &'a Formulas,
    traits: &'a [Traits],
}

impl Search<'_> {
    fn implies(&self, state: &mut Implications, a: Formula, b: Formula, depth: u32) -> bool {
        if a == b || a == Formula::FALSE || b == Formula::TRUE {
            return true;
        }
        let literal = |f| matches!(self.formulas.node(f), Node::Atom(_) | Node::Not(_));
        if literal(a) && literal(b) {
            return false;
        }
        if let Some(&known) = state.known.get(&(a, b)) {
            return known;
        }
        if depth == 0 || state.steps == 0 {
            return false;
        }
        state.steps -= 1;
        let result = self.left(state, a, b, depth - 1)
            || self.right(state, a, b, depth - 1)
            || self.both(state, a, b, depth - 1);
        // A failure for lack of steps says nothing.
        if result || state.steps > 0 {
            state.known.insert((a, b), result);
        }
        result
    }

    /// Rules for the operator of the left formula.
    fn left(&self, state: &mut Implications, f: Formula, g: Formula, depth: u32) -> bool {
        let eventual = self.traits[g.index()].eventual;
        let mut implies = |a: Formula| self.implies(state, a, g, depth);
        match self.formulas.node(f) {
            Node::And(parts) => parts.iter().any(|&p| implies(p)),
            Node::Or(parts) => parts.iter().all(|&p| implies(p)),
            Node::Always(a) => implies(*a),
            Node::Eventually(a) | Node::Next(a) => eventual && implies(*a),
            // One of the two holds now; and the second at some moment.
            Node::Until(a, b) => implies(*b) && (eventual || implies(*a)),
            Node::WeakUntil(a, b) => implies(*b) && implies(*a),
            Node::Release(_, b) => implies(*b),
            Node::StrongRelease(a, b) => implies(*b) || (eventual && implies(*a)),
            _ => false,
        }
    }

    /// Rules for the operator of the right formula.
    fn right(&self, state: &mut Implications, f: Formula, g: Formula, depth: u32) -> bool {
        let universal = self.traits[f.index()].universal;
        let mut implies = |b: Formula| self.implies(state, f, b, depth);
        match self.formulas.node(g) {
            Node::And(parts) => parts.iter().all(|&p| implies(p)),
            Node::Or(parts) => parts.iter().any(|&p| implies(p)),
            Node::Eventually(b) => implies(*b),
            Node::Always(b) | Node::Next(b) => universal && implies(*b),
            Node::Until(_, d) => implies(*d),
            Node::WeakUntil(c, d) => implies(*d) || (universal && implies(*c)),
            Node::Release(c, d) => implies(*d) && (universal || implies(*c)),
            Node::StrongRelease(c, d) => implies(*d) && implies(*c),
            _ => false,
        }
    }

    /// Rules for the operators of both.
    fn both(&self, state: &mut Implications, f: Formula, g: Formula, depth: u32) -> bool {
        let mut implies = |a: Formula, b: Formula| self.implies(state, a, b, depth);
        match (self.formulas.node(f), self.formulas.node(g)) {
            (Node::Next(a), Node::Next(b)) => implies(*a, *b),
            (Node::Until(a, b), Node::Until(c, d) | Node::WeakUntil(c, d))
            | (Node::WeakUntil(a, b), Node::WeakUntil(c, d)) => implies(*a, *c) && implies(*b, *d),
            (Node::Release(a, b), Node::Release(c, d))
            | (Node::StrongRelease(a, b), Node::StrongRelease(c, d) | Node::Release(c, d)) => {
                implies(*a, *c) && implies(*b, *d)
            }
            // `a R b` is `b W (a && b)`, `a M b` is `b U (a && b)`.
            (Node::Release(a, b), Node::WeakUntil(c, d))
            | (Node::StrongRelease(a, b), Node::Until(c, d) | Node::WeakUntil(c, d)) => {
                implies(*b, *c) && (implies(*a, *d) || implies(*b, *d))
            }
            (Node::Until(a, b), Node::StrongRelease(c, d) | Node::Release(c, d))
            | (Node::WeakUntil(a, b), Node::Release(c, d)) => {
                implies(*a, *d) && implies(*b, *d) && implies(*b, *c)
            }
            // `c` now and at every moment: up to the second operand and from there on.
            (Node::Until(a, b) | Node::WeakUntil(a, b), Node::Always(c)) => {
                implies(*a, *c) && implies(*b, g)
            }
            _ => false,
        }
    }
}
