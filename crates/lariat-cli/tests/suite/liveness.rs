//! Every `check:` line in the header of a model is carried out, and its verdict is compared.
//!
//! `//@ check: --ltl p --fair weak => violated` means that `lariat check` with these options finds
//! a violation. Each line is checked with every search that can do it, and in several orders. What
//! stands behind `states` is the number of states of the product in a full nested depth-first
//! search. Words in parentheses at the end are for the comparison with SPIN.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use lariat::LANGUAGES;
use lariat_check::outcome::{Outcome, Verdict};
use lariat_check::properties::{self, ModelProperty};
use lariat_check::run_property::{Kind, RunProperty};
use lariat_check::system::Exec;
use lariat_check::task::{Order, Wishes};
use lariat_front::Loaded;
use lariat_ir::space::Fairness;
use lariat_search::{
    Cycles, LassoSampling, RandomizedStoring, Sampled, SearchId, StoreClass, StoreKind,
    StoringRule, Uniform, Walked, WorkerUse,
};

use crate::api::{check_runs, plain, searches, unreduced};
use crate::common;

/// What a header says about a property.
struct Check {
    property: ModelProperty,
    fairness: Fairness,
    verdict: String,
    states: Option<u64>,
}

/// The words of a command line; quotes keep several together.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(String::from));
        }
    }
    words
}

fn parse(loaded: &mut Loaded, line: &str) -> Result<Check, String> {
    let (args, facts) = line.rsplit_once("=>").ok_or("no `=>`")?;
    let facts = facts.split('(').next().unwrap_or_default().trim();
    let (verdict, states) = match facts.split_once(", states ") {
        Some((verdict, states)) => (verdict, Some(states.trim().parse().map_err(|_| "states")?)),
        None => (facts, None),
    };
    let mut property = None;
    let mut fairness = Fairness::None;
    let mut words = words(args).into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} without a value"));
        match word.as_str() {
            "--ltl" => property = Some(named(loaded, Kind::Ltl, Some(&value()?))?),
            "--never" => property = Some(named(loaded, Kind::Never, None)?),
            "--formula" => {
                let text = value()?;
                let parsed = properties::formula(loaded, &text);
                property = Some(parsed.map_err(|e| format!("{:?}", e.diagnostics))?);
            }
            "--acceptance" => property = Some((RunProperty::acceptance(), Vec::new())),
            "--non-progress" => property = Some(RunProperty::non_progress()),
            "--fair" => {
                fairness = match value()?.as_str() {
                    "weak" => Fairness::Weak,
                    "strong" => Fairness::Strong,
                    other => return Err(format!("unknown fairness {other}")),
                }
            }
            other => return Err(format!("unknown option {other}")),
        }
    }
    Ok(Check {
        property: property.ok_or("no property")?,
        fairness,
        verdict: verdict.trim().to_string(),
        states,
    })
}

fn named(loaded: &Loaded, kind: Kind, name: Option<&str>) -> Result<ModelProperty, String> {
    properties::of_model(loaded)
        .filter_map(Result::ok)
        .find(|(property, _)| property.kind == kind && name.is_none_or(|n| property.name == n))
        .ok_or_else(|| format!("no property {} {}", kind.word(), name.unwrap_or("")))
}

/// Checks a property in one way. What is found has been replayed.
fn check(loaded: &Loaded, check: &Check, wishes: &Wishes) -> Result<Outcome, String> {
    let mut wishes = wishes.clone();
    if loaded.model().synchronous {
        // Only the interpreter executes such models.
        wishes.exec = None;
    }
    if check.fairness == Fairness::Strong {
        wishes.workers = Some(1);
        wishes.shortest = false;
    }
    check_runs(loaded, &check.property, &wishes).map_err(|error| error.to_string())
}

fn differences(path: &Path) -> (usize, String) {
    let mut out = String::new();
    let facts = common::facts(path);
    let lines: Vec<&String> = facts
        .iter()
        .filter(|(k, _)| k == "check")
        .map(|(_, v)| v)
        .collect();
    if lines.is_empty() {
        return (0, out);
    }
    let args = facts.iter().find(|(k, _)| k == "args");
    let options = common::load_options(args.map_or("", |(_, v)| v));
    let mut loaded = match LANGUAGES.load(path, &options) {
        Ok(loaded) => loaded,
        Err(error) => return (0, format!("  rejected: {:?}", error.diagnostics)),
    };
    for line in &lines {
        match parse(&mut loaded, line) {
            Ok(check) => compare(&loaded, &check, line, &mut out),
            Err(why) => {
                let _ = writeln!(out, "  {line}: {why}");
            }
        }
    }
    (lines.len(), out)
}

fn compare(loaded: &Loaded, expected: &Check, line: &str, out: &mut String) {
    let reduced = Wishes {
        workers: Some(1),
        ..Wishes::default()
    };
    let fast = unreduced();
    let both = Wishes {
        exec: Some(Exec::Both),
        workers: Some(2),
        alone: Some(0),
        ..unreduced()
    };
    let forgetful = |rule| Wishes {
        store: Some(StoreKind::Forget(RandomizedStoring { rule, seed: 4 })),
        ..Wishes::default()
    };
    let dynamic = forgetful(StoringRule::Dynamic(0.3));
    let fixed = forgetful(StoringRule::Static(0.9));
    let plain = plain();
    let mut ways = vec![
        (None, None, false, &reduced),
        (None, None, true, &fast),
        (None, Some(9), false, &both),
    ];
    let needed = match expected.fairness {
        Fairness::None => Cycles::OneSet,
        Fairness::Weak => Cycles::Sets,
        Fairness::Strong => Cycles::Pairs,
    };
    for search in searches(|info| info.cycles >= needed && !info.is_walk()) {
        if search.info().stores.contains(&StoreClass::Keeping) {
            ways.extend([
                (Some(search), None, false, &reduced),
                (Some(search), None, false, &plain),
                (Some(search), Some(3), false, &fast),
                (Some(search), Some(6), false, &both),
            ]);
        }
        let forgets = search.info().stores.contains(&StoreClass::Probabilistic);
        if forgets && expected.fairness == Fairness::None {
            ways.push((Some(search), None, false, &dynamic));
            ways.push((Some(search), Some(7), false, &fixed));
        }
    }
    for (search, seed, shortest, wishes) in ways {
        let works_alone = search.is_some_and(|id| id.info().workers == WorkerUse::One);
        let wishes = Wishes {
            search,
            seed,
            order: seed.map(|_| Order::Random),
            shortest,
            fairness: Some(expected.fairness),
            workers: match works_alone {
                true => Some(1),
                false => wishes.workers,
            },
            ..wishes.clone()
        };
        let way = format!("{wishes:?}");
        match check(loaded, expected, &wishes) {
            Err(error) => {
                let _ = writeln!(out, "  {line}: {way}: {error}");
            }
            Ok(outcome) => {
                let verdict = outcome.verdict.word();
                if verdict != expected.verdict {
                    let _ = writeln!(out, "  {line}: {way}: {verdict}");
                }
                let states = outcome.statistics.states_stored;
                let is_counted =
                    search == Some(SearchId::Ndfs) && outcome.statistics.storing.is_none();
                if is_counted && expected.states.is_some_and(|s| s != states) {
                    let _ = writeln!(out, "  {line}: {way}: {states} states");
                }
            }
        }
    }
}

/// So many random lassos are drawn for each property.
const WALKS: u64 = 150;

/// Draws random lassos. They find violations only where there are some, which the replay sees to; and what they
/// count does not depend on who executes the model, or on how many workers there are. Answers whether they found one.
fn compare_walks(loaded: &Loaded, expected: &Check, line: &str, out: &mut String) -> bool {
    let kinds = [
        (LassoSampling::Lasso, Uniform::Steps),
        (LassoSampling::Lasso, Uniform::States),
        (LassoSampling::MultiLasso, Uniform::Transitions),
        (LassoSampling::Biased(1.0), Uniform::Transitions),
        (LassoSampling::Splitting(3), Uniform::Steps),
    ];
    let mut found = false;
    for (sampling, uniform) in kinds {
        let walks = Wishes {
            search: Some(SearchId::MonteCarlo),
            seed: Some(5),
            sampling: Some(sampling),
            uniform: Some(uniform),
            max_length: Some(10_000),
            walks: Some(WALKS),
            max_errors: Some(3),
            ..Wishes::default()
        };
        let mut first = None;
        for (exec, workers) in [(Exec::Both, 1), (Exec::Jit, 2), (Exec::Interpreter, 1)] {
            let wishes = Wishes {
                exec: Some(exec),
                workers: Some(workers),
                ..walks.clone()
            };
            let way = format!("{sampling:?}, {uniform:?}, {exec:?}");
            let outcome = match check(loaded, expected, &wishes) {
                Ok(outcome) => outcome,
                Err(error) => {
                    let _ = writeln!(out, "  {line}: {way}: {error}");
                    continue;
                }
            };
            let is_violated = matches!(outcome.verdict, Verdict::Violated(_));
            let is_right = match outcome.verdict {
                Verdict::Violated(_) => expected.verdict == "violated",
                Verdict::Holds(_) => outcome.walks.is_none() && expected.verdict == "holds",
                _ => matches!(outcome.verdict, Verdict::NoViolationFound(_)),
            };
            found |= is_violated;
            let sampled = outcome.walks.map(|walks| Walked {
                sampled: Sampled {
                    elapsed: Duration::ZERO,
                    memory_bytes: 0,
                    ..walks.sampled
                },
                ..walks
            });
            let is_same = first.get_or_insert(sampled.clone()) == &sampled;
            if !is_right || !is_same {
                let verdict = outcome.verdict.word();
                let _ = writeln!(out, "  {line}: {way}: {verdict}\n{sampled:?}\n{first:?}");
            }
        }
    }
    found
}

/// Random lassos agree with the headers of all models, and find most violations.
#[test]
fn random_lassos_have_their_verdicts() {
    let mut failures = String::new();
    let (mut violated, mut found) = (0, 0);
    for path in common::all_models() {
        let facts = common::facts(&path);
        let args = facts.iter().find(|(k, _)| k == "args");
        let options = common::load_options(args.map_or("", |(_, v)| v));
        let Ok(mut loaded) = LANGUAGES.load(&path, &options) else {
            continue;
        };
        let mut out = String::new();
        for (_, line) in facts.iter().filter(|(k, _)| k == "check") {
            let Ok(check) = parse(&mut loaded, line) else {
                continue;
            };
            if check.fairness == Fairness::None {
                violated += u32::from(check.verdict == "violated");
                found += u32::from(compare_walks(&loaded, &check, line, &mut out));
            }
        }
        if !out.is_empty() {
            let _ = writeln!(failures, "{}\n{out}", path.display());
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(found * 10 > violated * 9, "{found} of {violated}");
}

#[test]
fn properties_have_their_verdicts() {
    let mut failures = String::new();
    let mut checks = 0;
    for path in common::all_models() {
        let (count, difference) = differences(&path);
        checks += count;
        if !difference.is_empty() {
            let _ = writeln!(failures, "{}\n{difference}", path.display());
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(checks >= 100, "only {checks} checks found");
}
