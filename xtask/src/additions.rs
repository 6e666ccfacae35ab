//! `additions`: a search, a store, a language and a wrapper of graphs can each be added with one file and one line.
//!
//! `xtask/additions` has a trivial example of each. They are copied into a copy of the workspace, with one line in a
//! registry. Then help, refusals and reports must name them, and the existing test suites must run them, without any
//! other change.

use crate::lariat;
use crate::options::Arguments;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A line that is inserted into a file, after the line with another text.
struct Line {
    file: &'static str,
    after: &'static str,
    text: &'static str,
}

/// An addition: the files of a folder of `xtask/additions`, and lines in other files.
struct Addition {
    folder: &'static str,
    lines: &'static [Line],
}

const ADDITIONS: [Addition; 4] = [
    Addition {
        folder: "search",
        lines: &[Line {
            file: "crates/lariat-search/src/registry.rs",
            after: "reach::dfs::Dfs,",
            text: "            reach::plain_dfs::PlainDfs,",
        }],
    },
    Addition {
        folder: "store",
        lines: &[Line {
            file: "crates/lariat-store/src/registry.rs",
            after: "Flat => flat_set::FlatSet,",
            text: "            BTree => btree_set::BTreeSet,",
        }],
    },
    Addition {
        folder: "language",
        lines: &[
            Line {
                file: "crates/lariat/src/lib.rs",
                after: "&lariat_dve::Dve,",
                text: "    &lariat_edges::Edges,",
            },
            Line {
                file: "crates/lariat/Cargo.toml",
                after: "[dependencies]",
                text: "lariat-edges = { path = \"../lariat-edges\" }",
            },
        ],
    },
    Addition {
        folder: "wrapper",
        lines: &[Line {
            file: "crates/lariat-graph/src/lib.rs",
            after: "pub mod explicit;",
            text: "pub mod mirrored;",
        }],
    },
];

/// Arguments of the program, the exit code, and the expected output.
const ANSWERS: &[(&str, i32, &[&str])] = &[
    (
        "check --help",
        0,
        &["plain-dfs (depth first", "btree (a search tree)", "edges"],
    ),
    (
        "check lasso.edges --search plain-dfs --store btree --json",
        0,
        &["\"search\": \"plain-dfs\"", "\"store\": \"btree\""],
    ),
    (
        "check copy.txt --language edges --formula <>[]c",
        1,
        &["a -> b", "violated"],
    ),
    (
        "check lasso.edges --safety --search ndfs",
        2,
        &["choose bfs, dfs, plain-dfs or monte-carlo"],
    ),
    (
        "check lasso.edges --formula []a --search plain-dfs",
        2,
        &["--search plain-dfs finds errors of states and steps"],
    ),
    (
        "check lasso.edges --search plain-dfs --workers 2",
        2,
        &["--search plain-dfs has one worker"],
    ),
    (
        "check lasso.edges --search plain-dfs --store sample:auto",
        2,
        &["only tree, flat or btree"],
    ),
    (
        "check lasso.edges --store bush",
        2,
        &["there are tree, flat, btree,"],
    ),
    (
        "check lasso.edges --wrap",
        2,
        &["this model is read as a list of edges"],
    ),
];

/// The suites of the project: cargo's arguments.
const SUITES: [&[&str]; 4] = [
    &["--package", "lariat-store", "--test", "suite"],
    &["--package", "lariat-search", "--test", "suite"],
    &["--package", "lariat-graph"],
    &["--package", "lariat-cli", "--tests"],
];

/// Runs the command; `Ok(true)` if no other change was needed.
pub fn command(arguments: &mut Arguments) -> Result<bool, String> {
    if !arguments.rest()?.is_empty() {
        return Err("additions takes no arguments".into());
    }
    let copy = lariat::target_directory().join("additions");
    copy_workspace(&copy)?;
    let mut good = true;
    for addition in &ADDITIONS {
        good &= add(addition, &copy)?;
    }
    good &= succeeds(cargo(&copy).args(["build", "--package", "lariat-cli"]));
    if !good {
        return Ok(false);
    }
    for (line, code, words) in ANSWERS {
        good &= answers(&copy, line, *code, words)?;
    }
    for suite in SUITES {
        good &= succeeds(cargo(&copy).arg("test").args(suite));
    }
    Ok(good)
}

/// Copies the files that git tracks or would add, with their times, so that cargo compiles only what has changed.
fn copy_workspace(copy: &Path) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(copy);
    let workspace = lariat::workspace();
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let files = output(git(&workspace).args(list))?;
    for file in String::from_utf8_lossy(&files.stdout).lines() {
        let from = workspace.join(file);
        // A deleted file is still in the list.
        if from.is_file() {
            copy_file(&from, &copy.join(file)).map_err(|error| format!("{file}: {error}"))?;
        }
    }
    output(git(copy).args(["init", "--quiet"]))?;
    output(git(copy).args(["add", "--all"]))?;
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to.parent().unwrap_or(to))?;
    std::fs::copy(from, to)?;
    let modified = from.metadata()?.modified()?;
    std::fs::File::options()
        .append(true)
        .open(to)?
        .set_modified(modified)
}

/// Adds the files and lines to the copy, and prints git's summary. Whether existing files changed only by these
/// lines.
fn add(addition: &Addition, copy: &Path) -> Result<bool, String> {
    let folder = lariat::workspace()
        .join("xtask/additions")
        .join(addition.folder);
    for file in files(&folder)? {
        let inside = file
            .strip_prefix(&folder)
            .map_err(|error| error.to_string())?;
        copy_file(&file, &copy.join(inside))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    for line in addition.lines {
        insert(&copy.join(line.file), line)?;
    }
    output(git(copy).args(["add", "--all", "--intent-to-add"]))?;
    let stat = output(git(copy).args(["diff", "--stat"]))?;
    println!(
        "{}:\n{}",
        addition.folder,
        String::from_utf8_lossy(&stat.stdout)
    );
    let old = output(git(copy).args(["diff", "--numstat", "--diff-filter=M"]))?;
    let old = String::from_utf8_lossy(&old.stdout).into_owned();
    output(git(copy).args(["add", "--all"]))?;
    let one_line_each = old.lines().all(|line| line.starts_with("1\t0\t"));
    Ok(one_line_each && old.lines().count() == addition.lines.len())
}

fn insert(path: &Path, line: &Line) -> Result<(), String> {
    let wrong = |error| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(wrong)?;
    let mut lines: Vec<&str> = text.lines().collect();
    let place = lines.iter().position(|old| old.contains(line.after));
    let place =
        place.ok_or_else(|| format!("{}: no line with `{}`", path.display(), line.after))?;
    lines.insert(place + 1, line.text);
    std::fs::write(path, lines.join("\n") + "\n").map_err(wrong)
}

/// All files below a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    Ok(found)
}

/// Whether the program with the additions exits with this code and prints these words.
fn answers(copy: &Path, line: &str, code: i32, words: &[&str]) -> Result<bool, String> {
    let folder = copy.join("models/edges");
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::copy(folder.join("lasso.edges"), folder.join("copy.txt")).map_err(wrong)?;
    let binary = built().join("debug/lariat");
    let mut program = Command::new(binary);
    program
        .current_dir(&folder)
        .args(line.split(' '))
        .arg("--no-trail");
    let ran = output_of_any(&mut program)?;
    let text =
        String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    // Help and messages are wrapped.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing = words.iter().find(|word| !text.contains(**word));
    let is_good = ran.status.code() == Some(code) && missing.is_none();
    println!(
        "{} lariat {line}",
        if is_good { "as expected:" } else { "WRONG:" }
    );
    if !is_good {
        println!(
            "exit code {:?}, missing {missing:?}:\n{text}",
            ran.status.code()
        );
    }
    Ok(is_good)
}

fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder);
    git
}

/// Where the copy is built. To cargo, its crates are those of the workspace, so they must not share a target directory.
fn built() -> PathBuf {
    lariat::target_directory().join("additions-target")
}

fn cargo(copy: &Path) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(copy).env("CARGO_TARGET_DIR", built());
    cargo
}

fn succeeds(command: &mut Command) -> bool {
    let works = command.status().is_ok_and(|status| status.success());
    if !works {
        println!("FAILED: {command:?}");
    }
    works
}

fn output_of_any(command: &mut Command) -> Result<Output, String> {
    let output = command.output();
    output.map_err(|error| format!("{command:?}: {error}"))
}

fn output(command: &mut Command) -> Result<Output, String> {
    let output = output_of_any(command)?;
    match output.status.success() {
        true => Ok(output),
        false => Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}
