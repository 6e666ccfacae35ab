//! Zeroed memory for large tables, directly from the system.
//!
//! A [`Region`] is a slice of atomic numbers, all zero at first, that any number of handles share; it is freed with
//! the last of them. Large regions are mapped: the system provides zeroed pages when they are first touched, so they
//! need not be written in advance, untouched pages cost nothing, and freeing returns them at once. Regions of several
//! megabytes ask for huge pages: a random access to ordinary pages of 4 KiB also misses the TLB.
#![allow(unsafe_code)]

use crate::memory::{Account, Full, Memory};
use std::alloc::Layout;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Regions of at least so many bytes are mapped, smaller ones come from the allocator.
const MAPPED: usize = 64 << 10;
/// The size of a huge page, and of the smallest region that asks for some.
const HUGE: usize = 2 << 20;
/// The size of an ordinary page.
const PAGE: usize = 4 << 10;
/// Every region starts at a cache line.
const LINE: usize = 64;

/// Types for which all-zero bytes are a value, which threads can share, and which need not be dropped.
///
/// # Safety
///
/// All of that has to hold, and the alignment must be at most that of a cache line.
pub(crate) unsafe trait Zeroed: Send + Sync {}

// SAFETY: an atomic number has the representation of a plain one, for which zero bytes are zero.
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU64 {}
// SAFETY: an array is its elements one behind the other.
unsafe impl<T: Zeroed, const N: usize> Zeroed for [T; N] {}

/// The address of elements that threads share.
#[derive(Debug)]
struct Start<T>(NonNull<T>);

// SAFETY: through the address a thread gets nothing but shared access to elements, which is what `Sync`
// allows. Memory is freed by the drop of its block alone, and any thread may do that.
unsafe impl<T: Sync> Send for Start<T> {}
// SAFETY: as above; a shared address gives no more than an address.
unsafe impl<T: Sync> Sync for Start<T> {}

impl<T> Clone for Start<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Start<T> {}

/// A shared slice that starts as zeros. Clones are the same memory.
#[derive(Debug)]
pub(crate) struct Region<T> {
    start: Start<T>,
    len: usize,
    /// Keeps the memory alive.
    block: Option<Arc<Block>>,
    marker: PhantomData<T>,
}

impl<T> Clone for Region<T> {
    fn clone(&self) -> Self {
        Region {
            start: self.start,
            len: self.len,
            block: self.block.clone(),
            marker: PhantomData,
        }
    }
}

impl<T> Default for Region<T> {
    /// A region without elements.
    fn default() -> Self {
        Region {
            start: Start(NonNull::dangling()),
            len: 0,
            block: None,
            marker: PhantomData,
        }
    }
}

impl<T: Zeroed> Region<T> {
    /// A region of `len` elements that draws on `memory`.
    pub fn new(memory: &Memory, len: usize) -> Result<Self, Full> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(Full)?;
        let mut account = memory.account();
        account.take(resident_bytes(bytes).ok_or(Full)? as u64)?;
        Self::allocate(len, Some(account), true)
    }

    /// A region of `len` elements that is not charged: its owner charges each piece of [`step`](Self::step) elements
    /// before it is first touched. Without huge pages these are small.
    pub fn reserve(len: usize, huge: bool) -> Result<Self, Full> {
        Self::allocate(len, None, huge)
    }

    /// The number of elements of the pieces in which a reserved region takes memory.
    pub fn step(&self, huge: bool) -> usize {
        let bytes = self.len * size_of::<T>();
        let step = if bytes < MAPPED {
            return self.len;
        } else if bytes < HUGE || !huge {
            PAGE
        } else {
            HUGE
        };
        step / size_of::<T>()
    }

    /// The address of the region, only for prefetching.
    pub fn address(&self) -> usize {
        self.start.0.addr().get()
    }

    /// The bytes that the elements take.
    #[cfg(test)]
    pub fn resident(&self) -> u64 {
        resident_bytes(self.len * size_of::<T>()).unwrap_or(0) as u64
    }

    fn allocate(len: usize, account: Option<Account>, huge: bool) -> Result<Self, Full> {
        const { assert!(align_of::<T>() <= LINE && size_of::<T>() > 0) }
        let bytes = len.checked_mul(size_of::<T>()).ok_or(Full)?;
        if bytes == 0 {
            return Ok(Region::default());
        }
        let block = Block::new(bytes, account, huge)?;
        Ok(Region {
            start: Start(block.start.0.cast()),
            len,
            block: Some(Arc::new(block)),
            marker: PhantomData,
        })
    }
}

impl<T: Zeroed> Deref for Region<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `len` elements in a block that lives as long as this handle (or
        // dangles and `len` is zero), aligned for `T`; they were zero at first, which is a value of
        // `T`, and have only been changed through shared references to `T`.
        unsafe { std::slice::from_raw_parts(self.start.0.as_ptr(), self.len) }
    }
}

/// The bytes that a region of this size takes when all of it is touched.
fn resident_bytes(bytes: usize) -> Option<usize> {
    if bytes < MAPPED {
        Some(bytes)
    } else {
        bytes.checked_next_multiple_of(PAGE)
    }
}

/// A piece of memory.
#[derive(Debug)]
struct Block {
    start: Start<u8>,
    bytes: usize,
    /// The account that is charged; dropped after the memory is freed.
    _account: Option<Account>,
}

impl Block {
    fn new(bytes: usize, account: Option<Account>, huge: bool) -> Result<Self, Full> {
        let start = if bytes < MAPPED {
            allocate(bytes)
        } else {
            system::map(bytes, huge)
        };
        Ok(Block {
            start: Start(start.ok_or(Full)?),
            bytes,
            _account: account,
        })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `new` has got this memory from the function that belongs to its size. A block is dropped
        // once, with the last region that keeps it.
        unsafe {
            if self.bytes < MAPPED {
                free(self.start.0, self.bytes);
            } else {
                system::unmap(self.start.0, self.bytes);
            }
        }
    }
}

/// Zeroed memory from the allocator.
fn allocate(bytes: usize) -> Option<NonNull<u8>> {
    let layout = Layout::from_size_align(bytes, LINE).ok()?;
    if bytes == 0 {
        return None;
    }
    // SAFETY: the size is not zero.
    NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })
}

/// Frees what `allocate` returned for the same number of bytes.
///
/// # Safety
///
/// It was not freed before, and is not used after.
unsafe fn free(start: NonNull<u8>, bytes: usize) {
    if let Ok(layout) = Layout::from_size_align(bytes, LINE) {
        // SAFETY: it was allocated with this layout; the rest is as the caller says.
        unsafe { std::alloc::dealloc(start.as_ptr(), layout) }
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use super::{HUGE, PAGE};
    use std::ptr::{NonNull, null_mut};

    /// Maps zeroed memory, aligned for huge pages if it may have some and is large enough.
    pub fn map(bytes: usize, huge: bool) -> Option<NonNull<u8>> {
        let bytes = bytes.checked_next_multiple_of(PAGE)?;
        if bytes < HUGE {
            return anonymous(bytes);
        }
        if !huge {
            let start = anonymous(bytes)?;
            // SAFETY: the advice concerns the mapping just made. Failing to advise changes nothing.
            unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_NOHUGEPAGE) };
            return Some(start);
        }
        let start = anonymous(bytes.checked_add(HUGE)?)?;
        // Unmap the part before the first border of a huge page, and the rest behind the end.
        let before = start.as_ptr().align_offset(HUGE);
        // SAFETY: `before` is less than `HUGE`, so this lies in the mapping.
        let aligned = unsafe { start.add(before) };
        if before > 0 {
            // SAFETY: the first `before` bytes of the mapping just made, which nothing refers to. If that
            // fails, they stay mapped and unused.
            unsafe { libc::munmap(start.as_ptr().cast(), before) };
        }
        // SAFETY: the mapping has `before + bytes + (HUGE - before)` bytes, so this lies in it.
        let rest = unsafe { aligned.add(bytes) };
        // SAFETY: the last `HUGE - before` bytes of the mapping, behind what is kept; as above.
        unsafe { libc::munmap(rest.as_ptr().cast(), HUGE - before) };
        // SAFETY: the advice concerns what is kept. Failing to advise changes nothing.
        unsafe { libc::madvise(aligned.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
        Some(aligned)
    }

    fn anonymous(bytes: usize) -> Option<NonNull<u8>> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new anonymous mapping touches no memory that exists.
        let start = unsafe { libc::mmap(null_mut(), bytes, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        NonNull::new(start.cast())
    }

    /// Frees what `map` returned for the same number of bytes.
    ///
    /// # Safety
    ///
    /// It was not freed before, and is not used after.
    pub unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
        // SAFETY: these are the pages that `map` has kept; the rest is as the caller says.
        unsafe { libc::munmap(start.as_ptr().cast(), bytes.next_multiple_of(PAGE)) };
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    pub use super::free as unmap;
    use std::ptr::NonNull;

    pub fn map(bytes: usize, _: bool) -> Option<NonNull<u8>> {
        super::allocate(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    /// Numbers of cache lines on both sides of all borders.
    #[cfg(not(miri))]
    const SIZES: [usize; 10] = [0, 1, 100, 1023, 1024, 5000, 32_767, 32_768, 40_001, 100_000];
    #[cfg(miri)]
    const SIZES: [usize; 4] = [0, 1, 1023, 1024];

    #[test]
    fn regions_of_all_sizes_are_zero_and_aligned() {
        let memory = Memory::new(None);
        for lines in SIZES {
            let region: Region<[AtomicU64; 8]> = Region::new(&memory, lines).unwrap();
            assert_eq!(region.len(), lines);
            assert_eq!(memory.held(), region.resident());
            let other = region.clone();
            for line in region.iter() {
                assert!(line.iter().all(|word| word.load(Relaxed) == 0));
                line[7].store(1, Relaxed);
            }
            assert!(lines == 0 || region.address().is_multiple_of(64));
            drop(region);
            assert!(other.iter().all(|line| line[7].load(Relaxed) == 1));
            drop(other);
            assert_eq!(memory.held(), 0);
        }
    }

    #[test]
    fn absurd_sizes_are_refused() {
        let memory = Memory::new(Some(1 << 20));
        assert!(Region::<[AtomicU64; 8]>::new(&memory, usize::MAX / 8).is_err());
        assert!(Region::<[AtomicU64; 8]>::new(&memory, usize::MAX / 64).is_err());
        assert!(Region::<AtomicU64>::new(&memory, (1 << 17) + 1).is_err());
        assert!(Region::<AtomicU64>::reserve(usize::MAX / 16, true).is_err());
        assert_eq!(memory.held(), 0);
        assert!(Region::<AtomicU64>::new(&memory, 1 << 17).is_ok());
    }

    #[test]
    #[cfg_attr(miri, ignore = "needs memory that is allocated on first touch")]
    fn reserved_memory_is_not_charged() {
        for (huge, step) in [(true, HUGE / 8), (false, PAGE / 8)] {
            let region = Region::<AtomicU64>::reserve(1 << 30, huge).unwrap();
            assert_eq!(region.step(huge), step);
            region[(1 << 30) - 1].store(3, Relaxed);
            assert_eq!(region[0].load(Relaxed), 0);
        }
    }
}
