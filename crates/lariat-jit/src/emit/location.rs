//! The functions of a location: its steps, the next step of an atomic sequence, and receives from an offer.
//!
//! The functions that draw evaluate the same conditions in the same order as those that take all steps, but they only
//! count, and take only the step with the wanted number. Where a process chooses a number in a loop, the dice decide
//! once more between the two steps of the loop.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::Variable;
use lariat_ir::expr::Expr;
use lariat_ir::model::{Action, Select};

use super::channel::Channel;
use super::{Emitter, Kind, NotCompiled, Val};
use crate::facts::Shape;
use crate::runtime::{CONTINUE, ENDED, Helper, MAX_FIELDS, field};

/// The largest number of expression nodes of a location that is compiled: compile time grows faster than the size of
/// the function.
const MAX_NODES: usize = 3000;

impl<'m> Emitter<'_, '_, 'm> {
    /// Compiles the function of a location.
    pub(crate) fn location_function(
        mut self,
        location: u32,
        config: TargetFrontendConfig,
    ) -> Result<(), NotCompiled> {
        let process = self.process_type();
        if process.provided.is_some() || self.facts.model.priorities {
            return Err(NotCompiled);
        }
        if self.weight(location) > MAX_NODES {
            return Err(NotCompiled);
        }
        let list = &self.location(location).transitions;
        let ranks = list.iter().map(|&t| self.transition(t).rank);
        if !ranks.is_sorted_by(|a, b| a >= b) {
            return Err(NotCompiled);
        }
        if self.facts.has_committed {
            // An atomic sequence that other processes may block is treated as a choice.
            if self.kind == Kind::Sequence {
                return Err(NotCompiled);
            }
            self.respect_committed(location);
        }
        match self.kind {
            Kind::Expand | Kind::Draw => self.expand(location)?,
            Kind::Sequence => self.sequence(location)?,
            Kind::Offer | Kind::DrawOffer => self.offer(list)?,
            Kind::Finish => return Err(NotCompiled),
        }
        self.finish_function(config);
        Ok(())
    }

    /// Compiles the function for the rest of a sender's step after its message was received.
    pub(crate) fn finish_sender(
        mut self,
        index: u32,
        config: TargetFrontendConfig,
    ) -> Result<(), NotCompiled> {
        if self.is_hard_step(index) {
            return Err(NotCompiled);
        }
        let transition = self.transition(index);
        self.effects(transition.action.effects())?;
        self.arrive(transition.target);
        let done = self.iconst(0);
        self.b.ins().return_(&[done]);
        self.finish_function(config);
        Ok(())
    }

    /// Returns if only committed processes may move, and this one is not.
    fn respect_committed(&mut self, location: u32) {
        if self.location(location).committed {
            return;
        }
        let state = self.state;
        let found = self.call(Helper::Committed, &[state], Some(types::I32));
        let (none, go_on) = (self.b.create_block(), self.b.create_block());
        let found = found.unwrap_or(state);
        self.b.ins().brif(found, none, &[], go_on, &[]);
        self.b.switch_to_block(none);
        let zero = self.iconst(0);
        self.b.ins().return_(&[zero]);
        self.b.switch_to_block(go_on);
    }

    /// Compiles a function that evaluates a condition.
    pub(crate) fn condition_function(
        mut self,
        e: &Expr,
        config: TargetFrontendConfig,
    ) -> Result<(), NotCompiled> {
        let mut nodes = 0;
        e.walk(&mut |_| nodes += 1);
        if nodes > MAX_NODES {
            return Err(NotCompiled);
        }
        let (yes, no) = (self.b.create_block(), self.b.create_block());
        self.condition(e, yes, no)?;
        for (block, value) in [(yes, 1), (no, 0)] {
            self.b.switch_to_block(block);
            let value = self.iconst(value);
            self.b.ins().return_(&[value]);
        }
        self.finish_function(config);
        Ok(())
    }

    /// The size of a location in expression nodes.
    fn weight(&self, location: u32) -> usize {
        let mut nodes = 0;
        for &index in &self.location(location).transitions {
            nodes += 4;
            let transition = self.transition(index);
            transition.action.walk(&mut |_| nodes += 1);
            if let Action::Indivisible { entry } = transition.action {
                for inner in self.inside(entry) {
                    let action = &self.transition(inner).action;
                    nodes += 4;
                    action.walk(&mut |_| nodes += 1);
                }
            }
        }
        nodes
    }

    /// All steps from the present state, or the wanted one.
    fn expand(&mut self, location: u32) -> Result<(), NotCompiled> {
        let list = &self.location(location).transitions;
        let select = match self.kind {
            Kind::Draw => self.select(location)?,
            _ => None,
        };
        let count = self.new_counter();
        let done = self.b.create_block();
        let deterministic = self.process_type().deterministic;
        let mut rank = None;
        for &index in list {
            let transition = self.transition(index);
            if rank
                .replace(transition.rank)
                .is_some_and(|r| r > transition.rank)
            {
                self.stop_if_counted(count, done);
            }
            if let Some(select) = select.filter(|select| select.leave == index) {
                self.want_number(select, count)?;
            }
            let before = deterministic.then(|| self.b.use_var(count));
            let next = self.b.create_block();
            match &transition.action {
                Action::Send {
                    condition,
                    channel,
                    values,
                    ..
                } if self.may_rendezvous(channel) => {
                    self.require(condition, next)?;
                    let channel = self.channel(channel)?;
                    self.each_type(&channel, |this, ty| {
                        if this.facts.model.channels[ty].capacity == 0 {
                            this.rendezvous(&channel, ty, values, index, count)?;
                        } else {
                            this.ready_step(index, count, next)?;
                        }
                        this.b.ins().jump(next, &[]);
                        Ok(())
                    })?;
                }
                Action::Else => {
                    let yes = self.b.create_block();
                    let counted = self.b.use_var(count);
                    self.b.ins().brif(counted, next, &[], yes, &[]);
                    self.b.switch_to_block(yes);
                    self.take_step(index, count)?;
                    self.b.ins().jump(next, &[]);
                }
                _ => {
                    self.ready_step(index, count, next)?;
                    self.b.ins().jump(next, &[]);
                }
            }
            self.b.switch_to_block(next);
            if let Some(before) = before {
                self.bail_if_second(before, count);
            }
        }
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        let count = self.b.use_var(count);
        self.b.ins().return_(&[count]);
        Ok(())
    }

    /// The loop at a location that chooses a number. Its two steps must be consecutive with equal rank, so that their
    /// numbers are consecutive.
    fn select(&self, location: u32) -> Result<Option<&'m Select>, NotCompiled> {
        let location = self.location(location);
        let Some(select) = location.select.as_deref() else {
            return Ok(None);
        };
        let mut pairs = location.transitions.windows(2);
        let neighbours = pairs.any(|pair| pair == [select.leave, select.round]);
        let rank = |index| self.transition(index).rank;
        let plain = |index| matches!(self.transition(index).action, Action::Guarded { .. });
        let equal = rank(select.leave) == rank(select.round);
        match neighbours && equal && plain(select.leave) && plain(select.round) {
            true => Ok(Some(select)),
            false => Err(NotCompiled),
        }
    }

    /// Before the first of the two steps of a loop that chooses a number: if one of them is wanted and both are
    /// enabled, the dice decide again which of them is taken.
    fn want_number(&mut self, select: &Select, count: Variable) -> Result<(), NotCompiled> {
        let wanted = self.wanted.ok_or(NotCompiled)?;
        let first = self.b.use_var(count);
        let join = self.b.create_block();
        let chosen = self.b.append_block_param(join, types::I32);
        let same = self.b.create_block();
        let ours = self.is_next_or_second(wanted, first, same);
        self.b.switch_to_block(ours);
        for index in [select.leave, select.round] {
            let yes = self.b.create_block();
            self.ready(index, yes, same)?;
            self.b.switch_to_block(yes);
        }
        self.draw_of_select(select, first, join, same)?;
        self.b.switch_to_block(same);
        self.jump_with(join, wanted);
        self.b.switch_to_block(join);
        self.wanted = Some(chosen);
        Ok(())
    }

    /// Jumps to `other` unless a number is `first` or the one after it; returns the block for these.
    fn is_next_or_second(&mut self, number: Value, first: Value, other: Block) -> Block {
        let ours = self.b.create_block();
        let distance = self.b.ins().isub(number, first);
        let near = (self.b.ins()).icmp_imm_s(IntCC::UnsignedLessThan, distance, 2);
        self.b.ins().brif(near, ours, &[], other, &[]);
        ours
    }

    /// Asks the dice whether to leave a loop that chooses a number, and jumps to `join` with `first` if so, with the
    /// number after it if not; or to `other` if no number is left to choose.
    fn draw_of_select(
        &mut self,
        select: &Select,
        first: Value,
        join: Block,
        other: Block,
    ) -> Result<(), NotCompiled> {
        let value = self.value(&select.value)?;
        let value = self.value_of(value);
        let last = self.value(&select.last)?;
        let last = self.value_of(last);
        let draw = self.b.create_block();
        let fine = (self.b.ins()).icmp(IntCC::SignedLessThanOrEqual, value, last);
        self.b.ins().brif(fine, draw, &[], other, &[]);
        self.b.switch_to_block(draw);
        let left = self.b.ins().isub(last, value);
        let round = self.call(Helper::DrawRound, &[left], Some(types::I32));
        let chosen = self.b.ins().iadd(first, round.ok_or(NotCompiled)?);
        self.jump_with(join, chosen);
        Ok(())
    }

    fn new_counter(&mut self) -> Variable {
        let count = self.b.declare_var(types::I32);
        let zero = self.iconst(0);
        self.b.def_var(count, zero);
        count
    }

    fn add(&mut self, count: Variable, more: Value) {
        let sum = self.b.use_var(count);
        let sum = self.b.ins().iadd(sum, more);
        self.b.def_var(count, sum);
    }

    /// A taken step pre-empts steps of lower rank.
    fn stop_if_counted(&mut self, count: Variable, done: Block) {
        let go_on = self.b.create_block();
        let counted = self.b.use_var(count);
        self.b.ins().brif(counted, done, &[], go_on, &[]);
        self.b.switch_to_block(go_on);
    }

    /// A process that must be deterministic had a choice: bails out, and the interpreter reports it.
    fn bail_if_second(&mut self, before: Value, count: Variable) {
        let after = self.b.use_var(count);
        let same = self.b.ins().icmp(IntCC::Equal, before, after);
        let first = self.b.ins().icmp_imm_s(IntCC::Equal, before, 0);
        let fine = self.b.ins().bor(same, first);
        self.bail_unless(fine);
    }

    /// Takes a step if it is enabled, and jumps to `next` if it is not.
    fn ready_step(&mut self, index: u32, count: Variable, next: Block) -> Result<(), NotCompiled> {
        let yes = self.b.create_block();
        self.ready(index, yes, next)?;
        self.b.switch_to_block(yes);
        self.take_step(index, count)
    }

    /// Takes a step in a copy of the present state.
    fn take_step(&mut self, index: u32, count: Variable) -> Result<(), NotCompiled> {
        if self.kind == Kind::Draw {
            return self.take_if_wanted(index, count, |this| {
                let target = this.new_target();
                this.look_at(target);
                this.perform(index, false)
            });
        }
        if self.is_hard_step(index) {
            let more = self.slow_step(index);
            self.add(count, more);
            return Ok(());
        }
        let source = (self.state, self.frame_at);
        let width = self.context_field(types::I64, field::WIDTH);
        let target = self.new_target();
        self.look_at(target);
        self.perform(index, false)?;
        let more = self.end_step(index, width)?;
        (self.state, self.frame_at) = source;
        self.add(count, more);
        Ok(())
    }

    /// Takes an enabled step and returns, if it is the wanted one; else counts it. `take` executes the step in a copy
    /// of the state.
    fn take_if_wanted(
        &mut self,
        index: u32,
        count: Variable,
        take: impl FnOnce(&mut Self) -> Result<(), NotCompiled>,
    ) -> Result<(), NotCompiled> {
        if self.is_hard_step(index) {
            return self.bail_if_wanted(count);
        }
        let (yes, other) = (self.b.create_block(), self.b.create_block());
        let this = self.is_wanted(count)?;
        self.b.ins().brif(this, yes, &[], other, &[]);
        self.b.switch_to_block(yes);
        let source = (self.state, self.frame_at);
        take(self)?;
        self.return_after(index)?;
        (self.state, self.frame_at) = source;
        self.b.switch_to_block(other);
        self.add_one(count);
        Ok(())
    }

    /// Lets the interpreter take an enabled step, if it is the wanted one; else counts it.
    fn bail_if_wanted(&mut self, count: Variable) -> Result<(), NotCompiled> {
        let other = self.b.create_block();
        let this = self.is_wanted(count)?;
        self.b.ins().brif(this, self.bail, &[], other, &[]);
        self.b.switch_to_block(other);
        self.add_one(count);
        Ok(())
    }

    /// Whether the next step is the wanted one.
    fn is_wanted(&mut self, count: Variable) -> Result<Value, NotCompiled> {
        let counted = self.b.use_var(count);
        let wanted = self.wanted.ok_or(NotCompiled)?;
        Ok(self.b.ins().icmp(IntCC::Equal, counted, wanted))
    }

    fn add_one(&mut self, count: Variable) {
        let one = self.iconst(1);
        self.add(count, one);
    }

    /// A step that the interpreter takes.
    fn slow_step(&mut self, index: u32) -> Value {
        let index = self.iconst(index as i32);
        let timeout = match self.timeout {
            Some(timeout) => timeout,
            None => self.iconst(0),
        };
        let (state, pid) = (self.state, self.pid.unwrap_or(index));
        self.call_for_count(Helper::SlowStep, &[state, pid, index, timeout])
    }

    /// Offers a message to all other processes.
    fn rendezvous(
        &mut self,
        channel: &Channel,
        ty: usize,
        values: &[Expr],
        index: u32,
        count: Variable,
    ) -> Result<(), NotCompiled> {
        let fields = &self.facts.model.channels[ty].fields;
        if self.facts.model.monitor.is_some() || fields.len() > MAX_FIELDS {
            return Err(NotCompiled);
        }
        if values.len() != fields.len() {
            self.always_bail();
            return Ok(());
        }
        let exprs = values;
        let values = self.message(exprs)?;
        self.check_message(fields, exprs, &values);
        self.make_offer(channel, fields, &values);
        let header = self.header_of(self.transition(index).target);
        let header = self.iconst(header);
        let index = self.iconst(index as i32);
        let (state, frame) = (self.state, self.frame.ok_or(NotCompiled)?);
        let pid = self.pid.ok_or(NotCompiled)?;
        let arguments = [state, frame, pid, header, index];
        let more = match self.kind {
            Kind::Draw => self.draw_rendezvous(&arguments, count)?,
            _ => self.call_for_count(Helper::Rendezvous, &arguments),
        };
        self.add(count, more);
        Ok(())
    }

    /// Counts the rendezvous of an offer. If the wanted one is among them, it has been taken, and the function
    /// returns.
    fn draw_rendezvous(
        &mut self,
        arguments: &[Value],
        count: Variable,
    ) -> Result<Value, NotCompiled> {
        let counted = self.b.use_var(count);
        let wanted = self.wanted.ok_or(NotCompiled)?;
        let left = self.b.ins().isub(wanted, counted);
        self.set_context_field(field::WANTED, left);
        let more = self.call(Helper::DrawRendezvous, arguments, Some(types::I32));
        let more = more.ok_or(NotCompiled)?;
        let (met, go_on) = (self.b.create_block(), self.b.create_block());
        let counts = (self.b.ins()).icmp_imm_s(IntCC::SignedGreaterThanOrEqual, more, 0);
        self.b.ins().brif(counts, go_on, &[], met, &[]);
        self.b.switch_to_block(met);
        self.b.ins().return_(&[more]);
        self.b.switch_to_block(go_on);
        Ok(more)
    }

    /// The next step of the process that has control.
    fn sequence(&mut self, location: u32) -> Result<(), NotCompiled> {
        let list = &self.location(location).transitions[..];
        let meets = list.iter().any(|&t| match &self.transition(t).action {
            Action::Send { channel, .. } => self.may_rendezvous(channel),
            _ => false,
        });
        if meets {
            return self.branch_out();
        }
        let blocked = self.b.create_block();
        match list {
            [] => {
                self.b.ins().jump(blocked, &[]);
            }
            [index] => {
                let yes = self.b.create_block();
                match self.transition(*index).action {
                    Action::Else => {
                        self.b.ins().jump(yes, &[]);
                    }
                    _ => self.ready(*index, yes, blocked)?,
                }
                self.b.switch_to_block(yes);
                self.step_in_place(*index)?;
            }
            _ => self.choose(location, blocked)?,
        }
        self.b.switch_to_block(blocked);
        self.end_sequence();
        Ok(())
    }

    /// Counts the enabled steps: with none the process is blocked, one is taken in place, several are a choice, which
    /// the dice decide if there are any.
    fn choose(&mut self, location: u32, blocked: Block) -> Result<(), NotCompiled> {
        let list = &self.location(location).transitions;
        let mut flags: Vec<Value> = Vec::new();
        let mut count = self.iconst(0);
        let mut rank = (u32::MAX, count);
        for &index in list {
            let transition = self.transition(index);
            if transition.rank < rank.0 {
                rank = (transition.rank, count);
            }
            let (yes, no, join) = (
                self.b.create_block(),
                self.b.create_block(),
                self.b.create_block(),
            );
            let flag = self.b.append_block_param(join, types::I32);
            match transition.action {
                Action::Else => {
                    self.b.ins().brif(count, no, &[], yes, &[]);
                }
                _ => self.ready(index, yes, no)?,
            }
            self.b.switch_to_block(yes);
            // A step of higher rank that was taken before pre-empts it.
            let free = self.b.ins().icmp_imm_s(IntCC::Equal, rank.1, 0);
            let free = self.b.ins().uextend(types::I32, free);
            self.jump_with(join, free);
            self.b.switch_to_block(no);
            let zero = self.iconst(0);
            self.jump_with(join, zero);
            self.b.switch_to_block(join);
            count = self.b.ins().iadd(count, flag);
            flags.push(flag);
        }
        let (some, one, many) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let mut wanted = self.b.append_block_param(one, types::I32);
        self.b.ins().brif(count, some, &[], blocked, &[]);
        self.b.switch_to_block(some);
        let single = self.b.ins().icmp_imm_s(IntCC::Equal, count, 1);
        let zero = self.iconst(0);
        self.b.ins().brif(single, one, &[zero.into()], many, &[]);
        self.b.switch_to_block(many);
        self.draw_or_branch_out(location, count, &flags, one)?;
        self.b.switch_to_block(one);
        for (&index, flag) in list.iter().zip(flags) {
            let (this, next) = (self.b.create_block(), self.b.create_block());
            let first = self.b.ins().icmp_imm_s(IntCC::Equal, wanted, 0);
            let first = self.b.ins().uextend(types::I32, first);
            let is_wanted = self.b.ins().band(flag, first);
            self.b.ins().brif(is_wanted, this, &[], next, &[]);
            self.b.switch_to_block(this);
            self.step_in_place(index)?;
            self.b.switch_to_block(next);
            wanted = self.b.ins().isub(wanted, flag);
        }
        self.b.ins().jump(self.bail, &[]);
        Ok(())
    }

    /// Continues with one of several steps if there are dice, else leaves the choice to the runtime; also if there
    /// must be no choice, which the function for all steps detects.
    fn draw_or_branch_out(
        &mut self,
        location: u32,
        count: Value,
        flags: &[Value],
        one: Block,
    ) -> Result<(), NotCompiled> {
        // If the numbers of a loop cannot be drawn here, the drawing function cannot be compiled either, and the
        // runtime calls the interpreter.
        let select = self.select(location);
        if self.process_type().deterministic || select.is_err() {
            return self.branch_out();
        }
        let (draw, branch) = (self.b.create_block(), self.b.create_block());
        let dice = self.context_field(types::I64, field::DICE);
        self.b.ins().brif(dice, draw, &[], branch, &[]);
        self.b.switch_to_block(draw);
        let wanted = self.call(Helper::DrawNumber, &[count], Some(types::I32));
        let wanted = wanted.ok_or(NotCompiled)?;
        if let Some(select) = select? {
            let list = &self.location(location).transitions;
            self.choose_number(select, list, flags, wanted, one)?;
        }
        self.jump_with(one, wanted);
        self.b.switch_to_block(branch);
        self.branch_out()
    }

    /// If a step of a loop that chooses a number is wanted and both are enabled, the dice decide again which of them
    /// is taken, and the function continues with that one.
    fn choose_number(
        &mut self,
        select: &Select,
        list: &[u32],
        flags: &[Value],
        wanted: Value,
        one: Block,
    ) -> Result<(), NotCompiled> {
        let at = list.iter().position(|&index| index == select.leave);
        let at = at.filter(|at| at + 1 < flags.len()).ok_or(NotCompiled)?;
        let mut first = self.iconst(0);
        for &flag in &flags[..at] {
            first = self.b.ins().iadd(first, flag);
        }
        let (both, same) = (self.b.create_block(), self.b.create_block());
        let ready = self.b.ins().band(flags[at], flags[at + 1]);
        self.b.ins().brif(ready, both, &[], same, &[]);
        self.b.switch_to_block(both);
        let ours = self.is_next_or_second(wanted, first, same);
        self.b.switch_to_block(ours);
        self.draw_of_select(select, first, one, same)?;
        self.b.switch_to_block(same);
        Ok(())
    }

    /// Leaves a choice to the runtime, which calls the function for all steps.
    fn branch_out(&mut self) -> Result<(), NotCompiled> {
        let (state, frame) = (self.state, self.frame.ok_or(NotCompiled)?);
        let pid = self.pid.ok_or(NotCompiled)?;
        let arguments = [state, frame, pid];
        let count = self.call(Helper::Branch, &arguments, Some(types::I32));
        self.b.ins().return_(&[count.ok_or(NotCompiled)?]);
        Ok(())
    }

    /// Takes a step in the present state and returns.
    fn step_in_place(&mut self, index: u32) -> Result<(), NotCompiled> {
        if self.is_hard_step(index) {
            let count = self.slow_step(index);
            self.b.ins().return_(&[count]);
            return Ok(());
        }
        self.perform(index, false)?;
        self.return_after(index)
    }

    /// Ends a step of the target at the cursor and returns: the edge ends as well unless the process keeps control.
    fn return_after(&mut self, index: u32) -> Result<(), NotCompiled> {
        if matches!(self.transition(index).action, Action::Terminate) || !self.leave_step(index)? {
            let width = match self.transition(index).action {
                Action::Terminate => {
                    self.record_last()?;
                    self.forget();
                    self.frame.ok_or(NotCompiled)?
                }
                _ => self.context_field(types::I64, field::WIDTH),
            };
            self.finish_edge(width);
            let ended = self.iconst(match self.wanted {
                Some(_) => ENDED,
                None => 1,
            });
            self.b.ins().return_(&[ended]);
            return Ok(());
        }
        let go_on = self.iconst(CONTINUE);
        self.b.ins().return_(&[go_on]);
        Ok(())
    }

    /// The process is blocked: it loses control, and the edge ends.
    fn end_sequence(&mut self) {
        let width = self.context_field(types::I64, field::WIDTH);
        self.forget();
        self.finish_edge(width);
        let one = self.iconst(1);
        self.b.ins().return_(&[one]);
    }

    /// All receives that take the message on offer, or the wanted one.
    fn offer(&mut self, list: &[u32]) -> Result<(), NotCompiled> {
        let count = self.new_counter();
        let done = self.b.create_block();
        let mut rank = None;
        for &index in list {
            let transition = self.transition(index);
            if rank
                .replace(transition.rank)
                .is_some_and(|r| r > transition.rank)
            {
                self.stop_if_counted(count, done);
            }
            let (yes, next) = (self.b.create_block(), self.b.create_block());
            match &transition.action {
                Action::Receive { .. } => {
                    self.accepts(index, yes, next)?;
                    self.b.switch_to_block(yes);
                    self.receive_offer(index, count)?;
                }
                Action::Indivisible { entry } => {
                    for &inner in &self.location(*entry).transitions {
                        let other = self.b.create_block();
                        match &self.transition(inner).action {
                            Action::Receive { .. } => self.accepts(inner, yes, other)?,
                            Action::Indivisible { .. } => return Err(NotCompiled),
                            _ => {
                                self.b.ins().jump(other, &[]);
                            }
                        }
                        self.b.switch_to_block(other);
                    }
                    self.b.ins().jump(next, &[]);
                    self.b.switch_to_block(yes);
                    self.receive_slowly(index, count)?;
                }
                _ => {
                    self.b.ins().jump(next, &[]);
                    self.b.switch_to_block(yes);
                }
            }
            self.b.ins().jump(next, &[]);
            self.b.switch_to_block(next);
        }
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        let count = self.b.use_var(count);
        self.b.ins().return_(&[count]);
        Ok(())
    }

    /// Whether a receive takes the message on offer.
    fn accepts(&mut self, index: u32, yes: Block, no: Block) -> Result<(), NotCompiled> {
        let Action::Receive {
            condition,
            channel,
            pattern,
            peek,
            ..
        } = &self.transition(index).action
        else {
            return Err(NotCompiled);
        };
        if *peek || !self.may_rendezvous(channel) {
            self.b.ins().jump(no, &[]);
            return Ok(());
        }
        let channel = self.channel(channel)?;
        let same = self.b.create_block();
        let offered = self.is_offered(&channel);
        self.branch(offered, same, no);
        self.b.switch_to_block(same);
        self.require(condition, no)?;
        self.each_type(&channel, |this, ty| {
            let ty = &this.facts.model.channels[ty];
            if ty.capacity > 0 {
                this.b.ins().jump(no, &[]);
                return Ok(());
            }
            this.matches(pattern, yes, no, |this, index| {
                (index < ty.fields.len()).then(|| Val::Dyn(this.offered_field(index)))
            })
        })
    }

    /// A receive that the interpreter takes.
    fn receive_slowly(&mut self, index: u32, count: Variable) -> Result<(), NotCompiled> {
        if self.kind == Kind::DrawOffer {
            return self.bail_if_wanted(count);
        }
        let index = self.iconst(index as i32);
        let (state, pid) = (self.state, self.pid.unwrap_or(index));
        let more = self.call_for_count(Helper::SlowReceive, &[state, pid, index]);
        self.add(count, more);
        Ok(())
    }

    /// A receive from the present offer.
    fn receive_offer(&mut self, index: u32, total: Variable) -> Result<(), NotCompiled> {
        if self.kind == Kind::DrawOffer {
            return self.take_if_wanted(index, total, |this| this.rendezvous_in_target(index));
        }
        if self.is_hard_step(index) {
            return self.receive_slowly(index, total);
        }
        let source = (self.state, self.frame_at);
        let width = self.context_field(types::I64, field::WIDTH);
        self.rendezvous_in_target(index)?;
        let more = self.end_step(index, width)?;
        (self.state, self.frame_at) = source;
        self.add(total, more);
        Ok(())
    }

    /// Both halves of a rendezvous in a copy of the state.
    fn rendezvous_in_target(&mut self, index: u32) -> Result<(), NotCompiled> {
        let target = self.new_target();
        let count = self.context_field(types::I64, field::SENDER_COUNT);
        let header = self.context_field(types::I32, field::SENDER_HEADER);
        let sender = self.b.ins().iadd(target, count);
        // The location of the sender has as many bits as that of any other process.
        let shape = self.shape();
        self.store_count(Shape { count: 0, ..shape }, header, sender, 0);
        self.look_at(target);
        self.perform(index, true)?;
        if self.facts.finishes {
            let (finish, done) = (self.b.create_block(), self.b.create_block());
            let finishes = self.context_field(types::I32, field::SENDER_FINISHES);
            self.b.ins().brif(finishes, finish, &[], done, &[]);
            self.b.switch_to_block(finish);
            self.move_to(self.transition(index).target);
            self.call_for_count(Helper::FinishSender, &[target]);
            self.b.ins().jump(done, &[]);
            self.b.switch_to_block(done);
        }
        Ok(())
    }
}
