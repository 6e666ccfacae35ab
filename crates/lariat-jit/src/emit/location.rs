//! The functions of a location: its steps, the next step of a chain, and receives from an offer.
//!
//! The functions that draw look at the same conditions in the same order as those that take all steps,
//! but they only count, and take no step but the one whose number is wanted. Where a process chooses a
//! number in a loop, the dice are asked once more which of the two steps of the loop that is.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::Variable;
use lariat_ir::expr::Expr;
use lariat_ir::model::{Action, Select};

use super::channel::Channel;
use super::{Emitter, Hard, Kind, Val};
use crate::facts::Shape;
use crate::runtime::{CONTINUE, ENDED, Helper, MAX_FIELDS, field};

/// Code is written for locations with at most so many nodes of expressions: the time that it takes
/// grows faster than the function does.
const MAX_NODES: usize = 3000;

impl<'m> Emitter<'_, '_, 'm> {
    /// Writes the function of a location.
    pub(crate) fn location_function(
        mut self,
        location: u32,
        config: TargetFrontendConfig,
    ) -> Result<(), Hard> {
        let process = self.process_type();
        if process.provided.is_some() || self.facts.model.priorities {
            return Err(Hard);
        }
        if self.weight(location) > MAX_NODES {
            return Err(Hard);
        }
        let list = &self.location(location).transitions;
        let ranks = list.iter().map(|&t| self.transition(t).rank);
        if !ranks.is_sorted_by(|a, b| a >= b) {
            return Err(Hard);
        }
        if self.facts.has_committed {
            // A chain that may be held up by others is looked at as a choice.
            if self.kind == Kind::Chain {
                return Err(Hard);
            }
            self.respect_committed(location);
        }
        match self.kind {
            Kind::Expand | Kind::Draw => self.expand(location)?,
            Kind::Chain => self.chain(location)?,
            Kind::Offer | Kind::DrawOffer => self.offer(list)?,
            Kind::Finish => return Err(Hard),
        }
        self.finish_function(config);
        Ok(())
    }

    /// Writes the function for what a sender does after its message was taken.
    pub(crate) fn finish_sender(
        mut self,
        index: u32,
        config: TargetFrontendConfig,
    ) -> Result<(), Hard> {
        if self.is_hard_step(index) {
            return Err(Hard);
        }
        let transition = self.transition(index);
        self.effects(transition.action.effects())?;
        self.arrive(transition.target);
        let done = self.iconst(0);
        self.b.ins().return_(&[done]);
        self.finish_function(config);
        Ok(())
    }

    /// Does nothing if only committed processes may move, and this one is not.
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

    /// Writes a function that answers whether a condition holds.
    pub(crate) fn condition_function(
        mut self,
        e: &Expr,
        config: TargetFrontendConfig,
    ) -> Result<(), Hard> {
        let mut nodes = 0;
        e.walk(&mut |_| nodes += 1);
        if nodes > MAX_NODES {
            return Err(Hard);
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

    /// How much there is to write for a location.
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

    /// All steps from the present state, or the one that is wanted.
    fn expand(&mut self, location: u32) -> Result<(), Hard> {
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
                } if self.may_meet(channel) => {
                    self.require(condition, next)?;
                    let channel = self.channel(channel)?;
                    self.each_type(&channel, |this, ty| {
                        if this.facts.model.channels[ty].capacity == 0 {
                            this.meet(&channel, ty, values, index, count)?;
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

    /// The loop at a location that chooses a number. Its two steps must follow each other as equals, so
    /// that their numbers do.
    fn select(&self, location: u32) -> Result<Option<&'m Select>, Hard> {
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
            false => Err(Hard),
        }
    }

    /// Before the first of the two steps of a loop that chooses a number: if one of them is wanted and
    /// both are ready, the dice decide anew which of them is.
    fn want_number(&mut self, select: &Select, count: Variable) -> Result<(), Hard> {
        let wanted = self.wanted.ok_or(Hard)?;
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

    /// Goes to `other` unless a number is `first` or the one after it; returns where it goes then.
    fn is_next_or_second(&mut self, number: Value, first: Value, other: Block) -> Block {
        let ours = self.b.create_block();
        let distance = self.b.ins().isub(number, first);
        let near = (self.b.ins()).icmp_imm_s(IntCC::UnsignedLessThan, distance, 2);
        self.b.ins().brif(near, ours, &[], other, &[]);
        ours
    }

    /// Asks the dice whether to leave a loop that chooses a number, and goes to `join` with `first` if
    /// so, with the number after it if not; or to `other` if there is no number left to choose.
    fn draw_of_select(
        &mut self,
        select: &Select,
        first: Value,
        join: Block,
        other: Block,
    ) -> Result<(), Hard> {
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
        let chosen = self.b.ins().iadd(first, round.ok_or(Hard)?);
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

    /// What was taken pre-empts what has a lower rank.
    fn stop_if_counted(&mut self, count: Variable, done: Block) {
        let go_on = self.b.create_block();
        let counted = self.b.use_var(count);
        self.b.ins().brif(counted, done, &[], go_on, &[]);
        self.b.switch_to_block(go_on);
    }

    /// A process that must be deterministic had a choice: the interpreter complains of it.
    fn bail_if_second(&mut self, before: Value, count: Variable) {
        let after = self.b.use_var(count);
        let same = self.b.ins().icmp(IntCC::Equal, before, after);
        let first = self.b.ins().icmp_imm_s(IntCC::Equal, before, 0);
        let fine = self.b.ins().bor(same, first);
        self.bail_unless(fine);
    }

    /// Takes a step if it is ready, and goes to `next` if it is not.
    fn ready_step(&mut self, index: u32, count: Variable, next: Block) -> Result<(), Hard> {
        let yes = self.b.create_block();
        self.ready(index, yes, next)?;
        self.b.switch_to_block(yes);
        self.take_step(index, count)
    }

    /// Takes a step in a copy of the present state.
    fn take_step(&mut self, index: u32, count: Variable) -> Result<(), Hard> {
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

    /// Takes a step that is ready and returns, if it is the one that is wanted; else it is counted.
    /// `take` does what the step does in a copy of the state.
    fn take_if_wanted(
        &mut self,
        index: u32,
        count: Variable,
        take: impl FnOnce(&mut Self) -> Result<(), Hard>,
    ) -> Result<(), Hard> {
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

    /// Leaves it to the interpreter to take a step that is ready, if it is the one that is wanted;
    /// else it is counted.
    fn bail_if_wanted(&mut self, count: Variable) -> Result<(), Hard> {
        let other = self.b.create_block();
        let this = self.is_wanted(count)?;
        self.b.ins().brif(this, self.bail, &[], other, &[]);
        self.b.switch_to_block(other);
        self.add_one(count);
        Ok(())
    }

    /// Whether the step that comes next is the one that is wanted.
    fn is_wanted(&mut self, count: Variable) -> Result<Value, Hard> {
        let counted = self.b.use_var(count);
        let wanted = self.wanted.ok_or(Hard)?;
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
    fn meet(
        &mut self,
        channel: &Channel,
        ty: usize,
        values: &[Expr],
        index: u32,
        count: Variable,
    ) -> Result<(), Hard> {
        let fields = &self.facts.model.channels[ty].fields;
        if self.facts.model.monitor.is_some() || fields.len() > MAX_FIELDS {
            return Err(Hard);
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
        let (state, frame) = (self.state, self.frame.ok_or(Hard)?);
        let pid = self.pid.ok_or(Hard)?;
        let arguments = [state, frame, pid, header, index];
        let more = match self.kind {
            Kind::Draw => self.draw_meeting(&arguments, count)?,
            _ => self.call_for_count(Helper::Meet, &arguments),
        };
        self.add(count, more);
        Ok(())
    }

    /// Counts the meetings of an offer. If the one that is wanted is among them, it has happened, and
    /// the function returns.
    fn draw_meeting(&mut self, arguments: &[Value], count: Variable) -> Result<Value, Hard> {
        let counted = self.b.use_var(count);
        let wanted = self.wanted.ok_or(Hard)?;
        let left = self.b.ins().isub(wanted, counted);
        self.set_context_field(field::WANTED, left);
        let more = self.call(Helper::MeetDrawn, arguments, Some(types::I32));
        let more = more.ok_or(Hard)?;
        let (met, go_on) = (self.b.create_block(), self.b.create_block());
        let counts = (self.b.ins()).icmp_imm_s(IntCC::SignedGreaterThanOrEqual, more, 0);
        self.b.ins().brif(counts, go_on, &[], met, &[]);
        self.b.switch_to_block(met);
        self.b.ins().return_(&[more]);
        self.b.switch_to_block(go_on);
        Ok(more)
    }

    /// The next step of the process that has control.
    fn chain(&mut self, location: u32) -> Result<(), Hard> {
        let list = &self.location(location).transitions[..];
        let meets = list.iter().any(|&t| match &self.transition(t).action {
            Action::Send { channel, .. } => self.may_meet(channel),
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
        self.end_chain();
        Ok(())
    }

    /// Counts the steps that are ready: none blocks, one is taken in place, more are a choice, which
    /// the dice decide if there are any.
    fn choose(&mut self, location: u32, blocked: Block) -> Result<(), Hard> {
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
            // What was taken before at a higher rank pre-empts it.
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

    /// Goes on with one of several steps if there are dice, else leaves the choice to the runtime. So
    /// it does if there must be no choice, which the function for all steps notices.
    fn draw_or_branch_out(
        &mut self,
        location: u32,
        count: Value,
        flags: &[Value],
        one: Block,
    ) -> Result<(), Hard> {
        // If the numbers of a loop cannot be drawn here, the function that draws cannot be written
        // either, and the runtime asks the interpreter.
        let select = self.select(location);
        if self.process_type().deterministic || select.is_err() {
            return self.branch_out();
        }
        let (draw, branch) = (self.b.create_block(), self.b.create_block());
        let dice = self.context_field(types::I64, field::DICE);
        self.b.ins().brif(dice, draw, &[], branch, &[]);
        self.b.switch_to_block(draw);
        let wanted = self.call(Helper::DrawNumber, &[count], Some(types::I32));
        let wanted = wanted.ok_or(Hard)?;
        if let Some(select) = select? {
            let list = &self.location(location).transitions;
            self.choose_number(select, list, flags, wanted, one)?;
        }
        self.jump_with(one, wanted);
        self.b.switch_to_block(branch);
        self.branch_out()
    }

    /// If a step of a loop that chooses a number is wanted and both are ready, the dice decide anew which
    /// of them is, and the function goes on with that one.
    fn choose_number(
        &mut self,
        select: &Select,
        list: &[u32],
        flags: &[Value],
        wanted: Value,
        one: Block,
    ) -> Result<(), Hard> {
        let at = list.iter().position(|&index| index == select.leave);
        let at = at.filter(|at| at + 1 < flags.len()).ok_or(Hard)?;
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
    fn branch_out(&mut self) -> Result<(), Hard> {
        let (state, frame) = (self.state, self.frame.ok_or(Hard)?);
        let pid = self.pid.ok_or(Hard)?;
        let arguments = [state, frame, pid];
        let count = self.call(Helper::Branch, &arguments, Some(types::I32));
        self.b.ins().return_(&[count.ok_or(Hard)?]);
        Ok(())
    }

    /// Takes a step in the present state and returns.
    fn step_in_place(&mut self, index: u32) -> Result<(), Hard> {
        if self.is_hard_step(index) {
            let count = self.slow_step(index);
            self.b.ins().return_(&[count]);
            return Ok(());
        }
        self.perform(index, false)?;
        self.return_after(index)
    }

    /// Ends a step of the target at the cursor and returns: the edge ends with it unless the process
    /// keeps control.
    fn return_after(&mut self, index: u32) -> Result<(), Hard> {
        if matches!(self.transition(index).action, Action::Terminate) || !self.leave_step(index)? {
            let width = match self.transition(index).action {
                Action::Terminate => {
                    self.note_last()?;
                    self.forget();
                    self.frame.ok_or(Hard)?
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

    /// The process is blocked: control is lost, and the edge ends.
    fn end_chain(&mut self) {
        let width = self.context_field(types::I64, field::WIDTH);
        self.forget();
        self.finish_edge(width);
        let one = self.iconst(1);
        self.b.ins().return_(&[one]);
    }

    /// All receives that take the message on offer, or the one that is wanted.
    fn offer(&mut self, list: &[u32]) -> Result<(), Hard> {
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
                            Action::Indivisible { .. } => return Err(Hard),
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
    fn accepts(&mut self, index: u32, yes: Block, no: Block) -> Result<(), Hard> {
        let Action::Receive {
            condition,
            channel,
            pattern,
            peek,
            ..
        } = &self.transition(index).action
        else {
            return Err(Hard);
        };
        if *peek || !self.may_meet(channel) {
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
    fn receive_slowly(&mut self, index: u32, count: Variable) -> Result<(), Hard> {
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
    fn receive_offer(&mut self, index: u32, total: Variable) -> Result<(), Hard> {
        if self.kind == Kind::DrawOffer {
            return self.take_if_wanted(index, total, |this| this.meet_in_target(index));
        }
        if self.is_hard_step(index) {
            return self.receive_slowly(index, total);
        }
        let source = (self.state, self.frame_at);
        let width = self.context_field(types::I64, field::WIDTH);
        self.meet_in_target(index)?;
        let more = self.end_step(index, width)?;
        (self.state, self.frame_at) = source;
        self.add(total, more);
        Ok(())
    }

    /// Both halves of a meeting in a copy of the state.
    fn meet_in_target(&mut self, index: u32) -> Result<(), Hard> {
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
