//! Replays the result of a search for violating runs.

use std::time::Duration;

use lariat_graph::product::Product;
use lariat_ir::fault::Fault;
use lariat_ltl::automaton::TooLarge;
use lariat_search::{
    Budget, Ending, FaultPolicy, FoundFault, Lasso, Observer, Options, Path, Recorded,
    breadth_first, shorten, shortest_lasso,
};

use crate::follow::{Follow, Labels};
use crate::lasso_replay::{Asked, Candidate, End};
use crate::outcome::{CheckError, Violation};
use crate::plan::Choice;
use crate::run::{Found, RunCase, limits, product};
use crate::run_property::PropertyAutomaton;
use crate::system::{Reference, ReplayError, System};

impl<S: System> RunCase<'_, S> {
    /// Replays the result. The second part of the return value tells whether the product has nothing shorter.
    pub(crate) fn confirm<R: Reference<Step = S::Step>>(
        &self,
        reference: R,
        choice: &Choice,
        automaton: &PropertyAutomaton,
        found: &Found,
        budget: &Budget,
        observer: &mut impl Observer,
    ) -> Result<(Vec<Violation>, bool), CheckError> {
        let mut product = product(reference.clone(), automaton);
        let asked = self.asked(automaton);
        let left = |time: Duration| time.saturating_sub(found.outcome.statistics.elapsed);
        let options = Options {
            budget: Budget {
                time: budget.time.map(left),
                ..budget.clone()
            },
            store: choice.store,
            ..Options::default()
        };
        if found.outcome.walks.is_some() {
            let mut list = self.confirm_walks(&asked, &mut product, &found.recorded)?;
            let shorter = match list.first() {
                Some(first) if self.plan.wishes().shortest => {
                    self.shorter_than_walk(reference, automaton, first, &options, observer)?
                }
                _ => None,
            };
            let is_shortest = shorter.is_some();
            if let Some(shorter) = shorter {
                list[0] = shorter;
            }
            return Ok((list, is_shortest));
        }
        if let Some(fault) = found.outcome.faults.first() {
            let violation = self.fault(&asked, &mut product, fault)?;
            return Ok((vec![violation], choice.search.info().shortest_paths));
        }
        let Some(lasso) = &found.outcome.lasso else {
            return Ok((Vec::new(), false));
        };
        let lasso = shorten(&mut product, lasso);
        if self.plan.wishes().shortest {
            let bound = lasso.length();
            if let Some(violation) = self.shortest(reference, bound, &options, observer)? {
                return Ok((vec![violation], true));
            }
        }
        Ok((vec![self.lasso(&asked, &mut product, &lasso)?], false))
    }

    fn asked<'a>(&'a self, automaton: &'a PropertyAutomaton) -> Asked<'a, S> {
        Asked {
            system: self.system,
            property: self.property,
            conditions: self.conditions,
            automaton,
            fairness: self.plan.fairness,
        }
    }

    /// Searches for a shortest lasso, if the budget allows. It is one of the product with the automaton with the
    /// fewest states, whatever the search was: another automaton may have only longer lassos.
    fn shortest<R: Reference<Step = S::Step>>(
        &self,
        reference: R,
        bound: u64,
        options: &Options,
        observer: &mut impl Observer,
    ) -> Result<Option<Violation>, CheckError> {
        let automaton = match self.property.automaton(true, &limits(&options.budget)) {
            Ok(automaton) => automaton,
            Err(TooLarge::Time | TooLarge::Stopped) => return Ok(None),
            Err(error) => return Err(CheckError::TooLarge(error)),
        };
        let mut product = product(reference, &automaton);
        let options = Options {
            // Faults on the path are not the goal.
            faults: FaultPolicy::Collect,
            ..options.clone()
        };
        let shortest = shortest_lasso(&mut product, &options, Some(bound), observer);
        match shortest.lasso {
            Some(lasso) if shortest.proven => {
                let asked = self.asked(&automaton);
                self.lasso(&asked, &mut product, &lasso).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Searches for a shortest violation, where a walk has found one.
    fn shorter_than_walk<R: Reference<Step = S::Step>>(
        &self,
        reference: R,
        automaton: &PropertyAutomaton,
        found: &Violation,
        options: &Options,
        observer: &mut impl Observer,
    ) -> Result<Option<Violation>, CheckError> {
        if found.fault.is_none() {
            let bound = found.trace().steps.len() as u64;
            return self.shortest(reference, bound, options, observer);
        }
        let mut product = product(reference, automaton);
        let outcome = breadth_first(std::slice::from_mut(&mut product), options, observer);
        let fault = outcome.faults.first();
        fault
            .map(|fault| self.fault(&self.asked(automaton), &mut product, fault))
            .transpose()
    }

    /// Replays the walks that violate the property, those with the same steps once.
    fn confirm_walks<R: Reference<Step = S::Step>>(
        &self,
        asked: &Asked<'_, S>,
        product: &mut Product<R>,
        recorded: &[Recorded],
    ) -> Result<Vec<Violation>, CheckError> {
        let mut list: Vec<Violation> = Vec::new();
        for walk in recorded {
            let path = Labels {
                initial: walk.initial,
                labels: &walk.labels,
                walk: Some(walk),
            };
            let (steps, lengths) = product.follow(&path)?;
            let violation = match (walk.walk.ending, walk.back) {
                (Ending::Fault(code), _) => self.settled(asked, steps, Fault::from_code(code))?,
                (Ending::Accepting, Some(back)) => {
                    let end = End::Loop(lengths.get(back).copied().unwrap_or(0));
                    self.loop_violation(asked, Candidate { steps, end })?
                }
                _ => {
                    let message = "a walk does not find its violation again";
                    return Err(ReplayError(message.into()).into());
                }
            };
            if !list.iter().any(|other| other.trace() == violation.trace()) {
                list.push(violation);
            }
        }
        Ok(list)
    }

    /// Replays the path to a fault of the product.
    fn fault<R: Reference<Step = S::Step>>(
        &self,
        asked: &Asked<'_, S>,
        product: &mut Product<R>,
        fault: &FoundFault,
    ) -> Result<Violation, CheckError> {
        let Path { initial, labels } = &fault.path;
        let path = Labels {
            initial: *initial,
            labels,
            walk: None,
        };
        let (steps, _) = product.follow(&path)?;
        self.settled(asked, steps, Fault::from_code(fault.code))
    }

    /// Replays a lasso of the product.
    fn lasso<R: Reference<Step = S::Step>>(
        &self,
        asked: &Asked<'_, S>,
        product: &mut Product<R>,
        lasso: &Lasso,
    ) -> Result<Violation, CheckError> {
        let labels: Vec<u32> = lasso.prefix.iter().chain(&lasso.cycle).copied().collect();
        let path = Labels {
            initial: Some(lasso.initial),
            labels: &labels,
            walk: None,
        };
        let (steps, lengths) = product.follow(&path)?;
        let end = End::Loop(lengths[lasso.prefix.len()]);
        self.loop_violation(asked, Candidate { steps, end })
    }

    /// Replays a run with a loop.
    fn loop_violation(
        &self,
        asked: &Asked<'_, S>,
        candidate: Candidate<S::Step>,
    ) -> Result<Violation, CheckError> {
        let candidate = asked.tighten(candidate)?;
        let trace = asked.replay(&candidate)?;
        Ok(Violation::replayed(
            trace,
            self.property.fault_text(None),
            None,
            1,
        ))
    }

    /// Replays the path to a fault: one of the property, or one of the system.
    fn settled(
        &self,
        asked: &Asked<'_, S>,
        steps: Vec<S::Step>,
        fault: Fault,
    ) -> Result<Violation, CheckError> {
        let trace = match fault.kind.is_of_property() {
            true => asked.replay(&Candidate {
                steps,
                end: End::Settled(fault),
            })?,
            false => self.system.replay_fault(&steps, fault, None)?,
        };
        Ok(Violation::replayed(
            trace,
            self.property.fault_text(Some(fault)),
            Some(fault),
            1,
        ))
    }
}
