//! Properties of runs have the same verdicts in reduced models, with every kind of fairness. The verdict is found here by
//! the simplest means, from the strongly connected components of the whole product.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use lariat::LANGUAGES;
use lariat_check::model::seen_by_property;
use lariat_check::properties::{self, ModelProperty};
use lariat_check::run_property::RunProperty;
use lariat_front::Loaded;
use lariat_graph::product::Product;
use lariat_graph::{Acceptance, AcceptingGraph, Expansion, StateSpace};
use lariat_ir::model::Model;
use lariat_ir::property::Atom;
use lariat_ir::reduce::{Options, reduced};
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace};
use lariat_ir::types::Type;
use lariat_ltl::automaton::Limits;
use lariat_testkit::files::ModelFile;
use lariat_testkit::harness::{Test, empty};
use lariat_testkit::header::Header;
use lariat_testkit::promela::small;
use lariat_testkit::property::Property;

use crate::reduce::{DEAD, MERGE, Words, compare_safety};

/// Products with more states than this are left out.
const MAX_PRODUCT: usize = 1_500;

/// A product, written down.
struct Graph {
    acceptance: Acceptance,
    /// Targets and marks of the edges of each state.
    edges: Vec<Vec<(usize, Vec<u64>)>>,
    has_fault: bool,
}

/// The whole product; nothing if it has too many states.
fn product(
    model: &Model,
    (property, conditions): &ModelProperty,
    fairness: Fairness,
) -> Result<Option<Graph>, String> {
    let automaton = property.automaton(true, &Limits::default());
    let automaton = automaton.map_err(|error| format!("{}: {error:?}", property.title()))?;
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
            return Ok(None);
        }
        let Some(state) = states.get(next) else { break };
        next += 1;
        out.clear();
        product.successors(&state.clone(), &mut out);
    }
    Ok(Some(graph))
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

fn property(loaded: &mut Loaded, formula: &str) -> Result<ModelProperty, String> {
    let property = properties::formula(loaded, formula);
    property.map_err(|error| format!("{formula}: {:?}", error.diagnostics))
}

/// The properties of a model, those in its header, and some that speak of its variables.
fn properties_of(loaded: &mut Loaded, header: &Header) -> Result<Vec<ModelProperty>, String> {
    let of_model: Result<Vec<ModelProperty>, _> = properties::of_model(loaded).collect();
    let mut all = of_model.map_err(|error| format!("{error:?}"))?;
    if loaded.model().has_accept_labels() {
        all.push((RunProperty::acceptance(), Vec::new()));
    }
    if loaded.model().has_progress_labels() {
        all.push(RunProperty::non_progress());
    }
    let lines = header.expectations()?.into_iter();
    let mut texts: Vec<String> = lines
        .filter_map(|line| match line.check.property {
            Property::Formula(text) => Some(text),
            _ => None,
        })
        .collect();
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
        all.push(property(loaded, &text)?);
    }
    Ok(all)
}

/// Compares the verdicts of a property.
fn compare_runs(loaded: &Loaded, property: &ModelProperty, out: &mut String) -> Result<(), String> {
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        let Some(full) = product(loaded.model(), property, fairness)? else {
            continue;
        };
        let expected = full.is_violated();
        let visible = seen_by_property(&property.0, &property.1, fairness);
        for options in [MERGE, DEAD, Options::ALL] {
            let model = reduced(loaded.model(), options, &visible);
            let Some(graph) = product(&model, property, fairness)? else {
                let _ = writeln!(out, "  {}: {options:?}: more states", property.0.title());
                continue;
            };
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
    Ok(())
}

pub fn test(model: &ModelFile) -> Result<(), String> {
    let mut loaded = model.load(&LANGUAGES)?;
    let mut out = String::new();
    for property in properties_of(&mut loaded, &model.header)? {
        compare_runs(&loaded, &property, &mut out)?;
    }
    empty(out)
}

/// One test for each random program.
pub fn random_programs() -> impl Iterator<Item = Test> {
    let test = |seed| {
        Test::new(format!("random_program_{seed}::reduced"), move || {
            random(seed)
        })
    };
    (0..small::PROGRAMS).map(test)
}

fn random(seed: u64) -> Result<(), String> {
    let (text, formulas) = small::program(seed);
    let loaded = LANGUAGES.load_text("random.pml", text.clone(), &Default::default());
    let mut loaded = loaded.map_err(|error| format!("{:?}\n{text}", error.diagnostics))?;
    let mut out = String::new();
    if compare_safety(&loaded, &Checks::default(), &mut out).is_none() {
        out += "too many states\n";
    }
    let mut asked = properties_of(&mut loaded, &Header::default())?;
    for formula in &formulas {
        asked.push(property(&mut loaded, formula)?);
    }
    for property in asked {
        compare_runs(&loaded, &property, &mut out)?;
    }
    match out.is_empty() {
        true => Ok(()),
        false => Err(format!("{out}\n{text}")),
    }
}
