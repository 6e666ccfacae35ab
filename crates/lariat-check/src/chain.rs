//! Checking a Markov chain with random runs.
//!
//! `lariat_chain` decides what a run does in the limit; `lariat_search::walks` decides how many runs are needed, and
//! what follows from them.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lariat_chain::{Chain, ChainLasso, ChainSampler, End, Input, Options, Property};
use lariat_front::{LoadError, TextHash};
use lariat_ir::interpret::Cancel;
use lariat_ir::source::SourceMap;
use lariat_search::{
    Budget, Clock, Ending, Observer, Progress, Sampler, SequentialTest, Stop, Walk, WalkTask,
    sample_in_order,
};

use crate::outcome::{
    CheckError, Coverage, Evidence, FaultText, Method, Outcome, PropertyName, Ran, Verdict,
    Violation, Violations,
};
use crate::plan::{Has, Plan};
use crate::refusal::{Refusal, Wish};
use crate::run::{Failure, TaskObserver, cancel, limits};
use crate::task::Wishes;
use crate::trace::{Trace, TraceStep};

/// The part of the memory that a chain may take; the rest is for walks.
const CHAIN_SHARE: u64 = 2;

/// The part of it that walks may use for components, at so many bytes a state.
const STATE_SHARES: u64 = 64;
const BYTES_PER_STATE: u64 = 100;

/// A chain that was read from files.
#[derive(Clone, Debug)]
pub struct LoadedChain {
    /// The chain.
    pub chain: Chain,
    /// The name of its file.
    pub file: String,
    /// A hash of its files.
    pub hash: String,
}

/// Reads a chain from its files.
pub fn load_chain(
    transitions: &Path,
    labels: Option<&Path>,
    memory: Option<u64>,
) -> Result<LoadedChain, LoadError> {
    let mut hash = TextHash::default();
    let name = transitions.display().to_string();
    let mut first = open(transitions, &mut hash)?;
    let label_name = labels.map(|path| path.display().to_string());
    let mut second = labels.map(|path| open(path, &mut hash)).transpose()?;
    let mut sources = SourceMap::default();
    let labels = match (&label_name, &mut second) {
        (Some(name), Some(source)) => Some(Input { name, source }),
        _ => None,
    };
    let transitions = Input {
        name: &name,
        source: &mut first,
    };
    let memory = memory.unwrap_or(u64::MAX) / CHAIN_SHARE;
    let chain =
        lariat_chain::read(&mut sources, transitions, labels, memory).map_err(|diagnostics| {
            LoadError {
                sources,
                diagnostics,
            }
        })?;
    Ok(LoadedChain {
        chain,
        file: name,
        hash: hash.to_string(),
    })
}

/// Opens a file, adds its text to a hash, and rewinds it.
fn open(path: &Path, hash: &mut TextHash) -> Result<BufReader<File>, LoadError> {
    let mut open = || {
        let mut reader = BufReader::new(File::open(path)?);
        hash.feed(&reader.get_ref().metadata()?.len().to_le_bytes());
        loop {
            let bytes = reader.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            hash.feed(bytes);
            let length = bytes.len();
            reader.consume(length);
        }
        reader.rewind()?;
        Ok(reader)
    };
    let name = path.display().to_string();
    open().map_err(|error: std::io::Error| LoadError::cannot_read(&name, &error))
}

/// Reads a formula over the labels of a chain.
pub fn chain_property(
    loaded: &LoadedChain,
    text: &str,
    budget: &Budget,
) -> Result<Property, LoadError> {
    let mut sources = SourceMap::default();
    let name = ("--formula", text);
    Property::parse(&mut sources, &loaded.chain, name, &limits(budget)).map_err(|diagnostics| {
        LoadError {
            sources,
            diagnostics,
        }
    })
}

/// Formulas to be checked on a chain.
pub struct ChainTask<'a> {
    /// The chain.
    pub chain: &'a LoadedChain,
    /// The formulas, with their texts.
    pub formulas: Vec<(String, Arc<Property>)>,
    /// The options of the user.
    pub wishes: Wishes,
    /// The budget for all of them.
    pub budget: Budget,
}

/// The plan for a chain, or a refusal.
pub fn plan(wishes: &Wishes, budget: &Budget) -> Result<Plan, Refusal> {
    for (given, wish) in [
        (wishes.fairness.is_some(), "fair"),
        (wishes.shortest, "shortest"),
        (wishes.no_deadlock, "no-deadlock"),
        (wishes.no_assert, "no-assert"),
        (wishes.sampling.is_some(), "sampling"),
        (wishes.uniform.is_some(), "uniform"),
        (wishes.exec.is_some(), "exec"),
        (wishes.no_merge, "no-merge"),
        (wishes.no_dead, "no-dead"),
    ] {
        if given {
            return Err(Refusal::NotForChains(Wish(wish)));
        }
    }
    let has = Has {
        safety: false,
        runs: true,
    };
    let plan = Plan::for_properties(has, wishes, budget)?;
    match plan.walks() {
        Some(_) => Ok(plan),
        None => Err(Refusal::ChainWithoutWalks),
    }
}

/// Draws random runs for each formula and decides whether each run violates the formula.
pub fn check_chain(
    task: &ChainTask<'_>,
    observer: &mut dyn TaskObserver,
) -> Result<Vec<Outcome>, Failure> {
    let plan = plan(&task.wishes, &task.budget)?;
    let started = Instant::now();
    let mut outcomes = Vec::new();
    for (index, (text, property)) in task.formulas.iter().enumerate() {
        // The time is for all formulas together.
        let shares = (task.formulas.len() - index) as u32;
        let mut budget = task.budget.clone();
        let share = |time: Duration| time.saturating_sub(started.elapsed()) / shares;
        budget.time = budget.time.map(share);
        let time = budget.time;
        let title = format!("ltl {text}");
        let show = &mut |progress: &Progress| observer.progress(&title, time, progress);
        let outcome = check_formula(task.chain, text, property.clone(), &plan, &budget, show);
        let outcome = outcome.map_err(|error| Failure::Failed {
            property: title.clone(),
            error: CheckError::Chain(error),
        })?;
        observer.outcome(&outcome);
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

fn check_formula(
    loaded: &LoadedChain,
    text: &str,
    property: Arc<Property>,
    plan: &Plan,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Result<Outcome, String> {
    let task: WalkTask = plan.walks().copied().unwrap_or_default();
    let mut options = Options::default();
    if let Some(memory) = budget.memory {
        // The same for any number of workers.
        let states = memory / STATE_SHARES / BYTES_PER_STATE;
        options.states = options.states.min(states as usize);
    }
    let sampler = ChainSampler::new(&loaded.chain, property, options);
    let mut sampler = sampler.map_err(|refused| refused.to_string())?;
    sampler.stop_on(cancel(budget));
    let runner = Runner {
        sampler,
        budget: None,
        seed: task.options.seed,
        max_length: task.options.max_length,
        refused: None,
    };
    let workers = plan.workers();
    let mut runners = vec![runner; workers];
    let mut test = SequentialTest::new(&task);
    let fold = |number, walk: &Walk| test.add(number, walk);
    let sampled = sample_in_order(&mut runners, budget, fold, observer);
    let refused = runners.iter().find_map(|runner| runner.refused.clone());
    if let (Some(refused), true) = (refused, sampled.stop != Stop::Complete) {
        return Err(refused);
    }
    runners[0].sampler.stop_on(Cancel::default());
    let walked = test.conclude(sampled);
    let lasso = match walked.found.first() {
        Some(&number) => runners[0].lasso(number)?,
        None => None,
    };
    let mut statistics = sampled.statistics();
    statistics.memory_bytes += loaded.chain.memory_bytes() as u64;
    let violations = sampled.tally.violations;
    let violation = |lasso: &ChainLasso| {
        let text = FaultText {
            kind: "lasso",
            message: format!("the run violates {text}"),
            statement: None,
        };
        Violation::replayed(trace(&loaded.chain, lasso), text, None, violations)
    };
    let list: Vec<Violation> = lasso.iter().map(violation).collect();
    let verdict = match (
        Violations::new(list, false, false, violations),
        walked.claim,
    ) {
        (Some(violations), _) => Verdict::Violated(violations),
        (None, Some(claim)) => Verdict::NoViolationFound(Evidence::Walks(claim)),
        (None, None) => Verdict::Exhausted(Coverage {
            stopped_by: match sampled.stop {
                Stop::Complete => Stop::Interrupted,
                stop => stop,
            },
            complete_depth: None,
            unreplayed: false,
        }),
    };
    Ok(Outcome {
        property: PropertyName {
            title: format!("ltl {text}"),
            kind: "ltl",
        },
        verdict,
        ran: Ran {
            method: Method::ChainRuns,
            workers,
            executor: None,
            interpreted_locations: None,
            seed: plan.seed(),
        },
        statistics,
        walks: Some(walked),
        automaton: None,
        fairness: Default::default(),
        runs: None,
        unreached: Vec::new(),
    })
}

/// A run of a chain: a step for each state, with its number as the transition and its labels as the statement.
fn trace(chain: &Chain, lasso: &ChainLasso) -> Trace {
    let step = |&state: &u32| {
        let labels = chain.labels_of(state).iter();
        let names: Vec<&str> = labels
            .map(|&l| chain.labels()[l as usize].as_str())
            .collect();
        TraceStep {
            transition: state,
            statement: names.join(", "),
            ..TraceStep::default()
        }
    };
    Trace {
        steps: lasso.prefix.iter().chain(&lasso.cycle).map(step).collect(),
        loop_start: Some(lasso.prefix.len()),
        ..Trace::default()
    }
}

/// Makes runs of a chain.
#[derive(Clone)]
struct Runner {
    sampler: ChainSampler,
    budget: Option<(Budget, Clock)>,
    seed: u64,
    max_length: u64,
    /// Why no more runs can be made.
    refused: Option<String>,
}

impl Runner {
    /// The run with a number as a lasso that was checked by the definition of the formula.
    fn lasso(&mut self, number: u64) -> Result<Option<ChainLasso>, String> {
        let lasso = self.sampler.lasso(self.seed, number, self.max_length);
        lasso.map_err(|error| format!("a violation was found but could not be replayed: {error}"))
    }
}

impl Sampler for Runner {
    fn begin(&mut self, budget: &Budget, clock: Clock) {
        self.budget = Some((budget.clone(), clock));
    }

    fn sample(&mut self, number: u64) -> Option<Walk> {
        let result = match self.sampler.walk(self.seed, number, self.max_length) {
            Ok(result) => result,
            Err(refused) => {
                self.refused = Some(refused.to_string());
                return None;
            }
        };
        let is_over = |(budget, clock): &(Budget, Clock)| budget.is_over(clock);
        if result.violates.is_none() && self.budget.as_ref().is_some_and(is_over) {
            return None;
        }
        let violates = result.violates == Some(true);
        Some(Walk {
            ending: match result.violates {
                Some(true) => Ending::Accepting,
                Some(false) => Ending::Rejecting,
                None => Ending::Cut,
            },
            steps: result.steps,
            value: f64::from(u8::from(violates)),
            unknown: f64::from(u8::from(result.violates.is_none())),
            is_cut_early: result.end == End::Memory,
            counts: true,
        })
    }

    fn held_bytes(&self) -> u64 {
        0
    }
}
