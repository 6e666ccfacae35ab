//! States as words: round trips, one encoding for each value, and words from outside.

use lariat::{Encode, decode, encode};
use lariat_stats::Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;
use std::marker::PhantomData;

#[derive(Clone, Debug, PartialEq, Eq, Encode)]
struct Everything {
    flag: bool,
    small: (u8, i8),
    numbers: [u64; 3],
    signed: (i16, i32, i64, isize),
    large: u128,
    text: String,
    letter: char,
    parts: Vec<Part<u16, 2>>,
    map: BTreeMap<u8, Option<Box<Part<u8, 1>>>>,
    set: BTreeSet<(bool, u32)>,
    queue: VecDeque<Result<usize, Unit>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode)]
enum Part<T: Clone, const N: usize>
where
    T: PartialEq,
{
    Nothing,
    One(T),
    Many { values: [T; N], r#type: Unit },
    Other(PhantomData<T>, u32),
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Eq, Encode)]
pub(crate) struct Pair<A, B = u8>(pub A, B);

/// A number of any size, often a small one.
fn number(rng: &mut Rng) -> u64 {
    rng.next_u64() >> rng.below(64)
}

fn list<T>(rng: &mut Rng, make: impl Fn(&mut Rng) -> T) -> Vec<T> {
    (0..rng.below(4)).map(|_| make(rng)).collect()
}

fn part<T: Clone + PartialEq, const N: usize>(
    rng: &mut Rng,
    make: impl Fn(&mut Rng) -> T,
) -> Part<T, N> {
    match rng.below(5) {
        0 => Part::Nothing,
        1 => Part::One(make(rng)),
        2 => Part::Many {
            values: std::array::from_fn(|_| make(rng)),
            r#type: Unit,
        },
        3 => Part::Other(PhantomData, number(rng) as u32),
        _ => Part::Last,
    }
}

fn everything(rng: &mut Rng) -> Everything {
    let entry = |rng: &mut Rng| {
        let value = part(rng, |rng| number(rng) as u8);
        (number(rng) as u8, rng.chance(0.5).then(|| Box::new(value)))
    };
    let signed = (
        number(rng) as i16,
        number(rng) as i32,
        number(rng) as i64,
        number(rng) as isize,
    );
    Everything {
        flag: rng.chance(0.5),
        small: (number(rng) as u8, number(rng) as i8),
        numbers: std::array::from_fn(|_| number(rng)),
        signed,
        large: u128::from(number(rng)) << rng.below(65),
        text: list(rng, |rng| char::from(number(rng) as u8))
            .into_iter()
            .collect(),
        letter: char::from_u32(number(rng) as u32).unwrap_or('x'),
        parts: list(rng, |rng| part(rng, |rng| number(rng) as u16)),
        map: list(rng, entry).into_iter().collect(),
        set: list(rng, |rng| (rng.chance(0.5), number(rng) as u32))
            .into_iter()
            .collect(),
        queue: list(rng, |rng| match rng.chance(0.5) {
            true => Ok(number(rng) as usize),
            false => Err(Unit),
        })
        .into(),
    }
}

#[test]
fn values_come_back() {
    let mut rng = Rng::new(1);
    for _ in 0..2000 {
        let (a, b) = (everything(&mut rng), everything(&mut rng));
        let (words_a, words_b) = (encode(&a), encode(&b));
        assert_eq!(decode(&words_a).as_ref(), Some(&a));
        assert_eq!(a == b, words_a == words_b);
    }
}

/// Words are either those of a value, or refused.
fn assert_canonical<T: Encode + Debug>(words: &[u32]) -> bool {
    match decode::<T>(words) {
        Some(value) => {
            assert_eq!(encode(&value), words, "{value:?}");
            true
        }
        None => false,
    }
}

#[test]
fn any_words_are_read_without_harm() {
    let mut rng = Rng::new(2);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut words = encode(&everything(&mut rng));
        let index = rng.index(words.len());
        match rng.below(4) {
            0 => words.truncate(index),
            1 => words.push(rng.next_u32() & 1),
            2 => words[index] = rng.next_u32(),
            _ => words[index] ^= 1 << rng.below(32),
        }
        accepted += u32::from(assert_canonical::<Everything>(&words));
    }
    assert!(accepted > 100, "{accepted}");
    for _ in 0..20_000 {
        let words: Vec<u32> = (0..rng.below(4)).map(|_| number(&mut rng) as u32).collect();
        assert_canonical::<Vec<()>>(&words);
        assert_canonical::<Vec<Vec<Unit>>>(&words);
        assert_canonical::<Vec<u8>>(&words);
        assert_canonical::<BTreeSet<u8>>(&words);
        assert_canonical::<(i16, u16, Pair<bool>)>(&words);
        assert_canonical::<()>(&words);
    }
}

/// Different values of a small type never share words, and the bits of a value end where they end.
#[test]
fn small_types_are_encoded_one_to_one() {
    let mut all = Vec::new();
    for bits in 0u32..256 {
        let value = |i: u32| match bits >> (2 + 2 * i) & 3 {
            0 => None,
            1 => Some(false),
            _ => Some(true),
        };
        let list: Vec<Option<bool>> = (0..bits % 4).map(value).collect();
        all.push((list, bits as u16 * 200));
    }
    all.sort();
    let mut words: Vec<Vec<u32>> = all.iter().map(encode).collect();
    words.sort();
    words.dedup();
    assert_eq!(words.len(), all.len());
    for first in &all {
        for second in [&all[0], &all[7], &all[all.len() - 1]] {
            let both = (first.clone(), second.clone());
            assert_eq!(decode(&encode(&both)), Some(both));
        }
    }
}

#[test]
fn small_states_are_small() {
    assert_eq!(encode(&()), [0]);
    assert_eq!(encode(&[true; 32]), [u32::MAX]);
    assert_eq!(encode(&vec![Some(Part::<u8, 1>::Nothing); 6]).len(), 1);
    assert_eq!(encode(&[3usize; 5]).len(), 1);
}
