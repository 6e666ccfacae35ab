//! Models of the intermediate representation as systems.

mod executor;
mod observe;
pub mod replay;
mod visibility;

use std::borrow::Cow;

use lariat_ir::describe::process_name;
use lariat_ir::expr::Expr;
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::{Interpreter, Step};
use lariat_ir::model::Model;
use lariat_ir::property::{Atom, Invariant};
use lariat_ir::reduce::{self, Options, Visible};
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace};
use lariat_jit::{CompiledSpace, Lockstep, Unsupported};

pub use visibility::{seen_by_checks, seen_by_property};

use crate::outcome::{CheckError, FaultText, Outcome, StatementRef};
use crate::replay_budget::ReplayBudget;
use crate::run::{Failure, TaskObserver, check};
use crate::run_property::RunProperty;
use crate::system::{Audience, Exec, Halted, Job, Seen, System, Target, View, ViewRequest};
use crate::task::Task;
use crate::trace::Trace;

/// A model.
#[derive(Clone, Copy, Debug)]
pub struct ModelSystem<'m>(pub &'m Model);

/// Checks a model: [`check`], compiled once for all programs that check models.
pub fn check_model(
    task: &Task<'_, ModelSystem<'_>>,
    observer: &mut dyn TaskObserver,
) -> Result<Vec<Outcome>, Failure> {
    task.system.0.validate().map_err(Failure::Malformed)?;
    check(task, observer)
}

/// The conditions to check: the assertions of the model about its states precede the invariants of the user.
pub fn all_checks(model: &Model, checks: &Checks) -> Checks {
    let mut checks = checks.clone();
    if checks.assertions {
        let own = model.invariants.iter().cloned();
        checks.invariants = own.chain(checks.invariants).collect();
    }
    checks
}

/// A model, reduced for one property.
pub struct ModelView<'m> {
    model: Cow<'m, Model>,
    checks: Checks,
    /// The property, in a search for runs, and how many processes have marks.
    watched: Option<(Liveness, Vec<Atom>)>,
    fair_processes: usize,
}

/// Searches for runs do not report errors of the model.
const NO_CHECKS: Checks = Checks {
    end_states: false,
    assertions: false,
    invariants: Vec::new(),
};

impl System for ModelSystem<'_> {
    type Condition = Expr;
    type Checks = Checks;
    type Step = Step;
    type View<'s>
        = ModelView<'s>
    where
        Self: 's;

    fn view<'s>(&'s self, request: &ViewRequest<'_, Self>) -> ModelView<'s> {
        let reduced = |visible: &Visible| {
            let options = Options {
                merge: request.merge,
                dead: request.dead,
            };
            match request.merge || request.dead {
                true => Cow::Owned(reduce::reduced(self.0, options, visible)),
                false => Cow::Borrowed(self.0),
            }
        };
        match request.target {
            Target::Faults { checks, all } => {
                let checks = all_checks(self.0, checks);
                ModelView {
                    model: reduced(&seen_by_checks(&checks, all)),
                    checks,
                    watched: None,
                    fair_processes: 0,
                }
            }
            Target::Runs {
                property,
                conditions,
                fairness,
                fair_processes,
            } => ModelView {
                fair_processes,
                model: reduced(&seen_by_property(property, conditions, fairness)),
                checks: NO_CHECKS,
                watched: Some((
                    liveness(property, fairness),
                    atoms(&property.atoms, conditions),
                )),
            },
        }
    }

    fn replay_fault(
        &self,
        steps: &[Step],
        fault: Fault,
        checks: Option<&Checks>,
        budget: &mut ReplayBudget,
    ) -> Result<Trace, Halted> {
        let checks = checks.map(|checks| all_checks(self.0, checks));
        let invariants = checks.map(|checks| checks.invariants).unwrap_or_default();
        replay::replay(self.0, steps, fault, &invariants, budget)
    }

    fn observe(
        &self,
        conditions: &[Expr],
        steps: &[Step],
        seen: Seen<'_>,
        audience: &mut dyn Audience,
    ) -> Result<(), Halted> {
        let options = Options {
            merge: seen.merged,
            dead: true,
        };
        let visible = seen_by_property(seen.property, conditions, seen.fairness);
        let reduced = reduce::reduced(self.0, options, &visible);
        observe::observe(self.0, &reduced, conditions, steps, audience)
    }

    fn fault_text(&self, fault: Fault, checks: Option<&Checks>) -> FaultText {
        let checks = checks.map(|checks| all_checks(self.0, checks));
        let invariants = checks.map(|checks| checks.invariants).unwrap_or_default();
        fault_text(self.0, fault, &invariants)
    }

    fn unreached(&self, reached: &[Vec<bool>]) -> Vec<StatementRef> {
        let model = self.0;
        let mut statements = Vec::new();
        for (process, reached) in model.processes.iter().zip(reached) {
            for (location, reached) in process.locations.iter().zip(reached) {
                if let (Some(statement), false) = (&location.statement, reached) {
                    let place = model.sources.location(statement.span);
                    statements.push(StatementRef {
                        process: process_name(&process.name).to_string(),
                        file: place.file.to_string(),
                        line: place.line,
                        text: statement.text.clone(),
                    });
                }
            }
        }
        statements.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        statements
    }
}

/// The marks on the edges of a model for a property.
fn liveness(property: &RunProperty, fairness: Fairness) -> Liveness {
    let (stutter, accept_labels) = property.watches();
    Liveness {
        stutter,
        accept_labels,
        fairness,
    }
}

/// Conditions with their texts.
fn atoms(texts: &[String], conditions: &[Expr]) -> Vec<Atom> {
    let atom = |(text, condition): (&String, &Expr)| Atom {
        text: text.clone(),
        condition: condition.clone(),
    };
    texts.iter().zip(conditions).map(atom).collect()
}

impl View for ModelView<'_> {
    type Step = Step;
    type Reference<'v>
        = ModelSpace<'v>
    where
        Self: 'v;

    fn with_executor<J: Job>(&self, wish: Option<Exec>, job: J) -> Result<J::Output, CheckError> {
        let exec = wish.unwrap_or(Exec::Jit);
        if exec == Exec::Interpreter {
            return Ok(job.run(self.reference()));
        }
        let compiled = CompiledSpace::new(&self.model, self.checks.clone());
        match (compiled, exec) {
            (Ok(mut compiled), exec) => {
                if let Some((liveness, atoms)) = &self.watched {
                    compiled.fair_processes(self.fair_processes);
                    let watched = compiled.watch(*liveness, atoms.clone());
                    watched.map_err(CheckError::Malformed)?;
                }
                Ok(match exec {
                    Exec::Both => {
                        // Machine code is requested even where it does not pay off.
                        compiled.compile_after(0);
                        job.run(Lockstep::new(self.reference(), compiled))
                    }
                    _ => job.run(compiled),
                })
            }
            (Err(Unsupported::Malformed(error)), _) => Err(CheckError::Malformed(error)),
            (Err(Unsupported::Compiler(why)), exec) => match wish {
                Some(_) => Err(CheckError::CannotCompile(exec, why)),
                None => Ok(job.run(self.reference())),
            },
        }
    }

    fn reference(&self) -> ModelSpace<'_> {
        let mut space = ModelSpace::new(&self.model, self.checks.clone());
        if let Some((liveness, atoms)) = &self.watched {
            space.fair_processes(self.fair_processes);
            space.watch(*liveness, atoms.clone());
        }
        space
    }
}

/// Whether a violated invariant is one of the model.
fn is_assertion(fault: Fault, invariants: &[Invariant]) -> bool {
    let invariant = invariants.get(fault.origin as usize);
    fault.kind == FaultKind::Invariant && invariant.is_some_and(|i| i.span.is_some())
}

/// The text of a fault.
pub fn fault_text(model: &Model, fault: Fault, invariants: &[Invariant]) -> FaultText {
    let kind = match is_assertion(fault, invariants) {
        true => FaultKind::Assertion,
        false => fault.kind,
    };
    let statement = replay::fault_statement(&Interpreter::new(model), fault);
    let words = kind.words();
    let message = match (fault.kind, &statement) {
        (FaultKind::Invariant, _) => match invariants.get(fault.origin as usize) {
            Some(invariant) => format!("{words}: {}", invariant.text),
            None => words.into(),
        },
        (_, Some(statement)) => format!("{words}: {}", statement.text),
        (_, None) => words.into(),
    };
    FaultText {
        kind: kind.slug(),
        message,
        statement,
    }
}
