//! When a walk assumes that it is in a bottom component, if edges cannot be enumerated.
//!
//! This is the rule of Daca, Henzinger, Křetínský and Petrov ("Faster statistical model checking for
//! unbounded temporal properties", TACAS 2016). The states of the walk and the edges that it took are
//! a graph, whose last component is a candidate. Candidates are numbered as they appear. If a
//! candidate is not a bottom component, some edge leads out of it, with at least the probability
//! `smallest`; a walk that leaves each of its states k times without taking one has a probability of
//! at most (1 - smallest)^k. With k = (i - log₂ δ) / -log₂(1 - smallest) for candidate number i that
//! is at most δ 2⁻ⁱ, and the sum over all candidates is at most δ.
//!
//! States are numbered in the order of discovery, so a component is all states from some number on, and a stack of
//! these numbers suffices (Gabow).

/// The candidate of a walk.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The first states of the components of the walk.
    starts: Vec<u32>,
    /// For each state the candidate that it was last counted for, and how often it was left since.
    left: Vec<(u32, u64)>,
    /// The number of the candidate; earlier candidates have been merged or left.
    number: u32,
    /// Whether the last component has an edge.
    has_edge: bool,
    /// How often each of its states must be left.
    needed: u64,
    /// How many of its states were left so often.
    settled: u32,
    /// δ and the least probability of an edge.
    delta: f64,
    smallest: f64,
}

impl Candidate {
    pub fn new(delta: f64, smallest: f64) -> Self {
        Candidate {
            starts: Vec::new(),
            left: Vec::new(),
            number: 0,
            has_edge: false,
            needed: 0,
            settled: 0,
            delta,
            smallest,
        }
    }

    /// Starts a new walk.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.left.clear();
        self.number = 0;
        self.has_edge = false;
    }

    /// The walk enters a state for the first time.
    #[inline]
    pub fn enter(&mut self) {
        self.starts.push(self.left.len() as u32);
        self.left.push((0, 0));
        self.has_edge = false;
    }

    /// The walk enters a state again.
    #[inline]
    pub fn enter_again(&mut self, state: u32) {
        let before = self.starts.len();
        while self.starts.last().is_some_and(|&start| start > state) {
            self.starts.pop();
        }
        if self.starts.len() < before || !self.has_edge {
            self.has_edge = true;
            self.number += 1;
            self.settled = 0;
            self.needed = self.repetitions();
        }
    }

    /// The walk leaves a state.
    #[inline]
    pub fn leave(&mut self, state: u32) {
        if !self.has_edge {
            return;
        }
        let (counted_for, times) = &mut self.left[state as usize];
        if *counted_for != self.number {
            (*counted_for, *times) = (self.number, 0);
        }
        *times += 1;
        if *times == self.needed {
            self.settled += 1;
        }
    }

    /// The first state of the candidate, if it is accepted as a bottom component.
    #[inline]
    pub fn accepted(&self) -> Option<u32> {
        let start = *self.starts.last()?;
        let states = self.left.len() as u32 - start;
        (self.has_edge && (self.settled == states || self.needed == 0)).then_some(start)
    }

    fn repetitions(&self) -> u64 {
        let above = f64::from(self.number) - self.delta.log2();
        let below = -(1.0 - self.smallest.min(1.0)).log2();
        // Infinite if each state has one edge, which the walk took; the cast saturates.
        (above / below).ceil().max(0.0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_is_left_often_enough() {
        let mut candidate = Candidate::new(0.25, 0.5);
        candidate.enter();
        assert_eq!(candidate.accepted(), None, "it has no edge yet");
        candidate.leave(0);
        candidate.enter();
        candidate.leave(1);
        candidate.enter_again(1);
        // The first candidate, {1}: 1 + 2 repetitions.
        for _ in 0..2 {
            candidate.leave(1);
            candidate.enter_again(1);
            assert_eq!(candidate.accepted(), None);
        }
        candidate.leave(1);
        assert_eq!(candidate.accepted(), Some(1));
        // The second, {0, 1}: 2 + 2, for both.
        candidate.enter_again(0);
        for _ in 0..4 {
            assert_eq!(candidate.accepted(), None);
            candidate.leave(0);
            candidate.enter_again(1);
            candidate.leave(1);
            candidate.enter_again(0);
        }
        assert_eq!(candidate.accepted(), Some(0));
    }

    #[test]
    fn without_choices_a_cycle_is_enough() {
        let mut candidate = Candidate::new(1e-9, 1.0);
        candidate.enter();
        candidate.leave(0);
        candidate.enter_again(0);
        assert_eq!(candidate.accepted(), Some(0));
    }
}
