//! The first search of the searches in rounds (`rounds.rs`), with what it finds early.
//!
//! It visits all states breadth first, and lists the *sources*: the states that an edge with marks leaves. It also finds
//! some of the accepted cycles.
//!
//! *Early detection.* A state that waits in the queue carries the first state on its path that an accepting edge
//! leaves. An edge back to this state closes an accepted cycle, which ends the search. So does an accepting edge
//! from a state to itself. What is carried belongs to a real path, so no detection is false; it may miss cycles.

use crate::cycles::component_lasso::NOT_DETERMINISTIC;
use crate::reach::bfs::Visitor;
use crate::toolkit::budget::Stop;
use crate::toolkit::column::Column;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::outcome::Path;
use crate::toolkit::parents::{Discovery, ParentLog, ParentLogs};
use lariat_graph::{Acceptance, AcceptingGraph, Expansion};
use lariat_store::{Archive, Full, Memory, StateRef};

/// Which cycles the first search looks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Early {
    /// Those through the first state of a path that an accepting edge leaves.
    pub carried: bool,
    /// Accepting edges from a state to itself.
    pub loops: bool,
}

impl Early {
    /// All that it can find.
    pub const ALL: Early = Early {
        carried: true,
        loops: true,
    };
}

/// What a state carries if no cycle is to be found through it: it is no state, and it is never replaced.
const NOTHING: StateRef = StateRef::new(u64::MAX - 1);

/// The states that an edge with marks leaves, as one worker has found them. Those that were discovered one after the other form a
/// run, and only its first discovery is kept: often all states are sources.
pub(crate) struct Sources {
    pub states: Column<StateRef>,
    runs: Column<Run>,
}

/// Sources whose discoveries follow each other.
#[derive(Clone, Copy)]
struct Run {
    /// The index of the first one, and its discovery.
    index: u64,
    discovery: Discovery,
}

impl Sources {
    fn new(memory: &Memory) -> Self {
        Sources {
            states: Column::new(memory),
            runs: Column::new(memory),
        }
    }

    fn push(&mut self, discovery: Discovery, state: StateRef) -> Result<(), Full> {
        let index = self.states.len();
        self.states.push(state)?;
        match self.runs.last() {
            Some(run) if run.at(index) == discovery => Ok(()),
            _ => self.runs.push(Run { index, discovery }),
        }
    }

    /// The discovery of the source with an index.
    pub fn discovery(&self, index: u64) -> Discovery {
        let (mut first, mut end) = (0, self.runs.len());
        while end - first > 1 {
            let middle = first + (end - first) / 2;
            match self.runs.get(middle).index <= index {
                true => first = middle,
                false => end = middle,
            }
        }
        self.runs.get(first).at(index)
    }
}

impl Run {
    /// The discovery of a source of this run.
    fn at(self, index: u64) -> Discovery {
        self.discovery.offset((index - self.index) as usize)
    }
}

/// What a worker does in the first search: finds the sources, and some of the cycles.
pub(crate) struct Initialisation {
    acceptance: Acceptance,
    early: Early,
    pub sources: Sources,
    pub found: Option<EarlyCycle>,
}

/// An accepted cycle that the first search has closed.
#[derive(Clone, Copy)]
pub(crate) struct EarlyCycle {
    /// The edge that closes it: where it starts, and its label.
    discovery: Discovery,
    label: u32,
    /// The state to which it leads, and which is on the path to where it starts.
    state: StateRef,
}

impl Initialisation {
    pub fn new(acceptance: Acceptance, early: Early, memory: &Memory) -> Self {
        Initialisation {
            acceptance,
            early,
            sources: Sources::new(memory),
            found: None,
        }
    }

    /// Whether a cycle with this edge is accepted whatever its other edges are.
    fn is_accepting(&self, expansion: &Expansion, edge: usize) -> bool {
        self.acceptance.accepts(expansion.marks(edge))
    }
}

/// Whether an edge belongs to the acceptance set. If there is none, every edge counts as one of the first set.
pub(crate) fn is_in(acceptance: Acceptance, set: u32, marks: &[u64]) -> bool {
    let bit = acceptance.set_bit(set);
    acceptance.sets == 0 || marks[bit / 64] >> (bit % 64) & 1 == 1
}

impl Visitor for Initialisation {
    type Carried = StateRef;

    fn initial(&self) -> StateRef {
        match self.early.carried {
            true => StateRef::NONE,
            false => NOTHING,
        }
    }

    fn expanded(
        &mut self,
        discovery: Discovery,
        state: StateRef,
        words: &[u32],
        expansion: &Expansion,
    ) -> Result<(), Stop> {
        let is_marked = |edge| {
            let marks = expansion.marks(edge);
            self.acceptance.sets == 0 || marks.iter().any(|&word| word != 0)
        };
        if !(0..expansion.len()).any(is_marked) {
            return Ok(());
        }
        self.sources.push(discovery, state)?;
        if !self.early.loops {
            return Ok(());
        }
        let mut edges = expansion.edges().enumerate();
        let is_loop = |&(edge, (target, _)): &(usize, (&[u32], u32))| {
            target == words && self.is_accepting(expansion, edge)
        };
        let Some((_, (_, label))) = edges.find(is_loop) else {
            return Ok(());
        };
        self.found = Some(EarlyCycle {
            discovery,
            label,
            state,
        });
        Err(Stop::Fault)
    }

    #[inline]
    fn carry(
        &self,
        source: StateRef,
        carried: StateRef,
        expansion: &Expansion,
        edge: usize,
    ) -> StateRef {
        match carried == StateRef::NONE && self.is_accepting(expansion, edge) {
            true => source,
            false => carried,
        }
    }

    #[inline]
    fn edge(
        &mut self,
        discovery: Discovery,
        label: u32,
        target: StateRef,
        _: &[u32],
        carried: StateRef,
    ) -> Result<(), Stop> {
        if target != carried {
            return Ok(());
        }
        self.found = Some(EarlyCycle {
            discovery,
            label,
            state: target,
        });
        Err(Stop::Fault)
    }
}

impl EarlyCycle {
    /// The lasso with this cycle: the path to the edge that closes it, cut at the state to which that leads.
    pub fn lasso<G: AcceptingGraph, T: Archive>(
        self,
        graph: &mut G,
        store: &T,
        parents: &[ParentLog],
    ) -> Result<Lasso, Stop> {
        let Path { initial, labels } =
            ParentLogs::new(parents.iter()).path(self.discovery, Some(self.label));
        let initial = initial.unwrap_or(0);
        let mut worker = store.worker();
        let repeated = store.load(&mut worker, self.state).to_vec();
        let mut out = Expansion::new();
        graph.initial(&mut out);
        let first = out.edges().nth(initial as usize);
        let mut state = first.ok_or(NOT_DETERMINISTIC)?.0.to_vec();
        let mut start = 0;
        while state != repeated {
            out.clear();
            graph.successors(&state, &mut out);
            let label = labels.get(start).ok_or(NOT_DETERMINISTIC)?;
            let mut edges = out.edges();
            let edge = edges.find(|(_, other)| other == label);
            let target = edge.ok_or(NOT_DETERMINISTIC)?.0;
            state.clear();
            state.extend_from_slice(target);
            start += 1;
        }
        let cycle = labels[start..].to_vec();
        let prefix = labels[..start].to_vec();
        Ok(Lasso {
            initial,
            prefix,
            cycle,
        })
    }
}
