//! Where things lie in a state.
//!
//! In general a state is a stack of blocks: processes and channels come and go, and each block says
//! in its first word what it is (see [`crate::state`]). If a model has the same processes and
//! channels in all its states, nothing needs to be said: a [`Layout`] knows where each of them is. A
//! place of control takes a byte or two instead of a word, a channel without a buffer nothing at all,
//! and the blocks need not begin at words. So states are a few times smaller, which is a few times
//! less to copy, to hash and to compare.

use crate::model::{Action, ChannelId, Effect, Model, ProcessId, ProcessType};
use crate::types::Frame;

/// Where a process or a channel lies in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The type of the process or of the channel.
    pub ty: usize,
    /// The bit at which the location or the length is found.
    pub count: u32,
    /// How many bits it has; none if it is always zero.
    pub count_bits: u8,
    /// The bit at which the variables or the messages begin.
    pub body: u32,
}

/// A layout that all states of a model share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The words of a state.
    pub words: usize,
    /// The processes, by their numbers.
    pub processes: Vec<Block>,
    /// The channels, by their numbers.
    pub channels: Vec<Block>,
}

/// How the blocks of a type look: distances from where a block begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its bits.
    pub bits: u32,
    /// It begins at a multiple of so many bits.
    pub align: u32,
    /// Where the location or the length is.
    pub count: u32,
    /// How many bits that has.
    pub count_bits: u8,
    /// Where the variables or the messages are.
    pub body: u32,
}

impl Layout {
    /// The layout of a model's states, if there is one for all.
    pub fn of(model: &Model) -> Option<Layout> {
        if !is_fixed(model) {
            return None;
        }
        let processes = model.start.iter().map(|s| s.process);
        let channels = initial_channels(model);
        let mut pieces: Vec<Piece> = processes
            .map(|ty| Piece::new(ty, Shape::of_process(model, ty)))
            .collect();
        let process_count = pieces.len();
        pieces.extend((channels.iter()).map(|&ty| Piece::new(ty, Shape::of_channel(model, ty))));
        // Without gaps: what needs the coarsest places comes first.
        let mut order: Vec<usize> = (0..pieces.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(pieces[i].shape.align));
        let mut end = u64::from(model.globals.bits.next_multiple_of(8));
        for index in order {
            let piece = &mut pieces[index];
            let start = end.next_multiple_of(u64::from(piece.shape.align));
            piece.start = u32::try_from(start).ok()?;
            end = start + u64::from(piece.shape.bits);
        }
        let channels = pieces.split_off(process_count);
        Some(Layout {
            words: u32::try_from(end).ok()?.div_ceil(32) as usize,
            processes: pieces.iter().map(Piece::block).collect(),
            channels: channels.iter().map(Piece::block).collect(),
        })
    }
}

/// A block that is being placed.
struct Piece {
    ty: usize,
    shape: Shape,
    start: u32,
}

impl Piece {
    fn new(ty: usize, shape: Shape) -> Self {
        Piece {
            ty,
            shape,
            start: 0,
        }
    }

    fn block(&self) -> Block {
        Block {
            ty: self.ty,
            count: self.start + self.shape.count,
            count_bits: self.shape.count_bits,
            body: self.start + self.shape.body,
        }
    }
}

impl Shape {
    /// A process in a layout: its variables, and then its location.
    pub fn of_process(model: &Model, ty: ProcessId) -> Shape {
        let process = &model.processes[ty];
        // The same for all types, so that one process can move another without knowing its type.
        let locations = model.processes.iter().map(|p| p.locations.len());
        let count_bits = counter_bits(locations.max().unwrap_or(0).saturating_sub(1));
        let count = process.frame.bits.next_multiple_of(u32::from(count_bits));
        Shape {
            bits: count + u32::from(count_bits),
            align: alignment(model, &process.frame).max(u32::from(count_bits)),
            count,
            count_bits,
            body: 0,
        }
    }

    /// A channel in a layout: whole words of messages, and then their number.
    pub fn of_channel(model: &Model, ty: ChannelId) -> Shape {
        let channel = &model.channels[ty];
        if channel.capacity == 0 {
            return Shape {
                bits: 0,
                align: 1,
                count: 0,
                count_bits: 0,
                body: 0,
            };
        }
        let count = channel.words() as u32 * 32;
        let count_bits = counter_bits(channel.capacity as usize);
        Shape {
            bits: count + u32::from(count_bits),
            align: 32,
            count,
            count_bits,
            body: 0,
        }
    }
}

/// The bits that hold all numbers up to a maximum: one, two or four bytes.
fn counter_bits(maximum: usize) -> u8 {
    match maximum {
        0..=0xff => 8,
        0x100..=0xffff => 16,
        _ => 32,
    }
}

/// What the position of a frame must be a multiple of; at least a byte.
fn alignment(model: &Model, frame: &Frame) -> u32 {
    let sizes = frame.variables.iter().map(|v| model.records.size(&v.ty));
    sizes
        .map(|s| s.map_or(32, |s| s.1))
        .max()
        .unwrap_or(1)
        .max(8)
}

/// Whether all states have the same processes and channels.
fn is_fixed(model: &Model) -> bool {
    let spawns = |e: &Effect| matches!(e, Effect::Spawn { .. });
    !model.init.iter().any(spawns)
        && (model.start.iter()).all(|s| {
            let process = &model.processes[s.process];
            !process.init.iter().any(spawns) && stays(process)
        })
}

/// Whether a process never ends and creates nothing.
fn stays(process: &ProcessType) -> bool {
    let creates = |e: &Effect| matches!(e, Effect::Spawn { .. } | Effect::CreateChannel(..));
    let changes = |action: &Action| {
        matches!(action, Action::Terminate) || action.effects().iter().any(creates)
    };
    let locations = process.locations.iter().zip(reachable(process));
    let mut taken = locations
        .filter(|(_, is_reachable)| *is_reachable)
        .flat_map(|(location, _)| &location.transitions);
    !taken.any(|&index| changes(&process.transitions[index as usize].action))
}

/// Which locations can be reached from where a process starts, if every transition can be taken.
pub fn reachable(process: &ProcessType) -> Vec<bool> {
    let mut seen = vec![false; process.locations.len()];
    let mut todo = vec![process.initial];
    while let Some(at) = todo.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        for &index in &process.locations[at as usize].transitions {
            let transition = &process.transitions[index as usize];
            if let Action::Indivisible { entry } = transition.action {
                todo.push(entry);
            }
            todo.push(transition.target);
        }
    }
    seen
}

/// The types of the channels that exist before the first process, in their order. They lie behind
/// the global variables of every state that is a stack of blocks.
pub fn leading_channels(model: &Model) -> Vec<ChannelId> {
    let spawns = |e: &&Effect| matches!(e, Effect::Spawn { .. });
    let init = model.init.iter().take_while(|e| !spawns(e));
    let fixed = model.fixed_channels.iter().map(|c| c.ty);
    fixed.chain(init.filter_map(created)).collect()
}

/// The types of the channels, in the order in which they are created.
fn initial_channels(model: &Model) -> Vec<ChannelId> {
    let mut channels: Vec<ChannelId> = model.fixed_channels.iter().map(|c| c.ty).collect();
    channels.extend(model.init.iter().filter_map(created));
    for start in &model.start {
        let init = &model.processes[start.process].init;
        channels.extend(init.iter().filter_map(created));
    }
    channels
}

/// The type of the channel that an effect creates.
fn created(effect: &Effect) -> Option<ChannelId> {
    match effect {
        Effect::CreateChannel(_, ty) => Some(*ty),
        _ => None,
    }
}
