//! What a check observes of a model, and so how far the model may be reduced for it.

use lariat_ir::reduce::Visible;
use lariat_ir::space::{Checks, Fairness};
use lariat_ltl::classify::is_next_free;

use crate::run_property::{Kind, RunProperty, Source};
use lariat_ir::expr::Expr;

/// What a search for errors observes.
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

/// What a property of runs observes. Formulas without `X`, accept labels and progress labels are stutter invariant;
/// claims and automata may not be.
pub fn seen_by_property(
    property: &RunProperty,
    conditions: &[Expr],
    fairness: Fairness,
) -> Visible {
    let mut visible = Visible::default();
    // An error after the property is decided does not matter for it.
    visible.all_errors();
    for condition in conditions {
        visible.condition(condition);
    }
    let stutter_invariant = match &property.source {
        Source::Formula { formulas, formula } => is_next_free(formulas, *formula),
        Source::Forbidden(forbidden) => {
            if forbidden.accept_labels {
                visible.accept_labels();
            }
            matches!(property.kind, Kind::Acceptance | Kind::NonProgress)
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
