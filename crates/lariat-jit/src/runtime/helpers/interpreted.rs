//! Steps that are not compiled: the interpreter takes them.
#![allow(unsafe_code)]

use lariat_ir::interpret::Step;

use super::super::{BAIL, Context, MAX_SEQUENCES, Runtime};
use super::buffers::make_room;
use super::expansion::sequence_of_receiver;
use super::guard;
use super::rendezvous::with_partner;

/// All steps of a process, taken by the interpreter.
pub(super) unsafe extern "C" fn slow_expand(
    context: *mut Context,
    source: *mut u32,
    _frame: u64,
    pid: u32,
) -> i32 {
    let runtime: *mut Runtime = context.cast();
    let expand = || {
        // SAFETY: context, exclusive: the reference ends before steps are taken.
        let this = unsafe { &mut *runtime };
        if this.context.timeout != 0 {
            return BAIL;
        }
        let mut state = std::mem::take(&mut this.state);
        let model = this.code.facts().model;
        // SAFETY: state: `source` is the state that the runtime or compiled code has passed to this function.
        state.load(model, unsafe { this.words_at(source) });
        let first = this.steps.len();
        let interpreter = this.inner.interpreter();
        interpreter.steps(&state, Some(pid), &mut this.steps);
        let deterministic = model.processes[state.process_type(pid as usize)].deterministic;
        this.state = state;
        let differs = |pair: &[Step]| pair[0].transition != pair[1].transition;
        if deterministic && this.steps[first..].windows(2).any(differs) {
            return BAIL;
        }
        let end = this.steps.len();
        let mut total = 0i32;
        for index in first..end {
            // SAFETY: exclusive: the reference ends with the statement.
            let step = unsafe { (&(*runtime).steps)[index] };
            // SAFETY: state: the source does not change while its steps are taken.
            let count = unsafe { take_step(runtime, source, step) };
            if count < 0 {
                return BAIL;
            }
            total = total.saturating_add(count);
        }
        // SAFETY: exclusive: the reference ends with the statement.
        unsafe { (*runtime).steps.truncate(first) };
        total
    };
    // SAFETY: as above.
    unsafe { guard(context, BAIL, expand) }
}

/// The function of a location that is not compiled.
pub(super) unsafe extern "C" fn refuse(_: *mut Context, _: *mut u32, _: u64, _: u32) -> i32 {
    BAIL
}

/// A step of one process, taken by the interpreter.
pub(super) unsafe extern "C" fn slow_step(
    context: *mut Context,
    source: *mut u32,
    pid: u32,
    transition: u32,
    timeout: u32,
) -> i32 {
    let step = Step {
        pid,
        transition,
        partner: None,
        timeout: timeout != 0,
    };
    // SAFETY: context, state: compiled code passes its own, and calls this only if the step is enabled.
    unsafe {
        // Its atomic sequence would not be drawn.
        if !(*context).dice.0.is_null() {
            return BAIL;
        }
        guard(context, BAIL, || take_step(context.cast(), source, step))
    }
}

/// A receive from the present offer, taken by the interpreter. The caller has recorded the processes that move.
pub(super) unsafe extern "C" fn slow_receive(
    context: *mut Context,
    source: *mut u32,
    partner: u32,
    transition: u32,
) -> i32 {
    // SAFETY: as for `slow_step`; `record_sender` has recorded the sender.
    unsafe {
        let offer = (*context).offer;
        let step = Step {
            pid: offer.sender,
            transition: offer.transition,
            partner: Some((partner, transition)),
            timeout: (*context).timeout != 0,
        };
        guard(context, BAIL, || take_alone(context.cast(), source, step))
    }
}

/// # Safety
///
/// As for helpers.
pub(super) unsafe fn take_step(runtime: *mut Runtime, source: *mut u32, step: Step) -> i32 {
    // SAFETY: guaranteed by the caller.
    let take = || unsafe { take_alone(runtime, source, step) };
    match step.partner {
        None => take(),
        // SAFETY: guaranteed by the caller.
        Some((partner, _)) => unsafe { with_partner(runtime, partner as usize, take) },
    }
}

/// Takes a step with the interpreter, and continues the atomic sequence that it begins.
///
/// # Safety
///
/// As for helpers.
pub(super) unsafe fn take_alone(runtime: *mut Runtime, source: *mut u32, step: Step) -> i32 {
    // SAFETY: exclusive: the reference ends before the sequence is continued.
    let this = unsafe { &mut *runtime };
    if this.sequences >= MAX_SEQUENCES {
        return BAIL;
    }
    // SAFETY: state: guaranteed by the caller. The step is taken on a copy.
    let words = unsafe { this.words_at(source) };
    let Some(control) = this.interpret(words, step) else {
        return BAIL;
    };
    let len = this.state.words().len();
    let width = this.context.width as usize / 4;
    this.set_width(len);
    // SAFETY: exclusive: `this` is not used during the call.
    if this.is_full() && unsafe { make_room(runtime) } < 0 {
        return BAIL;
    }
    // SAFETY: exclusive: the call has ended.
    let this = unsafe { &mut *runtime };
    this.set_width(width);
    let target = this.context.cursor.0;
    // SAFETY: room: there is memory for so many words at the cursor, in the buffer, which does not contain the words
    // of the interpreter's state.
    unsafe { std::ptr::copy_nonoverlapping(this.state.words().as_ptr(), target, len) };
    match control {
        None => {
            // SAFETY: room: the words are written, and there is room for an edge.
            unsafe { this.finish_edge(len) };
            1
        }
        // SAFETY: the target at the cursor is the state after a step of the interpreter.
        Some(pid) => unsafe { follow(runtime, pid, len) },
    }
}

/// Continues an atomic sequence in a target at the cursor whose processes and channels may differ from those of the
/// present state.
///
/// # Safety
///
/// As for helpers; at the cursor is a state of `len` words, and it has the process.
pub(super) unsafe fn follow(runtime: *mut Runtime, pid: u32, len: usize) -> i32 {
    // SAFETY: exclusive: the reference ends before compiled code is called.
    let this = unsafe { &mut *runtime };
    let processes = std::mem::take(&mut this.processes);
    let channels = std::mem::take(&mut this.channels);
    let width = this.context.width as usize / 4;
    this.set_width(len);
    // SAFETY: guaranteed by the caller; the width is that of the target now.
    let words = unsafe { this.words_at(this.context.cursor.0) };
    this.scan(words);
    this.point();
    let frame = u64::from(this.processes[pid as usize]);
    // SAFETY: context. State: the tables are those of the target.
    let count = unsafe { sequence_of_receiver(runtime.cast(), frame, pid) };
    // SAFETY: exclusive: the call has ended.
    let this = unsafe { &mut *runtime };
    this.processes = processes;
    this.channels = channels;
    this.set_width(width);
    this.point();
    count
}
