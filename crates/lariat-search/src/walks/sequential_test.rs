//! The sequential test on random walks: their goals, and the conclusions.
//!
//! [`SequentialTest`] gets the walks one after the other, in the order of their numbers, and decides when there are
//! enough. All formulas are in `lariat_stats`; this file decides which of them applies.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use lariat_stats::{
    BettingSequence, ConfidenceSequence, Gbas, Moments, OptimalApproximation, epsilon_after,
    samples_with_errors, upper_bound,
};

use super::monte_carlo::{Ending, LassoSampling, Sampled, Uniform, Walk, WalkOptions};
use crate::toolkit::budget::Stop;

/// The default: a violation of this probability is excluded ...
pub const DEFAULT_EPSILON: f64 = 1e-3;
/// ... and this is the probability that the exclusion is wrong.
pub const DEFAULT_DELTA: f64 = 1e-2;
/// The default length at which walks are cut.
pub const DEFAULT_LENGTH: u64 = 10_000_000;
/// The default factor of biased walks.
const DEFAULT_BIAS: f64 = 1.0;
/// The default number of branches of splitting walks.
const DEFAULT_BRANCHES: u32 = 4;
/// The prior of probabilities: a beta distribution for rare events.
const PRIOR: (f64, f64) = (0.5, 50.0);

/// Random walks and their goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkTask {
    /// How they are made.
    pub options: WalkOptions,
    /// The goal.
    pub goal: Goal,
    /// The largest number of walks.
    pub most: Option<u64>,
}

/// The goal of random walks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// To find a violation, or to exclude that violations are frequent.
    Test {
        /// The probability to exclude; without one, walks are made until the budget ends.
        epsilon: Option<f64>,
        /// The probability of a wrong exclusion.
        delta: f64,
        /// The walks end after so many violations.
        errors: u64,
    },
    /// To estimate the probability of a violation.
    Estimate {
        /// The relative error.
        epsilon: f64,
        /// The probability that the error is larger.
        delta: f64,
        /// The estimator.
        method: Estimator,
    },
}

impl Default for Goal {
    fn default() -> Self {
        Goal::Test {
            epsilon: Some(DEFAULT_EPSILON),
            delta: DEFAULT_DELTA,
            errors: 1,
        }
    }
}

/// An estimator of a probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// Huber's: the distribution of the relative error is known exactly. For walks that are violations or not.
    Gbas,
    /// The algorithm of Dagum, Karp, Luby and Ross. Also for weighted walks.
    Optimal,
}

impl Estimator {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Estimator::Gbas => "gbas",
            Estimator::Optimal => "optimal",
        }
    }

    /// The best one for a kind of walks.
    pub fn best_for(sampling: LassoSampling) -> Self {
        match sampling {
            LassoSampling::Lasso => Estimator::Gbas,
            _ => Estimator::Optimal,
        }
    }
}

/// The kind of walks as written on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SamplingName(pub LassoSampling);

impl fmt::Display for SamplingName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            LassoSampling::Lasso => write!(f, "lasso"),
            LassoSampling::MultiLasso => write!(f, "multi-lasso"),
            LassoSampling::Biased(factor) => write!(f, "biased:{factor}"),
            LassoSampling::Splitting(branches) => write!(f, "splitting:{branches}"),
        }
    }
}

impl FromStr for SamplingName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, number) = match text.split_once(':') {
            Some((kind, number)) => (kind, Some(number)),
            None => (text, None),
        };
        let sampling = match (kind, number) {
            ("lasso", None) => LassoSampling::Lasso,
            ("multi-lasso", None) => LassoSampling::MultiLasso,
            ("biased", None) => LassoSampling::Biased(DEFAULT_BIAS),
            ("biased", Some(number)) => match number.parse() {
                Ok(factor) if (0.0..=100.0).contains(&factor) => LassoSampling::Biased(factor),
                _ => return Err("biased:B needs a number between 0 and 100".into()),
            },
            ("splitting", None) => LassoSampling::Splitting(DEFAULT_BRANCHES),
            ("splitting", Some(number)) => match number.parse() {
                Ok(branches @ 1..=1000) => LassoSampling::Splitting(branches),
                _ => return Err("splitting:N needs a number between 1 and 1000".into()),
            },
            _ => {
                return Err(
                    "there are lasso, multi-lasso, biased, biased:B, splitting and splitting:N"
                        .into(),
                );
            }
        };
        Ok(SamplingName(sampling))
    }
}

impl WalkOptions {
    /// What is equally likely in these walks: some kinds compare whole transitions.
    pub fn effective_uniform(&self) -> Uniform {
        match self.sampling {
            LassoSampling::MultiLasso | LassoSampling::Biased(_) => Uniform::Transitions,
            LassoSampling::Lasso | LassoSampling::Splitting(_) => self.uniform,
        }
    }
}

/// The conclusion if no walk, or fewer than allowed, shows a violation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkConclusion {
    /// The probability of a violation that is excluded.
    pub epsilon: f64,
    /// The probability of a wrong exclusion.
    pub delta: f64,
    /// The number of walks that count.
    pub walks: u64,
    /// The number of cut walks among them, which count as violations.
    pub unknown: u64,
    /// The number of violations among them.
    pub violations: u64,
    /// The excluded probability for violations that take fewer steps than the limit of walks; `None` if no walk was
    /// cut, or if it is not known.
    pub within_limit: Option<f64>,
}

/// An estimate of the probability of a violation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated {
    /// The estimator.
    pub method: Estimator,
    /// The relative error is larger than this ...
    pub epsilon: f64,
    /// ... with this probability at most.
    pub delta: f64,
    /// The estimate; `None` if the walks ended before it was complete.
    pub value: Option<f64>,
    /// The mean of the walks.
    pub mean: f64,
    /// Contains the probability at all times of the search, except with probability `delta`.
    pub interval: [f64; 2],
}

/// The result of random walks.
#[derive(Clone, Debug, PartialEq)]
pub struct Walked {
    /// The task.
    pub task: WalkTask,
    /// The counts.
    pub sampled: Sampled,
    /// The conclusion if nothing was found; `None` if no walk counts.
    pub claim: Option<WalkConclusion>,
    /// The number of planned walks, if it was decided before.
    pub planned: Option<u64>,
    /// The excluded probability although there were violations, because they were fewer than allowed.
    pub ruled_out: Option<f64>,
    /// The estimate, if it was the goal.
    pub estimate: Option<Estimated>,
    /// How often each fault was found.
    pub faults: Vec<(u32, u64)>,
    /// The numbers of the walks to record and replay.
    pub found: Vec<u64>,
}

/// Gets the walks in order and decides when there are enough.
pub struct SequentialTest {
    walks: WalkTask,
    /// The number of walks if nothing is found, as far as that was decided before.
    planned: Option<u64>,
    /// How often each fault was found.
    faults: Vec<(u32, u64)>,
    /// The numbers of the first walks that show a violation.
    found: Vec<u64>,
    /// The number of walks that count, and of those that were cut or show a violation.
    counting: u64,
    unknown: u64,
    errors: u64,
    /// Whether a walk was cut before it reached the limit of steps.
    is_cut_early: bool,
    estimate: Option<Estimate>,
}

/// The largest number of violations whose numbers are kept.
const MOST_FOUND: usize = 20;

/// An estimate in progress.
struct Estimate {
    method: Estimator,
    epsilon: f64,
    delta: f64,
    /// Values are between 0 and this.
    bound: f64,
    gbas: Option<Gbas>,
    optimal: Option<OptimalApproximation>,
    moments: Moments,
    /// Confidence sequences in which a cut walk is no violation, and one.
    low: Sequence,
    high: Sequence,
    /// Whether a walk was cut: then there are limits, but no estimate.
    is_uncertain: bool,
    is_done: bool,
    value: Option<f64>,
}

/// Limits that hold at all times.
enum Sequence {
    Counted(Option<ConfidenceSequence>),
    Weighted(Box<Option<BettingSequence>>),
}

impl Sequence {
    fn add(&mut self, value: f64) {
        match self {
            Sequence::Counted(Some(sequence)) => sequence.add(value > 0.0),
            Sequence::Weighted(sequence) => {
                if let Some(sequence) = sequence.as_mut() {
                    sequence.add(value);
                }
            }
            Sequence::Counted(None) => {}
        }
    }

    fn interval(&self) -> (f64, f64) {
        let known = match self {
            Sequence::Counted(sequence) => sequence.as_ref().map(ConfidenceSequence::interval),
            Sequence::Weighted(sequence) => (**sequence).as_ref().map(BettingSequence::interval),
        };
        known.unwrap_or((0.0, 1.0))
    }
}

impl Estimate {
    fn new(sampling: LassoSampling, epsilon: f64, delta: f64, method: Estimator) -> Self {
        let bound = match sampling {
            LassoSampling::Biased(_) => 2.0,
            _ => 1.0,
        };
        // Half of the probability for each limit: they may come from different sequences.
        let sequence = || match sampling {
            LassoSampling::Lasso => {
                Sequence::Counted(ConfidenceSequence::new(PRIOR.0, PRIOR.1, delta / 2.0))
            }
            _ => Sequence::Weighted(Box::new(BettingSequence::new(bound, delta / 2.0))),
        };
        Estimate {
            method,
            epsilon,
            delta,
            bound,
            gbas: Gbas::new(epsilon, delta).filter(|_| method == Estimator::Gbas),
            optimal: (method == Estimator::Optimal)
                .then(|| OptimalApproximation::new(epsilon, delta))
                .flatten(),
            moments: Moments::default(),
            low: sequence(),
            high: sequence(),
            is_uncertain: false,
            is_done: false,
            value: None,
        }
    }

    fn add(&mut self, seed: u64, number: u64, walk: &Walk) {
        self.moments.add(walk.value);
        self.low.add(walk.value);
        self.high.add((walk.value + walk.unknown).min(self.bound));
        self.is_uncertain |= walk.unknown > 0.0;
        let (value, bound) = (walk.value, self.bound);
        let counted = self.gbas.as_mut();
        let estimate = counted.and_then(|gbas| gbas.add(value > 0.0, seed, number));
        let weighted = self.optimal.as_mut();
        let scaled = weighted.and_then(|optimal| optimal.add(value / bound));
        // The estimate of a large probability may be above 1, and then 1 is closer to it.
        let estimate = estimate.or(scaled.map(|value| value * bound));
        self.is_done = estimate.is_some();
        self.value = estimate.filter(|_| !self.is_uncertain).map(|v| v.min(1.0));
    }

    fn result(&self) -> Estimated {
        Estimated {
            method: self.method,
            epsilon: self.epsilon,
            delta: self.delta,
            value: self.value,
            mean: self.moments.mean(),
            interval: [self.low.interval().0, self.high.interval().1.min(1.0)],
        }
    }
}

impl SequentialTest {
    /// A test without walks.
    pub fn new(walks: &WalkTask) -> Self {
        let (planned, estimate) = match walks.goal {
            Goal::Test {
                epsilon,
                delta,
                errors,
            } => {
                let needed = epsilon.and_then(|e| samples_with_errors(e, delta, errors));
                (needed, None)
            }
            Goal::Estimate {
                epsilon,
                delta,
                method,
            } => {
                let sampling = walks.options.sampling;
                (None, Some(Estimate::new(sampling, epsilon, delta, method)))
            }
        };
        SequentialTest {
            walks: *walks,
            planned,
            faults: Vec::new(),
            found: Vec::new(),
            counting: 0,
            unknown: 0,
            errors: 0,
            is_cut_early: false,
            estimate,
        }
    }

    /// Adds the next walk; breaks if there are enough.
    pub fn add(&mut self, number: u64, walk: &Walk) -> ControlFlow<()> {
        if let Ending::Fault(code) = walk.ending {
            match self.faults.iter_mut().find(|(other, _)| *other == code) {
                Some((_, count)) => *count += 1,
                None => self.faults.push((code, 1)),
            }
        }
        if walk.counts {
            self.counting += 1;
            self.unknown += u64::from(walk.is_unknown());
            self.is_cut_early |= walk.is_cut_early;
        }
        if walk.is_violation() {
            self.errors += 1;
            if self.found.len() < MOST_FOUND {
                self.found.push(number);
            }
        }
        let mut is_enough = self.is_planned() || Some(number + 1) == self.walks.most;
        match (self.walks.goal, &mut self.estimate) {
            (Goal::Test { errors, .. }, _) => is_enough |= self.errors >= errors,
            (_, Some(estimate)) => {
                estimate.add(self.walks.options.seed, number, walk);
                is_enough |= estimate.is_done;
            }
            _ => {}
        }
        match is_enough {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Whether the planned number of walks was made.
    fn is_planned(&self) -> bool {
        self.planned.is_some_and(|planned| self.counting >= planned)
    }

    /// The numbers of the walks to replay: for an estimate, the first one.
    fn found(&self) -> &[u64] {
        match self.walks.goal {
            Goal::Test { .. } => &self.found,
            Goal::Estimate { .. } => &self.found[..self.found.len().min(1)],
        }
    }

    /// The result of the walks.
    pub fn conclude(self, sampled: Sampled) -> Walked {
        let is_as_planned = sampled.stop == Stop::Complete;
        Walked {
            claim: (self.counting > 0).then(|| self.conclusion(is_as_planned)),
            planned: match self.walks.goal {
                Goal::Test { .. } => [self.planned, self.walks.most].into_iter().flatten().min(),
                Goal::Estimate { .. } => self.walks.most,
            },
            ruled_out: self.rule_out(is_as_planned),
            estimate: self.estimate.as_ref().map(Estimate::result),
            found: self.found().to_vec(),
            task: self.walks,
            faults: self.faults,
            sampled,
        }
    }

    fn conclusion(&self, is_as_planned: bool) -> WalkConclusion {
        let (epsilon, delta) = self.claim(is_as_planned);
        WalkConclusion {
            epsilon,
            delta,
            walks: self.counting,
            unknown: self.unknown,
            violations: self.errors,
            within_limit: self.claim_within_limit(),
        }
    }

    /// The excluded probability, and the probability that the exclusion is wrong.
    ///
    /// Without violations and cut walks, the bound holds at all times: the event of no violation after n walks is
    /// contained in the same event after fewer. With some, the bound of Clopper and Pearson holds only for a number
    /// of walks that was decided before. Otherwise a confidence sequence is used; it and the bound without
    /// violations, which might have been used instead, are each wrong with the given probability, so the sum is twice
    /// that.
    fn claim(&self, is_as_planned: bool) -> (f64, f64) {
        let (Goal::Test { delta, .. } | Goal::Estimate { delta, .. }) = self.walks.goal;
        let bad = self.errors + self.unknown;
        if bad == 0 {
            return (epsilon_after(self.counting, delta), delta);
        }
        if is_as_planned && self.estimate.is_none() {
            return (upper_bound(bad, self.counting, delta), delta);
        }
        let sequence = ConfidenceSequence::new(PRIOR.0, PRIOR.1, delta);
        let upper = sequence.map_or(1.0, |mut sequence| {
            sequence.add_many(bad, self.counting);
            sequence.interval().1
        });
        (upper, 2.0 * delta)
    }

    /// The excluded probability for violations that take fewer steps than the limit of walks: walks cut at the
    /// limit have none. `None` if no walk was cut or if some were cut for another reason.
    fn claim_within_limit(&self) -> Option<f64> {
        let (Goal::Test { delta, .. } | Goal::Estimate { delta, .. }) = self.walks.goal;
        let branches = matches!(self.walks.options.sampling, LassoSampling::Splitting(_));
        let is_known = self.unknown > 0 && self.errors == 0 && !self.is_cut_early && !branches;
        is_known.then(|| epsilon_after(self.counting, delta))
    }

    /// The excluded probability although there were violations, because they were fewer than allowed.
    fn rule_out(&self, is_as_planned: bool) -> Option<f64> {
        let is_complete = is_as_planned && self.is_planned();
        match self.walks.goal {
            Goal::Test { errors, .. } if is_complete && (1..errors).contains(&self.errors) => {
                Some(self.claim(true).0)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolkit::budget::Budget;
    use crate::walks::monte_carlo::random_lassos;
    use lariat_graph::Acceptance;
    use lariat_graph::explicit::ExplicitAcceptingGraph;

    const REPETITIONS: u64 = 10_000;
    /// The probability that a random lasso of [`figure_1`] is accepting.
    const TRUE: f64 = 0.125;

    /// The first figure of Grosu and Smolka 2005.
    fn figure_1() -> ExplicitAcceptingGraph {
        let mut graph = ExplicitAcceptingGraph::new(4, Acceptance { sets: 1, pairs: 0 });
        graph.add_initial(0);
        for (label, (from, to)) in [(0, 0), (0, 1), (1, 2), (1, 3), (2, 0), (2, 3), (3, 3)]
            .into_iter()
            .enumerate()
        {
            let accepting: &[usize] = if from == 2 { &[0] } else { &[] };
            graph.add_edge(from, to, label as u32, accepting);
        }
        graph
    }

    /// Draws random lassos with the defaults.
    fn testd(
        seed: u64,
        goal: Goal,
        max_length: u64,
        most: Option<u64>,
    ) -> (SequentialTest, Sampled) {
        let sampling = match goal {
            Goal::Estimate {
                method: Estimator::Optimal,
                ..
            } => LassoSampling::MultiLasso,
            _ => LassoSampling::Lasso,
        };
        let options = WalkOptions {
            seed,
            sampling,
            max_length,
            ..WalkOptions::default()
        };
        let walks = WalkTask {
            options,
            goal,
            most,
        };
        let mut test = SequentialTest::new(&walks);
        let fold = |number, walk: &Walk| test.add(number, walk);
        let budget = Budget::default();
        let sampled = random_lassos(&mut [figure_1()], &options, &budget, fold, &mut ());
        (test, sampled)
    }

    /// The share of wrong repetitions must be at most `delta`, except for deviations by chance with a probability
    /// below 10^-9 (Bernstein).
    fn assert_calibrated(wrong: u64, delta: f64, what: &str) -> f64 {
        let n = REPETITIONS as f64;
        let confidence = 1e9f64.ln();
        let slack = confidence / (3.0 * n) + (2.0 * delta * confidence / n).sqrt();
        let share = wrong as f64 / n;
        assert!(share <= delta + slack, "{what}: {share} instead of {delta}");
        share
    }

    #[test]
    fn clean_walks_occur_with_probability_delta() {
        for (delta, walks) in [(0.1, 18), (0.05, 23)] {
            let goal = Goal::Test {
                epsilon: Some(TRUE),
                delta,
                errors: 1,
            };
            let mut clean = 0;
            for seed in 0..REPETITIONS {
                let (test, sampled) = testd(seed, goal, u64::MAX, None);
                let walked = test.conclude(sampled);
                if let (Some(claim), true) = (walked.claim, walked.found.is_empty()) {
                    clean += 1;
                    assert!(claim.walks == walks && claim.epsilon <= TRUE);
                }
            }
            let share = assert_calibrated(clean, delta, "clean");
            assert!(share > delta / 2.0, "{share} is far below delta");
        }
    }

    /// At every time, the excluded probability is above the true one, except with probability delta.
    #[test]
    fn the_conclusion_holds_at_all_times() {
        let delta = 0.1;
        let goal = Goal::Test {
            epsilon: None,
            delta,
            errors: 1,
        };
        let mut wrong = 0;
        for seed in 0..REPETITIONS {
            let (test, sampled) = testd(seed, goal, u64::MAX, Some(200));
            // The conclusion before the violation, or at the end.
            let clean = sampled.tally.walks - test.errors;
            wrong += u64::from((0..=clean).any(|n| epsilon_after(n, delta) <= TRUE));
        }
        let share = assert_calibrated(wrong, delta, "at every moment");
        assert!(share > delta / 2.0, "{share}");
    }

    /// Cut walks never count as clean: lassos of more than one step are cut, and these are the violations.
    #[test]
    fn cut_walks_count_as_violations() {
        let delta = 0.1;
        for (errors, epsilon) in [(1, Some(0.05)), (1, None)] {
            let goal = Goal::Test {
                epsilon,
                delta,
                errors,
            };
            let mut wrong = 0;
            for seed in 0..REPETITIONS {
                let (test, mut sampled) = testd(seed, goal, 2, Some(40));
                if epsilon.is_none() {
                    sampled.stop = Stop::Time;
                }
                let walked = test.conclude(sampled);
                let WalkConclusion {
                    epsilon, unknown, ..
                } = walked.claim.unwrap();
                assert!(walked.found.is_empty() && unknown > 0 || epsilon > 0.05);
                wrong += u64::from(epsilon <= TRUE);
            }
            assert_calibrated(wrong, delta, "with cut walks");
        }
    }

    #[test]
    fn estimates_miss_with_probability_delta() {
        for (method, epsilon) in [(Estimator::Gbas, 0.4), (Estimator::Optimal, 0.9)] {
            let delta = 0.1;
            let goal = Goal::Estimate {
                epsilon,
                delta,
                method,
            };
            let (mut misses, mut outside) = (0, 0);
            for seed in 0..REPETITIONS {
                let (test, sampled) = testd(seed, goal, u64::MAX, None);
                let result = test.conclude(sampled).estimate.unwrap();
                let value = result.value.unwrap_or(f64::NAN);
                let is_near = (value / TRUE - 1.0).abs() <= epsilon;
                misses += u64::from(!is_near);
                let [low, high] = result.interval;
                outside += u64::from(TRUE < low || TRUE > high);
            }
            let share = assert_calibrated(misses, delta, "estimate");
            if method == Estimator::Gbas {
                assert!(share > delta / 2.0, "{share} is far below delta");
            }
            assert_calibrated(outside, delta, "interval");
        }
    }

    #[test]
    fn names_of_kinds_are_read_and_written() {
        for text in ["lasso", "multi-lasso", "biased:0.5", "splitting:7"] {
            let name: SamplingName = text.parse().unwrap_or_default();
            assert_eq!(name.to_string(), text);
        }
        for text in [
            "",
            "lasso:1",
            "biased:x",
            "biased:-1",
            "splitting:0",
            "other",
        ] {
            assert!(text.parse::<SamplingName>().is_err(), "{text}");
        }
    }
}
