//! `memcheck`: the tests of the crates with `unsafe` code under valgrind, and under Miri where it exists.
//!
//! Valgrind also checks compiled code. It is slow, so tests with random cases make few of them, and those that
//! explore all models are omitted. Miri detects more violations of Rust's rules, but runs neither compiled code nor
//! system calls: it gets the parts of `lariat-store` that are plain Rust; there the memory of regions comes from the
//! allocator.

use crate::lariat;
use crate::options::Arguments;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A run: a crate, the arguments of cargo, and those of the tests.
struct Part {
    package: &'static str,
    targets: &'static [&'static str],
    filters: &'static [&'static str],
}

const UNDER_VALGRIND: [Part; 4] = [
    Part {
        package: "lariat-store",
        targets: &["--lib"],
        filters: &[],
    },
    Part {
        package: "lariat-store",
        targets: &["--test", "suite"],
        filters: &[],
    },
    Part {
        package: "lariat-jit",
        targets: &["--lib"],
        filters: &["message::", "lockstep::", "runtime::"],
    },
    Part {
        package: "lariat-jit",
        targets: &["--test", "suite"],
        filters: &[
            "states::",
            "made::",
            "malformed::",
            "random::",
            "threads::",
            "draw::draws_from_random",
        ],
    },
];

const UNDER_MIRI: Part = Part {
    package: "lariat-store",
    targets: &["--lib"],
    filters: &["pages::", "differences::", "memory::", "arena::", "hash::"],
};

/// How many random cases tests make.
const CASES: [(&str, &str); 3] = [
    ("LARIAT_STATES", "600"),
    ("LARIAT_JIT_PROGRAMS", "3"),
    ("LARIAT_JIT_PANICS", "4"),
];

/// The exit status of valgrind if it has found errors.
const FOUND: &str = "99";

/// Runs the command; `Ok(true)` if no errors were found.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    if !arguments.rest()?.is_empty() {
        return Err("memcheck takes no arguments".into());
    }
    let found = Command::new("valgrind").arg("--version").output();
    found.map_err(|_| "`valgrind` is needed and was not found")?;
    let logs = lariat::target_directory().join("memcheck");
    let mut good = true;
    for (number, part) in UNDER_VALGRIND.iter().enumerate() {
        good &= under_valgrind(part, &logs.join(number.to_string()))?;
    }
    let miri = cargo().args(["+nightly", "miri", "--version"]).output();
    if miri.is_ok_and(|output| output.status.success()) {
        good &= under_miri(&UNDER_MIRI)?;
    } else {
        println!("Miri is not installed for the nightly toolchain: not run");
    }
    Ok(good)
}

fn under_valgrind(part: &Part, logs: &Path) -> Result<bool, String> {
    let name = format!("{} {}", part.package, part.targets.join(" "));
    // Logs of earlier runs would be mistaken for those of this one.
    let _ = std::fs::remove_dir_all(logs);
    let wrong = |error| format!("{}: {error}", logs.display());
    std::fs::create_dir_all(logs).map_err(wrong)?;
    let runner = format!(
        "valgrind --tool=memcheck --smc-check=all-non-file --leak-check=no --fair-sched=yes --error-exitcode={FOUND} \
         --log-file={}/%p.log",
        logs.display()
    );
    let mut tests = cargo();
    tests.args(["test", "--package", part.package]);
    tests.args(part.targets).arg("--").args(part.filters);
    tests.arg("--test-threads=1");
    tests.env(runner_variable()?, runner).envs(CASES);
    println!("valgrind: {name} {}", part.filters.join(" "));
    let is_fine = works(&mut tests);
    let complaints: Vec<PathBuf> = (std::fs::read_dir(logs).map_err(wrong)?.flatten())
        .map(|entry| entry.path())
        .filter(|path| std::fs::read_to_string(path).is_ok_and(|text| has_errors(&text)))
        .collect();
    for log in &complaints {
        println!("valgrind has found errors: {}", log.display());
    }
    if !is_fine && complaints.is_empty() {
        println!("a test has failed; logs are in {}", logs.display());
    }
    Ok(is_fine && complaints.is_empty())
}

fn under_miri(part: &Part) -> Result<bool, String> {
    println!("Miri: {} {}", part.package, part.filters.join(" "));
    let mut tests = cargo();
    tests.args(["+nightly", "miri", "test", "--package", part.package]);
    tests.args(part.targets).arg("--").args(part.filters);
    Ok(works(&mut tests))
}

/// Cargo in the workspace. The cargo of the toolchain does not support `+nightly`, so it is always that of the path.
fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(lariat::workspace());
    for variable in ["CARGO", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(variable);
    }
    cargo
}

fn works(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

/// The environment variable with the runner of tests on this machine.
fn runner_variable() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output();
    let output = output.map_err(|error| format!("rustc cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc does not say what machine this is")?;
    let host = host.to_uppercase().replace(['-', '.'], "_");
    Ok(format!("CARGO_TARGET_{host}_RUNNER"))
}

/// Whether a log of valgrind has errors.
fn has_errors(log: &str) -> bool {
    let mut lines = log.lines();
    lines.any(|line| line.contains("ERROR SUMMARY: ") && !line.contains("ERROR SUMMARY: 0 errors"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_read() {
        assert!(!has_errors("==1== ERROR SUMMARY: 0 errors from 0 contexts"));
        assert!(has_errors(
            "==1== a\n==1== ERROR SUMMARY: 2 errors from 1 contexts"
        ));
        assert!(!has_errors(""));
    }
}
