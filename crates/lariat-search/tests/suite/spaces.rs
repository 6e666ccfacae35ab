//! State spaces for the tests.

use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, Fault, StateSpace};

/// A state space of which each worker gets a copy.
pub trait Copyable: StateSpace + Send {
    fn copy(&self) -> Box<dyn Copyable>;
}

impl<S: StateSpace + Clone + Send + 'static> Copyable for S {
    fn copy(&self) -> Box<dyn Copyable> {
        Box::new(self.clone())
    }
}

/// Any state space behind one type, so that searches fit into a table.
pub struct AnySpace(pub Box<dyn Copyable>);

impl StateSpace for AnySpace {
    fn initial(&mut self, out: &mut Expansion) {
        self.0.initial(out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.0.successors(state, out);
    }
}

impl AcceptingGraph for AnySpace {
    fn acceptance(&self) -> Acceptance {
        Acceptance::default()
    }
}

impl Draw for AnySpace {}

/// A state space without marks, and a condition on them.
#[derive(Clone)]
pub struct Unmarked<S>(pub S, pub Acceptance);

impl<S: StateSpace> StateSpace for Unmarked<S> {
    fn initial(&mut self, out: &mut Expansion) {
        self.0.initial(out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.0.successors(state, out);
    }
}

impl<S: StateSpace> AcceptingGraph for Unmarked<S> {
    fn acceptance(&self) -> Acceptance {
        self.1
    }
}

/// Counts from 0 up to an end, or for ever.
#[derive(Clone)]
pub struct Counter {
    pub end: u32,
}

impl StateSpace for Counter {
    fn initial(&mut self, out: &mut Expansion) {
        out.push(&[0], 0);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        if state[0] < self.end {
            out.push(&[state[0] + 1], 1);
            out.count_internal_steps(2);
        }
    }
}

/// An infinite tree: every state has two successors, one word wider than itself.
#[derive(Clone)]
pub struct WideningTree;

impl StateSpace for WideningTree {
    fn initial(&mut self, out: &mut Expansion) {
        out.push(&[], 0);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        let mut child = state.to_vec();
        for bit in 0..2 {
            child.push(bit);
            out.push(&child, bit);
            child.pop();
        }
    }
}

/// A fault before there is any state.
#[derive(Clone)]
pub struct BrokenFromTheStart;

impl StateSpace for BrokenFromTheStart {
    fn initial(&mut self, out: &mut Expansion) {
        for label in [None, Some(5)] {
            out.push_fault(Fault { code: 3, label });
        }
    }

    fn successors(&mut self, _: &[u32], _: &mut Expansion) {}
}

/// A single state with a million edges to itself.
#[derive(Clone)]
pub struct ManyLoops;

impl StateSpace for ManyLoops {
    fn initial(&mut self, out: &mut Expansion) {
        out.push(&[1], 0);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        (0..1_000_000).for_each(|label| out.push(state, label));
    }
}
