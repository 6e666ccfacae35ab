//! Any file can be read as a trail: it is refused, or it replays.
//!
//! Run with `cargo +nightly fuzz run trail`.

#![no_main]

use lariat::load::{LoadOptions, load_text};
use lariat::replay::{replay, steps_of_trail};
use lariat_ir::fault::Fault;
use lariat_report::trail::Trail;
use libfuzzer_sys::fuzz_target;

const MODEL: &str = "
chan c = [0] of { byte };
byte x;
active proctype S() { do :: c!x; x++ od }
active proctype R() { byte y; do :: c?y; assert(y < 3) od }
";

fuzz_target!(|data: &[u8]| {
    let Ok(trail) = serde_json::from_slice::<Trail>(data) else {
        return;
    };
    let Ok(model) = load_text("fuzz.pml", MODEL.into(), &LoadOptions::default()) else {
        return;
    };
    let fault = Fault::from_code(trail.violation.code);
    let _ = replay(model.model(), &steps_of_trail(&trail), fault, &[]);
});
