//! A lock-free queue for one producer and two consumers, with a mistake.
//!
//! The queue is a ring with a head and a tail. A consumer reads the head, reads the slot, and then moves the head on with a
//! compare-and-swap. The head is an index that goes round, so after a whole round it has its old value again and the
//! compare-and-swap succeeds although everything has changed (the ABA problem): an element is taken twice, and another one
//! is lost. With a head that counts on, the compare-and-swap fails as it should.
//!
//! `cargo run --release --example lock_free_queue`

use lariat::{Checker, Encode, Model, Outcome};

/// The queue with this many slots, through which so many elements go.
#[derive(Clone, Copy)]
struct Queue {
    slots: usize,
    elements: u8,
    consumers: usize,
    /// Whether the head goes round with the slots, which is the mistake.
    head_wraps: bool,
}

#[derive(Clone, Debug, Encode)]
struct State {
    slots: Vec<u8>,
    head: usize,
    /// How many elements were put into the queue. The producer is the only one to change it.
    tail: usize,
    /// How many elements were taken out, for the producer, who must not overwrite others.
    taken: usize,
    consumers: Vec<Consumer>,
    /// What was taken out, in any order.
    output: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Encode)]
enum Consumer {
    Idle,
    /// The head was read.
    SawHead(usize),
    /// The slot at the head was read.
    SawElement(usize, u8),
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Push,
    ReadHead(usize),
    ReadSlot(usize),
    CompareAndSwap(usize),
}

impl Queue {
    /// The head after `head`.
    fn after(&self, head: usize) -> usize {
        match self.head_wraps {
            true => (head + 1) % self.slots,
            false => head + 1,
        }
    }

    fn is_empty(&self, state: &State) -> bool {
        state.taken >= state.tail
    }
}

impl Model for Queue {
    type State = State;
    type Action = Action;

    fn init(&self) -> Vec<State> {
        vec![State {
            slots: vec![0; self.slots],
            head: 0,
            tail: 0,
            taken: 0,
            consumers: vec![Consumer::Idle; self.consumers],
            output: Vec::new(),
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.push(Action::Push);
        for (number, consumer) in state.consumers.iter().enumerate() {
            actions.push(match consumer {
                Consumer::Idle => Action::ReadHead(number),
                Consumer::SawHead(_) => Action::ReadSlot(number),
                Consumer::SawElement(..) => Action::CompareAndSwap(number),
            });
        }
    }

    fn next(&self, state: &State, action: &Action) -> Option<State> {
        let mut next = state.clone();
        match *action {
            Action::Push => {
                let is_full = state.tail - state.taken == self.slots;
                if is_full || state.tail == usize::from(self.elements) {
                    return None;
                }
                next.tail += 1;
                next.slots[state.tail % self.slots] = next.tail as u8;
            }
            Action::ReadHead(number) => {
                if self.is_empty(state) {
                    return None;
                }
                next.consumers[number] = Consumer::SawHead(state.head);
            }
            Action::ReadSlot(number) => {
                if let Consumer::SawHead(head) = state.consumers[number] {
                    let element = state.slots[head % self.slots];
                    next.consumers[number] = Consumer::SawElement(head, element);
                }
            }
            Action::CompareAndSwap(number) => {
                if let Consumer::SawElement(head, element) = state.consumers[number] {
                    next.consumers[number] = Consumer::Idle;
                    if head == state.head && !self.is_empty(state) {
                        next.head = self.after(head);
                        next.taken += 1;
                        next.output.push(element);
                        next.output.sort_unstable();
                    }
                }
            }
        }
        Some(next)
    }
}

/// Checks that every element goes through once.
fn check(model: Queue) -> Result<Outcome<Queue>, lariat::Error> {
    Checker::new(model)
        .always("no element is taken twice", |_, state| {
            state.output.windows(2).all(|pair| pair[0] != pair[1])
        })
        .reachable("the queue is full", |model, state| {
            state.tail - state.taken == model.slots
        })
        .reachable("all elements are taken", |model, state| {
            state.output.len() == usize::from(model.elements)
        })
        .run()
}

fn main() -> Result<(), lariat::Error> {
    let mut model = Queue {
        slots: 2,
        elements: 4,
        consumers: 2,
        head_wraps: true,
    };
    println!("with a head that goes round\n{}", check(model)?);
    model.head_wraps = false;
    println!("with a head that counts on\n{}", check(model)?);
    Ok(())
}

#[test]
fn a_head_that_goes_round_is_a_mistake() {
    let model = |head_wraps| Queue {
        slots: 2,
        elements: 4,
        consumers: 2,
        head_wraps,
    };
    check(model(false)).unwrap().assert_holds();
    check(model(true))
        .unwrap()
        .assert_violated("no element is taken twice");
}
