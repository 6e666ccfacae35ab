//! The root table: the set of states, with their colours.
//!
//! It is divided into shards. A shard is an array of lines of 64 bytes, each with 16 entries of 4 bytes, or with 8
//! entries of 8 bytes where 4 are too short for the remainder of a key (see the module `quotient`), the distance from
//! the home line, and the colour. A lookup starts at some entry of the home line of its key and probes that line
//! cyclically, then the next one, and so on, until it finds the key or a free entry.
//!
//! # Why it is correct with several threads
//!
//! Shards are replaced only while no thread works with them (see the module `big_reader_lock`). In between, an entry
//! becomes used once, by a compare-and-swap from zero, and is never freed; after that only its colour changes. All
//! threads that look for a key visit the same entries in the same order and stop at the first free one. So two
//! threads that insert the same key try the same entry; the swap of one succeeds, and the other finds the key there.
//! An entry refers to no other memory, so no ordering with other memory is needed; but searches rely on colours, and
//! so all accesses are sequentially consistent, which costs nothing on the usual processors: all threads see the
//! changes of colours in one order.

mod holes;

pub(crate) use holes::Put;

use super::quotient::{Extent, Layout, Place, SHARD_BITS};
use crate::memory::{Full, Memory};
use crate::pages::Region;
use crate::prefetch::prefetch;
use crate::sync::{Arc, AtomicU32, AtomicU64, Ordering};

const NARROW: usize = 16;
const WIDE: usize = 8;
/// The bytes of a line.
pub(crate) const LINE: usize = 64;
/// The lines of a huge page.
const HUGE: usize = (2 << 20) / LINE;
/// A larger shard grows staggered; see [`Shard::wanted`].
const STAGGER: usize = 1024;
/// A larger shard does not double.
const LARGE: usize = 1 << 17;

/// The entries of a shard.
#[derive(Clone, Debug)]
enum Lines {
    Narrow(Region<[AtomicU32; NARROW]>),
    Wide(Region<[AtomicU64; WIDE]>),
}

/// An entry of either size.
trait Entry {
    fn get(&self) -> u64;
    /// Changes the entry from `old` to `new`; the error is its actual value.
    fn swap(&self, old: u64, new: u64) -> Result<(), u64>;
    /// Changes the entry; requires exclusive access to the shard.
    fn put(&self, new: u64);
}

impl Entry for AtomicU32 {
    #[inline(always)]
    fn get(&self) -> u64 {
        u64::from(self.load(Ordering::SeqCst))
    }

    #[inline(always)]
    fn swap(&self, old: u64, new: u64) -> Result<(), u64> {
        let result =
            self.compare_exchange(old as u32, new as u32, Ordering::SeqCst, Ordering::SeqCst);
        result.map(|_| ()).map_err(u64::from)
    }

    fn put(&self, new: u64) {
        self.store(new as u32, Ordering::Relaxed);
    }
}

impl Entry for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Ordering::SeqCst)
    }

    #[inline(always)]
    fn swap(&self, old: u64, new: u64) -> Result<(), u64> {
        let result = self.compare_exchange(old, new, Ordering::SeqCst, Ordering::SeqCst);
        result.map(|_| ())
    }

    fn put(&self, new: u64) {
        self.store(new, Ordering::Relaxed);
    }
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The key was present, with this colour.
    Known(u64),
    /// The key was absent and has been inserted.
    New,
    /// The key is absent and cannot be inserted.
    Absent,
}

/// One shard of the root table. Clones are the same shard, but each counts its own insertions and reports them to the
/// others in batches.
#[derive(Clone, Debug)]
pub(crate) struct Shard {
    lines: Lines,
    pub layout: Layout,
    /// The number of used entries from which the shard should grow.
    room: u64,
    /// The used entries that all handles have reported.
    used: Arc<AtomicU64>,
    /// The value of `used` at the last report of this handle.
    seen: u64,
    /// The insertions that this handle has not reported yet.
    unreported: u64,
    /// How often this shard has been replaced.
    pub version: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Shard {
            lines: Lines::Narrow(Region::default()),
            layout: Layout::default(),
            room: 0,
            used: Arc::default(),
            seen: 0,
            unreported: 0,
            version: 0,
        }
    }
}

impl Shard {
    /// The address of the lines, for prefetching.
    pub fn address(&self) -> usize {
        match &self.lines {
            Lines::Narrow(lines) => lines.address(),
            Lines::Wide(lines) => lines.address(),
        }
    }

    /// Finds the key with this place, and inserts it if it is absent, the shard is not full, and `may_insert`.
    #[inline(always)]
    pub fn settle(&mut self, place: Place, may_insert: bool) -> Found {
        if place == Place::NONE {
            return Found::Absent;
        }
        let may_insert = may_insert && self.seen + self.unreported < self.room;
        let layout = &self.layout;
        let found = match &self.lines {
            Lines::Narrow(lines) => settle(lines, layout, place, may_insert),
            Lines::Wide(lines) => settle(lines, layout, place, may_insert),
        };
        if found == Found::New {
            self.count();
        }
        found
    }

    /// Changes the colour of the key with this place and returns what it was.
    pub fn recolour(&self, place: Place, clear: u64, set: u64) -> Option<u64> {
        let mask = self.layout.colour_mask();
        match &self.lines {
            Lines::Narrow(lines) => {
                let entry = find(lines, &self.layout, place)?;
                Some(recolour(entry, clear & mask, set & mask) & mask)
            }
            Lines::Wide(lines) => {
                let entry = find(lines, &self.layout, place)?;
                Some(recolour(entry, clear & mask, set & mask) & mask)
            }
        }
    }

    /// The colour of the key with this place.
    pub fn colour(&self, place: Place) -> Option<u64> {
        let entry = match &self.lines {
            Lines::Narrow(lines) => find(lines, &self.layout, place)?.get(),
            Lines::Wide(lines) => find(lines, &self.layout, place)?.get(),
        };
        Some(entry & self.layout.colour_mask())
    }

    /// The number of the entry of the key with this place.
    pub fn slot(&self, place: Place) -> Option<usize> {
        match &self.lines {
            Lines::Narrow(lines) => slot_of(lines, &self.layout, place),
            Lines::Wide(lines) => slot_of(lines, &self.layout, place),
        }
    }

    fn count(&mut self) {
        self.unreported += 1;
        if self.unreported > self.room >> 10 || self.unreported >= 64 {
            self.report();
        }
    }

    /// Reports all insertions of this handle.
    pub fn report(&mut self) {
        self.seen = self.used.fetch_add(self.unreported, Ordering::Relaxed) + self.unreported;
        self.unreported = 0;
    }

    /// The number of entries, used or not.
    pub fn slots(&self) -> usize {
        match &self.lines {
            Lines::Narrow(lines) => lines.len() * NARROW,
            Lines::Wide(lines) => lines.len() * WIDE,
        }
    }

    /// The bytes of this shard.
    #[cfg(test)]
    pub fn bytes(&self) -> u64 {
        match &self.lines {
            Lines::Narrow(lines) => lines.resident(),
            Lines::Wide(lines) => lines.resident(),
        }
    }

    /// A shard to replace this one, which has the number `shard`, for keys of the given extent; larger, too, if this
    /// one is full. No thread may work with this one, and all handles have reported.
    pub fn replaced(&self, rules: &Rules, extent: Extent) -> Result<Shard, Full> {
        let slots = self.slots();
        let is_full = slots == 0 || self.layout.extent == extent || self.used() >= self.room;
        let same = if is_full { None } else { Some(slots) };
        let sizes = [self.wanted(rules), slots + slots.div_ceil(16)];
        same.into_iter()
            .chain(sizes)
            .find_map(|slots| self.rebuilt(rules, extent, slots).ok())
            .map_or_else(|| self.filled_further(extent), Ok)
    }

    fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The number of entries that this shard should have next.
    ///
    /// Shard k starts with an extra share of k. As all shards grow by the same factor and fill equally fast, they do
    /// not all grow at the same time.
    fn wanted(&self, rules: &Rules) -> usize {
        let slots = self.slots();
        let doubled = (2 * slots).max(NARROW);
        if rules.memory.is_tight() {
            slots + slots.div_ceil(8)
        } else if doubled < STAGGER {
            doubled
        } else if slots < STAGGER {
            STAGGER + ((STAGGER * rules.shard) >> SHARD_BITS)
        } else if slots < LARGE {
            doubled
        } else {
            match rules.fill {
                Fill::Usual => slots + slots / 2,
                Fill::More => slots + slots / 4,
            }
        }
    }

    /// The same shard with a higher limit for its fill, if that is possible.
    fn filled_further(&self, extent: Extent) -> Result<Shard, Full> {
        let room = self.slots() as u64 * 19 / 20;
        if self.layout.extent != extent || room <= self.room || self.used() >= room {
            return Err(Full);
        }
        Ok(Shard {
            room,
            version: self.version + 1,
            seen: self.used(),
            ..self.clone()
        })
    }

    /// A shard with the entries of this one and at least `slots` entries.
    fn rebuilt(&self, rules: &Rules, extent: Extent, slots: usize) -> Result<Shard, Full> {
        let lines = rules.rounded(slots.div_ceil(NARROW).max(1));
        // One line more than a power of two saves no bit of the remainder, but that power does.
        let round = lines.next_power_of_two();
        let round = if round <= lines + lines / 2 {
            round
        } else {
            lines
        };
        for lines in [lines, round] {
            if let Some(layout) = Layout::new(extent, lines, rules.colour_bits, 32) {
                return self.moved_to_narrow(rules, layout, lines);
            }
        }
        let lines = rules.rounded(slots.div_ceil(WIDE).max(1));
        let layout = Layout::new(extent, lines, rules.colour_bits, 64).ok_or(Full)?;
        self.moved_to_wide(rules, layout, lines)
    }

    fn moved_to_narrow(&self, rules: &Rules, layout: Layout, lines: usize) -> Result<Shard, Full> {
        self.check_reserve(rules, lines)?;
        let lines = Lines::Narrow(Region::new(&rules.memory, lines)?);
        self.moved(rules, layout, lines)
    }

    fn moved_to_wide(&self, rules: &Rules, layout: Layout, lines: usize) -> Result<Shard, Full> {
        self.check_reserve(rules, lines)?;
        let lines = Lines::Wide(Region::new(&rules.memory, lines)?);
        self.moved(rules, layout, lines)
    }

    /// Whether enough memory is left for others if this shard gets `lines` lines instead of its own.
    fn check_reserve(&self, rules: &Rules, lines: usize) -> Result<(), Full> {
        let more = lines.saturating_sub(self.lines()) as u64 * LINE as u64;
        let held = rules.memory.held().saturating_add(more);
        match held > rules.memory.limit().saturating_sub(rules.reserve) && more > 0 {
            true => Err(Full),
            false => Ok(()),
        }
    }

    /// Moves all entries to new lines.
    fn moved(&self, rules: &Rules, layout: Layout, lines: Lines) -> Result<Shard, Full> {
        let mut new = Shard {
            lines,
            layout,
            version: self.version + 1,
            ..Shard::default()
        };
        let (shard, from, to) = (rules.shard, &self.layout, &new.layout);
        let used = match (&self.lines, &new.lines) {
            (Lines::Narrow(old), Lines::Narrow(new)) => move_all(shard, old, from, new, to),
            (Lines::Narrow(old), Lines::Wide(new)) => move_all(shard, old, from, new, to),
            (Lines::Wide(old), Lines::Narrow(new)) => move_all(shard, old, from, new, to),
            (Lines::Wide(old), Lines::Wide(new)) => move_all(shard, old, from, new, to),
        }?;
        new.room = rules.fill.room(new.slots());
        new.used = Arc::new(AtomicU64::new(used));
        new.seen = used;
        Ok(new)
    }
}

/// The number of used slots of `slots` from which a shard should grow.
fn usual_room(slots: usize) -> u64 {
    slots as u64 * 3 / 4
}

/// How full a shard gets before it grows, and by how much it grows when it is large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// Three quarters, and by a half.
    Usual,
    /// Seven eighths, and by a quarter.
    More,
}

impl Fill {
    /// The number of used slots of `slots` from which a shard should grow.
    fn room(self, slots: usize) -> u64 {
        match self {
            Fill::Usual => usual_room(slots),
            Fill::More => slots as u64 * 7 / 8,
        }
    }
}

/// The parameters for replacing a shard.
pub(crate) struct Rules {
    pub memory: Memory,
    pub colour_bits: u32,
    /// The number of the shard.
    pub shard: usize,
    /// The bytes that a larger table must leave to others.
    pub reserve: u64,
    /// How full it gets.
    pub fill: Fill,
}

impl Rules {
    /// A number of lines that fills huge pages, if that is not much more and there is enough memory: with ordinary
    /// pages, most accesses to a large table also miss the TLB.
    fn rounded(&self, lines: usize) -> usize {
        if lines < HUGE / 2 || self.memory.is_tight() {
            lines
        } else if lines < 4 * HUGE {
            lines.next_multiple_of(HUGE)
        } else {
            (lines + HUGE / 2) / HUGE * HUGE
        }
    }
}

#[inline(always)]
fn next_line(line: usize, count: usize) -> usize {
    if line + 1 < count { line + 1 } else { 0 }
}

/// All entries of a line, cyclically from one of them.
#[inline(always)]
fn around<E, const N: usize>(line: &[E; N], first: usize) -> impl Iterator<Item = &E> {
    let (before, behind) = line.split_at(first % N);
    behind.iter().chain(before)
}

#[inline(always)]
fn settle<E: Entry, const N: usize>(
    lines: &[[E; N]],
    layout: &Layout,
    place: Place,
    may_insert: bool,
) -> Found {
    let colour_mask = layout.colour_mask();
    let mut line = place.line as usize;
    let mut wanted = place.entry;
    let slot = layout.slot_of(wanted);
    for _ in 0..layout.reach() {
        for entry in around(&lines[line], slot) {
            let mut value = entry.get();
            if value == 0 {
                if !may_insert {
                    return Found::Absent;
                }
                match entry.swap(0, wanted) {
                    Ok(()) => return Found::New,
                    Err(other) => value = other,
                }
            }
            if value & !colour_mask == wanted {
                return Found::Known(value & colour_mask);
            }
        }
        line = next_line(line, lines.len());
        wanted += layout.step();
    }
    Found::Absent
}

fn find<'l, E: Entry, const N: usize>(
    lines: &'l [[E; N]],
    layout: &Layout,
    place: Place,
) -> Option<&'l E> {
    let mut line = place.line as usize;
    let mut wanted = place.entry;
    if place == Place::NONE {
        return None;
    }
    let slot = layout.slot_of(wanted);
    for _ in 0..layout.reach() {
        for entry in around(&lines[line], slot) {
            let value = entry.get();
            if value & !layout.colour_mask() == wanted {
                return Some(entry);
            }
            if value == 0 {
                return None;
            }
        }
        line = next_line(line, lines.len());
        wanted += layout.step();
    }
    None
}

/// The number of the entry of the key with this place, counted through all lines.
fn slot_of<E: Entry, const N: usize>(
    lines: &[[E; N]],
    layout: &Layout,
    place: Place,
) -> Option<usize> {
    let entry = std::ptr::from_ref(find(lines, layout, place)?).addr();
    Some((entry - lines.as_ptr().addr()) / size_of::<E>())
}

/// Changes the colour of an entry and returns the entry before the change. The entry is used, so no thread changes
/// anything but its colour.
fn recolour<E: Entry>(entry: &E, clear: u64, set: u64) -> u64 {
    let mut value = entry.get();
    loop {
        let new = value & !clear | set;
        if new == value {
            return value;
        }
        match entry.swap(value, new) {
            Ok(()) => return value,
            Err(other) => value = other,
        }
    }
}

/// The distance in lines between prefetching and reading.
const AHEAD: usize = 16;

/// Inserts all entries of a shard into new lines; returns their number.
fn move_all<E: Entry, const N: usize, F: Entry, const M: usize>(
    shard: usize,
    old: &[[E; N]],
    old_layout: &Layout,
    new: &[[F; M]],
    new_layout: &Layout,
) -> Result<u64, Full> {
    let mut used = 0;
    let start = new.as_ptr().addr();
    for (index, line) in old.iter().enumerate() {
        // Lines are filled in about the order in which the old ones are read.
        let soon = (index + AHEAD).min(old.len() - 1) * new.len() / old.len();
        prefetch(start + soon * LINE);
        let reader = old_layout.reader(index as u64);
        for entry in line.iter().map(Entry::get).filter(|&entry| entry != 0) {
            let place = reader.moved(shard, entry, new_layout);
            put(new, new_layout, place, entry & old_layout.colour_mask())?;
            used += 1;
        }
    }
    Ok(used)
}

/// Inserts an entry into lines; requires exclusive access.
#[inline(always)]
fn put<E: Entry, const N: usize>(
    lines: &[[E; N]],
    layout: &Layout,
    place: Place,
    colour: u64,
) -> Result<(), Full> {
    let mut line = place.line as usize;
    let mut value = place.entry | colour;
    let slot = layout.slot_of(value);
    for _ in 0..layout.reach() {
        if let Some(free) = around(&lines[line], slot).find(|entry| entry.get() == 0) {
            free.put(value);
            return Ok(());
        }
        line = next_line(line, lines.len());
        value += layout.step();
    }
    Err(Full)
}

#[cfg(test)]
mod tests {
    use super::super::quotient::{NUMBER_BITS, first_round, shard_of};
    use super::*;

    /// The keys of shard 3 among pairs of numbers below `2^bits`.
    fn keys(bits: u32) -> impl Iterator<Item = u64> {
        let numbers = 0..1u64 << (2 * bits);
        numbers
            .map(move |i| i & ((1 << bits) - 1) | i >> bits << NUMBER_BITS)
            .filter(|&key| shard_of(first_round(key)) == 3)
    }

    fn fill(
        memory: &Memory,
        colour_bits: u32,
        keys: impl Iterator<Item = u64>,
    ) -> (Shard, Vec<u64>) {
        let rules = Rules {
            memory: memory.clone(),
            colour_bits,
            shard: 3,
            reserve: 0,
            fill: Fill::Usual,
        };
        let mut shard = Shard::default();
        let mut extent = Extent::new(0, 1);
        let mut known = Vec::new();
        'keys: for key in keys {
            extent = extent.with(key);
            loop {
                let place = shard.layout.place(key, first_round(key));
                match shard.settle(place, true) {
                    Found::New => break,
                    Found::Known(_) => panic!("{key} was there"),
                    Found::Absent => match shard.replaced(&rules, extent) {
                        Ok(new) => shard = new,
                        Err(Full) => break 'keys,
                    },
                }
            }
            let place = shard.layout.place(key, first_round(key));
            let colour = (key % 7) & shard.layout.colour_mask();
            assert_eq!(shard.recolour(place, 0, colour), Some(0));
            known.push(key);
        }
        assert_eq!(memory.held(), shard.bytes());
        for &key in &known {
            let place = shard.layout.place(key, first_round(key));
            let colour = (key % 7) & shard.layout.colour_mask();
            assert_eq!(shard.colour(place), Some(colour));
            assert_eq!(shard.settle(place, true), Found::Known(colour));
        }
        (shard, known)
    }

    #[test]
    fn keys_and_colours_survive_growth() {
        for (bits, colour_bits) in [(9, 0), (10, 2), (11, 4)] {
            let memory = Memory::new(None);
            let (shard, known) = fill(&memory, colour_bits, keys(bits));
            assert!(matches!(shard.lines, Lines::Narrow(_)));
            let bytes = shard.bytes() as f64 / known.len() as f64;
            assert!((4.4..9.5).contains(&bytes), "{bytes} bytes a key");
        }
    }

    /// Keys that get longer and longer need entries of 8 bytes, until there are many.
    #[test]
    fn entries_become_wider() {
        let memory = Memory::new(None);
        let spread = keys(9).map(|key| key << 17).chain(keys(9).take(10));
        let spread = spread.filter(|&key| shard_of(first_round(key)) == 3);
        let (shard, known) = fill(&memory, 4, spread);
        assert!(known.len() > 100);
        assert!(matches!(shard.lines, Lines::Wide(_)));
    }

    #[test]
    fn the_limit_holds_and_is_used() {
        for limit in [0, 64, 100, 1000, 5000, 20_000, 100_000, 500_000] {
            let memory = Memory::new(Some(limit));
            let (_, known) = fill(&memory, 1, keys(12));
            assert!(memory.peak() <= limit);
            let bytes = limit as f64 / known.len().max(1) as f64;
            // Only one shard exists twice when it grows.
            assert!(
                limit < 1000 || bytes < 11.0,
                "{bytes} bytes a key of {limit}"
            );
        }
    }
}
