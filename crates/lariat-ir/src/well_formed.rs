//! Which models can be executed: those whose parts refer to things that exist.
//!
//! The fields of a [`Model`] are public, so that a front end can build one. Compiled code reads and writes words at the
//! offsets that the model names, without looking again; [`Model::validate`] is what makes that sound. It accepts a model if
//!
//! - every number of a process type, a location, a transition, a channel type, a variable and a record is one that there is;
//! - the variables of a frame lie one behind the other inside of it, each at a multiple of its alignment, and records
//!   contain only records before them;
//! - a place lies inside of its variable, whatever its indices are, and does not straddle words;
//! - channel types have the layout of [`ChannelType::new`], and the model that of [`Layout::of`] or none;
//! - a local variable is named only where a process is given;
//! - numbers fit into the headers of blocks (see [`crate::state`]);
//! - at most [`MAX_NESTED`] indivisible sequences are inside of each other.
//!
//! All models of the front ends are accepted, before and after reductions.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::expr::{Expr, Owner, Place};
use crate::layout::Layout;
use crate::model::{
    Action, ChannelType, Effect, Location, Model, Monitor, Pattern, Piece, ProcessType, Transition,
};
use crate::state::{MAX_COUNT, MAX_TYPES};
use crate::types::{Frame, Records, Scalar, Type};

/// The most indivisible sequences that can be inside of each other: more than a front end makes.
pub const MAX_NESTED: usize = 128;

/// Why a model cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The part of the model.
    pub part: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Something with a number that does not exist.
    Missing(&'static str),
    /// There are more of something than a state can number.
    TooMany(&'static str),
    /// A scalar that has no bits, or more than a word.
    Scalar,
    /// A variable, a field or a record that does not lie where it can.
    Frame,
    /// A place that is not inside of its variable, or that straddles words.
    Place,
    /// A channel type with another layout than [`ChannelType::new`] gives it.
    Channel,
    /// Another layout than [`Layout::of`] gives.
    Layout,
    /// A local variable where no process is given.
    Local,
    /// A process that is created with another number of arguments than it has parameters.
    Arguments,
    /// Values that are never read, outside of their frame.
    Dead,
    /// Indivisible sequences inside of each other, without end or too many.
    Nested,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed model: {}: ", self.part)?;
        match self.problem {
            Problem::Missing(what) => write!(f, "there is no such {what}"),
            Problem::TooMany(what) => write!(f, "too many {what}"),
            Problem::Scalar => write!(f, "a scalar has between 1 and 32 bits"),
            Problem::Frame => write!(f, "a variable does not lie where it can"),
            Problem::Place => write!(f, "a place is not inside of its variable"),
            Problem::Channel => write!(f, "the layout is not that of its fields"),
            Problem::Layout => write!(f, "the layout is not that of the model"),
            Problem::Local => write!(f, "a local variable without a process"),
            Problem::Arguments => write!(f, "arguments and parameters differ in number"),
            Problem::Dead => write!(f, "dead values outside of the frame"),
            Problem::Nested => write!(
                f,
                "more than {MAX_NESTED} indivisible sequences inside of each other"
            ),
        }
    }
}

impl std::error::Error for Malformed {}

type Checked = Result<(), Problem>;

impl Model {
    /// Whether the model can be executed.
    pub fn validate(&self) -> Result<(), Malformed> {
        let part = |part: &str, checked: Checked| {
            checked.map_err(|problem| Malformed {
                part: part.into(),
                problem,
            })
        };
        part("the record types", check_records(&self.records))?;
        part("the global variables", check_frame(self, &self.globals))?;
        part("the channel types", check_channels(self))?;
        let types = bounded(self.processes.len(), MAX_TYPES, "process types");
        part("the process types", types)?;
        // What follows speaks of the frames of other processes.
        for process in &self.processes {
            part(&process.name, check_frame(self, &process.frame))?;
        }
        for process in &self.processes {
            check_process(self, process).map_err(|(what, problem)| Malformed {
                part: format!("{}, {what}", process.name),
                problem,
            })?;
        }
        part("the model", check_globals(self))?;
        if let Some(monitor) = &self.monitor {
            part("the monitor", check_monitor(self, monitor))?;
        }
        for invariant in &self.invariants {
            part(
                &invariant.text,
                Scope::global(self).expr(&invariant.condition),
            )?;
        }
        // The layout is made from all of the above.
        let is_layout = |layout: &Layout| Layout::of(self).as_ref() == Some(layout);
        match &self.layout {
            Some(layout) if !is_layout(layout) => part("the model", Err(Problem::Layout)),
            _ => Ok(()),
        }
    }

    /// Whether a condition on states of the model, which must be well-formed itself, can be evaluated.
    pub fn validate_condition(&self, text: &str, condition: &Expr) -> Result<(), Malformed> {
        let checked = Scope::global(self).expr(condition);
        checked.map_err(|problem| Malformed {
            part: text.into(),
            problem,
        })
    }
}

fn exists(index: usize, count: usize, what: &'static str) -> Checked {
    match index < count {
        true => Ok(()),
        false => Err(Problem::Missing(what)),
    }
}

fn bounded(count: usize, most: usize, what: &'static str) -> Checked {
    match count <= most {
        true => Ok(()),
        false => Err(Problem::TooMany(what)),
    }
}

fn demand(holds: bool, problem: Problem) -> Checked {
    match holds {
        true => Ok(()),
        false => Err(problem),
    }
}

fn check_scalar(scalar: Scalar) -> Checked {
    demand((1..=32).contains(&scalar.bits), Problem::Scalar)
}

/// A type whose records are among the first `records`.
fn check_type(ty: &Type, records: usize) -> Checked {
    match ty {
        Type::Scalar(scalar) => check_scalar(*scalar),
        Type::Array(element, _) => check_type(element, records),
        Type::Record(index) => exists(*index, records, "record type"),
    }
}

/// Things that lie one behind the other in so many bits: types with their offsets.
fn check_row<'t>(
    records: &Records,
    known: usize,
    row: impl Iterator<Item = (&'t Type, u32)>,
    bits: u32,
) -> Checked {
    let mut end = 0;
    for (ty, offset) in row {
        check_type(ty, known)?;
        let (size, align) = records.size(ty).map_err(|_| Problem::Frame)?;
        let is_placed = offset >= end && offset.is_multiple_of(align);
        demand(is_placed, Problem::Frame)?;
        end = offset.checked_add(size).ok_or(Problem::Frame)?;
    }
    demand(end <= bits && bits <= Records::MAX_BITS, Problem::Frame)
}

fn check_records(records: &Records) -> Checked {
    for (index, record) in records.0.iter().enumerate() {
        let fields = record.fields.iter().map(|field| (&field.ty, field.offset));
        check_row(records, index, fields, record.bits)?;
        let aligns = record.fields.iter().map(|field| records.size(&field.ty));
        let least = aligns.flatten().map(|(_, align)| align).max().unwrap_or(1);
        let is_aligned = record.align.is_power_of_two()
            && (least..=32).contains(&record.align)
            && record.bits.is_multiple_of(record.align);
        demand(is_aligned, Problem::Frame)?;
    }
    Ok(())
}

fn check_frame(model: &Model, frame: &Frame) -> Checked {
    let variables = frame.variables.iter().map(|v| (&v.ty, v.offset));
    let records = &model.records;
    check_row(records, records.0.len(), variables, frame.bits)
}

fn check_channels(model: &Model) -> Checked {
    bounded(model.channels.len(), MAX_TYPES, "channel types")?;
    for channel in &model.channels {
        bounded(
            channel.capacity as usize,
            MAX_COUNT - 1,
            "messages of a channel",
        )?;
        bounded(channel.fields.len(), 1 << 16, "fields of a message")?;
        channel
            .fields
            .iter()
            .try_for_each(|field| check_scalar(*field))?;
        let laid = ChannelType::new(channel.capacity, channel.fields.clone());
        demand(*channel == laid, Problem::Channel)?;
        bounded(
            channel.words(),
            Records::MAX_BITS as usize / 32,
            "words of a channel",
        )?;
    }
    Ok(())
}

fn check_process(model: &Model, process: &ProcessType) -> Result<(), (String, Problem)> {
    let whole = |problem| ("as a whole".to_string(), problem);
    let scope = Scope {
        model,
        process: Some(process),
    };
    let count = process.locations.len();
    bounded(count, MAX_COUNT, "locations").map_err(whole)?;
    exists(process.initial as usize, count, "location").map_err(whole)?;
    let places = process.parameters.iter().chain(&process.priority);
    places
        .into_iter()
        .try_for_each(|place| scope.own_place(place))
        .map_err(whole)?;
    scope.effects(&process.init).map_err(whole)?;
    process
        .provided
        .iter()
        .try_for_each(|e| scope.expr(e))
        .map_err(whole)?;
    for (number, location) in process.locations.iter().enumerate() {
        let checked = check_location(&scope, process, location);
        checked.map_err(|problem| (format!("location {number}"), problem))?;
    }
    for (number, transition) in process.transitions.iter().enumerate() {
        let checked = exists(transition.target as usize, count, "location")
            .and_then(|()| check_action(&scope, process, &transition.action));
        checked.map_err(|problem| (format!("transition {number}"), problem))?;
    }
    // What follows relies on locations and transitions that exist.
    let mut heights = HashMap::new();
    let mut entries = process.transitions.iter().filter_map(sequence);
    entries
        .try_for_each(|entry| height(process, entry, MAX_NESTED, &mut heights).map(|_| ()))
        .map_err(whole)
}

/// The entry of the indivisible sequence that a transition is, if it is one.
fn sequence(transition: &Transition) -> Option<u32> {
    match transition.action {
        Action::Indivisible { entry } => Some(entry),
        _ => None,
    }
}

/// How many indivisible sequences are inside of each other, at most, in the one with this entry, itself included; an error if they are
/// more than `most`. Executors recurse into them. (An `unless` with a `d_step` as its escape puts one into another.)
fn height(
    process: &ProcessType,
    entry: u32,
    most: usize,
    heights: &mut HashMap<u32, usize>,
) -> Result<usize, Problem> {
    let mut height_of_all = 0;
    if let Some(&height) = heights.get(&entry) {
        height_of_all = height;
    } else if most > 0 {
        for inner in sequences_inside(process, entry) {
            height_of_all = height_of_all.max(height(process, inner, most - 1, heights)?);
        }
        height_of_all += 1;
        heights.insert(entry, height_of_all);
    }
    match most == 0 || height_of_all > most {
        true => Err(Problem::Nested),
        false => Ok(height_of_all),
    }
}

/// The entries of the indivisible sequences that are steps of the one with this entry.
fn sequences_inside(process: &ProcessType, entry: u32) -> Vec<u32> {
    let mut reached = vec![entry];
    let mut known = HashSet::from([entry]);
    let mut found = Vec::new();
    while let Some(at) = reached.pop() {
        for &index in &process.locations[at as usize].transitions {
            let transition = &process.transitions[index as usize];
            found.extend(sequence(transition));
            let target = transition.target;
            if process.locations[target as usize].inside && known.insert(target) {
                reached.push(target);
            }
        }
    }
    found
}

fn check_location(scope: &Scope<'_>, process: &ProcessType, location: &Location) -> Checked {
    let count = process.transitions.len();
    for &index in &location.transitions {
        exists(index as usize, count, "transition")?;
    }
    if let Some(select) = &location.select {
        exists(select.leave as usize, count, "transition")?;
        exists(select.round as usize, count, "transition")?;
        scope.expr(&select.value)?;
        scope.expr(&select.last)?;
    }
    let bits = u64::from(process.frame.bits);
    let is_inside = |&(word, mask): &(u32, u32)| {
        let end = u64::from(word) * 32 + u64::from(32 - mask.leading_zeros());
        mask == 0 || end <= bits
    };
    demand(location.dead.iter().all(is_inside), Problem::Dead)
}

fn check_action(scope: &Scope<'_>, process: &ProcessType, action: &Action) -> Checked {
    match action {
        Action::Send {
            channel, values, ..
        } => {
            scope.expr(channel)?;
            values.iter().try_for_each(|e| scope.expr(e))?;
        }
        Action::Receive {
            channel, pattern, ..
        } => {
            scope.expr(channel)?;
            scope.patterns(pattern)?;
        }
        Action::Indivisible { entry } => {
            exists(*entry as usize, process.locations.len(), "location")?;
        }
        Action::Guarded { .. } | Action::Else | Action::Terminate => {}
    }
    action.condition().iter().try_for_each(|e| scope.expr(e))?;
    scope.effects(action.effects())
}

fn check_globals(model: &Model) -> Checked {
    let scope = Scope::global(model);
    let variables = model.globals.variables.len();
    for &index in &model.hidden {
        exists(index, variables, "variable")?;
    }
    for channel in &model.fixed_channels {
        exists(channel.ty, model.channels.len(), "channel type")?;
    }
    for start in &model.start {
        exists(start.process, model.processes.len(), "process type")?;
    }
    model.last.iter().try_for_each(|p| scope.global_place(p))?;
    scope.effects(&model.init)
}

fn check_monitor(model: &Model, monitor: &Monitor) -> Checked {
    let scope = Scope::global(model);
    let count = monitor.locations.len();
    exists(monitor.initial as usize, count, "location")?;
    scope.global_place(&monitor.place)?;
    let largest = match monitor.set {
        true => {
            bounded(count, Monitor::MAX_SET, "locations of a set")?;
            (1u32 << count) - 1
        }
        false => {
            bounded(count, MAX_COUNT, "locations")?;
            count as u32 - 1
        }
    };
    let kept = monitor.place.scalar.truncate(largest as i32);
    demand(kept == largest as i32, Problem::Scalar)?;
    for (_, place) in &monitor.watched {
        scope.global_place(place)?;
    }
    for event in monitor.locations.iter().flat_map(|l| &l.events) {
        exists(event.target as usize, count, "location")?;
        scope.global_place(&event.channel)?;
        scope.patterns(&event.pattern)?;
    }
    Ok(())
}

/// Where an expression stands: in a process, or outside of all.
#[derive(Clone, Copy)]
struct Scope<'m> {
    model: &'m Model,
    process: Option<&'m ProcessType>,
}

impl<'m> Scope<'m> {
    fn global(model: &'m Model) -> Self {
        Scope {
            model,
            process: None,
        }
    }

    fn process(&self, index: usize) -> Result<&'m ProcessType, Problem> {
        let process = self.model.processes.get(index);
        process.ok_or(Problem::Missing("process type"))
    }

    /// A place with everything in it.
    fn place(&self, place: &Place) -> Checked {
        let frame = match &place.owner {
            Owner::Global => &self.model.globals,
            Owner::Local => &self.process.ok_or(Problem::Local)?.frame,
            Owner::Remote { process, pid } => {
                pid.iter().try_for_each(|pid| self.expr(pid))?;
                &self.process(*process)?.frame
            }
        };
        for index in &place.indices {
            self.expr(&index.value)?;
        }
        self.bits(place, frame)
    }

    /// A place that names a local variable of the process itself.
    fn own_place(&self, place: &Place) -> Checked {
        demand(matches!(place.owner, Owner::Local), Problem::Local)?;
        self.place(place)
    }

    /// A place that names a global variable.
    fn global_place(&self, place: &Place) -> Checked {
        demand(matches!(place.owner, Owner::Global), Problem::Place)?;
        self.place(place)
    }

    /// Whether all bits that a place can name lie inside of its variable, and in one word.
    fn bits(&self, place: &Place, frame: &Frame) -> Checked {
        check_scalar(place.scalar)?;
        let variable = frame.variables.get(place.variable);
        let variable = variable.ok_or(Problem::Missing("variable"))?;
        let size = self.model.records.size(&variable.ty);
        let (size, align) = size.map_err(|_| Problem::Frame)?;
        let unit = place.scalar.storage_bits();
        let mut last = u64::from(place.offset);
        // A frame begins at a multiple of what its variables need, and not of more.
        let mut is_aligned = unit <= align && place.offset.is_multiple_of(unit);
        for index in &place.indices {
            // An index is compared with the length before it is used, so an empty array is never read.
            let most = u64::from(index.length.saturating_sub(1));
            last = last.saturating_add(most * u64::from(index.stride));
            is_aligned &= index.stride.is_multiple_of(unit);
        }
        let end = last.saturating_add(u64::from(unit));
        let is_empty = place.indices.iter().any(|index| index.length == 0);
        let is_inside =
            place.offset >= variable.offset && end <= u64::from(variable.offset) + u64::from(size);
        demand(is_empty || is_aligned && is_inside, Problem::Place)
    }

    fn patterns(&self, patterns: &[Pattern]) -> Checked {
        patterns.iter().try_for_each(|pattern| match pattern {
            Pattern::Any => Ok(()),
            Pattern::Equal(e) => self.expr(e),
            Pattern::Store(place) => self.place(place),
        })
    }

    fn effects(&self, effects: &[Effect]) -> Checked {
        effects.iter().try_for_each(|effect| self.effect(effect))
    }

    fn effect(&self, effect: &Effect) -> Checked {
        match effect {
            Effect::Assign(place, value) => {
                self.place(place)?;
                self.expr(value)
            }
            Effect::CreateChannel(place, ty) => {
                exists(*ty, self.model.channels.len(), "channel type")?;
                self.place(place)
            }
            Effect::Spawn {
                when,
                process,
                arguments,
                ..
            } => {
                let parameters = self.process(*process)?.parameters.len();
                demand(parameters == arguments.len(), Problem::Arguments)?;
                when.iter().chain(arguments).try_for_each(|e| self.expr(e))
            }
            Effect::SetPriority { pid, priority } => {
                self.expr(pid)?;
                self.expr(priority)
            }
            Effect::Assert(e) => self.expr(e),
            Effect::Print(pieces) => pieces.iter().try_for_each(|piece| match piece {
                Piece::Text(_) => Ok(()),
                Piece::Value(e, _) => self.expr(e),
            }),
        }
    }

    fn expr(&self, expr: &Expr) -> Checked {
        match expr {
            Expr::Const(_) | Expr::Pid | Expr::ProcessCount | Expr::Timeout | Expr::NonProgress => {
                Ok(())
            }
            Expr::Load(place) => self.place(place),
            Expr::Unary(_, e)
            | Expr::Channel(_, e)
            | Expr::Enabled(e)
            | Expr::LocationNumber(e)
            | Expr::Priority(e) => self.expr(e),
            Expr::Binary(_, a, b) => {
                self.expr(a)?;
                self.expr(b)
            }
            Expr::Cond(parts) => parts.iter().try_for_each(|e| self.expr(e)),
            Expr::Poll {
                channel, pattern, ..
            } => {
                self.expr(channel)?;
                self.patterns(pattern)
            }
            Expr::At {
                process,
                pid,
                location,
            } => {
                let count = self.process(*process)?.locations.len();
                exists(*location as usize, count, "location")?;
                pid.iter().try_for_each(|pid| self.expr(pid))
            }
        }
    }
}
