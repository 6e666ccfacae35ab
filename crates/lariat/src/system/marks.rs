//! Acceptance marks for fairness.
//!
//! For weak fairness there is a set for each actor: the edges on which it moves, and those from states in which it cannot.
//! For strong fairness there is a pair for each: a request where it can move, a grant where it moves.

use lariat_graph::{Acceptance, Expansion};
use lariat_ir::space::Fairness;

/// The marks of the edges of a state.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    fairness: Fairness,
    actors: usize,
    /// The actor of each edge of the present state.
    movers: Vec<Option<u32>>,
    /// The marks that all edges of the state share.
    base: Vec<u64>,
}

impl Marks {
    pub(super) fn new(fairness: Fairness, actors: usize) -> Self {
        let mut marks = Marks {
            fairness,
            actors,
            movers: Vec::new(),
            base: Vec::new(),
        };
        marks.base.resize(marks.acceptance().words(), 0);
        marks
    }

    /// What the marks mean.
    pub(super) fn acceptance(&self) -> Acceptance {
        let actors = self.actors as u32;
        match self.fairness {
            Fairness::None => Acceptance::default(),
            Fairness::Weak => Acceptance {
                sets: actors,
                pairs: 0,
            },
            Fairness::Strong => Acceptance {
                sets: 0,
                pairs: actors,
            },
        }
    }

    /// Whether there is anything to mark.
    #[inline]
    pub(super) fn is_needed(&self) -> bool {
        self.actors > 0
    }

    /// Begins with the edges of a state.
    pub(super) fn begin(&mut self) {
        self.movers.clear();
    }

    /// Notes who moves on the next edge.
    pub(super) fn push(&mut self, actor: Option<usize>) {
        self.movers.push(actor.map(|actor| actor as u32));
    }

    /// An actor of an edge that fairness does not look after, because its number is too large.
    pub(super) fn unknown_actor(&self) -> Option<u32> {
        let known = self.actors as u32;
        self.movers
            .iter()
            .flatten()
            .copied()
            .find(|&actor| actor >= known)
    }

    /// Marks the edges that were noted; the first of them has this index.
    pub(super) fn mark(&mut self, first: usize, out: &mut Expansion) {
        if out.mark_words() == 0 {
            return;
        }
        let acceptance = self.acceptance();
        self.base.fill(0);
        let enabled = |actor: u32| self.movers.contains(&Some(actor));
        for actor in 0..self.actors as u32 {
            match self.fairness {
                Fairness::None => {}
                Fairness::Weak if enabled(actor) => {}
                Fairness::Weak => set_bit(&mut self.base, acceptance.set_bit(actor)),
                Fairness::Strong if enabled(actor) => {
                    set_bit(&mut self.base, acceptance.request_bit(actor));
                }
                Fairness::Strong => {}
            }
        }
        for index in first..out.len() {
            let marks = out.marks_mut(index);
            for (mark, base) in marks.iter_mut().zip(&self.base) {
                *mark |= base;
            }
            if let Some(Some(actor)) = self.movers.get(index - first).copied() {
                match self.fairness {
                    Fairness::None => {}
                    Fairness::Weak => set_bit(marks, acceptance.set_bit(actor)),
                    Fairness::Strong => set_bit(marks, acceptance.grant_bit(actor)),
                }
            }
        }
    }
}

fn set_bit(row: &mut [u64], bit: usize) {
    if let Some(word) = row.get_mut(bit / 64) {
        *word |= 1 << (bit % 64);
    }
}
