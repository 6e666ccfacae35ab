//! Drawing one edge of a state: the steps are counted, one number is drawn, and that step is taken.
#![allow(unsafe_code)]

use lariat_ir::space::MAX_DRAWN_STEPS;

use super::super::{
    BAIL, CONTINUE, Context, ENDED, GAVE_UP, Movable, NO_STEP, Runtime, SLACK, StepFn,
    UNCHECKED_STEPS,
};
use crate::emit::Kind;
use crate::fair::Fair;

/// Draws an edge of the present state: one of the steps of all processes, and then, as long as a process keeps
/// control, one of its steps.
///
/// # Safety
///
/// As for helpers; the runtime was prepared for a draw from the state at `source`.
pub(in super::super) unsafe fn draw_edge(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement; the iterator over `movable` ends before compiled code
    // is called. Location: `count_all` has stored the function of the process's location, and counting changes no
    // state.
    unsafe {
        let context: *mut Context = runtime.cast();
        (*context).timeout = 0;
        (*runtime).draw.steps = 0;
        let mut total = count_all(runtime, source);
        if total == 0 && (*runtime).code.facts().uses_timeout {
            (*context).timeout = 1;
            total = count_all(runtime, source);
        }
        // If no process is enabled, the interpreter reports it.
        if total <= 0 {
            return BAIL;
        }
        let mut wanted = draw_number(context, total as u32);
        let mut movable = (*runtime).draw.movable.iter();
        let chosen = movable.find(|process| match wanted.checked_sub(process.count) {
            Some(left) => {
                wanted = left;
                false
            }
            None => true,
        });
        let Some(&Movable { function, pid, .. }) = chosen else {
            return BAIL;
        };
        if (*runtime).fair.processes > 0 {
            (*runtime).fair.movers.fill(0);
            Fair::set(&mut (*runtime).fair.movers, pid as usize, true);
        }
        let frame = u64::from((&(*runtime).processes)[pid as usize]);
        match take_drawn(runtime, function, source, frame, pid, wanted) {
            CONTINUE => follow_drawn(runtime),
            result => result,
        }
    }
}

/// Counts the steps of all processes in the present state.
///
/// # Safety
///
/// As for `draw_edge`.
pub(super) unsafe fn count_all(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: as in `run_processes`. A function that only counts changes no state.
    unsafe {
        let context: *mut Context = runtime.cast();
        (*runtime).draw.movable.clear();
        let mut total = 0i32;
        for pid in 0..(*runtime).processes.len() {
            let location = *(*runtime).locations.as_ptr().add(pid) as usize;
            if (*runtime).code.is_idle(location) {
                continue;
            }
            let function = (*runtime).code.function(Kind::Draw, location);
            let mut count = (*runtime).code.certain_steps(location) as i32;
            if count == 0 {
                let at = (&(*runtime).processes)[pid];
                (*context).wanted = NO_STEP;
                count = function(context, source, u64::from(at), pid as u32);
            }
            if count == 0 {
                continue;
            }
            if count < 0 || !record_enabled(runtime, pid) {
                return BAIL;
            }
            (*runtime).draw.movable.push(Movable {
                function,
                pid: pid as u32,
                count: count as u32,
            });
            total = total.saturating_add(count);
        }
        total
    }
}

/// Records that a process is enabled, for fairness; returns whether it has a constraint.
///
/// # Safety
///
/// As for helpers.
pub(super) unsafe fn record_enabled(runtime: *mut Runtime, pid: usize) -> bool {
    // SAFETY: exclusive: no compiled code is called here.
    let fair = unsafe { &mut (*runtime).fair };
    if fair.processes > 0 {
        Fair::set(&mut fair.enabled, pid, true);
    }
    fair.processes == 0 || pid < fair.processes
}

/// Takes the step of a process with a number. If a process keeps control, it is stored in the runtime.
///
/// # Safety
///
/// As for helpers; the function is that of the process's location.
pub(super) unsafe fn take_drawn(
    runtime: *mut Runtime,
    function: StepFn,
    source: *mut u32,
    frame: u64,
    pid: u32,
    wanted: u32,
) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement. State, location: guaranteed by the caller.
    unsafe {
        // A rendezvous passes control to the receiver.
        (*runtime).draw.frame = frame;
        (*runtime).draw.pid = pid;
        (*runtime).context.wanted = wanted;
        match function(runtime.cast(), source, frame, pid) {
            result @ (CONTINUE | ENDED) => result,
            _ => BAIL,
        }
    }
}

/// Continues the atomic sequence of the process that keeps control in the target at the cursor.
///
/// # Safety
///
/// As for helpers; the process is one of the target at the cursor.
pub(super) unsafe fn follow_drawn(runtime: *mut Runtime) -> i32 {
    // SAFETY: as in `follow_sequence`; the function that took the last step has stored the process with control.
    unsafe {
        let context: *mut Context = runtime.cast();
        (*context).timeout = 0;
        (*runtime).sequences = 1;
        loop {
            (*context).internal_steps += 1;
            let state = (*context).cursor.0;
            (*runtime).draw.steps += 1;
            let steps = (*runtime).draw.steps;
            if (*context).internal_steps > MAX_DRAWN_STEPS {
                // After many steps without a choice, the interpreter may detect that the sequence does not end.
                return if steps > 2 { BAIL } else { GAVE_UP };
            }
            if steps >= UNCHECKED_STEPS {
                let mut remembered = std::mem::take(&mut (*runtime).remembered);
                let words = (*runtime).words_at(state);
                let stop = (*runtime).must_stop(steps, words, &mut remembered);
                (*runtime).remembered = remembered;
                if stop {
                    return BAIL;
                }
            }
            let (frame, pid) = ((*runtime).draw.frame, (*runtime).draw.pid);
            let location = (*runtime).location_at(state, pid as usize);
            let function = (*runtime).code.function(Kind::Sequence, location);
            match function(context, state, frame, pid) {
                CONTINUE => {}
                1 => return ENDED,
                _ => return BAIL,
            }
        }
    }
}

/// The next step of the process that has control in the target at the cursor, where it may have a choice or a
/// rendezvous.
///
/// # Safety
///
/// As for helpers; `state` is the target at the cursor, and the process one of it.
pub(super) unsafe fn draw_next(
    runtime: *mut Runtime,
    state: *mut u32,
    frame: u64,
    pid: u32,
) -> i32 {
    // SAFETY: exclusive: `words` is not used after it is copied. State, slack: the copy has the words of the state,
    // at least `SLACK` of them, and is not overwritten until the step is taken. Room: as in `branch_out`. Location:
    // counting changes no state, so the process is still there.
    unsafe {
        let context: *mut Context = runtime.cast();
        let location = (*runtime).location_at(state, pid as usize);
        let function = (*runtime).code.function(Kind::Draw, location);
        (*context).wanted = NO_STEP;
        let count = function(context, state, frame, pid);
        if count < 0 {
            return BAIL;
        }
        let len = (*context).width as usize / 4;
        if count == 0 {
            (*runtime).forget_hidden();
            (*runtime).finish_edge(len);
            return 1;
        }
        let wanted = draw_number(context, count as u32);
        let words = (*runtime).words_at(state);
        let before = &mut (*runtime).draw.before;
        before.clear();
        before.extend_from_slice(words);
        before.resize(len.max(SLACK), 0);
        let before = before.as_mut_ptr();
        match take_drawn(runtime, function, before, frame, pid, wanted) {
            ENDED => 1,
            result => result,
        }
    }
}

/// A number below another, drawn by the dice.
pub(super) unsafe extern "C" fn draw_number(context: *mut Context, count: u32) -> u32 {
    // SAFETY: context; there are dice while an edge is drawn, and compiled code calls this only then. This cannot
    // panic, so there is no guard.
    unsafe {
        if count > 1 {
            // The detection of repetition starts again.
            (*context.cast::<Runtime>()).draw.steps = 0;
        }
        (*(*context).dice.0).index(count as usize) as u32
    }
}

/// Whether a loop that chooses a number makes another round, with `after` numbers after the present one: all numbers
/// are equally likely.
pub(super) unsafe extern "C" fn draw_round(context: *mut Context, left: u32) -> u32 {
    // SAFETY: as for `draw_number`.
    let number = unsafe { (*(*context).dice.0).below(u64::from(left) + 1) };
    u32::from(number > 0)
}
