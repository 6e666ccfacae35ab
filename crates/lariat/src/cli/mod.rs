//! The command line.

mod args;
mod chain;
mod check;
mod experiment;
mod inspect;
mod interactive;
mod ltl;
mod progress;
mod replay;
mod select;
mod simulate;
mod walk_args;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use lariat::load::{LoadError, Loaded, load};
use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::SourceMap;
use lariat_report::diagnostics;
use lariat_report::text::Style;

/// The model, the property or the command line is wrong.
const USAGE: u8 = 2;

/// Runs the program and returns its exit code.
pub fn run() -> ExitCode {
    let matches = match args::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { 0 });
        }
    };
    let code = match matches.subcommand() {
        Some(("check", matches)) => check::run(matches),
        Some(("estimate", matches)) => check::run(matches),
        Some(("simulate", matches)) => simulate::run(matches),
        Some(("replay", matches)) => replay::run(matches),
        Some(("ltl", matches)) => ltl::run(matches),
        Some(("experiment", matches)) => experiment::run(matches),
        Some(("parse", matches)) => inspect::parse(matches),
        Some(("show", matches)) => inspect::show(matches),
        _ => USAGE,
    };
    ExitCode::from(code)
}

/// Writes to standard output. Nobody may be listening any more (`| head`); that is no error.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Writes to standard error.
fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

fn fail(message: &str) -> u8 {
    print_error(&format!("error: {message}\n"));
    USAGE
}

/// Colours for a stream, unless the user does not want any (see no-color.org).
fn wants_color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

fn style() -> Style {
    Style {
        color: wants_color(&std::io::stdout()),
    }
}

fn print_diagnostics(sources: &SourceMap, list: &[Diagnostic]) {
    let color = wants_color(&std::io::stderr());
    print_error(&diagnostics::render(sources, list, color));
}

fn print_load_error(error: &LoadError) -> u8 {
    print_diagnostics(&error.sources, &error.diagnostics);
    USAGE
}

/// Reads the model of a command and shows warnings.
fn load_model(common: &args::Common) -> Result<Loaded, u8> {
    match load(&common.file, &common.load) {
        Ok(loaded) => {
            if !common.no_warnings {
                print_diagnostics(&loaded.model().sources, &loaded.warnings);
            }
            Ok(loaded)
        }
        Err(error) => Err(print_load_error(&error)),
    }
}

/// A seed for a user who did not give one.
fn random_seed() -> u64 {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos());
    // Short enough to be typed.
    (now / 1000 % 1_000_000_007) as u64
}
