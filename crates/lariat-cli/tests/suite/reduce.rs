//! The reductions against exact oracles, on every model of the project and on random programs.
//!
//! - Dead variables: the states of the reduced search are exactly the states of the full one with
//!   dead variables cleared, and the errors are the same.
//! - Statement merging: the states in which nobody stands where control is kept are the same, and so
//!   are the errors and the locations that are reached.
//! - Both: properties of runs have the same verdicts, with every kind of fairness. The verdict is found
//!   here by the simplest means, from the strongly connected components of the whole product.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use lariat::LANGUAGES;
use lariat_check::model::{seen_by_checks, seen_by_property};
use lariat_check::properties::{self, ModelProperty};
use lariat_check::run_property::RunProperty;
use lariat_front::Loaded;
use lariat_graph::product::Product;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};
use lariat_ir::model::{LocationId, Model, ProcessId};
use lariat_ir::property::Atom;
use lariat_ir::reduce::dead::{self, Masks};
use lariat_ir::reduce::{Options, reduced};
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace};
use lariat_ir::state::State;
use lariat_ir::types::Type;
use lariat_ltl::automaton::Limits;

use crate::common;
use crate::reduce_random;

/// Models with more states than this are left out.
const MAX_STATES: usize = 15_000;
/// Products with more states than this are left out.
const MAX_PRODUCT: usize = 1_500;

const MERGE: Options = Options {
    merge: true,
    dead: false,
};
const DEAD: Options = Options {
    merge: false,
    dead: true,
};

type Words = Box<[u32]>;

/// What a search finds.
struct Explored {
    states: HashSet<Words>,
    faults: BTreeSet<u32>,
    reached: Vec<Vec<bool>>,
}

/// All states of a model; `None` if there are too many.
fn explore(model: &Model, checks: &Checks) -> Option<Explored> {
    let mut space = ModelSpace::new(model, checks.clone());
    let mut states = HashSet::new();
    let mut faults = BTreeSet::new();
    let mut todo: Vec<Words> = Vec::new();
    let mut out = Expansion::new();
    space.initial(&mut out);
    loop {
        faults.extend(out.faults().iter().map(|f| f.code));
        for (target, _) in out.edges() {
            if !states.contains(target) {
                states.insert(target.into());
                todo.push(target.into());
            }
        }
        if states.len() > MAX_STATES || out.is_incomplete() {
            return None;
        }
        let Some(state) = todo.pop() else { break };
        out.clear();
        space.successors(&state, &mut out);
    }
    Some(Explored {
        states,
        faults,
        reached: space.reached().to_vec(),
    })
}

/// A state with its dead variables cleared.
fn clear(model: &Model, masks: &[Masks], words: &[u32]) -> Words {
    let mut state = State::default();
    state.load(model, words);
    for pid in 0..state.process_count() {
        let frame = state.frame_bit(pid);
        for &(word, mask) in &masks[state.process_type(pid)][state.location(pid) as usize] {
            state.clear_bits(frame + 32 * word, mask);
        }
    }
    state.words().into()
}

/// The locations at which a process keeps control.
fn passed(model: &Model) -> HashSet<(ProcessId, LocationId)> {
    let mut passed = HashSet::new();
    for (own, process) in model.processes.iter().enumerate() {
        let merged = process.transitions.iter().filter(|t| t.merged);
        passed.extend(merged.map(|t| (own, t.target)));
    }
    passed
}

/// The states in which nobody stands at one of these locations.
fn visible_states<'a>(
    model: &Model,
    passed: &HashSet<(ProcessId, LocationId)>,
    states: &'a HashSet<Words>,
) -> HashSet<&'a Words> {
    let mut state = State::default();
    let mut is_visible = |words: &&Words| {
        state.load(model, words);
        let mut at = (0..state.process_count()).map(|p| (state.process_type(p), state.location(p)));
        !at.any(|at| passed.contains(&at))
    };
    states.iter().filter(|w| is_visible(w)).collect()
}

/// Compares searches for errors; what differs is written to `out`. Answers how many states were saved
/// by each reduction.
fn compare_safety(loaded: &Loaded, checks: &Checks, out: &mut String) -> Option<[usize; 2]> {
    let model = loaded.model();
    let visible = seen_by_checks(checks, true);
    let full = explore(model, checks)?;
    let dead_model = reduced(model, DEAD, &visible);
    let dead = explore(&dead_model, checks)?;
    let masks = dead::masks(model, &visible);
    let cleared: HashSet<Words> = full
        .states
        .iter()
        .map(|s| clear(model, &masks, s))
        .collect();
    if cleared != dead.states {
        let (expected, found) = (cleared.len(), dead.states.len());
        let _ = writeln!(out, "  dead: {found} states, expected {expected}");
    }
    let merged_model = reduced(model, MERGE, &visible);
    let merged = explore(&merged_model, checks)?;
    let passed = passed(&merged_model);
    let [all, kept] = [&full.states, &merged.states].map(|s| visible_states(model, &passed, s));
    if all != kept {
        let (expected, found) = (all.len(), kept.len());
        let _ = writeln!(out, "  merged: {found} states at rest, expected {expected}");
    }
    if !merged.states.is_subset(&full.states) {
        let _ = writeln!(out, "  merged: states that are not there");
    }
    let both = explore(&reduced(model, Options::ALL, &visible), checks)?;
    let of_merged: HashSet<Words> = merged
        .states
        .iter()
        .map(|s| clear(model, &masks, s))
        .collect();
    if both.states != of_merged {
        let (expected, found) = (of_merged.len(), both.states.len());
        let _ = writeln!(out, "  both: {found} states, expected {expected}");
    }
    for (way, explored) in [("dead", &dead), ("merged", &merged), ("both", &both)] {
        if explored.faults != full.faults {
            let _ = writeln!(out, "  {way}: other errors");
        }
        if explored.reached != full.reached {
            let _ = writeln!(out, "  {way}: other locations are reached");
        }
    }
    // Where one error is enough, more may be merged.
    let visible = seen_by_checks(checks, false);
    let first = explore(&reduced(model, Options::ALL, &visible), checks)?;
    if first.faults.is_empty() != full.faults.is_empty() {
        let _ = writeln!(out, "  both, one error: other verdict");
    }
    Some([
        full.states.len() - merged.states.len(),
        full.states.len() - dead.states.len(),
    ])
}

/// A product, written down.
struct Graph {
    acceptance: Acceptance,
    /// Targets and marks of the edges of each state.
    edges: Vec<Vec<(usize, Vec<u64>)>>,
    has_fault: bool,
}

fn product(
    model: &Model,
    (property, conditions): &ModelProperty,
    fairness: Fairness,
) -> Option<Graph> {
    let automaton = property.automaton(true, &Limits::default()).ok()?;
    let checks = Checks {
        end_states: false,
        assertions: false,
        invariants: Vec::new(),
    };
    let mut space = ModelSpace::new(model, checks);
    let liveness = Liveness {
        stutter: automaton.stutter,
        accept_labels: automaton.accept_labels,
        fairness,
    };
    let atoms = property.atoms.iter().zip(conditions);
    let atoms = atoms.map(|(text, condition)| Atom {
        text: text.clone(),
        condition: condition.clone(),
    });
    space.watch(liveness, atoms.collect());
    let labels = automaton.accept_labels;
    let mut product = Product::new(space, automaton.automaton, automaton.entry_faults, labels);
    let acceptance = product.acceptance();
    let mut graph = Graph {
        acceptance,
        edges: Vec::new(),
        has_fault: false,
    };
    let mut numbers: HashMap<Words, usize> = HashMap::new();
    let mut states: Vec<Words> = Vec::new();
    let mut out = Expansion::with_marks(acceptance.words());
    product.initial(&mut out);
    let mut next = 0;
    loop {
        graph.has_fault |= !out.faults().is_empty();
        let mut edges = Vec::new();
        for index in 0..out.len() {
            let target = out.edge(index).0;
            let number = *numbers.entry(target.into()).or_insert_with(|| {
                states.push(target.into());
                states.len() - 1
            });
            edges.push((number, out.marks(index).to_vec()));
        }
        if next > 0 {
            graph.edges.push(edges);
        }
        if states.len() > MAX_PRODUCT || out.is_incomplete() {
            return None;
        }
        let Some(state) = states.get(next) else { break };
        next += 1;
        out.clear();
        product.successors(&state.clone(), &mut out);
    }
    Some(graph)
}

impl Graph {
    /// Whether there is a fault or an accepted run.
    fn is_violated(&self) -> bool {
        self.has_fault || self.has_accepted_cycle()
    }

    /// Looks for a component whose edges are accepted together. Where a request is not granted, the
    /// component is taken apart without the edges that make it.
    fn has_accepted_cycle(&self) -> bool {
        let all: Vec<usize> = (0..self.edges.len()).collect();
        let mut todo = vec![(all, Vec::new())];
        while let Some((states, removed)) = todo.pop() {
            for component in self.components(&states, &removed) {
                let inside: HashSet<usize> = component.iter().copied().collect();
                let mut marks = vec![0; self.acceptance.words()];
                let mut has_edge = false;
                for (target, edge) in component.iter().flat_map(|&s| &self.edges[s]) {
                    if inside.contains(target) && !self.is_removed(edge, &removed) {
                        has_edge = true;
                        marks.iter_mut().zip(edge).for_each(|(m, e)| *m |= e);
                    }
                }
                if !has_edge || !self.acceptance.has_all_sets(&marks) {
                    continue;
                }
                let open: Vec<u32> = self.acceptance.open_pairs(&marks).collect();
                if open.is_empty() {
                    return true;
                }
                todo.push((component, [&removed[..], &open[..]].concat()));
            }
        }
        false
    }

    /// Whether an edge makes one of these requests.
    fn is_removed(&self, marks: &[u64], pairs: &[u32]) -> bool {
        pairs.iter().any(|&pair| {
            let bit = self.acceptance.request_bit(pair);
            marks[bit / 64] >> (bit % 64) & 1 == 1
        })
    }

    /// Strongly connected components (S. R. Kosaraju): a walk forwards gives an order, walks
    /// backwards in that order give the components.
    fn components(&self, states: &[usize], removed: &[u32]) -> Vec<Vec<usize>> {
        let inside: HashSet<usize> = states.iter().copied().collect();
        let mut back: HashMap<usize, Vec<usize>> = HashMap::new();
        let targets = |state: usize| {
            self.edges[state]
                .iter()
                .filter(|(t, m)| inside.contains(t) && !self.is_removed(m, removed))
                .map(|(t, _)| *t)
        };
        let mut order = Vec::new();
        let mut seen = HashSet::new();
        for &start in states {
            let mut path = vec![(start, false)];
            while let Some((state, done)) = path.pop() {
                if done {
                    order.push(state);
                } else if seen.insert(state) {
                    path.push((state, true));
                    for target in targets(state) {
                        back.entry(target).or_default().push(state);
                        path.push((target, false));
                    }
                }
            }
        }
        let mut components = Vec::new();
        let mut taken = HashSet::new();
        for &start in order.iter().rev() {
            let mut component = Vec::new();
            let mut todo = vec![start];
            while let Some(state) = todo.pop() {
                if taken.insert(state) {
                    component.push(state);
                    todo.extend(back.get(&state).into_iter().flatten());
                }
            }
            if !component.is_empty() {
                components.push(component);
            }
        }
        components
    }
}

/// The properties of a model, those in its header, and some that speak of its variables.
fn properties_of(loaded: &mut Loaded, header: &[(String, String)]) -> Vec<ModelProperty> {
    let of_model = properties::of_model(loaded).filter_map(Result::ok);
    let mut all: Vec<ModelProperty> = of_model.collect();
    if loaded.model().has_accept_labels() {
        all.push((RunProperty::acceptance(), Vec::new()));
    }
    if loaded.model().has_progress_labels() {
        all.push(RunProperty::non_progress());
    }
    let mut texts: Vec<String> = Vec::new();
    for (_, line) in header.iter().filter(|(key, _)| key == "check") {
        if let Some((_, rest)) = line.split_once("--formula '") {
            texts.extend(rest.split('\'').next().map(String::from));
        }
    }
    let globals = &loaded.model().globals.variables;
    let scalars: Vec<&str> = globals
        .iter()
        .filter(|v| !v.internal && matches!(v.ty, Type::Scalar(_)))
        .map(|v| v.name.as_str())
        .collect();
    if let Some(x) = scalars.first() {
        let y = scalars[scalars.len() - 1];
        texts.push(format!("[]<> ({x} == 0)"));
        texts.push(format!("<>[] ({x} != 0)"));
        texts.push(format!("({x} == 0) U ({y} != 0)"));
        texts.push(format!("[] (({y} != 0) -> X ({x} != 1))"));
    }
    for text in texts {
        all.extend(properties::formula(loaded, &text).ok());
    }
    all
}

/// Compares the verdicts of a property; answers how many comparisons were made.
fn compare_runs(loaded: &Loaded, property: &ModelProperty, out: &mut String) -> usize {
    let mut compared = 0;
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        let Some(full) = product(loaded.model(), property, fairness) else {
            continue;
        };
        let expected = full.is_violated();
        let visible = seen_by_property(&property.0, &property.1, fairness);
        for options in [MERGE, DEAD, Options::ALL] {
            let model = reduced(loaded.model(), options, &visible);
            let Some(graph) = product(&model, property, fairness) else {
                let _ = writeln!(out, "  {}: {options:?}: more states", property.0.title());
                continue;
            };
            compared += 1;
            if graph.is_violated() != expected {
                let _ = writeln!(
                    out,
                    "  {} ({}): {options:?}: violated: {}, expected {expected}",
                    property.0.title(),
                    fairness.word(),
                    !expected,
                );
            }
        }
    }
    compared
}

#[test]
fn models_keep_their_states_and_errors() {
    let (mut failures, mut compared, mut saved) = (String::new(), 0, [0, 0]);
    for path in common::all_models() {
        let header = common::facts(&path);
        let value = |key: &str| header.iter().find(|(k, _)| k == key).map(|(_, v)| v);
        let args = value("args").map_or("", String::as_str);
        let Ok(mut loaded) = LANGUAGES.load(&path, &common::load_options(args)) else {
            continue;
        };
        let mut checks = Checks::default();
        if let Some(text) = value("invariant") {
            checks.invariants.extend(loaded.invariant(text).ok());
        }
        let mut out = String::new();
        if let Some(counts) = compare_safety(&loaded, &checks, &mut out) {
            compared += 1;
            saved.iter_mut().zip(counts).for_each(|(s, c)| *s += c);
        }
        if !out.is_empty() {
            let _ = writeln!(failures, "{}\n{out}", path.display());
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(compared >= 300, "only {compared} models compared");
    // The reductions must be at work.
    assert!(saved[0] > 5000 && saved[1] > 500, "{saved:?}");
}

#[test]
fn models_keep_the_verdicts_of_their_properties() {
    let (mut failures, mut compared) = (String::new(), 0);
    for path in common::all_models() {
        let header = common::facts(&path);
        let args = header.iter().find(|(k, _)| k == "args");
        let options = common::load_options(args.map_or("", |(_, v)| v));
        let Ok(mut loaded) = LANGUAGES.load(&path, &options) else {
            continue;
        };
        let mut out = String::new();
        for property in properties_of(&mut loaded, &header) {
            compared += compare_runs(&loaded, &property, &mut out);
        }
        if !out.is_empty() {
            let _ = writeln!(failures, "{}\n{out}", path.display());
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(compared >= 3000, "only {compared} comparisons");
}

#[test]
fn random_programs_keep_everything() {
    let (mut failures, mut compared, mut saved) = (String::new(), 0, [0, 0]);
    for seed in 0..reduce_random::PROGRAMS {
        let (text, formulas) = reduce_random::program(seed);
        let mut loaded = match LANGUAGES.load_text("random.pml", text.clone(), &Default::default())
        {
            Ok(loaded) => loaded,
            Err(error) => panic!("seed {seed}: {:?}\n{text}", error.diagnostics),
        };
        let mut out = String::new();
        if let Some(counts) = compare_safety(&loaded, &Checks::default(), &mut out) {
            compared += 1;
            saved.iter_mut().zip(counts).for_each(|(s, c)| *s += c);
            let formulas = formulas.iter().map(|f| properties::formula(&mut loaded, f));
            let mut asked: Vec<ModelProperty> = formulas.filter_map(Result::ok).collect();
            assert_eq!(asked.len(), 3, "seed {seed}\n{text}");
            asked.extend(properties_of(&mut loaded, &[]));
            for property in asked {
                compare_runs(&loaded, &property, &mut out);
            }
        }
        if !out.is_empty() {
            let _ = writeln!(failures, "seed {seed}\n{out}\n{text}");
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(
        compared >= reduce_random::PROGRAMS as usize / 2,
        "{compared}"
    );
    assert!(saved[0] > 0 && saved[1] > 0, "{saved:?}");
}
