//! The workers of a search: their threads, their counters, and how all of them stop.
//!
//! A [`Workers`] is the data that the workers of a search share. Each worker is a thread; the first is the thread
//! that called the search, so a search with one worker starts no thread. Each has its own [`Counters`]: its counts
//! and the faults that it found. Workers do not write to shared memory, except about every 5 ms, when a worker
//! publishes its counts, checks the clock and the stop flag, and checks whether another worker has ended the search.
//!
//! A worker that ends the search returns `Err(stop)`; the `?` operator propagates it to [`Workers::run`], which stops
//! the others. The first reason is that of the search, but a found fault has priority. A worker that panics ends the
//! search, too, and the panic is resumed in the caller when all workers have ended.
//!
//! Only the first worker calls the observer, which therefore need not be `Send`. When all workers have ended, the
//! counters are merged into a [`Totals`].

use crate::toolkit::budget::{Clock, FaultPolicy, Options, Stop};
use crate::toolkit::counters::{Counters, Totals};
use crate::toolkit::faults::Origin;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::{Spilled, Statistics};
use crate::toolkit::stores::{Bitstate, Compaction};
use lariat_stats::{EntrySize, fingerprint_bits};
use lariat_store::frontier::Spill;
use lariat_store::{
    Archive, BitstateStore, CompactStore, Demands, Exactness, FINGERPRINT_BITS, Memory, Seen,
};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// What is kept for the buffers of each worker but the first. They are charged after they have grown, when another worker may
/// have taken the rest of the memory.
const WORKER_BUFFERS: u64 = 4 << 10;

/// The data that the workers of a search share.
pub(crate) struct Workers<'a> {
    options: &'a Options,
    clock: Clock,
    memory: Memory,
    spill: Option<Spill>,
    halted: AtomicBool,
    reason: Mutex<Option<Stop>>,
    /// The exactness of the store that was made for this search.
    exactness: OnceLock<Exactness>,
    /// One for each worker.
    published_counts: Box<[Published]>,
}

/// The counts of a worker for the progress report. Each has its own cache lines.
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
    /// The data for so many workers; the time starts now.
    pub fn new(options: &'a Options, workers: usize) -> Self {
        Workers {
            options,
            clock: Clock::start(),
            memory: Memory::with_reserve(
                options.budget.memory,
                WORKER_BUFFERS * (workers.max(1) as u64 - 1),
            ),
            spill: options.budget.spill.as_ref().map(Spill::afresh),
            halted: AtomicBool::new(false),
            reason: Mutex::new(None),
            exactness: OnceLock::new(),
            published_counts: (0..workers.max(1)).map(|_| Published::default()).collect(),
        }
    }

    /// The memory of the search.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The place for waiting states on disk, if there is one.
    pub fn spill(&self) -> Option<&Spill> {
        self.spill.as_ref()
    }

    /// The options of the search.
    pub fn options(&self) -> &Options {
        self.options
    }

    /// The exactness of the store of the search.
    pub fn exactness(&self) -> Exactness {
        self.exactness.get().copied().unwrap_or(Exactness::Exact)
    }

    /// An empty store for this search.
    pub fn new_store<T: Archive>(&self, colour_bits: u32) -> T {
        let _ = self.exactness.set(T::INFO.exactness);
        T::new(self.demands(colour_bits))
    }

    /// An empty store of fingerprints for this search.
    pub fn compact_store(&self, compaction: Compaction, colour_bits: u32) -> CompactStore {
        let _ = self.exactness.set(CompactStore::INFO.exactness);
        let bits = compaction.bits.unwrap_or_else(|| self.affordable_bits());
        CompactStore::with_fingerprints(self.demands(colour_bits), bits, compaction.seed)
    }

    /// An empty Bloom filter for this search.
    pub fn bitstate_store(&self, bitstate: Bitstate, colour_bits: u32) -> BitstateStore {
        let _ = self.exactness.set(BitstateStore::INFO.exactness);
        let bits = bitstate.bits.unwrap_or_else(|| self.affordable_table());
        let demands = self.demands(colour_bits);
        BitstateStore::with_table(demands, bits, bitstate.probes, bitstate.seed)
    }

    /// The bits of half of the memory. The rest is for waiting states and paths.
    fn affordable_table(&self) -> u64 {
        /// The bytes of the table if memory is not limited.
        const UNLIMITED: u64 = 1 << 30;
        let memory = self.options.budget.memory;
        8 * memory.map_or(UNLIMITED, |memory| (memory / 2).min(u64::MAX / 8))
    }

    /// The widest fingerprints for which there is memory, if the number of states is what the budget allows.
    fn affordable_bits(&self) -> u32 {
        const WIDEST: u32 = *FINGERPRINT_BITS.end();
        let budget = &self.options.budget;
        let Some(memory) = budget.memory else {
            return WIDEST;
        };
        let sizes =
            CompactStore::ENTRIES.map(|(bytes, stored_bits)| EntrySize { bytes, stored_bits });
        // A part of the memory is for the queue and the paths.
        let table = memory / 4 * 3;
        fingerprint_bits(table, budget.states, &sizes).unwrap_or(WIDEST)
    }

    /// The requirements for the store.
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

    /// Publishes the counts of a worker.
    pub(super) fn publish(&self, worker: usize, statistics: &Statistics, queue: i64) {
        self.published_counts[worker].publish(statistics, queue);
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.published_counts.len()
    }

    /// A poisoned lock: another thread has panicked; the reason is valid.
    fn reason(&self) -> MutexGuard<'_, Option<Stop>> {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search: every worker gets this reason as an error at its next checkpoint.
    pub fn halt(&self, stop: Stop) {
        let mut reason = self.reason();
        if reason.is_none() || stop == Stop::Fault {
            *reason = Some(stop);
        }
        self.halted.store(true, Ordering::Release);
    }

    /// The reason for the end of the search, if it has ended.
    pub fn halted(&self) -> Option<Stop> {
        if !self.halted.load(Ordering::Acquire) {
            return None;
        }
        *self.reason()
    }

    /// Runs `work` for each worker in parallel, and returns when all have ended: the merged counters, and the result
    /// of each worker, `None` for an error. If the system cannot start a thread, that worker is missing.
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
        self.run_on(Totals::default(), members, observer, work)
    }

    /// As [`run`](Self::run), and counts on from the totals of an earlier run that came to its end.
    pub fn run_on<M, W, R, O, F>(
        &self,
        mut totals: Totals<W>,
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
            let counters = Counters::new(self, 0, Some(observer)).resumed(&mut totals);
            let (counters, result) = self.serve(first, counters, &work);
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

    /// Runs one worker.
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

    /// Reopens the counters when all workers have ended, for work of one thread afterwards. The search is not halted
    /// any more; its reason stays in the totals.
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

    /// The counts that all workers have published, and the number of waiting states.
    pub(super) fn published(&self) -> (Statistics, i64) {
        let mut sum = Statistics {
            memory_bytes: self.memory.peak(),
            elapsed: self.clock.elapsed(),
            spilled: self.spill.as_ref().map(Spilled::from),
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

/// Dropped only while its thread panics: the other workers must not wait for this one.
struct HaltOnPanic<'c, 'a>(&'c Workers<'a>);

impl Drop for HaltOnPanic<'_, '_> {
    fn drop(&mut self) {
        self.0.halt(Stop::Interrupted);
    }
}
