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
use crate::keeper;
use crate::lasso::{Lasso, LassoOutcome};
use crate::observer::{Observer, Progress, Table};
use crate::outcome::{Path, SearchOutcome, Statistics};
use crate::pacer::Pacer;
use lariat_graph::{Expansion, Fault};
use lariat_store::{Account, Demands, Memory, Settled};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
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

    /// What it was asked to do.
    pub fn options(&self) -> &Options {
        self.options
    }

    /// What the store is to be made for.
    pub fn demands(&self, colour_bits: u32) -> Demands {
        let cache = keeper::sampling(self.options).and_then(|sampling| sampling.rule.bound());
        let limits = [self.options.budget.states, cache];
        Demands {
            memory: self.memory.clone(),
            colour_bits,
            max_states: limits.into_iter().flatten().min().unwrap_or(u64::MAX),
        }
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.tallies.len()
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
        *self.reason() = None;
        self.halted.store(false, Ordering::Release);
        for tally in &self.tallies {
            tally.publish(&Statistics::default(), 0);
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
        self.states_matched
            .store(statistics.states_matched, relaxed);
        self.internal_steps
            .store(statistics.internal_steps, relaxed);
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
    table: Option<Table>,
}

impl<'c, W: Origin> Books<'c, W> {
    fn new(
        crew: &'c Crew<'c>,
        worker: usize,
        observer: Option<&'c mut (dyn Observer + 'c)>,
    ) -> Self {
        Books {
            crew,
            worker,
            observer,
            statistics: Statistics::default(),
            faults: Faults::default(),
            buffers: crew.memory.account(),
            pacer: Pacer::default(),
            ignores_time: false,
            table: None,
        }
    }

    /// The crew.
    pub fn crew(&self) -> &'c Crew<'c> {
        self.crew
    }

    /// The memory from which the search takes everything.
    pub fn memory(&self) -> &'c Memory {
        &self.crew.memory
    }

    /// Whether the time of the budget does not count from now on, because something was found
    /// that has to be made presentable. The stop flag still does.
    pub fn ignore_time(&mut self, ignore: bool) {
        self.ignores_time = ignore;
    }

    /// Called before each expansion: sees to the clock, the stop flag, the other workers and the
    /// observer from time to time. `queue` is what this worker has added to the number of waiting
    /// states, less what it has taken away, if the search has a queue.
    #[inline]
    pub fn checkpoint(&mut self, depth: u64, queue: Option<i64>) -> Result<(), Stop> {
        if !self.pacer.is_due() {
            return Ok(());
        }
        self.look_up(depth, queue)
    }

    #[cold]
    fn look_up(&mut self, depth: u64, queue: Option<i64>) -> Result<(), Stop> {
        let report = self.pacer.measure(self.crew.clock.elapsed());
        self.check(depth, queue, report)
    }

    /// As [`checkpoint`](Self::checkpoint), and always looks: for a worker that waits for others.
    pub fn idle(&mut self, depth: u64, queue: Option<i64>) -> Result<(), Stop> {
        let report = self.pacer.is_report_due(self.crew.clock.elapsed());
        self.check(depth, queue, report)
    }

    fn check(&mut self, depth: u64, queue: Option<i64>, report: bool) -> Result<(), Stop> {
        if let Some(stop) = self.crew.halted() {
            return Err(stop);
        }
        self.check_budget()?;
        self.crew.tallies[self.worker].publish(&self.statistics, queue.unwrap_or(0));
        if let Some(observer) = &mut self.observer
            && report
        {
            let (statistics, waiting) = self.crew.published();
            observer.progress(&Progress {
                statistics,
                depth,
                queue: queue.map(|_| waiting.max(0) as u64),
                table: self.table,
                walks: None,
            });
        }
        Ok(())
    }

    fn check_budget(&self) -> Result<(), Stop> {
        match self.crew.options.budget.check(&self.crew.clock) {
            Err(Stop::Time) if self.ignores_time => Ok(()),
            result => result,
        }
    }

    /// Books an expansion: its steps, its memory, its faults. `origin` tells where a fault was
    /// seen; it is asked only for the first of a code, and where `is_better` prefers the new one.
    #[inline]
    pub fn expanded(
        &mut self,
        expansion: &Expansion,
        origin: impl FnMut(&Fault) -> W,
        is_better: impl Fn(&Fault, &W) -> bool,
    ) -> Result<(), Stop> {
        self.statistics.internal_steps += expansion.internal_steps();
        if !expansion.faults().is_empty() {
            self.book_faults(expansion, origin, is_better)?;
        }
        self.expanded_again(expansion)
    }

    #[cold]
    fn book_faults(
        &mut self,
        expansion: &Expansion,
        mut origin: impl FnMut(&Fault) -> W,
        is_better: impl Fn(&Fault, &W) -> bool,
    ) -> Result<(), Stop> {
        for fault in expansion.faults() {
            self.faults.add(fault, &mut origin, &is_better);
            if self.crew.options.faults == FaultPolicy::StopAtFirst {
                return Err(Stop::Fault);
            }
        }
        Ok(())
    }

    /// Books the expansion of a state that was expanded before: only its memory, as everything
    /// else is counted already.
    #[inline]
    pub fn expanded_again(&mut self, expansion: &Expansion) -> Result<(), Stop> {
        self.book_buffers(expansion.memory_bytes() + self.faults.memory_bytes())?;
        if expansion.is_incomplete() {
            // Either the budget is used up by now, or the expansion would not have fitted.
            self.check_budget()?;
            return Err(Stop::Memory);
        }
        Ok(())
    }

    /// Books what is filled regardless of the limit: the space's buffer, and the faults, which
    /// must not get lost. It is only known afterwards whether that was too much.
    #[inline]
    fn book_buffers(&mut self, bytes: usize) -> Result<(), Stop> {
        if bytes as u64 != self.buffers.held() {
            self.buffers.set(bytes as u64);
            if self.crew.memory.is_overdrawn() {
                return Err(Stop::Memory);
            }
        }
        Ok(())
    }

    /// Counts states that edges led to.
    #[inline]
    pub fn settled(&mut self, settled: &[Settled]) {
        let stored = settled.iter().filter(|state| state.is_new).count();
        self.count(stored as u64, (settled.len() - stored) as u64);
    }

    /// Counts edges that led to new states, and to states that were stored already.
    #[inline]
    pub fn count(&mut self, stored: u64, matched: u64) {
        self.statistics.states_stored += stored;
        self.statistics.states_matched += matched;
    }

    /// Counts edges as leading to states that are visited, which were counted as matched before.
    #[inline]
    pub fn entered_again(&mut self, edges: u64) {
        self.statistics.states_stored += edges;
        self.statistics.states_matched -= edges;
    }

    /// Notes what is in a table from which states are taken away.
    #[inline]
    pub fn note_table(&mut self, table: Table) {
        self.table = Some(table);
    }

    /// Books that the search is, or has a state, at this depth.
    #[inline]
    pub fn reached_depth(&mut self, depth: u64) {
        self.statistics.max_depth = self.statistics.max_depth.max(depth);
    }

    /// Closes the books.
    pub fn close(self) -> Ledger<W> {
        Ledger {
            stop: self.crew.halted(),
            statistics: self.statistics,
            faults: self.faults,
        }
    }
}

/// The closed books of a search.
pub(crate) struct Ledger<W> {
    /// Why the workers were stopped; `None` if they came to their end.
    pub stop: Option<Stop>,
    statistics: Statistics,
    faults: Faults<W>,
}

impl<W> Default for Ledger<W> {
    fn default() -> Self {
        Ledger {
            stop: None,
            statistics: Statistics::default(),
            faults: Faults::default(),
        }
    }
}

impl<W: Origin> Ledger<W> {
    fn merge(&mut self, other: Self) {
        let (sum, more) = (&mut self.statistics, other.statistics);
        sum.states_stored += more.states_stored;
        sum.states_matched += more.states_matched;
        sum.internal_steps += more.internal_steps;
        sum.max_depth = sum.max_depth.max(more.max_depth);
        self.faults.merge(other.faults);
    }

    /// Takes back edges that were counted as matched although they led to new states.
    pub fn take_back_matched(&mut self, edges: u64) {
        let matched = &mut self.statistics.states_matched;
        *matched = matched.saturating_sub(edges);
    }

    fn statistics(&self, crew: &Crew) -> Statistics {
        Statistics {
            memory_bytes: crew.memory.peak(),
            elapsed: crew.clock.elapsed(),
            ..self.statistics
        }
    }

    /// The outcome of the search. `path` turns an origin into a path.
    pub fn outcome(self, crew: &Crew, path: impl FnMut(W) -> Path) -> SearchOutcome {
        SearchOutcome {
            stop: self.stop.unwrap_or(Stop::Complete),
            statistics: self.statistics(crew),
            faults: self.faults.into_found(path),
        }
    }

    /// The outcome of a search for an accepted cycle, which ended with `result`: that of one thread,
    /// or of what one thread did when all were back.
    pub fn lasso_outcome(
        self,
        crew: &Crew,
        result: Result<Option<Lasso>, Stop>,
        path: impl FnMut(W) -> Path,
    ) -> LassoOutcome {
        let (stop, lasso) = match result {
            Ok(None) => (self.stop.unwrap_or(Stop::Complete), None),
            Ok(lasso) => (Stop::Fault, lasso),
            Err(stop) => (stop, None),
        };
        LassoOutcome {
            stop,
            statistics: self.statistics(crew),
            faults: self.faults.into_found(path),
            lasso,
        }
    }
}
