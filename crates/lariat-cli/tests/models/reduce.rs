//! The reductions against exact oracles.
//!
//! - Dead variables: the states of the reduced search are exactly the states of the full one with
//!   dead variables cleared, and the errors are the same.
//! - Statement merging: the states in which no process keeps control are the same, and so
//!   are the errors and the locations that are reached.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use lariat::LANGUAGES;
use lariat_check::model::seen_by_checks;
use lariat_front::Loaded;
use lariat_graph::{Expansion, StateSpace};
use lariat_ir::model::{LocationId, Model, ProcessId};
use lariat_ir::reduce::dead::{self, Masks};
use lariat_ir::reduce::{Options, reduced};
use lariat_ir::space::{Checks, ModelSpace};
use lariat_ir::state::State;
use lariat_testkit::files::{self, ModelFile};
use lariat_testkit::harness::empty;

/// Models with more states than this are left out.
const MAX_STATES: usize = 15_000;

pub const MERGE: Options = Options {
    merge: true,
    dead: false,
};
pub const DEAD: Options = Options {
    merge: false,
    dead: true,
};

pub type Words = Box<[u32]>;

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

/// The states in which no process is at one of these locations.
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
pub fn compare_safety(loaded: &Loaded, checks: &Checks, out: &mut String) -> Option<[usize; 2]> {
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

/// How many states merging and dead variables save.
fn saved(model: &ModelFile, out: &mut String) -> Result<Option<[usize; 2]>, String> {
    let mut loaded = model.load(&LANGUAGES)?;
    let mut checks = Checks::default();
    if let Some(text) = model.header.get("invariant") {
        let invariant = loaded.invariant(text);
        checks
            .invariants
            .push(invariant.map_err(|e| format!("{e:?}"))?);
    }
    Ok(compare_safety(&loaded, &checks, out))
}

pub fn test(model: &ModelFile) -> Result<(), String> {
    let mut out = String::new();
    let saved = saved(model, &mut out)?;
    let states = model
        .header
        .get("states")
        .and_then(|states| states.parse().ok());
    let is_small = states.map(|states: usize| states <= MAX_STATES);
    if is_small.is_some_and(|is_small| is_small != saved.is_some()) {
        let _ = writeln!(out, "compared: {}", saved.is_some());
    }
    empty(out)
}

/// The reductions save states.
pub fn at_work() -> Result<(), String> {
    let models = files::models(&LANGUAGES);
    let mut out = String::new();
    for (name, expected) in [
        ("examples/alternating_bit.pml", [356, 22]),
        ("examples/leader.pml", [320, 0]),
    ] {
        let model = models.iter().find(|model| model.name() == name);
        let found = saved(model.ok_or("no such model")?, &mut out)?;
        if found != Some(expected) {
            let _ = writeln!(out, "{name}: {found:?}");
        }
    }
    empty(out)
}
