//! A panic inside a helper reaches the caller of the expansion, across the frames of compiled code.

use std::cell::Cell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};

use lariat::LANGUAGES;
use lariat_front::LoadOptions;
use lariat_graph::product::Propositions;
use lariat_graph::{Draw, Expansion, StateSpace};
use lariat_ir::model::Model;
use lariat_ir::space::{Checks, Liveness};
use lariat_stats::Dice;

use crate::CompiledSpace;

thread_local! {
    /// The number of calls of helpers before one panics; `None` for no panic.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// The payload of the panic.
struct Planned;

/// A helper is called.
pub(super) fn tick() {
    match LEFT.get() {
        None => {}
        Some(0) => {
            LEFT.set(None);
            panic_any(Planned);
        }
        Some(left) => LEFT.set(Some(left - 1)),
    }
}

/// A model with nested calls of helpers of all kinds.
const MODEL: &str = "
chan q = [9] of { byte, int };
chan pair = [2] of { byte };
chan meet = [0] of { byte };
byte x, done;
proctype Child(byte n) {
  atomic { if :: x = n :: x = n + 1 fi; meet?x; if :: done++ :: skip fi }
}
active [2] proctype Sender() {
  byte i;
  do
  :: atomic { meet!1 -> i = (i + 1) % 3; q!!i, i }
  :: atomic { q??eval(i), _ -> if :: meet!2 :: x = pc_value(0) fi; x = pc_value(1) }
  :: pair!i :: pair?i
  :: d_step { i = 0; do :: i < 80 -> i++ :: else -> break od; i = 1 }
  :: np_ && Sender[0]:i > 0 -> progress: x = 0
  od
}
active proctype Maker() {
  do
  :: _nr_pr < 5 -> atomic { run Child(1); run Child(2) }
  :: atomic { meet?x -> run Child(3); if :: meet!3 :: skip fi }
  od
}
ltl p { [](np_ || Sender[1]:i == 0) }
";

fn model() -> Model {
    let loaded = LANGUAGES.load_text("panics.pml", MODEL.into(), &LoadOptions::default());
    loaded.map_err(|e| e.diagnostics).unwrap().model().clone()
}

fn space(model: &Model) -> CompiledSpace<'_> {
    let mut space = CompiledSpace::new(model, Checks::default()).unwrap();
    space
        .watch(Liveness::default(), model.properties[0].atoms.clone())
        .unwrap();
    space.compile_after(0);
    space
}

/// Expands and draws from a state, and evaluates all its atoms.
fn ask(space: &mut CompiledSpace, state: &[u32]) -> (Vec<Vec<u32>>, u64, Vec<Result<bool, u32>>) {
    let mut out = Expansion::new();
    space.successors(state, &mut out);
    space.draw(state, &mut Dice::new(1), &mut out);
    space.set_state(state);
    let atoms = (0..2).map(|atom| space.holds(atom)).collect();
    let targets = out.edges().map(|(target, _)| target.to_vec());
    (targets.collect(), out.internal_steps(), atoms)
}

#[test]
fn panics_of_helpers_reach_the_caller() {
    let model = model();
    let (mut sound, mut shaken) = (space(&model), space(&model));
    let mut out = Expansion::new();
    sound.initial(&mut out);
    let mut open: Vec<Vec<u32>> = out.edges().map(|(state, _)| state.to_vec()).collect();
    let mut seen: HashSet<Vec<u32>> = open.iter().cloned().collect();
    let (mut panics, mut deepest) = (0, 0);
    // The number of states; fewer under a memory checker.
    let limit = std::env::var("LARIAT_JIT_PANICS").map_or(150, |n| n.parse().unwrap());
    while let Some(state) = open.pop() {
        let expected = ask(&mut sound, &state);
        // Until the countdown exceeds the number of helper calls.
        for left in 0.. {
            LEFT.set(Some(left));
            let result = catch_unwind(AssertUnwindSafe(|| ask(&mut shaken, &state)));
            let has_panicked = LEFT.take().is_none();
            match result {
                Err(panic) => assert!(has_panicked && panic.is::<Planned>()),
                Ok(answer) => {
                    assert!(!has_panicked, "the panic was lost");
                    assert_eq!(answer, expected);
                    break;
                }
            }
            // The next expansion is not affected.
            assert_eq!(ask(&mut shaken, &state), expected);
            panics += 1;
            deepest = deepest.max(left);
        }
        for target in expected.0 {
            if seen.len() < limit && seen.insert(target.clone()) {
                open.push(target);
            }
        }
    }
    println!("{panics} panics, at most {deepest} helpers before one");
    assert!(panics > 20 && deepest > 10);
}
