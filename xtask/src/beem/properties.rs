//! Properties: nested depth-first search with one worker and with several, the search for components, OWCTY and maximal
//! accepting predecessors must agree, and every counterexample must be accepted by `lariat replay`. Searches over fingerprints of
//! 64 bits must find a violation exactly where the others do: the probability that they omit a state of these models is below 10^-6.

use super::table::Instance;
use super::{MEANING, Request};
use crate::bench::report::{seconds, thousands};
use crate::facts::Outcome;
use crate::process::{self, Ended, TemporaryDirectory};
use lariat_testkit::parallel;
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The searches: their names and options.
const SEARCHES: [(&str, &str); 7] = [
    ("ndfs", "--search ndfs --workers 1"),
    ("scc", "--search scc --workers 1"),
    ("cndfs", "--search ndfs --workers 2"),
    ("owcty", "--search owcty --workers 1"),
    ("map", "--search map --workers 2"),
    (
        "ndfs compact:64",
        "--search ndfs --store compact:64 --workers 1",
    ),
    (
        "owcty compact:64",
        "--search owcty --store compact:64 --workers 2",
    ),
];

/// The verdict of a complete search over fingerprints that has found no violation.
const NONE_FOUND: &str = "none found";

/// The result of a search for a property.
#[derive(Clone, Debug, Default, PartialEq)]
struct SearchResult {
    /// The verdict, or the error message.
    verdict: String,
    states: u64,
    wall: Duration,
    /// Whether the counterexample, if there is one, could be replayed; else why not.
    replay: Option<Result<(), String>>,
}

/// The result for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Agreement {
    Equal,
    /// A search ended early, and the others do not contradict each other.
    Open,
    Different,
}

/// Compares the searches on all properties of the instances that are not too large.
pub fn compare(request: &Request, instances: &[Instance]) -> Result<bool, String> {
    let mut files = Vec::new();
    for instance in instances {
        let properties = properties_of(&request.folder, instance)?;
        if !properties.is_empty() && is_small(request, instance) {
            files.extend(properties);
        }
    }
    let heads = SEARCHES.map(|(name, _)| format!("{name:<21}{:>10}{:>9}  ", "states", "seconds"));
    println!("{:<24}{}agreement", "property", heads.concat());
    let start = Instant::now();
    let mut tally = [0; 3];
    parallel::in_order(
        request.jobs,
        files.iter(),
        |file| {
            (
                file,
                SEARCHES.map(|(_, options)| ask(request, file, options)),
            )
        },
        |(file, results)| {
            let (agreement, words) = judge(&results);
            tally[agreement as usize] += 1;
            let cells = results.map(|s| {
                let time = seconds(s.wall.as_secs_f64());
                format!("{:<21}{:>10}{time:>9}  ", s.verdict, thousands(s.states))
            });
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            println!("{name:<24}{}{words}", cells.concat());
            ControlFlow::Continue(())
        },
    );
    let [equal, open, different] = tally;
    println!(
        "{} properties: {equal} equal, {open} open, {different} DIFFERENT; {} s",
        files.len(),
        seconds(start.elapsed().as_secs_f64())
    );
    Ok(different == 0)
}

/// The files of an instance with a property, in the order of their numbers.
fn properties_of(folder: &Path, instance: &Instance) -> Result<Vec<PathBuf>, String> {
    let folder = folder.join(instance.family());
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let prefix = format!("{}.prop", instance.name);
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name
            .strip_prefix(&prefix)
            .and_then(|rest| rest.strip_suffix(".dve"));
        if let Some(number) = number.and_then(|digits| digits.parse().ok()) {
            found.push((number, path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Whether the instance has few states; those of unknown size are explored up to the limit.
fn is_small(request: &Request, instance: &Instance) -> bool {
    match instance.states {
        Some(states) => states <= request.most_states,
        None => request
            .explore(instance)
            .is_ok_and(|measured| matches!(measured.answer.outcome, Outcome::Complete(_))),
    }
}

/// Checks the property of a file with one search, and replays the counterexample.
fn ask(request: &Request, file: &Path, options: &str) -> SearchResult {
    let start = Instant::now();
    let mut results = check(request, file, options).unwrap_or_else(|why| SearchResult {
        verdict: why,
        ..SearchResult::default()
    });
    results.wall = start.elapsed();
    results
}

fn check(request: &Request, file: &Path, options: &str) -> Result<SearchResult, String> {
    let failed = |error: std::io::Error| error.to_string();
    let directory = TemporaryDirectory::new().map_err(failed)?;
    let model = std::path::absolute(file).map_err(failed)?;
    let mut arguments = vec!["check".to_owned(), model.to_string_lossy().into_owned()];
    arguments.extend(options.split(' ').map(str::to_owned));
    let time = format!("{}s", request.limits.time.as_secs().max(1));
    let fixed = [
        MEANING,
        "--never",
        "--json",
        "--no-warnings",
        "--trail",
        "trail.json",
    ];
    arguments.extend(fixed.map(str::to_owned));
    let limits = ["--memory", request.limits.memory, "--time", &time];
    arguments.extend(limits.map(str::to_owned));
    let patience = request.limits.time + Duration::from_secs(30);
    let output =
        process::run(&request.binary, &arguments, directory.path(), patience).map_err(failed)?;
    match output.ended {
        Ended::Exit(0 | 1 | 3 | 4) => {}
        ended => return Err(format!("{ended:?} {}", first_line(&output.stderr))),
    }
    let mut results = read(&output.stdout)?;
    if results.verdict == "violated" {
        let replay = ["replay", "trail.json"];
        let output =
            process::run(&request.binary, replay, directory.path(), patience).map_err(failed)?;
        // A replay that reproduces the violation exits with 1, as the check does.
        results.replay = Some(match output.ended {
            Ended::Exit(0 | 1) => Ok(()),
            ended => Err(format!("{ended:?} {}", first_line(&output.stderr))),
        });
    }
    Ok(results)
}

fn read(stdout: &str) -> Result<SearchResult, String> {
    let report: Value = serde_json::from_str(stdout).map_err(|error| error.to_string())?;
    let results = report["results"].as_array().map_or(&[][..], Vec::as_slice);
    let [result] = results else {
        return Err(format!("{} results", results.len()));
    };
    let is_complete = result["guarantee"]["kind"] == "omission_bound";
    Ok(SearchResult {
        verdict: match result["verdict"].as_str().unwrap_or("none") {
            "no violation found" if is_complete => NONE_FOUND.to_owned(),
            verdict => verdict.to_owned(),
        },
        states: result["states_stored"].as_u64().unwrap_or(0),
        ..SearchResult::default()
    })
}

fn first_line(text: &str) -> &str {
    let mut lines = text.lines();
    lines.find(|line| !line.trim().is_empty()).unwrap_or("")
}

/// Judges the results of all searches, with a remark.
fn judge(results: &[SearchResult]) -> (Agreement, String) {
    let is_cut =
        |s: &&SearchResult| matches!(s.verdict.as_str(), "exhausted" | "no violation found");
    let mut firm = results.iter().filter(|s| !is_cut(s));
    for s in results {
        if let Some(Err(why)) = &s.replay {
            return (Agreement::Different, format!("NOT REPLAYED: {why}"));
        }
    }
    let Some(first) = firm.next() else {
        return (Agreement::Open, "open".into());
    };
    let violated = |s: &SearchResult| match s.verdict.as_str() {
        "holds" | NONE_FOUND => Some(false),
        "violated" => Some(true),
        _ => None,
    };
    let expected = violated(first);
    if expected.is_none() || firm.any(|s| violated(s) != expected) {
        return (Agreement::Different, "DIFFERENT".into());
    }
    match results.iter().find(is_cut) {
        Some(_) => (Agreement::Open, "open".into()),
        None => (Agreement::Equal, "equal".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(verdict: &str) -> SearchResult {
        SearchResult {
            verdict: verdict.into(),
            ..SearchResult::default()
        }
    }

    #[test]
    fn verdicts_must_agree() {
        let judge = |verdicts: [&str; 3]| judge(&verdicts.map(results)).0;
        assert_eq!(judge(["holds"; 3]), Agreement::Equal);
        assert_eq!(judge(["holds", "violated", "holds"]), Agreement::Different);
        assert_eq!(judge(["holds", "exhausted", "holds"]), Agreement::Open);
        assert_eq!(judge(["died"; 3]), Agreement::Different);
        assert_eq!(judge(["exhausted"; 3]), Agreement::Open);
        assert_eq!(judge(["holds", "holds", NONE_FOUND]), Agreement::Equal);
        let missed = ["violated", "violated", NONE_FOUND];
        assert_eq!(judge(missed), Agreement::Different);
    }

    #[test]
    fn counterexamples_must_replay() {
        let replayed = |replay| SearchResult {
            replay: Some(replay),
            ..results("violated")
        };
        assert_eq!(judge(&[replayed(Ok(()))]).0, Agreement::Equal);
        let refused = replayed(Err("no such step".into()));
        assert_eq!(judge(&[refused]).0, Agreement::Different);
    }

    #[test]
    fn reports_are_read() {
        let text = r#"{ "results": [ { "verdict": "holds", "states_stored": 7 } ] }"#;
        let read = read(text).unwrap();
        assert_eq!((read.verdict.as_str(), read.states), ("holds", 7));
        assert!(super::read(r#"{ "results": [] }"#).is_err());
        let none = |guarantee| {
            format!(
                r#"{{ "results": [ {{ "verdict": "no violation found", "guarantee": {guarantee} }} ] }}"#
            )
        };
        let complete = super::read(&none(r#"{ "kind": "omission_bound" }"#)).unwrap();
        assert_eq!(complete.verdict, NONE_FOUND);
        let cut = super::read(&none("null")).unwrap();
        assert_eq!(cut.verdict, "no violation found");
    }
}
