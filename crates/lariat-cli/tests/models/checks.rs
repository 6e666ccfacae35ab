//! Every `check:` line in the header of a model is carried out with every search that can do it, in several orders.
//!
//! `//@ check: --ltl p --fair weak => violated` means that `lariat check` with these options finds a violation. What
//! stands behind `states` is the number of states of the product in a full nested depth-first search.

use std::fmt::Write as _;

use lariat::LANGUAGES;
use lariat_check::outcome::Outcome;
use lariat_check::properties::{self, ModelProperty};
use lariat_check::run_property::{Kind, RunProperty};
use lariat_check::system::Exec;
use lariat_check::task::{Order, Wishes};
use lariat_front::Loaded;
use lariat_ir::space::Fairness;
use lariat_search::{
    Compaction, Cycles, Exactness, RandomizedStoring, SearchId, StoreClass, StoreKind, StoringRule,
    WorkerUse,
};
use lariat_testkit::files::ModelFile;
use lariat_testkit::harness::empty;
use lariat_testkit::header::Header;
use lariat_testkit::property::{self, Expectation, Property};

use crate::api::{check_runs, searches, unreduced};
use crate::facts::plain;

/// A line of the header, and the property that it speaks of.
pub struct Check {
    pub line: Expectation,
    pub property: ModelProperty,
    pub fairness: Fairness,
}

impl Check {
    /// All lines of a header.
    pub fn all(header: &Header, loaded: &mut Loaded) -> Result<Vec<Check>, String> {
        let lines = header.expectations()?.into_iter();
        let check = |line: Expectation| {
            let fairness = match line.check.fairness {
                property::Fairness::None => Fairness::None,
                property::Fairness::Weak => Fairness::Weak,
                property::Fairness::Strong => Fairness::Strong,
            };
            let property = find(loaded, &line.check).map_err(|why| format!("{line}: {why}"))?;
            Ok(Check {
                line,
                property,
                fairness,
            })
        };
        lines.map(check).collect()
    }

    /// The word for the expected verdict.
    pub fn verdict(&self) -> &'static str {
        match self.line.holds {
            true => "holds",
            false => "violated",
        }
    }

    /// Checks the property in one way. What is found has been replayed.
    pub fn run(&self, loaded: &Loaded, wishes: &Wishes) -> Result<Outcome, String> {
        let mut wishes = wishes.clone();
        if loaded.model().synchronous {
            // Only the interpreter executes such models.
            wishes.exec = None;
        }
        if self.fairness == Fairness::Strong {
            wishes.workers = Some(1);
            wishes.shortest = false;
        }
        check_runs(loaded, &self.property, &wishes).map_err(|error| error.to_string())
    }
}

/// The property that a line asks about.
fn find(loaded: &mut Loaded, check: &property::Check) -> Result<ModelProperty, String> {
    if !check.further.is_empty() {
        return Err("a header names no search: all of them are run".into());
    }
    match &check.property {
        Property::Ltl(name) => named(loaded, Kind::Ltl, Some(name)),
        Property::Never(name) => named(loaded, Kind::Never, name.as_deref()),
        Property::Formula(text) => {
            properties::formula(loaded, text).map_err(|e| format!("{:?}", e.diagnostics))
        }
        Property::Acceptance => Ok((RunProperty::acceptance(), Vec::new())),
        Property::NonProgress => Ok(RunProperty::non_progress()),
        Property::NeverFile(_) | Property::Hoa(_) => Err("properties in files are not read".into()),
    }
}

fn named(loaded: &Loaded, kind: Kind, name: Option<&str>) -> Result<ModelProperty, String> {
    properties::of_model(loaded)
        .filter_map(Result::ok)
        .find(|(property, _)| property.kind == kind && name.is_none_or(|n| property.name == n))
        .ok_or_else(|| format!("no property {} {}", kind.word(), name.unwrap_or("")))
}

pub fn test(model: &ModelFile) -> Result<(), String> {
    let mut loaded = model.load(&LANGUAGES)?;
    let mut out = String::new();
    for check in Check::all(&model.header, &mut loaded)? {
        compare(&loaded, &check, &mut out);
    }
    empty(out)
}

/// Checks a property in every way, and writes down what is not as expected.
fn compare(loaded: &Loaded, expected: &Check, out: &mut String) {
    let line = &expected.line;
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
    let compact = Wishes {
        store: Some(StoreKind::Compact(Compaction {
            bits: Some(64),
            seed: 4,
        })),
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
        let compacts = search.info().stores.contains(&StoreClass::Compact);
        if compacts && expected.fairness == Fairness::None {
            ways.push((Some(search), None, false, &compact));
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
        match expected.run(loaded, &wishes) {
            Err(error) => {
                let _ = writeln!(out, "{line}: {way}: {error}");
            }
            Ok(outcome) => {
                let verdict = outcome.verdict.word();
                let is_proof = wishes.store.unwrap_or_default().exactness() == Exactness::Exact;
                let wanted = match expected.verdict() {
                    "holds" if !is_proof && verdict != "holds" => "no violation found",
                    wanted => wanted,
                };
                if verdict != wanted {
                    let _ = writeln!(out, "{line}: {way}: {verdict}");
                }
                let states = outcome.statistics.states_stored;
                let is_counted =
                    search == Some(SearchId::Ndfs) && outcome.statistics.storing.is_none();
                if is_counted && line.states.is_some_and(|s| s != states) {
                    let _ = writeln!(out, "{line}: {way}: {states} states");
                }
            }
        }
    }
}
