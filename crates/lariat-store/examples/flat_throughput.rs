//! Speed and memory of the flat store, compared with `HashSet<Vec<u32>>`.
//!
//! `cargo run --release -p lariat-store --example flat_throughput [states]`

use lariat_stats::stream;
use lariat_store::{FlatStore, Insert, Memory};
use std::collections::HashSet;
use std::time::Instant;

const WIDTH: usize = 8;

/// The state number `i`: a few words that change often, as in a model, and some that do not.
fn state(i: u32) -> [u32; WIDTH] {
    let digits = [i & 15, i >> 4 & 15, i >> 8 & 15, i >> 12 & 255, i >> 20];
    [
        digits[0], 1, digits[1], digits[2], 0, digits[3], 2, digits[4],
    ]
}

/// The CPU time of this thread in nanoseconds, where the system provides it; otherwise the wall-clock time. Only the
/// CPU time is meaningful on a shared machine.
fn now(start: Instant) -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let computed = times.split(' ').next().and_then(|time| time.parse().ok());
    computed.unwrap_or(start.elapsed().as_nanos() as f64)
}

/// Runs `insert` over `order` and returns the nanoseconds for each.
fn time(order: &[u32], mut insert: impl FnMut(&[u32; WIDTH])) -> f64 {
    let start = Instant::now();
    let before = now(start);
    for &i in order {
        insert(&state(i));
    }
    (now(start) - before) / order.len() as f64
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

fn main() {
    let count: u32 = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(5_000_000);
    let mut order: Vec<u32> = (0..count).collect();
    stream(1, "order", 0).shuffle(&mut order);
    println!("{count} states of {} bytes, in random order", 4 * WIDTH);

    let before = resident_bytes();
    let memory = Memory::new(None);
    let mut store = FlatStore::new(&memory);
    let new = time(&order, |state| {
        assert!(matches!(store.insert(state), Insert::New(_)));
    });
    let known = time(&order, |state| {
        assert!(matches!(store.insert(state), Insert::Known(_)));
    });
    let per_state = |bytes: u64| bytes as f64 / f64::from(count);
    println!(
        "FlatStore          new {new:5.0} ns, known {known:5.0} ns, {:5.1} bytes a state \
         (peak {:.1}, resident {:.1})",
        per_state(store.memory_bytes()),
        per_state(memory.peak()),
        per_state(resident_bytes() - before),
    );
    drop(store);

    let before = resident_bytes();
    let mut set: HashSet<Vec<u32>> = HashSet::new();
    let new = time(&order, |state| assert!(set.insert(state.to_vec())));
    let known = time(&order, |state| assert!(set.contains(&state[..])));
    println!(
        "HashSet<Vec<u32>>  new {new:5.0} ns, known {known:5.0} ns, {:5.1} bytes a state (resident)",
        per_state(resident_bytes().saturating_sub(before)),
    );
}
