//! Compiled code agrees with the interpreter on random models of the intermediate representation.
//!
//! They use every construct in every combination. A failing test prints the seed; `LARIAT_JIT_SEED=n` and
//! `LARIAT_JIT_PROGRAMS=n` choose others.

use lariat_ir::reduce::{Options, Visible, reduced};
use lariat_stats::Rng;
use lariat_testkit::ir::random::random_model;
use lariat_testkit::number;

use crate::walks::{settings, walk};

#[test]
fn random_models_agree() {
    let first = number("LARIAT_JIT_SEED", 1);
    let (mut fixed, mut expanded, mut interpreted) = (0, 0, 0);
    for seed in first..first + number("LARIAT_JIT_PROGRAMS", 300) {
        let model = random_model(&mut Rng::new(seed));
        fixed += u64::from(model.layout.is_some());
        for (liveness, is_reduced) in settings() {
            let model = match is_reduced {
                true => reduced(&model, Options::ALL, &Visible::default()),
                false => model.clone(),
            };
            match walk(&model, liveness, 60) {
                Ok(walk) => {
                    expanded += walk.expanded;
                    interpreted += walk.interpreted;
                }
                Err(difference) => panic!("seed {seed}, {liveness:?}: {difference}"),
            }
        }
    }
    println!("{fixed} with a layout, {expanded} states, {interpreted} of them interpreted");
    assert!(fixed > 0);
}
