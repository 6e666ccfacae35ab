//! Walks by several workers, counted in the order of their numbers.
//!
//! Workers take blocks of numbers and return the results of the walks; one thread counts them in order. So the counts
//! do not depend on the speed of the workers. If the time ends, all walks behind the first unfinished one are not
//! counted: counting all finished ones would favour short walks, and conclusions would be wrong (the walks that find
//! a violation may be the long ones).

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use lariat_graph::Draw;

use super::walk::Walker;
use super::{Tally, Walk};
use crate::toolkit::budget::{Budget, Clock, Stop};
use crate::toolkit::observer::{Observer, Progress};
use crate::toolkit::outcome::Statistics;

/// The largest number of walks that workers may be ahead of the counting.
const WINDOW: u64 = 1 << 18;
/// The largest number of walks of a block.
const MAX_BLOCK: u64 = 1 << 12;
/// The intended time of a block.
const BLOCK_TIME: Duration = Duration::from_millis(2);
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Makes walks by their numbers. The same number is always the same walk.
pub trait Sampler {
    /// Sets the budget: walks must end soon when it ends.
    fn begin(&mut self, budget: &Budget, clock: Clock);
    /// Makes a walk; `None` if the budget ended before the walk did.
    fn sample(&mut self, number: u64) -> Option<Walk>;
    /// The bytes that are held.
    fn held_bytes(&self) -> u64;
}

impl<G: Draw> Sampler for Walker<'_, G> {
    fn begin(&mut self, budget: &Budget, clock: Clock) {
        self.set_budget(budget.clone(), clock);
    }

    fn sample(&mut self, number: u64) -> Option<Walk> {
        self.walk(number)
    }

    fn held_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

/// The result of the walks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// Why the walks ended: [`Stop::Complete`] if `fold` needs no more.
    pub stop: Stop,
    /// What was counted.
    pub tally: Tally,
    /// The peak of the memory.
    pub memory_bytes: u64,
    /// The elapsed time.
    pub elapsed: Duration,
}

impl Sampled {
    /// The statistics, in the form of searches.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            max_depth: self.tally.longest,
            memory_bytes: self.memory_bytes,
            elapsed: self.elapsed,
            ..Statistics::default()
        }
    }
}

/// The walks of a block, in order. If some are missing at its end, the budget has ended.
struct Block {
    first: u64,
    wanted: u64,
    walks: Vec<Walk>,
    memory: u64,
}

/// Makes walks from number 0 on, with all samplers, until `fold` breaks or the budget ends.
pub fn sample_in_order<S: Sampler + Send>(
    samplers: &mut [S],
    budget: &Budget,
    fold: impl FnMut(u64, &Walk) -> ControlFlow<()>,
    observer: &mut impl Observer,
) -> Sampled {
    let clock = Clock::start();
    for sampler in samplers.iter_mut() {
        sampler.begin(budget, clock);
    }
    let mut counter = Counter {
        fold,
        observer,
        clock,
        tally: Tally::default(),
        memory: 0,
        reported: Duration::ZERO,
    };
    let stop = match samplers {
        [] => Stop::Complete,
        [alone] => counter.alone(alone, budget),
        several => counter.together(several, budget),
    };
    Sampled {
        stop,
        tally: counter.tally,
        memory_bytes: counter.memory,
        elapsed: clock.elapsed(),
    }
}

/// Counts the walks.
struct Counter<'o, F, O> {
    fold: F,
    observer: &'o mut O,
    clock: Clock,
    tally: Tally,
    memory: u64,
    reported: Duration,
}

impl<F: FnMut(u64, &Walk) -> ControlFlow<()>, O: Observer> Counter<'_, F, O> {
    /// Counts the next walk.
    fn count(&mut self, walk: &Walk) -> ControlFlow<()> {
        let number = self.tally.walks;
        self.tally.add(number, walk);
        (self.fold)(number, walk)
    }

    fn report(&mut self) {
        let elapsed = self.clock.elapsed();
        if elapsed.saturating_sub(self.reported) < REPORT_INTERVAL {
            return;
        }
        self.reported = elapsed;
        self.observer.progress(&Progress {
            statistics: Statistics {
                memory_bytes: self.memory,
                elapsed,
                ..Statistics::default()
            },
            depth: self.tally.longest,
            queue: None,
            table: None,
            walks: Some(self.tally),
        });
    }

    fn alone<S: Sampler>(&mut self, sampler: &mut S, budget: &Budget) -> Stop {
        let mut next_look = 0;
        loop {
            let number = self.tally.walks;
            if number >= next_look {
                // Walks may be so short that checking the clock costs more.
                next_look = number + 1 + (number / 64).min(256);
                if let Err(stop) = budget.check(&self.clock) {
                    return stop;
                }
                self.memory = self.memory.max(sampler.held_bytes());
                self.report();
            }
            let Some(walk) = sampler.sample(number) else {
                return budget.check(&self.clock).err().unwrap_or(Stop::Interrupted);
            };
            if self.count(&walk).is_break() {
                self.memory = self.memory.max(sampler.held_bytes());
                return Stop::Complete;
            }
        }
    }

    fn together<S: Sampler + Send>(&mut self, samplers: &mut [S], budget: &Budget) -> Stop {
        let shared = Shared::default();
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for sampler in samplers.iter_mut() {
                let (shared, sender, clock) = (&shared, sender.clone(), self.clock);
                scope.spawn(move || work(sampler, shared, &sender, budget, clock));
            }
            drop(sender);
            let stop = self.collect(&receiver, &shared);
            shared.done.store(true, Ordering::Relaxed);
            stop.unwrap_or_else(|| budget.check(&self.clock).err().unwrap_or(Stop::Interrupted))
        })
    }

    /// Puts blocks into order and counts them, until no more are needed or a walk is missing.
    fn collect(&mut self, receiver: &Receiver<Block>, shared: &Shared) -> Option<Stop> {
        let mut waiting: BTreeMap<u64, Block> = BTreeMap::new();
        let mut memory: u64 = 0;
        loop {
            match receiver.recv_timeout(REPORT_INTERVAL) {
                Ok(block) => {
                    memory = memory.max(block.memory);
                    let held = waiting.values().map(|b| b.walks.len() * size_of::<Walk>());
                    self.memory = self.memory.max(memory + held.sum::<usize>() as u64);
                    waiting.insert(block.first, block);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            self.report();
            while let Some(block) = waiting.remove(&self.tally.walks) {
                for walk in &block.walks {
                    if self.count(walk).is_break() {
                        return Some(Stop::Complete);
                    }
                }
                if (block.walks.len() as u64) < block.wanted {
                    return None;
                }
                shared.counted.store(self.tally.walks, Ordering::Relaxed);
            }
        }
    }
}

/// The data that workers and the counting thread share.
#[derive(Default)]
struct Shared {
    /// The first number that no worker has taken.
    next: AtomicU64,
    /// The number of counted walks.
    counted: AtomicU64,
    /// Whether no more walks are needed.
    done: AtomicBool,
}

/// Takes blocks and makes their walks until no more are needed or the budget ends.
fn work<S: Sampler>(
    sampler: &mut S,
    shared: &Shared,
    sender: &Sender<Block>,
    budget: &Budget,
    clock: Clock,
) {
    let mut size = 1;
    while !shared.done.load(Ordering::Relaxed) {
        if budget.check(&clock).is_err() {
            return;
        }
        let counted = shared.counted.load(Ordering::Relaxed);
        if shared.next.load(Ordering::Relaxed) > counted + WINDOW {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        }
        let first = shared.next.fetch_add(size, Ordering::Relaxed);
        let begun = Instant::now();
        let mut walks = Vec::with_capacity(size as usize);
        for number in first..first + size {
            match sampler.sample(number) {
                Some(walk) if !shared.done.load(Ordering::Relaxed) => walks.push(walk),
                _ => break,
            }
        }
        let block = Block {
            first,
            wanted: size,
            walks,
            memory: sampler.held_bytes(),
        };
        if sender.send(block).is_err() {
            return;
        }
        size = match begun.elapsed() {
            time if time < BLOCK_TIME => (size * 2).min(MAX_BLOCK),
            time if time > BLOCK_TIME * 4 => (size / 2).max(1),
            _ => size,
        };
    }
}
