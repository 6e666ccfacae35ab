//! OWCTY over fingerprints: a search for accepted cycles whose table holds no states.
//!
//! From Barnat, Havlíček and Ročkai, "Distributed LTL model checking with hash compaction" (PASM 2012), repaired: as printed,
//! its elimination removes nothing, its verification accepts any non-empty queue, and its test of sizes ends too early. Here every state
//! in a queue belongs to a real path, and the table only decides what is expanded.
//!
//! A *hit* is a state to which an edge of the acceptance set leads. The first search stores the fingerprints of all states that it
//! reaches, and collects hits; then no fingerprint is added any more. Each round starts at the hits of the one before:
//!
//! - *Reachability*: everything that can be reached from the starts, as far as it is in the table, is visited once for each
//!   fingerprint, and hits of the next set are collected. A waiting state carries the start of its path, the *seed*, so that a hit
//!   `a` with the seed `s` is a real path from `s` to `a`. The entry of a fingerprint counts the edges to its states, and has
//!   further bits of the hash of the state that was visited for it.
//! - *Elimination*: when no edge enters a fingerprint any more, the visited state is removed, with the edges that leave it. A start
//!   has one more edge than it really has, which is taken away first. Hits that were removed start nothing. (To count only the edges to
//!   the visited state would remove more, and miss nearly twice as many cycles when states collide.)
//!
//! The seeds of all hits are chains. A chain that returns to the same hit, with the same set, is a closed path with an
//! edge of each set: an accepted cycle. So no cycle is reported that does not exist, for any hash. The search ends without a cycle when
//! a round has no starts.
//!
//! *It ends.* There are finitely many hits. If no round was without starts, each hit of the later rounds would have a seed among the
//! hits that occur again and again, and the chain of one of those would return to itself.
//!
//! *What it misses.* If no state of an accepted lasso has its fingerprint in common with another state, all states of the
//! lasso are visited in the first search; the counts of their entries are exact; none of those on the cycle is removed, and
//! each round has a start on it. So some cycle is found. The probability of the contrary is at most that of a common fingerprint:
//! `l * n / 2^bits` for a lasso of `l` states. It does not depend on the number of rounds, since all use the same hash. (The bits
//! that identify the visited state add a term 2^14 times smaller for the predecessors of the lasso.)
//!
//! Beside the table there are 4 bytes for each of its slots, the words of the waiting states and of the starts, 1 or 2 bytes for
//! the parent of each visited state in each round, and about 100 bytes for a hit.

use crate::cycles::component_lasso::NOT_DETERMINISTIC;
use crate::cycles::early_cycles::is_in;
use crate::reach::bfs::{Seen, Visited, Visitor, visit_all};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::disk_queue::Packed;
use crate::toolkit::lasso::Lasso;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Path, SearchOutcome};
use crate::toolkit::parents::{Discovery, ParentLog, ParentLogs};
use crate::toolkit::sharing::one_answer;
use crate::toolkit::stores::Compaction;
use crate::toolkit::workers::Workers;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};
use lariat_stats::Omission;
use lariat_store::frontier::Buffer;
use lariat_store::{
    Account, CompactStore, CompactWorker, Full, Memory, Refused, Seen as Set, Settled, SlotColumn,
    StateRef, StoreInfo,
};
use std::collections::HashMap;

/// Looks for an accepted cycle in a graph without pairs, with a worker for each of `graphs`.
pub(crate) fn search<G: AcceptingGraph + Send, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    compaction: Compaction,
    observer: &mut O,
) -> SearchOutcome {
    let acceptance = graphs[0].acceptance();
    let pool = Workers::new(options, graphs.len().min(Discovery::MAX_WORKERS));
    let store = pool.compact_store(compaction, 1);
    let visitor = || Collector::new(&store, acceptance, 0, Phase::First, pool.memory());
    let words = acceptance.words();
    let Visited {
        totals,
        parents,
        visitors,
    } = visit_all(&pool, &store, graphs, words, visitor, observer);
    let mut rounds = Rounds {
        pool: &pool,
        store: &store,
        acceptance,
        logs: vec![parents],
        hits: Vec::new(),
        latest: HashMap::new(),
        account: pool.memory().account(),
    };
    let result = match totals.stop {
        Some(_) => {
            let early = visitors.into_iter().find_map(|visitor| visitor.found);
            let lasso = early.map(|cycle| rounds.early_lasso(&mut graphs[0], cycle));
            lasso.map_or(Ok(None), |lasso| lasso.map(Some))
        }
        None => rounds.search(graphs, visitors, observer),
    };
    let mut parents = ParentLogs::new(rounds.logs[0].iter());
    let path = |seen: Seen| parents.path(seen.discovery, seen.label);
    let mut outcome = one_answer(options, totals.lasso_outcome(&pool, result, path));
    outcome.statistics.omission = Some(Omission::fingerprints(store.len(), store.bits()));
    outcome
}

/// A state by its whole hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    state: StateRef,
    check: u64,
}

/// A state to which an edge of the set leads, and the path to it.
#[derive(Clone, Copy)]
struct Hit {
    key: Key,
    /// The edge to it: where it starts, and its label.
    source: Discovery,
    label: u32,
    /// The start of its path; unused for the hits of the first search.
    seed: u64,
    /// Where its words end.
    end: u64,
}

/// The hits of a worker, with their words.
struct Hits {
    list: Column<Hit>,
    words: Column<u32>,
}

impl Hits {
    fn new(memory: &Memory) -> Self {
        Hits {
            list: Column::new(memory),
            words: Column::new(memory),
        }
    }

    fn push(&mut self, hit: Hit, words: &[u32]) -> Result<(), Stop> {
        for &word in words {
            self.words.push(word)?;
        }
        let end = self.words.len();
        Ok(self.list.push(Hit { end, ..hit })?)
    }

    /// The words of a hit, in `out`.
    fn words_of(&self, index: u64, out: &mut Vec<u32>) {
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.list.get(before).end);
        out.clear();
        out.extend((start..self.list.get(index).end).map(|at| self.words.get(at)));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The first search.
    First,
    Reachability,
    Elimination,
}

/// What a waiting state carries.
#[derive(Clone, Copy)]
struct Carried {
    /// In a round, the number of the start of its path. In the first search, the first state on the path that an accepting edge
    /// leaves, with the other half of its hash.
    seed: u64,
    check: u64,
    /// Whether the edge to it is of the set.
    is_hit: bool,
}

impl Packed for Carried {
    const BYTES: usize = <(u64, (u64, u32))>::BYTES;

    fn pack(self, out: &mut Buffer) -> Result<(), Full> {
        (self.seed, (self.check, u32::from(self.is_hit))).pack(out)
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let (seed, (check, is_hit)) = <(u64, (u64, u32))>::unpack(bytes)?;
        Some(Carried {
            seed,
            check,
            is_hit: is_hit != 0,
        })
    }
}

const NO_SEED: u64 = u64::MAX;

/// What a worker does in the first search and in reachability: it collects hits, and finds some cycles early.
struct Collector<'a> {
    store: &'a CompactStore,
    worker: CompactWorker,
    slots: Vec<u64>,
    acceptance: Acceptance,
    set: u32,
    phase: Phase,
    /// The entries of the fingerprints, in a round.
    column: Option<&'a SlotColumn>,
    /// The state that was expanded last, if an accepting edge leaves it.
    expanded: Key,
    hits: Hits,
    /// An edge that closes an accepted cycle, and the state to which it leads.
    found: Option<EarlyCycle>,
}

#[derive(Clone, Copy)]
struct EarlyCycle {
    source: Discovery,
    label: u32,
    target: Key,
}

impl<'a> Collector<'a> {
    fn new(
        store: &'a CompactStore,
        acceptance: Acceptance,
        set: u32,
        phase: Phase,
        memory: &Memory,
    ) -> Self {
        Collector {
            store,
            worker: store.worker(),
            slots: Vec::new(),
            acceptance,
            set,
            phase,
            column: None,
            expanded: Key {
                state: StateRef::NONE,
                check: 0,
            },
            hits: Hits::new(memory),
            found: None,
        }
    }

    /// Whether this hit is the first one with its fingerprint, which is in the table.
    fn is_first(&mut self, state: StateRef) -> bool {
        let Some(column) = self.column else {
            return self.store.recolour(&mut self.worker, state, 0, 1) == 0;
        };
        self.slots.clear();
        let states = std::iter::once(state);
        self.store
            .slots_of(&mut self.worker, states, &mut self.slots);
        let slot = self.slots[0];
        slot != CompactStore::NO_SLOT && column.set_bits(slot, QUEUED) & QUEUED == 0
    }

    fn key(&self, words: &[u32]) -> Key {
        let (state, check) = self.store.reference(words);
        Key { state, check }
    }
}

impl Visitor for Collector<'_> {
    type Carried = Carried;

    fn initial(&self) -> Carried {
        Carried {
            seed: NO_SEED,
            check: 0,
            is_hit: false,
        }
    }

    fn expanded(
        &mut self,
        source: Discovery,
        _: StateRef,
        words: &[u32],
        expansion: &Expansion,
    ) -> Result<(), Stop> {
        let accepts = |edge: usize| self.acceptance.accepts(expansion.marks(edge));
        if self.phase != Phase::First || !(0..expansion.len()).any(accepts) {
            return Ok(());
        }
        self.expanded = self.key(words);
        let mut edges = expansion.edges().enumerate();
        let Some((_, (_, label))) =
            edges.find(|&(edge, (target, _))| target == words && accepts(edge))
        else {
            return Ok(());
        };
        self.found = Some(EarlyCycle {
            source,
            label,
            target: self.expanded,
        });
        Err(Stop::Fault)
    }

    fn carry(
        &self,
        source: StateRef,
        carried: Carried,
        expansion: &Expansion,
        edge: usize,
    ) -> Carried {
        if source == StateRef::NONE {
            let seed = match self.phase {
                Phase::First => NO_SEED,
                _ => edge as u64,
            };
            return Carried { seed, ..carried };
        }
        let marks = expansion.marks(edge);
        let is_hit = is_in(self.acceptance, self.set, marks);
        if carried.seed == NO_SEED && self.acceptance.accepts(marks) {
            let Key { state, check } = self.expanded;
            return Carried {
                seed: state.number(),
                check,
                is_hit,
            };
        }
        Carried { is_hit, ..carried }
    }

    fn edge(
        &mut self,
        source: Discovery,
        label: u32,
        target: StateRef,
        words: &[u32],
        carried: Carried,
    ) -> Result<(), Stop> {
        if self.phase == Phase::First && carried.seed == target.number() {
            let target = self.key(words);
            if target.check == carried.check {
                self.found = Some(EarlyCycle {
                    source,
                    label,
                    target,
                });
                return Err(Stop::Fault);
            }
        }
        if carried.is_hit && self.is_first(target) {
            let hit = Hit {
                key: self.key(words),
                source,
                label,
                seed: carried.seed,
                end: 0,
            };
            self.hits.push(hit, words)?;
        }
        Ok(())
    }
}

// The entry of a fingerprint in a round: two bits, bits of the hash of the state that was visited for it, and the number of edges that enter this
// state.

/// A state with this fingerprint was visited, and not removed.
const IN: u32 = 1;
/// A hit with this fingerprint was collected.
const QUEUED: u32 = 2;
const CHECK: u32 = 0xfffc;
const EDGE: u32 = 1 << 16;
/// So many edges are not counted, and the state is never removed.
const MANY: u32 = u32::MAX / EDGE;

/// The table in a round, as the set of the states that a phase has visited.
struct Table<'a> {
    store: &'a CompactStore,
    column: &'a SlotColumn,
    phase: Phase,
    memory: Memory,
}

struct TableWorker {
    account: Account,
    worker: CompactWorker,
    offers: Vec<Key>,
    slots: Vec<u64>,
}

impl Table<'_> {
    /// Counts an edge to a fingerprint. Whether the state is visited now.
    fn count(&self, slot: u64, check: u32) -> bool {
        let before = self.column.update(slot, |entry| {
            if entry & IN == 0 {
                return entry & QUEUED | check | IN | EDGE;
            }
            match entry / EDGE < MANY {
                true => entry + EDGE,
                false => entry,
            }
        });
        before & IN == 0
    }

    /// Subtracts an edge to a fingerprint. Whether the state is removed now: only the one that was visited can be.
    fn subtract(&self, slot: u64, check: u32) -> bool {
        let is_last = |entry: u32| entry & IN != 0 && entry & CHECK == check && entry / EDGE == 1;
        let before = self.column.update(slot, |entry| match entry / EDGE {
            0 | MANY => entry,
            _ if is_last(entry) => entry - EDGE - IN,
            _ => entry - EDGE,
        });
        is_last(before)
    }
}

impl Set for Table<'_> {
    const INFO: StoreInfo = CompactStore::INFO;
    type Worker = TableWorker;
    const GIVES_WORDS: bool = false;

    fn worker(&self) -> TableWorker {
        TableWorker {
            account: self.memory.account(),
            worker: self.store.worker(),
            offers: Vec::new(),
            slots: Vec::new(),
        }
    }

    fn offer(&self, worker: &mut TableWorker, state: &[u32]) {
        let (state, check) = self.store.reference(state);
        worker.offers.push(Key { state, check });
    }

    fn settle(&self, worker: &mut TableWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        worker.slots.clear();
        let states = worker.offers.iter().map(|key| key.state);
        self.store
            .slots_of(&mut worker.worker, states, &mut worker.slots);
        for (key, &slot) in worker.offers.iter().zip(&worker.slots) {
            let check = key.check as u32 & CHECK;
            let is_new = slot != CompactStore::NO_SLOT
                && match self.phase {
                    Phase::Elimination => self.subtract(slot, check),
                    _ => self.count(slot, check),
                };
            out.push(Settled {
                state: key.state,
                is_new,
                colour: 0,
            });
        }
        worker.offers.clear();
        let keys = worker.offers.capacity() * size_of::<Key>();
        let slots = worker.slots.capacity() * size_of::<u64>();
        worker.account.set((keys + slots) as u64);
        Ok(())
    }

    fn colour(&self, _: &mut TableWorker, _: StateRef) -> u8 {
        0
    }

    fn recolour(&self, _: &mut TableWorker, _: StateRef, _: u8, _: u8) -> u8 {
        0
    }

    fn words<'w>(&self, _: &'w mut TableWorker, _: StateRef, kept: &'w [u32]) -> &'w [u32] {
        kept
    }

    fn len(&self) -> u64 {
        self.store.len()
    }
}

/// A graph whose initial states are the starts of a round.
struct FromStarts<'a, G> {
    graph: &'a mut G,
    starts: &'a Hits,
}

impl<G: StateSpace> StateSpace for FromStarts<'_, G> {
    fn initial(&mut self, out: &mut Expansion) {
        let mut words = Vec::new();
        for index in 0..self.starts.list.len() {
            self.starts.words_of(index, &mut words);
            out.push(&words, 0);
        }
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.graph.successors(state, out);
    }
}

/// A hit in the list of those of a phase; the first search is phase 0.
#[derive(Clone, Copy)]
struct Place {
    phase: usize,
    index: u64,
}

/// The rounds, when all fingerprints are stored.
struct Rounds<'a> {
    pool: &'a Workers<'a>,
    store: &'a CompactStore,
    acceptance: Acceptance,
    /// The parents of the states of each phase.
    logs: Vec<Vec<ParentLog>>,
    /// The hits of each phase from which the next one started.
    hits: Vec<Column<Hit>>,
    /// For each hit with its set the last place where it was collected.
    latest: HashMap<(Key, u32), Place>,
    /// The account of `latest`.
    account: Account,
}

impl Rounds<'_> {
    fn sets(&self) -> u32 {
        self.acceptance.sets.max(1)
    }

    /// The acceptance set of the hits of a phase.
    fn set(&self, phase: usize) -> u32 {
        (phase % self.sets() as usize) as u32
    }

    fn search<G: AcceptingGraph + Send, O: Observer>(
        &mut self,
        graphs: &mut [G],
        first: Vec<Collector>,
        observer: &mut O,
    ) -> Result<Option<Lasso>, Stop> {
        let memory = self.pool.memory();
        let slots = self.store.slots(&mut self.store.worker());
        let mut column = SlotColumn::new(memory, slots)?;
        let mut starts = self.merged(first.into_iter().map(|worker| worker.hits), |_| true)?;
        loop {
            if let Some(cycle) = self.keep(&starts)? {
                return self.lasso(&cycle).map(Some);
            }
            if starts.list.len() == 0 {
                return Ok(None);
            }
            column.change_all(|_| 0);
            let hits = self.reach(graphs, &starts, &column, observer)?;
            self.eliminate(graphs, &starts, &column, observer)?;
            let mut worker = self.store.worker();
            let mut slot = Vec::new();
            let is_left = |hit: &Hit| {
                slot.clear();
                let states = std::iter::once(hit.key.state);
                self.store.slots_of(&mut worker, states, &mut slot);
                slot[0] != CompactStore::NO_SLOT && column.get(slot[0]) & IN != 0
            };
            starts = self.merged(hits.into_iter(), is_left)?;
        }
    }

    /// The hits of all workers that `is_left`.
    fn merged(
        &self,
        workers: impl Iterator<Item = Hits>,
        mut is_left: impl FnMut(&Hit) -> bool,
    ) -> Result<Hits, Stop> {
        let mut merged = Hits::new(self.pool.memory());
        let mut words = Vec::new();
        for hits in workers {
            for index in 0..hits.list.len() {
                let hit = hits.list.get(index);
                if is_left(&hit) {
                    hits.words_of(index, &mut words);
                    merged.push(hit, &words)?;
                }
            }
        }
        Ok(merged)
    }

    fn reach<G: AcceptingGraph + Send, O: Observer>(
        &mut self,
        graphs: &mut [G],
        starts: &Hits,
        column: &SlotColumn,
        observer: &mut O,
    ) -> Result<Vec<Hits>, Stop> {
        let set = self.set(self.logs.len());
        let visitor = || Collector {
            column: Some(column),
            ..Collector::new(
                self.store,
                self.acceptance,
                set,
                Phase::Reachability,
                self.pool.memory(),
            )
        };
        let visited = self.visit(
            graphs,
            starts,
            column,
            Phase::Reachability,
            visitor,
            observer,
        )?;
        let hits = visited.visitors.into_iter().map(|worker| worker.hits);
        let hits = hits.collect();
        self.logs.push(visited.parents);
        Ok(hits)
    }

    fn eliminate<G: AcceptingGraph + Send, O: Observer>(
        &self,
        graphs: &mut [G],
        starts: &Hits,
        column: &SlotColumn,
        observer: &mut O,
    ) -> Result<(), Stop> {
        let phase = Phase::Elimination;
        self.visit(graphs, starts, column, phase, || (), observer)?;
        Ok(())
    }

    /// Visits states from the starts.
    fn visit<G: AcceptingGraph + Send, V: Visitor, O: Observer>(
        &self,
        graphs: &mut [G],
        starts: &Hits,
        column: &SlotColumn,
        phase: Phase,
        visitor: impl Fn() -> V,
        observer: &mut O,
    ) -> Result<Visited<V>, Stop> {
        // The starts are copied once, as the initial states.
        let mut copy = self.pool.memory().account();
        copy.take(starts.words.len() * size_of::<u32>() as u64 + starts.list.len() * 16)?;
        let table = Table {
            store: self.store,
            column,
            phase,
            memory: self.pool.memory().clone(),
        };
        let from_starts = |graph| FromStarts { graph, starts };
        let mut graphs: Vec<_> = graphs.iter_mut().map(from_starts).collect();
        let words = self.acceptance.words();
        let visited = visit_all(self.pool, &table, &mut graphs, words, visitor, observer);
        match visited.totals.stop {
            Some(stop) => Err(stop),
            None => Ok(visited),
        }
    }

    /// Adds the hits of the last phase to the chains. A chain that returns to itself, from a hit to its seed and so on.
    fn keep(&mut self, starts: &Hits) -> Result<Option<Vec<Place>>, Stop> {
        let phase = self.hits.len();
        let mut list = Column::new(self.pool.memory());
        for index in 0..starts.list.len() {
            let hit = starts.list.get(index);
            list.push(hit)?;
            self.latest
                .insert((hit.key, self.set(phase)), Place { phase, index });
        }
        self.hits.push(list);
        // As a hash map and its stamps take it.
        let entry = size_of::<((Key, u32), Place)>() + size_of::<((Key, u32), u64)>() + 2;
        self.account.set((self.latest.capacity() * entry) as u64);
        if self.pool.memory().is_overdrawn() {
            return Err(Stop::Memory);
        }
        Ok(self.closed_chain())
    }

    fn closed_chain(&self) -> Option<Vec<Place>> {
        let phase = self.hits.len() - 1;
        let mut stamps: HashMap<(Key, u32), u64> = HashMap::new();
        for index in 0..self.hits[phase].len() {
            let mut place = Place { phase, index };
            loop {
                let node = self.node(place);
                match stamps.insert(node, index) {
                    Some(stamp) if stamp == index => return Some(self.chain_from(node)),
                    Some(_) => break,
                    None => {}
                }
                let Some(seed) = self.seed(self.latest[&node]) else {
                    break;
                };
                place = seed;
            }
        }
        None
    }

    /// The hit at a place, with its set.
    fn node(&self, place: Place) -> (Key, u32) {
        let hit = self.hits[place.phase].get(place.index);
        (hit.key, self.set(place.phase))
    }

    /// The seed of a hit, if it is not of the first search.
    fn seed(&self, place: Place) -> Option<Place> {
        let phase = place.phase.checked_sub(1)?;
        let index = self.hits[place.phase].get(place.index).seed;
        Some(Place { phase, index })
    }

    /// The places of the hits of a closed chain, from one of them.
    fn chain_from(&self, node: (Key, u32)) -> Vec<Place> {
        let mut chain = Vec::new();
        let mut next = node;
        loop {
            let place = self.latest[&next];
            chain.push(place);
            let Some(seed) = self.seed(place) else { break };
            next = self.node(seed);
            if next == node {
                break;
            }
        }
        chain
    }

    /// The labels of the path from its seed to a hit.
    fn labels_to(&self, place: Place) -> Path {
        let hit = self.hits[place.phase].get(place.index);
        let mut paths = ParentLogs::new(self.logs[place.phase].iter());
        paths.path(hit.source, Some(hit.label))
    }

    /// The lasso with the cycle of a closed chain. It begins with the first hit of the chain, to which the path leads from seed to seed.
    fn lasso(&self, chain: &[Place]) -> Result<Lasso, Stop> {
        let first = *chain.first().ok_or(NOT_DETERMINISTIC)?;
        let mut segments = Vec::new();
        let mut place = Some(first);
        while let Some(at) = place {
            segments.push(self.labels_to(at));
            place = self.seed(at);
        }
        let initial = segments.last().and_then(|path| path.initial);
        let prefix = segments.into_iter().rev().flat_map(|path| path.labels);
        let backwards = chain.iter().rev();
        Ok(Lasso {
            initial: initial.ok_or(NOT_DETERMINISTIC)?,
            prefix: prefix.collect(),
            cycle: backwards
                .flat_map(|&place| self.labels_to(place).labels)
                .collect(),
        })
    }

    /// The lasso with a cycle that the first search has closed: the path to the edge that closes it, cut at the state to which that
    /// leads.
    fn early_lasso<G: AcceptingGraph>(
        &self,
        graph: &mut G,
        cycle: EarlyCycle,
    ) -> Result<Lasso, Stop> {
        let Path { initial, labels } =
            ParentLogs::new(self.logs[0].iter()).path(cycle.source, Some(cycle.label));
        let initial = initial.ok_or(NOT_DETERMINISTIC)?;
        let mut out = Expansion::new();
        graph.initial(&mut out);
        let first = out.edges().nth(initial as usize);
        let mut state = first.ok_or(NOT_DETERMINISTIC)?.0.to_vec();
        let mut start = 0;
        let repeated = (cycle.target.state, cycle.target.check);
        while self.store.reference(&state) != repeated {
            out.clear();
            graph.successors(&state, &mut out);
            let label = labels.get(start).ok_or(NOT_DETERMINISTIC)?;
            let edge = out.edges().find(|(_, other)| other == label);
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
