//! What a property can see of a model.

use std::collections::HashSet;

use crate::expr::{Expr, Owner};
use crate::model::{LocationId, ProcessId};

/// What a property can see besides global variables and channels, which it always sees.
///
/// The default is that of a property that sees nothing but errors of the model itself.
#[derive(Clone, Debug, Default)]
pub struct Visible {
    /// Locations at which it can tell whether a process stands.
    pub(super) locations: HashSet<(ProcessId, LocationId)>,
    /// Variables of processes.
    pub(super) variables: HashSet<(ProcessId, usize)>,
    /// Accept labels.
    pub(super) accept: bool,
    /// Progress labels.
    pub(super) progress: bool,
    /// Single steps, so that nothing can be merged.
    pub(super) steps: bool,
    /// How fair the processes are to each other.
    pub(super) fairness: bool,
    /// More than whether there is an error: which ones there are, or what comes before.
    pub(super) all_errors: bool,
}

impl Visible {
    /// Adds what a condition on states looks at.
    pub fn condition(&mut self, condition: &Expr) {
        condition.walk(&mut |e| match e {
            Expr::Load(place) => {
                if let Owner::Remote { process, .. } = place.owner {
                    self.variables.insert((process, place.variable));
                }
            }
            Expr::At {
                process, location, ..
            } => {
                self.locations.insert((*process, *location));
            }
            Expr::NonProgress => self.progress = true,
            // They depend on what processes can do next, and so on where exactly they stand.
            Expr::Timeout | Expr::Enabled(_) | Expr::LocationNumber(_) | Expr::Priority(_) => {
                self.steps = true;
            }
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cond(_)
            | Expr::Channel(..)
            | Expr::Poll { .. }
            | Expr::Pid
            | Expr::ProcessCount => {}
        });
    }

    /// Adds the accept labels of processes.
    pub fn accept_labels(&mut self) {
        self.accept = true;
    }

    /// Adds single steps: the property is not, or may not be, invariant under stuttering.
    pub fn single_steps(&mut self) {
        self.steps = true;
    }

    /// Only fair runs count.
    pub fn fairness(&mut self) {
        self.fairness = true;
    }

    /// It matters which errors there are, or what comes before them, not only whether there is one.
    pub fn all_errors(&mut self) {
        self.all_errors = true;
    }
}
