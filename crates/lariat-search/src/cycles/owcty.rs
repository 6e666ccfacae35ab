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
//! The first search and its early detection are in `early_cycles.rs`, and what all searches in rounds have in common is in `rounds.rs`. A
//! lasso is searched from the states of `S` with marked edges: one of them is in the component `C` above.
//!
//! Beside the store there are 4 bytes for each of its slots, 1 or 2 for the parent of a state, 8 to 24 for a state that a marked edge
//! leaves, and 8 for a start; a waiting state takes 16 in the first search and 8 in the rounds. The number of rounds depends on the
//! graph. Workers share every phase; a phase begins when all of them have ended the one before.

use crate::cycles::early_cycles::{Early, is_in};
use crate::cycles::owcty_compact;
use crate::cycles::rounds::{Ended, Phases, Rounds, Worker, search_in_rounds};
use crate::reach::bfs::Seen;
use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::{Counters, Totals};
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::SearchOutcome;
use crate::toolkit::stores::StoreClass;
use lariat_graph::{AcceptingGraph, Draw};
use lariat_store::{Archive, SlotColumn, StateRef};

/// One way catch them young.
pub struct Owcty;

impl Search for Owcty {
    const INFO: SearchInfo = SearchInfo {
        name: "owcty",
        summary: "one way catch them young: breadth first, in rounds",
        faults: false,
        cycles: Cycles::Sets,
        stores: &[StoreClass::Keeping, StoreClass::Compact],
        workers: WorkerUse::Any,
        order: VisitOrder::BreadthFirst,
        queue: true,
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
    if let Some(compaction) = options.store.compaction() {
        return owcty_compact::search(graphs, options, compaction, observer);
    }
    lariat_store::with_store!(options.store.keeping(), T => search::<G, T, O>(graphs, options, Early::ALL, observer))
}

/// The same, with a kind of store, and with some kinds of early detection.
pub(crate) fn search<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    early: Early,
    observer: &mut O,
) -> SearchOutcome {
    let rounds = |rounds: &Rounds<T>, graphs: &mut [G], totals, observer: &mut O| {
        let is_weak = options.weak || rounds.acceptance.sets == 0;
        search_rounds(rounds, graphs, is_weak, totals, observer)
    };
    search_in_rounds(graphs, options, early, observer, rounds)
}

/// Goes through the rounds, and returns a lasso if there is one.
fn search_rounds<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    rounds: &Rounds<T>,
    graphs: &mut [G],
    is_weak: bool,
    totals: Totals<Seen>,
    observer: &mut O,
) -> Ended {
    let mut words = match SlotColumn::new(rounds.pool.memory(), rounds.slots()) {
        Ok(words) => words,
        Err(full) => return (totals, Err(full.into())),
    };
    let mut phases = rounds.phases(graphs, totals, observer);
    let left = match is_weak {
        true => phases.weak(&mut words),
        false => phases.all(&mut words),
    };
    let totals = phases.end();
    let is_left = |slot| words.get(slot) & IN != 0;
    let result = match left {
        Ok(false) => Ok(None),
        Ok(true) => rounds.lasso(&mut graphs[0], is_left, observer),
        Err(stop) => Err(stop),
    };
    (totals, result)
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

impl<G: AcceptingGraph + Send, T: Archive, O: Observer> Phases<'_, '_, G, T, O> {
    /// Whether anything is left when rounds change nothing any more.
    fn all(&mut self, words: &mut SlotColumn) -> Result<bool, Stop> {
        words.change_all(|_| IN);
        let mut size = self.rounds.store.len();
        let sets = self.rounds.acceptance.sets;
        let mut unchanged = 0;
        for set in (0..sets).cycle() {
            words.change_all(|word| (word & IN) * WAS_IN);
            let reached = self.reach(words, set)?;
            let starts = self.take_listed();
            let removed = self.eliminate(words, starts.iter(), |_| true)?;
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
        let (sources, acceptance) = (self.rounds.sources(), self.rounds.acceptance);
        let is_start = |marks: &[u64]| is_in(acceptance, set, marks);
        let starts = self.visit(sources, |worker, _, source, counters| {
            worker.find_starts(source, words, is_start, counters)
        })?;
        let others = self.expand_waiting(|worker, _| worker.count_edges(words))?;
        Ok(starts + others)
    }

    /// Elimination: the number of states that are removed, from the starts on. Only edges that `counts` count.
    fn eliminate<'l>(
        &mut self,
        words: &SlotColumn,
        starts: impl Iterator<Item = &'l Column<StateRef>>,
        counts: impl Fn(&[u64]) -> bool + Sync,
    ) -> Result<u64, Stop> {
        let first = self.visit(starts, |worker, _, start, _| {
            let slot = worker.explorer.slot(start);
            // A source without accepting edges is no start. A start stays in `S` until its additional edge is subtracted here.
            match words.get(slot) & IN != 0 {
                true => worker.subtract_edge(words, slot, start),
                false => Ok(0),
            }
        })?;
        let others = self.expand_waiting(|worker, _| worker.subtract_edges(words, &counts))?;
        Ok(first + others)
    }

    /// Whether anything is left of the accepting edges of a weak graph.
    fn weak(&mut self, words: &mut SlotColumn) -> Result<bool, Stop> {
        let acceptance = self.rounds.acceptance;
        let accepts = |marks: &[u64]| acceptance.accepts(marks);
        let (sources, words) = (self.rounds.sources(), &*words);
        let found = self.visit(sources.clone(), |worker, _, source, counters| {
            worker.count_accepting_edges(source, words, accepts, counters)
        })?;
        let removed = self.eliminate(words, sources, accepts)?;
        Ok(removed < found)
    }
}

impl<G: AcceptingGraph, T: Archive> Worker<'_, G, T> {
    /// Makes the targets of some edges of a source starts, if the source was in `S`. The number of those that are new in `S`.
    fn find_starts(
        &mut self,
        source: StateRef,
        words: &SlotColumn,
        is_start: impl Fn(&[u64]) -> bool,
        counters: &mut Counters<Seen>,
    ) -> Result<u64, Stop> {
        if words.get(self.explorer.slot(source)) & WAS_IN == 0 {
            return Ok(0);
        }
        self.expand(source, counters)?;
        self.explorer.slots_of_settled()?;
        let mut found = 0;
        for edge in 0..self.explorer.settled().len() {
            let (slot, target) = self.explorer.target(edge);
            if is_start(self.explorer.expansion().marks(edge)) && words.set_bits(slot, IN) & IN == 0
            {
                found += 1;
                words.add(slot, EDGE);
                self.listed.push(target)?;
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
        source: StateRef,
        words: &SlotColumn,
        accepts: impl Fn(&[u64]) -> bool,
        counters: &mut Counters<Seen>,
    ) -> Result<u64, Stop> {
        self.expand(source, counters)?;
        self.explorer.slots_of_settled()?;
        let mut is_accepting = false;
        for edge in 0..self.explorer.settled().len() {
            if accepts(self.explorer.expansion().marks(edge)) {
                is_accepting = true;
                count_edge(words, self.explorer.target(edge).0)?;
            }
        }
        if is_accepting {
            let slot = self.explorer.slot(source);
            count_edge(words, slot)?;
            words.set_bits(slot, IN);
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
