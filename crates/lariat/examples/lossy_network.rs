//! Actors over a lossy network: the alternating bit protocol.
//!
//! After K. A. Bartlett, R. A. Scantlebury and P. T. Wilkinson, CACM 12(5), 1969. The sender repeats a message until it
//! is acknowledged, and a bit tells a new message from a repeated one. The network may lose any message, but does not
//! have to, so the loss has no actor. That all is delivered in the end needs strong fairness: again and again a
//! message is there to be received, and it must not be lost every time.
//!
//! `cargo run --release --example lossy_network`

use lariat::{Checker, Encode, Fairness, Model, Outcome};
use std::collections::VecDeque;

/// The protocol, for so many messages, over channels with so many places.
#[derive(Clone, Copy)]
struct AlternatingBit {
    messages: u8,
    places: usize,
    /// Whether the receiver looks at the bit, as it must.
    looks_at_bit: bool,
}

#[derive(Clone, Debug, Encode)]
struct State {
    /// The number of the message that is being sent; its lowest bit goes with it.
    sending: u8,
    /// The number of the message that the receiver waits for.
    expected: u8,
    /// How many messages were delivered.
    delivered: u8,
    /// Messages on their way, and acknowledgements on theirs, each with the number of the message.
    data: VecDeque<u8>,
    acknowledgements: VecDeque<bool>,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Send,
    ReceiveAcknowledgement,
    Receive,
    LoseMessage,
    LoseAcknowledgement,
}

const SENDER: usize = 0;
const RECEIVER: usize = 1;

impl Model for AlternatingBit {
    type State = State;
    type Action = Action;

    fn init(&self) -> Vec<State> {
        vec![State {
            sending: 0,
            expected: 0,
            delivered: 0,
            data: VecDeque::new(),
            acknowledgements: VecDeque::new(),
        }]
    }

    fn actions(&self, _: &State, actions: &mut Vec<Action>) {
        actions.extend([
            Action::Receive,
            Action::ReceiveAcknowledgement,
            Action::Send,
            Action::LoseMessage,
            Action::LoseAcknowledgement,
        ]);
    }

    fn next(&self, state: &State, action: &Action) -> Option<State> {
        let mut next = state.clone();
        match action {
            Action::Send => {
                let has_room = state.data.len() < self.places;
                if state.sending == self.messages || !has_room {
                    return None;
                }
                next.data.push_back(state.sending);
            }
            Action::ReceiveAcknowledgement => {
                let bit = next.acknowledgements.pop_front()?;
                if bit == is_odd(state.sending) && state.sending < self.messages {
                    next.sending += 1;
                }
            }
            Action::Receive => {
                let message = next.data.pop_front()?;
                if !self.looks_at_bit || is_odd(message) == is_odd(state.expected) {
                    next.expected = (state.expected + 1).min(self.messages);
                    next.delivered = (state.delivered + 1).min(self.messages + 1);
                }
                if next.acknowledgements.len() < self.places {
                    next.acknowledgements.push_back(is_odd(message));
                }
            }
            Action::LoseMessage => {
                next.data.pop_front()?;
            }
            Action::LoseAcknowledgement => {
                next.acknowledgements.pop_front()?;
            }
        }
        Some(next)
    }

    fn actors(&self) -> usize {
        2
    }

    fn actor(&self, action: &Action) -> Option<usize> {
        match action {
            Action::Send | Action::ReceiveAcknowledgement => Some(SENDER),
            Action::Receive => Some(RECEIVER),
            Action::LoseMessage | Action::LoseAcknowledgement => None,
        }
    }
}

fn is_odd(number: u8) -> bool {
    number % 2 == 1
}

/// Checks the protocol.
fn check(
    model: AlternatingBit,
    fairness: Fairness,
) -> Result<Outcome<AlternatingBit>, lariat::Error> {
    Checker::new(model)
        .always("nothing is delivered twice", |_, state| {
            state.delivered <= state.sending + 1
        })
        .reachable("all is delivered", |model, state| {
            state.delivered == model.messages
        })
        .eventually("the first message is delivered", |_, state| {
            state.delivered > 0
        })
        .fair(fairness)
        .run()
}

fn main() -> Result<(), lariat::Error> {
    let mut model = AlternatingBit {
        messages: 3,
        places: 2,
        looks_at_bit: true,
    };
    println!("weak fairness\n{}", check(model, Fairness::Weak)?);
    println!("strong fairness\n{}", check(model, Fairness::Strong)?);
    model.looks_at_bit = false;
    println!("without the bit\n{}", check(model, Fairness::Strong)?);
    Ok(())
}

#[test]
fn the_bit_and_fairness_are_needed() {
    let model = |looks_at_bit| AlternatingBit {
        messages: 3,
        places: 2,
        looks_at_bit,
    };
    check(model(true), Fairness::Strong).unwrap().assert_holds();
    let weak = check(model(true), Fairness::Weak).unwrap();
    assert!(weak.is_violated("the first message is delivered"));
    let without = check(model(false), Fairness::Strong).unwrap();
    without.assert_violated("nothing is delivered twice");
}
