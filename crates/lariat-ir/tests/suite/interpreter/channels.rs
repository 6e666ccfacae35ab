//! Channels with a buffer.

use lariat_ir::expr::{ChannelQuery, Expr};
use lariat_ir::fault::FaultKind;
use lariat_ir::model::{Action, Pattern};
use lariat_ir::types::Scalar;

use lariat_testkit::ir::*;

#[test]
fn a_channel_is_a_queue_and_blocks_when_it_is_full() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let c = channel(&mut m, "c", 2, &[BYTE]);
    let sender = active(&mut m, "sender");
    let n = local(&mut m, sender, "n", BYTE);
    go(&mut m, sender, 0, send(&c, vec![get(&n)]), 1);
    go(&mut m, sender, 1, increment(&n), 0);
    let receiver = active(&mut m, "receiver");
    go(&mut m, receiver, 0, receive(&c, vec![into(&x)]), 0);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(0, 0)]);
    for _ in 0..4 {
        machine.take(0).unwrap();
    }
    assert_eq!(machine.messages(0), [0, 1]);
    assert_eq!(machine.enabled(), [(1, 0)], "the sender must wait");
    for (received, left) in [(0, vec![1]), (1, vec![])] {
        let receiver = machine.steps().iter().position(|s| s.pid == 1).unwrap();
        machine.take(receiver).unwrap();
        assert_eq!((machine.value(&x), machine.messages(0)), (received, left));
    }
}

#[test]
fn a_free_slot_is_zeroed_so_that_equal_contents_are_equal_states() {
    let mut m = model();
    let c = channel(&mut m, "c", 3, &[BYTE, Scalar::signed(32)]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![num(7), num(-1)]), 1);
    go(
        &mut m,
        p,
        1,
        receive(&c, vec![Pattern::Any, Pattern::Any]),
        0,
    );
    let mut machine = Machine::new(&m);
    let before = machine.state.clone();
    machine.take(0).unwrap();
    machine.take(0).unwrap();
    assert_eq!(machine.state, before);
}

#[test]
fn a_sorted_send_goes_before_the_first_greater_message() {
    let mut m = model();
    let c = channel(&mut m, "c", 8, &[BYTE, BYTE]);
    let p = active(&mut m, "p");
    let messages = [(3, 0), (1, 1), (2, 0), (1, 0), (3, 1), (2, 0)];
    for (at, (a, b)) in messages.into_iter().enumerate() {
        let action = Action::Send {
            condition: Expr::TRUE,
            channel: c.clone(),
            values: vec![num(a), num(b)],
            sorted: true,
            lossy: false,
            effects: Vec::new(),
        };
        go(&mut m, p, at as u32, action, at as u32 + 1);
    }
    let mut machine = Machine::new(&m);
    machine.run();
    let ty = &m.channels[0];
    let pairs: Vec<_> = (0..6)
        .map(|slot| [0, 1].map(|field| machine.state.field(0, ty, slot, field)))
        .collect();
    assert_eq!(pairs, [[1, 0], [1, 1], [2, 0], [2, 0], [3, 0], [3, 1]]);
}

#[test]
fn receives_out_of_order_and_peeks() {
    let mut m = model();
    let (x, y) = (global(&mut m, "x", BYTE), global(&mut m, "y", BYTE));
    let c = channel(&mut m, "c", 4, &[BYTE, BYTE]);
    let p = active(&mut m, "p");
    for (at, (a, b)) in [(1, 10), (2, 20), (3, 30), (2, 21)].into_iter().enumerate() {
        let action = send(&c, vec![num(a), num(b)]);
        go(&mut m, p, at as u32, action, at as u32 + 1);
    }
    let take = |key, place: &_, anywhere, peek| Action::Receive {
        condition: Expr::TRUE,
        channel: c.clone(),
        pattern: vec![Pattern::Equal(num(key)), into(place)],
        anywhere,
        peek,
        effects: Vec::new(),
    };
    go(&mut m, p, 4, take(2, &y, false, false), 9); // not the oldest: never
    go(&mut m, p, 4, take(3, &x, true, true), 5);
    go(&mut m, p, 5, take(2, &y, true, false), 6);
    go(&mut m, p, 6, take(1, &x, false, true), 7);
    go(&mut m, p, 7, take(9, &x, true, false), 9); // nowhere
    let mut machine = Machine::new(&m);
    assert_eq!(machine.run(), 7);
    assert_eq!((machine.value(&x), machine.value(&y)), (10, 20));
    assert_eq!(machine.messages(0), [1, 3, 2]);
}

#[test]
fn a_lossy_send_never_waits() {
    let mut m = model();
    let c = channel(&mut m, "c", 1, &[BYTE]);
    let p = active(&mut m, "p");
    let lossy = Action::Send {
        condition: Expr::TRUE,
        channel: c.clone(),
        values: vec![num(5)],
        sorted: false,
        lossy: true,
        effects: Vec::new(),
    };
    go(&mut m, p, 0, lossy.clone(), 1);
    go(&mut m, p, 1, lossy, 2);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.run(), 2);
    assert_eq!(
        (machine.messages(0), machine.state.location(0)),
        (vec![5], 2)
    );
}

#[test]
fn channel_queries() {
    let mut m = model();
    let c = channel(&mut m, "c", 2, &[BYTE]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![num(4)]), 1);
    go(&mut m, p, 1, send(&c, vec![num(5)]), 2);
    let mut machine = Machine::new(&m);
    let ask = |machine: &Machine| {
        use ChannelQuery::*;
        [Length, Full, NotFull, Empty, NotEmpty].map(|query| {
            let e = Expr::Channel(query, Box::new(c.clone()));
            machine.interpreter.eval_global(&machine.state, &e).unwrap()
        })
    };
    let poll = |machine: &Machine, value, anywhere| {
        let e = Expr::Poll {
            channel: Box::new(c.clone()),
            pattern: vec![Pattern::Equal(num(value))],
            anywhere,
        };
        machine.interpreter.eval_global(&machine.state, &e).unwrap()
    };
    assert_eq!(ask(&machine), [0, 0, 1, 1, 0]);
    machine.take(0).unwrap();
    assert_eq!(ask(&machine), [1, 0, 1, 0, 1]);
    machine.take(0).unwrap();
    assert_eq!(ask(&machine), [2, 1, 0, 0, 1]);
    let polls = [(4, false), (5, false), (5, true), (6, true)];
    assert_eq!(polls.map(|(v, any)| poll(&machine, v, any)), [1, 0, 1, 0]);
}

#[test]
fn a_variable_without_a_channel_cannot_be_used() {
    let mut m = model();
    let none = global(&mut m, "none", CHANNEL);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&get(&none), vec![num(1)]), 1);
    assert_eq!(Machine::new(&m).take(0), Err(FaultKind::NoSuchChannel));
}

#[test]
fn messages_of_the_wrong_shape_are_sent_and_complained_about() {
    let mut m = model();
    let c = channel(&mut m, "c", 2, &[BYTE, BYTE]);
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![num(1)]), 1);
    go(&mut m, p, 1, send(&c, vec![num(2), num(3), num(4)]), 2);
    go(
        &mut m,
        p,
        2,
        receive(&c, vec![Pattern::Any, into(&x), Pattern::Any]),
        3,
    );
    let mut machine = Machine::new(&m);
    machine.run();
    assert_eq!(machine.faults(), [FaultKind::MessageShape; 3]);
    assert_eq!((machine.value(&x), machine.messages(0)), (0, vec![2]));
}

#[test]
fn the_largest_channel_counts_its_messages() {
    let mut m = model();
    let capacity = lariat_ir::state::MAX_COUNT as u32 - 1;
    let c = channel(&mut m, "c", capacity, &[Scalar::unsigned(1)]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![num(1)]), 0);
    let mut machine = Machine::new(&m);
    let step = machine.steps()[0];
    for _ in 0..capacity {
        let state = &mut machine.state;
        machine
            .interpreter
            .execute(state, step, &mut machine.seen)
            .unwrap();
    }
    assert_eq!(machine.state.channel_length(0), capacity as usize);
    assert!(machine.steps().is_empty());
}
