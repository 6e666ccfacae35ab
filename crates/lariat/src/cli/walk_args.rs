//! The options of random walks (`--search monte-carlo`, `lariat estimate`).

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use lariat::walks::{
    DEFAULT_DELTA, DEFAULT_EPSILON, DEFAULT_LENGTH, Estimator, Goal, SamplingName, Walks,
};
use lariat_search::{LassoSampling, Uniform, WalkOptions};

use super::args;

/// Without a number, an estimate gives up after so many walks.
const ESTIMATE_WALKS: u64 = 10_000_000;

/// The relative error of an estimate, and how likely it may be larger, if the user does not say.
const ESTIMATE_EPSILON: f64 = 0.1;
const ESTIMATE_DELTA: f64 = 0.05;

/// The only search of `estimate`, which is how it is told from `check`.
const ESTIMATE: &str = "estimate";

/// Adds the options to `check`.
pub fn for_check(command: Command) -> Command {
    with_walks(command.next_help_heading("Random walks (--search monte-carlo)"))
        .arg(probability("epsilon").help(
            "Rule out violations that have this probability [default: 0.001, or whatever --time allows]",
        ))
        .arg(
            probability("delta")
                .help("The probability to rule them out wrongly [default: 0.01]"),
        )
        .arg(
            Arg::new("max-errors")
                .long("max-errors")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("End with so many violations, not with the first; fewer still rule out that they are frequent"),
        )
        .next_help_heading("Costs and output")
}

/// Adds the options to `estimate`.
pub fn for_estimate(command: Command) -> Command {
    let search = Arg::new("search")
        .long("search")
        .value_parser(PossibleValuesParser::new([ESTIMATE]))
        .default_value(ESTIMATE)
        .hide(true);
    with_walks(command.arg(search).next_help_heading("Random walks"))
        .arg(
            probability("epsilon")
                .help("The relative error of the estimate [default: 0.1]"),
        )
        .arg(
            probability("delta")
                .help("The probability of a larger error [default: 0.05]"),
        )
        .arg(
            Arg::new("method")
                .long("method")
                .value_name("METHOD")
                .value_parser(PossibleValuesParser::new(["gbas", "optimal"]))
                .hide_possible_values(true)
                .help("gbas (Huber; exact, for plain lassos) or optimal (Dagum, Karp, Luby, Ross; also for weights) [default: what is best for the kind of walks]"),
        )
        .next_help_heading("Costs and output")
}

fn with_walks(command: Command) -> Command {
    command
        .arg(
            Arg::new("sampling")
                .long("sampling")
                .value_name("KIND")
                .value_parser(|text: &str| text.parse::<SamplingName>())
                .help("lasso (the plain random lasso; default), multi-lasso (go on as long as that may find something), biased[:B] (prefer what the property automaton likes), splitting[:N] (branch when it comes closer)"),
        )
        .arg(
            Arg::new("uniform")
                .long("uniform")
                .value_name("WHAT")
                .value_parser(PossibleValuesParser::new(["steps", "transitions", "states"]))
                .hide_possible_values(true)
                .help("What is equally likely: steps (default; also inside atomic sequences), transitions (an atomic sequence is one) or states"),
        )
        .arg(
            Arg::new("max-length")
                .long("max-length")
                .value_name("N")
                .value_parser(parse_count)
                .help("Cut walks after so many steps, as 1e6; cut walks count as violations [default: 1e7]"),
        )
        .arg(
            Arg::new("walks")
                .long("walks")
                .value_name("N")
                .value_parser(parse_count)
                .help("Make at most so many walks"),
        )
        .arg(
            Arg::new("labels")
                .long("labels")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("The labels of a Markov chain: a MODEL that ends with .tra is one, in PRISM's explicit format"),
        )
}

fn probability(name: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("P")
        .value_parser(parse_probability)
        .allow_hyphen_values(true)
}

/// A number above 0 and below 1.
fn parse_probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err("it must be a number above 0 and below 1, as 0.01 or 1e-3".into()),
    }
}

/// A whole number above 0, also as 1e6.
fn parse_count(text: &str) -> Result<u64, String> {
    let wrong = || "write a whole number above 0, as 250000 or 1e6".to_string();
    if let Ok(number) = text.parse::<u64>() {
        return Some(number).filter(|&n| n > 0).ok_or_else(wrong);
    }
    match text.parse::<f64>() {
        Ok(number) if (1.0..=1e18).contains(&number) && number.fract() == 0.0 => Ok(number as u64),
        _ => Err(wrong()),
    }
}

/// Whether this is about random walks.
pub fn are_wanted(matches: &ArgMatches) -> bool {
    is_estimate(matches) || args::word(matches, "search") == "monte-carlo"
}

/// Whether the command is `estimate`.
pub fn is_estimate(matches: &ArgMatches) -> bool {
    args::word(matches, "search") == ESTIMATE
}

/// The walks that are wanted, if any.
pub fn walks(matches: &ArgMatches) -> Result<Option<Walks>, u8> {
    if !are_wanted(matches) {
        return Ok(None);
    }
    let SamplingName(sampling) = args::one(matches, "sampling").copied().unwrap_or_default();
    let options = WalkOptions {
        seed: args::one(matches, "seed").copied().unwrap_or(1),
        sampling,
        uniform: match args::word(matches, "uniform") {
            "transitions" => Uniform::Transitions,
            "states" => Uniform::States,
            _ => Uniform::Steps,
        },
        max_length: args::one(matches, "max-length")
            .copied()
            .unwrap_or(DEFAULT_LENGTH),
        ..WalkOptions::default()
    };
    refuse_uniform(matches, sampling)?;
    let most = args::one::<u64>(matches, "walks").copied();
    let epsilon = args::one::<f64>(matches, "epsilon").copied();
    let delta = args::one::<f64>(matches, "delta").copied();
    if is_estimate(matches) {
        return Ok(Some(Walks {
            options,
            goal: Goal::Estimate {
                epsilon: epsilon.unwrap_or(ESTIMATE_EPSILON),
                delta: delta.unwrap_or(ESTIMATE_DELTA),
                method: estimator(matches, sampling)?,
            },
            most: Some(most.unwrap_or(ESTIMATE_WALKS)),
        }));
    }
    let is_limited = most.is_some() || args::is_given(matches, "time");
    Ok(Some(Walks {
        options,
        goal: Goal::Test {
            epsilon: epsilon.or((!is_limited).then_some(DEFAULT_EPSILON)),
            delta: delta.unwrap_or(DEFAULT_DELTA),
            errors: args::one(matches, "max-errors").copied().unwrap_or(1),
        },
        most,
    }))
}

fn estimator(matches: &ArgMatches, sampling: LassoSampling) -> Result<Estimator, u8> {
    let best = Estimator::best_for(sampling);
    match args::word(matches, "method") {
        "gbas" if best != Estimator::Gbas => Err(super::fail(
            "--method gbas counts violations, and these walks have weights; choose optimal, or --sampling lasso",
        )),
        "gbas" => Ok(Estimator::Gbas),
        "optimal" => Ok(Estimator::Optimal),
        _ => Ok(best),
    }
}

/// Some kinds of walks look at all transitions.
fn refuse_uniform(matches: &ArgMatches, sampling: LassoSampling) -> Result<(), u8> {
    let looks_at_all = matches!(
        sampling,
        LassoSampling::MultiLasso | LassoSampling::Biased(_)
    );
    match args::word(matches, "uniform") {
        word @ ("steps" | "states") if looks_at_all => Err(super::fail(&format!(
            "--sampling {} compares whole transitions; leave --uniform {word} out",
            SamplingName(sampling)
        ))),
        _ => Ok(()),
    }
}

/// Some kinds of walks are led by the automaton of a property.
pub fn refuse_led(matches: &ArgMatches, safety: bool) -> Result<(), u8> {
    let kind = args::one::<SamplingName>(matches, "sampling").copied();
    match kind {
        Some(name @ SamplingName(LassoSampling::Biased(_) | LassoSampling::Splitting(_)))
            if safety =>
        {
            Err(super::fail(&format!(
                "--sampling {name} is led by the automaton of a property, and safety has none; name a property, or choose lasso or multi-lasso"
            )))
        }
        _ => Ok(()),
    }
}

/// Refuses options that have no meaning with random walks, or without them.
pub fn refuse(matches: &ArgMatches) -> Result<(), u8> {
    if !are_wanted(matches) {
        for id in [
            "epsilon",
            "delta",
            "max-errors",
            "sampling",
            "uniform",
            "max-length",
            "walks",
            "labels",
        ] {
            if args::is_given(matches, id) {
                return Err(super::fail(&format!(
                    "--{id} is about random walks; add --search monte-carlo"
                )));
            }
        }
        return Ok(());
    }
    if let word @ ("weak" | "strong") = args::word(matches, "fair") {
        return Err(super::fail(&format!(
            "--fair {word}: a random lasso is too simple a run to tell whether it is fair; leave --fair out, or choose --search scc"
        )));
    }
    for (id, why) in [
        ("store", "random walks keep no states"),
        (
            "max-states",
            "random walks keep no states; --walks and --max-length limit them",
        ),
        ("order", "random walks draw their steps anyway"),
        (
            "runs",
            "random walks are many runs already; --walks says how many",
        ),
        ("restarts", "every random walk starts again"),
        (
            "all-errors",
            "--max-errors says how many violations are wanted",
        ),
    ] {
        if args::is_given(matches, id) {
            return Err(super::fail(&format!("--{id}: {why}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_between_0_and_1() {
        assert_eq!(parse_probability("1e-3"), Ok(0.001));
        for text in ["0", "1", "-0.5", "2", "nan", "inf", "x", ""] {
            assert!(parse_probability(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_may_have_exponents() {
        assert_eq!(parse_count("1e6"), Ok(1_000_000));
        assert_eq!(parse_count("18446744073709551615"), Ok(u64::MAX));
        for text in ["0", "1.5", "-3", "1e30", "x", ""] {
            assert!(parse_count(text).is_err(), "{text}");
        }
    }
}
