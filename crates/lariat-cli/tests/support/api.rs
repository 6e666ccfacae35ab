//! Checking loaded models in one call each.

use lariat_check::Failure;
use lariat_check::model::{ModelSystem, check_model};
use lariat_check::outcome::Outcome;
use lariat_check::properties::ModelProperty;
use lariat_check::task::{Property, Task, Wishes};
use lariat_front::Loaded;
use lariat_ir::space::Checks;
use lariat_search::{Budget, SearchId, SearchInfo};

/// The registered searches that can do something.
pub fn searches(can: impl Fn(&SearchInfo) -> bool) -> Vec<SearchId> {
    let all = SearchId::ALL.iter().copied();
    all.filter(|id| can(id.info())).collect()
}

/// Checks one property.
fn check_one<'m>(
    loaded: &'m Loaded,
    property: Property<ModelSystem<'m>>,
    wishes: &Wishes,
    budget: &Budget,
) -> Result<Outcome, Failure> {
    let task = Task {
        system: &ModelSystem(loaded.model()),
        properties: vec![property],
        wishes: wishes.clone(),
        budget: budget.clone(),
    };
    check_model(&task, &mut ()).map(|mut outcomes| outcomes.remove(0))
}

/// Checks safety.
pub fn check_safety(
    loaded: &Loaded,
    checks: Checks,
    wishes: &Wishes,
    budget: &Budget,
) -> Result<Outcome, Failure> {
    check_one(loaded, Property::Safety(checks), wishes, budget)
}

/// Checks a property of runs.
pub fn check_runs(
    loaded: &Loaded,
    property: &ModelProperty,
    wishes: &Wishes,
) -> Result<Outcome, Failure> {
    check_runs_within(loaded, property, wishes, &Budget::default())
}

/// Checks a property of runs with a budget.
pub fn check_runs_within(
    loaded: &Loaded,
    (property, conditions): &ModelProperty,
    wishes: &Wishes,
    budget: &Budget,
) -> Result<Outcome, Failure> {
    let property = Property::Runs(property.clone(), conditions.clone());
    check_one(loaded, property, wishes, budget)
}

/// One worker; every state of the model is a state of the search.
pub fn unreduced() -> Wishes {
    Wishes {
        workers: Some(1),
        no_merge: true,
        no_dead: true,
        ..Wishes::default()
    }
}
