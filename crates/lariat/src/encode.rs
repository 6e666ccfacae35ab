//! States as words.
//!
//! Searches and stores see a state as a sequence of 32-bit words. [`Encode`] turns a typed value into bits and back; the
//! bits of all parts follow one another without gaps, and the last word is filled up with zeros. A `bool` is one bit, a
//! variant of an enum as many as are needed to number all variants, and a small number in a wide type takes few bits.
//!
//! Two laws make a search over words as exact as one over values:
//!
//! - decoding what was encoded gives an equal value, so different values have different words;
//! - a value has one encoding only, so equal values have equal words. That is why there is no implementation for
//!   `HashMap` and `HashSet`, whose order is arbitrary: use `BTreeMap` and `BTreeSet`.
//!
//! Decoding accepts exactly the words that encoding makes, and answers `None` for all others.

mod std_types;

/// A value that can be turned into bits and back.
///
/// Derive it for structs and enums:
///
/// ```
/// use lariat::{Encode, decode, encode};
///
/// #[derive(Debug, PartialEq, Encode)]
/// enum Door {
///     Open,
///     Closed { locked: bool },
/// }
///
/// let words = encode(&(Door::Closed { locked: true }, 7u32));
/// assert_eq!(words.len(), 1);
/// assert_eq!(decode(&words), Some((Door::Closed { locked: true }, 7u32)));
/// assert_eq!(decode::<(Door, u32)>(&[u32::MAX]), None);
/// ```
///
/// A state with a `HashMap` is refused by the compiler:
///
/// ```compile_fail
/// #[derive(Debug, lariat::Encode)]
/// struct State {
///     votes: std::collections::HashMap<u8, bool>,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of the state of a model",
    label = "`Encode` is not implemented",
    note = "derive it with `#[derive(lariat::Encode)]`",
    note = "in place of `HashMap` and `HashSet`, whose order is arbitrary, use `BTreeMap` and `BTreeSet`"
)]
pub trait Encode: Sized {
    /// Appends the bits of the value.
    fn encode(&self, out: &mut Encoder<'_>);

    /// Takes the bits of a value; nothing if they are not those of any value.
    fn decode(from: &mut Decoder<'_>) -> Option<Self>;
}

/// The words of a value; at least one.
pub fn encode<T: Encode>(value: &T) -> Vec<u32> {
    let mut words = Vec::new();
    append(value, &mut words);
    words
}

/// Appends the words of a value; at least one.
#[inline]
pub(crate) fn append<T: Encode>(value: &T, words: &mut Vec<u32>) {
    let start = words.len();
    let mut encoder = Encoder {
        words,
        pending: 0,
        filled: 0,
    };
    value.encode(&mut encoder);
    let (rest, filled) = (encoder.pending as u32, encoder.filled);
    if filled > 0 || words.len() == start {
        words.push(rest);
    }
}

/// The value with these words; nothing if no value has them.
#[inline]
pub fn decode<T: Encode>(words: &[u32]) -> Option<T> {
    let mut decoder = Decoder {
        words,
        pending: 0,
        filled: 0,
    };
    let value = T::decode(&mut decoder)?;
    let rest = match decoder.words {
        // A value without bits has one word.
        [0] if words.len() == 1 => &[],
        rest => rest,
    };
    (rest.is_empty() && decoder.pending == 0 && !words.is_empty()).then_some(value)
}

/// Takes the bits of a value that is encoded.
///
/// ```
/// use lariat::{Decoder, Encode, Encoder, decode, encode};
///
/// /// A day of the week, from 0 to 6.
/// #[derive(Debug, PartialEq)]
/// struct Day(u32);
///
/// impl Encode for Day {
///     fn encode(&self, out: &mut Encoder<'_>) {
///         out.bits(self.0, 3);
///     }
///
///     fn decode(from: &mut Decoder<'_>) -> Option<Self> {
///         from.bits(3).filter(|day| *day < 7).map(Day)
///     }
/// }
///
/// assert_eq!(decode(&encode(&[Day(2), Day(6)])), Some([Day(2), Day(6)]));
/// assert_eq!(decode::<Day>(&[7]), None);
/// ```
#[derive(Debug)]
pub struct Encoder<'a> {
    words: &'a mut Vec<u32>,
    /// Bits that do not fill a word yet; fewer than 32.
    pending: u64,
    filled: u32,
}

impl Encoder<'_> {
    /// Appends the lowest `count` bits of a number, at most 32.
    #[inline(always)]
    pub fn bits(&mut self, value: u32, count: u32) {
        let value = u64::from(value) & ((1 << count) - 1);
        self.pending |= value << self.filled;
        self.filled += count;
        if self.filled >= 32 {
            self.words.push(self.pending as u32);
            self.pending >>= 32;
            self.filled -= 32;
        }
    }

    /// Appends a number: small ones take few bits, and one of `width` bits takes two more than that.
    #[inline]
    pub fn number(&mut self, value: u64, width: u32) {
        match value {
            0..16 => self.bits((value as u32) << 2, 6),
            16..256 => self.bits((value as u32) << 2 | 1, 10),
            256..65536 => self.bits((value as u32) << 2 | 2, 18),
            _ => {
                self.bits(3, 2);
                self.bits(value as u32, width.min(32));
                if width > 32 {
                    self.bits((value >> 32) as u32, width - 32);
                }
            }
        }
    }
}

/// Gives the bits of a value that is decoded.
#[derive(Debug)]
pub struct Decoder<'a> {
    words: &'a [u32],
    /// Bits of words that were taken and not given out yet; fewer than 32.
    pending: u64,
    filled: u32,
}

impl Decoder<'_> {
    /// The next bits, at most 32; nothing if there are not so many.
    #[inline(always)]
    pub fn bits(&mut self, count: u32) -> Option<u32> {
        if self.filled < count {
            let (first, rest) = self.words.split_first()?;
            self.words = rest;
            self.pending |= u64::from(*first) << self.filled;
            self.filled += 32;
        }
        let value = self.pending & ((1 << count) - 1);
        self.pending >>= count;
        self.filled -= count;
        Some(value as u32)
    }

    /// The next number, in a type of `width` bits. A number that was not written in the shortest way is not accepted.
    #[inline]
    pub fn number(&mut self, width: u32) -> Option<u64> {
        let (value, least) = match self.bits(2)? {
            0 => (u64::from(self.bits(4)?), 0),
            1 => (u64::from(self.bits(8)?), 16),
            2 => (u64::from(self.bits(16)?), 256),
            _ => {
                let low = u64::from(self.bits(width.min(32))?);
                let high = match width > 32 {
                    true => u64::from(self.bits(width - 32)?),
                    false => 0,
                };
                (high << 32 | low, 65536)
            }
        };
        (value >= least && (width == 64 || value >> width == 0)).then_some(value)
    }

    /// The bits that are left.
    #[inline]
    pub fn remaining(&self) -> u64 {
        self.words.len() as u64 * 32 + u64::from(self.filled)
    }
}
