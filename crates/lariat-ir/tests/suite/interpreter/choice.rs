//! Which steps are possible: ranks, `else`, timeouts, priorities.

use lariat_ir::expr::Expr;
use lariat_ir::fault::FaultKind;
use lariat_ir::model::{Action, Effect};

use lariat_testkit::ir::*;

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
    assert_eq!(machine.enabled(), [(0, 2), (1, 0)], "no partner");
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
