//! What a search returns.

use crate::toolkit::budget::Stop;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::storing::Storing;
use crate::walks::sequential_test::Walked;
use lariat_store::Exactness;
use std::time::Duration;

/// The result of a search: never a bare boolean, and never without the reason why it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOutcome {
    /// Why the search ended. Faults may have been found whatever it was.
    pub stop: Stop,
    /// The faults, one entry for each code, in the order in which they were found.
    pub faults: Vec<FoundFault>,
    /// An accepted run, if cycles were searched for. Then [`Stop::Complete`] means that no infinite run is accepted, and
    /// [`Stop::Fault`] that a lasso was found, or a fault.
    pub lasso: Option<Lasso>,
    /// What was counted. States that had to be expanded a second time are counted once.
    pub statistics: Statistics,
    /// Whether states were told apart exactly.
    pub exactness: Exactness,
    /// What random walks have found, if these were made in place of a search.
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
    /// How often it was seen. In a complete search this is the number of all pairs of a reachable
    /// state and a fault with this code that the state, or one of its edges, has.
    pub occurrences: u64,
    /// A way to it: the first that was found, or a shortest one in a breadth-first search.
    pub path: Path,
}

/// A way to a fault, by the labels of its edges.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// Where it starts, as an index of the initial states in the order in which the state space
    /// gave them; `None` if the fault came up while they were made, before there was a state.
    pub initial: Option<u32>,
    /// The labels of its edges in order. If the fault belongs to an edge, that is the last one.
    pub labels: Vec<u32>,
}

/// What a search counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// States that were new when they were reached. If states are forgotten, some are counted each time.
    pub states_stored: u64,
    /// Edges that led to a state that was stored already.
    pub states_matched: u64,
    /// Steps inside edges, through states that no search sees.
    pub internal_steps: u64,
    /// Breadth-first: the number of levels. Depth-first: the greatest height of the stack.
    pub max_depth: u64,
    /// The most memory that was held at any moment: states, stack and buffers.
    pub memory_bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// What a search that forgets states has to tell.
    pub storing: Option<Storing>,
}

impl Statistics {
    /// Edges that were followed, counting one into each initial state, as SPIN does.
    pub fn transitions(&self) -> u64 {
        self.states_stored + self.states_matched
    }
}
