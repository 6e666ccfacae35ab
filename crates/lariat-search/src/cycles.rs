//! Searches for accepted cycles.
//!
//! | search | advantage | costs |
//! |---|---|---|
//! | [`ndfs`] | one acceptance set; several workers | 2 or 3 bits a state, 16 to 26 bytes a state on a stack; expands states up to twice |
//! | [`ndfs`], fingerprints | as `ndfs` with one worker; may omit states | the words of each state on a stack, and 30 to 34 bytes; expands states up to four times |
//! | [`owcty`] | several workers without a depth-first order; several sets | 4 bytes a slot of the store, 1 or 2 for a parent, 8 to 24 for a state with marked edges; expands states several times |
//! | [`map`] | several workers without a depth-first order; one set | 8 bytes a slot of the store, 1 or 2 for a parent, 8 to 24 for a state with marked edges; expands states many times |
//! | [`nested_dfs_rest`] | repeating published experiments | as published |
//! | [`scc`] | any acceptance; several workers, without pairs | 2 bits a state, 15 to 80 bytes a state of an incomplete component; the found component again |
//! | [`shortest_lasso`] | the shortest counterexample, in small graphs | all edges up to its length; much time |

mod accepting_cycle;
mod bfs_tree;
mod cndfs;
pub(crate) mod compact_ndfs;
mod component_lasso;
mod components;
mod early_cycles;
mod fragment;
mod hits;
mod live_sets;
pub(crate) mod owcty_compact;
mod rounds;
mod shortest_cycle;
pub mod shortest_lasso;
mod shortest_path;
mod ufscc;

searches!(modules cycles);
