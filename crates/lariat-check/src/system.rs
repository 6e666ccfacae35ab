//! Systems that can be checked: they provide graphs to searches, and replay counterexamples.
//!
//! There are two: models of the intermediate representation ([`crate::model::ModelSystem`]), and Rust types (in the
//! crate `lariat`). A search depends on neither. It gets a graph from an [`Executor`], which is made for one
//! property, and returns a path of labels. The [`Reference`] executor turns labels into steps, and the system replays
//! these without any of the searches, stores and compilers.

use lariat_graph::Draw;
use lariat_graph::product::Propositions;
use lariat_ir::fault::Fault;
use lariat_ir::interpret::Cancel;
use lariat_ir::space::Fairness;
use lariat_search::Stop;
use lariat_stats::Dice;

use crate::outcome::{CheckError, FaultText, StatementRef};
use crate::replay_budget::ReplayBudget;
use crate::run_property::RunProperty;
use crate::trace::{Trace, TraceStep};

/// A system whose runs can be checked.
pub trait System: Sync {
    /// A condition on states, the atom of properties.
    type Condition: Clone + Send + Sync;
    /// The errors of states and steps to check.
    type Checks: Clone + Send + Sync;
    /// A step of a run.
    type Step: Clone + PartialEq;
    /// The system, prepared for one property.
    type View<'s>: View<Step = Self::Step>
    where
        Self: 's;

    /// Prepares the system for a property.
    fn view<'s>(&'s self, request: &ViewRequest<'_, Self>) -> Self::View<'s>;

    /// Replays steps; a fault must occur at their end.
    fn replay_fault(
        &self,
        steps: &[Self::Step],
        fault: Fault,
        checks: Option<&Self::Checks>,
        budget: &mut ReplayBudget,
    ) -> Result<Trace, Halted>;

    /// Replays steps, and shows every state that a property can see.
    fn observe(
        &self,
        conditions: &[Self::Condition],
        steps: &[Self::Step],
        seen: Seen<'_>,
        audience: &mut dyn Audience,
    ) -> Result<(), Halted>;

    /// The text of a fault.
    fn fault_text(&self, fault: Fault, checks: Option<&Self::Checks>) -> FaultText;

    /// The statements that were not reached, given the locations that executors have reached.
    fn unreached(&self, reached: &[Vec<bool>]) -> Vec<StatementRef> {
        let _ = reached;
        Vec::new()
    }
}

/// The property for which a system is prepared.
pub struct ViewRequest<'a, S: System + ?Sized> {
    /// The goal of the search.
    pub target: Target<'a, S>,
    /// Whether to merge statements that are invisible to other processes.
    pub merge: bool,
    /// Whether to set dead variables to zero.
    pub dead: bool,
}

/// The goal of a search.
pub enum Target<'a, S: System + ?Sized> {
    /// Faults.
    Faults {
        /// The errors to check.
        checks: &'a S::Checks,
        /// All of them, not only the first.
        all: bool,
    },
    /// Runs that violate a property.
    Runs {
        /// The property.
        property: &'a RunProperty,
        /// Its atoms, in order.
        conditions: &'a [S::Condition],
        /// The fairness.
        fairness: Fairness,
        /// For how many processes fairness has marks, if the system can create more than it starts with.
        fair_processes: usize,
    },
}

/// A system, prepared for one property.
pub trait View {
    /// A step of a run.
    type Step;
    /// The executor whose paths are replayed.
    type Reference<'v>: Reference<Step = Self::Step>
    where
        Self: 'v;

    /// Runs a job with the chosen executor. If the model does not support it and the user did not insist, another one
    /// is used, which reports its name ([`Executor::name`]).
    fn with_executor<J: Job>(&self, wish: Option<Exec>, job: J) -> Result<J::Output, CheckError>;

    /// The reference executor.
    fn reference(&self) -> Self::Reference<'_>;
}

/// An executor of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exec {
    /// Machine code, compiled when the search starts.
    Jit,
    /// The reference interpreter.
    Interpreter,
    /// Both, in lockstep; the search stops where they differ.
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

    /// The executor with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Exec::ALL.into_iter().find(|exec| exec.name() == name)
    }
}

/// Generates the graph of a system. Each worker of a search has a clone.
pub trait Executor: Draw + Propositions + Clone + Send {
    /// Its name: `jit`, `interp`, `both` or `rust`.
    fn name(&self) -> &'static str;

    /// Ends long expansions, which are then incomplete, when the search is cancelled.
    fn stop_on(&mut self, cancel: Cancel);

    /// The memory limit of a single expansion.
    fn limit_memory(&mut self, bytes: usize);

    /// For each process type, the reached locations; `None` if that is not known.
    fn reached(&self) -> &[Vec<bool>] {
        &[]
    }

    /// The number of visited locations that are not compiled, so that the interpreter executes their steps.
    fn interpreted_locations(&self) -> Option<u64> {
        None
    }

    /// Whether a state was met in which a process can move for which fairness has no marks ([`Target::Runs`]). What that
    /// yields is incomplete.
    fn lacks_marks(&self) -> bool {
        false
    }

    /// The first difference of two executors.
    fn difference(&self) -> Option<String> {
        None
    }
}

/// The executor that turns labels into steps.
pub trait Reference: Executor {
    /// A step of a run.
    type Step;

    /// The steps with which a run enters an initial state: none, unless there are several and a replay must choose.
    fn steps_to_initial(&mut self, state: &[u32]) -> Vec<Self::Step> {
        let _ = state;
        Vec::new()
    }

    /// The steps of the edge of a state with a label.
    fn steps_of_edge(&mut self, state: &[u32], label: u32) -> Option<Vec<Self::Step>>;

    /// The steps of the edge that these dice draw.
    fn steps_of_drawn_edge(&mut self, state: &[u32], dice: &mut Dice) -> Option<Vec<Self::Step>>;
}

/// A job for any executor.
pub trait Job {
    /// Its result.
    type Output;

    /// Runs it.
    fn run<E: Executor>(self, executor: E) -> Self::Output;
}

/// The observable states of a run.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The property.
    pub property: &'a RunProperty,
    /// The fairness.
    pub fairness: Fairness,
    /// Whether merged statements are one step: between them a property automaton may take edges that lead nowhere.
    pub merged: bool,
}

/// Sees a run while it is replayed, one state at a time.
pub trait Audience {
    /// Whether it wants to see [`step`](Self::step)s.
    fn wants_steps(&self) -> bool;

    /// Sees a step, for people. The values of conditions are not filled in.
    fn step(&mut self, step: TraceStep) -> Result<(), Halted>;

    /// Sees a state, when it is known who moves next. The first one is seen in any case, and the last one is at the end of the
    /// run.
    fn state(&mut self, state: &ObservedState) -> Result<(), Halted>;

    /// What the replay may spend.
    fn budget(&mut self) -> &mut ReplayBudget;
}

/// A state of a run, between atomic sequences.
#[derive(Clone, Debug, Default)]
pub struct ObservedState {
    /// The number of the step that follows.
    pub step: usize,
    /// An identification of the state.
    pub words: Vec<u32>,
    /// The values of the atoms; `None` for one without a value.
    pub values: Vec<Option<bool>>,
    /// The enabled processes.
    pub enabled: Vec<u32>,
    /// The processes that move before the next observed state.
    pub movers: Vec<u32>,
    /// Whether a process is in an accepting state.
    pub accepting: bool,
}

/// A run that could not be replayed as a search returned it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError(pub String);

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a replay did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halted {
    /// The run does not go as it should.
    Failed(ReplayError),
    /// The budget is used up.
    Budget(Stop),
    /// The audience has seen enough.
    Enough,
}

impl From<ReplayError> for Halted {
    fn from(error: ReplayError) -> Self {
        Halted::Failed(error)
    }
}

impl std::fmt::Display for Halted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Halted::Failed(error) => write!(f, "{error}"),
            Halted::Budget(_) => f.write_str("there is not enough memory or time"),
            Halted::Enough => f.write_str("it was ended"),
        }
    }
}
