//! What the access table says about the transitions of a model is true of all models in the suite.

#[path = "../../../lariat-ir/tests/support/touch.rs"]
mod touch;

use std::path::{Path, PathBuf};

use lariat::LANGUAGES;
use lariat_front::{LoadOptions, OptionValue};
use lariat_stats::stream;
use touch::{Tally, check};

const SEED: u64 = 1;
const STATES: usize = 200;

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|e| e == "pml") {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn tables_agree_with_the_interpreter() {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    models(&root.join("models/promela"), &mut found);
    println!("seed {SEED}, {STATES} states of each model");
    let mut total = Tally::default();
    let mut checked = 0;
    for (number, path) in found.iter().enumerate() {
        let name = path.display().to_string();
        let text = lariat_front::decode(std::fs::read(path).unwrap());
        if text.lines().any(|l| l.starts_with("//@ verdict: error")) {
            continue;
        }
        for lossy in [false, true] {
            let mut options = LoadOptions::default();
            if lossy {
                options.options.push(OptionValue::flag("lossy"));
            }
            // Some models need the definitions that their headers ask for.
            let Ok(loaded) = LANGUAGES.load_text(&name, text.clone(), &options) else {
                continue;
            };
            let mut rng = stream(SEED, "access", number as u64);
            let tally = check(loaded.model(), &name, &mut rng, STATES);
            total.add(&tally);
            checked += 1;
        }
    }
    println!("{checked} models: {total:?}");
    assert!(checked > 300 && total.perturbed > 10_000 && total.independent > 1000);
}
