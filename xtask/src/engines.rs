//! `compare engines`, `random engines`: Lariat compared with itself. The answers must not depend on the executor, the
//! store, the search and the number of workers.
//!
//! The reference is the slow and simple configuration: the interpreter, the flat store, one worker, no reductions.

use crate::corpus::{self, Corpus};
use crate::lariat;
use crate::options::Arguments;
use crate::process::{self, Ended, TemporaryDirectory};
use lariat_testkit::header::Header;
use lariat_testkit::{dve, parallel, promela};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The reference, and the configurations that are compared with it; the last two are for properties of runs.
const REFERENCE: &str = "--exec interp --store flat --workers 1 --no-merge --no-dead";
const WAYS: [&str; 10] = [
    "--store sample:dynamic:0.3 --seed 3",
    "--store sample:auto --seed 4",
    "--exec both --store tree --workers 1 --no-merge --no-dead",
    "--exec jit --store tree --workers 2 --no-merge --no-dead",
    "--exec jit --store tree --workers 4 --no-merge --no-dead",
    "--exec jit --store flat --workers 2 --no-merge --no-dead",
    "--exec both --store tree --workers 2",
    "--exec interp --store flat --workers 1",
    "--exec jit --store tree --workers 1 --search scc",
    "--exec jit --store tree --workers 2 --search ndfs",
];

/// The result for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PropertyAnswer {
    verdict: String,
    /// Errors, states and transitions of a complete search.
    counts: Option<[u64; 3]>,
}

/// The results for all properties of a model, or an error message.
type Answers = Result<BTreeMap<String, PropertyAnswer>, String>;

/// How the program is called.
struct Caller {
    binary: PathBuf,
    time: Duration,
    states: u64,
}

impl Caller {
    fn new(arguments: &mut Arguments) -> Result<Caller, String> {
        Ok(Caller {
            time: Duration::from_secs(arguments.number("--timeout")?.unwrap_or(60)),
            states: arguments.number("--max-states")?.unwrap_or(200_000),
            binary: lariat::binary()?,
        })
    }

    /// Checks all properties of a model in one configuration.
    fn ask(&self, model: &Path, options: &[String], configuration: &str) -> Answers {
        let failed = |error: std::io::Error| error.to_string();
        let directory = TemporaryDirectory::new().map_err(failed)?;
        let model = std::path::absolute(model).map_err(failed)?;
        let mut arguments = vec!["check".to_owned(), model.to_string_lossy().into_owned()];
        arguments.extend(options.iter().cloned());
        arguments.extend(configuration.split_whitespace().map(str::to_owned));
        // Searches that remove states would count errors more than once, and properties of runs have one.
        let errors = match is_forgetful(configuration) || asks_for_runs(options) {
            true => "",
            false => "--all-errors",
        };
        let limits = format!(
            "--json --no-trail {errors} --no-warnings --memory 2G --max-states {} --time {}s",
            self.states,
            self.time.as_secs().max(1)
        );
        arguments.extend(limits.split_whitespace().map(str::to_owned));
        let patience = self.time + Duration::from_secs(20);
        let output = process::run(&self.binary, &arguments, directory.path(), patience)
            .map_err(|error| error.to_string())?;
        match output.ended {
            Ended::Exit(0 | 1 | 3 | 4) => read(&output.stdout),
            Ended::Exit(2) if !output.stderr.contains("a defect of Lariat") => Ok(BTreeMap::new()),
            ended => Err(format!("{ended:?}: {}", output.stderr.trim())),
        }
    }

    /// The differences between the reference and all other configurations, and the number of properties.
    fn differences(&self, model: &Path, options: &[String]) -> (usize, Vec<String>) {
        let reference = match self.ask(model, options, REFERENCE) {
            Ok(reference) => reference,
            Err(why) => return (0, vec![format!("{REFERENCE}: {why}")]),
        };
        let has_runs = reference.keys().any(|property| property != "safety");
        let text = std::fs::read_to_string(model).unwrap_or_default();
        let together = text.contains("system sync");
        let is_fair = options.iter().any(|option| option == "--fair");
        let applies = |configuration: &&&str| {
            let is_out = (!has_runs && configuration.contains("--search"))
                || (together && configuration.contains("--exec both"))
                || (is_fair && is_forgetful(configuration));
            !is_out
        };
        let difference = |configuration: &&str| {
            // Synchronous systems are not compiled; their searches and stores are compared nevertheless.
            let configuration = match together {
                true => configuration.replace("--exec jit", "--exec interp"),
                false => (*configuration).to_owned(),
            };
            let difference = match self.ask(model, options, &configuration) {
                Ok(said) => differs(&reference, &said, configuration.contains("--no-merge")),
                Err(why) => Some(why),
            };
            difference.map(|what| format!("{configuration}: {what}"))
        };
        let found = WAYS.iter().filter(applies);
        let found = found.filter_map(difference).collect();
        (reference.len(), found)
    }
}

/// Whether states are removed.
fn is_forgetful(configuration: &str) -> bool {
    configuration.contains("--store sample")
}

/// Whether only properties of runs are checked.
fn asks_for_runs(options: &[String]) -> bool {
    let properties = ["--acceptance", "--non-progress", "--ltl", "--never"];
    options.iter().any(|o| properties.contains(&o.as_str()))
}

fn read(stdout: &str) -> Answers {
    let report: Value = serde_json::from_str(stdout).map_err(|error| error.to_string())?;
    let results = report["results"].as_array().ok_or("no results")?;
    let said = |result: &Value| {
        let verdict = result["verdict"].as_str().unwrap_or("none").to_owned();
        let number = |key: &str| result[key].as_u64().unwrap_or(u64::MAX);
        let complete = verdict == "holds" || result["guarantee"]["complete"] == true;
        PropertyAnswer {
            counts: complete.then(|| {
                [
                    number("errors"),
                    number("states_stored"),
                    number("transitions"),
                ]
            }),
            verdict,
        }
    };
    let name = |result: &Value| result["property"].as_str().unwrap_or("").to_owned();
    Ok(results.iter().map(|r| (name(r), said(r))).collect())
}

/// The first difference. An incomplete search is not compared.
fn differs(
    reference: &BTreeMap<String, PropertyAnswer>,
    other: &BTreeMap<String, PropertyAnswer>,
    counts: bool,
) -> Option<String> {
    if !reference.keys().eq(other.keys()) {
        return Some("other properties".into());
    }
    reference.iter().find_map(|(property, a)| {
        let b = &other[property];
        let is_cut = a.verdict == "exhausted" || b.verdict == "exhausted";
        let same = is_cut || (a.verdict == b.verdict && (!counts || a.counts == b.counts));
        (!same).then(|| format!("{property}: {a:?}, but {b:?}"))
    })
}

/// Prints the result for one model; returns whether all configurations agree.
fn print(name: &str, properties: usize, differences: &[String]) -> bool {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    match (properties, differences.is_empty()) {
        (_, false) => {
            for difference in differences {
                println!("DIFFERENT {name}: {difference}");
            }
        }
        (0, true) => println!("rejected  {name}"),
        (_, true) => println!("equal     {name} ({properties})"),
    }
    differences.is_empty()
}

/// How the answer of all configurations contradicts the header of a model. A model that all of them refuse has no properties;
/// that is an agreement only if it must be refused.
fn contradiction(header: &Header, properties: usize) -> Option<String> {
    match (header.is_refused(), properties) {
        _ if header.is_empty() => None,
        (true, 1..) => Some("accepted, but the header says that it must be refused".into()),
        (false, 0) => Some("refused, but the header says that it is a model".into()),
        _ => None,
    }
}

/// All models below some folders.
pub fn compare(arguments: &mut Arguments) -> Result<bool, String> {
    let jobs = arguments.number("--jobs")?.unwrap_or(2) as usize;
    let filter = arguments.value("--filter")?;
    let caller = Caller::new(arguments)?;
    let roots: Vec<PathBuf> = arguments.rest()?.into_iter().map(PathBuf::from).collect();
    if roots.is_empty() {
        return Err("compare engines: name a folder or files".into());
    }
    let corpus = Corpus::built_in()?;
    let mut files = corpus::find_all_models(&roots).map_err(|error| error.to_string())?;
    if let Some(text) = &filter {
        files.retain(|file| file.to_string_lossy().contains(text));
    }
    let tasks: Vec<(PathBuf, Header, Vec<String>)> = files
        .iter()
        .filter(|file| corpus.skipped(file, &[]).is_none())
        .flat_map(|file| {
            let text = std::fs::read(file).unwrap_or_default();
            let header = Header::parse(&String::from_utf8_lossy(&text));
            let of_model = header.lariat_options();
            let with = move |run: Vec<String>| of_model.iter().cloned().chain(run).collect();
            let with_file = move |options| (file.clone(), header.clone(), options);
            corpus.runs(file).into_iter().map(with).map(with_file)
        })
        .collect();
    let (mut models, mut different) = (0, 0);
    parallel::in_order(
        jobs,
        tasks.into_iter(),
        |(file, header, options)| {
            let name = format!("{} {}", file.display(), options.join(" "));
            let (properties, mut differences) = caller.differences(&file, &options);
            if differences.is_empty() {
                differences.extend(contradiction(&header, properties));
            }
            (name, (properties, differences))
        },
        |(name, (properties, differences))| {
            models += 1;
            different += usize::from(!print(name.trim(), properties, &differences));
            ControlFlow::Continue(())
        },
    );
    println!("{models} models, {different} different");
    Ok(different == 0)
}

/// A language for random programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Promela,
    Dve,
}

impl Language {
    fn from_word(word: &str) -> Result<Language, String> {
        match word {
            "promela" => Ok(Language::Promela),
            "dve" => Ok(Language::Dve),
            _ => Err(format!("--language: `promela` or `dve`, not `{word}`")),
        }
    }

    /// How the names of its files end.
    fn ending(self) -> &'static str {
        match self {
            Language::Promela => "pml",
            Language::Dve => "dve",
        }
    }

    /// A random program; of those in Promela, every second one has properties.
    fn program(self, seed: u64, number: u64) -> String {
        match self {
            Language::Promela if number.is_multiple_of(2) => promela::program(seed, number).print(),
            Language::Promela => promela::program_with_properties(seed, number).print(),
            Language::Dve => dve::system(seed, number),
        }
    }

    /// The options of the checks of a program: the default, and those that have to be selected.
    fn checks(self, program: &str, number: u64) -> Vec<&'static str> {
        let dve = self == Language::Dve;
        let accepting = dve && program.contains(dve::ACCEPTING);
        let asked = accepting.then_some("--acceptance");
        let wrapping = (dve && number.is_multiple_of(4)).then_some("--wrap");
        let unasked = std::iter::once("");
        unasked.chain(asked).chain(wrapping).collect()
    }
}

impl Caller {
    /// The differences on a random program, which is written to a file in a folder.
    fn differences_on(
        &self,
        folder: &Path,
        language: Language,
        seed: u64,
        number: u64,
    ) -> (usize, Vec<String>) {
        let program = &language.program(seed, number);
        let file = &folder.join(format!("{seed}-{number}.{}", language.ending()));
        if let Err(error) = std::fs::write(file, program) {
            return (0, vec![error.to_string()]);
        }
        let (mut properties, mut found) = (0, Vec::new());
        for option in language.checks(program, number) {
            let options = option.split_whitespace().map(str::to_owned);
            let (more, differences) = self.differences(file, &options.collect::<Vec<_>>());
            // Random DVE programs are valid by construction.
            if more == 0 && differences.is_empty() && language == Language::Dve {
                found.push(format!("rejected {option}"));
            }
            properties += more;
            found.extend(
                differences
                    .iter()
                    .map(|d| format!("{option} {d}").trim().to_owned()),
            );
        }
        (properties, found)
    }
}

/// Random programs.
pub fn random(arguments: &mut Arguments) -> Result<bool, String> {
    let programs = arguments.number("--programs")?.unwrap_or(500);
    let seed = arguments.number("--seed")?.unwrap_or(1);
    let first = arguments.number("--first")?.unwrap_or(0);
    let jobs = arguments.number("--jobs")?.unwrap_or(2) as usize;
    let language = match arguments.value("--language")? {
        Some(word) => Language::from_word(&word)?,
        None => Language::Promela,
    };
    if arguments.flag("--print") {
        for number in first..first + programs {
            let program = language.program(seed, number);
            println!("// seed {seed}, program {number}\n{program}");
        }
        return Ok(true);
    }
    let caller = Caller::new(arguments)?;
    if let Some(unknown) = arguments.rest()?.first() {
        return Err(format!("random engines: unexpected `{unknown}`"));
    }
    let directory = TemporaryDirectory::new().map_err(|error| error.to_string())?;
    let (mut accepted, mut different) = (0, 0);
    parallel::in_order(
        jobs,
        first..first + programs,
        |number| {
            let found = caller.differences_on(directory.path(), language, seed, number);
            (number, found)
        },
        |(number, (properties, differences))| {
            accepted += usize::from(properties > 0);
            let name = format!("seed {seed}, program {number}");
            if !differences.is_empty() {
                print(&name, properties, &differences);
                different += 1;
            }
            ControlFlow::Continue(())
        },
    );
    println!("{programs} programs, {accepted} accepted, {different} different");
    Ok(different == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdict: &str, states: u64) -> BTreeMap<String, PropertyAnswer> {
        let text = format!(
            r#"{{ "results": [ {{ "property": "safety", "verdict": "{verdict}", "errors": 0,
               "states_stored": {states}, "transitions": 9, "guarantee": {{ "kind": "proof" }} }} ] }}"#
        );
        read(&text).unwrap()
    }

    #[test]
    fn languages_and_their_checks() {
        assert_eq!(Language::from_word("dve"), Ok(Language::Dve));
        assert!(Language::from_word("C").is_err());
        let accepting = "process P { state q0; init q0; accept q0; }";
        let checks = |language: Language, number| language.checks(accepting, number);
        assert_eq!(checks(Language::Promela, 0), [""]);
        assert_eq!(checks(Language::Dve, 1), ["", "--acceptance"]);
        assert_eq!(checks(Language::Dve, 4), ["", "--acceptance", "--wrap"]);
        assert_eq!(Language::Dve.checks("accept n0;", 1), [""]);
    }

    #[test]
    fn a_model_of_ours_is_refused_only_if_its_header_says_so() {
        let header = |text: &str| Header::parse(text);
        let wrong = header("//@ verdict: error\n");
        let good = header("//@ verdict: holds\n");
        let of_others = header("byte x;\n");
        let contradicts = |header, properties| contradiction(header, properties).is_some();
        assert!(contradicts(&wrong, 1) && !contradicts(&wrong, 0));
        assert!(contradicts(&good, 0) && !contradicts(&good, 2));
        assert!(!contradicts(&of_others, 0) && !contradicts(&of_others, 1));
    }

    #[test]
    fn verdicts_and_counts_are_compared() {
        let four = report("holds", 4);
        assert_eq!(differs(&four, &report("holds", 4), true), None);
        assert!(differs(&four, &report("holds", 5), true).is_some());
        assert_eq!(differs(&four, &report("holds", 5), false), None);
        assert!(differs(&four, &report("violated", 4), false).is_some());
        assert_eq!(differs(&four, &report("exhausted", 1), true), None);
        assert!(differs(&four, &BTreeMap::new(), true).is_some());
    }
}
