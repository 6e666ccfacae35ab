//! The time of a step of a random walk, compiled and interpreted:
//! `cargo run --release -p lariat-jit --example draw -- model.pml... [--steps n] [--reduce] [--marks]`
//!
//! A file named `round:n` is a generated model: one process that makes a choice for each of `n` philosophers in one
//! atomic sequence.

use std::time::Instant;

use lariat::LANGUAGES;
use lariat_front::LoadOptions;
use lariat_graph::{Draw, Expansion};
use lariat_ir::model::Model;
use lariat_ir::reduce::{Options, Visible};
use lariat_ir::space::{Checks, Fairness, Liveness, ModelSpace};
use lariat_jit::CompiledSpace;
use lariat_stats::Dice;

#[derive(Clone, Copy)]
struct Settings {
    steps: u64,
    reduce: bool,
    marks: bool,
}

fn main() {
    let mut settings = Settings {
        steps: 10_000_000,
        reduce: false,
        marks: false,
    };
    let mut arguments = std::env::args().skip(1);
    let mut files = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--steps" => {
                let steps = arguments.next().and_then(|n| n.parse().ok());
                settings.steps = steps.unwrap_or(settings.steps);
            }
            "--reduce" => settings.reduce = true,
            "--marks" => settings.marks = true,
            _ => files.push(argument),
        }
    }
    println!("words  inside  interpreted     compiled  per statement  by interpreter  model");
    for file in files {
        match load(&file) {
            Some(model) => measure(&file, model, settings),
            None => eprintln!("{file} is not a model"),
        }
    }
}

fn load(file: &str) -> Option<Model> {
    let text = match file.strip_prefix("round:") {
        Some(count) => round(count.parse().ok()?),
        None => lariat_front::decode(std::fs::read(file).ok()?),
    };
    let loaded = LANGUAGES.load_text(file, text, &LoadOptions::default());
    Some(loaded.ok()?.model().clone())
}

/// Philosophers that move one after another, in one atomic round.
fn round(count: u32) -> String {
    format!(
        "#define N {count}
byte at[N]; bool left[N]; byte i; byte next; bool flag;
active proctype Round() {{
  do
  :: atomic {{
       i = 0;
       do
       :: i < N ->
          next = (i + 1) % N;
          if
          :: at[i] == 0 -> at[i] = 1
          :: at[i] == 0 -> skip
          :: at[i] == 1 && !left[i] -> left[i] = true; at[i] = 2
          :: at[i] == 1 && !left[next] -> left[next] = true; at[i] = 3
          :: at[i] == 2 && !left[next] -> left[next] = true; at[i] = 4
          :: at[i] == 2 -> left[i] = false; at[i] = 1
          :: at[i] == 3 && !left[i] -> left[i] = true; at[i] = 4
          :: at[i] == 3 -> left[next] = false; at[i] = 1
          :: at[i] == 4 -> left[i] = false; left[next] = false; at[i] = 0
          :: else
          fi;
          i++
       :: i >= N -> break
       od
     }}
  od
}}
"
    )
}

fn measure(file: &str, mut model: Model, settings: Settings) {
    if settings.reduce {
        lariat_ir::reduce::apply(&mut model, Options::ALL, &Visible::default());
    }
    let mut interpreted = ModelSpace::new(&model, Checks::default());
    let mut compiled = match CompiledSpace::new(&model, Checks::default()) {
        Ok(compiled) => compiled,
        Err(error) => return eprintln!("{error}"),
    };
    if settings.marks {
        let liveness = Liveness {
            stutter: true,
            accept_labels: true,
            fairness: Fairness::Weak,
        };
        interpreted.watch(liveness, Vec::new());
        compiled.watch(liveness, Vec::new()).unwrap();
    }
    let slow = walk(&mut interpreted, settings.steps / 20);
    walk(&mut compiled, settings.steps / 10);
    let before = compiled.interpreted();
    // The best of several, since other programs disturb the measurement.
    let walks = (0..5).map(|_| walk(&mut compiled, settings.steps / 5));
    let fast = walks.min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    let fast = fast.unwrap_or_default();
    println!(
        "{:5} {:7.1} {:9.1} ns {:9.1} ns {:11.1} ns {:15} {file}",
        fast.words,
        fast.inside,
        slow.nanoseconds,
        fast.nanoseconds,
        fast.nanoseconds / (1.0 + fast.inside),
        compiled.interpreted() - before,
    );
}

/// The CPU time of this thread, where the system provides it, since other programs disturb the measurement.
struct Clock {
    start: Instant,
    ran: Option<u64>,
}

impl Clock {
    fn start() -> Self {
        Clock {
            start: Instant::now(),
            ran: Clock::ran(),
        }
    }

    fn ran() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok()
    }

    fn nanoseconds(&self) -> f64 {
        match (self.ran, Clock::ran()) {
            (Some(before), Some(after)) => (after - before) as f64,
            _ => self.start.elapsed().as_nanos() as f64,
        }
    }
}

/// The time of a step of a walk.
#[derive(Default)]
struct Walked {
    nanoseconds: f64,
    /// The steps inside an edge.
    inside: f64,
    words: usize,
}

/// Draws so many edges, and restarts where there is no successor.
fn walk(space: &mut impl Draw, steps: u64) -> Walked {
    let mut out = Expansion::with_marks(space.acceptance().words());
    space.initial(&mut out);
    let first = out.edge(0).0.to_vec();
    let mut state = first.clone();
    let mut inside = 0;
    let start = Clock::start();
    let mut dice = Dice::new(7);
    for _ in 0..steps {
        out.clear();
        space.draw(&state, &mut dice, &mut out);
        inside += out.internal_steps();
        state.clear();
        match out.is_empty() {
            false => state.extend_from_slice(out.edge(0).0),
            true => state.extend_from_slice(&first),
        }
    }
    let per = |count: f64| count / steps as f64;
    Walked {
        nanoseconds: per(start.nanoseconds()),
        inside: per(inside as f64),
        words: state.len(),
    }
}
