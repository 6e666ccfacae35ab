//! Explores a model with compiled code and the interpreter in lockstep.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use lariat_graph::product::Propositions;
use lariat_graph::{AcceptingGraph, Expansion, StateSpace};
use lariat_ir::interpret::Cancel;
use lariat_ir::model::Model;
use lariat_ir::property::Invariant;
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace};
use lariat_jit::{CompiledSpace, Lockstep};

/// The settings of an exploration, and whether the model is reduced before.
pub fn settings() -> Vec<(Liveness, bool)> {
    let setting = |stutter, accept_labels, fairness| Liveness {
        stutter,
        accept_labels,
        fairness,
    };
    vec![
        (setting(false, false, Fairness::None), false),
        (setting(false, false, Fairness::None), true),
        (setting(true, true, Fairness::None), true),
        (setting(true, true, Fairness::Weak), false),
        (setting(true, false, Fairness::Strong), true),
    ]
}

/// The time limit of an exploration in seconds.
const TIME_LIMIT: u64 = 5;

/// The statistics of an exploration.
#[derive(Debug, Default)]
pub struct Walk {
    /// The number of states that were expanded.
    pub expanded: u64,
    /// The number of states that the interpreter expanded.
    pub interpreted: u64,
}

/// Expands up to `limit` states of a model with both executors; returns the difference, if there is one.
pub fn walk(model: &Model, liveness: Liveness, limit: usize) -> Result<Walk, String> {
    // Compiles at once, or after a number of interpreted steps.
    let compile_after = if liveness.accept_labels { 5 } else { 0 };
    walk_after(model, liveness, limit, compile_after)
}

/// Both state spaces of a model, side by side.
pub type Both<'m> = Lockstep<ModelSpace<'m>, CompiledSpace<'m>>;

/// Both state spaces of a model, and the number of atoms. A function is compiled when it was requested so many times.
pub fn both(
    model: &Model,
    liveness: Liveness,
    compile_after: u32,
) -> Result<(Both<'_>, u32), String> {
    let mut checks = Checks::default();
    let atoms: Vec<_> = (model.properties.iter())
        .flat_map(|property| property.atoms.clone())
        .collect();
    // Some conditions serve as invariants, so that these are compared as well.
    if liveness.fairness == Fairness::None && liveness.stutter {
        checks.assertions = false;
        checks.invariants = (atoms.iter().take(1))
            .map(|atom| Invariant {
                text: atom.text.clone(),
                condition: atom.condition.clone(),
                span: None,
            })
            .collect();
    }
    let compiled = CompiledSpace::new(model, checks.clone()).map_err(|e| e.to_string())?;
    let mut both = Lockstep::new(ModelSpace::new(model, checks), compiled);
    both.first_mut().watch(liveness, atoms.clone());
    both.second_mut().watch(liveness, atoms.clone()).unwrap();
    both.second_mut().compile_after(compile_after);
    let memory = 1 << 20;
    both.first_mut().limit_memory(memory);
    both.second_mut().limit_memory(memory);
    // Some atomic sequences do not end, for the interpreter either.
    let cancel = Cancel {
        deadline: Some(Instant::now() + Duration::from_secs(TIME_LIMIT)),
        ..Cancel::default()
    };
    both.first_mut().stop_on(cancel.clone());
    both.second_mut().stop_on(cancel);
    Ok((both, atoms.len() as u32))
}

fn walk_after(
    model: &Model,
    liveness: Liveness,
    limit: usize,
    compile_after: u32,
) -> Result<Walk, String> {
    let (mut both, atoms) = both(model, liveness, compile_after)?;
    let mut out = Expansion::with_marks(both.acceptance().words());
    let mut seen: HashSet<Box<[u32]>> = HashSet::new();
    let mut queue: VecDeque<Box<[u32]>> = VecDeque::new();
    both.initial(&mut out);
    let mut expanded = 0;
    loop {
        for (target, _) in out.edges() {
            if seen.len() < limit && seen.insert(target.into()) {
                queue.push_back(target.into());
            }
        }
        if let Some(difference) = both.difference() {
            return Err(difference.to_string());
        }
        let Some(state) = queue.pop_front() else {
            break;
        };
        both.set_state(&state);
        for atom in 0..atoms {
            let _ = both.holds(atom);
        }
        out.clear();
        // A clone must behave in the same way.
        if expanded == 3 {
            both = both.clone();
        }
        both.successors(&state, &mut out);
        expanded += 1;
        if out.is_incomplete() && both.difference().is_none() {
            break;
        }
    }
    if !out.is_incomplete() && both.first().reached() != both.second().reached() {
        return Err("other locations were reached".to_string());
    }
    Ok(Walk {
        expanded,
        interpreted: both.second().interpreted(),
    })
}
