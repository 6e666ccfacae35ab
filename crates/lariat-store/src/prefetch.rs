//! Prefetching of cache lines.
//!
//! A line that is not in any cache takes about 100 nanoseconds to arrive. A thread that prefetches it early and works
//! on something else does not wait.
#![allow(unsafe_code)]

/// Prefetches the line at `address`. Any number is allowed: an invalid address has no effect.
#[inline(always)]
pub(crate) fn prefetch(address: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of every x86-64 processor; a prefetch never faults and changes
        // nothing that a program can see, whatever the address.
        unsafe { _mm_prefetch(std::ptr::without_provenance(address), _MM_HINT_T0) }
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        // SAFETY: PRFM never faults and changes nothing that a program can see.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{0}]", in(reg) address,
                options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = address;
}
