//! `bench counts`: instructions of small checks, counted by callgrind.
//!
//! Times depend on the machine and on its load; the number of instructions hardly does. `instructions.txt` has the
//! numbers for a few examples, so that a regression is detected on any machine.

use crate::lariat;
use crate::options::Arguments;
use crate::process::{self, Ended, TemporaryDirectory};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The relative increase that counts as a regression.
const TOLERANCE: f64 = 0.03;

/// The time for one check.
const LIMIT: Duration = Duration::from_secs(600);

/// The checks, for a new file.
const CHECKS: [&str; 6] = [
    "examples/leader.pml -DN=6 --exec interp",
    "examples/leader.pml -DN=6 --exec jit",
    "examples/philosophers.pml -DN=8 --exec interp",
    "examples/philosophers.pml -DN=8 --exec jit",
    "examples/stop_and_wait.pml -DREPEATS=8 --exec interp",
    "examples/stop_and_wait.pml -DREPEATS=8 --exec jit",
];

/// A check and its number of instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    instructions: u64,
    check: String,
}

/// Runs the command; `Ok(true)` if there is no regression.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    let update = arguments.flag("--update");
    if !arguments.rest()?.is_empty() {
        return Err("bench counts takes no files".into());
    }
    let found = Command::new("valgrind").arg("--version").output();
    found.map_err(|_| "`valgrind` is needed to count instructions and was not found")?;
    let binary = lariat::binary()?;
    let file = file();
    if update {
        let mut lines = Vec::new();
        for check in CHECKS {
            let instructions = count(&binary, check)?;
            println!("{instructions:>14} {check}");
            lines.push(Line {
                instructions,
                check: check.to_owned(),
            });
        }
        let written = std::fs::write(&file, print(&lines));
        return written
            .map(|()| true)
            .map_err(|error| format!("{}: {error}", file.display()));
    }
    let text = std::fs::read_to_string(&file);
    let text =
        text.map_err(|error| format!("{}: {error}; make it with --update", file.display()))?;
    let mut good = true;
    for line in parse(&text)? {
        let now = count(&binary, &line.check)?;
        let change = now as f64 / line.instructions as f64 - 1.0;
        let remark = judge(change);
        good &= change <= TOLERANCE;
        println!(
            "{remark:<10} {now:>14} instead of {:>14} ({:+.1} %) {}",
            line.instructions,
            100.0 * change,
            line.check
        );
    }
    Ok(good)
}

/// Where the numbers are.
fn file() -> PathBuf {
    lariat::workspace().join("xtask").join("instructions.txt")
}

fn judge(change: f64) -> &'static str {
    match change {
        c if c > TOLERANCE => "REGRESSION",
        c if c < -TOLERANCE => "better",
        _ => "equal",
    }
}

/// The instructions of one check.
fn count(binary: &Path, check: &str) -> Result<u64, String> {
    let directory = TemporaryDirectory::new().map_err(|error| error.to_string())?;
    let mut words = check.split_whitespace();
    let model = lariat::workspace().join(words.next().unwrap_or_default());
    let mut arguments: Vec<String> = vec![
        "--tool=callgrind".into(),
        "--callgrind-out-file=callgrind.out".into(),
        binary.to_string_lossy().into_owned(),
        "check".into(),
        model.to_string_lossy().into_owned(),
    ];
    arguments.extend(words.map(str::to_owned));
    arguments.extend(
        [
            "--safety",
            "--all-errors",
            "--no-trail",
            "--workers=1",
            "--memory=1G",
            "--json",
        ]
        .map(str::to_owned),
    );
    let output = process::run("valgrind", &arguments, directory.path(), LIMIT);
    let output = output.map_err(|error| format!("valgrind: {error}"))?;
    let collected = collected(&output.stderr);
    match (output.ended, collected) {
        (Ended::Exit(0 | 1), Some(instructions)) => Ok(instructions),
        (ended, _) => {
            let last = output.stderr.lines().last().unwrap_or("");
            Err(format!("{check}: {ended:?} under valgrind: {last}"))
        }
    }
}

/// Reads what callgrind says at its end.
fn collected(stderr: &str) -> Option<u64> {
    let line = stderr.lines().find(|line| line.contains("Collected : "))?;
    line.split("Collected : ")
        .nth(1)?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

fn print(lines: &[Line]) -> String {
    let mut text = String::from(
        "# Instructions of small checks, as callgrind counts them. Made by `xtask bench counts --update`, compared by\n\
         # `xtask bench counts`; more than 3 percent above is a regression.\n",
    );
    for line in lines {
        let _ = writeln!(text, "{} {}", line.instructions, line.check);
    }
    text
}

fn parse(text: &str) -> Result<Vec<Line>, String> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let parsed = lines.map(|line| {
        let wrong = || format!("instructions.txt: `{line}` is not a number and a check");
        let (number, check) = line.split_once(' ').ok_or_else(wrong)?;
        let instructions = number.parse().ok().filter(|n| *n > 0).ok_or_else(wrong)?;
        Ok(Line {
            instructions,
            check: check.to_owned(),
        })
    });
    parsed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_as_it_is_written() {
        let lines = vec![
            Line {
                instructions: 123,
                check: "a.pml --exec jit".into(),
            },
            Line {
                instructions: 4,
                check: "b.pml".into(),
            },
        ];
        assert_eq!(parse(&print(&lines)), Ok(lines));
        assert!(parse("many a.pml\n").is_err());
        assert!(parse("0 a.pml\n").is_err());
    }

    #[test]
    fn the_file_of_this_program_is_well_formed() {
        if let Ok(text) = std::fs::read_to_string(file()) {
            let lines = parse(&text).unwrap();
            let checks: Vec<&str> = lines.iter().map(|line| line.check.as_str()).collect();
            assert_eq!(checks, CHECKS);
        }
    }

    #[test]
    fn output_of_callgrind() {
        let text = "==7== Callgrind\n==7== Events    : Ir\n==7== Collected : 1234567\n==7==\n";
        assert_eq!(collected(text), Some(1_234_567));
        assert_eq!(collected("nothing"), None);
    }

    #[test]
    fn three_percent_are_allowed() {
        assert_eq!(judge(0.029), "equal");
        assert_eq!(judge(0.031), "REGRESSION");
        assert_eq!(judge(-0.2), "better");
    }
}
