//! Speed and memory of the compressed store in a breadth-first search of a model without computation: counters in a
//! vector of 25 words, of which each step moves one or two.
//!
//! `cargo run --release -p lariat-store --example tree_throughput [base [batch [changes [workers [flat]]]]]`
//!
//! There are `base` to the fifth power states. `batch` is the number of states that are expanded before their
//! successors are settled; with 0, each successor is settled by itself, so that prefetching has no effect. `changes`
//! is the number of words that a step changes. `latency` is the cost of a load that misses all caches: the machine's
//! speed at this moment.

use lariat_stats::stream;
use lariat_store::{Archive, Demands, FlatSet, Memory, Seen, Settled, StateRef, TreeStore};
use std::time::Instant;

const WIDTH: usize = 25;
/// The positions of the counters.
const AT: [usize; 5] = [1, 6, 11, 16, 21];

/// A model: five counters, each of which may go on by one.
struct Counters {
    base: u32,
    batch: usize,
    changes: usize,
}

impl Counters {
    fn initial(&self) -> Vec<u32> {
        let mut state: Vec<u32> = (0..WIDTH as u32).map(|i| i * 7).collect();
        for at in AT {
            state[at] = 0;
            state[at + 2] = 0;
        }
        state
    }

    /// Offers the successors of a state; returns how many.
    fn expand<S: Archive>(&self, set: &S, worker: &mut S::Worker, state: &mut [u32]) -> usize {
        for at in AT {
            let old = [state[at], state[at + 2]];
            state[at] = (old[0] + 1) % self.base;
            if self.changes > 1 {
                state[at + 2] = state[at] * 3;
            }
            set.offer(worker, state);
            [state[at], state[at + 2]] = old;
        }
        AT.len()
    }
}

/// The CPU time of this thread in nanoseconds, where the system provides it; otherwise the wall-clock time. Only the
/// CPU time is meaningful on a shared machine.
fn now(start: Instant) -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let computed = times.split(' ').next().and_then(|time| time.parse().ok());
    computed.unwrap_or(start.elapsed().as_nanos() as f64)
}

/// The resident bytes of the process, where the system provides them.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0u64) * 4096
}

/// The nanoseconds of a load that depends on the one before, from 128 MB at random.
fn latency() -> f64 {
    let len = 1 << 24;
    let mut next: Vec<u32> = (0..len as u32).collect();
    // One cycle through all positions (Sattolo's shuffle).
    let mut rng = stream(2, "latency", 0);
    for i in (1..len).rev() {
        next.swap(i, rng.below(i as u64) as usize);
    }
    let start = Instant::now();
    let begin = now(start);
    let rounds = 2_000_000;
    let end = (0..rounds).fold(0, |at, _| next[at] as usize);
    let time = (now(start) - begin) / f64::from(rounds);
    if end == len { 0.0 } else { time }
}

/// Expands all states of `queue`; the new ones go to `next`.
fn expand_all<S: Archive>(
    model: &Counters,
    set: &S,
    worker: &mut S::Worker,
    queue: &[StateRef],
    mut next: impl FnMut(StateRef),
) -> usize {
    let mut out: Vec<Settled> = Vec::new();
    let mut state = vec![0; WIDTH];
    let mut offers = 0;
    for batch in queue.chunks(model.batch.max(1)) {
        for &reference in batch {
            state.copy_from_slice(set.load(worker, reference));
            offers += model.expand(set, worker, &mut state);
            if model.batch == 0 {
                set.settle(worker, &mut out).expect("no limit");
            }
        }
        set.settle(worker, &mut out).expect("no limit");
        for settled in out.drain(..).filter(|settled| settled.is_new) {
            next(settled.state);
        }
    }
    offers
}

fn run<S: Archive>(name: &str, model: &Counters) {
    let before = resident_bytes();
    let memory = Memory::new(None);
    let set = S::new(Demands {
        memory: memory.clone(),
        colour_bits: 2,
        max_states: u64::MAX,
    });
    let mut worker = set.worker();
    let mut out = Vec::new();
    set.offer(&mut worker, &model.initial());
    set.settle(&mut worker, &mut out).expect("no limit");

    let count = u64::from(model.base).pow(AT.len() as u32);
    let mut queue = vec![StateRef::NONE; count as usize];
    queue[0] = out[0].state;
    let start = Instant::now();
    let begin = now(start);
    let (mut head, mut tail, mut offers) = (0, 1, 0);
    let mut level = Vec::new();
    while head < tail {
        level.clear();
        level.extend_from_slice(&queue[head..tail]);
        head = tail;
        offers += expand_all(model, &set, &mut worker, &level, |state| {
            queue[tail] = state;
            tail += 1;
        });
    }
    let search = (now(start) - begin) / offers as f64;
    assert_eq!(set.len(), count);
    let per_state = |bytes: u64| bytes as f64 / count as f64;
    let resident = resident_bytes() - before - 8 * count - 8 * level.capacity() as u64;
    println!(
        "{name}: breadth first {search:.1} ns an offer; {:.2} bytes a state (peak {:.2}, resident {:.2})",
        per_state(memory.held()),
        per_state(memory.peak()),
        per_state(resident),
    );

    let begin = now(start);
    let offers = expand_all(model, &set, &mut worker, &queue, |_| unreachable!());
    let known = (now(start) - begin) / offers as f64;
    stream(1, "order", 0).shuffle(&mut queue);
    queue.truncate(2_000_000);
    let begin = now(start);
    let offers = expand_all(model, &set, &mut worker, &queue, |_| unreachable!());
    let random = (now(start) - begin) / offers as f64;
    println!("{name}: known states in that order {known:.1} ns an offer, at random {random:.1} ns");
}

/// Several threads, each with a part of the same levels.
fn run_threads(model: &Counters, workers: usize) {
    let set = TreeStore::new(Demands {
        memory: Memory::new(None),
        colour_bits: 2,
        max_states: u64::MAX,
    });
    let mut worker = set.worker();
    let mut out = Vec::new();
    set.offer(&mut worker, &model.initial());
    set.settle(&mut worker, &mut out).expect("no limit");
    let mut level = vec![out[0].state];
    let start = Instant::now();
    let mut offers = 0;
    while !level.is_empty() {
        let part = level.len().div_ceil(workers);
        let results: Vec<(usize, Vec<StateRef>)> = std::thread::scope(|scope| {
            let threads: Vec<_> = level
                .chunks(part)
                .map(|part| {
                    scope.spawn(|| {
                        let mut next = Vec::new();
                        let mut worker = set.worker();
                        let count =
                            expand_all(model, &set, &mut worker, part, |state| next.push(state));
                        (count, next)
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("thread"))
                .collect()
        });
        level.clear();
        for (count, next) in results {
            offers += count;
            level.extend(next);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "TreeStore, {workers} workers: {:.1} million offers a second, {} states",
        offers as f64 / seconds / 1e6,
        set.len()
    );
}

fn main() {
    let arguments: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|n| n.parse().ok())
        .collect();
    let argument = |index: usize, default| arguments.get(index).copied().unwrap_or(default);
    let model = Counters {
        base: argument(0, 25) as u32,
        batch: argument(1, 8),
        changes: argument(2, 1),
    };
    println!(
        "{} states of {} bytes, {} words change, batches of {} states",
        u64::from(model.base).pow(AT.len() as u32),
        4 * WIDTH,
        model.changes,
        model.batch
    );
    println!("latency {:.0} ns", latency());
    run::<TreeStore>("TreeStore", &model);
    for workers in 1..=argument(3, 0) {
        run_threads(&model, workers);
    }
    if argument(4, 0) > 0 {
        run::<FlatSet>("FlatSet", &model);
    }
}
