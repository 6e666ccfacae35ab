//! One model in SPIN: translated once, compiled once for each kind of search.
//!
//! Whether SPIN accepts a model is not obvious: it prints "Error:" for problems after which it continues and exits
//! with 0, it leaves a `pan.c` behind after some fatal errors, and it can crash on invalid input. Accepted means:
//! exit status 0, a `pan.c`, and no syntax error among the messages.

use crate::facts::Outcome;
use crate::measure::Usage;
use crate::process::{self, Ended, Output, TemporaryDirectory};
use crate::spin::Settings;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// A model that SPIN has translated to C.
pub struct Translated {
    directory: TemporaryDirectory,
    settings: Settings,
    /// What `spin -a` printed.
    pub messages: String,
    /// An error message after which SPIN continued.
    pub complaint: Option<String>,
    /// The resource usage of translating, if it was measured.
    pub usage: Option<Usage>,
    /// The verifiers by their flags, or why there is none.
    compiled: BTreeMap<Vec<String>, Result<Verifier, String>>,
}

/// Whether there is the Tiny C Compiler, which takes a tenth of the time of `gcc -O0`; what it makes is about as slow.
static HAS_TCC: LazyLock<bool> = LazyLock::new(|| Command::new("tcc").arg("-v").output().is_ok());

/// A compiled verifier.
#[derive(Clone, Debug)]
pub struct Verifier {
    /// The name of the program.
    name: String,
    /// The resource usage of compiling, if it was measured.
    pub usage: Option<Usage>,
}

/// The longest path that is followed at first where models are small: memory for paths is filled before the search.
const SHORT: u32 = 20_000;

/// What `pan` prints if a path was longer than it may be.
pub const TOO_LONG: &str = "error: max search depth too small";

/// Flags of `spin -a` for plain semantics: no statement merging and no data-flow optimisations, which change the states.
pub const PLAIN: [&str; 3] = ["-o1", "-o2", "-o3"];

/// Translates a model with plain semantics and options for SPIN's front end (`-D`, `-U`, `-m`). The inner error is an
/// outcome: rejected or failed.
pub fn translate(
    model: &Path,
    options: &[String],
    settings: Settings,
) -> io::Result<Result<Translated, Outcome>> {
    translate_with(&PLAIN, model, options, settings)
}

/// The same with other flags than those for plain semantics.
pub fn translate_with(
    flags: &[&str],
    model: &Path,
    options: &[String],
    settings: Settings,
) -> io::Result<Result<Translated, Outcome>> {
    let directory = TemporaryDirectory::new()?;
    let model = std::path::absolute(model)?;
    let mut arguments = vec!["-a".to_owned()];
    arguments.extend(flags.iter().map(|flag| (*flag).to_owned()));
    arguments.extend(options.iter().cloned());
    arguments.push(model.to_string_lossy().into_owned());
    let translated = run("spin", &arguments, directory.path(), settings)?;
    let messages = format!("{}\n{}", translated.stdout, translated.stderr);
    let complaint = complaint(&messages);
    match translated.ended {
        Ended::Signal(signal) => Ok(Err(Outcome::Failed(format!(
            "spin -a was ended by signal {signal}"
        )))),
        Ended::TimeLimit => Ok(Err(Outcome::Failed(
            "spin -a reached the time limit".into(),
        ))),
        Ended::Exit(0)
            if directory.path().join("pan.c").exists()
                && !messages.contains("Error: syntax error") =>
        {
            Ok(Ok(Translated {
                directory,
                settings,
                messages,
                complaint,
                usage: translated.usage,
                compiled: BTreeMap::new(),
            }))
        }
        Ended::Exit(status) => {
            let message = complaint.unwrap_or_else(|| first_line(&messages, status));
            Ok(Err(Outcome::Rejected(message)))
        }
    }
}

impl Translated {
    /// The text of a file that SPIN wrote, such as `pan.m`; empty if there is none.
    pub fn file(&self, name: &str) -> String {
        let bytes = std::fs::read(self.directory.path().join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Replaces a file that SPIN wrote, before anything is compiled.
    pub fn replace_file(&self, name: &str, text: &str) -> io::Result<()> {
        std::fs::write(self.directory.path().join(name), text)
    }

    /// Runs the verifier compiled with these flags, which are added to those for sizes and plain semantics. The
    /// inner error is why it does not compile.
    pub fn search(
        &mut self,
        flags: &[&str],
        arguments: &[String],
    ) -> io::Result<Result<Output, String>> {
        let verifier = match self.verifier(flags)? {
            Ok(verifier) => verifier,
            Err(reason) => return Ok(Err(reason)),
        };
        let settings = self.settings;
        let search = |depth: u32| {
            let sizes = [
                "-n".into(),
                format!("-m{depth}"),
                format!("-w{}", settings.table),
            ];
            let arguments = sizes.iter().chain(arguments);
            run(&verifier.name, arguments, self.directory.path(), settings)
        };
        if settings.small && settings.depth > SHORT {
            let searched = search(SHORT)?;
            if !searched.stdout.contains(TOO_LONG) {
                return Ok(Ok(searched));
            }
        }
        search(settings.depth).map(Ok)
    }

    /// The verifier with these flags, compiled now if it is not yet. The inner error is why it does not compile.
    pub fn verifier(&mut self, flags: &[&str]) -> io::Result<Result<Verifier, String>> {
        let key: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        if let Some(verifier) = self.compiled.get(&key) {
            return Ok(verifier.clone());
        }
        let verifier = self.compile(flags)?;
        self.compiled.insert(key, verifier.clone());
        Ok(verifier)
    }

    fn compile(&self, flags: &[&str]) -> io::Result<Result<Verifier, String>> {
        let name = format!("pan{}", self.compiled.len());
        let memory = format!("-DMEMLIM={}", self.settings.memory);
        let vector = format!("-DVECTORSZ={}", self.settings.vector);
        let fixed = ["-w", "-DNOREDUCE", &vector, &memory];
        let output = ["-o", &name, "pan.c"];
        let all = || fixed.iter().chain(flags).chain(&output);
        if self.settings.small && *HAS_TCC {
            let compiled = run("tcc", all(), self.directory.path(), self.settings)?;
            if compiled.ended == Ended::Exit(0) {
                return Ok(Ok(Verifier {
                    name: format!("./{name}"),
                    usage: compiled.usage,
                }));
            }
        }
        let all = std::iter::once(&self.settings.optimise).chain(all());
        let compiled = run("gcc", all, self.directory.path(), self.settings)?;
        if compiled.ended == Ended::Exit(0) {
            return Ok(Ok(Verifier {
                name: format!("./{name}"),
                usage: compiled.usage,
            }));
        }
        let mut errors = compiled.stderr.lines();
        let reason = errors.find(|line| line.contains("error"));
        Ok(Err(format!(
            "gcc: {}",
            reason.unwrap_or("gcc failed").trim()
        )))
    }
}

/// Runs a program within the time limit, measured if the settings say so.
fn run<S: AsRef<OsStr>>(
    program: &str,
    arguments: impl IntoIterator<Item = S>,
    directory: &Path,
    settings: Settings,
) -> io::Result<Output> {
    if settings.measured {
        process::run_measured(program, arguments, directory, settings.time)
    } else {
        process::run(program, arguments, directory, settings.time)
    }
}

/// The first error message of `spin -a`, without the file's name; one about `else` only if there is no other.
fn complaint(text: &str) -> Option<String> {
    let errors = text
        .lines()
        .filter(|line| line.starts_with("spin:") && line.contains("Error: "));
    let line = errors.min_by_key(|line| line.contains("dubious use of 'else'"))?;
    let (_, message) = line.split_once("Error: ")?;
    Some(message.replace('\t', " ").trim().to_owned())
}

/// A message for the case without an error message.
pub fn first_line(text: &str, status: i32) -> String {
    let lines = || {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("ltl "))
    };
    // The message of the preprocessor is better than "preprocessing failed".
    let line = lines()
        .find(|line| line.contains("error: "))
        .or_else(|| lines().next());
    line.map_or_else(|| format!("exit status {status}"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_front_end() {
        let text =
            "ltl a: <> (x)\nspin: m.pml:1, Error: undeclared variable: y\tsaw 'operator: ='\n";
        assert_eq!(
            complaint(text).as_deref(),
            Some("undeclared variable: y saw 'operator: ='")
        );
        assert_eq!(complaint("ltl a: <> (x)\n"), None);
        let two = "spin: m.pml:1, Error: dubious use of 'else' combined with i/o\nspin: m.pml:2, Error: type error\n";
        assert_eq!(complaint(two).as_deref(), Some("type error"));
        assert_eq!(first_line("\nltl a: x\n", 1), "exit status 1");
        assert_eq!(
            first_line("spin: preprocessing failed\n", 1),
            "spin: preprocessing failed"
        );
    }
}
