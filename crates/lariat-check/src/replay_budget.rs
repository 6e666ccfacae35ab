//! What replays may spend.
//!
//! A counterexample can have millions of steps, and to replay it takes memory and time like any search. The memory is that
//! of the budget, since the search has given its own back. The time is what the search has left, or a tenth of all of it if that
//! is more: what was found in the last moment should not be lost. The clock is looked at by work done, so
//! that short counterexamples are replayed whatever it says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lariat_search::{Budget, Stop};
use lariat_store::{Account, Full, Memory};

use crate::system::Halted;
use crate::trace::{Trace, TraceStep};

/// After so many words of states the clock is looked at.
const LOOK_INTERVAL: u64 = 1 << 22;
/// What a step costs besides the words of its state, in words.
const STEP: u64 = 64;
/// The part of the time that replays may take in any case.
const SHARE: u32 = 10;

/// What replays may spend.
#[derive(Debug)]
pub struct ReplayBudget {
    memory: Memory,
    account: Account,
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    until_look: u64,
}

impl ReplayBudget {
    /// For replays of what a search with this budget has found, which has so much of its time left.
    pub fn new(budget: &Budget, left: Option<Duration>) -> Self {
        let Budget {
            memory, time, stop, ..
        } = replay_time(budget, left);
        let memory = Memory::new(memory);
        ReplayBudget {
            account: memory.account(),
            memory,
            stop,
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            until_look: LOOK_INTERVAL,
        }
    }

    /// Without limits.
    pub fn unlimited() -> Self {
        ReplayBudget::new(&Budget::default(), None)
    }

    /// The memory that replays draw on.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Says that a step was made whose state has so many words.
    pub fn step(&mut self, words: usize) -> Result<(), Halted> {
        let work = words as u64 + STEP;
        if work < self.until_look {
            self.until_look -= work;
            return Ok(());
        }
        self.until_look = LOOK_INTERVAL;
        if self.stop.load(Ordering::Relaxed) {
            return Err(Halted::Budget(Stop::Interrupted));
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Halted::Budget(Stop::Time)),
            _ => Ok(()),
        }
    }

    /// Adds something to a list that this budget pays for.
    pub fn push<T>(&mut self, list: &mut Vec<T>, element: T) -> Result<(), Halted> {
        self.account.grow_for_push(list)?;
        list.push(element);
        Ok(())
    }

    /// Frees a list that this budget has paid for.
    pub fn discard<T>(&mut self, list: Vec<T>) {
        self.account.discard(list);
    }

    /// Pays for memory that the caller gets in its own way.
    pub fn take(&mut self, bytes: usize) -> Result<(), Halted> {
        Ok(self.account.take(bytes as u64)?)
    }

    /// Does something that needs so many bytes until it is done.
    pub fn with<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> Result<T, Halted> {
        let mut account = self.memory.account();
        account.take(bytes as u64)?;
        Ok(work())
    }

    /// Tries something. What it paid for is given back if it fails.
    pub fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Halted>,
    ) -> Result<T, Halted> {
        let before = self.account.held();
        let result = work(self);
        if result.is_err() {
            self.account.set(before);
        }
        result
    }

    /// Adds a step to a trace. It is paid for twice, since a trail has a copy of it.
    pub fn push_step(&mut self, trace: &mut Trace, step: TraceStep) -> Result<(), Halted> {
        self.take(2 * step.heap_bytes() + size_of::<TraceStep>())?;
        self.push(&mut trace.steps, step)
    }
}

/// The budget of a search, with the time that replays may take if the search has so much of it left. A search that was
/// interrupted has found what it has found, so that a flag which is set already does not count.
pub(crate) fn replay_time(budget: &Budget, left: Option<Duration>) -> Budget {
    let mut replays = budget.clone();
    replays.time = budget
        .time
        .map(|time| left.unwrap_or(time).max(time / SHARE));
    if budget.stop.load(Ordering::Relaxed) {
        replays.stop = Arc::default();
    }
    replays
}

impl From<Full> for Halted {
    fn from(_: Full) -> Self {
        Halted::Budget(Stop::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_until_halted(mut budget: ReplayBudget, words: usize) -> Option<(u64, Halted)> {
        let most = 2 * LOOK_INTERVAL / (words as u64 + STEP);
        (0..most).find_map(|step| budget.step(words).err().map(|halted| (step, halted)))
    }

    /// The clock is looked at by the words of states, not by steps; a few steps are made whatever it says.
    #[test]
    fn the_clock_is_looked_at_by_work() {
        let over = Budget {
            time: Some(Duration::ZERO),
            ..Budget::default()
        };
        for words in [1, 1000, 1_000_000] {
            let budget = ReplayBudget::new(&over, None);
            let (step, halted) = steps_until_halted(budget, words).unwrap();
            assert_eq!(halted, Halted::Budget(Stop::Time));
            let work = step * (words as u64 + STEP);
            assert!(work < LOOK_INTERVAL && work + 2 * words as u64 + 2 * STEP > LOOK_INTERVAL);
        }
        assert_eq!(steps_until_halted(ReplayBudget::unlimited(), 10), None);
    }

    #[test]
    fn the_user_can_interrupt() {
        let budget = Budget::default();
        let replays = ReplayBudget::new(&budget, None);
        budget.stop.store(true, Ordering::Relaxed);
        let (_, halted) = steps_until_halted(replays, 1000).unwrap();
        assert_eq!(halted, Halted::Budget(Stop::Interrupted));
        // What was found before is replayed.
        let after = ReplayBudget::new(&budget, None);
        assert_eq!(steps_until_halted(after, 1000), None);
    }

    /// The time of a replay is what is left, and a part of all in any case.
    #[test]
    fn a_part_of_the_time_is_for_replays() {
        let second = Duration::from_secs(1);
        let budget = Budget {
            time: Some(20 * second),
            ..Budget::default()
        };
        let time = |left| replay_time(&budget, Some(left)).time;
        assert_eq!(time(5 * second), Some(5 * second));
        assert_eq!(time(second), Some(2 * second));
    }

    #[test]
    fn the_memory_is_limited() {
        let limit = Budget {
            memory: Some(100_000),
            ..Budget::default()
        };
        let mut budget = ReplayBudget::new(&limit, None);
        let mut trace = Trace::default();
        let step = TraceStep {
            statement: "x = 1".into(),
            ..TraceStep::default()
        };
        while budget.push_step(&mut trace, step.clone()).is_ok() {}
        assert!(budget.memory().peak() <= 100_000);
        let least = trace.steps.len() * size_of::<TraceStep>();
        assert!(least > 30_000, "{least}");
    }
}
