//! From outcomes to the report that is printed as JSON.

use lariat_check::omission::{Missed, OmissionClaim, Violating};
use lariat_check::outcome::{
    AutomatonSize, Coverage, Evidence, Method, Outcome, ProofKind, RunsMade, Verdict, Violation,
};
use lariat_ltl::automaton::Strength;
use lariat_search::{
    Distinction, Estimated, LassoSampling, SamplingName, Statistics, StoreKind, Uniform,
    WalkConclusion, WalkOptions, Walked,
};

use crate::report::{
    AutomatonRef, DistinctionResult, EstimateResult, Guarantee, MissedLasso, MissedState,
    PropertyResult, RunsResult, SamplingResult, SpillResult, StoppedBy, StoringResult,
    ViolationResult,
};

/// The result of an outcome; `trails` are the files of its violations, as far as they were written.
pub fn result(outcome: &Outcome, trails: &[String]) -> PropertyResult {
    let statistics = &outcome.statistics;
    let seconds = statistics.elapsed.as_secs_f64();
    let per = |amount: f64, by: f64| if by > 0.0 { amount / by } else { 0.0 };
    let store = match outcome.ran.method {
        Method::Search(_, store) => store,
        _ => None,
    };
    let (errors, violations) = match &outcome.verdict {
        Verdict::Violated(violations) => (violations.errors, violations.list()),
        _ => (0, &[][..]),
    };
    let files = trails.iter().map(Some).chain(std::iter::repeat(None));
    PropertyResult {
        property: outcome.property.title.clone(),
        kind: outcome.property.kind.into(),
        search: outcome.ran.method.name().into(),
        store: store.map(|store| store.to_string()),
        workers: outcome.ran.workers as u64,
        exec: outcome.ran.executor.map(str::to_string),
        interpreted_locations: outcome.ran.interpreted_locations,
        fairness: outcome.fairness.word().into(),
        automaton: outcome.automaton.as_ref().map(automaton),
        verdict: outcome.verdict.word().into(),
        guarantee: guarantee(outcome),
        violations: violations
            .iter()
            .zip(files)
            .map(|(violation, file)| violation_result(violation, file.cloned()))
            .collect(),
        errors,
        states_stored: statistics.states_stored,
        states_matched: statistics.states_matched,
        transitions: statistics.transitions(),
        atomic_steps: statistics.internal_steps,
        max_depth: statistics.max_depth,
        memory_bytes: statistics.memory_bytes,
        bytes_per_state: bytes_per_state(statistics),
        elapsed_seconds: seconds,
        states_per_second: per(statistics.states_stored as f64, seconds),
        storing: store.and_then(|store| storing(store, statistics)),
        spill: statistics.spilled.map(|spilled| SpillResult {
            bytes_written: spilled.written,
            peak_bytes: spilled.peak,
        }),
        sampling: outcome
            .walks
            .as_ref()
            .map(|walks| sampling(walks, outcome.ran.method)),
        runs: outcome.runs.as_ref().map(runs),
        unreached: outcome.unreached.clone(),
        trail: trails.first().cloned(),
    }
}

/// The memory divided by the number of states; if states are removed, by the peak of their number.
pub(crate) fn bytes_per_state(statistics: &Statistics) -> f64 {
    let storing = statistics.storing;
    let states = storing.map_or(statistics.states_stored, |storing| storing.peak_states);
    match states {
        0 => 0.0,
        states => statistics.memory_bytes as f64 / states as f64,
    }
}

fn automaton(size: &AutomatonSize) -> AutomatonRef {
    AutomatonRef {
        states: size.states,
        edges: size.edges,
        sets: size.sets,
        strength: strength(size.strength).into(),
    }
}

/// The name of the strength of an automaton.
pub(crate) fn strength(strength: Strength) -> &'static str {
    match strength {
        Strength::Empty => "empty",
        Strength::Terminal => "terminal",
        Strength::Weak => "weak",
        Strength::Strong => "strong",
    }
}

fn violation_result(violation: &Violation, trail: Option<String>) -> ViolationResult {
    ViolationResult {
        kind: violation.text.kind.into(),
        message: violation.text.message.clone(),
        statement: violation.text.statement.clone(),
        occurrences: violation.occurrences,
        steps: violation.trace().steps.len() as u64,
        trail,
    }
}

fn guarantee(outcome: &Outcome) -> Guarantee {
    match &outcome.verdict {
        Verdict::Holds(proof) => match proof.kind() {
            ProofKind::EveryStateVisited => Guarantee::Proof,
            ProofKind::NoRunCanViolate => Guarantee::NoRunCanViolate,
        },
        Verdict::Violated(violations) => Guarantee::ReplayedCounterexample {
            shortest: violations.shortest,
            complete: violations.complete,
        },
        Verdict::NoViolationFound(Evidence::Walks(claim)) => hypothesis_test(claim, outcome),
        Verdict::NoViolationFound(Evidence::Search(claim)) => omission_bound(claim),
        Verdict::Exhausted(Coverage {
            stopped_by,
            complete_depth,
            unreplayed,
        }) => Guarantee::PartialCoverage {
            stopped_by: StoppedBy::of(*stopped_by).unwrap_or(StoppedBy::Interrupt),
            complete_depth: *complete_depth,
            unreplayed: *unreplayed,
        },
    }
}

fn hypothesis_test(claim: &WalkConclusion, outcome: &Outcome) -> Guarantee {
    let walks = outcome.walks.as_ref();
    Guarantee::HypothesisTest {
        epsilon: claim.epsilon,
        delta: claim.delta,
        walks: claim.walks,
        unknown: claim.unknown,
        violations: claim.violations,
        within_limit: claim.within_limit,
        distribution: walks.map_or_else(String::new, |walks| {
            distribution(&walks.task.options, outcome.ran.method)
        }),
        stopped_by: walks.and_then(|walks| StoppedBy::of(walks.sampled.stop)),
    }
}

fn omission_bound(claim: &OmissionClaim) -> Guarantee {
    let omission = claim.omission;
    let (mut missed_state, mut missed_lasso) = (None, None);
    if let Some(Missed { what, probability }) = claim.missed {
        match what {
            Violating::State { steps } => missed_state = Some(MissedState { steps, probability }),
            Violating::Lasso { states } => {
                missed_lasso = Some(MissedLasso {
                    states,
                    probability,
                })
            }
        }
    }
    Guarantee::OmissionBound {
        distinction: match omission.distinction {
            Distinction::Fingerprints { bits } => DistinctionResult::Fingerprints { bits },
            Distinction::Bloom { bits, ones, probes } => {
                DistinctionResult::Bloom { bits, ones, probes }
            }
        },
        states: omission.states,
        seed: claim.seed,
        searches: claim.searches,
        any: claim.any,
        single: omission.single,
        expected: Some(omission.expected).filter(|expected| expected.is_finite()),
        missed_state,
        missed_lasso,
        stopped_by: claim.stopped_by.and_then(StoppedBy::of),
    }
}

/// The distribution of lassos, in words.
pub(crate) fn distribution(options: &WalkOptions, method: Method) -> String {
    if method == Method::ChainRuns {
        return "with the probabilities of the chain".into();
    }
    let drawn = match options.effective_uniform() {
        Uniform::Steps => {
            "every possible step is equally likely, also inside atomic sequences, and every value of a `select`"
        }
        Uniform::Transitions => {
            "every possible transition is equally likely, an atomic sequence being one"
        }
        Uniform::States => "every possible next state is equally likely",
    };
    let closed = match options.sampling {
        LassoSampling::MultiLasso => {
            ";\n  they end at the first repeated state. Walks avoid ends without a violation,\n  so violations that the run of the property automaton accepts are found at least as often"
        }
        LassoSampling::Biased(_) => {
            ";\n  they end at the first repeated state. Only the unbiased half of the walks counts"
        }
        LassoSampling::Splitting(_) => {
            ";\n  they end at the first repeated state. Walks split, so violations are found at least as often"
        }
        LassoSampling::Lasso => ";\n  they end at the first repeated state",
    };
    format!("{drawn}{closed}")
}

/// The statistics of a search that removes states.
fn storing(store: StoreKind, statistics: &Statistics) -> Option<StoringResult> {
    let (StoreKind::Forget(rule), Some(storing)) = (store, statistics.storing) else {
        return None;
    };
    Some(StoringResult {
        rule: rule.rule.to_string(),
        seed: rule.seed,
        states_at_end: storing.states_at_end,
        peak_states: storing.peak_states,
        distinct_states: storing.distinct as u64,
        distinct_is_exact: storing.exact,
        saving: storing.saving(),
        overhead: storing.overhead(),
        visitation_factor: storing.visitation,
        visits: storing.expansions,
        nested_transitions: storing.nested_transitions,
        deletions: storing.deletions,
        evictions: storing.evictions,
        visits_histogram: storing.visits.to_vec(),
        feasible_states: storing
            .forecast
            .map(|forecast| forecast.feasible)
            .filter(|feasible| feasible.is_finite()),
        visits_per_new_state: storing.forecast.map(|forecast| forecast.work),
    })
}

/// The kind of walks as written on the command line.
pub(crate) fn sampling_name(walks: &Walked, method: Method) -> String {
    match method {
        Method::ChainRuns => "chain".into(),
        _ => SamplingName(walks.task.options.sampling).to_string(),
    }
}

fn sampling(walks: &Walked, method: Method) -> SamplingResult {
    let tally = &walks.sampled.tally;
    let options = &walks.task.options;
    let uniform = match (method, options.effective_uniform()) {
        (Method::ChainRuns, _) => "probabilities",
        (_, Uniform::Steps) => "steps",
        (_, Uniform::Transitions) => "transitions",
        (_, Uniform::States) => "states",
    };
    SamplingResult {
        sampling: sampling_name(walks, method),
        uniform: uniform.into(),
        seed: options.seed,
        walks: tally.walks,
        planned: walks.planned,
        violations: tally.violations,
        rejecting: tally.rejecting,
        dead: tally.dead,
        cut: tally.cut,
        max_length: options.max_length,
        steps: tally.steps,
        mean_length: tally.mean_length(),
        longest: tally.longest,
        steps_per_second: steps_per_second(walks),
        first: tally.first,
        ruled_out: walks.ruled_out,
        estimate: walks.estimate.as_ref().map(estimate),
    }
}

pub(crate) fn steps_per_second(walks: &Walked) -> f64 {
    let seconds = walks.sampled.elapsed.as_secs_f64();
    match seconds > 0.0 {
        true => walks.sampled.tally.steps as f64 / seconds,
        false => 0.0,
    }
}

fn estimate(estimate: &Estimated) -> EstimateResult {
    EstimateResult {
        method: estimate.method.word().into(),
        epsilon: estimate.epsilon,
        delta: estimate.delta,
        value: estimate.value,
        mean: estimate.mean,
        interval: estimate.interval,
    }
}

fn runs(runs: &RunsMade) -> RunsResult {
    RunsResult {
        seed: runs.seed,
        made: runs.made,
        successes: runs.successes,
        best_seed: runs.best_seed,
        states: runs.states.clone(),
    }
}
