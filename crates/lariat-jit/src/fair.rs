//! The processes that move on the edges of a state, for fairness.
//!
//! Compiled code does not record them. The runtime knows which process it calls, and the partners of a rendezvous;
//! all edges that are added in between have the same moving processes.

/// The processes that move on each edge, and those that are enabled, if fairness is checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fair {
    /// The number of processes with a fairness constraint; 0 without fairness.
    pub(crate) processes: usize,
    pub(crate) movers: Vec<u64>,
    pub(crate) enabled: Vec<u64>,
    /// For each interval of edges, its end and the processes that moved on them.
    pub(crate) stretches: Vec<(usize, Box<[u64]>)>,
}

impl Fair {
    pub(crate) fn new(processes: usize) -> Self {
        Fair {
            processes,
            movers: vec![0; processes.div_ceil(64)],
            enabled: vec![0; processes.div_ceil(64)],
            stretches: Vec::new(),
        }
    }

    pub(crate) fn begin(&mut self) {
        self.enabled.fill(0);
        self.stretches.clear();
    }

    /// Ends the interval of edges on which the same processes moved.
    pub(crate) fn flush(&mut self, edges: usize) {
        let before = self.stretches.last().map_or(0, |(end, _)| *end);
        if self.processes > 0 && edges > before {
            let movers = self.movers.as_slice().into();
            self.stretches.push((edges, movers));
        }
    }

    /// Sets or clears the bit of a process, if it has a constraint; returns the old value.
    pub(crate) fn set(row: &mut [u64], pid: usize, on: bool) -> bool {
        let Some(word) = row.get_mut(pid / 64) else {
            return false;
        };
        let bit = 1 << (pid % 64);
        let before = *word & bit != 0;
        *word = if on { *word | bit } else { *word & !bit };
        before
    }
}
