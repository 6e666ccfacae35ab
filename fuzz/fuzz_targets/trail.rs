//! Any file can be read as a trail: it is refused, or it replays.
//!
//! Run with `cargo +nightly fuzz run trail`.

#![no_main]

use lariat::{LANGUAGES, LoadOptions};
use lariat_check::lasso_replay::{Asked, Candidate, End};
use lariat_check::model::ModelSystem;
use lariat_check::model::replay::{replay, steps_of_trace};
use lariat_check::properties::of_model;
use lariat_check::replay_budget::ReplayBudget;
use lariat_ir::fault::Fault;
use lariat_ir::space::Fairness;
use lariat_ltl::automaton::Limits;
use lariat_report::trail::Trail;
use libfuzzer_sys::fuzz_target;

const MODEL: &str = "
chan c = [0] of { byte };
byte x;
active proctype S() { do :: c!x; x++ od }
active proctype R() { byte y; do :: c?y; assert(y < 3) od }
ltl small { [](x < 3) }
ltl again { []<>(x == 0) }
never { do :: x == 2 -> break :: else od }
";

fuzz_target!(|data: &[u8]| {
    let Ok(trail) = serde_json::from_slice::<Trail>(data) else {
        return;
    };
    let Ok(model) = LANGUAGES.load_text("fuzz.pml", MODEL.into(), &LoadOptions::default()) else {
        return;
    };
    let fault = Fault::from_code(trail.violation.code);
    let steps = steps_of_trace(&trail.steps);
    let budget = &mut ReplayBudget::unlimited();
    let _ = replay(model.model(), &steps, fault, &[], budget);
    let end = match trail.loop_start {
        Some(start) => End::Loop(start),
        None => End::Settled(fault),
    };
    let candidate = Candidate { steps, end };
    for (property, conditions) in of_model(&model).flatten() {
        let automaton = property
            .automaton(false, &Limits::default())
            .expect("a small automaton");
        let asked = Asked {
            system: &ModelSystem(model.model()),
            property: &property,
            conditions: &conditions,
            automaton: &automaton,
            fairness: Fairness::Weak,
        };
        let _ = asked.replay(&candidate, budget);
    }
});
