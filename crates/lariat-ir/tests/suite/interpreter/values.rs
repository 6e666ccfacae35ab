//! Values, and what is printed.

use lariat_ir::expr::{Binary, Expr, Unary};
use lariat_ir::fault::FaultKind;
use lariat_ir::model::{Effect, Pattern, Piece, Style};
use lariat_ir::types::Scalar;

use lariat_testkit::ir::*;

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
fn printed_values_are_evaluated_whether_output_is_collected_or_not() {
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
