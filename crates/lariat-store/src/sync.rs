//! The locks and atomics of the shared stores, in one place, so that a test can replace them by ones that enumerate
//! schedules of threads.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
pub(crate) use std::sync::{Arc, Mutex, MutexGuard};
