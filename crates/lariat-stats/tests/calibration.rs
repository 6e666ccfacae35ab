//! Measures that every bound and estimator is as reliable as stated.
//!
//! Each test repeats an experiment whose true probability is known, and counts how often a statement was wrong. The
//! count of a statement that is wrong with probability `delta` is compared with its expectation plus the slack of
//! Bernstein's inequality for a probability of 10^-9: this is the probability that a comparison fails by chance. The
//! seeds are fixed, and printed with the rates.

use lariat_stats::*;

/// How often an event happened in a number of repetitions.
struct Rate {
    what: String,
    times: u64,
    repetitions: u64,
}

impl Rate {
    /// Repeats an experiment, each time with its own stream.
    fn of(what: &str, repetitions: u64, mut experiment: impl FnMut(u64, &mut Rng) -> bool) -> Self {
        const SEED: u64 = 1;
        let outcome = |index| experiment(index, &mut stream(SEED, what, index));
        let times = (0..repetitions).map(outcome).filter(|&yes| yes).count() as u64;
        let share = times as f64 / repetitions as f64;
        println!("{what}: {share:.4} of {repetitions}, seed {SEED}");
        Rate {
            what: what.to_string(),
            times,
            repetitions,
        }
    }

    /// A count differs from its expectation by more than this, on one side, with a probability of
    /// at most 10^-9 (Bernstein 1924).
    fn slack(&self, probability: f64) -> f64 {
        let strength = 1e9f64.ln();
        let variance = self.repetitions as f64 * probability * (1.0 - probability);
        strength / 3.0 + (strength * strength / 9.0 + 2.0 * strength * variance).sqrt()
    }

    fn is_at_most(&self, probability: f64) {
        let most = self.repetitions as f64 * probability + self.slack(probability);
        assert!(self.times as f64 <= most, "{}: {}", self.what, self.times);
    }

    fn is_at_least(&self, probability: f64) {
        let least = self.repetitions as f64 * probability - self.slack(probability);
        assert!(self.times as f64 >= least, "{}: {}", self.what, self.times);
    }

    /// The true probability is above `probability`, up to an error of 10^-9.
    fn shows_more_than(&self, probability: f64) {
        let most = self.repetitions as f64 * probability + self.slack(probability);
        assert!(self.times as f64 > most, "{}: {}", self.what, self.times);
    }
}

/// If errors are as frequent as the margin, they are missed with probability `delta`, and more often with the integer
/// part of the number that is needed.
#[test]
fn clean_walks_miss_with_probability_delta() {
    for (epsilon, delta) in [(0.5f64, 0.1f64), (0.125, 0.1), (0.125, 0.05), (0.01, 0.05)] {
        let walks = samples_needed(epsilon, delta).unwrap();
        let clean = |walks: u64| {
            let what = format!("clean after {walks} at {epsilon}");
            Rate::of(&what, 200_000, |_, rng| {
                !(0..walks).any(|_| rng.chance(epsilon))
            })
        };
        clean(walks).is_at_most(delta);
        if epsilon == 0.5 {
            clean(walks - 1).shows_more_than(delta);
        }
    }
}

/// The margin is read after every walk as long as there is no error. The probability that it is ever below the true
/// probability is at most `delta`, and close to it.
#[test]
fn margins_may_be_read_at_any_time() {
    for (p, delta) in [(0.02, 0.1), (0.02, 0.05), (0.3, 0.1)] {
        let what = format!("margin ever wrong at {p}, delta {delta}");
        let rate = Rate::of(&what, 100_000, |_, rng| {
            let clean = (1..).take_while(|_| !rng.chance(p));
            clean.into_iter().any(|n| epsilon_after(n, delta) < p)
        });
        rate.is_at_most(delta);
        rate.is_at_least(delta * (1.0 - p));
    }
}

/// All walks with an error are cut. The bound that counts cut walks as errors is correct; the bound that counts them
/// as clean is not.
#[test]
fn unknown_walks_have_to_be_counted() {
    const WALKS: u64 = 300;
    let (p, delta) = (0.02, 0.1);
    let bounds: Vec<f64> = (0..=WALKS).map(|k| upper_bound(k, WALKS, delta)).collect();
    let unknown = |rng: &mut Rng| (0..WALKS).filter(|_| rng.chance(p)).count();
    let counted = Rate::of("bound with unknown walks wrong", 100_000, |_, rng| {
        bounds[unknown(rng)] < p
    });
    counted.is_at_most(delta);
    counted.is_at_least(0.5 * delta);
    let ignored = Rate::of("bound without unknown walks wrong", 10_000, |_, rng| {
        unknown(rng);
        epsilon_after(WALKS, delta) < p
    });
    ignored.shows_more_than(0.99);
}

/// A plan that allows errors accepts a frequency of `epsilon` with probability `delta`.
#[test]
fn plans_with_errors_accept_with_probability_delta() {
    for (epsilon, delta, errors) in [(0.02, 0.1, 3), (0.01, 0.05, 5)] {
        let walks = samples_with_errors(epsilon, delta, errors).unwrap();
        let what = format!("less than {errors} errors in {walks} at {epsilon}");
        let rate = Rate::of(&what, 40_000, |_, rng| {
            let seen = (0..walks).filter(|_| rng.chance(epsilon)).count();
            (seen as u64) < errors
        });
        rate.is_at_most(delta);
        rate.is_at_least(delta * 0.95);
    }
}

/// The relative error is above `epsilon` with probability `delta`, for every probability.
#[test]
fn frequencies_have_the_relative_error() {
    let (epsilon, delta) = (0.2, 0.1);
    for p in [0.5, 0.1, 0.01] {
        let what = format!("relative error above {epsilon} at {p}");
        let rate = Rate::of(&what, 10_000, |index, rng| {
            let mut estimator = Gbas::new(epsilon, delta).unwrap();
            let estimate = (0..).find_map(|walk| estimator.add(rng.chance(p), index, walk));
            (estimate.unwrap() / p - 1.0).abs() > epsilon
        });
        rate.is_at_most(delta);
        rate.is_at_least(delta * 0.97);
    }
}

/// The two algorithms for weighted walks miss far less often than `delta`.
#[test]
fn means_have_the_relative_error() {
    let (epsilon, delta) = (0.3, 0.1);
    let frequency = |rng: &mut Rng| f64::from(u8::from(rng.chance(0.1)));
    let weight = |rng: &mut Rng| 0.05 + 0.1 * rng.unit();
    let off = |estimate: f64| (estimate / 0.1 - 1.0).abs() > epsilon;
    let rule = |value: &dyn Fn(&mut Rng) -> f64, rng: &mut Rng| {
        let mut rule = StoppingRule::new(epsilon, delta).unwrap();
        off((0..).find_map(|_| rule.add(value(rng))).unwrap())
    };
    let optimal = |value: &dyn Fn(&mut Rng) -> f64, rng: &mut Rng| {
        let mut algorithm = OptimalApproximation::new(epsilon, delta).unwrap();
        off((0..).find_map(|_| algorithm.add(value(rng))).unwrap())
    };
    Rate::of("stopping rule, frequency", 10_000, |_, rng| {
        rule(&frequency, rng)
    })
    .is_at_most(delta);
    Rate::of("stopping rule, weight", 10_000, |_, rng| rule(&weight, rng)).is_at_most(delta);
    Rate::of("optimal, frequency", 10_000, |_, rng| {
        optimal(&frequency, rng)
    })
    .is_at_most(delta);
    Rate::of("optimal, weight", 10_000, |_, rng| optimal(&weight, rng)).is_at_most(delta);
}

/// For each number of walks, the least and the most successes for which an interval has `p` in it.
fn region(p: f64, walks: u64, interval: impl Fn(u64, u64) -> (f64, f64)) -> Vec<(u64, u64)> {
    let (mut least, mut most) = (0, 0);
    let next = |n| {
        while interval(least, n).1 < p {
            least += 1;
        }
        while most < n && interval(most + 1, n).0 <= p {
            most += 1;
        }
        (least, most)
    };
    (1..=walks).map(next).collect()
}

/// The probability that a confidence sequence, read after every walk, is ever wrong is at most `delta`; the interval
/// for a fixed number of walks is wrong much more often.
#[test]
fn sequences_may_be_read_after_every_walk() {
    const WALKS: u64 = 10_000;
    let delta = 0.05;
    let ever_outside = |what: &str, p: f64, region: &[(u64, u64)]| {
        Rate::of(&format!("{what} ever wrong at {p}"), 10_000, |_, rng| {
            let mut successes = 0;
            region.iter().any(|&(least, most)| {
                successes += u64::from(rng.chance(p));
                !(least..=most).contains(&successes)
            })
        })
    };
    for p in [0.2, 0.02, 0.002] {
        for (a, b) in [(1.0, 1.0), (0.5, 50.0)] {
            let inside = region(p, WALKS, |successes, draws| {
                let mut sequence = ConfidenceSequence::new(a, b, delta).unwrap();
                sequence.add_many(successes, draws);
                sequence.interval()
            });
            ever_outside(&format!("sequence ({a}, {b})"), p, &inside).is_at_most(delta);
        }
        let inside = region(p, WALKS, |k, n| clopper_pearson(k, n, delta));
        ever_outside("fixed interval", p, &inside).shows_more_than(2.0 * delta);
    }
}

/// The same for weighted walks, read at times that grow by a fifth.
#[test]
fn weighted_sequences_may_be_read_at_any_time() {
    let delta = 0.1;
    let ever_wrong = |what: &str, mean: f64, bound: f64, value: &dyn Fn(&mut Rng) -> f64| {
        let rate = Rate::of(what, 10_000, |_, rng| {
            let mut sequence = BettingSequence::new(bound, delta).unwrap();
            let mut next = 10;
            (1..2000).any(|n| {
                sequence.add(value(rng));
                if n < next {
                    return false;
                }
                next = n + n / 5;
                let (lower, upper) = sequence.interval();
                !(lower..=upper).contains(&mean)
            })
        });
        rate.is_at_most(delta);
    };
    let heavy = |rng: &mut Rng| {
        if rng.chance(0.05) { rng.unit() } else { 0.0 }
    };
    ever_wrong("betting on rare weights ever wrong", 0.025, 1.0, &heavy);
    let even = |rng: &mut Rng| 4.0 * rng.unit();
    ever_wrong("betting on even weights ever wrong", 2.0, 4.0, &even);
}

/// The successors of each state of a graph; the search starts at 0.
type Graph = Vec<Vec<usize>>;

fn chain(states: usize) -> Graph {
    (1..=states)
        .map(|next| Vec::from_iter((next < states).then_some(next)))
        .collect()
}

fn tree(states: usize) -> Graph {
    let children = |state| {
        [2 * state + 1, 2 * state + 2]
            .into_iter()
            .filter(|&child| child < states)
    };
    (0..states).map(|state| children(state).collect()).collect()
}

/// Edges to later states, about three for each; every state is reachable.
fn dag(states: usize, rng: &mut Rng) -> Graph {
    let mut graph = vec![Vec::new(); states];
    for state in 1..states {
        for _ in 0..3 {
            graph[rng.index(state)].push(state);
        }
    }
    graph
}

/// A store that takes some states for others. It draws the hash of a state when the state is first offered.
#[derive(Clone)]
enum Hashed {
    Fingerprints {
        bits: u32,
        stored: std::collections::HashSet<u64>,
    },
    Bloom {
        table: Vec<bool>,
        probes: u32,
        states: u64,
        ones: u64,
        sum: f64,
    },
}

impl Hashed {
    fn fingerprints(bits: u32) -> Self {
        Hashed::Fingerprints {
            bits,
            stored: Default::default(),
        }
    }

    fn bloom(bits: usize, probes: u32) -> Self {
        Hashed::Bloom {
            table: vec![false; bits],
            probes,
            states: 0,
            ones: 0,
            sum: 0.0,
        }
    }

    /// Whether a state that was not offered before counts as new.
    fn is_new(&mut self, rng: &mut Rng) -> bool {
        match self {
            Hashed::Fingerprints { bits, stored } => stored.insert(rng.below(1 << *bits)),
            Hashed::Bloom {
                table,
                probes,
                states,
                ones,
                sum,
            } => {
                let probability = (*ones as f64 / table.len() as f64).powi(*probes as i32);
                let before = *ones;
                for _ in 0..*probes {
                    let index = rng.index(table.len());
                    *ones += u64::from(!table[index]);
                    table[index] = true;
                }
                let is_new = *ones > before;
                *states += u64::from(is_new);
                *sum += if is_new { probability } else { 0.0 };
                is_new
            }
        }
    }

    fn omission(&self) -> Omission {
        match self {
            Hashed::Fingerprints { bits, stored } => {
                Omission::fingerprints(stored.len() as u64, *bits)
            }
            Hashed::Bloom {
                table,
                probes,
                states,
                ones,
                sum,
            } => Omission::bloom(*states, table.len() as u64, *ones, *probes, *sum),
        }
    }
}

/// What a breadth-first search over a store of hashes visits, and how many of the states that it met it omitted.
fn visit(graph: &Graph, store: &mut Hashed, rng: &mut Rng) -> (Vec<bool>, u64) {
    let (mut met, mut visited) = (vec![false; graph.len()], vec![false; graph.len()]);
    let (mut queue, mut omitted) = (std::collections::VecDeque::new(), 0);
    let mut offer = |state: usize, queue: &mut std::collections::VecDeque<usize>| {
        if !std::mem::replace(&mut met[state], true) {
            if store.is_new(rng) {
                visited[state] = true;
                queue.push_back(state);
            } else {
                omitted += 1;
            }
        }
    };
    offer(0, &mut queue);
    while let Some(state) = queue.pop_front() {
        graph[state]
            .iter()
            .for_each(|&next| offer(next, &mut queue));
    }
    (visited, omitted)
}

/// The distance of each state from 0 in a graph whose edges go to later states.
fn distances(graph: &Graph) -> Vec<u64> {
    let mut distances = vec![u64::MAX; graph.len()];
    distances[0] = 0;
    for state in 0..graph.len() {
        for &next in &graph[state] {
            distances[next] = distances[next].min(distances[state] + 1);
        }
    }
    distances
}

/// A search that has omitted something and reports a probability of at most `a` is a search in `1/a`, for each `a`; the
/// same for a given state. The number of omissions that is expected is not exceeded on average.
#[test]
fn searches_over_hashes_omit_as_rarely_as_reported() {
    let graphs = [
        ("chain", chain(200)),
        ("tree", tree(200)),
        ("dag", dag(200, &mut stream(1, "dag", 0))),
    ];
    let stores = [
        ("8 bits", Hashed::fingerprints(8)),
        ("12 bits", Hashed::fingerprints(12)),
        ("16 bits", Hashed::fingerprints(16)),
        ("Bloom filter, 2 of 1000", Hashed::bloom(1000, 2)),
        ("Bloom filter, 4 of 4096", Hashed::bloom(4096, 4)),
    ];
    const RUNS: u64 = 4000;
    for (name, graph) in &graphs {
        let (last, distance) = (graph.len() - 1, distances(graph)[graph.len() - 1]);
        for (store_name, store) in &stores {
            let what = format!("{name}, {store_name}");
            let runs: Vec<_> = (0..RUNS)
                .map(|index| {
                    let (rng, mut store) = (&mut stream(1, &what, index), store.clone());
                    let (visited, omitted) = visit(graph, &mut store, rng);
                    (omitted, !visited[last], store.omission())
                })
                .collect();
            for a in [0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9] {
                let any = |i: u64| runs[i as usize].0 > 0 && runs[i as usize].2.any <= a;
                Rate::of(&format!("{what}: any at {a}"), RUNS, |i, _| any(i)).is_at_most(a);
                let one = |i: u64| runs[i as usize].1 && runs[i as usize].2.path(distance) <= a;
                Rate::of(&format!("{what}: one at {a}"), RUNS, |i, _| one(i)).is_at_most(a);
            }
            // The probability that the average is 7 standard errors above its expectation is below 10^-9.
            let excess = |run: &(u64, bool, Omission)| run.0 as f64 - run.2.expected;
            let mean = runs.iter().map(excess).sum::<f64>() / RUNS as f64;
            let variance = runs
                .iter()
                .map(|run| (excess(run) - mean).powi(2))
                .sum::<f64>();
            let error = variance.sqrt() / RUNS as f64;
            assert!(
                mean <= 7.0 * error,
                "{what}: {mean}, standard error {error}"
            );
        }
    }
}

/// The probability that anything was omitted is not much above the measured one. In a chain all states behind an
/// omitted one are missing, so the searches that omit something report less.
#[test]
fn reported_omissions_are_close_to_the_measured_ones() {
    const RUNS: u64 = 20_000;
    for (what, empty) in [
        ("16 bits", Hashed::fingerprints(16)),
        ("Bloom filter", Hashed::bloom(2200, 4)),
    ] {
        let graph = chain(100);
        let mut reported = 0.0;
        let rate = Rate::of(what, RUNS, |_, rng| {
            let mut store = empty.clone();
            let (_, omitted) = visit(&graph, &mut store, rng);
            reported += store.omission().any / RUNS as f64;
            omitted > 0
        });
        println!("{what}: {reported:.4} reported on average");
        rate.is_at_least(reported / 1.5);
    }
}
