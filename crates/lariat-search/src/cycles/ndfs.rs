//! Nested depth-first search.
//!
//! Searches for a cycle with an accepting edge, in the form of Schwoon and Esparza ("A note on on-the-fly
//! verification algorithms", TACAS 2005), which finds many cycles without the nested search; here the marks lie on
//! edges instead of states. A state is white until the blue search visits it, cyan while it is on the stack of the
//! blue search, and blue afterwards; a red search turns blue states red.
//!
//! - When the blue search at `s` finds an edge to a cyan state `t`, the stack from `t` to `s` and this edge are a
//!   cycle. It is accepted if one of these edges is accepting. The position of the last accepting edge on the stack
//!   is known, so this is one comparison.
//! - When the blue search backtracks over an accepting edge from `s` to `t`, or finds such an edge to a state that is
//!   blue already, a red search starts at `t`. It succeeds when it reaches a cyan state `c`: `c` leads to `s` along
//!   the stack, and then to `t` and back to `c`.
//!
//! Why a red state need not be visited again: `t` is blue, so every white descendant of it lies behind a cyan state.
//! A red search that reached no cyan state has therefore visited all descendants of `t`, and they stay blue. So no
//! cyan state is reachable from a red state, now or later. Why no accepted cycle is missed: let an accepting edge
//! from `s` to `t` be on it. The search handles this edge while `s` is cyan; `t` is not white then. If `t` is cyan,
//! the first rule applies. Otherwise the path on the cycle from `t` to `s` has no red state, since that would lead to
//! the cyan `s`; so the red search either follows it up to `s` or reaches another cyan state before.
//!
//! If each component of the graph is wholly accepting or wholly rejecting (*weak*), the cycles that the stack closes
//! suffice: a component with a cycle has an edge to a cyan state of the same component (Černá and Pelánek, "Relating
//! hierarchy of temporal properties to model checking", MFCS 2003). The same holds if every cycle is accepted.
//!
//! Each state is expanded at most twice, and once more where the stack is deeper than its window (`stack.rs`). The
//! colours are two bits in the store. A state on the stack costs 16 bytes. The first rule needs the position of a
//! cyan state only if an accepting edge lies above it on the stack: so positions are stored when an accepting edge is
//! taken, for the states below it that have none yet. That is 6 to 10 bytes more for them; without memory for it,
//! cycles are found later, by the second rule.
//!
//! With a store that removes states, a white state may be a removed blue one: see `retention.rs` for the changes, and
//! why the search is still correct.
//!
//! With a store of fingerprints or bits, the search is in `compact_ndfs.rs`.
//!
//! Several workers share the search in `cndfs.rs`. It supports one acceptance set; for more, or for pairs, there is
//! [`scc_search`](crate::scc_search).

use crate::cycles::{cndfs, compact_ndfs};
use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::positions::Positions;
use crate::toolkit::retention::{BLUE, CYAN, Forgetful, KeepAll, Retention, WHITE};
use crate::toolkit::stack::{Next, Stack};
use crate::toolkit::stores::StoreClass;
use crate::toolkit::workers::Workers;
use lariat_graph::Draw;
use lariat_graph::{Acceptance, AcceptingGraph, Fault};
use lariat_store::{Archive, ForgetfulTree, Memory, StateRef};

/// Nested depth-first search; with several workers, `cndfs.rs`.
pub struct Ndfs;

impl Search for Ndfs {
    const INFO: SearchInfo = SearchInfo {
        name: "ndfs",
        summary: "nested depth first",
        faults: false,
        cycles: Cycles::OneSet,
        stores: StoreClass::ALL,
        workers: WorkerUse::Any,
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
        nested_depth_first(graphs, options, options.weak, observer)
    }
}

/// Searches for an accepted cycle in a graph with at most one acceptance set and no pairs, with a worker for each of
/// `graphs`, which are copies of the same graph. `weak` guarantees that each strongly connected component has only
/// accepting edges inside, or none.
///
/// # Panics
///
/// If there is no graph, or if its acceptance condition is not supported: several sets, or pairs.
pub fn nested_depth_first<G: AcceptingGraph + Send, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    weak: bool,
    observer: &mut O,
) -> SearchOutcome {
    let acceptance = graphs[0].acceptance();
    assert!(
        acceptance.sets <= 1 && acceptance.pairs == 0,
        "nested depth-first search supports a single acceptance set"
    );
    let rules = Rules::new(acceptance, weak);
    if let Some(outcome) = compact_ndfs::search(&mut graphs[0], options, Some(rules), observer) {
        return outcome;
    }
    if let Some(sampling) = options.store.forgetting() {
        let pool = Workers::new(options, 1);
        let retention = Forgetful::new(sampling, &pool);
        return search::<G, ForgetfulTree, _, O>(&mut graphs[0], &pool, retention, rules, observer);
    }
    lariat_store::with_store!(options.store.keeping(), T => match graphs {
        [graph] => search::<G, T, _, O>(graph, &Workers::new(options, 1), KeepAll, rules, observer),
        _ => cndfs::search::<G, T, O>(graphs, options, rules, observer),
    })
}

fn search<G: AcceptingGraph + Send, T: Archive, K: Retention<T>, O: Observer>(
    graph: &mut G,
    pool: &Workers,
    retention: K,
    rules: Rules,
    observer: &mut O,
) -> SearchOutcome {
    let mut store: T = pool.store(K::COLOUR_BITS, graph);
    retention.prepare(&mut store);
    let mut members = [NestedDepthFirst::new(
        graph,
        &store,
        retention,
        rules,
        pool.memory(),
    )];
    let explore = |search: &mut NestedDepthFirst<G, T, K>, counters: &mut Counters<Path>| {
        search.explore(counters)
    };
    let (totals, results) = pool.run(&mut members, observer, explore);
    let lasso = results.into_iter().flatten().flatten().next();
    let mut outcome = totals.lasso_outcome(pool, Ok(lasso), |path| path);
    outcome.statistics.storing = members[0].retention.storing(store.len());
    outcome
}

/// Which parts of the search are needed.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// The words of marks of each edge.
    pub words: usize,
    /// Whether every cycle is accepted.
    pub all_accept: bool,
    /// Whether red searches are needed.
    pub nested: bool,
}

impl Rules {
    fn new(acceptance: Acceptance, weak: bool) -> Self {
        Rules {
            words: acceptance.words(),
            all_accept: acceptance.sets == 0,
            nested: !weak && acceptance.sets > 0,
        }
    }
}

/// Whether an edge with these marks is accepting.
pub(crate) fn is_accepting(marks: &[u64]) -> bool {
    marks.first().is_some_and(|&word| word & 1 == 1)
}

struct NestedDepthFirst<'a, G, T: Archive, K> {
    explorer: Explorer<'a, G, T>,
    retention: K,
    stack: Stack,
    /// The frames to which an accepting edge leads.
    accepting: Column<u32>,
    /// The positions of the states of the lowest frames.
    positions: Positions,
    red_stack: Stack,
    rules: Rules,
}

impl<'a, G: AcceptingGraph, T: Archive, K: Retention<T>> NestedDepthFirst<'a, G, T, K> {
    fn new(graph: &'a mut G, store: &'a T, retention: K, rules: Rules, memory: &Memory) -> Self {
        NestedDepthFirst {
            explorer: Explorer::new(graph, store, memory, rules.words),
            retention,
            stack: Stack::new(memory, rules.words),
            accepting: Column::new(memory),
            positions: Positions::new(memory),
            red_stack: Stack::new(memory, 0),
            rules,
        }
    }

    fn explore(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        counters.checkpoint(0, None)?;
        let mut found = self.enter(StateRef::NONE, counters)?;
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
        let is_initial = self.stack.height() == 1;
        let accepting = !is_initial && is_accepting(self.stack.taken_marks());
        match self.colour(target) {
            WHITE => self.visit(target, accepting, counters),
            BLUE if accepting && self.rules.nested => self.red_search(target, counters),
            _ => Ok(None),
        }
    }

    fn colour(&mut self, state: StateRef) -> u8 {
        K::seen(self.explorer.colour(state))
    }

    /// Leaves the top state.
    fn back(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        let Some(state) = self.stack.pop() else {
            return Ok(None);
        };
        let position = self.stack.height();
        if u64::from(self.positions.len()) > position {
            self.positions.pop(state);
        }
        self.retention.leave(&mut self.explorer, state);
        let mut found = None;
        if u64::from(self.last_accepting()) == position {
            self.accepting.pop();
            found = self.red_search(state, counters)?;
        }
        self.retention.dismiss(&mut self.explorer, state);
        Ok(found)
    }

    /// The topmost frame to which an accepting edge leads; or 0, which is none, as the first frame is not a state.
    /// Only maintained if a red search may be needed.
    fn last_accepting(&self) -> u32 {
        self.accepting.last().unwrap_or(0)
    }

    /// Expands a white state; the edge to it may be accepting.
    fn visit(
        &mut self,
        state: StateRef,
        accepting: bool,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        let height = self.stack.height();
        counters.reached_depth(height);
        counters.checkpoint(height, None)?;
        if accepting && self.rules.nested {
            let position = u32::try_from(height).map_err(|_| Stop::States)?;
            self.accepting.push(position)?;
            self.locate(position);
        }
        let stacks = [&self.stack, &self.red_stack];
        self.retention
            .enter(&mut self.explorer, state, stacks, counters)?;
        self.enter(state, counters)
    }

    /// Stores the positions of the states below a position, as far as memory allows.
    fn locate(&mut self, position: u32) {
        let stack = &self.stack;
        let at = |at| stack.state(u64::from(at));
        while self.positions.len() < position {
            let next = self.positions.len();
            if self.positions.push(at(next), at).is_err() {
                break;
            }
        }
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
        let stacks = [&self.stack, &self.red_stack];
        self.retention
            .settle(&mut self.explorer, stacks, counters)?;
        self.hand_in(state, 0)
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
        let stacks = [&self.stack, &self.red_stack];
        self.retention
            .settle_again(&mut self.explorer, stacks, first)?;
        self.hand_in(state, first)
    }

    /// Looks at the edges of the top state from an index on, whose targets were just settled, and
    /// lets those wait that have to be followed. Whether one closes a cycle is seen at once: no state
    /// becomes cyan before one of these edges is taken.
    fn hand_in(&mut self, state: StateRef, first: usize) -> Result<Option<Lasso>, Stop> {
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        for (target, index) in settled.iter().zip(first..) {
            if K::seen(target.colour) == CYAN && self.closes(target.state, expansion.marks(index)) {
                self.stack
                    .push_edges(expansion, index, &[*target], |_, _| true)?;
                self.stack.next();
                return Ok(self.lasso(target.state, &[]));
            }
        }
        let red = self.rules.nested && state != StateRef::NONE;
        self.stack
            .push_edges(expansion, first, settled, |index, target| {
                match K::seen(target.colour) {
                    WHITE => true,
                    BLUE => red && is_accepting(expansion.marks(index)),
                    _ => false,
                }
            })?;
        Ok(None)
    }

    /// Whether an edge with these marks from the top state to a cyan one closes an accepted cycle, as far as that is
    /// known.
    fn closes(&self, cyan: StateRef, marks: &[u64]) -> bool {
        if self.rules.all_accept || is_accepting(marks) {
            return true;
        }
        let last = self.last_accepting();
        if last == 0 {
            return false;
        }
        let at = |at| self.stack.state(u64::from(at));
        let position = self.positions.find(cyan, at);
        position.is_some_and(|position| position < last)
    }

    /// Searches for a path from a blue state, the target of the last accepting edge, to a cyan one, through blue
    /// states.
    fn red_search(
        &mut self,
        start: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        if self.colour(start) != BLUE {
            return Ok(None);
        }
        let mut found = self.visit_red(start, counters)?;
        while found.is_none() && self.red_stack.height() > 0 {
            found = match self.red_stack.next() {
                Next::Edge(target) if self.is_open_to_red(target) => {
                    self.visit_red(target, counters)?
                }
                Next::Edge(_) => None,
                Next::Forgotten { state, first } => self.hand_in_red(state, first, counters)?,
                Next::Exhausted => {
                    if let Some(state) = self.red_stack.pop() {
                        self.retention.leave_red(&mut self.explorer, state);
                    }
                    None
                }
            };
        }
        let Some(cyan) = found else { return Ok(None) };
        let back: Vec<u32> = self.red_stack.labels(0..self.red_stack.height()).collect();
        Ok(self.lasso(cyan, &back))
    }

    /// Whether a red search enters a state, over an edge that is not accepting.
    fn is_open_to_red(&mut self, state: StateRef) -> bool {
        match self.colour(state) {
            BLUE => true,
            WHITE => K::FORGETS,
            _ => false,
        }
    }

    fn visit_red(
        &mut self,
        state: StateRef,
        counters: &mut Counters<Path>,
    ) -> Result<Option<StateRef>, Stop> {
        let stacks = [&self.stack, &self.red_stack];
        self.retention
            .enter_red(&mut self.explorer, state, stacks)?;
        self.red_stack.push(state)?;
        self.hand_in_red(state, 0, counters)
    }

    /// Expands the top of the red stack and explores its edges from an index on. If one leads to a cyan state, it is
    /// taken, and that state is returned.
    fn hand_in_red(
        &mut self,
        state: StateRef,
        first: usize,
        counters: &mut Counters<Path>,
    ) -> Result<Option<StateRef>, Stop> {
        counters.checkpoint(self.stack.height(), None)?;
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())?;
        let stacks = [&self.stack, &self.red_stack];
        self.retention
            .settle_red(&mut self.explorer, stacks, first)?;
        let (expansion, settled) = (self.explorer.expansion(), self.explorer.settled());
        let mut targets = settled.iter().zip(first..);
        let is_cyan = |colour| K::seen(colour) == CYAN;
        if let Some((cyan, index)) = targets.find(|(target, _)| is_cyan(target.colour)) {
            self.red_stack
                .push_edges(expansion, index, &[*cyan], |_, _| true)?;
            self.red_stack.next();
            return Ok(Some(cyan.state));
        }
        self.red_stack
            .push_edges(expansion, first, settled, |index, target| {
                match K::seen(target.colour) {
                    BLUE => true,
                    WHITE => K::FORGETS && !is_accepting(expansion.marks(index)),
                    _ => false,
                }
            })?;
        Ok(None)
    }

    /// The cycle that starts at a cyan state, continues along the edges taken, and returns by further edges.
    fn lasso(&self, cyan: StateRef, back: &[u32]) -> Option<Lasso> {
        lasso(&self.stack, self.stack.position(cyan)?, back)
    }
}

/// The cycle that starts at a position of a stack, continues along the edges taken, and returns by further edges.
pub(crate) fn lasso(stack: &Stack, start: u64, back: &[u32]) -> Option<Lasso> {
    let cycle = stack.labels(start..stack.height());
    Some(Lasso {
        initial: stack.labels(0..1).next()?,
        prefix: stack.labels(1..start).collect(),
        cycle: cycle.chain(back.iter().copied()).collect(),
    })
}
