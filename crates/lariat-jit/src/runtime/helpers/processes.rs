//! Questions about the processes of a state.
#![allow(unsafe_code)]

use lariat_ir::model::Location;

use super::super::{BAIL, Context, Runtime};
use super::guard;

/// Byte offset of a process in a state, or a negative number if there is no such process of that type. Without a
/// number it is the first of its type.
pub(super) unsafe extern "C" fn find_process(
    context: *mut Context,
    state: *const u32,
    ty: u32,
    pid: i64,
) -> i64 {
    let find = || {
        // SAFETY: context, exclusive: no compiled code is called here.
        let runtime = unsafe { &*context.cast_const().cast::<Runtime>() };
        let is_typed = |pid: &usize| {
            // SAFETY: state: the tables are those of the state, and `pid` is one of their indices.
            let location = unsafe { runtime.location_at(state, *pid) };
            runtime.code.location(location).0 == ty as usize
        };
        let mut all = 0..runtime.processes.len();
        let found = match usize::try_from(pid) {
            Ok(pid) => (all.contains(&pid) && is_typed(&pid)).then_some(pid),
            Err(_) if pid == i64::MIN => all.find(is_typed),
            Err(_) => None,
        };
        found.map_or(-1, |pid| i64::from(runtime.processes[pid]))
    };
    // SAFETY: as above.
    unsafe { guard(context, -1, find) }
}

/// Whether no process is at a progress label.
pub(super) unsafe extern "C" fn non_progress(context: *mut Context, state: *const u32) -> i32 {
    // SAFETY: context, state: compiled code passes its own.
    unsafe {
        guard(context, 0, || {
            i32::from(!any_is_at(context, state, |location| location.progress))
        })
    }
}

/// Whether a process is committed.
pub(super) unsafe extern "C" fn committed(context: *mut Context, state: *const u32) -> i32 {
    // SAFETY: as for `non_progress`.
    unsafe {
        guard(context, 0, || {
            i32::from(any_is_at(context, state, |location| location.committed))
        })
    }
}

/// Whether a process is at a location with a property.
///
/// # Safety
///
/// As for helpers.
pub(super) unsafe fn any_is_at(
    context: *const Context,
    state: *const u32,
    is_meant: impl Fn(&Location) -> bool,
) -> bool {
    // SAFETY: context, exclusive: no compiled code is called here.
    let runtime = unsafe { &*context.cast::<Runtime>() };
    let model = runtime.code.facts().model;
    (0..runtime.processes.len()).any(|pid| {
        // SAFETY: state: the tables are those of the state, and `pid` is one of their indices.
        let number = unsafe { runtime.location_at(state, pid) };
        let (ty, location) = runtime.code.location(number);
        is_meant(&model.processes[ty].locations[location as usize])
    })
}

/// Whether an indivisible sequence may continue.
pub(super) unsafe extern "C" fn may_continue(
    context: *mut Context,
    state: *const u32,
    steps: u32,
) -> i32 {
    let watch = || {
        // SAFETY: context, exclusive: no compiled code is called here.
        let runtime = unsafe { &mut *context.cast::<Runtime>() };
        // SAFETY: state: compiled code works on a state of the present width, and waits for the result.
        let words = unsafe { runtime.words_at(state) };
        let mut remembered = std::mem::take(&mut runtime.indivisible_remembered);
        let stop = runtime.must_stop(steps, words, &mut remembered);
        runtime.indivisible_remembered = remembered;
        if stop { BAIL } else { 0 }
    };
    // SAFETY: as above.
    unsafe { guard(context, BAIL, watch) }
}
