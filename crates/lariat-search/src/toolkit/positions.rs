//! Positions of states on a stack.
//!
//! A hash table that contains only positions: the states themselves are on the stack. With a byte of the hash beside
//! each position, a lookup compares hardly any other state than the right one. A slot costs 5 bytes, and at least
//! half of them are in use once there are a few.
//!
//! Positions are added and removed at the end only, as on a stack. So the last added position is removed first, no
//! later entry can have been displaced by it, and its slot is simply free again. When the table grows, the positions
//! are added again in their order.

use lariat_store::{Account, Full, Memory, StateRef};

/// Finds the states at the positions `0..len` of a stack. The caller provides the state at each position.
pub(crate) struct Positions {
    account: Account,
    /// A position, or [`FREE`].
    slots: Vec<u32>,
    /// A part of the hash of the state there.
    tags: Vec<u8>,
    len: u32,
}

const FREE: u32 = u32::MAX;

impl Positions {
    pub fn new(memory: &Memory) -> Self {
        Positions {
            account: memory.account(),
            slots: Vec::new(),
            tags: Vec::new(),
            len: 0,
        }
    }

    /// The number of positions.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// The position of a state.
    pub fn find(&self, state: StateRef, at: impl Fn(u32) -> StateRef) -> Option<u32> {
        self.find_where(state, |position| at(position) == state)
    }

    /// The position with this key at which `is_there` holds. Different positions may have the same key.
    pub fn find_where(&self, state: StateRef, is_there: impl Fn(u32) -> bool) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let hash = hash(state);
        let mut slot = self.home(hash);
        while self.slots[slot] != FREE {
            if self.tags[slot] == hash as u8 && is_there(self.slots[slot]) {
                return Some(self.slots[slot]);
            }
            slot = self.after(slot);
        }
        None
    }

    /// Adds the next position; the state there must not have another one.
    pub fn push(&mut self, state: StateRef, at: impl Fn(u32) -> StateRef) -> Result<(), Full> {
        if self.len as usize >= self.slots.len() / 5 * 4 {
            self.grow(at)?;
        }
        self.place(state);
        Ok(())
    }

    /// Removes the last position, which has this state.
    pub fn pop(&mut self, state: StateRef) {
        let Some(last) = self.len.checked_sub(1) else {
            return;
        };
        let mut slot = self.home(hash(state));
        while self.slots[slot] != last {
            if self.slots[slot] == FREE {
                return;
            }
            slot = self.after(slot);
        }
        self.slots[slot] = FREE;
        self.len = last;
    }

    fn place(&mut self, state: StateRef) {
        let hash = hash(state);
        let mut slot = self.home(hash);
        while self.slots[slot] != FREE {
            slot = self.after(slot);
        }
        self.slots[slot] = self.len;
        self.tags[slot] = hash as u8;
        self.len += 1;
    }

    fn grow(&mut self, at: impl Fn(u32) -> StateRef) -> Result<(), Full> {
        let old = self.slots.len();
        if self.len >= FREE - 1 {
            return Err(Full);
        }
        let needed = (old + old / 8).max(15);
        let wanted = (old + old / 2).max(15);
        let mut slots = Vec::new();
        let mut tags = Vec::new();
        let mut grow = |capacity| {
            self.account.grow(&mut slots, capacity)?;
            self.account.grow(&mut tags, capacity)
        };
        let capacity = match grow(wanted) {
            Ok(()) => wanted,
            Err(Full) => match grow(needed) {
                Ok(()) => needed,
                Err(Full) => {
                    self.account.discard(slots);
                    self.account.discard(tags);
                    return Err(Full);
                }
            },
        };
        slots.resize(capacity, FREE);
        tags.resize(capacity, 0);
        self.account
            .discard(std::mem::replace(&mut self.slots, slots));
        self.account
            .discard(std::mem::replace(&mut self.tags, tags));
        let len = std::mem::take(&mut self.len);
        (0..len).for_each(|position| self.place(at(position)));
        Ok(())
    }

    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    fn after(&self, slot: usize) -> usize {
        match slot + 1 == self.slots.len() {
            true => 0,
            false => slot + 1,
        }
    }
}

/// Mixes the bits of a reference (the finaliser of SplitMix64: Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
pub(crate) fn hash(state: StateRef) -> u64 {
    let mut bits = state.number().wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    #[test]
    fn positions_agree_with_the_stack() {
        for number in 0..50 {
            let mut rng = stream(1, "positions", number);
            let memory = Memory::new(None);
            let mut positions = Positions::new(&memory);
            let mut stack: Vec<StateRef> = Vec::new();
            // Few different states, so that collisions and absent states are common.
            for _ in 0..2000 {
                let state = StateRef::new(rng.below(1000) << (rng.below(2) * 32));
                let known = stack.iter().position(|&other| other == state);
                let found = positions.find(state, |at| stack[at as usize]);
                assert_eq!(found.map(|at| at as usize), known, "seed 1, {number}");
                if known.is_none() && rng.chance(0.6) {
                    stack.push(state);
                    positions.push(state, |at| stack[at as usize]).unwrap();
                } else if let Some(top) = stack.pop() {
                    positions.pop(top);
                }
                assert_eq!(positions.len() as usize, stack.len());
            }
        }
    }

    #[test]
    fn memory_is_bounded() {
        let memory = Memory::new(Some(1_000_000));
        let mut positions = Positions::new(&memory);
        let at = |at| StateRef::new(u64::from(at));
        while positions.push(at(positions.len()), at).is_ok() {}
        assert!(memory.peak() <= 1_000_000);
        assert!(positions.len() > 70_000, "{}", positions.len());
        for position in 0..positions.len() {
            assert_eq!(positions.find(at(position), at), Some(position));
        }
    }
}
