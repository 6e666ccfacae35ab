//! Verdicts that must never be said too early.

use std::time::Duration;

use lariat::check::{CheckOptions, SearchOrder, check};
use lariat::engine::Engine;
use lariat::load::{LoadOptions, load_text};
use lariat_report::outcome::{Guarantee, PropertyResult, StoppedBy, Verdict};

fn run(text: &str, options: &CheckOptions) -> PropertyResult {
    let model = load_text("test.pml", text.into(), &LoadOptions::default()).unwrap();
    check(&model, options, &mut ()).unwrap().result
}

fn stopped_by(result: &PropertyResult) -> Option<StoppedBy> {
    match result.guarantee {
        Guarantee::PartialCoverage { stopped_by, .. } => Some(stopped_by),
        _ => None,
    }
}

const ORDERS: [SearchOrder; 2] = [SearchOrder::Breadth, SearchOrder::Depth];

/// The only error is behind an atomic sequence that takes longer than there is time: the search
/// ends inside its first expansion and has seen nothing.
#[test]
fn a_search_that_ends_inside_an_expansion_is_no_proof() {
    let text = "int x;
        init { atomic { for (x : 1 .. 1000000000) { skip } }; assert(false) }";
    for order in ORDERS {
        for seed in [None, Some(1)] {
            let mut options = CheckOptions {
                order,
                seed,
                ..CheckOptions::default()
            };
            options.budget.time = Some(Duration::from_millis(100));
            let result = run(text, &options);
            assert_eq!(result.verdict, Verdict::Exhausted, "{order:?}");
            assert_eq!(stopped_by(&result), Some(StoppedBy::Time));
        }
    }
}

/// An expansion with more edges than fit into the memory.
#[test]
fn an_expansion_that_does_not_fit_is_no_proof() {
    let choice = "if :: x = x + x :: x = x + x + 1 fi;";
    let text = format!(
        "int x; int pad[100]; init {{ atomic {{ x = 1; {} skip }}; assert(false) }}",
        choice.repeat(20)
    );
    for order in ORDERS {
        let mut options = CheckOptions {
            order,
            // Merged with the sequence before it, the assertion would fail soon enough.
            engine: Engine::unreduced(),
            ..CheckOptions::default()
        };
        options.budget.memory = Some(16 << 20);
        let result = run(&text, &options);
        assert_eq!(result.verdict, Verdict::Exhausted, "{order:?}");
        assert_eq!(stopped_by(&result), Some(StoppedBy::Memory));
        assert!(result.memory_bytes <= 16 << 20, "{}", result.memory_bytes);
    }
}

/// What was found before the budget ended is still an error, and the count is not called complete.
#[test]
fn an_error_stays_an_error_when_the_budget_ends() {
    let text = "int x; active proctype P() { do :: x++; assert(x != 3) od }";
    let mut options = CheckOptions {
        all_errors: true,
        ..CheckOptions::default()
    };
    options.budget.states = Some(100);
    let result = run(text, &options);
    assert_eq!(result.verdict, Verdict::Violated);
    assert_eq!(
        result.guarantee,
        Guarantee::ReplayedCounterexample {
            shortest: true,
            complete: false
        }
    );
    assert!(result.unreached.is_empty());
}

/// When the time is over, what was found is still replayed, however long its steps are.
#[test]
fn an_error_is_replayed_after_the_time_is_over() {
    let text = "int x, y;
        active proctype P() { d_step { do :: x < 20000 -> x++ :: else -> break od }; assert(false) }
        active proctype Q() { do :: y++ od }";
    let mut options = CheckOptions {
        all_errors: true,
        ..CheckOptions::default()
    };
    options.budget.time = Some(Duration::from_millis(300));
    let result = run(text, &options);
    assert_eq!(result.verdict, Verdict::Violated);
}
