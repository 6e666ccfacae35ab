//! States and steps for people.
//!
//! A state is described as a list of names and values, in a fixed order, so that two descriptions
//! can be compared line by line and only what changed needs to be shown.

use crate::interpret::Step;
use crate::model::{Model, Statement, Transition};
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
    let mut describer = Describer {
        model,
        state,
        items: Vec::new(),
        channels: vec![None; state.channel_count()],
    };
    describer.frame(&model.globals, 0, "");
    for (channel, fixed) in model.fixed_channels.iter().enumerate() {
        if model.channels[fixed.ty].capacity > 0 {
            describer.items.push(Item {
                name: fixed.name.clone(),
                value: channel_text(model, state, channel),
            });
        }
    }
    for pid in 0..state.process_count() {
        let process = &model.processes[state.process_type(pid)];
        let prefix = format!("{}[{pid}]:", process_name(&process.name));
        describer.frame(&process.frame, state.frame_bit(pid), &prefix);
    }
    describer.items
}

/// What is different in `after`: new or changed values, and names that are gone.
pub fn changes(before: &[Item], after: &[Item]) -> Vec<Item> {
    let old: std::collections::HashMap<&str, &str> = before
        .iter()
        .map(|i| (i.name.as_str(), i.value.as_str()))
        .collect();
    after
        .iter()
        .filter(|item| match old.get(item.name.as_str()) {
            Some(value) => *value != item.value,
            // A variable that has just come into being is worth a word if it is not zero.
            None => !matches!(item.value.as_str(), "0" | "false" | "empty" | "none"),
        })
        .cloned()
        .collect()
}

struct Describer<'a> {
    model: &'a Model,
    state: &'a State,
    items: Vec<Item>,
    /// The variable under whose name each channel was described.
    channels: Vec<Option<String>>,
}

impl Describer<'_> {
    fn frame(&mut self, frame: &Frame, base: u32, prefix: &str) {
        for variable in frame.variables.iter().filter(|v| !v.internal) {
            let name = format!("{prefix}{}", variable.name);
            self.value(&variable.ty, base + variable.offset, name);
        }
    }

    fn value(&mut self, ty: &Type, bit: u32, name: String) {
        match ty {
            Type::Scalar(scalar) => {
                let value = scalar.load(self.state.words(), bit);
                let value = match scalar.meaning {
                    Meaning::Channel => self.channel(value, &name),
                    _ => scalar_text(self.model, *scalar, value),
                };
                self.items.push(Item { name, value });
            }
            Type::Array(element, length) => {
                let stride = self.model.records.size(element).map_or(0, |s| s.0);
                for index in 0..*length {
                    self.value(element, bit + index * stride, format!("{name}[{index}]"));
                }
            }
            Type::Record(record) => {
                for field in &self.model.records.0[*record].fields {
                    self.value(
                        &field.ty,
                        bit + field.offset,
                        format!("{name}.{}", field.name),
                    );
                }
            }
        }
    }

    /// The contents of a channel, or the name under which they are shown already.
    fn channel(&mut self, value: i32, name: &str) -> String {
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
        channel_text(self.model, self.state, channel)
    }
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
