//! The choice of the search.

use lariat_ir::space::Fairness;
use lariat_ltl::automaton::{Limits, Strength, TooLarge};
use lariat_search::{Sampling, StoreKind};

use super::{LivenessOptions, Method};
use crate::property::{Question, Watch};

/// The search that was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Plan {
    Reachability,
    Nested { weak: bool },
    Components,
    ReSt(Sampling),
    Walks,
}

impl Plan {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Plan::Reachability => "bfs",
            Plan::Nested { .. } => "ndfs",
            Plan::Components => "scc",
            Plan::ReSt(_) => "rest",
            Plan::Walks => "monte-carlo",
        }
    }
}

/// Chooses the search, and makes the automaton for it.
pub(super) fn plan(
    question: &Question,
    options: &LivenessOptions,
    limits: &Limits,
) -> Result<(Plan, Watch), TooLarge> {
    if options.fairness != Fairness::None || options.method == Method::Components {
        let watch = question.watch(true, limits)?;
        // A finite run that settles the matter can always be continued in a fair way.
        let plan = match watch.automaton.strength() {
            Strength::Terminal
                if is_settled_by_signals(&watch) && options.method == Method::Auto =>
            {
                Plan::Reachability
            }
            _ => Plan::Components,
        };
        return Ok((plan, watch));
    }
    let mut watch = question.watch(false, limits)?;
    // A nested search of a weak automaton relies on components that are accepting as a whole; those
    // that somebody has written need not be.
    watch.automaton.saturate();
    let strength = watch.automaton.strength();
    let weak = strength <= Strength::Weak && !watch.accept_labels;
    let nested = Plan::Nested { weak };
    if options.walks.is_some() {
        return Ok((Plan::Walks, watch));
    }
    if let StoreKind::Sample(sampling) = options.engine.store {
        let plan = match options.method {
            Method::ReSt => Plan::ReSt(sampling),
            _ => nested,
        };
        return Ok((plan, watch));
    }
    if matches!(options.method, Method::Nested | Method::ReSt) {
        return Ok((nested, watch));
    }
    match strength {
        Strength::Empty | Strength::Terminal if is_settled_by_signals(&watch) => {
            Ok((Plan::Reachability, watch))
        }
        Strength::Strong => {
            let general = question.watch(true, limits)?;
            if general.automaton.states.len() < watch.automaton.states.len() {
                Ok((Plan::Components, general))
            } else {
                Ok((nested, watch))
            }
        }
        _ => Ok((nested, watch)),
    }
}

/// Whether nothing but a signal can make a run accepted.
fn is_settled_by_signals(watch: &Watch) -> bool {
    let mut rest = watch.automaton.clone();
    for (edges, signal) in rest.states.iter_mut().zip(&watch.signals) {
        if signal.is_some() {
            edges.clear();
        }
    }
    !watch.accept_labels && rest.strength() == Strength::Empty
}
