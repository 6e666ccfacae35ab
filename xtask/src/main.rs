//! Development commands of Lariat: comparison with SPIN on models and on random programs and with the counts of BEEM,
//! benchmarks, recording of facts, and the sizes of automata.

mod additions;
mod beem;
mod bench;
mod both;
mod cache;
mod claims;
mod compare;
mod corpus;
mod engines;
mod facts;
mod finding;
mod judge;
mod languages;
mod lariat;
mod liveness;
mod ltl_sizes;
mod measure;
mod memcheck;
mod minimise;
mod options;
mod pan;
mod patch;
mod process;
mod random;
mod record;
mod spin;

use options::Arguments;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = include_str!("help.txt");

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|first| first == measure::COMMAND) {
        return match measure::command(words) {
            Ok(status) => ExitCode::from(status.clamp(0, 255) as u8),
            Err(message) => {
                eprintln!("xtask: {message}");
                ExitCode::from(2)
            }
        };
    }
    let mut arguments = Arguments::new(std::env::args().skip(1));
    match dispatch(&mut arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the command that is named; `Ok(false)` when it found differences.
fn dispatch(arguments: &mut Arguments) -> Result<bool, String> {
    match arguments.word().as_deref() {
        Some("compare") => match against(arguments)? {
            Reference::Spin => compare::command(arguments),
            Reference::Engines => engines::compare(arguments),
            Reference::Beem => beem::command(arguments),
            Reference::Languages => languages::command(arguments),
        },
        Some("random") => match against(arguments)? {
            Reference::Spin => random::command(arguments),
            Reference::Engines => engines::random(arguments),
            Reference::Beem => Err("there are no random programs for `beem`".into()),
            Reference::Languages => Err("there are no random programs for `languages`".into()),
        },
        Some("bench") => bench::command(arguments),
        Some("additions") => additions::command(arguments),
        Some("memcheck") => memcheck::command(arguments),
        Some("record") => record::command(arguments),
        Some("ltl-sizes") => match arguments.rest()?.as_slice() {
            [directory] => ltl_sizes::run(Path::new(directory)).map(|()| true),
            _ => Err("ltl-sizes: name one directory".into()),
        },
        Some("help" | "--help" | "-h") | None => {
            print!("{HELP}");
            Ok(true)
        }
        Some(other) => Err(format!("unknown command `{other}`; see `xtask help`")),
    }
}

/// The reference of a comparison.
enum Reference {
    Spin,
    /// Lariat itself, in other configurations.
    Engines,
    /// The counts of other tools.
    Beem,
    /// The same models in another language.
    Languages,
}

fn against(arguments: &mut Arguments) -> Result<Reference, String> {
    match arguments.word().as_deref() {
        Some("spin") => Ok(Reference::Spin),
        Some("engines") => Ok(Reference::Engines),
        Some("beem") => Ok(Reference::Beem),
        Some("languages") => Ok(Reference::Languages),
        Some(other) => Err(format!(
            "cannot compare with `{other}`, only with `spin`, `engines`, `beem` or `languages`"
        )),
        None => Err("name what to compare with: `spin`, `engines`, `beem` or `languages`".into()),
    }
}
