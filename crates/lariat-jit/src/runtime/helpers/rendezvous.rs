//! Rendezvous: an offer of the sender, the receives that take it, and the rest of the sender's step.
#![allow(unsafe_code)]

use super::super::{BAIL, CONTINUE, Context, ENDED, Runtime};
use super::drawing::record_enabled;
use super::guard;
use crate::emit::Kind;
use crate::fair::Fair;

/// Offers a message to all other processes; returns the number of edges of their receives.
pub(super) unsafe extern "C" fn rendezvous(
    context: *mut Context,
    source: *mut u32,
    frame: u64,
    pid: u32,
    header: u32,
    transition: u32,
) -> i32 {
    // SAFETY: context, state: compiled code passes its own. Exclusive: references that are alive over calls of
    // compiled code are to the code, which does not change. Location: `location_at` gives the location of each
    // partner; those of `receivers` are processes of the layout.
    let offer = || unsafe {
        let runtime: *mut Runtime = context.cast();
        let ty = record_sender(runtime, source, frame, pid, header, transition);
        let mut total = 0i32;
        let channel = (*context).offer.channel;
        let mut offer_to = |partner: usize| {
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
            Some(receivers) => receivers.iter().all(|&partner| offer_to(partner as usize)),
            None => (0..(*runtime).processes.len()).all(offer_to),
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

/// Records the sender of the present offer, and returns the type of that process.
///
/// # Safety
///
/// As for helpers.
pub(super) unsafe fn record_sender(
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

/// Records that a sender has reached the target of its transition.
///
/// # Safety
///
/// As for helpers.
pub(super) unsafe fn reach_target(runtime: *mut Runtime, ty: usize, transition: u32) {
    // SAFETY: exclusive: no compiled code is called here.
    let runtime = unsafe { &mut *runtime };
    let process = &runtime.code.facts().model.processes[ty];
    let target = process.transitions[transition as usize].target;
    runtime.reached[ty][target as usize] = true;
}

/// Adds the edges of a rendezvous and records the processes that move on them.
///
/// # Safety
///
/// As for helpers.
pub(super) unsafe fn with_partner(
    runtime: *mut Runtime,
    partner: usize,
    edges: impl FnOnce() -> i32,
) -> i32 {
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
            if (*runtime).sequences == 0 {
                Fair::set(&mut (*runtime).fair.enabled, partner, true);
            }
        }
        count
    }
}

/// Offers a message to all other processes and counts the receives that take it; takes the one with the wanted
/// number.
pub(super) unsafe extern "C" fn draw_rendezvous(
    context: *mut Context,
    source: *mut u32,
    frame: u64,
    pid: u32,
    header: u32,
    transition: u32,
) -> i32 {
    // SAFETY: as for `rendezvous`.
    let offer = || unsafe {
        let runtime: *mut Runtime = context.cast();
        let ty = record_sender(runtime, source, frame, pid, header, transition);
        let channel = (*context).offer.channel;
        let wanted = (*context).wanted;
        let mut total = 0u32;
        // Continues with the next receiver, or stops with a result.
        let mut offer_to = |partner: usize| {
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
                count if count < 0 || !may_rendezvous(runtime, partner) => Err(BAIL),
                count => {
                    total += count as u32;
                    Ok(())
                }
            }
        };
        let answer = match (*runtime).code.receivers(channel) {
            Some(receivers) => receivers.iter().try_for_each(|&p| offer_to(p as usize)),
            None => (0..(*runtime).processes.len()).try_for_each(offer_to),
        };
        match answer {
            Ok(()) => total as i32,
            Err(result) => result,
        }
    };
    // SAFETY: as above.
    unsafe { guard(context, BAIL, offer) }
}

/// Records that a process can take part in a rendezvous, if that is one of the steps of a state; returns whether it
/// has a fairness constraint.
///
/// # Safety
///
/// As for helpers.
pub(super) unsafe fn may_rendezvous(runtime: *mut Runtime, partner: usize) -> bool {
    // SAFETY: exclusive: no reference outlives its statement, and no compiled code is called here.
    unsafe {
        match (*runtime).sequences {
            0 => record_enabled(runtime, partner),
            _ => (*runtime).fair.processes == 0 || partner < (*runtime).fair.processes,
        }
    }
}

/// Executes the rest of the sender's step after its message was received.
pub(super) unsafe extern "C" fn finish_sender(context: *mut Context, state: *mut u32) -> i32 {
    // SAFETY: context; exclusive: no reference outlives its statement. State, location: `record_sender` has recorded the
    // sender, its offset and its transition; its location is that of the transition's target already, and the
    // function was compiled for its type.
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
