//! Randomized storing: which visited states stay in the table, and the statistics about it.
//!
//! From Brim, Černá and Nečesal, "Randomization helps in LTL model checking" (PAPM-PROBMIV 2001): a state that a
//! depth-first search has left need not be stored. If it is reached again, it is searched again, so the result is
//! exact; memory is traded for time. `retention.rs` explains it.

use std::fmt;

/// A rule, and the seed of its random decisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomizedStoring {
    /// The rule.
    pub rule: StoringRule,
    /// The seed.
    pub seed: u64,
}

/// Which states stay in the table when the search leaves them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoringRule {
    /// Each time a state is left, it stays with this probability.
    Dynamic(f64),
    /// A state stays with this probability, with the same decision each time.
    Static(f64),
    /// All states until the memory or the limit of states is used up; from then on, states are replaced.
    Auto,
    /// At most so many states; then states are replaced at random (Godefroid, Holzmann and Pirottin, "State-space
    /// caching revisited", 1995).
    Cache(u64),
}

impl StoringRule {
    /// The largest number of states in the table, if the rule limits it.
    pub fn bound(self) -> Option<u64> {
        match self {
            StoringRule::Cache(states) => Some(states),
            _ => None,
        }
    }
}

impl fmt::Display for StoringRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoringRule::Dynamic(p) => write!(f, "sample:dynamic:{p}"),
            StoringRule::Static(p) => write!(f, "sample:static:{p}"),
            StoringRule::Auto => write!(f, "sample:auto"),
            StoringRule::Cache(states) => write!(f, "cache:{states}"),
        }
    }
}

impl StoringRule {
    /// The syntax of the rules, with their meanings.
    pub const NAMES: &'static [(&'static str, &'static str)] = &[
        (
            "sample:dynamic:P",
            "a state stays with probability P each time it is left",
        ),
        (
            "sample:static:P",
            "a state stays with probability P, the same states each time",
        ),
        (
            "sample:auto",
            "all states until the budget is used up, then the best ones",
        ),
        ("cache:N", "at most N states"),
    ];

    /// Parses a rule; `None` if the text does not begin like one.
    pub fn parse(text: &str) -> Result<Option<Self>, String> {
        let probability = |text: &str| match text.parse::<f64>() {
            Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
            _ => Err(format!("'{text}' is not a probability between 0 and 1")),
        };
        if let Some(p) = text.strip_prefix("sample:dynamic:") {
            return probability(p).map(StoringRule::Dynamic).map(Some);
        }
        if let Some(p) = text.strip_prefix("sample:static:") {
            return probability(p).map(StoringRule::Static).map(Some);
        }
        if let Some(states) = text.strip_prefix("cache:") {
            return match states.parse() {
                Ok(states) if states > 0 => Ok(Some(StoringRule::Cache(states))),
                _ => Err(format!("'{states}' is not a number of states")),
            };
        }
        match text {
            "sample:auto" => Ok(Some(StoringRule::Auto)),
            "sample:dynamic" | "sample:static" => Err(format!(
                "'{text}' needs the probability with which states are stored, for example '{text}:0.5'"
            )),
            "cache" => Err("'cache' needs a number of states, for example 'cache:1000000'".into()),
            _ => Ok(None),
        }
    }
}

/// The number of classes of the histogram of visits.
pub const VISITS: usize = 16;

/// The statistics of a search that removes states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storing {
    /// The number of states in the table now.
    pub states_at_end: u64,
    /// The largest number of states in the table.
    pub peak_states: u64,
    /// The number of visits of states by the first search.
    pub expansions: u64,
    /// The number of visits by nested searches of states that were not in the table.
    pub nested_expansions: u64,
    /// The number of edges that nested searches explored.
    pub nested_transitions: u64,
    /// The number of states that were removed when the search left them.
    pub deletions: u64,
    /// The number of states that were replaced.
    pub evictions: u64,
    /// The number of different states that the first search visited.
    pub distinct: f64,
    /// Whether that is exact; otherwise its standard error is 1.9 %.
    pub exact: bool,
    /// How many of these states, or of a sample of them, were visited once, twice and so on. The last number counts
    /// all that were visited more often.
    pub visits: [u64; VISITS],
    /// The edges per state, on average: the visits of a state without removals.
    pub visitation: f64,
    /// The forecast when the search gave up, or was close to it.
    pub forecast: Option<Forecast>,
}

impl Storing {
    /// The part of the states that was not in the table at its peak.
    pub fn saving(&self) -> f64 {
        match self.distinct > 0.0 {
            true => (1.0 - self.peak_states as f64 / self.distinct).max(0.0),
            false => 0.0,
        }
    }

    /// The visits per state, on average: the cost of removals in time.
    pub fn overhead(&self) -> f64 {
        match self.distinct > 0.0 {
            true => self.expansions as f64 / self.distinct,
            false => 1.0,
        }
    }
}

/// Whether a table is large enough, estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The capacity of the table in states.
    pub table: u64,
    /// An estimate of the largest model that can be searched with such a table, in states.
    pub feasible: f64,
    /// The number of recent visits for each new state.
    pub work: f64,
}
