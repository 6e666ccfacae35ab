//! Properties of runs, as automata of the violating runs.
//!
//! A formula is negated and translated; a never claim, accept labels and progress labels are automata already, or
//! nearly so. A [`RunProperty`] is violated if its automaton accepts a run.

use std::borrow::Cow;

use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::property::{Atom, Claim, ClaimState, Property, PropertyKind};
use lariat_ir::{expr::Expr, model::Model};
use lariat_ltl::automaton::{Automaton, Edge, Label, Limits, Strength, TooLarge};
use lariat_ltl::{Formula, Formulas, automaton, print};

use crate::outcome::{AutomatonSize, FaultText};

/// The kind of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A formula.
    Ltl,
    /// A never claim.
    Never,
    /// An automaton from a HOA file.
    Hoa,
    /// Accept labels.
    Acceptance,
    /// Progress labels.
    NonProgress,
}

impl Kind {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Ltl => "ltl",
            Kind::Never => "never",
            Kind::Hoa => "hoa",
            Kind::Acceptance => "acceptance",
            Kind::NonProgress => "non-progress",
        }
    }
}

/// A property, and its violations.
#[derive(Clone, Debug)]
pub struct RunProperty {
    /// Its kind.
    pub kind: Kind,
    /// Its name; empty if the kind is enough.
    pub name: String,
    /// The text from which it can be parsed again, if it is not part of the model.
    pub text: Option<String>,
    /// The texts of its atoms.
    pub atoms: Vec<String>,
    /// Atoms that have the same value in every state, with the value.
    pub constants: Vec<(u32, bool)>,
    /// Its formula or automaton.
    pub source: Source,
}

/// The form of a property.
#[derive(Clone, Debug)]
pub enum Source {
    /// A formula that every run must satisfy.
    Formula {
        /// Its arena.
        formulas: Formulas,
        /// The formula.
        formula: Formula,
    },
    /// An automaton of the violating runs.
    Forbidden(PropertyAutomaton),
}

/// An automaton of violating runs, for the product with a system.
#[derive(Clone, Debug)]
pub struct PropertyAutomaton {
    /// The automaton.
    pub automaton: Automaton,
    /// For each of its states, its entry fault.
    pub entry_faults: Vec<Option<u32>>,
    /// Whether a run that ends is followed by stuttering.
    pub stutter: bool,
    /// Whether accept labels of processes count.
    pub accept_labels: bool,
}

impl PropertyAutomaton {
    /// Whether a run is accepted only by entering a state with a fault.
    pub(crate) fn is_decided_by_entry(&self) -> bool {
        let mut rest = self.automaton.clone();
        for (edges, fault) in rest.states.iter_mut().zip(&self.entry_faults) {
            if fault.is_some() {
                edges.clear();
            }
        }
        !self.accept_labels && rest.strength() == Strength::Empty
    }

    /// Whether the components of the product are wholly accepting or not at all, as searches of weak graphs need
    /// them. Those of a user's automaton become so, if all their cycles are accepted.
    pub(crate) fn is_weak(&mut self) -> bool {
        if self.automaton.sets > 1 || self.accept_labels {
            return false;
        }
        self.automaton.saturate();
        self.automaton.strength() <= Strength::Weak
    }

    /// Its size, for reports.
    pub(crate) fn size(&self) -> AutomatonSize {
        let size = self.automaton.statistics();
        let has_entry_faults = self.entry_faults.iter().any(Option::is_some);
        let strength = self.automaton.strength();
        AutomatonSize {
            states: size.states as u64,
            edges: size.edges as u64,
            sets: u64::from(size.sets),
            strength: match strength {
                Strength::Empty if has_entry_faults => Strength::Terminal,
                strength => strength,
            },
            accepts_nothing: strength == Strength::Empty
                && !has_entry_faults
                && !self.accept_labels,
        }
    }
}

impl RunProperty {
    /// Its title in a report.
    pub fn title(&self) -> String {
        match self.name.as_str() {
            "" => self.kind.word().to_string(),
            name => format!("{} {}", self.kind.word(), cut(name)),
        }
    }

    /// The message about a run that violates it.
    pub fn complaint(&self) -> String {
        match &self.source {
            Source::Formula { formulas, formula } => {
                let text = match &self.text {
                    Some(text) if *text == self.name => text.clone(),
                    _ => print::spin(formulas, *formula),
                };
                format!("the run violates {}", cut(&text))
            }
            Source::Forbidden(_) => match self.kind {
                Kind::Acceptance => "the run visits accepting states for ever".into(),
                Kind::NonProgress => "the run makes no progress for ever".into(),
                _ => format!("the run is accepted by {}", self.title()),
            },
        }
    }

    /// The message about a run that violates it and, if it is finite, ends with a fault.
    pub fn fault_text(&self, fault: Option<Fault>) -> FaultText {
        let message = match fault {
            Some(fault) if fault.kind == FaultKind::BadPrefix => {
                format!("{}, however the run goes on", self.complaint())
            }
            Some(fault) => fault.kind.words().to_string(),
            None => self.complaint(),
        };
        FaultText {
            kind: fault.map_or("lasso", |fault| fault.kind.slug()),
            message,
            statement: None,
        }
    }

    /// A property of a model with its atoms; the reason, if it cannot be checked.
    pub fn of_model(
        property: &Property,
        model: &Model,
    ) -> Result<(RunProperty, Vec<Expr>), String> {
        let (kind, source) = match &property.kind {
            PropertyKind::Formula { formulas, formula } => (
                Kind::Ltl,
                Source::Formula {
                    formulas: formulas.clone(),
                    formula: *formula,
                },
            ),
            PropertyKind::Claim(claim) => {
                let labels = claim.accept_labels && model.has_accept_labels();
                (
                    Kind::Never,
                    Source::Forbidden(claim_automaton(claim, &texts(&property.atoms), labels)),
                )
            }
            PropertyKind::Unsupported(why) => {
                return Err(format!("never claim {}: {why}", property.name));
            }
        };
        let conditions = property.atoms.iter().map(|atom| &atom.condition);
        let run_property = RunProperty {
            kind,
            name: property.name.clone(),
            text: None,
            atoms: texts(&property.atoms),
            constants: constants(conditions.clone()),
            source,
        };
        Ok((run_property, conditions.cloned().collect()))
    }

    /// Whether a process visits an accept label infinitely often.
    pub fn acceptance() -> RunProperty {
        let mut automaton = new_automaton(&[], 1, 0);
        push(&mut automaton, 0, Label::TRUE, 0, 0);
        RunProperty {
            kind: Kind::Acceptance,
            name: String::new(),
            text: None,
            atoms: Vec::new(),
            constants: Vec::new(),
            source: Source::Forbidden(PropertyAutomaton {
                automaton,
                entry_faults: Vec::new(),
                stutter: true,
                accept_labels: true,
            }),
        }
    }

    /// Whether a run continues for ever without progress: `<>[] np_`, as in SPIN. A run that ends does not.
    pub fn non_progress() -> (RunProperty, Vec<Expr>) {
        let atoms = vec!["np_".to_string()];
        let mut automaton = new_automaton(&atoms, 2, 1);
        let np = automaton.labels.literal(0, true);
        push(&mut automaton, 0, Label::TRUE, 0, 0);
        push(&mut automaton, 0, np, 1, 0);
        push(&mut automaton, 1, np, 1, 1);
        let property = RunProperty {
            kind: Kind::NonProgress,
            name: String::new(),
            text: None,
            atoms,
            constants: Vec::new(),
            source: Source::Forbidden(PropertyAutomaton {
                automaton,
                entry_faults: Vec::new(),
                stutter: false,
                accept_labels: false,
            }),
        };
        (property, vec![Expr::NonProgress])
    }

    /// The value of an atom, if it is the same in every state.
    fn constant(&self, atom: u32) -> Option<bool> {
        let found = self.constants.iter().find(|(other, _)| *other == atom);
        found.map(|(_, value)| *value)
    }

    /// Whether a run that ends is followed by stuttering, and whether accept labels of processes count.
    pub fn watches(&self) -> (bool, bool) {
        match &self.source {
            Source::Formula { .. } => (true, false),
            Source::Forbidden(forbidden) => (forbidden.stutter, forbidden.accept_labels),
        }
    }

    /// The automaton of its violations. With `generalised`, the smallest automaton with any number of acceptance sets
    /// on edges, otherwise one with a single set, of states.
    pub fn automaton(
        &self,
        generalised: bool,
        limits: &Limits,
    ) -> Result<PropertyAutomaton, TooLarge> {
        match &self.source {
            Source::Forbidden(forbidden) if generalised || forbidden.automaton.sets <= 1 => {
                Ok(forbidden.clone())
            }
            Source::Forbidden(forbidden) => Ok(PropertyAutomaton {
                automaton: automaton::degeneralise(&forbidden.automaton),
                ..forbidden.clone()
            }),
            Source::Formula { formulas, formula } => {
                let mut formulas = formulas.clone();
                let formula = formulas.with_values(*formula, |atom| self.constant(atom));
                let negated = formulas.not(formula);
                let automaton = if generalised {
                    automaton::tgba(&mut formulas, negated, limits)?
                } else {
                    automaton::buchi(&mut formulas, negated, limits)?
                };
                Ok(PropertyAutomaton {
                    entry_faults: bad_prefixes(&automaton),
                    automaton,
                    stutter: true,
                    accept_labels: false,
                })
            }
        }
    }
}

/// The conditions that have the same value in every state, by their numbers.
pub(crate) fn constants<'c>(conditions: impl Iterator<Item = &'c Expr>) -> Vec<(u32, bool)> {
    let numbered = conditions.zip(0..);
    let known = numbered.filter_map(|(condition, n)| Some((n, condition.constant()? != 0)));
    known.collect()
}

/// The texts of atoms.
fn texts(atoms: &[Atom]) -> Vec<String> {
    atoms.iter().map(|atom| atom.text.clone()).collect()
}

/// A text, shortened to a line.
fn cut(text: &str) -> Cow<'_, str> {
    const MOST: usize = 100;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]).into(),
        None => text.into(),
    }
}

fn new_automaton(atoms: &[String], states: usize, sets: u32) -> Automaton {
    Automaton {
        states: vec![Vec::new(); states],
        sets,
        ..Automaton::empty(atoms.to_vec())
    }
}

fn push(automaton: &mut Automaton, from: usize, label: Label, target: u32, marks: u64) {
    automaton.states[from].push(Edge {
        label,
        target,
        marks,
    });
}

/// Entry faults for the states from which every continuation is accepted: the prefix decides.
fn bad_prefixes(automaton: &Automaton) -> Vec<Option<u32>> {
    let all = automaton.all_marks();
    let code = Fault {
        kind: FaultKind::BadPrefix,
        origin: 0,
    }
    .code();
    let universal = |(q, edges): (usize, &Vec<Edge>)| {
        let stays = |e: &Edge| {
            e.target as usize == q && automaton.labels.is_true(e.label) && e.marks & all == all
        };
        edges.iter().any(stays).then_some(code)
    };
    automaton.states.iter().enumerate().map(universal).collect()
}

/// The reachable states of a claim, the initial one first.
fn reachable(claim: &Claim) -> Vec<u32> {
    let mut order = vec![claim.initial];
    let mut next = 0;
    while let Some(&q) = order.get(next) {
        next += 1;
        for edge in &claim.states[q as usize].edges {
            if let Ok(target) = edge.target
                && !order.contains(&target)
            {
                order.push(target);
            }
        }
    }
    order
}

/// A claim as an automaton. Its end and its assertions are states with entry faults.
fn claim_automaton(claim: &Claim, atoms: &[String], accept_labels: bool) -> PropertyAutomaton {
    let order = reachable(claim);
    let mut numbers = vec![0; claim.states.len()];
    for (number, &q) in order.iter().enumerate() {
        numbers[q as usize] = number as u32;
    }
    let states: Vec<&ClaimState> = order.iter().map(|&q| &claim.states[q as usize]).collect();
    let mut automaton = new_automaton(atoms, states.len(), 1);
    let end = |state: &&ClaimState| {
        let fault = Fault {
            kind: FaultKind::ClaimEnd,
            origin: state.line,
        };
        state.end.then_some(fault.code())
    };
    let mut entry_faults: Vec<Option<u32>> = states.iter().map(end).collect();
    for (q, state) in states.into_iter().enumerate() {
        for edge in &state.edges {
            let mut label = Label::TRUE;
            for literal in &edge.guard {
                let atom = automaton.labels.literal(literal.atom, literal.positive);
                label = automaton.labels.and(label, atom);
            }
            let target = match edge.target {
                Ok(target) => numbers[target as usize],
                Err(line) => {
                    let kind = FaultKind::ClaimAssertion;
                    automaton.states.push(Vec::new());
                    entry_faults.push(Some(Fault { kind, origin: line }.code()));
                    automaton.states.len() as u32 - 1
                }
            };
            push(&mut automaton, q, label, target, u64::from(state.accept));
        }
    }
    PropertyAutomaton {
        automaton,
        entry_faults,
        stutter: true,
        accept_labels,
    }
}
