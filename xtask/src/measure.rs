//! CPU time, wall time and peak memory of a child process.
//!
//! The system reports the peak memory only of the largest child that a process ever had, so each measured program
//! gets its own parent: this program starts itself with the hidden command `measured`, which starts the program,
//! waits for it, and writes the result of `getrusage` into a file. Processes that the program started and waited for
//! count, too: CPU time is the sum, memory the maximum.

use nix::sys::resource::{UsageWho, getrusage};
use std::ffi::OsString;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The name of the hidden command.
pub const COMMAND: &str = "measured";

/// The resource usage of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time, in user and system mode together.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
    /// The peak of the resident memory, in bytes.
    pub rss: u64,
}

/// The result of the hidden command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The resource usage of the program.
    pub usage: Usage,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl Usage {
    /// The usage of two programs that run one after the other.
    pub fn then(self, next: Usage) -> Usage {
        Usage {
            cpu: self.cpu + next.cpu,
            wall: self.wall + next.wall,
            rss: self.rss.max(next.rss),
        }
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cpu, wall) = (self.cpu.as_secs_f64(), self.wall.as_secs_f64());
        let rss = self.rss as f64 / f64::from(1 << 20);
        write!(f, "{cpu:.2} s CPU, {wall:.2} s, {rss:.0} MiB")
    }
}

/// The words of the hidden command, up to the program to be measured.
pub fn prefix(file: &Path) -> Vec<OsString> {
    vec![COMMAND.into(), file.into()]
}

/// Runs the hidden command: runs the program and measures it. Returns its exit status.
pub fn command(mut words: impl Iterator<Item = OsString>) -> Result<i32, String> {
    let (Some(file), Some(program)) = (words.next(), words.next()) else {
        return Err(format!("{COMMAND}: name a file and a program"));
    };
    let start = Instant::now();
    let status = Command::new(&program).args(words).status();
    let status = status.map_err(|error| format!("{}: {error}", program.display()))?;
    let wall = start.elapsed();
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let micros = |time: nix::sys::time::TimeVal| {
        (time.tv_sec() as u64 * 1_000_000).saturating_add(time.tv_usec() as u64)
    };
    let text = format!(
        "{} {} {} {}\n",
        micros(used.user_time()) + micros(used.system_time()),
        wall.as_micros(),
        used.max_rss(),
        status.signal().unwrap_or(0)
    );
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(status.code().unwrap_or(1))
}

/// Parses the file of the hidden command.
pub fn read(file: &Path) -> Option<Measured> {
    parse(&std::fs::read_to_string(file).ok()?)
}

fn parse(text: &str) -> Option<Measured> {
    let numbers: Option<Vec<u64>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
    let [cpu, wall, kilobytes, signal] = numbers?[..] else {
        return None;
    };
    let usage = Usage {
        cpu: Duration::from_micros(cpu),
        wall: Duration::from_micros(wall),
        rss: kilobytes * 1024,
    };
    Some(Measured {
        usage,
        signal: (signal != 0).then_some(signal as i32),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::TemporaryDirectory;

    /// Runs a shell script as the hidden command does.
    fn shell(script: &str) -> (Result<i32, String>, Option<Measured>) {
        let directory = TemporaryDirectory::new().unwrap();
        let file = directory.path().join("usage");
        let words = [
            file.as_os_str(),
            "sh".as_ref(),
            "-c".as_ref(),
            script.as_ref(),
        ];
        let status = command(words.into_iter().map(OsString::from));
        (status, read(&file))
    }

    #[test]
    fn time_and_memory_are_those_of_the_child() {
        let (status, usage) =
            shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; sleep 0.2; exit 7");
        let Measured { usage, signal } = usage.unwrap();
        assert_eq!((status, signal), (Ok(7), None));
        assert!(usage.wall >= Duration::from_millis(200));
        assert!(usage.cpu > Duration::ZERO);
        assert!(usage.rss > 100 << 10, "{usage}");
    }

    #[test]
    fn signals_are_told() {
        let (_, usage) = shell("kill -KILL $$");
        assert_eq!(usage.unwrap().signal, Some(9));
    }

    #[test]
    fn wrong_words_and_files() {
        assert!(command([OsString::from("file")].into_iter()).is_err());
        let missing = ["/dev/null", "/no/such/program"].map(OsString::from);
        assert!(command(missing.into_iter()).is_err());
        assert_eq!(parse("1 2 3"), None);
        assert_eq!(parse("1 2 x 0"), None);
    }

    #[test]
    fn one_after_the_other() {
        let one = parse("1000000 2000000 10 0").unwrap().usage;
        let two = parse("3000000 1000000 5 0").unwrap().usage;
        let both = parse("4000000 3000000 10 0").unwrap().usage;
        assert_eq!(one.then(two), both);
    }
}
