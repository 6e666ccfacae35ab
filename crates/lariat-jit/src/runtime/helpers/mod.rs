//! The functions that compiled code calls.
//!
//! The invariants of [`runtime`](super) hold here as well. Functions that are not called by compiled code directly
//! have a contract in common: the runtime is alive, no reference to it is used during the call, and the states and
//! processes that they get satisfy the invariants **state** and **location**. That is the meaning of `# Safety: as
//! for helpers`.
//!
//! Each function that compiled code calls does its work inside [`guard`], which catches a panic. Its result is then
//! one that compiled code can continue with: in most cases [`BAIL`](super::BAIL).
#![allow(unsafe_code)]

mod buffers;
mod drawing;
mod expansion;
mod interpreted;
mod processes;
mod rendezvous;

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Context, Runtime, StepFn};
use crate::emit::Kind;
use buffers::{grow, insert_message, remove_message};
use drawing::{draw_number, draw_round};
use expansion::{branch, sequence, sequence_of_receiver};
use interpreted::{refuse, slow_expand, slow_receive, slow_step};
use processes::{committed, find_process, may_continue, non_progress};
use rendezvous::{draw_rendezvous, finish_sender, rendezvous};

pub(super) use drawing::draw_edge;
pub(super) use expansion::run_all;

/// The functions that compiled code calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    Sequence,
    SequenceOfReceiver,
    Branch,
    Rendezvous,
    DrawRendezvous,
    DrawNumber,
    DrawRound,
    Grow,
    SlowStep,
    SlowReceive,
    FindProcess,
    NonProgress,
    MayContinue,
    RemoveMessage,
    FinishSender,
    Committed,
    InsertMessage,
}

impl Helper {
    pub(crate) fn address(self) -> usize {
        match self {
            Helper::Sequence => sequence as *const () as usize,
            Helper::SequenceOfReceiver => sequence_of_receiver as *const () as usize,
            Helper::Branch => branch as *const () as usize,
            Helper::Rendezvous => rendezvous as *const () as usize,
            Helper::DrawRendezvous => draw_rendezvous as *const () as usize,
            Helper::DrawNumber => draw_number as *const () as usize,
            Helper::DrawRound => draw_round as *const () as usize,
            Helper::Grow => grow as *const () as usize,
            Helper::SlowStep => slow_step as *const () as usize,
            Helper::SlowReceive => slow_receive as *const () as usize,
            Helper::FindProcess => find_process as *const () as usize,
            Helper::NonProgress => non_progress as *const () as usize,
            Helper::MayContinue => may_continue as *const () as usize,
            Helper::RemoveMessage => remove_message as *const () as usize,
            Helper::InsertMessage => insert_message as *const () as usize,
            Helper::FinishSender => finish_sender as *const () as usize,
            Helper::Committed => committed as *const () as usize,
        }
    }
}

/// The function of a location that is not compiled.
pub(crate) fn slow_function(kind: Kind) -> StepFn {
    match kind {
        Kind::Expand => slow_expand,
        Kind::Sequence => branch,
        _ => refuse,
    }
}

/// The function of a location that no process can reach.
pub(crate) const NO_FUNCTION: StepFn = refuse;

/// Does the work of a helper. If it panics, the panic is kept for the caller of the expansion, and the result is
/// `otherwise`.
///
/// # Safety
///
/// The context is that of a runtime, and `work` satisfies the contract of this module.
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
                // One panic is enough, and dropping the other could panic again.
                Some(_) => std::mem::forget(panic),
            }
            otherwise
        }
    }
}
