//! The graph of a model as searches see it, without the types of the model.

use lariat_check::system::{Executor, Reference};
use lariat_graph::product::Propositions;
use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace};
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::interpret::Cancel;
use lariat_ir::space::STUTTER;
use lariat_stats::Dice;

use super::Step;

/// The graph of a model. The methods are those of the traits that [`Graph`] implements.
pub(crate) trait ErasedGraph: Send {
    /// A graph for another worker.
    fn clone_box<'b>(&self) -> Box<dyn ErasedGraph + 'b>
    where
        Self: 'b;

    /// One state for each check is enough; then expansions are incomplete, which ends the search.
    fn report_once(&mut self);

    fn initial(&mut self, out: &mut Expansion);

    fn successors(&mut self, state: &[u32], out: &mut Expansion);

    fn acceptance(&self) -> Acceptance;

    fn set_state(&mut self, state: &[u32]);

    /// Whether an atom holds in the state that was looked at.
    fn holds(&mut self, atom: u32) -> Option<bool>;

    fn stop_on(&mut self, cancel: Cancel);

    fn limit_memory(&mut self, bytes: usize);
}

/// The graph of a model, for one worker of a search.
pub(crate) struct Graph<'v>(Box<dyn ErasedGraph + 'v>);

impl<'v> Graph<'v> {
    pub(super) fn new(graph: Box<dyn ErasedGraph + 'v>) -> Self {
        Graph(graph)
    }

    pub(super) fn report_once(&mut self) {
        self.0.report_once();
    }
}

impl Clone for Graph<'_> {
    fn clone(&self) -> Self {
        Graph(self.0.clone_box())
    }
}

impl StateSpace for Graph<'_> {
    fn initial(&mut self, out: &mut Expansion) {
        self.0.initial(out);
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        self.0.successors(state, out);
    }
}

impl AcceptingGraph for Graph<'_> {
    fn acceptance(&self) -> Acceptance {
        self.0.acceptance()
    }
}

impl Draw for Graph<'_> {}

impl Propositions for Graph<'_> {
    fn set_state(&mut self, state: &[u32]) {
        self.0.set_state(state);
    }

    fn holds(&mut self, atom: u32) -> Result<bool, u32> {
        let undefined = Fault {
            kind: FaultKind::AtomUndefined,
            origin: atom,
        };
        self.0.holds(atom).ok_or(undefined.code())
    }
}

impl Executor for Graph<'_> {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn stop_on(&mut self, cancel: Cancel) {
        self.0.stop_on(cancel);
    }

    fn limit_memory(&mut self, bytes: usize) {
        self.0.limit_memory(bytes);
    }
}

impl Reference for Graph<'_> {
    type Step = Step;

    fn steps_to_initial(&mut self, state: &[u32]) -> Vec<Step> {
        let mut out = Expansion::new();
        self.0.initial(&mut out);
        let index = out.edges().position(|(words, _)| words == state);
        let step = index.map(|index| Step::Begin(index as u32));
        step.into_iter().collect()
    }

    fn steps_of_edge(&mut self, _: &[u32], label: u32) -> Option<Vec<Step>> {
        match label {
            STUTTER => Some(Vec::new()),
            label => Some(vec![Step::Action(label)]),
        }
    }

    fn steps_of_drawn_edge(&mut self, state: &[u32], dice: &mut Dice) -> Option<Vec<Step>> {
        let mut out = Expansion::new();
        self.draw(state, dice, &mut out);
        let (_, label) = out.edges().next()?;
        self.steps_of_edge(state, label)
    }
}
