//! The monitor of messages.

use lariat_ir::expr::Expr;
use lariat_ir::fault::FaultKind;
use lariat_ir::model::{Direction, Monitor, MonitorEvent, MonitorLocation, Pattern};
use lariat_ir::types::Scalar;

use lariat_testkit::ir::*;

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
        set: false,
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

#[test]
fn a_monitor_with_a_set_follows_all_branches() {
    let (mut m, place) = monitored(false);
    let monitor = m.monitor.as_mut().unwrap();
    monitor.set = true;
    // The first message leads to a location without a way on, and to the one that fits.
    let mut dead_end = monitor.locations[0].events[0].clone();
    dead_end.target = 3;
    monitor.locations[0].events.insert(0, dead_end);
    monitor.locations.push(MonitorLocation::default());
    let mut machine = Machine::new(&m);
    assert_eq!(machine.value(&place), 0b0001);
    machine.take(0).unwrap();
    assert_eq!(machine.value(&place), 0b1010);
    assert!(!machine.interpreter.is_monitor_at_rest(&machine.state));
    machine.take(0).unwrap();
    assert_eq!((machine.value(&place), machine.faults()), (0b0100, vec![]));
    assert!(machine.interpreter.is_monitor_at_rest(&machine.state));
}
