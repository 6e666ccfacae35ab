//! Drawing one edge: which, how likely, and what is said about it.
//!
//! All seeds are fixed. The bounds of the statistics are such that another seed would fail by chance
//! in less than one case in a million.

use std::collections::{BTreeMap, BTreeSet};

use lariat_graph::{AcceptingGraph, DRAWN, Draw, Expansion, StateSpace};
use lariat_ir::expr::Place;
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::{Interpreter, Observed, Step};
use lariat_ir::model::{Effect, Model, Select};
use lariat_ir::property::Invariant;
use lariat_ir::space::{Checks, Fairness, Liveness, MAX_DRAWN_STEPS, ModelSpace, STUTTER};
use lariat_ir::state::State;
use lariat_stats::{Dice, stream};
use lariat_testkit::ir::random::{add_selects, random_model};
use lariat_testkit::ir::*;

const SEED: u64 = 31;

fn unchecked() -> Checks {
    Checks {
        end_states: false,
        ..Checks::default()
    }
}

fn initial(m: &Model) -> Vec<u32> {
    let mut out = Expansion::new();
    ModelSpace::new(m, unchecked()).initial(&mut out);
    out.edge(0).0.to_vec()
}

/// What the dice with this key draw.
fn draw(space: &mut ModelSpace, words: &[u32], key: u64) -> Expansion {
    let mut out = Expansion::with_marks(space.acceptance().words());
    space.draw(words, &mut Dice::new(key), &mut out);
    out
}

/// Where a draw leads: a state, or nowhere.
type End = Option<Vec<u32>>;

/// The chances of all ends, written down as they are defined; nothing if there are too many ways, or
/// endless ones.
fn chances(interpreter: &Interpreter, words: &[u32]) -> Option<BTreeMap<End, f64>> {
    let mut state = State::default();
    state.load(interpreter.model(), words);
    let mut ends = BTreeMap::new();
    let mut ways = 500;
    spread(interpreter, &state, None, 1.0, &mut ends, &mut ways)?;
    Some(ends)
}

fn spread(
    interpreter: &Interpreter,
    state: &State,
    control: Option<u32>,
    chance: f64,
    ends: &mut BTreeMap<End, f64>,
    ways: &mut u32,
) -> Option<()> {
    *ways = ways.checked_sub(1)?;
    let mut steps: Vec<Step> = Vec::new();
    interpreter.steps(state, control, &mut steps);
    let chance = chance / steps.len().max(1) as f64;
    let shares: Vec<f64> = (steps.iter())
        .map(|&step| chance * share(interpreter, state, step, &steps))
        .collect();
    if steps.is_empty() && control.is_some() {
        let mut state = state.clone();
        interpreter.forget(&mut state);
        *ends.entry(Some(state.words().to_vec())).or_default() += chance;
    }
    for (step, chance) in steps.into_iter().zip(shares) {
        if chance == 0.0 {
            continue;
        }
        let mut after = state.clone();
        match interpreter.execute(&mut after, step, &mut Observed::default()) {
            Err(_) => *ends.entry(None).or_default() += chance,
            Ok(None) => *ends.entry(Some(after.words().to_vec())).or_default() += chance,
            Ok(control) => spread(interpreter, &after, control, chance, ends, ways)?,
        }
    }
    Some(())
}

/// How much more likely a step is than if all were equally likely: the two of a loop that chooses a
/// number share what they have.
fn share(interpreter: &Interpreter, state: &State, step: Step, steps: &[Step]) -> f64 {
    let process = &interpreter.model().processes[state.process_type(step.pid as usize)];
    let location = &process.locations[state.location(step.pid as usize) as usize];
    let Some(select) = &location.select else {
        return 1.0;
    };
    let is_own = |t: u32| move |s: &&Step| s.pid == step.pid && s.transition == t;
    let count = |t: u32| steps.iter().filter(is_own(t)).count();
    let value = interpreter.eval_global(state, &select.value);
    let last = interpreter.eval_global(state, &select.last);
    let (Ok(value), Ok(last)) = (value, last) else {
        return 1.0;
    };
    let both = count(select.leave) > 0 && count(select.round) > 0;
    if !both || last < value || ![select.leave, select.round].contains(&step.transition) {
        return 1.0;
    }
    let together = (count(select.leave) + count(select.round)) as f64;
    let leave = 1.0 / (f64::from(last) - f64::from(value) + 1.0);
    let is_first = steps.iter().find(is_own(step.transition)) == Some(&step);
    match step.transition == select.leave {
        _ if !is_first => 0.0,
        true => together * leave,
        false => together * (1.0 - leave),
    }
}

/// Sums up how far counts are from what was expected, over many experiments.
#[derive(Default)]
struct ChiSquared {
    statistic: f64,
    freedom: f64,
}

impl ChiSquared {
    fn add(&mut self, counts: &BTreeMap<End, u64>, chances: &BTreeMap<End, f64>, draws: u64) {
        for (end, chance) in chances {
            let expected = chance * draws as f64;
            let count = counts.get(end).copied().unwrap_or(0) as f64;
            self.statistic += (count - expected).powi(2) / expected;
        }
        self.freedom += chances.len() as f64 - 1.0;
    }

    /// The sum has as many degrees of freedom as all experiments together. With many of them it is
    /// nearly normal, and beyond six deviations with a probability of about 10^-8.
    fn assert_fine(&self) {
        let distance = (self.statistic - self.freedom) / (2.0 * self.freedom).sqrt();
        assert!(distance.abs() < 6.0, "{distance} deviations");
    }
}

#[test]
fn draws_have_the_chances_that_are_defined() {
    const DRAWS: u64 = 400;
    let mut fit = ChiSquared::default();
    let (mut states, mut branching) = (0, 0);
    for number in 0..300 {
        let mut m = random_model(&mut stream(SEED, "random model", number));
        let loops = number % 2 == 1 && !m.synchronous;
        if loops {
            add_selects(&mut m, &mut stream(SEED, "loops", number));
        }
        let interpreter = Interpreter::new(&m);
        let mut space = ModelSpace::new(&m, unchecked());
        for (words, out) in explore(&m, unchecked(), 8) {
            let Some(chances) = chances(&interpreter, &words) else {
                continue;
            };
            // Ends that are rarer would make the statistic coarse.
            if chances.is_empty() || chances.values().any(|c| c * (DRAWS as f64) < 8.0) {
                continue;
            }
            let expected: BTreeSet<_> = out.edges().map(|(target, _)| target).collect();
            let possible: BTreeSet<_> = chances.keys().flatten().map(|e| &e[..]).collect();
            // A loop that chooses the last number does not go round, whatever it could do.
            match loops {
                true => assert!(
                    possible.is_subset(&expected),
                    "model {number} of seed {SEED}"
                ),
                false => assert_eq!(possible, expected, "model {number} of seed {SEED}"),
            }
            let mut counts: BTreeMap<End, u64> = BTreeMap::new();
            for key in 0..DRAWS {
                let drawn = draw(&mut space, &words, number << 32 | states << 16 | key);
                let end = (!drawn.is_empty()).then(|| drawn.edge(0).0.to_vec());
                assert!(chances.contains_key(&end));
                *counts.entry(end).or_default() += 1;
            }
            fit.add(&counts, &chances, DRAWS);
            states += 1;
            branching += u64::from(chances.values().any(|c| 1.0 / c != chances.len() as f64));
        }
    }
    println!("{states} states, {branching} of them with ends that are not equally likely");
    assert!(states > 200 && branching > 20);
    fit.assert_fine();
}

#[test]
fn edges_without_branches_are_equally_likely() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    for value in 1..4 {
        keep(&mut m, p, 0, set(&x, num(value)), value as u32);
        go(&mut m, p, value as u32, act(vec![]), 9);
    }
    for _ in 0..2 {
        let q = active(&mut m, "q");
        go(&mut m, q, 0, set(&x, num(7)), 1);
        go(&mut m, q, 0, when(get(&x)), 2);
    }
    let words = initial(&m);
    let mut space = ModelSpace::new(&m, unchecked());
    let mut out = Expansion::new();
    space.successors(&words, &mut out);
    let targets: BTreeSet<End> = out.edges().map(|(t, _)| Some(t.to_vec())).collect();
    assert_eq!(targets.len(), 5);
    const DRAWS: u64 = 10_000;
    let mut counts: BTreeMap<End, u64> = BTreeMap::new();
    for key in 0..DRAWS {
        let drawn = draw(&mut space, &words, key);
        *counts.entry(Some(drawn.edge(0).0.to_vec())).or_default() += 1;
    }
    let chances: BTreeMap<End, f64> = targets.into_iter().map(|t| (t, 0.2)).collect();
    assert_eq!(counts.len(), 5);
    let mut fit = ChiSquared::default();
    fit.add(&counts, &chances, DRAWS);
    // With four degrees of freedom, 40 is exceeded with a probability below 10^-7.
    assert!(fit.statistic < 40.0, "{}", fit.statistic);
}

#[test]
fn an_edge_is_drawn_with_its_marks_faults_and_steps() {
    let (mut edges, mut lost) = (0, 0);
    for number in 0..200 {
        let m = random_model(&mut stream(SEED, "random model", number));
        let interpreter = Interpreter::new(&m);
        let mut space = ModelSpace::new(&m, Checks::default());
        space.watch(
            Liveness {
                stutter: true,
                accept_labels: true,
                fairness: [Fairness::None, Fairness::Weak, Fairness::Strong][number as usize % 3],
            },
            Vec::new(),
        );
        let mut all = Expansion::with_marks(space.acceptance().words());
        for (words, _) in explore(&m, unchecked(), 20) {
            all.clear();
            space.successors(&words, &mut all);
            let whole: BTreeSet<_> = (0..all.len())
                .map(|i| (all.edge(i).0, all.marks(i)))
                .collect();
            let codes: BTreeSet<_> = all.faults().iter().map(|f| f.code).collect();
            for key in 0..10 {
                let drawn = draw(&mut space, &words, key);
                assert!(drawn.len() <= 1 && !drawn.is_incomplete());
                for fault in drawn.faults() {
                    assert!(codes.contains(&fault.code));
                    assert!(fault.label.is_none_or(|label| label == DRAWN));
                }
                let mut dice = Dice::new(key);
                let chain = space.steps_of_drawn_edge(&words, &mut dice).unwrap();
                let mut again = Dice::new(key);
                let mut copy = Expansion::with_marks(space.acceptance().words());
                space.draw(&words, &mut again, &mut copy);
                assert_eq!(dice, again);
                assert!(copy.edges().eq(drawn.edges()) && copy.faults() == drawn.faults());
                if drawn.is_empty() {
                    let kind = Fault::from_code(drawn.faults().last().unwrap().code).kind;
                    if kind != FaultKind::EndlessSequence {
                        assert!(replay(&interpreter, &words, &chain).is_err());
                    }
                    lost += 1;
                    continue;
                }
                let (target, label) = drawn.edge(0);
                assert_eq!(label, if chain.is_empty() { STUTTER } else { DRAWN });
                assert_eq!(replay(&interpreter, &words, &chain).unwrap(), target);
                assert!(whole.contains(&(target, drawn.marks(0))));
                edges += 1;
            }
        }
    }
    println!("seed {SEED}: {edges} edges, {lost} faults without a target");
    assert!(edges > 10_000 && lost > 100);
}

/// A process with a choice of 0 or 1 for each bit of an array, in one atomic sequence.
fn bits(count: u32) -> (Model, Place) {
    let mut m = model();
    let array = global_array(&mut m, "bits", BYTE, count);
    let p = active(&mut m, "p");
    for bit in 0..count {
        for value in 0..2 {
            let place = at(&array, num(bit as i32));
            keep(&mut m, p, bit, set(&place, num(value)), bit + 1);
        }
    }
    go(&mut m, p, count, act(vec![]), count + 1);
    (m, array)
}

/// A process that chooses a number from zero to 19, in one step or in several, beside another one.
fn chooser(atomic: bool) -> (Model, Place) {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let last = global(&mut m, "last", BYTE);
    m.init.push(Effect::Assign(last.clone(), num(19)));
    let p = active(&mut m, "p");
    let leave = go(&mut m, p, 0, act(vec![]), 2);
    let round = go(&mut m, p, 0, when(less(get(&x), get(&last))), 1);
    let count = go(&mut m, p, 1, increment(&x), 0);
    for transition in [round, count] {
        m.processes[p].transitions[transition].atomic = atomic;
    }
    m.processes[p].locations[0].select = Some(Box::new(Select {
        leave: leave as u32,
        round: round as u32,
        value: get(&x),
        last: get(&last),
    }));
    let y = global(&mut m, "y", BYTE);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, set(&y, num(1)), 1);
    go(&mut m, q, 1, set(&y, num(0)), 0);
    (m, x)
}

#[test]
fn all_numbers_of_a_loop_are_equally_likely() {
    for atomic in [true, false] {
        let (m, x) = chooser(atomic);
        let words = initial(&m);
        let interpreter = Interpreter::new(&m);
        let mut space = ModelSpace::new(&m, unchecked());
        let mut counts = [0u64; 20];
        for key in 0..10_000 {
            let mut dice = Dice::new(stream(SEED, "numbers", key).next_u64());
            let mut state = State::default();
            state.load(&m, &words);
            while state.location(0) != 2 {
                let before = state.words().to_vec();
                let mut out = Expansion::new();
                let mut again = dice.clone();
                space.draw(&before, &mut dice, &mut out);
                let chain = space.steps_of_drawn_edge(&before, &mut again).unwrap();
                assert_eq!(dice, again);
                assert_eq!(
                    replay(&interpreter, &before, &chain).unwrap(),
                    out.edge(0).0
                );
                state.load(&m, out.edge(0).0);
            }
            counts[x.scalar.load(state.words(), x.offset) as usize] += 1;
        }
        let distance = |&n: &u64| (n as f64 - 500.0).powi(2) / 500.0;
        let statistic: f64 = counts.iter().map(distance).sum();
        // With 19 degrees of freedom, 70 is exceeded with a probability below 10^-6.
        assert!(statistic < 70.0, "{statistic}: {counts:?}");
    }
}

#[test]
fn a_loop_whose_numbers_are_unknown_is_drawn_like_anything_else() {
    let (mut m, x) = chooser(true);
    // There is no number from 5 to 4.
    let process = &mut m.processes[0];
    let select = process.locations[0].select.as_mut().unwrap();
    (select.value, select.last) = (num(5), num(4));
    let words = initial(&m);
    let mut space = ModelSpace::new(&m, unchecked());
    let mut counts = [0u32; 20];
    for key in 0..9000 {
        let drawn = draw(&mut space, &words, key);
        counts[x.scalar.load(drawn.edge(0).0, x.offset) as usize] += 1;
    }
    // Zero if the process leaves at once or the other one moves, else one with a chance of a half, and
    // so on. Within six deviations.
    assert!(counts[0].abs_diff(6000) < 270, "{counts:?}");
    assert!(counts[1].abs_diff(1500) < 220, "{counts:?}");
}

#[test]
fn a_sequence_with_countless_ways_is_drawn() {
    let (m, array) = bits(40);
    let words = initial(&m);
    let mut space = ModelSpace::new(&m, unchecked());
    let mut ones = [0u32; 40];
    for key in 0..1000 {
        let drawn = draw(&mut space, &words, key);
        assert_eq!((drawn.len(), drawn.internal_steps()), (1, 40));
        let target = drawn.edge(0).0;
        for (bit, ones) in ones.iter_mut().enumerate() {
            *ones += array.scalar.load(target, array.offset + 8 * bit as u32) as u32;
        }
    }
    // Six deviations of a binomial distribution.
    assert!(ones.iter().all(|n| n.abs_diff(500) < 95), "{ones:?}");
}

#[test]
fn many_processes_are_no_obstacle() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    (1..1000).for_each(|_| start(&mut m, p, 1));
    go(&mut m, p, 0, increment(&x), 1);
    go(&mut m, p, 0, act(vec![]), 2);
    let words = initial(&m);
    let mut space = ModelSpace::new(&m, unchecked());
    let targets: BTreeSet<Vec<u32>> = (0..500)
        .map(|key| draw(&mut space, &words, key).edge(0).0.to_vec())
        .collect();
    // 500 of 2000: about 442 are different, and below 300 with hardly any probability.
    assert!(targets.len() > 300, "{}", targets.len());
}

#[test]
fn sequences_without_an_end_are_noticed_or_given_up() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    keep(&mut m, p, 0, increment(&x), 0);
    let words = initial(&m);
    let mut space = ModelSpace::new(&m, unchecked());
    let drawn = draw(&mut space, &words, 1);
    let [fault] = drawn.faults() else {
        panic!("{:?}", drawn.faults());
    };
    let kind = Fault::from_code(fault.code).kind;
    assert_eq!(
        (kind, fault.label),
        (FaultKind::EndlessSequence, Some(DRAWN))
    );
    assert!(drawn.is_empty() && !drawn.is_incomplete());
    // With a choice it is not known.
    keep(&mut m, p, 0, increment(&x), 0);
    let mut space = ModelSpace::new(&m, unchecked());
    let drawn = draw(&mut space, &words, 1);
    assert!(drawn.is_empty() && drawn.faults().is_empty() && drawn.is_incomplete());
    assert_eq!(drawn.internal_steps(), MAX_DRAWN_STEPS + 1);
    assert_eq!(space.steps_of_drawn_edge(&words, &mut Dice::new(1)), None);
}

#[test]
fn states_without_steps_are_judged() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, when(get(&x)), 1);
    let words = initial(&m);
    let checks = Checks {
        invariants: vec![Invariant {
            text: "x".into(),
            condition: get(&x),
            span: None,
        }],
        ..Checks::default()
    };
    let mut space = ModelSpace::new(&m, checks);
    let drawn = draw(&mut space, &words, 1);
    let kinds: Vec<_> = (drawn.faults().iter())
        .map(|f| (Fault::from_code(f.code).kind, f.label))
        .collect();
    let expected = [FaultKind::Invariant, FaultKind::InvalidEndState].map(|kind| (kind, None));
    assert_eq!(kinds, expected);
    assert!(drawn.is_empty());
    assert_eq!(space.steps_of_drawn_edge(&words, &mut Dice::new(1)), None);
    let liveness = Liveness {
        stutter: true,
        ..Liveness::default()
    };
    space.watch(liveness, Vec::new());
    let drawn = draw(&mut space, &words, 1);
    assert_eq!(drawn.edge(0), (&words[..], STUTTER));
    assert_eq!(
        space.steps_of_drawn_edge(&words, &mut Dice::new(1)),
        Some(Vec::new())
    );
}

#[test]
fn only_a_second_choice_is_no_determinism() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    m.processes[p].deterministic = true;
    go(&mut m, p, 0, set(&x, num(1)), 1);
    go(
        &mut m,
        p,
        0,
        act(vec![Effect::Assign(x.clone(), num(2))]),
        1,
    );
    let words = initial(&m);
    let mut space = ModelSpace::new(&m, unchecked());
    let mut seen = BTreeSet::new();
    for key in 0..20 {
        let drawn = draw(&mut space, &words, key);
        let value = x.scalar.load(drawn.edge(0).0, x.offset);
        assert_eq!(drawn.faults().len(), usize::from(value == 2));
        seen.insert(value);
    }
    assert_eq!(seen, BTreeSet::from([1, 2]));
}
