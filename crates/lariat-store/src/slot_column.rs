//! A column beside a set of states: a word for each of its slots, which several threads change.
//!
//! A search that goes over a set of states again and again, when no state is added any more, keeps what it knows about
//! each state here. The words are in memory of their own, in huge pages where the system has them, because they are
//! visited in no order at all.

use crate::memory::{Full, Memory};
use crate::pages::Region;
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// A word for each slot of a set; see [`Archive::slots`](crate::Archive::slots). All are zero at first.
#[derive(Debug)]
pub struct SlotColumn(Region<AtomicU32>);

impl SlotColumn {
    /// A column for so many slots.
    pub fn new(memory: &Memory, slots: u64) -> Result<Self, Full> {
        let slots = usize::try_from(slots).map_err(|_| Full)?;
        Ok(SlotColumn(Region::new(memory, slots)?))
    }

    /// The word of a slot.
    #[inline]
    pub fn get(&self, slot: u64) -> u32 {
        self.0[slot as usize].load(Ordering::Relaxed)
    }

    /// Sets bits in the word of a slot; returns what it was.
    #[inline]
    pub fn set_bits(&self, slot: u64, bits: u32) -> u32 {
        self.0[slot as usize].fetch_or(bits, Ordering::Relaxed)
    }

    /// Clears bits in the word of a slot; returns what it was.
    #[inline]
    pub fn clear_bits(&self, slot: u64, bits: u32) -> u32 {
        self.0[slot as usize].fetch_and(!bits, Ordering::Relaxed)
    }

    /// Adds to the word of a slot; returns what it was.
    #[inline]
    pub fn add(&self, slot: u64, number: u32) -> u32 {
        self.0[slot as usize].fetch_add(number, Ordering::Relaxed)
    }

    /// Subtracts from the word of a slot; returns what it was.
    #[inline]
    pub fn subtract(&self, slot: u64, number: u32) -> u32 {
        self.0[slot as usize].fetch_sub(number, Ordering::Relaxed)
    }

    /// Changes the word of a slot; returns what it was.
    #[inline]
    pub fn update(&self, slot: u64, change: impl Fn(u32) -> u32) -> u32 {
        let cell = &self.0[slot as usize];
        let result = cell.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |word| {
            Some(change(word))
        });
        result.unwrap_or_else(|word| word)
    }

    /// Changes all words, while no other thread uses the column.
    pub fn change_all(&mut self, change: impl Fn(u32) -> u32) {
        for cell in self.0.iter() {
            cell.store(change(cell.load(Ordering::Relaxed)), Ordering::Relaxed);
        }
    }
}

/// A word of 64 bits for each slot of a set, otherwise like a [`SlotColumn`].
#[derive(Debug)]
pub struct WideSlotColumn(Region<AtomicU64>);

impl WideSlotColumn {
    /// A column for so many slots.
    pub fn new(memory: &Memory, slots: u64) -> Result<Self, Full> {
        let slots = usize::try_from(slots).map_err(|_| Full)?;
        Ok(WideSlotColumn(Region::new(memory, slots)?))
    }

    /// The word of a slot.
    #[inline]
    pub fn get(&self, slot: u64) -> u64 {
        self.0[slot as usize].load(Ordering::Relaxed)
    }

    /// Sets bits in the word of a slot; returns what it was.
    #[inline]
    pub fn set_bits(&self, slot: u64, bits: u64) -> u64 {
        self.0[slot as usize].fetch_or(bits, Ordering::Relaxed)
    }

    /// Makes the word of a slot at least so large; returns what it was.
    #[inline]
    pub fn raise(&self, slot: u64, word: u64) -> u64 {
        self.0[slot as usize].fetch_max(word, Ordering::Relaxed)
    }

    /// Changes all words, while no other thread uses the column.
    pub fn change_all(&mut self, mut change: impl FnMut(u64) -> u64) {
        for cell in self.0.iter() {
            cell.store(change(cell.load(Ordering::Relaxed)), Ordering::Relaxed);
        }
    }
}
