//! Properties that stand in the text of a model: formulas and claims over its states.
//!
//! Both speak of a state through [`Atom`]s, conditions that are true or false there. A formula is one
//! of linear temporal logic; a [`Claim`] is an automaton that describes the runs that must not
//! happen, with conditions on its edges.

use lariat_ltl::{Formula, Formulas};

use crate::expr::Expr;
use crate::source::Span;

/// A property.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it says.
    pub kind: PropertyKind,
    /// The conditions that it speaks of.
    pub atoms: Vec<Atom>,
    /// Where it stands.
    pub span: Span,
}

/// What a property says.
#[derive(Clone, Debug)]
pub enum PropertyKind {
    /// Every run satisfies the formula. Its atoms are those of the property, in the same order.
    Formula {
        /// Where the formula lives.
        formulas: Formulas,
        /// The formula.
        formula: Formula,
    },
    /// No run is accepted by the claim.
    Claim(Claim),
    /// A claim that cannot be checked, and why.
    Unsupported(String),
}

impl PropertyKind {
    /// What it is, in a word.
    pub fn word(&self) -> &'static str {
        match self {
            PropertyKind::Formula { .. } => "ltl",
            PropertyKind::Claim(_) | PropertyKind::Unsupported(_) => "never",
        }
    }
}

/// A condition that must hold in every state.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// How the user wrote it.
    pub text: String,
    /// The condition.
    pub condition: Expr,
    /// Where it stands, if it is part of a model.
    pub span: Option<Span>,
}

/// A condition on a state.
#[derive(Clone, Debug)]
pub struct Atom {
    /// Its text in one line.
    pub text: String,
    /// The condition.
    pub condition: Expr,
}

/// An automaton over the states of a run. It moves once before each step of the model, and its edges
/// look at the state before that step.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// The states.
    pub states: Vec<ClaimState>,
    /// Where it starts.
    pub initial: u32,
    /// Runs that visit accept labels of the model infinitely often are accepted as well.
    pub accept_labels: bool,
}

/// A state of a claim.
#[derive(Clone, Debug, Default)]
pub struct ClaimState {
    /// Runs that visit it infinitely often are accepted.
    pub accept: bool,
    /// Runs that reach it are accepted at once.
    pub end: bool,
    /// The edges.
    pub edges: Vec<ClaimEdge>,
    /// The line in which it stands.
    pub line: u32,
}

/// An edge of a claim.
#[derive(Clone, Debug)]
pub struct ClaimEdge {
    /// It can be taken in states in which all of these hold.
    pub guard: Vec<Literal>,
    /// Where it leads, or the line of an assertion that fails.
    pub target: Result<u32, u32>,
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The number of the atom.
    pub atom: u32,
    /// Whether it must hold, or must not.
    pub positive: bool,
}
