//! Rendezvous.

use lariat_ir::expr::Expr;
use lariat_ir::fault::FaultKind;
use lariat_ir::model::{Action, Pattern};

use lariat_testkit::ir::*;

#[test]
fn a_rendezvous_has_one_step_per_receiver_that_accepts() {
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[BYTE]);
    let sender = active(&mut m, "sender");
    go(&mut m, sender, 0, send(&c, vec![num(7)]), 1);
    let receiver = active(&mut m, "receiver");
    let x = local(&mut m, receiver, "x", BYTE);
    go(&mut m, receiver, 0, receive(&c, vec![into(&x)]), 1);
    start(&mut m, receiver, 1);
    let picky = active(&mut m, "picky");
    go(
        &mut m,
        picky,
        0,
        receive(&c, vec![Pattern::Equal(num(8))]),
        1,
    );
    let partners =
        |machine: &Machine| -> Vec<_> { machine.steps().iter().map(|s| s.partner).collect() };
    for choice in [0, 1] {
        let mut machine = Machine::new(&m);
        assert_eq!(partners(&machine), [Some((1, 0)), Some((2, 0))]);
        machine.take(choice).unwrap();
        let locations = [0, 1, 2].map(|pid| machine.state.location(pid));
        assert_eq!(locations, [[1, 1, 0], [1, 0, 1]][choice]);
        assert_eq!(machine.local(choice + 1, &x), 7);
        assert!(machine.steps().is_empty());
    }
}

#[test]
fn no_process_meets_itself_and_guards_take_no_offers() {
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[BYTE]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![num(1)]), 1);
    go(&mut m, p, 0, receive(&c, vec![Pattern::Any]), 1);
    let blocked = active(&mut m, "blocked");
    go(&mut m, blocked, 0, when(num(0)), 1);
    go(&mut m, blocked, 0, Action::Else, 2);
    assert_eq!(Machine::new(&m).enabled(), [(1, 1)]);
}

#[test]
fn a_receive_without_a_channel_accepts_no_offer() {
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[]);
    let none = global(&mut m, "none", CHANNEL);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![]), 1);
    go(&mut m, p, 0, Action::Else, 2);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, receive(&get(&none), vec![]), 1);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(0, 1), (1, 0)]);
    assert_eq!(machine.take(1), Err(FaultKind::NoSuchChannel));
}

#[test]
fn control_passes_to_the_receiver_of_a_rendezvous() {
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[BYTE]);
    let sender = active(&mut m, "sender");
    keep(&mut m, sender, 0, send(&c, vec![num(1)]), 1);
    go(&mut m, sender, 1, act(vec![]), 2);
    let receiver = active(&mut m, "receiver");
    keep(&mut m, receiver, 0, receive(&c, vec![Pattern::Any]), 1);
    go(&mut m, receiver, 1, act(vec![]), 2);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!(machine.control, Some(1));
    assert_eq!(machine.enabled(), [(1, 1)]);
    machine.take(0).unwrap();
    assert_eq!(machine.control, None);
    assert_eq!(machine.enabled(), [(0, 1)]);
}

#[test]
fn an_offer_can_be_accepted_by_an_indivisible_sequence() {
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[BYTE]);
    let sender = active(&mut m, "sender");
    go(&mut m, sender, 0, send(&c, vec![num(9)]), 1);
    let receiver = active(&mut m, "receiver");
    let x = local(&mut m, receiver, "x", BYTE);
    go(&mut m, receiver, 0, Action::Indivisible { entry: 1 }, 3);
    go(&mut m, receiver, 1, receive(&c, vec![into(&x)]), 2);
    go(&mut m, receiver, 2, increment(&x), 3);
    inside(&mut m, receiver, &[1, 2]);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.steps().len(), 1);
    machine.take(0).unwrap();
    assert_eq!((machine.local(1, &x), machine.state.location(1)), (10, 3));
}

#[test]
fn the_contents_of_a_channel_without_a_buffer_cannot_be_asked_for() {
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[BYTE]);
    let p = active(&mut m, "p");
    let poll = Expr::Poll {
        channel: Box::new(c),
        pattern: vec![Pattern::Any],
        anywhere: false,
    };
    go(&mut m, p, 0, when(poll), 1);
    assert_eq!(Machine::new(&m).take(0), Err(FaultKind::PollRendezvous));
}
