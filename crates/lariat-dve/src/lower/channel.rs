//! Channels and their messages.
//!
//! A channel that is declared without types carries as many values as its first use shows, and all
//! others must agree.

use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::model::{ChannelType, FixedChannel};
use lariat_ir::source::Span;
use lariat_ir::state::{MAX_TYPES, MAX_WORDS};
use lariat_ir::types::Scalar;

use super::{Global, Lowering};
use crate::ast::{Communication, Ident, Message};
use crate::token::shorten;

/// The most channels of a system.
const MAX_CHANNELS: usize = u16::MAX as usize - 1;

/// The most values in a message.
const MAX_FIELDS: usize = 1 << 16;

impl Lowering {
    /// The channel of a communication, whose number of values is checked.
    pub(super) fn used_channel(&mut self, sync: &Communication) -> Option<usize> {
        let channel = self.channel(&sync.channel)?;
        let declared = &mut self.names.channels[channel];
        let users = match sync.message {
            Message::Send(_) => &mut declared.senders,
            Message::Receive(_) => &mut declared.receivers,
        };
        if let Some(process) = self.scope {
            users.add(process);
        }
        self.check_arity(channel, sync.message.arity(), sync.span);
        Some(channel)
    }

    fn channel(&mut self, name: &Ident) -> Option<usize> {
        if let Some(Global::Channel(channel)) = self.names.globals.get(&name.name) {
            return Some(*channel);
        }
        let variable = self.visible(&name.name).is_some();
        let help = variable.then(|| {
            format!(
                "`{}` is a variable; a channel is declared with `channel`",
                name.name
            )
        });
        let known = self.names.channels.iter().map(|c| c.name.name.clone());
        let known = known.collect();
        let message = format!("channel `{}` is not declared", shorten(&name.name));
        self.unknown(message, name, known, help);
        None
    }

    fn check_arity(&mut self, channel: usize, given: usize, span: Span) {
        let declared = &mut self.names.channels[channel];
        let name = &declared.name.name;
        let (expected, place, words) = match (&declared.fields, declared.arity) {
            (Some(fields), _) => (fields.len(), declared.name.span, "declared here"),
            (None, Some((arity, place))) => (arity, place, "used here in another way"),
            (None, None) => {
                declared.arity = Some((given, span));
                return;
            }
        };
        if expected != given {
            let message = format!(
                "a message of channel `{name}` has {}, not {}",
                values(expected),
                values(given)
            );
            self.report(Diagnostic::error(span, message).related(place, words));
        }
    }

    /// The channels of the model, when all their uses are known.
    pub(super) fn make_channels(&mut self) {
        for index in 0..self.names.channels.len() {
            let channel = &self.names.channels[index];
            let (name, span) = (channel.name.name.clone(), channel.name.span);
            let fields: Vec<Scalar> = match &channel.fields {
                Some(fields) => fields.iter().map(|ty| self.scalar(*ty)).collect(),
                None => vec![Scalar::signed(32); channel.arity.map_or(0, |(n, _)| n)],
            };
            if fields.len() > MAX_FIELDS {
                let message = format!("a message has at most {MAX_FIELDS} values");
                self.error(span, message);
                return;
            }
            let ty = ChannelType::new(channel.capacity, fields);
            if ty.words() > MAX_WORDS {
                self.error(span, "the channel is too large for any state");
                return;
            }
            let known = self.model.channels.iter().position(|t| *t == ty);
            let ty = known.unwrap_or_else(|| {
                self.model.channels.push(ty);
                self.model.channels.len() - 1
            });
            if ty >= MAX_TYPES || index >= MAX_CHANNELS {
                self.error(span, "the system has too many channels");
                return;
            }
            self.model.fixed_channels.push(FixedChannel { name, ty });
        }
    }
}

fn values(count: usize) -> String {
    match count {
        0 => "no value".into(),
        1 => "1 value".into(),
        n => format!("{n} values"),
    }
}
