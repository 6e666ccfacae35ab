//! The arguments of all commands.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use lariat::LANGUAGES;
use lariat_check::default_memory;
use lariat_check::repeat::Restarts;
use lariat_check::spill::open_spill;
use lariat_check::system::Exec;
use lariat_front::{LanguageOption, LoadOptions, OptionValue, OptionValues};
use lariat_search::{Cycles, SamplingName, SearchId, Spill, StoreKind};

/// The value of an option, if the command has it and it was given or has a default.
pub fn one<'m, T: Clone + Send + Sync + 'static>(
    matches: &'m ArgMatches,
    id: &str,
) -> Option<&'m T> {
    matches.try_get_one(id).ok().flatten()
}

/// Whether a flag was given.
pub fn flag(matches: &ArgMatches, id: &str) -> bool {
    one(matches, id).copied().unwrap_or(false)
}

/// Whether the user gave an option.
pub fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.try_contains_id(id).is_ok_and(|is_there| is_there)
        && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Whether the command is `estimate`.
pub fn is_estimate(matches: &ArgMatches) -> bool {
    flag(matches, ESTIMATE)
}

/// An argument of `estimate` only.
const ESTIMATE: &str = "estimate";

/// The options of all languages, each once.
pub fn language_options() -> impl Iterator<Item = &'static LanguageOption> {
    let all = LANGUAGES.0.iter().flat_map(|language| language.options());
    let mut seen = Vec::new();
    all.filter(move |option| {
        let is_new = !seen.contains(&option.name);
        seen.push(option.name);
        is_new
    })
}

/// The whole command line.
pub fn command() -> Command {
    Command::new("lariat")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An explicit-state model checker that says how far its answers can be trusted")
        .after_help(
            "Exit codes: 0 holds, 1 violated, 2 error in the model or the command line,\n\
             3 no violation found, 4 exhausted or interrupted.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(check())
        .subcommand(estimate())
        .subcommand(simulate())
        .subcommand(replay())
        .subcommand(ltl())
        .subcommand(experiment())
        .subcommand(with_model(Command::new("parse").about(
            "Read a model, report what is wrong with it, and show what it consists of",
        )))
        .subcommand(
            with_model(Command::new("show").about("Show the automata of a model")).arg(
                Arg::new("automata")
                    .long("automata")
                    .value_name("FORMAT")
                    .value_parser(PossibleValuesParser::new(["dot"]))
                    .default_value("dot")
                    .help("The control-flow automaton of every process, for Graphviz"),
            ),
        )
}

fn check() -> Command {
    let command = Command::new("check").about("Check safety and every property of a model");
    let command = with_search(with_checks(with_properties(with_model(command))));
    let command = with_engine(with_budget(command));
    with_output(with_test(command))
}

fn estimate() -> Command {
    let command = Command::new("estimate").about(
        "Estimate how likely a random lasso, or a run of a Markov chain, violates a property",
    );
    let estimate = Arg::new(ESTIMATE)
        .long(ESTIMATE)
        .hide(true)
        .default_value("true")
        .value_parser(value_parser!(bool));
    let command = with_checks(with_properties(with_model(command.arg(estimate))));
    let command = with_engine(with_budget(with_estimate(command)));
    with_output(command.arg(seed(SEED_HELP)))
}

const SEED_HELP: &str = "Everything that is drawn at random is drawn from this number [default: 1]";

/// The options of the search and the store.
fn with_search(command: Command) -> Command {
    command
        .arg(
            Arg::new("search")
                .long("search")
                .value_name("METHOD")
                .value_parser(PossibleValuesParser::new(std::iter::once("auto").chain(SearchId::ALL.iter().map(|id| id.name()))))
                .hide_possible_values(true)
                .help(search_help()),
        )
        .arg(
            Arg::new("all-errors")
                .long("all-errors")
                .action(ArgAction::SetTrue)
                .help("Go on after the first error and count all of them"),
        )
        .arg(
            Arg::new("max-states")
                .long("max-states")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help("Number of states that the search may store"),
        )
        .arg(
            Arg::new("order")
                .long("order")
                .value_name("ORDER")
                .value_parser(PossibleValuesParser::new(["model", "random"]))
                .hide_possible_values(true)
                .help("Visit successors in the order of the model, or in a random one [default: model; random with --restarts, and with a --seed that nothing else uses]"),
        )
        .arg(seed(SEED_HELP))
        .arg(
            Arg::new("runs")
                .long("runs")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("Search so many times, with seeds from --seed on, and count the runs that find a violation"),
        )
        .arg(
            Arg::new("confirm")
                .long("confirm")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("With a store that may omit states: search so many times, with hashes from --seed on, up to the first violation"),
        )
        .arg(
            Arg::new("restarts")
                .long("restarts")
                .value_name("luby[:STATES]")
                .value_parser(parse_restarts)
                .help("Cut runs short after 1, 1, 2, 1, 1, 2, 4, ... times so many states [default: 1000], up to the first violation; the last one is not cut"),
        )
        .arg(
            Arg::new("store")
                .long("store")
                .value_name("KIND")
                .value_parser(|text: &str| text.parse::<StoreKind>())
                .help(store_help()),
        )
}

/// The searches with their summaries, from the registry.
fn search_help() -> String {
    let list = |has: fn(SearchId) -> bool| {
        let ids = SearchId::ALL.iter().filter(|id| has(**id));
        let one = |id: &SearchId| format!("{} ({})", id.name(), id.info().summary);
        ids.map(one).collect::<Vec<_>>().join(", ")
    };
    format!(
        "The search [default: chosen for each property]. Errors of states and steps: {}. Properties of runs: {}",
        list(|id| id.info().faults),
        list(|id| id.info().cycles > Cycles::None),
    )
}

/// The stores with their summaries, from the registry.
fn store_help() -> String {
    let one = |(name, summary): (&str, &str)| format!("{name} ({summary})");
    let all: Vec<String> = StoreKind::names().into_iter().map(one).collect();
    format!(
        "How visited states are kept [default: {}]: {}. What forgets states takes more time, and stays exact",
        StoreKind::default(),
        all.join(", ")
    )
}

/// The options of random walks of `check`.
fn with_test(command: Command) -> Command {
    with_walks(command.next_help_heading("Random walks (--search monte-carlo)"))
        .arg(probability("epsilon").help(
            "Rule out violations that have this probability [default: 0.001, or whatever --time allows]",
        ))
        .arg(probability("delta").help("The probability to rule them out wrongly [default: 0.01]"))
        .arg(
            Arg::new("max-errors")
                .long("max-errors")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("End with so many violations, not with the first; fewer still rule out that they are frequent"),
        )
        .next_help_heading("Costs and output")
}

/// The options of `estimate`.
fn with_estimate(command: Command) -> Command {
    with_walks(command.next_help_heading("Random walks"))
        .arg(probability("epsilon").help("The relative error of the estimate [default: 0.1]"))
        .arg(probability("delta").help("The probability of a larger error [default: 0.05]"))
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
                .help("Cut walks after so many steps, for example 1e6; cut walks count as violations [default: 1e7]"),
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
        _ => Err("it must be a number above 0 and below 1, for example 0.01 or 1e-3".into()),
    }
}

/// A positive integer, also as 1e6.
fn parse_count(text: &str) -> Result<u64, String> {
    let wrong = || "write a whole number above 0, for example 250000 or 1e6".to_string();
    if let Ok(number) = text.parse::<u64>() {
        return Some(number).filter(|&n| n > 0).ok_or_else(wrong);
    }
    match text.parse::<f64>() {
        Ok(number) if (1.0..=1e18).contains(&number) && number.fract() == 0.0 => Ok(number as u64),
        _ => Err(wrong()),
    }
}

/// The options for errors of states and steps.
fn with_checks(command: Command) -> Command {
    command
        .arg(
            Arg::new("invariant")
                .long("invariant")
                .value_name("CONDITION")
                .action(ArgAction::Append)
                .help("A condition that must hold in every state, for example 'x + y < 3'; asks for safety"),
        )
        .arg(
            Arg::new("no-deadlock")
                .long("no-deadlock")
                .action(ArgAction::SetTrue)
                .help("Do not report deadlocks (invalid end states)"),
        )
        .arg(
            Arg::new("no-assert")
                .long("no-assert")
                .action(ArgAction::SetTrue)
                .help("Do not report assertions that fail"),
        )
}

/// The options of the budget.
fn with_budget(command: Command) -> Command {
    command
        .arg(
            Arg::new("memory")
                .long("memory")
                .value_name("SIZE")
                .value_parser(parse_size)
                .help(
                    "Memory that the search may use, for example 200M or 4G [default: 3/4 of what is free]",
                ),
        )
        .arg(
            Arg::new("spill")
                .long("spill")
                .value_name("DIR[:SIZE]")
                .value_parser(parse_spill)
                .help(
                    "Directory for waiting states that exceed their part of the memory, of at most SIZE bytes; for bfs, owcty and map",
                ),
        )
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("DURATION")
                .value_parser(parse_duration)
                .help("Time that the search may take, for example 90s, 10m or 1h30m"),
        )
        .arg(
            Arg::new("workers")
                .long("workers")
                .short('w')
                .value_name("N")
                .value_parser(value_parser!(u16).range(1..))
                .help("Threads that search together [default: one for each core]"),
        )
}

/// The options of the executor.
fn with_engine(command: Command) -> Command {
    command
        .arg(
            Arg::new("exec")
                .long("exec")
                .value_name("HOW")
                .value_parser(PossibleValuesParser::new(Exec::ALL.map(Exec::name)))
                .hide_possible_values(true)
                .help("How the model is executed: jit (machine code; default, where it can be made), interp (the reference interpreter), or both in lock-step, stopping at the first difference"),
        )
        .arg(
            Arg::new("no-merge")
                .long("no-merge")
                .action(ArgAction::SetTrue)
                .help("Store the states between statements that only the process itself can notice"),
        )
        .arg(
            Arg::new("no-dead")
                .long("no-dead")
                .action(ArgAction::SetTrue)
                .help("Keep the values of variables that are not read before they are written again; without this, they count as 0"),
        )
}

/// The options of the output.
fn with_output(command: Command) -> Command {
    command
        .arg(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("Print one JSON object on standard output instead of the summary"),
        )
        .arg(
            Arg::new("trail")
                .long("trail")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Where the counterexample is written [default: MODEL.trail.json]"),
        )
        .arg(
            Arg::new("no-trail")
                .long("no-trail")
                .action(ArgAction::SetTrue)
                .conflicts_with("trail")
                .help("Do not write counterexamples to files"),
        )
}

/// The options that choose properties.
fn with_properties(command: Command) -> Command {
    let flag = |id: &'static str, help: &'static str| {
        Arg::new(id).long(id).action(ArgAction::SetTrue).help(help)
    };
    command
        .next_help_heading("Properties (default: safety, and all properties of the model)")
        .arg(flag("safety", "Errors of single states and steps only"))
        .arg(
            Arg::new("ltl")
                .long("ltl")
                .value_name("NAME")
                .action(ArgAction::Append)
                .help("Promela: the ltl block with this name"),
        )
        .arg(
            Arg::new("formula")
                .long("formula")
                .value_name("FORMULA")
                .action(ArgAction::Append)
                .help("An LTL formula that every run must satisfy, for example '[](x == 1 -> <>done)'"),
        )
        .arg(
            Arg::new("never")
                .long("never")
                .short('N')
                .value_name("FILE")
                .num_args(0..=1)
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf))
                .help("The never claim or the property process of the model, or the claim in a file"),
        )
        .arg(
            Arg::new("hoa")
                .long("hoa")
                .value_name("FILE")
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf))
                .help("An automaton of the runs that must not happen, in the HOA format"),
        )
        .arg(flag("acceptance", "No run visits an accepting state (in Promela: a label that begins with `accept`) again and again"))
        .arg(flag("non-progress", "Promela: every infinite run visits a label that begins with `progress` again and again"))
        .arg(
            Arg::new("fair")
                .long("fair")
                .value_name("KIND")
                .value_parser(PossibleValuesParser::new(["none", "weak", "strong"]))
                .help("Only runs in which processes that stay enabled (weak) or are enabled again and again (strong) move"),
        )
        .arg(flag("shortest", "Look for a counterexample with the fewest steps"))
        .next_help_heading("Search")
}

fn simulate() -> Command {
    with_model(Command::new("simulate").about("Run a model step by step"))
        .arg(seed(
            "The random choices are drawn from this number [default: chosen and printed]",
        ))
        .arg(
            Arg::new("interactive")
                .long("interactive")
                .short('i')
                .action(ArgAction::SetTrue)
                .conflicts_with("seed")
                .help("Choose every step yourself"),
        )
        .arg(
            Arg::new("trail")
                .long("trail")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("seed")
                .help("Follow a counterexample; with --interactive, go on by hand at its end"),
        )
        .arg(
            Arg::new("steps")
                .long("steps")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .conflicts_with_all(["interactive", "trail"])
                .help("The most steps to take [default: 500]"),
        )
        .arg(
            Arg::new("quiet")
                .long("quiet")
                .short('q')
                .action(ArgAction::SetTrue)
                .help("Show only what the model prints"),
        )
}

fn replay() -> Command {
    Command::new("replay")
        .about("Execute a counterexample again and show it")
        .arg(
            Arg::new("file")
                .value_name("TRAIL")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("A file that `lariat check` wrote"),
        )
        .arg(
            Arg::new("model")
                .long("model")
                .value_name("MODEL")
                .value_parser(value_parser!(PathBuf))
                .help("The model, if it is no longer where it was"),
        )
}

fn ltl() -> Command {
    let flag = |id: &'static str, help: &'static str| {
        Arg::new(id).long(id).action(ArgAction::SetTrue).help(help)
    };
    Command::new("ltl")
        .about("Show what becomes of an LTL formula: its class, its automata")
        .arg(
            Arg::new("formula")
                .value_name("FORMULA")
                .required(true)
                .allow_hyphen_values(true)
                .help("In SPIN's or Spot's syntax, for example '[](p -> <>q)' or 'G(p -> F q)'"),
        )
        .arg(flag("negate", "Take the negation: what a search looks for"))
        .arg(flag("hoa", "The Büchi automaton in the HOA format"))
        .arg(flag("dot", "The Büchi automaton for Graphviz"))
        .arg(flag("never", "The Büchi automaton as a never claim"))
        .arg(flag("stats", "Class and sizes (this is the default)"))
        .arg(
            flag(
                "tgba",
                "With --hoa or --dot: several acceptance sets, on edges",
            )
            .conflicts_with_all(["never", "stats"]),
        )
        .group(clap::ArgGroup::new("format").args(["hoa", "dot", "never", "stats"]))
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("DURATION")
                .value_parser(parse_duration)
                .help("Time that the translation may take, for example 90s or 10m"),
        )
}

fn experiment() -> Command {
    Command::new("experiment")
        .about("Repeat an experiment of a paper and compare the numbers")
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .help("The experiment; without it, all of them are listed"),
        )
        .arg(
            Arg::new("table")
                .long("table")
                .requires("name")
                .value_name("N")
                .action(ArgAction::Append)
                .value_parser(value_parser!(u32))
                .help("Only the table of the paper with this number; can be repeated"),
        )
        .arg(
            Arg::new("figure")
                .long("figure")
                .requires("name")
                .value_name("N")
                .action(ArgAction::Append)
                .value_parser(value_parser!(u32))
                .help("Only the figure of the paper with this number; can be repeated"),
        )
        .arg(
            Arg::new("models")
                .long("models")
                .requires("name")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Where the models are, if they are not part of the program: the BEEM collection for barnat2012"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .requires("name")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Write CSV, JSON and a plot there; what was measured is kept there, too, and not measured again"),
        )
        .arg(
            Arg::new("quick")
                .long("quick")
                .requires("name")
                .action(ArgAction::SetTrue)
                .help("Small models that the paper has no numbers for: done in seconds"),
        )
        .arg(seed("Everything random is drawn from this number [default: 1]").requires("name"))
        .arg(
            Arg::new("repetitions")
                .long("repetitions")
                .requires("name")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..))
                .help("How often random searches are repeated [default: as in the paper]"),
        )
}

fn seed(help: &'static str) -> Arg {
    Arg::new("seed")
        .long("seed")
        .value_name("N")
        .value_parser(value_parser!(u64))
        .help(help)
}

/// The arguments of all commands that read a model.
fn with_model(command: Command) -> Command {
    command
        .arg(
            Arg::new("file")
                .value_name("MODEL")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help(model_help()),
        )
        .arg(
            Arg::new("language")
                .long("language")
                .value_name("NAME")
                .value_parser(PossibleValuesParser::new(LANGUAGES.names()))
                .hide_possible_values(true)
                .help(format!(
                    "The language of the model: {} [default: by the ending of its name]",
                    LANGUAGES.names().collect::<Vec<_>>().join(" or ")
                )),
        )
        .args(language_options().map(language_arg))
        .arg(
            Arg::new("no-warnings")
                .long("no-warnings")
                .action(ArgAction::SetTrue)
                .help("Do not show warnings about the model"),
        )
}

/// The arguments of all commands that read a model.
#[derive(Clone, Debug)]
pub struct Common {
    /// The model.
    pub file: PathBuf,
    /// The options for reading it.
    pub load: LoadOptions,
    /// Whether to hide warnings.
    pub no_warnings: bool,
}

impl Common {
    /// Reads the arguments.
    pub fn new(matches: &ArgMatches) -> Self {
        Common {
            file: matches
                .get_one::<PathBuf>("file")
                .cloned()
                .unwrap_or_default(),
            load: LoadOptions {
                language: matches.get_one::<String>("language").cloned(),
                options: option_values(matches),
                claim_files: matches
                    .try_get_many::<PathBuf>("never")
                    .ok()
                    .flatten()
                    .unwrap_or_default()
                    .cloned()
                    .collect(),
                memory: memory(matches),
            },
            no_warnings: matches.get_flag("no-warnings"),
        }
    }
}

/// The memory limit, if the command has that option; otherwise the available memory.
pub fn memory(matches: &ArgMatches) -> Option<u64> {
    let given = one::<u64>(matches, "memory").copied();
    given.or_else(default_memory)
}

/// An option of a language, as an argument.
fn language_arg(option: &LanguageOption) -> Arg {
    let mut arg = Arg::new(option.name).long(option.name);
    if let Some(short) = option.short {
        arg = arg.short(short);
    }
    let has_it = |options: &[LanguageOption]| options.iter().any(|o| o.name == option.name);
    let languages = LANGUAGES
        .0
        .iter()
        .filter(|language| has_it(language.options()));
    let titles: Vec<&str> = languages.map(|language| language.title()).collect();
    let arg = arg.help(format!("{}: {}", titles.join(", "), option.help));
    match option.value {
        Some(name) => arg.value_name(name).action(ArgAction::Append),
        None => arg.action(ArgAction::SetTrue),
    }
}

/// The languages of models, with the endings of their files.
fn model_help() -> String {
    let one = |language: &&dyn lariat_front::FrontEnd| {
        format!("{} (.{})", language.title(), language.endings().join(", ."))
    };
    let all: Vec<String> = LANGUAGES.0.iter().map(one).collect();
    format!("A model in {}", all.join(" or "))
}

/// The options of languages in the order of the command line.
fn option_values(matches: &ArgMatches) -> OptionValues {
    let mut all: Vec<(usize, OptionValue)> = Vec::new();
    for option in language_options().filter(|option| is_given(matches, option.name)) {
        let places = matches.indices_of(option.name).into_iter().flatten();
        match option.value {
            None => all.push((0, OptionValue::flag(option.name))),
            Some(_) => {
                let values = matches.get_many::<String>(option.name).unwrap_or_default();
                let value = |value: &String| OptionValue::new(option.name, value);
                all.extend(places.zip(values.map(value)));
            }
        }
    }
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, value)| value).collect()
}

/// An amount of memory: a number with an optional unit.
fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_uppercase();
    let shift = match unit.trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("write a number with K, M, G or T, for example 200M or 4G".into()),
    };
    let number: f64 = digits
        .parse()
        .map_err(|_| "write a number with K, M, G or T, for example 200M or 4G".to_string())?;
    let bytes = number * (1u64 << shift) as f64;
    if !(1.0..1e18).contains(&bytes) {
        return Err("that is not a sensible amount of memory".into());
    }
    Ok(bytes as u64)
}

/// `DIR` or `DIR:SIZE`; a directory may have colons in its name.
fn parse_spill(text: &str) -> Result<Spill, String> {
    match text.rsplit_once(':') {
        Some((directory, size)) if !Path::new(text).is_dir() => {
            let size = parse_size(size).map_err(|error| format!("after DIR: {error}"))?;
            open_spill(Path::new(directory), Some(size))
        }
        _ => open_spill(Path::new(text), None),
    }
}

/// `luby` or `luby:STATES`.
fn parse_restarts(text: &str) -> Result<Restarts, String> {
    let unit = match text.split_once(':') {
        None if text == "luby" => Some(1000),
        Some(("luby", states)) => states.parse().ok().filter(|&states| states > 0),
        _ => None,
    };
    unit.map(|unit| Restarts { unit }).ok_or_else(|| {
        "restarts are 'luby', or 'luby:STATES' with the states of the shortest runs".into()
    })
}

/// A time: numbers with the units h, m, s or ms; seconds if there is none.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time, for example 90s, 10m, 1h30m or 500ms".to_string();
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| wrong())?;
        rest = &rest[digits..];
        let letters = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        seconds += number
            * match &rest[..letters] {
                "h" => 3600.0,
                "m" | "min" => 60.0,
                "s" | "" => 1.0,
                "ms" => 0.001,
                _ => return Err(wrong()),
            };
        rest = &rest[letters..];
    }
    if text.is_empty() || !(0.0..1e9).contains(&seconds) {
        return Err(wrong());
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("200M"), Ok(200 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("4096"), Ok(4096));
        for wrong in ["", "M", "-1", "3X", "1e400", "0"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("7"), Ok(Duration::from_secs(7)));
        for wrong in ["", "s", "5 m", "-3s", "1x"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn options_of_languages_keep_their_order() {
        let line = [
            "lariat", "check", "m.pml", "-DA=1", "-U", "A", "-D", "A=2", "-m",
        ];
        let matches = command().try_get_matches_from(line).unwrap();
        let common = Common::new(matches.subcommand().unwrap().1);
        let texts: Vec<String> = common.load.options.iter().map(|o| o.to_string()).collect();
        assert_eq!(texts, ["lossy", "define=A=1", "undefine=A", "define=A=2"]);
        let read = texts.iter().map(|text| text.parse().unwrap());
        assert_eq!(read.collect::<OptionValues>(), common.load.options);
    }

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
