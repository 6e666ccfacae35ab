//! The marks that the reductions set, and what they mean to the interpreter, on models made by hand.
//! Whether the reductions are exact is tested on whole models, in `crates/lariat-cli/tests/models/reduce.rs`.

use lariat_ir::model::{Action, Model};
use lariat_ir::reduce::{Options, Visible, apply};
use lariat_ir::space::Checks;
use lariat_testkit::ir::*;

fn reduce(model: &mut Model, visible: &Visible) {
    apply(model, Options::ALL, visible);
}

/// The transitions of a process after which it keeps control.
fn merged(model: &Model, process: usize) -> Vec<usize> {
    let transitions = model.processes[process].transitions.iter().enumerate();
    let merged = transitions.filter(|(_, t)| t.merged);
    merged.map(|(index, _)| index).collect()
}

#[test]
fn a_global_step_takes_the_local_ones_behind_it_along() {
    let mut m = model();
    let g = global(&mut m, "g", BYTE);
    let p = active(&mut m, "p");
    let a = local(&mut m, p, "a", BYTE);
    let first = go(&mut m, p, 0, set(&g, num(1)), 1);
    let second = go(&mut m, p, 1, increment(&a), 2);
    go(&mut m, p, 2, set(&a, get(&a)), 3);
    go(&mut m, p, 3, set(&g, get(&a)), 4);
    reduce(&mut m, &Visible::default());
    assert_eq!(merged(&m, p), [first, second]);
    let mut visible = Visible::default();
    visible.single_steps();
    reduce(&mut m, &visible);
    assert_eq!(merged(&m, p), []);
    // What the property sees of the process is not local.
    let mut visible = Visible::default();
    visible.condition(&get(&remote(&a, p, None)));
    reduce(&mut m, &visible);
    assert_eq!(merged(&m, p), []);
    assert!(m.processes[p].locations.iter().all(|l| l.dead.is_empty()));
}

#[test]
fn a_cycle_of_local_steps_rests_somewhere() {
    let mut m = model();
    let g = global(&mut m, "g", BYTE);
    let p = active(&mut m, "p");
    let a = local(&mut m, p, "a", BYTE);
    let entry = go(&mut m, p, 0, set(&g, num(1)), 1);
    let round = go(&mut m, p, 1, set(&a, num(1)), 2);
    go(&mut m, p, 2, set(&a, num(0)), 1);
    reduce(&mut m, &Visible::default());
    assert_eq!(merged(&m, p), [entry, round]);
    let states = explore(&m, Checks::default(), 10);
    assert_eq!((states.len(), faults(&states)), (2, vec![]));
}

#[test]
fn a_cycle_that_is_closed_by_an_atomic_step_rests_somewhere() {
    let mut m = model();
    let g = global(&mut m, "g", BYTE);
    let p = active(&mut m, "p");
    let a = local(&mut m, p, "a", BYTE);
    let entry = go(&mut m, p, 0, set(&g, num(1)), 1);
    go(&mut m, p, 1, set(&a, num(1)), 2);
    keep(&mut m, p, 2, set(&a, num(0)), 1);
    reduce(&mut m, &Visible::default());
    assert_eq!(merged(&m, p), [entry]);
    let states = explore(&m, Checks::default(), 10);
    assert_eq!((states.len(), faults(&states)), (2, vec![]));
}

#[test]
fn choices_are_passed_as_long_as_there_are_few_ways() {
    let mut m = model();
    let g = global(&mut m, "g", BYTE);
    let p = active(&mut m, "p");
    let a = local(&mut m, p, "a", BYTE);
    go(&mut m, p, 0, set(&g, num(1)), 1);
    // Ten choices in a row, each between going up and staying.
    for at in 1..11 {
        go(&mut m, p, at, increment(&a), at + 1);
        go(&mut m, p, at, act(vec![]), at + 1);
    }
    go(&mut m, p, 11, set(&g, get(&a)), 12);
    end(&mut m, p, 12);
    reduce(&mut m, &Visible::default());
    let states = explore(&m, Checks::default(), 1000);
    assert!(states.iter().all(|(_, out)| out.len() <= 32));
    assert!(states.len() < 80 && faults(&states).is_empty());
}

#[test]
fn what_is_hidden_is_forgotten_between_merged_steps() {
    let mut m = model();
    let h = global(&mut m, "h", BYTE);
    m.hidden.push(0);
    let p = active(&mut m, "p");
    let a = local(&mut m, p, "a", BYTE);
    go(&mut m, p, 0, set(&h, num(1)), 1);
    go(&mut m, p, 1, set(&a, num(1)), 2);
    go(&mut m, p, 2, set(&h, get(&a)), 3);
    reduce(&mut m, &Visible::default());
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!((machine.control, machine.value(&h)), (Some(0), 0));
}

#[test]
fn both_halves_of_a_meeting_clear_what_is_dead() {
    let mut m = model();
    let c = channel(&mut m, "c", 0, &[BYTE]);
    let g = global(&mut m, "g", BYTE);
    let p = active(&mut m, "p");
    let a = local(&mut m, p, "a", BYTE);
    go(&mut m, p, 0, set(&a, plus(get(&g), num(5))), 1);
    go(&mut m, p, 1, send(&c, vec![get(&a)]), 2);
    go(&mut m, p, 2, set(&g, num(1)), 3);
    let q = active(&mut m, "q");
    let old = local(&mut m, q, "old", BYTE);
    let new = local(&mut m, q, "new", BYTE);
    go(&mut m, q, 0, set(&old, plus(get(&g), num(3))), 1);
    go(&mut m, q, 1, when(less(get(&old), num(9))), 2);
    go(&mut m, q, 2, receive(&c, vec![into(&new)]), 3);
    go(&mut m, q, 3, set(&g, get(&new)), 4);
    reduce(&mut m, &Visible::default());
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!(machine.local(0, &a), 5);
    machine.control = None;
    machine.take(0).unwrap();
    assert_eq!(machine.local(1, &old), 3);
    machine.control = None;
    machine.take(0).unwrap();
    assert_eq!(machine.local(1, &old), 0);
    machine.control = None;
    machine.take(0).unwrap();
    assert_eq!((machine.local(0, &a), machine.local(1, &new)), (0, 5));
}

#[test]
fn a_new_process_keeps_only_the_parameters_that_it_needs() {
    let mut m = model();
    let g = global(&mut m, "g", BYTE);
    let child = process(&mut m, "child");
    let used = local(&mut m, child, "used", BYTE);
    let unused = local(&mut m, child, "unused", BYTE);
    m.processes[child].parameters = vec![used.clone(), unused.clone()];
    go(&mut m, child, 0, set(&g, get(&used)), 1);
    go(&mut m, child, 1, Action::Terminate, 1);
    let p = active(&mut m, "p");
    let (a, b) = (local(&mut m, p, "a", BYTE), local(&mut m, p, "b", BYTE));
    go(&mut m, p, 0, set(&a, plus(get(&g), num(7))), 1);
    go(&mut m, p, 1, set(&b, plus(get(&g), num(8))), 2);
    go(
        &mut m,
        p,
        2,
        act(vec![run(child, vec![get(&a), get(&b)])]),
        3,
    );
    reduce(&mut m, &Visible::default());
    let mut machine = Machine::new(&m);
    for _ in 0..3 {
        machine.control = None;
        machine.take(0).unwrap();
    }
    // `b` was never kept at all, and `a` is not needed any more.
    assert_eq!((machine.local(0, &a), machine.local(0, &b)), (0, 0));
    assert_eq!((machine.local(1, &used), machine.local(1, &unused)), (7, 0));
    machine.control = None;
    machine.take(0).unwrap();
    assert_eq!(machine.local(1, &used), 0);
}

#[test]
fn marks_of_another_property_are_removed() {
    let mut m = model();
    let g = global(&mut m, "g", BYTE);
    let p = active(&mut m, "p");
    let a = local(&mut m, p, "a", BYTE);
    go(&mut m, p, 0, set(&g, num(1)), 1);
    go(&mut m, p, 1, set(&a, num(2)), 2);
    go(&mut m, p, 2, set(&g, num(3)), 3);
    reduce(&mut m, &Visible::default());
    let is_marked = |m: &Model| {
        let dead = m.processes[p].locations.iter().any(|l| !l.dead.is_empty());
        (!merged(m, p).is_empty(), dead)
    };
    assert_eq!(is_marked(&m), (true, true));
    apply(&mut m, Options::NONE, &Visible::default());
    assert_eq!(is_marked(&m), (false, false));
}

#[test]
fn what_a_provided_clause_reads_is_never_cleared() {
    let mut m = model();
    let g = global(&mut m, "g", BYTE);
    let p = active(&mut m, "p");
    let a = local(&mut m, p, "a", BYTE);
    m.processes[p].provided = Some(less(get(&a), num(2)));
    go(&mut m, p, 0, set(&a, plus(get(&g), num(2))), 1);
    go(&mut m, p, 1, set(&g, num(1)), 2);
    reduce(&mut m, &Visible::default());
    assert_eq!(merged(&m, p), []);
    let mut machine = Machine::new(&m);
    machine.take(0).unwrap();
    assert_eq!((machine.local(0, &a), machine.steps().len()), (2, 0));
}
