//! Searches that visit every reachable state, to find faults.
//!
//! | search | advantage | costs |
//! |---|---|---|
//! | [`bfs`] | shortest paths; several workers | 8 bytes a waiting state; 1 to 2 bytes a state for paths |
//! | [`dfs`] | deep errors, early; stores that forget states | 16 bytes a state on the stack |

searches!(modules reach);
