//! Maximal accepting predecessors: a search for accepted cycles that needs no depth-first order.
//!
//! The algorithm is MAP (Brim, Černá, Moravec and Šimša, "Accepting predecessors are better than back edges in distributed LTL
//! model checking", FMCAD 2004), with marks on edges and at most one acceptance set. A *source* is a state that an accepting
//! edge leaves. All sources are numbered from 1 on, and are *active* at first. A round computes for each state its *value*: the
//! largest number of an active source from which a path leads to the state that begins with an accepting edge; 0 if there is none.
//! So an accepting edge from an active source carries the larger one of its value and its number to the target, and any other edge
//! the value; and values grow until no edge carries a larger one.
//!
//! *An active source whose value is its number is on an accepted cycle.* This ends the search at once, whatever else is
//! still growing, because each value belongs to a real path.
//!
//! *An active source whose value is smaller, when no value grows any more, is on no accepted cycle that leaves it by an accepting
//! edge*: its number would have come back to it. So it is active no longer. (The paper removes the sources that are the value of a state: these are
//! among them. A value `m` that is not on an accepted cycle has a value other than `m`, and not a larger one, because all that can be reached
//! from `m` has at least its value.)
//!
//! *No accepted cycle is lost*, because it leaves one of its states by an accepting edge, which stays an active source. *The rounds
//! end*: the value of the active source with the largest number is not larger, so each round finds a cycle or removes a source.
//! When none is active, no run is accepted.
//!
//! *The numbers* grow with the distance from the initial states. If the accepting edges form no cycle, most values are those of sources nearby,
//! and a round removes most of the sources; with numbers that fall along a path it would remove one.
//!
//! *Several workers.* The word of a state has its value, its number while it is an active source, and a bit that is set unless it waits in the
//! queue. Raising a value is one atomic maximum, which clears the bit: the word with a larger value is the larger one, and the
//! number stays the same during a round. The worker that has cleared the bit puts the state into the queue. The bit is set before the value is read
//! that is carried on. So a state that is raised later waits again.
//!
//! The first search and its early detection are in `early_cycles.rs`, and what all searches in rounds have in common is in `rounds.rs`.
//! Beside the store there are 8 bytes for each of its slots, 1 or 2 for the parent of a state, and 8 to 24 for a state that a marked edge
//! leaves; a waiting state takes 16 in the first search and 8 in the rounds. A state may be expanded several times in a
//! round, and there may be as many rounds as sources.

use crate::cycles::early_cycles::{Early, is_in};
use crate::cycles::rounds::{Ended, Phases, Rounds, Worker, search_in_rounds};
use crate::reach::bfs::Seen;
use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Options, Stop};
use crate::toolkit::counters::{Counters, Totals};
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::SearchOutcome;
use crate::toolkit::stores::StoreClass;
use lariat_graph::{AcceptingGraph, Draw};
use lariat_store::{Archive, StateRef, WideSlotColumn};
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximal accepting predecessors.
pub struct Map;

impl Search for Map {
    const INFO: SearchInfo = SearchInfo {
        name: "map",
        summary: "maximal accepting predecessors: breadth first, in rounds",
        faults: false,
        cycles: Cycles::OneSet,
        stores: &[StoreClass::Keeping],
        workers: WorkerUse::Any,
        order: VisitOrder::BreadthFirst,
        queue: true,
        shortest_paths: false,
        counts_faults: false,
        misses: Misses::Nothing,
    };

    fn run<G: Draw + Send, O: Observer>(
        graphs: &mut [G],
        options: &Options,
        observer: &mut O,
    ) -> SearchOutcome {
        maximal_accepting_predecessors(graphs, options, observer)
    }
}

/// Looks for an accepted cycle in a graph with at most one acceptance set, with a worker for each of `graphs`, which are
/// copies of the same graph.
///
/// # Panics
///
/// If there is no graph, or if its acceptance has several sets or pairs.
pub fn maximal_accepting_predecessors<G: AcceptingGraph + Send, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    observer: &mut O,
) -> SearchOutcome {
    let acceptance = graphs[0].acceptance();
    assert!(
        acceptance.sets <= 1 && acceptance.pairs == 0,
        "MAP knows one acceptance set"
    );
    lariat_store::with_store!(options.store.keeping(), T => search::<G, T, O>(graphs, options, Early::ALL, observer))
}

/// The same, with a kind of store, and with some kinds of early detection.
pub(crate) fn search<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    early: Early,
    observer: &mut O,
) -> SearchOutcome {
    search_in_rounds(graphs, options, early, observer, search_rounds::<G, T, O>)
}

/// Goes through the rounds, and returns a lasso if there is one.
fn search_rounds<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    rounds: &Rounds<T>,
    graphs: &mut [G],
    totals: Totals<Seen>,
    observer: &mut O,
) -> Ended {
    let words = match WideSlotColumn::new(rounds.pool.memory(), rounds.slots()) {
        Ok(words) => words,
        Err(full) => return (totals, Err(full.into())),
    };
    let mut values = Values {
        words,
        found: AtomicU64::new(NOT_FOUND),
    };
    let mut phases = rounds.phases(graphs, totals, observer);
    let ended = phases.raise_all(&mut values);
    let totals = phases.end();
    let found = values.found.into_inner();
    let result = match ended {
        _ if found != NOT_FOUND => rounds.lasso(&mut graphs[0], |slot| slot == found, observer),
        Ok(()) => Ok(None),
        Err(stop) => Err(stop),
    };
    (totals, result)
}

// The word of a state: its value, its number if it is an active source, and a bit.

/// The state does not wait in the queue.
const IDLE: u64 = 1;
/// The number follows the bit.
const NUMBER_SHIFT: u32 = 1;
/// The value follows the number.
const VALUE_SHIFT: u32 = 32;
/// The largest number.
const MOST_SOURCES: u64 = (1 << (VALUE_SHIFT - NUMBER_SHIFT)) - 1;

/// The value in a word.
fn value(word: u64) -> u64 {
    word >> VALUE_SHIFT
}

/// The number in a word; 0 if the state is not an active source.
fn number(word: u64) -> u64 {
    word >> NUMBER_SHIFT & MOST_SOURCES
}

/// No slot.
const NOT_FOUND: u64 = u64::MAX;

/// The values of all states.
struct Values {
    words: WideSlotColumn,
    /// The slot of a source that is on an accepted cycle.
    found: AtomicU64,
}

impl Values {
    /// Raises the value of a state. Whether the state has to be put into the queue.
    #[inline]
    fn raise(&self, slot: u64, carried: u64) -> Result<bool, Stop> {
        let word = self.words.get(slot);
        if carried <= value(word) {
            return Ok(false);
        }
        let number = number(word);
        let word = carried << VALUE_SHIFT | number << NUMBER_SHIFT;
        let before = self.words.raise(slot, word);
        if carried == number {
            self.found.store(slot, Ordering::Relaxed);
            return Err(Stop::Fault);
        }
        Ok(before < word && before & IDLE != 0)
    }

    /// Begins a round: all values are 0, and the sources that are on no accepted cycle are not active any more. Whether any is.
    fn begin_round(&mut self) -> bool {
        let mut is_any_active = false;
        self.words.change_all(|word| {
            if number(word) >= value(word) {
                return IDLE;
            }
            let number = number(word);
            is_any_active |= number != 0;
            number << NUMBER_SHIFT | IDLE
        });
        is_any_active
    }
}

impl<G: AcceptingGraph + Send, T: Archive, O: Observer> Phases<'_, '_, G, T, O> {
    /// Goes through the rounds until no source is active. Ends with a fault if a cycle was found.
    fn raise_all(&mut self, values: &mut Values) -> Result<(), Stop> {
        let (sources, acceptance) = (self.rounds.sources(), self.rounds.acceptance);
        let is_accepting = |marks: &[u64]| is_in(acceptance, 0, marks);
        values.words.change_all(|_| IDLE);
        self.visit(sources.clone(), |worker, place, source, _| {
            if place >= MOST_SOURCES {
                return Err(Stop::States);
            }
            let slot = worker.explorer.slot(source);
            values.words.set_bits(slot, (place + 1) << NUMBER_SHIFT);
            Ok(0)
        })?;
        loop {
            let shared = &*values;
            self.visit(sources.clone(), |worker, _, source, counters| {
                worker.carry_number(source, shared, is_accepting, counters)
            })?;
            self.expand_waiting(|worker, state| worker.carry_value(state, shared, is_accepting))?;
            if !values.begin_round() {
                return Ok(());
            }
        }
    }
}

impl<G: AcceptingGraph, T: Archive> Worker<'_, G, T> {
    /// Carries the number of a source, if it is active, along its accepting edges.
    fn carry_number(
        &mut self,
        source: StateRef,
        values: &Values,
        is_accepting: impl Fn(&[u64]) -> bool,
        counters: &mut Counters<Seen>,
    ) -> Result<u64, Stop> {
        let slot = self.explorer.slot(source);
        let number = number(values.words.get(slot));
        if number > 0 {
            self.expand(source, counters)?;
            self.carry(values, |marks| if is_accepting(marks) { number } else { 0 })?;
        }
        Ok(0)
    }

    /// Carries the value of a state that was just expanded along its edges.
    fn carry_value(
        &mut self,
        state: StateRef,
        values: &Values,
        is_accepting: impl Fn(&[u64]) -> bool,
    ) -> Result<u64, Stop> {
        let slot = self.explorer.slot(state);
        let word = values.words.set_bits(slot, IDLE);
        let (value, number) = (value(word), number(word));
        self.carry(values, |marks| {
            match number > value && is_accepting(marks) {
                true => number,
                false => value,
            }
        })?;
        Ok(0)
    }

    /// Raises the values of the targets of the edges of the state that was just expanded to what these carry.
    fn carry(&mut self, values: &Values, carried: impl Fn(&[u64]) -> u64) -> Result<(), Stop> {
        self.explorer.slots_of_settled()?;
        for edge in 0..self.explorer.settled().len() {
            let (slot, target) = self.explorer.target(edge);
            let carried = carried(self.explorer.expansion().marks(edge));
            if values.raise(slot, carried)? {
                self.wait(target)?;
            }
        }
        Ok(())
    }
}
