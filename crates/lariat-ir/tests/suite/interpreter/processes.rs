//! Processes that come and go, and what they see of each other.

use lariat_ir::expr::Expr;
use lariat_ir::fault::FaultKind;
use lariat_ir::model::{Action, Effect};
use lariat_ir::types::Scalar;

use lariat_testkit::ir::*;

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
fn remote_references_see_others_and_read_zero_if_there_is_no_process() {
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
