//! The command line of Lariat: arguments become a task, an outcome becomes a report and an exit code.

mod args;
mod chain;
mod check;
mod dot;
mod experiment;
mod inspect;
mod interactive;
mod ltl;
mod progress;
mod replay;
mod select;
mod simulate;
mod trails;
mod wishes;

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use console::Term;
use lariat::{LANGUAGES, LoadError, Loaded};
use lariat_ir::diagnostic::Diagnostic;
use lariat_ir::source::SourceMap;
use lariat_report::diagnostics;
use lariat_report::text::Style;
use lariat_report::wrap::wrapped;

/// The stack size: reading a model recurses over trees whose depth the parser limits.
const STACK: usize = 256 << 20;

/// The exit code for an error in the model, the property or the command line.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new()
        .name("lariat".into())
        .stack_size(STACK)
        .spawn(run);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic has printed its message.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            ExitCode::from(USAGE)
        }
    }
}

/// Runs the program and returns its exit code.
fn run() -> ExitCode {
    let matches = match args::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { 0 });
        }
    };
    let code = match matches.subcommand() {
        Some(("check" | "estimate", matches)) => check::run(matches),
        Some(("simulate", matches)) => simulate::run(matches),
        Some(("replay", matches)) => replay::run(matches),
        Some(("ltl", matches)) => ltl::run(matches),
        Some(("experiment", matches)) => experiment::run(matches),
        Some(("parse", matches)) => inspect::parse(matches),
        Some(("show", matches)) => inspect::show(matches),
        _ => USAGE,
    };
    match OUTPUT_LOST.get() {
        Some(error) => ExitCode::from(fail(&format!("cannot write to standard output: {error}"))),
        None => ExitCode::from(code),
    }
}

/// The first error of writing output, if there was one.
static OUTPUT_LOST: OnceLock<String> = OnceLock::new();

/// Writes to standard output. A closed pipe (`| head`) is not an error; a full disk is.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let result = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = result
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = OUTPUT_LOST.set(error.to_string());
    }
}

/// Writes to standard error.
fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

fn fail(message: &str) -> u8 {
    print_error_lines(&format!("error: {message}\n"));
    USAGE
}

/// Writes lines to standard error, wrapped between words at the width of the terminal.
fn print_error_lines(text: &str) {
    print_error(&wrapped(text, width(Term::stderr())));
}

/// The width of a stream, if it is a terminal.
fn width(stream: Term) -> Option<usize> {
    stream.is_term().then(|| usize::from(stream.size().1))
}

/// Colours for a stream, unless the user disabled them (see no-color.org).
fn wants_color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

fn style() -> Style {
    Style {
        color: wants_color(&std::io::stdout()),
        width: width(Term::stdout()),
    }
}

/// Writes lines to standard output, wrapped between words at the width of the terminal.
fn print_lines(text: &str) {
    print(&wrapped(text, style().width));
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
    if let Some(missing) = common.load.claim_files.iter().find(|file| !file.exists()) {
        return Err(fail(&format!(
            "--never: there is no file {}",
            missing.display()
        )));
    }
    match LANGUAGES.load(&common.file, &common.load) {
        Ok(loaded) => {
            if !common.no_warnings {
                print_diagnostics(&loaded.model().sources, &loaded.warnings);
            }
            Ok(loaded)
        }
        Err(error) => Err(print_load_error(&error)),
    }
}

/// A random seed for a user who did not give one.
fn random_seed() -> u64 {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos());
    // Short enough to be typed.
    (now / 1000 % 1_000_000_007) as u64
}
