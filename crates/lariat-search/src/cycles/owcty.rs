//! One way catch them young: a search for accepted cycles that needs no depth-first order.
//!
//! The algorithm is OWCTY (Černá and Pelánek, "Distributed explicit fair cycle detection", SPIN 2003; with early detection as in
//! Barnat, Brim and Ročkai, "A time-optimal on-the-fly parallel algorithm for model checking of weak LTL properties",
//! ICFEM 2009), with marks on edges and any number of acceptance sets. It keeps a set `S` of states, at first
//! all that are reachable, and makes it smaller in rounds. A round for one acceptance set has two phases:
//!
//! - *Reachability*: the targets of all edges of the set whose sources are in `S` are the *starts*. Everything that can be
//!   reached from a start is the new `S`; each state counts the edges that enter it from `S`.
//! - *Elimination*: a state of `S` that no edge enters from `S` is removed, and the edges that leave it are subtracted
//!   from the counts of their targets, until no such state is left.
//!
//! The search ends when `S` is empty, or when a round for each set has changed nothing.
//!
//! *`S` is closed.* If a state is in `S`, its successors are: reachability makes a closed set, and elimination
//! removes no successor of a state that stays. So all edges may be followed, and an edge lies inside `S` if its source does.
//!
//! *No accepted cycle is lost.* Let a component have an edge of each set inside, and be in `S`. The target of its edge of the set
//! is a start, from which the whole component is reached; and each of its states is entered from within.
//!
//! *What is left has an accepted cycle.* Suppose that no round changes `S`, which is not empty. Consider a component `C` of
//! `S` that no other one of `S` leads to. Elimination has left an edge into each of its states, which comes
//! from `C`. Reachability says that a state of `C` can be reached from the target of an edge of the set, and this
//! edge has its source in `S`; both lead to `C`, so both are in `C`. So `C` has an edge of each set inside.
//!
//! *Each state is removed once.* The printed algorithm tests nothing when it takes a state from the queue, and removes a state
//! that is queued twice two times, which subtracts its edges twice: it misses cycles, and finds some that do not exist. Here a start
//! has one more edge than it really has, which elimination takes away first; every other edge is subtracted when
//! its source is removed. A state is removed by the worker whose subtraction makes its count zero, and there is one.
//!
//! *Weak graphs* take one elimination: if a component has only accepting edges inside or none, an accepted cycle is a
//! cycle of accepting edges. So these are counted and eliminated alone.
//!
//! *Early detection.* A state that waits in the queue of the first search carries the first state on its path that an
//! accepting edge leaves. An edge back to this state closes an accepted cycle, which ends the search. So does an accepting edge
//! from a state to itself. What is carried belongs to a real path, so no detection is false; it may miss cycles.
//!
//! *The lasso.* The component `C` above is found by a depth-first search for components (`scc.rs`) that starts at the states of
//! `S` with marked edges, one after the other, and visits no state twice. The path to where it started is read from
//! the parents of the first search.
//!
//! Beside the store there are 4 bytes for each of its slots, 1 or 2 for the parent of a state, 16 for a state that a marked edge
//! leaves, and 8 for a start; a waiting state takes 16 in the first search and 8 in the rounds. The number of rounds depends on the
//! graph. Workers share every phase; a phase begins when all of them have ended the one before.

use crate::cycles::component_lasso::NOT_DETERMINISTIC;
use crate::cycles::scc::SccSearch;
use crate::reach::bfs::{Seen, Visited, Visitor, visit_all};
use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::{Counters, Totals};
use crate::toolkit::explorer::Explorer;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::levels::{Closing, Levels, NextLevel, Piece};
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::parents::{Discovery, ParentLog, ParentLogs};
use crate::toolkit::sharing::one_answer;
use crate::toolkit::stores::StoreClass;
use crate::toolkit::workers::Workers;
use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion};
use lariat_store::{Archive, Memory, SlotColumn, StateRef};
use std::sync::atomic::{AtomicU64, Ordering};

/// One way catch them young.
pub struct Owcty;

impl Search for Owcty {
    const INFO: SearchInfo = SearchInfo {
        name: "owcty",
        summary: "one way catch them young: breadth first, in rounds",
        faults: false,
        cycles: Cycles::Sets,
        stores: &[StoreClass::Keeping],
        workers: WorkerUse::Any,
        order: VisitOrder::BreadthFirst,
        shortest_paths: false,
        counts_faults: false,
        misses: Misses::Lassos,
    };

    fn run<G: Draw + Send, O: Observer>(
        graphs: &mut [G],
        options: &Options,
        observer: &mut O,
    ) -> SearchOutcome {
        one_way_catch_them_young(graphs, options, observer)
    }
}

/// Looks for an accepted cycle in a graph without pairs, with a worker for each of `graphs`, which are copies of the same graph.
///
/// # Panics
///
/// If there is no graph, or if its acceptance has pairs.
pub fn one_way_catch_them_young<G: AcceptingGraph + Send, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let acceptance = graphs[0].acceptance();
    assert!(
        acceptance.pairs == 0,
        "OWCTY knows acceptance sets, not pairs"
    );
    lariat_store::with_store!(options.store.keeping(), T => search::<G, T, O>(graphs, options, observer))
}

fn search<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let acceptance = graphs[0].acceptance();
    let pool = Workers::new(options, graphs.len().min(Discovery::MAX_WORKERS));
    let store: T = pool.store(SccSearch::<G, T>::COLOUR_BITS, &mut graphs[0]);
    let visitor = || Initialisation::new(acceptance, pool.memory());
    let words = acceptance.words();
    let Visited {
        totals,
        parents,
        visitors,
    } = visit_all(&pool, &store, graphs, words, visitor, observer);
    let (totals, result) = match totals.stop {
        Some(_) => {
            let early = visitors.into_iter().find_map(|visitor| visitor.found);
            let lasso = early.map(|cycle| cycle.lasso(&mut graphs[0], &store, &parents));
            (totals, lasso.map_or(Ok(None), |lasso| lasso.map(Some)))
        }
        None => {
            let sources: Vec<_> = visitors.into_iter().map(|v| v.sources).collect();
            let rounds = Rounds {
                pool: &pool,
                store: &store,
                parents: &parents,
                sources: &sources,
                acceptance,
            };
            rounds.search(graphs, options.weak, totals, observer)
        }
    };
    let mut parents = ParentLogs::new(parents.iter());
    let path = |seen: Seen| parents.path(seen.discovery, seen.label);
    one_answer(options, totals.lasso_outcome(&pool, result, path))
}

/// A state that an edge with marks leaves.
#[derive(Clone, Copy)]
struct Source {
    discovery: Discovery,
    state: StateRef,
}

/// What a worker does in the first search: finds the sources, and some of the cycles.
struct Initialisation {
    acceptance: Acceptance,
    sources: Column<Source>,
    found: Option<EarlyCycle>,
}

/// An accepted cycle that the first search has closed.
#[derive(Clone, Copy)]
struct EarlyCycle {
    /// The edge that closes it: where it starts, and its label.
    discovery: Discovery,
    label: u32,
    /// The state to which it leads, and which is on the path to where it starts.
    state: StateRef,
}

impl Initialisation {
    fn new(acceptance: Acceptance, memory: &Memory) -> Self {
        Initialisation {
            acceptance,
            sources: Column::new(memory),
            found: None,
        }
    }

    /// Whether a cycle with this edge is accepted whatever its other edges are.
    fn is_accepting(&self, expansion: &Expansion, edge: usize) -> bool {
        self.acceptance.accepts(expansion.marks(edge))
    }
}

/// Whether an edge belongs to the acceptance set. If there is none, every edge counts as one of the first set.
fn is_in(acceptance: Acceptance, set: u32, marks: &[u64]) -> bool {
    let bit = acceptance.set_bit(set);
    acceptance.sets == 0 || marks[bit / 64] >> (bit % 64) & 1 == 1
}

impl Visitor for Initialisation {
    type Carried = StateRef;

    fn initial(&self) -> StateRef {
        StateRef::NONE
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
        self.sources.push(Source { discovery, state })?;
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
    fn lasso<G: AcceptingGraph, T: Archive>(
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

/// The rounds, when all states are stored.
struct Rounds<'a, T> {
    pool: &'a Workers<'a>,
    store: &'a T,
    parents: &'a [ParentLog],
    /// The sources that each worker has found.
    sources: &'a [Column<Source>],
    acceptance: Acceptance,
}

/// A worker in one of the phases.
struct Worker<'a, G, T: Archive> {
    explorer: Explorer<'a, G, T>,
    /// States that are to be expanded in the next phase.
    next: NextLevel<StateRef>,
    /// How many states it has put there since it was made.
    queued: u64,
    number: usize,
    /// The starts that it has found.
    starts: Column<StateRef>,
}

// The word of a state: two bits, and the number of edges that enter it from `S`, plus one for a start.

/// The state is in `S`.
const IN: u32 = 1;
/// It was in `S` before this round.
const WAS_IN: u32 = 2;
/// An edge.
const EDGE: u32 = 4;
/// So many edges cannot be counted.
const TOO_MANY: u32 = u32::MAX - 2 * EDGE;

/// The number of edges in a word.
fn edges(word: u32) -> u32 {
    word / EDGE
}

/// A worker takes so many elements of a list at a time.
const PIECE: u64 = 64;

/// A list that workers share: each takes the next elements that no other one has taken.
struct Shared<'a, E> {
    parts: &'a [Column<E>],
    len: u64,
    taken: AtomicU64,
}

impl<'a, E: Copy> Shared<'a, E> {
    fn new(parts: &'a [Column<E>]) -> Self {
        Shared {
            parts,
            len: parts.iter().map(Column::len).sum(),
            taken: AtomicU64::new(0),
        }
    }

    /// Some elements; none if all are taken.
    fn take(&self) -> impl Iterator<Item = E> {
        let first = self.taken.fetch_add(PIECE, Ordering::Relaxed);
        let last = self.len.min(first.saturating_add(PIECE));
        (first..last).filter_map(|index| self.get(index))
    }

    fn get(&self, mut index: u64) -> Option<E> {
        for part in self.parts {
            if index < part.len() {
                return Some(part.get(index));
            }
            index -= part.len();
        }
        None
    }

    /// Calls `work` with each element that this worker takes.
    fn for_each(&self, mut work: impl FnMut(E) -> Result<(), Stop>) -> Result<(), Stop> {
        loop {
            let mut is_empty = true;
            for element in self.take() {
                is_empty = false;
                work(element)?;
            }
            if is_empty {
                return Ok(());
            }
        }
    }
}

impl<T: Archive> Rounds<'_, T> {
    /// Goes through the rounds, and returns a lasso if there is one.
    fn search<G: AcceptingGraph + Send, O: Observer>(
        &self,
        graphs: &mut [G],
        weak: bool,
        totals: Totals<Seen>,
        observer: &mut O,
    ) -> (Totals<Seen>, Result<Option<Lasso>, Stop>) {
        let slots = self.store.slots(&mut self.store.worker());
        let mut words = match SlotColumn::new(self.pool.memory(), slots) {
            Ok(words) => words,
            Err(full) => return (totals, Err(full.into())),
        };
        let workers = graphs.iter_mut().take(self.pool.workers()).enumerate();
        let workers: Vec<_> = workers
            .map(|(number, graph)| {
                Worker::new(
                    number,
                    graph,
                    self.store,
                    self.acceptance,
                    self.pool.memory(),
                )
            })
            .collect();
        let mut phases = Phases {
            rounds: self,
            workers,
            totals: Some(totals),
            observer,
        };
        let left = match weak || self.acceptance.sets == 0 {
            true => phases.weak(&mut words),
            false => phases.all(&mut words),
        };
        let Phases {
            totals, observer, ..
        } = phases;
        let totals = totals.unwrap_or_default();
        let result = match left {
            Ok(false) => Ok(None),
            Ok(true) => self.lasso(&mut graphs[0], words, observer),
            Err(stop) => Err(stop),
        };
        (totals, result)
    }

    /// A lasso into the states that are left.
    fn lasso<G: AcceptingGraph, O: Observer>(
        &self,
        graph: &mut G,
        words: SlotColumn,
        observer: &mut O,
    ) -> Result<Option<Lasso>, Stop> {
        let mut paths = ParentLogs::new(self.parents.iter());
        let mut counters = self.pool.reopen(&mut Totals::default(), observer);
        counters.ignore_time(true);
        let mut search = SccSearch::new(graph, self.store, self.pool.memory());
        let sources = self
            .sources
            .iter()
            .flat_map(|part| (0..part.len()).map(|i| part.get(i)));
        for source in sources {
            if words.get(search.slot(source.state)) & IN == 0 || search.is_visited(source.state) {
                continue;
            }
            let Path { initial, labels } = paths.path(source.discovery, None);
            let path = initial.into_iter().chain(labels).collect();
            if let found @ Some(_) = search.explore_from(source.state, path, &mut counters)? {
                return Ok(found);
            }
        }
        Err(NOT_DETERMINISTIC)
    }
}

/// The workers, who go through one phase after the other.
struct Phases<'a, 'p, 'o, G, T: Archive, O> {
    rounds: &'a Rounds<'p, T>,
    workers: Vec<Worker<'a, G, T>>,
    totals: Option<Totals<Seen>>,
    observer: &'o mut O,
}

impl<G: AcceptingGraph + Send, T: Archive, O: Observer> Phases<'_, '_, '_, G, T, O> {
    /// Whether anything is left when rounds change nothing any more.
    fn all(&mut self, words: &mut SlotColumn) -> Result<bool, Stop> {
        words.change_all(|_| IN);
        let mut size = self.rounds.store.len();
        let sets = self.rounds.acceptance.sets;
        let mut unchanged = 0;
        for set in (0..sets).cycle() {
            words.change_all(|word| (word & IN) * WAS_IN);
            let reached = self.reach(words, set)?;
            let removed = self.eliminate(words, |_| true)?;
            unchanged = match reached - removed == size {
                true => unchanged + 1,
                false => 0,
            };
            size = reached - removed;
            if size == 0 || unchanged == sets {
                break;
            }
        }
        Ok(size > 0)
    }

    /// Reachability: the number of states that are reached.
    fn reach(&mut self, words: &SlotColumn, set: u32) -> Result<u64, Stop> {
        let sources = Shared::new(self.rounds.sources);
        let acceptance = self.rounds.acceptance;
        let is_start = |marks: &[u64]| is_in(acceptance, set, marks);
        let starts = self.run(|worker, counters| {
            let mut found = 0;
            sources.for_each(|source| {
                found += worker.find_starts(source, words, is_start, counters)?;
                Ok(())
            })?;
            Ok(found)
        })?;
        let levels = self.queue();
        let others = self.run(|worker, counters| {
            let mut reached = 0;
            worker.expand_queue(&levels, counters, |worker| {
                reached += worker.count_edges(words)?;
                Ok(())
            })?;
            Ok(reached)
        })?;
        Ok(starts + others)
    }

    /// Elimination: the number of states that are removed. Only edges that `counts` count.
    fn eliminate(
        &mut self,
        words: &SlotColumn,
        counts: impl Fn(&[u64]) -> bool + Sync,
    ) -> Result<u64, Stop> {
        let memory = self.rounds.pool.memory();
        let taken =
            |worker: &mut Worker<G, T>| std::mem::replace(&mut worker.starts, Column::new(memory));
        let starts: Vec<Column<StateRef>> = self.workers.iter_mut().map(taken).collect();
        let starts = Shared::new(&starts);
        let first = self.run(|worker, counters| {
            let mut removed = 0;
            starts.for_each(|start| {
                counters.checkpoint(0, None)?;
                let slot = worker.explorer.slot(start);
                removed += worker.subtract_edge(words, slot, start)?;
                Ok(())
            })?;
            Ok(removed)
        })?;
        let levels = self.queue();
        let others = self.run(|worker, counters| {
            let mut removed = 0;
            worker.expand_queue(&levels, counters, |worker| {
                removed += worker.subtract_edges(words, &counts)?;
                Ok(())
            })?;
            Ok(removed)
        })?;
        Ok(first + others)
    }

    /// Whether anything is left of the accepting edges of a weak graph.
    fn weak(&mut self, words: &mut SlotColumn) -> Result<bool, Stop> {
        let acceptance = self.rounds.acceptance;
        let accepts = |marks: &[u64]| acceptance.accepts(marks);
        let sources = Shared::new(self.rounds.sources);
        let words = &*words;
        let found = self.run(|worker, counters| {
            let mut found = 0;
            sources.for_each(|source| {
                found += worker.count_accepting_edges(source, words, accepts, counters)?;
                Ok(())
            })?;
            Ok(found)
        })?;
        let removed = self.eliminate(words, accepts)?;
        Ok(removed < found)
    }

    /// A queue with what the workers have put aside.
    fn queue(&mut self) -> Levels<StateRef> {
        let levels = Levels::new(self.workers.len());
        for worker in &mut self.workers {
            levels.add(&mut worker.next);
        }
        levels
    }

    /// Has the workers do a phase; the sum of what they return.
    fn run(
        &mut self,
        work: impl Fn(&mut Worker<G, T>, &mut Counters<Seen>) -> Result<u64, Stop> + Sync,
    ) -> Result<u64, Stop> {
        let totals = self.totals.take().unwrap_or_default();
        let pool = self.rounds.pool;
        let (totals, results) = pool.run_on(totals, &mut self.workers, self.observer, work);
        let stop = totals.stop;
        self.totals = Some(totals);
        match stop {
            Some(stop) => Err(stop),
            None => Ok(results.into_iter().flatten().sum()),
        }
    }
}

impl<'a, G: AcceptingGraph, T: Archive> Worker<'a, G, T> {
    fn new(
        number: usize,
        graph: &'a mut G,
        store: &'a T,
        acceptance: Acceptance,
        memory: &Memory,
    ) -> Self {
        Worker {
            explorer: Explorer::new(graph, store, memory, acceptance.words()),
            next: NextLevel::new(memory),
            queued: 0,
            number,
            starts: Column::new(memory),
        }
    }

    /// Expands a state, and looks its successors up.
    fn expand(&mut self, state: StateRef, counters: &mut Counters<Seen>) -> Result<(), Stop> {
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())?;
        self.explorer.settle_from(0)
    }

    /// Lets a state wait for the next phase, or for the next level of this one.
    fn wait(&mut self, state: StateRef) -> Result<(), Stop> {
        let discovery = Discovery::new(self.number, self.queued);
        self.queued += 1;
        Ok(self.next.push(discovery, state)?)
    }

    /// Expands what is in the queue, and calls `work` after each expansion.
    fn expand_queue(
        &mut self,
        levels: &Levels<StateRef>,
        counters: &mut Counters<Seen>,
        mut work: impl FnMut(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let _closing = Closing(levels);
        let mut done = (self.number == 0).then(|| Piece::initial(counters.memory()));
        loop {
            let mut tick = |level| counters.idle(level, None);
            let Some(piece) = levels.take(done, &mut self.next, &mut tick)? else {
                return Ok(());
            };
            for (_, state) in piece.states() {
                counters.checkpoint(piece.level, None)?;
                self.expand(state, counters)?;
                work(self)?;
            }
            done = Some(piece);
        }
    }

    /// Makes the targets of some edges of a source starts, if the source was in `S`. The number of those that are new in `S`.
    fn find_starts(
        &mut self,
        source: Source,
        words: &SlotColumn,
        is_start: impl Fn(&[u64]) -> bool,
        counters: &mut Counters<Seen>,
    ) -> Result<u64, Stop> {
        counters.checkpoint(0, None)?;
        if words.get(self.explorer.slot(source.state)) & WAS_IN == 0 {
            return Ok(0);
        }
        self.expand(source.state, counters)?;
        self.explorer.slots_of_settled()?;
        let mut found = 0;
        for edge in 0..self.explorer.settled().len() {
            let (slot, target) = self.explorer.target(edge);
            if is_start(self.explorer.expansion().marks(edge)) && words.set_bits(slot, IN) & IN == 0
            {
                found += 1;
                words.add(slot, EDGE);
                self.starts.push(target)?;
                self.wait(target)?;
            }
        }
        Ok(found)
    }

    /// Counts the edges of the state that was just expanded. The number of their targets that are new in `S`.
    fn count_edges(&mut self, words: &SlotColumn) -> Result<u64, Stop> {
        self.explorer.slots_of_settled()?;
        let mut found = 0;
        for edge in 0..self.explorer.settled().len() {
            let (slot, target) = self.explorer.target(edge);
            let word = count_edge(words, slot)?;
            if word & IN == 0 && words.set_bits(slot, IN) & IN == 0 {
                found += 1;
                self.wait(target)?;
            }
        }
        Ok(found)
    }

    /// Counts the accepting edges of a source, if it has any; then it is in `S`, as a start, and the answer is 1.
    fn count_accepting_edges(
        &mut self,
        source: Source,
        words: &SlotColumn,
        accepts: impl Fn(&[u64]) -> bool,
        counters: &mut Counters<Seen>,
    ) -> Result<u64, Stop> {
        counters.checkpoint(0, None)?;
        self.expand(source.state, counters)?;
        self.explorer.slots_of_settled()?;
        let mut is_accepting = false;
        for edge in 0..self.explorer.settled().len() {
            if accepts(self.explorer.expansion().marks(edge)) {
                is_accepting = true;
                count_edge(words, self.explorer.target(edge).0)?;
            }
        }
        if is_accepting {
            let slot = self.explorer.slot(source.state);
            count_edge(words, slot)?;
            words.set_bits(slot, IN);
            self.starts.push(source.state)?;
        }
        Ok(u64::from(is_accepting))
    }

    /// Subtracts the edges of the state that was just expanded, which is removed. The number of states that are removed then.
    fn subtract_edges(
        &mut self,
        words: &SlotColumn,
        counts: impl Fn(&[u64]) -> bool,
    ) -> Result<u64, Stop> {
        self.explorer.slots_of_settled()?;
        let mut removed = 0;
        for edge in 0..self.explorer.settled().len() {
            if counts(self.explorer.expansion().marks(edge)) {
                let (slot, target) = self.explorer.target(edge);
                removed += self.subtract_edge(words, slot, target)?;
            }
        }
        Ok(removed)
    }

    /// Subtracts an edge that enters a state. If it was the last one, the state is removed from `S`, and the answer is 1.
    fn subtract_edge(
        &mut self,
        words: &SlotColumn,
        slot: u64,
        state: StateRef,
    ) -> Result<u64, Stop> {
        let word = words.subtract(slot, EDGE);
        if edges(word) > 1 || word & IN == 0 {
            return Ok(0);
        }
        words.clear_bits(slot, IN);
        self.wait(state)?;
        Ok(1)
    }
}

/// Counts an edge that enters a state; returns its word before.
#[inline]
fn count_edge(words: &SlotColumn, slot: u64) -> Result<u32, Stop> {
    let word = words.add(slot, EDGE);
    match word >= TOO_MANY {
        true => Err(Stop::States),
        false => Ok(word),
    }
}
