//! Every model with expected facts in its header is checked, and the facts are compared.
//!
//! A fact is a line `//@ key: value` at the top of a model file; CONTRIBUTING.md lists the keys. To
//! add a test, add a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use lariat::LANGUAGES;
use lariat_check::outcome::Verdict;
use lariat_check::system::Exec;
use lariat_check::task::Wishes;
use lariat_ir::space::Checks;
use lariat_search::{Budget, SearchId, StoreId, StoreKind};

use crate::api::{check_safety, plain, searches, unreduced};
use crate::common;

type Facts = BTreeMap<String, String>;

/// The differences between what the header says and what happens.
fn differences(path: &Path, facts: &Facts, wishes: &Wishes) -> String {
    let mut out = String::new();
    let expected = |key: &str| facts.get(key).map(String::as_str);
    let mut loaded =
        match LANGUAGES.load(path, &common::load_options(expected("args").unwrap_or(""))) {
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
    let mut wishes = Wishes {
        all_errors: true,
        ..wishes.clone()
    };
    if loaded.model().synchronous {
        // Only the interpreter executes such models.
        wishes.exec = None;
    }
    let mut checks = Checks::default();
    if let Some(invariant) = expected("invariant") {
        let invariant = loaded.invariant(invariant).expect("invariant");
        checks.invariants.push(invariant);
    }
    let outcome = match check_safety(&loaded, checks, &wishes, &Budget::default()) {
        Ok(outcome) => outcome,
        Err(error) => return format!("  {error}\n"),
    };
    let errors = match &outcome.verdict {
        Verdict::Violated(violations) => violations.errors,
        _ => 0,
    };
    let violations = outcome.verdict.violations().iter();
    let mut kinds: Vec<&str> = violations.map(|violation| violation.text.kind).collect();
    kinds.sort();
    kinds.dedup();
    let mut unreached: Vec<String> = outcome
        .unreached
        .iter()
        .map(|u| u.line.to_string())
        .collect();
    unreached.dedup();
    let reduced = !wishes.no_merge || !wishes.no_dead;
    let statistics = &outcome.statistics;
    for (key, actual, is_count) in [
        ("verdict", outcome.verdict.word().to_string(), false),
        ("errors", errors.to_string(), true),
        ("states", statistics.states_stored.to_string(), true),
        ("transitions", statistics.transitions().to_string(), true),
        ("atomic_steps", statistics.internal_steps.to_string(), true),
        ("violation", kinds.join(", "), false),
        ("unreached", unreached.join(", "), false),
    ] {
        if expected(key).is_some_and(|e| e != actual) && !(reduced && is_count) {
            let _ = writeln!(out, "  {key}: {actual}, expected {}", facts[key]);
        }
    }
    out
}

fn run(wishes: &Wishes) {
    let found = common::all_models();
    let mut failures = String::new();
    let mut failed = 0;
    for path in &found {
        let facts: Facts = common::facts(path).into_iter().collect();
        if facts.is_empty() {
            continue;
        }
        let difference = differences(path, &facts, wishes);
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
    run(&plain());
}

#[test]
fn models_have_their_facts_with_every_search() {
    for search in searches(|info| info.counts_faults) {
        run(&Wishes {
            search: Some(search),
            ..unreduced()
        });
    }
}

#[test]
fn models_have_their_facts_in_any_order_with_every_store() {
    for &store in StoreId::ALL {
        run(&Wishes {
            search: Some(SearchId::Dfs),
            seed: Some(7),
            store: Some(StoreKind::Keep(store)),
            ..unreduced()
        });
    }
}

#[test]
fn models_have_their_facts_with_two_executors_and_workers() {
    run(&Wishes {
        exec: Some(Exec::Both),
        workers: Some(2),
        ..unreduced()
    });
}

#[test]
fn models_have_their_verdicts_when_reduced() {
    run(&Wishes {
        exec: Some(Exec::Both),
        workers: Some(1),
        ..Wishes::default()
    });
}
