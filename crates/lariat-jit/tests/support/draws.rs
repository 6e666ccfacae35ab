//! Random walks over a model, drawn by compiled code and by the interpreter with the same dice.

use lariat_graph::{AcceptingGraph, DRAWN, Draw, Expansion, StateSpace};
use lariat_ir::model::Model;
use lariat_ir::reduce::{Options, Visible, reduced};
use lariat_ir::space::STUTTER;
use lariat_stats::{Dice, stream};

use crate::walks::{Both, both, settings};

/// The seed of these tests.
pub const SEED: u64 = 8;

/// The number of drawn edges, and of those that the interpreter drew.
#[derive(Debug, Default)]
pub struct Drawn {
    /// All edges.
    pub edges: u64,
    /// Those of the interpreter.
    pub interpreted: u64,
}

/// Walks over a model with all settings, from several seeds.
pub fn wander(model: &Model, steps: u64, drawn: &mut Drawn) -> Result<(), String> {
    let reduced = reduced(model, Options::ALL, &Visible::default());
    for (number, (liveness, is_reduced)) in settings().into_iter().enumerate() {
        let model = if is_reduced { &reduced } else { model };
        let compile_after = if number % 2 == 1 { 3 } else { 0 };
        let (mut both, _) = both(model, liveness, compile_after)?;
        for seed in 0..3 {
            let edges = walk(&mut both, steps, seed);
            drawn.edges += edges.map_err(|e| format!("{liveness:?}, {is_reduced}: {e}"))?;
        }
        drawn.interpreted += both.second().interpreted();
    }
    Ok(())
}

/// Draws so many edges, one after another, from the initial state, and restarts where there is no successor.
pub fn walk(both: &mut Both, steps: u64, seed: u64) -> Result<u64, String> {
    let mut out = Expansion::with_marks(both.acceptance().words());
    both.initial(&mut out);
    let Some((first, _)) = out.edges().next() else {
        return Ok(0);
    };
    let first = first.to_vec();
    let mut state = first.clone();
    let mut dice = Dice::new(stream(SEED, "walk", seed).next_u64());
    let mut incomplete = false;
    for step in 0..steps {
        out.clear();
        both.draw(&state, &mut dice, &mut out);
        if let Some(difference) = both.difference() {
            return Err(difference.to_string());
        }
        incomplete |= out.is_incomplete();
        state.clear();
        match out.edges().next() {
            Some((target, label)) => {
                assert!(label == DRAWN || label == STUTTER);
                // More of these draws would test nothing new.
                let ends = label == STUTTER && step % 3 == 0;
                state.extend_from_slice(if ends { &first } else { target });
            }
            None => state.extend_from_slice(&first),
        }
        if incomplete {
            return Ok(step);
        }
    }
    match both.first().reached() == both.second().reached() {
        true => Ok(steps),
        false => Err("other locations were reached".to_string()),
    }
}
