//! A state, unpacked just far enough to be worked on.
//!
//! A state is a sequence of words: first the global variables, then one block per process and per
//! channel in the order in which they were created. A block begins with a header word:
//!
//! ```text
//!  31      30 ........ 20   19 .......................... 0
//!  kind    type             location (process), length (channel)
//! ```
//!
//! The youngest process ends first, and the channels that were created after it end with it, so
//! the blocks form a stack and a state needs no table of contents.
//!
//! If all states of a model have the same blocks, they have no headers: see [`crate::layout`].

use crate::layout::Block;
use crate::model::{ChannelId, ChannelType, LocationId, Model, ProcessId};
use crate::types::Scalar;

/// The bit of a header word that tells channels from processes.
pub const CHANNEL: u32 = 1 << 31;
/// Where the type begins in a header word.
pub const TYPE_SHIFT: u32 = 20;
/// The location or length in a header word.
pub const COUNT_MASK: u32 = (1 << TYPE_SHIFT) - 1;

/// The most process types or channel types that a model may have.
pub const MAX_TYPES: usize = 1 << (31 - TYPE_SHIFT);
/// The most locations of a process type. The capacity of a channel must be less: a length is one
/// of the numbers from zero to the capacity.
pub const MAX_COUNT: usize = 1 << TYPE_SHIFT;
/// The most words of a state.
pub const MAX_WORDS: usize = 1 << 24;

/// A state that can be looked into and changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    words: Vec<u32>,
    processes: Vec<Block>,
    channels: Vec<Block>,
}

impl State {
    /// A state with nothing but zeroed global variables.
    pub fn empty(model: &Model) -> Self {
        let words = match &model.layout {
            Some(layout) => layout.words,
            None => model.globals.words(),
        };
        State {
            words: vec![0; words],
            ..State::default()
        }
    }

    /// Makes this a copy of another state without giving its memory away.
    pub fn copy_from(&mut self, other: &State) {
        self.words.clone_from(&other.words);
        self.processes.clone_from(&other.processes);
        self.channels.clone_from(&other.channels);
    }

    /// Makes this the state that `words` describe. They must come from a state of the same model, or
    /// be accepted by a [`Validator`](crate::valid::Validator) of it.
    ///
    /// # Panics
    ///
    /// This, or what is done with the state later, may panic if they are not a state.
    pub fn load(&mut self, model: &Model, words: &[u32]) {
        self.words.clear();
        self.words.extend_from_slice(words);
        match &model.layout {
            Some(layout) => {
                self.processes.clone_from(&layout.processes);
                self.channels.clone_from(&layout.channels);
            }
            None => self.find_blocks(model),
        }
    }

    fn find_blocks(&mut self, model: &Model) {
        self.processes.clear();
        self.channels.clear();
        let mut at = model.globals.words();
        while let Some(&header) = self.words.get(at) {
            let block = stacked(at, ((header & !CHANNEL) >> TYPE_SHIFT) as usize);
            if header & CHANNEL != 0 {
                self.channels.push(block);
                at += 1 + model.channels[block.ty].words();
            } else {
                self.processes.push(block);
                at += 1 + model.processes[block.ty].frame.words();
            }
        }
    }

    /// The words.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The words, to be changed.
    pub fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    /// Clears the bits of a mask that begins at a bit of the state.
    pub fn clear_bits(&mut self, bit: u32, mask: u32) {
        let (word, shift) = ((bit / 32) as usize, bit % 32);
        let mask = u64::from(mask) << shift;
        self.words[word] &= !(mask as u32);
        if mask >> 32 != 0 {
            self.words[word + 1] &= !((mask >> 32) as u32);
        }
    }

    /// Makes some bits those of another state of the same model.
    pub fn copy_bits(&mut self, other: &State, first: u32, count: u32) {
        let mut bit = first;
        let end = first + count;
        while bit < end {
            let (word, shift) = ((bit / 32) as usize, bit % 32);
            let taken = (32 - shift).min(end - bit);
            let mask = (u32::MAX >> (32 - taken)) << shift;
            self.words[word] = (self.words[word] & !mask) | (other.words[word] & mask);
            bit += taken;
        }
    }

    /// The bytes that it holds.
    pub fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
            + (self.processes.capacity() + self.channels.capacity()) * size_of::<Block>()
    }

    /// Whether another state has processes and channels of the same types in the same places.
    pub fn has_same_blocks(&self, other: &State) -> bool {
        self.processes == other.processes && self.channels == other.channels
    }

    /// The number of processes.
    pub fn process_count(&self) -> usize {
        self.processes.len()
    }

    /// The number of channels.
    pub fn channel_count(&self) -> usize {
        self.channels.len()
    }

    /// The type of a process.
    pub fn process_type(&self, pid: usize) -> ProcessId {
        self.processes[pid].ty
    }

    /// Where a process stands.
    pub fn location(&self, pid: usize) -> LocationId {
        self.count(self.processes[pid])
    }

    /// Moves a process.
    pub fn set_location(&mut self, pid: usize, location: LocationId) {
        self.set_count(self.processes[pid], location);
    }

    /// The location or the length in a block.
    fn count(&self, block: Block) -> u32 {
        match block.count_bits {
            0 => 0,
            bits => Scalar::unsigned(bits).load(&self.words, block.count) as u32,
        }
    }

    fn set_count(&mut self, block: Block, count: u32) {
        if block.count_bits > 0 {
            let scalar = Scalar::unsigned(block.count_bits);
            scalar.store(&mut self.words, block.count, count as i32);
        }
    }

    /// Bit offset of the variables of a process.
    pub fn frame_bit(&self, pid: usize) -> u32 {
        self.processes[pid].body
    }

    /// Adds a process with zeroed variables and returns its number. If the model has a layout, the
    /// processes must come in its order.
    pub fn push_process(&mut self, model: &Model, ty: ProcessId) -> usize {
        let process = &model.processes[ty];
        let number = self.processes.len();
        let fixed = model.layout.as_ref().and_then(|l| l.processes.get(number));
        let block = match fixed {
            Some(block) => *block,
            None => self.push_block((ty as u32) << TYPE_SHIFT, process.frame.words()),
        };
        self.processes.push(block);
        self.set_location(number, process.initial);
        number
    }

    /// Adds a block with a header.
    fn push_block(&mut self, header: u32, words: usize) -> Block {
        let at = self.words.len();
        self.words.push(header);
        self.words.resize(at + 1 + words, 0);
        stacked(at, ((header & !CHANNEL) >> TYPE_SHIFT) as usize)
    }

    /// Removes the youngest process and all channels that were created after it.
    pub fn pop_process(&mut self) {
        if let Some(block) = self.processes.pop() {
            self.words.truncate((block.count / 32) as usize);
            self.channels.retain(|c| c.count < block.count);
        }
    }

    /// Adds an empty channel and returns its index. If the model has a layout, the channels must
    /// come in its order.
    pub fn push_channel(&mut self, model: &Model, ty: ChannelId) -> usize {
        let number = self.channels.len();
        let fixed = model.layout.as_ref().and_then(|l| l.channels.get(number));
        let block = match fixed {
            Some(block) => *block,
            None => {
                let header = CHANNEL | ((ty as u32) << TYPE_SHIFT);
                self.push_block(header, model.channels[ty].words())
            }
        };
        self.channels.push(block);
        number
    }

    /// The type of a channel.
    pub fn channel_type(&self, channel: usize) -> ChannelId {
        self.channels[channel].ty
    }

    /// The number of messages in a channel.
    pub fn channel_length(&self, channel: usize) -> usize {
        self.count(self.channels[channel]) as usize
    }

    fn set_channel_length(&mut self, channel: usize, length: usize) {
        self.set_count(self.channels[channel], length as u32);
    }

    fn field_bit(&self, channel: usize, ty: &ChannelType, slot: usize, field: usize) -> u32 {
        self.channels[channel].body + slot as u32 * ty.stride + ty.offsets[field]
    }

    /// A field of a message.
    pub fn field(&self, channel: usize, ty: &ChannelType, slot: usize, field: usize) -> i32 {
        ty.fields[field].load(&self.words, self.field_bit(channel, ty, slot, field))
    }

    fn set_field(
        &mut self,
        channel: usize,
        ty: &ChannelType,
        slot: usize,
        field: usize,
        value: i32,
    ) {
        let bit = self.field_bit(channel, ty, slot, field);
        ty.fields[field].store(&mut self.words, bit, value);
    }

    /// Puts a message before that in `slot`; missing fields are zero, surplus ones are dropped.
    pub fn insert_message(
        &mut self,
        channel: usize,
        ty: &ChannelType,
        slot: usize,
        values: &[i32],
    ) {
        let length = self.channel_length(channel);
        for to in (slot + 1..=length).rev() {
            self.copy_message(channel, ty, to - 1, to);
        }
        for field in 0..ty.fields.len() {
            let value = values.get(field).copied().unwrap_or(0);
            self.set_field(channel, ty, slot, field, value);
        }
        self.set_channel_length(channel, length + 1);
    }

    /// Removes the message in `slot`; the place that becomes free is zeroed.
    pub fn remove_message(&mut self, channel: usize, ty: &ChannelType, slot: usize) {
        let last = self.channel_length(channel) - 1;
        for to in slot..last {
            self.copy_message(channel, ty, to + 1, to);
        }
        for field in 0..ty.fields.len() {
            self.set_field(channel, ty, last, field, 0);
        }
        self.set_channel_length(channel, last);
    }

    fn copy_message(&mut self, channel: usize, ty: &ChannelType, from: usize, to: usize) {
        for field in 0..ty.fields.len() {
            let value = self.field(channel, ty, from, field);
            self.set_field(channel, ty, to, field, value);
        }
    }
}

/// A block of the stack whose header is at a word.
fn stacked(at: usize, ty: usize) -> Block {
    Block {
        ty,
        count: at as u32 * 32,
        count_bits: TYPE_SHIFT as u8,
        body: (at as u32 + 1) * 32,
    }
}
