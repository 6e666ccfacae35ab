//! Random models, compared with what is true of their graphs.

use crate::oracle::{NAMES, Table};
use lariat::{Checker, Fairness, Model, Outcome, Verdict};
use lariat_ltl::{Formulas, print, random};
use lariat_stats::Rng;

fn expected(holds: bool) -> Verdict {
    match holds {
        true => Verdict::Holds,
        false => Verdict::Violated,
    }
}

fn verdict<M: Model>(outcome: &Outcome<M>, name: &str) -> Verdict {
    outcome.property(name).unwrap().verdict
}

/// The run of a property is one of the table.
fn assert_is_run(table: &Table, outcome: &Outcome<Table>, name: &str) {
    let Some(path) = outcome.path(name) else {
        panic!("no run for {name}: {outcome}");
    };
    assert!(table.initial.contains(&path.states[0]));
    assert_eq!(path.states.len(), path.actions.len() + 1);
    for (states, action) in path.states.windows(2).zip(&path.actions) {
        assert_eq!(table.next(&states[0], action), Some(states[1]));
    }
    let last = *path.states.last().unwrap();
    match path.loop_start {
        Some(start) if start + 1 == path.states.len() => assert!(table.is_end(last)),
        Some(start) => assert_eq!(path.states[start], last),
        None => {}
    }
}

#[test]
fn conditions_on_states() {
    let mut rng = Rng::new(3);
    for round in 0..300 {
        let table = Table::random(&mut rng);
        let checker = Checker::new(table.clone())
            .always("p always", |table, state| table.holds(*state, 0))
            .reachable("q and r", |table, state| {
                table.holds(*state, 1) && table.holds(*state, 2)
            })
            .deadlock_free("ends with p", |table, state| table.holds(*state, 0))
            .always("p or q", |table, state| {
                table.holds(*state, 0) || table.holds(*state, 1)
            });
        let checker = match round % 4 {
            0 => checker.threads(1),
            1 => checker.threads(2),
            2 => checker.search("dfs").threads(1),
            _ => checker.store("tree").seed(round),
        };
        let outcome = checker.run().unwrap();
        let states = table.reachable();
        let check = |name, holds: bool, shows_run: bool| {
            let context = || format!("{table:?}\n{outcome}");
            assert_eq!(verdict(&outcome, name), expected(holds), "{}", context());
            if shows_run {
                assert_is_run(&table, &outcome, name);
            }
        };
        let always = states.iter().all(|&s| table.holds(s, 0));
        check("p always", always, !always);
        let both = states
            .iter()
            .any(|&s| table.holds(s, 1) && table.holds(s, 2));
        check("q and r", both, both);
        let ends = states
            .iter()
            .all(|&s| !table.is_end(s) || table.holds(s, 0));
        check("ends with p", ends, !ends);
        let either = states
            .iter()
            .all(|&s| table.holds(s, 0) || table.holds(s, 1));
        check("p or q", either, !either);
    }
}

fn formula(rng: &mut Rng) -> (Formulas, lariat_ltl::Formula, String) {
    let mut formulas = Formulas::new();
    let size = 2 + rng.below(8) as u32;
    let mut below = |bound: u32| rng.below(u64::from(bound)) as u32;
    let operators = random::Operators::All;
    let atoms = NAMES.len() as u32;
    let formula = random::formula(&mut formulas, size, atoms, operators, &mut below);
    let text = print::spin(&formulas, formula);
    (formulas, formula, text)
}

#[test]
fn formulas_with_and_without_fairness() {
    let mut rng = Rng::new(4);
    let mut violated = [0; 3];
    for round in 0..600 {
        let table = Table::random(&mut rng);
        let (formulas, formula, text) = formula(&mut rng);
        let all = [Fairness::None, Fairness::Weak, Fairness::Strong];
        for (index, fairness) in all.into_iter().enumerate() {
            let checker = Checker::new(table.clone())
                .ltl("formula", &text)
                .fair(fairness);
            let checker = match (round % 5, fairness) {
                (0, _) | (_, Fairness::Strong) => checker,
                (1, _) => checker.threads(2).with(|wishes| wishes.alone = Some(0)),
                (2, Fairness::None) => checker.search("ndfs"),
                (3, _) => checker.shortest(),
                _ => checker.search("scc").seed(round),
            };
            let context = || format!("{text} {fairness:?}\n{table:?}");
            let outcome = checker
                .run()
                .unwrap_or_else(|error| panic!("{error}: {}", context()));
            let holds = table.satisfies(&formulas, formula, fairness);
            let verdict = verdict(&outcome, "formula");
            assert_eq!(verdict, expected(holds), "{}\n{outcome}", context());
            if !holds {
                violated[index] += 1;
                assert_is_run(&table, &outcome, "formula");
            }
        }
    }
    assert!(violated.iter().all(|&count| count > 100), "{violated:?}");
}

#[test]
fn eventually_and_leads_to() {
    let mut rng = Rng::new(5);
    for _ in 0..200 {
        let table = Table::random(&mut rng);
        let outcome = Checker::new(table.clone())
            .eventually("p", |table, state| table.holds(*state, 0))
            .leads_to("p to q", |t, s| t.holds(*s, 0), |t, s| t.holds(*s, 1))
            .always("q", |table, state| table.holds(*state, 1))
            .fair(Fairness::Weak)
            .run()
            .unwrap();
        let mut formulas = Formulas::new();
        let (p, q) = (formulas.atom(NAMES[0]), formulas.atom(NAMES[1]));
        let eventually = formulas.eventually(p);
        let later = formulas.eventually(q);
        let implied = formulas.implies(p, later);
        let leads_to = formulas.always(implied);
        for (name, formula) in [("p", eventually), ("p to q", leads_to)] {
            let holds = table.satisfies(&formulas, formula, Fairness::Weak);
            let verdict = verdict(&outcome, name);
            assert_eq!(verdict, expected(holds), "{table:?}\n{outcome}");
        }
    }
}

/// What random walks find is there; what they do not find is not claimed to hold.
#[test]
fn random_walks() {
    let mut rng = Rng::new(6);
    let mut found = 0;
    for seed in 0..100 {
        let table = Table::random(&mut rng);
        let outcome = Checker::new(table.clone())
            .always("p", |table, state| table.holds(*state, 0))
            .always("q", |table, state| table.holds(*state, 1))
            .ltl("formula", "G F p0 || F G !p1")
            .walks(50)
            .seed(seed)
            .run()
            .unwrap();
        for name in ["p", "q", "formula"] {
            match verdict(&outcome, name) {
                Verdict::Violated => {
                    found += 1;
                    assert_is_run(&table, &outcome, name);
                }
                Verdict::Holds => panic!("walks are no proof: {outcome}"),
                _ => {}
            }
        }
        let always = table.reachable().iter().all(|&s| table.holds(s, 0));
        assert!(!(always && outcome.is_violated("p")));
    }
    assert!(found > 50, "{found}");
}
