//! What random walks ask of a graph, besides its edges.
//!
//! A graph that has nothing special to offer implements [`Draw`] with an empty block.

use lariat_stats::Dice;

use crate::{AcceptingGraph, Expansion};

/// The label of an edge that was drawn and has no number.
pub const DRAWN: u32 = (1 << 31) - 2;

/// A graph of which single successors can be drawn at random.
pub trait Draw: AcceptingGraph {
    /// Draws one of the steps from `state` and puts what it yields into `out`, which is empty: its
    /// edge with its marks, or only a fault if it leads nowhere; and the faults of the state itself.
    /// If there is no step, there is neither. The same dice give the same step.
    ///
    /// A state space that can take a step without making all successors does so, and then draws in
    /// its own way: a model draws each statement, also within an atomic sequence, uniformly among those
    /// that are possible. The label of an edge drawn like that is [`DRAWN`]. Otherwise all edges
    /// are equally likely.
    fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        self.successors(state, out);
        let choices = out.choices();
        out.keep(dice.index(choices));
    }

    /// Puts all edges of `state` into `out`, which is empty, if [`draw`](Self::draw) chooses among them in a simple way: a
    /// row of them and then a column, each with one [`Dice::index`], edges being listed row by row. Answers how many rows
    /// and columns there are; nothing if edges are not equally likely, or if that is not known.
    fn equal_edges(&mut self, state: &[u32], out: &mut Expansion) -> Option<(usize, usize)> {
        self.successors(state, out);
        Some((1, out.choices()))
    }

    /// A lower bound, if it is true, of the steps from a state to an accepting cycle. Random walks prefer lower numbers,
    /// and stay correct whatever the numbers are.
    fn distance(&self, state: &[u32]) -> u32 {
        let _ = state;
        0
    }

    /// Whether the run along these states, the last of which leads back to the one with number `back`, is
    /// accepted by another run of the property automaton than the one that was walked. `false` is always correct.
    fn accepts_otherwise(&mut self, states: &[&[u32]], back: usize) -> bool {
        let _ = (states, back);
        false
    }
}
