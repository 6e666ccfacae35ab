//! Importance splitting: a walk whose distance to an accepting cycle decreases below its minimum splits into several
//! walks, each with its share of the weight (H. Kahn and T. E. Harris 1951; for rare events in model checking C.
//! Jegourel, A. Legay and S. Sedwards, CAV 2013).
//!
//! The branches are made one after the other, and each removes its states when it ends, so that the memory is that of
//! one walk. The weights of all ends add up to one, and each end has the probability of a plain walk: so the weight
//! of those that show a violation is an unbiased estimate of their probability, and being at most one it is above
//! zero at least as often as a plain walk finds one.

use lariat_graph::Draw;
use lariat_stats::Dice;

use super::walk::{Interrupted, Stepped, WalkState, Walker};
use super::{Ending, LassoSampling, Walk};

/// A state in which a walk has split.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// The number of states up to and including the one where it splits.
    states: usize,
    walk_state: WalkState,
    level: u32,
    /// The weight of each branch.
    weight: f64,
    /// The number of remaining branches.
    left: u32,
    /// The labels and keys that were recorded.
    labels: usize,
    keys: usize,
}

impl<G: Draw> Walker<'_, G> {
    pub(super) fn walk_and_split(&mut self, number: u64) -> Result<Walk, Interrupted> {
        let LassoSampling::Splitting(factor) = self.options.sampling else {
            return Err(Interrupted);
        };
        let mut walk = Walk {
            ending: Ending::Rejecting,
            steps: 0,
            value: 0.0,
            unknown: 0.0,
            is_cut_early: false,
            counts: true,
        };
        let mut walk_state = WalkState::default();
        if let Stepped::Over(ending) = self.start(number, &mut walk_state) {
            walk.ending = ending;
            walk.value = f64::from(u8::from(walk.is_violation()));
            return Ok(walk);
        }
        let mut level = self.graph.distance(self.path.last().0);
        let mut weight = 1.0;
        let mut branches: Vec<Branch> = Vec::new();
        loop {
            self.pause()?;
            let before = walk_state.steps;
            let stepped = match self.is_too_long(walk.steps) {
                true => Stepped::Over(Ending::Cut),
                false => self.step(&mut walk_state, true),
            };
            walk.steps += walk_state.steps - before;
            if let Stepped::Over(ending) = stepped {
                note(&mut walk, ending, weight);
                if self.record.is_some() && walk.is_violation() {
                    return Ok(walk);
                }
                let Some(branch) = self.next_branch(&mut branches) else {
                    return Ok(walk);
                };
                (walk_state, level, weight) = (branch.walk_state, branch.level, branch.weight);
                continue;
            }
            let distance = self.graph.distance(self.path.last().0);
            if distance < level {
                level = distance;
                weight /= f64::from(factor);
                let (labels, keys) = self.recorded();
                branches.push(Branch {
                    states: self.path.len(),
                    walk_state,
                    level,
                    weight,
                    left: factor - 1,
                    labels,
                    keys,
                });
                self.set_key(&mut walk_state, factor);
            }
        }
    }

    /// Returns to the last state with a remaining branch, and starts this branch.
    fn next_branch(&mut self, branches: &mut Vec<Branch>) -> Option<Branch> {
        while let Some(last) = branches.last_mut() {
            if last.left == 0 {
                branches.pop();
                continue;
            }
            let mut branch = *last;
            last.left -= 1;
            self.path.truncate(branch.states);
            if let Some(record) = &mut self.record {
                record.labels.truncate(branch.labels);
                record.keys.truncate(branch.keys);
                record.back = None;
            }
            self.set_key(&mut branch.walk_state, branch.left);
            return Some(branch);
        }
        None
    }

    /// Gives the walk a new key from here on.
    fn set_key(&mut self, walk_state: &mut WalkState, number: u32) {
        walk_state.key = Dice::new(walk_state.key ^ u64::from(number) << 32).next_u64();
        if let Some(record) = &mut self.record {
            record.keys.push((record.labels.len(), walk_state.key));
        }
    }

    fn recorded(&self) -> (usize, usize) {
        let record = self.record.as_ref();
        record.map_or((0, 0), |r| (r.labels.len(), r.keys.len()))
    }
}

/// Counts the end of a branch: a violation has priority, then an unknown end.
fn note(walk: &mut Walk, ending: Ending, weight: f64) {
    let is_violation = matches!(ending, Ending::Accepting | Ending::Fault(_));
    if is_violation {
        walk.value += weight;
    }
    if ending == Ending::Cut {
        walk.unknown += weight;
        walk.is_cut_early = true;
    }
    if is_violation && !walk.is_violation() || ending == Ending::Cut && !walk.is_violation() {
        walk.ending = ending;
    }
}
