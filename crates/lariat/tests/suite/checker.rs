//! The checker: errors, budgets, and what people see.

use lariat::{Checker, Encode, Error, Fairness, Model, Proposition, Stop, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Counters, each of which goes up to a limit.
struct Grid {
    counters: usize,
    limit: u8,
    initial: Vec<Vec<u8>>,
}

impl Grid {
    fn new(counters: usize, limit: u8) -> Self {
        Grid {
            counters,
            limit,
            initial: vec![vec![0; counters]],
        }
    }
}

#[derive(Debug, Encode)]
struct State {
    counters: Vec<u8>,
}

#[derive(Debug)]
enum Action {
    Increment(usize),
}

impl Model for Grid {
    type State = State;
    type Action = Action;

    fn init(&self) -> Vec<State> {
        let state = |counters: &Vec<u8>| State {
            counters: counters.clone(),
        };
        self.initial.iter().map(state).collect()
    }

    fn actions(&self, _: &State, actions: &mut Vec<Action>) {
        actions.extend((0..self.counters).map(Action::Increment));
    }

    fn next(&self, state: &State, &Action::Increment(index): &Action) -> Option<State> {
        let mut counters = state.counters.clone();
        counters[index] += 1;
        (counters[index] <= self.limit).then_some(State { counters })
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![Proposition::new("all zero", |_, state: &State| {
            state.counters.iter().all(|&n| n == 0)
        })]
    }
}

#[test]
fn states_are_counted_exactly() {
    for threads in [1, 2] {
        let outcome = Checker::new(Grid::new(4, 9))
            .always("bounded", |grid, state| {
                state.counters.iter().all(|&n| n <= grid.limit)
            })
            .threads(threads)
            .run()
            .unwrap();
        outcome.assert_holds();
        let statistics = &outcome.properties()[0].statistics;
        assert_eq!(statistics.states_stored, 10_000);
    }
}

fn panic_message(action: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(action)).unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn a_failed_assertion_prints_the_run() {
    let outcome = Checker::new(Grid::new(2, 3))
        .always("first below two", |_, state| state.counters[0] < 2)
        .reachable("corner", |_, state| state.counters == [3, 3])
        .eventually("second is one", |_, state| state.counters == [0, 1])
        .run()
        .unwrap();
    let text = panic_message(|| outcome.assert_holds());
    let run = "first below two: violated
  0  begin  | counters = [0, 0]
  1  Increment(0)  | counters[0] = 1
  2  Increment(0)  | counters[0] = 2
";
    assert!(text.contains(run), "{text}");
    assert!(
        text.contains("corner: holds (16 states), reached by"),
        "{text}"
    );
    assert!(text.contains("the run stays there for ever"), "{text}");
    let path = outcome.assert_violated("first below two");
    assert_eq!(path.states[2].counters, [2, 0]);
    let text = panic_message(|| drop(outcome.assert_violated("corner")));
    assert!(text.contains("\"corner\" is not violated"), "{text}");
}

#[test]
fn a_search_ends_when_everything_is_found() {
    let outcome = Checker::new(Grid::new(6, 20))
        .reachable("a step", |_, state| state.counters[0] == 1)
        .reachable("another", |_, state| state.counters[5] == 2)
        .always("not three", |_, state| state.counters[3] != 3)
        .run()
        .unwrap();
    assert!(outcome.holds("a step") && outcome.holds("another"));
    assert!(outcome.is_violated("not three"));
    assert!(outcome.properties()[0].statistics.states_stored < 10_000);
    assert_eq!(outcome.path("another").unwrap().actions.len(), 2);
}

#[test]
fn several_initial_states() {
    let mut grid = Grid::new(1, 2);
    grid.initial = vec![vec![2], vec![0], vec![1]];
    let outcome = Checker::new(grid)
        .ltl("begins at zero", "\"all zero\"")
        .ltl("stays at zero", "X \"all zero\"")
        .always("not one", |_, state| state.counters != [1])
        .eventually("not two", |_, state| state.counters != [2])
        .run()
        .unwrap();
    for name in ["begins at zero", "not one", "not two"] {
        assert_eq!(outcome.assert_violated(name).states.len(), 1, "{outcome}");
    }
    assert_eq!(outcome.assert_violated("not two").loop_start, Some(0));
    assert!(outcome.is_violated("stays at zero"));
}

#[test]
fn budgets_are_respected() {
    let large =
        || Checker::new(Grid::new(8, 100)).always("bounded", |_, state| state.counters.len() == 8);
    let verdict = |checker: Checker<Grid>| checker.run().unwrap().properties()[0].verdict;
    let cut = |stop| Verdict::Exhausted(Some(stop));
    assert_eq!(verdict(large().max_states(5000)), cut(Stop::States));
    assert_eq!(verdict(large().memory("8M")), cut(Stop::Memory));
    let started = Instant::now();
    let limited = large().time("200ms").memory("500M");
    assert_eq!(verdict(limited), cut(Stop::Time));
    assert!(started.elapsed() < Duration::from_secs(10));
    let outcome = large().max_states(100).run().unwrap();
    assert!(!outcome.all_hold());
    assert!(outcome.to_string().contains("not decided"), "{outcome}");
}

/// Depth-first searches over fingerprints find violations, and claim no proof.
#[test]
fn fingerprints_prove_nothing() {
    let checker = || Checker::new(Grid::new(2, 9)).store("compact:48");
    let verdict = |checker: Checker<Grid>| checker.run().unwrap().properties()[0].verdict;
    let below = |sum: u8| move |_: &Grid, state: &State| state.counters.iter().sum::<u8>() < sum;
    let safe = checker().search("dfs").always("sum", below(19));
    assert!(matches!(verdict(safe), Verdict::NothingFound(_)));
    let wrong = checker().search("dfs").always("sum", below(18));
    assert_eq!(verdict(wrong), Verdict::Violated);
    let run = checker().search("ndfs").ltl("leaves", "F !\"all zero\"");
    assert!(matches!(verdict(run), Verdict::NothingFound(_)));
    let run = checker().search("ndfs").ltl("stays", "G \"all zero\"");
    assert_eq!(verdict(run), Verdict::Violated);
}

fn message(checker: Checker<Grid>) -> String {
    checker.run().unwrap_err().to_string()
}

#[test]
fn mistakes_are_explained() {
    let checker = || Checker::new(Grid::new(1, 1));
    assert!(matches!(checker().run(), Err(Error::NoProperties)));
    let bounded = || checker().always("bounded", |_, _| true);
    let twice = bounded().always("bounded", |_, _| true);
    assert!(message(twice).contains("\"bounded\""));
    assert!(message(bounded().memory("lots")).contains("for example 2G"));
    assert!(message(bounded().time("soon")).contains("1h30m"));
    assert!(message(bounded().search("best")).contains("\"bfs\""));
    assert!(message(bounded().store("box")).contains("\"tree\""));
    assert!(message(checker().ltl("f", "G (p")).contains("f: "));
    let unknown = message(checker().ltl("f", "G \"all one\""));
    assert!(unknown.contains("\"all one\""), "{unknown}");
    assert!(unknown.contains("\"all zero\""), "{unknown}");
    let unfair = checker().ltl("f", "G \"all zero\"").fair(Fairness::Weak);
    assert!(message(unfair).contains("Model::actors"));
    let refused = message(bounded().search("ndfs"));
    assert!(refused.contains("`search` ndfs"), "{refused}");
    let mut empty = Grid::new(1, 1);
    empty.initial.clear();
    let nothing = Checker::new(empty).always("anything", |_, _| false);
    assert!(message(nothing).contains("Model::init"));
}

/// An actor whose number is too large.
struct TwoActors;

impl Model for TwoActors {
    type State = bool;
    type Action = usize;

    fn init(&self) -> Vec<bool> {
        vec![false]
    }

    fn actions(&self, _: &bool, actions: &mut Vec<usize>) {
        actions.extend([0, 1]);
    }

    fn next(&self, state: &bool, _: &usize) -> Option<bool> {
        Some(!state)
    }

    fn actors(&self) -> usize {
        1
    }

    fn actor(&self, action: &usize) -> Option<usize> {
        Some(*action)
    }
}

#[test]
fn actors_have_known_numbers() {
    let outcome = Checker::new(TwoActors)
        .ltl("never", "G \"false\"")
        .proposition("false", |_, state| !*state)
        .fair(Fairness::Strong)
        .run();
    assert!(matches!(outcome, Err(Error::Model(message)) if message.contains("answers 1")));
}
