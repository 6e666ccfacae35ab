//! The way to small automata: several ways are tried, and the smallest result is taken.
//!
//! 1. The formula and its negation are translated, each up to four times (`translate`): simplified;
//!    simplified, with the formulas of states simplified as well; simplified, with the parts of a
//!    disjunction by themselves; and as they are. The results are trimmed and reduced by simulation
//!    (`trim`, `simulation`).
//! 2. Each automaton of the formula has its states merged as long as the smallest automaton of the
//!    negation does not notice (`merge`), in turn with simulation. That is the generalised
//!    automaton.
//! 3. For accepting states, the automata before and after the mergers are degeneralised
//!    (`degeneralise`), and the results are reduced and merged again.
//! 4. If the formula is an obligation, its minimal deterministic automaton is one more candidate
//!    (`wdba`), as it is and merged.
//!
//! Which way is best differs from formula to formula. Each step has a budget of [`Work`], counted in
//! steps and not in time, so that the same formula always gets the same automaton; on a large
//! automaton the expensive steps are left out.

use super::degeneralise::{degeneralisations, with_one_set};
use super::merge::merge;
use super::simulation::{Work, reduce};
use super::translate::{translate, translate_parts, translate_rewriting};
use super::{Automaton, Edge, Limits, TooLarge, wdba};
use crate::formula::{Formula, Formulas};
use crate::simplify::{nnf, simplify};
use std::collections::HashMap;

/// A small generalised automaton with acceptance on edges.
pub fn tgba(formulas: &mut Formulas, f: Formula, limits: &Limits) -> Result<Automaton, TooLarge> {
    let mut start = Start::new(formulas, f, limits)?;
    let merged = start.merged()?;
    let deterministic = start.deterministic(false)?;
    let all = start.plain.into_iter().chain(merged);
    Ok(smallest(deterministic.into_iter().chain(all)).compact())
}

/// A small automaton with accepting states: [`Automaton::is_state_based`], with one set.
pub fn buchi(formulas: &mut Formulas, f: Formula, limits: &Limits) -> Result<Automaton, TooLarge> {
    let mut start = Start::new(formulas, f, limits)?;
    let mut candidates = start.deterministic(true)?;
    let merged = start.merged()?;
    let general: Vec<Automaton> = start.plain.iter().chain(&merged).cloned().collect();
    let mut copies: Vec<Automaton> = general.iter().flat_map(degeneralisations).collect();
    distinct(&mut copies);
    if let Some(first) = copies.first() {
        // Those that begin much larger seldom become smaller, and large ones are expensive.
        let (states, edges) = size(first);
        copies.retain(|a| a.states.len() <= 2 * states + 10);
        copies.truncate((10_000 / (edges + 1)).clamp(1, 8));
    }
    for automaton in copies {
        candidates.push(start.improved(automaton, true)?);
    }
    Ok(with_one_set(smallest(candidates)).compact())
}

/// The minimal deterministic automaton of a safety property, a guarantee, or a boolean combination of
/// such; nothing if the formula is none of these, or if it would take too much work.
///
/// It is weak and has accepting states. For a safety property all of them are: it is a monitor, and
/// a word is rejected once it has no edge.
pub fn minimal_dfa(
    formulas: &mut Formulas,
    f: Formula,
    limits: &Limits,
) -> Result<Option<Automaton>, TooLarge> {
    let start = Start::new(formulas, f, limits)?;
    let Some(negation) = &start.negation else {
        return Ok(None);
    };
    let minimal = wdba::minimal(&start.plain[0], negation, &mut Work(DETERMINISATION));
    Ok(minimal.map(|automaton| automaton.compact()))
}

/// Steps for all simulations and mergers together.
const TOTAL: u64 = 120_000_000;
/// Steps for each simulation.
const SIMULATION: u64 = 16_000_000;
/// Steps for each round of mergers.
const MERGERS: u64 = 20_000_000;
/// Steps for a deterministic automaton.
const DETERMINISATION: u64 = 1_000_000;

/// Formulas with more states are translated once.
const SMALL: usize = 300;
/// States of an automaton that is not needed, but could help.
const OPTIONAL_STATES: usize = 2_000;
/// Decisions for an automaton that is not needed, but could help.
const OPTIONAL_DECISIONS: usize = 200_000;

/// Where all ways begin.
struct Start<'a> {
    /// Automata of the formula, at least one, the smallest first.
    plain: Vec<Automaton>,
    /// A small automaton of its negation. The negation of a formula can be much harder than the
    /// formula itself; then there is none, and the steps that need it are left out.
    negation: Option<Automaton>,
    work: Work,
    limits: &'a Limits,
}

impl<'a> Start<'a> {
    fn new(formulas: &mut Formulas, f: Formula, limits: &'a Limits) -> Result<Self, TooLarge> {
        let mut work = Work(TOTAL);
        let plain = translations(formulas, f, limits, &mut work)?;
        let negated = formulas.not(f);
        let negation = translations(formulas, negated, &modest(limits), &mut work);
        let negation = optional(negation)?;
        Ok(Start {
            plain,
            negation: negation.map(smallest),
            work,
            limits,
        })
    }

    /// The automata of the formula with states merged.
    fn merged(&mut self) -> Result<Vec<Automaton>, TooLarge> {
        let mut merged = Vec::new();
        for k in 0..self.plain.len() {
            merged.push(self.improved(self.plain[k].clone(), false)?);
        }
        distinct(&mut merged);
        Ok(merged)
    }

    /// The minimal deterministic automaton, if there is one, and what mergers make of it.
    fn deterministic(&mut self, state_based: bool) -> Result<Vec<Automaton>, TooLarge> {
        self.limits.check()?;
        let Some(negation) = &self.negation else {
            return Ok(Vec::new());
        };
        let mut work = Work(DETERMINISATION);
        let Some(minimal) = wdba::minimal(&self.plain[0], negation, &mut work) else {
            return Ok(Vec::new());
        };
        let merged = self.improved(minimal.clone(), state_based)?;
        Ok(vec![minimal, merged])
    }

    /// Simulation and mergers in turn.
    fn improved(
        &mut self,
        mut automaton: Automaton,
        state_based: bool,
    ) -> Result<Automaton, TooLarge> {
        let work = &mut self.work;
        loop {
            self.limits.check()?;
            work.at_most(SIMULATION, |work| reduce(&mut automaton, state_based, work));
            if automaton.labels.is_full() {
                return Err(TooLarge::Decisions(self.limits.decisions));
            }
            let Some(negation) = &self.negation else {
                return Ok(automaton);
            };
            let merged = work.at_most(MERGERS, |work| {
                merge(&mut automaton, negation, state_based, work)
            });
            if !merged {
                return Ok(automaton);
            }
        }
    }
}

/// Limits for an automaton that is not needed.
fn modest(limits: &Limits) -> Limits {
    Limits {
        states: limits.states.min(OPTIONAL_STATES),
        decisions: limits.decisions.min(OPTIONAL_DECISIONS),
        ..limits.clone()
    }
}

/// Nothing in place of an automaton that is too large.
fn optional<T>(result: Result<T, TooLarge>) -> Result<Option<T>, TooLarge> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ (TooLarge::Time | TooLarge::Stopped)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// The automata of a formula, reduced by simulation, the smallest first.
fn translations(
    formulas: &mut Formulas,
    f: Formula,
    limits: &Limits,
    work: &mut Work,
) -> Result<Vec<Automaton>, TooLarge> {
    let simple = simplify(formulas, f);
    let modest = modest(limits);
    let parts = optional(translate_parts(formulas, simple, &modest))?.flatten();
    let mut all: Vec<Automaton> = match optional(translate(formulas, simple, &modest))? {
        Some(automaton) => vec![automaton],
        None if parts.is_some() => Vec::new(),
        None => vec![translate(formulas, simple, limits)?],
    };
    if all.first().is_some_and(|a| a.states.len() <= SMALL) {
        let second = translate_rewriting(formulas, simple, simplify, &modest);
        all.extend(optional(second)?.flatten());
        let as_it_is = nnf(formulas, f);
        all.extend(optional(translate(formulas, as_it_is, &modest))?);
    }
    all.extend(parts);
    distinct(&mut all);
    for automaton in &mut all {
        work.at_most(SIMULATION, |work| reduce(automaton, false, work));
        limits.check()?;
        if automaton.labels.is_full() {
            return Err(TooLarge::Decisions(limits.decisions));
        }
    }
    distinct(&mut all);
    Ok(all)
}

/// Sorts automata by size and removes equal ones.
fn distinct(automata: &mut Vec<Automaton>) {
    automata.sort_by_key(size);
    automata.dedup_by(|a, b| are_same(a, b));
}

/// Whether two automata have the same edges.
fn are_same(a: &Automaton, b: &Automaton) -> bool {
    let mut labels = a.labels.clone();
    let mut known = HashMap::new();
    let mut same = |(e, f): (&Edge, &Edge)| {
        let label = labels.copy(&b.labels, f.label, &mut known);
        *e == Edge { label, ..*f }
    };
    let shape = |a: &Automaton| a.states.iter().map(Vec::len).collect::<Vec<_>>();
    let edges = a.states.iter().flatten().zip(b.states.iter().flatten());
    shape(a) == shape(b) && a.initial == b.initial && edges.into_iter().all(&mut same)
}

fn size(automaton: &Automaton) -> (usize, usize) {
    (automaton.states.len(), automaton.statistics().edges)
}

/// The automaton with the fewest states; among those, the one that is easiest to search: a weak one
/// before a strong one, a deterministic one before others, few edges before many.
fn smallest(automata: impl IntoIterator<Item = Automaton>) -> Automaton {
    let all: Vec<Automaton> = automata.into_iter().collect();
    let fewest = all.iter().map(|a| a.states.len()).min();
    let candidates = all.into_iter().filter(|a| Some(a.states.len()) == fewest);
    let ease = |a: &Automaton| (a.strength(), !a.is_deterministic(), a.statistics().edges);
    let best = candidates.min_by_key(ease);
    best.unwrap_or_else(|| Automaton::empty(Vec::new()))
}
