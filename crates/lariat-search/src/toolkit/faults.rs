//! The faults that a search has found: counted by code, with one origin for each.

use crate::toolkit::outcome::{FoundFault, Path};
use lariat_graph::Fault;
use std::collections::BTreeMap;

/// The position of a fault, from which a path can be computed.
pub(crate) trait Origin {
    /// The bytes it holds besides itself.
    fn heap_bytes(&self) -> usize;

    /// Increases with the length of the path to it. Among the faults of several workers, the one with the shortest
    /// path is kept.
    fn length(&self) -> u64;
}

impl Origin for Path {
    fn heap_bytes(&self) -> usize {
        self.labels.capacity() * size_of::<u32>()
    }

    fn length(&self) -> u64 {
        self.labels.len() as u64
    }
}

/// The faults by code, in the order of discovery.
pub(crate) struct Faults<W> {
    index: BTreeMap<u32, usize>,
    seen: Vec<(u32, u64, W)>,
    heap_bytes: usize,
}

impl<W> Default for Faults<W> {
    fn default() -> Self {
        Faults {
            index: BTreeMap::new(),
            seen: Vec::new(),
            heap_bytes: 0,
        }
    }
}

impl<W: Origin> Faults<W> {
    /// Counts a fault. `origin` is called only for the first fault of a code, and where `is_better` prefers the new
    /// one.
    pub fn add(
        &mut self,
        fault: &Fault,
        origin: &mut impl FnMut(&Fault) -> W,
        is_better: &impl Fn(&Fault, &W) -> bool,
    ) {
        if let Some(&index) = self.index.get(&fault.code) {
            let (_, occurrences, known) = &mut self.seen[index];
            *occurrences += 1;
            if is_better(fault, known) {
                self.heap_bytes -= known.heap_bytes();
                *known = origin(fault);
                self.heap_bytes += known.heap_bytes();
            }
        } else {
            self.insert(fault.code, 1, origin(fault));
        }
    }

    fn insert(&mut self, code: u32, occurrences: u64, origin: W) {
        self.heap_bytes += origin.heap_bytes();
        self.index.insert(code, self.seen.len());
        self.seen.push((code, occurrences, origin));
    }

    /// Adds the faults of another worker.
    pub fn merge(&mut self, other: Self) {
        if self.seen.is_empty() {
            *self = other;
            return;
        }
        for (code, occurrences, origin) in other.seen {
            match self.index.get(&code) {
                None => self.insert(code, occurrences, origin),
                Some(&index) => {
                    let (_, sum, known) = &mut self.seen[index];
                    *sum += occurrences;
                    if origin.length() < known.length() {
                        self.heap_bytes -= known.heap_bytes();
                        *known = origin;
                        self.heap_bytes += known.heap_bytes();
                    }
                }
            }
        }
    }

    /// Keeps only one with the shortest path: for a search that stops at the first fault and whose workers have found
    /// several at the same time.
    pub fn keep_one(&mut self) {
        let lengths = self.seen.iter().map(|(_, _, origin)| origin.length());
        let nearest = lengths.enumerate().min_by_key(|&(_, length)| length);
        let Some((nearest, _)) = nearest else { return };
        let (code, _, origin) = self.seen.swap_remove(nearest);
        *self = Self::default();
        self.insert(code, 1, origin);
    }

    /// The bytes held; those of the tree are estimated.
    pub fn memory_bytes(&self) -> usize {
        let tree = self.index.len() * 2 * size_of::<(u32, usize)>();
        tree + self.seen.capacity() * size_of::<(u32, u64, W)>() + self.heap_bytes
    }

    /// The faults with their paths.
    pub fn into_found(self, mut path: impl FnMut(W) -> Path) -> Vec<FoundFault> {
        let found = |(code, occurrences, origin)| FoundFault {
            code,
            occurrences,
            path: path(origin),
        };
        self.seen.into_iter().map(found).collect()
    }
}
