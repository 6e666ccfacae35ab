//! The searches: one file each, and one line here.
//!
//! A search declares in its [`SearchInfo`] what it can answer and what it needs. Help texts, the sentences that refuse a
//! combination of options, and the test suites are made from these declarations.

use crate::cycles::{ndfs::Ndfs, nested_dfs_rest::ReSt, scc::Scc};
use crate::reach::{bfs::Bfs, dfs::Dfs};
use crate::toolkit::budget::Options;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::SearchOutcome;
use crate::toolkit::stores::StoreClass;
use crate::walks::monte_carlo::MonteCarlo;
use lariat_graph::Draw;

/// What a search declares about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Its name, as users write it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Whether it finds faults: errors of single states and steps.
    pub faults: bool,
    /// The accepted runs that it can find.
    pub cycles: Cycles,
    /// The stores that it copes with; none if it keeps no states.
    pub stores: &'static [StoreClass],
    /// How many workers it has a use for.
    pub workers: WorkerUse,
    /// What is known about the length of the path to a fault.
    pub shortest_paths: bool,
    /// Whether it can go on after a fault, and count all of them.
    pub counts_faults: bool,
}

/// Which accepted runs a search can find. What comes later includes what comes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cycles {
    /// None: it looks for faults only.
    None,
    /// Those of a graph with at most one acceptance set.
    OneSet,
    /// Those of a graph with any number of sets.
    Sets,
    /// Those of a graph with any number of sets and pairs.
    Pairs,
}

/// How many workers a search has a use for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerUse {
    /// It works alone.
    One,
    /// Any number, with a store that keeps all states.
    Any,
}

/// A search, as the registry sees it.
pub trait Search {
    /// What it declares.
    const INFO: SearchInfo;

    /// Searches, with a worker for each of `graphs`, which are copies of one graph. What the graph and the options ask
    /// for must be in [`Search::INFO`].
    fn run<G: Draw + Send, O: Observer>(
        graphs: &mut [G],
        options: &Options,
        observer: &mut O,
    ) -> SearchOutcome;
}

/// Makes the list of searches.
macro_rules! searches {
    ($($variant:ident),* $(,)?) => {
        /// A search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SearchId {
            $(#[doc = concat!("[`", stringify!($variant), "`](struct@", stringify!($variant), ")")] $variant),*
        }

        impl SearchId {
            /// All searches.
            pub const ALL: &[SearchId] = &[$(SearchId::$variant),*];

            /// What the search declares.
            pub const fn info(self) -> &'static SearchInfo {
                match self {
                    $(SearchId::$variant => &<$variant as Search>::INFO),*
                }
            }

            /// Searches; see [`Search::run`].
            pub fn run<G: Draw + Send, O: Observer>(
                self,
                graphs: &mut [G],
                options: &Options,
                observer: &mut O,
            ) -> SearchOutcome {
                match self {
                    $(SearchId::$variant => <$variant as Search>::run(graphs, options, observer)),*
                }
            }
        }
    };
}

searches! {
    Bfs,
    Dfs,
    Ndfs,
    Scc,
    ReSt,
    MonteCarlo,
}

impl SearchId {
    /// The search with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        SearchId::ALL.iter().copied().find(|id| id.name() == name)
    }

    /// The name of the search.
    pub const fn name(self) -> &'static str {
        self.info().name
    }
}
