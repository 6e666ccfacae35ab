//! Several searches of the same model, each with an order of its own.
//!
//! A depth-first search that looks at successors in a random order finds some errors early and others
//! late, and how late is a matter of luck: its cost has a heavy tail. So it pays to begin again. With
//! [`Restarts`], the searches are cut short after so many states as Luby's sequence says (Luby, Sinclair and
//! Zuckerman, "Optimal speedup of Las Vegas algorithms", IPL 47, 1993), which costs at most a
//! logarithmic factor more than the best sequence that one could choose knowing everything; and the last search
//! is not cut, so that it can also prove that there is no error.

use std::time::{Duration, Instant};

use lariat_report::outcome::{Guarantee, PropertyResult, RunsResult, StoppedBy, Verdict};
use lariat_search::Budget;

/// How many searches are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// The number of searches.
    pub count: u64,
    /// The seed of the first one; that of the next is one more.
    pub seed: u64,
    /// Cut them short, and end with the first one that finds an error.
    pub restarts: Option<Restarts>,
}

/// How searches are cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// How many states the shortest ones may store.
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

/// A search with a seed and a budget: its result, and whatever belongs to it.
pub trait Search<T, E> {
    /// Searches.
    fn run(&mut self, seed: u64, budget: Budget) -> Result<(PropertyResult, T), E>;
}

impl<T, E, F: FnMut(u64, Budget) -> Result<(PropertyResult, T), E>> Search<T, E> for F {
    fn run(&mut self, seed: u64, budget: Budget) -> Result<(PropertyResult, T), E> {
        self(seed, budget)
    }
}

/// Makes the searches. The result is that of the one with the shortest counterexample, or of the
/// one that proves that there is none, or else of the last one.
pub fn repeat<T, E>(
    runs: &Runs,
    budget: &Budget,
    mut search: impl Search<T, E>,
) -> Result<(PropertyResult, T), E> {
    let start = Instant::now();
    let mut best: Option<(PropertyResult, T)> = None;
    let mut made = RunsResult {
        seed: runs.seed,
        ..RunsResult::default()
    };
    for index in 0..runs.count.max(1) {
        let seed = runs.seed.wrapping_add(index);
        let limited = runs.budget(index, budget, start.elapsed());
        let (result, rest) = search.run(seed, limited)?;
        made.made += 1;
        made.states.push(result.states_stored);
        if result.verdict == Verdict::Violated {
            made.successes += 1;
        }
        let is_over = runs.is_over(&result);
        if best
            .as_ref()
            .is_none_or(|(other, _)| is_better(&result, other))
        {
            made.best_seed = seed;
            best = Some((result, rest));
        }
        if is_over {
            break;
        }
    }
    // There was at least one.
    let Some((mut result, rest)) = best else {
        return search.run(runs.seed, budget.clone());
    };
    result.runs = Some(made);
    Ok((result, rest))
}

impl Runs {
    /// What a search may spend.
    fn budget(&self, index: u64, budget: &Budget, elapsed: Duration) -> Budget {
        let mut limited = budget.clone();
        limited.time = budget.time.map(|time| time.saturating_sub(elapsed));
        if let Some(restarts) = self.restarts.filter(|_| index + 1 < self.count) {
            let states = restarts.unit.saturating_mul(luby(index + 1));
            limited.states = Some(budget.states.map_or(states, |limit| limit.min(states)));
        }
        limited
    }

    /// Whether no other search is needed, or wanted.
    fn is_over(&self, result: &PropertyResult) -> bool {
        match (result.verdict, &result.guarantee) {
            (Verdict::Holds, _) => true,
            (Verdict::Violated, _) => self.restarts.is_some(),
            (_, Guarantee::PartialCoverage { stopped_by, .. }) => {
                matches!(stopped_by, StoppedBy::Interrupt | StoppedBy::Time)
            }
            _ => false,
        }
    }
}

/// Whether a result says more than another one, or the same in fewer steps.
fn is_better(result: &PropertyResult, other: &PropertyResult) -> bool {
    let rank = |result: &PropertyResult| match result.verdict {
        Verdict::Violated => 2,
        Verdict::Holds => 1,
        _ => 0,
    };
    let steps = |result: &PropertyResult| result.violations.iter().map(|v| v.steps).min();
    match rank(result).cmp(&rank(other)) {
        std::cmp::Ordering::Equal if rank(result) == 2 => steps(result) < steps(other),
        // The last one of those that were cut short stands for all of them.
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
