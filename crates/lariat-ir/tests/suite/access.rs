//! Read and write sets: examples, and random models checked by brute force.

use lariat_ir::access::{AccessTable, Channel, End, Move, Resource};
use lariat_ir::expr::Expr;
use lariat_ir::model::{Action, Pattern};
use lariat_stats::stream;
use lariat_testkit::ir::random::random_model;
use lariat_testkit::ir::touch::{Tally, check};
use lariat_testkit::ir::*;

const SEED: u64 = 20;

#[test]
fn tables_of_random_models_agree_with_the_interpreter() {
    let mut total = Tally::default();
    for number in 0..600 {
        let mut rng = stream(SEED, "random model", number);
        let model = random_model(&mut rng);
        let name = format!("random model {number} of seed {SEED}");
        total.add(&check(&model, &name, &mut rng, 100));
    }
    println!("seed {SEED}: {total:?}");
    assert!(total.steps > 20_000 && total.perturbed > 20_000 && total.independent > 1000);
}

fn alone(process: usize, transition: usize) -> Move {
    Move {
        own: (process, transition as u32),
        partner: None,
    }
}

#[test]
fn a_send_and_a_receive_are_independent_but_not_if_one_looks_at_both_ends() {
    let mut m = model();
    let c = channel(&mut m, "c", 2, &[BYTE]);
    let d = channel(&mut m, "d", 2, &[BYTE]);
    let sender = active(&mut m, "sender");
    let plain = go(&mut m, sender, 0, send(&c, vec![num(1)]), 0);
    let sorted = Action::Send {
        condition: Expr::TRUE,
        channel: c.clone(),
        values: vec![num(1)],
        sorted: true,
        lossy: false,
        effects: Vec::new(),
    };
    let sorted = go(&mut m, sender, 0, sorted, 0);
    let receiver = active(&mut m, "receiver");
    let take = go(&mut m, receiver, 0, receive(&c, vec![Pattern::Any]), 0);
    let query = Expr::Channel(lariat_ir::expr::ChannelQuery::Length, Box::new(c.clone()));
    let query = go(&mut m, receiver, 0, when(query), 0);
    let elsewhere = go(&mut m, receiver, 0, receive(&d, vec![Pattern::Any]), 0);
    let table = AccessTable::new(&m);
    let independent = |a, b| table.independent(alone(sender, a), alone(receiver, b));
    assert!(independent(plain, take));
    assert!(independent(sorted, elsewhere) && independent(plain, elsewhere));
    assert!(!independent(sorted, take) && !independent(plain, query));
    let access = table.of_transition(receiver, take as u32);
    let end = |end| table.number(Resource::Channel(Channel::Fixed(0), end));
    assert!(
        access.guard_reads.contains(end(End::Send)),
        "messages come from there"
    );
    assert!(!access.reads.contains(end(End::Send)));
    assert!(!access.writes.contains(end(End::Send)));
}

#[test]
fn channels_are_followed_through_arguments_and_messages() {
    let mut m = model();
    let c = channel(&mut m, "c", 1, &[BYTE]);
    let d = channel(&mut m, "d", 1, &[BYTE]);
    let post = channel(&mut m, "post", 1, &[BYTE, CHANNEL]);
    let child = process(&mut m, "child");
    let mine = local(&mut m, child, "mine", CHANNEL);
    let got = local(&mut m, child, "got", CHANNEL);
    m.processes[child].parameters.push(mine.clone());
    let by_argument = go(&mut m, child, 0, send(&get(&mine), vec![num(1)]), 1);
    go(
        &mut m,
        child,
        1,
        receive(&post, vec![Pattern::Any, into(&got)]),
        2,
    );
    let by_message = go(&mut m, child, 2, send(&get(&got), vec![num(1)]), 3);
    let parent = active(&mut m, "parent");
    go(&mut m, parent, 0, act(vec![run(child, vec![c.clone()])]), 1);
    let data = plus(num(1), num(2));
    go(&mut m, parent, 1, send(&post, vec![data, d.clone()]), 2);
    let table = AccessTable::new(&m);
    let sends_to = |transition: usize| -> Vec<Resource> {
        let writes = &table.of_transition(child, transition as u32).writes;
        let resources = writes.iter().map(|n| table.resource(n));
        resources
            .filter(|r| matches!(r, Resource::Channel(..)))
            .collect()
    };
    let fixed = |n| vec![Resource::Channel(Channel::Fixed(n), End::Send)];
    assert_eq!(sends_to(by_argument), fixed(0));
    assert_eq!(sends_to(by_message), fixed(1));
}

#[test]
fn two_processes_of_one_type_have_their_own_variables() {
    let mut m = model();
    let p = active(&mut m, "p");
    start(&mut m, p, 1);
    let x = local(&mut m, p, "x", BYTE);
    let own = go(&mut m, p, 0, increment(&x), 0);
    let looks = remote(&x, p, Some(num(0)));
    let spy = go(&mut m, p, 0, when(get(&looks)), 0);
    let table = AccessTable::new(&m);
    let independent = |a, b| table.independent(alone(p, a), alone(p, b));
    assert!(independent(own, own) && independent(spy, spy));
    assert!(!independent(own, spy) && !independent(spy, own));
}

#[test]
fn else_and_lower_ranks_depend_on_what_stands_before_them() {
    let mut m = model();
    let (x, y) = (global(&mut m, "x", BYTE), global(&mut m, "y", BYTE));
    let p = active(&mut m, "p");
    ranked(&mut m, p, 0, when(get(&x)), 1, 2);
    let lower = ranked(&mut m, p, 0, act(vec![]), 1, 1);
    let equal_rank = ranked(&mut m, p, 0, when(get(&y)), 1, 1);
    let last = ranked(&mut m, p, 0, Action::Else, 1, 1);
    let table = AccessTable::new(&m);
    let reads = |transition: usize| {
        let access = table.of_transition(p, transition as u32);
        [x.variable, y.variable].map(|v| access.guard_reads.contains(v) && access.reads.contains(v))
    };
    assert_eq!(reads(lower), [true, false]);
    assert_eq!(reads(equal_rank), [true, true]);
    assert_eq!(reads(last), [true, true]);
}
