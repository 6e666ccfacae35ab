//! Breadth-first search, with any number of workers.
//!
//! The search goes level by level: all states of a level are expanded before the first one of the next. Within a
//! level the workers share the states (`levels.rs`); a state that several of them reach at the same time belongs to
//! the worker for which the store reports it as new. So the level of a state, and all counts of a complete search, do
//! not depend on the number of workers. One worker expands states in the order of discovery.
//!
//! A worker expands a few states, offers all their successors to the store, and only then settles them, so that the
//! store can prefetch the memory for all of them.
//!
//! If the store does not give the words of a state (hash compaction, bitstate hashing), the queue keeps those of the waiting states.
//!
//! The logs of the workers (`parents.rs`) contain the edge by which each state was first reached; paths are read from
//! them when all workers have stopped. As levels are complete, a path has as few edges as possible, whichever worker
//! has found it.
//!
//! A path ends at a state with a fault, or with an edge with a fault. With
//! [`FaultPolicy::Collect`](crate::FaultPolicy::Collect) the path for each code has the fewest edges of all, the edge
//! with the fault included. With [`FaultPolicy::StopAtFirst`](crate::FaultPolicy::StopAtFirst) the search ends with
//! the first state that has a fault, and no state nearer to the initial ones has one; an edge with a fault is one
//! edge more.

use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::counters::{Counters, Totals};
use crate::toolkit::disk_queue::Packed;
use crate::toolkit::faults::Origin;
use crate::toolkit::levels::{Closing, Levels, NextLevel, Piece};
use crate::toolkit::observer::Observer;
use crate::toolkit::omitting::Omitting;
use crate::toolkit::outcome::SearchOutcome;
use crate::toolkit::parents::{Discovery, ParentLog, ParentLogs};
use crate::toolkit::stores::{StoreClass, StoreKind};
use crate::toolkit::workers::Workers;
use lariat_graph::Draw;
use lariat_graph::{Expansion, Fault, StateSpace};
use lariat_store::{Account, Memory, Seen as Set, Settled, StateRef};

/// Breadth-first search.
pub struct Bfs;

impl Search for Bfs {
    const INFO: SearchInfo = SearchInfo {
        name: "bfs",
        summary: "breadth first: shortest counterexamples",
        faults: true,
        cycles: Cycles::None,
        stores: &[
            StoreClass::Keeping,
            StoreClass::Compact,
            StoreClass::Bitstate,
        ],
        workers: WorkerUse::Any,
        order: VisitOrder::BreadthFirst,
        queue: true,
        shortest_paths: true,
        counts_faults: true,
        misses: Misses::States,
    };

    fn run<G: Draw + Send, O: Observer>(
        graphs: &mut [G],
        options: &Options,
        observer: &mut O,
    ) -> SearchOutcome {
        breadth_first(graphs, options, observer)
    }
}

/// Visits all reachable states, those with fewer edges from an initial state first. There are as many workers as
/// spaces, which must all be the same graph.
///
/// # Panics
///
/// If there is no space.
pub fn breadth_first<S: StateSpace + Send, O: Observer>(
    spaces: &mut [S],
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    assert!(!spaces.is_empty(), "a search needs a graph");
    let workers = spaces.len().min(Discovery::MAX_WORKERS);
    let pool = Workers::new(options, workers);
    match options.store {
        StoreKind::Compact(compaction) => {
            let store = pool.compact_store(compaction, 0);
            omitting_search(&pool, &store, spaces, observer)
        }
        StoreKind::Bitstate(bitstate) => {
            let store = pool.bitstate_store(bitstate, 0);
            omitting_search(&pool, &store, spaces, observer)
        }
        _ => lariat_store::with_store!(options.store.keeping(), Store => {
            let store: Store = pool.store(0, &mut spaces[0]);
            search(&pool, &store, spaces, observer)
        }),
    }
}

fn omitting_search<S: StateSpace + Send, T: Omitting, O: Observer>(
    pool: &Workers,
    store: &T,
    spaces: &mut [S],
    observer: &mut O,
) -> SearchOutcome {
    let mut outcome = search(pool, store, spaces, observer);
    outcome.statistics.omission = Some(store.omission());
    outcome
}

fn search<S: StateSpace + Send, T: Set, O: Observer>(
    pool: &Workers,
    store: &T,
    spaces: &mut [S],
    observer: &mut O,
) -> SearchOutcome {
    let visited = visit_all(pool, store, spaces, 0, || (), observer);
    let mut parents = ParentLogs::new(visited.parents.iter());
    let path = |seen: Seen| parents.path(seen.discovery, seen.label);
    visited.totals.outcome(pool, path)
}

/// What a breadth-first search leaves behind.
pub(crate) struct Visited<V> {
    /// What was counted.
    pub totals: Totals<Seen>,
    /// The parents of the states that each worker has discovered.
    pub parents: Vec<ParentLog>,
    /// The visitor of each worker.
    pub visitors: Vec<V>,
}

/// Visits all reachable states with the workers of a pool, each of which has a visitor. Edges have so many words of marks.
pub(crate) fn visit_all<S: StateSpace + Send, T: Set, V: Visitor, O: Observer>(
    pool: &Workers,
    store: &T,
    spaces: &mut [S],
    mark_words: usize,
    visitor: impl Fn() -> V,
    observer: &mut O,
) -> Visited<V> {
    let levels = Levels::new(pool);
    let worker = |(number, space)| {
        let expansion = Expansion::with_marks(mark_words);
        Worker::new(number, space, store, expansion, visitor(), pool.memory())
    };
    let numbered = spaces.iter_mut().take(pool.workers()).enumerate();
    let mut workers: Vec<Worker<S, T, V>> = numbered.map(worker).collect();
    let (totals, _) = pool.run(&mut workers, observer, |worker, counters| {
        let _closing = Closing(&levels);
        worker.explore(&levels, counters)
    });
    let ended = workers.into_iter().map(|w| (w.parent_log, w.visitor));
    let (parents, visitors) = ended.unzip();
    Visited {
        totals,
        parents,
        visitors,
    }
}

/// What a search does at each edge besides visiting its target.
pub(crate) trait Visitor: Send {
    /// What a state carries while it waits to be expanded.
    type Carried: Packed;

    /// What an initial state carries.
    fn initial(&self) -> Self::Carried;

    /// A state was expanded.
    fn expanded(
        &mut self,
        discovery: Discovery,
        state: StateRef,
        words: &[u32],
        expansion: &Expansion,
    ) -> Result<(), Stop>;

    /// What the target of an edge of `source` carries, given what the source does. [`StateRef::NONE`] is the
    /// source of the edges to the initial states.
    fn carry(
        &self,
        source: StateRef,
        carried: Self::Carried,
        expansion: &Expansion,
        edge: usize,
    ) -> Self::Carried;

    /// The edge of `source` with a label leads to `target`, which carries this if it is new. `words` is empty if the store
    /// gives the words of states.
    fn edge(
        &mut self,
        source: Discovery,
        label: u32,
        target: StateRef,
        words: &[u32],
        carried: Self::Carried,
    ) -> Result<(), Stop>;
}

/// Does nothing.
impl Visitor for () {
    type Carried = ();

    fn initial(&self) {}

    #[inline(always)]
    fn expanded(
        &mut self,
        _: Discovery,
        _: StateRef,
        _: &[u32],
        _: &Expansion,
    ) -> Result<(), Stop> {
        Ok(())
    }

    #[inline(always)]
    fn carry(&self, _: StateRef, (): (), _: &Expansion, _: usize) {}

    #[inline(always)]
    fn edge(&mut self, _: Discovery, _: u32, _: StateRef, _: &[u32], (): ()) -> Result<(), Stop> {
        Ok(())
    }
}

/// The position of a fault.
pub(crate) struct Seen {
    /// The state that was expanded, or [`Discovery::ROOT`] for the initial states.
    pub discovery: Discovery,
    /// Its level; the initial states are level 1.
    level: u64,
    /// The label of the fault.
    pub label: Option<u32>,
}

impl Origin for Seen {
    fn heap_bytes(&self) -> usize {
        0
    }

    fn length(&self) -> u64 {
        self.level + u64::from(self.label.is_some())
    }
}

/// Successors are settled as soon as a state is expanded and there are so many.
const BATCH: usize = 32;
/// The number of states between the prefetch of a state and its expansion.
const AHEAD: usize = 2;
/// The largest number of successors that wait to be settled.
const LARGEST_BATCH: usize = 1024;

/// A state that waits to be expanded, with what it carries.
type Waiting<V> = (StateRef, <V as Visitor>::Carried);

struct Worker<'s, S, T: Set, V: Visitor> {
    space: &'s mut S,
    store: &'s T,
    handle: T::Worker,
    expansion: Expansion,
    visitor: V,
    /// For each offer that is not settled yet: the parent, the label, and what the target carries.
    offers: Vec<(Discovery, u32, V::Carried)>,
    /// The words of the offers, if the store does not give them.
    offered: OfferedWords,
    settled: Vec<Settled>,
    parent_log: ParentLog,
    next_level: NextLevel<Waiting<V>>,
    /// The number of states that this worker has expanded.
    expanded: u64,
    is_first: bool,
}

impl<'s, S: StateSpace, T: Set, V: Visitor> Worker<'s, S, T, V> {
    fn new(
        number: usize,
        space: &'s mut S,
        store: &'s T,
        expansion: Expansion,
        visitor: V,
        memory: &Memory,
    ) -> Self {
        Worker {
            space,
            store,
            handle: store.worker(),
            expansion,
            visitor,
            offers: Vec::new(),
            offered: OfferedWords::new(memory),
            settled: Vec::new(),
            parent_log: ParentLog::new(number, memory),
            next_level: NextLevel::new(memory),
            expanded: 0,
            is_first: number == 0,
        }
    }

    /// Works until the search is over.
    fn explore(
        &mut self,
        levels: &Levels<Waiting<V>>,
        counters: &mut Counters<Seen>,
    ) -> Result<(), Stop> {
        let mut done = None;
        if self.is_first {
            counters.checkpoint(0, self.queue())?;
            self.begin(counters)?;
            done = Some(Piece::initial(counters.memory()));
        }
        loop {
            let queue = self.queue();
            let mut tick = |level| counters.idle(level, queue);
            let Some(piece) = levels.take(done, &mut self.next_level, &mut tick)? else {
                return Ok(());
            };
            self.expand_piece(&piece, counters)?;
            self.settle(piece.level, counters)?;
            done = Some(piece);
        }
    }

    fn expand_piece(
        &mut self,
        piece: &Piece<Waiting<V>>,
        counters: &mut Counters<Seen>,
    ) -> Result<(), Stop> {
        let mut ahead = piece.states().skip(AHEAD);
        for ((discovery, waiting), words) in piece.states().zip(piece.words()) {
            if let Some((_, (next, _))) = ahead.next() {
                self.store.announce(next);
            }
            counters.checkpoint(piece.level, self.queue())?;
            self.expand(discovery, waiting, words, piece.level, counters)?;
        }
        Ok(())
    }

    /// Computes the initial states.
    fn begin(&mut self, counters: &mut Counters<Seen>) -> Result<(), Stop> {
        self.space.initial(&mut self.expansion);
        count_expansion(&self.expansion, Discovery::ROOT, 0, counters)?;
        let root = (StateRef::NONE, self.visitor.initial());
        self.offer(Discovery::ROOT, root, 0, counters)?;
        self.settle(0, counters)
    }

    /// Expands a state on a level, with its words if the queue has kept them, and offers its successors.
    fn expand(
        &mut self,
        discovery: Discovery,
        waiting: Waiting<V>,
        words: &[u32],
        level: u64,
        counters: &mut Counters<Seen>,
    ) -> Result<(), Stop> {
        let (state, _) = waiting;
        self.expansion.clear();
        let words = self.store.words(&mut self.handle, state, words);
        self.space.successors(words, &mut self.expansion);
        self.expanded += 1;
        let counted = count_expansion(&self.expansion, discovery, level, counters);
        let visitor = &mut self.visitor;
        let seen =
            counted.and_then(|()| visitor.expanded(discovery, state, words, &self.expansion));
        if let Err(stop) = seen {
            // The successors of the states before should be counted.
            let _ = self.settle(level, counters);
            return Err(stop);
        }
        self.offer(discovery, waiting, level, counters)?;
        if self.offers.len() >= BATCH {
            self.settle(level, counters)?;
        }
        Ok(())
    }

    /// Offers the successors of a state, or the initial states.
    fn offer(
        &mut self,
        parent: Discovery,
        waiting: Waiting<V>,
        level: u64,
        counters: &mut Counters<Seen>,
    ) -> Result<(), Stop> {
        let edges = self.expansion.len();
        if edges > LARGEST_BATCH {
            return self.offer_many(parent, waiting, level, counters);
        }
        let (state, carried) = waiting;
        for (index, (target, label)) in self.expansion.edges().enumerate() {
            self.store.offer(&mut self.handle, target);
            if !T::GIVES_WORDS {
                self.offered.push(target);
            }
            let carried = self.visitor.carry(state, carried, &self.expansion, index);
            self.offers
                .push((parent, label_of(parent, index, label), carried));
        }
        Ok(())
    }

    /// The same for a state with so many successors that they are settled in parts.
    #[cold]
    fn offer_many(
        &mut self,
        parent: Discovery,
        (state, carried): Waiting<V>,
        level: u64,
        counters: &mut Counters<Seen>,
    ) -> Result<(), Stop> {
        for index in 0..self.expansion.len() {
            let (target, label) = self.expansion.edge(index);
            self.store.offer(&mut self.handle, target);
            if !T::GIVES_WORDS {
                self.offered.push(target);
            }
            let carried = self.visitor.carry(state, carried, &self.expansion, index);
            self.offers
                .push((parent, label_of(parent, index, label), carried));
            if self.offers.len() >= LARGEST_BATCH {
                self.settle(level, counters)?;
            }
        }
        Ok(())
    }

    /// Settles the offers: counts them, and adds the new states to the next level.
    fn settle(&mut self, level: u64, counters: &mut Counters<Seen>) -> Result<(), Stop> {
        self.settled.clear();
        let result = self.store.settle(&mut self.handle, &mut self.settled);
        let before = self.parent_log.len();
        let taken_in = self.take_in();
        counters.settled(&self.settled);
        self.offers.clear();
        self.offered.clear();
        if self.parent_log.len() > before {
            counters.reached_depth(level + 1);
        }
        taken_in?;
        result?;
        if counters.memory().is_overdrawn() {
            return Err(Stop::Memory);
        }
        Ok(())
    }

    /// Logs the parents of the new states, and adds these to the next level.
    fn take_in(&mut self) -> Result<(), Stop> {
        let offers = self.offers.iter().zip(&self.settled).enumerate();
        for (index, (&(parent, label, carried), settled)) in offers {
            let words = match T::GIVES_WORDS {
                true => &[],
                false => self.offered.get(index),
            };
            self.visitor
                .edge(parent, label, settled.state, words, carried)?;
            if settled.is_new {
                let discovery = self.parent_log.next_discovery();
                self.parent_log.push(parent, label)?;
                let words = (!T::GIVES_WORDS).then_some(words);
                self.next_level
                    .push(discovery, (settled.state, carried), words)?;
            }
        }
        Ok(())
    }

    /// The number of states that this worker has added to the queue, minus those that it has taken.
    fn queue(&self) -> Option<i64> {
        Some(self.parent_log.len() as i64 - self.expanded as i64)
    }
}

/// The words of offers, one behind the other.
struct OfferedWords {
    account: Account,
    words: Vec<u32>,
    ends: Vec<usize>,
}

impl OfferedWords {
    fn new(memory: &Memory) -> Self {
        OfferedWords {
            account: memory.account(),
            words: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn push(&mut self, state: &[u32]) {
        self.words.extend_from_slice(state);
        self.ends.push(self.words.len());
    }

    fn get(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start..self.ends[index]]
    }

    /// Drops the words, and charges the buffers, which hold at most a batch.
    fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
        let words = self.words.capacity() * size_of::<u32>();
        let ends = self.ends.capacity() * size_of::<usize>();
        self.account.set((words + ends) as u64);
    }
}

/// The label of an edge; that of an initial state is its index.
#[inline]
fn label_of(parent: Discovery, index: usize, label: u32) -> u32 {
    match parent {
        Discovery::ROOT => index as u32,
        _ => label,
    }
}

/// Counts the expansion of a state on a level.
fn count_expansion(
    expansion: &Expansion,
    discovery: Discovery,
    level: u64,
    counters: &mut Counters<Seen>,
) -> Result<(), Stop> {
    let seen = |fault: &Fault| Seen {
        discovery,
        level,
        label: fault.label,
    };
    let is_shorter = |fault: &Fault, known: &Seen| seen(fault).length() < known.length();
    counters.expanded(expansion, seen, is_shorter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FaultPolicy, Path, StoreId, StoreKind};
    use lariat_graph::explicit::{ExplicitGraph, RandomGraph};
    use lariat_stats::stream;
    use std::collections::BTreeMap;

    const COLLECT: FaultPolicy = FaultPolicy::Collect;

    fn random_graph(number: u64) -> ExplicitGraph {
        let mut rng = stream(1, "graphs for several workers", number);
        let states = 1 + rng.below(3000) as u32;
        let shape = RandomGraph {
            states,
            edges: states * [1, 2, 4][rng.index(3)],
            initial: 1 + rng.below(20) as u32,
            fault_probability: [0.0, 0.001, 0.05][rng.index(3)],
            fault_codes: 5,
            padding: rng.below(4) as u32,
        };
        ExplicitGraph::random(&shape, &mut rng)
    }

    fn run(graph: &ExplicitGraph, workers: usize, faults: FaultPolicy) -> SearchOutcome {
        let options = Options {
            faults,
            store: StoreKind::Keep(StoreId::Flat),
            ..Options::default()
        };
        breadth_first(&mut vec![graph.clone(); workers], &options, &mut ())
    }

    /// Whether a path leads to a fault with this code.
    fn leads_to(graph: &mut ExplicitGraph, path: &Path, code: u32) -> bool {
        let mut out = Expansion::new();
        graph.initial(&mut out);
        let mut state = out.edge(path.initial.unwrap() as usize).0.to_vec();
        for (index, &label) in path.labels.iter().enumerate() {
            out.clear();
            graph.successors(&state, &mut out);
            let mut faults = out.faults().iter();
            if index + 1 == path.labels.len()
                && faults.any(|fault| fault.code == code && fault.label == Some(label))
            {
                return true;
            }
            let edge = out.edges().find(|&(_, other)| other == label);
            state = edge.unwrap().0.to_vec();
        }
        out.clear();
        graph.successors(&state, &mut out);
        let mut faults = out.faults().iter();
        faults.any(|fault| fault.code == code && fault.label.is_none())
    }

    #[test]
    fn the_number_of_workers_changes_nothing() {
        for number in 0..150 {
            let mut graph = random_graph(number);
            let one = run(&graph, 1, COLLECT);
            let facts = |outcome: &SearchOutcome| {
                let faults = outcome.faults.iter();
                let fact = |f: &crate::FoundFault| (f.code, (f.occurrences, f.path.labels.len()));
                faults.map(fact).collect::<BTreeMap<_, _>>()
            };
            for workers in 2..=4 {
                let context = format!("graph {number}, {workers} workers");
                let many = run(&graph, workers, COLLECT);
                assert_eq!(many.stop, Stop::Complete, "{context}");
                let (a, b) = (&one.statistics, &many.statistics);
                assert_eq!(a.states_stored, b.states_stored, "{context}");
                assert_eq!(a.states_matched, b.states_matched, "{context}");
                assert_eq!(a.max_depth, b.max_depth, "{context}");
                assert_eq!(facts(&one), facts(&many), "{context}");
                for fault in &many.faults {
                    assert!(leads_to(&mut graph, &fault.path, fault.code), "{context}");
                }
                let first = run(&graph, workers, FaultPolicy::StopAtFirst);
                assert_eq!(first.faults.is_empty(), one.faults.is_empty(), "{context}");
                assert_eq!(first.stop == Stop::Fault, !one.faults.is_empty());
                for fault in &first.faults {
                    assert!(leads_to(&mut graph, &fault.path, fault.code), "{context}");
                    let shortest = one.faults.iter().map(|f| f.path.labels.len()).min();
                    let longest = shortest.map(|length| length + 1);
                    assert!(Some(fault.path.labels.len()) <= longest, "{context}");
                }
            }
        }
    }

    const BREAKS_AT: u32 = 200;

    /// A grid in which one of the workers panics after some states.
    #[derive(Clone)]
    struct Panicking {
        graph: ExplicitGraph,
        breaks: bool,
        expanded: u32,
    }

    impl StateSpace for Panicking {
        fn initial(&mut self, out: &mut Expansion) {
            self.graph.initial(out);
        }

        fn successors(&mut self, state: &[u32], out: &mut Expansion) {
            self.expanded += 1;
            assert!(
                !self.breaks || self.expanded < BREAKS_AT,
                "this worker panics"
            );
            self.graph.successors(state, out);
        }
    }

    #[test]
    fn a_panic_ends_the_search_and_reaches_the_caller() {
        for broken in 0..3 {
            let space = Panicking {
                graph: ExplicitGraph::grid(300, 300),
                breaks: false,
                expanded: 0,
            };
            let mut spaces = vec![space; 3];
            spaces[broken].breaks = true;
            let search = || breadth_first(&mut spaces, &Options::default(), &mut ());
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(search));
            match result {
                Err(panic) => assert_eq!(panic.downcast_ref(), Some(&"this worker panics")),
                Ok(_) => assert!(spaces[broken].expanded < BREAKS_AT),
            }
        }
    }
}
