//! The statistics of a full table, and whether it is large enough.

use crate::toolkit::storing::Forecast;

/// Measures the visits of a search with a full table.
#[derive(Default)]
pub(super) struct FullTable {
    pub is_full: bool,
    /// Expansions and distinct states at the start of the present window.
    start: Option<(u64, u64)>,
    /// Visits for each new state, over the last windows.
    work: Option<f64>,
    pub forecast: Option<Forecast>,
}

/// With fewer visits for each new state than this, states are hardly ever revisited after a while.
const LOCAL: f64 = 1.1;
/// With a table of this part of 1 - 1/k of the states, nearly all simulated searches ended: with keys, and with
/// random replacement.
pub(super) const ENOUGH: f64 = 0.7;
pub(super) const ENOUGH_AT_RANDOM: f64 = 1.05;

impl FullTable {
    /// Updates the statistics, from time to time.
    #[inline]
    pub fn read(
        &mut self,
        expansions: u64,
        distinct: u64,
        table: u64,
        visitation: f64,
        enough: f64,
    ) {
        let (start, known) = *self.start.get_or_insert((expansions, distinct));
        let visited = expansions - start;
        if visited >= (table / 8).max(64) {
            self.start = Some((expansions, distinct));
            let new = distinct.saturating_sub(known).max(1);
            let work = (visited as f64 / new as f64).min(1000.0);
            let work = self.work.map_or(work, |before| (before + work) / 2.0);
            self.work = Some(work);
            self.forecast = Some(Forecast {
                table,
                feasible: feasible(table, visitation, enough),
                work,
            });
        }
    }

    /// Whether nearly all visits are of new states.
    pub fn is_local(&self) -> bool {
        self.work.is_none_or(|work| work < LOCAL)
    }
}

/// The largest number of states of a model that can be searched with such a table. A search that stores an arbitrary
/// part of the states needs about the part 1 - 1/k of them, where k is the number of edges to a state: with less,
/// revisiting one state causes more than one other revisit. A search that chooses the states well needs less.
fn feasible(table: u64, visitation: f64, enough: f64) -> f64 {
    match visitation > 1.0 {
        true => table as f64 * visitation / (enough * (visitation - 1.0)),
        false => f64::INFINITY,
    }
}
