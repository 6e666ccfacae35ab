//! Several searches of the same model, each with its own order of successors.
//!
//! A depth-first search with a random order of successors finds some errors early and others late: its cost has a
//! heavy tail. So restarts pay off. With [`Restarts`], the searches are limited to numbers of states by Luby's
//! sequence (Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", IPL 47, 1993), which costs at
//! most a logarithmic factor more than the optimal sequence for the unknown distribution; the last search is not
//! limited, so that it can also prove that there is no error.

use std::time::{Duration, Instant};

use lariat_search::{Budget, Stop};

use crate::omission::OmissionClaim;
use crate::outcome::{CheckError, Evidence, Outcome, RunsMade, Verdict};

/// The number of searches and their seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// The number of searches.
    pub count: u64,
    /// The seed of the first one; each further one adds 1.
    pub seed: u64,
    /// Limits them, and ends with the first one that finds an error.
    pub restarts: Option<Restarts>,
    /// Whether each one confirms that the others have omitted nothing: ends with the first one that finds an error, and
    /// combines their claims.
    pub confirm: bool,
}

/// The limits of searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// The number of states of the shortest ones.
    pub unit: u64,
}

/// The `index`th number of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ..., counted from 1.
pub fn luby(index: u64) -> u64 {
    let mut index = index.max(1);
    loop {
        // The sequence up to 2^k - 1 is that up to 2^(k-1) - 1 twice, and then 2^(k-1).
        let bits = u64::BITS - index.leading_zeros();
        if index == u64::MAX >> (u64::BITS - bits) {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}

/// Makes the searches, or one if there are no several: `search` gets a seed, if it is one of several, and a budget.
/// The outcome is that of the one with the shortest counterexample, or of the one that proves that there is none, or
/// else of the last one.
pub(crate) fn repeat(
    runs: Option<&Runs>,
    budget: &Budget,
    mut search: impl FnMut(Option<u64>, Budget) -> Result<Outcome, CheckError>,
) -> Result<Outcome, CheckError> {
    let Some(runs) = runs else {
        return search(None, budget.clone());
    };
    let start = Instant::now();
    let mut made = RunsMade {
        seed: runs.seed,
        ..RunsMade::default()
    };
    let mut best: Option<Outcome> = None;
    let mut claims = Vec::new();
    let mut stopped_by = None;
    for index in 0..runs.count.max(1) {
        let seed = runs.seed.wrapping_add(index);
        let limited = runs.budget(index, budget, start.elapsed());
        let outcome = search(Some(seed), limited)?;
        made.made += 1;
        made.states.push(outcome.statistics.states_stored);
        made.successes += u64::from(matches!(outcome.verdict, Verdict::Violated(_)));
        match &outcome.verdict {
            Verdict::NoViolationFound(Evidence::Search(claim)) => claims.push(*claim),
            Verdict::Exhausted(coverage) => stopped_by = Some(coverage.stopped_by),
            _ => {}
        }
        let is_over = runs.is_over(&outcome);
        if best.as_ref().is_none_or(|other| is_better(&outcome, other)) {
            made.best_seed = seed;
            best = Some(outcome);
        }
        if is_over {
            break;
        }
    }
    // There was at least one.
    let mut outcome = match best {
        Some(outcome) => outcome,
        None => search(None, budget.clone())?,
    };
    if runs.confirm
        && let Verdict::NoViolationFound(evidence) = &mut outcome.verdict
        && let Some(claim) = OmissionClaim::of_all(&claims)
    {
        *evidence = Evidence::Search(OmissionClaim {
            stopped_by,
            ..claim
        });
    }
    outcome.runs = Some(made);
    Ok(outcome)
}

impl Runs {
    /// The budget of a search.
    fn budget(&self, index: u64, budget: &Budget, elapsed: Duration) -> Budget {
        let mut limited = budget.clone();
        limited.time = budget.time.map(|time| time.saturating_sub(elapsed));
        if let Some(restarts) = self.restarts.filter(|_| index + 1 < self.count) {
            let states = restarts.unit.saturating_mul(luby(index + 1));
            limited.states = Some(budget.states.map_or(states, |limit| limit.min(states)));
        }
        limited
    }

    /// Whether no further search is needed.
    fn is_over(&self, outcome: &Outcome) -> bool {
        match &outcome.verdict {
            Verdict::Holds(_) => true,
            Verdict::Violated(_) => self.restarts.is_some() || self.confirm,
            Verdict::Exhausted(coverage) => {
                self.confirm || matches!(coverage.stopped_by, Stop::Interrupted | Stop::Time)
            }
            Verdict::NoViolationFound(_) => false,
        }
    }
}

/// Whether an outcome is more conclusive than another one, or the same in fewer steps.
fn is_better(outcome: &Outcome, other: &Outcome) -> bool {
    let rank = |outcome: &Outcome| match outcome.verdict {
        Verdict::Violated(_) => 3,
        Verdict::Holds(_) => 2,
        Verdict::NoViolationFound(_) => 1,
        Verdict::Exhausted(_) => 0,
    };
    let steps = |outcome: &Outcome| {
        let violations = outcome.verdict.violations().iter();
        violations
            .map(|violation| violation.trace().steps.len())
            .min()
    };
    match rank(outcome).cmp(&rank(other)) {
        std::cmp::Ordering::Equal if rank(outcome) == 3 => steps(outcome) < steps(other),
        // The last one of the limited ones represents all of them.
        std::cmp::Ordering::Equal => true,
        order => order.is_gt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Coverage, Method, PropertyName, Ran};
    use lariat_ir::space::Fairness;
    use lariat_search::{Omission, Statistics};

    /// The outcome of a search over hashes without a violation, or of one that ended early.
    fn found_nothing(seed: u64, states: u64, stop: Stop) -> Outcome {
        let omission = Omission::fingerprints(states, 40);
        let claim = OmissionClaim {
            omission,
            seed,
            searches: 1,
            any: omission.any,
            missed: None,
            stopped_by: None,
        };
        Outcome {
            property: PropertyName {
                title: "safety".into(),
                kind: "safety",
            },
            verdict: match stop {
                Stop::Complete => Verdict::NoViolationFound(Evidence::Search(claim)),
                stopped_by => Verdict::Exhausted(Coverage {
                    stopped_by,
                    complete_depth: None,
                    unreplayed: false,
                }),
            },
            ran: Ran {
                method: Method::None,
                workers: 1,
                executor: None,
                interpreted_locations: None,
                seed: Some(seed),
            },
            statistics: Statistics {
                states_stored: states,
                ..Statistics::default()
            },
            walks: None,
            automaton: None,
            fairness: Fairness::None,
            runs: None,
            unreached: Vec::new(),
        }
    }

    /// Confirms with three searches of 1000 states, which end for these reasons.
    fn confirmed(stops: [Stop; 3]) -> Outcome {
        let runs = Runs {
            count: 3,
            seed: 7,
            restarts: None,
            confirm: true,
        };
        let mut stops = stops.into_iter();
        repeat(Some(&runs), &Budget::default(), |seed, _| {
            let stop = stops.next().unwrap();
            Ok(found_nothing(seed.unwrap(), 1000, stop))
        })
        .unwrap()
    }

    #[test]
    fn confirming_searches_multiply_their_claims() {
        let outcome = confirmed([Stop::Complete; 3]);
        let Verdict::NoViolationFound(Evidence::Search(claim)) = outcome.verdict else {
            panic!("{outcome:?}");
        };
        let any = Omission::fingerprints(1000, 40).any;
        assert_eq!((claim.searches, claim.seed), (3, 9));
        assert!((claim.any / any.powi(3) - 1.0).abs() < 1e-12);
        assert_eq!(claim.stopped_by, None);
        assert_eq!(outcome.runs.unwrap().made, 3);
    }

    /// The time is for all searches; what the complete ones have shown remains.
    #[test]
    fn a_search_that_is_cut_confirms_nothing() {
        let outcome = confirmed([Stop::Complete, Stop::Time, Stop::Complete]);
        let Verdict::NoViolationFound(Evidence::Search(claim)) = outcome.verdict else {
            panic!("{outcome:?}");
        };
        assert_eq!((claim.searches, claim.seed), (1, 7));
        assert_eq!(claim.any, Omission::fingerprints(1000, 40).any);
        assert_eq!(claim.stopped_by, Some(Stop::Time));
        assert_eq!(outcome.runs.unwrap().made, 2);
        let outcome = confirmed([Stop::Memory, Stop::Complete, Stop::Complete]);
        assert!(matches!(outcome.verdict, Verdict::Exhausted(_)));
    }

    #[test]
    fn lubys_sequence() {
        let start: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(start, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        assert_eq!(luby((1 << 20) - 1), 1 << 19);
        assert_eq!(luby(u64::MAX), 1 << 63);
        assert_eq!(luby(0), 1);
    }
}
