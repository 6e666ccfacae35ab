//! Replays the result of a search for violating runs.

use std::time::Duration;

use lariat_graph::product::Product;
use lariat_graph::{Expansion, StateSpace};
use lariat_ir::fault::Fault;
use lariat_search::{
    Budget, Ending, FaultPolicy, FoundFault, Lasso, Observer, Options, Path, Recorded,
    breadth_first, shorten, shortest_lasso,
};

use crate::follow::{Follow, Labels};
use crate::lasso_replay::{Asked, Candidate, End};
use crate::outcome::{CheckError, Violation};
use crate::plan::Choice;
use crate::replay_budget::ReplayBudget;
use crate::run::{Found, Replayed, RunCase, limits, product};
use crate::run_property::PropertyAutomaton;
use crate::system::{Reference, ReplayError, System};

/// Lassos with more edges are not shortened.
const MAX_SHORTENED: u64 = 1 << 20;
/// The states of a lasso that is shortened may take this part of the memory; there are several copies.
const SHORTENED_SHARE: u64 = 16;

/// Whether there is room for all states of a lasso: it is too long, or its states are too wide, otherwise.
fn can_be_shortened<G: StateSpace>(graph: &mut G, lasso: &Lasso, budget: &Budget) -> bool {
    let mut initial = Expansion::new();
    graph.initial(&mut initial);
    let words = initial.edges().map(|(state, _)| state.len()).max();
    let bytes = 4 * (words.unwrap_or(0) as u64).saturating_mul(lasso.length());
    let most = budget.memory.map(|memory| memory / SHORTENED_SHARE);
    lasso.length() <= MAX_SHORTENED && most.is_none_or(|most| bytes <= most)
}

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
    ) -> Result<(Replayed, bool), CheckError> {
        match self.replay(reference, choice, automaton, found, budget, observer) {
            Ok((list, shortest)) => {
                let cut = found.unrecorded;
                Ok((Replayed { list, cut }, shortest))
            }
            Err(CheckError::Unreplayed(stop)) => {
                let (list, cut) = (Vec::new(), Some(stop));
                Ok((Replayed { list, cut }, false))
            }
            Err(error) => Err(error),
        }
    }

    fn replay<R: Reference<Step = S::Step>>(
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
        let left = left(budget, found);
        let options = Options {
            budget: Budget {
                time: left,
                ..budget.clone()
            },
            store: choice.store,
            ..Options::default()
        };
        let replays = &mut ReplayBudget::new(budget, left);
        if found.outcome.walks.is_some() {
            let mut list = self.confirm_walks(&asked, &mut product, &found.recorded, replays)?;
            let shorter = match list.first() {
                Some(first) if self.plan.wishes().shortest => {
                    self.shorter_than_walk(reference, automaton, first, &options, observer)
                }
                _ => Ok(None),
            };
            let shorter = improvement(shorter)?;
            let is_shortest = shorter.is_some();
            if let Some(shorter) = shorter {
                list[0] = shorter;
            }
            return Ok((list, is_shortest));
        }
        if let Some(fault) = found.outcome.faults.first() {
            let violation = self.fault(&asked, &mut product, fault, replays)?;
            return Ok((vec![violation], choice.search.info().shortest_paths));
        }
        let Some(lasso) = &found.outcome.lasso else {
            return Ok((Vec::new(), false));
        };
        let lasso = match can_be_shortened(&mut product, lasso, budget) {
            true => shorten(&mut product, lasso),
            false => lasso.clone(),
        };
        let violation = self.lasso(&asked, &mut product, &lasso, replays)?;
        if self.plan.wishes().shortest {
            let shortest = self.shortest(reference, Some(lasso.length()), &options, observer);
            if let Some(shortest) = improvement(shortest)? {
                return Ok((vec![shortest], true));
            }
        }
        Ok((vec![violation], false))
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
        bound: Option<u64>,
        options: &Options,
        observer: &mut impl Observer,
    ) -> Result<Option<Violation>, CheckError> {
        let automaton = self.property.automaton(true, &limits(&options.budget));
        let automaton = automaton.map_err(CheckError::TooLarge)?;
        let mut product = product(reference, &automaton);
        let options = Options {
            // Faults on the path are not the goal.
            faults: FaultPolicy::Collect,
            ..options.clone()
        };
        let shortest = shortest_lasso(&mut product, &options, bound, observer);
        match shortest.lasso {
            Some(lasso) if shortest.proven => {
                let asked = self.asked(&automaton);
                let replays = &mut ReplayBudget::new(&options.budget, None);
                self.lasso(&asked, &mut product, &lasso, replays).map(Some)
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
            // The walk was tightened: the product may have no lasso with so few edges.
            return self.shortest(reference, None, options, observer);
        }
        let mut product = product(reference, automaton);
        let outcome = breadth_first(std::slice::from_mut(&mut product), options, observer);
        let replays = &mut ReplayBudget::new(&options.budget, None);
        let fault = outcome.faults.first();
        fault
            .map(|fault| self.fault(&self.asked(automaton), &mut product, fault, replays))
            .transpose()
    }

    /// Replays the walks that violate the property, those with the same steps once. If the budget ends, those before it are what
    /// was found.
    fn confirm_walks<R: Reference<Step = S::Step>>(
        &self,
        asked: &Asked<'_, S>,
        product: &mut Product<R>,
        recorded: &[Recorded],
        replays: &mut ReplayBudget,
    ) -> Result<Vec<Violation>, CheckError> {
        let mut list: Vec<Violation> = Vec::new();
        for walk in recorded {
            let violation = match self.confirm_walk(asked, product, walk, replays) {
                Err(CheckError::Unreplayed(_)) if !list.is_empty() => break,
                violation => violation?,
            };
            if !list.iter().any(|other| other.trace() == violation.trace()) {
                list.push(violation);
            }
        }
        Ok(list)
    }

    fn confirm_walk<R: Reference<Step = S::Step>>(
        &self,
        asked: &Asked<'_, S>,
        product: &mut Product<R>,
        walk: &Recorded,
        replays: &mut ReplayBudget,
    ) -> Result<Violation, CheckError> {
        let path = Labels {
            initial: walk.initial,
            labels: &walk.labels,
            walk: Some(walk),
        };
        let back = walk.back.unwrap_or(0);
        let (steps, start) = product.follow(&path, back, replays)?;
        match (walk.walk.ending, walk.back) {
            (Ending::Fault(code), _) => self.settled(asked, steps, Fault::from_code(code), replays),
            (Ending::Accepting, Some(_)) => {
                let end = End::Loop(start);
                self.loop_violation(asked, Candidate { steps, end }, replays)
            }
            _ => {
                let message = "a walk does not find its violation again";
                Err(ReplayError(message.into()).into())
            }
        }
    }

    /// Replays the path to a fault of the product.
    fn fault<R: Reference<Step = S::Step>>(
        &self,
        asked: &Asked<'_, S>,
        product: &mut Product<R>,
        fault: &FoundFault,
        replays: &mut ReplayBudget,
    ) -> Result<Violation, CheckError> {
        let Path { initial, labels } = &fault.path;
        let path = Labels {
            initial: *initial,
            labels,
            walk: None,
        };
        let (steps, _) = product.follow(&path, 0, replays)?;
        self.settled(asked, steps, Fault::from_code(fault.code), replays)
    }

    /// Replays a lasso of the product.
    fn lasso<R: Reference<Step = S::Step>>(
        &self,
        asked: &Asked<'_, S>,
        product: &mut Product<R>,
        lasso: &Lasso,
        replays: &mut ReplayBudget,
    ) -> Result<Violation, CheckError> {
        let labels: Vec<u32> = lasso.prefix.iter().chain(&lasso.cycle).copied().collect();
        let path = Labels {
            initial: Some(lasso.initial),
            labels: &labels,
            walk: None,
        };
        let (steps, start) = product.follow(&path, lasso.prefix.len(), replays)?;
        let end = End::Loop(start);
        self.loop_violation(asked, Candidate { steps, end }, replays)
    }

    /// Replays a run with a loop.
    fn loop_violation(
        &self,
        asked: &Asked<'_, S>,
        candidate: Candidate<S::Step>,
        replays: &mut ReplayBudget,
    ) -> Result<Violation, CheckError> {
        let candidate = asked.tighten(candidate, replays)?;
        let trace = asked.replay(&candidate, replays)?;
        replays.discard(candidate.steps);
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
        replays: &mut ReplayBudget,
    ) -> Result<Violation, CheckError> {
        let end = End::Settled(fault);
        let candidate = Candidate { steps, end };
        let trace = match fault.kind.is_of_property() {
            true => asked.replay(&candidate, replays)?,
            false => {
                let steps = &candidate.steps;
                self.system.replay_fault(steps, fault, None, replays)?
            }
        };
        replays.discard(candidate.steps);
        Ok(Violation::replayed(
            trace,
            self.property.fault_text(Some(fault)),
            Some(fault),
            1,
        ))
    }
}

/// The time that a search has left.
pub(crate) fn left(budget: &Budget, found: &Found) -> Option<Duration> {
    let elapsed = found.outcome.statistics.elapsed;
    budget.time.map(|time| time.saturating_sub(elapsed))
}

/// The violation that a search for a shorter one has found. If the budget has ended before, the one that is known already stays.
fn improvement(
    shorter: Result<Option<Violation>, CheckError>,
) -> Result<Option<Violation>, CheckError> {
    match shorter {
        Err(CheckError::Unreplayed(_) | CheckError::TooLarge(_)) => Ok(None),
        shorter => shorter,
    }
}
