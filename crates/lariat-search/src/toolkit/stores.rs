//! How a search stores states.

use crate::toolkit::storing::{RandomizedStoring, StoringRule};
use lariat_store::{
    BitstateStore, CompactStore, Exactness, FINGERPRINT_BITS, PROBES, Seen, StoreId,
};
use std::fmt;
use std::str::FromStr;

/// How a search stores states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoreKind {
    /// In a store that keeps all of them.
    Keep(StoreId),
    /// Compressed, and some of them are removed; for depth-first searches with one worker.
    Forget(RandomizedStoring),
    /// As fingerprints: different states may be identified.
    Compact(Compaction),
    /// As a few bits in a table of constant size: different states may be identified.
    Bitstate(Bitstate),
}

/// How states are turned into bits of a Bloom filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitstate {
    /// The bits of a state.
    pub probes: u32,
    /// The bits of the table; `None` for half of the memory.
    pub bits: Option<u64>,
    /// The seed of the hash function.
    pub seed: u64,
}

impl Bitstate {
    /// The bits of a state unless they are chosen.
    const PROBES: u32 = 3;

    /// Parses `bitstate` and `bitstate:K`; `None` if the text does not begin like that.
    fn parse(text: &str) -> Result<Option<Self>, String> {
        let Some(rest) = text.strip_prefix("bitstate") else {
            return Ok(None);
        };
        let probes = match rest
            .strip_prefix(':')
            .map(|probes| (probes, probes.parse()))
        {
            None if rest.is_empty() => Bitstate::PROBES,
            None => return Ok(None),
            Some((_, Ok(probes))) if PROBES.contains(&probes) => probes,
            Some((probes, _)) => {
                return Err(format!(
                    "'{probes}' is not a number of bits of a state between {} and {}",
                    PROBES.start(),
                    PROBES.end()
                ));
            }
        };
        Ok(Some(Bitstate {
            probes,
            bits: None,
            seed: 0,
        }))
    }

    const NAMES: &'static [(&'static str, &'static str)] = &[(
        "bitstate:K",
        "K bits of each state, 3 if only 'bitstate' is given, in a table of half the memory: some may be omitted",
    )];
}

impl fmt::Display for Bitstate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bitstate:{}", self.probes)
    }
}

/// How states are turned into fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compaction {
    /// The bits of a fingerprint; `None` if they are chosen from the budget.
    pub bits: Option<u32>,
    /// The seed of the hash function.
    pub seed: u64,
}

impl Compaction {
    /// Parses `compact:BITS` and `compact:auto`; `None` if the text does not begin like that.
    fn parse(text: &str) -> Result<Option<Self>, String> {
        let Some(rest) = text.strip_prefix("compact") else {
            return Ok(None);
        };
        let bits = match rest.strip_prefix(':') {
            Some("auto") => None,
            Some(bits) => match bits.parse() {
                Ok(bits) if FINGERPRINT_BITS.contains(&bits) => Some(bits),
                _ => {
                    return Err(format!(
                        "'{bits}' is not a number of bits between {} and {}, nor 'auto'",
                        FINGERPRINT_BITS.start(),
                        FINGERPRINT_BITS.end()
                    ));
                }
            },
            None if rest.is_empty() => {
                return Err("'compact' needs the bits of a fingerprint, for example 'compact:40', or 'compact:auto'".into());
            }
            None => return Ok(None),
        };
        Ok(Some(Compaction { bits, seed: 0 }))
    }

    const NAMES: &'static [(&'static str, &'static str)] = &[
        (
            "compact:BITS",
            "fingerprints of so many bits, usually 32, 40, 48 or 64, instead of states: some may be omitted",
        ),
        (
            "compact:auto",
            "fingerprints of as many bits as the budget allows",
        ),
    ];
}

impl fmt::Display for Compaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits {
            Some(bits) => write!(f, "compact:{bits}"),
            None => f.write_str("compact:auto"),
        }
    }
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
    /// Fingerprints of states are kept.
    Compact,
    /// Bits of states are kept.
    Bitstate,
}

impl StoreClass {
    /// All classes.
    pub const ALL: &'static [StoreClass] = &[
        StoreClass::Keeping,
        StoreClass::Probabilistic,
        StoreClass::Bounded,
        StoreClass::Compact,
        StoreClass::Bitstate,
    ];
    /// The classes of stores that are exact.
    pub const EXACT: &'static [StoreClass] = &[
        StoreClass::Keeping,
        StoreClass::Probabilistic,
        StoreClass::Bounded,
    ];

    /// Whether states are removed.
    pub fn forgets(self) -> bool {
        matches!(self, StoreClass::Probabilistic | StoreClass::Bounded)
    }
}

impl StoreKind {
    /// The class of this store.
    pub fn class(self) -> StoreClass {
        match self {
            StoreKind::Keep(_) => StoreClass::Keeping,
            StoreKind::Compact(_) => StoreClass::Compact,
            StoreKind::Bitstate(_) => StoreClass::Bitstate,
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
            StoreKind::Compact(_) => CompactStore::INFO.exactness,
            StoreKind::Bitstate(_) => BitstateStore::INFO.exactness,
        }
    }

    /// The seed of its random decisions, if it makes any.
    pub fn seed(self) -> Option<u64> {
        match self {
            StoreKind::Keep(_) => None,
            StoreKind::Forget(storing) => Some(storing.seed),
            StoreKind::Compact(compaction) => Some(compaction.seed),
            StoreKind::Bitstate(bitstate) => Some(bitstate.seed),
        }
    }

    /// The store that keeps all states, for a search that requires it.
    pub(crate) fn keeping(self) -> StoreId {
        match self {
            StoreKind::Keep(store) => store,
            _ => StoreId::default(),
        }
    }

    /// How states are turned into fingerprints, if they are.
    pub(crate) fn compaction(self) -> Option<Compaction> {
        match self {
            StoreKind::Compact(compaction) => Some(compaction),
            _ => None,
        }
    }

    /// The rule by which states are removed, if any are.
    pub(crate) fn forgetting(self) -> Option<RandomizedStoring> {
        match self {
            StoreKind::Forget(storing) => Some(storing),
            _ => None,
        }
    }

    /// The same store, with this seed for its random decisions.
    pub fn seeded(self, seed: u64) -> Self {
        match self {
            StoreKind::Keep(_) => self,
            StoreKind::Forget(storing) => StoreKind::Forget(RandomizedStoring { seed, ..storing }),
            StoreKind::Compact(compaction) => StoreKind::Compact(Compaction { seed, ..compaction }),
            StoreKind::Bitstate(bitstate) => StoreKind::Bitstate(Bitstate { seed, ..bitstate }),
        }
    }

    /// All names with their meanings, for help texts.
    pub fn names() -> Vec<(&'static str, &'static str)> {
        let keeping = StoreId::ALL
            .iter()
            .map(|id| (id.info().name, id.info().summary));
        let hashed = Compaction::NAMES.iter().chain(Bitstate::NAMES);
        let others = StoringRule::NAMES.iter().chain(hashed);
        keeping.chain(others.copied()).collect()
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
            StoreKind::Compact(compaction) => compaction.fmt(f),
            StoreKind::Bitstate(bitstate) => bitstate.fmt(f),
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
        if let Some(compaction) = Compaction::parse(text)? {
            return Ok(StoreKind::Compact(compaction));
        }
        if let Some(bitstate) = Bitstate::parse(text)? {
            return Ok(StoreKind::Bitstate(bitstate));
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
            "compact:40",
            "compact:auto",
            "bitstate:1",
            "bitstate:16",
        ];
        for text in keeping.chain(forgetting) {
            assert_eq!(text.parse::<StoreKind>().unwrap().to_string(), text);
        }
        let message = "tre".parse::<StoreKind>().unwrap_err();
        assert!(message.starts_with("'tre' is no store; there are tree, flat, "));
        assert!(message.ends_with("cache:N, compact:BITS, compact:auto, bitstate:K"));
        let bitstate: StoreKind = "bitstate".parse().unwrap();
        assert_eq!(bitstate.to_string(), "bitstate:3");
        for probes in ["0", "17", "99", "-1", "", "x"] {
            let message = format!("bitstate:{probes}")
                .parse::<StoreKind>()
                .unwrap_err();
            let expected =
                format!("'{probes}' is not a number of bits of a state between 1 and 16");
            assert_eq!(message, expected);
        }
        assert!("bitstates".parse::<StoreKind>().is_err());
    }
}
