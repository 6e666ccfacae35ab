//! Targets and edges: the beginning and the end of a step.
//!
//! A step copies the state to the end of the buffer of edges, and executes the effect in place. If the process keeps
//! control and only one step can follow, the code of that step follows immediately.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use lariat_ir::expr::Expr;
use lariat_ir::model::Action;

use super::{Emitter, Kind, MEMORY, NotCompiled, Val};
use crate::runtime::{Helper, field};

/// The bytes of a piece in which states are copied.
const PIECE: i64 = 32;

/// States of at most so many bytes are copied without a loop. Code for more would take long to write, and much memory.
const MAX_UNROLLED: usize = 2048;

/// The largest number of steps of an atomic sequence that are generated inline.
const MAX_FUSED: u64 = 24;

impl Emitter<'_, '_, '_> {
    /// Ends a step, and the edge as well unless the process keeps control. Returns the number of edges.
    pub(super) fn end_step(&mut self, index: u32, width: Value) -> Result<Value, NotCompiled> {
        let frame = self.frame.ok_or(NotCompiled)?;
        if matches!(self.transition(index).action, Action::Terminate) {
            // All words from the process on are removed.
            self.record_last()?;
            self.forget();
            self.finish_edge(frame);
            return Ok(self.iconst(1));
        }
        if self.leave_step(index)? {
            let helper = match self.kind {
                Kind::Offer => Helper::SequenceOfReceiver,
                _ => Helper::Sequence,
            };
            let pid = self.pid.ok_or(NotCompiled)?;
            return Ok(self.call_for_count(helper, &[frame, pid]));
        }
        self.finish_edge(width);
        Ok(self.iconst(1))
    }

    /// Ends a step. If the process keeps control, takes the following steps as long as they are uniquely determined.
    /// Returns whether the process still has control after that.
    pub(super) fn leave_step(&mut self, index: u32) -> Result<bool, NotCompiled> {
        let timeout = self.timeout;
        let mut index = index;
        let mut fused = 0;
        let keeps_control = loop {
            let transition = self.transition(index);
            self.arrive(transition.target);
            self.record_last()?;
            // Hidden variables are reset at the end of every step, whichever process moves next.
            if !transition.atomic {
                self.forget();
            }
            if !transition.atomic && !transition.merged {
                break false;
            }
            match self.certain_step(transition.target) {
                Some(next) if fused < MAX_FUSED => {
                    // Only the first step of an atomic sequence can be enabled by a timeout.
                    self.timeout = None;
                    self.perform(next, false)?;
                    index = next;
                    fused += 1;
                }
                _ => break true,
            }
        };
        self.timeout = timeout;
        if fused > 0 {
            let steps = self.context_field(types::I64, field::INTERNAL_STEPS);
            let steps = self.b.ins().iadd_imm_s(steps, fused as i64);
            self.set_context_field(field::INTERNAL_STEPS, steps);
        }
        Ok(keeps_control)
    }

    /// The only step of a process at a location, if there is exactly one.
    fn certain_step(&self, location: u32) -> Option<u32> {
        let &[index] = &self.location(location).transitions[..] else {
            return None;
        };
        let certain = match &self.transition(index).action {
            Action::Guarded {
                condition: Expr::Const(value),
                ..
            } => *value != 0,
            Action::Else => true,
            _ => false,
        };
        (certain && !self.is_hard_step(index)).then_some(index)
    }

    /// The value in a state for a process at a location.
    pub(super) fn header_of(&self, location: u32) -> i32 {
        (self.shape().tag | location) as i32
    }

    /// Sets the location of the process.
    pub(super) fn move_to(&mut self, location: u32) {
        let header = self.header_of(location);
        let header = self.iconst(header);
        if let Some(frame) = self.frame_at {
            self.store_count(self.shape(), header, frame, self.frame_byte);
        }
    }

    /// The process has reached a location: variables that are dead there are cleared.
    pub(super) fn arrive(&mut self, location: u32) {
        self.move_to(location);
        let body = self.frame_byte + self.shape().body;
        for &(word, mask) in &self.location(location).dead {
            let (Some(frame), byte) = (self.frame_at, body + 4 * word as i32) else {
                break;
            };
            let kept = match mask {
                u32::MAX => self.iconst(0),
                _ => {
                    let old = self.b.ins().load(types::I32, MEMORY, frame, byte);
                    (self.b.ins()).band_imm_s(old, i64::from(!mask as i32))
                }
            };
            self.b.ins().store(MEMORY, kept, frame, byte);
        }
        let rows = self.context_field(types::I64, field::REACHED);
        let row = (self.b.ins()).load(types::I64, MEMORY, rows, 8 * self.process as i32);
        let one = self.iconst(1);
        self.b.ins().istore8(MEMORY, one, row, location as i32);
    }

    /// Records the process that moved last, if the model reads it.
    pub(super) fn record_last(&mut self) -> Result<(), NotCompiled> {
        match (&self.facts.model.last, self.pid) {
            (Some(place), Some(pid)) => self.assign(place, Val::Dyn(pid)),
            _ => Ok(()),
        }
    }

    /// Resets hidden variables to their initial values.
    pub(super) fn forget(&mut self) {
        for &(word, mask, value) in &self.facts.hidden {
            let byte = 4 * word as i32;
            let old = self.b.ins().load(types::I32, MEMORY, self.state, byte);
            let others = self.iconst(!mask as i32);
            let kept = self.b.ins().band(old, others);
            let value = self.iconst(value as i32);
            let new = self.b.ins().bor(kept, value);
            self.b.ins().store(MEMORY, new, self.state, byte);
        }
    }

    /// Copies the present state to the end of the buffer of edges. Returns its address.
    pub(super) fn new_target(&mut self) -> Value {
        let cursor = self.context_field(types::I64, field::CURSOR);
        let limit = self.context_field(types::I64, field::LIMIT);
        let edges = self.context_field(types::I64, field::EDGES);
        let edges_end = self.context_field(types::I64, field::EDGES_END);
        let room = (self.b.ins()).icmp(IntCC::UnsignedLessThanOrEqual, cursor, limit);
        let edge = (self.b.ins()).icmp(IntCC::UnsignedLessThan, edges, edges_end);
        let both = self.b.ins().band(room, edge);
        let (grow, copy) = (self.b.create_block(), self.b.create_block());
        let target = self.b.append_block_param(copy, types::I64);
        let there = [cursor.into()];
        self.b.ins().brif(both, copy, &there, grow, &[]);
        self.b.switch_to_block(grow);
        self.b.set_cold_block(grow);
        self.call_for_count(Helper::Grow, &[]);
        let cursor = self.context_field(types::I64, field::CURSOR);
        self.jump_with(copy, cursor);
        self.b.switch_to_block(copy);
        self.copy(self.state, target);
        target
    }

    /// Copies a state in pieces; the last one may overlap the one before it.
    fn copy(&mut self, from: Value, to: Value) {
        let bytes = self.facts.placed.as_ref().map(|(_, words)| words * 4);
        if let Some(bytes) = bytes.filter(|&bytes| bytes <= MAX_UNROLLED) {
            return self.copy_known(from, to, bytes as i32);
        }
        let last = self.context_field(types::I64, field::LAST_PIECE);
        let (head, body, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let at = self.b.append_block_param(head, types::I64);
        let zero = self.b.ins().iconst(types::I64, 0);
        self.jump_with(head, zero);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, at, last);
        self.b.ins().brif(more, body, &[], done, &[]);
        self.b.switch_to_block(body);
        self.copy_piece(from, to, at);
        let next = self.b.ins().iadd_imm_s(at, PIECE);
        self.jump_with(head, next);
        self.b.switch_to_block(done);
        self.copy_piece(from, to, last);
    }

    /// Copies a state whose size is known.
    fn copy_known(&mut self, from: Value, to: Value, bytes: i32) {
        let last = (bytes - 16).max(0);
        let mut at = 0;
        loop {
            let at_last = at.min(last);
            let piece = (self.b.ins()).load(types::I8X16, MEMORY, from, at_last);
            self.b.ins().store(MEMORY, piece, to, at_last);
            at += 16;
            if at >= bytes {
                break;
            }
        }
    }

    fn copy_piece(&mut self, from: Value, to: Value, at: Value) {
        let source = self.b.ins().iadd(from, at);
        let target = self.b.ins().iadd(to, at);
        let pieces = [0, 16].map(|byte| self.b.ins().load(types::I8X16, MEMORY, source, byte));
        for (piece, byte) in pieces.into_iter().zip([0, 16]) {
            self.b.ins().store(MEMORY, piece, target, byte);
        }
    }

    /// Makes the present state, of `width` bytes, the target of an edge.
    pub(super) fn finish_edge(&mut self, width: Value) {
        let cursor = self.b.ins().iadd(self.state, width);
        self.set_context_field(field::CURSOR, cursor);
        let words = self.context_field(types::I64, field::WORDS);
        let end = self.b.ins().isub(cursor, words);
        let end = self.b.ins().ushr_imm_s(end, 2);
        let edge = self.context_field(types::I64, field::EDGES);
        self.b.ins().store(MEMORY, end, edge, field::EDGE_END);
        let label = self.context_field(types::I32, field::LABEL);
        self.b.ins().store(MEMORY, label, edge, field::EDGE_LABEL);
        let label = self.b.ins().iadd_imm_s(label, 1);
        self.set_context_field(field::LABEL, label);
        let next = self.b.ins().iadd_imm_s(edge, field::EDGE_SIZE);
        self.set_context_field(field::EDGES, next);
    }
}
