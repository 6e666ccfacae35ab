//! Carrying out a configuration.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use lariat_ir::space::Fairness;
use lariat_promela::Define;
use lariat_search::{Budget, Progress, Sampling, StoreKind, WalkOptions};
use lariat_stats::stream;

use super::sample::{Answer, answer};
use super::{Claim, Config, Ending, Failure, Lassos, Limits, Order, Sample, Search};
use crate::check::CheckError;
use crate::engine::Engine;
use crate::liveness::{LivenessOptions, Method, check_property};
use crate::load::{LoadOptions, Loaded, load_text};
use crate::property::{Kind, Question};
use crate::runs::luby;
use crate::walks::{DEFAULT_DELTA, DEFAULT_LENGTH, Goal, Walks};

/// A configuration whose model was read.
pub(super) struct Prepared<'c> {
    config: &'c Config,
    loaded: Loaded,
    question: Question,
}

impl<'c> Prepared<'c> {
    pub(super) fn new(config: &'c Config) -> Result<Self, String> {
        let defines = config.defines.iter().cloned().map(Define::Define);
        let options = LoadOptions {
            defines: defines.collect(),
            ..LoadOptions::default()
        };
        let name = config.model.name;
        let loaded = load_text(name, config.model.text.into(), &options).map_err(|error| {
            let messages: Vec<_> = error.diagnostics.into_iter().map(|d| d.message).collect();
            format!("{name}: {}", messages.join("; "))
        })?;
        let asked = |q: &Question| match config.claim {
            Claim::Ltl(name) => q.kind == Kind::Ltl && q.name == name,
            Claim::Never => q.kind == Kind::Never,
        };
        let question = loaded.questions().filter_map(Result::ok).find(asked);
        let question = question.ok_or_else(|| format!("{config}: there is no such property"))?;
        Ok(Prepared {
            config,
            loaded,
            question,
        })
    }

    /// Everything that decides what is measured but the seed.
    pub(super) fn key(&self) -> String {
        format!("{} ({})", self.config, self.loaded.reference().hash)
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

    /// A search; `start` is when the measurement began.
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
        let options = self.options(seed, budget);
        let checked = check_property(&self.loaded, &self.question, &options, &mut observer);
        let checked = checked.map_err(|e| self.wrong(&e))?;
        let verdict = checked.result.verdict;
        let ending = match answer(verdict, &checked.result.guarantee) {
            Answer::Interrupted if too_many => Ending::Transitions,
            Answer::Interrupted => return Err(Failure::Interrupted),
            Answer::Ended(ending) => ending,
        };
        if matches!(ending, Ending::Holds | Ending::Violated) && verdict != self.config.verdict {
            let message = format!(
                "{}, seed {seed}: the answer is `{}` and must be `{}`; this is a defect of Lariat",
                self.config,
                verdict.word(),
                self.config.verdict.word()
            );
            return Err(Failure::Message(message));
        }
        Ok(Sample::new(ending, &checked))
    }

    fn options(&self, seed: u64, budget: Budget) -> LivenessOptions {
        let config = self.config;
        let store = match config.rule {
            Some(rule) => StoreKind::Sample(Sampling { rule, seed }),
            None => StoreKind::Tree,
        };
        LivenessOptions {
            method: match config.search {
                Search::AsPublished => Method::ReSt,
                Search::Nested => Method::Nested,
                Search::Walks(_) => Method::Auto,
            },
            walks: match config.search {
                Search::Walks(lassos) => Some(walks(lassos, seed)),
                _ => None,
            },
            fairness: Fairness::None,
            seed: match config.order {
                Order::Fixed => None,
                Order::Random | Order::Restarts(_) => Some(seed),
            },
            engine: Engine {
                store,
                merge: config.reduced,
                dead: config.reduced,
                ..Engine::default()
            },
            budget,
            ..LivenessOptions::default()
        }
    }

    fn wrong(&self, error: &CheckError) -> Failure {
        let message = match error {
            CheckError::Replay(error) => {
                format!("a counterexample cannot be replayed: {}", error.0)
            }
            CheckError::Executors(difference) => difference.clone(),
            CheckError::TooLarge(why) => why.to_string(),
        };
        Failure::Message(format!("{}: {message}", self.config))
    }
}

/// Plain random lassos.
fn walks(lassos: Lassos, seed: u64) -> Walks {
    let (epsilon, delta) = match lassos {
        Lassos::UntilFound => (None, DEFAULT_DELTA),
        Lassos::Test { epsilon, delta } => (Some(epsilon), delta),
    };
    Walks {
        options: WalkOptions {
            seed,
            max_length: DEFAULT_LENGTH,
            ..WalkOptions::default()
        },
        goal: Goal::Test {
            epsilon,
            delta,
            errors: 1,
        },
        most: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;
    use lariat_report::outcome::Verdict;
    use lariat_search::StoringRule;
    use std::time::Duration;

    const SMALL: Model = Model {
        name: "small.pml",
        text: "#define N 200\n\
               byte x, y; ltl never_both { [] !(x == N && y == N) }\n\
               active proctype P() { do :: x < N -> x++ od }\n\
               active proctype Q() { do :: y < N -> y++ od }\n",
    };

    fn config() -> Config {
        Config {
            model: SMALL,
            defines: Vec::new(),
            claim: Claim::Ltl("never_both"),
            verdict: Verdict::Violated,
            search: Search::AsPublished,
            rule: Some(StoringRule::Static(1.0)),
            order: Order::Fixed,
            reduced: false,
            limits: Limits::default(),
        }
    }

    fn measure(config: &Config, seed: u64) -> Result<Sample, Failure> {
        let stop = AtomicBool::new(false);
        Prepared::new(config)
            .map_err(Failure::Message)?
            .measure(seed, &stop, &mut |_| ())
    }

    #[test]
    fn a_wrong_answer_is_noticed() {
        let wrong = Config {
            verdict: Verdict::Holds,
            ..config()
        };
        let failure = measure(&wrong, 1).unwrap_err();
        assert!(matches!(failure, Failure::Message(m) if m.contains("must be `holds`")));
        let unknown = Config {
            claim: Claim::Never,
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
                text,
            },
            claim: Claim::Ltl("small"),
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
            claim: Claim::Ltl("larger"),
            search: Search::Walks(Lassos::Test {
                epsilon: 0.1,
                delta: 0.1,
            }),
            verdict: Verdict::Holds,
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
        // A run needs more than 400 states to get there: so several were cut at 100 and 200.
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
        let key = |config: &Config| Prepared::new(config).unwrap().key();
        let other_text = Config {
            model: Model {
                text: "byte x, y; ltl never_both { [] (x == 0) } active proctype P() { x++ }",
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
