//! Two state spaces that must be the same, compared at every step.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use lariat_graph::product::Propositions;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};

/// A state space that asks two others and compares what they say. What the first says counts; after
/// the first difference everything is incomplete, so that a search comes to its end.
#[derive(Clone, Debug)]
pub struct Lockstep<A, B> {
    first: A,
    second: B,
    out: Expansion,
    other: Expansion,
    observed: Vec<u32>,
    difference: Arc<OnceLock<String>>,
}

impl<A, B> Lockstep<A, B> {
    /// Two state spaces side by side.
    pub fn new(first: A, second: B) -> Self {
        Lockstep {
            first,
            second,
            out: Expansion::new(),
            other: Expansion::new(),
            observed: Vec::new(),
            difference: Arc::default(),
        }
    }

    /// The first difference that any clone has seen.
    pub fn difference(&self) -> Option<&str> {
        self.difference.get().map(String::as_str)
    }

    /// The first state space.
    pub fn first(&self) -> &A {
        &self.first
    }

    /// The first state space, to be changed.
    pub fn first_mut(&mut self) -> &mut A {
        &mut self.first
    }

    /// The second state space.
    pub fn second(&self) -> &B {
        &self.second
    }

    /// The second state space, to be changed.
    pub fn second_mut(&mut self) -> &mut B {
        &mut self.second
    }

    fn complain(&self, state: &[u32], what: impl FnOnce() -> String) {
        self.difference
            .get_or_init(|| format!("in the state {}:\n{}", hex(state), what()));
    }

    /// Makes both buffers fit for `out`.
    fn prepare(&mut self, out: &Expansion) {
        self.out.set_mark_words(out.mark_words());
        self.other.set_mark_words(out.mark_words());
    }

    /// Compares what both have said of a state and hands on what the first said.
    fn compare(&mut self, state: &[u32], out: &mut Expansion) {
        if let Some(difference) = difference(&self.out, &self.other) {
            self.complain(state, || difference);
        }
        for index in 0..self.out.len() {
            let (target, label) = self.out.edge(index);
            out.push_marked(target, label, self.out.marks(index));
        }
        for &fault in self.out.faults() {
            out.push_fault(fault);
        }
        out.count_internal_steps(self.out.internal_steps());
        if self.out.is_incomplete() || self.difference.get().is_some() {
            out.set_incomplete();
        }
    }
}

/// What two expansions of the same state do not agree about.
fn difference(a: &Expansion, b: &Expansion) -> Option<String> {
    for index in 0..a.len().min(b.len()) {
        let ((target, label), (other, other_label)) = (a.edge(index), b.edge(index));
        if (target, label) != (other, other_label) {
            return Some(format!(
                "edge {index} has the label {label} and the target\n  {}\nor the label \
                 {other_label} and the target\n  {}",
                hex(target),
                hex(other)
            ));
        }
        if a.marks(index) != b.marks(index) {
            return Some(format!(
                "edge {index} has the marks {:x?} or {:x?}",
                a.marks(index),
                b.marks(index)
            ));
        }
    }
    let counts = [
        ("edges", a.len() as u64, b.len() as u64),
        ("internal steps", a.internal_steps(), b.internal_steps()),
        (
            "missing edges",
            u64::from(a.is_incomplete()),
            u64::from(b.is_incomplete()),
        ),
    ];
    for (what, a, b) in counts {
        if a != b {
            return Some(format!("there are {a} or {b} {what}"));
        }
    }
    (a.faults() != b.faults())
        .then(|| format!("the faults are {:?} or {:?}", a.faults(), b.faults()))
}

fn hex(words: &[u32]) -> String {
    let mut text = String::new();
    for word in words {
        // Writing to a string does not fail.
        let _ = write!(text, "{word:08x} ");
    }
    text.pop();
    text
}

impl<A: StateSpace, B: StateSpace> StateSpace for Lockstep<A, B> {
    fn initial(&mut self, out: &mut Expansion) {
        self.prepare(out);
        self.first.initial(&mut self.out);
        self.second.initial(&mut self.other);
        self.compare(&[], out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.prepare(out);
        self.first.successors(state, &mut self.out);
        self.second.successors(state, &mut self.other);
        self.compare(state, out);
    }
}

impl<A: AcceptingGraph, B: AcceptingGraph> AcceptingGraph for Lockstep<A, B> {
    fn acceptance(&self) -> Acceptance {
        let (first, second) = (self.first.acceptance(), self.second.acceptance());
        if first != second {
            self.complain(&[], || format!("acceptance is {first:?} or {second:?}"));
        }
        first
    }
}

impl<A: Propositions, B: Propositions> Propositions for Lockstep<A, B> {
    fn look(&mut self, state: &[u32]) {
        self.observed.clear();
        self.observed.extend_from_slice(state);
        self.first.look(state);
        self.second.look(state);
    }

    fn holds(&mut self, atom: u32) -> Result<bool, u32> {
        let (first, second) = (self.first.holds(atom), self.second.holds(atom));
        if first != second {
            self.complain(&self.observed, || {
                format!("atom {atom} is {first:?} or {second:?}")
            });
        }
        first
    }
}
