//! What is claimed after a complete search that may have omitted states.

use lariat_search::{Exactness, Misses, Omission, SearchId, SearchOutcome, Stop};

/// A lasso of so many states is what a claim about lassos is made for.
const LASSO_STATES: u64 = 1000;

/// The claim of complete searches that distinguish states by a hash: bounds on probabilities, over the seeds of the
/// hashes. The figures come from the stores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OmissionClaim {
    /// What the last one may have omitted.
    pub omission: Omission,
    /// The seed of its hash.
    pub seed: u64,
    /// The number of searches, each with a seed of its own.
    pub searches: u64,
    /// The probability that each of them has omitted a state.
    pub any: f64,
    /// The probability that all of them have missed a given violation, if it is bounded.
    pub missed: Option<Missed>,
    /// Why there were not as many searches as planned.
    pub stopped_by: Option<Stop>,
}

/// The bound for a given violation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// The kind of violation.
    pub what: Violating,
    /// The probability that it is missed.
    pub probability: f64,
}

/// A violation of which nothing is known but its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violating {
    /// A state at most so many steps from an initial one.
    State {
        /// The steps.
        steps: u64,
    },
    /// A lasso with at most so many states.
    Lasso {
        /// The states.
        states: u64,
    },
}

impl Violating {
    /// What a claim about a search is made for: states as far away as the search has reached, or lassos.
    fn of(search: SearchId, max_depth: u64) -> Option<Self> {
        match search.info().misses {
            Misses::Nothing => None,
            Misses::States => Some(Violating::State {
                steps: max_depth.saturating_sub(1),
            }),
            Misses::Lassos => Some(Violating::Lasso {
                states: LASSO_STATES,
            }),
        }
    }

    /// One that is at least as large as both. A search has the same kind for each seed.
    fn or_larger(self, other: Self) -> Self {
        match (self, other) {
            (Violating::State { steps: a }, Violating::State { steps: b }) => {
                Violating::State { steps: a.max(b) }
            }
            (larger, _) => larger,
        }
    }

    /// The probability that it is missed.
    fn is_missed(self, omission: &Omission) -> f64 {
        match self {
            Violating::State { steps } => omission.path(steps),
            Violating::Lasso { states } => omission.lasso(states),
        }
    }
}

impl OmissionClaim {
    /// The claim of a search, if it is complete and its store may identify states.
    pub(crate) fn by_search(
        outcome: &SearchOutcome,
        search: SearchId,
        seed: u64,
    ) -> Option<OmissionClaim> {
        let claims = outcome.stop == Stop::Complete
            && outcome.exactness == Exactness::MayOmit
            && outcome.walks.is_none();
        if !claims {
            return None;
        }
        let statistics = &outcome.statistics;
        // Nothing is bounded for a store without figures.
        let nothing = Omission::fingerprints(statistics.states_stored, 0);
        let omission = statistics.omission.unwrap_or(nothing);
        let what = Violating::of(search, statistics.max_depth);
        Some(OmissionClaim {
            omission,
            seed,
            searches: 1,
            any: omission.any,
            missed: what.map(|what| Missed {
                what,
                probability: what.is_missed(&omission),
            }),
            stopped_by: None,
        })
    }

    /// The claim of several searches with independent hashes: a given violation is missed by all of them with the
    /// product of the probabilities. For anything that is fixed before the hashes are drawn, not for the worst case afterwards.
    pub(crate) fn of_all(claims: &[OmissionClaim]) -> Option<OmissionClaim> {
        let last = claims.last()?;
        let sizes = claims.iter().map(|claim| Some(claim.missed?.what));
        let what = sizes.reduce(|a, b| Some(a?.or_larger(b?))).flatten();
        let product = |probability: &dyn Fn(&Omission) -> f64| {
            claims
                .iter()
                .map(|claim| probability(&claim.omission))
                .product()
        };
        Some(OmissionClaim {
            searches: claims.len() as u64,
            any: product(&|omission| omission.any),
            missed: what.map(|what| Missed {
                what,
                probability: product(&|omission| what.is_missed(omission)),
            }),
            ..*last
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_search::Statistics;

    fn search(stop: Stop, exactness: Exactness, states: u64) -> SearchOutcome {
        SearchOutcome {
            stop,
            faults: Vec::new(),
            lasso: None,
            statistics: Statistics {
                states_stored: states,
                max_depth: 10,
                omission: Some(Omission::fingerprints(states, 40)),
                ..Statistics::default()
            },
            exactness,
            walks: None,
        }
    }

    #[test]
    fn only_complete_searches_over_hashes_make_a_claim() {
        let claim = |stop, exactness| {
            OmissionClaim::by_search(&search(stop, exactness, 1000), SearchId::Bfs, 1)
        };
        assert!(claim(Stop::Complete, Exactness::MayOmit).is_some());
        assert!(claim(Stop::Complete, Exactness::Exact).is_none());
        for stop in [
            Stop::Memory,
            Stop::Time,
            Stop::States,
            Stop::Interrupted,
            Stop::Fault,
        ] {
            assert!(claim(stop, Exactness::MayOmit).is_none());
        }
    }

    #[test]
    fn each_search_claims_what_it_can() {
        let search = search(Stop::Complete, Exactness::MayOmit, 1000);
        let missed = |id| OmissionClaim::by_search(&search, id, 1).unwrap().missed;
        let scale = 40f64.exp2();
        for id in [SearchId::Bfs, SearchId::Dfs] {
            let missed = missed(id).unwrap();
            assert_eq!(missed.what, Violating::State { steps: 9 });
            assert_eq!(missed.probability, 10.0 * 1000.0 / scale);
        }
        let lasso = missed(SearchId::Owcty).unwrap();
        assert_eq!(lasso.what, Violating::Lasso { states: 1000 });
        assert!((lasso.probability * scale / 1e6 - 1.0).abs() < 1e-6);
        assert_eq!(missed(SearchId::Ndfs), None);
    }

    #[test]
    fn a_store_without_figures_claims_nothing() {
        let mut search = search(Stop::Complete, Exactness::MayOmit, 1000);
        search.statistics.omission = None;
        let claim = OmissionClaim::by_search(&search, SearchId::Bfs, 1).unwrap();
        assert_eq!((claim.any, claim.missed.unwrap().probability), (1.0, 1.0));
    }

    #[test]
    fn probabilities_of_several_searches_are_multiplied() {
        let claim = |states, seed| {
            let search = search(Stop::Complete, Exactness::MayOmit, states);
            OmissionClaim::by_search(&search, SearchId::Bfs, seed).unwrap()
        };
        let (one, two) = (claim(1000, 7), claim(2000, 8));
        assert_eq!(OmissionClaim::of_all(&[]), None);
        assert_eq!(OmissionClaim::of_all(&[one]), Some(one));
        let both = OmissionClaim::of_all(&[one, two]).unwrap();
        assert_eq!((both.seed, both.searches), (8, 2));
        assert_eq!(both.any, one.any * two.any);
        let (a, b) = (one.missed.unwrap(), two.missed.unwrap());
        assert_eq!(
            both.missed.unwrap().probability,
            a.probability * b.probability
        );
    }
}
