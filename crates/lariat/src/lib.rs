//! Lariat: an explicit-state LTL model checker, as a library.
//!
//! A model is a plain Rust type with states and actions ([`Model`]); a [`Checker`] takes it with its properties and
//! explores every state that can be reached. The answer about each property is a proof by exhaustion or a run
//! that was executed again, from its beginning, before it is shown.
//!
//! ```
//! use lariat::{Checker, Encode, Fairness, Model};
//!
//! /// Two threads take turns in a critical section: Peterson's algorithm.
//! struct Peterson;
//!
//! #[derive(Clone, Debug, Encode)]
//! struct State {
//!     threads: [Thread; 2],
//!     turn: usize,
//! }
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Encode)]
//! enum Thread {
//!     Idle,
//!     Wants,
//!     Waits,
//!     Critical,
//! }
//!
//! #[derive(Debug)]
//! struct Step(usize);
//!
//! impl Model for Peterson {
//!     type State = State;
//!     type Action = Step;
//!
//!     fn init(&self) -> Vec<State> {
//!         vec![State { threads: [Thread::Idle; 2], turn: 0 }]
//!     }
//!
//!     fn actions(&self, _: &State, actions: &mut Vec<Step>) {
//!         actions.extend([Step(0), Step(1)]);
//!     }
//!
//!     fn next(&self, state: &State, &Step(me): &Step) -> Option<State> {
//!         let other = 1 - me;
//!         let mut next = state.clone();
//!         next.threads[me] = match state.threads[me] {
//!             Thread::Idle => Thread::Wants,
//!             Thread::Wants => {
//!                 next.turn = other;
//!                 Thread::Waits
//!             }
//!             Thread::Waits if state.threads[other] == Thread::Idle || state.turn == me => Thread::Critical,
//!             Thread::Waits => return None,
//!             Thread::Critical => Thread::Idle,
//!         };
//!         Some(next)
//!     }
//!
//!     fn actors(&self) -> usize {
//!         2
//!     }
//!
//!     fn actor(&self, action: &Step) -> Option<usize> {
//!         Some(action.0)
//!     }
//! }
//!
//! let outcome = Checker::new(Peterson)
//!     .always("mutual exclusion", |_, s| s.threads != [Thread::Critical; 2])
//!     .reachable("both wait", |_, s| s.threads == [Thread::Waits; 2])
//!     .proposition("wants", |_, s| s.threads[0] == Thread::Wants)
//!     .proposition("enters", |_, s| s.threads[0] == Thread::Critical)
//!     .ltl("no starvation", "G (wants -> F enters)")
//!     .fair(Fairness::Weak)
//!     .run()?;
//! println!("{outcome}");
//! outcome.assert_holds();
//! # Ok::<(), lariat::Error>(())
//! ```
//!
//! Models in Promela and DVE are read by [`LANGUAGES`] and checked by [`check`].

extern crate self as lariat;

mod changes;
mod checker;
mod encode;
mod error;
mod limits;
mod model;
mod outcome;
mod system;

pub use checker::Checker;
pub use encode::{Decoder, Encode, Encoder, decode, encode};
pub use error::Error;
/// The core: tasks, plans and outcomes, for models of any language.
pub use lariat_check as check;
pub use lariat_check::omission::OmissionClaim;
pub use lariat_check::outcome::Evidence;
pub use lariat_check::task::Wishes;
pub use lariat_check::trace::{Trace, TraceStep};
/// Derives [`Encode`](trait@Encode) for structs and enums.
pub use lariat_derive::Encode;
pub use lariat_front::{LoadError, LoadOptions, Loaded};
pub use lariat_ir::space::Fairness;
pub use lariat_search::{SearchId, Statistics, Stop, StoreKind};
pub use limits::{Memory, Time};
pub use model::{Model, Proposition};
pub use outcome::{Outcome, Path, PropertyKind, PropertyOutcome, Verdict};

use lariat_front::Languages;

/// The languages in which models are written: a language is a crate, and one line here. The first one is for files
/// whose ending tells nothing.
///
/// ```
/// use lariat::check::model::{ModelSystem, check_model};
/// use lariat::check::outcome::Verdict;
/// use lariat::check::task::{Property, Task};
/// use lariat::{LANGUAGES, LoadOptions};
///
/// let text = "byte x; active proctype P() { x = 1; assert(x == 0) }";
/// let loaded = LANGUAGES.load_text("wrong.pml", text.into(), &LoadOptions::default())?;
/// let task = Task {
///     system: &ModelSystem(loaded.model()),
///     properties: vec![Property::Safety(Default::default())],
///     wishes: Default::default(),
///     budget: Default::default(),
/// };
/// let outcomes = check_model(&task, &mut ())?;
/// assert!(matches!(outcomes[0].verdict, Verdict::Violated(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const LANGUAGES: Languages = Languages(&[
    &lariat_promela::Promela, // the default
    &lariat_dve::Dve,
]);

#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct Documentation;
