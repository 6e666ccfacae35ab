//! Every `check:` line in the header of a model is carried out, and its verdict is compared.
//!
//! `//@ check: --ltl p --fair weak => violated` means that `lariat check` with these options finds
//! a violation. Each line is checked with every search that can do it, and in several orders. What
//! stands behind `states` is the number of states of the product in a full nested depth-first
//! search. Words in parentheses at the end are for the comparison with SPIN.

use std::fmt::Write as _;
use std::path::Path;

use lariat::engine::{Engine, Exec, StoreKind};
use lariat::liveness::{LivenessOptions, Method, check_property};
use lariat::load::{Loaded, load};
use lariat::property::{Kind, Question};
use lariat::walks::{Goal, Walks};
use lariat_ir::space::Fairness;
use lariat_report::outcome::{PropertyResult, SamplingResult, Verdict};
use lariat_search::{LassoSampling, Sampling, StoringRule, Uniform, WalkOptions};

use crate::common;

/// What a header says about a property.
struct Check {
    question: Question,
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
    let mut question = None;
    let mut fairness = Fairness::None;
    let mut words = words(args).into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} without a value"));
        match word.as_str() {
            "--ltl" => question = Some(named(loaded, Kind::Ltl, Some(&value()?))?),
            "--never" => question = Some(named(loaded, Kind::Never, None)?),
            "--formula" => {
                let text = value()?;
                let parsed = loaded.formula(&text);
                question = Some(parsed.map_err(|e| format!("{:?}", e.diagnostics))?);
            }
            "--acceptance" => question = Some(Question::acceptance()),
            "--non-progress" => question = Some(Question::non_progress()),
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
        question: question.ok_or("no property")?,
        fairness,
        verdict: verdict.trim().to_string(),
        states,
    })
}

fn named(loaded: &Loaded, kind: Kind, name: Option<&str>) -> Result<Question, String> {
    loaded
        .questions()
        .filter_map(Result::ok)
        .find(|q| q.kind == kind && name.is_none_or(|n| q.name == n))
        .ok_or_else(|| format!("no property {} {}", kind.word(), name.unwrap_or("")))
}

/// Checks a property in one way. What is found has been replayed.
fn check(
    loaded: &Loaded,
    check: &Check,
    options: &LivenessOptions,
) -> Result<PropertyResult, String> {
    match check_property(loaded, &check.question, options, &mut ()) {
        Ok(checked) => Ok(checked.result),
        Err(error) => Err(format!("{error:?}")),
    }
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
    let mut loaded = match load(path, &options) {
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
    let plain = Engine {
        exec: Exec::Interpreter,
        store: StoreKind::Flat,
        ..Engine::unreduced()
    };
    let reduced = Engine::default();
    let fast = Engine::unreduced();
    let both = Engine {
        exec: Exec::Both,
        workers: 2,
        alone: 0,
        ..Engine::unreduced()
    };
    let forgetful = |rule| Engine {
        store: StoreKind::Sample(Sampling { rule, seed: 4 }),
        ..Engine::default()
    };
    let dynamic = forgetful(StoringRule::Dynamic(0.3));
    let fixed = forgetful(StoringRule::Static(0.9));
    let ways = [
        (Method::Nested, None, false, &dynamic),
        (Method::Nested, Some(7), false, &fixed),
        (Method::ReSt, None, false, &dynamic),
        (Method::Auto, None, false, &reduced),
        (Method::Auto, None, true, &fast),
        (Method::Auto, Some(9), false, &both),
        (Method::Nested, None, false, &plain),
        (Method::Nested, Some(3), false, &fast),
        (Method::Nested, None, false, &both),
        (Method::Components, None, false, &plain),
        (Method::Components, Some(5), false, &fast),
        (Method::Components, Some(6), false, &both),
        (Method::Components, None, false, &reduced),
    ];
    for (method, seed, shortest, engine) in ways {
        let is_nested = matches!(method, Method::Nested | Method::ReSt);
        if is_nested && expected.fairness != Fairness::None {
            continue;
        }
        let options = LivenessOptions {
            method,
            seed,
            shortest,
            fairness: expected.fairness,
            engine: engine.clone(),
            ..LivenessOptions::default()
        };
        let way = format!("{method:?}, seed {seed:?}, shortest {shortest}, {engine:?}");
        match check(loaded, expected, &options) {
            Err(error) => {
                let _ = writeln!(out, "  {line}: {way}: {error}");
            }
            Ok(result) => {
                let verdict = result.verdict.word();
                if verdict != expected.verdict {
                    let _ = writeln!(out, "  {line}: {way}: {verdict}");
                }
                let states = result.states_stored;
                let counts = method == Method::Nested && result.storing.is_none();
                if counts && expected.states.is_some_and(|s| s != states) {
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
        let goal = Goal::Test {
            epsilon: None,
            delta: 0.01,
            errors: 3,
        };
        let walks = Walks {
            options: WalkOptions {
                seed: 5,
                sampling,
                uniform,
                max_length: 10_000,
                ..WalkOptions::default()
            },
            goal,
            most: Some(WALKS),
        };
        let mut first = None;
        for (exec, workers) in [(Exec::Both, 1), (Exec::Jit, 2), (Exec::Interpreter, 1)] {
            let options = LivenessOptions {
                walks: Some(walks),
                engine: Engine {
                    exec,
                    workers,
                    ..Engine::default()
                },
                ..LivenessOptions::default()
            };
            let way = format!("{sampling:?}, {uniform:?}, {exec:?}");
            let result = match check(loaded, expected, &options) {
                Ok(result) => result,
                Err(error) => {
                    let _ = writeln!(out, "  {line}: {way}: {error}");
                    continue;
                }
            };
            let is_right = match result.verdict {
                Verdict::Violated => expected.verdict == "violated",
                verdict => verdict == Verdict::NoViolationFound,
            };
            found |= result.verdict == Verdict::Violated;
            let sampled = result.sampling.map(|sampling| SamplingResult {
                steps_per_second: 0.0,
                ..sampling
            });
            let is_same = first.get_or_insert(sampled.clone()) == &sampled;
            if !is_right || !is_same {
                let verdict = result.verdict.word();
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
        let Ok(mut loaded) = load(&path, &options) else {
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
