//! Several workers on one search: who runs where, who counts what, and how all of them stop.
//!
//! A [`Crew`] is what the workers of a search share. Each worker is a thread, the first one being
//! the thread that called the search; so a search with one worker starts no thread at all. Each has
//! [`Books`] of its own: what it has counted and the faults it has seen. No worker writes to what
//! another one reads, except about every 5 ms, when it publishes its counts, looks at the clock and
//! at the user's stop flag, and learns whether another worker has ended the search.
//!
//! Whoever has a reason to end the search returns `Err(stop)`; the question mark carries it to
//! [`Crew::work`], which tells the others. The first reason is that of the search, but a fault
//! that was found goes before anything else. A worker that panics ends the search, too, and the
//! panic goes on in the caller when all workers are back.
//!
//! Only the first worker talks to the observer, which therefore may be of any type. When everybody
//! is back, the books are put together in a [`Ledger`].

use crate::budget::{Clock, FaultPolicy, Options, Stop};
use crate::faults::{Faults, Origin};
use crate::lasso::{Lasso, LassoOutcome};
use crate::observer::{Observer, Progress};
use crate::outcome::{Path, SearchOutcome, Statistics};
use crate::pacer::Pacer;
use lariat_graph::{Expansion, Fault};
use lariat_store::{Account, Demands, Memory, Settled};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What the workers of a search share.
pub(crate) struct Crew<'a> {
    options: &'a Options,
    clock: Clock,
    memory: Memory,
    halted: AtomicBool,
    reason: Mutex<Option<Stop>>,
    /// One for each worker.
    tallies: Box<[Tally]>,
}

/// What a worker has counted, for the progress report. Each has its own cache lines.
#[derive(Default)]
#[repr(align(128))]
struct Tally {
    states_stored: AtomicU64,
    states_matched: AtomicU64,
    internal_steps: AtomicU64,
    max_depth: AtomicU64,
    queue: AtomicI64,
}

impl<'a> Crew<'a> {
    /// A crew of so many workers, whose time runs from now on.
    pub fn new(options: &'a Options, workers: usize) -> Self {
        Crew {
            options,
            clock: Clock::start(),
            memory: Memory::new(options.budget.memory),
            halted: AtomicBool::new(false),
            reason: Mutex::new(None),
            tallies: (0..workers.max(1)).map(|_| Tally::default()).collect(),
        }
    }

    /// The memory from which the search takes everything.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// What the store is to be made for.
    pub fn demands(&self, colour_bits: u32) -> Demands {
        Demands {
            memory: self.memory.clone(),
            colour_bits,
            max_states: self.options.budget.states.unwrap_or(u64::MAX),
        }
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.tallies.len()
    }

    /// Ends the search: every worker gets this reason as an error from its next look at the clock.
    pub fn halt(&self, stop: Stop) {
        let mut reason = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
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
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` for each member of the crew, all at the same time, and returns when all of them
    /// are back: the books of all, and what each one returned, `None` for an error. If the system
    /// has no threads left, some members do not work.
    pub fn work<M, W, R, O, F>(
        &self,
        members: &mut [M],
        observer: &mut O,
        work: F,
    ) -> (Ledger<W>, Vec<Option<R>>)
    where
        M: Send,
        W: Origin + Send,
        R: Send,
        O: Observer,
        F: Fn(&mut M, &mut Books<W>) -> Result<R, Stop> + Sync,
    {
        let mut ledger = Ledger::default();
        let mut results = Vec::new();
        thread::scope(|scope| {
            let Some((first, others)) = members.split_first_mut() else {
                return;
            };
            let mut threads = Vec::with_capacity(others.len());
            for (member, worker) in others.iter_mut().zip(1..self.workers()) {
                let work = &work;
                let body = move || self.serve(member, Books::new(self, worker, None), work);
                let thread = thread::Builder::new().name(format!("worker {worker}"));
                threads.extend(thread.spawn_scoped(scope, body));
            }
            let (books, result) = self.serve(first, Books::new(self, 0, Some(observer)), &work);
            ledger = books;
            results.push(result);
            for thread in threads {
                match thread.join() {
                    Ok((books, result)) => {
                        ledger.merge(books);
                        results.push(result);
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        ledger.stop = self.halted();
        if self.options.faults == FaultPolicy::StopAtFirst {
            ledger.faults.keep_one();
        }
        (ledger, results)
    }

    /// The life of one worker.
    fn serve<M, W: Origin, R>(
        &self,
        member: &mut M,
        mut books: Books<W>,
        work: &impl Fn(&mut M, &mut Books<W>) -> Result<R, Stop>,
    ) -> (Ledger<W>, Option<R>) {
        let guard = HaltOnPanic(self);
        let result = work(member, &mut books);
        std::mem::forget(guard);
        let result = match result {
            Ok(result) => Some(result),
            Err(stop) => {
                self.halt(stop);
                None
            }
        };
        (books.close(), result)
    }

    /// Takes the books up again when all workers are back, for what one thread does afterwards. The
    /// search is not halted any more; why it was is still in the ledger.
    pub fn reopen<'c, W: Origin, O: Observer>(
        &'c self,
        ledger: &mut Ledger<W>,
        observer: &'c mut O,
    ) -> Books<'c, W> {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.halted.store(false, Ordering::Release);
        for tally in &self.tallies {
            *tally.lock_out() = ();
        }
        Books {
            statistics: std::mem::take(&mut ledger.statistics),
            faults: std::mem::take(&mut ledger.faults),
            ..Books::new(self, 0, Some(observer))
        }
    }

    /// What all workers have counted and published, and how many states wait.
    fn published(&self) -> (Statistics, i64) {
        let mut sum = Statistics {
            memory_bytes: self.memory.peak(),
            elapsed: self.clock.elapsed(),
            ..Statistics::default()
        };
        let mut queue = 0;
        for tally in &self.tallies {
            sum.states_stored += tally.states_stored.load(Ordering::Relaxed);
            sum.states_matched += tally.states_matched.load(Ordering::Relaxed);
            sum.internal_steps += tally.internal_steps.load(Ordering::Relaxed);
            sum.max_depth = sum.max_depth.max(tally.max_depth.load(Ordering::Relaxed));
            queue += tally.queue.load(Ordering::Relaxed);
        }
        (sum, queue)
    }
}

impl Tally {
    fn publish(&self, statistics: &Statistics, queue: i64) {
        let relaxed = Ordering::Relaxed;
        self.states_stored.store(statistics.states_stored, relaxed);
        self.states_matched.store(statistics.states_matched, relaxed);
        self.internal_steps.store(statistics.internal_steps, relaxed);
        self.max_depth.store(statistics.max_depth, relaxed);
        self.queue.store(queue, relaxed);
    }
}

/// Dropped only while its thread panics: then nobody should wait for this worker.
struct HaltOnPanic<'c, 'a>(&'c Crew<'a>);

impl Drop for HaltOnPanic<'_, '_> {
    fn drop(&mut self) {
        self.0.halt(Stop::Interrupted);
    }
}

/// The books of one worker.
pub(crate) struct Books<'c, W> {
    crew: &'c Crew<'c>,
    worker: usize,
    observer: Option<&'c mut (dyn Observer + 'c)>,
    statistics: Statistics,
    faults: Faults<W>,
    buffers: Account,
    pacer: Pacer,
    ignores_time: bool,
}
