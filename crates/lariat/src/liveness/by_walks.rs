//! Looking for a run that violates a property with random lassos.

use std::time::Duration;

use lariat_graph::product::Product;
use lariat_ir::fault::Fault;
use lariat_ir::interpret::Patience;
use lariat_ir::space::ModelSpace;
use lariat_report::outcome::{Guarantee, PropertyResult, Verdict};
use lariat_search::{
    Ending, Observer, Recorded, Sampled, WalkOptions, breadth_first, random_lassos, record,
};

use super::confirm::walk_steps;
use super::{Case, CheckError, Counterexample, PropertyChecked, about, search_options, violation};
use crate::check::by_walks::statistics;
use crate::engine::{self, Executor, Job};
use crate::lasso::{End, Suspect};
use crate::replay::ReplayError;
use crate::walks::{Goal, Ground, Judge, Walks};

impl Case<'_> {
    /// Draws random lassos and replays those that violate the property.
    pub(super) fn by_walks(
        &self,
        walks: &Walks,
        patience: Patience,
        observer: &mut impl Observer,
    ) -> Result<PropertyChecked, CheckError> {
        // What is estimated is the probability of a plain random lasso.
        let walk_options = WalkOptions {
            retest: matches!(walks.goal, Goal::Test { .. }),
            ..walks.options
        };
        let job = PropertyWalks {
            case: self,
            patience,
            walk_options,
            judge: Judge::new(walks, Ground::Graph),
            observer: &mut *observer,
        };
        let exec = self.options.engine.exec;
        let (sampled, judge, recorded) =
            engine::with_executor(exec, self.reduced, Case::checks(), job)?;
        let mut space = ModelSpace::new(self.reduced, Case::checks());
        space.limit_memory(usize::MAX);
        let mut product = self.product(space);
        let mut found = Vec::new();
        let mut is_shortest = false;
        for walk in &recorded {
            let confirmed = self.confirm_walk(&mut product, walk)?;
            if !found
                .iter()
                .any(|other: &Counterexample| other.is_like(&confirmed))
            {
                found.push(confirmed);
            }
        }
        if let (Some(first), true) = (found.first_mut(), self.options.shortest)
            && let Some(shorter) = self.shorter(&mut product, first, &sampled, observer)?
        {
            *first = shorter;
            is_shortest = true;
        }
        Ok(PropertyChecked {
            result: self.walk_result(&sampled, &judge, &found, is_shortest),
            counterexamples: found,
        })
    }

    /// Replays a walk that violates the property.
    fn confirm_walk(
        &self,
        product: &mut Product<ModelSpace>,
        walk: &Recorded,
    ) -> Result<Counterexample, CheckError> {
        let (steps, lengths) = walk_steps(product, walk)?;
        match (walk.walk.ending, walk.back) {
            (Ending::Fault(code), _) => self.confirm_steps(steps, Fault::from_code(code)),
            (Ending::Accepting, Some(back)) => self.confirm_loop(Suspect {
                end: End::Loop(lengths.get(back).copied().unwrap_or(0)),
                steps,
            }),
            _ => Err(ReplayError("a walk does not find its violation again".into()).into()),
        }
    }

    /// Looks for a counterexample that none is shorter than, with what is left of the budget.
    fn shorter(
        &self,
        product: &mut Product<ModelSpace>,
        found: &Counterexample,
        sampled: &Sampled,
        observer: &mut impl Observer,
    ) -> Result<Option<Counterexample>, CheckError> {
        let mut budget = self.options.budget.clone();
        let left = |time: Duration| time.saturating_sub(sampled.elapsed);
        budget.time = budget.time.map(left);
        if found.fault.is_some() {
            let options = search_options(&self.options.engine, &budget);
            let outcome = breadth_first(std::slice::from_mut(product), &options, observer);
            let first = outcome.faults.first();
            return first.map(|f| self.confirm_fault(product, f)).transpose();
        }
        let bound = Some(found.replayed.steps.len() as u64);
        let shortest = self.shortest_lasso(product, &budget, bound, observer);
        let lasso = shortest.lasso.filter(|_| shortest.proven);
        lasso.map(|l| self.confirm_lasso(product, &l)).transpose()
    }

    fn walk_result(
        &self,
        sampled: &Sampled,
        judge: &Judge,
        found: &[Counterexample],
        shortest: bool,
    ) -> PropertyResult {
        let (verdict, guarantee) = match found.is_empty() {
            true => judge.verdict(sampled),
            false => (
                Verdict::Violated,
                Guarantee::ReplayedCounterexample {
                    shortest,
                    complete: false,
                },
            ),
        };
        PropertyResult {
            search: self.plan.word().into(),
            automaton: Some(self.automaton()),
            verdict,
            guarantee,
            errors: sampled.tally.violations,
            violations: found.iter().map(|f| violation(self.question, f)).collect(),
            sampling: Some(judge.result(sampled)),
            ..about(self.question, self.options, &statistics(sampled))
        }
    }
}

impl Counterexample {
    /// Whether another one has the same steps.
    fn is_like(&self, other: &Counterexample) -> bool {
        self.loop_start == other.loop_start && self.replayed.steps == other.replayed.steps
    }
}

/// Random lassos, for any executor.
struct PropertyWalks<'a, 'c, O> {
    case: &'a Case<'c>,
    patience: Patience,
    walk_options: WalkOptions,
    judge: Judge,
    observer: &'a mut O,
}

impl<'m, O: Observer> Job<'m> for PropertyWalks<'_, '_, O> {
    type Output = Result<(Sampled, Judge, Vec<Recorded>), CheckError>;

    fn run<E: Executor + 'm>(mut self, mut executor: E) -> Self::Output {
        let budget = &self.case.options.budget;
        executor.stop_on(self.patience);
        engine::limit_expansions(&mut executor, budget);
        let workers = self.case.options.engine.workers.max(1);
        let mut products = vec![self.case.product(executor); workers];
        let judge = &mut self.judge;
        let fold = |number, walk: &_| judge.add(number, walk);
        let sampled = random_lassos(
            &mut products,
            &self.walk_options,
            budget,
            fold,
            self.observer,
        );
        let difference = |product: &mut Product<E>| product.system_mut().difference();
        if let Some(difference) = products.iter_mut().find_map(difference) {
            return Err(CheckError::Executors(difference));
        }
        // The budget was for the walks. What they have found is walked again whatever the clock says.
        products[0].system_mut().stop_on(Patience::default());
        let numbers = self.judge.found().iter();
        let again = |&number| record(&mut products[0], &self.walk_options, number);
        let recorded = numbers.filter_map(again).collect();
        Ok((sampled, self.judge, recorded))
    }
}
