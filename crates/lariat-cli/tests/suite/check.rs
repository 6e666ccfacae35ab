//! Verdicts that must never be said too early.

use std::time::Duration;

use lariat::LANGUAGES;
use lariat_check::outcome::{Outcome, Verdict};
use lariat_check::task::Wishes;
use lariat_front::LoadOptions;
use lariat_ir::space::Checks;
use lariat_search::{Budget, SearchId, Stop};

use crate::api::{check_safety, searches, unreduced};

fn run(text: &str, wishes: &Wishes, budget: &Budget) -> Outcome {
    let model = LANGUAGES.load_text("test.pml", text.into(), &LoadOptions::default());
    check_safety(&model.unwrap(), Checks::default(), wishes, budget).unwrap()
}

/// What ended a search that could not say anything.
fn stopped_by(outcome: &Outcome) -> Option<Stop> {
    match &outcome.verdict {
        Verdict::Exhausted(coverage) => Some(coverage.stopped_by),
        _ => None,
    }
}

/// The searches for errors that visit every state.
pub fn every_search() -> Vec<SearchId> {
    searches(|info| info.faults && !info.is_walk())
}

/// The only error is behind an atomic sequence that takes longer than there is time: the search
/// ends inside its first expansion and has seen nothing.
#[test]
fn a_search_that_ends_inside_an_expansion_is_no_proof() {
    let text = "int x;
        init { atomic { for (x : 1 .. 1000000000) { skip } }; assert(false) }";
    for search in every_search() {
        for seed in [None, Some(1)] {
            let wishes = Wishes {
                search: Some(search),
                seed,
                ..Wishes::default()
            };
            let budget = Budget {
                time: Some(Duration::from_millis(100)),
                ..Budget::default()
            };
            let outcome = run(text, &wishes, &budget);
            assert_eq!(stopped_by(&outcome), Some(Stop::Time), "{search:?}");
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
    for search in every_search() {
        // Merged with the sequence before it, the assertion would fail soon enough.
        let wishes = Wishes {
            search: Some(search),
            ..unreduced()
        };
        let budget = Budget {
            memory: Some(16 << 20),
            ..Budget::default()
        };
        let outcome = run(&text, &wishes, &budget);
        assert_eq!(stopped_by(&outcome), Some(Stop::Memory), "{search:?}");
        let bytes = outcome.statistics.memory_bytes;
        assert!(bytes <= 16 << 20, "{bytes}");
    }
}

/// What was found before the budget ended is still an error, and the count is not called complete.
#[test]
fn an_error_stays_an_error_when_the_budget_ends() {
    let text = "int x; active proctype P() { do :: x++; assert(x != 3) od }";
    let budget = Budget {
        states: Some(100),
        ..Budget::default()
    };
    let outcome = run(text, &all_errors(), &budget);
    let Verdict::Violated(violations) = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert!(violations.shortest && !violations.complete);
    assert!(outcome.unreached.is_empty());
}

/// When the time is over, what was found is still replayed, however long its steps are.
#[test]
fn an_error_is_replayed_after_the_time_is_over() {
    let text = "int x, y;
        active proctype P() { d_step { do :: x < 20000 -> x++ :: else -> break od }; assert(false) }
        active proctype Q() { do :: y++ od }";
    let budget = Budget {
        time: Some(Duration::from_millis(300)),
        ..Budget::default()
    };
    let outcome = run(text, &all_errors(), &budget);
    assert!(matches!(outcome.verdict, Verdict::Violated(_)));
}

fn all_errors() -> Wishes {
    Wishes {
        all_errors: true,
        ..Wishes::default()
    }
}
