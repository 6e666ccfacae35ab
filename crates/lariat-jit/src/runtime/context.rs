//! The data that compiled code shares with the runtime.
#![allow(unsafe_code)]

use std::mem::{offset_of, size_of};

use lariat_graph::Edge;
use lariat_stats::Dice;

use super::MAX_FIELDS;

/// A pointer that a runtime keeps.
///
/// Pointers to a buffer, an edge or the dice are dereferenced only during the call that has set them; the others
/// point to memory of vectors that the runtime owns.
#[repr(transparent)]
#[derive(Debug)]
pub(super) struct Raw<T>(pub(super) *mut T);

// SAFETY: a runtime that moves to another thread takes the vectors that it owns with it. The other pointers are set
// by each call before they are dereferenced, and point to data that is borrowed by the thread that makes the call.
unsafe impl<T: Send> Send for Raw<T> {}

impl<T> Raw<T> {
    pub(super) const NULL: Self = Raw(std::ptr::null_mut());
}

/// The data that compiled code reads and writes besides states.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// The start of the next target, and the last address at which one may start.
    pub(super) cursor: Raw<u32>,
    pub(super) limit: Raw<u32>,
    /// The next edge, and the end of the memory of edges.
    pub(super) edges: Raw<Edge>,
    pub(super) edges_end: Raw<Edge>,
    /// The first target of the buffer.
    pub(super) words: Raw<u32>,
    /// The bytes of the present state, and the offset of the last piece that is copied.
    pub(super) width: u64,
    pub(super) last_piece: u64,
    /// Byte offsets of the channels of the present state.
    pub(super) channels: Raw<u32>,
    /// For each process type, the locations that were reached.
    pub(super) reached: Raw<Raw<bool>>,
    /// The number of steps inside edges.
    pub(super) internal_steps: u64,
    pub(super) label: u32,
    pub(super) process_count: u32,
    pub(super) channel_count: u32,
    /// Whether the step is enabled only by a timeout.
    pub(super) timeout: u32,
    /// The number of the wanted step, for functions that draw.
    pub(super) wanted: u32,
    /// The dice, if an edge is drawn.
    pub(super) dice: Raw<Dice>,
    pub(super) offer: Offer,
    /// The fields of a message that is sent.
    pub(super) message: [i32; MAX_FIELDS],
}

/// A message of a rendezvous that waits for a receiver.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offer {
    /// Byte offsets of the sender and of its location, and the value of the latter after the step.
    pub(super) sender_frame: u64,
    pub(super) sender_count: u64,
    pub(super) sender_header: u32,
    pub(super) sender: u32,
    pub(super) transition: u32,
    /// Whether the sender has effects to execute after its message was received.
    pub(super) finishes: u32,
    pub(super) channel: u32,
    pub(super) values: [i32; MAX_FIELDS],
}

/// The offsets of the fields of a context, for compiled code.
pub(crate) mod field {
    use super::*;

    const OFFER: usize = offset_of!(Context, offer);
    pub(crate) const CURSOR: i32 = offset_of!(Context, cursor) as i32;
    pub(crate) const LIMIT: i32 = offset_of!(Context, limit) as i32;
    pub(crate) const EDGES: i32 = offset_of!(Context, edges) as i32;
    pub(crate) const EDGES_END: i32 = offset_of!(Context, edges_end) as i32;
    pub(crate) const WORDS: i32 = offset_of!(Context, words) as i32;
    pub(crate) const WIDTH: i32 = offset_of!(Context, width) as i32;
    pub(crate) const LAST_PIECE: i32 = offset_of!(Context, last_piece) as i32;
    pub(crate) const INTERNAL_STEPS: i32 = offset_of!(Context, internal_steps) as i32;
    pub(crate) const CHANNELS: i32 = offset_of!(Context, channels) as i32;
    pub(crate) const REACHED: i32 = offset_of!(Context, reached) as i32;
    pub(crate) const LABEL: i32 = offset_of!(Context, label) as i32;
    pub(crate) const PROCESS_COUNT: i32 = offset_of!(Context, process_count) as i32;
    pub(crate) const CHANNEL_COUNT: i32 = offset_of!(Context, channel_count) as i32;
    pub(crate) const TIMEOUT: i32 = offset_of!(Context, timeout) as i32;
    pub(crate) const WANTED: i32 = offset_of!(Context, wanted) as i32;
    pub(crate) const DICE: i32 = offset_of!(Context, dice) as i32;
    pub(crate) const SENDER_COUNT: i32 = (OFFER + offset_of!(Offer, sender_count)) as i32;
    pub(crate) const SENDER_HEADER: i32 = (OFFER + offset_of!(Offer, sender_header)) as i32;
    pub(crate) const SENDER_FINISHES: i32 = (OFFER + offset_of!(Offer, finishes)) as i32;
    pub(crate) const OFFER_CHANNEL: i32 = (OFFER + offset_of!(Offer, channel)) as i32;
    pub(crate) const OFFER_VALUES: i32 = (OFFER + offset_of!(Offer, values)) as i32;
    pub(crate) const MESSAGE: i32 = offset_of!(Context, message) as i32;
    pub(crate) const EDGE_END: i32 = offset_of!(Edge, end) as i32;
    pub(crate) const EDGE_LABEL: i32 = offset_of!(Edge, label) as i32;
    pub(crate) const EDGE_SIZE: i64 = size_of::<Edge>() as i64;
}
