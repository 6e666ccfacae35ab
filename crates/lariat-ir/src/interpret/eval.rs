//! The values of expressions, and where variables are.

use super::execute::check_fields;
use super::{Interpreter, Scene, Step, existing, scene};
use crate::expr::{Binary, ChannelQuery, Expr, Owner, Place};
use crate::fault::FaultKind;
use crate::model::{ChannelType, Piece, Select, Style};
use crate::state::State;

impl<'m> Interpreter<'m> {
    /// The value of an expression that belongs to no process, as an invariant is evaluated.
    pub fn eval_global(&self, state: &State, e: &Expr) -> Result<i32, FaultKind> {
        self.eval(scene(state, None, false), e)
    }

    /// The value of a condition of a property: a timeout is a state in which no process can move without
    /// one.
    pub fn eval_observed(&self, state: &State, e: &Expr) -> Result<i32, FaultKind> {
        self.eval_asking(state, e, e.asks_for_timeout())
    }

    /// The same, if it is known whether the condition asks for a timeout.
    pub(crate) fn eval_asking(
        &self,
        state: &State,
        e: &Expr,
        asks: bool,
    ) -> Result<i32, FaultKind> {
        let timeout = asks && !self.can_move(state);
        self.eval(scene(state, None, timeout), e)
    }

    /// How many numbers come after the present one in a loop that chooses a number, for the process
    /// that takes a step there; nothing if an error shows, or if the present number is beyond the last.
    pub(crate) fn numbers_left(&self, state: &State, step: Step, select: &Select) -> Option<u64> {
        let scene = scene(state, Some(step.pid as usize), step.timeout);
        let value = self.eval(scene, &select.value).ok()?;
        let last = self.eval(scene, &select.last).ok()?;
        u64::try_from(i64::from(last) - i64::from(value)).ok()
    }

    pub(super) fn eval(&self, scene: Scene, e: &Expr) -> Result<i32, FaultKind> {
        match e {
            Expr::Const(value) => Ok(*value),
            Expr::Load(place) => self.load(scene, place),
            Expr::Unary(op, a) => Ok(op.apply(self.eval(scene, a)?)),
            Expr::Binary(Binary::And, a, b) => Ok(i32::from(
                self.eval(scene, a)? != 0 && self.eval(scene, b)? != 0,
            )),
            Expr::Binary(Binary::Or, a, b) => Ok(i32::from(
                self.eval(scene, a)? != 0 || self.eval(scene, b)? != 0,
            )),
            Expr::Binary(op, a, b) => op
                .apply(self.eval(scene, a)?, self.eval(scene, b)?)
                .ok_or(FaultKind::DivisionByZero),
            Expr::Cond(parts) => {
                let [condition, yes, no] = &**parts;
                if self.eval(scene, condition)? != 0 {
                    self.eval(scene, yes)
                } else {
                    self.eval(scene, no)
                }
            }
            Expr::Channel(query, channel) => {
                let channel = self.channel(scene, channel)?;
                let length = scene.state.channel_length(channel);
                let capacity = self.channel_type(scene.state, channel).capacity as usize;
                let full = capacity > 0 && length == capacity;
                Ok(match query {
                    ChannelQuery::Length => length as i32,
                    ChannelQuery::Full => i32::from(full),
                    ChannelQuery::NotFull => i32::from(!full),
                    ChannelQuery::Empty => i32::from(length == 0),
                    ChannelQuery::NotEmpty => i32::from(length > 0),
                })
            }
            Expr::Poll {
                channel,
                pattern,
                anywhere,
            } => {
                let scene = Scene {
                    offer: None,
                    ..scene
                };
                let channel = self.channel(scene, channel)?;
                let found = self.find_message(scene, channel, pattern, *anywhere, true)?;
                Ok(i32::from(found.is_some()))
            }
            Expr::Pid => Ok(scene.pid.map_or(0, |p| p as i32)),
            Expr::ProcessCount => Ok(scene.state.process_count() as i32),
            Expr::Timeout => Ok(i32::from(scene.timeout)),
            Expr::NonProgress => Ok(i32::from(!self.is_progress(scene.state))),
            Expr::Enabled(pid) => {
                let pid = self.eval(scene, pid)?;
                Ok(existing(scene.state, pid)
                    .map_or(0, |pid| i32::from(self.is_enabled(scene, pid))))
            }
            Expr::LocationNumber(pid) => {
                let pid = self.eval(scene, pid)?;
                Ok(existing(scene.state, pid).map_or(0, |pid| {
                    let process = &self.model.processes[scene.state.process_type(pid)];
                    process.locations[scene.state.location(pid) as usize].number as i32
                }))
            }
            Expr::Priority(pid) => {
                let pid = self.eval(scene, pid)?;
                Ok(existing(scene.state, pid).map_or(0, |pid| self.priority(scene.state, pid)))
            }
            Expr::At {
                process,
                pid,
                location,
            } => Ok(self
                .remote(scene, *process, pid.as_deref())?
                .map_or(0, |pid| i32::from(scene.state.location(pid) == *location))),
        }
    }

    pub(super) fn load(&self, scene: Scene, place: &Place) -> Result<i32, FaultKind> {
        Ok(self
            .locate(scene, place)?
            .map_or(0, |bit| place.scalar.load(scene.state.words(), bit)))
    }

    /// Where a place is in the state, or `None` if its owner does not exist.
    pub(super) fn locate(&self, scene: Scene, place: &Place) -> Result<Option<u32>, FaultKind> {
        let base = match &place.owner {
            Owner::Global => 0,
            Owner::Local => match scene.pid {
                Some(pid) => scene.state.frame_bit(pid),
                None => return Ok(None),
            },
            Owner::Remote { process, pid } => {
                match self.remote(scene, *process, pid.as_deref())? {
                    Some(pid) => scene.state.frame_bit(pid),
                    None => return Ok(None),
                }
            }
        };
        let mut bit = base + place.offset;
        for index in &place.indices {
            let value = self.eval(scene, &index.value)?;
            if value < 0 || value as u32 >= index.length {
                return Err(FaultKind::IndexOutOfRange);
            }
            bit += value as u32 * index.stride;
        }
        Ok(Some(bit))
    }

    /// The process that a remote reference speaks of, if it exists.
    pub(super) fn remote(
        &self,
        scene: Scene,
        process: usize,
        pid: Option<&Expr>,
    ) -> Result<Option<usize>, FaultKind> {
        let state = scene.state;
        let found = match pid {
            Some(pid) => existing(state, self.eval(scene, pid)?),
            None => (0..state.process_count()).find(|&p| state.process_type(p) == process),
        };
        Ok(found.filter(|&p| state.process_type(p) == process))
    }

    pub(super) fn channel(&self, scene: Scene, e: &Expr) -> Result<usize, FaultKind> {
        let value = self.eval(scene, e)?;
        usize::try_from(value)
            .ok()
            .and_then(|v| v.checked_sub(1))
            .filter(|&c| c < scene.state.channel_count())
            .ok_or(FaultKind::NoSuchChannel)
    }

    pub(super) fn channel_type(&self, state: &State, channel: usize) -> &'m ChannelType {
        &self.model.channels[state.channel_type(channel)]
    }

    /// The fields of a message as they are sent.
    pub(super) fn raw_message(&self, scene: Scene, values: &[Expr]) -> Result<Vec<i32>, FaultKind> {
        values.iter().map(|e| self.eval(scene, e)).collect()
    }

    /// The fields of a message as the channel holds them.
    pub(super) fn message(
        &self,
        scene: Scene,
        values: &[Expr],
        ty: &ChannelType,
    ) -> Result<Vec<i32>, FaultKind> {
        let raw = self.raw_message(scene, values)?;
        check_fields(ty, &raw)?;
        Ok(ty
            .fields
            .iter()
            .enumerate()
            .map(|(i, field)| field.truncate(raw.get(i).copied().unwrap_or(0)))
            .collect())
    }

    pub(super) fn is_progress(&self, state: &State) -> bool {
        (0..state.process_count()).any(|pid| {
            self.model.processes[state.process_type(pid)].locations[state.location(pid) as usize]
                .progress
        })
    }

    /// Whether a process stands at an accept label.
    pub fn is_accepting(&self, state: &State) -> bool {
        (0..state.process_count()).any(|pid| {
            self.model.processes[state.process_type(pid)].locations[state.location(pid) as usize]
                .accept
        })
    }

    /// Whether every process stands where it may rest for ever.
    pub fn is_valid_end(&self, state: &State) -> bool {
        (0..state.process_count()).all(|pid| {
            self.model.processes[state.process_type(pid)].locations[state.location(pid) as usize]
                .end
        })
    }

    /// Whether the monitor, if there is one, may rest where it is.
    pub fn is_monitor_at_rest(&self, state: &State) -> bool {
        self.model.monitor.as_ref().is_none_or(|monitor| {
            monitor.negated
                || self
                    .load(scene(state, None, false), &monitor.place)
                    .is_ok_and(|at| monitor.current(at).any(|l| l.end))
        })
    }

    /// Evaluates what is printed; the text is made only if there is a place for it.
    pub(super) fn print(
        &self,
        scene: Scene,
        pieces: &[Piece],
        mut output: Option<&mut String>,
    ) -> Result<(), FaultKind> {
        for piece in pieces {
            match piece {
                Piece::Text(t) => {
                    if let Some(text) = &mut output {
                        text.push_str(t);
                    }
                }
                Piece::Value(e, style) => {
                    let value = self.eval(scene, e)?;
                    let Some(text) = &mut output else { continue };
                    match style {
                        Style::Decimal => text.push_str(&value.to_string()),
                        Style::Unsigned => text.push_str(&(value as u32).to_string()),
                        Style::Hexadecimal => text.push_str(&format!("{value:x}")),
                        Style::Octal => text.push_str(&format!("{value:o}")),
                        Style::Character => text.push(value as u8 as char),
                        Style::Name(set) => text.push_str(&self.model.value_name(*set, value)),
                    }
                }
            }
        }
        Ok(())
    }
}
