//! The compressed store: states as trees of shared parts, still exact.
//!
//! A state is cut into pairs of words; equal pairs get the same number. Pairs of those numbers get
//! numbers again, and so on, until one pair is left: the root. The states of a model resemble each
//! other, so nearly everything below the root has been seen before, and a new state costs little more
//! than its root (Blom, Lisser, van de Pol and Weber, "A database approach to distributed state space
//! generation", 2007; Laarman, van de Pol and Weber, "Parallel recursive state compression for free",
//! SPIN 2011).
//!
//! The root pair, with a few bits for the width, *is* the reference of a state. It can be turned into
//! words without any table of states. So the table of roots only has to tell which roots there are, and
//! to hold their colours; its entries are free to move when it grows, and hold only that part of the
//! root which does not follow from their place: 4 bytes in most cases.
//!
//! The parts:
//!
//! - `shape`: the tree over a state of some width;
//! - `encoder`: from states to root pairs and back, relative to a state that is known;
//! - `nodes` and `index`: the nodes below the root, by number, and by content; `cache` in front of them;
//! - `quotient` and `roots`: what is kept of a root, and the table of roots;
//! - `widths`: small numbers for widths;
//! - `gate`: how threads share the tables while these grow.
//!
//! When to use another store: `FlatSet` is easier to understand and serves small models as well.

mod cache;
mod encoder;
mod gate;
mod index;
mod nodes;
mod quotient;
mod roots;
mod shape;
mod widths;

use crate::memory::{Account, Full, Memory};
use crate::prefetch::prefetch;
use crate::set::{Demands, MAX_COLOUR_BITS, Refused, Settled, StateRef, StateSet};
use crate::sync::{Arc, AtomicU64, MutexGuard, Ordering};
use cache::Cache;
use encoder::{Context, Intern, halves, pair};
use gate::{Desk, Gate, View};
use index::Obstacle;
use nodes::Nodes;
use quotient::{Extent, Layout, NUMBER_BITS, Place, first_round};
use roots::{Found, Rules};
use std::ops::Range;
use widths::{ESCAPE, Widths};

/// An exact, compressed set of states that several threads share.
///
/// ```
/// use lariat_store::{Demands, Memory, StateSet, TreeStore};
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
    nodes: Nodes,
    gate: Gate,
    widths: Widths,
    memory: Memory,
    colour_bits: u32,
    len: AtomicU64,
    /// What does not depend on the number of states.
    _account: Account,
}

/// What a thread needs to work with a [`TreeStore`].
#[derive(Debug)]
pub struct TreeWorker {
    /// The buffers, which are booked when they have grown.
    account: Account,
    numbers: Numbers,
    contexts: Contexts,
    /// The offers that are not settled.
    offers: Vec<Offer>,
    /// What the root table was like when they were made.
    hints: Vec<Hint>,
    hints_version: u64,
}

/// An offer: a state as its key, and where that belongs.
#[derive(Clone, Copy, Debug)]
struct Offer {
    key: u64,
    shard: u32,
    /// The place, as long as the shard is that of the hints; none if the key does not fit.
    place: Option<Place>,
}

/// What a shard was like when this thread last saw it; good enough for a prefetch.
#[derive(Clone, Copy, Debug, Default)]
struct Hint {
    address: usize,
    layout: Layout,
}

const LINE: usize = 64;
/// Contexts are kept up to so many bytes; see [`Contexts`].
const CONTEXT_BYTES: usize = 1 << 20;
/// Narrower states have a context for each width.
const NARROW: usize = 2048;

impl StateSet for TreeStore {
    type Worker = TreeWorker;

    fn new(demands: Demands) -> Self {
        let mut account = demands.memory.account();
        let widths = Widths::new();
        account.set((size_of::<Self>() + View::bytes() + widths.bytes()) as u64);
        TreeStore {
            nodes: Nodes::new(&demands.memory),
            gate: Gate::new(demands.max_states),
            widths,
            memory: demands.memory,
            colour_bits: demands.colour_bits.min(MAX_COLOUR_BITS),
            len: AtomicU64::new(0),
            _account: account,
        }
    }

    fn worker(&self) -> TreeWorker {
        let mut worker = TreeWorker {
            account: self.memory.account(),
            numbers: Numbers {
                desk: self.gate.desk(),
                cache: Cache::new(&self.memory),
                fresh: 0..0,
                refused: None,
            },
            contexts: Contexts::default(),
            offers: Vec::new(),
            hints: Vec::new(),
            hints_version: u64::MAX,
        };
        worker.hints = vec![Hint::default(); 1 << quotient::SHARD_BITS];
        worker.book();
        worker
    }

    fn load<'w>(&self, worker: &'w mut TreeWorker, state: StateRef) -> &'w [u32] {
        let (width, root) = self.open(state.number());
        let is_added = worker
            .contexts
            .choose(width, |width| self.widths.class_of(width));
        worker.contexts.loaded = worker.contexts.chosen;
        if is_added {
            worker.book();
        }
        let context = worker.contexts.chosen();
        context.decode(root, |number| self.nodes.pair(number));
        context.words()
    }

    fn offer(&self, worker: &mut TreeWorker, state: &[u32]) {
        if worker.numbers.refused.is_some() {
            return;
        }
        let is_added = worker
            .contexts
            .choose(state.len(), |width| self.widths.class_of(width));
        let contexts = &mut worker.contexts;
        // States of another width than the loaded one resemble each other more than whatever was
        // loaded with that width before.
        let keep = contexts.chosen != contexts.loaded;
        let class = contexts.class();
        let mut nodes = Interner {
            store: self,
            numbers: &mut worker.numbers,
        };
        let root = contexts.chosen().encode(state, keep, &mut nodes);
        let key = nodes.key(state.len(), class, root);
        if worker.numbers.refused.is_some() {
            worker.contexts.chosen().clear();
            return;
        }
        let capacity = worker.offers.capacity();
        let offer = Offer::new(key, &worker.hints);
        worker.offers.push(offer);
        if is_added || worker.offers.capacity() != capacity {
            worker.book();
        }
    }

    fn settle(&self, worker: &mut TreeWorker, out: &mut Vec<Settled>) -> Result<(), Refused> {
        let first = out.len();
        let refused = worker.numbers.refused.take();
        let result = self.settle_offers(worker, out);
        worker.offers.clear();
        let new = out[first..].iter().filter(|settled| settled.is_new).count();
        if new > 0 {
            self.len.fetch_add(new as u64, Ordering::Relaxed);
        }
        match refused {
            Some(refused) => result.and(Err(refused)),
            None => result,
        }
    }

    fn colour(&self, worker: &mut TreeWorker, state: StateRef) -> u8 {
        let first = first_round(state.number());
        let view = self.gate.enter(&worker.numbers.desk);
        let shard = &view.roots[quotient::shard_of(first)];
        let place = shard.layout.place(state.number(), first);
        place.and_then(|place| shard.colour(place)).unwrap_or(0) as u8
    }

    fn recolour(&self, worker: &mut TreeWorker, state: StateRef, clear: u8, set: u8) -> u8 {
        let first = first_round(state.number());
        let view = self.gate.enter(&worker.numbers.desk);
        let shard = &view.roots[quotient::shard_of(first)];
        let place = shard.layout.place(state.number(), first);
        let colour = place.and_then(|place| shard.recolour(place, clear.into(), set.into()));
        colour.unwrap_or(0) as u8
    }

    fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }
}

impl TreeStore {
    /// The number of nodes below the roots, and the bytes that they have; the index not included.
    pub fn nodes(&self) -> (u64, u64) {
        (self.nodes.len(), self.nodes.bytes())
    }

    /// The width and the root pair of a key.
    fn open(&self, key: u64) -> (usize, (u32, u32)) {
        let class = (key >> (2 * NUMBER_BITS)) as u8;
        if class == ESCAPE {
            let (width, top) = halves(self.nodes.pair(key as u32));
            return (width as usize, halves(self.nodes.pair(top)));
        }
        let mask = (1 << NUMBER_BITS) - 1;
        let root = (key as u32 & mask, (key >> NUMBER_BITS) as u32 & mask);
        (self.widths.width(class).unwrap_or(0), root)
    }

    fn settle_offers(
        &self,
        worker: &mut TreeWorker,
        out: &mut Vec<Settled>,
    ) -> Result<(), Refused> {
        let mut done = 0;
        while done < worker.offers.len() {
            let mut view = self.gate.enter(&worker.numbers.desk);
            if view.version != worker.hints_version {
                refresh(&view, &mut worker.hints, &mut worker.hints_version);
                for offer in &mut worker.offers[done..] {
                    *offer = Offer::new(offer.key, &worker.hints);
                }
            }
            let settled = settle_some(&mut view, &worker.offers[done..], out);
            let permits = view.permits;
            drop(view);
            done += settled;
            if let Some(offer) = worker.offers.get(done) {
                if permits == 0 && !self.gate.take_permits(&worker.numbers.desk) {
                    return Err(Refused::States);
                }
                if permits > 0 {
                    self.make_room(offer.key, worker.hints_version)?;
                }
            }
        }
        Ok(())
    }

    /// Replaces the shard of a key by one that has room for it, unless somebody has replaced a shard
    /// since `version`.
    fn make_room(&self, key: u64, version: u64) -> Result<(), Refused> {
        let number = quotient::shard_of(first_round(key));
        let classes = self.widths.len();
        self.gate.alone(|master, views| {
            if master.version != version {
                return Ok(());
            }
            for view in views.iter_mut() {
                view.roots[number].report();
            }
            let rules = Rules {
                memory: self.memory.clone(),
                colour_bits: self.colour_bits,
                shard: number,
            };
            let extent = Extent::new(self.nodes.len(), classes).with(key);
            let extent = extent.union(master.roots[number].layout.extent);
            let shard = master.roots[number].replaced(&rules, extent);
            let shard = shard.map_err(|Full| Refused::Memory)?;
            for view in views.iter_mut().map(|view| &mut **view).chain([master]) {
                view.roots[number] = shard.clone();
                view.version += 1;
            }
            Ok(())
        })
    }

    /// Replaces a shard of the index by a larger one, unless somebody has done so since `version`.
    fn grow_index(&self, number: usize, version: u64) -> Result<(), Refused> {
        self.gate.alone(|master, views| {
            if master.index[number].version != version {
                return Ok(());
            }
            let shard = master.index[number].grown(&self.nodes, &self.memory);
            let shard = shard.map_err(|Full| Refused::Memory)?;
            for view in views.iter_mut().map(|view| &mut **view).chain([master]) {
                view.index[number] = shard.clone();
            }
            Ok(())
        })
    }

    /// The bytes held, counted again from what there is, without workers.
    #[cfg(test)]
    fn audit(&self) -> u64 {
        self._account.held() + self.nodes.bytes() + self.gate.audit()
    }
}

/// Settles offers, whose places have to be right, until one cannot be; returns how many were.
fn settle_some(view: &mut View, offers: &[Offer], out: &mut Vec<Settled>) -> usize {
    for (index, offer) in offers.iter().enumerate() {
        let Some(place) = offer.place else {
            return index;
        };
        let shard = &mut view.roots[offer.shard as usize];
        let (is_new, colour) = match shard.settle(place, view.permits > 0) {
            Found::Known(colour) => (false, colour as u8),
            Found::New => (true, 0),
            Found::Absent => return index,
        };
        view.permits -= u64::from(is_new);
        out.push(Settled {
            state: StateRef::new(offer.key),
            is_new,
            colour,
        });
    }
    offers.len()
}

/// Notes what the root table is like now.
fn refresh(view: &MutexGuard<'_, View>, hints: &mut [Hint], version: &mut u64) {
    *version = view.version;
    for (hint, shard) in hints.iter_mut().zip(&view.roots) {
        *hint = Hint {
            address: shard.address(),
            layout: shard.layout,
        };
    }
}

impl Offer {
    /// An offer, whose line is asked for.
    #[inline(always)]
    fn new(key: u64, hints: &[Hint]) -> Self {
        let first = first_round(key);
        let shard = quotient::shard_of(first);
        let hint = &hints[shard];
        let place = hint.layout.place(key, first);
        if let Some(place) = place {
            prefetch(hint.address + place.line as usize * LINE);
        }
        Offer {
            key,
            shard: shard as u32,
            place,
        }
    }
}

impl TreeWorker {
    /// Books what the buffers have grown to.
    fn book(&mut self) {
        let bytes = size_of::<Self>()
            + View::bytes()
            + self.contexts.bytes
            + self.hints.capacity() * size_of::<Hint>()
            + self.offers.capacity() * size_of::<Offer>();
        self.account.set(bytes as u64);
    }
}

/// How a thread turns pairs into numbers.
#[derive(Debug)]
struct Numbers {
    desk: Arc<Desk>,
    cache: Cache,
    /// Numbers for nodes that this thread will add.
    fresh: Range<u32>,
    /// Why a node could not be added. Everything that was made since then is void.
    refused: Option<Refused>,
}

/// The same, at work.
struct Interner<'a> {
    store: &'a TreeStore,
    numbers: &'a mut Numbers,
}

impl Intern for Interner<'_> {
    #[inline(always)]
    fn number(&mut self, pair: u64) -> u32 {
        match self.numbers.cache.get(pair) {
            Some(number) => number,
            None => self.look_up(pair),
        }
    }
}

impl Interner<'_> {
    #[cold]
    #[inline(never)]
    fn look_up(&mut self, pair: u64) -> u32 {
        match self.intern(pair) {
            Ok(number) => {
                self.numbers.cache.put(pair, number);
                number
            }
            Err(refused) => {
                self.numbers.refused.get_or_insert(refused);
                0
            }
        }
    }

    fn intern(&mut self, pair: u64) -> Result<u32, Refused> {
        let hash = index::hash_pair(pair);
        let number = index::shard_of(hash);
        loop {
            let view = self.store.gate.enter(&self.numbers.desk);
            let shard = &view.index[number];
            let version = shard.version;
            match shard.intern(&self.store.nodes, hash, pair, &mut self.numbers.fresh) {
                Ok(number) => return Ok(number),
                Err(Obstacle::Refused(refused)) => return Err(refused),
                Err(Obstacle::Shard) => drop(view),
            }
            self.store.grow_index(number, version)?;
        }
    }

    /// The key of a state with this width and root pair.
    #[inline(always)]
    fn key(&mut self, width: usize, class: u8, (left, right): (u32, u32)) -> u64 {
        if class == ESCAPE || (left | right) >> NUMBER_BITS != 0 {
            return self.escaped_key(width, left, right);
        }
        let class = u64::from(class) << (2 * NUMBER_BITS);
        u64::from(left) | u64::from(right) << NUMBER_BITS | class
    }

    /// The key of a state whose width has no class, or whose numbers are too large: it names a node
    /// that has the width and the node of the root pair.
    #[cold]
    fn escaped_key(&mut self, width: usize, left: u32, right: u32) -> u64 {
        let Ok(width) = u32::try_from(width) else {
            self.numbers.refused.get_or_insert(Refused::States);
            return 0;
        };
        let top = self.number(pair(left, right));
        let number = self.number(pair(width, top));
        u64::from(number) | u64::from(ESCAPE) << (2 * NUMBER_BITS)
    }
}

/// The states relative to which a thread encodes others: for each width the one that was loaded last.
///
/// Very wide states share one context, and if all contexts together get too large, they are dropped, so
/// that models with many widths do not spend their memory here.
#[derive(Debug, Default)]
struct Contexts {
    all: Vec<(Context, u8)>,
    /// The number of the context of each width, plus one; zero if there is none.
    by_width: Vec<u32>,
    /// The context in use, and the one that was loaded last.
    chosen: usize,
    loaded: usize,
    bytes: usize,
}

impl Contexts {
    /// Chooses the context for a width; returns whether one was added.
    #[inline(always)]
    fn choose(&mut self, width: usize, class_of: impl FnOnce(usize) -> u8) -> bool {
        if let Some((context, _)) = self.all.get(self.chosen)
            && context.width() == width
        {
            return false;
        }
        self.find_or_add(width, class_of)
    }

    fn find_or_add(&mut self, width: usize, class_of: impl FnOnce(usize) -> u8) -> bool {
        let slot = width.min(NARROW);
        let known = self.by_width.get(slot).copied().unwrap_or(0) as usize;
        if let Some((context, _)) = known.checked_sub(1).and_then(|known| self.all.get(known))
            && context.width() == width
        {
            self.chosen = known - 1;
            return false;
        }
        self.add(slot, Context::new(width), class_of(width));
        true
    }

    #[cold]
    fn add(&mut self, slot: usize, context: Context, class: u8) {
        if self.by_width.len() <= slot {
            self.by_width.resize(slot + 1, 0);
        }
        let known = self.by_width[slot] as usize;
        if known > 0 {
            self.all[known - 1] = (context, class);
            self.chosen = known - 1;
        } else {
            if self.bytes > CONTEXT_BYTES {
                self.all.clear();
                self.by_width.fill(0);
                self.loaded = usize::MAX;
            }
            self.all.push((context, class));
            self.chosen = self.all.len() - 1;
            self.by_width[slot] = self.all.len() as u32;
        }
        let contexts: usize = self.all.iter().map(|(context, _)| context.bytes()).sum();
        self.bytes = contexts + self.by_width.capacity() * size_of::<u32>();
    }

    /// The context that was chosen last; there has to be one.
    #[inline(always)]
    fn chosen(&mut self) -> &mut Context {
        &mut self.all[self.chosen].0
    }

    /// The class of the width that was chosen last.
    #[inline(always)]
    fn class(&self) -> u8 {
        self.all[self.chosen].1
    }
}

#[cfg(test)]
mod tests;
