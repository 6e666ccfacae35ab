//! From the labels that a search returns to the steps of the system.

use lariat_graph::product::{Product, SYSTEM_LABEL};
use lariat_graph::{DRAWN, Draw, Expansion, StateSpace};
use lariat_search::Recorded;
use lariat_stats::Dice;

use crate::replay_budget::ReplayBudget;
use crate::system::{Halted, Reference, ReplayError};

/// Labels along a path, and its initial state.
pub(crate) struct Labels<'a> {
    /// The index of the initial state; `None` if there is no state.
    pub initial: Option<u32>,
    /// The labels.
    pub labels: &'a [u32],
    /// The walk that drew the edges without a number, if it is one.
    pub walk: Option<&'a Recorded>,
}

impl Labels<'_> {
    /// The dice of the state after so many edges.
    fn dice(&self, edges: usize, state: &[u32]) -> Dice {
        self.walk
            .map_or_else(|| Dice::new(0), |walk| walk.dice(edges, state))
    }
}

/// The steps along labels, and how many of them there are before the label that was asked for.
pub(crate) type Followed<Step> = (Vec<Step>, usize);

/// A graph in which labels can be followed.
pub(crate) trait Follow: StateSpace {
    type Step;

    /// The steps of an edge and its target, which is empty if the edge has none.
    fn edge(
        &mut self,
        state: &[u32],
        label: u32,
        dice: Dice,
    ) -> Option<(Vec<Self::Step>, Vec<u32>)>;

    /// The steps with which a run enters an initial state.
    fn steps_to_initial(&mut self, state: &[u32]) -> Vec<Self::Step>;

    /// Follows labels from an initial state. The budget pays for the steps. The second part of the answer is the number of
    /// steps before the label `mark`.
    fn follow(
        &mut self,
        path: &Labels<'_>,
        mark: usize,
        budget: &mut ReplayBudget,
    ) -> Result<Followed<Self::Step>, Halted> {
        let missing = || ReplayError("the path is not in the graph".into());
        let Some(initial) = path.initial else {
            return Ok((Vec::new(), 0));
        };
        let mut out = Expansion::new();
        self.initial(&mut out);
        if initial as usize >= out.len() {
            return Err(missing().into());
        }
        let mut state = out.edge(initial as usize).0.to_vec();
        let mut steps = Vec::new();
        for step in self.steps_to_initial(&state) {
            budget.push(&mut steps, step)?;
        }
        let mut marked = steps.len();
        for (edges, &label) in path.labels.iter().enumerate() {
            if edges == mark {
                marked = steps.len();
            }
            budget.step(state.len())?;
            let dice = path.dice(edges, &state);
            let (more, target) = self.edge(&state, label, dice).ok_or_else(missing)?;
            for step in more {
                budget.push(&mut steps, step)?;
            }
            state = target;
        }
        if mark >= path.labels.len() {
            marked = steps.len();
        }
        Ok((steps, marked))
    }
}

/// The target of the only edge; empty if there is none.
fn only_target(out: &Expansion) -> Vec<u32> {
    match out.is_empty() {
        true => Vec::new(),
        false => out.edge(0).0.to_vec(),
    }
}

/// The graph of a system without a product.
pub(crate) struct Plain<R>(pub R);

impl<R: Reference> StateSpace for Plain<R> {
    fn initial(&mut self, out: &mut Expansion) {
        self.0.initial(out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.0.successors(state, out);
    }
}

impl<R: Reference> Follow for Plain<R> {
    type Step = R::Step;

    fn steps_to_initial(&mut self, state: &[u32]) -> Vec<R::Step> {
        self.0.steps_to_initial(state)
    }

    fn edge(&mut self, state: &[u32], label: u32, dice: Dice) -> Option<(Vec<R::Step>, Vec<u32>)> {
        let mut out = Expansion::new();
        if label == DRAWN {
            self.0.draw(state, &mut dice.clone(), &mut out);
            let steps = self.0.steps_of_drawn_edge(state, &mut dice.clone())?;
            return Some((steps, only_target(&out)));
        }
        self.0.successors(state, &mut out);
        let target = out.edges().find(|(_, other)| *other == label);
        let target = target.map(|(target, _)| target.to_vec());
        Some((
            self.0.steps_of_edge(state, label)?,
            target.unwrap_or_default(),
        ))
    }
}

impl<R: Reference> Follow for Product<R> {
    type Step = R::Step;

    fn steps_to_initial(&mut self, state: &[u32]) -> Vec<R::Step> {
        match state.split_last() {
            Some((_, system)) => self.system_mut().steps_to_initial(system),
            None => Vec::new(),
        }
    }

    fn edge(
        &mut self,
        state: &[u32],
        label: u32,
        mut dice: Dice,
    ) -> Option<(Vec<R::Step>, Vec<u32>)> {
        let system = state[..state.len().checked_sub(1)?].to_vec();
        if label & !SYSTEM_LABEL == DRAWN {
            let mut out = Expansion::new();
            self.draw(state, &mut dice.clone(), &mut out);
            self.resolve_draw(state, &mut dice)?;
            let steps = self.system_mut().steps_of_drawn_edge(&system, &mut dice)?;
            return Some((steps, only_target(&out)));
        }
        let (label, target) = match label & SYSTEM_LABEL {
            0 => self.resolve(state, label)?,
            _ => (label & !SYSTEM_LABEL, Vec::new()),
        };
        Some((self.system_mut().steps_of_edge(&system, label)?, target))
    }
}
