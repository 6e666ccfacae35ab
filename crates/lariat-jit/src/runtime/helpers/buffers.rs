//! Memory for targets, and the messages in the buffers of channels.
#![allow(unsafe_code)]

use std::slice;

use super::super::{BAIL, Context, Runtime};
use super::guard;
use crate::message::{insert_sorted, remove_bits};

/// Reserves memory for more edges.
pub(super) unsafe extern "C" fn grow(context: *mut Context) -> i32 {
    // SAFETY: context: compiled code hands on what it got.
    unsafe { guard(context, BAIL, || make_room(context.cast())) }
}

/// # Safety
///
/// As for helpers, during an expansion or a draw.
pub(super) unsafe fn make_room(runtime: *mut Runtime) -> i32 {
    // SAFETY: exclusive: no compiled code is called here.
    let this = unsafe { &mut *runtime };
    // SAFETY: `out` is the buffer of the present expansion, which its caller has borrowed and does not use now.
    let out = unsafe { &mut *this.out.0 };
    // SAFETY: the context points at that buffer.
    unsafe { this.set_lengths(out) };
    if out.memory_bytes() > this.memory / 4 || this.is_cancelled() {
        return BAIL;
    }
    this.reserve(out);
    0
}

/// Inserts a message with the fields in the context into a channel, before the first that is greater.
pub(super) unsafe extern "C" fn insert_message(
    context: *mut Context,
    buffer: *mut u32,
    length: u32,
    ty: u32,
) {
    let insert = || {
        // SAFETY: context, exclusive: no compiled code is called here.
        let runtime = unsafe { &*context.cast_const().cast::<Runtime>() };
        let ty = &runtime.code.facts().model.channels[ty as usize];
        // SAFETY: state: the buffer is that of a channel of this type, in the target at the cursor, and compiled code
        // waits for the result.
        let buffer = unsafe { slice::from_raw_parts_mut(buffer, ty.words()) };
        insert_sorted(buffer, length, ty, &runtime.context.message);
    };
    // SAFETY: as above.
    unsafe { guard(context, (), insert) }
}

/// Removes a message from a buffer: later ones move up, and the last slot becomes zero.
pub(super) unsafe extern "C" fn remove_message(
    context: *mut Context,
    buffer: *mut u32,
    words: u32,
    stride: u32,
    slot: u32,
) {
    let remove = || {
        // SAFETY: state: the buffer is that of a channel of so many words, in the target at the cursor, and compiled
        // code waits for the result.
        let buffer = unsafe { slice::from_raw_parts_mut(buffer, words as usize) };
        remove_bits(buffer, slot * stride, stride);
    };
    // SAFETY: as above.
    unsafe { guard(context, (), remove) }
}
