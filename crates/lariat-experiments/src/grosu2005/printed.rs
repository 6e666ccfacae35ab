//! The tables of the paper.

/// Of a search: seconds, and entries of the hash table.
pub(super) type Kept = (Option<f64>, Option<f64>);

/// Of random lassos up to the first counterexample.
pub(super) struct Found {
    pub(super) time: f64,
    pub(super) longest: f64,
    pub(super) counterexample: f64,
    pub(super) walks: f64,
}

/// Philosophers, a search, and of all random lassos their time, the longest and the mean length.
pub(super) type Fair = (u32, Kept, [f64; 3]);

impl Found {
    /// The numbers for: time, states, memory, walks, longest, counterexample, time for a hundred.
    pub(super) fn columns(&self) -> Vec<Option<f64>> {
        vec![
            Some(self.time),
            None,
            None,
            Some(self.walks),
            Some(self.longest),
            Some(self.counterexample),
            Some(100.0 * self.time / self.walks),
        ]
    }
}

const fn found(time: f64, longest: f64, counterexample: f64, walks: f64) -> Found {
    Found {
        time,
        longest,
        counterexample,
        walks,
    }
}

const fn kept(time: f64, entries: f64) -> Kept {
    (Some(time), Some(entries))
}

/// The search did not end, or the memory was too small.
const NOT_DONE: Kept = (None, None);

pub(super) const TABLE_1_DEADLOCK: [(u32, Kept, Found); 7] = [
    (4, kept(0.02, 31.0), found(0.08, 10.0, 10.0, 3.0)),
    (8, kept(1.62, 511.0), found(0.20, 25.0, 8.0, 7.0)),
    (12, kept(193.0, 8191.0), found(0.25, 37.0, 11.0, 11.0)),
    (16, NOT_DONE, found(0.57, 55.0, 8.0, 18.0)),
    (20, NOT_DONE, found(3.16, 484.0, 9.0, 20.0)),
    (30, NOT_DONE, found(35.4, 1478.0, 11.0, 100.0)),
    (40, NOT_DONE, found(666.0, 13486.0, 10.0, 209.0)),
];

pub(super) const TABLE_1_STARVATION: [(u32, Kept, Found); 7] = [
    (4, kept(0.17, 29.0), found(0.02, 8.0, 8.0, 2.0)),
    (8, kept(0.71, 77.0), found(0.01, 7.0, 7.0, 1.0)),
    (12, kept(68.0, 125.0), found(0.02, 9.0, 9.0, 1.0)),
    (16, kept(28_020.0, 173.0), found(0.11, 18.0, 18.0, 1.0)),
    (20, NOT_DONE, found(0.06, 14.0, 14.0, 1.0)),
    (30, NOT_DONE, found(1.12, 223.0, 223.0, 1.0)),
    (40, NOT_DONE, found(1.23, 218.0, 218.0, 1.0)),
];

pub(super) const TABLE_2_DEADLOCK: [Fair; 7] = [
    (4, kept(1.0, 178.0), [20.0, 49.0, 21.0]),
    (6, kept(3.0, 1772.0), [45.0, 116.0, 42.0]),
    (8, kept(58.0, 18244.0), [162.0, 365.0, 99.0]),
    (10, kept(1004.0, 192_476.0), [440.0, 720.0, 234.0]),
    (12, NOT_DONE, [1280.0, 1665.0, 564.0]),
    (16, NOT_DONE, [11020.0, 7358.0, 3144.0]),
    (20, NOT_DONE, [68520.0, 34158.0, 14923.0]),
];

pub(super) const TABLE_2_STARVATION: [Fair; 7] = [
    (4, kept(1.0, 538.0), [20.0, 50.0, 21.0]),
    (6, kept(17.0, 9106.0), [46.0, 123.0, 42.0]),
    (8, kept(476.0, 161_764.0), [137.0, 276.0, 97.0]),
    (10, NOT_DONE, [457.0, 760.0, 240.0]),
    (12, NOT_DONE, [1294.0, 1682.0, 570.0]),
    (16, NOT_DONE, [10250.0, 6124.0, 2983.0]),
    (20, NOT_DONE, [82750.0, 44559.0, 17949.0]),
];

pub(super) const TABLE_3: [(u32, Kept, Found); 10] = [
    (4, kept(0.38, 607.0), found(1.68, 87.0, 87.0, 103.0)),
    (8, kept(1.24, 2527.0), found(11.3, 208.0, 65.0, 697.0)),
    (16, kept(5.87, 13471.0), found(10.2, 223.0, 61.0, 612.0)),
    (24, kept(18.7, 39007.0), found(186.0, 280.0, 44.0, 12370.0)),
    (32, kept(36.2, 85279.0), found(174.0, 269.0, 63.0, 11012.0)),
    (
        40,
        kept(71.0, 158_431.0),
        found(106.0, 325.0, 117.0, 7818.0),
    ),
    (
        48,
        kept(123.0, 264_607.0),
        found(105.0, 232.0, 25.0, 6997.0),
    ),
    (
        56,
        kept(204.0, 409_951.0),
        found(414.0, 278.0, 133.0, 28644.0),
    ),
    (
        64,
        kept(318.0, 600_607.0),
        found(432.0, 347.0, 32.0, 29982.0),
    ),
    (72, NOT_DONE, found(713.0, 336.0, 63.0, 43192.0)),
];
