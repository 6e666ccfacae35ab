//! Every model with expected facts in its header is checked, and the facts are compared.
//!
//! A fact is a line `//@ key: value` at the top of a model file; CONTRIBUTING.md lists the keys. To
//! add a test, add a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lariat::check::{CheckOptions, Checked, SearchOrder, check};
use lariat::load::{LoadOptions, load};
use lariat_promela::Define;

type Facts = BTreeMap<String, String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|e| e == "pml") {
            found.push(path);
        }
    }
    found.sort();
}

fn facts(path: &Path) -> Facts {
    let text = lariat_promela::decode(std::fs::read(path).unwrap());
    text.lines()
        .map_while(|line| line.strip_prefix("//@"))
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.trim().to_string(), value.trim().to_string()))
        .collect()
}

fn load_options(facts: &Facts) -> LoadOptions {
    let mut options = LoadOptions::default();
    let args = facts.get("args").map_or("", String::as_str);
    let mut words = args.split_whitespace();
    while let Some(word) = words.next() {
        let mut value = |prefix: &str| match word.strip_prefix(prefix) {
            Some("") => words.next().unwrap_or_default().to_string(),
            Some(value) => value.to_string(),
            None => String::new(),
        };
        match &word[..2] {
            "-D" => options.defines.push(Define::Define(value("-D"))),
            "-U" => options.defines.push(Define::Undef(value("-U"))),
            "-m" => options.lossy = true,
            other => panic!("unknown argument {other} in the header"),
        }
    }
    options
}

/// The differences between what the header says and what happens.
fn differences(path: &Path, facts: &Facts, order: SearchOrder, seed: Option<u64>) -> String {
    let mut out = String::new();
    let expected = |key: &str| facts.get(key).map(String::as_str);
    let mut loaded = match load(path, &load_options(facts)) {
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
        order,
        seed,
        all_errors: true,
        ..CheckOptions::default()
    };
    if let Some(invariant) = expected("invariant") {
        let invariant = loaded.invariant(invariant).expect("invariant");
        options.checks.invariants.push(invariant);
    }
    let Checked { result, .. } = match check(&loaded, &options, &mut ()) {
        Ok(checked) => checked,
        Err(error) => return format!("  replay failed: {}\n", error.0),
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
    for (key, actual) in [
        ("verdict", result.verdict.word().to_string()),
        ("errors", result.errors.to_string()),
        ("states", result.states_stored.to_string()),
        ("transitions", result.transitions.to_string()),
        ("atomic_steps", result.atomic_steps.to_string()),
        ("violation", kinds.join(", ")),
        ("unreached", unreached.join(", ")),
    ] {
        if expected(key).is_some_and(|e| e != actual) {
            let _ = writeln!(out, "  {key}: {actual}, expected {}", facts[key]);
        }
    }
    out
}

fn run(order: SearchOrder, seed: Option<u64>) {
    let mut found = Vec::new();
    models(&root().join("models"), &mut found);
    models(&root().join("examples"), &mut found);
    let mut failures = String::new();
    let mut failed = 0;
    for path in &found {
        let facts = facts(path);
        if facts.is_empty() {
            continue;
        }
        let difference = differences(path, &facts, order, seed);
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
    run(SearchOrder::Breadth, None);
}

#[test]
fn models_have_their_facts_depth_first() {
    run(SearchOrder::Depth, None);
}

#[test]
fn models_have_their_facts_in_any_order() {
    run(SearchOrder::Depth, Some(7));
}
