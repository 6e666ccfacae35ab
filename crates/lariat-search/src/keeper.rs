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
//! tables keep everything until they are full. Then, to insert a state, one of those that are worth least
//! is taken out of a few that are chosen at random.
//!
//! A search that has left a state knows how many states it has visited since it entered it: so much it
//! will cost to come to this state again when it is forgotten, at most. That is what it is worth, in
//! four classes.

use crate::budget::{Options, Stop, StoreKind};
use crate::column::Column;
use crate::crew::Books;
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

    /// Finds out what the table knows about the successors that were just made, and counts the edges.
    fn settle<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        books: &mut Books<Path>,
    ) -> Result<(), Stop>;

    /// The same for those from an index on, of a state that was expanded before.
    fn settle_again<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        first: usize,
    ) -> Result<(), Stop>;

    /// The same for a nested search.
    fn settle_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        first: usize,
    ) -> Result<(), Stop> {
        self.settle_again(explorer, first)
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
        books: &mut Books<Path>,
    ) -> Result<(), Stop> {
        explorer.settle(books)
    }

    #[inline(always)]
    fn settle_again<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
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
/// Above them, for states on no stack: what they are worth.
const CLASS_SHIFT: u8 = 2;
/// A red state on the stack of a nested search, which must not go; no cyan state has a class.
const PINNED_RED: u8 = CYAN | 1 << CLASS_SHIFT;
const ALL_BITS: u8 = 15;

/// What a state of this colour is worth; `None` if it is on a stack.
fn worth(colour: u8) -> Option<u8> {
    match colour & COLOUR {
        BLUE | RED => Some(colour >> CLASS_SHIFT),
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
    rule: StoringRule,
    coin: Coin,
    replacement: Rng,
    /// For each state on the stack: how many expansions there were before it, and whether it stays.
    entered: Column<Entered>,
    /// For each state on the stack of a nested search what it is to be when it is left.
    red: Column<u8>,
    /// The distinct states, and how often they were visited.
    sample: DistinctSample,
    account: Account,
    counts: Counts,
    gauge: Gauge,
    memory: Memory,
    /// The bytes of nodes when they were last collected.
    collected: u64,
    /// The edges of states that were expanded.
    edges: u64,
}

#[derive(Clone, Copy)]
struct Entered {
    expansions: u64,
    stays: bool,
}

#[derive(Default)]
struct Counts {
    peak: u64,
    expansions: u64,
    nested_expansions: u64,
    nested_transitions: u64,
    deletions: u64,
    evictions: u64,
}

impl Forgetful {
    pub fn new(sampling: Sampling, memory: &Memory) -> Self {
        Forgetful {
            rule: sampling.rule,
            coin: Coin::new(sampling),
            replacement: stream(sampling.seed, "replacement", 0),
            entered: Column::new(memory),
            red: Column::new(memory),
            sample: DistinctSample::default(),
            account: memory.account(),
            counts: Counts::default(),
            gauge: Gauge::default(),
            memory: memory.clone(),
            collected: 0,
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
        if self.replaces() && is_low(&self.memory) {
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
                if explorer.evict(state, random, worth).is_none() {
                    return Err(refused.into());
                }
                self.counts.evictions += 1;
            }
        }
        let states = explorer.states();
        if states > self.counts.peak {
            self.counts.peak = states;
        }
        Ok(())
    }

    /// Gives the stack and the nodes a part of the memory that the table has.
    #[cold]
    fn make_space<S: StateSpace, T: ForgetfulSet>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
    ) {
        let nodes = explorer.node_bytes();
        if nodes > self.memory.limit() / 16 && nodes > self.collected + self.collected / 4 {
            let waiting = stacks.into_iter().flat_map(Stack::waiting);
            explorer.collect(waiting.chain([state]));
            self.collected = nodes;
        }
        for _ in 0..8 {
            let (random, evictions) = (&mut self.replacement, &mut self.counts.evictions);
            let has_shrunk = explorer.shrink(|| random.next_u64(), worth, |_| *evictions += 1);
            if !has_shrunk || !is_low(&self.memory) {
                break;
            }
        }
    }

    /// The class of a state below which so many states were visited.
    fn class(&self, below: u64) -> u8 {
        match self.rule {
            StoringRule::Auto => class(below),
            _ => 0,
        }
    }
}

fn class(below: u64) -> u8 {
    match below {
        0..=1 => 0,
        2..=7 => 1,
        8..=63 => 2,
        _ => 3,
    }
}

/// A hash that has nothing to do with the one it is made of.
fn mixed(hash: u64, salt: u64) -> u64 {
    let product = u128::from(hash ^ salt) * u128::from(salt.rotate_left(32) | 1);
    let folded = (product >> 64) as u64 ^ product as u64;
    folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ folded >> 29
}

/// Whether it is time to make the table smaller, so that stacks and nodes can grow.
fn is_low(memory: &Memory) -> bool {
    let limit = memory.limit();
    limit != u64::MAX && limit.saturating_sub(memory.held()) < limit / 16
}

impl<T: ForgetfulSet> Keeper<T> for Forgetful {
    const FORGETS: bool = true;
    const COLOUR_BITS: u32 = 4;

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
        books: &mut Books<Path>,
    ) -> Result<(), Stop> {
        explorer.look_from(0)?;
        let edges = explorer.settled().len() as u64;
        self.edges += edges;
        // Those that will be entered are not matched; that is taken back then.
        books.count(0, edges);
        Ok(())
    }

    fn settle_again<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        first: usize,
    ) -> Result<(), Stop> {
        explorer.look_from(first)
    }

    fn settle_red<S: StateSpace>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        first: usize,
    ) -> Result<(), Stop> {
        explorer.look_from(first)?;
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
            expansions: self.counts.expansions,
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
        if matches!(self.rule, StoringRule::Auto) {
            let visitation = self.edges as f64 / self.counts.expansions as f64;
            self.gauge.read(
                self.counts.expansions,
                distinct,
                explorer.states(),
                visitation,
            )?;
        }
        Ok(())
    }

    fn leave<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef) {
        let before = self.entered.last().map_or(0, |entered| entered.expansions);
        let class = self.class(self.counts.expansions - before);
        explorer.recolour(state, ALL_BITS, BLUE | class << CLASS_SHIFT);
    }

    fn dismiss<S: StateSpace>(&mut self, explorer: &mut Explorer<S, T>, state: StateRef) {
        let stays = self.entered.last().is_none_or(|entered| entered.stays);
        self.entered.pop();
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
            peak,
            expansions,
            nested_expansions,
            nested_transitions,
            deletions,
            evictions,
        } = self.counts;
        Some(Storing {
            states_at_end: states,
            peak_states: peak,
            expansions,
            nested_expansions,
            nested_transitions,
            deletions,
            evictions,
            distinct: self.sample.distinct() as f64,
            exact: self.sample.is_exact(),
            visits: self.sample.histogram(),
            visitation: self.edges as f64 / expansions.max(1) as f64,
            forecast: self.gauge.forecast,
        })
    }
}

/// Watches whether a full table gets anywhere.
#[derive(Default)]
struct Gauge {
    is_full: bool,
    /// When the present window began: expansions and distinct states.
    start: Option<(u64, u64)>,
    /// How many windows in a row have looked hopeless.
    hopeless: u32,
    forecast: Option<Forecast>,
}

/// More visits for each new state than this are too many, if there are more states than the table can bear.
const MUCH_WORK: f64 = 10.0;
/// So many windows in a row have to look hopeless.
const PATIENCE: u32 = 8;
/// A table that is smaller than what is needed by this factor is too small.
const MARGIN: f64 = 1.05;

impl Gauge {
    /// Looks at the counts; an error if it does not look as if the search will ever end.
    #[inline]
    fn read(
        &mut self,
        expansions: u64,
        distinct: u64,
        table: u64,
        visitation: f64,
    ) -> Result<(), Stop> {
        if !self.is_full {
            return Ok(());
        }
        let (start, known) = *self.start.get_or_insert((expansions, distinct));
        let visited = expansions - start;
        if visited < (table / 8).max(1000) {
            return Ok(());
        }
        self.start = Some((expansions, distinct));
        let new = distinct.saturating_sub(known).max(1);
        let forecast = Forecast {
            table,
            feasible: feasible(table, visitation),
            work: visited as f64 / new as f64,
        };
        self.forecast = Some(forecast);
        let is_hopeless = distinct as f64 > forecast.feasible && forecast.work > MUCH_WORK;
        self.hopeless = if is_hopeless { self.hopeless + 1 } else { 0 };
        match self.hopeless >= PATIENCE {
            true => Err(Stop::Thrashing),
            false => Ok(()),
        }
    }
}

/// How many states a model may have to be searched with such a table. A search that stores only some
/// states needs at least the part 1 - 1/k of them, where k is how often a state is come to; below that,
/// searching one again starts more than one other search.
fn feasible(table: u64, visitation: f64) -> f64 {
    match visitation > 1.0 {
        true => table as f64 * visitation / (MARGIN * (visitation - 1.0)),
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
