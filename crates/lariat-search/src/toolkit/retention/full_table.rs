//! How a table that is full gets on, and whether it suffices.

use crate::toolkit::storing::Forecast;

/// Watches how a full table gets on.
#[derive(Default)]
pub(super) struct FullTable {
    pub is_full: bool,
    /// When the present window began: expansions and distinct states.
    start: Option<(u64, u64)>,
    /// Visits for each new state, over the last windows.
    work: Option<f64>,
    pub forecast: Option<Forecast>,
}

/// With fewer visits for each new state than this, states are hardly ever met again after a while.
const LOCAL: f64 = 1.1;
/// A table of this part of 1 - 1/k of the states was enough for nearly all simulated searches to end: with keys,
/// and with random replacement.
pub(super) const ENOUGH: f64 = 0.7;
pub(super) const ENOUGH_AT_RANDOM: f64 = 1.05;

impl FullTable {
    /// Looks at the counts, from time to time.
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

/// How many states a model may have to be searched with such a table. A search that stores only some
/// states, whichever, needs about the part 1 - 1/k of them, where k is how often a state is come to: with less,
/// searching one again starts more than one other search. One that chooses them well needs less than that.
fn feasible(table: u64, visitation: f64, enough: f64) -> f64 {
    match visitation > 1.0 {
        true => table as f64 * visitation / (enough * (visitation - 1.0)),
        false => f64::INFINITY,
    }
}
