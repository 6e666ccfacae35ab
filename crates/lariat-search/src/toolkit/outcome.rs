//! The result of a search.

use crate::toolkit::budget::Stop;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::storing::Storing;
use crate::walks::sequential_test::Walked;
use lariat_stats::Omission;
use lariat_store::Exactness;
use lariat_store::frontier::Spill;
use std::time::Duration;

/// The result of a search: never a bare boolean, and never without the reason why it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOutcome {
    /// Why the search ended. Faults may have been found in any case.
    pub stop: Stop,
    /// The faults, one entry for each code, in the order of discovery.
    pub faults: Vec<FoundFault>,
    /// An accepted run, if cycles were searched for. Then [`Stop::Complete`] means that no infinite run is accepted, and
    /// [`Stop::Fault`] that a lasso was found, or a fault.
    pub lasso: Option<Lasso>,
    /// The counts. States that had to be expanded a second time are counted once.
    pub statistics: Statistics,
    /// Whether states were distinguished exactly.
    pub exactness: Exactness,
    /// The result of random walks, if these were made instead of a search.
    pub walks: Option<Walked>,
}

impl SearchOutcome {
    /// Whether every reachable state was visited, with certainty.
    pub fn is_exhaustive(&self) -> bool {
        self.stop == Stop::Complete && self.exactness == Exactness::Exact && self.walks.is_none()
    }
}

/// A fault that was found, maybe several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFault {
    /// The code of the fault.
    pub code: u32,
    /// How often it was found. In a complete search this is the number of pairs of a reachable state and a fault with
    /// this code of the state or of one of its edges.
    pub occurrences: u64,
    /// A path to it: the first that was found, or a shortest one in a breadth-first search.
    pub path: Path,
}

/// A path to a fault, by the labels of its edges.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// Its initial state, as an index of the initial states in the order of the state space; `None` if the fault
    /// occurred in the computation of the initial states.
    pub initial: Option<u32>,
    /// The labels of its edges in order. If the fault belongs to an edge, that is the last one.
    pub labels: Vec<u32>,
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// States that were new when they were reached. If states are removed, some are counted several times.
    pub states_stored: u64,
    /// Edges to states that were stored already.
    pub states_matched: u64,
    /// Steps inside edges, whose intermediate states no search sees.
    pub internal_steps: u64,
    /// Breadth-first: the number of levels. Depth-first: the greatest height of the stack.
    pub max_depth: u64,
    /// The peak of the memory: states, stack and buffers.
    pub memory_bytes: u64,
    /// The elapsed time.
    pub elapsed: Duration,
    /// The statistics of a search that removes states.
    pub storing: Option<Storing>,
    /// What may have been omitted, if states were distinguished by a hash.
    pub omission: Option<Omission>,
    /// What was on disk, if waiting states may be there.
    pub spilled: Option<Spilled>,
}

/// The use of the disk for waiting states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spilled {
    /// The bytes that were written.
    pub written: u64,
    /// The most bytes on disk at a time.
    pub peak: u64,
}

impl From<&Spill> for Spilled {
    fn from(spill: &Spill) -> Self {
        Spilled {
            written: spill.written(),
            peak: spill.peak(),
        }
    }
}

impl Statistics {
    /// Edges that were followed, counting one into each initial state, as SPIN does.
    pub fn transitions(&self) -> u64 {
        self.states_stored + self.states_matched
    }
}
