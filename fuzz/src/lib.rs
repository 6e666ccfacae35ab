//! What the fuzz targets share.

use std::time::Duration;

use lariat::check::{CheckError, CheckOptions, check};
use lariat::liveness::{LivenessOptions, check_property};
use lariat::load::Loaded;
use lariat::property::Question;
use lariat_ir::space::Fairness;

/// Checks a model within a small budget: safety, the properties that stand in it, and its labels. What
/// is found must replay.
pub fn check_briefly(model: &Loaded) {
    let mut options = CheckOptions {
        all_errors: true,
        ..CheckOptions::default()
    };
    options.budget.states = Some(500);
    options.budget.memory = Some(64 << 20);
    options.budget.time = Some(Duration::from_secs(1));
    check(model, &options, &mut ()).expect("every error replays");
    let mut questions: Vec<Question> = model.questions().flatten().collect();
    questions.push(Question::acceptance());
    questions.push(Question::non_progress());
    for question in &questions {
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let options = LivenessOptions {
                fairness,
                budget: options.budget.clone(),
                ..LivenessOptions::default()
            };
            match check_property(model, question, &options, &mut ()) {
                Ok(_) | Err(CheckError::TooLarge(_)) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
    }
}
