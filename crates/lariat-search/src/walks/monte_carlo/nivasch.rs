//! The cycle of a function, found with a stack (G. Nivasch, "Cycle detection using a stack", Information
//! Processing Letters 90, 2004).
//!
//! The stack holds states with increasing hashes: a new state removes those with a larger hash. The state with the
//! smallest hash of the cycle is never removed once it is there, and when the walk reaches it for the second time, it
//! is on top. The stack has about as many states as the logarithm of the walk's length, and the walk continues for
//! half of its cycle, on average, after it has closed.

use lariat_store::hash_words;

/// The stack.
#[derive(Debug, Default)]
pub(super) struct Stack {
    entries: Vec<Entry>,
    words: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    /// The time when the state was visited.
    time: u64,
    /// Its start in the words.
    start: usize,
}

impl Stack {
    /// Empties the stack.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.words.clear();
    }

    /// The walk visits a state; returns the time of an earlier visit, if it is certain, and the hash.
    #[inline]
    pub(super) fn visit(&mut self, state: &[u32], time: u64) -> (Option<u64>, u64) {
        let hash = hash_words(state);
        while let Some(top) = self.entries.last() {
            // States with equal hashes are ordered by their words.
            let order = top.hash.cmp(&hash);
            match order.then_with(|| self.words[top.start..].cmp(state)) {
                std::cmp::Ordering::Less => break,
                std::cmp::Ordering::Equal => return (Some(top.time), hash),
                std::cmp::Ordering::Greater => {
                    self.words.truncate(top.start);
                    self.entries.pop();
                }
            }
        }
        let start = self.words.len();
        self.words.extend_from_slice(state);
        self.entries.push(Entry { hash, time, start });
        (None, hash)
    }

    /// The bytes that it holds.
    #[inline]
    pub(super) fn memory_bytes(&self) -> u64 {
        (self.words.capacity() * 4 + self.entries.capacity() * size_of::<Entry>()) as u64
    }

    /// The states that it holds.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_stats::stream;

    /// On random functions the cycle has the right length, and the state that was found is on it.
    #[test]
    fn the_cycle_is_found() {
        let mut stack = Stack::default();
        let mut highest = 0;
        for run in 0..2000 {
            let mut rng = stream(run, "function", 0);
            let size = 1 + rng.below(3000) as u32;
            let function: Vec<u32> = (0..size).map(|_| rng.below(size.into()) as u32).collect();
            let mut first = vec![None; size as usize];
            let (mut at, mut time) = (0u32, 0u64);
            while first[at as usize].is_none() {
                first[at as usize] = Some(time);
                at = function[at as usize];
                time += 1;
            }
            let start = first[at as usize].unwrap_or(0);
            let length = time - start;

            stack.clear();
            let (mut at, mut time) = (0u32, 0u64);
            let met = loop {
                if let (Some(met), _) = stack.visit(&[at, 7], time) {
                    break met;
                }
                highest = highest.max(stack.len());
                at = function[at as usize];
                time += 1;
            };
            assert_eq!(time - met, length, "run {run}");
            assert!(met >= start && time <= start + 2 * length);
        }
        assert!(highest < 40);
    }
}
