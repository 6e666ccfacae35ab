//! From a task to a plan: what is legal, and what is chosen.
//!
//! [`Plan::new`] refuses options that contradict each other or would have no effect; it reads from top to bottom. The
//! registries of `lariat-search` and `lariat-store` declare what a search, a store or a kind of walks supports, so
//! that nothing has to be changed here for a new one. `for_safety` and `for_runs` choose the search.
//!
//! For a property of runs, the strength of its automaton decides how hard the search is. If the automaton is
//! terminal, it is enough to reach a state from which everything is accepted, and a breadth-first search finds the
//! shortest path there. If it is weak, any cycle in an accepting component suffices, and one depth-first search finds
//! it. Otherwise a nested depth-first search runs on the automaton with one acceptance set, or a search for strongly
//! connected components on the one with several, whichever has fewer states. If waiting states may be on disk, it is OWCTY,
//! which has a queue. If only fingerprints are stored, it is OWCTY, which needs no states of the table and has a bound for
//! what it misses. If states are to be removed, it is always a nested one. Fairness adds acceptance sets, and so
//! requires the search for components, or OWCTY.

use lariat_ir::space::Fairness;
use lariat_ltl::automaton::{Limits, Strength, TooLarge};
use lariat_search::{
    Budget, Cycles, DEFAULT_DELTA, DEFAULT_EPSILON, DEFAULT_LENGTH, Estimator, Exactness, Goal,
    LassoSampling, SearchId, StoreClass, StoreKind, Uniform, WalkOptions, WalkTask, WorkerUse,
};

use crate::refusal::{Refusal, Wish, cycles_of};
use crate::repeat::Runs;
use crate::run_property::{PropertyAutomaton, RunProperty};
use crate::system::System;
use crate::task::{Aim, Order, Property, Task, Wishes};

/// The default number of searches with restarts until one is not limited: up to 128 times the unit.
const DEFAULT_RESTARTS: u64 = 256;
/// The default limit of walks for an estimate.
const ESTIMATE_WALKS: u64 = 10_000_000;
/// The default relative error of an estimate, and the probability of a larger one.
const ESTIMATE_EPSILON: f64 = 0.1;
const ESTIMATE_DELTA: f64 = 0.05;
/// The default seed.
const DEFAULT_SEED: u64 = 1;

/// A legal task with all choices made.
#[derive(Clone, Debug)]
pub struct Plan {
    wishes: Wishes,
    /// The budget of all properties together.
    pub(crate) budget: Budget,
    /// The fairness.
    pub(crate) fairness: Fairness,
    /// The seed of the order of successors, if that is random.
    pub(crate) order_seed: Option<u64>,
    /// The searches, if there are several.
    pub(crate) runs: Option<Runs>,
    /// Random walks, if these are made.
    walks: Option<WalkTask>,
    seed: u64,
}

/// The search for one property.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub search: SearchId,
    pub store: StoreKind,
    pub workers: usize,
    /// Whether each component of the product is wholly accepting or not at all.
    pub weak: bool,
    pub walks: WalkTask,
}

impl Plan {
    /// The plan for a task, or a refusal.
    pub fn new<S: System>(task: &Task<'_, S>) -> Result<Plan, Refusal> {
        let is_safety = |property: &Property<S>| matches!(property, Property::Safety(_));
        let has = Has {
            safety: task.properties.iter().any(is_safety),
            runs: !task.properties.iter().all(is_safety),
        };
        Plan::for_properties(has, &task.wishes, &task.budget)
    }

    /// The plan for properties of these kinds.
    pub(crate) fn for_properties(
        has: Has,
        wishes: &Wishes,
        budget: &Budget,
    ) -> Result<Plan, Refusal> {
        refuse_without_property(has, wishes)?;
        refuse_search(has, wishes)?;
        match walks_wanted(wishes) {
            true => refuse_with_walks(has, wishes, budget)?,
            false => refuse_without_walks(wishes)?,
        }
        refuse_store(has, wishes)?;
        refuse_confirm(wishes)?;
        refuse_workers(wishes)?;
        refuse_spill(has, wishes, budget)?;
        if wishes.shortest && wishes.fairness == Some(Fairness::Strong) {
            return Err(Refusal::ShortestStrong);
        }
        let seed = wishes.seed.unwrap_or(DEFAULT_SEED);
        Ok(Plan {
            order_seed: is_order_random(wishes).then_some(seed),
            runs: runs(wishes, seed)?,
            walks: walks_wanted(wishes).then(|| walk_task(wishes, budget, seed)),
            fairness: wishes.fairness.unwrap_or_default(),
            budget: budget.clone(),
            wishes: wishes.clone(),
            seed,
        })
    }

    /// The wishes.
    pub fn wishes(&self) -> &Wishes {
        &self.wishes
    }

    /// Random walks, if these are made.
    pub fn walks(&self) -> Option<&WalkTask> {
        self.walks.as_ref()
    }

    /// The seed, if anything is random.
    pub fn seed(&self) -> Option<u64> {
        let is_random =
            self.walks.is_some() || self.order_seed.is_some() || is_store_random(&self.wishes);
        is_random.then_some(self.seed)
    }

    /// The search for errors of states and steps.
    pub(crate) fn for_safety(&self) -> Choice {
        let wished = self.wishes.search.filter(|id| id.info().faults);
        let search = match wished {
            Some(search) => search,
            None if self.walks.is_some() => SearchId::MonteCarlo,
            None if store_class(&self.wishes).forgets() => SearchId::Dfs,
            None => SearchId::Bfs,
        };
        let mut choice = self.choice(search);
        // A cycle is no error.
        choice.walks.options.cycles = false;
        choice.walks.options.retest = false;
        choice
    }

    /// The search for runs that violate a property, with its automaton.
    pub(crate) fn for_runs(
        &self,
        property: &RunProperty,
        limits: &Limits,
    ) -> Result<(Choice, PropertyAutomaton), TooLarge> {
        let wished = self
            .wishes
            .search
            .filter(|id| id.info().cycles > Cycles::None);
        let is_queued = self.searches_with_queue();
        let takes_sets = wished.map_or(is_queued, |id| id.info().cycles >= Cycles::Sets);
        if self.fairness != Fairness::None || takes_sets {
            return self.for_many_sets(property, wished, limits);
        }
        let mut automaton = property.automaton(false, limits)?;
        let weak = automaton.is_weak();
        let strength = automaton.automaton.strength();
        let one_set = |search| Choice {
            weak,
            ..self.choice(search)
        };
        if let Some(search) = wished.or(self.walks.map(|_| SearchId::MonteCarlo)) {
            return Ok((one_set(search), automaton));
        }
        if store_class(&self.wishes).forgets() {
            return Ok((one_set(SearchId::Ndfs), automaton));
        }
        match strength {
            Strength::Empty | Strength::Terminal if automaton.is_decided_by_entry() => {
                Ok((self.choice(SearchId::Bfs), automaton))
            }
            Strength::Strong if store_class(&self.wishes) != StoreClass::Bitstate => {
                let general = property.automaton(true, limits)?;
                match general.automaton.states.len() < automaton.automaton.states.len() {
                    true => Ok((self.choice(SearchId::Scc), general)),
                    false => Ok((one_set(SearchId::Ndfs), automaton)),
                }
            }
            _ => Ok((one_set(SearchId::Ndfs), automaton)),
        }
    }

    /// The choice for an automaton with any number of acceptance sets.
    fn for_many_sets(
        &self,
        property: &RunProperty,
        wished: Option<SearchId>,
        limits: &Limits,
    ) -> Result<(Choice, PropertyAutomaton), TooLarge> {
        let mut automaton = property.automaton(true, limits)?;
        let is_weak = self.fairness == Fairness::None && automaton.is_weak();
        // A finite violating prefix can always be continued to a fair run.
        let is_terminal = automaton.automaton.strength() == Strength::Terminal;
        let search = match wished {
            Some(search) => search,
            None if is_terminal && automaton.is_decided_by_entry() => SearchId::Bfs,
            None if self.searches_with_queue() => SearchId::Owcty,
            None => SearchId::Scc,
        };
        let choice = Choice {
            weak: is_weak,
            ..self.choice(search)
        };
        Ok((choice, automaton))
    }

    /// Whether a property of runs is checked by OWCTY unless another search is wished.
    fn searches_with_queue(&self) -> bool {
        self.budget.spill.is_some() || store_class(&self.wishes) == StoreClass::Compact
    }

    /// The number of workers for a search that supports any number.
    pub(crate) fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.wishes.workers.unwrap_or_else(cores).max(1)
    }

    /// The other options of a search.
    fn choice(&self, search: SearchId) -> Choice {
        let store = self.wishes.store.unwrap_or_default().seeded(self.seed);
        let allows_many = search
            .info()
            .allows_many(cycles_of(self.fairness), store.class());
        Choice {
            search,
            store: match search.info().stores.contains(&store.class()) {
                true => store,
                false => StoreKind::default(),
            },
            workers: match allows_many {
                true => self.workers(),
                false => 1,
            },
            weak: false,
            walks: self.walks.unwrap_or_default(),
        }
    }
}

/// The kinds of properties that are checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Has {
    pub safety: bool,
    pub runs: bool,
}

/// Refuses options that no property uses.
fn refuse_without_property(has: Has, wishes: &Wishes) -> Result<(), Refusal> {
    for (given, wish) in [
        (wishes.all_errors, Wish("all-errors")),
        (wishes.no_deadlock, Wish("no-deadlock")),
        (wishes.no_assert, Wish("no-assert")),
    ] {
        if given && !has.safety {
            return Err(Refusal::NeedsSafety(wish));
        }
    }
    for (given, wish) in [
        (wishes.fairness.is_some(), Wish("fair")),
        (wishes.shortest, Wish("shortest")),
    ] {
        if given && !has.runs {
            return Err(Refusal::NeedsRuns(wish));
        }
    }
    Ok(())
}

/// Refuses a search that supports none of the properties.
fn refuse_search(has: Has, wishes: &Wishes) -> Result<(), Refusal> {
    let Some(search) = wishes.search else {
        return Ok(());
    };
    let fairness = wishes.fairness.unwrap_or_default();
    let info = search.info();
    let for_safety = has.safety && info.faults;
    let for_runs = has.runs && info.cycles > Cycles::None;
    if !for_safety && !for_runs {
        let faults = !has.runs;
        return Err(Refusal::SearchCannot { search, faults });
    }
    // Random walks have their own refusals.
    if info.is_walk() {
        return Ok(());
    }
    if for_runs && info.cycles < cycles_of(fairness) {
        return Err(Refusal::SearchUnfair(search, fairness));
    }
    if for_safety && wishes.all_errors && !info.counts_faults {
        return Err(Refusal::SearchCountsNot(search));
    }
    Ok(())
}

/// Whether random walks are made instead of a search.
fn walks_wanted(wishes: &Wishes) -> bool {
    wishes.aim == Aim::Estimate || wishes.search.is_some_and(|id| id.info().is_walk())
}

/// Refuses options for random walks.
fn refuse_without_walks(wishes: &Wishes) -> Result<(), Refusal> {
    for (given, wish) in [
        (wishes.epsilon.is_some(), Wish("epsilon")),
        (wishes.delta.is_some(), Wish("delta")),
        (wishes.max_errors.is_some(), Wish("max-errors")),
        (wishes.sampling.is_some(), Wish("sampling")),
        (wishes.uniform.is_some(), Wish("uniform")),
        (wishes.max_length.is_some(), Wish("max-length")),
        (wishes.walks.is_some(), Wish("walks")),
    ] {
        if given {
            return Err(Refusal::NeedsWalks(wish));
        }
    }
    match wishes.method {
        Some(_) => Err(Refusal::NeedsEstimate(Wish("method"))),
        None => Ok(()),
    }
}

/// Refuses options that random walks do not support.
fn refuse_with_walks(has: Has, wishes: &Wishes, budget: &Budget) -> Result<(), Refusal> {
    let is_fair = wishes
        .fairness
        .is_some_and(|fairness| fairness != Fairness::None);
    for (given, wish, why) in [
        (
            is_fair,
            "fair",
            "a random lasso is too short to decide whether a run is fair; leave --fair out",
        ),
        (
            wishes.store.is_some(),
            "store",
            "random walks store no states",
        ),
        (
            budget.spill.is_some(),
            "spill",
            "random walks have no queue of waiting states; leave it out",
        ),
        (
            budget.states.is_some(),
            "max-states",
            "random walks store no states; --walks and --max-length limit them",
        ),
        (
            wishes.order.is_some(),
            "order",
            "random walks always draw their steps",
        ),
        (
            wishes.runs.is_some(),
            "runs",
            "random walks are many runs already; --walks says how many",
        ),
        (
            wishes.restarts.is_some(),
            "restarts",
            "every random walk starts again",
        ),
        (
            wishes.confirm.is_some(),
            "confirm",
            "random walks store no states, so they take none for another one",
        ),
        (
            wishes.all_errors,
            "all-errors",
            "--max-errors says how many violations are wanted",
        ),
    ] {
        if given {
            return Err(Refusal::NotWithWalks(Wish(wish), why));
        }
    }
    let sampling = wishes.sampling.unwrap_or_default();
    let is_led = matches!(
        sampling,
        LassoSampling::Biased(_) | LassoSampling::Splitting(_)
    );
    if is_led && has.safety {
        return Err(Refusal::LedWalks(sampling));
    }
    let options = WalkOptions {
        sampling,
        uniform: wishes.uniform.unwrap_or_default(),
        ..WalkOptions::default()
    };
    if wishes
        .uniform
        .is_some_and(|uniform| uniform != options.effective_uniform())
    {
        return Err(Refusal::UniformTransitions(sampling));
    }
    match (wishes.aim, wishes.method) {
        (Aim::Check, Some(_)) => Err(Refusal::NeedsEstimate(Wish("method"))),
        (_, Some(Estimator::Gbas)) if Estimator::best_for(sampling) != Estimator::Gbas => {
            Err(Refusal::CountedWeights)
        }
        _ => Ok(()),
    }
}

/// The class of the store.
fn store_class(wishes: &Wishes) -> StoreClass {
    wishes.store.unwrap_or_default().class()
}

/// Whether the store draws at random.
fn is_store_random(wishes: &Wishes) -> bool {
    wishes.store.unwrap_or_default().seed().is_some()
}

/// Refuses a store that contradicts other options.
fn refuse_store(has: Has, wishes: &Wishes) -> Result<(), Refusal> {
    let store = wishes.store.unwrap_or_default();
    if let Some(search) = wishes.search
        && !search.info().is_walk()
        && !search.info().stores.contains(&store.class())
    {
        return Err(Refusal::SearchStore(search, wishes.store));
    }
    let has_workers = wishes.workers.is_some_and(|workers| workers > 1);
    let fairness = wishes.fairness.unwrap_or_default();
    let refusals: &[(bool, &str, &str)] = match store.class() {
        StoreClass::Keeping => &[],
        StoreClass::Probabilistic | StoreClass::Bounded => &[
            (
                has_workers,
                "workers",
                "a search that forgets states has one worker",
            ),
            (
                fairness != Fairness::None,
                "fair",
                "fairness needs a search of components, which keeps all states",
            ),
            (
                wishes.shortest,
                "shortest",
                "a shortest counterexample needs all states",
            ),
            (
                wishes.all_errors,
                "all-errors",
                "errors of states that are visited again would be counted again",
            ),
        ],
        StoreClass::Compact => &[
            (
                has_workers && wishes.search.is_some_and(|search| !search.info().queue),
                "workers",
                "a depth-first search that stores no states has one worker",
            ),
            (
                fairness == Fairness::Strong,
                "fair",
                "strong fairness needs a search of components, which keeps all states",
            ),
            (
                wishes.shortest,
                "shortest",
                "a shortest counterexample needs all states",
            ),
        ],
        StoreClass::Bitstate => &[
            (
                has_workers
                    && wishes
                        .search
                        .map_or(!has.safety, |search| !search.info().queue),
                "workers",
                "a depth-first search that stores no states has one worker",
            ),
            (
                fairness != Fairness::None,
                "fair",
                "fairness needs several acceptance sets, and a search of bits has one; weak fairness is searched with --store compact:40",
            ),
            (
                wishes.shortest,
                "shortest",
                "a shortest counterexample needs all states",
            ),
        ],
    };
    match refusals.iter().find(|(given, ..)| *given) {
        Some(&(_, wish, why)) => Err(Refusal::NotWithStore(store, Wish(wish), why)),
        None => Ok(()),
    }
}

/// Refuses to confirm a search that omits nothing, and to repeat one in two ways.
fn refuse_confirm(wishes: &Wishes) -> Result<(), Refusal> {
    if wishes.confirm.is_none() {
        return Ok(());
    }
    let store = wishes.store.unwrap_or_default();
    if store.exactness() == Exactness::Exact {
        return Err(Refusal::ConfirmsExact(store));
    }
    for (given, wish) in [
        (wishes.runs.is_some(), Wish("runs")),
        (wishes.restarts.is_some(), Wish("restarts")),
    ] {
        if given {
            return Err(Refusal::NotWithConfirm(wish));
        }
    }
    Ok(())
}

/// Refuses several workers where only one is supported.
fn refuse_workers(wishes: &Wishes) -> Result<(), Refusal> {
    let Some(workers @ 2..) = wishes.workers else {
        return Ok(());
    };
    let fairness = wishes.fairness.unwrap_or_default();
    let cycles = cycles_of(fairness);
    let allows = |search: SearchId| search.info().allows_many(cycles, store_class(wishes));
    match wishes.search {
        Some(search) if search.info().workers == WorkerUse::One => {
            Err(Refusal::OneWorker(search, workers))
        }
        wished if fairness == Fairness::Strong && !wished.is_some_and(allows) => {
            Err(Refusal::OneWorkerForStrongFairness(workers))
        }
        _ => Ok(()),
    }
}

/// Refuses a place on disk for waiting states where the search has no queue of them.
fn refuse_spill(has: Has, wishes: &Wishes, budget: &Budget) -> Result<(), Refusal> {
    if budget.spill.is_none() {
        return Ok(());
    }
    let class = wishes.store.unwrap_or_default().class();
    if class.forgets() {
        let why = "a search that forgets states has no queue";
        let store = wishes.store.unwrap_or_default();
        return Err(Refusal::NotWithStore(store, Wish("spill"), why));
    }
    if class == StoreClass::Bitstate && has.runs {
        let why = "properties of runs are searched depth first, without a queue";
        let store = wishes.store.unwrap_or_default();
        return Err(Refusal::NotWithStore(store, Wish("spill"), why));
    }
    match wishes.search {
        Some(search) if !search.info().queue => Err(Refusal::NoQueue(search)),
        _ if has.runs && wishes.fairness == Some(Fairness::Strong) => {
            Err(Refusal::NoQueueForStrongFairness)
        }
        _ => Ok(()),
    }
}

/// Whether the order of successors is random. A seed without another use selects it.
fn is_order_random(wishes: &Wishes) -> bool {
    match wishes.order {
        Some(order) => order == Order::Random,
        None => {
            let is_free = !is_store_random(wishes) && !walks_wanted(wishes);
            wishes.restarts.is_some() || wishes.seed.is_some() && is_free
        }
    }
}

/// The searches, if there are several.
fn runs(wishes: &Wishes, seed: u64) -> Result<Option<Runs>, Refusal> {
    let is_random = is_order_random(wishes);
    if wishes.seed.is_some() && !is_random && !is_store_random(wishes) && !walks_wanted(wishes) {
        return Err(Refusal::NothingRandom);
    }
    if let Some(count) = wishes.confirm {
        return Ok(Some(Runs {
            count,
            seed,
            restarts: None,
            confirm: true,
        }));
    }
    let count = match (wishes.runs, wishes.restarts) {
        (None, None) => return Ok(None),
        (Some(count), _) => count,
        (None, Some(_)) => DEFAULT_RESTARTS,
    };
    if !is_random && (wishes.restarts.is_some() || !is_store_random(wishes)) {
        return Err(Refusal::SameRuns);
    }
    Ok(Some(Runs {
        count,
        seed,
        restarts: wishes.restarts,
        confirm: false,
    }))
}

/// The task of random walks.
fn walk_task(wishes: &Wishes, budget: &Budget, seed: u64) -> WalkTask {
    let sampling = wishes.sampling.unwrap_or_default();
    let is_test = wishes.aim == Aim::Check;
    let options = WalkOptions {
        seed,
        sampling,
        uniform: wishes.uniform.unwrap_or(Uniform::Steps),
        max_length: wishes.max_length.unwrap_or(DEFAULT_LENGTH),
        // The estimate is of the probability of a plain random lasso.
        retest: is_test,
        ..WalkOptions::default()
    };
    if !is_test {
        return WalkTask {
            options,
            goal: Goal::Estimate {
                epsilon: wishes.epsilon.unwrap_or(ESTIMATE_EPSILON),
                delta: wishes.delta.unwrap_or(ESTIMATE_DELTA),
                method: wishes.method.unwrap_or(Estimator::best_for(sampling)),
            },
            most: Some(wishes.walks.unwrap_or(ESTIMATE_WALKS)),
        };
    }
    let is_limited = wishes.walks.is_some() || budget.time.is_some();
    WalkTask {
        options,
        goal: Goal::Test {
            epsilon: wishes.epsilon.or((!is_limited).then_some(DEFAULT_EPSILON)),
            delta: wishes.delta.unwrap_or(DEFAULT_DELTA),
            errors: wishes.max_errors.unwrap_or(1),
        },
        most: wishes.walks,
    }
}
