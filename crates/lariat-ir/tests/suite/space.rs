//! The state space: atomic chains as edges, labels, faults.

use lariat_graph::{Expansion, StateSpace};
use lariat_ir::expr::Expr;
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::Interpreter;
use lariat_ir::model::{Action, Effect, Model, Pattern};
use lariat_ir::property::Invariant;
use lariat_ir::space::{Checks, ModelSpace};
use lariat_ir::state::State;
use lariat_stats::stream;
use lariat_testkit::ir::random::random_model;
use lariat_testkit::ir::*;

const SEED: u64 = 30;

fn unchecked() -> Checks {
    Checks {
        end_states: false,
        ..Checks::default()
    }
}

/// The values of a global variable in the targets of the initial state's edges.
fn targets(m: &Model, place: &lariat_ir::expr::Place) -> Vec<i32> {
    let states = explore(m, unchecked(), 1);
    let values = states[0].1.edges().map(|(words, _)| {
        let bit = place.offset;
        place.scalar.load(words, bit)
    });
    values.collect()
}

#[test]
fn an_atomic_chain_is_one_edge() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    for at in 0..3 {
        keep(&mut m, p, at, increment(&x), at + 1);
    }
    go(&mut m, p, 3, increment(&x), 4);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, set(&x, num(9)), 1);
    assert_eq!(targets(&m, &x), [4, 9]);
    let states = explore(&m, unchecked(), 100);
    assert_eq!(states.len(), 5);
    assert_eq!(states[0].1.internal_steps(), 3);
}

#[test]
fn a_chain_ends_where_it_blocks_and_others_move() {
    let mut m = model();
    let (x, h) = (global(&mut m, "x", BYTE), global(&mut m, "h", BYTE));
    m.hidden.push(h.variable);
    let p = active(&mut m, "p");
    let both = vec![
        Effect::Assign(x.clone(), num(1)),
        Effect::Assign(h.clone(), num(1)),
    ];
    keep(&mut m, p, 0, act(both), 1);
    keep(&mut m, p, 1, when(equal(get(&x), num(2))), 2);
    go(&mut m, p, 2, set(&x, num(3)), 3);
    let q = active(&mut m, "q");
    go(
        &mut m,
        q,
        0,
        guarded(
            equal(get(&x), num(1)),
            vec![Effect::Assign(x.clone(), num(2))],
        ),
        1,
    );
    let states = explore(&m, unchecked(), 100);
    let values: Vec<_> = states
        .iter()
        .map(|(words, _)| [&x, &h].map(|place| place.scalar.load(words, place.offset)))
        .collect();
    assert_eq!(
        values,
        [[0, 0], [1, 0], [2, 0], [3, 0]],
        "what is hidden is forgotten"
    );
}

#[test]
fn a_rendezvous_hands_the_chain_over_to_the_receiver() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let c = channel(&mut m, "c", 0, &[]);
    let p = active(&mut m, "p");
    keep(&mut m, p, 0, send(&c, vec![]), 1);
    go(&mut m, p, 1, set(&x, num(7)), 2);
    let q = active(&mut m, "q");
    keep(&mut m, q, 0, receive(&c, vec![]), 1);
    go(&mut m, q, 1, increment(&x), 2);
    assert_eq!(targets(&m, &x), [1]);
    let mut space = ModelSpace::new(&m, unchecked());
    let initial = explore(&m, unchecked(), 1)[0].0.clone();
    let chain = space.steps_of_edge(&initial, 0).unwrap();
    let pids: Vec<_> = chain.iter().map(|s| (s.pid, s.partner)).collect();
    assert_eq!(pids, [(0, Some((1, 0))), (1, None)]);
    assert!(space.steps_of_edge(&initial, 1).is_none());
}

#[test]
fn a_chain_that_branches_gives_one_edge_per_end() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    for at in 0..3u32 {
        let bit = 1 << at;
        keep(&mut m, p, at, set(&x, plus(get(&x), num(bit))), at + 1);
        keep(&mut m, p, at, act(vec![]), at + 1);
    }
    go(&mut m, p, 3, act(vec![]), 4);
    assert_eq!(targets(&m, &x), [7, 3, 5, 1, 6, 2, 4, 0]);
}

#[test]
fn faults_carry_the_label_of_their_edge() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let array = global_array(&mut m, "a", BYTE, 2);
    let p = active(&mut m, "p");
    keep(&mut m, p, 0, act(vec![]), 1);
    go(&mut m, p, 1, set(&x, num(1)), 5);
    go(&mut m, p, 1, act(vec![Effect::Assert(get(&x))]), 5);
    go(&mut m, p, 1, set(&at(&array, num(2)), num(1)), 5);
    go(&mut m, p, 1, set(&x, num(2)), 5);
    end(&mut m, p, 5);
    let states = explore(&m, Checks::default(), 100);
    let labels: Vec<_> = states[0].1.edges().map(|(_, label)| label).collect();
    assert_eq!(labels, [0, 1, 3], "the third leads nowhere");
    let expected = [
        (FaultKind::Assertion, Some(1)),
        (FaultKind::IndexOutOfRange, Some(2)),
    ];
    assert_eq!(faults(&states), expected);
    let mut space = ModelSpace::new(&m, Checks::default());
    let chain = space.steps_of_edge(&states[0].0, 2).unwrap();
    assert_eq!(
        chain.iter().map(|s| s.transition).collect::<Vec<_>>(),
        [0, 3]
    );
    let checks = Checks {
        assertions: false,
        ..Checks::default()
    };
    assert_eq!(faults(&explore(&m, checks, 100)), expected[1..]);
}

#[test]
fn end_states_and_invariants_are_judged() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, set(&x, num(1)), 1);
    let checks = Checks {
        invariants: vec![Invariant {
            text: "x == 0".into(),
            condition: equal(get(&x), num(0)),
            span: None,
        }],
        ..Checks::default()
    };
    let states = explore(&m, checks, 10);
    let expected = [
        (FaultKind::Invariant, None),
        (FaultKind::InvalidEndState, None),
    ];
    assert_eq!(faults(&states), expected);
    end(&mut m, p, 1);
    assert_eq!(faults(&explore(&m, Checks::default(), 10)), []);
}

#[test]
fn endless_atomic_chains_are_noticed() {
    for choices in [1, 2] {
        let mut m = model();
        let x = global(&mut m, "x", BYTE);
        let p = active(&mut m, "p");
        for _ in 0..choices {
            keep(&mut m, p, 0, increment(&x), 0);
        }
        let states = explore(&m, unchecked(), 10);
        // One for each way to begin.
        let expected: Vec<_> = (0..choices)
            .map(|label| (FaultKind::EndlessSequence, Some(label)))
            .collect();
        assert_eq!(faults(&states), expected);
    }
}

#[test]
fn a_process_that_must_be_deterministic_has_no_choice() {
    let nondeterminism = |m: &Model| {
        let found = faults(&explore(m, unchecked(), 100));
        found
            .iter()
            .filter(|f| f.0 == FaultKind::Nondeterminism)
            .count()
    };
    let mut m = model();
    let p = active(&mut m, "p");
    m.processes[p].deterministic = true;
    keep(&mut m, p, 0, act(vec![]), 1);
    go(&mut m, p, 1, act(vec![]), 2);
    assert_eq!(nondeterminism(&m), 0);
    go(&mut m, p, 1, act(vec![]), 3);
    assert_eq!(nondeterminism(&m), 1, "in the middle of a chain");
    // Two partners for one statement are no choice of the sender.
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[]);
    let p = active(&mut m, "p");
    m.processes[p].deterministic = true;
    go(&mut m, p, 0, send(&c, vec![]), 1);
    let q = active(&mut m, "q");
    start(&mut m, q, 1);
    go(&mut m, q, 0, receive(&c, vec![]), 1);
    assert_eq!(nondeterminism(&m), 0);
}

#[test]
fn every_place_that_control_comes_to_is_reached() {
    let mut m = model();
    let first = process(&mut m, "first");
    go(&mut m, first, 0, when(num(0)), 1);
    let second = process(&mut m, "second");
    go(&mut m, second, 0, when(num(0)), 1);
    let p = active(&mut m, "p");
    let both = vec![run(first, vec![]), run(second, vec![])];
    go(&mut m, p, 0, act(both), 1);
    let mut space = ModelSpace::new(&m, unchecked());
    let mut out = Expansion::new();
    space.initial(&mut out);
    let initial = out.edge(0).0.to_vec();
    space.successors(&initial, &mut out);
    assert_eq!(
        space.reached(),
        [vec![true, false], vec![true, false], vec![true, true]]
    );
}

#[test]
fn growing_chains_end_before_memory_does() {
    let mut m = model();
    let child = process(&mut m, "child");
    let big = lariat_ir::types::Type::Array(Box::new(lariat_ir::types::Type::Scalar(BYTE)), 4096);
    let frame = &mut m.processes[child].frame;
    frame.add(&m.records, "big", big, false).unwrap();
    go(&mut m, child, 0, when(num(0)), 0);
    let p = active(&mut m, "p");
    keep(&mut m, p, 0, act(vec![run(child, vec![])]), 0);
    keep(&mut m, p, 0, act(vec![run(child, vec![])]), 0);
    let mut space = ModelSpace::new(&m, unchecked());
    space.limit_memory(16 << 20);
    let mut out = Expansion::new();
    space.initial(&mut out);
    let initial = out.edge(0).0.to_vec();
    out.clear();
    space.successors(&initial, &mut out);
    assert!(out.is_incomplete());
    assert!(out.memory_bytes() <= 16 << 20);
}

#[test]
fn replaying_a_chain_leads_to_the_target_of_its_edge() {
    let mut edges = 0;
    let mut dead_ends = 0;
    for number in 0..300 {
        let mut rng = stream(SEED, "random model", number);
        let m = random_model(&mut rng);
        let interpreter = Interpreter::new(&m);
        let mut space = ModelSpace::new(&m, unchecked());
        for (words, out) in explore(&m, unchecked(), 40) {
            for (target, label) in out.edges() {
                let chain = space.steps_of_edge(&words, label).unwrap();
                let end = replay(&interpreter, &words, &chain).unwrap();
                assert_eq!(end, target, "model {number} of seed {SEED}, label {label}");
                edges += 1;
            }
            let known: Vec<u32> = out.edges().map(|(_, label)| label).collect();
            let nowhere = out.faults().iter().filter(|f| {
                let fatal = Fault::from_code(f.code).kind != FaultKind::EndlessSequence;
                fatal && f.label.is_some_and(|l| !known.contains(&l))
            });
            for fault in nowhere {
                let chain = space.steps_of_edge(&words, fault.label.unwrap()).unwrap();
                assert!(replay(&interpreter, &words, &chain).is_err());
                dead_ends += 1;
            }
        }
    }
    println!("seed {SEED}: {edges} edges, {dead_ends} faults without a target");
    assert!(edges > 10_000 && dead_ends > 100);
}

#[test]
fn expansions_do_not_depend_on_what_was_expanded_before() {
    for number in 0..50 {
        let mut rng = stream(SEED, "random model", number);
        let m = random_model(&mut rng);
        let states = explore(&m, Checks::default(), 30);
        let mut space = ModelSpace::new(&m, Checks::default());
        for (words, out) in states.iter().rev() {
            let mut again = Expansion::new();
            space.successors(words, &mut again);
            assert!(again.edges().eq(out.edges()) && again.faults() == out.faults());
        }
    }
}

#[test]
fn a_state_survives_packing() {
    let mut m = model();
    let ty = channel_type(&mut m, 2, &[BYTE]);
    let c = global(&mut m, "c", CHANNEL);
    let p = active(&mut m, "p");
    let x = local(&mut m, p, "x", BYTE);
    go(
        &mut m,
        p,
        0,
        act(vec![Effect::CreateChannel(c.clone(), ty), run(p, vec![])]),
        1,
    );
    go(&mut m, p, 1, send(&get(&c), vec![Expr::Pid]), 2);
    go(&mut m, p, 2, receive(&get(&c), vec![Pattern::Store(x)]), 3);
    go(&mut m, p, 3, Action::Terminate, 3);
    for (words, _) in explore(&m, unchecked(), 50) {
        let mut state = State::default();
        state.load(&m, &words);
        let mut again = State::default();
        again.load(&m, state.words());
        assert_eq!(state, again);
        assert_eq!(state.words(), words);
    }
}
