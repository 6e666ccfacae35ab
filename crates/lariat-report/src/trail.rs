//! Trails: runs of a model, stored so that they can be replayed.

use serde::{Deserialize, Serialize};

use lariat_check::outcome::{Outcome, Violation};
use lariat_check::run_property::RunProperty;
use lariat_check::trace::{Trace, TraceStep};
use lariat_ir::fault::Fault;
use lariat_ir::space::Fairness;

use crate::report::{ModelRef, RunOptions, Tool};

/// The format that this version writes and reads.
pub const FORMAT: u32 = 2;

/// A run of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trail {
    /// The version of the format.
    pub format: u32,
    /// The program that wrote it.
    pub tool: Tool,
    /// The model that it belongs to.
    pub model: ModelRef,
    /// The options with which the model was read and checked.
    pub options: RunOptions,
    /// The property that it violates.
    pub property: String,
    /// The violation at its end.
    pub violation: TrailViolation,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// If the run is infinite: the step, from zero, to which it returns after the last. If that is
    /// the number of steps, the run stays in its last state for ever.
    pub loop_start: Option<usize>,
    /// The property of infinite runs, if it is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim: Option<TrailClaim>,
}

/// The violated property, if it is not safety.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailClaim {
    /// `ltl`, `never`, `hoa`, `acceptance` or `non-progress`.
    pub kind: String,
    /// The name of the property, if it is part of the model.
    pub name: String,
    /// The text of the property, if it is not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// `none`, `weak` or `strong`.
    pub fairness: String,
    /// The atoms of the property.
    pub atoms: Vec<String>,
    /// The values of the atoms in the initial state, one character each: `1` or `0`, `?` for no value.
    pub values: String,
}

/// The violation at the end of a trail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailViolation {
    /// The kind, as in the report.
    pub kind: String,
    /// The message.
    pub message: String,
    /// In a deadlock: what each process waits for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub waiting: Vec<String>,
    /// The code of the fault.
    pub code: u32,
}

impl Trail {
    /// A violation as it is written to a file; `property` is the property of infinite runs, if it is one.
    pub fn new(
        model: ModelRef,
        options: RunOptions,
        outcome: &Outcome,
        violation: &Violation,
        property: Option<&RunProperty>,
    ) -> Self {
        let Trace {
            steps,
            loop_start,
            values,
            waiting,
        } = violation.trace().clone();
        Trail {
            format: FORMAT,
            tool: Tool::default(),
            model,
            options,
            property: outcome.property.title.clone(),
            violation: TrailViolation {
                kind: violation.text.kind.into(),
                message: violation.text.message.clone(),
                waiting,
                code: violation.fault.map_or(0, Fault::code),
            },
            steps,
            loop_start,
            claim: property.map(|property| TrailClaim::new(property, outcome.fairness, values)),
        }
    }
}

impl TrailClaim {
    fn new(property: &RunProperty, fairness: Fairness, values: String) -> Self {
        TrailClaim {
            kind: property.kind.word().into(),
            name: property.name.clone(),
            text: property.text.clone(),
            fairness: fairness.word().into(),
            atoms: property.atoms.clone(),
            values,
        }
    }
}
