//! The searches: one file each, and one line here.
//!
//! A search declares in its [`SearchInfo`] which properties it can check and what it needs. Help texts, the messages
//! that refuse a combination of options, and the test suites are made from these declarations.

use crate::toolkit::budget::Options;
use crate::toolkit::observer::Observer;
use crate::toolkit::outcome::SearchOutcome;
use crate::toolkit::stores::StoreClass;
use lariat_graph::Draw;

/// The list of searches: a folder, a file in it, and the type in that file. Gives it to another macro.
macro_rules! searches {
    ($then:ident $($arguments:tt)*) => {
        $then! {
            [$($arguments)*]
            reach::bfs::Bfs,
            reach::dfs::Dfs,
            cycles::ndfs::Ndfs,
            cycles::scc::Scc,
            cycles::owcty::Owcty,
            cycles::map::Map,
            cycles::nested_dfs_rest::ReSt,
            walks::monte_carlo::MonteCarlo,
        }
    };
}

/// Declares the modules of the searches in one of the folders, which calls it as `searches!(modules reach)`.
macro_rules! modules {
    ([$folder:ident] $($family:ident::$module:ident::$search:ident,)*) => {
        $(modules! { $folder $family $module })*
    };
    (reach reach $module:ident) => { pub mod $module; };
    (cycles cycles $module:ident) => { pub mod $module; };
    (walks walks $module:ident) => { pub mod $module; };
    ($folder:ident $family:ident $module:ident) => {};
}

/// The declaration of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// A summary of a few words.
    pub summary: &'static str,
    /// Whether it finds faults: errors of states and steps.
    pub faults: bool,
    /// The accepted runs that it can find.
    pub cycles: Cycles,
    /// The stores that it supports; empty if it stores no states.
    pub stores: &'static [StoreClass],
    /// How many workers it can use.
    pub workers: WorkerUse,
    /// The order in which it visits states.
    pub order: VisitOrder,
    /// Whether it has a queue of waiting states, which may be on disk.
    pub queue: bool,
    /// Whether its paths to faults are shortest ones.
    pub shortest_paths: bool,
    /// Whether it can continue after a fault, and count all faults.
    pub counts_faults: bool,
    /// What it misses only if it omits a state of it, when states are distinguished by a hash.
    pub misses: Misses,
}

/// Which accepted runs a search can find. Later variants include earlier ones.
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

/// What a search misses only if one of certain states is omitted: those of a path to it, or its own. For this the
/// probability is bounded, however many other states are omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misses {
    /// No such thing is known.
    Nothing,
    /// States: one is visited if all states of a path to it are stored when they are met.
    States,
    /// Lassos: an accepted one, or another one, is found if its states are not taken for others, nor others for them.
    Lassos,
}

/// How many workers a search can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerUse {
    /// One worker.
    One,
    /// Any number, if the acceptance has no pairs.
    AnyWithoutPairs,
    /// Any number.
    Any,
}

/// The order in which a search visits states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitOrder {
    /// Level by level.
    BreadthFirst,
    /// Each state is visited from the last visited one that has an edge to it.
    DepthFirst,
    /// Another one.
    Other,
}

impl SearchInfo {
    /// Whether it makes random walks: it keeps no states.
    pub const fn is_walk(&self) -> bool {
        self.stores.is_empty()
    }

    /// Whether several workers can search for such runs with a store of this class. What is removed, and what is on the
    /// stack of a search that stores no states, one worker knows.
    pub fn allows_many(&self, cycles: Cycles, store: StoreClass) -> bool {
        let for_cycles = match self.workers {
            WorkerUse::One => false,
            WorkerUse::AnyWithoutPairs => cycles < Cycles::Pairs,
            WorkerUse::Any => true,
        };
        for_cycles
            && match store {
                StoreClass::Keeping => true,
                StoreClass::Compact | StoreClass::Bitstate => self.queue,
                StoreClass::Probabilistic | StoreClass::Bounded => false,
            }
    }
}

/// A registered search.
pub trait Search {
    /// The declaration.
    const INFO: SearchInfo;

    /// Searches, with a worker for each of `graphs`, which are copies of one graph. [`Search::INFO`] must allow the
    /// acceptance of the graph and the options.
    fn run<G: Draw + Send, O: Observer>(
        graphs: &mut [G],
        options: &Options,
        observer: &mut O,
    ) -> SearchOutcome;
}

/// Makes the type that names a search.
macro_rules! search_id {
    ([] $($family:ident::$module:ident::$variant:ident,)*) => {
        /// A search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SearchId {
            $(#[doc = concat!("[`", stringify!($variant), "`](crate::", stringify!($family), "::", stringify!($module), "::", stringify!($variant), ")")] $variant),*
        }

        impl SearchId {
            /// All searches.
            pub const ALL: &[SearchId] = &[$(SearchId::$variant),*];

            /// The declaration of the search.
            pub const fn info(self) -> &'static SearchInfo {
                match self {
                    $(SearchId::$variant => &<crate::$family::$module::$variant as Search>::INFO),*
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
                    $(SearchId::$variant => <crate::$family::$module::$variant as Search>::run(graphs, options, observer)),*
                }
            }
        }
    };
}

searches!(search_id);

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
