//! Replaying runs that violate a property, with the reference interpreter.
//!
//! The steps are executed one by one, and the property's conditions are evaluated in every state
//! between them: that gives a word, finite or with a cycle. It must be accepted by the automaton of
//! what must not happen, which is decided on the word alone, without any of the searches. If the
//! property is a formula, the word must also violate the formula by the definition of its
//! operators, without any automaton. An infinite run must really return to where its cycle starts,
//! and be fair if fairness was asked for.
//!
//! A search of a reduced model finds runs of the original one, and that is what is executed here, so
//! that people see real values. But a cycle may return only to a state that differs in dead variables,
//! and so the steps are executed with the reduced model as well, to compare its states.

use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::{Interpreter, Observed, Step};
use lariat_ir::model::Model;
use lariat_ir::property::Atom;
use lariat_ir::reduce::{self, Options};
use lariat_ir::space::Fairness;
use lariat_ir::state::State;
use lariat_ltl::automaton::{Automaton, Letter};
use lariat_ltl::lasso::{Word, holds};
use lariat_report::trail::TrailStep;

use crate::property::{Question, Source, Watch};
use crate::reduction::seen_by_question;
use crate::replay::{ReplayError, Runner};

/// A run that is claimed to violate a property.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// Its steps.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: End,
}

/// How a run violates a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It goes back to the state before this step, again and again; if there is no such step, it stays
    /// in the last state.
    Loop(usize),
    /// The property is violated already.
    Settled(Fault),
}

/// A replayed run.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The steps.
    pub steps: Vec<TrailStep>,
    /// Where the cycle starts.
    pub loop_start: Option<usize>,
    /// Which atoms hold at the beginning.
    pub values: String,
}

/// A state of the run in which nobody is in the middle of an atomic sequence.
struct Moment {
    /// The number of the step that follows.
    step: usize,
    /// The state, without dead variables.
    words: Vec<u32>,
    /// The values of the atoms; none if one of them has no value.
    values: Vec<Option<bool>>,
    /// The processes that can move.
    enabled: Vec<u32>,
    /// The processes that move before the next moment.
    movers: Vec<u32>,
    accepting: bool,
}

/// Replays a run and checks that it violates the property.
pub fn replay(
    model: &Model,
    question: &Question,
    watch: &Watch,
    fairness: Fairness,
    suspect: &Suspect,
) -> Result<Witness, ReplayError> {
    let view = reduced(model, question, fairness, false);
    replay_seen(model, &view, question, watch, fairness, suspect).or_else(|error| {
        // Between merged steps an automaton may take edges that lead nowhere.
        let view = reduced(model, question, fairness, true);
        replay_seen(model, &view, question, watch, fairness, suspect).map_err(|_| error)
    })
}

/// The model whose states are compared.
fn reduced(model: &Model, question: &Question, fairness: Fairness, merge: bool) -> Model {
    let options = Options { merge, dead: true };
    reduce::reduced(model, options, &seen_by_question(question, fairness))
}

/// Replays a run; `view` decides which states are looked at.
fn replay_seen(
    model: &Model,
    view: &Model,
    question: &Question,
    watch: &Watch,
    fairness: Fairness,
    suspect: &Suspect,
) -> Result<Witness, ReplayError> {
    let (moments, mut steps) = execute(model, view, &question.atoms, &suspect.steps)?;
    for moment in &moments[1..] {
        steps[moment.step - 1].values = text(&moment.values);
    }
    match suspect.end {
        End::Settled(fault) => check_settled(question, watch, fault, &moments)?,
        End::Loop(start) => check_loop(question, watch, fairness, start, &moments)?,
    }
    Ok(Witness {
        values: text(&moments[0].values),
        loop_start: match suspect.end {
            End::Loop(start) => Some(start),
            End::Settled(_) => None,
        },
        steps,
    })
}

fn text(values: &[Option<bool>]) -> String {
    let character = |value: &Option<bool>| match value {
        Some(true) => '1',
        Some(false) => '0',
        None => '?',
    };
    values.iter().map(character).collect()
}

/// Runs with more states than this are left as they are.
const MAX_TIGHTENED: usize = 400;

/// The shortest part of a lasso that violates the property as well. The cycle of a product may go
/// several times round a cycle of the model, and begin later than that could.
pub fn tighten(
    model: &Model,
    question: &Question,
    watch: &Watch,
    fairness: Fairness,
    suspect: Suspect,
) -> Result<Suspect, ReplayError> {
    let End::Loop(start) = suspect.end else {
        return Ok(suspect);
    };
    let view = reduced(model, question, fairness, false);
    let (moments, _) = execute(model, &view, &question.atoms, &suspect.steps)?;
    if moments.len() > MAX_TIGHTENED {
        return Ok(suspect);
    }
    for end in 0..moments.len() {
        for at in 0..=end {
            let start = moments[at].step;
            if moments[at].words == moments[end].words
                && check_loop(question, watch, fairness, start, &moments[..=end]).is_ok()
            {
                return Ok(Suspect {
                    steps: suspect.steps[..moments[end].step].to_vec(),
                    end: End::Loop(start),
                });
            }
        }
    }
    Ok(Suspect {
        end: End::Loop(start),
        ..suspect
    })
}

/// A run of the model whose states are compared.
struct Shadow<'m> {
    interpreter: Interpreter<'m>,
    state: State,
    /// The process that has control.
    control: Option<u32>,
}

impl<'m> Shadow<'m> {
    fn new(model: &'m Model) -> Result<Self, Fault> {
        let interpreter = Interpreter::new(model);
        Ok(Shadow {
            state: interpreter.initial(&mut Observed::default())?,
            interpreter,
            control: None,
        })
    }

    fn run(&mut self, step: Step) -> Result<(), Fault> {
        let seen = &mut Observed::default();
        self.control = self.interpreter.execute(&mut self.state, step, seen)?;
        if self.control.is_some() {
            let mut steps = Vec::new();
            self.interpreter
                .steps(&self.state, self.control, &mut steps);
            if steps.is_empty() {
                // It is blocked, and so loses control.
                self.control = None;
                self.interpreter.forget(&mut self.state);
            }
        }
        Ok(())
    }
}

/// Executes the steps and looks at every state that a property can see. There is at least one.
fn execute(
    model: &Model,
    view: &Model,
    atoms: &[Atom],
    steps: &[Step],
) -> Result<(Vec<Moment>, Vec<TrailStep>), ReplayError> {
    let cannot_start =
        |f: Fault| ReplayError(format!("the model cannot start: {}", f.kind.words()));
    let mut runner = Runner::new(model).map_err(cannot_start)?;
    let mut shadow = Shadow::new(view).map_err(cannot_start)?;
    let mut moments = vec![look(&runner, &shadow, atoms, 0)];
    let mut trail = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        if !runner.choices().contains(step) {
            return Err(ReplayError(format!("step {} is not possible", number + 1)));
        }
        if let Some(moment) = moments.last_mut() {
            moment.movers.push(step.pid);
            moment.movers.extend(step.partner.map(|(pid, _)| pid));
        }
        let ran = runner.run(*step);
        if ran.stopped || shadow.run(*step).is_err() {
            return Err(ReplayError(format!("the run ends at step {}", number + 1)));
        }
        trail.push(ran.step);
        if runner.control().is_none() && shadow.control.is_none() {
            moments.push(look(&runner, &shadow, atoms, number + 1));
        }
    }
    if moments.last().is_some_and(|m| m.step != steps.len()) {
        return Err(ReplayError("the run ends inside an atomic sequence".into()));
    }
    Ok((moments, trail))
}

fn look(runner: &Runner, shadow: &Shadow, atoms: &[Atom], step: usize) -> Moment {
    let state = runner.state();
    let interpreter = runner.interpreter();
    let value = |atom: &Atom| {
        let value = interpreter.eval_observed(state, &atom.condition);
        value.ok().map(|v| v != 0)
    };
    let choices = runner.choices();
    Moment {
        step,
        words: shadow.state.words().to_vec(),
        values: atoms.iter().map(value).collect(),
        enabled: choices
            .iter()
            .flat_map(|s| [Some(s.pid), s.partner.map(|(pid, _)| pid)])
            .flatten()
            .collect(),
        movers: Vec::new(),
        accepting: interpreter.is_accepting(state),
    }
}

/// The letters of moments. An atom without a value counts as false; the search would have reported
/// it where it matters.
fn letters(moments: &[Moment]) -> Vec<Letter> {
    let holds = |m: &Moment, atom: u32| m.values[atom as usize] == Some(true);
    let letter = |m: &Moment| {
        (0..m.values.len() as u32)
            .filter(|&a| holds(m, a))
            .collect()
    };
    moments.iter().map(letter).collect()
}

fn check_settled(
    question: &Question,
    watch: &Watch,
    fault: Fault,
    moments: &[Moment],
) -> Result<(), ReplayError> {
    let letters = letters(moments);
    if fault.kind == FaultKind::AtomUndefined {
        let last = moments
            .last()
            .and_then(|m| m.values.get(fault.origin as usize));
        return match last {
            Some(None) => Ok(()),
            _ => Err(ReplayError(
                "all expressions of the property have values".into(),
            )),
        };
    }
    let stays = watch.stutter && moments.last().is_some_and(|m| m.enabled.is_empty());
    if !is_signalled(watch, fault, &letters, stays) {
        return Err(ReplayError(
            "the property automaton does not reject the run".into(),
        ));
    }
    let (last, before) = letters.split_last().ok_or(ReplayError("no state".into()))?;
    check_formula(question, before, std::slice::from_ref(last))
}

/// Whether the automaton, reading the letters, can enter a state with the signal at the last one. If
/// the run `stays` where it ends, the last letter may be read several times.
fn is_signalled(watch: &Watch, fault: Fault, letters: &[Letter], stays: bool) -> bool {
    let automaton = &watch.automaton;
    let Some((last, before)) = letters.split_last() else {
        return false;
    };
    let mut states = automaton.initial.clone();
    for letter in before {
        states = moves(watch, &states, letter).0;
    }
    let rounds = if stays { automaton.states.len() } else { 1 };
    for _ in 0..rounds {
        let (next, signals) = moves(watch, &states, last);
        if signals.contains(&fault.code()) {
            return true;
        }
        states = next;
    }
    false
}

/// The states that the automaton can enter with a letter, and the signals of those that have one.
fn moves(watch: &Watch, states: &[u32], letter: &Letter) -> (Vec<u32>, Vec<u32>) {
    let automaton = &watch.automaton;
    let (mut next, mut signals) = (Vec::new(), Vec::new());
    for edge in states.iter().flat_map(|&q| automaton.edges(q)) {
        let value = |atom: u32| Ok::<_, ()>(letter.contains(atom));
        if automaton.labels.eval(edge.label, value) == Ok(true) {
            match watch.signals.get(edge.target as usize) {
                Some(Some(code)) => signals.push(*code),
                _ => next.push(edge.target),
            }
        }
    }
    next.sort_unstable();
    next.dedup();
    (next, signals)
}

fn check_loop(
    question: &Question,
    watch: &Watch,
    fairness: Fairness,
    start: usize,
    moments: &[Moment],
) -> Result<(), ReplayError> {
    let wrong = |what: &str| Err(ReplayError(what.into()));
    let Some(at) = moments.iter().position(|m| m.step == start) else {
        return wrong("the cycle does not start between two steps");
    };
    let last = moments.len() - 1;
    let cycle = if at == last {
        if !watch.stutter || !moments[last].enabled.is_empty() {
            return wrong("the run does not end where it is said to end");
        }
        &moments[last..]
    } else {
        if moments[at].words != moments[last].words {
            return wrong("the cycle does not return to where it starts");
        }
        &moments[at..last]
    };
    if !is_fair(cycle, fairness) {
        return wrong("the cycle is not fair");
    }
    let (prefix, letters) = (letters(&moments[..at]), letters(cycle));
    if !is_accepted(watch, &prefix, &letters, cycle.iter().any(|m| m.accepting)) {
        return wrong("the property automaton does not accept the run");
    }
    check_formula(question, &prefix, &letters)
}

/// Whether the run is accepted by the automaton or, where they count, by accept labels.
fn is_accepted(watch: &Watch, prefix: &[Letter], cycle: &[Letter], labelled: bool) -> bool {
    let automaton = &watch.automaton;
    if !watch.accept_labels {
        return automaton.accepts(prefix, cycle);
    }
    let any_run = Automaton {
        sets: 0,
        ..automaton.clone()
    };
    labelled && any_run.accepts(prefix, cycle)
        || automaton.sets > 0 && automaton.accepts(prefix, cycle)
}

fn is_fair(cycle: &[Moment], fairness: Fairness) -> bool {
    let moves = |pid: &u32| cycle.iter().any(|m| m.movers.contains(pid));
    let mut processes = cycle.iter().flat_map(|m| &m.enabled);
    match fairness {
        Fairness::None => true,
        Fairness::Weak => {
            processes.all(|pid| moves(pid) || cycle.iter().any(|m| !m.enabled.contains(pid)))
        }
        Fairness::Strong => processes.all(moves),
    }
}

/// If the property is a formula: it must be false of the word.
fn check_formula(
    question: &Question,
    prefix: &[Letter],
    cycle: &[Letter],
) -> Result<(), ReplayError> {
    let Source::Formula { formulas, formula } = &question.source else {
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
