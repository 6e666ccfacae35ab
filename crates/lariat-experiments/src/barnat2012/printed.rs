//! The rows of table 1 whose models were identified, and the models of figures 3 to 6.

use super::{Expected, Instance};

/// A row of table 1.
pub(super) struct Printed {
    pub(super) file: &'static str,
    verdict: Expected,
    pub(super) exact_seconds: f64,
    pub(super) exact_mb: f64,
    pub(super) compact_seconds: f64,
    pub(super) compact_mb: f64,
    /// In thousands.
    states: f64,
    pub(super) time_percent: f64,
    pub(super) memory_percent: f64,
    coverage_percent: f64,
}

impl Printed {
    pub(super) fn instance(&self) -> Instance {
        Instance::beem(self.file, self.verdict)
    }

    fn found(&self) -> Option<f64> {
        Some(f64::from(u8::from(self.verdict == Expected::Violated)))
    }

    /// The numbers of the exact search, for: verdict, states, coverage, time, cpu, slowdown, memory.
    pub(super) fn exact(&self) -> Vec<Option<f64>> {
        vec![
            self.found(),
            Some(1000.0 * self.states),
            None,
            Some(self.exact_seconds),
            None,
            None,
            Some(self.exact_mb),
        ]
    }

    /// Those of the search with hash compaction, and the difference of memory.
    pub(super) fn compact(&self) -> Vec<Option<f64>> {
        vec![
            self.found(),
            Some(10.0 * self.coverage_percent * self.states),
            Some(self.coverage_percent / 100.0),
            Some(self.compact_seconds),
            None,
            Some(1.0 + self.time_percent / 100.0),
            Some(self.compact_mb),
            None,
            Some(self.memory_percent / 100.0),
        ]
    }
}

const HOLDS: Expected = Expected::Holds;
const VIOLATED: Expected = Expected::Violated;

/// Seconds and megabytes of the exact search, those with compaction, thousands of states; differences of time and memory, and coverage, in percent.
type Numbers = ([f64; 2], [f64; 2], f64, [f64; 3]);

const fn row(file: &'static str, verdict: Expected, numbers: Numbers) -> Printed {
    let (exact, compact, states, relative) = numbers;
    Printed {
        file,
        verdict,
        exact_seconds: exact[0],
        exact_mb: exact[1],
        compact_seconds: compact[0],
        compact_mb: compact[1],
        states,
        time_percent: relative[0],
        memory_percent: relative[1],
        coverage_percent: relative[2],
    }
}

/// Rows 3, 12 to 17, 19, 20 and 23 to 25.
#[rustfmt::skip]
pub(super) const TABLE_1: [Printed; 12] = [
    row("leader_filters.5.prop2.dve", HOLDS, ([25.41, 548.0], [92.57, 378.0], 1573.0, [264.0, -31.0, 99.97])),
    row("rether.5.prop2.dve", HOLDS, ([16.30, 747.0], [17.08, 281.0], 3098.0, [5.0, -62.0, 99.58])),
    row("rether.5.prop3.dve", VIOLATED, ([112.17, 2468.0], [110.63, 1014.0], 11245.0, [-1.0, -59.0, 98.84])),
    row("rether.5.prop4.dve", VIOLATED, ([28.08, 1147.0], [112.97, 800.0], 5945.0, [302.0, -30.0, 101.47])),
    row("rether.5.prop5.dve", HOLDS, ([68.08, 1406.0], [524.87, 837.0], 6012.0, [671.0, -40.0, 99.50])),
    row("rether.5.prop6.dve", VIOLATED, ([25.42, 964.0], [130.88, 805.0], 4371.0, [415.0, -16.0, 136.90])),
    row("rether.6.prop2.dve", HOLDS, ([34.43, 1157.0], [39.52, 361.0], 6047.0, [15.0, -69.0, 99.25])),
    row("rether.7.prop5.dve", HOLDS, ([104.99, 2553.0], [441.92, 1252.0], 9533.0, [321.0, -51.0, 99.08])),
    row("rether.7.prop6.dve", VIOLATED, ([31.00, 1133.0], [287.84, 1275.0], 4993.0, [828.0, 13.0, 189.69])),
    row("szymanski.4.prop2.dve", VIOLATED, ([91.35, 934.0], [119.69, 560.0], 4555.0, [31.0, -40.0, 99.94])),
    row("szymanski.4.prop3.dve", VIOLATED, ([105.58, 1034.0], [128.85, 520.0], 4628.0, [22.0, -50.0, 99.95])),
    row("szymanski.4.prop4.dve", HOLDS, ([94.75, 1053.0], [153.34, 519.0], 4627.0, [62.0, -51.0, 99.95])),
];

/// The models of figures 3 to 6.
pub(super) fn scaling() -> [Instance; 4] {
    [
        Instance::beem("rether.6.prop2.dve", HOLDS),
        Instance::beem("rether.5.prop3.dve", VIOLATED),
        Instance::beem("szymanski.4.prop3.dve", VIOLATED),
        Instance::beem("anderson.6.prop2.dve", HOLDS),
    ]
}
