//! The counts of each worker, and the totals of all of them.

use crate::toolkit::budget::{FaultPolicy, Stop};
use crate::toolkit::faults::{Faults, Origin};
use crate::toolkit::lasso::Lasso;
use crate::toolkit::observer::{Observer, Progress, Table};
use crate::toolkit::outcome::{Path, SearchOutcome, Spilled, Statistics};
use crate::toolkit::pacer::Pacer;
use crate::toolkit::workers::Workers;
use lariat_graph::{Expansion, Fault};
use lariat_store::{Account, Memory, Settled};

/// The counters of one worker.
pub(crate) struct Counters<'c, W> {
    pool: &'c Workers<'c>,
    worker: usize,
    observer: Option<&'c mut (dyn Observer + 'c)>,
    statistics: Statistics,
    faults: Faults<W>,
    buffers: Account,
    pacer: Pacer,
    ignores_time: bool,
    table: Option<Table>,
}

impl<'c, W: Origin> Counters<'c, W> {
    pub(super) fn new(
        pool: &'c Workers<'c>,
        worker: usize,
        observer: Option<&'c mut (dyn Observer + 'c)>,
    ) -> Self {
        Counters {
            pool,
            worker,
            observer,
            statistics: Statistics::default(),
            faults: Faults::default(),
            buffers: pool.memory().account(),
            pacer: Pacer::default(),
            ignores_time: false,
            table: None,
        }
    }

    /// Continues from these totals.
    pub(super) fn resumed(mut self, totals: &mut Totals<W>) -> Self {
        self.statistics = std::mem::take(&mut totals.statistics);
        self.faults = std::mem::take(&mut totals.faults);
        self
    }

    /// The workers of the search.
    pub fn pool(&self) -> &'c Workers<'c> {
        self.pool
    }

    /// The memory of the search.
    pub fn memory(&self) -> &'c Memory {
        self.pool.memory()
    }

    /// Ignores the time limit from now on, because a counterexample was found that has to be completed. The stop flag
    /// still counts.
    pub fn ignore_time(&mut self, ignore: bool) {
        self.ignores_time = ignore;
    }

    /// Called before each expansion: checks the clock, the stop flag and the other workers, and calls the observer
    /// from time to time. `queue` is the number of waiting states that this worker has added, minus those that it has
    /// taken, if the search has a queue.
    #[inline]
    pub fn checkpoint(&mut self, depth: u64, queue: Option<i64>) -> Result<(), Stop> {
        if !self.pacer.is_due() {
            return Ok(());
        }
        self.look_up(depth, queue)
    }

    #[cold]
    fn look_up(&mut self, depth: u64, queue: Option<i64>) -> Result<(), Stop> {
        let report = self.pacer.measure(self.pool.clock().elapsed());
        self.check(depth, queue, report)
    }

    /// As [`checkpoint`](Self::checkpoint), but always checks: for a worker that waits for others.
    pub fn idle(&mut self, depth: u64, queue: Option<i64>) -> Result<(), Stop> {
        let report = self.pacer.is_report_due(self.pool.clock().elapsed());
        self.check(depth, queue, report)
    }

    fn check(&mut self, depth: u64, queue: Option<i64>, report: bool) -> Result<(), Stop> {
        if let Some(stop) = self.pool.halted() {
            return Err(stop);
        }
        self.check_budget()?;
        self.pool
            .publish(self.worker, &self.statistics, queue.unwrap_or(0));
        if let Some(observer) = &mut self.observer
            && report
        {
            let (statistics, waiting) = self.pool.published();
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
        match self.pool.options().budget.check(self.pool.clock()) {
            Err(Stop::Time) if self.ignores_time => Ok(()),
            result => result,
        }
    }

    /// Counts an expansion: its steps, its memory, its faults. `origin` gives the position of a fault; it is called
    /// only for the first fault of a code, and where `is_better` prefers the new one.
    #[inline]
    pub fn expanded(
        &mut self,
        expansion: &Expansion,
        origin: impl FnMut(&Fault) -> W,
        is_better: impl Fn(&Fault, &W) -> bool,
    ) -> Result<(), Stop> {
        self.statistics.internal_steps += expansion.internal_steps();
        if !expansion.faults().is_empty() {
            self.count_faults(expansion, origin, is_better)?;
        }
        self.expanded_again(expansion)
    }

    #[cold]
    fn count_faults(
        &mut self,
        expansion: &Expansion,
        mut origin: impl FnMut(&Fault) -> W,
        is_better: impl Fn(&Fault, &W) -> bool,
    ) -> Result<(), Stop> {
        for fault in expansion.faults() {
            self.faults.add(fault, &mut origin, &is_better);
            if self.pool.options().faults == FaultPolicy::StopAtFirst {
                return Err(Stop::Fault);
            }
        }
        Ok(())
    }

    /// Charges the expansion of a state that was expanded before: only its memory, as everything else is counted
    /// already.
    #[inline]
    pub fn expanded_again(&mut self, expansion: &Expansion) -> Result<(), Stop> {
        self.charge_buffers(expansion.memory_bytes() + self.faults.memory_bytes())?;
        if expansion.is_incomplete() {
            // Either the budget is used up, or the expansion would not have fitted.
            self.check_budget()?;
            return Err(Stop::Memory);
        }
        Ok(())
    }

    /// Charges buffers that are filled even beyond the limit: that of the space, and the faults, which must not be
    /// lost. Only afterwards it is known whether the limit is exceeded.
    #[inline]
    fn charge_buffers(&mut self, bytes: usize) -> Result<(), Stop> {
        if bytes as u64 != self.buffers.held() {
            self.buffers.set(bytes as u64);
            if self.pool.memory().is_overdrawn() {
                return Err(Stop::Memory);
            }
        }
        Ok(())
    }

    /// Counts the targets of edges.
    #[inline]
    pub fn settled(&mut self, settled: &[Settled]) {
        let stored = settled.iter().filter(|state| state.is_new).count();
        self.count(stored as u64, (settled.len() - stored) as u64);
    }

    /// Counts edges to new states, and edges to stored states.
    #[inline]
    pub fn count(&mut self, stored: u64, matched: u64) {
        self.statistics.states_stored += stored;
        self.statistics.states_matched += matched;
    }

    /// Counts edges to visited states that were counted as matched before.
    #[inline]
    pub fn entered_again(&mut self, edges: u64) {
        self.statistics.states_stored += edges;
        self.statistics.states_matched -= edges;
    }

    /// Records the size of a table from which states are removed.
    #[inline]
    pub fn note_table(&mut self, table: Table) {
        self.table = Some(table);
    }

    /// Records a depth of the search.
    #[inline]
    pub fn reached_depth(&mut self, depth: u64) {
        self.statistics.max_depth = self.statistics.max_depth.max(depth);
    }

    /// Closes the counters.
    pub fn close(self) -> Totals<W> {
        Totals {
            stop: self.pool.halted(),
            statistics: self.statistics,
            faults: self.faults,
        }
    }
}

/// The closed counters of a search.
pub(crate) struct Totals<W> {
    /// Why the workers were stopped; `None` if they ended normally.
    pub stop: Option<Stop>,
    statistics: Statistics,
    faults: Faults<W>,
}

impl<W> Default for Totals<W> {
    fn default() -> Self {
        Totals {
            stop: None,
            statistics: Statistics::default(),
            faults: Faults::default(),
        }
    }
}

impl<W: Origin> Totals<W> {
    pub(super) fn merge(&mut self, other: Self) {
        let (sum, more) = (&mut self.statistics, other.statistics);
        sum.states_stored += more.states_stored;
        sum.states_matched += more.states_matched;
        sum.internal_steps += more.internal_steps;
        sum.max_depth = sum.max_depth.max(more.max_depth);
        self.faults.merge(other.faults);
    }

    /// Keeps the best of the faults that several workers found at the same time.
    pub(super) fn keep_one_fault(&mut self) {
        self.faults.keep_one();
    }

    /// Corrects edges that were counted as matched although they led to new states.
    pub fn take_back_matched(&mut self, edges: u64) {
        let matched = &mut self.statistics.states_matched;
        *matched = matched.saturating_sub(edges);
    }

    fn statistics(&self, pool: &Workers) -> Statistics {
        Statistics {
            memory_bytes: pool.memory().peak(),
            elapsed: pool.clock().elapsed(),
            spilled: pool.spill().map(Spilled::from),
            ..self.statistics
        }
    }

    /// The outcome of a search for faults. `path` turns an origin into a path.
    pub fn outcome(self, pool: &Workers, path: impl FnMut(W) -> Path) -> SearchOutcome {
        self.lasso_outcome(pool, Ok(None), path)
    }

    /// The outcome of a search for an accepted cycle, which ended with `result`: that of one thread, or of the work
    /// of one thread after all workers had ended.
    pub fn lasso_outcome(
        self,
        pool: &Workers,
        result: Result<Option<Lasso>, Stop>,
        path: impl FnMut(W) -> Path,
    ) -> SearchOutcome {
        let (stop, lasso) = match result {
            Ok(None) => (self.stop.unwrap_or(Stop::Complete), None),
            Ok(lasso) => (Stop::Fault, lasso),
            Err(stop) => (stop, None),
        };
        SearchOutcome {
            stop,
            statistics: self.statistics(pool),
            faults: self.faults.into_found(path),
            lasso,
            exactness: pool.exactness(),
            walks: None,
        }
    }
}
