//! Budgets of replays, and models that need more than usual.

use lariat::LANGUAGES;
use lariat_check::outcome::{Outcome, Verdict};
use lariat_check::properties;
use lariat_check::task::Wishes;
use lariat_front::{LoadOptions, Loaded};
use lariat_ir::space::{Checks, Fairness};
use lariat_search::{Budget, SearchId, Stop};

use crate::api::{check_runs, check_runs_within, check_safety};

fn load(text: &str) -> Loaded {
    let loaded = LANGUAGES.load_text("test.pml", text.into(), &LoadOptions::default());
    loaded.unwrap()
}

/// 300 processes that are created, each of which sets `n` to a number of its own.
const MANY: &str = "byte n; bool go; int j;
    proctype W(int id) { end: do :: atomic { go && n != id % 3 -> n = id % 3 } od }
    init { atomic { do :: j < 300 -> run W(j); j++ :: else -> break od }; go = true }";

#[test]
fn fairness_has_no_limit_of_processes() {
    use Fairness::{None, Strong, Weak};
    let holds = [
        ("<> go", [(None, true), (Weak, true), (Strong, true)]),
        (
            "[]<> (n == 1)",
            [(None, false), (Weak, true), (Strong, true)],
        ),
        (
            "<>[] (n != 1)",
            [(None, false), (Weak, false), (Strong, false)],
        ),
    ];
    let mut loaded = load(MANY);
    for (text, verdicts) in holds {
        let property = properties::formula(&mut loaded, text).unwrap();
        for (fairness, holds) in verdicts {
            let wishes = Wishes {
                fairness: Some(fairness),
                ..Wishes::default()
            };
            let outcome = check_runs(&loaded, &property, &wishes).unwrap();
            let word = if holds { "holds" } else { "violated" };
            assert_eq!(outcome.verdict.word(), word, "{text} {fairness:?}");
        }
    }
}

/// An error behind 30,000 steps; and a run that comes back after as many.
const LONG: &str = "int x;
    active proctype P() { do :: x < 30000 -> x++ :: else -> x = 0; assert(x > 0) od }";

const MEGABYTE: u64 = 1 << 20;

fn within(megabytes: u64) -> Budget {
    Budget {
        memory: Some(megabytes * MEGABYTE),
        ..Budget::default()
    }
}

/// Whether something was found that could not be replayed; otherwise it was.
fn is_unreplayed(outcome: &Outcome) -> bool {
    match &outcome.verdict {
        Verdict::Exhausted(coverage) => {
            assert_eq!(coverage.stopped_by, Stop::Memory);
            assert!(coverage.unreplayed, "the search itself has ended");
            true
        }
        Verdict::Violated(_) => false,
        other => panic!("{}", other.word()),
    }
}

/// What was found is no violation before it was replayed, and the memory for that is limited.
#[test]
fn a_counterexample_that_is_too_long_for_the_memory_is_not_replayed() {
    let mut loaded = load(LONG);
    let dfs = Wishes {
        search: Some(SearchId::Dfs),
        workers: Some(1),
        ..Wishes::default()
    };
    let safety = |megabytes| {
        let outcome = check_safety(&loaded, Checks::default(), &dfs, &within(megabytes));
        is_unreplayed(&outcome.unwrap())
    };
    assert!(safety(4));
    assert!(!safety(64));
    let ndfs = Wishes {
        search: Some(SearchId::Ndfs),
        ..dfs.clone()
    };
    let property = properties::formula(&mut loaded, "<>[](x == 1)").unwrap();
    let runs = |megabytes| {
        let outcome = check_runs_within(&loaded, &property, &ndfs, &within(megabytes));
        is_unreplayed(&outcome.unwrap())
    };
    assert!(runs(6));
    assert!(!runs(64));
}

/// A model that needs more memory than there is is refused, with a word about what would help.
#[test]
fn a_model_that_is_too_large_for_the_memory_is_refused() {
    let options = |memory| LoadOptions {
        memory,
        ..LoadOptions::default()
    };
    let skips = |n| format!("active proctype P() {{ {} }}", "skip; ".repeat(n));
    let inlines = |n| {
        let calls = "f(); ".repeat(n);
        format!("int x; inline f() {{ x = 1; x = 2; x = 3 }} active proctype P() {{ {calls} }}")
    };
    let dve = |n| {
        let states = (0..n).map(|i| format!("s{i},")).collect::<String>();
        format!("process P {{ state {states} q; init q; }} system async;")
    };
    let load = |name: &str, text: String, memory| LANGUAGES.load_text(name, text, &options(memory));
    let all: [(&str, &dyn Fn(usize) -> String); 3] = [
        ("test.pml", &skips),
        ("test.pml", &inlines),
        ("test.dve", &dve),
    ];
    for (name, make) in all {
        let small = Some(10 * MEGABYTE);
        assert!(load(name, make(1000), small).is_ok());
        assert!(load(name, make(14_000), Some(1 << 30)).is_ok());
        let error = load(name, make(14_000), small).unwrap_err();
        let help = error.diagnostics.iter().flat_map(|d| d.help.iter());
        assert!(help.into_iter().any(|help| help.contains("--memory")));
    }
}
