//! OWCTY over fingerprints: a search for accepted cycles whose table holds no states.
//!
//! From Barnat, Havlíček and Ročkai, "Distributed LTL model checking with hash compaction" (PASM 2012), repaired: as printed,
//! its elimination removes nothing, its verification accepts any non-empty queue, and its test of sizes ends too early. Here every state
//! in a queue belongs to a real path, and the table only decides what is expanded.
//!
//! A *hit* is a state to which an edge of the acceptance set leads. The first search stores the fingerprints of all states that it
//! reaches, and collects hits; then no fingerprint is added any more. Each round starts at the hits of the one before:
//!
//! - *Counting*: everything that can be reached from the starts, as far as it is in the table, is visited once for each
//!   fingerprint. The entry of a fingerprint counts the edges to its states, and has further bits of the hash of the state that
//!   was visited for it.
//! - *Elimination*: when no edge enters a fingerprint any more, the visited state is removed, with the edges that leave it. A start
//!   has one more edge than it really has, which is taken away first. (To count only the edges to the visited state would remove
//!   more, and miss nearly twice as many cycles when states collide.) If all is removed the search is over.
//! - *Collection*: what is left and can be reached from the starts that are left is visited again, and hits of the next set are collected. A
//!   waiting state carries the start of its path, the *seed*, so that a hit `a` with the seed `s` is a real path from `s` to `a`. In the first
//!   round the starts are taken one after the other, then more and more at a time: often the first one lies on a cycle, and is its own seed.
//!
//! The seeds of all hits are chains. A chain that returns to the same hit, with the same set, is a closed path with an
//! edge of each set: an accepted cycle. So no cycle is reported that does not exist, for any hash. The search ends without a cycle when
//! a round has no starts. Chains begin with the third round: in a round before, a hit that is its own seed is found while it is collected.
//!
//! *It ends.* There are finitely many hits. If no round was without starts, each hit of the later rounds would have a seed among the
//! hits that occur again and again, and the chain of one of those would return to itself.
//!
//! *What it misses.* If no state of an accepted lasso has its fingerprint in common with another state, all states of the
//! lasso are visited in the first search; the counts of their entries are exact; none of those on the cycle is removed, and
//! each round has a start on it. So some cycle is found. The probability of the contrary is at most that of a common fingerprint:
//! `l * n / 2^bits` for a lasso of `l` states. It does not depend on the number of rounds, since all use the same hash. (The bits
//! that identify the visited state add a term 2^13 times smaller for the predecessors of the lasso.)
//!
//! Beside the table there are 4 bytes for each of its slots, the words of the waiting states, a dozen bytes or so for a hit
//! (`hits.rs`), for what elimination has left in each round 1 or 2 bytes for the parent of a state, and for a hit in a chain about 100 bytes.

use crate::cycles::component_lasso::NOT_DETERMINISTIC;
use crate::cycles::early_cycles::is_in;
use crate::cycles::hits::{self, Hit, HitReader, Hits};
use crate::reach::bfs::{Seen, Visited, Visitor, visit_all};
use crate::toolkit::budget::{Options, Stop};
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
    let visitor = || Collector::new(&store, acceptance, 0, pool.memory());
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
        phases: Vec::new(),
        latest: HashMap::new(),
        account: pool.memory().account(),
        stamp: 0,
    };
    let result = match totals.stop {
        Some(_) => {
            let early = visitors.into_iter().find_map(|visitor| visitor.found);
            let lasso = early.map(|cycle| early_lasso(&store, &parents, &mut graphs[0], cycle));
            rounds.phases.push(Collected::of(&pool, parents));
            lasso.map_or(Ok(None), |lasso| lasso.map(Some))
        }
        None => {
            let hits = visitors.into_iter().map(|visitor| visitor.hits);
            let mut first = Collected::new(pool.memory());
            let added = first.add(parents, hits);
            rounds.phases.push(first);
            added.and_then(|()| rounds.search(graphs, observer))
        }
    };
    let mut parents = ParentLogs::new(rounds.phases[0].batches[0].logs.iter());
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

/// What a round does, one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Counting,
    Elimination,
    Collection,
}

/// What a waiting state carries.
#[derive(Clone, Copy)]
struct Carried {
    /// In a round, the number of the start of its path in its batch. In the first search, the first state on the path that an accepting edge
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

/// What a worker does in the first search and in collection: it collects hits, and finds some cycles early.
struct Collector<'a> {
    store: &'a CompactStore,
    worker: CompactWorker,
    slots: Vec<u64>,
    acceptance: Acceptance,
    set: u32,
    /// The entries of the fingerprints and the starts, in a round.
    round: Option<(&'a SlotColumn, &'a Batch)>,
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
    /// In a round, the number of the start of the path.
    seed: u64,
}

impl<'a> Collector<'a> {
    fn new(store: &'a CompactStore, acceptance: Acceptance, set: u32, memory: &Memory) -> Self {
        Collector {
            store,
            worker: store.worker(),
            slots: Vec::new(),
            acceptance,
            set,
            round: None,
            expanded: Key {
                state: StateRef::NONE,
                check: 0,
            },
            hits: Hits::new(memory),
            found: None,
        }
    }

    /// Whether this hit is the first one with its fingerprint, which is in the table, and in a round not removed.
    fn is_first(&mut self, state: StateRef) -> bool {
        let Some((column, _)) = self.round else {
            return self.store.recolour(&mut self.worker, state, 0, 1) == 0;
        };
        self.slots.clear();
        let states = std::iter::once(state);
        self.store
            .slots_of(&mut self.worker, states, &mut self.slots);
        let slot = self.slots[0];
        slot != CompactStore::NO_SLOT
            && column.get(slot) & IN != 0
            && column.set_bits(slot, QUEUED) & QUEUED == 0
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
        if self.round.is_some() || !(0..expansion.len()).any(accepts) {
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
            seed: NO_SEED,
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
            let seed = match self.round {
                None => NO_SEED,
                Some(_) => edge as u64,
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
        let closes = match self.round {
            None => carried.seed == target.number() && self.key(words).check == carried.check,
            // With several sets, the path to the seed need not have all of them.
            Some((_, batch)) => {
                carried.is_hit
                    && self.acceptance.sets <= 1
                    && batch.key(carried.seed).state == target
                    && batch.key(carried.seed) == self.key(words)
            }
        };
        let seed = match self.round {
            None => NO_SEED,
            Some((_, batch)) => batch.number(carried.seed),
        };
        if closes {
            self.found = Some(EarlyCycle {
                source,
                label,
                target: self.key(words),
                seed,
            });
            return Err(Stop::Fault);
        }
        if carried.is_hit && self.is_first(target) {
            let hit = Hit {
                source,
                label,
                seed,
            };
            self.hits.push(hit, words)?;
        }
        Ok(())
    }
}

// The entry of a fingerprint in a round: three bits, bits of the hash of the state that was visited for it, and the number of edges that enter this
// state.

/// A state with this fingerprint was visited, and not removed.
const IN: u32 = 1;
/// A hit with this fingerprint was collected.
const QUEUED: u32 = 2;
/// The state was visited in collection.
const COLLECTED: u32 = 4;
const CHECK: u32 = 0xfff8;
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
                return check | IN | EDGE;
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

    /// Whether a state that is left is visited now.
    fn collect(&self, slot: u64, check: u32) -> bool {
        let is_left = |entry: u32| entry & IN != 0 && entry & CHECK == check;
        is_left(self.column.get(slot)) && self.column.set_bits(slot, COLLECTED) & COLLECTED == 0
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
                    Phase::Counting => self.count(slot, check),
                    Phase::Elimination => self.subtract(slot, check),
                    Phase::Collection => self.collect(slot, check),
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

/// The first round whose hits are in chains. Most searches end before it, and a chain takes about 100 bytes for each of its hits.
const FIRST_CHAINED: usize = 3;

/// So many starts are visited at a time.
const BATCH: usize = 1 << 14;

/// Some starts of a round.
struct Batch {
    account: Account,
    numbers: Vec<u64>,
    keys: Vec<Key>,
    words: Vec<u32>,
    /// Where the words of each start end.
    ends: Vec<usize>,
}

impl Batch {
    fn new(memory: &Memory) -> Self {
        Batch {
            account: memory.account(),
            numbers: Vec::new(),
            keys: Vec::new(),
            words: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn key(&self, index: u64) -> Key {
        self.keys[index as usize]
    }

    fn number(&self, index: u64) -> u64 {
        self.numbers[index as usize]
    }

    /// Takes the next starts for which a condition holds, `size` of them if there are as many.
    fn fill(
        &mut self,
        reader: &mut HitReader,
        size: usize,
        mut key_of: impl FnMut(&[u32]) -> Option<Key>,
    ) -> Result<bool, Stop> {
        self.numbers.clear();
        self.keys.clear();
        self.words.clear();
        self.ends.clear();
        while self.numbers.len() < size {
            let number = reader.number();
            if reader.next().is_none() {
                break;
            }
            if let Some(key) = key_of(reader.words()) {
                self.numbers.push(number);
                self.keys.push(key);
                self.words.extend_from_slice(reader.words());
                self.ends.push(self.words.len());
            }
        }
        // The words are copied once more, as the initial states of a search.
        let each = size_of::<u64>() + size_of::<Key>() + 4 * size_of::<usize>();
        let words = 2 * self.words.capacity() * size_of::<u32>();
        let bytes = self.numbers.capacity() * each + words;
        self.account.set(bytes as u64);
        Ok(!self.numbers.is_empty())
    }
}

/// A graph whose initial states are some starts of a round.
struct FromStarts<'a, G> {
    graph: &'a mut G,
    starts: &'a Batch,
}

impl<G: StateSpace> StateSpace for FromStarts<'_, G> {
    fn initial(&mut self, out: &mut Expansion) {
        let mut start = 0;
        for &end in &self.starts.ends {
            out.push(&self.starts.words[start..end], 0);
            start = end;
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

/// The last place where a hit was collected, in a round.
struct Latest {
    place: Place,
    seed: Key,
    /// The number of the chain that has passed here last.
    stamp: u64,
}

/// The hits of a phase.
struct Collected {
    hits: Hits,
    batches: Vec<BatchLogs>,
}

/// The parents of the states that were visited from some starts.
struct BatchLogs {
    /// The first hit that was collected then.
    first: u64,
    logs: Vec<ParentLog>,
}

impl Collected {
    fn new(memory: &Memory) -> Self {
        Collected {
            hits: Hits::new(memory),
            batches: Vec::new(),
        }
    }

    /// A phase without hits.
    fn of(pool: &Workers, logs: Vec<ParentLog>) -> Self {
        Collected {
            hits: Hits::new(pool.memory()),
            batches: vec![BatchLogs { first: 0, logs }],
        }
    }

    /// Adds the hits of the workers.
    fn add(
        &mut self,
        logs: Vec<ParentLog>,
        workers: impl Iterator<Item = Hits>,
    ) -> Result<(), Stop> {
        let first = self.hits.len();
        self.batches.push(BatchLogs { first, logs });
        for hits in workers {
            if self.hits.len() == 0 {
                self.hits = hits;
                continue;
            }
            let mut reader = hits.read_from(0);
            while let Some(hit) = reader.next() {
                self.hits.push(hit, reader.words())?;
            }
        }
        Ok(())
    }

    /// The labels of the path from its seed to a hit.
    fn labels_to(&self, index: u64) -> Option<Path> {
        let hit = self.hits.get(index)?;
        let after = self.batches.partition_point(|batch| batch.first <= index);
        let batch = self.batches.get(after.checked_sub(1)?)?;
        Some(ParentLogs::new(batch.logs.iter()).path(hit.source, Some(hit.label)))
    }
}

/// The rounds, when all fingerprints are stored.
struct Rounds<'a> {
    pool: &'a Workers<'a>,
    store: &'a CompactStore,
    acceptance: Acceptance,
    /// The first search, and the rounds.
    phases: Vec<Collected>,
    /// For each hit of a round with its set the last place where it was collected.
    latest: HashMap<(Key, u32), Latest>,
    /// The account of `latest`.
    account: Account,
    /// The number of the last chain that was followed.
    stamp: u64,
}

impl Rounds<'_> {
    fn sets(&self) -> u32 {
        self.acceptance.sets.max(1)
    }

    /// The acceptance set of the hits of a phase.
    fn set(&self, phase: usize) -> u32 {
        (phase % self.sets() as usize) as u32
    }

    fn key(&self, words: &[u32]) -> Key {
        let (state, check) = self.store.reference(words);
        Key { state, check }
    }

    fn search<G: AcceptingGraph + Send, O: Observer>(
        &mut self,
        graphs: &mut [G],
        observer: &mut O,
    ) -> Result<Option<Lasso>, Stop> {
        let memory = self.pool.memory();
        let slots = self.store.slots(&mut self.store.worker());
        let mut column = SlotColumn::new(memory, slots)?;
        while self.starts().len() > 0 {
            column.change_all(|_| 0);
            let visited = self.sweep(graphs, &column, Phase::Counting, observer)?;
            let removed = self.sweep(graphs, &column, Phase::Elimination, observer)?;
            if visited == removed {
                break;
            }
            if let Some(lasso) = self.collect(graphs, &column, observer)? {
                return Ok(Some(lasso));
            }
            if self.phases.len() > FIRST_CHAINED {
                self.keep()?;
                if let Some(chain) = self.closed_chain() {
                    return self.lasso(&chain).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// The hits of the last phase.
    fn starts(&self) -> &Hits {
        &self.phases[self.phases.len() - 1].hits
    }

    /// Counts, or eliminates, from all starts. How many states were visited, or removed.
    fn sweep<G: AcceptingGraph + Send, O: Observer>(
        &self,
        graphs: &mut [G],
        column: &SlotColumn,
        phase: Phase,
        observer: &mut O,
    ) -> Result<u64, Stop> {
        let mut states = 0;
        let mut reader = self.starts().read_from(0);
        let mut batch = Batch::new(self.pool.memory());
        let no_key = Key {
            state: StateRef::NONE,
            check: 0,
        };
        while batch.fill(&mut reader, BATCH, |_| Some(no_key))? {
            let visited = self.visit(graphs, &batch, column, phase, || (), observer);
            if let Some(stop) = visited.totals.stop {
                return Err(stop);
            }
            states += visited.parents.iter().map(ParentLog::len).sum::<u64>();
        }
        Ok(states)
    }

    /// Collects the hits of a round, or finds a cycle.
    fn collect<G: AcceptingGraph + Send, O: Observer>(
        &mut self,
        graphs: &mut [G],
        column: &SlotColumn,
        observer: &mut O,
    ) -> Result<Option<Lasso>, Stop> {
        let memory = self.pool.memory();
        let set = self.set(self.phases.len());
        let mut collected = Collected::new(memory);
        let mut size = match self.phases.len() {
            1 => 1,
            _ => BATCH,
        };
        let mut reader = self.starts().read_from(0);
        let mut batch = Batch::new(memory);
        let mut worker = self.store.worker();
        let mut slot = Vec::new();
        let mut left = |words: &[u32]| {
            let key = self.key(words);
            slot.clear();
            let states = std::iter::once(key.state);
            self.store.slots_of(&mut worker, states, &mut slot);
            let is_left = slot[0] != CompactStore::NO_SLOT && {
                let entry = column.get(slot[0]);
                entry & IN != 0 && entry & COLLECTED == 0
            };
            is_left.then_some(key)
        };
        while batch.fill(&mut reader, size, &mut left)? {
            let visitor = || Collector {
                round: Some((column, &batch)),
                ..Collector::new(self.store, self.acceptance, set, memory)
            };
            let phase = Phase::Collection;
            let Visited {
                totals,
                parents,
                visitors,
            } = self.visit(graphs, &batch, column, phase, visitor, observer);
            if let Some(stop) = totals.stop {
                let found = visitors.into_iter().find_map(|visitor| visitor.found);
                let cycle = found.ok_or(stop)?;
                return self.cycle_of_a_start(&parents, cycle).map(Some);
            }
            let hits = visitors.into_iter().map(|visitor| visitor.hits);
            collected.add(parents, hits)?;
            size = (2 * size).min(BATCH);
        }
        self.phases.push(collected);
        Ok(None)
    }

    /// Visits states from some starts.
    fn visit<G: AcceptingGraph + Send, V: Visitor, O: Observer>(
        &self,
        graphs: &mut [G],
        starts: &Batch,
        column: &SlotColumn,
        phase: Phase,
        visitor: impl Fn() -> V,
        observer: &mut O,
    ) -> Visited<V> {
        let table = Table {
            store: self.store,
            column,
            phase,
            memory: self.pool.memory().clone(),
        };
        let from_starts = |graph| FromStarts { graph, starts };
        let mut graphs: Vec<_> = graphs.iter_mut().map(from_starts).collect();
        let words = self.acceptance.words();
        visit_all(self.pool, &table, &mut graphs, words, visitor, observer)
    }

    /// Adds the hits of the last round to the chains.
    fn keep(&mut self) -> Result<(), Stop> {
        let phase = self.phases.len() - 1;
        let set = self.set(phase);
        let mut seeds = Keys::new(&self.phases[phase - 1].hits, self.store);
        let mut reader = self.phases[phase].hits.read_from(0);
        while let Some(hit) = reader.next() {
            let (state, check) = self.store.reference(reader.words());
            let latest = Latest {
                place: Place {
                    phase,
                    index: reader.number() - 1,
                },
                seed: seeds.get(hit.seed).ok_or(NOT_DETERMINISTIC)?,
                stamp: 0,
            };
            if self.latest.len() == self.latest.capacity() {
                // As a hash map takes it, with the old table while it grows.
                let entry = size_of::<((Key, u32), Latest)>() + 1;
                let grown = 3 * self.latest.capacity().max(8) / 2;
                let slots = 2 * grown;
                self.account.take((slots * entry) as u64)?;
                self.latest.reserve(1);
                self.account
                    .set((self.latest.capacity() * 8 / 7 * entry) as u64);
            }
            self.latest.insert((Key { state, check }, set), latest);
        }
        if self.pool.memory().is_overdrawn() {
            return Err(Stop::Memory);
        }
        Ok(())
    }

    /// A chain that returns to itself, from a hit of the last round to its seed and so on.
    fn closed_chain(&mut self) -> Option<Vec<Place>> {
        let phase = self.phases.len() - 1;
        let set = self.set(phase);
        let first = self.stamp + 1;
        let mut reader = self.phases[phase].hits.read_from(0);
        while reader.next().is_some() {
            self.stamp += 1;
            let (state, check) = self.store.reference(reader.words());
            let mut node = (Key { state, check }, set);
            while let Some(latest) = self.latest.get_mut(&node) {
                if latest.stamp == self.stamp {
                    return Some(self.chain_from(node));
                }
                if latest.stamp >= first {
                    break;
                }
                latest.stamp = self.stamp;
                let (seed, before) = (latest.seed, latest.place.phase - 1);
                node = (seed, self.set(before));
            }
        }
        None
    }

    /// The places of the hits of a closed chain, from one of them.
    fn chain_from(&self, node: (Key, u32)) -> Vec<Place> {
        let mut chain = Vec::new();
        let mut next = node;
        while let Some(latest) = self.latest.get(&next) {
            chain.push(latest.place);
            next = (latest.seed, self.set(latest.place.phase - 1));
            if next == node {
                break;
            }
        }
        chain
    }

    fn labels_to(&self, place: Place) -> Result<Path, Stop> {
        let path = self.phases[place.phase].labels_to(place.index);
        path.ok_or(NOT_DETERMINISTIC)
    }

    /// The initial state and the labels of the path to a hit, from seed to seed.
    fn prefix(&self, place: Place) -> Result<(u32, Vec<u32>), Stop> {
        let mut segments = Vec::new();
        let mut at = place;
        loop {
            segments.push(self.labels_to(at)?);
            let Some(phase) = at.phase.checked_sub(1) else {
                break;
            };
            let hit = self.phases[at.phase].hits.get(at.index);
            let index = hit.ok_or(NOT_DETERMINISTIC)?.seed;
            at = Place { phase, index };
        }
        let initial = segments.last().and_then(|path| path.initial);
        let labels = segments.into_iter().rev().flat_map(|path| path.labels);
        Ok((initial.ok_or(NOT_DETERMINISTIC)?, labels.collect()))
    }

    /// The lasso with the cycle of a closed chain. It begins with the first hit of the chain.
    fn lasso(&self, chain: &[Place]) -> Result<Lasso, Stop> {
        let first = *chain.first().ok_or(NOT_DETERMINISTIC)?;
        let (initial, prefix) = self.prefix(first)?;
        let mut cycle = Vec::new();
        for &place in chain.iter().rev() {
            cycle.extend(self.labels_to(place)?.labels);
        }
        Ok(Lasso {
            initial,
            prefix,
            cycle,
        })
    }

    /// The lasso with a cycle that returns to a start of the round that is under way.
    fn cycle_of_a_start(&self, logs: &[ParentLog], cycle: EarlyCycle) -> Result<Lasso, Stop> {
        let (initial, prefix) = self.prefix(Place {
            phase: self.phases.len() - 1,
            index: cycle.seed,
        })?;
        let path = ParentLogs::new(logs.iter()).path(cycle.source, Some(cycle.label));
        Ok(Lasso {
            initial,
            prefix,
            cycle: path.labels,
        })
    }
}

/// The keys of the states of a list, a block of which is read at a time.
struct Keys<'a> {
    hits: &'a Hits,
    store: &'a CompactStore,
    block: Option<u64>,
    keys: Vec<Key>,
}

impl<'a> Keys<'a> {
    fn new(hits: &'a Hits, store: &'a CompactStore) -> Self {
        Keys {
            hits,
            store,
            block: None,
            keys: Vec::new(),
        }
    }

    fn get(&mut self, index: u64) -> Option<Key> {
        let block = index / hits::BLOCK;
        if self.block != Some(block) {
            self.block = Some(block);
            self.keys.clear();
            let mut reader = self.hits.read_from(block * hits::BLOCK);
            while self.keys.len() < hits::BLOCK as usize && reader.next().is_some() {
                let (state, check) = self.store.reference(reader.words());
                self.keys.push(Key { state, check });
            }
        }
        self.keys.get((index % hits::BLOCK) as usize).copied()
    }
}

/// The lasso with a cycle that the first search has closed: the path to the edge that closes it, cut at the state to which that
/// leads.
fn early_lasso<G: AcceptingGraph>(
    store: &CompactStore,
    logs: &[ParentLog],
    graph: &mut G,
    cycle: EarlyCycle,
) -> Result<Lasso, Stop> {
    let Path { initial, labels } =
        ParentLogs::new(logs.iter()).path(cycle.source, Some(cycle.label));
    let initial = initial.ok_or(NOT_DETERMINISTIC)?;
    let mut out = Expansion::new();
    graph.initial(&mut out);
    let first = out.edges().nth(initial as usize);
    let mut state = first.ok_or(NOT_DETERMINISTIC)?.0.to_vec();
    let mut start = 0;
    let repeated = (cycle.target.state, cycle.target.check);
    while store.reference(&state) != repeated {
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
