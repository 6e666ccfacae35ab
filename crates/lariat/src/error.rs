//! Why a model was not checked.

use std::fmt;

use lariat_check::Failure;
use lariat_check::outcome::CheckError;

/// Why a model was not checked.
///
/// ```
/// # struct Counter;
/// # impl lariat::Model for Counter {
/// #     type State = u8;
/// #     type Action = u8;
/// #     fn init(&self) -> Vec<u8> { vec![0] }
/// #     fn actions(&self, _: &u8, actions: &mut Vec<u8>) { actions.extend([1, 2]); }
/// #     fn next(&self, state: &u8, step: &u8) -> Option<u8> { Some((state + step) % 5) }
/// # }
/// use lariat::{Checker, Error};
///
/// let error = Checker::new(Counter).ltl("odd", "G F oddd").run().unwrap_err();
/// assert!(matches!(error, Error::UnknownProposition { .. }));
/// let error = Checker::new(Counter).always("low", |_, count| *count < 5).search("bsf").run();
/// assert!(error.unwrap_err().to_string().contains("bfs"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing to check.
    NoProperties,
    /// The model has no initial state, so everything would be true of all its runs.
    NoInitialState,
    /// Two properties, or two propositions, have the same name.
    SameName(String),
    /// A formula that cannot be read.
    Formula {
        /// The property.
        property: String,
        /// What is wrong, with the place in the formula.
        message: String,
    },
    /// A formula speaks of a proposition that was not given.
    UnknownProposition {
        /// The property.
        property: String,
        /// The proposition.
        name: String,
        /// The propositions that there are.
        known: Vec<String>,
    },
    /// An option that cannot be read.
    Option(String),
    /// Fairness was asked for, and the model does not say who acts.
    NoActors,
    /// The model breaks a rule of [`Model`](crate::Model) or [`Encode`](trait@crate::Encode).
    Model(String),
    /// The options contradict each other, or the search failed.
    Check(Failure),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoProperties => write!(
                f,
                "the checker has no properties; add `always`, `eventually`, `reachable` or `ltl`"
            ),
            Error::NoInitialState => write!(
                f,
                "`Model::init` gives no state, so there is no run to check"
            ),
            Error::SameName(name) => {
                write!(f, "two properties or propositions are called {name:?}")
            }
            Error::Formula { property, message } => write!(f, "{property}: {message}"),
            Error::UnknownProposition {
                property,
                name,
                known,
            } => {
                write!(f, "{property}: there is no proposition {name:?}; ")?;
                match &known[..] {
                    [] => write!(f, "add it with `proposition`"),
                    known => write!(f, "there are {known:?}"),
                }
            }
            Error::Option(message) => f.write_str(message),
            Error::NoActors => write!(
                f,
                "fairness is about actors; implement `Model::actors` and `Model::actor`"
            ),
            Error::Model(message) => f.write_str(message),
            Error::Check(Failure::Failed {
                property,
                error: CheckError::Replay(error),
            }) => write!(
                f,
                "{property}: what was found could not be executed again ({}); either the model does not give the same answers each time, or this is a defect of Lariat",
                error.0
            ),
            Error::Check(failure) => f.write_str(&as_methods(&failure.to_string())),
        }
    }
}

impl std::error::Error for Error {}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Error::Check(failure)
    }
}

/// A sentence about options of the command line as one about methods of the checker.
fn as_methods(sentence: &str) -> String {
    let mut text = sentence
        .replace("--workers", "`threads`")
        .replace("--max-states", "`max_states`");
    for option in ["search", "store", "fair", "shortest", "seed"] {
        text = text.replace(&format!("--{option}"), &format!("`{option}`"));
    }
    text
}
