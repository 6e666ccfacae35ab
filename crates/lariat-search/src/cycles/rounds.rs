//! Searches for accepted cycles that need no depth-first order: what OWCTY (`owcty.rs`) and maximal accepting predecessors (`map.rs`)
//! have in common.
//!
//! A breadth-first search stores all states and finds the sources (`early_cycles.rs`). Then no state is added any more, and the
//! workers go over the states in *rounds*, which consist of *phases*: a phase begins when all workers have ended the one before. What a
//! round knows of a state is in a column beside the store. States that are to be expanded wait in a queue that all workers
//! share (`levels.rs`), in no particular order.
//!
//! *The lasso.* When the rounds have left states from which an accepted cycle can be reached, a depth-first search for
//! components (`scc.rs`) starts at these, one after the other, and visits no state twice. The path to where it started is read
//! from the parents of the first search.

use crate::cycles::component_lasso::NOT_DETERMINISTIC;
use crate::cycles::early_cycles::{Early, Initialisation, Sources};
use crate::cycles::scc::SccSearch;
use crate::reach::bfs::{Seen, Visited, visit_all};
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
use crate::toolkit::workers::Workers;
use lariat_graph::{Acceptance, AcceptingGraph};
use lariat_store::{Archive, Memory, StateRef};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the rounds end with.
pub(crate) type Ended = (Totals<Seen>, Result<Option<Lasso>, Stop>);

/// Stores all states, and calls `search`, which goes through the rounds, unless a cycle is found early.
pub(crate) fn search_in_rounds<G: AcceptingGraph + Send, T: Archive, O: Observer>(
    graphs: &mut [G],
    options: &Options,
    early: Early,
    observer: &mut O,
    search: impl FnOnce(&Rounds<T>, &mut [G], Totals<Seen>, &mut O) -> Ended,
) -> SearchOutcome {
    let acceptance = graphs[0].acceptance();
    let pool = Workers::new(options, graphs.len().min(Discovery::MAX_WORKERS));
    let store: T = pool.store(SccSearch::<G, T>::COLOUR_BITS, &mut graphs[0]);
    let visitor = || Initialisation::new(acceptance, early, pool.memory());
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
            search(&rounds, graphs, totals, observer)
        }
    };
    let mut parents = ParentLogs::new(parents.iter());
    let path = |seen: Seen| parents.path(seen.discovery, seen.label);
    one_answer(options, totals.lasso_outcome(&pool, result, path))
}

/// What the first search has left, when all states are stored.
pub(crate) struct Rounds<'a, T> {
    pub pool: &'a Workers<'a>,
    pub store: &'a T,
    parents: &'a [ParentLog],
    sources: &'a [Sources],
    pub acceptance: Acceptance,
}

impl<'r, T: Archive> Rounds<'r, T> {
    /// The number of slots for a column beside the store.
    pub fn slots(&self) -> u64 {
        self.store.slots(&mut self.store.worker())
    }

    /// The workers for the phases.
    pub fn phases<'a, 'o, G: AcceptingGraph + Send, O: Observer>(
        &'a self,
        graphs: &'a mut [G],
        totals: Totals<Seen>,
        observer: &'o mut O,
    ) -> Phases<'a, 'o, G, T, O> {
        let memory = self.pool.memory();
        let graphs = graphs.iter_mut().take(self.pool.workers());
        let worker =
            |(number, graph)| Worker::new(number, graph, self.store, self.acceptance, memory);
        Phases {
            rounds: self,
            workers: graphs.enumerate().map(worker).collect(),
            waiting: Levels::new(self.pool),
            totals,
            observer,
        }
    }

    /// The sources that each worker has found.
    pub fn sources(&self) -> impl Iterator<Item = &Column<StateRef>> + Clone {
        self.sources.iter().map(|part| &part.states)
    }

    /// A lasso into what can be reached from the sources that `is_left`, given their slots.
    pub fn lasso<G: AcceptingGraph, O: Observer>(
        &self,
        graph: &mut G,
        is_left: impl Fn(u64) -> bool,
        observer: &mut O,
    ) -> Result<Option<Lasso>, Stop> {
        let mut paths = ParentLogs::new(self.parents.iter());
        let mut counters = self.pool.reopen(&mut Totals::default(), observer);
        counters.ignore_time(true);
        let mut search = SccSearch::new(graph, self.store, self.pool.memory());
        let parts = self.sources.iter();
        let sources = parts.flat_map(|part| (0..part.states.len()).map(move |index| (part, index)));
        for (part, index) in sources {
            let source = part.states.get(index);
            if !is_left(search.slot(source)) || search.is_visited(source) {
                continue;
            }
            let Path { initial, labels } = paths.path(part.discovery(index), None);
            let path = initial.into_iter().chain(labels).collect();
            if let found @ Some(_) = search.explore_from(source, path, &mut counters)? {
                return Ok(found);
            }
        }
        Err(NOT_DETERMINISTIC)
    }
}

/// The workers, who go through one phase after the other.
pub(crate) struct Phases<'a, 'o, G, T: Archive, O> {
    pub rounds: &'a Rounds<'a, T>,
    pub workers: Vec<Worker<'a, G, T>>,
    /// What is to be expanded in the next phase.
    waiting: Levels<StateRef>,
    totals: Totals<Seen>,
    observer: &'o mut O,
}

impl<G: AcceptingGraph + Send, T: Archive, O: Observer> Phases<'_, '_, G, T, O> {
    /// Has the workers do a phase; the sum of what they return.
    pub fn run(
        &mut self,
        work: impl Fn(&mut Worker<G, T>, &mut Counters<Seen>) -> Result<u64, Stop> + Sync,
    ) -> Result<u64, Stop> {
        let totals = std::mem::take(&mut self.totals);
        let pool = self.rounds.pool;
        let (totals, results) = pool.run_on(totals, &mut self.workers, self.observer, work);
        let stop = totals.stop;
        self.totals = totals;
        match stop {
            Some(stop) => Err(stop),
            None => Ok(results.into_iter().flatten().sum()),
        }
    }

    /// A phase in which all states of a list are visited, with their places there; the sum of what `work` returns.
    pub fn visit<'l>(
        &mut self,
        parts: impl Iterator<Item = &'l Column<StateRef>>,
        work: impl Fn(&mut Worker<G, T>, u64, StateRef, &mut Counters<Seen>) -> Result<u64, Stop> + Sync,
    ) -> Result<u64, Stop> {
        let list = Shared::new(parts.collect());
        let levels = self.take_queue();
        let result = self.run(|worker, counters| {
            let mut sum = 0;
            list.for_each(|place, element| {
                counters.checkpoint(0, None)?;
                sum += work(worker, place, element, counters)?;
                worker.hand_over(&levels)
            })?;
            Ok(sum)
        });
        self.waiting = levels;
        result
    }

    /// The queue for the next phase; an empty one takes its place.
    fn take_queue(&mut self) -> Levels<StateRef> {
        std::mem::replace(&mut self.waiting, Levels::new(self.rounds.pool))
    }

    /// A phase in which all states that wait are expanded, and those that wait then; the sum of what `work` returns.
    pub fn expand_waiting(
        &mut self,
        work: impl Fn(&mut Worker<G, T>, StateRef) -> Result<u64, Stop> + Sync,
    ) -> Result<u64, Stop> {
        let levels = self.take_queue();
        for worker in &mut self.workers {
            levels.add(&mut worker.next, true)?;
        }
        self.run(|worker, counters| worker.expand_queue(&levels, counters, &work))
    }

    /// What the workers have listed; their lists are empty then.
    pub fn take_listed(&mut self) -> Vec<Column<StateRef>> {
        let memory = self.rounds.pool.memory();
        let taken =
            |worker: &mut Worker<G, T>| std::mem::replace(&mut worker.listed, Column::new(memory));
        self.workers.iter_mut().map(taken).collect()
    }

    /// What was counted.
    pub fn end(self) -> Totals<Seen> {
        self.totals
    }
}

/// A worker in one of the phases.
pub(crate) struct Worker<'a, G, T: Archive> {
    pub explorer: Explorer<'a, G, T>,
    /// States that are to be expanded in the next phase.
    next: NextLevel<StateRef>,
    /// How many states it has put there since it was made.
    queued: u64,
    number: usize,
    /// States that a phase has listed for a later one.
    pub listed: Column<StateRef>,
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
            listed: Column::new(memory),
        }
    }

    /// Expands a state, and looks its successors up.
    pub fn expand(&mut self, state: StateRef, counters: &mut Counters<Seen>) -> Result<(), Stop> {
        self.explorer.expand(state);
        counters.expanded_again(self.explorer.expansion())?;
        self.explorer.settle_from(0)
    }

    /// Lets a state wait for the next phase, or for the next level of this one.
    pub fn wait(&mut self, state: StateRef) -> Result<(), Stop> {
        let discovery = Discovery::new(self.number, self.queued);
        self.queued += 1;
        Ok(self.next.push(discovery, state, None)?)
    }

    /// Puts the states that wait into a queue, if there are many.
    fn hand_over(&mut self, levels: &Levels<StateRef>) -> Result<(), Stop> {
        match self.next.has_full_chunks() {
            true => levels.add(&mut self.next, false),
            false => Ok(()),
        }
    }

    /// Expands what is in the queue, and calls `work` after each expansion; the sum of what that returns.
    fn expand_queue(
        &mut self,
        levels: &Levels<StateRef>,
        counters: &mut Counters<Seen>,
        work: impl Fn(&mut Self, StateRef) -> Result<u64, Stop>,
    ) -> Result<u64, Stop> {
        let _closing = Closing(levels);
        let mut done = (self.number == 0).then(|| Piece::initial(counters.memory()));
        let mut sum = 0;
        loop {
            let mut tick = |level| counters.idle(level, None);
            let Some(piece) = levels.take(done, &mut self.next, &mut tick)? else {
                return Ok(sum);
            };
            sum += self.expand_piece(&piece, counters, &work)?;
            done = Some(piece);
        }
    }

    fn expand_piece(
        &mut self,
        piece: &Piece<StateRef>,
        counters: &mut Counters<Seen>,
        work: impl Fn(&mut Self, StateRef) -> Result<u64, Stop>,
    ) -> Result<u64, Stop> {
        let mut ahead = piece.states().skip(AHEAD);
        let mut sum = 0;
        for (_, state) in piece.states() {
            if let Some((_, next)) = ahead.next() {
                self.explorer.announce(next);
            }
            counters.checkpoint(piece.level, None)?;
            self.expand(state, counters)?;
            sum += work(self, state)?;
        }
        Ok(sum)
    }
}

/// The number of states between the prefetch of a state and its expansion.
const AHEAD: usize = 2;
/// A worker takes so many elements of a list at a time.
const PIECE: u64 = 64;

/// A list that workers share: each takes the next elements that no other one has taken.
struct Shared<'a> {
    parts: Vec<&'a Column<StateRef>>,
    len: u64,
    taken: AtomicU64,
}

impl<'a> Shared<'a> {
    fn new(parts: Vec<&'a Column<StateRef>>) -> Self {
        Shared {
            len: parts.iter().map(|part| part.len()).sum(),
            parts,
            taken: AtomicU64::new(0),
        }
    }

    /// Some elements with their places; none if all are taken.
    fn take(&self) -> impl Iterator<Item = (u64, StateRef)> {
        let first = self.taken.fetch_add(PIECE, Ordering::Relaxed);
        let last = self.len.min(first.saturating_add(PIECE));
        (first..last).filter_map(|index| self.get(index))
    }

    /// An element and its place: no two have the same, and the first elements of all parts come first.
    fn get(&self, mut index: u64) -> Option<(u64, StateRef)> {
        for (number, part) in self.parts.iter().enumerate() {
            if index < part.len() {
                let place = index * self.parts.len() as u64 + number as u64;
                return Some((place, part.get(index)));
            }
            index -= part.len();
        }
        None
    }

    /// Calls `work` with each element that this worker takes, and its place.
    fn for_each(
        &self,
        mut work: impl FnMut(u64, StateRef) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        loop {
            let mut is_empty = true;
            for (place, element) in self.take() {
                is_empty = false;
                work(place, element)?;
            }
            if is_empty {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycles::{map, owcty};
    use crate::toolkit::budget::FaultPolicy;
    use crate::{Exactness, replay_lasso, scc_search};
    use lariat_graph::explicit::{ExplicitAcceptingGraph, RandomGraph};
    use lariat_stats::stream;
    use lariat_store::FlatSet;

    const ONE_SET: Acceptance = Acceptance { sets: 1, pairs: 0 };

    /// All kinds of early detection.
    fn early() -> impl Iterator<Item = Early> {
        let kinds = [(false, false), (false, true), (true, false), (true, true)];
        kinds
            .into_iter()
            .map(|(carried, loops)| Early { carried, loops })
    }

    /// The outcomes of both searches with each kind of early detection.
    fn outcomes(
        graph: &ExplicitAcceptingGraph,
        workers: usize,
    ) -> impl Iterator<Item = (String, SearchOutcome)> {
        let options = Options {
            faults: FaultPolicy::Collect,
            ..Options::default()
        };
        early().flat_map(move |early| {
            let mut graphs = vec![graph.clone(); workers];
            let owcty = owcty::search::<_, FlatSet, _>(&mut graphs, &options, early, &mut ());
            let mut both = vec![(format!("owcty, {workers} workers, {early:?}"), owcty)];
            let acceptance = graph.acceptance();
            if acceptance.sets <= 1 {
                let map = map::search::<_, FlatSet, _>(&mut graphs, &options, early, &mut ());
                both.push((format!("map, {workers} workers, {early:?}"), map));
            }
            both
        })
    }

    /// Every search finds a lasso, or none finds one.
    fn agree(graph: &ExplicitAcceptingGraph, workers: usize, accepts: bool, context: &str) {
        for (name, outcome) in outcomes(graph, workers) {
            let context = format!("{context}: {name}");
            assert_eq!(outcome.exactness, Exactness::Exact);
            assert_eq!(outcome.lasso.is_some(), accepts, "{context}");
            let stop = if accepts { Stop::Fault } else { Stop::Complete };
            assert_eq!(outcome.stop, stop, "{context}");
            if let Some(lasso) = outcome.lasso {
                let replayed = replay_lasso(&mut graph.clone(), &lasso);
                assert!(replayed.is_ok(), "{context}: {replayed:?}");
            }
        }
    }

    /// A graph from state 0 on in which every edge is accepting.
    fn accepting(states: u32, edges: &[(u32, u32)]) -> ExplicitAcceptingGraph {
        let mut graph = ExplicitAcceptingGraph::new(states, ONE_SET);
        graph.add_initial(0);
        for (label, &(from, to)) in edges.iter().enumerate() {
            graph.add_edge(from, to, label as u32, &[0]);
        }
        graph
    }

    /// The printed OWCTY subtracts the edge to the last state twice.
    #[test]
    fn a_state_that_is_queued_twice_is_removed_once() {
        let graph = accepting(3, &[(0, 2), (2, 1), (1, 1)]);
        (1..=4).for_each(|workers| agree(&graph, workers, true, "0 -> 2 -> 1 -> 1"));
    }

    /// The printed OWCTY with hash compaction stops before the first states of a path are removed.
    #[test]
    fn a_path_before_a_cycle_does_not_hide_it() {
        let graph = accepting(3, &[(0, 1), (1, 2), (2, 2)]);
        (1..=4).for_each(|workers| agree(&graph, workers, true, "0 -> 1 -> 2 -> 2"));
    }

    /// A ladder of 12 diamonds, in which the last state has 4,096 paths.
    #[test]
    fn a_ladder_of_accepting_diamonds() {
        let mut edges = Vec::new();
        for first in (0..12).map(|diamond| 3 * diamond) {
            edges.extend([(first, first + 1), (first, first + 2)]);
            edges.extend([(first + 1, first + 3), (first + 2, first + 3)]);
        }
        let open = accepting(37, &edges);
        edges.push((36, 2));
        let closed = accepting(37, &edges);
        for workers in 1..=4 {
            agree(&open, workers, false, "open ladder");
            agree(&closed, workers, true, "closed ladder");
        }
    }

    /// Both searches agree with the search for components on random graphs, whatever is detected early. `LARIAT_GRAPHS` sets how
    /// many there are, and `LARIAT_SEED` the seed.
    #[test]
    fn early_detection_changes_no_answer() {
        let seed = lariat_testkit::seed();
        let graphs = lariat_testkit::number("LARIAT_GRAPHS", 10_000);
        println!("LARIAT_GRAPHS={graphs}");
        for number in 0..graphs {
            let mut rng = stream(seed, "early detection", number);
            let sets = [1, 1, 1, 0, 2, 3][rng.index(6)];
            let states = 2 + rng.below(11) as u32;
            let shape = RandomGraph {
                states,
                edges: rng.below(3 * u64::from(states)) as u32,
                initial: 1 + rng.below(2) as u32,
                fault_probability: 0.0,
                fault_codes: 1,
                padding: 0,
            };
            let marks = [0.05, 0.2, 0.5, 1.0][rng.index(4)];
            let acceptance = Acceptance { sets, pairs: 0 };
            let mut graph = ExplicitAcceptingGraph::random(&shape, acceptance, marks, &mut rng);
            let options = Options::default();
            let accepts = scc_search(std::slice::from_mut(&mut graph), &options, &mut ()).lasso;
            let workers = if number % 20 == 0 {
                1 + rng.index(4)
            } else {
                1
            };
            let context = format!("graph {number} of seed {seed}");
            agree(&graph, workers, accepts.is_some(), &context);
        }
    }
}
