//! Which channels a channel expression can denote.
//!
//! Channels that are made before the first process exists live as long as the state does, and
//! their numbers are known: these are the *fixed* channels, told apart one by one. All others come
//! and go, and a number that was kept too long may denote a newer one, so they are taken together
//! as one class, the *dynamic* channels.
//!
//! What a variable or a message field can hold is found as by L. O. Andersen (*Program analysis and
//! specialization for the C programming language*, 1994), without regard to the order of statements:
//! every assignment `x = y` says that `x` may hold what `y` may, until nothing new is learnt. A
//! number that is the result of arithmetic may be any channel.

use std::collections::HashMap;

use super::set::Set;
use crate::expr::{Expr, Owner, Place};
use crate::model::{Action, ChannelType, Effect, Model, Pattern, ProcessId};
use crate::types::Scalar;

/// The channels that are held by variables and messages, as sets of classes: class `n` is the fixed
/// channel `n`; the last class is that of the dynamic channels.
#[derive(Debug)]
pub(super) struct Aliases<'m> {
    model: &'m Model,
    /// The types of the fixed channels.
    fixed: Vec<&'m ChannelType>,
    globals: Vec<Set>,
    locals: Vec<Vec<Set>>,
    /// By class, then by field.
    messages: Vec<Vec<Set>>,
    /// Which globals are written after the beginning, or at an index that is not a constant.
    varies: Vec<bool>,
    /// What is stored at a bit of a global that does not vary.
    cells: HashMap<u32, Set>,
    grown: bool,
}

impl<'m> Aliases<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let fixed: Vec<_> = model
            .init
            .iter()
            // What is made after a process ends with it.
            .take_while(|e| !matches!(e, Effect::Spawn { .. }))
            .filter_map(|e| match e {
                Effect::CreateChannel(_, ty) => Some(&model.channels[*ty]),
                _ => None,
            })
            .collect();
        let classes = fixed.len() + 1;
        let fields = model.channels.iter().map(|c| c.fields.len()).max();
        let mut aliases = Aliases {
            model,
            fixed,
            globals: vec![Set::default(); model.globals.variables.len()],
            locals: model
                .processes
                .iter()
                .map(|p| vec![Set::default(); p.frame.variables.len()])
                .collect(),
            messages: vec![vec![Set::default(); fields.unwrap_or(0)]; classes],
            varies: vec![false; model.globals.variables.len()],
            cells: HashMap::new(),
            grown: true,
        };
        while aliases.grown {
            aliases.grown = false;
            aliases.round();
        }
        aliases
    }

    /// The number of classes.
    pub(super) fn classes(&self) -> usize {
        self.fixed.len() + 1
    }

    /// The class of the dynamic channels.
    pub(super) fn dynamic(&self) -> usize {
        self.fixed.len()
    }

    /// Whether a class has a channel without a buffer.
    pub(super) fn may_be_rendezvous(&self, class: usize) -> bool {
        match self.fixed.get(class) {
            Some(ty) => ty.capacity == 0,
            None => self.model.channels.iter().any(|ty| ty.capacity == 0),
        }
    }

    /// Whether a class is a channel that never has a message in it.
    pub(super) fn is_unbuffered(&self, class: usize) -> bool {
        self.fixed.get(class).is_some_and(|ty| ty.capacity == 0)
    }

    /// The channels that the value of an expression can denote, for a process of type `own`.
    pub(super) fn channels(&self, own: Option<ProcessId>, e: &Expr) -> Set {
        match e {
            Expr::Const(value) => match usize::try_from(*value) {
                Err(_) | Ok(0) => Set::default(),
                Ok(number) => [(number - 1).min(self.dynamic())].into_iter().collect(),
            },
            Expr::Load(place) => self.held(own, place),
            Expr::Cond(parts) => {
                let mut set = self.channels(own, &parts[1]);
                set.union(&self.channels(own, &parts[2]));
                set
            }
            _ => self.any(),
        }
    }

    fn any(&self) -> Set {
        Set::below(self.classes())
    }

    fn held(&self, own: Option<ProcessId>, place: &Place) -> Set {
        if matches!(place.owner, Owner::Global) {
            let constant = constant_bit(place).filter(|_| !self.varies[place.variable]);
            return match constant {
                Some(bit) => self.cells.get(&bit).cloned().unwrap_or_default(),
                None => self.globals[place.variable].clone(),
            };
        }
        frame_of(place, own).map_or_else(Set::default, |p| self.locals[p][place.variable].clone())
    }

    fn round(&mut self) {
        let model = self.model;
        let mut made = 0;
        for effect in &model.init {
            if let Effect::CreateChannel(place, _) = effect {
                let class = made.min(self.dynamic());
                made += 1;
                self.store(None, place, &[class].into_iter().collect(), true);
            } else {
                self.effect(None, effect, true);
            }
        }
        for (own, process) in model.processes.iter().enumerate() {
            process
                .init
                .iter()
                .for_each(|e| self.effect(Some(own), e, false));
            for transition in &process.transitions {
                self.action(own, &transition.action);
            }
        }
        // Numbers that the interpreter itself stores somewhere.
        let any = self.any();
        let monitor = model.monitor.as_ref().map(|m| &m.place);
        for place in model.last.iter().chain(monitor) {
            self.store(None, place, &any, false);
        }
        for (own, process) in model.processes.iter().enumerate() {
            if let Some(place) = &process.priority {
                self.store(Some(own), place, &any, false);
            }
        }
    }

    fn effect(&mut self, own: Option<ProcessId>, effect: &Effect, at_start: bool) {
        match effect {
            Effect::Assign(place, value) => {
                let set = self.channels(own, value);
                self.store(own, place, &set, at_start);
            }
            Effect::CreateChannel(place, _) => {
                let set = [self.dynamic()].into_iter().collect();
                self.store(own, place, &set, at_start);
            }
            Effect::Spawn {
                process, arguments, ..
            } => {
                let parameters = &self.model.processes[*process].parameters;
                for (place, value) in parameters.iter().zip(arguments) {
                    let set = self.channels(own, value);
                    self.store(Some(*process), place, &set, false);
                }
            }
            Effect::SetPriority { .. } | Effect::Assert(_) | Effect::Print(_) => {}
        }
    }

    fn action(&mut self, own: ProcessId, action: &Action) {
        match action {
            Action::Send {
                channel, values, ..
            } => {
                let classes = self.channels(Some(own), channel);
                for (field, value) in values.iter().enumerate() {
                    let set = self.channels(Some(own), value);
                    for class in classes.iter() {
                        self.send(class, field, &set);
                    }
                }
            }
            Action::Receive {
                channel, pattern, ..
            } => {
                let classes = self.channels(Some(own), channel);
                for (field, pattern) in pattern.iter().enumerate() {
                    if let Pattern::Store(place) = pattern {
                        for class in classes.iter() {
                            if let Some(set) = self.messages[class].get(field).cloned() {
                                self.store(Some(own), place, &set, false);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        let effects = action.effects().iter();
        effects.for_each(|e| self.effect(Some(own), e, false));
    }

    fn send(&mut self, class: usize, field: usize, set: &Set) {
        let types = match self.fixed.get(class) {
            Some(ty) => std::slice::from_ref(*ty),
            None => &self.model.channels,
        };
        for scalar in types.iter().filter_map(|ty| ty.fields.get(field)) {
            let set = self.cut(*scalar, set);
            self.grown |= self.messages[class][field].union(&set);
        }
    }

    fn store(&mut self, own: Option<ProcessId>, place: &Place, set: &Set, at_start: bool) {
        let set = self.cut(place.scalar, set);
        if matches!(place.owner, Owner::Global) {
            match constant_bit(place).filter(|_| at_start) {
                Some(bit) => self.grown |= self.cells.entry(bit).or_default().union(&set),
                None => {
                    self.grown |= !self.varies[place.variable];
                    self.varies[place.variable] = true;
                }
            }
            self.grown |= self.globals[place.variable].union(&set);
        } else if let Some(process) = frame_of(place, own) {
            self.grown |= self.locals[process][place.variable].union(&set);
        }
    }

    /// What is left of channel numbers in a variable that may be too small for them.
    fn cut(&self, scalar: Scalar, set: &Set) -> Set {
        let fits = set.iter().all(|class| {
            // The interpreter allows no more channels than that.
            let most = i32::from(u16::MAX);
            let number = if class == self.dynamic() {
                most
            } else {
                class as i32 + 1
            };
            scalar.truncate(number) == number
        });
        if fits { set.clone() } else { self.any() }
    }
}

/// The type of the process in whose frame a place is, if it is not a global one.
pub(super) fn frame_of(place: &Place, own: Option<ProcessId>) -> Option<ProcessId> {
    match place.owner {
        Owner::Global => None,
        Owner::Local => own,
        Owner::Remote { process, .. } => Some(process),
    }
}

/// The bit of a place whose indices are constants inside their arrays.
fn constant_bit(place: &Place) -> Option<u32> {
    let mut bit = place.offset;
    for index in &place.indices {
        match index.value {
            Expr::Const(value) if (0..index.length as i64).contains(&i64::from(value)) => {
                bit += value as u32 * index.stride;
            }
            _ => return None,
        }
    }
    Some(bit)
}
