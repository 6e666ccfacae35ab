//! The time of an expansion, compiled and interpreted:
//! `cargo run --release -p lariat-jit --example measure -- model.pml... [--states n] [--reduce]`

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use lariat::LANGUAGES;
use lariat_front::LoadOptions;
use lariat_graph::{Expansion, StateSpace};
use lariat_ir::reduce::{Options, Visible};
use lariat_ir::space::{Checks, ModelSpace};
use lariat_jit::CompiledSpace;

fn main() {
    let mut limit = 100_000;
    let mut reduce = false;
    let mut arguments = std::env::args().skip(1);
    let mut files = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--states" => {
                limit = arguments
                    .next()
                    .and_then(|n| n.parse().ok())
                    .unwrap_or(limit)
            }
            "--reduce" => reduce = true,
            _ => files.push(argument),
        }
    }
    println!(
        "start-up    states edges/state words  interpreted    compiled    per edge  by interpreter  model"
    );
    for file in files {
        measure(&file, limit, reduce);
    }
}

fn measure(file: &str, limit: usize, reduce: bool) {
    let loaded = match LANGUAGES.load(Path::new(file), &LoadOptions::default()) {
        Ok(loaded) => loaded,
        Err(error) => return eprintln!("{file}: {}", error.diagnostics[0].message),
    };
    let mut model = loaded.model().clone();
    if reduce {
        lariat_ir::reduce::apply(&mut model, Options::ALL, &Visible::default());
    }
    let mut interpreted = ModelSpace::new(&model, Checks::default());
    let states = explore(&mut interpreted, limit);
    let start = Instant::now();
    let mut compiled = match CompiledSpace::new(&model, Checks::default()) {
        Ok(compiled) => compiled,
        Err(error) => return eprintln!("{error}"),
    };
    let created = start.elapsed();
    let (first, _) = expand(&mut compiled, &states);
    let before = compiled.interpreted();
    let (mut fast, edges) = expand(&mut compiled, &states);
    let slow_states = compiled.interpreted() - before;
    // The best of several, since other programs disturb the measurement.
    let rounds = (2_000_000 / states.len()).clamp(3, 100);
    for _ in 0..rounds {
        fast = fast.min(expand(&mut compiled, &states).0);
    }
    let mut slow = Duration::MAX;
    for _ in 0..rounds.div_ceil(4) {
        slow = slow.min(expand(&mut interpreted, &states).0);
    }
    let per = |time: Duration, count: usize| time.as_nanos() as f64 / count as f64;
    let words: usize = states.iter().map(|s| s.len()).sum();
    println!(
        "{:5.1} ms {:9} {:11.2} {:5.1} {:9.1} ns {:8.1} ns {:8.1} ns {:15} {file}",
        (created + first.saturating_sub(fast)).as_secs_f64() * 1e3,
        states.len(),
        edges as f64 / states.len() as f64,
        words as f64 / states.len() as f64,
        per(slow, states.len()),
        per(fast, states.len()),
        per(fast, edges),
        slow_states,
    );
}

fn explore(space: &mut ModelSpace, limit: usize) -> Vec<Box<[u32]>> {
    let mut out = Expansion::new();
    let mut states: Vec<Box<[u32]>> = Vec::new();
    let mut seen = HashSet::new();
    space.initial(&mut out);
    let mut next = 0;
    loop {
        for (target, _) in out.edges() {
            if states.len() < limit && seen.insert(Box::<[u32]>::from(target)) {
                states.push(target.into());
            }
        }
        let Some(state) = states.get(next) else {
            return states;
        };
        next += 1;
        out.clear();
        space.successors(state, &mut out);
    }
}

fn expand(space: &mut impl StateSpace, states: &[Box<[u32]>]) -> (Duration, usize) {
    let mut out = Expansion::new();
    let mut edges = 0;
    let start = Instant::now();
    for state in states {
        out.clear();
        space.successors(state, &mut out);
        edges += out.len();
    }
    (start.elapsed(), edges)
}
