//! What the access table says about the transitions of a model is true.

use lariat::LANGUAGES;
use lariat_front::OptionValue;
use lariat_stats::stream;
use lariat_testkit::files::{self, ModelFile};
use lariat_testkit::ir::touch::{Tally, check};

const SEED: u64 = 1;
const STATES: usize = 200;

/// Checks the table with channels that block and with channels that lose messages.
fn tally(model: &ModelFile) -> Result<Tally, String> {
    let name = model.name();
    let mut total = Tally::default();
    for lossy in [false, true] {
        let mut options = model.header.load_options()?;
        let flag = OptionValue::flag("lossy");
        options.options.retain(|option| *option != flag);
        options.options.extend(lossy.then_some(flag));
        let loaded = LANGUAGES.load(&model.path, &options);
        let loaded = loaded.map_err(|error| format!("{:?}", error.diagnostics))?;
        let mut rng = stream(SEED, &name, 0);
        total.add(&check(loaded.model(), &name, &mut rng, STATES));
    }
    Ok(total)
}

pub fn test(model: &ModelFile) -> Result<(), String> {
    tally(model).map(|_| ())
}

/// The checks find something to check.
pub fn at_work() -> Result<(), String> {
    let models = files::models(&LANGUAGES);
    let named = |name: &str| models.iter().find(|model| model.name() == name);
    let model = named("examples/alternating_bit.pml").ok_or("no such model")?;
    let expected = Tally {
        steps: 1096,
        perturbed: 3477,
        pairs: 1023,
        commuting: 781,
        independent: 781,
    };
    let found = tally(model)?;
    match found == expected {
        true => Ok(()),
        false => Err(format!("{found:?}, expected {expected:?}")),
    }
}
