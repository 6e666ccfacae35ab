//! Work on several items at a time, with results in the order of the items.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

/// Calls `work` for each item on `jobs` threads and `take` for each result, in the order of the items and on the
/// calling thread. Results are handed over as soon as all earlier ones are there. When `take` breaks, no further
/// items are begun.
pub fn in_order<I: Send, R: Send>(
    jobs: usize,
    items: impl Iterator<Item = I> + Send,
    work: impl Fn(I) -> R + Sync,
    mut take: impl FnMut(R) -> ControlFlow<()>,
) {
    let source = Mutex::new(items.enumerate());
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let (source, stop, work) = (&source, &stop, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some((index, item)) = source
                        .lock()
                        .expect("no thread panics while it holds the lock")
                        .next()
                    else {
                        break;
                    };
                    if sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (index, result) in &receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                if take(result).is_break() {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_breaking_stops() {
        let mut seen = Vec::new();
        let work = |i: u64| {
            std::thread::sleep(std::time::Duration::from_millis((7 * i) % 5));
            i
        };
        in_order(4, 0.., work, |i| {
            seen.push(i);
            if i == 30 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(seen, (0..=30).collect::<Vec<_>>());
    }
}
