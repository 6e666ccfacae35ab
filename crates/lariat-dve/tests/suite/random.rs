//! Random systems: the state space of the lowered model against a naive interpreter of the text.
//!
//! Both are walked together, breadth first. In every state the successors must be the same, as a
//! multiset; so must be whether no process can move, the assertions that fail, and the kinds of faults.
//! In every fourth system values that do not fit are cut. `LARIAT_RANDOM_PROGRAMS` sets the number of systems, `LARIAT_RANDOM_SEED` the first seed; a
//! failure prints the seed and the text of its system.

use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::naive::{self, Naive, State};
use lariat_dve::ast::System;
use lariat_dve::{LowerOptions, Lowered};
use lariat_graph::{Expansion, StateSpace};
use lariat_ir::expr::Expr;
use lariat_ir::fault::{Fault, FaultKind};
use lariat_ir::source::SourceMap;
use lariat_ir::space::{Checks, ModelSpace};
use lariat_ir::state::State as Packed;
use lariat_testkit::number;

/// A state space that is larger is only looked at so far.
const MOST_STATES: usize = 3000;

/// Reads the states of a lowered model with expressions over its variables.
struct Reader<'m> {
    lowered: &'m Lowered,
    /// The elements of each variable of the naive interpreter.
    elements: Vec<Vec<Expr>>,
    packed: Packed,
}

impl<'m> Reader<'m> {
    fn new(lowered: &'m Lowered, naive: &Naive) -> Self {
        let element = |owner: Option<usize>, name: &str, index: Option<usize>| {
            let process = owner.map_or(String::new(), |p| {
                format!("{}->", naive.processes[p].name.name)
            });
            let index = index.map_or(String::new(), |i| format!("[{i}]"));
            let text = format!("{process}{name}{index}");
            let mut sources = SourceMap::default();
            let tree = lariat_dve::parse_part(&mut sources, "reader", &text, 0..text.len());
            lowered.expression(&tree.expect(&text)).expect(&text)
        };
        let initial = naive.initial();
        let elements = naive
            .variables
            .iter()
            .zip(&initial.values)
            .map(|(v, values)| {
                let indices = (0..values.len()).map(|i| v.is_array.then_some(i));
                indices.map(|i| element(v.owner, v.name, i)).collect()
            });
        Reader {
            lowered,
            elements: elements.collect(),
            packed: Packed::default(),
        }
    }

    fn read(&mut self, space: &ModelSpace, words: &[u32]) -> State {
        let model = &self.lowered.model;
        self.packed.load(model, words);
        let state = &self.packed;
        let value = |e: &Expr| space.interpreter().eval_global(state, e).expect("a value");
        let places = (0..state.process_count()).map(|pid| {
            let process = &model.processes[state.process_type(pid)];
            process.locations[state.location(pid) as usize].number as usize
        });
        let queues = (0..state.channel_count()).map(|channel| {
            let ty = &model.channels[state.channel_type(channel)];
            let message = |slot| {
                let fields = 0..ty.fields.len();
                fields.map(|f| state.field(channel, ty, slot, f)).collect()
            };
            (0..state.channel_length(channel)).map(message).collect()
        });
        State {
            places: places.collect(),
            values: self
                .elements
                .iter()
                .map(|elements| elements.iter().map(value).collect())
                .collect(),
            queues: queues.collect(),
        }
    }
}

/// What can be seen from one state.
#[derive(Debug, PartialEq, Eq)]
struct View {
    /// The successors, in order.
    successors: Vec<State>,
    faults: BTreeSet<naive::Fault>,
    failed_assertions: usize,
    is_deadlock: bool,
}

fn naive_view(naive: &Naive, state: &State) -> View {
    let steps = naive.steps(state);
    let is_deadlock = steps.is_empty();
    let mut successors = Vec::new();
    let mut faults = BTreeSet::new();
    for step in steps {
        match step {
            Ok(next) => successors.push(next),
            Err(fault) => {
                faults.insert(fault);
            }
        }
    }
    successors.sort();
    View {
        successors,
        faults,
        failed_assertions: naive.failed_assertions(state),
        is_deadlock,
    }
}

/// The same of the lowered model, with the packed successors beside it.
fn model_view(
    space: &mut ModelSpace,
    reader: &mut Reader,
    words: &[u32],
) -> (View, Vec<(State, Vec<u32>)>) {
    let mut out = Expansion::new();
    space.successors(words, &mut out);
    let edges: Vec<(State, Vec<u32>)> = out
        .edges()
        .map(|(target, _)| (reader.read(space, target), target.to_vec()))
        .collect();
    let mut successors: Vec<State> = edges.iter().map(|(state, _)| state.clone()).collect();
    successors.sort();
    let mut view = View {
        successors,
        faults: BTreeSet::new(),
        failed_assertions: 0,
        is_deadlock: false,
    };
    for fault in out.faults() {
        let known = match Fault::from_code(fault.code).kind {
            FaultKind::InvalidEndState => {
                view.is_deadlock = true;
                continue;
            }
            FaultKind::Invariant => {
                view.failed_assertions += 1;
                continue;
            }
            FaultKind::IndexOutOfRange => naive::Fault::Index,
            FaultKind::DivisionByZero => naive::Fault::Division,
            FaultKind::ValueOutOfRange => naive::Fault::Range,
            FaultKind::WriteConflict => naive::Fault::Conflict,
            other => panic!("{other:?} cannot happen in DVE"),
        };
        view.faults.insert(known);
    }
    (view, edges)
}

/// Walks both together and returns the number of states that were compared.
fn compare(system: &System, lowered: &Lowered, wrap: bool) -> Result<usize, String> {
    let naive = Naive::new(system, wrap);
    let checks = Checks {
        invariants: lowered.model.invariants.clone(),
        ..Checks::default()
    };
    let mut space = ModelSpace::new(&lowered.model, checks);
    let mut reader = Reader::new(lowered, &naive);
    let mut out = Expansion::new();
    space.initial(&mut out);
    let (words, _) = out.edges().next().ok_or("there is no initial state")?;
    let initial = reader.read(&space, words);
    if initial != naive.initial() {
        return Err(format!(
            "initial states: {initial:?}, not {:?}",
            naive.initial()
        ));
    }
    // Packed states must be different if and only if plain states are.
    let mut known: HashMap<State, Vec<u32>> = HashMap::from([(initial.clone(), words.to_vec())]);
    let mut queue = VecDeque::from([initial]);
    let mut compared = 0;
    while let Some(state) = queue.pop_front() {
        let expected = naive_view(&naive, &state);
        let (actual, edges) = model_view(&mut space, &mut reader, &known[&state]);
        if expected != actual {
            return Err(format!("in {state:?}\n{actual:?}, not\n{expected:?}"));
        }
        compared += 1;
        for (next, words) in edges {
            match known.get(&next) {
                Some(before) if *before != words => {
                    return Err(format!("{next:?} is packed as {before:?} and {words:?}"));
                }
                Some(_) => {}
                None if known.len() < MOST_STATES => {
                    queue.push_back(next.clone());
                    known.insert(next, words);
                }
                None => {}
            }
        }
    }
    Ok(compared)
}

/// The result for a system, whose values are cut or must fit.
fn try_system(text: &str, wrap: bool) -> Result<usize, String> {
    let mut sources = SourceMap::default();
    let parse = lariat_dve::parse(&mut sources, "random.dve", text.into());
    let mut diagnostics = parse.diagnostics;
    let options = LowerOptions { wrap };
    match lariat_dve::lower(&parse.system, sources, options, &mut diagnostics) {
        Ok(lowered) => compare(&parse.system, &lowered, wrap),
        Err(_) => Err(format!("rejected: {diagnostics:?}")),
    }
}

#[test]
fn lowered_models_have_the_state_spaces_of_their_texts() {
    let first = number("LARIAT_RANDOM_SEED", 1);
    let programs = number("LARIAT_RANDOM_PROGRAMS", 300);
    let mut compared = 0;
    for seed in first..first + programs {
        let mut rng = lariat_stats::stream(seed, "random DVE system", 0);
        let text = lariat_testkit::dve::system_from(&mut |bound| rng.below(bound));
        match try_system(&text, seed.is_multiple_of(4)) {
            Ok(states) => compared += states,
            Err(difference) => panic!("seed {seed}\n{text}\n{difference}"),
        }
    }
    println!("{programs} systems from seed {first}: {compared} states compared");
    assert!(compared as u64 > 5 * programs, "the systems are too small");
}
