//! A graph with the edges of each state in the opposite order, as an example of a wrapper.

use crate::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace};

/// A graph with the edges of each state in the opposite order.
#[derive(Clone, Debug)]
pub struct Mirrored<G>(pub G);

impl<G: StateSpace> StateSpace for Mirrored<G> {
    fn initial(&mut self, out: &mut Expansion) {
        self.0.initial(out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        let mut ordered = Expansion::with_marks(out.mark_words());
        self.0.successors(state, &mut ordered);
        for edge in (0..ordered.len()).rev() {
            let (target, label) = ordered.edge(edge);
            out.push_marked(target, label, ordered.marks(edge));
        }
        ordered
            .faults()
            .iter()
            .for_each(|fault| out.push_fault(*fault));
        out.count_internal_steps(ordered.internal_steps());
        if ordered.is_incomplete() {
            out.set_incomplete();
        }
    }
}

impl<G: AcceptingGraph> AcceptingGraph for Mirrored<G> {
    fn acceptance(&self) -> Acceptance {
        self.0.acceptance()
    }
}

impl<G: AcceptingGraph> Draw for Mirrored<G> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::ExplicitGraph;

    #[test]
    fn the_edges_come_in_the_opposite_order() {
        let mut grid = ExplicitGraph::grid(3, 3);
        let (mut ordered, mut mirrored) = (Expansion::new(), Expansion::new());
        grid.initial(&mut ordered);
        let first = ordered.edge(0).0.to_vec();
        ordered.clear();
        grid.successors(&first, &mut ordered);
        Mirrored(grid).successors(&first, &mut mirrored);
        let mut back: Vec<_> = mirrored.edges().collect();
        back.reverse();
        assert_eq!(ordered.edges().collect::<Vec<_>>(), back);
    }
}
