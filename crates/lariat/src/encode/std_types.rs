//! The encoding of the types of the standard library.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::marker::PhantomData;
use std::num::Wrapping;
use std::rc::Rc;
use std::sync::Arc;

use super::{Decoder, Encode, Encoder};

/// The longest sequence whose elements take no bits: words from outside cannot ask for more.
const MOST_WITHOUT_BITS: u64 = 1 << 16;

impl Encode for bool {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        out.bits(u32::from(*self), 1);
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(from.bits(1)? == 1)
    }
}

impl Encode for u8 {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        out.bits(u32::from(*self), 8);
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(from.bits(8)? as u8)
    }
}

impl Encode for i8 {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        self.cast_unsigned().encode(out);
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(u8::decode(from)?.cast_signed())
    }
}

/// Numbers of a type take few bits if they are small.
macro_rules! unsigned {
    ($($type:ty),*) => {$(
        impl Encode for $type {
            #[inline]
            fn encode(&self, out: &mut Encoder<'_>) {
                out.number(*self as u64, <$type>::BITS);
            }

            #[inline]
            fn decode(from: &mut Decoder<'_>) -> Option<Self> {
                Some(from.number(<$type>::BITS)? as $type)
            }
        }
    )*};
}

unsigned!(u16, u32, u64, usize);

/// Signed numbers: 0, -1, 1, -2, 2 and so on are numbered from 0 on, so that small ones of both signs take few bits.
macro_rules! signed {
    ($($type:ty),*) => {$(
        impl Encode for $type {
            #[inline]
            fn encode(&self, out: &mut Encoder<'_>) {
                let folded = (self << 1) ^ (self >> (<$type>::BITS - 1));
                folded.cast_unsigned().encode(out);
            }

            #[inline]
            fn decode(from: &mut Decoder<'_>) -> Option<Self> {
                let folded = from.number(<$type>::BITS)?;
                Some(((folded >> 1) as $type) ^ -((folded & 1) as $type))
            }
        }
    )*};
}

signed!(i16, i32, i64, isize);

impl Encode for u128 {
    fn encode(&self, out: &mut Encoder<'_>) {
        (*self as u64).encode(out);
        ((*self >> 64) as u64).encode(out);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let low = u64::decode(from)?;
        let high = u64::decode(from)?;
        Some(u128::from(high) << 64 | u128::from(low))
    }
}

impl Encode for char {
    fn encode(&self, out: &mut Encoder<'_>) {
        u32::from(*self).encode(out);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        char::from_u32(u32::decode(from)?)
    }
}

impl<T> Encode for PhantomData<T> {
    fn encode(&self, _: &mut Encoder<'_>) {}

    fn decode(_: &mut Decoder<'_>) -> Option<Self> {
        Some(PhantomData)
    }
}

impl<T: Encode> Encode for Option<T> {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        out.bits(u32::from(self.is_some()), 1);
        if let Some(value) = self {
            value.encode(out);
        }
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        match from.bits(1)? {
            0 => Some(None),
            _ => Some(Some(T::decode(from)?)),
        }
    }
}

impl<T: Encode, E: Encode> Encode for Result<T, E> {
    fn encode(&self, out: &mut Encoder<'_>) {
        out.bits(u32::from(self.is_err()), 1);
        match self {
            Ok(value) => value.encode(out),
            Err(error) => error.encode(out),
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        match from.bits(1)? {
            0 => Some(Ok(T::decode(from)?)),
            _ => Some(Err(E::decode(from)?)),
        }
    }
}

/// Types that hold one value.
macro_rules! holders {
    ($($holder:ident),*) => {$(
        impl<T: Encode> Encode for $holder<T> {
            #[inline]
            fn encode(&self, out: &mut Encoder<'_>) {
                T::encode(self, out);
            }

            #[inline]
            fn decode(from: &mut Decoder<'_>) -> Option<Self> {
                Some($holder::new(T::decode(from)?))
            }
        }
    )*};
}

holders!(Box, Rc, Arc);

impl<T: Encode> Encode for Wrapping<T> {
    fn encode(&self, out: &mut Encoder<'_>) {
        self.0.encode(out);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(Wrapping(T::decode(from)?))
    }
}

macro_rules! tuples {
    ($(($($name:ident),*))*) => {$(
        impl<$($name: Encode),*> Encode for ($($name,)*) {
            #[inline]
            #[allow(non_snake_case, unused_variables)]
            fn encode(&self, out: &mut Encoder<'_>) {
                let ($($name,)*) = self;
                $($name.encode(out);)*
            }

            #[inline]
            #[allow(non_snake_case, unused_variables)]
            fn decode(from: &mut Decoder<'_>) -> Option<Self> {
                $(let $name = $name::decode(from)?;)*
                Some(($($name,)*))
            }
        }
    )*};
}

tuples! {
    ()
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        self.iter().for_each(|value| value.encode(out));
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let mut complete = true;
        let values: [Option<T>; N] = std::array::from_fn(|_| {
            let value = if complete { T::decode(from) } else { None };
            complete = value.is_some();
            value
        });
        // A failure makes all that follows fail, so the last value tells about all.
        complete.then(|| values.map(|value| value.expect("all values were decoded")))
    }
}

#[inline]
fn encode_all<'a, T: Encode + 'a>(
    values: impl ExactSizeIterator<Item = &'a T>,
    out: &mut Encoder<'_>,
) {
    values.len().encode(out);
    values.for_each(|value| value.encode(out));
}

/// The elements of a sequence with its length.
#[inline]
fn decode_all<T: Encode>(from: &mut Decoder<'_>) -> Option<Vec<T>> {
    let length = usize::decode(from)?;
    decode_some(from, length)
}

/// So many elements.
#[inline]
fn decode_some<T: Encode>(from: &mut Decoder<'_>, length: usize) -> Option<Vec<T>> {
    let length = length as u64;
    let remaining = from.remaining();
    let mut values = Vec::with_capacity(length.min(remaining) as usize);
    for index in 0..length {
        values.push(T::decode(from)?);
        if from.remaining() == remaining && index >= MOST_WITHOUT_BITS {
            return None;
        }
    }
    Some(values)
}

impl<T: Encode> Encode for Vec<T> {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_all(self.iter(), out);
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        decode_all(from)
    }
}

impl<T: Encode> Encode for VecDeque<T> {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_all(self.iter(), out);
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        decode_all(from).map(VecDeque::from)
    }
}

impl<T: Encode> Encode for Box<[T]> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_all(self.iter(), out);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        decode_all(from).map(Vec::into_boxed_slice)
    }
}

impl Encode for String {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_all(self.as_bytes().iter(), out);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        String::from_utf8(decode_all(from)?).ok()
    }
}

impl<T: Encode + Ord> Encode for BTreeSet<T> {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_all(self.iter(), out);
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let length = usize::decode(from)?;
        if length > FEW {
            let values: Vec<T> = decode_some(from, length)?;
            let is_sorted = values.is_sorted_by(|a, b| a < b);
            return is_sorted.then(|| values.into_iter().collect());
        }
        let mut set = BTreeSet::new();
        for _ in 0..length {
            let value = T::decode(from)?;
            if set.last().is_some_and(|last| *last >= value) {
                return None;
            }
            set.insert(value);
        }
        Some(set)
    }
}

/// Up to so many entries are inserted one by one, which takes less time than to collect and sort them.
const FEW: usize = 8;

impl<K: Encode + Ord, V: Encode> Encode for BTreeMap<K, V> {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        self.len().encode(out);
        for (key, value) in self {
            key.encode(out);
            value.encode(out);
        }
    }

    #[inline]
    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let length = usize::decode(from)?;
        if length > FEW {
            let entries: Vec<(K, V)> = decode_some(from, length)?;
            let is_sorted = entries.is_sorted_by(|(a, _), (b, _)| a < b);
            return is_sorted.then(|| entries.into_iter().collect());
        }
        let mut map = BTreeMap::new();
        for _ in 0..length {
            let (key, value) = (K::decode(from)?, V::decode(from)?);
            if map.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return None;
            }
            map.insert(key, value);
        }
        Some(map)
    }
}
