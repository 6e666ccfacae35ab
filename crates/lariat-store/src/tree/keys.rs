//! The set of keys: the root table behind its lock, and how threads insert keys in batches.
//!
//! A thread *offers* keys, and the lines of the root table for them are prefetched. Then it takes its reader lock once and
//! probes all the lines, which have arrived meanwhile. If a key does not fit, the thread releases its lock, replaces the
//! shard, and continues.
//!
//! The place of a key is computed from *hints*: a copy of the layouts of all shards, which may be out of date. Under
//! the reader lock, the version tells whether it is; then the places are computed again. A prefetch from an address
//! that is out of date has no effect.

use super::big_reader_lock::{BigReaderLock, ReaderLock, View};
use super::quotient::{self, Extent, Layout, Place, first_round};
use super::roots::{Fill, Found, LINE, Rules};
use crate::memory::{Full, Memory};
use crate::prefetch::prefetch;
use crate::set::{Demands, MAX_COLOUR_BITS, Refused, Settled, StateRef};
use crate::sync::{Arc, AtomicU64, Ordering};

/// A set of keys with colours that several threads share.
#[derive(Debug)]
pub(crate) struct Keys {
    pub lock: BigReaderLock,
    pub memory: Memory,
    pub colour_bits: u32,
    pub len: AtomicU64,
    /// The bytes that a larger table must leave to others.
    pub reserve: u64,
    /// How full a shard gets.
    fill: Fill,
}

/// The keys that a thread has offered and not settled.
#[derive(Debug)]
pub(crate) struct Offers {
    pub reader: Arc<ReaderLock>,
    list: Vec<Offer>,
    /// The layout of the root table at the time of the offers.
    hints: Hints,
}

/// An offered key and its place.
#[derive(Clone, Copy, Debug)]
struct Offer {
    key: u64,
    /// The place, valid as long as the shard is that of the hints.
    place: Place,
}

/// The layout of the root table when this thread last saw it.
#[derive(Debug)]
struct Hints {
    shards: Vec<Hint>,
    version: u64,
}

/// A shard when this thread last saw it; good enough for a prefetch.
#[derive(Clone, Copy, Debug, Default)]
struct Hint {
    address: usize,
    layout: Layout,
}

impl Keys {
    /// An empty set.
    pub fn new(demands: Demands) -> Self {
        Keys {
            lock: BigReaderLock::new(demands.max_states),
            memory: demands.memory,
            colour_bits: demands.colour_bits.min(MAX_COLOUR_BITS),
            len: AtomicU64::new(0),
            reserve: 0,
            fill: Fill::Usual,
        }
    }

    /// The same empty set, with less memory and longer probes.
    pub fn filled_more(self) -> Self {
        let fill = Fill::More;
        Keys { fill, ..self }
    }

    /// The bytes that the set takes for itself, and for each thread.
    pub fn view_bytes() -> usize {
        View::bytes()
    }

    /// The offers of a thread.
    pub fn offers(&self) -> Offers {
        Offers {
            reader: self.lock.reader(),
            list: Vec::new(),
            hints: Hints {
                shards: vec![Hint::default(); 1 << quotient::SHARD_BITS],
                version: u64::MAX,
            },
        }
    }

    /// The number of keys.
    pub fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }

    /// Inserts all offered keys, and appends the results to `out`, as [`Seen::settle`](crate::Seen::settle) does. The shard of
    /// a key has to hold keys of the extent that `extent` tells.
    #[inline]
    pub fn settle(
        &self,
        offers: &mut Offers,
        extent: impl Fn(u64) -> Extent,
        out: &mut Vec<Settled>,
    ) -> Result<(), Refused> {
        out.reserve(offers.list.len());
        let result = self.settle_all(offers, extent, out);
        offers.list.clear();
        result
    }

    fn settle_all(
        &self,
        offers: &mut Offers,
        extent: impl Fn(u64) -> Extent,
        out: &mut Vec<Settled>,
    ) -> Result<(), Refused> {
        let mut done = 0;
        // When all permits are used up, states that are absent are refused. Another thread may have inserted the same
        // state with the last permit, so one more lookup decides.
        let mut is_complete = false;
        while done < offers.list.len() {
            let mut view = self.lock.enter(&offers.reader);
            offers.hints.refresh(&view, &mut offers.list[done..]);
            let before = view.permits;
            done += settle_some(&mut view, &offers.list[done..], out);
            let permits = view.permits;
            drop(view);
            if permits < before {
                self.len.fetch_add(before - permits, Ordering::Relaxed);
            }
            if let Some(&Offer { key, .. }) = offers.list.get(done) {
                if permits > 0 {
                    self.make_room(key, offers.hints.version, extent(key))?;
                } else if is_complete {
                    return Err(Refused::States);
                } else {
                    is_complete = !self.lock.take_permits(&offers.reader);
                }
            }
        }
        Ok(())
    }

    /// Replaces the shard of a key by one with space for it, and for keys of this extent, unless another thread has
    /// replaced a shard since `version`.
    pub fn make_room(&self, key: u64, version: u64, extent: Extent) -> Result<(), Refused> {
        let number = quotient::shard_of(first_round(key));
        self.lock.exclusive(|master, views| {
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
                reserve: self.reserve,
                fill: self.fill,
            };
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

    /// Recomputes the places of all offers; they are valid until a shard is replaced.
    pub fn refresh_places(&self, offers: &mut Offers) {
        let view = self.lock.enter(&offers.reader);
        offers.hints.refresh(&view, &mut offers.list);
    }

    /// The colour of a key; zero if it is absent.
    #[inline]
    pub fn colour(&self, offers: &Offers, key: StateRef) -> u8 {
        let first = first_round(key.number());
        let view = self.lock.enter(&offers.reader);
        let shard = &view.roots[quotient::shard_of(first)];
        let place = shard.layout.place(key.number(), first);
        shard.colour(place).unwrap_or(0) as u8
    }

    /// Changes the colour of a key; the colour before.
    #[inline]
    pub fn recolour(&self, offers: &Offers, key: StateRef, clear: u8, set: u8) -> u8 {
        let first = first_round(key.number());
        let view = self.lock.enter(&offers.reader);
        let shard = &view.roots[quotient::shard_of(first)];
        let place = shard.layout.place(key.number(), first);
        let colour = shard.recolour(place, clear.into(), set.into());
        colour.unwrap_or(0) as u8
    }

    /// The number of slots.
    pub fn slots(&self, offers: &Offers) -> u64 {
        let view = self.lock.enter(&offers.reader);
        view.roots.iter().map(|shard| shard.slots() as u64).sum()
    }

    /// Appends the slots of keys; [`NO_SLOT`] for one that is absent. The slots of a shard follow those of the shards before it.
    pub fn slots_of(
        &self,
        offers: &Offers,
        keys: impl Iterator<Item = StateRef>,
        out: &mut Vec<u64>,
    ) {
        let view = self.lock.enter(&offers.reader);
        let mut first_slots = [0; 1 << quotient::SHARD_BITS];
        for number in 1..first_slots.len() {
            let before = view.roots[number - 1].slots() as u64;
            first_slots[number] = first_slots[number - 1] + before;
        }
        for key in keys {
            let first = first_round(key.number());
            let number = quotient::shard_of(first);
            let shard = &view.roots[number];
            let place = shard.layout.place(key.number(), first);
            let slot = shard.slot(place);
            out.push(slot.map_or(NO_SLOT, |slot| first_slots[number] + slot as u64));
        }
    }
}

/// The slot of a key that is absent.
pub(crate) const NO_SLOT: u64 = u64::MAX;

/// Settles offers, whose places have to be valid, until one cannot be settled; returns the number of settled ones.
fn settle_some(view: &mut View, offers: &[Offer], out: &mut Vec<Settled>) -> usize {
    for (index, offer) in offers.iter().enumerate() {
        let shard = &mut view.roots[quotient::shard_of(first_round(offer.key))];
        let (is_new, colour) = match shard.settle(offer.place, view.permits > 0) {
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

impl Offers {
    /// Offers a key, and prefetches its line.
    #[inline(always)]
    pub fn push(&mut self, key: u64) {
        self.list.push(Offer::new(key, &self.hints.shards));
    }

    /// The offered keys and their places.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = (u64, Place)> {
        self.list.iter().map(|offer| (offer.key, offer.place))
    }

    /// Drops all offers.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The bytes of the buffers.
    pub fn bytes(&self) -> usize {
        self.hints.shards.capacity() * size_of::<Hint>() + self.list.capacity() * size_of::<Offer>()
    }
}

impl Hints {
    /// Copies the layout of the root table, if a shard was replaced, and recomputes the places of offers.
    #[inline]
    fn refresh(&mut self, view: &View, offers: &mut [Offer]) {
        if view.version == self.version {
            return;
        }
        self.version = view.version;
        for (hint, shard) in self.shards.iter_mut().zip(&view.roots) {
            *hint = Hint {
                address: shard.address(),
                layout: shard.layout,
            };
        }
        for offer in offers {
            *offer = Offer::new(offer.key, &self.shards);
        }
    }
}

impl Offer {
    /// Makes an offer and prefetches its line.
    #[inline(always)]
    fn new(key: u64, hints: &[Hint]) -> Self {
        let first = first_round(key);
        let hint = &hints[quotient::shard_of(first)];
        let place = hint.layout.place(key, first);
        prefetch(hint.address + place.line as usize * LINE);
        Offer { key, place }
    }
}
