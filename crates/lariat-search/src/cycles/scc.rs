//! Search for an accepting strongly connected component.
//!
//! A depth-first search merges the states on its path into components as soon as it finds a back edge (Couvreur,
//! "On-the-fly verification of linear temporal logic", FM 1999; the stack of roots is that of Gabow, "Path-based
//! depth-first search for strong and biconnected components", IPL 74, 2000; a comparison with Tarjan's algorithm is
//! in Renault, Duret-Lutz, Kordon and Poitrenaud, "Three SCC-based emptiness checks for generalized Büchi automata",
//! LPAR 2013). Each partial component has the union of the marks of its edges. The search ends with the first one
//! whose marks satisfy the acceptance: it has a cycle through all of its edges. This happens long before the
//! component is complete, and often before a nested search would find anything.
//!
//! Any number of sets costs no more visits than one. Pairs are checked when a component is complete: if it has all
//! sets but lacks grants for some of its requests, the edges with these requests are removed and the rest is checked
//! again; see `components.rs`.
//!
//! Each state is expanded once, and once more where the stack is deeper than its window (`stack.rs`). Two bits in the
//! store tell whether a state is *live* (visited, and its component not complete) or *dead*. A live state costs 14 to
//! 18 bytes, a state on the path 16 and four times the marks of an edge.
//!
//! Several workers share the search in `ufscc.rs`, unless there are pairs: then the first one works alone.
//! `component_lasso.rs` constructs a lasso from a component.

use crate::cycles::component_lasso::{FoundComponent, NOT_DETERMINISTIC};
use crate::cycles::ufscc;
use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::stack::{Next, Stack};
use crate::toolkit::state_list::StateList;
use crate::toolkit::stores::StoreClass;
use crate::toolkit::workers::Workers;
use lariat_graph::Draw;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, Fault};
use lariat_store::{Archive, Full, Memory, Settled, StateRef};

/// Search for accepting strongly connected components; with several workers, `ufscc.rs`.
pub struct Scc;

impl Search for Scc {
    const INFO: SearchInfo = SearchInfo {
        name: "scc",
        summary: "strongly connected components: also fairness, and several acceptance sets",
        faults: false,
        cycles: Cycles::Pairs,
        stores: &[StoreClass::Keeping],
        workers: WorkerUse::AnyWithoutPairs,
        order: VisitOrder::DepthFirst,
        queue: false,
        shortest_paths: false,
        counts_faults: false,
        misses: Misses::Nothing,
    };

    fn run<G: Draw + Send, O: Observer>(
        graphs: &mut [G],
        options: &Options,
        observer: &mut O,
    ) -> SearchOutcome {
        scc_search(graphs, options, observer)
    }
}

/// Searches for a cycle with any acceptance, with a worker for each of `graphs`, which are copies of the same graph.
/// With pairs, only the first one works.
///
/// # Panics
///
/// If there is no graph.
pub fn scc_search<G: AcceptingGraph + Send, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let has_pairs = graphs[0].acceptance().pairs > 0;
    lariat_store::with_store!(options.store.keeping(), T => match graphs {
        [graph] => search::<G, T, O>(graph, options, observer),
        [graph, ..] if has_pairs => search::<G, T, O>(graph, options, observer),
        _ => ufscc::search::<G, T, O>(graphs, options, observer),
    })
}

fn search<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    graph: &mut G,
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let pool = Workers::new(options, 1);
    let store: T = pool.store(SccSearch::<G, T>::COLOUR_BITS, graph);
    let mut members = [SccSearch::new(graph, &store, pool.memory())];
    let explore =
        |search: &mut SccSearch<G, T>, counters: &mut Counters<Path>| search.explore(counters);
    let (totals, results) = pool.run(&mut members, observer, explore);
    let lasso = results.into_iter().flatten().flatten().next();
    totals.lasso_outcome(&pool, Ok(lasso), |path| path)
}

pub(crate) struct SccSearch<'a, G, T: Archive> {
    explorer: Explorer<'a, G, T>,
    acceptance: Acceptance,
    /// The states of incomplete components. The number of a state is its position, counted from 1.
    live: StateList,
    stack: Stack,
    roots: Roots,
    /// The depth of the search at its last visit of a state, for the observer.
    depth: u64,
    /// The path to the state at which the search has started, if that is not an initial one.
    path: Vec<u32>,
}

// The colours.
const UNVISITED: u8 = 0;
const LIVE: u8 = 1;
/// The state belongs to a component that is complete and has no accepted cycle.
const DEAD: u8 = 2;

impl<'a, G: AcceptingGraph, T: Archive> SccSearch<'a, G, T> {
    pub fn new(graph: &'a mut G, store: &'a T, memory: &Memory) -> Self {
        let acceptance = graph.acceptance();
        SccSearch {
            explorer: Explorer::new(graph, store, memory, acceptance.words()),
            acceptance,
            live: StateList::new(memory),
            stack: Stack::new(memory, acceptance.words()),
            roots: Roots::new(memory, acceptance.words()),
            depth: 0,
            path: Vec::new(),
        }
    }

    /// The bits of a colour.
    pub const COLOUR_BITS: u32 = 2;

    /// Whether a state was visited.
    pub fn is_visited(&mut self, state: StateRef) -> bool {
        self.explorer.colour(state) != UNVISITED
    }

    /// The slot of a state.
    pub fn slot(&mut self, state: StateRef) -> u64 {
        self.explorer.slot(state)
    }

    /// Searches from a stored state, to which `path` leads: the index of an initial state, and the labels of edges. Several
    /// of these searches, one after the other, visit no state twice.
    pub fn explore_from(
        &mut self,
        start: StateRef,
        path: Vec<u32>,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        if self.is_visited(start) {
            return Ok(None);
        }
        self.path = path;
        let mut edge = Expansion::with_marks(self.acceptance.words());
        edge.push(&[], 0);
        self.stack.clear();
        self.stack.push(StateRef::NONE)?;
        let target = Settled {
            state: start,
            is_new: false,
            colour: UNVISITED,
        };
        self.stack.push_edges(&edge, 0, &[target], |_, _| true)?;
        self.explore_stack(None, counters)
    }

    fn explore(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        counters.checkpoint(0, None)?;
        let found = self.enter(StateRef::NONE, counters)?;
        self.explore_stack(found, counters)
    }

    /// Explores what waits on the stack, unless a lasso was found.
    fn explore_stack(
        &mut self,
        mut found: Option<Lasso>,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        while found.is_none() {
            found = match self.stack.next() {
                Next::Edge(target) => self.follow(target, counters)?,
                Next::Forgotten { state, first } => self.enter_again(state, first, counters)?,
                Next::Exhausted if self.stack.height() == 1 => return Ok(None),
                Next::Exhausted => self.back(counters)?,
            };
        }
        Ok(found)
    }

    /// The last edge that was taken leads to `target`.
    fn follow(
        &mut self,
        target: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        match self.explorer.colour(target) {
            UNVISITED => return self.visit(target, counters),
            LIVE if self.stack.height() > 1 => {
                if let Some(position) = self.live.find(target) {
                    let marks = self.roots.merge(position + 1, self.stack.taken_marks());
                    if self.acceptance.accepts(marks) {
                        return self.found(counters);
                    }
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// Expands a state that was not visited yet.
    fn visit(
        &mut self,
        state: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        let height = self.stack.height();
        counters.reached_depth(height);
        self.depth = height;
        counters.checkpoint(height, None)?;
        self.live.push(state)?;
        self.explorer.recolour(state, 0, LIVE);
        self.roots.push(self.live.len(), self.stack.taken_marks())?;
        self.enter(state, counters)
    }

    /// Expands a state for the first time and pushes it onto the stack.
    fn enter(
        &mut self,
        state: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        self.explorer.expand(state);
        let stack = &self.stack;
        let path = |fault: &Fault| stack.path(fault.label);
        counters.expanded(self.explorer.expansion(), path, |_, _| false)?;
        self.stack.push(state)?;
        self.explorer.settle(counters)?;
        self.hand_in(state, 0, counters)
    }

    /// Expands the top state again, because its edges from an index on were dropped.
    fn enter_again(
        &mut self,
        state: StateRef,
        first: usize,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        counters.checkpoint(self.stack.height(), None)?;
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())?;
        self.explorer.settle_from(first)?;
        self.hand_in(state, first, counters)
    }

    /// Explores the edges of the top state from an index on, whose targets were just settled: merges along those to
    /// live states, and pushes those to states that were not visited.
    fn hand_in(
        &mut self,
        state: StateRef,
        first: usize,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        for (target, index) in settled.iter().zip(first..) {
            if target.colour != LIVE || state == StateRef::NONE {
                continue;
            }
            if let Some(position) = self.live.find(target.state) {
                let marks = self.roots.merge(position + 1, expansion.marks(index));
                if self.acceptance.accepts(marks) {
                    return self.found(counters);
                }
            }
        }
        self.stack
            .push_edges(expansion, first, settled, |_, target| {
                target.colour == UNVISITED
            })?;
        Ok(None)
    }

    /// Leaves the top state; if it is the root of its component, that is complete.
    fn back(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        let root = self.roots.top();
        if self.stack.top() == Some(self.live.get(root - 1)) {
            if self.may_accept_a_part()
                && let found @ Some(_) = self.refine(counters)?
            {
                return Ok(found);
            }
            self.roots.pop();
            while self.live.len() >= root {
                let Some(member) = self.live.pop() else { break };
                self.explorer.recolour(member, LIVE, DEAD);
            }
        }
        self.stack.pop();
        Ok(None)
    }

    /// Whether the component on top has all sets, but was not accepted because of its requests.
    fn may_accept_a_part(&mut self) -> bool {
        let acceptance = self.acceptance;
        let marks = self.roots.marks();
        acceptance.has_all_sets(marks) && acceptance.open_pairs(marks).next().is_some()
    }

    /// The component on top is accepting. Unexplored edges may make further requests, so it may be only a part of it
    /// that is accepted.
    fn found(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        counters.ignore_time(true);
        let path = self.path();
        self.stack.clear();
        let lasso = self.found_component().lasso(Some(path), counters)?;
        lasso.ok_or(NOT_DETERMINISTIC).map(Some)
    }

    /// Searches for an accepting part of the complete component on top.
    fn refine(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        let path = self.path();
        self.found_component().lasso(Some(path), counters)
    }

    fn found_component(&mut self) -> FoundComponent<'_, 'a, G, T> {
        FoundComponent {
            explorer: &mut self.explorer,
            acceptance: self.acceptance,
            states: &self.live,
            first: self.roots.top() - 1,
            depth: self.depth,
        }
    }

    /// The labels of the stack up to the root of the component on top.
    fn path(&self) -> Vec<u32> {
        let root = self.live.get(self.roots.top() - 1);
        let position = self.stack.position(root).unwrap_or(0);
        let first = u64::from(!self.path.is_empty());
        let rest = self.stack.labels(first..position);
        self.path.iter().copied().chain(rest).collect()
    }
}

/// The roots of the partial components on the path, with the marks of their edges.
struct Roots {
    /// The number of each root.
    numbers: Column<u32>,
    /// For each root the marks of the edge to it, and then those of its component.
    marks: Column<u64>,
    words: usize,
    scratch: Vec<u64>,
}

impl Roots {
    fn new(memory: &Memory, words: usize) -> Self {
        Roots {
            numbers: Column::new(memory),
            marks: Column::new(memory),
            words,
            scratch: vec![0; words],
        }
    }

    /// Pushes a state as a component of its own, reached by an edge with these marks.
    fn push(&mut self, number: u32, marks: &[u64]) -> Result<(), Full> {
        for &word in marks {
            self.marks.push(word)?;
        }
        for _ in 0..self.words {
            self.marks.push(0)?;
        }
        self.numbers.push(number)
    }

    /// The number of the topmost root.
    fn top(&self) -> u32 {
        self.numbers.last().unwrap_or(u32::MAX)
    }

    fn pop(&mut self) {
        self.numbers.pop();
        self.marks
            .truncate(self.marks.len() - 2 * self.words as u64);
    }

    /// The marks of the topmost component.
    fn marks(&mut self) -> &[u64] {
        let start = self.marks.len() - self.words as u64;
        for (word, index) in self.scratch.iter_mut().zip(start..) {
            *word = self.marks.get(index);
        }
        &self.scratch
    }

    /// An edge with `marks` from the topmost component leads back to the state with this number: merges all
    /// components above it, and returns their marks.
    fn merge(&mut self, number: u32, marks: &[u64]) -> &[u64] {
        self.scratch.copy_from_slice(marks);
        while self.numbers.len() > 0 && self.top() > number {
            let start = self.marks.len() - 2 * self.words as u64;
            for (word, index) in self.scratch.iter_mut().zip(start..) {
                *word |= self.marks.get(index) | self.marks.get(index + self.words as u64);
            }
            self.pop();
        }
        let start = self.marks.len() - self.words as u64;
        for (word, index) in self.scratch.iter_mut().zip(start..) {
            let kept = self.marks.get_mut(index);
            *kept |= *word;
            *word = *kept;
        }
        &self.scratch
    }
}
