//! Channels: which one an expression denotes, and their messages.
//!
//! Free slots of a channel are zero, so a message can be added by an `or` and removed by shifting the whole buffer.
//! If the type of a channel is not known, the code reads the header and has a branch for each type.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use lariat_ir::expr::Expr;
use lariat_ir::model::{ChannelId, ChannelType, Pattern};
use lariat_ir::reduce::fits;
use lariat_ir::state::{CHANNEL, TYPE_SHIFT};
use lariat_ir::types::Scalar;

use super::{Emitter, Located, MEMORY, NotCompiled, Truth, Val, expr::can_fail};
use crate::facts::Known;
use crate::runtime::{Helper, field};

/// A channel of the present state.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// Its index.
    pub(super) number: Val,
    /// The offset in bytes of its header from the base.
    base: Value,
    byte: i32,
    /// The types that it can have.
    pub(super) types: Vec<ChannelId>,
}

/// The slot of a message.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    First,
    Dyn(Value),
}

/// The largest number of types for which code is generated.
const MAX_WAYS: usize = 6;

/// The largest number of words of a buffer that are shifted without a loop.
const MAX_SHIFTED: usize = 6;

impl Emitter<'_, '_, '_> {
    /// The channel that an expression denotes.
    pub(super) fn channel(&mut self, e: &Expr) -> Result<Channel, NotCompiled> {
        let types = match self.facts.channel(e) {
            Known::Fixed(number) => {
                let (at, ty) = self.facts.fixed[number];
                return Ok(Channel {
                    number: Val::Const(number as i32),
                    base: self.state,
                    byte: at as i32,
                    types: vec![ty],
                });
            }
            Known::OneOf(types) if types.len() > MAX_WAYS => return Err(NotCompiled),
            Known::OneOf(types) => types,
        };
        let value = self.value(e)?;
        let value = self.value_of(value);
        let number = self.b.ins().iadd_imm_s(value, -1);
        let count = self.context_field(types::I32, field::CHANNEL_COUNT);
        let exists = self.b.ins().icmp(IntCC::UnsignedLessThan, number, count);
        self.bail_unless(exists);
        let table = self.context_field(types::I64, field::CHANNELS);
        let index = self.b.ins().uextend(types::I64, number);
        let index = self.b.ins().ishl_imm_s(index, 2);
        let entry = self.b.ins().iadd(table, index);
        let at = self.b.ins().uload32(MEMORY, entry, 0);
        Ok(Channel {
            number: Val::Dyn(number),
            base: self.b.ins().iadd(self.state, at),
            byte: 0,
            types,
        })
    }

    /// Whether a channel can be a rendezvous channel.
    pub(super) fn may_rendezvous(&self, e: &Expr) -> bool {
        let meets = |ty: &ChannelId| self.facts.model.channels[*ty].capacity == 0;
        match self.facts.channel(e) {
            Known::Fixed(number) => meets(&self.facts.fixed[number].1),
            Known::OneOf(types) => types.iter().any(meets),
        }
    }

    /// Generates a branch for each type that a channel can have. Each branch must end with a jump. That a channel has
    /// only some of the types because of the values of its variable is not assumed: in a state from outside, the
    /// variable may have any value.
    pub(super) fn each_type(
        &mut self,
        channel: &Channel,
        mut way: impl FnMut(&mut Self, ChannelId) -> Result<(), NotCompiled>,
    ) -> Result<(), NotCompiled> {
        let Some((&last, others)) = channel.types.split_last() else {
            // No channel is ever assigned to this variable.
            self.b.ins().jump(self.bail, &[]);
            return Ok(());
        };
        let is_fixed = matches!(channel.number, Val::Const(_));
        let is_certain = is_fixed || channel.types.len() == self.facts.model.channels.len();
        if !others.is_empty() || !is_certain {
            // Without headers, the table of types gives the type.
            let header = match self.facts.placed {
                Some(_) => self.type_of(channel),
                None => self
                    .b
                    .ins()
                    .load(types::I32, MEMORY, channel.base, channel.byte),
            };
            let found = (self.b.ins()).ushr_imm_s(header, i64::from(TYPE_SHIFT));
            let has_type = |this: &mut Self, ty: ChannelId| {
                let wanted = i64::from(empty_header(ty) >> TYPE_SHIFT);
                this.b.ins().icmp_imm_s(IntCC::Equal, found, wanted)
            };
            for &ty in others {
                let (here, next) = (self.b.create_block(), self.b.create_block());
                let equal = has_type(self, ty);
                self.b.ins().brif(equal, here, &[], next, &[]);
                self.b.switch_to_block(here);
                way(self, ty)?;
                self.b.switch_to_block(next);
            }
            if !is_certain {
                let equal = has_type(self, last);
                self.bail_unless(equal);
            }
        }
        way(self, last)
    }

    /// The header of a channel in a stack.
    fn type_of(&mut self, channel: &Channel) -> Value {
        let number = self.value_of(channel.number);
        let mut header = self.iconst(0);
        for (index, (_, ty)) in self.facts.fixed.iter().enumerate() {
            let here = (self.b.ins()).icmp_imm_s(IntCC::Equal, number, index as i64);
            let this = self.iconst(empty_header(*ty) as i32);
            header = self.b.ins().select(here, this, header);
        }
        header
    }

    /// The number of messages in a channel, with the other bits of its word.
    fn header(&mut self, channel: &Channel, ty: ChannelId) -> Value {
        let shape = self.facts.channel_shapes[ty];
        self.load_count(shape, channel.base, channel.byte)
    }

    /// The header of a channel with so many messages.
    fn header_with(&self, ty: ChannelId, length: u32) -> i64 {
        i64::from((self.facts.channel_shapes[ty].tag + length) as i32)
    }

    /// The number of messages in it.
    pub(super) fn length(&mut self, channel: &Channel, ty: ChannelId) -> Value {
        let header = self.header(channel, ty);
        match self.header_with(ty, 0) {
            0 => header,
            empty => self.b.ins().iadd_imm_s(header, -empty),
        }
    }

    /// Whether the channel is not full.
    pub(super) fn has_room(&mut self, channel: &Channel, ty: ChannelId) -> Value {
        let header = self.header(channel, ty);
        let full = self.header_with(ty, self.facts.model.channels[ty].capacity);
        self.b.ins().icmp_imm_s(IntCC::NotEqual, header, full)
    }

    fn set_length(&mut self, channel: &Channel, ty: ChannelId, change: i64) {
        let header = self.header(channel, ty);
        let header = self.b.ins().iadd_imm_s(header, change);
        let shape = self.facts.channel_shapes[ty];
        self.store_count(shape, header, channel.base, channel.byte);
    }

    /// The offset in bytes of the messages from the base of a channel.
    fn buffer_byte(&self, channel: &Channel) -> i32 {
        let body = match self.facts.placed {
            Some(_) => 0,
            None => 4,
        };
        channel.byte + body
    }

    fn field_at(
        &mut self,
        channel: &Channel,
        ty: &ChannelType,
        slot: Slot,
        field: usize,
    ) -> Located {
        let (bits, byte) = (ty.offsets[field], self.buffer_byte(channel));
        match slot {
            Slot::First => self.locate_bits(channel.base, byte, bits, &[]),
            Slot::Dyn(slot) => {
                let index = [(slot, ty.stride)];
                self.locate_bits(channel.base, byte, bits, &index)
            }
        }
    }

    /// A field of a message; zero if its type has no such field.
    pub(super) fn message_field(
        &mut self,
        channel: &Channel,
        ty: &ChannelType,
        slot: Slot,
        field: usize,
    ) -> Val {
        if field >= ty.fields.len() {
            return Val::Const(0);
        }
        let at = self.field_at(channel, ty, slot, field);
        Val::Dyn(self.load(at, ty.fields[field]))
    }

    /// Jumps to `found` if there is a matching message, with its slot as a parameter if it can be any, else to
    /// `none`.
    pub(super) fn find_message(
        &mut self,
        channel: &Channel,
        ty: ChannelId,
        pattern: &[Pattern],
        anywhere: bool,
        found: Block,
        none: Block,
    ) -> Result<(), NotCompiled> {
        let channel_type = &self.facts.model.channels[ty];
        if !anywhere {
            let header = self.header(channel, ty);
            let empty = self.header_with(ty, 0);
            let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, header, empty);
            return self.first_matches(channel, channel_type, pattern, some, found, none);
        }
        let length = self.length(channel, ty);
        let head = self.b.create_block();
        let slot = self.b.append_block_param(head, types::I32);
        let zero = self.iconst(0);
        self.jump_with(head, zero);
        self.b.switch_to_block(head);
        let (body, matched, next) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, slot, length);
        self.b.ins().brif(more, body, &[], none, &[]);
        self.b.switch_to_block(body);
        self.matches(pattern, matched, next, |this, field| {
            (field < channel_type.fields.len())
                .then(|| this.message_field(channel, channel_type, Slot::Dyn(slot), field))
        })?;
        self.b.switch_to_block(matched);
        self.jump_with(found, slot);
        self.b.switch_to_block(next);
        let following = self.b.ins().iadd_imm_s(slot, 1);
        self.jump_with(head, following);
        Ok(())
    }

    /// Whether there is a first message, and it matches. A free slot can be read, so only an expression that can fail
    /// needs a jump.
    fn first_matches(
        &mut self,
        channel: &Channel,
        ty: &ChannelType,
        pattern: &[Pattern],
        some: Value,
        found: Block,
        none: Block,
    ) -> Result<(), NotCompiled> {
        let fails = |p: &Pattern| matches!(p, Pattern::Equal(e) if can_fail(e));
        if pattern.iter().any(fails) {
            let there = self.b.create_block();
            self.b.ins().brif(some, there, &[], none, &[]);
            self.b.switch_to_block(there);
            return self.matches(pattern, found, none, |this, field| {
                (field < ty.fields.len())
                    .then(|| this.message_field(channel, ty, Slot::First, field))
            });
        }
        let mut all = some;
        for (field, p) in pattern.iter().enumerate().take(ty.fields.len()) {
            let Pattern::Equal(e) = p else { continue };
            let expected = self.value(e)?;
            let value = self.message_field(channel, ty, Slot::First, field);
            let value = self.value_of(value);
            let equal = self.equals(value, expected);
            all = self.b.ins().band(all, equal);
        }
        self.b.ins().brif(all, found, &[], none, &[]);
        Ok(())
    }

    fn equals(&mut self, value: Value, expected: Val) -> Value {
        match expected {
            Val::Const(e) => (self.b.ins()).icmp_imm_s(IntCC::Equal, value, i64::from(e)),
            Val::Dyn(e) => self.b.ins().icmp(IntCC::Equal, value, e),
        }
    }

    /// Jumps to `yes` if all fields match the pattern, else to `no`.
    pub(super) fn matches(
        &mut self,
        pattern: &[Pattern],
        yes: Block,
        no: Block,
        mut field: impl FnMut(&mut Self, usize) -> Option<Val>,
    ) -> Result<(), NotCompiled> {
        for (index, p) in pattern.iter().enumerate() {
            let Pattern::Equal(e) = p else { continue };
            let expected = self.value(e)?;
            let Some(value) = field(self, index) else {
                continue;
            };
            let value = self.value_of(value);
            let equal = self.equals(value, expected);
            let next = self.b.create_block();
            self.b.ins().brif(equal, next, &[], no, &[]);
            self.b.switch_to_block(next);
        }
        self.b.ins().jump(yes, &[]);
        Ok(())
    }

    /// Whether a message can be received.
    pub(super) fn poll(
        &mut self,
        channel: &Expr,
        pattern: &[Pattern],
        anywhere: bool,
    ) -> Result<Val, NotCompiled> {
        let channel = self.channel(channel)?;
        let join = self.b.create_block();
        let result = self.b.append_block_param(join, types::I32);
        self.each_type(&channel, |this, ty| {
            if this.facts.model.channels[ty].capacity == 0 {
                this.b.ins().jump(this.bail, &[]);
                return Ok(());
            }
            let (found, none) = (this.b.create_block(), this.b.create_block());
            if anywhere {
                this.b.append_block_param(found, types::I32);
            }
            this.find_message(&channel, ty, pattern, anywhere, found, none)?;
            for (block, value) in [(found, 1), (none, 0)] {
                this.b.switch_to_block(block);
                let value = this.iconst(value);
                this.jump_with(join, value);
            }
            Ok(())
        })?;
        self.b.switch_to_block(join);
        Ok(Val::Dyn(result))
    }

    /// The values of the fields of a message.
    pub(super) fn message(&mut self, values: &[Expr]) -> Result<Vec<Val>, NotCompiled> {
        values.iter().map(|e| self.value(e)).collect()
    }

    /// Bails out if a value does not fit into its field: the interpreter reports it.
    pub(super) fn check_message(&mut self, fields: &[Scalar], exprs: &[Expr], values: &[Val]) {
        for ((field, e), value) in fields.iter().zip(exprs).zip(values) {
            if !fits(e, *field) {
                self.bail_unless_fits(*value, *field);
            }
        }
    }

    /// Appends a message. The channel must not be full, and there is a value for every field.
    pub(super) fn append(&mut self, channel: &Channel, ty: ChannelId, values: &[Val]) {
        let channel_type = &self.facts.model.channels[ty];
        let slot = match channel_type.capacity {
            1 => Slot::First,
            _ => Slot::Dyn(self.length(channel, ty)),
        };
        match channel_type.words() {
            1 | 2 => self.append_to_small(channel, channel_type, slot, values),
            _ => {
                for (field, value) in values.iter().enumerate() {
                    let at = self.field_at(channel, channel_type, slot, field);
                    self.store(at, channel_type.fields[field], *value);
                }
            }
        }
        self.set_length(channel, ty, 1);
    }

    /// The same, if all messages fit into a machine word.
    fn append_to_small(&mut self, channel: &Channel, ty: &ChannelType, slot: Slot, values: &[Val]) {
        let word = if ty.words() == 1 {
            types::I32
        } else {
            types::I64
        };
        let mut known = 0u64;
        let mut message: Option<Value> = None;
        let fields = ty.fields.iter().zip(&ty.offsets).zip(values);
        for ((field, offset), value) in fields {
            match self.cut(*value, *field) {
                Val::Const(value) => known |= u64::from(value as u32) << offset,
                Val::Dyn(value) => {
                    let value = match word {
                        types::I32 => value,
                        _ => self.b.ins().uextend(types::I64, value),
                    };
                    let value = self.b.ins().ishl_imm_s(value, i64::from(*offset));
                    message = Some(match message {
                        Some(message) => self.b.ins().bor(message, value),
                        None => value,
                    });
                }
            }
        }
        let mut whole = match (message, known) {
            (None, 0) => return,
            (None, known) => self.b.ins().iconst(word, known as i64),
            (Some(message), 0) => message,
            (Some(message), known) => {
                let known = self.b.ins().iconst(word, known as i64);
                self.b.ins().bor(message, known)
            }
        };
        if let Slot::Dyn(slot) = slot {
            let distance = self.multiply(slot, ty.stride);
            whole = self.b.ins().ishl(whole, distance);
        }
        let byte = self.buffer_byte(channel);
        let buffer = self.b.ins().load(word, MEMORY, channel.base, byte);
        let buffer = self.b.ins().bor(buffer, whole);
        self.b.ins().store(MEMORY, buffer, channel.base, byte);
    }

    /// Inserts a message before the first that is greater. The channel must not be full.
    pub(super) fn insert(&mut self, channel: &Channel, ty: ChannelId, values: &[Val]) {
        for (index, value) in values.iter().enumerate() {
            let value = self.value_of(*value);
            self.set_context_field(field::MESSAGE + 4 * index as i32, value);
        }
        let byte = i64::from(self.buffer_byte(channel));
        let buffer = self.b.ins().iadd_imm_s(channel.base, byte);
        let length = self.length(channel, ty);
        let number = self.iconst(ty as i32);
        self.call(Helper::InsertMessage, &[buffer, length, number], None);
        self.set_length(channel, ty, 1);
    }

    /// Removes a message.
    pub(super) fn remove(&mut self, channel: &Channel, ty: ChannelId, slot: Slot) {
        let channel_type = &self.facts.model.channels[ty];
        let words = channel_type.words();
        match slot {
            Slot::First if words <= MAX_SHIFTED => self.shift(channel, channel_type),
            _ => {
                let slot = match slot {
                    Slot::First => self.iconst(0),
                    Slot::Dyn(slot) => slot,
                };
                let byte = i64::from(self.buffer_byte(channel));
                let buffer = self.b.ins().iadd_imm_s(channel.base, byte);
                let words = self.iconst(words as i32);
                let stride = self.iconst(channel_type.stride as i32);
                let arguments = [buffer, words, stride, slot];
                self.call(Helper::RemoveMessage, &arguments, None);
            }
        }
        self.set_length(channel, ty, -1);
    }

    /// Moves all messages one slot ahead, over the first.
    fn shift(&mut self, channel: &Channel, ty: &ChannelType) {
        let (base, start) = (channel.base, self.buffer_byte(channel));
        let (words, stride) = (ty.words() as i32, ty.stride);
        if words == 1 || words == 2 {
            let word = if words == 1 { types::I32 } else { types::I64 };
            let shifted = if stride == word.bits() || ty.capacity == 1 {
                self.b.ins().iconst(word, 0)
            } else {
                let buffer = self.b.ins().load(word, MEMORY, base, start);
                self.b.ins().ushr_imm_s(buffer, i64::from(stride))
            };
            self.b.ins().store(MEMORY, shifted, base, start);
            return;
        }
        let (skip, bits) = ((stride / 32) as i32, i64::from(stride % 32));
        for index in 0..words {
            let mut load = |index: i32| match index < words {
                true => (self.b.ins()).load(types::I32, MEMORY, base, start + 4 * index),
                false => self.b.ins().iconst(types::I32, 0),
            };
            let low = load(index + skip);
            let word = if bits == 0 {
                low
            } else {
                let high = load(index + skip + 1);
                let low = self.b.ins().ushr_imm_s(low, bits);
                let high = self.b.ins().ishl_imm_s(high, 32 - bits);
                self.b.ins().bor(low, high)
            };
            (self.b.ins()).store(MEMORY, word, base, start + 4 * index);
        }
    }

    /// Stores the message on offer in the context, where receivers read it.
    pub(super) fn make_offer(&mut self, channel: &Channel, fields: &[Scalar], values: &[Val]) {
        let number = self.value_of(channel.number);
        self.set_context_field(field::OFFER_CHANNEL, number);
        for (index, field) in fields.iter().enumerate() {
            let value = values.get(index).copied().unwrap_or(Val::Const(0));
            let value = self.truncate(value, *field);
            let value = self.value_of(value);
            self.set_context_field(offered(index), value);
        }
    }

    /// A field of the message on offer.
    pub(super) fn offered_field(&mut self, index: usize) -> Value {
        self.context_field(types::I32, offered(index))
    }

    /// Whether the message on offer is in this channel.
    pub(super) fn is_offered(&mut self, channel: &Channel) -> Truth {
        let offered = self.context_field(types::I32, field::OFFER_CHANNEL);
        Truth::Dyn(self.equals(offered, channel.number))
    }
}

fn offered(index: usize) -> i32 {
    field::OFFER_VALUES + 4 * index as i32
}

/// The header of an empty channel.
fn empty_header(ty: ChannelId) -> u32 {
    CHANNEL | (ty as u32) << TYPE_SHIFT
}
