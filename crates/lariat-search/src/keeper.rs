//! Which states a depth-first search keeps in its table.
//!
//! A search asks its *keeper* before it looks at states, when it enters one and when it leaves it.
//! [`KeepAll`] stands for the usual search: what was seen stays. [`Forgetful`] stands for randomized
//! storing (Brim, Černá and Nečesal, "Randomization helps in LTL model checking", 2001) and for
//! state-space caching (Godefroid, Holzmann and Pirottin, "State-space caching revisited", 1995).
//!
//! # Why it is right to forget
//!
//! A state that is not in the table is as good as never visited: it is *white* again. States on a stack
//! are always in the table, so paths are simple and the search comes to an end. Everything that a search
//! without memory would do, it still does, only more often. Two things have to be seen to in a nested
//! search: a red search must pass through white states, which may be blue ones that were forgotten; and it
//! need not follow an accepting edge to a white state, because such an edge has had a red search of its own.
//! Any state that is on no stack may go at any moment. All of this is checked on small graphs against an oracle.
//!
//! # Which states go
//!
//! *Dynamic*: each time a state is left, a coin decides. *Static*: a hash of the state decides. *Bounded*
//! tables keep everything until they are full. Then, to insert a state, another one is taken out at random.
//!
//! A table with as many states as the budget allows does better than that. What does it cost to come to a state
//! again when it is forgotten? One visit, and as much again for each successor that was forgotten as well.
//! So each state on the stack adds up what its successors will cost, roughly, and if that reaches a threshold when
//! the search leaves it, it becomes a *key*, which goes last, and costs its own predecessors nothing. Such
//! a table has keys so close to each other that a search which comes to a forgotten state is soon back among known ones.
//! The threshold rises when keys have to go too often. In models where states are hardly ever met again
//! after a while, it is better to let old ones go; so there are no keys while nothing is visited twice.
//!
//! How this was found: of some twenty rules tried on simulated searches, this one was frozen and compared with
//! others on 27 graphs that it had not been chosen on. In tables of 0.7 (1 - 1/k) of the states, where k is the number of edges of a
//! state, it took 1.7 times the visits of a search with all states; random replacement took 17 times, or
//! did not end.

use crate::budget::{Options, Stop, StoreKind};
use crate::column::Column;
use crate::crew::{Books, Crew};
use crate::explorer::Explorer;
use crate::outcome::Path;
use crate::stack::Stack;
use crate::storing::{Forecast, Sampling, Storing, StoringRule};
use lariat_graph::StateSpace;
use lariat_stats::{DistinctSample, Rng, stream};
use lariat_store::{Account, Forgetful as ForgetfulSet, Memory, Refused, StateRef, StateSet};

// The colours of states.
pub(crate) const WHITE: u8 = 0;
pub(crate) const CYAN: u8 = 1;
pub(crate) const BLUE: u8 = 2;
pub(crate) const RED: u8 = 3;

/// How a search deals with its table.
pub(crate) trait Keeper<T: StateSet>: Sized + Send {
    /// Whether states are ever taken away.
    const FORGETS: bool;
    /// The colour bits that it needs, for the colours of a nested search.
    const COLOUR_BITS: u32;

    /// The colour of a state from what the store says.
    fn seen(colour: u8) -> u8;

    /// Arranges the empty table.
    fn prepare(&self, store: &mut T) {
        let _ = store;
    }

    /// Finds out what the table knows about the successors that were just made, and counts the edges.
    fn settle<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        books: &mut Books<Path>,
    ) -> Result<(), Stop>;

    /// The same for those from an index on, of a state that was expanded before.
    fn settle_again<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop>;

    /// The same for a nested search.
    fn settle_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop> {
        self.settle_again(explorer, stacks, first)
    }

    /// A white state becomes cyan. It goes onto the first of these stacks, which are all there are.
    fn enter<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
        books: &mut Books<Path>,
    ) -> Result<(), Stop>;

    /// The cyan state that was entered last becomes blue.
    fn leave<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef);

    /// Nothing will be asked of the state that was left last; it may go.
    fn dismiss<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef);

    /// A blue state, or a white one if states are forgotten, becomes red and goes onto the second of
    /// these stacks.
    fn enter_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
    ) -> Result<(), Stop>;

    /// The red state that was entered last is on no stack any more.
    fn leave_red<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef);

    /// What there is to tell.
    fn storing(&self, states: u64) -> Option<Storing>;
}

/// Everything is kept.
pub(crate) struct KeepAll;

impl<T: StateSet> Keeper<T> for KeepAll {
    const FORGETS: bool = false;
    const COLOUR_BITS: u32 = 2;

    #[inline(always)]
    fn seen(colour: u8) -> u8 {
        colour
    }

    #[inline(always)]
    fn settle<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        _: [&Stack; 2],
        books: &mut Books<Path>,
    ) -> Result<(), Stop> {
        explorer.settle(books)
    }

    #[inline(always)]
    fn settle_again<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        _: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop> {
        explorer.settle_from(first)
    }

    #[inline(always)]
    fn enter<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        _: [&Stack; 2],
        _: &mut Books<Path>,
    ) -> Result<(), Stop> {
        explorer.recolour(state, 0, CYAN);
        Ok(())
    }

    #[inline(always)]
    fn leave<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef) {
        explorer.recolour(state, CYAN, BLUE);
    }

    #[inline(always)]
    fn dismiss<S: StateSpace>(&mut self, _: &mut Explorer<S, T>, _: StateRef) {}

    #[inline(always)]
    fn enter_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        _: [&Stack; 2],
    ) -> Result<(), Stop> {
        explorer.recolour(state, 0, RED);
        Ok(())
    }

    #[inline(always)]
    fn leave_red<S: StateSpace>(&mut self, _: &mut Explorer<S, T>, _: StateRef) {}

    fn storing(&self, _: u64) -> Option<Storing> {
        None
    }
}

/// The bits of a colour as [`WHITE`] to [`RED`] know it.
const COLOUR: u8 = 3;
/// Above them, for states on no stack: whether it is a key.
const KEY: u8 = 4;
/// A red state on the stack of a nested search, which must not go; no cyan state is a key.
const PINNED_RED: u8 = CYAN | KEY;
const ALL_BITS: u8 = 7;

/// What a state of this colour is worth; `None` if it is on a stack.
fn worth(colour: u8) -> Option<u8> {
    match colour & COLOUR {
        BLUE | RED => Some(colour & KEY),
        _ => None,
    }
}

/// Decides whether a state stays when it is left.
pub(crate) struct Coin {
    rule: StoringRule,
    /// The part of the hashes of states that are stored, if a hash decides.
    threshold: u64,
    /// What a hash is mixed with, so that it has nothing to do with those of the store.
    salt: u64,
    coins: Rng,
}

impl Coin {
    pub fn new(sampling: Sampling) -> Self {
        let threshold = match sampling.rule {
            StoringRule::Static(p) => (p * (1u64 << 53) as f64) as u64,
            _ => 0,
        };
        Coin {
            rule: sampling.rule,
            threshold,
            salt: stream(sampling.seed, "static storing", 0).next_u64() | 1,
            coins: stream(sampling.seed, "dynamic storing", 0),
        }
    }

    /// Whether a state with this hash stays when it is left.
    pub fn stays(&mut self, hash: u64) -> bool {
        match self.rule {
            StoringRule::Dynamic(p) => self.coins.chance(p),
            StoringRule::Static(_) => mixed(hash, self.salt) >> 11 < self.threshold,
            StoringRule::Auto | StoringRule::Cache(_) => true,
        }
    }
}

/// Some states are forgotten.
pub(crate) struct Forgetful {
    /// Somebody else will end the search if it takes long.
    has_time_limit: bool,
    rule: StoringRule,
    coin: Coin,
    replacement: Rng,
    /// For each state on the stack.
    entered: Column<Entered>,
    /// For each state on the stack of a nested search what it is to be when it is left.
    red: Column<u8>,
    /// The distinct states, and how often they were visited.
    sample: DistinctSample,
    account: Account,
    counts: Counts,
    keys: Keys,
    gauge: Gauge,
    memory: Memory,
    /// The edges of states that were expanded.
    edges: u64,
}

/// What is known of a state on the stack.
#[derive(Clone, Copy)]
struct Entered {
    /// The visits that it would take to come to it again, about, if it were forgotten.
    cost: u8,
    /// Whether it stays when it is left.
    stays: bool,
}

/// Which states become keys.
struct Keys {
    /// The cost from which on a state is one.
    threshold: f64,
    /// Evictions since the threshold was last looked at, and how many of them were keys.
    evictions: u64,
    evicted_keys: u64,
}

impl Keys {
    /// A key went too often if it was one of so many.
    const OFTEN: f64 = 0.03;
    const FIRST: f64 = 4.0;
    const MOST: f64 = 64.0;
    const FACTOR: f64 = 1.25;
    /// What a successor costs that is in the table but may go.
    const UNSURE: u8 = 2;

    /// Notes that a state with this colour went, from a table of this size.
    fn evicted(&mut self, colour: u8, table: u64) {
        self.evictions += 1;
        self.evicted_keys += u64::from(colour & KEY != 0);
        if self.evictions > table / 8 {
            if self.evicted_keys as f64 > Self::OFTEN * self.evictions as f64 {
                self.threshold = (self.threshold * Self::FACTOR).min(Self::MOST);
            }
            (self.evictions, self.evicted_keys) = (0, 0);
        }
    }
}

impl Default for Keys {
    fn default() -> Self {
        Keys {
            threshold: Self::FIRST,
            evictions: 0,
            evicted_keys: 0,
        }
    }
}

#[derive(Default)]
struct Counts {
    insertions: u64,
    peak: u64,
    expansions: u64,
    nested_expansions: u64,
    nested_transitions: u64,
    deletions: u64,
    evictions: u64,
}

impl Forgetful {
    pub fn new(sampling: Sampling, crew: &Crew) -> Self {
        let memory = crew.memory();
        Forgetful {
            has_time_limit: crew.options().budget.time.is_some(),
            rule: sampling.rule,
            coin: Coin::new(sampling),
            replacement: stream(sampling.seed, "replacement", 0),
            entered: Column::new(memory),
            red: Column::new(memory),
            sample: DistinctSample::default(),
            account: memory.account(),
            counts: Counts::default(),
            keys: Keys::default(),
            gauge: Gauge::default(),
            memory: memory.clone(),
            edges: 0,
        }
    }

    /// Whether others go when there is no room.
    fn replaces(&self) -> bool {
        matches!(self.rule, StoringRule::Auto | StoringRule::Cache(_))
    }

    /// Puts a state into the table.
    fn insert<S: StateSpace, T: ForgetfulSet>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        colour: u8,
        stacks: [&Stack; 2],
    ) -> Result<(), Stop> {
        self.counts.insertions += 1;
        let is_time = self.counts.insertions.is_multiple_of(RARELY);
        if is_time && self.replaces() && is_low(&self.memory) {
            self.make_space(explorer, state, stacks);
        }
        loop {
            let refused = match explorer.insert(state, colour) {
                Ok(()) => break,
                Err(refused) if self.replaces() => refused,
                Err(refused) => return Err(refused.into()),
            };
            self.gauge.is_full = true;
            // Room for several is made at once, where nobody counts.
            let count = match refused {
                Refused::Memory => 1 + explorer.states() / 1024,
                Refused::States => 1,
            };
            for _ in 0..count {
                let random = self.replacement.next_u64();
                let gone = match self.gauge.is_local() {
                    true => explorer.evict(state, random, |colour| worth(colour).map(|_| 0)),
                    false => explorer.evict(state, random, worth),
                };
                let Some(colour) = gone else {
                    return Err(refused.into());
                };
                self.counts.evictions += 1;
                if !self.gauge.is_local() {
                    self.keys.evicted(colour, explorer.states());
                }
            }
        }
        let states = explorer.states();
        if states > self.counts.peak {
            self.counts.peak = states;
        }
        Ok(())
    }

    /// Finds out about the successors from an index on. If there is no memory for their nodes, the table gives
    /// some.
    fn look_from<S: StateSpace, T: ForgetfulSet>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop> {
        loop {
            match explorer.look_from(first) {
                Err(Stop::Memory) if self.replaces() => {
                    if !self.make_space(explorer, StateRef::NONE, stacks) {
                        return Err(Stop::Memory);
                    }
                }
                result => return result,
            }
        }
    }

    /// Makes space for nodes and stacks, apart from what the given state and those that wait need. Returns
    /// whether there was any.
    #[cold]
    fn make_space<S: StateSpace, T: ForgetfulSet>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
    ) -> bool {
        let share = self.memory.limit() / LEAST_SHARE;
        let mut has_space = false;
        if explorer.spare_nodes() == 0 && explorer.node_bytes() > share {
            has_space = self.free_nodes(explorer, state, stacks);
        }
        while explorer.table_bytes() > share && is_low(&self.memory) {
            let (random, evictions) = (&mut self.replacement, &mut self.counts.evictions);
            if !explorer.shrink(|| random.next_u64(), worth, |_| *evictions += 1) {
                break;
            }
            has_space = true;
        }
        has_space
    }

    /// Frees a part of the nodes, and forgets as many states as that takes.
    fn free_nodes<S: StateSpace, T: ForgetfulSet>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
    ) -> bool {
        let wanted = explorer.nodes() / LEAST_SHARE;
        loop {
            let waiting = stacks.into_iter().flat_map(Stack::waiting);
            let freed = explorer.collect(waiting.chain([state]));
            if freed >= wanted {
                return true;
            }
            for _ in 0..explorer.states() / LEAST_SHARE + 1 {
                let random = self.replacement.next_u64();
                let near = StateRef::new(random >> 8);
                if explorer.evict(near, random, worth).is_none() {
                    return freed > 0;
                }
                self.counts.evictions += 1;
            }
        }
    }

    /// Adds to what it would take to come to the top state again.
    fn add_cost(&mut self, cost: u8) {
        if let Some(top) = self.entered.last_mut() {
            top.cost = top.cost.saturating_add(cost);
        }
    }

    /// Whether the top state, which is about to be left, becomes a key.
    fn is_key(&self) -> bool {
        let cost = self.entered.last().map_or(0, |entered| entered.cost);
        matches!(self.rule, StoringRule::Auto) && f64::from(cost) >= self.keys.threshold
    }
}

/// What an edge to a state of this colour adds to the cost of the state from which it comes.
fn cost_of(colour: u8) -> u8 {
    match worth(colour) {
        Some(0) => Keys::UNSURE,
        _ => 0,
    }
}

/// A hash that has nothing to do with the one it is made of.
fn mixed(hash: u64, salt: u64) -> u64 {
    let product = u128::from(hash ^ salt) * u128::from(salt.rotate_left(32) | 1);
    let folded = (product >> 64) as u64 ^ product as u64;
    folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ folded >> 29
}

/// The table grows only if this part of the memory is left then, for stacks and nodes. A half of a shard of the
/// table fits into it, so that a shard can be made smaller at any time.
const RESERVED: u64 = 10;
/// With less memory than this, every byte is needed now.
const LEAST_LIMIT: u64 = 1 << 20;
/// The table is made smaller if less than this part is left.
const LOW: u64 = 16;
/// What has less than this part of the memory need not give any; and so large a part of the nodes is freed at once.
const LEAST_SHARE: u64 = 8;
/// Whether memory is low is looked at after so many insertions.
const RARELY: u64 = 64;

/// Whether it is time to make the table smaller, so that stacks and nodes can grow.
fn is_low(memory: &Memory) -> bool {
    let limit = memory.limit();
    (LEAST_LIMIT..u64::MAX).contains(&limit) && limit.saturating_sub(memory.held()) < limit / LOW
}

impl<T: ForgetfulSet> Keeper<T> for Forgetful {
    const FORGETS: bool = true;
    const COLOUR_BITS: u32 = 3;

    fn prepare(&self, store: &mut T) {
        let limit = self.memory.limit();
        if self.replaces() && (LEAST_LIMIT..u64::MAX).contains(&limit) {
            store.leave_to_others(limit / RESERVED);
        }
    }

    #[inline(always)]
    fn seen(colour: u8) -> u8 {
        match colour {
            PINNED_RED => RED,
            _ => colour & COLOUR,
        }
    }

    fn settle<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        books: &mut Books<Path>,
    ) -> Result<(), Stop> {
        self.look_from(explorer, stacks, 0)?;
        let edges = explorer.settled().len() as u64;
        self.edges += edges;
        let costs = explorer
            .settled()
            .iter()
            .map(|target| cost_of(target.colour));
        let cost = costs.fold(0u8, u8::saturating_add);
        self.add_cost(cost);
        // Those that will be entered are not matched; that is taken back then.
        books.count(0, edges);
        Ok(())
    }

    fn settle_again<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop> {
        self.look_from(explorer, stacks, first)
    }

    fn settle_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        stacks: [&Stack; 2],
        first: usize,
    ) -> Result<(), Stop> {
        self.look_from(explorer, stacks, first)?;
        self.counts.nested_transitions += explorer.settled().len() as u64;
        Ok(())
    }

    fn enter<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
        books: &mut Books<Path>,
    ) -> Result<(), Stop> {
        let hash = explorer.hash(state);
        let entered = Entered {
            cost: 1,
            stays: self.coin.stays(hash),
        };
        self.entered.push(entered)?;
        self.insert(explorer, state, CYAN, stacks)?;
        self.sample.meet(mixed(hash, 0x2545_f491_4f6c_dd1d));
        self.account.set(self.sample.memory_bytes() as u64);
        self.counts.expansions += 1;
        books.entered_again(1);
        let distinct = self.sample.distinct();
        books.note_table(explorer.states(), distinct);
        if self.gauge.is_full {
            let visitation = self.edges as f64 / self.counts.expansions as f64;
            let table = explorer.states();
            let enough = match self.rule {
                StoringRule::Cache(_) => ENOUGH_AT_RANDOM,
                _ => ENOUGH,
            };
            self.gauge
                .read(self.counts.expansions, distinct, table, visitation, enough);
            let is_hopeless = self.counts.expansions as f64 > TOO_MUCH * distinct as f64;
            if is_hopeless && !self.has_time_limit {
                return Err(Stop::Thrashing);
            }
        }
        Ok(())
    }

    fn leave<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef) {
        let key = if self.is_key() { KEY } else { 0 };
        explorer.recolour(state, ALL_BITS, BLUE | key);
    }

    fn dismiss<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef) {
        let Some(Entered { cost, stays }) = self.entered.last() else {
            return;
        };
        let is_key = self.is_key();
        self.entered.pop();
        if !is_key {
            self.add_cost(cost);
        }
        if !stays {
            explorer.remove(state);
            self.counts.deletions += 1;
        }
    }

    fn enter_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
    ) -> Result<(), Stop> {
        let colour = explorer.colour(state);
        if colour != WHITE {
            self.red.push(colour | RED)?;
            explorer.recolour(state, ALL_BITS, PINNED_RED);
            return Ok(());
        }
        let hash = explorer.hash(state);
        let later = if self.coin.stays(hash) { RED } else { WHITE };
        self.red.push(later)?;
        self.counts.nested_expansions += 1;
        self.insert(explorer, state, PINNED_RED, stacks)
    }

    fn leave_red<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef) {
        let later = self.red.last().unwrap_or(RED);
        self.red.pop();
        if later == WHITE {
            explorer.remove(state);
            self.counts.deletions += 1;
        } else {
            explorer.recolour(state, ALL_BITS, later);
        }
    }

    fn storing(&self, states: u64) -> Option<Storing> {
        let Counts {
            insertions: _,
            peak,
            expansions,
            nested_expansions,
            nested_transitions,
            deletions,
            evictions,
        } = self.counts;
        // Without forgetting, nothing is visited twice.
        let forgets = deletions + evictions > 0;
        let distinct = match forgets {
            true => self.sample.distinct(),
            false => expansions,
        };
        Some(Storing {
            states_at_end: states,
            peak_states: peak,
            expansions,
            nested_expansions,
            nested_transitions,
            deletions,
            evictions,
            distinct: distinct as f64,
            exact: self.sample.is_exact() || !forgets,
            visits: self.sample.histogram(),
            visitation: self.edges as f64 / expansions.max(1) as f64,
            forecast: self.gauge.forecast,
        })
    }
}

/// Watches how a full table gets on.
#[derive(Default)]
struct Gauge {
    is_full: bool,
    /// When the present window began: expansions and distinct states.
    start: Option<(u64, u64)>,
    /// Visits for each new state, over the last windows.
    work: Option<f64>,
    forecast: Option<Forecast>,
}

/// A search that visits each state so often, on average, will hardly ever end: of 96 simulated searches that took
/// more than 100 visits all came past this, and of 1054 others 51, all of them with tables that were much too small.
const TOO_MUCH: f64 = 20.0;
/// With fewer visits for each new state than this, states are hardly ever met again after a while.
const LOCAL: f64 = 1.1;
/// A table of this part of 1 - 1/k of the states was enough for nearly all simulated searches to end: with keys,
/// and with random replacement.
const ENOUGH: f64 = 0.7;
const ENOUGH_AT_RANDOM: f64 = 1.05;

impl Gauge {
    /// Looks at the counts, from time to time.
    #[inline]
    fn read(&mut self, expansions: u64, distinct: u64, table: u64, visitation: f64, enough: f64) {
        let (start, known) = *self.start.get_or_insert((expansions, distinct));
        let visited = expansions - start;
        if visited >= (table / 8).max(64) {
            self.start = Some((expansions, distinct));
            let new = distinct.saturating_sub(known).max(1);
            let work = (visited as f64 / new as f64).min(1000.0);
            let work = self.work.map_or(work, |before| (before + work) / 2.0);
            self.work = Some(work);
            self.forecast = Some(Forecast {
                table,
                feasible: feasible(table, visitation, enough),
                work,
            });
        }
    }

    /// Whether nearly all visits are of new states.
    fn is_local(&self) -> bool {
        self.work.is_none_or(|work| work < LOCAL)
    }
}

/// How many states a model may have to be searched with such a table. A search that stores only some
/// states, whichever, needs about the part 1 - 1/k of them, where k is how often a state is come to: with less,
/// searching one again starts more than one other search. One that chooses them well needs less than that.
fn feasible(table: u64, visitation: f64, enough: f64) -> f64 {
    match visitation > 1.0 {
        true => table as f64 * visitation / (enough * (visitation - 1.0)),
        false => f64::INFINITY,
    }
}

/// What the store should be like for a search with these options: how it samples, if it does.
pub(crate) fn sampling(options: &Options) -> Option<Sampling> {
    match options.store {
        StoreKind::Sample(sampling) => Some(sampling),
        _ => None,
    }
}
