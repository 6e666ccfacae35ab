//! Monte Carlo model checking: random lassos (R. Grosu and S. A. Smolka, "Monte Carlo model checking", TACAS
//! 2005).
//!
//! A random lasso starts in a random initial state and follows random edges until it comes to a state for the
//! second time. It is accepting if an edge of its cycle is. Some lasso is accepting with a probability above
//! zero exactly if the graph has an accepted run, so walks without an accepting lasso speak against one;
//! `lariat_stats` says how much. A walk needs memory for itself alone.
//!
//! Everything that is drawn in a walk depends on the seed, the number of the walk and the state that is left:
//! the *dice* of a state are the hash of its words, changed by a key of the walk. A state is left once in a walk, so
//! the lasso is distributed as if every choice were drawn afresh; but the walk now follows a function from states to states,
//! and its cycle can be found without a table (`nivasch.rs`). It also can be walked again from its number
//! ([`record`]), by anybody, which is how counterexamples are found again and why nobody needs to remember paths.
//!
//! | file | what |
//! |---|---|
//! | `path` | the states of a walk with a table over them, emptied at no cost |
//! | `memo` | the edges of small graphs, remembered |
//! | `nivasch` | the end of a long walk in constant memory |
//! | `walk` | the walk itself, and the ways to choose an edge |
//! | `splitting` | walks that branch when they come closer to an accepting cycle |
//! | `in_order` | walks by several workers, counted in the order of their numbers |

mod in_order;
mod memo;
mod nivasch;
mod path;
mod splitting;
mod walk;

pub use in_order::{Sampled, Sampler, sample_in_order};
pub use walk::Walker;

use lariat_graph::Draw;
use lariat_stats::{Dice, stream};
use lariat_store::hash_words;

use crate::registry::{Cycles, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Budget, Options};
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::SearchOutcome;
use crate::walks::sequential_test::SequentialTest;
use lariat_store::Exactness;
use std::ops::ControlFlow;

/// The path of a walk may take this part of the memory.
const SHARES: u64 = 64;

/// How random lassos are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkOptions {
    /// Everything is drawn from this number.
    pub seed: u64,
    /// What kind of walk it is.
    pub sampling: LassoSampling,
    /// What is equally likely.
    pub uniform: Uniform,
    /// Walks with more steps are cut, and nobody knows how they would have ended.
    pub max_length: u64,
    /// Whether accepted cycles are looked for; if not, only faults are.
    pub cycles: bool,
    /// Whether the graph is asked if a lasso that is not accepting would be accepted in another way.
    pub retest: bool,
    /// A plain walk with more states than this goes on without a table: the table would leave the cache, and
    /// then a step costs more with it than without.
    pub table_states: usize,
    /// Whether the edges of small graphs are remembered, which changes nothing but the time.
    pub remember: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        WalkOptions {
            seed: 0,
            sampling: LassoSampling::default(),
            uniform: Uniform::default(),
            max_length: u64::MAX,
            cycles: true,
            retest: false,
            table_states: 1 << 17,
            remember: true,
        }
    }
}

/// The kinds of walks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LassoSampling {
    /// The random lasso: the first edge to a state of the walk ends it.
    #[default]
    Lasso,
    /// Edges back that close no accepting lasso are not taken as long as there are others.
    MultiLasso,
    /// Every second walk prefers edges that come closer to an accepting cycle, by this factor in the
    /// exponent for each step of the property automaton.
    Biased(f64),
    /// The walk branches into so many when it comes closer to an accepting cycle.
    Splitting(u32),
}

/// What is equally likely when an edge is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Uniform {
    /// The steps that are possible, as [`lariat_graph::Draw::draw`] has it.
    #[default]
    Steps,
    /// Whole edges. All of them are made.
    Transitions,
    /// The different states behind them. All of them are made.
    States,
}

/// How a walk has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With an accepted cycle.
    Accepting,
    /// With a fault with this code.
    Fault(u32),
    /// With a cycle that is not accepted.
    Rejecting,
    /// In a state without edges.
    Dead,
    /// It was cut: it is too long, takes too much memory, or a step could not be made.
    Cut,
}

/// A walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// How it has ended.
    pub ending: Ending,
    /// The edges that were drawn.
    pub steps: u64,
    /// An unbiased estimate of the probability that a random lasso is accepting or ends with a fault: for
    /// the plain random lasso 1 or 0, for other kinds a weight.
    pub value: f64,
    /// What the value might be larger by, because parts of the walk were cut.
    pub unknown: f64,
    /// Whether the walk was cut although a violation may take no more steps than it may.
    pub is_cut_early: bool,
    /// Whether a random lasso is at least as likely to be found by such a walk as by a plain one, so that
    /// not to have found one counts.
    pub counts: bool,
}

impl Walk {
    /// Whether it shows a violation.
    pub fn is_violation(&self) -> bool {
        matches!(self.ending, Ending::Accepting | Ending::Fault(_))
    }

    /// Whether nobody knows how it would have ended.
    pub fn is_unknown(&self) -> bool {
        self.ending == Ending::Cut
    }
}

/// What became of the walks up to some number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// All of them.
    pub walks: u64,
    /// Those that show a violation.
    pub violations: u64,
    /// Those with a cycle that is not accepted.
    pub rejecting: u64,
    /// Those that ended in a state without edges.
    pub dead: u64,
    /// Those that were cut.
    pub cut: u64,
    /// Their steps.
    pub steps: u64,
    /// The steps of the longest.
    pub longest: u64,
    /// The number of the first that shows a violation.
    pub first: Option<u64>,
}

impl Tally {
    /// Counts a walk.
    pub fn add(&mut self, number: u64, walk: &Walk) {
        self.walks += 1;
        self.steps += walk.steps;
        self.longest = self.longest.max(walk.steps);
        match walk.ending {
            Ending::Accepting | Ending::Fault(_) => {
                self.violations += 1;
                self.first.get_or_insert(number);
            }
            Ending::Rejecting => self.rejecting += 1,
            Ending::Dead => self.dead += 1,
            Ending::Cut => self.cut += 1,
        }
    }

    /// The steps of a walk, on average.
    pub fn mean_length(&self) -> f64 {
        self.steps as f64 / self.walks.max(1) as f64
    }
}

/// A walk as it can be followed again.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The walk.
    pub walk: Walk,
    /// Where it starts, as an index of the initial states; nothing if there was no state yet.
    pub initial: Option<u32>,
    /// The labels of its edges; [`lariat_graph::DRAWN`] if an edge is known by the dice of its source alone.
    pub labels: Vec<u32>,
    /// The state to which its last edge leads back, as the number of edges before it.
    pub back: Option<usize>,
    /// From so many edges on, the dice of states have this key.
    pub keys: Vec<(usize, u64)>,
}

impl Recorded {
    /// The dice of a state on the walk behind so many edges.
    pub fn dice(&self, edges: usize, state: &[u32]) -> Dice {
        let key = self.keys.iter().rev().find(|(from, _)| *from <= edges);
        dice(key.map_or(0, |(_, key)| *key), hash_words(state))
    }
}

/// The dice of a state with a hash.
#[inline]
fn dice(key: u64, hash: u64) -> Dice {
    Dice::new(hash ^ key)
}

/// The keys of the walks under a seed.
#[derive(Clone, Copy, Debug)]
struct Keys(u64);

impl Keys {
    fn new(seed: u64) -> Self {
        Keys(stream(seed, "random lasso", 0).next_u64())
    }

    /// The dice for what a walk draws besides edges.
    fn of_walk(self, number: u64) -> Dice {
        Dice::new(Dice::new(self.0.wrapping_add(number)).next_u64())
    }
}

/// Random lassos, judged by a sequential test.
pub struct MonteCarlo;

impl Search for MonteCarlo {
    const INFO: SearchInfo = SearchInfo {
        name: "monte-carlo",
        summary: "random walks, for what is too large to be searched",
        faults: true,
        cycles: Cycles::OneSet,
        stores: &[],
        workers: WorkerUse::Any,
        order: VisitOrder::Other,
        shortest_paths: false,
        counts_faults: false,
    };

    fn run<G: Draw + Send, O: Observer>(
        graphs: &mut [G],
        options: &Options,
        observer: &mut O,
    ) -> SearchOutcome {
        let task = &options.walks;
        let mut test = SequentialTest::new(task);
        let fold = |number, walk: &Walk| test.add(number, walk);
        let sampled = random_lassos(graphs, &task.options, &options.budget, fold, observer);
        SearchOutcome {
            stop: sampled.stop,
            faults: Vec::new(),
            lasso: None,
            statistics: sampled.statistics(),
            exactness: Exactness::Exact,
            walks: Some(test.conclude(sampled)),
        }
    }
}

/// Draws random lassos from number 0 on, with a worker for each graph, until `fold` breaks or the budget ends.
///
/// `fold` sees all walks in the order of their numbers, without a gap, whoever has made them: so a seed gives the same
/// result for any number of workers. If time ends, what comes behind the first walk that is not done is
/// not counted: walks that find something may take longer than others.
pub fn random_lassos<G: Draw + Send>(
    graphs: &mut [G],
    options: &WalkOptions,
    budget: &Budget,
    fold: impl FnMut(u64, &Walk) -> ControlFlow<()>,
    observer: &mut impl Observer,
) -> Sampled {
    // The same for any number of workers, so that walks are cut alike.
    let memory = budget.memory.map(|bytes| bytes / SHARES);
    let mut walkers: Vec<_> = (graphs.iter_mut())
        .map(|graph| Walker::new(graph, *options, memory))
        .collect();
    sample_in_order(&mut walkers, budget, fold, observer)
}

/// Makes one walk again, and remembers its way. Nothing if it could not be made again; it may be as long as the walk was.
pub fn record<G: Draw>(graph: &mut G, options: &WalkOptions, number: u64) -> Option<Recorded> {
    Walker::new(graph, *options, None).record(number)
}
