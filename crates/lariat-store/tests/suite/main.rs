//! The stores against simpler ones, with one thread and with several.

mod against_hash_map;
mod state_sets;
