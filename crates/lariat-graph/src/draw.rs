//! What random walks need from a graph besides its edges.
//!
//! A graph without an operation of its own for it implements [`Draw`] with an empty block.

use lariat_stats::Dice;

use crate::{AcceptingGraph, Expansion};

/// The label of an edge that was drawn and has no number.
pub const DRAWN: u32 = (1 << 31) - 2;

/// A graph of which single successors can be drawn at random.
pub trait Draw: AcceptingGraph {
    /// Draws one of the steps from `state` and puts its result into `out`, which is empty: its edge with its marks,
    /// or only a fault if the step has no target; and the faults of the state itself. Without a step, `out` gets
    /// neither. The same dice give the same step.
    ///
    /// A state space that can take a step without generating all successors does so, with a distribution of its own:
    /// a model draws each statement uniformly among the executable ones, also within an atomic sequence. The label of
    /// an edge drawn this way is [`DRAWN`]. Otherwise all edges are equally likely.
    fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        self.successors(state, out);
        let choices = out.choices();
        out.keep(dice.index(choices));
    }

    /// If [`draw`](Self::draw) is uniform on a matrix of edges, puts all edges of `state` into `out`, which is empty,
    /// row by row, and returns the numbers of rows and columns: `draw` then draws a row and a column with one
    /// [`Dice::index`] each. Returns `None` if the edges are not equally likely, or if that is not known.
    fn equal_edges(&mut self, state: &[u32], out: &mut Expansion) -> Option<(usize, usize)> {
        self.successors(state, out);
        Some((1, out.choices()))
    }

    /// An estimate of the number of steps from a state to an accepting cycle. Random walks prefer lower numbers, and
    /// are correct for any numbers.
    fn distance(&self, state: &[u32]) -> u32 {
        let _ = state;
        0
    }

    /// Whether the lasso through these states, the last of which leads back to the state with index `back`, is
    /// accepted by another run of the property automaton than the one in the states. `false` is always correct.
    fn is_accepted_by_other_run(&mut self, states: &[&[u32]], back: usize) -> bool {
        let _ = (states, back);
        false
    }
}
