//! Compares the share of walks that violate a formula with the probability that a run does.
//!
//! `LARIAT_SEED` sets another seed.

use crate::support::{Plain, SHAPES, chain, sampler};
use lariat_chain::{Chain, End, Options, Stopping, parse};
use lariat_ir::source::SourceMap;
use lariat_stats::stream;
use lariat_testkit::seed;

const CHAINS: u64 = 2_000;
const WALKS: u64 = 1_500;
const LONG: u64 = 10_000_000;

/// The Kullback-Leibler divergence of two Bernoulli distributions.
fn divergence(p: f64, q: f64) -> f64 {
    let part = |p: f64, q: f64| if p == 0.0 { 0.0 } else { p * (p / q).ln() };
    part(p, q) + part(1.0 - p, 1.0 - q)
}

/// Whether a share is too far from a probability to be chance: by Chernoff's bound, chance alone has a probability of
/// at most `level` for it.
fn is_wrong(share: f64, probability: f64, walks: u64, level: f64) -> bool {
    match probability {
        p if p < 1e-12 => share > 0.0,
        p if p > 1.0 - 1e-12 => share < 1.0,
        p => walks as f64 * divergence(share, p) > (2.0 / level).ln(),
    }
}

#[test]
fn walks_violate_with_the_right_probability() {
    let seed = seed();
    let (mut between, mut squares, mut steps, mut lassos) = (0, 0.0, 0, 0);
    for n in 0..CHAINS {
        let mut rng = stream(seed, "random chain", n);
        let shape = &SHAPES[n as usize % SHAPES.len()];
        let mut plain = Plain::random(&mut rng);
        // Most probabilities are 0 or 1, which is a weak test.
        for _ in 0..30 * (n % 3) {
            if (0.01..0.99).contains(&plain.probability(shape)) {
                break;
            }
            plain = Plain::random(&mut rng);
        }
        let exact = plain.probability(shape);
        let chain = plain.chain();
        let (mut sampler, property) = sampler(&chain, shape.formula, Options::default());
        // Walks with equal seeds and numbers on different chains are correlated.
        let own = seed.wrapping_add(n << 32);
        let mut violating = 0;
        for number in 0..WALKS {
            let walk = sampler.walk(own, number, LONG).unwrap();
            let violates = walk.violates.unwrap();
            violating += u64::from(violates);
            steps += walk.steps;
            if number < 8 {
                let lasso = sampler.lasso(own, number, LONG).unwrap();
                assert_eq!(lasso.is_some(), violates);
                lassos += u32::from(violates);
                assert!(lasso.is_none_or(|l| l.is_violation(&chain, &property)));
            }
        }
        let share = violating as f64 / WALKS as f64;
        let wrong = is_wrong(share, exact, WALKS, 1e-9 / CHAINS as f64);
        assert!(
            !wrong,
            "{n}: {} is {share}, not {exact}\n{plain:?}",
            shape.formula
        );
        if exact > 0.01 && exact < 0.99 {
            between += 1;
            squares += (share - exact).powi(2) * WALKS as f64 / (exact * (1.0 - exact));
        }
    }
    let mean = squares / f64::from(between);
    println!(
        "{between} of {CHAINS} probabilities between 0 and 1, mean square {mean:.3}, {lassos} lassos, \
         {:.1} steps for a walk",
        steps as f64 / (CHAINS * WALKS) as f64
    );
    assert!(between > 1000);
    // The mean of so many squares has a standard deviation of about (2 / between)^(1/2).
    let deviation = (2.0 / f64::from(between)).sqrt();
    assert!((mean - 1.0).abs() < 5.0 * deviation, "{mean}");
}

#[test]
fn both_rules_agree() {
    let seed = seed();
    let (mut steps, mut walks) = ([0, 0], 0);
    for n in 0..300 {
        let mut rng = stream(seed, "two rules", n);
        let plain = Plain::random(&mut rng);
        let shape = &SHAPES[n as usize % SHAPES.len()];
        let chain = plain.chain();
        let p_min = chain.smallest_probability();
        if p_min < 0.02 {
            continue;
        }
        let stopping = Stopping::Candidate { delta: 1e-7, p_min };
        let candidate = Options {
            stopping,
            ..Options::default()
        };
        let (mut exact, _) = sampler(&chain, shape.formula, Options::default());
        let (mut believing, property) = sampler(&chain, shape.formula, candidate);
        for number in 0..50 {
            let first = exact.walk(seed, number, LONG).unwrap();
            let second = believing.walk(seed, number, LONG).unwrap();
            assert_eq!(
                first.violates, second.violates,
                "{n}, {number}: {}",
                shape.formula
            );
            if first.end == End::Component {
                assert_eq!(first.component, second.component);
            }
            steps[0] += first.steps;
            steps[1] += second.steps;
            walks += 1;
            let lasso = believing.lasso(seed, number, LONG).unwrap();
            assert!(lasso.is_none_or(|l| l.is_violation(&chain, &property)));
        }
    }
    let mean = steps.map(|steps| steps as f64 / f64::from(walks));
    println!("{walks} walks, steps of each: {mean:.1?}");
    assert!(steps[0] < steps[1]);
}

/// The chain of Figure 2 with n + 1 states.
fn adversary(n: u32) -> Chain {
    let mut text = format!("{} {}\n", n + 1, 2 * n + 1);
    for state in 0..n {
        text += &format!("{state} 0 1/2\n{state} {} 1/2\n", state + 1);
    }
    text += &format!("{n} 0 1\n");
    chain(&text, &format!("0=\"acc\"\n{n}: 0\n"))
}

#[test]
fn the_first_lasso_is_not_the_limit() {
    for n in [3, 8, 20] {
        let chain = adversary(n);
        let (mut again, _) = sampler(&chain, "G F acc", Options::default());
        let (mut never, property) = sampler(&chain, "F G !acc", Options::default());
        let mut first_lassos = 0;
        for number in 0..2_000 {
            let walk = again.walk(1, number, LONG).unwrap();
            assert_eq!(walk.violates, Some(false));
            assert_eq!(walk.component, n as usize + 1);
            assert_eq!(never.walk(1, number, LONG).unwrap().violates, Some(true));
            let lasso = never.lasso(1, number, LONG).unwrap().unwrap();
            assert!(lasso.is_violation(&chain, &property));
            assert!(lasso.cycle.contains(&n));
            first_lassos += u32::from(first_lasso_is_accepting(&chain, n, number));
        }
        let share = f64::from(first_lassos) / 2_000.0;
        println!("n = {n}: the first lasso is accepting in {share} of the walks, the limit in all");
        assert!(!is_wrong(share, 0.5f64.powi(n as i32), 2_000, 1e-9));
    }
}

/// Whether a walk that ends at the first repeated state has the last state on its cycle.
fn first_lasso_is_accepting(chain: &Chain, last: u32, number: u64) -> bool {
    let mut rng = stream(1, "first lasso", number);
    let mut path = vec![0];
    loop {
        let state = path[path.len() - 1];
        let next = chain.targets(state)[chain.choose(state, rng.unit())];
        if let Some(start) = path.iter().position(|&s| s == next) {
            return path[start..].contains(&last);
        }
        path.push(next);
    }
}

#[test]
fn the_models_have_their_probabilities() {
    let gambler = 1.0 - 80.0 / 665.0;
    for (name, formula, expected) in [
        ("die", "F six", 5.0 / 6.0),
        ("die", "F done", 0.0),
        ("die", "G !(one || two)", 1.0 / 3.0),
        ("gambler", "F rich", gambler),
        ("gambler", "F (rich || ruined)", 0.0),
        ("gambler", "G F ruined", 1.0 - gambler),
        ("election", "G F first && G F second && G F third", 0.0),
        ("election", "F G leader", 1.0),
        ("election", "!tie U leader", 0.25),
        ("election", "!(tie || second || third) U first", 0.75),
        ("adversary", "G F last", 0.0),
    ] {
        let read = |ending: &str| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/chain");
            std::fs::read_to_string(format!("{folder}/{name}.{ending}")).unwrap()
        };
        let chain = chain(&read("tra"), &read("lab"));
        let (mut sampler, _) = sampler(&chain, formula, Options::default());
        let walks = 50_000;
        let violating =
            (0..walks).filter(|&n| sampler.walk(3, n, LONG).unwrap().violates == Some(true));
        let share = violating.count() as f64 / walks as f64;
        let wrong = is_wrong(share, expected, walks, 1e-9);
        assert!(!wrong, "{name}, {formula}: {share}, not {expected}");
    }
}

/// A fair random walk from the middle of 2 n + 1 states, absorbed at both ends.
fn ruin(n: u32) -> Chain {
    let mut text = format!("{} {}\n0 0 1\n", 2 * n + 1, 4 * n);
    for state in 1..2 * n {
        text += &format!("{state} {} 1/2\n{state} {} 1/2\n", state - 1, state + 1);
    }
    text += &format!("{0} {0} 1\n", 2 * n);
    chain(
        &text,
        &format!("0=\"rich\" 1=\"init\"\n{}: 0\n{n}: 1", 2 * n),
    )
}

#[test]
fn a_walk_is_a_function_of_its_seed_and_number() {
    let chain = ruin(8);
    let (mut sampler, _) = sampler(&chain, "G F rich -> F G !rich", Options::default());
    let walks: Vec<_> = (0..200)
        .map(|n| sampler.walk(5, n, LONG).unwrap())
        .collect();
    let mut copy = sampler.clone();
    for number in (0..200).rev() {
        assert_eq!(copy.walk(5, number, LONG).unwrap(), walks[number as usize]);
    }
    let steps = |seed: u64, sampler: &mut lariat_chain::ChainSampler| -> Vec<u64> {
        (0..200)
            .map(|n| sampler.walk(seed, n, LONG).unwrap().steps)
            .collect()
    };
    assert_ne!(steps(5, &mut copy), steps(6, &mut copy));
}

#[test]
fn a_cut_walk_has_no_result() {
    let chain = ruin(10);
    let (mut sampler, _) = sampler(&chain, "G F rich", Options::default());
    let walk = sampler.walk(1, 0, 3).unwrap();
    assert_eq!(
        (walk.violates, walk.steps, walk.end),
        (None, 3, End::Length)
    );
    let chain = adversary(10);
    let small = Options {
        states: 10,
        ..Options::default()
    };
    let (mut sampler, _) = crate::support::sampler(&chain, "G F acc", small);
    let walk = sampler.walk(1, 0, LONG).unwrap();
    assert_eq!((walk.violates, walk.end), (None, End::Memory));
    // Decided at the first state.
    for (formula, violates) in [
        ("true", false),
        ("false", true),
        ("!acc", false),
        ("acc", true),
    ] {
        let (mut sampler, _) = crate::support::sampler(&chain, formula, Options::default());
        let walk = sampler.walk(1, 0, 1).unwrap();
        assert_eq!((walk.violates, walk.end), (Some(violates), End::Decided));
        assert_eq!(sampler.lasso(1, 0, 1).unwrap().is_some(), violates);
    }
}

/// With little memory components are dropped and computed again; the results are the same.
#[test]
fn memory_does_not_change_the_answers() {
    let (mut unknown, mut known) = (0, 0);
    for n in 0..400 {
        let mut rng = stream(seed(), "little memory", n);
        let chain = Plain::random(&mut rng).chain();
        let formula = SHAPES[n as usize % SHAPES.len()].formula;
        let states = 1 + rng.index(6);
        let little = Options {
            states,
            ..Options::default()
        };
        let (mut forwards, _) = sampler(&chain, formula, little);
        let (mut backwards, _) = sampler(&chain, formula, little);
        let (mut plenty, _) = sampler(&chain, formula, Options::default());
        let first: Vec<_> = (0..40)
            .map(|n| forwards.walk(2, n, LONG).unwrap())
            .collect();
        for number in (0..40).rev() {
            let walk = backwards.walk(2, number, LONG).unwrap();
            assert_eq!(walk, first[number as usize]);
            let expected = plenty.walk(2, number, LONG).unwrap();
            match walk.end {
                End::Memory => unknown += 1,
                _ => assert_eq!(walk, expected),
            }
            known += u32::from(walk.end == End::Component);
        }
    }
    println!("{known} in a component, {unknown} unknown");
    assert!(known > 1000 && unknown > 1000);
}

/// A state can be so unlikely that no walk visits it; almost every run does nevertheless.
#[test]
fn a_rare_edge_counts() {
    let mut sources = SourceMap::default();
    let text = (
        "rare.tra",
        "3 5\n0 0 0.5\n0 1 0.5\n1 0 1\n2 1 1\n1 2 1e-12\n",
    );
    let labels = Some(("rare.lab", "0=\"rare\"\n2: 0\n"));
    let chain = parse(&mut sources, text, labels, 1 << 20).unwrap();
    let (mut sampler, _) = sampler(&chain, "G F rare", Options::default());
    for number in 0..1000 {
        let walk = sampler.walk(1, number, 1000).unwrap();
        assert_eq!((walk.violates, walk.component), (Some(false), 3));
    }
}
