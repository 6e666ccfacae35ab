//! Numbers of transitions.

use lariat_ir::interpret::{Interpreter, Observed};
use lariat_ir::model::Action;

use lariat_testkit::ir::*;

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
