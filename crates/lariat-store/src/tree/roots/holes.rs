//! Root tables with deletion.
//!
//! Without deletion, a lookup can stop at the first free entry. With it, that would miss entries behind a deleted
//! one. So these tables keep another invariant: *all lines between an entry and its home line are full*. A lookup
//! reads whole lines, and stops after the first one that is not full. Deleting an entry from a full line searches the
//! lines behind it for an entry that has passed this line, moves it into the gap, and continues with the gap that
//! this leaves (the deletion of linear probing: Knuth, "The Art of Computer Programming", volume 3, algorithm 6.4R;
//! here for lines instead of entries). So no entry is ever marked as deleted, and a deleted entry leaves no trace.
//!
//! Entries move, but no reference contains the position of an entry. The table requires exclusive access.

use super::{
    Entry, Lines, NARROW, Place, Rules, Shard, WIDE, around, next_line, recolour, usual_room,
};
use crate::memory::Full;
use crate::tree::quotient::Layout;

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// The key was present.
    Known,
    /// The key was absent and has been inserted.
    New,
    /// The key is absent: the shard is full.
    NoRoom,
}

/// Evaluates an expression with the lines of a shard, for both sizes of entries.
macro_rules! with_lines {
    ($shard:expr, $lines:ident => $body:expr) => {
        match &$shard.lines {
            Lines::Narrow($lines) => $body,
            Lines::Wide($lines) => $body,
        }
    };
}

impl Shard {
    /// The colour of the key with this place, if it is present.
    #[inline]
    pub fn get(&self, place: Place) -> Option<u64> {
        with_lines!(self, lines => {
            let found = find(lines, &self.layout, place)?;
            Some(found.entry(lines).get() & self.layout.colour_mask())
        })
    }

    /// Changes the colour of the key with this place and returns the old one, if it is present.
    pub fn paint(&self, place: Place, clear: u64, set: u64) -> Option<u64> {
        let mask = self.layout.colour_mask();
        with_lines!(self, lines => {
            let found = find(lines, &self.layout, place)?;
            Some(recolour(found.entry(lines), clear & mask, set & mask) & mask)
        })
    }

    /// Inserts the key with this place and a colour, unless it is present.
    pub fn put(&mut self, place: Place, colour: u64) -> Put {
        if place == Place::NONE {
            return Put::NoRoom;
        }
        let may_insert = self.seen + self.unreported < self.room;
        let put = with_lines!(self, lines => put(lines, &self.layout, place, colour, may_insert));
        if put == Put::New {
            self.count();
        }
        put
    }

    /// Removes the key with this place and returns its colour, if it is present.
    pub fn remove(&mut self, place: Place) -> Option<u64> {
        let colour = with_lines!(self, lines => {
            let found = find(lines, &self.layout, place)?;
            found.remove(lines, &self.layout)
        });
        self.count_removed();
        Some(colour)
    }

    /// Removes the entry with the lowest worth among a few, from a line chosen by `random` on, and returns its
    /// colour. `worth` is `None` for an entry that must stay, and zero for one that may be removed at once.
    pub fn evict(&mut self, random: u64, worth: impl Fn(u64) -> Option<u8>) -> Option<u64> {
        let colour = with_lines!(self, lines => evict(lines, &self.layout, random, worth))?;
        self.count_removed();
        Some(colour)
    }

    /// A shard with the keys of this one and half its lines, if they fit: see
    /// [`capacity_if_halved`](Self::capacity_if_halved).
    pub fn halved(&self, rules: &Rules) -> Result<Shard, Full> {
        let lines = self.lines() / 2;
        let narrow = self.narrow_layout(rules, lines);
        if self.len() > self.capacity_if_halved(rules) {
            return Err(Full);
        }
        if let Some(layout) = narrow {
            return self.moved_to_narrow(rules, layout, lines);
        }
        let layout = Layout::new(self.layout.extent, lines, rules.colour_bits, 64).ok_or(Full)?;
        self.moved_to_wide(rules, layout, lines)
    }

    /// The number of keys that fit into half the lines of this shard.
    pub fn capacity_if_halved(&self, rules: &Rules) -> u64 {
        let lines = self.lines() / 2;
        match self.narrow_layout(rules, lines) {
            Some(_) => usual_room(lines * NARROW),
            None => usual_room(lines * WIDE),
        }
    }

    fn narrow_layout(&self, rules: &Rules, lines: usize) -> Option<Layout> {
        Layout::new(self.layout.extent, lines, rules.colour_bits, 32)
    }

    /// The number of keys.
    pub fn len(&self) -> u64 {
        self.seen + self.unreported
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        with_lines!(self, lines => lines.len())
    }

    /// Calls `use_key` for each key of this shard, which has the number `shard`.
    pub fn for_each_key(&self, shard: usize, mut use_key: impl FnMut(u64)) {
        with_lines!(self, lines => for (index, line) in lines.iter().enumerate() {
            let reader = self.layout.reader(index as u64);
            for entry in line.iter().map(Entry::get).filter(|&entry| entry != 0) {
                use_key(reader.key(shard, entry));
            }
        });
    }

    fn count_removed(&mut self) {
        if self.unreported == 0 {
            self.report();
            self.used.fetch_sub(1, crate::sync::Ordering::Relaxed);
            self.seen -= 1;
        } else {
            self.unreported -= 1;
        }
    }
}

/// The position of an entry.
#[derive(Clone, Copy)]
struct Spot {
    line: usize,
    slot: usize,
}

impl Spot {
    fn entry<E, const N: usize>(self, lines: &[[E; N]]) -> &E {
        &lines[self.line][self.slot]
    }

    /// Removes the entry at this position, fills the gap, and returns its colour.
    fn remove<E: Entry, const N: usize>(self, lines: &[[E; N]], layout: &Layout) -> u64 {
        let colour = self.entry(lines).get() & layout.colour_mask();
        let mut hole = self;
        loop {
            let was_full = is_full(&lines[hole.line]);
            hole.entry(lines).put(0);
            if !was_full {
                return colour;
            }
            let Some((from, lines_back)) = passer(lines, layout, hole.line) else {
                return colour;
            };
            let moved = from.entry(lines).get() - lines_back * layout.step();
            hole.entry(lines).put(moved);
            hole = from;
        }
    }
}

/// An entry that has passed a line on the way from its home, and its distance from that line.
fn passer<E: Entry, const N: usize>(
    lines: &[[E; N]],
    layout: &Layout,
    passed: usize,
) -> Option<(Spot, u64)> {
    let mut line = passed;
    for behind in 1..layout.reach() {
        line = next_line(line, lines.len());
        let has_passed = |entry: &E| {
            let value = entry.get();
            value != 0 && layout.distance(value) >= behind
        };
        if let Some(slot) = lines[line].iter().position(has_passed) {
            return Some((Spot { line, slot }, behind));
        }
        if !is_full(&lines[line]) {
            return None;
        }
    }
    None
}

#[inline(always)]
fn is_full<E: Entry, const N: usize>(line: &[E; N]) -> bool {
    line.iter().all(|entry| entry.get() != 0)
}

/// The position of the key with this place.
#[inline(always)]
fn find<E: Entry, const N: usize>(lines: &[[E; N]], layout: &Layout, place: Place) -> Option<Spot> {
    if place == Place::NONE {
        return None;
    }
    let mut line = place.line as usize;
    let mut wanted = place.entry;
    for _ in 0..layout.reach() {
        let mut full = true;
        for (slot, entry) in lines[line].iter().enumerate() {
            let value = entry.get();
            if value & !layout.colour_mask() == wanted {
                return Some(Spot { line, slot });
            }
            full &= value != 0;
        }
        if !full {
            return None;
        }
        line = next_line(line, lines.len());
        wanted += layout.step();
    }
    None
}

fn put<E: Entry, const N: usize>(
    lines: &[[E; N]],
    layout: &Layout,
    place: Place,
    colour: u64,
    may_insert: bool,
) -> Put {
    let mut line = place.line as usize;
    let mut wanted = place.entry;
    for _ in 0..layout.reach() {
        let mut free = None;
        for (slot, entry) in lines[line].iter().enumerate() {
            let value = entry.get();
            if value & !layout.colour_mask() == wanted {
                return Put::Known;
            }
            if value == 0 {
                free = Some(slot);
            }
        }
        match free {
            Some(_) if !may_insert => return Put::NoRoom,
            Some(slot) => {
                lines[line][slot].put(wanted | colour & layout.colour_mask());
                return Put::New;
            }
            None => {}
        }
        line = next_line(line, lines.len());
        wanted += layout.step();
    }
    Put::NoRoom
}

/// Chooses lines at random, with a probability that grows with the number of their entries: full lines would
/// otherwise stay full, and make lookups long.
fn evict<E: Entry, const N: usize>(
    lines: &[[E; N]],
    layout: &Layout,
    random: u64,
    worth: impl Fn(u64) -> Option<u8>,
) -> Option<u64> {
    let worth = |entry: &E| match entry.get() {
        0 => None,
        value => worth(value & layout.colour_mask()),
    };
    if lines.is_empty() {
        return None;
    }
    let mut candidates = Candidates::default();
    let mut random = random;
    for _ in 0..TRIES {
        random = random.wrapping_mul(0xd129_0b26_88d2_90b5).wrapping_add(1);
        let line = ((u128::from(random) * lines.len() as u128) >> 64) as usize;
        // The middle bits have not chosen the line.
        let slot = (random >> 20) as usize % N;
        if lines[line][slot].get() != 0 && candidates.look_at(lines, line, slot, &worth) {
            break;
        }
    }
    if candidates.count == 0 {
        // Hardly any entry may be removed, or there are hardly any.
        let mut line = ((u128::from(random) * lines.len() as u128) >> 64) as usize;
        for _ in 0..lines.len() {
            if candidates.look_at(lines, line, 0, &worth) {
                break;
            }
            line = next_line(line, lines.len());
        }
    }
    let (_, spot) = candidates.least?;
    Some(spot.remove(lines, layout))
}

/// The number of positions that are tried before all are.
const TRIES: usize = 64;
/// An entry of positive worth is removed only if it has the lowest worth among so many.
const ENOUGH: usize = 16;

/// The entries that may be removed, of those that were inspected.
#[derive(Default)]
struct Candidates {
    count: usize,
    /// The one with the lowest worth.
    least: Option<(u8, Spot)>,
}

impl Candidates {
    /// Inspects the entries of a line, from a slot on; returns whether that is enough.
    fn look_at<E, const N: usize>(
        &mut self,
        lines: &[[E; N]],
        line: usize,
        first: usize,
        worth: &impl Fn(&E) -> Option<u8>,
    ) -> bool {
        for (turn, entry) in around(&lines[line], first).enumerate() {
            let Some(worth) = worth(entry) else { continue };
            self.count += 1;
            if self.least.is_none_or(|(other, _)| worth < other) {
                let slot = (first + turn) % N;
                self.least = Some((worth, Spot { line, slot }));
            }
            if worth == 0 || self.count >= ENOUGH {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::quotient::{Extent, NUMBER_BITS, first_round, shard_of};
    use super::super::Fill;
    use super::*;
    use crate::memory::Memory;
    use lariat_stats::stream;
    use std::collections::BTreeMap;

    const SHARD: usize = 3;

    /// The invariant of the module.
    fn check_invariant<E: Entry, const N: usize>(lines: &[[E; N]], layout: &Layout) {
        for (index, line) in lines.iter().enumerate() {
            for entry in line.iter().map(Entry::get).filter(|&entry| entry != 0) {
                for back in 1..=layout.distance(entry) as usize {
                    let passed = (index + lines.len() - back) % lines.len();
                    assert!(is_full(&lines[passed]), "line {passed} behind {index}");
                }
            }
        }
    }

    fn keys(bits: u32) -> Vec<u64> {
        let pairs = 0..1u64 << (2 * bits);
        pairs
            .map(|i| i & ((1 << bits) - 1) | i >> bits << NUMBER_BITS)
            .filter(|&key| shard_of(first_round(key)) == SHARD)
            .collect()
    }

    /// Random insertions, removals, evictions and changes of size agree with a map. The table is small and nearly
    /// full, so that lines overflow often.
    #[test]
    fn insertions_and_removals_agree_with_a_map() {
        for round in 0..60 {
            let mut rng = stream(1, "holes", round);
            let keys = keys(if round % 2 == 0 { 6 } else { 8 });
            let memory = Memory::new(None);
            let rules = Rules {
                memory: memory.clone(),
                colour_bits: 3,
                shard: SHARD,
                reserve: 0,
                fill: Fill::Usual,
            };
            let extent = Extent::new(1 << if round % 3 == 0 { 27 } else { 12 }, 1);
            let mut shard = Shard::default().replaced(&rules, extent).unwrap();
            let mut model = BTreeMap::new();
            let growth = [0.02, 0.3, 0.6][rng.index(3)];
            for _ in 0..4000 {
                let key = keys[rng.index(keys.len())];
                let place = shard.layout.place(key, first_round(key));
                match rng.below(10) {
                    0..5 => {
                        let colour = rng.below(8);
                        let expected = model.contains_key(&key);
                        match shard.put(place, colour) {
                            Put::Known => assert!(expected),
                            Put::New => assert_eq!(model.insert(key, colour), None),
                            Put::NoRoom => {
                                assert!(!expected);
                                if rng.chance(growth) {
                                    shard.report();
                                    shard = shard.replaced(&rules, extent).unwrap();
                                } else if let Ok(fuller) = shard.filled_further(extent) {
                                    shard = fuller;
                                }
                            }
                        }
                    }
                    5..7 => assert_eq!(shard.remove(place), model.remove(&key)),
                    7 => {
                        let set = rng.below(8);
                        let before = model.get_mut(&key).map(|c| std::mem::replace(c, set));
                        assert_eq!(shard.paint(place, 7, set), before);
                    }
                    8 if rng.chance(0.1) => {
                        shard.report();
                        while shard.len() > shard.capacity_if_halved(&rules) {
                            let Some(&key) = model.keys().next() else {
                                break;
                            };
                            model.remove(&key);
                            let place = shard.layout.place(key, first_round(key));
                            assert!(shard.remove(place).is_some());
                        }
                        if let Ok(smaller) = shard.halved(&rules) {
                            assert!(smaller.bytes() < shard.bytes());
                            shard = smaller;
                        }
                    }
                    8 => {
                        // Only even entries may be removed, and four before six.
                        let worth = |colour| (colour % 2 == 0).then_some((colour >= 6) as u8);
                        if let Some(colour) = shard.evict(rng.next_u64(), worth) {
                            assert_eq!(colour % 2, 0);
                            let mut left = Vec::new();
                            shard.for_each_key(SHARD, |key| left.push(key));
                            let gone: Vec<u64> = model.keys().copied().collect();
                            let gone: Vec<u64> =
                                gone.into_iter().filter(|key| !left.contains(key)).collect();
                            assert_eq!(gone.len(), 1);
                            assert_eq!(model.remove(&gone[0]), Some(colour));
                        } else {
                            assert!(model.values().all(|colour| colour % 2 == 1));
                        }
                    }
                    _ => assert_eq!(shard.get(place), model.get(&key).copied()),
                }
                assert_eq!(shard.len(), model.len() as u64);
            }
            with_lines!(shard, lines => check_invariant(lines, &shard.layout));
            for (&key, &colour) in &model {
                let place = shard.layout.place(key, first_round(key));
                assert_eq!(shard.get(place), Some(colour));
            }
        }
    }
}
