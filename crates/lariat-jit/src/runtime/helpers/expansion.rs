//! Expansion of a state: the steps of all processes, and atomic sequences.
#![allow(unsafe_code)]

use super::super::{BAIL, CONTINUE, Context, Level, MAX_LEVELS, Runtime, SLACK, UNCHECKED_STEPS};
use super::drawing::draw_next;
use super::guard;
use crate::emit::Kind;
use crate::fair::Fair;

/// Runs all processes of the present state, and again with a timeout if none is enabled.
///
/// # Safety
///
/// As for helpers; the runtime was prepared for an expansion of the state at `source`.
pub(in super::super) unsafe fn run_all(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: guaranteed by the caller.
    let count = unsafe { run_processes(runtime, source, 0) };
    // SAFETY: exclusive: the reference ends with the statement.
    let uses_timeout = unsafe { (*runtime).code.facts().uses_timeout };
    match count == 0 && uses_timeout {
        // SAFETY: guaranteed by the caller.
        true => unsafe { run_processes(runtime, source, 1) },
        false => count,
    }
}

/// # Safety
///
/// As for `run_all`.
pub(super) unsafe fn run_processes(runtime: *mut Runtime, source: *mut u32, timeout: u32) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement. State: the tables and the source are those of the
    // present state in every round, because a helper that changes the tables restores them, so `pid` is an index of
    // them. Location: `enter` has stored the location of each process of the source, and no other code writes to
    // them.
    unsafe {
        let mut total = 0i32;
        for pid in 0..(*runtime).processes.len() {
            let at = *(*runtime).processes.as_ptr().add(pid);
            let location = *(*runtime).locations.as_ptr().add(pid) as usize;
            if (*runtime).code.is_idle(location) {
                continue;
            }
            let function = (*runtime).code.function(Kind::Expand, location);
            (*runtime).context.timeout = timeout;
            if (*runtime).fair.processes > 0 {
                (*runtime).fair.movers.fill(0);
                Fair::set(&mut (*runtime).fair.movers, pid, true);
            }
            let count = function(runtime.cast(), source, u64::from(at), pid as u32);
            if count < 0 {
                return BAIL;
            }
            if (*runtime).fair.processes > 0 && count > 0 {
                if pid >= (*runtime).fair.processes {
                    return BAIL;
                }
                let edges = (*runtime).edge_count();
                (*runtime).fair.flush(edges);
                Fair::set(&mut (*runtime).fair.enabled, pid, true);
            }
            total = total.saturating_add(count);
        }
        total
    }
}

/// Continues an atomic sequence: the process in the target at the cursor has taken a step and keeps control.
pub(super) unsafe extern "C" fn sequence(context: *mut Context, frame: u64, pid: u32) -> i32 {
    // SAFETY: context: compiled code passes its own. State, location: it calls this for the process that it was
    // compiled for, after a step of it to the target at the cursor.
    unsafe {
        guard(context, BAIL, || {
            follow_sequence(context.cast(), frame, pid)
        })
    }
}

/// # Safety
///
/// As for helpers; the process is one of the target at the cursor.
pub(super) unsafe fn follow_sequence(runtime: *mut Runtime, frame: u64, pid: u32) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement, but for `words`, which is not used after `must_stop`.
    // State: at the cursor is a state of the present width as long as the function of the sequence returns
    // `CONTINUE`. Location: `location_at` is read after each step.
    unsafe {
        let context: *mut Context = runtime.cast();
        let timeout = (*context).timeout;
        (*context).timeout = 0;
        (*runtime).sequences += 1;
        let mut steps = 1u32;
        let result = loop {
            (*context).internal_steps += 1;
            let state = (*context).cursor.0;
            if steps >= UNCHECKED_STEPS {
                let mut remembered = std::mem::take(&mut (*runtime).remembered);
                let words = (*runtime).words_at(state);
                let stop = (*runtime).must_stop(steps, words, &mut remembered);
                (*runtime).remembered = remembered;
                if stop {
                    break BAIL;
                }
            }
            let location = (*runtime).location_at(state, pid as usize);
            let function = (*runtime).code.function(Kind::Sequence, location);
            match function(context, state, frame, pid) {
                CONTINUE => steps = steps.wrapping_add(1),
                result => break result,
            }
        };
        (*runtime).sequences -= 1;
        (*context).timeout = timeout;
        result
    }
}

/// The same for the receiver of an offer that other processes may still take: the sequence can make new offers.
pub(super) unsafe extern "C" fn sequence_of_receiver(
    context: *mut Context,
    frame: u64,
    pid: u32,
) -> i32 {
    // SAFETY: as for `sequence`.
    unsafe {
        guard(context, BAIL, || {
            let offer = (*context).offer;
            let result = follow_sequence(context.cast(), frame, pid);
            (*context).offer = offer;
            result
        })
    }
}

/// An atomic sequence has a choice in the target at the cursor: each of its steps gets a copy. If there is none after
/// all, the sequence ends.
pub(super) unsafe extern "C" fn branch(
    context: *mut Context,
    state: *mut u32,
    frame: u64,
    pid: u32,
) -> i32 {
    // SAFETY: as for `sequence`; `state` is the target at the cursor.
    unsafe {
        guard(context, BAIL, || match (*context).dice.0.is_null() {
            true => branch_out(context.cast(), state, frame, pid),
            false => draw_next(context.cast(), state, frame, pid),
        })
    }
}

/// # Safety
///
/// As for helpers; `state` is the target at the cursor, and the process one of it.
pub(super) unsafe fn branch_out(
    runtime: *mut Runtime,
    state: *mut u32,
    frame: u64,
    pid: u32,
) -> i32 {
    // SAFETY: exclusive: `words` and `level` are not used after the call of compiled code. State, slack: the copy in
    // the level has the words of the state, at least `SLACK` of them, and does not move until the level is left:
    // deeper levels have their own vectors. Room: there was room for the state at the cursor, and the functions of a
    // location leave as much.
    unsafe {
        let words = (*runtime).words_at(state);
        let depth = (*runtime).depth;
        let levels = &mut (*runtime).levels;
        let returns = levels[..depth]
            .iter()
            .any(|level| level.pid == pid && &level.words[..level.len] == words);
        // The interpreter handles a sequence with a cycle.
        if returns || depth >= MAX_LEVELS {
            return BAIL;
        }
        let len = words.len();
        if levels.len() == depth {
            levels.push(Level::default());
        }
        let level = &mut levels[depth];
        level.pid = pid;
        level.len = len;
        level.words.clear();
        level.words.extend_from_slice(words);
        level.words.resize(len.max(SLACK), 0);
        let source = level.words.as_mut_ptr();
        (*runtime).depth += 1;
        let location = (*runtime).location_at(source, pid as usize);
        let function = (*runtime).code.function(Kind::Expand, location);
        let count = function(runtime.cast(), source, frame, pid);
        (*runtime).depth -= 1;
        if count == 0 {
            let target = (*runtime).context.cursor.0;
            std::ptr::copy_nonoverlapping(source, target, len);
            (*runtime).forget_hidden();
            (*runtime).finish_edge(len);
            return 1;
        }
        count
    }
}
