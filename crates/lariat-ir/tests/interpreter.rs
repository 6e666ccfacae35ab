//! The meaning of the IR, one construct at a time, on models made by hand.

mod support;

use lariat_ir::expr::{Binary, ChannelQuery, Expr, Unary};
use lariat_ir::fault::FaultKind;
use lariat_ir::interpret::{Interpreter, Observed};
use lariat_ir::model::{
    Action, Direction, Effect, Monitor, MonitorEvent, MonitorLocation, Pattern, Piece, Style,
};
use lariat_ir::types::Scalar;
use support::*;

// Values.

#[test]
fn assignments_cut_to_the_width_of_the_variable() {
    let mut m = model();
    let byte = global(&mut m, "byte", BYTE);
    let three = global(&mut m, "three", Scalar::unsigned(3));
    let short = global(&mut m, "short", Scalar::signed(16));
    let bit = global(&mut m, "bit", Scalar::unsigned(1));
    let p = active(&mut m, "p");
    let assign = |place, value| Effect::Assign(place, num(value));
    let effects = vec![
        assign(byte.clone(), 511),
        assign(three.clone(), -1),
        assign(short.clone(), 0x1_8000),
        assign(bit.clone(), 2),
    ];
    go(&mut m, p, 0, act(effects), 1);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    let values = [&byte, &three, &short, &bit].map(|place| machine.value(place));
    assert_eq!(values, [255, 7, -0x8000, 0]);
}

#[test]
fn message_fields_are_cut_and_compared_as_the_channel_holds_them() {
    let mut m = model();
    let c = channel(&mut m, "c", 2, &[BYTE]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![num(300)]), 1);
    go(&mut m, p, 1, receive(&c, vec![Pattern::Equal(num(300))]), 2);
    go(&mut m, p, 1, receive(&c, vec![Pattern::Equal(num(44))]), 3);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.run(), 2);
    assert_eq!(machine.state.location(0), 3);
}

#[test]
fn indices_outside_an_array_are_faults() {
    for index in [-1, 3, i32::MIN, i32::MAX] {
        let mut m = model();
        let array = global_array(&mut m, "a", BYTE, 3);
        let p = active(&mut m, "p");
        go(&mut m, p, 0, set(&at(&array, num(index)), num(1)), 1);
        assert_eq!(Machine::new(&m).take(0), Err(FaultKind::IndexOutOfRange));
    }
}

#[test]
fn arithmetic_wraps_and_only_division_by_zero_is_a_fault() {
    let mut m = model();
    let x = global(&mut m, "x", Scalar::signed(32));
    let p = active(&mut m, "p");
    let min = num(i32::MIN);
    let quotient = min.clone().binary(Binary::Divide, num(-1));
    go(&mut m, p, 0, set(&x, quotient), 1);
    go(
        &mut m,
        p,
        1,
        set(&x, Expr::Unary(Unary::Negate, Box::new(min))),
        2,
    );
    go(
        &mut m,
        p,
        2,
        when(num(1).binary(Binary::Remainder, num(0))),
        3,
    );
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!(machine.value(&x), i32::MIN);
    machine.take(0).unwrap();
    assert_eq!(machine.value(&x), i32::MIN);
    // The guard cannot be evaluated: the step is there, and fails.
    assert_eq!(machine.take(0), Err(FaultKind::DivisionByZero));
}

#[test]
fn printed_values_are_evaluated_whether_anybody_listens_or_not() {
    let mut m = model();
    let p = active(&mut m, "p");
    let value = num(1).binary(Binary::Divide, num(0));
    let print = Effect::Print(vec![Piece::Value(value, Style::Decimal)]);
    go(&mut m, p, 0, act(vec![print]), 1);
    for output in [None, Some(String::new())] {
        let mut machine = Machine::new(&m);
        machine.seen.output = output;
        assert_eq!(machine.take(0), Err(FaultKind::DivisionByZero));
    }
}

#[test]
fn output_is_collected() {
    let mut m = model();
    let p = active(&mut m, "p");
    let value = |style| Piece::Value(num(255), style);
    let pieces = vec![
        Piece::Text("x=".into()),
        value(Style::Decimal),
        value(Style::Hexadecimal),
        value(Style::Octal),
    ];
    go(&mut m, p, 0, act(vec![Effect::Print(pieces)]), 1);
    let mut machine = Machine::new(&m);
    machine.seen.output = Some(String::new());
    machine.take(0).unwrap();
    assert_eq!(machine.seen.output.as_deref(), Some("x=255ff377"));
}

// Channels.

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

// Rendezvous.

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
fn nobody_meets_himself_and_guards_take_no_offers() {
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

// Choice.

#[test]
fn a_higher_rank_pre_empts_a_lower_one() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    ranked(&mut m, p, 0, when(equal(get(&x), num(2))), 1, 2);
    ranked(&mut m, p, 0, increment(&x), 0, 1);
    ranked(&mut m, p, 0, when(num(1)), 1, 1);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(0, 1), (0, 2)]);
    machine.take(0).unwrap();
    assert_eq!(machine.enabled(), [(0, 1), (0, 2)]);
    machine.take(0).unwrap();
    assert_eq!(machine.enabled(), [(0, 0)]);
}

#[test]
fn else_is_the_last_resort() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let c = channel(&mut m, "c", 0, &[]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, when(equal(get(&x), num(1))), 1);
    go(&mut m, p, 0, send(&c, vec![]), 1);
    go(&mut m, p, 0, Action::Else, 2);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, set(&x, num(1)), 1);
    go(&mut m, q, 1, receive(&c, vec![]), 2);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(0, 2), (1, 0)], "nobody to meet");
    machine.take(1).unwrap();
    assert_eq!(machine.enabled(), [(0, 0), (0, 1)]);
}

#[test]
fn timeout_is_true_when_nothing_else_is_possible() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, guarded(Expr::Timeout, vec![]), 1);
    go(&mut m, p, 1, when(Expr::Timeout.negate()), 2);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, set(&x, num(1)), 1);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(1, 0)]);
    machine.take(0).unwrap();
    assert_eq!(machine.enabled(), [(0, 0)]);
    assert!(machine.steps()[0].timeout);
    machine.take(0).unwrap();
    assert!(!machine.steps()[0].timeout);
}

#[test]
fn a_provided_clause_holds_a_process_and_a_partner_back() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let c = channel(&mut m, "c", 0, &[]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, receive(&c, vec![]), 1);
    m.processes[p].provided = Some(get(&x));
    let q = active(&mut m, "q");
    go(&mut m, q, 0, send(&c, vec![]), 1);
    go(&mut m, q, 0, set(&x, num(1)), 0);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(1, 1)]);
    machine.take(0).unwrap();
    assert_eq!(machine.enabled(), [(1, 0), (1, 1)]);
}

#[test]
fn only_the_highest_priority_that_can_move_moves() {
    let mut m = model();
    m.priorities = true;
    let x = global(&mut m, "x", BYTE);
    let mut add = |name: &str, condition: Expr, priority| {
        let p = process(&mut m, name);
        let place = local(&mut m, p, "_priority", BYTE);
        m.processes[p].priority = Some(place);
        start(&mut m, p, priority);
        go(&mut m, p, 0, when(condition), 1);
        p
    };
    let low = add("low", num(1), 1);
    add("middle", num(1), 5);
    add("high", equal(get(&x), num(1)), 9);
    let raise = |pid: i32, priority: i32| Effect::SetPriority {
        pid: num(pid),
        priority: num(priority),
    };
    go(&mut m, low, 1, act(vec![raise(0, 20), raise(99, 0)]), 2);
    go(&mut m, low, 2, act(vec![raise(1, 0)]), 3);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(1, 0)], "high is blocked");
    machine.take(0).unwrap();
    assert_eq!(machine.enabled(), [(0, 0)]);
    machine.take(0).unwrap();
    machine.take(0).unwrap();
    let priority = |pid| Expr::Priority(Box::new(num(pid)));
    let value = |e| machine.interpreter.eval_global(&machine.state, &e).unwrap();
    assert_eq!([0, 1, 2, 3].map(|pid| value(priority(pid))), [20, 5, 9, 0]);
    assert_eq!(machine.take(0), Err(FaultKind::BadPriority));
}

#[test]
fn enabled_looks_at_the_guards_of_another_process() {
    let mut m = model();
    let x = global(&mut m, "x", BYTE);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, when(Expr::Enabled(Box::new(num(1)))), 1);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, when(equal(get(&x), num(1))), 1);
    // It asks for itself: not followed for ever.
    go(&mut m, q, 0, when(Expr::Enabled(Box::new(num(1)))), 1);
    let r = active(&mut m, "r");
    go(&mut m, r, 0, set(&x, num(1)), 1);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.enabled(), [(2, 0)]);
    machine.take(0).unwrap();
    assert_eq!(machine.enabled(), [(0, 0), (1, 0), (1, 1)]);
}

// Indivisible sequences.

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
fn an_indivisible_sequence_cannot_meet_anybody_by_sending() {
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

// Processes.

#[test]
fn processes_get_arguments_and_end_in_the_order_of_a_stack() {
    let mut m = model();
    let child = process(&mut m, "child");
    let x = local(&mut m, child, "x", BYTE);
    let c = local(&mut m, child, "c", CHANNEL);
    m.processes[child].parameters.push(x.clone());
    let ty = channel_type(&mut m, 1, &[BYTE]);
    m.processes[child]
        .init
        .push(Effect::CreateChannel(c.clone(), ty));
    go(&mut m, child, 0, Action::Terminate, 0);
    let parent = active(&mut m, "parent");
    let spawn = |value| run(child, vec![num(value)]);
    go(&mut m, parent, 0, act(vec![spawn(300), spawn(2)]), 1);
    go(&mut m, parent, 1, Action::Terminate, 1);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!((machine.local(1, &x), machine.local(2, &x)), (44, 2));
    assert_eq!((machine.local(1, &c), machine.local(2, &c)), (1, 2));
    for left in [2, 1, 0] {
        assert_eq!(machine.enabled().len(), 1, "only the youngest can end");
        assert_eq!(machine.enabled()[0].0, left);
        machine.take(0).unwrap();
        assert_eq!(machine.state.process_count(), left as usize);
        assert_eq!(
            machine.state.channel_count(),
            left.saturating_sub(1) as usize
        );
    }
}

#[test]
fn channels_end_with_the_process_that_is_older_than_they() {
    let mut m = model();
    let keep_it = global(&mut m, "keep", CHANNEL);
    let late = global(&mut m, "late", CHANNEL);
    let ty = channel_type(&mut m, 1, &[BYTE]);
    let child = process(&mut m, "child");
    go(&mut m, child, 0, Action::Terminate, 0);
    let parent = active(&mut m, "parent");
    let create = |place: &lariat_ir::expr::Place| Effect::CreateChannel(place.clone(), ty);
    go(
        &mut m,
        parent,
        0,
        act(vec![create(&keep_it), run(child, vec![]), create(&late)]),
        1,
    );
    go(
        &mut m,
        parent,
        1,
        when(equal(Expr::ProcessCount, num(1))),
        2,
    );
    go(&mut m, parent, 2, send(&get(&keep_it), vec![num(1)]), 3);
    go(&mut m, parent, 3, send(&get(&late), vec![num(1)]), 4);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!(machine.state.channel_count(), 2);
    machine.take(0).unwrap();
    assert_eq!(machine.state.channel_count(), 1);
    machine.take(0).unwrap();
    machine.take(0).unwrap();
    assert_eq!(machine.take(0), Err(FaultKind::NoSuchChannel));
}

#[test]
fn a_process_that_ends_keeps_no_control() {
    let mut m = model();
    let h = global(&mut m, "h", BYTE);
    m.hidden.push(0);
    let p = active(&mut m, "p");
    keep(&mut m, p, 0, set(&h, num(1)), 1);
    keep(&mut m, p, 1, Action::Terminate, 1);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    machine.take(0).unwrap();
    assert_eq!(machine.control, None);
    assert!(machine.steps().is_empty());
    assert_eq!(machine.value(&h), 0);
}

#[test]
fn a_state_has_a_largest_size() {
    let mut m = model();
    let child = process(&mut m, "child");
    let ty = lariat_ir::types::Type::Array(
        Box::new(lariat_ir::types::Type::Scalar(Scalar::signed(32))),
        1 << 22,
    );
    let frame = &mut m.processes[child].frame;
    frame.add(&m.records, "big", ty, false).unwrap();
    let p = active(&mut m, "p");
    go(&mut m, p, 0, act(vec![run(child, vec![])]), 0);
    let mut machine = Machine::new(&m);
    let step = machine.steps()[0];
    let result = (0..8).find_map(|_| {
        let state = &mut machine.state;
        machine
            .interpreter
            .execute(state, step, &mut machine.seen)
            .err()
    });
    assert_eq!(result.unwrap().kind, FaultKind::StateTooLarge);
}

#[test]
fn a_state_has_a_largest_number_of_channels() {
    let mut m = model();
    let c = global(&mut m, "c", CHANNEL);
    let ty = channel_type(&mut m, 0, &[]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, act(vec![Effect::CreateChannel(c, ty)]), 0);
    let mut machine = Machine::new(&m);
    let step = machine.steps()[0];
    let result = (0..70_000).find_map(|_| {
        let state = &mut machine.state;
        machine
            .interpreter
            .execute(state, step, &mut machine.seen)
            .err()
    });
    assert_eq!(result.unwrap().kind, FaultKind::StateTooLarge);
}

#[test]
fn remote_references_see_others_and_read_zero_if_there_is_nobody() {
    let mut m = model();
    let p = active(&mut m, "p");
    let x = local(&mut m, p, "x", BYTE);
    go(&mut m, p, 0, set(&x, num(6)), 1);
    let q = process(&mut m, "q");
    let y = local(&mut m, q, "y", BYTE);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    let value = |e: Expr| machine.interpreter.eval_global(&machine.state, &e).unwrap();
    let load = |place: &lariat_ir::expr::Place, process, pid: Option<i32>| {
        value(get(&remote(place, process, pid.map(num))))
    };
    assert_eq!(load(&x, p, None), 6);
    assert_eq!(load(&x, p, Some(0)), 6);
    assert_eq!(
        [Some(-1), Some(1), Some(i32::MAX)].map(|pid| load(&x, p, pid)),
        [0; 3]
    );
    assert_eq!((load(&y, q, None), load(&y, q, Some(0))), (0, 0));
    let at_location = |process, pid: Option<i32>, location| {
        value(Expr::At {
            process,
            pid: pid.map(|p| Box::new(num(p))),
            location,
        })
    };
    assert_eq!((at_location(p, None, 1), at_location(p, None, 0)), (1, 0));
    assert_eq!(at_location(q, Some(0), 1), 0);
    let number = |pid| value(Expr::LocationNumber(Box::new(num(pid))));
    assert_eq!((number(0), number(-1), number(5)), (1, 0, 0));
}

#[test]
fn hidden_variables_are_forgotten_with_control() {
    let mut m = model();
    let h = global(&mut m, "h", BYTE);
    let x = global(&mut m, "x", BYTE);
    m.hidden.push(0);
    m.init.push(Effect::Assign(h.clone(), num(3)));
    let p = active(&mut m, "p");
    keep(&mut m, p, 0, set(&h, num(7)), 1);
    go(&mut m, p, 1, set(&x, get(&h)), 2);
    let mut machine = Machine::new(&m);
    assert_eq!(machine.value(&h), 3);
    machine.take(0).unwrap();
    assert_eq!(machine.value(&h), 7);
    machine.take(0).unwrap();
    assert_eq!((machine.value(&h), machine.value(&x)), (3, 7));
}

#[test]
fn the_process_that_moved_last_is_remembered() {
    let mut m = model();
    let last = global(&mut m, "_last", BYTE);
    m.last = Some(last.clone());
    let c = channel(&mut m, "c", 0, &[]);
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![]), 1);
    go(&mut m, p, 1, act(vec![]), 2);
    let q = active(&mut m, "q");
    go(&mut m, q, 0, receive(&c, vec![]), 1);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!(machine.value(&last), 1, "the receiver");
    machine.take(0).unwrap();
    assert_eq!(machine.value(&last), 0);
}

// The monitor.

fn monitored(negated: bool) -> (lariat_ir::model::Model, lariat_ir::expr::Place) {
    let mut m = model();
    let c = channel(&mut m, "c", 2, &[BYTE]);
    let place = global(&mut m, "_trace", Scalar::unsigned(16));
    let Expr::Load(watched) = c.clone() else {
        unreachable!()
    };
    let event = |direction, value, target| MonitorEvent {
        direction,
        channel: watched.clone(),
        pattern: vec![Pattern::Equal(num(value))],
        target,
    };
    let location = |events, last| MonitorLocation {
        events,
        end: last,
        last,
    };
    m.monitor = Some(Monitor {
        locations: vec![
            location(vec![event(Direction::Send, 1, 1)], false),
            location(vec![event(Direction::Receive, 1, 2)], false),
            location(vec![], true),
        ],
        initial: 0,
        place: place.clone(),
        watched: vec![
            (Direction::Send, watched.clone()),
            (Direction::Receive, watched.clone()),
        ],
        negated,
    });
    let p = active(&mut m, "p");
    go(&mut m, p, 0, send(&c, vec![num(1)]), 1);
    go(&mut m, p, 0, send(&c, vec![num(2)]), 1);
    go(&mut m, p, 1, receive(&c, vec![Pattern::Any]), 2);
    (m, place)
}

#[test]
fn a_monitor_follows_the_messages() {
    let (m, place) = monitored(false);
    let mut machine = Machine::new(&m);
    assert!(!machine.interpreter.is_monitor_at_rest(&machine.state));
    machine.take(0).unwrap();
    assert_eq!(machine.value(&place), 1);
    machine.take(0).unwrap();
    assert_eq!((machine.value(&place), machine.faults()), (2, vec![]));
    assert!(machine.interpreter.is_monitor_at_rest(&machine.state));
    let mut machine = Machine::new(&m);
    machine.take(1).unwrap();
    assert_eq!(machine.faults(), [FaultKind::TraceMismatch]);
}

#[test]
fn a_negated_monitor_complains_at_its_end() {
    let (m, place) = monitored(true);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!(machine.faults(), []);
    machine.take(0).unwrap();
    assert_eq!(machine.faults(), [FaultKind::TraceMismatch]);
    let mut machine = Machine::new(&m);
    machine.take(1).unwrap();
    assert_eq!(
        machine.value(&place),
        2,
        "a message that does not fit switches it off"
    );
    machine.take(0).unwrap();
    assert_eq!(machine.faults(), []);
}

// Numbers of transitions.

#[test]
fn transition_numbers_go_both_ways() {
    let mut m = model();
    for name in ["a", "empty", "b"] {
        let p = process(&mut m, name);
        if name != "empty" {
            go(&mut m, p, 0, act(vec![]), 1);
            go(&mut m, p, 1, Action::Terminate, 1);
        }
    }
    let interpreter = Interpreter::new(&m);
    for (process, ty) in m.processes.iter().enumerate() {
        for index in 0..ty.transitions.len() as u32 {
            let number = interpreter.transition_number(process, index);
            let (found, transition) = interpreter.transition(number).unwrap();
            assert_eq!(found.name, ty.name);
            assert!(std::ptr::eq(transition, &ty.transitions[index as usize]));
        }
    }
    assert!(interpreter.transition(0).is_none());
    assert!(interpreter.transition(5).is_none());
    assert_eq!(
        interpreter
            .initial(&mut Observed::default())
            .unwrap()
            .process_count(),
        0
    );
}
