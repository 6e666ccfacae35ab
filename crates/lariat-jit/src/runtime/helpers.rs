//! The functions that compiled code calls.
//!
//! The invariants of [`runtime`](super) hold here as well. Functions that are not called by compiled
//! code directly have a contract in common: the runtime is alive, no reference to it is used during
//! the call, and where they get a state or a process, these are as the invariants **state** and
//! **stands** say. That is what `# Safety: as for helpers` means.
//!
//! Each function that compiled code calls does its work inside [`guard`], so that a panic ends there.
//! What it answers then is something that compiled code can go on with: in most cases [`BAIL`].
#![allow(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use lariat_ir::interpret::Step;
use lariat_ir::model::Location;
use lariat_ir::space::MAX_DRAWN_STEPS;

use super::{
    BAIL, CONTINUE, Context, ENDED, GAVE_UP, Level, MAX_CHAINS, MAX_LEVELS, Movable, NOBODY,
    PATIENT_STEPS, Runtime, SLACK, StepFn,
};
use crate::emit::Kind;
use crate::fair::Fair;
use crate::message::{insert_sorted, remove_bits};

/// The functions that compiled code calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    Chain,
    ChainOfReceiver,
    Branch,
    Meet,
    MeetDrawn,
    DrawNumber,
    DrawRound,
    Grow,
    SlowStep,
    SlowReceive,
    FindProcess,
    NonProgress,
    InsideWatch,
    RemoveMessage,
    FinishSender,
    Committed,
    InsertMessage,
}

impl Helper {
    pub(crate) fn address(self) -> usize {
        match self {
            Helper::Chain => chain as *const () as usize,
            Helper::ChainOfReceiver => chain_of_receiver as *const () as usize,
            Helper::Branch => branch as *const () as usize,
            Helper::Meet => meet as *const () as usize,
            Helper::MeetDrawn => meet_drawn as *const () as usize,
            Helper::DrawNumber => draw_number as *const () as usize,
            Helper::DrawRound => draw_round as *const () as usize,
            Helper::Grow => grow as *const () as usize,
            Helper::SlowStep => slow_step as *const () as usize,
            Helper::SlowReceive => slow_receive as *const () as usize,
            Helper::FindProcess => find_process as *const () as usize,
            Helper::NonProgress => non_progress as *const () as usize,
            Helper::InsideWatch => inside_watch as *const () as usize,
            Helper::RemoveMessage => remove_message as *const () as usize,
            Helper::InsertMessage => insert_message as *const () as usize,
            Helper::FinishSender => finish_sender as *const () as usize,
            Helper::Committed => committed as *const () as usize,
        }
    }
}

/// The function of a location for which there is no code.
pub(crate) fn slow_function(kind: Kind) -> StepFn {
    match kind {
        Kind::Expand => slow_expand,
        Kind::Chain => branch,
        _ => refuse,
    }
}

/// The function of a location at which no process can ever stand.
pub(crate) const NO_FUNCTION: StepFn = refuse;

/// Does the work of a helper. If it panics, the panic is kept for the caller of the expansion, and the
/// answer is `otherwise`.
///
/// # Safety
///
/// The context is that of a runtime, and `work` keeps to what is said at the top.
#[inline(always)]
unsafe fn guard<T>(context: *mut Context, otherwise: T, work: impl FnOnce() -> T) -> T {
    let work = || {
        #[cfg(test)]
        super::tests::tick();
        work()
    };
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => {
            // SAFETY: context, exclusive: the work has ended, and with it its references.
            let kept = unsafe { &mut (*context.cast::<Runtime>()).panic };
            match kept {
                None => *kept = Some(panic),
                // One is enough, and to drop the other could be a panic as well.
                Some(_) => std::mem::forget(panic),
            }
            otherwise
        }
    }
}

/// Runs all processes of the present state, and again with a timeout if none can move.
///
/// # Safety
///
/// As for helpers; the runtime was prepared for an expansion of the state at `source`.
pub(super) unsafe fn run_all(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: as the caller says.
    let count = unsafe { run_processes(runtime, source, 0) };
    // SAFETY: exclusive: the reference ends with the statement.
    let uses_timeout = unsafe { (*runtime).code.facts().uses_timeout };
    match count == 0 && uses_timeout {
        // SAFETY: as the caller says.
        true => unsafe { run_processes(runtime, source, 1) },
        false => count,
    }
}

/// # Safety
///
/// As for `run_all`.
unsafe fn run_processes(runtime: *mut Runtime, source: *mut u32, timeout: u32) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement. State: the tables and the source are
    // those of the present state in every round, because a helper that changes the tables puts them
    // back, so `pid` is an index of them. Stands: `enter` has noted where each process of the source is,
    // and nothing else writes to these notes.
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

/// Follows a chain: the process in the target at the cursor has made a step and keeps control.
unsafe extern "C" fn chain(context: *mut Context, frame: u64, pid: u32) -> i32 {
    // SAFETY: context: compiled code hands on what it got. State, stands: it calls this for the process
    // that it was compiled for, after a step of it to the target at the cursor.
    unsafe { guard(context, BAIL, || follow_chain(context.cast(), frame, pid)) }
}

/// # Safety
///
/// As for helpers; the process is one of the target at the cursor.
unsafe fn follow_chain(runtime: *mut Runtime, frame: u64, pid: u32) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement, but for `words`, which is not used after
    // `must_stop`. State: at the cursor is a state of the present width as long as the function of
    // the chain answers `CONTINUE`. Stands: `location_at` is asked anew after each step.
    unsafe {
        let context: *mut Context = runtime.cast();
        let timeout = (*context).timeout;
        (*context).timeout = 0;
        (*runtime).chains += 1;
        let mut steps = 1u32;
        let result = loop {
            (*context).internal_steps += 1;
            let state = (*context).cursor.0;
            if steps >= PATIENT_STEPS {
                let mut remembered = std::mem::take(&mut (*runtime).remembered);
                let words = (*runtime).words_at(state);
                let stop = (*runtime).must_stop(steps, words, &mut remembered);
                (*runtime).remembered = remembered;
                if stop {
                    break BAIL;
                }
            }
            let location = (*runtime).location_at(state, pid as usize);
            let function = (*runtime).code.function(Kind::Chain, location);
            match function(context, state, frame, pid) {
                CONTINUE => steps = steps.wrapping_add(1),
                result => break result,
            }
        };
        (*runtime).chains -= 1;
        (*context).timeout = timeout;
        result
    }
}

/// The same for the receiver of an offer, which others may still take: the chain can make new ones.
unsafe extern "C" fn chain_of_receiver(context: *mut Context, frame: u64, pid: u32) -> i32 {
    // SAFETY: as for `chain`.
    unsafe {
        guard(context, BAIL, || {
            let offer = (*context).offer;
            let result = follow_chain(context.cast(), frame, pid);
            (*context).offer = offer;
            result
        })
    }
}

/// A chain has a choice in the target at the cursor: all its steps get copies. If there is none
/// after all, the chain ends.
unsafe extern "C" fn branch(context: *mut Context, state: *mut u32, frame: u64, pid: u32) -> i32 {
    // SAFETY: as for `chain`; `state` is the target at the cursor.
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
unsafe fn branch_out(runtime: *mut Runtime, state: *mut u32, frame: u64, pid: u32) -> i32 {
    // SAFETY: exclusive: `words` and `level` are not used after the call of compiled code. State, slack:
    // the copy in the level has the words of the state, at least `SLACK` of them, and stays where it
    // is until the level is left: deeper levels have vectors of their own. Room: whatever was at the
    // cursor, there was room for the state, and the functions of a location leave as much.
    unsafe {
        let words = (*runtime).words_at(state);
        let depth = (*runtime).depth;
        let levels = &mut (*runtime).levels;
        let returns = levels[..depth]
            .iter()
            .any(|level| level.pid == pid && &level.words[..level.len] == words);
        // The interpreter knows what to do about a chain with a cycle.
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

/// Offers a message to all other processes; how many edges their receives make.
unsafe extern "C" fn meet(
    context: *mut Context,
    source: *mut u32,
    frame: u64,
    pid: u32,
    header: u32,
    transition: u32,
) -> i32 {
    // SAFETY: context, state: compiled code hands on what it got. Exclusive: what is used over calls of
    // compiled code belongs to the code, which does not change. Stands: `location_at` says where each
    // partner is; those of `receivers` are processes of the layout.
    let offer = || unsafe {
        let runtime: *mut Runtime = context.cast();
        let ty = sign_offer(runtime, source, frame, pid, header, transition);
        let mut total = 0i32;
        let channel = (*context).offer.channel;
        let mut ask = |partner: usize| {
            let location = (*runtime).location_at(source, partner);
            if partner as u32 == pid || !(*runtime).code.accepts(location, channel) {
                return true;
            }
            let at = u64::from((&(*runtime).processes)[partner]);
            let function = (*runtime).code.function(Kind::Offer, location);
            let count = with_partner(runtime, partner, || {
                function(context, source, at, partner as u32)
            });
            total = total.saturating_add(count);
            count >= 0
        };
        let all_answer = match (*runtime).code.receivers(channel) {
            Some(receivers) => receivers.iter().all(|&partner| ask(partner as usize)),
            None => (0..(*runtime).processes.len()).all(ask),
        };
        if !all_answer {
            return BAIL;
        }
        if total > 0 {
            reach_target(runtime, ty, transition);
        }
        total
    };
    // SAFETY: as above.
    unsafe { guard(context, BAIL, offer) }
}

/// Notes who makes the present offer, and returns the type of that process.
///
/// # Safety
///
/// As for helpers.
unsafe fn sign_offer(
    runtime: *mut Runtime,
    source: *const u32,
    frame: u64,
    pid: u32,
    header: u32,
    transition: u32,
) -> usize {
    // SAFETY: exclusive: no compiled code is called here. State: the process is one of the state.
    let (runtime, location) =
        unsafe { (&mut *runtime, (*runtime).location_at(source, pid as usize)) };
    let (ty, _) = runtime.code.location(location);
    let count = runtime.code.facts().process_shapes[ty].count;
    let finishes = runtime.code.finishes(ty, transition);
    let offer = &mut runtime.context.offer;
    offer.sender_frame = frame;
    offer.sender_count = frame + count as u64;
    offer.sender_header = header;
    offer.sender = pid;
    offer.transition = transition;
    offer.finishes = u32::from(finishes);
    ty
}

/// Notes that a sender has come to the end of its transition.
///
/// # Safety
///
/// As for helpers.
unsafe fn reach_target(runtime: *mut Runtime, ty: usize, transition: u32) {
    // SAFETY: exclusive: no compiled code is called here.
    let runtime = unsafe { &mut *runtime };
    let process = &runtime.code.facts().model.processes[ty];
    let target = process.transitions[transition as usize].target;
    runtime.reached[ty][target as usize] = true;
}

/// Adds the edges of a meeting and notes who moves on them.
///
/// # Safety
///
/// As for helpers.
unsafe fn with_partner(runtime: *mut Runtime, partner: usize, edges: impl FnOnce() -> i32) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement, and none is alive while `edges` runs.
    unsafe {
        if (*runtime).fair.processes == 0 {
            return edges();
        }
        let before = (*runtime).edge_count();
        (*runtime).fair.flush(before);
        let moved = Fair::set(&mut (*runtime).fair.movers, partner, true);
        let count = edges();
        let after = (*runtime).edge_count();
        (*runtime).fair.flush(after);
        Fair::set(&mut (*runtime).fair.movers, partner, moved);
        if count > 0 {
            if partner >= (*runtime).fair.processes {
                return BAIL;
            }
            if (*runtime).chains == 0 {
                Fair::set(&mut (*runtime).fair.enabled, partner, true);
            }
        }
        count
    }
}

/// Draws an edge of the present state: one of the steps of all processes, and then, as long as a
/// process keeps control, one of its steps.
///
/// # Safety
///
/// As for helpers; the runtime was prepared for a draw from the state at `source`.
pub(super) unsafe fn draw_edge(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement; the iterator over `movable` ends before
    // compiled code is called. Stands: `count_all` has noted the function of the location at which the
    // process stands, and counting changes nothing.
    unsafe {
        let context: *mut Context = runtime.cast();
        (*context).timeout = 0;
        (*runtime).draw.steps = 0;
        let mut total = count_all(runtime, source);
        if total == 0 && (*runtime).code.facts().uses_timeout {
            (*context).timeout = 1;
            total = count_all(runtime, source);
        }
        // If nobody can move, the interpreter knows what to say.
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
unsafe fn count_all(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: as in `run_processes`. A function that only counts changes nothing.
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
                (*context).wanted = NOBODY;
                count = function(context, source, u64::from(at), pid as u32);
            }
            if count == 0 {
                continue;
            }
            if count < 0 || !note_enabled(runtime, pid) {
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

/// Notes that a process can move, if fairness asks; answers whether it is looked after.
///
/// # Safety
///
/// As for helpers.
unsafe fn note_enabled(runtime: *mut Runtime, pid: usize) -> bool {
    // SAFETY: exclusive: no compiled code is called here.
    let fair = unsafe { &mut (*runtime).fair };
    if fair.processes > 0 {
        Fair::set(&mut fair.enabled, pid, true);
    }
    fair.processes == 0 || pid < fair.processes
}

/// Takes the step of a process with a number. Who keeps control is in the runtime if somebody does.
///
/// # Safety
///
/// As for helpers; the function is that of the location at which the process stands.
unsafe fn take_drawn(
    runtime: *mut Runtime,
    function: StepFn,
    source: *mut u32,
    frame: u64,
    pid: u32,
    wanted: u32,
) -> i32 {
    // SAFETY: exclusive: no reference outlives its statement. State, stands: as the caller says.
    unsafe {
        // A meeting hands control over to the receiver.
        (*runtime).draw.frame = frame;
        (*runtime).draw.pid = pid;
        (*runtime).context.wanted = wanted;
        match function(runtime.cast(), source, frame, pid) {
            result @ (CONTINUE | ENDED) => result,
            _ => BAIL,
        }
    }
}

/// Follows the chain of the process that keeps control in the target at the cursor.
///
/// # Safety
///
/// As for helpers; the process is one of the target at the cursor.
unsafe fn follow_drawn(runtime: *mut Runtime) -> i32 {
    // SAFETY: as in `follow_chain`; the process that has control is noted by whom took its step.
    unsafe {
        let context: *mut Context = runtime.cast();
        (*context).timeout = 0;
        (*runtime).chains = 1;
        loop {
            (*context).internal_steps += 1;
            let state = (*context).cursor.0;
            (*runtime).draw.steps += 1;
            let steps = (*runtime).draw.steps;
            if (*context).internal_steps > MAX_DRAWN_STEPS {
                // Without a choice for a while, the interpreter may know that there is no end.
                return if steps > 2 { BAIL } else { GAVE_UP };
            }
            if steps >= PATIENT_STEPS {
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
            let function = (*runtime).code.function(Kind::Chain, location);
            match function(context, state, frame, pid) {
                CONTINUE => {}
                1 => return ENDED,
                _ => return BAIL,
            }
        }
    }
}

/// The next step of the process that has control in the target at the cursor, where it may have a
/// choice or meet somebody.
///
/// # Safety
///
/// As for helpers; `state` is the target at the cursor, and the process one of it.
unsafe fn draw_next(runtime: *mut Runtime, state: *mut u32, frame: u64, pid: u32) -> i32 {
    // SAFETY: exclusive: `words` is not used after it is copied. State, slack: the copy has the words of
    // the state, at least `SLACK` of them, and nothing else is put there until the step is taken. Room:
    // as in `branch_out`. Stands: counting changes nothing, so the process still stands there.
    unsafe {
        let context: *mut Context = runtime.cast();
        let location = (*runtime).location_at(state, pid as usize);
        let function = (*runtime).code.function(Kind::Draw, location);
        (*context).wanted = NOBODY;
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
unsafe extern "C" fn draw_number(context: *mut Context, count: u32) -> u32 {
    // SAFETY: context; there are dice while an edge is drawn, and compiled code calls this only then.
    // Nothing here can panic, so there is no guard.
    unsafe {
        if count > 1 {
            // What is watched for repetition begins anew.
            (*context.cast::<Runtime>()).draw.steps = 0;
        }
        (*(*context).dice.0).index(count as usize) as u32
    }
}

/// Whether a loop that chooses a number goes round, if so many come after the present one: all numbers
/// are equally likely.
unsafe extern "C" fn draw_round(context: *mut Context, left: u32) -> u32 {
    // SAFETY: as for `draw_number`.
    let number = unsafe { (*(*context).dice.0).below(u64::from(left) + 1) };
    u32::from(number > 0)
}

/// Offers a message to all other processes and counts the receives that take it, up to the one that is
/// wanted: that one happens.
unsafe extern "C" fn meet_drawn(
    context: *mut Context,
    source: *mut u32,
    frame: u64,
    pid: u32,
    header: u32,
    transition: u32,
) -> i32 {
    // SAFETY: as for `meet`.
    let offer = || unsafe {
        let runtime: *mut Runtime = context.cast();
        let ty = sign_offer(runtime, source, frame, pid, header, transition);
        let channel = (*context).offer.channel;
        let wanted = (*context).wanted;
        let mut total = 0u32;
        // Goes on with the next receiver, or stops with an answer.
        let mut ask = |partner: usize| {
            let location = (*runtime).location_at(source, partner);
            if partner as u32 == pid || !(*runtime).code.accepts(location, channel) {
                return Ok(());
            }
            let at = u64::from((&(*runtime).processes)[partner]);
            let function = (*runtime).code.function(Kind::DrawOffer, location);
            (*context).wanted = wanted.wrapping_sub(total);
            match function(context, source, at, partner as u32) {
                0 => Ok(()),
                result @ (CONTINUE | ENDED) => {
                    reach_target(runtime, ty, transition);
                    Fair::set(&mut (*runtime).fair.movers, partner, true);
                    (*runtime).draw.frame = at;
                    (*runtime).draw.pid = partner as u32;
                    Err(result)
                }
                count if count < 0 || !may_meet(runtime, partner) => Err(BAIL),
                count => {
                    total += count as u32;
                    Ok(())
                }
            }
        };
        let answer = match (*runtime).code.receivers(channel) {
            Some(receivers) => receivers.iter().try_for_each(|&p| ask(p as usize)),
            None => (0..(*runtime).processes.len()).try_for_each(ask),
        };
        match answer {
            Ok(()) => total as i32,
            Err(result) => result,
        }
    };
    // SAFETY: as above.
    unsafe { guard(context, BAIL, offer) }
}

/// Notes that a process can take part in a meeting, if that is one of the steps of a state; answers
/// whether fairness looks after it.
///
/// # Safety
///
/// As for helpers.
unsafe fn may_meet(runtime: *mut Runtime, partner: usize) -> bool {
    // SAFETY: exclusive: no reference outlives its statement, and no compiled code is called here.
    unsafe {
        match (*runtime).chains {
            0 => note_enabled(runtime, partner),
            _ => (*runtime).fair.processes == 0 || partner < (*runtime).fair.processes,
        }
    }
}

/// Makes room for more edges.
unsafe extern "C" fn grow(context: *mut Context) -> i32 {
    // SAFETY: context: compiled code hands on what it got.
    unsafe { guard(context, BAIL, || make_room(context.cast())) }
}

/// # Safety
///
/// As for helpers, during an expansion or a draw.
unsafe fn make_room(runtime: *mut Runtime) -> i32 {
    // SAFETY: exclusive: no compiled code is called here.
    let this = unsafe { &mut *runtime };
    // SAFETY: `out` is the buffer of the present expansion, which its caller has borrowed and does not
    // use now.
    let out = unsafe { &mut *this.out.0 };
    // SAFETY: the context points at that buffer.
    unsafe { this.set_lengths(out) };
    if out.memory_bytes() > this.memory / 4 || this.is_restless() {
        return BAIL;
    }
    this.reserve(out);
    0
}

/// All steps of a process, taken by the interpreter.
unsafe extern "C" fn slow_expand(
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
        // SAFETY: state: `source` is what the runtime or compiled code has given to this function.
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

/// A function of a location for which there is no code.
unsafe extern "C" fn refuse(_: *mut Context, _: *mut u32, _: u64, _: u32) -> i32 {
    BAIL
}

/// A step of one process, taken by the interpreter.
unsafe extern "C" fn slow_step(
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
    // SAFETY: context, state: compiled code hands on what it got, and calls this only if the process can
    // take the step.
    unsafe {
        // Its chain would not be drawn.
        if !(*context).dice.0.is_null() {
            return BAIL;
        }
        guard(context, BAIL, || take_step(context.cast(), source, step))
    }
}

/// A receive from the present offer, taken by the interpreter. Its caller has noted who moves.
unsafe extern "C" fn slow_receive(
    context: *mut Context,
    source: *mut u32,
    partner: u32,
    transition: u32,
) -> i32 {
    // SAFETY: as for `slow_step`; `sign_offer` has noted the sender.
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
unsafe fn take_step(runtime: *mut Runtime, source: *mut u32, step: Step) -> i32 {
    // SAFETY: as the caller says.
    let take = || unsafe { take_alone(runtime, source, step) };
    match step.partner {
        None => take(),
        // SAFETY: as the caller says.
        Some((partner, _)) => unsafe { with_partner(runtime, partner as usize, take) },
    }
}

/// Takes a step with the interpreter, and goes on with the chain that it begins.
///
/// # Safety
///
/// As for helpers.
unsafe fn take_alone(runtime: *mut Runtime, source: *mut u32, step: Step) -> i32 {
    // SAFETY: exclusive: the reference ends before the chain is followed.
    let this = unsafe { &mut *runtime };
    if this.chains >= MAX_CHAINS {
        return BAIL;
    }
    // SAFETY: state: as the caller says. The step is taken on a copy.
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
    // SAFETY: room: there is memory for so many words at the cursor, in the buffer, where the words of
    // the interpreter's state are not.
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

/// Goes on with a chain in a target at the cursor whose processes and channels may be others than
/// those of the present state.
///
/// # Safety
///
/// As for helpers; at the cursor are the words of a state, so many, and it has the process.
unsafe fn follow(runtime: *mut Runtime, pid: u32, len: usize) -> i32 {
    // SAFETY: exclusive: the reference ends before compiled code is called.
    let this = unsafe { &mut *runtime };
    let processes = std::mem::take(&mut this.processes);
    let channels = std::mem::take(&mut this.channels);
    let width = this.context.width as usize / 4;
    this.set_width(len);
    // SAFETY: as the caller says; the width is that of the target now.
    let words = unsafe { this.words_at(this.context.cursor.0) };
    this.scan(words);
    this.point();
    let frame = u64::from(this.processes[pid as usize]);
    // SAFETY: context. State: the tables are those of the target.
    let count = unsafe { chain_of_receiver(runtime.cast(), frame, pid) };
    // SAFETY: exclusive: the call has ended.
    let this = unsafe { &mut *runtime };
    this.processes = processes;
    this.channels = channels;
    this.set_width(width);
    this.point();
    count
}

/// Byte offset of a process in a state, or a negative number if there is no such process of that
/// type. Without a number it is the first of its type.
unsafe extern "C" fn find_process(
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

/// Whether no process stands at a progress label.
unsafe extern "C" fn non_progress(context: *mut Context, state: *const u32) -> i32 {
    // SAFETY: context, state: compiled code hands on what it got.
    unsafe {
        guard(context, 0, || {
            i32::from(!any_stands(context, state, |location| location.progress))
        })
    }
}

/// Whether a process is committed.
unsafe extern "C" fn committed(context: *mut Context, state: *const u32) -> i32 {
    // SAFETY: as for `non_progress`.
    unsafe {
        guard(context, 0, || {
            i32::from(any_stands(context, state, |location| location.committed))
        })
    }
}

/// Whether a process stands at a location of some kind.
///
/// # Safety
///
/// As for helpers.
unsafe fn any_stands(
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

/// What the sender of the present offer does after its message was taken.
unsafe extern "C" fn finish_sender(context: *mut Context, state: *mut u32) -> i32 {
    // SAFETY: context; exclusive: no reference outlives its statement. State, stands: `sign_offer` has
    // noted which process the sender is, where it lies, and which transition it takes; its location is
    // that of the transition's target already, and what it does was compiled for its type.
    let finish = || unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let offer = (*context).offer;
        let number = (*runtime).location_at(state, offer.sender as usize);
        let (ty, _) = (*runtime).code.location(number);
        let function = (*runtime).code.finisher(ty, offer.transition);
        function(context, state, offer.sender_frame, offer.sender)
    };
    // SAFETY: as above.
    unsafe { guard(context, BAIL, finish) }
}

/// Whether an indivisible sequence may go on.
unsafe extern "C" fn inside_watch(context: *mut Context, state: *const u32, steps: u32) -> i32 {
    let watch = || {
        // SAFETY: context, exclusive: no compiled code is called here.
        let runtime = unsafe { &mut *context.cast::<Runtime>() };
        // SAFETY: state: compiled code works on a state of the present width, and waits for the answer.
        let words = unsafe { runtime.words_at(state) };
        let mut remembered = std::mem::take(&mut runtime.inside_remembered);
        let stop = runtime.must_stop(steps, words, &mut remembered);
        runtime.inside_remembered = remembered;
        if stop { BAIL } else { 0 }
    };
    // SAFETY: as above.
    unsafe { guard(context, BAIL, watch) }
}

/// Puts a message with the fields in the context into a channel, before the first that is greater.
unsafe extern "C" fn insert_message(context: *mut Context, buffer: *mut u32, length: u32, ty: u32) {
    let insert = || {
        // SAFETY: context, exclusive: no compiled code is called here.
        let runtime = unsafe { &*context.cast_const().cast::<Runtime>() };
        let ty = &runtime.code.facts().model.channels[ty as usize];
        // SAFETY: state: the buffer is that of a channel of this type, in the target at the cursor, and
        // compiled code waits for the answer.
        let buffer = unsafe { slice::from_raw_parts_mut(buffer, ty.words()) };
        insert_sorted(buffer, length, ty, &runtime.context.message);
    };
    // SAFETY: as above.
    unsafe { guard(context, (), insert) }
}

/// Takes a message out of a buffer: those behind it move up, and the last slot becomes zero.
unsafe extern "C" fn remove_message(
    context: *mut Context,
    buffer: *mut u32,
    words: u32,
    stride: u32,
    slot: u32,
) {
    let remove = || {
        // SAFETY: state: the buffer is that of a channel of so many words, in the target at the cursor,
        // and compiled code waits for the answer.
        let buffer = unsafe { slice::from_raw_parts_mut(buffer, words as usize) };
        remove_bits(buffer, slot * stride, stride);
    };
    // SAFETY: as above.
    unsafe { guard(context, (), remove) }
}
