//! Static facts about a model: constants, and the positions of variables and blocks in a state.
//!
//! A global variable that is never assigned to is a constant, also if it is a channel. Channels that are created
//! before the first process have the same offset in every state, because the blocks of a state form a stack; if the
//! model has a fixed layout, everything has.

use lariat_ir::expr::{Expr, Owner, Place};
use lariat_ir::interpret::{Interpreter, Observed};
use lariat_ir::layout;
use lariat_ir::model::{
    Action, ChannelId, Effect, Model, Pattern, ProcessId, ProcessType, Transition,
};
use lariat_ir::state::{CHANNEL, State, TYPE_SHIFT};

/// The offsets in a block, in bytes from its start, and the format of its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The offset of the location or the length.
    pub(crate) count: i32,
    /// How many bits it has.
    pub(crate) bits: u32,
    /// The other bits of the same word.
    pub(crate) tag: u32,
    /// The offset of the variables or the messages.
    pub(crate) body: i32,
}

impl Shape {
    /// A block of the stack, which starts with a header.
    fn stacked(tag: u32) -> Self {
        Shape {
            count: 0,
            bits: 32,
            tag,
            body: 4,
        }
    }

    /// A block of a layout.
    fn placed(shape: layout::Shape) -> Self {
        Shape {
            count: (shape.count / 8) as i32,
            bits: u32::from(shape.count_bits),
            tag: 0,
            body: (shape.body / 8) as i32,
        }
    }
}

/// A process of a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) ty: ProcessId,
    /// The byte at which it starts, and that of its location.
    pub(crate) at: u32,
    pub(crate) count: u32,
    /// The first number of its locations.
    pub(crate) base: u32,
}

/// Facts about a model.
#[derive(Debug)]
pub(crate) struct Facts<'m> {
    pub(crate) model: &'m Model,
    /// Whether failed assertions are reported.
    pub(crate) assertions: bool,
    pub(crate) uses_timeout: bool,
    /// Whether a sender of a rendezvous can have effects after its message was received.
    pub(crate) finishes: bool,
    /// Whether a process can be committed.
    pub(crate) has_committed: bool,
    /// The first number of the locations of each process type.
    pub(crate) bases: Vec<u32>,
    /// The number of locations of all process types.
    pub(crate) locations: usize,
    /// The number of words of a block of each process type and channel type, with its header.
    pub(crate) process_words: Vec<u32>,
    pub(crate) channel_words: Vec<u32>,
    /// Words of the state with the bits of hidden variables and their initial values.
    pub(crate) hidden: Vec<(u32, u32, u32)>,
    /// The layout of the blocks of each process type and channel type.
    pub(crate) process_shapes: Vec<Shape>,
    pub(crate) channel_shapes: Vec<Shape>,
    /// The byte and the type of the channels that exist in every state.
    pub(crate) fixed: Vec<(u32, ChannelId)>,
    /// The bits of the location of a process.
    pub(crate) count_bits: u32,
    /// The processes, if they are the same in every state, and the words of a state.
    pub(crate) placed: Option<(Vec<Placed>, usize)>,
    /// The global variables that are assigned to.
    varies: Vec<bool>,
    initial: Option<State>,
}

/// What is known about the channel that an expression denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// It is this one.
    Fixed(usize),
    /// It has one of these types, if it exists.
    OneOf(Vec<ChannelId>),
}

impl<'m> Facts<'m> {
    pub(crate) fn new(model: &'m Model, assertions: bool) -> Self {
        let mut locations = 0;
        let bases = model
            .processes
            .iter()
            .map(|p| {
                let base = locations as u32;
                locations += p.locations.len();
                base
            })
            .collect();
        let initial = Interpreter::new(model)
            .initial(&mut Observed::default())
            .ok();
        let mut facts = Facts {
            model,
            assertions,
            uses_timeout: model.uses_timeout(),
            finishes: (model.processes.iter())
                .any(|p| p.transitions.iter().any(|t| finishes(p, t))),
            has_committed: model.has_committed(),
            bases,
            locations,
            process_words: (model.processes.iter())
                .map(|p| 1 + p.frame.words() as u32)
                .collect(),
            channel_words: (model.channels.iter())
                .map(|c| 1 + c.words() as u32)
                .collect(),
            hidden: Vec::new(),
            process_shapes: process_shapes(model),
            channel_shapes: channel_shapes(model),
            fixed: Vec::new(),
            count_bits: process_shapes(model).first().map_or(32, |s| s.bits),
            placed: None,
            varies: varying(model),
            initial,
        };
        facts.hidden = facts.hidden_bits();
        facts.fixed = facts.fixed_channels();
        facts.placed = facts.placed_processes();
        facts
    }

    fn placed_processes(&self) -> Option<(Vec<Placed>, usize)> {
        let layout = self.model.layout.as_ref()?;
        let placed = layout.processes.iter().map(|block| Placed {
            ty: block.ty,
            at: block.body / 8,
            count: block.count / 8,
            base: self.bases[block.ty],
        });
        Some((placed.collect(), layout.words))
    }

    /// The process of a type with a number, or the first without a number: the byte at which it starts, or
    /// `Some(None)` if there is none. `None` unless the model has a fixed layout and the number is known.
    pub(crate) fn place_of(&self, ty: ProcessId, pid: Option<i32>) -> Option<Option<u32>> {
        let (placed, _) = self.placed.as_ref()?;
        let found = match pid {
            Some(pid) => usize::try_from(pid).ok().and_then(|pid| placed.get(pid)),
            None => placed.iter().find(|p| p.ty == ty),
        };
        Some(found.filter(|p| p.ty == ty).map(|p| p.at))
    }

    /// The start of the only process of a type, if there is always exactly one.
    pub(crate) fn single(&self, ty: ProcessId) -> Option<u32> {
        let (placed, _) = self.placed.as_ref()?;
        let mut all = placed.iter().filter(|p| p.ty == ty);
        all.next().filter(|_| all.next().is_none()).map(|p| p.at)
    }

    fn hidden_bits(&self) -> Vec<(u32, u32, u32)> {
        let Some(initial) = &self.initial else {
            return Vec::new();
        };
        let mut masks = vec![0u32; self.model.globals.words()];
        for &index in &self.model.hidden {
            let variable = &self.model.globals.variables[index];
            let size = self.model.records.size(&variable.ty).map_or(0, |s| s.0);
            for bit in variable.offset..variable.offset + size {
                masks[(bit / 32) as usize] |= 1 << (bit % 32);
            }
        }
        let entry = |(word, mask): (usize, u32)| (word as u32, mask, initial.words()[word] & mask);
        let masks = masks.into_iter().enumerate();
        masks.filter(|(_, mask)| *mask != 0).map(entry).collect()
    }

    /// The channels before the first process, or all if the model has a fixed layout.
    fn fixed_channels(&self) -> Vec<(u32, ChannelId)> {
        if let Some(layout) = &self.model.layout {
            let channels = layout.channels.iter();
            return channels.map(|c| (c.body / 8, c.ty)).collect();
        }
        let mut at = self.model.globals.words() as u32;
        let place = |ty: ChannelId| {
            let byte = at * 4;
            at += self.channel_words[ty];
            (byte, ty)
        };
        let channels = layout::leading_channels(self.model);
        channels.into_iter().map(place).collect()
    }

    /// The value of a place, if it is constant.
    pub(crate) fn constant(&self, place: &Place) -> Option<i32> {
        let initial = self.settled(place)?;
        let mut bit = place.offset;
        for index in &place.indices {
            let Expr::Const(value) = index.value else {
                return None;
            };
            let value = u32::try_from(value).ok().filter(|v| *v < index.length)?;
            bit += value * index.stride;
        }
        Some(place.scalar.load(initial.words(), bit))
    }

    /// The initial state, if the variable of the place is constant.
    fn settled(&self, place: &Place) -> Option<&State> {
        let global = matches!(place.owner, Owner::Global) && !self.varies[place.variable];
        self.initial.as_ref().filter(|_| global)
    }

    /// What is known about a channel expression.
    pub(crate) fn channel(&self, e: &Expr) -> Known {
        let value = match e {
            Expr::Const(value) => Some(*value),
            Expr::Load(place) => self.constant(place),
            _ => None,
        };
        let number = value.and_then(|v| usize::try_from(v).ok()?.checked_sub(1));
        match number {
            Some(number) if number < self.fixed.len() => Known::Fixed(number),
            _ => Known::OneOf(self.channel_types(e)),
        }
    }

    fn channel_types(&self, e: &Expr) -> Vec<ChannelId> {
        let all = || (0..self.model.channels.len()).collect();
        let Expr::Load(place) = e else { return all() };
        let (Some(initial), [index]) = (self.settled(place), &place.indices[..]) else {
            return all();
        };
        let mut types: Vec<ChannelId> = Vec::new();
        for i in 0..index.length {
            let bit = place.offset + i * index.stride;
            let value = place.scalar.load(initial.words(), bit);
            let number = usize::try_from(value).ok().and_then(|v| v.checked_sub(1));
            match number.map(|n| self.fixed.get(n)) {
                // Not a channel: the generated code detects it.
                None => {}
                Some(Some((_, ty))) if types.contains(ty) => {}
                Some(Some((_, ty))) => types.push(*ty),
                Some(None) => return all(),
            }
        }
        types
    }
}

fn process_shapes(model: &Model) -> Vec<Shape> {
    let shape = |ty| match &model.layout {
        Some(_) => Shape::placed(layout::Shape::of_process(model, ty)),
        None => Shape::stacked((ty as u32) << TYPE_SHIFT),
    };
    (0..model.processes.len()).map(shape).collect()
}

fn channel_shapes(model: &Model) -> Vec<Shape> {
    let shape = |ty| match &model.layout {
        Some(_) => Shape::placed(layout::Shape::of_channel(model, ty)),
        None => Shape::stacked(CHANNEL | (ty as u32) << TYPE_SHIFT),
    };
    (0..model.channels.len()).map(shape).collect()
}

/// Whether a process has effects to execute after its message was received.
pub(crate) fn finishes(process: &ProcessType, transition: &Transition) -> bool {
    let target = &process.locations[transition.target as usize];
    matches!(transition.action, Action::Send { .. })
        && !(transition.action.effects().is_empty() && target.dead.is_empty())
}

/// The global variables that may change after the initial state.
fn varying(model: &Model) -> Vec<bool> {
    let mut varies = vec![false; model.globals.variables.len()];
    let mut write = |place: &Place| {
        if matches!(place.owner, Owner::Global) {
            varies[place.variable] = true;
        }
    };
    model.last.iter().for_each(&mut write);
    model.monitor.iter().for_each(|m| write(&m.place));
    for process in &model.processes {
        process.priority.iter().for_each(&mut write);
        process.parameters.iter().for_each(&mut write);
        let mut effect = |e: &Effect| {
            if let Effect::Assign(place, _) | Effect::CreateChannel(place, _) = e {
                write(place);
            }
        };
        process.init.iter().for_each(&mut effect);
        for transition in &process.transitions {
            transition.action.effects().iter().for_each(&mut effect);
            if let Action::Receive { pattern, .. } = &transition.action {
                for p in pattern {
                    if let Pattern::Store(place) = p {
                        effect(&Effect::Assign(place.clone(), Expr::TRUE));
                    }
                }
            }
        }
    }
    varies
}
