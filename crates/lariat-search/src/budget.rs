//! What a search may spend, and why it ended.

use crate::storing::Sampling;
use lariat_store::{Full, Refused};
use std::fmt;
use std::str::FromStr;
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
}

/// How a search keeps states; either way it tells them apart exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StoreKind {
    /// Compressed: as trees whose common parts are kept once.
    #[default]
    Tree,
    /// As they are.
    Flat,
    /// Compressed, and some of them are forgotten, by a depth-first search with one worker; others keep
    /// all of them.
    Sample(Sampling),
}

impl fmt::Display for StoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreKind::Tree => write!(f, "tree"),
            StoreKind::Flat => write!(f, "flat"),
            StoreKind::Sample(sampling) => sampling.rule.fmt(f),
        }
    }
}

impl FromStr for StoreKind {
    type Err = String;

    /// The kind with this name; the seed of what it draws is zero.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "tree" => Ok(StoreKind::Tree),
            "flat" => Ok(StoreKind::Flat),
            _ => text
                .parse()
                .map(|rule| StoreKind::Sample(Sampling { rule, seed: 0 })),
        }
    }
}

/// Evaluates an expression in which `$Store` is the type of the store that was asked for.
macro_rules! with_store {
    ($kind:expr, $Store:ident => $body:expr) => {
        match $kind {
            $crate::StoreKind::Tree => {
                type $Store = lariat_store::TreeStore;
                $body
            }
            $crate::StoreKind::Flat => {
                type $Store = lariat_store::FlatSet;
                $body
            }
            // A search that cannot do without some of its states keeps all of them.
            $crate::StoreKind::Sample(_) => {
                type $Store = lariat_store::TreeStore;
                $body
            }
        }
    };
}
pub(crate) use with_store;

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
