//! What can be checked: a system gives graphs to searches, and replays what they find.
//!
//! There are two: models of the intermediate language ([`crate::model::ModelSystem`]), and Rust types (in the crate
//! `lariat`). A search sees neither. It gets a graph from an [`Executor`], which is made for one property; what
//! it finds is a path of labels. The [`Reference`] executor turns labels into steps, and the system replays these
//! without any of the searches, stores and compilers.

use lariat_graph::Draw;
use lariat_graph::product::Propositions;
use lariat_ir::fault::Fault;
use lariat_ir::interpret::Cancel;
use lariat_ir::space::Fairness;
use lariat_stats::Dice;

use crate::outcome::{CheckError, FaultText, StatementRef};
use crate::run_property::RunProperty;
use crate::trace::Trace;

/// Something whose runs can be checked.
pub trait System: Sync {
    /// A condition on states, of which properties are made.
    type Condition: Clone + Send + Sync;
    /// What counts as an error of a single state or step.
    type Checks: Clone + Send + Sync;
    /// A step of a run.
    type Step: Clone + PartialEq;
    /// The system, arranged for one property.
    type View<'s>: View<Step = Self::Step>
    where
        Self: 's;

    /// Arranges the system for a property.
    fn view<'s>(&'s self, request: &ViewRequest<'_, Self>) -> Self::View<'s>;

    /// Replays steps at whose end a fault must show up.
    fn replay_fault(
        &self,
        steps: &[Self::Step],
        fault: Fault,
        checks: Option<&Self::Checks>,
    ) -> Result<Trace, ReplayError>;

    /// Replays steps, and looks at every state that a property can see.
    fn observe(
        &self,
        conditions: &[Self::Condition],
        steps: &[Self::Step],
        seen: Seen<'_>,
    ) -> Result<Observation, ReplayError>;

    /// What a fault is called, for people.
    fn fault_text(&self, fault: Fault, checks: Option<&Self::Checks>) -> FaultText;

    /// The statements that were not reached, given what executors say about that.
    fn unreached(&self, reached: &[Vec<bool>]) -> Vec<StatementRef> {
        let _ = reached;
        Vec::new()
    }
}

/// For which property a system is arranged.
pub struct ViewRequest<'a, S: System + ?Sized> {
    /// What a search looks for.
    pub target: Target<'a, S>,
    /// Merge statements that only their process can notice.
    pub merge: bool,
    /// Set variables to zero whose values do not matter any more.
    pub dead: bool,
}

/// What a search looks for.
pub enum Target<'a, S: System + ?Sized> {
    /// Faults.
    Faults {
        /// What counts as one.
        checks: &'a S::Checks,
        /// All of them, not only the first.
        all: bool,
    },
    /// Runs that violate a property.
    Runs {
        /// The property.
        property: &'a RunProperty,
        /// Its conditions, in the order of its atoms.
        conditions: &'a [S::Condition],
        /// Which runs count.
        fairness: Fairness,
    },
}

/// A system, arranged for one property.
pub trait View {
    /// A step of a run.
    type Step;
    /// The executor whose paths are replayed.
    type Reference<'v>: Reference<Step = Self::Step>
    where
        Self: 'v;

    /// Does a job with the executor that was asked for. Where that cannot be had and the user did not insist, another
    /// one is taken, which says so ([`Executor::name`]).
    fn with_executor<J: Job>(&self, wish: Option<Exec>, job: J) -> Result<J::Output, CheckError>;

    /// The reference executor.
    fn reference(&self) -> Self::Reference<'_>;
}

/// What executes a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exec {
    /// Machine code, made when the search starts.
    Jit,
    /// The reference interpreter.
    Interpreter,
    /// Both, side by side; the search stops where they differ.
    Both,
}

impl Exec {
    /// All of them.
    pub const ALL: [Exec; 3] = [Exec::Jit, Exec::Interpreter, Exec::Both];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Exec::Jit => "jit",
            Exec::Interpreter => "interp",
            Exec::Both => "both",
        }
    }

    /// The one with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Exec::ALL.into_iter().find(|exec| exec.name() == name)
    }
}

/// Makes the graph of a system. Each worker of a search has a clone.
pub trait Executor: Draw + Propositions + Clone + Send {
    /// What executes: `jit`, `interp`, `both` or `rust`.
    fn name(&self) -> &'static str;

    /// Ends long expansions, which are then incomplete, when the search is cancelled.
    fn stop_on(&mut self, cancel: Cancel);

    /// The most bytes that a single expansion may take.
    fn limit_memory(&mut self, bytes: usize);

    /// For each process type, which locations control has reached; nothing if that is not known.
    fn reached(&self) -> &[Vec<bool>] {
        &[]
    }

    /// How many locations that were visited have no machine code, so that the interpreter executes their steps.
    fn interpreted_locations(&self) -> Option<u64> {
        None
    }

    /// Where two executors were found to differ.
    fn difference(&self) -> Option<String> {
        None
    }
}

/// The executor that turns labels into steps.
pub trait Reference: Executor {
    /// A step of a run.
    type Step;

    /// The steps with which a run enters an initial state: none, unless there are several and a replay must know which.
    fn steps_to_initial(&mut self, state: &[u32]) -> Vec<Self::Step> {
        let _ = state;
        Vec::new()
    }

    /// The steps of the edge of a state with a label.
    fn steps_of_edge(&mut self, state: &[u32], label: u32) -> Option<Vec<Self::Step>>;

    /// The steps of the edge that these dice draw.
    fn steps_of_drawn_edge(&mut self, state: &[u32], dice: &mut Dice) -> Option<Vec<Self::Step>>;
}

/// Something that is done with an executor, whichever it is.
pub trait Job {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<E: Executor>(self, executor: E) -> Self::Output;
}

/// Which states of a run a property sees.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The property.
    pub property: &'a RunProperty,
    /// Which runs count.
    pub fairness: Fairness,
    /// Whether merged statements are one step: between them a property automaton may take edges that lead nowhere.
    pub merged: bool,
}

/// A run as a property sees it.
pub struct Observation {
    /// The states; at least one.
    pub states: Vec<ObservedState>,
    /// The steps, for people. The values of conditions are not filled in.
    pub trace: Trace,
}

/// A state of a run, between atomic sequences.
#[derive(Clone, Debug, Default)]
pub struct ObservedState {
    /// The number of the step that follows.
    pub step: usize,
    /// What tells the state from others.
    pub words: Vec<u32>,
    /// The values of the conditions; nothing for one that has no value.
    pub values: Vec<Option<bool>>,
    /// The processes that can move.
    pub enabled: Vec<u32>,
    /// The processes that move before the next observed state.
    pub movers: Vec<u32>,
    /// Whether a process is in an accepting state.
    pub accepting: bool,
}

/// A run that could not be replayed as a search claimed it to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError(pub String);
