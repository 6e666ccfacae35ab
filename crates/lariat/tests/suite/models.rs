//! Every model with expected facts in its header is checked, and the facts are compared.
//!
//! A fact is a line `//@ key: value` at the top of a model file; CONTRIBUTING.md lists the keys. To
//! add a test, add a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use lariat::check::{CheckOptions, Checked, SearchOrder, check};
use lariat::engine::{Engine, Exec, StoreKind};
use lariat::load::load;

use crate::common;

type Facts = BTreeMap<String, String>;

/// A way of checking a model.
#[derive(Default)]
struct Way {
    order: SearchOrder,
    seed: Option<u64>,
    engine: Engine,
}

/// The differences between what the header says and what happens.
fn differences(path: &Path, facts: &Facts, way: &Way) -> String {
    let mut out = String::new();
    let expected = |key: &str| facts.get(key).map(String::as_str);
    let mut loaded = match load(path, &common::load_options(expected("args").unwrap_or(""))) {
        Err(error) => {
            let text: Vec<String> = error
                .diagnostics
                .iter()
                .map(|d| format!("{} {}", d.message, d.help.clone().unwrap_or_default()))
                .collect();
            let text = text.join("; ").to_lowercase();
            if expected("verdict") != Some("error") {
                let _ = writeln!(out, "  rejected: {text}");
            } else if let Some(words) = expected("error") {
                let missing = words.split_whitespace().any(|w| !text.contains(w));
                if missing {
                    let _ = writeln!(out, "  message lacks `{words}`: {text}");
                }
            }
            return out;
        }
        Ok(_) if expected("verdict") == Some("error") => {
            return "  accepted, but must be rejected\n".into();
        }
        Ok(loaded) => loaded,
    };
    let mut options = CheckOptions {
        order: way.order,
        seed: way.seed,
        engine: way.engine.clone(),
        all_errors: true,
        ..CheckOptions::default()
    };
    if let Some(invariant) = expected("invariant") {
        let invariant = loaded.invariant(invariant).expect("invariant");
        options.checks.invariants.push(invariant);
    }
    let Checked { result, .. } = match check(&loaded, &options, &mut ()) {
        Ok(checked) => checked,
        Err(error) => return format!("  {error:?}\n"),
    };
    let mut kinds: Vec<String> = result.violations.iter().map(|v| v.kind.clone()).collect();
    kinds.sort();
    kinds.dedup();
    let mut unreached: Vec<String> = result
        .unreached
        .iter()
        .map(|u| u.line.to_string())
        .collect();
    unreached.dedup();
    let reduced = way.engine.merge || way.engine.dead;
    for (key, actual, is_count) in [
        ("verdict", result.verdict.word().to_string(), false),
        ("errors", result.errors.to_string(), true),
        ("states", result.states_stored.to_string(), true),
        ("transitions", result.transitions.to_string(), true),
        ("atomic_steps", result.atomic_steps.to_string(), true),
        ("violation", kinds.join(", "), false),
        ("unreached", unreached.join(", "), false),
    ] {
        if expected(key).is_some_and(|e| e != actual) && !(reduced && is_count) {
            let _ = writeln!(out, "  {key}: {actual}, expected {}", facts[key]);
        }
    }
    out
}

fn run(way: &Way) {
    let found = common::all_models();
    let mut failures = String::new();
    let mut failed = 0;
    for path in &found {
        let facts: Facts = common::facts(path).into_iter().collect();
        if facts.is_empty() {
            continue;
        }
        let difference = differences(path, &facts, way);
        if !difference.is_empty() {
            failed += 1;
            let _ = writeln!(failures, "{}\n{difference}", path.display());
        }
    }
    assert!(found.len() >= 150, "only {} models found", found.len());
    assert!(
        failures.is_empty(),
        "{failed} of {} models differ:\n{failures}",
        found.len()
    );
}

#[test]
fn models_have_their_facts_breadth_first() {
    let engine = Engine {
        exec: Exec::Interpreter,
        store: StoreKind::Flat,
        ..Engine::unreduced()
    };
    run(&Way {
        engine,
        ..Way::default()
    });
}

#[test]
fn models_have_their_facts_depth_first() {
    run(&Way {
        order: SearchOrder::Depth,
        engine: Engine::unreduced(),
        ..Way::default()
    });
}

#[test]
fn models_have_their_facts_in_any_order() {
    run(&Way {
        order: SearchOrder::Depth,
        seed: Some(7),
        engine: Engine {
            store: StoreKind::Flat,
            ..Engine::unreduced()
        },
    });
}

#[test]
fn models_have_their_facts_with_two_executors_and_workers() {
    let engine = Engine {
        exec: Exec::Both,
        workers: 2,
        ..Engine::unreduced()
    };
    run(&Way {
        engine,
        ..Way::default()
    });
}

#[test]
fn models_have_their_verdicts_when_reduced() {
    let engine = Engine {
        exec: Exec::Both,
        ..Engine::default()
    };
    run(&Way {
        engine,
        ..Way::default()
    });
}
