//! Two state spaces that must be equal, compared at every step.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use lariat_graph::product::Propositions;
use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace};
use lariat_stats::Dice;

/// A state space that compares two others. The results are those of the first; after the first difference every
/// expansion is incomplete, so that the search ends.
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

    /// The first state space, mutable.
    pub fn first_mut(&mut self) -> &mut A {
        &mut self.first
    }

    /// The second state space.
    pub fn second(&self) -> &B {
        &self.second
    }

    /// The second state space, mutable.
    pub fn second_mut(&mut self) -> &mut B {
        &mut self.second
    }

    fn report(&self, state: &[u32], what: impl FnOnce() -> String) {
        self.difference
            .get_or_init(|| format!("in the state {}:\n{}", hex(state), what()));
    }

    /// Clears both buffers, with as many words of marks as `out`.
    fn prepare(&mut self, out: &Expansion) {
        self.out.set_mark_words(out.mark_words());
        self.other.set_mark_words(out.mark_words());
    }

    /// Compares both expansions of a state and adds the first to `out`.
    fn compare(&mut self, state: &[u32], out: &mut Expansion) {
        if let Some(difference) = difference(&self.out, &self.other) {
            self.report(state, || difference);
        }
        for index in 0..self.out.len() {
            let (target, label) = self.out.edge(index);
            out.push_marked(target, label, self.out.marks(index));
        }
        for &fault in self.out.faults() {
            out.push_fault(fault);
        }
        out.count_internal_steps(self.out.internal_steps());
        let incomplete = self.out.is_incomplete() || self.other.is_incomplete();
        if incomplete || self.difference.get().is_some() {
            out.set_incomplete();
        }
    }
}

/// The difference of two expansions of the same state. The point at which memory or time ends is random, so
/// incomplete expansions are not compared.
fn difference(a: &Expansion, b: &Expansion) -> Option<String> {
    if a.is_incomplete() || b.is_incomplete() {
        return None;
    }
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
            self.report(&[], || format!("acceptance is {first:?} or {second:?}"));
        }
        first
    }
}

impl<A: Draw, B: Draw> Draw for Lockstep<A, B> {
    fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        self.prepare(out);
        let mut others = dice.clone();
        self.first.draw(state, dice, &mut self.out);
        self.second.draw(state, &mut others, &mut self.other);
        self.compare(state, out);
        if !out.is_incomplete() && *dice != others {
            self.report(state, || "the dice were used differently".to_string());
            out.set_incomplete();
        }
    }

    /// Not forwarded: a walk that caches the edges of a state does not ask for them again, and nothing would be
    /// compared.
    fn equal_edges(&mut self, _: &[u32], _: &mut Expansion) -> Option<(usize, usize)> {
        None
    }

    fn distance(&self, state: &[u32]) -> u32 {
        self.first.distance(state)
    }

    fn is_accepted_by_other_run(&mut self, states: &[&[u32]], back: usize) -> bool {
        self.first.is_accepted_by_other_run(states, back)
    }
}

impl<A: Propositions, B: Propositions> Propositions for Lockstep<A, B> {
    fn set_state(&mut self, state: &[u32]) {
        self.observed.clear();
        self.observed.extend_from_slice(state);
        self.first.set_state(state);
        self.second.set_state(state);
    }

    fn holds(&mut self, atom: u32) -> Result<bool, u32> {
        let (first, second) = (self.first.holds(atom), self.second.holds(atom));
        if first != second {
            self.report(&self.observed, || {
                format!("atom {atom} is {first:?} or {second:?}")
            });
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter up to a limit; the expansion of one number differs.
    #[derive(Clone)]
    struct Counter {
        odd: u32,
        what: &'static str,
    }

    impl StateSpace for Counter {
        fn initial(&mut self, out: &mut Expansion) {
            out.push(&[0], 0);
        }

        fn successors(&mut self, state: &[u32], out: &mut Expansion) {
            let odd = |what| state[0] == self.odd && self.what == what;
            let step = if odd("target") { 2 } else { 1 };
            out.push_marked(&[state[0] + step], u32::from(odd("label")), &[7]);
            if odd("edge") {
                out.push(&[0], 1);
            }
            if odd("mark") {
                out.marks_mut(0)[0] = 3;
            }
            if odd("fault") {
                out.push_fault(lariat_graph::Fault {
                    code: 5,
                    label: None,
                });
            }
            out.count_internal_steps(u64::from(odd("steps")));
        }
    }

    impl AcceptingGraph for Counter {
        fn acceptance(&self) -> Acceptance {
            Acceptance::default()
        }
    }

    impl Draw for Counter {
        fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
            self.successors(state, out);
            if state[0] == self.odd && self.what == "dice" {
                dice.next_u64();
            }
        }
    }

    impl Propositions for Counter {
        fn set_state(&mut self, _: &[u32]) {}

        fn holds(&mut self, atom: u32) -> Result<bool, u32> {
            match self.what {
                "atom" if atom == self.odd => Err(1),
                _ => Ok(true),
            }
        }
    }

    fn pair(what: &'static str) -> Lockstep<Counter, Counter> {
        let counter = |what| Counter { odd: 3, what };
        Lockstep::new(counter(""), counter(what))
    }

    #[test]
    fn every_kind_of_difference_is_seen() {
        let cases = [
            (
                "target",
                "edge 0 has the label 0 and the target\n  00000004",
            ),
            ("label", "or the label 1"),
            ("edge", "there are 1 or 2 edges"),
            ("mark", "marks [7] or [3]"),
            ("fault", "the faults are [] or [Fault"),
            ("steps", "there are 0 or 1 internal steps"),
        ];
        for (what, expected) in cases {
            let mut both = pair(what);
            let mut copy = both.clone();
            let mut out = Expansion::with_marks(1);
            for state in 0..3 {
                both.successors(&[state], &mut out);
            }
            assert_eq!((both.difference(), out.is_incomplete()), (None, false));
            copy.successors(&[3], &mut out);
            let difference = both.difference().unwrap_or_default();
            assert!(difference.starts_with("in the state 00000003:"));
            assert!(difference.contains(expected), "{what}: {difference}");
            assert!(out.is_incomplete());
            assert_eq!(out.edge(3), (&[4][..], 0));
        }
    }

    #[test]
    fn different_draws_are_seen() {
        let cases = [
            ("target", "or the label 0 and the target\n  00000005"),
            ("dice", "the dice were used differently"),
        ];
        for (what, expected) in cases {
            let mut both = pair(what);
            let mut out = Expansion::new();
            let mut dice = Dice::new(1);
            both.draw(&[2], &mut dice, &mut out);
            assert_eq!((both.difference(), out.is_incomplete()), (None, false));
            both.draw(&[3], &mut dice, &mut out);
            let difference = both.difference().unwrap_or_default();
            assert!(difference.contains(expected), "{what}: {difference}");
            assert!(out.is_incomplete());
        }
    }

    #[test]
    fn different_atoms_are_seen() {
        let mut both = pair("atom");
        both.set_state(&[1]);
        assert_eq!(both.holds(2), Ok(true));
        assert_eq!(both.difference(), None);
        assert_eq!(both.holds(3), Ok(true));
        assert!(both.difference().is_some());
    }
}
