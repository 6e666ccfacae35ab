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

use crate::model::{ChannelId, ChannelType, LocationId, Model, ProcessId};

const CHANNEL: u32 = 1 << 31;
const TYPE_SHIFT: u32 = 20;
const COUNT_MASK: u32 = (1 << TYPE_SHIFT) - 1;

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
    processes: Vec<u32>,
    channels: Vec<u32>,
}

impl State {
    /// A state with nothing but zeroed global variables.
    pub fn empty(model: &Model) -> Self {
        State {
            words: vec![0; model.globals.words()],
            ..State::default()
        }
    }

    /// Makes this a copy of another state without giving its memory away.
    pub fn copy_from(&mut self, other: &State) {
        self.words.clone_from(&other.words);
        self.processes.clone_from(&other.processes);
        self.channels.clone_from(&other.channels);
    }

    /// Makes this the state that `words` describe. They must come from a state of the same model.
    pub fn load(&mut self, model: &Model, words: &[u32]) {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.processes.clear();
        self.channels.clear();
        let mut at = model.globals.words();
        while at < words.len() {
            let header = words[at];
            let ty = type_of(header);
            if header & CHANNEL != 0 {
                self.channels.push(at as u32);
                at += 1 + model.channels[ty].words();
            } else {
                self.processes.push(at as u32);
                at += 1 + model.processes[ty].frame.words();
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
        type_of(self.words[self.processes[pid] as usize])
    }

    /// Where a process stands.
    pub fn location(&self, pid: usize) -> LocationId {
        self.words[self.processes[pid] as usize] & COUNT_MASK
    }

    /// Moves a process.
    pub fn set_location(&mut self, pid: usize, location: LocationId) {
        let header = &mut self.words[self.processes[pid] as usize];
        *header = (*header & !COUNT_MASK) | (location & COUNT_MASK);
    }

    /// Bit offset of the variables of a process.
    pub fn frame_bit(&self, pid: usize) -> u32 {
        (self.processes[pid] + 1) * 32
    }

    /// Adds a process with zeroed variables and returns its number.
    pub fn push_process(&mut self, model: &Model, ty: ProcessId) -> usize {
        let process = &model.processes[ty];
        self.processes.push(self.words.len() as u32);
        self.words
            .push(((ty as u32) << TYPE_SHIFT) | (process.initial & COUNT_MASK));
        self.words
            .resize(self.words.len() + process.frame.words(), 0);
        self.processes.len() - 1
    }

    /// Removes the youngest process and all channels that were created after it.
    pub fn pop_process(&mut self) {
        if let Some(start) = self.processes.pop() {
            self.words.truncate(start as usize);
            self.channels.retain(|&c| c < start);
        }
    }

    /// Adds an empty channel and returns its index.
    pub fn push_channel(&mut self, model: &Model, ty: ChannelId) -> usize {
        self.channels.push(self.words.len() as u32);
        self.words.push(CHANNEL | ((ty as u32) << TYPE_SHIFT));
        self.words
            .resize(self.words.len() + model.channels[ty].words(), 0);
        self.channels.len() - 1
    }

    /// The type of a channel.
    pub fn channel_type(&self, channel: usize) -> ChannelId {
        type_of(self.words[self.channels[channel] as usize])
    }

    /// The number of messages in a channel.
    pub fn channel_length(&self, channel: usize) -> usize {
        (self.words[self.channels[channel] as usize] & COUNT_MASK) as usize
    }

    fn set_channel_length(&mut self, channel: usize, length: usize) {
        let header = &mut self.words[self.channels[channel] as usize];
        *header = (*header & !COUNT_MASK) | (length as u32 & COUNT_MASK);
    }

    fn field_bit(&self, channel: usize, ty: &ChannelType, slot: usize, field: usize) -> u32 {
        (self.channels[channel] + 1) * 32 + slot as u32 * ty.stride + ty.offsets[field]
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

fn type_of(header: u32) -> usize {
    ((header & !CHANNEL) >> TYPE_SHIFT) as usize
}
