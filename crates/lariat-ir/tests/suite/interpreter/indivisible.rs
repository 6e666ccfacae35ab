//! Indivisible sequences.

use lariat_ir::fault::FaultKind;
use lariat_ir::model::{Action, Effect};
use lariat_ir::types::Scalar;

use lariat_testkit::ir::*;

#[test]
fn an_indivisible_sequence_takes_the_first_way_and_is_one_step() {
    let mut m = model();
    let (x, y) = (global(&mut m, "x", BYTE), global(&mut m, "y", BYTE));
    let p = active(&mut m, "p");
    go(&mut m, p, 0, Action::Indivisible { entry: 1 }, 3);
    go(
        &mut m,
        p,
        1,
        guarded(less(get(&x), num(100)), vec![increment_of(&x)]),
        1,
    );
    go(&mut m, p, 1, set(&y, num(1)), 3); // only when the first is not possible
    inside(&mut m, p, &[1]);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.steps().len(), 1);
    machine.take(0).unwrap();
    assert_eq!((machine.value(&x), machine.value(&y)), (100, 1));
    assert_eq!(machine.state.location(0), 3);
}

fn increment_of(place: &lariat_ir::expr::Place) -> Effect {
    Effect::Assign(place.clone(), plus(get(place), num(1)))
}

#[test]
fn an_indivisible_sequence_waits_at_its_entry_and_nowhere_else() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, Action::Indivisible { entry: 1 }, 3);
    go(&mut m, p, 1, when(get(&x)), 2);
    go(&mut m, p, 2, when(equal(get(&x), num(2))), 3);
    inside(&mut m, p, &[1, 2]);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, increment(&x), 1);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(1, 0)]);
    machine.take(0).unwrap();
    assert_eq!(machine.take(0), Err(FaultKind::BlockedInside));
}

#[test]
fn an_endless_indivisible_sequence_is_noticed() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, Action::Indivisible { entry: 1 }, 2);
    go(&mut m, p, 1, increment(&x), 1);
    inside(&mut m, p, &[1]);
    go(&mut m, p, 2, when(num(0)), 2);
    assert_eq!(Machine::new(&m).take(0), Err(FaultKind::EndlessSequence));
}

#[test]
fn a_long_indivisible_sequence_is_not_taken_for_endless() {
    let mut m = model();
    let x = global(&mut m, "x", Scalar::signed(32));
    let p = active(&mut m, "p");
    go(&mut m, p, 0, Action::Indivisible { entry: 1 }, 2);
    go(
        &mut m,
        p,
        1,
        guarded(less(get(&x), num(100_000)), vec![increment_of(&x)]),
        1,
    );
    go(&mut m, p, 1, Action::Else, 2);
    inside(&mut m, p, &[1]);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!(machine.value(&x), 100_000);
}

#[test]
fn an_indivisible_sequence_cannot_meet_a_partner_by_sending() {
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, Action::Indivisible { entry: 1 }, 3);
    go(&mut m, p, 1, act(vec![]), 2);
    go(&mut m, p, 2, send(&c, vec![]), 3);
    inside(&mut m, p, &[1, 2]);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, receive(&c, vec![]), 1);
    assert_eq!(Machine::new(&m).take(0), Err(FaultKind::RendezvousInside));
}

#[test]
fn a_process_can_end_in_the_middle_of_an_indivisible_sequence() {
    let mut m = model();
    let p = active(&mut m, "p");
    go(&mut m, p, 0, Action::Indivisible { entry: 1 }, 2);
    go(&mut m, p, 1, Action::Terminate, 2);
    inside(&mut m, p, &[1]);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!(machine.state.process_count(), 0);
}
