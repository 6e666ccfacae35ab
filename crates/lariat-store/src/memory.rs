//! The memory of a search: one limit, and an account for each part.
//!
//! A [`Memory`] is shared by all parts of a search. Each part has an [`Account`] that allocates for it and refuses an
//! allocation that would exceed the limit. While a vector moves to a larger allocation, both are charged, because
//! both exist at that moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The limit does not allow the allocation, or the system has no memory left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A limit on memory that several accounts share. Clones are the same memory.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: u64,
    /// The part of the limit that only [`Account::set`] may use.
    reserve: u64,
    held: AtomicU64,
    peak: AtomicU64,
}

impl Memory {
    /// Memory of at most `limit` bytes.
    pub fn new(limit: Option<u64>) -> Self {
        Memory::with_reserve(limit, 0)
    }

    /// Memory of at most `limit` bytes, of which a part is kept for buffers that are charged after they have grown: `reserve`
    /// bytes, or a sixteenth of a small limit.
    pub fn with_reserve(limit: Option<u64>, reserve: u64) -> Self {
        Memory(Arc::new(Shared {
            limit: limit.unwrap_or(u64::MAX),
            reserve: limit.map_or(0, |limit| reserve.min(limit / 16)),
            held: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        }))
    }

    /// An empty account of this memory.
    pub fn account(&self) -> Account {
        Account {
            memory: self.clone(),
            held: 0,
        }
    }

    /// The bytes that all accounts hold now.
    pub fn held(&self) -> u64 {
        self.0.held.load(Ordering::Relaxed)
    }

    /// The largest sum of all accounts, the moments of growth included.
    pub fn peak(&self) -> u64 {
        self.0.peak.load(Ordering::Relaxed)
    }

    /// The limit; the largest number if there is none.
    pub fn limit(&self) -> u64 {
        self.0.limit
    }

    /// Whether less memory is free than half of what is charged, so that growth should be by small steps.
    pub fn is_tight(&self) -> bool {
        let held = self.held();
        self.0.limit.saturating_sub(held) < held / 2
    }

    /// Whether more is charged than the limit allows. Only [`Account::set`] leads there.
    pub fn is_overdrawn(&self) -> bool {
        self.held() > self.0.limit
    }

    fn try_charge(&self, bytes: u64) -> Result<(), Full> {
        let most = self.0.limit - self.0.reserve;
        let within = |held: u64| held.checked_add(bytes).filter(|&sum| sum <= most);
        let before = self
            .0
            .held
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, within);
        let before = before.map_err(|_| Full)?;
        self.0.peak.fetch_max(before + bytes, Ordering::Relaxed);
        Ok(())
    }

    fn charge(&self, bytes: u64) {
        let before = self.0.held.fetch_add(bytes, Ordering::Relaxed);
        self.0.peak.fetch_max(before + bytes, Ordering::Relaxed);
    }

    fn release(&self, bytes: u64) {
        self.0.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The part of a [`Memory`] that one part of a search holds. Dropping it releases everything.
#[derive(Debug)]
pub struct Account {
    memory: Memory,
    held: u64,
}

impl Account {
    /// The bytes that this account holds.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Whether less memory is free than half of what is charged, so that growth should be by small steps.
    pub fn is_tight(&self) -> bool {
        self.memory.is_tight()
    }

    /// Charges `bytes` to this account, if the limit allows it, for memory that the caller allocates itself.
    pub fn take(&mut self, bytes: u64) -> Result<(), Full> {
        self.memory.try_charge(bytes)?;
        self.held += bytes;
        Ok(())
    }

    /// Releases bytes that [`take`](Self::take) has charged.
    pub fn release(&mut self, bytes: u64) {
        self.give_back(bytes.min(self.held));
    }

    /// Gives `vec` exactly the requested capacity, if that is more than it has.
    pub fn grow<T>(&mut self, vec: &mut Vec<T>, capacity: usize) -> Result<(), Full> {
        let old = vec.capacity();
        if capacity <= old || size_of::<T>() == 0 {
            return Ok(());
        }
        let bytes = capacity_bytes::<T>(capacity).ok_or(Full)?;
        self.memory.try_charge(bytes)?;
        self.held += bytes;
        if vec.try_reserve_exact(capacity - vec.len()).is_err() {
            self.give_back(bytes);
            return Err(Full);
        }
        debug_assert_eq!(vec.capacity(), capacity);
        self.give_back((old * size_of::<T>()) as u64);
        Ok(())
    }

    /// Reserves memory for one more element by doubling, or by less where doubling does not fit.
    pub fn grow_for_push<T>(&mut self, vec: &mut Vec<T>) -> Result<(), Full> {
        if vec.len() < vec.capacity() {
            return Ok(());
        }
        let needed = vec.len() + 1;
        self.grow_at_best(vec, needed, (2 * vec.capacity()).max(4))
    }

    /// Grows `vec` to the capacity `wanted`, or else to a capacity between that and `needed`.
    pub fn grow_at_best<T>(
        &mut self,
        vec: &mut Vec<T>,
        needed: usize,
        wanted: usize,
    ) -> Result<(), Full> {
        let wanted = wanted.max(needed);
        let spare = wanted - needed;
        [wanted, needed + spare / 4, needed + spare / 16, needed]
            .into_iter()
            .find_map(|capacity| self.grow(vec, capacity).ok())
            .ok_or(Full)
    }

    /// Frees `vec`, which this account has grown.
    pub fn discard<T>(&mut self, vec: Vec<T>) {
        let bytes = vec.capacity() * size_of::<T>();
        drop(vec);
        self.give_back(bytes as u64);
    }

    /// Sets the charge of this account to `bytes`, even beyond the limit: for buffers that other code fills.
    /// [`Memory::is_overdrawn`] tells whether the limit is exceeded.
    pub fn set(&mut self, bytes: u64) {
        // All threads share the sum: it is not written if it does not change.
        if bytes == self.held {
            return;
        }
        if bytes > self.held {
            self.memory.charge(bytes - self.held);
            self.held = bytes;
        } else {
            self.give_back(self.held - bytes);
        }
    }

    fn give_back(&mut self, bytes: u64) {
        self.held -= bytes;
        self.memory.release(bytes);
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.memory.release(self.held);
    }
}

fn capacity_bytes<T>(capacity: usize) -> Option<u64> {
    let bytes = capacity.checked_mul(size_of::<T>())?;
    u64::try_from(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_counts_both_copies() {
        let memory = Memory::new(Some(100));
        let mut account = memory.account();
        let mut vec: Vec<u32> = Vec::new();
        account.grow(&mut vec, 10).unwrap();
        assert_eq!((memory.held(), memory.peak()), (40, 40));
        assert_eq!(account.grow(&mut vec, 16), Err(Full));
        account.grow(&mut vec, 15).unwrap();
        assert_eq!((memory.held(), memory.peak()), (60, 100));
        account.discard(vec);
        assert_eq!((memory.held(), account.held()), (0, 0));
    }

    #[test]
    fn accounts_share_the_limit() {
        let memory = Memory::new(Some(100));
        let mut other = memory.account();
        let mut vec: Vec<u8> = Vec::new();
        other.set(80);
        assert_eq!(memory.account().grow(&mut vec, 21), Err(Full));
        assert!(!memory.is_overdrawn());
        other.set(101);
        assert!(memory.is_overdrawn());
        drop(other);
        assert_eq!((memory.held(), memory.peak()), (0, 101));
    }

    #[test]
    fn absurd_sizes_are_refused() {
        let memory = Memory::new(None);
        let mut vec: Vec<u64> = Vec::new();
        assert_eq!(memory.account().grow(&mut vec, usize::MAX), Err(Full));
        assert_eq!(memory.account().grow(&mut vec, usize::MAX / 8), Err(Full));
        assert_eq!(memory.held(), 0);
    }

    #[test]
    fn growth_uses_the_remaining_memory() {
        let memory = Memory::new(Some(1000));
        let mut account = memory.account();
        let mut vec: Vec<u8> = Vec::new();
        while account.grow_for_push(&mut vec).is_ok() {
            vec.push(0);
            assert!(memory.peak() <= 1000);
        }
        assert!(vec.len() > 400, "{}", vec.len());
    }
}
