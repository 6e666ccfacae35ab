//! The laws of randomized storing (Brim, Černá and Nečesal, "Randomization helps in LTL model checking", 2001): the
//! number of visits of states, and of stored states.
//!
//! Seeds are fixed, so the tests are deterministic. The probability of a failure is computed nevertheless, for ideal
//! coins: each comparison with [`bernstein`] or [`wald`] fails by chance with a probability below 10^-12. No test
//! makes a thousand of them, so each test fails by chance with a probability below 10^-9. All other comparisons are
//! exact, unless stated otherwise.

mod bounded_tables;
mod graphs;
mod static_tables;
mod sums;
mod visits;
mod without_removals;

use lariat_graph::{Acceptance, AcceptingGraph};
use lariat_search::{
    FaultPolicy, Options, RandomizedStoring, Statistics, Stop, StoreKind, Storing, StoringRule,
    depth_first, nested_depth_first, nested_dfs_rest,
};

const SEED: u64 = 1;

/// One acceptance set, as nested searches require.
const ONE_SET: Acceptance = Acceptance { sets: 1, pairs: 0 };

/// The logarithm of 2 sides x 64 sizes / 10^-12.
const SURPRISE: f64 = 32.49;

/// The tolerance for the sum of independent numbers. Each of them is at most `range` away from its own expectation;
/// `variance` is that of the sum. By Bernstein's inequality, P(|sum - expected| >= t) <= 2 exp(-t^2 / (2 (variance +
/// range t / 3))); this is the t that makes the right side 10^-12 / 64.
fn bernstein(range: f64, variance: f64) -> f64 {
    let drift = range * SURPRISE / 3.0;
    drift + (drift * drift + 2.0 * SURPRISE * variance).sqrt()
}

/// The tolerance for the number of heads, compared with `p` times the number of tosses, if earlier coins decide the
/// number of tosses; or with weights, at most `range` each. That is a martingale, and the inequality of Freedman ("On
/// tail probabilities for martingales", 1975) is that of Bernstein for its maximum up to some time. All powers of 2
/// are taken for this time; hence the 64 sizes.
fn wald(range: f64, tosses: u64, p: f64) -> f64 {
    let tosses = tosses.next_power_of_two() as f64;
    bernstein(range, range * range * p * (1.0 - p) * tosses)
}

fn assert_near(seen: f64, expected: f64, tolerance: f64, context: &str) {
    assert!(
        (seen - expected).abs() <= tolerance,
        "{context}: {seen} instead of {expected}, within {tolerance}"
    );
}

/// The searches that toss coins.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Search {
    DepthFirst,
    Nested,
    Published,
}

const ALL: [Search; 3] = [Search::DepthFirst, Search::Nested, Search::Published];

fn options(rule: StoringRule, seed: u64) -> Options {
    Options {
        store: StoreKind::Forget(RandomizedStoring { rule, seed }),
        faults: FaultPolicy::Collect,
        ..Options::default()
    }
}

impl Search {
    /// Searches a graph without an accepted cycle completely.
    fn run<G: AcceptingGraph + Send>(
        self,
        graph: &mut G,
        rule: StoringRule,
        seed: u64,
    ) -> Statistics {
        let options = options(rule, seed);
        let (stop, statistics) = match self {
            Search::DepthFirst => {
                let outcome = depth_first(graph, &options, &mut ());
                (outcome.stop, outcome.statistics)
            }
            Search::Nested => {
                let graphs = std::slice::from_mut(graph);
                let outcome = nested_depth_first(graphs, &options, false, &mut ());
                (outcome.stop, outcome.statistics)
            }
            Search::Published => {
                let outcome =
                    nested_dfs_rest(graph, RandomizedStoring { rule, seed }, &options, &mut ());
                (outcome.stop, outcome.statistics)
            }
        };
        assert_eq!(stop, Stop::Complete, "{self:?}, {rule}, seed {seed}");
        statistics
    }

    /// The same; returns only the statistics of storing.
    fn storing<G: AcceptingGraph + Send>(
        self,
        graph: &mut G,
        rule: StoringRule,
        seed: u64,
    ) -> Storing {
        let statistics = self.run(graph, rule, seed);
        let storing = statistics.storing.unwrap();
        assert_eq!(
            storing.expansions, statistics.states_stored,
            "{self:?}, {rule}, seed {seed}"
        );
        storing
    }

    /// The number of tossed coins: one for each insertion of a state into the table, except that nested searches as
    /// published keep none of the states that they insert.
    fn tosses(self, storing: &Storing) -> u64 {
        match self {
            Search::Nested => storing.expansions + storing.nested_expansions,
            _ => storing.expansions,
        }
    }
}
