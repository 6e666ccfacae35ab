//! Several workers on one search: who runs where, who counts what, and how all of them stop.
//!
//! A [`Workers`] is what the workers of a search share. Each worker is a thread, the first one being
//! the thread that called the search; so a search with one worker starts no thread at all. Each has
//! [`Counters`] of its own: what it has counted and the faults it has seen. No worker writes to what
//! another one reads, except about every 5 ms, when it publishes its counts, looks at the clock and
//! at the user's stop flag, and learns whether another worker has ended the search.
//!
//! Whoever has a reason to end the search returns `Err(stop)`; the question mark carries it to
//! [`Workers::run`], which tells the others. The first reason is that of the search, but a fault
//! that was found goes before anything else. A worker that panics ends the search, too, and the
//! panic goes on in the caller when all workers are back.
//!
//! Only the first worker talks to the observer, which therefore may be of any type. When everybody
//! is back, the counters are put together in a [`Totals`].

use crate::toolkit::budget::{Clock, FaultPolicy, Options, Stop};
use crate::toolkit::counters::{Counters, Totals};
use crate::toolkit::faults::Origin;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::Statistics;
use lariat_store::{Demands, Exactness, Memory, Seen};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// What the workers of a search share.
pub(crate) struct Workers<'a> {
    options: &'a Options,
    clock: Clock,
    memory: Memory,
    halted: AtomicBool,
    reason: Mutex<Option<Stop>>,
    /// How exact the store is that was made for this search.
    exactness: OnceLock<Exactness>,
    /// One for each worker.
    published_counts: Box<[Published]>,
}

/// What a worker has counted, for the progress report. Each has its own cache lines.
#[derive(Default)]
#[repr(align(128))]
struct Published {
    states_stored: AtomicU64,
    states_matched: AtomicU64,
    internal_steps: AtomicU64,
    max_depth: AtomicU64,
    queue: AtomicI64,
}

impl<'a> Workers<'a> {
    /// A pool of so many workers, whose time runs from now on.
    pub fn new(options: &'a Options, workers: usize) -> Self {
        Workers {
            options,
            clock: Clock::start(),
            memory: Memory::new(options.budget.memory),
            halted: AtomicBool::new(false),
            reason: Mutex::new(None),
            exactness: OnceLock::new(),
            published_counts: (0..workers.max(1)).map(|_| Published::default()).collect(),
        }
    }

    /// The memory from which the search takes everything.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// What it was asked to do.
    pub fn options(&self) -> &Options {
        self.options
    }

    /// How exact the store of the search is.
    pub fn exactness(&self) -> Exactness {
        self.exactness.get().copied().unwrap_or(Exactness::Exact)
    }

    /// An empty store for this search.
    pub fn new_store<T: Seen>(&self, colour_bits: u32) -> T {
        let _ = self.exactness.set(T::INFO.exactness);
        T::new(self.demands(colour_bits))
    }

    /// What the store is to be made for.
    fn demands(&self, colour_bits: u32) -> Demands {
        let cache = self
            .options
            .store
            .forgetting()
            .and_then(|sampling| sampling.rule.bound());
        let limits = [self.options.budget.states, cache];
        Demands {
            memory: self.memory.clone(),
            colour_bits,
            max_states: limits.into_iter().flatten().min().unwrap_or(u64::MAX),
        }
    }

    /// The clock that was started with the search.
    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Lets the others see what a worker has counted.
    pub(super) fn publish(&self, worker: usize, statistics: &Statistics, queue: i64) {
        self.published_counts[worker].publish(statistics, queue);
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.published_counts.len()
    }

    /// The thread that holds it has panicked elsewhere if the lock is poisoned; the reason is whole.
    fn reason(&self) -> MutexGuard<'_, Option<Stop>> {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search: every worker gets this reason as an error from its next look at the clock.
    pub fn halt(&self, stop: Stop) {
        let mut reason = self.reason();
        if reason.is_none() || stop == Stop::Fault {
            *reason = Some(stop);
        }
        self.halted.store(true, Ordering::Release);
    }

    /// Why the search ends, if it does.
    pub fn halted(&self) -> Option<Stop> {
        if !self.halted.load(Ordering::Acquire) {
            return None;
        }
        *self.reason()
    }

    /// Runs `work` for each member of the pool, all at the same time, and returns when all of them
    /// are back: the counters of all, and what each one returned, `None` for an error. If the system
    /// has no threads left, some members do not work.
    pub fn run<M, W, R, O, F>(
        &self,
        members: &mut [M],
        observer: &mut O,
        work: F,
    ) -> (Totals<W>, Vec<Option<R>>)
    where
        M: Send,
        W: Origin + Send,
        R: Send,
        O: Observer,
        F: Fn(&mut M, &mut Counters<W>) -> Result<R, Stop> + Sync,
    {
        let mut totals = Totals::default();
        let mut results = Vec::new();
        thread::scope(|scope| {
            let Some((first, others)) = members.split_first_mut() else {
                return;
            };
            let mut threads = Vec::with_capacity(others.len());
            for (member, worker) in others.iter_mut().zip(1..self.workers()) {
                let work = &work;
                let body = move || self.serve(member, Counters::new(self, worker, None), work);
                let thread = thread::Builder::new().name(format!("worker {worker}"));
                threads.extend(thread.spawn_scoped(scope, body));
            }
            let (counters, result) =
                self.serve(first, Counters::new(self, 0, Some(observer)), &work);
            totals = counters;
            results.push(result);
            for thread in threads {
                match thread.join() {
                    Ok((counters, result)) => {
                        totals.merge(counters);
                        results.push(result);
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        totals.stop = self.halted();
        if self.options.faults == FaultPolicy::StopAtFirst {
            totals.keep_one_fault();
        }
        (totals, results)
    }

    /// The life of one worker.
    fn serve<M, W: Origin, R>(
        &self,
        member: &mut M,
        mut counters: Counters<W>,
        work: &impl Fn(&mut M, &mut Counters<W>) -> Result<R, Stop>,
    ) -> (Totals<W>, Option<R>) {
        let guard = HaltOnPanic(self);
        let result = work(member, &mut counters);
        std::mem::forget(guard);
        let result = match result {
            Ok(result) => Some(result),
            Err(stop) => {
                self.halt(stop);
                None
            }
        };
        (counters.close(), result)
    }

    /// Takes the counters up again when all workers are back, for what one thread does afterwards. The
    /// search is not halted any more; why it was is still in the totals.
    pub fn reopen<'c, W: Origin, O: Observer>(
        &'c self,
        totals: &mut Totals<W>,
        observer: &'c mut O,
    ) -> Counters<'c, W> {
        *self.reason() = None;
        self.halted.store(false, Ordering::Release);
        for worker in &self.published_counts {
            worker.publish(&Statistics::default(), 0);
        }
        Counters::new(self, 0, Some(observer)).resumed(totals)
    }

    /// What all workers have counted and published, and how many states wait.
    pub(super) fn published(&self) -> (Statistics, i64) {
        let mut sum = Statistics {
            memory_bytes: self.memory.peak(),
            elapsed: self.clock.elapsed(),
            ..Statistics::default()
        };
        let mut queue = 0;
        for worker in &self.published_counts {
            sum.states_stored += worker.states_stored.load(Ordering::Relaxed);
            sum.states_matched += worker.states_matched.load(Ordering::Relaxed);
            sum.internal_steps += worker.internal_steps.load(Ordering::Relaxed);
            sum.max_depth = sum.max_depth.max(worker.max_depth.load(Ordering::Relaxed));
            queue += worker.queue.load(Ordering::Relaxed);
        }
        (sum, queue)
    }
}

impl Published {
    fn publish(&self, statistics: &Statistics, queue: i64) {
        let relaxed = Ordering::Relaxed;
        self.states_stored.store(statistics.states_stored, relaxed);
        self.states_matched
            .store(statistics.states_matched, relaxed);
        self.internal_steps
            .store(statistics.internal_steps, relaxed);
        self.max_depth.store(statistics.max_depth, relaxed);
        self.queue.store(queue, relaxed);
    }
}

/// Dropped only while its thread panics: then nobody should wait for this worker.
struct HaltOnPanic<'c, 'a>(&'c Workers<'a>);

impl Drop for HaltOnPanic<'_, '_> {
    fn drop(&mut self) {
        self.0.halt(Stop::Interrupted);
    }
}
