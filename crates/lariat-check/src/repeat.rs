//! Several searches of the same model, each with its own order of successors.
//!
//! A depth-first search with a random order of successors finds some errors early and others late: its cost has a
//! heavy tail. So restarts pay off. With [`Restarts`], the searches are limited to numbers of states by Luby's
//! sequence (Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", IPL 47, 1993), which costs at
//! most a logarithmic factor more than the optimal sequence for the unknown distribution; the last search is not
//! limited, so that it can also prove that there is no error.

use std::time::{Duration, Instant};

use lariat_search::{Budget, Stop};

use crate::outcome::{CheckError, Outcome, RunsMade, Verdict};

/// The number of searches and their seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// The number of searches.
    pub count: u64,
    /// The seed of the first one; each further one adds 1.
    pub seed: u64,
    /// Limits them, and ends with the first one that finds an error.
    pub restarts: Option<Restarts>,
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
    for index in 0..runs.count.max(1) {
        let seed = runs.seed.wrapping_add(index);
        let limited = runs.budget(index, budget, start.elapsed());
        let outcome = search(Some(seed), limited)?;
        made.made += 1;
        made.states.push(outcome.statistics.states_stored);
        made.successes += u64::from(matches!(outcome.verdict, Verdict::Violated(_)));
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
            Verdict::Violated(_) => self.restarts.is_some(),
            Verdict::Exhausted(coverage) => {
                matches!(coverage.stopped_by, Stop::Interrupted | Stop::Time)
            }
            Verdict::NoViolationFound(_) => false,
        }
    }
}

/// Whether an outcome is more conclusive than another one, or the same in fewer steps.
fn is_better(outcome: &Outcome, other: &Outcome) -> bool {
    let rank = |outcome: &Outcome| match outcome.verdict {
        Verdict::Violated(_) => 2,
        Verdict::Holds(_) => 1,
        _ => 0,
    };
    let steps = |outcome: &Outcome| {
        let violations = outcome.verdict.violations().iter();
        violations
            .map(|violation| violation.trace().steps.len())
            .min()
    };
    match rank(outcome).cmp(&rank(other)) {
        std::cmp::Ordering::Equal if rank(outcome) == 2 => steps(outcome) < steps(other),
        // The last one of the limited ones represents all of them.
        std::cmp::Ordering::Equal => true,
        order => order.is_gt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lubys_sequence() {
        let start: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(start, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        assert_eq!(luby((1 << 20) - 1), 1 << 19);
        assert_eq!(luby(u64::MAX), 1 << 63);
        assert_eq!(luby(0), 1);
    }
}
