//! States and steps for people.
//!
//! A state is described as a list of names and values, in a fixed order, so that two descriptions
//! can be compared line by line and only what changed needs to be shown.

use std::fmt::Write;

use crate::interpret::Step;
use crate::model::{ChannelType, Model, Statement, Transition};
use crate::state::State;
use crate::types::{Frame, Meaning, Scalar, Type};

/// A name and the value that it has in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The variable, as in `flag[1]` or `P[2]:x`.
    pub name: String,
    /// Its value, as in `3`, `true`, `ack` or `[1,ack] [2,nak]`.
    pub value: String,
}

/// The name of a process type for people.
pub fn process_name(name: &str) -> &str {
    if name == ":init:" { "init" } else { name }
}

/// All variables and channels of a state.
pub fn describe(model: &Model, state: &State) -> Vec<Item> {
    Describer::new(model, state, None).describe()
}

/// What is different in `after`: new or changed values, and names that are gone.
pub fn changes(model: &Model, before: &State, after: &State) -> Vec<Item> {
    if before.has_same_blocks(after) {
        // Most steps change few variables, and only these are written down.
        return Describer::new(model, after, Some(before)).describe();
    }
    let before = describe(model, before);
    let old: std::collections::HashMap<&str, &str> = before
        .iter()
        .map(|i| (i.name.as_str(), i.value.as_str()))
        .collect();
    let is_news = |item: &Item| match old.get(item.name.as_str()) {
        Some(value) => *value != item.value,
        // A variable that has just come into being is worth a word if it is not zero.
        None => !matches!(item.value.as_str(), "0" | "false" | "empty" | "none"),
    };
    let mut after = describe(model, after);
    after.retain(is_news);
    after
}

struct Describer<'a> {
    model: &'a Model,
    state: Named<'a>,
    /// If only what differs from this state is described: that state, which has the same blocks.
    before: Option<Named<'a>>,
    items: Vec<Item>,
    /// The name of what is described.
    name: String,
}

/// A state, and the variable under whose name each channel was described.
struct Named<'a> {
    state: &'a State,
    channels: Vec<Option<String>>,
}

impl<'a> Named<'a> {
    fn new(state: &'a State) -> Self {
        Named {
            state,
            channels: vec![None; state.channel_count()],
        }
    }

    fn text(&mut self, model: &Model, scalar: Scalar, bit: u32, name: &str) -> String {
        let value = scalar.load(self.state.words(), bit);
        match scalar.meaning {
            Meaning::Channel => self.channel(model, value, name),
            _ => scalar_text(model, scalar, value),
        }
    }

    /// The contents of a channel, or the name under which they are shown already.
    fn channel(&mut self, model: &Model, value: i32, name: &str) -> String {
        let Some(channel) = usize::try_from(value)
            .ok()
            .and_then(|v| v.checked_sub(1))
            .filter(|c| *c < self.channels.len())
        else {
            return "none".into();
        };
        if let Some(other) = &self.channels[channel] {
            return format!("same as {other}");
        }
        self.channels[channel] = Some(name.to_string());
        channel_text(model, self.state, channel)
    }
}

impl<'a> Describer<'a> {
    fn new(model: &'a Model, state: &'a State, before: Option<&'a State>) -> Self {
        Describer {
            model,
            state: Named::new(state),
            before: before.map(Named::new),
            items: Vec::new(),
            name: String::new(),
        }
    }

    fn describe(mut self) -> Vec<Item> {
        let (model, state) = (self.model, self.state.state);
        self.frame(&model.globals, 0);
        for (channel, fixed) in model.fixed_channels.iter().enumerate() {
            let ty = &model.channels[fixed.ty];
            let before = self.before.as_ref().map(|before| before.state);
            if ty.capacity > 0
                && before.is_none_or(|before| !is_same_channel(before, state, channel, ty))
            {
                self.items.push(Item {
                    name: fixed.name.clone(),
                    value: channel_text(model, state, channel),
                });
            }
        }
        for pid in 0..state.process_count() {
            let process = &model.processes[state.process_type(pid)];
            self.name.clear();
            let _ = write!(self.name, "{}[{pid}]:", process_name(&process.name));
            self.frame(&process.frame, state.frame_bit(pid));
        }
        self.items
    }

    fn frame(&mut self, frame: &Frame, base: u32) {
        let length = self.name.len();
        for variable in frame.variables.iter().filter(|v| !v.internal) {
            self.name.push_str(&variable.name);
            self.value(&variable.ty, base + variable.offset);
            self.name.truncate(length);
        }
    }

    fn value(&mut self, ty: &Type, bit: u32) {
        if self.is_same(ty, bit) {
            return;
        }
        let length = self.name.len();
        match ty {
            Type::Scalar(scalar) => {
                let value = self.state.text(self.model, *scalar, bit, &self.name);
                let before = self.before.as_mut();
                let before = before.map(|s| s.text(self.model, *scalar, bit, &self.name));
                if before.as_ref() != Some(&value) {
                    let name = self.name.clone();
                    self.items.push(Item { name, value });
                }
            }
            Type::Array(element, count) => {
                let stride = self.model.records.size(element).map_or(0, |s| s.0);
                for index in 0..*count {
                    let _ = write!(self.name, "[{index}]");
                    self.value(element, bit + index * stride);
                    self.name.truncate(length);
                }
            }
            Type::Record(record) => {
                for field in &self.model.records.0[*record].fields {
                    let _ = write!(self.name, ".{}", field.name);
                    self.value(&field.ty, bit + field.offset);
                    self.name.truncate(length);
                }
            }
        }
    }

    /// Whether a value is certainly described as it was before.
    fn is_same(&self, ty: &Type, bit: u32) -> bool {
        let (Some(before), Ok((bits, _))) = (&self.before, self.model.records.size(ty)) else {
            return false;
        };
        let words = (bit / 32) as usize..(bit + bits).div_ceil(32) as usize;
        let (old, new) = (before.state.words(), self.state.state.words());
        old.get(words.clone()) == new.get(words) && !self.has_channels(ty)
    }

    /// Whether there is a channel in a value: what is in it is not part of the value.
    fn has_channels(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(scalar) => scalar.meaning == Meaning::Channel,
            Type::Array(element, _) => self.has_channels(element),
            Type::Record(record) => {
                let mut fields = self.model.records.0[*record].fields.iter();
                fields.any(|field| self.has_channels(&field.ty))
            }
        }
    }
}

/// Whether a channel has the same messages in two states.
fn is_same_channel(a: &State, b: &State, channel: usize, ty: &ChannelType) -> bool {
    let length = a.channel_length(channel);
    let slots = || (0..length).flat_map(|slot| (0..ty.fields.len()).map(move |f| (slot, f)));
    let field = |state: &State, (slot, field)| state.field(channel, ty, slot, field);
    length == b.channel_length(channel) && slots().all(|at| field(a, at) == field(b, at))
}

/// The messages in a channel, oldest first.
pub fn channel_text(model: &Model, state: &State, channel: usize) -> String {
    let ty = &model.channels[state.channel_type(channel)];
    if ty.capacity == 0 {
        return "rendezvous".into();
    }
    let messages: Vec<String> = (0..state.channel_length(channel))
        .map(|slot| {
            let fields: Vec<String> = ty
                .fields
                .iter()
                .enumerate()
                .map(|(f, scalar)| scalar_text(model, *scalar, state.field(channel, ty, slot, f)))
                .collect();
            format!("[{}]", fields.join(","))
        })
        .collect();
    if messages.is_empty() {
        "empty".into()
    } else {
        messages.join(" ")
    }
}

fn scalar_text(model: &Model, scalar: Scalar, value: i32) -> String {
    match scalar.meaning {
        Meaning::Boolean => (value != 0).to_string(),
        Meaning::Enumeration(set) if value != 0 => model.value_name(set, value),
        Meaning::Channel if value == 0 => "none".into(),
        Meaning::Channel => format!("channel {value}"),
        _ => value.to_string(),
    }
}

/// The transition of a step, before it is taken.
pub fn transition<'m>(model: &'m Model, state: &State, pid: u32, index: u32) -> &'m Transition {
    &model.processes[state.process_type(pid as usize)].transitions[index as usize]
}

/// The statements of a step: that of the process that moves, and that of its partner.
pub fn statements<'m>(
    model: &'m Model,
    state: &State,
    step: Step,
) -> (&'m Statement, Option<&'m Statement>) {
    let own = &transition(model, state, step.pid, step.transition).statement;
    let partner = step
        .partner
        .map(|(pid, index)| &transition(model, state, pid, index).statement);
    (own, partner)
}
