//! Child processes with a time limit.
//!
//! Each child has its own process group, so that everything it started ends with it (`spin` starts the C
//! preprocessor). At the time limit the group first gets SIGINT, on which `pan` still prints its summary, and is
//! killed a few seconds later. Output goes to files rather than pipes: no reader threads, and a child with much
//! output cannot block. A CPU limit from the shell stops children that outlive a killed `xtask`.

use crate::measure::{self, Usage};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The largest output of a child that is kept.
const OUTPUT_LIMIT: u64 = 4 << 20;

/// How long a child may take to stop after SIGINT.
const GRACE: Duration = Duration::from_secs(5);

/// The way a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It exited by itself with this status.
    Exit(i32),
    /// A signal ended it.
    Signal(i32),
    /// It reached the time limit (and may have printed something on SIGINT).
    TimeLimit,
}

/// The result of a child.
#[derive(Debug)]
pub struct Output {
    /// The way it ended.
    pub ended: Ended,
    /// Its standard output, invalid UTF-8 replaced.
    pub stdout: String,
    /// Its standard error, invalid UTF-8 replaced.
    pub stderr: String,
    /// Its resource usage, if that was measured and it ended by itself.
    pub usage: Option<Usage>,
}

/// Runs `program` in `directory` and waits for it, no longer than `limit`.
pub fn run<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = S>,
    directory: &Path,
    limit: Duration,
) -> io::Result<Output> {
    let (out, err) = (
        directory.join("xtask.stdout"),
        directory.join("xtask.stderr"),
    );
    let cpu_seconds = limit.as_secs() + GRACE.as_secs() + 10;
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -t {cpu_seconds}; exec \"$@\""))
        .arg("sh")
        .arg(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .process_group(0)
        .spawn()?;
    let ended = match wait(&mut child, limit)? {
        Some(status) => match status.signal() {
            Some(signal) => Ended::Signal(signal),
            None => Ended::Exit(status.code().unwrap_or(-1)),
        },
        None => {
            signal_group(&child, "INT");
            if wait(&mut child, GRACE)?.is_none() {
                signal_group(&child, "KILL");
                child.wait()?;
            }
            Ended::TimeLimit
        }
    };
    Ok(Output {
        ended,
        stdout: read_start(&out)?,
        stderr: read_start(&err)?,
        usage: None,
    })
}

/// The same, and measures the resource usage of the program: see [`measure`].
pub fn run_measured<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = S>,
    directory: &Path,
    limit: Duration,
) -> io::Result<Output> {
    let file = directory.join("xtask.usage");
    let _ = std::fs::remove_file(&file);
    let mut words: Vec<OsString> = measure::prefix(&file);
    words.push(program.as_ref().to_owned());
    words.extend(arguments.into_iter().map(|word| word.as_ref().to_owned()));
    let mut output = run(std::env::current_exe()?, words, directory, limit)?;
    if let Some(measured) = measure::read(&file) {
        output.usage = Some(measured.usage);
        if let Some(signal) = measured.signal {
            output.ended = Ended::Signal(signal);
        }
    }
    Ok(output)
}

/// Polls until the child has ended or the limit is reached; short waits first, as most children are quick.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Sends a signal to the child's whole group. A group that is already gone is fine.
fn signal_group(child: &Child, signal: &str) {
    let _ = Command::new("sh")
        .arg("-c")
        .arg(format!("kill -{signal} -{}", child.id()))
        .stderr(Stdio::null())
        .status();
}

/// The first part of a file as text.
fn read_start(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(OUTPUT_LIMIT)
        .read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A temporary directory that is deleted with the value.
pub struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    /// Creates one below the system's directory for temporary files.
    pub fn new() -> io::Result<TemporaryDirectory> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("lariat-xtask-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(TemporaryDirectory(path))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Output {
        let directory = TemporaryDirectory::new().unwrap();
        run("sh", ["-c", script], directory.path(), limit).unwrap()
    }

    #[test]
    fn output_and_status_are_captured() {
        let output = shell("echo out; echo err >&2; exit 3", Duration::from_secs(20));
        assert_eq!(output.ended, Ended::Exit(3));
        assert_eq!(
            (output.stdout.as_str(), output.stderr.as_str()),
            ("out\n", "err\n")
        );
    }

    #[test]
    fn signals_are_distinguished_from_exits() {
        assert_eq!(
            shell("kill -SEGV $$", Duration::from_secs(20)).ended,
            Ended::Signal(11)
        );
    }

    #[test]
    fn a_child_may_print_when_interrupted() {
        let script = "trap 'echo summary; exit 0' INT; while :; do sleep 0.05; done";
        let output = shell(script, Duration::from_millis(300));
        assert_eq!(output.ended, Ended::TimeLimit);
        assert_eq!(output.stdout, "summary\n");
    }
}
