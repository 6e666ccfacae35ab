//! How a search stores states.

use crate::toolkit::storing::{RandomizedStoring, StoringRule};
use lariat_store::{Exactness, StoreId};
use std::fmt;
use std::str::FromStr;

/// How a search stores states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoreKind {
    /// In a store that keeps all of them.
    Keep(StoreId),
    /// Compressed, and some of them are removed; for depth-first searches with one worker.
    Forget(RandomizedStoring),
}

/// The properties of a store that a search has to support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreClass {
    /// All states are kept.
    Keeping,
    /// A state that is left stays with a constant probability.
    Probabilistic,
    /// The table is bounded; when it is full, states are replaced.
    Bounded,
}

impl StoreClass {
    /// All classes: for searches that support any store.
    pub const ALL: &'static [StoreClass] = &[
        StoreClass::Keeping,
        StoreClass::Probabilistic,
        StoreClass::Bounded,
    ];
}

impl StoreKind {
    /// The class of this store.
    pub fn class(self) -> StoreClass {
        match self {
            StoreKind::Keep(_) => StoreClass::Keeping,
            StoreKind::Forget(RandomizedStoring { rule, .. }) => match rule {
                StoringRule::Dynamic(_) | StoringRule::Static(_) => StoreClass::Probabilistic,
                StoringRule::Auto | StoringRule::Cache(_) => StoreClass::Bounded,
            },
        }
    }

    /// Whether it distinguishes states exactly.
    pub fn exactness(self) -> Exactness {
        match self {
            StoreKind::Keep(store) => store.info().exactness,
            StoreKind::Forget(_) => Exactness::Exact,
        }
    }

    /// The seed of its random decisions, if it makes any.
    pub fn seed(self) -> Option<u64> {
        match self {
            StoreKind::Keep(_) => None,
            StoreKind::Forget(storing) => Some(storing.seed),
        }
    }

    /// The store that keeps all states, for a search that requires it.
    pub(crate) fn keeping(self) -> StoreId {
        match self {
            StoreKind::Keep(store) => store,
            StoreKind::Forget(_) => StoreId::default(),
        }
    }

    /// The rule by which states are removed, if any are.
    pub(crate) fn forgetting(self) -> Option<RandomizedStoring> {
        match self {
            StoreKind::Keep(_) => None,
            StoreKind::Forget(storing) => Some(storing),
        }
    }

    /// The same store, with this seed for its random decisions.
    pub fn seeded(self, seed: u64) -> Self {
        match self {
            StoreKind::Keep(_) => self,
            StoreKind::Forget(storing) => StoreKind::Forget(RandomizedStoring { seed, ..storing }),
        }
    }

    /// All names with their meanings, for help texts.
    pub fn names() -> Vec<(&'static str, &'static str)> {
        let keeping = StoreId::ALL
            .iter()
            .map(|id| (id.info().name, id.info().summary));
        keeping.chain(StoringRule::NAMES.iter().copied()).collect()
    }
}

impl Default for StoreKind {
    fn default() -> Self {
        StoreKind::Keep(StoreId::default())
    }
}

impl fmt::Display for StoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreKind::Keep(store) => write!(f, "{}", store.info().name),
            StoreKind::Forget(storing) => storing.rule.fmt(f),
        }
    }
}

impl FromStr for StoreKind {
    type Err = String;

    /// The kind with this name; its seed is zero.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(store) = StoreId::from_name(text) {
            return Ok(StoreKind::Keep(store));
        }
        match StoringRule::parse(text)? {
            Some(rule) => Ok(StoreKind::Forget(RandomizedStoring { rule, seed: 0 })),
            None => {
                let names: Vec<&str> = StoreKind::names().iter().map(|(name, _)| *name).collect();
                Err(format!(
                    "'{text}' is no store; there are {}",
                    names.join(", ")
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        let keeping = StoreId::ALL.iter().map(|id| id.info().name);
        let forgetting = [
            "sample:dynamic:0.5",
            "sample:static:1",
            "sample:auto",
            "cache:7",
        ];
        for text in keeping.chain(forgetting) {
            assert_eq!(text.parse::<StoreKind>().unwrap().to_string(), text);
        }
        let message = "tre".parse::<StoreKind>().unwrap_err();
        assert!(message.starts_with("'tre' is no store; there are tree, flat, "));
        assert!(message.ends_with("sample:dynamic:P, sample:static:P, sample:auto, cache:N"));
    }
}
