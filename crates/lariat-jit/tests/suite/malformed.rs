//! Models that were built by hand and are wrong: the compiler refuses them, or executes them like the interpreter.
//!
//! Random models are changed at random. Most of them then name something that does not exist; the others must
//! be harmless. `LARIAT_JIT_SEED` and `LARIAT_JIT_PROGRAMS` choose others.

use std::sync::Arc;

use lariat_ir::expr::{Expr, Index, Owner, Place};
use lariat_ir::layout::Layout;
use lariat_ir::model::{Action, Effect, Model, Pattern, Piece, Start};
use lariat_ir::property::{Atom, Invariant};
use lariat_ir::space::{Checks, Liveness};
use lariat_ir::types::Scalar;
use lariat_ir::well_formed::Problem;
use lariat_jit::{CompiledSpace, Unsupported};
use lariat_stats::Rng;
use lariat_testkit::ir::random::random_model;
use lariat_testkit::ir::{BYTE, active, get, global, global_array, go, increment, model, num, set};
use lariat_testkit::number;

use crate::walks::walk;

/// A number that is sometimes small, sometimes one too large, and sometimes absurd.
fn odd(rng: &mut Rng, limit: usize) -> usize {
    match rng.below(4) {
        0 => limit,
        1 => u32::MAX as usize - rng.index(3),
        2 => rng.index(2 * limit + 2),
        _ => limit + rng.index(1000),
    }
}

/// Calls `visit` for every place and every expression of a model.
struct Parts<'a> {
    place: &'a mut dyn FnMut(&mut Place),
    expr: &'a mut dyn FnMut(&mut Expr),
}

impl Parts<'_> {
    fn model(&mut self, model: &mut Model) {
        model.init.iter_mut().for_each(|e| self.effect(e));
        model.last.iter_mut().for_each(|p| self.place(p));
        for process in &mut model.processes {
            process.parameters.iter_mut().for_each(|p| self.place(p));
            process.priority.iter_mut().for_each(|p| self.place(p));
            process.provided.iter_mut().for_each(|e| self.expr(e));
            process.init.iter_mut().for_each(|e| self.effect(e));
            for transition in &mut process.transitions {
                self.action(&mut transition.action);
            }
        }
    }

    fn action(&mut self, action: &mut Action) {
        match action {
            Action::Guarded { condition, effects } => {
                self.expr(condition);
                effects.iter_mut().for_each(|e| self.effect(e));
            }
            Action::Send {
                condition,
                channel,
                values,
                effects,
                ..
            } => {
                self.expr(condition);
                self.expr(channel);
                values.iter_mut().for_each(|e| self.expr(e));
                effects.iter_mut().for_each(|e| self.effect(e));
            }
            Action::Receive {
                condition,
                channel,
                pattern,
                effects,
                ..
            } => {
                self.expr(condition);
                self.expr(channel);
                self.patterns(pattern);
                effects.iter_mut().for_each(|e| self.effect(e));
            }
            Action::Else | Action::Indivisible { .. } | Action::Terminate => {}
        }
    }

    fn effect(&mut self, effect: &mut Effect) {
        match effect {
            Effect::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            Effect::CreateChannel(place, _) => self.place(place),
            Effect::Spawn { arguments, .. } => arguments.iter_mut().for_each(|e| self.expr(e)),
            Effect::SetPriority { pid, priority } => {
                self.expr(pid);
                self.expr(priority);
            }
            Effect::Assert(e) => self.expr(e),
            Effect::Print(pieces) => {
                for piece in pieces {
                    if let Piece::Value(e, _) = piece {
                        self.expr(e);
                    }
                }
            }
        }
    }

    fn patterns(&mut self, patterns: &mut [Pattern]) {
        for pattern in patterns {
            match pattern {
                Pattern::Any => {}
                Pattern::Equal(e) => self.expr(e),
                Pattern::Store(place) => self.place(place),
            }
        }
    }

    fn place(&mut self, place: &mut Place) {
        (self.place)(place);
        if let Owner::Remote { pid: Some(pid), .. } = &mut place.owner {
            self.expr(pid);
        }
        place
            .indices
            .iter_mut()
            .for_each(|i| self.expr(&mut i.value));
    }

    fn expr(&mut self, expr: &mut Expr) {
        (self.expr)(expr);
        match expr {
            Expr::Load(place) => self.place(place),
            Expr::Unary(_, e)
            | Expr::Channel(_, e)
            | Expr::Enabled(e)
            | Expr::LocationNumber(e)
            | Expr::Priority(e) => self.expr(e),
            Expr::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Cond(parts) => parts.iter_mut().for_each(|e| self.expr(e)),
            Expr::Poll {
                channel, pattern, ..
            } => {
                self.expr(channel);
                self.patterns(pattern);
            }
            Expr::At { pid: Some(pid), .. } => self.expr(pid),
            _ => {}
        }
    }
}

/// Changes one of the places of a model.
fn change_place(model: &mut Model, rng: &mut Rng) {
    let mut count = 0;
    Parts {
        place: &mut |_| count += 1,
        expr: &mut |_| {},
    }
    .model(model);
    let mut chosen = rng.index(count.max(1));
    let processes = model.processes.len();
    let mut change = |place: &mut Place| {
        let is_chosen = chosen == 0;
        chosen = chosen.wrapping_sub(1);
        if !is_chosen {
            return;
        }
        match rng.below(8) {
            0 => place.offset = odd(rng, 64) as u32,
            1 => place.offset = place.offset.wrapping_add(rng.below(40) as u32),
            2 => place.variable = odd(rng, 4),
            3 => place.scalar.bits = [0, 1, 7, 16, 31, 32, 33, 255][rng.index(8)],
            4 => place.owner = Owner::Global,
            5 => place.owner = Owner::Local,
            6 => {
                let process = odd(rng, processes);
                place.owner = Owner::Remote { process, pid: None };
            }
            _ => match place.indices.first_mut() {
                Some(index) if rng.below(2) == 0 => index.length = odd(rng, 5) as u32,
                Some(index) => index.stride = odd(rng, 32) as u32,
                None => place.indices.push(Index {
                    value: num(1),
                    length: odd(rng, 3) as u32,
                    stride: odd(rng, 32) as u32,
                }),
            },
        }
    };
    Parts {
        place: &mut change,
        expr: &mut |_| {},
    }
    .model(model);
}

/// Changes one of the expressions of a model.
fn change_expr(model: &mut Model, rng: &mut Rng) {
    let mut count = 0;
    Parts {
        place: &mut |_| {},
        expr: &mut |_| count += 1,
    }
    .model(model);
    let mut chosen = rng.index(count.max(1));
    let process = odd(rng, model.processes.len());
    let location = odd(rng, 3) as u32;
    let mut change = |expr: &mut Expr| {
        if chosen == 0 {
            *expr = Expr::At {
                process,
                pid: None,
                location,
            };
        }
        chosen = chosen.wrapping_sub(1);
    };
    Parts {
        place: &mut |_| {},
        expr: &mut change,
    }
    .model(model);
}

/// Changes a process type.
fn change_process(model: &mut Model, rng: &mut Rng) {
    let place = rng.index(model.processes.len());
    let process = &mut model.processes[place];
    let (locations, transitions) = (process.locations.len(), process.transitions.len());
    let location = rng.index(locations);
    match rng.below(9) {
        0 => process.initial = odd(rng, locations) as u32,
        1 => process.locations[location]
            .transitions
            .push(odd(rng, transitions) as u32),
        2 => process.locations[location].inside ^= true,
        3 => process.locations[location]
            .dead
            .push((odd(rng, 2) as u32, rng.next_u32())),
        4 => process.frame.bits = odd(rng, 40) as u32,
        5 => drop(process.locations.pop()),
        6 => drop(process.transitions.pop()),
        7 => drop(process.parameters.pop()),
        _ => drop(process.frame.variables.pop()),
    }
}

/// Changes a transition, or the effect of one.
fn change_transition(model: &mut Model, rng: &mut Rng) {
    let place = rng.index(model.processes.len());
    let (processes, channels) = (model.processes.len(), model.channels.len());
    let process = &mut model.processes[place];
    let locations = process.locations.len();
    let count = process.transitions.len();
    let Some(transition) = process.transitions.get_mut(rng.index(count.max(1))) else {
        return;
    };
    match (&mut transition.action, rng.below(3)) {
        (_, 0) => transition.target = odd(rng, locations) as u32,
        (action, 1) => {
            *action = Action::Indivisible {
                entry: odd(rng, locations) as u32,
            }
        }
        (Action::Guarded { effects, .. }, _) => effects.push(Effect::Spawn {
            when: None,
            process: odd(rng, processes),
            arguments: vec![num(1); rng.index(3)],
            priority: 1,
        }),
        (Action::Send { values, .. }, _) => drop(values.pop()),
        (Action::Receive { pattern, .. }, _) => drop(pattern.pop()),
        _ => transition.target = odd(rng, channels) as u32,
    }
}

/// Changes something else.
fn change_model(model: &mut Model, rng: &mut Rng) {
    match rng.below(9) {
        0 => model.hidden.push(odd(rng, model.globals.variables.len())),
        1 => model.start.push(Start {
            process: odd(rng, model.processes.len()),
            priority: 1,
        }),
        2 => model.globals.bits = odd(rng, 40) as u32,
        3 => drop(model.globals.variables.pop()),
        4 => drop(model.channels.pop()),
        5 => drop(model.processes.pop()),
        6 => {
            if let Some(layout) = &mut model.layout {
                let layout = Arc::make_mut(layout);
                layout.words = odd(rng, layout.words);
            }
        }
        7 => {
            if let Some(layout) = &mut model.layout {
                let layout: &mut Layout = Arc::make_mut(layout);
                for block in layout.processes.iter_mut().chain(&mut layout.channels) {
                    block.body = block.body.wrapping_add(8 * rng.below(3) as u32);
                }
            }
        }
        _ => {
            if let Some(channel) = model.channels.last_mut() {
                match rng.below(4) {
                    0 => channel.capacity = odd(rng, 3) as u32,
                    1 => channel.stride = odd(rng, 32) as u32,
                    2 => channel.offsets.iter_mut().for_each(|o| *o += 8),
                    _ => channel.fields.push(Scalar::unsigned(40)),
                }
            }
        }
    }
}

fn change(model: &mut Model, rng: &mut Rng) {
    match rng.below(6) {
        0 | 1 => change_place(model, rng),
        2 => change_expr(model, rng),
        3 if !model.processes.is_empty() => change_process(model, rng),
        4 if !model.processes.is_empty() => change_transition(model, rng),
        _ => change_model(model, rng),
    }
}

#[test]
fn changed_models_are_refused_or_harmless() {
    let first = number("LARIAT_JIT_SEED", 1);
    let (mut refused, mut executed) = (0u64, 0u64);
    for seed in first..first + number("LARIAT_JIT_PROGRAMS", 300) {
        let original = random_model(&mut Rng::new(seed));
        original.validate().unwrap();
        for round in 0..20 {
            let mut rng = Rng::new(seed << 8 | round);
            let mut model = original.clone();
            for _ in 0..=rng.below(2) {
                change(&mut model, &mut rng);
            }
            if model.validate().is_err() {
                refused += 1;
                let compiled = CompiledSpace::new(&model, Checks::default());
                assert!(matches!(compiled.err(), Some(Unsupported::Malformed(_))));
                continue;
            }
            executed += 1;
            if let Err(difference) = walk(&model, Liveness::default(), 25) {
                panic!("seed {seed}, round {round}: {difference}");
            }
        }
    }
    println!("{refused} models were refused, {executed} executed");
    assert!(refused > executed / 10 && executed > refused / 10);
}

/// A model with a counter, an array and a process.
fn counter() -> (Model, Place, Place) {
    let mut model = model();
    let x = global(&mut model, "x", BYTE);
    let array = global_array(&mut model, "a", BYTE, 3);
    let process = active(&mut model, "P");
    go(&mut model, process, 0, increment(&x), 1);
    go(&mut model, process, 1, set(&array, get(&x)), 0);
    (model, x, array)
}

#[test]
fn what_is_wrong_is_said() {
    counter().0.validate().unwrap();
    type Break = fn(&mut Model, Place, Place);
    let broken: [(Break, Problem); 10] = [
        (
            |m, _, _| m.processes[0].initial = 2,
            Problem::Missing("location"),
        ),
        (
            |m, _, _| m.processes[0].locations[0].transitions.push(9),
            Problem::Missing("transition"),
        ),
        (
            |m, x, _| m.last = Some(Place { variable: 7, ..x }),
            Problem::Missing("variable"),
        ),
        (
            |m, x, _| m.last = Some(Place { offset: 32, ..x }),
            Problem::Place,
        ),
        (
            |m, x, _| {
                m.last = Some(Place {
                    scalar: Scalar::unsigned(33),
                    ..x
                })
            },
            Problem::Scalar,
        ),
        (
            |m, _, mut a| {
                a.indices[0].length = 4;
                m.last = Some(a);
            },
            Problem::Place,
        ),
        (
            |m, x, _| {
                let local = Place {
                    owner: Owner::Local,
                    ..x
                };
                m.init.push(Effect::Assert(get(&local)));
            },
            Problem::Local,
        ),
        (|m, _, _| m.globals.bits = 8, Problem::Frame),
        (
            |m, _, _| m.layout = Some(Arc::new(Layout::default())),
            Problem::Layout,
        ),
        (
            |m, _, _| m.processes[0].transitions[0].action = Action::Indivisible { entry: 0 },
            Problem::Nested,
        ),
    ];
    for (number, (breaks, problem)) in broken.into_iter().enumerate() {
        let (mut model, x, array) = counter();
        breaks(&mut model, x, array);
        let found = model.validate().unwrap_err();
        assert_eq!(found.problem, problem, "{number}: {found}");
    }
}

/// Conditions of callers are judged, too.
#[test]
fn conditions_that_name_nothing_are_refused() {
    let (model, x, _) = counter();
    let wrong = get(&Place {
        offset: 1 << 20,
        ..x
    });
    let mut checks = Checks::default();
    checks.invariants.push(Invariant {
        text: "wrong".into(),
        condition: wrong.clone(),
        span: None,
    });
    assert!(CompiledSpace::new(&model, checks).is_err());
    let mut space = CompiledSpace::new(&model, Checks::default()).unwrap();
    let atom = Atom {
        text: "wrong".into(),
        condition: wrong,
    };
    assert!(space.watch(Liveness::default(), vec![atom]).is_err());
}
