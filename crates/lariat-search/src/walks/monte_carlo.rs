//! Monte Carlo model checking: random lassos (R. Grosu and S. A. Smolka, "Monte Carlo model checking", TACAS
//! 2005).
//!
//! A random lasso starts in a random initial state and follows random edges until it reaches a state for the second
//! time. It is accepting if an edge of its cycle is. The graph has an accepted run if and only if the probability of
//! an accepting lasso is positive, so walks without an accepting lasso are evidence against one; `lariat_stats`
//! quantifies it. Only the memory of one walk is needed.
//!
//! Every random choice of a walk depends on the seed, the number of the walk and the state: the *dice* of a state are
//! the hash of its words, combined with a key of the walk. A walk leaves a state once, so the lasso is distributed as
//! if every choice were independent; but the walk now follows a function from states to states, and its cycle can be
//! found without a table (`nivasch.rs`). A walk can also be repeated from its number ([`record`]), so paths of
//! counterexamples need not be stored.
//!
//! | file | contents |
//! |---|---|
//! | `path` | the states of a walk with a hash table that is emptied in constant time |
//! | `memo` | a cache of the edges of small graphs |
//! | `nivasch` | the end of a long walk in constant memory |
//! | `walk` | the walk, and the distributions of edges |
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

use crate::registry::{Cycles, Misses, Search, SearchInfo, VisitOrder, WorkerUse};
use crate::toolkit::budget::{Budget, Clock, Options};
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::SearchOutcome;
use crate::walks::sequential_test::SequentialTest;
use lariat_store::Exactness;
use std::ops::ControlFlow;

/// The part of the memory that the path of a walk may take.
const SHARES: u64 = 64;

/// How random lassos are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkOptions {
    /// The seed of all random choices.
    pub seed: u64,
    /// The kind of walk.
    pub sampling: LassoSampling,
    /// What is equally likely.
    pub uniform: Uniform,
    /// Walks with more steps are cut, and their end is unknown.
    pub max_length: u64,
    /// Whether to search for accepted cycles; if not, only faults are found.
    pub cycles: bool,
    /// Whether to ask the graph if a lasso that is not accepting is accepted by another run of the automaton.
    pub retest: bool,
    /// A plain walk with more states than this continues without a table: a table that exceeds the cache makes steps
    /// slower.
    pub table_states: usize,
    /// Whether the edges of small graphs are cached, which affects only the time.
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
    /// Back edges that close no accepting lasso are not taken as long as there are others.
    MultiLasso,
    /// Every second walk prefers edges that reduce the distance to an accepting cycle, by this factor in the exponent
    /// for each step of the property automaton.
    Biased(f64),
    /// The walk splits into so many when its distance to an accepting cycle decreases.
    Splitting(u32),
}

/// What is equally likely when an edge is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Uniform {
    /// The enabled steps, as in [`lariat_graph::Draw::draw`].
    #[default]
    Steps,
    /// Whole edges. All of them are generated.
    Transitions,
    /// The different target states. All of them are generated.
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
    /// It was cut: it is too long, takes too much memory, or a step could not be taken.
    Cut,
}

/// A walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// How it has ended.
    pub ending: Ending,
    /// The number of edges.
    pub steps: u64,
    /// An unbiased estimate of the probability that a random lasso is accepting or ends with a fault: 1 or 0 for the
    /// plain random lasso, a weight for other kinds.
    pub value: f64,
    /// The largest amount by which the value might increase, because parts of the walk were cut.
    pub unknown: f64,
    /// Whether the walk was cut although a violation may take fewer steps than the limit.
    pub is_cut_early: bool,
    /// Whether such a walk finds a violating lasso at least as likely as a plain one, so that a walk without a
    /// violation counts.
    pub counts: bool,
}

impl Walk {
    /// Whether it shows a violation.
    pub fn is_violation(&self) -> bool {
        matches!(self.ending, Ending::Accepting | Ending::Fault(_))
    }

    /// Whether its end is unknown.
    pub fn is_unknown(&self) -> bool {
        self.ending == Ending::Cut
    }
}

/// The counts of the walks up to some number.
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
    /// The steps of the longest walk.
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

/// A walk with its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The walk.
    pub walk: Walk,
    /// Its initial state, as an index of the initial states; `None` if there is no state.
    pub initial: Option<u32>,
    /// The labels of its edges; [`lariat_graph::DRAWN`] if an edge is given by the dice of its source alone.
    pub labels: Vec<u32>,
    /// The state to which its last edge leads back, as the number of edges before it.
    pub back: Option<usize>,
    /// From so many edges on, the dice of states have this key.
    pub keys: Vec<(usize, u64)>,
}

impl Recorded {
    /// The dice of the state of the walk after so many edges.
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

    /// The dice for the choices of a walk besides edges.
    fn of_walk(self, number: u64) -> Dice {
        Dice::new(Dice::new(self.0.wrapping_add(number)).next_u64())
    }
}

/// Random lassos with a sequential test.
pub struct MonteCarlo;

impl Search for MonteCarlo {
    const INFO: SearchInfo = SearchInfo {
        name: "monte-carlo",
        summary: "random walks, for models that are too large for a search",
        faults: true,
        cycles: Cycles::OneSet,
        stores: &[],
        workers: WorkerUse::Any,
        order: VisitOrder::Other,
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
/// `fold` gets all walks in the order of their numbers, without a gap: so a seed gives the same result for any number
/// of workers. If the time ends, walks behind the first unfinished one are not counted: walks that find a violation
/// may take longer than others.
pub fn random_lassos<G: Draw + Send>(
    graphs: &mut [G],
    options: &WalkOptions,
    budget: &Budget,
    fold: impl FnMut(u64, &Walk) -> ControlFlow<()>,
    observer: &mut impl Observer,
) -> Sampled {
    // The same for any number of workers, so that the same walks are cut.
    let memory = budget.memory.map(|bytes| bytes / SHARES);
    let mut walkers: Vec<_> = (graphs.iter_mut())
        .map(|graph| Walker::new(graph, *options, memory))
        .collect();
    sample_in_order(&mut walkers, budget, fold, observer)
}

/// Repeats one walk, and records its path. `None` if it could not be repeated; it may be as long as the walk was.
pub fn record<G: Draw>(graph: &mut G, options: &WalkOptions, number: u64) -> Option<Recorded> {
    record_within(graph, options, number, &Budget::default())
}

/// The same with a budget whose time begins now, and whose memory is that of the walk. Nothing if it ends first.
pub fn record_within<G: Draw>(
    graph: &mut G,
    options: &WalkOptions,
    number: u64,
    budget: &Budget,
) -> Option<Recorded> {
    let memory = budget.memory.map(|bytes| bytes / SHARES);
    let mut walker = Walker::new(graph, *options, memory);
    walker.set_budget(budget.clone(), Clock::start());
    walker.record(number)
}
