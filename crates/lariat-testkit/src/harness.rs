//! Runs tests that are made at run time, such as one for each model file.
//!
//! A test target with `harness = false` makes its tests and hands them to [`main`]. They run on all cores, and they are
//! chosen, listed and reported as those of Rust's own harness are, so that `cargo test NAME` and cargo-nextest work.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use crate::files::ModelFile;
use crate::parallel;

/// The exit code of Rust's own harness when a test has failed.
const FAILED: u8 = 101;

/// A test; the error says what is wrong.
pub struct Test {
    name: String,
    run: Box<dyn Fn() -> Result<(), String> + Send + Sync>,
}

impl Test {
    /// A test with a name.
    pub fn new(
        name: impl Into<String>,
        run: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Test {
        Test {
            name: name.into(),
            run: Box::new(run),
        }
    }

    /// Runs the test. A panic is a failure like any other.
    fn outcome(&self) -> Result<(), String> {
        catch_unwind(AssertUnwindSafe(|| (self.run)())).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("panicked: {}", text.unwrap_or("without a message")))
        })
    }
}

/// One test for each of some models, named by the model and what is tested about it.
pub fn each<'m>(
    models: impl Iterator<Item = &'m ModelFile>,
    aspect: &str,
    run: fn(&ModelFile) -> Result<(), String>,
) -> Vec<Test> {
    let test = |model: &ModelFile| {
        let model = model.clone();
        Test::new(format!("{}::{aspect}", model.name()), move || run(&model))
    };
    models.map(test).collect()
}

/// Nothing is wrong if nothing was written.
pub fn empty(differences: String) -> Result<(), String> {
    match differences.is_empty() {
        true => Ok(()),
        false => Err(differences),
    }
}

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wishes {
    /// Names must contain one of these, if there are any.
    filters: Vec<String>,
    /// And none of these.
    skips: Vec<String>,
    /// Filters are whole names.
    exact: bool,
    list: bool,
    /// Only those that are ignored; there are none.
    ignored: bool,
    /// Only failures are named.
    quiet: bool,
    threads: Option<usize>,
}

impl Wishes {
    /// Reads the arguments that `cargo test`, cargo-nextest and people give.
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Wishes, String> {
        let mut wishes = Wishes::default();
        let mut arguments = arguments.peekable();
        while let Some(argument) = arguments.next() {
            let (option, value) = match argument.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ => (argument.as_str(), None),
            };
            let mut value = || match value {
                Some(value) => Ok(value.to_owned()),
                None => arguments.next().ok_or(format!("{option} needs a value")),
            };
            match option {
                "--exact" => wishes.exact = true,
                "--list" => wishes.list = true,
                "--ignored" => wishes.ignored = true,
                "--quiet" | "-q" => wishes.quiet = true,
                "--skip" => wishes.skips.push(value()?),
                "--test-threads" => {
                    let text = value()?;
                    let number = text.parse().ok().filter(|n| *n > 0);
                    let number = number.ok_or(format!("--test-threads: `{text}` is no number"))?;
                    wishes.threads = Some(number);
                }
                "--format" => match value()?.as_str() {
                    "pretty" => wishes.quiet = false,
                    "terse" => wishes.quiet = true,
                    other => return Err(format!("--format: `pretty` or `terse`, not `{other}`")),
                },
                "--color" => _ = value()?,
                // Nothing is captured, and no test is ignored.
                "--nocapture" | "--no-capture" | "--show-output" | "--include-ignored" => {}
                _ if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
                _ => wishes.filters.push(argument),
            }
        }
        Ok(wishes)
    }

    fn wants(&self, name: &str) -> bool {
        let fits = |filter: &String| match self.exact {
            true => name == filter,
            false => name.contains(filter.as_str()),
        };
        let chosen = self.filters.is_empty() || self.filters.iter().any(fits);
        chosen && !self.skips.iter().any(fits) && !self.ignored
    }

    fn threads(&self) -> usize {
        let variable = || std::env::var("RUST_TEST_THREADS").ok()?.parse().ok();
        let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
        self.threads.or_else(variable).unwrap_or_else(cores)
    }
}

/// Runs the tests that the arguments of the program ask for.
pub fn main(tests: Vec<Test>) -> ExitCode {
    let wishes = match Wishes::parse(std::env::args().skip(1)) {
        Ok(wishes) => wishes,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    match run(tests, &wishes, &mut std::io::stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILED),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Lists the tests or runs them; answers whether none failed.
fn run(
    tests: Vec<Test>,
    wishes: &Wishes,
    out: &mut dyn std::io::Write,
) -> Result<bool, std::io::Error> {
    let all = tests.len();
    let chosen: Vec<Test> = tests
        .into_iter()
        .filter(|t| wishes.wants(&t.name))
        .collect();
    let number = chosen.len();
    if wishes.list {
        for test in &chosen {
            writeln!(out, "{}: test", test.name)?;
        }
        if !wishes.quiet {
            writeln!(out, "\n{number} tests, 0 benchmarks")?;
        }
        return Ok(true);
    }
    let start = Instant::now();
    writeln!(out, "\nrunning {number} tests")?;
    let mut failures = Vec::new();
    let mut written = Ok(());
    parallel::in_order(
        wishes.threads(),
        chosen.iter(),
        |test| (&test.name, test.outcome()),
        |(name, outcome)| {
            let word = if outcome.is_ok() { "ok" } else { "FAILED" };
            if !wishes.quiet || outcome.is_err() {
                written = writeln!(out, "test {name} ... {word}").and_then(|()| out.flush());
            }
            failures.extend(outcome.err().map(|why| (name, why)));
            match &written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        },
    );
    written?;
    let failed = failures.len();
    if failed > 0 {
        let mut text = "\nfailures:\n".to_owned();
        for (name, why) in &failures {
            let _ = writeln!(text, "\n---- {name} ----\n{}", why.trim_end());
        }
        text += "\nfailures:\n";
        for (name, _) in &failures {
            let _ = writeln!(text, "    {name}");
        }
        out.write_all(text.as_bytes())?;
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    writeln!(
        out,
        "\ntest result: {word}. {} passed; {failed} failed; 0 ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        number - failed,
        all - number,
        start.elapsed().as_secs_f64()
    )?;
    Ok(failed == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(line: &str) -> Wishes {
        Wishes::parse(line.split_whitespace().map(str::to_owned)).unwrap()
    }

    fn tests() -> Vec<Test> {
        vec![
            Test::new("a.pml::facts", || Ok(())),
            Test::new("b.pml::facts", || Err("  states: 3, expected 4\n".into())),
            Test::new("b.pml::checks", || panic!("no {}", "model")),
        ]
    }

    /// What is printed, without the time, and whether all is well.
    fn printed(line: &str) -> (String, bool) {
        let mut out = Vec::new();
        let good = run(tests(), &wishes(line), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let text = text.split("; finished in").next().unwrap_or_default();
        (text.to_owned(), good)
    }

    #[test]
    fn what_passes_is_named_and_counted() {
        let expected = "\nrunning 1 tests\ntest a.pml::facts ... ok\n\n\
            test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out";
        assert_eq!(printed("a.pml"), (expected.to_owned(), true));
        let expected = "\nrunning 1 tests\n\n\
            test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out";
        assert_eq!(printed("-q a.pml"), (expected.to_owned(), true));
    }

    #[test]
    fn what_fails_is_named_with_its_reason() {
        let expected = "\nrunning 3 tests\ntest a.pml::facts ... ok\ntest b.pml::facts ... FAILED\n\
            test b.pml::checks ... FAILED\n\nfailures:\n\n---- b.pml::facts ----\n  states: 3, expected 4\n\n\
            ---- b.pml::checks ----\npanicked: no model\n\nfailures:\n    b.pml::facts\n    b.pml::checks\n\n\
            test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(printed("--test-threads 2"), (expected.to_owned(), false));
    }

    #[test]
    fn tests_are_listed_as_nextest_wants_them() {
        let all = "a.pml::facts: test\nb.pml::facts: test\nb.pml::checks: test\n";
        assert_eq!(printed("--list --format terse"), (all.to_owned(), true));
        let none = String::new();
        assert_eq!(printed("--list --format terse --ignored"), (none, true));
        let counted = "b.pml::checks: test\n\n1 tests, 0 benchmarks\n".to_owned();
        assert_eq!(printed("--list checks"), (counted, true));
    }

    #[test]
    fn filters_choose() {
        let names = |line: &str| -> Vec<String> {
            let (text, _) = printed(&format!("--list --format=terse {line}"));
            let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
            names.map(str::to_owned).collect()
        };
        assert_eq!(names("a.pml checks"), ["a.pml::facts", "b.pml::checks"]);
        assert_eq!(names("b.pml --skip facts"), ["b.pml::checks"]);
        assert_eq!(names("--exact b.pml"), [] as [&str; 0]);
        assert_eq!(names("--exact b.pml::facts --nocapture"), ["b.pml::facts"]);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let refused = |line: &str| {
            let words = line.split_whitespace().map(str::to_owned);
            Wishes::parse(words).unwrap_err()
        };
        assert_eq!(refused("--bench"), "unknown option `--bench`");
        assert_eq!(refused("--skip"), "--skip needs a value");
        assert_eq!(
            refused("--test-threads=0"),
            "--test-threads: `0` is no number"
        );
        assert_eq!(
            refused("--format json"),
            "--format: `pretty` or `terse`, not `json`"
        );
    }
}
