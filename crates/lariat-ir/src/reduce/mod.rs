//! Exact reductions: fewer states, the same answers.
//!
//! Two passes over a model set marks that every executor obeys, so that all source languages and all
//! searches have them:
//!
//! - *Statement merging* ([`merge`]) marks transitions after which a process keeps control, because
//!   whatever it does next concerns no other process ([`Transition::merged`]). No state is made in between.
//! - *Dead variables* ([`dead`]) finds for each location the variables whose values will not be asked
//!   for again, and has them cleared on arrival ([`Location::dead`]), so that states that differ in
//!   nothing else become one.
//!
//! Both depend on what the property can see, which is described by [`Visible`]. Neither changes the
//! numbers of locations and transitions: a run of the reduced model is, step by step, a run of the
//! original one.
//!
//! [`Transition::merged`]: crate::model::Transition::merged
//! [`Location::dead`]: crate::model::Location::dead

mod cells;
pub mod dead;
pub mod merge;
mod needs;
mod ranges;
mod shared;
mod visible;

pub use ranges::{fits, scalar_fits};
pub use visible::Visible;

use crate::model::Model;

/// Which reductions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Statement merging.
    pub merge: bool,
    /// Dead variables.
    pub dead: bool,
}

impl Options {
    /// Both.
    pub const ALL: Options = Options {
        merge: true,
        dead: true,
    };

    /// Neither.
    pub const NONE: Options = Options {
        merge: false,
        dead: false,
    };
}

/// Sets the marks of the chosen reductions for a property that sees no more than `visible`, and
/// removes all others.
pub fn apply(model: &mut Model, options: Options, visible: &Visible) {
    clear(model);
    if options.merge {
        merge::mark(model, visible);
    }
    if options.dead {
        dead::mark(model, visible);
    }
}

/// A copy of a model with the marks that [`apply`] sets.
pub fn reduced(model: &Model, options: Options, visible: &Visible) -> Model {
    let mut model = model.clone();
    apply(&mut model, options, visible);
    model
}

/// Removes all marks.
fn clear(model: &mut Model) {
    for process in &mut model.processes {
        for transition in &mut process.transitions {
            transition.merged = false;
        }
        for location in &mut process.locations {
            location.dead.clear();
        }
    }
}
