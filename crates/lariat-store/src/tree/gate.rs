//! Who works with the tables, and who may replace them.
//!
//! Each thread has a *desk*: a lock of its own with handles to all shards behind it. A thread that
//! works with the tables holds the lock of its desk, which costs little, as nobody else wants it; and
//! who has to replace a shard takes the locks of all desks, puts the new shard onto each of them, and
//! lets go (a "big-reader lock"). So
//!
//! - between taking the lock of its desk and giving it back, a thread sees shards that nobody replaces;
//! - who replaces a shard is alone: what others did before they gave their locks back happened before,
//!   and what they do afterwards, they do with the new shard. No insertion gets lost in an old one;
//! - an old shard is freed as soon as the last desk has the new one.
//!
//! Locks are taken in one order: first the master list, then desks, then the list of free node numbers.
//! A thread lets go of its desk before it asks for the master list, so nobody waits in a circle. And who
//! wants all desks raises a flag, which makes the others queue behind it, or else threads that are
//! always at their desks would keep it waiting.

use super::{index, quotient, roots};
use crate::sync::{Arc, AtomicBool, Mutex, MutexGuard, Ordering};
use std::sync::PoisonError;

/// What a thread has on its desk.
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
            + size_of::<Desk>()
    }
}

/// The place of one thread. It has cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Desk(Mutex<View>);

impl Desk {
    fn lock(&self) -> MutexGuard<'_, View> {
        // Nothing here panics between two changes that belong together.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All desks.
#[derive(Debug)]
pub(crate) struct Gate {
    /// Somebody waits for all desks.
    closed: AtomicBool,
    master: Mutex<Master>,
}

/// What only one thread at a time looks at.
#[derive(Debug)]
pub(crate) struct Master {
    desks: Vec<Arc<Desk>>,
    /// The present shards, for new desks, and the permits that nobody has.
    pub view: View,
}

impl Gate {
    /// A gate to empty tables, with so many permits.
    pub fn new(permits: u64) -> Self {
        let mut view = View::new();
        view.permits = permits;
        Gate {
            closed: AtomicBool::new(false),
            master: Mutex::new(Master {
                desks: Vec::new(),
                view,
            }),
        }
    }

    fn master(&self) -> MutexGuard<'_, Master> {
        self.master.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A desk for a new thread.
    pub fn desk(&self) -> Arc<Desk> {
        let mut master = self.master();
        let view = View {
            permits: 0,
            ..master.view.clone()
        };
        let desk = Arc::new(Desk(Mutex::new(view)));
        master.desks.push(Arc::clone(&desk));
        desk
    }

    /// The tables, for as long as the thread keeps what this returns.
    #[inline]
    pub fn enter<'d>(&self, desk: &'d Desk) -> MutexGuard<'d, View> {
        // The flag is only for politeness: whether it is seen in time does not matter.
        if self.closed.load(Ordering::Relaxed) {
            drop(self.master());
        }
        desk.lock()
    }

    /// Does something while nobody else works with the tables. Must not be called by who is at a
    /// desk. `work` gets the master's view and those of all desks.
    pub fn alone<R>(&self, work: impl FnOnce(&mut View, &mut [&mut View]) -> R) -> R {
        let mut master = self.master();
        self.alone_with(&mut master, work)
    }

    /// As [`alone`](Self::alone); `work` also gets the number of the given desk.
    fn alone_at<R>(
        &self,
        desk: &Arc<Desk>,
        work: impl FnOnce(&mut View, &mut [&mut View], usize) -> R,
    ) -> R {
        let mut master = self.master();
        let mine = master
            .desks
            .iter()
            .position(|other| Arc::ptr_eq(other, desk));
        let mine = mine.unwrap_or(usize::MAX);
        self.alone_with(&mut master, |view, views| work(view, views, mine))
    }

    fn alone_with<R>(
        &self,
        master: &mut Master,
        work: impl FnOnce(&mut View, &mut [&mut View]) -> R,
    ) -> R {
        self.closed.store(true, Ordering::Relaxed);
        let desks = std::mem::take(&mut master.desks);
        let result = {
            let mut guards: Vec<_> = desks.iter().map(|desk| desk.lock()).collect();
            let mut views: Vec<&mut View> = guards.iter_mut().map(|guard| &mut **guard).collect();
            work(&mut master.view, &mut views)
        };
        master.desks = desks;
        remove_empty_desks(master);
        self.closed.store(false, Ordering::Relaxed);
        result
    }

    /// Moves permits to a desk that has none. Returns whether there were any, here or at other desks.
    pub fn take_permits(&self, desk: &Arc<Desk>) -> bool {
        self.alone_at(desk, |master, views, mine| {
            for view in views.iter_mut() {
                master.permits += std::mem::take(&mut view.permits);
            }
            // Large portions while there are many, so that this is done rarely.
            let portion = (master.permits / 8).clamp(1, 1 << 40).min(master.permits);
            master.permits -= portion;
            if let Some(view) = views.get_mut(mine) {
                view.permits = portion;
            }
            portion > 0
        })
    }

    /// What the tables hold, counted again; for tests of the accounting.
    #[cfg(test)]
    pub fn audit(&self) -> u64 {
        let master = self.master();
        let roots: u64 = master.view.roots.iter().map(roots::Shard::bytes).sum();
        let index: u64 = master.view.index.iter().map(index::Shard::bytes).sum();
        roots + index
    }
}

/// Takes away the desks whose threads have left, with the permits that they had.
fn remove_empty_desks(master: &mut Master) {
    let Master { desks, view } = master;
    desks.retain(|desk| {
        let is_used = Arc::strong_count(desk) > 1;
        if !is_used {
            view.permits += desk.lock().permits;
        }
        is_used
    });
}
