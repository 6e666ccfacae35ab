//! The functions that compiled code calls.
//!
//! What `runtime` says about memory holds here as well.
#![allow(unsafe_code)]

use std::slice;

use lariat_ir::interpret::Step;
use lariat_ir::model::Location;
use lariat_ir::space::MAX_DRAWN_STEPS;

use super::{
    BAIL, CONTINUE, Context, ENDED, GAVE_UP, Level, MAX_LEVELS, Movable, NOBODY, PATIENT_STEPS,
    Runtime, SLACK, StepFn,
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
        Kind::Offer | Kind::Draw | Kind::DrawOffer | Kind::Finish => refuse,
    }
}

/// Runs all processes of the present state, and again with a timeout if none can move.
///
/// # Safety
///
/// The runtime must have been prepared for an expansion.
pub(super) unsafe fn run_all(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: see above; no reference outlives a statement.
    unsafe {
        let count = run_processes(runtime, source, 0);
        if count == 0 && (*runtime).code.facts().uses_timeout {
            return run_processes(runtime, source, 1);
        }
        count
    }
}

unsafe fn run_processes(runtime: *mut Runtime, source: *mut u32, timeout: u32) -> i32 {
    // SAFETY: as for `run_all`. The tables of processes and the source do not change: what changes
    // them inside a call puts them back.
    unsafe {
        let mut total = 0;
        for pid in 0..(*runtime).processes.len() {
            let at = *(*runtime).processes.as_ptr().add(pid);
            let location = (*runtime).location_at(source, pid);
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
            total += count;
        }
        total
    }
}

/// Follows a chain: the process in the target at the cursor has made a step and keeps control.
unsafe extern "C" fn chain(context: *mut Context, frame: u64, pid: u32) -> i32 {
    // SAFETY: the context is the beginning of a runtime. Functions of locations are only called with
    // the process that they were compiled for.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let timeout = (*context).timeout;
        (*context).timeout = 0;
        (*runtime).chains += 1;
        let mut steps = 1;
        let result = loop {
            (*context).internal_steps += 1;
            let state = (*context).cursor;
            if steps >= PATIENT_STEPS {
                let mut remembered = std::mem::take(&mut (*runtime).remembered);
                let stop = (*runtime).must_stop(steps, state, &mut remembered);
                (*runtime).remembered = remembered;
                if stop {
                    break BAIL;
                }
            }
            let location = (*runtime).location_at(state, pid as usize);
            let function = (*runtime).code.function(Kind::Chain, location);
            match function(context, state, frame, pid) {
                CONTINUE => steps += 1,
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
        let offer = (*context).offer;
        let result = chain(context, frame, pid);
        (*context).offer = offer;
        result
    }
}

/// A chain has a choice in the target at the cursor: all its steps get copies. If there is none
/// after all, the chain ends.
unsafe extern "C" fn branch(context: *mut Context, state: *mut u32, frame: u64, pid: u32) -> i32 {
    // SAFETY: as for `chain`. The words of a level stay where they are until it is left.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        if !(*context).dice.is_null() {
            return draw_next(runtime, state, frame, pid);
        }
        let words = (*runtime).words_at(state);
        let depth = (*runtime).depth;
        let levels = &(&(*runtime).levels)[..depth];
        let returns = levels
            .iter()
            .any(|level| level.pid == pid && &level.words[..level.len] == words);
        // The interpreter knows what to do about a chain with a cycle.
        if returns || depth >= MAX_LEVELS {
            return BAIL;
        }
        let len = words.len();
        if (*runtime).levels.len() == depth {
            (*runtime).levels.push(Level::default());
        }
        let level = &mut (&mut (*runtime).levels)[depth];
        level.pid = pid;
        level.len = len;
        level.words.clear();
        level.words.extend_from_slice(words);
        level.words.resize(len.max(SLACK), 0);
        let source = level.words.as_mut_ptr();
        (*runtime).depth += 1;
        let location = (*runtime).location_at(source, pid as usize);
        let function = (*runtime).code.function(Kind::Expand, location);
        let count = function(context, source, frame, pid);
        (*runtime).depth -= 1;
        if count == 0 {
            let target = (*context).cursor;
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
    // SAFETY: as for `chain`.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let ty = sign_offer(runtime, source, frame, pid, header, transition);
        let mut total = 0;
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
            total += count;
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
    }
}

/// Notes who makes the present offer, and returns the type of that process.
unsafe fn sign_offer(
    runtime: *mut Runtime,
    source: *const u32,
    frame: u64,
    pid: u32,
    header: u32,
    transition: u32,
) -> usize {
    // SAFETY: the runtime is alive, and the process one of the present state.
    unsafe {
        let location = (*runtime).location_at(source, pid as usize);
        let (ty, _) = (*runtime).code.location(location);
        let count = (*runtime).code.facts().process_shapes[ty].count;
        let finishes = (*runtime).code.finishes(ty, transition);
        let offer = &mut (*runtime).context.offer;
        offer.sender_frame = frame;
        offer.sender_count = frame + count as u64;
        offer.sender_header = header;
        offer.sender = pid;
        offer.transition = transition;
        offer.finishes = u32::from(finishes);
        ty
    }
}

/// Notes that a sender has come to the end of its transition.
unsafe fn reach_target(runtime: *mut Runtime, ty: usize, transition: u32) {
    // SAFETY: the runtime is alive.
    unsafe {
        let process = &(*runtime).code.facts().model.processes[ty];
        let target = process.transitions[transition as usize].target;
        let reached = &mut (*runtime).reached;
        reached[ty][target as usize] = true;
    }
}

/// Adds the edges of a meeting and notes who moves on them.
unsafe fn with_partner(runtime: *mut Runtime, partner: usize, edges: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the runtime is alive, and no reference to it while `edges` runs.
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
/// The runtime must have been prepared for a draw.
pub(super) unsafe fn draw_edge(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: see above; no reference outlives a statement. Functions of locations are only called
    // with the process that they were compiled for.
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
unsafe fn count_all(runtime: *mut Runtime, source: *mut u32) -> i32 {
    // SAFETY: as for `draw_edge`. A function that only counts changes nothing.
    unsafe {
        let context: *mut Context = runtime.cast();
        (*runtime).draw.movable.clear();
        let mut total = 0;
        for pid in 0..(*runtime).processes.len() {
            let location = (*runtime).location_at(source, pid);
            if (*runtime).code.is_idle(location) {
                continue;
            }
            let function = (*runtime).code.function(Kind::Draw, location);
            let mut count = (*runtime).code.certain_steps(location) as i32;
            if count == 0 {
                let at = *(*runtime).processes.as_ptr().add(pid);
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
            total += count;
        }
        total
    }
}

/// Notes that a process can move, if fairness asks; answers whether it is looked after.
unsafe fn note_enabled(runtime: *mut Runtime, pid: usize) -> bool {
    // SAFETY: the runtime is alive.
    unsafe {
        if (*runtime).fair.processes > 0 {
            Fair::set(&mut (*runtime).fair.enabled, pid, true);
        }
        (*runtime).fair.processes == 0 || pid < (*runtime).fair.processes
    }
}

/// Takes the step of a process with a number. Who keeps control is in the runtime if somebody does.
unsafe fn take_drawn(
    runtime: *mut Runtime,
    function: StepFn,
    source: *mut u32,
    frame: u64,
    pid: u32,
    wanted: u32,
) -> i32 {
    // SAFETY: as for `draw_edge`.
    unsafe {
        let context: *mut Context = runtime.cast();
        // A meeting hands control over to the receiver.
        (*runtime).draw.frame = frame;
        (*runtime).draw.pid = pid;
        (*context).wanted = wanted;
        match function(context, source, frame, pid) {
            result @ (CONTINUE | ENDED) => result,
            _ => BAIL,
        }
    }
}

/// Follows the chain of the process that keeps control in the target at the cursor.
unsafe fn follow_drawn(runtime: *mut Runtime) -> i32 {
    // SAFETY: as for `draw_edge`.
    unsafe {
        let context: *mut Context = runtime.cast();
        (*context).timeout = 0;
        (*runtime).chains = 1;
        loop {
            (*context).internal_steps += 1;
            let state = (*context).cursor;
            (*runtime).draw.steps += 1;
            let steps = (*runtime).draw.steps;
            if (*context).internal_steps > MAX_DRAWN_STEPS {
                // Without a choice for a while, the interpreter may know that there is no end.
                return if steps > 2 { BAIL } else { GAVE_UP };
            }
            if steps >= PATIENT_STEPS {
                let mut remembered = std::mem::take(&mut (*runtime).remembered);
                let stop = (*runtime).must_stop(steps, state, &mut remembered);
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
unsafe fn draw_next(runtime: *mut Runtime, state: *mut u32, frame: u64, pid: u32) -> i32 {
    // SAFETY: as for `draw_edge`. The step is taken from a copy of the state to where it was.
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
        let before = {
            let words = (*runtime).words_at(state);
            let before = &mut (*runtime).draw.before;
            before.clear();
            before.extend_from_slice(words);
            before.resize(len.max(SLACK), 0);
            before.as_mut_ptr()
        };
        match take_drawn(runtime, function, before, frame, pid, wanted) {
            ENDED => 1,
            result => result,
        }
    }
}

/// A number below another, drawn by the dice.
unsafe extern "C" fn draw_number(context: *mut Context, count: u32) -> u32 {
    // SAFETY: the context is the beginning of a runtime, and there are dice while an edge is drawn.
    unsafe {
        if count > 1 {
            // What is watched for repetition begins anew.
            let runtime: *mut Runtime = context.cast();
            (*runtime).draw.steps = 0;
        }
        (*(*context).dice).index(count as usize) as u32
    }
}

/// Whether a loop that chooses a number goes round, if so many come after the present one: all numbers
/// are equally likely.
unsafe extern "C" fn draw_round(context: *mut Context, left: u32) -> u32 {
    // SAFETY: there are dice while an edge is drawn.
    let number = unsafe { (*(*context).dice).below(u64::from(left) + 1) };
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
    unsafe {
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
    }
}

/// Notes that a process can take part in a meeting, if that is one of the steps of a state; answers
/// whether fairness looks after it.
unsafe fn may_meet(runtime: *mut Runtime, partner: usize) -> bool {
    // SAFETY: the runtime is alive.
    unsafe {
        match (*runtime).chains {
            0 => note_enabled(runtime, partner),
            _ => (*runtime).fair.processes == 0 || partner < (*runtime).fair.processes,
        }
    }
}

/// Makes room for more edges.
unsafe extern "C" fn grow(context: *mut Context) -> i32 {
    // SAFETY: `out` is the buffer of the present expansion. What was written up to the pointers of
    // the context is within its capacity.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let out = &mut *(*runtime).out;
        let parts = out.parts();
        let words = (*context).cursor.offset_from(parts.words.as_ptr()) as usize;
        parts.words.set_len(words);
        let edges = (*context).edges.offset_from(parts.edges.as_ptr()) as usize;
        parts.edges.set_len(edges);
        if out.memory_bytes() > (*runtime).memory / 4 || (*runtime).is_restless() {
            return BAIL;
        }
        (*runtime).reserve(out);
        0
    }
}

/// All steps of a process, taken by the interpreter.
unsafe extern "C" fn slow_expand(
    context: *mut Context,
    source: *mut u32,
    _frame: u64,
    pid: u32,
) -> i32 {
    // SAFETY: as for `chain`.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        if (*context).timeout != 0 {
            return BAIL;
        }
        let first = {
            let this = &mut *runtime;
            let mut state = std::mem::take(&mut this.state);
            state.load(this.code.facts().model, this.words_at(source));
            let first = this.steps.len();
            let interpreter = this.inner.interpreter();
            interpreter.steps(&state, Some(pid), &mut this.steps);
            let model = this.code.facts().model;
            let deterministic = model.processes[state.process_type(pid as usize)].deterministic;
            this.state = state;
            let differs = |pair: &[Step]| pair[0].transition != pair[1].transition;
            if deterministic && this.steps[first..].windows(2).any(differs) {
                return BAIL;
            }
            first
        };
        let end = (*runtime).steps.len();
        let mut total = 0;
        for index in first..end {
            let step = (&(*runtime).steps)[index];
            let count = take_step(runtime, source, step);
            if count < 0 {
                return BAIL;
            }
            total += count;
        }
        (*runtime).steps.truncate(first);
        total
    }
}

/// A receive that there is no code for.
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
    // SAFETY: the context is the beginning of a runtime.
    unsafe {
        // Its chain would not be drawn.
        if !(*context).dice.is_null() {
            return BAIL;
        }
        take_step(context.cast(), source, step)
    }
}

/// A receive from the present offer, taken by the interpreter. Its caller has noted who moves.
unsafe extern "C" fn slow_receive(
    context: *mut Context,
    source: *mut u32,
    partner: u32,
    transition: u32,
) -> i32 {
    // SAFETY: the context is the beginning of a runtime.
    unsafe {
        let offer = (*context).offer;
        let step = Step {
            pid: offer.sender,
            transition: offer.transition,
            partner: Some((partner, transition)),
            timeout: (*context).timeout != 0,
        };
        take_alone(context.cast(), source, step)
    }
}

unsafe fn take_step(runtime: *mut Runtime, source: *mut u32, step: Step) -> i32 {
    // SAFETY: the runtime is alive, and `source` a state of the present width.
    unsafe {
        match step.partner {
            None => take_alone(runtime, source, step),
            Some((partner, _)) => with_partner(runtime, partner as usize, || {
                take_alone(runtime, source, step)
            }),
        }
    }
}

/// Takes a step with the interpreter, and goes on with the chain that it begins.
unsafe fn take_alone(runtime: *mut Runtime, source: *mut u32, step: Step) -> i32 {
    // SAFETY: as for `chain`. References to the runtime end before compiled code is called.
    unsafe {
        let control = {
            let this = &mut *runtime;
            let Some(control) = this.interpret(source, step) else {
                return BAIL;
            };
            let width = this.context.width as usize / 4;
            this.set_width(this.state.words().len());
            let full = this.context.cursor > this.context.limit
                || this.context.edges >= this.context.edges_end;
            if full && grow((&raw mut *this).cast()) < 0 {
                return BAIL;
            }
            this.set_width(width);
            control
        };
        let len = (*runtime).state.words().len();
        let target = (*runtime).context.cursor;
        let words = (*runtime).state.words().as_ptr();
        std::ptr::copy_nonoverlapping(words, target, len);
        let Some(pid) = control else {
            (*runtime).finish_edge(len);
            return 1;
        };
        follow(runtime, pid, len)
    }
}

/// Goes on with a chain in a target at the cursor whose processes and channels may be others than
/// those of the present state.
unsafe fn follow(runtime: *mut Runtime, pid: u32, len: usize) -> i32 {
    // SAFETY: as for `chain`; the tables are put back before anybody else looks at them.
    unsafe {
        let (processes, channels, width, frame) = {
            let this = &mut *runtime;
            let processes = std::mem::take(&mut this.processes);
            let channels = std::mem::take(&mut this.channels);
            let width = this.context.width as usize / 4;
            this.set_width(len);
            let words = slice::from_raw_parts(this.context.cursor.cast_const(), len);
            this.scan(words);
            this.point();
            let frame = u64::from(this.processes[pid as usize]);
            (processes, channels, width, frame)
        };
        let count = chain_of_receiver(runtime.cast(), frame, pid);
        let this = &mut *runtime;
        this.processes = processes;
        this.channels = channels;
        // The blocks are those of another state.
        this.scanned = usize::MAX;
        this.set_width(width);
        this.point();
        count
    }
}

/// Byte offset of a process in a state, or a negative number if there is no such process of that
/// type. Without a number it is the first of its type.
unsafe extern "C" fn find_process(
    context: *mut Context,
    state: *const u32,
    ty: u32,
    pid: i64,
) -> i64 {
    // SAFETY: the offsets are those of processes in the state.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let processes = &(*runtime).processes;
        let is_typed = |pid: &usize| {
            let location = (*runtime).location_at(state, *pid);
            (*runtime).code.location(location).0 == ty as usize
        };
        let mut all = 0..processes.len();
        let found = match usize::try_from(pid) {
            Ok(pid) => (all.contains(&pid) && is_typed(&pid)).then_some(pid),
            Err(_) if pid == i64::MIN => all.find(is_typed),
            Err(_) => None,
        };
        found.map_or(-1, |pid| i64::from(processes[pid]))
    }
}

/// Whether no process stands at a progress label.
unsafe extern "C" fn non_progress(context: *mut Context, state: *const u32) -> i32 {
    // SAFETY: the offsets are those of processes in the state.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let progress = any_stands(runtime, state, |location| location.progress);
        i32::from(!progress)
    }
}

/// Whether a process is committed.
unsafe extern "C" fn committed(context: *mut Context, state: *const u32) -> i32 {
    // SAFETY: as for `non_progress`.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        i32::from(any_stands(runtime, state, |location| location.committed))
    }
}

/// Whether a process stands at a location of some kind.
unsafe fn any_stands(
    runtime: *const Runtime,
    state: *const u32,
    is_meant: impl Fn(&Location) -> bool,
) -> bool {
    // SAFETY: the runtime is alive, and its tables are those of the state.
    unsafe {
        let model = (*runtime).code.facts().model;
        let count = (*runtime).processes.len();
        (0..count).any(|pid| {
            let number = (*runtime).location_at(state, pid);
            let (ty, location) = (*runtime).code.location(number);
            is_meant(&model.processes[ty].locations[location as usize])
        })
    }
}

/// What the sender of the present offer does after its message was taken.
unsafe extern "C" fn finish_sender(context: *mut Context, state: *mut u32) -> i32 {
    // SAFETY: the offer says where the sender is in the state, and which transition it takes. Its
    // location is that of the transition's target already.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let offer = (*context).offer;
        let code = &(*runtime).code;
        let ty = match &code.facts().placed {
            Some((placed, _)) => placed[offer.sender as usize].ty,
            None => {
                let number = (*runtime).location_at(state, offer.sender as usize);
                code.location(number).0
            }
        };
        let function = code.finisher(ty, offer.transition);
        function(context, state, offer.sender_frame, offer.sender)
    }
}

/// Whether an indivisible sequence may go on.
unsafe extern "C" fn inside_watch(context: *mut Context, state: *const u32, steps: u32) -> i32 {
    // SAFETY: the context is the beginning of a runtime.
    unsafe {
        let runtime: *mut Runtime = context.cast();
        let mut remembered = std::mem::take(&mut (*runtime).inside_remembered);
        let stop = (*runtime).must_stop(steps, state, &mut remembered);
        (*runtime).inside_remembered = remembered;
        if stop { BAIL } else { 0 }
    }
}

/// Puts a message with the fields in the context into a channel, before the first that is greater.
unsafe extern "C" fn insert_message(context: *mut Context, buffer: *mut u32, length: u32, ty: u32) {
    // SAFETY: the buffer is that of a channel of this type, with room for one more message.
    unsafe {
        let runtime: *const Runtime = context.cast_const().cast();
        let ty = &(*runtime).code.facts().model.channels[ty as usize];
        let buffer = slice::from_raw_parts_mut(buffer, ty.words());
        insert_sorted(buffer, length, ty, &(*context).message);
    }
}

/// Takes a message out of a buffer: those behind it move up, and the last slot becomes zero.
unsafe extern "C" fn remove_message(
    _: *mut Context,
    buffer: *mut u32,
    words: u32,
    stride: u32,
    slot: u32,
) {
    // SAFETY: the buffer of a channel has so many words.
    let buffer = unsafe { slice::from_raw_parts_mut(buffer, words as usize) };
    remove_bits(buffer, slot * stride, stride);
}
