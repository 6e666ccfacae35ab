//! The budget of a search, and why it ended.

use crate::toolkit::stores::StoreKind;
use crate::walks::sequential_test::WalkTask;
use lariat_store::frontier::Spill;
use lariat_store::{Full, Refused};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The options of a search.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Its limits.
    pub budget: Budget,
    /// Its policy for faults.
    pub faults: FaultPolicy,
    /// How it stores states.
    pub store: StoreKind,
    /// A guarantee of the caller: each strongly connected component of the graph has only accepting edges inside, or
    /// none.
    pub weak: bool,
    /// The task of random walks, if these are made.
    pub walks: WalkTask,
}

/// The policy for faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaultPolicy {
    /// Stop at the first one.
    #[default]
    StopAtFirst,
    /// Continue, and count all faults; one path is kept for each fault code.
    Collect,
}

/// The limits of a search. `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Bytes: states, stack and buffers together.
    pub memory: Option<u64>,
    /// Time since the search began.
    pub time: Option<Duration>,
    /// States stored.
    pub states: Option<u64>,
    /// Where a search with a queue puts waiting states for which it has no memory. Without it, all wait in memory.
    pub spill: Option<Spill>,
    /// Set by another thread or a signal handler to cancel the search, which then ends soon.
    pub stop: Arc<AtomicBool>,
}

impl Budget {
    /// Whether the time is over or the search is cancelled.
    pub fn is_over(&self, clock: &Clock) -> bool {
        self.check(clock).is_err()
    }

    /// An error if the time is over or the search is cancelled.
    pub(crate) fn check(&self, clock: &Clock) -> Result<(), Stop> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        match self.time {
            Some(limit) if clock.elapsed() >= limit => Err(Stop::Time),
            _ => Ok(()),
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// Every reachable state was visited.
    Complete,
    /// A fault was found, and [`FaultPolicy::StopAtFirst`] was set; or an accepted cycle was found by a search for
    /// one, which then returns it as its lasso.
    Fault,
    /// The memory limit was reached.
    Memory,
    /// The time limit was reached.
    Time,
    /// There are more states than the budget or the store allows.
    States,
    /// The search removes states faster than it finds new ones, and is not expected to end.
    Thrashing,
    /// The disk for waiting states is full.
    DiskFull,
    /// The limit on the bytes of waiting states on disk was reached.
    DiskLimit,
    /// Waiting states could not be written or read, or were damaged on disk; [`Spill::failure`] says more. What was found is no
    /// verdict.
    DiskError,
    /// [`Budget::stop`] was set.
    Interrupted,
}

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Stop::Memory
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Memory => Stop::Memory,
            Refused::States => Stop::States,
        }
    }
}

/// A clock that was started with the search.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Clock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Clock(Instant::now())
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
