//! Small random models. They use every construct of the IR, mean nothing, and are well-formed: an
//! index may be out of range and a channel may be none, but nothing refers to what is not declared.

use std::sync::Arc;

use lariat_ir::expr::{Binary, ChannelQuery, Expr, Owner, Place};
use lariat_ir::layout::Layout;
use lariat_ir::model::{
    Action, Direction, Effect, Model, Monitor, MonitorEvent, MonitorLocation, Pattern, Select,
};
use lariat_ir::types::{Scalar, Type};
use lariat_stats::Rng;

use super::*;

/// A random model.
pub fn random_model(rng: &mut Rng) -> Model {
    let mut maker = Maker {
        model: model(),
        globals: Vec::new(),
        channels: Vec::new(),
        locals: Vec::new(),
        channel_locals: Vec::new(),
        array: None,
        fixed: false,
        rng,
    };
    maker.fixed = maker.chance(50);
    maker.declare();
    for process in 0..maker.model.processes.len() {
        maker.body(process);
    }
    if maker.chance(70) {
        maker.model.layout = Layout::of(&maker.model).map(Arc::new);
    }
    maker.model
}

/// Calls two transitions of every other location with a choice a loop that chooses a number, whether
/// that makes sense or not.
pub fn add_selects(model: &mut Model, rng: &mut Rng) {
    let globals: Vec<Expr> = ["g0", "g1", "g2"].iter().map(|n| load(model, n)).collect();
    let mut number = || match rng.below(2) {
        0 => num(rng.below(6) as i32 - 1),
        _ => globals[rng.index(3)].clone(),
    };
    let mut choices = Vec::new();
    for (process, ty) in model.processes.iter().enumerate() {
        for (location, at) in ty.locations.iter().enumerate() {
            let pairs = at.transitions.windows(2).map(|pair| (pair[0], pair[1]));
            choices.extend(pairs.map(|pair| (process, location, pair)));
        }
    }
    for (turn, (process, location, (leave, round))) in choices.into_iter().enumerate() {
        // Mostly in the order in which a front end has them.
        let (leave, round) = match turn % 4 {
            3 => (round, leave),
            _ => (leave, round),
        };
        let (value, last) = (number(), number());
        if turn % 2 == 0 {
            model.processes[process].locations[location].select = Some(Box::new(Select {
                leave,
                round,
                value,
                last,
            }));
        }
    }
}

/// The value of a global variable without parts.
fn load(model: &Model, name: &str) -> Expr {
    let mut variables = model.globals.variables.iter().enumerate();
    let (index, variable) = variables.find(|(_, v)| v.name == name).unwrap();
    let Type::Scalar(scalar) = variable.ty else {
        panic!("{name} has parts");
    };
    Expr::Load(Place {
        owner: Owner::Global,
        variable: index,
        offset: variable.offset,
        indices: Vec::new(),
        scalar,
    })
}

struct Maker<'r> {
    model: Model,
    globals: Vec<Place>,
    channels: Vec<Place>,
    /// By process type.
    locals: Vec<Vec<Place>>,
    channel_locals: Vec<Place>,
    array: Option<Place>,
    /// Nothing is created, and nothing ends.
    fixed: bool,
    rng: &'r mut Rng,
}

impl Maker<'_> {
    fn chance(&mut self, percent: u64) -> bool {
        self.rng.below(100) < percent
    }

    fn pick(&mut self, places: &[Place]) -> Place {
        self.rng.choose(places).unwrap().clone()
    }

    fn declare(&mut self) {
        let m = &mut self.model;
        for number in 0..3 {
            let mut scalar = Scalar::unsigned([1, 2, 8][number]);
            scalar.checked = self.rng.below(4) == 0;
            self.globals.push(global(m, &format!("g{number}"), scalar));
        }
        self.array = Some(global_array(m, "a", Scalar::unsigned(2), 3));
        let hidden = global(m, "h", Scalar::unsigned(2));
        for number in 0..3 {
            let capacity = self.rng.below(3) as u32;
            let fields = [Scalar::unsigned(2), CHANNEL];
            let fields = &fields[..1 + self.rng.index(2)];
            let place = match channel(m, &format!("c{number}"), capacity, fields) {
                Expr::Load(place) => place,
                _ => unreachable!(),
            };
            self.channels.push(place);
        }
        // One that changes hands.
        let free = global(m, "free", CHANNEL);
        m.init
            .push(Effect::Assign(free.clone(), get(&self.channels[0])));
        self.channels.push(free);
        if self.chance(30) {
            self.model.hidden.push(hidden.variable);
            self.globals.push(hidden);
        }
        let m = &mut self.model;
        for number in 0..2 + self.rng.index(2) {
            let p = process(m, &format!("p{number}"));
            self.channel_locals.push(local(m, p, "c", CHANNEL));
            let mut scalar = Scalar::unsigned(2);
            scalar.checked = self.rng.below(4) == 0;
            let x = local(m, p, "x", scalar);
            let y = local(m, p, "y", BYTE);
            m.processes[p]
                .parameters
                .push(self.channel_locals[p].clone());
            self.locals.push(vec![x, y]);
        }
        for p in 0..self.model.processes.len() {
            if p == 0 || self.chance(80) {
                start(&mut self.model, p, 1 + (p as u8 % 2));
                if self.chance(50) {
                    start(&mut self.model, p, 1);
                }
            }
            if self.chance(50) {
                let value = get(&self.channels[self.rng.index(3)]);
                let place = self.channel_locals[p].clone();
                self.model.processes[p]
                    .init
                    .push(Effect::Assign(place, value));
            }
        }
        if self.chance(10) {
            let last = global(&mut self.model, "_last", BYTE);
            self.model.last = Some(last);
        }
        if self.chance(10) {
            self.model.priorities = true;
            for p in 0..self.model.processes.len() {
                let place = local(&mut self.model, p, "_priority", BYTE);
                self.model.processes[p].priority = Some(place);
            }
        }
        if self.chance(20) {
            self.monitor();
        }
    }

    fn monitor(&mut self) {
        let place = global(&mut self.model, "_trace", BYTE);
        let watched = vec![
            (Direction::Send, self.channels[0].clone()),
            (Direction::Receive, self.channels[1].clone()),
        ];
        let mut locations = Vec::new();
        for number in 0..3 {
            let events = (0..2)
                .map(|_| {
                    let (direction, channel) = self.rng.choose(&watched).unwrap().clone();
                    let pattern = if self.chance(50) {
                        Pattern::Any
                    } else {
                        Pattern::Equal(num(self.rng.below(4) as i32))
                    };
                    MonitorEvent {
                        direction,
                        channel,
                        pattern: vec![pattern],
                        target: self.rng.below(3) as u32,
                    }
                })
                .collect();
            locations.push(MonitorLocation {
                events,
                end: number == 2,
                last: number == 2,
            });
        }
        self.model.monitor = Some(Monitor {
            locations,
            initial: 0,
            place,
            set: self.chance(50),
            watched,
            negated: self.chance(50),
        });
    }

    fn body(&mut self, p: usize) {
        // Locations 0 to 3 are ordinary, 4 and 5 are inside an indivisible sequence.
        if self.chance(15) {
            self.model.processes[p].provided = Some(self.condition(p));
        }
        self.model.processes[p].deterministic = self.chance(10);
        for from in 0..6 {
            let is_inside = from >= 4;
            let count = 1 + self.rng.index(3);
            let mut rank = 2;
            for _ in 0..count {
                let target = if is_inside {
                    self.rng.below(6) as u32
                } else {
                    self.rng.below(4) as u32
                };
                let action = if !is_inside && self.chance(10) {
                    Action::Indivisible { entry: 4 }
                } else if !is_inside && !self.fixed && self.chance(4) {
                    Action::Terminate
                } else {
                    self.action(p)
                };
                let index = ranked(&mut self.model, p, from, action, target, rank);
                // Chains only go forward: a branching one that comes back would have no end.
                let forward = target > from
                    && !matches!(
                        self.model.processes[p].transitions[index].action,
                        Action::Indivisible { .. }
                    );
                let atomic = forward && self.chance(50);
                self.model.processes[p].transitions[index].atomic = atomic;
                if self.chance(20) {
                    rank = 1;
                }
            }
            if self.chance(25) {
                let target = self.rng.below(4) as u32;
                ranked(&mut self.model, p, from, Action::Else, target, rank);
            }
        }
        inside(&mut self.model, p, &[4, 5]);
        if self.chance(10) {
            let location = self.rng.index(4);
            self.model.processes[p].locations[location].committed = true;
        }
        let location = self.rng.index(4);
        self.model.processes[p].locations[location].end = true;
        let location = self.rng.index(4);
        self.model.processes[p].locations[location].progress = true;
    }

    fn channel(&mut self, p: usize) -> Expr {
        if self.chance(30) {
            return get(&self.channel_locals[p]);
        }
        let channels = self.channels.clone();
        get(&self.pick(&channels))
    }

    fn variable(&mut self, p: usize) -> Place {
        match self.rng.below(8) {
            0..=3 => {
                let globals = self.globals.clone();
                self.pick(&globals)
            }
            4 => {
                let array = self.array.clone().unwrap();
                // Sometimes out of range.
                let index = if self.chance(50) {
                    num(self.rng.below(3) as i32)
                } else {
                    get(&self.locals[p][0])
                };
                at(&array, index)
            }
            5 => {
                let other = self.rng.index(self.locals.len());
                let place = self.locals[other][self.rng.index(2)].clone();
                let pid = self.chance(50).then(|| num(self.rng.below(4) as i32));
                remote(&place, other, pid)
            }
            _ => {
                let locals = self.locals[p].clone();
                self.pick(&locals)
            }
        }
    }

    fn value(&mut self, p: usize) -> Expr {
        match self.rng.below(12) {
            0..=3 => num(self.rng.below(4) as i32),
            4..=7 => get(&self.variable(p)),
            8 => plus(get(&self.variable(p)), num(1)),
            9 => Expr::Channel(ChannelQuery::Length, Box::new(self.channel(p))),
            10 => Expr::Pid,
            _ => num(1).binary(Binary::Subtract, get(&self.variable(p))),
        }
    }

    fn condition(&mut self, p: usize) -> Expr {
        match self.rng.below(24) {
            0..=6 => num(1),
            7..=13 => equal(get(&self.variable(p)), self.value(p)),
            14 => less(Expr::ProcessCount, num(3)),
            15 => Expr::Timeout,
            16 => Expr::NonProgress,
            17 => Expr::Enabled(Box::new(num(self.rng.below(3) as i32))),
            18 => Expr::At {
                process: self.rng.index(self.locals.len()),
                pid: self.chance(50).then(|| Box::new(num(1))),
                location: self.rng.below(4) as u32,
            },
            19 => less(Expr::LocationNumber(Box::new(self.value(p))), num(2)),
            20 => Expr::Poll {
                channel: Box::new(self.channel(p)),
                pattern: vec![Pattern::Equal(num(self.rng.below(4) as i32))],
                anywhere: self.chance(50),
            },
            21 => {
                let query = [
                    ChannelQuery::Full,
                    ChannelQuery::NotFull,
                    ChannelQuery::Empty,
                ];
                let query = query[self.rng.index(3)];
                Expr::Channel(query, Box::new(self.channel(p)))
            }
            22 => less(Expr::Priority(Box::new(num(1))), num(2)),
            _ => self.condition(p).binary(Binary::And, self.condition(p)),
        }
    }

    fn effect(&mut self, p: usize) -> Effect {
        match self.rng.below(20) {
            0 if !self.fixed => {
                let arguments = vec![self.channel(p)];
                let process = self.rng.index(self.locals.len());
                Effect::Spawn {
                    when: Some(less(Expr::ProcessCount, num(4))),
                    process,
                    arguments,
                    priority: 1 + self.rng.below(2) as u8,
                }
            }
            1 if !self.fixed && self.chance(50) => {
                let place = self.channel_locals[p].clone();
                Effect::CreateChannel(place, self.rng.index(self.model.channels.len()))
            }
            2 => Effect::Assign(self.channels[3].clone(), self.channel(p)),
            3 => Effect::Assign(self.channel_locals[p].clone(), self.channel(p)),
            4 => Effect::SetPriority {
                pid: self.value(p),
                priority: num(1 + self.rng.below(2) as i32),
            },
            5 => Effect::Assert(self.condition(p)),
            _ => Effect::Assign(self.variable(p), self.value(p)),
        }
    }

    fn action(&mut self, p: usize) -> Action {
        match self.rng.below(10) {
            0..=4 => {
                let condition = self.condition(p);
                let count = self.rng.index(3);
                let effects = (0..count).map(|_| self.effect(p)).collect();
                guarded(condition, effects)
            }
            5 | 6 => Action::Send {
                condition: self.side_condition(p),
                channel: self.channel(p),
                values: vec![self.value(p), self.channel(p)],
                sorted: self.chance(15),
                lossy: self.chance(15),
                effects: self.side_effects(p),
            },
            _ => {
                let first = match self.rng.below(3) {
                    0 => Pattern::Any,
                    1 => Pattern::Equal(self.value(p)),
                    _ => Pattern::Store(self.variable(p)),
                };
                let second = if self.chance(50) {
                    Pattern::Any
                } else {
                    Pattern::Store(self.channel_locals[p].clone())
                };
                Action::Receive {
                    condition: self.side_condition(p),
                    channel: self.channel(p),
                    pattern: vec![first, second],
                    anywhere: self.chance(20),
                    peek: self.chance(10),
                    effects: self.side_effects(p),
                }
            }
        }
    }

    /// What a send or a receive asks for beside a message; most often nothing.
    fn side_condition(&mut self, p: usize) -> Expr {
        match self.chance(25) {
            true => self.condition(p),
            false => Expr::TRUE,
        }
    }

    /// What a send or a receive does beside the message; most often nothing.
    fn side_effects(&mut self, p: usize) -> Vec<Effect> {
        let count = self.rng.index(5).saturating_sub(2);
        (0..count).map(|_| self.effect(p)).collect()
    }
}
