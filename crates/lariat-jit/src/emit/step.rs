//! Transitions: when they are enabled, and their effects on a state.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use lariat_ir::expr::Expr;
use lariat_ir::model::{Action, Effect, Pattern, Piece};
use lariat_ir::reduce::{fits, scalar_fits};

use super::channel::{Channel, Slot};
use super::expr::can_fail;
use super::{Emitter, NotCompiled, Truth, Val};
use crate::runtime::{MAX_FIELDS, field};

/// A step that gives more words than this their initial values is left to the interpreter: there would be code for each.
const MAX_CLEARED: usize = 256;

impl Emitter<'_, '_, '_> {
    /// Jumps to `yes` if a transition is enabled, else to `no`. A send that needs a partner counts as enabled: the
    /// caller looks for partners where the difference matters.
    pub(super) fn ready(&mut self, index: u32, yes: Block, no: Block) -> Result<(), NotCompiled> {
        match &self.transition(index).action {
            Action::Guarded { condition, .. } => self.condition(condition, yes, no),
            Action::Send {
                condition,
                channel,
                lossy,
                ..
            } => {
                self.require(condition, no)?;
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
                condition,
                channel,
                pattern,
                anywhere,
                peek,
                ..
            } => {
                let channel = self.channel(channel)?;
                self.each_type(&channel, |this, ty| {
                    let meets = this.facts.model.channels[ty].capacity == 0;
                    if meets && !*peek {
                        this.b.ins().jump(no, &[]);
                        return Ok(());
                    }
                    this.require(condition, no)?;
                    if meets {
                        this.b.ins().jump(this.bail, &[]);
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
                        Action::Indivisible { .. } => return Err(NotCompiled),
                        _ => self.ready(inner, yes, other)?,
                    }
                    self.b.switch_to_block(other);
                }
                self.b.ins().jump(no, &[]);
                Ok(())
            }
            Action::Terminate => {
                let count = self.context_field(types::I32, field::PROCESS_COUNT);
                let after = self.b.ins().iadd_imm_s(self.pid.ok_or(NotCompiled)?, 1);
                let youngest = self.b.ins().icmp(IntCC::Equal, after, count);
                self.b.ins().brif(youngest, yes, &[], no, &[]);
                Ok(())
            }
        }
    }

    /// Continues only if a condition holds, else jumps to `no`.
    pub(super) fn require(&mut self, condition: &Expr, no: Block) -> Result<(), NotCompiled> {
        if matches!(condition, Expr::Const(value) if *value != 0) {
            return Ok(());
        }
        let holds = self.b.create_block();
        self.condition(condition, holds, no)?;
        self.b.switch_to_block(holds);
        Ok(())
    }

    /// Whether the interpreter has to take a step.
    pub(super) fn is_hard_step(&self, index: u32) -> bool {
        let monitor = self.facts.model.monitor.is_some();
        let transition = self.transition(index);
        let action = &transition.action;
        let cleared = self.location(transition.target).dead.len();
        let mut hard = cleared.max(self.facts.hidden.len()) > MAX_CLEARED;
        action.walk(&mut |e| {
            hard |= matches!(
                e,
                Expr::Enabled(_) | Expr::LocationNumber(_) | Expr::Priority(_)
            );
        });
        hard |= action.effects().iter().any(|e| {
            matches!(
                e,
                Effect::CreateChannel(..) | Effect::Spawn { .. } | Effect::SetPriority { .. }
            )
        });
        hard || match action {
            Action::Guarded { .. } => false,
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

    /// Executes the effect of a transition on the present state, except for the new location of the process.
    pub(super) fn perform(&mut self, index: u32, offer: bool) -> Result<(), NotCompiled> {
        let action = &self.transition(index).action;
        match action {
            Action::Guarded { .. } => {}
            Action::Send {
                channel,
                values,
                lossy,
                sorted,
                ..
            } => self.send(channel, values, *lossy, *sorted)?,
            Action::Receive {
                channel,
                pattern,
                anywhere,
                peek,
                ..
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
            }
            Action::Indivisible { entry } => self.run_indivisible(*entry)?,
            Action::Else | Action::Terminate => {}
        }
        self.effects(action.effects())
    }

    pub(super) fn effects(&mut self, effects: &[Effect]) -> Result<(), NotCompiled> {
        effects.iter().try_for_each(|effect| self.effect(effect))
    }

    fn send(
        &mut self,
        channel: &Expr,
        values: &[Expr],
        lossy: bool,
        sorted: bool,
    ) -> Result<(), NotCompiled> {
        let channel = self.channel(channel)?;
        let exprs = values;
        let values = self.message(exprs)?;
        let join = self.b.create_block();
        self.each_type(&channel, |this, ty| {
            let channel_type = &this.facts.model.channels[ty];
            if channel_type.capacity == 0 || channel_type.fields.len() != values.len() {
                this.b.ins().jump(this.bail, &[]);
                return Ok(());
            }
            this.check_message(&channel_type.fields, exprs, &values);
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
    ) -> Result<(), NotCompiled> {
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
            stores.push((place, value, channel_type.fields[index]));
        }
        for (place, value, field) in stores {
            match scalar_fits(field, place.scalar) {
                true => self.assign_fitting(place, value)?,
                false => self.assign(place, value)?,
            }
        }
        if !offer && !peek {
            self.remove(channel, ty, slot);
        }
        Ok(())
    }

    fn effect(&mut self, effect: &Effect) -> Result<(), NotCompiled> {
        match effect {
            Effect::Assign(place, e) => {
                let value = self.value(e)?;
                match fits(e, place.scalar) {
                    true => self.assign_fitting(place, value),
                    false => self.assign(place, value),
                }
            }
            Effect::Assert(condition) if self.facts.assertions => {
                let fine = self.b.create_block();
                self.condition(condition, fine, self.bail)?;
                self.b.switch_to_block(fine);
                Ok(())
            }
            // The value is not used; only an error in the evaluation matters.
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
                Err(NotCompiled)
            }
        }
    }
}
