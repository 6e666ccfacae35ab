//! The locks and atomic numbers of the shared stores, in one place, so that a test can put ones in
//! their stead that try out the orders in which threads may run.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
pub(crate) use std::sync::{Arc, Mutex, MutexGuard};
