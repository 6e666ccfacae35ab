//! `record`: writes SPIN's facts into the headers of our own models.

use crate::facts::Outcome;
use crate::header::Header;
use crate::options::Arguments;
use crate::spin;
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

/// Refreshes the facts of one model and says what it did, or why it did nothing.
fn record(file: &Path, time: Duration) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut header = Header::parse(&text);
    if let Some(reason) = header.without_spin() {
        return Ok(format!("left alone, SPIN is no reference: {reason}"));
    }
    let answer = spin::check(file, &header.options(), spin::Settings::for_models(time))
        .map_err(|error| error.to_string())?;
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
    let new = header.replace_in(&text);
    if new == text {
        return Ok(format!("unchanged, {answer}"));
    }
    std::fs::write(file, new).map_err(|error| error.to_string())?;
    Ok(format!("recorded, {answer}"))
}
