//! Compiled code agrees with the interpreter on all models of the repository.

use std::path::Path;
use std::time::Instant;

use lariat_ir::reduce::{Options, Visible, reduced};

use crate::common::{files, model, settings, walk};

fn compare(directory: &Path, limit: usize) -> (usize, Vec<String>) {
    let mut differences = Vec::new();
    let mut models = 0;
    for file in files(directory) {
        let Ok(bytes) = std::fs::read(&file) else {
            continue;
        };
        let name = file.display().to_string();
        let Some(model) = model(&name, lariat_promela::decode(bytes), false) else {
            continue;
        };
        models += 1;
        let reduced = reduced(&model, Options::ALL, &Visible::default());
        for (number, (liveness, reduce)) in settings().into_iter().enumerate() {
            let start = Instant::now();
            let model = if reduce { &reduced } else { &model };
            match walk(model, liveness, limit >> (2 * number.min(1))) {
                Ok(walk) => {
                    if std::env::var_os("LARIAT_JIT_VERBOSE").is_some() {
                        let time = start.elapsed().as_millis();
                        println!("{name} {number}: {walk:?} {time} ms");
                    }
                }
                Err(difference) => {
                    println!("{name} with {liveness:?}: {difference}");
                    differences.push(name.clone());
                }
            }
        }
    }
    (models, differences)
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn examples_agree() {
    let (models, differences) = compare(&root().join("examples"), 4000);
    assert!(models > 20, "{models} models");
    assert_eq!(differences, [] as [String; 0]);
}

#[test]
fn small_models_agree() {
    let (models, differences) = compare(&root().join("models/promela"), 400);
    assert!(models > 300, "{models} models");
    assert_eq!(differences, [] as [String; 0]);
}

/// For any directory: `LARIAT_JIT_MODELS=dir cargo test -p lariat-jit --release -- --ignored`
#[test]
#[ignore = "needs a directory with models"]
fn given_models_agree() {
    let Some(directory) = std::env::var_os("LARIAT_JIT_MODELS") else {
        return;
    };
    let limit = std::env::var("LARIAT_JIT_LIMIT").map_or(20_000, |l| l.parse().unwrap());
    let (models, differences) = compare(Path::new(&directory), limit);
    println!("{models} models");
    assert_eq!(differences, [] as [String; 0]);
}
