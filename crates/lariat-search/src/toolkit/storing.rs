//! Randomized storing: how a search decides which of the states that it has visited stay in the table,
//! and what it tells about that.
//!
//! From Brim, Černá and Nečesal, "Randomization helps in LTL model checking" (PAPM-PROBMIV 2001): a state
//! that a depth-first search has left need not be remembered. If it is met again, it is searched again,
//! so the answer is as exact as ever; memory is traded for time. How that works is told in `retention.rs`.

use std::fmt;

/// A rule, and the seed of everything that it draws.
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
    /// A state stays with this probability, and that is the same each time.
    Static(f64),
    /// All of them until the memory, or the number of states, that the budget allows is used up;
    /// from then on, others have to go.
    Auto,
    /// At most so many states; then others are replaced at random (Godefroid, Holzmann and Pirottin,
    /// "State-space caching revisited", 1995).
    Cache(u64),
}

impl StoringRule {
    /// The most states in the table, if the rule says that.
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
    /// How rules are written, with their meanings.
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

    /// Reads a rule; nothing if the text does not begin like one.
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

/// How many numbers of visits a histogram tells apart.
pub const VISITS: usize = 16;

/// What a search that forgets states has counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storing {
    /// The states in the table now.
    pub states_at_end: u64,
    /// The most states that were in the table at any moment.
    pub peak_states: u64,
    /// How often the first search has visited a state.
    pub expansions: u64,
    /// How often a nested search has visited a state that was not in the table.
    pub nested_expansions: u64,
    /// The edges that nested searches have looked at.
    pub nested_transitions: u64,
    /// How many states were forgotten when the search left them.
    pub deletions: u64,
    /// How many states were forgotten to make room.
    pub evictions: u64,
    /// How many different states the first search has visited.
    pub distinct: f64,
    /// Whether that is exact; otherwise its standard error is 1.9 %.
    pub exact: bool,
    /// How many of these states, or of a sample of them, were visited once, twice and so on. The
    /// last number is for all that were visited more often.
    pub visits: [u64; VISITS],
    /// The edges of a state, on average: how often a search that forgets nothing comes to a state.
    pub visitation: f64,
    /// If the search gave up, or came near to that, what it knew then.
    pub forecast: Option<Forecast>,
}

impl Storing {
    /// The part of the states that never was in the table at the same time as the others.
    pub fn saving(&self) -> f64 {
        match self.distinct > 0.0 {
            true => (1.0 - self.peak_states as f64 / self.distinct).max(0.0),
            false => 0.0,
        }
    }

    /// How often a state was visited, on average: the price of forgetting, in time.
    pub fn overhead(&self) -> f64 {
        match self.distinct > 0.0 {
            true => self.expansions as f64 / self.distinct,
            false => 1.0,
        }
    }
}

/// Whether a table suffices, as far as the search can tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The states that the table holds.
    pub table: u64,
    /// The most states that a model may have to be searched with such a table, about.
    pub feasible: f64,
    /// How many states were visited lately for each one that was new.
    pub work: f64,
}
