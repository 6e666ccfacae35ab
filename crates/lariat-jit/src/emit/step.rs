//! The functions of a location: its steps, the next step of a chain, and receives from an offer.
//!
//! A step is one copy of the state to where the buffer of edges ends, and the effect in place.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::Variable;
use lariat_ir::expr::Expr;
use lariat_ir::model::{Action, Effect, Pattern, Piece};

use super::channel::{Channel, Slot};
use super::expr::can_fail;
use super::{Emitter, Hard, Kind, MEMORY, Truth, Val};
use crate::facts::TYPE_SHIFT;
use crate::runtime::{CONTINUE, Helper, MAX_FIELDS, field};

/// Code is written for locations with at most so many nodes of expressions: the time that it takes
/// grows faster than the function does.
const MAX_NODES: usize = 3000;

/// The bytes of a piece in which states are copied.
const PIECE: i64 = 32;

/// The most steps of a chain that are written one after another.
const MAX_FUSED: u64 = 24;

impl Emitter<'_, '_, '_> {
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
        match self.kind {
            Kind::Expand => self.expand(list)?,
            Kind::Chain => self.chain(list)?,
            Kind::Offer => self.offer(list)?,
        }
        self.finish_function(config);
        Ok(())
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

    /// All steps from the present state.
    fn expand(&mut self, list: &[u32]) -> Result<(), Hard> {
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
            let before = deterministic.then(|| self.b.use_var(count));
            let next = self.b.create_block();
            match &transition.action {
                Action::Send {
                    channel, values, ..
                } if self.may_meet(channel) => {
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
        let values = self.message(values)?;
        self.make_offer(channel, fields, &values);
        let header = self.header_of(self.transition(index).target);
        let header = self.iconst(header);
        let index = self.iconst(index as i32);
        let (state, frame) = (self.state, self.frame.ok_or(Hard)?);
        let pid = self.pid.ok_or(Hard)?;
        let arguments = [state, frame, pid, header, index];
        let more = self.call_for_count(Helper::Meet, &arguments);
        self.add(count, more);
        Ok(())
    }

    fn header_of(&self, location: u32) -> i32 {
        ((self.process as u32) << TYPE_SHIFT | location) as i32
    }

    /// The next step of the process that has control.
    fn chain(&mut self, list: &[u32]) -> Result<(), Hard> {
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
            _ => self.choose(list, blocked)?,
        }
        self.b.switch_to_block(blocked);
        self.end_chain();
        Ok(())
    }

    /// Counts the steps that are ready: none blocks, one is taken in place, more are a choice.
    fn choose(&mut self, list: &[u32], blocked: Block) -> Result<(), Hard> {
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
        self.b.ins().brif(count, some, &[], blocked, &[]);
        self.b.switch_to_block(some);
        let single = self.b.ins().icmp_imm_s(IntCC::Equal, count, 1);
        self.b.ins().brif(single, one, &[], many, &[]);
        self.b.switch_to_block(many);
        self.branch_out()?;
        self.b.switch_to_block(one);
        for (&index, flag) in list.iter().zip(flags) {
            let (this, next) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(flag, this, &[], next, &[]);
            self.b.switch_to_block(this);
            self.step_in_place(index)?;
            self.b.switch_to_block(next);
        }
        self.b.ins().jump(self.bail, &[]);
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
            let one = self.iconst(1);
            self.b.ins().return_(&[one]);
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

    /// All receives that take the message on offer.
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
                    if self.is_hard_step(index) {
                        self.slow_receive(index, count);
                    } else {
                        self.receive_offer(index, count)?;
                    }
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
                    self.slow_receive(index, count);
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

    fn slow_receive(&mut self, index: u32, count: Variable) {
        let index = self.iconst(index as i32);
        let (state, pid) = (self.state, self.pid.unwrap_or(index));
        let more = self.call_for_count(Helper::SlowReceive, &[state, pid, index]);
        self.add(count, more);
    }

    /// Both halves of a meeting in a copy of the state.
    fn receive_offer(&mut self, index: u32, count: Variable) -> Result<(), Hard> {
        let source = (self.state, self.frame_at);
        let width = self.context_field(types::I64, field::WIDTH);
        let target = self.new_target();
        let frame = self.context_field(types::I64, field::SENDER_FRAME);
        let header = self.context_field(types::I32, field::SENDER_HEADER);
        let sender = self.b.ins().iadd(target, frame);
        self.b.ins().store(MEMORY, header, sender, 0);
        self.look_at(target);
        self.perform(index, true)?;
        if self.facts.clears {
            self.call(Helper::ClearSender, &[target], None);
        }
        let more = self.end_step(index, width)?;
        (self.state, self.frame_at) = source;
        self.add(count, more);
        Ok(())
    }

    /// Goes to `yes` if a transition is ready, else to `no`. A send that needs a partner counts as
    /// ready: it is looked at where the difference matters.
    pub(super) fn ready(&mut self, index: u32, yes: Block, no: Block) -> Result<(), Hard> {
        match &self.transition(index).action {
            Action::Guarded { condition, .. } => self.condition(condition, yes, no),
            Action::Send { channel, lossy, .. } => {
                let channel = self.channel(channel)?;
                self.each_type(&channel, |this, ty| {
                    let capacity = this.facts.model.channels[ty].capacity;
                    let truth = match *lossy || capacity == 0 {
                        true => Truth::Const(true),
                        false => Truth::Dyn(this.has_room(&channel, ty)),
                    };
                    this.branch(truth, yes, no);
                    Ok(())
                })
            }
            Action::Receive {
                channel,
                pattern,
                anywhere,
                peek,
            } => {
                let channel = self.channel(channel)?;
                self.each_type(&channel, |this, ty| {
                    if this.facts.model.channels[ty].capacity == 0 {
                        let to = if *peek { this.bail } else { no };
                        this.b.ins().jump(to, &[]);
                        return Ok(());
                    }
                    let found = match anywhere {
                        true => this.b.create_block(),
                        false => yes,
                    };
                    if *anywhere {
                        this.b.append_block_param(found, types::I32);
                    }
                    this.find_message(&channel, ty, pattern, *anywhere, found, no)?;
                    if *anywhere {
                        this.b.switch_to_block(found);
                        this.b.ins().jump(yes, &[]);
                    }
                    Ok(())
                })
            }
            Action::Else => {
                self.b.ins().jump(yes, &[]);
                Ok(())
            }
            Action::Indivisible { entry } => {
                for &inner in &self.location(*entry).transitions {
                    let other = self.b.create_block();
                    match self.transition(inner).action {
                        Action::Indivisible { .. } => return Err(Hard),
                        _ => self.ready(inner, yes, other)?,
                    }
                    self.b.switch_to_block(other);
                }
                self.b.ins().jump(no, &[]);
                Ok(())
            }
            Action::Terminate => {
                let count = self.context_field(types::I32, field::PROCESS_COUNT);
                let after = self.b.ins().iadd_imm_s(self.pid.ok_or(Hard)?, 1);
                let youngest = self.b.ins().icmp(IntCC::Equal, after, count);
                self.b.ins().brif(youngest, yes, &[], no, &[]);
                Ok(())
            }
        }
    }

    /// Whether the interpreter has to take a step.
    pub(super) fn is_hard_step(&self, index: u32) -> bool {
        let monitor = self.facts.model.monitor.is_some();
        let action = &self.transition(index).action;
        let mut hard = false;
        action.walk(&mut |e| {
            hard |= matches!(
                e,
                Expr::Enabled(_) | Expr::LocationNumber(_) | Expr::Priority(_)
            );
        });
        hard || match action {
            Action::Guarded { effects, .. } => effects.iter().any(|e| {
                matches!(
                    e,
                    Effect::CreateChannel(..) | Effect::Spawn { .. } | Effect::SetPriority { .. }
                )
            }),
            Action::Send { sorted, values, .. } => monitor || *sorted && values.len() > MAX_FIELDS,
            Action::Receive { .. } => monitor,
            Action::Indivisible { entry } => self.inside(*entry).iter().any(|&inner| {
                let action = &self.transition(inner).action;
                let nested = matches!(action, Action::Indivisible { .. } | Action::Terminate);
                nested || self.is_hard_step(inner)
            }),
            Action::Else | Action::Terminate => false,
        }
    }

    /// What a transition does to the present state, but for where the process is afterwards.
    pub(super) fn perform(&mut self, index: u32, offer: bool) -> Result<(), Hard> {
        match &self.transition(index).action {
            Action::Guarded { effects, .. } => {
                effects.iter().try_for_each(|effect| self.effect(effect))
            }
            Action::Send {
                channel,
                values,
                lossy,
                sorted,
            } => self.send(channel, values, *lossy, *sorted),
            Action::Receive {
                channel,
                pattern,
                anywhere,
                peek,
            } => {
                let channel = self.channel(channel)?;
                let join = self.b.create_block();
                self.each_type(&channel, |this, ty| {
                    let capacity = this.facts.model.channels[ty].capacity;
                    let fields = this.facts.model.channels[ty].fields.len();
                    if (capacity == 0) != offer || pattern.len() != fields {
                        this.b.ins().jump(this.bail, &[]);
                        return Ok(());
                    }
                    this.receive(&channel, ty, pattern, *anywhere, *peek, offer)?;
                    this.b.ins().jump(join, &[]);
                    Ok(())
                })?;
                self.b.switch_to_block(join);
                Ok(())
            }
            Action::Indivisible { entry } => self.run_inside(*entry),
            Action::Else | Action::Terminate => Ok(()),
        }
    }

    fn send(
        &mut self,
        channel: &Expr,
        values: &[Expr],
        lossy: bool,
        sorted: bool,
    ) -> Result<(), Hard> {
        let channel = self.channel(channel)?;
        let values = self.message(values)?;
        let join = self.b.create_block();
        self.each_type(&channel, |this, ty| {
            let channel_type = &this.facts.model.channels[ty];
            if channel_type.capacity == 0 || channel_type.fields.len() != values.len() {
                this.b.ins().jump(this.bail, &[]);
                return Ok(());
            }
            if lossy {
                let room = this.b.create_block();
                let has_room = this.has_room(&channel, ty);
                this.b.ins().brif(has_room, room, &[], join, &[]);
                this.b.switch_to_block(room);
            }
            match sorted {
                true => this.insert(&channel, ty, &values),
                false => this.append(&channel, ty, &values),
            }
            this.b.ins().jump(join, &[]);
            Ok(())
        })?;
        self.b.switch_to_block(join);
        Ok(())
    }

    fn receive(
        &mut self,
        channel: &Channel,
        ty: usize,
        pattern: &[Pattern],
        anywhere: bool,
        peek: bool,
        offer: bool,
    ) -> Result<(), Hard> {
        let channel_type = &self.facts.model.channels[ty];
        let mut slot = Slot::First;
        if anywhere && !offer {
            let found = self.b.create_block();
            slot = Slot::Dyn(self.b.append_block_param(found, types::I32));
            self.find_message(channel, ty, pattern, true, found, self.bail)?;
            self.b.switch_to_block(found);
        }
        let mut stores = Vec::new();
        for (index, p) in pattern.iter().enumerate() {
            let Pattern::Store(place) = p else { continue };
            let value = match offer {
                true => Val::Dyn(self.offered_field(index)),
                false => self.message_field(channel, channel_type, slot, index),
            };
            stores.push((place, value));
        }
        for (place, value) in stores {
            self.assign(place, value)?;
        }
        if !offer && !peek {
            self.remove(channel, ty, slot);
        }
        Ok(())
    }

    fn effect(&mut self, effect: &Effect) -> Result<(), Hard> {
        match effect {
            Effect::Assign(place, value) => {
                let value = self.value(value)?;
                self.assign(place, value)
            }
            Effect::Assert(condition) if self.facts.assertions => {
                let fine = self.b.create_block();
                self.condition(condition, fine, self.bail)?;
                self.b.switch_to_block(fine);
                Ok(())
            }
            // Only an error in the evaluation is of interest.
            Effect::Assert(e) => self.value(e).map(|_| ()),
            Effect::Print(pieces) => {
                for piece in pieces {
                    if let Piece::Value(e, _) = piece
                        && can_fail(e)
                    {
                        self.value(e)?;
                    }
                }
                Ok(())
            }
            Effect::CreateChannel(..) | Effect::Spawn { .. } | Effect::SetPriority { .. } => {
                Err(Hard)
            }
        }
    }

    /// Ends a step, and the edge with it unless the process keeps control. Returns how many edges
    /// there are.
    fn end_step(&mut self, index: u32, width: Value) -> Result<Value, Hard> {
        let frame = self.frame.ok_or(Hard)?;
        if matches!(self.transition(index).action, Action::Terminate) {
            // Everything from the process on is gone.
            self.note_last()?;
            self.forget();
            self.finish_edge(frame);
            return Ok(self.iconst(1));
        }
        if self.leave_step(index)? {
            let helper = match self.kind {
                Kind::Offer => Helper::ChainOfReceiver,
                _ => Helper::Chain,
            };
            let pid = self.pid.ok_or(Hard)?;
            return Ok(self.call_for_count(helper, &[frame, pid]));
        }
        self.finish_edge(width);
        Ok(self.iconst(1))
    }

    /// The process leaves a step behind. If it keeps control, the steps that follow are taken as long
    /// as it is certain which they are. Answers whether it still has control after that.
    fn leave_step(&mut self, index: u32) -> Result<bool, Hard> {
        let timeout = self.timeout;
        let mut index = index;
        let mut fused = 0;
        let keeps_control = loop {
            let transition = self.transition(index);
            self.arrive(transition.target);
            self.note_last()?;
            // What is hidden is forgotten where the source says so, whoever goes on.
            if !transition.atomic {
                self.forget();
            }
            if !transition.atomic && !transition.merged {
                break false;
            }
            match self.certain_step(transition.target) {
                Some(next) if fused < MAX_FUSED => {
                    // Only the first step of a chain is one that a timeout allows.
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

    /// The step that a process takes at a location, if there is one and no other.
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

    /// The process stands somewhere else.
    pub(super) fn move_to(&mut self, location: u32) {
        let header = self.header_of(location);
        let header = self.iconst(header);
        if let Some(frame) = self.frame_at {
            self.b.ins().store(MEMORY, header, frame, 0);
        }
    }

    /// The process has come to a location: what it will not ask for again is cleared.
    fn arrive(&mut self, location: u32) {
        self.move_to(location);
        for &(word, mask) in &self.location(location).dead {
            let (Some(frame), byte) = (self.frame_at, 4 + 4 * word as i32) else {
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

    /// Notes who moved last, if the model asks.
    fn note_last(&mut self) -> Result<(), Hard> {
        match (&self.facts.model.last, self.pid) {
            (Some(place), Some(pid)) => self.assign(place, Val::Dyn(pid)),
            _ => Ok(()),
        }
    }

    /// Gives hidden variables their initial values again.
    fn forget(&mut self) {
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

    /// Copies the present state to the end of the buffer of edges. Returns where it is.
    fn new_target(&mut self) -> Value {
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

    fn copy_piece(&mut self, from: Value, to: Value, at: Value) {
        let source = self.b.ins().iadd(from, at);
        let target = self.b.ins().iadd(to, at);
        let pieces = [0, 16].map(|byte| self.b.ins().load(types::I8X16, MEMORY, source, byte));
        for (piece, byte) in pieces.into_iter().zip([0, 16]) {
            self.b.ins().store(MEMORY, piece, target, byte);
        }
    }

    /// The present state, which has so many bytes, is the target of an edge.
    fn finish_edge(&mut self, width: Value) {
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
