//! Runs a configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lariat::LANGUAGES;
use lariat_check::TaskObserver;
use lariat_check::model::{ModelSystem, check_model};
use lariat_check::properties::{ModelProperty, of_model};
use lariat_check::repeat::luby;
use lariat_check::run_property::Kind;
use lariat_check::task::{Order as VisitOrder, Property, Task, Wishes};
use lariat_front::{LoadOptions, Loaded, OptionValue};
use lariat_search::{Budget, Progress, RandomizedStoring, SearchId, StoreKind};
use lariat_stats::stream;

use super::sample::{Answer, answer};
use super::{
    Config, Ending, Expected, Failure, Lassos, Limits, Order, RowProperty, Sample, Search,
};

/// A configuration with its parsed model.
pub(super) struct Prepared<'c> {
    config: &'c Config,
    loaded: Loaded,
    property: ModelProperty,
}

impl<'c> Prepared<'c> {
    /// Reads the model; `folder` is where those are that are not part of the program.
    pub(super) fn new(config: &'c Config, folder: Option<&Path>) -> Result<Self, String> {
        let defines = config.defines.iter();
        let options = LoadOptions {
            options: defines.map(|d| OptionValue::new("define", d)).collect(),
            ..LoadOptions::default()
        };
        let name = config.model.name;
        let loaded = match (config.model.text, folder) {
            (Some(text), _) => LANGUAGES.load_text(name, text.into(), &options),
            (None, Some(folder)) => {
                let file = file_of(name, folder)?;
                LANGUAGES.load(&file, &options)
            }
            (None, None) => return Err(format!("{name} is not part of the program")),
        };
        let loaded = loaded.map_err(|error| format!("{name}: {error}"))?;
        let asked = |(property, _): &ModelProperty| match config.claim {
            RowProperty::Ltl(name) => property.kind == Kind::Ltl && property.name == name,
            RowProperty::Never => property.kind == Kind::Never,
        };
        let property = of_model(&loaded).filter_map(Result::ok).find(asked);
        let property = property.ok_or_else(|| format!("{config}: there is no such property"))?;
        Ok(Prepared {
            config,
            loaded,
            property,
        })
    }

    /// Everything that determines the measurement except the seed.
    pub(super) fn key(&self) -> String {
        format!("{} ({})", self.config, self.loaded.hash)
    }

    /// Measures once.
    pub(super) fn measure(
        &self,
        seed: u64,
        stop: &AtomicBool,
        show: &mut impl FnMut(&Progress),
    ) -> Result<Sample, Failure> {
        let start = Instant::now();
        let unit = match self.config.order {
            Order::Restarts(unit) => unit,
            _ => return self.search(seed, None, start, stop, show),
        };
        let mut total: Option<Sample> = None;
        for run in 1.. {
            let order = stream(seed, "restart", run).next_u64();
            let states = Some(unit.saturating_mul(luby(run)));
            let sample = self.search(order, states, start, stop, show)?;
            let total = Sample::add(&mut total, sample);
            let limits = &self.config.limits;
            if total.ending == Ending::States {
                if limits
                    .transitions
                    .is_some_and(|most| total.transitions > most)
                {
                    total.ending = Ending::Transitions;
                } else {
                    continue;
                }
            }
            return Ok(total.clone());
        }
        Err(Failure::Interrupted)
    }

    /// A search; `start` is the start of the measurement.
    fn search(
        &self,
        seed: u64,
        states: Option<u64>,
        start: Instant,
        stop: &AtomicBool,
        show: &mut impl FnMut(&Progress),
    ) -> Result<Sample, Failure> {
        let Limits {
            memory,
            states: table,
            transitions,
            time,
        } = self.config.limits;
        let halt = Arc::new(AtomicBool::new(false));
        let budget = Budget {
            memory,
            time: time.map(|time| time.saturating_sub(start.elapsed())),
            states: states.or(table),
            spill: None,
            stop: halt.clone(),
        };
        let mut too_many = false;
        let mut observer = |progress: &Progress| {
            show(progress);
            let made = progress.statistics.transitions();
            too_many |= transitions.is_some_and(|most| made > most);
            if too_many || stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
        };
        let (property, conditions) = self.property.clone();
        let before = cpu_ticks();
        let task = Task {
            system: &ModelSystem(self.loaded.model()),
            properties: vec![Property::Runs(property, conditions)],
            wishes: self.wishes(seed),
            budget,
        };
        let outcomes = check_model(&task, &mut Shown(&mut observer));
        let outcomes =
            outcomes.map_err(|error| Failure::Message(format!("{}: {error}", self.config)))?;
        let Some(outcome) = outcomes.first() else {
            return Err(Failure::Interrupted);
        };
        let ending = match answer(outcome) {
            Answer::Interrupted if too_many => Ending::Transitions,
            Answer::Interrupted => return Err(Failure::Interrupted),
            Answer::Ended(ending) => ending,
        };
        let found = match ending {
            Ending::Holds => Some(Expected::Holds),
            Ending::Violated => Some(Expected::Violated),
            _ => None,
        };
        if let Some(found) = found.filter(|found| *found != self.config.verdict) {
            let message = format!(
                "{}, seed {seed}: the answer is `{}` and must be `{}`; this is a defect of Lariat",
                self.config,
                found.word(),
                self.config.verdict.word()
            );
            return Err(Failure::Message(message));
        }
        let used = before.zip(cpu_ticks());
        let cpu = used.map(|(before, now)| (now - before) as f64 / TICKS as f64);
        Ok(Sample {
            cpu,
            ..Sample::new(ending, outcome)
        })
    }

    fn wishes(&self, seed: u64) -> Wishes {
        let config = self.config;
        let mut wishes = Wishes {
            workers: Some(1),
            no_merge: !config.reduced,
            no_dead: !config.reduced,
            ..Wishes::default()
        };
        match config.search {
            Search::AsPublished => wishes.search = Some(SearchId::ReSt),
            Search::Nested => wishes.search = Some(SearchId::Ndfs),
            Search::Owcty { store, workers } => {
                wishes.search = Some(SearchId::Owcty);
                wishes.workers = Some(workers);
                wishes.store = Some(store.seeded(seed));
                wishes.seed = store.seed().map(|_| seed);
                return wishes;
            }
            Search::Walks(lassos) => {
                wishes.search = Some(SearchId::MonteCarlo);
                wishes.seed = Some(seed);
                match lassos {
                    // The walks end only at the first violation, or at a limit.
                    Lassos::UntilFound => wishes.walks = Some(u64::MAX),
                    Lassos::Test { epsilon, delta } => {
                        wishes.epsilon = Some(epsilon);
                        wishes.delta = Some(delta);
                    }
                }
                return wishes;
            }
        }
        if let Some(rule) = config.rule {
            wishes.store = Some(StoreKind::Forget(RandomizedStoring { rule, seed }));
            wishes.seed = Some(seed);
        }
        match config.order {
            Order::Fixed => wishes.order = Some(VisitOrder::Model),
            Order::Random | Order::Restarts(_) => {
                wishes.order = Some(VisitOrder::Random);
                wishes.seed = Some(seed);
            }
        }
        wishes
    }
}

/// A model in a folder, or in a folder there with its name up to the first point, as in the BEEM collection.
fn file_of(name: &str, folder: &Path) -> Result<PathBuf, String> {
    let family = name.split('.').next().unwrap_or(name);
    let places = [folder.join(name), folder.join(family).join(name)];
    let found = places.iter().find(|file| file.is_file());
    found
        .cloned()
        .ok_or_else(|| format!("there is no {name} in {}", folder.display()))
}

/// Ticks in a second.
const TICKS: u64 = 100;

/// The time that this process has used on all cores so far, in ticks; only Linux tells it.
fn cpu_ticks() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in brackets and may contain anything.
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<u64>().ok();
    Some(ticks(11)? + ticks(12)?)
}

/// Forwards progress.
struct Shown<'o, F>(&'o mut F);

impl<F: FnMut(&Progress)> TaskObserver for Shown<'_, F> {
    fn progress(&mut self, _: &str, _: Option<Duration>, progress: &Progress) {
        (self.0)(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;
    use lariat_search::StoringRule;

    const SMALL: Model = Model {
        name: "small.pml",
        text: Some(
            "#define N 200\n\
             byte x, y; ltl never_both { [] !(x == N && y == N) }\n\
             active proctype P() { do :: x < N -> x++ od }\n\
             active proctype Q() { do :: y < N -> y++ od }\n",
        ),
    };

    fn config() -> Config {
        Config {
            model: SMALL,
            defines: Vec::new(),
            claim: RowProperty::Ltl("never_both"),
            verdict: Expected::Violated,
            search: Search::AsPublished,
            rule: Some(StoringRule::Static(1.0)),
            order: Order::Fixed,
            reduced: false,
            limits: Limits::default(),
        }
    }

    fn measure(config: &Config, seed: u64) -> Result<Sample, Failure> {
        let stop = AtomicBool::new(false);
        Prepared::new(config, None)
            .map_err(Failure::Message)?
            .measure(seed, &stop, &mut |_| ())
    }

    #[test]
    fn a_wrong_verdict_is_reported() {
        let wrong = Config {
            verdict: Expected::Holds,
            ..config()
        };
        let failure = measure(&wrong, 1).unwrap_err();
        assert!(matches!(failure, Failure::Message(m) if m.contains("must be `holds`")));
        let unknown = Config {
            claim: RowProperty::Never,
            ..config()
        };
        assert!(matches!(measure(&unknown, 1), Err(Failure::Message(_))));
    }

    #[test]
    fn random_lassos_are_counted() {
        let text = "byte x; ltl small { [] (x < 2) } ltl larger { [] (x < 3) }\n\
                    active proctype P() { do :: x < 2 -> x++ :: x < 2 -> skip od }\n";
        let until_found = Config {
            model: Model {
                name: "lassos.pml",
                text: Some(text),
            },
            claim: RowProperty::Ltl("small"),
            search: Search::Walks(Lassos::UntilFound),
            rule: None,
            reduced: true,
            ..config()
        };
        let sample = measure(&until_found, 1).unwrap();
        let walked = sample.walked.unwrap();
        assert_eq!(sample.ending, Ending::Violated);
        assert!(walked.walks >= 1 && walked.longest >= 2, "{walked:?}");
        assert!(walked.counterexample.is_some_and(|n| n >= 2));
        let test = Config {
            claim: RowProperty::Ltl("larger"),
            search: Search::Walks(Lassos::Test {
                epsilon: 0.1,
                delta: 0.1,
            }),
            verdict: Expected::Holds,
            ..until_found
        };
        let sample = measure(&test, 1).unwrap();
        assert_eq!(sample.ending, Ending::NotFound);
        // ln 0.1 / ln 0.9 is 21.9.
        assert_eq!(sample.walked.unwrap().walks, 22);
    }

    #[test]
    fn restarts_add_up() {
        let restarts = Config {
            order: Order::Restarts(100),
            ..config()
        };
        let sample = measure(&restarts, 3).unwrap();
        assert_eq!(sample.ending, Ending::Violated);
        // A lasso needs more than 400 states: so several were cut at 100 and 200.
        assert!(sample.runs > 7 && sample.states >= 700, "{sample:?}");
        assert!(sample.peak < sample.states);
        assert_eq!(sample.states, measure(&restarts, 3).unwrap().states);
        let limited = Config {
            limits: Limits {
                transitions: Some(300),
                ..Limits::default()
            },
            ..restarts
        };
        assert_eq!(measure(&limited, 3).unwrap().ending, Ending::Transitions);
    }

    #[test]
    fn limits_are_told() {
        let starved = Config {
            limits: Limits {
                memory: Some(100_000),
                ..Limits::default()
            },
            ..config()
        };
        assert_eq!(measure(&starved, 1).unwrap().ending, Ending::Memory);
        let hurried = Config {
            limits: Limits {
                time: Some(Duration::ZERO),
                ..Limits::default()
            },
            ..config()
        };
        assert_eq!(measure(&hurried, 1).unwrap().ending, Ending::Time);
    }

    #[test]
    fn the_key_tells_configurations_apart() {
        let key = |config: &Config| Prepared::new(config, None).unwrap().key();
        let other_text = Config {
            model: Model {
                text: Some("byte x, y; ltl never_both { [] (x == 0) } active proctype P() { x++ }"),
                ..SMALL
            },
            ..config()
        };
        let other_rule = Config {
            rule: Some(StoringRule::Static(0.5)),
            ..config()
        };
        assert_eq!(key(&config()), key(&config()));
        assert_ne!(key(&config()), key(&other_text));
        assert_ne!(key(&config()), key(&other_rule));
    }
}
