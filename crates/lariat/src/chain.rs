//! Checking a Markov chain with random runs.
//!
//! What a run does in the limit is decided in `lariat_chain`; how many runs there have to be, and what they say, in
//! [`crate::walks`].

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;
use std::sync::Arc;

use lariat_chain::{Chain, ChainLasso, ChainSampler, End, Input, Options, Property};
use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::interpret::Patience;
use lariat_ir::source::{SourceMap, Span};
use lariat_ltl::automaton::Limits;
use lariat_report::outcome::{Guarantee, ModelRef, PropertyResult, Verdict, Violation};
use lariat_report::trail::TextHash;
use lariat_search::{Budget, Clock, Ending, Observer, Sampler, Stop, Walk, sample_in_order};

use crate::check::by_walks::statistics;
use crate::check::{measured, patience};
use crate::load::LoadError;
use crate::walks::{Ground, Judge, Walks};

/// A chain may take this part of the memory; the rest is for walks.
const CHAIN_SHARE: u64 = 2;

/// What walks remember of components may take this part of it, at so many bytes a state.
const STATE_SHARES: u64 = 64;
const BYTES_PER_STATE: u64 = 100;

/// A chain that was read from files.
#[derive(Clone, Debug)]
pub struct LoadedChain {
    /// The chain.
    pub chain: Chain,
    /// What a report calls it.
    pub reference: ModelRef,
}

/// The result of checking a formula.
#[derive(Clone, Debug)]
pub struct ChainChecked {
    /// The result.
    pub result: PropertyResult,
    /// A run that violates the formula, if one was found.
    pub lasso: Option<ChainLasso>,
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
        reference: ModelRef {
            file: name,
            hash: hash.to_string(),
        },
    })
}

/// Opens a file, adds its text to a hash, and goes back to its beginning.
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
    open().map_err(|error: std::io::Error| {
        let name = path.display().to_string();
        let mut sources = SourceMap::default();
        sources.add(name.clone(), "");
        let message = format!("cannot read {name}: {error}");
        LoadError {
            sources,
            diagnostics: vec![Diagnostic::error(Span::default(), message)],
        }
    })
}

/// Reads a formula over the labels of a chain.
pub fn chain_property(
    loaded: &LoadedChain,
    text: &str,
    budget: &Budget,
) -> Result<Property, LoadError> {
    let patience = patience(budget);
    let limits = Limits {
        stop: patience.stop,
        deadline: patience.deadline,
        ..Limits::default()
    };
    let mut sources = SourceMap::default();
    let name = ("--formula", text);
    Property::parse(&mut sources, &loaded.chain, name, &limits).map_err(|diagnostics| LoadError {
        sources,
        diagnostics,
    })
}

/// Draws random runs and asks of each whether it violates the property. A message if that cannot be done.
pub fn check_chain(
    loaded: &LoadedChain,
    text: &str,
    property: Arc<Property>,
    walks: &Walks,
    workers: usize,
    budget: &Budget,
    observer: &mut impl Observer,
) -> Result<ChainChecked, String> {
    let too_large = |refused| format!("{text}: {refused}");
    let mut options = Options::default();
    if let Some(memory) = budget.memory {
        // The same for any number of workers.
        let states = memory / STATE_SHARES / BYTES_PER_STATE;
        options.states = options.states.min(states as usize);
    }
    let sampler = ChainSampler::new(&loaded.chain, property, options);
    let mut sampler = sampler.map_err(too_large)?;
    sampler.stop_on(patience(budget));
    let runner = Runner {
        sampler,
        budget: None,
        seed: walks.options.seed,
        max_length: walks.options.max_length,
        refused: None,
    };
    let mut runners = vec![runner; workers.max(1)];
    let mut judge = Judge::new(walks, Ground::Chain);
    let fold = |number, walk: &Walk| judge.add(number, walk);
    let sampled = sample_in_order(&mut runners, budget, fold, observer);
    let refused = runners.iter().find_map(|runner| runner.refused.clone());
    if let (Some(refused), true) = (refused, sampled.stop != Stop::Complete) {
        return Err(format!("{text}: {refused}"));
    }
    runners[0].sampler.stop_on(Patience::default());
    let lasso = match judge.found().first() {
        Some(&number) => runners[0].lasso(number)?,
        None => None,
    };
    let (verdict, guarantee) = match sampled.tally.violations {
        0 => judge.verdict(&sampled),
        _ => (
            Verdict::Violated,
            Guarantee::ReplayedCounterexample {
                shortest: false,
                complete: false,
            },
        ),
    };
    let violation = |lasso: &ChainLasso| Violation {
        kind: "lasso".into(),
        message: format!("the run violates {text}"),
        statement: None,
        occurrences: sampled.tally.violations,
        steps: (lasso.prefix.len() + lasso.cycle.len()) as u64,
        trail: None,
    };
    let mut statistics = statistics(&sampled);
    statistics.memory_bytes += loaded.chain.memory_bytes() as u64;
    Ok(ChainChecked {
        result: PropertyResult {
            property: format!("ltl {text}"),
            kind: "ltl".into(),
            search: "monte-carlo".into(),
            verdict,
            guarantee,
            errors: sampled.tally.violations,
            violations: lasso.iter().map(violation).collect(),
            sampling: Some(judge.result(&sampled)),
            ..measured(&statistics)
        },
        lasso,
    })
}

/// Somebody who makes runs of a chain.
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
