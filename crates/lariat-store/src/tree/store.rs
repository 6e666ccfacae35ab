//! The tree store: encoding states as keys, and inserting keys.
//!
//! An offer records how a state differs from the loaded one. To settle the offers, all records are turned into keys
//! together, and the lines of the root table for the keys are prefetched. Only parts that are not in the thread's
//! cache need the shared index. Then the keys are settled (`keys.rs`).

use super::big_reader_lock::{ReaderLock, View};
use super::cache::Cache;
use super::contexts::Contexts;
use super::encoder::{Context, Draft, Drafts, Intern, Row, Wanted, hash_row};
use super::index::{self, Obstacle};
use super::keys::{Keys, Offers};
use super::nodes::Nodes;
use super::order;
use super::quotient::{Extent, NUMBER_BITS};
use super::widths::{ESCAPE, Widths};
use crate::memory::{Account, Full};
use crate::set::{Archive, Demands, Exactness, Refused, Seen, Settled, StateRef, StoreInfo};
use crate::sync::Arc;
use std::ops::Range;

/// An exact, compressed set of states that several threads share.
///
/// ```
/// use lariat_store::{Demands, Memory, Archive, Seen, TreeStore};
///
/// let store = TreeStore::new(Demands {
///     memory: Memory::new(Some(1 << 20)),
///     colour_bits: 2,
///     max_states: u64::MAX,
/// });
/// let mut worker = store.worker();
/// let mut settled = Vec::new();
/// store.offer(&mut worker, &[1, 2, 3]);
/// store.offer(&mut worker, &[1, 2]);
/// store.offer(&mut worker, &[1, 2, 3]);
/// store.settle(&mut worker, &mut settled).unwrap();
/// assert_eq!(settled[0].state, settled[2].state);
/// assert_eq!(store.load(&mut worker, settled[1].state), [1, 2]);
/// assert_eq!(store.len(), 2);
/// ```
#[derive(Debug)]
pub struct TreeStore {
    pub(super) nodes: Nodes,
    pub(super) keys: Keys,
    widths: Widths,
    /// The widths whose units have a learned order.
    orders: Vec<(usize, Vec<u32>)>,
    /// The memory that does not depend on the number of states.
    account: Account,
}

/// The data that a thread needs to work with a [`TreeStore`].
#[derive(Debug)]
pub struct TreeWorker {
    /// The buffers, charged when they have grown.
    account: Account,
    pub(super) numbers: Numbers,
    contexts: Contexts,
    /// The offers without a key yet.
    drafts: Drafts,
    /// The offers that are not settled.
    pub(super) offers: Offers,
}

/// Buffers for larger drafts are charged in advance.
const LARGE_DRAFT: u64 = 4 << 10;
const NUMBER_MASK: u32 = (1 << NUMBER_BITS) - 1;
/// The number of widths that can have a learned order.
const ORDERS: usize = 64;

impl Seen for TreeStore {
    const INFO: StoreInfo = StoreInfo {
        name: "tree",
        summary: "compressed: common parts of states are kept once",
        exactness: Exactness::Exact,
        state_bytes: 25,
    };
    type Worker = TreeWorker;

    fn worker(&self) -> TreeWorker {
        let offers = self.keys.offers();
        let mut worker = TreeWorker {
            account: self.keys.memory.account(),
            numbers: Numbers {
                reader: Arc::clone(&offers.reader),
                cache: Cache::new(&self.keys.memory),
                fresh: 0..0,
                missing: Vec::new(),
                refused: None,
            },
            contexts: Contexts::default(),
            drafts: Drafts::default(),
            offers,
        };
        worker.charge();
        worker
    }

    #[inline]
    fn offer(&self, worker: &mut TreeWorker, state: &[u32]) {
        if !worker.contexts.choose_loaded(state.len()) {
            return self.offer_alone(worker, state);
        }
        let nodes = Interner {
            store: self,
            numbers: &mut worker.numbers,
        };
        let class = worker.contexts.class();
        let context = worker.contexts.chosen();
        context.draft(state, class, &mut worker.drafts, &nodes);
    }

    fn settle(&self, worker: &mut TreeWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        let refused = self.encode(worker);
        let extent = |key| Extent::new(self.nodes.len(), self.widths.len()).with(key);
        let result = self.keys.settle(&mut worker.offers, extent, out);
        match refused {
            Some(refused) => result.and(Err(refused)),
            None => result,
        }
    }

    fn colour(&self, worker: &mut TreeWorker, state: StateRef) -> u8 {
        self.keys.colour(&worker.offers, state)
    }

    fn recolour(&self, worker: &mut TreeWorker, state: StateRef, clear: u8, set: u8) -> u8 {
        self.keys.recolour(&worker.offers, state, clear, set)
    }

    #[inline(always)]
    fn words<'w>(&self, worker: &'w mut TreeWorker, state: StateRef, _: &'w [u32]) -> &'w [u32] {
        self.load(worker, state)
    }

    fn announce(&self, state: StateRef) {
        let key = state.number();
        self.nodes.announce(key as u32 & NUMBER_MASK);
        self.nodes
            .announce((key >> NUMBER_BITS) as u32 & NUMBER_MASK);
    }

    fn len(&self) -> u64 {
        self.keys.len()
    }
}

impl Archive for TreeStore {
    const LEARNS: bool = true;

    fn new(demands: Demands) -> Self {
        let mut account = demands.memory.account();
        let widths = Widths::new();
        account.set((size_of::<Self>() + View::bytes() + widths.bytes()) as u64);
        TreeStore {
            nodes: Nodes::new(&demands.memory),
            keys: Keys::new(demands),
            widths,
            orders: Vec::new(),
            account,
        }
    }

    fn learn(&mut self, samples: &[Vec<u32>]) {
        // The order of a width must not change once there are states.
        if !self.is_empty() || self.nodes.len() > 0 {
            return;
        }
        self.orders.clear();
        for width in samples.iter().map(Vec::len) {
            if self.orders.iter().any(|(other, _)| *other == width) || self.orders.len() == ORDERS {
                continue;
            }
            let same: Vec<&[u32]> = samples
                .iter()
                .map(Vec::as_slice)
                .filter(|state| state.len() == width)
                .collect();
            let order = order::learned(&same);
            if self
                .account
                .take((order.len() * size_of::<u32>()) as u64)
                .is_err()
            {
                break;
            }
            self.orders.push((width, order));
        }
    }

    fn load<'w>(&self, worker: &'w mut TreeWorker, state: StateRef) -> &'w [u32] {
        let (width, root) = self.open(state.number());
        let is_added = worker.contexts.choose(width, || self.context(width));
        worker.contexts.loaded = worker.contexts.chosen;
        if is_added {
            worker.charge();
        }
        let context = worker.contexts.chosen();
        context.decode(
            root,
            |number| self.nodes.announce(number),
            |number| self.nodes.row(number),
        );
        context.words()
    }

    fn slots(&self, worker: &mut TreeWorker) -> u64 {
        self.keys.slots(&worker.offers)
    }

    fn slots_of(
        &self,
        worker: &mut TreeWorker,
        states: impl Iterator<Item = StateRef>,
        out: &mut Vec<u64>,
    ) {
        self.keys.slots_of(&worker.offers, states, out);
    }
}

impl TreeStore {
    /// The number of nodes below the roots, and the bytes that they have; the index not included.
    pub fn nodes(&self) -> (u64, u64) {
        (self.nodes.len(), self.nodes.bytes())
    }

    /// Turns all drafts into offers, up to one for which there is no memory: then this tells why.
    #[inline]
    pub(super) fn encode(&self, worker: &mut TreeWorker) -> Option<Refused> {
        let mut nodes = Interner {
            store: self,
            numbers: &mut worker.numbers,
        };
        worker.drafts.encode(&mut nodes);
        self.take_drafts(worker);
        worker.numbers.refused.take()
    }

    /// A new context for a width, and its class.
    #[cold]
    pub(super) fn context(&self, width: usize) -> (Context, u8) {
        let learned = self.orders.iter().find(|(other, _)| *other == width);
        let order = learned.map_or_else(|| order::usual(width), |(_, order)| order.clone());
        (Context::new(width, &order), self.widths.class_of(width))
    }

    /// Encodes a state of another width than the loaded one, or the first state. States of that width resemble this
    /// one more than the last loaded one, so it becomes the state of their context.
    #[cold]
    fn offer_alone(&self, worker: &mut TreeWorker, state: &[u32]) {
        let contexts = &mut worker.contexts;
        contexts.choose(state.len(), || self.context(state.len()));
        // Wide states need large buffers, which are charged exactly when they exist.
        let bytes = contexts.chosen().draft_bytes() as u64;
        if bytes > LARGE_DRAFT && worker.account.take(2 * bytes).is_err() {
            worker.numbers.refused.get_or_insert(Refused::Memory);
            worker.charge();
            return;
        }
        let mut nodes = Interner {
            store: self,
            numbers: &mut worker.numbers,
        };
        let class = contexts.class();
        let context = contexts.chosen();
        context.draft(state, class, &mut worker.drafts, &nodes);
        worker.drafts.encode(&mut nodes);
        if nodes.numbers.refused.is_none() {
            context.adopt(state, &worker.drafts);
        }
        self.take_drafts(worker);
    }

    /// Turns the encoded drafts into offers, unless an insertion was refused.
    #[inline]
    fn take_drafts(&self, worker: &mut TreeWorker) {
        for draft in &worker.drafts.all {
            let mut nodes = Interner {
                store: self,
                numbers: &mut worker.numbers,
            };
            let key = nodes.key(draft);
            if worker.numbers.refused.is_some() {
                break;
            }
            worker.offers.push(key);
        }
        worker.drafts.clear();
        worker.charge();
    }

    /// Whether a key names a node with the data that do not fit into the key.
    pub(super) fn is_escaped(&self, key: u64) -> bool {
        (key >> (2 * NUMBER_BITS)) as u8 == ESCAPE
    }

    /// The width and the root pair of a key.
    pub(super) fn open(&self, key: u64) -> (usize, [u32; 2]) {
        let class = (key >> (2 * NUMBER_BITS)) as u8;
        if self.is_escaped(key) {
            let [width, left, right, _] = self.nodes.row(key as u32);
            return (width as usize, [left as u32, right as u32]);
        }
        let right = (key >> NUMBER_BITS) as u32;
        let root = [key as u32 & NUMBER_MASK, right & NUMBER_MASK];
        (self.widths.width(class).unwrap_or(0), root)
    }

    /// Replaces the shard of a key by one with space for it, unless another thread has replaced a shard since
    /// `version`.
    pub(super) fn make_room(&self, key: u64, version: u64) -> Result<(), Refused> {
        let extent = Extent::new(self.nodes.len(), self.widths.len()).with(key);
        self.keys.make_room(key, version, extent)
    }

    /// Replaces a shard of the index by a larger one, unless another thread has done so since `version`.
    fn grow_index(&self, number: usize, version: u64) -> Result<(), Refused> {
        self.keys.lock.exclusive(|master, views| {
            if master.index[number].version != version {
                return Ok(());
            }
            let shard = master.index[number].grown(&self.nodes, &self.keys.memory);
            let shard = shard.map_err(|Full| Refused::Memory)?;
            for view in views.iter_mut().map(|view| &mut **view).chain([master]) {
                view.index[number] = shard.clone();
            }
            Ok(())
        })
    }

    /// The bytes held, counted again, without workers.
    #[cfg(test)]
    pub(super) fn audit(&self) -> u64 {
        self.account.held() + self.nodes.bytes() + self.keys.lock.audit()
    }
}

impl TreeWorker {
    /// Drops all cached numbers, which may be used for other nodes from now on.
    pub(super) fn forget_numbers(&mut self) {
        self.numbers.cache.clear();
        self.numbers.fresh = 0..0;
        self.contexts = Contexts::default();
        self.charge();
    }

    /// Charges the present size of the buffers.
    fn charge(&mut self) {
        let bytes = size_of::<Self>()
            + View::bytes()
            + self.contexts.bytes
            + self.drafts.bytes()
            + self.numbers.missing.capacity() * size_of::<u32>()
            + self.offers.bytes();
        self.account.set(bytes as u64);
    }
}

/// The node numbers that a thread knows or has reserved.
#[derive(Debug)]
pub(super) struct Numbers {
    reader: Arc<ReaderLock>,
    cache: Cache,
    /// Numbers for nodes that this thread will add.
    fresh: Range<u32>,
    /// The rows that were not in the cache.
    missing: Vec<u32>,
    /// Why a node could not be added. All later results are void.
    refused: Option<Refused>,
}

/// The same, with the store.
pub(super) struct Interner<'a> {
    pub store: &'a TreeStore,
    pub numbers: &'a mut Numbers,
}

impl Intern for Interner<'_> {
    #[inline(always)]
    fn announce(&self, hash: u64) {
        self.numbers.cache.announce(hash);
    }

    #[inline(always)]
    fn resolve(&mut self, rows: &mut [Wanted]) {
        for (index, wanted) in rows.iter_mut().enumerate() {
            match self.numbers.cache.get(wanted.hash, &wanted.row) {
                Some(number) => wanted.number = number,
                None => self.numbers.missing.push(index as u32),
            }
        }
        if !self.numbers.missing.is_empty() {
            self.look_up(rows);
        }
    }
}

impl Interner<'_> {
    /// Looks up the missing rows in the index.
    #[inline(never)]
    fn look_up(&mut self, rows: &mut [Wanted]) {
        let missing = std::mem::take(&mut self.numbers.missing);
        {
            let view = self.store.keys.lock.enter(&self.numbers.reader);
            let hashes = || missing.iter().map(|&index| rows[index as usize].hash);
            for hash in hashes() {
                view.index[index::shard_of(hash)].announce(hash);
            }
            for hash in hashes() {
                view.index[index::shard_of(hash)].announce_node(&self.store.nodes, hash);
            }
        }
        for &index in &missing {
            let wanted = &mut rows[index as usize];
            match self.intern(wanted.hash, &wanted.row) {
                Ok(number) => {
                    wanted.number = number;
                    self.numbers.cache.put(wanted.hash, &wanted.row, number);
                }
                Err(refused) => {
                    self.numbers.refused.get_or_insert(refused);
                }
            }
        }
        self.numbers.missing = missing;
        self.numbers.missing.clear();
    }

    fn intern(&mut self, hash: u64, row: &Row) -> Result<u32, Refused> {
        let number = index::shard_of(hash);
        loop {
            let view = self.store.keys.lock.enter(&self.numbers.reader);
            let shard = &view.index[number];
            let version = shard.version;
            match shard.intern(&self.store.nodes, hash, row, &mut self.numbers.fresh) {
                Ok(number) => return Ok(number),
                Err(Obstacle::Refused(refused)) => return Err(refused),
                Err(Obstacle::Shard) => drop(view),
            }
            self.store.grow_index(number, version)?;
        }
    }

    /// The key of an encoded draft.
    #[inline(always)]
    fn key(&mut self, draft: &Draft) -> u64 {
        let [left, right] = draft.root;
        if draft.class == ESCAPE || (left | right) >> NUMBER_BITS != 0 {
            return self.escaped_key(draft.width, left, right);
        }
        let class = u64::from(draft.class) << (2 * NUMBER_BITS);
        u64::from(left) | u64::from(right) << NUMBER_BITS | class
    }

    /// The key of a state whose width has no class, or whose numbers are too large: it names a node that contains the
    /// width and the root pair.
    #[cold]
    pub(super) fn escaped_key(&mut self, width: usize, left: u32, right: u32) -> u64 {
        let row = [width as u64, left.into(), right.into(), 0];
        match self.intern(hash_row(&row), &row) {
            Ok(number) => u64::from(number) | u64::from(ESCAPE) << (2 * NUMBER_BITS),
            Err(refused) => {
                self.numbers.refused.get_or_insert(refused);
                0
            }
        }
    }
}
