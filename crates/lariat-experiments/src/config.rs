//! The configuration of a row of a table.

use std::fmt;
use std::time::Duration;

use lariat_search::{StoreKind, StoringRule};

/// A model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// The name of its file.
    pub name: &'static str,
    /// The file, if it is part of the program.
    pub text: Option<&'static str>,
}

/// The property of a model that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowProperty {
    /// The `ltl` block with this name.
    Ltl(&'static str),
    /// The never claim.
    Never,
}

/// The search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// Nested depth-first search with a reduction strategy, as published.
    AsPublished,
    /// The search of `--search ndfs`.
    Nested,
    /// The search of `--search owcty`.
    Owcty {
        /// The store.
        store: StoreKind,
        /// The number of threads.
        workers: usize,
    },
    /// The search of `--search monte-carlo`.
    Walks(Lassos),
}

/// The number of random lassos.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lassos {
    /// Until one is a violation.
    UntilFound,
    /// So many that a violation with the probability `epsilon` is missed with the probability `delta` at most.
    Test {
        /// The probability of a violation.
        epsilon: f64,
        /// The probability to miss it.
        delta: f64,
    },
}

/// The order of successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That of the model.
    Fixed,
    /// A random one for each repetition.
    Random,
    /// As `Random`, with restarts after numbers of states by the Luby sequence, in this unit, until an error is
    /// found.
    Restarts(u64),
}

/// The limits of a repetition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes.
    pub memory: Option<u64>,
    /// States in the table.
    pub states: Option<u64>,
    /// Transitions, without those of nested searches.
    pub transitions: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

/// The verdict of the paper, which must be ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The property holds.
    Holds,
    /// It is violated.
    Violated,
}

impl Expected {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
        }
    }
}

/// The configuration of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The model.
    pub model: Model,
    /// Its macros, as `N=4`.
    pub defines: Vec<String>,
    /// The property.
    pub claim: RowProperty,
    /// The expected verdict.
    pub verdict: Expected,
    /// The search.
    pub search: Search,
    /// Which states stay in the table; all if there is no rule.
    pub rule: Option<StoringRule>,
    /// The order of successors.
    pub order: Order,
    /// Whether the model is reduced first.
    pub reduced: bool,
    /// The limits.
    pub limits: Limits,
}

/// Everything that determines the measurement except the text of the model and the seed, in a line.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.model.name)?;
        for define in &self.defines {
            write!(f, " -D{define}")?;
        }
        match self.claim {
            RowProperty::Ltl(name) => write!(f, " --ltl {name}")?,
            RowProperty::Never => write!(f, " --never")?,
        }
        let search = match self.search {
            Search::AsPublished => "rest",
            Search::Nested => "ndfs",
            Search::Owcty { .. } => "owcty",
            Search::Walks(_) => "monte-carlo",
        };
        write!(f, " --search {search}")?;
        if let Search::Walks(Lassos::Test { epsilon, delta }) = self.search {
            write!(f, " --epsilon {epsilon} --delta {delta}")?;
        }
        if let Search::Owcty { store, workers } = self.search {
            write!(f, " --store {store} --workers {workers}")?;
        }
        if let Some(rule) = self.rule {
            write!(f, " --store {rule}")?;
        }
        match self.order {
            Order::Fixed => {}
            Order::Random => write!(f, " in random order")?,
            Order::Restarts(unit) => write!(f, " in random order with restarts of {unit} states")?,
        }
        if !self.reduced {
            write!(f, " --no-merge --no-dead")?;
        }
        let Limits {
            memory,
            states,
            transitions,
            time,
        } = self.limits;
        for (limit, unit) in [
            (memory, "bytes"),
            (states, "states"),
            (transitions, "transitions"),
        ] {
            if let Some(limit) = limit {
                write!(f, ", at most {limit} {unit}")?;
            }
        }
        match time {
            Some(time) => write!(f, ", at most {} s", time.as_secs_f64()),
            None => Ok(()),
        }
    }
}
