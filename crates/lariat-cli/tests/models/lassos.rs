//! Random lassos find the violations that the headers speak of, and no others.

use std::fmt::Write as _;
use std::time::Duration;

use lariat::LANGUAGES;
use lariat_check::outcome::Verdict;
use lariat_check::system::Exec;
use lariat_check::task::Wishes;
use lariat_front::Loaded;
use lariat_ir::space::Fairness;
use lariat_search::{LassoSampling, Sampled, SearchId, Uniform, Walked};
use lariat_testkit::files::ModelFile;
use lariat_testkit::harness::empty;

use crate::checks::Check;

/// Violations that so few walks do not find: the model, and the check in its header.
const RARE: [(&str, &str); 3] = [
    ("examples/ferry.dve", "--formula '[]<>Car_0.aboard'"),
    (
        "models/promela/liveness/filter_lock_three.pml",
        "--ltl first_enters",
    ),
    (
        "models/promela/liveness/ticket_lock.pml",
        "--ltl first_enters",
    ),
];

pub fn test(model: &ModelFile) -> Result<(), String> {
    let mut loaded = model.load(&LANGUAGES)?;
    let mut out = String::new();
    for check in Check::all(&model.header, &mut loaded)? {
        if check.fairness != Fairness::None {
            continue;
        }
        let found = compare(&loaded, &check, &mut out);
        let line = check.line.check.to_string();
        let is_rare = RARE.contains(&(&model.name(), &line));
        if found == (check.line.holds || is_rare) {
            let _ = writeln!(out, "{line}: found: {found}");
        }
    }
    empty(out)
}

/// So many random lassos are drawn for each property.
const WALKS: u64 = 150;

/// Draws random lassos. They find violations only where there are some, which the replay sees to; and what they
/// count does not depend on who executes the model, or on how many workers there are. Answers whether they found one.
fn compare(loaded: &Loaded, expected: &Check, out: &mut String) -> bool {
    let line = &expected.line;
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
            let outcome = match expected.run(loaded, &wishes) {
                Ok(outcome) => outcome,
                Err(error) => {
                    let _ = writeln!(out, "{line}: {way}: {error}");
                    continue;
                }
            };
            let is_violated = matches!(outcome.verdict, Verdict::Violated(_));
            let is_right = match outcome.verdict {
                Verdict::Violated(_) => !line.holds,
                Verdict::Holds(_) => outcome.walks.is_none() && line.holds,
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
                let _ = writeln!(out, "{line}: {way}: {verdict}\n{sampled:?}\n{first:?}");
            }
        }
    }
    found
}
