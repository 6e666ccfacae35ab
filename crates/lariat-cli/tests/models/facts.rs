//! The facts in the header of a model; CONTRIBUTING.md lists the keys.

use std::fmt::Write as _;

use lariat::LANGUAGES;
use lariat_check::outcome::Verdict;
use lariat_check::system::Exec;
use lariat_check::task::Wishes;
use lariat_ir::space::Checks;
use lariat_search::{Budget, SearchId, StoreId, StoreKind};

use lariat_testkit::files::ModelFile;
use lariat_testkit::harness::empty;

use crate::api::{check_safety, searches, unreduced};

/// A model that is wrong is refused, and the message has the words that the header asks for.
fn must_be_refused(model: &ModelFile) -> Result<(), String> {
    let Err(message) = model.load(&LANGUAGES) else {
        return Err("accepted, but must be refused".into());
    };
    let message = message.to_lowercase();
    let words = model.header.get("error").unwrap_or("");
    match words.split_whitespace().all(|word| message.contains(word)) {
        true => Ok(()),
        false => Err(format!("the message lacks `{words}`:\n{message}")),
    }
}

/// The differences between what the header says and what happens.
fn differences(model: &ModelFile, wishes: &Wishes) -> Result<Vec<String>, String> {
    let mut loaded = model.load(&LANGUAGES)?;
    let expected = |key: &str| model.header.get(key);
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
        let invariant = loaded.invariant(invariant);
        let invariant = invariant.map_err(|error| format!("invariant: {error:?}"))?;
        checks.invariants.push(invariant);
    }
    let outcome = check_safety(&loaded, checks, &wishes, &Budget::default());
    let outcome = outcome.map_err(|error| error.to_string())?;
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
    let facts = [
        ("verdict", outcome.verdict.word().to_string(), false),
        ("errors", errors.to_string(), true),
        ("states", statistics.states_stored.to_string(), true),
        ("transitions", statistics.transitions().to_string(), true),
        ("atomic_steps", statistics.internal_steps.to_string(), true),
        ("violation", kinds.join(", "), false),
        ("unreached", unreached.join(", "), false),
    ];
    let difference = |(key, actual, is_count): (&str, String, bool)| {
        let expected = expected(key).filter(|e| *e != actual && !(reduced && is_count));
        expected.map(|expected| format!("{key}: {actual}, expected {expected}"))
    };
    Ok(facts.into_iter().filter_map(difference).collect())
}

/// One worker with the interpreter; states are stored as they are.
pub fn plain() -> Wishes {
    Wishes {
        exec: Some(Exec::Interpreter),
        store: Some(StoreKind::Keep(StoreId::Flat)),
        ..unreduced()
    }
}

/// The ways in which the facts are looked for. Searches that reduce the model find other counts.
fn ways() -> Vec<(String, Wishes)> {
    let mut ways = vec![("breadth first".to_string(), plain())];
    ways.extend(
        searches(|info| info.counts_faults)
            .into_iter()
            .map(|search| {
                let wishes = Wishes {
                    search: Some(search),
                    ..unreduced()
                };
                (search.name().to_string(), wishes)
            }),
    );
    ways.extend(StoreId::ALL.iter().map(|&store| {
        let wishes = Wishes {
            search: Some(SearchId::Dfs),
            seed: Some(7),
            store: Some(StoreKind::Keep(store)),
            ..unreduced()
        };
        (format!("random order, {}", store.info().name), wishes)
    }));
    let both = Wishes {
        exec: Some(Exec::Both),
        workers: Some(2),
        ..unreduced()
    };
    let reduced = Wishes {
        exec: Some(Exec::Both),
        workers: Some(1),
        ..Wishes::default()
    };
    ways.push(("two executors and workers".into(), both));
    ways.push(("reduced".into(), reduced));
    ways
}

pub fn test(model: &ModelFile) -> Result<(), String> {
    if model.header.is_refused() {
        return must_be_refused(model);
    }
    let mut out = String::new();
    for (way, wishes) in ways() {
        for difference in differences(model, &wishes)? {
            let _ = writeln!(out, "{way}: {difference}");
        }
    }
    empty(out)
}
