//! NestedDFSReSt: nested depth-first search with a reduction strategy, as it was published.
//!
//! Brim, Černá and Nečesal, "Randomization helps in LTL model checking" (PAPM-PROBMIV 2001), figure 2: the nested
//! search of Courcoubetis, Vardi, Wolper and Yannakakis (1992), which removes a state from the table when it leaves
//! it if the strategy decides so. It is here to repeat the experiments of that paper, step by step;
//! [`nested_depth_first`](crate::nested_depth_first) does the same with fewer steps.
//!
//! The table has two bits for each state: *first* and *nested*. When the first search leaves an accepting state, a
//! nested search looks for a path back to it, the *seed*, and does not enter states with the bit *nested*. When it
//! leaves states that the first search has removed, it clears their bit. Three details differ from the printed
//! version, where it is wrong: the seed is compared with the successor; a nested search that reaches an accepting
//! state that is not in the table (line x) skips this state, but continues; and a coin with probability 0 never
//! succeeds.
//!
//! The paper marks states, this crate edges. A state is *accepting* if all its edges are marked; then everything is
//! as in the paper. If only some are, the nested search from this state begins with these, the state does not get the
//! bit *nested* for it, and line x does not apply to it.

use crate::cycles::ndfs::is_accepting;
use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::observer::{Observer, Table};
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::retention::Coin;
use crate::toolkit::stack::{Next, Stack};
use crate::toolkit::stores::StoreClass;
use crate::toolkit::storing::{RandomizedStoring, Storing, StoringRule};
use crate::toolkit::workers::Workers;
use lariat_graph::Draw;
use lariat_graph::{AcceptingGraph, Expansion, Fault};
use lariat_stats::DistinctSample;
use lariat_store::{ForgetfulTree, Memory, StateRef};

/// Nested depth-first search with randomized storing, as published.
pub struct ReSt;

impl Search for ReSt {
    const INFO: SearchInfo = SearchInfo {
        name: "rest",
        summary: "the nested search of the paper on randomized storing, step by step",
        faults: false,
        cycles: Cycles::OneSet,
        stores: &[StoreClass::Probabilistic],
        workers: WorkerUse::One,
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
        let all = RandomizedStoring {
            rule: StoringRule::Static(1.0),
            seed: 0,
        };
        let storing = options.store.forgetting().unwrap_or(all);
        nested_dfs_rest(&mut graphs[0], storing, options, observer)
    }
}

/// Searches for an accepted cycle in a graph with at most one acceptance set and no pairs, with the dynamic or the
/// static strategy; any other rule removes nothing.
///
/// # Panics
///
/// If the graph has several sets, or pairs.
pub fn nested_dfs_rest<G: AcceptingGraph + Send, O: Observer>(
    graph: &mut G,
    sampling: RandomizedStoring,
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let acceptance = graph.acceptance();
    assert!(
        acceptance.sets <= 1 && acceptance.pairs == 0,
        "nested depth-first search supports a single acceptance set"
    );
    let pool = Workers::new(options, 1);
    let store: ForgetfulTree = pool.store(2, graph);
    let words = acceptance.words();
    let memory = pool.memory();
    let mut members = [NestedDfsReSt {
        explorer: Explorer::new(graph, &store, memory, words),
        all_accept: acceptance.sets == 0,
        stack: Stack::new(memory, words),
        nested: Stack::new(memory, words),
        visits: Column::new(memory),
        coin: Coin::new(sampling),
        sample: DistinctSample::default(),
        counts: Counts::default(),
        memory: memory.clone(),
    }];
    let explore =
        |search: &mut NestedDfsReSt<G>, counters: &mut Counters<Path>| search.dfs(counters);
    let (totals, results) = pool.run(&mut members, observer, explore);
    let lasso = results.into_iter().flatten().flatten().next();
    let mut outcome = totals.lasso_outcome(&pool, Ok(lasso), |path| path);
    let transitions = outcome.statistics.transitions();
    outcome.statistics.storing = Some(members[0].storing(transitions));
    outcome
}

/// The bit of states that the first search has visited, and that of the nested one.
const FIRST: u8 = 1;
const NESTED: u8 = 2;

struct NestedDfsReSt<'a, G> {
    explorer: Explorer<'a, G, ForgetfulTree>,
    /// Whether every cycle is accepted.
    all_accept: bool,
    stack: Stack,
    nested: Stack,
    /// For each state on the stack of the first search.
    visits: Column<Visit>,
    coin: Coin,
    sample: DistinctSample,
    counts: Counts,
    memory: Memory,
}

/// The data of a state on the stack.
#[derive(Clone, Copy)]
struct Visit {
    /// Whether the strategy keeps it.
    stays: bool,
    marks: Marks,
}

/// How many of the edges of a state are marked.
#[derive(Clone, Copy, PartialEq)]
enum Marks {
    None,
    Some,
    All,
}

#[derive(Default)]
struct Counts {
    peak: u64,
    expansions: u64,
    nested_expansions: u64,
    nested_transitions: u64,
    deletions: u64,
}

impl<G: AcceptingGraph> NestedDfsReSt<'_, G> {
    /// The first search.
    fn dfs(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        counters.checkpoint(0, None)?;
        self.enter(StateRef::NONE, counters)?;
        loop {
            match self.stack.next() {
                Next::Edge(target) => {
                    let is_known = self.explorer.colour(target) & FIRST != 0;
                    counters.count(u64::from(!is_known), u64::from(is_known));
                    if !is_known {
                        self.visit(target, counters)?;
                    }
                }
                Next::Forgotten { state, first } => {
                    self.explorer.expand(state);
                    counters.expanded_again(self.explorer.expansion())?;
                    push_edges(&mut self.explorer, &mut self.stack, first)?;
                }
                Next::Exhausted if self.stack.height() == 1 => return Ok(None),
                Next::Exhausted => {
                    if let Some(lasso) = self.back(counters)? {
                        return Ok(Some(lasso));
                    }
                }
            }
        }
    }

    /// Adds a state with the first bit.
    fn visit(&mut self, state: StateRef, counters: &mut Counters<Path>) -> Result<(), Stop> {
        let height = self.stack.height();
        counters.reached_depth(height);
        counters.checkpoint(height, None)?;
        self.add(state, FIRST)?;
        let hash = self.explorer.hash(state);
        self.sample.add(hash);
        self.counts.expansions += 1;
        self.visits.push(Visit {
            stays: self.coin.stays(hash),
            marks: Marks::None,
        })?;
        self.enter(state, counters)?;
        let marks = self.marks();
        if let Some(visit) = self.visits.last_mut() {
            visit.marks = marks;
        }
        counters.note_table(Table {
            states: self.explorer.states(),
            distinct: self.sample.distinct(),
            feasible: None,
        });
        Ok(())
    }

    /// Expands a state and pushes it onto the stack.
    fn enter(&mut self, state: StateRef, counters: &mut Counters<Path>) -> Result<(), Stop> {
        self.explorer.expand(state);
        let path = |fault: &Fault| self.stack.path(fault.label);
        counters.expanded(self.explorer.expansion(), path, |_, _| false)?;
        self.stack.push(state)?;
        push_edges(&mut self.explorer, &mut self.stack, 0)
    }

    /// Leaves the top state: after a nested search if it is accepting.
    fn back(&mut self, counters: &mut Counters<Path>) -> Result<Option<Lasso>, Stop> {
        let (Some(state), Some(visit)) = (self.stack.top(), self.visits.last()) else {
            return Ok(None);
        };
        if visit.marks != Marks::None {
            let found = self.ndfs(state, visit.marks, counters)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        self.stack.pop();
        self.visits.pop();
        debug_assert!(
            self.explorer.colour(state) & FIRST != 0,
            "a state on the stack is in the table"
        );
        if !visit.stays {
            self.explorer.remove(state);
            self.counts.deletions += 1;
        }
        Ok(None)
    }

    /// The nested search from a seed, the top of the first stack.
    fn ndfs(
        &mut self,
        seed: StateRef,
        marks: Marks,
        counters: &mut Counters<Path>,
    ) -> Result<Option<Lasso>, Stop> {
        if marks == Marks::All {
            self.add(seed, NESTED)?;
        }
        self.nested.push(seed)?;
        self.explorer.expand(seed);
        counters.expanded_again(self.explorer.expansion())?;
        push_edges(&mut self.explorer, &mut self.nested, 0)?;
        while self.nested.height() > 0 {
            match self.nested.next() {
                Next::Edge(target) => {
                    let from_seed = self.nested.height() == 1;
                    if from_seed && !self.is_marked(self.nested.taken_marks()) {
                        continue;
                    }
                    self.counts.nested_transitions += 1;
                    if target == seed {
                        return Ok(Some(self.lasso()));
                    }
                    if self.explorer.colour(target) & NESTED == 0 {
                        self.visit_nested(target, counters)?;
                    }
                }
                Next::Forgotten { state, first } => {
                    self.explorer.expand(state);
                    counters.expanded_again(self.explorer.expansion())?;
                    push_edges(&mut self.explorer, &mut self.nested, first)?;
                }
                Next::Exhausted => self.back_nested(),
            }
        }
        Ok(None)
    }

    /// Adds a state with the nested bit, unless it is skipped (line x).
    fn visit_nested(&mut self, state: StateRef, counters: &mut Counters<Path>) -> Result<(), Stop> {
        counters.checkpoint(self.stack.height(), None)?;
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())?;
        let is_absent = self.explorer.colour(state) & FIRST == 0;
        if self.marks() == Marks::All && is_absent {
            return Ok(());
        }
        self.counts.nested_expansions += u64::from(is_absent);
        self.add(state, NESTED)?;
        self.nested.push(state)?;
        push_edges(&mut self.explorer, &mut self.nested, 0)
    }

    fn back_nested(&mut self) {
        if let Some(state) = self.nested.pop()
            && self.explorer.colour(state) & FIRST == 0
        {
            self.explorer.remove(state);
        }
    }

    /// Sets a bit of a state, which is inserted into the table if it is absent.
    fn add(&mut self, state: StateRef, bit: u8) -> Result<(), Stop> {
        if self.explorer.recolour(state, 0, bit) == 0 {
            self.explorer.insert(state, bit)?;
        }
        self.counts.peak = self.counts.peak.max(self.explorer.states());
        match self.memory.is_overdrawn() {
            true => Err(Stop::Memory),
            false => Ok(()),
        }
    }

    /// The number of marked edges of the last expanded state.
    fn marks(&self) -> Marks {
        let expansion: &Expansion = self.explorer.expansion();
        let marked = |&index: &usize| self.is_marked(expansion.marks(index));
        match (0..expansion.len()).filter(marked).count() {
            0 => Marks::None,
            some if some < expansion.len() => Marks::Some,
            _ => Marks::All,
        }
    }

    fn is_marked(&self, marks: &[u64]) -> bool {
        self.all_accept || is_accepting(marks)
    }

    /// The path to the seed, and the path back that the nested search has found.
    fn lasso(&self) -> Lasso {
        let mut path = self.stack.labels(0..self.stack.height() - 1);
        Lasso {
            initial: path.next().unwrap_or(0),
            prefix: path.collect(),
            cycle: self.nested.labels(0..self.nested.height()).collect(),
        }
    }

    fn storing(&self, transitions: u64) -> Storing {
        let counts = &self.counts;
        let forgets = counts.deletions > 0;
        Storing {
            states_at_end: self.explorer.states(),
            peak_states: counts.peak,
            expansions: counts.expansions,
            nested_expansions: counts.nested_expansions,
            nested_transitions: counts.nested_transitions,
            deletions: counts.deletions,
            evictions: 0,
            distinct: match forgets {
                true => self.sample.distinct(),
                false => counts.expansions,
            } as f64,
            exact: self.sample.is_exact() || !forgets,
            visits: self.sample.histogram(),
            visitation: transitions as f64 / counts.expansions.max(1) as f64,
            forecast: None,
        }
    }
}

/// Pushes all edges of the top of a stack from an index on.
fn push_edges<G: AcceptingGraph>(
    explorer: &mut Explorer<G, ForgetfulTree>,
    stack: &mut Stack,
    first: usize,
) -> Result<(), Stop> {
    explorer.look_from(first)?;
    stack.push_edges(explorer.expansion(), first, explorer.settled(), |_, _| true)?;
    Ok(())
}
