//! What a check can see of a model, and so how far the model may be reduced for it.

use lariat_ir::reduce::Visible;
use lariat_ir::space::{Checks, Fairness};
use lariat_ltl::classify::is_next_free;

use crate::property::{Kind, Question, Source};

/// What a search for errors sees.
pub fn seen_by_checks(checks: &Checks, all_errors: bool) -> Visible {
    let mut visible = Visible::default();
    for invariant in &checks.invariants {
        visible.condition(&invariant.condition);
    }
    if all_errors {
        visible.all_errors();
    }
    visible
}

/// What a property of runs sees. Formulas without `X`, accept labels and progress labels cannot tell
/// how often a state is repeated; of claims and automata nobody knows.
pub fn seen_by_question(question: &Question, fairness: Fairness) -> Visible {
    let mut visible = Visible::default();
    // An error that comes after the property is settled is none of its business.
    visible.all_errors();
    for atom in &question.atoms {
        visible.condition(&atom.condition);
    }
    let stutter_invariant = match &question.source {
        Source::Formula { formulas, formula } => is_next_free(formulas, *formula),
        Source::Forbidden(watch) => {
            if watch.accept_labels {
                visible.accept_labels();
            }
            matches!(question.kind, Kind::Acceptance | Kind::NonProgress)
        }
    };
    if !stutter_invariant {
        visible.single_steps();
    }
    if fairness != Fairness::None {
        visible.fairness();
    }
    visible
}
