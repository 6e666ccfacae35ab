//! What the fuzz targets share.

use std::time::Duration;

use lariat_check::Failure;
use lariat_check::model::{ModelSystem, check_model};
use lariat_check::outcome::CheckError;
use lariat_check::properties::{ModelProperty, of_model};
use lariat_check::run_property::RunProperty;
use lariat_check::task::{Property, Task, Wishes};
use lariat_front::Loaded;
use lariat_ir::space::{Checks, Fairness};
use lariat_search::Budget;

/// Checks a model within a small budget: safety, the properties that stand in it, and its labels. What
/// is found must replay.
pub fn check_briefly(model: &Loaded) {
    let safety = Wishes {
        all_errors: true,
        ..Wishes::default()
    };
    check_one(model, Property::Safety(Checks::default()), safety);
    let mut properties: Vec<ModelProperty> = of_model(model).flatten().collect();
    properties.push((RunProperty::acceptance(), Vec::new()));
    properties.push(RunProperty::non_progress());
    for (property, conditions) in properties {
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let wishes = Wishes {
                fairness: Some(fairness),
                ..Wishes::default()
            };
            let property = Property::Runs(property.clone(), conditions.clone());
            check_one(model, property, wishes);
        }
    }
}

fn check_one<'m>(model: &'m Loaded, property: Property<ModelSystem<'m>>, wishes: Wishes) {
    let task = Task {
        system: &ModelSystem(model.model()),
        properties: vec![property],
        wishes,
        budget: Budget {
            states: Some(500),
            memory: Some(64 << 20),
            time: Some(Duration::from_secs(1)),
            ..Budget::default()
        },
    };
    match check_model(&task, &mut ()) {
        Ok(_) => {}
        Err(Failure::Failed {
            error: CheckError::TooLarge(_),
            ..
        }) => {}
        Err(error) => panic!("{error}"),
    }
}
