//! Reports, as they are printed with `--json`.
//!
//! The schema of this file's types is published as `docs/report.schema.json`.

use std::path::PathBuf;

use lariat_check::outcome::StatementRef;
use lariat_check::task::Wishes;
use lariat_front::{LoadOptions, OptionValue};
use lariat_search::{Budget, Stop};
use serde::{Deserialize, Serialize};

/// The guarantee of a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Guarantee {
    /// Every reachable state was visited, and states were distinguished exactly.
    Proof,
    /// The automaton of the violations accepts no run at all, so no state had to be visited.
    NoRunCanViolate,
    /// A counterexample was replayed step by step by the reference interpreter.
    ReplayedCounterexample {
        /// Whether no shorter one exists: for an error of a step, none that ends with an error of a step; for
        /// an error of a state, none at all. An atomic sequence counts as one step, and so do merged statements. For a property of
        /// runs: whether the product with the property automaton has no shorter one.
        shortest: bool,
        /// Whether all reachable states were visited, so that the count of errors is complete.
        complete: bool,
    },
    /// The search ended early; nothing is known about the states that were not visited.
    PartialCoverage {
        /// What ended the search.
        stopped_by: StoppedBy,
        /// All states up to this many steps from an initial state were visited and expanded, if the search went level
        /// by level.
        complete_depth: Option<u64>,
        /// Whether a counterexample was found, it seems: the budget ended before it was replayed.
        unreplayed: bool,
    },
    /// Random lassos were drawn and none of them, or fewer than allowed, violates the property. If a random lasso did
    /// so with a probability of `epsilon` or more, the probability of this result would be `delta` at most.
    HypothesisTest {
        /// The excluded probability.
        epsilon: f64,
        /// The probability of a wrong exclusion.
        delta: f64,
        /// The number of random lassos that count.
        walks: u64,
        /// The number of cut ones among them, which count as violations.
        unknown: u64,
        /// The number of violations among them.
        violations: u64,
        /// The excluded probability for violations that take fewer steps than the limit of walks; null if no walk
        /// was cut, and if it is not known.
        within_limit: Option<f64>,
        /// The distribution of lassos.
        distribution: String,
        /// What ended the search before the planned number of lassos was drawn.
        stopped_by: Option<StoppedBy>,
    },
    /// Complete searches found no violation; they distinguished states by a hash, and may have omitted some. The
    /// probabilities are upper bounds, over the random choice of the hash.
    OmissionBound {
        /// How states were distinguished.
        distinction: DistinctionResult,
        /// The states that the last search has visited.
        states: u64,
        /// The seed of its hash.
        seed: u64,
        /// The number of complete searches, each with a seed of its own.
        searches: u64,
        /// The probability that each of them has omitted a state.
        any: f64,
        /// The probability that a given state is omitted by the last one when it is met.
        single: f64,
        /// The expected number of states that the last one has met and omitted; null if it is not bounded.
        expected: Option<f64>,
        /// The probability that all of them have missed a given state; null for a search without such a bound.
        missed_state: Option<MissedState>,
        /// The probability that all of them have missed a given lasso; null for a search without such a bound.
        missed_lasso: Option<MissedLasso>,
        /// What ended the last one of several searches, so that there were fewer than planned.
        stopped_by: Option<StoppedBy>,
    },
}

/// How states were distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DistinctionResult {
    /// By fingerprints.
    Fingerprints {
        /// The bits of a fingerprint.
        bits: u32,
    },
    /// By a Bloom filter.
    Bloom {
        /// The bits of the table.
        bits: u64,
        /// Those that are set at the end.
        ones: u64,
        /// How many bits belong to a state.
        probes: u32,
    },
}

/// The bound for a given state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissedState {
    /// It is at most so many steps from an initial state.
    pub steps: u64,
    /// It is missed with this probability at most.
    pub probability: f64,
}

/// The bound for a given lasso.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissedLasso {
    /// It has at most so many states.
    pub states: u64,
    /// It is missed with this probability at most.
    pub probability: f64,
}

/// What ended a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// The memory limit.
    Memory,
    /// The time limit.
    Time,
    /// The limit of states.
    States,
    /// A table that is too small: states were removed faster than new ones were found.
    Thrashing,
    /// A full disk, or the limit on the bytes of waiting states on it.
    Disk,
    /// The user.
    Interrupt,
}

impl StoppedBy {
    /// The reason for an early end; `None` if the search was complete.
    pub(crate) fn of(stop: Stop) -> Option<Self> {
        match stop {
            Stop::Complete | Stop::Fault => None,
            Stop::Memory => Some(StoppedBy::Memory),
            Stop::Time => Some(StoppedBy::Time),
            Stop::States => Some(StoppedBy::States),
            Stop::Thrashing => Some(StoppedBy::Thrashing),
            Stop::DiskFull | Stop::DiskLimit | Stop::DiskError => Some(StoppedBy::Disk),
            Stop::Interrupted => Some(StoppedBy::Interrupt),
        }
    }
}

/// A violation, with its number of occurrences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViolationResult {
    /// The kind: `assertion`, `invalid end state`, `invariant`, `trace`, `runtime error`.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The failing statement, if it is one.
    pub statement: Option<StatementRef>,
    /// The number of occurrences.
    pub occurrences: u64,
    /// The number of steps of its trail.
    pub steps: u64,
    /// The file with the trail, if one was written.
    pub trail: Option<String>,
}

/// The use of the disk for waiting states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpillResult {
    /// The bytes that were written.
    pub bytes_written: u64,
    /// The most bytes on disk at a time.
    pub peak_bytes: u64,
}

/// The result for one property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyResult {
    /// The name of the property.
    pub property: String,
    /// Its kind: `safety`, `ltl`, `never`, `hoa`, `acceptance` or `non-progress`.
    pub kind: String,
    /// The search that ran; `none` if none was needed, or started.
    pub search: String,
    /// The store; null if no states were stored.
    pub store: Option<String>,
    /// The number of threads.
    pub workers: u64,
    /// The executor: `jit`, `interp`, `both` or `rust`; null if no states were generated, or by a Markov chain.
    pub exec: Option<String>,
    /// With `both`: the number of locations that are not compiled, so that nothing is compared there; otherwise null.
    pub interpreted_locations: Option<u64>,
    /// The fairness: `none`, `weak` or `strong`.
    pub fairness: String,
    /// The automaton of the violating runs, unless the property is safety.
    pub automaton: Option<AutomatonRef>,
    /// The verdict.
    pub verdict: String,
    /// Its guarantee.
    pub guarantee: Guarantee,
    /// The violations, one entry for each kind and place.
    pub violations: Vec<ViolationResult>,
    /// The number of errors.
    pub errors: u64,
    /// States that were stored.
    pub states_stored: u64,
    /// Visits of states that were stored already.
    pub states_matched: u64,
    /// Stored and matched together.
    pub transitions: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// Breadth first: number of levels; depth first: longest path on the stack.
    pub max_depth: u64,
    /// The peak of the memory of the search.
    pub memory_bytes: u64,
    /// The peak of the memory divided by the number of states.
    pub bytes_per_state: f64,
    /// The duration of the search.
    pub elapsed_seconds: f64,
    /// States stored per second.
    pub states_per_second: f64,
    /// The statistics of a search that removes states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storing: Option<StoringResult>,
    /// What was on disk, if waiting states may be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spill: Option<SpillResult>,
    /// The statistics of random walks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<SamplingResult>,
    /// The searches, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<RunsResult>,
    /// Statements that were never reached; empty unless the search was complete.
    pub unreached: Vec<StatementRef>,
    /// The file with the first trail, if one was written.
    pub trail: Option<String>,
}

/// The statistics of a search that removes states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoringResult {
    /// `sample:dynamic:P`, `sample:static:P`, `sample:auto` or `cache:N`.
    pub rule: String,
    /// The seed of the random choices.
    pub seed: u64,
    /// The states in the table at the end of the search.
    pub states_at_end: u64,
    /// The largest number of states in the table.
    pub peak_states: u64,
    /// The number of different states that were visited.
    pub distinct_states: u64,
    /// Whether that number is exact; otherwise it is an estimate with a standard error of 1.9 %.
    pub distinct_is_exact: bool,
    /// One minus the peak divided by the number of different states.
    pub saving: f64,
    /// Visits for each different state: the time, relative to a search without removals.
    pub overhead: f64,
    /// The edges of a state, on average.
    pub visitation_factor: f64,
    /// Visits of states by the first search.
    pub visits: u64,
    /// Edges that nested searches have explored.
    pub nested_transitions: u64,
    /// States that were removed when the search left them.
    pub deletions: u64,
    /// States that were replaced by others.
    pub evictions: u64,
    /// How many of the different states, or of a sample of them, were visited once, twice and so on; the last number
    /// counts all that were visited more often.
    pub visits_histogram: Vec<u64>,
    /// An estimate of the largest model that can be searched with this table, in states; only known when the table
    /// was full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feasible_states: Option<f64>,
    /// The number of recent visits for each new state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits_per_new_state: Option<f64>,
}

/// The statistics of random walks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SamplingResult {
    /// `lasso`, `multi-lasso`, `biased:B`, `splitting:N`, or `chain` for runs of a Markov chain.
    pub sampling: String,
    /// What was equally likely: `steps`, `transitions` or `states`; `probabilities` in a Markov chain.
    pub uniform: String,
    /// The seed of the random choices.
    pub seed: u64,
    /// The number of walks, without a gap in their numbers.
    pub walks: u64,
    /// The number of planned walks, if it was decided before.
    pub planned: Option<u64>,
    /// Those that show a violation.
    pub violations: u64,
    /// Those with a cycle that is not accepted.
    pub rejecting: u64,
    /// Those that ended because the property automaton was blocked, or in a state without successors.
    pub dead: u64,
    /// Those that were cut.
    pub cut: u64,
    /// Walks with more steps than this are cut.
    pub max_length: u64,
    /// All steps.
    pub steps: u64,
    /// The steps of a walk, on average.
    pub mean_length: f64,
    /// The steps of the longest walk.
    pub longest: u64,
    /// Steps per second.
    pub steps_per_second: f64,
    /// The number of the first walk that shows a violation.
    pub first: Option<u64>,
    /// If there were violations, but fewer than allowed: the excluded probability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruled_out: Option<f64>,
    /// The estimate of their probability, if it was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateResult>,
}

/// An estimate of the probability that a random lasso violates a property.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EstimateResult {
    /// `gbas` or `optimal`.
    pub method: String,
    /// The relative error is larger than this ...
    pub epsilon: f64,
    /// ... with this probability at most.
    pub delta: f64,
    /// The estimate; null if the walks ended before it was complete.
    pub value: Option<f64>,
    /// The mean of the walks.
    pub mean: f64,
    /// An interval that contains the probability at all times of the search, except with probability `delta`.
    pub interval: [f64; 2],
}

/// Several searches with different seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunsResult {
    /// The seed of the first one; each further one adds 1.
    pub seed: u64,
    /// The number of searches.
    pub made: u64,
    /// The number of those that found a violation.
    pub successes: u64,
    /// The seed of the search with this result.
    pub best_seed: u64,
    /// The states that each of them stored.
    pub states: Vec<u64>,
}

/// The size of a property automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonRef {
    /// Its states.
    pub states: u64,
    /// Its edges.
    pub edges: u64,
    /// Its acceptance sets.
    pub sets: u64,
    /// `empty`, `terminal`, `weak` or `strong`.
    pub strength: String,
}

/// The options of the user. Each result tells what ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    /// `--language`; null if the ending of the file decides.
    pub language: Option<String>,
    /// Options of the language, in order, as `name` or `name=value`.
    pub language_options: Vec<String>,
    /// `-N`: files with claims that were read with the model.
    pub claim_files: Vec<String>,
    /// `--search`; null for the default.
    pub search: Option<String>,
    /// Whether invalid end states are errors.
    pub deadlock: bool,
    /// Whether failing assertions are errors.
    pub assertions: bool,
    /// Conditions that must hold in every state.
    pub invariants: Vec<String>,
    /// `none`, `weak` or `strong`.
    pub fairness: String,
    /// Whether to search for a shortest lasso.
    pub shortest: bool,
    /// Whether the search continues after the first error.
    pub all_errors: bool,
    /// `--workers`; null for the default.
    pub workers: Option<u64>,
    /// `--store`; null for the default.
    pub store: Option<String>,
    /// `--exec`; null for the default.
    pub exec: Option<String>,
    /// Whether statements that are invisible to other processes are merged.
    pub merge: bool,
    /// Whether dead variables are set to zero.
    pub dead: bool,
    /// Bytes.
    pub memory_limit: Option<u64>,
    /// Seconds.
    pub time_limit: Option<f64>,
    /// States.
    pub state_limit: Option<u64>,
}

impl RunOptions {
    /// The options of the user.
    pub fn new(
        load: &LoadOptions,
        wishes: &Wishes,
        budget: &Budget,
        invariants: &[String],
    ) -> Self {
        let names = |option: &OptionValue| option.to_string();
        RunOptions {
            language: load.language.clone(),
            language_options: load.options.iter().map(names).collect(),
            claim_files: load
                .claim_files
                .iter()
                .map(|f| f.display().to_string())
                .collect(),
            search: wishes.search.map(|search| search.name().into()),
            deadlock: !wishes.no_deadlock,
            assertions: !wishes.no_assert,
            invariants: invariants.to_vec(),
            fairness: wishes.fairness.unwrap_or_default().word().into(),
            shortest: wishes.shortest,
            all_errors: wishes.all_errors,
            workers: wishes.workers.map(|workers| workers as u64),
            store: wishes.store.map(|store| store.to_string()),
            exec: wishes.exec.map(|exec| exec.name().into()),
            merge: !wishes.no_merge,
            dead: !wishes.no_dead,
            memory_limit: budget.memory,
            time_limit: budget.time.map(|time| time.as_secs_f64()),
            state_limit: budget.states,
        }
    }

    /// The options with which the model was read.
    pub fn load_options(&self) -> LoadOptions {
        // Parsing an option from a text does not fail.
        let option = |text: &String| text.parse().ok();
        LoadOptions {
            language: self.language.clone(),
            options: self.language_options.iter().filter_map(option).collect(),
            claim_files: self.claim_files.iter().map(PathBuf::from).collect(),
            memory: None,
        }
    }
}

/// Name and version of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// `lariat`
    pub name: String,
    /// The version.
    pub version: String,
}

impl Default for Tool {
    fn default() -> Self {
        Tool {
            name: "lariat".into(),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }
}

/// The model that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRef {
    /// The file.
    pub file: String,
    /// A hash of its text and of all files that it includes.
    pub hash: String,
}

/// The report of a run of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The program.
    pub tool: Tool,
    /// The model.
    pub model: ModelRef,
    /// The options.
    pub options: RunOptions,
    /// The seed of all random choices; null if there were none.
    pub seed: Option<u64>,
    /// One entry per property.
    pub results: Vec<PropertyResult>,
    /// Properties in the model that were not checked, as `ltl p`.
    pub unchecked: Vec<String>,
}
