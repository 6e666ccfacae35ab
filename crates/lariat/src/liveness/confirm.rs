//! Replaying what a search has found.

use std::time::Duration;

use lariat_graph::product::{Product, SYSTEM_LABEL};
use lariat_graph::{DRAWN, Expansion, StateSpace};
use lariat_ir::fault::Fault;
use lariat_ir::interpret::Step;
use lariat_ir::model::Model;
use lariat_ir::space::{Fairness, ModelSpace, STUTTER};
use lariat_ltl::automaton::Limits;
use lariat_search::{
    Budget, FaultPolicy, FoundFault, Lasso, LassoOutcome, Observer, Options, Recorded,
    ShortestLasso, shorten, shortest_lasso,
};
use lariat_stats::Dice;

use super::plan::Plan;
use super::{Case, CheckError, Counterexample, search_options};
use crate::lasso::{self, End, Suspect, Witness};
use crate::property::Question;
use crate::replay::{self, ReplayError};

impl Case<'_> {
    /// Replays what was found. The second part of the answer tells whether the product has nothing
    /// shorter.
    pub(super) fn counterexample(
        &self,
        product: &mut Product<ModelSpace>,
        outcome: &LassoOutcome,
        observer: &mut impl Observer,
    ) -> Result<(Option<Counterexample>, bool), CheckError> {
        if let Some(found) = outcome.faults.first() {
            let shortest = self.plan == Plan::Reachability;
            return Ok((Some(self.confirm_fault(product, found)?), shortest));
        }
        let Some(lasso) = &outcome.lasso else {
            return Ok((None, false));
        };
        let mut lasso = shorten(product, lasso);
        let mut proven = false;
        if self.options.shortest {
            let mut budget = self.options.budget.clone();
            let left = |time: Duration| time.saturating_sub(outcome.statistics.elapsed);
            budget.time = budget.time.map(left);
            let bound = Some(lasso.length());
            let shortest = self.shortest_lasso(product, &budget, bound, observer);
            proven = shortest.proven;
            lasso = shortest.lasso.unwrap_or(lasso);
        }
        Ok((Some(self.confirm_lasso(product, &lasso)?), proven))
    }

    /// Looks for a lasso that none is shorter than.
    pub(super) fn shortest_lasso(
        &self,
        product: &mut Product<ModelSpace>,
        budget: &Budget,
        bound: Option<u64>,
        observer: &mut impl Observer,
    ) -> ShortestLasso {
        // Faults that are met on the way are not what is looked for.
        let options = Options {
            faults: FaultPolicy::Collect,
            ..search_options(&self.options.engine, budget)
        };
        shortest_lasso(product, &options, bound, observer)
    }

    /// Replays a lasso of the product.
    pub(super) fn confirm_lasso(
        &self,
        product: &mut Product<ModelSpace>,
        lasso: &Lasso,
    ) -> Result<Counterexample, CheckError> {
        let suspect = suspect_lasso(product, lasso)?;
        self.confirm_loop(suspect)
    }

    /// Replays a run with a loop.
    pub(super) fn confirm_loop(&self, suspect: Suspect) -> Result<Counterexample, CheckError> {
        let (model, question, watch) = (self.model, self.question, &self.watch);
        let fairness = self.options.fairness;
        let suspect = lasso::tighten(model, question, watch, fairness, suspect)?;
        let witness = lasso::replay(model, question, watch, fairness, &suspect)?;
        Ok(witness.into())
    }

    /// Replays the way to a fault: one of the property, or one of the model.
    pub(super) fn confirm_fault(
        &self,
        product: &mut Product<ModelSpace>,
        found: &FoundFault,
    ) -> Result<Counterexample, CheckError> {
        let steps = match found.path.initial {
            Some(initial) => steps(product, initial, &found.path.labels)?.0,
            None => Vec::new(),
        };
        self.confirm_steps(steps, Fault::from_code(found.code))
    }

    /// Replays steps that lead to a fault.
    pub(super) fn confirm_steps(
        &self,
        steps: Vec<Step>,
        fault: Fault,
    ) -> Result<Counterexample, CheckError> {
        let suspect = Suspect {
            steps,
            end: End::Settled(fault),
        };
        if !fault.kind.is_of_property() {
            return model_fault(self.model, &suspect, fault);
        }
        let fairness = self.options.fairness;
        let witness = lasso::replay(self.model, self.question, &self.watch, fairness, &suspect)?;
        Ok(Counterexample {
            fault: Some(fault),
            ..witness.into()
        })
    }
}

impl From<Witness> for Counterexample {
    fn from(witness: Witness) -> Self {
        Counterexample {
            replayed: witness.steps.into(),
            loop_start: witness.loop_start,
            values: witness.values,
            fault: None,
        }
    }
}

/// Replays a run that ends with an error of the model itself.
fn model_fault(
    model: &Model,
    suspect: &Suspect,
    fault: Fault,
) -> Result<Counterexample, CheckError> {
    Ok(Counterexample {
        replayed: replay::replay(model, &suspect.steps, fault, &[])?,
        loop_start: None,
        values: String::new(),
        fault: Some(fault),
    })
}

/// Replays a run from a trail.
pub fn replay_suspect(
    model: &Model,
    question: &Question,
    fairness: Fairness,
    suspect: &Suspect,
) -> Result<Counterexample, CheckError> {
    if let End::Settled(fault) = suspect.end
        && !fault.kind.is_of_property()
    {
        return model_fault(model, suspect, fault);
    }
    let watch = question.watch(false, &Limits::default());
    let watch = watch.map_err(CheckError::TooLarge)?;
    Ok(lasso::replay(model, question, &watch, fairness, suspect)?.into())
}

/// The run behind a lasso of the product.
fn suspect_lasso(product: &mut Product<ModelSpace>, lasso: &Lasso) -> Result<Suspect, ReplayError> {
    let labels: Vec<u32> = lasso.prefix.iter().chain(&lasso.cycle).copied().collect();
    let (steps, lengths) = steps(product, lasso.initial, &labels)?;
    Ok(Suspect {
        end: End::Loop(lengths[lasso.prefix.len()]),
        steps,
    })
}

/// The steps along the labels of a path of the product, and how many of them there are before each
/// label and at the end.
fn steps(
    product: &mut Product<ModelSpace>,
    initial: u32,
    labels: &[u32],
) -> Result<(Vec<Step>, Vec<usize>), ReplayError> {
    follow(product, initial, labels, |_, _| Dice::new(0))
}

/// The steps of a random walk, in the same way.
pub(super) fn walk_steps(
    product: &mut Product<ModelSpace>,
    walk: &Recorded,
) -> Result<(Vec<Step>, Vec<usize>), ReplayError> {
    match walk.initial {
        Some(initial) => follow(product, initial, &walk.labels, |edges, state| {
            walk.dice(edges, state)
        }),
        None => Ok((Vec::new(), vec![0])),
    }
}

/// Follows labels. An edge that was drawn is drawn again, with the dice of a state behind so many edges.
fn follow(
    product: &mut Product<ModelSpace>,
    initial: u32,
    labels: &[u32],
    dice: impl Fn(usize, &[u32]) -> Dice,
) -> Result<(Vec<Step>, Vec<usize>), ReplayError> {
    let missing = || ReplayError("the path is not in the product".into());
    let mut out = Expansion::new();
    product.initial(&mut out);
    if initial as usize >= out.len() {
        return Err(missing());
    }
    let mut state = out.edge(initial as usize).0.to_vec();
    let mut steps = Vec::new();
    let mut lengths = vec![0];
    for (edges, &label) in labels.iter().enumerate() {
        let system = state[..state.len() - 1].to_vec();
        let (chain, target) = if label & !SYSTEM_LABEL == DRAWN {
            let mut dice = dice(edges, &state);
            out.clear();
            product.draw(&state, &mut dice.clone(), &mut out);
            product
                .resolve_draw(&state, &mut dice)
                .ok_or_else(missing)?;
            let chain = product.system_mut().drawn_chain(&system, &mut dice);
            let target = match out.is_empty() {
                true => Vec::new(),
                false => out.edge(0).0.to_vec(),
            };
            (chain, target)
        } else {
            let (label, target) = match label & SYSTEM_LABEL {
                0 => product.resolve(&state, label).ok_or_else(missing)?,
                _ => (label & !SYSTEM_LABEL, Vec::new()),
            };
            let chain = match label {
                STUTTER => Some(Vec::new()),
                label => product.system_mut().chain(&system, label),
            };
            (chain, target)
        };
        steps.extend(chain.ok_or_else(missing)?);
        lengths.push(steps.len());
        state = target;
    }
    Ok((steps, lengths))
}
