//! Shortest lassos.
//!
//! A lasso with the fewest edges, path and cycle together, is a shortest path to some state and a shortest accepted
//! cycle from there (compare Schuppan and Biere, "Shortest counterexamples for symbolic model checking of LTL with
//! past", TACAS 2005). A breadth-first search stores the graph explicitly and numbers the states by their distance;
//! then the states are tried one by one in this order. The work is limited by two observations:
//!
//! - A lasso of `n` edges has no state further away than `n - 1`. As soon as a lasso is known, for which the search
//!   looks whenever the graph has doubled, only states nearer than its length matter, in the graph and on every
//!   cycle.
//! - After a state was tried, it can be removed: a cycle through it and a state further away was found from it
//!   already, behind a path that is not longer. So the remaining states divide into smaller components, most of them
//!   not accepting, which need not be tried. They are computed again whenever as much work was done as that costs.
//!
//! With more than a dozen sets, or with pairs, the cycles are those of `accepting_cycle.rs`, which are short but not
//! proven to be the shortest; then only the nearest states are tried.
//!
//! This is for small graphs: states are stored without compression, whatever store was chosen. Besides a state costs
//! 16 bytes, an edge 16 and the marks, and 32 bytes for each node of `shortest_cycle.rs`. The time is in the worst
//! case that of a search from each state; nothing better is known in general (Hansen and Kervinen, "Minimal
//! counterexamples in O(n log n) memory and O(n^2) time", ACSD 2006).

use crate::cycles::accepting_cycle::PathFinder;
use crate::cycles::components::{Components, accepting_components};
use crate::cycles::fragment::Fragment;
use crate::cycles::shortest_cycle::CycleFinder;
use crate::toolkit::budget::{FaultPolicy, Options, Stop};
use crate::toolkit::column::Column;
use crate::toolkit::counters::{Counters, Totals};
use crate::toolkit::lasso::{Lasso, replay_lasso};
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{FoundFault, Path, Statistics};
use crate::toolkit::workers::Workers;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, Fault};
use lariat_store::{FlatStore, Insert, Memory};

/// The result of [`shortest_lasso`].
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestLasso {
    /// The shortest lasso that was found, even if the search ended early.
    pub lasso: Option<Lasso>,
    /// Whether it is certain that no lasso is shorter; or, if none was found, that none is within the bound.
    pub proven: bool,
    /// Why the search ended: [`Stop::Fault`] if it found a lasso; [`Stop::Complete`] if it explored everything within
    /// the bound and found none.
    pub stop: Stop,
    /// The counts.
    pub statistics: Statistics,
    /// The faults that were found.
    pub faults: Vec<FoundFault>,
}

/// Searches for an accepted lasso with the fewest edges, prefix and cycle together, and at most `at_most` edges. If
/// the budget ends the search, the best one so far is returned.
pub fn shortest_lasso<G: AcceptingGraph, O: Observer>(
    graph: &mut G,
    options: &Options,
    at_most: Option<u64>,
    observer: &mut O,
) -> ShortestLasso {
    let limits = Limits {
        length: at_most.unwrap_or(u64::MAX),
        ticks: u64::MAX,
        places: 1 << 26,
    };
    search(graph, None, limits, options, observer)
}

/// A shorter lasso through some of the states of an accepted lasso, if there is one; otherwise the same. It is a
/// shortest one of these if that is not too much work. A lasso that is not accepted is returned unchanged.
pub fn shorten<G: AcceptingGraph>(graph: &mut G, lasso: &Lasso) -> Lasso {
    let Ok(states) = replay_lasso(graph, lasso) else {
        return lasso.clone();
    };
    let mut allowed = FlatStore::new(&Memory::new(None));
    for state in &states {
        allowed.insert(state);
    }
    drop(states);
    let limits = Limits {
        length: lasso.length().saturating_sub(1),
        ticks: 1 << 23,
        places: 1 << 22,
    };
    let options = Options {
        faults: FaultPolicy::Collect,
        ..Options::default()
    };
    let found = search(graph, Some(&allowed), limits, &options, &mut ());
    found.lasso.unwrap_or_else(|| lasso.clone())
}

/// Bounds on a search for lassos.
struct Limits {
    /// The length of the longest lasso that matters.
    length: u64,
    /// The limit of nodes that are visited in the search for cycles.
    ticks: u64,
    /// The limit of nodes for [`CycleFinder`].
    places: u64,
}

fn search<G: AcceptingGraph, O: Observer>(
    graph: &mut G,
    allowed: Option<&FlatStore>,
    limits: Limits,
    options: &Options,
    observer: &mut O,
) -> ShortestLasso {
    let acceptance = graph.acceptance();
    let pool = Workers::new(options, 1);
    let memory = pool.memory();
    let mut store = FlatStore::new(memory);
    if let Some(states) = options.budget.states {
        store.limit_states(states);
    }
    let mut search = Search {
        graph,
        acceptance,
        allowed,
        map: Map {
            fragment: Fragment::new(memory, acceptance.words()),
            parents: Column::new(memory),
            level_ends: Column::new(memory),
        },
        store,
        counters: pool.reopen(&mut Totals::default(), observer),
        expansion: Expansion::with_marks(acceptance.words()),
        best: Best {
            lasso: None,
            longest: limits.length,
        },
        limits,
        ticks: 0,
    };
    let result = search.explore();
    let Search { counters, best, .. } = search;
    let proven = result == Ok(true);
    let result = match (best.lasso, result) {
        (Some(lasso), _) => Ok(Some(lasso)),
        (None, Ok(_)) => Ok(None),
        (None, Err(stop)) => Err(stop),
    };
    let outcome = counters.close().lasso_outcome(&pool, result, |path| path);
    ShortestLasso {
        lasso: outcome.lasso,
        proven,
        stop: outcome.stop,
        statistics: outcome.statistics,
        faults: outcome.faults,
    }
}

struct Search<'a, G> {
    graph: &'a mut G,
    acceptance: Acceptance,
    /// The states that may be visited, if not all.
    allowed: Option<&'a FlatStore>,
    store: FlatStore,
    map: Map,
    counters: Counters<'a, Path>,
    expansion: Expansion,
    best: Best,
    limits: Limits,
    ticks: u64,
}

/// The explored part of the graph. States are numbered by their distance.
struct Map {
    fragment: Fragment,
    /// For each state its predecessor, or [`ROOT`], and the label of the edge.
    parents: Column<[u32; 2]>,
    /// For each distance the number of the first state that is further away.
    level_ends: Column<u32>,
}

const ROOT: u32 = u32::MAX;

/// The best lasso so far.
struct Best {
    lasso: Option<Lasso>,
    /// Only lassos up to this length would be better.
    longest: u64,
}

/// How often the whole graph may be traversed for cycles that are not proven to be shortest.
const WALKS: u64 = 64;

/// The number of expanded states at which the search for a lasso begins.
const FIRST_LOOK: u64 = 256;

impl<G: AcceptingGraph> Search<'_, G> {
    /// Whether the best lasso is certainly the shortest.
    fn explore(&mut self) -> Result<bool, Stop> {
        match self.draw_map() {
            Ok(()) => self.minimise(),
            Err(stop) => {
                if stop == Stop::States {
                    // A lasso may be found in the explored part.
                    self.search_any()?;
                }
                Err(stop)
            }
        }
    }

    /// Explores the graph up to the distance that matters.
    fn draw_map(&mut self) -> Result<(), Stop> {
        self.counters.checkpoint(0, Some(0))?;
        self.graph.initial(&mut self.expansion);
        self.absorb(ROOT, 0)?;
        let mut next_look = FIRST_LOOK;
        let mut state = 0;
        let mut distance = 0;
        while state < self.store.len() && distance < self.best.longest {
            let level_end = self.store.len();
            self.map.level_ends.push(level_end)?;
            while state < level_end {
                let queue = i64::from(self.store.len() - state);
                self.counters.checkpoint(distance + 1, Some(queue))?;
                self.expansion.clear();
                let words = self.store.get(state);
                self.graph.successors(words, &mut self.expansion);
                self.map.fragment.push_state()?;
                self.absorb(state, distance + 1)?;
                state += 1;
                if u64::from(state) == next_look {
                    next_look *= 2;
                    self.search_any()?;
                    if distance >= self.best.longest {
                        return Ok(());
                    }
                }
            }
            distance += 1;
        }
        Ok(())
    }

    /// Counts the expansion of a state and adds it to the map. Its successors get a distance, and so a level.
    fn absorb(&mut self, parent: u32, level: u64) -> Result<(), Stop> {
        let map = &self.map;
        let path = |fault: &Fault| map.path(parent, fault.label);
        self.counters
            .expanded(&self.expansion, path, |_, _| false)?;
        for (index, (target, label)) in self.expansion.edges().enumerate() {
            if self.allowed.is_some_and(|set| set.find(target).is_none()) {
                continue;
            }
            let label = if parent == ROOT { index as u32 } else { label };
            let insert = self.store.insert(target);
            let (target, is_new) = match insert {
                Insert::New(target) => (target, true),
                Insert::Known(target) => (target, false),
                Insert::Full if self.store.has_all_states() => return Err(Stop::States),
                Insert::Full => return Err(Stop::Memory),
            };
            self.counters.count(u64::from(is_new), u64::from(!is_new));
            if is_new {
                self.map.parents.push([parent, label])?;
                self.counters.reached_depth(level + 1);
            }
            if parent != ROOT {
                let marks = self.expansion.marks(index);
                self.map.fragment.push_edge(target, label, marks)?;
            }
        }
        Ok(())
    }

    /// Searches for any lasso through the nearest state that has one.
    fn search_any(&mut self) -> Result<(), Stop> {
        let memory = self.counters.memory().clone();
        let map = &self.map;
        let (counters, ticks, limit) = (&mut self.counters, &mut self.ticks, self.limits.ticks);
        let depth = map.level_ends.len();
        let tick = &mut || count(ticks, limit).and_then(|()| counters.checkpoint(depth, None));
        let states = 0..map.fragment.len();
        let components = map.components(self.acceptance, states.clone(), &memory, tick)?;
        if components.is_empty() {
            return Ok(());
        }
        let mut path_finder = PathFinder::new(&map.fragment, self.acceptance, &memory)?;
        for state in states {
            if let Some(component) = components.of(state) {
                let Some(longest) = self.best.longest_cycle(map.distance(state)) else {
                    break;
                };
                let cycle =
                    path_finder.accepted_cycle(&components, component, state, longest, tick)?;
                self.best.improve(map, state, cycle);
                break;
            }
        }
        Ok(())
    }

    /// Tries all states as the first state of a cycle. Returns whether the best lasso is then the shortest.
    fn minimise(&mut self) -> Result<bool, Stop> {
        let memory = self.counters.memory().clone();
        let map = &self.map;
        let best = &mut self.best;
        let (counters, ticks, limit) = (&mut self.counters, &mut self.ticks, self.limits.ticks);
        let depth = map.level_ends.len();
        let work = std::cell::Cell::new(0);
        let tick = &mut || {
            work.set(work.get() + 1);
            count(ticks, limit).and_then(|()| counters.checkpoint(depth, None))
        };
        let mut components = map.components(self.acceptance, map.up_to(0, best), &memory, tick)?;
        let places = self.limits.places;
        if components.is_empty() {
            return Ok(true);
        }
        let mut finder = map.finder(self.acceptance, &components, places, &memory);
        let mut path_finder = PathFinder::new(&map.fragment, self.acceptance, &memory)?;
        let mut state = 0;
        let mut walks = 0;
        work.set(0);
        while state < map.fragment.len() && (finder.is_some() || walks < WALKS) {
            let Some(longest) = best.longest_cycle(map.distance(state)) else {
                break;
            };
            if let Some(component) = components.of(state) {
                let cycle = match &mut finder {
                    Some(finder) => {
                        finder.shortest_cycle(&components, component, state, longest, tick)?
                    }
                    None => {
                        path_finder.accepted_cycle(&components, component, state, longest, tick)?
                    }
                };
                best.improve(map, state, cycle);
            }
            state += 1;
            let size = u64::from(map.fragment.len());
            if work.get() > 2 * size {
                walks += work.get() / size;
                let states = map.up_to(state, best);
                components = map.components(self.acceptance, states, &memory, tick)?;
                if components.is_empty() {
                    break;
                }
                work.set(0);
            }
        }
        Ok(finder.is_some())
    }
}

/// Counts one unit of the limited work.
fn count(ticks: &mut u64, limit: u64) -> Result<(), Stop> {
    *ticks += 1;
    if *ticks > limit {
        return Err(Stop::Time);
    }
    Ok(())
}

impl Map {
    fn distance(&self, state: u32) -> u64 {
        let (mut low, mut high) = (0, self.level_ends.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.level_ends.get(middle) <= state {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The states from `first` on that may be on a better lasso.
    fn up_to(&self, first: u32, best: &Best) -> std::ops::Range<u32> {
        let end = match best.longest.checked_sub(1) {
            Some(distance) if distance < self.level_ends.len() => self.level_ends.get(distance),
            Some(_) => u32::MAX,
            None => 0,
        };
        first..end.min(self.fragment.len()).max(first)
    }

    fn components(
        &self,
        acceptance: Acceptance,
        states: std::ops::Range<u32>,
        memory: &Memory,
        tick: &mut dyn FnMut() -> Result<(), Stop>,
    ) -> Result<Components, Stop> {
        accepting_components(&self.fragment, acceptance, states, memory, tick)
    }

    /// The finder of shortest cycles, if there is memory for it.
    fn finder(
        &self,
        acceptance: Acceptance,
        components: &Components,
        places: u64,
        memory: &Memory,
    ) -> Option<CycleFinder<'_>> {
        CycleFinder::new(&self.fragment, acceptance, components, places, memory).unwrap_or(None)
    }

    /// The shortest path to a state, and then along `label`.
    fn path(&self, mut state: u32, label: Option<u32>) -> Path {
        let mut labels: Vec<u32> = label.into_iter().collect();
        let mut initial = None;
        while state != ROOT {
            let [parent, label] = self.parents.get(state);
            match parent {
                ROOT => initial = Some(label),
                _ => labels.push(label),
            }
            state = parent;
        }
        labels.reverse();
        Path { initial, labels }
    }
}

impl Best {
    /// The longest cycle of a better lasso behind a path of this length.
    fn longest_cycle(&self, distance: u64) -> Option<u64> {
        self.longest
            .checked_sub(distance)
            .filter(|&longest| longest > 0)
    }

    /// Uses a cycle, given by its edges, from a state, if there is one.
    fn improve(&mut self, map: &Map, state: u32, cycle: Option<Vec<u64>>) {
        let Some(cycle) = cycle else { return };
        let path = map.path(state, None);
        let lasso = Lasso {
            initial: path.initial.unwrap_or(0),
            prefix: path.labels,
            cycle: cycle
                .iter()
                .map(|&edge| map.fragment.edge(edge).label)
                .collect(),
        };
        debug_assert!(lasso.length() <= self.longest);
        self.longest = lasso.length() - 1;
        self.lasso = Some(lasso);
    }
}
