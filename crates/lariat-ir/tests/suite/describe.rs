//! What is told about a step, against descriptions of the whole states before and after it.

use lariat_ir::describe::{Item, changes, describe};
use lariat_ir::interpret::{Interpreter, Observed};
use lariat_stats::Rng;
use lariat_testkit::ir::random::random_model;

/// The items that are not in the description of the state before.
fn naive(before: &[Item], after: Vec<Item>) -> Vec<Item> {
    after
        .into_iter()
        .filter(|item| !before.contains(item))
        .collect()
}

#[test]
fn changes_are_what_differs() {
    let (mut compared, mut changed) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let model = random_model(&mut rng);
        let interpreter = Interpreter::new(&model);
        let Ok(mut state) = interpreter.initial(&mut Observed::default()) else {
            continue;
        };
        let mut control = None;
        for _ in 0..100 {
            let mut steps = Vec::new();
            interpreter.steps(&state, control, &mut steps);
            if steps.is_empty() && control.is_none() {
                break;
            }
            if steps.is_empty() {
                control = None;
                continue;
            }
            let before = state.clone();
            let step = steps[rng.index(steps.len())];
            match interpreter.execute(&mut state, step, &mut Observed::default()) {
                Ok(next) => control = next,
                Err(_) => break,
            }
            let told = changes(&model, &before, &state);
            if before.has_same_blocks(&state) {
                let expected = naive(&describe(&model, &before), describe(&model, &state));
                assert_eq!(told, expected, "seed {seed}");
                compared += 1;
                changed += u64::from(!told.is_empty());
            }
        }
    }
    assert!(compared > 1000 && changed > 300, "{compared} {changed}");
}
