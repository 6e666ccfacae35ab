//! Whether an automaton accepts an ultimately periodic word.
//!
//! The prefix is read with the set of all states that runs can be in. What a run does on the cycle is then seen at the
//! beginnings of its rounds: which states one round can lead to makes a graph with as many nodes as the automaton has
//! states. A run is accepted if it can stay in a component of that graph and take edges of every set there. All edges between two beginnings in the same
//! component can be on one cycle, so it suffices that all of them together have all marks.
//!
//! This has nothing in common with the searches that look for counterexamples, and for each letter of the cycle it
//! keeps one bit for each state.

use super::{Automaton, Edge};
use crate::lasso::Letter;

/// A set of states.
#[derive(Clone, Debug, PartialEq, Eq)]
struct States(Box<[u64]>);

impl States {
    fn none(automaton: &Automaton) -> Self {
        States(vec![0; words(automaton)].into())
    }

    fn of(automaton: &Automaton, states: impl IntoIterator<Item = u32>) -> Self {
        let mut set = States::none(automaton);
        states.into_iter().for_each(|state| set.insert(state));
        set
    }

    fn insert(&mut self, state: u32) {
        self.0[state as usize / 64] |= 1 << (state % 64);
    }

    fn contains(&self, state: u32) -> bool {
        self.0[state as usize / 64] >> (state % 64) & 1 == 1
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = (0..).zip(&self.0);
        words.flat_map(|(index, &word)| {
            let bits = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            let bits = bits.take_while(|&rest| rest != 0);
            bits.map(move |rest| index * 64 + rest.trailing_zeros())
        })
    }
}

fn words(automaton: &Automaton) -> usize {
    automaton.states.len().div_ceil(64)
}

/// The bytes that [`accepts`] needs for a cycle of so many letters.
pub(super) fn bytes(automaton: &Automaton, cycle: usize) -> usize {
    let set = size_of::<States>() + words(automaton) * 8;
    set * (cycle + automaton.states.len() + 4)
}

/// Whether a word is accepted: its prefix, the length of its cycle, which is not zero, and the letters of that.
pub(super) fn accepts<'l>(
    automaton: &Automaton,
    prefix: impl Iterator<Item = &'l Letter>,
    cycle: usize,
    letter: impl Fn(usize) -> &'l Letter,
) -> bool {
    let mut start = States::of(automaton, automaton.initial.iter().copied());
    for letter in prefix {
        start = step(automaton, &start, letter);
    }
    let one_round = |from: u32| {
        let from = States::of(automaton, [from]);
        (0..cycle).fold(from, |set, at| step(automaton, &set, letter(at)))
    };
    // For each state in which a round can begin, where the next ones can, and where the ones before.
    let mut begins = start.clone();
    let mut rounds = vec![States(Box::default()); automaton.states.len()];
    let mut before = vec![Vec::new(); automaton.states.len()];
    let mut open: Vec<u32> = start.iter().collect();
    while let Some(state) = open.pop() {
        let next = one_round(state);
        for other in next.iter() {
            before[other as usize].push(state);
            if !begins.contains(other) {
                begins.insert(other);
                open.push(other);
            }
        }
        rounds[state as usize] = next;
    }
    let mut known = States::none(automaton);
    begins.iter().any(|state| {
        if known.contains(state) {
            return false;
        }
        let component = component(&rounds, &before, automaton, state);
        component.iter().for_each(|member| known.insert(member));
        component.contains(state)
            && marks_within(automaton, &component, cycle, &letter) == automaton.all_marks()
    })
}

/// The states that a letter can lead to.
fn step(automaton: &Automaton, from: &States, letter: &Letter) -> States {
    let mut next = States::none(automaton);
    for state in from.iter() {
        for edge in enabled(automaton, state, letter) {
            next.insert(edge.target);
        }
    }
    next
}

/// The edges of a state that a letter allows.
fn enabled<'a>(
    automaton: &'a Automaton,
    state: u32,
    letter: &'a Letter,
) -> impl Iterator<Item = &'a Edge> {
    automaton.edges(state).iter().filter(|edge| {
        let value = |atom| Ok::<_, ()>(letter.contains(atom));
        automaton.labels.eval(edge.label, value) == Ok(true)
    })
}

/// The states that are one or more rounds behind a state and from which one or more rounds lead to it, itself included if it is
/// on a cycle.
fn component(rounds: &[States], before: &[Vec<u32>], automaton: &Automaton, state: u32) -> States {
    let forward = closure(automaton, state, |at| rounds[at as usize].iter());
    let back = closure(automaton, state, |at| before[at as usize].iter().copied());
    let members = forward.iter().filter(|&other| back.contains(other));
    States::of(automaton, members)
}

/// What is one or more edges away from a state.
fn closure<I: Iterator<Item = u32>>(
    automaton: &Automaton,
    state: u32,
    next: impl Fn(u32) -> I,
) -> States {
    let mut seen = States::none(automaton);
    let mut open = vec![state];
    while let Some(at) = open.pop() {
        for other in next(at) {
            if !seen.contains(other) {
                seen.insert(other);
                open.push(other);
            }
        }
    }
    seen
}

/// The marks of all edges that lie on a round that begins and ends in the component.
fn marks_within<'l>(
    automaton: &Automaton,
    component: &States,
    cycle: usize,
    letter: impl Fn(usize) -> &'l Letter,
) -> u64 {
    let mut forward = Vec::with_capacity(cycle + 1);
    forward.push(component.clone());
    for at in 0..cycle {
        forward.push(step(automaton, &forward[at], letter(at)));
    }
    let mut marks = 0;
    let mut useful = component.clone();
    for at in (0..cycle).rev() {
        let mut before = States::none(automaton);
        for state in forward[at].iter() {
            for edge in enabled(automaton, state, letter(at)) {
                if useful.contains(edge.target) {
                    marks |= edge.marks;
                    before.insert(state);
                }
            }
        }
        useful = before;
    }
    marks
}
