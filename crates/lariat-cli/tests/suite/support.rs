//! Running the program in a folder of its own.

#![allow(dead_code, reason = "each file of tests uses a part of this")]

use lariat::LANGUAGES;
use lariat_testkit::files;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder that is removed at the end, with a copy of the examples in `examples`.
pub struct Folder(PathBuf);

/// What a run of the program left behind.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Self {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("lariat-test-{}-{number}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        std::fs::create_dir_all(folder.path("examples")).unwrap();
        for entry in std::fs::read_dir(root().join("examples")).unwrap() {
            let path = entry.unwrap().path();
            if files::is_model(&path, &LANGUAGES) {
                let name = path.file_name().unwrap();
                std::fs::copy(&path, folder.path("examples").join(name)).unwrap();
            }
        }
        folder
    }

    /// A path inside the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The program, in this folder, as a command that is not started yet.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lariat"));
        command
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program with the words of `line`, which may not contain spaces themselves.
    pub fn run(&self, line: &str) -> Ran {
        self.run_args(&line.split_whitespace().collect::<Vec<_>>())
    }

    pub fn run_args(&self, args: &[&str]) -> Ran {
        Ran::new(self.command(args).output().unwrap())
    }

    /// Runs the program and sends it `input`.
    pub fn run_with_input(&self, line: &str, input: &str) -> Ran {
        let args: Vec<_> = line.split_whitespace().collect();
        let mut child = self.command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        Ran::new(child.wait_with_output().unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Ran {
    /// What a finished process left behind; a panic is never fine.
    pub fn new(output: std::process::Output) -> Self {
        let ran = Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert!(ran.code.is_some() && ran.code != Some(101), "{ran:?}");
        ran
    }

    /// Checks the exit code.
    #[track_caller]
    pub fn exits_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Checks that all of this was said on standard error.
    #[track_caller]
    pub fn complains_of(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is not in {self:#?}");
        }
        self
    }

    /// Checks that all of this was printed.
    #[track_caller]
    pub fn prints(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stdout.contains(word), "`{word}` is not in {self:#?}");
        }
        self
    }

    /// The one JSON object that standard output consists of. The exit code must be the one for its verdicts.
    #[track_caller]
    pub fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.stdout).expect("one JSON value");
        assert!(value.is_object());
        if let Some(results) = value["results"].as_array() {
            let codes: Vec<i32> = results.iter().map(code_of_result).collect();
            let mut by_weight = [1, 4, 3, 0].into_iter();
            let worst = by_weight.find(|code| codes.contains(code));
            assert_eq!(self.code, worst, "{self:#?}");
        }
        value
    }
}

/// The exit code for a report about one property.
fn code_of_result(result: &Value) -> i32 {
    let verdict = result["verdict"].as_str().expect("a verdict");
    let is_estimate = !result["sampling"]["estimate"].is_null();
    match verdict {
        _ if is_estimate && !result["sampling"]["estimate"]["value"].is_null() => 0,
        "holds" => 0,
        "violated" if is_estimate => 4,
        "violated" => 1,
        "no violation found" => 3,
        "exhausted" => 4,
        other => panic!("`{other}` is no verdict"),
    }
}
