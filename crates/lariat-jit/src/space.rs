//! The state space of a model, expanded by compiled code.

use std::sync::Arc;

use lariat_graph::product::Propositions;
use lariat_graph::{Acceptance, AcceptingGraph, Draw, Expansion, StateSpace};
use lariat_ir::interpret::Cancel;
use lariat_ir::model::Model;
use lariat_ir::property::Atom;
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace};
use lariat_ir::well_formed::Malformed;
use lariat_stats::Dice;

use crate::fair::Fair;
use crate::machine::{Code, Unsupported};
use crate::runtime::{Outcome, Runtime};

/// The state space of a model, as [`ModelSpace`] defines it, but compiled.
///
/// Like the interpreter it accepts any words. Compiled code relies on what it reads, so it gets only states of the
/// model ([`lariat_ir::valid`]); other words have no edges, and their expansion is incomplete. On an accepted state
/// that no run of the model reaches, the two agree as long as constant global variables have their initial values.
pub struct CompiledSpace<'m> {
    runtime: Box<Runtime<'m>>,
    liveness: Liveness,
    /// Whether `set_state` was forwarded to the interpreter.
    looked: bool,
    marks: Vec<u64>,
    /// The number of states that the interpreter expanded or drew an edge of.
    interpreted: u64,
}

impl<'m> CompiledSpace<'m> {
    /// The state space of `model`, with the errors in `checks`. An error if the model or a condition of `checks` is
    /// malformed, or if this machine is not supported.
    pub fn new(model: &'m Model, checks: Checks) -> Result<Self, Unsupported> {
        model.validate()?;
        for invariant in &checks.invariants {
            model.validate_condition(&invariant.text, &invariant.condition)?;
        }
        let code = Arc::new(Code::new(model, checks.assertions)?);
        Ok(CompiledSpace {
            runtime: Runtime::new(code, ModelSpace::new(model, checks)),
            liveness: Liveness::default(),
            looked: false,
            marks: Vec::new(),
            interpreted: 0,
        })
    }

    /// See [`ModelSpace::fair_processes`].
    pub fn fair_processes(&mut self, processes: usize) {
        self.runtime.inner.fair_processes(processes);
    }

    /// See [`ModelSpace::lacks_marks`].
    pub fn lacks_marks(&self) -> bool {
        self.runtime.inner.lacks_marks()
    }

    /// Prepares it for a search for infinite runs, with these atoms of a property. Nothing is done if one of them is
    /// malformed.
    pub fn watch(&mut self, liveness: Liveness, atoms: Vec<Atom>) -> Result<(), Malformed> {
        let model = self.runtime.code().facts().model;
        for atom in &atoms {
            model.validate_condition(&atom.text, &atom.condition)?;
        }
        self.liveness = liveness;
        self.runtime.records_accepting = liveness.accept_labels;
        self.runtime.set_atoms(&atoms);
        self.runtime.inner.watch(liveness, atoms);
        let acceptance = self.acceptance();
        let accept = u32::from(liveness.accept_labels);
        self.runtime.fair = Fair::new(match liveness.fairness {
            Fairness::None => 0,
            Fairness::Weak => (acceptance.sets - accept) as usize,
            Fairness::Strong => acceptance.pairs as usize,
        });
        Ok(())
    }

    /// Compiles the steps of a location only when a process has been there so many times; until then the interpreter
    /// takes them.
    pub fn compile_after(&mut self, uses: u32) {
        self.runtime.code().compile_after(uses);
    }

    /// Ends long expansions when the search is cancelled; they are then incomplete.
    pub fn stop_on(&mut self, cancel: Cancel) {
        self.runtime.cancel = cancel.clone();
        self.runtime.code().stop_on(cancel.clone());
        self.runtime.inner.stop_on(cancel);
    }

    /// Limits the memory of a single expansion, and that of the code.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.runtime.code().limit_memory(bytes);
        self.runtime.memory = bytes;
        self.runtime.inner.limit_memory(bytes);
    }

    /// For each process type, the locations that were reached in all expansions so far.
    pub fn reached(&self) -> &[Vec<bool>] {
        self.runtime.reached()
    }

    /// The bytes of the machine code.
    pub fn code_bytes(&self) -> usize {
        self.runtime.code().bytes()
    }

    /// The number of states that the interpreter expanded, or drew an edge of, because of an error or because they
    /// are not compiled.
    pub fn interpreted(&self) -> u64 {
        self.interpreted
    }

    /// How many locations that were visited have no machine code: the interpreter executes their steps.
    pub fn interpreted_locations(&self) -> u64 {
        self.runtime.code().not_compiled()
    }

    /// Expands a state with the interpreter.
    fn interpret(&mut self, state: &[u32], out: &mut Expansion) {
        self.interpreted += 1;
        self.runtime.inner.successors(state, out);
        self.runtime.add_reached();
    }

    /// Draws an edge with the interpreter.
    #[cold]
    fn interpret_draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        self.interpreted += 1;
        self.runtime.inner.draw(state, dice, out);
        self.runtime.add_reached();
    }

    /// Sets the marks of the edges from `first` on, as [`lariat_ir::space`] defines them.
    fn mark(&mut self, first: usize, out: &mut Expansion) {
        if !self.mark_source(first, out) {
            return;
        }
        let mut edge = first;
        for (end, movers) in &self.runtime.fair.stretches {
            while edge < first + end {
                self.mark_movers(movers, out.marks_mut(edge));
                edge += 1;
            }
        }
    }

    /// Sets the marks of the drawn edge.
    fn mark_drawn(&mut self, edge: usize, out: &mut Expansion) {
        if self.mark_source(edge, out) && edge < out.len() {
            self.mark_movers(&self.runtime.fair.movers, out.marks_mut(edge));
        }
    }

    /// Sets the marks of the edges from `first` on that all edges of a state have; returns whether there are marks.
    fn mark_source(&mut self, first: usize, out: &mut Expansion) -> bool {
        if out.mark_words() == 0 {
            return false;
        }
        let acceptance = self.acceptance();
        if acceptance.words() == 0 {
            return false;
        }
        self.marks.clear();
        self.marks.resize(acceptance.words(), 0);
        let accept = usize::from(self.liveness.accept_labels);
        if self.liveness.accept_labels && self.runtime.is_accepting {
            self.marks[0] |= 1;
        }
        let fair = &self.runtime.fair;
        let strong = self.liveness.fairness == Fairness::Strong;
        for pid in 0..fair.processes {
            if is_set(&fair.enabled, pid) == strong {
                set_bit(&mut self.marks, accept + pid);
            }
        }
        for edge in first..out.len() {
            or_into(out.marks_mut(edge), &self.marks);
        }
        true
    }

    /// Adds the marks of the processes that move on an edge.
    fn mark_movers(&self, movers: &[u64], row: &mut [u64]) {
        let processes = self.runtime.fair.processes;
        let accept = usize::from(self.liveness.accept_labels);
        let moves = match self.liveness.fairness {
            Fairness::Strong => accept + processes,
            _ => accept,
        };
        for pid in (0..processes).filter(|&pid| is_set(movers, pid)) {
            set_bit(row, moves + pid);
        }
    }
}

fn is_set(row: &[u64], bit: usize) -> bool {
    row[bit / 64] >> (bit % 64) & 1 == 1
}

fn set_bit(row: &mut [u64], bit: usize) {
    if let Some(word) = row.get_mut(bit / 64) {
        *word |= 1 << (bit % 64);
    }
}

fn or_into(row: &mut [u64], other: &[u64]) {
    for (word, other) in row.iter_mut().zip(other) {
        *word |= other;
    }
}

impl StateSpace for CompiledSpace<'_> {
    fn initial(&mut self, out: &mut Expansion) {
        self.runtime.inner.initial(out);
        self.runtime.add_reached();
    }

    fn successors(&mut self, state: &[u32], out: &mut Expansion) {
        let first = out.len();
        match self.runtime.expand(state, out) {
            Outcome::Done => self.mark(first, out),
            Outcome::Left => self.interpret(state, out),
            Outcome::NoState => out.set_incomplete(),
        }
    }
}

impl AcceptingGraph for CompiledSpace<'_> {
    fn acceptance(&self) -> Acceptance {
        self.runtime.inner.acceptance()
    }
}

impl Draw for CompiledSpace<'_> {
    fn draw(&mut self, state: &[u32], dice: &mut Dice, out: &mut Expansion) {
        let first = out.len();
        let before = dice.clone();
        match self.runtime.draw(state, dice, out) {
            Outcome::Done => self.mark_drawn(first, out),
            Outcome::Left => {
                *dice = before;
                self.interpret_draw(state, dice, out);
            }
            Outcome::NoState => out.set_incomplete(),
        }
    }

    /// Called at most once for each state: compiling it would save nothing.
    fn equal_edges(&mut self, state: &[u32], out: &mut Expansion) -> Option<(usize, usize)> {
        self.runtime.inner.equal_edges(state, out)
    }
}

impl Propositions for CompiledSpace<'_> {
    fn set_state(&mut self, state: &[u32]) {
        self.runtime.set_state(state);
        self.looked = false;
    }

    fn holds(&mut self, atom: u32) -> Result<bool, u32> {
        if let Some(holds) = self.runtime.holds(atom as usize) {
            return Ok(holds);
        }
        if !self.looked {
            self.runtime.set_state_of_interpreter();
            self.looked = true;
        }
        self.runtime.inner.holds(atom)
    }
}

impl Clone for CompiledSpace<'_> {
    fn clone(&self) -> Self {
        CompiledSpace {
            runtime: self.runtime.twin(),
            liveness: self.liveness,
            looked: false,
            marks: Vec::new(),
            interpreted: self.interpreted,
        }
    }
}
