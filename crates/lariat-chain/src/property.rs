//! A formula over the labels of a chain, and its automaton.

use crate::chain::Chain;
use lariat_ir::diagnostic::{Diagnostic, did_you_mean};
use lariat_ir::source::{ExpansionId, FileId, SourceMap, Span};
use lariat_ltl::automaton::Letter;
use lariat_ltl::lasso::{Word, holds};
use lariat_ltl::parse::ParsedAtom;
use lariat_ltl::{Automaton, Formula, Formulas, Limits, TooLarge, buchi, parse_with_atoms, tgba};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

/// An LTL formula whose atoms are labels of a chain.
#[derive(Clone, Debug)]
pub struct Property {
    formulas: Formulas,
    formula: Formula,
    automaton: Automaton,
    /// Whether the automaton accepts the runs that violate the formula, or those that satisfy it.
    accepts_violations: bool,
    /// The projections of the sets of labels to the atoms of the formula, each once.
    letters: Vec<Letter>,
    /// For each set of labels of the chain the number of its letter.
    letter_of_set: Vec<u32>,
}

/// Why a formula cannot be evaluated on a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyError {
    /// An atom is not a label.
    Label(String),
    /// Its automaton is too large, or the translation was cancelled.
    Automaton(TooLarge),
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PropertyError::Label(name) => write!(f, "the chain has no label `{name}`"),
            PropertyError::Automaton(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for PropertyError {}

impl Property {
    /// Parses a formula over the labels of a chain. Messages point into its text, which is put into `sources` under
    /// the given name.
    pub fn parse(
        sources: &mut SourceMap,
        chain: &Chain,
        (name, text): (&str, &str),
        limits: &Limits,
    ) -> Result<Self, Vec<Diagnostic>> {
        let file = sources.add(name, text);
        let mut formulas = Formulas::new();
        let parsed = parse_with_atoms(&mut formulas, text).map_err(|error| {
            let mut diagnostic = Diagnostic::error(span(file, &error.span), error.message);
            diagnostic.help = error.help;
            vec![diagnostic]
        })?;
        let unknown = parsed
            .atoms
            .iter()
            .filter(|a| chain.label(&a.name).is_none());
        let unknown: Vec<_> = unknown.map(|a| unknown_label(chain, file, a)).collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
        Self::new(chain, formulas, parsed.formula, limits).map_err(|error| {
            vec![Diagnostic::error(
                span(file, &(0..text.len())),
                error.to_string(),
            )]
        })
    }

    /// The property of a formula whose atoms are labels of the chain.
    pub fn new(
        chain: &Chain,
        mut formulas: Formulas,
        formula: Formula,
        limits: &Limits,
    ) -> Result<Self, PropertyError> {
        let mut labels = HashMap::new();
        for atom in formulas.atoms_of(formula) {
            let name = formulas.atoms()[atom as usize].clone();
            let label = chain.label(&name).ok_or(PropertyError::Label(name))?;
            labels.insert(label, atom);
        }
        let (automaton, accepts_violations) =
            choose(&mut formulas, formula, limits).map_err(PropertyError::Automaton)?;
        let (letters, letter_of_set) = letters(chain, &labels);
        Ok(Property {
            formulas,
            formula,
            automaton,
            accepts_violations,
            letters,
            letter_of_set,
        })
    }

    /// The formula, with its arena.
    pub fn formula(&self) -> (&Formulas, Formula) {
        (&self.formulas, self.formula)
    }

    /// The automaton, and whether it accepts the runs that violate the formula: it is the automaton of the formula or
    /// of its negation, whichever is easier to determinise.
    pub fn automaton(&self) -> (&Automaton, bool) {
        (&self.automaton, self.accepts_violations)
    }

    /// The letters of the automaton, by number.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// For each of [`Chain::label_sets`] the number of its letter.
    pub fn letter_numbers(&self) -> &[u32] {
        &self.letter_of_set
    }

    /// Whether the run that takes the states of `prefix` once and those of `cycle` for ever violates the formula, by
    /// the definition of its operators, without an automaton.
    pub fn is_violated(&self, chain: &Chain, prefix: &[u32], cycle: &[u32]) -> bool {
        let letter = |&state: &u32| {
            let number = self.letter_of_set.get(chain.label_set(state) as usize);
            let letter = number.and_then(|&number| self.letters.get(number as usize));
            letter.cloned().unwrap_or_default()
        };
        let word = Word {
            prefix: prefix.iter().map(letter).collect(),
            cycle: cycle.iter().map(letter).collect(),
        };
        !holds(&self.formulas, self.formula, &word)
    }
}

/// The automaton of the negation; that of the formula if it is deterministic and the other is not, or if they agree
/// in that and it is smaller. Its determinisation then has fewer states, and is complemented for free.
fn choose(
    formulas: &mut Formulas,
    formula: Formula,
    limits: &Limits,
) -> Result<(Automaton, bool), TooLarge> {
    let negated = formulas.not(formula);
    let negation = with_one_set(formulas, negated, limits);
    let plain = with_one_set(formulas, formula, limits);
    let cost = |a: &Automaton| (!a.is_deterministic(), a.states.len());
    match (negation, plain) {
        (Ok(negation), Ok(plain)) if cost(&plain) < cost(&negation) => Ok((plain, false)),
        (Ok(negation), _) => Ok((negation, true)),
        (Err(_), Ok(plain)) => Ok((plain, false)),
        (Err(error), Err(_)) => Err(error),
    }
}

/// A small automaton with at most one acceptance set, on edges if possible.
fn with_one_set(
    formulas: &mut Formulas,
    formula: Formula,
    limits: &Limits,
) -> Result<Automaton, TooLarge> {
    let general = tgba(formulas, formula, limits)?;
    match general.sets {
        0 | 1 => Ok(general),
        _ => buchi(formulas, formula, limits),
    }
}

/// The letters of the sets of labels, and for each set the number of its letter.
fn letters(chain: &Chain, atoms: &HashMap<u32, u32>) -> (Vec<Letter>, Vec<u32>) {
    let mut letters = Vec::new();
    let mut numbers: HashMap<Letter, u32> = HashMap::new();
    let mut number = |set: &[u32]| {
        let letter: Letter = set
            .iter()
            .filter_map(|label| atoms.get(label).copied())
            .collect();
        *numbers.entry(letter).or_insert_with_key(|letter| {
            letters.push(letter.clone());
            letters.len() as u32 - 1
        })
    };
    let numbers = chain.label_sets().iter().map(|set| number(set)).collect();
    (letters, numbers)
}

fn span(file: FileId, range: &Range<usize>) -> Span {
    Span {
        file,
        start: range.start as u32,
        end: range.end as u32,
        expansion: ExpansionId::NONE,
    }
}

fn unknown_label(chain: &Chain, file: FileId, atom: &ParsedAtom) -> Diagnostic {
    let message = format!("the chain has no label `{}`", atom.name);
    let diagnostic = Diagnostic::error(span(file, &atom.span), message);
    let names = || chain.labels().iter().map(String::as_str);
    if let Some(near) = did_you_mean(&atom.name, names()) {
        return diagnostic.help(format!("did you mean `{near}`?"));
    }
    let all: Vec<String> = names().take(12).map(|name| format!("`{name}`")).collect();
    diagnostic.help(match chain.labels().len() {
        0 => "it has no labels at all; give the file with the labels, too".to_string(),
        n if n > all.len() => format!("some of its labels are {}", all.join(", ")),
        _ => format!("its labels are {}", all.join(", ")),
    })
}
