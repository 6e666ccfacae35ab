//! Fairness as it is built into the search, against fairness written as a formula.
//!
//! A run is weakly fair if for every process `<>[] enabled(i)` implies `[]<> (_last == i)`, strongly
//! fair if `[]<> enabled(i)` does. So a property holds of all fair runs if and only if it holds of
//! all runs with these formulas as its premise. The two ways have nothing in common but the
//! interpreter: acceptance marks and components here, a larger automaton there.

use lariat::LANGUAGES;
use lariat_check::properties;
use lariat_check::task::Wishes;
use lariat_front::{LoadOptions, Loaded};
use lariat_search::SearchId;

use crate::api::check_runs;
use lariat_ir::space::Fairness;
use lariat_stats::{Rng, stream};

const MODELS: u64 = 150;

/// A model of two or three processes that loop, wait for each other, and may end.
fn model(rng: &mut Rng) -> (String, usize) {
    let processes = 2 + rng.below(2) as usize;
    let mut text = String::from("byte x, y;\n");
    for index in 0..processes {
        text.push_str(&format!("active proctype P{index}() {{\n  do\n"));
        for _ in 0..1 + rng.below(3) {
            text.push_str(&format!("  :: {} -> {}\n", guard(rng), effect(rng)));
        }
        if rng.below(3) == 0 {
            text.push_str(&format!("  :: {} -> break\n", guard(rng)));
        }
        text.push_str("  od\n}\n");
    }
    (text, processes)
}

fn variable(rng: &mut Rng) -> &'static str {
    ["x", "y"][rng.below(2) as usize]
}

fn guard(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => "true".into(),
        1 => format!("{} != {}", variable(rng), rng.below(3)),
        _ => format!("{} == {}", variable(rng), rng.below(3)),
    }
}

fn effect(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => "skip".into(),
        1 => format!("{v} = ({v} + 1) % 3", v = variable(rng)),
        _ => format!("{} = {}", variable(rng), rng.below(3)),
    }
}

fn property(rng: &mut Rng) -> String {
    let (p, q) = (guard(rng), guard(rng));
    match rng.below(6) {
        0 => format!("[]<>({p})"),
        1 => format!("<>[]({p})"),
        2 => format!("[](({p}) -> <>({q}))"),
        3 => format!("<>({p})"),
        4 => format!("[]<>({p}) -> []<>({q})"),
        _ => format!("({p}) U ({q})"),
    }
}

fn premise(fairness: Fairness, processes: usize) -> String {
    let enabled = if fairness == Fairness::Weak {
        "<>[]"
    } else {
        "[]<>"
    };
    let one = |i| format!("({enabled}(enabled({i})) -> []<>(_last == {i}))");
    (0..processes).map(one).collect::<Vec<_>>().join(" && ")
}

fn verdict(
    loaded: &mut Loaded,
    formula: &str,
    fairness: Fairness,
    search: Option<SearchId>,
) -> &'static str {
    let property = properties::formula(loaded, formula)
        .unwrap_or_else(|e| panic!("{formula}: {:?}", e.diagnostics));
    let wishes = Wishes {
        fairness: Some(fairness),
        search,
        workers: Some(1),
        ..Wishes::default()
    };
    let outcome = check_runs(loaded, &property, &wishes);
    outcome.expect("a replayed outcome").verdict.word()
}

#[test]
fn fairness_is_what_its_formula_says() {
    let mut verdicts = [0; 3];
    for number in 0..MODELS {
        let mut rng = stream(11, "fair models", number);
        let (text, processes) = model(&mut rng);
        let formula = property(&mut rng);
        let options = LoadOptions::default();
        let mut loaded = LANGUAGES
            .load_text("random.pml", text.clone(), &options)
            .expect("a model");
        let plain = verdict(&mut loaded, &formula, Fairness::None, None);
        for fairness in [Fairness::Weak, Fairness::Strong] {
            let built_in = verdict(&mut loaded, &formula, fairness, None);
            let whole = format!("({}) -> ({formula})", premise(fairness, processes));
            let written = verdict(&mut loaded, &whole, Fairness::None, None);
            assert_eq!(
                built_in, written,
                "model {number}, {fairness:?}: {formula}\n{text}"
            );
            let fewer_runs = plain == "holds" && built_in != "holds";
            assert!(
                !fewer_runs,
                "model {number}: fairness adds a violation\n{text}"
            );
            let changed = plain != built_in;
            verdicts
                [usize::from(changed) + usize::from(changed && fairness == Fairness::Strong)] += 1;
        }
    }
    // The test is worth nothing if fairness never matters.
    assert!(verdicts.iter().all(|&n| n > 5), "{verdicts:?}");
}
