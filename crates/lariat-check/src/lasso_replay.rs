//! Replaying runs that violate a property.
//!
//! The system executes the steps one by one and evaluates the atoms of the property in every state between them: that
//! gives a word, finite or with a cycle. The automaton of the violations must accept it, which is decided on the word
//! alone, without any of the searches. If the property is a formula, the word must also violate the formula by the
//! definition of its operators, without any automaton. An infinite run must return to the start of its cycle, and be
//! fair under a fairness assumption.

use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::space::Fairness;
use lariat_ltl::automaton::{Automaton, Letter};
use lariat_ltl::lasso::{Word, holds};

use crate::run_property::{PropertyAutomaton, RunProperty, Source};
use crate::system::{Observation, ObservedState, ReplayError, Seen, System};
use crate::trace::Trace;

/// A run that is claimed to violate a property.
#[derive(Clone, Debug)]
pub struct Candidate<Step> {
    /// Its steps.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: End,
}

/// How a run violates a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It returns to the state before this step, infinitely often; if there is no such step, it stays in the last
    /// state.
    Loop(usize),
    /// The prefix violates the property.
    Settled(Fault),
}

/// The property that a run is claimed to violate.
pub struct Asked<'a, S: System> {
    /// The system.
    pub system: &'a S,
    /// The property.
    pub property: &'a RunProperty,
    /// Its conditions.
    pub conditions: &'a [S::Condition],
    /// The automaton of its violations.
    pub automaton: &'a PropertyAutomaton,
    /// The fairness.
    pub fairness: Fairness,
}

/// Longer runs are not shortened.
const MAX_TIGHTENED: usize = 400;

impl<S: System> Asked<'_, S> {
    /// Replays a run and checks that it violates the property.
    pub fn replay(&self, candidate: &Candidate<S::Step>) -> Result<Trace, ReplayError> {
        self.replay_seen(candidate, false).or_else(|error| {
            // Between merged steps an automaton may take edges that lead nowhere.
            let merged = self.replay_seen(candidate, true);
            merged.map_err(|_| error)
        })
    }

    fn replay_seen(
        &self,
        candidate: &Candidate<S::Step>,
        merged: bool,
    ) -> Result<Trace, ReplayError> {
        let Observation { states, mut trace } = self.observe(candidate, merged)?;
        for state in &states[1..] {
            trace.steps[state.step - 1].values = text(&state.values);
        }
        match candidate.end {
            End::Settled(fault) => check_settled(self.property, self.automaton, fault, &states)?,
            End::Loop(start) => self.check_loop(start, &states)?,
        }
        trace.values = text(&states[0].values);
        trace.loop_start = match candidate.end {
            End::Loop(start) => Some(start),
            End::Settled(_) => None,
        };
        Ok(trace)
    }

    fn observe(
        &self,
        candidate: &Candidate<S::Step>,
        merged: bool,
    ) -> Result<Observation, ReplayError> {
        let seen = Seen {
            property: self.property,
            fairness: self.fairness,
            merged,
        };
        self.system.observe(self.conditions, &candidate.steps, seen)
    }

    /// The shortest part of a lasso that violates the property as well. The cycle of a product may go several times
    /// round a cycle of the system, and begin later than necessary.
    pub fn tighten(
        &self,
        candidate: Candidate<S::Step>,
    ) -> Result<Candidate<S::Step>, ReplayError> {
        let End::Loop(_) = candidate.end else {
            return Ok(candidate);
        };
        let states = self.observe(&candidate, false)?.states;
        if states.len() > MAX_TIGHTENED {
            return Ok(candidate);
        }
        for end in 0..states.len() {
            for at in 0..=end {
                let start = states[at].step;
                if states[at].words == states[end].words
                    && self.check_loop(start, &states[..=end]).is_ok()
                {
                    return Ok(Candidate {
                        steps: candidate.steps[..states[end].step].to_vec(),
                        end: End::Loop(start),
                    });
                }
            }
        }
        Ok(candidate)
    }

    fn check_loop(&self, start: usize, states: &[ObservedState]) -> Result<(), ReplayError> {
        let automaton = self.automaton;
        let wrong = |what: &str| Err(ReplayError(what.into()));
        let Some(at) = states.iter().position(|state| state.step == start) else {
            return wrong("the cycle does not start between two steps");
        };
        let last = states.len() - 1;
        let cycle = if at == last {
            if !automaton.stutter || !states[last].enabled.is_empty() {
                return wrong("the run does not end where it is said to end");
            }
            &states[last..]
        } else {
            if states[at].words != states[last].words {
                return wrong("the cycle does not return to where it starts");
            }
            &states[at..last]
        };
        if !is_fair(cycle, self.fairness) {
            return wrong("the cycle is not fair");
        }
        let (prefix, letters) = (letters(&states[..at]), letters(cycle));
        let labelled = cycle.iter().any(|state| state.accepting);
        if !is_accepted(automaton, &prefix, &letters, labelled) {
            return wrong("the property automaton does not accept the run");
        }
        check_formula(self.property, &prefix, &letters)
    }
}

fn text(values: &[Option<bool>]) -> String {
    let character = |value: &Option<bool>| match value {
        Some(true) => '1',
        Some(false) => '0',
        None => '?',
    };
    values.iter().map(character).collect()
}

/// The letters of states. An atom without a value counts as false; the search would have reported it where it
/// matters.
fn letters(states: &[ObservedState]) -> Vec<Letter> {
    let letter = |state: &ObservedState| {
        let atoms = 0..state.values.len() as u32;
        atoms
            .filter(|&atom| state.values[atom as usize] == Some(true))
            .collect()
    };
    states.iter().map(letter).collect()
}

fn check_settled(
    property: &RunProperty,
    automaton: &PropertyAutomaton,
    fault: Fault,
    states: &[ObservedState],
) -> Result<(), ReplayError> {
    let letters = letters(states);
    if fault.kind == FaultKind::AtomUndefined {
        let last = states
            .last()
            .and_then(|state| state.values.get(fault.origin as usize));
        return match last {
            Some(None) => Ok(()),
            _ => Err(ReplayError(
                "all expressions of the property have values".into(),
            )),
        };
    }
    let stays = automaton.stutter && states.last().is_some_and(|state| state.enabled.is_empty());
    if !enters_fault(automaton, fault, &letters, stays) {
        return Err(ReplayError(
            "the property automaton does not reject the run".into(),
        ));
    }
    let (last, before) = letters.split_last().ok_or(ReplayError("no state".into()))?;
    check_formula(property, before, std::slice::from_ref(last))
}

/// Whether the automaton, reading the letters, can enter a state with this fault at the last one. If the run `stays`
/// in its last state, the last letter may be read several times.
fn enters_fault(
    automaton: &PropertyAutomaton,
    fault: Fault,
    letters: &[Letter],
    stays: bool,
) -> bool {
    let Some((last, before)) = letters.split_last() else {
        return false;
    };
    let mut states = automaton.automaton.initial.clone();
    for letter in before {
        states = moves(automaton, &states, letter).0;
    }
    let rounds = if stays {
        automaton.automaton.states.len()
    } else {
        1
    };
    for _ in 0..rounds {
        let (next, faults) = moves(automaton, &states, last);
        if faults.contains(&fault.code()) {
            return true;
        }
        states = next;
    }
    false
}

/// The states that the automaton can enter with a letter, and the faults of those that have one.
fn moves(property: &PropertyAutomaton, states: &[u32], letter: &Letter) -> (Vec<u32>, Vec<u32>) {
    let automaton = &property.automaton;
    let (mut next, mut faults) = (Vec::new(), Vec::new());
    for edge in states.iter().flat_map(|&q| automaton.edges(q)) {
        let value = |atom: u32| Ok::<_, ()>(letter.contains(atom));
        if automaton.labels.eval(edge.label, value) == Ok(true) {
            match property.entry_faults.get(edge.target as usize) {
                Some(Some(code)) => faults.push(*code),
                _ => next.push(edge.target),
            }
        }
    }
    next.sort_unstable();
    next.dedup();
    (next, faults)
}

/// Whether the run is accepted by the automaton or, where they count, by accept labels.
fn is_accepted(
    property: &PropertyAutomaton,
    prefix: &[Letter],
    cycle: &[Letter],
    labelled: bool,
) -> bool {
    let automaton = &property.automaton;
    if !property.accept_labels {
        return automaton.accepts(prefix, cycle);
    }
    let any_run = Automaton {
        sets: 0,
        ..automaton.clone()
    };
    labelled && any_run.accepts(prefix, cycle)
        || automaton.sets > 0 && automaton.accepts(prefix, cycle)
}

fn is_fair(cycle: &[ObservedState], fairness: Fairness) -> bool {
    let moves = |pid: &u32| cycle.iter().any(|state| state.movers.contains(pid));
    let mut processes = cycle.iter().flat_map(|state| &state.enabled);
    match fairness {
        Fairness::None => true,
        Fairness::Weak => processes
            .all(|pid| moves(pid) || cycle.iter().any(|state| !state.enabled.contains(pid))),
        Fairness::Strong => processes.all(moves),
    }
}

/// If the property is a formula: the word must violate it.
fn check_formula(
    property: &RunProperty,
    prefix: &[Letter],
    cycle: &[Letter],
) -> Result<(), ReplayError> {
    let Source::Formula { formulas, formula } = &property.source else {
        return Ok(());
    };
    let word = Word {
        prefix: prefix.to_vec(),
        cycle: cycle.to_vec(),
    };
    if holds(formulas, *formula, &word) {
        return Err(ReplayError("the formula holds for the run".into()));
    }
    Ok(())
}
