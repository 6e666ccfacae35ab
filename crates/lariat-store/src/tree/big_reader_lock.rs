//! A big-reader lock: threads work with the tables, or one thread replaces them.
//!
//! Each thread has a *reader lock* of its own, with handles to all shards behind it. A thread that works with the
//! tables holds its reader lock, which is cheap because it is uncontended. A thread that replaces a shard takes all
//! reader locks, puts the new shard behind each of them, and releases them. So
//!
//! - no shard is replaced while a thread holds its reader lock;
//! - a thread that replaces a shard has exclusive access: accesses by others before they released their locks
//!   happened before, and later ones use the new shard. No insertion is lost in an old shard;
//! - an old shard is freed as soon as the last reader lock has the new one.
//!
//! Locks are taken in one order: first the master copy, then reader locks, then the list of free node numbers. A
//! thread releases its reader lock before it takes the master copy, so there is no deadlock. A thread that wants all
//! reader locks sets a flag, which makes the others queue behind it; otherwise threads that always hold their reader
//! locks could starve it.

use super::{index, quotient, roots};
use crate::sync::{Arc, AtomicBool, Mutex, MutexGuard, Ordering};
use std::sync::PoisonError;

/// The tables as one thread sees them.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub roots: Vec<roots::Shard>,
    pub index: Vec<index::Shard>,
    /// How many times a shard of the root table has been replaced.
    pub version: u64,
    /// How many new states this thread may still insert.
    pub permits: u64,
}

impl View {
    fn new() -> Self {
        View {
            roots: vec![roots::Shard::default(); 1 << quotient::SHARD_BITS],
            index: vec![index::Shard::default(); 1 << index::SHARD_BITS],
            version: 0,
            permits: 0,
        }
    }

    /// The bytes of a view, without the tables.
    pub fn bytes() -> usize {
        (size_of::<roots::Shard>() << quotient::SHARD_BITS)
            + (size_of::<index::Shard>() << index::SHARD_BITS)
            + size_of::<ReaderLock>()
    }
}

/// The lock of one thread. It has its own cache lines.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct ReaderLock(Mutex<View>);

impl ReaderLock {
    fn lock(&self) -> MutexGuard<'_, View> {
        // A poisoned lock: the view is intact, because no panic can happen between two changes that belong together.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All reader locks.
#[derive(Debug)]
pub(crate) struct BigReaderLock {
    /// A thread waits for all reader locks.
    closed: AtomicBool,
    master: Mutex<Master>,
}

/// The data that one thread at a time accesses.
#[derive(Debug)]
pub(crate) struct Master {
    readers: Vec<Arc<ReaderLock>>,
    /// The present shards, for new reader locks, and the permits that no thread has.
    pub view: View,
}

impl BigReaderLock {
    /// A lock for empty tables, with permits for `permits` states.
    pub fn new(permits: u64) -> Self {
        let mut view = View::new();
        view.permits = permits;
        BigReaderLock {
            closed: AtomicBool::new(false),
            master: Mutex::new(Master {
                readers: Vec::new(),
                view,
            }),
        }
    }

    fn master(&self) -> MutexGuard<'_, Master> {
        self.master.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reader lock for a new thread.
    pub fn reader(&self) -> Arc<ReaderLock> {
        let mut master = self.master();
        let view = View {
            permits: 0,
            ..master.view.clone()
        };
        let reader = Arc::new(ReaderLock(Mutex::new(view)));
        master.readers.push(Arc::clone(&reader));
        reader
    }

    /// Access to the tables, for as long as the thread keeps the guard.
    #[inline]
    pub fn enter<'d>(&self, reader: &'d ReaderLock) -> MutexGuard<'d, View> {
        // The flag is only for fairness: correctness does not depend on when it is seen.
        if self.closed.load(Ordering::Relaxed) {
            drop(self.master());
        }
        reader.lock()
    }

    /// Calls `work` with exclusive access to the tables. Must not be called by a thread that holds its reader lock.
    /// `work` gets the master's view and those of all threads.
    pub fn exclusive<R>(&self, work: impl FnOnce(&mut View, &mut [&mut View]) -> R) -> R {
        let mut master = self.master();
        self.exclusive_with(&mut master, work)
    }

    /// As [`exclusive`](Self::exclusive); `work` also gets the number of the given reader lock.
    fn exclusive_at<R>(
        &self,
        reader: &Arc<ReaderLock>,
        work: impl FnOnce(&mut View, &mut [&mut View], usize) -> R,
    ) -> R {
        let mut master = self.master();
        let mine = master
            .readers
            .iter()
            .position(|other| Arc::ptr_eq(other, reader));
        let mine = mine.unwrap_or(usize::MAX);
        self.exclusive_with(&mut master, |view, views| work(view, views, mine))
    }

    fn exclusive_with<R>(
        &self,
        master: &mut Master,
        work: impl FnOnce(&mut View, &mut [&mut View]) -> R,
    ) -> R {
        self.closed.store(true, Ordering::Relaxed);
        let readers = std::mem::take(&mut master.readers);
        let result = {
            let mut guards: Vec<_> = readers.iter().map(|reader| reader.lock()).collect();
            let mut views: Vec<&mut View> = guards.iter_mut().map(|guard| &mut **guard).collect();
            work(&mut master.view, &mut views)
        };
        master.readers = readers;
        remove_unused_readers(master);
        self.closed.store(false, Ordering::Relaxed);
        result
    }

    /// Moves permits to a thread that has none. Returns whether there were any, in the master copy or with other
    /// threads.
    pub fn take_permits(&self, reader: &Arc<ReaderLock>) -> bool {
        self.exclusive_at(reader, |master, views, mine| {
            for view in views.iter_mut() {
                master.permits += std::mem::take(&mut view.permits);
            }
            // Large portions while there are many, so that this is rare.
            let portion = (master.permits / 8).clamp(1, 1 << 40).min(master.permits);
            master.permits -= portion;
            if let Some(view) = views.get_mut(mine) {
                view.permits = portion;
            }
            portion > 0
        })
    }

    /// The bytes of the tables, counted again; for tests of the accounting.
    #[cfg(test)]
    pub fn audit(&self) -> u64 {
        let master = self.master();
        let roots: u64 = master.view.roots.iter().map(roots::Shard::bytes).sum();
        let index: u64 = master.view.index.iter().map(index::Shard::bytes).sum();
        roots + index
    }
}

/// Removes the locks of threads that have ended; their permits go to the master copy.
fn remove_unused_readers(master: &mut Master) {
    let Master { readers, view } = master;
    readers.retain(|reader| {
        let is_used = Arc::strong_count(reader) > 1;
        if !is_used {
            view.permits += reader.lock().permits;
        }
        is_used
    });
}
