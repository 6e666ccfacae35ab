//! What all searches do alike: counting, keeping to the budget, collecting faults, telling the
//! observer.
//!
//! A search is a function that returns `Err(stop)` as soon as something ends it, so that the
//! question mark carries every reason to stop from where it arises to the outcome.

use crate::budget::{Clock, FaultPolicy, Options, Stop};
use crate::faults::Faults;
pub(crate) use crate::faults::Origin;
use crate::lasso::{Lasso, LassoOutcome};
use crate::observer::{Observer, Progress};
use crate::outcome::{Path, SearchOutcome, Statistics};
use crate::pacer::Pacer;
use lariat_graph::{Expansion, Fault};
use lariat_store::{Account, FlatStore, Insert, Memory};

/// The books of a running search.
pub(crate) struct Run<'a, O, W> {
    options: &'a Options,
    observer: &'a mut O,
    clock: Clock,
    memory: Memory,
    statistics: Statistics,
    faults: Faults<W>,
    buffers: Account,
    pacer: Pacer,
    ignores_time: bool,
}

impl<'a, O: Observer, W: Origin> Run<'a, O, W> {
    pub fn new(options: &'a Options, observer: &'a mut O) -> Self {
        let memory = Memory::new(options.budget.memory);
        Run {
            options,
            observer,
            clock: Clock::start(),
            buffers: memory.account(),
            memory,
            statistics: Statistics::default(),
            faults: Faults::default(),
            pacer: Pacer::default(),
            ignores_time: false,
        }
    }

    /// The memory from which the search takes everything.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Lets the store refuse what the budget does not allow.
    pub fn limit_states(&self, store: &mut FlatStore) {
        if let Some(states) = self.options.budget.states {
            store.limit_states(states);
        }
    }

    /// Whether the time of the budget does not count from now on, because something was found
    /// that has to be made presentable. The stop flag still does.
    pub fn ignore_time(&mut self, ignore: bool) {
        self.ignores_time = ignore;
    }

    /// Called before each expansion: sees to the clock, the stop flag and the observer from time
    /// to time.
    pub fn checkpoint(&mut self, depth: u64, queue: Option<u64>) -> Result<(), Stop> {
        if !self.pacer.is_due() {
            return Ok(());
        }
        self.check_budget()?;
        if self.pacer.measure(self.clock.elapsed()) {
            let statistics = self.statistics();
            self.observer.progress(&Progress {
                statistics,
                depth,
                queue,
            });
        }
        Ok(())
    }

    /// Books an expansion: its steps, its memory, its faults. `origin` tells where a fault was
    /// seen; it is asked only for the first of a code, and where `is_better` prefers the new one.
    pub fn expanded(
        &mut self,
        expansion: &Expansion,
        mut origin: impl FnMut(&Fault) -> W,
        is_better: impl Fn(&Fault, &W) -> bool,
    ) -> Result<(), Stop> {
        self.statistics.internal_steps += expansion.internal_steps();
        for fault in expansion.faults() {
            self.faults.add(fault, &mut origin, &is_better);
            if self.options.faults == FaultPolicy::StopAtFirst {
                return Err(Stop::Fault);
            }
        }
        self.expanded_again(expansion)
    }

    /// Books the expansion of a state that was expanded before: only its memory, as everything
    /// else is counted already.
    pub fn expanded_again(&mut self, expansion: &Expansion) -> Result<(), Stop> {
        self.book_buffers(expansion.memory_bytes() + self.faults.memory_bytes())?;
        if expansion.is_incomplete() {
            // Either the budget is used up by now, or the expansion would not have fitted.
            self.check_budget()?;
            return Err(Stop::Memory);
        }
        Ok(())
    }

    fn check_budget(&self) -> Result<(), Stop> {
        match self.options.budget.check(&self.clock) {
            Err(Stop::Time) if self.ignores_time => Ok(()),
            result => result,
        }
    }

    /// Books what became of a state that an edge led to. `Ok(Some(id))` if it is new.
    pub fn inserted(&mut self, insert: Insert, store: &FlatStore) -> Result<Option<u32>, Stop> {
        let (id, is_new) = self.numbered(insert, store)?;
        Ok(is_new.then_some(id))
    }

    /// As [`inserted`](Self::inserted): the number of the state, and whether it is new.
    pub fn numbered(&mut self, insert: Insert, store: &FlatStore) -> Result<(u32, bool), Stop> {
        match insert {
            Insert::New(id) => {
                self.statistics.states_stored += 1;
                Ok((id, true))
            }
            Insert::Known(id) => {
                self.statistics.states_matched += 1;
                Ok((id, false))
            }
            Insert::Full if store.has_all_states() => Err(Stop::States),
            Insert::Full => Err(Stop::Memory),
        }
    }

    /// Books that the search is, or has a state, at this depth.
    pub fn reached_depth(&mut self, depth: u64) {
        self.statistics.max_depth = self.statistics.max_depth.max(depth);
    }

    /// Closes the books. `path` turns an origin into a path.
    pub fn finish(self, result: Result<(), Stop>, path: impl FnMut(W) -> Path) -> SearchOutcome {
        SearchOutcome {
            stop: result.err().unwrap_or(Stop::Complete),
            statistics: self.statistics(),
            faults: self.faults.into_found(path),
        }
    }

    /// Closes the books of a search for an accepted cycle.
    pub fn finish_lasso(
        self,
        result: Result<Option<Lasso>, Stop>,
        path: impl FnMut(W) -> Path,
    ) -> LassoOutcome {
        let (stop, lasso) = match result {
            Ok(None) => (Stop::Complete, None),
            Ok(lasso) => (Stop::Fault, lasso),
            Err(stop) => (stop, None),
        };
        LassoOutcome {
            stop,
            statistics: self.statistics(),
            faults: self.faults.into_found(path),
            lasso,
        }
    }

    /// Books what is filled regardless of the limit: the space's buffer, and the faults, which
    /// must not get lost. It is only known afterwards whether that was too much.
    fn book_buffers(&mut self, bytes: usize) -> Result<(), Stop> {
        if bytes as u64 != self.buffers.held() {
            self.buffers.set(bytes as u64);
        }
        if self.memory.is_overdrawn() {
            return Err(Stop::Memory);
        }
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            memory_bytes: self.memory.peak(),
            elapsed: self.clock.elapsed(),
            ..self.statistics
        }
    }
}
