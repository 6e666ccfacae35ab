//! What drives a search: who executes the model, how states are kept, how many threads there are, and
//! which reductions make the state space smaller.
//!
//! Two executors make the same graph out of a model: the reference interpreter and machine code. A
//! search knows neither; a [`Job`] is written for any [`Executor`] and runs with the one that was
//! chosen.

use std::borrow::Cow;

use lariat_graph::product::Propositions;
use lariat_graph::{AcceptingGraph, StateSpace};
use lariat_ir::interpret::Patience;
use lariat_ir::model::Model;
use lariat_ir::property::Atom;
use lariat_ir::reduce::{self, Visible};
use lariat_ir::space::{Checks, Liveness, ModelSpace};
use lariat_jit::{CompiledSpace, Lockstep};
use lariat_search::Budget;
pub use lariat_search::StoreKind;

/// What drives a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    /// What executes the model.
    pub exec: Exec,
    /// How states are kept.
    pub store: StoreKind,
    /// How many threads search, where the search has a use for several.
    pub workers: usize,
    /// A search for infinite runs begins with one worker and calls the others if it is not done after so
    /// many states: small models get the same counterexample each time, and no thread is started for them.
    pub alone: u64,
    /// Merge statements that only their process can notice.
    pub merge: bool,
    /// Set variables to zero whose values do not matter any more.
    pub dead: bool,
}

impl Default for Engine {
    fn default() -> Self {
        Engine {
            exec: Exec::default(),
            store: StoreKind::default(),
            workers: 1,
            alone: 10_000,
            merge: true,
            dead: true,
        }
    }
}

impl Engine {
    /// The model as it is searched, for a property that sees no more than `visible`.
    pub(crate) fn reduced<'m>(&self, model: &'m Model, visible: &Visible) -> Cow<'m, Model> {
        if !self.merge && !self.dead {
            return Cow::Borrowed(model);
        }
        let options = reduce::Options {
            merge: self.merge,
            dead: self.dead,
        };
        Cow::Owned(reduce::reduced(model, options, visible))
    }

    /// Without reductions: every state of the model is a state of the search.
    pub fn unreduced() -> Self {
        Engine {
            merge: false,
            dead: false,
            ..Engine::default()
        }
    }
}

/// What executes a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exec {
    /// Machine code, made when the search starts; where there is none, the interpreter.
    #[default]
    Jit,
    /// The reference interpreter.
    Interpreter,
    /// Both, side by side; the search stops where they differ.
    Both,
}

impl Exec {
    const ALL: [Exec; 3] = [Exec::Jit, Exec::Interpreter, Exec::Both];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Exec::Jit => "jit",
            Exec::Interpreter => "interp",
            Exec::Both => "both",
        }
    }

    /// The one with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Exec::ALL.into_iter().find(|e| e.word() == word)
    }
}

/// A state space that is made by executing a model. Each thread of a search has a clone.
pub(crate) trait Executor:
    StateSpace + AcceptingGraph + Propositions + Clone + Send
{
    /// See [`ModelSpace::watch`].
    fn watch(&mut self, liveness: Liveness, atoms: Vec<Atom>);
    /// See [`ModelSpace::stop_on`].
    fn stop_on(&mut self, patience: Patience);
    /// See [`ModelSpace::limit_memory`].
    fn limit_memory(&mut self, bytes: usize);
    /// See [`ModelSpace::reached`].
    fn reached(&self) -> &[Vec<bool>];
    /// Where two executors were found to differ.
    fn difference(&self) -> Option<String> {
        None
    }
}

/// Passes the methods of [`Executor`] on to those of the same name.
macro_rules! executor {
    ($space:ty) => {
        impl Executor for $space {
            fn watch(&mut self, liveness: Liveness, atoms: Vec<Atom>) {
                self.watch(liveness, atoms);
            }
            fn stop_on(&mut self, patience: Patience) {
                self.stop_on(patience);
            }
            fn limit_memory(&mut self, bytes: usize) {
                self.limit_memory(bytes);
            }
            fn reached(&self) -> &[Vec<bool>] {
                self.reached()
            }
        }
    };
}

executor!(ModelSpace<'_>);
executor!(CompiledSpace<'_>);

impl<A: Executor, B: Executor> Executor for Lockstep<A, B> {
    fn watch(&mut self, liveness: Liveness, atoms: Vec<Atom>) {
        self.first_mut().watch(liveness, atoms.clone());
        self.second_mut().watch(liveness, atoms);
    }

    fn stop_on(&mut self, patience: Patience) {
        self.first_mut().stop_on(patience.clone());
        self.second_mut().stop_on(patience);
    }

    fn limit_memory(&mut self, bytes: usize) {
        self.first_mut().limit_memory(bytes);
        self.second_mut().limit_memory(bytes);
    }

    fn reached(&self) -> &[Vec<bool>] {
        self.first().reached()
    }

    fn difference(&self) -> Option<String> {
        Lockstep::difference(self).map(|difference| difference.to_string())
    }
}

/// A single expansion may take this part of the memory.
const EXPANSION_SHARE: u64 = 8;

/// What a single expansion may take of a memory budget.
pub(crate) fn expansion_share(memory: u64) -> usize {
    (memory / EXPANSION_SHARE) as usize
}

/// Sees to it that no single expansion takes too much.
pub(crate) fn limit_expansions(executor: &mut impl Executor, budget: &Budget) {
    if let Some(memory) = budget.memory {
        executor.limit_memory(expansion_share(memory));
    }
}

/// Something that is done with an executor, whichever it is.
pub(crate) trait Job<'m> {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<E: Executor + 'm>(self, executor: E) -> Self::Output;
}

/// Does a job with the executor that was asked for.
pub(crate) fn with_executor<'m, J: Job<'m>>(
    exec: Exec,
    model: &'m Model,
    checks: Checks,
    job: J,
) -> J::Output {
    let interpreter = ModelSpace::new(model, checks.clone());
    if exec == Exec::Interpreter {
        return job.run(interpreter);
    }
    match (CompiledSpace::new(model, checks), exec) {
        (Ok(compiled), Exec::Both) => job.run(Lockstep::new(interpreter, compiled)),
        (Ok(compiled), _) => job.run(compiled),
        (Err(_), _) => job.run(interpreter),
    }
}

/// For each process type, which locations control has reached in one of these executors.
pub(crate) fn reached_by_any<'e>(
    reached: impl IntoIterator<Item = &'e [Vec<bool>]>,
) -> Vec<Vec<bool>> {
    let mut all: Vec<Vec<bool>> = Vec::new();
    for reached in reached {
        if all.is_empty() {
            all = reached.to_vec();
            continue;
        }
        for (all, reached) in all.iter_mut().flatten().zip(reached.iter().flatten()) {
            *all |= reached;
        }
    }
    all
}
