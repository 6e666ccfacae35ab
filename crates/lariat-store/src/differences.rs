//! Which words of two states differ.
//!
//! Every successor is compared with its predecessor, so the comparison takes as few instructions as possible.
#![allow(unsafe_code)]

/// How many words are compared at a time where there are enough, and how many near the end.
pub(crate) const BLOCK: usize = 16;
pub(crate) const SMALL: usize = 4;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use sse2::{among_few, among_many};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use {among as among_few, among as among_many};

/// A bit for each word that differs.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
fn among<const N: usize>(a: &[u32; N], b: &[u32; N]) -> u32 {
    (0..N).fold(0, |bits, k| bits | u32::from(a[k] != b[k]) << k)
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2 {
    use super::{BLOCK, SMALL};
    use std::arch::x86_64::{
        __m128i, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8,
        _mm_movemask_ps, _mm_packs_epi16, _mm_packs_epi32,
    };

    /// All ones for each word that is equal.
    #[inline(always)]
    fn equal(a: &[u32; SMALL], b: &[u32; SMALL]) -> __m128i {
        let (a, b) = (a.as_ptr(), b.as_ptr());
        // SAFETY: both point to four words, which are borrowed, and these loads need no alignment. This
        // module exists only where SSE2 does.
        unsafe { _mm_cmpeq_epi32(_mm_loadu_si128(a.cast()), _mm_loadu_si128(b.cast())) }
    }

    /// A bit for each word that differs.
    #[inline(always)]
    pub(crate) fn among_few(a: &[u32; SMALL], b: &[u32; SMALL]) -> u32 {
        // SAFETY: works on registers alone, and this module exists only where SSE2 does.
        let bits = unsafe { _mm_movemask_ps(_mm_castsi128_ps(equal(a, b))) };
        bits as u32 ^ 0xf
    }

    /// A bit for each word that differs.
    #[inline(always)]
    pub(crate) fn among_many(a: &[u32; BLOCK], b: &[u32; BLOCK]) -> u32 {
        let (a, b) = (a.as_chunks().0, b.as_chunks().0);
        // SAFETY: as in `among_few`. Packing keeps all ones and zeros what they are.
        let bits = unsafe {
            let left = _mm_packs_epi32(equal(&a[0], &b[0]), equal(&a[1], &b[1]));
            let right = _mm_packs_epi32(equal(&a[2], &b[2]), equal(&a[3], &b[3]));
            _mm_movemask_epi8(_mm_packs_epi16(left, right))
        };
        bits as u32 ^ 0xffff
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    #[test]
    fn every_difference_is_seen() {
        let mut rng = stream(1, "differences", 0);
        for _ in 0..if cfg!(miri) { 100 } else { 10_000 } {
            let a: [u32; BLOCK] = std::array::from_fn(|_| rng.next_u64() as u32);
            let mut b = a;
            let expected = (rng.next_u64() & rng.next_u64()) as u32 & 0xffff;
            for (k, word) in b.iter_mut().enumerate() {
                if expected >> k & 1 == 1 {
                    *word ^= 1 << rng.below(32);
                }
            }
            assert_eq!(among_many(&a, &b), expected);
            let few = |words: &[u32; BLOCK]| *words.first_chunk().unwrap();
            assert_eq!(among_few(&few(&a), &few(&b)), expected & 15);
        }
    }
}
