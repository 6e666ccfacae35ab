//! The retention of a search that removes states from its table.

use super::coin::{Coin, mixed};
use super::full_table::{ENOUGH, ENOUGH_AT_RANDOM, FullTable};
use super::key_states::{ALL_BITS, COLOUR, KEY, Keys, PINNED_RED, cost_of, worth};
use super::{BLUE, CYAN, RED, Retention, WHITE};
use crate::toolkit::budget::Stop;
use crate::toolkit::column::Column;
use crate::toolkit::counters::Counters;
use crate::toolkit::explorer::Explorer;
use crate::toolkit::observer::Table;
use crate::toolkit::outcome::Path;
use crate::toolkit::stack::Stack;
use crate::toolkit::storing::{RandomizedStoring, Storing, StoringRule};
use crate::toolkit::workers::Workers;
use lariat_graph::StateSpace;
use lariat_stats::{DistinctSample, Rng, stream};
use lariat_store::{Account, Forgetful as ForgetfulSet, Memory, Refused, StateRef};

/// A search with so many visits per state, on average, is unlikely to end: of 1054 simulated searches that ended with
/// fewer than 100 visits a state, 51 exceeded this, all of them with tables that were much too small.
const TOO_MUCH: f64 = 20.0;

/// Some states are removed.
pub(crate) struct Forgetful {
    /// Whether the caller ends the search if it takes long.
    has_time_limit: bool,
    rule: StoringRule,
    coin: Coin,
    replacement: Rng,
    /// For each state on the stack.
    entered: Column<Entered>,
    /// For each state on the stack of a nested search, its colour after it is left.
    red: Column<u8>,
    /// The distinct states, and how often they were visited.
    sample: DistinctSample,
    account: Account,
    counts: Counts,
    keys: Keys,
    full_table: FullTable,
    memory: Memory,
    /// The edges of expanded states.
    edges: u64,
    /// The number of insertions between two collections of nodes, unless an insertion needs them.
    collect_after: u64,
}

/// The data of a state on the stack.
#[derive(Clone, Copy)]
struct Entered {
    /// An estimate of the visits that a revisit costs, if the state is removed.
    cost: u8,
    /// Whether the state stays when it is left.
    stays: bool,
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
    pub fn new(sampling: RandomizedStoring, pool: &Workers) -> Self {
        let memory = pool.memory();
        Forgetful {
            has_time_limit: pool.options().budget.time.is_some(),
            rule: sampling.rule,
            coin: Coin::new(sampling),
            replacement: stream(sampling.seed, "replacement", 0),
            entered: Column::new(memory),
            red: Column::new(memory),
            sample: DistinctSample::default(),
            account: memory.account(),
            counts: Counts::default(),
            keys: Keys::default(),
            full_table: FullTable::default(),
            memory: memory.clone(),
            edges: 0,
            collect_after: 0,
        }
    }

    /// Whether states are replaced when the table is full.
    fn replaces(&self) -> bool {
        matches!(self.rule, StoringRule::Auto | StoringRule::Cache(_))
    }

    /// Inserts a state into the table.
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
            self.full_table.is_full = true;
            // Makes space for several states at once, if their number has no limit.
            let count = match refused {
                Refused::Memory => 1 + explorer.states() / 1024,
                Refused::States => 1,
            };
            for _ in 0..count {
                let random = self.replacement.next_u64();
                let gone = match self.full_table.is_local() {
                    true => explorer.evict(state, random, |colour| worth(colour).map(|_| 0)),
                    false => explorer.evict(state, random, worth),
                };
                let Some(colour) = gone else {
                    return Err(refused.into());
                };
                self.counts.evictions += 1;
                if !self.full_table.is_local() {
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

    /// Looks up the successors from an index on. If there is no memory for their nodes, the table frees some.
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

    /// Frees memory for nodes and stacks, but not the memory of the given state and of waiting ones. Returns whether
    /// there was any.
    #[cold]
    fn make_space<S: StateSpace, T: ForgetfulSet>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
    ) -> bool {
        let share = self.memory.limit() / LEAST_SHARE;
        let mut has_space = false;
        // An expansion needs nodes if there is no state to be inserted.
        let is_time = state == StateRef::NONE || self.counts.insertions >= self.collect_after;
        if is_time && explorer.spare_nodes() == 0 && explorer.node_bytes() > share {
            has_space = self.free_nodes(explorer, state, stacks);
            self.collect_after = self.counts.insertions + explorer.states() / LEAST_SHARE;
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

    /// Frees a part of the nodes, and removes as many states as necessary.
    fn free_nodes<S: StateSpace, T: ForgetfulSet>(
        &mut self,
        explorer: &mut Explorer<S, T>,
        state: StateRef,
        stacks: [&Stack; 2],
    ) -> bool {
        let wanted = explorer.nodes() / LEAST_SHARE;
        self.full_table.is_full = true;
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
                    // Few free nodes would be used up at once.
                    return freed > wanted / LEAST_SHARE;
                }
                self.counts.evictions += 1;
            }
        }
    }

    /// Adds to the cost of a revisit of the top state.
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

/// The table grows only if this part of the memory is left, for stacks and nodes. Half a shard of the table fits into
/// it, so that a shard can be shrunk at any time.
const RESERVED: u64 = 14;
/// With less memory than this, all of it may be used.
const LEAST_LIMIT: u64 = 1 << 20;
/// The table is shrunk if less than this part is left.
const LOW: u64 = 20;
/// Parts of the search with less than this part of the memory need not free any; and so large a part of the nodes is
/// freed at once.
const LEAST_SHARE: u64 = 8;
/// The number of insertions between two checks of the free memory.
const RARELY: u64 = 64;

/// Whether the table should be shrunk, so that stacks and nodes can grow.
fn is_low(memory: &Memory) -> bool {
    let limit = memory.limit();
    (LEAST_LIMIT..u64::MAX).contains(&limit) && limit.saturating_sub(memory.held()) < limit / LOW
}

impl<T: ForgetfulSet> Retention<T> for Forgetful {
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
        counters: &mut Counters<Path>,
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
        // States that will be entered are not matched; that is corrected when they are entered.
        counters.count(0, edges);
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
        counters: &mut Counters<Path>,
    ) -> Result<(), Stop> {
        let hash = explorer.hash(state);
        let entered = Entered {
            cost: 1,
            stays: self.coin.stays(hash),
        };
        self.entered.push(entered)?;
        self.insert(explorer, state, CYAN, stacks)?;
        self.sample.add(mixed(hash, 0x2545_f491_4f6c_dd1d));
        self.account.set(self.sample.memory_bytes() as u64);
        self.counts.expansions += 1;
        counters.entered_again(1);
        let distinct = self.sample.distinct();
        counters.note_table(Table {
            states: explorer.states(),
            distinct,
            feasible: self.full_table.forecast.map(|forecast| forecast.feasible),
        });
        if self.full_table.is_full {
            let visitation = self.edges as f64 / self.counts.expansions as f64;
            let table = explorer.states();
            let enough = match self.rule {
                StoringRule::Cache(_) => ENOUGH_AT_RANDOM,
                _ => ENOUGH,
            };
            self.full_table
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
        let before = explorer.recolour(state, ALL_BITS, BLUE | key);
        debug_assert_eq!(before, CYAN, "a state on the stack is in the table");
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
        let before = explorer.recolour(state, ALL_BITS, later);
        debug_assert_eq!(before, PINNED_RED, "a state on the stack is in the table");
        if later == WHITE {
            explorer.remove(state);
            self.counts.deletions += 1;
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
        // Without removals, no state is visited twice.
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
            forecast: self.full_table.forecast,
        })
    }
}
