//! Why a task is refused: each kind of reason once, with its message.

use std::fmt;

use lariat_ir::space::Fairness;
use lariat_search::{
    Cycles, LassoSampling, SamplingName, SearchId, StoreClass, StoreKind, WorkerUse,
};

/// An option that the user set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish(pub &'static str);

/// Why a task cannot be executed with these options. They are named as on the command line.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// An option for errors of states and steps only.
    NeedsSafety(Wish),
    /// An option for properties of infinite runs only.
    NeedsRuns(Wish),
    /// An option for random walks only.
    NeedsWalks(Wish),
    /// An option for estimates only.
    NeedsEstimate(Wish),
    /// An option that random walks do not support, and why.
    NotWithWalks(Wish, &'static str),
    /// The search cannot find violations of any of the properties.
    SearchCannot {
        /// The search.
        search: SearchId,
        /// Whether it would have to find errors of states and steps.
        faults: bool,
    },
    /// The search does not support this kind of fairness.
    SearchUnfair(SearchId, Fairness),
    /// The search stops at the first error, and all are to be counted.
    SearchCountsNot(SearchId),
    /// The search does not support the store.
    SearchStore(SearchId, Option<StoreKind>),
    /// An option that a search with this store does not support, and why.
    NotWithStore(StoreKind, Wish, &'static str),
    /// Several workers for a search with one worker.
    OneWorker(SearchId, usize),
    /// Several workers under strong fairness.
    OneWorkerForStrongFairness(usize),
    /// Waiting states on disk, for a search without a queue.
    NoQueue(SearchId),
    /// Waiting states on disk, under strong fairness.
    NoQueueForStrongFairness,
    /// Several searches that would all be equal.
    SameRuns,
    /// A store that omits nothing needs no confirmation.
    ConfirmsExact(StoreKind),
    /// Another option that repeats searches.
    NotWithConfirm(Wish),
    /// A seed although nothing is random.
    NothingRandom,
    /// A shortest lasso under strong fairness.
    ShortestStrong,
    /// Walks that use a property automaton, for safety.
    LedWalks(LassoSampling),
    /// Walks that compare whole transitions.
    UniformTransitions(LassoSampling),
    /// A counting estimator for weighted walks.
    CountedWeights,
    /// A Markov chain without random runs.
    ChainWithoutWalks,
    /// An option that a Markov chain does not support.
    NotForChains(Wish),
}

/// Names in a list: `a, b or c`.
fn any_of(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "none".into(),
    }
}

/// The searches with a property, in a list.
fn searches(has: impl Fn(SearchId) -> bool) -> String {
    any_of(
        SearchId::ALL
            .iter()
            .filter(|id| has(**id))
            .map(|id| id.name()),
    )
}

/// The names of the stores of some classes.
fn stores(classes: &[StoreClass]) -> String {
    let class = |name: &str| {
        let example = name.replace(":P", ":0.5").replace(":N", ":1");
        let example = example.replace(":BITS", ":40").replace(":K", ":3");
        example.parse().map(StoreKind::class)
    };
    let names = StoreKind::names().into_iter().map(|(name, _)| name);
    any_of(names.filter(|name| class(name).is_ok_and(|class| classes.contains(&class))))
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--{}", self.0)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NeedsSafety(wish) => write!(
                f,
                "{wish} is about errors of states and steps, and these are not checked; add --safety, or leave it out"
            ),
            Refusal::NeedsRuns(wish) => write!(
                f,
                "{wish} is about properties of infinite runs, and none is checked; name one with --ltl, --formula, --never, --acceptance or --non-progress"
            ),
            Refusal::NeedsWalks(wish) => {
                write!(f, "{wish} is about random walks; add --search monte-carlo")
            }
            Refusal::NeedsEstimate(wish) => {
                write!(f, "{wish} is about estimates; use `lariat estimate`")
            }
            Refusal::NotWithWalks(wish, why) => write!(f, "{wish}: {why}"),
            Refusal::SearchCannot {
                search,
                faults: true,
            } => write!(
                f,
                "--search {search} finds infinite runs that violate a property, and none is checked; for errors of states and steps choose {can}",
                search = search.name(),
                can = searches(|id| id.info().faults),
            ),
            Refusal::SearchCannot { search, .. } => write!(
                f,
                "--search {search} finds errors of states and steps; for a property of infinite runs choose {can}, or leave it out",
                search = search.name(),
                can = searches(|id| id.info().cycles > Cycles::None),
            ),
            Refusal::SearchUnfair(search, fairness) => {
                let needed = cycles_of(*fairness);
                write!(
                    f,
                    "--search {search} does not support --fair {fair}; choose {can}, or leave --search out",
                    search = search.name(),
                    fair = fairness.word(),
                    can = searches(|id| id.info().cycles >= needed),
                )
            }
            Refusal::SearchCountsNot(search) => write!(
                f,
                "--search {search} stops at the first error; with --all-errors choose {can}",
                search = search.name(),
                can = searches(|id| id.info().counts_faults),
            ),
            Refusal::SearchStore(search, None) => write!(
                f,
                "--search {search} needs a store that forgets states: --store {stores}",
                search = search.name(),
                stores = stores(search.info().stores),
            ),
            Refusal::SearchStore(search, Some(store)) => {
                let class = store.class();
                write!(
                    f,
                    "--search {search} does not support --store {store}, only {knows}; choose one of these stores, or --search {can}",
                    search = search.name(),
                    knows = stores(search.info().stores),
                    can = searches(|id| id.info().stores.contains(&class)),
                )
            }
            Refusal::NotWithStore(store, wish, why) => {
                write!(f, "--store {store}: {why}; leave {wish} out")
            }
            Refusal::OneWorker(search, workers) => write!(
                f,
                "--search {search} has one worker; leave --workers {workers} out, or choose {can}",
                search = search.name(),
                can = searches(|id| id.info().workers != WorkerUse::One
                    && id.info().faults == search.info().faults),
            ),
            Refusal::OneWorkerForStrongFairness(workers) => write!(
                f,
                "--fair strong is searched by one worker; leave --workers {workers} out"
            ),
            Refusal::NoQueue(search) => write!(
                f,
                "--search {search} has no queue of waiting states; leave --spill out, or choose {can}",
                search = search.name(),
                can = searches(|id| id.info().queue),
            ),
            Refusal::NoQueueForStrongFairness => write!(
                f,
                "--fair strong is searched without a queue of waiting states; leave --spill out"
            ),
            Refusal::SameRuns => write!(
                f,
                "several runs in the same order would all be the same; add --order random"
            ),
            Refusal::ConfirmsExact(store) => write!(
                f,
                "--confirm repeats searches that distinguish states by a hash; --store {store} is exact, and one search suffices; leave --confirm out"
            ),
            Refusal::NotWithConfirm(wish) => write!(
                f,
                "--confirm says how many searches are made, and each of them is complete; leave {wish} out"
            ),
            Refusal::NothingRandom => write!(
                f,
                "--seed: nothing is drawn at random; leave it out, or add --order random"
            ),
            Refusal::ShortestStrong => write!(
                f,
                "--shortest: shortest lasso under strong fairness is not implemented; leave --shortest out, or choose --fair weak"
            ),
            Refusal::LedWalks(sampling) => write!(
                f,
                "--sampling {} is led by the automaton of a property, and safety has none; name a property, or choose lasso or multi-lasso",
                SamplingName(*sampling)
            ),
            Refusal::UniformTransitions(sampling) => write!(
                f,
                "--sampling {} compares whole transitions; leave --uniform out",
                SamplingName(*sampling)
            ),
            Refusal::ChainWithoutWalks => write!(
                f,
                "a Markov chain is checked with random runs; add --search monte-carlo"
            ),
            Refusal::NotForChains(wish) => write!(
                f,
                "{wish} has no meaning for a Markov chain; --formula and --labels say what is asked"
            ),
            Refusal::CountedWeights => write!(
                f,
                "--method gbas counts violations, and these walks have weights; choose optimal, or --sampling lasso"
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// The cycles that a search must find under fairness.
pub(crate) fn cycles_of(fairness: Fairness) -> Cycles {
    match fairness {
        Fairness::None => Cycles::OneSet,
        Fairness::Weak => Cycles::Sets,
        Fairness::Strong => Cycles::Pairs,
    }
}
