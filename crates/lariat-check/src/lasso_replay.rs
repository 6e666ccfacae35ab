//! Replaying runs that violate a property.
//!
//! The system executes the steps one by one and evaluates the atoms of the property in every state between them: that
//! gives a word, finite or with a cycle. The automaton of the violations must accept it, which is decided on the word
//! alone, without any of the searches. If the property is a formula, the word must also violate the formula by the
//! definition of its operators, without any automaton. An infinite run must return to the start of its cycle, and be
//! fair under a fairness assumption.
//!
//! A run may have millions of steps. One state is kept at a time, and the one in which the cycle begins; of the others, their
//! letters, and those by numbers.

use std::collections::{BTreeSet, HashMap};

use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::space::Fairness;
use lariat_ltl::automaton::{Automaton, Letter, Numbered};
use lariat_ltl::lasso::holds_numbered;

use crate::replay_budget::ReplayBudget;
use crate::run_property::{PropertyAutomaton, RunProperty, Source};
use crate::system::{Audience, Halted, ObservedState, ReplayError, Seen, System};
use crate::trace::{Trace, TraceStep};

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

/// Longer runs, and runs with more words in their states, are not shortened.
const MAX_TIGHTENED: usize = 400;
const MAX_WORDS: usize = 1 << 20;

impl<S: System> Asked<'_, S> {
    /// Replays a run and checks that it violates the property.
    pub fn replay(
        &self,
        candidate: &Candidate<S::Step>,
        budget: &mut ReplayBudget,
    ) -> Result<Trace, Halted> {
        match budget.attempt(|budget| self.replay_seen(candidate, false, budget)) {
            Err(Halted::Failed(error)) => {
                // Between merged steps an automaton may take edges that lead nowhere.
                let merged = budget.attempt(|budget| self.replay_seen(candidate, true, budget));
                merged.map_err(|halted| match halted {
                    Halted::Failed(_) => Halted::Failed(error),
                    other => other,
                })
            }
            result => result,
        }
    }

    fn replay_seen(
        &self,
        candidate: &Candidate<S::Step>,
        merged: bool,
        budget: &mut ReplayBudget,
    ) -> Result<Trace, Halted> {
        let mut check = RunCheck::new(self, candidate.end, budget);
        check.trace = Some(Trace::default());
        self.observe(candidate, merged, &mut check)?;
        check.finish()
    }

    fn observe(
        &self,
        candidate: &Candidate<S::Step>,
        merged: bool,
        audience: &mut dyn Audience,
    ) -> Result<(), Halted> {
        let seen = Seen {
            property: self.property,
            fairness: self.fairness,
            merged,
        };
        self.system
            .observe(self.conditions, &candidate.steps, seen, audience)
    }

    /// The shortest part of a lasso that violates the property as well. The cycle of a product may go several times
    /// round a cycle of the system, and begin later than necessary.
    pub fn tighten(
        &self,
        mut candidate: Candidate<S::Step>,
        budget: &mut ReplayBudget,
    ) -> Result<Candidate<S::Step>, Halted> {
        let End::Loop(_) = candidate.end else {
            return Ok(candidate);
        };
        let mut few = FewStates {
            states: Vec::new(),
            budget,
        };
        match self.observe(&candidate, false, &mut few) {
            Ok(()) => {}
            Err(Halted::Enough) => return Ok(candidate),
            Err(halted) => return Err(halted),
        }
        let states = few.states;
        for end in 0..states.len() {
            for at in 0..=end {
                let start = states[at].step;
                if states[at].words == states[end].words && self.is_loop(start, &states[..=end]) {
                    candidate.steps.truncate(states[end].step);
                    candidate.end = End::Loop(start);
                    return Ok(candidate);
                }
            }
        }
        Ok(candidate)
    }

    /// Whether these are the states of a run that violates the property when it goes back to a step again and again.
    fn is_loop(&self, start: usize, states: &[ObservedState]) -> bool {
        let mut budget = ReplayBudget::unlimited();
        let mut check = RunCheck::new(self, End::Loop(start), &mut budget);
        let mut states = states.iter();
        states.all(|state| check.state(state).is_ok()) && check.finish().is_ok()
    }
}

/// The states of a run that has few.
struct FewStates<'b> {
    states: Vec<ObservedState>,
    budget: &'b mut ReplayBudget,
}

impl Audience for FewStates<'_> {
    fn wants_steps(&self) -> bool {
        false
    }

    fn step(&mut self, _: TraceStep) -> Result<(), Halted> {
        Ok(())
    }

    fn state(&mut self, state: &ObservedState) -> Result<(), Halted> {
        let words = state.words.len();
        if self.states.len() == MAX_TIGHTENED || words.saturating_mul(self.states.len()) > MAX_WORDS
        {
            return Err(Halted::Enough);
        }
        self.states.push(state.clone());
        Ok(())
    }

    fn budget(&mut self) -> &mut ReplayBudget {
        self.budget
    }
}

/// What is kept of a run while it is replayed: the letter of each state by its number, the state in which the cycle begins,
/// and who moves on the cycle.
struct RunCheck<'a, 'b, S: System> {
    asked: &'a Asked<'a, S>,
    end: End,
    budget: &'b mut ReplayBudget,
    letters: Vec<Letter>,
    numbers: HashMap<Letter, u32>,
    /// The letter of each state.
    word: Vec<u32>,
    /// The number of the state in which the cycle begins, and what it is.
    start: Option<(usize, Vec<u32>)>,
    cycle: Cycle,
    /// The state that was seen last.
    last: ObservedState,
    /// The steps, if they are wanted.
    trace: Option<Trace>,
}

/// The states of a cycle.
#[derive(Default)]
struct Cycle {
    /// Who can move in one of the states, and in all of them; nothing as long as there is no state.
    enabled_somewhere: BTreeSet<u32>,
    enabled_everywhere: Option<BTreeSet<u32>>,
    movers: BTreeSet<u32>,
    /// Whether a process is in an accepting state in one of them.
    accepting: bool,
}

impl Cycle {
    fn add(&mut self, state: &ObservedState) {
        let enabled: BTreeSet<u32> = state.enabled.iter().copied().collect();
        self.enabled_somewhere.extend(&enabled);
        self.movers.extend(&state.movers);
        self.accepting |= state.accepting;
        match &mut self.enabled_everywhere {
            Some(everywhere) => everywhere.retain(|pid| enabled.contains(pid)),
            None => self.enabled_everywhere = Some(enabled),
        }
    }

    fn is_fair(&self, fairness: Fairness) -> bool {
        let moves = |pid: &u32| self.movers.contains(pid);
        match fairness {
            Fairness::None => true,
            Fairness::Weak => self.enabled_everywhere.iter().flatten().all(moves),
            Fairness::Strong => self.enabled_somewhere.iter().all(moves),
        }
    }
}

impl<S: System> Audience for RunCheck<'_, '_, S> {
    fn wants_steps(&self) -> bool {
        self.trace.is_some()
    }

    fn step(&mut self, step: TraceStep) -> Result<(), Halted> {
        match &mut self.trace {
            Some(trace) => self.budget.push_step(trace, step),
            None => Ok(()),
        }
    }

    fn state(&mut self, state: &ObservedState) -> Result<(), Halted> {
        if !self.word.is_empty() && self.start.is_some() {
            self.cycle.add(&self.last);
        }
        let number = self.number(letter(state))?;
        if self.end == End::Loop(state.step) && self.start.is_none() {
            self.start = Some((self.word.len(), state.words.clone()));
        }
        self.budget.push(&mut self.word, number)?;
        if let Some(trace) = &mut self.trace {
            let values = text(&state.values);
            self.budget.take(values.len())?;
            match state.step.checked_sub(1) {
                Some(step) if self.word.len() > 1 => trace.steps[step].values = values,
                _ => trace.values = values,
            }
        }
        self.last.clone_from(state);
        Ok(())
    }

    fn budget(&mut self) -> &mut ReplayBudget {
        self.budget
    }
}

impl<'a, 'b, S: System> RunCheck<'a, 'b, S> {
    fn new(asked: &'a Asked<'a, S>, end: End, budget: &'b mut ReplayBudget) -> Self {
        RunCheck {
            asked,
            end,
            budget,
            letters: Vec::new(),
            numbers: HashMap::new(),
            word: Vec::new(),
            start: None,
            cycle: Cycle::default(),
            last: ObservedState::default(),
            trace: None,
        }
    }

    /// The number of a letter.
    fn number(&mut self, letter: Letter) -> Result<u32, Halted> {
        if let Some(&number) = self.numbers.get(&letter) {
            return Ok(number);
        }
        let number = self.letters.len() as u32;
        self.budget
            .take(4 * size_of::<Letter>() + 4 * self.last.values.len())?;
        self.letters.push(letter.clone());
        self.numbers.insert(letter, number);
        Ok(number)
    }

    /// Checks that the run that was seen violates the property, and returns its steps if they were wanted.
    fn finish(mut self) -> Result<Trace, Halted> {
        match self.end {
            End::Settled(fault) => self.check_settled(fault)?,
            End::Loop(_) => self.check_loop()?,
        }
        self.budget.discard(self.word);
        let mut trace = self.trace.take().unwrap_or_default();
        trace.loop_start = match self.end {
            End::Loop(start) => Some(start),
            End::Settled(_) => None,
        };
        Ok(trace)
    }

    fn check_loop(&mut self) -> Result<(), Halted> {
        let automaton = self.asked.automaton;
        let wrong = |what: &str| Err(ReplayError(what.into()).into());
        let Some((at, words)) = &self.start else {
            return wrong("the cycle does not start between two steps");
        };
        let (at, last) = (*at, self.word.len() - 1);
        let cycle = if at == last {
            if !automaton.stutter || !self.last.enabled.is_empty() {
                return wrong("the run does not end where it is said to end");
            }
            self.cycle.add(&self.last);
            last..last + 1
        } else {
            if *words != self.last.words {
                return wrong("the cycle does not return to where it starts");
            }
            at..last
        };
        if !self.cycle.is_fair(self.asked.fairness) {
            return wrong("the cycle is not fair");
        }
        let word = Numbered {
            letters: &self.letters,
            prefix: &self.word[..at],
            cycle: &self.word[cycle],
        };
        let bytes = automaton.automaton.acceptance_bytes(word.cycle.len());
        let labelled = self.cycle.accepting;
        let is_accepted = || is_accepted(automaton, &word, labelled);
        if !self.budget.with(bytes, is_accepted)? {
            return wrong("the property automaton does not accept the run");
        }
        check_formula(self.asked.property, &word, self.budget)
    }

    fn check_settled(&mut self, fault: Fault) -> Result<(), Halted> {
        let automaton = self.asked.automaton;
        let wrong = |what: &str| Err(ReplayError(what.into()).into());
        if fault.kind == FaultKind::AtomUndefined {
            return match self.last.values.get(fault.origin as usize) {
                Some(None) => Ok(()),
                _ => wrong("all expressions of the property have values"),
            };
        }
        let stays = automaton.stutter && self.last.enabled.is_empty();
        let Some(before) = self.word.len().checked_sub(1) else {
            return wrong("no state");
        };
        let word = Numbered {
            letters: &self.letters,
            prefix: &self.word[..before],
            cycle: &self.word[before..],
        };
        if !enters_fault(automaton, fault, &word, stays) {
            return wrong("the property automaton does not reject the run");
        }
        check_formula(self.asked.property, &word, self.budget)
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

/// The letter of a state. A condition without a value counts as false; the search would have reported
/// it where it matters.
fn letter(state: &ObservedState) -> Letter {
    let atoms = 0..state.values.len() as u32;
    atoms
        .filter(|&atom| state.values[atom as usize] == Some(true))
        .collect()
}

/// Whether the automaton, reading the word, can enter a state with this fault at the only letter of its cycle. If
/// the run `stays` where it ends, that letter may be read several times.
fn enters_fault(
    automaton: &PropertyAutomaton,
    fault: Fault,
    word: &Numbered<'_>,
    stays: bool,
) -> bool {
    let mut states = automaton.automaton.initial.clone();
    for &number in word.prefix {
        states = moves(automaton, &states, word.letter(number)).0;
    }
    let rounds = if stays {
        automaton.automaton.states.len()
    } else {
        1
    };
    for _ in 0..rounds {
        let (next, faults) = moves(automaton, &states, word.letter(word.cycle[0]));
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
fn is_accepted(property: &PropertyAutomaton, word: &Numbered<'_>, labelled: bool) -> bool {
    let automaton = &property.automaton;
    if !property.accept_labels {
        return automaton.accepts_numbered(word);
    }
    let any_run = Automaton {
        sets: 0,
        ..automaton.clone()
    };
    labelled && any_run.accepts_numbered(word)
        || automaton.sets > 0 && automaton.accepts_numbered(word)
}

/// If the property is a formula: the word must violate it.
fn check_formula(
    property: &RunProperty,
    word: &Numbered<'_>,
    budget: &ReplayBudget,
) -> Result<(), Halted> {
    let Source::Formula { formulas, formula } = &property.source else {
        return Ok(());
    };
    let subformulas = formulas.subformulas(*formula).len();
    let bytes = (subformulas + 1).saturating_mul(word.cycle.len());
    let holds = || holds_numbered(formulas, *formula, word);
    if budget.with(bytes, holds)? {
        return Err(ReplayError("the formula holds for the run".into()).into());
    }
    Ok(())
}
