//! Compiled code draws the same edges as the interpreter, with the same dice.

use std::collections::BTreeMap;

use lariat_graph::{Draw, Expansion, StateSpace};
use lariat_ir::model::{Model, ProcessType};
use lariat_ir::reduce::{Options, Visible, reduced};
use lariat_ir::space::{Checks, ModelSpace};
use lariat_ir::types::Type;
use lariat_jit::{CompiledSpace, Lockstep};
use lariat_stats::{Dice, Rng, stream};
use lariat_testkit::files::root;
use lariat_testkit::ir::random::{add_selects, random_model};
use lariat_testkit::number;

use crate::common::model;
use crate::draws::{Drawn, SEED, walk, wander};
use crate::random::program;
use crate::walks::{both, settings};

#[test]
fn draws_from_random_programs_agree() {
    let first = number("LARIAT_JIT_SEED", 1);
    let mut drawn = Drawn::default();
    for seed in first..first + number("LARIAT_JIT_PROGRAMS", 120) {
        let text = program(seed);
        let Some(model) = model("random.pml", text.clone(), seed % 5 == 0) else {
            continue;
        };
        if let Err(difference) = wander(&model, 100, &mut drawn) {
            panic!("seed {seed}: {difference}\n{text}");
        }
    }
    println!("{drawn:?}");
    assert!(drawn.interpreted * 2 < drawn.edges, "{drawn:?}");
}

#[test]
fn draws_from_random_models_agree() {
    let first = number("LARIAT_JIT_SEED", 1);
    let mut drawn = Drawn::default();
    for seed in first..first + number("LARIAT_JIT_PROGRAMS", 200) {
        let model = random_model(&mut Rng::new(seed));
        if let Err(difference) = wander(&model, 60, &mut drawn) {
            panic!("seed {seed}: {difference}");
        }
    }
    println!("{drawn:?}");
}

#[test]
fn draws_from_random_loops_agree() {
    let first = number("LARIAT_JIT_SEED", 1);
    let mut drawn = Drawn::default();
    for seed in first..first + number("LARIAT_JIT_PROGRAMS", 200) {
        let mut model = random_model(&mut Rng::new(seed));
        add_selects(&mut model, &mut stream(SEED, "loops", seed));
        if let Err(difference) = wander(&model, 60, &mut drawn) {
            panic!("seed {seed}: {difference}");
        }
    }
    println!("{drawn:?}");
}

/// Models that choose a number `x` and then set `done`, with the range of the number. All are choices that SPIN
/// writes as loops.
const NUMBERS: &[(&str, std::ops::RangeInclusive<i32>)] = &[
    ("atomic { select (x : 0 .. 99); done = 1 }", 0..=99),
    ("select (x : 0 .. 99); done = 1", 0..=99),
    ("atomic { select (x : a .. b); done = 1 }", 3..=60),
    ("select (x : a .. b * 2 - 90); done = 1", 3..=30),
    ("atomic { pick(x, 1, 10); done = 1 }", 1..=10),
    ("pick(x, 1, 10); done = 1", 1..=10),
    ("atomic { select (x : -20 .. 20) }; done = 1", -20..=20),
    (
        "atomic { select (v[i + 1] : 5 .. 7); x = v[1]; done = 1 }",
        5..=7,
    ),
    (
        "{ select (x : 0 .. 40); done = 1 } unless { b == 0 }",
        0..=40,
    ),
    (
        "atomic { { select (x : 0 .. 40); done = 1 } unless { b == 0 } }",
        0..=40,
    ),
    (
        "byte k; atomic { select (k : 0 .. 33); x = k; done = 1 }",
        0..=33,
    ),
    ("byte k; select (k : 0 .. 33); x = k; done = 1", 0..=33),
    (
        "atomic { if :: x = 0 :: x = 9 :: select (x : 1 .. b / 10 + 2) fi; done = 1 }",
        0..=9,
    ),
];

fn numbers(statements: &str) -> Model {
    let text = format!(
        "int x; bit done, y; byte a = 3, b = 60, i, v[2];
         inline pick(n, low, high) {{ select (n : low .. high) }}
         active proctype P() {{ {statements} }}
         active proctype Q() {{ do :: done == 0 -> y = 1 - y :: b < 60 -> a = 0; b = 0 od }}"
    );
    model("numbers.pml", text, false).unwrap()
}

fn global(model: &Model, name: &str, state: &[u32]) -> i32 {
    let mut variables = model.globals.variables.iter();
    let variable = variables.find(|v| v.name == name).unwrap();
    match variable.ty {
        Type::Scalar(scalar) => scalar.load(state, variable.offset),
        _ => panic!("{name} has parts"),
    }
}

/// Draws edges until the number is chosen.
fn chosen(model: &Model, space: &mut impl Draw, dice: &mut Dice) -> i32 {
    let mut out = Expansion::new();
    space.initial(&mut out);
    loop {
        let state = out.edge(0).0.to_vec();
        if global(model, "done", &state) == 1 {
            return global(model, "x", &state);
        }
        out.clear();
        space.draw(&state, dice, &mut out);
        assert!(out.len() == 1 && out.faults().is_empty());
    }
}

/// Tests that drawn numbers have the expected frequencies. A chi-squared statistic with d degrees of freedom exceeds
/// d + 2 sqrt(d t) + 2t with a probability below e^-t (B. Laurent and P. Massart, Annals of Statistics 28, 2000),
/// here one in a million.
fn assert_fits(counts: &BTreeMap<i32, u64>, chances: &BTreeMap<i32, f64>, name: &str) {
    let draws: u64 = counts.values().sum();
    assert!(counts.keys().all(|x| chances.contains_key(x)), "{name}");
    let mut statistic = 0.0;
    for (x, chance) in chances {
        let expected = chance * draws as f64;
        let count = counts.get(x).copied().unwrap_or(0) as f64;
        statistic += (count - expected).powi(2) / expected;
    }
    let freedom = chances.len() as f64 - 1.0;
    let bound = freedom + 2.0 * (freedom * 14.0).sqrt() + 2.0 * 14.0;
    assert!(statistic < bound, "{name}: {statistic}, {counts:?}");
}

#[test]
fn all_numbers_of_a_select_are_equally_likely() {
    for (statements, range) in NUMBERS {
        let plain = numbers(statements);
        let reduced = reduced(&plain, Options::ALL, &Visible::default());
        let size = range.clone().count();
        let mut chances: BTreeMap<i32, f64> =
            range.clone().map(|x| (x, 1.0 / size as f64)).collect();
        if statements.contains("if ::") {
            // A class first, and then a member of it.
            chances = (0..=9).map(|x| (x, 1.0 / 24.0)).collect();
            chances.extend([(0, 1.0 / 3.0), (9, 1.0 / 3.0)]);
        }
        for model in [&plain, &reduced] {
            let loops = |p: &ProcessType| p.locations.iter().any(|l| l.select.is_some());
            assert!(model.processes.iter().any(loops), "{statements}");
            let mut first = ModelSpace::new(model, Checks::default());
            let mut second = CompiledSpace::new(model, Checks::default()).unwrap();
            second.compile_after(0);
            let mut counts = [BTreeMap::new(), BTreeMap::new()];
            let keys = 60 * size as u64;
            for key in 0..keys {
                // Both must give the same with the same dice; the two samples are not independent.
                let mut dice = Dice::new(stream(SEED, statements, key).next_u64());
                let mut again = dice.clone();
                let x = chosen(model, &mut first, &mut dice);
                assert_eq!(x, chosen(model, &mut second, &mut again), "{statements}");
                assert_eq!(dice, again, "{statements}");
                *counts[0].entry(x).or_default() += 1;
                let mut dice = Dice::new(stream(SEED, statements, keys + key).next_u64());
                let x = chosen(model, &mut second, &mut dice);
                *counts[1].entry(x).or_default() += 1;
            }
            counts
                .iter()
                .for_each(|c| assert_fits(c, &chances, statements));
            assert_eq!(second.interpreted(), 0, "{statements}");
        }
    }
}

/// A state, its edges with their labels, and the steps inside them.
type Seen = (Vec<u32>, Vec<(Vec<u32>, u32)>, u64);

/// The part of the state space that a search visits.
fn graph(space: &mut impl StateSpace) -> Vec<Seen> {
    let mut out = Expansion::new();
    space.initial(&mut out);
    let mut found: Vec<Vec<u32>> = out.edges().map(|(words, _)| words.to_vec()).collect();
    let mut states: Vec<Seen> = Vec::new();
    while let Some(words) = found.get(states.len()).cloned() {
        out.clear();
        space.successors(&words, &mut out);
        let edges: Vec<_> = out.edges().map(|(t, label)| (t.to_vec(), label)).collect();
        for (target, _) in &edges {
            if !found.contains(target) {
                found.push(target.clone());
            }
        }
        states.push((words, edges, out.internal_steps()));
    }
    states
}

#[test]
fn searches_do_not_see_which_loops_choose_numbers() {
    for (statements, _) in NUMBERS {
        let marked = numbers(statements);
        let mut plain = marked.clone();
        for location in plain.processes.iter_mut().flat_map(|p| &mut p.locations) {
            location.select = None;
        }
        for options in [Options::NONE, Options::ALL] {
            let models = [&marked, &plain].map(|m| reduced(m, options, &Visible::default()));
            let expected = graph(&mut ModelSpace::new(&models[1], Checks::default()));
            assert!(expected.len() > 5, "{statements}");
            let first = graph(&mut ModelSpace::new(&models[0], Checks::default()));
            assert_eq!(first, expected, "{statements}");
            let mut compiled = CompiledSpace::new(&models[0], Checks::default()).unwrap();
            compiled.compile_after(0);
            assert_eq!(graph(&mut compiled), expected, "{statements}");
        }
    }
}

/// A round of choices in one atomic sequence, sometimes with a rendezvous.
const ROUND: &str = "
byte at[40]; byte i; byte met; chan c = [0] of { byte }; chan d = [0] of { byte };
active proctype Round() {
  byte got;
  do
  :: atomic {
       i = 0;
       do
       :: i < 40 && at[i] == 0 -> at[i] = 1; i++
       :: i < 40 && at[i] == 1 -> if :: at[i] = 2 :: at[i] = 0 :: skip fi; i++
       :: i < 40 && at[i] > 0 -> at[i] = 0; i++
       :: i == 20 -> c!i; i++
       :: i == 30 -> d!at[3]; i++
       :: i >= 40 -> break
       od
     }
  od
}
active [3] proctype Partner() {
  do
  :: atomic { c?met -> if :: met = met + 1 :: met = 0 :: d?met fi }
  :: d?met
  :: met == 3 -> met = 0
  od
}
";

/// Several senders and several receivers, with several possible pairs.
const MEETINGS: &str = "
chan c = [0] of { byte, byte };
active [5] proctype P() {
  byte a, b;
  do
  :: a < 2 -> a++
  :: c!a,_pid -> a = (a + 1) % 3
  :: c!1,0
  :: c?a,b
  :: c?0,b -> a = 2
  :: c?b,eval(a)
  od
}
";

/// Leaving everything to the interpreter would be correct; here it must not happen.
#[test]
fn common_constructs_are_drawn_by_compiled_code() {
    let mut texts = vec![
        ("round.pml", ROUND.into()),
        ("meetings.pml", MEETINGS.into()),
    ];
    for name in ["peterson.pml", "too_big.pml", "alternating_bit.pml"] {
        let bytes = std::fs::read(root().join("examples").join(name)).unwrap();
        texts.push((name, lariat_front::decode(bytes)));
    }
    for (name, text) in texts {
        let model = model(name, text, false).unwrap();
        for (liveness, _) in settings() {
            let (mut both, _) = both(&model, liveness, 0).unwrap();
            assert_eq!(walk(&mut both, 2000, 1), Ok(2000), "{name}");
            assert_eq!(both.second().interpreted(), 0, "{name}, {liveness:?}");
        }
    }
}

#[test]
fn an_endless_atomic_sequence_is_abandoned() {
    let text = "byte x; active proctype P() { atomic { do :: x++ :: x = x + 2 od } }";
    let model = model("endless.pml", text.into(), false).unwrap();
    let first = ModelSpace::new(&model, Checks::default());
    let mut second = CompiledSpace::new(&model, Checks::default()).unwrap();
    second.compile_after(0);
    let mut out = Expansion::new();
    second.initial(&mut out);
    let state = out.edge(0).0.to_vec();
    out.clear();
    second.draw(&state, &mut Dice::new(1), &mut out);
    assert!(out.is_empty() && out.is_incomplete() && out.faults().is_empty());
    assert_eq!(second.interpreted(), 0);
    let mut both = Lockstep::new(first, second);
    out.clear();
    both.draw(&state, &mut Dice::new(1), &mut out);
    assert!(out.is_incomplete() && both.difference().is_none());
}
