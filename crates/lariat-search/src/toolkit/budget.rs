//! What a search may spend, and why it ended.

use crate::toolkit::stores::StoreKind;
use crate::walks::sequential_test::WalkTask;
use lariat_store::{Full, Refused};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search is asked to do.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What it may spend.
    pub budget: Budget,
    /// What it does about faults.
    pub faults: FaultPolicy,
    /// How it keeps the states that it has seen.
    pub store: StoreKind,
    /// A promise about the graph: each strongly connected component has only accepting edges inside, or none.
    pub weak: bool,
    /// What random walks are for, if these are made.
    pub walks: WalkTask,
}

/// What a search does about a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaultPolicy {
    /// Stop at the first one.
    #[default]
    StopAtFirst,
    /// Go on, and count all of them; one path is kept for each fault code.
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
    /// Somebody may set this at any time, from a signal handler, say, and the search ends soon.
    pub stop: Arc<AtomicBool>,
}

impl Budget {
    /// Whether the clock or the user is against going on.
    pub fn is_over(&self, clock: &Clock) -> bool {
        self.check(clock).is_err()
    }

    /// What the clock or the user has to say against going on.
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
    /// A fault was found, and [`FaultPolicy::StopAtFirst`] was set; or an accepted cycle was found
    /// by a search for one, which then returns it as its lasso.
    Fault,
    /// The memory of the budget did not suffice.
    Memory,
    /// The time of the budget is over.
    Time,
    /// There are more states than the budget, or the numbering of the store, allows.
    States,
    /// The search forgets states faster than it finds new ones, and it does not seem to come to an end.
    Thrashing,
    /// Somebody set [`Budget::stop`].
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
