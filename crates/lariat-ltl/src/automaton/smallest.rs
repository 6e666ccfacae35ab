//! The way to small automata.

use super::degeneralise::{degeneralise, with_one_set};
use super::merge::merge;
use super::simulation::{Work, reduce};
use super::translate::{nnf, translate};
use super::{Automaton, Limits, TooLarge, wdba};
use crate::formula::{Formula, Formulas};

/// Steps for each simulation.
const SIMULATION: u64 = 10_000_000;
/// Steps for each attempt at mergers.
const MERGERS: u64 = 20_000_000;
/// Steps for a deterministic automaton.
const DETERMINISATION: u64 = 2_000_000;

/// A small generalised automaton with acceptance on edges.
pub fn tgba(formulas: &mut Formulas, f: Formula, limits: &Limits) -> Result<Automaton, TooLarge> {
    let (plain, negation) = both(formulas, f, limits)?;
    let mut best = plain.clone();
    improve(&mut best, &negation, false);
    if let Some(minimal) = wdba::minimal(&plain, &negation, &mut Work(DETERMINISATION)) {
        let mut merged = minimal.clone();
        improve(&mut merged, &negation, false);
        best = smaller(smaller(minimal, best), merged);
    }
    Ok(best.compact())
}

/// A small automaton with accepting states.
pub fn buchi(formulas: &mut Formulas, f: Formula, limits: &Limits) -> Result<Automaton, TooLarge> {
    let (plain, negation) = both(formulas, f, limits)?;
    let mut general = plain.clone();
    improve(&mut general, &negation, false);
    let mut best = degeneralise(&plain);
    improve(&mut best, &negation, true);
    let mut other = degeneralise(&general);
    improve(&mut other, &negation, true);
    best = smaller(best, other);
    if let Some(minimal) = wdba::minimal(&plain, &negation, &mut Work(DETERMINISATION)) {
        let mut merged = minimal.clone();
        improve(&mut merged, &negation, true);
        best = smaller(smaller(minimal, best), merged);
    }
    Ok(with_one_set(best).compact())
}

/// Simulation and mergers in turn.
fn improve(automaton: &mut Automaton, negation: &Automaton, state_based: bool) {
    let mut size = usize::MAX;
    reduce(automaton, state_based, &mut Work(SIMULATION));
    while automaton.states.len() < size {
        size = automaton.states.len();
        merge(automaton, negation, state_based, &mut Work(MERGERS));
        reduce(automaton, state_based, &mut Work(SIMULATION));
    }
}

/// The one with fewer states, or edges; the first if they are equal.
fn smaller(a: Automaton, b: Automaton) -> Automaton {
    let size = |a: &Automaton| (a.states.len(), a.statistics().edges);
    if size(&b) < size(&a) { b } else { a }
}

/// Automata of a formula and of its negation.
fn both(
    formulas: &mut Formulas,
    f: Formula,
    limits: &Limits,
) -> Result<(Automaton, Automaton), TooLarge> {
    let automaton = plain(formulas, f, limits)?;
    let negated = formulas.not(f);
    let negation = plain(formulas, negated, limits)?;
    Ok((automaton, negation))
}

fn plain(formulas: &mut Formulas, f: Formula, limits: &Limits) -> Result<Automaton, TooLarge> {
    let f = nnf(formulas, f);
    let mut automaton = translate(formulas, f, None, limits)?;
    reduce(&mut automaton, false, &mut Work(SIMULATION));
    Ok(automaton)
}
