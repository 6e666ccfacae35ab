//! `record`: writes SPIN's facts into the headers of our own models.

use crate::facts::Outcome;
use crate::finding::Finding;
use crate::liveness::Spin;
use crate::options::Arguments;
use crate::spin;
use lariat_testkit::header::Header;
use lariat_testkit::property::{Expectation, Property};
use std::path::Path;
use std::time::Duration;

/// Runs the command; `Ok(true)` if every file has its facts now.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    let time = Duration::from_secs(arguments.number("--timeout")?.unwrap_or(60));
    let files = arguments.rest()?;
    if files.is_empty() {
        return Err("record: name the models".into());
    }
    spin::version()?;
    let mut good = true;
    for file in &files {
        match record(Path::new(file), time) {
            Ok(what) => println!("{file}: {what}"),
            Err(why) => {
                good = false;
                println!("{file}: NOT RECORDED, {why}");
            }
        }
    }
    Ok(good)
}

/// Updates the facts of one model and describes the change, or the reason for none.
fn record(file: &Path, time: Duration) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut header = Header::parse(&text);
    if let Some(reason) = header.without_spin() {
        return Ok(format!("left alone, SPIN is no reference: {reason}"));
    }
    let settings = spin::Settings::for_models(time);
    let answer =
        spin::check(file, &header.options(), settings).map_err(|error| error.to_string())?;
    match &answer.outcome {
        Outcome::Complete(counts) => {
            header.set(
                "verdict",
                if counts.errors == 0 {
                    "holds"
                } else {
                    "violated"
                },
            );
            header.set("errors", counts.errors);
            header.set("states", counts.states);
            header.set("transitions", counts.transitions);
        }
        Outcome::Rejected(_) => {
            header.set("verdict", "error");
            for key in ["errors", "states", "transitions"] {
                header.remove(key);
            }
        }
        Outcome::Cut(..) | Outcome::Failed(_) => return Err(answer.to_string()),
    }
    let checks = record_checks(file, &mut header, settings)?;
    let new = header.replace_in(&text);
    if new == text {
        return Ok(format!("unchanged, {answer}{checks}"));
    }
    std::fs::write(file, new).map_err(|error| error.to_string())?;
    Ok(format!("recorded, {answer}{checks}"))
}

/// Updates the liveness checks of a header, or adds one for each property of the model, without and with weak
/// fairness. Checks for which SPIN is no reference do not change. Returns a description.
fn record_checks(
    file: &Path,
    header: &mut Header,
    settings: spin::Settings,
) -> Result<String, String> {
    let options = header.options();
    let mut spin = Spin::new(file, &options, settings, None);
    let mut expectations = header.expectations()?;
    if expectations.is_empty() {
        let checks = spin.survey().offers.checks().into_iter();
        expectations = checks.map(Expectation::unknown).collect();
    }
    let mut without_answer = Vec::new();
    for expectation in &mut expectations {
        if expectation.without_spin.is_some() {
            continue;
        }
        let finding = spin.check(&expectation.check);
        let Some(holds) = finding.holds() else {
            without_answer.push(format!("; {}: {finding}", expectation.check));
            continue;
        };
        expectation.holds = holds;
        expectation.states = match finding {
            Finding::Holds { states } if expectation.check.same_automaton() => {
                match expectation.check.property {
                    Property::Acceptance | Property::NonProgress => states,
                    _ => spin.product(&expectation.check).states(),
                }
            }
            _ => None,
        };
    }
    if !without_answer.is_empty() {
        return Err(format!("no answer{}", without_answer.concat()));
    }
    header.set_expectations(&expectations);
    Ok(match expectations.len() {
        0 => String::new(),
        number => format!(", {number} liveness checks"),
    })
}
