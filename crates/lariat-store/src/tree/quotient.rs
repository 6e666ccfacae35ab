//! How a root pair is divided into a home line and a remainder.
//!
//! A table entry need not store the part of the key that follows from its place (Cleary, "Compact hash tables using
//! bidirectional linear probing", 1984; in tree compression: Laarman, "Optimal compression of combinatorial state
//! vectors", 2019). So the key is not hashed but permuted: a bijection on exactly as many bits as keys have at
//! present. The upper part of the result is the line, and a short remainder is stored, from which, with the line, the
//! key can be reconstructed.
//!
//! A key is a [`StateRef`](crate::StateRef): two node numbers of up to 28 bits and a class of up to 8 bits. With `n`
//! and `c` bits in use, three rounds of a Feistel network mix them; each exclusive-ors one part with a hash of the
//! other, which is invertible. The first round does not depend on `n` and `c`; after it, the lowest bits of one part
//! are the shard. So shards may differ in `n` and `c`, and each can be changed by itself.
//!
//! The line of a mixed key `h` of `k` bits is `h * lines / 2^k`, which works for any number of lines and
//! keeps the order, so a shard grows by reading from front to back and writing from front to back.
//! All `h` of a line are consecutive, at most `2^k / lines` of them (rounded up), so its lowest
//! `k - log2(lines)` bits (rounded up) are the remainder.

use crate::fold::fold;

/// The root table has `2^SHARD_BITS` shards.
pub(crate) const SHARD_BITS: u32 = 3;
const SHARD_MASK: u64 = (1 << SHARD_BITS) - 1;
/// The bits of a node number in a key, and of a class.
pub(crate) const NUMBER_BITS: u32 = 28;
pub(crate) const CLASS_BITS: u32 = 8;
/// A smaller change of the extent is not worth another rebuild.
const LEAST_NUMBER_BITS: u32 = 12;
/// The minimal number of bits of an entry for the distance from its home line.
const LEAST_STEP_BITS: u32 = 4;
const MOST_STEP_BITS: u32 = 8;

const SECRET: [u64; 3] = [
    0xa409_3822_299f_31d1,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
];
const FACTOR: [u64; 3] = [
    0xbe54_66cf_34e9_0c6d,
    0xc0ac_29b7_c97c_50dd,
    0x9216_d5d9_8979_fb1b,
];

#[inline(always)]
fn round<const N: usize>(part: u64) -> u64 {
    fold(part ^ SECRET[N], FACTOR[N])
}

#[inline(always)]
fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// The numbers of bits of node numbers and of classes in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    number_bits: u32,
    class_bits: u32,
}

impl Extent {
    /// The extent of keys with node numbers below `numbers` and classes below `classes`.
    pub fn new(numbers: u64, classes: u64) -> Self {
        let bits = |count: u64| u64::BITS - count.saturating_sub(1).leading_zeros();
        Extent {
            number_bits: bits(numbers).clamp(LEAST_NUMBER_BITS, NUMBER_BITS),
            class_bits: bits(classes).min(CLASS_BITS),
        }
    }

    /// The extent of keys with so many bits, at most 64, and such a key with the lowest bits of a number.
    pub fn of_bits(bits: u32) -> Self {
        let class_bits = bits.saturating_sub(2 * NUMBER_BITS).min(CLASS_BITS);
        Extent {
            number_bits: (bits - class_bits)
                .div_ceil(2)
                .clamp(LEAST_NUMBER_BITS, NUMBER_BITS),
            class_bits,
        }
    }

    /// A key of this extent, made of the lowest bits of a number; different numbers with as many bits as the extent give
    /// different keys.
    #[inline(always)]
    pub fn key(self, number: u64) -> u64 {
        let left = number & mask(self.number_bits);
        let right = number >> self.number_bits & mask(self.number_bits);
        let class = number >> (2 * self.number_bits) & mask(self.class_bits);
        left | right << NUMBER_BITS | class << (2 * NUMBER_BITS)
    }

    /// The smallest extent that contains this extent and this key.
    pub fn with(self, key: u64) -> Self {
        let bits = |part: u64| u64::BITS - part.leading_zeros();
        let numbers = key & mask(NUMBER_BITS) | key >> NUMBER_BITS & mask(NUMBER_BITS);
        Extent {
            number_bits: self.number_bits.max(bits(numbers)),
            class_bits: self.class_bits.max(bits(key >> (2 * NUMBER_BITS))),
        }
    }

    /// The union of two extents.
    pub fn union(self, other: Self) -> Self {
        Extent {
            number_bits: self.number_bits.max(other.number_bits),
            class_bits: self.class_bits.max(other.class_bits),
        }
    }

    /// Whether a key fits into so many bits.
    #[cfg(test)]
    fn has(self, key: u64) -> bool {
        key & !self.all_ones() == 0
    }

    /// The key with all bits set.
    fn all_ones(self) -> u64 {
        let number = mask(self.number_bits);
        number | number << NUMBER_BITS | mask(self.class_bits) << (2 * NUMBER_BITS)
    }

    /// The number of bits of a mixed key without its shard.
    fn mixed_bits(self) -> u32 {
        2 * self.number_bits + self.class_bits - SHARD_BITS
    }

    fn upper_bits(self) -> u32 {
        self.number_bits + self.class_bits
    }

    /// The mixed form of a key of this extent, without its shard.
    #[inline(always)]
    fn mix(self, key: u64, first: u64) -> u64 {
        let left = (first & mask(self.number_bits)) >> SHARD_BITS;
        let right = key >> NUMBER_BITS & mask(NUMBER_BITS);
        let upper = right | key >> (2 * NUMBER_BITS) << self.number_bits;
        let upper = upper ^ round::<1>(left) & mask(self.upper_bits());
        let left = left ^ round::<2>(upper) & mask(self.number_bits - SHARD_BITS);
        left << self.upper_bits() | upper
    }

    /// The key with this mixed form in this shard.
    fn unmix(self, shard: usize, mixed: u64) -> u64 {
        let upper = mixed & mask(self.upper_bits());
        let left = mixed >> self.upper_bits();
        let left = left ^ round::<2>(upper) & mask(self.number_bits - SHARD_BITS);
        let upper = upper ^ round::<1>(left) & mask(self.upper_bits());
        let class = upper >> self.number_bits;
        let above = upper & mask(self.number_bits) | class << NUMBER_BITS;
        let first = left << SHARD_BITS | shard as u64;
        let left = (first ^ round::<0>(above)) & mask(self.number_bits);
        left | above << NUMBER_BITS
    }
}

/// The first round: the lower number of a key mixed with everything above it. Only as many bits are significant as
/// numbers have.
#[inline(always)]
pub(crate) fn first_round(key: u64) -> u64 {
    (key & mask(NUMBER_BITS)) ^ round::<0>(key >> NUMBER_BITS)
}

/// The shard of a key, from its first round.
#[inline(always)]
pub(crate) fn shard_of(first: u64) -> usize {
    (first & SHARD_MASK) as usize
}

/// The layout of the entries of a shard. From the top: the remainder, the distance from the home line
/// plus one, the colour. So no entry is zero, which is a free slot.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub extent: Extent,
    colour_bits: u8,
    /// How far the remainder of an entry is shifted.
    remainder_shift: u8,
    /// How far a mixed key is shifted to fill 64 bits.
    scale: u8,
    /// Precomputed for [`Layout::place`]: the bits that no key of the extent has, and the masks of the parts of a
    /// mixed key.
    foreign: u64,
    left_mask: u64,
    upper_mask: u64,
    remainder_mask: u64,
    colour_mask: u64,
    step_mask: u64,
    lines: u64,
    /// The largest number of lines of a probe.
    reach: u64,
    /// The number of keys with the same home, in units of 2^-32, rounded down.
    keys_per_line: u128,
}

/// The home line of a key, and its entry without the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its entry in its home line, with colour 0; zero for a key that does not fit into the layout.
    pub entry: u64,
    /// Its home line.
    pub line: u32,
}

impl Place {
    /// The place of a key outside of the extent.
    pub const NONE: Place = Place { entry: 0, line: 0 };
}

impl Layout {
    /// A layout for entries of `entry_bits` bits; `None` if they are too short.
    pub fn new(extent: Extent, lines: usize, colour_bits: u32, entry_bits: u32) -> Option<Self> {
        let lines_bits = lines.checked_ilog2()?;
        let remainder_bits = extent.mixed_bits().saturating_sub(lines_bits);
        let free = entry_bits.checked_sub(remainder_bits + colour_bits)?;
        // Few lines need few steps: two more than the number of lines are always enough.
        let least = LEAST_STEP_BITS.min(lines_bits + 1);
        let step_bits = free.min(MOST_STEP_BITS);
        (free >= least).then_some(Layout {
            extent,
            colour_bits: colour_bits as u8,
            remainder_shift: (colour_bits + step_bits) as u8,
            scale: (u64::BITS - extent.mixed_bits()) as u8,
            foreign: !extent.all_ones(),
            left_mask: mask(extent.number_bits - SHARD_BITS),
            upper_mask: mask(extent.upper_bits()),
            remainder_mask: mask(remainder_bits),
            colour_mask: mask(colour_bits),
            step_mask: mask(step_bits),
            lines: lines as u64,
            reach: mask(step_bits).min(lines as u64),
            keys_per_line: (1 << (extent.mixed_bits() + 32)) / lines as u128,
        })
    }

    /// The place of a key, from its first round.
    #[inline(always)]
    pub fn place(&self, key: u64, first: u64) -> Place {
        if self.lines == 0 || key & self.foreign != 0 {
            return Place::NONE;
        }
        // The same as `Extent::mix`.
        let left = first >> SHARD_BITS & self.left_mask;
        let right = key >> NUMBER_BITS & mask(NUMBER_BITS);
        let upper = right | key >> (2 * NUMBER_BITS) << self.extent.number_bits;
        let upper = upper ^ round::<1>(left) & self.upper_mask;
        let left = left ^ round::<2>(upper) & self.left_mask;
        self.place_mixed(left << self.extent.upper_bits() | upper)
    }

    #[inline(always)]
    fn place_mixed(&self, mixed: u64) -> Place {
        let remainder = mixed & self.remainder_mask;
        Place {
            line: self.line_of(mixed) as u32,
            entry: remainder << self.remainder_shift | self.step(),
        }
    }

    /// The difference of the entries of a key in two consecutive lines.
    #[inline(always)]
    pub fn step(&self) -> u64 {
        1 << self.colour_bits
    }

    /// The largest number of lines of a probe.
    #[inline(always)]
    pub fn reach(&self) -> u64 {
        self.reach
    }

    /// The colour bits of an entry.
    #[inline(always)]
    pub fn colour_mask(&self) -> u64 {
        self.colour_mask
    }

    /// The distance of an entry from its home line.
    #[inline(always)]
    pub fn distance(&self, entry: u64) -> u64 {
        (entry >> self.colour_bits & self.step_mask) - 1
    }

    /// A reader of the entries of a line.
    #[inline(always)]
    pub fn reader(&self, line: u64) -> Reader<'_> {
        Reader {
            layout: self,
            line,
            start: self.first_of_line(line),
        }
    }

    /// The smallest mixed key whose home is `line`: `line * 2^k / lines`, rounded up.
    #[inline(always)]
    fn first_of_line(&self, line: u64) -> u64 {
        // Lines have less than 32 bits, so this is too small by less than two.
        let mut key = ((u128::from(line) * self.keys_per_line) >> 32) as u64;
        while self.line_of(key) < line {
            key += 1;
        }
        key
    }

    /// The home of a mixed key.
    #[inline(always)]
    fn line_of(&self, mixed: u64) -> u64 {
        let product = u128::from(mixed << self.scale) * u128::from(self.lines);
        (product >> 64) as u64
    }

    /// The index in a line at which a probe for an entry begins, before it is reduced to the length of a line.
    #[inline(always)]
    pub fn slot_of(&self, entry: u64) -> usize {
        (entry >> self.remainder_shift) as usize
    }
}

/// Reads the entries in a line.
pub(crate) struct Reader<'l> {
    layout: &'l Layout,
    line: u64,
    /// The smallest mixed key whose home is this line.
    start: u64,
}

impl Reader<'_> {
    /// The place of an entry in another layout.
    #[inline(always)]
    pub fn moved(&self, shard: usize, entry: u64, new: &Layout) -> Place {
        let mixed = self.read(entry);
        if self.layout.extent == new.extent {
            return new.place_mixed(mixed);
        }
        let key = self.layout.extent.unmix(shard, mixed);
        new.place_mixed(new.extent.mix(key, first_round(key)))
    }

    /// The key of an entry.
    pub fn key(&self, shard: usize, entry: u64) -> u64 {
        self.layout.extent.unmix(shard, self.read(entry))
    }

    /// The mixed key of an entry.
    #[inline(always)]
    fn read(&self, entry: u64) -> u64 {
        let layout = self.layout;
        let steps = layout.distance(entry);
        let start = match steps {
            0 => self.start,
            _ if self.line >= steps => layout.first_of_line(self.line - steps),
            _ => layout.first_of_line(self.line + layout.lines - steps),
        };
        let remainder = entry >> layout.remainder_shift;
        start + (remainder.wrapping_sub(start) & layout.remainder_mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;
    use std::collections::HashMap;

    fn key(left: u64, right: u64, class: u64) -> u64 {
        left | right << NUMBER_BITS | class << (2 * NUMBER_BITS)
    }

    #[test]
    fn mixing_can_be_undone() {
        let mut rng = stream(1, "mixing", 0);
        for numbers in 12..=28 {
            for classes in [0, 1, 5, 8] {
                let extent = Extent::new(1 << numbers, 1 << classes);
                for round in 0..200 {
                    let number = |bits: u64| {
                        if round == 0 {
                            bits
                        } else {
                            rng.next_u64() & bits
                        }
                    };
                    let number = &mut { number };
                    let key = key(
                        number(mask(numbers)),
                        number(mask(numbers)),
                        number(mask(classes)),
                    );
                    assert!(extent.has(key));
                    let first = first_round(key);
                    let mixed = extent.mix(key, first);
                    assert_eq!(mixed >> extent.mixed_bits(), 0);
                    assert_eq!(extent.unmix(shard_of(first), mixed), key);
                }
            }
        }
    }

    #[test]
    fn extents_grow_to_hold_a_key() {
        let extent = Extent::new(0, 1);
        assert!(extent.has(key(4095, 4095, 0)));
        for large in [
            key(4096, 0, 0),
            key(0, 1 << 27, 0),
            key(1, 1, 1),
            key(1, 1, 255),
        ] {
            assert!(!extent.has(large));
            assert!(extent.with(large).has(large));
            assert!(extent.with(large).has(key(4095, 4095, 0)));
        }
    }

    /// An entry determines its key, in every line, for any number of lines.
    #[test]
    fn entries_are_read_back() {
        let mut rng = stream(2, "entries", 0);
        for bits in [32, 64] {
            for lines in [1usize, 2, 3, 7, 64, 1000, 12_345, 1 << 20] {
                for numbers in [12, 17, 20, 28] {
                    let extent = Extent::new(1 << numbers, 3);
                    let Some(layout) = Layout::new(extent, lines, 2, bits) else {
                        assert!(bits == 32 && numbers > 12);
                        continue;
                    };
                    for _ in 0..200 {
                        let number = &mut || rng.next_u64() & mask(numbers);
                        let key = key(number(), number(), 2);
                        let first = first_round(key);
                        let place = layout.place(key, first);
                        assert_eq!(place, layout.place_mixed(extent.mix(key, first)));
                        let steps = rng.below(layout.reach());
                        let line = (u64::from(place.line) + steps) % lines as u64;
                        let entry = (place.entry + steps * layout.step()) | 3;
                        assert!(entry >> (bits - 1) <= 1);
                        let mixed = layout.reader(line).read(entry);
                        assert_eq!(extent.unmix(shard_of(first), mixed), key);
                    }
                }
            }
        }
    }

    /// Typical keys of models fill the lines of a shard as evenly as random ones: the fraction of entries that do not
    /// fit into lines of 16 stays near that of a random filling.
    #[test]
    fn structured_keys_spread_evenly() {
        const KEYS: u64 = 1 << 19;
        let families: [(&str, &dyn Fn(u64) -> u64); 6] = [
            ("one side", &|i| key(i, 0, 0)),
            ("other side", &|i| key(7, i, 0)),
            ("grid", &|i| key(i & 1023, i >> 10, 0)),
            ("flat grid", &|i| key(i & 7, i >> 3, 0)),
            ("steep grid", &|i| key(i >> 3, (i & 7) * 64, 0)),
            ("diagonal", &|i| key(i, i, 0)),
        ];
        let extent = Extent::new(KEYS, 1);
        let lines = (KEYS >> SHARD_BITS) as usize / 13;
        let layout = Layout::new(extent, lines, 0, 64).unwrap();
        for (name, family) in families {
            let mut counts: HashMap<(usize, u32), u32> = HashMap::new();
            for i in 0..KEYS {
                let first = first_round(family(i));
                let place = layout.place(family(i), first);
                *counts.entry((shard_of(first), place.line)).or_default() += 1;
            }
            let excess: u32 = counts.values().map(|count| count.saturating_sub(16)).sum();
            let share = f64::from(excess) / KEYS as f64;
            // Poisson with mean 13: 2.5 of 100 entries exceed their line.
            assert!(share < 0.035, "{name}: {share}");
        }
    }
}
